// Of pyarray-map-grid: copies of the body of a ufunc's loop for several points of a thread (map_grid_vectors.c), all of
// whose accesses and computations overlap. A large body is not copied: map_grid_rows.c.
#include "map_grid_internal.h"

static const pa_access *find_access(const pa_vector_plan *p, MlirOperation op, size_t *out_number) {
  for (*out_number = 0; *out_number < p->count; ++*out_number)
    if (mlirOperationEqual(p->items[*out_number].op, op)) return &p->items[*out_number];
  return NULL;
}

void pa_vector_body(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const MlirValue *indices,
                    MlirValue *elements) {
  MlirBlock body = pa_body(m->parallel, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  pa_map values = {0};
  for (intptr_t d = 0; d < p->rank; ++d)
    pa_map_put(m->arena, &values, mlirBlockGetArgument(body, d).ptr, (void *)indices[d].ptr);
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

static group make_group(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const MlirValue *indices,
                        MlirValue distance, int number) {
  group g = {PA_NEW_ARRAY(m->arena, MlirValue, p->rank), PA_NEW_ARRAY(m->arena, MlirValue, p->count)};
  for (intptr_t d = 0; d < p->rank; ++d) g.indices[d] = indices[d];
  if (number && !pa_failed(at)) {
    MlirValue skipped = pa_grid_binary(at, "arith.muli", distance, pa_constant_int(at, m->index, number));
    g.indices[p->rank - 1] = pa_grid_binary(at, "arith.addi", indices[p->rank - 1], skipped);
  }
  return g;
}

static void load_groups(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const group *all, int groups) {
  MlirValue **indices = PA_NEW_ARRAY(m->arena, MlirValue *, groups),
            *vectors = PA_NEW_ARRAY(m->arena, MlirValue, groups);
  for (int g = 0; g < groups; ++g) indices[g] = all[g].indices;
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) {
    const pa_access *a = &p->items[i];
    if (!a->writes) pa_vector_loads(m, at, p, a, indices, groups, vectors);
    for (int g = 0; g < groups && !pa_failed(at); ++g)
      all[g].vectors[i] = a->writes ? poison(at, pa_access_vector(p, a)) : vectors[g];
  }
}

static void store_group(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const group *g) {
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (p->items[i].writes) pa_vector_store(m, at, p, &p->items[i], g->indices, g->vectors[i]);
}

static void emit_lane(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const group *g, int lane) {
  MlirValue *indices = PA_NEW_ARRAY(m->arena, MlirValue, p->rank),
            *elements = PA_NEW_ARRAY(m->arena, MlirValue, p->count);
  for (intptr_t d = 0; d < p->rank; ++d) indices[d] = g->indices[d];
  indices[p->rank - 1] = pa_grid_binary(at, "arith.addi", indices[p->rank - 1], pa_constant_int(at, m->index, lane));
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (!p->items[i].writes) elements[i] = pa_vector_element(m, at, &p->items[i], g->vectors[i], lane);
  pa_vector_body(m, at, p, indices, elements);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (p->items[i].writes) g->vectors[i] = pa_vector_with(m, at, &p->items[i], g->vectors[i], elements[i], lane);
}

void pa_vector_points(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const MlirValue *indices, int groups,
                      MlirValue distance) {
  group *all = PA_NEW_ARRAY(m->arena, group, groups);
  for (int g = 0; g < groups; ++g) all[g] = make_group(m, at, p, indices, distance, g);
  load_groups(m, at, p, all, groups);
  for (int g = 0; g < groups; ++g) {
    for (int lane = 0; lane < p->lanes && !pa_failed(at); ++lane) emit_lane(m, at, p, &all[g], lane);
    store_group(m, at, p, &all[g]);
  }
}

int pa_vector_groups(const pa_vector_plan *p) { return p->groups; }
