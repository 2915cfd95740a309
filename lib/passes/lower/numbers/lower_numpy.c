// Of pyarray-lower: NumPy's functions of scalars that no operation and no function of libm is.
//
//   %0 = pyarray.builtin "numpy.heaviside"(%x, %y) : (f64, f64) -> f64
// becomes comparisons of %x with 0 and selections.
#include <math.h>
#include <string.h>

#include "lower_numbers.h"

static MlirType type_of(const pa_lowering *lower, const pa_builtin_call *call) {
  return pa_lower_scalar_type(lower, call->scalar);
}

//===-- Bits and truth ----------------------------------------------------------------------------===//

static void lower_invert(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue ones = pa_int(lower, type_of(lower, call), call->scalar == PA_BOOL ? 1 : -1);
  pa_finish(lower, call, pa_binary(lower, "arith.xori", pa_argument(lower, call, 0), ones));
}

static MlirValue truth_of(pa_lowering *lower, const pa_builtin_call *call, int i) {
  return pa_truth(lower, pa_argument(lower, call, i), pa_scalar_of_value(pa_operand(call->op, i)));
}

static void lower_logical(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue truth = truth_of(lower, call, 0);
  pa_finish(lower, call,
            call->count == 1 ? pa_not(lower, truth)
                             : pa_binary(lower, call->row->target, truth, truth_of(lower, call, 1)));
}

static void lower_comparison(pa_lowering *lower, const pa_builtin_call *call) {
  static const struct {
    const char *name;
    pyarray_compare_kind kind;
  } rows[] = {{"eq", PYARRAY_COMPARE_EQ}, {"ne", PYARRAY_COMPARE_NE}, {"lt", PYARRAY_COMPARE_LT},
              {"le", PYARRAY_COMPARE_LE}, {"gt", PYARRAY_COMPARE_GT}, {"ge", PYARRAY_COMPARE_GE}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].name, call->row->target) == 0)
      pa_finish(lower, call,
                pa_compare_in_order(lower, rows[i].kind, pa_operand(call->op, 0), pa_operand(call->op, 1)));
}

static void lower_where(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call,
            pa_select(lower, truth_of(lower, call, 0), pa_get1(lower, pa_operand(call->op, 1)),
                      pa_get1(lower, pa_operand(call->op, 2))));
}

static void lower_norm(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue z = pa_argument(lower, call, 0), real = pa_real_part(lower, z), imag = pa_imag_part(lower, z);
  pa_finish(lower, call,
            pa_binary(lower, "arith.addf", pa_binary(lower, "arith.mulf", real, real),
                      pa_binary(lower, "arith.mulf", imag, imag)));
}

//===-- Integers ----------------------------------------------------------------------------------===//

// Of magnitudes, which fit unsigned numbers; the result wraps where it does not fit.
static void lower_divisor(pa_lowering *lower, const pa_builtin_call *call) {
  bool with_sign = pa_is_signed(call->scalar);
  pa_scalar wide = with_sign ? PA_I64 : PA_U64;
  MlirValue numbers[2];
  for (int i = 0; i < 2; ++i) {
    numbers[i] = pa_cast_scalar(lower, pa_argument(lower, call, i), call->scalar, wide);
    if (with_sign) numbers[i] = pa_unary(lower, "math.absi", numbers[i]);
  }
  MlirValue result = pa_call_runtime(lower, call->row->target, numbers, 2);
  pa_finish(lower, call, pa_cast_scalar(lower, result, wide, call->scalar));
}

//===-- Powers ------------------------------------------------------------------------------------===//

// Products up to the eighth power are within 3.5 ULP.
static bool is_small_power(pa_lowering *lower, MlirValue exponent, int64_t *out) {
  double known;
  if (!pa_known_real(lower, exponent, &known) || !(known >= 2 && known <= 8) || known != floor(known)) return false;
  return *out = (int64_t)known, true;
}

static void lower_power(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue operands[] = {pa_argument(lower, call, 0), pa_argument(lower, call, 1)};
  int64_t whole;
  if (pa_is_complex(call->scalar))
    pa_finish(lower, call, pa_call_complex(lower, "pow_numpy", operands, 2, NULL));
  else if (pa_is_float(call->scalar) && is_small_power(lower, pa_operand(call->op, 1), &whole))
    pa_finish(lower, call, pa_product_power(lower, operands[0], whole));
  else if (pa_is_float(call->scalar))
    pa_finish(lower, call, pa_binary(lower, "math.powf", operands[0], operands[1]));
  else
    pa_finish(lower, call, pa_power(lower, pa_operand(call->op, 0), pa_operand(call->op, 1)));
}

//===-- Floats ------------------------------------------------------------------------------------===//

