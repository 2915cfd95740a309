// Of pyarray-lower: the functions of math and of NumPy on numbers.
//
//   %0 = pyarray.builtin "math.log"(%x) : (f64) -> f64
// becomes a test of %x that raises ValueError, and math.log.
#include <math.h>
#include <string.h>

#include "lower_numbers.h"

static MlirType real_type(const pa_lowering *lower, const pa_builtin_call *call) {
  return pa_lower_scalar_type(lower, call->scalar);
}

static MlirValue constant(pa_lowering *lower, const pa_builtin_call *call, double value) {
  return pa_real(lower, real_type(lower, call), value);
}

static void get_arguments(pa_lowering *lower, const pa_builtin_call *call, MlirValue *out) {
  for (int i = 0; i < call->count && i < 4; ++i) out[i] = pa_argument(lower, call, i);
}

static MlirValue call_libm(pa_lowering *lower, const pa_builtin_call *call, const char *name) {
  MlirValue arguments[4];
  get_arguments(lower, call, arguments);
  return pa_call_math(lower, name, real_type(lower, call), arguments, call->count);
}

//===-- CPython's errors --------------------------------------------------------------------------===//

static void domain_error_if(pa_lowering *lower, MlirValue condition) {
  pa_raise_if(lower, condition, "ValueError", "math domain error");
}

static MlirValue all_of(pa_lowering *lower, const MlirValue *values, int count, bool finite) {
  MlirValue all = pa_int(lower, lower->i1, 1);
  for (int i = 0; i < count; ++i) {
    MlirValue test =
        finite ? pa_not(lower, pa_not_finite(lower, values[i])) : pa_compare_real(lower, PA_ORD, values[i], values[i]);
    all = i ? pa_and(lower, all, test) : test;
  }
  return all;
}

// Functions with an error exactly where their argument compares so with a constant: cheaper than looking at the result.
static const struct {
  const char *name;
  pa_fcmp predicate;
  double limit;
} argument_tests[] = {
    {"math.sqrt", PA_OLT, 0},  {"math.log", PA_OLE, 0},    {"math.log2", PA_OLE, 0},
    {"math.log10", PA_OLE, 0}, {"math.log1p", PA_OLE, -1},
};

static bool check_argument(pa_lowering *lower, const pa_builtin_call *call, MlirValue x) {
  for (size_t i = 0; i < sizeof argument_tests / sizeof *argument_tests; ++i) {
    if (strcmp(argument_tests[i].name, call->row->name)) continue;
    MlirValue limit = constant(lower, call, argument_tests[i].limit);
    domain_error_if(lower, pa_compare_real(lower, argument_tests[i].predicate, x, limit));
    return true;
  }
  return false;
}

// Where the gamma function has no value: 0 and the negative whole numbers.
static MlirValue at_pole(pa_lowering *lower, const pa_builtin_call *call, MlirValue x) {
  MlirValue whole = pa_compare_real(lower, PA_OEQ, x, pa_unary(lower, "math.floor", x));
  return pa_and(lower, whole, pa_compare_real(lower, PA_OLE, x, constant(lower, call, 0)));
}

typedef MlirValue (*value_test)(pa_lowering *lower, MlirValue x);

static MlirValue is_nan(pa_lowering *lower, MlirValue x) { return pa_compare_real(lower, PA_UNO, x, x); }

static MlirValue any_of(pa_lowering *lower, value_test test, const MlirValue *values, int count) {
  MlirValue any = test(lower, values[0]);
  for (int i = 1; i < count; ++i) any = pa_or(lower, any, test(lower, values[i]));
  return any;
}

// As math_1 and math_2 of CPython's mathmodule.c decide it, from result and arguments. So do the functions of cmath, by
// the parts of both.
void pa_check_result(pa_lowering *lower, const pa_builtin_call *call, const MlirValue *results, int result_count,
                     const MlirValue *arguments, int count) {
  pa_math_errors errors = call->row->errors;
  bool only_nan = errors == PA_ERRORS_DOMAIN;
  MlirValue odd = any_of(lower, only_nan ? is_nan : pa_not_finite, results, result_count);
  pa_scope scope = pa_if_begin(lower);
  MlirValue no_nan = all_of(lower, arguments, count, false);
  bool fma = !strcmp(call->row->name, "math.fma"); // which has messages of its own
  pa_raise_if(lower, pa_and(lower, any_of(lower, is_nan, results, result_count), no_nan), "ValueError",
              fma ? "invalid operation in fma" : "math domain error");
  if (!only_nan) {
    MlirValue infinite = any_of(lower, pa_is_infinite, results, result_count);
    infinite = pa_and(lower, infinite, all_of(lower, arguments, count, true));
    if (errors == PA_ERRORS_GAMMA) domain_error_if(lower, pa_and(lower, infinite, at_pole(lower, call, arguments[0])));
    if (errors == PA_ERRORS_POLE)
      domain_error_if(lower, infinite);
    else
      pa_raise_if(lower, infinite, "OverflowError", fma ? "overflow in fma" : "math range error");
  }
  pa_if_end(lower, scope, odd);
}

