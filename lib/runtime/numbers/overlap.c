// Whether arrays that are read and written point by point share memory.
#include "array_numbers.h"
#include "runtime.h"

#include <stdbool.h>

// Between the addresses |low| and |high| it lies.
typedef struct span {
  array array;
  uint64_t low, high;
} span;

// Wraps where extents are 0, as nothing lies there.
static span span_of(const array *a) {
  span s = {.array = *a};
  uint64_t bytes = (uint64_t)s.array.bytes, low = 0, high = 1;
  for (int64_t axis = 0; axis < s.array.rank; ++axis) {
    int64_t reach = (int64_t)((uint64_t)s.array.strides[axis] * (uint64_t)(s.array.shape[axis] - 1));
    if (reach < 0)
      low += (uint64_t)reach;
    else
      high += (uint64_t)reach;
  }
  s.low = s.array.address + low * bytes;
  s.high = s.array.address + high * bytes;
  return s;
}

static span read_span(const int64_t **numbers) {
  const array a = pa_read_array(numbers);
  return span_of(&a);
}

static bool are_apart(const span *a, const span *b) { return a->high <= b->low || b->high <= a->low; }

// The bytes in which |a| lies where those |period| bytes apart count as one: from |*out_start| on, as many as are
// returned.
static uint64_t window(const array *a, uint64_t period, uint64_t *out_start) {
  uint64_t length = (uint64_t)a->bytes;
  *out_start = a->address;
  for (int64_t axis = 0; axis < a->rank; ++axis) {
    int64_t step = (int64_t)((uint64_t)a->strides[axis] * (uint64_t)a->bytes);
    uint64_t size = step < 0 ? -(uint64_t)step : (uint64_t)step, reach;
    if (size % period == 0) continue;
    if (__builtin_mul_overflow(size, (uint64_t)(a->shape[axis] - 1), &reach) || reach >= period) return period + 1;
    length += reach;
    if (step < 0) *out_start -= reach;
    if (length > period) return length;
  }
  return length;
}

// Rows of one pitch that have other columns, as a[1:, 1:] and a[1:, 0], or a[::2] and a[1::2]. Other arrays of which no
// element is the other's are not found.
static bool are_interleaved(const array *a, const array *b) {
  for (int64_t axis = 0; axis < a->rank; ++axis) {
    int64_t stride = a->strides[axis];
    uint64_t period = (stride < 0 ? -(uint64_t)stride : (uint64_t)stride) * (uint64_t)a->bytes, from, to;
    if (!period || a->shape[axis] < 2) continue;
    uint64_t length = window(a, period, &from), other = window(b, period, &to);
    if (length > period || other > period) continue;
    // how far b's window begins behind a's, in circles
    uint64_t behind = to >= from ? (to - from) % period : (period - (from - to) % period) % period;
    if (behind >= length && behind + other <= period) return true;
  }
  return false;
}

// What the stride of a dimension of extent 1 is has no meaning; broadcasting makes it 0.
static bool are_same(const span *a, const span *b) {
  if (a->array.rank != b->array.rank || a->array.code != b->array.code || a->low != b->low) return false;
  for (int64_t axis = 0; axis < a->array.rank; ++axis)
    if (a->array.strides[axis] != b->array.strides[axis] && a->array.shape[axis] > 1) return false;
  return true;
}

// An output that is nowhere broadcast. That as_strided has made its points overlap otherwise is not looked for.
static bool is_spread(const array *a) {
  for (int64_t axis = 0; axis < a->rank; ++axis)
    if (a->strides[axis] == 0 && a->shape[axis] > 1) return false;
  return true;
}

int pa_may_share(const array *written, const array *read) {
  const span a = span_of(written), b = span_of(read);
  return !is_spread(written) || !(are_apart(&a, &b) || are_interleaved(written, read));
}

int32_t pyarray_rt_independent(int64_t inputs, int64_t count, int64_t numbers, int32_t apart) {
  const int64_t *first = (const int64_t *)(intptr_t)numbers, *at = first;
  for (int64_t i = 0; i < count; ++i) {
    const span output = read_span(&at);
    if (i < inputs) continue;
    if (!is_spread(&output.array)) return 0;
    const int64_t *other_at = first;
    for (int64_t k = 0; k < i; ++k) {
      const span other = read_span(&other_at);
      bool same = k < inputs && !apart && are_same(&output, &other);
      if (!same && !are_apart(&output, &other) && !are_interleaved(&output.array, &other.array)) return 0;
    }
  }
  return 1;
}

//===-- Rows --------------------------------------------------------------------------------------===//

enum { PART_BYTES = 8192 }; // of an output, at least: two parts stay in the first cache

// From one row to the next, and the bytes in which the first one lies, from |*out_start| on.
static int64_t read_row(const array *a, uint64_t *out_start, uint64_t *out_length) {
  array row = {a->address, a->bytes, a->code, a->rank - 1, a->shape + 1, a->strides + 1};
  const span s = span_of(&row);
  *out_start = s.low;
  *out_length = s.high - s.low;
  return a->strides[0] * a->bytes;
}

// How far behind a row of |written| the last one is that reads it, where both have rows of one pitch that do not meet;
// below 0: that is not known.
static int64_t rows_behind(const array *written, const array *read) {
  uint64_t to, from, length, other;
  int64_t pitch = read_row(written, &to, &length);
  if (read_row(read, &from, &other) != pitch || pitch <= 0 || length > (uint64_t)pitch || other > (uint64_t)pitch)
    return -1;
  int64_t distance = (int64_t)(to - from), last = distance / pitch; // rows from |read|'s first one to |written|'s
  while (last * pitch < distance + (int64_t)length) ++last;         // the first one that begins behind it
  return last > 0 ? last - 1 : 0;
}

int64_t pyarray_rt_rows_apart(int64_t inputs, int64_t count, int64_t numbers) {
  if (pyarray_rt_independent(inputs, count, numbers, 0)) return 0;
  const int64_t *first = (const int64_t *)(intptr_t)numbers, *at = first;
  int64_t rows = 1, all = 1;
  for (int64_t i = 0; i < count; ++i) {
    const array written = pa_read_array(&at);
    if (i < inputs) continue;
    int64_t bytes = written.bytes;
    all = written.shape[0] > 1 ? written.shape[0] : 1;
    for (int64_t axis = 1; axis < written.rank; ++axis)
      bytes *= written.shape[axis] < PART_BYTES / bytes ? (written.shape[axis] ? written.shape[axis] : 1)
                                                        : (PART_BYTES - 1) / bytes + 1;
    int64_t least = bytes < PART_BYTES ? PART_BYTES / bytes : 1;
    rows = rows < least ? least : rows;
    const int64_t *other_at = first;
    for (int64_t k = 0; k < i; ++k) {
      const array read = pa_read_array(&other_at);
      if (!pa_may_share(&written, &read)) continue;
      int64_t behind = k < inputs ? rows_behind(&written, &read) : -1;
      if (behind < 0) return all;
      rows = rows < behind ? behind : rows;
    }
  }
  return rows > all / 2 ? all : rows;
}
