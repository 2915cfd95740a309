// A call of a routine of cuBLAS with Python's arguments, where all of them are as the library takes them.
//
//   blas.gemv("N", m, n, 1.5, a, x, 0, y)  ->  cublasSgemv_v2(handle, 0, m, n, &alpha, a, leading, x, step, &beta, y,
//   step)
#include "cuda_blas.h"

#include <string.h>

// cuBLAS reads complex numbers by accesses of 16 bytes.
typedef union number {
  float s, c[2];
  _Alignas(16) double z[2];
  double d;
  float five_s[5];
  double five_d[5];
  int i;
} number;

// A matrix can be taken as one in columns, or as the transposed of one: leading dimensions, 0 where it cannot.
typedef struct operand {
  const pa_device_array *array;
  int step; // of a vector, or of a matrix as it is passed
  int in_columns, in_rows;
  long long distance; // of matrices in a batch
  CUdeviceptr low, high;
} operand;

typedef struct call {
  const pa_blas_method *method;
  const pa_blas_handle *handle;
  int letter; // 0 to 3: s d c z
  int64_t counts[PA_BLAS_COUNTS];
  int choices[PA_LIBRARY_MOST_PARAMETERS];
  number numbers[PA_LIBRARY_MOST_PARAMETERS + 1]; // the last is the result
  operand operands[PA_LIBRARY_MOST_PARAMETERS];
} call;

//===-- Arrays ------------------------------------------------------------------------------------===//

static int letter_of(const PyArray_Descr *dtype) {
  if (!PyArray_ISNBO(dtype->byteorder)) return -1;
  switch (dtype->type_num) {
  case NPY_FLOAT: return 0;
  case NPY_DOUBLE: return 1;
  case NPY_CFLOAT: return 2;
  case NPY_CDOUBLE: return 3;
  default: return -1;
  }
}

// Finds the arrays, and the dtype that all have.
static bool read_arrays(call *call, PyObject *const *values) {
  call->letter = -1;
  for (int i = 0; i < call->method->parameter_count; ++i) {
    const pa_blas_parameter *parameter = &call->method->parameters[i];
    if (!pa_blas_is_array(parameter->kind)) continue;
    if (!pa_is_device_array(values[i])) return false;
    const pa_device_array *array = (const pa_device_array *)values[i];
    if (!pa_device_array_ready(array)) return PyErr_Clear(), false;
    int letter = letter_of(array->dtype);
    if (letter < 0 || (call->letter >= 0 && letter != call->letter)) return false;
    if (array->rank != parameter->rank || (parameter->is_written && array->readonly) ||
        array->context != call->handle->blas.resource.context || !pa_device_array_lives(array) ||
        pa_device_array_data(array) % (CUdeviceptr)PyDataType_ELSIZE(array->dtype))
      return false;
    call->letter = letter;
    call->operands[i].array = array;
  }
  return call->letter >= 0 && call->method->natives[call->letter].symbol[0];
}

static bool has_shape(call *call, const pa_blas_parameter *parameter, const pa_device_array *array) {
  bool second = parameter->governor >= 0 && call->choices[parameter->governor];
  for (int i = 0; i < parameter->rank; ++i) {
    pa_blas_extent extent = parameter->shapes[second][i];
    int64_t found = pa_device_array_shape(array)[i], *first = &call->counts[extent.first];
    if (*first < 0) *first = found; // no parameter says it
    int64_t wanted = extent.is_triangle ? *first * (*first + 1) / 2
                                        : *first + extent.more + (extent.second < 0 ? 0 : call->counts[extent.second]);
    if (found != wanted || found > INT32_MAX) return false;
  }
  return true;
}

// |bytes| in elements, or 0 where that is no number of them that cuBLAS takes.
static int elements(npy_intp bytes, npy_intp item) {
  return bytes > 0 && bytes % item == 0 && bytes / item <= INT32_MAX ? (int)(bytes / item) : 0;
}

// The distance of lines that are contiguous; 0 where they are not, or overlap.
static int leading(npy_intp length, npy_intp step, npy_intp lines, npy_intp distance, npy_intp item) {
  npy_intp least = length > 1 ? length : 1;
  if (length > 1 && step != item) return 0;
  if (lines <= 1) return (int)least;
  return distance >= least * item ? elements(distance, item) : 0;
}

