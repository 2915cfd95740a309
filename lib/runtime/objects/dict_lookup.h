// How dicts and sets are probed: for dict.c and dict_whole.c.
#ifndef PYARRAY_RUNTIME_OBJECTS_DICT_LOOKUP_H
#define PYARRAY_RUNTIME_OBJECTS_DICT_LOOKUP_H

#include <string.h>

#include "objects.h"

enum { EMPTY = -1, SMALLEST = 8 };

static const int64_t pa_deleted_hash = -1; // no hash is

static inline pa_dict *pa_dict_of(int64_t handle) { return pa_object_of(handle); }
static inline void *pa_address(int64_t at) { return (void *)(uintptr_t)at; }
static inline char *pa_dict_entry(const pa_dict *dict, int64_t number) {
  return dict->entries + number * dict->entry_size;
}

static inline int64_t pa_dict_hash_at(const pa_dict *dict, int64_t number) {
  int64_t hash;
  memcpy(&hash, pa_dict_entry(dict, number), sizeof hash);
  return hash;
}

//===-- Lookup ------------------------------------------------------------------------------------===//

// The upper bits of a product with the golden ratio (Knuth, The Art of Computer Programming 3, 6.4). Hashes of whole
// numbers are the numbers, and numbers a step apart, whatever the step, spread so evenly that few of them meet.
static inline uint64_t pa_dict_first_place(const pa_dict *dict, int64_t hash) {
  uint64_t bits = (uint64_t)hash ^ (uint64_t)hash >> 32;
  return bits * 0x9E3779B97F4A7C15u >> dict->shift;
}

// What a kind of key needs; all of it is inlined into the functions of that kind.
typedef struct pa_key_kind {
  int64_t (*hash)(const pa_item_type *type, const void *key);
  uint64_t (*difference)(const void *a, const void *b); // 0 of equal keys; NULL: hashes are compared first
  bool (*equal)(const pa_item_type *type, const void *a, const void *b); // where there is no |difference|
  size_t size;                                                           // of a key, at most 8; 0: the type says it
} pa_key_kind;

// That of most is the number itself.
static inline int64_t pa_hash_whole(int64_t value) {
  return value >= 0 && value < ((int64_t)1 << 61) - 1 ? value : pa_hash_int(value);
}

// Not CPython's: nobody sees it.
static inline int64_t pa_hash_i64(const pa_item_type *type, const void *key) {
  int64_t value;
  (void)type;
  memcpy(&value, key, sizeof value);
  return value - (value == pa_deleted_hash);
}

static inline int64_t pa_hash_i32(const pa_item_type *type, const void *key) {
  int32_t value;
  (void)type;
  memcpy(&value, key, sizeof value);
  return value - (int64_t)(value == pa_deleted_hash);
}

static inline uint64_t pa_difference_i32(const void *a, const void *b) {
  uint32_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x ^ y;
}

static inline uint64_t pa_difference_i64(const void *a, const void *b) {
  uint64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x ^ y;
}

static inline int64_t pa_hash_f64(const pa_item_type *type, const void *key) {
  double value;
  (void)type;
  memcpy(&value, key, sizeof value);
  int64_t whole = value >= -0x1p60 && value <= 0x1p60 ? (int64_t)value : 0;
  return (double)whole == value ? pa_hash_whole(whole) : pa_hash_double(value);
}

static inline uint64_t pa_difference_f64(const void *a, const void *b) {
  double x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x != y;
}

static inline int64_t pa_hash_str(const pa_item_type *type, const void *key) {
  int64_t handle;
  (void)type;
  memcpy(&handle, key, sizeof handle);
  return pa_str_hash(pa_address(handle));
}

static inline bool pa_equal_str(const pa_item_type *type, const void *a, const void *b) {
  int64_t x, y;
  (void)type;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x == y || pa_str_equal(pa_address(x), pa_address(y));
}

static const pa_key_kind pa_i64_key = {pa_hash_i64, pa_difference_i64, NULL, 8},
                         pa_i32_key = {pa_hash_i32, pa_difference_i32, NULL, 4},
                         pa_f64_key = {pa_hash_f64, pa_difference_f64, NULL, 8},
                         pa_str_key = {pa_hash_str, NULL, pa_equal_str, 8},
                         pa_any_key = {pa_item_hash, NULL, pa_item_equal, 0};

