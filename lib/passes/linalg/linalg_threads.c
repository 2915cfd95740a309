// Of pyarray-lower-linalg: points of loops that threads may share, in parts that are worth a thread.
//
//   scf.parallel (%i) = (%c0) to (%n) step (%c1) { ... } {pyarray.cost = 9 : i64, pyarray.threads}
// becomes
//   %parts = call @pyarray_rt_parallel_parts(%n, %grain)
//   scf.parallel (%p) = (%c0) to (%parts) step (%c1) {
//     scf.parallel (%i) = (%low) to (%high) step (%c1) { ... }
//   } {pyarray.grain = -1 : i64, pyarray.threads}
// Of one dimension, each part is a row of points. Of several, blocks of the last dimension are shared with the others:
// a part is a number of blocks, as many as are worth a thread.
#include <string.h>

#include "linalg_internal.h"

enum {
  PA_THREAD_WORK = 20000,       // of a block of points, in simple operations
  PA_MOST_BLOCK_POINTS = 16384, // and its limits
  PA_LEAST_BLOCK_POINTS = 1,
  PA_PART_WORK = 8 * PA_THREAD_WORK, // of a part of a row: vectors of points, and a start of threads
  PA_PART_TRANSFER = 16,             // operations in which operands come from another processor's cache
  PA_PART_MULTIPLE = 64,             // points: parts begin where cache lines do
};

int64_t pa_point_cost(MlirOperation op) {
  MlirAttribute cost = pa_get_attr(op, "pyarray.cost");
  return mlirAttributeIsNull(cost) ? 0 : mlirIntegerAttrGetValueInt(cost);
}

static void close_threads(pa_linalg *l, pa_inside inside, const MlirValue *extents, int rank, MlirOperation op,
                          MlirAttribute grain) {
  pa_attr attributes[] = {{"pyarray.threads", pa_unit_attr(l->at.context)},
                          {"pyarray.grain", grain},
                          {"pyarray.try", pa_get_attr(op, "pyarray.try")},
                          {"pyarray.handlers", pa_get_attr(op, "pyarray.handlers")}};
  pa_grid_close(l, inside, extents, rank, attributes, PA_COUNT(attributes));
}

//===-- Blocks ------------------------------------------------------------------------------------===//

static int64_t block_points(MlirOperation op) {
  int64_t points = PA_THREAD_WORK / (pa_point_cost(op) + 1);
  return points < PA_LEAST_BLOCK_POINTS  ? PA_LEAST_BLOCK_POINTS
         : points > PA_MOST_BLOCK_POINTS ? PA_MOST_BLOCK_POINTS
                                         : points;
}

//===-- Parts of a row ----------------------------------------------------------------------------===//

// Points that are worth a thread: the cheaper one is, the more its operands count.
static int64_t part_points(MlirOperation op) {
  int64_t cost = pa_point_cost(op) + 1, points = PA_PART_WORK / cost;
  return points + points * PA_PART_TRANSFER / cost + 1;
}

// Not by blocks: the processor would begin its pipeline anew with each, a tenth of the time of an exponential function.
static void share_row(pa_linalg *l, const pa_shared_points *p) {
  MlirValue count = p->extents[0], multiple = pa_loop_int(l, PA_PART_MULTIPLE), part;
  MlirValue grain = pa_constant_int(&l->at, l->i64, -part_points(p->op)); // below 0: chunk sizes are for prange
  MlirValue parts =
      pa_loop_call(l, "pyarray_rt_parallel_parts", l->i64, (MlirValue[]){pa_loop_cast(l, count, l->i64), grain}, 2);
  parts = pa_loop_cast(l, parts, l->index);
  MlirValue each =
      pa_loop_binary(l, "arith.ceildivsi", count, pa_loop_binary(l, "arith.maxsi", parts, pa_loop_int(l, 1)));
  each = pa_loop_binary(l, "arith.muli", pa_loop_binary(l, "arith.ceildivsi", each, multiple), multiple);
  pa_inside inside = pa_grid_open(l, 1, &part);
  MlirValue low = pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.muli", part, each), count);
  MlirValue points = pa_loop_binary(l, "arith.minsi", each, pa_loop_binary(l, "arith.subi", count, low));
  p->row(l, p->data, low, pa_loop_binary(l, "arith.addi", low, points));
  close_threads(l, inside, &parts, 1, p->op, pa_i64_attr(l->at.context, -1));
}

