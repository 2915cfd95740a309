// "%d %s" % values, as CPython has it: %[(key)][flags][width][.precision][length]type. Bytes are written as code points
// up to 255 first.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "float_text.h"
#include "format_spec.h"
#include "format_value.h"

typedef struct template {
  const pa_str *text;
  int64_t at;
  pa_value_part values;  // the right operand
  pa_value_part current; // what the next conversion takes; a tuple: its elements
  int32_t next;          // part of the next element of a tuple; -1: |current| was taken
  bool mapping;          // it is one, so that not all of it need be used
} template;

typedef struct conversion {
  bool left, plus, blank, alternate, zero;
  int64_t width, precision; // -1: none given
  uint32_t type;
  bool bytes; // of a template that is bytes
} conversion;

static bool refuse(pa_failure_kind kind, const char *message) { return pa_record_failure(kind, "%s", message), false; }
static uint32_t here(const template *t) { return t->at < t->text->length ? pa_str_code(t->text, t->at) : 0; }
static bool is_at_end(const template *t) { return t->at >= t->text->length; }

//===-- Values ------------------------------------------------------------------------------------===//

static bool is_tuple(const pa_value_part *v) { return pa_value_code(v) == '('; }

static void take_from(template *t, pa_value_part v) {
  t->current = v;
  t->next = is_tuple(&v) ? v.part + 1 : 0;
}

static bool is_left(const template *t) {
  return is_tuple(&t->current) ? t->next < pa_part_of(&t->current)->end : t->next >= 0;
}

static bool take(template *t, pa_value_part *out) {
  if (!is_left(t)) return refuse(PA_TYPE_ERROR, "not enough arguments for format string");
  if (is_tuple(&t->current)) {
    *out = (pa_value_part){t->current.type, t->next, t->current.item};
    t->next = t->current.type->parts[t->next].end;
  } else {
    *out = t->current;
    t->next = -1;
  }
  return *out = pa_value_present(*out), true;
}

// "(key)"; the parentheses within it are closed.
static bool take_key(template *t) {
  int64_t start = ++t->at, open = 1;
  pa_value_part found;
  const char *name = pa_value_type_name(&t->values);
  if (!t->mapping) return refuse(PA_TYPE_ERROR, "format requires a mapping");
  for (; open && !is_at_end(t); ++t->at) open += (here(t) == '(') - (here(t) == ')');
  if (open) return refuse(PA_VALUE_ERROR, "incomplete format key");
  pa_str *key = pa_str_part(t->text, start, t->at - 1 - start);
  if (!key) return false;
  bool dict = strcmp(name, "dict") == 0,
       there = pa_value_has_keys(&t->values, pa_is_bytes(key) ? 'Y' : 'U') && pa_value_lookup(&t->values, key, &found);
  if (there)
    t->current = found, t->next = 0; // also a tuple is one value here
  else if (dict)
    pa_record_key_failure(key);
  else
    pa_record_failure(PA_TYPE_ERROR, "%s indices must be integers or slices, not str",
                      strcmp(name, "bytes") == 0 ? "byte" : name); // bytearray, list
  pyarray_rt_release(pa_handle_of(key));
  return there;
}

//===-- Specifications ----------------------------------------------------------------------------===//

static bool read_flags(template *t, conversion *c) {
  for (;; ++t->at) switch (here(t)) {
    case '-': c->left = true; break;
    case '+': c->plus = true; break;
    case ' ': c->blank = true; break;
    case '#': c->alternate = true; break;
    case '0': c->zero = true; break;
    default: return true;
    }
}

// A number, or that of '*'; |*out| stays where there is none.
static bool read_number(template *t, const char *too_big, int64_t *out) {
  uint64_t magnitude;
  bool negative;
  pa_value_part v;
  if (here(t) == '*') {
    ++t->at;
    if (!take(t, &v)) return false;
    if (!pa_value_int(&v, &magnitude, &negative)) return refuse(PA_TYPE_ERROR, "* wants int");
    if (magnitude > INT32_MAX) return refuse(PA_OVERFLOW_ERROR, "Python int too large to convert to C int");
    return *out = negative ? -(int64_t)magnitude : (int64_t)magnitude, true;
  }
  if (here(t) < '0' || here(t) > '9') return true;
  for (*out = 0; here(t) >= '0' && here(t) <= '9'; ++t->at) {
    *out = 10 * *out + here(t) - '0';
    if (*out > INT32_MAX) return refuse(PA_VALUE_ERROR, too_big);
  }
  return true;
}