#define INLINE static inline __attribute__((always_inline))

// Of an empty place, whose number is -1, that is the first entry.
INLINE char *pa_dict_compared_entry(const pa_dict *dict, int64_t number) {
  return pa_dict_entry(dict, number - (number >> 63));
}

// Without a branch: whether a key is there cannot be foretold.
INLINE int64_t pa_dict_entry_or_0(const pa_dict *dict, int64_t number) {
  return pa_handle_of(pa_dict_compared_entry(dict, number)) & ~(number >> 63);
}

// Whether the search ends at |number|. Which of both ends it, an empty place or the key, no processor can foretell:
// where keys are compared at once, there is one branch for both, and of an empty place the first entry is compared, in
// vain.
INLINE bool pa_dict_ends_search(const pa_dict *dict, pa_key_kind kind, int64_t number, int64_t hash, const void *key) {
  if (!kind.difference)
    return number == EMPTY || (pa_dict_hash_at(dict, number) == hash &&
                               kind.equal(dict->key, pa_dict_entry(dict, number) + PA_DICT_KEY, key));
  return kind.difference(pa_dict_compared_entry(dict, number) + PA_DICT_KEY, key) <= (uint64_t)(number >> 63);
}

// Where the index names the entry of |key|; or, where there is none, an empty place. |*out_number|: what it holds.
INLINE int64_t pa_dict_find_place(const pa_dict *dict, pa_key_kind kind, int64_t hash, const void *key,
                                  int64_t *out_number) {
  for (uint64_t place = pa_dict_first_place(dict, hash);; place = (place + 1) & (uint64_t)dict->mask) {
    int64_t number = dict->index[place];
    if (pa_dict_ends_search(dict, kind, number, hash, key)) return *out_number = number, (int64_t)place;
  }
}

INLINE int64_t pa_dict_search(const pa_dict *dict, pa_key_kind kind, const void *key) {
  int64_t number;
  if (!dict->length) return -1;
  pa_dict_find_place(dict, kind, kind.hash(dict->key, key), key, &number);
  return number;
}

// One kind of keys is looked up by one function of the runtime, for other callers too.
#define BY_KIND(dict, ...)                                                                                             \
  switch ((dict)->key->number ? (dict)->key->number : *(dict)->key->code) {                                            \
  case 'q':                                                                                                            \
  case 'Q': {                                                                                                          \
    const pa_key_kind kind = pa_i64_key;                                                                               \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  case 'i':                                                                                                            \
  case 'I': {                                                                                                          \
    const pa_key_kind kind = pa_i32_key;                                                                               \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  case 'd': {                                                                                                          \
    const pa_key_kind kind = pa_f64_key;                                                                               \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  case 'U': {                                                                                                          \
    const pa_key_kind kind = pa_str_key;                                                                               \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  default: {                                                                                                           \
    const pa_key_kind kind = pa_any_key;                                                                               \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  }

// Room for |capacity| entries and their index, of which the deleted ones go. Nothing changes where memory is short.
bool pa_dict_resize(pa_dict *dict, int64_t capacity);
// The index alone, of entries that were put in a row where there is room for |room|.
bool pa_dict_index(pa_dict *dict, int64_t room);

// The entry of |key|, behind all others, where the index has an empty place for it; its value is zero. There is room.
INLINE char *pa_dict_insert_at(pa_dict *dict, pa_key_kind kind, int64_t place, int64_t hash, const void *key) {
  char *entry = pa_dict_entry(dict, dict->used);
  memcpy(entry, &hash, sizeof hash);
  int64_t word = 0, *words = (int64_t *)(void *)entry, count = dict->entry_size / 8;
  for (int64_t i = kind.size ? 2 : 1; i < count; ++i) {
    words[i] = 0;
    __asm__(""); // most often one word: no call of memset()
  }
  if (kind.size)
    memcpy(&word, key, kind.size), words[1] = word;
  else
    memcpy(entry + PA_DICT_KEY, key, (size_t)dict->key->size);
  dict->index[place] = (int32_t)dict->used++;
  ++dict->length;
  ++dict->version;
  return entry;
}

#endif // PYARRAY_RUNTIME_OBJECTS_DICT_LOOKUP_H
