// Attributes and methods of the dispatcher. What only shows something is done in Python (pyarray/_introspect.py).
#include "objects.h"

#include <stdlib.h>
#include <string.h>

static pa_dispatcher *cast(PyObject *object) { return (pa_dispatcher *)object; }

//===-- Attributes --------------------------------------------------------------------------------===//

// Passed on to the plain function; |name| is the attribute's.
static PyObject *get_of_function(PyObject *self, void *name) {
  return PyObject_GetAttrString(cast(self)->function, name);
}

static int set_of_function(PyObject *self, PyObject *value, void *name) {
  return PyObject_SetAttrString(cast(self)->function, name, value);
}

static PyObject *get_function(PyObject *self, void *unused) {
  (void)unused;
  return Py_NewRef(cast(self)->function);
}

static PyObject *get_options(PyObject *self, void *unused) {
  (void)unused;
  return pa_options_refresh(cast(self)) ? PyDict_Copy(cast(self)->options) : NULL;
}

static PyObject *get_declared(PyObject *self, void *unused) {
  (void)unused;
  return Py_NewRef(cast(self)->declared ? cast(self)->declared : Py_None);
}

static PyObject *get_target_options(PyObject *self, void *unused) {
  (void)unused;
  return pa_options_given(cast(self));
}

static int set_target_options(PyObject *self, PyObject *given, void *unused) {
  (void)unused;
  return pa_options_give(cast(self), given);
}

static PyObject *get_from_helper(PyObject *self, void *name) {
  return pa_call_helper("_introspect", name, "(O)", self);
}

// What functools.wraps has set, else the function.
static PyObject *get_wrapped(PyObject *self, void *unused) {
  PyObject *own = PyObject_GenericGetDict(self, NULL), *set = own ? PyDict_GetItemString(own, "__wrapped__") : NULL;
  PyObject *wrapped = set ? Py_NewRef(set) : own ? get_function(self, unused) : NULL;
  Py_XDECREF(own);
  return wrapped;
}

static int set_wrapped(PyObject *self, PyObject *value, void *unused) {
  (void)unused;
  PyObject *own = PyObject_GenericGetDict(self, NULL);
  int status = !own    ? -1
               : value ? PyDict_SetItemString(own, "__wrapped__", value)
                       : PyDict_DelItemString(own, "__wrapped__");
  Py_XDECREF(own);
  return status;
}

#define PA_OF_FUNCTION(name) {name, get_of_function, set_of_function, NULL, (void *)name}

PyGetSetDef pa_dispatcher_attributes[] = {
    {"py_func", get_function, NULL, "The plain Python function.", NULL},
    {"__wrapped__", get_wrapped, set_wrapped, NULL, NULL},
    PA_OF_FUNCTION("__name__"),
    PA_OF_FUNCTION("__qualname__"),
    PA_OF_FUNCTION("__doc__"),
    PA_OF_FUNCTION("__module__"),
    PA_OF_FUNCTION("__annotations__"),
    {"__defaults__", get_of_function, NULL, NULL, "__defaults__"},
    {"__kwdefaults__", get_of_function, NULL, NULL, "__kwdefaults__"},
    {"__code__", get_of_function, NULL, NULL, "__code__"},
    {"__globals__", get_of_function, NULL, NULL, "__globals__"},
    {"__closure__", get_of_function, NULL, NULL, "__closure__"},
    {"__signature__", get_from_helper, NULL, NULL, "python_signature"},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"options", get_options, NULL, "Every compilation option with its value.", NULL},
    {"_declared", get_declared, NULL, NULL, NULL},
    {"targetoptions", get_target_options, set_target_options,
     "The options given to the decorator; what is changed here counts for what is compiled from then on.", NULL},
    {"signatures", get_from_helper, NULL, "Argument types of every compiled variant.", "signatures"},
    {"nopython_signatures", get_from_helper, NULL, "Signatures of every compiled variant.", "nopython_signatures"},
    {"overloads", get_from_helper, NULL, "Compiled variants by argument types.", "overloads"},
    {"stats", get_from_helper, NULL, "Hits and misses of the disk cache, by argument types.", "stats"},
    {NULL, NULL, NULL, NULL, NULL},
};

//===-- Showing -----------------------------------------------------------------------------------===//

// [(type code, from cache, seconds, replaced)], oldest first.
static bool append_variants(PyObject *list, const pa_variant *first, bool is_retired) {
  for (const pa_variant *variant = first; variant; variant = variant->next) {
    if (variant->target) continue;
    const double *s = variant->seconds;
    PyObject *row = Py_BuildValue("(sO(dddd)O)", variant->code, variant->from_cache ? Py_True : Py_False, s[0], s[1],
                                  s[2], s[3], is_retired ? Py_True : Py_False);
    int failed = row ? PyList_Append(list, row) : -1;
    Py_XDECREF(row);
    if (failed) return false;
  }
  return true;
}

