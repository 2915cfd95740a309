// hypot and pow, which libmvec has too, but slower and less exact: included by vector_lanes.h. pow needs FMA.
//
// Each function returns false where it cannot give every lane's value; libm then does.

//===-- hypot -------------------------------------------------------------------------------------===//

// Squares neither overflow nor lose bits that matter.
INLINE bool pa_f64_hypot(f64s x, f64s y, f64s *out) {
  static const f64_bounds bounds[] = {F64_BOUNDS(0, 0x1p500, 0x1p500), F64_BOUNDS(0x1p-900, 0x1p1001, -1)};
  const f64_bounds *hidden = HIDDEN(bounds);
  if (PA_ANY(pa_f64_outside(x, hidden, EITHER_SIGN, false) | pa_f64_outside(y, hidden, EITHER_SIGN, false)))
    return false;
  f64s sum = x * x + y * y;
  *out = PA_SQRT(sum);
  return !PA_ANY(pa_f64_outside(sum, hidden + 1, POSITIVE, true));
}

// Squares of float32 are exact in float64.
INLINE bool pa_f32_hypot(f32s x, f32s y, f32s *out) {
  static const f32_bounds bounds = F32_BOUNDS(0, FLT_MAX, FLT_MAX);
  const f32_bounds *hidden = HIDDEN(bounds);
  if (PA_ANY(pa_f32_outside(x, hidden, EITHER_SIGN, false) | pa_f32_outside(y, hidden, EITHER_SIGN, false)))
    return false;
  f64s x1 = PA_FIRST_HALF(x), x2 = PA_SECOND_HALF(x), y1 = PA_FIRST_HALF(y), y2 = PA_SECOND_HALF(y);
  *out = PA_OF_HALVES(PA_SQRT(x1 * x1 + y1 * y1), PA_SQRT(x2 * x2 + y2 * y2));
  return true;
}

#ifdef PA_FMA

//===-- pow of float64 ----------------------------------------------------------------------------===//

// x**y = exp(y * log(x)), the logarithm the sum of two numbers, the second small beside the first, by a table and a
// polynomial (P. T. P. Tang, Table-Driven Implementation of the Logarithm Function, ACM TOMS 16, 1990).
INLINE bool pa_f64_pow(f64s x, f64s y, f64s *out) {
  const constants *c = HIDDEN(pa_elementary);
  if (PA_ANY(pa_is_abnormal(x, c) | pa_is_beyond(y, c->most_power, c))) return false;
  u64s biased;
  f64s e, m = pa_split(x, &e, &biased, c), inverse, log_high, log_low;
  PA_LOAD_ROWS((biased >> 40) & c->row, inverse, log_high, log_low); // 5 of its 12 shifted bits are the size of a row
  f64s r = PA_FMA(m, inverse, -c->one);                              // exact
  f64s whole = PA_FMA(e, c->log_of_2s[0], log_high);                 // exact
  f64s first = whole + r, half = c->minus_half * r, q = half * r, high = first + q;
  f64s lost = (whole - first + r) + PA_FMA(half, r, first - high);
  f64s t = y * high;
  f64s polynomial = PA_FMA(q, PA_FMA(q, pa_line(r, c->log1p + 4), pa_line(r, c->log1p + 2)), pa_line(r, c->log1p));
  f64s low = PA_FMA(r * q, polynomial, lost + PA_FMA(e, c->log_of_2s[1], log_low));
  f64s t_low = PA_FMA(y, low, PA_FMA(y, high, -t));
  c = HIDDEN(pa_elementary); // so that no register is kept for a constant
  if (PA_ANY(pa_is_beyond(t, c->most_exponent, c))) return false;
  f64s shifted = PA_FMA(t, c->log2_of_e, c->shift), n = shifted - c->shift; // |t_low| < 0.01 does not matter
  *out = pa_exp_scaled(PA_FMA(n, c->minus_log_of_2s[0], t) + PA_FMA(n, c->minus_log_of_2s[1], t_low), shifted, c);
  return true;
}

//===-- pow of float32 ----------------------------------------------------------------------------===//

// The bits of 0.71875, so that 1 lies in the middle of the fifth of the eight parts up to 1.4375.
#define LOWEST_MANTISSA_F 0x3f380000

typedef struct constants_f32 {
  f32s one, minus_half;
  f32s exp[6];      // (exp(r) - 1 - r) / r**2, |r| <= log(2) / 2 + 0.14; 2**-26.7
  f32s log1p[5];    // (log(1 + r) - r + r**2 / 2) / r**3 by r and q = -r**2 / 2, |r| <= 0.07; 2**-33 of r
  f32s log_of_2[2]; // as the sum of two; the first has 15 bits after the point
  f32s log2_of_e;
  f32s inverse, log_high, log_low; // as in pa_log_rows, for eight parts; 15 bits
  u32s to_biased, exponent_bits, mantissa_bits, below;
  f32s exponent_zero, shift;
  u32s to_sign;
  i32s least_normal, size;
  f32s most_exponent, most_power;
} constants_f32;

