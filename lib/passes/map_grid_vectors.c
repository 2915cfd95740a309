// Of pyarray-map-grid: several points to a thread, so that contiguous operands are read and written by 16 bytes at a time.
//
//   scf.parallel (%i) = (%c0) to (%n) step (%c1) {
//     %x = memref.load %a[%i] : memref<?xf32, strided<[1], offset: ?>>
//     %y = ... %x ...
//     memref.store %y, %o[%i] : memref<?xf32, strided<[1], offset: ?>>
//   } {pyarray.grid}
// becomes, in front of the loop for single points,
//   %whole = n - n % 4 if %a and %o are aligned to 16 bytes, else 0
//   scf.for %b = %thread * 4 to %whole step %threads * 4 {
//     %xs = llvm.load %a[%b] {alignment = 16} : vector<4xf32>
//     ... the body four times, with elements of %xs ...
//     llvm.store %ys, %o[%b] {alignment = 16} : vector<4xf32>
//   }
//
// All reads come before all writes: points do not depend on each other, and operands overlap only where they are the same elements.
#include "map_grid.h"
#include "split_internal.h"

enum {
  PA_ACCESS_BYTES = 16,    // that a thread reads or writes at a time, at best
  PA_MOST_BYTES = 32,      // of one operand
  PA_MOST_COPIES = 2048,   // operations of all copies of the body
  EQUAL = 0,               // arith's predicate
};

// A load or store of the point's element of a contiguous operand.
typedef struct access {
  MlirOperation op;
  MlirValue memref, start; // |start|: address of the element 0
  MlirType part;           // number in memory; complex elements have two
  int bytes, parts;        // of an element
  bool writes;
} access;

typedef struct plan {
  access *items;
  size_t count, capacity;
  int lanes; // points that a thread takes
} plan;

//===-- What is contiguous ------------------------------------------------------------------------===//

static bool is_named(MlirOperation op, const char *name) { return pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), name); }

static int bytes_of(MlirType type) {
  if (mlirTypeIsAInteger(type)) return (int)(mlirIntegerTypeGetWidth(type) / 8);
  return mlirTypeIsAF64(type) ? 8 : mlirTypeIsAF32(type) ? 4 : 0;
}

static bool is_contiguous_line(MlirType type) {
  int64_t strides[1], offset;
  if (!mlirTypeIsAMemRef(type) || mlirShapedTypeGetRank(type) != 1 || !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type))) return false;
  return mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) && strides[0] == 1;
}

static bool is_made_in(MlirValue value, MlirBlock block) {
  return mlirBlockEqual(mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value) : mlirOperationGetBlock(mlirOpResultGetOwner(value)), block);
}

static bool read_access(MlirOperation op, MlirBlock body, access *out) {
  bool writes = is_named(op, "memref.store");
  if ((!writes && !is_named(op, "memref.load")) || mlirOperationGetNumOperands(op) != 2 + writes) return false;
  MlirValue memref = mlirOperationGetOperand(op, writes);
  MlirType type = mlirValueGetType(memref);
  if (!is_contiguous_line(type) || is_made_in(memref, body)) return false;
  if (!mlirValueEqual(mlirOperationGetOperand(op, 1 + writes), mlirBlockGetArgument(body, 0))) return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  bool is_complex = mlirTypeIsAComplex(element);
  *out = (access){.op = op, .memref = memref, .writes = writes, .parts = 1 + is_complex, .part = is_complex ? mlirComplexTypeGetElementType(element) : element};
  out->bytes = out->parts * bytes_of(out->part);
  return out->bytes > 0;
}

static int count_operations(MlirBlock block) {
  int count = 0;
  PA_FOR_EACH_OP(op, block) {
    ++count;
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

static MlirValue field(pa_mapping *m, pa_builder *at, MlirValue descriptor, MlirType type, int64_t number) {
  return pa_value(at, "llvm.extractvalue", PA_OPERANDS(descriptor), PA_RESULTS(type), PA_ATTRS({"position", mlirDenseI64ArrayGet(m->context, 1, &number)}));
}

static MlirValue element_pointer(pa_mapping *m, pa_builder *at, const access *a, MlirValue base, MlirValue index) {
  int32_t dynamic = INT32_MIN;
  if (pa_failed(at)) return base;
  MlirValue parts = a->parts == 1 ? index : pa_grid_binary(at, "arith.muli", index, pa_constant_int(at, m->i64, a->parts));
  return pa_value(at, "llvm.getelementptr", PA_OPERANDS(base, parts), PA_RESULTS(m->ptr),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(m->context, 1, &dynamic)}, {"elem_type", mlirTypeAttrGet(a->part)}));
}

