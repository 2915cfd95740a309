// Conditions that literals and frozen globals decide. The branch that is not taken is not emitted: it may name what
// compiled code does not have.
//
//   if False: ...                 while DEBUG: ...                np.arange(3) if DEBUG else x
//   if DEBUG and x > 0: ...       if MODE == "slow": ...          if LEVEL in (1, 2) or not FAST: ...
#include <Python.h>

#include "emitter.h"
#include "objects.h"

static bool is_plain(PyObject *object) {
  for (Py_ssize_t i = 0; PyTuple_CheckExact(object) && i < PyTuple_Size(object); ++i)
    if (!is_plain(PyTuple_GetItem(object, i))) return false;
  return object == Py_None || PyBool_Check(object) || PyLong_CheckExact(object) || PyFloat_CheckExact(object) ||
         PyUnicode_CheckExact(object) || PyBytes_CheckExact(object) ||
         PyTuple_CheckExact(object); // nothing of these runs code of a user
}

// A new reference, NULL for what is not made of here.
static PyObject *literal_object(MlirAttribute value) {
  if (mlirAttributeIsAUnit(value)) return Py_NewRef(Py_None);
  if (mlirAttributeIsAString(value)) {
    MlirStringRef text = mlirStringAttrGetValue(value);
    if (pyarrayTypeIsBytes(mlirAttributeGetType(value)))
      return PyBytes_FromStringAndSize(text.data, (Py_ssize_t)text.length);
    return PyUnicode_DecodeUTF8(text.data, (Py_ssize_t)text.length, "surrogatepass");
  }
  if (mlirAttributeIsAFloat(value)) return PyFloat_FromDouble(mlirFloatAttrGetValueDouble(value));
  if (!mlirAttributeIsAInteger(value)) return NULL;
  MlirType type = mlirAttributeGetType(value);
  if (mlirIntegerTypeGetWidth(type) == 1) return PyBool_FromLong(mlirIntegerAttrGetValueInt(value) & 1);
  return mlirIntegerTypeIsUnsigned(type) ? PyLong_FromUnsignedLongLong(mlirIntegerAttrGetValueUInt(value))
                                         : PyLong_FromLongLong(mlirIntegerAttrGetValueSInt(value));
}

static PyObject *known_object(pa_emitter *e, const pa_expression *x);

static PyObject *known_tuple(pa_emitter *e, const pa_expression *x) {
  PyObject *tuple = PyTuple_New(x->count);
  for (int i = 0; tuple && i < x->count; ++i) {
    PyObject *element = known_object(e, x->operands[i]);
    if (!element)
      Py_CLEAR(tuple);
    else
      PyTuple_SetItem(tuple, i, element);
  }
  return tuple;
}

// A new reference to the value of a literal, a frozen global, or a tuple of such; NULL, without an exception, for all
// else.
static PyObject *known_object(pa_emitter *e, const pa_expression *x) {
  PyObject *object = NULL;
  if (x->kind == PA_CONSTANT)
    object = literal_object(x->constant.value);
  else if (x->kind == PA_TUPLE)
    object = known_tuple(e, x);
  else if (x->kind == PA_UNARY && x->operation == PYARRAY_UNARY_NEG) {
    PyObject *operand = known_object(e, x->operands[0]);
    object = operand && (PyLong_Check(operand) || PyFloat_Check(operand)) ? PyNumber_Negative(operand) : NULL;
    Py_XDECREF(operand);
  } else if (x->kind == PA_NAME || x->kind == PA_ATTRIBUTE) {
    PyObject *found = NULL;
    pa_status_free(pa_resolve(e, x, &found)); // a failure is said again, with its place, where the name is emitted
    if (!PyErr_Occurred() && found && is_plain(found)) object = Py_NewRef(found);
  }
  PyErr_Clear();
  return object;
}

static bool is_singleton(PyObject *object) { return object == Py_None || PyBool_Check(object); }

// -1 where it fails, or where implementations of Python differ.
static int compare(int kind, PyObject *left, PyObject *right) {
  static const int orders[] = {[PYARRAY_COMPARE_EQ] = Py_EQ, [PYARRAY_COMPARE_NE] = Py_NE,
                               [PYARRAY_COMPARE_LT] = Py_LT, [PYARRAY_COMPARE_LE] = Py_LE,
                               [PYARRAY_COMPARE_GT] = Py_GT, [PYARRAY_COMPARE_GE] = Py_GE};
  int result = -1;
  if (kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT) {
    if (is_singleton(left) || is_singleton(right)) result = (left == right) == (kind == PYARRAY_COMPARE_IS);
  } else if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN) {
    int within = PySequence_Contains(right, left);
    result = within < 0 ? within : within == (kind == PYARRAY_COMPARE_IN);
  } else {
    result = PyObject_RichCompareBool(left, right, orders[kind]);
  }
  PyErr_Clear();
  return result;
}

static int known_comparisons(pa_emitter *e, const pa_expression *x) {
  int result = 1;
  PyObject *left = known_object(e, x->operands[0]);
  for (int i = 0; left && i + 1 < x->count && result == 1; ++i) {
    PyObject *right = known_object(e, x->operands[i + 1]);
    result = right ? compare(x->operations[i], left, right) : -1;
    Py_DECREF(left);
    left = right;
  }
  if (!left) result = -1;
  Py_XDECREF(left);
  return result;
}

int pa_known_truth(pa_emitter *e, const pa_expression *x, bool *out_bare) {
  *out_bare = true;
  if (x->kind == PA_UNARY && x->operation == PYARRAY_UNARY_NOT) {
    int inner = pa_known_truth(e, x->operands[0], out_bare);
    return inner < 0 ? inner : !inner;
  }
  if (x->kind == PA_AND || x->kind == PA_OR) {
    int decides = x->kind == PA_OR;
    bool unknown = false, bare, all_bare = true;
    for (int i = 0; i < x->count; ++i) {
      int truth = pa_known_truth(e, x->operands[i], &bare);
      unknown = unknown || truth < 0;
      all_bare = all_bare && truth >= 0 && bare;
      if (truth == decides) return *out_bare = all_bare, decides;
    }
    return *out_bare = all_bare, unknown ? -1 : !decides;
  }
  if (x->kind == PA_COMPARE) return known_comparisons(e, x);
  PyObject *object = known_object(e, x);
  int truth = object ? PyObject_IsTrue(object) : -1;
  Py_XDECREF(object);
  return truth;
}

int pa_needed_operands(pa_emitter *e, const pa_expression *x, const pa_expression **out_operands) {
  int decides = x->kind == PA_OR, count = 0;
  for (int i = 0; i < x->count; ++i) {
    bool bare;
    int truth = pa_known_truth(e, x->operands[i], &bare);
    if (truth == !decides && bare && i + 1 < x->count) continue;
    out_operands[count++] = x->operands[i];
    if (truth == decides) break;
  }
  return count;
}
