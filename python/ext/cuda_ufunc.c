// Operands of a ufunc on a GPU: views of device arrays with the loop dimensions that its kernel runs over, merged and in the order in
// which memory lies (lib/runtime/dimensions.c), so that contiguous operands have one dimension whatever their shape.
#include "cuda.h"

#include <string.h>

typedef struct operand {
  pa_device_array *array; // NULL: a number
  int core;               // core dimensions
  int64_t *place;         // offset and steps of the loop dimensions, in bytes
} operand;

typedef struct loop {
  int rank, count; // |count|: of arrays
  int64_t *numbers; // shape[rank], then [count][1 + rank]
} loop;

// Dimensions that the array lacks, or in which it has extent 1, are not stepped along.
static bool read_place(const loop *l, const operand *o) {
  const npy_intp *shape = pa_device_array_shape(o->array);
  int missing = l->rank - (o->array->rank - o->core);
  if (missing < 0) return false;
  o->place[0] = 0;
  for (int i = 0; i < l->rank; ++i) {
    npy_intp extent = i < missing ? 1 : shape[i - missing];
    if (extent != 1 && extent != l->numbers[i]) return false;
    o->place[1 + i] = extent == 1 ? 0 : o->array->strides[i - missing];
  }
  return true;
}

// The steps that are left, dimensions of extent 1 apart; one of these at least.
static int keep_dimensions(const loop *l, int *out_kept) {
  int count = 0;
  for (int i = 0; i < l->rank; ++i)
    if (l->numbers[i] != 1) out_kept[count++] = i;
  if (!count) out_kept[count++] = -1;
  return count;
}

static PyObject *view(const loop *l, const operand *o, const int *kept, int kept_count) {
  npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
  const pa_device_array *array = o->array;
  int rank = 0, first = array->rank - o->core;
  for (; rank < kept_count; ++rank) {
    shape[rank] = kept[rank] < 0 ? 1 : l->numbers[kept[rank]];
    strides[rank] = kept[rank] < 0 ? PyDataType_ELSIZE(array->dtype) : o->place[1 + kept[rank]];
  }
  for (int i = 0; i < o->core && rank < NPY_MAXDIMS; ++i, ++rank) {
    shape[rank] = pa_device_array_shape(array)[first + i];
    strides[rank] = array->strides[first + i];
  }
  CUdeviceptr data = pa_device_array_data(array) + (CUdeviceptr)o->place[0];
  return pa_device_array_new(&pa_device_array_type, array->context, data, rank, shape, strides, array->dtype, array->readonly,
                             array->owner ? array->owner : (PyObject *)array);
}

static PyObject *make_views(loop *l, const operand *operands, PyObject *values) {
  int kept[NPY_MAXDIMS + 1];
  pyarray_rt_order_dimensions(l->rank, l->count, (int64_t)(intptr_t)l->numbers);
  int kept_count = keep_dimensions(l, kept);
  Py_ssize_t count = PyTuple_GET_SIZE(values);
  PyObject *views = PyTuple_New(count);
  for (Py_ssize_t i = 0; views && i < count; ++i) {
    PyObject *made = operands[i].array ? view(l, &operands[i], kept, kept_count) : Py_NewRef(PyTuple_GET_ITEM(values, i));
    if (made)
      PyTuple_SET_ITEM(views, i, made);
    else
      Py_CLEAR(views);
  }
  return views;
}

static bool read_operands(loop *l, PyObject *shape, PyObject *values, const char *ranks, operand *operands) {
  int64_t *place = l->numbers + l->rank;
  for (int i = 0; i < l->rank; ++i) l->numbers[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(shape, i));
  if (PyErr_Occurred()) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(values); ++i) {
    PyObject *value = PyTuple_GET_ITEM(values, i);
    operands[i] = (operand){.core = ranks[i]};
    if (!pa_is_device_array(value)) continue;
    operands[i].array = (pa_device_array *)value;
    operands[i].place = place;
    place += 1 + l->rank;
    ++l->count;
    if (read_place(l, &operands[i])) continue;
    PyErr_Format(PyExc_ValueError, "operand %zd does not have the loop dimensions %R", i, shape);
    return false;
  }
  return true;
}

// ufunc_views(shape, operands, core ranks): |shape| is that of the loop. Numbers among the operands stay as they are.
static PyObject *ufunc_views(PyObject *module, PyObject *arguments) {
  enum { MOST_OPERANDS = 64 };
  operand operands[MOST_OPERANDS];
  PyObject *shape, *values, *views = NULL;
  const char *ranks;
  Py_ssize_t count;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!O!y#", &PyTuple_Type, &shape, &PyTuple_Type, &values, &ranks, &count)) return NULL;
  if (count != PyTuple_GET_SIZE(values) || count > MOST_OPERANDS || PyTuple_GET_SIZE(shape) > NPY_MAXDIMS)
    return PyErr_Format(PyExc_ValueError, "%zd operands", count);
  loop l = {.rank = (int)PyTuple_GET_SIZE(shape)};
  l.numbers = PyMem_Calloc((size_t)(l.rank + count * (1 + l.rank) + 1), sizeof *l.numbers);
  if (!l.numbers) return PyErr_NoMemory();
  if (read_operands(&l, shape, values, ranks, operands)) views = make_views(&l, operands, values);
  PyMem_Free(l.numbers);
  return views;
}

PyMethodDef pa_cuda_ufunc_functions[] = {
    {"ufunc_views", ufunc_views, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
