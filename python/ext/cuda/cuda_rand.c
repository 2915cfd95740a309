// RandGenerator: a generator of cuRAND, under the classes of pyarray/cuda/curand.py.
#include "cuda/rand.h"
#include "cuda_libraries.h"

enum { ALIGNMENT = 16 }; // of arrays that cuRAND gets

typedef struct rand_generator {
  PyObject_HEAD pa_cuda_rand rand;
} rand_generator;

// RandGenerator(type), of cuRAND's number.
static PyObject *rand_generator_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  int number;
  (void)keywords;
  if (!PyArg_ParseTuple(arguments, "i", &number)) return NULL;
  pa_cuda_context *context = pa_cuda_here();
  rand_generator *self = context ? (rand_generator *)type->tp_alloc(type, 0) : NULL;
  if (!self) return NULL;
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
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? Py_NewRef(Py_None) : NULL;
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
  bool fits = item_of(array, kind, out_item) && PyArray_ISNBO(array->dtype->byteorder) && array->layout == 'C' &&
              !array->readonly && pa_device_array_data(array) % ALIGNMENT == 0 &&
              array->context == self->rand.resource.context && pa_device_array_lives(array);
  return fits ? array : NULL;
}

// fill(kind, array, count, a, b, stream): False where cuRAND does not take the array as it is. |count|: None for all
// elements.
static PyObject *rand_generator_fill(PyObject *object, PyObject *const *values, Py_ssize_t count) {
  rand_generator *self = (rand_generator *)object;
  if (count != 6) return PyErr_Format(PyExc_TypeError, "fill takes 6 arguments");
  pa_rand_kind kind = (pa_rand_kind)PyLong_AsLong(values[0]);
  pa_rand_item item = PA_RAND_F32;
  pa_device_array *array = fitting(self, values[1], kind, &item);
  if (!array) return PyErr_Occurred() ? NULL : Py_NewRef(Py_False);
  size_t elements = pa_device_array_bytes(array) / (size_t)(item == PA_RAND_U32 || item == PA_RAND_F32 ? 4 : 8);
  size_t wanted = values[2] == Py_None ? elements : PyLong_AsSize_t(values[2]);
  double a = PyFloat_AsDouble(values[3]), b = PyFloat_AsDouble(values[4]);
  CUstream stream;
  if (PyErr_Occurred() || !pa_stream_argument(values[5], &stream)) return NULL;
  if (wanted > elements) return PyErr_Format(PyExc_ValueError, "size is larger than the array");
  pa_status status;
  CUdeviceptr out = pa_device_array_data(array);
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_rand_generate(&self->rand, kind, item, out, wanted, a, b, stream);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? Py_NewRef(Py_True) : NULL;
}

static PyMethodDef rand_generator_methods[] = {
    {"set", rand_generator_set, METH_VARARGS, "set(setting, value)"},
    {"fill", (PyCFunction)(void (*)(void))rand_generator_fill, METH_FASTCALL, "fill(kind, array, count, a, b, stream)"},
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
