// NVRTC, libNVVM and nvJitLink. Their logs are what failures say.
#include "compilers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pa_compiled_code_free(pa_compiled_code *code) {
  free(code->bytes);
  free(code->text);
  *code = (pa_compiled_code){0};
}

typedef pa_library_result (*size_function)(void *handle, size_t *size);
typedef pa_library_result (*text_function)(void *handle, char *text);

// What the two functions give, with a NUL behind it; NULL where that is nothing.
static char *take(void *handle, size_function get_size, text_function get, size_t *out_size) {
  size_t size = 0;
  *out_size = 0;
  if (get_size(handle, &size) || !size) return NULL;
  char *bytes = calloc(1, size + 1);
  if (!bytes || get(handle, bytes)) return free(bytes), NULL;
  *out_size = size;
  return bytes;
}

// Without what is white at its end.
static char *take_log(void *handle, size_function get_size, text_function get) {
  size_t size;
  char *log = take(handle, get_size, get, &size);
  for (size_t length = log ? strlen(log) : 0; length && strchr(" \n\r\t", log[length - 1]);) log[--length] = 0;
  return log;
}

// A failure with the log, which is freed; where there is none, |result| says what it is.
static pa_status fail_with(pa_cuda_library library, pa_library_result result, const char *what, char *log) {
  pa_status known = log && *log ? PA_OK : pa_fail_library(library, result, "%s", what);
  pa_status status = known ? pa_fail(PA_CODE_LINK, NULL, "%s", pa_status_message(known))
                           : pa_fail(PA_CODE_LINK, NULL, "%s:\n%s", what, log);
  pa_status_free(known);
  free(log);
  return status;
}

//===-- NVRTC -------------------------------------------------------------------------------------===//

// Since CUDA 12.
static char *take_ltoir(void *program, size_t *out_size) {
  void *get_size = pa_library_function(PA_LIBRARY_nvrtc, "nvrtcGetLTOIRSize");
  void *get = pa_library_function(PA_LIBRARY_nvrtc, "nvrtcGetLTOIR");
  size_function size;
  text_function bytes;
  if (!get_size || !get) return NULL;
  memcpy(&size, &get_size, sizeof size);
  memcpy(&bytes, &get, sizeof bytes);
  return take(program, size, bytes, out_size);
}

static pa_status nvrtc_results(void *program, const char *name, pa_compiled_code *out_code) {
  size_t size;
  pa_compiled_code code = {0};
  code.bytes = take(program, pa_nvrtc.GetCUBINSize, pa_nvrtc.GetCUBIN, &code.size);
  if (!code.bytes) code.bytes = take_ltoir(program, &code.size);
  code.text = take(program, pa_nvrtc.GetPTXSize, pa_nvrtc.GetPTX, &size);
  if (code.bytes) return *out_code = code, PA_OK;
  pa_compiled_code_free(&code);
  return pa_fail(PA_CODE_LINK, NULL, "%s: NVRTC gave no code", name);
}

pa_status pa_nvrtc_compile(const char *source, const char *name, const char *const *options, int option_count,
                           pa_compiled_code *out_code) {
  void *program = NULL;
  char what[1024];
  snprintf(what, sizeof what, "%s does not compile", name);
  pa_library_result result = pa_nvrtc.CreateProgram(&program, source, name, 0, NULL, NULL);
  if (result) return fail_with(PA_LIBRARY_nvrtc, result, what, NULL);
  result = pa_nvrtc.CompileProgram(program, option_count, options);
  pa_status status = result ? fail_with(PA_LIBRARY_nvrtc, result, what,
                                        take_log(program, pa_nvrtc.GetProgramLogSize, pa_nvrtc.GetProgramLog))
                            : nvrtc_results(program, name, out_code);
  pa_nvrtc.DestroyProgram(&program);
  return status;
}

//===-- libNVVM -----------------------------------------------------------------------------------===//

