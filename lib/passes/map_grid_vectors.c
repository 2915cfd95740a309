// Of pyarray-map-grid: several points to a thread, so that contiguous operands are read and written by 16 bytes at a time.
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
// With more dimensions, the points of a thread follow each other along the last one. Whether operands are contiguous there is then
// seen at run time, with the alignment: of pointers, of the other strides and of the last extent.
//
// All reads come before all writes: points do not depend on each other, and operands overlap only where they are the same elements.
#include "map_grid.h"
#include "split_internal.h"

enum {
  PA_ACCESS_BYTES = 16,    // that a thread reads or writes at a time, at best
  PA_MOST_BYTES = 32,      // of one operand
  PA_MOST_COPIES = 2048,   // operations of all copies of the body
  PA_GROUPS = 2,           // of points: so many accesses of an operand are under way
  PA_MOST_GROUPED = 512,   // operations of all copies, where there are several groups
  EQUAL = 0,               // arith's predicate
};

// A load or store of the point's element of a contiguous operand.
typedef struct access {
  MlirOperation op;
  MlirValue memref, start; // |start|: address of the element 0
  MlirValue *strides;      // i64, of more than one dimension
  MlirType part;           // number in memory; complex elements have two
  int bytes, parts;        // of an element
  bool writes;
} access;

typedef struct pa_vector_plan {
  access *items;
  size_t count, capacity;
  intptr_t rank;
  int lanes; // points that a thread takes
} plan;

//===-- What is contiguous ------------------------------------------------------------------------===//

static bool is_named(MlirOperation op, const char *name) { return pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), name); }

static int bytes_of(MlirType type) {
  if (mlirTypeIsAInteger(type)) return (int)(mlirIntegerTypeGetWidth(type) / 8);
  return mlirTypeIsAFloat(type) ? (int)mlirFloatTypeGetWidth(type) / 8 : 0;
}

// In one dimension, by its type; in more, it may be contiguous along the last.
static bool may_be_contiguous(MlirType type, intptr_t rank) {
  int64_t strides[64], offset;
  if (!mlirTypeIsAMemRef(type) || mlirShapedTypeGetRank(type) != rank || !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type))) return false;
  return mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) && (rank > 1 || strides[0] == 1);
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
  return mlirBlockEqual(mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value) : mlirOperationGetBlock(mlirOpResultGetOwner(value)), block);
}

static bool read_access(MlirOperation op, MlirBlock body, access *out) {
  bool writes = is_named(op, "memref.store");
  if ((!writes && !is_named(op, "memref.load")) || !takes_indices(op, 1 + writes, body)) return false;
  MlirValue memref = mlirOperationGetOperand(op, writes);
  MlirType type = mlirValueGetType(memref);
  if (!may_be_contiguous(type, mlirBlockGetNumArguments(body)) || is_made_in(memref, body)) return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  bool is_complex = mlirTypeIsAComplex(element);
  *out = (access){.op = op, .memref = memref, .writes = writes, .parts = 1 + is_complex, .part = is_complex ? mlirComplexTypeGetElementType(element) : element};
  out->bytes = out->parts * bytes_of(out->part);
  return out->bytes > 0;
}

// A loop is too much.
static int count_operations(MlirBlock block) {
  int count = 0;
  PA_FOR_EACH_OP(op, block) {
    bool loops = is_named(op, "scf.for") || is_named(op, "scf.while") || is_named(op, "scf.parallel");
    count += loops ? PA_MOST_COPIES + 1 : 1;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) count += count_operations(pa_body(op, r));
  }
  return count;
}

static void choose_lanes(plan *p) {
  int least = PA_ACCESS_BYTES, most = 1;
  for (size_t i = 0; i < p->count; ++i) {
    if (p->items[i].bytes < least) least = p->items[i].bytes;
    if (p->items[i].bytes > most) most = p->items[i].bytes;
  }
  p->lanes = PA_ACCESS_BYTES / least;
  if (p->lanes > PA_MOST_BYTES / most) p->lanes = PA_MOST_BYTES / most;
}

