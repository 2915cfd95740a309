// round(x, digits), which has text on the way elsewhere.
#include "device.h"

enum { MOST_EXACT = 22 }; // 10**22 is a double

static double power_of_ten(int64_t exponent) {
  double power = 1, base = 10;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) power *= base;
    base *= base;
  }
  return power;
}

// The integer nearest to |whole| + |rest|, ties to the even one: |whole| is the sum rounded.
static double nearest(double whole, double rest) {
  double near = __builtin_rint(whole), left = whole - near; // exact
  if (left == 0.5 && rest > 0) return near > whole ? near : near + 1;
  if (left == 0.5 && rest < 0) return __builtin_floor(whole);
  if (left == -0.5 && rest < 0) return near < whole ? near : near - 1;
  if (left == -0.5 && rest > 0) return __builtin_ceil(whole);
  return near;
}

// Right for up to 22 digits on either side: the product with a power of ten is exact as the sum of two doubles, and the
// quotient is rounded once. Beyond these the power is not exact.
double pyarray_dev_round_digits(double x, int64_t digits) {
  const double integers = 9007199254740992.0; // 2**53: a change would be less than half of the last bit of x
  if (x == 0 || x - x != 0 || digits > 323) return x;
  if (digits < -308) return __builtin_copysign(0, x);
  if (digits > MOST_EXACT) {
    double small = power_of_ten(digits - MOST_EXACT), large = power_of_ten(MOST_EXACT), scaled = x * large * small;
    return __builtin_fabs(scaled) < integers ? __builtin_rint(scaled) / small / large : x;
  }
  double power = power_of_ten(digits < 0 ? -digits : digits);
  if (digits >= 0) {
    double product = x * power;
    if (__builtin_fabs(product) >= integers) return x;
    return __builtin_copysign(nearest(product, __builtin_fma(x, power, -product)) / power, x);
  }
  double quotient = x / power, rest = __builtin_fma(-quotient, power, x);
  if (__builtin_fabs(quotient) >= integers) return x;
  return __builtin_copysign(nearest(quotient, rest / power) * power, x);
}
