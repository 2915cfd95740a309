// Expressions of int literals whose parts exceed 64 bits though they do not: they are the constants that Python makes
// of them. All others stay as they are.
//
//   2**64 - 1        PA_CONSTANT 18446744073709551615 : ui64
//   x % 2**64        PA_INTERNAL whole.low_bits [x]
#include <Python.h>

#include "objects.h"
#include "reader.h"

enum { MOST_BITS = 4096 }; // of a part

static bool is_small(PyObject *number, long most) {
  int overflow;
  long value = PyLong_AsLongAndOverflow(number, &overflow);
  return !overflow && value >= 0 && value <= most;
}

// A new reference; NULL, without an exception, where there is no such value.
static PyObject *compute(int kind, PyObject *a, PyObject *b) {
  static const binaryfunc functions[] = {[PYARRAY_BINARY_ADD] = PyNumber_Add,
                                         [PYARRAY_BINARY_SUB] = PyNumber_Subtract,
                                         [PYARRAY_BINARY_MUL] = PyNumber_Multiply,
                                         [PYARRAY_BINARY_FLOORDIV] = PyNumber_FloorDivide,
                                         [PYARRAY_BINARY_MOD] = PyNumber_Remainder,
                                         [PYARRAY_BINARY_LSHIFT] = PyNumber_Lshift,
                                         [PYARRAY_BINARY_RSHIFT] = PyNumber_Rshift,
                                         [PYARRAY_BINARY_AND] = PyNumber_And,
                                         [PYARRAY_BINARY_OR] = PyNumber_Or,
                                         [PYARRAY_BINARY_XOR] = PyNumber_Xor,
                                         [PYARRAY_BINARY_MATMUL] = NULL};
  if (kind == PYARRAY_BINARY_LSHIFT && !is_small(b, MOST_BITS)) return NULL;
  PyObject *result = NULL;
  if (kind == PYARRAY_BINARY_POW && is_small(b, MOST_BITS / 64))
    result = PyNumber_Power(a, b, Py_None);
  else if (kind == PYARRAY_BINARY_POW && is_small(a, 2) && is_small(b, MOST_BITS))
    result = PyNumber_Power(a, b, Py_None);
  else if (functions[kind])
    result = functions[kind](a, b);
  PyErr_Clear();
  return result;
}

// The same of a node. |*large|: it, or a part of it, is no int64.
static PyObject *value_of(pa_reader *reader, PyObject *node, int depth, bool *large) {
  enum { MOST_DEPTH = 20 };
  pa_class class;
  PyObject *result = NULL, *left = NULL, *right = NULL;
  int kind = 0, overflow = 0;
  pa_status status = pa_class_of(reader, node, &class);
  if (status || depth > MOST_DEPTH) return pa_status_free(status), PyErr_Clear(), NULL;
  if (class == PA_CLASS_Constant) {
    PyObject *value = pa_field_of(reader, node, PA_FIELD_value);
    result = value && PyLong_Check(value) && !PyBool_Check(value) ? Py_NewRef(value) : NULL;
  } else if (class == PA_CLASS_UnaryOp) {
    left = value_of(reader, pa_field_of(reader, node, PA_FIELD_operand), depth + 1, large);
    status =
        left ? pa_read_operator(reader, pa_field_of(reader, node, PA_FIELD_op), PA_CLASS_USub, PA_CLASS_Invert, &kind)
             : PA_OK;
    if (left && !status)
      result = kind == PYARRAY_UNARY_NEG   ? PyNumber_Negative(left)
               : kind == PYARRAY_UNARY_POS ? Py_NewRef(left)
                                           : PyNumber_Invert(left);
  } else if (class == PA_CLASS_BinOp) {
    left = value_of(reader, pa_field_of(reader, node, PA_FIELD_left), depth + 1, large);
    right = left ? value_of(reader, pa_field_of(reader, node, PA_FIELD_right), depth + 1, large) : NULL;
    status =
        right ? pa_read_operator(reader, pa_field_of(reader, node, PA_FIELD_op), PA_CLASS_Add, PA_CLASS_MatMult, &kind)
              : PA_OK;
    if (right && !status && kind != PYARRAY_BINARY_TRUEDIV) result = compute(kind, left, right);
  }
  pa_status_free(status);
  if (result && PyLong_Check(result))
    PyLong_AsLongLongAndOverflow(result, &overflow);
  else
    Py_CLEAR(result);
  *large |= overflow != 0;
  Py_XDECREF(left);
  Py_XDECREF(right);
  PyErr_Clear();
  return result;
}

pa_status pa_fold_integers(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  bool large = false;
  PyObject *value = value_of(reader, node, 0, &large);
  MlirAttribute attribute = {NULL};
  *out_expression = NULL;
  if (value && large) {
    int truth = PyObject_IsTrue(value);
    pa_status_free(pa_constant_attr(reader->importer, value, NULL, &attribute)); // null beyond 64 bits
    if (!mlirAttributeIsNull(attribute)) {
      *out_expression = pa_new_expression(reader, PA_CONSTANT, place, 0);
      (*out_expression)->constant.value = attribute;
      (*out_expression)->constant.truth = truth > 0;
    }
  }
  Py_XDECREF(value);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

bool pa_is_two_to_64(pa_reader *reader, PyObject *node) {
  bool large = false;
  PyObject *value = value_of(reader, node, 0, &large),
           *half = value && large ? PyLong_FromUnsignedLongLong(1ull << 63) : NULL;
  PyObject *whole = half ? PyNumber_Add(half, half) : NULL;
  bool is = whole && PyObject_RichCompareBool(value, whole, Py_EQ) == 1;
  Py_XDECREF(whole);
  Py_XDECREF(half);
  Py_XDECREF(value);
  PyErr_Clear();
  return is;
}
