// Of pyarray-wrap-export: the C function. Arguments are stored to the slots of the entry, results loaded from those
// that it has stored (emit_entry.c).
//
//   llvm.func @f(%p0: f64, %r0: !llvm.ptr) -> i32 {
//     %args = llvm.alloca ...
//     %results = llvm.alloca ...
//     store %p0 to %args
//     %status = llvm.call @pyarray_entry(%args, %results)
//     ...
//   }
//
// Numbers travel as the System V ABI for x86-64 has them, like those of callbacks (wrap_cfunc.c).
#include <string.h>

#include "export_text.h"
#include "support/type_code.h"

enum { SSE_REGISTERS = 8, OWNER_BYTES = 64 };

// How a number is passed, and what lies in memory: of complex numbers, their parts.
typedef struct c_number {
  char code;
  const char *parameter; // type, with attributes
  const char *memory;    // type of a part in memory
  int parts, bytes;      // of a part
  bool sse;
} c_number;

static const c_number numbers[] = {
    {'?', "i8 {llvm.zeroext}", "i8", 1, 1, false},
    {'b', "i8 {llvm.signext}", "i8", 1, 1, false},
    {'h', "i16 {llvm.signext}", "i16", 1, 2, false},
    {'i', "i32", "i32", 1, 4, false},
    {'q', "i64", "i64", 1, 8, false},
    {'B', "i8 {llvm.zeroext}", "i8", 1, 1, false},
    {'H', "i16 {llvm.zeroext}", "i16", 1, 2, false},
    {'I', "i32", "i32", 1, 4, false},
    {'Q', "i64", "i64", 1, 8, false},
    {'e', "f16", "f16", 1, 2, true},
    {'f', "f32", "f32", 1, 4, true},
    {'d', "f64", "f64", 1, 8, true},
    {'F', "vector<2xf32>", "f32", 2, 4, true},
    {'D', "f64", "f64", 2, 8, true},
    {'M', "i64", "i64", 1, 8, false},
    {'m', "i64", "i64", 1, 8, false},
};

static const c_number *number_of(char code) {
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (numbers[i].code == code) return &numbers[i];
  return NULL;
}

typedef struct writer {
  pa_export *x;
  pa_string signature, before, after;
  int parameters, arrays, values, sse; // so far; sse: registers that are taken
  int64_t argument_bytes, result_bytes;
} writer;

static pa_status refuse(writer *w, const char *what, const char *name, const char *code) {
  pa_type type;
  const char *end = pa_type_next(code, &type), *at = code;
  MlirType shown = end ? pa_type_from_code(w->x->context, &at) : (MlirType){NULL};
  return pa_fail(PA_CODE_UNSUPPORTED, NULL,
                 "%s cannot be exported to C: %s%s%s%s has type %s\nhint: numbers, arrays of numbers, pointers and "
                 "tuples of these can",
                 w->x->name, what, *name ? " '" : "", name, *name ? "'" : "",
                 mlirTypeIsNull(shown) ? code : pa_type_text(w->x->arena, shown));
}

// A new parameter of the C function; its number.
static int parameter(writer *w, const char *type) {
  pa_string_format(&w->signature, "%s%%p%d: %s", w->parameters ? ", " : "", w->parameters, type);
  return w->parameters++;
}

// The address of a byte of the slots |of|, "args" or "results", as a new value; its number.
static int slot(writer *w, pa_string *to, const char *of, int64_t byte) {
  pa_string_format(to, "  %%v%d = llvm.getelementptr %%%s[%lld] : (!llvm.ptr) -> !llvm.ptr, i8\n", w->values, of,
                   (long long)byte);
  return w->values++;
}

//===-- Arguments ---------------------------------------------------------------------------------===//

