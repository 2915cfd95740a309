// What compiled code calls and did not compile: native functions of ctypes and cffi, blocks of objmode.
//
//   libm.cos                        pyarray.apply pyarray.c_function(140..., "(d)d")
//   with objmode(y="int64"): ...    pyarray.apply pyarray.objmode(7, "q")
#include <Python.h>

#include "emitter.h"
#include "objects.h"

pa_status pa_emit_objmode(pa_emitter *e, PyObject *object, MlirValue *out_value) {
  PyObject *parts = PyObject_GetAttrString(object, "__pyarray_objmode__");
  if (!parts) return PyErr_Clear(), PA_OK;
  parts = pa_adopt(e->importer, parts);
  bool is_block = PyTuple_Check(parts) && PyTuple_Size(parts) == 2 && PyLong_Check(PyTuple_GetItem(parts, 0)) &&
                  PyUnicode_Check(PyTuple_GetItem(parts, 1));
  if (!is_block) return PA_OK;
  const char *code = pa_python_text(e->importer, PyTuple_GetItem(parts, 1));
  if (!code) return pa_python_failure();
  MlirValue operands[] = {pa_emit_int(e, PyLong_AsLongLong(PyTuple_GetItem(parts, 0))),
                          pa_emit_constant(e, pa_string_attr(e->importer->context, code))};
  *out_value = pa_emit_builtin_call(e, "pyarray.objmode", operands, 2);
  return PA_OK;
}

// Addresses are as they are now.
pa_status pa_emit_native(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value) {
  pa_importer *importer = e->importer;
  PyObject *module = PyImport_ImportModule("pyarray._pointers");
  PyObject *from_buffer =
      module ? pa_adopt(importer, PyObject_CallMethod(module, "is_from_buffer", "O", object)) : NULL;
  PyObject *found = from_buffer && from_buffer != Py_True
                        ? pa_adopt(importer, PyObject_CallMethod(module, "native", "O", object))
                        : NULL;
  Py_XDECREF(module);
  if (from_buffer == Py_True) {
    *out_value = pa_value(&e->builder, PA_OP_NAME(CALLABLE), PA_RESULTS(e->any),
                          PA_ATTRS({"name", pa_string_attr(importer->context, "pyarray.from_buffer")}));
    return PA_OK;
  }
  if (!found) {
    pa_location location = pa_locate(e->function, x->place);
    return PyErr_ExceptionMatches(PyExc_TypeError) ? pa_python_refusal(importer, &location) : pa_python_failure();
  }
  if (!PyTuple_Check(found)) return PA_OK;
  const char *code = pa_python_text(importer, PyTuple_GetItem(found, 0));
  if (!code) return pa_python_failure();
  if (code[1] != '(') return PA_OK; // a pointer to data is no constant
  MlirValue operands[] = {pa_emit_int(e, (int64_t)PyLong_AsUnsignedLongLongMask(PyTuple_GetItem(found, 1))),
                          pa_emit_constant(e, pa_string_attr(importer->context, code + 1))};
  *out_value = pa_emit_builtin_call(e, "pyarray.c_function", operands, 2);
  return PA_OK;
}
