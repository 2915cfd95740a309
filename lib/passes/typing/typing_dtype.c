// dtypes as values: they are the classes of their scalars, `!pyarray.callable<"numpy.float64">`, or named by the code
// of their items,
// `!pyarray.callable<"dtype:{16,x@0:d}">`. Their attributes, and those of np.finfo and np.iinfo, are constants.
//
//   np.finfo(x).eps      !pyarray.callable<"finfo:float64">, then 2.220446049250313e-16 : f64
#include <math.h>
#include <string.h>

#include "support/record_code.h"
#include "typing_rules.h"

//===-- Which dtype -------------------------------------------------------------------------------===//

// Beside NumPy's own names and the letters below.
static const struct {
  const char *name;
  pa_scalar scalar;
} names[] = {
    {"bool_", PA_BOOL},    {"int", PA_I64},     {"int_", PA_I64},     {"intp", PA_I64},     {"intc", PA_I32},
    {"short", PA_I16},     {"byte", PA_I8},     {"long", PA_I64},     {"longlong", PA_I64}, {"uint", PA_U64},
    {"uintp", PA_U64},     {"uintc", PA_U32},   {"ushort", PA_U16},   {"ubyte", PA_U8},     {"ulong", PA_U64},
    {"ulonglong", PA_U64}, {"float", PA_F64},   {"half", PA_F16},     {"single", PA_F32},   {"double", PA_F64},
    {"complex", PA_C128},  {"csingle", PA_C64}, {"cdouble", PA_C128}, {"boolean", PA_BOOL}, {"b1", PA_BOOL},
    {"i1", PA_I8},         {"i2", PA_I16},      {"i4", PA_I32},       {"i8", PA_I64},       {"u1", PA_U8},
    {"u2", PA_U16},        {"u4", PA_U32},      {"u8", PA_U64},       {"f2", PA_F16},       {"f4", PA_F32},
    {"f8", PA_F64},        {"c8", PA_C64},      {"c16", PA_C128},     {"l", PA_I64},        {"L", PA_U64},
    {"p", PA_I64},         {"P", PA_U64},
};

// "float32", "<f4", "d".
static pa_scalar scalar_of_text(MlirStringRef text) {
  if (text.length > 1 && memchr("<=|", *text.data, 3)) ++text.data, --text.length;
  for (int scalar = 0; scalar < PA_SCALAR_COUNT; ++scalar)
    if (pa_ref_equal(text, pa_scalar_name((pa_scalar)scalar))) return (pa_scalar)scalar;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (pa_ref_equal(text, names[i].name)) return names[i].scalar;
  return text.length == 1 ? pa_scalar_from_code(*text.data) : PA_NOT_SCALAR;
}

// "dtype:{16,x@0:d}", and of from_dtype "type:{16,x@0:d}".
static bool record_of_name(const pa_typing *typing, MlirStringRef text, MlirType *out_type) {
  const char *name = pa_arena_copy(typing->arena, text.data, text.length), *code = strchr(name, ':'), *end;
  if (!code || (strncmp(name, "dtype:", 6) != 0 && strncmp(name, "type:{", 6) != 0 && strncmp(name, "type:x", 6) != 0))
    return false;
  end = pa_item_code_end(code + 1, NULL);
  bool vector = code[1] == 'x';
  return end && !*end &&
         (*out_type =
              vector ? pa_vector_type(typing->context, code + 1) : pa_record_type(typing->context, code + 1, false),
          true);
}

