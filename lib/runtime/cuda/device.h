// Devices, their primary contexts, and what belongs to a context.
//
// A context is the device's primary one, which other libraries of the process (PyTorch, CuPy) use too. It is made when
// first asked for. Its struct lives as long as the process, so that a pointer to it is always valid; what was made in
// it goes at pa_cuda_context_reset and pa_cuda_close.
//
// Functions that take a context may be called in any thread: they make it the driver's current one if it is not, and
// put back what was there before.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_DEVICE_H
#define PYARRAY_LIB_RUNTIME_CUDA_DEVICE_H

#include "driver.h"

#include <pthread.h>

enum { PA_CUDA_MAX_DEVICES = 64 }; // more are not looked at

//===-- Devices -----------------------------------------------------------------------------------===//

typedef struct pa_cuda_device {
  CUdevice handle;
  int32_t ordinal;
  int32_t capability[2]; // 9, 0
  char name[128];
  char uuid[48];       // "GPU-e6489c45-5b68-3b03-bab7-0e7c8e809643"
  char pci_bus_id[16]; // "0000:00:1e.0"
  size_t memory;       // bytes
  bool has_memory_pools;
} pa_cuda_device;

pa_status pa_cuda_device_count(int32_t *out_count);                               // opens the driver
pa_status pa_cuda_device_get(int32_t ordinal, const pa_cuda_device **out_device); // borrowed, valid for the process
pa_status pa_cuda_device_attribute(int32_t ordinal, CUdevice_attribute attribute, int *out_value);
pa_status pa_cuda_device_can_access_peer(int32_t ordinal, int32_t peer, bool *out_can);

// The attribute called as in device_attributes.def ("WARP_SIZE"), or -1. For listing: name by position, NULL at the
// end.
int pa_cuda_attribute_by_name(const char *name);
const char *pa_cuda_attribute_name(size_t position);

//===-- Contexts ----------------------------------------------------------------------------------===//

typedef struct pa_cuda_context {
  CUcontext handle;    // NULL until it is made, and after pa_cuda_close
  uint64_t generation; // atomic; rises when what was made in it goes
  const pa_cuda_device *device;
  uint64_t peers; // atomic; bit n: its kernels reach the memory of device n, which pa_cuda_enable_peer_access has said
  struct pa_cuda_context_parts *parts; // private to lib/runtime/cuda
} pa_cuda_context;

// The context of a device, made if need be.
pa_status pa_cuda_context_of(int32_t ordinal, pa_cuda_context **out_context);

// The context that this thread has selected; at first that of the device whose context is the driver's current one,
// else device 0's. Cheap after the first call.
pa_status pa_cuda_context_current(pa_cuda_context **out_context);

// Selects: for this thread, until something else is selected. Push and pop nest (at most 16 deep); pop gives back what
// was selected before, and PA_CODE_INVALID where nothing was pushed.
pa_status pa_cuda_context_select(pa_cuda_context *context);
pa_status pa_cuda_context_push(pa_cuda_context *context);
pa_status pa_cuda_context_pop(void);

pa_status pa_cuda_context_synchronize(pa_cuda_context *context);
pa_status pa_cuda_memory_info(pa_cuda_context *context, size_t *out_free, size_t *out_total);
pa_status pa_cuda_enable_peer_access(pa_cuda_context *context, pa_cuda_context *peer); // also where it is enabled

// Waits, then frees all that was made in the context by this library: buffers, streams, events, loaded kernels. Their
// structs stay valid, and freeing them later does nothing. No other thread may use the context meanwhile. Goes on past
// failures and returns the first.
pa_status pa_cuda_context_reset(pa_cuda_context *context);

// Resets every context and releases it; they are made again when asked for. Nothing is selected afterwards in any
// thread.
pa_status pa_cuda_close(void);

//===-- Current for the driver --------------------------------------------------------------------===//

// pa_cuda_enter makes |context| the driver's current one and says what was; pa_cuda_leave puts that back, also where
// there was none: whose context is current says which device a thread begins with.
pa_status pa_cuda_enter(pa_cuda_context *context, CUcontext *out_previous);
void pa_cuda_leave(pa_cuda_context *context, CUcontext previous);
// |call| of the driver with |context| current; where it fails, so does the caller, with the message that follows.
#define PA_TRY_IN(context, call, ...)                                                                                  \
  do {                                                                                                                 \
    CUcontext pa_previous = NULL;                                                                                      \
    PA_TRY(pa_cuda_enter((context), &pa_previous));                                                                    \
    CUresult pa_result = (call);                                                                                       \
    pa_cuda_leave((context), pa_previous);                                                                             \
    PA_TRY_CU(pa_result, __VA_ARGS__);                                                                                 \
  } while (0)

//===-- What belongs to a context -----------------------------------------------------------------===//

// The first member of whatever a reset has to free. Must not move while it is linked.
typedef struct pa_cuda_resource {
  pa_cuda_context *context;
  uint64_t generation;
  struct pa_cuda_resource *previous, *next;
  void (*destroy)(struct pa_cuda_resource *resource); // called once, unlinked, with the context current for the driver
} pa_cuda_resource;

// Links |resource|, whose |destroy| is set, into the context's list.
void pa_cuda_resource_link(pa_cuda_resource *resource, pa_cuda_context *context);

// Unlinks and destroys it. Does nothing where it was never linked (all zero) or is gone.
void pa_cuda_resource_free(pa_cuda_resource *resource);

// PA_CODE_INVALID with |what| ("the stream") where its context was reset or closed since.
pa_status pa_cuda_resource_check(const pa_cuda_resource *resource, const char *what);

#endif // PYARRAY_LIB_RUNTIME_CUDA_DEVICE_H
