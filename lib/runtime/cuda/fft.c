// Plans of cuFFT: making, running, freeing.
//
// A plan's working memory comes from our pool rather than from cuFFT's cudaMalloc, which would wait for the device.
// Since all transforms of a plan share it, one in another stream waits for the one before.
#include "fft.h"
#include "libraries.h"

static void destroy_plan(pa_cuda_resource *resource) { pa_cufft.Destroy(((pa_cuda_fft *)resource)->handle); }

// With the context current.
static pa_status make_plan(int rank, const int64_t *shape, pa_fft_type type, int64_t batch, int64_t stride, int handle,
                           size_t *out_bytes) {
  long long extents[3], *storage = stride > 1 ? extents : NULL; // cuFFT looks at steps where there is a storage
  for (int i = 0; i < rank; ++i) extents[i] = shape[i];
  PA_TRY_LIBRARY(cufft, pa_cufft.SetAutoAllocation(handle, 0), "making a plan");
  PA_TRY_LIBRARY(
      cufft,
      pa_cufft.MakePlanMany64(handle, rank, extents, storage, stride, 1, storage, stride, 1, type, batch, out_bytes),
      "making a plan of %lld transforms of %d dimensions (%lld, ...)", (long long)batch, rank, extents[0]);
  return PA_OK;
}

static pa_status begin_plan(pa_cuda_context *context, int rank, const int64_t *shape, pa_fft_type type, int64_t batch,
                            int64_t stride, pa_cuda_fft *plan, size_t *out_bytes) {
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pa_library_result result = pa_cufft.Create(&plan->handle);
  pa_status status = result ? pa_fail_library(PA_LIBRARY_cufft, result, "making a plan")
                            : make_plan(rank, shape, type, batch, stride, plan->handle, out_bytes);
  if (status && !result) pa_cufft.Destroy(plan->handle);
  pa_cuda_leave(context, previous);
  return status;
}

static pa_status set_work_area(pa_cuda_context *context, pa_cuda_fft *plan) {
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pa_library_result result = pa_cufft.SetWorkArea(plan->handle, (void *)(uintptr_t)plan->work.device);
  pa_cuda_leave(context, previous);
  PA_TRY_LIBRARY(cufft, result, "giving a plan its working memory");
  return PA_OK;
}

pa_status pa_cuda_fft_plan(pa_cuda_context *context, int rank, const int64_t *shape, pa_fft_type type, int64_t batch,
                           int64_t stride, pa_cuda_fft *plan) {
  size_t bytes = 0;
  PA_TRY(begin_plan(context, rank, shape, type, batch, stride, plan, &bytes));
  plan->type = type;
  plan->stream = NULL;
  pthread_mutex_init(&plan->lock, NULL);
  plan->resource.destroy = destroy_plan;
  pa_cuda_resource_link(&plan->resource, context);
  pa_status status = pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, bytes, &plan->work);
  if (!status) status = pa_cuda_event_create(context, CU_EVENT_DISABLE_TIMING, &plan->done);
  if (!status && bytes) status = set_work_area(context, plan);
  if (status) pa_cuda_fft_destroy(plan);
  return status;
}

void pa_cuda_fft_destroy(pa_cuda_fft *plan) {
  if (!plan->resource.destroy) return;
  // Working memory is freed in the order of the default stream, for which the plan's stream need not wait.
  if (plan->stream) pa_status_free(pa_cuda_event_synchronize(&plan->done));
  pa_cuda_event_destroy(&plan->done);
  pa_cuda_resource_free(&plan->resource);
  pa_cuda_free(&plan->work);
  pthread_mutex_destroy(&plan->lock);
  plan->resource.destroy = NULL;
}

static pa_library_result execute(const pa_cuda_fft *plan, void *in, void *out, int direction) {
  switch (plan->type) {
  case PA_FFT_C2C: return pa_cufft.ExecC2C(plan->handle, in, out, direction);
  case PA_FFT_Z2Z: return pa_cufft.ExecZ2Z(plan->handle, in, out, direction);
  case PA_FFT_R2C: return pa_cufft.ExecR2C(plan->handle, in, out);
  case PA_FFT_D2Z: return pa_cufft.ExecD2Z(plan->handle, in, out);
  case PA_FFT_C2R: return pa_cufft.ExecC2R(plan->handle, in, out);
  default: return pa_cufft.ExecZ2D(plan->handle, in, out);
  }
}

// Under the lock, as are the following.
static pa_status change_stream(pa_cuda_fft *plan, CUstream stream) {
  if (!plan->stream) PA_TRY(pa_cuda_event_record(&plan->done, NULL));
  PA_TRY(pa_cuda_event_wait(&plan->done, stream));
  PA_TRY_LIBRARY(cufft, pa_cufft.SetStream(plan->handle, stream), "choosing the stream of a plan");
  plan->stream = stream;
  return PA_OK;
}

static pa_status run(pa_cuda_fft *plan, CUdeviceptr in, CUdeviceptr out, bool inverse, CUstream stream) {
  if (stream != plan->stream) PA_TRY(change_stream(plan, stream));
  PA_TRY_LIBRARY(cufft, execute(plan, (void *)(uintptr_t)in, (void *)(uintptr_t)out, inverse ? 1 : -1),
                 "running a plan");
  return stream ? pa_cuda_event_record(&plan->done, stream) : PA_OK;
}

pa_status pa_cuda_fft_run(pa_cuda_fft *plan, CUdeviceptr in, CUdeviceptr out, bool inverse, CUstream stream) {
  PA_TRY(pa_cuda_resource_check(&plan->resource, "the plan"));
  pa_cuda_context *context = plan->resource.context;
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pthread_mutex_lock(&plan->lock);
  pa_status status = run(plan, in, out, inverse, stream);
  pthread_mutex_unlock(&plan->lock);
  pa_cuda_leave(context, previous);
  return status;
}
