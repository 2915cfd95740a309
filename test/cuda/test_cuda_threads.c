// lib/runtime/cuda in several threads at once, on a driver without a GPU: copies through pinned chunks, allocations,
// launches of one kernel, frees.
#include "cuda_check.h"

#include <pthread.h>

enum { THREADS = 6, ROUNDS = 8, COUNT = 400000 }; // 3.2 MB, so that copies are staged; the last chunk is not full

static image axpy;
static pa_kernel *kernel;
static int wrong; // atomic

static void note(bool is_right) {
  if (!is_right) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static pa_status work(int number, double *host) {
  pa_cuda_context *context = NULL;
  pa_cuda_buffer x = {0}, y = {0}, pinned = {0};
  pa_cuda_stream stream = {0};
  pa_cuda_statistics statistics;
  PA_TRY(pa_cuda_context_of(number % 2, &context));
  PA_TRY(pa_cuda_context_push(context));
  for (int i = 0; i < COUNT; ++i) host[i] = i + number;
  PA_TRY(pa_cuda_stream_create(context, CU_STREAM_DEFAULT, 0, &stream));
  PA_TRY(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, COUNT * sizeof(double), &x));
  PA_TRY(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, COUNT * sizeof(double), &y));
  PA_TRY(pa_cuda_allocate(context, PA_CUDA_PINNED, 0, 4096, &pinned));
  PA_TRY(pa_cuda_copy_to_device(context, x.device, host, COUNT * sizeof(double), stream.handle, false));
  PA_TRY(pa_cuda_fill(context, y.device, 0, 4, 2 * COUNT, stream.handle));
  double a = 3;
  uint64_t slots[5] = {0, x.device, y.device, COUNT, UINT64_MAX};
  memcpy(slots, &a, sizeof a);
  pa_launch launch = {.slots = slots,
                      .slot_bytes = sizeof slots,
                      .grid = {(COUNT + 255) / 256, 1, 1},
                      .block = {256, 1, 1},
                      .stream = stream.handle};
  PA_TRY(pa_kernel_launch(kernel, context, &launch));
  PA_TRY(pa_cuda_copy_to_host(context, host, y.device, COUNT * sizeof(double), stream.handle, false));
  for (int i = 0; i < COUNT; ++i) note(host[i] == 3.0 * (i + number));
  PA_TRY(pa_cuda_statistics_now(context, &statistics));
  pa_cuda_defer_begin(context);
  pa_cuda_free(&x);
  pa_cuda_free(&y);
  pa_cuda_free(&pinned);
  pa_cuda_defer_end(context);
  pa_cuda_stream_destroy(&stream);
  return pa_cuda_context_pop();
}

static void *run(void *number) {
  double *host = malloc(COUNT * sizeof *host);
  for (int round = 0; round < ROUNDS; ++round) {
    const char *message = host ? message_of(work((int)(intptr_t)number, host)) : "out of memory";
    if (*message) fprintf(stderr, "%s\n", message);
    note(!*message);
  }
  free(host);
  return NULL;
}

static void run_threads(void) {
  char ptx[320];
  pthread_t threads[THREADS];
  pa_kernel_failure failure;
  pa_cuda_context *context = NULL;
  snprintf(ptx, sizeof ptx, "// object: %s\n// it has the variable pyarray_error\n", axpy.path);
  CHECK_OK(pa_kernel_create(ptx, strlen(ptx), &(pa_kernel_options){.name = "axpy"}, &kernel));
  for (int i = 0; i < THREADS; ++i) REQUIRE(!pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i));
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  CHECK(wrong == 0);
  CHECK_OK(pa_cuda_context_of(0, &context));
  CHECK(!pa_kernel_take_failure(context, &failure));
  CHECK(fake_calls("cuModuleLoadData") == 2); // once in each context
  pa_kernel_destroy(kernel);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

int main(void) {
  axpy = compile_image("axpy", axpy_source);
#define ENVIRONMENT                                                                                                    \
  "PYARRAY_CUDA=gpu", "PYARRAY_CUDA_DRIVER=" FAKE_DRIVER, "PYARRAY_CUDA_EMULATED_DEVICES=2", "PYARRAY_NUM_THREADS=3"
  IN_CHILD(run_threads, ENVIRONMENT);
  IN_CHILD(run_threads, ENVIRONMENT, "PYARRAY_FAKE_CUDA_POOLS=0");
  remove_images();
  free(axpy.bytes);
  return report_checks();
}
