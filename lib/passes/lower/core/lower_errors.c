// Of pyarray-lower: raise sites, calls of the runtime and of libm, and owner slots.
//
//   scf.if %bad { func.call @pyarray_rt_raise_values(%site, %i, %n, %axis) }      // declared pyarray.noreturn
//   %slot = memref.alloca() {pyarray.owner_slot} : memref<i64>                      // in the entry block, 0 when empty
#include <string.h>

#include "lower_internal.h"

//===-- Sites -------------------------------------------------------------------------------------===//

MlirAttribute pa_text(pa_lowering *lower, const char *text) { return pa_string_attr(lower->context, text); }

static MlirNamedAttribute named(pa_lowering *lower, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(lower->context, pa_ref(name)), value);
}

// One frame of a traceback. Code that was inlined has the frames of the functions it came through, innermost first.
typedef struct frame {
  MlirLocation location;
  const char *function;
  bool hidden; // of a function with pyarray.no_frame
} frame;

static const char *last_part(const char *qualified_name) {
  const char *dot = strrchr(qualified_name, '.');
  return dot ? dot + 1 : qualified_name;
}

// The frame at |*location|, which moves to its caller; to null after the last frame.
static frame next_frame(pa_lowering *lower, MlirLocation *location) {
  frame next = {*location, lower->function_name, lower->no_frame};
  if (!mlirLocationIsACallSite(next.location)) {
    *location = (MlirLocation){NULL};
    return next;
  }
  *location = mlirLocationCallSiteGetCaller(next.location);
  next.location = mlirLocationCallSiteGetCallee(next.location);
  next.hidden = false;
  if (mlirLocationIsAName(next.location)) {
    MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(next.location));
    next.function = last_part(pa_arena_copy(lower->arena, name.data, name.length));
    next.hidden = !name.length;
  }
  return next;
}

// The same without those that are hidden; the outermost one where all are.
static frame visible_frame(pa_lowering *lower, MlirLocation *location) {
  frame next;
  do next = next_frame(lower, location);
  while (next.hidden && !mlirLocationIsNull(*location));
  return next;
}

// The number of a site. |exception| is "" where a callee's error passes through.
static int64_t find_site(pa_lowering *lower, frame at, const pa_raised_error *error) {
  pa_location place = pa_source_location(lower->arena, at.location);
  bool has_bases = !mlirAttributeIsNull(error->bases);
  MlirNamedAttribute fields[] = {
      named(lower, "args", mlirArrayAttrGet(lower->context, error->count, error->arguments)),
      named(lower, "exception", pa_text(lower, error->exception)),
      named(lower, "file", pa_text(lower, place.file ? place.file : "")),
      named(lower, "function", pa_text(lower, at.hidden ? "" : at.function)),
      named(lower, "line", pa_i64_attr(lower->context, place.line)),
      named(lower, "bases", has_bases ? error->bases : pa_unit_attr(lower->context)),
  };
  MlirAttribute site = mlirDictionaryAttrGet(lower->context, PA_COUNT(fields) - !has_bases, fields);
  size_t number = (size_t)pa_map_get(&lower->sites, site.ptr);
  if (!number) {
    lower->site_list =
        pa_arena_grow(lower->arena, lower->site_list, lower->site_count, &lower->site_capacity, sizeof site);
    lower->site_list[lower->site_count++] = site;
    number = lower->site_count;
    pa_map_put(lower->arena, &lower->sites, site.ptr, (void *)number);
  }
  return lower->first_site + (int64_t)number - 1;
}

static MlirValue site_number(pa_lowering *lower, frame at, const pa_raised_error *error) {
  return pa_int(lower, lower->i32, find_site(lower, at, error));
}

MlirValue pa_raise_site_of(pa_lowering *lower, const pa_raised_error *error) {
  MlirLocation location = lower->builder.location;
  return site_number(lower, visible_frame(lower, &location), error);
}

static const pa_raised_error passing = {.exception = ""};

MlirAttribute pa_raise_site(pa_lowering *lower, const char *exception, const char *message) {
  MlirLocation location = lower->builder.location;
  MlirAttribute argument = pa_text(lower, message);
  pa_raised_error error = {.exception = exception, .arguments = &argument, .count = *message != 0};
  return mlirIntegerAttrGet(lower->i32, find_site(lower, visible_frame(lower, &location), &error));
}

//===-- Raises ------------------------------------------------------------------------------------===//

