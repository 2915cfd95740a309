// Kernels whose blocks wait for each other.
#ifndef PYARRAY_LIB_PASSES_GPU_COOPERATIVE_H
#define PYARRAY_LIB_PASSES_GPU_COOPERATIVE_H

#include "ir/ir.h"

// Puts pyarray.cooperative on |module| where anything in it synchronises the grid: all blocks have to run at once.
void pa_note_cooperative(MlirOperation module);

#endif // PYARRAY_LIB_PASSES_GPU_COOPERATIVE_H
