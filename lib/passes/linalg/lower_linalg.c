// pyarray-lower-linalg: loops of what is linalg at level 4, and parts of loops that threads share.
//
//   linalg.generic {indexing_maps = [(i) -> (i), (i) -> (i)], iterator_types = ["parallel"]} ins(%a) outs(%o)
//     attrs = {pyarray.cost = 1 : i64, pyarray.unit_strides} { ^bb0(%x: f64, %y: f64): ... linalg.yield %s }
// becomes
//   scf.parallel (%i) = (%c0) to (%n) step (%c1) {
//     %x = memref.load %a[%i]
//     ...
//     memref.store %s, %o[%i]
//   }
// With more dimensions the last is a loop of its own, within one over the others; how a row is gone through is in
// linalg_rows.c and linalg_packed.c, sums are in linalg_sums.c, how threads share points in linalg_threads.c. For a GPU
// (pyarray.grid) one scf.parallel over all dimensions is what pyarray-map-grid takes. What memref.distinct_objects
// says, loops say themselves: their iterations are independent.
#include "linalg_internal.h"
#include "pass.h"

//===-- Reading -----------------------------------------------------------------------------------===//

static bool has(MlirOperation op, const char *name) { return !mlirAttributeIsNull(pa_get_attr(op, name)); }

// Every iterator is parallel, and every map a permutation, or a part of one.
static bool is_elementwise(const pa_generic *g) {
  MlirAttribute iterators = pa_get_attr(g->op, "iterator_types"),
                parallel =
                    mlirAttributeParseGet(mlirOperationGetContext(g->op), pa_ref("#linalg.iterator_type<parallel>"));
  for (int i = 0; i < g->rank; ++i)
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(iterators, i), parallel)) return false;
  for (int i = 0; i < g->count; ++i)
    if (!pa_has_view(g, i)) return false;
  return mlirOperationGetNumResults(g->op) == 0 && g->rank > 0 && g->rank <= PA_MAX_LOOPS;
}

static bool read_generic(pa_linalg *l, MlirOperation op, pa_generic *g) {
  *g = (pa_generic){.op = op,
                    .body = pa_body(op, 0),
                    .inputs = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 0),
                    .count = (int)mlirOperationGetNumOperands(op),
                    .rank = (int)mlirArrayAttrGetNumElements(pa_get_attr(op, "iterator_types")),
                    .packed = has(op, "pyarray.packed") && !pa_is_device_function(l->function),
                    .unit_strides = has(op, "pyarray.unit_strides") && !pa_is_device_function(l->function),
                    .strided = has(op, "pyarray.strided"),
                    .seldom = has(op, "pyarray.seldom"),
                    .cost = pa_point_cost(op)};
  g->operands = PA_NEW_ARRAY(l->arena, MlirValue, g->count);
  g->numbers = PA_NEW_ARRAY(l->arena, bool, g->count);
  for (int i = 0; i < g->count; ++i) {
    g->operands[i] = mlirOperationGetOperand(op, i);
    g->numbers[i] = !mlirTypeIsAMemRef(mlirValueGetType(g->operands[i]));
  }
  if (pa_is_sum(g)) return true;
  if (!is_elementwise(g)) return false;
  g->columns = PA_NEW_ARRAY(l->arena, bool, g->count);
  for (int i = 0; i < g->inputs; ++i) g->columns[i] = pa_is_column(g, i);
  return true;
}

//===-- Elementwise operations --------------------------------------------------------------------===//

static void lower_on_grid(pa_linalg *l, pa_generic *g) {
  MlirValue *points = PA_NEW_ARRAY(l->arena, MlirValue, g->count);
  pa_attr grid = {"pyarray.grid", pa_unit_attr(l->at.context)};
  pa_inside inside = pa_grid_open(l, g->rank, g->indices);
  for (int i = 0; i < g->inputs; ++i)
    points[i] = g->numbers[i] ? g->operands[i] : pa_loop_load(l, g->operands[i], g->indices, g->rank);
  pa_generic_point(l, g, points, points + g->inputs);
  for (int i = g->inputs; i < g->count; ++i) pa_loop_store(l, points[i], g->operands[i], g->indices, g->rank);
  pa_grid_close(l, inside, g->extents, g->rank, &grid, 1);
}

typedef struct rows {
  pa_generic *g;
  const pa_tiles *tiles; // or NULL
} rows;

// Of one dimension, addresses begin with the part, so that in the loop they need no sum.
static void view_part(pa_linalg *l, pa_generic *g, MlirValue low, MlirValue points) {
  for (int i = 0; i < g->count; ++i)
    if (!g->numbers[i]) g->operands[i] = pa_part_view(l, g->operands[i], low, points);
}

