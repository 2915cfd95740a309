#include "error_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/objects.h"
#include "runtime/text/text.h"

//===-- Placeholders ------------------------------------------------------------------------------===//

// Writes "(2,3)", "(4,)" or "()", as NumPy shows shapes; what is not known, -1, is "newaxis".
static void put_shape(pa_string *out, const int64_t *extents, long count) {
  pa_string_puts(out, "(");
  for (long i = 0; i < count; ++i) {
    if (i) pa_string_puts(out, ",");
    if (extents[i] < 0)
      pa_string_puts(out, "newaxis");
    else
      pa_string_format(out, "%lld", (long long)extents[i]);
  }
  pa_string_puts(out, count == 1 ? ",)" : ")");
}

size_t pa_put_placeholder(pa_string *out, const char *text, const pa_raised *raised) {
  char *end;
  if (text[0] != '{' || text[1] < '0' || text[1] > '9') return 0;
  long first = strtol(text + 1, &end, 10), count = -1;
  if (*end == ':' && end[1] >= '0' && end[1] <= '9') count = strtol(end + 1, &end, 10);
  if (*end != '}') return 0;
  if (first > PA_MAX_VALUES || first + (count < 0 ? 1 : count) > raised->value_count)
    pa_string_puts(out, "..."); // not kept
  else if (count < 0)
    pa_string_format(out, "%lld", (long long)raised->values[first]);
  else
    put_shape(out, raised->values + first, count);
  return (size_t)(end + 1 - text);
}

//===-- Values ------------------------------------------------------------------------------------===//

static void put_float(pa_string *out, int64_t bits) {
  double value;
  char text[40];
  memcpy(&value, &bits, sizeof value);
  for (int digits = 1; digits <= 17; ++digits) { // as few as tell it from others
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  pa_string_puts(out, text);
  if (!strpbrk(text, ".einf")) pa_string_puts(out, ".0");
}

// The computed value number |index|, of those that |codes| names; |quoted|: its repr.
static void put_value(pa_string *out, int index, const char *codes, const pa_raised *raised, bool quoted) {
  int at = 0;
  for (int i = 0; i < index && codes[i]; ++i) at += codes[i] == 'F' || codes[i] == 'D' ? 2 : 1;
  char code = (int)strlen(codes) > index ? codes[index] : 0;
  if (!code || at >= raised->value_count) return (void)pa_string_puts(out, "...");
  int64_t bits = raised->values[at];
  switch (code) {
  case '?': pa_string_puts(out, bits ? "True" : "False"); break;
  case 'B':
  case 'H':
  case 'I':
  case 'Q': pa_string_format(out, "%llu", (unsigned long long)bits); break;
  case 'e':
  case 'g':
  case 'f':
  case 'd': put_float(out, bits); break;
  case 'F':
  case 'D':
    pa_string_puts(out, "(");
    put_float(out, bits);
    pa_string_puts(out, " + ");
    put_float(out, raised->values[at + 1]);
    pa_string_puts(out, "j)");
    break;
  case 'U':
  case 'Y':
    if (quoted)
      pa_str_repr(pa_object_of(bits), out);
    else
      pa_str_to_utf8(pa_object_of(bits), out);
    break;
  default: pa_string_format(out, "%lld", (long long)bits);
  }
}

//===-- Literals ----------------------------------------------------------------------------------===//

// The character behind a backslash at |text|, appended to |out|; how long it is.
static size_t put_escaped(pa_string *out, const char *text) {
  static const char letters[] = "n\nr\rt\tb\bf\fv\va\a";
  int digits = *text == 'x' ? 2 : *text == 'u' ? 4 : *text == 'U' ? 8 : 0;
  if (digits) {
    char number[9] = {0};
    memcpy(number, text + 1, strnlen(text + 1, (size_t)digits));
    pa_put_utf8((uint32_t)strtoul(number, NULL, 16), out);
    return 1 + strnlen(text + 1, (size_t)digits);
  }
  for (size_t i = 0; i + 1 < sizeof letters; i += 2)
    if (letters[i] == *text) return pa_string_append(out, &letters[i + 1], 1), 1;
  return pa_string_append(out, text, 1), 1;
}

// The end of the string literal that begins at |text|, behind its quote; NULL where there is none.
static const char *literal_end(const char *text) {
  char quote = *text;
  if (quote != '\'' && quote != '"') return NULL;
  for (++text; *text && *text != quote; ++text)
    if (*text == '\\' && text[1]) ++text;
  return *text ? text + 1 : NULL;
}

// A literal string as it is read, with placeholders filled in where there are no computed values of their own.
static void put_string(pa_string *out, const char *text, const char *end, bool fill, const pa_raised *raised) {
  for (++text; text < end - 1;) {
    size_t length = fill ? pa_put_placeholder(out, text, raised) : 0;
    if (!length && *text == '\\')
      length = 1 + put_escaped(out, text + 1);
    else if (!length)
      pa_string_append(out, text, 1), length = 1;
    text += length;
  }
}

// Behind the comma at |text|: whether it ends a tuple that has another one.
static bool is_superfluous(const char *text, const char *begin) {
  int depth = 0;
  if (text[1] != ')') return false;
  while (--text >= begin) {
    depth += (*text == ')') - (*text == '(');
    if (depth < 0) return false;
    if (*text == ',' && !depth) return true;
  }
  return false;
}

// What is between |text| and |end|, no string alone: names _0, _1, ... are the values. Commas are as repr() has them.
static void put_source(pa_string *out, const char *text, const char *end, const char *codes, const pa_raised *raised,
                       bool quoted) {
  for (const char *begin = text; text < end;) {
    const char *behind = literal_end(text);
    if (behind && behind <= end) {
      pa_string_append(out, text, (size_t)(behind - text));
      text = behind;
    } else if (*text == '_' && text[1] >= '0' && text[1] <= '9') {
      char *number_end;
      put_value(out, (int)strtol(text + 1, &number_end, 10), codes, raised, quoted);
      text = number_end;
    } else if (*text == ',') {
      if (!is_superfluous(text, begin)) pa_string_puts(out, text[1] == ')' ? "," : ", ");
      text += 1 + (text[1] == ' ');
    } else {
      pa_string_append(out, text++, 1);
    }
  }
}

void pa_put_exception_text(pa_string *out, const char *arguments, const char *codes, const pa_raised *raised) {
  size_t length = strlen(arguments);
  const char *end = arguments + length;
  if (length >= 3 && arguments[0] == '(' && end[-2] == ',') { // one argument, or several
    const char *inner = literal_end(arguments + 1);
    if (inner == end - 2) return put_string(out, arguments + 1, inner, !*codes, raised);
    int depth = 0, commas = 0;
    for (const char *at = arguments + 1; at < end - 2; ++at) {
      const char *behind = literal_end(at);
      if (behind && behind < end)
        at = behind - 1;
      else if (strchr("([{", *at))
        depth++;
      else if (strchr(")]}", *at))
        depth--;
      else
        commas += *at == ',' && !depth;
    }
    if (!commas) return put_source(out, arguments + 1, end - 2, codes, raised, false);
  }
  if (strcmp(arguments, "()") != 0) put_source(out, arguments, end, codes, raised, true);
}
