// The order in which the elements of arrays of one shape are best visited.
#include "dimensions.h"
#include "runtime.h"

#include <stdbool.h>

typedef struct dimensions {
  int64_t rank, count;
  int64_t *shape;  // [rank]
  int64_t *arrays; // [count][1 + rank]: offset, strides
  int64_t inputs;  // of a reduction: how many of them, the first ones, say how dimensions are sorted
} dimensions;

static int64_t *offset_of(const dimensions *d, int64_t array) { return d->arrays + array * (1 + d->rank); }
static int64_t *strides_of(const dimensions *d, int64_t array) { return offset_of(d, array) + 1; }
static int64_t magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }

static void swap(int64_t *values, int64_t a, int64_t b) {
  int64_t value = values[a];
  values[a] = values[b];
  values[b] = value;
}

static void swap_axes(dimensions *d, int64_t a, int64_t b) {
  swap(d->shape, a, b);
  for (int64_t array = 0; array < d->count; ++array) swap(strides_of(d, array), a, b);
}

// An axis that no array moves along forwards is turned round.
static void reverse_axis(dimensions *d, int64_t axis) {
  bool backwards = false;
  for (int64_t array = 0; array < d->count; ++array) {
    int64_t stride = strides_of(d, array)[axis];
    if (stride > 0) return;
    backwards = backwards || stride < 0;
  }
  for (int64_t array = 0; backwards && array < d->count; ++array) {
    int64_t *stride = &strides_of(d, array)[axis];
    *offset_of(d, array) += (d->shape[axis] - 1) * *stride;
    *stride = -*stride;
  }
}

// Whether |inner| should be outside of |outer|: arrays that move along both agree that its steps are longer. Where they
// do not agree, the given order stays.
static bool is_misplaced(const dimensions *d, int64_t outer, int64_t inner) {
  bool longer = false;
  for (int64_t array = 0; array < d->count; ++array) {
    int64_t out = magnitude(strides_of(d, array)[outer]), in = magnitude(strides_of(d, array)[inner]);
    if (!out || !in || out == in) continue;
    if (out > in) return false;
    longer = true;
  }
  return longer;
}

static void sort_axes(dimensions *d) {
  for (int64_t i = 1; i < d->rank; ++i)
    for (int64_t k = i; k > 0 && is_misplaced(d, k - 1, k); --k) swap_axes(d, k - 1, k);
}

static bool can_merge(const dimensions *d, int64_t outer, int64_t inner) {
  if (d->shape[outer] == 1 || d->shape[inner] == 1) return true;
  for (int64_t array = 0; array < d->count; ++array)
    if (strides_of(d, array)[outer] != strides_of(d, array)[inner] * d->shape[inner]) return false;
  return true;
}

// |inner| then runs through both, |outer| is left with one step.
static void merge(dimensions *d, int64_t outer, int64_t inner) {
  bool take = d->shape[inner] == 1;
  d->shape[inner] *= d->shape[outer];
  d->shape[outer] = 1;
  for (int64_t array = 0; array < d->count; ++array) {
    int64_t *strides = strides_of(d, array);
    if (take) strides[inner] = strides[outer];
    strides[outer] = 0;
  }
}

static void merge_axes(dimensions *d) {
  int64_t inner = d->rank - 1;
  for (int64_t outer = d->rank - 2; outer >= 0; --outer) {
    if (can_merge(d, outer, inner))
      merge(d, outer, inner);
    else if (--inner != outer)
      swap_axes(d, outer, inner); // the axis between has one step
  }
}

// Whether all arrays lie in C order without gaps, as most do: they are one row, which the last axis becomes.
static bool is_one_row(const dimensions *d) {
  int64_t last = d->rank - 1, total = 1;
  for (int64_t array = 0; array < d->count; ++array) {
    const int64_t *strides = strides_of(d, array);
    if (strides[last] <= 0) return false;
    for (int64_t axis = 0; axis < last; ++axis)
      if (strides[axis] != strides[axis + 1] * d->shape[axis + 1]) return false;
  }
  for (int64_t axis = 0; axis < d->rank; ++axis) total *= d->shape[axis];
  for (int64_t axis = 0; axis < last; ++axis) {
    d->shape[axis] = 1;
    for (int64_t array = 0; array < d->count; ++array) strides_of(d, array)[axis] = 0;
  }
  return d->shape[last] = total, true;
}

void pyarray_rt_order_dimensions(int64_t rank, int64_t count, int64_t numbers) {
  int64_t *shape = (int64_t *)(uintptr_t)numbers;
  dimensions d = {.rank = rank, .count = count, .shape = shape, .arrays = shape + rank};
  for (int64_t axis = 0; axis < rank; ++axis)
    if (shape[axis] == 0) return; // nothing is visited, and offsets stay in bounds
  if (rank > 1 && is_one_row(&d)) return;
  for (int64_t axis = 0; axis < rank; ++axis) reverse_axis(&d, axis);
  sort_axes(&d);
  merge_axes(&d);
}

