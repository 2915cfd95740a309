// Of pyarray-lower: Python's builtins, conversions to int, random numbers, and the dispatch on the rules of
// builtins.def.
//
//   %0 = pyarray.builtin "builtins.abs"(%x) : (f64) -> f64    becomes    %0 = math.absf %x : f64
#include <string.h>

#include "lower_numbers.h"
#include "lower_values.h"

static pa_scalar result_scalar(const pa_builtin_call *call) { return pa_scalar_of_value(pa_result(call->op)); }
static MlirType result_type(const pa_lowering *lower, const pa_builtin_call *call) {
  return pa_lower_scalar_type(lower, result_scalar(call));
}

//===-- Conversions -------------------------------------------------------------------------------===//

static void lower_conversion(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = result_type(lower, call);
  if (call->count)
    pa_finish(lower, call, pa_cast_scalar(lower, pa_argument(lower, call, 0), call->scalar, result_scalar(call)));
  else if (pa_is_float(result_scalar(call)))
    pa_finish(lower, call, pa_real(lower, type, 0));
  else
    pa_finish(lower, call, pa_int(lower, type, 0));
}

static void check_convertible(pa_lowering *lower, MlirValue x) {
  MlirValue odd = pa_not_finite(lower, x);
  pa_scope scope = pa_if_begin(lower);
  pa_raise_if(lower, pa_compare_real(lower, PA_UNO, x, x), "ValueError", "cannot convert float NaN to integer");
  MlirAttribute message = pa_text(lower, "cannot convert float infinity to integer");
  pa_raise(lower, "OverflowError", &message, 1);
  pa_if_end(lower, scope, odd);
}

// |function| rounds to a whole float; NULL truncates, as the conversion does.
static void convert_rounded(pa_lowering *lower, const pa_builtin_call *call, const char *function) {
  MlirValue x = pa_argument(lower, call, 0);
  if (pa_is_float(call->scalar)) {
    if (pa_raises(lower, call)) check_convertible(lower, x);
    if (function) x = pa_unary(lower, function, x);
  }
  pa_finish(lower, call, pa_cast_scalar(lower, x, call->scalar, result_scalar(call)));
}

static void lower_int(pa_lowering *lower, const pa_builtin_call *call) { convert_rounded(lower, call, NULL); }

static void lower_floor(pa_lowering *lower, const pa_builtin_call *call) {
  convert_rounded(lower, call, strcmp(call->row->target, "math.trunc") ? call->row->target : NULL);
}

//===-- round -------------------------------------------------------------------------------------===//

// To a multiple of 10**-digits for negative |digits|, ties to the even multiple.
static MlirValue round_int(pa_lowering *lower, MlirValue x, MlirValue digits) {
  MlirValue zero = pa_int(lower, lower->i64, 0), one = pa_int(lower, lower->i64, 1),
            ten = pa_int(lower, lower->i64, 10);
  MlirValue places = pa_binary(lower, "arith.subi", zero, digits);
  MlirValue too_many = pa_compare_int(lower, PA_SGT, places, pa_int(lower, lower->i64, 18));
  MlirValue unit = pa_runtime(lower, "pyarray_rt_ipow_i64", ten, pa_select(lower, too_many, zero, places));
  unit = pa_binary(lower, "arith.maxsi", unit, one);
  MlirValue rest = pa_binary(lower, "arith.remsi", x, unit);
  MlirValue negative = pa_compare_int(lower, PA_SLT, rest, zero);
  rest = pa_select(lower, negative, pa_binary(lower, "arith.addi", rest, unit), rest);
  MlirValue below = pa_binary(lower, "arith.subi", x, rest), above = pa_binary(lower, "arith.subi", unit, rest);
  MlirValue odd = pa_binary(lower, "arith.andi", pa_binary(lower, "arith.divsi", below, unit), one);
  MlirValue half = pa_compare_int(lower, PA_EQ, rest, above), not_even = pa_compare_int(lower, PA_NE, odd, zero);
  MlirValue tie = pa_and(lower, half, not_even);
  MlirValue up = pa_or(lower, pa_compare_int(lower, PA_SGT, rest, above), tie);
  MlirValue rounded = pa_select(lower, up, pa_binary(lower, "arith.addi", below, unit), below);
  rounded = pa_select(lower, too_many, zero, rounded);
  return pa_select(lower, pa_compare_int(lower, PA_SGE, digits, zero), x, rounded);
}

