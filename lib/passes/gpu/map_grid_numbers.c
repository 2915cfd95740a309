// Of pyarray-map-grid: inputs that may be one number for all points.
//
// One kernel serves contiguous arrays and numbers, so that a call with numbers compiles nothing new. In a function with
// pyarray.numbers, a number comes as a contiguous array whose first extent is 0: the bits are in place of the address,
// and those behind the first 64 in place of the first stride (python/ext/cuda/cuda_ufunc_points.c):
//
//   %x = memref.load %a[%i] : memref<?xf32, strided<[1], offset: ?>>
// becomes
//   %is_number = %extent == 0
//   %number = bits of %a
//   ... in the loop:
//   %x = scf.if %is_number { %number } else { memref.load %a[%i] } {pyarray.may_be_number}
#include "map_grid_internal.h"

enum { EQUAL = 0 }; // arith's predicate

//===-- Descriptors -------------------------------------------------------------------------------===//

// So that LLVM can follow its pointer back to a parameter.
MlirValue pa_descriptor(pa_mapping *m, pa_builder *at, MlirValue memref, intptr_t rank) {
  const char *text = pa_arena_format(m->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>",
                                     (int)rank, (int)rank);
  return pa_value(at, "builtin.unrealized_conversion_cast", PA_OPERANDS(memref),
                  PA_RESULTS(mlirTypeParseGet(m->context, pa_ref(text))));
}

MlirValue pa_descriptor_field(pa_mapping *m, pa_builder *at, MlirValue descriptor, int64_t first, int64_t second) {
  int64_t position[] = {first, second};
  if (pa_failed(at)) return descriptor;
  return pa_value(at, "llvm.extractvalue", PA_OPERANDS(descriptor), PA_RESULTS(first <= PA_ALIGNED ? m->ptr : m->i64),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(m->context, second < 0 ? 1 : 2, position)}));
}

//===-- The number --------------------------------------------------------------------------------===//

static int width_of(MlirType type) {
  if (mlirTypeIsAInteger(type)) return (int)mlirIntegerTypeGetWidth(type);
  return mlirTypeIsAFloat(type) ? (int)mlirFloatTypeGetWidth(type) : 0;
}

static MlirValue number_of_bits(pa_mapping *m, pa_builder *at, MlirValue bits, MlirType type) {
  int width = width_of(type);
  if (width < 64 && !pa_failed(at))
    bits = pa_value(at, "arith.trunci", PA_OPERANDS(bits), PA_RESULTS(mlirIntegerTypeGet(m->context, (unsigned)width)));
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

typedef struct number {
  MlirValue is_number, value;
} number;

static number find_number(pa_mapping *m, pa_builder *at, MlirValue memref, MlirType element, intptr_t rank) {
  MlirValue descriptor = pa_descriptor(m, at, memref, rank),
            extent = pa_descriptor_field(m, at, descriptor, PA_EXTENTS, 0);
  MlirValue low = pa_value(at, "llvm.ptrtoint", PA_OPERANDS(pa_descriptor_field(m, at, descriptor, PA_ALIGNED, -1)),
                           PA_RESULTS(m->i64));
  MlirValue value = element_of_bits(m, at, low, pa_descriptor_field(m, at, descriptor, PA_STRIDES, 0), element);
  return (number){pa_grid_compare(m, at, EQUAL, extent, pa_constant_int(at, m->i64, 0)), value};
}

MlirValue pa_grid_choice(pa_builder *at, MlirValue condition, MlirType type, MlirRegion then, pa_builder *then_at,
                         MlirValue first, MlirRegion otherwise, pa_builder *otherwise_at, MlirValue second) {
  pa_op(then_at, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(first));
  pa_op(otherwise_at, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(second));
  pa_take_failure(at, then_at);
  pa_take_failure(at, otherwise_at);
  return pa_value(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition), PA_RESULTS(type), PA_REGIONS(then, otherwise));
}

//===-- Loads -------------------------------------------------------------------------------------===//

static bool is_stored_to(MlirValue memref, MlirBlock body) {
  PA_FOR_EACH_OP(op, body)
  if (pa_op_is(op, "memref.store") && mlirValueEqual(mlirOperationGetOperand(op, 1), memref)) return true;
  return false;
}

static bool is_number_type(MlirType type) {
  return width_of(mlirTypeIsAComplex(type) ? mlirComplexTypeGetElementType(type) : type) > 0;
}

static bool is_contiguous(MlirType type) {
  int64_t strides[64], offset;
  if (!mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type))) return false;
  if (mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset))) return false;
  return strides[mlirShapedTypeGetRank(type) - 1] == 1;
}

// A load of the point's element of an operand.
static bool may_be_number(MlirOperation op, MlirBlock body) {
  intptr_t rank = mlirBlockGetNumArguments(body);
  if (!pa_op_is(op, "memref.load") || mlirOperationGetNumOperands(op) != 1 + rank) return false;
  MlirValue memref = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(memref);
  if (!is_contiguous(type) || !is_number_type(mlirShapedTypeGetElementType(type))) return false;
  for (intptr_t d = 0; d < rank; ++d)
    if (!mlirValueEqual(mlirOperationGetOperand(op, 1 + d), mlirBlockGetArgument(body, d))) return false;
  return mlirValueIsABlockArgument(memref) && !mlirBlockEqual(mlirBlockArgumentGetOwner(memref), body) &&
         !is_stored_to(memref, body);
}

static void replace_load(pa_mapping *m, pa_builder *at, MlirOperation load, MlirBlock body) {
  MlirType element = mlirValueGetType(mlirOperationGetResult(load, 0));
  number n = find_number(m, at, mlirOperationGetOperand(load, 0), element, mlirBlockGetNumArguments(body));
  pa_builder inside = *at, here, there;
  inside.block = body;
  inside.before = load;
  if (pa_failed(at)) return;
  MlirRegion then = pa_inner_region(&inside, NULL, 0, &here), otherwise = pa_inner_region(&inside, NULL, 0, &there);
  MlirOperation copy = mlirOperationClone(load);
  mlirBlockAppendOwnedOperation(there.block, copy);
  MlirValue chosen = pa_grid_choice(&inside, n.is_number, element, then, &here, n.value, otherwise, &there,
                                    mlirOperationGetResult(copy, 0));
  pa_take_failure(at, &inside);
  if (pa_failed(at)) return;
  pa_set_attr(mlirOpResultGetOwner(chosen), "pyarray.may_be_number", pa_unit_attr(m->context));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(load, 0), chosen);
  mlirOperationDestroy(load);
}

void pa_find_numbers(pa_mapping *m, pa_builder *at) {
  MlirBlock body = pa_body(m->parallel, 0);
  if (mlirAttributeIsNull(pa_get_attr(m->function, "pyarray.numbers"))) return;
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationIsNull(op) && !pa_failed(at);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (may_be_number(op, body)) replace_load(m, at, op, body);
  }
}

bool pa_read_choice(MlirOperation op, MlirOperation *out_load, MlirValue *out_is_number, MlirValue *out_value) {
  if (mlirAttributeIsNull(pa_get_attr(op, "pyarray.may_be_number"))) return false;
  *out_load = mlirBlockGetFirstOperation(pa_body(op, 1));
  *out_is_number = mlirOperationGetOperand(op, 0);
  *out_value = mlirOperationGetOperand(mlirBlockGetTerminator(pa_body(op, 0)), 0);
  return true;
}
