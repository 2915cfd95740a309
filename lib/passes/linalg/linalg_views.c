// Of pyarray-lower-linalg: operands whose indexing maps are permutations, or leave dimensions out, as views with a
// stride for each loop.
//
//   indexing_maps = [(i, j) -> (j, i), (i, j) -> (j)]
// reads
//   memref.reinterpret_cast %a to offset: [%o], sizes: [%m, %n], strides: [%a1, %a0]
//   memref.reinterpret_cast %b to offset: [%o], sizes: [%m, %n], strides: [0, %b0]
#include "linalg_internal.h"
#include "mlir-c/AffineExpr.h"

static MlirAffineMap map_of(const pa_generic *g, int number) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(pa_get_attr(g->op, "indexing_maps"), number));
}

bool pa_has_view(const pa_generic *g, int number) { return mlirAffineMapIsProjectedPermutation(map_of(g, number)); }

// Which dimension of the operand the loop steps through, or -1.
static int dimension_of(MlirAffineMap map, int loop) {
  for (intptr_t k = 0; k < mlirAffineMapGetNumResults(map); ++k)
    if (mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, k)) == loop) return (int)k;
  return -1;
}

bool pa_is_column(const pa_generic *g, int number) {
  return !g->numbers[number] && g->rank > 1 && dimension_of(map_of(g, number), g->rank - 1) < 0;
}

// All operands that have the loop have one extent there.
MlirValue pa_generic_extent(pa_linalg *l, const pa_generic *g, int loop) {
  for (int k = 0; k < g->count; ++k) {
    int i = (g->inputs + k) % g->count;
    int dimension = g->numbers[i] ? -1 : dimension_of(map_of(g, i), loop);
    if (dimension >= 0) return pa_loop_extent(l, g->operands[i], dimension);
  }
  if (!l->at.failure)
    l->at.failure = pa_fail_at(PA_CODE_INVALID, l->at.location, "no operand of 'linalg.generic' has loop %d", loop);
  return (MlirValue){NULL};
}

MlirValue pa_generic_view(pa_linalg *l, const pa_generic *g, int number) {
  MlirAffineMap map = map_of(g, number);
  MlirValue memref = g->operands[number], had[PA_MAX_LOOPS], strides[PA_MAX_LOOPS];
  if (g->numbers[number] || mlirAffineMapIsIdentity(map)) return memref;
  pa_loop_strides(l, memref, had);
  for (int loop = 0; loop < g->rank; ++loop) {
    int dimension = dimension_of(map, loop);
    strides[loop] = dimension < 0 ? pa_loop_int(l, 0) : had[dimension];
  }
  return pa_loop_strided(l, memref, g->extents, strides, g->rank);
}