bool pa_dtype_of(const pa_typing *typing, pa_fact fact, MlirType *out_type) {
  bool callable = pyarrayTypeIsCallable(fact.type), str = pyarrayTypeIsStr(fact.type);
  MlirAttribute name = callable ? pyarrayCallableTypeGetName(fact.type) : str ? fact.literal : mlirAttributeGetNull();
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name)) return false;
  MlirStringRef text = mlirStringAttrGetValue(name);
  if (callable && record_of_name(typing, text, out_type)) return true;
  const pa_builtin *class = callable ? pa_builtin_find(text) : NULL;
  if (class && class->typing == PA_TYPING_VECTOR)
    return *out_type = pa_vector_type(typing->context, class->target), true;
  if (class && class->typing == PA_TYPING_CAST_BF16) return *out_type = pa_scalar_type(typing->context, PA_BF16), true;
  if (callable) { // "numpy.float64", "builtins.float", "pyarray.float64"
    const char *dot = memchr(text.data, '.', text.length);
    if (!dot) return false;
    MlirStringRef module = mlirStringRefCreate(text.data, (size_t)(dot - text.data));
    if (!pa_ref_equal(module, "numpy") && !pa_ref_equal(module, "builtins") && !pa_ref_equal(module, "pyarray"))
      return false;
    text = mlirStringRefCreate(dot + 1, (size_t)(text.data + text.length - dot - 1));
  }
  pa_time time;
  if (pa_time_from_dtype(text, &time)) return *out_type = pa_time_type(typing->context, time), true;
  if (!callable && pa_text_of_dtype(typing, text, out_type)) return true;
  pa_scalar scalar = scalar_of_text(text);
  return scalar != PA_NOT_SCALAR && (*out_type = pa_scalar_type(typing->context, scalar), true);
}

pa_status pa_dtype_argument(const pa_rule_call *call, int i, MlirType *out_type) {
  pa_fact given = call->arguments[i];
  if (pa_dtype_of(call->typing, given, out_type)) {
    pa_builtin_typing rule = call->builtin->typing;
    bool own = rule == PA_TYPING_DEVICE_ARRAY || rule == PA_TYPING_DTYPE; // dtypes of kernels
    return pa_is_vector(*out_type) && !own ? pa_rule_wrong_type(call, i, "a dtype of numbers") : PA_OK;
  }
  if (mlirTypeIsNull(given.type) || !pyarrayTypeIsStr(given.type))
    return pa_rule_wrong_type(call, i, "a dtype such as np.float64");
  if (mlirAttributeIsNull(given.literal))
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "%s: a dtype as text must be a literal\nhint: write it where it is used, or pass a.dtype",
                          call->builtin->name);
  MlirStringRef text = mlirStringAttrGetValue(given.literal);
  return pa_typing_fail(call->typing, PA_CODE_TYPING,
                        "%s: '%.*s' is no dtype that compiled code has\nhint: write one such as np.float64 or \"f8\"",
                        call->builtin->name, (int)text.length, text.data);
}

// As a value.
static MlirType dtype_value(const pa_typing *typing, MlirType element) {
  bool boolean = pa_scalar_of(element) == PA_BOOL;
  const char *name = pa_is_record(element) || pa_is_vector(element)
                         ? pa_arena_format(typing->arena, "dtype:%s", pa_item_code_of(typing->arena, element))
                     : boolean ? "numpy.bool_"
                               : pa_arena_format(typing->arena, "numpy.%s", pa_type_text(typing->arena, element));
  return pyarrayCallableTypeGet(pa_string_attr(typing->context, name));
}

static pa_fact callable_fact(MlirType callable) { return pa_fact_known(callable, mlirTypeAttrGet(callable)); }
pa_fact pa_dtype_fact(const pa_typing *typing, MlirType element) { return callable_fact(dtype_value(typing, element)); }

//===-- Constants ---------------------------------------------------------------------------------===//

static pa_fact int_fact(const pa_typing *typing, int64_t value) {
  MlirType type = pa_scalar_type(typing->context, PA_I64);
  return pa_fact_known(type, mlirIntegerAttrGet(type, value));
}

static pa_fact text_fact(const pa_typing *typing, const char *text) {
  return pa_fact_known(pyarrayStrTypeGet(typing->context), pa_string_attr(typing->context, text));
}

static pa_fact float_fact(const pa_typing *typing, pa_scalar scalar, double value) {
  MlirType type = pa_scalar_type(typing->context, scalar);
  return pa_fact_known(type, mlirFloatAttrDoubleGet(typing->context, type, value));
}

