// Of pyarray-lower: what a ufunc asks about the memory of its operands.
//
//   pyarray.independent     compares the addresses between which arrays lie, and their strides
//   pyarray.inner_strides   compares strides along the last axis with 0 and 1
#include "lower_internal.h"

//===-- Strides -----------------------------------------------------------------------------------===//

void pa_lower_inner_strides(pa_lowering *lower, MlirOperation op) {
  int32_t inputs = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 0);
  MlirValue all = pa_int(lower, lower->i1, 1), zero = pa_int(lower, lower->index, 0),
            one = pa_int(lower, lower->index, 1);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    pa_array array = pa_array_of(lower, pa_operand(op, i));
    if (array.rank == 0) {
      pa_lower_fail(lower, "pyarray.inner_strides of an array without dimensions");
      return;
    }
    MlirValue stride = pa_stride_of(lower, &array, array.rank - 1);
    MlirValue fits = pa_compare_int(lower, PA_EQ, stride, one);
    if (i < inputs) fits = pa_or(lower, fits, pa_compare_int(lower, PA_EQ, stride, zero));
    all = pa_and(lower, all, fits);
  }
  pa_set1(lower, pa_result(op), all);
}

//===-- Overlap -----------------------------------------------------------------------------------===//

typedef struct extent {
  MlirValue low, high;
  MlirValue strides[PA_MAX_RANK];
} extent;

static extent measure(pa_lowering *lower, const pa_array *array) {
  extent result = {0};
  MlirValue extents[PA_MAX_RANK];
  for (int axis = 0; axis < array->rank; ++axis) extents[axis] = pa_extent(lower, array, axis);
  pa_address_range(lower, array, extents, &result.low, &result.high);
  for (int axis = 0; axis < array->rank; ++axis) result.strides[axis] = pa_stride_of(lower, array, axis);
  return result;
}

static MlirValue are_apart(pa_lowering *lower, const extent *a, const extent *b) {
  return pa_or(lower, pa_compare_int(lower, PA_ULE, a->high, b->low), pa_compare_int(lower, PA_ULE, b->high, a->low));
}

// What the stride of a dimension of extent 1 is has no meaning; broadcasting makes it 0.
static MlirValue is_single(pa_lowering *lower, const pa_array *array, int axis) {
  return pa_compare_int(lower, PA_SLE, pa_extent(lower, array, axis), pa_int(lower, lower->i64, 1));
}

static MlirValue are_same(pa_lowering *lower, const pa_array *a, const extent *x, const pa_array *b, const extent *y) {
  if (a->rank != b->rank || a->element != b->element) return pa_int(lower, lower->i1, 0);
  MlirValue same = pa_compare_int(lower, PA_EQ, x->low, y->low);
  for (int axis = 0; axis < a->rank; ++axis) {
    MlirValue equal = pa_compare_int(lower, PA_EQ, x->strides[axis], y->strides[axis]);
    same = pa_and(lower, same, pa_or(lower, equal, is_single(lower, a, axis)));
  }
  return same;
}

// An output that is nowhere broadcast. That as_strided has made its points overlap otherwise is not looked for.
static MlirValue is_spread(pa_lowering *lower, const pa_array *array, const extent *measured) {
  MlirValue spread = pa_int(lower, lower->i1, 1);
  for (int axis = 0; axis < array->rank; ++axis) {
    MlirValue moves = pa_compare_int(lower, PA_NE, measured->strides[axis], pa_int(lower, lower->index, 0));
    spread = pa_and(lower, spread, pa_or(lower, moves, is_single(lower, array, axis)));
  }
  return spread;
}

void pa_lower_independent(pa_lowering *lower, MlirOperation op) {
  MlirAttribute segments = pa_get_attr(op, "operandSegmentSizes");
  intptr_t count = mlirOperationGetNumOperands(op), inputs = mlirDenseI32ArrayGetElement(segments, 0);
  pa_array *arrays = PA_NEW_ARRAY(lower->arena, pa_array, count + 1);
  extent *extents = PA_NEW_ARRAY(lower->arena, extent, count + 1);
  bool strictly = !mlirAttributeIsNull(pa_get_attr(op, "apart"));
  MlirValue all = pa_int(lower, lower->i1, 1);
  for (intptr_t i = 0; i < count; ++i) {
    arrays[i] = pa_array_of(lower, pa_operand(op, i));
    extents[i] = measure(lower, &arrays[i]);
    if (i < inputs) continue;
    all = pa_and(lower, all, is_spread(lower, &arrays[i], &extents[i]));
    for (intptr_t k = 0; k < i; ++k) {
      MlirValue apart = are_apart(lower, &extents[i], &extents[k]);
      if (k < inputs && !strictly)
        apart = pa_or(lower, apart, are_same(lower, &arrays[i], &extents[i], &arrays[k], &extents[k]));
      all = pa_and(lower, all, apart);
    }
  }
  pa_set1(lower, pa_result(op), all);
}
