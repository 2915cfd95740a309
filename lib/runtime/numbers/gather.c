// What is at arrays of integers, into new memory: its shape is known, to which the indices broadcast.
//
// Indices are checked as they are used; the first one that is out of bounds is only looked for where there is one.
#include "indexed.h"
#include "runtime.h"

#include <string.h>

// As elements of the array are found by int64.
static bool has_large(const pa_indexed *s) {
  bool has = false;
  for (int64_t k = 0; k < s->count; ++k)
    has = has || (s->indices[k].bytes == 8 && pa_is_unsigned_array(&s->indices[k]));
  return has;
}

int32_t pyarray_rt_gather(int64_t count, int64_t numbers, int64_t found) {
  pa_indexed s;
  const int64_t *axes = pa_read_indexed(&s, count, (const int64_t *)(intptr_t)numbers, true);
  pa_index_outcome outcome = PA_MOVED;
  s.found = (int64_t *)(intptr_t)found;
  s.rank = s.values.rank - s.rest;
  bool has_places = true, has_parts = pa_has_elements(&s.values);
  for (int64_t axis = 0; axis < s.rank; ++axis) has_places = has_places && s.values.shape[axis];
  if (!has_places) return PA_MOVED;
  memcpy(s.shape, s.values.shape, sizeof *s.shape * (size_t)s.values.rank);
  if (has_large(&s) || !has_parts) outcome = pa_check_places(&s, axes);
  while (!outcome && !pa_move_indexed(&s)) outcome = pa_check_places(&s, axes); // another thread may have changed it
  return outcome;
}
