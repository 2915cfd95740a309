// Results and launches of a GPU's ufuncs. Operands have their loop dimensions merged and in the order in which memory
// lies (lib/runtime/numbers/dimensions.c), so that contiguous ones have one dimension whatever their shape; nothing is
// made of them but the slots and the type code of a launch.
#include "cuda_ufunc.h"

#include <string.h>

//===-- Outputs -----------------------------------------------------------------------------------===//

// F where all arrays of the loop's rank are in that order, so that the loop has one dimension.
static char result_order(const pa_points *p) {
  bool fortran = false;
  if (p->rank < 2 || p->ufunc->is_generalized) return 'C';
  for (int i = 0; i < p->ufunc->nin; ++i) {
    const pa_device_array *array = pa_operand_array(p, i);
    if (!array || array->rank != p->rank) continue;
    if (array->layout != 'F') return 'C';
    fortran = true;
  }
  return fortran ? 'F' : 'C';
}

static int result_shape(const pa_points *p, int operand, npy_intp *out_shape) {
  const pa_core_operand *core = &p->ufunc->core->operands[operand];
  int rank = p->rank;
  memcpy(out_shape, p->shape, (size_t)rank * sizeof *out_shape);
  for (int i = 0; i < core->rank; ++i)
    if (!p->is_missing[core->dimensions[i]]) out_shape[rank++] = p->sizes[core->dimensions[i]];
  return rank;
}

static PyObject *make_array(const pa_points *p, pa_cuda_context *context, PyArray_Descr *dtype, int rank,
                            const npy_intp *shape) {
  npy_intp strides[NPY_MAXDIMS], bytes = PyDataType_ELSIZE(dtype);
  bool fortran = result_order(p) == 'F';
  for (int i = 0; i < rank; ++i) {
    int axis = fortran ? i : rank - 1 - i;
    strides[axis] = bytes;
    if (shape[axis] && __builtin_mul_overflow(bytes, shape[axis], &bytes))
      return PyErr_Format(PyExc_ValueError, "the result is too big");
  }
  for (int i = 0; i < rank; ++i)
    if (!shape[i]) bytes = 0;
  PyObject *memory = pa_memory_new(context, PA_CUDA_DEVICE, 0, (size_t)bytes);
  if (!memory) return NULL;
  PyObject *made = pa_device_array_new(p->ufunc->array_type, context, ((pa_memory_object *)memory)->buffer.device, rank,
                                       shape, strides, dtype, false, memory);
  Py_DECREF(memory);
  if (made && p->handle) ((pa_device_array *)made)->stream = Py_NewRef(p->stream);
  return made;
}

static bool make_output(pa_points *p, pa_cuda_context *context, int operand) {
  npy_intp shape[2 * NPY_MAXDIMS];
  int rank = result_shape(p, operand, shape);
  if (rank > NPY_MAXDIMS) return PyErr_Format(PyExc_ValueError, "too many dimensions: %d", rank), false;
  p->values[operand] = make_array(p, context, p->loop->dtypes[operand], rank, shape);
  return p->values[operand];
}

static bool check_output(const pa_points *p, int operand) {
  const pa_device_array *array = pa_operand_array(p, operand);
  PyArray_Descr *made = p->loop->dtypes[operand];
  if (array->readonly) return PyErr_Format(PyExc_ValueError, "output array is read-only"), false;
  if (!pa_device_array_check_output(array, "the output array")) return false;
  if (pa_ufunc_letter(array->dtype) == p->loop->letters[operand]) return true;
  if (PyArray_CanCastTypeTo(made, array->dtype, NPY_SAME_KIND_CASTING) && !pa_operand_cores(p, operand)) return true;
  PyErr_Format(PyExc_TypeError, "Cannot cast ufunc '%U' output from %R to %R with casting rule 'same_kind'",
               p->ufunc->name, made, array->dtype);
  return false;
}

