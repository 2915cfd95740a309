// Of pyarray-map-grid: the body of a ufunc's loop for several points of a thread (map_grid_vectors.c).
//
// A small body is copied for each point of all groups, so that the thread's accesses and computations overlap. A large one is copied for the
// points of one group, in a loop over the groups whose next operands are under way while it computes: more copies would gain little, and cost the
// time of the assembler:
//
//   %first = llvm.load %a[%b] : vector<2xf32>
//   scf.for %k = 0 to 8 iter_args(%xs = %first) {
//     %next = scf.if %k < 7 { llvm.load %a[%b + (%k + 1) * %distance] } else { %xs }
//     ... the body twice, with elements of %xs ...
//     llvm.store %ys, %o[%b + %k * %distance]
//     scf.yield %next
//   }
#include <string.h>

#include "map_grid_internal.h"

enum { LESS = 2 }; // arith's predicate

static const pa_access *find_access(const pa_vector_plan *p, MlirOperation op, size_t *out_number) {
  for (*out_number = 0; *out_number < p->count; ++*out_number)
    if (mlirOperationEqual(p->items[*out_number].op, op)) return &p->items[*out_number];
  return NULL;
}

// The body for the point at |indices|. |elements|, one for each access, are those that it reads, or become those that it writes.
static void emit_point(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const MlirValue *indices, MlirValue *elements) {
  MlirBlock body = pa_body(m->parallel, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  pa_map values = {0};
  for (intptr_t d = 0; d < p->rank; ++d) pa_map_put(m->arena, &values, mlirBlockGetArgument(body, d).ptr, (void *)indices[d].ptr);
  PA_FOR_EACH_OP(op, body) {
    size_t number;
    const pa_access *a = find_access(p, op, &number);
    if (mlirOperationEqual(op, end) || pa_failed(at)) return;
    if (!a) {
      pa_clone_mapped(m, at, op, &values);
    } else if (a->writes) {
      MlirValue value = mlirOperationGetOperand(op, 0);
      void *copy = pa_map_get(&values, value.ptr);
      elements[number] = copy ? (MlirValue){copy} : value;
    } else {
      pa_map_put(m->arena, &values, mlirOperationGetResult(op, 0).ptr, (void *)elements[number].ptr);
    }
  }
}

static MlirValue poison(pa_builder *at, MlirType type) { return pa_value(at, "llvm.mlir.poison", PA_RESULTS(type)); }

//===-- Copies ------------------------------------------------------------------------------------===//

// One group of points: where it begins, and a vector for each access.
typedef struct group {
  MlirValue *indices, *vectors;
} group;

static group make_group(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const MlirValue *indices, MlirValue distance, int number) {
  group g = {PA_NEW_ARRAY(m->arena, MlirValue, p->rank), PA_NEW_ARRAY(m->arena, MlirValue, p->count)};
  for (intptr_t d = 0; d < p->rank; ++d) g.indices[d] = indices[d];
  if (number && !pa_failed(at)) {
    MlirValue skipped = pa_grid_binary(at, "arith.muli", distance, pa_constant_int(at, m->index, number));
    g.indices[p->rank - 1] = pa_grid_binary(at, "arith.addi", indices[p->rank - 1], skipped);
  }
  return g;
}

static void load_groups(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const group *all, int groups) {
  MlirValue **indices = PA_NEW_ARRAY(m->arena, MlirValue *, groups), *vectors = PA_NEW_ARRAY(m->arena, MlirValue, groups);
  for (int g = 0; g < groups; ++g) indices[g] = all[g].indices;
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) {
    const pa_access *a = &p->items[i];
    if (!a->writes) pa_vector_loads(m, at, p, a, indices, groups, vectors);
    for (int g = 0; g < groups && !pa_failed(at); ++g) all[g].vectors[i] = a->writes ? poison(at, pa_access_vector(p, a)) : vectors[g];
  }
}

static void store_group(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const group *g) {
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (p->items[i].writes) pa_vector_store(m, at, p, &p->items[i], g->indices, g->vectors[i]);
}

static void emit_lane(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const group *g, int lane) {
  MlirValue *indices = PA_NEW_ARRAY(m->arena, MlirValue, p->rank), *elements = PA_NEW_ARRAY(m->arena, MlirValue, p->count);
  for (intptr_t d = 0; d < p->rank; ++d) indices[d] = g->indices[d];
  indices[p->rank - 1] = pa_grid_binary(at, "arith.addi", indices[p->rank - 1], pa_constant_int(at, m->index, lane));
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (!p->items[i].writes) elements[i] = pa_vector_element(m, at, &p->items[i], g->vectors[i], lane);
  emit_point(m, at, p, indices, elements);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (p->items[i].writes) g->vectors[i] = pa_vector_with(m, at, &p->items[i], g->vectors[i], elements[i], lane);
}