static PyObject *list_variants(PyObject *self, PyObject *unused) {
  (void)unused;
  PyObject *list = PyList_New(0);
  if (list && append_variants(list, cast(self)->variants, false) && append_variants(list, cast(self)->retired, true) &&
      PyList_Reverse(list) == 0)
    return list;
  Py_XDECREF(list);
  return NULL;
}

static PyObject *show_level(PyObject *self, PyObject *arguments) {
  const char *level, *code;
  if (!PyArg_ParseTuple(arguments, "ss", &level, &code) || !pa_options_refresh(cast(self))) return NULL;
  const pyarray_core_api *core = pa_core_load();
  if (!core) return NULL;
  pyarray_compile_request request;
  pyarray_compile_result result = {0};
  pa_core_request(cast(self), code, &request);
  core->inspect(&request, level, &result);
  PyObject *text = NULL;
  if (result.outcome == PYARRAY_OK)
    text = PyUnicode_DecodeUTF8(result.object, (Py_ssize_t)result.object_size, "replace");
  else
    pa_core_raise(&result);
  core->free_result(&result);
  return text;
}

#define PA_INTROSPECT(name)                                                                                            \
  static PyObject *name(PyObject *self, PyObject *arguments, PyObject *keywords) {                                     \
    return pa_call_as_method("_introspect", #name, self, arguments, keywords);                                         \
  }
PA_INTROSPECT(inspect_types)
PA_INTROSPECT(inspect_mlir)
PA_INTROSPECT(inspect_llvm)
PA_INTROSPECT(inspect_asm)
PA_INTROSPECT(inspect_parallel)
PA_INTROSPECT(parallel_diagnostics)
PA_INTROSPECT(inspect_fusion)
PA_INTROSPECT(fusion_report)
PA_INTROSPECT(explain)
PA_INTROSPECT(inspect_cfg)
PA_INTROSPECT(inspect_disasm_cfg)
PA_INTROSPECT(get_metadata)
PA_INTROSPECT(get_call_template)
PA_INTROSPECT(enable_caching)
#undef PA_INTROSPECT

//===-- Compiling ---------------------------------------------------------------------------------===//

static const pa_variant *compile_signature(PyObject *self, PyObject *signature) {
  if (!cast(self)->can_compile)
    return PyErr_Format(PyExc_RuntimeError, "compilation of %U() is disabled; enable it by disable_compile(False)",
                        ((PyFunctionObject *)cast(self)->function)->func_qualname),
           NULL;
  PyObject *code = pa_call_helper("signatures", "code_of", "(O)", signature);
  const char *text = code ? PyUnicode_AsUTF8(code) : NULL;
  const pa_variant *variant = text ? pa_variant_compile(cast(self), text) : NULL;
  Py_XDECREF(code);
  return variant;
}

// What Numba calls the entry point: it takes the arguments of that signature alone.
static PyObject *compile(PyObject *self, PyObject *signature) {
  const pa_variant *variant = compile_signature(self, signature);
  if (!variant) return NULL;
  return cast(self)->cuda || !variant->entry ? Py_NewRef(self) : pa_dispatcher_of_variant(cast(self), variant);
}

static PyObject *compile_to_address(PyObject *self, PyObject *signature) {
  const pa_variant *variant = compile_signature(self, signature);
  if (!variant) return NULL;
  return PyLong_FromVoidPtr(variant->c_entry ? variant->c_entry : (void *)(uintptr_t)variant->entry);
}

static PyObject *recompile(PyObject *self, PyObject *unused) {
  (void)unused;
  return pa_variants_recompile(cast(self)) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *disable_compile(PyObject *self, PyObject *arguments) {
  int disable = 1;
  if (!PyArg_ParseTuple(arguments, "|p", &disable)) return NULL;
  cast(self)->can_compile = !disable;
  cast(self)->last = NULL; // which may be a conversion
  Py_RETURN_NONE;
}

static PyObject *fingerprint(PyObject *self, PyObject *code) {
  const char *text = PyUnicode_AsUTF8(code);
  pa_cache_key key;
  int known = text ? pa_fingerprint_of(cast(self), text, &key) : -1;
  if (known < 0) return NULL;
  return known ? PyBytes_FromStringAndSize((const char *)key.bytes, sizeof key.bytes) : Py_NewRef(Py_None);
}

// (complete type code, object file): see pyarray/aot.py.
static PyObject *compile_export(PyObject *self, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"code", "form", "name", "parameters", "signature", "module", "cpu", "features", NULL};
  const char *code, *form, *name, *parameters, *signature, *module, *cpu, *features;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "ssssszzz", names, &code, &form, &name, &parameters, &signature,
                                   &module, &cpu, &features) ||
      !pa_options_refresh(cast(self)))
    return NULL;
  const pyarray_core_api *core = pa_core_load();
  if (!core) return NULL;
  pyarray_compile_request request;
  pyarray_compile_result result = {0};
  pa_core_request(cast(self), code, &request);
  request.precompiled = NULL; // which is this process's
  request.cpu = cpu;
  request.features = features;
  request.export_form = form;
  request.export_name = name;
  request.export_parameters = parameters;
  request.export_signature = signature;
  request.export_module = module;
  core->compile(&request, &result);
  PyObject *made = NULL;
  if (result.outcome != PYARRAY_OK)
    pa_core_raise(&result);
  else if (pa_core_warn(&result))
    made = Py_BuildValue("(sy#)", result.type_code, result.object, (Py_ssize_t)result.object_size);
  core->free_result(&result);
  return made;
}

