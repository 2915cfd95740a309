// An elementwise loop for contiguous operands, run over operands of any strides: block by block, what is not contiguous
// is copied to memory that is, and outputs are copied back. A constant input is spread once.
#include "ufunc.h"

#include <string.h>

enum {
  BLOCK_BYTES = 16384,  // of all buffers together: half of a first-level cache
  LEAST_POINTS = 64,    // keeps the buffers aligned
  BUFFER_BYTES = 65536, // LEAST_POINTS of PA_MAX_OPERANDS complex128
};

typedef enum packing { DIRECT, CONSTANT, COPIED } packing;

typedef struct packed_operand {
  packing how;
  char *pointer; // of the operand's next block
  char *buffer;
  npy_intp step;
  size_t size;
} packed_operand;

//===-- Copies ------------------------------------------------------------------------------------===//

typedef struct complex_bytes {
  uint64_t parts[2];
} complex_bytes;

// |count| items; the compiler knows sizes and, for one side, the step.
#define COPY(type)                                                                                                     \
  for (npy_intp i = 0; i < count; ++i) memcpy(to + i * to_step, from + i * from_step, sizeof(type))

static void copy_items(char *to, npy_intp to_step, const char *from, npy_intp from_step, size_t size, npy_intp count) {
  switch (size) {
  case 1: COPY(uint8_t); break;
  case 2: COPY(uint16_t); break;
  case 4: COPY(uint32_t); break;
  case 8: COPY(uint64_t); break;
  default: COPY(complex_bytes); break;
  }
}

static void spread(packed_operand *operand, npy_intp count) {
  copy_items(operand->buffer, (npy_intp)operand->size, operand->pointer, 0, operand->size, count);
}

// An output is copied in as well: a point that raises keeps what it had.
static void copy_in(const packed_operand *operand, npy_intp count) {
  copy_items(operand->buffer, (npy_intp)operand->size, operand->pointer, operand->step, operand->size, count);
}

static void copy_out(const packed_operand *operand, npy_intp count) {
  copy_items(operand->pointer, operand->step, operand->buffer, (npy_intp)operand->size, operand->size, count);
}

//===-- Blocks ------------------------------------------------------------------------------------===//

static packing packing_of(const pa_ufunc_loop *loop, int number, npy_intp step, size_t size) {
  if (step == (npy_intp)size) return DIRECT;
  return step == 0 && number < loop->ufunc->nin ? CONSTANT : COPIED;
}

// The points of a block, whose buffers lie in |memory|.
static npy_intp lay_out(packed_operand *operands, int count, npy_intp points, char *memory) {
  size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += operands[i].how == DIRECT ? 0 : operands[i].size;
  npy_intp block = (npy_intp)(BLOCK_BYTES / bytes / LEAST_POINTS * LEAST_POINTS);
  if (!block) block = LEAST_POINTS;
  for (int i = 0; i < count; ++i) {
    if (operands[i].how == DIRECT) continue;
    operands[i].buffer = memory;
    memory += (size_t)block * operands[i].size;
    if (operands[i].how == CONSTANT) spread(&operands[i], points < block ? points : block);
  }
  return block;
}

static void run_block(pa_ufunc_loop *loop, packed_operand *operands, int count, npy_intp points) {
  uint64_t slots[6 * PA_MAX_OPERANDS], *slot = slots, is_cheap = 0;
  for (int i = 0; i < count; ++i) {
    if (operands[i].how == COPIED) copy_in(&operands[i], points);
    const char *data = operands[i].how == DIRECT ? operands[i].pointer : operands[i].buffer;
    slot = pa_ufunc_put_elements(slot, data, points, (npy_intp)operands[i].size, loop->item_shifts[i]);
  }
  bool done = pa_ufunc_enter(loop, loop->variant, slots, &is_cheap);
  for (int i = loop->ufunc->nin; i < count; ++i)
    if (operands[i].how == COPIED) copy_out(&operands[i], points);
  for (int i = 0; i < count; ++i) operands[i].pointer += operands[i].how == CONSTANT ? 0 : points * operands[i].step;
  if (done) loop->is_cheap = is_cheap & 1;
}

void pa_ufunc_run_packed(pa_ufunc_loop *loop, char **pointers, npy_intp count, const npy_intp *steps) {
  _Alignas(64) char memory[BUFFER_BYTES];
  packed_operand operands[PA_MAX_OPERANDS];
  int operand_count = loop->ufunc->nargs;
  for (int i = 0; i < operand_count; ++i) {
    size_t size = (size_t)1 << loop->item_shifts[i];
    operands[i] = (packed_operand){packing_of(loop, i, steps[i], size), pointers[i], NULL, steps[i], size};
  }
  npy_intp block = lay_out(operands, operand_count, count, memory);
  for (; count > 0; count -= block) run_block(loop, operands, operand_count, count < block ? count : block);
}
