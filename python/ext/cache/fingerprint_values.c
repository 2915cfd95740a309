// Of the cache key: values that are data, and things that have a lasting name.
#include "fingerprint.h"

#include <stdlib.h>
#include <string.h>

//===-- Values ------------------------------------------------------------------------------------===//

void pa_put_int(pa_hasher *to, PyObject *value) {
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  pa_put_tag(to, 'i');
  if (!overflow) {
    pa_put_number(to, number);
    return;
  }
  PyObject *text = PyNumber_ToBase(value, 16);
  if (!text) to->failed = true;
  pa_put_str(to, text);
  Py_XDECREF(text);
}

void pa_put_sequence(pa_hasher *to, char tag, PyObject *tuple) {
  pa_put_tag(to, tag);
  pa_put_number(to, PyTuple_GET_SIZE(tuple));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple) && !pa_is_over(to); ++i)
    pa_put_value(to, PyTuple_GET_ITEM(tuple, i));
}

// A list or dict that is a constant of compiled code.
void pa_put_mutable(pa_hasher *to, PyObject *value) {
  PyObject *key, *item;
  pa_put_tag(to, PyList_Check(value) ? 'L' : 'K');
  pa_put_number(to, PyObject_Size(value));
  for (Py_ssize_t i = 0; PyList_Check(value) && i < PyList_GET_SIZE(value) && !pa_is_over(to); ++i)
    pa_put_value(to, PyList_GET_ITEM(value, i));
  for (Py_ssize_t i = 0; PyDict_Check(value) && PyDict_Next(value, &i, &key, &item) && !pa_is_over(to);) {
    pa_put_value(to, key);
    pa_put_value(to, item);
  }
}

void pa_put_parts(pa_hasher *to, PyObject *value) {
  static const char *const names[] = {"start", "stop", "step"};
  pa_put_tag(to, PyRange_Check(value) ? 'R' : 'l');
  for (int i = 0; i < 3; ++i) {
    PyObject *part = PyObject_GetAttrString(value, names[i]);
    to->failed = to->failed || !part;
    if (part) pa_put_value(to, part);
    Py_XDECREF(part);
  }
}

void pa_put_frozenset(pa_hasher *to, PyObject *set) {
  pa_order_free elements;
  pa_put_tag(to, 'z');
  PyObject *iterator = PyObject_GetIter(set), *element;
  if (!iterator || !pa_order_free_begin(to, &elements)) {
    to->failed = true;
    Py_XDECREF(iterator);
    return;
  }
  while ((element = PyIter_Next(iterator))) {
    XXH3_128bits_reset(to->state);
    pa_put_value(to, element);
    pa_order_free_element(to, &elements);
    Py_DECREF(element);
  }
  pa_order_free_end(to, &elements);
  Py_DECREF(iterator);
  if (PyErr_Occurred()) to->failed = true;
}

// Numbers, and times, which have units.
static bool put_descr(pa_hasher *to, const PyArray_Descr *descr) {
  pa_put_number(to, descr->type_num);
  if (!pa_time_dtype(descr->type_num)) return descr->type_num <= NPY_CDOUBLE;
  pa_time_unit unit = pa_time_descr_unit(descr);
  pa_put_number(to, unit.base);
  pa_put_number(to, unit.multiple);
  return true;
}

void pa_put_array(pa_hasher *to, PyObject *value) {
  PyArrayObject *array = (PyArrayObject *)value;
  pa_put_tag(to, 'a');
  if (!put_descr(to, PyArray_DESCR(array))) {
    pa_give_up(to);
    return;
  }
  PyArrayObject *contiguous =
      (PyArrayObject *)PyArray_FromAny(value, NULL, 0, 0, NPY_ARRAY_DEFAULT | NPY_ARRAY_NOTSWAPPED, NULL);
  if (!contiguous) {
    to->failed = true;
    return;
  }
  pa_put_number(to, PyArray_NDIM(array));
  for (int i = 0; i < PyArray_NDIM(array); ++i) pa_put_number(to, PyArray_DIM(array, i));
  pa_put_number(to, PyArray_FLAGS(array) & (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_WRITEABLE));
  pa_put(to, PyArray_DATA(contiguous), (size_t)PyArray_NBYTES(contiguous));
  Py_DECREF(contiguous);
}

