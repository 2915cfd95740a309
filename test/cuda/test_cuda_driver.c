// lib/runtime/cuda/driver.c: which driver is taken, and what is said where it cannot be used.
#include "../../lib/runtime/cuda/emulator.h"
#include "cuda_check.h"

#include <pthread.h>

#define FAKE "PYARRAY_CUDA_DRIVER=" FAKE_DRIVER
#define GPU "PYARRAY_CUDA=gpu"

static void takes_gpu(void) {
  const pa_cuda_device *device = NULL;
  CHECK_OK(pa_cuda_open());
  CHECK(pa_cuda_kind_opened() == PA_CUDA_GPU && !pa_cuda_is_fallback());
  CHECK(!*pa_cuda_problem() && pa_cuda_driver_version() == 12000);
  CHECK_OK(pa_cuda_device_get(0, &device));
  CHECK(device && !strcmp(device->name, "fake GPU 0"));
}

static void takes_emulator(void) {
  const pa_cuda_device *device = NULL;
  CHECK_OK(pa_cuda_open());
  CHECK(pa_cuda_kind_opened() == PA_CUDA_EMULATOR && !pa_cuda_is_fallback());
  CHECK_OK(pa_cuda_device_get(0, &device));
  CHECK(device && !strcmp(device->name, "pyarray emulator"));
}

static void falls_back(void) {
  CHECK_OK(pa_cuda_open());
  CHECK(pa_cuda_kind_opened() == PA_CUDA_EMULATOR && pa_cuda_is_fallback());
  CHECK(strstr(pa_cuda_problem(), "CUDA_ERROR_NO_DEVICE"));
}

static pa_code code_of(pa_status status) {
  pa_code code = status ? pa_status_code(status) : PA_CODE_INTERNAL;
  pa_status_free(status);
  return code;
}

// Every call says the same, and the table refuses.
static void refuses(const char *part) {
  int count = 0;
  CHECK_FAILS(pa_cuda_open(), part);
  CHECK_FAILS(pa_cuda_open(), part);
  CHECK(code_of(pa_cuda_open()) == PA_CODE_NO_DEVICE);
  CHECK(pa_cuda_kind_opened() == PA_CUDA_NONE);
  CHECK(pa_cuda.DeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
}

static void without_library(void) { refuses("there is no GPU that can be used: /nowhere/libcuda.so"); }
static void without_symbols(void) { refuses("the NVIDIA driver is too old"); }
static void without_devices(void) { refuses("CUDA_ERROR_NO_DEVICE"); }
static void without_init(void) {
  refuses("cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (the driver and its library have different versions); restart");
}

static void wrong_choice(void) {
  CHECK_FAILS(pa_cuda_open(), "PYARRAY_CUDA is 'maybe': it is gpu, cpu, or unset");
  CHECK(code_of(pa_cuda_open()) == PA_CODE_INVALID);
}

static void before_opening(void) {
  CUcontext context = NULL;
  CHECK(pa_cuda.CtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED);
  CHECK(pa_cuda_driver_version() == 0);
}

// A driver without the optional functions works, without pools.
static void old_driver(void) {
  pa_cuda_context *context = NULL;
  pa_cuda_buffer buffer = {0};
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK(!context->device->has_memory_pools);
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 1000, &buffer));
  CHECK(pa_cuda.ProfilerStart() == CUDA_ERROR_NOT_SUPPORTED);
  pa_cuda_free(&buffer);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

static void wrong_number(void) {
  CHECK_FAILS(pa_cuda_open(), "it is a number from 1 to 16, or unset");
  CHECK(pa_cuda_kind_opened() == PA_CUDA_NONE);
}

static void many_devices(void) {
  int32_t count = 0;
  const pa_cuda_device *device = NULL;
  int value = 0;
  bool can = true;
  CHECK_OK(pa_cuda_device_count(&count));
  CHECK(count == 3);
  CHECK_OK(pa_cuda_device_get(2, &device));
  CHECK(device->ordinal == 2 && device->capability[0] == 9 && device->capability[1] == 0);
  CHECK(!strncmp(device->uuid, "GPU-", 4) && strlen(device->uuid) == 40);
  CHECK(!strcmp(device->pci_bus_id, "0000:00:02.0"));
  CHECK_FAILS(pa_cuda_device_get(3, &device), "there is no device 3: devices are 0 to 2");
  CHECK_FAILS(pa_cuda_device_get(-1, &device), "there is no device -1");
  CHECK_OK(pa_cuda_device_attribute(1, (CUdevice_attribute)pa_cuda_attribute_by_name("WARP_SIZE"), &value));
  CHECK(value == 32);
  CHECK_FAILS(pa_cuda_device_attribute(1, (CUdevice_attribute)9999, &value), "CUDA_ERROR_INVALID_VALUE");
  CHECK(pa_cuda_last_result() == CUDA_ERROR_INVALID_VALUE);
  CHECK(pa_cuda_attribute_by_name("NO_SUCH") == -1);
  CHECK(!strcmp(pa_cuda_attribute_name(0), "MAX_THREADS_PER_BLOCK") && !pa_cuda_attribute_name(1000));
  CHECK_OK(pa_cuda_device_can_access_peer(0, 1, &can));
  CHECK(can);
  CHECK_OK(pa_cuda_device_can_access_peer(1, 1, &can));
  CHECK(!can);
}

