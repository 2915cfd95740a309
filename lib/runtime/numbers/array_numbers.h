// Arrays as compiled code describes them by int64_t: address, bytes of an element, code of its type, rank, shape[rank],
// strides[rank] in elements. Several lie one behind the other.
#ifndef PYARRAY_LIB_RUNTIME_ARRAY_NUMBERS_H
#define PYARRAY_LIB_RUNTIME_ARRAY_NUMBERS_H

#include <stdint.h>

typedef struct array {
  uint64_t address;
  int64_t bytes;
  int64_t code; // of the element: pa_scalar_code
  int64_t rank;
  const int64_t *shape, *strides;
} array;

// |*numbers| is behind it afterwards.
static inline array pa_read_array(const int64_t **numbers) {
  const int64_t *at = *numbers;
  array a = {(uint64_t)at[0], at[1], at[2], at[3], at + 4, at + 4 + at[3]};
  *numbers = a.strides + a.rank;
  return a;
}

static inline char *pa_array_data(const array *a) { return (char *)(uintptr_t)a->address; }

static inline int pa_has_elements(const array *a) {
  for (int64_t axis = 0; axis < a->rank; ++axis)
    if (a->shape[axis] == 0) return 0;
  return 1;
}

// outside.c. Whether one of an array of integers is no index of |extent| items: the first one in C order, at |*out|.
int pa_find_outside(const array *a, int64_t extent, int64_t *out);

// overlap.c. Whether memory of |read| may be memory of |written|, or that of one element the one of another.
int pa_may_share(const array *written, const array *read);

// scatter.c. Makes a copy of |read| in its place where memory may be shared, at |*copy| for the caller to free. 0 where
// there is no memory: so many bytes, at |*bytes|.
int pa_set_apart(const array *written, array *read, void **copy, int64_t *bytes);

#endif // PYARRAY_LIB_RUNTIME_ARRAY_NUMBERS_H
