// Copies and fills; the staging of pageable memory.
//
// On an H100 a copy of pinned memory runs at 55 GB/s. One of pageable memory, which the driver copies to memory of its
// own in one thread, runs at 11 GB/s to the device and 17 from it. Here up to eight threads each have two pinned
// chunks: one is filled (or emptied) while the other is on its way, which gives 50 GB/s with eight threads, 40 with
// four, 20 with two.
#include "transfer.h"
#include "../runtime.h"
#include "context.h"
#include "graph.h"
#include "stream.h"

#include <string.h>

// Small copies have small chunks, so that all threads get some.
static const size_t chunk_least = (size_t)256 << 10, chunk_most = (size_t)2 << 20;
// Below it, what the driver does itself is as fast.
static const size_t staging_least = (size_t)2 << 20;

//===-- Chunks ------------------------------------------------------------------------------------===//

static int worker_count(void) {
  int64_t threads = pyarray_rt_max_threads();
  return threads < PA_STAGING_WORKERS ? (int)threads : PA_STAGING_WORKERS;
}

static CUresult make_staging(pa_cuda_staging *staging) {
  int workers = worker_count(), made = 0;
  void *memory = NULL;
  CUresult result = pa_cuda.MemHostAlloc(&memory, (size_t)workers * PA_STAGING_SLOTS * chunk_most, 0);
  if (result) return result;
  for (; !result && made < workers * PA_STAGING_SLOTS; ++made)
    result = pa_cuda.EventCreate(&staging->done[made], CU_EVENT_DISABLE_TIMING);
  if (!result) {
    staging->memory = memory;
    staging->workers = workers;
    return CUDA_SUCCESS;
  }
  for (int i = 0; i < made - 1; ++i) pa_cuda.EventDestroy(staging->done[i]);
  pa_cuda.MemFreeHost(memory);
  return result;
}

void pa_cuda_staging_stop(pa_cuda_context *context) {
  pa_cuda_staging *staging = &context->parts->staging;
  for (int i = 0; i < staging->workers * PA_STAGING_SLOTS; ++i) pa_cuda.EventDestroy(staging->done[i]);
  if (staging->workers) pa_cuda.MemFreeHost(staging->memory);
  staging->workers = 0;
}

//===-- Staged copies -----------------------------------------------------------------------------===//

typedef struct job {
  pa_cuda_staging *staging;
  CUcontext context;
  char *host;
  CUdeviceptr device;
  size_t bytes, chunk;
  CUstream stream;
  int64_t next; // atomic: the chunk to be taken next
  int result;   // atomic: a CUresult, the first that is not CUDA_SUCCESS
} job;

// One of a worker's two pinned chunks, and what it holds of the copy.
typedef struct slot {
  char *memory;
  CUevent done;
  size_t offset, bytes; // bytes 0: nothing
} slot;

static bool has_failed(const job *job) { return __atomic_load_n(&job->result, __ATOMIC_RELAXED) != CUDA_SUCCESS; }

static bool succeeds(job *job, CUresult result) {
  int none = CUDA_SUCCESS;
  if (result) __atomic_compare_exchange_n(&job->result, &none, result, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return !result;
}

static bool take_chunk(job *job, slot *slot) {
  size_t offset = (size_t)__atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED) * job->chunk;
  if (offset >= job->bytes || has_failed(job)) return false;
  slot->offset = offset;
  slot->bytes = job->bytes - offset < job->chunk ? job->bytes - offset : job->chunk;
  return true;
}

static slot slot_of(const job *job, int64_t worker, int number) {
  int64_t index = worker * PA_STAGING_SLOTS + number;
  return (slot){.memory = job->staging->memory + (size_t)index * chunk_most, .done = job->staging->done[index]};
}

static void send_chunks(job *job, int64_t worker) {
  for (int number = 0;; number = (number + 1) % PA_STAGING_SLOTS) {
    slot slot = slot_of(job, worker, number);
    // Also of the copy before this one.
    if (!succeeds(job, pa_cuda.EventSynchronize(slot.done)) || !take_chunk(job, &slot)) return;
    memcpy(slot.memory, job->host + slot.offset, slot.bytes);
    if (!succeeds(job, pa_cuda.MemcpyHtoDAsync(job->device + slot.offset, slot.memory, slot.bytes, job->stream)) ||
        !succeeds(job, pa_cuda.EventRecord(slot.done, job->stream)))
      return;
  }
}

static bool empty_slot(job *job, slot *slot) {
  if (!slot->bytes) return true;
  if (!succeeds(job, pa_cuda.EventSynchronize(slot->done))) return false;
  memcpy(job->host + slot->offset, slot->memory, slot->bytes);
  slot->bytes = 0;
  return true;
}

