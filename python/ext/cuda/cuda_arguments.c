// Arguments of kernels: a Python value becomes its type code and its slots, as kernels take them
// (docs/internals-cuda.md).
//
//   3.5                          -> "d"     one slot
//   a device array (2, 3)        -> "[C2d"  data, 2, 3, 3, 1
//   a NumPy array                -> the same, of memory that is copied to before the launch, and from after it
#include "cuda.h"
#include "objects.h"

#include <string.h>

static pa_refusal refuse(pa_kernel_arguments *arguments, PyObject *culprit, pa_refusal refusal) {
  arguments->to.culprit = culprit;
  return refusal;
}

static bool has_room(const pa_arguments *to, int axes, size_t code_length) {
  return to->slot + 1 + 2 * axes <= to->slot_end && to->code + code_length <= to->code_end;
}

//===-- Device arrays -----------------------------------------------------------------------------===//

// Of an array without a code.
static pa_refusal why_refused(const pa_device_array *array) {
  char code[PA_SPARE];
  if (PyDataType_ISBYTESWAPPED(array->dtype)) return PA_REFUSED_BYTE_ORDER;
  if (pa_has_bytes_code(array->dtype) || !pa_array_code(code, 'C', array->rank, array->dtype)) return PA_REFUSED_DTYPE;
  uint64_t alignment = (uint64_t)PyDataType_ALIGNMENT(array->dtype);
  return alignment && pa_device_array_data(array) % alignment ? PA_REFUSED_ALIGNMENT : PA_REFUSED_STRIDES;
}

static inline pa_refusal put_device_array(const pa_device_array *array, pa_kernel_arguments *arguments) {
  pa_arguments *to = &arguments->to;
  if (PA_UNLIKELY(!pa_device_array_ready(array))) return PA_RAISED;
  if (PA_UNLIKELY(!pa_device_array_in(array, arguments->context)))
    return refuse(arguments, (PyObject *)array, PA_RAISED);
  if (PA_UNLIKELY(!array->code_length)) return refuse(arguments, (PyObject *)array, why_refused(array));
  size_t item_length = PA_UNLIKELY(array->item) ? strlen(array->item) : 0;
  if (PA_UNLIKELY(!has_room(to, pa_device_array_axes(array), item_length))) return PA_NO_ROOM;
  bool record = PA_UNLIKELY(array->item) && !array->rank && *array->item == '{'; // its slots are an array's
  memcpy(to->code, array->code, sizeof array->code);                             // there is room for it all
  to->code += record ? 0 : array->code_length;
  if (record && array->readonly) *to->code++ = 'v';
  if (PA_UNLIKELY(array->item)) to->code = (char *)mempcpy(to->code, array->item, item_length);
  int slots = 1 + 2 * pa_device_array_axes(array);
  for (int i = 0; i < slots; ++i) to->slot[i] = array->slots[i];
  to->slot += slots;
  return PA_ACCEPTED;
}

static bool keep(pa_kernel_arguments *arguments, PyObject *object) {
  if (!arguments->keep) arguments->keep = PyList_New(0);
  return arguments->keep && PyList_Append(arguments->keep, object) == 0;
}

static pa_refusal unbox_foreign(PyObject *value, pa_kernel_arguments *arguments) {
  PyObject *array = NULL;
  pa_found found = pa_foreign_array(value, &pa_device_array_type, arguments->context, arguments->stream, &array);
  if (found != PA_FOUND) return found == PA_FOUND_ERROR ? PA_RAISED : PA_REFUSED_TYPE;
  pa_refusal refusal = keep(arguments, array) ? put_device_array((pa_device_array *)array, arguments) : PA_RAISED;
  Py_DECREF(array); // which lives on in what is kept: a refusal may name it
  return refusal;
}

//===-- Host arrays -------------------------------------------------------------------------------===//

