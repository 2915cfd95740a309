// Of pyarray-lower: try, what its handlers ask, raising anew, and variables in stack memory.
//
//   %failed = func.call @pyarray_try() {pyarray.try = 3 : i64} : () -> i1       // pyarray-lower-raises takes it out
//   %r = scf.if %failed {
//     func.call @pyarray_rt_catch()
//     %site = func.call @pyarray_rt_caught_site()
//     %is = func.call @pyarray_caught0(%site)                                      // a table lookup, for
//     ["ValueError"]
//     ...
//     func.call @pyarray_rt_uncatch(%one)
//   } else { body, whose calls that do not return have pyarray.try = 3 }
#include <string.h>

#include "ir/exceptions.h"
#include "lower_flow.h"

//===-- Ways out ----------------------------------------------------------------------------------===//

//===-- try ---------------------------------------------------------------------------------------===//

static MlirValue enter_try(pa_lowering *lower, const pa_try_scope *scope) {
  const char *name = "pyarray_try";
  pa_declare(lower, name, mlirFunctionTypeGet(lower->context, 0, NULL, 1, &lower->i1), NULL, 0);
  bool nested = scope->outer && scope->outer->number >= 0;
  return pa_value(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_RESULTS(lower->i1),
                  PA_ATTRS({"callee", pa_symbol_attr(lower->context, name)},
                           {"pyarray.try", pa_i64_attr(lower->context, scope->number)},
                           {"pyarray.parent",
                            nested ? pa_i64_attr(lower->context, scope->outer->number) : mlirAttributeGetNull()}));
}

static MlirRegion close_region(pa_lowering *lower, pa_scope scope, MlirBlock block) {
  int count;
  MlirValue *values = pa_flatten_operands(lower, mlirBlockGetTerminator(block), 0, &count);
  return pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, count);
}

static MlirRegion lower_body(pa_lowering *lower, MlirBlock block, const pa_try_scope *scope) {
  pa_scope region = pa_open(lower, NULL, 0);
  lower->try = scope;
  pa_lower_block(lower, block);
  lower->try = scope->outer;
  return close_region(lower, region, block);
}

static MlirRegion lower_handler(pa_lowering *lower, MlirBlock block) {
  pa_scope region = pa_open(lower, NULL, 0);
  const struct pa_plain_raises *outer = lower->plain;
  ++lower->handlers;
  lower->plain = NULL;
  pa_call_runtime(lower, "pyarray_rt_catch", NULL, 0);
  pa_lower_block(lower, block);
  lower->plain = outer;
  --lower->handlers;
  pa_runtime(lower, "pyarray_rt_uncatch", pa_int(lower, lower->i64, 1));
  return close_region(lower, region, block);
}

// For raises that were recorded, and for those that were not.
static MlirRegion lower_handlers(pa_lowering *lower, MlirBlock block, const struct pa_plain_raises *plain,
                                 const pa_types *types) {
  pa_scope region = pa_open(lower, NULL, 0);
  MlirValue is_plain = pa_compare_int(lower, PA_NE, pa_plain_number(lower, plain), pa_int(lower, lower->i64, 0));
  const struct pa_plain_raises *outer = lower->plain;
  pa_scope quiet = pa_open(lower, NULL, 0);
  lower->plain = plain;
  pa_lower_block(lower, block);
  lower->plain = outer;
  MlirRegion regions[] = {close_region(lower, quiet, block), lower_handler(lower, block)};
  MlirOperation chosen = pa_emit_if(lower, is_plain, regions[0], regions[1], types->items, (intptr_t)types->count);
  MlirValue *results = PA_NEW_ARRAY(lower->arena, MlirValue, types->count + 1);
  for (size_t i = 0; i < types->count && !mlirOperationIsNull(chosen); ++i)
    results[i] = mlirOperationGetResult(chosen, (intptr_t)i);
  return pa_close(lower, region, PA_OP_NAME(SCF_YIELD), results, (intptr_t)types->count);
}

