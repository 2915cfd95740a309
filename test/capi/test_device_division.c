// lib/device/division.c against the processor's division: values at the edges of the ranges with each other, random
// bits, and quotients half way between two subnormal numbers. The GPU's approximate reciprocals have here as few bits
// as they may.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// What rcp.approx.ftz.f64 makes of the upper half of a number: subnormal ones are zeros, and the lower half of the
// result is 0.
static double reciprocal_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bool is_odd = (~bits >> 32 & 0xfffff) == 0; // a fraction of ones: half way between two results
  double made = 1 / (fabs(x) < 0x1p-1022 ? copysign(0, x) : x);
  memcpy(&bits, &made, sizeof bits);
  if (isfinite(made) && !is_odd) bits += (random_bits() & 3) << 32;
  bits &= 0xffffffff00000000u;
  memcpy(&made, &bits, sizeof made);
  return fabs(made) < 0x1p-1022 ? copysign(0, made) : made;
}

// rcp.approx.ftz.f32: within one unit of the last place, and rounded where the fraction is all ones.
static float reciprocal_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bool is_odd = (~bits & 0x7fffff) == 0;
  float made = 1 / (fabsf(x) < 0x1p-126f ? copysignf(0, x) : x);
  if (isfinite(made) && made != 0 && !is_odd && random_bits() & 1)
    made = nextafterf(made, random_bits() & 1 ? 0 : INFINITY);
  return fabsf(made) < 0x1p-126f ? copysignf(0, made) : made;
}

#define RECIPROCAL_F32 reciprocal_f32
#define RECIPROCAL_F64 reciprocal_f64
#include "../../lib/device/division.c"

// What lib/codegen/divisions.c writes in PTX.
// The upper half of a double as a float, whose NaN stands for the double's infinities, NaN and numbers from 2^1017 on.
static float upper_half(double value) {
  uint32_t bits = high_of(value);
  float half;
  memcpy(&half, &bits, sizeof half);
  return half;
}

static float usual_quotient_f32(float a, float b) {
  float y = RECIPROCAL_F32(b);
  y = fmaf(y, fmaf(-b, y, 1), y);
  float q = a * y;
  q = fmaf(fmaf(-b, q, a), y, q);
  // The remainder is exact, and the quotient normal. Divisors that have no reciprocal make it NaN or 0.
  return fabsf(a) >= 0x1p-102f && fabsf(q) >= 0x1p-126f ? q : pyarray_dev_rare_quotient_f32(a, b);
}

static double usual_quotient_f64(double a, double b) {
  double rest, q = plain_quotient(a, b, RECIPROCAL_F64(b), &rest);
  float quotient = fmaf(0, upper_half(b), upper_half(q)); // NaN if that of b is
  return fabsf(upper_half(a)) >= 0x1.cp-121f && fabsf(quotient) > 0x1p-129f ? q : pyarray_dev_rare_quotient_f64(a, b);
}

static int failures;

static void check_f64(double a, double b) {
  double wanted = a / b, fast = usual_quotient_f64(a, b), rare = pyarray_dev_rare_quotient_f64(a, b);
  bool same = isnan(wanted) ? isnan(fast) && isnan(rare) : !memcmp(&wanted, &fast, 8) && !memcmp(&wanted, &rare, 8);
  if (!same && ++failures < 10) printf("%a / %a is %a, not %a or %a\n", a, b, wanted, fast, rare);
}

static void check_f32(float a, float b) {
  float wanted = a / b, fast = usual_quotient_f32(a, b), rare = pyarray_dev_rare_quotient_f32(a, b);
  bool same = isnan(wanted) ? isnan(fast) && isnan(rare) : !memcmp(&wanted, &fast, 4) && !memcmp(&wanted, &rare, 4);
  if (!same && ++failures < 10) printf("%a / %a is %a, not %a or %a (float32)\n", a, b, wanted, fast, rare);
}

static double float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static const double fractions[] = {1, 1 + 0x1p-52, 1 + 0x1p-23, 1.25, 1.5 - 0x1p-52, 1.5, 2 - 0x1p-23, 2 - 0x1p-52};

static void check_edges(void) {
  static const int exponents[] = {-1074, -1073, -1050, -1023, -1022, -1021, -970, -969, -968, -150,
                                  -149,  -127,  -126,  -125,  -103,  -102,  -101, -1,   0,    1,
                                  52,    125,   126,   127,   128,   1016,  1017, 1018, 1022, 1023};
  double values[sizeof exponents / sizeof *exponents * 8 + 3];
  size_t count = 0;
  for (size_t e = 0; e < sizeof exponents / sizeof *exponents; ++e)
    for (size_t f = 0; f < 8; ++f) values[count++] = ldexp(fractions[f], exponents[e]);
  values[count++] = 0, values[count++] = INFINITY, values[count++] = NAN;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < 4 * count; ++j) {
      double a = j & 1 ? -values[i] : values[i], b = j & 2 ? -values[j / 4] : values[j / 4];
      check_f64(a, b);
      check_f32((float)a, (float)b);
    }
}

static void check_random(void) {
  for (int i = 0; i < 2000000; ++i) {
    uint64_t x = random_bits(), y = random_bits();
    double a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    check_f64(a, b);
    check_f32((float)float_of((uint32_t)x), (float)float_of((uint32_t)y));
    check_f64(ldexp(1 + (double)(x >> 12) * 0x1p-52, -1022 + (int)(y & 63)),
              ldexp(1 + (double)(y >> 12) * 0x1p-52, (int)(x & 63)));
    check_f32((float)ldexp(1 + (double)(x >> 41) * 0x1p-23, -126 + (int)(y & 31)),
              (float)ldexp(1 + (double)(y >> 41) * 0x1p-23, (int)(x & 31)));
  }
}

// a / b just above, at and below the middle of two subnormal numbers: b times it, and the numbers beside that.
static void check_middles(void) {
  for (int i = 0; i < 500000; ++i) {
    int bits = 1 + (int)(random_bits() % 52);
    double middle = (double)(random_bits() >> (64 - bits) | 1) * 0x1p-75;
    double b = 1 + (double)(random_bits() >> (12 + random_bits() % 52)) * 0x1p-52, a = middle * b;
    for (int step = -1; step <= 1; ++step) {
      double near = step ? nextafter(a, step * INFINITY) : a;
      check_f64(near * 0x1p-500, b * 0x1p500);
      check_f64(-near * 0x1p-900, b * 0x1p100);
    }
  }
}

int main(void) {
  check_edges();
  check_random();
  check_middles();
  if (failures) printf("%d wrong\n", failures);
  return failures != 0;
}
