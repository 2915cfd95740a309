// What an emulated device's graph consists of. Private to lib/runtime/cuda.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_GRAPH_STEPS_H
#define PYARRAY_LIB_RUNTIME_CUDA_GRAPH_STEPS_H

#include "graph.h"

// Room for one more of |count| items of |bytes|; false where there is no memory.
bool pa_graph_grow(void **items, size_t *capacity, size_t count, size_t bytes);

CUresult pa_graph_copy(pa_cuda_graph *graph, CUdeviceptr destination, CUdeviceptr source, size_t bytes);
CUresult pa_graph_copy_rows(pa_cuda_graph *graph, const CUDA_MEMCPY2D *copy);
CUresult pa_graph_fill(pa_cuda_graph *graph, CUdeviceptr address, unsigned value, size_t item, size_t count);
CUresult pa_graph_kernel(pa_cuda_graph *graph, CUfunction function, const CUlaunchConfig *config, void **extra);

CUresult pa_graph_run(const pa_cuda_graph *graph, CUstream stream);
void pa_graph_free_steps(pa_cuda_graph *graph);

#endif // PYARRAY_LIB_RUNTIME_CUDA_GRAPH_STEPS_H
