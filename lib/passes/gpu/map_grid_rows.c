// Of pyarray-map-grid: a large body in a loop, with as few copies as will do, since the assembler takes milliseconds
// for each:
//
//   scf.for %at = %place to %end step %distance iter_args(%was = %numbers) {
//     %xs = llvm.intr.masked.load %a[%at], %is_array, %was : vector<2xf32>
//     ... the body twice, with elements of %xs ...
//     llvm.store %ys, %o[%at]
//     scf.yield %xs
//   }
//
// Masks are alike for all elements: nothing is loaded of a number. Other threads compute while a row is loaded. Where
// operands are not aligned, or points are left at the end, rows are of one point for each thread, which is the first
// element of the vectors, and the other copies of the body are left out.
#include <string.h>

#include "map_grid_internal.h"

typedef struct rows {
  const pa_vector_plan *plan;
  MlirValue place, end, distance; // of the thread's rows
  MlirValue fits, points;         // rows are of vectors, always if null; points of a row
} rows;

static MlirValue poison(pa_builder *at, MlirType type) { return pa_value(at, "llvm.mlir.poison", PA_RESULTS(type)); }

//===-- Accesses ----------------------------------------------------------------------------------===//

static MlirValue make_mask(pa_mapping *m, pa_builder *at, int64_t length, MlirValue bit) {
  MlirValue mask = poison(at, mlirVectorTypeGet(1, &length, m->i1));
  for (int i = 0; i < length && !pa_failed(at); ++i)
    mask = pa_value(at, "llvm.insertelement", PA_OPERANDS(mask, bit, pa_constant_int(at, m->i32, i)),
                    PA_RESULTS(mlirValueGetType(mask)));
  return mask;
}

// |other|, or as many elements of the array from |place| on, if |loads|.
static MlirValue load(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a, MlirValue place,
                      MlirValue loads, MlirValue other, int64_t alignment) {
  MlirValue address = pa_vector_address(m, at, r->plan, a, &place);
  if (pa_failed(at)) return other;
  MlirType type = mlirValueGetType(other);
  MlirValue mask = make_mask(m, at, mlirShapedTypeGetDimSize(type, 0), loads);
  return pa_value(
      at, "llvm.intr.masked.load", PA_OPERANDS(address, mask, other), PA_RESULTS(type),
      PA_ATTRS({"alignment", mlirIntegerAttrGet(m->i32, alignment)}, {"pyarray.streaming", pa_unit_attr(m->context)}));
}

// The same of the first point alone.
static MlirValue load_one(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a, MlirValue place,
                          MlirValue loads, MlirValue other) {
  int64_t parts = a->parts;
  int32_t order[] = {0, 1};
  if (pa_failed(at)) return other;
  MlirType type = mlirVectorTypeGet(1, &parts, a->part);
  MlirValue first = pa_value(at, "llvm.shufflevector", PA_OPERANDS(other, other), PA_RESULTS(type),
                             PA_ATTRS({"mask", mlirDenseI32ArrayGet(m->context, parts, order)}));
  MlirValue loaded = load(m, at, r, a, place, loads, first, a->bytes / a->parts);
  for (int i = 0; i < parts && !pa_failed(at); ++i) {
    MlirValue position = pa_constant_int(at, m->i32, i),
              element = pa_value(at, "llvm.extractelement", PA_OPERANDS(loaded, position), PA_RESULTS(a->part));
    other =
        pa_value(at, "llvm.insertelement", PA_OPERANDS(other, element, position), PA_RESULTS(mlirValueGetType(other)));
  }
  return other;
}

static MlirValue is_array(pa_mapping *m, pa_builder *at, const pa_access *a) {
  MlirValue yes = pa_constant_int(at, m->i1, 1);
  return mlirValueIsNull(a->is_number) || pa_failed(at) ? yes : pa_grid_binary(at, "arith.xori", a->is_number, yes);
}

