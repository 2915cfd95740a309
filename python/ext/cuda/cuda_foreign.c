// Arrays of other libraries, without copying: __cuda_array_interface__ (version 3) and DLPack, in and out.
#include "cuda.h"
#include "cuda/emulator.h"
#include "cuda_dlpack.h"

#include <string.h>

//===-- __cuda_array_interface__, in --------------------------------------------------------------===//

static PyObject *attribute(PyObject *object, const char *name, bool *failed) {
  PyObject *value = PyObject_GetAttrString(object, name);
  if (value || PyErr_ExceptionMatches(PyExc_AttributeError))
    PyErr_Clear();
  else
    *failed = true;
  return value;
}

static bool read_stream(PyObject *value, CUstream *out_stream) {
  uint64_t number = 0;
  if (!pa_address_argument(value, "__cuda_array_interface__: stream", &number)) return false;
  if (!number)
    PyErr_SetString(PyExc_ValueError, "__cuda_array_interface__: stream 0 is not allowed; 1 is the default stream");
  *out_stream = (CUstream)(uintptr_t)number;
  return number;
}

typedef struct interface {
  uint64_t data;
  PyObject *readonly;
  PyArray_Dims shape, strides;
  PyArray_Descr *dtype;
} interface;

// Address 0 has no elements.
static bool check_address(uint64_t address, int rank, const npy_intp *shape, const char *protocol) {
  for (int i = 0; i < rank; ++i) address |= !shape[i];
  if (!address) PyErr_Format(PyExc_ValueError, "%s: the address of the elements is 0", protocol);
  return address;
}

// Dicts are written by hand, too: elements lie at an address that the driver knows.
static bool is_known(pa_cuda_context *context, uint64_t address, const PyArray_Dims *shape) {
  pa_cuda_address info;
  for (int i = 0; i < shape->len; ++i)
    if (!shape->ptr[i]) return true;
  if (!pa_cuda_ok(pa_cuda_address_info(context, address, &info))) return false;
  if (!info.known)
    PyErr_Format(PyExc_ValueError, "__cuda_array_interface__: the address of the elements, %p, is none of a device's",
                 (void *)(uintptr_t)address);
  return info.known;
}

// Its two values as |format| says; ValueError |message| for what is no such pair.
static bool read_pair(PyObject *pair, const char *format, void *first, void *second, const char *message) {
  if (PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2) return PyArg_ParseTuple(pair, format, first, second);
  PyErr_Format(PyExc_ValueError, "%s, not %.200R", message, pair);
  return false;
}

static bool read_interface(PyObject *dict, interface *out) {
  PyObject *data = PyDict_GetItemString(dict, "data"), *shape = PyDict_GetItemString(dict, "shape");
  PyObject *typestr = PyDict_GetItemString(dict, "typestr"), *strides = PyDict_GetItemString(dict, "strides");
  PyObject *mask = PyDict_GetItemString(dict, "mask");
  PyObject *pointer;
  if (!data || !shape || !typestr) {
    PyErr_SetString(PyExc_ValueError, "__cuda_array_interface__ lacks data, shape or typestr");
    return false;
  }
  if (mask && mask != Py_None) {
    PyErr_SetString(PyExc_NotImplementedError, "Masked arrays are not supported");
    return false;
  }
  if (!PyUnicode_Check(typestr)) {
    PyErr_Format(PyExc_TypeError, "__cuda_array_interface__: typestr is a str, not %.100s", Py_TYPE(typestr)->tp_name);
    return false;
  }
  if (!read_pair(data, "OO", &pointer, &out->readonly,
                 "__cuda_array_interface__: data is (address, whether it is read-only)"))
    return false;
  return pa_address_argument(pointer, "__cuda_array_interface__: the address in data", &out->data) &&
         pa_extents_argument(shape, "__cuda_array_interface__: shape", &out->shape) &&
         (!strides || strides == Py_None ||
          pa_extents_argument(strides, "__cuda_array_interface__: strides", &out->strides)) &&
         PyArray_DescrConverter(typestr, &out->dtype) &&
         check_address(out->data, out->shape.len, out->shape.ptr, "__cuda_array_interface__");
}

