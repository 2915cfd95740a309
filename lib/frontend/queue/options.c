// Dispatchers and their options.
#include <Python.h>

#include <string.h>

#include "importer.h"

const pa_frontend_options pa_default_options = {.error_model = "python", .inline_policy = "auto", .boundscheck = true};

// The truth of |options|[|name|], |otherwise| when it is absent or None.
static bool option_bool(PyObject *options, const char *name, bool otherwise) {
  PyObject *value = PyDict_GetItemString(options, name);
  if (!value || Py_IsNone(value)) return otherwise;
  return PyObject_IsTrue(value) > 0;
}

static const char *option_text(pa_importer *importer, PyObject *options, const char *name, const char *otherwise) {
  PyObject *value = PyDict_GetItemString(options, name);
  const char *text = value && PyUnicode_Check(value) ? pa_python_text(importer, value) : NULL;
  return text ? text : otherwise;
}

// A text names some flags; True means all.
static void read_fastmath(pa_importer *importer, PyObject *options, pa_frontend_options *out_options) {
  PyObject *value = PyDict_GetItemString(options, "fastmath");
  if (!value || Py_IsNone(value)) return;
  out_options->fastmath_flags = PyUnicode_Check(value) ? pa_python_text(importer, value) : NULL;
  out_options->fastmath = !out_options->fastmath_flags && PyObject_IsTrue(value) > 0;
}

void pa_note_link(MlirOperation module, MlirAttribute number, pa_arena *arena) {
  MlirAttribute earlier = pa_get_attr(module, PA_LINKS);
  intptr_t count = mlirAttributeIsNull(earlier) ? 0 : mlirArrayAttrGetNumElements(earlier);
  MlirAttribute *all = PA_NEW_ARRAY(arena, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    all[i] = mlirArrayAttrGetElement(earlier, i);
    if (mlirAttributeEqual(all[i], number)) return;
  }
  all[count] = number;
  pa_set_attr(module, PA_LINKS, mlirArrayAttrGet(mlirOperationGetContext(module), count + 1, all));
}

// What a device function is linked with the kernel is linked with, too: numbers of pyarray/cuda/_declared.py in an
// attribute of the module.
static void note_links(pa_importer *importer, PyObject *link) {
  if (!link || !PyTuple_Check(link) || !PyTuple_Size(link)) return;
  PyObject *declared = PyImport_ImportModule("pyarray.cuda._declared");
  PyObject *number = declared ? PyObject_CallMethod(declared, "number_of", "(O)", link) : NULL;
  if (number)
    pa_note_link(importer->module, pa_i64_attr(importer->context, PyLong_AsLongLong(number)), importer->arena);
  Py_XDECREF(number);
  Py_XDECREF(declared);
}

static pa_frontend_options options_in(pa_importer *importer, PyObject *dict, pa_frontend_options options) {
  if (dict && PyDict_Check(dict)) {
    options.error_model = option_text(importer, dict, "error_model", options.error_model);
    options.inline_policy = option_text(importer, dict, "inline", options.inline_policy);
    options.boundscheck = option_bool(dict, "boundscheck", options.boundscheck);
    read_fastmath(importer, dict, &options);
    options.parallel = option_bool(dict, "parallel", options.parallel);
    options.kernel = !option_bool(dict, "device", true);
    PyObject *locals = PyDict_GetItemString(dict, "locals");
    options.locals = locals ? pa_adopt(importer, Py_NewRef(locals)) : NULL;
    note_links(importer, PyDict_GetItemString(dict, "link"));
  }
  PyErr_Clear();
  return options;
}

static bool is_given(PyObject *given, const char *name) {
  PyObject *value = given && PyDict_Check(given) ? PyDict_GetItemString(given, name) : NULL;
  return value && !Py_IsNone(value);
}

// As in Numba, a function that is not given one of these options has its caller's.
static void inherit(pa_frontend_options *options, PyObject *given, const pa_frontend_options *caller) {
  if (!is_given(given, "error_model")) options->error_model = caller->error_model;
  if (!is_given(given, "boundscheck")) options->boundscheck = caller->boundscheck;
  if (!is_given(given, "fastmath")) {
    options->fastmath = caller->fastmath;
    options->fastmath_flags = caller->fastmath_flags;
  }
  PyObject *parallel = given && PyDict_Check(given) ? PyDict_GetItemString(given, "parallel") : NULL;
  if (parallel && PyUnicode_Check(parallel)) options->parallel = caller->parallel; // "caller", of stencils
}

