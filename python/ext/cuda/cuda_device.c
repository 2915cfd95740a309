// Devices and contexts as functions of _pyarray.cuda; the classes around them are Python (pyarray/cuda/_devices.py).
#include "cuda.h"

static bool read_ordinal(PyObject *object, int32_t *out_ordinal) {
  int overflow = 0;
  PyObject *number = pa_int_argument(object, "the number of a device");
  if (!number) return false;
  long value = PyLong_AsLongAndOverflow(number, &overflow);
  Py_DECREF(number);
  if (overflow || value > INT32_MAX || value < INT32_MIN)
    return PyErr_Format(PyExc_ValueError, "there is no device %.100R", object), false;
  *out_ordinal = (int32_t)value;
  return pa_cuda_ready();
}

static pa_cuda_context *context_of(PyObject *ordinal) {
  int32_t number;
  pa_cuda_context *context;
  if (!read_ordinal(ordinal, &number) || !pa_cuda_ok(pa_cuda_context_of(number, &context))) return NULL;
  return context;
}

static PyObject *none_if(bool done) { return done ? Py_NewRef(Py_None) : NULL; }

//===-- The driver --------------------------------------------------------------------------------===//

static PyObject *kind(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  static const char *const names[] = {[PA_CUDA_NONE] = "none", [PA_CUDA_GPU] = "gpu", [PA_CUDA_EMULATOR] = "cpu"};
  return PyUnicode_FromString(names[pa_cuda_kind_opened()]);
}

static PyObject *problem(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_cuda_kind_opened();
  return PyUnicode_FromString(pa_cuda_problem());
}

static PyObject *driver_version(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return pa_cuda_ready() ? PyLong_FromLong(pa_cuda_driver_version()) : NULL;
}

static PyObject *profile(PyObject *module, PyObject *start) {
  (void)module;
  int on = PyObject_IsTrue(start);
  if (on < 0 || !pa_cuda_here()) return NULL;
  CUresult result = on ? pa_cuda.ProfilerStart() : pa_cuda.ProfilerStop();
  if (result == CUDA_ERROR_NOT_SUPPORTED) result = CUDA_SUCCESS; // a driver without profiler
  return none_if(pa_cuda_ok(result ? pa_fail_cu(result, "%s the profiler", on ? "starting" : "stopping") : PA_OK));
}

//===-- Devices -----------------------------------------------------------------------------------===//

static PyObject *device_count(PyObject *module, PyObject *unused) {
  int32_t count = 0;
  (void)module, (void)unused;
  return pa_cuda_ready() && pa_cuda_ok(pa_cuda_device_count(&count)) ? PyLong_FromLong(count) : NULL;
}

static PyObject *device_info(PyObject *module, PyObject *ordinal) {
  int32_t number;
  const pa_cuda_device *d;
  (void)module;
  if (!read_ordinal(ordinal, &number) || !pa_cuda_ok(pa_cuda_device_get(number, &d))) return NULL;
  return Py_BuildValue("{sssss(ii)sssn}", "name", d->name, "uuid", d->uuid, "compute_capability", d->capability[0],
                       d->capability[1], "pci_bus_id", d->pci_bus_id, "memory", (Py_ssize_t)d->memory);
}

static PyObject *device_attribute(PyObject *module, PyObject *arguments) {
  PyObject *ordinal;
  const char *name;
  int32_t number;
  int value;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "Os", &ordinal, &name) || !read_ordinal(ordinal, &number)) return NULL;
  int attribute = pa_cuda_attribute_by_name(name);
  if (attribute < 0) return PyErr_Format(PyExc_AttributeError, "a device has no attribute %s", name);
  if (!pa_cuda_ok(pa_cuda_device_attribute(number, (CUdevice_attribute)attribute, &value))) return NULL;
  return PyLong_FromLong(value);
}

static PyObject *attribute_names(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && pa_cuda_attribute_name(i); ++i) {
    PyObject *name = PyUnicode_FromString(pa_cuda_attribute_name(i));
    if (!name || PyList_Append(list, name) < 0) Py_CLEAR(list);
    Py_XDECREF(name);
  }
  return list;
}

static PyObject *can_access_peer(PyObject *module, PyObject *arguments) {
  int device, peer;
  bool can = false;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "ii", &device, &peer) || !pa_cuda_ready() ||
      !pa_cuda_ok(pa_cuda_device_can_access_peer(device, peer, &can)))
    return NULL;
  return PyBool_FromLong(can);
}