// What the other library has enqueued comes first.
static bool honour_stream(PyObject *dict, pa_cuda_context *context, CUstream stream) {
  PyObject *value = PyDict_GetItemString(dict, "stream");
  CUstream foreign;
  if (!value || value == Py_None) return true;
  return read_stream(value, &foreign) && pa_cuda_ok(pa_cuda_stream_follow(context, foreign, stream));
}

static PyObject *array_of_interface(PyObject *object, PyObject *dict, PyTypeObject *type, pa_cuda_context *context,
                                    CUstream stream) {
  interface found = {.shape = {NULL, -1}, .strides = {NULL, -1}};
  PyObject *array = NULL;
  if (!PyDict_Check(dict)) return PyErr_Format(PyExc_TypeError, "__cuda_array_interface__ is no dict");
  bool read = read_interface(dict, &found);
  if (read && found.strides.len >= 0 && found.strides.len != found.shape.len) {
    PyErr_SetString(PyExc_ValueError, "__cuda_array_interface__: strides and shape differ in length");
    read = false;
  }
  if (read && honour_stream(dict, context, stream))
    array = pa_device_array_new(type, context, found.data, found.shape.len, found.shape.ptr,
                                found.strides.len < 0 ? NULL : found.strides.ptr, found.dtype,
                                PyObject_IsTrue(found.readonly) > 0, object);
  if (array && !is_known(context, found.data, &found.shape)) Py_CLEAR(array);
  if (found.shape.ptr) PyDimMem_FREE(found.shape.ptr);
  if (found.strides.ptr) PyDimMem_FREE(found.strides.ptr);
  Py_XDECREF((PyObject *)found.dtype);
  return array;
}

//===-- DLPack, in --------------------------------------------------------------------------------===//

static const struct {
  uint8_t code, bits;
  int number;
} dlpack_types[] = {
    {DL_BOOL, 8, NPY_BOOL},       {DL_INT, 8, NPY_INT8},          {DL_INT, 16, NPY_INT16},   {DL_INT, 32, NPY_INT32},
    {DL_INT, 64, NPY_INT64},      {DL_UINT, 8, NPY_UINT8},        {DL_UINT, 16, NPY_UINT16}, {DL_UINT, 32, NPY_UINT32},
    {DL_UINT, 64, NPY_UINT64},    {DL_FLOAT, 16, NPY_HALF},       {DL_FLOAT, 32, NPY_FLOAT}, {DL_FLOAT, 64, NPY_DOUBLE},
    {DL_COMPLEX, 64, NPY_CFLOAT}, {DL_COMPLEX, 128, NPY_CDOUBLE},
};
enum { DLPACK_TYPES = sizeof dlpack_types / sizeof *dlpack_types };

static PyArray_Descr *dlpack_dtype(const DLTensor *tensor) {
  for (int i = 0; i < DLPACK_TYPES; ++i)
    if (dlpack_types[i].code == tensor->dtype.code && dlpack_types[i].bits == tensor->dtype.bits &&
        tensor->dtype.lanes == 1)
      return PyArray_DescrFromType(dlpack_types[i].number);
  if (tensor->dtype.code == DL_BFLOAT && tensor->dtype.bits == 16 && tensor->dtype.lanes == 1)
    return pa_bfloat16_descr();
  PyErr_Format(PyExc_TypeError, "DLPack type %d of %d bits is not supported", tensor->dtype.code, tensor->dtype.bits);
  return NULL;
}

static void free_tensor(PyObject *capsule) {
  DLManagedTensor *tensor = PyCapsule_GetPointer(capsule, "pyarray dltensor");
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback); // a deleter may run Python
  if (tensor->deleter) tensor->deleter(tensor);
  PyErr_Restore(type, value, traceback);
}

