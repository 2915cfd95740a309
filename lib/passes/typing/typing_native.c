// Types of native functions: C functions by their addresses, and what of arrays is given to them.
//
//   sin(x)               !pyarray.tagged<"c function", "(d)d", !pyarray.pointer<!pyarray.none>>: a builtin
//   "pyarray.c_call" f(x)                 !pyarray.tagged<"function value", "(d)d", !pyarray.pointer<!pyarray.none>>: a
//   builtin "pyarray.function_call" a.ctypes             !pyarray.tagged<"array ctypes", unit, the array>: the array
//   itself, so that it lives through the call
#include <stdlib.h>
#include <string.h>

#include "support/type_code.h"
#include "typing_rules.h"

pa_fact pa_array_ctypes(const pa_typing *typing, MlirType array) {
  return pa_fact_of(pyarrayTaggedTypeGet(pa_ref("array ctypes"), pa_unit_attr(typing->context), array));
}

bool pa_ctypes_attribute(const pa_typing *typing, MlirType type, const char *name, pa_fact *out) {
  if (!pa_is_tagged(type, "array ctypes") || strcmp(name, "data") != 0) return false;
  return *out = pa_fact_of(pa_scalar_type(typing->context, PA_I64)), true;
}

// A ctypes function that is a constant: its address and "(d)d".
static pa_status type_c_function(pa_rule_call *call) {
  MlirAttribute signature = call->arguments[1].literal;
  if (mlirAttributeIsNull(signature) || !mlirAttributeIsAString(signature))
    return pa_rule_wrong_type(call, 1, "a literal");
  PA_TRY(pa_rule_need_integer(call, 0));
  MlirStringRef text = mlirStringAttrGetValue(signature);
  const char *code = pa_arena_format(call->typing->arena, "*%.*s", (int)text.length, text.data);
  if (!pa_type_is_valid(code) || code[1] != '(') return pa_rule_wrong_type(call, 1, "a signature");
  pa_rule_add_argument(call, 0, pa_rule_scalar_type(call, PA_I64));
  return pa_rule_finish(call, pa_type_from_code(call->typing->context, &code));
}

// What argument |i| is as a pointer: an array, whose data it is, a pointer, an integer, or None.
static pa_status add_pointer(pa_rule_call *call, int i, MlirType wanted) {
  MlirType given = call->arguments[i].type, pointee = pyarrayPointerTypeGetPointee(wanted);
  bool is_void = pyarrayTypeIsNone(pointee);
  if (pa_is_tagged(given, "array ctypes")) {
    MlirType array = pyarrayTaggedTypeGetItem(given);
    if (is_void || mlirTypeEqual(pyarrayArrayTypeGetElement(array), pointee))
      return pa_rule_add_argument(call, i, array), PA_OK;
  }
  if (pyarrayTypeIsNone(given)) return pa_rule_add_int(call, 0), PA_OK;
  if (pa_is_integer(pa_rule_scalar_of(call, i)) && is_void)
    return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_I64)), PA_OK;
  MlirType erased = pa_erased_type(given);
  bool pointer = pyarrayTypeIsPointer(erased);
  if (pointer && (is_void || mlirTypeEqual(erased, wanted) || pyarrayTypeIsNone(pyarrayPointerTypeGetPointee(erased))))
    return pa_rule_add_argument(call, i, erased), PA_OK;
  return pa_typing_fail(
      call->typing, PA_CODE_TYPING,
      "argument %d of a C function has type %s; expected %s\nhint: pass a.ctypes, ffi.from_buffer(a) or a pointer%s", i,
      pa_rule_text_of(call, given), pa_rule_text_of(call, wanted), is_void ? ", or an address" : " of that type");
}

