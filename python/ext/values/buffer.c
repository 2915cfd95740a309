// Memoryviews as arguments and results, and what has a buffer, as array.array, mmap and ctypes arrays have: an argument
// is a memoryview of it.
//
//   memoryview(b"spam")     -> "VB[c1B"   the slots of an array
//   array.array("d", ...)   -> "Vd[C1d"
#include "objects.h"

#include <string.h>

//===-- Arguments ---------------------------------------------------------------------------------===//

// The letter of a format of one native number, "@i", "=i" and "<i" too; 0: it is another one.
static char letter_of(const char *format) {
  if (!format) return 'B';
  if (*format && strchr("@=<", *format)) ++format;
  return *format && !format[1] && pa_format_is_valid(*format) ? *format : 0;
}

static char dtype_of(char letter) {
  return letter == 'l' || letter == 'n' ? 'q' : letter == 'L' || letter == 'N' ? 'Q' : letter;
}

static char layout_of(const Py_buffer *buffer) {
  return PyBuffer_IsContiguous(buffer, 'C') ? 'C' : PyBuffer_IsContiguous(buffer, 'F') ? 'F' : 'A';
}

// Whether compiled code can read the items where they lie.
static pa_refusal check(const Py_buffer *buffer, char letter) {
  if (!letter || buffer->itemsize != pa_dtype_size(dtype_of(letter)) || buffer->ndim > PA_TYPE_MAX_RANK)
    return PA_REFUSED_FORMAT;
  for (int i = 0; i < buffer->ndim; ++i)
    if ((buffer->suboffsets && buffer->suboffsets[i] >= 0) || buffer->strides[i] % buffer->itemsize)
      return PA_REFUSED_FORMAT;
  // An empty array.array lies at an odd address.
  return buffer->len && (uintptr_t)buffer->buf % (uintptr_t)buffer->itemsize ? PA_REFUSED_FORMAT : PA_ACCEPTED;
}

static pa_refusal put_view(PyObject *view, const Py_buffer *buffer, char letter, pa_arguments *arguments) {
  int rank = buffer->ndim;
  char layout = layout_of(buffer), *code = arguments->code;
  uint64_t *slot = arguments->slot;
  if (slot + 4 + 2 * rank > arguments->slot_end || code >= arguments->code_end) return PA_NO_ROOM;
  int64_t owner = pa_keep_array(view, arguments->objects);
  if (!owner) return PA_RAISED;
  slot[0] = slot[1] = (uint64_t)(uintptr_t)buffer->buf;
  slot[2] = 0;
  for (int i = 0; i < rank; ++i) {
    slot[3 + i] = (uint64_t)buffer->shape[i];
    slot[3 + rank + i] = (uint64_t)(int64_t)(buffer->strides[i] / buffer->itemsize);
  }
  slot[3 + 2 * rank] = (uint64_t)owner;
  arguments->slot = slot + 4 + 2 * rank;
  arguments->code =
      code + sprintf(code, "V%c[%c%d%c", letter, buffer->readonly ? layout | 0x20 : layout, rank, dtype_of(letter));
  return PA_ACCEPTED;
}

// The call holds a memoryview of its own, so that the object is not resized meanwhile.
pa_refusal pa_unbox_buffer(PyObject *value, pa_arguments *arguments) {
  bool top_level = arguments->objects && arguments->record; // an item of a container would have to outlive the call
  arguments->culprit = value;
  if (!top_level || !PyObject_CheckBuffer(value) || PyBytes_Check(value) || PyByteArray_Check(value) ||
      PyArray_CheckScalar(value))
    return PA_REFUSED_TYPE;
  PyObject *view = PyMemoryView_FromObject(value);
  if (!view) return PA_RAISED;
  const Py_buffer *buffer = PyMemoryView_GET_BUFFER(view);
  char letter = letter_of(buffer->format);
  pa_refusal refusal = check(buffer, letter);
  if (!refusal) refusal = put_view(view, buffer, letter, arguments);
  Py_DECREF(view);
  return refusal;
}

// What NumPy makes an array of by a protocol (pyarray/_array_like.py). The call keeps the array.
pa_refusal pa_unbox_array_like(PyObject *value, pa_arguments *arguments) {
  bool top_level = arguments->objects && arguments->record && !arguments->device;
  arguments->culprit = value;
  PyObject *array = top_level ? pa_call_helper("_array_like", "as_array", "(O)", value) : Py_NewRef(Py_None);
  if (!array) return PA_RAISED;
  pa_refusal refusal = PA_REFUSED_TYPE;
  if (array != Py_None) refusal = pa_keep_array(array, arguments->objects) ? pa_unbox(array, arguments) : PA_RAISED;
  Py_DECREF(array);
  arguments->culprit = value; // the array does not outlive the call that is refused
  return refusal > PA_RAISED ? PA_REFUSED_TYPE : refusal;
}

//===-- Results -----------------------------------------------------------------------------------===//

// With the format |letter|; takes over the reference to |view|, which may be NULL. NumPy has another one for numbers of
// the same kind.
static PyObject *with_format(PyObject *view, char letter) {
  const Py_buffer *buffer = view ? PyMemoryView_GET_BUFFER(view) : NULL;
  if (!buffer || (buffer->format && *buffer->format == letter) || !PyBuffer_IsContiguous(buffer, 'C') ||
      buffer->ndim > 1)
    return view;
  PyObject *bytes = PyObject_CallMethod(view, "cast", "s", "B"),
           *made = bytes ? PyObject_CallMethod(bytes, "cast", "s", (char[]){letter, '\0'}) : NULL;
  Py_XDECREF(bytes);
  Py_DECREF(view);
  return made;
}

PyObject *pa_memoryview_of(PyObject *array, char format) {
  if (!array) return NULL;
  PyObject *view = PyMemoryView_FromObject(array);
  Py_DECREF(array);
  return with_format(view, format);
}

PyObject *pa_exporting_argument(int64_t owner, const pa_object_arguments *objects, ptrdiff_t *out_moved) {
  int64_t handle = pa_exported_bytearray(owner);
  const pa_object_argument *argument =
      handle && objects ? pa_object_argument_find(objects, (uint64_t)handle, true) : NULL;
  if (!argument || !PyByteArray_Check(argument->object)) return NULL;
  *out_moved = PyByteArray_AS_STRING(argument->object) - ((pa_list *)pa_object_of(handle))->items;
  return argument->object;
}
