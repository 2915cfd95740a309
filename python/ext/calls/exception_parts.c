// What compiled code reads of an exception: its text, its name, its arguments.
#include "objects.h"

// What a method of its class raises has it as context.
static PyObject *text_while_handled(PyObject *exception, bool repr) {
  PyObject *type, *value, *traceback;
  PyErr_GetExcInfo(&type, &value, &traceback);
  PyErr_SetExcInfo(Py_NewRef((PyObject *)Py_TYPE(exception)), Py_NewRef(exception), NULL);
  PyObject *text = repr ? PyObject_Repr(exception) : PyObject_Str(exception);
  PyErr_SetExcInfo(type, value, traceback);
  return text;
}

static bool read_text(PyObject *exception, pa_exception_part part, uint64_t *out) {
  PyObject *text = part == PA_EXCEPTION_NAME ? PyObject_GetAttrString((PyObject *)Py_TYPE(exception), "__name__")
                                             : text_while_handled(exception, part == PA_EXCEPTION_REPR);
  int64_t handle = text ? pa_unbox_text(text) : 0;
  if (text && !handle && !PyErr_Occurred()) PyErr_NoMemory();
  Py_XDECREF(text);
  *out = (uint64_t)handle;
  return handle != 0;
}

// As a tuple of the type |codes|.
static bool read_arguments(PyObject *exception, const char *codes, uint64_t *out) {
  PyObject *arguments = PyObject_GetAttrString(exception, "args");
  int fits = arguments ? pa_unbox_as(arguments, codes, out) : -1;
  PyObject *wanted = fits ? NULL : pa_call_helper("types", "from_code", "(s)", codes);
  if (wanted)
    PyErr_Format(
        PyExc_TypeError,
        "the arguments of the exception are %R; compiled code expects %S here, as its raise statements have them",
        arguments, wanted);
  Py_XDECREF(wanted);
  Py_XDECREF(arguments);
  return fits > 0;
}

static int64_t read_part(int64_t owner, const pa_error *error, pa_exception_part part, const char *codes,
                         uint64_t *out) {
  const pa_variant *variant = (const pa_variant *)(uintptr_t)owner;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *exception = pa_make_exception(variant->dispatcher, variant, &error->raised);
  bool done = exception && (part == PA_EXCEPTION_ARGUMENTS ? read_arguments(exception, codes, out)
                                                           : read_text(exception, part, out));
  Py_XDECREF(exception);
  int64_t raised = done ? 0 : pa_keep_exception();
  PyGILState_Release(state);
  return raised;
}

void pa_exception_parts_initialize(void) { pa_set_exception_reader(read_part); }