//===-- Threads and fork --------------------------------------------------------------------------===//

static void *open_in_thread(void *out_context) {
  pa_cuda_context *context = NULL;
  pa_status status = pa_cuda_context_current(&context);
  *(pa_cuda_context **)out_context = status ? NULL : context;
  pa_status_free(status);
  return NULL;
}

static void opened_once(void) {
  enum { THREADS = 8 };
  pthread_t threads[THREADS];
  pa_cuda_context *contexts[THREADS];
  for (int i = 0; i < THREADS; ++i) REQUIRE(!pthread_create(&threads[i], NULL, open_in_thread, &contexts[i]));
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; ++i) CHECK(contexts[i] && contexts[i] == contexts[0]);
  CHECK(fake_calls("cuInit") == 1 && fake_calls("cuDevicePrimaryCtxRetain") == 1);
  CHECK_OK(pa_cuda_close());
}

static pa_cuda_context *parents_context;
static pa_cuda_buffer parents_buffer;
static pa_cuda_stream parents_stream;

static void after_fork(void) {
  pa_cuda_context *context = NULL;
  pa_cuda_buffer buffer = {0};
  CHECK_FAILS(pa_cuda_open(), "this process was forked");
  CHECK_FAILS(pa_cuda_context_current(&context), "multiprocessing.get_context(\"spawn\")");
  CHECK(strstr(pa_cuda_problem(), "forked"));
  CHECK_FAILS(pa_cuda_allocate(parents_context, PA_CUDA_DEVICE, 0, 100, &buffer), "this process was forked");
  CHECK_FAILS(pa_cuda_stream_synchronize(parents_context, parents_stream.handle), "this process was forked");
  pa_cuda_free(&parents_buffer);
  pa_cuda_stream_destroy(&parents_stream);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_calls("cuMemFreeAsync") == 0 && fake_calls("cuStreamDestroy_v2") == 0);
}

static void forks(void) {
  CHECK_OK(pa_cuda_context_current(&parents_context));
  CHECK_OK(pa_cuda_allocate(parents_context, PA_CUDA_DEVICE, 0, 100, &parents_buffer));
  CHECK_OK(pa_cuda_stream_create(parents_context, CU_STREAM_DEFAULT, 0, &parents_stream));
  IN_CHILD(after_fork, "NOTHING=1");
  pa_cuda_free(&parents_buffer);
  pa_cuda_stream_destroy(&parents_stream);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

// A child of a process that has not opened the driver may.
static void forks_early(void) { IN_CHILD(takes_gpu, GPU); }

//===-- Contexts ----------------------------------------------------------------------------------===//

static void contexts(void) {
  pa_cuda_context *first = NULL, *second = NULL, *now = NULL;
  CUcontext driver = NULL;
  CHECK_OK(pa_cuda_context_current(&first));
  CHECK(first->device->ordinal == 0);
  CHECK_OK(pa_cuda_context_of(1, &second));
  CHECK_OK(pa_cuda_context_push(second));
  CHECK_OK(pa_cuda_context_current(&now));
  CHECK(now == second && !pa_cuda.CtxGetCurrent(&driver) && driver == second->handle);
  CHECK_OK(pa_cuda_context_pop());
  CHECK_OK(pa_cuda_context_current(&now));
  CHECK(now == first && !pa_cuda.CtxGetCurrent(&driver) && driver == first->handle);
  CHECK_FAILS(pa_cuda_context_pop(), "no context was pushed");
  CHECK_OK(pa_cuda_context_select(second));
  CHECK_OK(pa_cuda_context_current(&now));
  CHECK(now == second);
  CHECK_FAILS(pa_cuda_context_of(7, &now), "there is no device 7");
  for (int i = 0; i < 16; ++i) CHECK_OK(pa_cuda_context_push(first));
  CHECK_FAILS(pa_cuda_context_push(first), "nested more than 16 deep");
  CHECK_OK(pa_cuda_enable_peer_access(first, second));
  CHECK_FAILS(pa_cuda_enable_peer_access(first, first), "CUDA_ERROR_INVALID_VALUE");
  // A call for another device's context puts back what another library has made current.
  CHECK(!pa_cuda.CtxSetCurrent(first->handle));
  CHECK_OK(pa_cuda_context_synchronize(second));
  CHECK(!pa_cuda.CtxGetCurrent(&driver) && driver == first->handle);
  CHECK_OK(pa_cuda_close());
  CHECK(!first->handle && fake_leaks() == 0);
  CHECK_FAILS(pa_cuda_context_synchronize(first), "the context of device 0 was closed");
  CHECK_OK(pa_cuda_context_current(&now));
  CHECK(now == first && now->handle);
  CHECK_OK(pa_cuda_close());
}

// As PyTorch or CuPy leave it.
static void follows_the_driver(void) {
  pa_cuda_context *context = NULL;
  CUcontext theirs = NULL;
  CHECK_OK(pa_cuda_open());
  CHECK(!pa_cuda.DevicePrimaryCtxRetain(&theirs, 1) && !pa_cuda.CtxSetCurrent(theirs));
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK(context->device->ordinal == 1 && context->handle == theirs);
  CHECK_OK(pa_cuda_close());
  CHECK(!pa_cuda.DevicePrimaryCtxRelease(1));
  CHECK(fake_leaks() == 0);
}

// What was made before a reset is gone, and its struct may still be freed.
static void resets(void) {
  pa_cuda_context *context = NULL;
  pa_cuda_buffer buffer = {0};
  pa_cuda_event event = {0};
  pa_cuda_stream stream = {0};
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 100, &buffer));
  CHECK_OK(pa_cuda_event_create(context, CU_EVENT_DEFAULT, &event));
  CHECK_OK(pa_cuda_stream_create(context, CU_STREAM_DEFAULT, 0, &stream));
  CHECK_OK(pa_cuda_context_reset(context));
  CHECK_FAILS(pa_cuda_event_record(&event, NULL), "the event is gone: the context of device 0 was reset or closed");
  CHECK_FAILS(pa_cuda_resource_check(&stream.resource, "the stream"), "the stream is gone");
  CHECK(fake_calls("cuMemFreeAsync") == 1);
  pa_cuda_free(&buffer);
  pa_cuda_event_destroy(&event);
  pa_cuda_stream_destroy(&stream);
  CHECK_FAILS(pa_cuda_event_record(&event, NULL), "the event was freed");
  CHECK(fake_calls("cuMemFreeAsync") == 1 && fake_calls("cuEventDestroy_v2") == 1);
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 100, &buffer));
  pa_cuda_free(&buffer);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

