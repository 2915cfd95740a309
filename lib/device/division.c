// Quotients of floats in rare cases, rounded as IEEE 754 asks: zeros, infinities, NaN, numbers of any size and
// subnormal results. Compiled to PTX, and put into kernels that divide (lib/codegen/short_divisions.c), in place of the
// assembler's own functions.
//
// An approximate reciprocal, Newton's steps, and a quotient that is corrected by its remainder, as in P. Markstein,
// "Computation of elementary functions on the IBM RISC System/6000 processor" (1990).
#include <stdint.h>

float pyarray_dev_rare_quotient_f32(float a, float b);
double pyarray_dev_rare_quotient_f64(double a, double b);

#ifdef __NVPTX__
#define RECIPROCAL_F64(x) __nvvm_rcp_approx_ftz_d(x) // else test/capi/test_device_division.c has it
#endif

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

enum { EXPONENT_AT = 20, BIAS = 1023, EXPONENTS = 0x7ff, LEAST = -1080, MOST = 1030 }; // in the upper half
static const uint32_t OTHER_BITS = 0x800fffff, ONE = (uint32_t)BIAS << EXPONENT_AT, SIGN = 0x80000000;

typedef union halves {
  double value;
  struct {
    uint32_t low, high;
  };
} halves;

static inline double join(uint32_t high, uint32_t low) { return (halves){.low = low, .high = high}.value; }
static inline uint32_t high_of(double value) { return (halves){.value = value}.high; }
static inline uint32_t low_of(double value) { return (halves){.value = value}.low; }

// a / b where nothing overflows or loses bits, from an approximation of 1 / b; |*out_rest|: a - b * that. The
// approximation has 20 bits, and the processor's lower half is 0. With a 1 there the steps come to the right number
// also where the fraction of |b| is all ones: from 0.5 they would stay at it.
static inline double plain_quotient(double a, double b, double approximation, double *out_rest) {
  double y = join(high_of(approximation), 1), e = __builtin_fma(-b, y, 1.0);
  y = __builtin_fma(y, __builtin_fma(e, e, e), y);
  y = __builtin_fma(y, __builtin_fma(-b, y, 1.0), y);
  double q = a * y;
  q = __builtin_fma(__builtin_fma(-b, q, a), y, q);
  *out_rest = __builtin_fma(-b, q, a);
  return q;
}

// q * 2^n, rounded once, where |q| is itself rounded and what it lacks has the sign of |rest|. Two roundings differ
// from one only where q is half way between two results.
static inline double scaled(double q, uint32_t rest, int n, int is_exact) {
  n = n < LEAST ? LEAST : n > MOST ? MOST : n;
  uint32_t first = (uint32_t)((n >> 1) + BIAS) << EXPONENT_AT, second = (uint32_t)(n - (n >> 1) + BIAS) << EXPONENT_AT;
  double result = q * join(first, 0) * join(second, 0);
  double lost = q - result * join(2 * ONE - second, 0) * join(2 * ONE - first, 0);
  uint32_t step = (uint32_t)(-1075 - n + BIAS)
                  << EXPONENT_AT; // half of a unit of a subnormal result; else lost is 0, or infinite
  double other = (q + join(step | (rest & SIGN), 0)) * join(first, 0) * join(second, 0);
  return (!is_exact & (__builtin_fabs(lost) == join(step, 0))) ? other : result;
}

// Zeros, infinities and NaN keep their place; beside them any number will do. No branches: the assembler takes long
// over them.
double pyarray_dev_rare_quotient_f64(double a, double b) {
  int is_tiny_a = __builtin_fabs(a) < 0x1p-1022, is_tiny_b = __builtin_fabs(b) < 0x1p-1022;
  a *= is_tiny_a ? 0x1p54 : 1.0;
  b *= is_tiny_b ? 0x1p54 : 1.0;
  int of_a = (int)(high_of(a) >> EXPONENT_AT & EXPONENTS), of_b = (int)(high_of(b) >> EXPONENT_AT & EXPONENTS);
  int is_special_a = (uint32_t)of_a - 1 >= EXPONENTS - 1, is_special_b = (uint32_t)of_b - 1 >= EXPONENTS - 1;
  a = join(is_special_a ? high_of(a) : (high_of(a) & OTHER_BITS) | ONE, low_of(a));
  b = join(is_special_b ? high_of(b) : (high_of(b) & OTHER_BITS) | ONE, low_of(b));
  double approximation = RECIPROCAL_F64(b), rest, q = plain_quotient(a, b, approximation, &rest);
  double result =
      scaled(q, high_of(rest) ^ high_of(b), of_a - of_b - (is_tiny_a ? 54 : 0) + (is_tiny_b ? 54 : 0), rest == 0);
  return is_special_a | is_special_b ? a * approximation : result;
}

// In float64 no quotient of floats overflows or is too small, and rounding it again to float changes nothing: it has
// twice as many bits and two. Zeros, infinities and NaN are what multiplication makes of them.
float pyarray_dev_rare_quotient_f32(float a, float b) {
  double rest, x = a, y = b, approximation = RECIPROCAL_F64(y), q = plain_quotient(x, y, approximation, &rest);
  return (float)(__builtin_fabs(q) > 0 ? q : x * approximation);
}
