// Results: slots written by compiled code become a Python value.
//
//   "d"    -> float           "[C1d" -> ndarray that owns its memory through an ArrayOwner,
//   "(q?)" -> (int, bool)               or a view whose base is the argument it came from
#include "objects.h"

#include <string.h>

//===-- ArrayOwner: keeps memory made by compiled code alive ----------------------------------------===//

typedef struct array_owner {
  PyObject_HEAD int64_t handle;
} array_owner;

static void array_owner_dealloc(PyObject *self) {
  pyarray_rt_release(((array_owner *)self)->handle);
  PyObject_Free(self);
}

PyTypeObject pa_array_owner_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.ArrayOwner",
    .tp_basicsize = sizeof(array_owner),
    .tp_dealloc = array_owner_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "Memory of an array that compiled code made.",
};

int64_t pa_array_owner_handle(PyObject *owner) { return ((const array_owner *)owner)->handle; }

// Takes over the reference to |handle|.
static PyObject *array_owner_new(int64_t handle) {
  array_owner *owner = PyObject_New(array_owner, &pa_array_owner_type);
  if (!owner) {
    pyarray_rt_release(handle);
    return NULL;
  }
  owner->handle = handle;
  return (PyObject *)owner;
}

//===-- Arrays ------------------------------------------------------------------------------------===//

typedef struct array_result {
  PyArray_Descr *descr; // held
  PyTypeObject *array_type;
  int rank;
  bool readonly;
  char *data;
  npy_intp shape[PA_TYPE_MAX_RANK];
  npy_intp strides[PA_TYPE_MAX_RANK]; // in bytes
  int64_t owner;
} array_result;

static int numpy_type_number(char dtype) {
  switch (dtype) {
  case '?': return NPY_BOOL;
  case 'b': return NPY_INT8;
  case 'h': return NPY_INT16;
  case 'i': return NPY_INT32;
  case 'q': return NPY_INT64;
  case 'B': return NPY_UINT8;
  case 'H': return NPY_UINT16;
  case 'I': return NPY_UINT32;
  case 'Q': return NPY_UINT64;
  case 'e': return NPY_FLOAT16;
  case 'f': return NPY_FLOAT32;
  case 'd': return NPY_FLOAT64;
  case 'F': return NPY_COMPLEX64;
  case 'M': return NPY_DATETIME;
  case 'm': return NPY_TIMEDELTA;
  default: return NPY_COMPLEX128;
  }
}

// NULL with an exception set.
static PyArray_Descr *descr_of(const pa_type *type) {
  if (type->kind != PA_TYPE_ARRAY) return pa_bytes_descr(type->elements);
  if (type->dtype == 'g') return pa_bfloat16_descr();
  int number = numpy_type_number(type->dtype);
  return pa_time_dtype(number) ? pa_time_descr(type->dtype, type->unit) : PyArray_DescrFromType(number);
}

// An array, or a record, as an array without axes. Where the items are bytes, these are one more axis.
static void read_array(const pa_type *type, const uint64_t **slots, array_result *out_array) {
  const uint64_t *slot = *slots;
  bool bytes = type->kind != PA_TYPE_ARRAY;
  int rank = type->rank, axes = rank + bytes;
  int unit = bytes ? 1 : pa_dtype_size(type->dtype);
  out_array->descr = descr_of(type);
  out_array->array_type = bytes ? pa_bytes_array_type(type->elements) : &PyArray_Type;
  out_array->rank = rank;
  out_array->readonly = type->readonly;
  out_array->data = (char *)(uintptr_t)slot[1] + (int64_t)slot[2] * unit;
  for (int i = 0; i < rank; ++i) {
    out_array->shape[i] = (npy_intp)slot[3 + i];
    out_array->strides[i] = (npy_intp)slot[3 + axes + i] * unit;
  }
  out_array->owner = (int64_t)slot[3 + 2 * axes];
  *slots = slot + 4 + 2 * axes;
}

