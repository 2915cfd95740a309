// Scalar types, and Numba's names of types.
#include "containers.h"
#include "ir.h"

#include <stdlib.h>
#include <string.h>

#include "support/type_code.h"

typedef enum scalar_form { FORM_BOOL, FORM_SIGNED, FORM_UNSIGNED, FORM_FLOAT, FORM_COMPLEX } scalar_form;

// ORDER SCALAR
static const struct {
  const char *name;
  char code;
  scalar_form form;
  unsigned bits; // of a component
} pa_scalars[PA_SCALAR_COUNT] = {
    [PA_BOOL] = {"bool", '?', FORM_BOOL, 1},           [PA_I8] = {"int8", 'b', FORM_SIGNED, 8},
    [PA_I16] = {"int16", 'h', FORM_SIGNED, 16},        [PA_I32] = {"int32", 'i', FORM_SIGNED, 32},
    [PA_I64] = {"int64", 'q', FORM_SIGNED, 64},        [PA_U8] = {"uint8", 'B', FORM_UNSIGNED, 8},
    [PA_U16] = {"uint16", 'H', FORM_UNSIGNED, 16},     [PA_U32] = {"uint32", 'I', FORM_UNSIGNED, 32},
    [PA_U64] = {"uint64", 'Q', FORM_UNSIGNED, 64},     [PA_BF16] = {"bfloat16", 'g', FORM_FLOAT, 16},
    [PA_F16] = {"float16", 'e', FORM_FLOAT, 16},       [PA_F32] = {"float32", 'f', FORM_FLOAT, 32},
    [PA_F64] = {"float64", 'd', FORM_FLOAT, 64},       [PA_C64] = {"complex64", 'F', FORM_COMPLEX, 32},
    [PA_C128] = {"complex128", 'D', FORM_COMPLEX, 64},
};

static pa_scalar find_scalar(scalar_form form, unsigned bits) {
  for (int scalar = 0; scalar < PA_SCALAR_COUNT; ++scalar)
    if (pa_scalars[scalar].form == form && pa_scalars[scalar].bits == bits) return (pa_scalar)scalar;
  return PA_NOT_SCALAR;
}

pa_scalar pa_scalar_of(MlirType type) {
  if (mlirTypeIsNull(type)) return PA_NOT_SCALAR;
  if (mlirTypeIsAF64(type)) return PA_F64;
  if (mlirTypeIsAInteger(type)) {
    unsigned width = mlirIntegerTypeGetWidth(type);
    if (mlirIntegerTypeIsSignless(type)) return width == 1 ? PA_BOOL : PA_NOT_SCALAR;
    return find_scalar(mlirIntegerTypeIsSigned(type) ? FORM_SIGNED : FORM_UNSIGNED, width);
  }
  if (mlirTypeIsAF32(type)) return PA_F32;
  if (mlirTypeIsAF16(type)) return PA_F16;
  if (mlirTypeIsABF16(type)) return PA_BF16;
  if (mlirTypeIsAComplex(type)) {
    MlirType part = mlirComplexTypeGetElementType(type);
    return mlirTypeIsAF64(part) ? PA_C128 : mlirTypeIsAF32(part) ? PA_C64 : PA_NOT_SCALAR;
  }
  return PA_NOT_SCALAR;
}

MlirType pa_array_type(MlirContext context, intptr_t rank, MlirType element, pyarray_layout layout, bool readonly) {
  int64_t shape[64];
  for (intptr_t i = 0; i < rank && i < 64; ++i) shape[i] = mlirShapedTypeGetDynamicSize();
  if (rank <= 1 && layout == PYARRAY_LAYOUT_F) layout = PYARRAY_LAYOUT_C;
  return pyarrayArrayTypeGet(context, rank, shape, element, layout, readonly);
}

static bool has_no_part(MlirType slice, intptr_t part) {
  return pyarrayTypeIsNone(pyarraySliceTypeGetPart(slice, part));
}

