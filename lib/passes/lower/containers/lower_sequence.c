// Of pyarray-lower: tuples, unpacking, and the items of what loops go over by number.
#include "integer_facts.h"
#include "lower_arrays.h"
#include "lower_containers.h"
#include "lower_items.h"
#include "lower_numbers.h"
#include "lower_text.h"

//===-- Tuples ------------------------------------------------------------------------------------===//

void pa_set_tuple_element(pa_lowering *lower, MlirValue result, MlirValue tuple, intptr_t index) {
  MlirType type = mlirValueGetType(tuple);
  int offset = pa_tuple_offset(lower, type, index);
  int count = pa_flat_count(lower, mlirTupleTypeGetType(type, index));
  pa_set(lower, result, pa_get(lower, tuple).items + offset, count);
}

// Element number |position| (i64, within bounds) of a tuple with elements of one type: from its table, or by a chain of
// selects.
static void select_element(pa_lowering *lower, MlirValue result, MlirValue tuple, MlirValue position) {
  MlirType type = mlirValueGetType(tuple);
  if (pa_is_table(lower, type)) {
    pa_set_table_item(lower, result, pa_table_of(lower, tuple), position);
    return;
  }
  pa_values values = pa_get(lower, tuple);
  intptr_t length = mlirTupleTypeGetNumTypes(type);
  int width = length ? values.count / (int)length : 0;
  MlirValue *chosen = PA_NEW_ARRAY(lower->arena, MlirValue, width + 1);
  for (int k = 0; k < width; ++k) chosen[k] = values.items[k];
  for (intptr_t i = 1; i < length && width; ++i) {
    MlirValue here = pa_compare_int(lower, PA_EQ, position, pa_int(lower, lower->i64, i));
    for (int k = 0; k < width; ++k) chosen[k] = pa_select(lower, here, values.items[i * width + k], chosen[k]);
  }
  pa_set(lower, result, chosen, width);
}

void pa_lower_tuple_item(pa_lowering *lower, MlirOperation op) {
  MlirValue tuple = pa_operand(op, 0);
  int64_t length = mlirTupleTypeGetNumTypes(mlirValueGetType(tuple)), known;
  if (mlirOperationGetNumOperands(op) != 2) {
    pa_lower_fail(lower, "a tuple takes one index");
    return;
  }
  MlirValue index = pa_operand(op, 1);
  if (pa_known_int(lower, index, &known) && known >= -length && known < length) {
    pa_set_tuple_element(lower, pa_result(op), tuple, known < 0 ? known + length : known);
    return;
  }
  pa_scalar scalar = pa_scalar_of_value(index);
  MlirValue position = pa_cast_scalar(lower, pa_get1(lower, index), scalar, PA_I64),
            extent = pa_int(lower, lower->i64, length);
  if (!pa_is_non_negative_index(lower, index)) {
    MlirValue negative = pa_compare_int(lower, PA_SLT, position, pa_int(lower, lower->i64, 0));
    position = pa_select(lower, negative, pa_binary(lower, "arith.addi", position, extent), position);
  }
  if (lower->boundscheck)
    pa_raise_if(lower, pa_compare_int(lower, PA_UGE, position, extent), "IndexError", "tuple index out of range");
  select_element(lower, pa_result(op), tuple, position);
}

static void unpack_array(pa_lowering *lower, MlirOperation op) {
  pa_array array = pa_array_of(lower, pa_operand(op, 0));
  intptr_t count = mlirOperationGetNumResults(op);
  MlirValue extent = pa_extent(lower, &array, 0), expected = pa_int(lower, lower->i64, count), values[2];
  pa_raise_values_if(lower, pa_compare_int(lower, PA_SLT, extent, expected), "ValueError",
                     "not enough values to unpack (expected {1}, got {0})", extent, expected, expected);
  pa_raise_values_if(lower, pa_compare_int(lower, PA_SGT, extent, expected), "ValueError",
                     "too many values to unpack (expected {1})", extent, expected, expected);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    pa_first_axis_item(lower, &array, pa_int(lower, lower->i64, i), mlirValueGetType(result), values);
    pa_set(lower, result, values, pyarrayTypeIsArray(mlirValueGetType(result)) ? 2 : 1);
  }
}

// a, *b = x
static void lower_at_least(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue count = pa_item_count(lower, pa_operand(call->op, 0)), least = pa_argument(lower, call, 1);
  pa_raise_values_if(lower, pa_compare_int(lower, PA_SLT, count, least), "ValueError",
                     "not enough values to unpack (expected at least {1}, got {0})", count, least, least);
  pa_finish_none(lower, call);
}

