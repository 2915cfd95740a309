// Arrays on devices. An object holds what a launch needs, ready made: its type code and its slots.
#include "cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===-- Making ------------------------------------------------------------------------------------===//

static bool is_contiguous(const pa_device_array *self, char layout) {
  const npy_intp *shape = pa_device_array_shape(self);
  npy_intp step = PyDataType_ELSIZE(self->dtype);
  for (int i = 0; i < self->rank; ++i)
    if (!shape[i]) return true;
  for (int i = 0; i < self->rank; ++i) {
    int axis = layout == 'C' ? self->rank - 1 - i : i;
    if (shape[axis] != 1 && self->strides[axis] != step) return false;
    step *= shape[axis];
  }
  return true;
}

static void put_contiguous_strides(char layout, int rank, const npy_intp *shape, npy_intp item, npy_intp *strides) {
  for (int i = 0; i < rank; ++i) {
    int axis = layout == 'C' ? rank - 1 - i : i;
    strides[axis] = item;
    item *= shape[axis] ? shape[axis] : 1;
  }
}

// The strides that kernels see: of contiguous arrays those that follow from the shape. False: no kernel can take it.
static bool put_element_strides(pa_device_array *self) {
  uint64_t *slots = self->slots + 1 + self->rank;
  npy_intp item = PyDataType_ELSIZE(self->dtype), own[NPY_MAXDIMS];
  const npy_intp *strides = self->strides;
  if (self->layout != 'A') {
    put_contiguous_strides(self->layout, self->rank, pa_device_array_shape(self), item, own);
    strides = own;
  }
  for (int i = 0; i < self->rank; ++i) {
    if (!item || strides[i] % item) return false;
    slots[i] = (uint64_t)(int64_t)(strides[i] / item);
  }
  return true;
}

// Of records, or text of a fixed length: the bytes of an item are the last axis.
static void set_bytes_form(pa_device_array *self) {
  npy_intp own[NPY_MAXDIMS], size = PyDataType_ELSIZE(self->dtype);
  self->layout = is_contiguous(self, 'C') ? 'C' : is_contiguous(self, 'F') ? 'F' : 'A';
  memcpy(own, self->strides, (size_t)self->rank * sizeof *own);
  if (self->layout == 'C') put_contiguous_strides('C', self->rank, pa_device_array_shape(self), size, own);
  const char *item = self->rank < PA_TYPE_MAX_RANK
                         ? pa_bytes_code(self->dtype, (const void *)(uintptr_t)self->slots[0], own, self->rank)
                         : NULL;
  PyErr_Clear();
  if (!item || !(self->item = PyMem_Malloc(strlen(item) + 1))) return;
  strcpy(self->item, item);
  uint64_t *slot = self->slots + 1 + self->rank;
  *slot++ = (uint64_t)size;
  for (int i = 0; i < self->rank; ++i) *slot++ = (uint64_t)(int64_t)own[i];
  *slot = 1;
  char layout = self->layout == 'C' ? 'C' : 'A';
  self->code_length = (uint8_t)sprintf(self->code, "[%c%d", self->readonly ? layout | 0x20 : layout, self->rank);
}

static void set_kernel_form(pa_device_array *self) {
  if (pa_has_bytes_code(self->dtype)) {
    set_bytes_form(self);
    return;
  }
  self->layout = is_contiguous(self, 'C') ? 'C' : is_contiguous(self, 'F') ? 'F' : 'A';
  char layout = self->readonly ? (char)(self->layout | 0x20) : self->layout;
  bool fits = put_element_strides(self) &&
              !(PyDataType_ALIGNMENT(self->dtype) && self->slots[0] % (uint64_t)PyDataType_ALIGNMENT(self->dtype));
  char *end = fits ? pa_array_code(self->code, layout, self->rank, self->dtype) : NULL;
  self->code_length = end ? (uint8_t)(end - self->code) : 0;
}

// That extents are not negative, and that bytes can be counted.
static bool check_shape(int rank, const npy_intp *shape, npy_intp item) {
  npy_intp bytes = item;
  bool fits = true;
  for (int i = 0; i < rank; ++i) {
    if (shape[i] < 0) return PyErr_Format(PyExc_ValueError, "negative dimensions are not allowed"), false;
    fits &= !__builtin_mul_overflow(bytes, shape[i] ? shape[i] : 1, &bytes);
  }
  return fits || (PyErr_Format(PyExc_ValueError, "the array is too big"), false);
}

