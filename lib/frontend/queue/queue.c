// The queue of functions that are still to be imported, and their symbols.
#include <Python.h>

#include "importer.h"

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

static const char *numbered(pa_importer *importer, const char *base, long number) {
  return number ? pa_arena_format(importer->arena, "%s.%ld", base, number) : base;
}

static bool has_symbol(pa_importer *importer, const char *base, long number) {
  return !mlirOperationIsNull(pa_lookup(importer->module, pa_ref(numbered(importer, base, number))));
}

// f, f.1, f.2, ...: what neither the module nor the queue has. What is read later, overloads say, finds the module's
// without asking for each of them: some number between one that is taken and one that is not.
pa_status pa_make_symbol(pa_importer *importer, const char *name, const char **out_symbol) {
  const char *base = strcmp(name, "<lambda>") == 0 ? "lambda" : name;
  PyObject *used = PyDict_GetItemString(importer->symbols, base);
  long number = used ? PyLong_AsLong(used) : 0, taken = number - 1;
  for (long step = 1; has_symbol(importer, base, number); step *= 2) taken = number, number += step;
  while (number - taken > 1) {
    long middle = taken + (number - taken) / 2;
    *(has_symbol(importer, base, middle) ? &taken : &number) = middle;
  }
  PyObject *now = PyLong_FromLong(number + 1);
  int failed = now ? PyDict_SetItemString(importer->symbols, base, now) : -1;
  Py_XDECREF(now);
  *out_symbol = numbered(importer, base, number);
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
  options->offload = first->offload;
  if (options->offload) options->parallel = false;
  if (!first->target) return;
  options->target = first->target;
  options->error_model = first->error_model;
  options->boundscheck = first->boundscheck;
  options->fastmath |= first->fastmath;
  if (!options->fastmath_flags) options->fastmath_flags = first->fastmath_flags;
  options->parallel = false;
}

pa_status pa_enqueue(pa_importer *importer, PyObject *object, const pa_frontend_options *options,
                     pa_function **out_function) {
  pa_function *function = PA_NEW(importer->arena, pa_function);
  function->object = pa_adopt(importer, Py_NewRef(object));
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

// Nested functions of the library do not have the names of the user's: "functools.partial.call".
static const char *nested_symbol(pa_importer *importer, const pa_function *outer, const char *name) {
  const pa_function *outermost = outer;
  while (outermost->outer) outermost = outermost->outer;
  const char *base = strcmp(name, "<lambda>") == 0 ? "lambda" : name;
  return outermost->in_library ? pa_arena_format(importer->arena, "%s.%s", outer->symbol, base) : base;
}

pa_status pa_add_nested(pa_importer *importer, pa_function *outer, const char *name, pa_function **out_function) {
  pa_function *function = PA_NEW(importer->arena, pa_function);
  *function = (pa_function){
      .object = outer->object, .outer = outer, .options = outer->options, .file = outer->file, .python_name = name};
  function->qualname = pa_arena_format(importer->arena, "%s.<locals>.%s", outer->qualname, name);
  PA_TRY(pa_make_symbol(importer, nested_symbol(importer, outer, name), &function->symbol));
  importer->last->next = function;
  importer->last = function;
  return *out_function = function, PA_OK;
}

pa_location pa_locate(const pa_function *function, pa_place place) {
  return (pa_location){function->file, place.line, place.column};
}
