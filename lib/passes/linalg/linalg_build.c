// Of pyarray-lower-linalg: small operations, regions, loops and rows.
#include <string.h>

#include "linalg_internal.h"

//===-- Small operations --------------------------------------------------------------------------===//

// Where constants and stack memory go: the top of the function.
static pa_builder top(const pa_linalg *l) {
  pa_builder at = l->at;
  at.block = pa_body(l->function, 0);
  at.before = mlirBlockGetFirstOperation(at.block);
  return at;
}

static MlirValue constant(pa_linalg *l, int64_t value) {
  pa_builder at = top(l);
  MlirValue made = pa_constant_int(&at, l->index, value);
  pa_take_failure(&l->at, &at);
  return made;
}

MlirValue pa_loop_int(pa_linalg *l, int64_t value) {
  MlirValue *kept = value == 0 ? &l->zero : value == 1 ? &l->one : NULL;
  if (kept && !mlirValueIsNull(*kept)) return *kept;
  MlirValue made = constant(l, value);
  if (kept) *kept = made;
  return made;
}

MlirValue pa_loop_binary(pa_linalg *l, const char *name, MlirValue a, MlirValue b) {
  if (pa_failed(&l->at)) return (MlirValue){NULL};
  return pa_value(&l->at, name, PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)));
}

MlirValue pa_loop_compare(pa_linalg *l, pa_predicate predicate, MlirValue a, MlirValue b) {
  return pa_value(&l->at, "arith.cmpi", PA_OPERANDS(a, b), PA_RESULTS(l->i1),
                  PA_ATTRS({"predicate", pa_i64_attr(l->at.context, predicate)}));
}

MlirValue pa_loop_not(pa_linalg *l, MlirValue a) {
  pa_builder at = top(l);
  MlirValue yes = pa_constant_int(&at, l->i1, 1);
  pa_take_failure(&l->at, &at);
  return pa_loop_binary(l, "arith.xori", a, yes);
}

MlirValue pa_loop_select(pa_linalg *l, MlirValue condition, MlirValue a, MlirValue b) {
  if (pa_failed(&l->at)) return (MlirValue){NULL};
  return pa_value(&l->at, "arith.select", PA_OPERANDS(condition, a, b), PA_RESULTS(mlirValueGetType(a)));
}

MlirValue pa_loop_cast(pa_linalg *l, MlirValue value, MlirType type) {
  return pa_value(&l->at, "arith.index_cast", PA_OPERANDS(value), PA_RESULTS(type));
}

MlirValue pa_loop_load(pa_linalg *l, MlirValue memref, const MlirValue *indices, int count) {
  MlirValue operands[PA_MAX_LOOPS + 1] = {memref};
  if (pa_failed(&l->at)) return (MlirValue){NULL};
  memcpy(operands + 1, indices, (size_t)count * sizeof *indices);
  return pa_value(&l->at, "memref.load", PA_OPERAND_ARRAY(operands, count + 1),
                  PA_RESULTS(mlirShapedTypeGetElementType(mlirValueGetType(memref))));
}

void pa_loop_store(pa_linalg *l, MlirValue value, MlirValue memref, const MlirValue *indices, int count) {
  MlirValue operands[PA_MAX_LOOPS + 2] = {value, memref};
  memcpy(operands + 2, indices, (size_t)count * sizeof *indices);
  pa_op(&l->at, "memref.store", PA_OPERAND_ARRAY(operands, count + 2));
}

MlirValue pa_loop_extent(pa_linalg *l, MlirValue memref, int axis) {
  if (pa_failed(&l->at)) return (MlirValue){NULL};
  MlirType type = mlirValueGetType(memref);
  if (!mlirShapedTypeIsDynamicDim(type, axis)) return pa_loop_int(l, mlirShapedTypeGetDimSize(type, axis));
  return pa_value(&l->at, "memref.dim", PA_OPERANDS(memref, pa_loop_int(l, axis)), PA_RESULTS(l->index));
}