void pa_lower_try(pa_lowering *lower, MlirOperation op) {
  pa_try_scope scope = {.outer = lower->try,
                        .number = lower->tries++,
                        .handlers = lower->handlers,
                        .depth = pa_call_depth(mlirOperationGetLocation(op))};
  if (lower->device) return pa_lower_fail(lower, "'try' is not supported on a GPU");
  pa_types types = pa_flat_result_types(lower, op);
  scope.plain = pa_plain_begin(lower, pa_body(op, 1));
  MlirValue failed = enter_try(lower, &scope);
  MlirRegion body = lower_body(lower, pa_body(op, 0), &scope);
  bool any = !mlirValueIsNull(pa_plain_end(lower, scope.plain));
  MlirRegion handler =
      any ? lower_handlers(lower, pa_body(op, 1), scope.plain, &types) : lower_handler(lower, pa_body(op, 1));
  pa_set_results(lower, op, pa_emit_if(lower, failed, handler, body, types.items, (intptr_t)types.count));
}

void pa_lower_guarded(pa_lowering *lower, MlirBlock body, void (*lower_handler)(pa_lowering *lower)) {
  pa_try_scope scope = {.outer = lower->try, .number = lower->tries++, .handlers = lower->handlers};
  MlirValue failed = enter_try(lower, &scope);
  pa_scope region = pa_open(lower, NULL, 0);
  lower->try = &scope;
  pa_lower_block(lower, body);
  lower->try = scope.outer;
  MlirRegion guarded = pa_close(lower, region, PA_OP_NAME(SCF_YIELD), NULL, 0);
  region = pa_open(lower, NULL, 0);
  ++lower->handlers;
  pa_call_runtime(lower, "pyarray_rt_catch", NULL, 0);
  lower_handler(lower);
  --lower->handlers;
  pa_runtime(lower, "pyarray_rt_uncatch", pa_int(lower, lower->i64, 1));
  pa_emit_if(lower, failed, pa_close(lower, region, PA_OP_NAME(SCF_YIELD), NULL, 0), guarded, NULL, 0);
}

// A try whose handler does nothing, and that only pyarray.break reaches.
void pa_lower_breakable(pa_lowering *lower, MlirOperation op) {
  pa_try_scope scope = {.outer = lower->try, .number = lower->tries++, .handlers = lower->handlers, .breakable = true};
  MlirValue left = enter_try(lower, &scope);
  MlirRegion body = lower_body(lower, pa_body(op, 0), &scope);
  pa_scope nothing = pa_open(lower, NULL, 0);
  pa_emit_if(lower, left, pa_close(lower, nothing, PA_OP_NAME(SCF_YIELD), NULL, 0), body, NULL, 0);
}

void pa_lower_break(pa_lowering *lower, MlirOperation op) {
  const pa_try_scope *scope = lower->try;
  while (scope && !scope->breakable) scope = scope->outer;
  if (!scope) return pa_lower_fail(lower, "pyarray.break is outside of any pyarray.breakable");
  (void)op;
  pa_leave_to(lower, scope->number, lower->handlers - scope->handlers);
}

//===-- Classes -----------------------------------------------------------------------------------===//

void pa_lower_caught(pa_lowering *lower, MlirOperation op) {
  MlirAttribute classes = pa_get_attr(op, "classes");
  pa_set1(lower, pa_result(op),
          lower->plain ? pa_plain_is_caught(lower, lower->plain, classes) : pa_is_caught(lower, classes));
}

static bool is_one_of(pa_lowering *lower, MlirAttribute site, MlirAttribute classes) {
  const char *name = pa_attr_text(lower->arena, mlirDictionaryAttrGetElementByName(site, pa_ref("exception")));
  return pa_exception_is_any(lower->arena, name, mlirDictionaryAttrGetElementByName(site, pa_ref("bases")), classes);
}

// An elements attribute, a byte for each site.
static MlirAttribute site_table(pa_lowering *lower, MlirAttribute classes) {
  int64_t count = (int64_t)lower->site_count;
  int8_t *bytes = PA_NEW_ARRAY(lower->arena, int8_t, count + 1);
  for (int64_t i = 0; i < count; ++i) bytes[i] = is_one_of(lower, lower->site_list[i], classes);
  return mlirDenseElementsAttrInt8Get(mlirRankedTensorTypeGet(1, &count, lower->i8, mlirAttributeGetNull()), count,
                                      bytes);
}

