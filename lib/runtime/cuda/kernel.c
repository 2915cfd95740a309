// Kernels: making, loading, asking.
#include "context.h"
#include "graph.h"
#include "kernel_internal.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===-- Making ------------------------------------------------------------------------------------===//

static pa_status classify(const char *image, size_t size, enum pa_image_kind *out_kind) {
  Elf64_Ehdr header;
  *out_kind = PA_IMAGE_PTX;
  if (size < SELFMAG || memcmp(image, ELFMAG, SELFMAG)) return PA_OK;
  if (size < sizeof header) return pa_fail(PA_CODE_INVALID, NULL, "kernel image: truncated: %zu bytes", size);
  memcpy(&header, image, sizeof header);
  *out_kind = header.e_machine == EM_CUDA ? PA_IMAGE_CUBIN : PA_IMAGE_CPU;
  // Drivers are given no size: what the header promises must be there.
  uint64_t table = (uint64_t)header.e_shnum * header.e_shentsize;
  if (header.e_shoff > size || table > size - header.e_shoff)
    return pa_fail(PA_CODE_INVALID, NULL, "kernel image: truncated: %zu bytes", size);
  return PA_OK;
}

static void free_inputs(pa_kernel *kernel) {
  for (size_t i = 0; i < kernel->options.input_count && kernel->inputs; ++i) {
    free((void *)(uintptr_t)kernel->inputs[i].name);
    free((void *)(uintptr_t)kernel->inputs[i].bytes);
  }
  free(kernel->inputs);
}

static bool copy_inputs(pa_kernel *kernel, const pa_kernel_options *options) {
  if (!options->input_count) return true;
  kernel->inputs = calloc(options->input_count, sizeof *kernel->inputs);
  kernel->options.input_count = kernel->inputs ? options->input_count : 0;
  kernel->options.inputs = kernel->inputs;
  for (size_t i = 0; i < kernel->options.input_count; ++i) {
    const pa_kernel_input *from = &options->inputs[i];
    void *bytes = malloc(from->size ? from->size : 1);
    char *name = strdup(from->name);
    kernel->inputs[i] = (pa_kernel_input){from->type, name, bytes, from->size};
    if (!bytes || !name) return false;
    memcpy(bytes, from->bytes, from->size);
  }
  return kernel->inputs;
}

static void free_kernel(pa_kernel *kernel) {
  if (!kernel) return;
  free_inputs(kernel);
  free(kernel->image);
  free(kernel->name);
  free(kernel);
}

pa_status pa_kernel_create(const void *image, size_t size, const pa_kernel_options *options, pa_kernel **out_kernel) {
  enum pa_image_kind kind = PA_IMAGE_PTX;
  PA_TRY(classify(image, size, &kind));
  pa_kernel *kernel = calloc(1, sizeof *kernel);
  char *copy = malloc(size + 1), *name = strdup(options->name);
  if (kernel) kernel->image = copy, kernel->name = name;
  if (!kernel || !copy || !name || !copy_inputs(kernel, options)) {
    if (!kernel) free(copy), free(name);
    free_kernel(kernel);
    return pa_fail(PA_CODE_MEMORY, NULL, "out of memory for kernel %s", options->name);
  }
  memcpy(copy, image, size);
  copy[size] = 0;
  kernel->size = size;
  kernel->kind = kind;
  kernel->options = *options;
  kernel->options.name = name;
  kernel->options.inputs = kernel->inputs;
  if (options->fixed) kernel->fixed_generation = __atomic_load_n(&options->fixed->generation, __ATOMIC_RELAXED);
  pthread_mutexattr_t checked; // a callback of linked code may launch the kernel that it is called for
  pthread_mutexattr_init(&checked);
  pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&kernel->lock, &checked);
  pthread_mutexattr_destroy(&checked);
  *out_kernel = kernel;
  return PA_OK;
}

void *pa_kernel_owner(const pa_kernel *kernel) { return kernel->options.owner; }
const char *pa_kernel_name(const pa_kernel *kernel) { return kernel->name; }

//===-- Loading -----------------------------------------------------------------------------------===//

