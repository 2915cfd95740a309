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

// The length of the owner's name: "numpy.random" of "numpy.random.seed".
static size_t owner_length(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? (size_t)(dot - name) : 0;
}

static bool has_owner(int row, const char *owner, size_t length) {
  const char *name = pa_builtins[row].name;
  return owner_length(name) == length && memcmp(name, owner, length) == 0;
}

// (owner, attributes, names) of the rows from |first| that have its owner.
static PyObject *make_group(int first, int *out_end) {
  const char *owner = pa_builtins[first].name;
  size_t length = owner_length(owner);
  int end = first;
  while (end < pa_builtin_count && has_owner(end, owner, length)) ++end;
  PyObject *attributes = PyTuple_New(end - first), *names = PyTuple_New(end - first);
  bool made = attributes && names;
  for (int i = first; made && i < end; ++i) {
    PyObject *name = PyUnicode_FromString(pa_builtins[i].name),
             *attribute = PyUnicode_FromString(pa_builtins[i].name + length + (length > 0));
    made = PyTuple_SetItem(names, i - first, name) == 0 && PyTuple_SetItem(attributes, i - first, attribute) == 0 &&
           name && attribute;
  }
  PyObject *of = made ? PyUnicode_FromStringAndSize(owner, (Py_ssize_t)length) : NULL,
           *group = of ? PyTuple_Pack(3, of, attributes, names) : NULL;
  Py_XDECREF(of);
  Py_XDECREF(attributes);
  Py_XDECREF(names);
  *out_end = end;
  return group;
}

static PyObject *make_builtin_rows(void) {
  PyObject *groups = PyList_New(0);
  for (int i = 0; groups && i < pa_builtin_count;) {
    PyObject *group = make_group(i, &i);
    if (!group || PyList_Append(groups, group) < 0) Py_CLEAR(groups);
    Py_XDECREF(group);
  }
  PyObject *rows = groups ? PyList_AsTuple(groups) : NULL;
  Py_XDECREF(groups);
  return rows;
}

// Made once: they are thousands, and most compilations find all that they ask for in the table that an earlier one has
// had made. The module keeps them. New.
static PyObject *builtin_rows(PyObject *module) {
  PyObject *rows = PyObject_GetAttrString(module, "rows_of_compiler");
  if (rows != Py_None) return rows;
  Py_DECREF(rows);
  rows = make_builtin_rows();
  if (rows && PyObject_SetAttrString(module, "rows_of_compiler", rows) < 0) Py_CLEAR(rows);
  return rows;
}

static pa_status load_builtins(pa_importer *importer) {
  PyObject *module = PyImport_ImportModule("pyarray._names");
  if (!module) return pa_python_failure();
  Py_CLEAR(importer->builtins);
  PyObject *rows = builtin_rows(module);
  if (rows) importer->builtins = PyObject_CallMethod(module, "builtin_table", "(O)", rows);
  importer->loaded = PyDict_Size(PyImport_GetModuleDict());
  Py_XDECREF(rows);
  Py_DECREF(module);
  if (importer->builtins && !PyDict_Check(importer->builtins))
    PyErr_SetString(PyExc_TypeError, "builtin_table: expected a dict");
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

// The text, if it names a row; borrowed, or NULL.
static PyObject *name_of_row(pa_importer *importer, PyObject *text) {
  const char *utf8 = pa_python_text(importer, text);
  return utf8 && pa_builtin_find(pa_ref(utf8)) ? pa_adopt(importer, Py_NewRef(text)) : NULL;
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
