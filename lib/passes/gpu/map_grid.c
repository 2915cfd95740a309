// pyarray-map-grid: which thread of a GPU's grid computes which point of a ufunc.
//
// Enters: level 4, with scf.parallel from 0 by 1 that has the unit attribute pyarray.grid. Leaves: the same with code
// in its place for the thread's point. The grid has a thread for each:
//
//   scf.parallel (%i) = (%c0) to (%n) step (%c1) { ... } {pyarray.grid}
// becomes
//   %i = block_id x * block_dim x + thread_id x
//   scf.if %i < %n { ... }
//
// Along one dimension whose operands are contiguous, a thread takes several points, with accesses of 16 bytes
// (map_grid_vectors.c); the function's attribute pyarray.points says how many, for who chooses the grid. Points of
// several dimensions are numbered, and a thread takes every so many of them as the grid has threads; where the numbers
// fit, a copy of that loop divides with 32 bits, which takes a fifth of the time. Another one takes several points
// along the last dimension.
#include "map_grid.h"

#include "ir/blocks.h"
#include "pass.h"

enum { EQUAL = 0, SIGNED_LESS = 2, SIGNED_LESS_EQUAL = 3 }; // arith's predicates

//===-- Small operations --------------------------------------------------------------------------===//

MlirValue pa_grid_binary(pa_builder *at, const char *name, MlirValue a, MlirValue b) {
  if (pa_failed(at)) return (MlirValue){NULL};
  return pa_value(at, name, PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)));
}

MlirValue pa_grid_compare(pa_mapping *m, pa_builder *at, int64_t predicate, MlirValue a, MlirValue b) {
  return pa_value(at, "arith.cmpi", PA_OPERANDS(a, b), PA_RESULTS(m->i1),
                  PA_ATTRS({"predicate", pa_i64_attr(m->context, predicate)}));
}

static MlirValue place(pa_mapping *m, pa_builder *at, const char *name) {
  return pa_value(at, name, PA_RESULTS(m->index),
                  PA_ATTRS({"dimension", mlirAttributeParseGet(m->context, pa_ref("#gpu<dim x>"))}));
}

void pa_grid_loop(pa_builder *at, pa_builder *inside, MlirRegion body, MlirValue low, MlirValue high, MlirValue step) {
  pa_op(inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, inside);
  pa_op(at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(low, high, step), PA_REGIONS(body));
}

//===-- Copies of the body ------------------------------------------------------------------------===//

static void replace_operands(MlirOperation op, const pa_map *values) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    void *value = pa_map_get(values, mlirOperationGetOperand(op, i).ptr);
    if (value) mlirOperationSetOperand(op, i, (MlirValue){value});
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      PA_FOR_EACH_OP(inner, block) replace_operands(inner, values);
  }
}

