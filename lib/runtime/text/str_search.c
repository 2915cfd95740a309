// Text in text: find, count, replace, startswith and the like. Of str and bytes.
#include <stdlib.h>

#include "text.h"

void pa_clip(int64_t length, int64_t *start, int64_t *stop) {
  if (*stop > length) *stop = length;
  if (*stop < 0) *stop = *stop + length < 0 ? 0 : *stop + length;
  if (*start < 0) *start = *start + length < 0 ? 0 : *start + length;
}

//===-- find --------------------------------------------------------------------------------------===//

static bool is_here(const char *text, const char *needle, size_t size) { return memcmp(text, needle, size) == 0; }

// Both of |kind|; the first place at most |last|.
static int64_t find_forward(const char *text, const char *needle, int kind, int64_t needle_length, int64_t start,
                            int64_t last) {
  size_t size = (size_t)(needle_length * kind);
  const char *at = text + start * kind, *end = text + last * kind + size;
  while ((at = memmem(at, (size_t)(end - at), needle, size))) {
    if ((at - text) % kind == 0) return (at - text) / kind;
    ++at; // between two code points
  }
  return -1;
}

static int64_t find_backward(const char *text, const char *needle, int kind, int64_t needle_length, int64_t start,
                             int64_t last) {
  size_t size = (size_t)(needle_length * kind);
  for (int64_t i = last; i >= start; --i)
    if (text[i * kind] == *needle && is_here(text + i * kind, needle, size)) return i;
  return -1;
}

int64_t pa_str_find(const pa_str *text, const pa_str *needle, int64_t start, int64_t stop, bool backwards) {
  int64_t last = stop - needle->length, found;
  if (start > last || needle->kind > text->kind) return -1;
  if (!needle->length) return backwards ? last : start;
  int64_t (*search)(const char *, const char *, int, int64_t, int64_t, int64_t) =
      backwards ? find_backward : find_forward;
  if (needle->kind == text->kind)
    return search(pa_str_data(text), pa_str_data(needle), text->kind, needle->length, start, last);
  char *wide = malloc((size_t)(needle->length * text->kind));
  if (!wide) return -1;
  pa_str_copy_to(wide, text->kind, needle);
  found = search(pa_str_data(text), wide, text->kind, needle->length, start, last);
  free(wide);
  return found;
}

static int64_t find(int64_t text, int64_t needle, int64_t start, int64_t stop, bool backwards) {
  const pa_str *str = pa_str_of(text);
  pa_clip(str->length, &start, &stop);
  return pa_str_find(str, pa_str_of(needle), start, stop, backwards);
}

int64_t pyarray_rt_str_find(int64_t text, int64_t needle, int64_t start, int64_t stop) {
  return find(text, needle, start, stop, false);
}
int64_t pyarray_rt_str_rfind(int64_t text, int64_t needle, int64_t start, int64_t stop) {
  return find(text, needle, start, stop, true);
}

static int32_t index_of(int64_t text, int64_t needle, int64_t start, int64_t stop, bool backwards, int64_t out) {
  int64_t found = find(text, needle, start, stop, backwards);
  *(int64_t *)(uintptr_t)out = found;
  if (found < 0)
    pa_record_failure(PA_VALUE_ERROR, pa_is_bytes(pa_str_of(text)) ? "subsection not found" : "substring not found");
  return found < 0;
}

int32_t pyarray_rt_str_index(int64_t text, int64_t needle, int64_t start, int64_t stop, int64_t out) {
  return index_of(text, needle, start, stop, false, out);
}
int32_t pyarray_rt_str_rindex(int64_t text, int64_t needle, int64_t start, int64_t stop, int64_t out) {
  return index_of(text, needle, start, stop, true, out);
}

int32_t pyarray_rt_str_contains(int64_t text, int64_t needle) { return find(text, needle, 0, INT64_MAX, false) >= 0; }
int32_t pyarray_rt_bytes_contains_code(int64_t text, int64_t code, int64_t out) {
  if (code < 0 || code > 255) return pa_record_failure(PA_VALUE_ERROR, "byte must be in range(0, 256)"), 1;
  *(int64_t *)(uintptr_t)out = memchr(pa_str_data(pa_str_of(text)), (int)code, (size_t)pa_str_of(text)->length) != NULL;
  return 0;
}

