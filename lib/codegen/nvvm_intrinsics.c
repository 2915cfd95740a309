// See nvvm_ir.h: intrinsics that were called otherwise in LLVM 7, or that were not there.
#include "nvvm_ir.h"

#include "libdevice.h"

#include <stdio.h>
#include <string.h>

#include "llvm-c/Core.h"

static void put(pa_nvvm_printer *p, const char *text) { pa_string_puts(p->text, text); }

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static bool is_void(LLVMValueRef op) { return LLVMGetTypeKind(LLVMTypeOf(op)) == LLVMVoidTypeKind; }

//===-- Names -------------------------------------------------------------------------------------===//

// "llvm.memcpy.p0.p1.i64" was "llvm.memcpy.p0i8.p1i8.i64".
void pa_nvvm_intrinsic_name(pa_nvvm_printer *p, const char *name) {
  for (const char *at = name; *at;) {
    size_t length = strcspn(at + 1, ".") + 1;
    bool pointer = at[0] == '.' && at[1] == 'p' && length > 2 && strspn(at + 2, "0123456789") == length - 2;
    pa_string_append(p->text, at, length);
    if (pointer) put(p, "i8");
    at += length;
  }
}

//===-- Calls of others ---------------------------------------------------------------------------===//

// |operands|: "$0" is the first one with its type. |part| of what comes back; -1: all of it.
typedef struct row {
  const char *name, *result, *callee, *parameters, *operands;
  int part;
} row;

#define SHUFFLE(direction, mode, type, suffix)                                                                         \
  {"llvm.nvvm.shfl.sync." direction "." suffix,                                                                        \
   "{ " type ", i1 }",                                                                                                 \
   "llvm.nvvm.shfl.sync." suffix,                                                                                      \
   "i32, i32, " type ", i32, i32",                                                                                     \
   "$0, i32 " mode ", $1, $2, $3",                                                                                     \
   0}
#define VOTE(name, mode, part)                                                                                         \
  {"llvm.nvvm.vote." name ".sync", "{ i32, i1 }", "llvm.nvvm.vote.sync", "i32, i32, i1", "$0, i32 " mode ", $1", part}
#define RENAME(name, result, callee, parameters, operands) {name, result, callee, parameters, operands, -1}

static const row rows[] = {
    SHUFFLE("idx", "0", "i32", "i32"),
    SHUFFLE("up", "1", "i32", "i32"),
    SHUFFLE("down", "2", "i32", "i32"),
    SHUFFLE("bfly", "3", "i32", "i32"),
    SHUFFLE("idx", "0", "float", "f32"),
    SHUFFLE("up", "1", "float", "f32"),
    SHUFFLE("down", "2", "float", "f32"),
    SHUFFLE("bfly", "3", "float", "f32"),
    VOTE("all", "0", 1),
    VOTE("any", "1", 1),
    VOTE("uni", "2", 1),
    VOTE("ballot", "3", 0),
    RENAME("llvm.nvvm.barrier.cta.sync.aligned.all", "void", "llvm.nvvm.barrier.n", "i32", "$0"),
    RENAME("llvm.nvvm.fabs.f32", "float", "llvm.nvvm.fabs.f", "float", "$0"),
    RENAME("llvm.nvvm.fabs.ftz.f32", "float", "llvm.nvvm.fabs.ftz.f", "float", "$0"),
    RENAME("llvm.nvvm.fabs.f64", "double", "llvm.nvvm.fabs.d", "double", "$0"),
    RENAME("llvm.nvvm.ex2.approx.f32", "float", "llvm.nvvm.ex2.approx.f", "float", "$0"),
    RENAME("llvm.nvvm.ex2.approx.ftz.f32", "float", "llvm.nvvm.ex2.approx.ftz.f", "float", "$0"),
    RENAME("llvm.nvvm.match.all.sync.i32p", "{ i32, i1 }", "llvm.nvvm.match.all.sync.i32p", "i32, i32", "$0, $1"),
};

static void put_row_operands(pa_nvvm_printer *p, LLVMValueRef call, const char *text) {
  for (; *text; ++text) {
    if (*text == '$')
      pa_nvvm_typed(p, LLVMGetOperand(call, (unsigned)(*++text - '0')));
    else
      pa_string_append(p->text, text, 1);
  }
}

