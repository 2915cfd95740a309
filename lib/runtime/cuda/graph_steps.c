// The graph of an emulated device: a list of calls, which are made again. The emulator does work when it is enqueued.
#include "graph_steps.h"
#include "emulator_internal.h"

#include <stdlib.h>
#include <string.h>

enum step_kind { COPY, ROWS, FILL, KERNEL };

typedef struct pa_graph_step {
  enum step_kind kind;
  union {
    struct {
      CUdeviceptr destination, source;
      size_t bytes;
    } copy;
    CUDA_MEMCPY2D rows;
    struct {
      CUdeviceptr address;
      unsigned value;
      size_t item, count;
    } fill;
    struct {
      CUfunction function;
      CUlaunchConfig config;
      CUlaunchAttribute attributes[2];
      void *slots; // malloc's
      size_t bytes;
    } kernel;
  };
} pa_graph_step;

bool pa_graph_grow(void **items, size_t *capacity, size_t count, size_t bytes) {
  if (count < *capacity) return true;
  size_t more = *capacity ? 2 * *capacity : 16;
  void *grown = realloc(*items, more * bytes);
  if (!grown) return false;
  *items = grown;
  *capacity = more;
  return true;
}

static CUresult add(pa_cuda_graph *graph, const pa_graph_step *step) {
  if (!pa_graph_grow((void **)&graph->steps, &graph->step_capacity, graph->step_count, sizeof *step))
    return CUDA_ERROR_OUT_OF_MEMORY;
  graph->steps[graph->step_count++] = *step;
  return CUDA_SUCCESS;
}

CUresult pa_graph_copy(pa_cuda_graph *graph, CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
  return add(graph, &(pa_graph_step){.kind = COPY, .copy = {destination, source, bytes}});
}

CUresult pa_graph_copy_rows(pa_cuda_graph *graph, const CUDA_MEMCPY2D *copy) {
  return add(graph, &(pa_graph_step){.kind = ROWS, .rows = *copy});
}

CUresult pa_graph_fill(pa_cuda_graph *graph, CUdeviceptr address, unsigned value, size_t item, size_t count) {
  return add(graph, &(pa_graph_step){.kind = FILL, .fill = {address, value, item, count}});
}

CUresult pa_graph_kernel(pa_cuda_graph *graph, CUfunction function, const CUlaunchConfig *config, void **extra) {
  const void *slots = NULL;
  size_t bytes = 0;
  for (void **at = extra; at && *at != CU_LAUNCH_PARAM_END; at += 2) {
    if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER) slots = at[1];
    if (*at == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *(const size_t *)at[1];
  }
  pa_graph_step step = {.kind = KERNEL, .kernel = {.function = function, .config = *config, .bytes = bytes}};
  if (config->numAttrs > 2 || !(step.kernel.slots = malloc(bytes ? bytes : 1))) return CUDA_ERROR_OUT_OF_MEMORY;
  if (bytes) memcpy(step.kernel.slots, slots, bytes);
  if (config->numAttrs) memcpy(step.kernel.attributes, config->attrs, config->numAttrs * sizeof *config->attrs);
  CUresult result = add(graph, &step);
  if (result) free(step.kernel.slots);
  return result;
}

static CUresult run_kernel(pa_graph_step *step, CUstream stream) {
  CUlaunchConfig config = step->kernel.config;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, step->kernel.slots, CU_LAUNCH_PARAM_BUFFER_SIZE, &step->kernel.bytes,
                   CU_LAUNCH_PARAM_END};
  config.hStream = stream;
  config.attrs = step->kernel.attributes;
  return config.numAttrs ? pa_cuda.LaunchKernelEx(&config, step->kernel.function, NULL, extra)
                         : pa_cuda.LaunchKernel(step->kernel.function, config.gridDimX, config.gridDimY,
                                                config.gridDimZ, config.blockDimX, config.blockDimY, config.blockDimZ,
                                                config.sharedMemBytes, stream, NULL, extra);
}

static CUresult run_fill(const pa_graph_step *step, CUstream stream) {
  switch (step->fill.item) {
  case 1: return pa_cuda.MemsetD8Async(step->fill.address, (unsigned char)step->fill.value, step->fill.count, stream);
  case 2: return pa_cuda.MemsetD16Async(step->fill.address, (unsigned short)step->fill.value, step->fill.count, stream);
  default: return pa_cuda.MemsetD32Async(step->fill.address, step->fill.value, step->fill.count, stream);
  }
}

CUresult pa_graph_run(const pa_cuda_graph *graph, CUstream stream) {
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < graph->step_count && !result; ++i) {
    pa_graph_step *step = &graph->steps[i];
    switch (step->kind) {
    case COPY:
      memmove((void *)(uintptr_t)step->copy.destination, (const void *)(uintptr_t)step->copy.source, step->copy.bytes);
      break;
    case ROWS: result = pa_cuda.Memcpy2DAsync(&step->rows, stream); break;
    case FILL: result = run_fill(step, stream); break;
    case KERNEL: result = run_kernel(step, stream); break;
    }
  }
  return result;
}

void pa_graph_free_steps(pa_cuda_graph *graph) {
  for (size_t i = 0; i < graph->step_count; ++i)
    if (graph->steps[i].kind == KERNEL) free(graph->steps[i].kernel.slots);
  free(graph->steps);
  graph->steps = NULL;
  graph->step_count = graph->step_capacity = 0;
}

//===-- What the emulator has instead of the driver's graphs ----------------------------------------===//

CUresult pa_emulated_StreamBeginCapture(CUstream stream, int mode) {
  return (void)stream, (void)mode, CUDA_ERROR_NOT_SUPPORTED;
}
CUresult pa_emulated_StreamEndCapture(CUstream stream, CUgraph *graph) {
  return (void)stream, (void)graph, CUDA_ERROR_NOT_SUPPORTED;
}
CUresult pa_emulated_StreamGetCaptureInfo(CUstream stream, int *status, uint64_t *number, CUgraph *graph,
                                          const CUgraphNode **nodes, size_t *count) {
  (void)stream, (void)status, (void)number, (void)graph, (void)nodes, (void)count;
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult pa_emulated_StreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *nodes, size_t count,
                                                     unsigned flags) {
  (void)stream, (void)nodes, (void)count, (void)flags;
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult pa_emulated_GraphInstantiate(CUgraphExec *executable, CUgraph graph, unsigned long long flags) {
  return (void)executable, (void)graph, (void)flags, CUDA_ERROR_NOT_SUPPORTED;
}
CUresult pa_emulated_GraphLaunch(CUgraphExec executable, CUstream stream) {
  return (void)executable, (void)stream, CUDA_ERROR_NOT_SUPPORTED;
}
CUresult pa_emulated_GraphDestroy(CUgraph graph) { return (void)graph, CUDA_ERROR_NOT_SUPPORTED; }
CUresult pa_emulated_GraphExecDestroy(CUgraphExec executable) { return (void)executable, CUDA_ERROR_NOT_SUPPORTED; }
