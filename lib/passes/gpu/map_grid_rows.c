// Of pyarray-map-grid: a large body in a loop, once for all points of a thread, since the assembler takes milliseconds for each copy:
//
//   scf.for %at = %place to %end step %distance {
//     %xs = llvm.intr.masked.load %a[%at], %is_array, %numbers : vector<4xf32>
//     %ys = scf.for %k = 0 to 4 iter_args(%xs, %ys) { ... the body, with the first elements; then both are turned round ... }
//     llvm.store %ys, %o[%at]
//   }
//
// Masks are alike for all elements: nothing is loaded of a number. Other threads compute while a row is loaded. Where operands are not aligned, or points
// are left at the end, rows are of one point for each thread, which is the first element of the vectors that are read, and the last of those written.
#include <string.h>

#include "map_grid_internal.h"

typedef struct rows {
  const pa_vector_plan *plan;
  MlirValue place, end, distance; // of the thread's rows
  MlirValue fits, points;         // rows are of vectors, always if null; points of a row
} rows;

static MlirValue poison(pa_builder *at, MlirType type) { return pa_value(at, "llvm.mlir.poison", PA_RESULTS(type)); }

static int parts_of(const rows *r, const pa_access *a) { return r->plan->lanes * a->parts; }

//===-- Accesses ----------------------------------------------------------------------------------===//

static MlirValue make_mask(pa_mapping *m, pa_builder *at, int64_t length, MlirValue bit) {
  MlirValue mask = poison(at, mlirVectorTypeGet(1, &length, m->i1));
  for (int i = 0; i < length && !pa_failed(at); ++i)
    mask = pa_value(at, "llvm.insertelement", PA_OPERANDS(mask, bit, pa_constant_int(at, m->i32, i)), PA_RESULTS(mlirValueGetType(mask)));
  return mask;
}

// |other|, or as many elements of the array from |place| on, if |loads|.
static MlirValue load(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a, MlirValue place, MlirValue loads, MlirValue other, int64_t alignment) {
  MlirValue address = pa_vector_address(m, at, r->plan, a, &place);
  if (pa_failed(at)) return other;
  MlirType type = mlirValueGetType(other);
  MlirValue mask = make_mask(m, at, mlirShapedTypeGetDimSize(type, 0), loads);
  return pa_value(at, "llvm.intr.masked.load", PA_OPERANDS(address, mask, other), PA_RESULTS(type),
                  PA_ATTRS({"alignment", mlirIntegerAttrGet(m->i32, alignment)}, {"pyarray.streaming", pa_unit_attr(m->context)}));
}

// The same of the first point alone.
static MlirValue load_one(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a, MlirValue place, MlirValue loads, MlirValue other) {
  int64_t parts = a->parts;
  int32_t order[] = {0, 1};
  if (pa_failed(at)) return other;
  MlirType type = mlirVectorTypeGet(1, &parts, a->part);
  MlirValue first = pa_value(at, "llvm.shufflevector", PA_OPERANDS(other, other), PA_RESULTS(type), PA_ATTRS({"mask", mlirDenseI32ArrayGet(m->context, parts, order)}));
  MlirValue loaded = load(m, at, r, a, place, loads, first, a->bytes / a->parts);
  for (int i = 0; i < parts && !pa_failed(at); ++i) {
    MlirValue position = pa_constant_int(at, m->i32, i), element = pa_value(at, "llvm.extractelement", PA_OPERANDS(loaded, position), PA_RESULTS(a->part));
    other = pa_value(at, "llvm.insertelement", PA_OPERANDS(other, element, position), PA_RESULTS(mlirValueGetType(other)));
  }
  return other;
}

static MlirValue is_array(pa_mapping *m, pa_builder *at, const pa_access *a) {
  MlirValue yes = pa_constant_int(at, m->i1, 1);
  return mlirValueIsNull(a->is_number) || pa_failed(at) ? yes : pa_grid_binary(at, "arith.xori", a->is_number, yes);
}

// The row at |place|; of numbers, |was|.
static void load_vectors(pa_mapping *m, pa_builder *at, const rows *r, bool whole, MlirValue place, const MlirValue *was, MlirValue *out) {
  for (size_t i = 0; i < r->plan->count && !pa_failed(at); ++i) {
    const pa_access *a = &r->plan->items[i];
    out[i] = was[i];
    if (a->writes) continue;
    MlirValue loads = is_array(m, at, a);
    out[i] = whole ? load(m, at, r, a, place, loads, was[i], pa_vector_alignment(r->plan, a)) : load_one(m, at, r, a, place, loads, was[i]);
  }
}

static void yield(pa_builder *outer, pa_builder *inside, const rows *r, const MlirValue *vectors) {
  pa_op(inside, "scf.yield", PA_OPERAND_ARRAY(vectors, (intptr_t)r->plan->count));
  pa_take_failure(outer, inside);
}

static MlirType *vector_types(pa_mapping *m, const rows *r, intptr_t before) {
  MlirType *types = PA_NEW_ARRAY(m->arena, MlirType, before + (intptr_t)r->plan->count);
  for (intptr_t i = 0; i < before; ++i) types[i] = m->index;
  for (size_t i = 0; i < r->plan->count; ++i) types[(size_t)before + i] = pa_access_vector(r->plan, &r->plan->items[i]);
  return types;
}