static void finish_checked(pa_lowering *lower, const pa_builtin_call *call, MlirValue result) {
  MlirValue arguments[4];
  get_arguments(lower, call, arguments);
  if (pa_raises_strictly(lower, call) && call->row->errors != PA_ERRORS_NONE)
    pa_check_result(lower, call, &result, 1, arguments, call->count);
  pa_finish(lower, call, result);
}

//===-- Functions by name -------------------------------------------------------------------------===//

static void lower_math(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue arguments[4];
  get_arguments(lower, call, arguments);
  if (pa_is_complex(call->scalar)) {
    pa_lower_complex_function(lower, call);
    return;
  }
  bool checked = pa_raises_strictly(lower, call) && check_argument(lower, call, arguments[0]);
  pa_attr flags = {"fastmath", lower->fastmath};
  MlirValue result = pa_value(&lower->builder, call->row->target, PA_OPERAND_ARRAY(arguments, call->count),
                              PA_RESULTS(real_type(lower, call)), .attrs = &flags, .attr_count = 1);
  if (checked)
    pa_finish(lower, call, result);
  else
    finish_checked(lower, call, result);
}

static void lower_libm(pa_lowering *lower, const pa_builtin_call *call) {
  if (pa_is_complex(call->scalar)) {
    pa_lower_complex_function(lower, call);
    return;
  }
  bool checked =
      call->count == 1 && pa_raises_strictly(lower, call) && check_argument(lower, call, pa_argument(lower, call, 0));
  MlirValue result = call_libm(lower, call, call->row->target);
  if (checked)
    pa_finish(lower, call, result);
  else
    finish_checked(lower, call, result);
}

static void lower_scale(pa_lowering *lower, const pa_builtin_call *call) {
  double factor = !strcmp(call->row->target, "degrees") ? 57.29577951308232 : 0.017453292519943295;
  pa_finish(lower, call, pa_binary(lower, "arith.mulf", pa_argument(lower, call, 0), constant(lower, call, factor)));
}

static void lower_log(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue logs[2];
  for (int i = 0; i < call->count; ++i) {
    MlirValue x = pa_argument(lower, call, i);
    if (pa_raises_strictly(lower, call)) check_argument(lower, call, x);
    logs[i] = pa_unary(lower, "math.log", x);
  }
  if (call->count == 2) {
    if (pa_raises(lower, call))
      pa_raise_if(lower, pa_compare_real(lower, PA_OEQ, logs[1], constant(lower, call, 0)), "ZeroDivisionError",
                  "float division by zero");
    logs[0] = pa_binary(lower, "arith.divf", logs[0], logs[1]);
  }
  pa_finish(lower, call, logs[0]);
}

// Infinite and NaN arguments raise nothing; 0 to a negative power is a domain error.
static void lower_math_pow(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue arguments[4];
  get_arguments(lower, call, arguments);
  MlirValue result = pa_binary(lower, "math.powf", arguments[0], arguments[1]);
  if (pa_raises_strictly(lower, call)) {
    MlirValue odd = pa_not_finite(lower, result);
    pa_scope scope = pa_if_begin(lower);
    MlirValue finite = all_of(lower, arguments, 2, true);
    MlirValue zero = pa_compare_real(lower, PA_OEQ, arguments[0], constant(lower, call, 0));
    MlirValue domain = pa_or(lower, zero, pa_compare_real(lower, PA_UNO, result, result));
    domain_error_if(lower, pa_and(lower, finite, domain));
    pa_raise_if(lower, finite, "OverflowError", "math range error");
    pa_if_end(lower, scope, odd);
  }
  pa_finish(lower, call, result);
}

// hypot(hypot(a, b), c) and so on: infinite if an argument is, even beside NaN.
static MlirValue hypot_of(pa_lowering *lower, const MlirValue *values, int count, MlirType type) {
  if (count == 0) return pa_real(lower, type, 0);
  MlirValue length = values[0];
  for (int i = 1; i < count; ++i) length = pa_call_math(lower, "hypot", type, (MlirValue[]){length, values[i]}, 2);
  return count == 1 ? pa_unary(lower, "math.absf", length) : length;
}