static bool is_matrix(operand *operand, const npy_intp *shape, const npy_intp *strides, npy_intp item, bool any) {
  operand->in_columns = leading(shape[0], strides[0], shape[1], strides[1], item);
  operand->in_rows = any ? leading(shape[1], strides[1], shape[0], strides[0], item) : 0;
  operand->step = operand->in_columns;
  return operand->in_columns || operand->in_rows;
}

static bool is_batch(operand *operand, const npy_intp *shape, const npy_intp *strides, npy_intp item) {
  if (!shape[0] || (shape[0] > 1 && (strides[0] < 0 || strides[0] % item))) return false;
  operand->distance = shape[0] > 1 ? strides[0] / item : 0;
  return is_matrix(operand, shape + 1, strides + 1, item, true);
}

static bool has_order(pa_blas_kind kind, operand *operand) {
  const pa_device_array *array = operand->array;
  const npy_intp *shape = pa_device_array_shape(array), *strides = array->strides;
  npy_intp item = PyDataType_ELSIZE(array->dtype);
  switch (kind) {
  case PA_BLAS_PACKED: return array->layout == 'C';
  case PA_BLAS_COLUMNS: return is_matrix(operand, shape, strides, item, false);
  case PA_BLAS_MATRIX: return is_matrix(operand, shape, strides, item, true);
  case PA_BLAS_BATCH: return is_batch(operand, shape, strides, item);
  default: return (operand->step = shape[0] > 1 ? elements(strides[0], item) : 1) != 0;
  }
}

// Whether matrices of a batch may lie over each other; Python looks closer.
static bool may_overlap_itself(const operand *operand) {
  const npy_intp *shape = pa_device_array_shape(operand->array), *strides = operand->array->strides;
  npy_intp span = (shape[1] - 1) * strides[1] + (shape[2] - 1) * strides[2];
  return shape[0] > 1 && shape[1] && shape[2] && strides[0] <= span;
}

static void find_bounds(operand *operand) {
  const pa_device_array *array = operand->array;
  operand->low = operand->high = pa_device_array_data(array);
  npy_intp bytes = PyDataType_ELSIZE(array->dtype);
  for (int i = 0; i < array->rank; ++i) {
    npy_intp extent = pa_device_array_shape(array)[i];
    if (!extent) return;
    if (extent > 1) bytes += (extent - 1) * array->strides[i]; // no stride is negative
  }
  operand->high += (CUdeviceptr)bytes;
}

// Whether an array that is written shares memory with another one.
static bool are_apart(const call *call) {
  const pa_blas_method *method = call->method;
  for (int i = 0; i < method->parameter_count; ++i) {
    if (!method->parameters[i].is_written) continue;
    const operand *written = &call->operands[i];
    for (int j = 0; j < method->parameter_count; ++j) {
      const operand *other = &call->operands[j];
      if (j != i && other->array && written->low < other->high && other->low < written->high) return false;
    }
  }
  return true;
}

//===-- Numbers and letters -----------------------------------------------------------------------===//

static bool read_count(PyObject *value, int64_t *out) {
  int overflow;
  if (!PyLong_Check(value)) return false;
  *out = PyLong_AsLongLongAndOverflow(value, &overflow);
  return !overflow && *out >= 0 && *out <= INT32_MAX;
}

static bool read_choice(PyObject *value, const char *letters, int *out) {
  if (!PyUnicode_Check(value) || PyUnicode_GET_LENGTH(value) != 1) return false;
  Py_UCS4 letter = PyUnicode_READ_CHAR(value, 0);
  if (letter >= 'a' && letter <= 'z') letter -= 'a' - 'A';
  for (*out = 0; *out < 4 && letters[*out]; ++*out)
    if (letter == (Py_UCS4)letters[*out]) return true;
  return false;
}

static bool read_real(PyObject *value, double *out) {
  if (!PyFloat_Check(value) && !PyLong_Check(value) && !PyArray_IsScalar(value, Floating) &&
      !PyArray_IsScalar(value, Integer))
    return false;
  *out = PyFloat_AsDouble(value);
  if (*out != -1 || !PyErr_Occurred()) return true;
  PyErr_Clear(); // Python's path raises it
  return false;
}

static bool read_complex(PyObject *value, double *out) {
  out[1] = 0;
  if (read_real(value, out)) return true;
  if (!PyComplex_Check(value) && !PyArray_IsScalar(value, ComplexFloating)) return false;
  Py_complex both = PyComplex_AsCComplex(value);
  out[0] = both.real, out[1] = both.imag;
  if (both.real != -1 || !PyErr_Occurred()) return true;
  PyErr_Clear();
  return false;
}