// A thread's share, or all.
static void lower_part(pa_linalg *l, void *data, MlirValue low, MlirValue high) {
  rows *r = data;
  if (r->tiles) {
    pa_lower_tile(l, r->g, r->tiles, low, high);
  } else if (r->g->rank == 1 && has(r->g->op, "pyarray.threads")) {
    MlirValue points = pa_loop_binary(l, "arith.subi", high, low);
    view_part(l, r->g, low, points);
    pa_lower_row(l, r->g, pa_loop_int(l, 0), points);
  } else {
    pa_lower_row(l, r->g, low, high);
  }
}

static void lower_all(pa_linalg *l, rows *r, const MlirValue *extents) {
  int outer = r->g->rank - 1;
  MlirValue zero = pa_loop_int(l, 0);
  pa_inside inside = {{NULL}, {NULL}, {NULL}, {NULL}};
  if (outer) inside = pa_grid_open(l, outer, r->g->indices);
  lower_part(l, r, zero, extents[outer]);
  if (outer) pa_grid_close(l, inside, extents, outer, NULL, 0);
}

static void lower_elementwise(pa_linalg *l, pa_generic *g) {
  MlirValue extents[PA_MAX_LOOPS]; // where rows are in tiles, of these
  pa_tiles tiles;
  rows r = {.g = g};
  for (int loop = 0; loop < g->rank; ++loop) extents[loop] = g->extents[loop] = pa_generic_extent(l, g, loop);
  for (int i = 0; i < g->count && !pa_failed(&l->at); ++i) g->operands[i] = pa_generic_view(l, g, i);
  if (pa_failed(&l->at)) return;
  if (has(g->op, "pyarray.grid")) {
    lower_on_grid(l, g);
    return;
  }
  if (!has(g->op, "pyarray.threads") && pa_takes_blocks(l, g)) {
    pa_lower_blocks(l, g);
    return;
  }
  if (pa_is_tiled(g)) {
    tiles = pa_open_tiles(l, g);
    r.tiles = &tiles;
    extents[g->rank - 2] = tiles.count;
  }
  if (has(g->op, "pyarray.threads"))
    pa_share_points(l, &(pa_shared_points){.op = g->op,
                                           .rank = g->rank,
                                           .extents = extents,
                                           .indices = g->indices,
                                           .rows = r.tiles ? tiles.height : (MlirValue){NULL},
                                           .row = lower_part,
                                           .data = &r});
  else
    lower_all(l, &r, extents);
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status lower_generic(pa_linalg *l, MlirOperation op) {
  pa_generic g;
  if (!read_generic(l, op, &g))
    return pa_fail_at(
        PA_CODE_UNSUPPORTED, mlirOperationGetLocation(op),
        "'linalg.generic' with iterators that are not parallel, or maps that are not parts of permutations");
  if (pa_is_sum(&g))
    pa_lower_sum(l, &g);
  else
    lower_elementwise(l, &g);
  return l->at.failure;
}

static void forget_distinct(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetOperand(op, i));
}

// Of pyarray-lower, not of prange.
static bool is_shared(const pa_linalg *l, MlirOperation op) {
  return pa_kind(&l->names, op) == PA_OP_SCF_PARALLEL && has(op, "pyarray.threads") && has(op, "pyarray.cost");
}

static void set_function(pa_linalg *l, MlirOperation op) {
  while (pa_kind(&l->names, op) != PA_OP_FUNC) op = mlirOperationGetParentOperation(op);
  if (mlirOperationEqual(op, l->function)) return;
  l->function = op;
  l->zero = l->one = (MlirValue){NULL};
  l->buffer_count = 0;
}

static pa_status visit(void *data, MlirOperation op) {
  pa_linalg *l = data;
  bool generic = pa_kind(&l->names, op) == PA_OP_LINALG_GENERIC,
       distinct = pa_kind(&l->names, op) == PA_OP_DISTINCT_OBJECTS;
  if (!generic && !distinct && !is_shared(l, op) && !pa_is_contraction(op)) return PA_OK;
  set_function(l, op);
  l->at.block = mlirOperationGetBlock(op);
  l->at.before = op;
  l->at.location = mlirOperationGetLocation(op);
  if (pa_is_contraction(op)) return pa_lower_contraction(l, op);
  if (generic) PA_TRY(lower_generic(l, op));
  if (distinct) forget_distinct(op);
  if (!generic && !distinct) pa_share_parallel(l, op);
  mlirOperationDestroy(op);
  return l->at.failure;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  MlirContext ctx = context->context;
  pa_linalg l = {.arena = context->arena,
                 .at = {.context = ctx},
                 .index = mlirIndexTypeGet(ctx),
                 .i1 = mlirIntegerTypeGet(ctx, 1),
                 .i64 = mlirIntegerTypeGet(ctx, 64)};
  pa_names_init(&l.names, ctx);
  return pa_walk(pa_module_body(module), visit, &l);
}

const pa_pass pa_pass_lower_linalg = {
    .argument = "pyarray-lower-linalg",
    .summary = "Make loops of linalg operations, and parts of loops that threads share",
    .dependent_dialects = (const char *const[]){"arith", "func", "linalg", "llvm", "memref", "scf", NULL},
    .run = run,
};
