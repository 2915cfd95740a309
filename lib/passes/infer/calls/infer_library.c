// Builtins in pyarray-infer-types that a function of the Python library does: always, or with such arguments.
#include <string.h>

#include "infer_calls.h"
#include "ir/library.h"
#include "support/record_code.h"

// The argument |name| of a call; null where it is not given by name.
static MlirValue keyword_argument(const pa_inference *inference, const char *name) {
  MlirAttribute keywords = inference->keywords;
  intptr_t count = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords);
  for (intptr_t k = 0; k < count; ++k)
    if (pa_ref_equal(mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k)), name))
      return inference->given[inference->given_count - count + k];
  return (MlirValue){NULL};
}

// Builtins of arrays and tuples, or without arguments, for which the library has a function of others, or with
// arguments. |native|: a letter for what the rule does itself, where all arguments but numbers are that: arrays,
// tuples.
static const struct {
  const char *name, *function, *native;
} alternatives[] = {
    {"array.item", "array.item_at", ""},
    {"math.dist", "math.dist_of", "t"},
    {"math.fsum", "math.fsum_of", "at"},
    {"math.prod", "math.prod_of", "at"},
    {"math.sumprod", "math.sumprod_of", "at"},
    {"numpy.imag", "numpy.views.imag", "-"},
    {"numpy.random.rand", "numpy.random.rand", ""},
    {"numpy.random.random", "numpy.random.samples", ""},
    {"numpy.random.random_sample", "numpy.random.samples", ""},
    {"numpy.random.standard_normal", "numpy.random.normals", ""},
    {"numpy.real", "numpy.views.real", "-"},
};

static bool are_native(pa_inference *inference, pa_instance *instance, const char *native, intptr_t skip) {
  char all = 0;
  for (intptr_t i = skip; *native && i < inference->given_count; ++i) {
    MlirType type = pa_fact_get(inference, instance, inference->given[i]).type;
    if (mlirTypeIsNull(type) || pa_scalar_of(type) != PA_NOT_SCALAR) continue; // of numbers the rule says what is wrong
    char letter = mlirTypeIsATuple(type) ? 't' : pyarrayTypeIsArray(type) ? 'a' : '?';
    if (!strchr(native, letter) || (all && all != letter)) return false;
    all = letter;
  }
  return *native != '\0';
}

// NumPy's classes of numbers of arrays, lists and tuples; int, float and complex of an array. Or NULL. A variable that
// is declared a number becomes no array.
static const char *number_of_array(pa_inference *inference, const pa_builtin *builtin, MlirType type) {
  static const char *const classes[] = {"builtins.complex", "builtins.float", "builtins.int"};
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
    if (strcmp(builtin->name, classes[i]) == 0)
      return pyarrayTypeIsArray(type) ? pa_arena_format(inference->arena, "numpy.numbers.%s_of", classes[i] + 9) : NULL;
  if (builtin->lowering != PA_LOWERING_CAST || strncmp(builtin->name, "numpy.", 6) != 0) return NULL;
  MlirOperation callee = pa_maker_of(inference->given[0]);
  if (!mlirOperationIsNull(callee) && pa_has_attr(callee, "pyarray.of_locals")) return NULL;
  bool many = pyarrayTypeIsArray(type) || mlirTypeIsATuple(type) || pa_container_of(type) == PA_LIST;
  return many ? pa_arena_format(inference->arena, "numpy.numbers.%s", builtin->name + 6) : NULL;
}