static MlirValue make_buffer(pa_linalg *l, MlirType element, int64_t count) {
  pa_builder at = top(l);
  int32_t segments[] = {0, 0};
  MlirValue made = pa_value(&at, "memref.alloca",
                            PA_RESULTS(mlirMemRefTypeContiguousGet(element, 1, &count, mlirAttributeGetNull())),
                            PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(at.context, 2, segments)},
                                     {"alignment", pa_i64_attr(at.context, 64)}));
  pa_take_failure(&l->at, &at);
  return made;
}

MlirValue pa_loop_buffer(pa_linalg *l, MlirType element, int slot, int64_t count) {
  for (size_t i = 0; i < l->buffer_count; ++i)
    if (l->buffers[i].slot == slot && mlirTypeEqual(l->buffers[i].element, element)) return l->buffers[i].memref;
  l->buffers = pa_arena_grow(l->arena, l->buffers, l->buffer_count, &l->buffer_capacity, sizeof *l->buffers);
  l->buffers[l->buffer_count] = (pa_buffer){element, slot, make_buffer(l, element, count)};
  return l->buffers[l->buffer_count++].memref;
}

MlirValue pa_loop_memref_cast(pa_linalg *l, MlirValue memref, MlirType type) {
  if (pa_failed(&l->at) || mlirTypeEqual(mlirValueGetType(memref), type)) return memref;
  return pa_value(&l->at, "memref.cast", PA_OPERANDS(memref), PA_RESULTS(type));
}

static void declare(pa_linalg *l, const char *name, MlirType result, const MlirValue *operands, int count) {
  MlirOperation module = mlirOperationGetParentOperation(l->function);
  if (pa_failed(&l->at) || !mlirOperationIsNull(pa_lookup(module, pa_ref(name)))) return;
  MlirType *types = PA_NEW_ARRAY(l->arena, MlirType, count + 1);
  for (int i = 0; i < count; ++i) types[i] = mlirValueGetType(operands[i]);
  pa_builder at = l->at;
  at.block = pa_module_body(module);
  at.before = (MlirOperation){NULL};
  MlirType type = mlirFunctionTypeGet(at.context, count, types, !mlirTypeIsNull(result), &result);
  pa_op(&at, PA_OP_NAME(FUNC), PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(at.context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"sym_visibility", pa_string_attr(at.context, "private")}));
  pa_take_failure(&l->at, &at);
}

MlirValue pa_loop_call(pa_linalg *l, const char *name, MlirType result, const MlirValue *operands, int count) {
  declare(l, name, result, operands, count);
  intptr_t results = !mlirTypeIsNull(result);
  MlirOperation call =
      pa_op(&l->at, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(operands, count), PA_RESULT_ARRAY(&result, results),
            PA_ATTRS({"callee", pa_symbol_attr(l->at.context, name)}));
  return results && !mlirOperationIsNull(call) ? mlirOperationGetResult(call, 0) : (MlirValue){NULL};
}

//===-- Scopes ------------------------------------------------------------------------------------===//

pa_inside pa_inside_open(pa_linalg *l, const MlirType *arguments, intptr_t count) {
  pa_inside inside = {.outer = l->at.block, .before = l->at.before};
  inside.region = pa_region(l->at.location, arguments, count, &inside.block);
  l->at.block = inside.block;
  l->at.before = (MlirOperation){NULL};
  return inside;
}

MlirRegion pa_inside_close(pa_linalg *l, pa_inside inside, const char *terminator, const MlirValue *values,
                           intptr_t count) {
  pa_op(&l->at, terminator, PA_OPERAND_ARRAY(values, count));
  l->at.block = inside.outer;
  l->at.before = inside.before;
  return inside.region;
}

pa_inside pa_when_open(pa_linalg *l) { return pa_inside_open(l, NULL, 0); }

void pa_when_close(pa_linalg *l, pa_inside inside, MlirValue condition) {
  MlirRegion then = pa_inside_close(l, inside, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&l->at, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition), PA_REGIONS(then, mlirRegionCreate()));
}

