// Of pyarray-lower: the words of pyarray.reduce for two numbers.
//
//   max of f64: arith.maximumf, which is NaN where one of them is
#include <math.h>

#include "lower_fold.h"
#include "lower_numbers.h"
#include "support/time_unit.h"

static bool is_least(pa_fold_word word) { return word == PA_FOLD_MIN || word == PA_FOLD_ARGMIN; }

//===-- Starts ------------------------------------------------------------------------------------===//

static MlirValue whole(pa_lowering *lower, pa_scalar scalar, int64_t value) {
  return pa_int(lower, pa_lower_scalar_type(lower, scalar), value);
}

static MlirValue real(pa_lowering *lower, pa_scalar scalar, double value) {
  return pa_real(lower, pa_lower_scalar_type(lower, scalar), value);
}

static MlirValue number(pa_lowering *lower, pa_scalar scalar, int value) {
  if (pa_is_complex(scalar)) {
    pa_scalar part = scalar == PA_C64 ? PA_F32 : PA_F64;
    return pa_complex(lower, real(lower, part, value), real(lower, part, 0));
  }
  return pa_is_float(scalar) ? real(lower, scalar, value) : whole(lower, scalar, value);
}

// Above, or below, all others. The least int64 is NaT.
static MlirValue extreme(pa_lowering *lower, const pa_fold_result *result, bool greatest) {
  pa_scalar scalar = result->element;
  double infinity = greatest ? INFINITY : -INFINITY;
  if (pa_is_complex(scalar)) {
    MlirValue part = real(lower, scalar == PA_C64 ? PA_F32 : PA_F64, infinity);
    return pa_complex(lower, part, part);
  }
  if (pa_is_float(scalar)) return real(lower, scalar, infinity);
  if (scalar == PA_BOOL) return pa_int(lower, lower->i1, greatest);
  int bits = 8 * pa_scalar_bytes(scalar);
  if (pa_is_unsigned(scalar)) return whole(lower, scalar, greatest ? -1 : 0);
  int64_t most = (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
  return whole(lower, scalar, greatest ? most : -most - !result->times);
}

MlirValue pa_fold_start(pa_lowering *lower, const pa_fold_result *result) {
  switch (result->word) {
  case PA_FOLD_MUL: return number(lower, result->element, 1);
  case PA_FOLD_MIN: return extreme(lower, result, true);
  case PA_FOLD_MAX: return extreme(lower, result, false);
  case PA_FOLD_AND: return whole(lower, result->element, result->element == PA_BOOL ? 1 : -1);
  case PA_FOLD_ARGMIN:
  case PA_FOLD_ARGMAX: return pa_int(lower, lower->i64, 0);
  default: return number(lower, result->element, 0);
  }
}

MlirValue pa_fold_nothing(pa_lowering *lower, const pa_fold_result *result) {
  pa_scalar scalar = pa_summed(result);
  if (!pa_is_complex(scalar)) return real(lower, scalar, -0.0);
  MlirValue part = real(lower, scalar == PA_C64 ? PA_F32 : PA_F64, -0.0);
  return pa_complex(lower, part, part);
}

//===-- Pairs -------------------------------------------------------------------------------------===//

static MlirValue is_nat(pa_lowering *lower, MlirValue a) {
  return pa_compare_int(lower, PA_EQ, a, pa_int(lower, lower->i64, PA_NAT));
}

static MlirValue combine_times(pa_lowering *lower, pa_fold_word word, MlirValue a, MlirValue b) {
  MlirValue unknown = pa_or(lower, is_nat(lower, a), is_nat(lower, b));
  const char *name = word == PA_FOLD_ADD ? "arith.addi" : is_least(word) ? "arith.minsi" : "arith.maxsi";
  return pa_select(lower, unknown, pa_int(lower, lower->i64, PA_NAT), pa_binary(lower, name, a, b));
}

// The first where it is NaN, or comes first; as numpy.minimum and numpy.maximum.
static MlirValue complex_extreme(pa_lowering *lower, bool least, MlirValue a, MlirValue b) {
  MlirValue ar = pa_real_part(lower, a), ai = pa_imag_part(lower, a), br = pa_real_part(lower, b),
            bi = pa_imag_part(lower, b);
  MlirValue beyond =
      pa_and(lower, pa_compare_real(lower, least ? PA_OLT : PA_OGT, ar, br), pa_compare_real(lower, PA_ORD, ai, bi));
  MlirValue beside =
      pa_and(lower, pa_compare_real(lower, PA_OEQ, ar, br), pa_compare_real(lower, least ? PA_OLE : PA_OGE, ai, bi));
  MlirValue keep = pa_or(lower, pa_compare_real(lower, PA_UNO, ar, ai), pa_or(lower, beyond, beside));
  return pa_complex(lower, pa_select(lower, keep, ar, br), pa_select(lower, keep, ai, bi));
}

// Which of two zeros it is nobody asks: NumPy's depends on how long its vectors are.
static MlirValue float_extreme(pa_lowering *lower, const char *name, MlirValue a, MlirValue b) {
  MlirAttribute flags = mlirAttributeParseGet(lower->context, pa_ref("#arith.fastmath<nsz>"));
  return pa_value(&lower->builder, name, PA_OPERANDS(a, b), PA_RESULTS(pa_type_or_none(lower, a)),
                  PA_ATTRS({"fastmath", flags}));
}

static const struct {
  const char *with_sign, *without, *real, *complex;
} names[PA_FOLD_COUNT] = {
    [PA_FOLD_ADD] = {"arith.addi", "arith.addi", "arith.addf", "complex.add"},
    [PA_FOLD_MUL] = {"arith.muli", "arith.muli", "arith.mulf", "complex.mul"},
    [PA_FOLD_MIN] = {"arith.minsi", "arith.minui", "arith.minimumf", NULL},
    [PA_FOLD_MAX] = {"arith.maxsi", "arith.maxui", "arith.maximumf", NULL},
    [PA_FOLD_AND] = {"arith.andi", "arith.andi", NULL, NULL},
    [PA_FOLD_OR] = {"arith.ori", "arith.ori", NULL, NULL},
    [PA_FOLD_XOR] = {"arith.xori", "arith.xori", NULL, NULL},
};

MlirValue pa_fold_combine(pa_lowering *lower, const pa_fold_result *result, MlirValue a, MlirValue b) {
  pa_scalar scalar = result->element;
  bool extreme = result->word == PA_FOLD_MIN || result->word == PA_FOLD_MAX;
  if (result->times) return combine_times(lower, result->word, a, b);
  if (extreme && pa_is_complex(scalar)) return complex_extreme(lower, is_least(result->word), a, b);
  const char *name = pa_is_complex(scalar)  ? names[result->word].complex
                     : pa_is_float(scalar)  ? names[result->word].real
                     : pa_is_signed(scalar) ? names[result->word].with_sign
                                            : names[result->word].without;
  if (name && extreme && pa_is_float(scalar)) return float_extreme(lower, name, a, b);
  if (name) return pa_binary(lower, name, a, b);
  pa_lower_fail(lower, "pyarray.reduce does not fold these elements by this word");
  return a;
}
