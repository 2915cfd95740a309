// The position of the least or greatest element: numpy.argmin and numpy.argmax.
//
// Contiguous numbers are gone over in blocks, side by side in vectors, without a branch; only a block that holds a
// better one is searched.
#include "runtime.h"
#include "support/time_unit.h"

#include <stdbool.h>
#include <string.h>

enum { BYTES = 32, BLOCK = 4096, SHORT = 16 }; // of a vector; of a block; elements of a short row

#if defined(__x86_64__) && defined(__GLIBC__)
#define FOR_THIS_CPU __attribute__((target_clones("avx2", "default")))
#else
#define FOR_THIS_CPU
#endif

// The best so far is |value| at |position|. |odd|: NaN, before which nothing goes.
typedef struct search {
  int64_t position;
  bool odd;
} search;

#define IS_NAN(x) ((x) != (x))
#define IS_NEVER(x) false
#define IS_NAT(x) ((x) == PA_NAT)
#define LESS(a, b) ((a) < (b))
#define GREATER(a, b) ((a) > (b))

// A linear search through |count| elements; |better| than |value|, which is the best so far.
#define SEARCH(type, is_odd, better)                                                                                   \
  for (int64_t i = 0; i < count; ++i) {                                                                                \
    type x = *(const type *)(data + i * stride);                                                                       \
    bool odd = is_odd(x);                                                                                              \
    if (!odd && s.position >= 0 && !better(x, value)) continue;                                                        \
    s = (search){begin + i, odd};                                                                                      \
    value = x;                                                                                                         \
    if (odd) break;                                                                                                    \
  }

// Whether a block of contiguous elements holds a better one than |value|, or a NaN.
#define DEFINE_TEST(type, mask, name, better, is_nan)                                                                  \
  typedef type vector_##name __attribute__((vector_size(BYTES), aligned(sizeof(type)), may_alias));                    \
  typedef mask mask_##name __attribute__((vector_size(BYTES)));                                                        \
  FOR_THIS_CPU static bool has_##name(const char *data, type value) {                                                  \
    mask_##name any[4] = {{0}};                                                                                        \
    vector_##name best = (vector_##name){0} + value;                                                                   \
    for (int64_t i = 0; i < BLOCK; i += 4 * BYTES) {                                                                   \
      _Pragma("GCC unroll 4") for (int k = 0; k < 4; ++k) {                                                            \
        vector_##name x = *(const vector_##name *)(data + i + k * BYTES);                                              \
        any[k] |= (mask_##name)(is_nan ? ~(better(best, x) | (x == best)) : better(x, best));                          \
      }                                                                                                                \
    }                                                                                                                  \
    any[0] |= any[1] | any[2] | any[3];                                                                                \
    uint64_t words[BYTES / 8], all = 0;                                                                                \
    memcpy(words, &any[0], sizeof words);                                                                              \
    for (int k = 0; k < BYTES / 8; ++k) all |= words[k];                                                               \
    return all != 0;                                                                                                   \
  }

// All of a short row, which begins a search: of each element a choice, as no processor foresees which ones are better.
#define SEARCH_SHORT(type, is_odd, better)                                                                             \
  const char *at = data;                                                                                               \
  int64_t position = 0;                                                                                                \
  for (int64_t i = 1; i < count; ++i) {                                                                                \
    const char *next = data + i * stride;                                                                              \
    type x = *(const type *)next, y = *(const type *)at;                                                               \
    bool takes = (better(x, y) | is_odd(x)) & !is_odd(y);                                                              \
    position = takes ? i : position;                                                                                   \
    at = takes ? next : at;                                                                                            \
  }                                                                                                                    \
  memcpy(best, at, sizeof(type));                                                                                      \
  return (search){begin + position, is_odd(*(const type *)at)};

