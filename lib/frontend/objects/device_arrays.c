// Device arrays that are globals of kernels.
//
//   weights = cuda.to_device(...)      pyarray.apply cuda._global_array(140..., "[C1f", (4,))
//
// The address is that which the array has now; pyarray.cuda._globals keeps it there. Fortran's order is the transpose
// of C's.
#include <Python.h>

#include "emitter.h"
#include "objects.h"

// The parts of the array, a tuple (address, code, shape, transposed); None for what is none.
static PyObject *parts_of(pa_emitter *e, PyObject *object) {
  PyObject *module = PyImport_ImportModule("pyarray.cuda._globals");
  PyObject *parts =
      module ? pa_adopt(e->importer, PyObject_CallMethod(module, "parts_of", "OO", object, e->function->object)) : NULL;
  Py_XDECREF(module);
  return parts;
}

static MlirValue emit_shape(pa_emitter *e, PyObject *shape) {
  int rank = (int)PyTuple_Size(shape);
  MlirValue *extents = PA_NEW_ARRAY(e->arena, MlirValue, rank + 1);
  for (int axis = 0; axis < rank; ++axis)
    extents[axis] = pa_emit_int(e, PyLong_AsLongLong(PyTuple_GetItem(shape, axis)));
  return pa_value(&e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(extents, rank), PA_RESULTS(e->any));
}

pa_status pa_emit_device_array(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value) {
  if (!e->function->options.target) return PA_OK;
  PyObject *parts = parts_of(e, object);
  if (!parts) {
    pa_location location = pa_locate(e->function, x->place);
    return PyErr_ExceptionMatches(PyExc_TypeError) ? pa_python_refusal(e->importer, &location) : pa_python_failure();
  }
  if (!PyTuple_Check(parts)) return PA_OK;
  const char *code = pa_python_text(e->importer, PyTuple_GetItem(parts, 1));
  if (!code) return pa_python_failure();
  MlirValue operands[] = {pa_emit_int(e, (int64_t)PyLong_AsUnsignedLongLongMask(PyTuple_GetItem(parts, 0))),
                          pa_emit_constant(e, pa_string_attr(e->importer->context, code)),
                          emit_shape(e, PyTuple_GetItem(parts, 2))};
  *out_value = pa_emit_builtin_call(e, "cuda._global_array", operands, 3);
  pa_set_attr(e->importer->module, "pyarray.fixed", pa_unit_attr(e->importer->context));
  if (Py_IsTrue(PyTuple_GetItem(parts, 3)))
    *out_value = pa_value(&e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(*out_value), PA_RESULTS(e->any),
                          PA_ATTRS({"name", pa_string_attr(e->importer->context, "T")}));
  return PA_OK;
}