// The row at |place|; of numbers, |was|.
static void load_vectors(pa_mapping *m, pa_builder *at, const rows *r, bool whole, MlirValue place,
                         const MlirValue *was, MlirValue *out) {
  for (size_t i = 0; i < r->plan->count && !pa_failed(at); ++i) {
    const pa_access *a = &r->plan->items[i];
    out[i] = was[i];
    if (a->writes) continue;
    MlirValue loads = is_array(m, at, a);
    out[i] = whole ? load(m, at, r, a, place, loads, was[i], pa_vector_alignment(r->plan, a))
                   : load_one(m, at, r, a, place, loads, was[i]);
  }
}

static void yield(pa_builder *outer, pa_builder *inside, const rows *r, const MlirValue *vectors) {
  pa_op(inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(vectors, (intptr_t)r->plan->count));
  pa_take_failure(outer, inside);
}

static MlirType *vector_types(pa_mapping *m, const rows *r, intptr_t before) {
  MlirType *types = PA_NEW_ARRAY(m->arena, MlirType, before + (intptr_t)r->plan->count);
  for (intptr_t i = 0; i < before; ++i) types[i] = m->index;
  for (size_t i = 0; i < r->plan->count; ++i) types[(size_t)before + i] = pa_access_vector(r->plan, &r->plan->items[i]);
  return types;
}

static void load_row(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, const MlirValue *was,
                     MlirValue *out) {
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
  MlirOperation op = pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(r->fits), PA_RESULT_ARRAY(vector_types(m, r, 0), count),
                           PA_REGIONS(then, otherwise));
  for (intptr_t i = 0; i < count && !pa_failed(at); ++i) out[i] = mlirOperationGetResult(op, i);
}

static void store_one(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a, MlirValue place,
                      MlirValue vector) {
  for (int i = 0; i < a->parts && !pa_failed(at); ++i) {
    MlirValue address = pa_vector_address(m, at, r->plan, a, &place), position = pa_constant_int(at, m->i32, i);
    MlirValue element = pa_value(at, "llvm.extractelement", PA_OPERANDS(vector, position), PA_RESULTS(a->part));
    pa_op(at, "llvm.store", PA_OPERANDS(element, pa_vector_part(m, at, a, address, i)),
          PA_ATTRS({"alignment", pa_i64_attr(m->context, a->bytes / a->parts)}));
  }
}

static void store_vectors(pa_mapping *m, pa_builder *at, const rows *r, bool whole, MlirValue place,
                          const MlirValue *vectors) {
  for (size_t i = 0; i < r->plan->count && !pa_failed(at); ++i) {
    const pa_access *a = &r->plan->items[i];
    if (a->writes && whole) pa_vector_store(m, at, r->plan, a, &place, vectors[i]);
    if (a->writes && !whole) store_one(m, at, r, a, place, vectors[i]);
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
  pa_op(&whole, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_op(&one, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &whole);
  pa_take_failure(at, &one);
  if (!pa_failed(at)) pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(r->fits), PA_REGIONS(then, otherwise));
}

//===-- Rows --------------------------------------------------------------------------------------===//

static void compute_point(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, int lane, MlirValue *vectors) {
  const pa_vector_plan *p = r->plan;
  MlirValue *elements = PA_NEW_ARRAY(m->arena, MlirValue, p->count),
            index = pa_grid_binary(at, "arith.addi", place, pa_constant_int(at, m->index, lane));
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (!p->items[i].writes) elements[i] = pa_vector_element(m, at, &p->items[i], vectors[i], lane);
  pa_vector_body(m, at, p, &index, elements);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i)
    if (p->items[i].writes) vectors[i] = pa_vector_with(m, at, &p->items[i], vectors[i], elements[i], lane);
}

static void compute_others(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, MlirValue *vectors) {
  for (int lane = 1; lane < r->plan->lanes && !pa_failed(at); ++lane) compute_point(m, at, r, place, lane, vectors);
}

static void compute_row(pa_mapping *m, pa_builder *at, const rows *r, MlirValue place, MlirValue *vectors) {
  intptr_t count = (intptr_t)r->plan->count;
  pa_builder here, there;
  compute_point(m, at, r, place, 0, vectors);
  if (mlirValueIsNull(r->fits) || pa_failed(at)) {
    compute_others(m, at, r, place, vectors);
    return;
  }
  MlirRegion then = pa_inner_region(at, NULL, 0, &here), otherwise = pa_inner_region(at, NULL, 0, &there);
  yield(at, &there, r, vectors);
  compute_others(m, &here, r, place, vectors);
  yield(at, &here, r, vectors);
  MlirOperation op = pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(r->fits), PA_RESULT_ARRAY(vector_types(m, r, 0), count),
                           PA_REGIONS(then, otherwise));
  for (intptr_t i = 0; i < count && !pa_failed(at); ++i) vectors[i] = mlirOperationGetResult(op, i);
}

