// Types of arrays that are made: new ones, copies, and the memory at C pointers.
#include <string.h>

#include "typing_rules.h"

//===-- Arrays ------------------------------------------------------------------------------------===//

static bool has_dtype(const pa_rule_call *call, int i) {
  return pa_rule_given(call, i) && !pyarrayTypeIsNone(call->arguments[i].type);
}

// Argument |i| is a shape.
static pa_status add_extents(pa_rule_call *call, int i, intptr_t *out_rank) {
  MlirType shape = call->arguments[i].type, extent = pa_rule_scalar_type(call, PA_I64);
  if (!mlirTypeIsATuple(shape)) {
    PA_TRY(pa_rule_need_integer(call, i));
    pa_rule_add_argument(call, i, extent);
    return *out_rank = 1, PA_OK;
  }
  *out_rank = mlirTupleTypeGetNumTypes(shape);
  if (*out_rank > 32)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "maximum supported dimension for an array is 32");
  for (intptr_t axis = 0; axis < *out_rank; ++axis) {
    pa_scalar scalar = pa_scalar_of(mlirTupleTypeGetType(shape, axis));
    if (scalar != PA_BOOL && !pa_is_integer(scalar))
      return pa_rule_wrong_type(call, i, "an integer or a tuple of integers");
    pa_rule_add_operand(call, i, (int)axis, (MlirAttribute){NULL}, extent);
  }
  return PA_OK;
}

static bool is_full(const pa_rule_call *call) { return strcmp(call->builtin->target, "full") == 0; }

// np.full's fill value decides the dtype when none is given.
static pa_status array_element(pa_rule_call *call, MlirType otherwise, MlirType *out_element) {
  int dtype = is_full(call) ? 2 : 1;
  *out_element = otherwise;
  if (has_dtype(call, dtype)) PA_TRY(pa_dtype_argument(call, dtype, out_element));
  return is_full(call) ? pa_check_castable(call->typing, call->arguments[1].type, *out_element, call->builtin->name)
                       : PA_OK;
}

static pa_status need_fill_value(const pa_rule_call *call) {
  return is_full(call) && !pa_is_time(call->arguments[1].type) ? pa_rule_need_number(call, 1) : PA_OK;
}

pa_status pa_finish_records(pa_rule_call *call, intptr_t rank, const char *code) {
  MlirType result = pa_records_type(call->typing->context, code, rank, PYARRAY_LAYOUT_C, false);
  if (mlirTypeIsNull(result))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "maximum supported dimension for an array of records is 31");
  return pa_rule_finish(call, result);
}

// Of records: their bytes are one more axis, whose extent follows those of the array; there is no value to fill them
// with but zero.
static pa_status finish_records(pa_rule_call *call, intptr_t rank, const char *code) {
  if (is_full(call) || strcmp(call->builtin->target, "ones") == 0)
    return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED,
                          "%s() of records is not compiled\nhint: make them by np.zeros and store to their fields",
                          call->builtin->name);
  return pa_finish_records(call, rank, code);
}

// The order that argument |i| asks for, a literal.
static pa_status asked_layout(const pa_rule_call *call, int i, intptr_t rank, pyarray_layout *out) {
  *out = PYARRAY_LAYOUT_C;
  if (!pa_rule_given(call, i)) return PA_OK;
  MlirAttribute literal = call->arguments[i].literal;
  MlirStringRef text =
      !mlirAttributeIsNull(literal) && mlirAttributeIsAString(literal) ? mlirStringAttrGetValue(literal) : pa_ref("");
  if (!pa_ref_equal(text, "C") && !pa_ref_equal(text, "F"))
    return pa_rule_wrong_type(call, i, "the order \"C\" or \"F\"");
  if (*text.data == 'F' && rank > 1) *out = PYARRAY_LAYOUT_F;
  return PA_OK;
}

static pa_status type_new_array(pa_rule_call *call) {
  pyarray_layout layout;
  MlirType element;
  intptr_t rank;
  PA_TRY(need_fill_value(call));
  PA_TRY(array_element(call, is_full(call) ? call->arguments[1].type : pa_rule_scalar_type(call, PA_F64), &element));
  PA_TRY(add_extents(call, 0, &rank));
  PA_TRY(asked_layout(call, is_full(call) ? 3 : 2, rank, &layout));
  if (pa_is_record(element)) {
    if (layout != PYARRAY_LAYOUT_C) return pa_rule_wrong_type(call, 2, "the order \"C\", where elements are records");
    pa_rule_add_int(call, pyarrayArrayTypeGetExtent(pyarrayTaggedTypeGetItem(element), 0));
    return finish_records(call, rank, pa_item_code_of(call->typing->arena, element));
  }
  if (is_full(call)) pa_rule_add_argument(call, 1, element);
  return pa_rule_finish(call, pa_array_type(call->typing->context, rank, element, layout, false));
}

