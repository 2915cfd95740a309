// Types of subscripts, attributes, unpacking and iteration.
#include <string.h>

#include "typing_index.h"

//===-- Tuples ------------------------------------------------------------------------------------===//

static bool is_uniform(MlirType tuple) {
  for (intptr_t i = 1; i < mlirTupleTypeGetNumTypes(tuple); ++i)
    if (!mlirTypeEqual(mlirTupleTypeGetType(tuple, i), mlirTupleTypeGetType(tuple, 0))) return false;
  return mlirTupleTypeGetNumTypes(tuple) > 0;
}

static pa_status type_tuple_getitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                    pa_fact *out_result) {
  int64_t length = mlirTupleTypeGetNumTypes(object.type), index;
  if (count != 1 || mlirTypeIsNull(pa_index_type(typing, indices[0].type)))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s takes one integer index", pa_text_of_type(typing, object.type));
  if (pa_literal_int(indices[0], &index)) {
    if (index < -length || index >= length)
      return pa_typing_fail(typing, PA_CODE_TYPING, "tuple index %lld is out of range for %s", (long long)index,
                            pa_text_of_type(typing, object.type));
    return *out_result = pa_fact_of(mlirTupleTypeGetType(object.type, index < 0 ? index + length : index)), PA_OK;
  }
  if (is_uniform(object.type)) return *out_result = pa_fact_of(mlirTupleTypeGetType(object.type, 0)), PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING,
                        "%s, whose elements differ in type, needs an index that is known at compile time\n"
                        "hint: write the index as a literal, or unpack the tuple",
                        pa_text_of_type(typing, object.type));
}

//===-- C pointers --------------------------------------------------------------------------------===//

static pa_status type_pointer_getitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                      pa_fact *out_result) {
  MlirType pointee = pyarrayPointerTypeGetPointee(object.type);
  if (pyarrayTypeIsNone(pointee))
    return pa_typing_fail(
        typing, PA_CODE_TYPING,
        "%s cannot be indexed: the type of its elements is not known\nhint: use carray(pointer, shape, dtype)",
        pa_text_of_type(typing, object.type));
  if (count != 1 || mlirTypeIsNull(pa_index_type(typing, indices[0].type)))
    return pa_typing_fail(
        typing, PA_CODE_TYPING,
        "%s takes one integer index, not %s\nhint: use carray(pointer, shape) for slices and more dimensions",
        pa_text_of_type(typing, object.type), count == 1 ? pa_text_of_type(typing, indices[0].type) : "several");
  return *out_result = pa_fact_of(pointee), PA_OK;
}

static pa_status type_pointer_setitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                      pa_fact value, MlirType *out_value) {
  pa_fact element;
  PA_TRY(type_pointer_getitem(typing, object, indices, count, &element));
  *out_value = element.type;
  return pa_check_castable(typing, value.type, element.type, "item assignment");
}

//===-- Lists -------------------------------------------------------------------------------------===//

// An item, or a new list for a slice.
static pa_status type_list_getitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                   pa_fact *out_result) {
  if (count == 1 && pyarrayTypeIsDeque(object.type) && pyarrayTypeIsSlice(indices[0].type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "sequence index must be integer, not 'slice'");
  if (count == 1 && pyarrayTypeIsSlice(indices[0].type)) return *out_result = object, PA_OK;
  if (count == 1 && !mlirTypeIsNull(pa_index_type(typing, indices[0].type)))
    return *out_result = pa_container_item(typing, object, 0), PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING, "list indices must be integers or slices, not %s",
                        count == 1 ? pa_text_of_type(typing, indices[0].type) : "tuple");
}

static pa_status type_list_setitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                   pa_fact value, MlirType *out_value) {
  pa_fact place, joined;
  PA_TRY(type_list_getitem(typing, object, indices, count, &place));
  *out_value = value.type;
  if (pyarrayTypeIsSlice(indices[0].type)) {
    PA_TRY(pa_join_facts(typing, object, value, &joined));
    if (pyarrayTypeIsList(value.type) && !pa_is_bottom(joined)) return PA_OK;
    return pa_typing_fail(typing, PA_CODE_TYPING, "cannot assign %s to a slice of %s\nhint: make it a list: list(...)",
                          pa_text_of_type(typing, value.type), pa_text_of_type(typing, object.type));
  }
  PA_TRY(pa_container_put(typing, object, 0, value));
  place = pa_container_item(typing, object, 0);
  if (!pa_is_bottom(place)) *out_value = place.type;
  return PA_OK;
}

//===-- Dicts -------------------------------------------------------------------------------------===//

