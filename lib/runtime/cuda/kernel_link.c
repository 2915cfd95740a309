// PTX to a cubin, with what it is linked with: by the driver's compiler, or by nvJitLink, where there is code for
// link-time optimisation among that.
#include "compilers.h"
#include "kernel_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// What the driver wrote, behind a colon; without the NULs and empty lines at its end.
static const char *log_of(jit *jit, char *text, size_t size) {
  jit->errors[LOG_BYTES - 1] = 0;
  size_t length = strlen(jit->errors);
  while (length && strchr(" \n\r", jit->errors[length - 1])) jit->errors[--length] = 0;
  snprintf(text, size, "%s%s", length ? ":\n" : "", jit->errors);
  return text;
}

// |failure|, of the driver, is taken over.
static pa_status fail_link(pa_status failure, jit *jit, const char *hint) {
  char log[LOG_BYTES + 2];
  pa_status status =
      pa_fail(PA_CODE_LINK, NULL, "%s%s%s", pa_status_message(failure), log_of(jit, log, sizeof log), hint);
  pa_status_free(failure);
  return status;
}

static pa_status add_input(CUlinkState state, const pa_kernel *kernel, const pa_kernel_input *input, int capability,
                           jit *jit) {
  char hint[128];
  CUresult result = pa_cuda.LinkAddData(state, (CUjitInputType)input->type, (void *)(uintptr_t)input->bytes,
                                        input->size, input->name, 0, NULL, NULL);
  if (!result) return PA_OK;
  return fail_link(pa_fail_cu(result, "%s cannot be linked with kernel %s", input->name, kernel->name), jit,
                   pa_input_hint(input->type, capability, hint, sizeof hint));
}

// Of what it is linked with, for a message: an object for another architecture defines nothing, and the driver does not
// say which one that is.
static const char *names_of(const pa_kernel *kernel, char *out, size_t size) {
  size_t length = 0;
  out[0] = '\0';
  for (size_t i = 0; i < kernel->options.input_count && length < size; ++i)
    if (kernel->inputs[i].type != PA_INPUT_NVVM_IR)
      length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "", kernel->inputs[i].name);
  return out;
}

static pa_status link_with(const pa_kernel *kernel, int capability, CUlinkState state, jit *jit, void **out_binary,
                           size_t *out_size) {
  void *image = NULL;
  size_t size = 0;
  char log[LOG_BYTES + 2], names[256];
  CUresult result =
      pa_cuda.LinkAddData(state, CU_JIT_INPUT_PTX, kernel->image, kernel->size + 1, kernel->name, 0, NULL, NULL);
  PA_TRY_CU(result, "compiling the PTX of kernel %s%s", kernel->name, log_of(jit, log, sizeof log));
  for (size_t i = 0; i < kernel->options.input_count; ++i)
    if (kernel->inputs[i].type != PA_INPUT_NVVM_IR)
      PA_TRY(add_input(state, kernel, &kernel->inputs[i], capability, jit));
  result = pa_cuda.LinkComplete(state, &image, &size);
  if (result && kernel->options.input_count)
    return fail_link(
        pa_fail_cu(result, "linking kernel %s with %s", kernel->name, names_of(kernel, names, sizeof names)), jit, "");
  PA_TRY_CU(result, "compiling the PTX of kernel %s%s", kernel->name, log_of(jit, log, sizeof log));
  return copy_binary(image, size, out_binary, out_size);
}

pa_status pa_kernel_link(const pa_kernel *kernel, int capability, void **out_binary, size_t *out_size) {
  if (pa_library_path(PA_LIBRARY_nvjitlink) && pa_has_lto_input(&kernel->options))
    return pa_nvjitlink_kernel(kernel->image, kernel->size + 1, &kernel->options, capability, out_binary, out_size);
  CUlinkState state = NULL;
  jit *jit = malloc(sizeof *jit); // the driver writes to it until the state is destroyed
  if (!jit) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory for linking kernel %s", kernel->name);
  set_options(jit, &kernel->options);
  CUresult result = pa_cuda.LinkCreate(jit->count, jit->options, jit->values, &state);
  pa_status status = result ? pa_fail_cu(result, "starting to link kernel %s", kernel->name)
                            : link_with(kernel, capability, state, jit, out_binary, out_size);
  if (!result) pa_cuda.LinkDestroy(state);
  free(jit);
  return status;
}

pa_status pa_kernel_assemble(pa_cuda_context *context, const char *name, const char *ptx, size_t size,
                             void **out_binary, size_t *out_size) {
  const pa_kernel kernel = {.image = (char *)(uintptr_t)ptx, .size = size - 1, .name = (char *)(uintptr_t)name};
  int capability = 10 * context->device->capability[0] + context->device->capability[1];
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pa_status status = pa_kernel_link(&kernel, capability, out_binary, out_size);
  pa_cuda_leave(context, previous);
  return status;
}

//===-- Warming up --------------------------------------------------------------------------------===//

static pthread_t warming;
static pid_t warming_process;

// The driver loads its compiler when it first has something to compile.
static void *compile_nothing(void *data) {
  static const char text[] = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing()\n{\nret;\n}\n";
  const pa_cuda_context *context = data;
  CUlinkState state = NULL;
  void *image = NULL;
  size_t size = 0;
  if (pa_cuda.CtxSetCurrent(context->handle) || pa_cuda.LinkCreate(0, NULL, NULL, &state)) return NULL;
  if (!pa_cuda.LinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, sizeof text, "nothing", 0, NULL, NULL))
    pa_cuda.LinkComplete(state, &image, &size);
  pa_cuda.LinkDestroy(state);
  return NULL;
}

// The driver does not expect to be used while the process ends.
static void wait_until_warm(void) {
  if (warming_process == getpid()) pthread_join(warming, NULL);
}

static void start_warming(void *data) {
  if (pthread_create(&warming, NULL, compile_nothing, data)) return;
  warming_process = getpid();
  atexit(wait_until_warm);
}

void pa_kernel_warm_up(void) {
  static bool begun; // atomic
  pa_cuda_context *context = NULL;
  if (pa_cuda_kind_opened() != PA_CUDA_GPU || __atomic_exchange_n(&begun, true, __ATOMIC_RELAXED)) return;
  pa_status status = pa_cuda_context_current(&context);
  if (!status) start_warming(context);
  pa_status_free(status);
}
