// Of pyarray-map-grid: several points to a thread, so that contiguous operands are read and written by 16 bytes at a
// time.
//
//   scf.parallel (%i) = (%c0) to (%n) step (%c1) {
//     %x = memref.load %a[%i] : memref<?xf32, strided<[1], offset: ?>>
//     %y = ... %x ...
//     memref.store %y, %o[%i] : memref<?xf32, strided<[1], offset: ?>>
//   } {pyarray.grid}
// becomes, for a tile of points that a block takes (map_grid.c), where %a and %o are aligned to 16 bytes,
//   %b = %tile + %lane * 4
//   %xs = llvm.load %a[%b] {alignment = 16, pyarray.streaming} : vector<4xf32>
//   ... the body four times, with elements of %xs ...
//   llvm.store %ys, %o[%b] {alignment = 16, pyarray.streaming} : vector<4xf32>
// and the same for %b + %block_dim * 4, all loads first. pyarray.streaming: no cache needs to keep it.
//
// With more dimensions, the points of a thread follow each other along the last one. Whether operands are contiguous
// there is then seen at run time, with the alignment: of pointers, of the other strides and of the last extent.
//
// A body that costs much is not copied as often: map_grid_rows.c.
//
// All reads come before all writes: points do not depend on each other, and operands overlap only where they are the
// same elements.
#include <string.h>

#include "map_grid_internal.h"

enum {
  PA_ACCESS_BYTES = 16, // that a thread reads or writes at a time, at best
  PA_MOST_BYTES = 32,   // of one operand
  PA_GROUPS = 2,        // of points, where each has its copy of the body: so many accesses of an operand are under way
  PA_LEAST_BYTES = 8,   // of an access in a loop
  PA_LOOPED_GROUPS = 8, // in a loop
  PA_FEW_COPIES = 4,    // which are made whatever they cost
  PA_MOST_COST = 512,   // of all copies, where there are more
  PA_LOOPED_COST = 256, // of those in a loop
  PA_LOOP_COST = 1 << 20,
  EQUAL = 0, // arith's predicate
};

//===-- What is contiguous ------------------------------------------------------------------------===//

static int bytes_of(MlirType type) {
  if (mlirTypeIsAInteger(type)) return (int)(mlirIntegerTypeGetWidth(type) / 8);
  return mlirTypeIsAFloat(type) ? (int)mlirFloatTypeGetWidth(type) / 8 : 0;
}

// In one dimension, by its type; in more, it may be contiguous along the last.
static bool may_be_contiguous(MlirType type, intptr_t rank) {
  int64_t strides[64], offset;
  if (!mlirTypeIsAMemRef(type) || mlirShapedTypeGetRank(type) != rank ||
      !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)))
    return false;
  return mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) &&
         (rank > 1 || strides[0] == 1);
}

// Whether the operands from |first| on are the indices of the point.
static bool takes_indices(MlirOperation op, intptr_t first, MlirBlock body) {
  intptr_t rank = mlirBlockGetNumArguments(body);
  if (mlirOperationGetNumOperands(op) != first + rank) return false;
  for (intptr_t i = 0; i < rank; ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(op, first + i), mlirBlockGetArgument(body, i))) return false;
  return true;
}

static bool is_made_in(MlirValue value, MlirBlock block) {
  return mlirBlockEqual(mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                                         : mlirOperationGetBlock(mlirOpResultGetOwner(value)),
                        block);
}

static bool read_access(MlirOperation op, MlirBlock body, pa_access *out) {
  bool writes = pa_op_is(op, "memref.store");
  MlirOperation access = op;
  MlirValue is_number = {NULL}, number = {NULL};
  pa_read_choice(op, &access, &is_number, &number);
  if ((!writes && !pa_op_is(access, "memref.load")) || !takes_indices(access, 1 + writes, body)) return false;
  MlirValue memref = mlirOperationGetOperand(access, writes);
  MlirType type = mlirValueGetType(memref);
  if (!may_be_contiguous(type, mlirBlockGetNumArguments(body)) || is_made_in(memref, body)) return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  bool is_complex = mlirTypeIsAComplex(element);
  *out = (pa_access){.op = op,
                     .memref = memref,
                     .writes = writes,
                     .element = element,
                     .parts = 1 + is_complex,
                     .part = is_complex ? mlirComplexTypeGetElementType(element) : element,
                     .is_number = is_number,
                     .number = number};
  out->bytes = out->parts * bytes_of(out->part);
  return out->bytes > 0;
}

