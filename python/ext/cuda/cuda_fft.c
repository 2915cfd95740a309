// FFTPlan: a plan of cuFFT, under the class of pyarray/cuda/cufft.py.
#include "cuda/fft.h"
#include "cuda_libraries.h"

#include <string.h>

// What a type of transform reads and writes.
typedef struct transform {
  const char *name;
  pa_fft_type type;
  int in, out; // of NumPy's numbers of dtypes
} transform;

static const transform transforms[] = {
    {"C2C", PA_FFT_C2C, NPY_COMPLEX64, NPY_COMPLEX64}, {"R2C", PA_FFT_R2C, NPY_FLOAT32, NPY_COMPLEX64},
    {"C2R", PA_FFT_C2R, NPY_COMPLEX64, NPY_FLOAT32},   {"Z2Z", PA_FFT_Z2Z, NPY_COMPLEX128, NPY_COMPLEX128},
    {"D2Z", PA_FFT_D2Z, NPY_FLOAT64, NPY_COMPLEX128},  {"Z2D", PA_FFT_Z2D, NPY_COMPLEX128, NPY_FLOAT64},
};

// Arrays of one side: |extents| after the batch, which an array lacks where there is one transform.
typedef struct side {
  int dtype, rank;
  npy_intp extents[4];
} side;

typedef struct fft_plan {
  PyObject_HEAD pa_cuda_fft plan; // not made where the CPU plays the device
  side in, out;
  uintptr_t alignment; // of both sides' memory: a complex number
  PyObject *stream;    // of calls that name none
} fft_plan;

static const transform *find_transform(const char *name) {
  for (size_t i = 0; i < sizeof transforms / sizeof *transforms; ++i)
    if (!strcmp(transforms[i].name, name)) return &transforms[i];
  PyErr_Format(PyExc_ValueError, "there is no type of transforms %s", name);
  return NULL;
}

// Of the complex side of a real transform, the last dimension has n // 2 + 1 elements.
static side side_of(int dtype, int other, int rank, const int64_t *shape, int64_t batch) {
  side made = {dtype, rank + 1, {batch}};
  for (int i = 0; i < rank; ++i) made.extents[i + 1] = shape[i];
  if (dtype != other && PyTypeNum_ISCOMPLEX(dtype)) made.extents[rank] = shape[rank - 1] / 2 + 1;
  return made;
}

// _make(shape, type, batch), once, with extents and counts that the class has checked.
static PyObject *fft_plan_make(PyObject *object, PyObject *arguments) {
  fft_plan *self = (fft_plan *)object;
  PyObject *shape;
  const char *name;
  long long batch, extents[3] = {1, 1, 1};
  if (!PyArg_ParseTuple(arguments, "O!sL", &PyTuple_Type, &shape, &name, &batch)) return NULL;
  int rank = (int)PyTuple_GET_SIZE(shape);
  if (!PyArg_ParseTuple(shape, "L|LL", &extents[0], &extents[1], &extents[2])) return NULL;
  const transform *found = find_transform(name);
  pa_cuda_context *context = found ? pa_cuda_here() : NULL;
  if (!context) return NULL;
  if (self->plan.resource.destroy) return PyErr_Format(PyExc_RuntimeError, "the plan is made");
  int64_t sides[3] = {extents[0], extents[1], extents[2]};
  self->in = side_of(found->in, found->out, rank, sides, batch);
  self->out = side_of(found->out, found->in, rank, sides, batch);
  self->alignment = found->in == NPY_COMPLEX128 || found->out == NPY_COMPLEX128 ? 16 : 8;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_fft_plan(context, rank, sides, found->type, batch, 1, &self->plan);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? Py_NewRef(Py_None) : NULL;
}

static void fft_plan_dealloc(PyObject *object) {
  fft_plan *self = (fft_plan *)object;
  Py_BEGIN_ALLOW_THREADS // it may wait for the device
      pa_cuda_fft_destroy(&self->plan);
  Py_END_ALLOW_THREADS Py_XDECREF(self->stream);
  Py_TYPE(object)->tp_free(object);
}

//===-- Running -----------------------------------------------------------------------------------===//

static bool has_shape(const pa_device_array *array, const side *side) {
  int missing = side->rank - array->rank;
  if (missing && (missing != 1 || side->extents[0] != 1)) return false;
  return !memcmp(pa_device_array_shape(array), side->extents + missing, (size_t)array->rank * sizeof *side->extents);
}

