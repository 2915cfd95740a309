// exp, exp2, log and log2 of float64 for CPUs with FMA: included by vector_lanes.h. pow uses their parts.
//
// Each function returns false where it cannot give every lane's value; libm then does. A core works on several calls at
// a time, as many as fit into its window of instructions under way: what counts is the number of instructions and the
// length of the longest chain, hence the forms below.
#ifdef PA_FMA

// The lowest mantissa's bits: a little less than sqrt(1/2), so that 1 lies inside of a row of pa_log_rows, not between.
#define LOWEST_MANTISSA 0x3fe6900000000000

// Coefficients are of interpolations in Chebyshev's points, the constant one first.
typedef struct constants {
  f64s one, half, minus_half;
  f64s exp[10];  // (exp(r) - 1 - r) / r**2, |r| <= log(2) / 2; 2**-54.7
  f64s atanh[7]; // (2 * atanh(d / 2) / d - 1) / z, by z = d * d, |d| <= 0.36; 2**-57
  f64s log1p[6]; // (log(1 + r) - r + r**2 / 2) / r**3 by r and q = -r**2 / 2, |r| <= 2**-7.4; 2**-67 of r
  f64s log_of_2;
  f64s log_of_2s[2], minus_log_of_2s[2]; // as the sum of two; the first has 42 bits
  f64s log2_of_e;
  u64s to_biased, exponent_bits, mantissa_bits, below, row; // pa_split, log_row
  f64s exponent_zero;
  f64s shift;              // round_whole
  u64s to_sign;            // pa_is_abnormal
  i64s least_normal, size; // size: all bits but the sign
  f64s most_exponent, most_exponent2, most_power;
} constants;

static const constants pa_elementary = {
    .one = PA_ALL(1),
    .half = PA_ALL(0.5),
    .minus_half = PA_ALL(-0.5),
    .exp = {PA_ALL(0x1p-1), PA_ALL(0x1.5555555555555p-3), PA_ALL(0x1.5555555554cb0p-5), PA_ALL(0x1.1111111110e68p-7),
            PA_ALL(0x1.6c16c173948e7p-10), PA_ALL(0x1.a01a01a4b5f72p-13), PA_ALL(0x1.a019c98e708e7p-16),
            PA_ALL(0x1.71de17d5ef6f3p-19), PA_ALL(0x1.288060f149570p-22), PA_ALL(0x1.af2391d7f5ea5p-26)},
    .atanh = {PA_ALL(0x1.5555555555558p-4), PA_ALL(0x1.9999999994b18p-7), PA_ALL(0x1.2492492ecc321p-9),
              PA_ALL(0x1.c71c61d0bb485p-12), PA_ALL(0x1.746302c27d86cp-14), PA_ALL(0x1.39f452f6d34ebp-16),
              PA_ALL(0x1.2bd37ad5ab4a0p-18)},
    .log1p = {PA_ALL(-0x1.5555555555558p-1), PA_ALL(0x1.0000000000002p-1), PA_ALL(0x1.99999997180a9p-1),
              PA_ALL(-0x1.5555555313ee1p-1), PA_ALL(-0x1.249545532cce9p+0), PA_ALL(0x1.0002afc3a5509p+0)},
    .log_of_2 = PA_ALL(0x1.62e42fefa39efp-1),
    .log_of_2s = {PA_ALL(0x1.62e42fefa3800p-1), PA_ALL(0x1.ef35793c76730p-45)},
    .minus_log_of_2s = {PA_ALL(-0x1.62e42fefa3800p-1), PA_ALL(-0x1.ef35793c76730p-45)},
    .log2_of_e = PA_ALL(0x1.71547652b82fep+0),
    .to_biased = PA_ALL(((int64_t)1024 << 52) - LOWEST_MANTISSA),
    .exponent_bits = PA_ALL(0x4330000000000000),
    .mantissa_bits = PA_ALL(0xfffffffffffff),
    .below = PA_ALL(LOWEST_MANTISSA),
    .row = PA_ALL((PA_LOG_ROWS - 1) * sizeof *pa_log_rows),
    .exponent_zero = PA_ALL(0x1p52 + 1024),
    .shift = PA_ALL(0x1.8p52),
    .to_sign = PA_ALL((int64_t)1 << 52),
    .least_normal = PA_ALL((int64_t)2 << 52),
    .size = PA_ALL(INT64_MAX),
    .most_exponent = PA_ALL(708),
    .most_exponent2 = PA_ALL(1021),
    .most_power = PA_ALL(0x1p100),
};

//===-- Parts of logarithms and exponentials ------------------------------------------------------===//

// coefficients[0] + x * coefficients[1]
INLINE f64s pa_line(f64s x, const f64s *coefficients) { return PA_FMA(x, coefficients[1], coefficients[0]); }