// np.finfo of a float: what follows from the bits of its exponent and its mantissa.
static bool finfo_attribute(const pa_typing *typing, pa_scalar scalar, const char *name, pa_fact *out) {
  int bits = 8 * pa_scalar_bytes(scalar),
      mantissa = scalar == PA_BF16 ? 7
                 : bits == 16      ? 10
                 : bits == 32      ? 23
                                   : 52,
      exponent = bits - 1 - mantissa;
  int highest = 1 << (exponent - 1), lowest = 2 - highest, digits = (int)(mantissa * 0.30102999566398120);
  double largest = (2 - ldexp(1, -mantissa)) * ldexp(1, highest - 1);
  const struct {
    const char *name;
    int value;
  } ints[] = {{"bits", bits},     {"nmant", mantissa},   {"nexp", exponent},
              {"iexp", exponent}, {"machep", -mantissa}, {"negep", -mantissa - 1},
              {"minexp", lowest}, {"maxexp", highest},   {"precision", digits}};
  const struct {
    const char *name;
    double value;
  } floats[] = {{"eps", ldexp(1, -mantissa)},
                {"epsneg", ldexp(1, -mantissa - 1)},
                {"max", largest},
                {"min", -largest},
                {"tiny", ldexp(1, lowest)},
                {"smallest_normal", ldexp(1, lowest)},
                {"smallest_subnormal", ldexp(1, lowest - mantissa)},
                {"resolution", pow(10, -digits)}};
  for (size_t i = 0; i < sizeof ints / sizeof *ints; ++i)
    if (strcmp(name, ints[i].name) == 0) return *out = int_fact(typing, ints[i].value), true;
  for (size_t i = 0; i < sizeof floats / sizeof *floats; ++i)
    if (strcmp(name, floats[i].name) == 0) return *out = float_fact(typing, scalar, floats[i].value), true;
  return strcmp(name, "dtype") == 0 && (*out = pa_dtype_fact(typing, pa_scalar_type(typing->context, scalar)), true);
}

static bool iinfo_attribute(const pa_typing *typing, pa_scalar scalar, const char *name, pa_fact *out) {
  int bits = 8 * pa_scalar_bytes(scalar);
  bool is_signed = pa_is_signed(scalar);
  uint64_t most = ~(uint64_t)0 >> (64 - bits + is_signed);
  MlirType large = pa_scalar_type(typing->context, PA_U64);
  if (strcmp(name, "bits") == 0)
    *out = int_fact(typing, bits);
  else if (strcmp(name, "min") == 0)
    *out = int_fact(typing, is_signed ? -(int64_t)most - 1 : 0);
  else if (strcmp(name, "max") == 0)
    *out = scalar == PA_U64 ? pa_fact_known(large, mlirIntegerAttrGet(large, -1)) : int_fact(typing, (int64_t)most);
  else if (strcmp(name, "kind") == 0)
    *out = text_fact(typing, is_signed ? "i" : "u");
  else if (strcmp(name, "dtype") == 0)
    *out = pa_dtype_fact(typing, pa_scalar_type(typing->context, scalar));
  else
    return false;
  return true;
}

//===-- Attributes of dtypes ----------------------------------------------------------------------===//

// ORDER SCALAR: NumPy's kind, letter and number.
static const struct {
  char kind, letter;
  int number;
} numpy_types[] = {[PA_BOOL] = {'b', '?', 0},   [PA_I8] = {'i', 'b', 1},   [PA_I16] = {'i', 'h', 3},
                   [PA_I32] = {'i', 'i', 5},    [PA_I64] = {'i', 'l', 7},  [PA_U8] = {'u', 'B', 2},
                   [PA_U16] = {'u', 'H', 4},    [PA_U32] = {'u', 'I', 6},  [PA_U64] = {'u', 'L', 8},
                   [PA_BF16] = {'V', 'E', 256}, [PA_F16] = {'f', 'e', 23}, [PA_F32] = {'f', 'f', 11},
                   [PA_F64] = {'f', 'd', 12},   [PA_C64] = {'c', 'F', 14}, [PA_C128] = {'c', 'D', 15}};

