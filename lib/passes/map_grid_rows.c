// Of pyarray-map-grid: a large body in a loop, once for all points of a thread, since the assembler takes milliseconds for each copy. The next
// row's operands are under way while one is computed:
//
//   %first = llvm.intr.masked.load %a[%place], %array : vector<2xf32>
//   scf.for %at = %place to %end step %distance iter_args(%xs = %first) {
//     %next = llvm.intr.masked.load %a[%at + %distance], %array & %more, %xs
//     %ys = scf.for %k = 0 to 2 iter_args(%xs, %ys) { ... the body, with the first elements; then both are turned round ... }
//     llvm.store %ys, %o[%at]
//     scf.yield %next
//   }
//
// Masks are alike for all elements: nothing is loaded of a number, nor behind the last row. Where operands are not aligned, or points are left at the
// end, each element has a mask of its own, and the body computes something for those that are not there.
#include <string.h>

#include "map_grid_internal.h"

enum { LESS = 2 }; // arith's predicate

typedef struct rows {
  const pa_vector_plan *plan;
  MlirValue end, distance, fits; // |fits| may be null
} rows;

static MlirValue poison(pa_builder *at, MlirType type) { return pa_value(at, "llvm.mlir.poison", PA_RESULTS(type)); }

//===-- Masks -------------------------------------------------------------------------------------===//

static int parts_of(const rows *r, const pa_access *a) { return r->plan->lanes * a->parts; }

static MlirType mask_type(pa_mapping *m, const rows *r, const pa_access *a) {
  int64_t length = parts_of(r, a);
  return mlirVectorTypeGet(1, &length, m->i1);
}

// |lanes|: a bit for each point, or one for all.
static MlirValue make_mask(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a, const MlirValue *lanes, int step) {
  MlirValue mask = poison(at, mask_type(m, r, a));
  for (int i = 0; i < parts_of(r, a) && !pa_failed(at); ++i) {
    MlirValue position = pa_constant_int(at, m->i32, i);
    mask = pa_value(at, "llvm.insertelement", PA_OPERANDS(mask, lanes[step * (i / a->parts)], position), PA_RESULTS(mlirValueGetType(mask)));
  }
  return mask;
}

static MlirValue is_array(pa_mapping *m, pa_builder *at, const pa_access *a) {
  if (mlirValueIsNull(a->is_number)) return pa_constant_int(at, m->i1, 1);
  return pa_grid_binary(at, "arith.xori", a->is_number, pa_constant_int(at, m->i1, 1));
}

// Which of the points from |place| on are there.
static void find_present(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, MlirValue *out_lanes) {
  for (int i = 0; i < r->plan->lanes && !pa_failed(at); ++i)
    out_lanes[i] = pa_grid_compare(m, at, LESS, pa_grid_binary(at, "arith.addi", place, pa_constant_int(at, m->index, i)), r->end);
}

//===-- Accesses ----------------------------------------------------------------------------------===//

static MlirValue masked_load(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a, MlirValue place, MlirValue mask, MlirValue other, int64_t alignment,
                             bool streams) {
  MlirValue address = pa_vector_address(m, at, r->plan, a, &place);
  MlirAttribute bytes = mlirIntegerAttrGet(m->i32, alignment);
  if (pa_failed(at)) return other;
  MlirValue loaded = pa_value(at, "llvm.intr.masked.load", PA_OPERANDS(address, mask, other), PA_RESULTS(mlirValueGetType(other)), PA_ATTRS({"alignment", bytes}));
  if (streams && !pa_failed(at)) pa_set_attr(mlirOpResultGetOwner(loaded), "pyarray.streaming", pa_unit_attr(m->context));
  return loaded;
}

// The row at |place|, if |more|; of numbers, and where there is nothing, |was|.
static void load_whole(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, MlirValue more, const MlirValue *was, MlirValue *out) {
  for (size_t i = 0; i < r->plan->count && !pa_failed(at); ++i) {
    const pa_access *a = &r->plan->items[i];
    out[i] = was[i];
    if (a->writes) continue;
    MlirValue loads = is_array(m, at, a);
    if (!mlirValueIsNull(more)) loads = pa_grid_binary(at, "arith.andi", loads, more);
    out[i] = masked_load(m, at, r, a, place, make_mask(m, at, r, a, &loads, 0), was[i], pa_vector_alignment(r->plan, a), true);
  }
}

