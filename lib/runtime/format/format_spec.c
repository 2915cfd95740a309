#include "format_spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "float_text.h"

//===-- Reading -----------------------------------------------------------------------------------===//

// A decimal number, -1 where there is none; false where it is too large.
static bool read_number(const pa_str *text, int64_t *at, int64_t *out) {
  *out = -1;
  for (; pa_is_one_of(*at < text->length ? pa_str_code(text, *at) : 0, "0123456789"); ++*at) {
    bool large = __builtin_mul_overflow(*out < 0 ? 0 : *out, 10, out) ||
                 __builtin_add_overflow(*out, pa_str_code(text, *at) - '0', out);
    if (large) return pa_record_failure(PA_VALUE_ERROR, "Too many decimal digits in format string"), false;
  }
  return true;
}

static bool refuse_spec(const pa_str *text, const char *type_name) {
  pa_string message = {0};
  pa_string_puts(&message, "Invalid format specifier '");
  pa_str_to_utf8(text, &message);
  pa_string_format(&message, "' for object of type '%s'", type_name);
  pa_record_text_failure(PA_VALUE_ERROR, &message);
  pa_string_free(&message);
  return false;
}

const char *pa_show_code(uint32_t code, char shown[PA_SHOWN_CODE]) {
  snprintf(shown, PA_SHOWN_CODE, code > 32 && code < 128 ? "%c" : "\\x%x", code);
  return shown;
}

static const int64_t most_fills = (int64_t)1 << 36; // which no memory holds in practice

bool pa_read_format_spec(const pa_str *text, const char *type_name, pa_format_spec *out_spec) {
  pa_format_spec spec = {.fill = ' ', .width = -1, .precision = -1};
  int64_t at = 0, length = text->length;
#define HERE(offset) (at + (offset) < length ? pa_str_code(text, at + (offset)) : 0)
  bool filled = length > at + 1 && pa_is_one_of(HERE(1), "<>=^");
  if (filled) spec.fill = HERE(0), ++at;
  if (pa_is_one_of(HERE(0), "<>=^")) spec.align = (char)HERE(0), ++at;
  if (pa_is_one_of(HERE(0), "+- ")) spec.sign = (char)HERE(0), ++at;
  if (HERE(0) == 'z') spec.no_negative_zero = true, ++at;
  if (HERE(0) == '#') spec.alternate = true, ++at;
  if (!filled && HERE(0) == '0') {
    spec.fill = '0';
    spec.zero_padded = !spec.align;
    ++at;
  }
  if (!read_number(text, &at, &spec.width)) return false;
  for (int i = 0; i < 2 && pa_is_one_of(HERE(0), ",_"); ++i, ++at) {
    if (spec.grouping && spec.grouping != (char)HERE(0))
      return pa_record_failure(PA_VALUE_ERROR, "Cannot specify both ',' and '_'."), false;
    if (spec.grouping) break; // that is a type
    spec.grouping = (char)HERE(0);
  }
  if (HERE(0) == '.' && at < length) {
    ++at;
    if (!read_number(text, &at, &spec.precision)) return false;
    if (spec.precision < 0) return pa_record_failure(PA_VALUE_ERROR, "Format specifier missing precision"), false;
  }
  if (length - at > 1) return refuse_spec(text, type_name);
  if (at < length) spec.type = HERE(0), spec.zero_type = !spec.type;
  if (spec.width > most_fills || spec.precision > PA_MOST_DIGITS) return pa_record_memory_failure(), false;
#undef HERE
  if (spec.grouping && spec.type && !pa_is_one_of(spec.type, spec.grouping == '_' ? "bdeEfFgGoxX%" : "deEfFgG%")) {
    char type[PA_SHOWN_CODE];
    return pa_record_failure(PA_VALUE_ERROR, "Cannot specify '%c' with '%s'.", spec.grouping,
                             pa_show_code(spec.type, type)),
           false;
  }
  return *out_spec = spec, true;
}

static bool unknown_type(const pa_format_spec *spec, const char *type_name) {
  char type[PA_SHOWN_CODE];
  return pa_record_failure(PA_VALUE_ERROR, "Unknown format code '%s' for object of type '%s'",
                           pa_show_code(spec->type, type), type_name),
         false;
}

//===-- Padding and grouping ----------------------------------------------------------------------===//

