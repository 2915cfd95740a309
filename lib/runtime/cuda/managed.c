// Managed memory: where it is to be, and what is to be expected of its use.
#include "buffer.h"

enum { HOST = -1 };

static pa_status find_place(int ordinal, CUdevice *out_device) {
  pa_cuda_context *context;
  if (ordinal == HOST) return *out_device = CU_DEVICE_CPU, PA_OK;
  PA_TRY(pa_cuda_context_of(ordinal, &context));
  return *out_device = context->device->handle, PA_OK;
}

pa_status pa_cuda_prefetch(pa_cuda_context *context, CUdeviceptr address, size_t bytes, int ordinal, CUstream stream) {
  CUdevice place;
  if (!bytes) return PA_OK;
  PA_TRY(find_place(ordinal, &place));
  PA_TRY_IN(context, pa_cuda.MemPrefetchAsync(address, bytes, place, stream),
            "moving %zu bytes of managed memory to %s %d", bytes, ordinal == HOST ? "the host," : "device", ordinal);
  return PA_OK;
}

pa_status pa_cuda_advise(pa_cuda_context *context, CUdeviceptr address, size_t bytes, CUmem_advise advice,
                         int ordinal) {
  CUdevice place;
  if (!bytes) return PA_OK;
  PA_TRY(find_place(ordinal, &place));
  PA_TRY_IN(context, pa_cuda.MemAdvise(address, bytes, advice, place), "giving advice on %zu bytes of managed memory",
            bytes);
  return PA_OK;
}
