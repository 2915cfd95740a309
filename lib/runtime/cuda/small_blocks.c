// Small blocks that are taken again without asking the driver, which takes as long over them as over a launch. Only who
// uses them in the default stream first has them: what comes next there begins when all that used the block is done,
// in streams that wait for it too. Where there are other streams, the pool puts things in order.
#include "context.h"
#include "graph.h"

enum { SMALL_BYTES = 1 << 16, LEAST_BYTES = 256 };

// Memory of a graph that is captured is the graph's from then on.
static bool is_alone(const pa_cuda_context_parts *parts) {
  return parts->pool && !__atomic_load_n(&parts->has_streams, __ATOMIC_RELAXED) && !pa_cuda_graph_is_capturing();
}

bool pa_cuda_small_take(pa_cuda_context_parts *parts, pa_cuda_buffer *buffer) {
  if (buffer->bytes > SMALL_BYTES || !is_alone(parts)) return false;
  buffer->is_small = true;
  for (buffer->capacity = LEAST_BYTES; buffer->capacity < buffer->bytes;) buffer->capacity *= 2;
  bool found = false;
  pthread_mutex_lock(&parts->lock);
  for (size_t i = parts->small_count; i-- > 0 && !found;) {
    if (parts->small[i].capacity != buffer->capacity) continue;
    buffer->device = parts->small[i].device;
    parts->small[i] = parts->small[--parts->small_count];
    found = true;
  }
  pthread_mutex_unlock(&parts->lock);
  return found;
}

bool pa_cuda_small_keep(pa_cuda_context_parts *parts, const pa_cuda_kept *item) {
  pthread_mutex_lock(&parts->lock);
  bool kept = is_alone(parts) && parts->small_count < PA_SMALL_BLOCKS;
  if (kept) parts->small[parts->small_count++] = *item;
  pthread_mutex_unlock(&parts->lock);
  return kept;
}

void pa_cuda_small_drop(pa_cuda_context_parts *parts) {
  pa_cuda_kept item;
  for (bool found = true; found;) {
    pthread_mutex_lock(&parts->lock);
    found = parts->small_count > 0;
    if (found) item = parts->small[--parts->small_count];
    pthread_mutex_unlock(&parts->lock);
    if (found) pa_cuda.MemFreeAsync(item.device, NULL);
  }
}
