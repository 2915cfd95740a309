// BlasHandle and BlasRoutine: cuBLAS under the class of pyarray/cuda/cublas.py.
#include "cuda/blas.h"
#include "cuda_libraries.h"

#include <string.h>

//===-- Handles -----------------------------------------------------------------------------------===//

typedef struct blas_handle {
  PyObject_HEAD pa_cuda_blas blas;
  PyObject *stream; // lives as long as the handle
} blas_handle;

static PyObject *handle_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  PyObject *stream;
  CUstream handle;
  (void)keywords;
  if (!PyArg_ParseTuple(arguments, "O", &stream)) return NULL;
  pa_cuda_context *context = pa_cuda_here();
  if (!context || !pa_stream_argument(stream, &handle)) return NULL;
  blas_handle *self = (blas_handle *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->stream = Py_NewRef(stream);
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_blas_create(context, handle, &self->blas);
  Py_END_ALLOW_THREADS if (pa_cuda_ok(status)) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void handle_dealloc(PyObject *object) {
  blas_handle *self = (blas_handle *)object;
  Py_BEGIN_ALLOW_THREADS // it waits for the device
      pa_cuda_blas_destroy(&self->blas);
  Py_END_ALLOW_THREADS Py_XDECREF(self->stream);
  Py_TYPE(object)->tp_free(object);
}

PyTypeObject pa_blas_handle_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.BlasHandle",
    .tp_basicsize = sizeof(blas_handle),
    .tp_new = handle_new,
    .tp_dealloc = handle_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

//===-- Routines ----------------------------------------------------------------------------------===//

// BlasRoutine(symbol, parameters), a letter for each parameter: i an int, l a long long, a a device array, s d c z a
// number, p q five of s or d; a last letter S D C Z or I is that of a number which is the result.
typedef struct blas_routine {
  PyObject_HEAD vectorcallfunc vectorcall;
  pa_blas_routine routine;
  char symbol[48], parameters[PA_BLAS_MOST_ARGUMENTS + 1];
} blas_routine;

// cuBLAS reads complex numbers by accesses of 16 bytes.
typedef union number {
  float s, c[2];
  _Alignas(16) double z[2];
  double d;
  float five_s[5];
  double five_d[5];
  int i;
} number;

static bool read_five(PyObject *value, char letter, number *out) {
  double d[5];
  if (!PyArg_ParseTuple(value, "ddddd", &d[0], &d[1], &d[2], &d[3], &d[4])) return false;
  for (int i = 0; i < 5; ++i) {
    if (letter == 'p')
      out->five_s[i] = (float)d[i];
    else
      out->five_d[i] = d[i];
  }
  return true;
}

static bool read_number(PyObject *value, char letter, number *out) {
  if (letter == 'p' || letter == 'q') return read_five(value, letter, out);
  if (letter == 's' || letter == 'd') {
    double real = PyFloat_AsDouble(value);
    if (letter == 's')
      out->s = (float)real;
    else
      out->d = real;
    return real != -1 || !PyErr_Occurred();
  }
  Py_complex both = PyComplex_AsCComplex(value);
  if (letter == 'c')
    out->c[0] = (float)both.real, out->c[1] = (float)both.imag;
  else
    out->z[0] = both.real, out->z[1] = both.imag;
  return both.real != -1 || !PyErr_Occurred();
}

static PyObject *number_object(char letter, const number *value) {
  switch (letter) {
  case 'S': return PyFloat_FromDouble((double)value->s);
  case 'D': return PyFloat_FromDouble(value->d);
  case 'C': return PyComplex_FromDoubles((double)value->c[0], (double)value->c[1]);
  case 'Z': return PyComplex_FromDoubles(value->z[0], value->z[1]);
  default: return PyLong_FromLong(value->i);
  }
}

static bool read_array(PyObject *value, const blas_handle *handle, void **out_pointer) {
  if (!pa_is_device_array(value)) return PyErr_SetString(PyExc_TypeError, "a device array is expected"), false;
  const pa_device_array *array = (pa_device_array *)value;
  if (!pa_device_array_lives(array)) return pa_device_array_refuse_dead(array), false;
  if (array->context != handle->blas.resource.context)
    return PyErr_SetString(PyExc_ValueError, "the array is on another device than the Blas object"), false;
  *out_pointer = (void *)(uintptr_t)pa_device_array_data(array);
  return true;
}

static bool read_value(PyObject *value, char letter, const blas_handle *handle, number *storage, pa_blas_value *out) {
  if (letter == 'a') return read_array(value, handle, &out->pointer);
  if (letter == 'i' || letter == 'l') {
    long long integer = PyLong_AsLongLong(value);
    if (integer == -1 && PyErr_Occurred()) return false;
    if (letter == 'l') return out->distance = integer, true;
    if (integer < INT32_MIN || integer > INT32_MAX)
      return PyErr_Format(PyExc_ValueError, "%lld is more than cuBLAS takes", integer), false;
    return out->number = (int)integer, true;
  }
  out->pointer = storage;
  return read_number(value, letter, storage);
}

static PyObject *routine_call(PyObject *object, PyObject *const *arguments, size_t flags, PyObject *names) {
  blas_routine *self = (blas_routine *)object;
  Py_ssize_t count = PyVectorcall_NARGS(flags), wanted = (Py_ssize_t)strlen(self->parameters);
  bool has_result = strchr("SDCZI", self->parameters[wanted - 1]);
  if (names || count != 1 + wanted - has_result || Py_TYPE(arguments[0]) != &pa_blas_handle_type)
    return PyErr_Format(PyExc_TypeError, "%s takes a handle and %zd arguments", self->symbol, wanted - has_result);
  blas_handle *handle = (blas_handle *)arguments[0];
  pa_blas_value values[PA_BLAS_MOST_ARGUMENTS];
  number storage[PA_BLAS_MOST_ARGUMENTS];
  for (Py_ssize_t i = 0; i < count - 1; ++i)
    if (!read_value(arguments[i + 1], self->parameters[i], handle, &storage[i], &values[i])) return NULL;
  if (has_result) values[wanted - 1].pointer = &storage[wanted - 1];
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_blas_run(&handle->blas, &self->routine, values);
  Py_END_ALLOW_THREADS if (!pa_cuda_ok(status)) return NULL;
  return has_result ? number_object(self->parameters[wanted - 1], &storage[wanted - 1]) : Py_NewRef(Py_None);
}

static PyObject *routine_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  const char *symbol, *parameters;
  (void)keywords;
  if (!PyArg_ParseTuple(arguments, "ss", &symbol, &parameters)) return NULL;
  blas_routine *self = (blas_routine *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  char key[PA_BLAS_MOST_ARGUMENTS + 1] = "";
  snprintf(self->symbol, sizeof self->symbol, "%s", symbol);
  snprintf(self->parameters, sizeof self->parameters, "%s", parameters);
  for (size_t i = 0; self->parameters[i]; ++i)
    key[i] = strchr("il", self->parameters[i]) ? (char)(self->parameters[i] - 32) : 'P';
  self->vectorcall = routine_call;
  if (pa_cuda_ok(pa_blas_find(self->symbol, key, &self->routine))) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

PyTypeObject pa_blas_routine_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.BlasRoutine",
    .tp_basicsize = sizeof(blas_routine),
    .tp_new = routine_new,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(blas_routine, vectorcall),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
};
