// PTX to a cubin, by the driver's compiler.
#include "kernel_internal.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_BYTES = 8192, MAX_OPTIONS = 8 };

typedef struct jit {
  CUjit_option options[MAX_OPTIONS];
  void *values[MAX_OPTIONS];
  unsigned count;
  char errors[LOG_BYTES];
} jit;

static void add(jit *jit, CUjit_option option, uintptr_t value) {
  jit->options[jit->count] = option;
  jit->values[jit->count++] = (void *)value;
}

static void set_options(jit *jit, const pa_kernel_options *options) {
  jit->count = 0;
  jit->errors[0] = 0;
  add(jit, CU_JIT_ERROR_LOG_BUFFER, (uintptr_t)jit->errors);
  add(jit, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, LOG_BYTES);
  if (options->max_registers) add(jit, CU_JIT_MAX_REGISTERS, (uintptr_t)options->max_registers);
  if (options->line_info) add(jit, CU_JIT_GENERATE_LINE_INFO, 1);
  if (options->debug) add(jit, CU_JIT_GENERATE_DEBUG_INFO, 1);
}

static pa_status copy_binary(const void *image, size_t size, void **out_binary, size_t *out_size) {
  void *binary = malloc(size);
  if (!binary) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory: %zu bytes of code", size);
  *out_binary = memcpy(binary, image, size);
  *out_size = size;
  return PA_OK;
}

static pa_status link_with(const pa_kernel *kernel, CUlinkState state, jit *jit, void **out_binary, size_t *out_size) {
  void *image = NULL;
  size_t size = 0;
  CUresult result =
      pa_cuda.LinkAddData(state, CU_JIT_INPUT_PTX, kernel->image, kernel->size + 1, kernel->name, 0, NULL, NULL);
  if (!result) result = pa_cuda.LinkComplete(state, &image, &size);
  jit->errors[LOG_BYTES - 1] = 0;
  PA_TRY_CU(result, "compiling the PTX of kernel %s%s%s", kernel->name, jit->errors[0] ? ":\n" : "", jit->errors);
  return copy_binary(image, size, out_binary, out_size);
}

pa_status pa_kernel_link(const pa_kernel *kernel, void **out_binary, size_t *out_size) {
  CUlinkState state = NULL;
  jit *jit = malloc(sizeof *jit); // the driver writes to it until the state is destroyed
  if (!jit) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory for linking kernel %s", kernel->name);
  set_options(jit, &kernel->options);
  CUresult result = pa_cuda.LinkCreate(jit->count, jit->options, jit->values, &state);
  pa_status status = result ? pa_fail_cu(result, "starting to link kernel %s", kernel->name)
                            : link_with(kernel, state, jit, out_binary, out_size);
  if (!result) pa_cuda.LinkDestroy(state);
  free(jit);
  return status;
}