static pa_status type_dict_getitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                   pa_fact *out_result) {
  if (count != 1) return *out_result = (pa_fact){0}, PA_OK; // not known yet
  MlirType ignored;
  PA_TRY(pa_container_find(typing, object, indices[0], &ignored));
  return *out_result = pa_container_item(typing, object, 1), PA_OK;
}

static pa_status type_dict_setitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                   pa_fact value, MlirType *out_value) {
  PA_TRY(pa_container_put(typing, object, 0, count == 1 ? indices[0] : (pa_fact){0}));
  PA_TRY(pa_container_put(typing, object, 1, value));
  pa_fact place = pa_container_item(typing, object, 1);
  *out_value = pa_is_bottom(place) ? value.type : place.type;
  return PA_OK;
}

//===-- str and bytes -----------------------------------------------------------------------------===//

// An item of bytes is a number.
static pa_fact text_item(const pa_typing *typing, MlirType text) {
  return pa_fact_of(pyarrayTypeIsBytes(text) ? pa_scalar_type(typing->context, PA_I64) : text);
}

static pa_status type_text_getitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                   pa_fact *out_result) {
  if (count == 1 && pyarrayTypeIsSlice(indices[0].type)) return *out_result = pa_fact_of(object.type), PA_OK;
  if (count == 1 && !mlirTypeIsNull(pa_index_type(typing, indices[0].type)))
    return *out_result = text_item(typing, object.type), PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING, "%s indices must be integers%s, not %s",
                        pyarrayTypeIsStr(object.type) ? "string" : "byte",
                        pyarrayTypeIsStr(object.type) ? "" : " or slices",
                        count == 1 ? pa_text_of_type(typing, indices[0].type) : "tuple");
}

//===-- Subscripts --------------------------------------------------------------------------------===//

pa_status pa_type_getitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                          pa_fact *out_result) {
  if (pyarrayTypeIsPointer(object.type)) return type_pointer_getitem(typing, object, indices, count, out_result);
  if (pyarrayTypeIsArray(object.type)) return pa_type_array_getitem(typing, object, indices, count, out_result);
  if (mlirTypeIsATuple(object.type)) return type_tuple_getitem(typing, object, indices, count, out_result);
  if (pyarrayTypeIsList(object.type)) return type_list_getitem(typing, object, indices, count, out_result);
  if (pyarrayTypeIsDict(object.type)) return type_dict_getitem(typing, object, indices, count, out_result);
  if (pa_is_text(object.type)) return type_text_getitem(typing, object, indices, count, out_result);
  bool is_function =
      pyarrayTypeIsCallable(object.type) && !mlirAttributeIsAString(pyarrayCallableTypeGetName(object.type));
  return pa_typing_fail(typing, PA_CODE_TYPING, "a value of type %s cannot be indexed%s",
                        pa_text_of_type(typing, object.type),
                        is_function ? "\nhint: kernels are launched from Python, not by compiled functions" : "");
}

pa_status pa_need_writable(const pa_typing *typing, MlirType array) {
  bool items = pa_is_records(array) || pa_is_record(array);
  if (!pyarrayArrayTypeIsReadonly(items ? pyarrayTaggedTypeGetItem(array) : array)) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING,
                        "cannot store to %s%s\nhint: pass a writable array as an argument; globals are constants",
                        items ? "readonly " : "", pa_text_of_type(typing, array));
}