static void lower_hypot(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = pa_lower_scalar_type(lower, pa_scalar_of_value(pa_result(call->op)));
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, call->count + 1);
  for (int i = 0; i < call->count; ++i) values[i] = pa_argument(lower, call, i);
  pa_finish(lower, call, hypot_of(lower, values, call->count, type));
}

// Operands: the coordinates of one point, then those of the other.
static void lower_dist(pa_lowering *lower, const pa_builtin_call *call) {
  int count = call->count / 2;
  MlirValue *differences = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  for (int i = 0; i < count; ++i)
    differences[i] = pa_binary(lower, "arith.subf", pa_argument(lower, call, i), pa_argument(lower, call, count + i));
  pa_finish(lower, call, hypot_of(lower, differences, count, lower->f64));
}

//===-- Parts of floats ---------------------------------------------------------------------------===//

static void lower_ldexp(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0), exponent = pa_argument(lower, call, 1);
  exponent = pa_binary(lower, "arith.maxsi", exponent, pa_int(lower, lower->i64, INT32_MIN));
  exponent = pa_binary(lower, "arith.minsi", exponent, pa_int(lower, lower->i64, INT32_MAX));
  exponent = pa_convert(lower, "arith.trunci", exponent, lower->i32);
  MlirValue result = pa_call_math(lower, "ldexp", real_type(lower, call), (MlirValue[]){x, exponent}, 2);
  if (pa_raises_strictly(lower, call))
    pa_raise_if(lower, pa_became_infinite(lower, result, x), "OverflowError", "math range error");
  pa_finish(lower, call, result);
}

// From the bits of a float64; subnormal numbers are scaled by 2**54 first.
static void lower_frexp(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_cast_scalar(lower, pa_argument(lower, call, 0), call->scalar, PA_F64);
  MlirValue zero = pa_int(lower, lower->i64, 0), shift = pa_int(lower, lower->i64, 52),
            mask = pa_int(lower, lower->i64, 0x7ff);
  MlirValue size = pa_value(&lower->builder, "math.absf", PA_OPERANDS(x), PA_RESULTS(lower->f64));
  MlirValue small = pa_compare_real(lower, PA_OLT, size, pa_real(lower, lower->f64, 0x1p-1022));
  MlirValue scaled = pa_select(lower, small,
                               pa_value(&lower->builder, "arith.mulf",
                                        PA_OPERANDS(x, pa_real(lower, lower->f64, 0x1p54)), PA_RESULTS(lower->f64)),
                               x);
  MlirValue bits = pa_convert(lower, "arith.bitcast", scaled, lower->i64);
  MlirValue biased = pa_binary(lower, "arith.andi", pa_binary(lower, "arith.shrui", bits, shift), mask);
  MlirValue bias = pa_int(lower, lower->i64, 1022);
  bias = pa_select(lower, small, pa_int(lower, lower->i64, 1022 + 54), bias);
  MlirValue cleared = pa_binary(lower, "arith.andi", bits, pa_int(lower, lower->i64, ~((int64_t)0x7ff << 52)));
  MlirValue mantissa = pa_binary(lower, "arith.ori", cleared, pa_int(lower, lower->i64, (int64_t)1022 << 52));
  MlirValue is_zero = pa_compare_real(lower, PA_OEQ, x, pa_real(lower, lower->f64, 0));
  MlirValue whole = pa_or(lower, is_zero, pa_not_finite(lower, x)); // stays as it is
  MlirValue fraction = pa_select(lower, whole, x, pa_convert(lower, "arith.bitcast", mantissa, lower->f64));
  MlirValue exponent = pa_select(lower, whole, zero, pa_binary(lower, "arith.subi", biased, bias));
  pa_set(lower, pa_result(call->op), (MlirValue[]){pa_cast_scalar(lower, fraction, PA_F64, call->scalar), exponent}, 2);
}

static void lower_modf(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0);
  MlirValue whole = pa_unary(lower, "math.trunc", x);
  MlirValue infinite = pa_is_infinite(lower, x), rest = pa_binary(lower, "arith.subf", x, whole);
  rest = pa_select(lower, infinite, constant(lower, call, 0), rest);
  pa_set(lower, pa_result(call->op), (MlirValue[]){pa_binary(lower, "math.copysign", rest, x), whole}, 2);
}

