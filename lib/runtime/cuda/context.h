// What a context consists of. Private to lib/runtime/cuda.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_CONTEXT_H
#define PYARRAY_LIB_RUNTIME_CUDA_CONTEXT_H

#include "buffer.h"
#include "device.h"

// Memory that was freed and not given back: to be taken again (devices without pools), or to be freed later.
typedef struct pa_cuda_kept {
  pa_cuda_memory kind;
  size_t bytes, capacity; // as asked for; as allocated
  CUdeviceptr device;
  void *host;
  bool with_memory;                      // pinned, mapped: |host| is to be freed too
  bool is_shareable;                     // device: not the pool's
  bool is_small;                         // device: kept for who works in the default stream
  CUevent ready;                         // of the free list: all work that was enqueued before it was freed
  const pa_cuda_memory_manager *manager; // whose |managed| memory it is, or NULL
  void *managed;
} pa_cuda_kept;

typedef struct pa_cuda_kept_list {
  pa_cuda_kept *items; // malloc's
  size_t count, capacity;
} pa_cuda_kept_list;

enum { PA_STAGING_WORKERS = 8, PA_STAGING_SLOTS = 2 }; // slots: of each worker

// Pinned chunks for copies of pageable memory (transfer.c).
typedef struct pa_cuda_staging {
  pthread_mutex_t lock; // one copy at a time
  int workers;          // 0 until it is made
  char *memory;
  CUevent done[PA_STAGING_WORKERS * PA_STAGING_SLOTS];
} pa_cuda_staging;

enum { PA_SMALL_BLOCKS = 32, PA_NUMBER_BYTES = 64 };

// Mapped memory, in places of PA_NUMBER_BYTES (mapped_numbers.c).
typedef struct pa_cuda_numbers {
  struct pa_cuda_numbers_page *page; // NULL until it is made
  CUdeviceptr device;
  uint64_t taken; // a bit for each place
} pa_cuda_numbers;

typedef struct pa_cuda_context_parts {
  pthread_mutex_t lock;       // of what follows, save |staging|; the driver is not called under it
  pa_cuda_resource resources; // head of a ring
  CUmemoryPool pool;          // NULL: the device has none
  pa_cuda_kept_list free_list;
  pa_cuda_kept_list deferred;
  pa_cuda_kept small[PA_SMALL_BLOCKS]; // small_blocks.c
  size_t small_count;
  pa_cuda_numbers numbers;
  int defer_depth;
  bool has_streams;           // atomic; beside the default one
  bool has_unordered_streams; // atomic; some stream does not wait for the default one
  pa_cuda_statistics statistics;
  int64_t managed; // buffers in use
  pa_cuda_staging staging;
  struct pa_error_page *error_pages; // kernel_errors.c
} pa_cuda_context_parts;

// small_blocks.c. Takes a block for |buffer|, or says how large one shall be that can be kept; and keeps one: false
// where the pool has to have it.
bool pa_cuda_small_take(pa_cuda_context_parts *parts, pa_cuda_buffer *buffer);
bool pa_cuda_small_keep(pa_cuda_context_parts *parts, const pa_cuda_kept *item);
void pa_cuda_small_drop(pa_cuda_context_parts *parts);

// mapped_numbers.c. A place that the device writes to and the host reads; false: there is none. |at|: where the host
// sees the address, or NULL where it is no such place.
bool pa_cuda_number_take(pa_cuda_context *context, CUdeviceptr *out_address);
void pa_cuda_number_give(pa_cuda_context *context, CUdeviceptr address);
const void *pa_cuda_number_at(pa_cuda_context *context, CUdeviceptr address);
void pa_cuda_numbers_stop(pa_cuda_context *context);

// For a child process: nothing of the contexts is there any more.
void pa_cuda_contexts_forget(void);

// When a context is made, and when what was made in it goes; with the context current for the driver.
pa_status pa_cuda_memory_start(pa_cuda_context *context);
void pa_cuda_memory_stop(pa_cuda_context *context);
void pa_cuda_staging_stop(pa_cuda_context *context);
void pa_kernel_errors_stop(pa_cuda_context *context);

#endif // PYARRAY_LIB_RUNTIME_CUDA_CONTEXT_H