// As a resource: the context is current.
static void unload(pa_cuda_resource *resource) {
  pa_loaded_kernel *loaded = (pa_loaded_kernel *)resource;
  const pa_kernel_options *options = &loaded->kernel->options;
  if (loaded->is_set_up) pa_status_free(options->on_module(options->owner, loaded->module, false));
  loaded->is_set_up = false;
  pa_kernel_error_free(resource->context, loaded->error);
  if (loaded->module) pa_cuda.ModuleUnload(loaded->module);
  free(loaded->binary);
  loaded->module = NULL;
  loaded->function = NULL;
  loaded->error = NULL;
  loaded->binary = NULL;
  loaded->fill = 0;
}

static const char error_variable[] = "pyarray_error";

// Images for a GPU that do not name the variable have none. They are not asked for it: tools that watch the driver's
// calls would report the failure.
static bool may_have_error_record(const pa_kernel *kernel) {
  return kernel->kind == PA_IMAGE_CPU || memmem(kernel->image, kernel->size, error_variable, sizeof error_variable - 1);
}

static pa_status set_error_record(pa_cuda_context *context, pa_loaded_kernel *loaded) {
  if (!may_have_error_record(loaded->kernel)) return PA_OK;
  CUdeviceptr variable = 0, record = 0;
  size_t bytes = 0;
  CUresult result = pa_cuda.ModuleGetGlobal(&variable, &bytes, loaded->module, error_variable);
  if (result == CUDA_ERROR_NOT_FOUND) return PA_OK;
  PA_TRY_CU(result, "looking for pyarray_error in kernel %s", loaded->kernel->name);
  if (bytes != sizeof record)
    return pa_fail(PA_CODE_INVALID, NULL, "kernel %s: pyarray_error has %zu bytes", loaded->kernel->name, bytes);
  PA_TRY(pa_kernel_error_allocate(context, loaded->kernel, &loaded->error, &record));
  result = pa_cuda.MemcpyHtoDAsync(variable, &record, sizeof record, NULL);
  if (!result) result = pa_cuda.StreamSynchronize(NULL);
  PA_TRY_CU(result, "setting pyarray_error of kernel %s", loaded->kernel->name);
  return PA_OK;
}

static pa_status check_target(const pa_kernel *kernel) {
  bool is_for_cpu = kernel->kind == PA_IMAGE_CPU;
  if (is_for_cpu == (pa_cuda_kind_opened() == PA_CUDA_EMULATOR)) return PA_OK;
  return pa_fail(PA_CODE_INVALID, NULL, "kernel %s was compiled for %s and cannot run on %s", kernel->name,
                 is_for_cpu ? "the CPU" : "a GPU", is_for_cpu ? "a GPU" : "the CPU");
}

static pa_status check_fixed(const pa_kernel *kernel) {
  const pa_cuda_context *context = kernel->options.fixed;
  if (!context || __atomic_load_n(&context->generation, __ATOMIC_RELAXED) == kernel->fixed_generation) return PA_OK;
  return pa_fail(
      PA_CODE_INVALID, NULL,
      "a device array that kernel %s knows as a global is gone since device %d was reset or closed: make the "
      "array and the kernel again",
      kernel->name, context->device->ordinal);
}

static pa_status load_image(pa_cuda_context *context, pa_loaded_kernel *loaded) {
  const pa_kernel *kernel = loaded->kernel;
  PA_TRY(check_target(kernel));
  PA_TRY(check_fixed(kernel));
  int capability = 10 * context->device->capability[0] + context->device->capability[1];
  if (kernel->kind == PA_IMAGE_PTX) PA_TRY(pa_kernel_link(kernel, capability, &loaded->binary, &loaded->binary_size));
  PA_TRY_CU(pa_cuda.ModuleLoadData(&loaded->module, loaded->binary ? loaded->binary : kernel->image),
            "loading kernel %s on device %d", kernel->name, context->device->ordinal);
  return PA_OK;
}

static pa_status load_module(pa_cuda_context *context, pa_loaded_kernel *loaded) {
  const pa_kernel *kernel = loaded->kernel;
  int dynamic_shared = 0;
  PA_TRY(load_image(context, loaded));
  PA_TRY_CU(pa_cuda.ModuleGetFunction(&loaded->function, loaded->module, kernel->name), "looking for kernel %s",
            kernel->name);
  PA_TRY_CU(
      pa_cuda.FuncGetAttribute(&dynamic_shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, loaded->function),
      "asking for the shared memory of kernel %s", kernel->name);
  loaded->dynamic_shared = dynamic_shared;
  if (kernel->options.carveout)
    PA_TRY_CU(pa_cuda.FuncSetAttribute(loaded->function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                       kernel->options.carveout - 1),
              "asking for %d%% of the shared memory for kernel %s", kernel->options.carveout - 1, kernel->name);
  PA_TRY(set_error_record(context, loaded));
  if (!kernel->options.on_module) return PA_OK;
  PA_TRY(kernel->options.on_module(kernel->options.owner, loaded->module, true));
  loaded->is_set_up = true;
  return PA_OK;
}