// A call of a value tagged |tag| whose type says its signature, "(dd)d" behind one letter: |add| converts an argument
// to the type of its parameter.
static pa_status type_signature_call(pa_rule_call *call, const char *tag, const char *callee,
                                     pa_status (*add)(pa_rule_call *, int, MlirType)) {
  MlirType function = call->count ? call->arguments[0].type : (MlirType){NULL};
  if (mlirTypeIsNull(function) || !pa_is_tagged(function, tag))
    return pa_typing_fail(call->typing, PA_CODE_INVALID, "%s takes a %s", call->builtin->name, tag);
  const char *at = pa_attr_text(call->typing->arena, pyarrayTaggedTypeGetTag(function)) + 1;
  MlirContext context = call->typing->context;
  int i = 1;
  pa_rule_add_argument(call, 0, pa_erased_type(function));
  for (; *at != ')'; ++i) {
    MlirType wanted = pa_type_from_code(context, &at);
    if (mlirTypeIsNull(wanted))
      return pa_typing_fail(call->typing, PA_CODE_INVALID, "%s: the type of the function is malformed",
                            call->builtin->name);
    if (i < call->count) PA_TRY(add(call, i, wanted));
  }
  if (i != call->count)
    return pa_typing_fail(
        call->typing, PA_CODE_TYPING, "%s takes %d argument%s, but %d %s given",
        callee ? callee
               : pa_arena_format(call->typing->arena, "a function of type %s", pa_rule_text_of(call, function)),
        i - 1, i == 2 ? "" : "s", call->count - 1, call->count == 2 ? "was" : "were");
  ++at;
  return pa_rule_finish(call, pa_type_from_code(context, &at));
}

static pa_status add_c_argument(pa_rule_call *call, int i, MlirType wanted) {
  if (pyarrayTypeIsPointer(wanted)) return add_pointer(call, i, wanted);
  PA_TRY(pa_check_castable(call->typing, call->arguments[i].type, wanted,
                           pa_arena_format(call->typing->arena, "argument %d of a C function", i)));
  return pa_rule_add_argument(call, i, wanted), PA_OK;
}

static pa_status type_c_call(pa_rule_call *call) {
  return type_signature_call(call, "c function", "the C function", add_c_argument);
}

// An array for a parameter of the type |wanted|: one of the same elements, whose layout is no less.
static pa_status add_array(pa_rule_call *call, int i, MlirType wanted) {
  MlirType given = call->arguments[i].type;
  bool fits = pyarrayTypeIsArray(given) &&
              mlirTypeEqual(pyarrayArrayTypeGetElement(given), pyarrayArrayTypeGetElement(wanted)) &&
              pyarrayArrayTypeGetRank(given) == pyarrayArrayTypeGetRank(wanted) &&
              (mlirTypeEqual(given, wanted) || mlirTypeEqual(pa_join_types(call->typing, given, wanted), wanted));
  if (fits) return pa_rule_add_argument(call, i, given), PA_OK;
  return pa_typing_fail(call->typing, PA_CODE_TYPING, "argument %d of a function has type %s; its FunctionType has %s",
                        i, pa_rule_text_of(call, given), pa_rule_text_of(call, wanted));
}

static pa_status add_function_argument(pa_rule_call *call, int i, MlirType wanted) {
  if (pyarrayTypeIsArray(wanted)) return add_array(call, i, wanted);
  if (!mlirTypeEqual(call->arguments[i].type, wanted))
    PA_TRY(pa_check_castable(call->typing, call->arguments[i].type, wanted,
                             pa_arena_format(call->typing->arena, "argument %d of a function", i)));
  return pa_rule_add_argument(call, i, pa_erased_type(wanted)), PA_OK;
}

// Of a FunctionType.
static pa_status type_function_call(pa_rule_call *call) {
  return type_signature_call(call, "function value", NULL, add_function_argument);
}

// ffi.from_buffer(a): a pointer to the elements.
static pa_status type_from_buffer(pa_rule_call *call) {
  MlirType array = call->arguments[0].type;
  if (!pyarrayTypeIsArray(array) || pa_scalar_of(pyarrayArrayTypeGetElement(array)) == PA_NOT_SCALAR)
    return pa_rule_wrong_type(call, 0, "an array of numbers");
  if (pyarrayArrayTypeGetLayout(array) == PYARRAY_LAYOUT_A)
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "from_buffer() of %s: the array is not known to be contiguous\nhint: pass a contiguous copy",
                          pa_rule_text_of(call, array));
  pa_rule_add_argument(call, 0, array);
  return pa_rule_finish(call, pyarrayPointerTypeGet(pyarrayArrayTypeGetElement(array)));
}