// Whether kernels in |context| reach all arrays; false with an exception set.
static bool are_near(const pa_points *p, const pa_cuda_context *context) {
  for (int i = 0; i <= p->ufunc->nargs; ++i) {
    const pa_device_array *array = pa_operand_array(p, i);
    if (array && !pa_device_array_in(array, context)) return false;
  }
  return true;
}

static bool find_outputs(pa_points *p, pa_cuda_context *context) {
  const pa_cuda_ufunc *ufunc = p->ufunc;
  bool is_given = false;
  for (int i = ufunc->nin; i < ufunc->nargs; ++i) {
    is_given = is_given || p->values[i];
    if (p->values[i] && !check_output(p, i)) return false;
  }
  if (!p->rank && !is_given && !ufunc->is_generalized) p->shape[p->rank++] = 1; // as Numba has it
  for (int i = ufunc->nin; i < ufunc->nargs; ++i)
    if (!p->values[i] && !make_output(p, context, i)) return false;
  return true;
}

//===-- Dimensions --------------------------------------------------------------------------------===//

typedef struct dimensions {
  int rank, count;  // |count|: of arrays
  int64_t *numbers; // shape[rank], then for each array offset and steps of the loop dimensions, in bytes
  int kept[NPY_MAXDIMS + 1], kept_count; // which are left; -1: one of extent 1
} dimensions;

// Dimensions that the array lacks, or in which it has extent 1, are not stepped along.
static void put_steps(const pa_points *p, int operand, int64_t *place) {
  const pa_device_array *array = pa_operand_array(p, operand);
  const npy_intp *shape = pa_device_array_shape(array);
  int missing = p->rank - (array->rank - pa_operand_core_rank(p, operand));
  place[0] = 0;
  for (int i = 0; i < p->rank; ++i)
    place[1 + i] = i < missing || shape[i - missing] == 1 ? 0 : array->strides[i - missing];
}

static void order_dimensions(const pa_points *p, dimensions *d) {
  int64_t *place = d->numbers + p->rank;
  d->rank = p->rank;
  d->count = 0;
  for (int i = 0; i < p->rank; ++i) d->numbers[i] = p->shape[i];
  for (int i = 0; i <= p->ufunc->nargs; ++i) {
    if (!pa_operand_array(p, i)) continue;
    put_steps(p, i, place);
    place += 1 + p->rank;
    ++d->count;
  }
  pyarray_rt_order_dimensions(d->rank, d->count, (int64_t)(intptr_t)d->numbers);
  d->kept_count = 0;
  for (int i = 0; i < d->rank; ++i)
    if (d->numbers[i] != 1) d->kept[d->kept_count++] = i;
  if (!d->kept_count) d->kept[d->kept_count++] = -1;
}

//===-- Slots -------------------------------------------------------------------------------------===//

typedef struct launch {
  char *code;
  uint64_t *slot;
} launch;

// Whether strides are those of |layout|, in which case they are replaced by the ones that follow from the extents.
static bool is_contiguous(char layout, int rank, const uint64_t *shape, uint64_t *strides) {
  uint64_t own[NPY_MAXDIMS], step = 1;
  for (int i = 0; i < rank; ++i) {
    int axis = layout == 'C' ? rank - 1 - i : i;
    if (shape[axis] > 1 && strides[axis] != step) return false;
    own[axis] = step;
    step *= shape[axis] ? shape[axis] : 1;
  }
  memcpy(strides, own, (size_t)rank * sizeof *strides);
  return true;
}

static char *put_array_code(char *code, char layout, int rank, char letter) {
  *code++ = '[';
  *code++ = layout;
  if (rank > 9) *code++ = (char)('0' + rank / 10);
  *code++ = (char)('0' + rank % 10);
  return pa_ufunc_put_code(code, letter);
}

