// Calls of helpers in Python, and exceptions that are no errors of compiled code.
#include "ext.h"

static bool is_own_frame(PyObject *entry) {
  PyObject *globals = PyFrame_GetGlobals(((PyTracebackObject *)entry)->tb_frame);
  PyObject *package = PyDict_GetItemString(globals, "__package__");
  const char *name = package && PyUnicode_Check(package) ? PyUnicode_AsUTF8(package) : NULL;
  bool own = name && (strcmp(name, "pyarray") == 0 || strncmp(name, "pyarray.", 8) == 0);
  if (!name) PyErr_Clear();
  Py_DECREF(globals);
  return own;
}

void pa_drop_own_frames(void) {
  if (getenv("PYARRAY_DEBUG")) return; // they may show a defect of ours
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  while (traceback && is_own_frame(traceback)) {
    PyObject *inner = (PyObject *)((PyTracebackObject *)traceback)->tb_next;
    Py_XSETREF(traceback, Py_XNewRef(inner));
  }
  if (value) PyException_SetTraceback(value, traceback ? traceback : Py_None);
  PyErr_Restore(type, value, traceback);
}

// pyarray.|module|.|function|; a new reference or NULL with an exception set.
static PyObject *find_helper(const char *module, const char *function) {
  PyObject *name = PyUnicode_FromFormat("pyarray.%s", module);
  PyObject *helpers = name ? PyImport_Import(name) : NULL;
  PyObject *callable = helpers ? PyObject_GetAttrString(helpers, function) : NULL;
  Py_XDECREF(helpers);
  Py_XDECREF(name);
  return callable;
}

PyObject *pa_call_helper(const char *module, const char *function, const char *format, ...) {
  va_list values;
  va_start(values, format);
  PyObject *arguments = Py_VaBuildValue(format, values);
  va_end(values);
  if (arguments && pa_forward.help) {
    PyObject *answer = pa_forward.help(function, arguments);
    Py_DECREF(arguments);
    return answer;
  }
  PyObject *callable = arguments ? find_helper(module, function) : NULL;
  PyObject *result = callable ? PyObject_CallObject(callable, arguments) : NULL;
  Py_XDECREF(callable);
  Py_XDECREF(arguments);
  if (!result) pa_drop_own_frames();
  return result;
}

PyObject *pa_call_as_method(const char *module, const char *function, PyObject *self, PyObject *arguments,
                            PyObject *keywords) {
  if (pa_forward.help) return pa_forward.help(function, arguments);
  PyObject *callable = find_helper(module, function);
  PyObject *bound = callable ? PyMethod_New(callable, self) : NULL;
  PyObject *result = bound ? PyObject_Call(bound, arguments, keywords) : NULL;
  Py_XDECREF(bound);
  Py_XDECREF(callable);
  if (!result) pa_drop_own_frames();
  return result;
}

void pa_raise_instance(PyObject *exception) {
  if (!exception) return;
  PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  Py_DECREF(exception);
}

static const char *refusal_name(pa_refusal refusal) {
  switch (refusal) {
  case PA_REFUSED_DTYPE: return "dtype";
  case PA_REFUSED_BYTE_ORDER: return "byte order";
  case PA_REFUSED_ALIGNMENT: return "alignment";
  case PA_REFUSED_STRIDES: return "strides";
  case PA_REFUSED_MASKED: return "masked";
  case PA_REFUSED_DEPTH: return "depth";
  case PA_REFUSED_LENGTH: return "length";
  case PA_REFUSED_FORMAT: return "format";
  case PA_REFUSED_DEVICE: return "device";
  default: return "type";
  }
}

void pa_raise_refusal(const pa_dispatcher *dispatcher, Py_ssize_t index, PyObject *value, PyObject *culprit,
                      pa_refusal refusal) {
  PyObject *function = dispatcher ? dispatcher->function : Py_None;
  pa_raise_instance(pa_call_helper("_report", "refused_argument", "(OnOOsi)", function, index, value, culprit,
                                   refusal_name(refusal), dispatcher && dispatcher->cuda));
}

void pa_say_where(PyObject *where) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (where && value && (type == PyExc_TypeError || type == PyExc_OverflowError)) {
    PyErr_Format(type, "%U: %S", where, value);
    Py_DECREF(type);
    Py_DECREF(value);
    Py_XDECREF(traceback);
  } else {
    if (!where) PyErr_Clear();
    PyErr_Restore(type, value, traceback);
  }
  Py_XDECREF(where);
}

void pa_say_which_argument(const pa_dispatcher *dispatcher, Py_ssize_t index) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *where = pa_call_helper("_report", "argument_name", "(On)", dispatcher->function, index);
  PyErr_Clear();
  PyErr_Restore(type, value, traceback);
  pa_say_where(where);
}

void pa_raise_no_definition(const pa_dispatcher *dispatcher, PyObject *const *values, Py_ssize_t count,
                            Py_ssize_t index, PyObject *culprit, pa_refusal refusal) {
  PyObject *all = PyTuple_New(count);
  for (Py_ssize_t i = 0; all && i < count; ++i) PyTuple_SET_ITEM(all, i, Py_NewRef(values[i]));
  if (!all) return;
  pa_raise_instance(pa_call_helper("_report", "no_match_for_values", "(ONnOs)", dispatcher, all, index, culprit,
                                   refusal_name(refusal)));
}
