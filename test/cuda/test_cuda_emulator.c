// lib/runtime/cuda/emulator*.c, and what is built on the table, over host memory.
#include "../../lib/runtime/cuda/emulator.h"
#include "../../lib/runtime/runtime.h"
#include "cuda_check.h"

static image axpy;
static pa_cuda_context *context;

//===-- Memory ------------------------------------------------------------------------------------===//

static void bounds(void) {
  pa_cuda_buffer buffer = {0};
  char bytes[256] = {0};
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 100, &buffer));
  CHECK_OK(pa_cuda_copy_to_device(context, buffer.device, bytes, 100, NULL, true));
  CHECK_OK(pa_cuda_copy_to_device(context, buffer.device + 99, bytes, 1, NULL, true));
  CHECK_FAILS(pa_cuda_copy_to_device(context, buffer.device, bytes, 101, NULL, true),
              "copying 101 bytes to device 0: CUDA_ERROR_INVALID_VALUE");
  CHECK_FAILS(pa_cuda_copy_to_device(context, buffer.device - 1, bytes, 2, NULL, true), "CUDA_ERROR_INVALID_VALUE");
  CHECK_FAILS(pa_cuda_copy_to_host(context, bytes, buffer.device + 100, 1, NULL, true),
              "copying 1 bytes from device 0");
  CHECK_FAILS(pa_cuda_copy_to_host(context, bytes, (CUdeviceptr)(uintptr_t)bytes, 1, NULL, true), "INVALID_VALUE");
  CHECK_FAILS(pa_cuda_copy_on_device(context, buffer.device, context, buffer.device + 50, 51, NULL), "INVALID_VALUE");
  CHECK_FAILS(pa_cuda_fill(context, buffer.device, 0, 1, 101, NULL), "filling 101 items of 1 bytes on device 0");
  CHECK_FAILS(pa_cuda_fill(context, buffer.device + 1, 0, 2, 1, NULL), "INVALID_VALUE");
  CHECK_FAILS(pa_cuda_fill(context, buffer.device, 0, 3, 1, NULL), "INVALID_VALUE");
  CUdeviceptr gone = buffer.device;
  pa_cuda_free(&buffer);
  CHECK_FAILS(pa_cuda_copy_to_host(context, bytes, gone, 1, NULL, true), "INVALID_VALUE");
  CHECK(pa_cuda.MemFree(gone) == CUDA_ERROR_INVALID_VALUE);
  CHECK_FAILS(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, (size_t)1 << 60, &buffer), "CUDA_ERROR_OUT_OF_MEMORY");
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 0, &buffer));
  CHECK(!buffer.device);
  CHECK_OK(pa_cuda_copy_to_device(context, buffer.device, bytes, 0, NULL, true));
  pa_cuda_free(&buffer);
}

static void rows(void) {
  pa_cuda_buffer buffer = {0};
  unsigned char host[64], back[64];
  for (int i = 0; i < 64; ++i) host[i] = (unsigned char)i, back[i] = 255;
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 64, &buffer));
  CHECK_OK(pa_cuda_fill(context, buffer.device, 255, 1, 64, NULL));
  pa_cuda_rows device = {true, buffer.device, 16}, from = {false, (uint64_t)(uintptr_t)host, 8},
               to = {false, (uint64_t)(uintptr_t)back, 5};
  CHECK_OK(pa_cuda_copy_rows(context, device, from, 3, 4, NULL, true));
  CHECK_OK(pa_cuda_copy_rows(context, to, device, 4, 4, NULL, true));
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 3; ++i) CHECK(back[5 * row + i] == 8 * row + i);
    CHECK(back[5 * row + 3] == 255 && back[5 * row + 4] == 255);
  }
  CHECK_FAILS(pa_cuda_copy_rows(context, device, from, 9, 4, NULL, true), "4 rows of 9 bytes, 8 and 16 bytes apart");
  device.pitch = 17;
  CHECK_FAILS(pa_cuda_copy_rows(context, device, from, 14, 4, NULL, true), "INVALID_VALUE");
  pa_cuda_free(&buffer);
}

