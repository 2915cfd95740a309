// Operations of other dialects: those on types that need no lowering are taken over, with what they hold. Arrays become
// memrefs of theirs, and the other way, by builtin.unrealized_conversion_cast:
//
//   %m = builtin.unrealized_conversion_cast %a : !pyarray.array<?xf64, A> to memref<?xf64, strided<[?], offset: ?>>
//
// The memref says no more of extents, strides and offset than the array's type does. The memory stays the array's; an
// array that is made of a memref has no owner: its memory is whose it was. Tensors become what a bufferization makes
// buffers of:
//
//   %t = pyarray.to_tensor %a : ...       bufferization.to_tensor %a restrict
//   %b = pyarray.from_tensor %t : ...     a new array, and bufferization.materialize_in_destination %t in restrict
//   writable %b
#include <string.h>

#include "lower_arrays.h"
#include "lower_values.h"

static void lower_select(pa_lowering *lower, MlirOperation op) {
  MlirValue condition = pa_get1(lower, pa_operand(op, 0));
  pa_values a = pa_get(lower, pa_operand(op, 1)), b = pa_get(lower, pa_operand(op, 2));
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, a.count + 1);
  for (int i = 0; i < a.count; ++i) values[i] = pa_select(lower, condition, a.items[i], b.items[i]);
  pa_set(lower, pa_result(op), values, a.count);
}

//===-- Arrays and memrefs ------------------------------------------------------------------------===//

static bool is_loose(int64_t wanted, int64_t known) {
  return wanted == known || mlirShapedTypeIsDynamicStrideOrOffset(wanted);
}

// Whether |to| says nothing of a memref that |from| does not: casts check nothing when the program runs.
static bool says_no_more(MlirType to, MlirType from) {
  int64_t to_strides[PA_MAX_RANK], from_strides[PA_MAX_RANK], to_offset, from_offset;
  intptr_t rank = mlirShapedTypeGetRank(to);
  if (rank != mlirShapedTypeGetRank(from) || rank > PA_MAX_RANK ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(to), mlirShapedTypeGetElementType(from)) ||
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(to, to_strides, &to_offset)) ||
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(from, from_strides, &from_offset)) ||
      !is_loose(to_offset, from_offset))
    return false;
  for (intptr_t i = 0; i < rank; ++i)
    if (!is_loose(to_strides[i], from_strides[i]) ||
        (!mlirShapedTypeIsDynamicDim(to, i) &&
         (mlirShapedTypeIsDynamicDim(from, i) || mlirShapedTypeGetDimSize(to, i) != mlirShapedTypeGetDimSize(from, i))))
      return false;
  return true;
}

static MlirValue cast_memref(pa_lowering *lower, MlirValue memref, MlirType type) {
  MlirType from = mlirValueGetType(memref);
  if (mlirTypeEqual(from, type)) return memref;
  if (says_no_more(type, from)) return pa_cast_memref(lower, memref, type);
  pa_string wanted = {0}, known = {0};
  mlirTypePrint(type, pa_append_text, &wanted);
  mlirTypePrint(from, pa_append_text, &known);
  pa_lower_fail(lower, "%s says more than is known of %s", pa_string_text(&wanted), pa_string_text(&known));
  pa_string_free(&wanted);
  pa_string_free(&known);
  return (MlirValue){NULL};
}

// False where it is no such cast.
static bool lower_array_cast(pa_lowering *lower, MlirOperation op) {
  if (mlirOperationGetNumOperands(op) != 1 || mlirOperationGetNumResults(op) != 1) return false;
  MlirValue operand = pa_operand(op, 0), result = pa_result(op);
  MlirType from = mlirValueGetType(operand), to = mlirValueGetType(result);
  if (pyarrayTypeIsArray(from) && mlirTypeIsAMemRef(to)) {
    MlirValue memref = cast_memref(lower, pa_array_of(lower, operand).memref, to);
    if (!mlirValueIsNull(memref)) pa_set1(lower, result, memref);
    return true;
  }
  if (!mlirTypeIsAMemRef(from) || !pyarrayTypeIsArray(to)) return false;
  MlirValue memref = cast_memref(lower, pa_get1(lower, operand), pa_lower_array_type(lower, to));
  if (!mlirValueIsNull(memref)) pa_set(lower, result, (MlirValue[]){memref, pa_int(lower, lower->i64, 0)}, 2);
  return true;
}

//===-- Arrays and tensors ------------------------------------------------------------------------===//

