// Graphs. While some thread captures, the driver's table has functions of this file for what enqueues: they put what a
// capturing thread enqueues in the default stream into the captured one. Emulated devices have no graphs: the calls are
// written down here (graph_steps.c).
#include "graph.h"
#include "graph_steps.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local pa_cuda_graph *capturing;
static _Thread_local const pa_graph_access *expected; // of the next launch
static pa_cuda_driver driver;                         // the table as it is without captures
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int captures; // of all threads

bool pa_cuda_graph_is_capturing(void) { return capturing; }

static bool is_default(CUstream stream) { return !stream || stream == CU_STREAM_LEGACY; }

void pa_cuda_graph_expect(const pa_graph_access *access) { expected = access; }

void pa_cuda_graph_pause(bool paused) {
  if (capturing) capturing->paused += paused ? 1 : -1;
}

//===-- Order -------------------------------------------------------------------------------------===//

enum { SET_DEPENDENCIES = 1, MOST_USES = 64 };

// What the next node of the stream comes after.
static void come_after(pa_cuda_graph *graph, void **nodes, size_t count) {
  if (driver.StreamUpdateCaptureDependencies(graph->stream, (CUgraphNode *)nodes, count, SET_DEPENDENCIES))
    graph->has_failed = true;
}

// False where it is not one, or nobody says.
static bool latest_node(pa_cuda_graph *graph, void **out_node) {
  int status = 0;
  const CUgraphNode *nodes = NULL;
  size_t count = 0;
  *out_node = NULL;
  if (driver.StreamGetCaptureInfo(graph->stream, &status, NULL, NULL, &nodes, &count) || count > 1) return false;
  if (count) *out_node = nodes[0];
  return true;
}

// What follows comes after all kernels.
static void join_order(pa_cuda_graph *graph) {
  void *nodes[PA_ORDER_NODES];
  if (!graph->is_ordered) return;
  come_after(graph, nodes, pa_order_join(&graph->order, nodes));
  graph->is_ordered = false;
}

static bool read_uses(const pa_graph_access *access, pa_order_use *uses, size_t *out_count) {
  size_t count = 0, bytes;
  for (uint64_t left = access->arrays; left; left &= left - 1) {
    int slot = __builtin_ctzll(left);
    CUdeviceptr base = 0;
    if (driver.MemGetAddressRange(&base, &bytes, (CUdeviceptr)access->slots[slot])) return false;
    uses[count++] = (pa_order_use){base, access->written >> slot & 1};
  }
  *out_count = count;
  return true;
}

// Before a launch: it comes after those whose memory it needs.
static bool begin_in_order(pa_cuda_graph *graph, const pa_graph_access *access, pa_order_use *uses, size_t *out_count) {
  void *nodes[PA_ORDER_NODES], *start;
  if (!access || !access->arrays || !read_uses(access, uses, out_count)) return false;
  if (graph->order.count == PA_ORDER_NODES - 1) return false;
  if (!graph->is_ordered) {
    if (!latest_node(graph, &start)) return false;
    pa_order_restart(&graph->order, start);
    graph->is_ordered = true;
  }
  come_after(graph, nodes, pa_order_find(&graph->order, uses, *out_count, nodes));
  return true;
}

static void end_in_order(pa_cuda_graph *graph, const pa_order_use *uses, size_t count) {
  void *node = NULL;
  if (!latest_node(graph, &node) || !node || !pa_order_add(&graph->order, uses, count, node)) graph->has_failed = true;
}

//===-- In place of the driver's functions --------------------------------------------------------===//

// The graph that what is enqueued in |*stream| belongs to, and the stream that it is enqueued in.
static pa_cuda_graph *find_graph(CUstream *stream) {
  if (!capturing || (!is_default(*stream) && *stream != capturing->stream)) return NULL;
  if (capturing->paused) return *stream = capturing->aside.handle, NULL;
  *stream = capturing->stream;
  ++capturing->nodes;
  return capturing;
}

// Of what comes after all before it.
static pa_cuda_graph *graph_of(CUstream *stream) {
  pa_cuda_graph *graph = find_graph(stream);
  if (graph) join_order(graph);
  return graph;
}

static bool is_written_down(const pa_cuda_graph *graph) { return graph && pa_cuda_kind_opened() == PA_CUDA_EMULATOR; }

