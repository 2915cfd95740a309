// How dicts and sets are probed: for dict.c and dict_whole.c.
#ifndef PYARRAY_RUNTIME_OBJECTS_DICT_LOOKUP_H
#define PYARRAY_RUNTIME_OBJECTS_DICT_LOOKUP_H

#include <string.h>

#include "objects.h"

enum { EMPTY = -1 };

static const int64_t deleted_hash = -1; // no hash is

static inline pa_dict *dict_of(int64_t handle) { return pa_object_of(handle); }
static inline void *address(int64_t at) { return (void *)(uintptr_t)at; }
static inline char *entry_at(const pa_dict *dict, int64_t number) { return dict->entries + number * dict->entry_size; }

static inline int64_t hash_at(const pa_dict *dict, int64_t number) {
  int64_t hash;
  memcpy(&hash, entry_at(dict, number), sizeof hash);
  return hash;
}

//===-- Lookup ------------------------------------------------------------------------------------===//

// The upper bits of a product with the golden ratio (Knuth, The Art of Computer Programming 3, 6.4). Hashes of whole
// numbers are the numbers, and numbers a step apart, whatever the step, spread so evenly that few of them meet.
static inline uint64_t first_place(const pa_dict *dict, int64_t hash) {
  uint64_t bits = (uint64_t)hash ^ (uint64_t)hash >> 32;
  return bits * 0x9E3779B97F4A7C15u >> dict->shift;
}

// What a kind of key needs; all of it is inlined into the functions of that kind.
typedef struct key_kind {
  int64_t (*hash)(const pa_item_type *type, const void *key);
  bool (*equal)(const pa_item_type *type, const void *a, const void *b);
  bool decides; // equality is as quick as that of hashes
  size_t size;  // of a key; 0: the type says it
} key_kind;

// That of most is the number itself.
static inline int64_t hash_whole(int64_t value) {
  return value >= 0 && value < ((int64_t)1 << 61) - 1 ? value : pa_hash_int(value);
}

// Not CPython's: nobody sees it.
static inline int64_t hash_i64(const pa_item_type *type, const void *key) {
  int64_t value;
  (void)type;
  memcpy(&value, key, sizeof value);
  return value - (value == deleted_hash);
}

static inline bool equal_words(const pa_item_type *type, const void *a, const void *b) {
  (void)type;
  return memcmp(a, b, sizeof(int64_t)) == 0;
}

static inline int64_t hash_f64(const pa_item_type *type, const void *key) {
  double value;
  (void)type;
  memcpy(&value, key, sizeof value);
  int64_t whole = value >= -0x1p60 && value <= 0x1p60 ? (int64_t)value : 0;
  return (double)whole == value ? hash_whole(whole) : pa_hash_double(value);
}

static inline bool equal_f64(const pa_item_type *type, const void *a, const void *b) {
  double x, y;
  (void)type;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x == y;
}

static inline int64_t hash_str(const pa_item_type *type, const void *key) {
  int64_t handle;
  (void)type;
  memcpy(&handle, key, sizeof handle);
  return pa_str_hash(address(handle));
}

static inline bool equal_str(const pa_item_type *type, const void *a, const void *b) {
  int64_t x, y;
  (void)type;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x == y || pa_str_equal(address(x), address(y));
}

static const key_kind i64_key = {hash_i64, equal_words, true, 8}, f64_key = {hash_f64, equal_f64, true, 8},
                      str_key = {hash_str, equal_str, false, 8}, any_key = {pa_item_hash, pa_item_equal, false, 0};

#define INLINE static inline __attribute__((always_inline))

INLINE bool is_key(const pa_dict *dict, key_kind kind, int64_t number, int64_t hash, const void *key) {
  if (!kind.decides && hash_at(dict, number) != hash) return false;
  return kind.equal(dict->key, entry_at(dict, number) + PA_DICT_KEY, key);
}

// Where the index names the entry of |key|; or, where there is none, an empty place. |*out_number|: what it holds.
INLINE int64_t find_place(const pa_dict *dict, key_kind kind, int64_t hash, const void *key, int32_t *out_number) {
  for (uint64_t place = first_place(dict, hash);; place = (place + 1) & (uint64_t)dict->mask) {
    int32_t number = dict->index[place];
    if (number == EMPTY || is_key(dict, kind, number, hash, key)) return *out_number = number, (int64_t)place;
  }
}

INLINE int64_t find(const pa_dict *dict, key_kind kind, const void *key) {
  int32_t number;
  if (!dict->length) return -1;
  find_place(dict, kind, kind.hash(dict->key, key), key, &number);
  return number;
}

// One kind of keys is looked up by one function of the runtime, for other callers too.
#define BY_KIND(dict, ...)                                                                                             \
  switch ((dict)->key->number ? (dict)->key->number : *(dict)->key->code) {                                            \
  case 'q': {                                                                                                          \
    const key_kind kind = i64_key;                                                                                     \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  case 'd': {                                                                                                          \
    const key_kind kind = f64_key;                                                                                     \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  case 'U': {                                                                                                          \
    const key_kind kind = str_key;                                                                                     \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  default: {                                                                                                           \
    const key_kind kind = any_key;                                                                                     \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  }

// Room for |capacity| entries and their index, of which the deleted ones go. Nothing changes where memory is short.
bool pa_dict_resize(pa_dict *dict, int64_t capacity);

#endif // PYARRAY_RUNTIME_OBJECTS_DICT_LOOKUP_H
