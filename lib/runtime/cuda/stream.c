// Streams and events.
#include "stream.h"

#include <stdint.h>
#include <sys/mman.h>

#include "context.h"

//===-- Streams -----------------------------------------------------------------------------------===//

static void destroy_stream(pa_cuda_resource *resource) { pa_cuda.StreamDestroy(((pa_cuda_stream *)resource)->handle); }

static void note_flags(pa_cuda_context *context, unsigned flags) {
  __atomic_store_n(&context->parts->has_streams, true, __ATOMIC_RELAXED);
  if (flags & CU_STREAM_NON_BLOCKING) __atomic_store_n(&context->parts->has_unordered_streams, true, __ATOMIC_RELAXED);
}

pa_status pa_cuda_stream_create(pa_cuda_context *context, unsigned flags, int priority, pa_cuda_stream *stream) {
  CUstream handle = NULL;
  PA_TRY_IN(context, pa_cuda.StreamCreateWithPriority(&handle, flags, priority), "making a stream on device %d",
            context->device->ordinal);
  note_flags(context, flags);
  stream->handle = handle;
  stream->resource.destroy = destroy_stream;
  pa_cuda_resource_link(&stream->resource, context);
  return PA_OK;
}

pa_status pa_cuda_stream_create_unordered(pa_cuda_context *context, pa_cuda_stream *stream) {
  CUstream handle = NULL;
  PA_TRY_IN(context, pa_cuda.StreamCreateWithPriority(&handle, CU_STREAM_NON_BLOCKING, 0),
            "making a stream on device %d", context->device->ordinal);
  stream->handle = handle;
  stream->resource.destroy = destroy_stream;
  pa_cuda_resource_link(&stream->resource, context);
  return PA_OK;
}

void pa_cuda_stream_destroy(pa_cuda_stream *stream) { pa_cuda_resource_free(&stream->resource); }

// The driver looks at what a handle points to, and dies where nothing is. Whether it is a stream, it knows.
static bool is_memory(CUstream stream) {
  enum { LARGEST_CONSTANT = 2, PAGE = 4096 }; // the default streams are numbers
  uintptr_t address = (uintptr_t)stream;
  return address <= LARGEST_CONSTANT || msync((void *)(address & ~(uintptr_t)(PAGE - 1)), PAGE, MS_ASYNC) == 0;
}

pa_status pa_cuda_stream_adopt(pa_cuda_context *context, CUstream stream) {
  unsigned flags = 0;
  if (!is_memory(stream))
    return pa_fail(PA_CODE_INVALID, NULL, "%p is not the handle of a stream: there is nothing at this address",
                   (void *)stream);
  PA_TRY_IN(context, pa_cuda.StreamGetFlags(stream, &flags), "looking at a stream of another library");
  note_flags(context, flags);
  return PA_OK;
}

pa_status pa_cuda_stream_synchronize(pa_cuda_context *context, CUstream stream) {
  PA_TRY_IN(context, pa_cuda.StreamSynchronize(stream), "waiting for a stream of device %d", context->device->ordinal);
  return PA_OK;
}

pa_status pa_cuda_stream_query(pa_cuda_context *context, CUstream stream, bool *out_done) {
  CUresult result;
  PA_TRY_IN(context, (result = pa_cuda.StreamQuery(stream), result == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : result),
            "asking whether a stream of device %d is done", context->device->ordinal);
  *out_done = result == CUDA_SUCCESS;
  return PA_OK;
}

pa_status pa_cuda_stream_call_host(pa_cuda_context *context, CUstream stream, CUhostFn function, void *data) {
  PA_TRY_IN(context, pa_cuda.LaunchHostFunc(stream, function, data), "adding a callback to a stream of device %d",
            context->device->ordinal);
  return PA_OK;
}

pa_status pa_cuda_stream_priorities(pa_cuda_context *context, int *out_least, int *out_greatest) {
  int least = 0, greatest = 0;
  PA_TRY_IN(context, pa_cuda.CtxGetStreamPriorityRange(&least, &greatest), "asking for the priorities of streams");
  *out_least = least;
  *out_greatest = greatest;
  return PA_OK;
}

//===-- Events ------------------------------------------------------------------------------------===//

static void destroy_event(pa_cuda_resource *resource) { pa_cuda.EventDestroy(((pa_cuda_event *)resource)->handle); }

pa_status pa_cuda_event_create(pa_cuda_context *context, unsigned flags, pa_cuda_event *event) {
  CUevent handle = NULL;
  PA_TRY_IN(context, pa_cuda.EventCreate(&handle, flags), "making an event on device %d", context->device->ordinal);
  event->handle = handle;
  event->resource.destroy = destroy_event;
  pa_cuda_resource_link(&event->resource, context);
  return PA_OK;
}

void pa_cuda_event_destroy(pa_cuda_event *event) { pa_cuda_resource_free(&event->resource); }

pa_status pa_cuda_event_record(pa_cuda_event *event, CUstream stream) {
  PA_TRY(pa_cuda_resource_check(&event->resource, "the event"));
  PA_TRY_IN(event->resource.context, pa_cuda.EventRecord(event->handle, stream), "recording an event");
  return PA_OK;
}

pa_status pa_cuda_event_query(pa_cuda_event *event, bool *out_done) {
  CUresult result;
  PA_TRY(pa_cuda_resource_check(&event->resource, "the event"));
  PA_TRY_IN(event->resource.context,
            (result = pa_cuda.EventQuery(event->handle), result == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : result),
            "asking whether an event has happened");
  *out_done = result == CUDA_SUCCESS;
  return PA_OK;
}

pa_status pa_cuda_event_synchronize(pa_cuda_event *event) {
  PA_TRY(pa_cuda_resource_check(&event->resource, "the event"));
  PA_TRY_IN(event->resource.context, pa_cuda.EventSynchronize(event->handle), "waiting for an event");
  return PA_OK;
}

pa_status pa_cuda_event_wait(pa_cuda_event *event, CUstream stream) {
  PA_TRY(pa_cuda_resource_check(&event->resource, "the event"));
  PA_TRY_IN(event->resource.context, pa_cuda.StreamWaitEvent(stream, event->handle, 0),
            "making a stream wait for an event");
  return PA_OK;
}

pa_status pa_cuda_event_elapsed(pa_cuda_event *start, pa_cuda_event *end, float *out_milliseconds) {
  float milliseconds = 0;
  PA_TRY(pa_cuda_resource_check(&start->resource, "the first event"));
  PA_TRY(pa_cuda_resource_check(&end->resource, "the second event"));
  PA_TRY_IN(start->resource.context, pa_cuda.EventElapsedTime(&milliseconds, start->handle, end->handle),
            "taking the time between two events");
  *out_milliseconds = milliseconds;
  return PA_OK;
}

//===-- Order between streams ---------------------------------------------------------------------===//

static CUstream plain(CUstream stream) { return stream == CU_STREAM_LEGACY ? NULL : stream; }

pa_status pa_cuda_stream_follow(pa_cuda_context *context, CUstream first, CUstream stream) {
  if (plain(first) == plain(stream)) return PA_OK;
  PA_TRY(pa_cuda_stream_adopt(context, first));
  pa_cuda_event event = {0};
  PA_TRY(pa_cuda_event_create(context, CU_EVENT_DISABLE_TIMING, &event));
  pa_status status = pa_cuda_event_record(&event, first);
  if (!status) status = pa_cuda_event_wait(&event, stream);
  pa_cuda_event_destroy(&event);
  return status;
}