//===-- Contexts ----------------------------------------------------------------------------------===//

static PyObject *current(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_cuda_context *context = pa_cuda_here();
  return context ? PyLong_FromLong(context->device->ordinal) : NULL;
}

static PyObject *identity(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_cuda_context *context = pa_cuda_here();
  if (!context) return NULL;
  uint64_t generation = __atomic_load_n(&context->generation, __ATOMIC_RELAXED);
  return Py_BuildValue("(iK)", (int)context->device->ordinal, (unsigned long long)generation);
}

static PyObject *select_context(PyObject *module, PyObject *ordinal) {
  (void)module;
  pa_cuda_context *context = context_of(ordinal);
  return none_if(context && pa_cuda_ok(pa_cuda_context_select(context)));
}

static PyObject *push_context(PyObject *module, PyObject *ordinal) {
  (void)module;
  pa_cuda_context *context = context_of(ordinal);
  return none_if(context && pa_cuda_ok(pa_cuda_context_push(context)));
}

static PyObject *pop_context(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return none_if(pa_cuda_ok(pa_cuda_context_pop()));
}

static PyObject *synchronize(PyObject *module, PyObject *ordinal) {
  (void)module;
  pa_cuda_context *context = ordinal == Py_None ? pa_cuda_here() : context_of(ordinal);
  if (!context || !pa_compute_deferred()) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_context_synchronize(context);
  Py_END_ALLOW_THREADS return none_if(pa_cuda_waited(context, status));
}

static PyObject *memory_info(PyObject *module, PyObject *ordinal) {
  size_t available, total;
  (void)module;
  pa_cuda_context *context = context_of(ordinal);
  if (!context || !pa_cuda_ok(pa_cuda_memory_info(context, &available, &total))) return NULL;
  return Py_BuildValue("(nn)", (Py_ssize_t)available, (Py_ssize_t)total);
}

static PyObject *enable_peer_access(PyObject *module, PyObject *arguments) {
  PyObject *own, *other;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OO", &own, &other)) return NULL;
  pa_cuda_context *context = context_of(own), *peer = context ? context_of(other) : NULL;
  return none_if(peer && pa_cuda_ok(pa_cuda_enable_peer_access(context, peer)));
}

static PyObject *reset(PyObject *module, PyObject *ordinal) {
  (void)module;
  pa_cuda_context *context = context_of(ordinal);
  if (!context) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_context_reset(context);
  Py_END_ALLOW_THREADS return none_if(pa_cuda_ok(status));
}

static PyObject *close_all(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  if (pa_cuda_kind_opened() == PA_CUDA_NONE) Py_RETURN_NONE;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_close();
  Py_END_ALLOW_THREADS return none_if(pa_cuda_ok(status));
}

static PyObject *stream_priorities(PyObject *module, PyObject *unused) {
  int least, greatest;
  (void)module, (void)unused;
  pa_cuda_context *context = pa_cuda_here();
  if (!context || !pa_cuda_ok(pa_cuda_stream_priorities(context, &least, &greatest))) return NULL;
  return Py_BuildValue("(ii)", least, greatest);
}

PyMethodDef pa_cuda_device_functions[] = {
    {"kind", kind, METH_NOARGS, "'gpu', 'cpu' (the emulator) or 'none'; opens the driver."},
    {"problem", problem, METH_NOARGS, "Why there is no GPU; '' with one."},
    {"driver_version", driver_version, METH_NOARGS, NULL},
    {"profile", profile, METH_O, NULL},
    {"device_count", device_count, METH_NOARGS, NULL},
    {"device_info", device_info, METH_O, NULL},
    {"device_attribute", device_attribute, METH_VARARGS, NULL},
    {"attribute_names", attribute_names, METH_NOARGS, NULL},
    {"can_access_peer", can_access_peer, METH_VARARGS, NULL},
    {"current", current, METH_NOARGS, "The number of this thread's device."},
    {"identity", identity, METH_NOARGS,
     "The number of this thread's device, and how often what was made there has gone."},
    {"select", select_context, METH_O, NULL},
    {"push", push_context, METH_O, NULL},
    {"pop", pop_context, METH_NOARGS, NULL},
    {"synchronize", synchronize, METH_O, NULL},
    {"memory_info", memory_info, METH_O, NULL},
    {"enable_peer_access", enable_peer_access, METH_VARARGS, NULL},
    {"reset", reset, METH_O, NULL},
    {"close", close_all, METH_NOARGS, NULL},
    {"stream_priorities", stream_priorities, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
