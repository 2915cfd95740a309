// What kernels compiled by pyarray-gpu-to-cpu call: operations of all threads of a block at once.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_LOCKSTEP_H
#define PYARRAY_LIB_RUNTIME_CUDA_LOCKSTEP_H

#include <stdbool.h>

#include "block.h"

// |mask|: which threads have come to a barrier; |required|: which have not returned for all that is known; NULL: all.
// One byte for each thread, 0 or 1. |absent|: 1 + the site of the first barrier that a thread missed, or 0; filled in
// for threads that are required and not here. Returns 0, or, where a thread that was absent is here, 1 with the error
// of that site recorded.
int32_t pyarray_rt_block_barrier(pa_block *block, const uint8_t *mask, const uint8_t *required, int32_t *absent,
                                 int32_t site);
// Records that error for a thread that was absent.
void pyarray_rt_block_missing(pa_block *block, const int32_t *absent, int64_t thread);

// 1 with the error of |site| recorded unless all threads of the block are here: nobody may have returned.
int32_t pyarray_rt_block_whole(pa_block *block, const uint8_t *mask, int32_t site);

// The function <f>_block for the function <f> of device.def, of kind WARP or BLOCK; their types are in lockstep.c. The
// function itself where it is of kind PURE or EFFECT. NULL for other names.
void *pa_lockstep_lookup(const char *name);

#endif // PYARRAY_LIB_RUNTIME_CUDA_LOCKSTEP_H
