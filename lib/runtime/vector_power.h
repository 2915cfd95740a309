// hypot and pow, which libmvec has too, but slower and less exact: included by vector_lanes.h.
//
// Each function returns false where it cannot give every lane's value; libm then does.

// GCC counts vector constants as large and would call these.
#define INLINE static inline __attribute__((always_inline))

//===-- hypot -------------------------------------------------------------------------------------===//

// Squares neither overflow nor lose bits that matter.
INLINE bool f64_hypot(f64s x, f64s y, f64s *out) {
  static const f64_bounds bounds[] = {F64_BOUNDS(0, 0x1p500, 0x1p500), F64_BOUNDS(0x1p-900, 0x1p1001, -1)};
  const f64_bounds *hidden = HIDDEN(bounds);
  if (PA_ANY(f64_outside(x, hidden, EITHER_SIGN, false) | f64_outside(y, hidden, EITHER_SIGN, false))) return false;
  f64s sum = x * x + y * y;
  *out = PA_SQRT(sum);
  return !PA_ANY(f64_outside(sum, hidden + 1, POSITIVE, true));
}

// Squares of float32 are exact in float64.
INLINE bool f32_hypot(f32s x, f32s y, f32s *out) {
  static const f32_bounds bounds = F32_BOUNDS(0, FLT_MAX, FLT_MAX);
  const f32_bounds *hidden = HIDDEN(bounds);
  if (PA_ANY(f32_outside(x, hidden, EITHER_SIGN, false) | f32_outside(y, hidden, EITHER_SIGN, false))) return false;
  f64s x1 = PA_FIRST_HALF(x), x2 = PA_SECOND_HALF(x), y1 = PA_FIRST_HALF(y), y2 = PA_SECOND_HALF(y);
  *out = PA_OF_HALVES(PA_SQRT(x1 * x1 + y1 * y1), PA_SQRT(x2 * x2 + y2 * y2));
  return true;
}

//===-- Constants ---------------------------------------------------------------------------------===//

#ifdef PA_FMA
#define MULTIPLY_ADD(a, b, c) PA_FMA(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

#define LOWEST_MANTISSA 0x3fe6a09e00000000 // the bits of sqrt(1/2), or a little less

// Coefficients are of interpolations in Chebyshev's points, the constant one first.
typedef struct constants {
  f64s one;
  f64s log2[6];     // atanh(s) / s * 2 / log(2), by s * s
  f64s exp2[8];     // 2**r, |r| <= 1/2
  f64s atanh[8];    // (atanh(s) / s - 1 - z / 3) / z**2, by z = s * s
  f64s exp[10];     // (exp(r) - 1 - r) / r**2, |r| <= log(2) / 2
  f64s third[2];    // as the sum of two
  f64s log_of_2[2]; // the same; the first has 42 bits
  f64s log2_of_e;
  u64s to_biased, exponent_bits, mantissa_bits, below; // split
  f64s exponent_zero;
  f64s shift; // round_whole
  f64_bounds x, y, t, short_t;
  f32_bounds x_f32, y_f32;
} constants;

