// Of pyarray-lower-linalg: rows of the last two dimensions, in tiles where an operand lies the other way round, as the
// second one of m + m.T does: what its rows bring into the cache serves the rows that follow.
//
//   %crossed = some operand steps less along %i than along %j
//   %height = select %crossed, 16, 1                 %width = select %crossed, 16, %n
//   scf.parallel (%t) = (0) to (ceil(%m / %height)) {
//     scf.for %j = 0 to %n step %width {
//       scf.parallel (%i) = (%t * %height) to (min(%t * %height + %height, %m)) { the row from %j to %j + %width }
//     }
//   }
#include "linalg_internal.h"
#include "ufunc_cost.h"

enum {
  PA_TILE_ROWS = 16,
  PA_TILE_POINTS = 16,        // of a row
  PA_TILE_PACKED_POINTS = 64, // of one that is copied to blocks
};

bool pa_is_tiled(const pa_generic *g) {
  return g->rank >= 2 && !g->unit_strides && (g->packed || g->strided || g->cost < PA_EXPENSIVE_POINT);
}

static MlirValue square(pa_linalg *l, MlirValue a) { return pa_loop_binary(l, "arith.muli", a, a); }

// |memref| steps less along the last dimension but one than along the last.
static MlirValue is_crossed(pa_linalg *l, const pa_generic *g, MlirValue memref) {
  MlirValue strides[PA_MAX_LOOPS];
  pa_loop_strides(l, memref, strides);
  MlirValue outer = strides[g->rank - 2], inner = strides[g->rank - 1];
  MlirValue moves = pa_loop_not(l, pa_loop_compare(l, PA_EQUAL, outer, pa_loop_int(l, 0)));
  return pa_loop_binary(l, "arith.andi", moves,
                        pa_loop_compare(l, PA_SIGNED_GREATER, square(l, inner), square(l, outer)));
}

pa_tiles pa_open_tiles(pa_linalg *l, const pa_generic *g) {
  MlirValue crossed = {NULL}, one = pa_loop_int(l, 1), points = g->extents[g->rank - 1];
  for (int i = 0; i < g->count; ++i) {
    if (g->numbers[i]) continue;
    MlirValue this = is_crossed(l, g, g->operands[i]);
    crossed = mlirValueIsNull(crossed) ? this : pa_loop_binary(l, "arith.ori", crossed, this);
  }
  int64_t width = g->packed ? PA_TILE_PACKED_POINTS : PA_TILE_POINTS;
  pa_tiles tiles = {
      .height = pa_loop_select(l, crossed, pa_loop_int(l, PA_TILE_ROWS), one),
      .width = pa_loop_select(l, crossed, pa_loop_int(l, width), pa_loop_binary(l, "arith.maxsi", points, one))};
  tiles.count = pa_loop_binary(l, "arith.ceildivsi", g->extents[g->rank - 2], tiles.height);
  return tiles;
}

void pa_lower_tile(pa_linalg *l, pa_generic *g, const pa_tiles *tiles, MlirValue low, MlirValue high) {
  int row = g->rank - 2;
  MlirValue first = pa_loop_binary(l, "arith.muli", g->indices[row], tiles->height);
  MlirValue end =
      pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.addi", first, tiles->height), g->extents[row]);
  pa_inside columns = pa_inside_open(l, &l->index, 1);
  MlirValue from = mlirBlockGetArgument(columns.block, 0);
  MlirValue to = pa_loop_binary(l, "arith.minsi", pa_loop_binary(l, "arith.addi", from, tiles->width), high);
  pa_inside rows = pa_points_open(l, &g->indices[row]);
  pa_lower_row(l, g, from, to);
  pa_points_close(l, rows, first, end, false);
  MlirRegion region = pa_inside_close(l, columns, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&l->at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(low, high, tiles->width), PA_REGIONS(region));
}
