// Device memory for other processes.
//
// The driver gives handles of memory from cuMemAlloc alone, not of a pool's. So memory that is to be shared is of its
// own (PA_CUDA_SHAREABLE), or comes from a library that allocates so.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_IPC_H
#define PYARRAY_LIB_RUNTIME_CUDA_IPC_H

#include "buffer.h"

typedef struct pa_cuda_ipc_memory {
  CUipcMemHandle handle; // of the whole allocation
  size_t bytes, offset;  // its size; where in it the address is
} pa_cuda_ipc_memory;

// For the memory at an address. It has to stay while other processes have it open.
pa_status pa_cuda_ipc_export(pa_cuda_context *context, CUdeviceptr address, pa_cuda_ipc_memory *out_memory);
// Another process's memory in this one, until |buffer| is freed: a PA_CUDA_IMPORTED one. PA_CODE_INVALID where it has
// fewer than |bytes|.
pa_status pa_cuda_ipc_open(pa_cuda_context *context, const CUipcMemHandle *handle, size_t bytes,
                           pa_cuda_buffer *buffer);
// Whether the driver can give a handle of a buffer's memory; else pa_cuda_ipc_copy makes a buffer that has the same
// bytes, when all work is done.
bool pa_cuda_ipc_is_shareable(const pa_cuda_buffer *buffer);
pa_status pa_cuda_ipc_copy(const pa_cuda_buffer *from, pa_cuda_buffer *out_copy);

#endif // PYARRAY_LIB_RUNTIME_CUDA_IPC_H