void pa_put_many(uint32_t code, int64_t count, pa_string *out) {
  enum { BLOCK = 4096 };
  char block[BLOCK];
  if (count <= 0 || !pa_string_reserve(out, (size_t)count)) return;
  if (code < 128) {
    memset(block, (int)code, count < BLOCK ? (size_t)count : BLOCK);
    for (; count > 0 && !out->failed; count -= BLOCK)
      pa_string_append(out, block, count < BLOCK ? (size_t)count : BLOCK);
  }
  for (; count > 0 && !out->failed; --count) pa_put_utf8(code, out);
}

// |length| code points in |text| between fills; |prefix| of its bytes, the sign, stay in front of those of '='.
static void put_padded(const char *text, size_t bytes, int64_t length, size_t prefix, const pa_format_spec *spec,
                       char align, pa_string *out) {
  int64_t fills = spec->width - length, left = align == '<' ? 0 : align == '^' ? fills / 2 : fills;
  if (align == '=') pa_string_append(out, text, prefix);
  pa_put_many(spec->fill, left, out);
  if (align == '=') text += prefix, bytes -= prefix;
  pa_string_append(out, text, bytes);
  pa_put_many(spec->fill, fills - (left > 0 ? left : 0), out);
}

// The |count| digits at |digits| with separators, and with zeros before them so that there are |width| characters.
static void put_grouped(const char *digits, int64_t count, char separator, int group, int64_t width, pa_string *out) {
  int64_t all = count, least = separator ? width - width / (group + 1) - 1 : width;
  if (all < least) all = least;
  while (separator && all + (all - 1) / group < width) ++all;
  pa_string_reserve(out, (size_t)all);
  for (int64_t i = 0; i < all && !out->failed; ++i) {
    if (i && separator && (all - i) % group == 0) pa_string_append(out, &separator, 1);
    pa_string_append(out, i < all - count ? "0" : &digits[i - (all - count)], 1);
  }
}

// A number of sign and prefix, digits before a point, and the rest.
static void put_number(const char *prefix, const char *digits, int64_t count, const char *rest, int group,
                       const pa_format_spec *spec, pa_string *out) {
  pa_string text = {0};
  char align = spec->align ? spec->align : spec->zero_padded ? '=' : '>';
  int64_t around = (int64_t)(strlen(prefix) + strlen(rest));
  bool zeros = align == '=' && spec->fill == '0';
  pa_string_puts(&text, prefix);
  put_grouped(digits, count, spec->grouping, group, zeros ? spec->width - around : 0, &text);
  pa_string_puts(&text, rest);
  if (text.failed) return pa_string_fail(out);
  put_padded(text.data, text.length, (int64_t)text.length, strlen(prefix), spec, align, out);
  pa_string_free(&text);
}

static const char *sign_of(bool negative, const pa_format_spec *spec) {
  return negative ? "-" : spec->sign == '+' ? "+" : spec->sign == ' ' ? " " : "";
}

//===-- int ---------------------------------------------------------------------------------------===//

static bool format_character(uint64_t code, bool negative, const pa_format_spec *spec, pa_string *out) {
  if (spec->sign) return pa_record_failure(PA_VALUE_ERROR, "Sign not allowed with integer format specifier 'c'"), false;
  if (spec->alternate)
    return pa_record_failure(PA_VALUE_ERROR, "Alternate form (#) not allowed with integer format specifier 'c'"), false;
  if (!negative && code > INT64_MAX)
    return pa_record_failure(PA_OVERFLOW_ERROR, "Python int too large to convert to C long"), false;
  if (negative || code > 0x10ffff) return pa_record_failure(PA_OVERFLOW_ERROR, "%%c arg not in range(0x110000)"), false;
  pa_string text = {0};
  pa_put_utf8((uint32_t)code, &text);
  put_padded(text.data, text.length, 1, 0, spec, spec->align ? spec->align : spec->zero_padded ? '=' : '>', out);
  return pa_string_free(&text), true;
}