//===-- Parts of blocks ---------------------------------------------------------------------------===//

static MlirValue product_of(pa_linalg *l, const MlirValue *extents, int rank) {
  MlirValue product = extents[0];
  for (int d = 1; d < rank; ++d) product = pa_loop_binary(l, "arith.muli", product, extents[d]);
  return product;
}

// As many as are worth a thread each; below 0: chunk sizes are for prange.
static MlirValue parts_of_points(pa_linalg *l, const pa_shared_points *p, MlirValue blocks) {
  MlirValue points = product_of(l, p->extents, p->rank);
  if (!mlirValueIsNull(p->rows)) points = pa_loop_binary(l, "arith.muli", points, p->rows);
  MlirValue grain = pa_constant_int(&l->at, l->i64, -(PA_THREAD_WORK / (pa_point_cost(p->op) + 1) + 1));
  MlirValue parts =
      pa_loop_call(l, "pyarray_rt_parallel_parts", l->i64, (MlirValue[]){pa_loop_cast(l, points, l->i64), grain}, 2);
  return pa_loop_binary(l, "arith.minsi", pa_loop_cast(l, parts, l->index), blocks);
}

// Blocks stand in lines along the last dimension but one, which is a loop of its own: what is the same in a line is
// computed once for it. Lines are in order of the block of the last dimension, and then of the dimensions before.
typedef struct block_lines {
  int rank;                        // of lines
  MlirValue extents[PA_MAX_LOOPS]; // of lines: the number of blocks, and the dimensions before those of a line
  MlirValue length, points;        // blocks of a line; points of a block
} block_lines;

static void place_line(pa_linalg *l, const block_lines *lines, MlirValue number, MlirValue *out_place) {
  for (int d = lines->rank - 1; d > 0; --d) {
    out_place[d] = pa_loop_binary(l, "arith.remui", number, lines->extents[d]);
    number = pa_loop_binary(l, "arith.divui", number, lines->extents[d]);
  }
  out_place[0] = number;
}

// Without divisions, which would take longer than a short line does.
static void next_line(pa_linalg *l, const block_lines *lines, const MlirValue *place, MlirValue *out_next) {
  MlirValue one = pa_loop_int(l, 1), zero = pa_loop_int(l, 0), carry = one;
  for (int d = lines->rank - 1; d >= 0; --d) {
    out_next[d] = pa_loop_binary(l, "arith.addi", place[d], carry);
    if (d == 0) break;
    MlirValue full = pa_loop_compare(l, PA_EQUAL, out_next[d], lines->extents[d]);
    carry = pa_loop_select(l, full, one, zero);
    out_next[d] = pa_loop_select(l, full, zero, out_next[d]);
  }
}

// The blocks of line |number| that are of [first, end).
static void move_line(pa_linalg *l, const pa_shared_points *p, const block_lines *lines, MlirValue number,
                      const MlirValue *place, const MlirValue *ends) {
  int last = p->rank - 1;
  MlirValue base = pa_loop_binary(l, "arith.muli", number, lines->length), one = pa_loop_int(l, 1);
  MlirValue from = pa_loop_binary(l, "arith.maxsi", pa_loop_binary(l, "arith.subi", ends[0], base), pa_loop_int(l, 0));
  MlirValue to = pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.subi", ends[1], base), lines->length);
  MlirValue low = pa_loop_binary(l, "arith.muli", place[0], lines->points);
  MlirValue high =
      pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.addi", low, lines->points), p->extents[last]);
  for (int d = 1; d < lines->rank; ++d) p->indices[d - 1] = place[d];
  pa_inside loop = pa_inside_open(l, &l->index, 1);
  p->indices[last - 1] = mlirBlockGetArgument(loop.block, 0);
  p->row(l, p->data, low, high);
  MlirRegion region = pa_inside_close(l, loop, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&l->at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(from, to, one), PA_REGIONS(region));
}