static bool of_any_dtype(const pa_typing *typing, MlirType element, int size, int alignment, const char *name,
                         pa_fact *out) {
  if (strcmp(name, "itemsize") == 0)
    *out = int_fact(typing, size);
  else if (strcmp(name, "alignment") == 0)
    *out = int_fact(typing, alignment);
  else if (strcmp(name, "ndim") == 0)
    *out = int_fact(typing, 0);
  else if (strcmp(name, "base") == 0)
    *out = pa_dtype_fact(typing, element);
  else
    return false;
  return true;
}

static bool of_number(const pa_typing *typing, pa_scalar scalar, const char *name, pa_fact *out) {
  int size = pa_scalar_bytes(scalar);
  MlirType element = pa_scalar_type(typing->context, scalar);
  char kind = numpy_types[scalar].kind, letter = numpy_types[scalar].letter, order = size == 1 ? '|' : '<';
  if (strcmp(name, "kind") == 0)
    *out = text_fact(typing, pa_arena_format(typing->arena, "%c", kind));
  else if (strcmp(name, "char") == 0)
    *out = text_fact(typing, pa_arena_format(typing->arena, "%c", letter));
  else if (strcmp(name, "name") == 0)
    *out = text_fact(typing, pa_scalar_name(scalar));
  else if (strcmp(name, "str") == 0)
    *out = text_fact(typing, pa_arena_format(typing->arena, "%c%c%d", order, kind, size));
  else if (strcmp(name, "byteorder") == 0)
    *out = text_fact(typing, size == 1 ? "|" : "=");
  else if (strcmp(name, "num") == 0)
    *out = int_fact(typing, numpy_types[scalar].number);
  else if (strcmp(name, "type") == 0)
    *out = pa_dtype_fact(typing, element);
  else
    return of_any_dtype(typing, element, size, pa_is_complex(scalar) ? size / 2 : size, name, out);
  return true;
}

static bool of_time(const pa_typing *typing, MlirType element, const char *name, pa_fact *out) {
  pa_time time;
  pa_time_of(element, &time);
  if (strcmp(name, "kind") == 0 || strcmp(name, "char") == 0)
    *out = text_fact(typing, time.delta ? "m" : "M");
  else if (strcmp(name, "name") == 0)
    *out = text_fact(typing, pa_type_text(typing->arena, element));
  else if (strcmp(name, "num") == 0)
    *out = int_fact(typing, time.delta ? 22 : 21);
  else
    return of_any_dtype(typing, element, 8, 8, name, out);
  return true;
}

static bool of_item(const pa_typing *typing, MlirType element, const char *name, pa_fact *out) {
  const char *code = pa_item_code_of(typing->arena, element), *kind = *code == '{' || *code == 'x' ? "V"
                                                                      : *code == 'z'               ? "S"
                                                                                                   : "U";
  int64_t size = 0;
  pa_item_code_end(code, &size);
  if (strcmp(name, "kind") == 0 || strcmp(name, "char") == 0)
    *out = text_fact(typing, kind);
  else if (strcmp(name, "num") == 0)
    *out = int_fact(typing, *kind == 'V' ? 20 : *kind == 'S' ? 18 : 19);
  else if (strcmp(name, "alignment") == 0)
    return false; // NumPy's depends on how the dtype was made
  else
    return of_any_dtype(typing, element, (int)size, 1, name, out);
  return true;
}