static void put_complex_on_stack(writer *w, const c_number *number) {
  int p = parameter(w, number->code == 'F' ? "!llvm.ptr {llvm.byval = !llvm.struct<(f32, f32)>, llvm.align = 8 : i64}"
                                           : "!llvm.ptr {llvm.byval = !llvm.struct<(f64, f64)>, llvm.align = 8 : i64}");
  for (int64_t byte = 0; byte < number->parts * number->bytes; byte += 8) {
    int to = slot(w, &w->before, "args", w->argument_bytes + byte), from = w->values++;
    pa_string_format(&w->before,
                     "  %%v%d = llvm.getelementptr %%p%d[%lld] : (!llvm.ptr) -> !llvm.ptr, i8\n"
                     "  %%l%d = llvm.load %%v%d {alignment = 8 : i64} : !llvm.ptr -> i64\n"
                     "  llvm.store %%l%d, %%v%d : i64, !llvm.ptr\n",
                     from, p, (long long)byte, from, from, from, to);
  }
}

static void put_number(writer *w, const c_number *number) {
  int registers = number->code == 'D' ? 2 : number->sse;
  bool complex = number->parts == 2;
  int64_t slots = number->code == 'D' ? 2 : 1;
  if (complex && w->sse + registers > SSE_REGISTERS) {
    put_complex_on_stack(w, number);
  } else {
    w->sse += registers;
    size_t length = strcspn(number->parameter, " ");
    for (int64_t i = 0; i < slots; ++i) {
      int p = parameter(w, number->parameter), at = slot(w, &w->before, "args", w->argument_bytes + 8 * i);
      pa_string_format(&w->before, "  llvm.store %%p%d, %%v%d : %.*s, !llvm.ptr\n", p, at, (int)length,
                       number->parameter);
    }
  }
  w->argument_bytes += 8 * slots;
}

static void put_array(writer *w, const pa_type *type, const char *name) {
  static const char log2_of[] = {[1] = 0, [2] = 1, [4] = 2, [8] = 3};
  const char *symbol = pa_arena_format(w->x->arena, "pyarray_export_what_%d", w->arrays);
  char layout = type->layout | 0x20; // readonly or not
  const char *what = pa_arena_format(w->x->arena, "%c%d:%d:%s", layout - 0x20, type->rank,
                                     log2_of[number_of(type->dtype)->bytes], name);
  pa_export_global(w->x, symbol, what, strlen(what));
  int p = parameter(w, "!llvm.ptr"), to = slot(w, &w->before, "args", w->argument_bytes),
      owner = slot(w, &w->before, "owners", (int64_t)w->arrays * OWNER_BYTES), v = w->values++;
  pa_string_format(&w->before,
                   "  %%v%d = llvm.mlir.addressof @%s : !llvm.ptr\n"
                   "  %%c%d = llvm.call @pyarray_rt_export_array(%%p%d, %%v%d, %%v%d, %%v%d) : (!llvm.ptr, !llvm.ptr, "
                   "!llvm.ptr, !llvm.ptr) -> i32\n"
                   "  %%b%d = llvm.icmp \"ne\" %%c%d, %%zero : i32\n"
                   "  llvm.cond_br %%b%d, ^refused(%%c%d : i32), ^next%d\n^next%d:\n",
                   v, symbol, v, p, to, owner, v, v, v, v, v, v, v);
  w->arrays++;
  w->argument_bytes += 8 * (4 + 2 * type->rank);
}

// |*code| is a type of arguments; a tuple's elements are parameters of their own.
static pa_status put_argument(writer *w, const char **code, const char *name) {
  pa_type type;
  const char *start = *code, *next = pa_type_next(start, &type);
  if (!next) return refuse(w, "an argument", name, start);
  *code = next;
  const c_number *number = number_of(type.dtype);
  if (type.kind == PA_TYPE_NONE || type.name) return type.name ? refuse(w, "argument", name, start) : PA_OK;
  if (type.kind == PA_TYPE_SCALAR && number) return put_number(w, number), PA_OK;
  if (type.kind == PA_TYPE_ARRAY && number && !type.random && !type.format) return put_array(w, &type, name), PA_OK;
  if (type.kind == PA_TYPE_POINTER && type.dtype != ':' && type.dtype != '(') {
    int p = parameter(w, "!llvm.ptr"), at = slot(w, &w->before, "args", w->argument_bytes);
    pa_string_format(&w->before, "  llvm.store %%p%d, %%v%d : !llvm.ptr, !llvm.ptr\n", p, at);
    w->argument_bytes += 8;
    return PA_OK;
  }
  if (type.kind != PA_TYPE_TUPLE || type.vector) return refuse(w, "argument", name, start);
  for (const char *at = type.elements; *at != ')';) PA_TRY(put_argument(w, &at, name));
  return PA_OK;
}