static bool read_conversion(template *t, conversion *c) {
  *c = (conversion){.width = -1, .precision = -1, .bytes = pa_is_bytes(t->text)};
  if (here(t) == '(' && !take_key(t)) return false;
  if (!read_flags(t, c)) return false;
  bool starred = here(t) == '*';
  if (!read_number(t, "width too big", &c->width)) return false;
  if (starred && c->width < 0) c->left = true, c->width = -c->width;
  if (here(t) == '.' && !is_at_end(t)) {
    ++t->at;
    c->precision = 0;
    if (!read_number(t, "precision too big", &c->precision)) return false;
    if (c->precision < 0) c->precision = 0;
  }
  if (here(t) == 'h' || here(t) == 'l' || here(t) == 'L') ++t->at;
  if (is_at_end(t)) return refuse(PA_VALUE_ERROR, "incomplete format");
  c->type = here(t);
  return ++t->at, true;
}

//===-- Output ------------------------------------------------------------------------------------===//

// |length| code points of |text|.
static bool put_text(const char *text, size_t bytes, int64_t length, const conversion *c, pa_string *out) {
  int64_t fills = c->width - length;
  if (!c->left) pa_put_many(' ', fills, out);
  pa_string_append(out, text, bytes);
  if (c->left) pa_put_many(' ', fills, out);
  return true;
}

// Takes |text| over.
static bool put_own_text(pa_string *text, int64_t length, const conversion *c, pa_string *out) {
  if (text->failed) return pa_record_memory_failure(), false;
  put_text(pa_string_text(text), text->length, length, c, out);
  return pa_string_free(text), true;
}

// Sign, prefix and digits of a number; zeros go between the prefix and the digits.
static bool put_number(bool negative, const char *prefix, const char *digits, const conversion *c, pa_string *out) {
  const char *sign = negative ? "-" : c->plus ? "+" : c->blank ? " " : "";
  int64_t fills = c->width - (int64_t)(strlen(sign) + strlen(prefix) + strlen(digits));
  bool zeros = c->zero && !c->left;
  if (!c->left && !zeros) pa_put_many(' ', fills, out);
  pa_string_puts(out, sign);
  pa_string_puts(out, prefix);
  if (zeros) pa_put_many('0', fills, out);
  pa_string_puts(out, digits);
  if (c->left) pa_put_many(' ', fills, out);
  return true;
}

//===-- Conversions -------------------------------------------------------------------------------===//

static bool put_shown(pa_value_part v, const conversion *c, pa_string *out) {
  pa_string text = {0};
  (c->type == 's' ? pa_value_to_str : c->type == 'r' && !c->bytes ? pa_value_repr : pa_value_ascii)(v, &text);
  pa_str *str = pa_str_take(&text);
  if (!str) return false;
  int64_t length = c->precision >= 0 && c->precision < str->length ? c->precision : str->length;
  for (int64_t i = 0; i < length; ++i) pa_put_utf8(pa_str_code(str, i), &text);
  pyarray_rt_release(pa_handle_of(str));
  return put_own_text(&text, length, c, out);
}

// Of bytes, or the first so many of them.
static bool put_bytes(const char *data, int64_t length, const conversion *c, pa_string *out) {
  pa_string text = {0};
  if (c->precision >= 0 && c->precision < length) length = c->precision;
  for (int64_t i = 0; i < length; ++i) pa_put_utf8((uint8_t)data[i], &text);
  return put_own_text(&text, length, c, out);
}

static bool put_bytes_like(pa_value_part v, const conversion *c, pa_string *out) {
  const pa_str *bytes = pa_value_bytes(&v);
  const pa_list *array = pa_value_bytearray(&v);
  if (bytes) return put_bytes(pa_str_data(bytes), bytes->length, c, out);
  if (array) return put_bytes(array->items, array->length, c, out);
  pa_record_failure(PA_TYPE_ERROR, "%%b requires a bytes-like object, or an object that implements __bytes__, not '%s'",
                    pa_value_type_name(&v));
  return false;
}

