// Kernels: an image, loaded into each context that launches it.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_KERNEL_H
#define PYARRAY_LIB_RUNTIME_CUDA_KERNEL_H

#include "../../device/error.h"
#include "device.h"

//===-- Kernels -----------------------------------------------------------------------------------===//

// The kernel itself once more, as IR that libNVVM takes: linked in place of its PTX where all is optimised together.
// Its name is options of libNVVM and nvJitLink, parted by spaces.
enum { PA_INPUT_NVVM_IR = -2 };

// Code of others, which PTX is linked with.
typedef struct pa_kernel_input {
  int type;         // a CUjitInputType, or PA_INPUT_NVVM_IR
  const char *name; // for messages
  const void *bytes;
  size_t size; // of text with its NUL
} pa_kernel_input;

typedef struct pa_kernel_options {
  const char *name;              // of the entry in the image; copied
  int32_t max_registers;         // of each thread; 0: as the driver likes
  bool line_info, debug;         // PTX only: kept in the linked code
  int64_t dynamic_shared;        // bytes that every launch adds in front of what the user asks for
  int64_t points;                // that a thread takes at a time (pyarray-map-grid); 0: one
  bool cooperative;              // its blocks wait for each other: all of a grid must fit on the device
  uint32_t cluster;              // blocks of a cluster, x + 256 y + 65536 z; 0: as launches say
  uint32_t max_cluster;          // at most; 0: not said
  int32_t carveout;              // percent of the largest shared memory that is wanted, plus 1; 0: not said
  pa_cuda_context *fixed;        // that whose arrays it has addresses of, as it is now; NULL: it has none
  void *owner;                   // for the caller's use
  const pa_kernel_input *inputs; // PTX only; copied
  size_t input_count;
  // Called with each module that the kernel is loaded into, its context current: before the first launch (|loads|),
  // where a failure is the launch's, and before it is unloaded. Not to launch this kernel. NULL: not wanted.
  pa_status (*on_module)(void *owner, CUmodule module, bool loads);
} pa_kernel_options;

// Immutable but for what is loaded. Launches may go on in several threads at once.
typedef struct pa_kernel pa_kernel;

// |image|: PTX text, a cubin, or an ELF object for the CPU; told apart by their first bytes; copied. Needs no device.
pa_status pa_kernel_create(const void *image, size_t size, const pa_kernel_options *options, pa_kernel **out_kernel);

// Waits for the devices where it is loaded. NULL is allowed.
void pa_kernel_destroy(pa_kernel *kernel);

void *pa_kernel_owner(const pa_kernel *kernel);
const char *pa_kernel_name(const pa_kernel *kernel); // borrowed

// What the driver makes of PTX, whose size counts a NUL at its end; for any thread. |*out_binary| is malloc's.
pa_status pa_kernel_assemble(pa_cuda_context *context, const char *name, const char *ptx, size_t size,
                             void **out_binary, size_t *out_size);
// Makes the driver load its compiler, in a thread, the first time: for who is about to make kernels.
void pa_kernel_warm_up(void);
// Loads it before the first launch does. Concurrent calls load once.
pa_status pa_kernel_load(pa_kernel *kernel, pa_cuda_context *context);

// What is loaded in that context: the cubin that PTX was linked to, for a cache; else the image. Borrowed from the
// kernel, until the context is reset.
pa_status pa_kernel_binary(pa_kernel *kernel, pa_cuda_context *context, const void **out_bytes, size_t *out_size);

typedef struct pa_kernel_attributes {
  int registers;    // of each thread
  int shared_bytes; // of each block, static
  int local_bytes;  // of each thread
  int constant_bytes;
  int max_threads; // of a block
  int max_dynamic_shared;
  int binary_version, ptx_version; // 90: compute capability 9.0
  bool cooperative;                // its blocks wait for each other
} pa_kernel_attributes;

pa_status pa_kernel_attributes_get(pa_kernel *kernel, pa_cuda_context *context, pa_kernel_attributes *out_attributes);

// The block size with which most threads are resident, and the least grid that fills the device. |limit| 0: none.
pa_status pa_kernel_suggest_block(pa_kernel *kernel, pa_cuda_context *context, size_t dynamic_shared, int limit,
                                  int *out_block, int *out_least_grid);
pa_status pa_kernel_active_blocks(pa_kernel *kernel, pa_cuda_context *context, int block_size, size_t dynamic_shared,
                                  int *out_blocks); // on each multiprocessor
// How many blocks of |block| threads run at once on the whole device. |cluster|: as in pa_launch; blocks come in whole
// ones then.
pa_status pa_kernel_cooperative_blocks(pa_kernel *kernel, pa_cuda_context *context, int64_t block_size,
                                       size_t dynamic_shared, uint32_t cluster, int64_t *out_blocks);

// A grid for |points| that are independent of each other (pyarray-map-grid): so large that each thread has its points
// at once, since blocks that end are replaced when they end; where that would not fill the device, one point to a
// thread. |points| is positive.
pa_status pa_kernel_fit_grid(pa_kernel *kernel, pa_cuda_context *context, int64_t points, uint32_t *out_grid,
                             uint32_t *out_block);

//===-- Launches ----------------------------------------------------------------------------------===//

typedef struct pa_launch {
  const void *slots; // parameters, 8 bytes each; read before the launch returns
  size_t slot_bytes;
  uint32_t grid[3], block[3]; // x, y, z; at least 1 each
  uint32_t dynamic_shared;    // bytes, without those of the kernel's options
  uint32_t cluster;           // as in the kernel's options; 0: none but those
  CUstream stream;
} pa_launch;

// Enqueues the kernel; loads it first if need be. Errors in the kernel appear in pa_kernel_take_failure after a wait.
pa_status pa_kernel_launch(pa_kernel *kernel, pa_cuda_context *context, const pa_launch *launch);

//===-- Errors of kernels -------------------------------------------------------------------------===//

typedef struct pa_kernel_failure {
  pa_kernel *kernel; // borrowed: valid until its owner destroys it
  pa_device_error error;
} pa_kernel_failure;

// To be called after every wait, whether it succeeded or not. True where a kernel of the context has left an error,
// which is then forgotten; with several, one after the other. Cheap when there is none.
bool pa_kernel_take_failure(pa_cuda_context *context, pa_kernel_failure *out_failure);

// For who is about to destroy it: waits where it is loaded. True where it has left an error there.
bool pa_kernel_take_last_failure(pa_kernel *kernel, pa_cuda_context **out_context, pa_kernel_failure *out_failure);

#endif // PYARRAY_LIB_RUNTIME_CUDA_KERNEL_H