bool pa_format_int(uint64_t magnitude, bool negative, const pa_format_spec *spec, const char *type_name,
                   pa_string *out) {
  if (pa_is_one_of(spec->type, "eEfFgG%"))
    return pa_format_float(negative ? -(double)magnitude : (double)magnitude, spec, type_name, out);
  if (spec->zero_type || (spec->type && !pa_is_one_of(spec->type, "bcdnoxX"))) return unknown_type(spec, type_name);
  if (spec->precision >= 0)
    return pa_record_failure(PA_VALUE_ERROR, "Precision not allowed in integer format specifier"), false;
  if (spec->no_negative_zero)
    return pa_record_failure(PA_VALUE_ERROR, "Negative zero coercion (z) not allowed in integer format specifier"),
           false;
  if (spec->type == 'c') return format_character(magnitude, negative, spec, out);
  char digits[72], prefix[8], *at = digits + sizeof digits - 1;
  unsigned base = spec->type == 'b' ? 2 : spec->type == 'o' ? 8 : (spec->type | 32) == 'x' ? 16 : 10;
  const char *letters = spec->type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  *at = '\0';
  do *--at = letters[magnitude % base];
  while (magnitude /= base);
  snprintf(prefix, sizeof prefix, spec->alternate && base != 10 ? "%s0%c" : "%s", sign_of(negative, spec),
           (char)spec->type);
  put_number(prefix, at, (int64_t)strlen(at), "", base == 10 ? 3 : 4, spec, out);
  return true;
}

//===-- float -------------------------------------------------------------------------------------===//

// Drops zeros at the end of the fraction of |text|, in front of an exponent, and the point if nothing follows it.
static void drop_zeros(pa_string *text) {
  char *point = strchr(text->data, '.'), *end = strpbrk(text->data, "e"), *last;
  if (!point) return;
  if (!end) end = text->data + text->length;
  for (last = end; last[-1] == '0'; --last) {
  }
  if (last[-1] == '.') --last;
  memmove(last, end, strlen(end) + 1);
  text->length -= (size_t)(end - last);
}

// A point behind the digits of a number that has none, as '#' wants.
static void add_point(pa_string *number) {
  if (!number->data || strchr(number->data, '.')) return;
  pa_string with_point = {0};
  size_t digits = strcspn(number->data, "e");
  pa_string_append(&with_point, number->data, digits);
  pa_string_puts(&with_point, ".");
  pa_string_puts(&with_point, number->data + digits);
  pa_string_free(number);
  *number = with_point;
}

// |style| 'e', 'f' or, with an exponent where it is large or small, 'g'. False where memory is short.
static bool write_rounded(double value, char style, int64_t precision, pa_string *out) {
  char *text = pa_float_digits(value, style, precision);
  if (!text) return false;
  pa_string_puts(out, text);
  return free(text), true;
}

// As C's %g, but |with_point| always has a point or an exponent, which comes one digit earlier.
static bool write_general(double value, int64_t precision, bool alternate, bool with_point, pa_string *out) {
  if (!precision) precision = 1;
  if (!write_rounded(value, 'e', precision - 1, out)) return false;
  int exponent = atoi(strchr(out->data, 'e') + 1);
  if (exponent >= -4 && exponent < precision - with_point) {
    out->length = 0;
    if (!write_rounded(value, 'f', precision - 1 - exponent, out)) return false;
  }
  if (!alternate) drop_zeros(out);
  if (with_point && !strpbrk(out->data, ".e")) pa_string_puts(out, ".0");
  return true;
}

// |value| is not negative; lower case, and false where memory is short.
static bool write_float(double value, const pa_format_spec *spec, pa_string *out) {
  int64_t precision = spec->precision < 0 ? 6 : spec->precision;
  bool plain = !spec->type && spec->precision < 0, done = true;
  if (!isfinite(value))
    pa_string_puts(out, isnan(value) ? "nan" : "inf");
  else if (plain)
    pa_float_repr(value, 'd', out);
  else if (pa_is_one_of(spec->type, "eEfF%"))
    done = write_rounded(spec->type == '%' ? value * 100 : value, (spec->type | 32) == 'e' ? 'e' : 'f', precision, out);
  else
    done = write_general(value, precision, spec->alternate, !spec->type, out);
  if (done && isfinite(value) && spec->alternate) add_point(out);
  if (done && spec->type == '%') pa_string_puts(out, "%");
  return done;
}

static bool is_zero_text(const char *text) {
  return text[strspn(text, "0.")] == '\0' || strpbrk(text, "123456789") == NULL;
}

