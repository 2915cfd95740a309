// Overloads that users registered with pyarray.extending: their names in IR, and the functions behind them.
#include <Python.h>

#include <string.h>

#include "importer.h"

// The module, a new reference; NULL where it is not loaded.
static PyObject *extending(void) {
  PyObject *name = PyUnicode_FromString("pyarray.extending");
  PyObject *module = name ? PyImport_GetModule(name) : NULL;
  Py_XDECREF(name);
  return module;
}

pa_status pa_overload_name(pa_importer *importer, PyObject *object, const char **out_name) {
  *out_name = NULL;
  PyObject *module = extending();
  if (!module) return PyErr_Occurred() ? pa_python_failure() : PA_OK;
  PyObject *name = PyObject_CallMethod(module, "name_of", "O", object);
  Py_DECREF(module);
  if (name && name != Py_None) *out_name = pa_python_text(importer, name);
  Py_XDECREF(name);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

pa_status pa_overload_class_method(pa_importer *importer, PyObject *type, const char *name, PyObject **out_method) {
  PyObject *module = extending();
  if (!module) return PyErr_Occurred() ? pa_python_failure() : PA_OK;
  PyObject *method = pa_keep(importer, PyObject_CallMethod(module, "class_method", "Os", type, name));
  Py_DECREF(module);
  if (!method) return pa_python_failure();
  if (method != Py_None) *out_method = method;
  return PA_OK;
}

//===-- Overloads ---------------------------------------------------------------------------------===//

static pa_status import_overload(const pa_overload_request *request, PyObject *module, const char **out_symbol) {
  PyObject *function = PyObject_CallMethod(module, "implementation", "ssss", request->name, request->types, request->keywords, request->literals);
  if (!function) return pa_python_failure();
  pa_status status = PA_OK;
  if (PyTuple_Check(function)) status = pa_import_intrinsic(request, function, out_symbol);
  else if (function != Py_None) status = pa_frontend_import(request->module, function, NULL, request->arena, out_symbol);
  Py_DECREF(function);
  return status;
}

// Passes run without the GIL.
static pa_status find_overload(const pa_overload_request *request, const char **out_symbol) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *module = extending();
  *out_symbol = NULL;
  pa_status status = module ? import_overload(request, module, out_symbol) : PyErr_Occurred() ? pa_python_failure() : PA_OK;
  Py_XDECREF(module);
  PyGILState_Release(state);
  return status;
}

//===-- Python's classes --------------------------------------------------------------------------===//

// In the dicts of the classes that it derives from: what the class itself answers may be of its own class.
static bool instances_have(PyObject *class, const char *name) {
  PyObject *bases = PyObject_GetAttrString(class, "__mro__");
  bool has = false;
  for (Py_ssize_t i = 0; bases && !has && i < PyTuple_Size(bases); ++i) {
    PyObject *dict = PyObject_GetAttrString(PyTuple_GetItem(bases, i), "__dict__");
    has = dict && PyMapping_HasKeyString(dict, name);
    Py_XDECREF(dict);
  }
  Py_XDECREF(bases);
  return has;
}

static bool class_has(const char *class_name, const char *name) {
  PyGILState_STATE state = PyGILState_Ensure();
  const char *dot = strrchr(class_name, '.');
  PyObject *module_name = PyUnicode_FromStringAndSize(class_name, dot - class_name), *module = module_name ? PyImport_Import(module_name) : NULL;
  PyObject *class = module ? PyObject_GetAttrString(module, dot + 1) : NULL;
  bool has = class && instances_have(class, name);
  PyErr_Clear();
  Py_XDECREF(class);
  Py_XDECREF(module);
  Py_XDECREF(module_name);
  PyGILState_Release(state);
  return has;
}

void pa_frontend_offer_overloads(void) {
  pa_find_overload = find_overload;
  pa_python_class_has = class_has;
}