static pa_status load_entered(pa_cuda_context *context, pa_loaded_kernel *loaded) {
  loaded->resource.context = context; // for unload
  pa_status status = load_module(context, loaded);
  if (status) {
    unload(&loaded->resource);
    loaded->resource.context = NULL;
    return status;
  }
  loaded->resource.destroy = unload;
  pa_cuda_resource_link(&loaded->resource, context);
  return PA_OK;
}

static pa_status load_locked(pa_kernel *kernel, pa_cuda_context *context, pa_loaded_kernel **out_loaded) {
  pa_loaded_kernel *loaded = pa_kernel_find_loaded(kernel, context),
                   **place = &kernel->loaded[context->device->ordinal];
  if (!loaded) {
    loaded = *place ? *place : calloc(1, sizeof *loaded);
    if (!loaded) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory for kernel %s", kernel->name);
    loaded->kernel = kernel;
    __atomic_store_n(place, loaded, __ATOMIC_RELEASE); // of generation 0 until it is loaded
    PA_TRY(load_entered(context, loaded));
  }
  *out_loaded = loaded;
  return PA_OK;
}

static __attribute__((noinline, cold)) pa_status load(pa_kernel *kernel, pa_cuda_context *context,
                                                      pa_loaded_kernel **out_loaded) {
  CUcontext previous = NULL;
  PA_TRY(pa_cuda_enter(context, &previous));
  bool waits_for_itself = pthread_mutex_lock(&kernel->lock) != 0;
  pa_status status = waits_for_itself ? pa_fail(PA_CODE_INVALID, NULL,
                                                "kernel %s is launched by a callback of code that it is linked with, "
                                                "while it is loaded or unloaded",
                                                kernel->name)
                                      : load_locked(kernel, context, out_loaded);
  if (!waits_for_itself) pthread_mutex_unlock(&kernel->lock);
  pa_cuda_leave(context, previous);
  return status;
}

pa_status pa_kernel_loaded(pa_kernel *kernel, pa_cuda_context *context, pa_loaded_kernel **out_loaded) {
  *out_loaded = pa_kernel_find_loaded(kernel, context);
  if (*out_loaded) return PA_OK;
  pa_cuda_graph_pause(true);
  pa_status status = load(kernel, context, out_loaded);
  pa_cuda_graph_pause(false);
  return status;
}

pa_status pa_kernel_load(pa_kernel *kernel, pa_cuda_context *context) {
  pa_loaded_kernel *loaded = NULL;
  return pa_kernel_loaded(kernel, context, &loaded);
}

pa_status pa_kernel_binary(pa_kernel *kernel, pa_cuda_context *context, const void **out_bytes, size_t *out_size) {
  pa_loaded_kernel *loaded = NULL;
  *out_bytes = kernel->image;
  *out_size = kernel->size;
  if (kernel->kind != PA_IMAGE_PTX) return PA_OK;
  PA_TRY(pa_kernel_loaded(kernel, context, &loaded));
  *out_bytes = loaded->binary ? loaded->binary : kernel->image;
  *out_size = loaded->binary ? loaded->binary_size : kernel->size;
  return PA_OK;
}

void pa_kernel_destroy(pa_kernel *kernel) {
  if (!kernel) return;
  for (int i = 0; i < PA_CUDA_MAX_DEVICES; ++i) {
    pa_loaded_kernel *loaded = kernel->loaded[i];
    if (!loaded) continue;
    if (loaded->resource.context && loaded->module)
      pa_status_free(pa_cuda_context_synchronize(loaded->resource.context));
    pa_cuda_resource_free(&loaded->resource);
    free(loaded);
  }
  pthread_mutex_destroy(&kernel->lock);
  free_kernel(kernel);
}

//===-- Asking ------------------------------------------------------------------------------------===//

