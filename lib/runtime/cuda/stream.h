// Streams and events.
//
// A CUstream is what the driver takes: NULL, the default stream, which waits for all others and they for it;
// CU_STREAM_LEGACY, the same by name; CU_STREAM_PER_THREAD; one made here; or one of another library's. The functions
// take it as it is; pa_cuda_stream is for those that somebody has to destroy.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_STREAM_H
#define PYARRAY_LIB_RUNTIME_CUDA_STREAM_H

#include "device.h"

// Lives inside its owner's struct, zero-initialised; must not move.
typedef struct pa_cuda_stream {
  pa_cuda_resource resource;
  CUstream handle;
} pa_cuda_stream;

// |flags|: CU_STREAM_DEFAULT or CU_STREAM_NON_BLOCKING; |priority|: 0, or lower numbers for more urgent work.
pa_status pa_cuda_stream_create(pa_cuda_context *context, unsigned flags, int priority, pa_cuda_stream *stream);
// One that does not wait for the default stream and runs nothing: it is only captured (graph.c).
pa_status pa_cuda_stream_create_unordered(pa_cuda_context *context, pa_cuda_stream *stream);
void pa_cuda_stream_destroy(pa_cuda_stream *stream); // its work is still done

// To be told of every stream of another library's before it is used: one that does not wait for the default stream
// changes how memory is allocated and freed from then on (buffer.h).
pa_status pa_cuda_stream_adopt(pa_cuda_context *context, CUstream stream);

// What is in |first|, which may be another library's, comes before what is enqueued in |stream| from now on.
pa_status pa_cuda_stream_follow(pa_cuda_context *context, CUstream first, CUstream stream);

pa_status pa_cuda_stream_synchronize(pa_cuda_context *context, CUstream stream);
pa_status pa_cuda_stream_query(pa_cuda_context *context, CUstream stream, bool *out_done);

// |function| is called in a thread of the driver's when all work before it is done; it may not call the driver. It is
// not called where that work fails.
pa_status pa_cuda_stream_call_host(pa_cuda_context *context, CUstream stream, CUhostFn function, void *data);

pa_status pa_cuda_stream_priorities(pa_cuda_context *context, int *out_least, int *out_greatest);

//===-- Events ------------------------------------------------------------------------------------===//

typedef struct pa_cuda_event {
  pa_cuda_resource resource;
  CUevent handle;
} pa_cuda_event;

// |flags|: CU_EVENT_*.
pa_status pa_cuda_event_create(pa_cuda_context *context, unsigned flags, pa_cuda_event *event);
void pa_cuda_event_destroy(pa_cuda_event *event);

pa_status pa_cuda_event_record(pa_cuda_event *event, CUstream stream);
pa_status pa_cuda_event_query(pa_cuda_event *event, bool *out_done); // true where it was never recorded
pa_status pa_cuda_event_synchronize(pa_cuda_event *event);
pa_status pa_cuda_event_wait(pa_cuda_event *event, CUstream stream); // the stream's later work waits for the event
pa_status pa_cuda_event_elapsed(pa_cuda_event *start, pa_cuda_event *end, float *out_milliseconds);

#endif // PYARRAY_LIB_RUNTIME_CUDA_STREAM_H