static bool add_transfer(pa_kernel_arguments *arguments, PyArrayObject *array, pa_transfer_mode mode) {
  pa_transfer *transfer = PyMem_Calloc(1, sizeof *transfer);
  if (!transfer) return PyErr_NoMemory(), false;
  transfer->array = (PyArrayObject *)Py_NewRef((PyObject *)array);
  transfer->mode = PyArray_ISWRITEABLE(array) ? mode : PA_TRANSFER_IN;
  transfer->code = arguments->to.code;
  transfer->slots = arguments->to.slot;
  transfer->next = arguments->transfers;
  arguments->transfers = transfer;
  return true;
}

// The address that kernels see |array|'s data at, where its memory is seen by the device; else 0.
static CUdeviceptr mapped_address(const pa_memory_object *memory, PyArrayObject *array) {
  if (!memory || !memory->buffer.device || !pa_memory_lives(memory)) return 0;
  return memory->buffer.device + (CUdeviceptr)((char *)PyArray_DATA(array) - (char *)memory->buffer.host);
}

// An array of numbers that lies at any address, or with any strides: its copy on the device is contiguous, and aligned.
static pa_refusal unbox_odd_host(PyArrayObject *array, pa_transfer_mode mode, pa_kernel_arguments *arguments) {
  pa_arguments *to = &arguments->to;
  int rank = PyArray_NDIM(array);
  char layout = PyArray_IS_C_CONTIGUOUS(array) ? 'C' : PyArray_IS_F_CONTIGUOUS(array) ? 'F' : 'A', code[2 * PA_SPARE];
  const char *end =
      pa_array_code(code, PyArray_ISWRITEABLE(array) ? layout : (char)(layout | 0x20), rank, PyArray_DESCR(array));
  if (!end) return refuse(arguments, (PyObject *)array, PA_REFUSED_DTYPE);
  if (!has_room(to, rank, 0)) return PA_NO_ROOM;
  if (!add_transfer(arguments, array, mode)) return PA_RAISED;
  arguments->transfers->is_odd = true;
  to->code = (char *)mempcpy(to->code, code, (size_t)(end - code));
  *to->slot++ = 0;
  uint64_t *strides = to->slot + rank, step = 1;
  for (int i = 0; i < rank; ++i) *to->slot++ = (uint64_t)PyArray_DIM(array, i);
  for (int i = 0; i < rank; ++i) {
    int axis = layout == 'F' ? i : rank - 1 - i;
    strides[axis] = step;
    step *= PyArray_DIM(array, axis) ? (uint64_t)PyArray_DIM(array, axis) : 1;
  }
  to->slot += rank;
  return PA_ACCEPTED;
}

// |value|: the array, or the record that it is. |code| has room for |room| characters, and PA_SPARE beyond.
static pa_refusal unbox_host(PyObject *value, PyArrayObject *array, pa_transfer_mode mode, char *code, size_t room,
                             pa_kernel_arguments *arguments) {
  uint64_t slots[3 + 2 * PA_TYPE_MAX_RANK + 2 + PA_SPARE];
  pa_owner record;
  pa_arguments host = {code, code + room, slots, slots + 3 + 2 * PA_TYPE_MAX_RANK + 2, &record, &record + 1, NULL,
                       NULL, NULL,        false};
  pa_refusal refusal = pa_unbox(value, &host);
  if (refusal) return refuse(arguments, host.culprit, refusal);
  pa_arguments *to = &arguments->to;
  bool odd = (code[1] | 0x20) == 'b';
  if (odd && !mapped_address(pa_memory_of(array), array)) return unbox_odd_host(array, mode, arguments);
  if (odd) return refuse(arguments, value, PyArray_ISALIGNED(array) ? PA_REFUSED_STRIDES : PA_REFUSED_ALIGNMENT);
  int axes = PyArray_NDIM(array) + pa_has_bytes_code(PyArray_DESCR(array));
  size_t length = (size_t)(host.code - code);
  if (!has_room(to, axes, length > PA_SPARE ? length : 0)) return PA_NO_ROOM;
  pa_memory_object *memory = pa_memory_of(array);
  CUdeviceptr data = mapped_address(memory, array);
  if (!data && !add_transfer(arguments, array, mode)) return PA_RAISED;
  memcpy(to->code, code, length);
  to->code += length;
  *to->slot++ = data;
  to->slot = (uint64_t *)mempcpy(to->slot, slots + 3, 2 * (size_t)axes * sizeof *slots);
  return PA_ACCEPTED;
}