static const constants_f32 pa_power_f32 = {
    .one = PA_ALL_F(1),
    .minus_half = PA_ALL_F(-0.5f),
    .exp = {PA_ALL_F(0x1p-1f), PA_ALL_F(0x1.555556p-3f), PA_ALL_F(0x1.5553a4p-5f), PA_ALL_F(0x1.11105p-7f),
            PA_ALL_F(0x1.6e6ffep-10f), PA_ALL_F(0x1.a23026p-13f)},
    .log1p = {PA_ALL_F(-0x1.555556p-1f), PA_ALL_F(0x1.ffff8cp-2f), PA_ALL_F(0x1.9996f6p-1f), PA_ALL_F(-0x1.56d532p-1f),
              PA_ALL_F(-0x1.2866cp+0f)},
    .log_of_2 = {PA_ALL_F(0x1.62e4p-1f), PA_ALL_F(0x1.7f7d1cp-20f)},
    .log2_of_e = PA_ALL_F(0x1.715476p+0f),
    .inverse = PA_EIGHT_F(0x1.5p0f, 0x1.4p0f, 0x1.2p0f, 0x1.1p0f, 1, 0x1.cp-1f, 0x1.ap-1f, 0x1.7p-1f),
    .log_high =
        PA_EIGHT_F(-0x1.1678p-2f, -0x1.c9p-3f, -0x1.e28p-4f, -0x1.f0cp-5f, 0, 0x1.118p-3f, 0x1.a94p-3f, 0x1.5228p-2f),
    .log_low = PA_EIGHT_F(0x1.1aa2a2p-17f, 0x1.070cacp-20f, 0x1.f123aap-17f, 0x1.cf3feep-17f, 0, -0x1.c5f76p-17f,
                          -0x1.2c3752p-19f, 0x1.7039c6p-17f),
    .to_biased = PA_ALL_F((128u << 23) - LOWEST_MANTISSA_F),
    .exponent_bits = PA_ALL_F(0x4b000000),
    .mantissa_bits = PA_ALL_F(0x7fffff),
    .below = PA_ALL_F(LOWEST_MANTISSA_F),
    .exponent_zero = PA_ALL_F(0x1p23f + 128),
    .shift = PA_ALL_F(0x1.8p23f),
    .to_sign = PA_ALL_F(1 << 23),
    .least_normal = PA_ALL_F(2 << 23),
    .size = PA_ALL_F(INT32_MAX),
    .most_exponent = PA_ALL_F(87),
    .most_power = PA_ALL_F(FLT_MAX),
};

INLINE f32s pa_line_f32(f32s x, const f32s *coefficients) { return PA_FMA_F(x, coefficients[1], coefficients[0]); }

INLINE i32s pa_is_beyond_f32(f32s x, f32s most, const constants_f32 *c) { return ((i32s)x & c->size) > (i32s)most; }

// The same as of float64, step by step, with a table in a register.
INLINE bool pa_f32_pow(f32s x, f32s y, f32s *out) {
  const constants_f32 *c = HIDDEN(pa_power_f32);
  i32s is_abnormal = (i32s)((u32s)x + c->to_sign) < c->least_normal;
  if (PA_ANY(is_abnormal | pa_is_beyond_f32(y, c->most_power, c))) return false;
  u32s biased = (u32s)x + c->to_biased, part = biased >> 20; // its lowest three bits count
  f32s e = (f32s)(biased >> 23 | c->exponent_bits) - c->exponent_zero;
  f32s m = (f32s)((biased & c->mantissa_bits) + c->below);
  f32s r = PA_FMA_F(m, PA_PICK_F(c->inverse, part), -c->one);
  f32s whole = PA_FMA_F(e, c->log_of_2[0], PA_PICK_F(c->log_high, part));
  f32s first = whole + r, half = c->minus_half * r, q = half * r, high = first + q;
  f32s lost = (whole - first + r + PA_PICK_F(c->log_low, part)) + PA_FMA_F(half, r, first - high);
  f32s t = y * high;
  f32s polynomial = PA_FMA_F(q, PA_FMA_F(q, c->log1p[4], pa_line_f32(r, c->log1p + 2)), pa_line_f32(r, c->log1p));
  f32s low = PA_FMA_F(r * q, polynomial, PA_FMA_F(e, c->log_of_2[1], lost));
  f32s t_low = PA_FMA_F(y, low, PA_FMA_F(y, high, -t));
  c = HIDDEN(pa_power_f32);
  if (PA_ANY(pa_is_beyond_f32(t, c->most_exponent, c))) return false;
  f32s shifted = PA_FMA_F(t, c->log2_of_e, c->shift), n = shifted - c->shift; // |t_low| may be 0.14
  r = PA_FMA_F(-n, c->log_of_2[0], t) + PA_FMA_F(-n, c->log_of_2[1], t_low);
  f32s r2 = r * r, high_rest = PA_FMA_F(r2, pa_line_f32(r, c->exp + 4), pa_line_f32(r, c->exp + 2));
  f32s rest = PA_FMA_F(r2, high_rest, pa_line_f32(r, c->exp));
  *out = (f32s)((u32s)(c->one + PA_FMA_F(r2, rest, r)) + ((u32s)shifted << 23));
  return true;
}

#else

INLINE bool pa_f64_pow(f64s x, f64s y, f64s *out) {
  (void)x, (void)y, (void)out;
  return false;
}

INLINE bool pa_f32_pow(f32s x, f32s y, f32s *out) {
  (void)x, (void)y, (void)out;
  return false;
}

#endif