static const constants power_constants = {
    .one = PA_ALL(1),
    .log2 = {PA_ALL(0x1.71547652b8252p+1), PA_ALL(0x1.ec709dc53a1cap-1), PA_ALL(0x1.2776c295ae0c7p-1),
             PA_ALL(0x1.a61a2cf9f9e38p-2), PA_ALL(0x1.47959c992a71fp-2), PA_ALL(0x1.21ad2d776d25ap-2)},
    .exp2 = {PA_ALL(0x1.ffffffffa7135p-1), PA_ALL(0x1.62e42fef9cc69p-1), PA_ALL(0x1.ebfbe0aa03df0p-3),
             PA_ALL(0x1.c6b08da70cce3p-5), PA_ALL(0x1.3b29d8bb0b97ep-7), PA_ALL(0x1.5d877598350dep-10),
             PA_ALL(0x1.446c79efd4834p-13), PA_ALL(0x1.00c0e4e15189cp-16)},
    .atanh = {PA_ALL(0x1.999999999999ap-3), PA_ALL(0x1.2492492492521p-3), PA_ALL(0x1.c71c71c6eaa10p-4),
              PA_ALL(0x1.745d177a96056p-4), PA_ALL(0x1.3b1395d2190c1p-4), PA_ALL(0x1.1118c7e4b0917p-4),
              PA_ALL(0x1.df7cc8e5fa539p-5), PA_ALL(0x1.e02e6fff27908p-5)},
    .exp = {PA_ALL(0x1.0000000000001p-1), PA_ALL(0x1.5555555555556p-3), PA_ALL(0x1.5555555553d63p-5),
            PA_ALL(0x1.11111111109b3p-7), PA_ALL(0x1.6c16c1788bd90p-10), PA_ALL(0x1.a01a01a7c41d5p-13),
            PA_ALL(0x1.a019b90d2ae7ap-16), PA_ALL(0x1.71de0dae63bb3p-19), PA_ALL(0x1.289185613a3d6p-22),
            PA_ALL(0x1.af38a9b0ec855p-26)},
    .third = {PA_ALL(0x1.5555555555555p-2), PA_ALL(0x1.5555555555555p-56)},
    .log_of_2 = {PA_ALL(0x1.62e42fefa3800p-1), PA_ALL(0x1.ef35793c76730p-45)},
    .log2_of_e = PA_ALL(0x1.71547652b82fep+0),
    .to_biased = PA_ALL(((int64_t)1024 << 52) - LOWEST_MANTISSA),
    .exponent_bits = PA_ALL(0x4330000000000000),
    .mantissa_bits = PA_ALL(0xfffffffffffff),
    .below = PA_ALL(LOWEST_MANTISSA),
    .exponent_zero = PA_ALL(0x1p52 + 1024),
    .shift = PA_ALL(0x1.8p52),
    .x = F64_BOUNDS(DBL_MIN, DBL_MAX, -1),
    .y = F64_BOUNDS(0, 0x1p100, 0x1p100),
    .t = F64_BOUNDS(0, 708, 708),
    .short_t = F64_BOUNDS(0, 1000, 1000),
    .x_f32 = F32_BOUNDS(FLT_TRUE_MIN, FLT_MAX, -1),
    .y_f32 = F32_BOUNDS(0, FLT_MAX, FLT_MAX),
};

//===-- Parts of logarithms and exponentials ------------------------------------------------------===//

// x = m * 2**e with m from sqrt(1/2) to sqrt(2), for positive normal x.
INLINE f64s split(f64s x, f64s *out_e, const constants *c) {
  u64s biased = (u64s)x + c->to_biased; // 1024 + e and what m has above the lowest mantissa
  *out_e = (f64s)(biased >> 52 | c->exponent_bits) - c->exponent_zero;
  return (f64s)((biased & c->mantissa_bits) + c->below);
}

// x rounded to a whole number; |*out_shifted| has it in its lowest bits.
INLINE f64s round_whole(f64s x, u64s *out_shifted, const constants *c) {
  f64s shifted = x + c->shift;
  *out_shifted = (u64s)shifted;
  return shifted - c->shift;
}

// x * 2**n, both normal, with n as round_whole leaves it.
INLINE f64s scale(f64s x, u64s n) { return (f64s)((u64s)x + (n << 52)); }

// coefficients[0] + x * coefficients[1]
INLINE f64s line(f64s x, const f64s *coefficients) { return MULTIPLY_ADD(x, coefficients[1], coefficients[0]); }

//===-- pow of float32, through float64 -----------------------------------------------------------===//

// log2(x), relative error 2**-45.
INLINE f64s log2_short(f64s x, const constants *c) {
  f64s e, m = split(x, &e, c), s = (m - c->one) / (m + c->one), z = s * s, z2 = z * z;
  f64s high = MULTIPLY_ADD(z2, line(z, c->log2 + 4), line(z, c->log2 + 2));
  return MULTIPLY_ADD(s, MULTIPLY_ADD(z2, high, line(z, c->log2)), e);
}

// 2**t, relative error 2**-34, for |t| <= 1000.
INLINE f64s exp2_short(f64s t, const constants *c) {
  u64s n;
  f64s r = t - round_whole(t, &n, c), r2 = r * r;
  f64s low = MULTIPLY_ADD(r2, line(r, c->exp2 + 2), line(r, c->exp2));
  f64s high = MULTIPLY_ADD(r2, line(r, c->exp2 + 6), line(r, c->exp2 + 4));
  return scale(MULTIPLY_ADD(r2 * r2, high, low), n);
}