static void lower_ulp(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_unary(lower, "math.absf", pa_argument(lower, call, 0)), infinity = constant(lower, call, INFINITY);
  MlirType type = real_type(lower, call);
  MlirValue above = pa_call_math(lower, "nextafter", type, (MlirValue[]){x, infinity}, 2);
  MlirValue below = pa_call_math(lower, "nextafter", type, (MlirValue[]){x, constant(lower, call, -INFINITY)}, 2);
  MlirValue up = pa_binary(lower, "arith.subf", above, x), down = pa_binary(lower, "arith.subf", x, below);
  MlirValue ulp = pa_select(lower, pa_is_infinite(lower, above), down, up);
  pa_finish(lower, call, pa_select(lower, pa_is_infinite(lower, x), x, ulp));
}

//===-- Tests -------------------------------------------------------------------------------------===//

static MlirValue sign_bit(pa_lowering *lower, MlirValue x, pa_scalar scalar) {
  MlirType bits = mlirIntegerTypeGet(lower->context, 8 * (unsigned)pa_scalar_bytes(scalar));
  return pa_compare_int(lower, PA_SLT, pa_convert(lower, "arith.bitcast", x, bits), pa_int(lower, bits, 0));
}

static MlirValue test_float(pa_lowering *lower, const char *test, MlirValue x, pa_scalar scalar) {
  if (strcmp(test, "isnan") == 0) return pa_compare_real(lower, PA_UNO, x, x);
  if (strcmp(test, "isinf") == 0) return pa_is_infinite(lower, x);
  if (strcmp(test, "signbit") == 0) return sign_bit(lower, x, scalar);
  return pa_not(lower, pa_not_finite(lower, x));
}

static void lower_test(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0), result;
  const char *test = call->row->target;
  bool finite = strcmp(test, "isfinite") == 0;
  if (pa_is_float(call->scalar)) {
    result = test_float(lower, test, x, call->scalar);
  } else if (pa_is_complex(call->scalar)) {
    MlirValue real = test_float(lower, test, pa_real_part(lower, x), PA_NOT_SCALAR);
    MlirValue imag = test_float(lower, test, pa_imag_part(lower, x), PA_NOT_SCALAR);
    result = finite ? pa_and(lower, real, imag) : pa_or(lower, real, imag);
  } else if (strcmp(test, "signbit") == 0 && pa_is_signed(call->scalar)) {
    result = pa_compare_int(lower, PA_SLT, x, pa_int(lower, real_type(lower, call), 0));
  } else {
    result = pa_int(lower, lower->i1, finite);
  }
  pa_finish(lower, call, result);
}

static MlirValue size_of(pa_lowering *lower, MlirValue x, bool complex) {
  if (!complex) return pa_unary(lower, "math.absf", x);
  return pa_call_math(lower, "hypot", lower->f64, (MlirValue[]){pa_real_part(lower, x), pa_imag_part(lower, x)}, 2);
}

static void lower_isclose(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x[4], zero = pa_real(lower, lower->f64, 0);
  bool complex = pa_is_complex(call->scalar);
  get_arguments(lower, call, x);
  MlirValue negative = pa_compare_real(lower, PA_OLT, x[2], zero);
  negative = pa_or(lower, negative, pa_compare_real(lower, PA_OLT, x[3], zero));
  pa_raise_if(lower, negative, "ValueError", "tolerances must be non-negative");
  MlirValue difference = size_of(lower, pa_binary(lower, complex ? "complex.sub" : "arith.subf", x[1], x[0]), complex);
  MlirValue close = pa_compare_real(lower, PA_OLE, difference, x[3]);
  for (int i = 0; i < 2; ++i) {
    MlirValue tolerance = complex ? pa_binary(lower, "arith.mulf", x[2], size_of(lower, x[i], true))
                                  : size_of(lower, pa_binary(lower, "arith.mulf", x[2], x[i]), false);
    close = pa_or(lower, close, pa_compare_real(lower, PA_OLE, difference, tolerance));
  }
  for (int i = 0; i < 2; ++i) {
    MlirValue parts[] = {complex ? pa_real_part(lower, x[i]) : x[i], complex ? pa_imag_part(lower, x[i]) : x[i]};
    close = pa_and(lower, close, pa_not(lower, any_of(lower, pa_is_infinite, parts, 1 + complex)));
  }
  MlirValue equal = pa_compare_scalar(lower, PYARRAY_COMPARE_EQ, x[0], x[1], call->scalar);
  pa_finish(lower, call, pa_or(lower, close, equal));
}

