// Of pyarray-lower: a ufunc over rows in a kernel (lib/passes/arrays/fuse_rows.c), each of which a team of threads goes
// through as often as its body does.
//
//   pyarray.ufunc "(n)->(n)" ins(%x) outs(%r) grid {pyarray.rows} {
//   ^bb0(%a, %b: !pyarray.array<?xf32, C>):
//     %m = reduce ["max"] ins(%a)
//     ufunc ins(%a, %m) outs(%b) { subtract, exp }
//   }
// becomes
//   for (tile = block; tile * rows of a block < rows; tile += blocks) {
//     %m = what lanes fold of the row, in shared memory, and a barrier        lower_fold_grid.c
//     for (j = lane; j < n; j += lanes) b[j] = exp(a[j] - m); barrier
//   }
// A row stays in the caches close to the threads meanwhile. Teams without a row of their own go along with the last
// one, since all threads must come to barriers, and store nothing.
#include <string.h>

#include "lower_arrays.h"
#include "lower_fold_grid.h"
#include "lower_numbers.h"
#include "lower_ufunc.h"

enum { LEAST_GROUPS = 4, MOST_OPERANDS = 64 }; // of elements that a lane has

static MlirValue constant(pa_lowering *lower, int64_t value) { return pa_int(lower, lower->index, value); }
static MlirValue op2(pa_lowering *lower, const char *name, MlirValue a, MlirValue b) {
  return pa_binary(lower, name, a, b);
}

//===-- Rows --------------------------------------------------------------------------------------===//

static MlirValue product(pa_lowering *lower, const MlirValue *extents, int count) {
  MlirValue all = constant(lower, 1);
  for (int d = 0; d < count; ++d) all = d ? op2(lower, "arith.muli", all, extents[d]) : extents[d];
  return all;
}

// The elements of a row of the first operand, which has whole ones.
static MlirValue row_length(pa_lowering *lower, const pa_ufunc *u) {
  const pa_array *array = &u->operands[0].array;
  MlirValue extents[PA_MAX_RANK];
  for (int d = u->rank; d < array->rank; ++d) extents[d - u->rank] = pa_to_index(lower, pa_extent(lower, array, d));
  return product(lower, extents, array->rank - u->rank);
}

static void find_row(pa_lowering *lower, pa_ufunc *u, MlirValue number) {
  for (int d = u->rank - 1; d >= 0; --d) {
    u->indices[d] = number;
    if (!d) continue;
    MlirValue rest = op2(lower, "arith.divui", number, u->extents[d]);
    u->indices[d] = op2(lower, "arith.subi", number, op2(lower, "arith.muli", rest, u->extents[d]));
    number = rest;
  }
}

void pa_lower_rows(pa_lowering *lower, pa_ufunc *u, void (*lower_point)(pa_lowering *lower, const pa_ufunc *u)) {
  pa_team *team = PA_NEW(lower->arena, pa_team);
  const pa_array *first = &u->operands[0].array;
  pa_grid_fold *g = &team->block;
  MlirValue one = constant(lower, 1);
  *team = (pa_team){0};
  g->kept = product(lower, u->extents, u->rank);
  g->parts = one;
  g->share = row_length(lower, u);
  g->group = pa_choose_group(&first, 1, &g->by_vectors);
  g->columns = pa_int(lower, lower->i1, 0);
  g->least = LEAST_GROUPS;
  MlirValue threads = pa_value(&lower->builder, "gpu.block_dim", PA_RESULTS(lower->index),
                               PA_ATTRS({"dimension", mlirAttributeParseGet(lower->context, pa_ref("#gpu<dim x>"))})),
            bits = pa_bits_of(lower, threads);
  pa_share_block(lower, g, bits, bits);
  MlirValue more = op2(lower, "arith.subi", g->tile, one),
            tiles = op2(lower, "arith.shrui", op2(lower, "arith.addi", g->kept, more), g->tile_bits);
  pa_scope scope = pa_open(lower, &lower->index, 1);
  MlirValue tile = mlirBlockGetArgument(scope.block, 0);
  MlirValue row = op2(lower, "arith.addi", op2(lower, "arith.muli", tile, g->tile), g->point);
  team->active = pa_compare_int(lower, PA_ULT, row, g->kept);
  find_row(lower, u, op2(lower, "arith.minui", row, op2(lower, "arith.subi", g->kept, one)));
  lower->team = team;
  lower_point(lower, u);
  lower->team = NULL;
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERANDS(g->block, tiles, g->blocks), PA_REGIONS(body),
        PA_ATTRS({"loop_annotation", pa_scalar_annotation(lower)}));
}

//===-- Ufuncs of a row ---------------------------------------------------------------------------===//

typedef struct row_map {
  const pa_ufunc *u;
  int group;
  bool by_vectors;
  MlirValue pointers[MOST_OPERANDS]; // to the first elements of arrays
} row_map;

static int operand_count(const pa_ufunc *u) { return u->input_count + u->output_count; }

static void choose_group(row_map *m) {
  const pa_array *arrays[MOST_OPERANDS];
  int count = 0;
  for (int i = 0; i < operand_count(m->u); ++i)
    if (!pa_is_number(&m->u->operands[i])) arrays[count++] = &m->u->operands[i].array;
  m->group = pa_choose_group(arrays, count, &m->by_vectors);
}

