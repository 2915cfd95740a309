// The functions of <complex.h> for the GPU, with the values of C99 Annex G. Inverse functions are Kahan's (Branch Cuts
// for Complex Elementary Functions, 1987); sin and its kin are sinh and its kin turned by i.
#include <complex.h>
#include <math.h>
#include <stdbool.h>

static double complex make(double real, double imag) { return __builtin_complex(real, imag); }

static double complex times_i(double complex z) { return make(-cimag(z), creal(z)); }
static double complex over_i(double complex z) { return make(cimag(z), -creal(z)); }

//===-- Exponential and logarithm -----------------------------------------------------------------===//

enum { SCALE_STEP = 700 }; // exp(x) overflows above 709, though exp(x) * cos(y) may not

double complex cexp(double complex z) {
  double x = creal(z), y = cimag(z);
  if (y == 0) return make(exp(x), y);
  if (x == -INFINITY && !isfinite(y)) return make(0, copysign(0.0, y));
  if (x == INFINITY && !isfinite(y)) return make(INFINITY, y - y);
  if (isnan(x)) return make(x, x);
  double scale = 1;
  if (x > SCALE_STEP && x < 2 * SCALE_STEP) scale = exp((double)SCALE_STEP), x -= SCALE_STEP;
  double size = exp(x);
  return make(size * cos(y) * scale, size * sin(y) * scale);
}

// log |z|, exact near |z| = 1, where log(hypot) loses everything.
static double log_size(double x, double y) {
  double large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
  if (large > 0.5 && large < 3 && small < 3) {
    double excess = fma(large - 1, large + 1, small * small);
    if (excess > -0.5 && excess < 2) return log1p(excess) / 2;
  }
  if (large < 0x1p-1022 && large > 0) return log(hypot(large * 0x1p54, small * 0x1p54)) - 54 * M_LN2;
  if (large > 0x1p1022 && isfinite(large)) return log(hypot(large / 2, small / 2)) + M_LN2;
  return log(hypot(x, y));
}

double complex clog(double complex z) { return make(log_size(creal(z), cimag(z)), atan2(cimag(z), creal(z))); }

double complex cpow(double complex z, double complex w) {
  double complex l = clog(z);
  double real = creal(l) * creal(w) - cimag(l) * cimag(w), imag = creal(l) * cimag(w) + cimag(l) * creal(w);
  return cexp(make(real, imag));
}

//===-- Square root -------------------------------------------------------------------------------===//

double complex csqrt(double complex z) {
  double x = creal(z), y = cimag(z), scale = 1;
  if (isinf(y)) return make(INFINITY, y);
  if (isnan(x)) return make(x, x);
  if (isinf(x)) {
    double other = isnan(y) ? y : 0;
    return x > 0 ? make(x, isnan(y) ? y : copysign(0.0, y)) : make(other, copysign(INFINITY, y));
  }
  if (x == 0 && y == 0) return make(0, y);
  double large = fmax(fabs(x), fabs(y));
  if (large > 0x1p1020) scale = 2, x /= 4, y /= 4;
  if (large < 0x1p-1000) scale = 0x1p-54, x *= 0x1p108, y *= 0x1p108;
  double root = sqrt((hypot(x, y) + fabs(x)) / 2), other = y / (2 * root);
  if (x >= 0) return make(root * scale, other * scale);
  return make(fabs(other) * scale, copysign(root, y) * scale);
}

//===-- Hyperbolic functions ----------------------------------------------------------------------===//

// exp(x) / 2 * part without overflow on the way, for large |x|.
static double half_exp_times(double x, double part) { return exp(x / 2) * part * (0.5 * exp(x / 2)); }

double complex csinh(double complex z) {
  double x = creal(z), y = cimag(z);
  if (y == 0) return make(sinh(x), y);
  if (x == 0) return make(isfinite(y) ? x * cos(y) : x, sin(y));
  if (isinf(x) && !isfinite(y)) return make(x, y - y);
  if (fabs(x) > SCALE_STEP)
    return make(copysign(half_exp_times(fabs(x), cos(y)), x * cos(y)), half_exp_times(fabs(x), sin(y)));
  return make(sinh(x) * cos(y), cosh(x) * sin(y));
}

double complex ccosh(double complex z) {
  double x = creal(z), y = cimag(z);
  if (y == 0) return make(cosh(x), signbit(x) == signbit(y) ? 0.0 : -0.0);
  if (x == 0) return make(cos(y), isfinite(y) ? x * sin(y) : 0);
  if (isinf(x) && !isfinite(y)) return make(INFINITY, y - y);
  if (fabs(x) > SCALE_STEP)
    return make(half_exp_times(fabs(x), cos(y)), copysign(1.0, x) * half_exp_times(fabs(x), sin(y)));
  return make(cosh(x) * cos(y), sinh(x) * sin(y));
}

