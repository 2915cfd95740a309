// Complex functions, as scalars in and two doubles out: the C ABI of complex values stays out of compiled code.
#include "runtime.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static double complex make(double real, double imag) { return __builtin_complex(real, imag); }

static void store(int64_t out, double complex value) {
  double *parts = (double *)(uintptr_t)out;
  parts[0] = creal(value);
  parts[1] = cimag(value);
}

#define PA_COMPLEX(name, function)                                                                                     \
  void pyarray_rt_complex_##name(double real, double imag, int64_t out) { store(out, function(make(real, imag))); }

static double complex scaled(double complex z, double factor) { return make(creal(z) * factor, cimag(z) * factor); }

static double complex log_to_base_10(double complex z) { return scaled(clog(z), M_LOG10E); }
static double complex log_to_base_2(double complex z) { return scaled(clog(z), M_LOG2E); }
static double complex exp_to_base_2(double complex z) { return cexp(scaled(z, M_LN2)); }

static double complex log_of_1_plus(double complex z) {
  double real = creal(z) + 1;
  return make(log(hypot(real, cimag(z))), atan2(cimag(z), real));
}

// cos y - 1 is -2 sin(y/2)^2, without cancellation.
static double complex exp_minus_1(double complex z) {
  double half = sin(cimag(z) / 2);
  return make(expm1(creal(z)) * cos(cimag(z)) - 2 * half * half, exp(creal(z)) * sin(cimag(z)));
}

// Of a radius and an angle, as cmath.rect has it: a radius of 0 has no angle, and an infinite one keeps a zero part.
static double complex from_polar(double complex polar) {
  double radius = creal(polar), angle = cimag(polar);
  if (angle == 0)
    return make(radius, isfinite(radius) ? radius * angle : isinf(radius) ? copysign(1.0, radius) * angle : 0);
  if (radius == 0 && !isfinite(angle)) return 0;
  if (isinf(radius) && !isfinite(angle)) return make(INFINITY, NAN);
  return make(radius * cos(angle), radius * sin(angle));
}

PA_COMPLEX(sqrt, csqrt)
PA_COMPLEX(exp, cexp)
PA_COMPLEX(log, clog)
PA_COMPLEX(exp2, exp_to_base_2)
PA_COMPLEX(expm1, exp_minus_1)
PA_COMPLEX(log1p, log_of_1_plus)
PA_COMPLEX(log2, log_to_base_2)
PA_COMPLEX(log10, log_to_base_10)
PA_COMPLEX(rect, from_polar)
PA_COMPLEX(sin, csin)
PA_COMPLEX(cos, ccos)
PA_COMPLEX(tan, ctan)
PA_COMPLEX(asin, casin)
PA_COMPLEX(acos, cacos)
PA_COMPLEX(atan, catan)
PA_COMPLEX(sinh, csinh)
PA_COMPLEX(cosh, ccosh)
PA_COMPLEX(tanh, ctanh)
PA_COMPLEX(asinh, casinh)
PA_COMPLEX(acosh, cacosh)
PA_COMPLEX(atanh, catanh)

//===-- Powers ------------------------------------------------------------------------------------===//

// The schoolbook product of CPython and NumPy; C's `*` repairs infinities and gives other values.
static double complex multiply(double complex a, double complex b) {
  return make(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

// 1 / z by Smith's algorithm (Comm. ACM 5, 1962). CPython divides by the scale, NumPy multiplies by its inverse.
static double complex reciprocal(double complex z, bool by_inverse) {
  double real = creal(z), imag = cimag(z), ratio, scale, top_real, top_imag;
  if (by_inverse && real == 0 && imag == 0) return make(INFINITY, NAN);
  if (fabs(real) >= fabs(imag)) {
    ratio = imag / real;
    scale = real + imag * ratio;
    top_real = 1.0;
    top_imag = 0.0 - ratio;
  } else {
    ratio = real / imag;
    scale = real * ratio + imag;
    top_real = ratio + 0.0; // never -0.0
    top_imag = -1.0;
  }
  if (!by_inverse) return make(top_real / scale, top_imag / scale);
  scale = 1.0 / scale;
  return make(top_real * scale, top_imag * scale);
}

static double complex power(double complex base, int exponent) {
  double complex result = 1;
  for (int mask = 1; mask <= exponent; mask <<= 1, base = multiply(base, base))
    if (exponent & mask) result = multiply(result, base);
  return result;
}

enum { POWER_OK = 0, POWER_OF_ZERO = 1, POWER_TOO_LARGE = 2 };

// CPython's general case, for a base that is not 0. An infinite phase is a domain error of cos, which CPython reports
// as it does a power of zero.
static int32_t polar_power(double complex a, double complex b, double complex *out_result) {
  double size = hypot(creal(a), cimag(a)), angle = atan2(cimag(a), creal(a));
  double length = pow(size, creal(b)), phase = angle * creal(b);
  if (cimag(b) != 0) {
    length /= exp(angle * cimag(b));
    phase += cimag(b) * log(size);
  }
  *out_result = make(length * cos(phase), length * sin(phase));
  return isinf(phase) ? POWER_OF_ZERO : POWER_OK;
}

static int32_t integer_power(double complex a, int exponent, double complex *out_result) {
  double complex result = power(a, abs(exponent));
  if (exponent <= 0 && creal(result) == 0 && cimag(result) == 0) return POWER_OF_ZERO;
  *out_result = exponent > 0 ? result : reciprocal(result, false);
  return POWER_OK;
}

int32_t pyarray_rt_complex_pow(double a_real, double a_imag, double b_real, double b_imag, int64_t out) {
  double complex a = make(a_real, a_imag), result = 0;
  int32_t status = POWER_OK;
  if (b_imag == 0 && b_real == floor(b_real) && fabs(b_real) <= 100.0)
    status = integer_power(a, (int)b_real, &result);
  else if (a_real == 0 && a_imag == 0)
    status = b_imag != 0 || b_real < 0 ? POWER_OF_ZERO : POWER_OK;
  else
    status = polar_power(a, make(b_real, b_imag), &result);
  store(out, result);
  if (status == POWER_OK && (isinf(creal(result)) || isinf(cimag(result)))) status = POWER_TOO_LARGE;
  return status;
}

// NumPy writes the smallest powers out, which shows where infinities meet zeros.
static double complex small_power(double complex a, int exponent) {
  switch (exponent) {
  case 1: return a;
  case 2: return multiply(a, a);
  case 3: return multiply(a, multiply(a, a));
  default: return power(a, exponent);
  }
}

void pyarray_rt_complex_pow_numpy(double a_real, double a_imag, double b_real, double b_imag, int64_t out) {
  double complex a = make(a_real, a_imag);
  if (b_real == 0 && b_imag == 0)
    store(out, 1);
  else if (a_real == 0 && a_imag == 0)
    store(out, b_real > 0 ? 0 : make(NAN, NAN));
  else if (b_imag != 0 || b_real != floor(b_real) || fabs(b_real) >= 100)
    store(out, cpow(a, make(b_real, b_imag)));
  else if (b_real > 0)
    store(out, small_power(a, (int)b_real));
  else
    store(out, reciprocal(power(a, (int)-b_real), true));
}
