// Arguments: a Python value becomes its type code and its slots, in one pass and without allocating.
//
//   3.5                -> "d"     one slot
//   (1, True)          -> "(q?)"  two slots
//   np.ones((2, 3))    -> "[C2d"  allocated, data, offset, 2, 3, 3, 1, owner
#include "objects.h"

#include <string.h>

//===-- NumPy scalars -----------------------------------------------------------------------------===//

typedef struct scalar_type {
  PyTypeObject *type;
  char dtype;
  uint8_t offset; // of the value in the object
  uint8_t size;
} scalar_type;

enum { SCALAR_TYPES = 16 };
static scalar_type scalar_types[SCALAR_TYPES];

void pa_unbox_initialize(void) {
#define PA_ROW(name, dtype)                                                                                            \
  {                                                                                                                    \
    &Py##name##ArrType_Type, dtype, offsetof(Py##name##ScalarObject, obval),                                           \
        sizeof(((Py##name##ScalarObject *)0)->obval)                                                                   \
  }
  // The common ones first: the table is searched from the front.
  const scalar_type rows[SCALAR_TYPES] = {
      PA_ROW(Double, 'd'), PA_ROW(Long, 'q'),     PA_ROW(Float, 'f'),     PA_ROW(Int, 'i'),
      PA_ROW(Bool, '?'),   PA_ROW(CDouble, 'D'),  PA_ROW(ULong, 'Q'),     PA_ROW(UByte, 'B'),
      PA_ROW(Byte, 'b'),   PA_ROW(Short, 'h'),    PA_ROW(UShort, 'H'),    PA_ROW(UInt, 'I'),
      PA_ROW(CFloat, 'F'), PA_ROW(LongLong, 'q'), PA_ROW(ULongLong, 'Q'), PA_ROW(Half, 'e'),
  };
#undef PA_ROW
  memcpy(scalar_types, rows, sizeof rows);
}

static void put_bytes(const void *value, size_t size, char dtype, pa_arguments *arguments) {
  uint64_t slots[2] = {0, 0};
  memcpy(slots, value, size);
  *arguments->code++ = dtype;
  *arguments->slot++ = slots[0];
  if (dtype == 'D') *arguments->slot++ = slots[1];
}

static bool unbox_time(PyObject *value, pa_arguments *arguments) {
  char dtype;
  pa_time_unit unit;
  int64_t count;
  if (!pa_time_scalar(value, &dtype, &unit, &count)) return false;
  arguments->code = pa_time_put_code(arguments->code, dtype, unit);
  *arguments->slot++ = (uint64_t)count;
  return true;
}

static bool unbox_numpy_scalar(PyObject *value, pa_arguments *arguments) {
  PyTypeObject *type = Py_TYPE(value);
  for (const scalar_type *row = scalar_types; row < scalar_types + SCALAR_TYPES; ++row) {
    if (row->type != type) continue;
    put_bytes((const char *)value + row->offset, row->size, row->dtype, arguments);
    return true;
  }
  return unbox_time(value, arguments);
}

//===-- Python scalars ----------------------------------------------------------------------------===//

static pa_refusal put_int(uint64_t number, char dtype, pa_arguments *arguments) {
  *arguments->code++ = dtype;
  *arguments->slot++ = number;
  return PA_ACCEPTED;
}

static pa_refusal unbox_int(PyObject *value, pa_arguments *arguments) {
  int overflow;
  int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (PA_LIKELY(!overflow)) return put_int((uint64_t)number, 'q', arguments);
  uint64_t large = overflow > 0 ? PyLong_AsUnsignedLongLong(value) : 0;
  if (overflow > 0 && !PyErr_Occurred()) return put_int(large, 'Q', arguments);
  PyErr_SetString(PyExc_OverflowError,
                  "int argument is too large: integers of compiled functions have 64 bits, from -2**63 to 2**64 - 1");
  return PA_RAISED;
}

static pa_refusal unbox_complex(PyObject *value, pa_arguments *arguments) {
  Py_complex number = PyComplex_AsCComplex(value);
  put_bytes(&number, sizeof number, 'D', arguments);
  return PA_ACCEPTED;
}

//===-- Arrays ------------------------------------------------------------------------------------===//

// By NumPy's type number. Both `long` and `long long` have 64 bits here, long double has no code.
static const char dtype_letters[NPY_HALF + 1] = "?bBhHiIqQqQfd\0FD\0\0\0\0\0Mme";
static const uint8_t item_shifts[NPY_HALF + 1] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 2,
                                                  3, 0, 3, 4, 0, 0, 0, 0, 0, 3, 3, 1};
_Static_assert(NPY_BOOL == 0 && NPY_LONG == 7 && NPY_LONGLONG == 9 && NPY_FLOAT == 11 && NPY_CDOUBLE == 15 &&
                   NPY_DATETIME == 21 && NPY_TIMEDELTA == 22 && NPY_HALF == 23,
               "dtype_letters is in the order of NPY_TYPES");
_Static_assert(sizeof(long) == 8, "np.long is int64");

static pa_refusal refuse(pa_arguments *arguments, PyObject *culprit, pa_refusal refusal) {
  arguments->culprit = culprit;
  return refusal;
}

// 0: none.
static inline char letter_of(const PyArray_Descr *descr) {
  unsigned number = (unsigned)descr->type_num; // a dtype of another library may have any
  return PA_LIKELY(number <= NPY_HALF) ? dtype_letters[number] : pa_is_bfloat16(descr) ? 'g' : '\0';
}

static inline char *put_array_code(char *code, char layout, int rank, const PyArray_Descr *descr) {
  *code++ = '[';
  *code++ = layout;
  if (PA_UNLIKELY(rank >= 10)) *code++ = (char)('0' + rank / 10);
  *code++ = (char)('0' + rank % 10);
  char letter = letter_of(descr);
  if (PA_UNLIKELY(pa_dtype_is_time(letter))) return pa_time_put_code(code, letter, pa_time_descr_unit(descr));
  *code++ = letter;
  return code;
}

char *pa_array_code(char *code, char layout, int rank, const PyArray_Descr *descr) {
  if (!letter_of(descr) || !PyArray_ISNBO(descr->byteorder) || rank > PA_TYPE_MAX_RANK) return NULL;
  return put_array_code(code, layout, rank, descr);
}

// Strides of a contiguous array follow from its shape; NumPy may report others for extents of 0 and 1.
static void put_contiguous_strides(char layout, int rank, const npy_intp *shape, uint64_t *strides) {
  uint64_t step = 1;
  for (int i = 0; i < rank; ++i) {
    int axis = layout == 'C' ? rank - 1 - i : i;
    strides[axis] = step;
    step *= shape[axis] ? (uint64_t)shape[axis] : 1;
  }
}

// An owner that holds the array. One reference is the call's.
int64_t pa_keep_array(PyObject *array, pa_object_arguments *objects) {
  const pa_object_argument *known = pa_object_argument_find(objects, (uint64_t)(uintptr_t)array, false);
  if (known) return known->handle;
  pa_owner record;
  int64_t handle = pyarray_rt_keep(pa_owner_borrow(&record, array));
  if (!handle) return PyErr_NoMemory(), 0;
  return pa_keep_typed(objects, array, handle) ? 0 : handle;
}

static pa_refusal unbox_array(PyObject *value, pa_arguments *arguments) {
  PyArrayObject *array = (PyArrayObject *)value;
  if (PA_UNLIKELY(arguments->device)) return refuse(arguments, value, PA_REFUSED_DEVICE); // within a list, say
  int rank = PyArray_NDIM(array);
  int flags = PyArray_FLAGS(array);
  PyArray_Descr *descr = PyArray_DESCR(array);
  char letter = letter_of(descr);
  if (PA_UNLIKELY(!PyArray_ISNBO(descr->byteorder))) return refuse(arguments, value, PA_REFUSED_BYTE_ORDER);
  if (PA_UNLIKELY(!letter))
    return pa_has_bytes_code(descr) ? pa_unbox_bytes_array(value, 0, arguments)
                                    : refuse(arguments, value, PA_REFUSED_DTYPE);
  if (PA_UNLIKELY(!(flags & NPY_ARRAY_ALIGNED))) return pa_unbox_bytes_array(value, letter, arguments);
  if (PA_UNLIKELY(rank > PA_TYPE_MAX_RANK)) return refuse(arguments, value, PA_REFUSED_TYPE);
  uint64_t *slot = arguments->slot;
  bool is_item = !arguments->record && arguments->objects; // of a container, which may outlive the call
  if (PA_UNLIKELY(slot + 4 + 2 * rank > arguments->slot_end ||
                  (!is_item && arguments->record == arguments->record_end)))
    return PA_NO_ROOM;

  const npy_intp *shape = PyArray_DIMS(array), *strides = PyArray_STRIDES(array);
  char layout = flags & NPY_ARRAY_C_CONTIGUOUS ? 'C' : flags & NPY_ARRAY_F_CONTIGUOUS ? 'F' : 'A';
  slot[0] = slot[1] = (uint64_t)(uintptr_t)PyArray_DATA(array);
  slot[2] = 0;
  slot += 3;
  for (int i = 0; i < rank; ++i) slot[i] = (uint64_t)shape[i];
  slot += rank;
  if (PA_LIKELY(layout != 'A')) {
    put_contiguous_strides(layout, rank, shape, slot);
  } else {
    int shift = letter == 'g' ? 1 : item_shifts[descr->type_num];
    npy_intp all = 0;
    for (int i = 0; i < rank; ++i) {
      all |= strides[i];
      slot[i] = (uint64_t)(int64_t)(strides[i] >> shift);
    }
    if (PA_UNLIKELY(all & (((npy_intp)1 << shift) - 1))) return pa_unbox_bytes_array(value, letter, arguments);
  }
  slot += rank;
  int64_t owner =
      PA_UNLIKELY(is_item) ? pa_keep_array(value, arguments->objects) : pa_owner_borrow(arguments->record++, value);
  if (PA_UNLIKELY(!owner)) return PA_RAISED;
  *slot++ = (uint64_t)owner;
  arguments->slot = slot;
  arguments->code =
      put_array_code(arguments->code, flags & NPY_ARRAY_WRITEABLE ? layout : (char)(layout | 0x20), rank, descr);
  return PA_ACCEPTED;
}

static bool is_masked(PyObject *value) {
  PyObject *bases = Py_TYPE(value)->tp_mro;
  for (Py_ssize_t i = 0; bases && i < PyTuple_GET_SIZE(bases); ++i)
    if (strcmp(((PyTypeObject *)PyTuple_GET_ITEM(bases, i))->tp_name, "MaskedArray") == 0) return true;
  return false;
}

// Subclasses are arrays to compiled code, as in Numba. A mask is not ignored without a word: functions warn, and
// kernels and ufuncs, which keep no objects, refuse it.
static pa_refusal unbox_any_array(PyObject *value, pa_arguments *arguments) {
  if (is_masked(value)) {
    if (!arguments->objects) return refuse(arguments, value, PA_REFUSED_MASKED);
    PyObject *done = pa_call_helper("_report", "warn_of_mask", "(O)", value);
    if (!done) return PA_RAISED;
    Py_DECREF(done);
  }
  return unbox_array(value, arguments);
}

//===-- Tuples ------------------------------------------------------------------------------------===//

static pa_refusal unbox_at_depth(PyObject *value, pa_arguments *arguments, int depth);

// The end of a range, or a part of a slice.
static bool put_part(PyObject *part, pa_arguments *arguments) {
  int64_t number = part ? PyLong_AsLongLong(part) : -1;
  Py_XDECREF(part);
  *arguments->slot++ = (uint64_t)number;
  return number != -1 || !PyErr_Occurred();
}

static pa_refusal unbox_range(PyObject *value, pa_arguments *arguments) {
  static const char *const names[] = {"start", "stop", "step"};
  *arguments->code++ = 'R';
  for (int i = 0; i < 3; ++i)
    if (!put_part(PyObject_GetAttrString(value, names[i]), arguments)) return PA_RAISED;
  return PA_ACCEPTED;
}

// Parts are None, or have __index__.
static pa_refusal unbox_slice(PyObject *value, pa_arguments *arguments) {
  const PySliceObject *slice = (PySliceObject *)value;
  PyObject *parts[] = {slice->start, slice->stop, slice->step};
  *arguments->code++ = 'l';
  for (int i = 0; i < 3; ++i) {
    *arguments->code++ = parts[i] == Py_None ? 'n' : 'q';
    if (parts[i] != Py_None && !put_part(PyNumber_Index(parts[i]), arguments)) return PA_RAISED;
  }
  return PA_ACCEPTED;
}

static pa_refusal unbox_tuple(PyObject *value, pa_arguments *arguments, int depth) {
  if (depth == PA_TYPE_MAX_DEPTH) return refuse(arguments, value, PA_REFUSED_DEPTH);
  if (PyTuple_GET_SIZE(value) > PA_TYPE_MAX_ELEMENTS) return refuse(arguments, value, PA_REFUSED_LENGTH);
  char *start = arguments->code;
  *arguments->code++ = '(';
  const char *like = pa_like_items(arguments->like, '(');
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i) {
    arguments->like = like;
    like = like && *like != ')' ? pa_type_next(like, NULL) : NULL;
    pa_refusal refusal = unbox_at_depth(PyTuple_GET_ITEM(value, i), arguments, depth + 1);
    if (refusal) return refusal;
  }
  if (arguments->code >= arguments->code_end) return PA_NO_ROOM;
  *arguments->code++ = ')';
  *arguments->code = '\0';
  bool too_deep = arguments->code - start > PA_TYPE_MAX_DEPTH && !pa_type_is_valid(start); // containers in it count
  return too_deep ? refuse(arguments, value, PA_REFUSED_DEPTH) : PA_ACCEPTED;
}

//===-- Omitted arguments -------------------------------------------------------------------------===//

PyTypeObject pa_omitted_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.Omitted",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
};
static struct {
  PyObject_HEAD
} omitted = {PyObject_HEAD_INIT(&pa_omitted_type)};
PyObject *const pa_omitted = (PyObject *)&omitted;

