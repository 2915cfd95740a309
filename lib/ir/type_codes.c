// Types as text that the parts in C and Python exchange (support/type_code.h), to MLIR and back.
#include <stdlib.h>
#include <string.h>

#include "ir.h"
#include "support/type_code.h"

enum { PA_MAX_RANK = PA_TYPE_MAX_RANK };

// A number or time.
static MlirType element_from_code(MlirContext context, const char **code) {
  pa_time time;
  if (pa_time_from_code(code, &time)) return pa_time_type(context, time);
  pa_scalar scalar = pa_scalar_from_code(**code);
  if (scalar == PA_NOT_SCALAR) return (MlirType){NULL};
  ++*code;
  return pa_scalar_type(context, scalar);
}

static MlirType array_from_code(MlirContext context, const char **code) {
  char layout = *(*code)++;
  const char *known = layout ? strchr("CFAB", layout & ~0x20) : NULL; // lower case: readonly
  if (!known) return (MlirType){NULL};
  int rank = 0;
  for (; **code >= '0' && **code <= '9'; ++*code) {
    rank = 10 * rank + (**code - '0');
    if (rank > PA_MAX_RANK) return (MlirType){NULL};
  }
  bool bytes = *known == 'B' || (**code && strchr("{zZx", **code));
  if (bytes)
    return pa_records_from_code(context, code, rank, *known == 'C' ? PYARRAY_LAYOUT_C : PYARRAY_LAYOUT_A,
                                layout >= 'a');
  MlirType element = element_from_code(context, code);
  if (mlirTypeIsNull(element)) return element;
  int64_t shape[PA_MAX_RANK];
  for (int i = 0; i < rank; ++i) shape[i] = mlirShapedTypeGetDynamicSize();
  pyarray_layout order = *known == 'C' ? PYARRAY_LAYOUT_C : *known == 'F' ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_A;
  return pyarrayArrayTypeGet(context, rank, shape, element, order, layout >= 'a');
}

static MlirType tuple_from_code(MlirContext context, const char **code) {
  MlirType *elements = NULL, tuple = {NULL};
  intptr_t count = 0, capacity = 0;
  while (**code && **code != ')' && count < PA_TYPE_MAX_ELEMENTS) {
    if (count == capacity) {
      capacity = capacity ? 2 * capacity : 16;
      MlirType *grown = realloc(elements, (size_t)capacity * sizeof *elements);
      if (!grown) pa_abandon_for_memory();
      elements = grown;
    }
    elements[count] = pa_type_from_code(context, code);
    if (mlirTypeIsNull(elements[count++])) break;
  }
  bool whole = **code == ')' && (count == 0 || !mlirTypeIsNull(elements[count - 1]));
  if (whole) {
    ++*code;
    tuple = mlirTupleTypeGet(context, count, elements);
  }
  free(elements);
  return tuple;
}

static MlirType pointer_from_code(MlirContext context, const char **code);

// "(di)d" and ":(dq)d", as a pointer that means a function of C, or a value of a FunctionType.
static MlirType function_from_code(MlirContext context, const char **code) {
  const char *start = *code - 1;
  bool is_value = **code == ':';
  pa_type type;
  const char *end = pa_type_next(start, &type);
  if (!end) return (MlirType){NULL};
  *code += is_value;
  MlirAttribute signature = mlirStringAttrGet(context, mlirStringRefCreate(*code, (size_t)(end - *code)));
  *code = end;
  return pyarrayTaggedTypeGet(pa_ref(is_value ? "function value" : "c function"), signature,
                              pyarrayPointerTypeGet(pyarrayNoneTypeGet(context)));
}

static MlirType pointer_from_code(MlirContext context, const char **code) {
  if (**code == '(' || **code == ':') return function_from_code(context, code);
  if (**code == '{') {
    MlirType record = pa_record_from_code(context, code);
    return mlirTypeIsNull(record) ? record : pyarrayPointerTypeGet(record);
  }
  pa_scalar scalar = pa_scalar_from_code(**code);
  if (scalar == PA_NOT_SCALAR && **code != 'n') return (MlirType){NULL};
  ++*code;
  return pyarrayPointerTypeGet(scalar == PA_NOT_SCALAR ? pyarrayNoneTypeGet(context) : pa_scalar_type(context, scalar));
}

