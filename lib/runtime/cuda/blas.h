// Handles of cuBLAS and calls of its routines, whose functions are there (pa_library_open) before any of these is
// called.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_BLAS_H
#define PYARRAY_LIB_RUNTIME_CUDA_BLAS_H

#include "device.h"
#include "stream.h"

#include <pthread.h>

enum { PA_BLAS_MOST_ARGUMENTS = 20 };

typedef union pa_blas_value {
  int number;
  long long distance;
  void *pointer;
} pa_blas_value;

// A routine: its address, and what calls it with values in the order of its key (blas_signatures.def).
typedef struct pa_blas_routine {
  const char *symbol;
  void *address;
  int (*call)(void *address, void *handle, const pa_blas_value *values);
} pa_blas_routine;

// PA_CODE_INVALID where the library has no |symbol|, or there is no such |key|.
pa_status pa_blas_find(const char *symbol, const char *key, pa_blas_routine *out_routine);

// Lives inside its owner's struct, zero-initialised; must not move.
typedef struct pa_cuda_blas {
  pa_cuda_resource resource;
  void *handle;
  CUstream stream;
  pthread_mutex_t lock; // a handle has working memory for one call at a time
} pa_cuda_blas;

pa_status pa_cuda_blas_create(pa_cuda_context *context, CUstream stream, pa_cuda_blas *blas);
void pa_cuda_blas_destroy(pa_cuda_blas *blas); // also one that was never made, or that a reset has taken

// Enqueues a call in the handle's stream; waits where the routine gives a number.
pa_status pa_cuda_blas_run(pa_cuda_blas *blas, const pa_blas_routine *routine, const pa_blas_value *values);

#endif // PYARRAY_LIB_RUNTIME_CUDA_BLAS_H