void pa_clone_mapped(pa_mapping *m, pa_builder *at, MlirOperation op, pa_map *values) {
  MlirOperation copy = mlirOperationClone(op);
  replace_operands(copy, values);
  mlirBlockAppendOwnedOperation(at->block, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_map_put(m->arena, values, mlirOperationGetResult(op, i).ptr, (void *)mlirOperationGetResult(copy, i).ptr);
}

void pa_clone_body(pa_mapping *m, pa_builder *at, const MlirValue *indices) {
  MlirBlock body = pa_body(m->parallel, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  pa_map values = {0};
  if (pa_failed(at)) return;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    pa_map_put(m->arena, &values, mlirBlockGetArgument(body, i).ptr, (void *)indices[i].ptr);
  PA_FOR_EACH_OP(op, body)
  if (!mlirOperationEqual(op, end)) pa_clone_mapped(m, at, op, &values);
}

//===-- Points ------------------------------------------------------------------------------------===//

static MlirValue extent(const pa_mapping *m, intptr_t dimension) {
  return mlirOperationGetOperand(m->parallel, mlirBlockGetNumArguments(pa_body(m->parallel, 0)) + dimension);
}

static void note_points(pa_mapping *m, const pa_vector_plan *plan, int groups) {
  m->registers = pa_vector_registers(plan);
  int64_t points = (int64_t)groups * pa_vector_lanes(plan);
  if (points > m->points) m->points = points;
}

// Code for where |low| is below |high|; |inside| builds it.
static void emit_if_below(pa_mapping *m, pa_builder *at, MlirValue low, MlirValue high, pa_builder *inside,
                          MlirRegion body) {
  pa_builder empty;
  pa_op(inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, inside);
  MlirRegion otherwise = pa_inner_region(at, NULL, 0, &empty);
  pa_op(&empty, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  MlirValue below = pa_grid_compare(m, at, SIGNED_LESS, low, high);
  if (!pa_failed(at)) pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(below), PA_REGIONS(body, otherwise));
}

// One point to a thread, from the one numbered |low| on.
static void emit_singles(pa_mapping *m, pa_builder *at, MlirValue low, MlirValue high, MlirValue step) {
  pa_builder inside;
  MlirRegion body = pa_inner_region(at, &m->index, 1, &inside);
  pa_clone_body(m, &inside, (MlirValue[]){mlirBlockGetArgument(inside.block, 0)});
  pa_grid_loop(at, &inside, body, low, high, step);
}

// The last tile has the points that are left, and operands may not fit accesses of 16 bytes: then its points come one
// by one.
static MlirRegion single_points(pa_mapping *m, pa_builder *at, MlirValue first, MlirValue end, MlirValue count) {
  pa_builder inside;
  MlirRegion region = pa_inner_region(at, NULL, 0, &inside);
  MlirValue low = pa_grid_binary(&inside, "arith.addi", first, m->lane),
            high = pa_grid_binary(&inside, "arith.minsi", end, count);
  emit_singles(m, &inside, low, high, m->block_threads);
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  return region;
}

// A block's points, of all |count|; |distance|: from one access of a thread to the next; |fits|: accesses may be by
// vectors, and there are all points.
typedef struct pa_tile {
  MlirValue first, end, count, lanes, distance, fits;
} pa_tile;

static void vectors_or_singles(pa_mapping *m, pa_builder *at, const pa_vector_plan *plan, const pa_tile *tile) {
  pa_builder vectors;
  MlirRegion then = pa_inner_region(at, NULL, 0, &vectors);
  if (pa_vector_loops(plan)) {
    pa_looped_points(m, &vectors, plan, tile->first, tile->end, (MlirValue){NULL});
  } else {
    MlirValue place = pa_grid_binary(&vectors, "arith.addi", tile->first,
                                     pa_grid_binary(&vectors, "arith.muli", m->lane, tile->lanes));
    pa_vector_points(m, &vectors, plan, &place, pa_vector_groups(plan), tile->distance);
  }
  pa_op(&vectors, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &vectors);
  MlirRegion otherwise = single_points(m, at, tile->first, tile->end, tile->count);
  if (!pa_failed(at)) pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(tile->fits), PA_REGIONS(then, otherwise));
}

// Points several to a thread. A block has a tile of them, in |groups| rows that its threads cover with one access each:
// those of a thread are all under way at once. No division is needed to find the tiles.
static void map_tiles(pa_mapping *m, pa_builder *at, const pa_vector_plan *plan, MlirValue aligned, MlirValue lanes,
                      MlirValue count) {
  int groups = pa_vector_groups(plan);
  note_points(m, plan, groups);
  MlirValue distance = pa_grid_binary(at, "arith.muli", m->block_threads, lanes), tile = distance;
  if (groups > 1) tile = pa_grid_binary(at, "arith.muli", distance, pa_constant_int(at, m->index, groups));
  MlirValue first = pa_grid_binary(at, "arith.muli", m->block, tile);
  if (pa_failed(at)) return;
  pa_builder inside;
  MlirRegion body = pa_inner_region(at, NULL, 0, &inside);
  MlirValue end = pa_grid_binary(&inside, "arith.addi", first, tile);
  MlirValue whole = pa_grid_compare(m, &inside, SIGNED_LESS_EQUAL, end, count);
  MlirValue fits = pa_grid_binary(&inside, "arith.andi", aligned, whole);
  if (pa_vector_merges(plan))
    pa_looped_points(m, &inside, plan, first, pa_grid_binary(&inside, "arith.minsi", end, count), fits);
  else
    vectors_or_singles(m, &inside, plan, &(pa_tile){first, end, count, lanes, distance, fits});
  emit_if_below(m, at, first, count, &inside, body);
}

static void map_singles(pa_mapping *m, pa_builder *at, MlirValue count) {
  pa_builder inside;
  MlirRegion body = pa_inner_region(at, NULL, 0, &inside);
  pa_clone_body(m, &inside, &m->thread);
  emit_if_below(m, at, m->thread, count, &inside, body);
}

static void map_line(pa_mapping *m, pa_builder *at) {
  MlirValue count = extent(m, 0), aligned, lanes;
  const pa_vector_plan *plan = pa_plan_vectors(m, at, &aligned, &lanes);
  if (plan && !pa_failed(at))
    map_tiles(m, at, plan, aligned, lanes, count);
  else
    map_singles(m, at, count);
}

static MlirValue cast(pa_builder *at, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return pa_value(at, "arith.index_cast", PA_OPERANDS(value), PA_RESULTS(type));
}

// The place, along each of |rank| dimensions, of the point with this number; in C order.
static void find_point(pa_mapping *m, pa_builder *at, MlirValue number, const MlirValue *extents, intptr_t rank,
                       MlirValue *out_indices) {
  for (intptr_t d = rank - 1; d >= 0 && !pa_failed(at); --d) {
    MlirValue here = number;
    if (d) {
      number = pa_grid_binary(at, "arith.divui", here, extents[d]);
      here = pa_grid_binary(at, "arith.subi", here, pa_grid_binary(at, "arith.muli", number, extents[d]));
    }
    out_indices[d] = pa_failed(at) ? here : cast(at, here, m->index);
  }
}

// What is numbered: points, or, with a plan, groups of |lanes| points along the last dimension.
typedef struct numbering {
  intptr_t rank;
  MlirValue total, lanes;
  const pa_vector_plan *plan;
} numbering;

// A loop whose numbers have that type, in a branch of its own.
static MlirRegion numbered_loop(pa_mapping *m, pa_builder *at, MlirType type, const numbering *n) {
  intptr_t rank = n->rank;
  pa_builder branch, inside;
  MlirRegion region = pa_inner_region(at, NULL, 0, &branch), body;
  MlirValue *extents = PA_NEW_ARRAY(m->arena, MlirValue, rank), *indices = PA_NEW_ARRAY(m->arena, MlirValue, rank);
  MlirValue total = n->total, last = extent(m, rank - 1);
  if (n->plan) {
    total = pa_grid_binary(&branch, "arith.divui", total, n->lanes);
    last = pa_grid_binary(&branch, "arith.divui", last, n->lanes);
  }
  for (intptr_t d = 0; d < rank && !pa_failed(&branch); ++d)
    extents[d] = cast(&branch, d < rank - 1 ? extent(m, d) : last, type);
  if (pa_failed(&branch)) return pa_take_failure(at, &branch), region;
  MlirValue low = cast(&branch, m->thread, type), high = cast(&branch, total, type),
            step = cast(&branch, m->threads, type);
  body = pa_inner_region(&branch, &type, 1, &inside);
  find_point(m, &inside, mlirBlockGetArgument(inside.block, 0), extents, rank, indices);
  if (n->plan) {
    indices[rank - 1] = pa_grid_binary(&inside, "arith.muli", indices[rank - 1], n->lanes);
    pa_vector_points(m, &inside, n->plan, indices, 1, (MlirValue){NULL});
  } else {
    pa_clone_body(m, &inside, indices);
  }
  pa_grid_loop(&branch, &inside, body, low, high, step);
  pa_op(&branch, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &branch);
  return region;
}

static void emit_points(pa_mapping *m, pa_builder *at, const numbering *points, MlirValue narrow) {
  MlirRegion then = numbered_loop(m, at, m->i32, points), otherwise = numbered_loop(m, at, m->index, points);
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(narrow), PA_REGIONS(then, otherwise));
}