// By the memref's descriptor, so that LLVM can follow the pointer back to a parameter.
static void find_start(pa_mapping *m, pa_builder *at, access *a) {
  MlirType type = mlirTypeParseGet(m->context, pa_ref("!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>"));
  MlirValue descriptor = pa_value(at, "builtin.unrealized_conversion_cast", PA_OPERANDS(a->memref), PA_RESULTS(type));
  MlirValue base = field(m, at, descriptor, m->ptr, 1), offset = field(m, at, descriptor, m->i64, 2);
  a->start = element_pointer(m, at, a, base, offset);
}

static int64_t alignment(const plan *p, const access *a) {
  int64_t bytes = (int64_t)p->lanes * a->bytes;
  return bytes < PA_ACCESS_BYTES ? bytes : PA_ACCESS_BYTES;
}

static MlirValue are_aligned(pa_mapping *m, pa_builder *at, plan *p) {
  MlirValue odd = pa_constant_int(at, m->i64, 0);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) {
    find_start(m, at, &p->items[i]);
    MlirValue bits = pa_value(at, "llvm.ptrtoint", PA_OPERANDS(p->items[i].start), PA_RESULTS(m->i64));
    MlirValue low = pa_grid_binary(at, "arith.andi", bits, pa_constant_int(at, m->i64, alignment(p, &p->items[i]) - 1));
    odd = pa_grid_binary(at, "arith.ori", odd, low);
  }
  return pa_grid_compare(m, at, EQUAL, odd, pa_constant_int(at, m->i64, 0));
}

//===-- Vectors -----------------------------------------------------------------------------------===//

static MlirType vector_type(const plan *p, const access *a) {
  int64_t length = (int64_t)p->lanes * a->parts;
  return mlirVectorTypeGet(1, &length, a->part);
}

static MlirValue load(pa_mapping *m, pa_builder *at, const plan *p, const access *a, MlirValue first) {
  MlirValue address = element_pointer(m, at, a, a->start, first);
  return pa_value(at, "llvm.load", PA_OPERANDS(address), PA_RESULTS(vector_type(p, a)), PA_ATTRS({"alignment", pa_i64_attr(m->context, alignment(p, a))}));
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
static void emit_lane(pa_mapping *m, pa_builder *at, const plan *p, MlirValue *vectors, MlirValue index, int lane) {
  MlirBlock body = pa_body(m->parallel, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  pa_map values = {0};
  pa_map_put(m->arena, &values, mlirBlockGetArgument(body, 0).ptr, index.ptr);
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
      pa_map_put(m->arena, &values, mlirOperationGetResult(op, 0).ptr, element(m, at, a, vectors[number], lane).ptr);
    }
  }
}

static void emit_points(pa_mapping *m, pa_builder *at, const plan *p, MlirValue first) {
  MlirValue *vectors = PA_NEW_ARRAY(m->arena, MlirValue, p->count);
  MlirValue position = pa_value(at, "arith.index_cast", PA_OPERANDS(first), PA_RESULTS(m->i64));
  for (size_t i = 0; i < p->count; ++i) {
    const access *a = &p->items[i];
    vectors[i] = a->writes ? pa_value(at, "llvm.mlir.poison", PA_RESULTS(vector_type(p, a))) : load(m, at, p, a, position);
  }
  for (int lane = 0; lane < p->lanes && !pa_failed(at); ++lane)
    emit_lane(m, at, p, vectors, pa_grid_binary(at, "arith.addi", first, pa_constant_int(at, m->index, lane)), lane);
  for (size_t i = 0; i < p->count && !pa_failed(at); ++i) {
    const access *a = &p->items[i];
    if (!a->writes) continue;
    MlirValue address = element_pointer(m, at, a, a->start, position);
    pa_op(at, "llvm.store", PA_OPERANDS(vectors[i], address), PA_ATTRS({"alignment", pa_i64_attr(m->context, alignment(p, a))}));
  }
}

MlirValue pa_map_vectors(pa_mapping *m, pa_builder *at, MlirValue count) {
  plan p = {0};
  MlirValue none = pa_constant_int(at, m->index, 0);
  if (pa_failed(at) || !make_plan(m, &p)) return none;
  MlirValue aligned = are_aligned(m, at, &p), lanes = pa_constant_int(at, m->index, p.lanes);
  MlirValue whole = pa_grid_binary(at, "arith.subi", count, pa_grid_binary(at, "arith.remui", count, lanes));
  MlirValue end = pa_value(at, "arith.select", PA_OPERANDS(aligned, whole, none), PA_RESULTS(m->index));
  MlirValue low = pa_grid_binary(at, "arith.muli", m->thread, lanes), step = pa_grid_binary(at, "arith.muli", m->threads, lanes);
  pa_builder inside;
  MlirRegion body = pa_inner_region(at, &m->index, 1, &inside);
  emit_points(m, &inside, &p, mlirBlockGetArgument(inside.block, 0));
  pa_grid_loop(at, &inside, body, low, end, step);
  return end;
}