// The address (i64) of numbers in stack memory.
MlirValue pa_put_on_stack(pa_lowering *lower, const MlirValue *values, int count) {
  MlirValue numbers = pa_stack_numbers(lower, count);
  for (int i = 0; i < count; ++i)
    pa_op(&lower->builder, "memref.store", PA_OPERANDS(values[i], numbers, pa_int(lower, lower->index, i)));
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
}

void pa_propagate_out(pa_lowering *lower, MlirLocation location) {
  int least = pa_catching(lower) ? pa_catching(lower)->depth : 0;
  while (!mlirLocationIsNull(location) && pa_call_depth(location) >= least) {
    frame at = visible_frame(lower, &location);
    if (!at.hidden) pa_runtime(lower, "pyarray_rt_propagate", site_number(lower, at, &passing));
  }
}

MlirLocation pa_caller_of(MlirLocation location) {
  return mlirLocationIsACallSite(location) ? mlirLocationCallSiteGetCaller(location) : (MlirLocation){NULL};
}

// Records the error in the frame at the current place and passes it through those that the code was inlined into.
void pa_raise_error(pa_lowering *lower, const pa_raised_error *error) {
  if (!lower->device && pa_raise_plainly(lower, error)) return;
  MlirLocation location = lower->builder.location;
  frame at = visible_frame(lower, &location);
  int count = error->value_count;
  const MlirValue *values = error->values;
  MlirValue site = site_number(lower, at, error);
  if (!*error->exception && at.hidden && !lower->device)
    pa_call_runtime(lower, "pyarray_rt_leave", NULL, 0);
  else if (!*error->exception)
    pa_runtime(lower, "pyarray_rt_propagate", site);
  else if (error->handles)
    pa_runtime(lower, "pyarray_rt_raise_objects", site, pa_put_on_stack(lower, values, count),
               pa_int(lower, lower->i64, count), pa_int(lower, lower->i64, (int64_t)error->handles));
  else if (!mlirValueIsNull(error->address) || (count > 3 && !lower->device))
    pa_runtime(lower, "pyarray_rt_raise_many", site,
               mlirValueIsNull(error->address) ? pa_put_on_stack(lower, values, count) : error->address,
               pa_int(lower, lower->i64, count));
  else if (count)
    pa_runtime(lower, "pyarray_rt_raise_values", site, values[0], values[count > 1 ? 1 : 0], values[count > 2 ? 2 : 0]);
  else
    pa_runtime(lower, "pyarray_rt_raise", site);
  pa_propagate_out(lower, location);
}

void pa_raise(pa_lowering *lower, const char *exception, const MlirAttribute *arguments, int count) {
  pa_raise_error(lower, &(pa_raised_error){.exception = exception, .arguments = arguments, .count = count});
}

void pa_raise_if(pa_lowering *lower, MlirValue condition, const char *exception, const char *message) {
  pa_scope scope = pa_if_begin(lower);
  MlirAttribute argument = pa_text(lower, message);
  pa_raise_error(lower, &(pa_raised_error){.exception = exception, .arguments = &argument, .count = *message != 0});
  pa_if_end(lower, scope, condition);
}

void pa_raise_of_interpreter(pa_lowering *lower, MlirValue handle) {
  MlirAttribute argument = mlirTypeAttrGet(pyarrayExceptionTypeGet(pyarrayNoneTypeGet(lower->context)));
  MlirValue zero = pa_int(lower, lower->i64, 0), failed = pa_compare_int(lower, PA_NE, handle, zero);
  pa_scope outer = pa_if_begin(lower);
  MlirValue flag = pa_binary(lower, "arith.andi", handle, pa_int(lower, lower->i64, 1));
  MlirValue other = pa_compare_int(lower, PA_NE, flag, zero);
  MlirValue kept = pa_binary(lower, "arith.xori", handle, flag);
  MlirRegion regions[2];
  for (int i = 0; i < 2; ++i) {
    pa_scope scope = pa_if_begin(lower);
    pa_raise_error(lower, &(pa_raised_error){.exception = i ? "Exception" : "BaseException",
                                             .arguments = &argument,
                                             .count = 1,
                                             .values = &kept,
                                             .value_count = 1,
                                             .handles = 1});
    regions[i] = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  }
  pa_emit_if(lower, other, regions[0], regions[1], NULL, 0);
  pa_if_end(lower, outer, failed);
}

void pa_raise_many_if(pa_lowering *lower, MlirValue condition, const char *exception, const char *message,
                      const MlirValue *values, int count) {
  pa_scope scope = pa_if_begin(lower);
  MlirAttribute argument = pa_text(lower, message);
  pa_raise_error(
      lower, &(pa_raised_error){
                 .exception = exception, .arguments = &argument, .count = 1, .values = values, .value_count = count});
  pa_if_end(lower, scope, condition);
}

