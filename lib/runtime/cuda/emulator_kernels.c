// Modules and launches on emulated devices.
//
// A module is an ELF object with one kernel, whatever its name (block.h). Blocks are shared out over the host's cores;
// each of the threads takes a workspace, shared and scratch memory of one block, and keeps it from block to block.
#include "../../device/error.h"
#include "../object_loader.h"
#include "../runtime.h"
#include "block.h"
#include "emulator_internal.h"
#include "races.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

//===-- Modules -----------------------------------------------------------------------------------===//

typedef struct emulated_function {
  pa_block_function *block;
  int64_t scratch, shared; // bytes for each thread; static bytes
  int dynamic_shared;      // atomic: the most that a launch may ask for
  bool races;              // compiled in race mode
} emulated_function;

typedef struct emulated_module {
  emulated_device *device;
  pa_object *object;
  emulated_function function;
  uint64_t error; // pyarray_error: the address of a pa_device_error, or 0
} emulated_module;

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
  module->function.races = pa_object_symbol(module->object, "pyarray_block_races");
  int usual = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  module->function.dynamic_shared = *shared < usual ? least(usual, usual - *shared) : 0;
  return CUDA_SUCCESS;
}

static CUresult load(const void *image, size_t size, emulated_module *module) {
  pa_status status = pa_object_load(image, size, &module->object);
  if (!status) return read_function(module);
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

void pa_emulated_module_close(void *module) { pa_object_unload(((emulated_module *)module)->object); }

CUresult pa_emulated_ModuleUnload(CUmodule module) { return pa_emulated_delete(module, MODULE); }

CUresult pa_emulated_ModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  emulated_module *made = pa_emulated_check(module, MODULE);
  if (!made || !name) return CUDA_ERROR_INVALID_HANDLE;
  *function = (CUfunction)&made->function;
  return CUDA_SUCCESS;
}

// There is one variable, and copies to it are allowed because the module as a whole is seen by the device.
CUresult pa_emulated_ModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  emulated_module *made = pa_emulated_check(module, MODULE);
  if (!made) return CUDA_ERROR_INVALID_HANDLE;
  if (strcmp(name, "pyarray_error")) return CUDA_ERROR_NOT_FOUND;
  *address = (CUdeviceptr)(uintptr_t)&made->error;
  *bytes = sizeof made->error;
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

static emulated_module *module_of(CUfunction function) {
  char *module = (char *)function - offsetof(emulated_module, function);
  return function ? pa_emulated_check(module, MODULE) : NULL;
}

CUresult pa_emulated_FuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  const emulated_module *module = module_of(function);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  const emulated_function *made = &module->function;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)made->shared; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)made->scratch; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = 0; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = 32; return CUDA_SUCCESS; // as many as never limit a launch
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = 90; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = __atomic_load_n(&made->dynamic_shared, __ATOMIC_RELAXED);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult pa_emulated_FuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  emulated_module *module = module_of(function);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  int most = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
      value + module->function.shared > most)
    return CUDA_ERROR_INVALID_VALUE;
  __atomic_store_n(&module->function.dynamic_shared, value, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

static int resident_blocks(const emulated_function *function, int block_size, size_t dynamic_shared) {
  int64_t all = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  int64_t each = function->shared + (int64_t)dynamic_shared +
                 pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  int blocks = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  blocks = least(blocks, pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / block_size);
  return least(blocks, all / each);
}

CUresult pa_emulated_OccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size,
                                                               size_t dynamic_shared) {
  const emulated_module *module = module_of(function);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  if (block_size < 1 || dynamic_shared > INT32_MAX) return CUDA_ERROR_INVALID_VALUE;
  *blocks = resident_blocks(&module->function, block_size, dynamic_shared);
  return CUDA_SUCCESS;
}

// The largest block is as good as any smaller one, since nothing but shared memory limits how many there are.
CUresult pa_emulated_OccupancyMaxPotentialBlockSize(int *least_grid, int *block_size, CUfunction function,
                                                    CUoccupancyB2DSize shared_of_block, size_t dynamic_shared,
                                                    int block_size_limit) {
  const emulated_module *module = module_of(function);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  if (shared_of_block || block_size_limit < 0 || dynamic_shared > INT32_MAX) return CUDA_ERROR_INVALID_VALUE;
  int most = pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  *block_size = block_size_limit && block_size_limit < most ? block_size_limit : most;
  *least_grid = resident_blocks(&module->function, *block_size, dynamic_shared) *
                pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return CUDA_SUCCESS;
}

//===-- Workspaces --------------------------------------------------------------------------------===//

typedef struct workspace {
  struct workspace *next;
  char *memory;
  size_t bytes;
} workspace;

static pthread_mutex_t workspace_lock = PTHREAD_MUTEX_INITIALIZER;
static workspace *workspaces; // not in use

static void free_workspace(workspace *space) {
  free(space->memory);
  free(space);
}