static void fills(void) {
  pa_cuda_buffer buffer = {0};
  unsigned char host[16];
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_MANAGED, 0, 16, &buffer));
  CHECK_OK(pa_cuda_fill(context, buffer.device, 0x04030201, 4, 4, NULL));
  CHECK_OK(pa_cuda_fill(context, buffer.device + 4, 0x0605, 2, 1, NULL));
  CHECK_OK(pa_cuda_fill(context, buffer.device + 6, 9, 1, 3, NULL));
  CHECK_OK(pa_cuda_copy_to_host(context, host, buffer.device, 16, NULL, true));
  CHECK(!memcmp(host, "\1\2\3\4\5\6\11\11\11\2\3\4\1\2\3\4", 16));
  CHECK(!memcmp(buffer.host, host, 16));
  pa_cuda_free(&buffer);
}

static void kinds_of_memory(void) {
  static char mine[8192];
  pa_cuda_buffer pinned = {0}, mapped = {0}, managed = {0}, registered = {0};
  pa_cuda_address info;
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_PINNED, PA_CUDA_PORTABLE, 64, &pinned));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_MAPPED, 0, 64, &mapped));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_MANAGED, PA_CUDA_ATTACH_HOST, 64, &managed));
  CHECK(pinned.host && !pinned.device && mapped.host && mapped.device && managed.host && managed.device);
  CHECK_OK(pa_cuda_address_info(context, (uint64_t)(uintptr_t)pinned.host, &info));
  CHECK(info.known && !info.on_device && info.ordinal == -1);
  CHECK_OK(pa_cuda_address_info(context, managed.device + 63, &info));
  CHECK(info.known && info.on_device && info.managed && info.ordinal == 0);
  CHECK_OK(pa_cuda_address_info(context, (uint64_t)(uintptr_t)mine, &info));
  CHECK(!info.known && info.ordinal == -1);
  CHECK_OK(pa_cuda_register(context, PA_CUDA_MAP, mine, sizeof mine, &registered));
  CHECK(registered.device && registered.host == mine);
  CHECK_FAILS(pa_cuda_register(context, 0, mine + 4096, 10, &(pa_cuda_buffer){0}), "host memory is pinned already");
  CHECK_OK(pa_cuda_address_info(context, (uint64_t)(uintptr_t)mine, &info));
  CHECK(info.known && !info.on_device);
  pa_cuda_free(&registered);
  CHECK_OK(pa_cuda_address_info(context, (uint64_t)(uintptr_t)mine, &info));
  CHECK(!info.known);
  pa_cuda_free(&pinned);
  pa_cuda_free(&mapped);
  pa_cuda_free(&managed);
}

static pa_cuda_statistics statistics(void) {
  pa_cuda_statistics now = {0};
  CHECK_OK(pa_cuda_statistics_now(context, &now));
  return now;
}

static void counting(void) {
  pa_cuda_buffer a = {0}, b = {0}, c = {0};
  CHECK_OK(pa_cuda_context_reset(context));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 1000, &a));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_PINNED, 0, 500, &b));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 2000, &c));
  pa_cuda_statistics now = statistics();
  CHECK(now.allocations == 3 && now.frees == 0 && now.device_bytes == 3000 && now.host_bytes == 500);
  pa_cuda_defer_begin(context);
  pa_cuda_defer_begin(context);
  pa_cuda_free(&a);
  pa_cuda_free(&b);
  pa_cuda_defer_end(context);
  now = statistics();
  CHECK(now.frees == 2 && now.deferred == 2 && now.device_bytes == 2000 && now.device_bytes_high == 3000);
  CHECK(now.reserved_bytes == 3000 && pa_emulator_counts_now().registered_memory == 1);
  pa_cuda_defer_end(context);
  now = statistics();
  CHECK(now.deferred == 0 && now.reserved_bytes == 2000 && pa_emulator_counts_now().host_memory == 0);
  size_t unused = 0, total = 0;
  CHECK_OK(pa_cuda_memory_info(context, &unused, &total));
  CHECK(total - unused == 2000);
  pa_cuda_free(&c);
  CHECK_OK(pa_cuda_trim(context));
}