// The tensor that has what the memref's type says of extents.
static MlirType tensor_of(MlirType memref) {
  intptr_t rank = mlirShapedTypeGetRank(memref);
  int64_t shape[PA_MAX_RANK];
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] =
        mlirShapedTypeIsDynamicDim(memref, i) ? mlirShapedTypeGetDynamicSize() : mlirShapedTypeGetDimSize(memref, i);
  return mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(memref), mlirAttributeGetNull());
}

static MlirValue cast_tensor(pa_lowering *lower, MlirValue tensor, MlirType type) {
  if (mlirTypeEqual(pa_type_or_none(lower, tensor), type)) return tensor;
  return pa_convert(lower, "tensor.cast", tensor, type);
}

static void lower_to_tensor(pa_lowering *lower, MlirOperation op) {
  MlirValue memref = pa_array_of(lower, pa_operand(op, 0)).memref;
  MlirType known = tensor_of(mlirValueGetType(memref));
  MlirValue tensor = pa_value(&lower->builder, "bufferization.to_tensor", PA_OPERANDS(memref), PA_RESULTS(known),
                              PA_ATTRS({"restrict", pa_unit_attr(lower->context)}));
  pa_set1(lower, pa_result(op), cast_tensor(lower, tensor, mlirValueGetType(pa_result(op))));
}

static void lower_from_tensor(pa_lowering *lower, MlirOperation op) {
  MlirValue tensor = pa_get1(lower, pa_operand(op, 0)), extents[PA_MAX_RANK];
  MlirType type = mlirValueGetType(pa_result(op));
  for (intptr_t i = 0; i < pyarrayArrayTypeGetRank(type); ++i)
    extents[i] = pa_convert(lower, "arith.index_cast",
                            pa_value(&lower->builder, "tensor.dim", PA_OPERANDS(tensor, pa_int(lower, lower->index, i)),
                                     PA_RESULTS(lower->index)),
                            lower->i64);
  pa_array made = pa_new_array(lower, type, extents, PA_UNINITIALISED);
  MlirType known = tensor_of(pa_type_or_none(lower, made.memref));
  pa_op(&lower->builder, "bufferization.materialize_in_destination",
        PA_OPERANDS(cast_tensor(lower, tensor, known), made.memref),
        PA_ATTRS({"restrict", pa_unit_attr(lower->context)}, {"writable", pa_unit_attr(lower->context)}));
  pa_set(lower, pa_result(op), (MlirValue[]){made.memref, made.owner}, 2);
}

//===-- Others ------------------------------------------------------------------------------------===//

static bool is_ours(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return name.length > 8 && memcmp(name.data, "pyarray.", 8) == 0;
}

// Within an operation that was taken over: what is defined outside of it.
static MlirWalkResult take_operands(MlirOperation op, void *data) {
  pa_lowering *lower = data;
  if (is_ours(op)) {
    pa_lower_fail(lower, "operations of pyarray within those of other dialects cannot be lowered");
    return MlirWalkResultInterrupt;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const pa_values *outside = pa_map_get(&lower->values, mlirOperationGetOperand(op, i).ptr);
    if (outside && outside->count == 1) mlirOperationSetOperand(op, i, outside->items[0]);
  }
  return MlirWalkResultAdvance;
}

void pa_lower_foreign(pa_lowering *lower, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (pa_ref_equal(name, "arith.select")) return lower_select(lower, op);
  if (pa_ref_equal(name, "builtin.unrealized_conversion_cast") && lower_array_cast(lower, op)) return;
  if (pa_ref_equal(name, "pyarray.to_tensor")) return lower_to_tensor(lower, op);
  if (pa_ref_equal(name, "pyarray.from_tensor")) return lower_from_tensor(lower, op);
  bool ours = is_ours(op);
  if (ours || mlirOperationGetNumSuccessors(op)) {
    pa_lower_fail(lower, "operation %.*s cannot be lowered%s", (int)name.length, name.data,
                  ours ? "; run pyarray-infer-types first" : "");
    return;
  }
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = pa_get1(lower, pa_operand(op, i));
    if (!mlirValueIsNull(operand)) mlirOperationSetOperand(copy, i, operand);
  }
  mlirBlockAppendOwnedOperation(lower->builder.block, copy);
  if (mlirOperationGetNumRegions(op)) mlirOperationWalk(copy, take_operands, lower, MlirWalkPreOrder);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_set1(lower, mlirOperationGetResult(op, i), mlirOperationGetResult(copy, i));
}