//===-- Reductions --------------------------------------------------------------------------------===//

// Whether |inner| should be outside of |outer|; |*out_known|: some array moves along both. The first such array
// decides, and any that has not the longer steps along |inner|.
static bool precedes(const dimensions *d, int64_t outer, int64_t inner, bool *out_known) {
  bool swaps = false;
  *out_known = false;
  for (int64_t array = 0; array < d->inputs; ++array) {
    int64_t out = magnitude(strides_of(d, array)[outer]), in = magnitude(strides_of(d, array)[inner]);
    if (!out || !in) continue;
    if (in <= out)
      swaps = false;
    else if (!*out_known)
      swaps = true;
    *out_known = true;
  }
  return swaps;
}

// Each axis goes outward, past those of which nothing is known, as far as it precedes.
static void sort_stably(dimensions *d) {
  for (int64_t i = 1; i < d->rank; ++i) {
    int64_t place = i;
    for (int64_t k = i - 1; k >= 0; --k) {
      bool known, swaps = precedes(d, k, i, &known);
      if (known && !swaps) break;
      if (known) place = k;
    }
    for (int64_t k = i; k > place; --k) swap_axes(d, k - 1, k);
  }
}

// What the stride of an axis of one step is has no meaning.
static void clear_single_axes(dimensions *d) {
  for (int64_t axis = 0; axis < d->rank; ++axis)
    for (int64_t array = 0; array < d->count && d->shape[axis] == 1; ++array) strides_of(d, array)[axis] = 0;
}

void pa_merge_in_order(int64_t rank, int64_t count, int64_t *numbers) {
  dimensions d = {.rank = rank, .count = count, .shape = numbers, .arrays = numbers + rank};
  clear_single_axes(&d);
  merge_axes(&d);
}

static void order(int64_t rank, int64_t count, int64_t inputs, int64_t numbers) {
  int64_t *shape = (int64_t *)(uintptr_t)numbers;
  dimensions d = {.rank = rank, .count = count, .shape = shape, .arrays = shape + rank, .inputs = inputs};
  for (int64_t axis = 0; axis < rank; ++axis)
    if (shape[axis] == 0) return;
  clear_single_axes(&d);
  if (inputs) sort_stably(&d);
  merge_axes(&d);
}

void pyarray_rt_order_reduction(int64_t rank, int64_t count, int64_t inputs, int64_t numbers) {
  order(rank, count, inputs, numbers);
}

void pyarray_rt_merge_dimensions(int64_t rank, int64_t count, int64_t numbers) { order(rank, count, 0, numbers); }

//===-- Other shapes ------------------------------------------------------------------------------===//

typedef struct axes {
  int64_t count, *shape, *strides;
} axes;

static void drop_single(axes *a) {
  int64_t kept = 0;
  for (int64_t axis = 0; axis < a->count; ++axis) {
    if (a->shape[axis] == 1) continue;
    a->shape[kept] = a->shape[axis];
    a->strides[kept++] = a->strides[axis];
  }
  a->count = kept;
}

static void fill_strides(const axes *a, int64_t first, int64_t end, int64_t step) {
  for (int64_t axis = end - 1; axis >= first; --axis) {
    a->strides[axis] = step;
    step *= a->shape[axis] > 0 ? a->shape[axis] : 1;
  }
}

static bool lie_in_order(const axes *a, int64_t first, int64_t end) {
  for (int64_t axis = first; axis + 1 < end; ++axis)
    if (a->strides[axis] != a->shape[axis + 1] * a->strides[axis + 1]) return false;
  return true;
}

// |numbers|: shape and strides, then a shape of as many elements, and room for its strides. Whether the array can be
// seen in that shape where it lies; then its strides are filled in. The least runs of axes that have equal sizes in
// both shapes correspond, and each run of the old ones has to lie in C order.
int64_t pyarray_rt_reshape_strides(int64_t rank, int64_t new_rank, int64_t numbers) {
  int64_t *at = (int64_t *)(uintptr_t)numbers, done = 0, taken = 0;
  axes from = {rank, at, at + rank}, to = {new_rank, at + 2 * rank, at + 2 * rank + new_rank};
  fill_strides(&to, 0, new_rank, 1);
  for (int64_t axis = 0; axis < rank; ++axis)
    if (from.shape[axis] == 0) return 1;
  drop_single(&from);
  while (taken < from.count) {
    int64_t first = taken, begin = done, size = from.shape[taken++], filled = to.shape[done++];
    while (size != filled)
      if (filled < size)
        filled *= to.shape[done++];
      else
        size *= from.shape[taken++];
    if (!lie_in_order(&from, first, taken)) return 0;
    fill_strides(&to, begin, done, from.strides[taken - 1]);
  }
  return 1; // axes that are left have one step
}