bool pa_format_float(double value, const pa_format_spec *spec, const char *type_name, pa_string *out) {
  if (spec->type && !pa_is_one_of(spec->type, "eEfFgGn%")) return unknown_type(spec, type_name);
  pa_string written = {0};
  if (!write_float(fabs(value), spec, &written)) return pa_string_free(&written), pa_record_memory_failure(), false;
  char *text = written.data, prefix[4];
  bool negative = signbit(value) && !isnan(value);
  if (spec->no_negative_zero && isfinite(value) && is_zero_text(text)) negative = false;
  size_t count = isfinite(value) ? strspn(text, "0123456789") : 3;
  for (char *at = text; pa_is_one_of(spec->type, "EFG") && *at; ++at)
    if (*at >= 'a' && *at <= 'z') *at -= 32;
  snprintf(prefix, sizeof prefix, "%s", sign_of(negative, spec));
  pa_format_spec used = *spec;
  if (!isfinite(value)) used.grouping = 0;
  put_number(prefix, text, (int64_t)count, text + count, 3, &used, out);
  return pa_string_free(&written), true;
}

bool pa_format_complex(double real, double imag, const pa_format_spec *spec, pa_string *out) {
  if (spec->type && !pa_is_one_of(spec->type, "eEfFgGn")) return unknown_type(spec, "complex");
  if (spec->zero_padded || spec->fill == '0')
    return pa_record_failure(PA_VALUE_ERROR, "Zero padding is not allowed in complex format specifier"), false;
  if (spec->align == '=')
    return pa_record_failure(PA_VALUE_ERROR, "'=' alignment flag is not allowed in complex format specifier"), false;
  pa_format_spec part = *spec;
  pa_string text = {0};
  part.width = -1;
  bool plain = !spec->type && spec->precision < 0;
  bool brackets = !spec->type && !(plain && real == 0 && !signbit(real)), only_imag = plain && !brackets;
  if (!spec->type) part.type = 'g';
  if (brackets) pa_string_puts(&text, "(");
  for (int i = only_imag; i < 2; ++i) {
    double value = i ? imag : real;
    if (i && !only_imag) part.sign = '+';
    if (!plain) {
      pa_format_float(value, &part, "complex", &text);
      continue;
    }
    pa_string shortest = {0};
    pa_float_repr(spec->no_negative_zero && value == 0 ? 0 : value, 'd', &shortest);
    if (spec->alternate && isfinite(value)) add_point(&shortest);
    if (shortest.failed) return pa_string_free(&text), pa_record_memory_failure(), false;
    if (shortest.data[0] != '-') pa_string_puts(&text, sign_of(false, &part));
    if (shortest.length > 2 && strcmp(shortest.data + shortest.length - 2, ".0") == 0)
      shortest.length -= spec->alternate ? 1 : 2;
    pa_string_append(&text, shortest.data, shortest.length);
    pa_string_free(&shortest);
  }
  pa_string_puts(&text, brackets ? "j)" : "j");
  if (text.failed) return pa_record_memory_failure(), false;
  put_padded(text.data, text.length, (int64_t)text.length, 0, spec, spec->align ? spec->align : '>', out);
  return pa_string_free(&text), true;
}

//===-- str ---------------------------------------------------------------------------------------===//

bool pa_format_str(const pa_str *str, const pa_format_spec *spec, pa_string *out) {
  if (spec->zero_type || (spec->type && spec->type != 's')) return unknown_type(spec, "str");
  if (spec->grouping) return pa_record_failure(PA_VALUE_ERROR, "Cannot specify '%c' with 's'.", spec->grouping), false;
  if (spec->sign == ' ')
    return pa_record_failure(PA_VALUE_ERROR, "Space not allowed in string format specifier"), false;
  if (spec->sign) return pa_record_failure(PA_VALUE_ERROR, "Sign not allowed in string format specifier"), false;
  if (spec->no_negative_zero)
    return pa_record_failure(PA_VALUE_ERROR, "Negative zero coercion (z) not allowed in string format specifier"),
           false;
  if (spec->alternate)
    return pa_record_failure(PA_VALUE_ERROR, "Alternate form (#) not allowed in string format specifier"), false;
  if (spec->align == '=')
    return pa_record_failure(PA_VALUE_ERROR, "'=' alignment not allowed in string format specifier"), false;
  int64_t length = spec->precision >= 0 && spec->precision < str->length ? spec->precision : str->length;
  pa_string text = {0};
  for (int64_t i = 0; i < length; ++i) pa_put_utf8(pa_str_code(str, i), &text);
  if (text.failed) return pa_record_memory_failure(), false;
  put_padded(pa_string_text(&text), text.length, length, 0, spec, spec->align ? spec->align : '<', out);
  return pa_string_free(&text), true;
}
