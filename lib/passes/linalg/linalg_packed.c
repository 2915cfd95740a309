// Of pyarray-lower-linalg: a row of an elementwise operation, by contiguous blocks, so that one loop serves operands of
// every stride.
//
//   %block = (every operand is contiguous) ? %n : 512
//   scf.for %b = %low to %high step %block {
//     %m = min(%block, %high - %b)
//     %source = call @pyarray_rt_pack(%m, ...)        // %a from %b on where it is contiguous, else %buffer, with %m of
//     it %target = call @pyarray_rt_pack(0, ...)         // %o from %b on, or %buffer scf.parallel (%j) = (%c0) to (%m)
//     step (%c1) {
//       %x = memref.load %source[%j]
//       ...
//       memref.store %s, %target[%j]
//     }
//     call @pyarray_rt_unpack(%m, ...)                // %buffer to %o from %b on, where that is not contiguous
//   }
// The runtime decides, and copies: of a choice that it sees LLVM would make a loop for each combination of operands,
// and each vectorised loop takes milliseconds to compile.
#include <limits.h>

#include "linalg_internal.h"

// Points of a block, of so many arrays. Buffers are those of all operations of the function, one after the other: they
// take at most 58 KB of numbers of one type.
static const struct {
  int arrays;
  int64_t points;
} blocks[] = {{8, 512}, {16, 256}, {INT_MAX, 128}};

typedef struct packed_operand {
  pa_row row;
  bool direct; // every row is contiguous
  MlirValue start, step, item,
      buffer;              // i64: address of the row, bytes from one point to the next, of one, of the block
  MlirValue source, shift; // where the block begins: an element of a memref
} packed_operand;

//===-- Operands ----------------------------------------------------------------------------------===//

int64_t pa_bytes_of(MlirType type) {
  if (mlirTypeIsAComplex(type)) return 2 * pa_bytes_of(mlirComplexTypeGetElementType(type));
  return (int64_t)(mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : mlirFloatTypeGetWidth(type)) / 8;
}

int64_t pa_block_points(int arrays) {
  int row = 0;
  while (arrays > blocks[row].arrays) ++row;
  return blocks[row].points;
}

// |slot|: which buffer it takes, if it needs one.
static packed_operand open_operand(pa_linalg *l, const pa_generic *g, int number, int *slot) {
  packed_operand packed = {.row = pa_generic_row(l, g, number)};
  packed.direct = packed.row.contiguous || (number >= g->inputs && g->unit_strides);
  packed.source = packed.row.unit;
  if (packed.direct || pa_failed(&l->at)) return packed;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(packed.row.unit));
  packed.item = pa_constant_int(&l->at, l->i64, pa_bytes_of(element));
  packed.start = pa_loop_address(l, packed.row.unit, pa_bytes_of(element));
  packed.step = pa_loop_binary(l, "arith.muli", pa_loop_cast(l, packed.row.stride, l->i64), packed.item);
  packed.buffer =
      pa_loop_address(l, pa_loop_buffer(l, element, *slot, pa_block_points(*slot + 1)), pa_bytes_of(element));
  ++*slot;
  return packed;
}

static MlirValue address_at(pa_linalg *l, const packed_operand *operand, MlirValue block) {
  return pa_loop_binary(l, "arith.addi", operand->start,
                        pa_loop_binary(l, "arith.muli", pa_loop_cast(l, block, l->i64), operand->step));
}

// Where the |count| points from |block| on are read, or written.
static void enter_block(pa_linalg *l, packed_operand *operand, MlirValue low, MlirValue block, MlirValue count) {
  operand->shift = block;
  if (operand->direct) return;
  MlirValue arguments[] = {pa_loop_cast(l, count, l->i64),
                           operand->item,
                           operand->buffer,
                           address_at(l, operand, block),
                           operand->step,
                           pa_loop_cast(l, pa_loop_binary(l, "arith.subi", block, low), l->i64)};
  operand->source = pa_loop_memref_at(l, pa_loop_call(l, "pyarray_rt_pack", l->i64, arguments, 6), operand->row.unit);
  operand->shift = (MlirValue){NULL};
}

