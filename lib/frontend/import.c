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

#include "importer.h"
#include "ir/builtins.h"

//===-- Python objects ----------------------------------------------------------------------------===//

pa_status pa_python_failure(void) { return pa_fail(PA_CODE_PYTHON, NULL, "a Python exception is set"); }

pa_status pa_python_refusal(pa_importer *importer, const pa_location *location) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyErr_NormalizeException(&type, &error, &traceback);
  PyObject *message = error ? pa_keep(importer, PyObject_Str(error)) : NULL;
  const char *text = message ? pa_python_text(importer, message) : NULL;
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(traceback);
  return text ? pa_fail(PA_CODE_TYPING, location, "%s", text) : pa_python_failure();
}

PyObject *pa_keep(pa_importer *importer, PyObject *object) {
  if (!object) return NULL;
  int failed = PyList_Append(importer->kept, object);
  Py_DECREF(object); // the list holds it
  return failed ? NULL : object;
}

const char *pa_python_text(pa_importer *importer, PyObject *string) {
  Py_ssize_t length;
  const char *text = PyUnicode_AsUTF8AndSize(string, &length);
  return text ? pa_arena_copy(importer->arena, text, (size_t)length) : NULL;
}

bool pa_is_refusal(pa_status failure) {
  return failure && (pa_status_code(failure) == PA_CODE_TYPING || pa_status_code(failure) == PA_CODE_UNSUPPORTED);
}

static bool is_told(pa_status refusals, pa_status refusal) {
  const pa_location *at = pa_status_location(refusal);
  for (; refusals; refusals = pa_status_next(refusals)) {
    const pa_location *place = pa_status_location(refusals);
    if (place->line == at->line && place->column == at->column &&
        strcmp(pa_status_message(refusals), pa_status_message(refusal)) == 0)
      return true;
  }
  return false;
}

MlirValue pa_emit_refused(pa_emitter *e, pa_status refusal) {
  pa_importer *importer = e->importer;
  if (!pa_is_refusal(refusal)) return pa_set_failure(e, refusal), (MlirValue){NULL};
  if (importer->refusals && !pa_status_may_go_on(importer->refusals))
    return pa_set_failure(e, refusal), (MlirValue){NULL};
  if (is_told(importer->refusals, refusal))
    pa_status_free(refusal);
  else
    importer->refusals = pa_status_join(importer->refusals, refusal);
  return pa_emit_unbound(e, e->any);
}

//===-- Dispatchers and their options -------------------------------------------------------------===//

static const pa_frontend_options default_options = {
    .error_model = "python", .inline_policy = "auto", .boundscheck = true};

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

// What a device function is linked with the kernel is linked with, too: numbers of pyarray/cuda/_declared.py in an
// attribute of the module.
static void note_links(pa_importer *importer, PyObject *link) {
  if (!link || !PyTuple_Check(link) || !PyTuple_Size(link)) return;
  PyObject *declared = PyImport_ImportModule("pyarray.cuda._declared");
  PyObject *number = declared ? PyObject_CallMethod(declared, "number_of", "(O)", link) : NULL;
  MlirAttribute earlier = pa_get_attr(importer->module, PA_LINKS), all[256];
  intptr_t count = 0, before = mlirAttributeIsNull(earlier) ? 0 : mlirArrayAttrGetNumElements(earlier);
  for (; count < before && count < 255; ++count) all[count] = mlirArrayAttrGetElement(earlier, count);
  if (number) all[count++] = pa_i64_attr(importer->context, PyLong_AsLongLong(number));
  if (number) pa_set_attr(importer->module, PA_LINKS, mlirArrayAttrGet(importer->context, count, all));
  Py_XDECREF(number);
  Py_XDECREF(declared);
}