// False where there is nothing to gain.
static bool make_plan(pa_mapping *m, plan *p) {
  MlirBlock body = pa_body(m->parallel, 0);
  access found;
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
  choose_lanes(p);
  return p->lanes * p->items[0].parts > 1 && p->lanes * count_operations(body) <= PA_MOST_COPIES;
}

//===-- Addresses ---------------------------------------------------------------------------------===//

static MlirValue field(pa_mapping *m, pa_builder *at, MlirValue descriptor, MlirType type, int64_t first, int64_t second) {
  int64_t position[] = {first, second};
  return pa_value(at, "llvm.extractvalue", PA_OPERANDS(descriptor), PA_RESULTS(type),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(m->context, second < 0 ? 1 : 2, position)}));
}

static MlirValue element_pointer(pa_mapping *m, pa_builder *at, const access *a, MlirValue base, MlirValue index) {
  int32_t dynamic = INT32_MIN;
  if (pa_failed(at)) return base;
  MlirValue parts = a->parts == 1 ? index : pa_grid_binary(at, "arith.muli", index, pa_constant_int(at, m->i64, a->parts));
  return pa_value(at, "llvm.getelementptr", PA_OPERANDS(base, parts), PA_RESULTS(m->ptr),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(m->context, 1, &dynamic)}, {"elem_type", mlirTypeAttrGet(a->part)}));
}

// By the memref's descriptor, so that LLVM can follow the pointer back to a parameter.
static void find_start(pa_mapping *m, pa_builder *at, const plan *p, access *a) {
  const char *text = pa_arena_format(m->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", (int)p->rank, (int)p->rank);
  MlirValue descriptor = pa_value(at, "builtin.unrealized_conversion_cast", PA_OPERANDS(a->memref), PA_RESULTS(mlirTypeParseGet(m->context, pa_ref(text))));
  if (pa_failed(at)) return;
  MlirValue base = field(m, at, descriptor, m->ptr, 1, -1), offset = field(m, at, descriptor, m->i64, 2, -1);
  a->start = element_pointer(m, at, a, base, offset);
  a->strides = PA_NEW_ARRAY(m->arena, MlirValue, p->rank);
  for (intptr_t d = 0; p->rank > 1 && d < p->rank && !pa_failed(at); ++d) a->strides[d] = field(m, at, descriptor, m->i64, 4, d);
}

static int64_t alignment(const plan *p, const access *a) {
  int64_t bytes = (int64_t)p->lanes * a->bytes;
  return bytes < PA_ACCESS_BYTES ? bytes : PA_ACCESS_BYTES;
}

// |odd|, and those of the low bits of |value| that |mask| has.
static MlirValue with_low_bits(pa_mapping *m, pa_builder *at, MlirValue odd, MlirValue value, int64_t mask) {
  if (pa_failed(at)) return odd;
  return pa_grid_binary(at, "arith.ori", odd, pa_grid_binary(at, "arith.andi", value, pa_constant_int(at, m->i64, mask)));
}

static MlirValue with_strides(pa_mapping *m, pa_builder *at, const plan *p, const access *a, MlirValue odd) {
  MlirValue one = pa_constant_int(at, m->i64, 1);
  for (intptr_t d = 0; p->rank > 1 && d < p->rank - 1; ++d) odd = with_low_bits(m, at, odd, a->strides[d], p->lanes - 1);
  if (p->rank == 1 || pa_failed(at)) return odd;
  return pa_grid_binary(at, "arith.ori", odd, pa_grid_binary(at, "arith.xori", a->strides[p->rank - 1], one));
}

static MlirValue are_aligned(pa_mapping *m, pa_builder *at, plan *p) {
  MlirValue odd = pa_constant_int(at, m->i64, 0);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) {
    access *a = &p->items[i];
    find_start(m, at, p, a);
    odd = with_low_bits(m, at, odd, pa_value(at, "llvm.ptrtoint", PA_OPERANDS(a->start), PA_RESULTS(m->i64)), alignment(p, a) - 1);
    if (!pa_failed(at)) odd = with_strides(m, at, p, a, odd);
  }
  return pa_grid_compare(m, at, EQUAL, odd, pa_constant_int(at, m->i64, 0));
}

