// Inner loops of NumPy's ufuncs for compiled code (runtime/numpy_loops.h): their addresses, and what NumPy passes to
// them.
#include "runtime/numpy_loops.h"

#include "objects.h"
#include "ufunc.h"

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

// NumPy may lack the ufunc, or the module: then compiled code does without. Other failures are errors.
static int fetch(pa_numpy_loop_number number) {
  const pa_numpy_loop_source *source = pa_numpy_loop_find(number);
  PyObject *module = PyImport_ImportModule(source->module);
  PyObject *ufunc = module ? PyObject_GetAttrString(module, source->ufunc) : NULL;
  Py_XDECREF(module);
  if (!ufunc) {
    bool is_missing = PyErr_ExceptionMatches(PyExc_ImportError) || PyErr_ExceptionMatches(PyExc_AttributeError);
    if (is_missing) PyErr_Clear();
    return is_missing ? 0 : -1;
  }
  // The object lives as long as NumPy's module; somebody may replace the name in it, so it is kept.
  if (PyObject_TypeCheck(ufunc, &PyUFunc_Type))
    pa_numpy_loop_set(number, loop_of((PyUFuncObject *)ufunc, source->types));
  else
    Py_DECREF(ufunc);
  return PyErr_Occurred() ? -1 : 0;
}

int pa_numpy_loops_initialize(void) {
  for (int i = 0; i < PA_NUMPY_LOOP_COUNT; ++i)
    if (fetch((pa_numpy_loop_number)i) < 0) return -1;
  return 0;
}