// All bits set in lanes that are no positive normal numbers. The sum carries infinity and NaN into the sign.
INLINE i64s pa_is_abnormal(f64s x, const constants *c) { return (i64s)((u64s)x + c->to_sign) < c->least_normal; }

// All bits set in lanes with |x| > most, or NaN.
INLINE i64s pa_is_beyond(f64s x, f64s most, const constants *c) { return ((i64s)x & c->size) > (i64s)most; }

// x = m * 2**e with m from sqrt(1/2) to sqrt(2), for positive normal x; |*out_biased|: what log_row needs.
INLINE f64s pa_split(f64s x, f64s *out_e, u64s *out_biased, const constants *c) {
  u64s biased = (u64s)x + c->to_biased; // 1024 + e and what m has above the lowest mantissa
  *out_biased = biased;
  *out_e = (f64s)(biased >> 52 | c->exponent_bits) - c->exponent_zero;
  return (f64s)((biased & c->mantissa_bits) + c->below);
}

// exp(r) * 2**n, |r| <= log(2) / 2, where the lowest bits of |shifted| are n.
INLINE f64s pa_exp_scaled(f64s r, f64s shifted, const constants *c) {
  f64s r2 = r * r, r4 = r2 * r2;
  f64s low = PA_FMA(r2, pa_line(r, c->exp + 2), pa_line(r, c->exp));
  f64s high = PA_FMA(r2, pa_line(r, c->exp + 6), pa_line(r, c->exp + 4));
  f64s rest = PA_FMA(r4, PA_FMA(r4, pa_line(r, c->exp + 8), high), low);
  f64s whole = PA_FMA(r2, rest, c->one + r);
  return (f64s)((u64s)whole + ((u64s)shifted << 52));
}

//===-- exp, exp2 ---------------------------------------------------------------------------------===//

#ifndef PA_HAS_ROWS // vector_rows.h

// exp(x) = 2**n * exp(r), n = x / log(2) rounded (W. Cody, W. Waite, Software Manual for the Elementary Functions,
// 1980).
INLINE bool pa_f64_exp(f64s x, f64s *out) {
  const constants *c = HIDDEN(pa_elementary);
  if (PA_ANY(pa_is_beyond(x, c->most_exponent, c))) return false;
  f64s shifted = PA_FMA(x, c->log2_of_e, c->shift), n = shifted - c->shift;
  f64s r = PA_FMA(n, c->minus_log_of_2s[1], PA_FMA(n, c->minus_log_of_2s[0], x));
  *out = pa_exp_scaled(r, shifted, c);
  return true;
}

INLINE bool pa_f64_exp2(f64s x, f64s *out) {
  const constants *c = HIDDEN(pa_elementary);
  if (PA_ANY(pa_is_beyond(x, c->most_exponent2, c))) return false;
  f64s shifted = x + c->shift, r = x - (shifted - c->shift);
  f64s high = r * c->log_of_2s[0];
  *out = pa_exp_scaled(PA_FMA(r, c->log_of_2s[1], high), shifted, c);
  return true;
}

#endif

//===-- log, log2 ---------------------------------------------------------------------------------===//

// log(m) = 2 * atanh(d / 2), d = 2 * (m - 1) / (m + 1) (the idea of e_log.c in fdlibm, Sun Microsystems, 1993).
INLINE f64s pa_log_quotient(f64s m, const constants *c) { return (m - c->one) / PA_FMA(m, c->half, c->half); }

// |start| and what log(m) is more than d.
INLINE f64s pa_add_log_rest(f64s d, f64s start, const constants *c) {
  f64s z = d * d, z2 = z * z;
  f64s high = PA_FMA(z2, c->atanh[6], pa_line(z, c->atanh + 4));
  f64s polynomial = PA_FMA(z2 * z2, high, PA_FMA(z2, pa_line(z, c->atanh + 2), pa_line(z, c->atanh)));
  return PA_FMA(d * z, polynomial, start);
}

INLINE bool pa_f64_log(f64s x, f64s *out) {
  const constants *c = HIDDEN(pa_elementary);
  if (PA_ANY(pa_is_abnormal(x, c))) return false;
  u64s biased;
  f64s e, d = pa_log_quotient(pa_split(x, &e, &biased, c), c);
  *out = pa_add_log_rest(d, PA_FMA(e, c->log_of_2, d), c);
  return true;
}

INLINE bool pa_f64_log2(f64s x, f64s *out) {
  const constants *c = HIDDEN(pa_elementary);
  if (PA_ANY(pa_is_abnormal(x, c))) return false;
  u64s biased;
  f64s e, d = pa_log_quotient(pa_split(x, &e, &biased, c), c);
  *out = PA_FMA(pa_add_log_rest(d, d, c), c->log2_of_e, e);
  return true;
}

#endif