// Instructions of a GPU, by the first part of an operation's name that fits; of 32 bits or less, and of 64.
static const struct {
  const char *prefix;
  int narrow, wide;
} costs[] = {
    {"scf.for", PA_LOOP_COST, PA_LOOP_COST},
    {"scf.while", PA_LOOP_COST, PA_LOOP_COST},
    {"scf.parallel", PA_LOOP_COST, PA_LOOP_COST},
    {"arith.constant", 0, 0},
    {"arith.div", 12, 30},
    {"arith.rem", 16, 40},
    {"complex.div", 12, 30},
    {"complex.exp", 40, 80},
    {"math.abs", 1, 1},
    {"math.ceil", 1, 1},
    {"math.copysign", 1, 1},
    {"math.floor", 1, 1},
    {"math.fma", 1, 1},
    {"math.trunc", 1, 1},
    {"math.sqrt", 8, 24},
    {"math.pow", 60, 120},
    {"math.", 24, 60},
    {"func.call", 60, 60},
};

static bool is_wide(MlirType type) {
  return mlirTypeIsAF64(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 32);
}

static int cost_of(MlirOperation op) {
  const char *name = mlirIdentifierStr(mlirOperationGetName(op)).data; // NUL-terminated
  MlirType type = mlirOperationGetNumResults(op) ? mlirValueGetType(mlirOperationGetResult(op, 0))
                                                 : mlirNoneTypeGet(mlirOperationGetContext(op));
  int parts = 1;
  if (mlirTypeIsAComplex(type)) type = mlirComplexTypeGetElementType(type), parts = 3;
  for (size_t i = 0; i < sizeof costs / sizeof *costs; ++i)
    if (strncmp(name, costs[i].prefix, strlen(costs[i].prefix)) == 0)
      return parts * (is_wide(type) ? costs[i].wide : costs[i].narrow);
  return parts;
}

static int cost_of_block(MlirBlock block) {
  int cost = 0;
  PA_FOR_EACH_OP(op, block) {
    cost += cost_of(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) cost += cost_of_block(pa_body(op, r));
    if (cost > PA_LOOP_COST) return PA_LOOP_COST;
  }
  return cost;
}

static void choose_lanes(pa_vector_plan *p, int *out_least) {
  int least = PA_ACCESS_BYTES, most = 1;
  for (size_t i = 0; i < p->count; ++i) {
    if (p->items[i].bytes < least) least = p->items[i].bytes;
    if (p->items[i].bytes > most) most = p->items[i].bytes;
  }
  p->lanes = PA_ACCESS_BYTES / least;
  if (p->lanes > PA_MOST_BYTES / most) p->lanes = PA_MOST_BYTES / most;
  *out_least = least;
}

// Whether nothing but results comes of the operation: it may be computed for points that are not there.
static bool is_pure(MlirOperation op) {
  static const char *const dialects[] = {"arith.", "math.", "complex.", "scf.if", "scf.yield"};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool is_known = false;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    is_known = is_known || strncmp(name.data, dialects[i], strlen(dialects[i])) == 0;
  for (intptr_t r = 0; is_known && r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(pa_body(op, r))) PA_FOR_EACH_OP(inner, pa_body(op, r)) is_known = is_known && is_pure(inner);
  return is_known;
}

static bool is_mergeable(const pa_vector_plan *p, MlirBlock body) {
  size_t accesses = 0;
  PA_FOR_EACH_OP(op, body) {
    bool is_access = accesses < p->count && mlirOperationEqual(p->items[accesses].op, op);
    if (is_access)
      ++accesses;
    else if (!is_pure(op) && !pa_op_is(op, "scf.reduce"))
      return false;
  }
  for (size_t i = 0; i < p->count; ++i)
    if (bytes_of(p->items[i].part) < (int)sizeof(float)) return false;
  return true;
}

