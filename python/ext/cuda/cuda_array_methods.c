// Attributes and methods of device arrays, and the copies that their Python subclass asks for.
#include "cuda.h"

static pa_device_array *cast(PyObject *object) { return (pa_device_array *)object; }

//===-- Attributes --------------------------------------------------------------------------------===//

static PyObject *extents(const npy_intp *values, int count) {
  PyObject *tuple = PyTuple_New(count);
  for (int i = 0; tuple && i < count; ++i) {
    PyObject *value = PyLong_FromSsize_t(values[i]);
    if (!value)
      Py_CLEAR(tuple);
    else
      PyTuple_SET_ITEM(tuple, i, value);
  }
  return tuple;
}

static PyObject *get_shape(PyObject *self, void *unused) {
  (void)unused;
  return extents(pa_device_array_shape(cast(self)), cast(self)->rank);
}

// Of an array that is gone, facts are still told.
static bool forgive(PyObject *self) {
  if (cast(self)->deferred) return false;
  PyErr_Clear();
  return true;
}

static PyObject *get_strides(PyObject *self, void *unused) {
  (void)unused;
  if (!pa_device_array_readable(cast(self)) && !forgive(self)) return NULL;
  return extents(cast(self)->strides, cast(self)->rank);
}

static PyObject *get_dtype(PyObject *self, void *unused) {
  (void)unused;
  return Py_NewRef((PyObject *)cast(self)->dtype);
}

static PyObject *get_ndim(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLong(cast(self)->rank);
}

static PyObject *get_size(PyObject *self, void *unused) {
  (void)unused;
  npy_intp size = 1;
  for (int i = 0; i < cast(self)->rank; ++i) size *= pa_device_array_shape(cast(self))[i];
  return PyLong_FromSsize_t(size);
}

static PyObject *get_bytes(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(pa_device_array_bytes(cast(self)));
}

static PyObject *get_item_bytes(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSsize_t(PyDataType_ELSIZE(cast(self)->dtype));
}

static PyObject *get_address(PyObject *self, void *unused) {
  (void)unused;
  if (!pa_device_array_ready(cast(self)) && !forgive(self)) return NULL;
  pa_device_array_share(cast(self));
  return PyLong_FromUnsignedLongLong(pa_device_array_data(cast(self)));
}

static PyObject *get_own_address(PyObject *self, void *unused) {
  (void)unused;
  if (!pa_device_array_readable(cast(self)) && !forgive(self)) return NULL;
  return PyLong_FromUnsignedLongLong(pa_device_array_data(cast(self)));
}

static PyObject *get_owner(PyObject *self, void *unused) {
  (void)unused;
  if (!pa_device_array_ready(cast(self)) && !forgive(self)) return NULL;
  pa_device_array_share(cast(self));
  return Py_NewRef(cast(self)->owner ? cast(self)->owner : Py_None);
}

static PyObject *get_readonly(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(cast(self)->readonly);
}

static PyObject *get_layout(PyObject *self, void *unused) {
  (void)unused;
  if (!pa_device_array_readable(cast(self)) && !forgive(self)) return NULL;
  return PyUnicode_FromStringAndSize(&cast(self)->layout, 1);
}

static PyObject *get_stream(PyObject *self, void *unused) {
  (void)unused;
  return cast(self)->stream ? Py_NewRef(cast(self)->stream) : PyLong_FromLong(0);
}

static int set_stream(PyObject *self, PyObject *value, void *unused) {
  (void)unused;
  return pa_stream_set(&cast(self)->stream, value);
}

static PyObject *get_ordinal(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLong(cast(self)->context->device->ordinal);
}