// Groups of points where that pays, numbers fit and operands allow it; else one by one.
static void emit_vectors_or(pa_mapping *m, pa_builder *at, const numbering *points, MlirValue narrow) {
  numbering groups = *points;
  MlirValue fits;
  groups.plan = pa_plan_vectors(m, at, &fits, &groups.lanes);
  if (!groups.plan || pa_failed(at)) {
    emit_points(m, at, points, narrow);
    return;
  }
  note_points(m, groups.plan, 1);
  MlirValue rest = pa_grid_binary(at, "arith.remui", extent(m, points->rank - 1), groups.lanes);
  MlirValue whole = pa_grid_compare(m, at, EQUAL, rest, pa_constant_int(at, m->index, 0));
  fits = pa_grid_binary(at, "arith.andi", pa_grid_binary(at, "arith.andi", fits, whole), narrow);
  if (pa_failed(at)) return;
  pa_builder inside;
  MlirRegion then = numbered_loop(m, at, m->i32, &groups), otherwise = pa_inner_region(at, NULL, 0, &inside);
  emit_points(m, &inside, points, narrow);
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(fits), PA_REGIONS(then, otherwise));
}

static void map_space(pa_mapping *m, pa_builder *at, intptr_t rank) {
  MlirValue total = extent(m, 0);
  for (intptr_t d = 1; d < rank; ++d) total = pa_grid_binary(at, "arith.muli", total, extent(m, d));
  // The last number that a thread compares with the total is below this.
  MlirValue beyond = pa_grid_binary(at, "arith.addi", total, m->threads);
  MlirValue narrow = pa_grid_compare(m, at, SIGNED_LESS_EQUAL, beyond, pa_constant_int(at, m->index, INT32_MAX));
  if (pa_failed(at)) return;
  numbering points = {.rank = rank, .total = total};
  emit_vectors_or(m, at, &points, narrow);
}

