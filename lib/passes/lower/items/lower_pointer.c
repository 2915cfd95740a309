// Of pyarray-lower: elements behind C pointers. As in C, indices are neither checked nor counted from an end.
//
//   %0 = pyarray.getitem %p[%i] : (!pyarray.pointer<f64>, si64) -> f64
// becomes
//   %1 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
//   %0 = llvm.load %1 {alignment = 8 : i64} : !llvm.ptr -> f64
#include "lower_items.h"
#include "lower_numbers.h"

typedef struct element_place {
  pa_scalar element;
  MlirType memory; // the element's type as the llvm dialect has it
  MlirValue address;
} element_place;

// A complex number is a struct in memory; everything else is what it is in arrays.
static MlirType memory_type(const pa_lowering *lower, pa_scalar element) {
  if (!pa_is_complex(element)) return pa_element_memory(lower, element);
  const char *text = element == PA_C64 ? "!llvm.struct<(f32, f32)>" : "!llvm.struct<(f64, f64)>";
  return mlirTypeParseGet(lower->context, pa_ref(text));
}

static int64_t natural_alignment(pa_scalar element) {
  return pa_scalar_bytes(element) / (pa_is_complex(element) ? 2 : 1);
}

// The element that a getitem or setitem names; its operands begin with pointer and index.
static element_place place_of(pa_lowering *lower, MlirOperation op) {
  MlirValue pointer = pa_operand(op, 0), index = pa_operand(op, 1);
  pa_scalar scalar = pa_scalar_of_value(index);
  element_place place = {.element = pa_scalar_of(pyarrayPointerTypeGetPointee(mlirValueGetType(pointer)))};
  if (place.element == PA_NOT_SCALAR || (scalar != PA_BOOL && !pa_is_integer(scalar))) {
    pa_lower_fail(lower, "%s cannot be indexed like this", pa_type_text(lower->arena, mlirValueGetType(pointer)));
    return place;
  }
  int32_t dynamic = INT32_MIN; // the index is an operand
  MlirValue base = pa_get1(lower, pointer);
  MlirValue position = pa_cast_scalar(lower, pa_get1(lower, index), scalar, pa_is_unsigned(scalar) ? PA_U64 : PA_I64);
  place.memory = memory_type(lower, place.element);
  place.address = pa_value(&lower->builder, "llvm.getelementptr", PA_OPERANDS(base, position),
                           PA_RESULTS(pa_type_or_none(lower, base)),
                           PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(lower->context, 1, &dynamic)},
                                    {"elem_type", mlirTypeAttrGet(place.memory)}));
  return place;
}

MlirValue pa_address_of(pa_lowering *lower, MlirValue value) {
  if (!pyarrayTypeIsPointer(mlirValueGetType(value))) return pa_int(lower, lower->i64, 0);
  return pa_convert(lower, "llvm.ptrtoint", pa_get1(lower, value), lower->i64);
}

MlirValue pa_load_number(pa_lowering *lower, MlirValue pointer, pa_scalar element, int64_t alignment) {
  MlirValue value =
      pa_value(&lower->builder, "llvm.load", PA_OPERANDS(pointer), PA_RESULTS(memory_type(lower, element)),
               PA_ATTRS({"alignment", pa_i64_attr(lower->context, alignment)}));
  if (element == PA_BOOL) value = pa_compare_int(lower, PA_NE, value, pa_int(lower, lower->i8, 0));
  if (!pa_is_complex(element)) return value;
  return pa_convert(lower, "builtin.unrealized_conversion_cast", value, pa_scalar_type(lower->context, element));
}

void pa_store_number(pa_lowering *lower, MlirValue pointer, pa_scalar element, int64_t alignment, MlirValue value) {
  if (element == PA_BOOL) value = pa_convert(lower, "arith.extui", value, lower->i8);
  if (pa_is_complex(element))
    value = pa_convert(lower, "builtin.unrealized_conversion_cast", value, memory_type(lower, element));
  pa_op(&lower->builder, "llvm.store", PA_OPERANDS(value, pointer),
        PA_ATTRS({"alignment", pa_i64_attr(lower->context, alignment)}));
}

void pa_lower_pointer_getitem(pa_lowering *lower, MlirOperation op) {
  element_place place = place_of(lower, op);
  if (pa_failed(&lower->builder)) return;
  pa_set1(lower, pa_result(op), pa_load_number(lower, place.address, place.element, natural_alignment(place.element)));
}

void pa_lower_pointer_setitem(pa_lowering *lower, MlirOperation op) {
  element_place place = place_of(lower, op);
  if (pa_failed(&lower->builder)) return;
  MlirValue given = pa_operand(op, 2);
  MlirValue value = pa_cast_scalar(lower, pa_get1(lower, given), pa_scalar_of_value(given), place.element);
  pa_store_number(lower, place.address, place.element, natural_alignment(place.element), value);
}
