// Graphs: work that is written down instead of done, and then enqueued as a whole as often as is wanted.
//
// While a thread captures, what it enqueues in the default stream and in the captured one goes into the graph. Memory
// that it frees meanwhile stays the graph's. What waits for the device is refused, and ends the capture.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_GRAPH_H
#define PYARRAY_LIB_RUNTIME_CUDA_GRAPH_H

#include "graph_order.h"
#include "stream.h"

// Lives inside its owner's struct, zero-initialised; must not move.
typedef struct pa_cuda_graph {
  pa_cuda_resource resource;
  CUgraphExec executable;
  CUstream stream;      // that is captured
  pa_cuda_stream own;   // that stream, where none is given
  pa_cuda_stream aside; // memory is allocated there meanwhile
  bool has_failed;      // something was refused
  int paused;
  struct pa_graph_step *steps; // of emulated devices, malloc's
  size_t step_count, step_capacity;
  CUdeviceptr *freed; // malloc's: memory that was freed meanwhile
  size_t freed_count, freed_capacity;
  void **copies; // malloc's: host memory that is copied from
  size_t copy_count, copy_capacity;
  size_t nodes;
  pa_graph_order order;  // of kernels since what comes before all of them
  CUdeviceptr workspace; // of libraries, among |freed|; 0 until one asks
  bool is_ordered;       // the stream's next node comes after |order| and not after the latest one alone
} pa_cuda_graph;

// Arrays that a kernel is given, by the bits of slots that have their addresses; no |arrays|: nothing is known.
typedef struct pa_graph_access {
  const uint64_t *slots;
  uint64_t arrays, written;
} pa_graph_access;

// Begins to capture in this thread, which captures nothing yet. |stream|: NULL for one of the graph's own.
pa_status pa_cuda_graph_begin(pa_cuda_context *context, CUstream stream, pa_cuda_graph *graph);
// Ends it, in the same thread. With |discard| there is no graph then, nor where it fails.
pa_status pa_cuda_graph_end(pa_cuda_graph *graph, bool discard);
bool pa_cuda_graph_is_capturing(void); // this thread
// What the next kernel that this thread launches uses, where it captures: it need not wait for what uses other memory.
void pa_cuda_graph_expect(const pa_graph_access *access);
// Where a library enqueues what is to be part of the graph, behind all that is in it, and memory of the graph's that it
// may work in. False where this thread captures nothing, or nothing that a library can enqueue in.
bool pa_cuda_graph_for_library(CUstream *out_stream, CUdeviceptr *out_workspace, size_t *out_bytes);
// Work in the default stream is done at once until then: kernels are loaded.
void pa_cuda_graph_pause(bool paused);
pa_status pa_cuda_graph_launch(pa_cuda_graph *graph, CUstream stream);
void pa_cuda_graph_destroy(pa_cuda_graph *graph); // also one that was never made, or that a reset has taken

#endif // PYARRAY_LIB_RUNTIME_CUDA_GRAPH_H
