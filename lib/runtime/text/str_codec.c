// Encodings: UTF-8, ASCII and Latin-1, as str.encode and bytes.decode, and UTF-8 within the runtime.
#include <stdio.h>
#include <stdlib.h>

#include "text.h"

//===-- UTF-8 -------------------------------------------------------------------------------------===//

void pa_put_utf8(uint32_t code, pa_string *out) {
  char bytes[4];
  if (out->failed) return;
  size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const uint8_t leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = count; i-- > 1; code >>= 6) bytes[i] = (char)(0x80 | (code & 0x3f));
  bytes[0] = (char)(leads[count] | code);
  pa_string_append(out, bytes, count);
}

void pa_str_to_utf8(const pa_str *str, pa_string *out) {
  if (str->flags & (PA_STR_ASCII | PA_STR_BYTES))
    pa_string_append(out, pa_str_data(str), (size_t)str->length);
  else
    for (int64_t i = 0; i < str->length; ++i) pa_put_utf8(pa_str_code(str, i), out);
}

static const char start_byte[] = "invalid start byte", continuation_byte[] = "invalid continuation byte",
                  end_of_data[] = "unexpected end of data";

// Reads one code point of |length| bytes, at least 1, and returns how many it takes; or minus how many are wrong, and
// why.
static int read_utf8(const uint8_t *at, int64_t length, bool surrogates, uint32_t *out_code, const char **out_reason) {
  uint8_t lead = *at;
  if (lead < 0x80) return *out_code = lead, 1;
  int count = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (!count) return *out_reason = start_byte, -1;
  uint8_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  uint8_t high = lead == 0xed && !surrogates ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  uint32_t code = lead & (0x7f >> count);
  for (int i = 1; i < count; ++i, low = 0x80, high = 0xbf) {
    if (i == length) return *out_reason = end_of_data, -i;
    if (at[i] < low || at[i] > high) return *out_reason = continuation_byte, -i;
    code = code << 6 | (at[i] & 0x3f);
  }
  return *out_code = code, count;
}

static bool all_ascii(const char *text, size_t length) {
  unsigned char bits = 0;
  for (size_t i = 0; i < length; ++i) bits |= (unsigned char)text[i];
  return bits < 0x80;
}

pa_str *pa_str_from_utf8(const char *text, size_t length) {
  if (all_ascii(text, length)) return pa_str_copy(text, 1, (int64_t)length, 0);
  pa_text_builder builder = {0};
  const char *reason;
  for (size_t i = 0; i < length;) {
    uint32_t code = 0xfffd;
    int count = read_utf8((const uint8_t *)text + i, (int64_t)(length - i), true, &code, &reason);
    pa_text_put(&builder, code);
    i += (size_t)abs(count);
  }
  return pa_object_of(pa_text_finish(&builder, 0));
}

pa_str *pa_str_take(pa_string *text) {
  pa_str *made =
      text->failed ? pa_object_of(pa_record_memory_failure()) : pa_str_from_utf8(pa_string_text(text), text->length);
  pa_string_free(text);
  return made;
}

//===-- Names -------------------------------------------------------------------------------------===//

typedef enum codec { UTF_8, ASCII, LATIN_1, UNKNOWN } codec;
static const char *const codec_names[] = {"utf-8", "ascii", "latin-1"};
static const uint32_t codec_limits[] = {0x110000, 0x80, 0x100};

static bool has_zero(const pa_str *name) {
  for (int64_t i = 0; i < name->length; ++i)
    if (!pa_str_code(name, i)) return pa_record_failure(PA_VALUE_ERROR, "embedded null character"), true;
  return false;
}

// 0 is what was left out.
static codec find_codec(int64_t handle) {
  static const struct {
    const char *name;
    codec is;
  } rows[] = {
      {"utf8", UTF_8},    {"u8", UTF_8},   {"utf", UTF_8},      {"ascii", ASCII},
      {"usascii", ASCII}, {"646", ASCII},  {"latin1", LATIN_1}, {"iso88591", LATIN_1},
      {"latin", LATIN_1}, {"l1", LATIN_1}, {"8859", LATIN_1},   {"cp819", LATIN_1},
  };
  char name[24];
  size_t length = 0;
  if (!handle) return UTF_8;
  const pa_str *str = pa_str_of(handle);
  if (has_zero(str)) return UNKNOWN;
  for (int64_t i = 0; i < str->length && length + 1 < sizeof name; ++i) {
    uint32_t code = pa_str_code(str, i);
    if (code == '-' || code == '_' || code == ' ') continue;
    name[length++] = code >= 'A' && code <= 'Z' ? (char)(code + 32) : code < 128 ? (char)code : '?';
  }
  name[length] = '\0';
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].name, name) == 0) return rows[i].is;
  pa_string text = {0};
  pa_str_to_utf8(str, &text);
  pa_record_failure(PA_LOOKUP_ERROR, "unknown encoding: %s", pa_string_text(&text));
  pa_string_free(&text);
  return UNKNOWN;
}