static bool put_byte(pa_value_part v, const conversion *c, pa_string *out) {
  const pa_str *bytes = pa_value_bytes(&v);
  const pa_list *array = pa_value_bytearray(&v);
  uint64_t code;
  bool negative;
  if (bytes && bytes->length == 1)
    return put_bytes(pa_str_data(bytes), 1, &(conversion){.left = c->left, .width = c->width, .precision = -1}, out);
  if (array && array->length == 1)
    return put_bytes(array->items, 1, &(conversion){.left = c->left, .width = c->width, .precision = -1}, out);
  if (!pa_value_int(&v, &code, &negative))
    return refuse(PA_TYPE_ERROR, "%c requires an integer in range(256) or a single byte");
  if (negative || code > 255) return refuse(PA_OVERFLOW_ERROR, "%c arg not in range(256)");
  char byte = (char)code;
  return put_bytes(&byte, 1, &(conversion){.left = c->left, .width = c->width, .precision = -1}, out);
}

static bool put_character(pa_value_part v, const conversion *c, pa_string *out) {
  const pa_str *str = pa_value_str(&v);
  uint64_t code;
  bool negative = false;
  pa_string text = {0};
  if (str && str->length == 1)
    code = pa_str_code(str, 0);
  else if (!pa_value_int(&v, &code, &negative))
    return refuse(PA_TYPE_ERROR, "%c requires int or char");
  if (negative || code > 0x10ffff) return refuse(PA_OVERFLOW_ERROR, "%c arg not in range(0x110000)");
  pa_put_utf8((uint32_t)code, &text);
  return put_own_text(&text, 1, c, out);
}

// |digits| with zeros before them as the precision says.
static bool put_digits(bool negative, const char *digits, const conversion *c, pa_string *out) {
  const char *prefix = !c->alternate ? "" : c->type == 'o' ? "0o" : c->type == 'x' ? "0x" : c->type == 'X' ? "0X" : "";
  pa_string text = {0};
  pa_put_many('0', c->precision - (int64_t)strlen(digits), &text);
  pa_string_puts(&text, digits);
  if (text.failed) return pa_record_memory_failure(), false;
  put_number(negative, prefix, pa_string_text(&text), c, out);
  return pa_string_free(&text), true;
}

static bool put_truncated(double value, const conversion *c, pa_string *out) {
  char *digits;
  if (isnan(value)) return refuse(PA_VALUE_ERROR, "cannot convert float NaN to integer");
  if (isinf(value)) return refuse(PA_OVERFLOW_ERROR, "cannot convert float infinity to integer");
  if (!(digits = pa_float_digits(fabs(trunc(value)), 'f', 0))) return pa_record_memory_failure(), false;
  put_digits(value <= -1, digits, c, out);
  return free(digits), true;
}

