// Merging the dimensions of arrays of one shape.
#ifndef PYARRAY_LIB_RUNTIME_DIMENSIONS_H
#define PYARRAY_LIB_RUNTIME_DIMENSIONS_H

#include <stdint.h>

// Merges those that can be, behind the others, and leaves their order. |numbers|: the shape, then of each array
// anything and its strides. There are elements.
void pa_merge_in_order(int64_t rank, int64_t count, int64_t *numbers);

#endif // PYARRAY_LIB_RUNTIME_DIMENSIONS_H