static pa_frontend_options options_in(pa_importer *importer, PyObject *dict, pa_frontend_options options) {
  if (dict && PyDict_Check(dict)) {
    options.error_model = option_text(importer, dict, "error_model", options.error_model);
    options.inline_policy = option_text(importer, dict, "inline", options.inline_policy);
    options.boundscheck = option_bool(dict, "boundscheck", options.boundscheck);
    options.fastmath = option_bool(dict, "fastmath", options.fastmath);
    options.parallel = option_bool(dict, "parallel", options.parallel);
    options.kernel = !option_bool(dict, "device", true);
    PyObject *locals = PyDict_GetItemString(dict, "locals");
    options.locals = locals ? pa_keep(importer, Py_NewRef(locals)) : NULL;
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
  if (!is_given(given, "fastmath")) options->fastmath = caller->fastmath;
}

pa_frontend_options pa_called_options(const pa_importer *importer) {
  pa_frontend_options options = default_options;
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
  pa_frontend_options options = options_in(importer, all ? all : given, default_options);
  PyObject *declared = PyObject_GetAttrString(dispatcher, "_declared");
  PyErr_Clear();
  if (declared && PyTuple_Check(declared)) options.declared = pa_keep(importer, Py_NewRef(declared));
  Py_XDECREF(declared);
  if (importer->importing) inherit(&options, given, &importer->importing->options);
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
  return options_in(importer, dict, default_options);
}

PyObject *pa_dispatched(PyObject *object, pa_importer *importer, pa_frontend_options *out_options) {
  PyObject *function = is_dispatcher(importer, object) ? PyObject_GetAttrString(object, "py_func") : NULL;
  if (function) *out_options = read_options(importer, object);
  return function;
}

//===-- Queue -------------------------------------------------------------------------------------===//

const pa_function *pa_find_function(const pa_importer *importer, PyObject *object) {
  for (const pa_function *function = importer->first; function; function = function->next)
    if (!function->outer && (function->wrapper ? function->wrapper : function->object) == object) return function;
  return NULL;
}

static pa_status get_name(pa_importer *importer, PyObject *object, const char *attribute, const char **out_text) {
  PyObject *name = PyObject_GetAttrString(object, attribute);
  *out_text = name ? pa_python_text(importer, name) : NULL;
  Py_XDECREF(name);
  return *out_text ? PA_OK : pa_python_failure();
}

// f, f.1, f.2, ...: what neither the module nor the queue has.
pa_status pa_make_symbol(pa_importer *importer, const char *name, const char **out_symbol) {
  const char *base = strcmp(name, "<lambda>") == 0 ? "lambda" : name;
  PyObject *used = PyDict_GetItemString(importer->symbols, base);
  long count = used ? PyLong_AsLong(used) : 0;
  const char *symbol;
  do {
    symbol = count ? pa_arena_format(importer->arena, "%s.%ld", base, count) : base;
    count++;
  } while (!mlirOperationIsNull(pa_lookup(importer->module, pa_ref(symbol))));
  PyObject *now = PyLong_FromLong(count);
  int failed = now ? PyDict_SetItemString(importer->symbols, base, now) : -1;
  Py_XDECREF(now);
  *out_symbol = symbol;
  return failed ? pa_python_failure() : PA_OK;
}

pa_status pa_library_symbol(pa_importer *importer, PyObject *object, const char **out_symbol) {
  static const char package[] = "pyarray.library.";
  *out_symbol = NULL;
  if ((PyObject *)Py_TYPE(object) != importer->function_type) return PA_OK;
  const char *module, *name;
  PA_TRY(get_name(importer, object, "__name__", &name));
  PyObject *text = PyObject_GetAttrString(object, "__module__");
  module = text && PyUnicode_Check(text) ? pa_python_text(importer, text) : "";
  Py_XDECREF(text);
  if (!module || PyErr_Occurred()) return pa_python_failure();
  if (strncmp(module, package, sizeof package - 1) == 0)
    *out_symbol = pa_arena_format(importer->arena, "%s.%s", module + sizeof package - 1, name);
  return PA_OK;
}

// Options that the function asked for decides for those that it calls.
static void fit_to_target(pa_frontend_options *options, const pa_frontend_options *first) {
  if (!first->target) return;
  options->target = first->target;
  options->error_model = first->error_model;
  options->boundscheck = first->boundscheck;
  options->fastmath |= first->fastmath;
  options->parallel = false;
}

pa_status pa_enqueue(pa_importer *importer, PyObject *object, const pa_frontend_options *options,
                     pa_function **out_function) {
  pa_function *function = PA_NEW(importer->arena, pa_function);
  function->object = pa_keep(importer, Py_NewRef(object));
  if (!function->object) return pa_python_failure();
  function->options = *options;
  PA_TRY(pa_read_declared(importer, options->declared, &function->declared));
  if (importer->first) fit_to_target(&function->options, &importer->first->options);
  PA_TRY(get_name(importer, object, "__name__", &function->python_name));
  PA_TRY(get_name(importer, object, "__qualname__", &function->qualname));
  PA_TRY(pa_library_symbol(importer, object, &function->symbol));
  function->in_library = function->symbol;
  function->no_frame = PyObject_HasAttrString(object, "__pyarray_no_frame__"); // made for a call of something else
  if (!function->symbol) PA_TRY(pa_make_symbol(importer, function->python_name, &function->symbol));
  *(importer->last ? &importer->last->next : &importer->first) = function;
  importer->last = function;
  *out_function = function;
  return PA_OK;
}

pa_status pa_request(pa_importer *importer, PyObject *object, const pa_frontend_options *options,
                     const pa_function **out_function) {
  *out_function = pa_find_function(importer, object);
  if (*out_function) return PA_OK;
  pa_function *function;
  PA_TRY(pa_enqueue(importer, object, options, &function));
  return *out_function = function, PA_OK;
}

pa_status pa_add_nested(pa_importer *importer, pa_function *outer, const char *name, pa_function **out_function) {
  pa_function *function = PA_NEW(importer->arena, pa_function);
  *function = (pa_function){
      .object = outer->object, .outer = outer, .options = outer->options, .file = outer->file, .python_name = name};
  function->qualname = pa_arena_format(importer->arena, "%s.<locals>.%s", outer->qualname, name);
  PA_TRY(pa_make_symbol(importer, name, &function->symbol));
  importer->last->next = function;
  importer->last = function;
  return *out_function = function, PA_OK;
}

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
  PyObject *module = pa_keep(importer, PyImport_ImportModule("ast"));
  importer->classes = module ? PyDict_New() : NULL;
  if (!importer->classes) return pa_python_failure();
  for (int class = 0; class < PA_CLASS_COUNT; ++class)
    if (add_class(importer->classes, module, class) < 0) return pa_python_failure();
  for (int field = 0; field < PA_FIELD_COUNT; ++field)
    if (!(importer->fields[field] = PyUnicode_InternFromString(field_names[field]))) return pa_python_failure();
  return PA_OK;
}

