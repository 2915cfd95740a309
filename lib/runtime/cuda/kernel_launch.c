// Kernels: launching, and how many blocks run at once.
#include <stdio.h>

#include "context.h"
#include "kernel_internal.h"

//===-- Dynamic shared memory ---------------------------------------------------------------------===//

static CUresult raise_limit(pa_loaded_kernel *loaded, int64_t bytes) {
  if (bytes > INT32_MAX) return CUDA_ERROR_INVALID_VALUE;
  CUresult result =
      pa_cuda.FuncSetAttribute(loaded->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes);
  if (!result) __atomic_store_n(&loaded->dynamic_shared, (int32_t)bytes, __ATOMIC_RELAXED);
  return result;
}

// A limit that another thread has raised further since must not be lowered again before that thread's launch.
static CUresult raise_shared(pa_loaded_kernel *loaded, int64_t bytes) {
  pthread_mutex_lock(&loaded->kernel->lock);
  CUresult result = bytes > loaded->dynamic_shared ? raise_limit(loaded, bytes) : CUDA_SUCCESS;
  pthread_mutex_unlock(&loaded->kernel->lock);
  return result;
}

//===-- Launches of blocks that know each other ---------------------------------------------------===//

typedef struct joint_launch {
  CUlaunchAttribute attributes[2];
  CUlaunchConfig config; // with these attributes
} joint_launch;

static unsigned cluster_extent(uint32_t cluster, int axis) { return cluster >> 8 * axis & 255; }

static unsigned cluster_blocks(uint32_t cluster) {
  return cluster ? cluster_extent(cluster, 0) * cluster_extent(cluster, 1) * cluster_extent(cluster, 2) : 1;
}

static void make_joint(joint_launch *joint, bool cooperative, uint32_t cluster) {
  unsigned count = 0;
  if (cooperative) {
    joint->attributes[count].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    joint->attributes[count++].value.cooperative = 1;
  }
  if (cluster) {
    joint->attributes[count].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    joint->attributes[count].value.clusterDim.x = cluster_extent(cluster, 0);
    joint->attributes[count].value.clusterDim.y = cluster_extent(cluster, 1);
    joint->attributes[count++].value.clusterDim.z = cluster_extent(cluster, 2);
  }
  joint->config.attrs = joint->attributes;
  joint->config.numAttrs = count;
}

// Clusters of more blocks than every device with clusters has must be asked for.
static CUresult allow_large_clusters(const pa_loaded_kernel *loaded, uint32_t cluster) {
  enum { PORTABLE = 8 };
  if (cluster_blocks(cluster) <= PORTABLE) return CUDA_SUCCESS;
  return pa_cuda.FuncSetAttribute(loaded->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
}

// With the context current. |block|: its threads.
static CUresult count_together(pa_loaded_kernel *loaded, int64_t block, size_t shared, uint32_t cluster,
                               int64_t *out_blocks) {
  int number = 0, multiprocessors = 0;
  CUdevice device = loaded->resource.context->device->handle;
  if (block > INT32_MAX || raise_shared(loaded, (int64_t)shared)) return CUDA_ERROR_INVALID_VALUE;
  if (!cluster) {
    CUresult result = pa_cuda.OccupancyMaxActiveBlocksPerMultiprocessor(&number, loaded->function, (int)block, shared);
    if (!result)
      result = pa_cuda.DeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
    *out_blocks = (int64_t)number * multiprocessors;
    return result;
  }
  joint_launch joint = {0};
  make_joint(&joint, false, cluster);
  joint.config.gridDimX = cluster_extent(cluster, 0), joint.config.gridDimY = cluster_extent(cluster, 1),
  joint.config.gridDimZ = cluster_extent(cluster, 2);
  joint.config.blockDimX = (unsigned)block, joint.config.blockDimY = joint.config.blockDimZ = 1;
  joint.config.sharedMemBytes = (unsigned)shared;
  CUresult result = allow_large_clusters(loaded, cluster);
  if (!result) result = pa_cuda.OccupancyMaxActiveClusters(&number, loaded->function, &joint.config);
  *out_blocks = (int64_t)number * cluster_blocks(cluster);
  return result;
}

pa_status pa_kernel_cooperative_blocks(pa_kernel *kernel, pa_cuda_context *context, int64_t block_size,
                                       size_t dynamic_shared, uint32_t cluster, int64_t *out_blocks) {
  pa_loaded_kernel *loaded = NULL;
  int64_t blocks = 0;
  PA_TRY(pa_kernel_loaded(kernel, context, &loaded));
  size_t shared = (size_t)kernel->options.dynamic_shared + dynamic_shared;
  PA_TRY_IN(context, count_together(loaded, block_size, shared, cluster ? cluster : kernel->options.cluster, &blocks),
            "asking how many blocks of kernel %s run at once", kernel->name);
  *out_blocks = blocks;
  return PA_OK;
}

//===-- Launching ---------------------------------------------------------------------------------===//

// Static arrays beyond MAX_SHARED_MEMORY_PER_BLOCK are among |dynamic|, which can be as large as the device's OPTIN
// limit.
static bool describe_shared(CUdevice device, int64_t fixed, int64_t dynamic, char *text, size_t size) {
  int usual = 0, most = 0;
  if (pa_cuda.DeviceGetAttribute(&usual, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, device) ||
      pa_cuda.DeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device) ||
      fixed + dynamic <= most)
    return false;
  snprintf(text, size,
           ", with %lld bytes of shared memory in a block where the device allows %d, %d of it static, more as dynamic "
           "shared memory",
           (long long)(fixed + dynamic), most, usual);
  return true;
}

