// Of pyarray-map-grid: inputs that may be one number for all points.
//
// One kernel serves contiguous arrays and numbers, so that a call with numbers compiles nothing new. In a function with pyarray.numbers, a
// number comes as a contiguous array whose first extent is 0: the bits are in place of the address, and those behind the first 64 in place
// of the first stride (python/ext/cuda_ufunc_points.c). One element for all points has strides 0. Which it is, is seen before the loop:
//
//   %x = memref.load %a[%i] : memref<?xf32, strided<[1], offset: ?>>
// becomes
//   %is_number = %extent == 0
//   %same = %is_number or %stride == 0
//   %value = scf.if %same { scf.if %is_number { bits of %a } else { %a[0] } } else { poison }
//   ... in the loop:
//   %x = scf.if %same { %value } else { memref.load %a[%i] } {pyarray.may_be_number}
#include "map_grid_internal.h"

enum { EQUAL = 0 }; // arith's predicate

//===-- Descriptors -------------------------------------------------------------------------------===//

// So that LLVM can follow its pointer back to a parameter.
MlirValue pa_descriptor(pa_mapping *m, pa_builder *at, MlirValue memref, intptr_t rank) {
  const char *text = pa_arena_format(m->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", (int)rank, (int)rank);
  return pa_value(at, "builtin.unrealized_conversion_cast", PA_OPERANDS(memref), PA_RESULTS(mlirTypeParseGet(m->context, pa_ref(text))));
}

MlirValue pa_descriptor_field(pa_mapping *m, pa_builder *at, MlirValue descriptor, int64_t first, int64_t second) {
  int64_t position[] = {first, second};
  if (pa_failed(at)) return descriptor;
  return pa_value(at, "llvm.extractvalue", PA_OPERANDS(descriptor), PA_RESULTS(first <= PA_ALIGNED ? m->ptr : m->i64),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(m->context, second < 0 ? 1 : 2, position)}));
}

//===-- The number --------------------------------------------------------------------------------===//

static int width_of(MlirType type) { return mlirTypeIsAInteger(type) ? (int)mlirIntegerTypeGetWidth(type) : mlirTypeIsAFloat(type) ? (int)mlirFloatTypeGetWidth(type) : 0; }

static MlirValue number_of_bits(pa_mapping *m, pa_builder *at, MlirValue bits, MlirType type) {
  int width = width_of(type);
  if (width < 64 && !pa_failed(at)) bits = pa_value(at, "arith.trunci", PA_OPERANDS(bits), PA_RESULTS(mlirIntegerTypeGet(m->context, (unsigned)width)));
  if (mlirTypeIsAInteger(type) || pa_failed(at)) return bits;
  return pa_value(at, "arith.bitcast", PA_OPERANDS(bits), PA_RESULTS(type));
}

static MlirValue element_of_bits(pa_mapping *m, pa_builder *at, MlirValue low, MlirValue high, MlirType element) {
  if (!mlirTypeIsAComplex(element)) return number_of_bits(m, at, low, element);
  MlirType part = mlirComplexTypeGetElementType(element);
  if (width_of(part) < 64) high = pa_grid_binary(at, "arith.shrui", low, pa_constant_int(at, m->i64, width_of(part)));
  MlirValue real = number_of_bits(m, at, low, part), imag = number_of_bits(m, at, high, part);
  return pa_value(at, "complex.create", PA_OPERANDS(real, imag), PA_RESULTS(element));
}

MlirValue pa_grid_choice(pa_builder *at, MlirValue condition, MlirType type, MlirRegion then, pa_builder *then_at, MlirValue first,
                         MlirRegion otherwise, pa_builder *otherwise_at, MlirValue second) {
  pa_op(then_at, "scf.yield", PA_OPERANDS(first));
  pa_op(otherwise_at, "scf.yield", PA_OPERANDS(second));
  pa_take_failure(at, then_at);
  pa_take_failure(at, otherwise_at);
  return pa_value(at, "scf.if", PA_OPERANDS(condition), PA_RESULTS(type), PA_REGIONS(then, otherwise));
}

typedef struct number {
  MlirValue memref, descriptor, is_number, same;
  MlirType element;
  intptr_t rank;
} number;

static MlirValue first_element(pa_mapping *m, pa_builder *at, const number *n) {
  MlirValue *zeros = PA_NEW_ARRAY(m->arena, MlirValue, n->rank + 1);
  zeros[0] = n->memref;
  for (intptr_t d = 0; d < n->rank; ++d) zeros[1 + d] = pa_constant_int(at, m->index, 0);
  return pa_value(at, "memref.load", PA_OPERAND_ARRAY(zeros, n->rank + 1), PA_RESULTS(n->element));
}

static MlirValue bits_or_element(pa_mapping *m, pa_builder *at, const number *n) {
  pa_builder here, there;
  MlirRegion then = pa_inner_region(at, NULL, 0, &here), otherwise = pa_inner_region(at, NULL, 0, &there);
  MlirValue low = pa_value(&here, "llvm.ptrtoint", PA_OPERANDS(pa_descriptor_field(m, &here, n->descriptor, PA_ALIGNED, -1)), PA_RESULTS(m->i64));
  MlirValue bits = element_of_bits(m, &here, low, pa_descriptor_field(m, &here, n->descriptor, PA_STRIDES, 0), n->element);
  return pa_grid_choice(at, n->is_number, n->element, then, &here, bits, otherwise, &there, first_element(m, &there, n));
}

