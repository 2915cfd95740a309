// Of pyarray-split-grid: copies of arrays that a loop reduces, one for each part.
//
// Enters, in the body of a loop with pyarray.threads, the work of pyarray.private:
//
//   %p = func.call @pyarray_private0(%counts) {pyarray.private = "add", pyarray.memory_site = 4 : i32} : (memref<...>)
//   -> memref<...>
//
// Leaves, around the launch and in the part:
//
//   %grain = call @pyarray_rt_private_grain(%n, %grain0, %bytes)       // of one part's copies
//   %memory = call @pyarray_rt_allocate(%parts * %bytes)               // one part alone works on the arrays themselves
//     %p = (memory of the part, in the shape of %counts); fill it with what changes nothing
//   scf.for %k = 0 to %parts { %counts[...] = %counts[...] + (copy %k)[...] }
#include "mlir-c/Dialect/LLVM.h"
#include "split_internal.h"

enum { PA_COPY_ALIGNMENT = 64, PA_MOST_DIMENSIONS = 32 };
enum { BLOCK, PARTS, BYTES, OFFSETS }; // ORDER of the values that a part captures

static MlirType i64_of(const pa_builder *at) { return mlirIntegerTypeGet(at->context, 64); }
static MlirType index_of(const pa_builder *at) { return mlirIndexTypeGet(at->context); }
static MlirValue number(pa_builder *at, int64_t value) { return pa_constant_int(at, i64_of(at), value); }

static MlirValue arithmetic(pa_builder *at, const char *name, MlirValue a, MlirValue b) {
  return pa_value(at, name, PA_OPERANDS(a, b), PA_RESULTS(pa_failed(at) ? i64_of(at) : mlirValueGetType(a)));
}

static MlirValue compare(pa_builder *at, int64_t predicate, MlirValue a, MlirValue b) {
  return pa_value(at, "arith.cmpi", PA_OPERANDS(a, b), PA_RESULTS(mlirIntegerTypeGet(at->context, 1)),
                  PA_ATTRS({"predicate", pa_i64_attr(at->context, predicate)}));
}

static MlirValue choose(pa_builder *at, MlirValue condition, MlirValue a, MlirValue b) {
  return pa_value(at, "arith.select", PA_OPERANDS(condition, a, b),
                  PA_RESULTS(pa_failed(at) ? i64_of(at) : mlirValueGetType(a)));
}

static MlirValue to_type(pa_builder *at, MlirValue value, MlirType type) {
  return pa_value(at, "arith.index_cast", PA_OPERANDS(value), PA_RESULTS(type));
}

//===-- Finding -----------------------------------------------------------------------------------===//

static pa_status add_copy(pa_splitting *s, MlirOperation call, pa_private_copies *copies) {
  const char *kind = pa_attr_text(s->arena, pa_get_attr(call, "pyarray.private"));
  bool fits = kind && mlirOperationGetNumOperands(call) == 1 && mlirOperationGetNumResults(call) == 1 &&
              pa_is_memory_site(pa_get_attr(call, "pyarray.memory_site"));
  MlirType type = fits ? mlirValueGetType(mlirOperationGetOperand(call, 0)) : (MlirType){NULL};
  fits = fits && mlirTypeIsAMemRef(type) && mlirTypeEqual(type, mlirValueGetType(mlirOperationGetResult(call, 0))) &&
         mlirShapedTypeGetRank(type) <= PA_MOST_DIMENSIONS && pa_is_reduction(kind, mlirShapedTypeGetElementType(type));
  if (!fits)
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(call),
                      "pyarray.private is a reduction of an array, with a pyarray.memory_site");
  copies->items = pa_arena_grow(s->arena, copies->items, copies->count, &copies->capacity, sizeof *copies->items);
  copies->items[copies->count++] =
      (pa_private_copy){.call = call, .array = mlirOperationGetOperand(call, 0), .kind = kind};
  return PA_OK;
}

pa_status pa_find_private(pa_splitting *s, MlirOperation loop, pa_private_copies *out_copies) {
  PA_FOR_EACH_OP(op, pa_body(loop, 0)) {
    if (pa_kind(&s->names, op) == PA_OP_FUNC_CALL && !mlirAttributeIsNull(pa_get_attr(op, "pyarray.private")))
      PA_TRY(add_copy(s, op, out_copies));
  }
  return PA_OK;
}

