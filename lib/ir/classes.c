#include "classes.h"

#include <stdio.h>
#include <string.h>

MlirAttribute pa_class_find(MlirOperation module, MlirStringRef name) {
  MlirAttribute classes = pa_get_attr(module, "pyarray.classes");
  if (mlirAttributeIsNull(classes) || !mlirAttributeIsADictionary(classes)) return mlirAttributeGetNull();
  MlirAttribute description = mlirDictionaryAttrGetElementByName(classes, name);
  bool whole = !mlirAttributeIsNull(description) && mlirAttributeIsADictionary(description) &&
               !mlirTypeIsNull(pa_class_fields(description));
  return whole ? description : mlirAttributeGetNull();
}

MlirAttribute pa_class_of_callable(MlirOperation module, MlirType type) {
  if (mlirTypeIsNull(type) || !pyarrayTypeIsCallable(type)) return mlirAttributeGetNull();
  MlirAttribute name = pyarrayCallableTypeGetName(type);
  return mlirAttributeIsAString(name) ? pa_class_find(module, mlirStringAttrGetValue(name)) : mlirAttributeGetNull();
}

MlirStringRef pa_class_short_name(MlirStringRef name) {
  const char *start = name.data, *end = memchr(name.data, '#', name.length);
  if (!end) end = name.data + name.length;
  for (const char *at = start; at < end; ++at)
    if (*at == ':' || *at == '.') start = at + 1;
  return mlirStringRefCreate(start, (size_t)(end - start));
}

// "_Class__x" of "__x"; false for what Python does not mangle.
static bool mangle(MlirStringRef class_name, MlirStringRef name, char *out, size_t room) {
  if (name.length < 3 || memcmp(name.data, "__", 2) != 0 || memcmp(name.data + name.length - 2, "__", 2) == 0)
    return false;
  MlirStringRef class = pa_class_short_name(class_name);
  while (class.length && *class.data == '_') ++class.data, --class.length;
  int length = snprintf(out, room, "_%.*s%.*s", (int)class.length, class.data, (int)name.length, name.data);
  return length > 0 && (size_t)length < room;
}

static intptr_t find_field(MlirAttribute names, MlirStringRef name) {
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i)
    if (mlirStringRefEqual(mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i)), name)) return i;
  return -1;
}

intptr_t pa_class_field(MlirAttribute description, MlirStringRef class_name, MlirStringRef name) {
  MlirAttribute names = mlirDictionaryAttrGetElementByName(description, pa_ref("fields"));
  char mangled[256];
  intptr_t field = find_field(names, name);
  if (field < 0 && mangle(class_name, name, mangled, sizeof mangled)) field = find_field(names, pa_ref(mangled));
  return field;
}

MlirType pa_class_fields(MlirAttribute description) {
  MlirAttribute names = mlirDictionaryAttrGetElementByName(description, pa_ref("fields"));
  MlirAttribute types = mlirDictionaryAttrGetElementByName(description, pa_ref("types"));
  MlirType tuple = {NULL};
  if (mlirAttributeIsNull(names) || !mlirAttributeIsAArray(names) || mlirAttributeIsNull(types) ||
      !mlirAttributeIsAType(types))
    return tuple;
  tuple = mlirTypeAttrGetValue(types);
  return mlirTypeIsATuple(tuple) && mlirTupleTypeGetNumTypes(tuple) == mlirArrayAttrGetNumElements(names)
             ? tuple
             : (MlirType){NULL};
}

MlirAttribute pa_class_entry(MlirAttribute description, MlirStringRef class_name, const char *table,
                             MlirStringRef name) {
  MlirAttribute entries = mlirDictionaryAttrGetElementByName(description, pa_ref(table));
  char mangled[256];
  if (mlirAttributeIsNull(entries) || !mlirAttributeIsADictionary(entries)) return mlirAttributeGetNull();
  MlirAttribute entry = mlirDictionaryAttrGetElementByName(entries, name);
  if (mlirAttributeIsNull(entry) && mangle(class_name, name, mangled, sizeof mangled))
    entry = mlirDictionaryAttrGetElementByName(entries, pa_ref(mangled));
  return entry;
}

bool pa_class_has_entry(MlirOperation module, MlirType type, const char *table, const char *name) {
  MlirAttribute class = pa_class_of_type(module, type);
  return !mlirAttributeIsNull(class) &&
         !mlirAttributeIsNull(pa_class_entry(class, pyarrayObjectTypeGetName(type), table, pa_ref(name)));
}

//===-- Named tuples and enums --------------------------------------------------------------------===//

MlirAttribute pa_named_find(MlirOperation module, MlirStringRef name) {
  MlirAttribute classes = pa_get_attr(module, "pyarray.classes");
  if (mlirAttributeIsNull(classes) || !mlirAttributeIsADictionary(classes)) return mlirAttributeGetNull();
  MlirAttribute description = mlirDictionaryAttrGetElementByName(classes, name);
  if (mlirAttributeIsNull(description) || !mlirAttributeIsADictionary(description)) return mlirAttributeGetNull();
  MlirAttribute kind = mlirDictionaryAttrGetElementByName(description, pa_ref("kind"));
  return !mlirAttributeIsNull(kind) && mlirAttributeIsAString(kind) ? description : mlirAttributeGetNull();
}

MlirStringRef pa_class_name_of(MlirType type) {
  if (pyarrayTypeIsObject(type)) return pyarrayObjectTypeGetName(type);
  return mlirStringAttrGetValue(pyarrayTypeIsCallable(type) ? pyarrayCallableTypeGetName(type)
                                                            : pyarrayTaggedTypeGetTag(type));
}

MlirAttribute pa_named_of_type(MlirOperation module, MlirType type) {
  if (mlirTypeIsNull(type)) return mlirAttributeGetNull();
  bool is_class = pyarrayTypeIsCallable(type) && mlirAttributeIsAString(pyarrayCallableTypeGetName(type));
  return is_class || pa_is_named(type) ? pa_named_find(module, pa_class_name_of(type)) : mlirAttributeGetNull();
}
