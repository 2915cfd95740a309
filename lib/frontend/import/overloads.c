// Overloads that users registered with pyarray.extending: the functions behind their names in IR.
#include <Python.h>

#include <string.h>

#include "objects.h"
#include "support/fork.h"

// In code for a GPU all functions have the options that decide for those that they call; on the CPU those that say so.
static pa_status import_function(const pa_overload_request *request, PyObject *function, const char **out_symbol) {
  static const char options[] = "pyarray.options";
  const char *model = pa_option_is(request->caller, options, "error_model", "numpy")    ? "numpy"
                      : pa_option_is(request->caller, options, "error_model", "strict") ? "strict"
                                                                                        : "python";
  pa_frontend_options caller = {.error_model = model,
                                .boundscheck = pa_option_bool(request->caller, options, "boundscheck", true),
                                .fastmath = pa_option_bool(request->caller, options, "fastmath", false),
                                .fastmath_flags = pa_option_text(request->caller, options, "fastmath", request->arena),
                                .parallel = pa_option_bool(request->caller, options, "parallel", false),
                                .offload = pa_option_bool(request->caller, options, "offload", false)};
  if (pa_is_device_function(request->caller))
    caller.target = pa_target_name(true), caller.parallel = false;
  else
    caller.of_caller = true;
  return pa_frontend_import(request->module, function, &caller, request->arena, out_symbol);
}

static pa_status import_overload(const pa_overload_request *request, PyObject *module, const char **out_symbol) {
  PyObject *function =
      PyObject_CallMethod(module, "implementation", "sssss", request->name, request->types, request->keywords,
                          request->literals, pa_target_name(pa_is_device_function(request->caller)));
  if (!function) return pa_python_failure();
  pa_status status = PA_OK;
  if (PyUnicode_Check(function))
    status = pa_fail_at(PA_CODE_TYPING, request->location, "%s", PyUnicode_AsUTF8AndSize(function, NULL));
  else if (PyList_Check(function)) {
    *request->out_wanted = (int)PyLong_AsLong(PyList_GetItem(function, 1));
    status =
        pa_fail_at(PA_CODE_TYPING, request->location, "%s", PyUnicode_AsUTF8AndSize(PyList_GetItem(function, 0), NULL));
  } else if (PyTuple_Check(function))
    status = pa_import_intrinsic(request, function, out_symbol);
  else if (function != Py_None)
    status = import_function(request, function, out_symbol);
  Py_DECREF(function);
  return status;
}

// Passes run without the GIL, and a fork waits for them.
typedef struct with_python {
  bool was_inside;
  PyGILState_STATE state;
} with_python;

static with_python begin_python(void) {
  bool was_inside = pa_fork_rest();
  return (with_python){was_inside, PyGILState_Ensure()};
}

static void end_python(with_python python) {
  PyGILState_Release(python.state);
  pa_fork_go_on(python.was_inside);
}

static pa_status find_overload(const pa_overload_request *request, const char **out_symbol) {
  with_python python = begin_python();
  PyObject *module = pa_extending_module();
  *out_symbol = NULL;
  pa_status status = module             ? import_overload(request, module, out_symbol)
                     : PyErr_Occurred() ? pa_python_failure()
                                        : PA_OK;
  Py_XDECREF(module);
  end_python(python);
  return status;
}

static bool has_overloads(const char *name) {
  with_python python = begin_python();
  PyObject *module = pa_extending_module(),
           *answer = module ? PyObject_CallMethod(module, "is_registered", "s", name) : NULL;
  bool failed = PyErr_Occurred() != NULL, has = failed || answer == Py_True; // find_overload says what failed
  PyErr_Clear();
  Py_XDECREF(answer);
  Py_XDECREF(module);
  end_python(python);
  return has;
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
  with_python python = begin_python();
  const char *dot = strrchr(class_name, '.');
  PyObject *module_name = PyUnicode_FromStringAndSize(class_name, dot - class_name),
           *module = module_name ? PyImport_Import(module_name) : NULL;
  PyObject *class = module ? PyObject_GetAttrString(module, dot + 1) : NULL;
  bool has = class && instances_have(class, name);
  PyErr_Clear();
  Py_XDECREF(class);
  Py_XDECREF(module);
  Py_XDECREF(module_name);
  end_python(python);
  return has;
}

void pa_frontend_offer_overloads(void) {
  pa_find_overload = find_overload;
  pa_has_overloads = has_overloads;
  pa_python_class_has = class_has;
}
