// Handles of cuBLAS, and its routines by name and signature.
#include "blas.h"
#include "libraries.h"

#include <string.h>

//===-- Routines ----------------------------------------------------------------------------------===//

typedef void *A;
typedef void *P;
#define I(i) values[i].number
#define L(i) values[i].distance
#define V(i) values[i].pointer
#define PA_UNPACK(...) __VA_ARGS__

#define PA_BLAS_SIGNATURE(key, types, arguments)                                                                       \
  static int call_##key(void *address, void *handle, const pa_blas_value *values) {                                    \
    int(*function) types;                                                                                              \
    memcpy(&function, &address, sizeof function);                                                                      \
    return function(handle, PA_UNPACK arguments);                                                                      \
  }
#include "blas_signatures.def"
#undef PA_BLAS_SIGNATURE

static const struct {
  const char *key;
  int (*call)(void *address, void *handle, const pa_blas_value *values);
} signatures[] = {
#define PA_BLAS_SIGNATURE(key, types, arguments) {#key, call_##key},
#include "blas_signatures.def"
#undef PA_BLAS_SIGNATURE
};

pa_status pa_blas_find(const char *symbol, const char *key, pa_blas_routine *out_routine) {
  void *address = pa_library_function(PA_LIBRARY_cublas, symbol);
  if (!address)
    return pa_fail(PA_CODE_INVALID, NULL, "%s has no function %s", pa_library_path(PA_LIBRARY_cublas), symbol);
  for (size_t i = 0; i < sizeof signatures / sizeof *signatures; ++i) {
    if (strcmp(signatures[i].key, key)) continue;
    *out_routine = (pa_blas_routine){symbol, address, signatures[i].call};
    return PA_OK;
  }
  return pa_fail(PA_CODE_INVALID, NULL, "no routine has the signature %s", key);
}

//===-- Handles -----------------------------------------------------------------------------------===//

static void destroy_handle(pa_cuda_resource *resource) { pa_cublas.Destroy(((pa_cuda_blas *)resource)->handle); }

static pa_library_result make_handle(CUstream stream, void **out_handle) {
  pa_library_result result = pa_cublas.Create(out_handle);
  if (result) return result;
  result = pa_cublas.SetStream(*out_handle, stream);
  if (result) pa_cublas.Destroy(*out_handle);
  return result;
}

pa_status pa_cuda_blas_create(pa_cuda_context *context, CUstream stream, pa_cuda_blas *blas) {
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pa_library_result result = make_handle(stream, &blas->handle);
  pa_cuda_leave(context, previous);
  PA_TRY_LIBRARY(cublas, result, "making a handle of cuBLAS");
  blas->stream = stream;
  pthread_mutex_init(&blas->lock, NULL);
  blas->resource.destroy = destroy_handle;
  pa_cuda_resource_link(&blas->resource, context);
  return PA_OK;
}

void pa_cuda_blas_destroy(pa_cuda_blas *blas) {
  if (!blas->resource.destroy) return;
  pa_cuda_resource_free(&blas->resource); // cuBLAS waits for what the handle has enqueued
  pthread_mutex_destroy(&blas->lock);
  blas->resource.destroy = NULL;
}

pa_status pa_cuda_blas_run(pa_cuda_blas *blas, const pa_blas_routine *routine, const pa_blas_value *values) {
  PA_TRY(pa_cuda_resource_check(&blas->resource, "the handle of cuBLAS"));
  pa_cuda_context *context = blas->resource.context;
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pthread_mutex_lock(&blas->lock);
  pa_library_result result = routine->call(routine->address, blas->handle, values);
  pthread_mutex_unlock(&blas->lock);
  pa_cuda_leave(context, previous);
  PA_TRY_LIBRARY(cublas, result, "%s", routine->symbol);
  return PA_OK;
}
