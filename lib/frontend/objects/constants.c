// Python objects to attributes: numbers, strings, None, NumPy scalars and arrays.
//
//   3            3 : si64             np.float32(0.5)            5.000000e-01 : f32
//   1 + 2j       #complex.number      np.array([1, 2], 'i4')     dense<[1, 2]> : tensor<2xsi32>
#include <Python.h>

#include <string.h>
#include <strings.h>

#include "mlir-c/Dialect/Complex.h"
#include "objects.h"

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
  case 'f': return size == 2 ? PA_F16 : size == 4 ? PA_F32 : size == 8 ? PA_F64 : PA_NOT_SCALAR;
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

// "datetime64[D]".
static pa_status dtype_name(pa_importer *importer, PyObject *dtype, const char **out_name) {
  PyObject *name = pa_adopt(importer, PyObject_GetAttrString(dtype, "name"));
  *out_name = name ? pa_python_text(importer, name) : NULL;
  return *out_name ? PA_OK : pa_python_failure();
}

// The type of the elements; null where they are none of ours.
static pa_status type_of_dtype(pa_importer *importer, PyObject *dtype, MlirType *out_type) {
  pa_scalar scalar = PA_NOT_SCALAR;
  pa_time time;
  const char *name;
  *out_type = (MlirType){NULL};
  PA_TRY(scalar_of_dtype(dtype, &scalar));
  if (scalar != PA_NOT_SCALAR) return *out_type = scalar_type(importer, scalar), PA_OK;
  PA_TRY(dtype_name(importer, dtype, &name));
  if (pa_time_from_dtype(pa_ref(name), &time)) *out_type = pa_time_type(importer->context, time);
  if (strcmp(name, "bfloat16") == 0) *out_type = scalar_type(importer, PA_BF16);
  return PA_OK;
}