// Functions of numbers that the library does for arrays; np.full of what is no number.
static const char *array_function(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                                  intptr_t skip) {
  if (strcmp(builtin->name, "numpy.full") == 0) {
    MlirValue value = inference->given_count > skip + 1 ? inference->given[skip + 1] : (MlirValue){NULL};
    MlirType type = mlirValueIsNull(value) ? (MlirType){NULL} : pa_fact_get(inference, instance, value).type;
    bool plain = mlirTypeIsNull(type) || pa_scalar_of(type) != PA_NOT_SCALAR || pa_is_time(type);
    return plain ? NULL : "numpy.arrays.full";
  }
  if (inference->given_count == skip + 1) {
    MlirType type = pa_fact_get(inference, instance, inference->given[skip]).type;
    const char *function = mlirTypeIsNull(type) ? NULL : number_of_array(inference, builtin, type);
    if (function) return function;
  }
  if (strcmp(builtin->name, "numpy.copy") == 0 && inference->given_count == skip + 1) {
    MlirType type = pa_fact_get(inference, instance, inference->given[skip]).type;
    bool makes = !mlirTypeIsNull(type) &&
                 (pa_scalar_of(type) != PA_NOT_SCALAR || mlirTypeIsATuple(type) || pa_container_of(type) == PA_LIST);
    return makes ? "numpy.views.copy" : NULL;
  }
  if (strcmp(builtin->name, "numpy.where") == 0 && inference->given_count == skip + 1) return "numpy.selection.nonzero";
  bool power = strcmp(builtin->name, "builtins.pow") == 0;
  if (!power && strcmp(builtin->name, "builtins.divmod") != 0) return NULL;
  for (intptr_t i = skip; i < inference->given_count; ++i) {
    MlirType type = pa_fact_get(inference, instance, inference->given[i]).type;
    if (!mlirTypeIsNull(type) && pyarrayTypeIsArray(type)) return power ? "numpy.arrays.pow" : "numpy.arrays.divmod";
  }
  return NULL;
}

// Methods of sets that take any number of arguments; the rule does one.
static const char *const folded[] = {"set.union",        "set.update",
                                     "set.intersection", "set.intersection_update",
                                     "set.difference",   "set.difference_update"};

// What the rule does with |count| arguments, none of which has a name, |function| does with others.
static const struct {
  const char *name;
  int count;
  const char *function;
} with_others[] = {{"array.copy", 0, "numpy.views.copy_in_order"},
                   {"dict.setdefault", 2, "dict.setdefault_none"},
                   {"dict.update", 1, "dict.update_with"},
                   {"numpy.copy", 1, "numpy.views.copy"}};

// The function of the library for methods with such arguments. Or NULL.
static const char *method_function(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                                   intptr_t skip) {
  intptr_t count = inference->given_count - skip;
  for (size_t i = 0; i < sizeof folded / sizeof *folded; ++i)
    if (strcmp(builtin->name, folded[i]) == 0)
      return count == 1 ? NULL : pa_arena_format(inference->arena, "%s_of_several", builtin->name);
  for (size_t i = 0; i < sizeof with_others / sizeof *with_others; ++i)
    if (strcmp(builtin->name, with_others[i].name) == 0)
      return count == with_others[i].count && mlirAttributeIsNull(inference->keywords) ? NULL : with_others[i].function;
  if (strcmp(builtin->name, "array.reshape") == 0)
    return !mlirAttributeIsNull(inference->keywords) && mlirArrayAttrGetNumElements(inference->keywords)
               ? "numpy.views.reshape_axes"
               : NULL;
  if (count != 1 || (strcmp(builtin->name, "str.join") != 0 && strcmp(builtin->name, "bytes.join") != 0)) return NULL;
  MlirType type = pa_fact_get(inference, instance, inference->given[skip]).type;
  pa_typing typing = {.context = inference->context, .arena = inference->arena, .sites = inference->sites};
  if (*builtin->name == 'b' && !mlirTypeIsNull(type) &&
      pa_joins_buffers(&typing, pa_fact_get(inference, instance, inference->given[skip])))
    return "bytes.join_buffers";
  bool native =
      mlirTypeIsNull(type) || mlirTypeIsATuple(type) || pyarrayTypeIsList(type) || pa_scalar_of(type) != PA_NOT_SCALAR;
  return native ? NULL : "str.join_any";
}

// Whether max and min of such values are operations. None is not, and has a message of the rule.
static bool has_native_order(MlirType type) {
  return mlirTypeIsNull(type) || pa_scalar_of(type) != PA_NOT_SCALAR || pa_is_time(type) || pyarrayTypeIsNone(type);
}