bool pa_is_full_slice(MlirType index) {
  return pyarrayTypeIsSlice(index) && has_no_part(index, 0) && has_no_part(index, 1) && has_no_part(index, 2);
}

// A view of a C array is C when its indices are integers, then at most one unit-step slice, then whole axes;
// of an F array, the same seen from the last axis.
pyarray_layout pa_view_layout(pyarray_layout layout, const MlirType *indices, intptr_t rank) {
  bool backwards = layout == PYARRAY_LAYOUT_F, integers = true;
  for (intptr_t step = 0; step < rank && layout != PYARRAY_LAYOUT_A; ++step) {
    MlirType index = indices[backwards ? rank - 1 - step : step];
    bool whole = mlirTypeIsNull(index) || pa_is_full_slice(index);
    bool slice = !mlirTypeIsNull(index) && pyarrayTypeIsSlice(index);
    bool fits = !whole && !slice ? integers : whole || (integers && has_no_part(index, 2));
    if (!fits) return PYARRAY_LAYOUT_A;
    integers = integers && !whole && !slice;
  }
  return layout;
}

MlirType pa_scalar_type(MlirContext context, pa_scalar scalar) {
  unsigned bits = pa_scalars[scalar].bits;
  MlirType real = scalar == PA_BF16 ? mlirBF16TypeGet(context)
                  : bits == 16      ? mlirF16TypeGet(context)
                  : bits == 32      ? mlirF32TypeGet(context)
                                    : mlirF64TypeGet(context);
  switch (pa_scalars[scalar].form) {
  case FORM_BOOL: return mlirIntegerTypeGet(context, 1);
  case FORM_SIGNED: return mlirIntegerTypeSignedGet(context, bits);
  case FORM_UNSIGNED: return mlirIntegerTypeUnsignedGet(context, bits);
  case FORM_FLOAT: return real;
  case FORM_COMPLEX: return mlirComplexTypeGet(real);
  }
  return (MlirType){NULL};
}

const char *pa_scalar_name(pa_scalar scalar) { return scalar == PA_NOT_SCALAR ? "object" : pa_scalars[scalar].name; }
char pa_scalar_code(pa_scalar scalar) { return pa_scalars[scalar].code; }

int pa_scalar_bytes(pa_scalar scalar) {
  if (scalar == PA_BOOL) return 1;
  return (int)pa_scalars[scalar].bits / 8 * (pa_is_complex(scalar) ? 2 : 1);
}

pa_scalar pa_scalar_from_code(char code) {
  for (int scalar = 0; scalar < PA_SCALAR_COUNT; ++scalar)
    if (pa_scalars[scalar].code == code) return (pa_scalar)scalar;
  return PA_NOT_SCALAR;
}

//===-- Names -------------------------------------------------------------------------------------===//

static void tuple_name(pa_string *out, MlirType type) {
  intptr_t count = mlirTupleTypeGetNumTypes(type);
  bool uniform = count > 0;
  for (intptr_t i = 1; i < count; ++i)
    uniform = uniform && mlirTypeEqual(mlirTupleTypeGetType(type, i), mlirTupleTypeGetType(type, 0));
  pa_string_puts(out, uniform ? "UniTuple(" : "Tuple(");
  for (intptr_t i = 0; i < (uniform ? 1 : count); ++i) {
    if (i) pa_string_puts(out, ", ");
    pa_type_name(out, mlirTupleTypeGetType(type, i));
  }
  if (uniform) pa_string_format(out, ", %d", (int)count);
  pa_string_puts(out, ")");
}

static void array_name(pa_string *out, MlirType type) {
  pa_string_puts(out, pyarrayArrayTypeIsReadonly(type) ? "readonly array(" : "array(");
  pa_type_name(out, pyarrayArrayTypeGetElement(type));
  pa_string_format(out, ", %dd, %c)", (int)pyarrayArrayTypeGetRank(type), "CFA"[pyarrayArrayTypeGetLayout(type)]);
}

