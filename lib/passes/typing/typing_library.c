// What is decided when a function is compiled: isinstance, type, callable, and whether an argument of a library
// function was given.
#include <string.h>

#include "ir/classes.h"
#include "ir/exceptions.h"
#include "typing_rules.h"

static pa_status finish_known(pa_rule_call *call, bool value) {
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirBoolAttrGet(call->typing->context, value);
  return pa_rule_finish_scalar(call, PA_BOOL);
}

//===-- Classes -----------------------------------------------------------------------------------===//

// ORDER CLASS: Python's classes have the types that Python's values get, NumPy's each its own.
typedef enum class_kind {
  CLASS_OBJECT,
  CLASS_SCALAR,
  CLASS_INT,
  CLASS_INTEGRAL,
  CLASS_SIGNED,
  CLASS_UNSIGNED,
  CLASS_FLOATING,
  CLASS_REAL,
  CLASS_COMPLEXFLOATING,
  CLASS_INEXACT,
  CLASS_NUMBER,
  CLASS_ARRAY,
  CLASS_TUPLE,
  CLASS_STR,
  CLASS_BYTES,
  CLASS_LIST,
  CLASS_SET,
  CLASS_DICT,
  CLASS_COUNTER,
  CLASS_DEFAULTDICT,
  CLASS_ORDEREDDICT,
  CLASS_DEQUE,
  CLASS_FROZENSET,
  CLASS_BYTEARRAY,
  CLASS_MEMORYVIEW,
  CLASS_RANGE,
  CLASS_SLICE,
  CLASS_GENERATOR,
  CLASS_RANDOM, // NumPy's Generator
  CLASS_BIT_GENERATOR,
  CLASS_NONE,
  CLASS_DATETIME,
  CLASS_TIMEDELTA,
  CLASS_GENERIC,
  CLASS_RECORD
} class_kind;

static const struct {
  const char *name;
  class_kind kind;
  pa_scalar scalar;
} classes[] = {
    {"builtins.object", CLASS_OBJECT, PA_NOT_SCALAR},
    {"builtins.bool", CLASS_SCALAR, PA_BOOL},
    {"builtins.int", CLASS_INT, PA_I64},
    {"builtins.float", CLASS_SCALAR, PA_F64},
    {"builtins.complex", CLASS_SCALAR, PA_C128},
    {"builtins.tuple", CLASS_TUPLE, PA_NOT_SCALAR},
    {"pyarray.typed.Dict", CLASS_DICT, PA_NOT_SCALAR},
    {"pyarray.typed.List", CLASS_LIST, PA_NOT_SCALAR},
    {"pyarray.typed.Set", CLASS_SET, PA_NOT_SCALAR},
    {"builtins.str", CLASS_STR, PA_NOT_SCALAR},
    {"builtins.bytes", CLASS_BYTES, PA_NOT_SCALAR},
    {"builtins.list", CLASS_LIST, PA_NOT_SCALAR},
    {"builtins.bytearray", CLASS_BYTEARRAY, PA_NOT_SCALAR},
    {"builtins.memoryview", CLASS_MEMORYVIEW, PA_NOT_SCALAR},
    {"numpy.random.Generator", CLASS_RANDOM, PA_NOT_SCALAR},
    {"numpy.random.BitGenerator", CLASS_BIT_GENERATOR, PA_NOT_SCALAR},
    {"builtins.frozenset", CLASS_FROZENSET, PA_NOT_SCALAR},
    {"collections.Counter", CLASS_COUNTER, PA_NOT_SCALAR},
    {"collections.defaultdict", CLASS_DEFAULTDICT, PA_NOT_SCALAR},
    {"collections.OrderedDict", CLASS_ORDEREDDICT, PA_NOT_SCALAR},
    {"collections.deque", CLASS_DEQUE, PA_NOT_SCALAR},
    {"builtins.set", CLASS_SET, PA_NOT_SCALAR},
    {"builtins.dict", CLASS_DICT, PA_NOT_SCALAR},
    {"builtins.range", CLASS_RANGE, PA_NOT_SCALAR},
    {"builtins.slice", CLASS_SLICE, PA_NOT_SCALAR},
    {"types.NoneType", CLASS_NONE, PA_NOT_SCALAR},
    {"types.GeneratorType", CLASS_GENERATOR, PA_NOT_SCALAR},
    {"numbers.Number", CLASS_NUMBER, PA_NOT_SCALAR},
    {"numbers.Complex", CLASS_NUMBER, PA_NOT_SCALAR},
    {"numbers.Real", CLASS_REAL, PA_NOT_SCALAR},
    {"numbers.Integral", CLASS_INTEGRAL, PA_NOT_SCALAR},
    {"numpy.ndarray", CLASS_ARRAY, PA_NOT_SCALAR},
    {"numpy.generic", CLASS_GENERIC, PA_NOT_SCALAR},
    {"numpy.number", CLASS_NUMBER, PA_BOOL},
    {"numpy.integer", CLASS_INTEGRAL, PA_BOOL},
    {"numpy.signedinteger", CLASS_SIGNED, PA_NOT_SCALAR},
    {"numpy.unsignedinteger", CLASS_UNSIGNED, PA_NOT_SCALAR},
    {"numpy.floating", CLASS_FLOATING, PA_NOT_SCALAR},
    {"numpy.complexfloating", CLASS_COMPLEXFLOATING, PA_NOT_SCALAR},
    {"numpy.inexact", CLASS_INEXACT, PA_NOT_SCALAR},
    {"numpy.datetime64", CLASS_DATETIME, PA_NOT_SCALAR},
    {"numpy.timedelta64", CLASS_TIMEDELTA, PA_NOT_SCALAR},
    {"numpy.void", CLASS_RECORD, PA_NOT_SCALAR},
};

