// Every function of the driver fails once, at each of its calls in a program that uses all of them: the failure is told
// in full or does no harm, and nothing leaks. Without OpenMP, so that the calls have an order.
#include "../../lib/runtime/cuda/ipc.h"
#include "cuda_check.h"

#include <sys/mman.h>

static image axpy;
static char ptx[320];

//===-- The program -------------------------------------------------------------------------------===//

static void count_call(void *data) { ++*(int *)data; }

static pa_status use_streams(pa_cuda_context *context, pa_cuda_stream *stream, pa_cuda_event events[2]) {
  int called = 0, least = 0, greatest = 0;
  float milliseconds = -1;
  bool done = false;
  PA_TRY(pa_cuda_stream_priorities(context, &least, &greatest));
  PA_TRY(pa_cuda_stream_create(context, CU_STREAM_NON_BLOCKING, greatest, stream));
  PA_TRY(pa_cuda_stream_adopt(context, stream->handle));
  for (int i = 0; i < 2; ++i) {
    PA_TRY(pa_cuda_event_create(context, CU_EVENT_DEFAULT, &events[i]));
    PA_TRY(pa_cuda_event_record(&events[i], stream->handle));
  }
  PA_TRY(pa_cuda_event_wait(&events[0], NULL));
  PA_TRY(pa_cuda_event_synchronize(&events[1]));
  PA_TRY(pa_cuda_event_query(&events[1], &done));
  PA_TRY(pa_cuda_event_elapsed(&events[0], &events[1], &milliseconds));
  PA_TRY(pa_cuda_stream_call_host(context, stream->handle, count_call, &called));
  PA_TRY(pa_cuda_stream_query(context, stream->handle, &done));
  PA_TRY(pa_cuda_stream_synchronize(context, stream->handle));
  CHECK(called == 1 && milliseconds >= 0);
  return PA_OK;
}

enum { COUNT = 600000, KINDS = 4 };

static pa_status share_memory(pa_cuda_context *context, const pa_cuda_buffer *pooled) {
  pa_cuda_buffer copy = {0};
  pa_cuda_ipc_memory shared;
  PA_TRY(pa_cuda_ipc_copy(pooled, &copy));
  pa_status status = pa_cuda_ipc_export(context, copy.device + 8, &shared);
  CHECK(status || (shared.offset == 8 && shared.bytes >= copy.bytes));
  pa_cuda_free(&copy);
  return status;
}

