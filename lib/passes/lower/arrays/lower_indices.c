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

static MlirValue address_of(pa_lowering *lower, MlirValue memref) {
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", memref, lower->index));
}

// Of its first element; |parts|: its strided metadata.
static MlirValue address_of_first(pa_lowering *lower, const pa_array *array, MlirOperation parts) {
  MlirValue bytes = pa_int(lower, lower->i64, pa_scalar_bytes(array->element)),
            offset = pa_to_i64(lower, mlirOperationGetResult(parts, 1));
  return pa_binary(lower, "arith.addi", address_of(lower, array->memref),
                   pa_binary(lower, "arith.muli", offset, bytes));
}

static void put_array(pa_lowering *lower, MlirValue numbers, int64_t *at, const pa_array *array) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return;
  put(lower, numbers, at, address_of_first(lower, array, parts));
  put(lower, numbers, at, pa_int(lower, lower->i64, pa_scalar_bytes(array->element)));
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

MlirValue pa_rows_apart(pa_lowering *lower, MlirOperation op, intptr_t inputs) {
  MlirValue address = put_operands(lower, op, NULL), count = pa_int(lower, lower->i64, mlirOperationGetNumOperands(op));
  return pa_runtime(lower, "pyarray_rt_rows_apart", pa_int(lower, lower->i64, inputs), count, address);
}

static void lower_overlaps(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_not(lower, pa_are_independent(lower, call->op, 1, true)));
}

//===-- Indices -----------------------------------------------------------------------------------===//

static const char outside_text[] = "index {0} is out of bounds for axis {2} with size {1}";

// A row of indices needs no memory for what the runtime wants to know of it.
static MlirValue find_outside(pa_lowering *lower, MlirValue indices, MlirValue extent, MlirValue found,
                              pa_scalar *out_element) {
  MlirType type = mlirValueGetType(indices);
  int64_t at = 0;
  if (!pyarrayTypeIsArray(type) || pyarrayArrayTypeGetRank(type) != 1) {
    MlirValue numbers = pa_stack_numbers(lower, operand_numbers(lower, indices));
    *out_element = put_operand(lower, numbers, &at, indices);
    if (pa_failed(&lower->builder)) return extent;
    return pa_runtime(lower, "pyarray_rt_find_outside", address_of(lower, numbers), extent, address_of(lower, found));
  }
  pa_array row = pa_array_of(lower, indices);
  MlirOperation parts = pa_strided_metadata(lower, &row);
  if (mlirOperationIsNull(parts)) return extent;
  *out_element = row.element;
  return pa_runtime(lower, "pyarray_rt_find_outside_row", address_of_first(lower, &row, parts),
                    pa_to_i64(lower, mlirOperationGetResult(parts, 2)),
                    pa_int(lower, lower->i64, pa_scalar_bytes(row.element)),
                    pa_int(lower, lower->i64, pa_scalar_code(row.element)),
                    pa_to_i64(lower, mlirOperationGetResult(parts, 3)), extent, address_of(lower, found));
}

static void lower_check_index(pa_lowering *lower, const pa_builtin_call *call) {
  const char *large = "index {0}{1} is out of bounds for axis {3} with size {2}";
  MlirValue extent = pa_argument(lower, call, 1), axis = pa_argument(lower, call, 2),
            found = pa_stack_numbers(lower, 1);
  pa_scalar element = PA_I64;
  MlirValue answer = find_outside(lower, pa_operand(call->op, 0), extent, found, &element);
  if (pa_failed(&lower->builder)) return;
  MlirValue outside = pa_compare_int(lower, PA_NE, answer, pa_int(lower, lower->i32, 0));
  pa_scope scope = pa_if_begin(lower);
  MlirValue index = pa_value(&lower->builder, "memref.load", PA_OPERANDS(found, pa_int(lower, lower->index, 0)),
                             PA_RESULTS(lower->i64));
  if (element == PA_U64) pa_raise_large_if(lower, index, "IndexError", large, (MlirValue[]){extent, axis}, 2);
  pa_raise_values_if(lower, outside, "IndexError", outside_text, index, extent, axis);
  pa_if_end(lower, scope, outside);
  pa_finish_none(lower, call);
}