// Without bools where NumPy says so: then |except| is PA_BOOL.
static bool scalar_is(pa_scalar scalar, class_kind kind, pa_scalar named) {
  if (scalar == PA_NOT_SCALAR) return false;
  bool boolean = scalar == PA_BOOL, counts = !(boolean && named == PA_BOOL);
  switch (kind) {
  case CLASS_SCALAR: return scalar == named;
  case CLASS_INT: return scalar == PA_I64 || scalar == PA_U64 || boolean;
  case CLASS_INTEGRAL: return (boolean || pa_is_integer(scalar)) && counts;
  case CLASS_SIGNED: return pa_is_signed(scalar);
  case CLASS_UNSIGNED: return pa_is_unsigned(scalar);
  case CLASS_FLOATING: return pa_is_float(scalar);
  case CLASS_REAL: return !pa_is_complex(scalar);
  case CLASS_COMPLEXFLOATING: return pa_is_complex(scalar);
  case CLASS_INEXACT: return pa_is_float(scalar) || pa_is_complex(scalar);
  case CLASS_NUMBER: return counts;
  default: return false;
  }
}

static bool type_is(MlirType type, class_kind kind, pa_scalar named) {
  pa_time time;
  switch (kind) {
  case CLASS_OBJECT: return true;
  case CLASS_ARRAY: return pyarrayTypeIsArray(type);
  case CLASS_TUPLE: return mlirTypeIsATuple(type);
  case CLASS_STR: return pyarrayTypeIsStr(type);
  case CLASS_BYTES: return pyarrayTypeIsBytes(type);
  case CLASS_LIST: return pa_container_of(type) == PA_LIST;
  case CLASS_SET: return pa_container_of(type) == PA_SET;
  case CLASS_DICT: return pa_container_of(type) == PA_DICT || pa_is_dict_class(type);
  case CLASS_COUNTER: return pa_is_tagged(type, "counter");
  case CLASS_DEFAULTDICT: return pa_is_tagged(type, "defaultdict");
  case CLASS_ORDEREDDICT: return pa_is_tagged(type, "ordereddict");
  case CLASS_BYTEARRAY: return pyarrayTypeIsBytearray(type);
  case CLASS_MEMORYVIEW: return pa_is_memoryview(type);
  case CLASS_RANDOM: return pa_is_random(type) && !pa_is_bit_generator(type);
  case CLASS_BIT_GENERATOR: return pa_is_bit_generator(type);
  case CLASS_DEQUE: return pa_container_of(type) == PA_DEQUE;
  case CLASS_FROZENSET: return pa_container_of(type) == PA_FROZENSET;
  case CLASS_RANGE: return pyarrayTypeIsRange(type);
  case CLASS_GENERATOR: return pyarrayTypeIsGenerator(type);
  case CLASS_SLICE: return pyarrayTypeIsSlice(type);
  case CLASS_NONE: return pyarrayTypeIsNone(type);
  case CLASS_DATETIME: return pa_time_of(type, &time) && !time.delta;
  case CLASS_TIMEDELTA: return pa_time_of(type, &time) && time.delta;
  case CLASS_RECORD: return pa_is_record(type);
  case CLASS_GENERIC: return pa_is_record(type) || pa_scalar_of(type) != PA_NOT_SCALAR || pa_is_time(type);
  default: return scalar_is(pa_scalar_of(type), kind, named);
  }
}