static void emit_loop(pa_mapping *m, pa_builder *at, const rows *r, const MlirValue *vectors, MlirRegion body) {
  intptr_t count = (intptr_t)r->plan->count;
  MlirValue *operands = PA_NEW_ARRAY(m->arena, MlirValue, count + 3);
  operands[0] = r->place, operands[1] = r->end, operands[2] = r->distance;
  memcpy(operands + 3, vectors, r->plan->count * sizeof *operands);
  MlirAttribute once = mlirAttributeParseGet(
      m->context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"));
  pa_op(at, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, count + 3), PA_RESULT_ARRAY(vector_types(m, r, 0), count),
        PA_REGIONS(body), PA_ATTRS({"loop_annotation", once}));
}

// Vectors of numbers stay what they are.
static void emit_row(pa_mapping *m, pa_builder *at, const rows *r) {
  intptr_t count = (intptr_t)r->plan->count;
  MlirValue place = mlirBlockGetArgument(at->block, 0), *was = PA_NEW_ARRAY(m->arena, MlirValue, count),
            *vectors = PA_NEW_ARRAY(m->arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) was[i] = mlirBlockGetArgument(at->block, i + 1);
  load_row(m, at, r, place, was, vectors);
  compute_row(m, at, r, place, vectors);
  store_row(m, at, r, place, vectors);
  pa_op(at, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(vectors, count));
}

// Of a number the number, of arrays zeros.
static MlirValue initial(pa_mapping *m, pa_builder *at, const rows *r, const pa_access *a) {
  MlirType type = pa_access_vector(r->plan, a);
  if (a->writes) return poison(at, type);
  if (mlirValueIsNull(a->number) || pa_failed(at)) return pa_value(at, "llvm.mlir.zero", PA_RESULTS(type));
  MlirValue vector = poison(at, type);
  for (int lane = 0; lane < r->plan->lanes && !pa_failed(at); ++lane)
    vector = pa_vector_with(m, at, a, vector, a->number, lane);
  return vector;
}

void pa_looped_points(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, MlirValue first, MlirValue end,
                      MlirValue fits) {
  rows r = {.plan = p, .end = end, .fits = fits, .points = pa_constant_int(at, m->index, p->lanes)};
  MlirValue *vectors = PA_NEW_ARRAY(m->arena, MlirValue, p->count);
  if (!mlirValueIsNull(fits) && !pa_failed(at))
    r.points = pa_value(at, "arith.select", PA_OPERANDS(fits, r.points, pa_constant_int(at, m->index, 1)),
                        PA_RESULTS(m->index));
  r.place = pa_grid_binary(at, "arith.addi", first, pa_grid_binary(at, "arith.muli", m->lane, r.points));
  r.distance = pa_grid_binary(at, "arith.muli", m->block_threads, r.points);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) vectors[i] = initial(m, at, &r, &p->items[i]);
  pa_builder inside;
  MlirRegion body = pa_inner_region(at, vector_types(m, &r, 1), (intptr_t)p->count + 1, &inside);
  if (pa_failed(at)) return;
  emit_row(m, &inside, &r);
  pa_take_failure(at, &inside);
  if (!pa_failed(at)) emit_loop(m, at, &r, vectors, body);
}

bool pa_vector_loops(const pa_vector_plan *p) { return p->loops; }
bool pa_vector_merges(const pa_vector_plan *p) { return p->merges; }

// Calls of the functions for rare divisions take up to 50 registers, with which 1280 threads fit on a multiprocessor;
// 40 are enough for a body of this cost, and let 1536 wait for each other's loads. Larger ones may need theirs.
int pa_vector_registers(const pa_vector_plan *p) {
  enum { MODERATE = 160, REGISTERS = 40 };
  return p->merges && p->cost <= MODERATE ? REGISTERS : 0;
}