pa_status pa_nvvm_compile(const char *bytes, size_t size, const char *name, const char *const *options,
                          int option_count, pa_compiled_code *out_code) {
  void *program = NULL;
  char what[1024];
  snprintf(what, sizeof what, "libNVVM refuses %s", name);
  pa_library_result result = pa_nvvm.CreateProgram(&program);
  if (result) return fail_with(PA_LIBRARY_nvvm, result, what, NULL);
  result = pa_nvvm.AddModuleToProgram(program, bytes, size, name);
  if (!result) result = pa_nvvm.CompileProgram(program, option_count, (const char **)(uintptr_t)options);
  pa_compiled_code code = {0};
  if (!result) code.bytes = take(program, pa_nvvm.GetCompiledResultSize, pa_nvvm.GetCompiledResult, &code.size);
  pa_status status = PA_OK;
  if (code.bytes)
    *out_code = code;
  else
    status =
        fail_with(PA_LIBRARY_nvvm, result, what, take_log(program, pa_nvvm.GetProgramLogSize, pa_nvvm.GetProgramLog));
  pa_nvvm.DestroyProgram(&program);
  return status;
}

//===-- nvJitLink ---------------------------------------------------------------------------------===//

// Its numbers of kinds of code, by the driver's.
static const int kinds[] = {[CU_JIT_INPUT_CUBIN] = 1,  [CU_JIT_INPUT_PTX] = 2,     [CU_JIT_INPUT_FATBINARY] = 4,
                            [CU_JIT_INPUT_OBJECT] = 5, [CU_JIT_INPUT_LIBRARY] = 6, [CU_JIT_INPUT_NVVM] = 3};

const char *pa_input_hint(int type, int capability, char *text, size_t size) {
  text[0] = 0;
  if (type != CU_JIT_INPUT_PTX)
    snprintf(text, size, "\nit must hold relocatable code for sm_%d, as nvcc -arch=sm_%d -dc makes it", capability,
             capability);
  return text;
}

static pa_status fail_nvjitlink(void *linker, pa_library_result result, const char *what, const char *kernel) {
  char text[1024];
  snprintf(text, sizeof text, what[0] ? "%s cannot be linked with kernel %s" : "%slinking kernel %s", what, kernel);
  return fail_with(PA_LIBRARY_nvjitlink, result, text,
                   take_log(linker, pa_nvjitlink.GetErrorLogSize, pa_nvjitlink.GetErrorLog));
}

static pa_status refuse_input(void *linker, pa_library_result result, const pa_kernel_input *input, const char *kernel,
                              int capability) {
  char hint[128];
  pa_status failure = fail_nvjitlink(linker, result, input->name, kernel);
  pa_status status = pa_fail(PA_CODE_LINK, NULL, "%s%s", pa_status_message(failure),
                             pa_input_hint(input->type, capability, hint, sizeof hint));
  pa_status_free(failure);
  return status;
}

// |own|: the kernel's code, PTX or for link-time optimisation.
static pa_status link_all(void *linker, const pa_kernel_input *own, const pa_kernel_options *options, int capability) {
  pa_library_result result = pa_nvjitlink.AddData(linker, kinds[own->type], own->bytes, own->size, options->name);
  if (result) return fail_nvjitlink(linker, result, "its own code", options->name);
  for (size_t i = 0; i < options->input_count; ++i) {
    const pa_kernel_input *input = &options->inputs[i];
    if (input->type == PA_INPUT_NVVM_IR) continue;
    result = pa_nvjitlink.AddData(linker, kinds[input->type], input->bytes, input->size, input->name);
    if (result) return refuse_input(linker, result, input, options->name, capability);
  }
  result = pa_nvjitlink.Complete(linker);
  return result ? fail_nvjitlink(linker, result, "", options->name) : PA_OK;
}

static pa_status take_cubin(void *linker, const char *name, void **out_binary, size_t *out_size) {
  size_t size = 0;
  pa_library_result result = pa_nvjitlink.GetLinkedCubinSize(linker, &size);
  char *binary = result || !size ? NULL : malloc(size);
  if (binary) result = pa_nvjitlink.GetLinkedCubin(linker, binary);
  if (!binary || result) return free(binary), fail_nvjitlink(linker, result, "", name);
  *out_binary = binary;
  *out_size = size;
  return PA_OK;
}