// |letter|: L, X, S, T, O, G, or K, which a value follows.
static MlirType holder_from_code(MlirContext context, char letter, const char **code) {
  MlirType item = pa_type_from_code(context, code);
  if (mlirTypeIsNull(item)) return item;
  if (letter == 'L') return pyarrayListTypeGet(item);
  if (letter == 'S') return pyarraySetTypeGet(item);
  if (letter == 'X') return pyarrayDequeTypeGet(item);
  if (letter == 'T') return pyarrayFrozenSetTypeGet(item);
  if (letter == 'O') return pyarrayOptionalTypeGet(item);
  if (letter == 'G') return pyarrayGeneratorTypeGet(item);
  MlirType value = pa_type_from_code(context, code);
  return mlirTypeIsNull(value) ? value : pyarrayDictTypeGet(item, value);
}

// "[module:Class#0]"
static MlirType instance_from_code(MlirContext context, const char **code) {
  const char *name = *code + 1, *end = **code == '[' ? strchr(name, ']') : NULL;
  if (!end) return (MlirType){NULL};
  *code = end + 1;
  return pyarrayObjectTypeGet(context, mlirStringRefCreate(name, (size_t)(end - name)));
}

// "[12]": a compiled function that is an argument.
static MlirType passed_from_code(MlirContext context, const char **code) {
  const char *end = **code == '[' ? strchr(*code, ']') : NULL;
  if (!end) return (MlirType){NULL};
  MlirAttribute number = mlirStringAttrGet(context, mlirStringRefCreate(*code + 1, (size_t)(end - *code - 1)));
  *code = end + 1;
  return pyarrayTaggedTypeGet(pa_ref("passed"), number, mlirTupleTypeGet(context, 0, NULL));
}

static int in_order(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// "[3,12]": one of several compiled functions, in the order of their types' texts (infer_choice.c).
static MlirType functions_from_code(MlirContext context, const char **code) {
  enum { MOST = 256, DIGITS = 20 };
  char digits[MOST][DIGITS + 1], *numbers[MOST];
  MlirAttribute members[MOST];
  intptr_t count = 0;
  if (**code != '[') return (MlirType){NULL};
  for (const char *at = *code + 1; count < MOST; ++count, ++at) {
    size_t length = strspn(at, "0123456789");
    if (!length || length > DIGITS) return (MlirType){NULL};
    numbers[count] = memcpy(digits[count], at, length);
    digits[count][length] = '\0';
    at += length;
    if (*at == ',') continue;
    if (*at != ']') return (MlirType){NULL};
    *code = at + 1;
    qsort(numbers, (size_t)++count, sizeof *numbers, in_order);
    for (intptr_t i = 0; i < count; ++i)
      members[i] = mlirTypeAttrGet(
          pyarrayTaggedTypeGet(pa_ref("passed"), mlirStringAttrGet(context, mlirStringRefCreateFromCString(numbers[i])),
                               mlirTupleTypeGet(context, 0, NULL)));
    return pyarrayTaggedTypeGet(pa_ref("choice"), mlirArrayAttrGet(context, count, members),
                                pa_scalar_type(context, PA_I64));
  }
  return (MlirType){NULL};
}

// Functions that Python passed; false where there are others among them.
static bool functions_to_code(pa_string *out, MlirType type) {
  MlirAttribute members = pyarrayTaggedTypeGetTag(type);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(members); ++i) {
    MlirType member = mlirTypeAttrGetValue(mlirArrayAttrGetElement(members, i));
    if (!pa_is_tagged(member, "passed")) return false;
    MlirStringRef number = mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(member));
    pa_string_format(out, "%s%.*s", i ? "," : "p[", (int)number.length, number.data);
  }
  return pa_string_puts(out, "]"), true;
}

