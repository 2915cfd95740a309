// What the files of str and bytes share. Both have one layout (pa_str in objects.h); bytes are its kind 1 with
// PA_STR_BYTES. Text is canonical: the kind is the narrowest that holds its code points. Private to lib/runtime.
#ifndef PYARRAY_LIB_RUNTIME_TEXT_H
#define PYARRAY_LIB_RUNTIME_TEXT_H

#include <string.h>

#include "objects.h"

static inline pa_str *pa_str_of(int64_t handle) { return pa_object_of(handle); }
static inline char *pa_str_data(const pa_str *str) { return (char *)(str + 1); }

static inline uint32_t pa_code_at(const void *data, int kind, int64_t index) {
  switch (kind) {
  case 1: return ((const uint8_t *)data)[index];
  case 2: return ((const uint16_t *)data)[index];
  default: return ((const uint32_t *)data)[index];
  }
}

static inline void pa_put_code(void *data, int kind, int64_t index, uint32_t code) {
  switch (kind) {
  case 1: ((uint8_t *)data)[index] = (uint8_t)code; break;
  case 2: ((uint16_t *)data)[index] = (uint16_t)code; break;
  default: ((uint32_t *)data)[index] = code; break;
  }
}

static inline uint32_t pa_str_code(const pa_str *str, int64_t index) {
  return pa_code_at(pa_str_data(str), str->kind, index);
}
static inline bool pa_is_bytes(const pa_str *str) { return str->flags & PA_STR_BYTES; }
static inline int pa_kind_of_code(uint32_t code) { return code < 0x100 ? 1 : code < 0x10000 ? 2 : 4; }

static inline uint64_t pa_eight_bytes(const char *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

// 2 to 16 bytes, which their number and these determine.
typedef struct pa_short_bytes {
  uint64_t first, last;
} pa_short_bytes;

static inline bool pa_are_short_bytes(int64_t count) { return count >= 2 && count <= 16; }

static inline pa_short_bytes pa_short_bytes_of(const char *data, int64_t count) {
  if (count >= 8) return (pa_short_bytes){pa_eight_bytes(data), pa_eight_bytes(data + count - 8)};
  if (count >= 4) {
    uint32_t first, last;
    memcpy(&first, data, sizeof first);
    memcpy(&last, data + count - sizeof last, sizeof last);
    return (pa_short_bytes){first, last};
  }
  uint16_t first, last;
  memcpy(&first, data, sizeof first);
  memcpy(&last, data + count - sizeof last, sizeof last);
  return (pa_short_bytes){first, last};
}

// Uninitialised text, |flags| to be completed by the caller, ends in a zero. NULL, and a failure recorded, where memory
// is short.
pa_str *pa_str_new(int kind, int64_t length, int flags);
static inline pa_str *pa_str_part(const pa_str *str, int64_t start, int64_t length) {
  return pa_str_copy(pa_str_data(str) + start * str->kind, str->kind, length,
                     str->flags & (PA_STR_ASCII | PA_STR_BYTES));
}
// |length| bytes of UTF-8, where surrogates may be encoded too.
pa_str *pa_str_from_utf8(const char *text, size_t length);
pa_str *pa_str_take(pa_string *text); // the same of a pa_string, which it frees
void pa_str_to_utf8(const pa_str *str, pa_string *out);
void pa_put_utf8(uint32_t code, pa_string *out);
// Widens while copying: |to| is a place in text of |kind|, at least |str|'s.
void pa_str_copy_to(char *to, int kind, const pa_str *str);
// A new reference to what is there already.
static inline int64_t pa_str_share(int64_t handle) { return pyarray_rt_retain(handle), handle; }
int64_t pa_str_empty(const pa_str *like); // an immortal one, str or bytes

// Text that grows, a code point at a time.
typedef struct pa_text_builder {
  void *data;
  int kind;
  int64_t length, capacity;
  bool failed;
} pa_text_builder;

void pa_text_put(pa_text_builder *builder, uint32_t code);
// So many at once: where there is no memory for all, that is known before any is written.
void pa_text_repeat(pa_text_builder *builder, uint32_t code, int64_t count);
int64_t pa_text_finish(pa_text_builder *builder, int flags); // the handle, or 0; frees the builder

// Where |needle| is in the code points from |start| to |stop| of |text|: the first, or the last where |backwards|. -1:
// nowhere.
int64_t pa_str_find(const pa_str *text, const pa_str *needle, int64_t start, int64_t stop, bool backwards);
// The bounds of a method's start and end, as slices have them.
void pa_clip(int64_t length, int64_t *start, int64_t *stop);

//===-- Descriptions: described.c -----------------------------------------------------------------===//

const void *pa_description_of(const void *object); // |object|, where it is a description; else NULL
const pa_str *pa_description_text(const void *description);
const pa_str *pa_description_name(const void *description);
bool pa_description_number(const void *description, int64_t *out);

//===-- print -------------------------------------------------------------------------------------===//

bool pa_print(const pa_string *text, bool flush); // false with the failure recorded
bool pa_print_waiting(void);                      // what threads of a loop that has ended printed

//===-- Failures ----------------------------------------------------------------------------------===//

// Why the last call that failed did so. ORDER FAILURE (lower_text.c)
typedef enum pa_failure_kind {
  PA_NO_FAILURE,
  PA_MEMORY_ERROR,
  PA_VALUE_ERROR,
  PA_TYPE_ERROR,
  PA_INDEX_ERROR,
  PA_OVERFLOW_ERROR,
  PA_LOOKUP_ERROR,
  PA_OS_ERROR,
  PA_ENCODE_ERROR, // codec, object, start, end, reason
  PA_DECODE_ERROR,
  PA_KEY_ERROR, // the key
  PA_BUFFER_ERROR,
} pa_failure_kind;

// Records a failure of this thread with a message; gives 0, which as a handle is none.
int64_t pa_record_failure(pa_failure_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
int64_t pa_record_text_failure(pa_failure_kind kind, const pa_string *message); // one that may have zeros in it
int64_t pa_record_memory_failure(void);
int64_t pa_record_key_failure(const pa_str *key);
int64_t pa_record_codec_failure(pa_failure_kind kind, const char *codec, const pa_str *object, int64_t start,
                                int64_t end, const char *reason);

#endif // PYARRAY_LIB_RUNTIME_TEXT_H
