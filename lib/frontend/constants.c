// Python objects to attributes: numbers, strings, None, NumPy scalars and arrays.
//
//   3            3 : si64             np.float32(0.5)            5.000000e-01 : f32
//   1 + 2j       #complex.number      np.array([1, 2], 'i4')     dense<[1, 2]> : tensor<2xsi32>
#include <Python.h>

#include "importer.h"
#include "mlir-c/Dialect/Complex.h"

//===-- Python's constants ------------------------------------------------------------------------===//

static MlirType scalar_type(const pa_importer *importer, pa_scalar scalar) {
  return pa_scalar_type(importer->context, scalar);
}

// An int: int64 if it fits, else uint64.
static pa_status int_attr(pa_importer *importer, PyObject *value, const pa_location *location,
                          MlirAttribute *out_attribute) {
  int overflow;
  long long small = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (small == -1 && !overflow && PyErr_Occurred()) return pa_python_failure();
  if (!overflow) {
    *out_attribute = mlirIntegerAttrGet(scalar_type(importer, PA_I64), small);
    return PA_OK;
  }
  unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(value) : 0;
  if (overflow < 0 || (large == (unsigned long long)-1 && PyErr_Occurred())) {
    PyErr_Clear();
    return pa_fail(PA_CODE_UNSUPPORTED, location,
                   "an integer beyond 64 bits is not supported in compiled code; use a float");
  }
  *out_attribute = mlirIntegerAttrGet(scalar_type(importer, PA_U64), (int64_t)large);
  return PA_OK;
}

static MlirAttribute float_attr(const pa_importer *importer, pa_scalar scalar, PyObject *value) {
  return mlirFloatAttrDoubleGet(importer->context, scalar_type(importer, scalar), PyFloat_AsDouble(value));
}

static MlirAttribute complex_attr(const pa_importer *importer, pa_scalar scalar, PyObject *value) {
  return mlirComplexAttrDoubleGet(importer->context, scalar_type(importer, scalar), PyComplex_RealAsDouble(value),
                                  PyComplex_ImagAsDouble(value));
}

static pa_status str_attr(pa_importer *importer, PyObject *value, const pa_location *location,
                          MlirAttribute *out_attribute) {
  Py_ssize_t length;
  const char *text = PyUnicode_AsUTF8AndSize(value, &length);
  if (!text) {
    PyErr_Clear();
    return pa_fail(PA_CODE_UNSUPPORTED, location,
                   "a string with lone surrogates is not supported in compiled code; use valid Unicode");
  }
  *out_attribute = mlirStringAttrGet(importer->context, mlirStringRefCreate(text, (size_t)length));
  return PA_OK;
}

//===-- NumPy's types -----------------------------------------------------------------------------===//

static int is_instance(PyObject *value, PyObject *class) { return class ? PyObject_IsInstance(value, class) : 0; }

static pa_scalar scalar_of_kind(char kind, long size) {
  static const pa_scalar ints[] = {[1] = PA_I8, [2] = PA_I16, [4] = PA_I32, [8] = PA_I64};
  static const pa_scalar unsigneds[] = {[1] = PA_U8, [2] = PA_U16, [4] = PA_U32, [8] = PA_U64};
  bool power = size == 1 || size == 2 || size == 4 || size == 8;
  switch (kind) {
  case 'b': return PA_BOOL;
  case 'i': return power ? ints[size] : PA_NOT_SCALAR;
  case 'u': return power ? unsigneds[size] : PA_NOT_SCALAR;
  case 'f': return size == 4 ? PA_F32 : size == 8 ? PA_F64 : PA_NOT_SCALAR;
  case 'c': return size == 8 ? PA_C64 : size == 16 ? PA_C128 : PA_NOT_SCALAR;
  default: return PA_NOT_SCALAR;
  }
}