static pa_status use_memory(pa_cuda_context *context, pa_cuda_buffer buffers[], double *host) {
  static double registered[512];
  pa_cuda_address info;
  pa_cuda_statistics statistics;
  size_t unused = 0, total = 0;
  for (int i = 0; i < KINDS; ++i)
    PA_TRY(pa_cuda_allocate(context, (pa_cuda_memory)i, 0, COUNT * sizeof(double), &buffers[i]));
  PA_TRY(pa_cuda_register(context, PA_CUDA_MAP, registered, sizeof registered, &buffers[KINDS]));
  PA_TRY(pa_cuda_address_info(context, buffers[PA_CUDA_DEVICE].device, &info));
  CHECK(info.known && info.on_device && info.ordinal == 0);
  CUdeviceptr device = buffers[PA_CUDA_DEVICE].device, managed = buffers[PA_CUDA_MANAGED].device;
  PA_TRY(pa_cuda_copy_to_device(context, device, host, COUNT * sizeof(double), NULL, true));
  PA_TRY(pa_cuda_copy_on_device(context, managed, context, device, COUNT * sizeof(double), NULL));
  memset(host, 0, COUNT * sizeof(double));
  PA_TRY(pa_cuda_copy_to_host(context, host, managed, COUNT * sizeof(double), NULL, false));
  for (int i = 0; i < COUNT; i += 1000) CHECK(host[i] == i);
  PA_TRY(pa_cuda_advise(context, managed, COUNT * sizeof(double), CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  PA_TRY(pa_cuda_prefetch(context, managed, COUNT * sizeof(double), -1, NULL));
  PA_TRY(pa_cuda_copy_to_host(context, buffers[PA_CUDA_PINNED].host, device, 800, NULL, true));
  PA_TRY(pa_cuda_copy_rows(context, (pa_cuda_rows){true, managed, 16},
                           (pa_cuda_rows){false, (uint64_t)(uintptr_t)host, 24}, 8, 100, NULL, true));
  for (size_t item = 1; item <= 4; item *= 2)
    PA_TRY(pa_cuda_fill(context, buffers[PA_CUDA_MAPPED].device, 0x01020304, item, 100, NULL));
  PA_TRY(pa_cuda_memory_info(context, &unused, &total));
  PA_TRY(pa_cuda_statistics_now(context, &statistics));
  PA_TRY(share_memory(context, &buffers[PA_CUDA_DEVICE]));
  pa_cuda_defer_begin(context);
  pa_cuda_free(&buffers[PA_CUDA_DEVICE]);
  pa_cuda_defer_end(context);
  PA_TRY(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, COUNT * sizeof(double), &buffers[PA_CUDA_DEVICE]));
  return pa_cuda_trim(context);
}

static pa_status use_kernel(pa_cuda_context *context, pa_kernel *kernel, pa_cuda_buffer buffers[]) {
  double a = 2;
  uint64_t slots[5] = {0, buffers[PA_CUDA_PINNED].device, buffers[PA_CUDA_MANAGED].device, 1000, 700};
  memcpy(slots, &a, sizeof a);
  slots[1] = buffers[PA_CUDA_MAPPED].device;
  pa_launch launch = {
      .slots = slots, .slot_bytes = sizeof slots, .grid = {8, 1, 1}, .block = {128, 1, 1}, .dynamic_shared = 100000};
  pa_kernel_attributes attributes;
  pa_kernel_failure failure;
  const void *binary = NULL;
  size_t size = 0;
  int block = 0, grid = 0, blocks = 0;
  enum { PAIR = 2 | 1 << 8 | 1 << 16 }; // a cluster of two blocks
  int64_t together = 0;
  PA_TRY(pa_kernel_launch(kernel, context, &launch));
  PA_TRY(pa_cuda_context_synchronize(context));
  CHECK(pa_kernel_take_failure(context, &failure) && failure.error.site == 7 && failure.error.values[0] == 700);
  CHECK(!pa_kernel_take_failure(context, &failure));
  PA_TRY(pa_kernel_attributes_get(kernel, context, &attributes));
  CHECK(attributes.max_dynamic_shared == 100000 && attributes.shared_bytes == 1024);
  PA_TRY(pa_kernel_suggest_block(kernel, context, 0, 0, &block, &grid));
  PA_TRY(pa_kernel_active_blocks(kernel, context, 256, 0, &blocks));
  PA_TRY(pa_kernel_cooperative_blocks(kernel, context, 256, 0, 0, &together));
  PA_TRY(pa_kernel_cooperative_blocks(kernel, context, 256, 0, PAIR, &together));
  launch.cluster = PAIR;
  slots[4] = (uint64_t)-1;
  PA_TRY(pa_kernel_launch(kernel, context, &launch));
  PA_TRY(pa_kernel_binary(kernel, context, &binary, &size));
  CHECK(size == axpy.size && !memcmp(binary, axpy.bytes, size));
  return PA_OK;
}

static pa_status use_devices(pa_cuda_context **out_context) {
  pa_cuda_context *peer = NULL;
  bool can = false;
  // As another library does it, whose context is followed.
  CUcontext theirs = NULL;
  PA_TRY(pa_cuda_open());
  PA_TRY_CU(pa_cuda.DevicePrimaryCtxRetain(&theirs, 0), "making a context");
  CUresult result = pa_cuda.CtxSetCurrent(theirs);
  pa_status status = pa_cuda_context_current(out_context);
  pa_cuda.DevicePrimaryCtxRelease(0);
  PA_TRY(status);
  PA_TRY_CU(result, "using a context");
  PA_TRY(pa_cuda_device_can_access_peer(0, 1, &can));
  PA_TRY(pa_cuda_context_of(1, &peer));
  PA_TRY(pa_cuda_enable_peer_access(*out_context, peer));
  PA_TRY(pa_cuda_context_push(peer));
  PA_TRY(pa_cuda_context_pop());
  return PA_OK;
}

static pa_status copy_between_devices(pa_cuda_context *context, pa_cuda_buffer *there, CUdeviceptr here) {
  pa_cuda_context *peer = NULL;
  PA_TRY(pa_cuda_context_of(1, &peer));
  PA_TRY(pa_cuda_allocate(peer, PA_CUDA_DEVICE, 0, 800, there));
  return pa_cuda_copy_on_device(peer, there->device, context, here, 800, NULL);
}

// A failure that the program makes itself.
static void copy_nowhere(pa_cuda_context *context) {
  char byte = 0;
  CHECK_FAILS(pa_cuda_copy_to_device(context, 64, &byte, 1, NULL, true), "CUDA_ERROR_");
}

static int modules_told; // that live, as the kernel says

static pa_status tell_module(void *owner, CUmodule module, bool loads) {
  (void)owner;
  CHECK(module);
  modules_told += loads ? 1 : -1;
  return PA_OK;
}

static pa_status use_all(void) {
  static double host[COUNT];
  for (int i = 0; i < COUNT; ++i) host[i] = i;
  pa_cuda_context *context = NULL;
  pa_cuda_stream stream = {0};
  pa_cuda_event events[2] = {0};
  pa_cuda_buffer buffers[KINDS + 2] = {0};
  pa_kernel *kernel = NULL;
  const pa_kernel_input inputs[] = {{CU_JIT_INPUT_PTX, "one.ptx", "// one", 7},
                                    {CU_JIT_INPUT_OBJECT, "two.o", "two", 3}};
  pa_kernel_options options = {.name = "axpy",
                               .max_registers = 64,
                               .line_info = true,
                               .inputs = inputs,
                               .input_count = 2,
                               .on_module = tell_module};
  pa_status status = use_devices(&context);
  if (!status) copy_nowhere(context);
  if (!status) status = use_memory(context, buffers, host);
  if (!status) status = copy_between_devices(context, &buffers[KINDS + 1], buffers[PA_CUDA_MANAGED].device);
  if (!status) status = use_streams(context, &stream, events);
  if (!status) status = pa_kernel_create(ptx, strlen(ptx), &options, &kernel);
  if (!status) status = use_kernel(context, kernel, buffers);
  pa_kernel_destroy(kernel);
  CHECK(modules_told == 0);
  for (int i = 0; i < KINDS + 2; ++i) pa_cuda_free(&buffers[i]);
  for (int i = 0; i < 2; ++i) pa_cuda_event_destroy(&events[i]);
  pa_cuda_stream_destroy(&stream);
  return status;
}

//===-- Its failures ------------------------------------------------------------------------------===//

static const char *const functions[] = {
#define PA_CU(name, symbol, parameters, arguments) #symbol,
#include "../../lib/runtime/cuda/driver.def"
#undef PA_CU
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

// Of the latest child, in memory that is shared with it.
static struct {
  int64_t calls[FUNCTIONS];
  bool failed, told;
  char message[1024];
} *outcome;

static void run_program(void) {
  const char *planned = getenv("PYARRAY_FAKE_CUDA_FAIL");
  pa_status status = use_all(), closing = pa_cuda_close();
  if (!status)
    status = closing;
  else
    pa_status_free(closing);
  outcome->failed = status != NULL;
  const char *message = message_of(status);
  size_t length = strnlen(message, sizeof outcome->message - 1);
  memcpy(outcome->message, message, length);
  outcome->message[length] = 0;
  outcome->told = strstr(message, "CUDA_ERROR_UNKNOWN (unknown error); see the kernel log");
  for (int i = 0; i < FUNCTIONS; ++i) outcome->calls[i] = fake_calls(functions[i]);
  CHECK(fake_leaks() == 0);
  if (fake_leaks()) fprintf(stderr, "leak after %s: %s\n", planned ? planned : "nothing", message);
}

// Functions whose failures need not be told: they give something up, or something else can be done.
static bool is_harmless(const char *function) {
  static const char *const names[] = {"cuGetErrorName",     "cuGetErrorString",  "cuDriverGetVersion",
                                      "cuStreamDestroy_v2", "cuEventDestroy_v2", "cuMemFree_v2",
                                      "cuMemFreeAsync",     "cuMemFreeHost",     "cuMemHostUnregister",
                                      "cuModuleUnload",     "cuLinkDestroy",     "cuCtxGetDevice"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i], function)) return true;
  return false;
}

