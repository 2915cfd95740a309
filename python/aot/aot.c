// What turns functions that were compiled ahead of time into an extension module (pyarray/aot.py): the objects' records
// become dispatchers that have these variants and compile nothing. Linked with the objects of pyarray._pyarray.
#include "module.h"

#include "objects.h"

#include <stdlib.h>
#include <string.h>

// As lib/passes/to_llvm/wrap_export.c writes it.
typedef struct pa_export_record {
  const char *name, *code, *parameters, *signature;
  const char *sites;
  int64_t sites_size;
  int32_t (*entry)(const uint64_t *arguments, uint64_t *results);
  int64_t *owner; // the word PA_OWNER_SYMBOL, or NULL
} pa_export_record;

// The linker's: begin and end of the section.
extern const pa_export_record __start_pyarray_exports[], __stop_pyarray_exports[];

//===-- What else is asked of Python --------------------------------------------------------------===//

// The function that a helper is told of: a dispatcher, or what it was made of.
static PyObject *told_of(PyObject *arguments) {
  PyObject *first = PyTuple_GET_SIZE(arguments) ? PyTuple_GET_ITEM(arguments, 0) : NULL;
  if (first && pa_is_dispatcher(first)) first = ((pa_dispatcher *)first)->function;
  return first && PyFunction_Check(first) ? first : NULL;
}

static bool is_any(const char *text, const char *const *names) {
  while (*names && strcmp(*names, text) != 0) ++names;
  return *names;
}

// Errors of calls, in fewer words than pyarray has for them.
static PyObject *help(const char *function, PyObject *arguments) {
  static const char *const refusals[] = {"no_match", "no_match_for_values", "refused_argument", NULL};
  PyObject *called = told_of(arguments), *text = NULL, *error = NULL;
  if (called && strcmp(function, "argument_name") == 0)
    return PyUnicode_FromFormat("argument %S of %U()", PyTuple_GET_ITEM(arguments, 1),
                                ((PyFunctionObject *)called)->func_name);
  if (called && is_any(function, refusals)) {
    PyObject *signatures = PyObject_GetAttrString(called, "__compiled_for__");
    text = signatures ? PyUnicode_FromFormat("the arguments fit none of the types that %U() was compiled for: %U",
                                             ((PyFunctionObject *)called)->func_name, signatures)
                      : NULL;
    Py_XDECREF(signatures);
    error = text ? PyObject_CallOneArg(PyExc_TypeError, text) : NULL;
    Py_XDECREF(text);
    return error;
  }
  return PyErr_Format(PyExc_RuntimeError, "'%s' needs pyarray; this module was compiled ahead of time", function);
}

//===-- Functions ---------------------------------------------------------------------------------===//

// A Python function that has the name and the parameters, for binding and for tracebacks.
static PyObject *make_stub(PyObject *module, const pa_export_record *record) {
  PyObject *globals = PyModule_GetDict(module);
  PyObject *source = PyUnicode_FromFormat("def %s(%s): pass\n", record->name, record->parameters);
  PyObject *names = source ? PyDict_New() : NULL;
  const char *text = names ? PyUnicode_AsUTF8(source) : NULL;
  PyObject *done = text ? PyRun_String(text, Py_file_input, globals, names) : NULL;
  PyObject *stub = done ? Py_XNewRef(PyDict_GetItemString(names, record->name)) : NULL;
  Py_XDECREF(done);
  Py_XDECREF(names);
  Py_XDECREF(source);
  return stub;
}

static bool set_text(PyObject *object, const char *attribute, PyObject *text) {
  bool done = text && PyObject_SetAttrString(object, attribute, text) == 0;
  Py_XDECREF(text);
  return done;
}

static bool tell_signature(PyObject *function, const pa_export_record *record) {
  PyObject *before = PyObject_GetAttrString(function, "__compiled_for__");
  if (!before) PyErr_Clear();
  PyObject *all =
      before ? PyUnicode_FromFormat("%U, %s", before, record->signature) : PyUnicode_FromString(record->signature);
  Py_XDECREF(before);
  if (!all) return false;
  PyObject *doc =
      PyUnicode_FromFormat("%s(%s)\n\nCompiled ahead of time for %U.", record->name, record->parameters, all);
  return set_text(function, "__compiled_for__", all) && set_text(function, "__doc__", doc);
}

