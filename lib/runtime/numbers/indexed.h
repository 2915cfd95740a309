// Parts of an array at arrays of integers, of which scatter.c stores and gather.c takes.
#ifndef PYARRAY_LIB_RUNTIME_INDEXED_H
#define PYARRAY_LIB_RUNTIME_INDEXED_H

#include "array_numbers.h"

#include <stdbool.h>

enum { PA_INDEX_STRIP = 256, PA_INDEX_MOST_AXES = 64 };

// What the calls answer.
typedef enum pa_index_outcome {
  PA_MOVED,
  PA_DIFFERENT_INDICES,
  PA_OUTSIDE,
  PA_LARGE_OUTSIDE,
  PA_DIFFERENT_VALUES,
  PA_NO_MEMORY
} pa_index_outcome;

typedef struct pa_indexed {
  array whole, values;                   // whose first axes have an index; what is stored or taken
  bool takes;                            // to the values
  int64_t count, rank, rest;             // indices, the dimensions that they broadcast to, dimensions of a part
  array indices[PA_INDEX_MOST_AXES];     // without dimensions: one number
  int64_t shape[2 * PA_INDEX_MOST_AXES]; // what the indices broadcast to, and that of a part
  int64_t offsets[PA_INDEX_STRIP];       // of a strip, in bytes
  int64_t *found;                        // what an error tells
} pa_indexed;

// Of |numbers|: the two arrays, then the indices. What is behind them.
const int64_t *pa_read_indexed(pa_indexed *s, int64_t count, const int64_t *numbers, bool takes);
// Whether every index is one of its axis; |axes|: what an error tells.
pa_index_outcome pa_check_places(pa_indexed *s, const int64_t *axes);
// In C order, all but what was found to be out of bounds: then false. |s->shape| is known.
bool pa_move_indexed(pa_indexed *s);

// Whether its numbers are from 0 on: the code of such a type is a capital letter.
static inline bool pa_is_unsigned_array(const array *a) { return a->code >= 'A' && a->code <= 'Z'; }

#endif // PYARRAY_LIB_RUNTIME_INDEXED_H