typedef enum handler { STRICT, IGNORE, REPLACE, BACKSLASH, NO_HANDLER } handler;

static handler find_handler(int64_t handle) {
  static const char *const names[] = {"strict", "ignore", "replace", "backslashreplace"};
  if (!handle) return STRICT;
  if (has_zero(pa_str_of(handle))) return NO_HANDLER;
  pa_string text = {0};
  int found = 0;
  pa_str_to_utf8(pa_str_of(handle), &text);
  while (found < NO_HANDLER && strcmp(names[found], pa_string_text(&text)) != 0) ++found;
  if (found == NO_HANDLER) pa_record_failure(PA_LOOKUP_ERROR, "unknown error handler name '%s'", pa_string_text(&text));
  pa_string_free(&text);
  return (handler)found;
}

//===-- encode ------------------------------------------------------------------------------------===//

static bool is_encodable(codec to, uint32_t code) {
  return code < codec_limits[to] && !(to == UTF_8 && code >= 0xd800 && code < 0xe000);
}

static void put_escaped(uint32_t code, pa_string *out) {
  pa_string_format(out, code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
}

// The code points from |i| on that cannot be encoded; false: the failure is recorded.
static bool handle_unencodable(const pa_str *str, int64_t i, int64_t end, codec to, int64_t errors, pa_string *out) {
  static const char *const reasons[] = {"surrogates not allowed", "ordinal not in range(128)",
                                        "ordinal not in range(256)"};
  handler how = find_handler(errors);
  if (how == NO_HANDLER) return false;
  if (how == STRICT) return pa_record_codec_failure(PA_ENCODE_ERROR, codec_names[to], str, i, end, reasons[to]), false;
  for (; i < end; ++i) {
    if (how == REPLACE) pa_string_puts(out, "?");
    if (how == BACKSLASH) put_escaped(pa_str_code(str, i), out);
  }
  return true;
}

static bool encode_some(const pa_str *str, codec to, int64_t errors, pa_string *out) {
  for (int64_t i = 0, end; i < str->length; i = end) {
    uint32_t code = pa_str_code(str, i);
    end = i + 1;
    if (!is_encodable(to, code)) {
      while (end < str->length && !is_encodable(to, pa_str_code(str, end))) ++end;
      if (!handle_unencodable(str, i, end, to, errors, out)) return false;
    } else if (to == UTF_8) {
      pa_put_utf8(code, out);
    } else {
      pa_string_append(out, &(char){(char)code}, 1);
    }
  }
  return true;
}

int64_t pyarray_rt_str_encode(int64_t text, int64_t encoding, int64_t errors) {
  const pa_str *str = pa_str_of(text);
  codec to = find_codec(encoding);
  if (to == UNKNOWN) return 0;
  if (str->flags & PA_STR_ASCII) return pa_handle_of(pa_str_copy(pa_str_data(str), 1, str->length, PA_STR_BYTES));
  pa_string out = {0};
  bool done = encode_some(str, to, errors, &out);
  int64_t made = done ? pa_handle_of(pa_str_copy(pa_string_text(&out), 1, (int64_t)out.length, PA_STR_BYTES)) : 0;
  pa_string_free(&out);
  return made;
}

//===-- decode ------------------------------------------------------------------------------------===//

static int read_code(codec from, const uint8_t *at, int64_t length, uint32_t *out_code, const char **out_reason) {
  if (from == UTF_8) return read_utf8(at, length, false, out_code, out_reason);
  *out_code = *at;
  *out_reason = "ordinal not in range(128)";
  return from == ASCII && *at >= 0x80 ? -1 : 1;
}

int64_t pyarray_rt_bytes_decode(int64_t bytes, int64_t encoding, int64_t errors) {
  const pa_str *str = pa_str_of(bytes);
  const uint8_t *data = (const uint8_t *)pa_str_data(str);
  codec from = find_codec(encoding);
  pa_text_builder builder = {0};
  if (from == UNKNOWN) return 0;
  if (all_ascii((const char *)data, (size_t)str->length)) return pa_handle_of(pa_str_copy(data, 1, str->length, 0));
  for (int64_t i = 0; i < str->length;) {
    uint32_t code = 0;
    const char *reason = "";
    int count = read_code(from, data + i, str->length - i, &code, &reason);
    if (count > 0) {
      pa_text_put(&builder, code);
      i += count;
      continue;
    }
    handler how = find_handler(errors);
    if (how == STRICT) pa_record_codec_failure(PA_DECODE_ERROR, codec_names[from], str, i, i - count, reason);
    if (how == STRICT || how == NO_HANDLER) return free(builder.data), 0;
    if (how == REPLACE) pa_text_put(&builder, 0xfffd);
    for (int k = 0; how == BACKSLASH && k < -count; ++k) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\x%02x", data[i + k]);
      for (const char *at = escape; *at; ++at) pa_text_put(&builder, (uint8_t)*at);
    }
    i -= count;
  }
  return pa_text_finish(&builder, 0);
}
