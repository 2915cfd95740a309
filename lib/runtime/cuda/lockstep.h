// What kernels compiled by pyarray-gpu-to-cpu call: operations of all threads of a block at once.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_LOCKSTEP_H
#define PYARRAY_LIB_RUNTIME_CUDA_LOCKSTEP_H

#include <stdbool.h>

#include "block.h"

// |mask|: which threads have come to a barrier; |required|: which have not returned; NULL: all. One byte for each thread, 0 or 1.
// 0, or 1 with the error of |site| recorded, which names the first thread that is missing.
int32_t pyarray_rt_block_barrier(pa_block *block, const uint8_t *mask, const uint8_t *required, int32_t site);

// The function <f>_block for the function <f> of device.def, of kind WARP or BLOCK; their types are in lockstep.c. The function itself
// where it is of kind PURE or EFFECT. NULL for other names.
void *pa_lockstep_lookup(const char *name);

#endif // PYARRAY_LIB_RUNTIME_CUDA_LOCKSTEP_H
