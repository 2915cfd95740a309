// Which kernels of a captured graph have to run after which: those that use what an earlier one writes, and those that
// write what it uses. All others may run side by side.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_GRAPH_ORDER_H
#define PYARRAY_LIB_RUNTIME_CUDA_GRAPH_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PA_ORDER_NODES = 256,  // that are looked at
  PA_ORDER_BRANCHES = 5, // more take the driver longer than they gain
};

typedef struct pa_order_use {
  uint64_t memory; // the address of the allocation
  bool writes;
} pa_order_use;

typedef struct pa_order_node {
  void *node;
  uint64_t before[PA_ORDER_NODES / 64]; // a bit for each node that is done when it begins
  size_t first_use, use_count;
  bool has_followers;
} pa_order_node;

// Zero-initialised: nothing comes before.
typedef struct pa_graph_order {
  void *start; // what comes before all nodes, or NULL
  pa_order_node nodes[PA_ORDER_NODES];
  size_t count;
  pa_order_use *uses; // malloc's
  size_t use_count, use_capacity;
} pa_graph_order;

// Writes to |out|, of PA_ORDER_NODES, after which nodes one with these uses comes, and returns their number. Fewer than
// PA_ORDER_NODES are there.
size_t pa_order_find(pa_graph_order *order, const pa_order_use *uses, size_t count, void **out);
// That one is |node|; after pa_order_find. False where there is no memory: call pa_order_restart.
bool pa_order_add(pa_graph_order *order, const pa_order_use *uses, size_t count, void *node);
// The nodes that have no followers, or the start: what comes after them comes after all.
size_t pa_order_join(const pa_graph_order *order, void **out);
void pa_order_restart(pa_graph_order *order, void *start);
void pa_order_free(pa_graph_order *order);

#endif // PYARRAY_LIB_RUNTIME_CUDA_GRAPH_ORDER_H