CUresult pa_kernel_read_attributes(CUfunction function, pa_kernel_attributes *attributes) {
  const struct {
    CUfunction_attribute number;
    int *value;
  } rows[] = {
      {CU_FUNC_ATTRIBUTE_NUM_REGS, &attributes->registers},
      {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &attributes->shared_bytes},
      {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &attributes->local_bytes},
      {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &attributes->constant_bytes},
      {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &attributes->max_threads},
      {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &attributes->max_dynamic_shared},
      {CU_FUNC_ATTRIBUTE_BINARY_VERSION, &attributes->binary_version},
      {CU_FUNC_ATTRIBUTE_PTX_VERSION, &attributes->ptx_version},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    CUresult result = pa_cuda.FuncGetAttribute(rows[i].value, rows[i].number, function);
    if (result) return result;
  }
  return CUDA_SUCCESS;
}

pa_status pa_kernel_attributes_get(pa_kernel *kernel, pa_cuda_context *context, pa_kernel_attributes *out_attributes) {
  pa_loaded_kernel *loaded = NULL;
  pa_kernel_attributes attributes = {0};
  PA_TRY(pa_kernel_loaded(kernel, context, &loaded));
  PA_TRY_IN(context, pa_kernel_read_attributes(loaded->function, &attributes), "asking for the attributes of kernel %s",
            kernel->name);
  attributes.cooperative = kernel->options.cooperative;
  *out_attributes = attributes;
  return PA_OK;
}

pa_status pa_kernel_suggest_block(pa_kernel *kernel, pa_cuda_context *context, size_t dynamic_shared, int limit,
                                  int *out_block, int *out_least_grid) {
  pa_loaded_kernel *loaded = NULL;
  int grid = 0, block = 0;
  PA_TRY(pa_kernel_loaded(kernel, context, &loaded));
  PA_TRY_IN(context,
            pa_cuda.OccupancyMaxPotentialBlockSize(&grid, &block, loaded->function, NULL, dynamic_shared, limit),
            "choosing a block size for kernel %s", kernel->name);
  *out_block = block;
  *out_least_grid = grid;
  return PA_OK;
}

pa_status pa_kernel_active_blocks(pa_kernel *kernel, pa_cuda_context *context, int block_size, size_t dynamic_shared,
                                  int *out_blocks) {
  pa_loaded_kernel *loaded = NULL;
  int blocks = 0;
  PA_TRY(pa_kernel_loaded(kernel, context, &loaded));
  PA_TRY_IN(context,
            pa_cuda.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, loaded->function, block_size, dynamic_shared),
            "asking for the occupancy of kernel %s", kernel->name);
  *out_blocks = blocks;
  return PA_OK;
}

//===-- Grids for points --------------------------------------------------------------------------===//

enum { POINT_BLOCK = 128 }; // threads, at most: larger blocks leave more of a multiprocessor idle where they end

static int64_t blocks_for(int64_t points, int64_t points_of_block) { return (points - 1) / points_of_block + 1; }

pa_status pa_kernel_fit_grid(pa_kernel *kernel, pa_cuda_context *context, int64_t points, uint32_t *out_grid,
                             uint32_t *out_block) {
  pa_loaded_kernel *loaded = NULL;
  PA_TRY(pa_kernel_loaded(kernel, context, &loaded));
  uint64_t fill = __atomic_load_n(&loaded->fill, __ATOMIC_RELAXED);
  if (!fill) {
    int block = 0, grid = 0;
    PA_TRY(pa_kernel_suggest_block(kernel, context, 0, POINT_BLOCK, &block, &grid));
    fill = (uint64_t)grid << 32 | (uint32_t)block;
    __atomic_store_n(&loaded->fill, fill, __ATOMIC_RELAXED);
  }
  int64_t block = (uint32_t)fill, least = (int64_t)(fill >> 32), several = kernel->options.points;
  int64_t single = blocks_for(points, block), wanted = several > 1 ? blocks_for(points, block * several) : single;
  if (wanted < least) wanted = single < least ? single : least;
  if (wanted > INT32_MAX)
    return pa_fail(PA_CODE_UNSUPPORTED, NULL,
                   "kernel %s has %lld points, more than a grid of 2**31 - 1 blocks of %lld threads computes",
                   kernel->name, (long long)points, (long long)block);
  *out_block = (uint32_t)block;
  *out_grid = (uint32_t)wanted;
  return PA_OK;
}
