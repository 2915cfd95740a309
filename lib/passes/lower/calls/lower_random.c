// Of pyarray-lower: calls of NumPy's C functions of random numbers, which the loader finds by their names.
//
//   %x = pyarray.builtin "pyarray.library._intrinsics.draw"(%words, %scale) {callee = "random_exponential"}
// becomes
//   %x = func.call @random_exponential(%address, %scale) : (!llvm.ptr, f64) -> f64
#include "lower_calls.h"

static void lower_draw(pa_lowering *lower, const pa_builtin_call *call) {
  const char *name = pa_attr_text(lower->arena, pa_get_attr(call->op, "callee"));
  if (!name || !pa_distribution_find(pa_ref(name)) || lower->device) {
    pa_lower_fail(lower, "%s names no function of NumPy's", call->row->name);
    return;
  }
  MlirType type = mlirValueGetType(pa_result(call->op));
  bool none = pyarrayTypeIsNone(type);
  MlirType result = none ? (MlirType){NULL} : pa_lower_scalar_type(lower, pa_scalar_of(type)),
           *types = PA_NEW_ARRAY(lower->arena, MlirType, call->count + 1);
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, call->count + 1);
  for (int i = 0; i < call->count; ++i) {
    operands[i] = pa_c_argument(lower, pa_operand(call->op, i));
    types[i] = pa_type_or_none(lower, operands[i]);
  }
  if (pa_failed(&lower->builder)) return;
  MlirType function = mlirFunctionTypeGet(lower->context, call->count, types, !none, &result);
  pa_declare(lower, name, function, NULL, 0);
  MlirValue value = pa_call_declared(lower, name, function, operands, call->count);
  if (none)
    pa_finish_none(lower, call);
  else
    pa_finish(lower, call, value);
}

const pa_builtin_rule_row pa_random_rules[] = {{PA_LOWERING_DRAW, lower_draw}, {0, NULL}};