// Not called by the library, for users of the table; what needs a second process (test_cuda_ipc.py); graphs, which
// emulated devices do not have (lib/runtime/cuda/graph_steps.c).
static bool is_unused(const char *function) {
  return strstr(function, "Profiler") || strstr(function, "cuGraph") || strstr(function, "Capture") ||
         strstr(function, "cuIpcOpen") || strstr(function, "cuIpcClose");
}

static void fail_each_call(const char *function, int64_t calls, const char *pools) {
  int told = 0;
  for (int64_t call = 1; call <= calls; ++call) {
    char plan[128];
    snprintf(plan, sizeof plan, "PYARRAY_FAKE_CUDA_FAIL=%s:%lld=999", function, (long long)call);
    IN_CHILD(run_program, "PYARRAY_CUDA=gpu", "PYARRAY_CUDA_DRIVER=" FAKE_DRIVER, "PYARRAY_CUDA_EMULATED_DEVICES=2",
             "PYARRAY_NUM_THREADS=2", "PYARRAY_OPENMP_LIBRARY=/nowhere", pools, plan);
    bool is_right = !outcome->failed || outcome->told;
    // Failures of opening have a text of their own.
    if (outcome->failed && strstr(outcome->message, "there is no GPU that can be used: cu"))
      is_right = outcome->told = strstr(outcome->message, "CUDA_ERROR_UNKNOWN") != NULL;
    if (!is_right) fprintf(stderr, "%s: %s\n", plan, outcome->message);
    CHECK(is_right);
    told += outcome->told;
  }
  if (!told && calls && !is_harmless(function)) fprintf(stderr, "%s: its failures are never told\n", function);
  CHECK(told || !calls || is_harmless(function));
}