static void callable_name(pa_string *out, MlirType type) {
  MlirAttribute name = pyarrayCallableTypeGetName(type);
  MlirStringRef text =
      mlirAttributeIsAString(name) ? mlirStringAttrGetValue(name) : mlirFlatSymbolRefAttrGetValue(name);
  pa_string_format(out, "function(%.*s)", (int)text.length, text.data);
}

// "float64*", "void*".
static void pointer_name(pa_string *out, MlirType type) {
  MlirType pointee = pyarrayPointerTypeGetPointee(type);
  if (pyarrayTypeIsNone(pointee))
    pa_string_puts(out, "void");
  else
    pa_type_name(out, pointee);
  pa_string_puts(out, "*");
}

// What holds items of a type that is not known yet: "list".
static const char *bare_name(MlirType type) {
  return pyarrayTypeIsDeque(type)       ? "deque"
         : pyarrayTypeIsList(type)      ? "list"
         : pyarrayTypeIsDict(type)      ? "dict"
         : pyarrayTypeIsFrozenSet(type) ? "frozenset"
         : pyarrayTypeIsSet(type)       ? "set"
         : pyarrayTypeIsGenerator(type) ? "generator"
                                        : "value";
}

// "ListType[int64]", "DictType[unicode_type,float64]", "set(int64)", "OptionalType(float64)".
static void holder_name(pa_string *out, MlirType type) {
  if (pyarrayTypeIsAny(pyarrayTypeGetItem(type))) return pa_string_puts(out, bare_name(type));
  bool brackets = (pyarrayTypeIsList(type) && !pyarrayTypeIsDeque(type)) || pyarrayTypeIsDict(type);
  pa_string_puts(out, pyarrayTypeIsDeque(type)       ? "deque("
                      : pyarrayTypeIsFrozenSet(type) ? "frozenset("
                      : pyarrayTypeIsList(type)      ? "ListType["
                      : pyarrayTypeIsDict(type)      ? "DictType["
                      : pyarrayTypeIsSet(type)       ? "set("
                      : pyarrayTypeIsOptional(type)  ? "OptionalType("
                      : pyarrayTypeIsGenerator(type) ? "generator("
                                                     : "cell(");
  pa_type_name(out, pyarrayTypeGetItem(type));
  if (pyarrayTypeIsDict(type)) {
    pa_string_puts(out, ",");
    pa_type_name(out, pyarrayDictTypeGetValue(type));
  }
  pa_string_puts(out, brackets ? "]" : ")");
}

static bool is_holder(MlirType type) {
  return pyarrayTypeIsList(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsOptional(type) ||
         pyarrayTypeIsCell(type) || pyarrayTypeIsGenerator(type);
}

// "FunctionType[float64(int64)]" of "(q)d".
static void function_value_name(pa_string *out, MlirType type) {
  MlirStringRef text = mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type));
  const char *at = text.data + 1, *result = at;
  while (*result && *result != ')') result = pa_type_next(result, NULL);
  ++result;
  pa_string_puts(out, "FunctionType[");
  pa_type_name(out, pa_type_from_code(mlirTypeGetContext(type), &result));
  for (const char *separator = "("; *at != ')'; separator = ", ") {
    pa_string_puts(out, separator);
    pa_type_name(out, pa_type_from_code(mlirTypeGetContext(type), &at));
  }
  pa_string_puts(out, text.data[1] == ')' ? "()]" : ")]");
}

static void append_names(pa_string *out, MlirType tuple, MlirAttribute names, intptr_t count) {
  for (intptr_t i = 0; i < count; ++i) {
    if (i) pa_string_puts(out, ", ");
    MlirStringRef name =
        mlirAttributeIsNull(names) ? pa_ref("") : mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    if (name.length) pa_string_format(out, "%.*s: ", (int)name.length, name.data);
    pa_type_name(out, mlirTupleTypeGetType(tuple, i));
  }
}