// The same of arguments, or of the elements of a tuple: what is no number, or a member of an enum, would have to become
// one.
static bool have_native_order(pa_inference *inference, pa_instance *instance, intptr_t first, intptr_t count) {
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = pa_fact_get(inference, instance, inference->given[first + i]).type;
    if (!has_native_order(type) && (i == 0 || pa_is_named(type))) return false;
  }
  return true;
}

static bool elements_have_native_order(MlirType tuple) {
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(tuple); ++i) {
    MlirType type = mlirTupleTypeGetType(tuple, i);
    if (!has_native_order(type) && (i == 0 || pa_is_named(type))) return false;
  }
  return true;
}

// What has a function of the library for generators, which have no positions.
static const struct {
  const char *name, *function;
} for_generators[] = {
    {"builtins.enumerate", "builtins.enumerate_items"},
    {"builtins.zip", "builtins.zip_items"},
    {"set.union", "set.union_of_items"},
    {"set.intersection", "set.intersection_of_items"},
    {"set.intersection_update", "set.intersection_update_of_items"},
    {"set.difference", "set.difference_of_items"},
    {"set.difference_update", "set.difference_update_of_items"},
    {"set.issuperset", "set.issuperset_of_items"},
    {"set.isdisjoint", "set.isdisjoint_of_items"},
};

// Arrays of records, text, or elements at odd addresses are bytes: what reads elements of an array goes over their
// items.
static const struct {
  const char *name, *function;
} for_records[] = {
    {"builtins.list", "builtins.list_of_items"},
    {"list.extend", "list.extend_by_items"},
    {"deque.extend", "list.extend_by_items"},
};

// NumPy's functions of numbers that are also those of text, or of any items, in arrays.
static const struct {
  const char *name, *function;
} for_texts[] = {
    {"numpy.add", "numpy.texts.add"},
    {"numpy.equal", "numpy.texts.equal"},
    {"numpy.greater", "numpy.texts.greater"},
    {"numpy.greater_equal", "numpy.texts.greater_equal"},
    {"numpy.less", "numpy.texts.less"},
    {"numpy.less_equal", "numpy.texts.less_equal"},
    {"numpy.not_equal", "numpy.texts.not_equal"},
    {"numpy.where", "numpy.texts.where"},
};

static const char *texts_function(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                                  intptr_t skip) {
  bool items = false;
  for (intptr_t i = skip; i < inference->given_count; ++i) {
    MlirType type = pa_fact_get(inference, instance, inference->given[i]).type;
    items = items || (!mlirTypeIsNull(type) && pa_is_records(type) &&
                      !pa_is_scalar_code(pa_item_code_of(inference->arena, type)));
  }
  for (size_t i = 0; items && i < sizeof for_texts / sizeof *for_texts; ++i)
    if (strcmp(builtin->name, for_texts[i].name) == 0) return for_texts[i].function;
  return NULL;
}

static const char *records_function(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                                    intptr_t skip) {
  MlirType type =
      inference->given_count > skip ? pa_fact_get(inference, instance, inference->given[skip]).type : (MlirType){NULL};
  if (mlirTypeIsNull(type) || !pa_is_records(type)) return NULL;
  for (size_t i = 0; i < sizeof for_records / sizeof *for_records; ++i)
    if (strcmp(builtin->name, for_records[i].name) == 0) return for_records[i].function;
  return NULL;
}

// np.empty_like and its kin where the prototype is no array, an order or a shape is given, the prototype has records
// and a dtype is given, or the dtype is one of records.
static const char *like_function(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                                 intptr_t skip) {
  if (builtin->lowering != PA_LOWERING_NEW_ARRAY_LIKE) return NULL;
  intptr_t dtype = skip + 1 + (strcmp(builtin->target, "full") == 0), count = inference->given_count;
  MlirType model = count > skip ? pa_fact_get(inference, instance, inference->given[skip]).type : (MlirType){NULL};
  bool plain = mlirTypeIsNull(model) || pyarrayTypeIsArray(model) || pa_is_records(model);
  if (!plain || count > dtype + 1 || !mlirValueIsNull(keyword_argument(inference, "order")) ||
      !mlirValueIsNull(keyword_argument(inference, "shape")))
    return pa_arena_format(inference->arena, "numpy.arrays.%s_like", builtin->target);
  if (inference->given_count <= dtype) return NULL;
  MlirType prototype = pa_fact_get(inference, instance, inference->given[skip]).type, element = {NULL};
  pa_fact named = pa_fact_get(inference, instance, inference->given[dtype]);
  pa_typing typing = {.context = inference->context, .arena = inference->arena};
  if (mlirTypeIsNull(prototype) || mlirTypeIsNull(named.type) || !pa_dtype_of(&typing, named, &element)) return NULL;
  bool records = pa_is_records(prototype) || (pyarrayTypeIsArray(prototype) && pa_is_record(element));
  return records ? pa_arena_format(inference->arena, "numpy.arrays.%s_like", builtin->target) : NULL;
}

