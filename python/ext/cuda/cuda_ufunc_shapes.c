// Shapes of a GPU's ufuncs: core dimensions by name, and the loop's shape, which operands broadcast to. Rules and
// messages are NumPy's.
#include "cuda_ufunc.h"

//===-- Messages ----------------------------------------------------------------------------------===//

// "(3,4)", "(3,)"
static PyObject *shape_text(int rank, const npy_intp *shape) {
  PyObject *text = PyUnicode_FromString("(");
  for (int i = 0; i < rank && text; ++i) {
    const char *before = i ? "," : "", *behind = rank == 1 ? "," : "";
    PyObject *longer = PyUnicode_FromFormat("%U%s%zd%s", text, before, (Py_ssize_t)shape[i], behind);
    Py_SETREF(text, longer);
  }
  PyObject *closed = text ? PyUnicode_FromFormat("%U)", text) : NULL;
  Py_XDECREF(text);
  return closed;
}

static int loop_rank(const pa_points *p, int operand) {
  return pa_operand_array(p, operand)->rank - pa_operand_core_rank(p, operand);
}

// Numbers have shape (), and are among the shapes.
static bool fail_broadcast(const pa_points *p) {
  PyObject *all = PyUnicode_FromString("operands could not be broadcast together with shapes ");
  for (int i = 0; i <= p->ufunc->nargs && all; ++i) {
    const pa_device_array *array = pa_operand_array(p, i);
    if (!p->values[i]) continue;
    PyObject *shape = array ? shape_text(loop_rank(p, i), pa_device_array_shape(array)) : shape_text(0, NULL);
    PyObject *longer = shape ? PyUnicode_FromFormat("%U%U ", all, shape) : NULL;
    Py_XDECREF(shape);
    Py_SETREF(all, longer);
  }
  if (all) PyErr_SetObject(PyExc_ValueError, all);
  Py_XDECREF(all);
  return false;
}

static bool fail_output(const pa_points *p, int operand) {
  PyObject *given = shape_text(loop_rank(p, operand), pa_device_array_shape(pa_operand_array(p, operand)));
  PyObject *wanted = given ? shape_text(p->rank, p->shape) : NULL;
  if (wanted)
    PyErr_Format(PyExc_ValueError,
                 "non-broadcastable output operand with shape %U doesn't match the broadcast shape %U", given, wanted);
  Py_XDECREF(given);
  Py_XDECREF(wanted);
  return false;
}

// "f: Input operand 0"
static PyObject *place(const pa_points *p, int operand) {
  bool is_input = operand < p->ufunc->nin;
  return PyUnicode_FromFormat("%U: %s operand %d", p->ufunc->name, is_input ? "Input" : "Output",
                              is_input ? operand : operand - p->ufunc->nin);
}

static bool fail_rank(const pa_points *p, int operand, int rank) {
  PyObject *where = place(p, operand);
  if (where)
    PyErr_Format(PyExc_ValueError,
                 "%U does not have enough dimensions (has %d, gufunc core with signature %U requires %d)", where, rank,
                 p->ufunc->signature, pa_operand_core_rank(p, operand));
  Py_XDECREF(where);
  return false;
}

static bool fail_size(const pa_points *p, int operand, int axis, npy_intp size, npy_intp known) {
  PyObject *where = place(p, operand);
  if (where)
    PyErr_Format(
        PyExc_ValueError,
        "%U has a mismatch in its core dimension %d, with gufunc signature %U (size %zd is different from %zd)", where,
        axis, p->ufunc->signature, (Py_ssize_t)size, (Py_ssize_t)known);
  Py_XDECREF(where);
  return false;
}

//===-- Core dimensions ---------------------------------------------------------------------------===//

int pa_operand_core_rank(const pa_points *p, int operand) {
  int rank = pa_operand_cores(p, operand), missing = 0;
  if (!p->ufunc->has_optional) return rank;
  for (int i = 0; i < rank; ++i) missing += p->is_missing[p->ufunc->core->operands[operand].dimensions[i]];
  return rank - missing;
}

