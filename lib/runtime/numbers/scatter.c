// Stores by arrays of integers.
//
// Of a row of indices the positions are computed first, then what is stored there: so there is one loop for each size
// of element, whatever the integers are, and however many axes have an index.
#include "array_numbers.h"
#include "runtime.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { STRIP = 256, MOST_AXES = 64 };

typedef struct storing {
  array target, values;
  int64_t count, rank, rest; // indices, their dimensions, dimensions of a part
  array indices[MOST_AXES];  // without dimensions: one number
  int64_t offsets[STRIP];    // of a strip, in bytes
} storing;

//===-- Positions ---------------------------------------------------------------------------------===//

#define ADD_POSITIONS(type)                                                                                            \
  for (int64_t i = 0; i < count; ++i) {                                                                                \
    int64_t index = *(const type *)(data + i * stride), position = index + (index < 0 ? extent : 0);                   \
    outside |= (uint64_t)position >= (uint64_t)extent;                                                                 \
    s->offsets[i] += position * step;                                                                                  \
  }

// Adds what index number |k| says for a strip; false where one is out of bounds.
static bool add_positions(storing *s, int64_t k, const char *data, int64_t stride, int64_t count) {
  int64_t extent = s->target.shape[k], step = s->target.strides[k] * s->target.bytes;
  bool outside = false, is_unsigned = isupper((int)s->indices[k].code);
  switch (s->indices[k].bytes) {
  case 1:
    if (is_unsigned) {
      ADD_POSITIONS(uint8_t)
    } else {
      ADD_POSITIONS(int8_t)
    }
    break;
  case 2:
    if (is_unsigned) {
      ADD_POSITIONS(uint16_t)
    } else {
      ADD_POSITIONS(int16_t)
    }
    break;
  case 4:
    if (is_unsigned) {
      ADD_POSITIONS(uint32_t)
    } else {
      ADD_POSITIONS(int32_t)
    }
    break;
  default: ADD_POSITIONS(int64_t) // as uint64 they are in bounds, or were changed meanwhile
  }
  return !outside;
}

//===-- Elements ----------------------------------------------------------------------------------===//

typedef struct pair {
  uint64_t low, high;
} pair;

#define STORE(type)                                                                                                    \
  for (int64_t i = 0; i < count; ++i) {                                                                                \
    type item;                                                                                                         \
    memcpy(&item, from + i * step, sizeof item);                                                                       \
    memcpy(to + offsets[i], &item, sizeof item);                                                                       \
  }

static void store_items(int64_t bytes, char *to, const int64_t *offsets, const char *from, int64_t step,
                        int64_t count) {
  switch (bytes) {
  case 1: STORE(uint8_t) break;
  case 2: STORE(uint16_t) break;
  case 4: STORE(uint32_t) break;
  case 8: STORE(uint64_t) break;
  case 16: STORE(pair) break;
  default:
    for (int64_t i = 0; i < count; ++i) memcpy(to + offsets[i], from + i * step, (size_t)bytes);
  }
}

// A part from its dimension |axis| on.
static void store_part(const storing *s, int64_t axis, char *to, const char *from) {
  static const int64_t zero[1] = {0};
  int64_t bytes = s->target.bytes, count = s->target.shape[s->count + axis],
          to_step = s->target.strides[s->count + axis] * bytes, from_step = s->values.strides[s->rank + axis] * bytes;
  bool last = axis == s->rest - 1;
  if (last && to_step == bytes && from_step == bytes) {
    memcpy(to, from, (size_t)(count * bytes));
    return;
  }
  for (int64_t i = 0; i < count; ++i, to += to_step, from += from_step) {
    if (last)
      store_items(bytes, to, zero, from, 0, 1);
    else
      store_part(s, axis + 1, to, from);
  }
}

//===-- Rows --------------------------------------------------------------------------------------===//

static int64_t stride_of(const array *a, int64_t axis) { return a->rank ? a->strides[axis] * a->bytes : 0; }

// One index of 8 bytes and elements of 8: the positions are not written down.
static bool store_words(const storing *s, const char *index, const char *from, int64_t count) {
  int64_t extent = s->target.shape[0], step = s->target.strides[0], from_step = s->values.strides[s->rank - 1];
  int64_t stride = s->indices[0].strides[s->rank - 1];
  uint64_t *to = (uint64_t *)pa_array_data(&s->target);
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = ((const int64_t *)index)[i * stride];
    position += position < 0 ? extent : 0;
    if ((uint64_t)position >= (uint64_t)extent) return false;
    to[position * step] = ((const uint64_t *)from)[i * from_step];
  }
  return true;
}

static bool store_row(storing *s, const char *const *index, const char *from, int64_t count) {
  int64_t step = stride_of(&s->values, s->rank - 1);
  if (s->count == 1 && s->rest == 0 && s->target.bytes == 8 && s->indices[0].bytes == 8 && s->indices[0].rank)
    return store_words(s, index[0], from, count);
  for (int64_t first = 0; first < count; first += STRIP) {
    int64_t length = count - first < STRIP ? count - first : STRIP;
    memset(s->offsets, 0, sizeof *s->offsets * (size_t)length);
    for (int64_t k = 0; k < s->count; ++k) {
      int64_t stride = stride_of(&s->indices[k], s->rank - 1);
      if (!add_positions(s, k, index[k] + first * stride, stride, length)) return false;
    }
    const char *items = from + first * step;
    if (s->rest == 0) {
      store_items(s->target.bytes, pa_array_data(&s->target), s->offsets, items, step, length);
      continue;
    }
    for (int64_t i = 0; i < length; ++i) store_part(s, 0, pa_array_data(&s->target) + s->offsets[i], items + i * step);
  }
  return true;
}

static bool store_axes(storing *s, int64_t axis, const char *const *index, const char *from) {
  const char *at[MOST_AXES];
  if (axis == s->rank - 1) return store_row(s, index, from, s->values.shape[axis]);
  for (int64_t i = 0; i < s->values.shape[axis]; ++i) {
    for (int64_t k = 0; k < s->count; ++k) at[k] = index[k] + i * stride_of(&s->indices[k], axis);
    if (!store_axes(s, axis + 1, at, from + i * stride_of(&s->values, axis))) return false;
  }
  return true;
}

void pyarray_rt_scatter(int64_t count, int64_t numbers) {
  const int64_t *at = (const int64_t *)(intptr_t)numbers;
  const char *index[MOST_AXES];
  storing s = {.count = count};
  s.target = pa_read_array(&at);
  s.values = pa_read_array(&at);
  s.rest = s.target.rank - count;
  s.rank = s.values.rank - s.rest;
  for (int64_t k = 0; k < count; ++k) {
    s.indices[k] = pa_read_array(&at);
    index[k] = pa_array_data(&s.indices[k]);
  }
  if (pa_has_elements(&s.values)) store_axes(&s, 0, index, pa_array_data(&s.values));
}
