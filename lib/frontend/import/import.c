// The import of a function and all it refers to: a queue of Python functions, each of which becomes one func.func.
//
//   func.func @f(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = ["x"], pyarray.qualname = "f",
//       pyarray.options = {boundscheck = true, error_model = "python", fastmath = false, inline = "auto"}} {
//     ...
//     return %y : !pyarray.any
//   }
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "ir/builtins.h"
#include "reader.h"

//===-- Importer ----------------------------------------------------------------------------------===//

static const char *const class_names[PA_CLASS_COUNT] = {
#define PA_CLASS(name) #name,
#define PA_REFUSED(name, what, hint) #name,
#include "syntax.def"
#undef PA_CLASS
#undef PA_REFUSED
};

static const char *const field_names[PA_FIELD_COUNT] = {
#define PA_FIELD(name) #name,
    PA_FIELDS(PA_FIELD)
#undef PA_FIELD
};

static int add_class(PyObject *classes, PyObject *module, int class) {
  PyObject *type = PyObject_GetAttrString(module, class_names[class]);
  if (!type) return PyErr_Clear(), 0; // of another Python version
  PyObject *number = PyLong_FromLong(class);
  int failed = number ? PyDict_SetItem(classes, type, number) : -1;
  Py_DECREF(type);
  Py_XDECREF(number);
  return failed;
}

static pa_status load_syntax(pa_importer *importer) {
  PyObject *module = pa_adopt(importer, PyImport_ImportModule("ast"));
  importer->classes = module ? PyDict_New() : NULL;
  if (!importer->classes) return pa_python_failure();
  for (int class = 0; class < PA_CLASS_COUNT; ++class)
    if (add_class(importer->classes, module, class) < 0) return pa_python_failure();
  for (int field = 0; field < PA_FIELD_COUNT; ++field)
    if (!(importer->fields[field] = PyUnicode_InternFromString(field_names[field]))) return pa_python_failure();
  return PA_OK;
}

