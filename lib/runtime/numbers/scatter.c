// Stores by arrays of integers.
//
// Of a row of indices the positions are computed first, then what is stored there: so there is one loop for each size
// of element, whatever the integers are, and however many axes have an index. Nothing is stored unless all is checked,
// but an index that another thread changes meanwhile is checked once more, and ends it.
#include "array_numbers.h"
#include "runtime.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP = 256, MOST_AXES = 64 };

typedef enum outcome { STORED, DIFFERENT_INDICES, OUTSIDE, LARGE_OUTSIDE, DIFFERENT_VALUES, NO_MEMORY } outcome;

typedef struct storing {
  array target, values;
  int64_t count, rank, rest;    // indices, the dimensions that they broadcast to, dimensions of a part
  array indices[MOST_AXES];     // without dimensions: one number
  int64_t shape[2 * MOST_AXES]; // what the indices broadcast to, and that of a part
  int64_t offsets[STRIP];       // of a strip, in bytes
  void *copies[MOST_AXES + 1];  // of arrays that share memory with the target
  int64_t copied;
  int64_t *found; // what an error tells
} storing;

// How far an array is gone on in a dimension of all, in bytes: not where it has but one element there.
static int64_t step_of(const array *a, int64_t axis, int64_t rank) {
  int64_t own = axis - (rank - a->rank);
  return own < 0 || a->shape[own] == 1 ? 0 : a->strides[own] * a->bytes;
}

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
          to_step = s->target.strides[s->count + axis] * bytes,
          from_step = step_of(&s->values, s->rank + axis, s->rank + s->rest);
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

static int64_t index_step(const storing *s, int64_t k, int64_t axis) { return step_of(&s->indices[k], axis, s->rank); }
static int64_t value_step(const storing *s, int64_t axis) { return step_of(&s->values, axis, s->rank + s->rest); }

// One index of 8 bytes and elements of 8: the positions are not written down.
static bool store_words(const storing *s, const char *index, const char *from, int64_t count) {
  int64_t extent = s->target.shape[0], step = s->target.strides[0], from_step = value_step(s, s->rank - 1);
  int64_t stride = index_step(s, 0, s->rank - 1);
  uint64_t *to = (uint64_t *)pa_array_data(&s->target);
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = *(const int64_t *)(index + i * stride);
    position += position < 0 ? extent : 0;
    if ((uint64_t)position >= (uint64_t)extent) return false;
    to[position * step] = *(const uint64_t *)(from + i * from_step);
  }
  return true;
}