//===-- Copies ------------------------------------------------------------------------------------===//

static int64_t element_bytes(MlirType element) {
  if (mlirTypeIsAComplex(element)) return 2 * element_bytes(mlirComplexTypeGetElementType(element));
  if (mlirTypeIsAFloat(element)) return mlirFloatTypeGetWidth(element) / 8;
  return mlirIntegerTypeGetWidth(element) / 8;
}

// Base, offset, sizes, strides.
static MlirOperation metadata(pa_builder *at, MlirValue array) {
  if (pa_failed(at)) return (MlirOperation){NULL};
  MlirType type = mlirValueGetType(array), results[2 + 2 * PA_MOST_DIMENSIONS];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < 2 + 2 * rank; ++i) results[i] = index_of(at);
  results[0] = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 0, NULL, mlirAttributeGetNull());
  return pa_op(at, "memref.extract_strided_metadata", PA_OPERANDS(array), PA_RESULT_ARRAY(results, 2 + 2 * rank));
}

// What the copy of |array| takes, -1 if that is no int64.
static MlirValue bytes_of(pa_splitting *s, pa_builder *at, MlirValue array) {
  MlirOperation parts = metadata(at, array);
  if (mlirOperationIsNull(parts)) return (MlirValue){NULL};
  MlirType type = mlirValueGetType(array);
  MlirValue bytes = number(at, element_bytes(mlirShapedTypeGetElementType(type)));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    bytes = pa_call_integers(s, at, "pyarray_rt_checked_multiply",
                             (MlirValue[]){bytes, to_type(at, mlirOperationGetResult(parts, 2 + d), i64_of(at))}, 2);
  return bytes;
}

// The memref of one dimension at an address, made as the conversion to llvm would.
static MlirValue memory_at(pa_builder *at, MlirValue address, MlirType element) {
  static const int64_t positions[][2] = {{0}, {1}, {2}, {3, 0}, {4, 0}};
  int64_t extent = mlirShapedTypeGetDynamicSize();
  MlirType descriptor =
      mlirTypeParseGet(at->context, pa_ref("!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>"));
  MlirValue pointer =
      pa_value(at, "llvm.inttoptr", PA_OPERANDS(address), PA_RESULTS(mlirLLVMPointerTypeGet(at->context, 0)));
  MlirValue fields[] = {pointer, pointer, number(at, 0), number(at, 1), number(at, 1)};
  MlirValue value = pa_value(at, "llvm.mlir.poison", PA_RESULTS(descriptor));
  for (int i = 0; i < 5; ++i)
    value = pa_value(at, "llvm.insertvalue", PA_OPERANDS(value, fields[i]), PA_RESULTS(descriptor),
                     PA_ATTRS({"position", mlirDenseI64ArrayGet(at->context, i < 3 ? 1 : 2, positions[i])}));
  return pa_value(at, "builtin.unrealized_conversion_cast", PA_OPERANDS(value),
                  PA_RESULTS(mlirMemRefTypeContiguousGet(element, 1, &extent, mlirAttributeGetNull())));
}

static bool is_fortran(MlirType type) {
  int64_t strides[PA_MOST_DIMENSIONS], offset;
  intptr_t rank = mlirShapedTypeGetRank(type);
  return rank > 1 && !mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) &&
         strides[0] == 1 && strides[rank - 1] != 1;
}