// What waits cannot be part of a graph.
static CUresult refuse(CUstream stream) {
  if (!capturing || (!is_default(stream) && stream != capturing->stream)) return CUDA_SUCCESS;
  if (capturing->paused) return driver.StreamSynchronize(capturing->aside.handle);
  capturing->has_failed = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

static CUresult capture_StreamSynchronize(CUstream stream) {
  CUresult result = refuse(stream);
  return result || (capturing && capturing->paused) ? result : driver.StreamSynchronize(stream);
}

static CUresult capture_StreamQuery(CUstream stream) {
  CUresult result = refuse(stream);
  return result || (capturing && capturing->paused) ? result : driver.StreamQuery(stream);
}

static CUresult capture_CtxSynchronize(void) {
  CUresult result = refuse(NULL);
  return result || (capturing && capturing->paused) ? result : driver.CtxSynchronize();
}

// What memory of the host holds now, unless it is pinned, which the device reads each time.
static CUresult hold(pa_cuda_graph *graph, const void **source, size_t bytes) {
  unsigned type = 0;
  if (!driver.PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)*source))
    return CUDA_SUCCESS;
  void *copy = malloc(bytes ? bytes : 1);
  if (!copy || !pa_graph_grow((void **)&graph->copies, &graph->copy_capacity, graph->copy_count, sizeof copy)) {
    free(copy);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  graph->copies[graph->copy_count++] = memcpy(copy, *source, bytes);
  *source = copy;
  return CUDA_SUCCESS;
}

static CUresult capture_MemcpyHtoDAsync(CUdeviceptr destination, const void *source, size_t bytes, CUstream stream) {
  pa_cuda_graph *graph = graph_of(&stream);
  CUresult result = graph ? hold(graph, &source, bytes) : CUDA_SUCCESS;
  if (result) return result;
  if (is_written_down(graph)) return pa_graph_copy(graph, destination, (CUdeviceptr)(uintptr_t)source, bytes);
  return driver.MemcpyHtoDAsync(destination, source, bytes, stream);
}

static CUresult capture_MemcpyDtoHAsync(void *destination, CUdeviceptr source, size_t bytes, CUstream stream) {
  pa_cuda_graph *graph = graph_of(&stream);
  if (is_written_down(graph)) return pa_graph_copy(graph, (CUdeviceptr)(uintptr_t)destination, source, bytes);
  return driver.MemcpyDtoHAsync(destination, source, bytes, stream);
}

static CUresult capture_MemcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream) {
  pa_cuda_graph *graph = graph_of(&stream);
  if (is_written_down(graph)) return pa_graph_copy(graph, destination, source, bytes);
  return driver.MemcpyDtoDAsync(destination, source, bytes, stream);
}

static CUresult capture_MemcpyPeerAsync(CUdeviceptr destination, CUcontext to, CUdeviceptr source, CUcontext from,
                                        size_t bytes, CUstream stream) {
  pa_cuda_graph *graph = graph_of(&stream);
  if (is_written_down(graph)) return pa_graph_copy(graph, destination, source, bytes);
  return driver.MemcpyPeerAsync(destination, to, source, from, bytes, stream);
}

static CUresult capture_Memcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  pa_cuda_graph *graph = graph_of(&stream);
  CUDA_MEMCPY2D held = *copy;
  if (graph && copy->srcMemoryType == CU_MEMORYTYPE_HOST) {
    size_t bytes = copy->Height ? (copy->Height - 1) * copy->srcPitch + copy->WidthInBytes : 0;
    CUresult result = hold(graph, &held.srcHost, bytes);
    if (result) return result;
  }
  if (is_written_down(graph)) return pa_graph_copy_rows(graph, &held);
  return driver.Memcpy2DAsync(&held, stream);
}

static CUresult capture_MemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream) {
  pa_cuda_graph *graph = graph_of(&stream);
  if (is_written_down(graph)) return pa_graph_fill(graph, address, value, 1, count);
  return driver.MemsetD8Async(address, value, count, stream);
}

static CUresult capture_MemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream) {
  pa_cuda_graph *graph = graph_of(&stream);
  if (is_written_down(graph)) return pa_graph_fill(graph, address, value, 2, count);
  return driver.MemsetD16Async(address, value, count, stream);
}

static CUresult capture_MemsetD32Async(CUdeviceptr address, unsigned value, size_t count, CUstream stream) {
  pa_cuda_graph *graph = graph_of(&stream);
  if (is_written_down(graph)) return pa_graph_fill(graph, address, value, 4, count);
  return driver.MemsetD32Async(address, value, count, stream);
}

static CUresult capture_LaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  pa_cuda_graph *graph = graph_of(&stream);
  if (graph) return refuse(stream); // |data| is for one call
  return driver.LaunchHostFunc(stream, function, data);
}