// "keyword arguments (scale: float64)"
static void keywords_name(pa_string *out, MlirType type) {
  MlirType item = pyarrayTaggedTypeGetItem(type);
  pa_string_puts(out, mlirTupleTypeGetNumTypes(item) ? "keyword arguments (" : "keyword arguments");
  append_names(out, item, pyarrayTaggedTypeGetTag(type), mlirTupleTypeGetNumTypes(item));
  if (mlirTupleTypeGetNumTypes(item)) pa_string_puts(out, ")");
}

// "function(f)", of a nested one that has captured something "function(f with int64)"
static void function_name(pa_string *out, MlirType type) {
  MlirStringRef symbol = mlirFlatSymbolRefAttrGetValue(pyarrayTaggedTypeGetTag(type));
  MlirType captured = pyarrayTaggedTypeGetItem(type);
  pa_string_format(out, "function(%.*s%s", (int)symbol.length, symbol.data,
                   mlirTupleTypeGetNumTypes(captured) ? " with " : "");
  append_names(out, captured, mlirAttributeGetNull(), mlirTupleTypeGetNumTypes(captured));
  pa_string_puts(out, ")");
}

// "float32x4"
static void vector_name(pa_string *out, MlirType type) {
  MlirType elements = pyarrayTaggedTypeGetItem(type);
  pa_type_name(out, mlirTupleTypeGetType(elements, 0));
  pa_string_format(out, "x%d", (int)mlirTupleTypeGetNumTypes(elements));
}

// "enumerate(range(int64))", "function(f)", "Point(float64, float64)", "Color".
static void tagged_name(pa_string *out, MlirType type) {
  if (pa_is_tagged(type, "keywords")) return keywords_name(out, type);
  if (pa_is_tagged(type, "function")) return function_name(out, type);
  if (pa_is_tagged(type, "frozen"))
    return pa_string_puts(out, "frozen "), pa_type_name(out, pyarrayTaggedTypeGetItem(type));
  if (pa_is_vector(type)) return vector_name(out, type);
  if (pa_is_tagged(type, "passed")) return pa_string_puts(out, "function");
  if (pa_is_tagged(type, "c function")) return pa_string_puts(out, "C function");
  if (pa_is_tagged(type, "function value")) return function_value_name(out, type);
  if (pa_is_dict_class(type))
    return pa_string_puts(out, pa_is_tagged(type, "counter")       ? "Counter as "
                               : pa_is_tagged(type, "ordereddict") ? "OrderedDict as "
                                                                   : "defaultdict as "),
           pa_type_name(out, pyarrayTaggedTypeGetItem(type));
  if (pa_is_record(type) || pa_is_records(type)) return pa_record_type_name(out, type);
  if (pa_is_memoryview(type))
    return pa_string_puts(out, "memoryview of "), pa_type_name(out, pyarrayTaggedTypeGetItem(type));
  MlirAttribute tag = pyarrayTaggedTypeGetTag(type);
  if (pa_is_tagged(type, "choice")) {
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(tag); ++i) {
      if (i) pa_string_puts(out, " or ");
      pa_type_name(out, mlirTypeAttrGetValue(mlirArrayAttrGetElement(tag, i)));
    }
    return;
  }
  MlirStringRef kind = pyarrayTaggedTypeGetKind(type), name = kind;
  if (mlirAttributeIsAArray(tag)) name = mlirStringAttrGetValue(mlirArrayAttrGetElement(tag, 0));
  if (mlirAttributeIsAString(tag)) name = mlirStringAttrGetValue(tag);
  const char *colon = memchr(name.data, ':', name.length), *mark = memchr(name.data, '#', name.length);
  const char *start = colon ? colon + 1 : name.data, *end = mark ? mark : name.data + name.length;
  pa_string_append(out, start, (size_t)(end - start));
  MlirType item = pyarrayTaggedTypeGetItem(type);
  if (!mlirTypeIsATuple(item)) return;
  pa_string_puts(out, "(");
  append_names(out, item, mlirAttributeGetNull(),
               pa_is_tagged(type, "reversed") ? 1 : mlirTupleTypeGetNumTypes(item)); // not the length of a list
  pa_string_puts(out, ")");
}

