// Case, tests and padding. Of str by Unicode, of bytes for ASCII alone.
#include <stdlib.h>

#include "text.h"
#include "unicode.h"

static int properties(const pa_str *str, int64_t index) {
  uint32_t code = pa_str_code(str, index);
  return pa_is_bytes(str) && code >= 128 ? 0 : pa_properties(code);
}

//===-- Case --------------------------------------------------------------------------------------===//

static bool is_letter_beyond_ignorable(const pa_str *str, int64_t i, int step) {
  for (i += step; i >= 0 && i < str->length && properties(str, i) & PA_CASE_IGNORABLE;) i += step;
  return i >= 0 && i < str->length && properties(str, i) & PA_CASED;
}

static void put_mapped(pa_text_builder *out, const pa_str *str, int64_t i, pa_case mapping) {
  enum { CAPITAL_SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2 };
  uint32_t code = pa_str_code(str, i), to[3];
  if (pa_is_bytes(str) && code >= 128) {
    pa_text_put(out, code);
  } else if (code == CAPITAL_SIGMA && mapping == PA_TO_LOWER && is_letter_beyond_ignorable(str, i, -1) &&
             !is_letter_beyond_ignorable(str, i, 1)) {
    pa_text_put(out, FINAL_SIGMA);
  } else {
    int count = pa_map_case(code, mapping, to);
    for (int k = 0; k < count; ++k) pa_text_put(out, to[k]);
  }
}

static int64_t map_all(int64_t text, pa_case first, pa_case rest) {
  const pa_str *str = pa_str_of(text);
  if (!str->length) return pa_str_empty(str);
  pa_text_builder out = {0};
  for (int64_t i = 0; i < str->length; ++i) put_mapped(&out, str, i, i ? rest : first);
  return pa_text_finish(&out, str->flags & PA_STR_BYTES);
}

// Eight bytes at once: those from |first| to |last|, letters of one case, become those of the other.
static uint64_t turn(uint64_t bytes, char first, char last) {
  const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
  uint64_t low = bytes & ~high, from = low + (uint64_t)(0x80 - first) * ones,
           beyond = low + (uint64_t)(0x7f - last) * ones;
  return bytes ^ (from & ~beyond & ~bytes & high) >> 2;
}

static int64_t map_ascii(const pa_str *str, char first, char last) {
  pa_str *made = pa_str_new(1, str->length, str->flags & (PA_STR_BYTES | PA_STR_ASCII));
  if (!made) return 0;
  const char *from = pa_str_data(str);
  char *to = pa_str_data(made);
  int64_t i = 0;
  for (uint64_t word; i + 8 <= str->length; i += 8) {
    memcpy(&word, from + i, sizeof word);
    word = turn(word, first, last);
    memcpy(to + i, &word, sizeof word);
  }
  for (; i < str->length; ++i) to[i] = (char)turn((uint8_t)from[i], first, last);
  return pa_handle_of(made);
}

static bool is_simple(const pa_str *str) { return str->flags & (PA_STR_ASCII | PA_STR_BYTES); }

int64_t pyarray_rt_str_upper(int64_t text) {
  return is_simple(pa_str_of(text)) ? map_ascii(pa_str_of(text), 'a', 'z') : map_all(text, PA_TO_UPPER, PA_TO_UPPER);
}
int64_t pyarray_rt_str_lower(int64_t text) {
  return is_simple(pa_str_of(text)) ? map_ascii(pa_str_of(text), 'A', 'Z') : map_all(text, PA_TO_LOWER, PA_TO_LOWER);
}
int64_t pyarray_rt_str_casefold(int64_t text) { return map_all(text, PA_TO_FOLD, PA_TO_FOLD); }
int64_t pyarray_rt_str_capitalize(int64_t text) { return map_all(text, PA_TO_TITLE, PA_TO_LOWER); }

int64_t pyarray_rt_str_title(int64_t text) {
  const pa_str *str = pa_str_of(text);
  pa_text_builder out = {0};
  bool in_word = false;
  for (int64_t i = 0; i < str->length; ++i) {
    put_mapped(&out, str, i, in_word ? PA_TO_LOWER : PA_TO_TITLE);
    in_word = properties(str, i) & PA_CASED;
  }
  return pa_text_finish(&out, str->flags & PA_STR_BYTES);
}

int64_t pyarray_rt_str_swapcase(int64_t text) {
  const pa_str *str = pa_str_of(text);
  pa_text_builder out = {0};
  for (int64_t i = 0; i < str->length; ++i) {
    int is = properties(str, i);
    if (is & (PA_UPPER | PA_LOWER))
      put_mapped(&out, str, i, is & PA_UPPER ? PA_TO_LOWER : PA_TO_UPPER);
    else
      pa_text_put(&out, pa_str_code(str, i));
  }
  return pa_text_finish(&out, str->flags & PA_STR_BYTES);
}

//===-- Tests -------------------------------------------------------------------------------------===//

static int32_t all_are(int64_t text, int wanted, bool when_empty) {
  const pa_str *str = pa_str_of(text);
  for (int64_t i = 0; i < str->length; ++i)
    if (!(properties(str, i) & wanted)) return 0;
  return str->length ? 1 : when_empty;
}

int32_t pyarray_rt_str_isalpha(int64_t text) { return all_are(text, PA_ALPHA, false); }
int32_t pyarray_rt_str_isdecimal(int64_t text) { return all_are(text, PA_DECIMAL, false); }
int32_t pyarray_rt_str_isdigit(int64_t text) { return all_are(text, PA_DIGIT, false); }
int32_t pyarray_rt_str_isnumeric(int64_t text) { return all_are(text, PA_NUMERIC, false); }
int32_t pyarray_rt_str_isalnum(int64_t text) {
  return all_are(text, PA_ALPHA | PA_DECIMAL | PA_DIGIT | PA_NUMERIC, false);
}
int32_t pyarray_rt_str_isprintable(int64_t text) { return all_are(text, PA_PRINTABLE, true); }