static bool request_chunk(job *job, slot *slot) {
  if (!take_chunk(job, slot)) return false;
  return succeeds(job, pa_cuda.MemcpyDtoHAsync(slot->memory, job->device + slot->offset, slot->bytes, job->stream)) &&
         succeeds(job, pa_cuda.EventRecord(slot->done, job->stream));
}

static void fetch_chunks(job *job, int64_t worker) {
  slot slots[PA_STAGING_SLOTS];
  for (int i = 0; i < PA_STAGING_SLOTS; ++i) {
    slots[i] = slot_of(job, worker, i);
    if (!succeeds(job, pa_cuda.EventSynchronize(slots[i].done)) || !request_chunk(job, &slots[i])) slots[i].bytes = 0;
  }
  for (int number = 0; slots[number].bytes && empty_slot(job, &slots[number]); number = (number + 1) % PA_STAGING_SLOTS)
    if (!request_chunk(job, &slots[number])) slots[number].bytes = 0;
}

// The body of a parallel loop over workers, whose threads keep the context: nobody else uses them for CUDA, and what
// was current in them may be gone.
static int32_t run_worker(job *job, int64_t part, void (*work)(struct job *, int64_t)) {
  CUcontext now = NULL;
  if (succeeds(job, pa_cuda.CtxGetCurrent(&now)) &&
      (now == job->context || succeeds(job, pa_cuda.CtxSetCurrent(job->context))))
    work(job, part);
  return 0;
}

static int32_t send_part(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)begin, (void)end;
  return run_worker(context, part, send_chunks);
}

static int32_t fetch_part(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)begin, (void)end;
  return run_worker(context, part, fetch_chunks);
}

static size_t chunk_for(size_t bytes, int workers) {
  size_t chunk = bytes / ((size_t)workers * PA_STAGING_SLOTS);
  if (chunk < chunk_least) return chunk_least;
  return chunk < chunk_most ? chunk & ~(size_t)4095 : chunk_most;
}

typedef int32_t part_function(void *context, int64_t begin, int64_t end, int64_t part);

// False, with nothing done, where there is no memory for chunks.
static bool copy_staged(pa_cuda_context *context, job *job, part_function *part) {
  pa_cuda_staging *staging = &context->parts->staging;
  pthread_mutex_lock(&staging->lock);
  bool is_there = staging->workers || !make_staging(staging);
  if (is_there) {
    job->staging = staging;
    job->chunk = chunk_for(job->bytes, staging->workers);
    job->context = context->handle;
    pyarray_rt_parallel_for((int64_t)(uintptr_t)part, (int64_t)(uintptr_t)job, staging->workers, -1);
    // Chunks may still be on their way: nobody may fill them before that is over.
    if (job->result) pa_cuda.StreamSynchronize(job->stream);
  }
  pthread_mutex_unlock(&staging->lock);
  return is_there;
}

// Not on an emulated device, which is the host, nor in one thread, where the driver is faster.
static bool is_worth_staging(const void *host, size_t bytes) {
  unsigned type = 0;
  return bytes >= staging_least && pa_cuda_kind_opened() == PA_CUDA_GPU && !pa_cuda_graph_is_capturing() &&
         pyarray_rt_get_num_threads() > 1 &&
         pa_cuda.PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)host) != 0;
}

//===-- Copies ------------------------------------------------------------------------------------===//

static CUresult send(pa_cuda_context *context, CUdeviceptr destination, const void *source, size_t bytes,
                     CUstream stream, bool wait) {
  job job = {.host = (char *)(uintptr_t)source, .device = destination, .bytes = bytes, .stream = stream};
  bool is_staged = is_worth_staging(source, bytes) && copy_staged(context, &job, send_part);
  CUresult result = is_staged ? (CUresult)job.result : pa_cuda.MemcpyHtoDAsync(destination, source, bytes, stream);
  return result || !wait ? result : pa_cuda.StreamSynchronize(stream);
}

static CUresult fetch(pa_cuda_context *context, void *destination, CUdeviceptr source, size_t bytes, CUstream stream,
                      bool wait) {
  job job = {.host = destination, .device = source, .bytes = bytes, .stream = stream};
  if (is_worth_staging(destination, bytes) && copy_staged(context, &job, fetch_part)) return (CUresult)job.result;
  CUresult result = pa_cuda.MemcpyDtoHAsync(destination, source, bytes, stream);
  return result || !wait ? result : pa_cuda.StreamSynchronize(stream);
}

pa_status pa_cuda_copy_to_device(pa_cuda_context *context, CUdeviceptr destination, const void *source, size_t bytes,
                                 CUstream stream, bool wait) {
  if (!bytes) return PA_OK;
  PA_TRY_IN(context, send(context, destination, source, bytes, stream, wait), "copying %zu bytes to device %d", bytes,
            context->device->ordinal);
  return PA_OK;
}