//===-- Any value ---------------------------------------------------------------------------------===//

// Subclasses of Python's numbers count as their base; but members of an enum must stay members.
static bool has_plain_metatype(PyObject *value) { return Py_TYPE(Py_TYPE(value)) == &PyType_Type; }

// Compiled functions that were arguments, by number; NULL where they are gone. Their numbers are not used again, so a
// variant is never taken for another function.
static struct {
  pa_dispatcher **items;
  int64_t count, capacity;
} passed;

static bool number_function(pa_dispatcher *function) {
  if (passed.count == passed.capacity) {
    int64_t capacity = passed.capacity ? 2 * passed.capacity : 16;
    pa_dispatcher **items = PyMem_Realloc(passed.items, (size_t)capacity * sizeof *items);
    if (!items) return PyErr_NoMemory(), false;
    passed.items = items;
    passed.capacity = capacity;
  }
  passed.items[passed.count++] = function;
  return function->number = passed.count, true;
}

PyObject *pa_function_numbered(int64_t value) {
  int64_t at = value - PA_TYPE_FUNCTIONS;
  bool known = at >= 1 && at <= passed.count && passed.items[at - 1];
  if (!known) PyErr_SetString(PyExc_RuntimeError, "a compiled function among items does not exist any more");
  return known ? Py_NewRef((PyObject *)passed.items[at - 1]) : NULL;
}