// After the last item of zip(..., strict=True): as in CPython, the first argument that ended early, or the first that
// did not end.
static void lower_zip_lengths(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue least = pa_argument(lower, call, 0);
  for (int i = 1; i < call->count; ++i) least = pa_binary(lower, "arith.minsi", least, pa_argument(lower, call, i));
  MlirValue none_yet = pa_compare_int(lower, PA_SGT, pa_argument(lower, call, 0), least);
  for (int longer = 0; longer < 2; ++longer)
    for (int i = 1; i < call->count; ++i) {
      MlirValue length = pa_argument(lower, call, i), ended = pa_compare_int(lower, PA_EQ, length, least);
      const char *message = pa_arena_format(lower->arena, "zip() argument %d is %s than argument%s%d", i + 1,
                                            longer ? "longer" : "shorter", i == 1 ? " " : "s 1-", i);
      pa_raise_if(lower, longer ? pa_not(lower, ended) : pa_and(lower, none_yet, ended), "ValueError", message);
      if (!longer) none_yet = pa_and(lower, none_yet, pa_not(lower, ended));
    }
  pa_finish_none(lower, call);
}

static void lower_match_length(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue length = pa_item_count(lower, pa_operand(call->op, 0)), count = pa_argument(lower, call, 1);
  MlirValue equal = pa_compare_int(lower, PA_EQ, length, count), longer = pa_compare_int(lower, PA_SGT, length, count);
  pa_finish(lower, call, pa_binary(lower, "arith.ori", equal, pa_and(lower, longer, pa_argument(lower, call, 2))));
}

void pa_lower_unpack(pa_lowering *lower, MlirOperation op) {
  MlirValue operand = pa_operand(op, 0);
  MlirType type = mlirValueGetType(operand);
  if (pyarrayTypeIsList(type)) {
    pa_lower_list_unpack(lower, op);
  } else if (pa_is_text(type)) {
    pa_lower_text_unpack(lower, op);
  } else if (pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) > 0) {
    unpack_array(lower, op);
  } else if (mlirTypeIsATuple(type) && mlirTupleTypeGetNumTypes(type) == mlirOperationGetNumResults(op)) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      pa_set_tuple_element(lower, mlirOperationGetResult(op, i), operand, i);
  } else {
    pa_lower_fail(lower, "cannot unpack %s into %d values", pa_type_text(lower->arena, type),
                  (int)mlirOperationGetNumResults(op));
  }
}

//===-- Ranges ------------------------------------------------------------------------------------===//

bool pa_known_step(pa_lowering *lower, MlirValue range, int64_t *out_step) {
  MlirOperation op = pa_definition(range);
  return !mlirOperationIsNull(op) && pa_kind(&lower->names, op) == PA_OP_BUILTIN &&
         mlirOperationGetNumOperands(op) >= 3 && pa_known_int(lower, pa_operand(op, 2), out_step) && *out_step != 0;
}

bool pa_ascends_unsigned(pa_lowering *lower, MlirValue range) {
  MlirOperation op = pa_definition(range);
  return !mlirOperationIsNull(op) && pa_kind(&lower->names, op) == PA_OP_BUILTIN &&
         mlirOperationGetNumOperands(op) >= 3 && pa_integer_positive(&lower->names, pa_operand(op, 2)) &&
         pa_is_non_negative(lower, pa_operand(op, 0));
}

// (distance - 1) / size + 1 where there are |some| items, else 0. Distance, size and count are unsigned: those from
// INT64_MIN to INT64_MAX are more than an int64 says.
static MlirValue count_items(pa_lowering *lower, MlirValue some, MlirValue distance, MlirValue size) {
  MlirValue zero = pa_int(lower, lower->i64, 0), one = pa_int(lower, lower->i64, 1), count = distance;
  if (!mlirValueIsNull(size)) {
    MlirValue steps = pa_binary(lower, "arith.divui", pa_binary(lower, "arith.subi", distance, one), size);
    count = pa_binary(lower, "arith.addi", steps, one);
  }
  return pa_select(lower, some, count, zero);
}

// As uint64.
static MlirValue count_of_range(pa_lowering *lower, MlirValue range) {
  pa_values parts = pa_get(lower, range);
  MlirValue zero = pa_int(lower, lower->i64, 0), start = parts.items[0], stop = parts.items[1], step = parts.items[2];
  int64_t known;
  bool is_known = pa_known_step(lower, range, &known);
  MlirValue ascends = pa_compare_int(lower, PA_SLT, start, stop),
            forwards = pa_binary(lower, "arith.subi", stop, start);
  if (is_known && known == 1) return count_items(lower, ascends, forwards, (MlirValue){NULL});
  if (is_known && known > 0) return count_items(lower, ascends, forwards, step);
  MlirValue descends = pa_compare_int(lower, PA_SGT, start, stop),
            backwards = pa_binary(lower, "arith.subi", start, stop);
  MlirValue size = pa_binary(lower, "arith.subi", zero, step);
  if (is_known) return count_items(lower, descends, backwards, size);
  MlirValue negative = pa_compare_int(lower, PA_SLT, step, zero);
  return count_items(lower, pa_select(lower, negative, descends, ascends),
                     pa_select(lower, negative, backwards, forwards), pa_select(lower, negative, size, step));
}

static bool count_fits(pa_lowering *lower, MlirValue range) {
  int64_t step;
  return (pa_known_step(lower, range, &step) && (step > 2 || step < -2)) || pa_ascends_unsigned(lower, range);
}

