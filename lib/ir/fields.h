// Structs of the llvm dialect that a chain of llvm.insertvalue makes.
#ifndef PYARRAY_LIB_IR_FIELDS_H
#define PYARRAY_LIB_IR_FIELDS_H

#include "ir.h"

// The values that the chain which makes |whole| put into its |count| fields, in |arena|; null where it put none.
MlirValue *pa_fields_of(pa_arena *arena, MlirValue whole, intptr_t count);
// Destroys the operations of that chain whose results nothing uses.
void pa_erase_chain(MlirValue whole);

#endif