static int64_t count_in(const pa_str *str, const pa_str *needle, int64_t start, int64_t stop, int64_t most) {
  int64_t count = 0;
  if (!needle->length) {
    count = start > stop ? 0 : stop - start + 1;
    return most >= 0 && count > most ? most : count;
  }
  while (count != most && (start = pa_str_find(str, needle, start, stop, false)) >= 0) ++count, start += needle->length;
  return count;
}

int64_t pyarray_rt_str_count(int64_t text, int64_t needle, int64_t start, int64_t stop) {
  const pa_str *str = pa_str_of(text);
  pa_clip(str->length, &start, &stop);
  return count_in(str, pa_str_of(needle), start, stop, -1);
}

//===-- startswith, endswith, removeprefix, removesuffix ------------------------------------------===//

static bool is_at(const pa_str *str, const pa_str *part, int64_t at) {
  if (part->kind == str->kind)
    return is_here(pa_str_data(str) + at * str->kind, pa_str_data(part), (size_t)(part->length * part->kind));
  for (int64_t i = 0; i < part->length; ++i)
    if (pa_str_code(str, at + i) != pa_str_code(part, i)) return false;
  return true;
}

static bool has_affix(const pa_str *str, const pa_str *part, int64_t start, int64_t stop, bool at_end) {
  return stop - start >= part->length && is_at(str, part, at_end ? stop - part->length : start);
}

static int32_t has_one_of(int64_t text, int64_t parts, int64_t count, int64_t start, int64_t stop, bool at_end) {
  const pa_str *str = pa_str_of(text);
  const int64_t *handles = (const int64_t *)(uintptr_t)parts;
  pa_clip(str->length, &start, &stop);
  for (int64_t i = 0; i < count; ++i)
    if (has_affix(str, pa_str_of(handles[i]), start, stop, at_end)) return 1;
  return 0;
}

int32_t pyarray_rt_str_startswith(int64_t text, int64_t parts, int64_t count, int64_t start, int64_t stop) {
  return has_one_of(text, parts, count, start, stop, false);
}
int32_t pyarray_rt_str_endswith(int64_t text, int64_t parts, int64_t count, int64_t start, int64_t stop) {
  return has_one_of(text, parts, count, start, stop, true);
}

int64_t pyarray_rt_str_removeprefix(int64_t text, int64_t part) {
  const pa_str *str = pa_str_of(text), *prefix = pa_str_of(part);
  if (!has_affix(str, prefix, 0, str->length, false)) return pa_str_share(text);
  return pa_handle_of(pa_str_part(str, prefix->length, str->length - prefix->length));
}
int64_t pyarray_rt_str_removesuffix(int64_t text, int64_t part) {
  const pa_str *str = pa_str_of(text), *suffix = pa_str_of(part);
  if (!has_affix(str, suffix, 0, str->length, true)) return pa_str_share(text);
  return pa_handle_of(pa_str_part(str, 0, str->length - suffix->length));
}

//===-- replace -----------------------------------------------------------------------------------===//

typedef struct writer {
  char *at;
  int kind;
} writer;

static void write_part(writer *w, const pa_str *str, int64_t start, int64_t length) {
  if (str->kind == w->kind)
    memcpy(w->at, pa_str_data(str) + start * str->kind, (size_t)(length * w->kind));
  else
    for (int64_t i = 0; i < length; ++i) pa_put_code(w->at, w->kind, i, pa_str_code(str, start + i));
  w->at += length * w->kind;
}

int64_t pyarray_rt_str_replace(int64_t text, int64_t old, int64_t new, int64_t most) {
  const pa_str *str = pa_str_of(text), *from = pa_str_of(old), *to = pa_str_of(new);
  int64_t count = count_in(str, from, 0, str->length, most), more, length, at = 0;
  if (!count) return pa_str_share(text);
  if (__builtin_mul_overflow(to->length - from->length, count, &more) ||
      __builtin_add_overflow(str->length, more, &length))
    return pa_record_memory_failure();
  int kind = to->kind > str->kind ? to->kind : str->kind;
  char *data = malloc((size_t)(length * kind) + 1);
  if (!data) return pa_record_memory_failure();
  writer w = {data, kind};
  for (int64_t i = 0; i < count; ++i) {
    int64_t found = from->length ? pa_str_find(str, from, at, str->length, false) : i; // nothing is between any two
    write_part(&w, str, at, found - at);
    write_part(&w, to, 0, to->length);
    at = found + from->length;
  }
  write_part(&w, str, at, str->length - at);
  int64_t made = pa_handle_of(pa_str_copy(data, kind, length, str->flags & PA_STR_BYTES));
  free(data);
  return made;
}