// Without pools, only the functions that this changes.
static void fail_each_function(const char *pools, const int64_t *already, int64_t *out_calls) {
  IN_CHILD(run_program, "PYARRAY_CUDA=gpu", "PYARRAY_CUDA_DRIVER=" FAKE_DRIVER, "PYARRAY_CUDA_EMULATED_DEVICES=2",
           "PYARRAY_NUM_THREADS=2", "PYARRAY_OPENMP_LIBRARY=/nowhere", pools);
  if (outcome->failed) fprintf(stderr, "%s\n", outcome->message);
  REQUIRE(!outcome->failed);
  memcpy(out_calls, outcome->calls, sizeof outcome->calls);
  for (int i = 0; i < FUNCTIONS; ++i)
    if (out_calls[i] != already[i]) fail_each_call(functions[i], out_calls[i], pools);
}

//===-- Memory ------------------------------------------------------------------------------------===//

// The first attempt fails; room is made, and the second succeeds.
static void allocates_again(void) {
  pa_cuda_context *context = NULL;
  pa_cuda_buffer buffer = {0};
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 100, &buffer));
  CHECK(fake_calls("cuMemPoolTrimTo") + fake_calls("cuMemAlloc_v2") >= 1);
  pa_cuda_free(&buffer);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

static void allocation_fails(void) {
  pa_cuda_context *context = NULL;
  pa_cuda_buffer buffer = {0};
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK_FAILS(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 100, &buffer),
              "allocating 100 bytes of device memory on device 0 (fake GPU 0), where ");
  CHECK(pa_cuda_last_result() == CUDA_ERROR_OUT_OF_MEMORY && !buffer.device && !buffer.bytes);
  pa_cuda_free(&buffer);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