// A thread that had selected a context before everything was closed starts anew.
static pthread_barrier_t barrier;

static void *outlive_closing(void *unused) {
  pa_cuda_context *context = NULL, *second = NULL;
  CUcontext driver = NULL;
  CHECK_OK(pa_cuda_context_of(1, &second));
  CHECK_OK(pa_cuda_context_push(second));
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier); // closed in between
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK(context->device->ordinal == 0 && context->handle);
  CHECK(!pa_cuda.CtxGetCurrent(&driver) && driver == context->handle);
  CHECK_FAILS(pa_cuda_context_pop(), "no context was pushed");
  return unused;
}

static void closes_for_all(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  REQUIRE(!pthread_create(&thread, NULL, outlive_closing, NULL));
  pthread_barrier_wait(&barrier);
  CHECK_OK(pa_cuda_close());
  pthread_barrier_wait(&barrier);
  pthread_join(thread, NULL);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

int main(void) {
  IN_CHILD(before_opening, GPU);
  IN_CHILD(takes_gpu, GPU, FAKE);
  IN_CHILD(takes_gpu, "PYARRAY_CUDA=", FAKE);
  IN_CHILD(takes_emulator, "PYARRAY_CUDA=cpu", FAKE);
  IN_CHILD(falls_back, "PYARRAY_CUDA=", FAKE, "PYARRAY_FAKE_CUDA_NONE=1");
  IN_CHILD(falls_back, "PYARRAY_CUDA=", FAKE, "PYARRAY_FAKE_CUDA_FAIL=cuInit:1=100");
  IN_CHILD(without_library, GPU, "PYARRAY_CUDA_DRIVER=/nowhere/libcuda.so");
  IN_CHILD(without_symbols, GPU, "PYARRAY_CUDA_DRIVER=libm.so.6");
  IN_CHILD(without_devices, GPU, FAKE, "PYARRAY_FAKE_CUDA_NONE=1");
  IN_CHILD(without_init, GPU, FAKE, "PYARRAY_FAKE_CUDA_FAIL=cuInit:1=803");
  IN_CHILD(wrong_choice, "PYARRAY_CUDA=maybe", FAKE);
  IN_CHILD(old_driver, GPU, "PYARRAY_CUDA_DRIVER=" FAKE_OLD_DRIVER);
  IN_CHILD(many_devices, "PYARRAY_CUDA=cpu", "PYARRAY_CUDA_EMULATED_DEVICES=3");
  IN_CHILD(wrong_number, "PYARRAY_CUDA=cpu", "PYARRAY_CUDA_EMULATED_DEVICES=many");
  IN_CHILD(wrong_number, "PYARRAY_CUDA=cpu", "PYARRAY_CUDA_EMULATED_DEVICES=17");
  IN_CHILD(opened_once, GPU, FAKE);
  IN_CHILD(forks, GPU, FAKE);
  IN_CHILD(forks_early, FAKE);
  IN_CHILD(contexts, GPU, FAKE, "PYARRAY_CUDA_EMULATED_DEVICES=2");
  IN_CHILD(follows_the_driver, GPU, FAKE, "PYARRAY_CUDA_EMULATED_DEVICES=2");
  IN_CHILD(closes_for_all, GPU, FAKE, "PYARRAY_CUDA_EMULATED_DEVICES=2");
  IN_CHILD(resets, GPU, FAKE);
  return report_checks();
}
