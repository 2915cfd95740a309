// Items of arrays that lie apart, to and from the blocks in which compiled loops take them.
#include "runtime.h"

#include <string.h>

typedef struct pair {
  uint64_t first, second;
} pair;

// Four at a time: compilers leave loops over strides as they are.
#define COPY(type)                                                                                                     \
  static void copy_##type(int64_t count, char *to, int64_t to_step, const char *from, int64_t from_step) {             \
    type a, b, c, d;                                                                                                   \
    for (; count >= 4; count -= 4, to += 4 * to_step, from += 4 * from_step) {                                         \
      memcpy(&a, from, sizeof a);                                                                                      \
      memcpy(&b, from + from_step, sizeof b);                                                                          \
      memcpy(&c, from + 2 * from_step, sizeof c);                                                                      \
      memcpy(&d, from + 3 * from_step, sizeof d);                                                                      \
      memcpy(to, &a, sizeof a);                                                                                        \
      memcpy(to + to_step, &b, sizeof b);                                                                              \
      memcpy(to + 2 * to_step, &c, sizeof c);                                                                          \
      memcpy(to + 3 * to_step, &d, sizeof d);                                                                          \
    }                                                                                                                  \
    for (; count > 0; --count, to += to_step, from += from_step) {                                                     \
      memcpy(&a, from, sizeof a);                                                                                      \
      memcpy(to, &a, sizeof a);                                                                                        \
    }                                                                                                                  \
  }
COPY(uint8_t)
COPY(uint16_t)
COPY(uint32_t)
COPY(uint64_t)
COPY(pair)

// Backwards from |from|, which is read by two vectors at once: a copy item by item waits for its stores.
#define REVERSE(type, ...)                                                                                             \
  static void reverse_##type(int64_t count, char *to, const char *from) {                                              \
    typedef type vector __attribute__((vector_size(16)));                                                              \
    enum { LANES = 16 / sizeof(type) };                                                                                \
    vector a, b;                                                                                                       \
    for (; count >= 2 * LANES; count -= 2 * LANES, to += 32, from -= 32) {                                             \
      memcpy(&a, from - (16 - sizeof(type)), 16);                                                                      \
      memcpy(&b, from - (32 - sizeof(type)), 16);                                                                      \
      a = __builtin_shuffle(a, (vector){__VA_ARGS__});                                                                 \
      b = __builtin_shuffle(b, (vector){__VA_ARGS__});                                                                 \
      memcpy(to, &a, 16);                                                                                              \
      memcpy(to + 16, &b, 16);                                                                                         \
    }                                                                                                                  \
    copy_##type(count, to, sizeof(type), from, -(int64_t)sizeof(type));                                                \
  }
REVERSE(uint32_t, 3, 2, 1, 0)
REVERSE(uint64_t, 1, 0)

static void copy(int64_t count, int64_t bytes, int64_t to, int64_t to_step, int64_t from, int64_t from_step) {
  char *target = (char *)(uintptr_t)to;
  const char *source = (const char *)(uintptr_t)from;
  if (to_step == bytes && from_step == bytes && count > 0) {
    memmove(target, source, (size_t)(count * bytes));
    return;
  }
  if (to_step == bytes && from_step == -bytes && bytes == 8) {
    reverse_uint64_t(count, target, source);
    return;
  }
  if (to_step == bytes && from_step == -bytes && bytes == 4) {
    reverse_uint32_t(count, target, source);
    return;
  }
  switch (bytes) {
  case 1: copy_uint8_t(count, target, to_step, source, from_step); break;
  case 2: copy_uint16_t(count, target, to_step, source, from_step); break;
  case 4: copy_uint32_t(count, target, to_step, source, from_step); break;
  case 8: copy_uint64_t(count, target, to_step, source, from_step); break;
  case 16: copy_pair(count, target, to_step, source, from_step); break; // complex128
  default:                                                              // records, text
    for (; count > 0; --count, target += to_step, source += from_step) memcpy(target, source, (size_t)bytes);
  }
}

int64_t pyarray_rt_pack(int64_t count, int64_t bytes, int64_t buffer, int64_t from, int64_t step, int64_t done) {
  if (step == bytes) return from;
  if (step || !done) copy(count, bytes, buffer, bytes, from, step);
  return buffer;
}

void pyarray_rt_unpack(int64_t count, int64_t bytes, int64_t buffer, int64_t to, int64_t step) {
  if (step != bytes) copy(count, bytes, to, step, buffer, bytes);
}

static void copy_axes(int64_t rank, int64_t bytes, const int64_t *shape, const int64_t *to_strides,
                      const int64_t *from_strides, int64_t to, int64_t from) {
  if (rank == 1) {
    copy(*shape, bytes, to, *to_strides * bytes, from, *from_strides * bytes);
    return;
  }
  if (rank == 2 && to_strides[1] == 1 && from_strides[1] == 1) { // rows are items: the bytes of a number, a record
    copy(*shape, shape[1] * bytes, to, *to_strides * bytes, from, *from_strides * bytes);
    return;
  }
  for (int64_t i = 0; i < *shape; ++i)
    copy_axes(rank - 1, bytes, shape + 1, to_strides + 1, from_strides + 1, to + i * *to_strides * bytes,
              from + i * *from_strides * bytes);
}

void pyarray_rt_copy_array(int64_t rank, int64_t bytes, int64_t numbers, int64_t to, int64_t from) {
  const int64_t *shape = (const int64_t *)(uintptr_t)numbers;
  if (rank == 0)
    copy(1, bytes, to, bytes, from, bytes);
  else
    copy_axes(rank, bytes, shape, shape + rank, shape + 2 * rank, to, from);
}
