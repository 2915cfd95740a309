// Values that their type says all of, as arguments: dtypes and NumPy's classes of scalars ("td" for np.float64),
// classes of Python's numbers and text, and the ellipsis ("t[float]", "t[Ellipsis]"). They take no slot.
#include "objects.h"

#include <string.h>

// The dtype that a class of NumPy's scalars stands for: a new reference, NULL where it is no such class.
static PyArray_Descr *descr_of_class(PyObject *class) {
  if (!PyType_IsSubtype((PyTypeObject *)class, &PyGenericArrType_Type)) return NULL;
  for (int number = 0; number < NPY_NTYPES_LEGACY; ++number) {
    PyArray_Descr *descr = PyArray_DescrFromType(number);
    if (descr && (PyObject *)descr->typeobj == class) return descr;
    Py_XDECREF(descr);
  }
  PyErr_Clear();
  return NULL;
}

// Of a number, or of records.
static pa_refusal put_code(PyArray_Descr *descr, pa_arguments *arguments) {
  char array[PA_SPARE + 8] = "", *end = PyDataType_HASFIELDS(descr) ? NULL : pa_array_code(array, 'C', 0, descr);
  const char *code = end                           ? array + strlen("[C0")
                     : PyDataType_HASFIELDS(descr) ? pa_bytes_code(descr, NULL, NULL, 0)
                                                   : NULL;
  if (!code) return PyErr_Occurred() ? PA_RAISED : PA_REFUSED_TYPE;
  size_t length = end ? (size_t)(end - code) : strlen(code);
  if (length + 1 > (size_t)(arguments->code_end - arguments->code)) return PA_NO_ROOM;
  *arguments->code++ = 't';
  arguments->code = mempcpy(arguments->code, code, length);
  return PA_ACCEPTED;
}

// "t[float]" of what the compiler knows by that name (dtype_to_code of lib/ir/type_codes.c); NULL of others.
static const char *code_of_name(PyObject *value) {
  const struct {
    PyObject *value;
    const char *code;
  } rows[] = {{(PyObject *)&PyBool_Type, "t[bool]"},   {(PyObject *)&PyLong_Type, "t[int]"},
              {(PyObject *)&PyFloat_Type, "t[float]"}, {(PyObject *)&PyComplex_Type, "t[complex]"},
              {(PyObject *)&PyUnicode_Type, "t[str]"}, {Py_Ellipsis, "t[Ellipsis]"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (value == rows[i].value) return rows[i].code;
  return NULL;
}

pa_refusal pa_unbox_dtype(PyObject *value, pa_arguments *arguments, bool *out_known) {
  const char *plain = arguments->record ? code_of_name(value) : NULL;
  if (plain) {
    size_t length = strlen(plain);
    if (length > (size_t)(arguments->code_end - arguments->code)) return PA_NO_ROOM;
    arguments->code = mempcpy(arguments->code, plain, length);
    return *out_known = true, PA_ACCEPTED;
  }
  bool is_dtype = PyArray_DescrCheck(value);
  PyArray_Descr *descr = is_dtype              ? (PyArray_Descr *)Py_NewRef(value)
                         : PyType_Check(value) ? descr_of_class(value)
                                               : NULL;
  *out_known = descr && arguments->record; // items of containers have values
  pa_refusal refusal = *out_known ? put_code(descr, arguments) : PA_ACCEPTED;
  if (refusal > PA_RAISED) arguments->culprit = value;
  Py_XDECREF(descr);
  return refusal;
}

PyObject *pa_box_dtype(const pa_type *type) {
  const char *end = pa_type_next(type->elements - 1, NULL);
  return pa_call_helper("records", "dtype_of", "(s#)", type->elements, (Py_ssize_t)(end - type->elements));
}