pa_frontend_options pa_called_options(const pa_importer *importer) {
  pa_frontend_options options = pa_default_options;
  if (importer->importing)
    inherit(&options, NULL, &importer->importing->options);
  else if (importer->first)
    inherit(&options, NULL, &importer->first->options);
  return options;
}

static pa_frontend_options read_options(pa_importer *importer, PyObject *dispatcher) {
  PyObject *all = PyObject_GetAttrString(dispatcher, "options"); // all of them, checked
  PyErr_Clear();
  PyObject *given = PyObject_GetAttrString(dispatcher, "targetoptions");
  PyErr_Clear();
  pa_frontend_options options = options_in(importer, all ? all : given, pa_default_options);
  PyObject *declared = PyObject_GetAttrString(dispatcher, "_declared");
  PyErr_Clear();
  // What is inlined has the types of its caller's values, as in Numba.
  bool is_inlined = strcmp(options.inline_policy, "always") == 0;
  if (declared && PyTuple_Check(declared) && !is_inlined) options.declared = pa_adopt(importer, Py_NewRef(declared));
  Py_XDECREF(declared);
  const pa_frontend_options *caller = importer->importing ? &importer->importing->options : importer->caller;
  if (caller) inherit(&options, given, caller);
  Py_XDECREF(all);
  Py_XDECREF(given);
  return options;
}

// One of our extension module, or another that says so.
static bool is_dispatcher(const pa_importer *importer, PyObject *object) {
  if (importer->dispatcher && PyObject_IsInstance(object, importer->dispatcher) > 0) return true;
  PyObject *mark = PyObject_GetAttrString(object, "__pyarray_dispatcher__");
  PyErr_Clear();
  bool is_marked = mark && Py_IsTrue(mark);
  Py_XDECREF(mark);
  return is_marked;
}

pa_frontend_options pa_stated_options(pa_importer *importer, PyObject *dict) {
  return options_in(importer, dict, pa_default_options);
}

PyObject *pa_dispatched(PyObject *object, pa_importer *importer, pa_frontend_options *out_options) {
  PyObject *function = is_dispatcher(importer, object) ? PyObject_GetAttrString(object, "py_func") : NULL;
  if (function) *out_options = read_options(importer, object);
  return function;
}

pa_status pa_function_type_of_code(pa_importer *importer, PyObject *code, MlirAttribute *out_type) {
  const char *text = pa_python_text(importer, code);
  if (!text) return pa_python_failure();
  MlirType *types = PA_NEW_ARRAY(importer->arena, MlirType, strlen(text) + 1);
  intptr_t count = 0, results = 0;
  while (*text && *text != '>') types[count++] = pa_type_from_code(importer->context, &text);
  if (*text == '>' && text[1]) {
    ++text;
    types[count] = pa_type_from_code(importer->context, &text);
    results = 1;
  }
  for (intptr_t i = 0; i < count + results; ++i)
    if (mlirTypeIsNull(types[i])) return pa_fail(PA_CODE_INTERNAL, NULL, "a signature has a malformed type");
  *out_type = mlirTypeAttrGet(mlirFunctionTypeGet(importer->context, count, types, results, types + count));
  return PA_OK;
}

pa_status pa_read_declared(pa_importer *importer, PyObject *codes, MlirAttribute *out_declared) {
  Py_ssize_t count = codes ? PyTuple_Size(codes) : 0;
  MlirAttribute *types = PA_NEW_ARRAY(importer->arena, MlirAttribute, count + 1);
  for (Py_ssize_t i = 0; i < count; ++i)
    PA_TRY(pa_function_type_of_code(importer, PyTuple_GetItem(codes, i), &types[i]));
  *out_declared = count ? mlirArrayAttrGet(importer->context, count, types) : (MlirAttribute){NULL};
  return PA_OK;
}
