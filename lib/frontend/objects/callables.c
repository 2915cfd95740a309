// Callable objects that Python has made of others: functools.partial(f, 1), operator.itemgetter(1), attrgetter("x"),
// methodcaller("strip"), and methods, str.lower and TABLE.get. As globals and free variables they are the calls and
// attributes that make them.
//
//   KEY = operator.itemgetter(1)   ... f(KEY)      %0 = pyarray.callable "operator.itemgetter"; %1 = pyarray.apply
//   %0(%one) KEY = str.lower                ... f(KEY)      %0 = pyarray.callable "builtins.str"; %1 = pyarray.getattr
//   %0 "lower"
#include <Python.h>

#include <string.h>

#include "emitter.h"
#include "objects.h"

// A borrowed tuple of positional arguments, and a dict of named ones or NULL; |*out_class| is NULL where |object| is no
// such thing.
static pa_status take_apart(pa_emitter *e, PyObject *object, const char **out_class, PyObject **out_positional,
                            PyObject **out_named) {
  PyObject *module = pa_adopt(e->importer, PyImport_ImportModule("pyarray._callables"));
  PyObject *parts = module ? pa_adopt(e->importer, PyObject_CallMethod(module, "take_apart", "O", object)) : NULL;
  *out_class = NULL;
  if (!parts) return pa_python_failure();
  if (Py_IsNone(parts)) return PA_OK;
  *out_class = pa_python_text(e->importer, PyTuple_GetItem(parts, 0));
  *out_positional = PyTuple_GetItem(parts, 1);
  *out_named = PyTuple_GetItem(parts, 2);
  return *out_class ? PA_OK : pa_python_failure();
}

// A function of a module is none, a method of an object may be.
static bool may_be_one(PyObject *object) {
  if (PyCFunction_Check(object)) return PyCFunction_GetSelf(object) && !PyModule_Check(PyCFunction_GetSelf(object));
  return PyCallable_Check(object) && !PyType_Check(object);
}

static pa_status emit_method(pa_emitter *e, const pa_expression *x, PyObject *parts, int depth, pa_emit_part emit_part,
                             MlirValue *out_value) {
  const char *name = pa_python_text(e->importer, PyTuple_GetItem(parts, 1));
  if (!name) return pa_python_failure();
  MlirValue object = emit_part(e, x, PyTuple_GetItem(parts, 0), depth + 1);
  *out_value = pa_value(&e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(object), PA_RESULTS(e->any),
                        PA_ATTRS({"name", pa_string_attr(e->importer->context, name)}));
  return PA_OK;
}

pa_status pa_emit_made_callable(pa_emitter *e, const pa_expression *x, PyObject *object, int depth,
                                pa_emit_part emit_part, MlirValue *out_value) {
  const char *class;
  PyObject *positional, *named, *name, *value;
  if (!may_be_one(object)) return PA_OK;
  PA_TRY(take_apart(e, object, &class, &positional, &named));
  if (!class) return PA_OK;
  if (strcmp(class, "builtins.getattr") == 0) return emit_method(e, x, positional, depth, emit_part, out_value);
  Py_ssize_t count = PyTuple_Size(positional), named_count = PyDict_Size(named), at = 0, k = 0;
  MlirValue *operands = PA_NEW_ARRAY(e->arena, MlirValue, count + named_count + 1);
  MlirAttribute *names = PA_NEW_ARRAY(e->arena, MlirAttribute, named_count + 1);
  operands[0] = pa_value(&e->builder, PA_OP_NAME(CALLABLE), PA_RESULTS(e->any),
                         PA_ATTRS({"name", pa_string_attr(e->importer->context, class)}));
  for (Py_ssize_t i = 0; i < count; ++i) operands[1 + i] = emit_part(e, x, PyTuple_GetItem(positional, i), depth + 1);
  for (; PyDict_Next(named, &at, &name, &value); ++k) {
    const char *text = pa_python_text(e->importer, name);
    if (!text) return pa_python_failure();
    names[k] = pa_string_attr(e->importer->context, text);
    operands[1 + count + k] = emit_part(e, x, value, depth + 1);
  }
  MlirAttribute keywords =
      named_count ? mlirArrayAttrGet(e->importer->context, named_count, names) : mlirAttributeGetNull();
  *out_value = pa_value(&e->builder, PA_OP_NAME(APPLY), PA_OPERAND_ARRAY(operands, 1 + count + named_count),
                        PA_RESULTS(e->any), PA_ATTRS({"kw", keywords}));
  return PA_OK;
}