// The argument itself, returned as it came.
static bool is_same_array(const array_result *result, PyObject *object) {
  PyArrayObject *array = (PyArrayObject *)object;
  if (PyArray_DATA(array) != result->data || PyArray_NDIM(array) != result->rank) return false;
  if (!result->descr || !PyArray_EquivTypes(PyArray_DESCR(array), result->descr)) return false;
  if (!PyArray_ISWRITEABLE(array) != result->readonly) return false;
  if (!PyArray_CompareLists(PyArray_DIMS(array), result->shape, result->rank)) return false;
  if (PyArray_SIZE(array) == 0) return true;
  for (int i = 0; i < result->rank; ++i)
    if (result->shape[i] > 1 && PyArray_STRIDES(array)[i] != result->strides[i]) return false;
  return true;
}

// The array among those made for this call's result that is the same in memory: `return a, a` is one object twice.
// Borrowed, or NULL.
static PyObject *array_made_before(const array_result *result, const pa_boxing *boxing) {
  for (int i = 0; i < boxing->made_count; ++i)
    if (boxing->made[i].owner == result->owner && is_same_array(result, boxing->made[i].array))
      return boxing->made[i].array;
  return NULL;
}

static void remember_array(int64_t owner, PyObject *array, pa_boxing *boxing) {
  if (boxing->made_count == PA_MAX_MADE) return; // more than anybody returns; the rest are views of one memory
  boxing->made[boxing->made_count].owner = owner;
  boxing->made[boxing->made_count++].array = array; // a tuple that is being made holds it
}

// A new reference to what the array must keep alive; takes over the owner's reference.
static PyObject *base_of(int64_t owner, const pa_boxing *boxing) {
  if (owner == 0) return Py_NewRef(boxing->dispatcher); // part of the compiled code
  pa_owner *record = pa_owner_of(owner);
  if (record->kind == PA_OWNER_BORROWED) return Py_NewRef((PyObject *)record->object);
  PyObject *kept = pa_kept_object(owner);
  if (!kept) return array_owner_new(owner);
  Py_INCREF(kept);
  pyarray_rt_release(owner);
  return kept;
}

// A new array over the memory of |result|.
static PyObject *make_array(const array_result *result, const pa_boxing *boxing) {
  PyObject *base = base_of(result->owner, boxing);
  if (!base) return NULL;
  PyObject *array = NULL;
  if (result->descr && result->array_type) {
    Py_INCREF(result->descr); // the array takes it over
    array = PyArray_NewFromDescr(result->array_type, result->descr, result->rank, result->shape, result->strides,
                                 result->data, result->readonly ? 0 : NPY_ARRAY_WRITEABLE, NULL);
  }
  if (!array) {
    Py_DECREF(base);
    return NULL;
  }
  if (!result->data) { // an empty array without memory: NumPy made its own
    Py_DECREF(base);
    return array;
  }
  if (PyArray_SetBaseObject((PyArrayObject *)array, base) < 0) Py_CLEAR(array);
  return array;
}

// Of a function whose arrays are a GPU's.
static PyObject *array_on_device(const array_result *result, const pa_boxing *boxing) {
  void *context = pa_forward.device_memory_context(result->owner);
  PyObject *base = base_of(result->owner, boxing), *array = NULL;
  if (base && result->descr)
    array = pa_forward.box_on_device(base, result->data, result->rank, result->shape, result->strides, result->descr,
                                     result->readonly, context);
  Py_XDECREF(base);
  return array;
}

static PyObject *array_of(const array_result *result, pa_boxing *boxing) {
  if (boxing->variant && boxing->variant->dispatcher->offload) return array_on_device(result, boxing);
  bool is_borrowed = result->owner && pa_owner_of(result->owner)->kind == PA_OWNER_BORROWED;
  PyObject *argument = pa_kept_object(result->owner);
  if (argument && PyArray_Check(argument) && is_same_array(result, argument)) {
    Py_INCREF(argument);
    if (!is_borrowed) pyarray_rt_release(result->owner);
    return argument;
  }
  PyObject *array = array_made_before(result, boxing);
  if (array) {
    if (result->owner && !is_borrowed) pyarray_rt_release(result->owner);
    return Py_NewRef(array);
  }
  array = make_array(result, boxing);
  if (array) remember_array(result->owner, array, boxing);
  return array;
}