// The items of a NumPy scalar, through its type code and slots.
bool pa_put_numpy_scalar(pa_hasher *to, PyObject *value) {
  if (!PyArray_CheckScalar(value)) return false;
  char code[PA_SPARE + 2];
  uint64_t slots[PA_SPARE + 2];
  pa_owner record;
  pa_arguments arguments = {code, code + 1, slots, slots + 1, &record, &record, NULL, NULL, NULL, false};
  if (PyArray_Check(value) || pa_unbox(value, &arguments) != PA_ACCEPTED) return false;
  pa_put_tag(to, 's');
  pa_put(to, code, (size_t)(arguments.code - code));
  pa_put(to, slots, (size_t)(arguments.slot - slots) * sizeof *slots);
  return true;
}

//===-- Names of things that do not change: builtins, NumPy's functions, classes ------------------===//

// Modules whose contents the compiler knows by name, and of which only the version matters.
bool pa_is_known_module(PyObject *name) {
  static const char *const names[] = {"builtins",  "math",       "cmath",   "operator",    "_operator",
                                      "random",    "_random",    "pyarray", "numpy",       "itertools",
                                      "heapq",     "_heapq",     "bisect",  "_bisect",     "_functools",
                                      "functools", "statistics", "time",    "collections", "_collections"};
  const char *text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
  PyErr_Clear();
  for (size_t i = 0; text && i < sizeof names / sizeof *names; ++i) {
    size_t length = strlen(names[i]);
    if (strncmp(text, names[i], length) == 0 && (text[length] == '\0' || text[length] == '.')) return true;
  }
  return false;
}

static PyObject *attribute_or_null(PyObject *object, const char *name) {
  PyObject *value = PyObject_GetAttrString(object, name);
  if (!value) PyErr_Clear();
  return value;
}

// |module| and the object's own name; false where the object has no name.
bool pa_put_named(pa_hasher *to, char tag, PyObject *object, bool only_known) {
  PyObject *module = attribute_or_null(object, "__module__");
  PyObject *name = attribute_or_null(object, "__qualname__");
  if (!name) name = attribute_or_null(object, "__name__");
  bool has_name = name && PyUnicode_Check(name) && (!only_known || pa_is_known_module(module));
  if (has_name) {
    pa_put_tag(to, tag);
    pa_put_str(to, module);
    pa_put_str(to, name);
  }
  Py_XDECREF(module);
  Py_XDECREF(name);
  return has_name;
}

// Functions and methods written in C: math.sqrt, numpy.zeros, random.random (a method of a hidden instance).
void pa_put_builtin(pa_hasher *to, PyObject *function) {
  PyObject *self = PyCFunction_GET_SELF(function);
  pa_put_tag(to, 'b');
  if (self && !PyModule_Check(self))
    pa_put_named(to, 'o', PyType_Check(self) ? self : (PyObject *)Py_TYPE(self), false);
  if (!pa_put_named(to, 'n', function, false)) pa_give_up(to);
}

