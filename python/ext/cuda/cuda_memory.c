// Memory objects: what a buffer of the CUDA runtime is to Python. Pinned, mapped and managed memory has a buffer that
// NumPy arrays lie over.
#include "cuda.h"

PyObject *pa_int_argument(PyObject *object, const char *what) {
  PyObject *number = PyNumber_Index(object);
  if (!number && PyErr_ExceptionMatches(PyExc_TypeError))
    PyErr_Format(PyExc_TypeError, "%s is an int, not %.100s", what, Py_TYPE(object)->tp_name);
  return number;
}

bool pa_address_argument(PyObject *object, const char *what, uint64_t *out_address) {
  PyObject *number = pa_int_argument(object, what);
  if (!number) return false;
  *out_address = PyLong_AsUnsignedLongLong(number);
  Py_DECREF(number);
  if (!PyErr_Occurred()) return true;
  return PyErr_Format(PyExc_ValueError, "%s is from 0 to 2**64 - 1, not %.100R", what, object), false;
}

static PyObject *set_up(pa_memory_object *self, pa_status status) {
  if (pa_cuda_ok(status)) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

pa_memory_object *pa_memory_empty(void) { return (pa_memory_object *)pa_memory_type.tp_alloc(&pa_memory_type, 0); }

PyObject *pa_memory_new(pa_cuda_context *context, pa_cuda_memory kind, unsigned flags, size_t bytes) {
  pa_memory_object *self = pa_memory_empty();
  if (!self) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_allocate(context, kind, flags, bytes, &self->buffer);
  Py_END_ALLOW_THREADS return set_up(self, status);
}

static void memory_dealloc(PyObject *object) {
  pa_memory_object *self = (pa_memory_object *)object;
  Py_BEGIN_ALLOW_THREADS // it may wait for the device
      pa_cuda_free(&self->buffer);
  Py_END_ALLOW_THREADS Py_XDECREF(self->keep);
  Py_TYPE(object)->tp_free(object);
}

static int memory_buffer(PyObject *object, Py_buffer *view, int flags) {
  pa_memory_object *self = (pa_memory_object *)object;
  static char nothing;
  if (!self->buffer.host && self->buffer.bytes) {
    PyErr_SetString(PyExc_BufferError, "the memory is on a device");
    return -1;
  }
  void *start = self->buffer.host ? self->buffer.host : &nothing;
  return PyBuffer_FillInfo(view, object, start, (Py_ssize_t)self->buffer.bytes, false, flags);
}

pa_memory_object *pa_memory_of(PyArrayObject *array) {
  PyObject *base = PyArray_BASE(array);
  while (base && PyArray_Check(base)) base = PyArray_BASE((PyArrayObject *)base);
  return base && Py_TYPE(base) == &pa_memory_type ? (pa_memory_object *)base : NULL;
}

bool pa_memory_lives(const pa_memory_object *memory) {
  const pa_cuda_resource *resource = &memory->buffer.resource;
  return resource->context && resource->generation == __atomic_load_n(&resource->context->generation, __ATOMIC_RELAXED);
}

bool pa_memory_check(const pa_memory_object *memory) {
  return !memory->buffer.bytes || pa_cuda_ok(pa_cuda_resource_check(&memory->buffer.resource, "the memory"));
}

static PyObject *memory_address(PyObject *object, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(((pa_memory_object *)object)->buffer.device);
}

static PyObject *memory_host(PyObject *object, void *unused) {
  (void)unused;
  return PyLong_FromVoidPtr(((pa_memory_object *)object)->buffer.host);
}

static PyObject *memory_size(PyObject *object, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(((pa_memory_object *)object)->buffer.bytes);
}

static PyGetSetDef memory_attributes[] = {
    {"address", memory_address, NULL, "Its address on the device; 0 where the device does not see it.", NULL},
    {"host_address", memory_host, NULL, "Its address on the host; 0 where there is none.", NULL},
    {"size", memory_size, NULL, "Bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyBufferProcs memory_as_buffer = {.bf_getbuffer = memory_buffer};

PyTypeObject pa_memory_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.Memory",
    .tp_basicsize = sizeof(pa_memory_object),
    .tp_dealloc = memory_dealloc,
    .tp_as_buffer = &memory_as_buffer,
    .tp_getset = memory_attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
};

//===-- Functions ---------------------------------------------------------------------------------===//

// allocate(kind, bytes, portable, attach_host): kind as in pa_cuda_memory.
static PyObject *allocate(PyObject *module, PyObject *arguments) {
  const char *name;
  Py_ssize_t bytes;
  int portable = 0, attach_host = 0;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sn|pp", &name, &bytes, &portable, &attach_host)) return NULL;
  static const char *const names[] = {"device", "pinned", "mapped", "managed"};
  int kind = 0;
  while (kind < 4 && strcmp(names[kind], name)) ++kind;
  if (kind == 4 || bytes < 0) return PyErr_Format(PyExc_ValueError, "allocate: kind %s, %zd bytes", name, bytes);
  unsigned flags = (portable ? PA_CUDA_PORTABLE : 0u) | (attach_host ? PA_CUDA_ATTACH_HOST : 0u);
  pa_cuda_context *context = pa_cuda_here();
  return context ? pa_memory_new(context, (pa_cuda_memory)kind, flags, (size_t)bytes) : NULL;
}

// pin(array, mapped): its memory is not pageable while the result lives.
static PyObject *pin(PyObject *module, PyObject *arguments) {
  PyArrayObject *array;
  int mapped = 0;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!|p", &PyArray_Type, &array, &mapped)) return NULL;
  if (!PyArray_IS_C_CONTIGUOUS(array) && !PyArray_IS_F_CONTIGUOUS(array))
    return PyErr_Format(PyExc_ValueError, "only contiguous arrays can be pinned");
  pa_cuda_context *context = pa_cuda_here();
  pa_memory_object *self = context ? pa_memory_empty() : NULL;
  if (!self) return NULL;
  self->keep = Py_NewRef((PyObject *)array);
  return set_up(self, pa_cuda_register(context, mapped ? PA_CUDA_MAP : 0, PyArray_DATA(array),
                                       (size_t)PyArray_NBYTES(array), &self->buffer));
}

static PyObject *unpin(PyObject *module, PyObject *memory) {
  (void)module;
  if (Py_TYPE(memory) != &pa_memory_type) return PyErr_Format(PyExc_TypeError, "unpin() takes what pin() gave");
  Py_BEGIN_ALLOW_THREADS // it may wait for the device
      pa_cuda_free(&((pa_memory_object *)memory)->buffer);
  Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

static PyObject *defer_begin(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_cuda_context *context = pa_cuda_here();
  if (!context) return NULL;
  pa_cuda_defer_begin(context);
  return PyLong_FromLong(context->device->ordinal);
}

static PyObject *defer_end(PyObject *module, PyObject *ordinal) {
  (void)module;
  int number = (int)PyLong_AsLong(ordinal);
  pa_cuda_context *context;
  if (PyErr_Occurred() || !pa_cuda_ok(pa_cuda_context_of(number, &context))) return NULL;
  Py_BEGIN_ALLOW_THREADS pa_cuda_defer_end(context);
  Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

//===-- Memory managers ---------------------------------------------------------------------------===//

// By the plugin's memalloc (pyarray/cuda/_memory_managers.py); its exception stays set for pa_cuda_raise.
static CUresult managed_allocate(pa_cuda_context *context, size_t bytes, CUdeviceptr *out_address, void **out_memory) {
  PyGILState_STATE state = PyGILState_Ensure();
  unsigned long long address = 0;
  PyObject *memory = NULL;
  PyObject *pair =
      pa_call_helper("cuda._memory_managers", "allocate", "(in)", (int)context->device->ordinal, (Py_ssize_t)bytes);
  bool done = pair && PyArg_ParseTuple(pair, "KO", &address, &memory);
  *out_address = address;
  *out_memory = done ? Py_NewRef(memory) : NULL;
  Py_XDECREF(pair);
  PyGILState_Release(state);
  return done ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

static void managed_release(void *memory) {
  if (!Py_IsInitialized()) return;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  Py_DECREF((PyObject *)memory);
  PyErr_Restore(type, value, traceback);
  PyGILState_Release(state);
}

static const pa_cuda_memory_manager plugin = {managed_allocate, managed_release};

// adopt(kind, host, device, bytes, keep): a Memory over memory of the host that a plugin has made, |keep|; |device| is
// 0 where the device does not see it.
static PyObject *adopt(PyObject *module, PyObject *arguments) {
  const char *name;
  unsigned long long host, device;
  Py_ssize_t bytes;
  PyObject *keep;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sKKnO", &name, &host, &device, &bytes, &keep)) return NULL;
  pa_cuda_memory kind = strcmp(name, "managed") == 0 ? PA_CUDA_MANAGED : device ? PA_CUDA_MAPPED : PA_CUDA_PINNED;
  pa_cuda_context *context = pa_cuda_here();
  pa_memory_object *self = context ? pa_memory_empty() : NULL;
  if (!self) return NULL;
  pa_cuda_adopt(context, kind, (void *)(uintptr_t)host, device, (size_t)bytes, &plugin, Py_NewRef(keep), &self->buffer);
  return (PyObject *)self;
}

static PyObject *use_memory_manager(PyObject *module, PyObject *on) {
  (void)module;
  int is_on = PyObject_IsTrue(on);
  if (is_on < 0) return NULL;
  pa_cuda_set_memory_manager(is_on ? &plugin : NULL);
  Py_RETURN_NONE;
}

static PyObject *statistics(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_cuda_context *context = pa_cuda_here();
  pa_cuda_statistics s;
  if (!context || !pa_cuda_ok(pa_cuda_statistics_now(context, &s))) return NULL;
  return Py_BuildValue("{sLsLsLsLsLsLsL}", "allocations", (long long)s.allocations, "frees", (long long)s.frees,
                       "deferred", (long long)s.deferred, "device_bytes", (long long)s.device_bytes,
                       "device_bytes_high", (long long)s.device_bytes_high, "host_bytes", (long long)s.host_bytes,
                       "reserved_bytes", (long long)s.reserved_bytes);
}

//===-- Managed memory ----------------------------------------------------------------------------===//

// prefetch(address, bytes, ordinal, stream); -1: the host.
static PyObject *prefetch(PyObject *module, PyObject *arguments) {
  unsigned long long address;
  Py_ssize_t bytes;
  int ordinal;
  PyObject *stream;
  CUstream handle;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "KniO", &address, &bytes, &ordinal, &stream) || !pa_stream_argument(stream, &handle))
    return NULL;
  pa_cuda_context *context = pa_cuda_here();
  if (!context || !pa_cuda_ok(pa_cuda_prefetch(context, address, (size_t)bytes, ordinal, handle))) return NULL;
  Py_RETURN_NONE;
}

// advise(address, bytes, advice, ordinal): the driver's number of the advice.
static PyObject *advise(PyObject *module, PyObject *arguments) {
  unsigned long long address;
  Py_ssize_t bytes;
  int advice, ordinal;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "Knii", &address, &bytes, &advice, &ordinal)) return NULL;
  pa_cuda_context *context = pa_cuda_here();
  if (!context || !pa_cuda_ok(pa_cuda_advise(context, address, (size_t)bytes, (CUmem_advise)advice, ordinal)))
    return NULL;
  Py_RETURN_NONE;
}

// Gives back what the pool keeps and nobody uses.
static PyObject *trim(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_cuda_context *context = pa_cuda_here();
  if (!context || !pa_cuda_ok(pa_cuda_trim(context))) return NULL;
  Py_RETURN_NONE;
}

PyMethodDef pa_cuda_memory_functions[] = {
    {"prefetch", prefetch, METH_VARARGS, NULL},
    {"advise", advise, METH_VARARGS, NULL},
    {"trim", trim, METH_NOARGS, NULL},
    {"allocate", allocate, METH_VARARGS, NULL},
    {"adopt", adopt, METH_VARARGS, NULL},
    {"pin", pin, METH_VARARGS, NULL},
    {"unpin", unpin, METH_O, NULL},
    {"defer_begin", defer_begin, METH_NOARGS, NULL},
    {"defer_end", defer_end, METH_O, NULL},
    {"statistics", statistics, METH_NOARGS, NULL},
    {"use_memory_manager", use_memory_manager, METH_O,
     "Whether device memory comes from the plugin that is set in Python."},
    {NULL, NULL, 0, NULL},
};