// A body of this cost is copied for each point of two groups, or, where that would be too much code, for those of one
// in a loop over more of them; then arithmetic takes the time, and accesses need not be as wide.
static void choose_groups(pa_vector_plan *p, MlirBlock body, int cost, int least) {
  p->groups = PA_GROUPS;
  p->cost = cost;
  if (p->lanes * PA_GROUPS <= PA_FEW_COPIES || cost * p->lanes * PA_GROUPS <= PA_MOST_COST) return;
  while (p->lanes * least > PA_LEAST_BYTES && cost * p->lanes > PA_LOOPED_COST) p->lanes /= 2;
  p->groups = PA_LOOPED_GROUPS;
  p->loops = true;
  p->merges = p->rank == 1 && is_mergeable(p, body);
}

// False where there is nothing to gain.
static bool make_plan(pa_mapping *m, pa_vector_plan *p) {
  MlirBlock body = pa_body(m->parallel, 0);
  pa_access found;
  bool written = false;
  p->rank = mlirBlockGetNumArguments(body);
  PA_FOR_EACH_OP(op, body) {
    if (!read_access(op, body, &found)) continue;
    if (written && !found.writes) return false; // it may read what was written
    written = found.writes;
    p->items = pa_arena_grow(m->arena, p->items, p->count, &p->capacity, sizeof found);
    p->items[p->count++] = found;
  }
  if (!p->count) return false;
  int cost = cost_of_block(body), least;
  if (cost >= PA_LOOP_COST) return false;
  choose_lanes(p, &least);
  choose_groups(p, body, cost, least);
  return p->lanes * p->items[0].parts > 1;
}

//===-- Addresses ---------------------------------------------------------------------------------===//

static MlirValue element_pointer(pa_mapping *m, pa_builder *at, const pa_access *a, MlirValue base, MlirValue index) {
  int32_t dynamic = INT32_MIN;
  if (pa_failed(at)) return base;
  MlirValue parts =
      a->parts == 1 ? index : pa_grid_binary(at, "arith.muli", index, pa_constant_int(at, m->i64, a->parts));
  return pa_value(at, "llvm.getelementptr", PA_OPERANDS(base, parts), PA_RESULTS(m->ptr),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(m->context, 1, &dynamic)},
                           {"elem_type", mlirTypeAttrGet(a->part)}));
}

MlirValue pa_vector_part(pa_mapping *m, pa_builder *at, const pa_access *a, MlirValue address, int number) {
  if (!number || pa_failed(at)) return address;
  return pa_value(at, "llvm.getelementptr", PA_OPERANDS(address), PA_RESULTS(m->ptr),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(m->context, 1, &number)},
                           {"elem_type", mlirTypeAttrGet(a->part)}));
}

static void find_start(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, pa_access *a) {
  MlirValue descriptor = pa_descriptor(m, at, a->memref, p->rank);
  MlirValue base = pa_descriptor_field(m, at, descriptor, PA_ALIGNED, -1),
            offset = pa_descriptor_field(m, at, descriptor, PA_OFFSET, -1);
  a->start = element_pointer(m, at, a, base, offset);
  a->strides = PA_NEW_ARRAY(m->arena, MlirValue, p->rank);
  for (intptr_t d = 0; p->rank > 1 && d < p->rank && !pa_failed(at); ++d)
    a->strides[d] = pa_descriptor_field(m, at, descriptor, PA_STRIDES, d);
}

int64_t pa_vector_alignment(const pa_vector_plan *p, const pa_access *a) {
  int64_t bytes = (int64_t)p->lanes * a->bytes;
  return bytes < PA_ACCESS_BYTES ? bytes : PA_ACCESS_BYTES;
}