// Pinned and mapped memory is the host's until it is freed, and is freed once.
static void host_memory_outlives(void) {
  pa_cuda_buffer pinned = {0}, mapped = {0}, managed = {0}, freed = {0};
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_PINNED, 0, 300000, &pinned));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_MAPPED, 0, 300000, &mapped));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_PINNED, 0, 300000, &freed));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_MANAGED, 0, 100, &managed));
  memset(pinned.host, 1, 300000);
  memset(mapped.host, 2, 300000);
  CHECK_FAILS(pa_cuda_context_reset(context),
              "resetting the context of device 0 would free 1 managed array in use: delete it first");
  CHECK_FAILS(pa_cuda_close(), "closing the context of device 0 would free 1 managed array in use");
  CHECK(pa_emulator_counts_now().registered_memory == 3);
  pa_cuda_free(&managed);
  pa_cuda_defer_begin(context);
  pa_cuda_free(&freed);
  CHECK_OK(pa_cuda_context_reset(context));
  pa_cuda_defer_end(context);
  CHECK(pa_emulator_counts_now().registered_memory == 0 && pinned.host && mapped.host && !freed.host);
  CHECK(((char *)pinned.host)[299999] == 1 && ((char *)mapped.host)[299999] == 2);
  pa_cuda_free(&pinned);
  CHECK_OK(pa_cuda_close());
  ((char *)mapped.host)[0] = 3;
  pa_cuda_free(&mapped);
  CHECK(!pinned.host && !mapped.host);
  CHECK_OK(pa_cuda_context_current(&context));
}

//===-- Streams and events ------------------------------------------------------------------------===//

static void called(void *data) { ++*(int *)data; }

static void streams_and_events(void) {
  pa_cuda_stream stream = {0};
  pa_cuda_event start = {0}, end = {0}, untimed = {0};
  float milliseconds = -1;
  bool done = false;
  int calls = 0;
  CHECK_OK(pa_cuda_stream_create(context, CU_STREAM_DEFAULT, 0, &stream));
  CHECK_OK(pa_cuda_event_create(context, CU_EVENT_DEFAULT, &start));
  CHECK_OK(pa_cuda_event_create(context, CU_EVENT_DEFAULT, &end));
  CHECK_OK(pa_cuda_event_create(context, CU_EVENT_DISABLE_TIMING, &untimed));
  CHECK_OK(pa_cuda_event_record(&start, stream.handle));
  CHECK_FAILS(pa_cuda_event_elapsed(&start, &end, &milliseconds),
              "the time between two events: CUDA_ERROR_INVALID_HANDLE");
  CHECK_OK(pa_cuda_event_record(&end, CU_STREAM_PER_THREAD));
  CHECK_OK(pa_cuda_event_record(&untimed, CU_STREAM_LEGACY));
  CHECK_OK(pa_cuda_event_elapsed(&start, &end, &milliseconds));
  CHECK(milliseconds >= 0 && milliseconds < 60000);
  CHECK_FAILS(pa_cuda_event_elapsed(&start, &untimed, &milliseconds), "CUDA_ERROR_INVALID_HANDLE");
  CHECK_OK(pa_cuda_event_wait(&start, NULL));
  CHECK_OK(pa_cuda_event_query(&start, &done));
  CHECK(done);
  CHECK_OK(pa_cuda_stream_call_host(context, stream.handle, called, &calls));
  CHECK_OK(pa_cuda_stream_synchronize(context, stream.handle));
  CHECK(calls == 1);
  CUstream gone = stream.handle;
  pa_cuda_stream_destroy(&stream);
  CHECK_FAILS(pa_cuda_stream_synchronize(context, gone), "waiting for a stream of device 0: CUDA_ERROR_INVALID_HANDLE");
  CHECK_FAILS(pa_cuda_stream_query(context, (CUstream)&calls, &done), "CUDA_ERROR_INVALID_HANDLE");
  pa_cuda_event_destroy(&start);
  pa_cuda_event_destroy(&end);
  pa_cuda_event_destroy(&untimed);
  pa_cuda_event_destroy(&untimed);
}