PyObject *pa_device_array_new(PyTypeObject *type, pa_cuda_context *context, CUdeviceptr data, int rank,
                              const npy_intp *shape, const npy_intp *strides, PyArray_Descr *dtype, bool readonly,
                              PyObject *owner) {
  if (rank < 0 || rank > NPY_MAXDIMS)
    return PyErr_Format(PyExc_ValueError, "an array has 0 to %d dimensions", NPY_MAXDIMS);
  if (PyDataType_REFCHK(dtype))
    return PyErr_Format(PyExc_TypeError, "devices have no Python objects, such as the elements of an array of dtype %S",
                        dtype);
  if (!check_shape(rank, shape, PyDataType_ELSIZE(dtype))) return NULL;
  pa_device_array *self = (pa_device_array *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  int axes = rank + pa_has_bytes_code(dtype);
  self->slots = PyMem_Malloc((1 + 2 * (size_t)axes + (size_t)rank) * sizeof *self->slots);
  if (!self->slots) {
    Py_DECREF(self);
    return PyErr_NoMemory();
  }
  self->strides = (npy_intp *)(void *)(self->slots + 1 + 2 * axes);
  self->context = context;
  self->generation = __atomic_load_n(&context->generation, __ATOMIC_RELAXED);
  self->owner = Py_XNewRef(owner);
  self->dtype = (PyArray_Descr *)Py_NewRef((PyObject *)dtype);
  self->rank = rank;
  self->readonly = readonly;
  self->slots[0] = data;
  for (int i = 0; i < rank; ++i) self->slots[1 + i] = (uint64_t)shape[i];
  if (strides)
    memcpy(self->strides, strides, (size_t)rank * sizeof *strides);
  else
    put_contiguous_strides('C', rank, shape, PyDataType_ELSIZE(dtype), self->strides);
  set_kernel_form(self);
  return (PyObject *)self;
}

PyObject *pa_device_array_refuse_dead(const pa_device_array *self) {
  if (self->generation == __atomic_load_n(&self->context->generation, __ATOMIC_RELAXED))
    return PyErr_Format(PyExc_ValueError, "the device array is gone: its memory was given back, by close() or at the "
                                          "end of a with block");
  return PyErr_Format(PyExc_ValueError, "the device array is gone: the context of device %d was reset or closed",
                      (int)self->context->device->ordinal);
}

typedef struct dimension {
  npy_intp stride, extent;
} dimension;

static int by_stride(const void *a, const void *b) {
  npy_intp first = ((const dimension *)a)->stride, second = ((const dimension *)b)->stride;
  return (first > second) - (first < second);
}

// Whether each dimension steps over all that is within it, as in nearly all arrays.
static bool is_nested(const pa_device_array *self) {
  dimension dimensions[NPY_MAXDIMS];
  int count = 0;
  for (int i = 0; i < self->rank; ++i) {
    npy_intp extent = pa_device_array_shape(self)[i], stride = self->strides[i];
    if (!extent) return true;
    if (extent > 1) dimensions[count++] = (dimension){stride < 0 ? -stride : stride, extent};
  }
  qsort(dimensions, (size_t)count, sizeof *dimensions, by_stride);
  npy_intp span = PyDataType_ELSIZE(self->dtype);
  for (int i = 0; i < count; ++i) {
    if (dimensions[i].stride < span) return false;
    span += dimensions[i].stride * (dimensions[i].extent - 1);
  }
  return true;
}

bool pa_device_array_check_output(const pa_device_array *self, const char *what) {
  if (self->layout != 'A' || is_nested(self)) return true;
  PyObject *done = pa_call_helper("cuda._overlap", "refuse_overlapping_on_device", "(Os)", (PyObject *)self, what);
  Py_XDECREF(done);
  return done;
}

size_t pa_device_array_bytes(const pa_device_array *self) {
  size_t bytes = (size_t)PyDataType_ELSIZE(self->dtype);
  for (int i = 0; i < self->rank; ++i) bytes *= (size_t)pa_device_array_shape(self)[i];
  return bytes;
}

//===-- Construction from Python ------------------------------------------------------------------===//

bool pa_extents_argument(PyObject *object, const char *what, PyArray_Dims *out) {
  *out = (PyArray_Dims){NULL, -1};
  bool is_text = PyUnicode_Check(object) || PyObject_CheckBuffer(object);
  if (object == Py_None || (is_text && !PyArray_Check(object)) || !PyArray_IntpConverter(object, out)) {
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError))
      PyErr_Format(PyExc_TypeError, "%s is an int or a tuple of ints, not %.100R", what, object);
    return false;
  }
  return true;
}