// "numpy.float32", "pyarray.int8": the class of one scalar type.
static pa_scalar named_scalar(MlirStringRef name) {
  for (int scalar = 0; scalar < PA_SCALAR_COUNT; ++scalar) {
    const char *text = pa_scalar_name((pa_scalar)scalar);
    size_t length = strlen(text);
    if (name.length > length && name.data[name.length - length - 1] == '.' &&
        memcmp(name.data + name.length - length, text, length) == 0)
      return (pa_scalar)scalar;
  }
  return pa_ref_equal(name, "numpy.bool_") || pa_ref_equal(name, "pyarray.boolean") ? PA_BOOL : PA_NOT_SCALAR;
}

static pa_status no_class(const pa_rule_call *call) {
  return pa_typing_fail(call->typing, PA_CODE_TYPING,
                        "isinstance() arg 2 must be a class that compiled code knows, or a tuple of them");
}

// Whether |name| is a line of |lines|.
static bool has_line(MlirStringRef lines, MlirStringRef name) {
  for (size_t at = 0, length; at < lines.length; at += length + 1) {
    const char *end = memchr(lines.data + at, '\n', lines.length - at);
    length = end ? (size_t)(end - lines.data) - at : lines.length - at;
    if (length == name.length && memcmp(lines.data + at, name.data, length) == 0) return true;
  }
  return false;
}

// The class of an instance, or a plain class that this derives from; or, of a struct, what Python has it as: that is an
// object with an overload, its constructor.
static bool is_of_class(const pa_typing *typing, MlirType type, MlirStringRef name) {
  MlirStringRef own = pyarrayObjectTypeGetName(type);
  MlirAttribute described = pa_class_of_type(typing->module, type);
  MlirAttribute bases = mlirAttributeIsNull(described)
                            ? described
                            : pa_class_entry(described, own, "constants", pa_ref("__pyarray_bases__"));
  if (!mlirAttributeIsNull(bases) && mlirAttributeIsAString(bases) && has_line(mlirStringAttrGetValue(bases), name))
    return true;
  MlirAttribute proxy = mlirAttributeIsNull(described)
                            ? described
                            : pa_class_entry(described, own, "constants", pa_ref("__pyarray_proxy__"));
  return mlirStringRefEqual(own, name) || (!mlirAttributeIsNull(proxy) && mlirAttributeIsAString(proxy) &&
                                           mlirStringRefEqual(mlirStringAttrGetValue(proxy), name));
}

