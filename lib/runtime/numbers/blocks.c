// Elementwise operations over several dimensions, block by block: compiled code has the loop over the points of a block
// alone. Dimensions that can be are merged. Then blocks go along lines: the last dimension, or, where that is short and
// outputs have no gaps, whole rows of the last two. A block is a line where all arrays are contiguous along it, and
// else as many points as inputs are copied for.
#include "dimensions.h"
#include "runtime.h"

#include <stdbool.h>
#include <string.h>

// At |numbers|. Compiled code fills in what is from |bytes| on, and reads |pointers|.
typedef struct blocks {
  int64_t rank, inputs, count; // arrays, the inputs first
  int64_t most, length;        // points of a block: where there are copies; here
  int64_t line, outside;       // points of a line; dimensions that lines stand in
  int64_t done;                // points of the line before this block
  int64_t buffer;
  int64_t pointers[]; // [count], of this block; then direct[count], counters[rank], bytes[count], shape[rank],
                      // arrays[count][1 + rank]: address, strides, which are of bytes here
} blocks;

static int64_t *direct_of(blocks *b) { return b->pointers + b->count; } // whether it is contiguous along lines
static int64_t *counters_of(blocks *b) { return direct_of(b) + b->count; }
static int64_t *bytes_of(blocks *b) { return counters_of(b) + b->rank; }
static int64_t *shape_of(blocks *b) { return bytes_of(b) + b->count; }
static int64_t *address_of(blocks *b, int64_t array) { return shape_of(b) + b->rank + array * (1 + b->rank); }
static int64_t *strides_of(blocks *b, int64_t array) { return address_of(b, array) + 1; }

//===-- Copies ------------------------------------------------------------------------------------===//

typedef struct pair {
  uint64_t first, second;
} pair;

#define COPY_ROWS(type)                                                                                                \
  for (int64_t row = 0; row < rows; ++row, from += row_step)                                                           \
    for (int64_t i = 0; i < count; ++i, to += sizeof(type)) memcpy(to, from + i * step, sizeof(type));

static void copy_rows(int64_t bytes, char *to, const char *from, int64_t rows, int64_t row_step, int64_t count,
                      int64_t step) {
  switch (bytes) {
  case 1: COPY_ROWS(uint8_t) break;
  case 2: COPY_ROWS(uint16_t) break;
  case 4: COPY_ROWS(uint32_t) break;
  case 8: COPY_ROWS(uint64_t) break;
  default: COPY_ROWS(pair) break; // complex128
  }
}

// What is the same for every row, or point, of a line is there since the first block.
static void copy_points(blocks *b, int64_t array, int64_t points, int64_t buffer) {
  int64_t bytes = bytes_of(b)[array], address = *address_of(b, array), *strides = strides_of(b, array) + b->outside,
          row = b->rank - b->outside == 2 ? shape_of(b)[b->rank - 1] : 0;
  if (b->done && !strides[0]) return;
  if (row)
    copy_rows(bytes, (char *)(uintptr_t)buffer, (const char *)(uintptr_t)(address + b->done / row * strides[0]),
              points / row, strides[0], row, strides[1]);
  else
    pyarray_rt_pack(points, bytes, buffer, address + b->done * strides[0], strides[0], 0);
}

//===-- Lines -------------------------------------------------------------------------------------===//

static bool has_gaps(blocks *b, int64_t array) { return strides_of(b, array)[b->rank - 1] != bytes_of(b)[array]; }

// Along the last two dimensions.
static bool is_plane(blocks *b, int64_t array) {
  const int64_t *strides = strides_of(b, array) + b->rank - 2;
  return !has_gaps(b, array) && strides[0] == strides[1] * shape_of(b)[b->rank - 1];
}

static bool goes_by_rows(blocks *b) {
  const int64_t *shape = shape_of(b) + b->rank - 2;
  bool planes = b->rank > 1 && shape[0] > 1 && 2 * shape[1] <= b->most;
  for (int64_t array = b->inputs; array < b->count && planes; ++array) planes = is_plane(b, array);
  return planes;
}