void pa_raise_values_if(pa_lowering *lower, MlirValue condition, const char *exception, const char *message,
                        MlirValue a, MlirValue b, MlirValue c) {
  pa_raise_many_if(lower, condition, exception, message, (MlirValue[]){a, b, c}, 3);
}

void pa_propagate_if(pa_lowering *lower, MlirValue condition) {
  pa_scope scope = pa_if_begin(lower);
  pa_raise_error(lower, &passing);
  pa_if_end(lower, scope, condition);
}

//===-- Declarations ------------------------------------------------------------------------------===//

typedef struct runtime_row {
  const char *name, *result, *parameters; // as written in C
  const char *kind;                       // of device.def; else ""
} runtime_row;

static const runtime_row runtime_rows[] = {
#define PA_RUNTIME(name, result, parameters) {#name, #result, #parameters, ""},
#include "runtime/runtime.def"
#undef PA_RUNTIME
#define PA_DEVICE(name, result, parameters, kind) {#name, #result, #parameters, #kind},
#include "device/device.def"
#undef PA_DEVICE
};

// The runtime's functions that lib/device has too, by what their names begin with.
static const char *const device_prefixes[] = {
    "pyarray_dev_",
    "pyarray_rt_raise",
    "pyarray_rt_propagate",
    "pyarray_rt_ipow_",
    "pyarray_rt_pow_mod",
    "pyarray_rt_float_",
    "pyarray_rt_gcd",
    "pyarray_rt_lcm",
    "pyarray_rt_isqrt",
    "pyarray_rt_comb",
    "pyarray_rt_factorial",
    "pyarray_rt_perm",
    "pyarray_rt_fsum",
    "pyarray_rt_sumprod",
    "pyarray_rt_complex_",
    "pyarray_rt_independent",
    "pyarray_rt_months_to_days",
    "pyarray_rt_days_to_months",
    "pyarray_rt_stack_limit",
};

static bool is_on_device(const char *name) {
  for (size_t i = 0; i < sizeof device_prefixes / sizeof *device_prefixes; ++i)
    if (strncmp(name, device_prefixes[i], strlen(device_prefixes[i])) == 0) return true;
  return false;
}

static const char *const noreturn_functions[] = {
    "pyarray_rt_raise",     "pyarray_rt_raise_values", "pyarray_rt_raise_many", "pyarray_rt_raise_objects",
    "pyarray_rt_propagate", "pyarray_rt_leave",        "pyarray_rt_reraise",    "pyarray_rt_raise_again"};

static bool is_noreturn(const char *name) {
  for (size_t i = 0; i < sizeof noreturn_functions / sizeof *noreturn_functions; ++i)
    if (strcmp(noreturn_functions[i], name) == 0) return true;
  return false;
}

// By the address of a name first: most are literals.
static const runtime_row *find_runtime(pa_lowering *lower, const char *name) {
  const runtime_row *row = pa_map_get(&lower->runtime_rows, name);
  if (row && strcmp(row->name, name) == 0) return row;
  row = NULL;
  for (size_t i = 0; !row && i < sizeof runtime_rows / sizeof *runtime_rows; ++i)
    if (strcmp(runtime_rows[i].name, name) == 0) row = &runtime_rows[i];
  if (row) pa_map_put(lower->arena, &lower->runtime_rows, name, (void *)row);
  return row;
}

// The type that the C declaration at |text|, up to the next comma, has; null for void.
static MlirType type_of_c(const pa_lowering *lower, const char *text) {
  if (memchr(text, '*', strcspn(text, ","))) return mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  const struct {
    const char *name;
    MlirType type;
  } rows[] = {{"int32_t", lower->i32}, {"int64_t", lower->i64}, {"float", lower->f32}, {"double", lower->f64}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strncmp(text, rows[i].name, strlen(rows[i].name)) == 0) return rows[i].type;
  return (MlirType){NULL};
}

static MlirType runtime_type(pa_lowering *lower, const runtime_row *row) {
  MlirType parameters[16], result = type_of_c(lower, row->result);
  intptr_t count = 0;
  for (const char *at = row->parameters + 1; at && count < 16; at = strchr(at, ',')) {
    at += strspn(at, ", ");
    parameters[count] = type_of_c(lower, at);
    if (!mlirTypeIsNull(parameters[count])) ++count;
  }
  return mlirFunctionTypeGet(lower->context, count, parameters, mlirTypeIsNull(result) ? 0 : 1, &result);
}

