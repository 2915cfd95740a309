#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "import_python.h"
#include "tool.h"

//===-- The interpreter ---------------------------------------------------------------------------===//

// The interpreter whose packages we see: the active virtual environment's, else the one that we were built for.
static const char *interpreter(pa_arena *arena) {
  const char *named = getenv("PYARRAY_PYTHON"), *environment = getenv("VIRTUAL_ENV");
  if (named && *named) return named;
  return environment && *environment ? pa_arena_format(arena, "%s/bin/python", environment) : PYARRAY_PYTHON_EXECUTABLE;
}

static pa_status start_python(pa_arena *arena) {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, interpreter(arena));
  if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (!PyStatus_Exception(status)) return PA_OK;
  return pa_fail(PA_CODE_INTERNAL, NULL, "cannot start Python: %s", status.err_msg ? status.err_msg : "unknown reason");
}

// Prints the exception that is set, without the traceback, whose frames are ours.
static void print_exception(void) {
  PyObject *type, *value, *traceback;
  if (getenv("PYARRAY_DEBUG")) return PyErr_Print();
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject *text = PyUnicode_FromFormat("%s: %S", ((PyTypeObject *)type)->tp_name, value);
  const char *message = text ? PyUnicode_AsUTF8(text) : NULL;
  tool_fail("pyarray-translate", pa_fail(PA_CODE_PYTHON, NULL, "%s", message ? message : "a Python exception"));
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
}

//===-- Finding the function ----------------------------------------------------------------------===//

// The tuple (function, type code of the signature, None), or (None, None, what is wrong). NULL with an exception set.
static PyObject *find_function(const tool_import *import) {
  PyObject *module = PyImport_ImportModule("pyarray._translate");
  PyObject *found = module ? PyObject_CallMethod(module, "find", "ss", import->source, import->signature) : NULL;
  Py_XDECREF(module);
  return found;
}

//===-- Compiling ---------------------------------------------------------------------------------===//

static bool take_result(pa_arena *arena, const pyarray_compile_result *result, pa_string *out) {
  if (result->outcome == PYARRAY_OK) {
    pa_string_append(out, result->object, result->object_size);
    return true;
  }
  if (result->outcome == PYARRAY_PYTHON)
    print_exception();
  else
    tool_print_error(arena, &(pa_location){result->file, result->line, result->column}, result->message);
  return false;
}

static bool compile(pa_arena *arena, const tool_import *import, PyObject *found, pa_string *out) {
  pyarray_compile_request request = import->request;
  if (PyTuple_GetItem(found, 2) != Py_None) {
    const char *problem = PyUnicode_AsUTF8(PyTuple_GetItem(found, 2));
    return tool_fail("pyarray-translate", pa_fail(PA_CODE_INVALID, NULL, "%s", problem ? problem : "?")), false;
  }
  request.function = PyTuple_GetItem(found, 0);
  request.type_code = PyUnicode_AsUTF8(PyTuple_GetItem(found, 1));
  pyarray_compile_result result;
  const pyarray_core_api *core = pyarray_core();
  if (strcmp(import->level, "object") == 0)
    core->compile(&request, &result);
  else
    core->inspect(&request, import->level, &result);
  bool succeeded = take_result(arena, &result, out);
  core->free_result(&result);
  return succeeded;
}

bool tool_import_python(pa_arena *arena, const tool_import *import, pa_string *out) {
  pa_status failure = start_python(arena);
  if (failure) return tool_fail("pyarray-translate", failure), false;
  PyObject *found = find_function(import);
  bool succeeded = found && compile(arena, import, found, out);
  if (!found) print_exception();
  Py_XDECREF(found);
  Py_FinalizeEx();
  return succeeded;
}

//===-- Exports -----------------------------------------------------------------------------------===//

static bool add_option(PyObject *options, const char *name, PyObject *value) {
  bool done = value && PyDict_SetItemString(options, name, value) == 0;
  Py_XDECREF(value);
  return done;
}

// Those that are given, as njit names them.
static PyObject *export_options(const tool_exports *exports) {
  const struct {
    const char *name, *text;
  } texts[] = {{"cpu", exports->cpu},
               {"features", exports->features},
               {"error_model", exports->error_model},
               {"inline", exports->inline_policy},
               {"accuracy", exports->accurate_math ? "high" : NULL}};
  const struct {
    const char *name;
    bool given, value;
  } flags[] = {{"fastmath", exports->fastmath, true},
               {"debug", exports->debug, true},
               {"boundscheck", exports->no_boundscheck, false}};
  PyObject *options = PyDict_New();
  bool done = options;
  for (size_t i = 0; done && i < sizeof texts / sizeof *texts; ++i)
    if (texts[i].text) done = add_option(options, texts[i].name, PyUnicode_FromString(texts[i].text));
  for (size_t i = 0; done && i < sizeof flags / sizeof *flags; ++i)
    if (flags[i].given) done = add_option(options, flags[i].name, PyBool_FromLong(flags[i].value));
  if (!done) Py_CLEAR(options);
  return options;
}

static PyObject *list_functions(const tool_exports *exports) {
  PyObject *list = PyList_New(exports->count);
  for (int i = 0; list && i < exports->count; ++i) {
    PyObject *text = PyUnicode_FromString(exports->functions[i]);
    if (!text) Py_CLEAR(list);
    if (text) PyList_SET_ITEM(list, i, text);
  }
  return list;
}

bool tool_export(pa_arena *arena, const tool_exports *exports) {
  pa_status failure = start_python(arena);
  if (failure) return tool_fail("pyarray-translate", failure), false;
  PyObject *options = export_options(exports), *functions = options ? list_functions(exports) : NULL,
           *module = functions ? PyImport_ImportModule("pyarray.aot") : NULL;
  PyObject *problem = module ? PyObject_CallMethod(module, "_translate", "OzzzO", functions, exports->file,
                                                   exports->output, exports->header, options)
                             : NULL;
  const char *text = problem && problem != Py_None ? PyUnicode_AsUTF8(problem) : NULL;
  bool succeeded = problem == Py_None;
  if (text)
    tool_fail("pyarray-translate", pa_fail(PA_CODE_INVALID, NULL, "%s", text));
  else if (!succeeded)
    print_exception();
  Py_XDECREF(problem);
  Py_XDECREF(module);
  Py_XDECREF(functions);
  Py_XDECREF(options);
  Py_FinalizeEx();
  return succeeded;
}
