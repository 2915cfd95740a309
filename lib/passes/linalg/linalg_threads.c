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

// Blocks of |points| in a row, or some rows, that are worth a thread; below 0: chunk sizes are for prange.
static MlirValue grain_of_blocks(pa_linalg *l, const pa_shared_points *p, MlirValue points) {
  MlirValue one = pa_loop_int(l, 1), work = pa_loop_int(l, PA_THREAD_WORK / (pa_point_cost(p->op) + 1) + 1);
  if (!mlirValueIsNull(p->rows)) points = pa_loop_binary(l, "arith.muli", points, p->rows);
  MlirValue grain = pa_loop_binary(l, "arith.divui", work, pa_loop_binary(l, "arith.maxsi", points, one));
  grain = pa_loop_binary(l, "arith.subi", pa_loop_int(l, 0), pa_loop_binary(l, "arith.maxsi", grain, one));
  return pa_loop_cast(l, grain, l->i64);
}

// Block |number| of all, the last dimension varying fastest.
static void move_block(pa_linalg *l, const pa_shared_points *p, MlirValue number, const MlirValue *extents,
                       MlirValue points) {
  int last = p->rank - 1;
  MlirValue place[PA_MAX_LOOPS];
  for (int d = last; d > 0; --d) {
    place[d] = pa_loop_binary(l, "arith.remui", number, extents[d]);
    number = pa_loop_binary(l, "arith.divui", number, extents[d]);
  }
  place[0] = number;
  for (int d = 0; d < last; ++d) p->indices[d] = place[d];
  MlirValue low = pa_loop_binary(l, "arith.muli", place[last], points);
  p->row(l, p->data, low,
         pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.addi", low, points), p->extents[last]));
}

static void share_blocks(pa_linalg *l, const pa_shared_points *p) {
  int last = p->rank - 1;
  MlirValue points = pa_loop_int(l, block_points(p->op)), one = pa_loop_int(l, 1), extents[PA_MAX_LOOPS], part;
  memcpy(extents, p->extents, (size_t)p->rank * sizeof *extents);
  extents[last] = pa_loop_binary(l, "arith.ceildivsi", p->extents[last], points);
  MlirValue count = product_of(l, extents, p->rank),
            grain = grain_of_blocks(l, p, pa_loop_binary(l, "arith.minsi", p->extents[last], points));
  MlirValue parts =
      pa_loop_call(l, "pyarray_rt_parallel_parts", l->i64, (MlirValue[]){pa_loop_cast(l, count, l->i64), grain}, 2);
  parts = pa_loop_cast(l, parts, l->index);
  MlirValue each = pa_loop_binary(l, "arith.ceildivsi", count, pa_loop_binary(l, "arith.maxsi", parts, one));
  pa_inside inside = pa_grid_open(l, 1, &part);
  MlirValue first = pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.muli", part, each), count);
  MlirValue end = pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.addi", first, each), count);
  pa_inside loop = pa_inside_open(l, &l->index, 1);
  move_block(l, p, mlirBlockGetArgument(loop.block, 0), extents, points);
  MlirRegion region = pa_inside_close(l, loop, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&l->at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(first, end, one), PA_REGIONS(region));
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
