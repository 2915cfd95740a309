// Streams and events.
#include "cuda.h"

//===-- Streams: making ---------------------------------------------------------------------------===//

static pa_stream_object *new_stream(PyTypeObject *type, pa_cuda_context *context) {
  pa_stream_object *self = (pa_stream_object *)type->tp_alloc(type, 0);
  if (self) self->context = context;
  return self;
}

static bool read_priority(PyObject *object, int *out_priority) {
  int overflow = 0;
  if (!object) return true;
  PyObject *number = pa_int_argument(object, "priority");
  if (!number) return false;
  long value = PyLong_AsLongAndOverflow(number, &overflow);
  Py_DECREF(number);
  if (overflow || value != (int)value)
    return PyErr_Format(PyExc_ValueError, "%.100R is no priority of a stream", object), false;
  return *out_priority = (int)value, true;
}

// Stream(priority=0, non_blocking=False), or Stream(handle=address, keep=object) for one that is there already.
static PyObject *stream_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"priority", "non_blocking", "handle", "keep", NULL};
  PyObject *handle = Py_None, *keep = NULL, *priority_object = NULL;
  int priority = 0, non_blocking = 0;
  uint64_t address = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OpOO", names, &priority_object, &non_blocking, &handle,
                                   &keep) ||
      !read_priority(priority_object, &priority) ||
      (handle != Py_None && !pa_address_argument(handle, "handle", &address)))
    return NULL;
  pa_cuda_context *context = pa_cuda_here();
  pa_stream_object *self = context ? new_stream(type, context) : NULL;
  if (!self) return NULL;
  pa_status status;
  if (handle == Py_None) {
    status =
        pa_cuda_stream_create(context, non_blocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT, priority, &self->own);
    self->handle = self->own.handle;
  } else {
    self->handle = (CUstream)(uintptr_t)address;
    self->keep = Py_XNewRef(keep);
    status = pa_cuda_stream_adopt(context, self->handle);
  }
  if (pa_cuda_ok(status)) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void stream_dealloc(PyObject *object) {
  pa_stream_object *self = (pa_stream_object *)object;
  if (self->weak_references) PyObject_ClearWeakRefs(object);
  if (self->own.handle) pa_cuda_stream_destroy(&self->own);
  Py_XDECREF(self->keep);
  Py_TYPE(object)->tp_free(object);
}

static bool check_stream(const pa_stream_object *self) {
  return !self->own.handle || pa_cuda_ok(pa_cuda_resource_check(&self->own.resource, "the stream"));
}

static bool stream_from_protocol(PyObject *object, CUstream *out_stream) {
  PyObject *pair = PyObject_CallMethod(object, "__cuda_stream__", NULL);
  int version;
  unsigned long long handle;
  bool done = pair && PyTuple_Check(pair) && PyArg_ParseTuple(pair, "iK", &version, &handle);
  Py_XDECREF(pair);
  if (!done) {
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_AttributeError))
      PyErr_Format(PyExc_TypeError, "a stream is None, 0, a Stream or an object with __cuda_stream__, not %.100s",
                   Py_TYPE(object)->tp_name);
    return false;
  }
  pa_cuda_context *context = pa_cuda_here();
  *out_stream = (CUstream)(uintptr_t)handle;
  return context && pa_cuda_ok(pa_cuda_stream_adopt(context, *out_stream));
}

bool pa_stream_argument(PyObject *object, CUstream *out_stream) {
  int64_t number;
  *out_stream = NULL;
  if (!object || object == Py_None) return true;
  if (PyLong_CheckExact(object) && pa_small_int(object, &number) && number == 0) return true;
  if (!PyObject_TypeCheck(object, &pa_stream_type)) return stream_from_protocol(object, out_stream);
  const pa_stream_object *stream = (pa_stream_object *)object;
  *out_stream = stream->handle;
  return check_stream(stream);
}

int pa_stream_set(PyObject **slot, PyObject *value) {
  CUstream stream;
  if (!pa_stream_argument(value, &stream)) return -1;
  Py_XSETREF(*slot, Py_XNewRef(value));
  return 0;
}