static bool read_scalar(PyObject *value, int letter, number *out) {
  double parts[2];
  if (!(letter < 2 ? read_real(value, parts) : read_complex(value, parts))) return false;
  switch (letter) {
  case 0: out->s = (float)parts[0]; break;
  case 1: out->d = parts[0]; break;
  case 2: out->c[0] = (float)parts[0], out->c[1] = (float)parts[1]; break;
  default: memcpy(out->z, parts, sizeof parts);
  }
  return true;
}

// A real number is one of a complex routine's, too: its imaginary part was left 0.
static bool is_zero(int letter, const number *value) {
  return letter & 1 ? value->z[0] == 0 && (letter == 1 || value->z[1] == 0)
                    : value->s == 0 && (letter == 0 || value->c[1] == 0);
}

static bool read_five(PyObject *value, int letter, number *out) {
  if (!PyTuple_Check(value) || PyTuple_GET_SIZE(value) != 5) return false;
  for (int i = 0; i < 5; ++i) {
    double d;
    if (!read_real(PyTuple_GET_ITEM(value, i), &d)) return false;
    if (letter)
      out->five_d[i] = d;
    else
      out->five_s[i] = (float)d;
  }
  return true;
}

static bool read_value(call *call, int i, PyObject *value) {
  const pa_blas_parameter *parameter = &call->method->parameters[i];
  switch (parameter->kind) {
  case PA_BLAS_COUNT: return read_count(value, &call->counts[parameter->count]);
  case PA_BLAS_CHOICE: return read_choice(value, parameter->letters, &call->choices[i]);
  case PA_BLAS_SCALAR: return read_scalar(value, call->letter, &call->numbers[i]);
  case PA_BLAS_REAL: return read_scalar(value, call->letter & 1, &call->numbers[i]);
  case PA_BLAS_FIVE: return read_five(value, call->letter, &call->numbers[i]);
  default: return true;
  }
}

//===-- gemm --------------------------------------------------------------------------------------===//

// Of a matrix that is read: as it is, or the transposed one. False where cuBLAS can do neither, since it does not
// conjugate without transposing.
static bool turn(operand *operand, bool flipped, int *trans) {
  int as_it_is = flipped ? operand->in_rows : operand->in_columns;
  operand->step = as_it_is ? as_it_is : flipped ? operand->in_columns : operand->in_rows;
  if (as_it_is) return true;
  if (*trans == 2) return false;
  *trans = !*trans;
  return true;
}

// cuBLAS knows columns alone. Where C is in rows: C.T = op(B).T @ op(A).T.
static bool turn_product(call *call) {
  int places[3], count = 0;
  for (int i = 0; i < call->method->parameter_count && count < 3; ++i)
    if (call->operands[i].array) places[count++] = i;
  operand *a = &call->operands[places[0]], *b = &call->operands[places[1]], *c = &call->operands[places[2]];
  bool flipped = !c->in_columns;
  c->step = flipped ? c->in_rows : c->in_columns;
  if (!turn(a, flipped, &call->choices[0]) || !turn(b, flipped, &call->choices[1])) return false;
  if (!flipped) return true;
  operand first = *a;
  *a = *b, *b = first;
  int trans = call->choices[0];
  call->choices[0] = call->choices[1], call->choices[1] = trans;
  int64_t rows = call->counts[0];
  call->counts[0] = call->counts[1], call->counts[1] = rows;
  return true;
}

//===-- The call ----------------------------------------------------------------------------------===//

// Whether the library takes the arguments; decided before anything is enqueued. |is_checked|: Python has looked at
// factors, and whether arrays overlap themselves.
static bool fits(call *call, PyObject *const *values, bool is_checked) {
  const pa_blas_method *method = call->method;
  for (int i = 0; i < PA_BLAS_COUNTS; ++i) call->counts[i] = -1;
  if (!read_arrays(call, values)) return false;
  for (int i = 0; i < method->parameter_count; ++i)
    if (!read_value(call, i, values[i]) ||
        (!is_checked && method->parameters[i].is_unheeded && is_zero(call->letter, &call->numbers[i])))
      return false;
  bool is_product = false;
  for (int i = 0; i < method->parameter_count; ++i) {
    const pa_blas_parameter *parameter = &method->parameters[i];
    operand *operand = &call->operands[i];
    if (!operand->array) continue;
    if (!has_shape(call, parameter, operand->array) || !has_order(parameter->kind, operand)) return false;
    if (!is_checked && parameter->is_written && parameter->kind == PA_BLAS_BATCH && may_overlap_itself(operand))
      return false;
    find_bounds(operand);
    is_product |= parameter->kind == PA_BLAS_MATRIX || parameter->kind == PA_BLAS_BATCH;
  }
  return are_apart(call) && (!is_product || turn_product(call));
}