static CUresult capture_LaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                                     CUstream stream, void **parameters, void **extra) {
  pa_cuda_graph *graph = find_graph(&stream);
  if (is_written_down(graph)) {
    const CUlaunchConfig config = {grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared, stream, NULL, 0};
    return pa_graph_kernel(graph, function, &config, extra);
  }
  pa_order_use uses[MOST_USES];
  size_t count = 0;
  bool in_order = graph && begin_in_order(graph, expected, uses, &count);
  if (graph && !in_order) join_order(graph);
  CUresult result = driver.LaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared,
                                        stream, parameters, extra);
  if (in_order && !result) end_in_order(graph, uses, count);
  return result;
}

static CUresult capture_LaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters,
                                       void **extra) {
  CUlaunchConfig changed = *config;
  pa_cuda_graph *graph = graph_of(&changed.hStream);
  if (is_written_down(graph)) return pa_graph_kernel(graph, function, &changed, extra);
  return driver.LaunchKernelEx(&changed, function, parameters, extra);
}

static CUresult capture_EventRecord(CUevent event, CUstream stream) {
  pa_cuda_graph *graph = graph_of(&stream);
  return is_written_down(graph) ? CUDA_SUCCESS : driver.EventRecord(event, stream);
}

static CUresult capture_StreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  pa_cuda_graph *graph = graph_of(&stream);
  return is_written_down(graph) ? CUDA_SUCCESS : driver.StreamWaitEvent(stream, event, flags);
}

// From the pool, at once: the graph has the memory before it runs.
static CUresult capture_MemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  if (!capturing || !is_default(stream)) return driver.MemAllocAsync(address, bytes, stream);
  CUresult result = driver.MemAllocAsync(address, bytes, capturing->aside.handle);
  return result ? result : driver.StreamSynchronize(capturing->aside.handle);
}

static CUresult capture_MemFreeAsync(CUdeviceptr address, CUstream stream) {
  pa_cuda_graph *graph = capturing;
  if (!graph || !is_default(stream)) return driver.MemFreeAsync(address, stream);
  if (!pa_graph_grow((void **)&graph->freed, &graph->freed_capacity, graph->freed_count, sizeof address))
    return CUDA_ERROR_OUT_OF_MEMORY; // which nobody is told: the memory stays
  graph->freed[graph->freed_count++] = address;
  return CUDA_SUCCESS;
}

bool pa_cuda_graph_for_library(CUstream *out_stream, CUdeviceptr *out_workspace, size_t *out_bytes) {
  enum { WORKSPACE = 32 << 20 }; // what cuBLAS asks for on a Hopper
  pa_cuda_graph *graph = capturing;
  if (!graph || graph->paused || is_written_down(graph)) return false;
  if (!graph->workspace) {
    if (capture_MemAllocAsync(&graph->workspace, WORKSPACE, NULL)) return graph->workspace = 0, false;
    if (capture_MemFreeAsync(graph->workspace, NULL)) return graph->workspace = 0, false;
  }
  *out_stream = NULL;
  *out_workspace = graph->workspace;
  *out_bytes = WORKSPACE;
  return graph_of(out_stream);
}

#define REPLACED(X)                                                                                                    \
  X(StreamSynchronize)                                                                                                 \
  X(StreamQuery)                                                                                                       \
  X(CtxSynchronize)                                                                                                    \
  X(MemcpyHtoDAsync)                                                                                                   \
  X(MemcpyDtoHAsync)                                                                                                   \
  X(MemcpyDtoDAsync)                                                                                                   \
  X(MemcpyPeerAsync)                                                                                                   \
  X(Memcpy2DAsync)                                                                                                     \
  X(MemsetD8Async)                                                                                                     \
  X(MemsetD16Async)                                                                                                    \
  X(MemsetD32Async)                                                                                                    \
  X(LaunchHostFunc) X(LaunchKernel) X(LaunchKernelEx) X(EventRecord) X(StreamWaitEvent) X(MemAllocAsync) X(MemFreeAsync)

// Other threads read the table meanwhile: either function does for them.
#define PUT(name) __atomic_store_n(&pa_cuda.name, &capture_##name, __ATOMIC_RELEASE);
#define PUT_BACK(name) __atomic_store_n(&pa_cuda.name, driver.name, __ATOMIC_RELEASE);

static void replace(void) {
  pthread_mutex_lock(&lock);
  if (!captures++) {
    driver = pa_cuda;
    REPLACED(PUT)
  }
  pthread_mutex_unlock(&lock);
}

static void put_back(void) {
  pthread_mutex_lock(&lock);
  if (!--captures) {
    REPLACED(PUT_BACK)
  }
  pthread_mutex_unlock(&lock);
}

//===-- Graphs ------------------------------------------------------------------------------------===//