static void append_text(MlirStringRef text, void *out) { pa_string_append(out, text.data, text.length); }

void pa_type_name(pa_string *out, MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  pa_time time;
  if (scalar != PA_NOT_SCALAR) {
    pa_string_puts(out, pa_scalars[scalar].name);
  } else if (pa_time_of(type, &time)) {
    pa_time_name(out, time);
  } else if (mlirTypeIsATuple(type)) {
    tuple_name(out, type);
  } else if (pyarrayTypeIsArray(type)) {
    array_name(out, type);
  } else if (pyarrayTypeIsPointer(type)) {
    pointer_name(out, type);
  } else if (pyarrayTypeIsNone(type)) {
    pa_string_puts(out, "none");
  } else if (pyarrayTypeIsStr(type)) {
    pa_string_puts(out, "unicode_type");
  } else if (pyarrayTypeIsBytearray(type)) {
    pa_string_puts(out, "bytearray");
  } else if (pyarrayTypeIsBytes(type)) {
    pa_string_puts(out, "bytes");
  } else if (is_holder(type)) {
    holder_name(out, type);
  } else if (pyarrayTypeIsObject(type)) {
    MlirStringRef name = pyarrayObjectTypeGetName(type);
    const char *colon = memchr(name.data, ':', name.length), *mark = memchr(name.data, '#', name.length);
    const char *start = colon ? colon + 1 : name.data, *end = mark ? mark : name.data + name.length;
    pa_string_format(out, "instance of %.*s", (int)(end - start), start);
  } else if (pyarrayTypeIsException(type)) {
    pa_string_puts(out, "exception");
  } else if (pyarrayTypeIsTagged(type)) {
    tagged_name(out, type);
  } else if (pyarrayTypeIsRange(type)) {
    pa_string_puts(out, "range(int64)");
  } else if (pyarrayTypeIsSlice(type)) {
    pa_string_puts(out, "slice");
  } else if (pyarrayTypeIsAny(type)) {
    pa_string_puts(out, "unknown");
  } else if (pyarrayTypeIsCallable(type)) {
    callable_name(out, type);
  } else {
    mlirTypePrint(type, append_text, out);
  }
}

static size_t character_before(const char *text, size_t at) {
  while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80) --at;
  return at;
}

// Nobody reads a whole type that has grown, and thousands of them would fill the memory.
const char *pa_type_text(pa_arena *arena, MlirType type) {
  enum { LONGEST = 1000, END = 200 };
  pa_string text = {0};
  pa_type_name(&text, type);
  const char *all = pa_string_text(&text);
  size_t head = text.length > LONGEST ? character_before(all, LONGEST - END) : 0;
  const char *copy =
      head ? pa_arena_format(arena, "%.*s ... %s", (int)head, all, all + character_before(all, text.length - END))
           : pa_arena_copy(arena, all, text.length);
  pa_string_free(&text);
  return copy;
}

//===-- Tagged types ------------------------------------------------------------------------------===//

bool pa_is_tagged(MlirType type, const char *kind) {
  return !mlirTypeIsNull(type) && pyarrayTypeIsTagged(type) && pa_ref_equal(pyarrayTaggedTypeGetKind(type), kind);
}

// ORDER VIEWS
enum { VIEWS = 3, ITERATORS };
static const char *const views[] = {"keys", "values", "items"}, *const iterators[] = {
                                                                    "keys iterator", "values iterator",
                                                                    "items iterator", "deque iterator"};