//===-- Kernels -----------------------------------------------------------------------------------===//

static pa_kernel *make_kernel(int64_t dynamic_shared) {
  pa_kernel *kernel = NULL;
  pa_kernel_options options = {.name = "axpy", .dynamic_shared = dynamic_shared, .owner = &axpy};
  CHECK_OK(pa_kernel_create(axpy.bytes, axpy.size, &options, &kernel));
  REQUIRE(kernel);
  return kernel;
}

typedef struct arguments {
  double a;
  uint64_t x, y;
  int64_t n, bad;
} arguments;

enum { COUNT = 100000 };

static void launches(void) {
  static double x[COUNT], y[COUNT];
  pa_cuda_buffer a = {0}, b = {0};
  pa_kernel *kernel = make_kernel(0);
  CHECK(pa_kernel_owner(kernel) == &axpy && !strcmp(pa_kernel_name(kernel), "axpy"));
  for (int i = 0; i < COUNT; ++i) x[i] = i, y[i] = 1;
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, sizeof x, &a));
  CHECK_OK(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, sizeof y, &b));
  CHECK_OK(pa_cuda_copy_to_device(context, a.device, x, sizeof x, NULL, true));
  CHECK_OK(pa_cuda_copy_to_device(context, b.device, y, sizeof y, NULL, true));
  arguments slots = {2, a.device, b.device, COUNT, -1};
  pa_launch launch = {.slots = &slots, .slot_bytes = sizeof slots, .grid = {5, 4, 40}, .block = {8, 4, 4}};
  for (int i = 0; i < 3; ++i) CHECK_OK(pa_kernel_launch(kernel, context, &launch));
  CHECK_OK(pa_cuda_context_synchronize(context));
  CHECK_OK(pa_cuda_copy_to_host(context, y, b.device, sizeof y, NULL, true));
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) wrong += y[i] != 1 + 6.0 * i;
  CHECK(wrong == 0);
  pa_kernel_destroy(kernel);
  pa_cuda_free(&a);
  pa_cuda_free(&b);
}