//===-- Copying -----------------------------------------------------------------------------------===//

static PyObject *reduce(PyObject *self, PyObject *unused) {
  (void)unused;
  return pa_call_helper("_pickle", "reduce", "(O)", self);
}

// Functions are copied by reference.
static PyObject *copy_self(PyObject *self, PyObject *unused) {
  (void)unused;
  return Py_NewRef(self);
}

static PyObject *get_can_compile(PyObject *self, PyObject *unused) {
  (void)unused;
  return PyBool_FromLong(cast(self)->can_compile);
}

PyMethodDef pa_dispatcher_methods[] = {
    {"inspect_types", PA_KEYWORDS(inspect_types),
     "inspect_types(file=None, signature=None, pretty=False)\n\nPrint the source with the inferred type of every line; "
     "pretty=True gives it for notebooks."},
    {"inspect_mlir", PA_KEYWORDS(inspect_mlir),
     "inspect_mlir(level=None, signature=None)\n\nThe IR of a level, 1 to 6."},
    {"inspect_llvm", PA_KEYWORDS(inspect_llvm), "inspect_llvm(signature=None)\n\nThe optimised LLVM IR."},
    {"inspect_asm", PA_KEYWORDS(inspect_asm), "inspect_asm(signature=None)\n\nThe machine code as text."},
    {"inspect_parallel", PA_KEYWORDS(inspect_parallel),
     "inspect_parallel(signature=None)\n\nWhat runs on several threads, and what does not and why, as text."},
    {"parallel_diagnostics", PA_KEYWORDS(parallel_diagnostics),
     "parallel_diagnostics(signature=None, level=1)\n\nPrint what inspect_parallel gives."},
    {"inspect_fusion", PA_KEYWORDS(inspect_fusion),
     "inspect_fusion(signature=None)\n\nWhat became of each operation on whole arrays, and why, as text."},
    {"fusion_report", PA_KEYWORDS(fusion_report), "fusion_report(signature=None)\n\nPrint what inspect_fusion gives."},
    {"explain", PA_KEYWORDS(explain),
     "explain(signature=None)\n\nA page of HTML: the function at every level, what became of each line, and why."},
    {"inspect_cfg", PA_KEYWORDS(inspect_cfg),
     "inspect_cfg(signature=None, show_wrapper=None, **options)\n\nThe graph of the blocks of the LLVM IR, in the "
     "language of graphviz."},
    {"inspect_disasm_cfg", PA_KEYWORDS(inspect_disasm_cfg),
     "inspect_disasm_cfg(signature=None)\n\nThe graph of the blocks of the machine code."},
    {"get_metadata", PA_KEYWORDS(get_metadata),
     "get_metadata(signature=None)\n\nWhat is known of how a variant was compiled: a dict."},
    {"get_call_template", PA_KEYWORDS(get_call_template),
     "get_call_template(args, kws)\n\n(signatures, Python's signature, argument types, {}) for a call with these "
     "types."},
    {"enable_caching", PA_KEYWORDS(enable_caching),
     "enable_caching()\n\nKeep what is compiled from now on on disk, as by default."},
    {"compile", compile, METH_O, "Compile for a signature; gives what can be called with arguments of these types."},
    {"_compile_to_address", compile_to_address, METH_O, NULL},
    {"recompile", recompile, METH_NOARGS, "Compile every variant again, with the values that globals have now."},
    {"disable_compile", disable_compile, METH_VARARGS, "Compile nothing more: arguments convert to declared types."},
    {"_variants", list_variants, METH_NOARGS, NULL},
    {"_show", show_level, METH_VARARGS, NULL},
    {"_fingerprint", fingerprint, METH_O, NULL},
    {"_export", PA_KEYWORDS(compile_export), NULL},
    {"_can_compile", get_can_compile, METH_NOARGS, NULL},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {"__copy__", copy_self, METH_NOARGS, NULL},
    {"__deepcopy__", copy_self, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

PyObject *pa_share_results(PyObject *module, PyObject *dispatcher) {
  (void)module;
  if (PyObject_TypeCheck(dispatcher, &pa_dispatcher_type))
    ((pa_dispatcher *)dispatcher)->shares_results = true; // else with DISABLE_JIT
  return Py_NewRef(dispatcher);
}
