// Of pyarray-lower: arrays: their memory, attributes, and frozen arrays. Elements and views are in lower_subscript.c.
#include <string.h>

#include "lower_arrays.h"

//===-- Helpers -----------------------------------------------------------------------------------===//

pa_array pa_array_of(pa_lowering *lower, MlirValue value) {
  pa_values values = pa_get(lower, value);
  MlirType type = mlirValueGetType(value);
  return (pa_array){.type = type,
                    .element = pa_scalar_of(pyarrayArrayTypeGetElement(type)),
                    .rank = (int)pyarrayArrayTypeGetRank(type),
                    .memref = values.items[0],
                    .owner = values.items[1]};
}

static int64_t static_extent(const pa_array *array, int axis) { return pyarrayArrayTypeGetExtent(array->type, axis); }
static bool is_static(int64_t extent) { return extent != mlirShapedTypeGetDynamicSize(); }

MlirValue pa_extent(pa_lowering *lower, const pa_array *array, int axis) {
  int64_t known = static_extent(array, axis);
  if (is_static(known)) return pa_int(lower, lower->i64, known);
  MlirValue position = pa_int(lower, lower->index, axis);
  return pa_to_i64(
      lower, pa_value(&lower->builder, "memref.dim", PA_OPERANDS(array->memref, position), PA_RESULTS(lower->index)));
}

MlirValue pa_load(pa_lowering *lower, const pa_array *array, const MlirValue *indices) {
  MlirValue operands[PA_MAX_RANK + 1] = {array->memref};
  memcpy(operands + 1, indices, (size_t)array->rank * sizeof *indices);
  MlirValue loaded = pa_value(&lower->builder, "memref.load", PA_OPERAND_ARRAY(operands, array->rank + 1),
                              PA_RESULTS(pa_element_memory(lower, array->element)));
  if (array->element != PA_BOOL) return loaded;
  return pa_compare_int(lower, PA_NE, loaded, pa_int(lower, lower->i8, 0));
}

void pa_store(pa_lowering *lower, const pa_array *array, const MlirValue *indices, MlirValue value) {
  MlirValue operands[PA_MAX_RANK + 2] = {value, array->memref};
  if (array->element == PA_BOOL) operands[0] = pa_convert(lower, "arith.extui", value, lower->i8);
  memcpy(operands + 2, indices, (size_t)array->rank * sizeof *indices);
  pa_op(&lower->builder, "memref.store", PA_OPERAND_ARRAY(operands, array->rank + 2));
}

//===-- Attributes --------------------------------------------------------------------------------===//

static MlirValue size_of(pa_lowering *lower, const pa_array *array) {
  MlirValue size = pa_int(lower, lower->i64, 1);
  for (int axis = 0; axis < array->rank; ++axis) {
    MlirValue extent = pa_extent(lower, array, axis);
    size = axis ? pa_binary(lower, "arith.muli", size, extent) : extent;
  }
  return size;
}

static void strides_of(pa_lowering *lower, const pa_array *array, MlirValue *out) {
  MlirType results[2 * PA_MAX_RANK + 2];
  results[0] = mlirMemRefTypeContiguousGet(pa_element_memory(lower, array->element), 0, NULL, mlirAttributeGetNull());
  for (int i = 1; i < 2 * array->rank + 2; ++i) results[i] = lower->index;
  MlirOperation op = pa_op(&lower->builder, "memref.extract_strided_metadata", PA_OPERANDS(array->memref),
                           PA_RESULT_ARRAY(results, 2 * array->rank + 2));
  if (mlirOperationIsNull(op)) return;
  MlirValue bytes = pa_int(lower, lower->i64, pa_scalar_bytes(array->element));
  for (int axis = 0; axis < array->rank; ++axis) {
    MlirValue stride = pa_to_i64(lower, mlirOperationGetResult(op, 2 + array->rank + axis));
    out[axis] = pa_binary(lower, "arith.muli", stride, bytes);
  }
}

