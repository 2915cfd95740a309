#include "ipc.h"
#include "context.h"
#include "transfer.h"

static pa_status export_entered(CUdeviceptr address, pa_cuda_ipc_memory *out_memory) {
  CUdeviceptr base = 0;
  PA_TRY_CU(pa_cuda.MemGetAddressRange(&base, &out_memory->bytes, address), "finding the allocation of an address");
  PA_TRY_CU(pa_cuda.IpcGetMemHandle(&out_memory->handle, base), "making a handle of memory for another process");
  out_memory->offset = (size_t)(address - base);
  return PA_OK;
}

pa_status pa_cuda_ipc_export(pa_cuda_context *context, CUdeviceptr address, pa_cuda_ipc_memory *out_memory) {
  CUcontext previous = NULL;
  pa_cuda_ipc_memory made = {.bytes = 0};
  PA_TRY(pa_cuda_enter(context, &previous));
  pa_status status = export_entered(address, &made);
  pa_cuda_leave(context, previous);
  PA_TRY(status);
  *out_memory = made;
  return PA_OK;
}

// Who sent the handle says the size, beside it. A driver that does not know leaves it at that.
static pa_status check_size(CUdeviceptr address, size_t bytes) {
  CUdeviceptr base = 0;
  size_t there = 0;
  if (pa_cuda.MemGetAddressRange(&base, &there, address) || address - base > there || bytes <= there - (address - base))
    return PA_OK;
  pa_cuda.IpcCloseMemHandle(address);
  return pa_fail(PA_CODE_INVALID, NULL, "the memory of the handle has %zu bytes, not %zu", there, bytes);
}

static pa_status open_entered(const CUipcMemHandle *handle, size_t bytes, CUdeviceptr *out_address) {
  PA_TRY_CU(pa_cuda.IpcOpenMemHandle(out_address, *handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
            "opening the memory of another process (one's own cannot be opened)");
  return check_size(*out_address, bytes);
}

pa_status pa_cuda_ipc_open(pa_cuda_context *context, const CUipcMemHandle *handle, size_t bytes,
                           pa_cuda_buffer *buffer) {
  CUdeviceptr address = 0;
  CUcontext previous = NULL;
  PA_TRY(pa_cuda_enter(context, &previous));
  pa_status status = open_entered(handle, bytes, &address);
  pa_cuda_leave(context, previous);
  PA_TRY(status);
  pa_cuda_import(context, address, bytes, buffer);
  return PA_OK;
}

bool pa_cuda_ipc_is_shareable(const pa_cuda_buffer *buffer) {
  if (buffer->kind != PA_CUDA_DEVICE || !buffer->resource.context) return false;
  return buffer->is_shareable || buffer->manager || !buffer->resource.context->parts->pool;
}

pa_status pa_cuda_ipc_copy(const pa_cuda_buffer *from, pa_cuda_buffer *out_copy) {
  pa_cuda_context *context = from->resource.context;
  PA_TRY(pa_cuda_context_synchronize(context));
  PA_TRY(pa_cuda_allocate(context, PA_CUDA_DEVICE, PA_CUDA_SHAREABLE, from->bytes, out_copy));
  pa_status status = pa_cuda_copy_on_device(context, out_copy->device, context, from->device, from->bytes, NULL);
  if (!status) status = pa_cuda_context_synchronize(context);
  if (status) pa_cuda_free(out_copy);
  return status;
}