bool pa_has_lto_input(const pa_kernel_options *options) {
  for (size_t i = 0; i < options->input_count; ++i)
    if (options->inputs[i].type == CU_JIT_INPUT_NVVM) return true;
  return false;
}

// The options of both compilers, which |text| has, parted by spaces; they are parts of it afterwards.
static int split_options(char *text, const char **options, int most) {
  int count = 0;
  char *rest;
  for (char *word = strtok_r(text, " ", &rest); word && count < most; word = strtok_r(NULL, " ", &rest))
    options[count++] = word;
  return count;
}

enum { OPTIONS_BYTES = 128, MOST_SHARED = 6 };

static const pa_kernel_input *find_ir(const pa_kernel_options *options) {
  for (size_t i = 0; i < options->input_count; ++i)
    if (options->inputs[i].type == PA_INPUT_NVVM_IR) return &options->inputs[i];
  return NULL;
}

// The kernel's own code for link-time optimisation. False where there is none: then its PTX is linked.
static bool compile_own(const pa_kernel_options *options, int capability, pa_compiled_code *out_code) {
  const pa_kernel_input *ir = pa_library_path(PA_LIBRARY_nvvm) ? find_ir(options) : NULL;
  if (!ir) return false;
  char architecture[32], shared[OPTIONS_BYTES];
  const char *all[2 + MOST_SHARED] = {architecture, "-gen-lto"};
  snprintf(architecture, sizeof architecture, "-arch=compute_%d", capability);
  snprintf(shared, sizeof shared, "%s", ir->name);
  int count = 2 + split_options(shared, all + 2, MOST_SHARED);
  pa_status status = pa_nvvm_compile(ir->bytes, ir->size, options->name, all, count, out_code);
  if (status) pa_status_free(status);
  return !status;
}

static pa_status link_kernel(const pa_kernel_input *own, const pa_kernel_options *options, int capability,
                             void **out_binary, size_t *out_size) {
  char architecture[32], registers[32], shared[OPTIONS_BYTES];
  const char *all[5 + MOST_SHARED] = {architecture};
  uint32_t count = 1;
  snprintf(architecture, sizeof architecture, "-arch=sm_%d", capability);
  snprintf(registers, sizeof registers, "-maxrregcount=%d", options->max_registers);
  if (options->max_registers) all[count++] = registers;
  if (pa_has_lto_input(options)) all[count++] = "-lto";
  if (options->line_info) all[count++] = "-lineinfo";
  if (options->debug) all[count++] = "-g";
  const pa_kernel_input *ir = own->type == CU_JIT_INPUT_NVVM ? find_ir(options) : NULL;
  snprintf(shared, sizeof shared, "%s", ir ? ir->name : "");
  count += (uint32_t)split_options(shared, all + count, MOST_SHARED);
  void *linker = NULL;
  pa_library_result result = pa_nvjitlink.Create(&linker, count, all);
  if (result) return fail_nvjitlink(linker, result, "", options->name);
  pa_status status = link_all(linker, own, options, capability);
  if (!status) status = take_cubin(linker, options->name, out_binary, out_size);
  pa_nvjitlink.Destroy(&linker);
  return status;
}

pa_status pa_nvjitlink_kernel(const char *ptx, size_t size, const pa_kernel_options *options, int capability,
                              void **out_binary, size_t *out_size) {
  pa_compiled_code code = {0};
  if (compile_own(options, capability, &code)) {
    pa_kernel_input own = {CU_JIT_INPUT_NVVM, options->name, code.bytes, code.size};
    pa_status status = link_kernel(&own, options, capability, out_binary, out_size);
    pa_compiled_code_free(&code);
    if (!status) return PA_OK;
    pa_status_free(status);
  }
  pa_kernel_input own = {CU_JIT_INPUT_PTX, options->name, ptx, size};
  return link_kernel(&own, options, capability, out_binary, out_size);
}
