// Text from numbers and numbers from text: chr, ord, bin, oct, hex, int, float.
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "float_text.h"
#include "text.h"
#include "unicode.h"

int64_t pyarray_rt_chr(int64_t code) {
  if (code != (int32_t)code) return pa_record_failure(PA_OVERFLOW_ERROR, "Python int too large to convert to C int");
  if (code < 0 || code > 0x10ffff) return pa_record_failure(PA_VALUE_ERROR, "chr() arg not in range(0x110000)");
  uint32_t one = (uint32_t)code;
  return pa_handle_of(pa_str_copy(&one, 4, 1, 0));
}

int32_t pyarray_rt_ord(int64_t text, int64_t out) {
  const pa_str *str = pa_str_of(text);
  if (str->length == 1) return *(int64_t *)(uintptr_t)out = pa_str_code(str, 0), 0;
  pa_record_failure(PA_TYPE_ERROR, "ord() expected a character, but string of length %lld found",
                    (long long)str->length);
  return 1;
}

// "-0b101". Below 0 |base| is that of an unsigned number.
int64_t pyarray_rt_int_in_base(int64_t value, int64_t base) {
  char text[72], *at = text + sizeof text;
  bool is_negative = base > 0 && value < 0;
  uint64_t rest = is_negative ? -(uint64_t)value : (uint64_t)value;
  if (base < 0) base = -base;
  const char *prefix = base == 2 ? "b" : base == 8 ? "o" : "x";
  do *--at = "0123456789abcdef"[rest % (uint64_t)base];
  while (rest /= (uint64_t)base);
  *--at = *prefix;
  *--at = '0';
  if (is_negative) *--at = '-';
  return pa_handle_of(pa_str_copy(at, 1, text + sizeof text - at, 0));
}

//===-- Reading -----------------------------------------------------------------------------------===//

// Within ASCII C's white space, which has no separators (0x1c to 0x1f): str.split has them.
static bool is_space(const pa_str *str, int64_t i) {
  uint32_t code = pa_str_code(str, i);
  if (code < 128) return code == ' ' || (code >= '\t' && code <= '\r');
  return !pa_is_bytes(str) && pa_properties(code) & PA_SPACE;
}

// The text without white space around it, in ASCII: decimal digits of other scripts become ours, all else beyond ASCII
// '?'.
static char *to_ascii(const pa_str *str, int64_t *out_length) {
  int64_t start = 0, stop = str->length;
  while (start < stop && is_space(str, start)) ++start;
  while (start < stop && is_space(str, stop - 1)) --stop;
  char *text = malloc((size_t)(stop - start) + 1);
  if (!text) return pa_record_memory_failure(), NULL;
  for (int64_t i = start; i < stop; ++i) {
    uint32_t code = pa_str_code(str, i);
    int digit = code < 128 || pa_is_bytes(str) ? -1 : pa_decimal(code);
    text[i - start] = code < 128 && code ? (char)code : digit >= 0 ? (char)('0' + digit) : '?';
  }
  text[ *out_length = stop - start] = '\0';
  return text;
}

static int digit_of(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'z' ? c - 'a' + 10
         : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                : 99;
}

typedef enum reading { READ, MALFORMED, TOO_LARGE } reading;

// Digits with single underscores between them; one may come first where a prefix did.
static reading read_digits(const char *at, int base, bool after_prefix, bool negative, int64_t *out) {
  uint64_t value = 0, limit = negative ? (uint64_t)1 << 63 : INT64_MAX;
  bool digit_before = after_prefix, large = false;
  if (!*at) return MALFORMED;
  for (; *at; ++at) {
    if (*at == '_') {
      if (!digit_before) return MALFORMED;
      digit_before = false;
      continue;
    }
    int digit = digit_of(*at);
    if (digit >= base) return MALFORMED;
    large |=
        __builtin_mul_overflow(value, (uint64_t)base, &value) || __builtin_add_overflow(value, (uint64_t)digit, &value);
    digit_before = true;
  }
  if (!digit_before) return MALFORMED;
  if (large || value > limit) return TOO_LARGE;
  return *out = (int64_t)(negative ? -value : value), READ;
}

static reading read_int(const char *at, int64_t base, int64_t *out) {
  bool negative = *at == '-', prefixed = false;
  at += *at == '-' || *at == '+';
  int named = at[0] != '0' || !at[1] ? 0
              : (at[1] | 32) == 'x'  ? 16
              : (at[1] | 32) == 'o'  ? 8
              : (at[1] | 32) == 'b'  ? 2
                                     : 0;
  if (named && (base == 0 || base == named)) at += 2, prefixed = true, base = named;
  if (base == 0) { // a leading zero is of zero alone
    reading result = read_digits(at, 10, false, negative, out);
    return result != MALFORMED && *at == '0' && (result == TOO_LARGE || *out != 0) ? MALFORMED : result;
  }
  return read_digits(at, (int)base, prefixed, negative, out);
}

// Bytes of the first 200 code points.
static int first_200(const pa_string *text) {
  int count = 0, at = 0;
  for (; at < (int)text->length; ++at)
    if ((text->data[at] & 0xc0) != 0x80 && count++ == 200) break;
  return at;
}

static int32_t fail_to_read(const char *format, int64_t base, const pa_str *str) {
  pa_string shown = {0};
  pa_str_repr(str, &shown);
  if (base >= 0)
    pa_record_failure(PA_VALUE_ERROR, "invalid literal for int() with base %lld: %.*s", (long long)base,
                      first_200(&shown), shown.data);
  else
    pa_record_failure(PA_VALUE_ERROR, "%s: %s", format, pa_string_text(&shown));
  pa_string_free(&shown);
  return 1;
}

int32_t pyarray_rt_str_to_int(int64_t text, int64_t base, int64_t out) {
  if (base && (base < 2 || base > 36))
    return pa_record_failure(PA_VALUE_ERROR, "int() base must be >= 2 and <= 36, or 0"), 1;
  int64_t length;
  char *ascii = to_ascii(pa_str_of(text), &length);
  if (!ascii) return 1;
  reading result = read_int(ascii, base, (int64_t *)(uintptr_t)out);
  free(ascii);
  if (result == READ) return 0;
  if (result == MALFORMED) return fail_to_read(NULL, base, pa_str_of(text));
  return pa_record_failure(PA_OVERFLOW_ERROR,
                           "the number in the text is too large: integers of compiled functions have 64 bits"),
         1;
}

// What strtod reads beyond Python: hexadecimal numbers, "nan(...)". Underscores are taken out, which stand between
// digits.
static bool clean_float(char *text) {
  char *to = text;
  for (const char *at = text; *at; ++at) {
    bool between = at > text && at[-1] >= '0' && at[-1] <= '9' && at[1] >= '0' && at[1] <= '9';
    if (*at == '_' && !between) return false;
    if (*at == 'x' || *at == 'X' || *at == '(') return false;
    if (*at != '_') *to++ = *at;
  }
  *to = '\0';
  return true;
}

int32_t pyarray_rt_str_to_float(int64_t text, int64_t out) {
  int64_t length;
  char *ascii = to_ascii(pa_str_of(text), &length), *end;
  if (!ascii) return 1;
  bool fits = clean_float(ascii) && *ascii && *ascii != ' ';
  double value = fits ? pa_read_double(ascii, &end) : 0;
  fits = fits && end != ascii && !*end;
  free(ascii);
  if (!fits) return fail_to_read("could not convert string to float", -1, pa_str_of(text));
  return *(double *)(uintptr_t)out = value, 0;
}
