// The classes whose instances compiled code makes: the module's attribute `pyarray.classes`, a dictionary
// (docs/internals-objects.md).
#ifndef PYARRAY_LIB_IR_CLASSES_H
#define PYARRAY_LIB_IR_CLASSES_H

#include "ir.h"

// The description of the class of that name, a dictionary; null where the module has none.
MlirAttribute pa_class_find(MlirOperation module, MlirStringRef name);
// Of the class whose instances have |type|.
static inline MlirAttribute pa_class_of_type(MlirOperation module, MlirType type) {
  return pa_class_find(module, pyarrayObjectTypeGetName(type));
}
// The class that is the value of a callable type, `!pyarray.callable<"module:Class#0">`; null for all other types.
MlirAttribute pa_class_of_callable(MlirOperation module, MlirType type);

// The number of the field, or -1. Names that Python mangles, "__x", are found as "_Class__x" too; |name| is that of the
// class.
intptr_t pa_class_field(MlirAttribute description, MlirStringRef class_name, MlirStringRef name);
static inline MlirAttribute pa_class_field_name(MlirAttribute description, intptr_t field) {
  return mlirArrayAttrGetElement(mlirDictionaryAttrGetElementByName(description, pa_ref("fields")), field);
}
MlirType pa_class_fields(MlirAttribute description); // a tuple; null where the description is malformed
static inline MlirType pa_class_field_type(MlirAttribute description, intptr_t field) {
  return mlirTupleTypeGetType(pa_class_fields(description), field);
}

// The entry |name| of the class's |table|: "methods", "getters", "setters", "statics", "class_methods", symbols of
// functions, or "constants". Or null.
MlirAttribute pa_class_entry(MlirAttribute description, MlirStringRef class_name, const char *table,
                             MlirStringRef name);
bool pa_class_has_entry(MlirOperation module, MlirType type, const char *table,
                        const char *name); // the class of an object type
// A class of named tuples, or an enum; null where the module has none of that name, or a jitclass. Such classes have no
// types, and `kind`: "namedtuple", with `fields` and `defaults`, of the last ones; or the kind of the tagged type of an
// enum's members, with `members` (numbers, or values, by name) and, of each number, `names` and `values`.
MlirAttribute pa_named_find(MlirOperation module, MlirStringRef name);
MlirAttribute pa_named_of_type(MlirOperation module,
                               MlirType type); // pa_is_named, or a callable that is the class; null for all other types
static inline MlirStringRef pa_named_kind(MlirAttribute description) {
  return mlirStringAttrGetValue(mlirDictionaryAttrGetElementByName(description, pa_ref("kind")));
}
static inline bool pa_is_enum_class(MlirAttribute description) {
  return !pa_ref_equal(pa_named_kind(description), "namedtuple");
}
// The name of the class: of the type of an instance of any class, or of the class as a callable.
MlirStringRef pa_class_name_of(MlirType type);
// "Class" of "module:outer.Class#0"
MlirStringRef pa_class_short_name(MlirStringRef name);

#endif // PYARRAY_LIB_IR_CLASSES_H
