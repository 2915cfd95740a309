// Copies, fills, streams and events of emulated devices: work is done when it is enqueued.
#include "emulator_internal.h"

#include <string.h>
#include <time.h>

//===-- Streams -----------------------------------------------------------------------------------===//

typedef struct emulated_stream {
  unsigned flags;
} emulated_stream;

bool pa_emulated_is_stream(CUstream stream) {
  return !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD || pa_emulated_check(stream, STREAM);
}

static CUresult check_stream(CUstream stream) {
  if (!pa_emulated_current()) return CUDA_ERROR_INVALID_CONTEXT;
  return pa_emulated_is_stream(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult pa_emulated_StreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  (void)priority; // out of range is allowed
  if (!pa_emulated_current()) return CUDA_ERROR_INVALID_CONTEXT;
  if (flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  emulated_stream *made = pa_emulated_new(sizeof *made, STREAM);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  made->flags = flags;
  *stream = (CUstream)made;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_StreamDestroy(CUstream stream) { return pa_emulated_delete(stream, STREAM); }

CUresult pa_emulated_StreamGetFlags(CUstream stream, unsigned *flags) {
  CUresult result = check_stream(stream);
  const emulated_stream *made = pa_emulated_check(stream, STREAM);
  if (!result) *flags = made ? made->flags : CU_STREAM_DEFAULT;
  return result;
}

CUresult pa_emulated_StreamQuery(CUstream stream) { return check_stream(stream); }

CUresult pa_emulated_StreamSynchronize(CUstream stream) {
  CUresult result = check_stream(stream);
  return result ? result : pa_emulated_CtxSynchronize();
}

CUresult pa_emulated_LaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  CUresult result = check_stream(stream);
  if (!result) function(data);
  return result;
}

//===-- Events ------------------------------------------------------------------------------------===//

typedef struct emulated_event {
  unsigned flags;
  struct timespec time; // all zero: not recorded
} emulated_event;

CUresult pa_emulated_EventCreate(CUevent *event, unsigned flags) {
  if (!pa_emulated_current()) return CUDA_ERROR_INVALID_CONTEXT;
  emulated_event *made = pa_emulated_new(sizeof *made, EVENT);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  made->flags = flags;
  *event = (CUevent)made;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_EventDestroy(CUevent event) { return pa_emulated_delete(event, EVENT); }

CUresult pa_emulated_EventRecord(CUevent event, CUstream stream) {
  CUresult result = check_stream(stream);
  emulated_event *made = pa_emulated_check(event, EVENT);
  if (result || !made) return result ? result : CUDA_ERROR_INVALID_HANDLE;
  clock_gettime(CLOCK_MONOTONIC, &made->time);
  return CUDA_SUCCESS;
}

CUresult pa_emulated_EventQuery(CUevent event) {
  return pa_emulated_check(event, EVENT) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult pa_emulated_EventSynchronize(CUevent event) { return pa_emulated_EventQuery(event); }

CUresult pa_emulated_StreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  CUresult result = check_stream(stream);
  if (result || flags) return result ? result : CUDA_ERROR_INVALID_VALUE;
  return pa_emulated_EventQuery(event);
}

static bool is_timed(const emulated_event *event) {
  return event && !(event->flags & CU_EVENT_DISABLE_TIMING) && (event->time.tv_sec || event->time.tv_nsec);
}

CUresult pa_emulated_EventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  const emulated_event *from = pa_emulated_check(start, EVENT), *to = pa_emulated_check(end, EVENT);
  if (!is_timed(from) || !is_timed(to)) return CUDA_ERROR_INVALID_HANDLE;
  double seconds = (double)(to->time.tv_sec - from->time.tv_sec);
  *milliseconds = (float)(seconds * 1e3 + (double)(to->time.tv_nsec - from->time.tv_nsec) * 1e-6);
  return CUDA_SUCCESS;
}

//===-- Copies ------------------------------------------------------------------------------------===//

static bool is_seen(CUdeviceptr address, size_t bytes) {
  object object;
  return pa_emulated_find((uintptr_t)address, bytes, SEEN_BY_DEVICE, &object);
}

// One at a time on each device, as in the default stream.
static CUresult copy(void *destination, const void *source, size_t bytes) {
  emulated_device *device = pa_emulated_current();
  pthread_mutex_lock(&device->running);
  memmove(destination, source, bytes);
  pthread_mutex_unlock(&device->running);
  return CUDA_SUCCESS;
}

CUresult pa_emulated_MemcpyHtoDAsync(CUdeviceptr destination, const void *source, size_t bytes, CUstream stream) {
  CUresult result = check_stream(stream);
  if (result) return result;
  if (!source || !is_seen(destination, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copy((void *)(uintptr_t)destination, source, bytes);
}

CUresult pa_emulated_MemcpyDtoHAsync(void *destination, CUdeviceptr source, size_t bytes, CUstream stream) {
  CUresult result = check_stream(stream);
  if (result) return result;
  if (!destination || !is_seen(source, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copy(destination, (const void *)(uintptr_t)source, bytes);
}

CUresult pa_emulated_MemcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream) {
  CUresult result = check_stream(stream);
  if (result) return result;
  if (!is_seen(destination, bytes) || !is_seen(source, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copy((void *)(uintptr_t)destination, (const void *)(uintptr_t)source, bytes);
}

CUresult pa_emulated_MemcpyPeerAsync(CUdeviceptr destination, CUcontext destination_context, CUdeviceptr source,
                                     CUcontext source_context, size_t bytes, CUstream stream) {
  if (!destination_context || !source_context) return CUDA_ERROR_INVALID_CONTEXT;
  return pa_emulated_MemcpyDtoDAsync(destination, source, bytes, stream);
}

typedef struct rows {
  char *first;
  size_t pitch;
  bool is_valid;
} rows;

static rows rows_of(const CUDA_MEMCPY2D *copy, bool is_source) {
  CUmemorytype type = is_source ? copy->srcMemoryType : copy->dstMemoryType;
  CUdeviceptr device = is_source ? copy->srcDevice : copy->dstDevice;
  uintptr_t host = is_source ? (uintptr_t)copy->srcHost : (uintptr_t)copy->dstHost;
  size_t pitch = is_source ? copy->srcPitch : copy->dstPitch;
  size_t offset = is_source ? copy->srcY * pitch + copy->srcXInBytes : copy->dstY * pitch + copy->dstXInBytes;
  bool is_host = type == CU_MEMORYTYPE_HOST;
  uintptr_t first = (is_host ? host : (uintptr_t)device) + offset;
  size_t extent = (copy->Height - 1) * pitch + copy->WidthInBytes;
  bool is_valid = pitch >= copy->WidthInBytes && first && (is_host || is_seen(first, extent));
  return (rows){.first = (char *)first, .pitch = pitch, .is_valid = is_valid};
}

CUresult pa_emulated_Memcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  CUresult result = check_stream(stream);
  if (result || !copy->Height || !copy->WidthInBytes) return result;
  rows source = rows_of(copy, true), destination = rows_of(copy, false);
  if (!source.is_valid || !destination.is_valid) return CUDA_ERROR_INVALID_VALUE;
  emulated_device *device = pa_emulated_current();
  pthread_mutex_lock(&device->running);
  for (size_t i = 0; i < copy->Height; ++i)
    memmove(destination.first + i * destination.pitch, source.first + i * source.pitch, copy->WidthInBytes);
  pthread_mutex_unlock(&device->running);
  return CUDA_SUCCESS;
}

//===-- Fills -------------------------------------------------------------------------------------===//

static CUresult fill(CUdeviceptr address, uint32_t value, size_t item, size_t count, CUstream stream) {
  CUresult result = check_stream(stream);
  size_t bytes;
  if (result) return result;
  if (__builtin_mul_overflow(count, item, &bytes) || address % item || !is_seen(address, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  char *at = (char *)(uintptr_t)address;
  emulated_device *device = pa_emulated_current();
  pthread_mutex_lock(&device->running);
  if (item == 1)
    memset(at, (int)value, bytes);
  else
    for (size_t i = 0; i < count; ++i) memcpy(at + i * item, &value, item);
  pthread_mutex_unlock(&device->running);
  return CUDA_SUCCESS;
}

CUresult pa_emulated_MemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream) {
  return fill(address, value, 1, count, stream);
}

CUresult pa_emulated_MemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream) {
  return fill(address, value, 2, count, stream);
}

CUresult pa_emulated_MemsetD32Async(CUdeviceptr address, unsigned value, size_t count, CUstream stream) {
  return fill(address, value, 4, count, stream);
}