PyGetSetDef pa_device_array_attributes[] = {
    {"shape", get_shape, NULL, NULL, NULL},
    {"strides", get_strides, NULL, "In bytes.", NULL},
    {"dtype", get_dtype, NULL, NULL, NULL},
    {"ndim", get_ndim, NULL, NULL, NULL},
    {"size", get_size, NULL, "How many elements.", NULL},
    {"nbytes", get_bytes, NULL, "Bytes of the elements.", NULL},
    {"alloc_size", get_bytes, NULL, "Bytes of the elements.", NULL},
    {"itemsize", get_item_bytes, NULL, NULL, NULL},
    {"address", get_address, NULL, "On the device, as an int.", NULL},
    {"_address", get_own_address, NULL, "The same, for who does not write there.", NULL},
    {"gpu_data", get_owner, NULL, "What the memory belongs to.", NULL},
    {"readonly", get_readonly, NULL, NULL, NULL},
    {"layout", get_layout, NULL, "'C', 'F' or 'A'.", NULL},
    {"stream", get_stream, set_stream, "Of copies that name none; 0: the default one.", NULL},
    {"_ordinal", get_ordinal, NULL, NULL, NULL},
    {"__cuda_array_interface__", pa_device_array_interface, NULL, "Version 3.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

//===-- Views -------------------------------------------------------------------------------------===//

// A NumPy array with this one's shape, strides and address, whose elements nobody may touch: views of it are made as
// NumPy makes them.
static PyObject *shadow(PyObject *object, PyObject *unused) {
  (void)unused;
  pa_device_array *self = cast(object);
  static char nothing[16];
  if (!pa_device_array_readable(self) && !forgive(object)) return NULL;
  void *data = (void *)(uintptr_t)pa_device_array_data(self);
  Py_INCREF((PyObject *)self->dtype);
  return PyArray_NewFromDescr(&PyArray_Type, self->dtype, self->rank, pa_device_array_shape(self), self->strides,
                              data ? data : nothing, self->readonly ? 0 : NPY_ARRAY_WRITEABLE, NULL);
}

// _alive(): the array; ValueError where it is gone.
static PyObject *alive(PyObject *object, PyObject *unused) {
  (void)unused;
  return pa_device_array_readable(cast(object)) ? Py_NewRef(object) : NULL;
}

// _from_shadow(view, type=None): the device array that a view of the shadow stands for, of this one's class or another.
static PyObject *from_shadow(PyObject *object, PyObject *arguments) {
  pa_device_array *self = cast(object);
  PyObject *view, *type = (PyObject *)Py_TYPE(object);
  if (!PyArg_ParseTuple(arguments, "O!|O!", &PyArray_Type, &view, &PyType_Type, &type)) return NULL;
  if (!PyType_IsSubtype((PyTypeObject *)type, &pa_device_array_type))
    return PyErr_Format(PyExc_TypeError, "%R is no type of device arrays", type);
  PyArrayObject *array = (PyArrayObject *)view;
  CUdeviceptr data = pa_device_array_data(self) && PyArray_SIZE(array) ? (uintptr_t)PyArray_DATA(array) : 0;
  PyObject *made =
      pa_device_array_new((PyTypeObject *)type, self->context, data, PyArray_NDIM(array), PyArray_DIMS(array),
                          PyArray_STRIDES(array), PyArray_DESCR(array), !PyArray_ISWRITEABLE(array), self->owner);
  if (!made) return NULL;
  cast(made)->generation = self->generation;
  cast(made)->stream = Py_XNewRef(self->stream);
  return made;
}

//===-- Copies ------------------------------------------------------------------------------------===//

// One side of a copy: a NumPy array or a device array.
typedef struct side {
  pa_strided memory;
  int rank;
  const npy_intp *shape;
  PyArray_Descr *dtype;
} side;

static bool read_side(PyObject *object, bool writes, side *out) {
  if (pa_is_device_array(object)) {
    pa_device_array *array = cast(object);
    if (writes ? !pa_device_array_ready(array) : !pa_device_array_readable(array)) return false;
    *out = (side){
        {true, pa_device_array_data(array), array->strides}, array->rank, pa_device_array_shape(array), array->dtype};
    return true;
  }
  if (!PyArray_Check(object)) {
    PyErr_Format(PyExc_TypeError, "an array is expected, not %.100s", Py_TYPE(object)->tp_name);
    return false;
  }
  PyArrayObject *array = (PyArrayObject *)object;
  *out = (side){{false, (uintptr_t)PyArray_DATA(array), PyArray_STRIDES(array)},
                PyArray_NDIM(array),
                PyArray_DIMS(array),
                PyArray_DESCR(array)};
  return true;
}

static bool check_sides(const side *to, const side *from) {
  bool same = to->rank == from->rank;
  for (int i = 0; same && i < to->rank; ++i) same = to->shape[i] == from->shape[i];
  if (!same) {
    PyObject *a = extents(from->shape, from->rank), *b = extents(to->shape, to->rank);
    if (a && b) PyErr_Format(PyExc_ValueError, "incompatible shape: %R vs. %R", a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return false;
  }
  if (PyArray_EquivTypes(to->dtype, from->dtype)) return true;
  PyErr_Format(PyExc_TypeError, "incompatible dtype: %S vs. %S", from->dtype, to->dtype);
  return false;
}

// Between devices only what is contiguous in one order on both sides: pyarray/cuda/_arrays.py makes such copies of
// others.
static pa_status copy_between(const pa_device_array *to, const pa_device_array *from, CUstream stream) {
  if (to->layout == 'A' || from->layout != to->layout)
    return pa_fail(PA_CODE_INVALID, NULL, "the arrays are on devices %d and %d, and one of them is not contiguous",
                   from->context->device->ordinal, to->context->device->ordinal);
  return pa_cuda_copy_on_device(to->context, pa_device_array_data(to), from->context, pa_device_array_data(from),
                                pa_device_array_bytes(to), stream);
}

// array_copy(to, from, stream, wait): shapes and dtypes are equal; one at least is a device array.
static PyObject *array_copy(PyObject *module, PyObject *arguments) {
  PyObject *to_object, *from_object, *stream_object;
  side to, from;
  CUstream stream;
  int wait;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOOp", &to_object, &from_object, &stream_object, &wait) ||
      !read_side(to_object, true, &to) || !read_side(from_object, false, &from) || !check_sides(&to, &from) ||
      !pa_stream_argument(stream_object, &stream))
    return NULL;
  if (!to.memory.on_device && !from.memory.on_device)
    return PyErr_Format(PyExc_TypeError, "neither array is on a device");
  if (pa_capture_count && !(pa_graph_keeps(to_object) && pa_graph_keeps(from_object))) return NULL;
  pa_cuda_context *context = cast(to.memory.on_device ? to_object : from_object)->context;
  pa_cuda_context *source = from.memory.on_device ? cast(from_object)->context : context;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS if (source != context) status = copy_between(cast(to_object), cast(from_object), stream);
  else status = pa_cuda_copy_strided(context, &to.memory, &from.memory, to.rank, to.shape,
                                     (size_t)PyDataType_ELSIZE(to.dtype), stream, wait);
  Py_END_ALLOW_THREADS return pa_cuda_waited(context, status) ? Py_NewRef(Py_None) : NULL;
}

// array_fill(array, value, stream): a C-contiguous array whose items have 1, 2 or 4 bytes, to that number.
static PyObject *array_fill(PyObject *module, PyObject *arguments) {
  PyObject *object, *stream_object;
  unsigned long value;
  CUstream stream;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!kO", &pa_device_array_type, &object, &value, &stream_object) ||
      !pa_stream_argument(stream_object, &stream))
    return NULL;
  pa_device_array *array = cast(object);
  if (!pa_device_array_ready(array)) return NULL;
  size_t item = (size_t)PyDataType_ELSIZE(array->dtype);
  if (array->layout == 'A' || (item != 1 && item != 2 && item != 4))
    return PyErr_Format(PyExc_ValueError, "only contiguous arrays of 1, 2 or 4 bytes per item can be filled");
  size_t count = pa_device_array_bytes(array) / item;
  pa_status status = PA_OK;
  Py_BEGIN_ALLOW_THREADS if (count) status =
      pa_cuda_fill(array->context, pa_device_array_data(array), (uint32_t)value, item, count, stream);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? Py_NewRef(Py_None) : NULL;
}

// array_over(object, type, stream): an array over the memory of another library's, or None.
static PyObject *array_over(PyObject *module, PyObject *arguments) {
  PyObject *object, *type, *stream_object, *array = NULL;
  CUstream stream;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OO!O", &object, &PyType_Type, &type, &stream_object) ||
      !pa_stream_argument(stream_object, &stream))
    return NULL;
  if (!PyType_IsSubtype((PyTypeObject *)type, &pa_device_array_type))
    return PyErr_Format(PyExc_TypeError, "%R is no type of device arrays", type);
  pa_cuda_context *context = pa_cuda_here();
  pa_found found = context ? pa_foreign_array(object, (PyTypeObject *)type, context, stream, &array) : PA_FOUND_ERROR;
  return found == PA_FOUND_ERROR ? NULL : found == PA_FOUND ? array : Py_NewRef(Py_None);
}