static int tag_among(MlirType type, const char *const *kinds, int count) {
  for (int i = 0; i < count; ++i)
    if (pa_is_tagged(type, kinds[i])) return i;
  return -1;
}

bool pa_is_view_tag(MlirType type) { return tag_among(type, views, VIEWS) >= 0; }
bool pa_is_iterator_tag(MlirType type) { return tag_among(type, iterators, ITERATORS) >= 0; }

MlirType pa_iterator_type(MlirType iterable) {
  int view = tag_among(iterable, views, VIEWS);
  bool deque = pyarrayTypeIsDeque(iterable), whole = deque || pyarrayTypeIsDict(iterable) || pyarrayTypeIsSet(iterable);
  if (!whole && view < 0) return iterable;
  MlirContext context = mlirTypeGetContext(iterable);
  MlirType parts[] = {whole ? iterable : mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(iterable), 0),
                      pa_scalar_type(context, PA_I64)};
  return pyarrayTaggedTypeGet(pa_ref(iterators[deque   ? VIEWS
                                               : whole ? 0
                                                       : view]),
                              pa_unit_attr(context), mlirTupleTypeGet(context, 2, parts));
}

bool pa_is_iterable_tag(MlirType type) {
  if (pa_is_view_tag(type) || pa_is_iterator_tag(type)) return true;
  return pa_is_tagged(type, "zip") || pa_is_tagged(type, "enumerate") || pa_is_tagged(type, "reversed") ||
         pa_is_tagged(type, "strict zip");
}

static MlirType mapped_tuple(MlirType type, MlirType (*map)(MlirType)) {
  intptr_t count = mlirTupleTypeGetNumTypes(type);
  MlirType few[16], *elements = count <= 16 ? few : pa_allocate((size_t)count * sizeof *elements);
  for (intptr_t i = 0; i < count; ++i) elements[i] = map(mlirTupleTypeGetType(type, i));
  MlirType mapped = mlirTupleTypeGet(mlirTypeGetContext(type), count, elements);
  if (elements != few) free(elements);
  return mapped;
}