//===-- Results -----------------------------------------------------------------------------------===//

static void take_number(writer *w, const char *memory, int parts, int bytes) {
  int p = parameter(w, "!llvm.ptr");
  for (int i = 0; i < parts; ++i) {
    int from = slot(w, &w->after, "results", w->result_bytes + i * bytes), to = w->values++;
    pa_string_format(&w->after,
                     "  %%l%d = llvm.load %%v%d : !llvm.ptr -> %s\n"
                     "  %%v%d = llvm.getelementptr %%p%d[%d] : (!llvm.ptr) -> !llvm.ptr, i8\n"
                     "  llvm.store %%l%d, %%v%d : %s, !llvm.ptr\n",
                     from, from, memory, to, p, i * bytes, from, to, memory);
  }
  w->result_bytes += parts * bytes > 8 ? 16 : 8;
}

static pa_status take_result(writer *w, const char **code) {
  pa_type type;
  const char *start = *code, *next = pa_type_next(start, &type);
  if (!next) return refuse(w, "the result", "", start);
  *code = next;
  const c_number *number = number_of(type.dtype);
  if (type.kind == PA_TYPE_NONE || type.name) return type.name ? refuse(w, "the result", "", start) : PA_OK;
  if (type.kind == PA_TYPE_SCALAR && number) return take_number(w, number->memory, number->parts, number->bytes), PA_OK;
  if (type.kind == PA_TYPE_POINTER && type.dtype != ':' && type.dtype != '(')
    return take_number(w, "!llvm.ptr", 1, 8), PA_OK;
  if (type.kind == PA_TYPE_ARRAY && number && !type.random && !type.format) {
    int p = parameter(w, "!llvm.ptr"), from = slot(w, &w->after, "results", w->result_bytes), v = w->values++;
    pa_string_format(&w->after,
                     "  %%v%d = llvm.mlir.constant(%d : i64) : i64\n  %%w%d = llvm.mlir.constant(%d : i64) : i64\n"
                     "  llvm.call @pyarray_rt_export_result(%%v%d, %%p%d, %%v%d, %%w%d) : (!llvm.ptr, !llvm.ptr, i64, "
                     "i64) -> ()\n",
                     v, type.rank, v, number->parts * number->bytes, from, p, v, v);
    w->result_bytes += 8 * (4 + 2 * type.rank);
    return PA_OK;
  }
  if (type.kind != PA_TYPE_TUPLE || type.vector) return refuse(w, "the result", "", start);
  for (const char *at = type.elements; *at != ')';) PA_TRY(take_result(w, &at));
  return PA_OK;
}

//===-- The function ------------------------------------------------------------------------------===//

void pa_export_global(pa_export *x, const char *symbol, const char *bytes, size_t size) {
  pa_string_format(&x->text, "llvm.mlir.global internal constant @%s(\"", symbol);
  for (size_t i = 0; i < size; ++i) pa_string_format(&x->text, "\\%02X", (unsigned char)bytes[i]);
  pa_string_format(&x->text, "\\00\") : !llvm.array<%zu x i8>\n", size + 1);
}

static const char declarations[] =
    "llvm.func @pyarray_rt_export_array(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32 attributes {no_unwind}\n"
    "llvm.func @pyarray_rt_export_result(!llvm.ptr, !llvm.ptr, i64, i64) attributes {no_unwind}\n"
    "llvm.func @pyarray_rt_export_failed(!llvm.ptr, i64) -> i32 attributes {no_unwind}\n";

