// lib/device/complex.c against the C library, over a grid of values with zeros, infinities, NaN and huge and tiny
// numbers; and lib/runtime/numbers/cmath.c over it against the same over the C library, in all signs. The GPU's
// functions are compiled here under names of their own.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

// clang-format off
#define PA_FUNCTIONS(F)                                                                           \
  F(cexp) F(clog) F(csqrt) F(csinh) F(ccosh) F(ctanh) F(csin) F(ccos) F(ctan) F(casinh) F(cacosh) \
  F(catanh) F(casin) F(cacos) F(catan)
// clang-format on

#define DECLARE(name) static double complex device_##name(double complex z);
PA_FUNCTIONS(DECLARE)
static double complex device_cpow(double complex z, double complex w);

#define cexp device_cexp
#define clog device_clog
#define cpow device_cpow
#define csqrt device_csqrt
#define csinh device_csinh
#define ccosh device_ccosh
#define ctanh device_ctanh
#define csin device_csin
#define ccos device_ccos
#define ctan device_ctan
#define casinh device_casinh
#define cacosh device_cacosh
#define catanh device_catanh
#define casin device_casin
#define cacos device_cacos
#define catan device_catan
#include "../../lib/device/complex.c"
#define make cmath_make
#define times_i cmath_times_i
#define over_i cmath_over_i
#define PA_CMATH(name) enum { CMATH_##name }; // not under their exported names
#include "../../lib/runtime/numbers/cmath.c"
#undef make
#undef times_i
#undef over_i
#undef cexp
#undef clog
#undef cpow
#undef csqrt
#undef csinh
#undef ccosh
#undef ctanh
#undef csin
#undef ccos
#undef ctan
#undef casinh
#undef cacosh
#undef catanh
#undef casin
#undef cacos
#undef catan

typedef double complex (*function)(double complex z);

static const struct {
  const char *name;
  function device, host;
} rows[] = {
#define ROW(name) {#name, device_##name, name},
    PA_FUNCTIONS(ROW)
#undef ROW
};

typedef void (*exported)(double real, double imag, int64_t out);
static const struct {
  const char *name;
  function device;
  exported host;
} python_rows[] = {
#define ROW(name) {#name, python_##name, pyarray_rt_complex_python_##name},
    ROW(exp) ROW(sinh) ROW(cosh) ROW(tanh) ROW(sin) ROW(cos) ROW(tan) ROW(asinh) ROW(acosh) ROW(atanh) ROW(asin)
        ROW(acos) ROW(atan)
#undef ROW
};

static int failures;

// Parts that are lost beside the other part may differ by its last bits.
static bool is_close(double x, double y, double size) {
  if (isnan(x) || isnan(y)) return isnan(x) && isnan(y);
  if (isinf(x) || isinf(y)) return x == y || (fabs(x) > 0.9 * DBL_MAX && fabs(y) > 0.9 * DBL_MAX);
  if (x == 0 && y == 0) return signbit(x) == signbit(y);
  return fabs(x - y) <= 32 * DBL_EPSILON * fmax(fabs(y), size) + DBL_MIN;
}

static void check(const char *name, double complex z, double complex device, double complex host) {
  double size = isfinite(creal(host)) && isfinite(cimag(host)) ? cabs(host) : 0;
  if (is_close(creal(device), creal(host), size) && is_close(cimag(device), cimag(host), size)) return;
  if (++failures <= 40)
    printf("%s(%g%+gi) = %.17g%+.17gi, not %.17g%+.17gi\n", name, creal(z), cimag(z), creal(device), cimag(device),
           creal(host), cimag(host));
}

// C99 leaves the sign of some zeros and infinities open (G.6); glibc's choice is no reason to fail.
static bool is_open(double x, double y) {
  return isnan(x) || isnan(y) || (isinf(x) && !isfinite(y)) || (isinf(y) && !isfinite(x));
}

// What CPython's cmath gives is settled in every case that it does not refuse: a function that has an error there may
// differ.
static void check_python(const double *values, int count) {
  for (size_t f = 0; f < sizeof python_rows / sizeof *python_rows; f++)
    for (int i = 0; i < count; i++)
      for (int k = 0; k < count; k++) {
        double parts[2];
        python_rows[f].host(values[i], values[k], (int64_t)(uintptr_t)parts);
        double complex z = make(values[i], values[k]), host = make(parts[0], parts[1]);
        bool finite = isfinite(parts[0]) && isfinite(parts[1]), pole = isnan(parts[0]) || isnan(parts[1]);
        if (!isnan(values[i]) && !isnan(values[k]) && !finite && pole) continue;
        check(python_rows[f].name, z, python_rows[f].device(z), host);
      }
}

int main(void) {
  static const double finite[] = {0,    -0.0, 1e-310, -1e-200, 1e-8, -0.3, 0.5,  -0.9999999, 1,     -1,     1.0000001,
                                  -1.5, 2.5,  -7,     19,      -22,  150,  -705, 900,        1e100, -1e160, 1e300};
  enum { FINITE = sizeof finite / sizeof *finite };
  for (size_t f = 0; f < sizeof rows / sizeof *rows; f++)
    for (int i = 0; i < FINITE; i++)
      for (int k = 0; k < FINITE; k++) {
        double complex z = make(finite[i], finite[k]);
        check(rows[f].name, z, rows[f].device(z), rows[f].host(z));
      }
  static const double special[] = {0, -0.0, 1.5, -2, INFINITY, -INFINITY, NAN};
  for (size_t f = 0; f < sizeof rows / sizeof *rows; f++)
    for (int i = 0; i < 7; i++)
      for (int k = 0; k < 7; k++) {
        double complex z = make(special[i], special[k]);
        if (is_open(special[i], special[k])) continue;
        check(rows[f].name, z, rows[f].device(z), rows[f].host(z));
      }
  for (int i = 6; i < 14; i++)
    for (int k = 6; k < 14; k++) {
      double complex z = make(finite[i], finite[k]), w = make(finite[k], -finite[i]);
      check("cpow", z, device_cpow(z, w), cpow(z, w));
    }
  check_python(finite, FINITE);
  check_python(special, 7);
  return failures != 0;
}