//===-- The pass ----------------------------------------------------------------------------------===//

static bool is_constant(MlirValue value, int64_t expected) {
  int64_t number;
  return pa_is_constant_int(value, &number) && number == expected;
}

static bool is_counted(MlirOperation parallel) {
  intptr_t rank = mlirBlockGetNumArguments(pa_body(parallel, 0));
  for (intptr_t d = 0; d < rank; ++d)
    if (!is_constant(mlirOperationGetOperand(parallel, d), 0) ||
        !is_constant(mlirOperationGetOperand(parallel, 2 * rank + d), 1))
      return false;
  return mlirOperationGetNumResults(parallel) == 0;
}

static pa_status map(pa_mapping *m, MlirOperation parallel) {
  MlirLocation location = mlirOperationGetLocation(parallel);
  if (!is_counted(parallel))
    return pa_fail_at(PA_CODE_INVALID, location, "a loop with pyarray.grid counts from 0 by 1 and has no results");
  pa_builder at = {
      .context = m->context, .location = location, .block = mlirOperationGetBlock(parallel), .before = parallel};
  intptr_t rank = mlirBlockGetNumArguments(pa_body(parallel, 0));
  m->parallel = parallel;
  m->block = place(m, &at, "gpu.block_id");
  m->block_threads = place(m, &at, "gpu.block_dim");
  m->lane = place(m, &at, "gpu.thread_id");
  m->thread = pa_grid_binary(&at, "arith.addi", pa_grid_binary(&at, "arith.muli", m->block, m->block_threads), m->lane);
  m->blocks = place(m, &at, "gpu.grid_dim");
  m->threads = pa_grid_binary(&at, "arith.muli", m->blocks, m->block_threads);
  pa_find_numbers(m, &at);
  if (rank == 1)
    map_line(m, &at);
  else
    map_space(m, &at, rank);
  if (!at.failure) mlirOperationDestroy(parallel);
  return at.failure;
}

static pa_status visit(void *data, MlirOperation op) {
  pa_mapping *m = data;
  bool wanted = pa_kind(&m->names, op) == PA_OP_SCF_PARALLEL && !mlirAttributeIsNull(pa_get_attr(op, "pyarray.grid"));
  return wanted ? map(m, op) : PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  MlirContext ctx = context->context;
  pa_mapping m = {.arena = context->arena,
                  .context = ctx,
                  .index = mlirIndexTypeGet(ctx),
                  .i1 = mlirIntegerTypeGet(ctx, 1),
                  .i32 = mlirIntegerTypeGet(ctx, 32),
                  .i64 = mlirIntegerTypeGet(ctx, 64),
                  .ptr = mlirTypeParseGet(ctx, pa_ref("!llvm.ptr"))};
  pa_names_init(&m.names, ctx);
  PA_FOR_EACH_OP(function, pa_module_body(module))
  if (pa_kind(&m.names, function) == PA_OP_FUNC && !mlirBlockIsNull(pa_body(function, 0))) {
    m.points = m.registers = 0;
    m.function = function;
    PA_TRY(pa_walk(pa_body(function, 0), visit, &m));
    if (m.points > 1) mlirOperationSetAttributeByName(function, pa_ref("pyarray.points"), pa_i64_attr(ctx, m.points));
    if (m.registers)
      mlirOperationSetAttributeByName(function, pa_ref("pyarray.registers"), pa_i64_attr(ctx, m.registers));
  }
  return PA_OK;
}

const pa_pass pa_pass_map_grid = {
    .argument = "pyarray-map-grid",
    .summary = "Give each thread of a GPU's grid its points of a ufunc",
    .dependent_dialects = (const char *const[]){"arith", "gpu", "llvm", "scf", NULL},
    .run = run,
};
