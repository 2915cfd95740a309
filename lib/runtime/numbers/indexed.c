// Moves between parts of an array that arrays of integers choose and an array of as many.
//
// Of a row of indices the positions are computed first, then what is there is moved: so there is one loop for each size
// of element, whatever the integers are, and however many axes have an index. Elements at one index of the commonest
// integers, or at two of 8 bytes, are moved at once. Each index is checked where it is used, as another thread may
// change it meanwhile.
#include "indexed.h"

#include <string.h>

// How far an array is gone on in a dimension of all, in bytes: not where it has but one element there.
static int64_t step_of(const array *a, int64_t axis, int64_t rank) {
  int64_t own = axis - (rank - a->rank);
  return own < 0 || a->shape[own] == 1 ? 0 : a->strides[own] * a->bytes;
}

static int64_t index_step(const pa_indexed *s, int64_t k, int64_t axis) {
  return step_of(&s->indices[k], axis, s->rank);
}

static int64_t value_step(const pa_indexed *s, int64_t axis) { return step_of(&s->values, axis, s->rank + s->rest); }

const int64_t *pa_read_indexed(pa_indexed *s, int64_t count, const int64_t *numbers, bool takes) {
  s->count = count;
  s->takes = takes;
  s->whole = pa_read_array(&numbers);
  s->values = pa_read_array(&numbers);
  s->rest = s->whole.rank - count;
  for (int64_t k = 0; k < count; ++k) s->indices[k] = pa_read_array(&numbers);
  return numbers;
}

pa_index_outcome pa_check_places(pa_indexed *s, const int64_t *axes) {
  for (int64_t k = 0; k < s->count; ++k) {
    int64_t index;
    if (!pa_find_outside(&s->indices[k], s->whole.shape[k], &index)) continue;
    bool large = index < 0 && s->indices[k].bytes == 8 && pa_is_unsigned_array(&s->indices[k]);
    s->found[0] = large ? (int64_t)((uint64_t)index / 10) : index;
    s->found[1] = s->whole.shape[k];
    s->found[2] = axes[k];
    if (large) s->found[3] = (int64_t)((uint64_t)index % 10);
    return large ? PA_LARGE_OUTSIDE : PA_OUTSIDE;
  }
  return PA_MOVED;
}

//===-- Positions ---------------------------------------------------------------------------------===//

#define ADD_POSITIONS(type)                                                                                            \
  for (int64_t i = 0; i < count; ++i) {                                                                                \
    int64_t index = *(const type *)(data + i * stride), position = index + (index < 0 ? extent : 0);                   \
    outside |= (uint64_t)position >= (uint64_t)extent;                                                                 \
    s->offsets[i] += position * step;                                                                                  \
  }

