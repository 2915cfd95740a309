// install_as_numba(fallback=True): a call that the compiler refuses is given to the real Numba's function, its twin,
// which then does all calls of this dispatcher, ufunc or kernel from Python (pyarray/_fallback.py).
#include "objects.h"

static bool falls_back;

PyObject *pa_set_falls_back(PyObject *module, PyObject *flag) {
  (void)module;
  falls_back = flag == Py_True;
  Py_RETURN_NONE;
}

bool pa_falls_back(void) { return falls_back; }

static PyObject *positional(PyObject *const *values, Py_ssize_t count) {
  PyObject *all = PyTuple_New(count);
  for (Py_ssize_t i = 0; all && i < count; ++i) PyTuple_SET_ITEM(all, i, Py_NewRef(values[i]));
  return all;
}

static PyObject *by_name(PyObject *const *values, PyObject *names) {
  PyObject *all = PyDict_New();
  for (Py_ssize_t i = 0; all && names && i < PyTuple_GET_SIZE(names); ++i)
    if (PyDict_SetItem(all, PyTuple_GET_ITEM(names, i), values[i]) < 0) Py_CLEAR(all);
  return all;
}

// (twin, or None where the next call asks again; result), or None where the refusal stands; NULL where it has raised.
static PyObject *take_over(PyObject *object, const char *method, PyObject *refusal, PyObject *const *values,
                           Py_ssize_t count, PyObject *names) {
  PyObject *arguments = positional(values, count), *keywords = by_name(values + count, names), *done = NULL;
  if (arguments && keywords)
    done = pa_call_helper("_fallback", "take_over", "(OsOOO)", object, method, refusal, arguments, keywords);
  Py_XDECREF(arguments);
  Py_XDECREF(keywords);
  return done;
}

static PyObject *accept(pa_dispatcher *self, PyObject *done) {
  PyObject *twin = PyTuple_GET_ITEM(done, 0);
  if (twin != Py_None) Py_XSETREF(self->twin, Py_NewRef(twin));
  PyObject *result = Py_NewRef(PyTuple_GET_ITEM(done, 1));
  Py_DECREF(done);
  return result;
}

// What compiled code or a function that it calls has raised has frames by now; a refusal of this call has none.
PyObject *pa_fall_back(pa_dispatcher *self, PyObject *object, const char *method, PyObject *const *values,
                       Py_ssize_t count, PyObject *names) {
  PyObject *type, *refusal, *traceback;
  PyErr_Fetch(&type, &refusal, &traceback);
  PyErr_NormalizeException(&type, &refusal, &traceback);
  PyObject *done = traceback ? Py_NewRef(Py_None) : take_over(object, method, refusal, values, count, names);
  if (done == Py_None) {
    Py_DECREF(done);
    PyErr_Restore(type, refusal, traceback);
    return NULL;
  }
  Py_XDECREF(type);
  Py_XDECREF(refusal);
  Py_XDECREF(traceback);
  return done ? accept(self, done) : NULL;
}

PyObject *pa_call_or_fall_back(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  pa_dispatcher *self = (pa_dispatcher *)callable;
  if (self->twin) return PyObject_Vectorcall(self->twin, values, flags, names);
  PyObject *result = (self->refusal ? pa_refuse_call : pa_dispatcher_call)(callable, values, flags, names);
  if (result || !falls_back) return result;
  return pa_fall_back(self, callable, "__call__", values, PyVectorcall_NARGS(flags), names);
}
