// round(x, digits): rounding to decimal places, by correctly rounded conversions.
#include "float_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number_text/number_text.h"

// 309 digits before the point, or 323 behind it, or both.
enum { TEXT_SIZE = 768, EXACT_DIGITS = 400 };

static void write(double x, char style, int precision, char text[TEXT_SIZE]) {
  text[pa_rounded_f64(x, style, precision, text, TEXT_SIZE - 1)] = '\0';
}

// |x| < 10^places with as many digits before the point as |places|: one unit of 10^places, or nothing.
static double round_to_unit(double x, int places) {
  char text[TEXT_SIZE];
  write(fabs(x), 'e', EXACT_DIGITS, text); // "5.000...e+04", exact since x >= 1
  size_t zeros = strspn(text + 2, "0");
  int above_half = text[0] > '5' || (text[0] == '5' && zeros < EXACT_DIGITS);
  if (!above_half) return copysign(0.0, x);
  snprintf(text, sizeof text, "1e%d", places);
  return copysign(pa_read_double(text, NULL), x);
}

// round(x, -places); digits are rounded correctly, ties to even, at any number of significant digits.
static double round_left_of_point(double x, int places) {
  char text[TEXT_SIZE];
  write(trunc(fabs(x)), 'f', 0, text);
  int digits = fabs(x) < 1 ? 0 : (int)strlen(text);
  if (digits < places) return copysign(0.0, x);
  if (digits == places) return round_to_unit(x, places);
  write(x, 'e', digits - places - 1, text);
  return pa_read_double(text, NULL);
}

double pyarray_rt_round_digits_f64(double x, int64_t digits) {
  if (!isfinite(x) || x == 0 || digits > 323) return x;
  if (digits < -308) return 0.0 * x;
  if (digits < 0) return round_left_of_point(x, (int)-digits);
  char text[TEXT_SIZE];
  write(x, 'f', (int)digits, text);
  return pa_read_double(text, NULL);
}
