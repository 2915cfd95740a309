// Calls: what is called, its parameters and methods, and what a call becomes.
#ifndef PYARRAY_LIB_PASSES_INFER_CALLS_H
#define PYARRAY_LIB_PASSES_INFER_CALLS_H

#include "infer_resolved.h"

// infer_calls.c
pa_status pa_resolve_call(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_resolved_call *out_call);
// The same of an attribute that a user's function computes: |instance| is NULL where there is none.
pa_status pa_resolve_attribute(pa_inference *inference, pa_instance *instance, MlirOperation op,
                               pa_resolved_call *out_call);
// The same where |op| is a pyarray.binary that extends its left operand; |*out_is|: it is one.
pa_status pa_resolve_extension(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_is,
                               pa_resolved_call *out_call);
// The call of the function |symbol| with inference->given, the last of which the keywords of |op| name.
pa_status pa_resolve_function(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirStringRef symbol,
                              pa_resolved_call *out_call);
// Whether a row of builtins.def makes a container of pyarray.typed.
bool pa_makes_typed(const pa_builtin *builtin);

// infer_methods.c
// The builtin methods that Python's class |type| has begin with this, "str"; NULL where it is no such class.
const char *pa_class_family(pa_inference *inference, MlirType type, const char *method);
// What the names of methods of values of |type| begin with; NULL where they have none.
const char *pa_method_family(MlirType type);
// The builtin method |name| of values of |type|, or NULL. |*out_family| is as above.
const pa_builtin *pa_method_of_type(pa_inference *inference, MlirType type, const char *name, const char **out_family);
bool pa_has_plain_item(MlirType type); // named tuples and others have the methods of what is tagged
// Whether values of |type| have that method: a builtin, or of their class.
bool pa_has_method(pa_inference *inference, MlirType type, const char *name);
// Whether values of operand 0's type have the method that |op|, a getattr, names: a builtin, of its class, or an
// overload.
pa_status pa_find_method(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_has);

// infer_plan.c
// The operation becomes a call of the function |symbol|, a symbol reference.
pa_status pa_plan_function(pa_class_operation *o, MlirAttribute symbol, const MlirValue *arguments, intptr_t count);
// The operands of the call that the operation becomes, as pa_resolve_function takes them.
void pa_give(pa_inference *inference, const MlirValue *values, intptr_t count);
bool pa_class_has_method(pa_inference *inference, MlirType type, MlirStringRef name); // of a user's class

// infer_library.c
bool pa_joins_buffers(const pa_typing *typing,
                      pa_fact parts); // whether bytes.join() is given what is no bytes but has them
bool pa_has_no_items(pa_inference *inference, pa_instance *instance,
                     intptr_t skip); // the first argument is a dict that nothing is put into
// The function of the Python library that is called: the builtin is one, or its own rule does not do this call. Or
// NULL.
const char *pa_library_variant(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                               intptr_t skip);

// infer_array_attributes.c
pa_status pa_plan_array_attribute(pa_class_operation *o);

// infer_indexing.c
pa_status pa_plan_indexing(pa_class_operation *o); // a subscript of an array by lists, masks, or arrays of integers

// infer_keywords.c
pa_status pa_plan_keywords_operation(pa_class_operation *o);
MlirType pa_keyword_names_type(pa_inference *inference, MlirType mapping);

// infer_getters.c
// The function that a call of operator.itemgetter, attrgetter or methodcaller gives, with inference->given from |skip|
// on; null where |builtin| is none of them, or the items are not known.
pa_status pa_resolve_getter(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                            intptr_t skip, MlirType *out_function);
// An untyped function of the module, as if it were in the library: parameters of these names and kinds, its region.
pa_status pa_add_function(pa_inference *inference, pa_instance *instance, MlirLocation location, const char *symbol,
                          MlirRegion body, int count, const char *const *names, const char *kinds);

// infer_bound.c
pa_status pa_plan_bound_method(
    pa_class_operation *o); // a getattr that names a method of the object, or of the class that the object is
pa_status pa_bind_method(
    pa_class_operation *o); // the same of an object that has no such attribute; no plan where it has no such method
// A special method that Python's own values have, as "operator.getitem" of __getitem__; NULL where |name| is none.
const char *pa_special_function(const char *name);

// infer_overload.c
// The function that a user has for |name| with the arguments of |op| from operand |first| on; NULL where there is none.
pa_status pa_overload_symbol(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *name,
                             intptr_t first, const char **out_symbol);

// infer_declared.c
// The arguments of a call of |function|, where it has declared signatures, as the one that fits best has them;
// |*out_result|: its result, or null.
pa_status pa_fit_to_declared(const pa_typing *typing, MlirOperation function, const char *name, pa_fact *facts,
                             int count, MlirType *out_result);

#endif // PYARRAY_LIB_PASSES_INFER_CALLS_H
