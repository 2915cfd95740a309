// Records and text of a fixed length: NumPy's dtypes as codes of items (support/record_code.h), and back.
//
//   np.zeros(3, [("x", "f8"), ("y", "i8")])        "[C1{16,x@0:d,y@8:q}"     slots of an array of bytes with one more
//   axis np.zeros((), ...)[()]                          "{16,x@0:d,y@8:q}"        the same without axes of its own
//
// pyarray/records.py makes a code; it is made once for each dtype.
#include "objects.h"

#include <stdlib.h>
#include <string.h>

#include "record_code.h"

//===-- dtypes to codes ---------------------------------------------------------------------------===//

typedef struct known_dtype {
  PyArray_Descr *descr; // held, so that the address stays its own; NULL: free
  char *code;           // of the item; NULL: compiled code has none
  char *packed;         // the same at any address
  size_t length, packed_length;
  int alignment;
} known_dtype;

enum { KNOWN = 256 };
static known_dtype known[KNOWN];

static char *copy_text(const char *text, size_t length) {
  char *copy = PyMem_Malloc(length + 1);
  if (!copy) return PyErr_NoMemory(), NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

static void forget(known_dtype *entry) {
  PyMem_Free(entry->code);
  PyMem_Free(entry->packed);
  Py_XDECREF(entry->descr);
  *entry = (known_dtype){0};
}

static bool learn(known_dtype *entry, PyArray_Descr *descr) {
  PyObject *text = pa_call_helper("records", "code_of", "(O)", descr);
  if (!text && !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
  PyErr_Clear();
  known_dtype made = {.descr = descr, .alignment = 1};
  if (text) {
    Py_ssize_t length;
    const char *code = PyUnicode_AsUTF8AndSize(text, &length);
    int64_t size;
    const char *end = code ? pa_item_code_end(code, &size) : NULL;
    if (end && !*end) {
      made.length = (size_t)length;
      made.code = copy_text(code, made.length);
      made.alignment = pa_item_code_alignment(code);
    }
    PyErr_Clear();
    bool may_be_packed = made.code && (*code == '{' || *code == 'x') && made.alignment > 1;
    if (may_be_packed) {
      size_t head = code[1] == 'r' ? 2 : 1;
      made.packed = PyMem_Malloc(made.length + 2);
      if (made.packed) {
        memcpy(made.packed, code, head);
        made.packed[head] = 'p';
        memcpy(made.packed + head + 1, code + head, made.length - head + 1);
        made.packed_length = made.length + 1;
      }
    }
    Py_DECREF(text);
    if (may_be_packed && !made.packed) return forget(&(known_dtype){.code = made.code}), PyErr_NoMemory(), false;
  }
  forget(entry);
  Py_INCREF(descr);
  *entry = made;
  return true;
}

// NULL with an exception set.
static const known_dtype *known_of(PyArray_Descr *descr) {
  known_dtype *entry = &known[((uintptr_t)descr >> 4) * 0x9E3779B97F4A7C15u >> 56];
  if (PA_UNLIKELY(entry->descr != descr) && !learn(entry, descr)) return NULL;
  return entry;
}

//===-- Arguments ---------------------------------------------------------------------------------===//

static bool put_text(pa_arguments *arguments, const char *text, size_t length) {
  if (length > (size_t)(arguments->code_end - arguments->code)) return false;
  memcpy(arguments->code, text, length);
  arguments->code += length;
  return true;
}

// Whether addresses and strides are multiples of |alignment|.
static bool is_aligned(const void *data, const npy_intp *strides, int rank, int alignment) {
  uintptr_t all = (uintptr_t)data;
  for (int i = 0; i < rank; ++i) all |= (uintptr_t)strides[i];
  return (all & ((uintptr_t)alignment - 1)) == 0;
}

// Those of kernels have none.
static bool takes_owners(const pa_arguments *arguments) { return arguments->record || arguments->objects; }

// Room for an array of so many axes, and its owner.
static bool has_room(const pa_arguments *arguments, int axes) {
  bool is_item = !arguments->record && arguments->objects; // of a container
  return arguments->slot + 4 + 2 * axes <= arguments->slot_end &&
         (is_item || arguments->record != arguments->record_end);
}

static bool put_owner(pa_arguments *arguments, PyObject *value) {
  int64_t owner =
      arguments->record ? pa_owner_borrow(arguments->record++, value) : pa_keep_array(value, arguments->objects);
  *arguments->slot++ = (uint64_t)owner;
  return owner != 0;
}

static pa_refusal refuse(pa_arguments *arguments, PyObject *culprit, pa_refusal refusal) {
  arguments->culprit = culprit;
  return refusal;
}

bool pa_has_bytes_code(const PyArray_Descr *descr) {
  return descr->type_num == NPY_STRING || descr->type_num == NPY_UNICODE ||
         (descr->type_num == NPY_VOID && PyDataType_HASFIELDS(descr));
}

const char *pa_bytes_code(PyArray_Descr *descr, const void *data, const npy_intp *strides, int rank) {
  const known_dtype *dtype = known_of(descr);
  bool packed = dtype && dtype->packed && !is_aligned(data, strides, rank, dtype->alignment);
  return !dtype ? NULL : packed ? dtype->packed : dtype->code;
}

pa_refusal pa_unbox_bytes_array(PyObject *value, char letter, pa_arguments *arguments) {
  PyArrayObject *array = (PyArrayObject *)value;
  PyArray_Descr *descr = PyArray_DESCR(array);
  int rank = PyArray_NDIM(array), flags = PyArray_FLAGS(array);
  const npy_intp *shape = PyArray_DIMS(array), *strides = PyArray_STRIDES(array);
  npy_intp size = PyArray_ITEMSIZE(array);
  const known_dtype *dtype = letter ? NULL : known_of(descr);
  if (!letter && !dtype) return PA_RAISED;
  if (dtype && !dtype->code) return refuse(arguments, value, PA_REFUSED_DTYPE);
  if (rank > PA_RECORD_MAX_RANK || !takes_owners(arguments)) return refuse(arguments, value, PA_REFUSED_TYPE);
  uint64_t *slot = arguments->slot;
  if (!has_room(arguments, rank + 1)) return PA_NO_ROOM;
  char layout = letter                           ? 'B'
                : flags & NPY_ARRAY_C_CONTIGUOUS ? 'C'
                                                 : 'A',
       head[4] = {'[', flags & NPY_ARRAY_WRITEABLE ? layout : (char)(layout | 0x20)};
  int count = 2;
  if (rank >= 10) head[count++] = (char)('0' + rank / 10);
  head[count++] = (char)('0' + rank % 10);
  slot[0] = slot[1] = (uint64_t)(uintptr_t)PyArray_DATA(array);
  slot[2] = 0;
  uint64_t step = (uint64_t)size;
  for (int i = 0; i < rank; ++i) slot[3 + i] = (uint64_t)shape[i];
  for (int i = rank - 1; i >= 0; --i) { // of a contiguous array they follow from the shape
    slot[4 + rank + i] = layout == 'C' ? step : (uint64_t)(int64_t)strides[i];
    step *= shape[i] ? (uint64_t)shape[i] : 1;
  }
  slot[3 + rank] = (uint64_t)size;
  slot[4 + 2 * rank] = 1;
  bool packed =
      dtype && dtype->packed && !is_aligned(PyArray_DATA(array), strides, layout == 'C' ? 0 : rank, dtype->alignment);
  const char *code = letter ? &letter : packed ? dtype->packed : dtype->code;
  size_t length = letter ? 1 : packed ? dtype->packed_length : dtype->length;
  if (!put_text(arguments, head, (size_t)count) || !put_text(arguments, code, length)) return PA_NO_ROOM;
  if (letter && pa_dtype_is_time(letter))
    arguments->code = pa_time_put_code(arguments->code - 1, letter, pa_time_descr_unit(descr));
  arguments->slot = slot + 5 + 2 * rank;
  return put_owner(arguments, value) ? PA_ACCEPTED : PA_RAISED;
}

// A vector of CUDA's is its elements.
static pa_refusal put_vector(const known_dtype *dtype, const char *elements, pa_arguments *arguments) {
  char letter = 'b';
  int count = pa_vector_count(dtype->code, &letter), size = pa_dtype_size(letter);
  if (arguments->slot + count > arguments->slot_end || !put_text(arguments, dtype->code, dtype->length))
    return PA_NO_ROOM;
  for (int i = 0; i < count; ++i) {
    *arguments->slot = 0;
    memcpy(arguments->slot++, elements + i * size, (size_t)size);
  }
  return PA_ACCEPTED;
}

PyObject *pa_box_vector(const char *code, const uint64_t **slots) {
  char letter = 'b', elements[PA_VECTOR_MAX_COUNT * 8];
  int count = pa_vector_count(code, &letter), size = pa_dtype_size(letter);
  for (int i = 0; i < count; ++i) memcpy(elements + i * size, (*slots)++, (size_t)size);
  PyArray_Descr *descr = pa_bytes_descr(code);
  PyObject *vector = descr ? PyArray_Scalar(elements, descr, NULL) : NULL;
  Py_XDECREF(descr);
  return vector;
}

pa_refusal pa_unbox_void(PyObject *value, pa_arguments *arguments) {
  PyVoidScalarObject *scalar = (PyVoidScalarObject *)value;
  const known_dtype *dtype = known_of((PyArray_Descr *)scalar->descr);
  if (!dtype) return PA_RAISED;
  if (dtype->code && *dtype->code == 'x') return put_vector(dtype, scalar->obval, arguments);
  if (!takes_owners(arguments)) return refuse(arguments, value, PA_REFUSED_TYPE);
  if (!dtype->code || *dtype->code != '{') return refuse(arguments, value, PA_REFUSED_DTYPE);
  if (!has_room(arguments, 1)) return PA_NO_ROOM;
  bool packed = dtype->packed && !is_aligned(scalar->obval, NULL, 0, dtype->alignment);
  if (!(scalar->flags & NPY_ARRAY_WRITEABLE) && !put_text(arguments, "v", 1)) return PA_NO_ROOM;
  if (!put_text(arguments, packed ? dtype->packed : dtype->code, packed ? dtype->packed_length : dtype->length))
    return PA_NO_ROOM;
  uint64_t *slot = arguments->slot;
  slot[0] = slot[1] = (uint64_t)(uintptr_t)scalar->obval;
  slot[2] = 0;
  slot[3] = (uint64_t)Py_SIZE(scalar);
  slot[4] = 1;
  arguments->slot = slot + 5;
  return put_owner(arguments, value) ? PA_ACCEPTED : PA_RAISED;
}

//===-- Codes to dtypes ---------------------------------------------------------------------------===//

PyArray_Descr *pa_bytes_descr(const char *code) {
  static PyObject *made; // dict: code to dtype
  const char *end = pa_item_code_end(code, NULL);
  PyObject *text = end ? PyUnicode_FromStringAndSize(code, end - code) : NULL;
  if (!made) made = PyDict_New();
  PyObject *descr = text && made ? PyDict_GetItemWithError(made, text) : NULL;
  Py_XINCREF(descr);
  if (!descr && !PyErr_Occurred()) {
    descr = pa_call_helper("records", "dtype_of", "(O)", text);
    if (descr && PyDict_SetItem(made, text, descr) < 0) Py_CLEAR(descr);
  }
  Py_XDECREF(text);
  return (PyArray_Descr *)descr;
}

PyTypeObject *pa_bytes_array_type(const char *code) {
  static PyObject *recarray;
  if (*code != '{' || code[1] != 'r') return &PyArray_Type;
  if (!recarray) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    recarray = numpy ? PyObject_GetAttrString(numpy, "recarray") : NULL;
    Py_XDECREF(numpy);
  }
  return (PyTypeObject *)recarray;
}