// The positions of many short rows, side by side in vectors; how many rows that were.
#define DEFINE_EACH(type, mask, name, better, is_nan)                                                                  \
  FOR_THIS_CPU static int64_t each_##name(int64_t rows, int64_t count, const char *data, int64_t row_stride,           \
                                          int64_t stride, char *out, int64_t out_stride) {                             \
    enum { LANES = BYTES / sizeof(type) };                                                                             \
    int64_t row = 0;                                                                                                   \
    for (; row + LANES <= rows; row += LANES, data += LANES * row_stride) {                                            \
      vector_##name best = {0};                                                                                        \
      mask_##name position = {0};                                                                                      \
      for (int64_t i = 0; i < count; ++i) {                                                                            \
        vector_##name x = {0};                                                                                         \
        _Pragma("GCC unroll 32") for (int k = 0; k < LANES; ++k) x[k] =                                                \
            *(const type *)(data + k * row_stride + i * stride);                                                       \
        mask_##name takes = (mask_##name)better(x, best);                                                              \
        if (is_nan) takes = (takes | (mask_##name)(x != x)) & (mask_##name)(best == best);                             \
        if (i == 0) takes = ~(mask_##name){0};                                                                         \
        best = (vector_##name)((takes & (mask_##name)x) | (~takes & (mask_##name)best));                               \
        position = (takes & (mask)i) | (~takes & position);                                                            \
      }                                                                                                                \
      for (int k = 0; k < LANES; ++k) *(int64_t *)(out + (row + k) * out_stride) = position[k];                        \
    }                                                                                                                  \
    return row;                                                                                                        \
  }

#define DEFINE_FIND(type, mask, name, is_odd, better, is_nan)                                                          \
  DEFINE_TEST(type, mask, name, better, is_nan)                                                                        \
  DEFINE_EACH(type, mask, name, better, is_nan)                                                                        \
  static search find_##name(int64_t count, const char *data, int64_t stride, int64_t begin, search s, void *best) {    \
    enum { EACH = BLOCK / sizeof(type) };                                                                              \
    if (s.position < 0 && count > 0 && count <= SHORT) {                                                               \
      SEARCH_SHORT(type, is_odd, better)                                                                               \
    }                                                                                                                  \
    type value;                                                                                                        \
    memcpy(&value, best, sizeof value);                                                                                \
    if (s.position < 0 && count) value = *(const type *)data, s = (search){begin, is_odd(value)};                      \
    int64_t rest = count;                                                                                              \
    for (; stride == sizeof(type) && rest >= EACH && !s.odd; rest -= EACH, begin += EACH) {                            \
      if (has_##name(data, value)) {                                                                                   \
        count = EACH;                                                                                                  \
        SEARCH(type, is_odd, better)                                                                                   \
      }                                                                                                                \
      data += BLOCK;                                                                                                   \
    }                                                                                                                  \
    count = s.odd ? 0 : rest;                                                                                          \
    SEARCH(type, is_odd, better)                                                                                       \
    memcpy(best, &value, sizeof value);                                                                                \
    return s;                                                                                                          \
  }

#define DEFINE_NUMBER(type, mask, suffix, is_odd, is_nan)                                                              \
  DEFINE_FIND(type, mask, least_##suffix, is_odd, LESS, is_nan)                                                        \
  DEFINE_FIND(type, mask, greatest_##suffix, is_odd, GREATER, is_nan)

DEFINE_NUMBER(int8_t, int8_t, i8, IS_NEVER, 0)
DEFINE_NUMBER(int16_t, int16_t, i16, IS_NEVER, 0)
DEFINE_NUMBER(int32_t, int32_t, i32, IS_NEVER, 0)
DEFINE_NUMBER(int64_t, int64_t, i64, IS_NEVER, 0)
DEFINE_NUMBER(uint8_t, int8_t, u8, IS_NEVER, 0)
DEFINE_NUMBER(uint16_t, int16_t, u16, IS_NEVER, 0)
DEFINE_NUMBER(uint32_t, int32_t, u32, IS_NEVER, 0)
DEFINE_NUMBER(uint64_t, int64_t, u64, IS_NEVER, 0)
DEFINE_NUMBER(float, int32_t, f32, IS_NAN, 1)
DEFINE_NUMBER(double, int64_t, f64, IS_NAN, 1)

//===-- Elements that are no numbers of C ---------------------------------------------------------===//

typedef struct complex32 {
  float re, im;
} complex32;
typedef struct complex64 {
  double re, im;
} complex64;
typedef struct bfloat {
  uint16_t bits;
} bfloat;

static float widened(bfloat x) {
  uint32_t bits = (uint32_t)x.bits << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

#define PART_IS_NAN(x) (IS_NAN((x).re) || IS_NAN((x).im))
#define COMPLEX_LESS(a, b) ((a).re < (b).re || ((a).re == (b).re && (a).im < (b).im))
#define COMPLEX_GREATER(a, b) COMPLEX_LESS(b, a)
#define BFLOAT_IS_NAN(x) IS_NAN(widened(x))
#define BFLOAT_LESS(a, b) (widened(a) < widened(b))
#define BFLOAT_GREATER(a, b) BFLOAT_LESS(b, a)

// By whole numbers of the same order: zeros are equal.
static int half_key(uint16_t bits) {
  int sign = -(bits >> 15);
  return ((bits & 0x7fff) ^ sign) - sign;
}
#define HALF_IS_NAN(x) (((x) & 0x7fff) > 0x7c00)
#define HALF_LESS(a, b) (half_key(a) < half_key(b))
#define HALF_GREATER(a, b) HALF_LESS(b, a)

#define DEFINE_SLOW_FIND(type, name, is_odd, better)                                                                   \
  static search find_##name(int64_t count, const char *data, int64_t stride, int64_t begin, search s, void *best) {    \
    type value;                                                                                                        \
    memcpy(&value, best, sizeof value);                                                                                \
    SEARCH(type, is_odd, better)                                                                                       \
    memcpy(best, &value, sizeof value);                                                                                \
    return s;                                                                                                          \
  }

// Most elements are told by their real parts.
#define DEFINE_COMPLEX_FIND(type, name, better, by)                                                                    \
  static search find_##name(int64_t count, const char *data, int64_t stride, int64_t begin, search s, void *best) {    \
    type value;                                                                                                        \
    memcpy(&value, best, sizeof value);                                                                                \
    for (int64_t i = 0; i < count; ++i) {                                                                              \
      type x = *(const type *)(data + i * stride);                                                                     \
      if (s.position >= 0 && by(value.re, x.re) && x.im == x.im) continue;                                             \
      bool odd = PART_IS_NAN(x);                                                                                       \
      if (!odd && s.position >= 0 && !better(x, value)) continue;                                                      \
      s = (search){begin + i, odd};                                                                                    \
      value = x;                                                                                                       \
      if (odd) break;                                                                                                  \
    }                                                                                                                  \
    memcpy(best, &value, sizeof value);                                                                                \
    return s;                                                                                                          \
  }

DEFINE_COMPLEX_FIND(complex32, least_c64, COMPLEX_LESS, LESS)
DEFINE_COMPLEX_FIND(complex32, greatest_c64, COMPLEX_GREATER, GREATER)
DEFINE_COMPLEX_FIND(complex64, least_c128, COMPLEX_LESS, LESS)
DEFINE_COMPLEX_FIND(complex64, greatest_c128, COMPLEX_GREATER, GREATER)
DEFINE_SLOW_FIND(int64_t, least_time, IS_NAT, LESS)
DEFINE_SLOW_FIND(int64_t, greatest_time, IS_NAT, GREATER)
DEFINE_SLOW_FIND(uint16_t, least_f16, HALF_IS_NAN, HALF_LESS)
DEFINE_SLOW_FIND(uint16_t, greatest_f16, HALF_IS_NAN, HALF_GREATER)
DEFINE_SLOW_FIND(bfloat, least_bf16, BFLOAT_IS_NAN, BFLOAT_LESS)
DEFINE_SLOW_FIND(bfloat, greatest_bf16, BFLOAT_IS_NAN, BFLOAT_GREATER)

// Nothing goes before the first False, or True: it is the last to be looked at.
static search find_truth(int64_t count, const char *data, int64_t stride, int64_t begin, search s, void *best,
                         bool wanted) {
  int64_t i = 0;
  if (s.position >= 0 && *(const bool *)best == wanted) return s;
  if (stride == 1) {
    const char *found = memchr(data, wanted, (size_t)count);
    i = found ? found - data : count;
  } else {
    while (i < count && *(const bool *)(data + i * stride) != wanted) ++i;
  }
  if (i == count && (s.position >= 0 || !count)) return s;
  *(bool *)best = i < count ? wanted : !wanted;
  return (search){i < count ? begin + i : begin, false};
}

static search find_least_bool(int64_t count, const char *data, int64_t stride, int64_t begin, search s, void *best) {
  return find_truth(count, data, stride, begin, s, best, false);
}

static search find_greatest_bool(int64_t count, const char *data, int64_t stride, int64_t begin, search s, void *best) {
  return find_truth(count, data, stride, begin, s, best, true);
}

//===-- By type -----------------------------------------------------------------------------------===//

typedef search (*finder)(int64_t count, const char *data, int64_t stride, int64_t begin, search s, void *best);
typedef int64_t (*row_finder)(int64_t rows, int64_t count, const char *data, int64_t row_stride, int64_t stride,
                              char *out, int64_t out_stride);

static const struct {
  finder find[2];     // the least; the greatest
  row_finder each[2]; // of short rows; NULL: none
} finders[128] = {
// by codes
#define ROW(code, suffix) [code] = {{find_least_##suffix, find_greatest_##suffix}, {NULL, NULL}}
#define ROW_OF_NUMBERS(code, suffix)                                                                                   \
  [code] = {{find_least_##suffix, find_greatest_##suffix}, {each_least_##suffix, each_greatest_##suffix}}
    ROW('?', bool),           ROW('e', f16),
    ROW('g', bf16),           ROW('F', c64),
    ROW('D', c128),           ROW('M', time),
    ROW_OF_NUMBERS('b', i8),  ROW_OF_NUMBERS('h', i16),
    ROW_OF_NUMBERS('i', i32), ROW_OF_NUMBERS('q', i64),
    ROW_OF_NUMBERS('B', u8),  ROW_OF_NUMBERS('H', u16),
    ROW_OF_NUMBERS('I', u32), ROW_OF_NUMBERS('Q', u64),
    ROW_OF_NUMBERS('f', f32), ROW_OF_NUMBERS('d', f64),
#undef ROW
#undef ROW_OF_NUMBERS
};

typedef struct found {
  int64_t position;
  char element[16];
} found;

// A NaN is remembered by the sign of what compares unequal to itself: by asking for its position once more.
void pyarray_rt_find_extreme(int64_t code, int64_t greatest, int64_t count, int64_t data, int64_t stride, int64_t begin,
                             int64_t address) {
  found *f = (found *)address;
  finder find = finders[code & 127].find[greatest & 1];
  if (!find) return;
  search s = {-1, false};
  if (f->position >= 0) {
    found before = *f;
    s = find(1, before.element, sizeof before.element, before.position, s, f->element);
  }
  if (!s.odd) s = find(count, (const char *)data, stride, begin, s, f->element);
  f->position = s.position;
}

void pyarray_rt_find_extremes(int64_t code, int64_t greatest, int64_t rows, int64_t count, int64_t data,
                              int64_t row_stride, int64_t stride, int64_t out, int64_t out_stride) {
  row_finder each = finders[code & 127].each[greatest & 1];
  int64_t row = 0;
  if (each && count > 0 && count <= SHORT)
    row = each(rows, count, (const char *)data, row_stride, stride, (char *)out, out_stride);
  for (; row < rows; ++row) {
    found f = {-1, {0}};
    pyarray_rt_find_extreme(code, greatest, count, data + row * row_stride, stride, 0, (int64_t)&f);
    *(int64_t *)(out + row * out_stride) = f.position;
  }
}
