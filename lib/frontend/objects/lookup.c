// Names and attributes that are looked up while a function is imported: globals, closures, modules, classes.
#include <Python.h>

#include <string.h>

#include "emitter.h"
#include "ir/builtins.h"
#include "objects.h"

// |*out_cell|: a new reference to the cell of the free variable, or NULL if there is none.
static pa_status get_cell(const pa_function *function, PyObject *name, PyObject **out_cell) {
  pa_status status = PA_OK;
  PyObject *code = PyObject_GetAttrString(function->object, "__code__");
  PyObject *names = code ? PyObject_GetAttrString(code, "co_freevars") : NULL;
  PyObject *closure = names ? PyObject_GetAttrString(function->object, "__closure__") : NULL;
  *out_cell = NULL;
  if (!closure) {
    status = pa_python_failure();
    goto done;
  }
  for (Py_ssize_t i = 0; PyTuple_Check(closure) && i < PyTuple_Size(closure); ++i)
    if (PyUnicode_Compare(PyTuple_GetItem(names, i), name) == 0) *out_cell = Py_NewRef(PyTuple_GetItem(closure, i));
done:
  Py_XDECREF(code);
  Py_XDECREF(names);
  Py_XDECREF(closure);
  return status;
}

// From the dict that is the function's attribute |dictionary|: a new reference, NULL if it is not there.
static pa_status get_from(const pa_function *function, const char *dictionary, PyObject *name, PyObject **out_object) {
  PyObject *dict = PyObject_GetAttrString(function->object, dictionary);
  PyObject *object = dict ? PyDict_GetItemWithError(dict, name) : NULL;
  *out_object = Py_XNewRef(object);
  Py_XDECREF(dict);
  return object || !PyErr_Occurred() ? PA_OK : pa_python_failure();
}

// A new reference, or NULL for a name without a value.
static pa_status get_object(const pa_function *function, PyObject *name, PyObject **out_object) {
  PyObject *cell;
  PA_TRY(get_cell(function, name, &cell));
  if (cell) {
    *out_object = PyObject_GetAttrString(cell, "cell_contents");
    Py_DECREF(cell);
    if (*out_object) return PA_OK;
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) return pa_python_failure();
    PyErr_Clear();
    return PA_OK;
  }
  PA_TRY(get_from(function, "__globals__", name, out_object));
  return *out_object ? PA_OK : get_from(function, "__builtins__", name, out_object);
}

static pa_status look_up_import(pa_emitter *e, const pa_expression *x) {
  pa_location location = pa_locate(e->function, x->place);
  x->name->object = x->name->import->object;
  if (x->name->object) return PA_OK;
  return pa_fail(
      PA_CODE_TYPING, &location,
      "name '%s' has no value here: it is imported further on, or where it is decided that the code is not executed",
      x->name->text);
}

pa_status pa_find_object(pa_importer *importer, const pa_function *function, const char *name, PyObject **out_object) {
  PyObject *object = NULL, *text = PyUnicode_FromString(name);
  if (!text) return pa_python_failure();
  pa_status status = get_object(function, text, &object);
  Py_DECREF(text);
  if (status) return status;
  *out_object = pa_adopt(importer, object);
  return *out_object || !object ? PA_OK : pa_python_failure();
}

// "; did you mean np.sqrt?", or nothing. |names| is a module or a dict; |prefix| is how the source writes what comes
// before one.
static const char *suggestion(pa_emitter *e, PyObject *names, const char *name, const char *prefix) {
  PyObject *module = PyImport_ImportModule("pyarray._report");
  PyObject *found =
      module && names ? pa_adopt(e->importer, PyObject_CallMethod(module, "close_name", "Os", names, name)) : NULL;
  const char *text = found && PyUnicode_Check(found) ? pa_python_text(e->importer, found) : NULL;
  PyErr_Clear();
  Py_XDECREF(module);
  return text ? pa_arena_format(e->arena, "; did you mean %s%s?", prefix, text) : "";
}

static pa_status look_up(pa_emitter *e, const pa_expression *x) {
  if (x->name->import) return look_up_import(e, x);
  PA_TRY(pa_find_object(e->importer, e->function, x->name->text, &x->name->object));
  // While a decorator compiles it, a function that calls itself is not bound to its name yet.
  if (!x->name->object && strcmp(x->name->text, e->function->python_name) == 0) x->name->object = e->function->object;
  if (x->name->object) return PA_OK;
  pa_location location = pa_locate(e->function, x->place);
  PyObject *names = pa_adopt(e->importer, PyObject_GetAttrString(e->function->object, "__globals__"));
  PyErr_Clear();
  const char *close = suggestion(e, names, x->name->text, "");
  return pa_fail(PA_CODE_TYPING, &location,
                 "name '%s' has no value%s%s define it before the function is compiled, on its first call",
                 x->name->text, close, *close ? " Or" : ";");
}

static pa_status get_module_attribute(pa_emitter *e, const pa_expression *x, PyObject *module, PyObject **out_object) {
  *out_object = pa_adopt(e->importer, PyObject_GetAttrString(module, x->text));
  if (*out_object) return PA_OK;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return pa_python_failure();
  PyErr_Clear();
  pa_location location = pa_locate(e->function, x->place);
  PyObject *name = pa_adopt(e->importer, PyObject_GetAttrString(module, "__name__"));
  const char *text = name && PyUnicode_Check(name) ? pa_python_text(e->importer, name) : NULL;
  PyErr_Clear();
  const char *prefix = pa_arena_format(e->arena, "%s.", pa_spell(e, x->operands[0]));
  return pa_fail(PA_CODE_TYPING, &location, "module '%s' has no attribute '%s'%s", text ? text : "?", x->text,
                 suggestion(e, module, x->text, prefix));
}

