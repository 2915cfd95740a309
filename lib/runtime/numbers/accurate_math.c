// Functions of libm with an error of at most 1 ULP: float64 through long double, which has 11 bits more on x86-64, and
// float32 through float64. Rounding twice adds next to nothing to half a unit. Exceptions of the conversion (overflow
// where only long double holds the value) are those of the function.
#include "runtime.h"

#include <math.h>

#define DEFINE(name)                                                                                                   \
  double pyarray_rt_accurate_##name(double x) { return (double)name##l(x); }                                           \
  float pyarray_rt_accurate_##name##f(float x) { return (float)name(x); }
DEFINE(acosh)
DEFINE(asinh)
DEFINE(atanh)
DEFINE(cbrt)
DEFINE(cosh)
DEFINE(erf)
DEFINE(erfc)
DEFINE(lgamma)
DEFINE(log10)
DEFINE(sinh)
DEFINE(tanh)
DEFINE(tgamma)

float pyarray_rt_accurate_atan2f(float y, float x) { return (float)atan2(y, x); }
float pyarray_rt_accurate_tanf(float x) { return (float)tan(x); }