//===-- Vectors -----------------------------------------------------------------------------------===//

static MlirType vector_type(const plan *p, const access *a) {
  int64_t length = (int64_t)p->lanes * a->parts;
  return mlirVectorTypeGet(1, &length, a->part);
}

// The address of the first of the thread's points.
static MlirValue address_of(pa_mapping *m, pa_builder *at, const plan *p, const access *a, const MlirValue *indices) {
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

static MlirValue load(pa_mapping *m, pa_builder *at, const plan *p, const access *a, const MlirValue *indices) {
  MlirValue address = address_of(m, at, p, a, indices);
  return pa_value(at, "llvm.load", PA_OPERANDS(address), PA_RESULTS(vector_type(p, a)),
                  PA_ATTRS({"alignment", pa_i64_attr(m->context, alignment(p, a))}, {"pyarray.streaming", pa_unit_attr(m->context)}));
}

static MlirValue part(pa_mapping *m, pa_builder *at, const access *a, MlirValue vector, int number) {
  MlirValue position = pa_constant_int(at, m->i32, number);
  return pa_value(at, "llvm.extractelement", PA_OPERANDS(vector, position), PA_RESULTS(a->part));
}

static MlirValue element(pa_mapping *m, pa_builder *at, const access *a, MlirValue vector, int lane) {
  if (a->parts == 1) return part(m, at, a, vector, lane);
  MlirValue real = part(m, at, a, vector, 2 * lane), imag = part(m, at, a, vector, 2 * lane + 1);
  return pa_value(at, "complex.create", PA_OPERANDS(real, imag), PA_RESULTS(mlirComplexTypeGet(a->part)));
}

static MlirValue with_part(pa_mapping *m, pa_builder *at, MlirValue vector, MlirValue value, int number) {
  MlirValue position = pa_constant_int(at, m->i32, number);
  if (pa_failed(at)) return vector;
  return pa_value(at, "llvm.insertelement", PA_OPERANDS(vector, value, position), PA_RESULTS(mlirValueGetType(vector)));
}

static MlirValue with_element(pa_mapping *m, pa_builder *at, const access *a, MlirValue vector, MlirValue value, int lane) {
  if (a->parts == 1) return with_part(m, at, vector, value, lane);
  MlirValue real = pa_value(at, "complex.re", PA_OPERANDS(value), PA_RESULTS(a->part));
  MlirValue imag = pa_value(at, "complex.im", PA_OPERANDS(value), PA_RESULTS(a->part));
  return with_part(m, at, with_part(m, at, vector, real, 2 * lane), imag, 2 * lane + 1);
}

static const access *find_access(const plan *p, MlirOperation op, size_t *out_number) {
  for (*out_number = 0; *out_number < p->count; ++*out_number)
    if (mlirOperationEqual(p->items[*out_number].op, op)) return &p->items[*out_number];
  return NULL;
}

// The body for one of the thread's points; |vectors|, one for each access, are read, or written to.
static void emit_lane(pa_mapping *m, pa_builder *at, const plan *p, MlirValue *vectors, const MlirValue *indices, int lane) {
  MlirBlock body = pa_body(m->parallel, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  pa_map values = {0};
  for (intptr_t d = 0; d < p->rank; ++d) {
    MlirValue index = d < p->rank - 1 ? indices[d] : pa_grid_binary(at, "arith.addi", indices[d], pa_constant_int(at, m->index, lane));
    pa_map_put(m->arena, &values, mlirBlockGetArgument(body, d).ptr, (void *)index.ptr);
  }
  PA_FOR_EACH_OP(op, body) {
    size_t number;
    const access *a = find_access(p, op, &number);
    if (mlirOperationEqual(op, end) || pa_failed(at)) return;
    if (!a) {
      pa_clone_mapped(m, at, op, &values);
    } else if (a->writes) {
      MlirValue value = mlirOperationGetOperand(op, 0);
      void *copy = pa_map_get(&values, value.ptr);
      vectors[number] = with_element(m, at, a, vectors[number], copy ? (MlirValue){copy} : value, lane);
    } else {
      pa_map_put(m->arena, &values, mlirOperationGetResult(op, 0).ptr, (void *)element(m, at, a, vectors[number], lane).ptr);
    }
  }
}

// One group of points: where it begins, and a vector for each access.
typedef struct group {
  MlirValue *indices, *vectors;
} group;

static group make_group(pa_mapping *m, pa_builder *at, const plan *p, const MlirValue *indices, MlirValue distance, int number) {
  group g = {PA_NEW_ARRAY(m->arena, MlirValue, p->rank), PA_NEW_ARRAY(m->arena, MlirValue, p->count)};
  for (intptr_t d = 0; d < p->rank; ++d) g.indices[d] = indices[d];
  if (number && !pa_failed(at)) {
    MlirValue skipped = pa_grid_binary(at, "arith.muli", distance, pa_constant_int(at, m->index, number));
    g.indices[p->rank - 1] = pa_grid_binary(at, "arith.addi", indices[p->rank - 1], skipped);
  }
  return g;
}

static void load_group(pa_mapping *m, pa_builder *at, const plan *p, const group *g) {
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) {
    const access *a = &p->items[i];
    g->vectors[i] = a->writes ? pa_value(at, "llvm.mlir.poison", PA_RESULTS(vector_type(p, a))) : load(m, at, p, a, g->indices);
  }
}

static void store_group(pa_mapping *m, pa_builder *at, const plan *p, const group *g) {
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) {
    const access *a = &p->items[i];
    if (!a->writes) continue;
    MlirValue address = address_of(m, at, p, a, g->indices);
    pa_op(at, "llvm.store", PA_OPERANDS(g->vectors[i], address),
          PA_ATTRS({"alignment", pa_i64_attr(m->context, alignment(p, a))}, {"pyarray.streaming", pa_unit_attr(m->context)}));
  }
}