INLINE bool f32_pow(f32s x, f32s y, f32s *out) {
  const constants *c = HIDDEN(power_constants);
  if (PA_ANY(f32_outside(x, &c->x_f32, POSITIVE, true) | f32_outside(y, &c->y_f32, EITHER_SIGN, false))) return false;
  f64s t1 = PA_FIRST_HALF(y) * log2_short(PA_FIRST_HALF(x), c);
  f64s t2 = PA_SECOND_HALF(y) * log2_short(PA_SECOND_HALF(x), c);
  i64s outside = f64_outside(t1, &c->short_t, EITHER_SIGN, false) | f64_outside(t2, &c->short_t, EITHER_SIGN, false);
  if (PA_ANY(outside)) return false;
  *out = PA_OF_HALVES(exp2_short(t1, c), exp2_short(t2, c));
  return true;
}

//===-- pow of float64 ----------------------------------------------------------------------------===//

#ifdef PA_FMA

// A number as the sum of two, the second below the rounding of the first.
typedef struct pair {
  f64s high, low;
} pair;

// |a| is 0 or not smaller than |b|.
INLINE pair sum_of(f64s a, f64s b) {
  f64s sum = a + b;
  return (pair){sum, b - (sum - a)};
}

INLINE pair product_of(f64s a, f64s b) {
  f64s product = a * b;
  return (pair){product, PA_FMA(a, b, -product)};
}

// (m - 1) / (m + 1)
INLINE pair atanh_argument(f64s m, const constants *c) {
  f64s f = m - c->one;
  pair d = sum_of(c->one, m);
  f64s reciprocal = c->one / d.high, s = f * reciprocal;
  return (pair){s, reciprocal * PA_FMA(-s, d.low, PA_FMA(-s, d.high, f))};
}

// atanh(s) / s - 1 = z / 3 + z * z * polynomial(z), z = s * s. The polynomial has a relative error of 2**-70 of the
// whole, so that its roundings do not matter; z / 3 is kept as a pair.
INLINE pair atanh_rest(pair s, const constants *c) {
  pair z = product_of(s.high, s.high);
  z.low = PA_FMA(s.high + s.high, s.low, z.low);
  f64s x = z.high, x2 = x * x, x4 = x2 * x2;
  f64s low = PA_FMA(x2, line(x, c->atanh + 2), line(x, c->atanh));
  f64s polynomial = PA_FMA(x4, PA_FMA(x2, line(x, c->atanh + 6), line(x, c->atanh + 4)), low);
  pair third = product_of(x, c->third[0]);
  third.low += PA_FMA(x, c->third[1], z.low * c->third[0]);
  pair rest = sum_of(third.high, x2 * polynomial);
  rest.low += third.low;
  return rest;
}

// log(x), relative error 2**-62.
INLINE pair log_pair(f64s x, const constants *c) {
  f64s e, m = split(x, &e, c);
  pair s = atanh_argument(m, c), rest = atanh_rest(s, c);
  pair product = product_of(s.high, rest.high);
  f64s low = s.low + PA_FMA(s.low, rest.high, PA_FMA(s.high, rest.low, product.low));
  pair sum = sum_of(e * c->log_of_2[0], s.high + s.high); // the first product is exact
  pair whole = sum_of(sum.high, product.high + product.high);
  whole.low += sum.low + PA_FMA(e, c->log_of_2[1], low + low);
  return whole;
}

// exp(t), |t| <= 708.
INLINE f64s exp_of_pair(pair t, const constants *c) {
  u64s n;
  f64s whole = round_whole(t.high * c->log2_of_e, &n, c);
  f64s r = PA_FMA(-whole, c->log_of_2[0], t.high);
  r = PA_FMA(-whole, c->log_of_2[1], r) + t.low;
  f64s r2 = r * r, r4 = r2 * r2;
  f64s low = PA_FMA(r2, line(r, c->exp + 2), line(r, c->exp)),
       high = PA_FMA(r2, line(r, c->exp + 6), line(r, c->exp + 4));
  f64s polynomial = PA_FMA(r4, PA_FMA(r4, line(r, c->exp + 8), high), low);
  return scale(c->one + PA_FMA(r2, polynomial, r), n);
}

INLINE bool f64_pow(f64s x, f64s y, f64s *out) {
  const constants *c = HIDDEN(power_constants);
  if (PA_ANY(f64_outside(x, &c->x, POSITIVE, true) | f64_outside(y, &c->y, EITHER_SIGN, false))) return false;
  pair logarithm = log_pair(x, c), t = product_of(y, logarithm.high);
  t.low = PA_FMA(y, logarithm.low, t.low);
  *out = exp_of_pair(t, c);
  return !PA_ANY(f64_outside(t.high, &c->t, EITHER_SIGN, false));
}

#else

INLINE bool f64_pow(f64s x, f64s y, f64s *out) {
  (void)x, (void)y, (void)out;
  return false;
}

#endif