// cuBLAS's arguments behind the handle, and of each its letter for pa_blas_find.
static int put_arguments(call *call, pa_blas_value *out, char *key) {
  const pa_blas_method *method = call->method;
  int n = 0;
  for (int i = 0; i < method->order_count; ++i) {
    int place = method->order[i];
    pa_blas_kind kind = place < 0 ? PA_BLAS_COUNT : method->parameters[place].kind;
    const operand *operand = place < 0 ? NULL : &call->operands[place];
    if (kind == PA_BLAS_COUNT || kind == PA_BLAS_CHOICE) {
      int count = place < 0 ? ~place : method->parameters[place].count;
      key[n] = 'I', out[n++].number = kind == PA_BLAS_COUNT ? (int)call->counts[count] : call->choices[place];
    } else if (!operand->array) {
      key[n] = 'P', out[n++].pointer = &call->numbers[place];
    } else {
      key[n] = 'P', out[n++].pointer = (void *)(uintptr_t)pa_device_array_data(operand->array);
      if (kind != PA_BLAS_PACKED) key[n] = 'I', out[n++].number = operand->step;
      if (kind == PA_BLAS_BATCH) key[n] = 'L', out[n++].distance = operand->distance;
    }
  }
  if (method->natives[call->letter].result) key[n] = 'P', out[n++].pointer = &call->numbers[PA_LIBRARY_MOST_PARAMETERS];
  key[n] = 0;
  return n;
}

static PyObject *number_object(char letter, const number *value) {
  switch (letter) {
  case 'S': return PyFloat_FromDouble((double)value->s);
  case 'D': return PyFloat_FromDouble(value->d);
  case 'C': return PyComplex_FromDoubles((double)value->c[0], (double)value->c[1]);
  case 'Z': return PyComplex_FromDoubles(value->z[0], value->z[1]);
  default: return PyLong_FromLong(value->i - 1);
  }
}

// The array that is written, or a tuple of both.
static PyObject *written(const pa_blas_method *method, PyObject *const *values) {
  PyObject *found[2] = {NULL, NULL};
  int count = 0;
  for (int i = 0; i < method->parameter_count && count < 2; ++i)
    if (method->parameters[i].is_written) found[count++] = values[i];
  return count == 2 ? PyTuple_Pack(2, found[0], found[1]) : Py_NewRef(found[0]);
}

static PyObject *call_library(pa_library_method *object, PyObject *const *values, bool is_checked) {
  pa_blas_method *self = (pa_blas_method *)object;
  for (int i = 0; i <= self->parameter_count; ++i)
    if (!values[i]) Py_RETURN_NOTIMPLEMENTED;
  if (!PyObject_TypeCheck(values[0], &pa_blas_handle_type)) Py_RETURN_NOTIMPLEMENTED;
  pa_blas_handle *handle = (pa_blas_handle *)values[0];
  if (!handle->blas.resource.context) Py_RETURN_NOTIMPLEMENTED;
  call call = {.method = self, .handle = handle};
  if (!fits(&call, values + 1, is_checked)) Py_RETURN_NOTIMPLEMENTED;
  pa_blas_native *native = &self->natives[call.letter];
  pa_blas_value arguments[PA_BLAS_MOST_ARGUMENTS];
  char key[PA_BLAS_MOST_ARGUMENTS + 1];
  put_arguments(&call, arguments, key);
  if (!native->routine.call && !pa_cuda_ok(pa_blas_find(native->symbol, key, &native->routine))) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_blas_run(&handle->blas, &native->routine, arguments);
  Py_END_ALLOW_THREADS if (!pa_cuda_ok(status)) return NULL;
  return native->result ? number_object(native->result, &call.numbers[PA_LIBRARY_MOST_PARAMETERS])
                        : written(self, values + 1);
}

PyObject *pa_blas_call(pa_library_method *object, PyObject *const *values) {
  return call_library(object, values, false);
}

PyObject *pa_blas_call_checked(pa_library_method *object, PyObject *const *values) {
  return call_library(object, values, true);
}
