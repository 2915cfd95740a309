// Rows of numbers that are added to a row of results, one after the other, each rounded, or each to a result of its
// own.
//
// Four rows are read for each time that results are loaded and stored. Many short rows, points of space and the like,
// are one loop.
#include "runtime.h"

#include <complex.h>

enum { VECTOR = 32, TOGETHER = 4, SUMS = 8 };

#if defined(__x86_64__) && defined(__GLIBC__)
#define FOR_THIS_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_THIS_CPU
#endif

#define ADD_FOUR(type, before, at)                                                                                     \
  ((((before) + *(const type *)(rows + (at))) + *(const type *)(second + (at))) + *(const type *)(third + (at))) +     \
      *(const type *)(fourth + (at))

// |part|: what a number is made of, of which there are |parts|. Strides in bytes.
#define DEFINE_ADD(type, part, parts, name)                                                                            \
  typedef part vector_##name __attribute__((vector_size(VECTOR), aligned(sizeof(part)), may_alias));                   \
  FOR_THIS_CPU static void add_one_##name(int64_t count, const char *row, char *out) {                                 \
    int64_t bytes = count * parts * (int64_t)sizeof(part), i = 0;                                                      \
    for (; i + VECTOR <= bytes; i += VECTOR) *(vector_##name *)(out + i) += *(const vector_##name *)(row + i);         \
    for (; i < bytes; i += (int64_t)sizeof(part)) *(part *)(out + i) += *(const part *)(row + i);                      \
  }                                                                                                                    \
  FOR_THIS_CPU static void add_four_##name(int64_t count, const char *rows, int64_t row_stride, char *out) {           \
    int64_t bytes = count * parts * (int64_t)sizeof(part), i = 0;                                                      \
    const char *second = rows + row_stride, *third = second + row_stride, *fourth = third + row_stride;                \
    for (; i + VECTOR <= bytes; i += VECTOR) {                                                                         \
      vector_##name *sum = (vector_##name *)(out + i);                                                                 \
      *sum = ADD_FOUR(vector_##name, *sum, i);                                                                         \
    }                                                                                                                  \
    for (; i < bytes; i += (int64_t)sizeof(part)) {                                                                    \
      part *sum = (part *)(out + i);                                                                                   \
      *sum = ADD_FOUR(part, *sum, i);                                                                                  \
    }                                                                                                                  \
  }                                                                                                                    \
  static void add_four_apart_##name(int64_t count, const char *rows, int64_t row_stride, int64_t stride, char *out,    \
                                    int64_t out_stride) {                                                              \
    const char *second = rows + row_stride, *third = second + row_stride, *fourth = third + row_stride;                \
    for (int64_t k = 0; k < count; ++k, out += out_stride) {                                                           \
      type *sum = (type *)out;                                                                                         \
      *sum = ADD_FOUR(type, *sum, k * stride);                                                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  static inline __attribute__((always_inline)) void add_short_##name(int64_t rows, int64_t count, const char *row,     \
                                                                     int64_t row_stride, int64_t stride, char *out,    \
                                                                     int64_t out_stride) {                             \
    for (int64_t i = 0; i < rows; ++i, row += row_stride, out += out_stride) {                                         \
      type sum = *(const type *)row;                                                                                   \
      for (int64_t k = 1; k < count; ++k) sum += *(const type *)(row + k * stride);                                    \
      *(type *)out += sum;                                                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  /* Each row pairwise. */                                                                                             \
  static void add_each_##name(int64_t rows, int64_t count, const char *row, int64_t row_stride, int64_t stride,        \
                              char *out, int64_t out_stride) {                                                         \
    if (count == 3)                                                                                                    \
      add_short_##name(rows, 3, row, row_stride, stride, out, out_stride);                                             \
    else if (count == 4 && parts == 1)                                                                                 \
      add_short_##name(rows, 4, row, row_stride, stride, out, out_stride);                                             \
    else if (count > 0 && count < SUMS / parts)                                                                        \
      add_short_##name(rows, count, row, row_stride, stride, out, out_stride);                                         \
    else                                                                                                               \
      for (int64_t i = 0; i < rows; ++i)                                                                               \
        pyarray_rt_add_rows_##name(1, count, (intptr_t)(row + i * row_stride), 0, stride,                              \
                                   (intptr_t)(out + i * out_stride));                                                  \
  }                                                                                                                    \
  void pyarray_rt_add_matrix_##name(int64_t rows, int64_t count, int64_t data, int64_t row_stride, int64_t stride,     \
                                    int64_t out, int64_t out_row_stride, int64_t out_stride) {                         \
    const char *row = (const char *)(intptr_t)data;                                                                    \
    char *sums = (char *)(intptr_t)out;                                                                                \
    if (out_stride == 0) {                                                                                             \
      add_each_##name(rows, count, row, row_stride, stride, sums, out_row_stride);                                     \
      return;                                                                                                          \
    }                                                                                                                  \
    int64_t size = (int64_t)sizeof(type), i = 0;                                                                       \
    int contiguous = stride == size && out_stride == size;                                                             \
    for (; out_row_stride == 0 && i + TOGETHER <= rows; i += TOGETHER, row += TOGETHER * row_stride) {                 \
      if (contiguous)                                                                                                  \
        add_four_##name(count, row, row_stride, sums);                                                                 \
      else                                                                                                             \
        add_four_apart_##name(count, row, row_stride, stride, sums, out_stride);                                       \
    }                                                                                                                  \
    for (; i < rows; ++i, row += row_stride, sums += out_row_stride) {                                                 \
      if (contiguous)                                                                                                  \
        add_one_##name(count, row, sums);                                                                              \
      else                                                                                                             \
        for (int64_t k = 0; k < count; ++k) *(type *)(sums + k * out_stride) += *(const type *)(row + k * stride);     \
    }                                                                                                                  \
  }

DEFINE_ADD(float, float, 1, f32)
DEFINE_ADD(double, double, 1, f64)
DEFINE_ADD(float _Complex, float, 2, c64)
DEFINE_ADD(double _Complex, double, 2, c128)
