// A library with the driver's symbols, for tests without a GPU (PYARRAY_CUDA_DRIVER=.../libpyarray_fake_cuda.so): the
// emulator's devices under the name of a GPU, calls that fail when told to, and a count of what is never freed.
//
//   PYARRAY_FAKE_CUDA_FAIL    "cuMemAlloc_v2:3=2,cuInit:1=100": the third call of cuMemAlloc_v2 gives 2, and so on;
//                             "cuMemAllocAsync:*=2": every call. Functions that free something do it and then fail.
//   PYARRAY_FAKE_CUDA_POOLS   "0": devices have no memory pools
//   PYARRAY_FAKE_CUDA_NONE    "1": there are no devices
//   PYARRAY_CUDA_EMULATED_DEVICES
//
//   PYARRAY_FAKE_CUDA_OBJECT    an ELF object that stands in for all PTX of kernels
//   PYARRAY_FAKE_CUDA_LINK_LOG  a file that gets a line for each input of a link: type, name, bytes
//
// PTX is "// object: PATH" and a newline: linking it gives the file's bytes, an ELF object for the CPU (block.h). With
// "// error: TEXT" linking fails, and TEXT is in the log. Built with FAKE_OLD_DRIVER, the optional functions are
// missing.
#include "../../lib/runtime/cuda/emulator.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FAKE_OLD_DRIVER
enum { IS_OLD = 1 };
#else
enum { IS_OLD = 0 };
#endif

#define EXPORT __attribute__((visibility("default")))

//===-- Planned failures --------------------------------------------------------------------------===//

enum function {
#define PA_CU(name, symbol, parameters, arguments) CALLED_##name,
#include "../../lib/runtime/cuda/driver.def"
#undef PA_CU
  FUNCTION_COUNT
};

static const char *const symbols[] = {
#define PA_CU(name, symbol, parameters, arguments) #symbol,
#include "../../lib/runtime/cuda/driver.def"
#undef PA_CU
};

static int64_t calls[FUNCTION_COUNT]; // atomic

static CUresult planned_result(enum function function) {
  int64_t call = __atomic_add_fetch(&calls[function], 1, __ATOMIC_RELAXED);
  const char *at = getenv("PYARRAY_FAKE_CUDA_FAIL");
  size_t length = strlen(symbols[function]);
  for (; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    if (strncmp(at, symbols[function], length) || at[length] != ':') continue;
    const char *number = at + length + 1, *equals = strchr(number, '=');
    if (equals && (*number == '*' || strtoll(number, NULL, 10) == call)) return (CUresult)atoi(equals + 1);
  }
  return CUDA_SUCCESS;
}

static bool frees(enum function function) {
  static const char *const words[] = {"Free", "Destroy", "Unload", "Release", "Unregister", "Close"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strstr(symbols[function], words[i])) return true;
  return false;
}

//===-- What differs from the emulator ------------------------------------------------------------===//

static pa_cuda_driver forward;

static bool is_set(const char *name, char value) {
  const char *text = getenv(name);
  return text && *text == value;
}

static CUresult count_devices(int *count) {
  if (!is_set("PYARRAY_FAKE_CUDA_NONE", '1')) return pa_cuda_emulator.DeviceGetCount(count);
  *count = 0;
  return CUDA_SUCCESS;
}

static CUresult name_device(char *name, int size, CUdevice device) {
  snprintf(name, (size_t)size, "fake GPU %d", device);
  return CUDA_SUCCESS;
}

static CUresult read_attribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  bool asks_for_pools = attribute == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED;
  if (asks_for_pools && IS_OLD) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = pa_cuda_emulator.DeviceGetAttribute(value, attribute, device);
  if (asks_for_pools && is_set("PYARRAY_FAKE_CUDA_POOLS", '0')) *value = 0;
  return result;
}

static char *error_log; // of the latest link
static size_t error_log_size;
static bool is_begun, is_undefined; // the same

static CUresult create_link(unsigned count, CUjit_option *options, void **values, CUlinkState *state) {
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) error_log = values[i];
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) error_log_size = (size_t)(uintptr_t)values[i];
  }
  is_begun = is_undefined = false;
  return pa_cuda_emulator.LinkCreate(count, options, values, state);
}

static CUresult add_file(CUlinkState state, const char *path) {
  static char bytes[1 << 20];
  FILE *file = fopen(path, "rb");
  if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return pa_cuda_emulator.LinkAddData(state, CU_JIT_INPUT_CUBIN, bytes, size, path, 0, NULL, NULL);
}

// "type name bytes" for each input of a link.
static void log_input(CUjitInputType type, const char *name, size_t size) {
  const char *path = getenv("PYARRAY_FAKE_CUDA_LINK_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%d %s %zu\n", (int)type, name, size);
  fclose(file);
}