// |odd|, and those of the low bits of |value| that |mask| has.
static MlirValue with_low_bits(pa_mapping *m, pa_builder *at, MlirValue odd, MlirValue value, int64_t mask) {
  if (pa_failed(at)) return odd;
  return pa_grid_binary(at, "arith.ori", odd,
                        pa_grid_binary(at, "arith.andi", value, pa_constant_int(at, m->i64, mask)));
}

static MlirValue with_strides(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                              MlirValue odd) {
  MlirValue one = pa_constant_int(at, m->i64, 1);
  for (intptr_t d = 0; d < p->rank - 1; ++d) odd = with_low_bits(m, at, odd, a->strides[d], p->lanes - 1);
  if (pa_failed(at)) return odd;
  return pa_grid_binary(at, "arith.ori", odd, pa_grid_binary(at, "arith.xori", a->strides[p->rank - 1], one));
}

// |odd|, and what keeps vectors from the operand: numbers do nothing.
static MlirValue with_operand(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                              MlirValue odd) {
  MlirValue before = odd;
  odd = with_low_bits(m, at, odd, pa_value(at, "llvm.ptrtoint", PA_OPERANDS(a->start), PA_RESULTS(m->i64)),
                      pa_vector_alignment(p, a) - 1);
  if (p->rank > 1 && !pa_failed(at)) odd = with_strides(m, at, p, a, odd);
  if (mlirValueIsNull(a->is_number) || pa_failed(at)) return odd;
  return pa_value(at, "arith.select", PA_OPERANDS(a->is_number, before, odd), PA_RESULTS(m->i64));
}

static MlirValue are_aligned(pa_mapping *m, pa_builder *at, pa_vector_plan *p) {
  MlirValue odd = pa_constant_int(at, m->i64, 0);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) {
    find_start(m, at, p, &p->items[i]);
    odd = with_operand(m, at, p, &p->items[i], odd);
  }
  return pa_grid_compare(m, at, EQUAL, odd, pa_constant_int(at, m->i64, 0));
}

//===-- Vectors -----------------------------------------------------------------------------------===//

MlirType pa_access_vector(const pa_vector_plan *p, const pa_access *a) {
  int64_t length = (int64_t)p->lanes * a->parts;
  return mlirVectorTypeGet(1, &length, a->part);
}

MlirValue pa_vector_address(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                            const MlirValue *indices) {
  MlirValue position = {NULL};
  for (intptr_t d = p->rank - 1; d >= 0 && !pa_failed(at); --d) {
    MlirValue index = pa_value(at, "arith.index_cast", PA_OPERANDS(indices[d]), PA_RESULTS(m->i64));
    if (d == p->rank - 1)
      position = index;
    else
      position = pa_grid_binary(at, "arith.addi", position, pa_grid_binary(at, "arith.muli", index, a->strides[d]));
  }
  return element_pointer(m, at, a, a->start, position);
}

static MlirValue part(pa_mapping *m, pa_builder *at, const pa_access *a, MlirValue vector, int number) {
  MlirValue position = pa_constant_int(at, m->i32, number);
  return pa_value(at, "llvm.extractelement", PA_OPERANDS(vector, position), PA_RESULTS(a->part));
}

MlirValue pa_vector_element(pa_mapping *m, pa_builder *at, const pa_access *a, MlirValue vector, int lane) {
  if (a->parts == 1) return part(m, at, a, vector, lane);
  MlirValue real = part(m, at, a, vector, 2 * lane), imag = part(m, at, a, vector, 2 * lane + 1);
  return pa_value(at, "complex.create", PA_OPERANDS(real, imag), PA_RESULTS(mlirComplexTypeGet(a->part)));
}

static MlirValue with_part(pa_mapping *m, pa_builder *at, MlirValue vector, MlirValue value, int number) {
  MlirValue position = pa_constant_int(at, m->i32, number);
  if (pa_failed(at)) return vector;
  return pa_value(at, "llvm.insertelement", PA_OPERANDS(vector, value, position), PA_RESULTS(mlirValueGetType(vector)));
}

