// Whether indices are out of bounds.
//
// Rows are gone over side by side in vectors, four at a time; only a row that holds one is searched.
#include "array_numbers.h"
#include "runtime.h"

#include <stdbool.h>

enum { VECTOR = 32 }; // bytes
typedef int64_t words __attribute__((vector_size(VECTOR)));

#if defined(__x86_64__) && defined(__GLIBC__)
#define FOR_THIS_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_THIS_CPU
#endif

// Of integers that are from |least| to |most|; 0 is the least of those that cannot be negative. A short row is four
// vectors, which lie one over the other where it has fewer elements: there is no loop whose end is guessed wrong.
#define DEFINE_SEARCH(type, mask, name, least, most)                                                                   \
  typedef type vector_##name __attribute__((vector_size(VECTOR), aligned(sizeof(type)), may_alias));                   \
  typedef mask mask_##name __attribute__((vector_size(VECTOR)));                                                       \
  static inline __attribute__((always_inline)) bool short_##name(const type *data, int64_t count, type low,            \
                                                                 type high) {                                          \
    enum { LANES = VECTOR / sizeof(type) };                                                                            \
    int64_t last = count - LANES,                                                                                      \
            from[] = {0, last < LANES ? last : LANES, last < 2 * LANES ? last : 2 * LANES, last};                      \
    vector_##name lows = (vector_##name){0} + low, highs = (vector_##name){0} + high;                                  \
    mask_##name any = {0};                                                                                             \
    _Pragma("GCC unroll 4") for (int k = 0; k < 4; ++k) {                                                              \
      vector_##name x = *(const vector_##name *)(data + from[k]);                                                      \
      any |= (mask_##name)((x < lows) | (x > highs));                                                                  \
    }                                                                                                                  \
    words all = (words)any;                                                                                            \
    return (all[0] | all[1] | all[2] | all[3]) != 0;                                                                   \
  }                                                                                                                    \
  FOR_THIS_CPU static bool row_##name(const type *data, int64_t count, type low, type high) {                          \
    enum { LANES = VECTOR / sizeof(type) };                                                                            \
    for (; count > 4 * LANES; count -= 4 * LANES, data += 4 * LANES)                                                   \
      if (short_##name(data, 4 * LANES, low, high)) return true;                                                       \
    return short_##name(data, count, low, high);                                                                       \
  }                                                                                                                    \
  static bool find_##name(const char *data, int64_t count, int64_t stride, int64_t extent, int64_t *out) {             \
    bool narrow = (uint64_t)extent > (uint64_t)(most);                                                                 \
    type low = narrow ? (least) : (least) ? (type) - extent : 0, high = narrow ? (most) : (type)(extent - 1);          \
    if (extent == 0) low = 1, high = 0;                                                                                \
    if (stride == sizeof(type) && count >= (int64_t)(VECTOR / sizeof(type)) &&                                         \
        !row_##name((const type *)data, count, low, high))                                                             \
      return false;                                                                                                    \
    for (int64_t i = 0; i < count; ++i) {                                                                              \
      type x = *(const type *)(data + i * stride);                                                                     \
      if (x < low || x > high) return *out = (int64_t)x, true;                                                         \
    }                                                                                                                  \
    return false;                                                                                                      \
  }

DEFINE_SEARCH(int8_t, int8_t, i8, INT8_MIN, INT8_MAX)
DEFINE_SEARCH(int16_t, int16_t, i16, INT16_MIN, INT16_MAX)
DEFINE_SEARCH(int32_t, int32_t, i32, INT32_MIN, INT32_MAX)
DEFINE_SEARCH(int64_t, int64_t, i64, INT64_MIN, INT64_MAX)
DEFINE_SEARCH(uint8_t, int8_t, u8, 0, UINT8_MAX)
DEFINE_SEARCH(uint16_t, int16_t, u16, 0, UINT16_MAX)
DEFINE_SEARCH(uint32_t, int32_t, u32, 0, UINT32_MAX)
DEFINE_SEARCH(uint64_t, int64_t, u64, 0, UINT64_MAX)

typedef bool (*search)(const char *data, int64_t count, int64_t stride, int64_t extent, int64_t *out);

static search search_of(int64_t bytes, int64_t code) {
  bool is_unsigned = code >= 'A' && code <= 'Z';
  switch (bytes) {
  case 1: return is_unsigned ? find_u8 : find_i8;
  case 2: return is_unsigned ? find_u16 : find_i16;
  case 4: return is_unsigned ? find_u32 : find_i32;
  default: return is_unsigned ? find_u64 : find_i64;
  }
}

// Dimensions from |axis| on, in C order; the last ones that lie one behind the other are one row.
static bool search_axes(const array *a, int64_t axis, const char *data, search find, int64_t extent, int64_t *out) {
  int64_t last = a->rank - 1;
  if (axis == a->rank) return find(data, 1, a->bytes, extent, out);
  int64_t count = a->shape[last], row = last;
  while (row > axis && a->strides[row - 1] == a->strides[row] * a->shape[row]) count *= a->shape[--row];
  if (row == axis) return find(data, count, a->strides[last] * a->bytes, extent, out);
  for (int64_t i = 0; i < a->shape[axis]; ++i)
    if (search_axes(a, axis + 1, data + i * a->strides[axis] * a->bytes, find, extent, out)) return true;
  return false;
}

int pa_find_outside(const array *a, int64_t extent, int64_t *out) {
  return pa_has_elements(a) && search_axes(a, 0, pa_array_data(a), search_of(a->bytes, a->code), extent, out);
}

int32_t pyarray_rt_find_outside(int64_t numbers, int64_t extent, int64_t found) {
  const int64_t *at = (const int64_t *)(intptr_t)numbers;
  const array a = pa_read_array(&at);
  return pa_find_outside(&a, extent, (int64_t *)(intptr_t)found);
}

int32_t pyarray_rt_find_outside_row(int64_t address, int64_t count, int64_t bytes, int64_t code, int64_t step,
                                    int64_t extent, int64_t found) {
  return search_of(bytes, code)((const char *)(uintptr_t)address, count, step * bytes, extent,
                                (int64_t *)(intptr_t)found);
}