// Inputs whose kernel takes numbers where it takes contiguous arrays (lib/passes/gpu/map_grid_numbers.c).
static bool may_be_number(const pa_points *p, int operand) {
  bool is_input = operand < p->ufunc->nin || operand == p->ufunc->nargs;
  return is_input && !p->ufunc->is_generalized;
}

// Core dimensions that this call lacks have extent 1.
static int put_cores(const pa_points *p, int operand, npy_intp item, uint64_t *shape, uint64_t *strides) {
  const pa_device_array *array = pa_operand_array(p, operand);
  const pa_core_operand *core = operand < p->ufunc->nargs ? &p->ufunc->core->operands[operand] : NULL;
  int axis = array->rank - pa_operand_core_rank(p, operand), count = pa_operand_cores(p, operand);
  for (int i = 0; i < count; ++i) {
    bool is_missing = p->is_missing[core->dimensions[i]];
    shape[i] = is_missing ? 1 : (uint64_t)pa_device_array_shape(array)[axis];
    strides[i] = is_missing ? 1 : (uint64_t)(int64_t)(array->strides[axis] / item);
    axis += !is_missing;
  }
  return count;
}

static bool put_array(const pa_points *p, int operand, const dimensions *d, const int64_t *place, launch *to) {
  const pa_device_array *array = pa_operand_array(p, operand);
  npy_intp item = PyDataType_ELSIZE(array->dtype);
  int rank = d->kept_count + pa_operand_cores(p, operand);
  char letter = pa_ufunc_letter(array->dtype);
  if (!pa_device_array_ready(array)) return false;
  if (!array->code_length || !letter) {
    pa_raise_refusal(p->loop->dispatcher, operand, (PyObject *)array, (PyObject *)array,
                     letter ? PA_REFUSED_STRIDES : PA_REFUSED_DTYPE);
    return false;
  }
  if (rank > PA_TYPE_MAX_RANK)
    return PyErr_Format(PyExc_ValueError, "compiled code has no arrays of %d dimensions", rank), false;
  *to->slot++ = pa_device_array_data(array) + (CUdeviceptr)place[0];
  uint64_t *shape = to->slot, *strides = shape + rank;
  for (int i = 0; i < d->kept_count; ++i) {
    int axis = d->kept[i];
    shape[i] = axis < 0 ? 1 : (uint64_t)d->numbers[axis];
    strides[i] = axis < 0 ? 1 : (uint64_t)(place[1 + axis] / item);
  }
  put_cores(p, operand, item, shape + d->kept_count, strides + d->kept_count);
  char layout = is_contiguous('C', rank, shape, strides) ? 'C' : is_contiguous('F', rank, shape, strides) ? 'F' : 'A';
  to->code = put_array_code(to->code, layout, rank, letter);
  to->slot += 2 * rank;
  return true;
}

// |value| as an element of |dtype|. An int that does not fit is an OverflowError, as it is for NumPy's types.
static bool convert_number(PyObject *value, PyArray_Descr *dtype, void *out_element) {
  PyObject *number = PyLong_Check(value) ? PyObject_CallOneArg((PyObject *)dtype->typeobj, value) : Py_NewRef(value);
  PyArrayObject *found = number ? (PyArrayObject *)PyArray_FROM_O(number) : NULL;
  PyArrayObject *array =
      found ? (PyArrayObject *)PyArray_CastToType(found, (PyArray_Descr *)Py_NewRef((PyObject *)dtype), 0) : NULL;
  if (array) memcpy(out_element, PyArray_DATA(array), (size_t)PyDataType_ELSIZE(dtype));
  Py_XDECREF(number);
  Py_XDECREF((PyObject *)found);
  Py_XDECREF((PyObject *)array);
  return array;
}

// The number that to->slot[0] and [1] hold becomes an array.
static void put_as_array(int rank, char letter, launch *to) {
  uint64_t *extents = to->slot + 1, *strides = extents + rank, second = to->slot[1];
  memset(extents, 0, 2 * (size_t)rank * sizeof *extents);
  strides[0] = second;
  to->code = put_array_code(to->code, 'C', rank, letter);
  to->slot = strides + rank;
}