static void lower_round(pa_lowering *lower, const pa_builtin_call *call) {
  if (call->count < 2 || pyarrayTypeIsNone(mlirValueGetType(pa_operand(call->op, 1)))) {
    convert_rounded(lower, call, "math.roundeven");
    return;
  }
  MlirValue x = pa_argument(lower, call, 0), digits = pa_argument(lower, call, 1);
  if (!pa_is_float(call->scalar)) {
    pa_finish(lower, call, round_int(lower, x, digits));
    return;
  }
  const char *function = lower->device ? "pyarray_dev_round_digits" : "pyarray_rt_round_digits_f64";
  MlirValue rounded = pa_runtime(lower, function, pa_cast_scalar(lower, x, call->scalar, PA_F64), digits);
  if (pa_raises_strictly(lower, call))
    pa_raise_if(lower, pa_became_infinite(lower, rounded, x), "OverflowError", "rounded value too large to represent");
  pa_finish(lower, call, pa_cast_scalar(lower, rounded, PA_F64, call->scalar));
}

//===-- abs, min, max, divmod, pow ----------------------------------------------------------------===//

static void lower_abs(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0);
  if (pa_is_float(call->scalar)) x = pa_unary(lower, "math.absf", x);
  if (pa_is_signed(call->scalar)) x = pa_unary(lower, "math.absi", x);
  if (pa_is_complex(call->scalar)) {
    MlirValue parts[] = {pa_real_part(lower, x), pa_imag_part(lower, x)};
    x = pa_call_libm(lower, "hypot", result_type(lower, call), parts, 2);
    if (pa_raises_strictly(lower, call)) {
      MlirValue overflow = pa_became_infinite(lower, x, parts[0]);
      MlirValue second = pa_not(lower, pa_is_infinite(lower, parts[1]));
      pa_raise_if(lower, pa_and(lower, overflow, second), "OverflowError", "absolute value too large");
    }
  }
  pa_finish(lower, call, x);
}

// The first of equal operands, and of those that do not compare, wins.
static void lower_minmax(pa_lowering *lower, const pa_builtin_call *call) {
  pyarray_compare_kind better = strcmp(call->row->target, "max") == 0 ? PYARRAY_COMPARE_GT : PYARRAY_COMPARE_LT;
  MlirValue best = pa_argument(lower, call, 0);
  pa_scalar best_scalar = call->scalar;
  for (int i = 1; i < call->count; ++i) {
    MlirValue next = pa_argument(lower, call, i);
    pa_scalar scalar = pa_scalar_of_value(pa_operand(call->op, i));
    best = pa_select(lower, pa_compare_numbers(lower, better, next, scalar, best, best_scalar), next, best);
    if (scalar != best_scalar) best_scalar = result_scalar(call); // of int64 and uint64: that which holds it
  }
  pa_finish(lower, call, best);
}

static void lower_divmod(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue parts[2];
  pa_divmod(lower, pa_operand(call->op, 0), pa_operand(call->op, 1), &parts[0], &parts[1]);
  pa_set(lower, pa_result(call->op), parts, 2);
}

static void lower_pow(pa_lowering *lower, const pa_builtin_call *call) {
  if (call->count == 2) {
    pa_finish(lower, call, pa_power(lower, pa_operand(call->op, 0), pa_operand(call->op, 1)));
    return;
  }
  MlirValue modulus = pa_argument(lower, call, 2), zero = pa_int(lower, lower->i64, 0);
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, modulus, zero), "ValueError", "pow() 3rd argument cannot be 0");
  int64_t without_sign = 0;
  for (int i = 0; i < 3; ++i) without_sign |= (int64_t)(pa_scalar_of_value(pa_operand(call->op, i)) == PA_U64) << i;
  MlirValue arguments[] = {pa_argument(lower, call, 0), pa_argument(lower, call, 1), modulus,
                           pa_int(lower, lower->i64, without_sign)};
  MlirValue power = pa_call_runtime(lower, "pyarray_rt_pow_mod", arguments, 4);
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, power, modulus), "ValueError",
              "base is not invertible for the given modulus");
  pa_finish(lower, call, power);
}

//===-- complex -----------------------------------------------------------------------------------===//

// complex(a, b) is a + b * 1j, where either may be complex.
// The same bits as another type.
static void lower_bits(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = pa_lower_scalar_type(lower, result_scalar(call));
  MlirValue x = pa_argument(lower, call, 0);
  if (!mlirTypeEqual(pa_type_or_none(lower, x), type)) x = pa_convert(lower, "arith.bitcast", x, type);
  pa_finish(lower, call, x);
}

