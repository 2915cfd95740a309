// Recursion: RecursionError where CPython would run out of stack, instead of a crash.
//
// A recursive function becomes two. The one that others call asks the runtime where the thread's stack ends; the
// guarded one compares its frame with that limit, and hands the limit on to every call that can come back to it:
//
//   func.func @f$0(%n: i64) -> (i32, i64) {
//     %limit = call @pyarray_rt_stack_limit() : () -> i64
//     %0:2 = call @f$0.guarded(%n, %limit) : (i64, i64) -> (i32, i64)
//     return %0#0, %0#1 : i32, i64
//   }
//
// On a GPU the limit is 0 and the guards go: the driver sets a thread's stack, and nothing says where it ends.
#include "lower_flow.h"

static const char suffix[] = ".guarded";

//===-- Which functions are recursive -------------------------------------------------------------===//

typedef struct call_search {
  pa_lowering *lower;
  MlirOperation goal; // the function whose calls are looked for
  bool generators;    // in the code of generators, too, which runs later
  MlirOperation *seen;
  size_t count, capacity;
} call_search;

// Nothing of its body runs in the call.
static bool makes_generator(MlirOperation function) {
  return !mlirAttributeIsNull(pa_get_attr(function, "pyarray.generator"));
}

static bool calls_goal(call_search *search, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r)) && calls_goal(search, pa_body(op, r))) return true;
    if (pa_kind(&search->lower->names, op) != PA_OP_CALL) continue;
    MlirOperation callee = pa_lookup(search->lower->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee")));
    if (mlirOperationIsNull(callee) || (makes_generator(callee) && !search->generators)) continue;
    if (mlirOperationEqual(callee, search->goal)) return true;
    size_t known = 0;
    while (known < search->count && !mlirOperationEqual(search->seen[known], callee)) ++known;
    if (known < search->count || mlirBlockIsNull(pa_body(callee, 0))) continue;
    search->seen = pa_arena_grow(search->lower->arena, search->seen, search->count, &search->capacity, sizeof callee);
    search->seen[search->count++] = callee;
    if (calls_goal(search, pa_body(callee, 0))) return true;
  }
  return false;
}

void pa_find_recursive(pa_lowering *lower, const MlirOperation *functions, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    call_search search = {.lower = lower, .goal = functions[i], .generators = makes_generator(functions[i])};
    MlirBlock body = pa_body(functions[i], 0);
    if (mlirBlockIsNull(body) || !calls_goal(&search, body)) continue;
    MlirAttribute symbol = pa_symbol_of(lower, functions[i]);
    pa_map_put(lower->arena, search.generators ? &lower->remaking : &lower->recursive, symbol.ptr, (void *)symbol.ptr);
  }
}

bool pa_is_recursive(const pa_lowering *lower, MlirAttribute symbol) {
  return pa_map_get(&lower->recursive, symbol.ptr);
}

bool pa_remakes_itself(const pa_lowering *lower, MlirAttribute symbol) {
  return pa_map_get(&lower->remaking, symbol.ptr);
}

//===-- Calls and guards --------------------------------------------------------------------------===//

MlirAttribute pa_guarded_symbol(pa_lowering *lower, MlirAttribute symbol) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(symbol);
  return pa_symbol_attr(lower->context, pa_arena_format(lower->arena, "%.*s%s", (int)name.length, name.data, suffix));
}

bool pa_passes_stack_limit(const pa_lowering *lower, MlirAttribute callee) {
  return !mlirValueIsNull(lower->stack_limit) && pa_is_recursive(lower, callee);
}

void pa_guard_stack(pa_lowering *lower, MlirValue limit) {
  lower->stack_limit = limit;
  MlirType pointer = mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  int32_t segments[] = {1, 0};
  MlirValue level = pa_int(lower, lower->i32, 0);
  MlirValue frame = pa_value(&lower->builder, "llvm.call_intrinsic", PA_OPERANDS(level), PA_RESULTS(pointer),
                             PA_ATTRS({"intrin", pa_text(lower, "llvm.frameaddress.p0")},
                                      {"op_bundle_sizes", mlirDenseI32ArrayGet(lower->context, 0, NULL)},
                                      {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
  MlirValue address = pa_convert(lower, "llvm.ptrtoint", frame, lower->i64);
  pa_raise_if(lower, pa_compare_int(lower, PA_ULT, address, limit), "RecursionError",
              "maximum recursion depth exceeded");
}

MlirRegion pa_call_guarded(pa_lowering *lower, MlirAttribute symbol, const pa_types *inputs, MlirType type) {
  pa_scope scope = pa_open(lower, inputs->items, (intptr_t)inputs->count);
  MlirValue *arguments = PA_NEW_ARRAY(lower->arena, MlirValue, inputs->count + 1);
  for (size_t i = 0; i < inputs->count; ++i) arguments[i] = mlirBlockGetArgument(scope.block, (intptr_t)i);
  arguments[inputs->count] = pa_call_runtime(lower, "pyarray_rt_stack_limit", NULL, 0);
  intptr_t count = mlirFunctionTypeGetNumResults(type);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirFunctionTypeGetResult(type, i);
  MlirOperation call =
      pa_op(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(arguments, (intptr_t)inputs->count + 1),
            PA_RESULT_ARRAY(types, count), PA_ATTRS({"callee", pa_guarded_symbol(lower, symbol)}));
  MlirValue *results = PA_NEW_ARRAY(lower->arena, MlirValue, count);
  for (intptr_t i = 0; i < count && !mlirOperationIsNull(call); ++i) results[i] = mlirOperationGetResult(call, i);
  return pa_close(lower, scope, PA_OP_NAME(RETURN), results, count);
}