// Dimensions that may be missing are, from the first on, until the operand has as many as are left.
static bool take_missing(pa_points *p, int operand, int rank) {
  const pa_core_signature *core = p->ufunc->core;
  for (int i = 0; i < core->operands[operand].rank && rank < pa_operand_core_rank(p, operand); ++i) {
    int dimension = core->operands[operand].dimensions[i];
    if (core->dimensions[dimension].optional) p->is_missing[dimension] = true;
  }
  return rank >= pa_operand_core_rank(p, operand) || fail_rank(p, operand, rank);
}

static bool take_sizes(pa_points *p, int operand) {
  const pa_core_operand *core = &p->ufunc->core->operands[operand];
  const pa_device_array *array = pa_operand_array(p, operand);
  const npy_intp *shape = pa_device_array_shape(array) + loop_rank(p, operand);
  for (int i = 0, axis = 0; i < core->rank; ++i) {
    npy_intp *known = &p->sizes[core->dimensions[i]];
    if (p->is_missing[core->dimensions[i]]) continue;
    if (*known < 0) *known = shape[axis];
    if (*known != shape[axis]) return fail_size(p, operand, axis, shape[axis], *known);
    ++axis;
  }
  return true;
}

static bool find_cores(pa_points *p) {
  const pa_core_signature *core = p->ufunc->core;
  for (int i = 0; i < core->dimension_count; ++i) {
    p->sizes[i] = core->dimensions[i].size;
    p->is_missing[i] = false;
  }
  for (int i = 0; i < p->ufunc->nargs; ++i) {
    const pa_device_array *array = pa_operand_array(p, i);
    if (p->values[i] && !take_missing(p, i, array ? array->rank : 0)) return false;
  }
  for (int i = 0; i < p->ufunc->nargs; ++i)
    if (pa_operand_array(p, i) && !take_sizes(p, i)) return false;
  for (int i = 0; i < core->dimension_count; ++i)
    if (p->is_missing[i]) p->sizes[i] = 1;
  return true;
}

//===-- The loop ----------------------------------------------------------------------------------===//

static bool broadcast(pa_points *p, int operand) {
  const npy_intp *shape = pa_device_array_shape(pa_operand_array(p, operand));
  int rank = loop_rank(p, operand), before = p->rank - rank;
  for (int i = 0; i < rank; ++i) {
    npy_intp *extent = &p->shape[before + i];
    if (*extent == 1) *extent = shape[i];
    if (shape[i] != 1 && shape[i] != *extent) return fail_broadcast(p);
  }
  return true;
}

static bool has_loop_shape(const pa_points *p, int operand) {
  const npy_intp *shape = pa_device_array_shape(pa_operand_array(p, operand));
  if (loop_rank(p, operand) != p->rank) return false;
  for (int i = 0; i < p->rank; ++i)
    if (shape[i] != p->shape[i]) return false;
  return true;
}

bool pa_points_find_shapes(pa_points *p) {
  const pa_cuda_ufunc *ufunc = p->ufunc;
  if (ufunc->is_generalized && !find_cores(p)) return false;
  p->rank = 0;
  for (int i = 0; i <= ufunc->nargs; ++i)
    if (pa_operand_array(p, i) && loop_rank(p, i) > p->rank) p->rank = loop_rank(p, i);
  for (int i = 0; i < p->rank; ++i) p->shape[i] = 1;
  for (int i = 0; i <= ufunc->nargs; ++i)
    if (pa_operand_array(p, i) && !broadcast(p, i)) return false;
  for (int i = ufunc->nin; i < ufunc->nargs; ++i)
    if (pa_operand_array(p, i) && !has_loop_shape(p, i)) return fail_output(p, i);
  return true;
}
