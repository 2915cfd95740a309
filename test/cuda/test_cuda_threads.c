// lib/runtime/cuda in several threads at once, on a driver without a GPU and on the emulator: copies (through pinned
// chunks with the driver), allocations, launches of one kernel, errors of kernels, events, frees. `make tsan` runs it
// too.
#include "cuda_check.h"

#include <pthread.h>

enum { THREADS = 6, ROUNDS = 8, COUNT = 400000 }; // 3.2 MB, so that copies are staged; the last chunk is not full

static image axpy;
static pa_kernel *kernel;
static int wrong, failures; // atomic
static pthread_barrier_t start;

static void note(bool is_right) {
  if (!is_right) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static bool is_emulated(void) { return !strcmp(getenv("PYARRAY_CUDA"), "cpu"); }

static pa_kernel *make_kernel(void) {
  char ptx[320];
  pa_kernel *made = NULL;
  const pa_kernel_options options = {.name = "axpy"};
  snprintf(ptx, sizeof ptx, "// object: %s\n// it has the variable pyarray_error\n", axpy.path);
  CHECK_OK(is_emulated() ? pa_kernel_create(axpy.bytes, axpy.size, &options, &made)
                         : pa_kernel_create(ptx, strlen(ptx), &options, &made));
  REQUIRE(made);
  return made;
}

static void in_threads(void *(*body)(void *number)) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) REQUIRE(!pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i));
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  CHECK(wrong == 0);
}

//===-- All at once -------------------------------------------------------------------------------===//

static pa_status work(int number, double *host) {
  pa_cuda_context *context = NULL;
  pa_cuda_buffer x = {0}, y = {0}, pinned = {0};
  pa_cuda_stream stream = {0}, other = {0};
  pa_cuda_event done = {0};
  pa_cuda_statistics statistics;
  PA_TRY(pa_cuda_context_of(number % 2, &context));
  PA_TRY(pa_cuda_context_push(context));
  for (int i = 0; i < COUNT; ++i) host[i] = i + number;
  PA_TRY(pa_cuda_stream_create(context, CU_STREAM_DEFAULT, 0, &stream));
  PA_TRY(pa_cuda_stream_create(context, CU_STREAM_NON_BLOCKING, 0, &other));
  PA_TRY(pa_cuda_event_create(context, CU_EVENT_DISABLE_TIMING, &done));
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
  PA_TRY(pa_cuda_event_record(&done, stream.handle));
  PA_TRY(pa_cuda_event_wait(&done, other.handle));
  PA_TRY(pa_cuda_copy_to_host(context, host, y.device, COUNT * sizeof(double), other.handle, true));
  for (int i = 0; i < COUNT; ++i) note(host[i] == 3.0 * (i + number));
  PA_TRY(pa_cuda_statistics_now(context, &statistics));
  pa_cuda_defer_begin(context);
  pa_cuda_free(&x);
  pa_cuda_free(&y);
  pa_cuda_free(&pinned);
  pa_cuda_defer_end(context);
  pa_cuda_event_destroy(&done);
  pa_cuda_stream_destroy(&other);
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

//===-- Errors of kernels -------------------------------------------------------------------------===//

// All raise in the same kernel. An error that nobody has taken yet keeps others out, so there are fewer than launches.
static pa_status raise_often(int number) {
  pa_cuda_context *context = NULL;
  pa_kernel_failure failure;
  uint64_t slots[5] = {0, 0, 0, 0, (uint64_t)(100 * number)}; // the last is the thread that raises
  const pa_launch launch = {.slots = slots, .slot_bytes = sizeof slots, .grid = {20, 1, 1}, .block = {32, 1, 1}};
  PA_TRY(pa_cuda_context_of(number % 2, &context));
  for (int i = 0; i < 50; ++i) {
    PA_TRY(pa_kernel_launch(kernel, context, &launch));
    PA_TRY(pa_cuda_context_synchronize(context));
    while (pa_kernel_take_failure(context, &failure)) {
      const pa_device_error *error = &failure.error;
      __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
      note(failure.kernel == kernel && error->site == 7 && error->values[0] % 100 == 0 && error->values[2] == 5);
      note(error->block[0] * 32 + error->thread[0] == error->values[0]); // one error, not parts of two
    }
  }
  return PA_OK;
}

static void *run_raise(void *number) {
  const char *message = message_of(raise_often((int)(intptr_t)number));
  if (*message) fprintf(stderr, "%s\n", message);
  note(!*message);
  return NULL;
}

//===-- Shared memory -----------------------------------------------------------------------------===//

// A launch that needs more than usual raises the kernel's limit, which one that needs less must not lower again.
static void *run_shared(void *number) {
  pa_cuda_context *context = NULL;
  uint64_t slots[5] = {0, 0, 0, 0, UINT64_MAX};
  const pa_launch launch = {.slots = slots,
                            .slot_bytes = sizeof slots,
                            .grid = {1, 1, 1},
                            .block = {1, 1, 1},
                            .dynamic_shared = 200000 - 1000 * (uint32_t)(intptr_t)number};
  const char *message = message_of(pa_cuda_context_of(0, &context));
  pthread_barrier_wait(&start);
  if (!*message) message = message_of(pa_kernel_launch(kernel, context, &launch));
  if (*message) fprintf(stderr, "%s\n", message);
  note(!*message);
  return NULL;
}

static void raise_limits(void) {
  for (int round = 0; round < 100; ++round) {
    kernel = make_kernel();
    pthread_barrier_init(&start, NULL, THREADS);
    in_threads(run_shared);
    pthread_barrier_destroy(&start);
    pa_kernel_destroy(kernel);
  }
}

//===-- Programs ----------------------------------------------------------------------------------===//

static void run_threads(void) {
  pa_kernel_failure failure;
  pa_cuda_context *context = NULL;
  kernel = make_kernel();
  in_threads(run);
  CHECK_OK(pa_cuda_context_of(0, &context));
  CHECK(!pa_kernel_take_failure(context, &failure));
  CHECK(is_emulated() || fake_calls("cuModuleLoadData") == 2); // once in each context
  in_threads(run_raise);
  CHECK(failures > 0);
  pa_kernel_destroy(kernel);
  raise_limits();
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

int main(void) {
  axpy = compile_image("axpy", axpy_source);
#define DEVICES "PYARRAY_CUDA_EMULATED_DEVICES=2", "PYARRAY_NUM_THREADS=3"
#define FAKE "PYARRAY_CUDA=gpu", "PYARRAY_CUDA_DRIVER=" FAKE_DRIVER
  IN_CHILD(run_threads, FAKE, DEVICES);
  IN_CHILD(run_threads, FAKE, DEVICES, "PYARRAY_FAKE_CUDA_POOLS=0");
  IN_CHILD(run_threads, "PYARRAY_CUDA=cpu", "PYARRAY_CUDA_DRIVER=", DEVICES);
  remove_images();
  free(axpy.bytes);
  return report_checks();
}