static workspace *take_workspace(size_t bytes) {
  pthread_mutex_lock(&workspace_lock);
  workspace *space = workspaces;
  if (space) workspaces = space->next;
  pthread_mutex_unlock(&workspace_lock);
  if (!space) space = calloc(1, sizeof *space);
  if (!space || space->bytes >= bytes) return space;
  free(space->memory);
  space->bytes = (bytes + PA_BLOCK_ALIGNMENT - 1) & ~(size_t)(PA_BLOCK_ALIGNMENT - 1);
  space->memory = aligned_alloc(PA_BLOCK_ALIGNMENT, space->bytes);
  if (space->memory) return space;
  free(space);
  return NULL;
}

static void give_workspace(workspace *space) {
  pthread_mutex_lock(&workspace_lock);
  space->next = workspaces;
  workspaces = space;
  pthread_mutex_unlock(&workspace_lock);
}

void pa_emulated_workspaces_free(void) {
  pthread_mutex_lock(&workspace_lock);
  for (workspace *next; workspaces; workspaces = next) {
    next = workspaces->next;
    free_workspace(workspaces);
  }
  pthread_mutex_unlock(&workspace_lock);
}

//===-- Launches ----------------------------------------------------------------------------------===//

typedef struct launch {
  const emulated_function *function;
  const uint64_t *params;
  int64_t grid[3], block[3];
  int64_t shared;     // bytes, static and dynamic
  size_t shared_room; // the same, rounded up
  size_t workspace_bytes;
  pa_races *races; // NULL: not watched
  bool is_interrupted; // atomic
  pthread_mutex_t lock; // of what follows
  CUresult result;
  int64_t failed; // linear index of the first block that raised; -1: none
  pa_device_error error;
} launch;

static void unfold(int64_t index, const int64_t extents[3], int64_t out[3]) {
  out[0] = index % extents[0];
  out[1] = index / extents[0] % extents[1];
  out[2] = index / extents[0] / extents[1];
}

// Moves this thread's error to the launch. Of several blocks the first counts, whichever core was faster.
static void note_failure(launch *launch, int64_t index, const pa_block *block) {
  const pa_raised *raised = pa_raised_current();
  int64_t thread[3];
  unfold(block->thread, launch->block, thread);
  pthread_mutex_lock(&launch->lock);
  if (!raised->count) {
    launch->result = CUDA_ERROR_LAUNCH_FAILED;
  } else if (launch->failed < 0 || index < launch->failed) {
    launch->failed = index;
    launch->error = (pa_device_error){.site = raised->site[0]};
    for (int i = 0; i < raised->value_count && i < PA_DEVICE_ERROR_VALUES; ++i) launch->error.values[i] = raised->values[i];
    for (int i = 1; i < raised->count && i <= PA_DEVICE_ERROR_FRAMES; ++i)
      launch->error.frames[launch->error.frame_count++] = raised->site[i];
    for (int i = 0; i < 3; ++i) {
      launch->error.thread[i] = (int32_t)thread[i];
      launch->error.block[i] = (int32_t)block->index[i];
    }
  }
  pthread_mutex_unlock(&launch->lock);
  pa_raised_clear();
}

static int32_t run_block(launch *launch, const workspace *space, int64_t index) {
  pa_block block = {
      .shared_bytes = launch->shared, .shared = space->memory, .scratch = space->memory + launch->shared_room};
  memcpy(block.grid, launch->grid, sizeof block.grid);
  memcpy(block.block, launch->block, sizeof block.block);
  unfold(index, launch->grid, block.index);
  if (launch->races) pa_races_block(launch->races, &block, launch->workspace_bytes - launch->shared_room);
  if (!launch->function->block(launch->params, &block)) return 0;
  note_failure(launch, index, &block);
  return 1;
}

static bool (*is_interrupted)(void); // atomic

void pa_emulator_set_interruption(bool (*function)(void)) { __atomic_store_n(&is_interrupted, function, __ATOMIC_RELEASE); }

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Of the thread that launches: when it last looked at the clock, and asked for an interruption, in milliseconds; blocks between looks,
// and until the next.
typedef struct watch {
  const launch *launch;
  int64_t looked, asked, pace, left;
} watch;

static __thread watch watched __attribute__((tls_model("initial-exec")));

// The clock, which takes as long as a short block, is looked at after more and more of these, and after each block that takes a tick.
static __attribute__((noinline)) void look_for_interruption(launch *launch) {
  enum { INTERVAL = 50, MAX_PACE = 16 };
  bool (*ask)(void) = __atomic_load_n(&is_interrupted, __ATOMIC_ACQUIRE);
  int64_t now = milliseconds_now();
  watched.pace = now != watched.looked ? 1 : watched.pace < MAX_PACE ? 2 * watched.pace : MAX_PACE;
  watched.left = watched.pace;
  watched.looked = now;
  if (!ask || now - watched.asked < INTERVAL) return;
  if (ask()) __atomic_store_n(&launch->is_interrupted, true, __ATOMIC_RELAXED);
  watched.looked = watched.asked = milliseconds_now();
}

