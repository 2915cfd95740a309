// exp, exp2 and tanh of float64 and tanh of float32 for CPUs with AVX-512, which take a row of a table for each lane in
// one instruction: included by vector_lanes.h.
//
// As in vector_exp_log.h, each function returns false where it cannot give every lane's value.
#ifdef PA_HAS_ROWS

// Coefficients are of interpolations in Chebyshev's points, the constant one first.
typedef struct exp_rows {
  f64s powers[2]; // 2**(j / 16), rounded: 16 rows
  f64s rest[2];   // how much more 2**(j / 16) is, as a part of it
  f64s exp[6];    // (exp(r) - 1 - r) / r**2, |r| <= log(2) / 32; 2**-62 of r
  f64s exp2[6];   // (2**r - 1) / r, |r| <= 1 / 32; 2**-56
  f64s log2_of_e;
  f64s minus_log_of_2s[2]; // as the sum of two; the first has 38 bits
  f64s shift;              // to multiples of 1 / 16
  f64s one, two;
  i64s size, infinity; // size: all bits but the sign
  f64s most_exponent, most_exponent2, most_tanh;
} exp_rows;

static const exp_rows pa_exp_rows = {
    .powers = {{0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
                0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0},
               {0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
                0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0}},
    .rest = {{0, 0x1.79aa65d837b6dp-54, -0x1.01b15eaa59348p-55, 0x1.68efde3a8a894p-54, 0x1.34d754db0abb6p-55,
              0x1.59f48a72a4c6dp-55, 0x1.690cebb7aafb0p-56, 0x1.063e1e21c5409p-54},
             {-0x1.3b3efbf5e2228p-54, -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55, 0x1.1affc2b91ce27p-56,
              0x1.c1a7792cb3387p-55, 0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56, -0x1.ff7128fd391f0p-55}},
    .exp = {PA_ALL(0x1.0000000000001p-1), PA_ALL(0x1.5555555555556p-3), PA_ALL(0x1.55555554e93b7p-5),
            PA_ALL(0x1.11111110e1059p-7), PA_ALL(0x1.6c17ed5c1f49ep-10), PA_ALL(0x1.a01b0c3c80bbcp-13)},
    .exp2 = {PA_ALL(0x1.62e42fefa39f3p-1), PA_ALL(0x1.ebfbdff82c590p-3), PA_ALL(0x1.c6b08d6f2a0b1p-5),
             PA_ALL(0x1.3b2ab6fb41170p-7), PA_ALL(0x1.5d897e66039f9p-10), PA_ALL(0x1.430a1d168bf62p-13)},
    .log2_of_e = PA_ALL(0x1.71547652b82fep+0),
    .minus_log_of_2s = {PA_ALL(-0x1.62e42fefa0000p-1), PA_ALL(-0x1.cf79abc9e3b3ap-40)},
    .shift = PA_ALL(0x1.8p48),
    .one = PA_ALL(1),
    .two = PA_ALL(2),
    .size = PA_ALL(INT64_MAX),
    .infinity = PA_ALL(0x7ff0000000000000),
    .most_exponent = PA_ALL(708),
    .most_exponent2 = PA_ALL(1021),
    .most_tanh = PA_ALL(20),
};

//===-- Parts of exponentials ---------------------------------------------------------------------===//

// Whether a lane has |x| > most, or NaN; compared as whole numbers, which raises no exception.
INLINE bool pa_any_beyond(f64s x, i64s most, const exp_rows *c) {
  return _mm512_cmpgt_epi64_mask((__m512i)((i64s)x & c->size), (__m512i)most) != 0;
}

// x = (n + r) * log(2) with n a multiple of 1 / 16, whose lowest four bits of |shifted| name a row: r * log(2).
INLINE f64s pa_reduced(f64s x, f64s *out_shifted, f64s *out_n, const exp_rows *c) {
  f64s shifted = PA_FMA(x, c->log2_of_e, c->shift), n = shifted - c->shift;
  *out_shifted = shifted;
  *out_n = n;
  return PA_FMA(n, c->minus_log_of_2s[1], PA_FMA(n, c->minus_log_of_2s[0], x));
}