static void load_parts(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, const MlirValue *was, MlirValue *out) {
  MlirValue *present = PA_NEW_ARRAY(m->arena, MlirValue, r->plan->lanes), *loads = PA_NEW_ARRAY(m->arena, MlirValue, r->plan->lanes);
  find_present(m, at, r, place, present);
  for (size_t i = 0; i < r->plan->count && !pa_failed(at); ++i) {
    const pa_access *a = &r->plan->items[i];
    out[i] = was[i];
    if (a->writes) continue;
    MlirValue array = is_array(m, at, a);
    for (int lane = 0; lane < r->plan->lanes && !pa_failed(at); ++lane) loads[lane] = pa_grid_binary(at, "arith.andi", array, present[lane]);
    out[i] = masked_load(m, at, r, a, place, make_mask(m, at, r, a, loads, 1), was[i], a->bytes / a->parts, false);
  }
}

static void yield(pa_builder *outer, pa_builder *inside, const rows *r, const MlirValue *vectors) {
  pa_op(inside, "scf.yield", PA_OPERAND_ARRAY(vectors, (intptr_t)r->plan->count));
  pa_take_failure(outer, inside);
}

static MlirType *vector_types(pa_mapping *m, const rows *r, intptr_t before) {
  MlirType *types = PA_NEW_ARRAY(m->arena, MlirType, before + (intptr_t)r->plan->count);
  for (intptr_t i = 0; i < before; ++i) types[i] = m->index;
  for (size_t i = 0; i < r->plan->count; ++i) types[(size_t)before + i] = pa_vector_type(r->plan, &r->plan->items[i]);
  return types;
}

static void load_row(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, MlirValue more, const MlirValue *was, MlirValue *out) {
  intptr_t count = (intptr_t)r->plan->count;
  pa_builder whole, parts;
  if (mlirValueIsNull(r->fits)) {
    load_whole(m, at, r, place, more, was, out);
    return;
  }
  MlirRegion then = pa_inner_region(at, NULL, 0, &whole), otherwise = pa_inner_region(at, NULL, 0, &parts);
  load_whole(m, &whole, r, place, more, was, out);
  yield(at, &whole, r, out);
  load_parts(m, &parts, r, place, was, out);
  yield(at, &parts, r, out);
  MlirOperation op = pa_op(at, "scf.if", PA_OPERANDS(r->fits), PA_RESULT_ARRAY(vector_types(m, r, 0), count), PA_REGIONS(then, otherwise));
  for (intptr_t i = 0; i < count && !pa_failed(at); ++i) out[i] = mlirOperationGetResult(op, i);
}

static void store_parts(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, const MlirValue *vectors) {
  MlirValue *present = PA_NEW_ARRAY(m->arena, MlirValue, r->plan->lanes);
  find_present(m, at, r, place, present);
  for (size_t i = 0; i < r->plan->count && !pa_failed(at); ++i) {
    const pa_access *a = &r->plan->items[i];
    if (!a->writes) continue;
    MlirValue mask = make_mask(m, at, r, a, present, 1), address = pa_vector_address(m, at, r->plan, a, &place);
    pa_op(at, "llvm.intr.masked.store", PA_OPERANDS(vectors[i], address, mask), PA_ATTRS({"alignment", mlirIntegerAttrGet(m->i32, a->bytes / a->parts)}));
  }
}

static void store_whole(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, const MlirValue *vectors) {
  for (size_t i = 0; i < r->plan->count && !pa_failed(at); ++i)
    if (r->plan->items[i].writes) pa_vector_store(m, at, r->plan, &r->plan->items[i], &place, vectors[i]);
}