// Where the runtime answers |outcome|: |count| numbers of the error are at |found|.
static void raise_outcome(pa_lowering *lower, MlirValue answer, int outcome, MlirValue found, int64_t count,
                          const char *exception, const char *text) {
  MlirValue is = pa_compare_int(lower, PA_EQ, answer, pa_int(lower, lower->i32, outcome));
  MlirAttribute argument = pa_text(lower, text);
  pa_scope scope = pa_if_begin(lower);
  pa_raise_error(
      lower,
      &(pa_raised_error){
          .exception = exception, .arguments = &argument, .count = 1, .address = found, .value_count = (int)count});
  pa_if_end(lower, scope, is);
}

static const char memory_text[] = "Unable to allocate an array of {0} bytes";

//===-- Stores and gathers ------------------------------------------------------------------------------------===//

// The array, what is stored there, as many indices as axes that errors tell of.
typedef struct scatter {
  pa_lowering *lower;
  MlirOperation op;
  int64_t count; // of indices
  int64_t ranks; // of the indices together
  int64_t rank;  // of what they broadcast to
  bool large;    // some are unsigned, of 8 bytes
  bool gathers;  // what is written is the first operand, which the runtime has behind the array
} scatter;

static int64_t rank_of(MlirValue operand) {
  MlirType type = mlirValueGetType(operand);
  return pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetRank(type) : 0;
}

static void read_scatter(scatter *s) {
  for (int64_t k = 0; k < s->count; ++k) {
    MlirValue index = pa_operand(s->op, 2 + k);
    int64_t rank = rank_of(index);
    s->ranks += rank;
    if (rank > s->rank) s->rank = rank;
    s->large = s->large || PA_U64 == (rank ? pa_array_of(s->lower, index).element : pa_scalar_of_value(index));
  }
}

// The first operands as the runtime wants them, and the axes behind.
static MlirValue put_scatter(scatter *s) {
  pa_lowering *lower = s->lower;
  int64_t at = 0, total = s->count;
  for (int64_t i = 0; i < 2 + s->count; ++i) total += operand_numbers(lower, pa_operand(s->op, i));
  MlirValue numbers = pa_stack_numbers(lower, total);
  for (int64_t i = 0; i < 2 + s->count && !pa_failed(&lower->builder); ++i)
    put_operand(lower, numbers, &at, pa_operand(s->op, s->gathers && i < 2 ? 1 - i : i));
  for (int64_t k = 0; k < s->count && !pa_failed(&lower->builder); ++k)
    put(lower, numbers, &at, pa_get1(lower, pa_operand(s->op, 2 + s->count + k)));
  return numbers;
}

// Of the indices that are arrays.
static const char *shapes_text(const scatter *s) {
  const char *text = "shape mismatch: indexing arrays could not be broadcast together with shapes";
  int64_t at = 0;
  for (int64_t k = 0; k < s->count; ++k) {
    int64_t rank = rank_of(pa_operand(s->op, 2 + k));
    if (rank) text = pa_arena_format(s->lower->arena, "%s {%d:%d}", text, (int)at, (int)rank);
    at += rank;
  }
  return pa_arena_format(s->lower->arena, "%s ", text);
}

static void raise_outside(const scatter *s, MlirValue answer, MlirValue found) {
  pa_lowering *lower = s->lower;
  raise_outcome(lower, answer, 2, found, 3, "IndexError", outside_text);
  if (s->large)
    raise_outcome(lower, answer, 3, found, 4, "IndexError", "index {0}{3} is out of bounds for axis {2} with size {1}");
}

static void raise_scatter_errors(const scatter *s, MlirValue answer, MlirValue found, int64_t own, int64_t whole) {
  pa_lowering *lower = s->lower;
  raise_outside(s, answer, found);
  if (s->ranks > s->rank) raise_outcome(lower, answer, 1, found, s->ranks, "IndexError", shapes_text(s));
  if (own)
    raise_outcome(lower, answer, 4, found, own + whole, "ValueError",
                  pa_arena_format(lower->arena,
                                  "shape mismatch: value array of shape {0:%d} could not be broadcast to indexing "
                                  "result of shape {%d:%d}",
                                  (int)own, (int)own, (int)whole));
  raise_outcome(lower, answer, 5, found, 1, "MemoryError", memory_text);
}