bool pa_dtype_attribute(const pa_typing *typing, pa_fact object, const char *name, pa_fact *out) {
  MlirAttribute callable =
      pyarrayTypeIsCallable(object.type) ? pyarrayCallableTypeGetName(object.type) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(callable) || !mlirAttributeIsAString(callable)) return false;
  MlirStringRef text = mlirStringAttrGetValue(callable);
  if (text.length > 6 && memcmp(text.data + 1, "info:", 5) == 0) {
    pa_scalar scalar = scalar_of_text(mlirStringRefCreate(text.data + 6, text.length - 6));
    if (*text.data == 'f' && pa_is_float(scalar)) return finfo_attribute(typing, scalar, name, out);
    return *text.data == 'i' && pa_is_integer(scalar) && iinfo_attribute(typing, scalar, name, out);
  }
  MlirType element;
  if (!pa_dtype_of(typing, object, &element)) return false;
  bool item = pa_is_record(element) || pa_is_vector(element);
  const char *number = item ? pa_item_code_of(typing->arena, element) : NULL;
  if (number && pa_is_scalar_code(number)) // of an array whose numbers lie anywhere
    element = pa_type_from_code(typing->context, &number);
  else if (item)
    return of_item(typing, element, name, out);
  return pa_is_time(element) ? of_time(typing, element, name, out)
                             : of_number(typing, pa_scalar_of(element), name, out);
}

// Those of NumPy's scalars that real and imag are not.
bool pa_scalar_attribute(const pa_typing *typing, MlirType type, const char *name, pa_fact *out) {
  pa_scalar scalar = pa_scalar_of(type);
  int size = scalar == PA_NOT_SCALAR ? 8 : pa_scalar_bytes(scalar);
  bool integer = scalar == PA_BOOL || pa_is_integer(scalar);
  if (strcmp(name, "dtype") == 0)
    *out = pa_dtype_fact(typing, type);
  else if (strcmp(name, "itemsize") == 0 || strcmp(name, "nbytes") == 0)
    *out = int_fact(typing, size);
  else if (strcmp(name, "ndim") == 0)
    *out = int_fact(typing, 0);
  else if (strcmp(name, "size") == 0)
    *out = int_fact(typing, 1);
  else if (strcmp(name, "shape") == 0)
    *out = pa_fact_of(mlirTupleTypeGet(typing->context, 0, NULL));
  else if (strcmp(name, "T") == 0)
    *out = pa_fact_of(type);
  else if (integer && strcmp(name, "numerator") == 0)
    *out = pa_fact_of(pa_scalar_type(typing->context, scalar == PA_BOOL ? PA_I64 : scalar));
  else if (integer && strcmp(name, "denominator") == 0)
    *out = int_fact(typing, 1);
  else
    return false;
  return true;
}

//===-- Calls -------------------------------------------------------------------------------------===//

static pa_status finish_callable(pa_rule_call *call, MlirType callable) {
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirTypeAttrGet(callable);
  return pa_rule_finish(call, callable);
}

static pa_status type_dtype(pa_rule_call *call) {
  MlirType element;
  PA_TRY(pa_dtype_argument(call, 0, &element));
  return finish_callable(call, dtype_value(call->typing, element));
}

// np.finfo and np.iinfo, of a dtype or of a value.
static pa_status type_info(pa_rule_call *call) {
  pa_fact given = call->arguments[0];
  MlirType element = pyarrayTypeIsArray(given.type) ? pyarrayArrayTypeGetElement(given.type) : given.type;
  if (pa_scalar_of(element) == PA_NOT_SCALAR) PA_TRY(pa_dtype_argument(call, 0, &element));
  bool floats = *call->builtin->target == 'f';
  pa_scalar scalar = pa_scalar_of(element);
  if (floats && pa_is_complex(scalar)) scalar = scalar == PA_C64 ? PA_F32 : PA_F64;
  if (floats ? !pa_is_float(scalar) : !pa_is_integer(scalar))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s is of %s dtypes, not of %s", call->builtin->name,
                          floats ? "inexact" : "integer", pa_rule_text_of(call, element));
  return finish_callable(
      call, pyarrayCallableTypeGet(
                pa_string_attr(call->typing->context, pa_arena_format(call->typing->arena, "%sinfo:%s",
                                                                      floats ? "f" : "i", pa_scalar_name(scalar)))));
}