static void store_row(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, const MlirValue *vectors) {
  pa_builder whole, parts;
  if (mlirValueIsNull(r->fits)) {
    store_whole(m, at, r, place, vectors);
    return;
  }
  MlirRegion then = pa_inner_region(at, NULL, 0, &whole), otherwise = pa_inner_region(at, NULL, 0, &parts);
  store_whole(m, &whole, r, place, vectors);
  store_parts(m, &parts, r, place, vectors);
  pa_op(&whole, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
  pa_op(&parts, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &whole);
  pa_take_failure(at, &parts);
  pa_op(at, "scf.if", PA_OPERANDS(r->fits), PA_REGIONS(then, otherwise));
}

//===-- Loops -------------------------------------------------------------------------------------===//

static MlirOperation loop(pa_mapping *m, pa_builder *at, const rows *r, MlirValue low, MlirValue high, MlirValue step, const MlirValue *vectors, MlirRegion body) {
  intptr_t count = (intptr_t)r->plan->count;
  MlirValue *operands = PA_NEW_ARRAY(m->arena, MlirValue, count + 3);
  operands[0] = low, operands[1] = high, operands[2] = step;
  memcpy(operands + 3, vectors, r->plan->count * sizeof *operands);
  MlirAttribute once = mlirAttributeParseGet(m->context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"));
  return pa_op(at, "scf.for", PA_OPERAND_ARRAY(operands, count + 3), PA_RESULT_ARRAY(vector_types(m, r, 0), count), PA_REGIONS(body),
               PA_ATTRS({"loop_annotation", once}));
}

// The vector with its first point behind the last.
static MlirValue turned(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a, MlirValue vector) {
  int32_t order[64];
  int count = parts_of(r, a);
  for (int i = 0; i < count; ++i) order[i] = (i + a->parts) % count;
  if (pa_failed(at)) return vector;
  return pa_value(at, "llvm.shufflevector", PA_OPERANDS(vector, vector), PA_RESULTS(mlirValueGetType(vector)), PA_ATTRS({"mask", mlirDenseI32ArrayGet(m->context, count, order)}));
}

// The body for one point: that of the first elements.
static void compute_point(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, MlirValue *vectors) {
  const pa_vector_plan *p = r->plan;
  MlirValue *elements = PA_NEW_ARRAY(m->arena, MlirValue, p->count);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (!p->items[i].writes) elements[i] = pa_vector_element(m, at, &p->items[i], vectors[i], 0);
  pa_vector_body(m, at, p, &place, elements);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (p->items[i].writes) vectors[i] = pa_vector_with(m, at, &p->items[i], vectors[i], elements[i], 0);
}

static void compute_row(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, MlirValue *vectors) {
  intptr_t count = (intptr_t)r->plan->count;
  pa_builder inside;
  if (r->plan->lanes == 1) {
    compute_point(m, at, r, place, vectors);
    return;
  }
  MlirRegion body = pa_inner_region(at, vector_types(m, r, 1), count + 1, &inside);
  MlirValue *own = PA_NEW_ARRAY(m->arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) own[i] = mlirBlockGetArgument(inside.block, i + 1);
  compute_point(m, &inside, r, pa_grid_binary(&inside, "arith.addi", place, mlirBlockGetArgument(inside.block, 0)), own);
  for (intptr_t i = 0; i < count; ++i) own[i] = turned(m, &inside, r, &r->plan->items[i], own[i]);
  yield(at, &inside, r, own);
  MlirValue zero = pa_constant_int(at, m->index, 0), lanes = pa_constant_int(at, m->index, r->plan->lanes), one = pa_constant_int(at, m->index, 1);
  if (pa_failed(at)) return;
  MlirOperation op = loop(m, at, r, zero, lanes, one, vectors, body);
  for (intptr_t i = 0; i < count && !pa_failed(at); ++i) vectors[i] = mlirOperationGetResult(op, i);
}

static void emit_row(pa_mapping *m, pa_builder *at, const rows *r) {
  intptr_t count = (intptr_t)r->plan->count;
  MlirValue place = mlirBlockGetArgument(at->block, 0), after = pa_grid_binary(at, "arith.addi", place, r->distance);
  MlirValue *vectors = PA_NEW_ARRAY(m->arena, MlirValue, count), *next = PA_NEW_ARRAY(m->arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) vectors[i] = mlirBlockGetArgument(at->block, i + 1);
  if (pa_failed(at)) return;
  load_row(m, at, r, after, pa_grid_compare(m, at, LESS, after, r->end), vectors, next);
  compute_row(m, at, r, place, vectors);
  store_row(m, at, r, place, vectors);
  pa_op(at, "scf.yield", PA_OPERAND_ARRAY(next, count));
}

// Of a number the number, of arrays zeros.
static MlirValue initial(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a) {
  MlirType type = pa_vector_type(r->plan, a);
  if (mlirValueIsNull(a->number) || pa_failed(at)) return pa_value(at, "llvm.mlir.zero", PA_RESULTS(type));
  MlirValue vector = poison(at, type);
  for (int lane = 0; lane < r->plan->lanes && !pa_failed(at); ++lane) vector = pa_vector_with(m, at, a, vector, a->number, lane);
  return vector;
}

void pa_looped_points(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, MlirValue place, MlirValue end, MlirValue distance, MlirValue fits) {
  rows r = {.plan = p, .end = end, .distance = distance, .fits = fits};
  intptr_t count = (intptr_t)p->count;
  MlirValue *first = PA_NEW_ARRAY(m->arena, MlirValue, count), *loaded = PA_NEW_ARRAY(m->arena, MlirValue, count);
  for (intptr_t i = 0; i < count && !pa_failed(at); ++i) first[i] = p->items[i].writes ? poison(at, pa_vector_type(p, &p->items[i])) : initial(m, at, &r, &p->items[i]);
  if (pa_failed(at)) return;
  load_row(m, at, &r, place, (MlirValue){NULL}, first, loaded);
  pa_builder inside;
  MlirRegion body = pa_inner_region(at, vector_types(m, &r, 1), count + 1, &inside);
  emit_row(m, &inside, &r);
  pa_take_failure(at, &inside);
  if (!pa_failed(at)) loop(m, at, &r, place, end, distance, loaded, body);
}

bool pa_vector_loops(const pa_vector_plan *p) { return p->loops; }
bool pa_vector_merges(const pa_vector_plan *p) { return p->merges; }