pa_inside pa_points_open(pa_linalg *l, MlirValue *out_index) {
  pa_inside inside = pa_inside_open(l, &l->index, 1);
  *out_index = mlirBlockGetArgument(inside.block, 0);
  return inside;
}

static MlirAttribute parallel_segments(pa_linalg *l, int rank) {
  int32_t segments[] = {rank, rank, rank, 0};
  return mlirDenseI32ArrayGet(l->at.context, 4, segments);
}

void pa_points_close(pa_linalg *l, pa_inside inside, MlirValue low, MlirValue high, bool strided) {
  MlirRegion region = pa_inside_close(l, inside, "scf.reduce", NULL, 0);
  pa_op(&l->at, PA_OP_NAME(SCF_PARALLEL), PA_OPERANDS(low, high, pa_loop_int(l, 1)), PA_REGIONS(region),
        PA_ATTRS({"operandSegmentSizes", parallel_segments(l, 1)},
                 {"pyarray.strided", strided ? pa_unit_attr(l->at.context) : mlirAttributeGetNull()}));
}

pa_inside pa_grid_open(pa_linalg *l, int rank, MlirValue *out_indices) {
  MlirType types[PA_MAX_LOOPS];
  for (int i = 0; i < rank; ++i) types[i] = l->index;
  pa_inside inside = pa_inside_open(l, types, rank);
  for (int i = 0; i < rank; ++i) out_indices[i] = mlirBlockGetArgument(inside.block, i);
  return inside;
}

void pa_grid_close(pa_linalg *l, pa_inside inside, const MlirValue *extents, int rank, const pa_attr *attributes,
                   int count) {
  MlirValue operands[3 * PA_MAX_LOOPS];
  pa_attr *all = PA_NEW_ARRAY(l->arena, pa_attr, count + 1);
  for (int i = 0; i < rank; ++i) {
    operands[i] = pa_loop_int(l, 0);
    operands[rank + i] = extents[i];
    operands[2 * rank + i] = pa_loop_int(l, 1);
  }
  for (int i = 0; i < count; ++i) all[i] = attributes[i];
  all[count] = (pa_attr){"operandSegmentSizes", parallel_segments(l, rank)};
  MlirRegion region = pa_inside_close(l, inside, "scf.reduce", NULL, 0);
  pa_op(&l->at, PA_OP_NAME(SCF_PARALLEL), PA_OPERAND_ARRAY(operands, 3 * rank), PA_REGIONS(region), .attrs = all,
        .attr_count = count + 1);
}

//===-- Rows --------------------------------------------------------------------------------------===//

bool pa_is_contiguous(MlirType type) {
  int64_t strides[PA_MAX_LOOPS], offset;
  return mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) &&
         strides[mlirShapedTypeGetRank(type) - 1] == 1;
}

static MlirType row_type(pa_linalg *l, MlirType memref, int64_t stride) {
  int64_t size = mlirShapedTypeGetDynamicSize();
  MlirAttribute layout = mlirStridedLayoutAttrGet(l->at.context, mlirShapedTypeGetDynamicStrideOrOffset(), 1, &stride);
  return mlirMemRefTypeGet(mlirShapedTypeGetElementType(memref), 1, &size, layout, mlirAttributeGetNull());
}

static MlirValue subview(pa_linalg *l, MlirValue memref, int rank, const MlirValue *offsets, int offset_count,
                         MlirValue size, MlirType type) {
  int64_t dynamic = mlirShapedTypeGetDynamicSize(), places[PA_MAX_LOOPS], sizes[PA_MAX_LOOPS], ones[PA_MAX_LOOPS];
  MlirValue operands[PA_MAX_LOOPS + 2] = {memref};
  for (int d = 0; d < rank; ++d) {
    places[d] = d < offset_count ? dynamic : 0;
    sizes[d] = d == rank - 1 ? dynamic : 1;
    ones[d] = 1;
    if (d < offset_count) operands[1 + d] = offsets[d];
  }
  operands[1 + offset_count] = size;
  int32_t segments[] = {1, offset_count, 1, 0};
  return pa_value(&l->at, "memref.subview", PA_OPERAND_ARRAY(operands, offset_count + 2), PA_RESULTS(type),
                  PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(l->at.context, rank, places)},
                           {"static_sizes", mlirDenseI64ArrayGet(l->at.context, rank, sizes)},
                           {"static_strides", mlirDenseI64ArrayGet(l->at.context, rank, ones)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(l->at.context, 4, segments)}));
}