// Of a ufunc: a constant, or what pa_request_method takes; of NumPy's own a compiled function. NULL for all other
// objects.
static pa_status get_ufunc_attribute(pa_emitter *e, const pa_expression *x, PyObject *ufunc, PyObject **out_object) {
  bool is_ufunc;
  PA_TRY(pa_is_ufunc(e->importer, ufunc, &is_ufunc));
  if (!is_ufunc && (PyObject *)Py_TYPE(ufunc) != e->importer->ufunc) return PA_OK;
  PyObject *module = PyImport_ImportModule("pyarray._ufunc_methods");
  if (!module) return pa_python_failure();
  *out_object = pa_adopt(e->importer, PyObject_CallMethod(module, "attribute", "Os", ufunc, x->text));
  Py_DECREF(module);
  if (*out_object) return PA_OK;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return pa_python_failure();
  pa_location location = pa_locate(e->function, x->place);
  return pa_python_refusal(e->importer, &location);
}

// ffi.from_buffer of cffi; NULL for all others.
static pa_status get_buffer_method(pa_emitter *e, const pa_expression *x, PyObject *ffi, PyObject **out_object) {
  PyObject *module = PyImport_ImportModule("pyarray._pointers"),
           *method = pa_adopt(e->importer, PyObject_GetAttrString(ffi, x->text));
  if (!method) PyErr_Clear();
  PyObject *is =
      module && method ? pa_adopt(e->importer, PyObject_CallMethod(module, "is_from_buffer", "O", method)) : NULL;
  Py_XDECREF(module);
  if (PyErr_Occurred()) return pa_python_failure();
  if (is == Py_True) *out_object = method;
  return PA_OK;
}

// itertools.chain.from_iterable, typed.List.empty_list, np.add.reduce; NULL for what is no row of builtins.def.
static pa_status get_class_method(pa_emitter *e, const pa_expression *x, PyObject *class, PyObject **out_object) {
  PyObject *name;
  PA_TRY(pa_builtin_name(e->importer, class, &name));
  if (!name) return PA_OK;
  PyObject *method = pa_adopt(e->importer, PyObject_GetAttrString(class, x->text));
  PyErr_Clear();
  name = NULL;
  if (method && (PyCFunction_Check(method) || (PyObject *)Py_TYPE(method) == e->importer->method_type))
    PA_TRY(pa_builtin_name(e->importer, method, &name));
  if (name) *out_object = method;
  return PA_OK;
}

// Shape.area of a plain class that jitclasses derive from, Settings.STEPS of another one; NULL for all others.
static pa_status get_plain_attribute(pa_emitter *e, const pa_expression *x, PyObject *class, PyObject **out_object) {
  PyObject *module = PyImport_ImportModule("pyarray._class_bases");
  PyObject *found =
      module ? pa_adopt(e->importer, PyObject_CallMethod(module, "attribute", "Os", class, x->text)) : NULL;
  Py_XDECREF(module);
  if (PyErr_Occurred()) return pa_python_failure();
  if (found && PyUnicode_Check(found))
    return pa_fail_emission(e, PA_CODE_UNSUPPORTED, x->place, "%s", pa_python_text(e->importer, found)), PA_OK;
  if (found && PyTuple_Check(found)) *out_object = PyTuple_GetItem(found, 0);
  return PA_OK;
}

pa_status pa_resolve(pa_emitter *e, const pa_expression *x, PyObject **out_object) {
  *out_object = NULL;
  if (x->kind == PA_NAME && x->name->variable < 0 && !x->name->itself && !x->name->remade) {
    if (!x->name->object) PA_TRY(look_up(e, x));
    *out_object = x->name->object;
  } else if (x->kind == PA_ATTRIBUTE) {
    PyObject *module;
    PA_TRY(pa_resolve(e, x->operands[0], &module));
    if (module && PyModule_Check(module)) return get_module_attribute(e, x, module, out_object);
    if (module && PyType_Check(module)) PA_TRY(get_class_method(e, x, module, out_object));
    if (module && PyType_Check(module) && !*out_object) PA_TRY(get_plain_attribute(e, x, module, out_object));
    if (module && !*out_object) PA_TRY(pa_type_attribute(e, module, x->text, out_object));
    if (*out_object || (module && PyType_Check(module))) return PA_OK;
    if (module && (PyObject *)Py_TYPE(module) == e->importer->ufunc) PA_TRY(get_class_method(e, x, module, out_object));
    if (module && !*out_object) PA_TRY(get_ufunc_attribute(e, x, module, out_object));
    if (module && !*out_object && strcmp(x->text, "from_buffer") == 0)
      PA_TRY(get_buffer_method(e, x, module, out_object));
    if (module && !*out_object) PA_TRY(pa_overload_class_method(e->importer, module, x->text, out_object));
  } else {
    return pa_resolve_type(e, x, out_object);
  }
  return PA_OK;
}
