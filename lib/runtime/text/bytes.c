// What bytes have that str has not: hex digits, tables, numbers.
#include <stdlib.h>

#include "text.h"

static uint8_t *data_of(const pa_str *bytes) { return (uint8_t *)pa_str_data(bytes); }
static int64_t refuse(const char *message) { return pa_record_failure(PA_VALUE_ERROR, "%s", message); }

// Uninitialised; the empty one is shared.
static pa_str *new_bytes(int64_t length) {
  return length > 0 ? pa_str_new(1, length, PA_STR_BYTES) : pa_str_copy(NULL, 1, 0, PA_STR_BYTES);
}

//===-- Hex digits --------------------------------------------------------------------------------===//

// A separator after each |group| bytes, counted from the right, or from the left where that is negative.
static bool is_apart(int64_t index, int64_t length, int64_t group) {
  return group > 0 ? (length - index) % group == 0 : index % -group == 0;
}

int64_t pyarray_rt_bytes_hex(int64_t handle, int64_t separator, int64_t group) {
  static const char digits[] = "0123456789abcdef";
  const pa_str *bytes = pa_str_of(handle);
  const uint8_t *from = data_of(bytes);
  if (separator && pa_str_of(separator)->length != 1) return refuse("sep must be length 1.");
  if (separator && pa_str_code(pa_str_of(separator), 0) > 127) return refuse("sep must be ASCII.");
  char between = separator ? (char)pa_str_code(pa_str_of(separator), 0) : '\0';
  int64_t all = bytes->length, step = group < 0 ? -group : group,
          gaps = separator && step && all ? (all - 1) / step : 0;
  char *text = malloc((size_t)(2 * all + gaps) + 1), *to = text;
  if (!text) return pa_record_memory_failure();
  for (int64_t i = 0; i < all; ++i) {
    if (i && gaps && is_apart(i, all, group)) *to++ = between;
    *to++ = digits[from[i] >> 4];
    *to++ = digits[from[i] & 15];
  }
  int64_t made = pa_handle_of(pa_str_copy(text, 1, to - text, 0));
  free(text);
  return made;
}

static int digit_of(uint32_t code) {
  if (code >= '0' && code <= '9') return (int)code - '0';
  uint32_t letter = code | 32;
  return code < 128 && letter >= 'a' && letter <= 'f' ? (int)letter - 'a' + 10 : -1;
}

static bool is_space(uint32_t code) { return code == ' ' || (code >= 9 && code <= 13); }

int64_t pyarray_rt_bytes_fromhex(int64_t handle) {
  const pa_str *text = pa_str_of(handle);
  char *bytes = malloc((size_t)text->length / 2 + 1), *to = bytes;
  int64_t at = 0, made = 0;
  if (!bytes) return pa_record_memory_failure();
  while (at < text->length) {
    if (is_space(pa_str_code(text, at))) {
      ++at;
      continue;
    }
    int high = digit_of(pa_str_code(text, at)),
        low = high < 0 || at + 1 == text->length ? -1 : digit_of(pa_str_code(text, at + 1));
    if (high < 0 || low < 0) break;
    *to++ = (char)(high << 4 | low);
    at += 2;
  }
  if (at < text->length) {
    int64_t place = digit_of(pa_str_code(text, at)) < 0 ? at : at + 1;
    pa_record_failure(PA_VALUE_ERROR, "non-hexadecimal number found in fromhex() arg at position %lld",
                      (long long)place);
  } else {
    made = pa_handle_of(pa_str_copy(bytes, 1, to - bytes, PA_STR_BYTES));
  }
  free(bytes);
  return made;
}

//===-- Tables ------------------------------------------------------------------------------------===//

int64_t pyarray_rt_bytes_maketrans(int64_t from, int64_t to) {
  const pa_str *left = pa_str_of(from), *right = pa_str_of(to);
  if (left->length != right->length) return refuse("maketrans arguments must have same length");
  pa_str *table = new_bytes(256);
  if (!table) return 0;
  for (int i = 0; i < 256; ++i) data_of(table)[i] = (uint8_t)i;
  for (int64_t i = 0; i < left->length; ++i) data_of(table)[data_of(left)[i]] = data_of(right)[i];
  return pa_handle_of(table);
}

int64_t pyarray_rt_bytes_translate(int64_t handle, int64_t table, int64_t deleted) {
  const pa_str *bytes = pa_str_of(handle);
  if (table && pa_str_of(table)->length != 256) return refuse("translation table must be 256 characters long");
  const uint8_t *map = table ? data_of(pa_str_of(table)) : NULL;
  bool goes[256] = {false};
  for (int64_t i = 0; deleted && i < pa_str_of(deleted)->length; ++i) goes[data_of(pa_str_of(deleted))[i]] = true;
  char *text = malloc((size_t)bytes->length + 1);
  if (!text) return pa_record_memory_failure();
  int64_t length = 0;
  for (int64_t i = 0; i < bytes->length; ++i) {
    uint8_t code = data_of(bytes)[i];
    if (!goes[code]) text[length++] = (char)(map ? map[code] : code);
  }
  int64_t made = pa_handle_of(pa_str_copy(text, 1, length, PA_STR_BYTES));
  free(text);
  return made;
}

//===-- Numbers -----------------------------------------------------------------------------------===//

int64_t pyarray_rt_bytes_of_codes(int64_t codes, int64_t count) {
  const int64_t *from = (const int64_t *)(uintptr_t)codes;
  for (int64_t i = 0; i < count; ++i)
    if (from[i] < 0 || from[i] > 255) return refuse("bytes must be in range(0, 256)");
  pa_str *bytes = new_bytes(count);
  for (int64_t i = 0; bytes && i < count; ++i) data_of(bytes)[i] = (uint8_t)from[i];
  return pa_handle_of(bytes);
}

int64_t pyarray_rt_bytes_of_code(int64_t code) {
  if (code < 0 || code > 255) return refuse("byte must be in range(0, 256)");
  return pa_handle_of(pa_str_copy(&(uint8_t){(uint8_t)code}, 1, 1, PA_STR_BYTES));
}

int64_t pyarray_rt_bytes_of_zeros(int64_t count) {
  if (count < 0) return refuse("negative count");
  pa_str *bytes = new_bytes(count);
  if (bytes && count) memset(data_of(bytes), 0, (size_t)count);
  return pa_handle_of(bytes);
}
