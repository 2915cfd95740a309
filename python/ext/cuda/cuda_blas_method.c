// BlasMethod: a routine of cuBLAS as a method of Blas, made of a row of pyarray/cuda/_blas_table.py.
#include "cuda_blas.h"

#include <string.h>

static const char letters[] = "sdcz";

//===-- Reading a row -----------------------------------------------------------------------------===//

static bool read_extents(PyObject *shape, pa_blas_extent *out) {
  if (!PyArg_Parse(shape, "O!", &PyTuple_Type, &shape) || PyTuple_GET_SIZE(shape) > PA_BLAS_MOST_RANK) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(shape); ++i) {
    int first, second, more, is_triangle;
    if (!PyArg_ParseTuple(PyTuple_GET_ITEM(shape, i), "iiip", &first, &second, &more, &is_triangle)) return false;
    out[i] = (pa_blas_extent){(int8_t)first, (int8_t)second, (int8_t)more, is_triangle};
  }
  return true;
}

// (kind, letters of a choice, the number of a count, whether it is written, whether it is an unheeded factor, governor,
// shapes)
static bool read_parameter(PyObject *row, pa_blas_parameter *out) {
  const char *kind, *choices;
  int count, is_written, is_unheeded, governor;
  PyObject *shapes;
  if (!PyArg_ParseTuple(row, "ssippiO!", &kind, &choices, &count, &is_written, &is_unheeded, &governor, &PyTuple_Type,
                        &shapes))
    return false;
  *out = (pa_blas_parameter){.kind = (pa_blas_kind)kind[0], .count = (int8_t)count};
  out->is_written = is_written, out->is_unheeded = is_unheeded;
  memcpy(out->letters, choices, strnlen(choices, sizeof out->letters));
  if (!PyTuple_GET_SIZE(shapes)) return true;
  out->rank = (int8_t)PyTuple_GET_SIZE(PyTuple_GET_ITEM(shapes, 0));
  out->governor = (int8_t)(PyTuple_GET_SIZE(shapes) == 2 ? governor : -1);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(shapes) && i < 2; ++i)
    if (!read_extents(PyTuple_GET_ITEM(shapes, i), out->shapes[i])) return false;
  return true;
}

static bool read_parameters(PyObject *rows, pa_blas_method *self) {
  self->parameter_count = (int)PyTuple_GET_SIZE(rows);
  if (self->parameter_count != PyTuple_GET_SIZE(self->base.names) - 1)
    return PyErr_Format(PyExc_ValueError, "%R has other parameters", self->base.function), false;
  for (int i = 0; i < self->parameter_count; ++i)
    if (!read_parameter(PyTuple_GET_ITEM(rows, i), &self->parameters[i])) return false;
  return true;
}

static bool read_order(PyObject *order, pa_blas_method *self) {
  self->order_count = (int)PyTuple_GET_SIZE(order);
  if (self->order_count > PA_LIBRARY_MOST_PARAMETERS)
    return PyErr_Format(PyExc_ValueError, "too many arguments"), false;
  for (int i = 0; i < self->order_count; ++i) {
    long place = PyLong_AsLong(PyTuple_GET_ITEM(order, i));
    if (place == -1 && PyErr_Occurred()) return false;
    self->order[i] = (int8_t)place;
  }
  return true;
}

// {letter: (symbol, letter of the result or "")}
static bool read_natives(PyObject *natives, pa_blas_method *self) {
  for (int i = 0; i < PA_BLAS_LETTERS; ++i) {
    PyObject *pair = PyDict_GetItemString(natives, (char[]){letters[i], 0});
    const char *symbol, *result;
    if (!pair) continue;
    if (!PyArg_ParseTuple(pair, "ss", &symbol, &result)) return false;
    PyOS_snprintf(self->natives[i].symbol, sizeof self->natives[i].symbol, "%s", symbol);
    self->natives[i].result = result[0];
  }
  return true;
}

static PyObject *method_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  PyObject *function, *parameters, *order, *natives;
  (void)keywords;
  if (!PyArg_ParseTuple(arguments, "OO!O!O!", &function, &PyTuple_Type, &parameters, &PyTuple_Type, &order,
                        &PyDict_Type, &natives))
    return NULL;
  pa_blas_method *self = (pa_blas_method *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  if (pa_library_method_set(&self->base, function, pa_blas_call) && read_parameters(parameters, self) &&
      read_order(order, self) && read_natives(natives, self))
    return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

//===-- From Python -------------------------------------------------------------------------------===//

// run(handle, *values): of Python's own path, once all arrays are on the device and in order.
static PyObject *method_run(PyObject *object, PyObject *const *values, Py_ssize_t count) {
  pa_blas_method *self = (pa_blas_method *)object;
  if (count != self->parameter_count + 1 || !PyObject_TypeCheck(values[0], &pa_blas_handle_type))
    return PyErr_Format(PyExc_TypeError, "run takes a handle and %d arguments", self->parameter_count);
  const pa_blas_handle *handle = (const pa_blas_handle *)values[0];
  for (Py_ssize_t i = 1; i < count; ++i) {
    if (!pa_is_device_array(values[i])) continue;
    const pa_device_array *array = (const pa_device_array *)values[i];
    if (!pa_device_array_ready(array)) return NULL;
    if (array->context != handle->blas.resource.context)
      return PyErr_Format(PyExc_ValueError, "the array is on another device than the Blas object");
  }
  return pa_blas_call_checked(&self->base, values);
}

static PyMethodDef methods[] = {
    {"run", (PyCFunction)(void (*)(void))method_run, METH_FASTCALL, "run(handle, *values)"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject pa_blas_method_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.BlasMethod",
    .tp_basicsize = sizeof(pa_blas_method),
    .tp_base = &pa_library_method_type,
    .tp_new = method_new,
    .tp_methods = methods,
    .tp_getset = pa_library_method_attributes,
    .tp_vectorcall_offset = offsetof(pa_library_method, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
};
