// Text of a fixed length in the memory of arrays and records: NumPy's S and U. What is shorter is filled up with zeros,
// which are not part of it.
#include "text.h"

int64_t pyarray_rt_bytes_from_field(int64_t address, int64_t length) {
  const char *data = pa_object_of(address);
  while (length && !data[length - 1]) --length;
  pa_str *made = pa_str_copy(data, 1, length, PA_STR_BYTES);
  return made ? pa_handle_of(made) : 0;
}

static uint32_t code_at(const char *data, int64_t index) {
  uint32_t code; // at any address
  memcpy(&code, data + 4 * index, sizeof code);
  return code;
}

int64_t pyarray_rt_str_from_field(int64_t address, int64_t length) {
  const char *data = pa_object_of(address);
  pa_text_builder builder = {0};
  while (length && !code_at(data, length - 1)) --length;
  for (int64_t i = 0; i < length; ++i) pa_text_put(&builder, code_at(data, i));
  return pa_text_finish(&builder, 0);
}

// What is longer is cut off, as NumPy does.
void pyarray_rt_text_to_field(int64_t text, int64_t address, int64_t length) {
  const pa_str *str = pa_str_of(text);
  char *data = pa_object_of(address);
  int width = pa_is_bytes(str) ? 1 : 4;
  for (int64_t i = 0; i < length; ++i) {
    uint32_t code = i < str->length ? pa_str_code(str, i) : 0;
    memcpy(data + i * width, &code, (size_t)width);
  }
}
