// What Python's loops over a typed list, dict or set go over: the items, or the entries, by position, as they are when
// their turn comes. Where keys came or went since the loop began, the next step is a RuntimeError, as those of Python's
// own dict and set are; also where their number is what it was.
#include "objects.h"

typedef enum part { KEYS, VALUES, ITEMS, OF_LIST } part;

typedef struct typed_iterator {
  PyObject_HEAD PyObject *container; // NULL: all were given
  int part;
  int64_t at, step;
  int64_t version, length; // of the container when the loop began
} typed_iterator;

static const pa_dict *dict_of(PyObject *container) { return pa_object_of(pa_typed_handle(container)); }

// Goes over the items that there are when their turn comes, as a loop over a list does.
static PyObject *new_list_iterator(PyTypeObject *type, PyObject *list) {
  typed_iterator *self = (typed_iterator *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->container = Py_NewRef(list);
  self->part = OF_LIST;
  self->step = 1;
  return (PyObject *)self;
}

static PyObject *next_of_list(typed_iterator *self) {
  const pa_list *list = pa_typed_handle(self->container) ? pa_object_of(pa_typed_handle(self->container)) : NULL;
  if (!list || self->at >= list->length) {
    Py_CLEAR(self->container);
    return NULL;
  }
  pa_boxing boxing = {.dispatcher = self->container, .containers = PA_BOX_SHARED};
  return pa_box_whole_item(pa_typed_code(self->container), pa_list_item(list, self->at++), &boxing);
}

static PyObject *iterator_new(PyTypeObject *type, PyObject *arguments, PyObject *named) {
  PyObject *container;
  int part, backwards;
  if (named && PyDict_Size(named)) return PyErr_Format(PyExc_TypeError, "no keyword arguments are taken");
  if (!PyArg_ParseTuple(arguments, "Oip", &container, &part, &backwards)) return NULL;
  bool set = PyObject_TypeCheck(container, &pa_typed_set_type),
       list = PyObject_TypeCheck(container, &pa_typed_list_type);
  if (list) return new_list_iterator(type, container);
  if ((!set && !PyObject_TypeCheck(container, &pa_typed_dict_type)) || part < KEYS || part > (set ? KEYS : ITEMS))
    return PyErr_Format(PyExc_TypeError, "a typed list, dict or set is needed");
  typed_iterator *self = (typed_iterator *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->container = Py_NewRef(container);
  self->part = part;
  if (pa_typed_handle(container)) {
    self->version = pyarray_rt_dict_begin(pa_typed_handle(container)); // entries have positions
    self->length = dict_of(container)->length;
  }
  self->step = backwards ? -1 : 1;
  self->at = backwards ? self->length - 1 : 0;
  return (PyObject *)self;
}

static void iterator_dealloc(PyObject *object) {
  Py_XDECREF(((typed_iterator *)object)->container);
  Py_TYPE(object)->tp_free(object);
}

static PyObject *box_part(PyObject *container, bool value, int64_t i) {
  const pa_dict *dict = dict_of(container);
  pa_boxing boxing = {.dispatcher = container, .containers = PA_BOX_SHARED};
  const char *code = pa_typed_code(container);
  return value ? pa_box_whole_item(pa_type_next(code, NULL), pa_dict_value(dict, i), &boxing)
               : pa_box_whole_item(code, pa_dict_key(dict, i), &boxing);
}

static PyObject *box_pair(PyObject *container, int64_t i) {
  PyObject *key = box_part(container, false, i), *value = key ? box_part(container, true, i) : NULL;
  PyObject *pair = value ? PyTuple_Pack(2, key, value) : NULL;
  Py_XDECREF(key);
  Py_XDECREF(value);
  return pair;
}

static PyObject *iterator_next(PyObject *object) {
  typed_iterator *self = (typed_iterator *)object;
  if (!self->container) return NULL;
  if (self->part == OF_LIST) return next_of_list(self);
  const pa_dict *dict = dict_of(self->container);
  if (dict && dict->version != self->version) {
    bool set = PyObject_TypeCheck(self->container, &pa_typed_set_type);
    const char *what = set                            ? "Set changed size"
                       : dict->length == self->length ? "dictionary keys changed"
                                                      : "dictionary changed size";
    return PyErr_Format(PyExc_RuntimeError, "%s during iteration", what);
  }
  int64_t at = self->at;
  if (at < 0 || at >= self->length) {
    Py_CLEAR(self->container);
    return NULL;
  }
  self->at += self->step;
  return self->part == ITEMS ? box_pair(self->container, at) : box_part(self->container, self->part == VALUES, at);
}

static PyObject *length_hint(PyObject *object, PyObject *unused) {
  const typed_iterator *self = (const typed_iterator *)object;
  (void)unused;
  bool list = self->part == OF_LIST && self->container && pa_typed_handle(self->container);
  if (self->part == OF_LIST)
    return PyLong_FromLongLong(
        list ? ((const pa_list *)pa_object_of(pa_typed_handle(self->container)))->length - self->at : 0);
  return PyLong_FromLongLong(!self->container ? 0 : self->step > 0 ? self->length - self->at : self->at + 1);
}

static PyMethodDef methods[] = {{"__length_hint__", length_hint, METH_NOARGS, "How many are left."},
                                {NULL, NULL, 0, NULL}};

PyTypeObject pa_typed_iterator_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.TypedIterator",
    .tp_basicsize = sizeof(typed_iterator),
    .tp_dealloc = iterator_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = iterator_new,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = iterator_next,
    .tp_methods = methods,
    .tp_doc = "Goes over a typed list, dict or set: container; 0 its items or keys, 1 its values, 2 pairs of both; "
              "whether backwards.",
};
