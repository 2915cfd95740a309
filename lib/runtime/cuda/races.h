// Race mode: which accesses of memory by threads of a kernel are not in order.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_RACES_H
#define PYARRAY_LIB_RUNTIME_CUDA_RACES_H

#include <stddef.h>

#include "block.h"

// ORDER RACE KINDS: lib/passes/gpu/lockstep_races.c.
typedef enum pa_race_kind { PA_RACE_READ, PA_RACE_WRITE, PA_RACE_ATOMIC, PA_RACE_KINDS } pa_race_kind;

// Around a launch, whose blocks run one after the other in the calling thread. NULL where memory is short.
typedef struct pa_races pa_races;
pa_races *pa_races_begin(void);
void pa_races_end(pa_races *races);
// The block that runs next; |scratch_bytes| of its scratch memory are its threads' own.
void pa_races_block(pa_races *races, pa_block *block, size_t scratch_bytes);
// The same where blocks run by turns: it begins, or goes on behind a barrier of the grid or of its cluster, as the
// blocks of that |cluster| do, which has passed |cluster_barrier| of them.
void pa_races_resume(pa_races *races, pa_block *block, size_t scratch_bytes, uint32_t cluster,
                     uint32_t cluster_barrier);
void pa_races_grid_barrier(pa_races *races); // all blocks have waited for each other

// Called by the kernel: block->thread accesses memory, in line |line| of its source. Returns 0, or 1 with an error
// recorded: raise site |site| + the kind of the other access, whose values are that thread, its block and its line.
int32_t pyarray_rt_race_access(int64_t address, int64_t bytes, int32_t kind, int32_t line, int32_t site);
void pyarray_rt_race_barrier(void); // all threads of the block have waited for each other
void pyarray_rt_race_warp(void);    // those of each warp have

#endif // PYARRAY_LIB_RUNTIME_CUDA_RACES_H
