// Device memory of other processes, and for them (pyarray/cuda/_ipc.py); memory of the host from memory managers.
#include "cuda.h"
#include "cuda/ipc.h"

// ipc_export(array): the handle as bytes, where the array is in the allocation, and the allocation's size.
static PyObject *ipc_export(PyObject *module, PyObject *object) {
  (void)module;
  if (!pa_is_device_array(object)) return PyErr_Format(PyExc_TypeError, "handles are made of device arrays");
  pa_device_array *array = (pa_device_array *)object;
  pa_cuda_ipc_memory memory;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_ipc_export(array->context, pa_device_array_data(array), &memory);
  Py_END_ALLOW_THREADS if (!pa_cuda_ok(status)) return NULL;
  return Py_BuildValue("y#nn", memory.handle.bytes, (Py_ssize_t)sizeof memory.handle, (Py_ssize_t)memory.offset,
                       (Py_ssize_t)memory.bytes);
}

// ipc_open(handle, bytes): a Memory.
static PyObject *ipc_open(PyObject *module, PyObject *arguments) {
  const char *bytes;
  Py_ssize_t length, size;
  CUipcMemHandle handle;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "y#n", &bytes, &length, &size)) return NULL;
  if (length != (Py_ssize_t)sizeof handle || size < 0)
    return PyErr_Format(PyExc_ValueError, "a handle of memory has %zu bytes, not %zd", sizeof handle, length);
  memcpy(&handle, bytes, sizeof handle);
  pa_cuda_context *context = pa_cuda_here();
  pa_memory_object *self = context ? pa_memory_empty() : NULL;
  if (!self) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_ipc_open(context, &handle, (size_t)size, &self->buffer);
  Py_END_ALLOW_THREADS if (pa_cuda_ok(status)) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

// Whether nobody but the array has its address.
static bool is_alone(const pa_device_array *array) {
  if (Py_REFCNT(array->owner) > 1)
    return PyErr_Format(
               PyExc_RuntimeError,
               "the array's memory, which is from a pool, has to move for this, but other arrays lie in it too\n"
               "hint: make the handle before views of the array, and of the whole array"),
           false;
  if (array->is_exported)
    return PyErr_Format(PyExc_RuntimeError,
                        "the array's memory, which is from a pool, has to move for this, but other libraries have its "
                        "address\nhint: make the handle before they see the array"),
           false;
  return true;
}

// ipc_prepare(array): moves it where the driver cannot make a handle of its memory. What a memory manager gave for it,
// or None.
static PyObject *ipc_prepare(PyObject *module, PyObject *object) {
  (void)module;
  if (!pa_is_device_array(object)) return PyErr_Format(PyExc_TypeError, "handles are made of device arrays");
  pa_device_array *array = (pa_device_array *)object;
  if (!pa_device_array_ready(array)) return NULL;
  pa_device_array_share(array);
  if (!array->owner || Py_TYPE(array->owner) != &pa_memory_type) Py_RETURN_NONE; // another library's
  pa_memory_object *old = (pa_memory_object *)array->owner;
  if (old->buffer.kind != PA_CUDA_DEVICE)
    return PyErr_Format(PyExc_RuntimeError, "handles are made of device memory that this process has allocated");
  if (old->buffer.manager) return Py_NewRef((PyObject *)old->buffer.managed);
  if (pa_cuda_ipc_is_shareable(&old->buffer)) Py_RETURN_NONE;
  if (!is_alone(array)) return NULL;
  pa_memory_object *new = pa_memory_empty();
  if (!new) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_ipc_copy(&old->buffer, &new->buffer);
  Py_END_ALLOW_THREADS if (!pa_cuda_ok(status)) {
    Py_DECREF(new);
    return NULL;
  }
  array->slots[0] += new->buffer.device - old->buffer.device;
  array->owner = (PyObject *)new;
  Py_DECREF(old);
  Py_RETURN_NONE;
}

//===-- Memory of the host from memory managers ---------------------------------------------------===//

// device_address(host): where the device sees memory that is registered with the driver.
static PyObject *device_address(PyObject *module, PyObject *number) {
  CUdeviceptr address = 0;
  (void)module;
  void *host = PyLong_AsVoidPtr(number);
  pa_cuda_context *context = PyErr_Occurred() ? NULL : pa_cuda_here();
  if (!context || !pa_cuda_ok(pa_cuda_device_address(context, host, &address))) return NULL;
  return PyLong_FromUnsignedLongLong(address);
}

// The number that an attribute of |object| is; false with an exception set.
static bool number_of(PyObject *object, const char *name, unsigned long long *out_number) {
  PyObject *value = PyObject_GetAttrString(object, name);
  if (value) *out_number = PyLong_AsUnsignedLongLong(value);
  Py_XDECREF(value);
  return value && !PyErr_Occurred();
}

static int block_buffer(PyObject *object, Py_buffer *view, int flags) {
  unsigned long long address, bytes;
  if (!number_of(object, "_bufptr_", &address) || !number_of(object, "_buflen_", &bytes)) return -1;
  if (!address && bytes) {
    PyErr_SetString(PyExc_BufferError, "there is no memory");
    return -1;
  }
  return PyBuffer_FillInfo(view, object, (void *)(uintptr_t)address, (Py_ssize_t)bytes, false, flags);
}

static PyBufferProcs block_as_buffer = {.bf_getbuffer = block_buffer};

PyTypeObject pa_host_block_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.HostBlock",
    .tp_doc = "Bases of Python's classes of host memory: a buffer of _buflen_ bytes at _bufptr_.",
    .tp_basicsize = sizeof(PyObject),
    .tp_new = PyType_GenericNew,
    .tp_as_buffer = &block_as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};

PyMethodDef pa_cuda_ipc_functions[] = {
    {"device_address", device_address, METH_O, NULL},
    {"ipc_export", ipc_export, METH_O, NULL},
    {"ipc_open", ipc_open, METH_VARARGS, NULL},
    {"ipc_prepare", ipc_prepare, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