static void move_blocks(pa_linalg *l, const pa_shared_points *p, const block_lines *lines, const MlirValue *ends) {
  MlirType types[PA_MAX_LOOPS + 1];
  MlirValue place[PA_MAX_LOOPS], next[PA_MAX_LOOPS], operands[PA_MAX_LOOPS + 3];
  operands[0] = pa_loop_binary(l, "arith.divui", ends[0], lines->length);
  operands[1] = pa_loop_binary(l, "arith.ceildivsi", ends[1], lines->length);
  operands[2] = pa_loop_int(l, 1);
  place_line(l, lines, operands[0], operands + 3);
  for (int d = 0; d <= lines->rank; ++d) types[d] = l->index;
  pa_inside loop = pa_inside_open(l, types, lines->rank + 1);
  for (int d = 0; d < lines->rank; ++d) place[d] = mlirBlockGetArgument(loop.block, d + 1);
  move_line(l, p, lines, mlirBlockGetArgument(loop.block, 0), place, ends);
  next_line(l, lines, place, next);
  MlirRegion region = pa_inside_close(l, loop, PA_OP_NAME(SCF_YIELD), next, lines->rank);
  pa_op(&l->at, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, lines->rank + 3), PA_RESULT_ARRAY(types, lines->rank),
        PA_REGIONS(region));
}

static void share_blocks(pa_linalg *l, const pa_shared_points *p) {
  int last = p->rank - 1;
  MlirValue one = pa_loop_int(l, 1), part;
  block_lines lines = {last, {{NULL}}, p->extents[last - 1], pa_loop_int(l, block_points(p->op))};
  lines.extents[0] = pa_loop_binary(l, "arith.ceildivsi", p->extents[last], lines.points);
  for (int d = 0; d < last - 1; ++d) lines.extents[d + 1] = p->extents[d];
  MlirValue count = pa_loop_binary(l, "arith.muli", product_of(l, lines.extents, lines.rank), lines.length),
            parts = parts_of_points(l, p, count);
  MlirValue each = pa_loop_binary(l, "arith.ceildivsi", count, pa_loop_binary(l, "arith.maxsi", parts, one));
  pa_inside inside = pa_grid_open(l, 1, &part);
  MlirValue ends[2];
  ends[0] = pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.muli", part, each), count);
  ends[1] = pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.addi", ends[0], each), count);
  move_blocks(l, p, &lines, ends);
  close_threads(l, inside, &parts, 1, p->op, pa_i64_attr(l->at.context, -1));
}

void pa_share_points(pa_linalg *l, const pa_shared_points *p) { (p->rank == 1 ? share_row : share_blocks)(l, p); }

//===-- scf.parallel ------------------------------------------------------------------------------===//

typedef struct parallel {
  MlirBlock body;
  int rank;
  MlirValue indices[PA_MAX_LOOPS];
} parallel;

static void move_row(pa_linalg *l, void *data, MlirValue low, MlirValue high) {
  parallel *p = data;
  pa_inside loop = pa_points_open(l, &p->indices[p->rank - 1]);
  if (!pa_failed(&l->at)) {
    for (int d = 0; d < p->rank; ++d) mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(p->body, d), p->indices[d]);
    pa_move_operations(p->body, loop.block);
  }
  pa_points_close(l, loop, low, high, false);
}

void pa_share_parallel(pa_linalg *l, MlirOperation op) {
  parallel p = {.body = pa_body(op, 0)};
  MlirValue extents[PA_MAX_LOOPS];
  p.rank = (int)mlirBlockGetNumArguments(p.body);
  for (int d = 0; d < p.rank; ++d) extents[d] = mlirOperationGetOperand(op, p.rank + d);
  pa_share_points(l,
                  &(pa_shared_points){
                      .op = op, .rank = p.rank, .extents = extents, .indices = p.indices, .row = move_row, .data = &p});
}