// Whether "[name]" comes, over which |*code| moves on.
static bool name_from_code(MlirContext context, const char **code, MlirAttribute *out_name) {
  const char *name = *code + 1, *end = **code == '[' ? strchr(name, ']') : NULL;
  if (!end) return false;
  *code = end + 1;
  return *out_name = mlirStringAttrGet(context, mlirStringRefCreate(name, (size_t)(end - name))), true;
}

// "[module:Point#0](dd)"
static MlirType named_tuple_from_code(MlirContext context, const char **code) {
  MlirAttribute name;
  if (!name_from_code(context, code, &name) || **code != '(') return (MlirType){NULL};
  ++*code;
  MlirType tuple = tuple_from_code(context, code);
  return mlirTypeIsNull(tuple) ? tuple : pyarrayTaggedTypeGet(pa_ref("namedtuple"), name, tuple);
}

// ORDER ENUMS
static const struct {
  const char *kind, *letters;
} enums[] = {{"enum", "E"}, {"int enum", "E+"}, {"flag", "E|"}};

// "+[module:Color#0]"
static MlirType enum_from_code(MlirContext context, const char **code) {
  MlirAttribute name;
  int which = **code == enums[1].letters[1] ? 1 : **code == enums[2].letters[1] ? 2 : 0;
  *code += which > 0;
  return name_from_code(context, code, &name)
             ? pyarrayTaggedTypeGet(pa_ref(enums[which].kind), name, pa_scalar_type(context, PA_I64))
             : (MlirType){NULL};
}

// "[scale,n](dq)"
static MlirType keywords_from_code(MlirContext context, const char **code) {
  MlirAttribute text, few[16], *names = few;
  if (!name_from_code(context, code, &text) || **code != '(') return (MlirType){NULL};
  MlirStringRef rest = mlirStringAttrGetValue(text);
  intptr_t count = 0;
  if (rest.length > 2 * 16) names = pa_allocate(rest.length * sizeof *names);
  while (rest.length) {
    const char *comma = memchr(rest.data, ',', rest.length);
    size_t length = comma ? (size_t)(comma - rest.data) : rest.length, skip = length + (comma != NULL);
    names[count++] = mlirStringAttrGet(context, mlirStringRefCreate(rest.data, length));
    rest = mlirStringRefCreate(rest.data + skip, rest.length - skip);
  }
  ++*code;
  MlirType tuple = tuple_from_code(context, code);
  bool fits = !mlirTypeIsNull(tuple) && mlirTupleTypeGetNumTypes(tuple) == count;
  MlirType type = fits ? pyarrayTaggedTypeGet(pa_ref("keywords"), mlirArrayAttrGet(context, count, names), tuple)
                       : (MlirType){NULL};
  if (names != few) free(names);
  return type;
}

// "[counter]KUq"; the name of a defaultdict is that of its factory.
static MlirType dict_class_from_code(MlirContext context, const char **code) {
  MlirAttribute name;
  if (!name_from_code(context, code, &name) || *(*code)++ != 'K') return (MlirType){NULL};
  MlirType dict = holder_from_code(context, 'K', code);
  bool is_factory = strncmp(mlirStringAttrGetValue(name).data, "builtins.", 9) == 0;
  if (mlirTypeIsNull(dict)) return dict;
  return pyarrayTaggedTypeGet(is_factory ? pa_ref("defaultdict") : mlirStringAttrGetValue(name),
                              is_factory ? mlirTypeAttrGet(pyarrayCallableTypeGet(name)) : pa_unit_attr(context), dict);
}

// "qqn"
static MlirType slice_from_code(MlirContext context, const char **code) {
  MlirType parts[3];
  for (int i = 0; i < 3; ++i, ++*code) {
    if (**code != 'q' && **code != 'n') return (MlirType){NULL};
    parts[i] = **code == 'q' ? pa_scalar_type(context, PA_I64) : pyarrayNoneTypeGet(context);
  }
  return pyarraySliceTypeGet(parts[0], parts[1], parts[2]);
}

