// The module pyarray._pyarray: the dispatcher type, and what the Python layer asks of the runtime and the compiler.
#define PA_IMPORTS_NUMPY
#include "ext.h"

static PyObject *type_code(PyObject *module, PyObject *value) {
  (void)module;
  return pa_type_code_of(value);
}

// A path as Python has it, whatever its bytes are.
static PyObject *file_name(void *path) {
  if (!path) Py_RETURN_NONE;
  return PyUnicode_DecodeFSDefault(path);
}

static PyObject *cache_info(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_cache_info info = pa_cache_info_now(pa_cache_of_process());
  return Py_BuildValue("{sOsO&sssLsLsLsLsLsL}", "enabled", info.enabled ? Py_True : Py_False, "directory",
                       file_name, (void *)(uintptr_t)info.directory, "reason", info.reason, "limit", (long long)info.limit, "entries",
                       (long long)info.entries, "bytes", (long long)info.bytes, "hits", (long long)info.hits, "misses",
                       (long long)info.misses, "stored", (long long)info.stored);
}

static PyObject *cache_clear(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyLong_FromLongLong(pa_cache_clear(pa_cache_of_process()));
}

static PyObject *allocation_counts(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_allocation_counts counts = pa_allocation_counts_now();
  return Py_BuildValue("(LL)", (long long)counts.allocated, (long long)counts.freed);
}

static PyObject *core_path(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  const char *path = pa_core_path();
  return path ? PyUnicode_DecodeFSDefault(path) : NULL;
}

static PyObject *builtin_names(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  const pyarray_core_api *core = pa_core_load();
  PyObject *list = core ? PyList_New(0) : NULL;
  for (const char *const *name = core ? core->builtin_names() : NULL; list && name && *name; ++name) {
    PyObject *text = PyUnicode_FromString(*name);
    if (!text || PyList_Append(list, text) < 0) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}

static PyObject *host(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  const pyarray_core_api *core = pa_core_load();
  return core ? Py_BuildValue("(ss)", core->host_cpu(), core->host_features()) : NULL;
}

static PyMethodDef functions[] = {
    {"type_code", type_code, METH_O, "The type code of a value; TypingError where it has none."},
    {"cache_info", cache_info, METH_NOARGS, "What the disk cache holds, as a dict."},
    {"cache_clear", cache_clear, METH_NOARGS, "Remove every entry of the disk cache; returns how many there were."},
    {"allocation_counts", allocation_counts, METH_NOARGS, "(allocated, freed): arrays that compiled code made so far."},
    {"core_path", core_path, METH_NOARGS, "Where the compiler library is."},
    {"builtin_names", builtin_names, METH_NOARGS, "Names of the builtins that the compiler knows. Loads the compiler."},
    {"host", host, METH_NOARGS, "(CPU name, features) of this machine. Loads the compiler."},
    {NULL, NULL, 0, NULL},
};

static int add_types(PyObject *module) {
  if (PyType_Ready(&pa_array_owner_type) < 0 || PyType_Ready(&pa_omitted_type) < 0) return -1;
  if (PyModule_AddType(module, &pa_dispatcher_type) < 0) return -1;
  return PyModule_AddType(module, &pa_decorator_type);
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "pyarray._pyarray", .m_doc = "Dispatcher of compiled functions.",
    .m_size = -1,          .m_methods = functions,
};

PyMODINIT_FUNC PyInit__pyarray(void);

PyMODINIT_FUNC PyInit__pyarray(void) {
  import_array();
  pa_unbox_initialize();
  PyObject *module = PyModule_Create(&definition);
  if (module && add_types(module) < 0) Py_CLEAR(module);
  return module;
}
