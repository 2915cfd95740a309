// Of pyarray-lower: what the runtime is asked to do with whole arrays: whether they share memory, whether indices are
// out of bounds, stores by indices, what masks choose. It gets the address of what it wants to know of each.
#include "lower_arrays.h"
#include "lower_numbers.h"

//===-- Operands ----------------------------------------------------------------------------------===//

// As lib/runtime/numbers/array_numbers.h has it.
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
  put(lower, numbers, at, pa_int(lower, lower->i64, pa_scalar_code(array->element)));
  put(lower, numbers, at, pa_int(lower, lower->i64, array->rank));
  for (int i = 0; i < 2 * array->rank; ++i)
    put(lower, numbers, at, pa_to_i64(lower, mlirOperationGetResult(parts, 2 + i)));
}

// That an operand takes: an array, or an integer.
static int64_t operand_numbers(pa_lowering *lower, MlirValue operand) {
  if (!pyarrayTypeIsArray(mlirValueGetType(operand))) return 4;
  pa_array array = pa_array_of(lower, operand);
  return number_count(&array);
}

static MlirValue address_of(pa_lowering *lower, MlirValue numbers) {
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
}

// An integer as an array without dimensions; what it is taken for.
static pa_scalar put_integer(pa_lowering *lower, MlirValue numbers, int64_t *at, MlirValue integer) {
  MlirValue memory = pa_stack_numbers(lower, 1);
  pa_scalar scalar = pa_scalar_of_value(integer), wide = pa_is_unsigned(scalar) ? PA_U64 : PA_I64;
  MlirValue value = pa_cast_scalar(lower, pa_get1(lower, integer), scalar, wide);
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(value, memory, pa_int(lower, lower->index, 0)));
  put(lower, numbers, at, address_of(lower, memory));
  put(lower, numbers, at, pa_int(lower, lower->i64, pa_scalar_bytes(wide)));
  put(lower, numbers, at, pa_int(lower, lower->i64, pa_scalar_code(wide)));
  put(lower, numbers, at, pa_int(lower, lower->i64, 0));
  return wide;
}

// What the elements of an operand are: an array, or an integer.
static pa_scalar put_operand(pa_lowering *lower, MlirValue numbers, int64_t *at, MlirValue operand) {
  if (!pyarrayTypeIsArray(mlirValueGetType(operand))) return put_integer(lower, numbers, at, operand);
  pa_array array = pa_array_of(lower, operand);
  if (!pa_failed(&lower->builder)) put_array(lower, numbers, at, &array);
  return array.element;
}

// The address of all that the runtime wants to know of the operands, in order: arrays and integers.
static MlirValue put_operands(pa_lowering *lower, MlirOperation op, const int *order) {
  int64_t at = 0, total = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) total += operand_numbers(lower, pa_operand(op, i));
  MlirValue numbers = pa_stack_numbers(lower, total);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !pa_failed(&lower->builder); ++i)
    put_operand(lower, numbers, &at, pa_operand(op, order ? order[i] : i));
  return pa_failed(&lower->builder) ? pa_int(lower, lower->i64, 0) : address_of(lower, numbers);
}

//===-- Memory ------------------------------------------------------------------------------------===//

MlirValue pa_are_independent(pa_lowering *lower, MlirOperation op, intptr_t inputs, bool apart) {
  MlirValue address = put_operands(lower, op, NULL), count = pa_int(lower, lower->i64, mlirOperationGetNumOperands(op)),
            answer = pa_runtime(lower, "pyarray_rt_independent", pa_int(lower, lower->i64, inputs), count, address,
                                pa_int(lower, lower->i32, apart));
  return pa_compare_int(lower, PA_NE, answer, pa_int(lower, lower->i32, 0));
}

static void lower_overlaps(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_not(lower, pa_are_independent(lower, call->op, 1, true)));
}

//===-- Indices -----------------------------------------------------------------------------------===//

static void lower_check_index(pa_lowering *lower, const pa_builtin_call *call) {
  const char *text = "index {0} is out of bounds for axis {2} with size {1}",
             *large = "index {0}{1} is out of bounds for axis {3} with size {2}";
  int64_t at = 0;
  MlirValue indices = pa_operand(call->op, 0), extent = pa_argument(lower, call, 1), axis = pa_argument(lower, call, 2);
  MlirValue found = pa_stack_numbers(lower, 1), numbers = pa_stack_numbers(lower, operand_numbers(lower, indices));
  pa_scalar element = put_operand(lower, numbers, &at, indices);
  if (pa_failed(&lower->builder)) return;
  MlirValue answer = pa_runtime(lower, "pyarray_rt_find_outside", address_of(lower, numbers), extent,
                                address_of(lower, found)),
            outside = pa_compare_int(lower, PA_NE, answer, pa_int(lower, lower->i32, 0));
  pa_scope scope = pa_if_begin(lower);
  MlirValue index = pa_value(&lower->builder, "memref.load", PA_OPERANDS(found, pa_int(lower, lower->index, 0)),
                             PA_RESULTS(lower->i64));
  if (element == PA_U64) pa_raise_large_if(lower, index, "IndexError", large, (MlirValue[]){extent, axis}, 2);
  pa_raise_values_if(lower, outside, "IndexError", text, index, extent, axis);
  pa_if_end(lower, scope, outside);
  pa_finish_none(lower, call);
}

static void lower_scatter(pa_lowering *lower, const pa_builtin_call *call) {
  pa_runtime(lower, "pyarray_rt_scatter", pa_int(lower, lower->i64, call->count - 2),
             put_operands(lower, call->op, NULL));
  pa_finish_none(lower, call);
}

//===-- Masks -------------------------------------------------------------------------------------===//

static void lower_count_true(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_runtime(lower, "pyarray_rt_count_true", put_operands(lower, call->op, NULL)));
}

static void lower_move_masked(pa_lowering *lower, const pa_builtin_call *call) {
  static const int taken[] = {1, 2, 0}, stored[] = {0, 2, 1}; // the array, the mask, what it chooses
  bool stores = *call->row->target != 0;
  pa_runtime(lower, "pyarray_rt_move_masked", pa_int(lower, lower->i32, stores),
             put_operands(lower, call->op, stores ? stored : taken));
  pa_finish_none(lower, call);
}

static void lower_list_true(pa_lowering *lower, const pa_builtin_call *call) {
  pa_runtime(lower, "pyarray_rt_list_true", put_operands(lower, call->op, NULL));
  pa_finish_none(lower, call);
}

const pa_builtin_rule_row pa_index_rules[] = {
    {PA_LOWERING_OVERLAPS, lower_overlaps},
    {PA_LOWERING_CHECK_INDEX, lower_check_index},
    {PA_LOWERING_SCATTER, lower_scatter},
    {PA_LOWERING_COUNT_TRUE, lower_count_true},
    {PA_LOWERING_MOVE_MASKED, lower_move_masked},
    {PA_LOWERING_LIST_TRUE, lower_list_true},
    {0, NULL},
};