// What the elements of a NumPy dtype are; PA_NOT_SCALAR for others than ours.
static pa_status scalar_of_dtype(PyObject *dtype, pa_scalar *out_scalar) {
  pa_status status = PA_OK;
  PyObject *kind = PyObject_GetAttrString(dtype, "kind");
  PyObject *size = kind ? PyObject_GetAttrString(dtype, "itemsize") : NULL;
  const char *text = size ? PyUnicode_AsUTF8AndSize(kind, NULL) : NULL;
  long bytes = text ? PyLong_AsLong(size) : -1;
  if (bytes < 0)
    status = pa_python_failure();
  else
    *out_scalar = scalar_of_kind(text[0], bytes);
  Py_XDECREF(kind);
  Py_XDECREF(size);
  return status;
}

static pa_status scalar_of_value(PyObject *value, pa_scalar *out_scalar) {
  PyObject *dtype = PyObject_GetAttrString(value, "dtype");
  if (!dtype) return pa_python_failure();
  pa_status status = scalar_of_dtype(dtype, out_scalar);
  Py_DECREF(dtype);
  return status;
}

static MlirAttribute scalar_attr(pa_importer *importer, pa_scalar scalar, PyObject *item) {
  if (scalar == PA_BOOL) return mlirIntegerAttrGet(scalar_type(importer, scalar), PyObject_IsTrue(item));
  if (pa_is_signed(scalar)) return mlirIntegerAttrGet(scalar_type(importer, scalar), PyLong_AsLongLong(item));
  if (pa_is_unsigned(scalar))
    return mlirIntegerAttrGet(scalar_type(importer, scalar), (int64_t)PyLong_AsUnsignedLongLong(item));
  return pa_is_float(scalar) ? float_attr(importer, scalar, item) : complex_attr(importer, scalar, item);
}

