// Of pyarray-lower: arrays in another shape: views of memory in C order, and the extents of those that are not.
//
//   %m = pyarray.builtin "array.reshape"(%a, %n, %c2, %c2) : (!pyarray.array<?xf32, C>, si64, si64, si64) ->
//   !pyarray.array<?x?x?xf32, C>
// becomes, where the extents make up the size, and after a ValueError where they do not,
//   %m = memref.reinterpret_cast %base to offset: [%offset], sizes: [%n, 2, 2], strides: [%4, %2, 1]
#include "lower_arrays.h"

// What is left of the size once each extent has divided it, and whether one of them does not.
typedef struct division {
  MlirValue rest, uneven, has_zero, is_negative;
} division;

static MlirValue is_number(pa_lowering *lower, MlirValue value, int64_t number) {
  return pa_compare_int(lower, PA_EQ, value, pa_int(lower, lower->i64, number));
}

static MlirValue number_or_one(pa_lowering *lower, MlirValue is_one, MlirValue value) {
  return pa_select(lower, is_one, pa_int(lower, lower->i64, 1), value);
}

// An extent of -1 is what the others leave; beside one of 0, which says nothing, it stays.
static void find_unknown(pa_lowering *lower, MlirValue size, MlirValue *extents, int rank) {
  MlirValue others = pa_int(lower, lower->i64, 1), seen = pa_int(lower, lower->i1, 0), stays = seen,
            unknown[PA_MAX_RANK];
  for (int axis = 0; axis < rank; ++axis) {
    unknown[axis] = is_number(lower, extents[axis], -1);
    stays = pa_or(lower, stays, pa_and(lower, seen, unknown[axis]));
    seen = pa_or(lower, seen, unknown[axis]);
    others = pa_binary(lower, "arith.muli", others, number_or_one(lower, unknown[axis], extents[axis]));
  }
  if (rank > 1) pa_raise_if(lower, stays, "ValueError", "can only specify one unknown dimension");
  MlirValue none = is_number(lower, others, 0),
            left = pa_binary(lower, "arith.divsi", size, number_or_one(lower, none, others));
  left = pa_select(lower, none, pa_int(lower, lower->i64, -1), left);
  for (int axis = 0; axis < rank; ++axis) extents[axis] = pa_select(lower, unknown[axis], left, extents[axis]);
}

static void divide(pa_lowering *lower, division *d, MlirValue extent) {
  MlirValue is_zero = is_number(lower, extent, 0), divisor = number_or_one(lower, is_zero, extent);
  d->has_zero = pa_or(lower, d->has_zero, is_zero);
  d->is_negative = pa_or(lower, d->is_negative, pa_compare_int(lower, PA_SLT, extent, pa_int(lower, lower->i64, 0)));
  MlirValue rest = pa_binary(lower, "arith.remsi", d->rest, divisor);
  d->uneven = pa_or(lower, d->uneven, pa_compare_int(lower, PA_NE, rest, pa_int(lower, lower->i64, 0)));
  d->rest = pa_binary(lower, "arith.divsi", d->rest, divisor);
}

// By division: products of large extents would wrap. |given|: the operands, for the message; |item|: the extent of an
// item's bytes, which is the last, or null.
static void check_size(pa_lowering *lower, MlirValue size, const MlirValue *extents, const MlirValue *given, int rank,
                       MlirValue item) {
  MlirValue no = pa_int(lower, lower->i1, 0), yes = pa_int(lower, lower->i1, 1);
  division d = {size, no, no, no};
  for (int axis = 0; axis < rank; ++axis) divide(lower, &d, extents[axis]);
  MlirValue differs = pa_or(lower, d.uneven, pa_compare_int(lower, PA_NE, d.rest, pa_int(lower, lower->i64, 1)));
  MlirValue full = pa_or(lower, d.has_zero, differs), empty = pa_select(lower, d.has_zero, no, yes);
  MlirValue wrong = pa_or(lower, d.is_negative, pa_select(lower, is_number(lower, size, 0), empty, full));
  MlirValue shown[PA_MAX_RANK + 1];
  int count = mlirValueIsNull(item) ? rank : rank - 1;
  shown[0] = mlirValueIsNull(item) ? size : pa_binary(lower, "arith.divsi", size, item);
  for (int axis = 0; axis < count; ++axis) shown[1 + axis] = pa_get1(lower, given[axis]);
  pa_raise_many_if(lower, wrong, "ValueError",
                   pa_arena_format(lower->arena, "cannot reshape array of size {0} into shape {1:%d}", count), shown,
                   count + 1);
}

