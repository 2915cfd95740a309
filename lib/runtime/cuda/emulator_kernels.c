// Modules on emulated devices.
//
// A module is an ELF object with one kernel, whatever its name (block.h).
#include "emulator_launch.h"
#include "lockstep.h"
#include "object_loader.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/linked.h"

//===-- Modules -----------------------------------------------------------------------------------===//

static int least(int a, int64_t b) { return b < a ? (int)b : a; }

static CUresult fail_image(const char *why) {
  pa_emulated_explain(CUDA_ERROR_INVALID_IMAGE, "invalid kernel image: %s", why);
  return CUDA_ERROR_INVALID_IMAGE;
}

// Assemblers and LLVM write the table of sections last.
static CUresult image_size(const void *image, size_t *out_size) {
  Elf64_Ehdr header;
  if (!image || memcmp(image, ELFMAG, SELFMAG)) return fail_image("not an ELF object");
  memcpy(&header, image, sizeof header);
  if (header.e_machine != EM_X86_64) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  *out_size = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
  return CUDA_SUCCESS;
}

static CUresult read_function(emulated_module *module) {
  void *block = pa_object_symbol(module->object, "pyarray_block");
  const int64_t *scratch = pa_object_symbol(module->object, "pyarray_block_scratch");
  const int64_t *shared = pa_object_symbol(module->object, "pyarray_block_shared");
  if (!block || !scratch || !shared) return fail_image("it does not define pyarray_block and its two sizes");
  if (*scratch < 0 || *shared < 0 || *scratch > INT32_MAX || *shared > INT32_MAX)
    return fail_image("a size is out of range");
  memcpy(&module->function.block, &block, sizeof block);
  module->function.scratch = *scratch;
  module->function.shared = *shared;
  const int64_t *waits = pa_object_symbol(module->object, "pyarray_block_waits");
  module->function.waits = waits ? (int)*waits : 0;
  module->function.races = pa_object_symbol(module->object, "pyarray_block_races");
  int usual = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  module->function.dynamic_shared = *shared < usual ? least(usual, usual - *shared) : 0;
  return CUDA_SUCCESS;
}

// Of code that is linked: copies to them are allowed.
static CUresult add_variables(emulated_module *module) {
  size_t size;
  void *data = pa_object_data(module->object, &size);
  return size ? pa_emulated_add((object){(uintptr_t)data, size, VARIABLES, module->device, 0}) : CUDA_SUCCESS;
}

static CUresult load(const void *image, size_t size, emulated_module *module) {
  pa_status status = pa_object_load_with(image, size, pa_lockstep_lookup, &module->object);
  if (!status) {
    CUresult result = add_variables(module);
    return result ? result : read_function(module);
  }
  CUresult result =
      pa_status_code(status) == PA_CODE_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : fail_image(pa_status_message(status));
  pa_status_free(status);
  return result;
}

CUresult pa_emulated_ModuleLoadData(CUmodule *out_module, const void *image) {
  size_t size = 0;
  if (!pa_emulated_current()) return CUDA_ERROR_INVALID_CONTEXT;
  CUresult result = image_size(image, &size);
  if (result) return result;
  emulated_module *module = pa_emulated_new(sizeof *module, MODULE);
  if (!module) return CUDA_ERROR_OUT_OF_MEMORY;
  module->device = pa_emulated_current();
  result = load(image, size, module);
  if (result)
    pa_emulated_delete(module, MODULE);
  else
    *out_module = (CUmodule)module;
  return result;
}

void pa_emulated_module_close(void *memory) {
  const emulated_module *module = memory;
  object variables;
  size_t size = 0;
  void *data = module->object ? pa_object_data(module->object, &size) : NULL;
  if (size) pa_emulated_remove((uintptr_t)data, VARIABLES, &variables);
  pa_object_unload(module->object);
}

CUresult pa_emulated_ModuleUnload(CUmodule module) { return pa_emulated_delete(module, MODULE); }

CUresult pa_emulated_ModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  emulated_module *made = pa_emulated_check(module, MODULE);
  if (!made || !name) return CUDA_ERROR_INVALID_HANDLE;
  *function = (CUfunction)&made->function;
  return CUDA_SUCCESS;
}

// Of code that is linked, by its name there.
static void *linked_variable(const emulated_module *module, const char *name, size_t *out_bytes) {
  char *text = NULL;
  void *found = NULL;
  if (asprintf(&text, PA_LINKED_PREFIX "%s", name) < 0) return NULL;
  found = pa_object_variable(module->object, text, out_bytes);
  free(text);
  return found;
}