// "x(ffff)"
static MlirType vector_from_code(MlirContext context, const char **code) {
  pa_type type;
  const char *start = *code, *end = pa_type_next(start, &type);
  if (!end) return (MlirType){NULL};
  *code = end;
  return pa_vector_type(context, start);
}

// "[float]", a class of Python's, or "[Ellipsis]".
static MlirType class_from_code(MlirContext context, const char **code) {
  const char *start = *code + 1;
  size_t length = strcspn(start, "]");
  pa_string name = {0};
  pa_string_puts(&name, "builtins.");
  pa_string_append(&name, start, length);
  *code = start + length + (start[length] == ']');
  MlirType type =
      pyarrayCallableTypeGet(mlirStringAttrGet(context, mlirStringRefCreate(pa_string_text(&name), name.length)));
  pa_string_free(&name);
  return type;
}

// "d" as the class that its dtype is named by, "{16,...}" as a dtype.
static MlirType dtype_from_code(MlirContext context, const char **code) {
  if (**code == '[') return class_from_code(context, code);
  const char *start = *code;
  MlirType item = *start == '{'   ? pa_record_from_code(context, code)
                  : *start == 'x' ? vector_from_code(context, code)
                                  : element_from_code(context, code);
  if (mlirTypeIsNull(item)) return item;
  pa_string name = {0};
  if (*start == '{' || *start == 'x') {
    pa_string_puts(&name, "dtype:");
    pa_string_append(&name, start, (size_t)(*code - start));
  } else {
    pa_string_puts(&name, pa_scalar_of(item) == PA_BOOL ? "numpy.bool_" : "numpy.");
    if (pa_scalar_of(item) != PA_BOOL) pa_type_name(&name, item);
  }
  MlirType type =
      pyarrayCallableTypeGet(mlirStringAttrGet(context, mlirStringRefCreate(pa_string_text(&name), name.length)));
  pa_string_free(&name);
  return type;
}

// The other way round; false for what is no dtype.
static bool dtype_to_code(pa_string *out, MlirType callable) {
  MlirAttribute name = pyarrayCallableTypeGetName(callable);
  MlirStringRef text = mlirAttributeIsAString(name) ? mlirStringAttrGetValue(name) : pa_ref("");
  if (text.length > 6 && memcmp(text.data, "dtype:", 6) == 0) {
    pa_string_puts(out, "t");
    return pa_string_append(out, text.data + 6, text.length - 6), true;
  }
  static const char *const names[] = {"bool", "int", "float", "complex", "str", "Ellipsis"};
  for (size_t i = 0; text.length > 9 && memcmp(text.data, "builtins.", 9) == 0 && i < sizeof names / sizeof *names; ++i)
    if (pa_ref_equal(mlirStringRefCreate(text.data + 9, text.length - 9), names[i]))
      return pa_string_format(out, "t[%s]", names[i]), true;
  if (text.length < 7 || memcmp(text.data, "numpy.", 6) != 0) return false;
  text = mlirStringRefCreate(text.data + 6, text.length - 6);
  for (int scalar = 0; scalar < PA_SCALAR_COUNT; ++scalar) {
    bool is = scalar == PA_BOOL ? pa_ref_equal(text, "bool_") : pa_ref_equal(text, pa_scalar_name((pa_scalar)scalar));
    if (is) return pa_string_append(out, (char[]){'t', pa_scalar_code((pa_scalar)scalar)}, 2), true;
  }
  return false;
}

// |*code| is past the letter 'r'.
static MlirType random_from_code(MlirContext context, const char **code) {
  char letter = **code;
  if (letter != 'g' && letter != 'b') return (MlirType){NULL};
  return ++*code, pa_random_type(context, letter == 'b');
}