static void put_function(writer *w) {
  pa_string *out = &w->x->text;
  pa_string_puts(out, declarations);
  pa_string_format(out, "llvm.func @\"%s\"(%s) -> i32 attributes {pyarray.by_name, no_unwind} {\n", w->x->name,
                   pa_string_text(&w->signature));
  pa_string_puts(out, "  %one = llvm.mlir.constant(1 : i64) : i64\n  %zero = llvm.mlir.constant(0 : i32) : i32\n");
  const struct {
    const char *name;
    int64_t bytes;
  } rooms[] = {{"args", w->argument_bytes}, {"results", w->result_bytes}, {"owners", (int64_t)w->arrays * OWNER_BYTES}};
  for (int i = 0; i < 3; ++i)
    pa_string_format(out,
                     "  %%%s = llvm.alloca %%one x !llvm.array<%lld x i64> {alignment = 16 : i64} : (i64) -> "
                     "!llvm.ptr\n",
                     rooms[i].name, (long long)rooms[i].bytes / 8 + 1);
  pa_string_puts(out, pa_string_text(&w->before));
  pa_string_puts(out, "  %status = llvm.call @pyarray_entry(%args, %results) : (!llvm.ptr, !llvm.ptr) -> i32\n"
                      "  %bad = llvm.icmp \"ne\" %status, %zero : i32\n"
                      "  llvm.cond_br %bad, ^failed, ^done\n^done:\n");
  pa_string_puts(out, pa_string_text(&w->after));
  pa_string_format(out,
                   "  llvm.return %%zero : i32\n^failed:\n"
                   "  %%sites = llvm.mlir.addressof @pyarray_export_sites : !llvm.ptr\n"
                   "  %%size = llvm.mlir.constant(%zu : i64) : i64\n"
                   "  %%code = llvm.call @pyarray_rt_export_failed(%%sites, %%size) : (!llvm.ptr, i64) -> i32\n"
                   "  llvm.br ^refused(%%code : i32)\n"
                   "^refused(%%why: i32):\n  llvm.return %%why : i32\n}\n",
                   w->x->sites.length);
}

// A shared library has the runtime in it, and names of its own for what C calls of that.
static void put_runtime_functions(pa_export *x) {
  static const char *const names[] = {"error_name", "error_message", "error_place", "release", "retain"};
  for (int i = 0; x->importable && i < 5; ++i) {
    const char *parameter = i < 3 ? "" : "!llvm.ptr", *argument = i < 3 ? "" : "%a",
               *result = i < 3 ? " -> !llvm.ptr" : "";
    pa_string_format(&x->text,
                     "llvm.func @pyarray_%s(%s)%s\nllvm.func @\"%s_%s\"(%s%s%s)%s attributes "
                     "{pyarray.by_name, no_unwind} {\n",
                     names[i], parameter, result, x->importable, names[i], argument, *argument ? ": " : "", parameter,
                     result);
    pa_string_format(&x->text,
                     i < 3 ? "  %%r = llvm.call @pyarray_%s() : () -> !llvm.ptr\n  llvm.return %%r : !llvm.ptr\n}\n"
                           : "  llvm.call @pyarray_%s(%%a) : (!llvm.ptr) -> ()\n  llvm.return\n}\n",
                     names[i]);
  }
}

// The name of the next parameter of Python; |*at| moves past it.
static const char *next_name(writer *w, const char **at) {
  size_t length = strcspn(*at, ",");
  const char *name = pa_arena_copy(w->x->arena, *at, length);
  *at += length + ((*at)[length] == ',');
  return name;
}

pa_status pa_export_c(pa_export *x) {
  writer w = {.x = x};
  const char *code = x->code, *names = x->parameters;
  pa_status status = PA_OK;
  while (!status && *code && *code != '>') {
    const char *name = next_name(&w, &names);
    status = *code == PA_TYPE_OMITTED || *code == PA_TYPE_KNOWN ? refuse(&w, "argument", name, "n")
                                                                : put_argument(&w, &code, name);
  }
  if (!status) code++, status = take_result(&w, &code);
  if (!status) put_function(&w), put_runtime_functions(x);
  pa_string_free(&w.signature);
  pa_string_free(&w.before);
  pa_string_free(&w.after);
  return status;
}