static pa_refusal unbox_items(PyObject *value, PyArrayObject *array, pa_transfer_mode mode,
                              pa_kernel_arguments *arguments) {
  const char *item =
      pa_bytes_code(PyArray_DESCR(array), PyArray_DATA(array), PyArray_STRIDES(array), PyArray_NDIM(array));
  if (!item) return PyErr_Occurred() ? PA_RAISED : refuse(arguments, value, PA_REFUSED_DTYPE);
  size_t room = strlen(item) + 2 * PA_SPARE;
  char *code = PyMem_Malloc(room + PA_SPARE);
  if (!code) return PyErr_NoMemory(), PA_RAISED;
  pa_refusal refusal = unbox_host(value, array, mode, code, room, arguments);
  PyMem_Free(code);
  return refusal;
}

static pa_refusal unbox_host_array(PyObject *value, pa_transfer_mode mode, pa_kernel_arguments *arguments) {
  PyArrayObject *array = (PyArrayObject *)value;
  char small[2 * PA_SPARE];
  if (PA_LIKELY(!pa_has_bytes_code(PyArray_DESCR(array))))
    return unbox_host(value, array, mode, small, PA_SPARE, arguments);
  return unbox_items(value, array, mode, arguments);
}

//===-- Records -----------------------------------------------------------------------------------===//

// A record, and no vector of CUDA's.
static bool is_record(PyObject *value) {
  if (!PyArray_IsScalar(value, Void)) return false;
  const PyVoidScalarObject *scalar = (PyVoidScalarObject *)value;
  const char *code = pa_has_bytes_code((PyArray_Descr *)scalar->descr)
                         ? pa_bytes_code((PyArray_Descr *)scalar->descr, scalar->obval, NULL, 0)
                         : NULL;
  PyErr_Clear(); // whoever unboxes it tells
  return code && *code == '{';
}

// Copied like an array without axes, of its memory, and back: fields that the kernel stores to are the record's, or
// those of the array that it is a view of.
static pa_refusal unbox_record(PyObject *value, pa_transfer_mode mode, pa_kernel_arguments *arguments) {
  PyVoidScalarObject *scalar = (PyVoidScalarObject *)value;
  Py_INCREF((PyObject *)scalar->descr);
  PyArrayObject *array =
      (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, (PyArray_Descr *)scalar->descr, 0, NULL, NULL, scalar->obval,
                                            scalar->flags & NPY_ARRAY_WRITEABLE, NULL);
  if (!array) return PA_RAISED;
  bool based = PyArray_SetBaseObject(array, Py_NewRef(value)) == 0;
  pa_refusal refusal = based ? unbox_items(value, array, mode, arguments) : PA_RAISED;
  Py_DECREF((PyObject *)array);
  return refusal;
}

//===-- cuda.In, cuda.Out, cuda.InOut -------------------------------------------------------------===//

typedef struct transfer_object {
  PyObject_HEAD PyObject *value;
  int mode;
} transfer_object;

static PyObject *transfer_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"value", "mode", NULL};
  PyObject *value;
  int mode = PA_TRANSFER_BOTH;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|i", names, &value, &mode)) return NULL;
  if (mode < PA_TRANSFER_IN || mode > PA_TRANSFER_BOTH) return PyErr_Format(PyExc_ValueError, "mode is 1, 2 or 3");
  transfer_object *self = (transfer_object *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->value = Py_NewRef(value);
  self->mode = mode;
  return (PyObject *)self;
}

static void transfer_dealloc(PyObject *object) {
  Py_XDECREF(((transfer_object *)object)->value);
  Py_TYPE(object)->tp_free(object);
}

