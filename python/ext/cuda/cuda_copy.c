// Copies between memory with any strides. Dimensions are put in the order of the destination's strides and merged where
// both sides allow it; then the innermost two go to the driver as rows, and a loop takes the others.
#include "cuda.h"

typedef struct dimension {
  npy_intp extent, to, from; // strides in bytes
} dimension;

static npy_intp magnitude(npy_intp stride) { return stride < 0 ? -stride : stride; }

// Outermost first: by the destination's strides, which are not 0 but for extents of 1.
static void sort_dimensions(dimension *dimensions, int count) {
  for (int i = 1; i < count; ++i) {
    dimension moved = dimensions[i];
    int at = i;
    for (; at > 0 && magnitude(dimensions[at - 1].to) < magnitude(moved.to); --at) dimensions[at] = dimensions[at - 1];
    dimensions[at] = moved;
  }
}

// Drops extents of 1, makes the destination's strides positive, sorts, merges. Gives how many are left.
static int simplify(dimension *dimensions, int rank, uint64_t *to, uint64_t *from) {
  int count = 0;
  for (int i = 0; i < rank; ++i) {
    dimension d = dimensions[i];
    if (d.extent == 1) continue;
    if (d.to < 0) {
      *to += (uint64_t)((d.extent - 1) * d.to);
      *from += (uint64_t)((d.extent - 1) * d.from);
      d.to = -d.to;
      d.from = -d.from;
    }
    dimensions[count++] = d;
  }
  sort_dimensions(dimensions, count);
  int kept = 0;
  for (int i = 1; i < count; ++i) {
    dimension *outer = &dimensions[kept], inner = dimensions[i];
    if (outer->to == inner.extent * inner.to && outer->from == inner.extent * inner.from)
      *outer = (dimension){outer->extent * inner.extent, inner.to, inner.from};
    else
      dimensions[++kept] = inner;
  }
  return count ? kept + 1 : 0;
}

typedef struct copy {
  pa_cuda_context *context;
  bool to_device, from_device;
  size_t width;   // bytes in a row
  dimension rows; // extent 1 for one row
  CUstream stream;
} copy;

static pa_status copy_bytes(const copy *c, uint64_t to, uint64_t from, size_t bytes) {
  void *to_host = (void *)(uintptr_t)to;
  const void *from_host = (const void *)(uintptr_t)from;
  if (c->to_device && c->from_device) return pa_cuda_copy_on_device(c->context, to, c->context, from, bytes, c->stream);
  if (c->to_device) return pa_cuda_copy_to_device(c->context, to, from_host, bytes, c->stream, false);
  return pa_cuda_copy_to_host(c->context, to_host, from, bytes, c->stream, false);
}

static pa_status copy_rows(const copy *c, uint64_t to, uint64_t from) {
  const dimension *rows = &c->rows;
  if (rows->extent == 1) return copy_bytes(c, to, from, c->width);
  if (rows->from >= (npy_intp)c->width) {
    pa_cuda_rows destination = {c->to_device, to, (size_t)rows->to},
                 source = {c->from_device, from, (size_t)rows->from};
    return pa_cuda_copy_rows(c->context, destination, source, c->width, (size_t)rows->extent, c->stream, false);
  }
  for (npy_intp i = 0; i < rows->extent; ++i) // the source repeats a row, or goes backwards
    PA_TRY(copy_bytes(c, to + (uint64_t)(i * rows->to), from + (uint64_t)(i * rows->from), c->width));
  return PA_OK;
}

static pa_status copy_outer(const copy *c, const dimension *dimensions, int count, uint64_t to, uint64_t from) {
  if (!count) return copy_rows(c, to, from);
  for (npy_intp i = 0; i < dimensions->extent; ++i)
    PA_TRY(copy_outer(c, dimensions + 1, count - 1, to + (uint64_t)(i * dimensions->to),
                      from + (uint64_t)(i * dimensions->from)));
  return PA_OK;
}

pa_status pa_cuda_copy_strided(pa_cuda_context *context, const pa_strided *to, const pa_strided *from, int rank,
                               const npy_intp *shape, size_t item, CUstream stream, bool wait) {
  dimension dimensions[NPY_MAXDIMS];
  uint64_t to_address = to->address, from_address = from->address;
  for (int i = 0; i < rank; ++i) {
    if (!shape[i]) return PA_OK;
    dimensions[i] = (dimension){shape[i], to->strides[i], from->strides[i]};
  }
  int count = simplify(dimensions, rank, &to_address, &from_address);
  copy c = {context, to->on_device, from->on_device, item, {1, 0, 0}, stream};
  const dimension *last = count ? &dimensions[count - 1] : NULL;
  if (last && last->to == (npy_intp)item && last->from == (npy_intp)item) {
    c.width = (size_t)last->extent * item;
    --count;
  }
  if (count) c.rows = dimensions[--count];
  PA_TRY(copy_outer(&c, dimensions, count, to_address, from_address));
  return wait ? pa_cuda_stream_synchronize(context, stream) : PA_OK;
}