static MlirValue transposed(pa_lowering *lower, const pa_array *array, MlirType result) {
  if (array->rank < 2) return array->memref;
  unsigned permutation[PA_MAX_RANK];
  for (int axis = 0; axis < array->rank; ++axis) permutation[axis] = (unsigned)(array->rank - 1 - axis);
  MlirAffineMap map = mlirAffineMapPermutationGet(lower->context, array->rank, permutation);
  return pa_value(&lower->builder, "memref.transpose", PA_OPERANDS(array->memref),
                  PA_RESULTS(pa_lower_array_type(lower, result)), PA_ATTRS({"permutation", mlirAffineMapAttrGet(map)}));
}

void pa_lower_array_attribute(pa_lowering *lower, MlirOperation op, MlirStringRef name) {
  pa_array array = pa_array_of(lower, pa_operand(op, 0));
  MlirValue values[PA_MAX_RANK + 1];
  int count = 1, itemsize = pa_scalar_bytes(array.element);
  if (pa_ref_equal(name, "shape")) {
    for (count = 0; count < array.rank; ++count) values[count] = pa_extent(lower, &array, count);
  } else if (pa_ref_equal(name, "strides")) {
    strides_of(lower, &array, values);
    count = pa_failed(&lower->builder) ? 0 : array.rank;
  } else if (pa_ref_equal(name, "ndim")) {
    values[0] = pa_int(lower, lower->i64, array.rank);
  } else if (pa_ref_equal(name, "itemsize")) {
    values[0] = pa_int(lower, lower->i64, itemsize);
  } else if (pa_ref_equal(name, "size")) {
    values[0] = size_of(lower, &array);
  } else if (pa_ref_equal(name, "nbytes")) {
    values[0] = pa_binary(lower, "arith.muli", size_of(lower, &array), pa_int(lower, lower->i64, itemsize));
  } else if (pa_ref_equal(name, "T")) {
    values[0] = transposed(lower, &array, mlirValueGetType(pa_result(op)));
    values[1] = array.owner;
    count = 2;
  } else if (pyarrayTypeIsCallable(mlirValueGetType(pa_result(op)))) {
    count = 0; // dtype
  } else {
    pa_lower_fail(lower, "arrays have no attribute %.*s here", (int)name.length, name.data);
    return;
  }
  pa_set(lower, pa_result(op), values, count);
}

//===-- Frozen arrays -----------------------------------------------------------------------------===//

// The elements with signless integers, bools as i8.
static MlirAttribute memory_elements(pa_lowering *lower, MlirAttribute value, pa_scalar element, MlirType type) {
  int64_t count = mlirElementsAttrGetNumElements(value);
  if (element == PA_BOOL) {
    int8_t *bytes = PA_NEW_ARRAY(lower->arena, int8_t, count + 1);
    for (int64_t i = 0; i < count; ++i) bytes[i] = mlirDenseElementsAttrGetBoolValue(value, (intptr_t)i);
    return mlirDenseElementsAttrInt8Get(type, (intptr_t)count, bytes);
  }
  const char *raw = mlirDenseElementsAttrGetRawData(value);
  size_t item = (size_t)pa_scalar_bytes(element), size = (size_t)count * item;
  char *bytes = PA_NEW_ARRAY(lower->arena, char, size + 16);
  bool splat = mlirDenseElementsAttrIsSplat(value);
  for (int64_t i = 0; i < count; ++i) memcpy(bytes + (size_t)i * item, raw + (splat ? 0 : (size_t)i * item), item);
  return mlirDenseElementsAttrRawBufferGet(type, size, bytes);
}

// The name of a new private memref.global.
static const char *define_global(pa_lowering *lower, MlirOperation op, MlirType memref, MlirAttribute elements) {
  static const char format[] = "pyarray.frozen_%d";
  const char *name = "";
  for (int i = 0; i == 0 || !mlirOperationIsNull(pa_lookup(lower->module, pa_ref(name))); ++i)
    name = pa_arena_format(lower->arena, format, i);
  pa_builder builder = lower->builder;
  builder.block = pa_module_body(lower->module);
  builder.location = mlirOperationGetLocation(op);
  pa_op(&builder, "memref.global",
        PA_ATTRS({"sym_name", pa_text(lower, name)}, {"sym_visibility", pa_text(lower, "private")},
                 {"type", mlirTypeAttrGet(memref)}, {"initial_value", elements},
                 {"alignment", pa_i64_attr(lower->context, 16)}, // bytes may be those of records
                 {"constant", pa_unit_attr(lower->context)}));
  lower->builder.failure = builder.failure;
  return name;
}

