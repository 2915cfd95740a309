// A kernel and what is loaded of it. Private to lib/runtime/cuda.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_KERNEL_INTERNAL_H
#define PYARRAY_LIB_RUNTIME_CUDA_KERNEL_INTERNAL_H

#include "kernel.h"

enum pa_image_kind { PA_IMAGE_PTX, PA_IMAGE_CUBIN, PA_IMAGE_CPU };

// Of one context. Belongs to the kernel; its module goes when the context is reset, and is loaded anew into it.
typedef struct pa_loaded_kernel {
  pa_cuda_resource resource;
  pa_kernel *kernel;
  CUmodule module;
  CUfunction function;
  bool is_set_up;         // on_module was called
  int32_t dynamic_shared; // atomic: the most that launches may ask for as things are
  pa_device_error *error; // in mapped memory; NULL where the module knows no errors
  void *binary;           // of a linked image; malloc's
  size_t binary_size;
  uint64_t fill; // atomic: the block of kernels over points, and, above 32 bits, the grid that fills the device; 0: not
                 // asked for
} pa_loaded_kernel;

struct pa_kernel {
  char *image; // with a NUL behind it
  size_t size;
  enum pa_image_kind kind;
  char *name;
  pa_kernel_options options;
  uint64_t fixed_generation;                     // of options.fixed when the kernel was made
  pa_kernel_input *inputs;                       // options.inputs
  pthread_mutex_t lock;                          // of loading and of raising limits
  pa_loaded_kernel *loaded[PA_CUDA_MAX_DEVICES]; // atomic
};

// Loads it if it is not; borrowed from the kernel.
pa_status pa_kernel_loaded(pa_kernel *kernel, pa_cuda_context *context, pa_loaded_kernel **out_loaded);

// What is loaded, or NULL; also where the context was reset since.
static inline pa_loaded_kernel *pa_kernel_find_loaded(const pa_kernel *kernel, const pa_cuda_context *context) {
  pa_loaded_kernel *loaded = __atomic_load_n(&kernel->loaded[context->device->ordinal], __ATOMIC_ACQUIRE);
  if (!loaded) return NULL;
  uint64_t generation = __atomic_load_n(&loaded->resource.generation, __ATOMIC_ACQUIRE);
  return generation == __atomic_load_n(&context->generation, __ATOMIC_RELAXED) ? loaded : NULL;
}

// With the context current. But for what the kernel's options say.
CUresult pa_kernel_read_attributes(CUfunction function, pa_kernel_attributes *attributes);

// Links PTX to a cubin, with the context current; the caller frees |*out_binary|.
pa_status pa_kernel_link(const pa_kernel *kernel, int capability, void **out_binary, size_t *out_size);

// A record for a loaded kernel, with its address on the device; with the context current.
pa_status pa_kernel_error_allocate(pa_cuda_context *context, pa_kernel *kernel, pa_device_error **out_error,
                                   CUdeviceptr *out_device);
void pa_kernel_error_free(pa_cuda_context *context, pa_device_error *error); // NULL is allowed

#endif // PYARRAY_LIB_RUNTIME_CUDA_KERNEL_INTERNAL_H