// Of blocks that wait for each other, or are in clusters.
static bool describe_joint(pa_loaded_kernel *loaded, const pa_launch *launch, char *text, size_t size) {
  uint32_t cluster = launch->cluster ? launch->cluster : loaded->kernel->options.cluster;
  int64_t dynamic = loaded->kernel->options.dynamic_shared + launch->dynamic_shared, most = 0, threads = 1, blocks = 1;
  int has_clusters = 0;
  if (!loaded->kernel->options.cooperative && !cluster) return false;
  if (cluster &&
      !pa_cuda.DeviceGetAttribute(&has_clusters, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH,
                                  loaded->resource.context->device->handle) &&
      !has_clusters)
    return snprintf(text, size, ", in clusters, which take a device of compute capability 9.0 or more"), true;
  for (int i = 0; i < 3; ++i) {
    threads *= launch->block[i];
    blocks *= launch->grid[i];
    if (!cluster || launch->grid[i] % cluster_extent(cluster, i) == 0) continue;
    snprintf(text, size, ", whose blocks are no multiple of those of a cluster, %u, in %c", cluster_extent(cluster, i),
             "xyz"[i]);
    return true;
  }
  if (!loaded->kernel->options.cooperative || count_together(loaded, threads, (size_t)dynamic, cluster, &most) ||
      blocks <= most)
    return false;
  snprintf(
      text, size,
      ", %lld of which wait for each other, where at most %lld run at once on the device (max_cooperative_grid_blocks)",
      (long long)blocks, (long long)most);
  return true;
}

// Writes which limit of the device or the kernel a launch exceeds; "" where it is none.
static void describe_limit(pa_loaded_kernel *loaded, const pa_launch *launch, char *text, size_t size) {
  const CUdevice device = loaded->resource.context->device->handle;
  uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
  pa_kernel_attributes attributes = {0};
  text[0] = 0;
  for (unsigned i = 0; i < 6; ++i) {
    bool is_grid = i < 3;
    uint32_t value = is_grid ? launch->grid[i] : launch->block[i - 3];
    CUdevice_attribute first = is_grid ? CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X : CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X;
    int most = 0;
    if (pa_cuda.DeviceGetAttribute(&most, first + i % 3, device) || (value && value <= (uint32_t)most)) continue;
    snprintf(text, size, ", of %u %s in %c where the device allows 1 to %d", value, is_grid ? "blocks" : "threads",
             "xyz"[i % 3], most);
    return;
  }
  if (describe_joint(loaded, launch, text, size) || pa_kernel_read_attributes(loaded->function, &attributes)) return;
  int64_t dynamic = loaded->kernel->options.dynamic_shared + launch->dynamic_shared;
  if (describe_shared(device, attributes.shared_bytes, dynamic, text, size)) return;
  if (threads > (uint64_t)attributes.max_threads)
    snprintf(text, size, ", of %llu threads in a block where this kernel, with %d registers in each, can have %d",
             (unsigned long long)threads, attributes.registers, attributes.max_threads);
}