int pa_vector_lanes(const plan *p) { return p->lanes; }

int pa_vector_groups(const pa_mapping *m, const plan *p) {
  return PA_GROUPS * p->lanes * count_operations(pa_body(m->parallel, 0)) <= PA_MOST_GROUPED ? PA_GROUPS : 1;
}

void pa_vector_points(pa_mapping *m, pa_builder *at, const plan *p, const MlirValue *indices, int groups, MlirValue distance) {
  group all[PA_GROUPS];
  for (int g = 0; g < groups; ++g) {
    all[g] = make_group(m, at, p, indices, distance, g);
    load_group(m, at, p, &all[g]);
  }
  for (int g = 0; g < groups; ++g) {
    for (int lane = 0; lane < p->lanes && !pa_failed(at); ++lane) emit_lane(m, at, p, all[g].vectors, all[g].indices, lane);
    store_group(m, at, p, &all[g]);
  }
}

const plan *pa_plan_vectors(pa_mapping *m, pa_builder *at, MlirValue *out_fits, MlirValue *out_lanes) {
  plan *p = PA_NEW(m->arena, plan);
  if (pa_failed(at) || !make_plan(m, p)) return NULL;
  *out_fits = are_aligned(m, at, p);
  *out_lanes = pa_constant_int(at, m->index, p->lanes);
  return p;
}
