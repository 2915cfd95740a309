// Arrays on a device, in compiled code of the host (pyarray-offload): their memory, copies, launches of kernels. What
// compiled code calls is in runtime.def.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_DEVICE_ARRAYS_H
#define PYARRAY_LIB_RUNTIME_CUDA_DEVICE_ARRAYS_H

#include "support/support.h"

#include <stdbool.h>
#include <stdint.h>

// A word of a compiled object: the address of an array of struct pa_kernel *, by the numbers that end their names. Set
// by who loads it.
#define PA_KERNELS_SYMBOL "pyarray_kernels"

// Threads of a block of a kernel that folds (lower_fold_grid.c), and of one that goes through few rows (lower_team.c).
enum { PA_FOLD_BLOCK = 256, PA_ROW_BLOCK = 1024 };
// What pyarray_rt_device_grid makes a grid for, beside points: 1 for what is folded.
enum { PA_LAUNCH_ROWS = 2 };

// What pyarray_rt_device_allocate makes. A number is one that kernels write and only the host reads.
enum { PA_DEVICE_ANYTHING, PA_DEVICE_ZEROED, PA_DEVICE_NUMBER };

// Who makes an exception of what went wrong: |check| takes |status| over, which is that of a wait where |waited|, and
// gives a handle that holds the exception of the interpreter, or 0 where nothing is wrong, not in a kernel either.
// |context|: a pa_cuda_context, or NULL.
void pa_set_device_check(int64_t (*check)(void *context, pa_status status, bool waited));

// Who opens a library of CUDA ("cublas") when it is first asked for; nothing is told where it is not there.
void pa_set_device_opener(void (*open)(const char *library));

// Whether a library (pa_cuda_library) is open: it is tried once, where there is a GPU.
bool pa_device_has_library(int library);

// The context that compiled code of this thread uses; NULL, with a failure kept, where there is none.
struct pa_cuda_context *pa_device_here(void);
void pa_device_note(struct pa_cuda_context *context, pa_status status); // keeps a failure; takes |status| over

// The function of runtime.def so named that compiled code calls where its arrays are on a device, or NULL.
void *pa_device_runtime_lookup(const char *name);

// The pa_cuda_context that the memory with this owner is of; NULL: it is on no device.
void *pa_device_memory_context(int64_t handle);
// That others than compiled code know its address.
void pa_device_memory_share(int64_t handle);
bool pa_device_memory_is_shared(int64_t handle); // also what is no memory on a device

#endif // PYARRAY_LIB_RUNTIME_CUDA_DEVICE_ARRAYS_H