// The mask of where= is a boolean.
static bool put_number(const pa_points *p, int operand, const dimensions *d, launch *to) {
  bool is_mask = operand == p->ufunc->nargs;
  char letter = is_mask ? '?' : p->loop->letters[operand];
  PyObject *value = p->values[operand];
  int64_t integer;
  to->slot[0] = to->slot[1] = 0;
  if (letter == 'd' && PyFloat_CheckExact(value)) {
    memcpy(to->slot, &((PyFloatObject *)value)->ob_fval, sizeof(double));
  } else if (letter == 'f' && PyFloat_CheckExact(value)) {
    float narrow = (float)PyFloat_AS_DOUBLE(value);
    memcpy(to->slot, &narrow, sizeof narrow);
  } else if (letter == 'q' && PyLong_CheckExact(value) && pa_small_int(value, &integer)) {
    to->slot[0] = (uint64_t)integer;
  } else if (is_mask) {
    int truth = PyObject_IsTrue(value);
    if (truth < 0) return false;
    to->slot[0] = (uint64_t)truth;
  } else if (!convert_number(value, p->loop->dtypes[operand], to->slot)) {
    return false;
  }
  if (may_be_number(p, operand)) return put_as_array(d->kept_count, letter, to), true;
  to->code = pa_ufunc_put_code(to->code, letter);
  to->slot += letter == 'D' ? 2 : 1;
  return true;
}

//===-- The launch --------------------------------------------------------------------------------===//

static bool put_operands(const pa_points *p, const dimensions *d, launch *to) {
  const int64_t *place = d->numbers + p->rank;
  for (int i = 0; i <= p->ufunc->nargs; ++i) {
    if (!p->values[i]) continue;
    bool is_array = pa_operand_array(p, i);
    if (is_array ? !put_array(p, i, d, place, to) : !put_number(p, i, d, to)) return false;
    place += is_array ? 1 + p->rank : 0;
  }
  return true;
}

enum { OPERAND_CODE = 4 + PA_SPARE, ON_STACK = 256 };

static bool launch_points(const pa_points *p, pa_cuda_context *context, int64_t points) {
  char code[(PA_MAX_OPERANDS + 1) * OPERAND_CODE];
  int64_t on_stack[ON_STACK];
  size_t operands = (size_t)p->ufunc->nargs + 1, numbers = (size_t)p->rank + operands * (size_t)(1 + p->rank);
  size_t slots = operands * 3; // the data, and the one dimension that there may be besides those of the loop
  for (int i = 0; i <= p->ufunc->nargs; ++i) slots += 2 * (size_t)(p->rank + pa_operand_cores(p, i));
  int64_t *memory = numbers + slots <= ON_STACK ? on_stack : PyMem_Malloc((numbers + slots) * sizeof *memory);
  if (!memory) return PyErr_NoMemory(), false;
  uint64_t *first = (uint64_t *)(memory + numbers);
  dimensions d = {.numbers = memory};
  launch to = {code, first};
  order_dimensions(p, &d);
  bool done =
      put_operands(p, &d, &to) && pa_cuda_launch_points(p->loop->dispatcher, context, points, p->handle, code,
                                                        (size_t)(to.code - code), first, (size_t)(to.slot - first));
  if (memory != on_stack) PyMem_Free(memory);
  return done;
}

bool pa_points_compute(pa_points *p) {
  pa_cuda_context *context = pa_cuda_here();
  if (!context || !are_near(p, context) || !pa_points_find_shapes(p) || !find_outputs(p, context)) return false;
  int64_t points = 1;
  for (int i = 0; i < p->rank; ++i) points *= p->shape[i];
  return !points || launch_points(p, context, points);
}