void pa_lower_frozen_array(pa_lowering *lower, MlirOperation op) {
  MlirAttribute value = pa_get_attr(op, "value");
  MlirType shaped = mlirAttributeGetType(value), array = mlirValueGetType(pa_result(op));
  pa_scalar element = pa_scalar_of(pyarrayArrayTypeGetElement(array));
  intptr_t rank = mlirShapedTypeGetRank(shaped);
  if (rank > PA_MAX_RANK || !mlirAttributeIsADenseElements(value) || element == PA_NOT_SCALAR) {
    pa_lower_fail(lower, "this frozen array cannot be lowered");
    return;
  }
  int64_t shape[PA_MAX_RANK];
  for (intptr_t i = 0; i < rank; ++i) shape[i] = mlirShapedTypeGetDimSize(shaped, i);
  MlirType item = pa_element_memory(lower, element);
  MlirType memref = mlirMemRefTypeContiguousGet(item, rank, shape, mlirAttributeGetNull());
  MlirType tensor = mlirRankedTensorTypeGet(rank, shape, item, mlirAttributeGetNull());
  const char *name = define_global(lower, op, memref, memory_elements(lower, value, element, tensor));
  MlirValue global = pa_value(&lower->builder, "memref.get_global", PA_RESULTS(memref),
                              PA_ATTRS({"name", pa_symbol_attr(lower->context, name)}));
  MlirValue values[] = {pa_cast_memref(lower, global, pa_lower_array_type(lower, array)), pa_int(lower, lower->i64, 0)};
  pa_set(lower, pa_result(op), values, 2);
}

MlirValue pa_stride_of(pa_lowering *lower, const pa_array *array, int axis) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  return mlirOperationIsNull(parts) ? (MlirValue){NULL} : mlirOperationGetResult(parts, 2 + array->rank + axis);
}

// The address of an element as a pointer that LLVM can follow back to its array, which an integer is not.
MlirValue pa_element_address(pa_lowering *lower, const pa_array *array, const MlirValue *positions) {
  MlirType pointer = mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  MlirValue descriptor = pa_memref_descriptor(lower, array);
  MlirValue base = pa_memref_field(lower, descriptor, pointer, 1, -1);
  MlirValue index = pa_memref_field(lower, descriptor, lower->i64, 2, -1);
  for (int axis = 0; axis < array->rank; ++axis) {
    MlirValue stride = pa_memref_field(lower, descriptor, lower->i64, 4, axis);
    index = pa_binary(lower, "arith.addi", index, pa_binary(lower, "arith.muli", positions[axis], stride));
  }
  int32_t dynamic = INT32_MIN;
  MlirType element = pa_element_memory(lower, array->element);
  if (pa_is_complex(array->element)) { // which LLVM has not: two numbers
    element = mlirComplexTypeGetElementType(element);
    index = pa_binary(lower, "arith.addi", index, index);
  }
  return pa_value(&lower->builder, "llvm.getelementptr", PA_OPERANDS(base, index), PA_RESULTS(pointer),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(lower->context, 1, &dynamic)},
                           {"elem_type", mlirTypeAttrGet(element)}));
}

void pa_lower_item(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array = pa_array_of(lower, pa_operand(call->op, 0));
  MlirValue indices[PA_MAX_RANK], bad = pa_int(lower, lower->i1, 0);
  for (int axis = 0; axis < array.rank; ++axis) {
    indices[axis] = pa_int(lower, lower->index, 0);
    bad = pa_or(lower, bad, pa_compare_int(lower, PA_NE, pa_extent(lower, &array, axis), pa_int(lower, lower->i64, 1)));
  }
  if (array.rank) pa_raise_if(lower, bad, "ValueError", "can only convert an array of size 1 to a Python scalar");
  pa_finish(lower, call, pa_read_element(lower, &array, indices));
}