void pa_reshape_extents(pa_lowering *lower, const pa_builtin_call *call, const pa_array *array,
                        MlirValue *out_extents) {
  int rank = call->count - 1;
  int64_t own = array->rank ? pyarrayArrayTypeGetExtent(array->type, array->rank - 1) : -1;
  MlirValue size = pa_int(lower, lower->i64, 1), given[PA_MAX_RANK],
            item = own > 0 ? pa_int(lower, lower->i64, own) : (MlirValue){NULL};
  for (int axis = 0; axis < array->rank; ++axis)
    size = pa_binary(lower, "arith.muli", size, pa_extent(lower, array, axis));
  for (int axis = 0; axis < rank; ++axis) {
    given[axis] = pa_operand(call->op, axis + 1);
    out_extents[axis] = pa_argument(lower, call, axis + 1);
  }
  find_unknown(lower, size, out_extents, rank);
  check_size(lower, size, out_extents, given, rank, item);
}

MlirValue pa_view_in_order(pa_lowering *lower, const pa_array *array, MlirType type, const MlirValue *extents,
                           int rank) {
  int64_t shape[PA_MAX_RANK];
  for (int axis = 0; axis < rank; ++axis) shape[axis] = mlirShapedTypeGetDynamicSize();
  MlirType in_order = pyarrayArrayTypeGet(lower->context, rank, shape, pyarrayArrayTypeGetElement(type),
                                          PYARRAY_LAYOUT_C, pyarrayArrayTypeIsReadonly(type));
  MlirValue operands[2 * PA_MAX_RANK + 2], strides[PA_MAX_RANK], step = pa_int(lower, lower->index, 1);
  int64_t sizes[PA_MAX_RANK], steps[PA_MAX_RANK], offset = mlirShapedTypeGetDynamicStrideOrOffset();
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return array->memref;
  int count = 0;
  operands[count++] = mlirOperationGetResult(parts, 0);
  operands[count++] = mlirOperationGetResult(parts, 1);
  for (int axis = rank - 1; axis >= 0; --axis) {
    strides[axis] = step;
    step = pa_binary(lower, "arith.muli", step, pa_to_index(lower, extents[axis]));
  }
  for (int axis = 0; axis < rank; ++axis) {
    sizes[axis] = mlirShapedTypeGetDynamicSize();
    steps[axis] = axis == rank - 1 ? 1 : offset;
    operands[count++] = pa_to_index(lower, extents[axis]);
  }
  for (int axis = 0; axis < rank - 1; ++axis) operands[count++] = strides[axis];
  int32_t segments[] = {1, 1, rank, rank ? rank - 1 : 0};
  return pa_value(&lower->builder, "memref.reinterpret_cast", PA_OPERAND_ARRAY(operands, count),
                  PA_RESULTS(pa_lower_array_type(lower, in_order)),
                  PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(lower->context, 1, &offset)},
                           {"static_sizes", mlirDenseI64ArrayGet(lower->context, rank, sizes)},
                           {"static_strides", mlirDenseI64ArrayGet(lower->context, rank, steps)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 4, segments)}));
}

void pa_lower_reshape(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = mlirValueGetType(pa_result(call->op));
  int rank = call->count - 1;
  if (!pyarrayTypeIsArray(mlirValueGetType(pa_operand(call->op, 0))) || rank != pyarrayArrayTypeGetRank(type)) {
    pa_lower_fail(lower, "%s takes an array and its new extents", call->row->name);
    return;
  }
  pa_array array = pa_array_of(lower, pa_operand(call->op, 0));
  MlirValue extents[PA_MAX_RANK];
  pa_reshape_extents(lower, call, &array, extents);
  MlirValue memref = pa_view_in_order(lower, &array, type, extents, rank);
  pa_set(lower, pa_result(call->op),
         (MlirValue[]){pa_cast_memref(lower, memref, pa_lower_array_type(lower, type)), array.owner}, 2);
}