// A class or function of a module that need not be loaded.
static pa_status load_class(pa_importer *importer, const char *module_name, const char *name, PyObject **out_class) {
  PyObject *text = PyUnicode_FromString(module_name);
  PyObject *module = text ? PyImport_GetModule(text) : NULL;
  Py_XDECREF(text);
  *out_class = module ? pa_adopt(importer, PyObject_GetAttrString(module, name)) : NULL;
  Py_XDECREF(module);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

static pa_status load_classes(pa_importer *importer) {
  PyObject *types = pa_adopt(importer, PyImport_ImportModule("types"));
  if (!types) return pa_python_failure();
  PA_TRY(load_class(importer, "types", "FunctionType", &importer->function_type));
  PA_TRY(load_class(importer, "types", "MethodType", &importer->method_type));
  PA_TRY(load_class(importer, "numpy", "ndarray", &importer->ndarray));
  PA_TRY(load_class(importer, "numpy", "generic", &importer->generic));
  PA_TRY(load_class(importer, "numpy", "ufunc", &importer->ufunc));
  PA_TRY(load_class(importer, "numpy", "dtype", &importer->dtype));
  PA_TRY(load_class(importer, "pyarray._pyarray", "Dispatcher", &importer->dispatcher));
  PA_TRY(load_class(importer, "pyarray._pyarray", "ufunc_kernel", &importer->ufunc_kernel));
  PA_TRY(load_class(importer, "pyarray._ufunc_methods", "attribute", &importer->ufunc_attribute));
  PA_TRY(load_class(importer, "pyarray.types", "Type", &importer->type_class));
  PyObject *flags = PySys_GetObject("flags");
  PyObject *optimize = flags ? PyObject_GetAttrString(flags, "optimize") : NULL;
  importer->optimize = optimize && PyObject_IsTrue(optimize) > 0;
  Py_XDECREF(optimize);
  PyErr_Clear();
  return PA_OK;
}

static pa_status open_importer(pa_importer *importer) {
  importer->kept = PyList_New(0);
  importer->symbols = PyDict_New();
  if (!importer->kept || !importer->symbols) return pa_python_failure();
  PA_TRY(load_syntax(importer));
  return load_classes(importer);
}

static void close_importer(pa_importer *importer) {
  Py_XDECREF(importer->kept);
  Py_XDECREF(importer->symbols);
  Py_XDECREF(importer->classes);
  Py_XDECREF(importer->builtins);
  for (int field = 0; field < PA_FIELD_COUNT; ++field) Py_XDECREF(importer->fields[field]);
}

//===-- Import ------------------------------------------------------------------------------------===//

static pa_frontend_options with_defaults(pa_frontend_options options) {
  if (!options.error_model) options.error_model = pa_default_options.error_model;
  if (!options.inline_policy) options.inline_policy = pa_default_options.inline_policy;
  return options;
}

static pa_status request_first(pa_importer *importer, PyObject *object, const pa_frontend_options *options,
                               const pa_function **out_function) {
  pa_frontend_options own = pa_default_options;
  bool of_caller = options && options->of_caller;
  importer->caller = of_caller ? options : NULL;
  PyObject *function = pa_dispatched(object, importer, &own);
  if (PyErr_Occurred()) return pa_python_failure();
  if (options && !of_caller) own = with_defaults(*options);
  pa_status status = pa_request(importer, function ? function : object, &own, out_function);
  Py_XDECREF(function);
  return status;
}

// The function that the extension module knows by that number.
static pa_status request_numbered(pa_importer *importer, const char *number) {
  PyObject *module = pa_adopt(importer, PyImport_ImportModule("pyarray._pyarray"));
  PyObject *object =
      module ? pa_adopt(importer, PyObject_CallMethod(module, "_passed_function", "L", strtoll(number, NULL, 10)))
             : NULL;
  pa_frontend_options options = pa_default_options;
  PyObject *wrapped = object ? pa_dispatched(object, importer, &options) : NULL;
  const pa_function *found;
  if (!wrapped)
    return PyErr_Occurred() ? pa_python_failure()
                            : pa_fail(PA_CODE_TYPING, NULL, "an argument is no compiled function any more");
  pa_status status = pa_request(importer, wrapped, &options, &found);
  Py_DECREF(wrapped);
  for (pa_function *function = importer->first; !status && function; function = function->next)
    if (function == found)
      function->passed =
          mlirStringAttrGet(importer->context, mlirStringRefCreate(number, strspn(number, "0123456789")));
  return status;
}

// Compiled functions among the arguments, and items of these: "P[12]", "p[3,12]".
static pa_status request_passed(pa_importer *importer, const char *code) {
  for (; code && (code = strpbrk(code, "Pp")); ++code) {
    if (code[1] != '[') continue;
    for (++code; *code == '[' || *code == ','; code += strspn(code, "0123456789"))
      PA_TRY(request_numbered(importer, ++code));
  }
  return PA_OK;
}

static pa_status import_one(pa_importer *importer, pa_function *function) {
  if (!function->outer) PA_TRY(pa_read_function(importer, function));
  pa_find_liveness(importer->arena, function);
  return pa_emit_function(importer, function);
}

// A function that is refused does not keep the others from being looked at.
static pa_status import_all(pa_importer *importer) {
  for (pa_function *function = importer->first; function; function = function->next) {
    importer->importing = function;
    function->refused = function->outer && function->outer->refused; // it may be read in part
    pa_status failure = function->refused ? PA_OK : import_one(importer, function);
    if (!failure) continue;
    function->refused = true;
    if (!pa_is_refusal(failure)) return failure;
    importer->is_incomplete = true;
    bool is_one_more = !importer->refusals || pa_status_may_go_on(importer->refusals);
    if (is_one_more)
      importer->refusals = pa_status_join(importer->refusals, failure);
    else
      pa_status_free(failure);
    if (!pa_status_may_go_on(importer->refusals)) break;
  }
  return PA_OK;
}

// Where the module is whole, in spite of what is refused, whoever wants to look at its types gets the refusals.
static pa_status take_refusals(pa_importer *importer, const pa_frontend_options *options, pa_status failure) {
  if (failure) return pa_status_free(importer->refusals), failure;
  if (!importer->refusals || importer->is_incomplete || !options || !options->refusals) return importer->refusals;
  return *options->refusals = importer->refusals, PA_OK;
}

pa_status pa_frontend_import(MlirOperation module, PyObject *object, const pa_frontend_options *options,
                             pa_arena *arena, const char **out_symbol) {
  pa_importer importer = {.context = mlirOperationGetContext(module), .module = module, .arena = arena};
  const pa_function *function = NULL;
  pa_status status = open_importer(&importer);
  if (!status) status = request_first(&importer, object, options, &function);
  if (!status && options) status = request_passed(&importer, options->signature);
  if (!status && options) status = pa_request_classes(&importer, options->signature);
  if (!status) status = import_all(&importer);
  if (!status) pa_write_classes(&importer);
  status = take_refusals(&importer, options, status);
  if (!status) *out_symbol = function->symbol;
  if (status && pa_status_code(status) != PA_CODE_PYTHON) PyErr_Clear();
  close_importer(&importer);
  return status;
}
