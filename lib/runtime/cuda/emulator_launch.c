// Launches on emulated devices.
//
// Blocks are shared out over the host's cores; each of the threads takes a workspace, shared and scratch memory of one
// block, and keeps it from block to block. Blocks that wait for each other are run by emulator_teams.c.
#include "emulator_launch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../runtime.h"
#include "fiber.h"

//===-- Workspaces --------------------------------------------------------------------------------===//

static pthread_mutex_t workspace_lock = PTHREAD_MUTEX_INITIALIZER;
static workspace *workspaces; // not in use
static size_t kept_bytes;     // of these

enum { MOST_KEPT = 256 << 20 }; // bytes: a grid whose blocks wait takes one for each

static void free_workspace(workspace *space) {
  free(space->memory);
  free(space);
}

workspace *pa_emulated_take_workspace(size_t bytes) {
  if (!bytes) bytes = PA_BLOCK_ALIGNMENT;
  pthread_mutex_lock(&workspace_lock);
  workspace *space = workspaces;
  if (space) {
    workspaces = space->next;
    kept_bytes -= space->bytes;
  }
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

void pa_emulated_give_workspace(workspace *space) {
  if (!space) return;
  pthread_mutex_lock(&workspace_lock);
  bool keep = kept_bytes + space->bytes <= MOST_KEPT;
  if (keep) {
    space->next = workspaces;
    workspaces = space;
    kept_bytes += space->bytes;
  }
  pthread_mutex_unlock(&workspace_lock);
  if (!keep) free_workspace(space);
}

void pa_emulated_workspaces_free(void) {
  pthread_mutex_lock(&workspace_lock);
  for (workspace *next; workspaces; workspaces = next) {
    next = workspaces->next;
    free_workspace(workspaces);
  }
  kept_bytes = 0;
  pthread_mutex_unlock(&workspace_lock);
  pa_fiber_stacks_free();
}

//===-- Blocks ------------------------------------------------------------------------------------===//

void pa_emulated_unfold(int64_t index, const int64_t extents[3], int64_t out[3]) {
  out[0] = index % extents[0];
  out[1] = index / extents[0] % extents[1];
  out[2] = index / extents[0] / extents[1];
}

int64_t pa_emulated_volume(const int64_t extents[3]) { return extents[0] * extents[1] * extents[2]; }

void pa_emulated_note_failure(emulated_launch *launch, int64_t index, const pa_block *block) {
  const pa_raised *raised = pa_raised_current();
  int64_t thread[3];
  pa_emulated_unfold(block->thread, launch->block, thread);
  pthread_mutex_lock(&launch->lock);
  if (!raised->count) {
    launch->result = CUDA_ERROR_LAUNCH_FAILED;
  } else if (launch->failed < 0 || index < launch->failed) {
    launch->failed = index;
    launch->error = (pa_device_error){.site = raised->site[0]};
    for (int i = 0; i < raised->value_count && i < PA_DEVICE_ERROR_VALUES; ++i)
      launch->error.values[i] = raised->values[i];
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

void pa_emulated_out_of_memory(emulated_launch *launch) {
  pthread_mutex_lock(&launch->lock);
  launch->result = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  pthread_mutex_unlock(&launch->lock);
}

pa_block pa_emulated_block(const emulated_launch *launch, int64_t index) {
  pa_block block = {.shared_bytes = launch->shared, .shared_stride = (int64_t)launch->shared_room};
  memcpy(block.grid, launch->grid, sizeof block.grid);
  memcpy(block.block, launch->block, sizeof block.block);
  memcpy(block.cluster, launch->cluster, sizeof block.cluster);
  pa_emulated_unfold(index, launch->grid, block.index);
  return block;
}

static int32_t run_block(emulated_launch *launch, const workspace *space, int64_t index) {
  pa_block block = pa_emulated_block(launch, index);
  block.shared = space->memory;
  block.scratch = space->memory + launch->shared_room;
  if (launch->races) pa_races_block(launch->races, &block, launch->scratch_bytes);
  if (!launch->function->block(launch->params, &block)) return 0;
  pa_emulated_note_failure(launch, index, &block);
  return 1;
}

//===-- Interruptions -----------------------------------------------------------------------------===//

static bool (*is_interrupted)(void); // atomic

void pa_emulator_set_interruption(bool (*function)(void)) {
  __atomic_store_n(&is_interrupted, function, __ATOMIC_RELEASE);
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Of the thread that launches: when it last looked at the clock, and asked for an interruption, in milliseconds; blocks
// between looks, and until the next.
typedef struct watch {
  const emulated_launch *launch;
  int64_t looked, asked, pace, left;
} watch;

static __thread watch watched __attribute__((tls_model("initial-exec")));

// The clock, which takes as long as a short block, is looked at after more and more of these, and after each block that
// takes a tick.
static __attribute__((noinline)) void look_for_interruption(emulated_launch *launch) {
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
bool pa_emulated_is_stopped(emulated_launch *launch) {
  if (watched.launch == launch && --watched.left < 0) look_for_interruption(launch);
  return __atomic_load_n(&launch->is_interrupted, __ATOMIC_RELAXED);
}

bool pa_emulated_has_failed(emulated_launch *launch) {
  pthread_mutex_lock(&launch->lock);
  bool failed = launch->result || launch->failed >= 0;
  pthread_mutex_unlock(&launch->lock);
  return failed || __atomic_load_n(&launch->is_interrupted, __ATOMIC_RELAXED);
}

//===-- Launches ----------------------------------------------------------------------------------===//

// As on a GPU, other blocks go on where one has failed; those behind it may also not be run.
static int32_t run_blocks(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)part;
  emulated_launch *launch = context;
  workspace *space = pa_emulated_take_workspace(launch->shared_room + launch->scratch_bytes);
  int32_t failed = !space;
  if (failed) pa_emulated_out_of_memory(launch);
  for (int64_t index = begin; index < end && !failed; ++index)
    failed = pa_emulated_is_stopped(launch) || run_block(launch, space, index);
  pa_emulated_give_workspace(space);
  return failed;
}

static void run_independent(emulated_launch *launch) {
  int64_t blocks = pa_emulated_volume(launch->grid);
  int32_t failed =
      launch->races ? run_blocks(launch, 0, blocks, 0)
                    : pyarray_rt_parallel_for((int64_t)(uintptr_t)run_blocks, (int64_t)(uintptr_t)launch, blocks, -1);
  if (failed) pa_raised_clear();
}

// In race mode, one block after the other, so that the first race is always the same one.
static void run(emulated_launch *launch) {
  if (launch->function->races) launch->races = pa_races_begin();
  if (launch->function->races && !launch->races)
    launch->result = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  else if (launch->function->waits || pa_emulated_volume(launch->cluster) > 1)
    pa_emulated_run_teams(launch);
  else
    run_independent(launch);
  if (launch->races) pa_races_end(launch->races);
}

// The host finds it after its next wait. A record that nobody has looked at yet stays.
static CUresult report(const emulated_module *module, const emulated_launch *launch) {
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

//===-- Checks ------------------------------------------------------------------------------------===//

static bool is_within(const int64_t values[3], CUdevice_attribute first_limit) {
  for (int i = 0; i < 3; ++i)
    if (values[i] < 1 || values[i] > pa_emulated_attribute(first_limit + (unsigned)i)) return false;
  return true;
}

static CUresult check_cluster(const emulated_launch *launch) {
  for (int i = 0; i < 3; ++i)
    if (launch->cluster[i] < 1 || launch->cluster[i] > PA_EMULATED_CLUSTER || launch->grid[i] % launch->cluster[i])
      return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  return pa_emulated_volume(launch->cluster) > PA_EMULATED_CLUSTER ? CUDA_ERROR_INVALID_CLUSTER_SIZE : CUDA_SUCCESS;
}

static CUresult check_launch(const emulated_launch *launch, unsigned dynamic_shared, bool cooperative) {
  int64_t threads = pa_emulated_volume(launch->block);
  if (!is_within(launch->grid, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) ||
      !is_within(launch->block, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) ||
      threads > pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) ||
      dynamic_shared > (unsigned)__atomic_load_n(&launch->function->dynamic_shared, __ATOMIC_RELAXED) ||
      launch->shared > pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN))
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = check_cluster(launch);
  if (result || !cooperative) return result;
  int64_t most = (int64_t)pa_emulated_resident_blocks(launch->function, (int)threads, dynamic_shared) *
                 pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return pa_emulated_volume(launch->grid) > most ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
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

static CUresult read_attributes(const CUlaunchConfig *config, emulated_launch *launch, bool *out_cooperative) {
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute *attribute = &config->attrs[i];
    switch (attribute->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: *out_cooperative = attribute->value.cooperative; break;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
      launch->cluster[0] = attribute->value.clusterDim.x;
      launch->cluster[1] = attribute->value.clusterDim.y;
      launch->cluster[2] = attribute->value.clusterDim.z;
      break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

static void run_on_device(emulated_device *device, emulated_launch *launch) {
  pthread_mutex_lock(&device->running);
  int64_t now = milliseconds_now();
  watch outer = watched; // of a launch whose signal handler this one is in
  watched = (watch){.launch = launch, .looked = now, .asked = now, .pace = 1};
  run(launch);
  watched = outer;
  pthread_mutex_unlock(&device->running);
}

CUresult pa_emulated_LaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters,
                                    void **extra) {
  emulated_device *device = pa_emulated_current();
  const emulated_module *module = pa_emulated_module_of(function);
  const void *params = NULL;
  bool cooperative = false;
  if (!device) return CUDA_ERROR_INVALID_CONTEXT;
  if (!module || module->device != device || !pa_emulated_is_stream(config->hStream)) return CUDA_ERROR_INVALID_HANDLE;
  if (parameters || !read_extra(extra, &params)) return CUDA_ERROR_INVALID_VALUE;
  emulated_launch launch = {.function = &module->function,
                            .params = params,
                            .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                            .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                            .cluster = {1, 1, 1},
                            .shared = module->function.shared + config->sharedMemBytes,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .failed = -1};
  CUresult result = read_attributes(config, &launch, &cooperative);
  if (!result) result = check_launch(&launch, config->sharedMemBytes, cooperative);
  if (result) return result;
  if (module->function.waits & PA_BLOCK_WAITS_FOR_GRID && !cooperative)
    return CUDA_ERROR_LAUNCH_FAILED; // a GPU would trap
  launch.shared_room = ((size_t)launch.shared + PA_BLOCK_ALIGNMENT - 1) & ~(size_t)(PA_BLOCK_ALIGNMENT - 1);
  launch.scratch_bytes = (size_t)pa_emulated_volume(launch.block) * (size_t)module->function.scratch;
  run_on_device(device, &launch);
  return report(module, &launch);
}

CUresult pa_emulated_LaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                                  CUstream stream, void **parameters, void **extra) {
  CUlaunchConfig config = {grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared, stream, NULL, 0};
  return pa_emulated_LaunchKernelEx(&config, function, parameters, extra);
}

CUresult pa_emulated_OccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config) {
  const emulated_module *module = pa_emulated_module_of(function);
  bool cooperative;
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  emulated_launch launch = {.cluster = {1, 1, 1}, .block = {config->blockDimX, config->blockDimY, config->blockDimZ}};
  CUresult result = read_attributes(config, &launch, &cooperative);
  int64_t threads = pa_emulated_volume(launch.block), blocks = pa_emulated_volume(launch.cluster);
  if (result || threads < 1 || blocks < 1) return result ? result : CUDA_ERROR_INVALID_VALUE;
  *clusters = (int)(pa_emulated_resident_blocks(&module->function, (int)threads, config->sharedMemBytes) *
                    pa_emulated_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) / blocks);
  return CUDA_SUCCESS;
}
