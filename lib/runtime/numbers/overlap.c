// Whether arrays that are read and written point by point share memory.
#include "runtime.h"

#include <stdbool.h>

enum { ADDRESS, BYTES, ELEMENT, RANK, SHAPE };

typedef struct array {
  const int64_t *numbers, *shape, *strides;
  int64_t rank;
  uint64_t low, high; // between these addresses it lies
} array;

// Wraps where extents are 0, as nothing lies there.
static array read_array(const int64_t *numbers) {
  array a = {.numbers = numbers, .rank = numbers[RANK], .shape = numbers + SHAPE};
  a.strides = a.shape + a.rank;
  uint64_t bytes = (uint64_t)numbers[BYTES], low = 0, high = 1;
  for (int64_t axis = 0; axis < a.rank; ++axis) {
    int64_t reach = (int64_t)((uint64_t)a.strides[axis] * (uint64_t)(a.shape[axis] - 1));
    if (reach < 0)
      low += (uint64_t)reach;
    else
      high += (uint64_t)reach;
  }
  a.low = (uint64_t)numbers[ADDRESS] + low * bytes;
  a.high = (uint64_t)numbers[ADDRESS] + high * bytes;
  return a;
}

static bool are_apart(const array *a, const array *b) { return a->high <= b->low || b->high <= a->low; }

// What the stride of a dimension of extent 1 is has no meaning; broadcasting makes it 0.
static bool are_same(const array *a, const array *b) {
  if (a->rank != b->rank || a->numbers[ELEMENT] != b->numbers[ELEMENT] || a->low != b->low) return false;
  for (int64_t axis = 0; axis < a->rank; ++axis)
    if (a->strides[axis] != b->strides[axis] && a->shape[axis] > 1) return false;
  return true;
}

// An output that is nowhere broadcast. That as_strided has made its points overlap otherwise is not looked for.
static bool is_spread(const array *a) {
  for (int64_t axis = 0; axis < a->rank; ++axis)
    if (a->strides[axis] == 0 && a->shape[axis] > 1) return false;
  return true;
}

int32_t pyarray_rt_independent(int64_t inputs, int64_t count, int64_t numbers, int32_t apart) {
  const int64_t *first = (const int64_t *)(intptr_t)numbers, *at = first;
  for (int64_t i = 0; i < count; at += SHAPE + 2 * at[RANK], ++i) {
    if (i < inputs) continue;
    const array output = read_array(at);
    if (!is_spread(&output)) return 0;
    const int64_t *other_at = first;
    for (int64_t k = 0; k < i; other_at += SHAPE + 2 * other_at[RANK], ++k) {
      const array other = read_array(other_at);
      bool same = k < inputs && !apart && are_same(&output, &other);
      if (!same && !are_apart(&output, &other)) return 0;
    }
  }
  return 1;
}