PyObject *pa_passed_function(PyObject *module, PyObject *number) {
  (void)module;
  long long at = PyLong_AsLongLong(number);
  if (at == -1 && PyErr_Occurred()) return NULL;
  bool known = at >= 1 && at <= passed.count && passed.items[at - 1];
  return Py_NewRef(known ? (PyObject *)passed.items[at - 1] : Py_None);
}

void pa_forget_passed(pa_dispatcher *dispatcher) {
  if (dispatcher->number) passed.items[dispatcher->number - 1] = NULL;
}

static pa_refusal unbox_function(pa_dispatcher *function, pa_arguments *arguments) {
  char digits[20];
  int count = 0;
  if (!function->number && !number_function(function)) return PA_RAISED;
  for (int64_t rest = function->number; rest; rest /= 10) digits[count++] = (char)('0' + rest % 10);
  bool is_item = !arguments->record && arguments->objects; // items are of one type: one of several functions
  if (is_item) *arguments->slot++ = (uint64_t)(PA_TYPE_FUNCTIONS + function->number);
  *arguments->code++ = is_item ? 'p' : 'P';
  *arguments->code++ = '[';
  while (count) *arguments->code++ = digits[--count];
  *arguments->code++ = ']';
  return PA_ACCEPTED;
}

// A named tuple, or a member of an enum. |*out_known|: it is one.
static pa_refusal unbox_named(PyObject *value, pa_arguments *arguments, int depth, bool *out_known) {
  *out_known = false;
  if (!PyTuple_Check(value))
    return has_plain_metatype(value) ? PA_ACCEPTED : pa_unbox_member(value, arguments, out_known);
  pa_refusal refusal = pa_put_named_code(value, arguments, out_known);
  return refusal || !*out_known ? refusal : unbox_tuple(value, arguments, depth);
}

