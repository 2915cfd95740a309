// Objects of Python while a function is imported: kept alive, as text, as builtins; what Python's exceptions become.
#include <Python.h>

#include <string.h>

#include "importer.h"
#include "ir/builtins.h"

pa_status pa_python_failure(void) { return pa_fail(PA_CODE_PYTHON, NULL, "a Python exception is set"); }

pa_status pa_python_refusal(pa_importer *importer, const pa_location *location) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyErr_NormalizeException(&type, &error, &traceback);
  PyObject *message = error ? pa_adopt(importer, PyObject_Str(error)) : NULL;
  const char *text = message ? pa_python_text(importer, message) : NULL;
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(traceback);
  return text ? pa_fail(PA_CODE_TYPING, location, "%s", text) : pa_python_failure();
}

PyObject *pa_adopt(pa_importer *importer, PyObject *object) {
  if (!object) return NULL;
  int failed = PyList_Append(importer->kept, object);
  Py_DECREF(object); // the list holds it
  return failed ? NULL : object;
}

const char *pa_python_text(pa_importer *importer, PyObject *string) {
  Py_ssize_t length;
  const char *text = PyUnicode_AsUTF8AndSize(string, &length);
  return text ? pa_arena_copy(importer->arena, text, (size_t)length) : NULL;
}

bool pa_is_refusal(pa_status failure) {
  return failure && (pa_status_code(failure) == PA_CODE_TYPING || pa_status_code(failure) == PA_CODE_UNSUPPORTED);
}

static PyObject *make_builtin_names(void) {
  PyObject *names = PyTuple_New(pa_builtin_count);
  for (int i = 0; names && i < pa_builtin_count; ++i) {
    PyObject *name = PyUnicode_FromString(pa_builtins[i].name);
    if (!name || PyTuple_SetItem(names, i, name) < 0) Py_CLEAR(names);
  }
  return names;
}

// The names of the rows, made once: they are thousands, and most compilations find all that they ask for in the table
// that an earlier one has had made. The module keeps them.
static PyObject *builtin_names(pa_importer *importer, PyObject *module) {
  PyObject *names = PyObject_GetAttrString(module, "names_of_rows");
  if (names == Py_None) {
    Py_DECREF(names);
    names = make_builtin_names();
    if (names && PyObject_SetAttrString(module, "names_of_rows", names) < 0) Py_CLEAR(names);
  }
  return pa_adopt(importer, names);
}

static pa_status load_builtins(pa_importer *importer) {
  PyObject *module = PyImport_ImportModule("pyarray._names");
  if (!module) return pa_python_failure();
  Py_CLEAR(importer->builtins);
  importer->builtin_names = builtin_names(importer, module);
  if (importer->builtin_names)
    importer->builtins = PyObject_CallMethod(module, "builtin_table", "(O)", importer->builtin_names);
  importer->loaded = PyDict_Size(PyImport_GetModuleDict());
  Py_DECREF(module);
  if (importer->builtins && !PyDict_Check(importer->builtins))
    PyErr_SetString(PyExc_TypeError, "builtin_table: expected a dict");
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

// The row that a text names; borrowed, or NULL.
static PyObject *name_of_row(pa_importer *importer, PyObject *text) {
  const char *utf8 = pa_python_text(importer, text);
  if (!utf8 || !pa_builtin_find(pa_ref(utf8))) return NULL;
  for (int i = 0; i < pa_builtin_count; ++i)
    if (strcmp(pa_builtins[i].name, utf8) == 0) return PyTuple_GetItem(importer->builtin_names, i);
  return NULL;
}

// A method of a builtin class, itertools.chain.from_iterable, or of a ufunc of NumPy, np.add.reduce, which is a new
// object each time that it is asked for.
static pa_status class_method_name(pa_importer *importer, PyObject *object, PyObject **out_name) {
  PyObject *class = PyObject_GetAttrString(object, "__self__"), *method = PyObject_GetAttrString(object, "__name__"),
           *of_class = NULL;
  pa_status status = PA_OK;
  bool has_rows = class && (PyType_Check(class) || (PyObject *)Py_TYPE(class) == importer->ufunc);
  if (has_rows && method) status = pa_builtin_name(importer, class, &of_class);
  PyObject *text = of_class ? PyUnicode_FromFormat("%U.%U", of_class, method) : NULL;
  *out_name = text ? name_of_row(importer, text) : NULL;
  Py_XDECREF(text);
  Py_XDECREF(class);
  Py_XDECREF(method);
  PyErr_Clear();
  return status;
}

pa_status pa_builtin_name(pa_importer *importer, PyObject *object, PyObject **out_name) {
  if (!importer->builtins || PyDict_Size(PyImport_GetModuleDict()) != importer->loaded) PA_TRY(load_builtins(importer));
  PyObject *key = PyLong_FromVoidPtr(object);
  *out_name = key ? PyDict_GetItemWithError(importer->builtins, key) : NULL;
  Py_XDECREF(key);
  if (!*out_name && !PyErr_Occurred() &&
      (PyCFunction_Check(object) || (PyObject *)Py_TYPE(object) == importer->method_type))
    return class_method_name(importer, object, out_name);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}
