// The options of a dispatcher. `targetoptions` is a dict of the user's: what he changes there is in what is compiled
// from then on.
#include "ext.h"

#include <string.h>

//===-- Reading them ------------------------------------------------------------------------------===//

static bool read_flag(PyObject *options, const char *name, bool *out_flag) {
  PyObject *value = PyDict_GetItemString(options, name);
  int truth = value ? PyObject_IsTrue(value) : -1;
  if (!value) PyErr_Format(PyExc_TypeError, "option '%s' is missing", name);
  if (truth >= 0) *out_flag = truth;
  return truth >= 0;
}

static bool option_is(PyObject *options, const char *name, const char *text) {
  PyObject *value = PyDict_GetItemString(options, name);
  return value && PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, text) == 0;
}

const char *pa_fastmath_flags(const pa_dispatcher *self) {
  PyObject *value = PyDict_GetItemString(self->options, "fastmath");
  return value && PyUnicode_Check(value) ? PyUnicode_AsUTF8(value) : NULL;
}

bool pa_options_read(pa_dispatcher *self, PyObject *options) {
  if (!read_flag(options, "nogil", &self->nogil) || !read_flag(options, "cache", &self->cache) ||
      !read_flag(options, "fastmath", &self->fastmath) || !read_flag(options, "parallel", &self->parallel) ||
      !read_flag(options, "boundscheck", &self->boundscheck) || !read_flag(options, "debug", &self->debug))
    return false;
  if (self->fastmath)
    self->fastmath = PyDict_GetItemString(options, "fastmath") == Py_True; // not a text, of some flags
  self->error_model = option_is(options, "error_model", "numpy")    ? "numpy"
                      : option_is(options, "error_model", "strict") ? "strict"
                                                                    : "python";
  PyObject *offload = PyDict_GetItemString(options, "offload"); // of kernels there is none
  self->offload = offload && offload == Py_True;
  self->nogil = self->nogil || self->offload; // it may wait for the device
  self->accurate_math = option_is(options, "accuracy", "high");
  self->inline_policy = option_is(options, "inline", "always")  ? "always"
                        : option_is(options, "inline", "never") ? "never"
                                                                : "auto";
  return true;
}

//===-- Those that are changed --------------------------------------------------------------------===//

// Decorators hand one dict to many functions: each has its own from here on, and a copy of it as it was when it was
// read.
static bool show(pa_dispatcher *self, PyObject *given) {
  PyObject *own = PyDict_Copy(given),
           *as_read = own ? pa_call_helper("decorators", "_as_read", "(O)", self->target_options) : NULL;
  if (!as_read) return Py_XDECREF(own), false;
  Py_XSETREF(self->shown_options, as_read);
  Py_SETREF(self->target_options, own);
  return true;
}

PyObject *pa_options_given(pa_dispatcher *self) {
  if (!self->shown_options && !show(self, self->target_options)) return NULL;
  return Py_NewRef(self->target_options);
}

int pa_options_give(pa_dispatcher *self, PyObject *given) {
  if (given && PyDict_Check(given)) {
    if (!self->shown_options && !show(self, self->target_options)) return -1;
    Py_SETREF(self->target_options, Py_NewRef(given));
    return 0;
  }
  PyErr_SetString(PyExc_TypeError, "targetoptions is a dict of options and their values");
  return -1;
}

static bool adopt(pa_dispatcher *self, PyObject *options, PyObject *as_read) {
  pa_cuda_options *cuda = self->cuda ? pa_forward.read_cuda_options(options) : NULL;
  if ((self->cuda && !cuda) || !pa_options_read(self, options)) return PyMem_Free(cuda), false;
  if (cuda) *self->cuda = *cuda; // in its place, since others may be reading it
  PyMem_Free(cuda);
  Py_SETREF(self->options, Py_NewRef(options));
  Py_SETREF(self->shown_options, Py_NewRef(as_read));
  return true;
}

bool pa_options_refresh(pa_dispatcher *self) {
  if (!self->shown_options) return true;
  PyObject *changed = pa_call_helper("decorators", "_changed", "(OOOO)", self->options, self->shown_options,
                                     self->target_options, self->cuda ? Py_True : Py_False);
  bool done =
      changed && (changed == Py_None || adopt(self, PyTuple_GET_ITEM(changed, 0), PyTuple_GET_ITEM(changed, 1)));
  Py_XDECREF(changed);
  return done;
}
