// LibraryMethod: a method that C tries first, and Python does where C does not take the arguments as they are.
//
//   class FFTPlan(_cuda.FFTPlan):
//       def forward(self, ary, out=None, stream=None): ...
//       forward = _cuda.LibraryMethod("fft forward", forward)
#include "cuda_libraries.h"

#include <structmember.h>

#include <string.h>

//===-- Calls -------------------------------------------------------------------------------------===//

// The place of the parameter |name|; -1 where there is none.
static Py_ssize_t place_of(const pa_library_method *self, PyObject *name) {
  Py_ssize_t count = PyTuple_GET_SIZE(self->names);
  for (Py_ssize_t i = 0; i < count; ++i)
    if (PyTuple_GET_ITEM(self->names, i) == name) return i; // names in programs are interned
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!PyUnicode_Compare(PyTuple_GET_ITEM(self->names, i), name)) return i;
  return -1;
}

// False where the arguments do not fit the parameters, of which Python's function says why.
static bool place_arguments(const pa_library_method *self, PyObject *const *arguments, Py_ssize_t count,
                            PyObject *names, PyObject **out_values) {
  if (count < 1 || count > PyTuple_GET_SIZE(self->names)) return false;
  memcpy(out_values, arguments, (size_t)count * sizeof *out_values);
  memset(out_values + count, 0, (size_t)(PyTuple_GET_SIZE(self->names) - count) * sizeof *out_values);
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
    Py_ssize_t place = place_of(self, PyTuple_GET_ITEM(names, i));
    if (place < count || out_values[place]) return false;
    out_values[place] = arguments[count + i];
  }
  return true;
}

static PyObject *method_call(PyObject *object, PyObject *const *arguments, size_t flags, PyObject *names) {
  pa_library_method *self = (pa_library_method *)object;
  PyObject *values[PA_LIBRARY_MOST_PARAMETERS];
  if (place_arguments(self, arguments, PyVectorcall_NARGS(flags), names, values)) {
    PyObject *result = self->call(self, values);
    if (PA_LIKELY(result != Py_NotImplemented)) return result;
    Py_DECREF(result);
  }
  return PyObject_Vectorcall(self->function, arguments, flags, names);
}

//===-- Making ------------------------------------------------------------------------------------===//

bool pa_library_method_set(pa_library_method *self, PyObject *function,
                           PyObject *(*call)(pa_library_method *self, PyObject *const *values)) {
  if (!PyFunction_Check(function)) return PyErr_Format(PyExc_TypeError, "a function is expected"), false;
  PyObject *code = PyFunction_GET_CODE(function), *variables = PyObject_GetAttrString(code, "co_varnames");
  int count = ((PyCodeObject *)code)->co_argcount;
  if (!variables) return false;
  self->vectorcall = method_call;
  self->call = call;
  self->function = Py_NewRef(function);
  self->names = PyTuple_GetSlice(variables, 0, count);
  Py_DECREF(variables);
  if (self->names && count > PA_LIBRARY_MOST_PARAMETERS)
    return PyErr_Format(PyExc_ValueError, "more than %d parameters", PA_LIBRARY_MOST_PARAMETERS), false;
  return self->names;
}

static PyObject *method_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static const struct {
    const char *name;
    PyObject *(*call)(pa_library_method *self, PyObject *const *values);
  } calls[] = {{"fft forward", pa_fft_forward},     {"fft inverse", pa_fft_inverse},
               {"rand generate", pa_rand_generate}, {"rand uniform", pa_rand_uniform},
               {"rand normal", pa_rand_normal},     {"rand lognormal", pa_rand_lognormal}};
  const char *name;
  PyObject *function;
  (void)keywords;
  if (!PyArg_ParseTuple(arguments, "sO", &name, &function)) return NULL;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
    if (strcmp(calls[i].name, name)) continue;
    pa_library_method *self = (pa_library_method *)type->tp_alloc(type, 0);
    if (self && !pa_library_method_set(self, function, calls[i].call)) Py_CLEAR(self);
    return (PyObject *)self;
  }
  return PyErr_Format(PyExc_ValueError, "there is no method %s", name);
}

//===-- As a function of Python -------------------------------------------------------------------===//

static int method_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((pa_library_method *)object)->function);
  return 0;
}

static int method_clear(PyObject *object) {
  Py_CLEAR(((pa_library_method *)object)->function);
  return 0;
}

static void method_dealloc(PyObject *object) {
  PyObject_GC_UnTrack(object);
  method_clear(object);
  Py_XDECREF(((pa_library_method *)object)->names);
  Py_TYPE(object)->tp_free(object);
}

static PyObject *method_get(PyObject *object, PyObject *owner, PyObject *type) {
  (void)type;
  return owner && owner != Py_None ? PyMethod_New(object, owner) : Py_NewRef(object);
}

// Help and inspect.signature see the function.
static PyObject *method_attribute(PyObject *object, void *name) {
  return PyObject_GetAttrString(((pa_library_method *)object)->function, name);
}

static PyObject *method_repr(PyObject *object) { return PyObject_Repr(((pa_library_method *)object)->function); }

PyGetSetDef pa_library_method_attributes[] = {
    {"__doc__", method_attribute, NULL, NULL, "__doc__"},
    {"__name__", method_attribute, NULL, NULL, "__name__"},
    {"__qualname__", method_attribute, NULL, NULL, "__qualname__"},
    {"__module__", method_attribute, NULL, NULL, "__module__"},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef method_members[] = {
    {"__wrapped__", T_OBJECT, offsetof(pa_library_method, function), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject pa_library_method_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.LibraryMethod",
    .tp_basicsize = sizeof(pa_library_method),
    .tp_new = method_new,
    .tp_dealloc = method_dealloc,
    .tp_traverse = method_traverse,
    .tp_clear = method_clear,
    .tp_repr = method_repr,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(pa_library_method, vectorcall),
    .tp_descr_get = method_get,
    .tp_getset = pa_library_method_attributes,
    .tp_members = method_members,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                Py_TPFLAGS_METHOD_DESCRIPTOR,
};