// Signals come to the thread that launches, if to any; the others learn of it from the launch.
static bool is_stopped(launch *launch) {
  if (watched.launch == launch && --watched.left < 0) look_for_interruption(launch);
  return __atomic_load_n(&launch->is_interrupted, __ATOMIC_RELAXED);
}

// As on a GPU, other blocks go on where one has failed; those behind it may also not be run.
static int32_t run_blocks(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)part;
  launch *launch = context;
  workspace *space = take_workspace(launch->workspace_bytes);
  int32_t failed = !space;
  if (failed) {
    pthread_mutex_lock(&launch->lock);
    launch->result = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    pthread_mutex_unlock(&launch->lock);
    return failed;
  }
  for (int64_t index = begin; index < end && !failed; ++index) failed = is_stopped(launch) || run_block(launch, space, index);
  give_workspace(space);
  return failed;
}

// In race mode, one block after the other, so that the first race is always the same one.
static void run_watched(launch *launch, int64_t blocks) {
  launch->races = pa_races_begin();
  if (!launch->races)
    launch->result = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  else if (run_blocks(launch, 0, blocks, 0))
    pa_raised_clear();
  if (launch->races) pa_races_end(launch->races);
}

// The host finds it after its next wait. A record that nobody has looked at yet stays.
static CUresult report(const emulated_module *module, const launch *launch) {
  pa_device_error *record = (pa_device_error *)(uintptr_t)module->error;
  int32_t none = PA_DEVICE_ERROR_NONE;
  if (launch->is_interrupted) {
    pa_emulated_explain(CUDA_ERROR_LAUNCH_FAILED, "the launch was interrupted");
    return CUDA_ERROR_LAUNCH_FAILED;
  }
  if (launch->result || launch->failed < 0) return launch->result;
  if (!record) return CUDA_ERROR_LAUNCH_FAILED;
  if (!__atomic_compare_exchange_n(&record->state, &none, PA_DEVICE_ERROR_WRITING, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return CUDA_SUCCESS;
  pa_device_error error = launch->error;
  memcpy(&record->site, &error.site, sizeof error - offsetof(pa_device_error, site));
  __atomic_store_n(&record->state, PA_DEVICE_ERROR_COMPLETE, __ATOMIC_RELEASE);
  return CUDA_SUCCESS;
}

static bool is_within(const int64_t values[3], CUdevice_attribute first_limit) {
  for (int i = 0; i < 3; ++i)
    if (values[i] < 1 || values[i] > pa_emulated_attribute(first_limit + (unsigned)i)) return false;
  return true;
}

static CUresult check_launch(const launch *launch, unsigned dynamic_shared) {
  int64_t threads = launch->block[0] * launch->block[1] * launch->block[2];
  if (!is_within(launch->grid, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) ||
      !is_within(launch->block, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) ||
      threads > pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) ||
      dynamic_shared > (unsigned)__atomic_load_n(&launch->function->dynamic_shared, __ATOMIC_RELAXED) ||
      launch->shared > pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

static bool read_extra(void **extra, const void **out_params) {
  bool found = false;
  for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      *out_params = extra[1];
      found = true;
    }
  return found;
}

CUresult pa_emulated_LaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                                  CUstream stream, void **parameters, void **extra) {
  emulated_device *device = pa_emulated_current();
  const emulated_module *module = module_of(function);
  const void *params = NULL;
  if (!device) return CUDA_ERROR_INVALID_CONTEXT;
  if (!module || module->device != device || !pa_emulated_is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (parameters || !read_extra(extra, &params)) return CUDA_ERROR_INVALID_VALUE;
  launch launch = {.function = &module->function,
                   .params = params,
                   .grid = {grid_x, grid_y, grid_z},
                   .block = {block_x, block_y, block_z},
                   .shared = module->function.shared + dynamic_shared,
                   .lock = PTHREAD_MUTEX_INITIALIZER,
                   .failed = -1};
  CUresult result = check_launch(&launch, dynamic_shared);
  if (result) return result;
  launch.shared_room = ((size_t)launch.shared + PA_BLOCK_ALIGNMENT - 1) & ~(size_t)(PA_BLOCK_ALIGNMENT - 1);
  launch.workspace_bytes =
      launch.shared_room + (size_t)(block_x * block_y * block_z) * (size_t)module->function.scratch;
  if (!launch.workspace_bytes) launch.workspace_bytes = PA_BLOCK_ALIGNMENT;
  int64_t blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  pthread_mutex_lock(&device->running);
  int64_t now = milliseconds_now();
  watch outer = watched; // of a launch whose signal handler this one is in
  watched = (watch){.launch = &launch, .looked = now, .asked = now, .pace = 1};
  if (module->function.races)
    run_watched(&launch, blocks);
  else if (pyarray_rt_parallel_for((int64_t)(uintptr_t)run_blocks, (int64_t)(uintptr_t)&launch, blocks, -1))
    pa_raised_clear();
  watched = outer;
  pthread_mutex_unlock(&device->running);
  return report(module, &launch);
}