// Memory at |address| in the shape and order of |array|, and of its type.
static MlirValue copy_at(pa_builder *at, MlirValue array, MlirValue address) {
  MlirOperation parts = metadata(at, array);
  if (mlirOperationIsNull(parts)) return (MlirValue){NULL};
  MlirType type = mlirValueGetType(array), element = mlirShapedTypeGetElementType(type);
  int32_t rank = (int32_t)mlirShapedTypeGetRank(type), segments[] = {1, 1, rank, rank};
  int64_t sizes[PA_MOST_DIMENSIONS], strides[PA_MOST_DIMENSIONS], offset = mlirShapedTypeGetDynamicStrideOrOffset();
  MlirValue operands[2 + 2 * PA_MOST_DIMENSIONS] = {memory_at(at, address, element),
                                                    pa_constant_int(at, index_of(at), 0)};
  MlirValue stride = pa_constant_int(at, index_of(at), 1);
  bool fortran = is_fortran(type);
  for (int32_t k = 0; k < rank; ++k) {
    int32_t d = fortran ? k : rank - 1 - k;
    sizes[d] = mlirShapedTypeGetDynamicSize(), strides[d] = mlirShapedTypeGetDynamicStrideOrOffset();
    operands[2 + d] = mlirOperationGetResult(parts, 2 + d);
    operands[2 + rank + d] = stride;
    stride = arithmetic(at, "arith.muli", stride, operands[2 + d]);
  }
  MlirType strided = mlirMemRefTypeGet(
      element, rank, sizes, mlirStridedLayoutAttrGet(at->context, offset, rank, strides), mlirAttributeGetNull());
  MlirValue copy =
      pa_value(at, "memref.reinterpret_cast", PA_OPERAND_ARRAY(operands, 2 + 2 * rank), PA_RESULTS(strided),
               PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(at->context, 1, &offset)},
                        {"static_sizes", mlirDenseI64ArrayGet(at->context, rank, sizes)},
                        {"static_strides", mlirDenseI64ArrayGet(at->context, rank, strides)},
                        {"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, 4, segments)}));
  if (mlirTypeEqual(strided, type)) return copy;
  return pa_value(at, "memref.cast", PA_OPERANDS(copy), PA_RESULTS(type));
}

// Of part |part|; |values| as a part has them.
static MlirValue copy_of_part(pa_builder *at, MlirValue array, const MlirValue *values, size_t i, MlirValue part) {
  MlirValue begin = arithmetic(at, "arith.addi", values[BLOCK], arithmetic(at, "arith.muli", part, values[BYTES]));
  return copy_at(at, array, arithmetic(at, "arith.addi", begin, values[OFFSETS + i]));
}

//===-- Elements ----------------------------------------------------------------------------------===//

static MlirValue load(pa_builder *at, MlirValue array, const MlirValue *indices, intptr_t rank) {
  MlirValue operands[1 + PA_MOST_DIMENSIONS] = {array};
  if (pa_failed(at)) return array;
  for (intptr_t d = 0; d < rank; ++d) operands[1 + d] = indices[d];
  return pa_value(at, "memref.load", PA_OPERAND_ARRAY(operands, 1 + rank),
                  PA_RESULTS(mlirShapedTypeGetElementType(mlirValueGetType(array))));
}

static void store(pa_builder *at, MlirValue value, MlirValue array, const MlirValue *indices, intptr_t rank) {
  MlirValue operands[2 + PA_MOST_DIMENSIONS] = {value, array};
  for (intptr_t d = 0; d < rank; ++d) operands[2 + d] = indices[d];
  pa_op(at, "memref.store", PA_OPERAND_ARRAY(operands, 2 + rank));
}

// For each element: into |copy| what changes nothing (|fill|), or |copy| combined with |array|, into |array|.
static void for_each_element(pa_builder *at, MlirOperation parts, MlirValue array, MlirValue copy, const char *kind,
                             bool fill, MlirValue *indices, intptr_t depth) {
  if (pa_failed(at)) return;
  MlirType type = mlirValueGetType(array), index = index_of(at), element = mlirShapedTypeGetElementType(type);
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (depth == rank) {
    MlirValue own = load(at, array, indices, rank);
    MlirValue value =
        fill ? pa_neutral(at, kind, element, own) : pa_combine(at, kind, element, own, load(at, copy, indices, rank));
    store(at, value, fill ? copy : array, indices, rank);
    return;
  }
  pa_builder inside;
  MlirRegion region = pa_inner_region(at, &index, 1, &inside);
  indices[depth] = mlirBlockGetArgument(inside.block, 0);
  for_each_element(&inside, parts, array, copy, kind, fill, indices, depth + 1);
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  MlirValue zero = pa_constant_int(at, index, 0), one = pa_constant_int(at, index, 1);
  pa_op(at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(zero, mlirOperationGetResult(parts, 2 + depth), one), PA_REGIONS(region));
}

static void visit_elements(pa_builder *at, MlirValue array, MlirValue copy, const char *kind, bool fill) {
  MlirValue indices[PA_MOST_DIMENSIONS];
  MlirOperation parts = metadata(at, array);
  if (!mlirOperationIsNull(parts)) for_each_element(at, parts, array, copy, kind, fill, indices, 0);
}

//===-- The loop ----------------------------------------------------------------------------------===//

MlirValue pa_private_grain(pa_splitting *s, pa_builder *at, pa_private_copies *copies, MlirValue count,
                           MlirValue grain) {
  if (!copies->count) return grain;
  MlirValue total = number(at, 0), signs = total;
  for (size_t i = 0; i < copies->count; ++i) {
    MlirValue bytes = bytes_of(s, at, copies->items[i].array);
    copies->items[i].offset = total;
    MlirValue lines = arithmetic(at, "arith.addi", bytes, number(at, PA_COPY_ALIGNMENT - 1));
    total = arithmetic(at, "arith.addi", total, arithmetic(at, "arith.andi", lines, number(at, -PA_COPY_ALIGNMENT)));
    signs = arithmetic(at, "arith.ori", signs, arithmetic(at, "arith.ori", bytes, total));
  }
  enum { SLT = 2 };
  copies->bytes = choose(at, compare(at, SLT, signs, number(at, 0)), number(at, -1), total);
  return pa_call_integers(s, at, "pyarray_rt_private_grain", (MlirValue[]){count, grain, copies->bytes}, 3);
}

void pa_allocate_private(pa_splitting *s, pa_builder *at, pa_private_copies *copies, MlirValue parts) {
  if (!copies->count) return;
  enum { SGT = 4 };
  MlirValue several = compare(at, SGT, parts, number(at, 1)), none = number(at, 0);
  copies->parts = choose(at, several, parts, none);
  MlirValue bytes = pa_call_integers(s, at, "pyarray_rt_checked_multiply",
                                     (MlirValue[]){copies->parts, choose(at, several, copies->bytes, none)}, 2);
  copies->memory = pa_allocate_parts(s, at, bytes, pa_get_attr(copies->items[0].call, "pyarray.memory_site"));
}

intptr_t pa_private_values(const pa_private_copies *copies, MlirValue *out_values) {
  if (!copies->count) return 0;
  out_values[BLOCK] = copies->memory.address;
  out_values[PARTS] = copies->parts;
  out_values[BYTES] = copies->bytes;
  for (size_t i = 0; i < copies->count; ++i) out_values[OFFSETS + i] = copies->items[i].offset;
  return OFFSETS + (intptr_t)copies->count;
}

static void erase_call(pa_splitting *s, MlirOperation call) {
  MlirOperation function = pa_lookup(s->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(call, "callee")));
  mlirOperationDestroy(call);
  if (!mlirOperationIsNull(function)) mlirOperationDestroy(function);
}