static const char *generator_function(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                                      intptr_t skip) {
  bool generator = false;
  for (intptr_t i = skip; i < inference->given_count; ++i) {
    MlirType type = pa_fact_get(inference, instance, inference->given[i]).type;
    generator |= !mlirTypeIsNull(type) && pyarrayTypeIsGenerator(type);
  }
  // A frozen set does not change meanwhile; several iterables are taken one after the other.
  bool set = strncmp(builtin->name, "set.", 4) == 0;
  if (set && (inference->given_count != skip + 1 ||
              pyarrayTypeIsFrozenSet(pa_fact_get(inference, instance, inference->given[0]).type)))
    return NULL;
  for (size_t i = 0; generator && i < sizeof for_generators / sizeof *for_generators; ++i)
    if (strcmp(builtin->name, for_generators[i].name) == 0) return for_generators[i].function;
  return NULL;
}

// What makes numbers of text and bytes, and text of bytes.
static const char *conversion_function(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                                       intptr_t skip) {
  static const struct {
    const char *name, *of_bytes, *of_text;
  } rows[] = {{"builtins.complex", NULL, "conversions.complex_of_text"},
              {"builtins.float", "conversions.float_of_bytes", NULL},
              {"builtins.int", "conversions.int_of_bytes", NULL}};
  intptr_t count = inference->given_count - skip;
  if (count > 1 && strcmp(builtin->name, "builtins.str") == 0) return "conversions.decoded";
  MlirType type = count ? pa_fact_get(inference, instance, inference->given[skip]).type : (MlirType){NULL};
  if (mlirTypeIsNull(type)) return NULL;
  MlirType second = count > 1 ? pa_fact_get(inference, instance, inference->given[skip + 1]).type : (MlirType){NULL};
  if (!mlirTypeIsNull(second) && pyarrayTypeIsStr(second) && strcmp(builtin->name, rows[0].name) == 0)
    return rows[0].of_text;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(builtin->name, rows[i].name) == 0)
      return pyarrayTypeIsBytes(type) || pyarrayTypeIsBytearray(type) ? rows[i].of_bytes
             : pyarrayTypeIsStr(type)                                 ? rows[i].of_text
                                                                      : NULL;
  return NULL;
}

// A dict with a class, or a frozen one.
static bool reverses_entries(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin, intptr_t skip) {
  if (strcmp(builtin->name, "builtins.reversed") != 0 || inference->given_count != skip + 1) return false;
  MlirType type = pa_fact_get(inference, instance, inference->given[skip]).type;
  if (mlirTypeIsNull(type)) return false;
  return pa_is_dict_class(type) ||
         (pa_is_tagged(type, "frozen") && pa_container_of(pyarrayTaggedTypeGetItem(type)) == PA_DICT);
}

// deque(xs, maxlen), where that may be None.
static bool has_optional_length(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                                intptr_t skip) {
  if (strcmp(builtin->name, "collections.deque") != 0) return false;
  MlirAttribute keywords = inference->keywords;
  intptr_t named = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords),
           count = inference->given_count - skip - named;
  MlirValue length = count > 1 ? inference->given[skip + 1] : keyword_argument(inference, "maxlen");
  MlirType type = mlirValueIsNull(length) ? (MlirType){NULL} : pa_fact_get(inference, instance, length).type;
  return !mlirTypeIsNull(type) && pyarrayTypeIsOptional(type);
}