static bool put_int(pa_value_part v, const conversion *c, pa_string *out) {
  bool decimal = strchr("diu", (int)c->type), negative;
  uint64_t magnitude;
  double real;
  char digits[72], *at = digits + sizeof digits - 1;
  unsigned base = decimal ? 10 : c->type == 'o' ? 8 : 16;
  if (decimal && pa_value_float(&v, &real)) return put_truncated(real, c, out);
  if (!pa_value_int(&v, &magnitude, &negative)) {
    char type = c->bytes && c->type == 'i' ? 'd' : (char)c->type;
    pa_record_failure(PA_TYPE_ERROR, "%%%c format: %s is required, not %s", type,
                      decimal ? "a real number" : "an integer", pa_value_type_name(&v));
    return false;
  }
  *at = '\0';
  do *--at = (c->type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[magnitude % base];
  while (magnitude /= base);
  return put_digits(negative, at, c, out);
}

static bool put_float(pa_value_part v, const conversion *c, pa_string *out) {
  uint64_t magnitude;
  bool negative;
  double value;
  if (pa_value_int(&v, &magnitude, &negative))
    value = negative ? -(double)magnitude : (double)magnitude;
  else if (!pa_value_float(&v, &value))
    return pa_record_failure(PA_TYPE_ERROR,
                             c->bytes ? "float argument required, not %s" : "must be real number, not %s",
                             pa_value_type_name(&v)),
           false;
  pa_format_spec spec = {.fill = ' ',
                         .alternate = c->alternate,
                         .width = -1,
                         .precision = c->precision < 0 ? 6 : c->precision,
                         .type = c->type};
  if (c->precision > PA_MOST_DIGITS) return pa_record_memory_failure(), false;
  pa_string digits = {0};
  bool done = pa_format_float(fabs(value), &spec, "float", &digits);
  if (digits.failed) return pa_record_memory_failure(), false;
  if (done) put_number(signbit(value) && !isnan(value), "", pa_string_text(&digits), c, out);
  return pa_string_free(&digits), done;
}

static const struct {
  const char *types;
  bool (*put)(pa_value_part v, const conversion *c, pa_string *out);
} conversions[] = {{"sra", put_shown}, {"c", put_character}, {"diuoxX", put_int}, {"eEfFgG", put_float}},
  of_bytes[] = {{"sb", put_bytes_like}, {"c", put_byte}, {"ra", put_shown}};

static bool put_conversion(template *t, pa_string *out) {
  conversion c;
  pa_value_part v;
  if (!read_conversion(t, &c)) return false;
  if (!take(t, &v)) return false;
  for (size_t i = 0; c.bytes && c.type && c.type < 128 && i < sizeof of_bytes / sizeof *of_bytes; ++i)
    if (strchr(of_bytes[i].types, (int)c.type)) return of_bytes[i].put(v, &c, out);
  for (size_t i = 0; c.type && c.type < 128 && i < sizeof conversions / sizeof *conversions; ++i)
    if (strchr(conversions[i].types, (int)c.type)) return conversions[i].put(v, &c, out);
  pa_string message = {0};
  pa_string_puts(&message, "unsupported format character '");
  pa_put_utf8(c.bytes || (c.type > 31 && c.type < 127) ? c.type : '?', &message);
  pa_string_format(&message, "' (0x%x) at index %lld", c.type, (long long)(t->at - 1));
  pa_record_text_failure(PA_VALUE_ERROR, &message);
  return pa_string_free(&message), false;
}

static bool put_all(template *t, pa_string *out) {
  while (!is_at_end(t)) {
    uint32_t code = here(t);
    ++t->at;
    bool twice = code == '%' && here(t) == '%';
    t->at += twice;
    if (code != '%' || twice)
      pa_put_utf8(code, out);
    else if (!put_conversion(t, out))
      return false;
  }
  if (is_left(t) && !t->mapping)
    return refuse(PA_TYPE_ERROR, pa_is_bytes(t->text) ? "not all arguments converted during bytes formatting"
                                                      : "not all arguments converted during string formatting");
  return true;
}

// |item|: a tuple whose only element is the right operand.
int64_t pyarray_rt_str_percent(int64_t format, int64_t type, int64_t item) {
  pa_value_part values =
      pa_value_present((pa_value_part){(const pa_item_type *)(uintptr_t)type, 1, (const char *)(uintptr_t)item});
  template t = {.text = pa_str_of(format), .values = values};
  char code = pa_value_code(&values);
  const char *name = pa_value_type_name(&values); // CPython asks whether it has items
  bool bytes = code == 'Y' || strcmp(name, "bytearray") == 0;
  t.mapping = strcmp(name, "list") == 0 || strcmp(name, "dict") == 0 || (bytes && !pa_is_bytes(t.text));
  take_from(&t, values);
  pa_string out = {0};
  if (!put_all(&t, &out)) return pa_string_free(&out), 0;
  pa_str *text = pa_str_take(&out);
  if (!text || !pa_is_bytes(t.text)) return pa_handle_of(text);
  int64_t made = pa_handle_of(pa_str_copy(pa_str_data(text), 1, text->length, PA_STR_BYTES));
  pyarray_rt_release(pa_handle_of(text));
  return made;
}
