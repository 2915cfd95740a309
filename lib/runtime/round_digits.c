// round(x, digits): rounding to decimal places, by the C library's correctly rounded conversions.
#include "runtime.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// 309 digits before the point, or 323 behind it, or both.
enum { TEXT_SIZE = 768, EXACT_DIGITS = 400 };

// |x| < 10^places with as many digits before the point as |places|: one unit of 10^places, or nothing.
static double round_to_unit(double x, int places) {
  char text[TEXT_SIZE];
  snprintf(text, sizeof text, "%.*e", EXACT_DIGITS, fabs(x)); // "5.000...e+04", exact since x >= 1
  size_t zeros = strspn(text + 2, "0");
  int above_half = text[0] > '5' || (text[0] == '5' && zeros < EXACT_DIGITS);
  if (!above_half) return copysign(0.0, x);
  snprintf(text, sizeof text, "1e%d", places);
  return copysign(strtod(text, NULL), x);
}

// round(x, -places); printf rounds correctly, ties to even, at any number of significant digits.
static double round_left_of_point(double x, int places) {
  char text[TEXT_SIZE];
  snprintf(text, sizeof text, "%.0f", trunc(fabs(x)));
  int digits = fabs(x) < 1 ? 0 : (int)strlen(text);
  if (digits < places) return copysign(0.0, x);
  if (digits == places) return round_to_unit(x, places);
  snprintf(text, sizeof text, "%.*e", digits - places - 1, x);
  return strtod(text, NULL);
}

double pyarray_rt_round_digits_f64(double x, int64_t digits) {
  if (!isfinite(x) || x == 0 || digits > 323) return x;
  if (digits < -308) return 0.0 * x;
  if (digits < 0) return round_left_of_point(x, (int)-digits);
  char text[TEXT_SIZE];
  snprintf(text, sizeof text, "%.*f", (int)digits, x);
  return strtod(text, NULL);
}