INLINE f64s pa_row(const f64s *rows, f64s shifted) {
  return _mm512_permutex2var_pd(rows[0], (__m512i)shifted, rows[1]);
}

// |start| and exp(r) - 1 - r.
INLINE f64s pa_add_exp_rest(f64s r, f64s start, const exp_rows *c) {
  f64s r2 = r * r;
  f64s rest = PA_FMA(r2, pa_line(r, c->exp + 4), pa_line(r, c->exp + 2));
  return PA_FMA(r2, PA_FMA(r2, rest, pa_line(r, c->exp)), start);
}

//===-- exp, exp2 ---------------------------------------------------------------------------------===//

// exp(x) = 2**n * exp(r). The scaling instruction rounds n down by itself.
INLINE bool pa_f64_exp(f64s x, f64s *out) {
  const exp_rows *c = HIDDEN(pa_exp_rows);
  if (pa_any_beyond(x, (i64s)c->most_exponent, c)) return false;
  f64s shifted, n, r = pa_reduced(x, &shifted, &n, c), power = pa_row(c->powers, shifted);
  *out = _mm512_scalef_pd(PA_FMA(power, pa_add_exp_rest(r, r, c), power), n);
  return true;
}

INLINE bool pa_f64_exp2(f64s x, f64s *out) {
  const exp_rows *c = HIDDEN(pa_exp_rows);
  if (pa_any_beyond(x, (i64s)c->most_exponent2, c)) return false;
  f64s shifted = x + c->shift, n = shifted - c->shift, r = x - n, r2 = r * r, power = pa_row(c->powers, shifted);
  f64s rest = PA_FMA(r2, pa_line(r, c->exp2 + 4), pa_line(r, c->exp2 + 2));
  f64s more = r * PA_FMA(r2, rest, pa_line(r, c->exp2)); // 2**r - 1
  *out = _mm512_scalef_pd(PA_FMA(power, more, power), n);
  return true;
}

//===-- tanh --------------------------------------------------------------------------------------===//

// tanh(x) = e / (e + 2), e = exp(2 * x) - 1. A division takes 16 cycles; the reciprocal is good for 14 bits, a step of
// third order makes 42 of them, and what the quotient leaves corrects it.
INLINE bool pa_f64_tanh(f64s x, f64s *out) {
  const exp_rows *c = HIDDEN(pa_exp_rows);
  if (pa_any_beyond(x, c->infinity, c)) return false;
  i64s bits = (i64s)x & c->size;
  f64s size = (f64s)_mm512_min_epi64((__m512i)bits, (__m512i)c->most_tanh); // of more it is 1
  f64s shifted, n, r = pa_reduced(size + size, &shifted, &n, c);
  f64s power = _mm512_scalef_pd(pa_row(c->powers, shifted), n);
  f64s e = PA_FMA(power, pa_add_exp_rest(r, r + pa_row(c->rest, shifted), c), power - c->one), divisor = e + c->two;
  f64s guess = _mm512_rcp14_pd(divisor), off = PA_FMA(-divisor, guess, c->one);
  f64s inverse = PA_FMA(guess, PA_FMA(off, off, off), guess), quotient = e * inverse;
  f64s result = PA_FMA(PA_FMA(-quotient, divisor, e), inverse, quotient);
  *out = (f64s)((i64s)result | ((i64s)x & ~c->size));
  return true;
}

// A polynomial around the middle of an interval: those up to 1 / 8, then of a quarter of a power of two each, named by
// the lowest five of the bits from the second of the mantissa on. Of zero around zero, so that small numbers stay.
typedef struct tanh_rows {
  f32s middle[2], coefficients[6][2];
  i32s size, infinity, most, least;
} tanh_rows;