static pa_status numpy_scalar_attr(pa_importer *importer, PyObject *value, MlirAttribute *out_attribute) {
  pa_scalar scalar = PA_NOT_SCALAR;
  PA_TRY(scalar_of_value(value, &scalar));
  if (scalar == PA_NOT_SCALAR) return PA_OK;
  PyObject *item = PyObject_CallMethod(value, "item", NULL);
  if (!item) return pa_python_failure();
  *out_attribute = scalar_attr(importer, scalar, item);
  Py_DECREF(item);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

pa_status pa_constant_attr(pa_importer *importer, PyObject *value, const pa_location *location,
                           MlirAttribute *out_attribute) {
  *out_attribute = (MlirAttribute){NULL};
  int numpy = is_instance(value, importer->generic);
  if (numpy < 0) return pa_python_failure();
  if (numpy) PA_TRY(numpy_scalar_attr(importer, value, out_attribute));
  if (!mlirAttributeIsNull(*out_attribute)) return PA_OK;
  if (Py_IsNone(value))
    *out_attribute = pa_unit_attr(importer->context);
  else if (PyBool_Check(value))
    *out_attribute = mlirIntegerAttrGet(scalar_type(importer, PA_BOOL), Py_IsTrue(value));
  else if (PyLong_Check(value))
    return int_attr(importer, value, location, out_attribute);
  else if (PyFloat_Check(value))
    *out_attribute = float_attr(importer, PA_F64, value);
  else if (PyComplex_Check(value))
    *out_attribute = complex_attr(importer, PA_C128, value);
  else if (PyUnicode_Check(value))
    return str_attr(importer, value, location, out_attribute);
  return PA_OK;
}

//===-- NumPy's arrays ----------------------------------------------------------------------------===//

// Extents in the arena; NULL with an exception set on failure.
static int64_t *get_shape(pa_importer *importer, PyObject *array, int *out_rank) {
  PyObject *shape = PyObject_GetAttrString(array, "shape");
  if (!shape) return NULL;
  int rank = (int)PyTuple_Size(shape);
  int64_t *extents = PA_NEW_ARRAY(importer->arena, int64_t, rank);
  for (int i = 0; i < rank; ++i) extents[i] = PyLong_AsLongLong(PyTuple_GetItem(shape, i));
  Py_DECREF(shape);
  *out_rank = rank;
  return PyErr_Occurred() ? NULL : extents;
}

static MlirAttribute dense_bools(pa_importer *importer, MlirType type, const char *data, Py_ssize_t count) {
  int *values = PA_NEW_ARRAY(importer->arena, int, count);
  for (Py_ssize_t i = 0; i < count; ++i) values[i] = data[i] != 0;
  return mlirDenseElementsAttrBoolGet(type, count, values);
}

static pa_status elements_attr(pa_importer *importer, PyObject *array, pa_scalar scalar, MlirAttribute *out_attribute) {
  int rank;
  int64_t *shape = get_shape(importer, array, &rank);
  PyObject *bytes = shape ? PyObject_CallMethod(array, "tobytes", NULL) : NULL; // in C order
  if (!bytes) return pa_python_failure();
  MlirType type = mlirRankedTensorTypeGet(rank, shape, scalar_type(importer, scalar), (MlirAttribute){NULL});
  const char *data = PyBytes_AsString(bytes);
  Py_ssize_t size = PyBytes_Size(bytes);
  *out_attribute = scalar == PA_BOOL ? dense_bools(importer, type, data, size)
                                     : mlirDenseElementsAttrRawBufferGet(type, (size_t)size, data);
  Py_DECREF(bytes);
  return PA_OK;
}

static pa_status is_native(PyObject *array, bool *out_native) {
  PyObject *dtype = PyObject_GetAttrString(array, "dtype");
  PyObject *native = dtype ? PyObject_GetAttrString(dtype, "isnative") : NULL;
  Py_XDECREF(dtype);
  if (!native) return pa_python_failure();
  *out_native = Py_IsTrue(native);
  Py_DECREF(native);
  return PA_OK;
}

pa_status pa_elements_attr(pa_importer *importer, PyObject *value, MlirAttribute *out_attribute,
                           const char **out_reason) {
  *out_attribute = (MlirAttribute){NULL};
  *out_reason = NULL;
  int array = is_instance(value, importer->ndarray);
  if (array < 0) return pa_python_failure();
  if (!array) return PA_OK;
  if ((PyObject *)Py_TYPE(value) != importer->ndarray) {
    *out_reason = "is a subclass of numpy.ndarray; convert it with np.asarray";
    return PA_OK;
  }
  bool native = false;
  pa_scalar scalar = PA_NOT_SCALAR;
  PA_TRY(is_native(value, &native));
  PA_TRY(scalar_of_value(value, &scalar));
  if (scalar == PA_NOT_SCALAR)
    *out_reason = "is an array of a dtype that compiled code does not have; convert it with .astype";
  else if (!native)
    *out_reason = "is an array of byte-swapped elements; convert it with .astype(a.dtype.newbyteorder('='))";
  else
    return elements_attr(importer, value, scalar, out_attribute);
  return PA_OK;
}

//===-- dtypes ------------------------------------------------------------------------------------===//

static bool is_subclass(PyObject *value, PyObject *class) {
  return class && PyType_Check(value) && PyType_IsSubtype((PyTypeObject *)value, (PyTypeObject *)class);
}

pa_status pa_numpy_type_name(pa_importer *importer, PyObject *value, const char **out_name) {
  *out_name = NULL;
  int dtype = is_instance(value, importer->dtype);
  if (dtype < 0) return pa_python_failure();
  if (!dtype && !is_subclass(value, importer->generic)) return PA_OK;
  PyObject *made = dtype ? Py_NewRef(value) : PyObject_CallFunctionObjArgs(importer->dtype, value, NULL);
  if (!made) { // an abstract class such as numpy.number
    PyErr_Clear();
    return PA_OK;
  }
  pa_scalar scalar = PA_NOT_SCALAR;
  pa_status status = scalar_of_dtype(made, &scalar);
  Py_DECREF(made);
  if (status || scalar == PA_NOT_SCALAR) return status;
  *out_name = scalar == PA_BOOL ? "numpy.bool_" : pa_arena_format(importer->arena, "numpy.%s", pa_scalar_name(scalar));
  return PA_OK;
}