pa_status pa_cuda_copy_to_host(pa_cuda_context *context, void *destination, CUdeviceptr source, size_t bytes,
                               CUstream stream, bool wait) {
  if (!bytes) return PA_OK;
  PA_TRY_IN(context, fetch(context, destination, source, bytes, stream, wait),
            "copying %zu bytes from device %d to the host", bytes, context->device->ordinal);
  return PA_OK;
}

static pa_status wait_for(pa_cuda_context *context, CUstream stream, const pa_cuda_event *event) {
  PA_TRY_IN(context, pa_cuda.StreamWaitEvent(stream, event->handle, 0), "making device %d wait for another one",
            context->device->ordinal);
  return PA_OK;
}

// What comes in |stream| of |context| from now on begins when the work that is in |earlier_stream| of |earlier| is
// done.
static pa_status order_after(pa_cuda_context *context, CUstream stream, pa_cuda_context *earlier,
                             CUstream earlier_stream) {
  pa_cuda_event event = {0};
  PA_TRY(pa_cuda_event_create(earlier, CU_EVENT_DISABLE_TIMING, &event));
  pa_status status = pa_cuda_event_record(&event, earlier_stream);
  if (!status) status = wait_for(context, stream, &event);
  pa_cuda_event_destroy(&event);
  return status;
}

// The driver orders nothing between devices. The source's default stream waits for the copy, too, since its memory is
// freed in it.
static pa_status copy_between(pa_cuda_context *to, CUdeviceptr destination, pa_cuda_context *from, CUdeviceptr source,
                              size_t bytes, CUstream stream) {
  PA_TRY(order_after(to, stream, from, NULL));
  PA_TRY_IN(to, pa_cuda.MemcpyPeerAsync(destination, to->handle, source, from->handle, bytes, stream),
            "copying %zu bytes from device %d to device %d", bytes, from->device->ordinal, to->device->ordinal);
  return order_after(from, NULL, to, stream);
}

pa_status pa_cuda_copy_on_device(pa_cuda_context *destination_context, CUdeviceptr destination,
                                 pa_cuda_context *source_context, CUdeviceptr source, size_t bytes, CUstream stream) {
  if (!bytes) return PA_OK;
  if (destination_context != source_context)
    return copy_between(destination_context, destination, source_context, source, bytes, stream);
  PA_TRY_IN(destination_context, pa_cuda.MemcpyDtoDAsync(destination, source, bytes, stream),
            "copying %zu bytes on device %d", bytes, source_context->device->ordinal);
  return PA_OK;
}

pa_status pa_cuda_copy_rows(pa_cuda_context *context, pa_cuda_rows destination, pa_cuda_rows source, size_t width,
                            size_t height, CUstream stream, bool wait) {
  CUcontext previous = NULL;
  if (!width || !height) return PA_OK;
  const CUDA_MEMCPY2D copy = {
      .srcMemoryType = source.on_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST,
      .srcDevice = source.address,
      .srcHost = (const void *)(uintptr_t)source.address,
      .srcPitch = source.pitch,
      .dstMemoryType = destination.on_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST,
      .dstDevice = destination.address,
      .dstHost = (void *)(uintptr_t)destination.address,
      .dstPitch = destination.pitch,
      .WidthInBytes = width,
      .Height = height,
  };
  PA_TRY(pa_cuda_enter(context, &previous));
  CUresult result = pa_cuda.Memcpy2DAsync(&copy, stream);
  if (!result && wait) result = pa_cuda.StreamSynchronize(stream);
  pa_cuda_leave(context, previous);
  PA_TRY_CU(result, "copying %zu rows of %zu bytes, %zu and %zu bytes apart", height, width, source.pitch,
            destination.pitch);
  return PA_OK;
}

//===-- Fills -------------------------------------------------------------------------------------===//

static CUresult fill(CUdeviceptr address, uint32_t value, size_t item_bytes, size_t count, CUstream stream) {
  switch (item_bytes) {
  case 1: return pa_cuda.MemsetD8Async(address, (unsigned char)value, count, stream);
  case 2: return pa_cuda.MemsetD16Async(address, (unsigned short)value, count, stream);
  case 4: return pa_cuda.MemsetD32Async(address, value, count, stream);
  }
  return CUDA_ERROR_INVALID_VALUE;
}

pa_status pa_cuda_fill(pa_cuda_context *context, CUdeviceptr address, uint32_t value, size_t item_bytes, size_t count,
                       CUstream stream) {
  if (!count) return PA_OK;
  PA_TRY_IN(context, fill(address, value, item_bytes, count, stream), "filling %zu items of %zu bytes on device %d",
            count, item_bytes, context->device->ordinal);
  return PA_OK;
}
