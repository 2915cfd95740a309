// CPython's cmath where it settles what C leaves open: signs of zeros and infinities beside a NaN, and where both parts
// are infinite. The circular functions are the hyperbolic ones turned by i, as CPython has them, so that they inherit
// these.
#include "runtime.h"

#include <complex.h>
#include <math.h>

static double complex make(double real, double imag) { return __builtin_complex(real, imag); }
static double complex times_i(double complex z) { return make(-cimag(z), creal(z)); }
static double complex over_i(double complex z) { return make(cimag(z), -creal(z)); }

static double complex python_exp(double complex z) {
  return creal(z) == -INFINITY && !isfinite(cimag(z)) ? make(0, 0) : cexp(z);
}

static double complex python_cosh(double complex z) {
  return isnan(creal(z)) && cimag(z) == 0 ? make(NAN, 0) : ccosh(z);
}

static double complex python_sinh(double complex z) {
  double real = creal(z);
  return isnan(cimag(z)) && (real == 0 || isinf(real)) ? make(fabs(real), NAN) : csinh(z);
}

static double complex python_tanh(double complex z) {
  double real = creal(z), imag = cimag(z);
  if (isinf(real) && !isfinite(imag)) return make(copysign(1, real), 0);
  return real == 0 && isnan(imag) ? make(NAN, NAN) : ctanh(z);
}

static double complex python_asinh(double complex z) {
  return isnan(creal(z)) && isinf(cimag(z)) ? make(INFINITY, NAN) : casinh(z);
}
static double complex python_acosh(double complex z) {
  return creal(z) == 0 && isnan(cimag(z)) ? make(NAN, NAN) : cacosh(z);
}
static double complex python_acos(double complex z) {
  return isinf(creal(z)) && isnan(cimag(z)) ? make(NAN, INFINITY) : cacos(z);
}

static double complex python_atanh(double complex z) {
  return isnan(creal(z)) && isinf(cimag(z)) ? make(0, copysign(M_PI_2, cimag(z))) : catanh(z);
}

static double complex python_cos(double complex z) { return python_cosh(times_i(z)); }
static double complex python_sin(double complex z) { return over_i(python_sinh(times_i(z))); }
static double complex python_tan(double complex z) { return over_i(python_tanh(times_i(z))); }
static double complex python_asin(double complex z) { return over_i(python_asinh(times_i(z))); }
static double complex python_atan(double complex z) { return over_i(python_atanh(times_i(z))); }

#ifndef PA_CMATH
#define PA_CMATH(name)                                                                                                 \
  void pyarray_rt_complex_python_##name(double real, double imag, int64_t out) {                                       \
    double complex value = python_##name(make(real, imag));                                                            \
    double *parts = (double *)(uintptr_t)out;                                                                          \
    parts[0] = creal(value);                                                                                           \
    parts[1] = cimag(value);                                                                                           \
  }
#endif

PA_CMATH(exp)
PA_CMATH(sinh)
PA_CMATH(cosh)
PA_CMATH(tanh)
PA_CMATH(sin)
PA_CMATH(cos)
PA_CMATH(tan)
PA_CMATH(asinh)
PA_CMATH(acosh)
PA_CMATH(atanh)
PA_CMATH(asin)
PA_CMATH(acos)
PA_CMATH(atan)