MlirType pa_type_from_code(MlirContext context, const char **code) {
  char letter = **code;
  if (!letter) return (MlirType){NULL};
  if (letter == '{' || letter == 'v') return pa_record_from_code(context, code);
  if (letter == 'x') return vector_from_code(context, code);
  if (!strchr("[(n*UYWLXSTOKJPNERlGkVcptr", letter)) return element_from_code(context, code);
  ++*code;
  if (letter == 'J') return instance_from_code(context, code);
  if (letter == 'U') return pyarrayStrTypeGet(context);
  if (letter == 'N') return named_tuple_from_code(context, code);
  if (letter == 'E') return enum_from_code(context, code);
  if (letter == 'k') return keywords_from_code(context, code);
  if (letter == 'c') return dict_class_from_code(context, code);
  if (letter == 'V') return pa_memoryview_from_code(context, code);
  if (letter == 'r') return random_from_code(context, code);
  if (letter == 'R') return pyarrayRangeTypeGet(context);
  if (letter == 't') return dtype_from_code(context, code);
  if (letter == 'l') return slice_from_code(context, code);
  if (letter == 'Y') return pyarrayBytesTypeGet(context);
  if (letter == 'W') return pyarrayBytearrayTypeGet(context);
  if (strchr("LXSTOKG", letter)) return holder_from_code(context, letter, code);
  if (letter == 'P') return passed_from_code(context, code);
  if (letter == 'p') return functions_from_code(context, code);
  if (letter == '[') return array_from_code(context, code);
  if (letter == '(') return tuple_from_code(context, code);
  return letter == 'n' ? pyarrayNoneTypeGet(context) : pointer_from_code(context, code);
}

static bool named_to_code(pa_string *out, MlirType type) {
  MlirStringRef name = mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type));
  const char *letters = pa_is_tagged(type, "passed") ? "P" : "N";
  for (size_t i = 0; i < sizeof enums / sizeof *enums; ++i)
    if (pa_is_tagged(type, enums[i].kind)) letters = enums[i].letters;
  pa_string_format(out, "%s[%.*s]", letters, (int)name.length, name.data);
  return *letters != 'N' || pa_type_to_code(out, pyarrayTaggedTypeGetItem(type));
}

bool pa_is_named(MlirType type) { return pa_is_tagged(type, "namedtuple") || pa_is_enum(type); }

bool pa_is_enum(MlirType type) {
  for (size_t i = 0; i < sizeof enums / sizeof *enums; ++i)
    if (pa_is_tagged(type, enums[i].kind)) return true;
  return false;
}

bool pa_is_dict_class(MlirType type) {
  return pa_is_tagged(type, "counter") || pa_is_tagged(type, "defaultdict") || pa_is_tagged(type, "ordereddict");
}

// One whose factory is a function is a dict for Python.
static bool dict_class_to_code(pa_string *out, MlirType type) {
  MlirStringRef name = pyarrayTaggedTypeGetKind(type);
  MlirType factory =
      pa_is_tagged(type, "defaultdict") ? mlirTypeAttrGetValue(pyarrayTaggedTypeGetTag(type)) : (MlirType){NULL};
  if (!mlirTypeIsNull(factory)) {
    MlirAttribute callable = pyarrayCallableTypeGetName(factory);
    name = mlirAttributeIsAString(callable) ? mlirStringAttrGetValue(callable) : pa_ref("");
    if (strncmp(name.data, "builtins.", 9) != 0) name.length = 0;
  }
  if (name.length) pa_string_format(out, "c[%.*s]", (int)name.length, name.data);
  return pa_type_to_code(out, pyarrayTaggedTypeGetItem(type));
}

MlirType pa_plain_type(MlirType type) {
  return pa_is_tagged(type, "namedtuple") || pa_is_tagged(type, "int enum") ? pyarrayTaggedTypeGetItem(type) : type;
}

// Of what has items of one type; 0 for all others. A deque is a list, too, and a frozen set a set.
static char holder_letter(MlirType type) {
  if (pyarrayTypeIsDeque(type)) return 'X';
  if (pyarrayTypeIsFrozenSet(type)) return 'T';
  return pyarrayTypeIsList(type)        ? 'L'
         : pyarrayTypeIsSet(type)       ? 'S'
         : pyarrayTypeIsDict(type)      ? 'K'
         : pyarrayTypeIsGenerator(type) ? 'G'
         : pyarrayTypeIsOptional(type)  ? 'O'
                                        : '\0';
}