// No loop comes to the end of one that is longer.
MlirValue pa_range_length(pa_lowering *lower, MlirValue range) {
  MlirValue count = count_of_range(lower, range);
  return count_fits(lower, range) ? count
                                  : pa_binary(lower, "arith.minui", count, pa_int(lower, lower->i64, INT64_MAX));
}

MlirValue pa_checked_range_length(pa_lowering *lower, MlirValue range) {
  MlirValue count = count_of_range(lower, range);
  if (!count_fits(lower, range))
    pa_raise_if(lower, pa_compare_int(lower, PA_SLT, count, pa_int(lower, lower->i64, 0)), "OverflowError",
                "Python int too large to convert to C ssize_t");
  return count;
}

static void lower_range_length(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, count_of_range(lower, pa_operand(call->op, 0)));
}

static MlirValue exact(pa_lowering *lower, const char *name, MlirValue a, MlirValue b, bool no_wrap) {
  if (!no_wrap) return pa_binary(lower, name, a, b);
  MlirAttribute flags = mlirAttributeParseGet(lower->context, pa_ref("#arith.overflow<nsw>"));
  return pa_value(&lower->builder, name, PA_OPERANDS(a, b), PA_RESULTS(lower->i64), PA_ATTRS({"overflowFlags", flags}));
}

static MlirValue range_item(pa_lowering *lower, MlirValue range, MlirValue number) {
  pa_values parts = pa_get(lower, range);
  int64_t step;
  bool known = pa_known_step(lower, range, &step);
  if (known && step == 1) return pa_binary(lower, "arith.addi", parts.items[0], number);
  bool no_wrap = known && step > 0 && pa_is_non_negative(lower, pa_operand(pa_definition(range), 0));
  return exact(lower, "arith.addi", parts.items[0], exact(lower, "arith.muli", number, parts.items[2], no_wrap),
               no_wrap);
}

//===-- Items -------------------------------------------------------------------------------------===//

MlirValue pa_item_count(pa_lowering *lower, MlirValue iterable) {
  MlirType type = mlirValueGetType(iterable);
  if (pyarrayTypeIsRange(type)) return pa_range_length(lower, iterable);
  if (mlirTypeIsATuple(type)) return pa_int(lower, lower->i64, mlirTupleTypeGetNumTypes(type));
  if (pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) > 0) {
    pa_array array = pa_array_of(lower, iterable);
    return pa_extent(lower, &array, 0);
  }
  if (pyarrayTypeIsList(type) || pyarrayTypeIsBytearray(type)) return pa_list_length(lower, iterable);
  if (pa_is_text(type)) return pa_text_length(lower, iterable);
  MlirAttribute message = pa_text(lower, "iteration over a 0-d array");
  if (pyarrayTypeIsArray(type))
    pa_raise(lower, "TypeError", &message, 1);
  else
    pa_lower_fail(lower, "a value of type %s cannot be iterated over", pa_type_text(lower->arena, type));
  return pa_int(lower, lower->i64, 0);
}

void pa_set_item(pa_lowering *lower, MlirValue item, MlirValue iterable, MlirValue number) {
  MlirType type = mlirValueGetType(iterable), item_type = mlirValueGetType(item);
  if (pyarrayTypeIsList(type)) {
    pa_list_item_at(lower, item, iterable, number);
  } else if (pyarrayTypeIsBytearray(type)) {
    pa_set1(lower, item, pa_runtime(lower, "pyarray_rt_bytearray_item", pa_get1(lower, iterable), number));
  } else if (pa_is_text(type)) {
    pa_text_item_at(lower, item, iterable, number);
  } else if (pyarrayTypeIsRange(type)) {
    pa_set1(lower, item, range_item(lower, iterable, number));
  } else if (mlirTypeIsATuple(type)) {
    select_element(lower, item, iterable, number);
  } else if (pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) > 0) {
    MlirValue values[2];
    pa_array array = pa_array_of(lower, iterable);
    pa_first_axis_item(lower, &array, number, item_type, values);
    pa_set(lower, item, values, pyarrayTypeIsArray(item_type) ? 2 : 1);
  } else {
    pa_lower_fail(lower, "a value of type %s cannot be iterated over", pa_type_text(lower->arena, type));
  }
}

void pa_lower_iter_length(pa_lowering *lower, MlirOperation op) {
  pa_set1(lower, pa_result(op), pa_item_count(lower, pa_operand(op, 0)));
}

void pa_lower_iter_item(pa_lowering *lower, MlirOperation op) {
  pa_set_item(lower, pa_result(op), pa_operand(op, 0), pa_get1(lower, pa_operand(op, 1)));
}

const pa_builtin_rule_row pa_iterate_rules[] = {{PA_LOWERING_MATCH_LENGTH, lower_match_length},
                                                {PA_LOWERING_AT_LEAST, lower_at_least},
                                                {PA_LOWERING_ZIP_LENGTHS, lower_zip_lengths},
                                                {PA_LOWERING_RANGE_LENGTH, lower_range_length},
                                                {0, NULL}};