void pa_open_private(pa_splitting *s, pa_builder *at, pa_private_copies *copies, const MlirValue *values) {
  for (size_t i = 0; i < copies->count && !pa_failed(at); ++i) {
    MlirOperation call = copies->items[i].call;
    MlirValue array = mlirOperationGetOperand(call, 0), part = mlirBlockGetArgument(at->block, PA_CHUNK_PART);
    MlirValue copy = copy_of_part(at, array, values, i, part), alone = compare(at, 0, values[PARTS], number(at, 0));
    pa_builder inside;
    MlirRegion then = pa_inner_region(at, NULL, 0, &inside), otherwise;
    pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
    pa_take_failure(at, &inside);
    otherwise = pa_inner_region(at, NULL, 0, &inside);
    visit_elements(&inside, array, copy, copies->items[i].kind, true);
    pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
    pa_take_failure(at, &inside);
    pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(alone), PA_REGIONS(then, otherwise));
    MlirValue used = choose(at, alone, array, copy);
    if (pa_failed(at)) return;
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, 0), used);
    erase_call(s, call);
  }
}

void pa_combine_private(pa_splitting *s, pa_builder *at, pa_private_copies *copies) {
  if (!copies->count || pa_failed(at)) return;
  MlirType i64 = i64_of(at);
  MlirValue *values = PA_NEW_ARRAY(s->arena, MlirValue, OFFSETS + copies->count);
  pa_private_values(copies, values);
  pa_builder inside;
  MlirRegion region = pa_inner_region(at, &i64, 1, &inside);
  for (size_t i = 0; i < copies->count; ++i) {
    MlirValue array = copies->items[i].array;
    visit_elements(&inside, array, copy_of_part(&inside, array, values, i, mlirBlockGetArgument(inside.block, 0)),
                   copies->items[i].kind, false);
  }
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  MlirValue zero = number(at, 0), one = number(at, 1);
  pa_op(at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(zero, copies->parts, one), PA_REGIONS(region));
  pa_release_parts(s, at, copies->memory);
}
