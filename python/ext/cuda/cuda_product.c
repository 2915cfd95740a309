// Products of device arrays by cuBLAS: what the operator @ asks for (pyarray/cuda/_products.py).
#include "cuda_libraries.h"

#include "cuda/product.h"

static bool product_type(const PyArray_Descr *dtype, pa_product_type *out) {
  if (!PyArray_ISNBO(dtype->byteorder)) return false;
  switch (dtype->type_num) {
  case NPY_HALF: return *out = PA_PRODUCT_F16, true;
  case NPY_FLOAT: return *out = PA_PRODUCT_F32, true;
  case NPY_DOUBLE: return *out = PA_PRODUCT_F64, true;
  case NPY_CFLOAT: return *out = PA_PRODUCT_C64, true;
  case NPY_CDOUBLE: return *out = PA_PRODUCT_C128, true;
  default: return false;
  }
}

// The last two dimensions as matrices, a third one as their number. False where strides are no numbers of elements.
static bool matrices_of(const pa_device_array *array, int64_t count, pa_matrices *out) {
  const npy_intp *shape = pa_device_array_shape(array), *strides = array->strides;
  npy_intp item = PyDataType_ELSIZE(array->dtype);
  int rank = array->rank;
  for (int i = 0; i < rank; ++i)
    if (strides[i] % item) return false;
  bool several = rank == 3 && shape[0] > 1;
  *out = (pa_matrices){pa_device_array_data(array), shape[rank - 2],          shape[rank - 1],
                       strides[rank - 2] / item,    strides[rank - 1] / item, several ? strides[0] / item : 0};
  return rank == 2 || shape[0] == 1 || shape[0] == count;
}

// product(out, a, b): out = a @ b, of matrices or equally many of them, one dtype, one device. False where cuBLAS,
// which is open, does not take them as they lie.
static PyObject *product(PyObject *module, PyObject *arguments) {
  pa_device_array *arrays[3];
  pa_matrices matrices[3];
  pa_product_type type;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!O!O!", &pa_device_array_type, &arrays[0], &pa_device_array_type, &arrays[1],
                        &pa_device_array_type, &arrays[2]))
    return NULL;
  int64_t count = 1;
  for (int i = 0; i < 3; ++i) {
    const pa_device_array *array = arrays[i];
    if (i == 0 ? !pa_device_array_ready(array) : !pa_device_array_readable(array)) return NULL;
    if (array->rank < 2 || array->rank > 3 || array->context != arrays[0]->context ||
        !PyArray_EquivTypes(array->dtype, arrays[0]->dtype))
      Py_RETURN_FALSE;
    if (array->rank == 3 && i == 0) count = pa_device_array_shape(array)[0];
  }
  if (arrays[0]->readonly || !product_type(arrays[0]->dtype, &type)) Py_RETURN_FALSE;
  for (int i = 0; i < 3; ++i)
    if (!matrices_of(arrays[i], count, &matrices[i])) Py_RETURN_FALSE;
  const pa_matrices *out = &matrices[0], *a = &matrices[1], *b = &matrices[2];
  if (a->columns != b->rows || out->rows != a->rows || out->columns != b->columns) Py_RETURN_FALSE;
  pa_status status;
  bool done = false;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_product(arrays[0]->context, type, count, out, a, b, &done);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? PyBool_FromLong(done) : NULL;
}

PyMethodDef pa_cuda_product_functions[] = {
    {"product", product, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
