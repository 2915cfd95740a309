// Pieces of operations on whole arrays that passes of several rooms build.
#ifndef PYARRAY_LIB_IR_WHOLE_ARRAYS_H
#define PYARRAY_LIB_IR_WHOLE_ARRAYS_H

#include "ir.h"
#include "pyarray-c/Dialect.h"

// The type of an array's elements; of a number its own.
static inline MlirType pa_element_of(MlirType type) {
  return pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type) : type;
}

// A ufunc's body that converts one element, or hands it on where the types are the same.
MlirRegion pa_cast_body(pa_builder *at, MlirType from, MlirType to);

// Before |op|, with |rank| loop dimensions: its arrays get views in the order in which they lie in memory.
// |arena| is scratch.
pa_status pa_order_operands(pa_arena *arena, MlirOperation op, intptr_t rank);

#endif
