// Python's arithmetic where neither libm nor an LLVM instruction has it. Compiled for the GPU too (lib/device).
#include "runtime.h"

#include <math.h>

enum { TOO_LARGE = -1, FIRST_NEGATIVE = -2, SECOND_NEGATIVE = -3 };

//===-- Powers ------------------------------------------------------------------------------------===//

static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

int64_t pyarray_rt_ipow_i64(int64_t base, int64_t exponent) {
  if (exponent >= 0) return (int64_t)power((uint64_t)base, (uint64_t)exponent);
  if (base == -1) return exponent & 1 ? -1 : 1;
  return base == 1;
}

// The inverse of |a| modulo |m| by the extended Euclidean algorithm; 0 if there is none.
static __int128 inverse(__int128 a, __int128 m) {
  __int128 remainder = m, next = a, coefficient = 0, next_coefficient = 1;
  while (next) {
    __int128 quotient = remainder / next, swap = remainder - quotient * next;
    remainder = next, next = swap;
    swap = coefficient - quotient * next_coefficient;
    coefficient = next_coefficient, next_coefficient = swap;
  }
  return remainder == 1 ? (coefficient % m + m) % m : 0;
}

static __int128 widened(int64_t value, bool without_sign) { return without_sign ? (__int128)(uint64_t)value : value; }

int64_t pyarray_rt_pow_mod(int64_t base, int64_t exponent, int64_t modulus, int64_t without_sign) {
  __int128 m = widened(modulus, without_sign & 4), power = widened(exponent, without_sign & 2);
  bool below_zero = m < 0, inverted = power < 0;
  if (below_zero) m = -m;
  if (m == 1) return 0;
  __int128 rest = (widened(base, without_sign & 1) % m + m) % m;
  if (inverted && !(rest = inverse(rest, m))) return modulus;
  unsigned __int128 square = (unsigned __int128)rest, result = 1, n = (unsigned __int128)m;
  for (uint64_t left = (uint64_t)(inverted ? -power : power); left; left >>= 1) {
    if (left & 1) result = result * square % n;
    square = square * square % n;
  }
  return (int64_t)(below_zero && result ? (__int128)result - m : (__int128)result);
}

int64_t pyarray_rt_ipow_u64(int64_t base, int64_t exponent) {
  return (int64_t)power((uint64_t)base, (uint64_t)exponent);
}

//===-- Float division (CPython's Objects/floatobject.c gives the same bits) -----------------------===//

// fmod(a, b) exactly. A quotient below 2^53 is off by one at most once it is cut, and a - quotient * b, a multiple of
// the last bit of |b| and smaller than 2 |b|, is a float64. The C library's fmod divides bit by bit.
static double remainder_of(double a, double b) {
  double quotient = a / b;
  if (!(fabs(quotient) < 0x1p53) || isinf(b)) return fmod(a, b);
  double rest = fma(-trunc(quotient), b, a);
  if (rest != 0 && (rest < 0) != (a < 0)) rest += copysign(b, a);
  if (fabs(rest) >= fabs(b)) rest -= copysign(b, a);
  return copysign(rest, a);
}

double pyarray_rt_float_mod(double a, double b) {
  double remainder = remainder_of(a, b);
  if (remainder == 0) return copysign(0.0, b);
  return (b < 0) != (remainder < 0) ? remainder + b : remainder;
}

double pyarray_rt_float_floordiv(double a, double b) {
  double remainder = remainder_of(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= 1.0;
  if (quotient == 0) return copysign(0.0, a / b);
  double whole = floor(quotient);
  return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

//===-- Number theory -----------------------------------------------------------------------------===//

static uint64_t magnitude(int64_t value) { return value < 0 ? 0 - (uint64_t)value : (uint64_t)value; }

static int64_t fitted(unsigned __int128 value) { return value > INT64_MAX ? TOO_LARGE : (int64_t)value; }

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int64_t pyarray_rt_gcd(int64_t a, int64_t b) { return fitted(common_divisor(magnitude(a), magnitude(b))); }

int64_t pyarray_rt_lcm(int64_t a, int64_t b) {
  if (!a || !b) return 0;
  uint64_t first = magnitude(a), second = magnitude(b);
  return fitted((unsigned __int128)(first / common_divisor(first, second)) * second);
}

int64_t pyarray_rt_gcd_u64(int64_t a, int64_t b) { return (int64_t)common_divisor((uint64_t)a, (uint64_t)b); }

int64_t pyarray_rt_lcm_u64(int64_t a, int64_t b) {
  return a && b ? (int64_t)((uint64_t)a / common_divisor((uint64_t)a, (uint64_t)b) * (uint64_t)b) : 0;
}

int64_t pyarray_rt_isqrt(int64_t n) {
  if (n < 0) return FIRST_NEGATIVE;
  int64_t root = (int64_t)sqrt((double)n); // off by one at most
  if ((unsigned __int128)root * (uint64_t)root > (uint64_t)n)
    --root;
  else if ((unsigned __int128)(root + 1) * (uint64_t)(root + 1) <= (uint64_t)n)
    ++root;
  return root;
}

// After step i the result is C(n - k + i, i) >= 2^i, so that few steps are taken before it exceeds int64.
int64_t pyarray_rt_comb(int64_t n, int64_t k) {
  if (n < 0) return FIRST_NEGATIVE;
  if (k < 0) return SECOND_NEGATIVE;
  if (k > n) return 0;
  if (k > n - k) k = n - k;
  unsigned __int128 result = 1;
  for (int64_t i = 1; i <= k; ++i) {
    result = result * (uint64_t)(n - k + i) / (uint64_t)i;
    if (result > INT64_MAX) return TOO_LARGE;
  }
  return (int64_t)result;
}

int64_t pyarray_rt_perm(int64_t n, int64_t k) {
  if (n < 0) return FIRST_NEGATIVE;
  if (k < 0) return SECOND_NEGATIVE;
  if (k > n) return 0;
  int64_t result = 1;
  for (int64_t i = 0; i < k; ++i)
    if (__builtin_mul_overflow(result, n - i, &result)) return TOO_LARGE;
  return result;
}

int64_t pyarray_rt_factorial(int64_t n) { return pyarray_rt_perm(n, n); }
