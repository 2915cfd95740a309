// Of pyarray-lower-linalg: a row of an elementwise operation, as its attributes, what a point costs and the types of
// its operands say. A cheap one with operands of any stride becomes
//
//   scf.for %j = %low to %high step %c1 iter_args(%p = %p0, %q = %q0) {
//     %x = memref.load %a[%p]
//     ...
//     memref.store %s, %o[%q]
//     scf.yield %p + %stride_a, %q + %stride_o
//   }
// Positions are carried along, for LLVM's strength reduction is not run; vector loads from strided memory would be
// slower.
#include "linalg_internal.h"
#include "ufunc_cost.h"

void pa_generic_point(pa_linalg *l, const pa_generic *g, const MlirValue *points, MlirValue *out) {
  if (pa_failed(&l->at)) return;
  for (int i = 0; i < g->inputs; ++i) mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(g->body, i), points[i]);
  pa_move_operations(g->body, l->at.block);
  MlirOperation yield = mlirBlockGetTerminator(g->body);
  for (int i = 0; i < g->count - g->inputs; ++i) out[i] = mlirOperationGetOperand(yield, i);
}

//===-- Points at their indices -------------------------------------------------------------------===//

static void lower_points(pa_linalg *l, pa_generic *g, MlirValue low, MlirValue high) {
  MlirValue *points = PA_NEW_ARRAY(l->arena, MlirValue, g->count);
  pa_inside loop = pa_points_open(l, &g->indices[g->rank - 1]);
  for (int i = 0; i < g->inputs; ++i)
    points[i] = g->numbers[i] ? g->operands[i] : pa_loop_load(l, g->operands[i], g->indices, g->rank);
  pa_generic_point(l, g, points, points + g->inputs);
  for (int i = g->inputs; i < g->count; ++i) pa_loop_store(l, points[i], g->operands[i], g->indices, g->rank);
  pa_points_close(l, loop, low, high, false);
}

//===-- Points at positions of their own ----------------------------------------------------------===//

typedef struct walk {
  pa_row row;
  int position; // number among the carried values, or -1: a number
} walk;

static int open_walks(pa_linalg *l, const pa_generic *g, walk *walks, MlirValue low, MlirValue *out_starts) {
  int carried = 0;
  for (int i = 0; i < g->count; ++i) {
    walks[i].position = -1;
    if (g->numbers[i]) continue;
    walks[i].row = pa_generic_row(l, g, i);
    out_starts[carried] = pa_loop_binary(l, "arith.muli", low, walks[i].row.stride);
    walks[i].position = carried++;
  }
  return carried;
}

static void lower_point(pa_linalg *l, const pa_generic *g, const walk *walks, const MlirValue *positions) {
  MlirValue *points = PA_NEW_ARRAY(l->arena, MlirValue, g->count);
  for (int i = 0; i < g->inputs; ++i)
    points[i] = g->numbers[i] ? g->operands[i] : pa_loop_load(l, walks[i].row.unit, &positions[walks[i].position], 1);
  pa_generic_point(l, g, points, points + g->inputs);
  for (int i = g->inputs; i < g->count; ++i)
    pa_loop_store(l, points[i], walks[i].row.unit, &positions[walks[i].position], 1);
}

static void lower_walked_row(pa_linalg *l, pa_generic *g, MlirValue low, MlirValue high) {
  walk *walks = PA_NEW_ARRAY(l->arena, walk, g->count);
  MlirValue *operands = PA_NEW_ARRAY(l->arena, MlirValue, g->count + 3),
            *positions = PA_NEW_ARRAY(l->arena, MlirValue, g->count);
  MlirType *types = PA_NEW_ARRAY(l->arena, MlirType, g->count + 1);
  int carried = open_walks(l, g, walks, low, operands + 3);
  for (int i = 0; i <= carried; ++i) types[i] = l->index;
  pa_inside loop = pa_inside_open(l, types, carried + 1);
  for (int i = 0; i < carried; ++i) positions[i] = mlirBlockGetArgument(loop.block, i + 1);
  lower_point(l, g, walks, positions);
  for (int i = 0; i < g->count; ++i)
    if (walks[i].position >= 0)
      positions[walks[i].position] = pa_loop_binary(l, "arith.addi", positions[walks[i].position], walks[i].row.stride);
  MlirRegion region = pa_inside_close(l, loop, PA_OP_NAME(SCF_YIELD), positions, carried);
  operands[0] = low, operands[1] = high, operands[2] = pa_loop_int(l, 1);
  MlirAttribute annotation =
      mlirAttributeParseGet(l->at.context, pa_ref(g->seldom ? "#llvm.loop_annotation<vectorize = <disable = true>>"
                                                            : "#llvm.loop_annotation<vectorize = <disable = true>, "
                                                              "unroll = <count = 4 : i32>>"));
  pa_op(&l->at, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, carried + 3), PA_RESULT_ARRAY(types, carried),
        PA_REGIONS(region), PA_ATTRS({"loop_annotation", annotation}));
}

//===-- The choice --------------------------------------------------------------------------------===//

// By their types all arrays are contiguous.
static bool is_dense(const pa_generic *g) {
  for (int i = 0; i < g->count; ++i) {
    int64_t stride, offset;
    if (g->numbers[i]) continue;
    MlirType type = mlirValueGetType(g->operands[i]);
    if (g->rank != 1 || mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(type, &stride, &offset)) ||
        stride != 1)
      return false;
  }
  return true;
}

// What a row has one element of is a number there. It is read where the row is empty, too: the operand is not.
static pa_generic without_columns(pa_linalg *l, const pa_generic *g) {
  pa_generic row = *g;
  row.operands = PA_NEW_ARRAY(l->arena, MlirValue, g->count);
  row.numbers = PA_NEW_ARRAY(l->arena, bool, g->count);
  MlirValue indices[PA_MAX_LOOPS];
  for (int d = 0; d < g->rank; ++d) indices[d] = d < g->rank - 1 ? g->indices[d] : pa_loop_int(l, 0);
  for (int i = 0; i < g->count; ++i) {
    row.numbers[i] = g->numbers[i] || g->columns[i];
    row.operands[i] = g->columns[i] ? pa_loop_load(l, g->operands[i], indices, g->rank) : g->operands[i];
  }
  return row;
}

static void lower_row(pa_linalg *l, pa_generic *g, MlirValue low, MlirValue high) {
  if (is_dense(g))
    lower_points(l, g, low, high);
  else if (g->packed || g->unit_strides)
    pa_lower_packed_row(l, g, low, high);
  else if (g->strided || g->cost < PA_EXPENSIVE_POINT)
    lower_walked_row(l, g, low, high);
  else
    lower_points(l, g, low, high);
}

void pa_lower_row(pa_linalg *l, pa_generic *g, MlirValue low, MlirValue high) {
  pa_generic row = without_columns(l, g);
  lower_row(l, &row, low, high);
}