// Of a new array in the order of another.
static pyarray_layout layout_like(MlirType array) {
  pyarray_layout layout = pyarrayArrayTypeGetLayout(array);
  return layout == PYARRAY_LAYOUT_A ? PYARRAY_LAYOUT_C : layout;
}

static pa_status type_new_array_like(pa_rule_call *call) {
  MlirType array = call->arguments[0].type;
  if (pa_is_records(array) && !has_dtype(call, 1))
    return pa_rule_add_argument(call, 0, pa_erased_type(array)),
           finish_records(call, pa_records_rank(array), pa_item_code_of(call->typing->arena, array));
  if (!pyarrayTypeIsArray(array)) return pa_rule_wrong_type(call, 0, "an array");
  MlirType element;
  PA_TRY(need_fill_value(call));
  PA_TRY(array_element(call, pyarrayArrayTypeGetElement(array), &element));
  if (pa_is_record(element)) return pa_rule_wrong_type(call, 1, "a dtype of numbers, where the prototype has numbers");
  pa_rule_add_argument(call, 0, array);
  if (is_full(call)) pa_rule_add_argument(call, 1, element);
  return pa_rule_finish(
      call, pa_array_type(call->typing->context, pyarrayArrayTypeGetRank(array), element, layout_like(array), false));
}

// np.copy keeps the order ("K"), the method does not ("C").
static pa_status type_copy(pa_rule_call *call) {
  MlirType array = call->arguments[0].type;
  if (pa_is_records(array))
    return pa_rule_add_argument(call, 0, pa_erased_type(array)),
           pa_finish_records(call, pa_records_rank(array), pa_item_code_of(call->typing->arena, array));
  if (!pyarrayTypeIsArray(array)) return pa_rule_wrong_type(call, 0, "an array");
  pa_rule_add_argument(call, 0, array);
  pyarray_layout layout = *call->builtin->target == 'K' ? layout_like(array) : PYARRAY_LAYOUT_C;
  return pa_rule_finish(call, pa_array_type(call->typing->context, pyarrayArrayTypeGetRank(array),
                                            pyarrayArrayTypeGetElement(array), layout, false));
}

static pa_status type_item(pa_rule_call *call) {
  MlirType array = call->arguments[0].type;
  if (!pyarrayTypeIsArray(array)) return pa_rule_wrong_type(call, 0, "an array");
  pa_rule_add_argument(call, 0, array);
  return pa_rule_finish(call, pyarrayArrayTypeGetElement(array));
}

//===-- C pointers --------------------------------------------------------------------------------===//

// What a pointer points to; a dtype is needed for void *, and must agree with any other pointer's.
static pa_status foreign_element(const pa_rule_call *call, MlirType *out_element) {
  MlirType pointer = call->arguments[0].type, pointee = pyarrayPointerTypeGetPointee(pointer);
  bool is_void = pyarrayTypeIsNone(pointee);
  *out_element = pointee;
  if (has_dtype(call, 2)) {
    PA_TRY(pa_dtype_argument(call, 2, out_element));
    if (pa_scalar_of(*out_element) == PA_NOT_SCALAR && !pa_is_record(*out_element))
      return pa_rule_wrong_type(call, 2, "a dtype of numbers or of records");
  }
  if (pyarrayTypeIsNone(*out_element))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: a dtype is needed, since %s says nothing of the elements",
                          call->builtin->name, pa_rule_text_of(call, pointer));
  if (is_void || mlirTypeEqual(pointee, *out_element)) return PA_OK;
  return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: the dtype %s does not fit the pointer, %s",
                        call->builtin->name, pa_rule_text_of(call, *out_element), pa_rule_text_of(call, pointer));
}

static pa_status type_foreign_array(pa_rule_call *call) {
  MlirType pointer = call->arguments[0].type;
  MlirType element;
  intptr_t rank;
  if (!pyarrayTypeIsPointer(pointer))
    return pa_rule_wrong_type(call, 0, "a C pointer, such as a cfunc has for CPointer(float64)");
  PA_TRY(foreign_element(call, &element));
  pa_rule_add_argument(call, 0, pa_erased_type(pointer));
  PA_TRY(add_extents(call, 1, &rank));
  bool reversed = *call->builtin->target == 'F';
  if (!pa_is_record(element))
    return pa_rule_finish(call, pa_array_type(call->typing->context, rank, element,
                                              reversed ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_C, false));
  const char *code = pa_item_code_of(call->typing->arena, element);
  return pa_rule_finish(call, pa_records_type(call->typing->context, code, rank,
                                              reversed && rank > 1 ? PYARRAY_LAYOUT_A : PYARRAY_LAYOUT_C, false));
}

const pa_typing_rule_row pa_new_array_typing[] = {
    {PA_TYPING_NEW_ARRAY, type_new_array}, {PA_TYPING_NEW_ARRAY_LIKE, type_new_array_like}, {PA_TYPING_COPY, type_copy},
    {PA_TYPING_ITEM, type_item},           {PA_TYPING_FOREIGN_ARRAY, type_foreign_array},   {0, NULL},
};