// Adds what index number |k| says for a strip; false where one is out of bounds.
static bool add_positions(pa_indexed *s, int64_t k, const char *data, int64_t stride, int64_t count) {
  int64_t extent = s->whole.shape[k], step = s->whole.strides[k] * s->whole.bytes;
  bool outside = false, is_unsigned = pa_is_unsigned_array(&s->indices[k]);
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

#define MOVE(type)                                                                                                     \
  for (int64_t i = 0; i < count; ++i) {                                                                                \
    type item;                                                                                                         \
    memcpy(&item, from + (takes ? offsets[i] : i * step), sizeof item);                                                \
    memcpy(to + (takes ? i * step : offsets[i]), &item, sizeof item);                                                  \
  }

// Between places |offsets| of the one and every |step|-th byte of the other.
static inline __attribute__((always_inline)) void move(bool takes, int64_t bytes, char *to, const char *from,
                                                       const int64_t *offsets, int64_t step, int64_t count) {
  switch (bytes) {
  case 1: MOVE(uint8_t) break;
  case 2: MOVE(uint16_t) break;
  case 4: MOVE(uint32_t) break;
  case 8: MOVE(uint64_t) break;
  case 16: MOVE(pair) break;
  default:
    for (int64_t i = 0; i < count; ++i)
      memcpy(to + (takes ? i * step : offsets[i]), from + (takes ? offsets[i] : i * step), (size_t)bytes);
  }
}

static void move_items(const pa_indexed *s, char *items, int64_t step, int64_t count) {
  if (s->takes)
    move(true, s->whole.bytes, items, pa_array_data(&s->whole), s->offsets, step, count);
  else
    move(false, s->whole.bytes, pa_array_data(&s->whole), items, s->offsets, step, count);
}

// A part from its dimension |axis| on: the array's, and that of the values.
static void move_part(const pa_indexed *s, int64_t axis, char *part, char *item) {
  static const int64_t zero[1] = {0};
  int64_t bytes = s->whole.bytes, count = s->whole.shape[s->count + axis],
          step = s->whole.strides[s->count + axis] * bytes, item_step = value_step(s, s->rank + axis);
  bool last = axis == s->rest - 1;
  if (last && step == bytes && item_step == bytes) {
    memcpy(s->takes ? item : part, s->takes ? part : item, (size_t)(count * bytes));
    return;
  }
  for (int64_t i = 0; i < count; ++i, part += step, item += item_step) {
    if (last)
      move(false, bytes, s->takes ? item : part, s->takes ? part : item, zero, 0, 1);
    else
      move_part(s, axis + 1, part, item);
  }
}

//===-- Rows --------------------------------------------------------------------------------------===//

// How the integers lie in memory whose rows have loops of their own; the other ones go by positions.
typedef enum index_kind { INT64, INT32, UINT16, UINT8, OTHER } index_kind;

static index_kind kind_of(const array *a) {
  switch (a->bytes) {
  case 8: return INT64; // as uint64 they are in bounds, or were changed meanwhile
  case 4: return pa_is_unsigned_array(a) ? OTHER : INT32;
  case 2: return pa_is_unsigned_array(a) ? UINT16 : OTHER;
  default: return pa_is_unsigned_array(a) ? UINT8 : OTHER;
  }
}

static inline __attribute__((always_inline)) int64_t index_at(index_kind kind, const char *at) {
  switch (kind) {
  case INT64: return *(const int64_t *)at;
  case INT32: return *(const int32_t *)at;
  case UINT16: return *(const uint16_t *)at;
  default: return *(const uint8_t *)at;
  }
}

// One index, or two, for each element: the positions are not written down.
static inline __attribute__((always_inline)) bool move_at(bool takes, int64_t count, index_kind kind, int64_t bytes,
                                                          const pa_indexed *s, const char *const *index, char *items,
                                                          int64_t length) {
  int64_t item_step = value_step(s, s->rank - 1), extents[2] = {0}, steps[2] = {0}, strides[2] = {0};
  const char *at[2] = {0};
  char *whole = pa_array_data(&s->whole);
  for (int64_t k = 0; k < count; ++k) {
    extents[k] = s->whole.shape[k];
    steps[k] = s->whole.strides[k] * bytes;
    strides[k] = index_step(s, k, s->rank - 1);
    at[k] = index[k];
  }
#pragma GCC unroll 4
  for (int64_t i = 0; i < length; ++i) {
    char *place = whole, *item = items + i * item_step;
    for (int64_t k = 0; k < count; ++k) {
      int64_t position = index_at(kind, at[k] + i * strides[k]);
      if (kind == INT64 || kind == INT32) position += position < 0 ? extents[k] : 0;
      if ((uint64_t)position >= (uint64_t)extents[k]) return false;
      place += position * steps[k];
    }
    memcpy(takes ? item : place, takes ? place : item, (size_t)bytes);
  }
  return true;
}

#define MOVE_AT(count, kind, bytes)                                                                                    \
  (s->takes ? move_at(true, count, kind, bytes, s, index, items, length)                                               \
            : move_at(false, count, kind, bytes, s, index, items, length))

#define MOVE_ITEMS(bytes)                                                                                              \
  switch (kind) {                                                                                                      \
  case INT64: return *out_moved = s->count == 1 ? MOVE_AT(1, INT64, bytes) : MOVE_AT(2, INT64, bytes), true;           \
  case INT32: return *out_moved = MOVE_AT(1, INT32, bytes), true;                                                      \
  case UINT16: return *out_moved = MOVE_AT(1, UINT16, bytes), true;                                                    \
  default: return *out_moved = MOVE_AT(1, UINT8, bytes), true;                                                         \
  }

// Whether it is done so, and what became of it then.
static bool moves_at(const pa_indexed *s, const char *const *index, char *items, int64_t length, bool *out_moved) {
  if (s->count > 2 || s->rest) return false;
  index_kind kind = kind_of(&s->indices[0]);
  if (kind == OTHER || (s->count == 2 && (kind != INT64 || kind_of(&s->indices[1]) != INT64))) return false;
  switch (s->whole.bytes) {
  case 1: MOVE_ITEMS(1)
  case 2: MOVE_ITEMS(2)
  case 4: MOVE_ITEMS(4)
  case 8: MOVE_ITEMS(8)
  default: return false;
  }
}

static bool move_row(pa_indexed *s, const char *const *index, char *items, int64_t count) {
  int64_t step = value_step(s, s->rank - 1);
  bool moved;
  if (moves_at(s, index, items, count, &moved)) return moved;
  for (int64_t first = 0; first < count; first += PA_INDEX_STRIP, items += PA_INDEX_STRIP * step) {
    int64_t length = count - first < PA_INDEX_STRIP ? count - first : PA_INDEX_STRIP;
    memset(s->offsets, 0, sizeof *s->offsets * (size_t)length);
    for (int64_t k = 0; k < s->count; ++k) {
      int64_t stride = index_step(s, k, s->rank - 1);
      if (!add_positions(s, k, index[k] + first * stride, stride, length)) return false;
    }
    if (s->rest == 0) {
      move_items(s, items, step, length);
      continue;
    }
    for (int64_t i = 0; i < length; ++i) move_part(s, 0, pa_array_data(&s->whole) + s->offsets[i], items + i * step);
  }
  return true;
}

static bool move_axes(pa_indexed *s, int64_t axis, const char *const *index, char *items) {
  const char *at[PA_INDEX_MOST_AXES];
  if (axis == s->rank - 1) return move_row(s, index, items, s->shape[axis]);
  for (int64_t i = 0; i < s->shape[axis]; ++i) {
    for (int64_t k = 0; k < s->count; ++k) at[k] = index[k] + i * index_step(s, k, axis);
    if (!move_axes(s, axis + 1, at, items + i * value_step(s, axis))) return false;
  }
  return true;
}

bool pa_move_indexed(pa_indexed *s) {
  const char *index[PA_INDEX_MOST_AXES];
  for (int64_t axis = 0; axis < s->rank + s->rest; ++axis)
    if (s->shape[axis] == 0) return true;
  for (int64_t k = 0; k < s->count; ++k) index[k] = pa_array_data(&s->indices[k]);
  char *items = pa_array_data(&s->values);
  return s->rank ? move_axes(s, 0, index, items) : move_row(s, index, items, 1);
}