static void lower_heaviside(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = type_of(lower, call);
  MlirValue x = pa_argument(lower, call, 0), zero = pa_real(lower, type, 0), one = pa_real(lower, type, 1);
  MlirValue step = pa_select(lower, pa_compare_real(lower, PA_OGT, x, zero), one, x); // x is NaN, if not below 0
  step = pa_select(lower, pa_compare_real(lower, PA_OLT, x, zero), zero, step);
  MlirValue at_zero = pa_compare_real(lower, PA_OEQ, x, zero);
  pa_finish(lower, call, pa_select(lower, at_zero, pa_argument(lower, call, 1), step));
}

// The greater one and log(1 + exp(-difference)); equal infinities have no difference. |target| is the exponential.
static void lower_logaddexp(pa_lowering *lower, const pa_builtin_call *call) {
  bool binary = strcmp(call->row->target, "math.exp2") == 0;
  MlirType type = type_of(lower, call);
  MlirValue x = pa_argument(lower, call, 0), y = pa_argument(lower, call, 1);
  MlirValue difference = pa_binary(lower, "arith.subf", x, y);
  MlirValue x_greater = pa_compare_real(lower, PA_OGT, difference, pa_real(lower, type, 0));
  MlirValue distance = pa_unary(lower, "arith.negf", pa_unary(lower, "math.absf", difference));
  MlirValue rest = pa_unary(lower, call->row->target, distance);
  rest = pa_call_math(lower, "log1p", type, &rest, 1);
  if (binary) rest = pa_binary(lower, "arith.mulf", rest, pa_real(lower, type, M_LOG2E));
  MlirValue sum = pa_binary(lower, "arith.addf", pa_select(lower, x_greater, x, y), rest);
  MlirValue twice = pa_binary(lower, "arith.addf", x, pa_real(lower, type, binary ? 1 : M_LN2));
  pa_finish(lower, call, pa_select(lower, pa_compare_real(lower, PA_OEQ, x, y), twice, sum));
}

// The step to the next float away from 0, with the sign of |x|.
static void lower_spacing(pa_lowering *lower, const pa_builtin_call *call) {
  if (pa_is_half(call->scalar)) {
    pa_finish(lower, call, pa_half_spacing(lower, pa_argument(lower, call, 0)));
    return;
  }
  MlirType type = type_of(lower, call);
  MlirValue x = pa_argument(lower, call, 0), negative = pa_compare_real(lower, PA_OLT, x, pa_real(lower, type, 0));
  MlirValue outwards = pa_select(lower, negative, pa_real(lower, type, -INFINITY), pa_real(lower, type, INFINITY));
  MlirValue next = pa_call_math(lower, "nextafter", type, (MlirValue[]){x, outwards}, 2);
  pa_finish(lower, call, pa_binary(lower, "arith.subf", next, x));
}

// Each part of a complex number for itself.
static void lower_by_parts(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0);
  if (!pa_is_complex(call->scalar)) {
    pa_finish(lower, call, pa_unary(lower, call->row->target, x));
    return;
  }
  MlirValue real = pa_unary(lower, call->row->target, pa_real_part(lower, x));
  pa_finish(lower, call, pa_complex(lower, real, pa_unary(lower, call->row->target, pa_imag_part(lower, x))));
}

//===-- NumPy's arithmetic ------------------------------------------------------------------------===//

static const struct {
  const char *target, *with_sign, *without, *real;
} minmax_names[] = {
    {"maximum", "arith.maxsi", "arith.maxui", "arith.maximumf"},
    {"minimum", "arith.minsi", "arith.minui", "arith.minimumf"},
    {"fmax", "arith.maxsi", "arith.maxui", "arith.maxnumf"},
    {"fmin", "arith.minsi", "arith.minui", "arith.minnumf"},
};

// Which of two zeros is the least NumPy leaves to the processor, which takes half the time then; CUDA's functions say
// it.
static MlirAttribute extreme_flags(pa_lowering *lower, const pa_builtin_call *call) {
  if (!pa_is_float(call->scalar)) return mlirAttributeGetNull();
  bool any_zero = mlirAttributeIsNull(lower->fastmath) && strncmp(call->row->name, "numpy.", 6) == 0;
  return any_zero ? mlirAttributeParseGet(lower->context, pa_ref("#arith.fastmath<nsz>")) : lower->fastmath;
}

static void lower_numpy_minmax(pa_lowering *lower, const pa_builtin_call *call) {
  if (pa_is_complex(call->scalar)) {
    pa_lower_complex_extreme(lower, call);
    return;
  }
  for (size_t i = 0; i < sizeof minmax_names / sizeof *minmax_names; ++i) {
    if (strcmp(minmax_names[i].target, call->row->target)) continue;
    const char *name = pa_is_float(call->scalar)    ? minmax_names[i].real
                       : pa_is_signed(call->scalar) ? minmax_names[i].with_sign
                                                    : minmax_names[i].without;
    MlirValue a = pa_argument(lower, call, 0), b = pa_argument(lower, call, 1);
    if (pa_failed(&lower->builder)) return;
    pa_finish(lower, call,
              pa_value(&lower->builder, name, PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)),
                       PA_ATTRS({"fastmath", extreme_flags(lower, call)})));
  }
}