static PyObject *array_of_tensor(const DLTensor *tensor, PyTypeObject *type, pa_cuda_context *context,
                                 PyObject *owner) {
  npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
  PyArray_Descr *dtype = dlpack_dtype(tensor);
  if (!dtype) return NULL;
  int rank = tensor->ndim <= NPY_MAXDIMS ? tensor->ndim : NPY_MAXDIMS + 1; // which is refused
  bool fits = true;
  for (int i = 0; i < rank && rank <= NPY_MAXDIMS; ++i) {
    shape[i] = tensor->shape[i];
    strides[i] = 0;
    fits &= !tensor->strides || !__builtin_mul_overflow(tensor->strides[i], PyDataType_ELSIZE(dtype), &strides[i]);
  }
  PyObject *array = NULL;
  if (!fits)
    PyErr_Format(PyExc_ValueError, "the array is too big");
  else if (rank > NPY_MAXDIMS || check_address((uintptr_t)tensor->data, rank, shape, "DLPack"))
    array = pa_device_array_new(type, context, (uintptr_t)tensor->data + tensor->byte_offset, rank, shape,
                                tensor->strides ? strides : NULL, dtype, false, owner);
  Py_DECREF((PyObject *)dtype);
  return array;
}

static DLManagedTensor *tensor_of(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor")) return PyCapsule_GetPointer(capsule, "dltensor");
  PyErr_Format(PyExc_ValueError, "__dlpack__ is to give a capsule \"dltensor\" that nobody has used yet, not %R",
               capsule);
  return NULL;
}

static void delete_exported(DLManagedTensor *tensor);

// Whose the memory of a tensor is, borrowed: of one of our own, the array's, which may be gone; else |tensor_object|.
// NULL with an exception set.
static PyObject *owner_of(const DLManagedTensor *tensor, PyObject *tensor_object) {
  if (tensor->deleter != delete_exported) return tensor_object;
  const pa_device_array *array = tensor->context;
  if (!pa_device_array_lives(array)) return pa_device_array_refuse_dead(array);
  return array->owner ? array->owner : tensor_object;
}

// Consumes the capsule that |object| makes: its memory lives as long as the array.
static PyObject *array_of_dlpack(PyObject *object, PyTypeObject *type, pa_cuda_context *context, CUstream stream) {
  unsigned long long handle = stream ? (unsigned long long)(uintptr_t)stream : 1; // 1: the default stream
  PyObject *none = PyTuple_New(0), *named = Py_BuildValue("{sK}", "stream", handle), *array = NULL, *capsule = NULL;
  PyObject *make = PyObject_GetAttrString(object, "__dlpack__");
  if (none && named && make) capsule = PyObject_Call(make, none, named);
  DLManagedTensor *tensor = capsule ? tensor_of(capsule) : NULL;
  PyObject *used = tensor ? PyCapsule_New(tensor, "pyarray dltensor", free_tensor) : NULL;
  PyObject *owner = used && !PyCapsule_SetName(capsule, "used_dltensor") ? owner_of(tensor, used) : NULL;
  if (owner) array = array_of_tensor(&tensor->tensor, type, context, owner);
  Py_XDECREF(used);
  Py_XDECREF(capsule);
  Py_XDECREF(make);
  Py_XDECREF(named);
  Py_XDECREF(none);
  return array;
}

static bool is_on_device(PyObject *object, const pa_cuda_context *context, bool *failed) {
  PyObject *ask = attribute(object, "__dlpack_device__", failed);
  PyObject *pair = ask ? PyObject_CallNoArgs(ask) : NULL;
  int kind = 0, number = 0;
  if (ask)
    *failed = !pair || !read_pair(pair, "ii", &kind, &number, "__dlpack_device__ gives (kind, number of the device)");
  Py_XDECREF(pair);
  Py_XDECREF(ask);
  if (!*failed && kind == DL_CUDA && number != context->device->ordinal) {
    PyErr_Format(PyExc_ValueError, "the array is on device %d, and device %d is selected", number,
                 context->device->ordinal);
    *failed = true;
  }
  return kind == DL_CUDA || kind == DL_CUDA_MANAGED;
}