// Copies to the first one are allowed because the module as a whole is seen by the device.
CUresult pa_emulated_ModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  emulated_module *made = pa_emulated_check(module, MODULE);
  if (!made) return CUDA_ERROR_INVALID_HANDLE;
  bool error = strcmp(name, "pyarray_error") == 0;
  size_t size = sizeof made->error;
  void *variable = error ? (void *)&made->error : linked_variable(made, name, &size);
  if (!variable) return CUDA_ERROR_NOT_FOUND;
  *address = (CUdeviceptr)(uintptr_t)variable;
  *bytes = size;
  return CUDA_SUCCESS;
}

//===-- Linking -----------------------------------------------------------------------------------===//
// Of one object, which comes out as it went in.

typedef struct emulated_link {
  void *image;
  size_t size;
} emulated_link;

CUresult pa_emulated_LinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *state) {
  (void)count, (void)options, (void)values;
  if (!pa_emulated_current()) return CUDA_ERROR_INVALID_CONTEXT;
  emulated_link *made = pa_emulated_new(sizeof *made, LINK);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  *state = (CUlinkState)made;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_LinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                                 unsigned count, CUjit_option *options, void **values) {
  (void)name, (void)count, (void)options, (void)values;
  emulated_link *link = pa_emulated_check(state, LINK);
  if (!link) return CUDA_ERROR_INVALID_HANDLE;
  if (type == CU_JIT_INPUT_PTX) return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
  if (link->image) return CUDA_ERROR_NOT_SUPPORTED;
  link->image = malloc(size);
  if (!link->image) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(link->image, data, size);
  link->size = size;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_LinkComplete(CUlinkState state, void **image, size_t *size) {
  emulated_link *link = pa_emulated_check(state, LINK);
  if (!link) return CUDA_ERROR_INVALID_HANDLE;
  if (!link->image) return CUDA_ERROR_INVALID_IMAGE;
  *image = link->image;
  *size = link->size;
  return CUDA_SUCCESS;
}

void pa_emulated_link_close(void *link) { free(((emulated_link *)link)->image); }

CUresult pa_emulated_LinkDestroy(CUlinkState state) { return pa_emulated_delete(state, LINK); }

//===-- Functions ---------------------------------------------------------------------------------===//

emulated_module *pa_emulated_module_of(CUfunction function) {
  char *module = (char *)function - offsetof(emulated_module, function);
  return function ? pa_emulated_check(module, MODULE) : NULL;
}

CUresult pa_emulated_FuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  const emulated_module *module = pa_emulated_module_of(function);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  const emulated_function *made = &module->function;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: *value = 1; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)made->shared; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)made->scratch; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = 0; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = 32; return CUDA_SUCCESS; // as many as never limit a launch
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = 90; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = -1; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = __atomic_load_n(&made->dynamic_shared, __ATOMIC_RELAXED);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult pa_emulated_FuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  emulated_module *module = pa_emulated_module_of(function);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) return CUDA_SUCCESS;
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
    return value >= -1 && value <= 100 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  int most = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
      value + module->function.shared > most)
    return CUDA_ERROR_INVALID_VALUE;
  __atomic_store_n(&module->function.dynamic_shared, value, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

int pa_emulated_resident_blocks(const emulated_function *function, int block_size, size_t dynamic_shared) {
  int64_t all = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  int64_t each = function->shared + (int64_t)dynamic_shared +
                 pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  int blocks = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  blocks = least(blocks, pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / block_size);
  return least(blocks, all / each);
}

CUresult pa_emulated_OccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size,
                                                               size_t dynamic_shared) {
  const emulated_module *module = pa_emulated_module_of(function);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  if (block_size < 1 || dynamic_shared > INT32_MAX) return CUDA_ERROR_INVALID_VALUE;
  *blocks = pa_emulated_resident_blocks(&module->function, block_size, dynamic_shared);
  return CUDA_SUCCESS;
}

// The largest block is as good as any smaller one, since nothing but shared memory limits how many there are.
CUresult pa_emulated_OccupancyMaxPotentialBlockSize(int *least_grid, int *block_size, CUfunction function,
                                                    CUoccupancyB2DSize shared_of_block, size_t dynamic_shared,
                                                    int block_size_limit) {
  const emulated_module *module = pa_emulated_module_of(function);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  if (shared_of_block || block_size_limit < 0 || dynamic_shared > INT32_MAX) return CUDA_ERROR_INVALID_VALUE;
  int most = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  *block_size = block_size_limit && block_size_limit < most ? block_size_limit : most;
  *least_grid = pa_emulated_resident_blocks(&module->function, *block_size, dynamic_shared) *
                pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return CUDA_SUCCESS;
}