// The dtype of a value that promotion counts, or one that is named: of numbers, text or records.
static pa_status element_argument(const pa_rule_call *call, int i, MlirType *out) {
  MlirType type = call->arguments[i].type;
  *out = pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type)
         : pa_is_records(type)    ? pa_dtype_of_records(call->typing, type)
                                  : type;
  if (pa_scalar_of(*out) == PA_NOT_SCALAR && !pa_is_record(*out)) PA_TRY(pa_dtype_argument(call, i, out));
  if (pa_is_record(*out)) *out = pa_dtype_of_records(call->typing, *out);
  return pa_scalar_of(*out) == PA_NOT_SCALAR && !pa_is_record(*out) ? pa_rule_wrong_type(call, i, "a dtype of numbers")
                                                                    : PA_OK;
}

static MlirType promote(const pa_typing *typing, MlirType a, MlirType b) {
  pa_scalar x = pa_scalar_of(a), y = pa_scalar_of(b);
  if (x != PA_NOT_SCALAR && y != PA_NOT_SCALAR) return pa_scalar_type(typing->context, pa_promote(x, y));
  return pa_is_record(a) && pa_is_record(b) ? pa_promote_items(typing, a, b) : (MlirType){NULL};
}

static pa_status type_promote(pa_rule_call *call) {
  MlirType element, common = {NULL};
  if (!call->count) return pa_typing_fail(call->typing, PA_CODE_TYPING, "at least one array or dtype is required");
  for (int i = 0; i < call->count; ++i) {
    PA_TRY(element_argument(call, i, &element));
    common = i ? promote(call->typing, common, element) : element;
    if (mlirTypeIsNull(common)) return pa_rule_wrong_type(call, i, "a dtype that has one in common with the others");
  }
  return finish_callable(call, dtype_value(call->typing, common));
}

// x.astype(dtype) of a number.
static pa_status type_scalar_astype(pa_rule_call *call) {
  MlirType to;
  PA_TRY(pa_dtype_argument(call, 1, &to));
  PA_TRY(pa_rule_need_number(call, 0));
  if (pa_scalar_of(to) == PA_NOT_SCALAR) return pa_rule_wrong_type(call, 1, "a dtype of numbers");
  if (pa_is_complex(pa_rule_scalar_of(call, 0)) && !pa_is_complex(pa_scalar_of(to)) && pa_scalar_of(to) != PA_BOOL)
    return pa_rule_wrong_type(call, 0, "a real number");
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, to);
  return pa_rule_finish(call, to);
}

// x.view(dtype) of a number: the same bits.
static pa_status type_scalar_view(pa_rule_call *call) {
  MlirType to;
  PA_TRY(pa_dtype_argument(call, 1, &to));
  pa_scalar from = pa_rule_scalar_of(call, 0), scalar = pa_scalar_of(to);
  if (scalar == PA_NOT_SCALAR || pa_is_complex(from) != pa_is_complex(scalar) || from == PA_BOOL || scalar == PA_BOOL ||
      pa_scalar_bytes(from) != pa_scalar_bytes(scalar))
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "a view of %s as %s is not compiled\nhint: both are real numbers of one size",
                          pa_rule_text_of(call, call->arguments[0].type), pa_rule_text_of(call, to));
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish(call, to);
}

static pa_status type_itself(pa_rule_call *call) {
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish(call, call->arguments[0].type);
}

static bool is_text(MlirType type) { return pyarrayTypeIsStr(type) || pyarrayTypeIsBytes(type); }

