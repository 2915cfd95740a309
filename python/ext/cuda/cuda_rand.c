// RandGenerator: a generator of cuRAND, in the objects of pyarray/cuda/curand.py, whose base is RandBase.
#include "cuda/rand.h"
#include "cuda_libraries.h"

#include <structmember.h>

enum { ALIGNMENT = 16 }; // of arrays that cuRAND gets

typedef struct rand_generator {
  PyObject_HEAD pa_cuda_rand rand;
  size_t dimensions; // of which the count of numbers is a multiple
} rand_generator;

typedef struct rand_base {
  PyObject_HEAD PyObject *native; // a RandGenerator, which is made anew to begin anew
  PyObject *stream;
} rand_base;

// RandGenerator(type), of cuRAND's number.
static PyObject *rand_generator_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  int number;
  (void)keywords;
  if (!PyArg_ParseTuple(arguments, "i", &number)) return NULL;
  pa_cuda_context *context = pa_cuda_here();
  rand_generator *self = context ? (rand_generator *)type->tp_alloc(type, 0) : NULL;
  if (!self) return NULL;
  self->dimensions = 1;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_rand_create(context, number, &self->rand);
  Py_END_ALLOW_THREADS if (pa_cuda_ok(status)) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void rand_generator_dealloc(PyObject *object) {
  rand_generator *self = (rand_generator *)object;
  Py_BEGIN_ALLOW_THREADS // it may wait for the device
      pa_cuda_rand_destroy(&self->rand);
  Py_END_ALLOW_THREADS Py_TYPE(object)->tp_free(object);
}

// set(setting, value): 0 the seed, 1 the offset, 2 the ordering, 3 the dimensions.
static PyObject *rand_generator_set(PyObject *object, PyObject *arguments) {
  rand_generator *self = (rand_generator *)object;
  int setting;
  unsigned long long value;
  if (!PyArg_ParseTuple(arguments, "iK", &setting, &value)) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_rand_set(&self->rand, (pa_rand_setting)setting, value);
  Py_END_ALLOW_THREADS if (!pa_cuda_ok(status)) return NULL;
  if (setting == PA_RAND_NDIM) self->dimensions = (size_t)value;
  Py_RETURN_NONE;
}

//===-- Numbers -----------------------------------------------------------------------------------===//

static bool item_of(const pa_device_array *array, pa_rand_kind kind, pa_rand_item *out_item) {
  switch (array->dtype->type_num) {
  case NPY_FLOAT: *out_item = PA_RAND_F32; break;
  case NPY_DOUBLE: *out_item = PA_RAND_F64; break;
  case NPY_UINT: *out_item = PA_RAND_U32; break;
  case NPY_ULONG:
  case NPY_ULONGLONG: *out_item = PA_RAND_U64; break;
  default: return false;
  }
  if (kind == PA_RAND_BITS) return *out_item == PA_RAND_U32 || *out_item == PA_RAND_U64;
  if (kind == PA_RAND_POISSON) return *out_item == PA_RAND_U32;
  return *out_item == PA_RAND_F32 || *out_item == PA_RAND_F64;
}

// The array that |object| is, if cuRAND takes it as it is.
static pa_device_array *fitting(const rand_generator *self, PyObject *object, pa_rand_kind kind,
                                pa_rand_item *out_item) {
  if (!pa_is_device_array(object)) return NULL;
  pa_device_array *array = (pa_device_array *)object;
  if (!pa_device_array_ready(array)) return PyErr_Clear(), NULL;
  bool fits = item_of(array, kind, out_item) && PyArray_ISNBO(array->dtype->byteorder) && array->layout == 'C' &&
              !array->readonly && pa_device_array_data(array) % ALIGNMENT == 0 &&
              array->context == self->rand.resource.context && pa_device_array_lives(array);
  return fits ? array : NULL;
}

// What numbers are made.
typedef struct numbers {
  pa_rand_kind kind;
  double a, b; // mean and standard deviation, or the mean of Poisson's
} numbers;

// Fills |size| elements, None or NULL: all. Py_NotImplemented where cuRAND does not take the array as it is.
static PyObject *fill(rand_generator *self, const numbers *numbers, PyObject *object, PyObject *size,
                      PyObject *stream_object) {
  pa_rand_item item = PA_RAND_F32;
  pa_device_array *array = fitting(self, object, numbers->kind, &item);
  if (!array) Py_RETURN_NOTIMPLEMENTED;
  size_t elements = pa_device_array_bytes(array) / (size_t)(item == PA_RAND_U32 || item == PA_RAND_F32 ? 4 : 8);
  size_t wanted = elements;
  if (size && size != Py_None) {
    if (!PyLong_Check(size)) Py_RETURN_NOTIMPLEMENTED;
    wanted = PyLong_AsSize_t(size);
    if (PyErr_Occurred()) PyErr_Clear(), wanted = SIZE_MAX;
  }
  if (wanted > elements || wanted % self->dimensions) Py_RETURN_NOTIMPLEMENTED;
  CUstream stream;
  if (!pa_stream_argument(stream_object, &stream)) return NULL;
  pa_status status;
  CUdeviceptr out = pa_device_array_data(array);
  Py_BEGIN_ALLOW_THREADS status =
      pa_cuda_rand_generate(&self->rand, numbers->kind, item, out, wanted, numbers->a, numbers->b, stream);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? Py_NewRef(object) : NULL;
}