static MlirValue one_of(pa_lowering *lower, MlirType type) {
  return mlirTypeIsAInteger(type) ? pa_int(lower, type, 1) : pa_real(lower, type, 1);
}

static void lower_sign(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0);
  MlirType type = type_of(lower, call);
  if (pa_is_complex(call->scalar)) {
    pa_lower_complex_sign(lower, call);
    return;
  }
  bool real = pa_is_float(call->scalar);
  MlirValue zero = real ? pa_real(lower, type, 0) : pa_int(lower, type, 0), one = one_of(lower, type);
  MlirValue minus_one = real ? pa_real(lower, type, -1) : pa_int(lower, type, -1);
  MlirValue above = pa_compare_scalar(lower, PYARRAY_COMPARE_GT, x, zero, call->scalar);
  MlirValue below = pa_compare_scalar(lower, PYARRAY_COMPARE_LT, x, zero, call->scalar);
  MlirValue otherwise = real ? pa_select(lower, pa_compare_real(lower, PA_UNO, x, x), x, zero) : zero;
  pa_finish(lower, call, pa_select(lower, above, one, pa_select(lower, below, minus_one, otherwise)));
}

static void lower_negative(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0);
  pa_finish(lower, call, pa_negated(lower, x, call->scalar));
}

// 1 and -1 are their own. Of zero NumPy's is what the processor makes of an infinite float64: the least int32 or int64,
// else 0.
static MlirValue reciprocal_of_integer(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0);
  MlirType type = mlirValueGetType(x);
  MlirValue zero = pa_int(lower, type, 0), own = pa_compare_int(lower, PA_EQ, x, pa_int(lower, type, 1));
  if (pa_is_signed(call->scalar)) own = pa_or(lower, own, pa_compare_int(lower, PA_EQ, x, pa_int(lower, type, -1)));
  MlirValue result = pa_select(lower, own, x, zero);
  if (call->scalar != PA_I32 && call->scalar != PA_I64) return result;
  MlirValue least = pa_int(lower, type, call->scalar == PA_I32 ? INT32_MIN : INT64_MIN);
  return pa_select(lower, pa_compare_int(lower, PA_EQ, x, zero), least, result);
}

static void lower_reciprocal(pa_lowering *lower, const pa_builtin_call *call) {
  if (pa_is_complex(call->scalar))
    pa_lower_complex_reciprocal(lower, call);
  else if (pa_is_integer(call->scalar))
    pa_finish(lower, call, reciprocal_of_integer(lower, call));
  else
    pa_finish(lower, call,
              pa_binary(lower, "arith.divf", pa_real(lower, type_of(lower, call), 1), pa_argument(lower, call, 0)));
}

static void lower_square(pa_lowering *lower, const pa_builtin_call *call) {
  const char *name = pa_is_complex(call->scalar) ? "complex.mul"
                     : pa_is_float(call->scalar) ? "arith.mulf"
                                                 : "arith.muli";
  MlirValue x = pa_argument(lower, call, 0);
  pa_finish(lower, call, pa_binary(lower, name, x, x));
}

static void lower_divide(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call,
            pa_divide_as_numpy(lower, pa_argument(lower, call, 0), pa_argument(lower, call, 1), call->scalar));
}

const pa_builtin_rule_row pa_numpy_rules[] = {
    {PA_LOWERING_INVERT, lower_invert},
    {PA_LOWERING_LOGICAL, lower_logical},
    {PA_LOWERING_DIVISOR, lower_divisor},
    {PA_LOWERING_POWER, lower_power},
    {PA_LOWERING_HEAVISIDE, lower_heaviside},
    {PA_LOWERING_LOGADDEXP, lower_logaddexp},
    {PA_LOWERING_SPACING, lower_spacing},
    {PA_LOWERING_BY_PARTS, lower_by_parts},
    {PA_LOWERING_COMPARE, lower_comparison},
    {PA_LOWERING_WHERE, lower_where},
    {PA_LOWERING_NORM, lower_norm},
    {PA_LOWERING_NUMPY_MINMAX, lower_numpy_minmax},
    {PA_LOWERING_SIGN, lower_sign},
    {PA_LOWERING_NEGATIVE, lower_negative},
    {PA_LOWERING_RECIPROCAL, lower_reciprocal},
    {PA_LOWERING_SQUARE, lower_square},
    {PA_LOWERING_DIVIDE, lower_divide},
    {0, NULL},
};