static void define_caught(pa_lowering *lower, MlirOperation function) {
  int64_t count = (int64_t)lower->site_count;
  MlirType memory = mlirMemRefTypeContiguousGet(lower->i8, 1, &count, mlirAttributeGetNull());
  MlirAttribute classes = pa_get_attr(function, "pyarray.classes");
  const char *table =
      pa_arena_format(lower->arena, "%s.table", pa_attr_text(lower->arena, pa_get_attr(function, "sym_name")));
  pa_builder at = {.context = lower->context,
                   .block = pa_module_body(lower->module),
                   .before = function,
                   .location = mlirOperationGetLocation(function)};
  pa_op(&at, "memref.global",
        PA_ATTRS({"sym_name", pa_text(lower, table)}, {"sym_visibility", pa_text(lower, "private")},
                 {"type", mlirTypeAttrGet(memory)}, {"initial_value", site_table(lower, classes)},
                 {"constant", pa_unit_attr(lower->context)}));
  MlirBlock body;
  MlirRegion region = pa_region(at.location, &lower->i32, 1, &body);
  pa_builder in = {.context = lower->context, .block = body, .location = at.location, .failure = at.failure};
  MlirValue site = mlirBlockGetArgument(body, 0);
  MlirValue bytes =
      pa_value(&in, "memref.get_global", PA_RESULTS(memory), PA_ATTRS({"name", pa_symbol_attr(lower->context, table)}));
  MlirValue index = pa_value(&in, "arith.index_cast", PA_OPERANDS(site), PA_RESULTS(lower->index));
  MlirValue byte = pa_value(&in, "memref.load", PA_OPERANDS(bytes, index), PA_RESULTS(lower->i8));
  MlirValue is = pa_value(&in, "arith.trunci", PA_OPERANDS(byte), PA_RESULTS(lower->i1));
  pa_op(&in, PA_OP_NAME(RETURN), PA_OPERANDS(is));
  MlirRegion old = mlirOperationGetRegion(function, 0);
  mlirRegionTakeBody(old, region);
  mlirRegionDestroy(region);
  mlirOperationRemoveAttributeByName(function, pa_ref("pyarray.classes"));
  lower->builder.failure = in.failure;
}

void pa_define_caught(pa_lowering *lower) {
  for (size_t i = 0; i < lower->caught.count && !pa_failed(&lower->builder); ++i)
    define_caught(lower, lower->caught.items[i]);
}

//===-- Raises ------------------------------------------------------------------------------------===//

void pa_lower_exception(pa_lowering *lower, MlirOperation op) {
  pa_set1(lower, pa_result(op), pa_call_runtime(lower, "pyarray_rt_exception", NULL, 0));
}

// A bare raise outside of any handler raises what a caller is handling, if one is, compiled or not.
static void raise_of_callers(pa_lowering *lower) {
  MlirValue none = pa_int(lower, lower->i64, 0);
  MlirValue outside = pa_compare_int(lower, PA_EQ, pa_call_runtime(lower, "pyarray_rt_exception", NULL, 0), none);
  pa_scope scope = pa_if_begin(lower);
  MlirValue handle = pa_call_runtime(lower, "pyarray_rt_handled_outside", NULL, 0);
  pa_raise_of_interpreter(lower, handle);
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, handle, none), "RuntimeError", "No active exception to reraise");
  pa_if_end(lower, scope, outside);
}

// `raise` leaves the traceback as it is; `raise e` adds this place to it.
void pa_lower_reraise(pa_lowering *lower, MlirOperation op) {
  MlirLocation location = lower->builder.location;
  if (mlirOperationGetNumOperands(op)) {
    pa_raised_error passing = {.exception = ""};
    pa_runtime(lower, "pyarray_rt_raise_again", pa_get1(lower, pa_operand(op, 0)), pa_raise_site_of(lower, &passing));
  } else {
    if (!lower->handlers) raise_of_callers(lower);
    pa_call_runtime(lower, "pyarray_rt_reraise", NULL, 0);
  }
  pa_propagate_out(lower, pa_caller_of(location));
}

//===-- Variables ---------------------------------------------------------------------------------===//