//===-- Streams: using ----------------------------------------------------------------------------===//

static PyObject *stream_synchronize(PyObject *object, PyObject *unused) {
  (void)unused;
  pa_stream_object *self = (pa_stream_object *)object;
  if (!check_stream(self) || !pa_compute_deferred()) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_stream_synchronize(self->context, self->handle);
  Py_END_ALLOW_THREADS return pa_cuda_waited(self->context, status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *stream_query(PyObject *object, PyObject *unused) {
  (void)unused;
  pa_stream_object *self = (pa_stream_object *)object;
  bool done = false;
  if (!check_stream(self) || !pa_cuda_ok(pa_cuda_stream_query(self->context, self->handle, &done))) return NULL;
  return PyBool_FromLong(done);
}

typedef struct host_call {
  PyObject *function, *stream, *argument;
} host_call;

// In a thread of the driver's.
static void run_host_call(void *data) {
  host_call *call = data;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *result = PyObject_CallFunction(call->function, "OiO", call->stream, 0, call->argument);
  if (!result) PyErr_WriteUnraisable(call->function);
  Py_XDECREF(result);
  Py_DECREF(call->function);
  Py_DECREF(call->stream);
  Py_DECREF(call->argument);
  PyGILState_Release(state);
  PyMem_RawFree(call);
}

static PyObject *stream_add_callback(PyObject *object, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"callback", "arg", NULL};
  pa_stream_object *self = (pa_stream_object *)object;
  PyObject *function, *argument = Py_None;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O", names, &function, &argument) || !check_stream(self))
    return NULL;
  if (!PyCallable_Check(function)) return PyErr_Format(PyExc_TypeError, "the callback %R cannot be called", function);
  host_call *call = PyMem_RawMalloc(sizeof *call);
  if (!call) return PyErr_NoMemory();
  *call = (host_call){Py_NewRef(function), Py_NewRef(object), Py_NewRef(argument)};
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_stream_call_host(self->context, self->handle, run_host_call, call);
  Py_END_ALLOW_THREADS if (pa_cuda_ok(status)) Py_RETURN_NONE;
  Py_DECREF(function);
  Py_DECREF(object);
  Py_DECREF(argument);
  PyMem_RawFree(call);
  return NULL;
}

static PyObject *stream_protocol(PyObject *object, PyObject *unused) {
  (void)unused;
  return Py_BuildValue("(iK)", 0, (unsigned long long)(uintptr_t)((pa_stream_object *)object)->handle);
}

static PyObject *stream_address(PyObject *object, void *unused) {
  (void)unused;
  return PyLong_FromVoidPtr(((pa_stream_object *)object)->handle);
}

static PyObject *stream_external(PyObject *object, void *unused) {
  (void)unused;
  return PyBool_FromLong(!((pa_stream_object *)object)->own.handle && ((pa_stream_object *)object)->keep);
}

static PyMethodDef stream_methods[] = {
    {"synchronize", stream_synchronize, METH_NOARGS, "Wait until all work in the stream is done."},
    {"query", stream_query, METH_NOARGS, "Whether all work in the stream is done."},
    {"add_callback", PA_KEYWORDS(stream_add_callback),
     "add_callback(callback, arg=None)\n\nCall ``callback(stream, status, arg)`` in another thread, when the work "
     "before it is "
     "done; it may not use CUDA."},
    {"__cuda_stream__", stream_protocol, METH_NOARGS, "(0, address): for other libraries."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef stream_attributes[] = {
    {"address", stream_address, NULL, "The driver's handle as an int.", NULL},
    {"external", stream_external, NULL, "Whether it is another library's.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject pa_stream_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.Stream",
    .tp_basicsize = sizeof(pa_stream_object),
    .tp_new = stream_new,
    .tp_dealloc = stream_dealloc,
    .tp_weaklistoffset = offsetof(pa_stream_object, weak_references),
    .tp_methods = stream_methods,
    .tp_getset = stream_attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};

static PyObject *check_stream_argument(PyObject *module, PyObject *stream) {
  CUstream handle;
  (void)module;
  return pa_stream_argument(stream, &handle) ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef pa_cuda_stream_functions[] = {
    {"check_stream", check_stream_argument, METH_O, "Raises where an argument named stream stands for no stream."},
    {NULL, NULL, 0, NULL},
};

//===-- Events ------------------------------------------------------------------------------------===//

typedef struct event_object {
  PyObject_HEAD pa_cuda_event event;
  pa_cuda_context *context;
} event_object;

static PyObject *event_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"timing", "blocking", NULL};
  int timing = 1, blocking = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|pp", names, &timing, &blocking)) return NULL;
  pa_cuda_context *context = pa_cuda_here();
  event_object *self = context ? (event_object *)type->tp_alloc(type, 0) : NULL;
  if (!self) return NULL;
  self->context = context;
  unsigned flags = (timing ? 0u : CU_EVENT_DISABLE_TIMING) | (blocking ? CU_EVENT_BLOCKING_SYNC : 0u);
  if (pa_cuda_ok(pa_cuda_event_create(context, flags, &self->event))) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void event_dealloc(PyObject *object) {
  pa_cuda_event_destroy(&((event_object *)object)->event);
  Py_TYPE(object)->tp_free(object);
}

static bool check_event(event_object *self) {
  return pa_cuda_ok(pa_cuda_resource_check(&self->event.resource, "the event"));
}

static PyObject *event_record(PyObject *object, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"stream", NULL};
  event_object *self = (event_object *)object;
  PyObject *stream = NULL;
  CUstream handle;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O", names, &stream) || !pa_stream_argument(stream, &handle) ||
      !check_event(self) || !pa_compute_deferred() || !pa_cuda_ok(pa_cuda_event_record(&self->event, handle)))
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *event_wait(PyObject *object, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"stream", NULL};
  event_object *self = (event_object *)object;
  PyObject *stream = NULL;
  CUstream handle;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O", names, &stream) || !pa_stream_argument(stream, &handle) ||
      !check_event(self) || !pa_cuda_ok(pa_cuda_event_wait(&self->event, handle)))
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *event_query(PyObject *object, PyObject *unused) {
  (void)unused;
  event_object *self = (event_object *)object;
  bool done = false;
  if (!check_event(self) || !pa_cuda_ok(pa_cuda_event_query(&self->event, &done))) return NULL;
  return PyBool_FromLong(done);
}

static PyObject *event_synchronize(PyObject *object, PyObject *unused) {
  (void)unused;
  event_object *self = (event_object *)object;
  if (!check_event(self)) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_event_synchronize(&self->event);
  Py_END_ALLOW_THREADS return pa_cuda_waited(self->context, status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *event_elapsed_time(PyObject *object, PyObject *end) {
  event_object *self = (event_object *)object;
  float milliseconds = 0;
  if (!PyObject_TypeCheck(end, &pa_event_type))
    return PyErr_Format(PyExc_TypeError, "an event is expected, not %.100s", Py_TYPE(end)->tp_name);
  if (!check_event(self) || !check_event((event_object *)end) ||
      !pa_cuda_ok(pa_cuda_event_elapsed(&self->event, &((event_object *)end)->event, &milliseconds)))
    return NULL;
  return PyFloat_FromDouble((double)milliseconds);
}

static PyMethodDef event_methods[] = {
    {"record", PA_KEYWORDS(event_record), "record(stream=0)\n\nMark this place in the stream."},
    {"wait", PA_KEYWORDS(event_wait), "wait(stream=0)\n\nLater work in the stream waits for the event."},
    {"query", event_query, METH_NOARGS, "Whether the work before the event is done."},
    {"synchronize", event_synchronize, METH_NOARGS, "Wait for the work before the event."},
    {"elapsed_time", event_elapsed_time, METH_O, "elapsed_time(end)\n\nMilliseconds from this event to ``end``."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject pa_event_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.Event",
    .tp_basicsize = sizeof(event_object),
    .tp_new = event_new,
    .tp_dealloc = event_dealloc,
    .tp_methods = event_methods,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};
