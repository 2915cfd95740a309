// Of pyarray-lower-linalg: a row of an elementwise operation, by contiguous blocks, so that one loop serves operands of
// every stride.
//
//   scf.if (%a is constant) { fill %buffer with it }
//   %block = (every operand is contiguous) ? %n : 512
//   scf.for %b = %low to %high step %block {
//     %m = min(%block, %high - %b)
//     scf.if (%a is strided) { copy %a[%b + 0..%m] to %buffer }      // not where it is constant
//     scf.parallel (%j) = (%c0) to (%m) step (%c1) {
//       %x = memref.load %source[%shift + %j]                        // %a and %b, or %buffer and 0
//       ...
//     }
//     scf.if (%o is strided) { copy %buffer to %o[%b + 0..%m] }
//   }
#include "linalg_internal.h"

enum { PA_PACKED_BLOCK = 512 };

typedef struct packed_operand {
  pa_row row;
  MlirValue direct;   // i1: contiguous; null: always
  MlirValue copied;   // i1: neither contiguous nor constant; null where that cannot be
  MlirValue constant; // i1; null for outputs
  MlirValue buffer;   // as |row.unit|; null where every row is contiguous
  MlirValue source;   // |row.unit| or |buffer|
  MlirValue moves;    // index: 1 if that is |row.unit|, 0 if it is |buffer|, whose blocks begin at 0; null: always 1
  MlirValue shift;    // where the block begins in it
} packed_operand;

//===-- Operands ----------------------------------------------------------------------------------===//

static MlirValue new_buffer(pa_linalg *l, const packed_operand *operand) {
  if (pa_failed(&l->at)) return (MlirValue){NULL};
  MlirType type = mlirValueGetType(operand->row.unit);
  return pa_loop_memref_cast(l, pa_loop_stack(l, mlirShapedTypeGetElementType(type), PA_PACKED_BLOCK), type);
}

static packed_operand open_operand(pa_linalg *l, const pa_generic *g, int number) {
  bool output = number >= g->inputs;
  packed_operand packed = {.row = pa_generic_row(l, g, number)};
  packed.source = packed.row.unit;
  if (packed.row.contiguous || (output && g->unit_strides)) return packed;
  packed.direct = pa_loop_compare(l, PA_EQUAL, packed.row.stride, pa_loop_int(l, 1));
  packed.buffer = new_buffer(l, &packed);
  packed.source = pa_loop_select(l, packed.direct, packed.row.unit, packed.buffer);
  packed.moves = g->unit_strides
                     ? packed.row.stride
                     : pa_value(&l->at, "arith.index_castui", PA_OPERANDS(packed.direct), PA_RESULTS(l->index));
  if (!output) packed.constant = pa_loop_compare(l, PA_EQUAL, packed.row.stride, pa_loop_int(l, 0));
  if (g->unit_strides) return packed;
  packed.copied = pa_loop_not(l, packed.direct);
  if (!output) packed.copied = pa_loop_binary(l, "arith.andi", packed.copied, pa_loop_not(l, packed.constant));
  return packed;
}

// A constant operand fills its buffer once.
static void spread_constant(pa_linalg *l, const packed_operand *operand, MlirValue low, MlirValue high) {
  if (mlirValueIsNull(operand->constant)) return;
  MlirValue most = pa_loop_int(l, PA_PACKED_BLOCK), zero = pa_loop_int(l, 0), index;
  MlirValue count = pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.subi", high, low), most);
  MlirValue spreads =
      pa_loop_binary(l, "arith.andi", operand->constant, pa_loop_compare(l, PA_SIGNED_GREATER, count, zero));
  pa_inside inside = pa_when_open(l);
  MlirValue value = pa_loop_load(l, operand->row.memref, &zero, 1); // once: so that the loop is vectorised
  pa_inside loop = pa_points_open(l, &index);
  pa_loop_store(l, value, operand->buffer, &index, 1);
  pa_points_close(l, loop, zero, count, false);
  pa_when_close(l, inside, spreads);
}