//===-- In, by either -----------------------------------------------------------------------------===//

pa_found pa_foreign_array(PyObject *object, PyTypeObject *type, pa_cuda_context *context, CUstream stream,
                          PyObject **out_array) {
  bool failed = false;
  PyObject *dict = attribute(object, "__cuda_array_interface__", &failed);
  if (failed) return PA_FOUND_ERROR;
  PyObject *array;
  if (dict) {
    array = array_of_interface(object, dict, type, context, stream);
    Py_DECREF(dict);
  } else {
    bool on_device = is_on_device(object, context, &failed);
    if (failed) return PA_FOUND_ERROR;
    if (!on_device) return PA_FOUND_NOTHING;
    array = array_of_dlpack(object, type, context, stream);
  }
  if (!array) return PA_FOUND_ERROR;
  return *out_array = array, PA_FOUND;
}

//===-- Out ---------------------------------------------------------------------------------------===//

PyObject *pa_device_array_interface(PyObject *object, void *unused) {
  (void)unused;
  pa_device_array *self = (pa_device_array *)object;
  PyObject *dtype = (PyObject *)self->dtype, *stream = Py_None;
  CUstream handle = NULL;
  if (!pa_device_array_ready(self)) return NULL;
  if (self->stream && !pa_stream_argument(self->stream, &handle)) return NULL;
  self->is_exported = true;
  pa_device_array_share(self);
  PyObject *shape = PyObject_GetAttrString(object, "shape"), *typestr = PyObject_GetAttrString(dtype, "str");
  PyObject *descr = PyObject_GetAttrString(dtype, "descr");
  PyObject *strides = self->layout == 'C' ? Py_NewRef(Py_None) : PyObject_GetAttrString(object, "strides");
  stream = handle ? PyLong_FromVoidPtr(handle) : PyLong_FromLong(1); // work of ours is in the default stream
  PyObject *result = NULL;
  if (shape && strides && typestr && descr && stream)
    result = Py_BuildValue("{sOsOs(KO)sOsOsOsi}", "shape", shape, "strides", strides, "data",
                           (unsigned long long)pa_device_array_data(self), self->readonly ? Py_True : Py_False,
                           "typestr", typestr, "descr", descr, "stream", stream, "version", 3);
  Py_XDECREF(stream);
  Py_XDECREF(strides);
  Py_XDECREF(descr);
  Py_XDECREF(typestr);
  Py_XDECREF(shape);
  return result;
}

// A tensor with the extents behind it, and the array that it keeps.
typedef struct exported {
  DLManagedTensor tensor;
  bool is_kept; // for the host, which sees an emulated device's memory as its own
  int64_t extents[];
} exported;

static void delete_exported(DLManagedTensor *tensor) {
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF((PyObject *)tensor->context);
  PyGILState_Release(state);
  exported *made = (exported *)tensor;
  if (made->is_kept) pa_emulator_release((uintptr_t)tensor->tensor.data);
  PyMem_RawFree(made);
}

static void free_unused(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  delete_exported(PyCapsule_GetPointer(capsule, "dltensor"));
}

// False: DLPack has no such type.
static bool find_dlpack_type(const PyArray_Descr *dtype, uint8_t *out_code, uint8_t *out_bits) {
  int type = 0;
  while (type < DLPACK_TYPES && dlpack_types[type].number != dtype->type_num) ++type;
  bool bfloat = pa_is_bfloat16(dtype);
  if ((type == DLPACK_TYPES && !bfloat) || PyDataType_ISBYTESWAPPED(dtype)) return false;
  *out_code = bfloat ? DL_BFLOAT : dlpack_types[type].code;
  return *out_bits = bfloat ? 16 : dlpack_types[type].bits, true;
}

