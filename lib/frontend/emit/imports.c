// Import statements within functions. What one binds is a constant of the function, as a global name is: the module is
// imported when the function is compiled, and where the statement is in a branch that is not compiled, not at all.
//
//   import math as m        m.sqrt(x)       pyarray.callable "math.sqrt"
//   from math import sqrt   sqrt(x)         pyarray.callable "math.sqrt"
#include <Python.h>

#include <string.h>

#include "emit.h"

// The module, as Python's statement finds it; a new reference.
static PyObject *import_module(pa_emitter *e, const pa_import *import) {
  PyObject *globals = PyObject_GetAttrString(e->function->object, "__globals__");
  PyObject *names = import->attribute ? Py_BuildValue("(O)", import->attribute) : PyTuple_New(0), *module = NULL;
  if (globals && names)
    module = import->attribute ? PyImport_ImportModuleLevelObject(import->module, globals, NULL, names, import->level)
                               : PyImport_Import(import->module);
  if (module && import->top) {
    Py_DECREF(module);
    module = PyImport_Import(import->top);
  }
  Py_XDECREF(globals);
  Py_XDECREF(names);
  return module;
}

// What the name is bound to; a new reference.
static PyObject *import_object(pa_emitter *e, const pa_import *import) {
  PyObject *module = import_module(e, import);
  if (!module || !import->attribute) return module;
  PyObject *object = PyObject_GetAttr(module, import->attribute);
  if (!object && PyErr_ExceptionMatches(PyExc_AttributeError)) {
    PyObject *of = PyObject_GetAttrString(module, "__name__");
    PyErr_Format(PyExc_ImportError, "cannot import name %R from %R", import->attribute, of ? of : import->module);
    Py_XDECREF(of);
  }
  Py_DECREF(module);
  return object;
}

static pa_status emit_import(pa_emitter *e, const pa_statement *s, const pa_import *import) {
  PyObject *object = pa_adopt(e->importer, import_object(e, import));
  pa_location location = pa_locate(e->function, s->place);
  if (!object)
    return PyErr_ExceptionMatches(PyExc_ImportError) ? pa_python_refusal(e->importer, &location) : pa_python_failure();
  if (import->name->object && import->name->object != object)
    return pa_fail(PA_CODE_UNSUPPORTED, &location,
                   "the name '%s' is imported as two different things\nhint: import each under a name of its own",
                   import->name->text);
  return import->name->object = object, PA_OK;
}

void pa_emit_import(pa_emitter *e, const pa_statement *s) {
  pa_status status = PA_OK;
  for (int i = 0; i < s->count && !status; ++i) status = emit_import(e, s, &s->imports[i]);
  if (status) pa_set_failure(e, status);
}