// A product with the stride, where that is 0 or 1: of a choice LLVM would make two loops.
static void enter_block(pa_linalg *l, packed_operand *operand, MlirValue block) {
  operand->shift = mlirValueIsNull(operand->moves) ? block : pa_loop_binary(l, "arith.muli", block, operand->moves);
}

static void copy(pa_linalg *l, MlirValue from, MlirValue from_at, MlirValue to, MlirValue to_at, MlirValue count) {
  MlirValue index;
  pa_inside loop = pa_points_open(l, &index);
  MlirValue source = pa_loop_binary(l, "arith.addi", from_at, index),
            target = pa_loop_binary(l, "arith.addi", to_at, index);
  pa_loop_store(l, pa_loop_load(l, from, &source, 1), to, &target, 1);
  pa_points_close(l, loop, pa_loop_int(l, 0), count, true);
}

static void pack(pa_linalg *l, const packed_operand *operand, MlirValue block, MlirValue count, bool output) {
  if (mlirValueIsNull(operand->copied)) return;
  MlirValue zero = pa_loop_int(l, 0);
  pa_inside inside = pa_when_open(l);
  if (output)
    copy(l, operand->buffer, zero, operand->row.memref, block, count);
  else
    copy(l, operand->row.memref, block, operand->buffer, zero, count);
  pa_when_close(l, inside, operand->copied);
}

//===-- The row -----------------------------------------------------------------------------------===//

static MlirValue place(pa_linalg *l, const packed_operand *operand, MlirValue index) {
  return pa_loop_binary(l, "arith.addi", operand->shift, index);
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
static MlirValue block_size(pa_linalg *l, const packed_operand *operands, int count, MlirValue length) {
  MlirValue all = {NULL}, whole = pa_loop_binary(l, "arith.maxsi", length, pa_loop_int(l, 1));
  for (int i = 0; i < count; ++i)
    if (!mlirValueIsNull(operands[i].direct))
      all = mlirValueIsNull(all) ? operands[i].direct : pa_loop_binary(l, "arith.andi", all, operands[i].direct);
  return mlirValueIsNull(all) ? whole : pa_loop_select(l, all, whole, pa_loop_int(l, PA_PACKED_BLOCK));
}

static void lower_block_at(pa_linalg *l, const pa_generic *g, packed_operand *operands, MlirValue block,
                           MlirValue points) {
  for (int i = 0; i < g->count; ++i) {
    if (g->numbers[i]) continue;
    enter_block(l, &operands[i], block);
    if (i < g->inputs) pack(l, &operands[i], block, points, false);
  }
  lower_points(l, g, operands, points);
  for (int i = g->inputs; i < g->count; ++i) pack(l, &operands[i], block, points, true);
}

void pa_lower_packed_row(pa_linalg *l, pa_generic *g, MlirValue low, MlirValue high) {
  packed_operand *operands = PA_NEW_ARRAY(l->arena, packed_operand, g->count);
  for (int i = 0; i < g->count; ++i) {
    if (g->numbers[i]) continue;
    operands[i] = open_operand(l, g, i);
    spread_constant(l, &operands[i], low, high);
  }
  MlirValue step = block_size(l, operands, g->count, pa_loop_binary(l, "arith.subi", high, low));
  pa_inside loop = pa_inside_open(l, &l->index, 1);
  MlirValue block = mlirBlockGetArgument(loop.block, 0);
  MlirValue points = pa_loop_binary(l, "arith.minsi", step, pa_loop_binary(l, "arith.subi", high, block));
  lower_block_at(l, g, operands, block, points);
  MlirRegion region = pa_inside_close(l, loop, "scf.yield", NULL, 0);
  pa_op(&l->at, "scf.for", PA_OPERANDS(low, high, step), PA_REGIONS(region));
}
