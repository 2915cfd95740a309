// Copies and fills.
//
// All of them are done in the order of |stream|. What waits for the device: copies to pageable host memory, and, with
// |wait|, every copy. Copies from pageable host memory return when the memory was read; from pinned memory, which must
// stay as it is until then, at once.
//
// Large copies of pageable memory go through pinned chunks, which several threads fill or empty while other chunks are
// on their way. Functions may take long: callers release what others wait for (the GIL).
#ifndef PYARRAY_LIB_RUNTIME_CUDA_TRANSFER_H
#define PYARRAY_LIB_RUNTIME_CUDA_TRANSFER_H

#include "device.h"

pa_status pa_cuda_copy_to_device(pa_cuda_context *context, CUdeviceptr destination, const void *source, size_t bytes,
                                 CUstream stream, bool wait);
pa_status pa_cuda_copy_to_host(pa_cuda_context *context, void *destination, CUdeviceptr source, size_t bytes,
                               CUstream stream, bool wait);

// The contexts may be those of two devices; |stream| is of |destination_context|. Between devices the copy comes after
// what the source's default stream has to do, and before what comes in it later.
pa_status pa_cuda_copy_on_device(pa_cuda_context *destination_context, CUdeviceptr destination,
                                 pa_cuda_context *source_context, CUdeviceptr source, size_t bytes, CUstream stream);

// |height| rows of |width| bytes, whose starts are |pitch| bytes apart; a pitch is at least |width|.
typedef struct pa_cuda_rows {
  bool on_device;
  uint64_t address;
  size_t pitch;
} pa_cuda_rows;

pa_status pa_cuda_copy_rows(pa_cuda_context *context, pa_cuda_rows destination, pa_cuda_rows source, size_t width,
                            size_t height, CUstream stream, bool wait);

// Sets |count| items of |item_bytes| (1, 2 or 4; the address is aligned to it) to the low bytes of |value|.
pa_status pa_cuda_fill(pa_cuda_context *context, CUdeviceptr address, uint32_t value, size_t item_bytes, size_t count,
                       CUstream stream);

#endif // PYARRAY_LIB_RUNTIME_CUDA_TRANSFER_H