static pa_status is_instance(const pa_rule_call *call, MlirType type, MlirType class, bool *out_is) {
  if (mlirTypeIsATuple(class)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(class) && !*out_is; ++i)
      PA_TRY(is_instance(call, type, mlirTupleTypeGetType(class, i), out_is));
    return PA_OK;
  }
  MlirAttribute attribute = pyarrayTypeIsCallable(class) ? pyarrayCallableTypeGetName(class) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute)) return no_class(call);
  MlirStringRef name = mlirStringAttrGetValue(attribute);
  if (pa_is_tagged(type, "frozen")) type = pyarrayTaggedTypeGetItem(type);
  bool is_class = memchr(name.data, ':', name.length) != NULL;
  if (pa_is_named(type) && is_class)
    return *out_is = mlirStringRefEqual(mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type)), name), PA_OK;
  if (pa_is_tagged(type, "namedtuple") || pa_is_tagged(type, "int enum")) type = pyarrayTaggedTypeGetItem(type);
  if (is_class) return *out_is = pyarrayTypeIsObject(type) && is_of_class(call->typing, type, name), PA_OK;
  if (pa_is_records(type)) type = pyarrayTaggedTypeGetItem(type);
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
    if (pa_ref_equal(name, classes[i].name)) return *out_is = type_is(type, classes[i].kind, classes[i].scalar), PA_OK;
  pa_scalar scalar = named_scalar(name);
  if (scalar == PA_NOT_SCALAR) return no_class(call);
  return *out_is = pa_scalar_of(type) == scalar, PA_OK;
}

// The names of exception classes; NULL where |class| is anything else.
static const char *exception_classes(const pa_rule_call *call, MlirType class) {
  MlirAttribute name = pyarrayTypeIsCallable(class) ? pyarrayCallableTypeGetName(class) : mlirAttributeGetNull();
  const char *text =
      mlirAttributeIsNull(name) || !mlirAttributeIsAString(name) ? "" : pa_attr_text(call->typing->arena, name);
  size_t length = strlen(PA_EXCEPTION_CLASSES);
  return strncmp(text, PA_EXCEPTION_CLASSES, length) == 0 ? text + length : NULL;
}

// Which class an exception has, the site says where it was raised.
static pa_status type_isinstance(pa_rule_call *call) {
  bool is = false;
  const char *exceptions = exception_classes(call, call->arguments[1].type);
  if (exceptions && pyarrayTypeIsException(call->arguments[0].type)) {
    call->plan->builtin = pa_builtin_find(pa_ref("exception.isinstance"));
    call->plan->callee = pa_string_attr(call->typing->context, exceptions);
    pa_rule_add_argument(call, 0, call->arguments[0].type);
    return pa_rule_finish_scalar(call, PA_BOOL);
  }
  if (exceptions) return finish_known(call, false);
  PA_TRY(is_instance(call, call->arguments[0].type, call->arguments[1].type, &is));
  return finish_known(call, is);
}

// Of dtypes, by the classes of their elements.
static pa_status type_issubdtype(pa_rule_call *call) {
  bool is = false;
  MlirType element;
  PA_TRY(pa_dtype_argument(call, 0, &element));
  PA_TRY(is_instance(call, element, call->arguments[1].type, &is));
  return finish_known(call, is);
}

// The class of a value; "" where there is none that compiled code knows.
static const char *class_of(const pa_rule_call *call, MlirType type) {
  if (pa_is_tagged(type, "frozen")) type = pyarrayTaggedTypeGetItem(type);
  if (pa_is_named(type)) return pa_attr_text(call->typing->arena, pyarrayTaggedTypeGetTag(type));
  MlirAttribute class =
      pyarrayTypeIsObject(type) ? pa_class_of_type(call->typing->module, type) : mlirAttributeGetNull();
  if (!mlirAttributeIsNull(class) && !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
                                         class, pa_ref("new")))) // that of a struct is Python's alone
    return pa_arena_format(call->typing->arena, "%.*s", (int)pyarrayObjectTypeGetName(type).length,
                           pyarrayObjectTypeGetName(type).data);
  static const struct {
    class_kind kind;
    const char *name;
  } kinds[] = {{CLASS_ARRAY, "numpy.ndarray"},
               {CLASS_TUPLE, "builtins.tuple"},
               {CLASS_STR, "builtins.str"},
               {CLASS_BYTES, "builtins.bytes"},
               {CLASS_LIST, "builtins.list"},
               {CLASS_SET, "builtins.set"},
               {CLASS_COUNTER, "collections.Counter"},
               {CLASS_DEFAULTDICT, "collections.defaultdict"},
               {CLASS_ORDEREDDICT, "collections.OrderedDict"},
               {CLASS_DICT, "builtins.dict"},
               {CLASS_BYTEARRAY, "builtins.bytearray"},
               {CLASS_MEMORYVIEW, "builtins.memoryview"},
               {CLASS_RANDOM, "numpy.random.Generator"},
               {CLASS_BIT_GENERATOR, "numpy.random.BitGenerator"},
               {CLASS_DEQUE, "collections.deque"},
               {CLASS_FROZENSET, "builtins.frozenset"},
               {CLASS_RANGE, "builtins.range"},
               {CLASS_SLICE, "builtins.slice"},
               {CLASS_GENERATOR, "types.GeneratorType"},
               {CLASS_NONE, "types.NoneType"},
               {CLASS_DATETIME, "numpy.datetime64"},
               {CLASS_TIMEDELTA, "numpy.timedelta64"}};
  switch (pa_scalar_of(type)) {
  case PA_NOT_SCALAR: break;
  case PA_BOOL: return "builtins.bool";
  case PA_I64: return "builtins.int";
  case PA_F64: return "builtins.float";
  case PA_C128: return "builtins.complex";
  default: return pa_arena_format(call->typing->arena, "numpy.%s", pa_scalar_name(pa_scalar_of(type)));
  }
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (type_is(type, kinds[i].kind, PA_NOT_SCALAR)) return kinds[i].name;
  return "";
}