static void load_row(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, const MlirValue *was, MlirValue *out) {
  intptr_t count = (intptr_t)r->plan->count;
  pa_builder whole, one;
  if (mlirValueIsNull(r->fits)) {
    load_vectors(m, at, r, true, place, was, out);
    return;
  }
  MlirRegion then = pa_inner_region(at, NULL, 0, &whole), otherwise = pa_inner_region(at, NULL, 0, &one);
  load_vectors(m, &whole, r, true, place, was, out);
  yield(at, &whole, r, out);
  load_vectors(m, &one, r, false, place, was, out);
  yield(at, &one, r, out);
  MlirOperation op = pa_op(at, "scf.if", PA_OPERANDS(r->fits), PA_RESULT_ARRAY(vector_types(m, r, 0), count), PA_REGIONS(then, otherwise));
  for (intptr_t i = 0; i < count && !pa_failed(at); ++i) out[i] = mlirOperationGetResult(op, i);
}

static void store_last(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a, MlirValue place, MlirValue vector) {
  for (int i = 0; i < a->parts && !pa_failed(at); ++i) {
    MlirValue position = pa_constant_int(at, m->i32, parts_of(r, a) - a->parts + i), address = pa_vector_address(m, at, r->plan, a, &place);
    MlirValue element = pa_value(at, "llvm.extractelement", PA_OPERANDS(vector, position), PA_RESULTS(a->part));
    pa_op(at, "llvm.store", PA_OPERANDS(element, pa_vector_part(m, at, a, address, i)), PA_ATTRS({"alignment", pa_i64_attr(m->context, a->bytes / a->parts)}));
  }
}

static void store_vectors(pa_mapping *m, pa_builder *at, const rows *r, bool whole, MlirValue place, const MlirValue *vectors) {
  for (size_t i = 0; i < r->plan->count && !pa_failed(at); ++i) {
    const pa_access *a = &r->plan->items[i];
    if (a->writes && whole) pa_vector_store(m, at, r->plan, a, &place, vectors[i]);
    if (a->writes && !whole) store_last(m, at, r, a, place, vectors[i]);
  }
}

static void store_row(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, const MlirValue *vectors) {
  pa_builder whole, one;
  if (mlirValueIsNull(r->fits)) {
    store_vectors(m, at, r, true, place, vectors);
    return;
  }
  MlirRegion then = pa_inner_region(at, NULL, 0, &whole), otherwise = pa_inner_region(at, NULL, 0, &one);
  store_vectors(m, &whole, r, true, place, vectors);
  store_vectors(m, &one, r, false, place, vectors);
  pa_op(&whole, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
  pa_op(&one, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &whole);
  pa_take_failure(at, &one);
  if (!pa_failed(at)) pa_op(at, "scf.if", PA_OPERANDS(r->fits), PA_REGIONS(then, otherwise));
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
  MlirValue zero = pa_constant_int(at, m->index, 0), one = pa_constant_int(at, m->index, 1);
  if (pa_failed(at)) return;
  MlirOperation op = loop(m, at, r, zero, r->points, one, vectors, body);
  for (intptr_t i = 0; i < count && !pa_failed(at); ++i) vectors[i] = mlirOperationGetResult(op, i);
}

static void emit_row(pa_mapping *m, pa_builder *at, const rows *r, const MlirValue *numbers) {
  MlirValue place = mlirBlockGetArgument(at->block, 0), *vectors = PA_NEW_ARRAY(m->arena, MlirValue, r->plan->count);
  load_row(m, at, r, place, numbers, vectors);
  compute_row(m, at, r, place, vectors);
  store_row(m, at, r, place, vectors);
}

// Of a number the number, of arrays zeros.
static MlirValue initial(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a) {
  MlirType type = pa_access_vector(r->plan, a);
  if (a->writes) return poison(at, type);
  if (mlirValueIsNull(a->number) || pa_failed(at)) return pa_value(at, "llvm.mlir.zero", PA_RESULTS(type));
  MlirValue vector = poison(at, type);
  for (int lane = 0; lane < r->plan->lanes && !pa_failed(at); ++lane) vector = pa_vector_with(m, at, a, vector, a->number, lane);
  return vector;
}

void pa_looped_points(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, MlirValue first, MlirValue end, MlirValue fits) {
  rows r = {.plan = p, .end = end, .fits = fits, .points = pa_constant_int(at, m->index, p->lanes)};
  MlirValue *vectors = PA_NEW_ARRAY(m->arena, MlirValue, p->count);
  if (!mlirValueIsNull(fits) && !pa_failed(at))
    r.points = pa_value(at, "arith.select", PA_OPERANDS(fits, r.points, pa_constant_int(at, m->index, 1)), PA_RESULTS(m->index));
  r.place = pa_grid_binary(at, "arith.addi", first, pa_grid_binary(at, "arith.muli", m->lane, r.points));
  r.distance = pa_grid_binary(at, "arith.muli", m->block_threads, r.points);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) vectors[i] = initial(m, at, &r, &p->items[i]);
  pa_builder inside;
  MlirRegion body = pa_inner_region(at, &m->index, 1, &inside);
  if (pa_failed(at)) return;
  emit_row(m, &inside, &r, vectors);
  pa_grid_loop(at, &inside, body, r.place, end, r.distance);
}

bool pa_vector_loops(const pa_vector_plan *p) { return p->loops; }
bool pa_vector_merges(const pa_vector_plan *p) { return p->merges; }