// Outputs are written where they lie: point by point where they have gaps.
static void choose_lines(blocks *b) {
  bool rows = goes_by_rows(b), all = true, gaps = false;
  int64_t row = shape_of(b)[b->rank - 1];
  for (int64_t array = 0; array < b->count; ++array) {
    bool direct = rows ? is_plane(b, array) : !has_gaps(b, array);
    direct_of(b)[array] = direct;
    all = all && direct;
    gaps = gaps || (!direct && array >= b->inputs);
  }
  b->outside = b->rank - 1 - rows;
  b->line = rows ? row * shape_of(b)[b->rank - 2] : row;
  b->length = gaps ? 1 : all ? b->line : rows ? b->most / row * row : b->most;
}

static int64_t enter_block(blocks *b) {
  int64_t left = b->line - b->done, points = left < b->length ? left : b->length, buffer = b->buffer;
  const int64_t *direct = direct_of(b), *bytes = bytes_of(b);
  for (int64_t array = 0; array < b->count; ++array) {
    int64_t address = *address_of(b, array);
    if (direct[array])
      b->pointers[array] = address + b->done * bytes[array];
    else if (array >= b->inputs)
      b->pointers[array] = address + b->done * strides_of(b, array)[b->outside];
    else
      copy_points(b, array, points, b->pointers[array] = buffer);
    buffer += b->most * bytes[array];
  }
  return points;
}

// To the next line; false behind the last one.
static bool step_lines(blocks *b) {
  for (int64_t axis = b->outside - 1; axis >= 0; --axis) {
    int64_t extent = shape_of(b)[axis], *at = &counters_of(b)[axis], steps = ++*at < extent ? 1 : 1 - extent;
    if (steps < 1) *at = 0;
    for (int64_t array = 0; array < b->count; ++array) *address_of(b, array) += steps * strides_of(b, array)[axis];
    if (steps == 1) return true;
  }
  return false;
}

// The points of all arrays where they lie in C order without gaps, as most do, or -1.
static int64_t one_block(const int64_t *shape, int64_t rank, int64_t count) {
  int64_t total = 1, differ = 0;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    const int64_t *stride = shape + rank + 1 + axis, *end = stride + count * (1 + rank);
    for (; stride < end && shape[axis] != 1; stride += 1 + rank) differ |= *stride ^ total;
    total *= shape[axis];
  }
  return differ ? -1 : total;
}

int64_t pyarray_rt_open_blocks(int64_t rank, int64_t inputs, int64_t count, int64_t most, int64_t buffer,
                               int64_t numbers) {
  blocks *b = (blocks *)(uintptr_t)numbers;
  b->rank = rank;
  b->count = count;
  b->done = b->outside = 0;
  int64_t *shape = shape_of(b), all = one_block(shape, rank, count);
  if (all >= 0) {
    for (int64_t array = 0; array < count; ++array) b->pointers[array] = *address_of(b, array);
    return b->length = b->line = all;
  }
  for (int64_t axis = 0; axis < rank; ++axis)
    if (shape[axis] == 0) return 0;
  b->inputs = inputs;
  b->most = most;
  b->buffer = buffer;
  pa_merge_in_order(rank, count, shape);
  for (int64_t array = 0; array < count; ++array)
    for (int64_t axis = 0; axis < rank; ++axis) strides_of(b, array)[axis] *= bytes_of(b)[array];
  choose_lines(b);
  for (int64_t axis = 0; axis < b->outside; ++axis) counters_of(b)[axis] = 0;
  return enter_block(b);
}

int64_t pyarray_rt_next_block(int64_t numbers) {
  blocks *b = (blocks *)(uintptr_t)numbers;
  b->done += b->length;
  if (b->done < b->line) return enter_block(b);
  b->done = 0;
  return step_lines(b) ? enter_block(b) : 0;
}
