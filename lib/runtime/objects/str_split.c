// Text taken apart: strip, split, splitlines, partition. Of str and bytes; what is white space differs.
#include "text.h"
#include "unicode.h"

// White space up to ' ', a bit for each: of bytes and of str.
static const uint64_t spaces_of_bytes = UINT64_C(1) << ' ' | UINT64_C(0x1f) << '\t';
static const uint64_t spaces_of_str = UINT64_C(1) << ' ' | UINT64_C(0x1f) << '\t' | UINT64_C(0xf) << 28;

static inline bool is_space(const pa_str *str, int64_t index) {
  uint32_t code = pa_str_code(str, index);
  if (code <= ' ') return (pa_is_bytes(str) ? spaces_of_bytes : spaces_of_str) >> code & 1;
  return code >= 128 && !pa_is_bytes(str) && pa_properties(code) & PA_SPACE;
}

// The highest bits of bytes up to ' ', the first of which is right; those behind it may be any.
static inline uint64_t low_bytes(uint64_t word) {
  const uint64_t ones = 0x0101010101010101;
  return (word - ones * (' ' + 1)) & ~word & ones << 7;
}

// From |at| on, the first character that is white space or not, as |is| says, or the length.
static int64_t next_space(const pa_str *str, int64_t at, bool is) {
  int64_t length = str->length;
  if (str->flags & (PA_STR_ASCII | PA_STR_BYTES)) {
    const uint8_t *data = (const uint8_t *)pa_str_data(str);
    uint64_t spaces = pa_is_bytes(str) ? spaces_of_bytes : spaces_of_str;
    for (uint64_t low; is && at + 8 <= length; at += low ? 1 : 8) { // a word at a time: its end is hard to foretell
      low = low_bytes(pa_eight_bytes((const char *)data + at));
      if (low) at += __builtin_ctzll(low) >> 3;
      if (low && spaces >> data[at] & 1) return at;
    }
    while (at < length && (data[at] <= ' ' && spaces >> data[at] & 1) != is) ++at;
  } else {
    while (at < length && is_space(str, at) != is) ++at;
  }
  return at;
}

//===-- strip -------------------------------------------------------------------------------------===//

// Characters of one byte, with the bits that any of them has: of ".,;:!?" no letter's.
typedef struct byte_set {
  const char *bytes;
  int64_t count;
  uint8_t bits;
} byte_set;

static inline byte_set byte_set_of(const pa_str *set) {
  const char *bytes = pa_str_data(set);
  int64_t count = set->length;
  uint64_t bits = 0;
  for (int64_t i = 0; count < 8 && i < count; ++i) bits |= (uint8_t)bytes[i];
  for (int64_t i = 0; i + 8 < count; i += 8) bits |= pa_eight_bytes(bytes + i);
  if (count >= 8) bits |= pa_eight_bytes(bytes + count - 8);
  bits |= bits >> 32;
  bits |= bits >> 16;
  return (byte_set){bytes, count, (uint8_t)(bits | bits >> 8)};
}

static inline bool is_among(byte_set set, uint8_t byte) {
  return !(byte & ~set.bits) && memchr(set.bytes, byte, (size_t)set.count);
}

static bool goes(const pa_str *str, int64_t index, const pa_str *set) {
  if (!set) return is_space(str, index);
  uint32_t code = pa_str_code(str, index);
  for (int64_t i = 0; i < set->length; ++i)
    if (pa_str_code(set, i) == code) return true;
  return false;
}

static int64_t strip(int64_t text, int64_t characters, bool left, bool right) {
  const pa_str *str = pa_str_of(text), *set = characters ? pa_str_of(characters) : NULL;
  int64_t start = 0, stop = str->length;
  if (set && set->kind == 1 && str->kind == 1) {
    byte_set bytes = byte_set_of(set);
    const uint8_t *data = (const uint8_t *)pa_str_data(str);
    while (left && start < stop && is_among(bytes, data[start])) ++start;
    while (right && start < stop && is_among(bytes, data[stop - 1])) --stop;
  } else {
    while (left && start < stop && goes(str, start, set)) ++start;
    while (right && start < stop && goes(str, stop - 1, set)) --stop;
  }
  if (stop - start == str->length) return pa_str_share(text);
  return pa_handle_of(pa_str_part(str, start, stop - start));
}