// Bytes 28 to 31 separate parts of a file, and are white space in str alone.
int32_t pyarray_rt_str_isspace(int64_t text) {
  const pa_str *str = pa_str_of(text);
  for (int64_t i = 0; pa_is_bytes(str) && i < str->length; ++i)
    if (pa_str_code(str, i) >= 28 && pa_str_code(str, i) < 32) return 0;
  return all_are(text, PA_SPACE, false);
}

int32_t pyarray_rt_str_isascii(int64_t text) {
  const pa_str *str = pa_str_of(text);
  for (int64_t i = 0; i < str->length; ++i)
    if (pa_str_code(str, i) >= 128) return 0;
  return 1;
}

int32_t pyarray_rt_str_isidentifier(int64_t text) {
  const pa_str *str = pa_str_of(text);
  return str->length && properties(str, 0) & PA_ID_START && all_are(text, PA_ID_CONTINUE, false);
}

static int32_t has_case(int64_t text, int wanted, int other) {
  const pa_str *str = pa_str_of(text);
  bool some = false;
  for (int64_t i = 0; i < str->length; ++i) {
    int is = properties(str, i);
    if (is & other) return 0;
    some |= (is & wanted) != 0;
  }
  return some;
}

int32_t pyarray_rt_str_islower(int64_t text) { return has_case(text, PA_LOWER, PA_UPPER | PA_TITLE); }
int32_t pyarray_rt_str_isupper(int64_t text) { return has_case(text, PA_UPPER, PA_LOWER | PA_TITLE); }

int32_t pyarray_rt_str_istitle(int64_t text) {
  const pa_str *str = pa_str_of(text);
  bool some = false, in_word = false;
  for (int64_t i = 0; i < str->length; ++i) {
    int is = properties(str, i);
    if (is & (PA_UPPER | PA_TITLE) ? in_word : (is & PA_LOWER) && !in_word) return 0;
    in_word = is & PA_CASED;
    some |= in_word;
  }
  return some;
}

//===-- Padding -----------------------------------------------------------------------------------===//

// 0: a space. False, with the failure recorded, where |fill| is not one character.
static bool read_fill(int64_t fill, uint32_t *out_code) {
  *out_code = ' ';
  if (!fill) return true;
  const pa_str *str = pa_str_of(fill);
  if (str->length != 1)
    return pa_record_failure(PA_TYPE_ERROR, "The fill character must be exactly one character long"), false;
  return *out_code = pa_str_code(str, 0), true;
}

static int64_t pad(const pa_str *str, int64_t left, int64_t right, uint32_t fill) {
  pa_text_builder out = {0};
  if (left < 0) left = 0;
  if (right < 0) right = 0;
  if (!left && !right) return pa_str_share(pa_handle_of(str));
  pa_text_repeat(&out, fill, left);
  for (int64_t i = 0; i < str->length && !out.failed; ++i) pa_text_put(&out, pa_str_code(str, i));
  pa_text_repeat(&out, fill, right);
  return pa_text_finish(&out, str->flags & PA_STR_BYTES);
}

int64_t pyarray_rt_str_ljust(int64_t text, int64_t width, int64_t fill) {
  uint32_t code;
  return read_fill(fill, &code) ? pad(pa_str_of(text), 0, width - pa_str_of(text)->length, code) : 0;
}
int64_t pyarray_rt_str_rjust(int64_t text, int64_t width, int64_t fill) {
  uint32_t code;
  return read_fill(fill, &code) ? pad(pa_str_of(text), width - pa_str_of(text)->length, 0, code) : 0;
}
int64_t pyarray_rt_str_center(int64_t text, int64_t width, int64_t fill) {
  uint32_t code;
  int64_t length = pa_str_of(text)->length, margin = width > length ? width - length : 0,
          left = margin / 2 + (margin & width & 1);
  return read_fill(fill, &code) ? pad(pa_str_of(text), left, margin - left, code) : 0;
}

int64_t pyarray_rt_str_zfill(int64_t text, int64_t width) {
  const pa_str *str = pa_str_of(text);
  int64_t zeros = width - str->length;
  if (zeros <= 0) return pa_str_share(text);
  pa_text_builder out = {0};
  bool sign = str->length && (pa_str_code(str, 0) == '+' || pa_str_code(str, 0) == '-');
  if (sign) pa_text_put(&out, pa_str_code(str, 0));
  pa_text_repeat(&out, '0', zeros);
  for (int64_t i = sign; i < str->length && !out.failed; ++i) pa_text_put(&out, pa_str_code(str, i));
  return pa_text_finish(&out, str->flags & PA_STR_BYTES);
}

int64_t pyarray_rt_str_expandtabs(int64_t text, int64_t size) {
  const pa_str *str = pa_str_of(text);
  pa_text_builder out = {0};
  int64_t column = 0;
  for (int64_t i = 0; i < str->length && !out.failed; ++i) {
    uint32_t code = pa_str_code(str, i);
    int64_t spaces = code != '\t' ? 0 : size > 0 ? size - column % size : 0;
    column = code == '\n' || code == '\r' ? 0 : code == '\t' ? column + spaces : column + 1;
    pa_text_repeat(&out, ' ', spaces);
    if (code != '\t') pa_text_put(&out, code);
  }
  return pa_text_finish(&out, str->flags & PA_STR_BYTES);
}
