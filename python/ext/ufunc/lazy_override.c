// __array_ufunc__ for DUFunc: other array classes must get the DUFunc itself, since the ufunc inside it has no loops
// for what they may call it with.
//
// NumPy knows how to bring the arguments of each method into the form that __array_ufunc__ takes. So each argument with
// an override is wrapped in a stand-in, the method of the inner ufunc is called, and NumPy calls the __array_ufunc__ of
// the first stand-in, where everything is unwrapped and the overrides are tried in NumPy's order (NEP 13).
#include "ufunc.h"

typedef struct stand_in {
  PyObject_HEAD PyObject *value;
  PyObject *ufunc; // the DUFunc
} stand_in;

//===-- Is there one? -----------------------------------------------------------------------------===//

// The __array_ufunc__ of the class of |value|; NULL without an exception where it has none or ndarray's. New reference.
static PyObject *override_of(PyObject *value) {
  static PyObject *common;
  if (!common) common = PyObject_GetAttrString((PyObject *)&PyArray_Type, "__array_ufunc__");
  PyObject *found = PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__array_ufunc__");
  PyErr_Clear();
  if (found == common) Py_CLEAR(found);
  return found;
}

bool pa_has_override(PyObject *value) {
  if (PyArray_CheckExact(value) || PyFloat_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) ||
      value == Py_None || PyList_CheckExact(value))
    return false;
  PyObject *found = override_of(value);
  Py_XDECREF(found);
  return found;
}

static bool is_name(PyObject *name, const char *text) { return PyUnicode_CompareWithASCIIString(name, text) == 0; }

static bool has_override_inside(PyObject *value) {
  if (!PyTuple_CheckExact(value)) return pa_has_override(value);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i)
    if (pa_has_override(PyTuple_GET_ITEM(value, i))) return true;
  return false;
}

bool pa_have_override(PyObject *const *values, Py_ssize_t count, PyObject *names) {
  for (Py_ssize_t i = 0; i < count; ++i)
    if (pa_has_override(values[i])) return true;
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
    PyObject *name = PyTuple_GET_ITEM(names, i);
    if ((is_name(name, "out") || is_name(name, "where")) && has_override_inside(values[count + i])) return true;
  }
  return false;
}

//===-- Trying them in order ----------------------------------------------------------------------===//

// Appends |value| to |found| if it has an override and no earlier one has its class.
static bool collect(PyObject *found, PyObject *value) {
  if (!pa_has_override(value)) return true;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(found); ++i)
    if (Py_TYPE(PyList_GET_ITEM(found, i)) == Py_TYPE(value)) return true;
  return PyList_Append(found, value) == 0;
}

static bool collect_all(PyObject *found, PyObject *tuple, Py_ssize_t first) {
  for (Py_ssize_t i = first; i < PyTuple_GET_SIZE(tuple); ++i)
    if (!collect(found, PyTuple_GET_ITEM(tuple, i))) return false;
  return true;
}

// The first value whose class no later one derives from: subclasses come before their bases. Taken out of |found|.
static PyObject *take_next(PyObject *found) {
  Py_ssize_t count = PyList_GET_SIZE(found), chosen = 0;
  for (; chosen < count; ++chosen) {
    bool is_base = false;
    for (Py_ssize_t later = chosen + 1; later < count; ++later)
      is_base |= PyType_IsSubtype(Py_TYPE(PyList_GET_ITEM(found, later)), Py_TYPE(PyList_GET_ITEM(found, chosen)));
    if (!is_base) break;
  }
  PyObject *value = Py_NewRef(PyList_GET_ITEM(found, chosen));
  if (PyList_SetSlice(found, chosen, chosen + 1, NULL) < 0) Py_CLEAR(value);
  return value;
}

// |arguments|: ufunc, method, inputs.
static PyObject *try_one(PyObject *value, PyObject *arguments, PyObject *keywords) {
  PyObject *override = override_of(value);
  if (!override || override == Py_None) {
    Py_XDECREF(override);
    return PyErr_Format(PyExc_TypeError, "operand '%s' does not support ufuncs (__array_ufunc__=None)",
                        Py_TYPE(value)->tp_name);
  }
  PyObject *self = PyTuple_Pack(1, value), *all = self ? PySequence_Concat(self, arguments) : NULL;
  PyObject *result = all ? PyObject_Call(override, all, keywords) : NULL;
  Py_XDECREF(all);
  Py_XDECREF(self);
  Py_DECREF(override);
  return result;
}

static PyObject *raise_all_refused(PyObject *arguments, PyObject *tried) {
  pa_raise_instance(pa_call_helper("_ufunc_report", "all_refused", "(OO)", arguments, tried));
  return NULL;
}

static PyObject *try_all(PyObject *arguments, PyObject *keywords) {
  PyObject *found = PyList_New(0), *result = NULL;
  PyObject *out = keywords ? PyDict_GetItemString(keywords, "out") : NULL;
  PyObject *where = keywords ? PyDict_GetItemString(keywords, "where") : NULL;
  bool done = found && collect_all(found, arguments, 2) &&
              (!out || !PyTuple_Check(out) || collect_all(found, out, 0)) && (!where || collect(found, where));
  PyObject *tried = done ? PyList_GetSlice(found, 0, PyList_GET_SIZE(found)) : NULL;
  while (tried && PyList_GET_SIZE(found)) {
    PyObject *value = take_next(found);
    Py_XSETREF(result, value ? try_one(value, arguments, keywords) : NULL);
    Py_XDECREF(value);
    if (result != Py_NotImplemented) break;
  }
  if (result == Py_NotImplemented) {
    Py_CLEAR(result);
    raise_all_refused(arguments, tried);
  }
  Py_XDECREF(tried);
  Py_XDECREF(found);
  return result;
}

