#include "whole_arrays.h"

MlirRegion pa_cast_body(pa_builder *at, MlirType from, MlirType to) {
  pa_builder inside = *at;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(at->location, &from, 1, &inside.block);
  MlirValue element = mlirBlockGetArgument(inside.block, 0);
  if (!mlirTypeEqual(from, to)) element = pa_value(&inside, PA_OP_NAME(CAST), PA_OPERANDS(element), PA_RESULTS(to));
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(element));
  at->failure = inside.failure;
  return region;
}

pa_status pa_order_operands(pa_arena *arena, MlirOperation op, intptr_t rank) {
  pa_builder at = {.context = mlirOperationGetContext(op),
                   .location = mlirOperationGetLocation(op),
                   .block = mlirOperationGetBlock(op),
                   .before = op};
  intptr_t all = mlirOperationGetNumOperands(op), count = 0;
  MlirValue *arrays = PA_NEW_ARRAY(arena, MlirValue, all + 1);
  MlirType *views = PA_NEW_ARRAY(arena, MlirType, all + 1);
  for (intptr_t i = 0; i < all; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    if (!pyarrayTypeIsArray(type)) continue;
    arrays[count] = operand;
    views[count++] = pa_array_type(at.context, pyarrayArrayTypeGetRank(type), pyarrayArrayTypeGetElement(type),
                                   PYARRAY_LAYOUT_A, pyarrayArrayTypeIsReadonly(type));
  }
  MlirOperation made = pa_op(&at, PA_OP_NAME(ORDER_DIMENSIONS), PA_OPERAND_ARRAY(arrays, count),
                             PA_RESULT_ARRAY(views, count), PA_ATTRS({"loop_rank", pa_i64_attr(at.context, rank)}));
  if (pa_failed(&at)) return at.failure;
  count = 0;
  for (intptr_t i = 0; i < all; ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(mlirOperationGetOperand(op, i))))
      mlirOperationSetOperand(op, i, mlirOperationGetResult(made, count++));
  return PA_OK;
}