static __attribute__((noinline, cold)) pa_status fail_launch(pa_loaded_kernel *loaded, const pa_launch *launch,
                                                             CUresult result) {
  const uint32_t *grid = launch->grid, *block = launch->block;
  char limit[192];
  if (result == CUDA_ERROR_NOT_SUPPORTED)
    snprintf(limit, sizeof limit, ", for which the driver has to be that of CUDA 11.8 or newer");
  else
    describe_limit(loaded, launch, limit, sizeof limit);
  return pa_fail_cu(result, "launching kernel %s on a grid of (%u, %u, %u) blocks of (%u, %u, %u) threads%s",
                    loaded->kernel->name, grid[0], grid[1], grid[2], block[0], block[1], block[2], limit);
}

static __attribute__((noinline, cold)) pa_status allow_shared(pa_loaded_kernel *loaded, const pa_launch *launch,
                                                              int64_t bytes) {
  CUresult result = raise_shared(loaded, bytes);
  return result ? fail_launch(loaded, launch, result) : PA_OK;
}

static CUresult launch_joint(const pa_loaded_kernel *loaded, const pa_launch *launch, int64_t shared, uint32_t cluster,
                             void **extra) {
  joint_launch joint = {.config = {launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
                                   launch->block[1], launch->block[2], (unsigned)shared, launch->stream, NULL, 0}};
  make_joint(&joint, loaded->kernel->options.cooperative, cluster);
  CUresult result = allow_large_clusters(loaded, cluster);
  return result ? result : pa_cuda.LaunchKernelEx(&joint.config, loaded->function, NULL, extra);
}

static pa_status check_cluster(const pa_kernel *kernel, const pa_launch *launch) {
  uint32_t own = kernel->options.cluster, wanted = launch->cluster, most = kernel->options.max_cluster;
  if (most && cluster_blocks(wanted) > most)
    return pa_fail(
        PA_CODE_INVALID, NULL,
        "kernel %s was compiled for clusters of at most %u blocks (launch_bounds), and cannot be launched in "
        "those of %u",
        kernel->name, most, cluster_blocks(wanted));
  if (!own || own == wanted) return PA_OK;
  return pa_fail(PA_CODE_INVALID, NULL,
                 "kernel %s was compiled for clusters of (%u, %u, %u) blocks (cluster_dims), and cannot be launched in "
                 "those of (%u, %u, %u)",
                 kernel->name, cluster_extent(own, 0), cluster_extent(own, 1), cluster_extent(own, 2),
                 cluster_extent(wanted, 0), cluster_extent(wanted, 1), cluster_extent(wanted, 2));
}

pa_status pa_kernel_launch(pa_kernel *kernel, pa_cuda_context *context, const pa_launch *launch) {
  pa_loaded_kernel *loaded = pa_kernel_find_loaded(kernel, context);
  if (__builtin_expect(!loaded, 0)) PA_TRY(pa_kernel_loaded(kernel, context, &loaded));
  CUcontext previous = NULL;
  uint32_t cluster = launch->cluster ? launch->cluster : kernel->options.cluster;
  if (__builtin_expect(launch->cluster, 0)) PA_TRY(check_cluster(kernel, launch));
  PA_TRY(pa_cuda_enter(context, &previous));
  int64_t shared = kernel->options.dynamic_shared + launch->dynamic_shared;
  pa_status status = PA_OK;
  if (__builtin_expect(shared > __atomic_load_n(&loaded->dynamic_shared, __ATOMIC_RELAXED), 0))
    status = allow_shared(loaded, launch, shared);
  if (!status) {
    size_t bytes = launch->slot_bytes;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(uintptr_t)launch->slots, CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &bytes, CU_LAUNCH_PARAM_END};
    CUresult result = __builtin_expect(cluster || kernel->options.cooperative, 0)
                          ? launch_joint(loaded, launch, shared, cluster, extra)
                          : pa_cuda.LaunchKernel(loaded->function, launch->grid[0], launch->grid[1], launch->grid[2],
                                                 launch->block[0], launch->block[1], launch->block[2], (unsigned)shared,
                                                 launch->stream, NULL, extra);
    if (__builtin_expect(result, 0)) status = fail_launch(loaded, launch, result);
  }
  pa_cuda_leave(context, previous);
  return status;
}