static void launch_limits(void) {
  pa_kernel *kernel = make_kernel(4096);
  pa_kernel_attributes attributes;
  pa_kernel_failure failure;
  int block = 0, grid = 0, blocks = 0;
  arguments slots = {.bad = -1};
  pa_launch launch = {.slots = &slots, .slot_bytes = sizeof slots, .grid = {1, 1, 1}, .block = {32, 32, 1}};
  CHECK_OK(pa_kernel_launch(kernel, context, &launch));
  launch.block[2] = 2;
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch),
              "launching kernel axpy on a grid of (1, 1, 1) blocks of (32, 32, 2) threads, of 2048 threads in a block "
              "where this kernel, with 32 registers in each, can have 1024: CUDA_ERROR_INVALID_VALUE");
  launch.block[1] = launch.block[2] = 1;
  launch.grid[1] = 65536;
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch),
              "of 65536 blocks in y where the device allows 1 to 65535: CUDA_ERROR_INVALID_VALUE");
  launch.grid[1] = 0;
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch), "of 0 blocks in y where the device allows 1 to 65535");
  launch.grid[1] = 1;
  launch.block[2] = 65;
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch), "of 65 threads in z where the device allows 1 to 64");
  launch.block[2] = 1;
  launch.dynamic_shared = 232448 - 1024 - 4096;
  CHECK_OK(pa_kernel_launch(kernel, context, &launch));
  CHECK_OK(pa_kernel_attributes_get(kernel, context, &attributes));
  CHECK(attributes.max_dynamic_shared == 232448 - 1024 && attributes.shared_bytes == 1024 &&
        attributes.local_bytes == 8);
  CHECK(attributes.binary_version == 90 && attributes.max_threads == 1024);
  ++launch.dynamic_shared;
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch),
              "with 232449 bytes of shared memory in a block where the device allows 232448, 49152 of it static, more "
              "as dynamic shared memory");
  launch.stream = (CUstream)&launch;
  launch.dynamic_shared = 0;
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch), "CUDA_ERROR_INVALID_HANDLE");
  CHECK(!pa_kernel_take_failure(context, &failure));
  CHECK_OK(pa_kernel_suggest_block(kernel, context, 0, 0, &block, &grid));
  CHECK(block == 1024 && grid == 2 * 132);
  CHECK_OK(pa_kernel_suggest_block(kernel, context, 0, 200, &block, &grid));
  CHECK(block == 200);
  CHECK_OK(pa_kernel_active_blocks(kernel, context, 256, 0, &blocks));
  CHECK(blocks == 8);
  CHECK_OK(pa_kernel_active_blocks(kernel, context, 32, 100000, &blocks));
  CHECK(blocks == 2);
  pa_kernel_destroy(kernel);
}

// The first block that raises counts, in each launch again.
static void raises(void) {
  pa_kernel *kernel = make_kernel(0), *other = make_kernel(0);
  pa_kernel_failure failure;
  arguments slots = {.bad = 777};
  pa_launch launch = {.slots = &slots, .slot_bytes = sizeof slots, .grid = {3, 2, 2}, .block = {10, 5, 2}};
  for (int i = 0; i < 20; ++i) {
    CHECK_OK(pa_kernel_launch(kernel, context, &launch));
    CHECK_OK(pa_kernel_launch(other, context, &launch));
    CHECK_OK(pa_cuda_stream_synchronize(context, NULL));
    CHECK(pa_kernel_take_failure(context, &failure) && failure.kernel == kernel);
    const pa_device_error *error = &failure.error;
    CHECK(error->site == 7 && error->values[0] == 777 && error->values[1] == 0 && error->values[2] == 5);
    CHECK(error->thread[0] == 7 && error->thread[1] == 2 && error->thread[2] == 1);
    CHECK(error->block[0] == 1 && error->block[1] == 0 && error->block[2] == 1);
    CHECK(pa_kernel_take_failure(context, &failure) && failure.kernel == other);
    CHECK(!pa_kernel_take_failure(context, &failure));
  }
  CHECK(pa_raised_current()->count == 0);
  // Of a kernel that is gone, nothing is told.
  CHECK_OK(pa_kernel_launch(kernel, context, &launch));
  pa_kernel_destroy(kernel);
  CHECK(!pa_kernel_take_failure(context, &failure));
  pa_kernel_destroy(other);
}

// More kernels than a page of error records holds.
static void many_kernels(void) {
  enum { KERNELS = 100 };
  pa_kernel *kernels[KERNELS];
  pa_kernel_failure failure;
  arguments slots = {.bad = 1};
  pa_launch launch = {.slots = &slots, .slot_bytes = sizeof slots, .grid = {1, 1, 1}, .block = {2, 1, 1}};
  for (int i = 0; i < KERNELS; ++i) {
    kernels[i] = make_kernel(0);
    CHECK_OK(pa_kernel_launch(kernels[i], context, &launch));
  }
  int seen = 0;
  while (pa_kernel_take_failure(context, &failure)) ++seen;
  CHECK(seen == KERNELS);
  for (int i = 0; i < KERNELS; ++i) pa_kernel_destroy(kernels[i]);
}