// A native function or pointer of ctypes or cffi, or a C callback: its type and its address.
static pa_refusal unbox_native(PyObject *value, pa_arguments *arguments) {
  PyObject *found = arguments->objects ? pa_call_helper("_pointers", "native", "(O)", value) : Py_NewRef(Py_None);
  if (!found) return PA_RAISED;
  Py_ssize_t length = 0;
  const char *code = PyTuple_Check(found) ? PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(found, 0), &length) : NULL;
  pa_refusal refusal = code ? PA_ACCEPTED : refuse(arguments, value, PA_REFUSED_TYPE);
  if (code && length > arguments->code_end - arguments->code) refusal = PA_NO_ROOM;
  if (!refusal) {
    arguments->code = (char *)mempcpy(arguments->code, code, (size_t)length);
    *arguments->slot++ = PyLong_AsUnsignedLongLongMask(PyTuple_GET_ITEM(found, 1));
  }
  Py_DECREF(found);
  return refusal;
}

// Functions that are not compiled ones, which one that calls them stands for: math.sqrt, len, np.sum, a ufunc, a
// functools.partial. |*out_known|: compiled code knows such functions.
static pa_refusal unbox_callable(PyObject *value, pa_arguments *arguments, bool *out_known) {
  PyObject *found = pa_call_helper("_callables", "as_function", "(O)", value);
  if (!found) return PA_RAISED;
  *out_known = pa_is_dispatcher(found);
  pa_refusal refusal = *out_known ? unbox_function((pa_dispatcher *)found, arguments) : PA_ACCEPTED;
  Py_DECREF(found);
  return refusal;
}