static pa_status type_type(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  const char *name = class_of(call, type);
  if (!*name)
    return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED, "type() of a value of type %s is not compiled",
                          pa_rule_text_of(call, type));
  MlirType class = pyarrayCallableTypeGet(pa_string_attr(call->typing->context, name));
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirTypeAttrGet(class);
  return pa_rule_finish(call, class);
}

//===-- Tuples ------------------------------------------------------------------------------------===//

// tuple(t) is t. Its length is part of a tuple's type, so that of anything else is not known.
static pa_status type_tuple(pa_rule_call *call) {
  if (!pa_rule_given(call, 0))
    return call->plan->kind = PA_PLAN_TUPLE, pa_rule_finish(call, mlirTupleTypeGet(call->typing->context, 0, NULL));
  MlirType type = call->arguments[0].type;
  if (pa_is_tagged(type, "namedtuple")) type = pyarrayTaggedTypeGetItem(type);
  if (!mlirTypeIsATuple(type))
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "tuple() of a value of type %s: the length of a tuple is part of its type, and this one is "
                          "not known when the function is compiled\nhint: use a list, or tuple(...) of a tuple",
                          pa_type_text(call->typing->arena, type));
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, type);
  return pa_rule_finish(call, type);
}

//===-- Others ------------------------------------------------------------------------------------===//

static pa_status type_callable(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  return finish_known(
      call, pyarrayTypeIsCallable(type) || pa_is_tagged(type, "function") || pa_is_tagged(type, "passed") ||
                pa_is_tagged(type, "choice") || pa_is_tagged(type, "c function") ||
                (pyarrayTypeIsObject(type) && pa_class_has_entry(call->typing->module, type, "methods", "__call__")));
}

// Of the Python library: whether the parameter has another value than its default pyarray.library._intrinsics.missing.
static pa_status type_given(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  MlirAttribute name = pyarrayTypeIsCallable(type) ? pyarrayCallableTypeGetName(type) : mlirAttributeGetNull();
  bool missing = !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
                 pa_ref_equal(mlirStringAttrGetValue(name), "pyarray.library._intrinsics.missing");
  return finish_known(call, !missing);
}

// Of the functions of an enum: an integer becomes a member of it, and back.
static pa_status type_tagged(pa_rule_call *call) {
  MlirType class = call->arguments[0].type;
  MlirAttribute name = pyarrayTypeIsCallable(class) ? pyarrayCallableTypeGetName(class) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name)) return pa_rule_wrong_type(call, 0, "an enum");
  PA_TRY(pa_rule_need_integer(call, 1));
  if (mlirAttributeIsNull(call->arguments[2].literal) || !mlirAttributeIsAString(call->arguments[2].literal))
    return pa_rule_wrong_type(call, 2, "a literal");
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 1, pa_rule_scalar_type(call, PA_I64));
  return pa_rule_finish(call, pyarrayTaggedTypeGet(mlirStringAttrGetValue(call->arguments[2].literal), name,
                                                   pa_rule_scalar_type(call, PA_I64)));
}