// None has no order.
static bool sorts_optionals(pa_inference *inference, pa_instance *instance) {
  MlirType list = pa_fact_get(inference, instance, inference->given[0]).type;
  return pyarrayTypeIsList(list) && pyarrayTypeIsOptional(pyarrayTypeGetItem(list));
}

const char *pa_library_variant(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                               intptr_t skip) {
  if (strcmp(builtin->name, "str.translate") == 0 && pa_has_no_items(inference, instance, skip))
    return "str.translate_nothing";
  if (builtin->lowering == PA_LOWERING_LIBRARY) return *builtin->target ? builtin->target : builtin->name;
  if (reverses_entries(inference, instance, builtin, skip)) return "builtins.reversed_entries";
  if (has_optional_length(inference, instance, builtin, skip)) return "deque.of_optional_length";
  const char *conversion = conversion_function(inference, instance, builtin, skip);
  if (conversion) return conversion;
  const char *of_items = generator_function(inference, instance, builtin, skip);
  if (!of_items) of_items = records_function(inference, instance, builtin, skip);
  if (!of_items) of_items = texts_function(inference, instance, builtin, skip);
  if (!of_items) of_items = array_function(inference, instance, builtin, skip);
  if (!of_items) of_items = like_function(inference, instance, builtin, skip);
  if (of_items) return of_items;
  for (size_t i = 0; i < sizeof alternatives / sizeof *alternatives; ++i)
    if (strcmp(builtin->name, alternatives[i].name) == 0 && inference->given_count > skip)
      return are_native(inference, instance, alternatives[i].native, skip) ? NULL : alternatives[i].function;
  const char *method = method_function(inference, instance, builtin, skip);
  bool sorts = builtin->typing == PA_TYPING_LIST_SORT;
  if (method) return method;
  if (!sorts && builtin->typing != PA_TYPING_MINMAX) return NULL;
  MlirValue key = keyword_argument(inference, "key");
  bool has_key = !mlirValueIsNull(key) && !pyarrayTypeIsNone(pa_fact_get(inference, instance, key).type);
  if (sorts)
    return has_key ? "list.sort_by_key" : sorts_optionals(inference, instance) ? "list.sort_without_none" : NULL;
  MlirAttribute keywords = inference->keywords;
  intptr_t named = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords),
           count = inference->given_count - skip - named;
  if (count == 0) return NULL;
  MlirType first = pa_fact_get(inference, instance, inference->given[skip]).type;
  if (count > 1)
    return has_key || !have_native_order(inference, instance, skip, count)
               ? pa_arena_format(inference->arena, "%s_of_several", builtin->name)
               : NULL;
  bool native = !named && (mlirTypeIsNull(first) || (mlirTypeIsATuple(first) && elements_have_native_order(first)));
  return native ? NULL : builtin->name;
}

bool pa_has_no_items(pa_inference *inference, pa_instance *instance, intptr_t skip) {
  pa_fact table =
      inference->given_count > skip ? pa_fact_get(inference, instance, inference->given[skip]) : (pa_fact){0};
  if (mlirTypeIsNull(table.type) || pa_container_of(table.type) != PA_DICT) return false;
  pa_typing typing = {.context = inference->context, .arena = inference->arena, .sites = inference->sites};
  MlirType key = pa_container_item(&typing, table, 0).type;
  return mlirTypeIsNull(key) || pyarrayTypeIsNone(key);
}

bool pa_joins_buffers(const pa_typing *typing, pa_fact parts) {
  bool others = false;
  if (pyarrayTypeIsList(parts.type)) {
    MlirType item = pa_container_item(typing, parts, 0).type;
    return !mlirTypeIsNull(item) && (pyarrayTypeIsBytearray(item) || pa_is_memoryview(item));
  }
  for (intptr_t i = 0; mlirTypeIsATuple(parts.type) && i < mlirTupleTypeGetNumTypes(parts.type); ++i)
    others = others || pyarrayTypeIsBytearray(mlirTupleTypeGetType(parts.type, i)) ||
             pa_is_memoryview(mlirTupleTypeGetType(parts.type, i));
  return others;
}