// memory_of(array): the Memory that a NumPy array lies over, or None; also where a reset has taken it from the device.
static PyObject *memory_of(PyObject *module, PyObject *array) {
  (void)module;
  pa_memory_object *memory = PyArray_Check(array) ? pa_memory_of((PyArrayObject *)array) : NULL;
  return Py_NewRef(memory && pa_memory_lives(memory) ? (PyObject *)memory : Py_None);
}

PyMethodDef pa_cuda_array_functions[] = {
    {"array_copy", array_copy, METH_VARARGS, NULL},
    {"array_fill", array_fill, METH_VARARGS, NULL},
    {"array_over", array_over, METH_VARARGS, NULL},
    {"memory_of", memory_of, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

PyMethodDef pa_device_array_methods[] = {
    {"_shadow", shadow, METH_NOARGS, NULL},
    {"_alive", alive, METH_NOARGS, NULL},
    {"_from_shadow", from_shadow, METH_VARARGS, NULL},
    {"__dlpack__", PA_KEYWORDS(pa_device_array_dlpack),
     "__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)\n\nA DLPack capsule; ``stream``: of the "
     "consumer."},
    {"__dlpack_device__", pa_device_array_dlpack_device, METH_NOARGS, "(2, number of the device)"},
    {NULL, NULL, 0, NULL},
};