// The array that |object| is, if cuFFT takes it as it is.
static pa_device_array *fitting(const fft_plan *self, PyObject *object, const side *side) {
  if (!pa_is_device_array(object)) return NULL;
  pa_device_array *array = (pa_device_array *)object;
  if (!pa_device_array_ready(array)) return PyErr_Clear(), NULL;
  bool fits = array->dtype->type_num == side->dtype && PyArray_ISNBO(array->dtype->byteorder) && array->layout == 'C' &&
              has_shape(array, side) && pa_device_array_data(array) % self->alignment == 0 &&
              array->context == self->plan.resource.context && pa_device_array_lives(array);
  return fits ? array : NULL;
}

// Whether they share memory in a way that cuFFT does not support.
static bool clash(const pa_device_array *in, const pa_device_array *out) {
  CUdeviceptr a = pa_device_array_data(in), b = pa_device_array_data(out);
  bool is_in_place = a == b && in->dtype->type_num == out->dtype->type_num;
  return !is_in_place && a < b + pa_device_array_bytes(out) && b < a + pa_device_array_bytes(in);
}

// Py_NotImplemented where cuFFT does not take the arrays as they are.
static PyObject *run(fft_plan *self, PyObject *in_object, PyObject *out_object, bool inverse, PyObject *stream_object) {
  if (!self->plan.resource.destroy) Py_RETURN_NOTIMPLEMENTED;
  const pa_device_array *in = fitting(self, in_object, &self->in), *out = fitting(self, out_object, &self->out);
  if (!in || !out || out->readonly || clash(in, out)) Py_RETURN_NOTIMPLEMENTED;
  CUstream stream;
  if (!pa_stream_argument(stream_object, &stream)) return NULL;
  pa_status status;
  CUdeviceptr from = pa_device_array_data(in), to = pa_device_array_data(out);
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_fft_run(&self->plan, from, to, inverse, stream);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? Py_NewRef(out_object) : NULL;
}

// _enqueue(in, out, inverse, stream): |out|, or NotImplemented.
static PyObject *fft_plan_enqueue(PyObject *object, PyObject *const *values, Py_ssize_t count) {
  if (count != 4) return PyErr_Format(PyExc_TypeError, "_enqueue takes 4 arguments");
  return run((fft_plan *)object, values[0], values[1], values[2] == Py_True, values[3]);
}

// With self, ary, out, stream.
static PyObject *call(PyObject *const *values, bool inverse) {
  if (!PyObject_TypeCheck(values[0], &pa_fft_plan_type) || !values[1] || !values[2]) Py_RETURN_NOTIMPLEMENTED;
  fft_plan *self = (fft_plan *)values[0];
  PyObject *stream = values[3] && values[3] != Py_None ? values[3] : self->stream;
  return run(self, values[1], values[2], inverse, stream ? stream : Py_None);
}

PyObject *pa_fft_forward(pa_library_method *self, PyObject *const *values) {
  (void)self;
  if (values[2] && PyObject_TypeCheck(values[0], &pa_fft_plan_type) &&
      !PyTypeNum_ISCOMPLEX(((fft_plan *)values[0])->out.dtype))
    Py_RETURN_NOTIMPLEMENTED;
  return call(values, false);
}

// A transform to real numbers leaves anything in its input, which is a copy unless overwrite_input says otherwise.
PyObject *pa_fft_inverse(pa_library_method *self, PyObject *const *values) {
  (void)self;
  if (values[2] && PyObject_TypeCheck(values[0], &pa_fft_plan_type)) {
    const fft_plan *plan = (const fft_plan *)values[0];
    if (!PyTypeNum_ISCOMPLEX(plan->in.dtype) || (!PyTypeNum_ISCOMPLEX(plan->out.dtype) && values[4] != Py_True))
      Py_RETURN_NOTIMPLEMENTED;
  }
  return call(values, true);
}

static PyMethodDef fft_plan_methods[] = {
    {"_make", fft_plan_make, METH_VARARGS, "_make(shape, type, batch)"},
    {"_enqueue", (PyCFunction)(void (*)(void))fft_plan_enqueue, METH_FASTCALL, "_enqueue(in, out, inverse, stream)"},
    {NULL, NULL, 0, NULL},
};

static PyObject *get_stream(PyObject *object, void *unused) {
  (void)unused;
  PyObject *stream = ((fft_plan *)object)->stream;
  return stream ? Py_NewRef(stream) : PyLong_FromLong(0);
}

static int set_stream(PyObject *object, PyObject *value, void *unused) {
  (void)unused;
  return pa_stream_set(&((fft_plan *)object)->stream, value);
}

static PyGetSetDef fft_plan_attributes[] = {
    {"stream", get_stream, set_stream, "The stream of calls that name none.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject pa_fft_plan_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.FFTPlan",
    .tp_basicsize = sizeof(fft_plan),
    .tp_new = PyType_GenericNew,
    .tp_dealloc = fft_plan_dealloc,
    .tp_methods = fft_plan_methods,
    .tp_getset = fft_plan_attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};
