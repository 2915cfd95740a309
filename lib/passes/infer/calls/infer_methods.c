// Which methods values have: those of Python's classes, and what their rows in builtins.def are called.
#include <string.h>

#include "infer_calls.h"

// Python's classes, and what the names of their methods begin with. Methods of numbers are looked for after those of
// the class.
static const struct {
  const char *class, *family;
} class_families[] = {
    {"builtins.bytearray", "bytearray"},
    {"builtins.bytes", "bytes"},
    {"builtins.complex", "number"},
    {"builtins.dict", "dict"},
    {"builtins.float", "float"},
    {"builtins.float", "number"},
    {"builtins.frozenset", "set"},
    {"builtins.int", "int"},
    {"builtins.int", "number"},
    {"builtins.list", "list"},
    {"builtins.range", "range"},
    {"builtins.set", "set"},
    {"builtins.str", "str"},
    {"builtins.tuple", "tuple"},
    {"collections.deque", "deque"},
};

const char *pa_class_family(pa_inference *inference, MlirType object, const char *method) {
  MlirAttribute name = !mlirTypeIsNull(object) && pyarrayTypeIsCallable(object) ? pyarrayCallableTypeGetName(object)
                                                                                : mlirAttributeGetNull();
  const char *family = NULL;
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name)) return NULL;
  for (size_t i = 0; i < sizeof class_families / sizeof *class_families; ++i) {
    if (!pa_ref_equal(mlirStringAttrGetValue(name), class_families[i].class)) continue;
    family = class_families[i].family;
    if (pa_builtin_find(pa_ref(pa_arena_format(inference->arena, "%s.%s", family, method)))) break;
  }
  return family;
}

const char *pa_method_family(MlirType type) {
  return pyarrayTypeIsArray(type)                ? "array"
         : pa_is_records(type)                   ? "array"
         : pa_scalar_of(type) != PA_NOT_SCALAR   ? "number"
         : pa_is_time(type)                      ? "time"
         : pa_container_of(type) == PA_LIST      ? "list"
         : pa_container_of(type) == PA_DICT      ? "dict"
         : pa_container_of(type) == PA_SET       ? "set"
         : pa_container_of(type) == PA_FROZENSET ? "set"
         : pa_container_of(type) == PA_DEQUE     ? "deque"
         : pyarrayTypeIsStr(type)                ? "str"
         : pyarrayTypeIsBytes(type)              ? "bytes"
         : pyarrayTypeIsBytearray(type)          ? "bytearray"
         : pa_is_memoryview(type)                ? "memoryview"
         : pa_is_bit_generator(type)             ? "numpy.random.BitGenerator"
         : pa_is_random(type)                    ? "numpy.random.Generator"
         : mlirTypeIsATuple(type)                ? "tuple"
         : pyarrayTypeIsRange(type)              ? "range"
         : pyarrayTypeIsSlice(type)              ? "slice"
                                                 : NULL;
}

// A named tuple, a Counter, a global container: what it is tagged has the methods of Python's class.
bool pa_has_plain_item(MlirType type) {
  return pa_is_tagged(type, "namedtuple") || pa_is_tagged(type, "frozen") || pa_is_dict_class(type);
}

const pa_builtin *pa_method_of_type(pa_inference *inference, MlirType type, const char *name, const char **out_family) {
  const char *family = *out_family = pa_method_family(type);
  const pa_builtin *builtin =
      family ? pa_builtin_find(pa_ref(pa_arena_format(inference->arena, "%s.%s", family, name))) : NULL;
  if (!builtin && pyarrayTypeIsBytearray(type))
    builtin = pa_builtin_find(pa_ref(pa_arena_format(inference->arena, "bytes.%s", name)));
  const char *gives = builtin && pa_container_of(type) == PA_FROZENSET ? strchr(builtin->target, '>') : NULL;
  return gives && gives[1] != 'c' && gives[1] != '?' ? NULL : builtin; // it changes the set
}

bool pa_has_method(pa_inference *inference, MlirType type, const char *name) {
  const char *family;
  if (pa_class_has_method(inference, type, pa_ref(name)) || inference->forward->dict_class_has_method(type, name))
    return true;
  if (pa_has_plain_item(type)) type = pyarrayTaggedTypeGetItem(type);
  return pa_method_of_type(inference, type, name, &family) || (family && pa_special_function(name));
}

pa_status pa_find_method(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_has) {
  MlirType type = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type;
  const char *name = pa_attr_text(inference->arena, pa_get_attr(op, "name")), *symbol = NULL;
  *out_has = pa_has_method(inference, type, name);
  if (*out_has) return PA_OK;
  PA_TRY(pa_take_operands(inference, instance, op));
  PA_TRY(pa_overload_symbol(inference, instance, op, pa_arena_format(inference->arena, "method:%s", name), 0, &symbol));
  return *out_has = symbol != NULL, PA_OK;
}