// ufuncs, NumPy's array functions, those of libdevice, dtypes, and types of pyarray; false for everything else.
bool pa_put_library_object(pa_hasher *to, PyObject *value) {
  if (PyArray_DescrCheck(value)) {
    const PyArray_Descr *descr = (PyArray_Descr *)value;
    pa_put_tag(to, 'y');
    pa_put_number(to, descr->byteorder);
    return put_descr(to, descr);
  }
  PyObject *type_module = attribute_or_null((PyObject *)Py_TYPE(value), "__module__");
  bool is_type = type_module && PyUnicode_CompareWithASCIIString(type_module, "pyarray.types") == 0;
  bool is_numpy = type_module && PyUnicode_CompareWithASCIIString(type_module, "numpy") == 0;
  bool is_libdevice = type_module && PyUnicode_CompareWithASCIIString(type_module, "pyarray.cuda.libdevice") == 0;
  Py_XDECREF(type_module);
  is_type = is_type || (!PyType_Check(value) && PyObject_HasAttrString((PyObject *)Py_TYPE(value), "__pyarray_key__") &&
                        PyObject_HasAttrString(value, "field_dict")); // of structs
  if (is_type) {
    PyObject *text = PyObject_Repr(value), *code = attribute_or_null(value, "code");
    const char *letters = code && PyUnicode_Check(code) ? PyUnicode_AsUTF8(code) : "";
    if (!letters || strstr(letters, "J[deferred#"))
      pa_give_up(to); // what it is may be said later
    else
      pa_put_classes_of(to, letters);
    pa_put_tag(to, 'p');
    pa_put_str(to, text);
    to->failed = to->failed || !text;
    Py_XDECREF(code);
    Py_XDECREF(text);
    return true;
  }
  // A ufunc that a user made may be called as one of NumPy's is: it must be NumPy's own.
  PyObject *numpy = is_numpy ? PyImport_AddModule("numpy") : NULL; // borrowed
  PyObject *name = attribute_or_null(value, "__name__");
  bool is_same = numpy && name && PyDict_GetItemWithError(PyModule_GetDict(numpy), name) == value;
  if (is_same) {
    pa_put_tag(to, 'u');
    pa_put_str(to, name);
  }
  Py_XDECREF(name);
  PyErr_Clear();
  return is_same || ((is_numpy || is_libdevice) && pa_put_named(to, 'n', value, true));
}

// functools.partial(f, 1), operator.itemgetter(1) and the like: what they are made of.
bool pa_put_made_callable(pa_hasher *to, PyObject *value) {
  PyObject *key =
      PyCallable_Check(value) ? attribute_or_null(value, "__pyarray_key__") : NULL; // of functions that are declared
  if (key) pa_put_value(to, key), Py_DECREF(key);
  if (key) return true;
  PyObject *parts = PyCallable_Check(value) ? pa_call_helper("_callables", "take_apart", "(O)", value) : NULL;
  bool is = parts && parts != Py_None;
  PyErr_Clear();
  if (is) pa_put_sequence(to, 'm', parts);
  Py_XDECREF(parts);
  return is;
}

// A class made in a function: its name says nothing in another process.
static bool is_local(PyObject *type) {
  PyObject *name = attribute_or_null(type, "__qualname__");
  const char *text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
  bool local = text && strstr(text, "<locals>");
  Py_XDECREF(name);
  PyErr_Clear();
  return local;
}

// An exception class is used by its name alone, where a module holds it; of others, compiled code could use what they
// contain.
void pa_put_class(pa_hasher *to, PyObject *type) {
  if (PyObject_HasAttrString(type, "__pyarray_uncached__")) pa_give_up(to); // what it makes has numbers of this process
  PyObject *key = attribute_or_null(type, "__pyarray_key__"); // of classes of structs, and what they are in Python
  if (key) {
    pa_put_tag(to, 'k');
    pa_put_value(to, key);
    Py_DECREF(key);
    return;
  }
  if (pa_put_jitclass(to, type) || pa_put_named_class(to, type)) return;
  bool is_exception = PyExceptionClass_Check(type);
  if (PyType_HasFeature((PyTypeObject *)type, Py_TPFLAGS_HEAPTYPE) && !is_exception && pa_put_base_class(to, type))
    return;
  if ((is_exception && is_local(type)) || !pa_put_named(to, 'c', type, !is_exception)) pa_give_up(to);
}
