// Memory: on the device, pinned and mapped memory of the host, managed memory.
//
// Device memory comes from the device's default pool in the order of the default stream: it may be used in every stream
// that waits for the default one, and freed while such streams still use it; work enqueued after that in one stream
// waits for what was enqueued before it in others. Where a stream that does not wait for it was
// adopted (stream.h), allocating and freeing wait for the device instead. Without pools, freed memory is kept in
// a list and taken again when the device is done with it.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_BUFFER_H
#define PYARRAY_LIB_RUNTIME_CUDA_BUFFER_H

#include "device.h"

typedef enum pa_cuda_memory {
  PA_CUDA_DEVICE,
  PA_CUDA_PINNED,     // of the host, not pageable
  PA_CUDA_MAPPED,     // pinned, and seen by the device
  PA_CUDA_MANAGED,    // moves between host and device by itself
  PA_CUDA_REGISTERED, // memory that is already there, pinned while the buffer lives
  PA_CUDA_IMPORTED,   // on the device, another process's (ipc.h)
} pa_cuda_memory;

enum {
  PA_CUDA_PORTABLE = 1,    // pinned, mapped, registered: for all contexts
  PA_CUDA_ATTACH_HOST = 2, // managed: at first for the host alone
  PA_CUDA_MAP = 4,         // registered: seen by the device
  PA_CUDA_SHAREABLE =
      8, // device: not from the pool, and with nothing else beside it, so that other processes can have it
  PA_CUDA_IN_ORDER = 16, // device: its first use is in the default stream
};

// Who gives device memory in place of the driver. Buffers keep whose they are, so it may change at any time.
typedef struct pa_cuda_memory_manager {
  // |*out_memory| stands for the memory until it is released. A failure other than of memory is not tried again.
  CUresult (*allocate)(pa_cuda_context *context, size_t bytes, CUdeviceptr *out_address, void **out_memory);
  void (*release)(void *memory);
} pa_cuda_memory_manager;
void pa_cuda_set_memory_manager(const pa_cuda_memory_manager *manager); // borrowed; NULL: the driver

// Lives inside its owner's struct, zero-initialised; must not move.
typedef struct pa_cuda_buffer {
  pa_cuda_resource resource;
  pa_cuda_memory kind;
  size_t bytes;
  size_t capacity;    // private: what was allocated, which may be more
  CUdeviceptr device; // its address on the device; 0 where the device does not see it, and where |bytes| is 0
  void *host;         // its address on the host, or NULL
  bool is_freed;      // by pa_cuda_free, not by a reset
  bool is_shareable;  // device: allocated with PA_CUDA_SHAREABLE
  bool is_small;      // private: with PA_CUDA_IN_ORDER, and to be used so again
  const pa_cuda_memory_manager *manager; // private: whose |managed| memory it is; NULL: the driver's
  void *managed;
} pa_cuda_buffer;

// Memory is not cleared and aligned to 256 bytes or more. Where there is too little, all that is kept unused is given
// back and the allocation tried once more. Zero bytes need no memory and always succeed.
pa_status pa_cuda_allocate(pa_cuda_context *context, pa_cuda_memory kind, unsigned flags, size_t bytes,
                           pa_cuda_buffer *buffer);
// What another process has allocated, at |address| here.
void pa_cuda_import(pa_cuda_context *context, CUdeviceptr address, size_t bytes, pa_cuda_buffer *buffer);
// Memory of the host that is |managed| by a memory manager, at |device| for the device (0: not seen there).
void pa_cuda_adopt(pa_cuda_context *context, pa_cuda_memory kind, void *host, CUdeviceptr device, size_t bytes,
                   const pa_cuda_memory_manager *manager, void *managed, pa_cuda_buffer *buffer);
pa_status pa_cuda_register(pa_cuda_context *context, unsigned flags, void *host, size_t bytes, pa_cuda_buffer *buffer);
// Also an empty one, and one that a reset has freed. Pinned and mapped memory is the host's own, registered with the
// driver: a reset or close takes it from the device, and it is the host's until this is called. While managed memory is
// in use, contexts cannot be reset or closed.
void pa_cuda_free(pa_cuda_buffer *buffer);

// Managed memory at |address|: to be where device |ordinal| has it, -1 being the host, once |stream| comes to that;
// what is to be expected of its use there.
pa_status pa_cuda_prefetch(pa_cuda_context *context, CUdeviceptr address, size_t bytes, int ordinal, CUstream stream);
pa_status pa_cuda_advise(pa_cuda_context *context, CUdeviceptr address, size_t bytes, CUmem_advise advice, int ordinal);

// Between these, which nest, what is freed in the context is kept and goes at the end of the outermost.
void pa_cuda_defer_begin(pa_cuda_context *context);
void pa_cuda_defer_end(pa_cuda_context *context);

// Gives unused memory of the pool back to the device.
pa_status pa_cuda_trim(pa_cuda_context *context);

typedef struct pa_cuda_statistics {
  int64_t allocations, frees; // since the context was made, all kinds
  int64_t deferred;           // freed, but still kept by pa_cuda_defer_begin
  int64_t device_bytes;       // in use in device and managed memory, as asked for
  int64_t device_bytes_high;  // the most that ever were
  int64_t host_bytes;         // pinned and mapped
  int64_t reserved_bytes;     // held by the device's pool, used or not; of all libraries that use it
} pa_cuda_statistics;

pa_status pa_cuda_statistics_now(pa_cuda_context *context, pa_cuda_statistics *out_statistics);

// What the driver knows of an address, be it of another library's.
typedef struct pa_cuda_address {
  bool known;     // false: pageable memory of the host, or nothing
  bool on_device; // device or managed
  bool managed;
  int32_t ordinal; // of the device that has it; -1 for the host's
} pa_cuda_address;

// Where the device sees memory of the host that is registered with the driver.
pa_status pa_cuda_device_address(pa_cuda_context *context, void *host, CUdeviceptr *out_address);
pa_status pa_cuda_address_info(pa_cuda_context *context, uint64_t address, pa_cuda_address *out_info);

#endif // PYARRAY_LIB_RUNTIME_CUDA_BUFFER_H