// What sequences within sequences hold, and how deep: lists, deques, tuples and ranges. The elements of a tuple are
// promoted; null where they have no dtype in common, or one of them is no number.
static MlirType items_of(const pa_typing *typing, MlirType type, intptr_t *out_depth) {
  MlirType erased = pa_erased_type(type), item = {NULL};
  *out_depth = 0;
  if (pa_is_records(type)) return *out_depth = pa_records_rank(type), pa_dtype_of_records(typing, type);
  if (pyarrayTypeIsArray(erased))
    return *out_depth = pyarrayArrayTypeGetRank(erased), pyarrayArrayTypeGetElement(erased);
  if (pa_scalar_of(erased) != PA_NOT_SCALAR || pa_is_time(erased) || is_text(erased)) return erased;
  if (pyarrayTypeIsRange(erased)) return *out_depth = 1, pa_scalar_type(typing->context, PA_I64);
  if (pyarrayTypeIsList(erased)) {
    MlirType own = pyarrayTypeGetItem(pyarrayTypeIsList(type) ? type : erased);
    if (pyarrayTypeIsNone(own) || pyarrayTypeIsAny(own)) // nothing is put into it
      return *out_depth = 1, pa_scalar_type(typing->context, PA_F64);
    item = items_of(typing, own, out_depth);
    ++*out_depth;
    return item;
  }
  if (!mlirTypeIsATuple(erased)) return item;
  intptr_t count = mlirTupleTypeGetNumTypes(erased), deepest = 0, depth;
  if (count == 0) item = pa_scalar_type(typing->context, PA_F64); // as NumPy has it
  for (intptr_t i = 0; i < count; ++i) {
    MlirType next = items_of(typing, mlirTupleTypeGetType(mlirTypeIsATuple(type) ? type : erased, i), &depth);
    if (mlirTypeIsNull(next) || (i && depth != deepest)) return (MlirType){NULL};
    item = !i || mlirTypeEqual(item, next) ? next : promote(typing, item, next);
    if (mlirTypeIsNull(item)) return item;
    deepest = depth;
  }
  return *out_depth = deepest + 1, item;
}

// Of what is joined: parts that are not known yet are taken for empty ones, so that functions that join what they have
// joined themselves come to an end.
static pa_status type_parts_dtype(pa_rule_call *call) {
  intptr_t depth;
  MlirType element = items_of(call->typing, call->arguments[0].type, &depth);
  if (!mlirTypeIsNull(element) && is_text(element))
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "the dtype of text is not known when the function is compiled\nhint: name it: "
                          "np.array(words, 'U8')");
  if (mlirTypeIsNull(element))
    return pa_typing_fail(
        call->typing, PA_CODE_TYPING,
        "%s has no dtype of numbers\nhint: arrays are made of lists, tuples and ranges of numbers, nested equally deep",
        pa_rule_text_of(call, call->arguments[0].type));
  return finish_callable(call, dtype_value(call->typing, element));
}

static pa_status type_items_dtype(pa_rule_call *call) {
  return pa_rule_awaits_items(call) ? pa_finish_fact(call, (pa_fact){0}) : type_parts_dtype(call);
}

static pa_status type_ndim(pa_rule_call *call) {
  MlirType type = pa_erased_type(call->arguments[0].type);
  intptr_t depth;
  if (pa_rule_awaits_items(call)) return pa_finish_fact(call, (pa_fact){0});
  if (!pa_is_records(call->arguments[0].type) && !mlirTypeIsNull(items_of(call->typing, type, &depth))) {
    pa_fact nested = int_fact(call->typing, depth);
    call->plan->kind = PA_PLAN_LITERAL;
    call->plan->literal = nested.literal;
    return pa_rule_finish(call, nested.type);
  }
  bool array = pyarrayTypeIsArray(type);
  if (!array && pa_rule_scalar_of(call, 0) == PA_NOT_SCALAR && !pa_is_time(type))
    return pa_rule_wrong_type(call, 0, "a number or an array");
  intptr_t rank = pa_is_records(call->arguments[0].type) ? pa_records_rank(call->arguments[0].type)
                  : array                                ? pyarrayArrayTypeGetRank(type)
                                                         : 0;
  pa_fact result = int_fact(call->typing, rank);
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = result.literal;
  return pa_rule_finish(call, result.type);
}

const pa_typing_rule_row pa_dtype_typing[] = {
    {PA_TYPING_DTYPE, type_dtype},
    {PA_TYPING_INFO, type_info},
    {PA_TYPING_PROMOTE, type_promote},
    {PA_TYPING_SCALAR_ASTYPE, type_scalar_astype},
    {PA_TYPING_SCALAR_VIEW, type_scalar_view},
    {PA_TYPING_ITSELF, type_itself},
    {PA_TYPING_ITEMS_DTYPE, type_items_dtype},
    {PA_TYPING_PARTS_DTYPE, type_parts_dtype},
    {PA_TYPING_NDIM, type_ndim},
    {0, NULL},
};