// A memoryview of a bytearray that is an argument shows that one, not the call's copy, which has been written back.
// |*out_array|: NULL with an exception set. False where it is no such memory.
static bool make_from_argument(const array_result *result, const pa_boxing *boxing, PyObject **out_array) {
  ptrdiff_t moved;
  PyObject *bytes = pa_exporting_argument(result->owner, boxing->objects, &moved);
  if (!bytes) return false;
  PyObject *view = PyMemoryView_FromObject(bytes), *array = NULL;
  if (view && result->descr) {
    Py_INCREF(result->descr); // the array takes it over
    array = PyArray_NewFromDescr(&PyArray_Type, result->descr, result->rank, result->shape, result->strides,
                                 result->data + moved, result->readonly ? 0 : NPY_ARRAY_WRITEABLE, NULL);
  }
  if (!array)
    Py_XDECREF(view);
  else if (PyArray_SetBaseObject((PyArrayObject *)array, view) < 0)
    Py_CLEAR(array);
  pyarray_rt_release(result->owner);
  return *out_array = array, true;
}

static PyObject *box_array(const pa_type *type, const uint64_t **slots, pa_boxing *boxing) {
  if (type->random) return pa_box_random(slots);
  array_result result;
  PyObject *array;
  read_array(type, slots, &result);
  if (!make_from_argument(&result, boxing, &array)) array = array_of(&result, boxing);
  Py_XDECREF(result.descr);
  return type->format ? pa_memoryview_of(array, type->format) : array;
}

// A view of the record's memory, as NumPy's a[i] is; the argument itself where it came as one.
static PyObject *box_record(const pa_type *type, const uint64_t **slots, pa_boxing *boxing) {
  array_result result;
  read_array(type, slots, &result);
  PyObject *argument = pa_kept_object(result.owner), *record = NULL;
  bool same = argument && PyArray_IsScalar(argument, Void) && ((PyVoidScalarObject *)argument)->obval == result.data &&
              result.descr &&
              PyArray_EquivTypes((PyArray_Descr *)((PyVoidScalarObject *)argument)->descr, result.descr);
  if (same) {
    record = Py_NewRef(argument);
    if (pa_owner_of(result.owner)->kind != PA_OWNER_BORROWED) pyarray_rt_release(result.owner);
  } else {
    PyObject *array = make_array(&result, boxing);
    if (array) record = PyArray_Scalar(result.data, result.descr, array);
    Py_XDECREF(array);
  }
  Py_XDECREF(result.descr);
  return record;
}

//===-- Scalars -----------------------------------------------------------------------------------===//

static PyObject *box_scalar(char dtype, const uint64_t *slot) {
  uint64_t bits = *slot;
  switch (dtype) {
  case '?': return PyBool_FromLong(bits & 0xff);
  case 'b': return PyLong_FromLong((int8_t)bits);
  case 'h': return PyLong_FromLong((int16_t)bits);
  case 'i': return PyLong_FromLong((int32_t)bits);
  case 'q': return PyLong_FromLongLong((int64_t)bits);
  case 'B': return PyLong_FromLong((uint8_t)bits);
  case 'H': return PyLong_FromLong((uint16_t)bits);
  case 'I': return PyLong_FromUnsignedLong((uint32_t)bits);
  case 'Q': return PyLong_FromUnsignedLongLong(bits);
  case 'e': {
    _Float16 value;
    memcpy(&value, slot, sizeof value);
    return PyFloat_FromDouble((double)value);
  }
  case 'g': return PyFloat_FromDouble(pa_bfloat16_value((uint16_t)bits));
  case 'f': {
    float value;
    memcpy(&value, slot, sizeof value);
    return PyFloat_FromDouble(value);
  }
  case 'd': {
    double value;
    memcpy(&value, slot, sizeof value);
    return PyFloat_FromDouble(value);
  }
  case 'F': {
    float parts[2];
    memcpy(parts, slot, sizeof parts);
    return PyComplex_FromDoubles(parts[0], parts[1]);
  }
  default: {
    double parts[2];
    memcpy(parts, slot, sizeof parts);
    return PyComplex_FromDoubles(parts[0], parts[1]);
  }
  }
}

//===-- Any value ---------------------------------------------------------------------------------===//