static void linking_fails(void) {
  const char *text = "// error: line 3: unknown instruction\n";
  pa_cuda_context *context = NULL;
  pa_kernel *kernel = NULL;
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK_OK(pa_kernel_create(text, strlen(text), &(pa_kernel_options){.name = "broken"}, &kernel));
  CHECK_FAILS(pa_kernel_load(kernel, context), "compiling the PTX of kernel broken:\nline 3: unknown instruction: "
                                               "CUDA_ERROR_INVALID_PTX");
  pa_kernel_destroy(kernel);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

// What is linked with it names itself, and what was loaded before goes on.
static void inputs_fail(void) {
  static const struct {
    pa_kernel_input input;
    const char *text, *log;
  } rows[] = {
      {{CU_JIT_INPUT_PTX, "bad.ptx", "// error: line 3\n", 18},
       "bad.ptx cannot be linked with kernel axpy: CUDA_ERROR_INVALID_PTX (",
       ":\nline 3"},
      {{CU_JIT_INPUT_OBJECT, "old.o", "// error: for sm_75\n", 20},
       "old.o cannot be linked with kernel axpy: CUDA_ERROR_INVALID_IMAGE (",
       ":\nfor sm_75\nit must hold relocatable code for sm_90"},
      {{CU_JIT_INPUT_LIBRARY, "all.a", "// undefined: f\n", 16},
       "linking kernel axpy with all.a: CUDA_ERROR_INVALID_PTX (",
       ":\nf"},
  };
  pa_cuda_context *context = NULL;
  CHECK_OK(pa_cuda_context_current(&context));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    pa_kernel *kernel = NULL;
    const pa_kernel_options options = {.name = "axpy", .inputs = &rows[i].input, .input_count = 1};
    CHECK_OK(pa_kernel_create(ptx, strlen(ptx), &options, &kernel));
    CHECK_FAILS(pa_kernel_load(kernel, context), rows[i].text);
    CHECK_FAILS(pa_kernel_load(kernel, context), rows[i].log);
    pa_kernel_destroy(kernel);
  }
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

static pa_status refuse_module(void *owner, CUmodule module, bool loads) {
  (void)owner, (void)module;
  CHECK(loads); // what was not set up is not torn down
  return pa_fail(PA_CODE_INVALID, NULL, "not this one");
}

static void a_refused_module(void) {
  pa_cuda_context *context = NULL;
  pa_kernel *kernel = NULL;
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK_OK(
      pa_kernel_create(ptx, strlen(ptx), &(pa_kernel_options){.name = "axpy", .on_module = refuse_module}, &kernel));
  for (int i = 0; i < 2; ++i) CHECK_FAILS(pa_kernel_load(kernel, context), "not this one");
  pa_kernel_destroy(kernel);
  CHECK_OK(pa_cuda_close());
  CHECK(fake_leaks() == 0);
}

#define FAKE "PYARRAY_CUDA=gpu", "PYARRAY_CUDA_DRIVER=" FAKE_DRIVER

int main(void) {
  static int64_t none[FUNCTIONS], with_pools[FUNCTIONS], without[FUNCTIONS];
  axpy = compile_image("axpy", axpy_source);
  snprintf(ptx, sizeof ptx, "// object: %s\n// it has the variable pyarray_error\n", axpy.path);
  outcome = mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(outcome != MAP_FAILED);
  for (int i = 0; i < FUNCTIONS; ++i) none[i] = -1;
  fail_each_function("PYARRAY_FAKE_CUDA_POOLS=1", none, with_pools);
  fail_each_function("PYARRAY_FAKE_CUDA_POOLS=0", with_pools, without);
  for (int i = 0; i < FUNCTIONS; ++i) {
    bool is_tried = with_pools[i] || without[i] || is_unused(functions[i]);
    if (!is_tried) fprintf(stderr, "%s is never called\n", functions[i]);
    CHECK(is_tried);
  }
  IN_CHILD(allocates_again, FAKE, "PYARRAY_FAKE_CUDA_FAIL=cuMemAllocAsync:1=2");
  IN_CHILD(allocates_again, FAKE, "PYARRAY_FAKE_CUDA_POOLS=0", "PYARRAY_FAKE_CUDA_FAIL=cuMemAlloc_v2:1=2");
  IN_CHILD(allocation_fails, FAKE, "PYARRAY_FAKE_CUDA_FAIL=cuMemAllocAsync:*=2");
  IN_CHILD(allocation_fails, FAKE, "PYARRAY_FAKE_CUDA_POOLS=0", "PYARRAY_FAKE_CUDA_FAIL=cuMemAlloc_v2:*=2");
  IN_CHILD(linking_fails, FAKE);
  IN_CHILD(inputs_fail, FAKE);
  IN_CHILD(a_refused_module, FAKE);
  remove_images();
  free(axpy.bytes);
  return report_checks();
}
