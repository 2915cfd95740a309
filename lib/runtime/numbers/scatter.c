// Stores by arrays of integers. Nothing is stored unless all is checked, but an index that another thread changes
// meanwhile ends it.
#include "indexed.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

//===-- Shapes ------------------------------------------------------------------------------------===//

// The shape that the indices broadcast to.
static bool join_indices(pa_indexed *s) {
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
static bool fits(const pa_indexed *s) {
  int64_t all = s->rank + s->rest;
  for (int64_t own = 0; own < s->values.rank; ++own) {
    int64_t axis = all - s->values.rank + own, extent = s->values.shape[own];
    if (extent != 1 && (axis < 0 || extent != s->shape[axis])) return false;
  }
  return true;
}

static void tell_shape(pa_indexed *s, int64_t rank, const int64_t *shape) {
  if (rank) memcpy(s->found, shape, sizeof *shape * (size_t)rank);
  s->found += rank;
}

static pa_index_outcome check_shapes(pa_indexed *s) {
  if (!join_indices(s)) {
    for (int64_t k = 0; k < s->count; ++k) tell_shape(s, s->indices[k].rank, s->indices[k].shape);
    return PA_DIFFERENT_INDICES;
  }
  if (s->rest) memcpy(s->shape + s->rank, s->whole.shape + s->count, sizeof *s->shape * (size_t)s->rest);
  return PA_MOVED;
}

static pa_index_outcome check_values(pa_indexed *s) {
  if (fits(s)) return PA_MOVED;
  tell_shape(s, s->values.rank, s->values.shape);
  tell_shape(s, s->rank + s->rest, s->shape);
  return PA_DIFFERENT_VALUES;
}

//===-- Copies ------------------------------------------------------------------------------------===//

// Where it is broadcast already one element stays one.
int pa_set_apart(const array *written, array *read, void **copy, int64_t *bytes) {
  if (!pa_may_share(written, read)) return 1;
  int64_t rank = read->rank, items = 1, numbers[3 * PA_INDEX_MOST_AXES], *shape = numbers, *to = shape + rank,
          *from = to + rank;
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

typedef struct copies {
  void *made[PA_INDEX_MOST_AXES + 1]; // of arrays that share memory with the one that is stored to
  int64_t count;
} copies;

static pa_index_outcome set_all_apart(pa_indexed *s, copies *c) {
  for (int64_t k = -1; k < s->count; ++k) {
    void *copy = NULL;
    if (!pa_set_apart(&s->whole, k < 0 ? &s->values : &s->indices[k], &copy, s->found)) return PA_NO_MEMORY;
    if (copy) c->made[c->count++] = copy;
  }
  return PA_MOVED;
}

//===-- The call ----------------------------------------------------------------------------------===//

int32_t pyarray_rt_scatter(int64_t count, int64_t numbers, int64_t found) {
  pa_indexed s;
  copies c;
  const int64_t *axes = pa_read_indexed(&s, count, (const int64_t *)(intptr_t)numbers, false);
  c.count = s.rank = 0;
  s.found = (int64_t *)(intptr_t)found;
  pa_index_outcome outcome = check_shapes(&s);
  if (!outcome) outcome = check_values(&s); // NumPy's order
  if (!outcome) outcome = pa_check_places(&s, axes);
  if (!outcome) outcome = set_all_apart(&s, &c);
  if (!outcome) pa_move_indexed(&s);
  while (c.count) free(c.made[--c.count]);
  return outcome;
}
