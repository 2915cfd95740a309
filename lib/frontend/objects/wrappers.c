// Functions that are imported for an object made of them: ufuncs, methods of ufuncs, C callbacks. Each object says of
// itself in a tuple what it is.
#include <Python.h>

#include <string.h>

#include "objects.h"

//===-- Ufuncs ------------------------------------------------------------------------------------===//

static pa_status read_loops(pa_importer *importer, PyObject *codes, MlirAttribute *out_loops) {
  Py_ssize_t count = PyList_Size(codes);
  if (count < 0) return pa_python_failure();
  MlirAttribute *types = PA_NEW_ARRAY(importer->arena, MlirAttribute, count + 1);
  for (Py_ssize_t i = 0; i < count; ++i)
    PA_TRY(pa_function_type_of_code(importer, PyList_GetItem(codes, i), &types[i]));
  if (count) *out_loops = mlirArrayAttrGet(importer->context, count, types);
  return PA_OK;
}

// |described|: (function, signature, options, codes).
static pa_status request_kernel(pa_importer *importer, PyObject *object, PyObject *described,
                                const pa_function **out_function) {
  const char *signature = pa_python_text(importer, PyTuple_GetItem(described, 1));
  if (!signature) return pa_python_failure();
  MlirAttribute loops = {NULL};
  PA_TRY(read_loops(importer, PyTuple_GetItem(described, 3), &loops));
  pa_frontend_options options = pa_stated_options(importer, PyTuple_GetItem(described, 2));
  pa_function *function;
  PA_TRY(pa_enqueue(importer, PyTuple_GetItem(described, 0), &options, &function));
  function->wrapper = pa_adopt(importer, Py_NewRef(object));
  if (!function->wrapper) return pa_python_failure();
  function->signature = pa_string_attr(importer->context, signature);
  function->loops = loops;
  return *out_function = function, PA_OK;
}

pa_status pa_request_ufunc(pa_importer *importer, PyObject *object, const pa_function **out_function) {
  *out_function = NULL;
  if (!importer->ufunc_kernel) return PA_OK;
  PyObject *described = PyObject_CallFunctionObjArgs(importer->ufunc_kernel, object, NULL);
  if (!described) return pa_python_failure();
  pa_status status = described == Py_None ? PA_OK : request_kernel(importer, object, described, out_function);
  Py_DECREF(described);
  return status;
}

pa_status pa_is_ufunc(pa_importer *importer, PyObject *object, bool *out_is_ufunc) {
  PyObject *described = importer->ufunc_attribute ? PyObject_CallFunctionObjArgs(importer->ufunc_kernel, object, NULL)
                                                  : Py_NewRef(Py_None);
  if (!described) return pa_python_failure();
  *out_is_ufunc = described != Py_None;
  Py_DECREF(described);
  return PA_OK;
}

// Of reduce: what is known of the ufunc's identity, and the function that takes initial= too.
static pa_status read_reduce(pa_importer *importer, PyObject *identity, PyObject *with_initial, pa_function *function) {
  const char *text = identity == Py_None ? NULL : pa_python_text(importer, identity);
  if (!text) return identity == Py_None ? PA_OK : pa_python_failure();
  function->identity = pa_string_attr(importer->context, text);
  if (with_initial == Py_None) return PA_OK;
  const pa_function *other = pa_find_function(importer, with_initial);
  if (!other) PA_TRY(pa_request_method(importer, with_initial, &other));
  if (other) function->with_initial = pa_symbol_attr(importer->context, other->symbol);
  return PA_OK;
}

// |parts|: (function, signature or None, ufunc, identity or None, the method with initial= or None).
static pa_status request_method(pa_importer *importer, PyObject *object, PyObject *parts,
                                const pa_function **out_function) {
  const pa_function *folded;
  PyObject *callee = PyTuple_GetItem(parts, 0), *signature = PyTuple_GetItem(parts, 1),
           *ufunc = PyTuple_GetItem(parts, 2);
  folded = pa_find_function(importer, ufunc);
  if (!folded) PA_TRY(pa_request_ufunc(importer, ufunc, &folded));
  pa_frontend_options options = pa_called_options(importer);
  pa_function *function;
  PA_TRY(pa_enqueue(importer, callee, &options, &function));
  function->wrapper = pa_adopt(importer, Py_NewRef(object));
  const char *text = signature == Py_None ? NULL : pa_python_text(importer, signature);
  if (!function->wrapper || (!text && signature != Py_None)) return pa_python_failure();
  if (text) function->signature = pa_string_attr(importer->context, text);
  function->folds = pa_symbol_attr(importer->context, folded->symbol);
  PA_TRY(read_reduce(importer, PyTuple_GetItem(parts, 3), PyTuple_GetItem(parts, 4), function));
  return *out_function = function, PA_OK;
}

// What an object says of itself in the attribute |mark|, a tuple of |count| things, |request| makes a function of.
static pa_status request_marked(pa_importer *importer, PyObject *object, const char *mark, Py_ssize_t count,
                                pa_status (*request)(pa_importer *, PyObject *, PyObject *, const pa_function **),
                                const pa_function **out_function) {
  PyObject *parts = PyObject_GetAttrString(object, mark);
  PyErr_Clear();
  *out_function = NULL;
  bool is_marked = parts && PyTuple_Check(parts) && PyTuple_Size(parts) == count;
  pa_status status = is_marked ? request(importer, object, parts, out_function) : PA_OK;
  Py_XDECREF(parts);
  return status;
}

pa_status pa_request_method(pa_importer *importer, PyObject *object, const pa_function **out_function) {
  return request_marked(importer, object, "__pyarray_ufunc_method__", 5, request_method, out_function);
}

//===-- C callbacks -------------------------------------------------------------------------------===//

// |parts|: (dispatcher, type code).
static pa_status request_callback(pa_importer *importer, PyObject *object, PyObject *parts,
                                  const pa_function **out_function) {
  MlirAttribute declared;
  pa_frontend_options options;
  PA_TRY(pa_function_type_of_code(importer, PyTuple_GetItem(parts, 1), &declared));
  PyObject *callee = pa_adopt(importer, pa_dispatched(PyTuple_GetItem(parts, 0), importer, &options));
  if (!callee) return pa_python_failure();
  pa_function *function;
  PA_TRY(pa_enqueue(importer, callee, &options, &function));
  function->wrapper = pa_adopt(importer, Py_NewRef(object));
  if (!function->wrapper) return pa_python_failure();
  function->declared = declared;
  return *out_function = function, PA_OK;
}

pa_status pa_request_cfunc(pa_importer *importer, PyObject *object, const pa_function **out_function) {
  return request_marked(importer, object, "__pyarray_cfunc__", 2, request_callback, out_function);
}
