// Of pyarray-lower: what float16 and bfloat16 need beside the other floats. Their sums, products and quotients are
// operations of arith, which every target rounds once (for bfloat16 on a CPU: expand_bfloat.c); most functions are
// computed in float32 (pyarray-infer-types casts).
#include <math.h>
#include <string.h>

#include "lower_numbers.h"

enum { SIGN = -0x8000 }; // of 16 bits

static MlirType half_type(const pa_lowering *lower) { return pa_lower_scalar_type(lower, PA_F16); }
static MlirType bits_type(const pa_lowering *lower) { return mlirIntegerTypeGet(lower->context, 16); }

//===-- Conversions -------------------------------------------------------------------------------===//

// |x| (f64) in f32, rounded to odd: towards zero, and where that is not exact its last bit is set. So no tie is made or
// lost for a second rounding to fewer bits (Boldo and Melquiond, IEEE Trans. Computers 57, 2008).
static MlirValue rounded_to_odd(pa_lowering *lower, MlirValue x) {
  MlirValue one = pa_int(lower, lower->i32, 1), zero = pa_int(lower, lower->i32, 0);
  MlirValue nearest = pa_convert(lower, "arith.truncf", x, lower->f32),
            back = pa_convert(lower, "arith.extf", nearest, lower->f64);
  MlirValue bits = pa_convert(lower, "arith.bitcast", nearest, lower->i32);
  MlirValue size = pa_value(&lower->builder, "math.absf", PA_OPERANDS(x), PA_RESULTS(lower->f64));
  MlirValue size_back = pa_value(&lower->builder, "math.absf", PA_OPERANDS(back), PA_RESULTS(lower->f64));
  MlirValue away = pa_select(lower, pa_compare_real(lower, PA_OGT, size_back, size), one, zero);
  MlirValue inexact = pa_select(lower, pa_compare_real(lower, PA_ONE, back, x), one, zero);
  bits = pa_binary(lower, "arith.ori", pa_binary(lower, "arith.subi", bits, away), inexact);
  return pa_convert(lower, "arith.bitcast", bits, lower->f32);
}

// A GPU has an instruction for float64; x86-64 has none, and a call would keep loops from being vectorised. No int that
// float32 does not hold exactly is less than the greatest float16.
MlirValue pa_to_half(pa_lowering *lower, MlirValue value, pa_scalar from) {
  if (from == PA_F64 && !lower->device) value = rounded_to_odd(lower, value);
  if (from != PA_F64 && from != PA_F32) value = pa_cast_scalar(lower, value, from, PA_F32);
  return pa_convert(lower, "arith.truncf", value, half_type(lower));
}

// An int64 or uint64 beyond float64's 53 bits, with what is cut off as one bit, so that it is rounded to a few bits but
// once.
static MlirValue with_sticky_bit(pa_lowering *lower, MlirValue value, pa_scalar from) {
  enum { EXACT_BITS = 53, LOW = 0xfff, STICKY = 0x800 };
  MlirType type = pa_lower_scalar_type(lower, from);
  MlirValue limit = pa_int(lower, type, (int64_t)1 << EXACT_BITS), low = pa_int(lower, type, LOW),
            zero = pa_int(lower, type, 0);
  MlirValue rest = pa_binary(lower, "arith.andi", value, low);
  MlirValue high = pa_binary(lower, "arith.andi", value, pa_int(lower, type, ~(int64_t)LOW));
  MlirValue sticky = pa_select(lower, pa_compare_int(lower, PA_NE, rest, zero), pa_int(lower, type, STICKY), zero);
  MlirValue large = pa_compare_int(lower, pa_is_signed(from) ? PA_SGE : PA_UGE, value, limit);
  if (pa_is_signed(from))
    large = pa_or(lower, large, pa_compare_int(lower, PA_SLE, value, pa_int(lower, type, -((int64_t)1 << EXACT_BITS))));
  return pa_select(lower, large, pa_binary(lower, "arith.ori", high, sticky), value);
}

// What float32 does not hold exactly is rounded to odd on the way.
MlirValue pa_to_bfloat(pa_lowering *lower, MlirValue value, pa_scalar from) {
  bool wide = pa_is_integer(from) && pa_scalar_bytes(from) == 8;
  if (wide) value = with_sticky_bit(lower, value, from);
  if (pa_is_integer(from) && pa_scalar_bytes(from) >= 4)
    value = pa_cast_scalar(lower, value, from, PA_F64), from = PA_F64;
  if (from == PA_F64)
    value = rounded_to_odd(lower, value);
  else
    value = pa_cast_scalar(lower, value, from, PA_F32);
  return pa_convert(lower, "arith.truncf", value, pa_lower_scalar_type(lower, PA_BF16));
}

//===-- Neighbours --------------------------------------------------------------------------------===//

// The next number after |x| in the direction of |y|, by the bits: those of one sign are in the order of their values.
// Of two zeros it is the first, as in NumPy.
static MlirValue next_half(pa_lowering *lower, MlirValue x, MlirValue y) {
  MlirType type = bits_type(lower), half = pa_type_or_none(lower, x);
  MlirValue zero = pa_real(lower, half, 0), sign = pa_int(lower, type, SIGN), one = pa_int(lower, type, 1);
  MlirValue x_bits = pa_convert(lower, "arith.bitcast", x, type), y_bits = pa_convert(lower, "arith.bitcast", y, type);
  MlirValue upwards = pa_compare_real(lower, PA_OLT, x, y), positive = pa_compare_real(lower, PA_OGT, x, zero);
  MlirValue outwards = pa_compare_int(lower, PA_EQ, upwards, positive);
  MlirValue step = pa_select(lower, outwards, one, pa_int(lower, type, -1));
  MlirValue next = pa_binary(lower, "arith.addi", x_bits, step);
  MlirValue least = pa_binary(lower, "arith.ori", pa_binary(lower, "arith.andi", y_bits, sign), one);
  next = pa_select(lower, pa_compare_real(lower, PA_OEQ, x, zero), least, next);
  next = pa_convert(lower, "arith.bitcast", next, half);
  next = pa_select(lower, pa_compare_real(lower, PA_OEQ, x, y), x, next);
  MlirValue unordered = pa_compare_real(lower, PA_UNO, x, y);
  return pa_select(lower, unordered, pa_value(&lower->builder, "arith.addf", PA_OPERANDS(x, y), PA_RESULTS(half)),
                   next);
}

// As NumPy has it: of float16 alone, the step upwards, which has no sign; of infinities NaN.
MlirValue pa_half_spacing(pa_lowering *lower, MlirValue x) {
  MlirType half = pa_type_or_none(lower, x);
  MlirValue next = next_half(lower, x, pa_real(lower, half, INFINITY));
  MlirValue step = pa_binary(lower, "arith.subf", next, x);
  return pa_select(lower, pa_is_infinite(lower, x), pa_real(lower, half, NAN), step);
}

MlirValue pa_call_math(pa_lowering *lower, const char *name, MlirType result, const MlirValue *operands, int count) {
  if (pa_is_half(pa_scalar_of(result)) && strcmp(name, "nextafter") == 0)
    return next_half(lower, operands[0], operands[1]);
  return pa_call_libm(lower, name, result, operands, count);
}