static void lower_complex(pa_lowering *lower, const pa_builtin_call *call) {
  pa_scalar part = result_scalar(call) == PA_C64 ? PA_F32 : PA_F64;
  MlirValue real = pa_real(lower, pa_lower_scalar_type(lower, part), 0), imag = real;
  for (int i = 0; i < call->count; ++i) {
    pa_scalar scalar = pa_scalar_of_value(pa_operand(call->op, i));
    MlirValue value = pa_argument(lower, call, i);
    if (!pa_is_complex(scalar)) {
      value = pa_cast_scalar(lower, value, scalar, part);
      if (i == 0)
        real = value;
      else
        imag = pa_is_complex(call->scalar) ? pa_binary(lower, "arith.addf", imag, value) : value;
      continue;
    }
    value = pa_cast_scalar(lower, value, scalar, result_scalar(call));
    if (i == 0) {
      real = pa_real_part(lower, value);
      imag = pa_imag_part(lower, value);
    } else {
      real = pa_binary(lower, "arith.subf", real, pa_imag_part(lower, value));
      imag = pa_binary(lower, "arith.addf", imag, pa_real_part(lower, value));
    }
  }
  pa_finish(lower, call, pa_complex(lower, real, imag));
}

static void lower_conjugate(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0);
  if (pa_is_complex(call->scalar)) {
    MlirValue real = pa_real_part(lower, x), imag = pa_imag_part(lower, x);
    x = pa_complex(lower, real, pa_unary(lower, "arith.negf", imag));
  }
  pa_finish(lower, call, x);
}

static void lower_part(pa_lowering *lower, const pa_builtin_call *call) {
  bool imag = strcmp(call->row->target, "im") == 0;
  MlirValue x = pa_argument(lower, call, 0);
  if (pa_is_complex(call->scalar))
    x = imag ? pa_imag_part(lower, x) : pa_real_part(lower, x);
  else if (imag)
    x = pa_is_float(call->scalar) ? pa_real(lower, result_type(lower, call), 0)
                                  : pa_int(lower, result_type(lower, call), 0);
  pa_finish(lower, call, x);
}

//===-- range, len --------------------------------------------------------------------------------===//

// The operands after the third are those among the three that were uint64.
static void lower_range(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue parts[3];
  int64_t step;
  for (int i = 3; i < call->count; ++i)
    pa_raise_large_if(lower, pa_argument(lower, call, i), "OverflowError",
                      "range() argument {0}{1} does not fit in int64", NULL, 0);
  for (int i = 0; i < 3; ++i) parts[i] = pa_argument(lower, call, i);
  if (!pa_known_int(lower, pa_operand(call->op, 2), &step) || step == 0)
    pa_raise_if(lower, pa_compare_int(lower, PA_EQ, parts[2], pa_int(lower, lower->i64, 0)), "ValueError",
                "range() arg 3 must not be zero");
  pa_set(lower, pa_result(call->op), parts, 3);
}

// The parts that are not None.
static void lower_slice(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue parts[3];
  for (int i = 0; i < call->count; ++i) parts[i] = pa_argument(lower, call, i);
  pa_set(lower, pa_result(call->op), parts, call->count);
}

//===-- State of the thread -----------------------------------------------------------------------===//

// What a function of the runtime without parameters says.
static void lower_runtime(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_call_runtime(lower, call->row->target, NULL, 0));
}

static void lower_seed(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue seed = pa_argument(lower, call, 0);
  if (strncmp(call->row->name, "numpy.", 6) == 0)
    pa_raise_if(lower, pa_compare_int(lower, PA_UGT, seed, pa_int(lower, lower->i64, UINT32_MAX)), "ValueError",
                "Seed must be between 0 and 2**32 - 1");
  pa_runtime(lower, call->row->target, seed);
  pa_finish_none(lower, call);
}

static void lower_set_num_threads(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue refused = pa_runtime(lower, call->row->target, pa_argument(lower, call, 0)),
            zero = pa_int(lower, lower->i32, 0);
  MlirValue most = pa_call_runtime(lower, "pyarray_rt_max_threads", NULL, 0);
  pa_raise_values_if(lower, pa_compare_int(lower, PA_NE, refused, zero), "ValueError",
                     "The number of threads must be between 1 and {0}", most, most, most);
  pa_finish_none(lower, call);
}

static void lower_set_chunksize(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue previous = pa_runtime(lower, call->row->target, pa_argument(lower, call, 0));
  pa_raise_if(lower, pa_compare_int(lower, PA_SLT, previous, pa_int(lower, lower->i64, 0)), "ValueError",
              "chunksize must be greater than or equal to zero");
  pa_finish(lower, call, previous);
}

//===-- Operators as functions --------------------------------------------------------------------===//