// A block of objmode, by its number and the code of what it gives. Its value is nothing: the tag says which one.
static pa_status type_objmode(pa_rule_call *call) {
  int64_t number;
  MlirAttribute code = call->arguments[1].literal;
  if (!pa_literal_int(call->arguments[0], &number) || mlirAttributeIsNull(code) || !mlirAttributeIsAString(code))
    return pa_rule_wrong_type(call, 0, "literals");
  MlirStringRef text = mlirStringAttrGetValue(code);
  const char *tag = pa_arena_format(call->typing->arena, "%lld:%.*s", (long long)number, (int)text.length, text.data);
  MlirContext context = call->typing->context;
  call->plan->kind = PA_PLAN_TUPLE;
  return pa_rule_finish(
      call, pyarrayTaggedTypeGet(pa_ref("objmode"), pa_string_attr(context, tag), mlirTupleTypeGet(context, 0, NULL)));
}

// |callee| of the plan is "7:dd>d": the number of a function of _objmode.functions, and the type codes of its
// inputs, which begin with argument |first|, and of what it gives.
static pa_status call_python(pa_rule_call *call, long long number, int first, const char *result) {
  const char *at = result;
  pa_string text = {0};
  pa_string_format(&text, "%lld:", number);
  for (int i = first; i < call->count; ++i) {
    if (!pa_type_to_code(&text, call->arguments[i].type)) {
      pa_string_free(&text);
      return pa_typing_fail(call->typing, PA_CODE_TYPING,
                            "a value of type %s cannot be used in an objmode block: Python has no such value",
                            pa_rule_text_of(call, call->arguments[i].type));
    }
    pa_rule_add_argument(call, i, pa_erased_type(call->arguments[i].type));
  }
  pa_string_format(&text, ">%s", result);
  call->plan->callee = pa_string_attr(call->typing->context, pa_string_text(&text));
  pa_string_free(&text);
  MlirType type = pa_type_from_code(call->typing->context, &at);
  return mlirTypeIsNull(type) ? pa_rule_wrong_type(call, 1, "a type code") : pa_rule_finish(call, type);
}

static pa_status type_objmode_call(pa_rule_call *call) {
  const char *tag = pa_attr_text(call->typing->arena, pyarrayTaggedTypeGetTag(call->arguments[0].type));
  return call_python(call, strtoll(tag, NULL, 10), 1, strchr(tag, ':') + 1);
}

static pa_status type_python_function(pa_rule_call *call) {
  int64_t number;
  MlirAttribute code = call->count < 2 ? mlirAttributeGetNull() : call->arguments[1].literal;
  if (!pa_literal_int(call->arguments[0], &number) || mlirAttributeIsNull(code) || !mlirAttributeIsAString(code))
    return pa_rule_wrong_type(call, 0, "literals");
  return call_python(call, number, 2, pa_attr_text(call->typing->arena, code));
}

static pa_status type_exception_text(pa_rule_call *call) {
  if (!pyarrayTypeIsException(call->arguments[0].type)) return pa_rule_wrong_type(call, 0, "an exception");
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish(call, strcmp(call->builtin->target, "args")
                                  ? pyarrayStrTypeGet(call->typing->context)
                                  : pyarrayExceptionTypeGetArguments(call->arguments[0].type));
}

const pa_typing_rule_row pa_native_typing[] = {
    {PA_TYPING_OBJMODE, type_objmode},
    {PA_TYPING_OBJMODE_CALL, type_objmode_call},
    {PA_TYPING_PYTHON_FUNCTION, type_python_function},
    {PA_TYPING_EXCEPTION_TEXT, type_exception_text},
    {PA_TYPING_C_FUNCTION, type_c_function},
    {PA_TYPING_C_CALL, type_c_call},
    {PA_TYPING_FUNCTION_CALL, type_function_call},
    {PA_TYPING_FROM_BUFFER, type_from_buffer},
    {0, NULL},
};
