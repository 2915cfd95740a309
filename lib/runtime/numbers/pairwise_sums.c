// Sums of floats in halves, whose rounding errors grow with the logarithm of the count: as numpy.add.reduce adds them,
// to the bit.
//
// Up to 7 numbers are added in order; up to 128 in eight sums side by side, of which pairs are added; more in two
// parts, the first of which has a multiple of eight. (N. Higham, "The accuracy of floating point summation", SIAM J.
// Sci. Comput. 14, 1993.)
#include "runtime.h"

enum { SUMS = 8, BLOCK = 128, VECTOR = 16, AHEAD = 512 }; // VECTOR and AHEAD in bytes

#define UNROLL _Pragma("GCC unroll 8") // so that the sums stay in registers

#define DEFINE_SUM(type, suffix)                                                                                       \
  typedef type vector_##suffix __attribute__((vector_size(VECTOR)));                                                   \
  typedef vector_##suffix loose_##suffix __attribute__((may_alias, aligned(sizeof(type))));                            \
  enum { LANES_##suffix = VECTOR / sizeof(type), VECTORS_##suffix = SUMS * sizeof(type) / VECTOR };                    \
                                                                                                                       \
  static inline type item_##suffix(const char *data, int64_t stride, int64_t i) {                                      \
    return *(const type *)(data + i * stride);                                                                         \
  }                                                                                                                    \
                                                                                                                       \
  static inline __attribute__((always_inline)) vector_##suffix items_##suffix(const char *data, int64_t stride,        \
                                                                              int64_t i) {                             \
    if (stride == sizeof(type)) return *(const loose_##suffix *)(data + i * stride);                                   \
    vector_##suffix vector = {0};                                                                                      \
    UNROLL for (int k = 0; k < LANES_##suffix; ++k) vector[k] = item_##suffix(data, stride, i + k);                    \
    return vector;                                                                                                     \
  }                                                                                                                    \
                                                                                                                       \
  static inline __attribute__((always_inline)) type block_##suffix(int64_t count, const char *data, int64_t stride) {  \
    vector_##suffix v[VECTORS_##suffix];                                                                               \
    type s[SUMS];                                                                                                      \
    UNROLL for (int k = 0; k < VECTORS_##suffix; ++k) v[k] = items_##suffix(data, stride, k * LANES_##suffix);         \
    int64_t i = SUMS;                                                                                                  \
    for (; i + SUMS <= count; i += SUMS) {                                                                             \
      __builtin_prefetch(data + i * stride + AHEAD);                                                                   \
      UNROLL for (int k = 0; k < VECTORS_##suffix; ++k) v[k] += items_##suffix(data, stride, i + k * LANES_##suffix);  \
    }                                                                                                                  \
    UNROLL for (int k = 0; k < SUMS; ++k) s[k] = v[k / LANES_##suffix][k % LANES_##suffix];                            \
    type sum = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));                                      \
    for (; i < count; ++i) sum += item_##suffix(data, stride, i);                                                      \
    return sum;                                                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  static type sum_##suffix(int64_t count, const char *data, int64_t stride) {                                          \
    if (count < SUMS) {                                                                                                \
      type sum = -0.0; /* which changes nothing */                                                                     \
      for (int64_t i = 0; i < count; ++i) sum += item_##suffix(data, stride, i);                                       \
      return sum;                                                                                                      \
    }                                                                                                                  \
    if (count <= BLOCK)                                                                                                \
      return stride == sizeof(type) ? block_##suffix(count, data, sizeof(type)) : block_##suffix(count, data, stride); \
    int64_t half = count / 2 / SUMS * SUMS;                                                                            \
    return sum_##suffix(half, data, stride) + sum_##suffix(count - half, data + half * stride, stride);                \
  }                                                                                                                    \
                                                                                                                       \
  type pyarray_rt_pairwise_sum_##suffix(int64_t count, int64_t data, int64_t stride) {                                 \
    return sum_##suffix(count, (const char *)data, stride);                                                            \
  }

DEFINE_SUM(float, f32)
DEFINE_SUM(double, f64)
