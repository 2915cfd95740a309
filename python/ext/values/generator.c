// Generators of compiled code as iterators of Python: each item is boxed when it is asked for.
#include "objects.h"

#include <stdlib.h>
#include <string.h>

typedef struct generator {
  PyObject_HEAD int64_t handle;
  PyObject *dispatcher;      // keeps the code alive
  const pa_variant *variant; // whose code it is
  char *code;                // of the items
  const pa_item_type *type;
  char *item; // room for one
  PyObject *weak_references;
} generator;

PyObject *pa_box_generator(const pa_type *type, int64_t handle, const pa_boxing *boxing) {
  pa_string item_code = {0};
  const char *end = pa_type_next(type->elements, NULL);
  char *code = strndup(type->elements, (size_t)(end - type->elements));
  if (code) pa_item_code_of(code, &item_code);
  const pa_item_type *item = code ? pa_item_type_get(pa_string_text(&item_code)) : NULL;
  pa_string_free(&item_code);
  char *room = item ? malloc((size_t)item->size + 8) : NULL;
  generator *self = room ? PyObject_GC_New(generator, &pa_generator_type) : NULL;
  if (!self) {
    free(code);
    free(room);
    pyarray_rt_release(handle);
    return PyErr_NoMemory();
  }
  self->handle = handle;
  self->dispatcher = Py_NewRef(boxing->dispatcher);
  self->variant = boxing->variant;
  self->code = code;
  self->type = item;
  self->item = room;
  self->weak_references = NULL;
  PyObject_GC_Track(self);
  return (PyObject *)self;
}

//===-- Items and errors --------------------------------------------------------------------------===//

// StopIteration of the body is an error of it (PEP 479).
static void raise_from(generator *self) {
  pa_raise_from_native((const pa_dispatcher *)self->dispatcher, self->variant);
  if (!PyErr_ExceptionMatches(PyExc_StopIteration)) return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value && traceback) PyException_SetTraceback(value, traceback);
  PyObject *error = PyObject_CallFunction(PyExc_RuntimeError, "s", "generator raised StopIteration");
  if (error && value) {
    PyException_SetCause(error, Py_NewRef(value));
    PyException_SetContext(error, Py_NewRef(value));
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  pa_raise_instance(error);
}

static PyObject *box_item(generator *self) {
  const char *code = self->code;
  int64_t offset = 0, integer;
  double number;
  if (self->type->number == 'd') return memcpy(&number, self->item, sizeof number), PyFloat_FromDouble(number);
  if (self->type->number == 'q' && *code == 'q')
    return memcpy(&integer, self->item, sizeof integer), PyLong_FromLongLong(integer);
  pa_boxing boxing = {.dispatcher = self->dispatcher, .variant = self->variant};
  PyObject *value = pa_box_item(&code, self->item, &offset, &boxing);
  pa_items_release(self->type, self->item, 1);
  return value;
}

static PyObject *generator_next(PyObject *object) {
  generator *self = (generator *)object;
  int64_t state = pyarray_rt_generator_next(self->handle, (int64_t)(uintptr_t)self->item);
  if (PA_UNLIKELY(pa_references_wait)) pa_references_catch_up();
  switch (state) {
  case PA_GENERATOR_YIELDED: return box_item(self);
  case PA_GENERATOR_ENDED: return NULL;
  case PA_GENERATOR_RAISED: return raise_from(self), NULL;
  case -2: return PyErr_Format(PyExc_RecursionError, "maximum recursion depth exceeded");
  default: return PyErr_Format(PyExc_ValueError, "generator already executing");
  }
}

static PyObject *generator_close(PyObject *object, PyObject *unused) {
  generator *self = (generator *)object;
  (void)unused;
  if (((pa_generator *)pa_object_of(self->handle))->running)
    return PyErr_Format(PyExc_ValueError, "generator already executing");
  if (pa_generator_close(self->handle)) return Py_NewRef(Py_None);
  if (!pa_raised_current()->count) return PyErr_Format(PyExc_RuntimeError, "generator ignored GeneratorExit");
  raise_from(self);
  if (!PyErr_ExceptionMatches(PyExc_GeneratorExit)) return NULL;
  PyErr_Clear();
  return Py_NewRef(Py_None);
}

//===-- The type ----------------------------------------------------------------------------------===//

static int generator_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((generator *)object)->dispatcher);
  return 0;
}

static void generator_dealloc(PyObject *object) {
  generator *self = (generator *)object;
  PyObject_GC_UnTrack(object);
  if (self->weak_references) PyObject_ClearWeakRefs(object);
  pyarray_rt_release(self->handle);
  if (PA_UNLIKELY(pa_references_wait)) pa_references_catch_up();
  free(self->code);
  free(self->item);
  Py_DECREF(self->dispatcher);
  PyObject_GC_Del(object);
}

static PyObject *generator_repr(PyObject *object) {
  const pa_dispatcher *dispatcher = (const pa_dispatcher *)((generator *)object)->dispatcher;
  return PyUnicode_FromFormat("<compiled generator of %R at %p>", dispatcher->function, object);
}

static PyMethodDef generator_methods[] = {
    {"close", generator_close, METH_NOARGS, "Raise GeneratorExit where the generator waits, so that it ends."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject pa_generator_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.Generator",
    .tp_basicsize = sizeof(generator),
    .tp_weaklistoffset = offsetof(generator, weak_references),
    .tp_dealloc = generator_dealloc,
    .tp_traverse = generator_traverse,
    .tp_repr = generator_repr,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = generator_next,
    .tp_methods = generator_methods,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "A generator that compiled code made.",
};