//===-- Stand-ins ---------------------------------------------------------------------------------===//

static PyObject *unwrap(PyObject *value) {
  return Py_NewRef(Py_TYPE(value) == &pa_override_type ? ((stand_in *)value)->value : value);
}

static PyObject *unwrap_tuple(PyObject *tuple) {
  PyObject *unwrapped = PyTuple_New(PyTuple_GET_SIZE(tuple));
  for (Py_ssize_t i = 0; unwrapped && i < PyTuple_GET_SIZE(tuple); ++i)
    PyTuple_SET_ITEM(unwrapped, i, unwrap(PyTuple_GET_ITEM(tuple, i)));
  return unwrapped;
}

static PyObject *unwrap_keywords(PyObject *keywords) {
  PyObject *unwrapped = PyDict_New(), *name, *value;
  for (Py_ssize_t at = 0; unwrapped && keywords && PyDict_Next(keywords, &at, &name, &value);) {
    PyObject *inner = PyTuple_CheckExact(value) ? unwrap_tuple(value) : unwrap(value);
    if (!inner || PyDict_SetItem(unwrapped, name, inner) < 0) Py_CLEAR(unwrapped);
    Py_XDECREF(inner);
  }
  return unwrapped;
}

// __array_ufunc__(inner ufunc, method, *inputs, **keywords)
static PyObject *stand_in_array_ufunc(PyObject *self, PyObject *arguments, PyObject *keywords) {
  PyObject *unwrapped = unwrap_tuple(arguments), *named = unwrap_keywords(keywords), *result = NULL;
  if (unwrapped && named) {
    PyObject *inner = PyTuple_GET_ITEM(unwrapped, 0);
    PyTuple_SET_ITEM(unwrapped, 0, Py_NewRef(((stand_in *)self)->ufunc)); // the tuple is ours alone
    Py_DECREF(inner);
    result = try_all(unwrapped, named);
  }
  Py_XDECREF(unwrapped);
  Py_XDECREF(named);
  return result;
}

static int stand_in_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((stand_in *)object)->value);
  Py_VISIT(((stand_in *)object)->ufunc);
  return 0;
}

static void stand_in_dealloc(PyObject *object) {
  PyObject_GC_UnTrack(object);
  Py_XDECREF(((stand_in *)object)->value);
  Py_XDECREF(((stand_in *)object)->ufunc);
  Py_TYPE(object)->tp_free(object);
}

static PyMethodDef stand_in_methods[] = {
    {"__array_ufunc__", PA_KEYWORDS(stand_in_array_ufunc), NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject pa_override_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.StandIn",
    .tp_basicsize = sizeof(stand_in),
    .tp_dealloc = stand_in_dealloc,
    .tp_traverse = stand_in_traverse,
    .tp_methods = stand_in_methods,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
};

static PyObject *wrap(pa_lazy_ufunc *self, PyObject *value) {
  if (!pa_has_override(value)) return Py_NewRef(value);
  stand_in *made = (stand_in *)pa_override_type.tp_alloc(&pa_override_type, 0);
  if (!made) return NULL;
  made->value = Py_NewRef(value);
  made->ufunc = Py_NewRef((PyObject *)self);
  return (PyObject *)made;
}

static PyObject *wrap_inside(pa_lazy_ufunc *self, PyObject *value) {
  if (!PyTuple_CheckExact(value)) return wrap(self, value);
  PyObject *wrapped = PyTuple_New(PyTuple_GET_SIZE(value));
  for (Py_ssize_t i = 0; wrapped && i < PyTuple_GET_SIZE(value); ++i) {
    PyObject *one = wrap(self, PyTuple_GET_ITEM(value, i));
    if (one)
      PyTuple_SET_ITEM(wrapped, i, one);
    else
      Py_CLEAR(wrapped);
  }
  return wrapped;
}

// The arguments as a list, wrapped; those by keyword follow.
static PyObject *wrap_all(pa_lazy_ufunc *self, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  Py_ssize_t total = count + (names ? PyTuple_GET_SIZE(names) : 0);
  PyObject *all = PyList_New(total);
  for (Py_ssize_t i = 0; all && i < total; ++i) {
    PyObject *name = i < count ? NULL : PyTuple_GET_ITEM(names, i - count);
    PyObject *one = !name                                            ? wrap(self, values[i])
                    : is_name(name, "out") || is_name(name, "where") ? wrap_inside(self, values[i])
                                                                     : Py_NewRef(values[i]);
    if (one)
      PyList_SET_ITEM(all, i, one);
    else
      Py_CLEAR(all);
  }
  return all;
}

PyObject *pa_call_override(pa_lazy_ufunc *self, const char *method, PyObject *const *values, Py_ssize_t count,
                           PyObject *names) {
  PyObject *all = wrap_all(self, values, count, names);
  PyObject *bound = all ? PyObject_GetAttrString(self->ufunc, method) : NULL;
  PyObject *result = bound ? PyObject_Vectorcall(bound, ((PyListObject *)all)->ob_item, (size_t)count, names) : NULL;
  Py_XDECREF(bound);
  Py_XDECREF(all);
  return result;
}