static bool multiply(npy_intp *product, npy_intp by) { return !__builtin_mul_overflow(*product, by, product); }

// Where an array's elements lie, in bytes from its first one: from |low|, which is not above 0, to |high|.
typedef struct span {
  npy_intp low, high;
} span;

// False with an exception set.
static bool find_span(const PyArray_Dims *shape, const PyArray_Dims *strides, npy_intp item, span *out) {
  *out = (span){0, item};
  if (!check_shape(shape->len, shape->ptr, item)) return false;
  for (int i = 0; i < shape->len; ++i)
    if (!shape->ptr[i]) return *out = (span){0, 0}, true;
  for (int i = 0; i < shape->len; ++i) {
    npy_intp part = strides->len < 0 ? shape->ptr[i] : shape->ptr[i] - 1;
    npy_intp *end = strides->len >= 0 && strides->ptr[i] < 0 ? &out->low : &out->high;
    bool fits = strides->len < 0 ? multiply(end, part)
                                 : multiply(&part, strides->ptr[i]) && !__builtin_add_overflow(*end, part, end);
    if (!fits) return PyErr_Format(PyExc_ValueError, "the array is too big"), false;
  }
  return true;
}

// Whether |owner| is memory that holds an array's elements; |offset|: of the first one.
static bool check_memory(PyObject *owner, npy_intp offset, const span *span) {
  if (Py_TYPE(owner) != &pa_memory_type)
    return PyErr_Format(PyExc_TypeError, "gpu_data is a Memory, not %.100s", Py_TYPE(owner)->tp_name), false;
  const pa_memory_object *memory = (const pa_memory_object *)owner;
  if (!pa_memory_check(memory)) return false;
  if (span->low == span->high) return true;
  if (memory->buffer.bytes && !memory->buffer.device)
    return PyErr_Format(PyExc_ValueError, "gpu_data is memory that the device does not see"), false;
  npy_intp from, to, bytes = (npy_intp)memory->buffer.bytes;
  bool fits = !__builtin_add_overflow(offset, span->low, &from) && !__builtin_add_overflow(offset, span->high, &to);
  if (fits && from >= 0 && to <= bytes) return true;
  if (fits && !from)
    PyErr_Format(PyExc_ValueError, "an array of %zd bytes is larger than its memory, %zd bytes", to, bytes);
  else
    PyErr_Format(PyExc_ValueError, "an array of %zd bytes leaves its memory of %zd bytes: its first element is at %zd",
                 span->high - span->low, bytes, offset);
  return false;
}

static PyObject *make(PyTypeObject *type, const PyArray_Dims *shape, const PyArray_Dims *strides, PyArray_Descr *dtype,
                      PyObject *owner, PyObject *address, bool readonly) {
  if (strides->len >= 0 && strides->len != shape->len)
    return PyErr_Format(PyExc_ValueError, "strides have %d dimensions, the shape has %d", strides->len, shape->len);
  bool at_start = address == Py_None; // of the memory
  span span;
  if (!find_span(shape, strides, PyDataType_ELSIZE(dtype), &span)) return NULL;
  if (at_start && span.low < 0) return PyErr_Format(PyExc_ValueError, "strides must not be negative");
  pa_cuda_context *context = pa_cuda_here();
  if (!context) return NULL;
  if (owner == Py_None && !at_start) return PyErr_Format(PyExc_TypeError, "an address is given without gpu_data");
  uint64_t data = 0;
  if (!at_start && !pa_address_argument(address, "address", &data)) return NULL;
  // An address in what is no Memory is that of a memory manager, which knows.
  bool has_memory = owner != Py_None && (at_start || Py_TYPE(owner) == &pa_memory_type);
  npy_intp offset = at_start || !has_memory ? 0 : (npy_intp)(data - ((pa_memory_object *)owner)->buffer.device);
  if (has_memory && !check_memory(owner, offset, &span)) return NULL;
  PyObject *memory = owner == Py_None ? pa_memory_new(context, PA_CUDA_DEVICE, 0, (size_t)span.high) : Py_NewRef(owner);
  if (!memory) return NULL;
  if (Py_TYPE(memory) == &pa_memory_type) {
    if (owner != Py_None) ((pa_memory_object *)memory)->is_shared = true; // whoever has it
    const pa_cuda_buffer *buffer = &((pa_memory_object *)memory)->buffer;
    if (at_start) data = buffer->device;
    context = buffer->resource.context ? buffer->resource.context : context;
  }
  PyObject *made = pa_device_array_new(type, context, data, shape->len, shape->ptr,
                                       strides->len < 0 ? NULL : strides->ptr, dtype, readonly, memory);
  Py_DECREF(memory);
  return made;
}