// fill(kind, array, size, a, b, stream): the array, or NotImplemented.
static PyObject *rand_generator_fill(PyObject *object, PyObject *arguments) {
  numbers numbers;
  int kind;
  PyObject *array, *size, *stream;
  if (!PyArg_ParseTuple(arguments, "iOOddO", &kind, &array, &size, &numbers.a, &numbers.b, &stream)) return NULL;
  numbers.kind = (pa_rand_kind)kind;
  return fill((rand_generator *)object, &numbers, array, size, stream);
}

//===-- Methods -----------------------------------------------------------------------------------===//

static PyObject *call(PyObject *const *values, const numbers *numbers, PyObject *size) {
  if (!PyObject_TypeCheck(values[0], &pa_rand_base_type) || !values[1]) Py_RETURN_NOTIMPLEMENTED;
  const rand_base *self = (const rand_base *)values[0];
  if (!self->native || Py_TYPE(self->native) != &pa_rand_generator_type) Py_RETURN_NOTIMPLEMENTED;
  PyObject *native = Py_NewRef(self->native); // another thread may begin anew meanwhile
  PyObject *result = fill((rand_generator *)native, numbers, values[1], size, self->stream);
  Py_DECREF(native);
  return result;
}

// Of a float or an int; |number| as it is where there is none.
static bool read_number(PyObject *value, double *number) {
  if (!value) return true;
  if (!PyFloat_Check(value) && !PyLong_Check(value)) return false;
  *number = PyFloat_AsDouble(value);
  if (*number != -1 || !PyErr_Occurred()) return true;
  PyErr_Clear(); // Python's path raises it
  return false;
}

// With self, ary, size.
PyObject *pa_rand_generate(pa_library_method *self, PyObject *const *values) {
  return (void)self, call(values, &(numbers){PA_RAND_BITS, 0, 1}, values[2]);
}

PyObject *pa_rand_uniform(pa_library_method *self, PyObject *const *values) {
  return (void)self, call(values, &(numbers){PA_RAND_UNIFORM, 0, 1}, values[2]);
}

// With self, ary, mean, sigma, size.
static PyObject *call_normal(PyObject *const *values, pa_rand_kind kind) {
  numbers numbers = {kind, 0, 1};
  if (!read_number(values[2], &numbers.a) || !read_number(values[3], &numbers.b) || !(numbers.b >= 0))
    Py_RETURN_NOTIMPLEMENTED;
  return call(values, &numbers, values[4]);
}

PyObject *pa_rand_normal(pa_library_method *self, PyObject *const *values) {
  return (void)self, call_normal(values, PA_RAND_NORMAL);
}

PyObject *pa_rand_lognormal(pa_library_method *self, PyObject *const *values) {
  return (void)self, call_normal(values, PA_RAND_LOGNORMAL);
}

static PyMethodDef rand_generator_methods[] = {
    {"set", rand_generator_set, METH_VARARGS, "set(setting, value)"},
    {"fill", rand_generator_fill, METH_VARARGS, "fill(kind, array, size, a, b, stream)"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject pa_rand_generator_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.RandGenerator",
    .tp_basicsize = sizeof(rand_generator),
    .tp_new = rand_generator_new,
    .tp_dealloc = rand_generator_dealloc,
    .tp_methods = rand_generator_methods,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static void rand_base_dealloc(PyObject *object) {
  Py_XDECREF(((rand_base *)object)->native);
  Py_XDECREF(((rand_base *)object)->stream);
  Py_TYPE(object)->tp_free(object);
}

static PyObject *get_stream(PyObject *object, void *unused) {
  (void)unused;
  PyObject *stream = ((rand_base *)object)->stream;
  return stream ? Py_NewRef(stream) : PyLong_FromLong(0);
}

static int set_stream(PyObject *object, PyObject *value, void *unused) {
  (void)unused;
  return pa_stream_set(&((rand_base *)object)->stream, value);
}

static PyMemberDef rand_base_members[] = {
    {"_native", T_OBJECT, offsetof(rand_base, native), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyGetSetDef rand_base_attributes[] = {
    {"stream", get_stream, set_stream,
     "The stream that numbers are made in, from the next call on, which waits for the latest one.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject pa_rand_base_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.RandBase",
    .tp_basicsize = sizeof(rand_base),
    .tp_new = PyType_GenericNew,
    .tp_dealloc = rand_base_dealloc,
    .tp_members = rand_base_members,
    .tp_getset = rand_base_attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};
