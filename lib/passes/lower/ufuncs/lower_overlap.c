// Of pyarray-lower: what a ufunc asks about the memory of its operands.
//
//   pyarray.independent     has the runtime compare the addresses between which arrays lie, and their strides
//   pyarray.inner_strides   compares strides along the last axis with 0 and 1
#include "lower_arrays.h"
#include "lower_whole_arrays.h"

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

// As pyarray_rt_independent reads it.
static int64_t number_count(const pa_array *array) { return 4 + 2 * array->rank; }

static void put(pa_lowering *lower, MlirValue numbers, int64_t *at, MlirValue value) {
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(value, numbers, pa_int(lower, lower->index, (*at)++)));
}

static void put_array(pa_lowering *lower, MlirValue numbers, int64_t *at, const pa_array *array) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return;
  int64_t bytes = pa_scalar_bytes(array->element);
  MlirValue base =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", array->memref, lower->index));
  MlirValue offset = pa_to_i64(lower, mlirOperationGetResult(parts, 1));
  put(lower, numbers, at,
      pa_binary(lower, "arith.addi", base, pa_binary(lower, "arith.muli", offset, pa_int(lower, lower->i64, bytes))));
  put(lower, numbers, at, pa_int(lower, lower->i64, bytes));
  put(lower, numbers, at, pa_int(lower, lower->i64, array->element));
  put(lower, numbers, at, pa_int(lower, lower->i64, array->rank));
  for (int i = 0; i < 2 * array->rank; ++i)
    put(lower, numbers, at, pa_to_i64(lower, mlirOperationGetResult(parts, 2 + i)));
}

// Asked of the runtime: in place, it would be more code than the loop.
void pa_lower_independent(pa_lowering *lower, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  int64_t inputs = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 0), total = 0, at = 0;
  pa_array *arrays = PA_NEW_ARRAY(lower->arena, pa_array, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    arrays[i] = pa_array_of(lower, pa_operand(op, i));
    total += number_count(&arrays[i]);
  }
  if (pa_failed(&lower->builder)) return;
  MlirValue numbers = pa_stack_numbers(lower, total);
  for (intptr_t i = 0; i < count; ++i) put_array(lower, numbers, &at, &arrays[i]);
  MlirValue address =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
  int strictly = !mlirAttributeIsNull(pa_get_attr(op, "apart"));
  MlirValue answer = pa_runtime(lower, "pyarray_rt_independent", pa_int(lower, lower->i64, inputs),
                                pa_int(lower, lower->i64, count), address, pa_int(lower, lower->i32, strictly));
  pa_set1(lower, pa_result(op), pa_compare_int(lower, PA_NE, answer, pa_int(lower, lower->i32, 0)));
}