static bool add_variant(pa_dispatcher *dispatcher, const pa_export_record *record) {
  const char *result = pa_signature_result(record->code);
  pa_variant *variant = result ? calloc(1, sizeof *variant) : NULL;
  if (variant && !(variant->code = strdup(record->code))) free(variant), variant = NULL;
  if (!variant) return PyErr_NoMemory(), false;
  variant->entry = record->entry;
  variant->arguments_length = (size_t)(result - record->code) - 1;
  variant->result = variant->code + (result - record->code);
  variant->result_slots = (size_t)pa_type_slots(result);
  variant->argument_slots = (size_t)pa_signature_argument_slots(record->code);
  variant->dispatcher = dispatcher;
  variant->sites = (char *)(uintptr_t)record->sites;
  variant->sites_size = (size_t)record->sites_size;
  variant->is_lent = true; // code and sites are the module's
  if (record->owner) *record->owner = (int64_t)(uintptr_t)variant;
  variant->next = dispatcher->variants;
  dispatcher->variants = variant;
  return true;
}

static PyObject *default_options(void) {
  return Py_BuildValue("{sOsOsOsOsOsOssssss}", "nogil", Py_False, "cache", Py_False, "fastmath", Py_False, "parallel",
                       Py_False, "boundscheck", Py_True, "debug", Py_False, "error_model", "python", "accuracy",
                       "default", "inline", "auto");
}

// The dispatcher of that name, which other signatures may have made: a new reference.
static PyObject *dispatcher_of(PyObject *module, const pa_export_record *record) {
  PyObject *known = PyDict_GetItemString(PyModule_GetDict(module), record->name);
  if (known) return Py_NewRef(known);
  PyObject *stub = make_stub(module, record), *options = stub ? default_options() : NULL,
           *given = options ? PyDict_New() : NULL, *made = given ? pa_dispatcher_new(stub, options, given) : NULL;
  Py_XDECREF(stub);
  Py_XDECREF(options);
  Py_XDECREF(given);
  if (made) ((pa_dispatcher *)made)->can_compile = false;
  if (made && PyModule_AddObjectRef(module, record->name, made) < 0) Py_CLEAR(made);
  return made;
}

static bool add_function(PyObject *module, const pa_export_record *record) {
  PyObject *dispatcher = dispatcher_of(module, record);
  bool done = dispatcher && add_variant((pa_dispatcher *)dispatcher, record) &&
              tell_signature(((pa_dispatcher *)dispatcher)->function, record);
  Py_XDECREF(dispatcher);
  return done;
}

//===-- The module --------------------------------------------------------------------------------===//

// Of the CPU.
static int wanted_capability(const pa_dispatcher *dispatcher) {
  (void)dispatcher;
  return 0;
}

// Without the rooms ufunc and cuda, which nothing here comes to.
static const pa_forward_calls forward = {
    .dispatcher_type = &pa_dispatcher_type,
    .help = help,
    .becomes_function_value = pa_becomes_function_value,
    .put_function_value = pa_put_function_value,
    .box_function_value = pa_box_function_value,
    .wanted_capability = wanted_capability,
};

// What pyarray._pyarray has as a module is kept, and seen by nobody.
static bool initialize(void) {
  static PyObject *hidden;
  if (hidden) return true;
  PyTypeObject *const types[] = {&pa_dispatcher_type, &pa_array_owner_type, &pa_generator_type, &pa_omitted_type};
  PyObject *loops = PyImport_ImportModule("numpy.linalg"); // whose loops are fetched
  Py_XDECREF(loops);
  if (!loops || pa_initialize(&forward) < 0) return false;
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (PyType_Ready(types[i]) < 0) return false;
  hidden = PyModule_New("_pyarray");
  if (hidden && (pa_parallel_initialize(hidden) < 0 || pa_instance_initialize(hidden) < 0)) Py_CLEAR(hidden);
  return hidden;
}

static int execute(PyObject *module) {
  if (!initialize()) return -1;
  for (const pa_export_record *record = __start_pyarray_exports; record < __stop_pyarray_exports; ++record)
    if (!add_function(module, record)) return -1;
  return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)(uintptr_t)execute}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "ahead_of_time",
    .m_doc = "Functions compiled ahead of time by pyarray.",
    .m_slots = slots,
};

PyObject *pyarray_aot_definition(void);

// What the object's PyInit_<name> gives.
PyObject *pyarray_aot_definition(void) { return PyModuleDef_Init(&definition); }