static PyObject *export_tensor(pa_device_array *self) {
  int rank = self->rank;
  uint8_t code, bits;
  if (!find_dlpack_type(self->dtype, &code, &bits))
    return PyErr_Format(PyExc_BufferError, "DLPack has no type for %S", self->dtype);
  for (int i = 0; i < rank; ++i)
    if (self->strides[i] % PyDataType_ELSIZE(self->dtype))
      return PyErr_Format(PyExc_BufferError, "DLPack has no strides that are no multiples of an item's bytes");
  if (self->readonly) return PyErr_Format(PyExc_BufferError, "DLPack cannot export a read-only array");
  exported *made = PyMem_RawCalloc(1, sizeof *made + 2 * (size_t)rank * sizeof(int64_t));
  if (!made) return PyErr_NoMemory();
  DLTensor *tensor = &made->tensor.tensor;
  tensor->data = (void *)(uintptr_t)pa_device_array_data(self);
  tensor->device.kind = pa_cuda_kind_opened() == PA_CUDA_EMULATOR ? DL_CPU : DL_CUDA;
  tensor->device.number = self->context->device->ordinal;
  tensor->ndim = rank;
  tensor->dtype.code = code;
  tensor->dtype.bits = bits;
  tensor->dtype.lanes = 1;
  tensor->shape = made->extents;
  tensor->strides = made->extents + rank;
  for (int i = 0; i < rank; ++i) {
    tensor->shape[i] = pa_device_array_shape(self)[i];
    tensor->strides[i] = self->strides[i] / PyDataType_ELSIZE(self->dtype);
  }
  made->is_kept = tensor->device.kind == DL_CPU && pa_emulator_keep((uintptr_t)tensor->data);
  made->tensor.context = Py_NewRef((PyObject *)self);
  made->tensor.deleter = delete_exported;
  PyObject *capsule = PyCapsule_New(made, "dltensor", free_unused);
  if (!capsule) delete_exported(&made->tensor);
  return capsule;
}

static int dlpack_kind(void) { return pa_cuda_kind_opened() == PA_CUDA_EMULATOR ? DL_CPU : DL_CUDA; }

// Whether |pair|, (kind, number), is where the array is; false with an exception set.
static bool is_here(const pa_device_array *self, PyObject *pair) {
  int kind, number;
  if (!read_pair(pair, "ii", &kind, &number, "dl_device is (kind, number of the device)")) return false;
  if (kind == dlpack_kind() && number == self->context->device->ordinal) return true;
  PyErr_Format(PyExc_BufferError, "the array is on device (%d, %d), and is not copied to (%d, %d)", dlpack_kind(),
               self->context->device->ordinal, kind, number);
  return false;
}

// DLPack's stream -1: the consumer waits by itself.
static bool waits_for_nothing(PyObject *stream) {
  int overflow;
  return PyLong_Check(stream) && PyLong_AsLongAndOverflow(stream, &overflow) == -1 && !overflow;
}

PyObject *pa_device_array_dlpack(PyObject *object, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
  pa_device_array *self = (pa_device_array *)object;
  PyObject *stream = Py_None, *version = NULL, *device = NULL, *copy = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO", names, &stream, &version, &device, &copy))
    return NULL;
  if (copy == Py_True) return PyErr_Format(PyExc_BufferError, "copy=True is not supported");
  if (!pa_device_array_ready(self)) return NULL;
  self->is_exported = true;
  pa_device_array_share(self);
  if (device && device != Py_None && !is_here(self, device)) return NULL;
  CUstream own = NULL;
  if (self->stream && !pa_stream_argument(self->stream, &own)) return NULL;
  uint64_t consumer = 1;
  if (!waits_for_nothing(stream) &&
      ((stream != Py_None && !pa_address_argument(stream, "stream", &consumer)) ||
       !pa_cuda_ok(pa_cuda_stream_follow(self->context, own, (CUstream)(uintptr_t)consumer))))
    return NULL;
  return export_tensor(self);
}

PyObject *pa_device_array_dlpack_device(PyObject *object, PyObject *unused) {
  (void)unused;
  return Py_BuildValue("(ii)", dlpack_kind(), ((pa_device_array *)object)->context->device->ordinal);
}