void pa_vector_points(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const MlirValue *indices, int groups, MlirValue distance) {
  group *all = PA_NEW_ARRAY(m->arena, group, groups);
  for (int g = 0; g < groups; ++g) all[g] = make_group(m, at, p, indices, distance, g);
  load_groups(m, at, p, all, groups);
  for (int g = 0; g < groups; ++g) {
    for (int lane = 0; lane < p->lanes && !pa_failed(at); ++lane) emit_lane(m, at, p, &all[g], lane);
    store_group(m, at, p, &all[g]);
  }
}

//===-- A loop ------------------------------------------------------------------------------------===//

// Whether there is a vector to load: not of the group after the last one, nor of a number.
static MlirValue loads_more(pa_mapping *m, pa_builder *at, const pa_access *a, MlirValue more) {
  if (mlirValueIsNull(a->is_number)) return more;
  MlirValue is_array = pa_grid_binary(at, "arith.xori", a->is_number, pa_constant_int(at, m->i1, 1));
  return pa_grid_binary(at, "arith.andi", more, is_array);
}

// The vectors of the group |after| this one, if there is one; else, and of a number, those that were.
static void load_next(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, MlirValue more, const group *after, const group *was, MlirValue *out_vectors) {
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) {
    const pa_access *a = &p->items[i];
    out_vectors[i] = was->vectors[i];
    if (a->writes) continue;
    MlirValue loads = loads_more(m, at, a, more);
    pa_builder here, there;
    if (pa_failed(at)) return;
    MlirRegion then = pa_inner_region(at, NULL, 0, &here), otherwise = pa_inner_region(at, NULL, 0, &there);
    MlirValue loaded = pa_vector_load(m, &here, p, a, after->indices);
    out_vectors[i] = pa_grid_choice(at, loads, pa_access_vector(p, a), then, &here, loaded, otherwise, &there, was->vectors[i]);
  }
}

static void emit_trip(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, MlirValue place, MlirValue distance) {
  MlirValue number = mlirBlockGetArgument(at->block, 0), last = pa_constant_int(at, m->index, p->groups - 1);
  MlirValue start = pa_grid_binary(at, "arith.addi", place, pa_grid_binary(at, "arith.muli", number, distance));
  MlirValue *next = PA_NEW_ARRAY(m->arena, MlirValue, p->count);
  group here = make_group(m, at, p, &start, distance, 0), after = make_group(m, at, p, &start, distance, 1);
  MlirValue more = pa_grid_compare(m, at, LESS, number, last);
  if (pa_failed(at)) return;
  for (size_t i = 0; i < p->count; ++i) here.vectors[i] = mlirBlockGetArgument(at->block, (intptr_t)i + 1);
  load_next(m, at, p, more, &after, &here, next);
  for (int lane = 0; lane < p->lanes && !pa_failed(at); ++lane) emit_lane(m, at, p, &here, lane);
  store_group(m, at, p, &here);
  pa_op(at, "scf.yield", PA_OPERAND_ARRAY(next, (intptr_t)p->count));
}

void pa_looped_points(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, MlirValue place, MlirValue distance) {
  MlirType *types = PA_NEW_ARRAY(m->arena, MlirType, p->count + 1);
  MlirValue *operands = PA_NEW_ARRAY(m->arena, MlirValue, p->count + 3);
  group first = make_group(m, at, p, &place, distance, 0);
  pa_builder inside;
  types[0] = m->index;
  for (size_t i = 0; i < p->count; ++i) types[i + 1] = pa_access_vector(p, &p->items[i]);
  load_groups(m, at, p, &first, 1);
  operands[0] = pa_constant_int(at, m->index, 0);
  operands[1] = pa_constant_int(at, m->index, p->groups);
  operands[2] = pa_constant_int(at, m->index, 1);
  memcpy(operands + 3, first.vectors, p->count * sizeof *operands);
  if (pa_failed(at)) return;
  MlirRegion body = pa_inner_region(at, types, (intptr_t)p->count + 1, &inside);
  emit_trip(m, &inside, p, place, distance);
  pa_take_failure(at, &inside);
  MlirAttribute once = mlirAttributeParseGet(m->context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"));
  pa_op(at, "scf.for", PA_OPERAND_ARRAY(operands, (intptr_t)p->count + 3), PA_RESULT_ARRAY(types + 1, (intptr_t)p->count), PA_REGIONS(body),
        PA_ATTRS({"loop_annotation", once}));
}

int pa_vector_groups(const pa_vector_plan *p) { return p->groups; }
bool pa_vector_loops(const pa_vector_plan *p) { return p->loops; }
