// What a kernel for the CPU defines (`pyarray-gpu-to-cpu`), and what the emulator hands it.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_BLOCK_H
#define PYARRAY_LIB_RUNTIME_CUDA_BLOCK_H

#include <stdint.h>

enum { PA_BLOCK_ALIGNMENT = 1024 }; // of |shared| and |scratch|

// One block of threads. All sizes are in bytes, all vectors are x, y, z.
typedef struct pa_block {
  int64_t grid[3], block[3], index[3];
  int64_t shared_bytes;  // static and dynamic
  char *shared;          // static shared memory, then the dynamic part; not cleared
  char *scratch;         // pyarray_block_scratch bytes for each thread of the block; not cleared
  int64_t thread;        // written by the kernel: linear index, x fastest, of the thread that raised
  int64_t cluster[3];    // blocks of a cluster, 1 each where there are none
  int64_t shared_stride; // from the shared memory of a block to that of the next one of its cluster
} pa_block;

// What the blocks of a kernel wait for, together.
enum { PA_BLOCK_WAITS_FOR_GRID = 1, PA_BLOCK_WAITS_FOR_CLUSTER = 2 };

// Symbols of a kernel's object:
//   int32_t pyarray_block(const uint64_t *params, pa_block *block)  0, or 1 with an error recorded in this CPU thread
//   const int64_t pyarray_block_scratch                             bytes of scratch memory for each thread
//   const int64_t pyarray_block_shared                              bytes of static shared memory
//   const int64_t pyarray_block_waits                               PA_BLOCK_WAITS_..., only where there are such
//   barriers const int64_t pyarray_block_races                               only in race mode (races.h)
typedef int32_t pa_block_function(const uint64_t *params, pa_block *block);

// Called by kernels that wait, by all threads of a block at once. |site|: the error where other blocks do not come,
// whose values are the index of such a block. They return when the blocks have come, or never: then the launch has
// failed.
void pyarray_rt_grid_barrier(pa_block *block, int32_t site);
void pyarray_rt_cluster_barrier(pa_block *block, int32_t site);

#endif // PYARRAY_LIB_RUNTIME_CUDA_BLOCK_H