static PyObject *transfer_value(PyObject *object, void *unused) {
  (void)unused;
  return Py_NewRef(((transfer_object *)object)->value);
}

static PyGetSetDef transfer_attributes[] = {{"value", transfer_value, NULL, "The array.", NULL},
                                            {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject pa_transfer_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.Transfer",
    .tp_basicsize = sizeof(transfer_object),
    .tp_new = transfer_new,
    .tp_dealloc = transfer_dealloc,
    .tp_getset = transfer_attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};

//===-- Any value ---------------------------------------------------------------------------------===//

static pa_refusal unbox_at_depth(PyObject *value, pa_kernel_arguments *arguments, int depth);

static pa_refusal unbox_tuple(PyObject *value, pa_kernel_arguments *arguments, int depth) {
  if (depth == PA_TYPE_MAX_DEPTH) return refuse(arguments, value, PA_REFUSED_DEPTH);
  if (PyTuple_GET_SIZE(value) > PA_TYPE_MAX_ELEMENTS) return refuse(arguments, value, PA_REFUSED_LENGTH);
  *arguments->to.code++ = '(';
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i) {
    pa_refusal refusal = unbox_at_depth(PyTuple_GET_ITEM(value, i), arguments, depth + 1);
    if (refusal) return refusal;
  }
  if (arguments->to.code >= arguments->to.code_end) return PA_NO_ROOM;
  *arguments->to.code++ = ')';
  return PA_ACCEPTED;
}

// A named tuple, or a member of an enum. |*out_known|: it is one.
static pa_refusal unbox_named(PyObject *value, pa_kernel_arguments *arguments, int depth, bool *out_known) {
  *out_known = false;
  if (!PyTuple_Check(value))
    return Py_TYPE(Py_TYPE(value)) == &PyType_Type ? PA_ACCEPTED : pa_unbox_member(value, &arguments->to, out_known);
  pa_refusal refusal = pa_put_named_code(value, &arguments->to, out_known);
  return refusal || !*out_known ? refusal : unbox_tuple(value, arguments, depth);
}

// A pointer of ctypes or cffi, whose memory is the device's.
static pa_refusal unbox_pointer(PyObject *value, pa_kernel_arguments *arguments) {
  PyObject *found = pa_call_helper("_pointers", "native", "(O)", value);
  const char *code = found && PyTuple_Check(found) ? PyUnicode_AsUTF8(PyTuple_GET_ITEM(found, 0)) : NULL;
  pa_refusal refusal = PA_REFUSED_TYPE;
  if (code && code[1] != '(' && code[1] != ':') {
    pa_arguments *to = &arguments->to;
    size_t length = strlen(code);
    refusal = to->slot < to->slot_end && to->code + length < to->code_end ? PA_ACCEPTED : PA_NO_ROOM;
    if (!refusal)
      to->code = (char *)mempcpy(to->code, code, length),
      *to->slot++ = PyLong_AsUnsignedLongLongMask(PyTuple_GET_ITEM(found, 1));
  }
  Py_XDECREF(found);
  PyErr_Clear(); // of a function, say, whose type compiled code does not have
  return refusal;
}

static pa_refusal unbox_other(PyObject *value, pa_kernel_arguments *arguments, int depth) {
  bool named;
  pa_refusal refused = unbox_named(value, arguments, depth, &named);
  if (refused || named) return refused;
  if (PyObject_TypeCheck(value, &pa_transfer_type)) {
    transfer_object *wrapped = (transfer_object *)value;
    if (PyArray_Check(wrapped->value)) return unbox_host_array(wrapped->value, wrapped->mode, arguments);
    if (is_record(wrapped->value)) return unbox_record(wrapped->value, wrapped->mode, arguments);
    if (depth == PA_TYPE_MAX_DEPTH) return refuse(arguments, value, PA_REFUSED_DEPTH);
    return unbox_at_depth(wrapped->value, arguments, depth + 1);
  }
  if (is_record(value)) return unbox_record(value, PA_TRANSFER_BOTH, arguments);
  pa_refusal refusal = pa_unbox(value, &arguments->to);
  if (value == pa_omitted) --arguments->to.slot; // kernels have no parameter for it
  if (refusal != PA_REFUSED_TYPE) return refusal;
  PyObject *culprit = arguments->to.culprit;
  refusal = unbox_foreign(value, arguments);
  if (refusal == PA_REFUSED_TYPE) refusal = unbox_pointer(value, arguments);
  return refusal == PA_REFUSED_TYPE ? refuse(arguments, culprit, refusal) : refusal;
}