// Whether all arrays lie in order and are aligned; notes where they begin.
static MlirValue find_pointers(pa_lowering *lower, row_map *m) {
  MlirValue fits = pa_int(lower, lower->i1, 1), positions[PA_MAX_RANK];
  bool all[PA_MAX_RANK];
  for (int d = 0; d < m->u->rank; ++d) all[d] = true, positions[d] = pa_int(lower, lower->i64, 0);
  for (int i = 0; i < operand_count(m->u); ++i) {
    const pa_array *array = &m->u->operands[i].array;
    if (pa_is_number(&m->u->operands[i])) continue;
    m->pointers[i] = pa_element_address(lower, array, positions);
    fits = pa_and(lower, fits, pa_lies_in_order(lower, array, all, m->u->extents));
    fits = pa_and(lower, fits, pa_is_aligned(lower, m->pointers[i], pa_group_alignment(m->group, array)));
  }
  return fits;
}

static MlirValue result_of(pa_lowering *lower, const pa_ufunc *u, int k) {
  return pa_get1(lower, pa_operand(mlirBlockGetTerminator(u->body), k));
}

static MlirValue with_element(pa_lowering *lower, const pa_array *array, MlirValue vector, MlirValue value, int place) {
  if (array->element == PA_BOOL) value = pa_convert(lower, "arith.extui", value, lower->i8);
  return pa_value(&lower->builder, "llvm.insertelement", PA_OPERANDS(vector, value, pa_int(lower, lower->i32, place)),
                  PA_RESULTS(pa_type_or_none(lower, vector)));
}

// A group of elements, |distance| from the first.
static void map_group(pa_lowering *lower, const row_map *m, MlirValue distance) {
  const pa_ufunc *u = m->u;
  MlirValue vectors[MOST_OPERANDS], pointers[MOST_OPERANDS];
  for (int i = 0; i < operand_count(u); ++i) {
    const pa_array *array = &u->operands[i].array;
    if (pa_is_number(&u->operands[i])) continue;
    pointers[i] = pa_pointer_at(lower, array, m->pointers[i], distance);
    int64_t length = m->group;
    MlirType type = mlirVectorTypeGet(1, &length, pa_element_memory(lower, array->element));
    vectors[i] = i < u->input_count ? pa_load_group(lower, array, m->group, pointers[i])
                                    : pa_value(&lower->builder, "llvm.mlir.poison", PA_RESULTS(type));
  }
  for (int v = 0; v < m->group; ++v) {
    for (int i = 0; i < u->input_count; ++i)
      pa_set1(lower, mlirBlockGetArgument(u->body, i),
              pa_is_number(&u->operands[i]) ? u->operands[i].number
                                            : pa_group_element(lower, &u->operands[i].array, vectors[i], v));
    pa_lower_block(lower, u->body);
    for (int k = 0, i = u->input_count; k < u->output_count; ++k, ++i)
      vectors[i] = with_element(lower, &u->operands[i].array, vectors[i], result_of(lower, u, k), v);
  }
  for (int i = u->input_count; i < operand_count(u); ++i)
    pa_op(&lower->builder, "llvm.store", PA_OPERANDS(vectors[i], pointers[i]),
          PA_ATTRS({"alignment", pa_i64_attr(lower->context, pa_group_alignment(m->group, &u->operands[i].array))}));
}

static void map_element(pa_lowering *lower, const row_map *m, MlirValue number) {
  pa_ufunc *u = PA_NEW(lower->arena, pa_ufunc);
  *u = *m->u;
  find_row(lower, u, number);
  for (int i = 0; i < u->input_count; ++i)
    pa_set1(lower, mlirBlockGetArgument(u->body, i),
            pa_is_number(&u->operands[i]) ? u->operands[i].number : pa_load(lower, &u->operands[i].array, u->indices));
  pa_lower_block(lower, u->body);
  for (int k = 0; k < u->output_count; ++k)
    pa_store(lower, &u->operands[u->input_count + k].array, u->indices, result_of(lower, u, k));
}

// for (c = low; c < high; c += lanes)
static void loop_by_lanes(pa_lowering *lower, const row_map *m, MlirValue low, MlirValue high, bool groups) {
  pa_scope scope = pa_open(lower, &lower->index, 1);
  MlirValue c = mlirBlockGetArgument(scope.block, 0);
  if (groups)
    map_group(lower, m, op2(lower, "arith.muli", c, constant(lower, m->group)));
  else
    map_element(lower, m, c);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERANDS(low, high, lower->team->block.lanes), PA_REGIONS(body),
        PA_ATTRS({"loop_annotation", pa_scalar_annotation(lower)}));
}

void pa_team_map(pa_lowering *lower, const pa_ufunc *u) {
  row_map m = {.u = u};
  if (operand_count(u) > MOST_OPERANDS) {
    pa_lower_fail(lower, "a pyarray.ufunc of a row has too many operands");
    return;
  }
  const pa_team *team = lower->team;
  MlirValue zero = constant(lower, 0), lane = team->block.lane;
  MlirValue count = pa_select(lower, team->active, product(lower, u->extents, u->rank), zero);
  choose_group(&m);
  if (m.by_vectors) {
    MlirValue group = constant(lower, m.group), fits = find_pointers(lower, &m);
    MlirValue whole = pa_select(lower, fits, op2(lower, "arith.divui", count, group), zero);
    loop_by_lanes(lower, &m, lane, whole, true);
    lane = op2(lower, "arith.addi", lane, op2(lower, "arith.muli", whole, group));
  }
  loop_by_lanes(lower, &m, lane, count, false);
  pa_block_barrier(lower);
}
