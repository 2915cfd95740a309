// The order of a graph's kernels: a kernel comes after those whose memory it needs, directly or by way of others, and
// at most so many run side by side.
#include "../../lib/runtime/cuda/graph_order.h"
#include "../capi/test_runtime_check.h"

enum { NODES = 200, USES = 4, MEMORIES = 12 };

static struct {
  pa_order_use uses[USES];
  size_t count;
  bool after[NODES]; // directly or not
} kernels[NODES];

static uint32_t state = 1;
static uint32_t draw(uint32_t limit) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % limit;
}

static bool conflict(int a, int b) {
  for (size_t i = 0; i < kernels[a].count; ++i)
    for (size_t k = 0; k < kernels[b].count; ++k)
      if (kernels[a].uses[i].memory == kernels[b].uses[k].memory &&
          (kernels[a].uses[i].writes || kernels[b].uses[k].writes))
        return true;
  return false;
}

static void *node_of(int number) { return &kernels[number]; }
static int number_of(const void *node) {
  return (int)((const char *)node - (const char *)kernels) / (int)sizeof kernels[0];
}

static void add(pa_graph_order *order, int number) {
  void *nodes[PA_ORDER_NODES];
  size_t count = pa_order_find(order, kernels[number].uses, kernels[number].count, nodes);
  for (size_t i = 0; i < count; ++i) {
    int earlier = number_of(nodes[i]);
    CHECK(earlier < number);
    CHECK(!kernels[number].after[earlier]); // nothing is told twice
    kernels[number].after[earlier] = true;
    for (int k = 0; k < earlier; ++k) kernels[number].after[k] |= kernels[earlier].after[k];
  }
  CHECK(pa_order_add(order, kernels[number].uses, kernels[number].count, node_of(number)));
}

static void test_random_kernels(void) {
  static pa_graph_order order;
  for (int number = 0; number < NODES; ++number) {
    kernels[number].count = draw(USES + 1);
    for (size_t i = 0; i < kernels[number].count; ++i)
      kernels[number].uses[i] = (pa_order_use){draw(MEMORIES), draw(4) == 0};
    add(&order, number);
    for (int earlier = 0; earlier < number; ++earlier) {
      if (conflict(earlier, number)) CHECK(kernels[number].after[earlier]);
      if (earlier + PA_ORDER_BRANCHES <= number)
        CHECK(kernels[number].after[earlier] || earlier + PA_ORDER_BRANCHES != number);
    }
  }
  // What comes after the last ones comes after all.
  void *nodes[PA_ORDER_NODES];
  bool covered[NODES] = {false};
  size_t count = pa_order_join(&order, nodes);
  for (size_t i = 0; i < count; ++i) {
    int last = number_of(nodes[i]);
    covered[last] = true;
    for (int k = 0; k < last; ++k) covered[k] |= kernels[last].after[k];
  }
  for (int number = 0; number < NODES; ++number) CHECK(covered[number]);
  pa_order_free(&order);
}

static void test_kernels_that_share_nothing(void) {
  static pa_graph_order order;
  void *nodes[PA_ORDER_NODES];
  int start = 0;
  CHECK(pa_order_join(&order, nodes) == 0);
  pa_order_restart(&order, &start);
  for (uint64_t i = 0; i < 10; ++i) { // all read 100, each writes its own
    pa_order_use uses[] = {{100, false}, {i, true}};
    size_t count = pa_order_find(&order, uses, 2, nodes);
    CHECK(count == 1);
    CHECK(nodes[0] == (i < PA_ORDER_BRANCHES ? (void *)&start : node_of((int)i - PA_ORDER_BRANCHES)));
    CHECK(pa_order_add(&order, uses, 2, node_of((int)i)));
  }
  CHECK(pa_order_join(&order, nodes) == PA_ORDER_BRANCHES);
  pa_order_use all[] = {{100, true}};
  CHECK(pa_order_find(&order, all, 1, nodes) == PA_ORDER_BRANCHES); // the rest is behind these
  pa_order_restart(&order, NULL);
  CHECK(pa_order_find(&order, all, 1, nodes) == 0);
  pa_order_free(&order);
}

int main(void) {
  test_random_kernels();
  test_kernels_that_share_nothing();
  return report_checks();
}