// |memref| along its last axis, where the others are at |indices|.
static MlirValue row_view(pa_linalg *l, MlirValue memref, const MlirValue *indices, int rank, MlirType type) {
  if (rank == 1 || pa_failed(&l->at)) return memref;
  return subview(l, memref, rank, indices, rank - 1, pa_loop_extent(l, memref, rank - 1), type);
}

// memref.extract_strided_metadata: base, offset, sizes, strides. Null after a failure.
static MlirOperation parts_of(pa_linalg *l, MlirValue memref) {
  MlirType types[2 * PA_MAX_LOOPS + 2];
  if (pa_failed(&l->at)) return (MlirOperation){NULL};
  MlirType type = mlirValueGetType(memref);
  int count = 2 + 2 * (int)mlirShapedTypeGetRank(type);
  types[0] = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 0, NULL, mlirAttributeGetNull());
  for (int i = 1; i < count; ++i) types[i] = l->index;
  return pa_op(&l->at, "memref.extract_strided_metadata", PA_OPERANDS(memref), PA_RESULT_ARRAY(types, count));
}

void pa_loop_strides(pa_linalg *l, MlirValue memref, MlirValue *out) {
  MlirOperation parts = parts_of(l, memref);
  if (mlirOperationIsNull(parts)) return;
  int64_t rank = mlirShapedTypeGetRank(mlirValueGetType(memref));
  for (int64_t d = 0; d < rank; ++d) out[d] = mlirOperationGetResult(parts, 2 + rank + d);
}

MlirValue pa_loop_address(pa_linalg *l, MlirValue memref, int64_t bytes) {
  MlirOperation parts = parts_of(l, memref);
  if (mlirOperationIsNull(parts)) return (MlirValue){NULL};
  MlirValue base =
                pa_value(&l->at, "memref.extract_aligned_pointer_as_index", PA_OPERANDS(memref), PA_RESULTS(l->index)),
            offset = pa_loop_cast(l, mlirOperationGetResult(parts, 1), l->i64);
  offset = pa_loop_binary(l, "arith.muli", offset, pa_constant_int(&l->at, l->i64, bytes));
  return pa_loop_binary(l, "arith.addi", pa_loop_cast(l, base, l->i64), offset);
}

MlirValue pa_loop_strided(pa_linalg *l, MlirValue memref, const MlirValue *extents, const MlirValue *strides,
                          int rank) {
  int64_t sizes[PA_MAX_LOOPS], steps[PA_MAX_LOOPS], dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  MlirValue operands[2 * PA_MAX_LOOPS + 2];
  MlirOperation parts = parts_of(l, memref);
  if (mlirOperationIsNull(parts)) return memref;
  for (int i = 0; i < 2; ++i) operands[i] = mlirOperationGetResult(parts, i);
  for (int d = 0; d < rank; ++d) {
    sizes[d] = mlirShapedTypeGetDynamicSize();
    steps[d] = dynamic;
    operands[2 + d] = extents[d];
    operands[2 + rank + d] = strides[d];
  }
  int32_t segments[] = {1, 1, rank, rank};
  MlirType type =
      mlirMemRefTypeGet(mlirShapedTypeGetElementType(mlirValueGetType(memref)), rank, sizes,
                        mlirStridedLayoutAttrGet(l->at.context, dynamic, rank, steps), mlirAttributeGetNull());
  return pa_value(&l->at, "memref.reinterpret_cast", PA_OPERAND_ARRAY(operands, 2 + 2 * rank), PA_RESULTS(type),
                  PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(l->at.context, 1, &dynamic)},
                           {"static_sizes", mlirDenseI64ArrayGet(l->at.context, rank, sizes)},
                           {"static_strides", mlirDenseI64ArrayGet(l->at.context, rank, steps)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(l->at.context, 4, segments)}));
}

