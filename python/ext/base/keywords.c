// What a parameter **kwargs gets: one argument, whose type has the names.
#include "objects.h"

#include <string.h>

typedef struct keywords {
  PyObject_HEAD PyObject *names, *values; // a str, "scale,n"; a tuple
} keywords;

static void keywords_dealloc(PyObject *object) {
  Py_XDECREF(((keywords *)object)->names);
  Py_XDECREF(((keywords *)object)->values);
  PyObject_Free(object);
}

PyTypeObject pa_keywords_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.Keywords",
    .tp_basicsize = sizeof(keywords),
    .tp_dealloc = keywords_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "Keyword arguments of a call.",
};

PyObject *pa_keywords_new(PyObject *names, PyObject *values) {
  PyObject *comma = PyUnicode_FromString(",");
  keywords *self = comma ? PyObject_New(keywords, &pa_keywords_type) : NULL;
  if (self) {
    self->names = PyUnicode_Join(comma, names);
    self->values = PyList_AsTuple(values);
    if (!self->names || !self->values) Py_CLEAR(self);
  }
  Py_XDECREF(comma);
  return (PyObject *)self;
}

pa_refusal pa_put_keywords_code(PyObject *mapping, pa_arguments *arguments, PyObject **out_values) {
  Py_ssize_t length;
  const char *names = PyUnicode_AsUTF8AndSize(((keywords *)mapping)->names, &length);
  if (!names) return PA_RAISED;
  if (arguments->code + length + 3 >= arguments->code_end) return PA_NO_ROOM;
  *arguments->code++ = 'k';
  *arguments->code++ = '[';
  arguments->code = (char *)memcpy(arguments->code, names, (size_t)length) + length;
  *arguments->code++ = ']';
  return *out_values = ((keywords *)mapping)->values, PA_ACCEPTED;
}

PyObject *pa_keywords_of(const pa_type *type, PyObject *tuple) {
  PyObject *mapping = PyDict_New();
  const char *at = type->name;
  for (Py_ssize_t i = 0; mapping && i < PyTuple_GET_SIZE(tuple); ++i) {
    size_t length = strcspn(at, ",]");
    PyObject *name = PyUnicode_FromStringAndSize(at, (Py_ssize_t)length);
    if (!name || PyDict_SetItem(mapping, name, PyTuple_GET_ITEM(tuple, i)) < 0) Py_CLEAR(mapping);
    Py_XDECREF(name);
    at += length + 1;
  }
  Py_DECREF(tuple);
  return mapping;
}
