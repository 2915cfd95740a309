// Handles of cuBLAS and cuSOLVER, kept for the process.
#include "library_handles.h"

#include <stdlib.h>

static struct {
  pthread_mutex_t lock;
  // By library and the device's number; never freed, since a call may be using one.
  pa_library_handle *handles[PA_LIBRARY_COUNT][PA_CUDA_MAX_DEVICES];
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void destroy(pa_cuda_resource *resource) {
  pa_library_handle *handle = (pa_library_handle *)resource;
  handle->free(handle->handle);
}

static pa_status make(pa_cuda_library library, pa_cuda_context *context, pa_library_handle *handle) {
  bool solver = library == PA_LIBRARY_cusolver;
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pa_library_result result = (solver ? pa_cusolver.Create : pa_cublas.Create)(&handle->handle);
  pa_cuda_leave(context, previous);
  if (result) return pa_fail_library(library, result, "making a handle of %s", solver ? "cuSOLVER" : "cuBLAS");
  handle->free = solver ? pa_cusolver.Destroy : pa_cublas.Destroy;
  pthread_mutex_init(&handle->lock, NULL);
  handle->resource.destroy = destroy;
  pa_cuda_resource_link(&handle->resource, context);
  return PA_OK;
}

pa_status pa_library_handle_of(pa_cuda_library library, pa_cuda_context *context, pa_library_handle **out_handle) {
  int ordinal = context->device->ordinal;
  pa_status status = PA_OK;
  *out_handle = NULL;
  if (ordinal >= PA_CUDA_MAX_DEVICES) return PA_OK;
  pthread_mutex_lock(&kept.lock);
  pa_library_handle *handle = kept.handles[library][ordinal];
  if (handle && (handle->resource.context != context || handle->resource.generation != context->generation))
    handle = NULL; // a reset has taken it
  if (!handle) {
    handle = calloc(1, sizeof *handle);
    status = handle ? make(library, context, handle) : pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
    if (status)
      free(handle);
    else
      kept.handles[library][ordinal] = handle;
  }
  pthread_mutex_unlock(&kept.lock);
  if (!status) *out_handle = handle;
  return status;
}
