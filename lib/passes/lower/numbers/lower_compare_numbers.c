// Of pyarray-lower: comparisons of numbers.
//
//   %0 = pyarray.compare lt %a, %b : (si64, ui64) -> i1
// becomes a comparison of the bits as unsigned numbers, or'ed with a test whether %a is negative. Numbers of different
// types compare by their exact values, as Python's do.
#include "lower_numbers.h"

// ORDER KINDS
static const struct {
  pa_icmp with_sign, without;
  pa_fcmp real;
} predicates[] = {
    [PYARRAY_COMPARE_EQ] = {PA_EQ, PA_EQ, PA_OEQ},   [PYARRAY_COMPARE_NE] = {PA_NE, PA_NE, PA_UNE},
    [PYARRAY_COMPARE_LT] = {PA_SLT, PA_ULT, PA_OLT}, [PYARRAY_COMPARE_LE] = {PA_SLE, PA_ULE, PA_OLE},
    [PYARRAY_COMPARE_GT] = {PA_SGT, PA_UGT, PA_OGT}, [PYARRAY_COMPARE_GE] = {PA_SGE, PA_UGE, PA_OGE},
    [PYARRAY_COMPARE_IS] = {PA_EQ, PA_EQ, PA_OEQ},   [PYARRAY_COMPARE_ISNOT] = {PA_NE, PA_NE, PA_UNE},
};

MlirValue pa_compare_scalar(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b, pa_scalar scalar) {
  if (pa_is_float(scalar)) return pa_compare_real(lower, predicates[kind].real, a, b);
  if (!pa_is_complex(scalar))
    return pa_compare_int(lower, pa_is_signed(scalar) ? predicates[kind].with_sign : predicates[kind].without, a, b);
  bool unequal = predicates[kind].with_sign == PA_NE;
  MlirValue ar = pa_real_part(lower, a), br = pa_real_part(lower, b), ai = pa_imag_part(lower, a),
            bi = pa_imag_part(lower, b);
  MlirValue real = pa_compare_real(lower, predicates[kind].real, ar, br);
  MlirValue imag = pa_compare_real(lower, predicates[kind].real, ai, bi);
  return unequal ? pa_or(lower, real, imag) : pa_and(lower, real, imag);
}

static bool holds_below(pyarray_compare_kind kind) { // where the left operand is the lesser
  return kind == PYARRAY_COMPARE_LT || kind == PYARRAY_COMPARE_LE || kind == PYARRAY_COMPARE_NE;
}

// int64 |a| with uint64 |b|: as their bits compare, unless |a| is negative, and so less.
static MlirValue compare_signs(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  MlirValue bits = pa_compare_int(lower, predicates[kind].without, a, b), zero = pa_int(lower, lower->i64, 0);
  if (holds_below(kind)) return pa_or(lower, bits, pa_compare_int(lower, PA_SLT, a, zero));
  return pa_and(lower, bits, pa_compare_int(lower, PA_SGE, a, zero));
}

// Float arithmetic that fastmath must not reorder.
static MlirValue exactly(pa_lowering *lower, const char *name, MlirValue a, MlirValue b) {
  return pa_value(&lower->builder, name, PA_OPERANDS(a, b), PA_RESULTS(lower->f64));
}

// |x| (i64) is the float64 nearest to it and a rest. Either half converts exactly; Dekker's sum of the larger and the
// lesser gives what rounding loses. Vector units can do all of this, unlike a conversion back to integers.
static MlirValue nearest_real(pa_lowering *lower, MlirValue x, bool with_sign, MlirValue *out_rest) {
  MlirValue shift = pa_int(lower, lower->i64, 32), unit = pa_real(lower, lower->f64, 0x1p32);
  MlirValue high = pa_binary(lower, with_sign ? "arith.shrsi" : "arith.shrui", x, shift);
  high = pa_convert(lower, "arith.trunci", high, lower->i32);
  high = pa_convert(lower, with_sign ? "arith.sitofp" : "arith.uitofp", high, lower->f64);
  high = exactly(lower, "arith.mulf", high, unit);
  MlirValue low = pa_convert(lower, "arith.trunci", x, lower->i32);
  low = pa_convert(lower, "arith.uitofp", low, lower->f64);
  MlirValue nearest = exactly(lower, "arith.addf", high, low);
  *out_rest = exactly(lower, "arith.subf", low, exactly(lower, "arith.subf", nearest, high));
  return nearest;
}