pa_status pa_type_setitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                          pa_fact value, MlirType *out_value) {
  if (pyarrayTypeIsPointer(object.type)) return type_pointer_setitem(typing, object, indices, count, value, out_value);
  if (pyarrayTypeIsList(object.type)) return type_list_setitem(typing, object, indices, count, value, out_value);
  if (pyarrayTypeIsDict(object.type)) return type_dict_setitem(typing, object, indices, count, value, out_value);
  if (!pyarrayTypeIsArray(object.type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "a value of type %s does not support item assignment",
                          pa_text_of_type(typing, object.type));
  PA_TRY(pa_need_writable(typing, object.type));
  pa_fact target;
  PA_TRY(pa_type_array_getitem(typing, object, indices, count, &target));
  MlirType element = pyarrayArrayTypeGetElement(object.type);
  if (pyarrayTypeIsArray(value.type)) {
    if (!pyarrayTypeIsArray(target.type) && pyarrayArrayTypeGetRank(value.type) > 0)
      return pa_typing_fail(typing, PA_CODE_TYPING, "cannot store %s to an element of %s\nhint: store an item of it",
                            pa_text_of_type(typing, value.type), pa_text_of_type(typing, object.type));
    *out_value = value.type;
    MlirType stored = pyarrayArrayTypeGetElement(value.type);
    if ((pa_is_time(stored) || pa_is_time(element)) && !mlirTypeEqual(stored, element))
      return pa_typing_fail(typing, PA_CODE_UNSUPPORTED,
                            "storing %s to elements of type %s is not compiled yet\nhint: loop over the elements",
                            pa_text_of_type(typing, value.type), pa_text_of_type(typing, element));
    return pa_check_castable(typing, stored, element, "item assignment");
  }
  *out_value = element;
  if (pyarrayTypeIsArray(target.type) &&
      (mlirTypeIsATuple(value.type) || pa_container_of(value.type) != PA_NO_CONTAINER ||
       pyarrayTypeIsTagged(value.type)))
    return pa_typing_fail(typing, PA_CODE_UNSUPPORTED,
                          "storing %s to a view of type %s is not compiled yet\nhint: loop over the elements",
                          pa_text_of_type(typing, value.type), pa_text_of_type(typing, target.type));
  return pa_check_castable(typing, value.type, element, "item assignment");
}

//===-- Attributes --------------------------------------------------------------------------------===//

static pa_fact int_literal(const pa_typing *typing, int64_t value) {
  MlirType type = pa_scalar_type(typing->context, PA_I64);
  return pa_fact_known(type, mlirIntegerAttrGet(type, value));
}

static pa_fact extents_tuple(const pa_typing *typing, intptr_t rank) {
  MlirType types[64];
  for (intptr_t i = 0; i < rank && i < 64; ++i) types[i] = pa_scalar_type(typing->context, PA_I64);
  return pa_fact_of(mlirTupleTypeGet(typing->context, rank, types));
}

static pa_fact transposed(const pa_typing *typing, MlirType array) {
  static const pyarray_layout mirrored[] = {PYARRAY_LAYOUT_F, PYARRAY_LAYOUT_C, PYARRAY_LAYOUT_A};
  return pa_fact_of(pa_array_type(typing->context, pyarrayArrayTypeGetRank(array), pyarrayArrayTypeGetElement(array),
                                  mirrored[pyarrayArrayTypeGetLayout(array)], pyarrayArrayTypeIsReadonly(array)));
}

// A null type: there is no such attribute.
static pa_fact array_attribute(const pa_typing *typing, MlirType array, const char *name) {
  intptr_t rank = pyarrayArrayTypeGetRank(array);
  MlirType element = pyarrayArrayTypeGetElement(array);
  if (strcmp(name, "shape") == 0 || strcmp(name, "strides") == 0) return extents_tuple(typing, rank);
  if (strcmp(name, "ndim") == 0) return int_literal(typing, rank);
  if (strcmp(name, "itemsize") == 0)
    return int_literal(typing, pa_is_time(element) ? 8 : pa_scalar_bytes(pa_scalar_of(element)));
  if (strcmp(name, "size") == 0 || strcmp(name, "nbytes") == 0)
    return pa_fact_of(pa_scalar_type(typing->context, PA_I64));
  if (strcmp(name, "T") == 0) return rank < 2 ? pa_fact_of(array) : transposed(typing, array);
  if (strcmp(name, "ctypes") == 0) return pa_array_ctypes(typing, array);
  if (strcmp(name, "dtype") == 0) return pa_dtype_fact(typing, element);
  return (pa_fact){0};
}

static pa_fact number_attribute(const pa_typing *typing, pa_scalar scalar, const char *name) {
  pa_scalar part = scalar == PA_C64 ? PA_F32 : scalar == PA_C128 ? PA_F64 : scalar == PA_BOOL ? PA_I64 : scalar;
  if (strcmp(name, "real") == 0 || strcmp(name, "imag") == 0) return pa_fact_of(pa_scalar_type(typing->context, part));
  pa_fact result = {0};
  return pa_scalar_attribute(typing, pa_scalar_type(typing->context, scalar), name, &result) ? result : (pa_fact){0};
}

// start, stop and step of a range or slice; None is a literal.
static pa_fact part_attribute(const pa_typing *typing, MlirType type, const char *name) {
  static const char *const names[] = {"start", "stop", "step"};
  for (int i = 0; i < 3; ++i) {
    if (strcmp(name, names[i]) != 0) continue;
    bool none = pyarrayTypeIsSlice(type) && pyarrayTypeIsNone(pyarraySliceTypeGetPart(type, i));
    return none ? pa_fact_known(pyarrayNoneTypeGet(typing->context), pa_unit_attr(typing->context))
                : pa_fact_of(pa_scalar_type(typing->context, PA_I64));
  }
  return (pa_fact){0};
}

pa_status pa_type_getattr(const pa_typing *typing, pa_fact object, const char *name, pa_fact *out_result) {
  pa_fact result = {0};
  if (pa_dtype_attribute(typing, object, name, out_result) ||
      pa_ctypes_attribute(typing, object.type, name, out_result))
    return PA_OK;
  if (pyarrayTypeIsArray(object.type))
    result = array_attribute(typing, object.type, name);
  else if (pyarrayTypeIsRange(object.type) || pyarrayTypeIsSlice(object.type))
    result = part_attribute(typing, object.type, name);
  else if (pa_scalar_of(object.type) != PA_NOT_SCALAR)
    result = number_attribute(typing, pa_scalar_of(object.type), name);
  else if (pyarrayTypeIsDeque(object.type) && strcmp(name, "maxlen") == 0)
    result = pa_fact_of(pyarrayOptionalTypeGet(pa_scalar_type(typing->context, PA_I64)));
  if (pyarrayTypeIsException(object.type))
    return pa_typing_fail(
        typing, PA_CODE_UNSUPPORTED,
        "the attribute '%s' of an exception is not compiled\nhint: args and __class__ are; catch classes of "
        "your own, one for each case, or keep what the handler needs in variables",
        name);
  if (pa_is_bottom(result))
    return pa_typing_fail(typing, PA_CODE_TYPING, "unknown attribute '%s' of type %s", name,
                          pa_text_of_type(typing, object.type));
  return *out_result = result, PA_OK;
}

//===-- Unpacking and iteration -------------------------------------------------------------------===//

pa_status pa_type_unpack(const pa_typing *typing, pa_fact operand, intptr_t count, pa_fact *out_results) {
  if (mlirTypeIsATuple(operand.type)) {
    intptr_t length = mlirTupleTypeGetNumTypes(operand.type);
    if (length != count)
      return pa_typing_fail(typing, PA_CODE_TYPING, "%s values to unpack: %s has %d, the targets are %d",
                            length < count ? "not enough" : "too many", pa_text_of_type(typing, operand.type),
                            (int)length, (int)count);
    for (intptr_t i = 0; i < count; ++i) out_results[i] = pa_fact_of(mlirTupleTypeGetType(operand.type, i));
    return PA_OK;
  }
  if (!pyarrayTypeIsArray(operand.type) && !pyarrayTypeIsList(operand.type) && !pa_is_text(operand.type) &&
      !pyarrayTypeIsGenerator(operand.type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "cannot unpack a value of type %s",
                          pa_text_of_type(typing, operand.type));
  pa_fact item;
  PA_TRY(pa_type_item(typing, operand, &item));
  for (intptr_t i = 0; i < count; ++i) out_results[i] = item;
  return PA_OK;
}

pa_status pa_type_item(const pa_typing *typing, pa_fact iterable, pa_fact *out_item) {
  MlirType type = iterable.type;
  if (pa_container_of(type) != PA_NO_CONTAINER) return *out_item = pa_container_item(typing, iterable, 0), PA_OK;
  if (pa_is_text(type)) return *out_item = text_item(typing, type), PA_OK;
  if (pyarrayTypeIsBytearray(type)) return *out_item = pa_fact_of(pa_scalar_type(typing->context, PA_I64)), PA_OK;
  if (pyarrayTypeIsGenerator(type))
    return *out_item = pyarrayTypeIsAny(pyarrayTypeGetItem(type)) ? (pa_fact){0} : pa_fact_of(pyarrayTypeGetItem(type)),
           PA_OK;
  if (pa_is_iterable_tag(type)) return pa_type_tagged_item(typing, iterable, out_item);
  if (pa_is_records(type) && pa_records_rank(type) > 0)
    return *out_item = pa_fact_of(pa_records_item(typing->context, type)), PA_OK;
  if (pa_is_memoryview(type) && pyarrayArrayTypeGetRank(pyarrayTaggedTypeGetItem(type)) == 1)
    return *out_item = pa_fact_of(pa_memoryview_item(type)), PA_OK;
  if (pyarrayTypeIsRange(type)) return *out_item = pa_fact_of(pa_scalar_type(typing->context, PA_I64)), PA_OK;
  if (mlirTypeIsATuple(type) && is_uniform(type)) return *out_item = pa_fact_of(mlirTupleTypeGetType(type, 0)), PA_OK;
  if (mlirTypeIsATuple(type))
    return pa_typing_fail(
        typing, PA_CODE_UNSUPPORTED,
        "iteration over %s, whose elements differ in type, is not compiled here\n"
        "hint: a for loop over the tuple itself is; where it has a break or return, over literal_unroll() of the tuple",
        pa_text_of_type(typing, type));
  if (pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) > 0) {
    pa_fact index = pa_fact_of(pa_scalar_type(typing->context, PA_I64));
    return pa_type_array_getitem(typing, iterable, &index, 1, out_item);
  }
  return pa_typing_fail(typing, PA_CODE_TYPING, "a value of type %s cannot be iterated over",
                        pa_text_of_type(typing, type));
}
