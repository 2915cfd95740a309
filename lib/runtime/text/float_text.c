#include "float_text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number_text/number_text.h"

//===-- The shortest digits -----------------------------------------------------------------------===//

// Most digits of a float16, and the least numbers, by type, that are written with an exponent.
enum { HALF_DIGITS = 5 };
static double scientific_f16 = 1e3, scientific_f32 = 1e6;
static const double scientific_f64 = 1e16;

void pa_set_scientific(double least_f16, double least_f32) { scientific_f16 = least_f16, scientific_f32 = least_f32; }

static double scale_by(double value, int places) {
  return places < 0 ? value / pow(10, -places) : value * pow(10, places);
}

// The fewest digits that read back. |value| times 10^places is exact: it has 11 bits, and 5^12 has 28. Beside the
// nearest number the one above it may be read as |value|: below a power of two half the space is another's.
static size_t shortest_f16(double value, char *to) {
  if (value == 0) return pa_shortest_f64(value, to);
  int exponent = (int)floor(log10(value));
  for (int count = 1; count <= HALF_DIGITS; ++count) {
    int places = count - 1 - exponent;
    for (int above = 0; above < 2; ++above) {
      double candidate = scale_by(rint(scale_by(value, places)) + above, -places);
      if ((double)(_Float16)candidate == value) return pa_shortest_f64(candidate, to);
    }
  }
  return pa_shortest_f64(value, to);
}

// Digits of |value| >= 0 behind the first, with its point where there are some: "1.5e-07" is written with an exponent
// or without.
static void put_shortest(double value, char code, bool whole, pa_string *out) {
  char text[PA_SHORTEST_SIZE + 1];
  size_t length = code == 'e'   ? shortest_f16(value, text)
                  : code == 'f' ? pa_shortest_f32((float)value, text)
                                : pa_shortest_f64(value, text);
  double limit = code == 'e' ? scientific_f16 : code == 'f' ? scientific_f32 : scientific_f64;
  text[length] = '\0';
  if (value != 0 && (value < 1e-4 || value >= limit)) return pa_string_append(out, text, length);
  char *mark = memchr(text, 'e', length), digits[PA_SHORTEST_SIZE];
  int exponent = atoi(mark + 1), count = 0;
  for (const char *at = text; at < mark; ++at)
    if (*at != '.') digits[count++] = *at;
  if (exponent < 0) {
    pa_string_append(out, "0.0000", (size_t)(1 - exponent));
    return pa_string_append(out, digits, (size_t)count);
  }
  while (count <= exponent) digits[count++] = '0';
  pa_string_append(out, digits, (size_t)exponent + 1);
  if (count > exponent + 1) {
    pa_string_puts(out, ".");
    pa_string_append(out, digits + exponent + 1, (size_t)(count - exponent - 1));
  } else if (!whole) {
    pa_string_puts(out, ".0");
  }
}

// |whole|: without the ".0" of a whole number.
static void put_float(double value, char code, bool whole, pa_string *out) {
  if (isnan(value)) return pa_string_puts(out, "nan");
  if (signbit(value)) pa_string_puts(out, "-");
  if (isinf(value)) return pa_string_puts(out, "inf");
  put_shortest(fabs(value), code, whole, out);
}

void pa_float_repr(double value, char code, pa_string *out) { put_float(value, code, false, out); }

// "1e+16j", "(-0+2j)".
void pa_complex_repr(double real, double imag, char code, pa_string *out) {
  char part = code == 'F' ? 'f' : 'd';
  bool only_imag = real == 0 && !signbit(real);
  if (!only_imag) {
    pa_string_puts(out, "(");
    put_float(real, part, true, out);
    if (isnan(imag) || !signbit(imag)) pa_string_puts(out, "+");
  }
  put_float(imag, part, true, out);
  pa_string_puts(out, only_imag ? "j" : "j)");
}

//===-- Other conversions -------------------------------------------------------------------------===//

char *pa_float_digits(double value, char style, int64_t precision) {
  size_t size = (size_t)precision + 400; // 309 digits before the point
  char *text = malloc(size);
  size_t length = text ? pa_rounded_f64(value, style, (int)precision, text, size - 1) : 0;
  if (!length) return free(text), NULL;
  text[length] = '\0';
  return text;
}

double pa_read_double(const char *text, char **out_end) {
  static locale_t plain;
  locale_t locale = __atomic_load_n(&plain, __ATOMIC_ACQUIRE);
  if (!locale) __atomic_store_n(&plain, locale = newlocale(LC_ALL_MASK, "C", (locale_t)0), __ATOMIC_RELEASE);
  return strtod_l(text, out_end, locale);
}