//===-- Integers ----------------------------------------------------------------------------------===//

static const struct {
  const char *name, *first_negative, *second_negative;
} integer_messages[] = {
    {"math.factorial", "factorial() not defined for negative values", NULL},
    {"math.isqrt", "isqrt() argument must be nonnegative", NULL},
    {"math.comb", "n must be a non-negative integer", "k must be a non-negative integer"},
    {"math.perm", "n must be a non-negative integer", "k must be a non-negative integer"},
};

static void check_integer_result(pa_lowering *lower, const pa_builtin_call *call, MlirValue result) {
  MlirValue negative = pa_compare_int(lower, PA_SLT, result, pa_int(lower, lower->i64, 0));
  pa_scope scope = pa_if_begin(lower);
  for (size_t i = 0; i < sizeof integer_messages / sizeof *integer_messages; ++i) {
    if (strcmp(integer_messages[i].name, call->row->name)) continue;
    pa_raise_if(lower, pa_compare_int(lower, PA_EQ, result, pa_int(lower, lower->i64, -2)), "ValueError",
                integer_messages[i].first_negative);
    if (integer_messages[i].second_negative)
      pa_raise_if(lower, pa_compare_int(lower, PA_EQ, result, pa_int(lower, lower->i64, -3)), "ValueError",
                  integer_messages[i].second_negative);
  }
  MlirAttribute message = pa_text(lower, "the result does not fit in int64");
  pa_raise(lower, "OverflowError", &message, 1);
  pa_if_end(lower, scope, negative);
}

// gcd and lcm take any number of arguments, two at a time; one alone is paired with the neutral element.
static void lower_int_fold(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue neutral = pa_int(lower, lower->i64, strcmp(call->row->target, "pyarray_rt_lcm") == 0);
  MlirValue pair[] = {pa_argument(lower, call, 0), neutral};
  for (int i = call->count > 1; i < call->count; ++i) {
    if (i) pair[1] = pa_argument(lower, call, i);
    pair[0] = pa_call_runtime(lower, call->row->target, pair, 2);
    check_integer_result(lower, call, pair[0]);
  }
  pa_finish(lower, call, pair[0]);
}

static void lower_int_function(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue arguments[4];
  get_arguments(lower, call, arguments);
  MlirValue result = pa_call_runtime(lower, call->row->target, arguments, call->count);
  check_integer_result(lower, call, result);
  pa_finish(lower, call, result);
}

// Of integers C's remainder, and 0 where that is not defined, as in NumPy.
static void lower_fmod(pa_lowering *lower, const pa_builtin_call *call) {
  if (!pa_is_integer(call->scalar)) {
    lower_libm(lower, call);
    return;
  }
  bool is_signed = pa_is_signed(call->scalar);
  MlirType type = pa_lower_scalar_type(lower, call->scalar);
  MlirValue a = pa_argument(lower, call, 0), b = pa_argument(lower, call, 1), one = pa_int(lower, type, 1);
  MlirValue gives_zero = pa_compare_int(lower, PA_EQ, b, pa_int(lower, type, 0));
  if (is_signed) gives_zero = pa_or(lower, gives_zero, pa_compare_int(lower, PA_EQ, b, pa_int(lower, type, -1)));
  pa_finish(lower, call,
            pa_binary(lower, is_signed ? "arith.remsi" : "arith.remui", a, pa_select(lower, gives_zero, one, b)));
}

const pa_builtin_rule_row pa_math_rules[] = {
    {PA_LOWERING_MATH, lower_math},
    {PA_LOWERING_LIBM, lower_libm},
    {PA_LOWERING_SCALE, lower_scale},
    {PA_LOWERING_LOG, lower_log},
    {PA_LOWERING_MATH_POW, lower_math_pow},
    {PA_LOWERING_HYPOT, lower_hypot},
    {PA_LOWERING_DIST, lower_dist},
    {PA_LOWERING_LDEXP, lower_ldexp},
    {PA_LOWERING_FREXP, lower_frexp},
    {PA_LOWERING_MODF, lower_modf},
    {PA_LOWERING_ULP, lower_ulp},
    {PA_LOWERING_TEST, lower_test},
    {PA_LOWERING_ISCLOSE, lower_isclose},
    {PA_LOWERING_INT_FUNCTION, lower_int_function},
    {PA_LOWERING_INT_FOLD, lower_int_fold},
    {PA_LOWERING_FMOD, lower_fmod},
    {0, NULL},
};