static pa_status type_of_value(pa_importer *importer, PyObject *value, MlirType *out_type) {
  PyObject *dtype = PyObject_GetAttrString(value, "dtype");
  if (!dtype) return pa_python_failure();
  pa_status status = type_of_dtype(importer, dtype, out_type);
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
  MlirType type;
  PA_TRY(type_of_value(importer, value, &type));
  if (mlirTypeIsNull(type)) return PA_OK;
  bool time = pa_is_time(type);
  PyObject *item = time ? PyObject_CallMethod(value, "astype", "s", "int64") : PyObject_CallMethod(value, "item", NULL);
  if (!item) return pa_python_failure();
  *out_attribute =
      time ? pyarrayTicksAttrGet(PyLong_AsLongLong(item), type) : scalar_attr(importer, pa_scalar_of(type), item);
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
  else if (PyBytes_Check(value))
    *out_attribute = mlirStringAttrTypedGet(pyarrayBytesTypeGet(importer->context),
                                            mlirStringRefCreate(PyBytes_AsString(value), (size_t)PyBytes_Size(value)));
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

// The code of a dtype whose items lie in memory as bytes; NULL where compiled code has none.
static pa_status item_code(pa_importer *importer, PyObject *dtype, const char **out_code) {
  *out_code = NULL;
  PyObject *module = PyImport_ImportModule("pyarray.records");
  PyObject *code = module ? pa_adopt(importer, PyObject_CallMethod(module, "code_of", "O", dtype)) : NULL;
  Py_XDECREF(module);
  if (!code && PyErr_ExceptionMatches(PyExc_TypeError)) return PyErr_Clear(), PA_OK;
  const char *text = code ? pa_python_text(importer, code) : NULL;
  if (!text) return pa_python_failure();
  return *out_code = text, PA_OK;
}

static pa_status elements_attr(pa_importer *importer, PyObject *array, MlirType element, MlirAttribute *out_attribute) {
  int rank;
  int64_t *shape = get_shape(importer, array, &rank);
  PyObject *bytes = shape ? PyObject_CallMethod(array, "tobytes", NULL) : NULL; // in C order
  if (!bytes) return pa_python_failure();
  MlirType stored = pa_is_time(element) ? scalar_type(importer, PA_I64) : element;
  if (pa_is_record(element)) { // the bytes of the items are one more axis
    MlirType item = pyarrayTaggedTypeGetItem(element);
    stored = pyarrayArrayTypeGetElement(item);
    int64_t *axes = PA_NEW_ARRAY(importer->arena, int64_t, rank + 1);
    memcpy(axes, shape, (size_t)rank * sizeof *axes);
    axes[rank++] = pyarrayArrayTypeGetExtent(item, 0);
    shape = axes;
  }
  MlirType type = mlirRankedTensorTypeGet(rank, shape, stored, (MlirAttribute){NULL});
  const char *data = PyBytes_AsString(bytes);
  Py_ssize_t size = PyBytes_Size(bytes);
  *out_attribute = pa_scalar_of(element) == PA_BOOL ? dense_bools(importer, type, data, size)
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

// The type of a record, or of text of a fixed length; left null for all others.
static pa_status record_of_value(pa_importer *importer, PyObject *array, MlirType *out_type) {
  const char *code;
  PyObject *dtype = pa_adopt(importer, PyObject_GetAttrString(array, "dtype"));
  if (!dtype) return pa_python_failure();
  PA_TRY(item_code(importer, dtype, &code));
  if (code) *out_type = pa_record_type(importer->context, code, true);
  return PA_OK;
}

static bool is_recarray(pa_importer *importer, PyObject *value) {
  PyObject *numpy = pa_adopt(importer, PyImport_ImportModule("numpy")),
           *class = numpy ? pa_adopt(importer, PyObject_GetAttrString(numpy, "recarray")) : NULL;
  PyErr_Clear();
  return class == (PyObject *)Py_TYPE(value);
}

pa_status pa_array_of_record(pa_importer *importer, PyObject *value, PyObject **out_array) {
  *out_array = NULL;
  int scalar = is_instance(value, importer->generic);
  if (scalar < 0) return pa_python_failure();
  PyObject *dtype = scalar ? pa_adopt(importer, PyObject_GetAttrString(value, "dtype")) : NULL,
           *names = dtype ? pa_adopt(importer, PyObject_GetAttrString(dtype, "names")) : NULL;
  if (scalar && !names) return pa_python_failure();
  if (!names || names == Py_None) return PA_OK;
  *out_array = pa_adopt(importer, PyObject_CallMethod(value, "reshape", "i", 1));
  return *out_array ? PA_OK : pa_python_failure();
}

pa_status pa_elements_attr(pa_importer *importer, PyObject *value, MlirAttribute *out_attribute, MlirType *out_element,
                           const char **out_reason) {
  *out_attribute = (MlirAttribute){NULL};
  *out_reason = NULL;
  int array = is_instance(value, importer->ndarray);
  if (array < 0) return pa_python_failure();
  if (!array) return PA_OK;
  if ((PyObject *)Py_TYPE(value) != importer->ndarray && !is_recarray(importer, value)) {
    *out_reason = "is a subclass of numpy.ndarray; convert it with np.asarray";
    return PA_OK;
  }
  bool native = false;
  PA_TRY(is_native(value, &native));
  PA_TRY(type_of_value(importer, value, out_element));
  if (mlirTypeIsNull(*out_element)) PA_TRY(record_of_value(importer, value, out_element));
  if (mlirTypeIsNull(*out_element))
    *out_reason = "is an array of a dtype that compiled code does not have; convert it with .astype";
  else if (!native)
    *out_reason = "is an array of byte-swapped elements; convert it with .astype(a.dtype.newbyteorder('='))";
  else
    return elements_attr(importer, value, *out_element, out_attribute);
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
  MlirType type;
  pa_status status = type_of_dtype(importer, made, &type);
  const char *code = NULL;
  if (!status && mlirTypeIsNull(type) && dtype) status = item_code(importer, made, &code);
  if (code) *out_name = pa_arena_format(importer->arena, "dtype:%s", code);
  Py_DECREF(made);
  if (status || mlirTypeIsNull(type)) return status;
  bool boolean = pa_scalar_of(type) == PA_BOOL;
  *out_name =
      boolean ? "numpy.bool_" : pa_arena_format(importer->arena, "numpy.%s", pa_type_text(importer->arena, type));
  return PA_OK;
}

//===-- Times that are written as text ------------------------------------------------------------===//

bool pa_is_time_class(pa_importer *importer, PyObject *object) {
  if (!is_subclass(object, importer->generic)) return false;
  PyObject *name = PyObject_GetAttrString(object, "__name__");
  const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  bool is = text && (strcmp(text, "datetime64") == 0 || strcmp(text, "timedelta64") == 0);
  Py_XDECREF(name);
  PyErr_Clear();
  return is;
}

// Whether |text| stands for the time at which it is read.
static bool is_moving(const char *text) { return strcasecmp(text, "now") == 0 || strcasecmp(text, "today") == 0; }

pa_status pa_time_literal(pa_importer *importer, PyObject *callee, const char *const *texts, int count,
                          const pa_location *location, MlirAttribute *out_attribute) {
  if (is_moving(texts[0]))
    return pa_fail(
        PA_CODE_UNSUPPORTED, location,
        "'%s' is not supported in compiled code, whose constants do not change; pass the time as an argument",
        texts[0]);
  PyObject *value = count == 1 ? PyObject_CallFunction(callee, "s", texts[0])
                               : PyObject_CallFunction(callee, "ss", texts[0], texts[1]);
  if (value) {
    pa_status status = numpy_scalar_attr(importer, value, out_attribute);
    Py_DECREF(value);
    return status;
  }
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyObject *text = error ? pa_adopt(importer, PyObject_Str(error)) : NULL;
  const char *message = text ? pa_python_text(importer, text) : NULL;
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(traceback);
  PyErr_Clear();
  return pa_fail(PA_CODE_TYPING, location, "%s", message ? message : "this is no time");
}