static void loads_again(void) {
  pa_kernel *kernel = make_kernel(0);
  pa_kernel_failure failure;
  arguments slots = {.bad = 0};
  pa_launch launch = {.slots = &slots, .slot_bytes = sizeof slots, .grid = {1, 1, 1}, .block = {1, 1, 1}};
  CHECK_OK(pa_kernel_load(kernel, context));
  CHECK_OK(pa_cuda_context_reset(context));
  CHECK(pa_emulator_counts_now().modules == 0);
  CHECK_OK(pa_kernel_launch(kernel, context, &launch));
  CHECK(pa_kernel_take_failure(context, &failure));
  CHECK_OK(pa_cuda_close());
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK_OK(pa_kernel_launch(kernel, context, &launch));
  CHECK(pa_kernel_take_failure(context, &failure));
  pa_kernel_destroy(kernel);
}

static void bad_images(void) {
  image incomplete = compile_image("incomplete", "int pyarray_block(void) { return 0; }\n");
  image unresolved = compile_image("unresolved", "extern int no_such_function(void);\n"
                                                 "const long pyarray_block_scratch = 0, pyarray_block_shared = 0;\n"
                                                 "int pyarray_block(void) { return no_such_function(); }\n");
  image silent = compile_image("silent", "const long pyarray_block_scratch = 0, pyarray_block_shared = 0;\n"
                                         "int pyarray_block(void) { return 1; }\n");
  pa_kernel_options options = {.name = "bad"};
  pa_kernel *kernel = NULL;
  pa_launch launch = {.slots = &options, .grid = {1, 1, 1}, .block = {1, 1, 1}};
  CHECK_OK(pa_kernel_create("// PTX", 6, &options, &kernel));
  CHECK_FAILS(pa_kernel_load(kernel, context), "kernel bad was compiled for a GPU and cannot run on the CPU");
  pa_kernel_destroy(kernel);
  CHECK_OK(pa_kernel_create(incomplete.bytes, incomplete.size, &options, &kernel));
  CHECK_FAILS(pa_kernel_load(kernel, context), "it does not define pyarray_block and its two sizes");
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch), "loading kernel bad on device 0: CUDA_ERROR_INVALID_IMAGE");
  pa_kernel_destroy(kernel);
  CHECK_OK(pa_kernel_create(unresolved.bytes, unresolved.size, &options, &kernel));
  CHECK_FAILS(pa_kernel_load(kernel, context), "no_such_function");
  pa_kernel_destroy(kernel);
  CHECK_OK(pa_kernel_create(silent.bytes, silent.size, &options, &kernel));
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch), "CUDA_ERROR_LAUNCH_FAILED");
  pa_kernel_destroy(kernel);
  CHECK_FAILS(pa_kernel_create(silent.bytes, silent.size - 1, &options, &kernel), "kernel image: truncated");
  CHECK_FAILS(pa_kernel_create(silent.bytes, 20, &options, &kernel), "kernel image: truncated: 20 bytes");
  free(incomplete.bytes);
  free(unresolved.bytes);
  free(silent.bytes);
}

static void all(void) {
  CHECK_OK(pa_cuda_context_current(&context));
  REQUIRE(context);
  bounds();
  rows();
  fills();
  kinds_of_memory();
  counting();
  host_memory_outlives();
  streams_and_events();
  launches();
  launch_limits();
  raises();
  many_kernels();
  loads_again();
  bad_images();
  CHECK_OK(pa_cuda_close());
  pa_emulator_counts counts = pa_emulator_counts_now(), none = {0};
  CHECK(!memcmp(&counts, &none, sizeof counts));
}

int main(void) {
  axpy = compile_image("axpy", axpy_source);
  IN_CHILD(all, "PYARRAY_CUDA=cpu", "PYARRAY_OPENMP_LIBRARY=/nowhere");
  IN_CHILD(all, "PYARRAY_CUDA=cpu", "PYARRAY_NUM_THREADS=4");
  remove_images();
  free(axpy.bytes);
  return report_checks();
}
