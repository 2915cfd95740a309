// Whether arrays that are read and written point by point share memory.
#include "array_numbers.h"
#include "runtime.h"

#include <stdbool.h>

// Between the addresses |low| and |high| it lies.
typedef struct span {
  array array;
  uint64_t low, high;
} span;

// Wraps where extents are 0, as nothing lies there.
static span read_span(const int64_t **numbers) {
  span s = {.array = pa_read_array(numbers)};
  uint64_t bytes = (uint64_t)s.array.bytes, low = 0, high = 1;
  for (int64_t axis = 0; axis < s.array.rank; ++axis) {
    int64_t reach = (int64_t)((uint64_t)s.array.strides[axis] * (uint64_t)(s.array.shape[axis] - 1));
    if (reach < 0)
      low += (uint64_t)reach;
    else
      high += (uint64_t)reach;
  }
  s.low = s.array.address + low * bytes;
  s.high = s.array.address + high * bytes;
  return s;
}

static bool are_apart(const span *a, const span *b) { return a->high <= b->low || b->high <= a->low; }

// What the stride of a dimension of extent 1 is has no meaning; broadcasting makes it 0.
static bool are_same(const span *a, const span *b) {
  if (a->array.rank != b->array.rank || a->array.code != b->array.code || a->low != b->low) return false;
  for (int64_t axis = 0; axis < a->array.rank; ++axis)
    if (a->array.strides[axis] != b->array.strides[axis] && a->array.shape[axis] > 1) return false;
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
  for (int64_t i = 0; i < count; ++i) {
    const span output = read_span(&at);
    if (i < inputs) continue;
    if (!is_spread(&output.array)) return 0;
    const int64_t *other_at = first;
    for (int64_t k = 0; k < i; ++k) {
      const span other = read_span(&other_at);
      bool same = k < inputs && !apart && are_same(&output, &other);
      if (!same && !are_apart(&output, &other)) return 0;
    }
  }
  return 1;
}