static void leave_block(pa_linalg *l, const packed_operand *operand, MlirValue block, MlirValue count) {
  if (operand->direct) return;
  MlirValue arguments[] = {pa_loop_cast(l, count, l->i64), operand->item, operand->buffer,
                           address_at(l, operand, block), operand->step};
  pa_loop_call(l, "pyarray_rt_unpack", l->none, arguments, 5);
}

//===-- The row -----------------------------------------------------------------------------------===//

static MlirValue place(pa_linalg *l, const packed_operand *operand, MlirValue index) {
  return mlirValueIsNull(operand->shift) ? index : pa_loop_binary(l, "arith.addi", operand->shift, index);
}

static void lower_points(pa_linalg *l, const pa_generic *g, const packed_operand *operands, MlirValue count) {
  MlirValue index, at, *points = PA_NEW_ARRAY(l->arena, MlirValue, g->count), *results = points + g->inputs;
  pa_inside loop = pa_points_open(l, &index);
  for (int i = 0; i < g->inputs; ++i) {
    points[i] = g->operands[i];
    if (g->numbers[i]) continue;
    at = place(l, &operands[i], index);
    points[i] = pa_loop_load(l, operands[i].source, &at, 1);
  }
  pa_generic_point(l, g, points, results);
  for (int i = g->inputs; i < g->count; ++i) {
    at = place(l, &operands[i], index);
    pa_loop_store(l, points[i], operands[i].source, &at, 1);
  }
  pa_points_close(l, loop, pa_loop_int(l, 0), count, false);
}

// The whole row where no operand needs its buffer.
static MlirValue block_size(pa_linalg *l, const packed_operand *operands, const pa_generic *g, MlirValue length,
                            int64_t block) {
  MlirValue all = {NULL}, one = pa_loop_int(l, 1), whole = pa_loop_binary(l, "arith.maxsi", length, one);
  for (int i = 0; i < g->count; ++i) {
    if (g->numbers[i] || operands[i].direct) continue;
    MlirValue contiguous = pa_loop_compare(l, PA_EQUAL, operands[i].row.stride, one);
    all = mlirValueIsNull(all) ? contiguous : pa_loop_binary(l, "arith.andi", all, contiguous);
  }
  return mlirValueIsNull(all) ? whole : pa_loop_select(l, all, whole, pa_loop_int(l, block));
}

static void lower_block_at(pa_linalg *l, const pa_generic *g, packed_operand *operands, MlirValue low, MlirValue block,
                           MlirValue points) {
  for (int i = 0; i < g->count; ++i)
    if (!g->numbers[i]) enter_block(l, &operands[i], low, block, i < g->inputs ? points : pa_loop_int(l, 0));
  lower_points(l, g, operands, points);
  for (int i = g->inputs; i < g->count; ++i) leave_block(l, &operands[i], block, points);
}

void pa_lower_packed_row(pa_linalg *l, pa_generic *g, MlirValue low, MlirValue high) {
  packed_operand *operands = PA_NEW_ARRAY(l->arena, packed_operand, g->count);
  int slot = 0;
  for (int i = 0; i < g->count; ++i)
    if (!g->numbers[i]) operands[i] = open_operand(l, g, i, &slot);
  MlirValue step = block_size(l, operands, g, pa_loop_binary(l, "arith.subi", high, low), pa_block_points(slot));
  pa_inside loop = pa_inside_open(l, &l->index, 1);
  MlirValue block = mlirBlockGetArgument(loop.block, 0);
  MlirValue count = pa_loop_binary(l, "arith.minsi", step, pa_loop_binary(l, "arith.subi", high, block));
  lower_block_at(l, g, operands, low, block, count);
  MlirRegion region = pa_inside_close(l, loop, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&l->at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(low, high, step), PA_REGIONS(region));
}
