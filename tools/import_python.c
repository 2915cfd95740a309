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
