// The order of a graph's kernels, by the memory that they use.
#include "graph_order.h"

#include <stdlib.h>
#include <string.h>

static bool has(const uint64_t *bits, size_t i) { return bits[i / 64] >> i % 64 & 1; }

static bool conflict(const pa_graph_order *order, const pa_order_node *earlier, const pa_order_use *uses,
                     size_t count) {
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < earlier->use_count; ++k) {
      const pa_order_use *other = &order->uses[earlier->first_use + k];
      if (other->memory == uses[i].memory && (other->writes || uses[i].writes)) return true;
    }
  return false;
}

// |next|, which is not counted yet, comes after node |i|.
static void follow(pa_graph_order *order, pa_order_node *next, size_t i, void **out, size_t *count) {
  pa_order_node *earlier = &order->nodes[i];
  if (has(next->before, i)) return;
  out[(*count)++] = earlier->node;
  earlier->has_followers = true;
  next->before[i / 64] |= (uint64_t)1 << i % 64;
  for (size_t word = 0; word < PA_ORDER_NODES / 64; ++word) next->before[word] |= earlier->before[word];
}

size_t pa_order_find(pa_graph_order *order, const pa_order_use *uses, size_t count, void **out) {
  pa_order_node *next = &order->nodes[order->count];
  size_t found = 0;
  *next = (pa_order_node){.node = NULL};
  for (size_t i = order->count; i-- > 0;)
    if (conflict(order, &order->nodes[i], uses, count)) follow(order, next, i, out, &found);
  if (order->count >= PA_ORDER_BRANCHES) follow(order, next, order->count - PA_ORDER_BRANCHES, out, &found);
  if (!found && order->start) out[found++] = order->start;
  return found;
}

bool pa_order_add(pa_graph_order *order, const pa_order_use *uses, size_t count, void *node) {
  if (order->use_count + count > order->use_capacity) {
    size_t capacity = 2 * order->use_capacity + count;
    pa_order_use *grown = realloc(order->uses, capacity * sizeof *grown);
    if (!grown) return false;
    order->uses = grown;
    order->use_capacity = capacity;
  }
  pa_order_node *next = &order->nodes[order->count++];
  if (count) memcpy(order->uses + order->use_count, uses, count * sizeof *uses);
  next->node = node;
  next->first_use = order->use_count;
  next->use_count = count;
  order->use_count += count;
  return true;
}

size_t pa_order_join(const pa_graph_order *order, void **out) {
  size_t found = 0;
  for (size_t i = 0; i < order->count; ++i)
    if (!order->nodes[i].has_followers) out[found++] = order->nodes[i].node;
  if (!found && order->start) out[found++] = order->start;
  return found;
}

void pa_order_restart(pa_graph_order *order, void *start) {
  order->start = start;
  order->count = order->use_count = 0;
}

void pa_order_free(pa_graph_order *order) {
  free(order->uses);
  order->uses = NULL;
  order->use_capacity = 0;
  pa_order_restart(order, NULL);
}
