// Overloads that users registered with pyarray.extending: their names in IR.
#include <Python.h>

#include "importer.h"

PyObject *pa_extending_module(void) {
  PyObject *name = PyUnicode_FromString("pyarray.extending");
  PyObject *module = name ? PyImport_GetModule(name) : NULL;
  Py_XDECREF(name);
  return module;
}

//===-- Overloads ---------------------------------------------------------------------------------===//

pa_status pa_overload_name(pa_importer *importer, PyObject *object, const char **out_name) {
  *out_name = NULL;
  PyObject *module = pa_extending_module();
  if (!module) return PyErr_Occurred() ? pa_python_failure() : PA_OK;
  PyObject *name = PyObject_CallMethod(module, "name_of", "O", object);
  Py_DECREF(module);
  if (name && name != Py_None) *out_name = pa_python_text(importer, name);
  Py_XDECREF(name);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

pa_status pa_overload_class_method(pa_importer *importer, PyObject *type, const char *name, PyObject **out_method) {
  PyObject *module = pa_extending_module();
  if (!module) return PyErr_Occurred() ? pa_python_failure() : PA_OK;
  PyObject *method = pa_adopt(importer, PyObject_CallMethod(module, "class_method", "Os", type, name));
  Py_DECREF(module);
  if (!method) return pa_python_failure();
  if (method != Py_None) *out_method = method;
  return PA_OK;
}

pa_status pa_overload_fits(pa_importer *importer, PyObject *object, const char **out_unfit) {
  *out_unfit = NULL;
  PyObject *made_for = PyObject_GetAttrString(object, "__pyarray_target__"),
           *module = made_for ? pa_extending_module() : NULL, *fits = NULL;
  if (!made_for) return PyErr_Clear(), PA_OK;
  if (module)
    fits = PyObject_CallMethod(module, "is_usable", "Os", made_for, pa_target_name(importer->first->options.target));
  if (fits && !Py_IsTrue(fits)) *out_unfit = pa_python_text(importer, made_for);
  Py_XDECREF(fits);
  Py_XDECREF(module);
  Py_DECREF(made_for);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}
