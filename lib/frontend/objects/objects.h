// Python objects that a function refers to: constants, classes, ufuncs, native functions.
#ifndef PYARRAY_LIB_FRONTEND_OBJECTS_H
#define PYARRAY_LIB_FRONTEND_OBJECTS_H

#include "builtins.h"
#include "importer.h"

// intrinsics.c
// |parts|, of an intrinsic: type code, MLIR type, text. Gives the function's symbol.
pa_status pa_import_intrinsic(const pa_overload_request *request, PyObject *parts, const char **out_symbol);

// wrappers.c
// The kernel of a ufunc that vectorize or guvectorize made; NULL for what is none.
pa_status pa_request_ufunc(pa_importer *importer, PyObject *object, const pa_function **out_function);
// Whether |object| is such a ufunc.
pa_status pa_is_ufunc(pa_importer *importer, PyObject *object, bool *out_is_ufunc);
// The function of a ufunc's method; NULL for what is none.
pa_status pa_request_method(pa_importer *importer, PyObject *object, const pa_function **out_function);
// The function behind a C callback, which is called with the types of its signature; NULL for what is none.
pa_status pa_request_cfunc(pa_importer *importer, PyObject *object, const pa_function **out_function);

// classes.c
// The name, "module:Class#0", of a class whose instances compiled code has; NULL for another object.
pa_status pa_request_class(pa_importer *importer, PyObject *object, const char **out_name);
// The classes that occur in type codes, or in none where |codes| is NULL.
pa_status pa_request_classes(pa_importer *importer, const char *codes);
void pa_write_classes(pa_importer *importer); // to the module
// The name of the class of a named tuple, or of a member of an enum; NULL for all other values.
pa_status pa_class_value_name(pa_importer *importer, PyObject *value, const char **out_name);
// The function that makes an instance, of the __init__ being emitted.
pa_status pa_emit_constructor(pa_emitter *e, MlirAttribute defaults, MlirAttribute options);

// constants.c
// The attribute of a pyarray.constant; null for what is no number, str or None. Fails for an int beyond 64 bits.
pa_status pa_constant_attr(pa_importer *importer, PyObject *value, const pa_location *location,
                           MlirAttribute *out_attribute);
// The elements of a NumPy array; null if it is none or of another dtype, then |*out_reason| says what is wrong with it.
// The record in an array of one; NULL for what is no record.
pa_status pa_array_of_record(pa_importer *importer, PyObject *value, PyObject **out_array);

pa_status pa_elements_attr(pa_importer *importer, PyObject *value, MlirAttribute *out_attribute, MlirType *out_element,
                           const char **out_reason);
// Whether |object| is numpy.datetime64 or numpy.timedelta64.
bool pa_is_time_class(pa_importer *importer, PyObject *object);
// What numpy.datetime64 or numpy.timedelta64, |callee|, makes of one or two texts: "2020-01-01", "D".
pa_status pa_time_literal(pa_importer *importer, PyObject *callee, const char *const *texts, int count,
                          const pa_location *location, MlirAttribute *out_attribute);
// "numpy.float32" for a NumPy dtype or scalar class; NULL for what is none.
pa_status pa_numpy_type_name(pa_importer *importer, PyObject *value, const char **out_name);

// objects.c
// What |x| names, if it is no variable; NULL too where it is refused, which is said where it is emitted.
PyObject *pa_peek(pa_emitter *e, const pa_expression *x);
MlirValue pa_emit_object(pa_emitter *e, const pa_expression *expression, PyObject *object);
// L[1], D["x"]: of a global list or dict whose items differ in type, so that it is no value itself. Null for all
// others.
MlirValue pa_emit_global_item(pa_emitter *e, const pa_expression *x);
MlirValue pa_emit_callable(pa_emitter *e, MlirAttribute name); // of a builtin, or a symbol
const char *pa_spell(pa_emitter *e, const pa_expression *x);   // "np.random.rand", as the source has it

// device_arrays.c
// Of a kernel: a device array, or another library's array on the device. Null for all others.
pa_status pa_emit_device_array(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value);

// known_truth.c
// The truth of a condition that literals and frozen globals decide, or -1. |*out_bare|: nothing of it needs to be
// evaluated; `x > 0 and False` is no such condition.
int pa_known_truth(pa_emitter *e, const pa_expression *x, bool *out_bare);
// The operands of an `and` or `or` without those that the ones before, or their own truth, make superfluous. The
// number.
int pa_needed_operands(pa_emitter *e, const pa_expression *x, const pa_expression **out_operands);

// objects.c
// The row PA_SUBSCRIPTED of the object that |x| names; null where it names anything else.
pa_status pa_find_subscripted(pa_emitter *e, const pa_expression *x, const pa_builtin **out_row);

// exact_constants.c
// The value of a constant expression that int64 would wrap in; null for all others.
MlirValue pa_emit_exact(pa_emitter *e, const pa_expression *x);
void pa_note_exact(pa_emitter *e, const pa_statement *assignment); // what a variable bound once is

// type_values.c
// Types of pyarray.types; out-parameters stay null for all else.
pa_status pa_type_attribute(pa_emitter *e, PyObject *object, const char *name,
                            PyObject **out_object); // a type, or a jitclass's class_type
// A call of a class of types, or a subscript of a type, of which all parts are known.
pa_status pa_resolve_type(pa_emitter *e, const pa_expression *x, PyObject **out_object);
MlirValue pa_emit_made_type(pa_emitter *e, const pa_expression *x); // the same as a value
pa_status pa_emit_type(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value);

// native.c
// Emits an object that another one is made of.
typedef MlirValue (*pa_emit_part)(pa_emitter *e, const pa_expression *x, PyObject *object, int depth);
// *out_value stays null for all other objects.
pa_status pa_emit_objmode(pa_emitter *e, PyObject *object, MlirValue *out_value);
pa_status pa_emit_native(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value);

// callables.c
// *out_value stays null for all other objects.
pa_status pa_emit_made_callable(pa_emitter *e, const pa_expression *x, PyObject *object, int depth,
                                pa_emit_part emit_part, MlirValue *out_value);

// lookup.c
// What the free variable, global or builtin |text| of |function| stands for, borrowed; NULL where it has no value.
pa_status pa_find_object(pa_importer *importer, const pa_function *function, const char *text, PyObject **out_object);
// Objects known at compile time. |*out_object| is NULL if the expression is none: a variable, or computed.
pa_status pa_resolve(pa_emitter *e, const pa_expression *expression, PyObject **out_object);

// exception_classes.c
// An exception class: "ValueError" or "module:qualname", and the names of the bases of the latter (else null).
typedef struct pa_exception_class {
  const char *name;
  MlirAttribute bases;
} pa_exception_class;
pa_status pa_exception_class_of(pa_emitter *e, const pa_expression *expression, pa_exception_class *out_class);
// The names (an array of strings) of a class or of a tuple of classes.
pa_status pa_exception_classes(pa_emitter *e, const pa_expression *expression, MlirAttribute *out_names);
// The exception classes that |expression| names, as one value, for isinstance(); null where it names anything else.
MlirValue pa_emit_exception_classes(pa_emitter *e, const pa_expression *expression);

#endif // PYARRAY_LIB_FRONTEND_OBJECTS_H