double complex ctanh(double complex z) {
  double x = creal(z), y = cimag(z);
  if (isnan(x)) return make(x, y == 0 ? y : x);
  if (fabs(x) > 20) { // 1 - tanh(20) is below the last bit
    double imag = isfinite(y) ? 4 * sin(y) * cos(y) * exp(-2 * fabs(x)) : copysign(0.0, y);
    return make(copysign(1.0, x), imag);
  }
  if (x == 0 && !isfinite(y)) return make(x, y - y);
  double t = tan(y), beta = 1 + t * t, s = sinh(x), rho = sqrt(1 + s * s);
  if (isinf(t)) return make(rho / s, 1 / t);
  double below = 1 + beta * s * s;
  return make(beta * rho * s / below, t / below);
}

double complex csin(double complex z) { return over_i(csinh(times_i(z))); }
double complex ccos(double complex z) { return ccosh(times_i(z)); }
double complex ctan(double complex z) { return over_i(ctanh(times_i(z))); }

//===-- Inverse functions -------------------------------------------------------------------------===//

static bool is_large(double complex z) { return fabs(creal(z)) > 0x1p510 || fabs(cimag(z)) > 0x1p510; }

double complex casinh(double complex z) {
  double x = creal(z), y = cimag(z);
  if (is_large(z) || isnan(x) || isnan(y)) {
    if (y == 0 && isnan(x)) return make(x, y);
    double complex l = clog(make(fabs(x), fabs(y)));
    return make(copysign(creal(l) + (isinf(creal(l)) ? 0 : M_LN2), x), copysign(cimag(l), y));
  }
  double complex a = csqrt(make(1 + y, -x)), b = csqrt(make(1 - y, x)); // sqrt(1 - iz), sqrt(1 + iz)
  double real = asinh(creal(a) * cimag(b) - cimag(a) * creal(b));
  double imag = atan2(y, creal(b) * creal(a) - cimag(b) * cimag(a));
  return make(copysign(real, x), copysign(imag, y));
}

double complex cacosh(double complex z) {
  double x = creal(z), y = cimag(z);
  if (is_large(z) || isnan(x) || isnan(y)) {
    double complex l = clog(z);
    return make(creal(l) + (isinf(creal(l)) ? 0 : M_LN2), cimag(l));
  }
  double complex a = csqrt(make(x - 1, y)), b = csqrt(make(x + 1, y));
  return make(asinh(creal(a) * creal(b) + cimag(a) * cimag(b)), 2 * atan2(cimag(a), creal(b)));
}

double complex cacos(double complex z) {
  double x = creal(z), y = cimag(z);
  if (x == 0 && isnan(y)) return make(M_PI_2, y);
  if (is_large(z) || isnan(x) || isnan(y)) {
    double complex l = clog(z);
    double size = creal(l) + (isinf(creal(l)) ? 0 : M_LN2);
    return make(fabs(cimag(l)), copysign(size, -y));
  }
  double complex a = csqrt(make(1 - x, -y)), b = csqrt(make(1 + x, y));
  double imag = asinh(creal(b) * cimag(a) - cimag(b) * creal(a));
  return make(2 * atan2(creal(a), creal(b)), copysign(imag, -y));
}

double complex casin(double complex z) { return over_i(casinh(times_i(z))); }

double complex catanh(double complex z) {
  double x = fabs(creal(z)), y = cimag(z), real, imag;
  if (isnan(x) || isnan(y)) {
    real = isinf(x) || isinf(y) || x == 0 ? 0 : NAN;
    return make(copysign(real, creal(z)), isinf(y) ? copysign(M_PI_2, y) : NAN);
  }
  if (x > 0x1p510 || fabs(y) > 0x1p510) {
    double size = hypot(x / 2, y / 2);
    real = isinf(size) ? 0 : x / 4 / size / size;
    imag = copysign(M_PI_2, y);
  } else if (x == 1 && fabs(y) < 0x1p-511) {
    real = y == 0 ? INFINITY : -log(sqrt(fabs(y)) / sqrt(hypot(y, 2.0)));
    imag = y == 0 ? y : atan2(2.0, -fabs(y)) / 2;
  } else {
    real = log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4;
    imag = atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2;
  }
  return make(copysign(real, creal(z)), copysign(imag, y));
}

double complex catan(double complex z) { return over_i(catanh(times_i(z))); }