static pa_status load_names(pa_importer *importer) {
  PyObject *names = importer->builtin_names = pa_keep(importer, PyTuple_New(pa_builtin_count));
  if (!names) return pa_python_failure();
  for (int i = 0; i < pa_builtin_count; ++i) {
    PyObject *name = PyUnicode_FromString(pa_builtins[i].name);
    if (!name || PyTuple_SetItem(names, i, name) < 0) return pa_python_failure();
  }
  return PA_OK;
}

static pa_status load_builtins(pa_importer *importer) {
  PyObject *module = PyImport_ImportModule("pyarray._names");
  if (!module) return pa_python_failure();
  Py_CLEAR(importer->builtins);
  importer->builtins = PyObject_CallMethod(module, "builtin_table", "(O)", importer->builtin_names);
  importer->loaded = PyDict_Size(PyImport_GetModuleDict());
  Py_DECREF(module);
  if (importer->builtins && !PyDict_Check(importer->builtins))
    PyErr_SetString(PyExc_TypeError, "builtin_table: expected a dict");
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

// The row that a text names; borrowed, or NULL.
static PyObject *name_of_row(pa_importer *importer, PyObject *text) {
  const char *utf8 = pa_python_text(importer, text);
  if (!utf8 || !pa_builtin_find(pa_ref(utf8))) return NULL;
  for (int i = 0; i < pa_builtin_count; ++i)
    if (strcmp(pa_builtins[i].name, utf8) == 0) return PyTuple_GetItem(importer->builtin_names, i);
  return NULL;
}

// A method of a builtin class, itertools.chain.from_iterable, or of a ufunc of NumPy, np.add.reduce, which is a new
// object each time that it is asked for.
static pa_status class_method_name(pa_importer *importer, PyObject *object, PyObject **out_name) {
  PyObject *class = PyObject_GetAttrString(object, "__self__"), *method = PyObject_GetAttrString(object, "__name__"),
           *of_class = NULL;
  pa_status status = PA_OK;
  bool has_rows = class && (PyType_Check(class) || (PyObject *)Py_TYPE(class) == importer->ufunc);
  if (has_rows && method) status = pa_builtin_name(importer, class, &of_class);
  PyObject *text = of_class ? PyUnicode_FromFormat("%U.%U", of_class, method) : NULL;
  *out_name = text ? name_of_row(importer, text) : NULL;
  Py_XDECREF(text);
  Py_XDECREF(class);
  Py_XDECREF(method);
  PyErr_Clear();
  return status;
}

pa_status pa_builtin_name(pa_importer *importer, PyObject *object, PyObject **out_name) {
  if (!importer->builtins || PyDict_Size(PyImport_GetModuleDict()) != importer->loaded) PA_TRY(load_builtins(importer));
  PyObject *key = PyLong_FromVoidPtr(object);
  *out_name = key ? PyDict_GetItemWithError(importer->builtins, key) : NULL;
  Py_XDECREF(key);
  if (!*out_name && !PyErr_Occurred() &&
      (PyCFunction_Check(object) || (PyObject *)Py_TYPE(object) == importer->method_type))
    return class_method_name(importer, object, out_name);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

// A class or function of a module that need not be loaded.
static pa_status load_class(pa_importer *importer, const char *module_name, const char *name, PyObject **out_class) {
  PyObject *text = PyUnicode_FromString(module_name);
  PyObject *module = text ? PyImport_GetModule(text) : NULL;
  Py_XDECREF(text);
  *out_class = module ? pa_keep(importer, PyObject_GetAttrString(module, name)) : NULL;
  Py_XDECREF(module);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

static pa_status load_classes(pa_importer *importer) {
  PyObject *types = pa_keep(importer, PyImport_ImportModule("types"));
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
  PA_TRY(load_names(importer));
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
  if (!options.error_model) options.error_model = default_options.error_model;
  if (!options.inline_policy) options.inline_policy = default_options.inline_policy;
  return options;
}

static pa_status request_first(pa_importer *importer, PyObject *object, const pa_frontend_options *options,
                               const pa_function **out_function) {
  pa_frontend_options own = default_options;
  PyObject *function = pa_dispatched(object, importer, &own);
  if (PyErr_Occurred()) return pa_python_failure();
  if (options) own = with_defaults(*options);
  pa_status status = pa_request(importer, function ? function : object, &own, out_function);
  Py_XDECREF(function);
  return status;
}

// The function that the extension module knows by that number.
static pa_status request_numbered(pa_importer *importer, const char *number) {
  PyObject *module = pa_keep(importer, PyImport_ImportModule("pyarray._pyarray"));
  PyObject *object =
      module ? pa_keep(importer, PyObject_CallMethod(module, "_passed_function", "L", strtoll(number, NULL, 10)))
             : NULL;
  pa_frontend_options options = default_options;
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