int64_t pyarray_rt_str_strip(int64_t text, int64_t characters) { return strip(text, characters, true, true); }
int64_t pyarray_rt_str_lstrip(int64_t text, int64_t characters) { return strip(text, characters, true, false); }
int64_t pyarray_rt_str_rstrip(int64_t text, int64_t characters) { return strip(text, characters, false, true); }

//===-- Lists of parts ----------------------------------------------------------------------------===//

// Words of a text come again and again: a part of 2 to 16 bytes that was made lately is shared, not made once more.
// That saves the memory, and a dict finds its hash in it.
enum { PARTS_KNOWN = 256, PARTS_ALONE = 16 };

typedef struct parts {
  const pa_str *str;
  pa_list *list; // NULL after a failure
  bool knows;
  const pa_str *known[PARTS_KNOWN]; // set where |knows|; the list has a reference to each
} parts;

static void begin_parts(parts *p, const pa_str *str) {
  p->str = str;
  p->knows = false;
  p->list = pa_list_new(pa_item_type_get(pa_is_bytes(str) ? "Y" : "U"), 0);
  if (!p->list) pa_record_memory_failure();
}

// A new reference to a part, or 0.
static int64_t take_part(parts *p, int64_t start, int64_t length) {
  const pa_str *str = p->str;
  bool may_be_known = p->list->length >= PARTS_ALONE && str->kind == 1 && pa_are_short_bytes(length);
  if (!may_be_known) return pa_handle_of(pa_str_part(str, start, length));
  if (!p->knows) memset(p->known, 0, sizeof p->known);
  p->knows = true;
  pa_short_bytes bytes = pa_short_bytes_of(pa_str_data(str) + start, length);
  uint64_t mixed = (bytes.first ^ (bytes.last + (uint64_t)length) * 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93;
  const pa_str **known = &p->known[mixed >> 56];
  if (*known && (*known)->length == length) {
    pa_short_bytes old = pa_short_bytes_of(pa_str_data(*known), length);
    if (old.first == bytes.first && old.last == bytes.last) return pa_str_share(pa_handle_of(*known));
  }
  *known = pa_str_part(str, start, length);
  return pa_handle_of(*known);
}

static void add_part(parts *p, int64_t start, int64_t length) {
  if (!p->list) return;
  int64_t part = take_part(p, start, length);
  if (part && pa_list_append_owned(p->list, &part)) return;
  pyarray_rt_release(part);
  pa_record_memory_failure();
  pyarray_rt_release(pa_handle_of(p->list));
  p->list = NULL;
}

static int64_t finish(parts *p, bool backwards) {
  if (p->list && backwards) pyarray_rt_list_reverse(pa_handle_of(p->list));
  return pa_handle_of(p->list);
}

static int64_t split_at_spaces(const pa_str *str, int64_t most) {
  parts p;
  begin_parts(&p, str);
  int64_t i = 0, length = str->length;
  for (;;) {
    i = next_space(str, i, false);
    if (i == length) break;
    int64_t start = i;
    if (most-- == 0) { // with the white space at its end
      add_part(&p, start, length - start);
      break;
    }
    i = next_space(str, i, true);
    add_part(&p, start, i - start);
  }
  return finish(&p, false);
}

static int64_t rsplit_at_spaces(const pa_str *str, int64_t most) {
  parts p;
  begin_parts(&p, str);
  int64_t i = str->length;
  for (;;) {
    while (i && is_space(str, i - 1)) --i;
    if (!i) break;
    int64_t stop = i;
    if (most-- == 0) {
      add_part(&p, 0, stop);
      break;
    }
    while (i && !is_space(str, i - 1)) --i;
    add_part(&p, i, stop - i);
  }
  return finish(&p, true);
}

int64_t pyarray_rt_str_split(int64_t text, int64_t separator, int64_t most) {
  const pa_str *str = pa_str_of(text), *between = separator ? pa_str_of(separator) : NULL;
  if (!between) return split_at_spaces(str, most);
  if (!between->length) return pa_record_failure(PA_VALUE_ERROR, "empty separator");
  parts p;
  begin_parts(&p, str);
  int64_t at = 0, found;
  while (p.list && most-- != 0 && (found = pa_str_find(str, between, at, str->length, false)) >= 0) {
    add_part(&p, at, found - at);
    at = found + between->length;
  }
  add_part(&p, at, str->length - at);
  return finish(&p, false);
}

int64_t pyarray_rt_str_rsplit(int64_t text, int64_t separator, int64_t most) {
  const pa_str *str = pa_str_of(text), *between = separator ? pa_str_of(separator) : NULL;
  if (!between) return rsplit_at_spaces(str, most);
  if (!between->length) return pa_record_failure(PA_VALUE_ERROR, "empty separator");
  parts p;
  begin_parts(&p, str);
  int64_t end = str->length, found;
  while (p.list && most-- != 0 && (found = pa_str_find(str, between, 0, end, true)) >= 0) {
    add_part(&p, found + between->length, end - found - between->length);
    end = found;
  }
  add_part(&p, 0, end);
  return finish(&p, true);
}

static bool is_line_break(const pa_str *str, int64_t index) {
  uint32_t code = pa_str_code(str, index);
  return pa_is_bytes(str) ? code == '\n' || code == '\r' : pa_properties(code) & PA_LINE_BREAK;
}

int64_t pyarray_rt_str_splitlines(int64_t text, int64_t keep_ends) {
  const pa_str *str = pa_str_of(text);
  parts p;
  begin_parts(&p, str);
  for (int64_t i = 0, length = str->length; i < length;) {
    int64_t start = i, end;
    while (i < length && !is_line_break(str, i)) ++i;
    end = i;
    if (i < length) i += pa_str_code(str, i) == '\r' && i + 1 < length && pa_str_code(str, i + 1) == '\n' ? 2 : 1;
    add_part(&p, start, (keep_ends ? i : end) - start);
  }
  return finish(&p, false);
}

//===-- partition ---------------------------------------------------------------------------------===//

static int32_t put_three(int64_t out, int64_t a, int64_t b, int64_t c) {
  int64_t *values = (int64_t *)(uintptr_t)out;
  values[0] = a, values[1] = b, values[2] = c;
  if (a && b && c) return 0;
  for (int i = 0; i < 3; ++i) pyarray_rt_release(values[i]);
  return 1;
}

static int32_t partition(int64_t text, int64_t separator, bool backwards, int64_t out) {
  const pa_str *str = pa_str_of(text), *between = pa_str_of(separator);
  if (!between->length) return pa_record_failure(PA_VALUE_ERROR, "empty separator"), 1;
  int64_t found = pa_str_find(str, between, 0, str->length, backwards), nothing = pa_str_empty(str);
  if (found < 0)
    return backwards ? put_three(out, nothing, nothing, pa_str_share(text))
                     : put_three(out, pa_str_share(text), nothing, nothing);
  int64_t rest = found + between->length;
  return put_three(out, pa_handle_of(pa_str_part(str, 0, found)), pa_str_share(separator),
                   pa_handle_of(pa_str_part(str, rest, str->length - rest)));
}

int32_t pyarray_rt_str_partition(int64_t text, int64_t separator, int64_t out) {
  return partition(text, separator, false, out);
}
int32_t pyarray_rt_str_rpartition(int64_t text, int64_t separator, int64_t out) {
  return partition(text, separator, true, out);
}
