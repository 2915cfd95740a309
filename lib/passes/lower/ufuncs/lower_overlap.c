// Of pyarray-lower: what is asked of the runtime about whole arrays: whether operands of a ufunc share memory, whether
// indices are out of bounds.
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

// The address of all that the runtime wants to know of arrays.
static MlirValue put_arrays(pa_lowering *lower, const pa_array *arrays, intptr_t count) {
  int64_t total = 0, at = 0;
  for (intptr_t i = 0; i < count; ++i) total += number_count(&arrays[i]);
  MlirValue numbers = pa_stack_numbers(lower, total);
  for (intptr_t i = 0; i < count; ++i) put_array(lower, numbers, &at, &arrays[i]);
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
}

static MlirValue are_independent(pa_lowering *lower, MlirOperation op, intptr_t inputs, bool apart) {
  intptr_t count = mlirOperationGetNumOperands(op);
  pa_array *arrays = PA_NEW_ARRAY(lower->arena, pa_array, count + 1);
  for (intptr_t i = 0; i < count; ++i) arrays[i] = pa_array_of(lower, pa_operand(op, i));
  if (pa_failed(&lower->builder)) return (MlirValue){NULL};
  MlirValue address = put_arrays(lower, arrays, count);
  MlirValue answer = pa_runtime(lower, "pyarray_rt_independent", pa_int(lower, lower->i64, inputs),
                                pa_int(lower, lower->i64, count), address, pa_int(lower, lower->i32, apart));
  return pa_compare_int(lower, PA_NE, answer, pa_int(lower, lower->i32, 0));
}

// Asked of the runtime: in place, it would be more code than the loop.
void pa_lower_independent(pa_lowering *lower, MlirOperation op) {
  int64_t inputs = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 0);
  pa_set1(lower, pa_result(op),
          are_independent(lower, op, inputs, !mlirAttributeIsNull(pa_get_attr(op, "apart"))));
}

static void lower_overlaps(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_not(lower, are_independent(lower, call->op, 1, true)));
}

//===-- Indices -----------------------------------------------------------------------------------===//

static void lower_check_index(pa_lowering *lower, const pa_builtin_call *call) {
  const char *text = "index {0} is out of bounds for axis {2} with size {1}",
             *large = "index {0}{1} is out of bounds for axis {3} with size {2}";
  pa_array array = pa_array_of(lower, pa_operand(call->op, 0));
  bool is_unsigned = pa_is_unsigned(array.element);
  MlirValue extent = pa_argument(lower, call, 1), axis = pa_argument(lower, call, 2);
  if (pa_failed(&lower->builder)) return;
  MlirValue found = pa_stack_numbers(lower, 1), numbers = put_arrays(lower, &array, 1),
            place = pa_to_i64(lower,
                              pa_convert(lower, "memref.extract_aligned_pointer_as_index", found, lower->index));
  MlirValue answer = pa_runtime(lower, "pyarray_rt_find_outside", numbers, pa_int(lower, lower->i32, is_unsigned),
                                extent, place),
            outside = pa_compare_int(lower, PA_NE, answer, pa_int(lower, lower->i32, 0));
  pa_scope scope = pa_if_begin(lower);
  MlirValue index = pa_value(&lower->builder, "memref.load", PA_OPERANDS(found, pa_int(lower, lower->index, 0)),
                             PA_RESULTS(lower->i64));
  if (is_unsigned && array.element == PA_U64)
    pa_raise_large_if(lower, index, "IndexError", large, (MlirValue[]){extent, axis}, 2);
  pa_raise_values_if(lower, outside, "IndexError", text, index, extent, axis);
  pa_if_end(lower, scope, outside);
  pa_finish_none(lower, call);
}

const pa_builtin_rule_row pa_overlap_rules[] = {
    {PA_LOWERING_OVERLAPS, lower_overlaps}, {PA_LOWERING_CHECK_INDEX, lower_check_index}, {0, NULL}};