bool pa_type_to_code(pa_string *out, MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  if (scalar != PA_NOT_SCALAR) return pa_string_append(out, (char[]){pa_scalar_code(scalar)}, 1), true;
  pa_time time;
  if (pa_time_of(type, &time)) return pa_time_to_code(out, time), true;
  if (pyarrayTypeIsNone(type)) return pa_string_puts(out, "n"), true;
  if (pyarrayTypeIsPointer(type))
    return pa_string_puts(out, "*"), pa_type_to_code(out, pyarrayPointerTypeGetPointee(type));
  if (pyarrayTypeIsArray(type)) {
    char layout = "CFA"[pyarrayArrayTypeGetLayout(type)];
    if (pyarrayArrayTypeIsReadonly(type)) layout = (char)(layout - 'A' + 'a');
    pa_string_format(out, "[%c%d", layout, (int)pyarrayArrayTypeGetRank(type));
    return pa_type_to_code(out, pyarrayArrayTypeGetElement(type));
  }
  if (pa_is_named(type) || pa_is_tagged(type, "passed")) return named_to_code(out, type);
  if (pa_is_vector(type)) {
    MlirStringRef code = mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type));
    return pa_string_append(out, code.data, code.length), true;
  }
  if (pa_is_tagged(type, "keywords")) {
    MlirAttribute names = pyarrayTaggedTypeGetTag(type);
    pa_string_puts(out, "k[");
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i) {
      MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
      pa_string_format(out, "%s%.*s", i ? "," : "", (int)name.length, name.data);
    }
    return pa_string_puts(out, "]"), pa_type_to_code(out, pyarrayTaggedTypeGetItem(type));
  }
  if (pa_is_dict_class(type)) return dict_class_to_code(out, type);
  if (pa_is_tagged(type, "choice")) return functions_to_code(out, type);
  if (pa_is_tagged(type, "frozen")) return pa_type_to_code(out, pyarrayTaggedTypeGetItem(type));
  if (pyarrayTypeIsCallable(type)) return dtype_to_code(out, type);
  if (pyarrayTypeIsRange(type)) return pa_string_puts(out, "R"), true;
  if (pyarrayTypeIsSlice(type)) {
    pa_string_puts(out, "l");
    for (int i = 0; i < 3; ++i) pa_string_puts(out, pyarrayTypeIsNone(pyarraySliceTypeGetPart(type, i)) ? "n" : "q");
    return true;
  }
  if (pyarrayTypeIsStr(type)) return pa_string_puts(out, "U"), true;
  if (pyarrayTypeIsBytes(type)) return pa_string_puts(out, "Y"), true;
  if (pyarrayTypeIsBytearray(type)) return pa_string_puts(out, "W"), true;
  if (pyarrayTypeIsObject(type)) {
    MlirStringRef name = pyarrayObjectTypeGetName(type);
    return pa_string_format(out, "J[%.*s]", (int)name.length, name.data), true;
  }
  char letter = holder_letter(type);
  if (letter) {
    pa_string_append(out, &letter, 1);
    if (!pa_type_to_code(out, pyarrayTypeGetItem(type))) return false;
    return !pyarrayTypeIsDict(type) || pa_type_to_code(out, pyarrayDictTypeGetValue(type));
  }
  if (pa_is_record(type) || pa_is_records(type)) return pa_record_to_code(out, type);
  if (pa_is_memoryview(type)) return pa_memoryview_to_code(out, type);
  if (pa_is_random(type)) return pa_string_puts(out, pa_is_bit_generator(type) ? "rb" : "rg"), true;
  if (pa_is_tagged(type, "c function") || pa_is_tagged(type, "function value")) {
    MlirStringRef signature = mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type));
    return pa_string_format(out, "*%s%.*s", pa_is_tagged(type, "c function") ? "" : ":", (int)signature.length,
                            signature.data),
           true;
  }
  if (!mlirTypeIsATuple(type)) return false;
  pa_string_puts(out, "(");
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!pa_type_to_code(out, mlirTupleTypeGetType(type, i))) return false;
  return pa_string_puts(out, ")"), true;
}