MlirValue pa_loop_memref_at(pa_linalg *l, MlirValue address, MlirValue like) {
  int64_t dynamic = mlirShapedTypeGetDynamicSize();
  if (pa_failed(&l->at)) return (MlirValue){NULL};
  MlirType pointer_type = mlirTypeParseGet(l->at.context, pa_ref("!llvm.ptr")),
           struct_type =
               mlirTypeParseGet(l->at.context, pa_ref("!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>"));
  MlirValue pointer = pa_value(&l->at, "llvm.inttoptr", PA_OPERANDS(address), PA_RESULTS(pointer_type)),
            descriptor = pa_value(&l->at, "llvm.mlir.poison", PA_RESULTS(struct_type));
  for (int64_t field = 0; field < 2; ++field)
    descriptor = pa_value(&l->at, "llvm.insertvalue", PA_OPERANDS(descriptor, pointer), PA_RESULTS(struct_type),
                          PA_ATTRS({"position", mlirDenseI64ArrayGet(l->at.context, 1, &field)}));
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(like));
  return pa_value(&l->at, "builtin.unrealized_conversion_cast", PA_OPERANDS(descriptor),
                  PA_RESULTS(mlirMemRefTypeContiguousGet(element, 1, &dynamic, mlirAttributeGetNull())));
}

// The row as if its stride were 1; and what it is.
static MlirValue unit_view(pa_linalg *l, MlirValue row, MlirValue *out_stride) {
  enum { BASE, OFFSET, SIZE, STRIDE };
  int64_t dynamic = mlirShapedTypeGetDynamicSize(), one = 1;
  int32_t segments[] = {1, 1, 1, 0};
  MlirOperation parts = parts_of(l, row);
  if (mlirOperationIsNull(parts)) return (MlirValue){NULL};
  *out_stride = mlirOperationGetResult(parts, STRIDE);
  return pa_value(&l->at, "memref.reinterpret_cast", PA_RESULTS(row_type(l, mlirValueGetType(row), 1)),
                  PA_OPERANDS(mlirOperationGetResult(parts, BASE), mlirOperationGetResult(parts, OFFSET),
                              mlirOperationGetResult(parts, SIZE)),
                  PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(l->at.context, 1, &dynamic)},
                           {"static_sizes", mlirDenseI64ArrayGet(l->at.context, 1, &dynamic)},
                           {"static_strides", mlirDenseI64ArrayGet(l->at.context, 1, &one)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(l->at.context, 4, segments)}));
}

static int64_t row_stride(MlirType type) {
  return pa_is_contiguous(type) ? 1 : mlirShapedTypeGetDynamicStrideOrOffset();
}

MlirValue pa_part_view(pa_linalg *l, MlirValue memref, MlirValue low, MlirValue count) {
  if (pa_failed(&l->at)) return memref;
  MlirType type = mlirValueGetType(memref);
  return subview(l, memref, 1, &low, 1, count, row_type(l, type, row_stride(type)));
}

pa_row pa_generic_row(pa_linalg *l, const pa_generic *g, int number) {
  pa_row row = {{NULL}, {NULL}, {NULL}, false};
  MlirValue memref = g->operands[number];
  if (pa_failed(&l->at)) return row;
  MlirType type = mlirValueGetType(memref);
  row.contiguous = pa_is_contiguous(type);
  MlirType one = row_type(l, type, row_stride(type));
  row.memref = pa_loop_memref_cast(l, row_view(l, memref, g->indices, g->rank, one), one);
  row.stride = pa_loop_int(l, 1);
  row.unit = row.contiguous ? row.memref : unit_view(l, row.memref, &row.stride);
  return row;
}