// What a kernel is linked with: nothing comes of it, but "// error: text" fails at once, and "// undefined: text" in
// the end.
static CUresult add_other(CUjitInputType type, const char *data, size_t size) {
  char text[512];
  if (type == CU_JIT_INPUT_PTX && (size < 1 || data[size - 1])) return CUDA_ERROR_INVALID_PTX;
  char head[512] = "";
  memcpy(head, data, size < sizeof head ? size : sizeof head - 1);
  bool fails = sscanf(head, "// error: %511[^\n]", text) == 1;
  is_undefined = is_undefined || sscanf(head, "// undefined: %511[^\n]", text) == 1;
  if (error_log && (fails || is_undefined)) snprintf(error_log, error_log_size, "%s\n", text);
  return fails ? type == CU_JIT_INPUT_PTX ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
}

static CUresult add_to_link(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                            unsigned count, CUjit_option *options, void **values) {
  char path[512], text[512];
  const char *stand_in = getenv("PYARRAY_FAKE_CUDA_OBJECT"); // of kernels' PTX
  log_input(type, name, size);
  if (is_begun) return add_other(type, data, size);
  is_begun = true;
  if (type != CU_JIT_INPUT_PTX)
    return pa_cuda_emulator.LinkAddData(state, type, data, size, name, count, options, values);
  if (size < 1 || ((const char *)data)[size - 1]) return CUDA_ERROR_INVALID_PTX; // its NUL counts
  if (sscanf(data, "// object: %511[^\n]", path) == 1) return add_file(state, path);
  if (error_log && sscanf(data, "// error: %511[^\n]", text) == 1)
    snprintf(error_log, error_log_size, "%s", text);
  else if (stand_in)
    return add_file(state, stand_in);
  return CUDA_ERROR_INVALID_PTX;
}

static CUresult complete_link(CUlinkState state, void **image, size_t *size) {
  return is_undefined ? CUDA_ERROR_INVALID_PTX : pa_cuda_emulator.LinkComplete(state, image, size);
}

__attribute__((constructor)) static void fill_table(void) {
  forward = pa_cuda_emulator;
  forward.DeviceGetCount = count_devices;
  forward.DeviceGetName = name_device;
  forward.DeviceGetAttribute = read_attribute;
  forward.LinkCreate = create_link;
  forward.LinkAddData = add_to_link;
  forward.LinkComplete = complete_link;
}

//===-- The driver's symbols ----------------------------------------------------------------------===//

#define PA_CU(name, symbol, parameters, arguments)                                                                     \
  EXPORT CUresult symbol parameters;                                                                                   \
  CUresult symbol parameters {                                                                                         \
    CUresult planned = planned_result(CALLED_##name);                                                                  \
    if (planned && !frees(CALLED_##name)) return planned;                                                              \
    CUresult forwarded = forward.name arguments;                                                                       \
    return planned ? planned : forwarded;                                                                              \
  }
#ifdef FAKE_OLD_DRIVER
#define PA_CU_OPTIONAL(name, symbol, parameters, arguments)
#endif
#include "../../lib/runtime/cuda/driver.def"
#undef PA_CU

//===-- For tests ---------------------------------------------------------------------------------===//

// How often the function was called.
EXPORT int64_t fake_cuda_calls(const char *symbol);
int64_t fake_cuda_calls(const char *symbol) {
  for (int i = 0; i < FUNCTION_COUNT; ++i)
    if (!strcmp(symbols[i], symbol)) return __atomic_load_n(&calls[i], __ATOMIC_RELAXED);
  return -1;
}

// What is alive, and what was when its context went; 0: nothing leaks.
EXPORT int64_t fake_cuda_leaks(void);
int64_t fake_cuda_leaks(void) {
  pa_emulator_counts now = pa_emulator_counts_now();
  return now.device_memory + now.host_memory + now.registered_memory + now.streams + now.events + now.modules +
         now.links + now.contexts + now.abandoned;
}

__attribute__((destructor)) static void report_leaks(void) {
  pa_emulator_counts now = pa_emulator_counts_now();
  if (!fake_cuda_leaks()) return;
  fprintf(stderr,
          "fake driver: left: %lld device memory, %lld host memory, %lld registered memory, %lld streams, %lld events, "
          "%lld modules, %lld links, %lld contexts; %lld went with their context\n",
          (long long)now.device_memory, (long long)now.host_memory, (long long)now.registered_memory,
          (long long)now.streams, (long long)now.events, (long long)now.modules, (long long)now.links,
          (long long)now.contexts, (long long)now.abandoned);
}