static const tanh_rows pa_tanh_rows = {
    .middle = {{0x1.2p1f, 0x1.6p1f, 0x1.ap1f, 0x1.ep1f, 0x1.2p2f, 0x1.6p2f, 0x1.ap2f, 0x1.ep2f, 0x1.2p3f, 0x1.6p3f, 0,
                0, 0, 0, 0, 0},
               {0x1.2p-3f, 0x1.6p-3f, 0x1.ap-3f, 0x1.ep-3f, 0x1.2p-2f, 0x1.6p-2f, 0x1.ap-2f, 0x1.ep-2f, 0x1.2p-1f,
                0x1.6p-1f, 0x1.ap-1f, 0x1.ep-1f, 0x1.2p0f, 0x1.6p0f, 0x1.ap0f, 0x1.ep0f}},
    .coefficients =
        {{{0x1.f4bfd6p-1f, 0x1.fbd50ap-1f, 0x1.fe767ap-1f, 0x1.ff6f18p-1f, 0x1.ffdfa6p-1f, 0x1.fffbap-1f,
           0x1.ffff68p-1f, 0x1.ffffecp-1f, 0x1.fffffep-1f, 0x1p0f, 0, 0, 0, 0, 0, 0},
          {0x1.1e1ddp-3f, 0x1.5c9308p-3f, 0x1.9a5f1cp-3f, 0x1.d7665cp-3f, 0x1.18a39ap-2f, 0x1.52c2c6p-2f,
           0x1.8a87e2p-2f, 0x1.bfae6ap-2f, 0x1.05087p-1f, 0x1.3157ep-1f, 0x1.5789p-1f, 0x1.77d838p-1f, 0x1.9e5cb6p-1f,
           0x1.c278a6p-1f, 0x1.d9c6fcp-1f, 0x1.e8789ep-1f}},
         {{0x1.64108ap-5f, 0x1.09a7a6p-6f, 0x1.88ef6ap-8f, 0x1.21a7bp-9f, 0x1.02bf32p-11f, 0x1.18335p-14f,
           0x1.2f6078p-17f, 0x1.487646p-20f, 0x1.05c30cp-24f, 0x1.32d668p-30f, 0, 0, 0, 0, 0, 0x1p0f},
          {0x1.f601cap-1f, 0x1.f12bp-1f, 0x1.eb715ap-1f, 0x1.e4dfb2p-1f, 0x1.d98b36p-1f, 0x1.c7f724p-1f, 0x1.b3ff2ep-1f,
           0x1.9e23aep-1f, 0x1.7aeae6p-1f, 0x1.49e6cp-1f, 0x1.197fcep-1f, 0x1.d834d2p-2f, 0x1.615002p-2f,
           0x1.cea744p-3f, 0x1.265e34p-3f, 0x1.6fcfa6p-4f}},
         {{-0x1.5c3a3cp-5f, -0x1.077906p-6f, -0x1.87b86ep-8f, -0x1.214eaap-9f, -0x1.02451ep-11f, -0x1.17bd96p-14f,
           -0x1.2ee32p-17f, -0x1.47eeep-20f, -0x1.fccc12p-25f, -0x1.2a34ccp-30f, 0, 0, 0, 0, 0, 0x1.a673bcp-22f},
          {-0x1.18883cp-3f, -0x1.5279fep-3f, -0x1.89e50ep-3f, -0x1.be6cb8p-3f, -0x1.038f7p-2f, -0x1.2daf98p-2f,
           -0x1.4ff712p-2f, -0x1.6a1d38p-2f, -0x1.825de4p-2f, -0x1.897d22p-2f, -0x1.79c0e6p-2f, -0x1.5aa224p-2f,
           -0x1.1df056p-2f, -0x1.970ed2p-3f, -0x1.1064bap-3f, -0x1.5ee8aap-4f}},
         {{0x1.bbcddp-6f, 0x1.599588p-7f, 0x1.039786p-8f, 0x1.80e94ep-10f, 0x1.5881a8p-12f, 0x1.754e5ep-15f,
           0x1.9437d6p-18f, 0x1.b5a584p-21f, 0x1.58d0aep-25f, 0x1.943152p-31f, 0, 0, 0, 0, 0, -0x1.555ba8p-2f},
          {-0x1.3b134ep-2f, -0x1.2ea3fcp-2f, -0x1.202a34p-2f, -0x1.0fdf04p-2f, -0x1.e91ee6p-3f, -0x1.98587ep-3f,
           -0x1.4271f4p-3f, -0x1.d71f68p-4f, -0x1.bd0b34p-5f, 0x1.d76bb6p-7f, 0x1.072cdep-4f, 0x1.8434a4p-4f,
           0x1.c68d5p-4f, 0x1.97d7acp-4f, 0x1.33dee6p-4f, 0x1.a85beap-5f}},
         {{-0x1.960204p-7f, -0x1.51959cp-8f, -0x1.0374e4p-9f, -0x1.83e7ecp-11f, -0x1.69dadap-13f, -0x1.888ca2p-16f,
           -0x1.a91eb4p-19f, -0x1.cc4956p-22f, -0x1.a881acp-26f, -0x1.f19b6ep-32f, 0, 0, 0, 0, 0, 0x1.ffd3cap-12f},
          {0x1.6b051ap-4f, 0x1.af9b74p-4f, 0x1.ed77f8p-4f, 0x1.11e9fp-3f, 0x1.32dfc6p-3f, 0x1.4fff78p-3f,
           0x1.5c02d4p-3f, 0x1.5839ap-3f, 0x1.39dad4p-3f, 0x1.e93af8p-4f, 0x1.47435ep-4f, 0x1.633ac2p-5f,
           0x1.e50c1cp-9f, -0x1.599f88p-6f, -0x1.9b961ep-6f, -0x1.5596bp-6f}},
         {{0x1.04bcap-8f, 0x1.f586fap-10f, 0x1.93732ep-11f, 0x1.326e7ep-12f, 0x1.1cd2c4p-14f, 0x1.358c28p-17f,
           0x1.4f5058p-20f, 0x1.6b1048p-23f, 0x1.418c88p-27f, 0x1.78eb96p-33f, 0, 0, 0, 0, 0, 0x1.0a1f72p-3f},
          {0x1.ca8fa4p-4f, 0x1.a261b2p-4f, 0x1.74a65ep-4f, 0x1.428bfap-4f, 0x1.e3cc8ep-5f, 0x1.05c1eep-5f,
           0x1.8439f6p-8f, -0x1.193bb2p-6f, -0x1.6469cep-5f, -0x1.f8946ap-5f, -0x1.00c184p-4f, -0x1.b2b782p-5f,
           -0x1.0660b2p-5f, -0x1.37255ep-7f, 0x1.70aabap-10f, 0x1.2dd5ecp-8f}}},
    .size = PA_ALL_F(INT32_MAX),
    .infinity = PA_ALL_F(0x7f800000),
    .most = PA_ALL_F(0x41180000),  // 9.5: of more it is 1
    .least = PA_ALL_F(0x3de00000), // names the interval up to 1 / 8
};

INLINE f32s pa_row_f(const f32s *rows, i32s index) { return _mm512_permutex2var_ps(rows[0], (__m512i)index, rows[1]); }

INLINE bool pa_f32_tanh(f32s x, f32s *out) {
  const tanh_rows *c = HIDDEN(pa_tanh_rows);
  __m512i bits = (__m512i)((i32s)x & c->size);
  if (_mm512_cmpgt_epi32_mask(bits, (__m512i)c->infinity)) return false;
  __m512i size = _mm512_min_epi32(bits, (__m512i)c->most);
  i32s index = (i32s)_mm512_srli_epi32(_mm512_max_epi32(size, (__m512i)c->least), 21);
  f32s t = (f32s)size - pa_row_f(c->middle, index), t2 = t * t;
#define LINE(i) PA_FMA_F(t, pa_row_f(c->coefficients[i + 1], index), pa_row_f(c->coefficients[i], index))
  f32s result = PA_FMA_F(t2, PA_FMA_F(t2, LINE(4), LINE(2)), LINE(0));
#undef LINE
  *out = (f32s)((i32s)result | ((i32s)x & ~c->size));
  return true;
}

#endif