// What was in an optional value has been taken out.
static pa_status type_present(pa_rule_call *call) {
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish(call, call->arguments[0].type);
}

static pa_status type_untagged(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  if (!pa_is_enum(type)) PA_TRY(pa_rule_need_integer(call, 0)); // beside flags that are integers
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, pa_rule_scalar_type(call, PA_I64));
  return pa_rule_finish_scalar(call, PA_I64);
}

// infer_getters.c makes the function, or says why not.
static pa_status type_getter(pa_rule_call *call) {
  return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED, "%s is only compiled where its arguments are literals",
                        call->builtin->name);
}

// The value itself, and what is known of it.
static pa_status type_literally(pa_rule_call *call) {
  call->plan->kind = PA_PLAN_CAST;
  call->plan->literal = call->arguments[0].literal;
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish(call, call->arguments[0].type);
}

static pa_status type_class(pa_rule_call *call) {
  return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED, "%s is only compiled as the second argument of isinstance()",
                        call->builtin->name);
}

//===-- Errors ------------------------------------------------------------------------------------===//

// raise_if(condition, "ValueError", "shapes {0} and {1}", ...): {0} stands for the first of the numbers that follow, or
// for the shape that a tuple is. In the plan {0:2} are two numbers.
static pa_status type_raise_if(pa_rule_call *call) {
  int first[8], counts[8], values = 0;
  for (int i = 1; i < 3; ++i)
    if (i >= call->count || mlirAttributeIsNull(call->arguments[i].literal) ||
        !mlirAttributeIsAString(call->arguments[i].literal))
      return pa_rule_wrong_type(call, i, "a literal");
  if (call->count > 3 + 8) return pa_rule_wrong_type(call, 3 + 8, "at most eight values");
  pa_rule_add_argument(call, 0, pa_rule_scalar_type(call, PA_BOOL));
  for (int i = 3; i < call->count; ++i) {
    MlirType type = call->arguments[i].type;
    bool tuple = mlirTypeIsATuple(type);
    first[i - 3] = values;
    counts[i - 3] = tuple ? (int)mlirTupleTypeGetNumTypes(type) : -1;
    for (int k = 0; k < (tuple ? counts[i - 3] : 1); ++k, ++values)
      pa_rule_add_operand(call, i, tuple ? k : -1, (MlirAttribute){NULL}, pa_rule_scalar_type(call, PA_I64));
  }
  const char *text = pa_attr_text(call->typing->arena, call->arguments[2].literal), *made = "";
  for (const char *at = text; *at; ++at) {
    int number = *at == '{' ? at[1] - '0' : -1;
    bool names = number >= 0 && number < call->count - 3;
    if (!names)
      made = pa_arena_format(call->typing->arena, "%s%c", made, *at);
    else if (counts[number] < 0)
      made = pa_arena_format(call->typing->arena, "%s{%d}", made, first[number]);
    else
      made = pa_arena_format(call->typing->arena, "%s{%d:%d}", made, first[number], counts[number]);
    if (names) at += 2;
  }
  call->plan->callee = pa_string_attr(
      call->typing->context, pa_arena_format(call->typing->arena, "%s:%s",
                                             pa_attr_text(call->typing->arena, call->arguments[1].literal), made));
  return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
}

const pa_typing_rule_row pa_library_typing[] = {
    {PA_TYPING_RAISE_IF, type_raise_if},     {PA_TYPING_ISINSTANCE, type_isinstance},
    {PA_TYPING_ISSUBDTYPE, type_issubdtype}, {PA_TYPING_TYPE, type_type},
    {PA_TYPING_TUPLE, type_tuple},           {PA_TYPING_CALLABLE, type_callable},
    {PA_TYPING_GIVEN, type_given},           {PA_TYPING_LITERALLY, type_literally},
    {PA_TYPING_PRESENT, type_present},       {PA_TYPING_TAGGED, type_tagged},
    {PA_TYPING_UNTAGGED, type_untagged},     {PA_TYPING_CLASS, type_class},
    {PA_TYPING_GETTER, type_getter},         {0, NULL},
};