// The runtime goes over all places at once, and tells in |told| what an error is of.
static void lower_places(pa_lowering *lower, const pa_builtin_call *call, bool gathers) {
  scatter s = {.lower = lower, .op = call->op, .count = (call->count - 2) / 2, .gathers = gathers};
  read_scatter(&s);
  int64_t own = 0, whole = 0, most = 4;
  if (!gathers) {
    own = rank_of(pa_operand(s.op, 1));
    whole = s.rank + rank_of(pa_operand(s.op, 0)) - s.count;
    most = own + whole > most ? own + whole : most;
    most = s.ranks > most ? s.ranks : most;
  }
  MlirValue numbers = put_scatter(&s), told = pa_stack_numbers(lower, most);
  if (pa_failed(&lower->builder)) return;
  MlirValue found = address_of(lower, told),
            answer = pa_runtime(lower, gathers ? "pyarray_rt_gather" : "pyarray_rt_scatter",
                                pa_int(lower, lower->i64, s.count), address_of(lower, numbers), found),
            fails = pa_compare_int(lower, PA_NE, answer, pa_int(lower, lower->i32, 0));
  pa_scope scope = pa_if_begin(lower);
  if (gathers)
    raise_outside(&s, answer, found);
  else
    raise_scatter_errors(&s, answer, found, own, whole);
  pa_if_end(lower, scope, fails);
  pa_finish_none(lower, call);
}

static void lower_scatter(pa_lowering *lower, const pa_builtin_call *call) { lower_places(lower, call, false); }
static void lower_gather(pa_lowering *lower, const pa_builtin_call *call) { lower_places(lower, call, true); }

//===-- Masks -------------------------------------------------------------------------------------===//

static void lower_count_true(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_runtime(lower, "pyarray_rt_count_true", put_operands(lower, call->op, NULL)));
}

static void lower_take_masked(pa_lowering *lower, const pa_builtin_call *call) {
  static const int order[] = {1, 2, 0}; // the array, the mask, what it chooses
  pa_runtime(lower, "pyarray_rt_take_masked", put_operands(lower, call->op, order));
  pa_finish_none(lower, call);
}

static void lower_store_masked(pa_lowering *lower, const pa_builtin_call *call) {
  static const int order[] = {0, 2, 1};
  MlirValue numbers = put_operands(lower, call->op, order), found = address_of(lower, pa_stack_numbers(lower, 2)),
            answer = pa_runtime(lower, "pyarray_rt_store_masked", numbers, found),
            fails = pa_compare_int(lower, PA_NE, answer, pa_int(lower, lower->i32, 0));
  pa_scope scope = pa_if_begin(lower);
  raise_outcome(lower, answer, 1, found, 2, "ValueError",
                "NumPy boolean array indexing assignment cannot assign {0} input values to the {1} output values where "
                "the mask is true");
  raise_outcome(lower, answer, 2, found, 1, "MemoryError", memory_text);
  pa_if_end(lower, scope, fails);
  pa_finish_none(lower, call);
}

static void lower_list_true(pa_lowering *lower, const pa_builtin_call *call) {
  pa_runtime(lower, "pyarray_rt_list_true", put_operands(lower, call->op, NULL));
  pa_finish_none(lower, call);
}

//===-- On a GPU ----------------------------------------------------------------------------------===//

// The row's target is what asks a library, and says whether that does it.
static void lower_library_call(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue done = pa_runtime(lower, call->row->target, put_operands(lower, call->op, NULL));
  pa_raise_device_failure(lower);
  pa_finish(lower, call, pa_compare_int(lower, PA_NE, done, pa_int(lower, lower->i32, 0)));
}

const pa_builtin_rule_row pa_index_rules[] = {
    {PA_LOWERING_OVERLAPS, lower_overlaps},         {PA_LOWERING_CHECK_INDEX, lower_check_index},
    {PA_LOWERING_SCATTER, lower_scatter},           {PA_LOWERING_COUNT_TRUE, lower_count_true},
    {PA_LOWERING_TAKE_MASKED, lower_take_masked},   {PA_LOWERING_STORE_MASKED, lower_store_masked},
    {PA_LOWERING_LIST_TRUE, lower_list_true},       {PA_LOWERING_GATHER, lower_gather},
    {PA_LOWERING_LIBRARY_CALL, lower_library_call}, {0, NULL},
};