static pa_refusal unbox_other(PyObject *value, pa_arguments *arguments) {
  if (PyMemoryView_Check(value)) return pa_unbox_buffer(value, arguments);
  bool is_function = false;
  if (PyCallable_Check(value) && arguments->objects && arguments->record) {
    pa_refusal refused = unbox_callable(value, arguments, &is_function);
    if (refused || is_function) return refused;
  }
  bool random = false;
  pa_refusal refusal = pa_unbox_random(value, arguments, &random);
  if (refusal || random) return refusal;
  refusal = unbox_native(value, arguments);
  if (refusal == PA_REFUSED_TYPE) refusal = pa_unbox_buffer(value, arguments);
  pa_refusal as_array = refusal > PA_RAISED ? pa_unbox_array_like(value, arguments) : PA_REFUSED_TYPE;
  return as_array == PA_REFUSED_TYPE ? refusal : as_array;
}

static pa_refusal unbox_subclass(PyObject *value, pa_arguments *arguments, int depth) {
  if (value == pa_omitted) {
    *arguments->code++ = PA_TYPE_OMITTED;
    *arguments->slot++ = 0;
    return PA_ACCEPTED;
  }
  if (Py_TYPE(value) == &pa_keywords_type && arguments->objects) {
    PyObject *values = NULL;
    pa_refusal refusal = pa_put_keywords_code(value, arguments, &values);
    return refusal ? refusal : unbox_tuple(values, arguments, depth);
  }
  if (arguments->objects &&
      (PyObject_TypeCheck(value, &pa_typed_list_type) || PyObject_TypeCheck(value, &pa_typed_dict_type) ||
       PyObject_TypeCheck(value, &pa_typed_set_type)))
    return pa_unbox_typed(value, arguments);
  if (arguments->objects && PyObject_TypeCheck(value, &pa_instance_class)) return pa_unbox_instance(value, arguments);
  if (arguments->objects && pa_is_deque(value)) return pa_unbox_list(value, arguments);
  if (arguments->objects && PyDict_Check(value)) {
    pa_refusal refusal = pa_unbox_dict(value, arguments);
    return refusal == PA_REFUSED_TYPE ? refuse(arguments, value, refusal) : refusal;
  }
  if (PyArray_Check(value)) return unbox_any_array(value, arguments);
  if (PyObject_TypeCheck(value, &PyVoidArrType_Type)) return pa_unbox_void(value, arguments);
  bool named = false;
  pa_refusal refusal = pa_unbox_dtype(value, arguments, &named);
  if (refusal || named) return refusal;
  refusal = pa_unbox_bfloat16(value, arguments, &named);
  if (refusal || named) return refusal;
  refusal = arguments->objects ? unbox_named(value, arguments, depth, &named) : PA_ACCEPTED;
  if (refusal || named) return refusal;
  if (!has_plain_metatype(value)) return unbox_other(value, arguments);
  if (PyRange_Check(value) && arguments->objects) return unbox_range(value, arguments);
  if (PySlice_Check(value) && arguments->objects) return unbox_slice(value, arguments);
  if (PyLong_Check(value)) return unbox_int(value, arguments);
  if (PyFloat_Check(value)) {
    double number = PyFloat_AS_DOUBLE(value);
    put_bytes(&number, sizeof number, 'd', arguments);
    return PA_ACCEPTED;
  }
  if (PyComplex_Check(value)) return unbox_complex(value, arguments);
  return unbox_other(value, arguments);
}

