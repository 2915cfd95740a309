// Sums of floats in halves, whose rounding errors grow with the logarithm of the count: as numpy.add.reduce adds them,
// to the bit.
//
// Up to 7 numbers are added in order; up to 128 in eight sums side by side, of which pairs are added; more in two
// parts, the first of which has a multiple of eight. (N. Higham, "The accuracy of floating point summation", SIAM J.
// Sci. Comput. 14, 1993.)
#include "runtime.h"

#include <stdbool.h>
#include <string.h>

enum { SUMS = 8, BLOCK = 128, LEAF = 512, VECTOR = 16, WIDE = 32, AHEAD = 512 }; // the last three in bytes

#if defined(__x86_64__) && defined(__GLIBC__)
#define FOR_THIS_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_THIS_CPU
#endif
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
    type first = sum_##suffix(half, data, stride); /* memory is read forwards */                                       \
    return first + sum_##suffix(count - half, data + half * stride, stride);                                           \
  }                                                                                                                    \
                                                                                                                       \
  type pyarray_rt_pairwise_sum_##suffix(int64_t count, int64_t data, int64_t stride) {                                 \
    return sum_##suffix(count, (const char *)data, stride);                                                            \
  }

// The same of numbers that lie in cache without gaps: four blocks in step, since each addition waits for the one before
// it in its block. From memory one stream is faster. Vectors are those of AVX2: GCC keeps larger ones on the stack.
#define WIDE_AT(suffix, data, i, part) (*(const loose_wide_##suffix *)((data) + (i) + (part) * WIDE_LANES_##suffix))
#define DEFINE_NEAR_SUM(type, suffix)                                                                                  \
  typedef type wide_##suffix __attribute__((vector_size(WIDE)));                                                       \
  typedef wide_##suffix loose_wide_##suffix __attribute__((may_alias, aligned(sizeof(type))));                         \
  enum { WIDE_LANES_##suffix = WIDE / sizeof(type), WIDES_##suffix = SUMS * sizeof(type) / WIDE };                     \
                                                                                                                       \
  static inline __attribute__((always_inline)) type end_block_##suffix(const wide_##suffix *vectors, const type *data, \
                                                                       int64_t i, int64_t count) {                     \
    wide_##suffix v[WIDES_##suffix];                                                                                   \
    type s[SUMS];                                                                                                      \
    UNROLL for (int w = 0; w < WIDES_##suffix; ++w) v[w] = vectors[w];                                                 \
    for (; i + SUMS <= count; i += SUMS)                                                                               \
      UNROLL for (int w = 0; w < WIDES_##suffix; ++w) v[w] += WIDE_AT(suffix, data, i, w);                             \
    UNROLL for (int k = 0; k < SUMS; ++k) s[k] = v[k / WIDE_LANES_##suffix][k % WIDE_LANES_##suffix];                  \
    type sum = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));                                      \
    for (; i < count; ++i) sum += data[i];                                                                             \
    return sum;                                                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  FOR_THIS_CPU static type four_blocks_##suffix(int64_t count, const type *data) {                                     \
    int64_t half = count / 2 / SUMS * SUMS, first = half / 2 / SUMS * SUMS, third = (count - half) / 2 / SUMS * SUMS;  \
    const type *blocks[] = {data, data + first, data + half, data + half + third};                                     \
    int64_t counts[] = {first, half - first, third, count - half - third};                                             \
    wide_##suffix v[4][WIDES_##suffix];                                                                                \
    type sums[4];                                                                                                      \
    UNROLL for (int k = 0; k < 4; ++k) UNROLL for (int w = 0; w < WIDES_##suffix; ++w) v[k][w] =                       \
        WIDE_AT(suffix, blocks[k], 0, w);                                                                              \
    for (int64_t i = SUMS; i < first; i += SUMS)                                                                       \
      UNROLL for (int k = 0; k < 4; ++k) UNROLL for (int w = 0; w < WIDES_##suffix; ++w) v[k][w] +=                    \
          WIDE_AT(suffix, blocks[k], i, w);                                                                            \
    UNROLL for (int k = 0; k < 4; ++k) sums[k] = end_block_##suffix(v[k], blocks[k], first, counts[k]);                \
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  /* At most a leaf. */                                                                                                \
  static type near_sum_##suffix(int64_t count, const char *data, int64_t stride) {                                     \
    int64_t half = count / 2 / SUMS * SUMS, rest = count - half;                                                       \
    bool four = half > BLOCK && rest - rest / 2 / SUMS * SUMS <= BLOCK;                                                \
    return four ? four_blocks_##suffix(count, (const type *)data) : sum_##suffix(count, data, stride);                 \
  }

DEFINE_SUM(float, f32)
DEFINE_SUM(double, f64)
DEFINE_NEAR_SUM(float, f32)
DEFINE_NEAR_SUM(double, f64)

//===-- Complex numbers ---------------------------------------------------------------------------===//

// Real and imaginary parts, each in four sums side by side; a block has half as many numbers. A sum under way is a
// vector of its two parts: as a struct it would be put together in memory.
#define DEFINE_COMPLEX_SUM(type, suffix)                                                                               \
  typedef struct pair_##suffix {                                                                                       \
    type re, im;                                                                                                       \
  } pair_##suffix;                                                                                                     \
  typedef type couple_##suffix __attribute__((vector_size(2 * sizeof(type))));                                         \
  typedef couple_##suffix loose_couple_##suffix __attribute__((may_alias, aligned(sizeof(type))));                     \
                                                                                                                       \
  static inline pair_##suffix add_##suffix(pair_##suffix a, pair_##suffix b) {                                         \
    return (pair_##suffix){a.re + b.re, a.im + b.im};                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static inline __attribute__((always_inline)) couple_##suffix complex_block_##suffix(int64_t count, const char *data, \
                                                                                      int64_t stride) {                \
    enum { PAIR = sizeof(pair_##suffix), PARTS = SUMS * sizeof(type) / VECTOR };                                       \
    vector_##suffix v[PARTS];                                                                                          \
    couple_##suffix s[SUMS / 2];                                                                                       \
    int64_t i = SUMS / 2;                                                                                              \
    if (stride == PAIR) {                                                                                              \
      UNROLL for (int k = 0; k < PARTS; ++k) v[k] = *(const loose_##suffix *)(data + k * VECTOR);                      \
      for (; i + SUMS / 2 <= count; i += SUMS / 2) {                                                                   \
        __builtin_prefetch(data + i * PAIR + AHEAD);                                                                   \
        UNROLL for (int k = 0; k < PARTS; ++k) v[k] += *(const loose_##suffix *)(data + i * PAIR + k * VECTOR);        \
      }                                                                                                                \
      UNROLL for (int k = 0; k < SUMS; ++k) s[k / 2][k % 2] = v[k / LANES_##suffix][k % LANES_##suffix];               \
    } else {                                                                                                           \
      UNROLL for (int k = 0; k < SUMS / 2; ++k) s[k] = *(const loose_couple_##suffix *)(data + k * stride);            \
      for (; i + SUMS / 2 <= count; i += SUMS / 2)                                                                     \
        UNROLL for (int k = 0; k < SUMS / 2; ++k) s[k] += *(const loose_couple_##suffix *)(data + (i + k) * stride);   \
    }                                                                                                                  \
    couple_##suffix sum = (s[0] + s[1]) + (s[2] + s[3]);                                                               \
    for (; i < count; ++i) sum += *(const loose_couple_##suffix *)(data + i * stride);                                 \
    return sum;                                                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  static couple_##suffix complex_couple_##suffix(int64_t count, const char *data, int64_t stride) {                    \
    if (count < SUMS / 2) {                                                                                            \
      couple_##suffix sum = {-0.0, -0.0};                                                                              \
      for (int64_t i = 0; i < count; ++i) sum += *(const loose_couple_##suffix *)(data + i * stride);                  \
      return sum;                                                                                                      \
    }                                                                                                                  \
    if (count <= BLOCK / 2)                                                                                            \
      return stride == sizeof(pair_##suffix) ? complex_block_##suffix(count, data, sizeof(pair_##suffix))              \
                                             : complex_block_##suffix(count, data, stride);                            \
    int64_t half = count / SUMS * (SUMS / 2);                                                                          \
    couple_##suffix first = complex_couple_##suffix(half, data, stride); /* memory is read forwards */                 \
    return first + complex_couple_##suffix(count - half, data + half * stride, stride);                                \
  }                                                                                                                    \
                                                                                                                       \
  static pair_##suffix complex_sum_##suffix(int64_t count, const char *data, int64_t stride) {                         \
    couple_##suffix sum = complex_couple_##suffix(count, data, stride);                                                \
    return (pair_##suffix){sum[0], sum[1]};                                                                            \
  }

DEFINE_COMPLEX_SUM(float, f32)
DEFINE_COMPLEX_SUM(double, f64)

//===-- Leaf by leaf ------------------------------------------------------------------------------===//

// The same of numbers that are computed as they are added. |open|: parts of which the second half is missing, the
// longest first; their first halves are summed once |begun| is set.
enum { MOST_OPEN = 60 };

typedef struct open_part {
  int64_t rest; // how many numbers the second half has; 0: it is the one under way
  union {
    float f32;
    double f64;
    pair_f32 c64;
    pair_f64 c128;
  } sum; // of the first half
} open_part;

typedef struct leaves {
  int64_t depth, unit, leaf; // a number counts twice where it has two parts; |leaf|: the most that one has
  open_part open[MOST_OPEN];
} leaves;

_Static_assert(sizeof(leaves) <= 200 * sizeof(int64_t), "what compiled code makes room for");

// Goes down to the first leaf of |count| numbers.
static int64_t first_leaf(leaves *all, int64_t count) {
  while (count * all->unit > all->leaf) {
    int64_t half = count * all->unit / 2 / SUMS * SUMS / all->unit;
    all->open[all->depth++].rest = count - half;
    count = half;
  }
  return count;
}

int64_t pyarray_rt_sum_begin(int64_t state, int64_t count, int64_t out, int64_t bytes, int64_t unit, int64_t leaf) {
  leaves *all = (leaves *)state;
  all->depth = 0;
  all->unit = unit;
  all->leaf = leaf;
  for (int64_t i = 0; i < bytes; ++i) ((char *)out)[i] = 0;
  return first_leaf(all, count);
}

#define DEFINE_LEAF(type, suffix, sum_of, add)                                                                         \
  static inline int64_t end_leaf_##suffix(int64_t state, type sum, int64_t out) {                                      \
    leaves *all = (leaves *)state;                                                                                     \
    while (all->depth) {                                                                                               \
      open_part *part = &all->open[all->depth - 1];                                                                    \
      if (part->rest) {                                                                                                \
        int64_t rest = part->rest;                                                                                     \
        part->sum.suffix = sum;                                                                                        \
        part->rest = 0;                                                                                                \
        return first_leaf(all, rest);                                                                                  \
      }                                                                                                                \
      sum = add(part->sum.suffix, sum);                                                                                \
      --all->depth;                                                                                                    \
    }                                                                                                                  \
    *(type *)out = sum;                                                                                                \
    return 0;                                                                                                          \
  }                                                                                                                    \
                                                                                                                       \
  int64_t pyarray_rt_sum_leaf_##suffix(int64_t state, int64_t data, int64_t count, int64_t out) {                      \
    return end_leaf_##suffix(state, sum_of(count, (const char *)data, sizeof(type)), out);                             \
  }

#define PLUS(a, b) ((a) + (b))
DEFINE_LEAF(float, f32, near_sum_f32, PLUS)
DEFINE_LEAF(double, f64, near_sum_f64, PLUS)
DEFINE_LEAF(pair_f32, c64, complex_sum_f32, add_f32)
DEFINE_LEAF(pair_f64, c128, complex_sum_f64, add_f64)

int64_t pyarray_rt_sum_block_f32(int64_t state, float sum, int64_t out) { return end_leaf_f32(state, sum, out); }
int64_t pyarray_rt_sum_block_f64(int64_t state, double sum, int64_t out) { return end_leaf_f64(state, sum, out); }

//===-- Dimension by dimension --------------------------------------------------------------------===//

// NumPy's buffer: what is no contiguous memory is added up in boxes that fit it, of whole inner dimensions. Longer rows
// stay alone.
enum { BUFFER = 8192, MOST_RANK = 32 };

// The elements of a box, in C order; strides in bytes.
typedef struct box {
  int64_t rank;
  const int64_t *shape, *strides;
  const char *at;
  int64_t index[MOST_RANK];
} box;

static const char *next_element(box *b) {
  const char *element = b->at;
  for (int64_t d = b->rank - 1; d >= 0; --d) {
    b->at += b->strides[d];
    if (++b->index[d] < b->shape[d]) break;
    b->at -= b->shape[d] * b->strides[d];
    b->index[d] = 0;
  }
  return element;
}

static int64_t product(int64_t rank, const int64_t *shape) {
  int64_t size = 1;
  for (int64_t d = 0; d < rank; ++d) size *= shape[d];
  return size;
}

#define DEFINE_BOX(type, suffix, unit, sum_of, add)                                                                    \
  static type box_##suffix(int64_t rank, const int64_t *shape, const int64_t *strides, const char *data) {             \
    if (rank == 1) return sum_of(shape[0], data, strides[0]);                                                          \
    box elements = {rank, shape, strides, data, {0}};                                                                  \
    leaves all;                                                                                                        \
    type leaf[LEAF], total;                                                                                            \
    int64_t next =                                                                                                     \
        pyarray_rt_sum_begin((int64_t)&all, product(rank, shape), (int64_t)&total, sizeof total, unit, LEAF);          \
    while (next) {                                                                                                     \
      for (int64_t i = 0; i < next; ++i) leaf[i] = *(const type *)next_element(&elements);                             \
      next = pyarray_rt_sum_leaf_##suffix((int64_t)&all, (int64_t)leaf, next, (int64_t)&total);                        \
    }                                                                                                                  \
    return total;                                                                                                      \
  }                                                                                                                    \
                                                                                                                       \
  /* Box by box: |whole| inner dimensions, and |group| steps of the one before them. */                                \
  static void add_boxes_##suffix(int64_t rank, int64_t *shape, const int64_t *strides, const char *data,               \
                                 int64_t whole, int64_t group, type *total) {                                          \
    int64_t count = shape[0];                                                                                          \
    if (rank == whole) {                                                                                               \
      *total = add(*total, box_##suffix(rank, shape, strides, data));                                                  \
      return;                                                                                                          \
    }                                                                                                                  \
    for (int64_t i = 0; i < count; i += rank == whole + 1 ? group : 1) {                                               \
      const char *at = data + i * strides[0];                                                                          \
      if (rank > whole + 1 || group == 1) {                                                                            \
        add_boxes_##suffix(rank - 1, shape + 1, strides + 1, at, whole, group, total);                                 \
      } else {                                                                                                         \
        shape[0] = count - i < group ? count - i : group;                                                              \
        *total = add(*total, box_##suffix(rank, shape, strides, at));                                                  \
      }                                                                                                                \
    }                                                                                                                  \
    shape[0] = count;                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static void add_all_##suffix(int64_t rank, int64_t *shape, const int64_t *strides, const char *data, type *total) {  \
    int64_t whole = 0, size = 1;                                                                                       \
    if (!product(rank, shape)) return;                                                                                 \
    while (whole < rank && size * shape[rank - 1 - whole] <= BUFFER) size *= shape[rank - 1 - whole++];                \
    add_boxes_##suffix(rank, shape, strides, data, whole ? whole : 1, whole ? BUFFER / size : 1, total);               \
  }                                                                                                                    \
                                                                                                                       \
  static type group_##suffix(int64_t rows, int64_t count, const char *data, int64_t row_stride, int64_t stride) {      \
    return box_##suffix(2, (const int64_t[]){rows, count}, (const int64_t[]){row_stride, stride}, data);               \
  }                                                                                                                    \
                                                                                                                       \
  void pyarray_rt_add_rows_##suffix(int64_t rows, int64_t count, int64_t data, int64_t row_stride, int64_t stride,     \
                                    int64_t out) {                                                                     \
    int64_t shape[] = {rows, count}, strides[] = {row_stride, stride};                                                 \
    int64_t outer = rows == 1;                                                                                         \
    add_all_##suffix(2 - outer, shape + outer, strides + outer, (const char *)data, (type *)out);                      \
  }                                                                                                                    \
                                                                                                                       \
  void pyarray_rt_add_all_##suffix(int64_t rank, int64_t numbers, int64_t data, int64_t out) {                         \
    const int64_t *given = (const int64_t *)numbers, *strides = given + rank + 1;                                      \
    int64_t shape[MOST_RANK], bytes[MOST_RANK], kept = 0;                                                              \
    for (int64_t d = 0; d < rank; ++d)                                                                                 \
      if (given[d] != 1) shape[kept] = given[d], bytes[kept++] = strides[d] * (int64_t)sizeof(type);                   \
    if (!kept) shape[kept] = 1, bytes[kept++] = 0;                                                                     \
    add_all_##suffix(kept, shape, bytes, (const char *)(data + given[rank] * (int64_t)sizeof(type)), (type *)out);     \
  }

DEFINE_BOX(float, f32, 1, sum_f32, PLUS)
DEFINE_BOX(double, f64, 1, sum_f64, PLUS)
DEFINE_BOX(pair_f32, c64, 2, complex_sum_f32, add_f32)
DEFINE_BOX(pair_f64, c128, 2, complex_sum_f64, add_f64)

//===-- On several threads ------------------------------------------------------------------------===//

// Either one row, whose parts are the halves of halves that a sum has anyway; or groups of rows.
enum { PART = 32768, MOST_PARTS = 256 }; // numbers; parts that are added up at once

typedef struct shared_sum {
  int64_t rows, count, data, row_stride, stride, group; // of groups; |group| 0: of parts
  int64_t first;                                        // of the groups under way
  int64_t parts, times;                                 // of a number
  pair_f64 sums[MOST_PARTS];                            // room for the sums of any type
} shared_sum;

static int64_t part_count(int64_t numbers, int64_t worth) {
  int64_t parts = 1;
  while (parts < MOST_PARTS && numbers / (2 * parts) >= worth) parts *= 2;
  return parts;
}

int64_t pyarray_rt_sum_parts(int64_t count, int64_t unit, int64_t worth) {
  return part_count(count * unit, worth > 2 * BLOCK ? worth : 2 * BLOCK);
}

int64_t pyarray_rt_sum_part(int64_t count, int64_t unit, int64_t parts, int64_t index) {
  int64_t begin = 0;
  if (index == parts) return count;
  while (parts > 1) {
    int64_t half = count * unit / 2 / SUMS * SUMS / unit;
    bool second = index >= (parts /= 2);
    begin += second ? half : 0;
    count = second ? count - half : half;
    index -= second ? parts : 0;
  }
  return begin;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

#define DEFINE_SHARED(type, suffix, unit, sum_of, add)                                                                 \
  static int32_t parts_##suffix(shared_sum *s, int64_t begin, int64_t end, int64_t part) {                             \
    type *sums = (type *)s->sums;                                                                                      \
    (void)part;                                                                                                        \
    for (int64_t i = begin; i < end; ++i) {                                                                            \
      int64_t row = (s->first + i) * s->group, together = least(s->rows - row, s->group);                              \
      const char *first = (const char *)(s->data + row * s->row_stride);                                               \
      if (!s->group) {                                                                                                 \
        int64_t at = pyarray_rt_sum_part(s->count, s->times, s->parts, i);                                             \
        sums[i] = sum_of(pyarray_rt_sum_part(s->count, s->times, s->parts, i + 1) - at,                                \
                         (const char *)(s->data + at * s->stride), s->stride);                                         \
      } else                                                                                                           \
        sums[i] = together > 1 ? group_##suffix(together, s->count, first, s->row_stride, s->stride)                   \
                               : sum_of(s->count, first, s->stride);                                                   \
    }                                                                                                                  \
    return 0;                                                                                                          \
  }                                                                                                                    \
                                                                                                                       \
  void pyarray_rt_sum_halves_##suffix(int64_t parts, int64_t address) {                                                \
    type *sums = (type *)address;                                                                                      \
    for (; parts > 1; parts /= 2)                                                                                      \
      for (int64_t i = 0; i < parts / 2; ++i) sums[i] = add(sums[2 * i], sums[2 * i + 1]);                             \
  }                                                                                                                    \
                                                                                                                       \
  void pyarray_rt_add_rows_on_threads_##suffix(int64_t rows, int64_t count, int64_t data, int64_t row_stride,          \
                                               int64_t stride, int64_t out) {                                          \
    shared_sum s = {.rows = rows, .count = count, .data = data, .row_stride = row_stride, .stride = stride};           \
    type *sums = (type *)s.sums, *total = (type *)out;                                                                 \
    int64_t parts = rows == 1 ? part_count(count * unit, PART) : 1;                                                    \
    if (!count || (parts == 1 && rows * count < 2 * PART)) {                                                           \
      pyarray_rt_add_rows_##suffix(rows, count, data, row_stride, stride, out);                                        \
      return;                                                                                                          \
    }                                                                                                                  \
    if (rows == 1) {                                                                                                   \
      s.parts = parts;                                                                                                 \
      s.times = unit;                                                                                                  \
      pyarray_rt_parallel_for((int64_t)parts_##suffix, (int64_t)&s, parts, -1);                                        \
      pyarray_rt_sum_halves_##suffix(parts, (int64_t)sums);                                                            \
      *total = add(*total, sums[0]);                                                                                   \
      return;                                                                                                          \
    }                                                                                                                  \
    s.group = BUFFER / count > 1 ? BUFFER / count : 1;                                                                 \
    int64_t groups = (rows + s.group - 1) / s.group;                                                                   \
    for (; s.first < groups; s.first += MOST_PARTS) {                                                                  \
      int64_t now = least(groups - s.first, MOST_PARTS);                                                               \
      pyarray_rt_parallel_for((int64_t)parts_##suffix, (int64_t)&s, now, -(PART / (s.group * count) + 1));             \
      for (int64_t i = 0; i < now; ++i) *total = add(*total, sums[i]);                                                 \
    }                                                                                                                  \
  }

DEFINE_SHARED(float, f32, 1, sum_f32, PLUS)
DEFINE_SHARED(double, f64, 1, sum_f64, PLUS)
DEFINE_SHARED(pair_f32, c64, 2, complex_sum_f32, add_f32)
DEFINE_SHARED(pair_f64, c128, 2, complex_sum_f64, add_f64)