void pa_declare(pa_lowering *lower, const char *name, MlirType type, const pa_attr *attributes, int count) {
  const void *symbol = pa_symbol_attr(lower->context, name).ptr;
  if (pa_failed(&lower->builder) || pa_map_get(&lower->declared, symbol)) return;
  pa_map_put(lower->arena, &lower->declared, symbol, lower);
  if (!mlirOperationIsNull(pa_lookup(lower->module, pa_ref(name)))) return;
  pa_builder builder = lower->builder;
  builder.block = pa_module_body(lower->module);
  builder.before = (MlirOperation){NULL};
  builder.location = mlirLocationUnknownGet(lower->context);
  pa_attr all[8] = {{"sym_name", pa_text(lower, name)},
                    {"function_type", mlirTypeAttrGet(type)},
                    {"sym_visibility", pa_text(lower, "private")}};
  for (int i = 0; i < count; ++i) all[3 + i] = attributes[i];
  pa_op(&builder, PA_OP_NAME(FUNC), .attrs = all, .attr_count = 3 + count, PA_REGIONS(mlirRegionCreate()));
  lower->builder.failure = builder.failure;
}

MlirValue pa_call_declared(pa_lowering *lower, const char *name, MlirType type, const MlirValue *operands, int count) {
  MlirType result = mlirFunctionTypeGetNumResults(type) ? mlirFunctionTypeGetResult(type, 0) : (MlirType){NULL};
  pa_way_out way = is_noreturn(name) ? pa_leave(lower) : (pa_way_out){{NULL}, {NULL}};
  MlirOperation op = pa_op(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(operands, count),
                           .results = &result, .result_count = mlirTypeIsNull(result) ? 0 : 1,
                           PA_ATTRS({"callee", pa_symbol_attr(lower->context, name)}, {"pyarray.try", way.try},
                                    {"pyarray.handlers", way.handlers}));
  if (mlirOperationIsNull(op) || mlirTypeIsNull(result)) return (MlirValue){NULL};
  return mlirOperationGetResult(op, 0);
}

// What passes ask of a declaration: whether it returns, which threads take part (pyarray-gpu-to-cpu), whether it has
// effects.
static int describe(pa_lowering *lower, const runtime_row *row, pa_attr out_attributes[2]) {
  static const char *const kinds[][2] = {
      {"WARP", "warp"}, {"BLOCK", "block"}, {"CLUSTER", "cluster"}, {"GRID", "grid"}};
  int count = 0;
  if (is_noreturn(row->name)) out_attributes[count++] = (pa_attr){"pyarray.noreturn", pa_unit_attr(lower->context)};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strcmp(row->kind, kinds[i][0]) == 0)
      out_attributes[count++] = (pa_attr){"pyarray.sync", pa_text(lower, kinds[i][1])};
  if (strcmp(row->kind, "PURE") == 0 || strcmp(row->kind, "VALUE") == 0)
    out_attributes[count++] = (pa_attr){"llvm.readnone", pa_unit_attr(lower->context)};
  return count;
}

MlirValue pa_call_runtime(pa_lowering *lower, const char *name, const MlirValue *operands, int count) {
  const runtime_row *row = find_runtime(lower, name);
  if (!row) {
    pa_lower_fail(lower, "the runtime has no function %s", name);
    return (MlirValue){NULL};
  }
  if (lower->device && !is_on_device(name)) {
    pa_lower_fail(lower, "this operation is not available on a GPU");
    return (MlirValue){NULL};
  }
  pa_attr attributes[2];
  MlirType type = runtime_type(lower, row);
  pa_declare(lower, name, type, attributes, describe(lower, row, attributes));
  return pa_call_declared(lower, name, type, operands, count);
}

MlirValue pa_call_libm(pa_lowering *lower, const char *name, MlirType result, const MlirValue *operands, int count) {
  MlirType parameters[4];
  for (int i = 0; i < count && i < 4; ++i) parameters[i] = pa_type_or_none(lower, operands[i]);
  MlirType type = mlirFunctionTypeGet(lower->context, count, parameters, 1, &result);
  if (mlirTypeIsAF32(result)) name = pa_arena_format(lower->arena, "%sf", name);
  pa_attr pure = {"llvm.readnone", pa_unit_attr(lower->context)}; // nobody reads errno
  pa_declare(lower, name, type, &pure, 1);
  return pa_call_declared(lower, name, type, operands, count);
}

const char *pa_traceback_name(pa_lowering *lower, MlirOperation function) {
  const char *name = pa_attr_text(lower->arena, pa_get_attr(function, "pyarray.qualname"));
  if (!name) name = pa_attr_text(lower->arena, pa_get_attr(function, "sym_name"));
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : name;
}
