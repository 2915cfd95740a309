// Types of what the functions of memoryviews are made of (python/pyarray/library/memoryview.py): an array becomes a
// memoryview of it and back, bytes and bytearrays become arrays, memory is read as items of another format.
#include "support/type_code.h"
#include "typing_rules.h"

static MlirType bytes_array(const pa_rule_call *call, bool readonly) {
  return pa_array_type(call->typing->context, 1, pa_rule_scalar_type(call, PA_U8), PYARRAY_LAYOUT_C, readonly);
}

static pa_status need_array(const pa_rule_call *call, int i) {
  return pyarrayTypeIsArray(call->arguments[i].type) ? PA_OK : pa_rule_wrong_type(call, i, "an array");
}

// What may be one of items that lie there as bytes: these.
static MlirType memory_of(const pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  return pa_is_records(type) ? pa_erased_type(type) : type;
}

// The value itself, of another type.
static pa_status finish_cast(pa_rule_call *call, MlirType type, MlirType result) {
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, type);
  return pa_rule_finish(call, result);
}

static pa_status type_export(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  if (!pyarrayTypeIsBytes(type) && !pyarrayTypeIsBytearray(type))
    return pa_rule_wrong_type(call, 0, "bytes or a bytearray");
  pa_rule_add_argument(call, 0, type);
  return pa_rule_finish(call, bytes_array(call, pyarrayTypeIsBytes(type)));
}

static pa_status type_shown(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  if (!pa_is_memoryview(type)) return pa_rule_wrong_type(call, 0, "a memoryview");
  return finish_cast(call, pyarrayTaggedTypeGetItem(type), pyarrayTaggedTypeGetItem(type));
}

static pa_status type_viewed(pa_rule_call *call) {
  pa_fact format = call->arguments[1];
  MlirType array = call->arguments[0].type;
  char letter = pyarrayTypeIsArray(array) ? pa_format_of(pa_scalar_of(pyarrayArrayTypeGetElement(array))) : 0;
  if (pa_is_memoryview(format.type))
    letter = pa_memoryview_format(format.type);
  else if (!mlirAttributeIsNull(format.literal) && mlirAttributeIsAString(format.literal) &&
           mlirStringAttrGetValue(format.literal).length)
    letter = *mlirStringAttrGetValue(format.literal).data;
  if (!letter)
    return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED,
                          "memoryview() of %s is not compiled\nhint: memoryviews are of bools, integers and real "
                          "numbers; index the array itself",
                          pa_rule_text_of(call, array));
  return finish_cast(call, array, pa_memoryview_type(call->typing->context, letter, array));
}

// Of an array in C order the array itself, else a copy.
static pa_status type_c_order(pa_rule_call *call) {
  MlirType array = memory_of(call);
  if (!pyarrayTypeIsArray(array)) return pa_rule_wrong_type(call, 0, "an array");
  if (pyarrayArrayTypeGetLayout(array) == PYARRAY_LAYOUT_C) return finish_cast(call, array, array);
  call->plan->builtin = pa_builtin_find(pa_ref("array.copy"));
  pa_rule_add_argument(call, 0, array);
  return pa_rule_finish(call, pa_array_type(call->typing->context, pyarrayArrayTypeGetRank(array),
                                            pyarrayArrayTypeGetElement(array), PYARRAY_LAYOUT_C, false));
}

static pa_status type_bytes_of_array(pa_rule_call *call) {
  MlirType array = call->arguments[0].type;
  PA_TRY(need_array(call, 0));
  if (pyarrayArrayTypeGetLayout(array) != PYARRAY_LAYOUT_C) return pa_rule_wrong_type(call, 0, "an array in C order");
  pa_rule_add_argument(call, 0, array);
  return pa_rule_finish(call, pyarrayBytesTypeGet(call->typing->context));
}

static pa_scalar scalar_of_format(char format) {
  switch (format) {
  case 'l':
  case 'n': return PA_I64;
  case 'L':
  case 'N': return PA_U64;
  default: return pa_format_is_valid(format) ? pa_scalar_from_code(format) : PA_NOT_SCALAR;
  }
}

// The format of a memoryview's items, a literal, or a dtype.
static pa_status item_of(const pa_rule_call *call, int i, pa_scalar *out) {
  MlirAttribute literal = call->arguments[i].literal;
  MlirStringRef format =
      !mlirAttributeIsNull(literal) && mlirAttributeIsAString(literal) ? mlirStringAttrGetValue(literal) : pa_ref("");
  *out = format.length == 1 ? scalar_of_format(*format.data) : PA_NOT_SCALAR;
  MlirType type;
  if (*out != PA_NOT_SCALAR) return PA_OK;
  if (pyarrayTypeIsStr(call->arguments[i].type) && !pa_dtype_of(call->typing, call->arguments[i], &type))
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "cast(): the format must be a literal, one of the letters ?bBhHiIlLqQnNefd\nhint: write it "
                          "out: view.cast('i')");
  PA_TRY(pa_dtype_argument(call, i, &type));
  *out = pa_scalar_of(type);
  return *out == PA_NOT_SCALAR ? pa_rule_wrong_type(call, i, "a dtype of numbers") : PA_OK;
}

static pa_status type_reinterpret(pa_rule_call *call) {
  pa_scalar scalar;
  PA_TRY(need_array(call, 0));
  PA_TRY(pa_rule_need_integer(call, 1));
  PA_TRY(item_of(call, 2, &scalar));
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  pa_rule_add_argument(call, 1, pa_rule_scalar_type(call, PA_I64));
  bool readonly = pyarrayArrayTypeIsReadonly(call->arguments[0].type);
  return pa_rule_finish(
      call, pa_array_type(call->typing->context, 1, pa_rule_scalar_type(call, scalar), PYARRAY_LAYOUT_C, readonly));
}

static pa_status type_python_number(pa_rule_call *call) {
  pa_scalar scalar = pa_rule_scalar_of(call, 0);
  if (scalar == PA_NOT_SCALAR || pa_is_complex(scalar)) return pa_rule_wrong_type(call, 0, "a real number");
  scalar = scalar == PA_BOOL || scalar == PA_U64 ? scalar : pa_is_integer(scalar) ? PA_I64 : PA_F64;
  return finish_cast(call, pa_rule_scalar_type(call, scalar), pa_rule_scalar_type(call, scalar));
}

const pa_typing_rule_row pa_memoryview_typing[] = {
    {PA_TYPING_BYTES_OF_ARRAY, type_bytes_of_array},
    {PA_TYPING_C_ORDER, type_c_order},
    {PA_TYPING_EXPORT, type_export},
    {PA_TYPING_PYTHON_NUMBER, type_python_number},
    {PA_TYPING_REINTERPRET, type_reinterpret},
    {PA_TYPING_SHOWN, type_shown},
    {PA_TYPING_VIEWED, type_viewed},
    {0, NULL},
};
