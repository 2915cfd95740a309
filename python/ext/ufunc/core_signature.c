// Signatures of gufuncs for Python: lib/support/core_signature.c is the one parser.
#include "ufunc.h"

// "n", "3", "m?"
static PyObject *dimension_text(const pa_core_signature *signature, int number) {
  Py_ssize_t length = (Py_ssize_t)signature->dimensions[number].length;
  PyObject *name = PyUnicode_DecodeASCII(signature->dimensions[number].name, length, NULL);
  if (!name || !signature->dimensions[number].optional) return name;
  PyObject *text = PyUnicode_FromFormat("%U?", name);
  Py_DECREF(name);
  return text;
}

static PyObject *operand_dimensions(const pa_core_signature *signature, int operand) {
  const pa_core_operand *core = &signature->operands[operand];
  PyObject *dimensions = PyTuple_New(core->rank);
  for (int i = 0; dimensions && i < core->rank; ++i) {
    PyObject *text = dimension_text(signature, core->dimensions[i]);
    if (text)
      PyTuple_SET_ITEM(dimensions, i, text);
    else
      Py_CLEAR(dimensions);
  }
  return dimensions;
}

static PyObject *operands(const pa_core_signature *signature, int first, int count) {
  PyObject *list = PyList_New(count);
  for (int i = 0; list && i < count; ++i) {
    PyObject *dimensions = operand_dimensions(signature, first + i);
    if (dimensions)
      PyList_SET_ITEM(list, i, dimensions);
    else
      Py_CLEAR(list);
  }
  return list;
}

static PyObject *without_spaces(const char *text, Py_ssize_t length) {
  char *packed = PyMem_Malloc((size_t)length + 1);
  if (!packed) return PyErr_NoMemory();
  Py_ssize_t count = 0;
  for (Py_ssize_t i = 0; i < length; ++i)
    if (text[i] != ' ' && text[i] != '\t') packed[count++] = text[i];
  PyObject *result = PyUnicode_FromStringAndSize(packed, count);
  PyMem_Free(packed);
  return result;
}

PyObject *pa_read_core_signature(PyObject *module, PyObject *given) {
  (void)module;
  Py_ssize_t length;
  const char *text = PyUnicode_AsUTF8AndSize(given, &length);
  if (!text) return NULL;
  pa_core_signature signature;
  const char *error = pa_core_signature_parse(text, (size_t)length, &signature);
  if (error)
    return PyErr_Format(PyExc_ValueError,
                        "%s at position %zu in \"%U\"; a signature is written like \"(m,n),(n)->(m)\"", error,
                        signature.failed_at, given);
  PyObject *inputs = operands(&signature, 0, signature.input_count);
  PyObject *outputs = inputs ? operands(&signature, signature.input_count, signature.output_count) : NULL;
  PyObject *packed = outputs ? without_spaces(text, length) : NULL;
  PyObject *result = packed ? PyTuple_Pack(3, packed, inputs, outputs) : NULL;
  Py_XDECREF(packed);
  Py_XDECREF(inputs);
  Py_XDECREF(outputs);
  return result;
}
