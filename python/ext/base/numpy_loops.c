// Inner loops of NumPy's ufuncs for compiled code (runtime/linear/numpy_loops.h): their addresses, and what NumPy
// passes to them.
#include "runtime/linear/numpy_loops.h"

#include "ext.h"

#define PY_UFUNC_UNIQUE_SYMBOL pa_numpy_ufunc_api
#define NO_IMPORT_UFUNC
#include <numpy/ufuncobject.h>

// The loop of |ufunc| for operands of these types, none where it has no such loop.
static pa_numpy_loop loop_of(const PyUFuncObject *ufunc, const char *types) {
  for (int i = 0; i < ufunc->ntypes; ++i) {
    bool fits = true;
    for (int k = 0; fits && k < ufunc->nargs; ++k) {
      PyArray_Descr *type = PyArray_DescrFromType(ufunc->types[i * ufunc->nargs + k]);
      fits = type && types[k] && type->type == types[k];
      Py_XDECREF(type);
    }
    if (fits) return (pa_numpy_loop){ufunc->functions[i], ufunc->data ? (void *)(uintptr_t)ufunc->data[i] : NULL};
  }
  return (pa_numpy_loop){0};
}

// NumPy may lack the ufunc: then compiled code does without. Other failures are errors.
static int fetch(pa_numpy_loop_number number, PyObject *module) {
  const pa_numpy_loop_source *source = pa_numpy_loop_find(number);
  PyObject *ufunc = PyObject_GetAttrString(module, source->ufunc);
  if (!ufunc) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    PyErr_Clear();
    return 0;
  }
  // The object lives as long as NumPy's module; somebody may replace the name in it, so it is kept.
  if (PyObject_TypeCheck(ufunc, &PyUFunc_Type))
    pa_numpy_loop_set(number, loop_of((PyUFuncObject *)ufunc, source->types));
  else
    Py_DECREF(ufunc);
  return PyErr_Occurred() ? -1 : 0;
}

// An object that calls a loop has its key among its constants.
static bool has_key(const void *object, size_t size, const pa_numpy_loop_source *source) {
  int64_t key = pa_numpy_loop_key(source->ufunc, source->types);
  return object && memmem(object, size, &key, sizeof key);
}

// The module, if it has been imported or |object| needs it; NULL with or without an exception.
static PyObject *module_for(const pa_numpy_loop_source *source, const void *object, size_t size) {
  PyObject *name = PyUnicode_FromString(source->module);
  PyObject *module = name ? PyImport_GetModule(name) : NULL;
  if (!module && !PyErr_Occurred() && has_key(object, size, source)) {
    module = PyImport_Import(name);
    if (!module && PyErr_ExceptionMatches(PyExc_ImportError)) PyErr_Clear(); // NumPy has no such module
  }
  Py_XDECREF(name);
  return module;
}

int pa_numpy_loops_fetch(const void *object, size_t size) {
  static bool fetched[PA_NUMPY_LOOP_COUNT];
  static int missing = PA_NUMPY_LOOP_COUNT;
  int result = 0;
  for (int i = 0; missing && !result && i < PA_NUMPY_LOOP_COUNT; ++i) {
    if (fetched[i]) continue;
    PyObject *module = module_for(pa_numpy_loop_find((pa_numpy_loop_number)i), object, size);
    if (!module && PyErr_Occurred()) return -1;
    if (!module) continue;
    result = fetch((pa_numpy_loop_number)i, module);
    Py_DECREF(module);
    fetched[i] = true;
    --missing;
  }
  return result;
}