// DeviceNDArray(shape, strides=None, dtype=float, stream=0, gpu_data=None, address=None, readonly=False)
static PyObject *array_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"shape", "strides", "dtype", "stream", "gpu_data", "address", "readonly", NULL};
  PyObject *shape_object, *strides_object = Py_None, *stream = Py_None, *owner = Py_None, *address = Py_None,
                          *made = NULL;
  PyArray_Descr *dtype = NULL;
  PyArray_Dims shape = {NULL, -1}, strides = {NULL, -1};
  int readonly = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OO&OOOp", names, &shape_object, &strides_object,
                                   PyArray_DescrConverter, &dtype, &stream, &owner, &address, &readonly))
    goto done;
  if (!dtype) dtype = PyArray_DescrFromType(NPY_DOUBLE);
  if (!pa_extents_argument(shape_object, "the shape", &shape) ||
      (strides_object != Py_None && !pa_extents_argument(strides_object, "strides", &strides)))
    goto done;
  made = make(type, &shape, &strides, dtype, owner, address, readonly);
  if (made && stream != Py_None && pa_stream_set(&((pa_device_array *)made)->stream, stream) < 0) Py_CLEAR(made);
done:
  Py_XDECREF(dtype);
  if (shape.ptr) PyDimMem_FREE(shape.ptr);
  if (strides.ptr) PyDimMem_FREE(strides.ptr);
  return made;
}

//===-- Life --------------------------------------------------------------------------------------===//

static int array_traverse(PyObject *object, visitproc visit, void *arg) {
  pa_device_array *self = (pa_device_array *)object;
  Py_VISIT(self->owner);
  Py_VISIT(self->attributes);
  Py_VISIT(self->stream);
  Py_VISIT(self->deferred);
  return 0;
}

static int array_clear(PyObject *object) {
  Py_CLEAR(((pa_device_array *)object)->attributes);
  if (((pa_device_array *)object)->deferred) pa_device_array_forget((pa_device_array *)object);
  return 0; // the memory stays as long as the object
}

static void array_dealloc(PyObject *object) {
  pa_device_array *self = (pa_device_array *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (self->deferred) pa_device_array_forget(self);
  if (self->weak_references) PyObject_ClearWeakRefs(object);
  array_clear(object);
  Py_XDECREF(self->owner);
  Py_XDECREF((PyObject *)self->dtype);
  Py_XDECREF(self->stream);
  PyMem_Free(self->slots);
  PyMem_Free(self->item);
  type->tp_free(object);
}

static Py_ssize_t array_length(PyObject *object) {
  pa_device_array *self = (pa_device_array *)object;
  if (self->rank) return (Py_ssize_t)self->slots[1];
  PyErr_SetString(PyExc_TypeError, "len() of unsized object");
  return -1;
}

static PySequenceMethods array_as_sequence = {.sq_length = array_length};

PyTypeObject pa_device_array_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.DeviceArray",
    .tp_basicsize = sizeof(pa_device_array),
    .tp_new = array_new,
    .tp_dealloc = array_dealloc,
    .tp_traverse = array_traverse,
    .tp_clear = array_clear,
    .tp_as_sequence = &array_as_sequence,
    .tp_dictoffset = offsetof(pa_device_array, attributes),
    .tp_weaklistoffset = offsetof(pa_device_array, weak_references),
    .tp_methods = pa_device_array_methods,
    .tp_getset = pa_device_array_attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
};