static void find_kind(pa_mapping *m, pa_builder *at, number *n) {
  n->descriptor = pa_descriptor(m, at, n->memref, n->rank);
  MlirValue zero = pa_constant_int(at, m->i64, 0), steps = pa_descriptor_field(m, at, n->descriptor, PA_STRIDES, 0);
  n->is_number = pa_grid_compare(m, at, EQUAL, pa_descriptor_field(m, at, n->descriptor, PA_EXTENTS, 0), zero);
  for (intptr_t d = 1; d < n->rank; ++d) steps = pa_grid_binary(at, "arith.ori", steps, pa_descriptor_field(m, at, n->descriptor, PA_STRIDES, d));
  MlirValue still = pa_grid_compare(m, at, EQUAL, steps, zero);
  n->same = pa_grid_binary(at, "arith.ori", n->is_number, still);
}

static MlirValue no_element(pa_builder *at, MlirType element) {
  if (!mlirTypeIsAComplex(element)) return pa_value(at, "llvm.mlir.poison", PA_RESULTS(element));
  MlirValue part = pa_value(at, "llvm.mlir.poison", PA_RESULTS(mlirComplexTypeGetElementType(element)));
  return pa_value(at, "complex.create", PA_OPERANDS(part, part), PA_RESULTS(element));
}

static MlirValue value_before_loop(pa_mapping *m, pa_builder *at, const number *n) {
  pa_builder here, there;
  if (pa_failed(at)) return n->same;
  MlirRegion then = pa_inner_region(at, NULL, 0, &here), otherwise = pa_inner_region(at, NULL, 0, &there);
  MlirValue value = bits_or_element(m, &here, n);
  return pa_grid_choice(at, n->same, n->element, then, &here, value, otherwise, &there, no_element(&there, n->element));
}

//===-- Loads -------------------------------------------------------------------------------------===//

static bool is_named(MlirOperation op, const char *name) { return pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), name); }

static bool is_stored_to(MlirValue memref, MlirBlock body) {
  PA_FOR_EACH_OP(op, body)
    if (is_named(op, "memref.store") && mlirValueEqual(mlirOperationGetOperand(op, 1), memref)) return true;
  return false;
}

static bool is_number_type(MlirType type) { return width_of(mlirTypeIsAComplex(type) ? mlirComplexTypeGetElementType(type) : type) > 0; }

static bool is_contiguous(MlirType type) {
  int64_t strides[64], offset;
  if (!mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)) || mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset))) return false;
  return strides[mlirShapedTypeGetRank(type) - 1] == 1;
}

// A load of the point's element of an operand.
static bool may_be_number(MlirOperation op, MlirBlock body) {
  intptr_t rank = mlirBlockGetNumArguments(body);
  if (!is_named(op, "memref.load") || mlirOperationGetNumOperands(op) != 1 + rank) return false;
  MlirValue memref = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(memref);
  if (!is_contiguous(type) || !is_number_type(mlirShapedTypeGetElementType(type))) return false;
  for (intptr_t d = 0; d < rank; ++d)
    if (!mlirValueEqual(mlirOperationGetOperand(op, 1 + d), mlirBlockGetArgument(body, d))) return false;
  return mlirValueIsABlockArgument(memref) && !mlirBlockEqual(mlirBlockArgumentGetOwner(memref), body) && !is_stored_to(memref, body);
}

static void replace_load(pa_mapping *m, pa_builder *at, MlirOperation load, MlirBlock body) {
  number n = {.memref = mlirOperationGetOperand(load, 0), .element = mlirValueGetType(mlirOperationGetResult(load, 0)), .rank = mlirBlockGetNumArguments(body)};
  find_kind(m, at, &n);
  MlirValue value = value_before_loop(m, at, &n);
  pa_builder inside = *at, here, there;
  inside.block = body;
  inside.before = load;
  if (pa_failed(at)) return;
  MlirRegion then = pa_inner_region(&inside, NULL, 0, &here), otherwise = pa_inner_region(&inside, NULL, 0, &there);
  MlirOperation copy = mlirOperationClone(load);
  mlirBlockAppendOwnedOperation(there.block, copy);
  MlirValue chosen = pa_grid_choice(&inside, n.same, n.element, then, &here, value, otherwise, &there, mlirOperationGetResult(copy, 0));
  pa_take_failure(at, &inside);
  if (pa_failed(at)) return;
  pa_set_attr(mlirOpResultGetOwner(chosen), "pyarray.may_be_number", pa_unit_attr(m->context));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(load, 0), chosen);
  mlirOperationDestroy(load);
}

void pa_find_numbers(pa_mapping *m, pa_builder *at) {
  MlirBlock body = pa_body(m->parallel, 0);
  if (mlirAttributeIsNull(pa_get_attr(m->function, "pyarray.numbers"))) return;
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationIsNull(op) && !pa_failed(at); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (may_be_number(op, body)) replace_load(m, at, op, body);
  }
}

bool pa_read_choice(MlirOperation op, MlirOperation *out_load, MlirValue *out_same, MlirValue *out_value) {
  if (mlirAttributeIsNull(pa_get_attr(op, "pyarray.may_be_number"))) return false;
  *out_load = mlirBlockGetFirstOperation(pa_body(op, 1));
  *out_same = mlirOperationGetOperand(op, 0);
  *out_value = mlirOperationGetOperand(mlirBlockGetTerminator(pa_body(op, 0)), 0);
  return true;
}
