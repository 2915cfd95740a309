// BlasHandle: a handle of cuBLAS, under the class of pyarray/cuda/cublas.py.
#include "cuda_blas.h"

#include <structmember.h>

// _make(stream, native), once. Without |native| there is no library, and no routine is called.
static PyObject *handle_make(PyObject *object, PyObject *arguments) {
  pa_blas_handle *self = (pa_blas_handle *)object;
  PyObject *stream;
  int native;
  CUstream handle;
  if (!PyArg_ParseTuple(arguments, "Op", &stream, &native)) return NULL;
  if (self->stream) return PyErr_Format(PyExc_RuntimeError, "the handle is made");
  pa_cuda_context *context = pa_cuda_here(); // which warns where the CPU stands in
  if (!context || !pa_stream_argument(stream, &handle)) return NULL;
  self->stream = Py_NewRef(stream);
  if (!native) Py_RETURN_NONE;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_blas_create(context, handle, &self->blas);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? Py_NewRef(Py_None) : NULL;
}

static void handle_dealloc(PyObject *object) {
  pa_blas_handle *self = (pa_blas_handle *)object;
  Py_BEGIN_ALLOW_THREADS // it waits for the device
      pa_cuda_blas_destroy(&self->blas);
  Py_END_ALLOW_THREADS Py_XDECREF(self->stream);
  Py_TYPE(object)->tp_free(object);
}

static PyMethodDef handle_methods[] = {
    {"_make", handle_make, METH_VARARGS, "_make(stream, native)"},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef handle_members[] = {
    {"stream", T_OBJECT, offsetof(pa_blas_handle, stream), READONLY, "The stream that routines run in."},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject pa_blas_handle_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.BlasHandle",
    .tp_basicsize = sizeof(pa_blas_handle),
    .tp_new = PyType_GenericNew,
    .tp_dealloc = handle_dealloc,
    .tp_methods = handle_methods,
    .tp_members = handle_members,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};