static bool is_convergent(LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static void put_row(pa_nvvm_printer *p, LLVMValueRef call, const row *row) {
  char declaration[256];
  snprintf(declaration, sizeof declaration, "declare %s @%s(%s)%s\n", row->result, row->callee, row->parameters,
           is_convergent(LLVMGetCalledValue(call)) ? " convergent" : "");
  pa_nvvm_declare(p, declaration);
  put(p, "  ");
  if (!is_void(call)) pa_string_format(p->text, "%%%s%s = ", pa_function_name(call), row->part < 0 ? "" : ".s");
  pa_string_format(p->text, "call %s @%s(", row->result, row->callee);
  put_row_operands(p, call, row->operands);
  put(p, ")");
  if (row->part >= 0)
    pa_string_format(p->text, "\n  %%%s = extractvalue %s %%%s.s, %d", pa_function_name(call), row->result,
                     pa_function_name(call), row->part);
}

//===-- A comparison and a choice -----------------------------------------------------------------===//

static void put_condition(pa_nvvm_printer *p, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    pa_string_format(p->text, "<%u x i1>", LLVMGetVectorSize(type));
  else
    put(p, "i1");
}

// "%v = select i1 %v.c, i32 <first>, i32 <second>"; NULL: the operands of the call.
static void put_choice(pa_nvvm_printer *p, LLVMValueRef call, const char *first, const char *second) {
  LLVMTypeRef type = LLVMTypeOf(call);
  const char *name = pa_function_name(call), *texts[] = {first, second};
  pa_string_format(p->text, "  %%%s = select ", name);
  put_condition(p, type);
  pa_string_format(p->text, " %%%s.c", name);
  for (unsigned i = 0; i < 2; ++i) {
    put(p, ", ");
    pa_nvvm_type(p, type);
    put(p, " ");
    if (texts[i])
      put(p, texts[i]);
    else
      pa_nvvm_value(p, LLVMGetOperand(call, i));
  }
}

static void put_comparison(pa_nvvm_printer *p, LLVMValueRef call, const char *predicate) {
  pa_string_format(p->text, "  %%%s.c = icmp %s ", pa_function_name(call), predicate);
  pa_nvvm_typed(p, LLVMGetOperand(call, 0));
  put(p, ", ");
}

static void put_extreme(pa_nvvm_printer *p, LLVMValueRef call, const char *predicate) {
  put_comparison(p, call, predicate);
  pa_nvvm_value(p, LLVMGetOperand(call, 1));
  put(p, "\n");
  put_choice(p, call, NULL, NULL);
}

static const char *zero_of(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind ? "zeroinitializer" : "0";
}

static void put_magnitude(pa_nvvm_printer *p, LLVMValueRef call) {
  char negated[64], operand[64];
  LLVMValueRef value = LLVMGetOperand(call, 0);
  const char *name = pa_function_name(call);
  snprintf(negated, sizeof negated, "%%%s.n", name);
  snprintf(operand, sizeof operand, "%%%s", pa_function_name(value));
  if (LLVMIsConstant(value)) return pa_nvvm_refuse(p, "magnitudes of constants");
  pa_string_format(p->text, "  %s = sub ", negated);
  pa_nvvm_type(p, LLVMTypeOf(call));
  pa_string_format(p->text, " %s, %s\n", zero_of(call), operand);
  put_comparison(p, call, "slt");
  pa_string_format(p->text, "%s\n", zero_of(call));
  put_choice(p, call, negated, operand);
}

//===-- The greater or lesser real number ---------------------------------------------------------===//

// |nan|: NaN if either is, else the other one.
static bool put_real_extreme(pa_nvvm_printer *p, LLVMValueRef call, const char *function, bool nan) {
  char declaration[128];
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(call));
  if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) return false;
  const char *type = kind == LLVMFloatTypeKind ? "float" : "double", *name = pa_function_name(call);
  char letter = kind == LLVMFloatTypeKind ? 'f' : 'd';
  LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
  snprintf(declaration, sizeof declaration, "declare %s @llvm.nvvm.%s.%c(%s, %s)\n", type, function, letter, type,
           type);
  pa_nvvm_declare(p, declaration);
  pa_string_format(p->text, "  %%%s%s = call %s @llvm.nvvm.%s.%c(", name, nan ? ".m" : "", type, function, letter);
  pa_nvvm_typed(p, a);
  put(p, ", ");
  pa_nvvm_typed(p, b);
  put(p, ")");
  if (!nan) return true;
  for (int i = 0; i < 2; ++i) {
    pa_string_format(p->text, i ? "\n  %%%s.s = fadd " : "\n  %%%s.c = fcmp uno ", name);
    pa_nvvm_typed(p, a);
    put(p, ", ");
    pa_nvvm_value(p, b);
  }
  pa_string_format(p->text, "\n  %%%s = select i1 %%%s.c, %s %%%s.s, %s %%%s.m", name, name, type, name, type, name);
  return true;
}

//===-- All ---------------------------------------------------------------------------------------===//

static const char *const dropped[] = {"llvm.assume", "llvm.lifetime.", "llvm.experimental.noalias.scope.decl",
                                      "llvm.donothing", "llvm.prefetch"};

static const struct {
  const char *start, *predicate;
} extremes[] = {{"llvm.umin.", "ult"}, {"llvm.umax.", "ugt"}, {"llvm.smin.", "slt"}, {"llvm.smax.", "sgt"}};

static const struct {
  const char *start, *function;
  bool nan;
} real_extremes[] = {{"llvm.maxnum.", "fmax", false},     {"llvm.minnum.", "fmin", false},
                     {"llvm.maximumnum.", "fmax", false}, {"llvm.minimumnum.", "fmin", false},
                     {"llvm.maximum.", "fmax", true},     {"llvm.minimum.", "fmin", true}};

bool pa_nvvm_intrinsic(pa_nvvm_printer *p, LLVMValueRef call, const char *name) {
  for (size_t i = 0; i < sizeof dropped / sizeof *dropped; ++i)
    if (starts_with(name, dropped[i])) return true;
  for (size_t i = 0; i < sizeof extremes / sizeof *extremes; ++i)
    if (starts_with(name, extremes[i].start)) return put_extreme(p, call, extremes[i].predicate), true;
  for (size_t i = 0; i < sizeof real_extremes / sizeof *real_extremes; ++i)
    if (starts_with(name, real_extremes[i].start))
      return put_real_extreme(p, call, real_extremes[i].function, real_extremes[i].nan);
  if (starts_with(name, "llvm.abs.")) return put_magnitude(p, call), true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(name, rows[i].name) == 0) return put_row(p, call, &rows[i]), true;
  return false;
}
