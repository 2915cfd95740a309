// Expressions of whole numbers that are known when the function is compiled, where computing them in int64 would wrap
// on the way: they have the value that Python's ints give, if an int64 or uint64 holds it.
//
//   m = 2**64 - 1          pyarray.constant 18446744073709551615 : ui64
//   (1 << BITS) - 1        the same, where the global, or a variable bound once, is 64
//
// All others are operations as ever, so that types and warnings are those of the code as it is written.
#include <Python.h>

#include "emitter.h"
#include "objects.h"

enum { MOST_BITS = 4096 };

static bool fits(PyObject *number, bool *out_unsigned) {
  int overflow;
  long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  *out_unsigned = overflow > 0;
  if (overflow > 0) PyLong_AsUnsignedLongLong(number);
  bool fits = overflow >= 0 && !PyErr_Occurred();
  PyErr_Clear();
  return (void)value, fits;
}

static PyObject *of_attribute(MlirAttribute value) {
  bool integer = mlirAttributeIsAInteger(value) && mlirTypeIsAInteger(mlirAttributeGetType(value));
  if (!integer || mlirIntegerTypeIsSignless(mlirAttributeGetType(value)) ||
      mlirIntegerTypeGetWidth(mlirAttributeGetType(value)) != 64)
    return NULL;
  if (mlirIntegerTypeIsSigned(mlirAttributeGetType(value)))
    return PyLong_FromLongLong(mlirIntegerAttrGetValueSInt(value));
  return PyLong_FromUnsignedLongLong(mlirIntegerAttrGetValueUInt(value));
}

// A new reference to a Python int, or NULL, without an exception. |*out_wide|: an int64 does not hold it, or what it is
// computed of.
static PyObject *evaluate(pa_emitter *e, const pa_expression *x, bool *out_wide);

static PyObject *of_name(pa_emitter *e, const pa_expression *x) {
  const pa_name *name = x->name;
  if (name->in_cell || (name->variable >= 0 && e->variables[name->variable].bound != PA_BOUND)) return NULL;
  while (name->around) name = name->around;
  if (name->variable >= 0) return Py_XNewRef(name->exact);
  PyObject *object = NULL;
  pa_status_free(pa_resolve(e, x, &object));
  PyErr_Clear();
  return object && PyLong_CheckExact(object) ? Py_NewRef(object) : NULL;
}

// Numbers that would take long to compute are not.
static bool is_small(PyObject *number, long long most) {
  int overflow;
  long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  return !overflow && value >= 0 && value <= most;
}

static PyObject *compute(int kind, PyObject *a, PyObject *b) {
  switch ((pyarray_binary_kind)kind) {
  case PYARRAY_BINARY_ADD: return PyNumber_Add(a, b);
  case PYARRAY_BINARY_SUB: return PyNumber_Subtract(a, b);
  case PYARRAY_BINARY_MUL: return PyNumber_Multiply(a, b);
  case PYARRAY_BINARY_FLOORDIV: return PyNumber_FloorDivide(a, b);
  case PYARRAY_BINARY_MOD: return PyNumber_Remainder(a, b);
  case PYARRAY_BINARY_POW: return is_small(a, 1 << 16) && is_small(b, 128) ? PyNumber_Power(a, b, Py_None) : NULL;
  case PYARRAY_BINARY_LSHIFT: return is_small(b, 128) ? PyNumber_Lshift(a, b) : NULL;
  case PYARRAY_BINARY_RSHIFT: return PyNumber_Rshift(a, b);
  case PYARRAY_BINARY_AND: return PyNumber_And(a, b);
  case PYARRAY_BINARY_OR: return PyNumber_Or(a, b);
  case PYARRAY_BINARY_XOR: return PyNumber_Xor(a, b);
  default: return NULL;
  }
}

// The right operand first, which mostly tells at once.
static PyObject *of_binary(pa_emitter *e, const pa_expression *x, bool *out_wide) {
  PyObject *b = evaluate(e, x->operands[1], out_wide), *a = b ? evaluate(e, x->operands[0], out_wide) : NULL;
  PyObject *value = a ? compute(x->operation, a, b) : NULL;
  Py_XDECREF(a);
  Py_XDECREF(b);
  return value;
}

static PyObject *of_unary(pa_emitter *e, const pa_expression *x, bool *out_wide) {
  PyObject *operand = x->operation == PYARRAY_UNARY_NOT ? NULL : evaluate(e, x->operands[0], out_wide), *value = NULL;
  if (!operand) return NULL;
  value = x->operation == PYARRAY_UNARY_NEG      ? PyNumber_Negative(operand)
          : x->operation == PYARRAY_UNARY_INVERT ? PyNumber_Invert(operand)
                                                 : Py_NewRef(operand);
  Py_DECREF(operand);
  return value;
}

static PyObject *evaluate(pa_emitter *e, const pa_expression *x, bool *out_wide) {
  PyObject *value = x->kind == PA_CONSTANT ? of_attribute(x->constant.value)
                    : x->kind == PA_NAME   ? of_name(e, x)
                    : x->kind == PA_BINARY ? of_binary(e, x, out_wide)
                    : x->kind == PA_UNARY  ? of_unary(e, x, out_wide)
                                           : NULL;
  PyErr_Clear();
  bool is_unsigned = true;
  if (!value) return NULL;
  *out_wide |= !fits(value, &is_unsigned) || is_unsigned;
  PyObject *bits = PyObject_CallMethod(value, "bit_length", NULL);
  bool small = bits && is_small(bits, MOST_BITS);
  Py_XDECREF(bits);
  if (small) return value;
  Py_DECREF(value);
  return NULL;
}

MlirValue pa_emit_exact(pa_emitter *e, const pa_expression *x) {
  bool wide = false, is_unsigned;
  if (x->kind != PA_BINARY && x->kind != PA_UNARY) return (MlirValue){NULL};
  PyObject *value = evaluate(e, x, &wide);
  MlirAttribute attribute = {NULL};
  if (value && wide && fits(value, &is_unsigned))
    pa_status_free(pa_constant_attr(e->importer, value, NULL, &attribute));
  Py_XDECREF(value);
  PyErr_Clear();
  if (mlirAttributeIsNull(attribute)) return (MlirValue){NULL};
  pa_at(e, x->place);
  return pa_emit_constant(e, attribute);
}

void pa_note_exact(pa_emitter *e, const pa_statement *s) {
  bool wide = false;
  pa_name *name = s->count == 1 && s->targets[0]->kind == PA_NAME ? s->targets[0]->name : NULL;
  if (name && name->stores == 1) name->exact = pa_adopt(e->importer, evaluate(e, s->value, &wide));
  PyErr_Clear();
}