// Integer |a| with float64 |b|: the rest decides where |b| is the float nearest to |a|.
static MlirValue compare_with_real(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, bool with_sign,
                                   MlirValue b) {
  if (kind == PYARRAY_COMPARE_NE) return pa_not(lower, compare_with_real(lower, PYARRAY_COMPARE_EQ, a, with_sign, b));
  MlirValue rest, nearest = nearest_real(lower, a, with_sign, &rest);
  MlirValue tie = pa_compare_real(lower, predicates[kind].real, rest, pa_real(lower, lower->f64, 0));
  tie = pa_and(lower, pa_compare_real(lower, PA_OEQ, nearest, b), tie);
  if (kind == PYARRAY_COMPARE_EQ) return tie;
  return pa_or(lower, pa_compare_real(lower, holds_below(kind) ? PA_OLT : PA_OGT, nearest, b), tie);
}

static pa_scalar widest(pa_scalar scalar) {
  if (pa_is_complex(scalar)) return PA_C128;
  return pa_is_float(scalar) ? PA_F64 : pa_is_signed(scalar) ? PA_I64 : PA_U64;
}

// ORDER KINDS
static const pyarray_compare_kind exchanged[] = {PYARRAY_COMPARE_EQ, PYARRAY_COMPARE_NE, PYARRAY_COMPARE_GT,
                                                 PYARRAY_COMPARE_GE, PYARRAY_COMPARE_LT, PYARRAY_COMPARE_LE};

MlirValue pa_compare_numbers(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, pa_scalar a_scalar,
                             MlirValue b, pa_scalar b_scalar) {
  if (a_scalar == b_scalar) return pa_compare_scalar(lower, kind, a, b, a_scalar);
  pa_scalar x = widest(a_scalar), y = widest(b_scalar);
  if (x < y) return pa_compare_numbers(lower, exchanged[kind], b, b_scalar, a, a_scalar);
  a = pa_cast_scalar(lower, a, a_scalar, x);
  b = pa_cast_scalar(lower, b, b_scalar, y);
  if (x == y) return pa_compare_scalar(lower, kind, a, b, x);
  if (x == PA_U64) return compare_signs(lower, exchanged[kind], b, a);
  if (x == PA_F64) return compare_with_real(lower, exchanged[kind], b, y == PA_I64, a);
  MlirValue real = pa_compare_numbers(lower, kind, pa_real_part(lower, a), PA_F64, b, y);
  MlirValue imag = pa_compare_real(lower, predicates[kind].real, pa_imag_part(lower, a), pa_real(lower, lower->f64, 0));
  return kind == PYARRAY_COMPARE_NE ? pa_or(lower, real, imag) : pa_and(lower, real, imag);
}

// By real parts, and where these are equal by imaginary ones; nothing is less than what has a NaN.
static MlirValue order_complex(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  MlirValue ar = pa_real_part(lower, a), br = pa_real_part(lower, b), ai = pa_imag_part(lower, a),
            bi = pa_imag_part(lower, b);
  bool less = kind == PYARRAY_COMPARE_LT || kind == PYARRAY_COMPARE_LE;
  MlirValue numbers = pa_and(lower, pa_compare_real(lower, PA_OEQ, ai, ai), pa_compare_real(lower, PA_OEQ, bi, bi));
  MlirValue apart = pa_and(lower, pa_compare_real(lower, less ? PA_OLT : PA_OGT, ar, br), numbers);
  MlirValue tie =
      pa_and(lower, pa_compare_real(lower, PA_OEQ, ar, br), pa_compare_real(lower, predicates[kind].real, ai, bi));
  return pa_or(lower, apart, tie);
}

MlirValue pa_compare_in_order(pa_lowering *lower, pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs) {
  pa_scalar a = pa_scalar_of_value(lhs), b = pa_scalar_of_value(rhs);
  MlirValue x = pa_get1(lower, lhs), y = pa_get1(lower, rhs);
  bool ordered = pa_is_complex(a) && a == b && kind >= PYARRAY_COMPARE_LT && kind <= PYARRAY_COMPARE_GE;
  return ordered ? order_complex(lower, kind, x, y) : pa_compare_numbers(lower, kind, x, a, y, b);
}
