// The part of <math.h> that our C uses on the GPU: NVIDIA's libdevice defines the functions (lib/codegen/nvptx.c names
// them so).
#ifndef PYARRAY_LIB_DEVICE_LIBC_MATH_H
#define PYARRAY_LIB_DEVICE_LIBC_MATH_H

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_LOG10E 0.43429448190325182765
#define M_LOG2E 1.44269504088896340736
#define M_LN2 0.69314718055994530942
#define M_PI_2 1.57079632679489661923
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

double asinh(double x);
double atan2(double y, double x);
double copysign(double x, double y);
double cos(double x);
double cosh(double x);
double exp(double x);
double expm1(double x);
double fabs(double x);
double floor(double x);
double fma(double x, double y, double z);
double fmax(double x, double y);
double fmin(double x, double y);
double fmod(double x, double y);
double hypot(double x, double y);
double log(double x);
double log1p(double x);
double pow(double x, double y);
double sin(double x);
double sinh(double x);
double sqrt(double x);
double tan(double x);
double trunc(double x);

#endif // PYARRAY_LIB_DEVICE_LIBC_MATH_H