MlirType pa_frozen_type(MlirType type) {
  if (mlirTypeIsATuple(type)) return mapped_tuple(type, pa_frozen_type);
  if (pa_is_tagged(type, "namedtuple"))
    return pyarrayTaggedTypeGet(pyarrayTaggedTypeGetKind(type), pyarrayTaggedTypeGetTag(type),
                                pa_frozen_type(pyarrayTaggedTypeGetItem(type)));
  if (pyarrayTypeIsOptional(type)) return pyarrayOptionalTypeGet(pa_frozen_type(pyarrayTypeGetItem(type)));
  bool changes = pyarrayTypeIsList(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsDict(type);
  if (!changes) return type;
  MlirType item = pa_frozen_type(pyarrayTypeGetItem(type));
  MlirType held = pyarrayTypeIsList(type)  ? pyarrayListTypeGet(item)
                  : pyarrayTypeIsSet(type) ? pyarraySetTypeGet(item)
                                           : pyarrayDictTypeGet(item, pa_frozen_type(pyarrayDictTypeGetValue(type)));
  return pyarrayTaggedTypeGet(pa_ref("frozen"), pa_unit_attr(mlirTypeGetContext(type)), held);
}

MlirType pa_with_item(MlirType type, MlirType item) {
  if (pyarrayTypeIsDeque(type)) return pyarrayDequeTypeGet(item);
  if (pyarrayTypeIsFrozenSet(type)) return pyarrayFrozenSetTypeGet(item);
  return pyarrayTypeIsList(type) ? pyarrayListTypeGet(item) : pyarraySetTypeGet(item);
}

MlirType pa_erased_type(MlirType type) {
  if (mlirTypeIsNull(type)) return type;
  if (pyarrayTypeIsTagged(type)) return pa_erased_type(pyarrayTaggedTypeGetItem(type));
  if (pyarrayTypeIsPointer(type) && pyarrayTypeIsTagged(pyarrayPointerTypeGetPointee(type)))
    return pyarrayPointerTypeGet(pyarrayNoneTypeGet(mlirTypeGetContext(type)));
  if (mlirTypeIsATuple(type)) return mapped_tuple(type, pa_erased_type);
  if (pyarrayTypeIsList(type) || pyarrayTypeIsSet(type))
    return pa_with_item(type, pa_erased_type(pyarrayTypeGetItem(type)));
  if (pyarrayTypeIsGenerator(type)) {
    MlirType item = pyarrayTypeGetItem(type); // any: there is none
    return pyarrayGeneratorTypeGet(pyarrayTypeIsAny(item) ? pyarrayNoneTypeGet(mlirTypeGetContext(type))
                                                          : pa_erased_type(item));
  }
  if (pyarrayTypeIsVariable(type)) return pyarrayVariableTypeGet(pa_erased_type(pyarrayVariableTypeGetItem(type)));
  if (pyarrayTypeIsOptional(type)) return pyarrayOptionalTypeGet(pa_erased_type(pyarrayTypeGetItem(type)));
  if (!pyarrayTypeIsDict(type)) return type;
  return pyarrayDictTypeGet(pa_erased_type(pyarrayTypeGetItem(type)), pa_erased_type(pyarrayDictTypeGetValue(type)));
}

//===-- Ownership ---------------------------------------------------------------------------------===//

bool pa_is_text(MlirType type) { return pyarrayTypeIsStr(type) || pyarrayTypeIsBytes(type); }

bool pa_is_handle(MlirType type) {
  return pyarrayTypeIsStr(type) || pyarrayTypeIsBytes(type) || pyarrayTypeIsBytearray(type) ||
         pyarrayTypeIsObject(type) || (is_holder(type) && !pyarrayTypeIsOptional(type));
}

bool pa_is_managed(MlirType type) {
  if (pyarrayTypeIsArray(type) || pa_is_handle(type)) return true;
  if (pyarrayTypeIsOptional(type)) return pa_is_managed(pyarrayTypeGetItem(type));
  if (pyarrayTypeIsVariable(type)) return pa_is_managed(pyarrayVariableTypeGetItem(type));
  if (!mlirTypeIsATuple(type)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (pa_is_managed(mlirTupleTypeGetType(type, i))) return true;
  return false;
}

//===-- Containers --------------------------------------------------------------------------------===//

pa_container pa_container_of(MlirType type) {
  if (mlirTypeIsNull(type)) return PA_NO_CONTAINER;
  if (pyarrayTypeIsList(type)) return pyarrayTypeIsDeque(type) ? PA_DEQUE : PA_LIST;
  if (pyarrayTypeIsSet(type)) return pyarrayTypeIsFrozenSet(type) ? PA_FROZENSET : PA_SET;
  return pyarrayTypeIsDict(type) ? PA_DICT : PA_NO_CONTAINER;
}

//===-- Devices ------------------------------------------------------------------------------------===//

#define NO_MEMORY(what) what " are not available on a GPU\nhint: use cuda.local.array, or an array that is an argument"

const char *pa_missing_on_device(MlirType type) {
  static const char *const containers[] = {[PA_LIST] = NO_MEMORY("lists"),
                                           [PA_SET] = NO_MEMORY("sets"),
                                           [PA_DICT] = NO_MEMORY("dicts"),
                                           [PA_DEQUE] = NO_MEMORY("deques"),
                                           [PA_FROZENSET] = NO_MEMORY("frozensets")};
  pa_container container = pa_container_of(type);
  if (container != PA_NO_CONTAINER) return containers[container];
  if (pa_is_text(type)) return "text cannot be made on a GPU\nhint: give print the values, one after the other";
  return pyarrayTypeIsBytearray(type) ? NO_MEMORY("bytearrays") : NULL;
}