static PyObject *box_tuple(const pa_type *type, const char **code, const uint64_t **slots, pa_boxing *boxing) {
  PyObject *tuple = PyTuple_New(pa_type_element_count(type));
  const char *at = type->elements;
  for (Py_ssize_t i = 0; *at != ')'; ++i) {
    PyObject *element = pa_box(&at, slots, boxing); // also after a failure: it takes over the owners
    if (element && tuple)
      PyTuple_SET_ITEM(tuple, i, element);
    else {
      boxing->made_count = 0; // what they name is about to go
      Py_XDECREF(element);
      Py_CLEAR(tuple);
    }
  }
  *code = at + 1;
  return pa_named_tuple_of(type, tuple);
}

// A range, or a slice, which has parts that are None.
static PyObject *box_parts(const pa_type *type, const uint64_t **slots) {
  bool range = type->kind == PA_TYPE_RANGE;
  PyObject *parts[3] = {NULL}, *made = NULL;
  bool done = true;
  for (int i = 0; i < 3; ++i) {
    parts[i] = range || type->elements[i] == 'q' ? PyLong_FromLongLong((int64_t)*(*slots)++) : Py_NewRef(Py_None);
    done = done && parts[i];
  }
  if (done)
    made = range ? PyObject_CallFunctionObjArgs((PyObject *)&PyRange_Type, parts[0], parts[1], parts[2], NULL)
                 : PySlice_New(parts[0], parts[1], parts[2]);
  for (int i = 0; i < 3; ++i) Py_XDECREF(parts[i]);
  return made;
}

static PyObject *box_optional(const pa_type *type, const char **code, const uint64_t **slots, pa_boxing *boxing) {
  bool some = *(*slots)++ & 1;
  *code = type->elements;
  if (some) return pa_box(code, slots, boxing);
  *slots += pa_type_slots(*code);
  *code = pa_type_next(*code, NULL);
  return Py_NewRef(Py_None);
}

PyObject *pa_box(const char **code, const uint64_t **slots, pa_boxing *boxing) {
  if (pa_code_is_number(**code)) {
    char dtype = *(*code)++;
    const uint64_t *slot = *slots;
    *slots += dtype == 'D' ? 2 : 1;
    return box_scalar(dtype, slot);
  }
  pa_type type;
  const char *rest = pa_type_next(*code, &type);
  if (!rest) {
    PyErr_Format(PyExc_SystemError, "pyarray: malformed type code '%s' of a result", *code);
    return NULL;
  }
  switch (type.kind) {
  case PA_TYPE_NONE: *code = rest; return Py_NewRef(Py_None);
  case PA_TYPE_DTYPE: *code = rest; return pa_box_dtype(&type);
  case PA_TYPE_SCALAR: {
    const uint64_t *slot = *slots;
    *code = rest;
    *slots += pa_dtype_slots(type.dtype);
    if (type.name)
      return type.name[-2] == 'p' ? pa_function_numbered((int64_t)*slot) : pa_box_member(&type, (int64_t)*slot);
    if (pa_dtype_is_time(type.dtype)) return pa_time_box(type.dtype, type.unit, (int64_t)*slot);
    return box_scalar(type.dtype, slot);
  }
  case PA_TYPE_POINTER:
    *code = rest;
    return type.dtype == ':' ? pa_forward.box_function_value(*(*slots)++)
                             : PyLong_FromUnsignedLongLong(*(*slots)++); // its address
  case PA_TYPE_TUPLE:
    if (!type.vector) return box_tuple(&type, code, slots, boxing);
    const char *vector = *code;
    return *code = rest, pa_box_vector(vector, slots);
  case PA_TYPE_RANGE:
  case PA_TYPE_SLICE: *code = rest; return box_parts(&type, slots);
  case PA_TYPE_OPTIONAL: return box_optional(&type, code, slots, boxing);
  case PA_TYPE_STR:
  case PA_TYPE_BYTES:
  case PA_TYPE_LIST:
  case PA_TYPE_SET:
  case PA_TYPE_DICT:
  case PA_TYPE_DEQUE:
  case PA_TYPE_BYTEARRAY:
  case PA_TYPE_FROZENSET:
  case PA_TYPE_GENERATOR:
  case PA_TYPE_INSTANCE: *code = rest; return pa_box_handle(&type, (int64_t)*(*slots)++, boxing);
  case PA_TYPE_RECORD: *code = rest; return box_record(&type, slots, boxing);
  default: *code = rest; return box_array(&type, slots, boxing);
  }
}