static pa_refusal unbox_at_depth(PyObject *value, pa_kernel_arguments *arguments, int depth) {
  pa_arguments *to = &arguments->to;
  if (PA_UNLIKELY(to->code >= to->code_end || to->slot >= to->slot_end)) return PA_NO_ROOM;
  if (PA_LIKELY(pa_is_device_array(value))) return put_device_array((pa_device_array *)value, arguments);
  if (PyArray_Check(value)) return unbox_host_array(value, PA_TRANSFER_BOTH, arguments);
  if (PyTuple_CheckExact(value)) return unbox_tuple(value, arguments, depth);
  return unbox_other(value, arguments, depth);
}

pa_refusal pa_kernel_unbox(PyObject *value, pa_kernel_arguments *arguments) {
  return unbox_at_depth(value, arguments, 0);
}

void pa_kernel_arguments_free(pa_kernel_arguments *arguments) {
  pa_transfers_free(arguments->transfers);
  arguments->transfers = NULL;
  Py_CLEAR(arguments->keep);
}

//===-- Conversion to declared types --------------------------------------------------------------===//

static int64_t kernel_slots(const pa_type *type) {
  if (pa_type_is_array(type)) return 1 + 2 * pa_type_axes(type);
  return type->kind == PA_TYPE_SCALAR ? pa_dtype_slots(type->dtype) : type->kind == PA_TYPE_POINTER;
}

// One value that is no tuple, from |from| (up to |from_end|) to |to|.
static bool convert_one(const char *from, const char *from_end, const uint64_t *slots, const char *to,
                        const char *to_end, uint64_t *out_slots) {
  char from_code[2 * PA_SPARE], to_code[2 * PA_SPARE];
  *(char *)mempcpy(mempcpy(from_code, from, (size_t)(from_end - from)), ">", 1) = '\0';
  *(char *)mempcpy(mempcpy(to_code, to, (size_t)(to_end - to)), ">", 1) = '\0';
  return pa_convert_slots(from_code, slots, to_code, out_slots);
}

// Of a named tuple or a vector: its elements.
static const char *behind_name(const char *code) {
  if (*code == 'x' && code[1] == '(') return code + 1;
  const char *end = *code == 'N' && code[1] == '[' ? strchr(code, ']') : NULL;
  return end ? end + 1 : code;
}

bool pa_kernel_convert(const char *from, const uint64_t *slots, const char *to, uint64_t *out_slots,
                       size_t *out_count) {
  const uint64_t *start = out_slots;
  while (*from != '>') {
    pa_type source, target;
    from = behind_name(from), to = behind_name(to);
    if (*from == '(' || *from == ')' || *from == PA_TYPE_OMITTED) { // tuples only differ in their elements
      ++from, ++to;
      continue;
    }
    const char *from_end = pa_type_next(from, &source), *to_end = pa_type_next(to, &target);
    int64_t taken = kernel_slots(&source), given = kernel_slots(&target);
    if (pa_type_is_array(&source) || source.kind == PA_TYPE_POINTER)
      memcpy(out_slots, slots, (size_t)taken * sizeof *slots);
    else if (!convert_one(from, from_end, slots, to, to_end, out_slots))
      return false;
    slots += taken;
    out_slots += given;
    from = from_end;
    to = to_end;
  }
  *out_count = (size_t)(out_slots - start);
  return true;
}