static bool store_row(storing *s, const char *const *index, const char *from, int64_t count) {
  int64_t step = value_step(s, s->rank - 1);
  if (s->count == 1 && s->rest == 0 && s->target.bytes == 8 && s->indices[0].bytes == 8 && s->indices[0].rank)
    return store_words(s, index[0], from, count);
  for (int64_t first = 0; first < count; first += STRIP) {
    int64_t length = count - first < STRIP ? count - first : STRIP;
    memset(s->offsets, 0, sizeof *s->offsets * (size_t)length);
    for (int64_t k = 0; k < s->count; ++k) {
      int64_t stride = index_step(s, k, s->rank - 1);
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
  if (axis == s->rank - 1) return store_row(s, index, from, s->shape[axis]);
  for (int64_t i = 0; i < s->shape[axis]; ++i) {
    for (int64_t k = 0; k < s->count; ++k) at[k] = index[k] + i * index_step(s, k, axis);
    if (!store_axes(s, axis + 1, at, from + i * value_step(s, axis))) return false;
  }
  return true;
}

//===-- Shapes ------------------------------------------------------------------------------------===//

// The shape that the indices broadcast to.
static bool join_indices(storing *s) {
  for (int64_t k = 0; k < s->count; ++k)
    if (s->indices[k].rank > s->rank) s->rank = s->indices[k].rank;
  for (int64_t axis = 0; axis < s->rank; ++axis) s->shape[axis] = 1;
  for (int64_t k = 0; k < s->count; ++k) {
    const array *a = &s->indices[k];
    for (int64_t own = 0; own < a->rank; ++own) {
      int64_t *extent = &s->shape[s->rank - a->rank + own];
      if (*extent == 1) *extent = a->shape[own];
      if (*extent != a->shape[own] && a->shape[own] != 1) return false;
    }
  }
  return true;
}

// Dimensions of one element before those that there are count for nothing.
static bool fits(const storing *s) {
  int64_t all = s->rank + s->rest;
  for (int64_t own = 0; own < s->values.rank; ++own) {
    int64_t axis = all - s->values.rank + own, extent = s->values.shape[own];
    if (extent != 1 && (axis < 0 || extent != s->shape[axis])) return false;
  }
  return true;
}

static void tell_shape(storing *s, int64_t rank, const int64_t *shape) {
  if (rank) memcpy(s->found, shape, sizeof *shape * (size_t)rank);
  s->found += rank;
}

static outcome check_shapes(storing *s) {
  if (!join_indices(s)) {
    for (int64_t k = 0; k < s->count; ++k) tell_shape(s, s->indices[k].rank, s->indices[k].shape);
    return DIFFERENT_INDICES;
  }
  if (s->rest) memcpy(s->shape + s->rank, s->target.shape + s->count, sizeof *s->shape * (size_t)s->rest);
  return STORED;
}

static outcome check_values(storing *s) {
  if (fits(s)) return STORED;
  tell_shape(s, s->values.rank, s->values.shape);
  tell_shape(s, s->rank + s->rest, s->shape);
  return DIFFERENT_VALUES;
}

static outcome check_places(storing *s, const int64_t *axes) {
  for (int64_t k = 0; k < s->count; ++k) {
    int64_t index;
    if (!pa_find_outside(&s->indices[k], s->target.shape[k], &index)) continue;
    bool large = index < 0 && s->indices[k].bytes == 8 && isupper((int)s->indices[k].code);
    s->found[0] = large ? (int64_t)((uint64_t)index / 10) : index;
    s->found[1] = s->target.shape[k];
    s->found[2] = axes[k];
    if (large) s->found[3] = (int64_t)((uint64_t)index % 10);
    return large ? LARGE_OUTSIDE : OUTSIDE;
  }
  return STORED;
}

//===-- Copies ------------------------------------------------------------------------------------===//

// Where it is broadcast already one element stays one.
int pa_set_apart(const array *written, array *read, void **copy, int64_t *bytes) {
  if (!pa_may_share(written, read)) return 1;
  int64_t rank = read->rank, items = 1, numbers[3 * MOST_AXES], *shape = numbers, *to = shape + rank, *from = to + rank;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    shape[axis] = read->strides[axis] ? read->shape[axis] : 1;
    to[axis] = read->strides[axis] ? items : 0;
    from[axis] = read->strides[axis];
    items *= shape[axis];
  }
  *bytes = items * read->bytes;
  int64_t *made = malloc((size_t)(*bytes + rank * (int64_t)sizeof *made)), *data = made + rank;
  if (!made) return 0;
  *copy = made;
  if (rank) memcpy(made, to, sizeof *made * (size_t)rank);
  pyarray_rt_copy_array(rank, read->bytes, (int64_t)(intptr_t)numbers, (int64_t)(intptr_t)data, (int64_t)read->address);
  read->address = (uint64_t)(uintptr_t)data;
  read->strides = made;
  return 1;
}

static outcome set_all_apart(storing *s) {
  for (int64_t k = -1; k < s->count; ++k) {
    void *copy = NULL;
    if (!pa_set_apart(&s->target, k < 0 ? &s->values : &s->indices[k], &copy, s->found)) return NO_MEMORY;
    if (copy) s->copies[s->copied++] = copy;
  }
  return STORED;
}

//===-- The call ----------------------------------------------------------------------------------===//

static bool has_points(const storing *s) {
  for (int64_t axis = 0; axis < s->rank + s->rest; ++axis)
    if (s->shape[axis] == 0) return false;
  return true;
}

static void store_all(storing *s) {
  const char *index[MOST_AXES];
  for (int64_t k = 0; k < s->count; ++k) index[k] = pa_array_data(&s->indices[k]);
  if (has_points(s)) store_axes(s, 0, index, pa_array_data(&s->values));
}

int32_t pyarray_rt_scatter(int64_t count, int64_t numbers, int64_t found) {
  const int64_t *at = (const int64_t *)(intptr_t)numbers;
  storing s;
  s.count = count;
  s.rank = s.copied = 0;
  s.found = (int64_t *)(intptr_t)found;
  s.target = pa_read_array(&at);
  s.values = pa_read_array(&at);
  s.rest = s.target.rank - count;
  for (int64_t k = 0; k < count; ++k) s.indices[k] = pa_read_array(&at);
  outcome outcome = check_shapes(&s);
  if (!outcome) outcome = check_values(&s); // NumPy's order
  if (!outcome) outcome = check_places(&s, at);
  if (!outcome) outcome = set_all_apart(&s);
  if (!outcome) store_all(&s);
  while (s.copied) free(s.copies[--s.copied]);
  return outcome;
}