static pa_refusal unbox_at_depth(PyObject *value, pa_arguments *arguments, int depth) {
  bool on_device = false;
  if (PA_UNLIKELY(arguments->code >= arguments->code_end || arguments->slot >= arguments->slot_end)) return PA_NO_ROOM;
  if (PA_UNLIKELY(arguments->device)) {
    pa_refusal refusal = pa_forward.unbox_on_device(value, arguments, &on_device);
    if (on_device) return refusal;
  }
  if (PyArray_CheckExact(value)) return unbox_array(value, arguments);
  if (PyFloat_CheckExact(value)) {
    double number = PyFloat_AS_DOUBLE(value);
    put_bytes(&number, sizeof number, 'd', arguments);
    return PA_ACCEPTED;
  }
  if (PyLong_CheckExact(value)) return unbox_int(value, arguments);
  if (PyBool_Check(value)) {
    *arguments->code++ = '?';
    *arguments->slot++ = value == Py_True;
    return PA_ACCEPTED;
  }
  if (value == Py_None) {
    *arguments->code++ = 'n';
    return PA_ACCEPTED;
  }
  if (Py_TYPE(value) == pa_forward.dispatcher_type && arguments->objects && !((pa_dispatcher *)value)->ufunc)
    return unbox_function((pa_dispatcher *)value, arguments);
  if (unbox_numpy_scalar(value, arguments)) return PA_ACCEPTED;
  if (PyTuple_CheckExact(value)) return unbox_tuple(value, arguments, depth);
  if (PyList_CheckExact(value) && arguments->objects) return pa_unbox_list(value, arguments);
  if ((PyDict_CheckExact(value) || PySet_CheckExact(value) || PyFrozenSet_CheckExact(value)) && arguments->objects)
    return pa_unbox_dict(value, arguments);
  if ((PyUnicode_CheckExact(value) || PyBytes_CheckExact(value)) && arguments->objects)
    return pa_unbox_text_argument(value, arguments);
  if (PyByteArray_CheckExact(value) && arguments->objects) return pa_unbox_bytearray(value, arguments);
  if (PyComplex_CheckExact(value)) return unbox_complex(value, arguments);
  return unbox_subclass(value, arguments, depth);
}

pa_refusal pa_unbox(PyObject *value, pa_arguments *arguments) { return unbox_at_depth(value, arguments, 0); }

PyObject *pa_type_code_of(PyObject *value) {
  for (size_t room = 256;; room *= 4) {
    char *memory = PyMem_Malloc(room * (1 + 8 + sizeof(pa_owner)));
    if (!memory) return PyErr_NoMemory();
    pa_owner *records = (pa_owner *)memory;
    uint64_t *slots = (uint64_t *)(records + room);
    pa_object_arguments objects = {0};
    char *code = (char *)(slots + room);
    pa_arguments arguments = {
        code, code + room - PA_SPARE, slots, slots + room - PA_SPARE, records, records + room, NULL, &objects, NULL,
        false};
    pa_refusal refusal = pa_unbox(value, &arguments);
    pa_objects_discard(&objects);
    PyObject *text = refusal ? NULL : PyUnicode_FromStringAndSize(code, arguments.code - code);
    PyMem_Free(memory);
    if (refusal == PA_NO_ROOM) continue;
    if (refusal > PA_RAISED) pa_raise_refusal(NULL, -1, value, arguments.culprit, refusal);
    return text;
  }
}

pa_refusal pa_unbox_text_argument(PyObject *value, pa_arguments *arguments) {
  int64_t handle = pa_unbox_text(value);
  if (!handle) return PyErr_Occurred() ? PA_RAISED : (PyErr_NoMemory(), PA_RAISED);
  pa_refusal refusal = pa_keep_typed(arguments->objects, value, handle);
  if (refusal) return refusal;
  *arguments->code++ = PyBytes_Check(value) ? 'Y' : 'U';
  *arguments->slot++ = (uint64_t)handle;
  return PA_ACCEPTED;
}