// NumPy's functions raise nothing where the operators do, and the sum of two bools is a bool.
static void lower_operator(pa_lowering *lower, const pa_builtin_call *call) {
  static const struct {
    const char *name;
    pyarray_binary_kind kind, of_bools;
  } rows[] = {
      {"add", PYARRAY_BINARY_ADD, PYARRAY_BINARY_OR},
      {"sub", PYARRAY_BINARY_SUB, PYARRAY_BINARY_SUB},
      {"mul", PYARRAY_BINARY_MUL, PYARRAY_BINARY_AND},
      {"floordiv", PYARRAY_BINARY_FLOORDIV, PYARRAY_BINARY_FLOORDIV},
      {"mod", PYARRAY_BINARY_MOD, PYARRAY_BINARY_MOD},
      {"lshift", PYARRAY_BINARY_LSHIFT, PYARRAY_BINARY_LSHIFT},
      {"rshift", PYARRAY_BINARY_RSHIFT, PYARRAY_BINARY_RSHIFT},
      {"and", PYARRAY_BINARY_AND, PYARRAY_BINARY_AND},
      {"or", PYARRAY_BINARY_OR, PYARRAY_BINARY_OR},
      {"xor", PYARRAY_BINARY_XOR, PYARRAY_BINARY_XOR},
  };
  bool python_errors = lower->python_errors;
  lower->python_errors = pa_raises(lower, call);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].name, call->row->target) == 0)
      pa_finish(lower, call,
                pa_binary_scalar(lower, call->scalar == PA_BOOL ? rows[i].of_bools : rows[i].kind,
                                 pa_operand(call->op, 0), pa_operand(call->op, 1)));
  lower->python_errors = python_errors;
}

//===-- Dispatch ----------------------------------------------------------------------------------===//

static const pa_builtin_rule_row rules[] = {
    {PA_LOWERING_ABS, lower_abs},
    {PA_LOWERING_CAST, lower_conversion},
    {PA_LOWERING_COMPLEX, lower_complex},
    {PA_LOWERING_DIVMOD, lower_divmod},
    {PA_LOWERING_INT, lower_int},
    {PA_LOWERING_MINMAX, lower_minmax},
    {PA_LOWERING_POW, lower_pow},
    {PA_LOWERING_RANGE, lower_range},
    {PA_LOWERING_SLICE, lower_slice},
    {PA_LOWERING_ROUND, lower_round},
    {PA_LOWERING_FLOOR, lower_floor},
    {PA_LOWERING_BINARY, lower_operator},
    {PA_LOWERING_CONJUGATE, lower_conjugate},
    {PA_LOWERING_SAME_BITS, lower_bits},
    {PA_LOWERING_PART, lower_part},
    {PA_LOWERING_RUNTIME, lower_runtime},
    {PA_LOWERING_SEED, lower_seed},
    {PA_LOWERING_SET_NUM_THREADS, lower_set_num_threads},
    {PA_LOWERING_SET_CHUNKSIZE, lower_set_chunksize},
    {0, NULL},
};

static pa_builtin_rule find_rule(pa_builtin_lowering rule) {
  const pa_builtin_rule_row *tables[] = {rules,
                                         pa_math_rules,
                                         pa_complex_rules,
                                         pa_numpy_rules,
                                         pa_reduction_rules,
                                         pa_access_rules,
                                         pa_array_rules,
                                         pa_time_rules,
                                         pa_device_rules,
                                         pa_libdevice_rules,
                                         pa_list_rules,
                                         pa_list_search_rules,
                                         pa_dict_rules,
                                         pa_instance_rules,
                                         pa_iterate_rules,
                                         pa_text_rules,
                                         pa_record_rules,
                                         pa_vector_rules,
                                         pa_native_rules,
                                         pa_buffer_rules,
                                         pa_numpy_loop_rules,
                                         pa_device_copy_rules,
                                         pa_random_rules,
                                         pa_index_rules,
                                         pa_view_rules};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i)
    for (const pa_builtin_rule_row *row = tables[i]; row->function; ++row)
      if (row->rule == rule) return row->function;
  return NULL;
}

// That operands and result are those of the row is verified (dialects/pyarray/PyArrayBuiltins.cpp).
void pa_lower_builtin(pa_lowering *lower, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  const pa_builtin *row = pa_builtin_find(name);
  pa_builtin_rule rule = row ? find_rule(row->lowering) : NULL;
  if (!rule) {
    pa_lower_fail(lower, "there is no lowering of %.*s", (int)name.length, name.data);
    return;
  }
  pa_builtin_call call = {.op = op, .row = row, .count = (int)mlirOperationGetNumOperands(op), .scalar = PA_NOT_SCALAR};
  if (call.count) call.scalar = pa_scalar_of_value(pa_operand(op, 0));
  rule(lower, &call);
  if (pyarrayOperationGetEffectsOn(op, pa_result(op)).allocates & PYARRAY_RESOURCE_HEADERS)
    pa_acquire(lower, pa_result(op));
}
