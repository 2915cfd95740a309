// Handles of CUDA's libraries that compiled code and operators use: one for each device, in its default stream.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_LIBRARY_HANDLES_H
#define PYARRAY_LIB_RUNTIME_CUDA_LIBRARY_HANDLES_H

#include "device.h"
#include "libraries.h"

typedef struct pa_library_handle {
  pa_cuda_resource resource;
  void *handle;
  pthread_mutex_t lock; // a handle has working memory for one call at a time
  int (*free)(void *handle);
} pa_library_handle;

// Of PA_LIBRARY_cublas or PA_LIBRARY_cusolver, which is open; made where there is none yet, or a reset has taken it.
// NULL: the device has a number that is too high.
pa_status pa_library_handle_of(pa_cuda_library library, pa_cuda_context *context, pa_library_handle **out_handle);

#endif // PYARRAY_LIB_RUNTIME_CUDA_LIBRARY_HANDLES_H
