#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "import_python.h"
#include "tool.h"

// Finds the function and the type code of the signature. The file's own folder comes first on the path, as for a script.
static const char finder[] =
    "import importlib.util, os, sys\n"
    "from pyarray.signatures import code_of\n"
    "sys.path.insert(0, os.path.dirname(os.path.abspath(path)))\n"
    "spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)\n"
    "sys.modules[spec.name] = target = importlib.util.module_from_spec(spec)\n"
    "spec.loader.exec_module(target)\n"
    "for part in name.split('.'):\n"
    "    target = getattr(target, part)\n"
    "target = getattr(target, 'py_func', target)\n"
    "code = code_of(signature)\n";

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

//===-- Finding the function ----------------------------------------------------------------------===//

// A new dictionary for the finder; NULL with an exception set.
static PyObject *make_globals(const char *path, const char *name, const char *signature) {
  return Py_BuildValue("{s:s,s:s,s:s,s:O}", "path", path, "name", name, "signature", signature, "__builtins__",
                       PyEval_GetBuiltins());
}

// Globals holding target and code, or NULL with an exception set. |source| is "file.py:function".
static PyObject *find_function(pa_arena *arena, const tool_import *import) {
  const char *colon = strrchr(import->source, ':');
  if (!colon || !colon[1]) {
    PyErr_Format(PyExc_ValueError, "--import-python takes file.py:function, not '%s'", import->source);
    return NULL;
  }
  const char *path = pa_arena_copy(arena, import->source, (size_t)(colon - import->source));
  PyObject *globals = make_globals(path, colon + 1, import->signature);
  PyObject *done = globals ? PyRun_String(finder, Py_file_input, globals, globals) : NULL;
  if (!done) Py_CLEAR(globals);
  Py_XDECREF(done);
  return globals;
}

//===-- Compiling ---------------------------------------------------------------------------------===//

static bool take_result(pa_arena *arena, const pyarray_compile_result *result, pa_string *out) {
  if (result->outcome == PYARRAY_OK) {
    pa_string_append(out, result->object, result->object_size);
    return true;
  }
  if (result->outcome == PYARRAY_PYTHON)
    PyErr_Print();
  else
    tool_print_error(arena, &(pa_location){result->file, result->line, result->column}, result->message);
  return false;
}

static bool compile(pa_arena *arena, const tool_import *import, PyObject *globals, pa_string *out) {
  pyarray_compile_request request = import->request;
  request.function = PyDict_GetItemString(globals, "target");
  request.type_code = PyUnicode_AsUTF8(PyDict_GetItemString(globals, "code"));
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
  PyObject *globals = find_function(arena, import);
  bool succeeded = globals && compile(arena, import, globals, out);
  if (!globals) PyErr_Print();
  Py_XDECREF(globals);
  Py_FinalizeEx();
  return succeeded;
}