MlirValue pa_vector_with(pa_mapping *m, pa_builder *at, const pa_access *a, MlirValue vector, MlirValue value,
                         int lane) {
  if (a->parts == 1) return with_part(m, at, vector, value, lane);
  MlirValue real = pa_value(at, "complex.re", PA_OPERANDS(value), PA_RESULTS(a->part));
  MlirValue imag = pa_value(at, "complex.im", PA_OPERANDS(value), PA_RESULTS(a->part));
  return with_part(m, at, with_part(m, at, vector, real, 2 * lane), imag, 2 * lane + 1);
}

MlirValue pa_vector_load(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                         const MlirValue *indices) {
  MlirValue address = pa_vector_address(m, at, p, a, indices);
  return pa_value(at, "llvm.load", PA_OPERANDS(address), PA_RESULTS(pa_access_vector(p, a)),
                  PA_ATTRS({"alignment", pa_i64_attr(m->context, pa_vector_alignment(p, a))},
                           {"pyarray.streaming", pa_unit_attr(m->context)}));
}

static void yield_all(pa_builder *outer, pa_builder *inside, const MlirValue *values, intptr_t count) {
  pa_op(inside, "scf.yield", PA_OPERAND_ARRAY(values, count));
  pa_take_failure(outer, inside);
}

// Vectors of the number, or of the array's elements.
static void load_or_spread(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                           MlirValue *const *indices, int groups, MlirValue *out_vectors) {
  MlirType type = pa_access_vector(p, a), *types = PA_NEW_ARRAY(m->arena, MlirType, groups);
  MlirValue *spread = PA_NEW_ARRAY(m->arena, MlirValue, groups), *loaded = PA_NEW_ARRAY(m->arena, MlirValue, groups);
  pa_builder here, there;
  MlirRegion then = pa_inner_region(at, NULL, 0, &here), otherwise = pa_inner_region(at, NULL, 0, &there);
  spread[0] = pa_value(&here, "llvm.mlir.poison", PA_RESULTS(type));
  for (int lane = 0; lane < p->lanes && !pa_failed(&here); ++lane)
    spread[0] = pa_vector_with(m, &here, a, spread[0], a->number, lane);
  for (int g = 0; g < groups; ++g) {
    types[g] = type;
    spread[g] = spread[0];
    loaded[g] = pa_vector_load(m, &there, p, a, indices[g]);
  }
  yield_all(at, &here, spread, groups);
  yield_all(at, &there, loaded, groups);
  MlirOperation op =
      pa_op(at, "scf.if", PA_OPERANDS(a->is_number), PA_RESULT_ARRAY(types, groups), PA_REGIONS(then, otherwise));
  for (int g = 0; g < groups && !pa_failed(at); ++g) out_vectors[g] = mlirOperationGetResult(op, g);
}

void pa_vector_loads(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                     MlirValue *const *indices, int groups, MlirValue *out_vectors) {
  if (pa_failed(at)) return;
  if (!mlirValueIsNull(a->is_number)) {
    load_or_spread(m, at, p, a, indices, groups, out_vectors);
    return;
  }
  for (int g = 0; g < groups; ++g) out_vectors[g] = pa_vector_load(m, at, p, a, indices[g]);
}

void pa_vector_store(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                     const MlirValue *indices, MlirValue vector) {
  MlirValue address = pa_vector_address(m, at, p, a, indices);
  pa_op(at, "llvm.store", PA_OPERANDS(vector, address),
        PA_ATTRS({"alignment", pa_i64_attr(m->context, pa_vector_alignment(p, a))},
                 {"pyarray.streaming", pa_unit_attr(m->context)}));
}

int pa_vector_lanes(const pa_vector_plan *p) { return p->lanes; }

const pa_vector_plan *pa_plan_vectors(pa_mapping *m, pa_builder *at, MlirValue *out_fits, MlirValue *out_lanes) {
  pa_vector_plan *p = PA_NEW(m->arena, pa_vector_plan);
  if (pa_failed(at) || !make_plan(m, p)) return NULL;
  *out_fits = are_aligned(m, at, p);
  *out_lanes = pa_constant_int(at, m->index, p->lanes);
  return p;
}