static void destroy(pa_cuda_resource *resource) {
  pa_cuda_graph *graph = (pa_cuda_graph *)resource;
  if (graph->executable) pa_cuda.GraphExecDestroy(graph->executable);
  // It may be running. While another one is captured nobody waits, and that one takes the memory over.
  if (!capturing) pa_cuda.CtxSynchronize();
  for (size_t i = 0; i < graph->freed_count; ++i) pa_cuda.MemFreeAsync(graph->freed[i], NULL);
  graph->executable = NULL;
  graph->freed_count = 0;
}

static void free_copy(void *copy) {
  pa_cuda_graph *other = capturing;
  if (other && pa_graph_grow((void **)&other->copies, &other->copy_capacity, other->copy_count, sizeof copy))
    other->copies[other->copy_count++] = copy;
  else
    free(copy);
}

static void free_host(pa_cuda_graph *graph) {
  pa_graph_free_steps(graph);
  pa_order_free(&graph->order);
  for (size_t i = 0; i < graph->copy_count; ++i) free_copy(graph->copies[i]);
  free(graph->copies);
  free(graph->freed);
  graph->copies = NULL;
  graph->freed = NULL;
  graph->copy_count = graph->freed_count = 0;
}

void pa_cuda_graph_destroy(pa_cuda_graph *graph) {
  if (capturing == graph) pa_status_free(pa_cuda_graph_end(graph, true));
  pa_cuda_resource_free(&graph->resource);
  pa_cuda_stream_destroy(&graph->own);
  pa_cuda_stream_destroy(&graph->aside);
  graph->resource.destroy = NULL;
  free_host(graph);
}

pa_status pa_cuda_graph_begin(pa_cuda_context *context, CUstream stream, pa_cuda_graph *graph) {
  enum { RELAXED = 2 };
  if (capturing) return pa_fail(PA_CODE_INVALID, NULL, "this thread captures a graph already");
  if (graph->resource.destroy) return pa_fail(PA_CODE_INVALID, NULL, "the graph was captured before");
  if (!stream) {
    PA_TRY(pa_cuda_stream_create_unordered(context, &graph->own));
    stream = graph->own.handle;
  }
  PA_TRY(pa_cuda_stream_create_unordered(context, &graph->aside));
  graph->stream = stream;
  if (pa_cuda_kind_opened() == PA_CUDA_GPU)
    PA_TRY_IN(context, pa_cuda.StreamBeginCapture(stream, RELAXED), "beginning to capture a graph");
  graph->resource.destroy = destroy;
  pa_cuda_resource_link(&graph->resource, context);
  replace();
  capturing = graph;
  return PA_OK;
}

static CUresult instantiate(pa_cuda_graph *graph, CUgraph captured) {
  CUresult result = pa_cuda.GraphInstantiate(&graph->executable, captured, 0);
  pa_cuda.GraphDestroy(captured);
  return result;
}

pa_status pa_cuda_graph_end(pa_cuda_graph *graph, bool discard) {
  CUgraph captured = NULL;
  if (capturing != graph) return pa_fail(PA_CODE_INVALID, NULL, "this thread does not capture the graph");
  capturing = NULL;
  put_back();
  pa_cuda_context *context = graph->resource.context;
  PA_TRY(pa_cuda_resource_check(&graph->resource, "the graph"));
  if (pa_cuda_kind_opened() == PA_CUDA_GPU)
    PA_TRY_IN(context, pa_cuda.StreamEndCapture(graph->stream, &captured), "ending the capture of a graph");
  bool is_good = !discard && !graph->has_failed;
  if (captured && is_good)
    PA_TRY_IN(context, instantiate(graph, captured), "making a graph of what was captured");
  else if (captured)
    PA_TRY_IN(context, pa_cuda.GraphDestroy(captured), "freeing what was captured");
  if (is_good || discard) return PA_OK;
  return pa_fail(PA_CODE_INVALID, NULL, "there is no graph: something was refused while it was captured");
}

pa_status pa_cuda_graph_launch(pa_cuda_graph *graph, CUstream stream) {
  PA_TRY(pa_cuda_resource_check(&graph->resource, "the graph"));
  pa_cuda_context *context = graph->resource.context;
  if (capturing) return pa_fail(PA_CODE_INVALID, NULL, "a graph is not launched while another one is captured");
  if (pa_cuda_kind_opened() == PA_CUDA_EMULATOR) {
    PA_TRY_IN(context, pa_graph_run(graph, stream), "launching a graph");
    return PA_OK;
  }
  if (!graph->executable) return pa_fail(PA_CODE_INVALID, NULL, "the graph was not captured");
  PA_TRY_IN(context, pa_cuda.GraphLaunch(graph->executable, stream), "launching a graph");
  return PA_OK;
}
