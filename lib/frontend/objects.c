// Names that are no variables, and what they stand for: values frozen at compile time, builtins, compiled functions.
//
//   K = 3          ... x + K            pyarray.constant 3 : si64
//   TABLE          ... TABLE[i]         pyarray.frozen_array dense<...>
//   import math    ... math.sqrt(x)     pyarray.callable "math.sqrt"
//   @njit helper   ... helper(x)        pyarray.callable @helper
#include <Python.h>

#include <string.h>

#include "importer.h"
#include "ir/builtins.h"
#include "ir/exceptions.h"

enum { MAX_TUPLE_DEPTH = 100 };

//===-- Looking names up --------------------------------------------------------------------------===//

// |*out_cell|: a new reference to the cell of the free variable, or NULL if there is none.
static pa_status get_cell(const pa_function *function, PyObject *name, PyObject **out_cell) {
  pa_status status = PA_OK;
  PyObject *code = PyObject_GetAttrString(function->object, "__code__");
  PyObject *names = code ? PyObject_GetAttrString(code, "co_freevars") : NULL;
  PyObject *closure = names ? PyObject_GetAttrString(function->object, "__closure__") : NULL;
  *out_cell = NULL;
  if (!closure) {
    status = pa_python_failure();
    goto done;
  }
  for (Py_ssize_t i = 0; PyTuple_Check(closure) && i < PyTuple_Size(closure); ++i)
    if (PyUnicode_Compare(PyTuple_GetItem(names, i), name) == 0) *out_cell = Py_NewRef(PyTuple_GetItem(closure, i));
done:
  Py_XDECREF(code);
  Py_XDECREF(names);
  Py_XDECREF(closure);
  return status;
}

// From the dict that is the function's attribute |dictionary|: a new reference, NULL if it is not there.
static pa_status get_from(const pa_function *function, const char *dictionary, PyObject *name, PyObject **out_object) {
  PyObject *dict = PyObject_GetAttrString(function->object, dictionary);
  PyObject *object = dict ? PyDict_GetItemWithError(dict, name) : NULL;
  *out_object = Py_XNewRef(object);
  Py_XDECREF(dict);
  return object || !PyErr_Occurred() ? PA_OK : pa_python_failure();
}

// A new reference, or NULL for a name without a value.
static pa_status get_object(const pa_function *function, PyObject *name, PyObject **out_object) {
  PyObject *cell;
  PA_TRY(get_cell(function, name, &cell));
  if (cell) {
    *out_object = PyObject_GetAttrString(cell, "cell_contents");
    Py_DECREF(cell);
    if (*out_object) return PA_OK;
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) return pa_python_failure();
    PyErr_Clear();
    return PA_OK;
  }
  PA_TRY(get_from(function, "__globals__", name, out_object));
  return *out_object ? PA_OK : get_from(function, "__builtins__", name, out_object);
}

static pa_status look_up_import(pa_emitter *e, const pa_expression *x) {
  pa_location location = pa_locate(e->function, x->place);
  x->name->object = x->name->import->object;
  if (x->name->object) return PA_OK;
  return pa_fail(
      PA_CODE_TYPING, &location,
      "name '%s' has no value here: it is imported further on, or where it is decided that the code is not executed",
      x->name->text);
}

pa_status pa_find_object(pa_importer *importer, const pa_function *function, const char *name, PyObject **out_object) {
  PyObject *object = NULL, *text = PyUnicode_FromString(name);
  if (!text) return pa_python_failure();
  pa_status status = get_object(function, text, &object);
  Py_DECREF(text);
  if (status) return status;
  *out_object = pa_keep(importer, object);
  return *out_object || !object ? PA_OK : pa_python_failure();
}

// "; did you mean np.sqrt?", or nothing. |names| is a module or a dict; |prefix| is how the source writes what comes
// before one.
static const char *suggestion(pa_emitter *e, PyObject *names, const char *name, const char *prefix) {
  PyObject *module = PyImport_ImportModule("pyarray._report");
  PyObject *found =
      module && names ? pa_keep(e->importer, PyObject_CallMethod(module, "close_name", "Os", names, name)) : NULL;
  const char *text = found && PyUnicode_Check(found) ? pa_python_text(e->importer, found) : NULL;
  PyErr_Clear();
  Py_XDECREF(module);
  return text ? pa_arena_format(e->arena, "; did you mean %s%s?", prefix, text) : "";
}

static const char *spell(pa_emitter *e, const pa_expression *x);

static pa_status look_up(pa_emitter *e, const pa_expression *x) {
  if (x->name->import) return look_up_import(e, x);
  PA_TRY(pa_find_object(e->importer, e->function, x->name->text, &x->name->object));
  // While a decorator compiles it, a function that calls itself is not bound to its name yet.
  if (!x->name->object && strcmp(x->name->text, e->function->python_name) == 0) x->name->object = e->function->object;
  if (x->name->object) return PA_OK;
  pa_location location = pa_locate(e->function, x->place);
  PyObject *names = pa_keep(e->importer, PyObject_GetAttrString(e->function->object, "__globals__"));
  PyErr_Clear();
  const char *close = suggestion(e, names, x->name->text, "");
  return pa_fail(PA_CODE_TYPING, &location,
                 "name '%s' has no value%s%s define it before the function is compiled, on its first call",
                 x->name->text, close, *close ? " Or" : ";");
}

static pa_status get_module_attribute(pa_emitter *e, const pa_expression *x, PyObject *module, PyObject **out_object) {
  *out_object = pa_keep(e->importer, PyObject_GetAttrString(module, x->text));
  if (*out_object) return PA_OK;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return pa_python_failure();
  PyErr_Clear();
  pa_location location = pa_locate(e->function, x->place);
  PyObject *name = pa_keep(e->importer, PyObject_GetAttrString(module, "__name__"));
  const char *text = name && PyUnicode_Check(name) ? pa_python_text(e->importer, name) : NULL;
  PyErr_Clear();
  const char *prefix = pa_arena_format(e->arena, "%s.", spell(e, x->operands[0]));
  return pa_fail(PA_CODE_TYPING, &location, "module '%s' has no attribute '%s'%s", text ? text : "?", x->text,
                 suggestion(e, module, x->text, prefix));
}

// Of a ufunc made by vectorize or guvectorize: a constant, or what pa_request_method takes. NULL for all other objects.
static pa_status get_ufunc_attribute(pa_emitter *e, const pa_expression *x, PyObject *ufunc, PyObject **out_object) {
  bool is_ufunc;
  PA_TRY(pa_is_ufunc(e->importer, ufunc, &is_ufunc));
  if (!is_ufunc) return PA_OK;
  *out_object = pa_keep(e->importer, PyObject_CallFunction(e->importer->ufunc_attribute, "Os", ufunc, x->text));
  if (*out_object) return PA_OK;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return pa_python_failure();
  pa_location location = pa_locate(e->function, x->place);
  return pa_python_refusal(e->importer, &location);
}

// ffi.from_buffer of cffi; NULL for all others.
static pa_status get_buffer_method(pa_emitter *e, const pa_expression *x, PyObject *ffi, PyObject **out_object) {
  PyObject *module = PyImport_ImportModule("pyarray._pointers"),
           *method = pa_keep(e->importer, PyObject_GetAttrString(ffi, x->text));
  if (!method) PyErr_Clear();
  PyObject *is =
      module && method ? pa_keep(e->importer, PyObject_CallMethod(module, "is_from_buffer", "O", method)) : NULL;
  Py_XDECREF(module);
  if (PyErr_Occurred()) return pa_python_failure();
  if (is == Py_True) *out_object = method;
  return PA_OK;
}

// itertools.chain.from_iterable, typed.List.empty_list, np.add.reduce; NULL for what is no row of builtins.def.
static pa_status get_class_method(pa_emitter *e, const pa_expression *x, PyObject *class, PyObject **out_object) {
  PyObject *name;
  PA_TRY(pa_builtin_name(e->importer, class, &name));
  if (!name) return PA_OK;
  PyObject *method = pa_keep(e->importer, PyObject_GetAttrString(class, x->text));
  PyErr_Clear();
  name = NULL;
  if (method && (PyCFunction_Check(method) || (PyObject *)Py_TYPE(method) == e->importer->method_type))
    PA_TRY(pa_builtin_name(e->importer, method, &name));
  if (name) *out_object = method;
  return PA_OK;
}

// Shape.area of a plain class that jitclasses derive from; NULL for all others.
static pa_status get_base_attribute(pa_emitter *e, const pa_expression *x, PyObject *class, PyObject **out_object) {
  PyObject *name = PyUnicode_FromString("pyarray._class_bases"), *module = name ? PyImport_GetModule(name) : NULL;
  PyObject *found =
      module ? pa_keep(e->importer, PyObject_CallMethod(module, "attribute", "Os", class, x->text)) : NULL;
  Py_XDECREF(name);
  Py_XDECREF(module);
  if (PyErr_Occurred()) return pa_python_failure();
  if (found && PyUnicode_Check(found))
    return pa_fail_emission(e, PA_CODE_UNSUPPORTED, x->place, "%s", pa_python_text(e->importer, found)), PA_OK;
  if (found && PyTuple_Check(found)) *out_object = PyTuple_GetItem(found, 0);
  return PA_OK;
}

pa_status pa_resolve(pa_emitter *e, const pa_expression *x, PyObject **out_object) {
  *out_object = NULL;
  if (x->kind == PA_NAME && x->name->variable < 0 && !x->name->itself && !x->name->remade) {
    if (!x->name->object) PA_TRY(look_up(e, x));
    *out_object = x->name->object;
  } else if (x->kind == PA_ATTRIBUTE) {
    PyObject *module;
    PA_TRY(pa_resolve(e, x->operands[0], &module));
    if (module && PyModule_Check(module)) return get_module_attribute(e, x, module, out_object);
    if (module && PyType_Check(module)) PA_TRY(get_class_method(e, x, module, out_object));
    if (module && PyType_Check(module) && !*out_object) PA_TRY(get_base_attribute(e, x, module, out_object));
    if (module && !*out_object) PA_TRY(pa_type_attribute(e, module, x->text, out_object));
    if (*out_object || (module && PyType_Check(module))) return PA_OK;
    if (module && (PyObject *)Py_TYPE(module) == e->importer->ufunc) PA_TRY(get_class_method(e, x, module, out_object));
    if (module && !*out_object) PA_TRY(get_ufunc_attribute(e, x, module, out_object));
    if (module && !*out_object && strcmp(x->text, "from_buffer") == 0)
      PA_TRY(get_buffer_method(e, x, module, out_object));
    if (module && !*out_object) PA_TRY(pa_overload_class_method(e->importer, module, x->text, out_object));
  } else {
    return pa_resolve_type(e, x, out_object);
  }
  return PA_OK;
}

//===-- Refusals ----------------------------------------------------------------------------------===//

// "np.random.rand", as the source has it.
static const char *spell(pa_emitter *e, const pa_expression *x) {
  if (x->kind == PA_NAME) return x->name->text;
  if (x->kind == PA_ATTRIBUTE) return pa_arena_format(e->arena, "%s.%s", spell(e, x->operands[0]), x->text);
  return "this value";
}

static const char *type_name(pa_emitter *e, PyObject *object) {
  PyObject *name = pa_keep(e->importer, PyType_GetQualName(Py_TYPE(object)));
  const char *text = name ? pa_python_text(e->importer, name) : NULL;
  PyErr_Clear();
  return text ? text : "object";
}

// What does what a class of Python does.
static const char *instead_of(pa_emitter *e, PyObject *class) {
  if (e->importer->type_class && PyObject_IsSubclass(class, e->importer->type_class) > 0)
    return "put the type together outside, or of names and literals alone";
  return "make the object in the caller";
}

static bool is_of_numpy(pa_emitter *e, PyObject *function) {
  PyObject *home = pa_keep(e->importer, PyObject_GetAttrString(function, "__module__"));
  const char *text = home && PyUnicode_Check(home) ? pa_python_text(e->importer, home) : NULL;
  PyErr_Clear();
  return text && strncmp(text, "numpy", 5) == 0;
}

// In a kernel there are no blocks of objmode, and what it calls are device functions.
static void refuse(pa_emitter *e, const pa_expression *x, PyObject *object) {
  const char *name = spell(e, x);
  bool kernel = e->importer->first->options.target;
  const char *outside =
      kernel ? "call it outside, and pass what it gives as an argument" : "call it outside, or in a block of objmode";
  if ((PyObject *)Py_TYPE(object) == e->importer->function_type)
    return pa_fail_emission(
        e, PA_CODE_UNSUPPORTED, x->place,
        "'%s' is a plain Python function, which compiled code cannot call; decorate it with %s if it is yours, else %s",
        name, kernel ? "@cuda.jit(device=True)" : "@njit", outside);
  if (PyModule_Check(object))
    return pa_fail_emission(e, PA_CODE_UNSUPPORTED, x->place,
                            "the module '%s' used as a value is not supported in compiled code; use its attributes",
                            name);
  if (PyType_Check(object))
    return pa_fail_emission(e, PA_CODE_TYPING, x->place, "'%s' is a class that compiled code does not have; %s", name,
                            instead_of(e, object));
  if (PyCallable_Check(object))
    return pa_fail_emission(e, PA_CODE_TYPING, x->place, "'%s' is not among the functions that %s; %s%s", name,
                            kernel ? "kernels know, which docs/cuda.md lists"
                                   : "compiled code knows, which docs/language.md lists",
                            is_of_numpy(e, object) ? "write a loop, or " : "", outside);
  const char *class = NULL; // of an instance of a jitclass
  pa_status failure = pa_request_class(e->importer, (PyObject *)Py_TYPE(object), &class);
  pa_status_free(failure);
  if (class)
    return pa_fail_emission(e, PA_CODE_TYPING, x->place,
                            "the global or free variable '%s' is an instance of the class %s, which compiled code "
                            "cannot hold; pass the instance as an argument",
                            name, type_name(e, object));
  pa_fail_emission(
      e, PA_CODE_TYPING, x->place,
      "the global or free variable '%s' is a Python %s, which compiled code cannot hold; pass the numbers and "
      "arrays in it as arguments",
      name, type_name(e, object));
}

//===-- Objects to values -------------------------------------------------------------------------===//

static MlirValue emit_callable(pa_emitter *e, MlirAttribute name) {
  return pa_value(&e->builder, PA_OP_NAME(CALLABLE), PA_RESULTS(e->any), PA_ATTRS({"name", name}));
}

// A function; or, for a row of builtins.def with the parameters "@", the value that it gives.
static MlirValue emit_builtin(pa_emitter *e, const char *name) {
  MlirValue callable = emit_callable(e, pa_string_attr(e->importer->context, name));
  const pa_builtin *row = pa_builtin_find(pa_ref(name));
  if (!row || strcmp(row->parameters, "@")) return callable;
  return pa_value(&e->builder, PA_OP_NAME(APPLY), PA_OPERANDS(callable), PA_RESULTS(e->any));
}

// Each of the following leaves |*out_value| null for an object that is not its own.

static pa_status try_builtin(pa_emitter *e, PyObject *object, MlirValue *out_value) {
  PyObject *name;
  PA_TRY(pa_builtin_name(e->importer, object, &name));
  if (!name) return PA_OK;
  const char *text = pa_python_text(e->importer, name);
  if (!text) return pa_python_failure();
  *out_value = emit_builtin(e, text);
  return PA_OK;
}

static pa_status try_constant(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value) {
  MlirAttribute attr;
  pa_location location = pa_locate(e->function, x->place);
  PA_TRY(pa_constant_attr(e->importer, object, &location, &attr));
  if (!mlirAttributeIsNull(attr)) *out_value = pa_emit_constant(e, attr);
  return PA_OK;
}

static pa_status try_array(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value) {
  MlirAttribute attr;
  MlirType element;
  const char *reason;
  PA_TRY(pa_elements_attr(e->importer, object, &attr, &element, &reason));
  pa_location location = pa_locate(e->function, x->place);
  if (reason) return pa_fail(PA_CODE_TYPING, &location, "the global or free variable '%s' %s", spell(e, x), reason);
  if (mlirAttributeIsNull(attr)) return PA_OK;
  MlirAttribute of = pa_is_time(element) || pa_is_record(element) ? mlirTypeAttrGet(element) : mlirAttributeGetNull();
  *out_value =
      pa_value(&e->builder, PA_OP_NAME(FROZEN_ARRAY), PA_RESULTS(e->any), PA_ATTRS({"value", attr}, {"element", of}));
  return PA_OK;
}

static pa_status try_dtype(pa_emitter *e, PyObject *object, MlirValue *out_value) {
  const char *name;
  PA_TRY(pa_numpy_type_name(e->importer, object, &name));
  if (name) *out_value = emit_builtin(e, name);
  return PA_OK;
}

static pa_status try_class(pa_emitter *e, PyObject *object, MlirValue *out_value) {
  const char *name;
  PA_TRY(pa_request_class(e->importer, object, &name));
  if (name) *out_value = emit_callable(e, pa_string_attr(e->importer->context, name));
  return PA_OK;
}

static pa_status check_registered_target(pa_emitter *e, const pa_expression *x, PyObject *object) {
  const char *unfit;
  PA_TRY(pa_overload_fits(e->importer, object, &unfit));
  if (!unfit) return PA_OK;
  pa_location location = pa_locate(e->function, x->place);
  return pa_fail(PA_CODE_TYPING, &location, "'%s' is not for %s: it was registered with target='%s'", spell(e, x),
                 e->importer->first->options.target ? "kernels" : "functions for the CPU", unfit);
}

static pa_status try_function(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value) {
  pa_frontend_options options;
  const char *symbol;
  PA_TRY(pa_library_symbol(e->importer, object, &symbol));
  if (symbol) return *out_value = emit_callable(e, pa_symbol_attr(e->importer->context, symbol)), PA_OK;
  const pa_function *function = pa_find_function(e->importer, object);
  PyObject *wrapped = function ? NULL : pa_dispatched(object, e->importer, &options);
  if (PyErr_Occurred()) return pa_python_failure();
  if (wrapped && options.kernel && !e->importer->first->options.target) {
    Py_DECREF(wrapped);
    pa_location location = pa_locate(e->function, x->place);
    return pa_fail(PA_CODE_TYPING, &location,
                   "'%s' is a CUDA kernel; kernels are launched from Python\nhint: to call it, make it a device "
                   "function: cuda.jit(device=True)",
                   spell(e, x));
  }
  pa_status status = wrapped ? check_registered_target(e, x, object) : PA_OK;
  if (!status && wrapped) status = pa_request(e->importer, wrapped, &options, &function);
  Py_XDECREF(wrapped);
  if (!status && !function) status = pa_request_ufunc(e->importer, object, &function);
  if (!status && !function) status = pa_request_method(e->importer, object, &function);
  if (!status && !function) status = pa_request_cfunc(e->importer, object, &function);
  if (!status && function) *out_value = emit_callable(e, pa_symbol_attr(e->importer->context, function->symbol));
  return status;
}

static pa_status try_overload(pa_emitter *e, PyObject *object, MlirValue *out_value) {
  const char *name;
  PA_TRY(pa_overload_name(e->importer, object, &name));
  if (name) *out_value = emit_callable(e, pa_string_attr(e->importer->context, name));
  return PA_OK;
}

static MlirValue emit_value(pa_emitter *e, const pa_expression *x, PyObject *object, int depth);

static MlirValue emit_tuple(pa_emitter *e, const pa_expression *x, PyObject *tuple, int depth) {
  int count = (int)PyTuple_Size(tuple);
  MlirValue *values = PA_NEW_ARRAY(e->arena, MlirValue, count);
  for (int i = 0; i < count; ++i) values[i] = emit_value(e, x, PyTuple_GetItem(tuple, i), depth + 1);
  return pa_value(&e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(values, count), PA_RESULTS(e->any));
}

// A range or slice: a call, or pyarray.slice, of its parts.
static pa_status try_parts(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value) {
  static const char *const names[] = {"start", "stop", "step"};
  MlirValue parts[3];
  bool range = PyRange_Check(object), slice = Py_IS_TYPE(object, &PySlice_Type);
  pa_location location = pa_locate(e->function, x->place);
  for (int i = 0; (range || slice) && i < 3; ++i) {
    PyObject *part = pa_keep(e->importer, PyObject_GetAttrString(object, names[i]));
    MlirAttribute value;
    if (!part) return pa_python_failure();
    PA_TRY(pa_constant_attr(e->importer, part, &location, &value));
    if (mlirAttributeIsNull(value)) return PA_OK;
    parts[i] = pa_emit_constant(e, value);
  }
  if (range) *out_value = pa_emit_builtin_call(e, "builtins.range", parts, 3);
  if (slice) *out_value = pa_value(&e->builder, PA_OP_NAME(SLICE), PA_OPERAND_ARRAY(parts, 3), PA_RESULTS(e->any));
  return PA_OK;
}

// The message of the exception that is set, which is cleared.
static const char *take_message(pa_emitter *e) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyObject *text = error ? pa_keep(e->importer, PyObject_Str(error)) : NULL;
  const char *message = text ? pa_python_text(e->importer, text) : NULL;
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(traceback);
  PyErr_Clear();
  return message ? message : "it cannot be part of compiled code";
}

// A list, dict or set: its type code and contents are what the extension module makes of it.
static pa_status try_container(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value) {
  if (!PyList_CheckExact(object) && !PyDict_CheckExact(object) && !PyAnySet_CheckExact(object)) return PA_OK;
  PyObject *module = pa_keep(e->importer, PyImport_ImportModule("pyarray._pyarray"));
  PyObject *bytes = module ? pa_keep(e->importer, PyObject_CallMethod(module, "_freeze", "O", object)) : NULL;
  pa_location location = pa_locate(e->function, x->place);
  if (!bytes && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) return pa_python_failure();
  if (!bytes)
    return pa_fail(PA_CODE_TYPING, &location,
                   "the global or free variable '%s' is a %s that compiled code cannot hold: %s", spell(e, x),
                   type_name(e, object), take_message(e));
  const char *code = PyBytes_AsString(bytes), *at = code;
  size_t prefix = strlen(code) + 1;
  MlirType type = pa_type_from_code(e->importer->context, &at);
  if (mlirTypeIsNull(type) || *at) return pa_fail(PA_CODE_INTERNAL, &location, "malformed type '%s' of a global", code);
  MlirAttribute contents =
      mlirStringAttrGet(e->importer->context, mlirStringRefCreate(code + prefix, (size_t)PyBytes_Size(bytes) - prefix));
  PA_TRY(pa_request_classes(e->importer, code));
  *out_value = pa_value(&e->builder, PA_OP_NAME(FROZEN), PA_RESULTS(e->any),
                        PA_ATTRS({"contents", contents}, {"type", mlirTypeAttrGet(pa_frozen_type(type))}));
  return PA_OK;
}

// Class(element, ...)
static MlirValue emit_named_tuple(pa_emitter *e, const pa_expression *x, MlirValue class, PyObject *tuple, int depth) {
  int count = (int)PyTuple_Size(tuple);
  MlirValue *operands = PA_NEW_ARRAY(e->arena, MlirValue, count + 1);
  operands[0] = class;
  for (int i = 0; i < count; ++i) operands[i + 1] = emit_value(e, x, PyTuple_GetItem(tuple, i), depth + 1);
  return pa_value(&e->builder, PA_OP_NAME(APPLY), PA_OPERAND_ARRAY(operands, count + 1), PA_RESULTS(e->any));
}

// Class.NAME; flags without a name are Class(number).
static pa_status emit_member(pa_emitter *e, PyObject *member, MlirValue class, MlirValue *out_value) {
  PyObject *name = pa_keep(e->importer, PyObject_GetAttrString(member, "_name_"));
  PyObject *names =
      name ? pa_keep(e->importer, PyObject_GetAttrString((PyObject *)Py_TYPE(member), "__members__")) : NULL;
  int known = names ? PyMapping_HasKey(names, name) : -1;
  if (known < 0) return pa_python_failure();
  if (known) {
    const char *text = pa_python_text(e->importer, name);
    if (!text) return pa_python_failure();
    *out_value = pa_value(&e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(class), PA_RESULTS(e->any),
                          PA_ATTRS({"name", pa_string_attr(e->importer->context, text)}));
    return PA_OK;
  }
  PyObject *value = pa_keep(e->importer, PyObject_GetAttrString(member, "_value_"));
  MlirAttribute number;
  pa_location nowhere = {0};
  if (!value) return pa_python_failure();
  PA_TRY(pa_constant_attr(e->importer, value, &nowhere, &number));
  *out_value =
      pa_value(&e->builder, PA_OP_NAME(APPLY), PA_OPERANDS(class, pa_emit_constant(e, number)), PA_RESULTS(e->any));
  return PA_OK;
}

// A named tuple, or a member of an enum.
static pa_status try_named(pa_emitter *e, const pa_expression *x, PyObject *object, int depth, MlirValue *out_value) {
  const char *name;
  PA_TRY(pa_class_value_name(e->importer, object, &name));
  if (!name) return PA_OK;
  MlirValue class = emit_callable(e, pa_string_attr(e->importer->context, name));
  if (!PyTuple_Check(object)) return emit_member(e, object, class, out_value);
  return *out_value = emit_named_tuple(e, x, class, object, depth), PA_OK;
}

static pa_status try_all(pa_emitter *e, const pa_expression *x, PyObject *object, int depth, MlirValue *out_value) {
  PA_TRY(try_builtin(e, object, out_value));
  if (!mlirValueIsNull(*out_value)) return PA_OK;
  PA_TRY(pa_emit_type(e, x, object, out_value));
  if (!mlirValueIsNull(*out_value)) return PA_OK;
  PA_TRY(try_named(e, x, object, depth, out_value));
  if (!mlirValueIsNull(*out_value)) return PA_OK;
  PA_TRY(try_constant(e, x, object, out_value));
  if (!mlirValueIsNull(*out_value)) return PA_OK;
  PA_TRY(try_parts(e, x, object, out_value));
  if (!mlirValueIsNull(*out_value)) return PA_OK;
  PA_TRY(try_container(e, x, object, out_value));
  if (!mlirValueIsNull(*out_value)) return PA_OK;
  PA_TRY(try_array(e, x, object, out_value));
  if (!mlirValueIsNull(*out_value)) return PA_OK;
  PA_TRY(try_dtype(e, object, out_value));
  if (!mlirValueIsNull(*out_value)) return PA_OK;
  PA_TRY(try_class(e, object, out_value));
  if (!mlirValueIsNull(*out_value)) return PA_OK;
  PA_TRY(try_function(e, x, object, out_value));
  if (mlirValueIsNull(*out_value)) PA_TRY(try_overload(e, object, out_value));
  if (mlirValueIsNull(*out_value) && depth < MAX_TUPLE_DEPTH)
    PA_TRY(pa_emit_made_callable(e, x, object, depth, emit_value, out_value));
  if (mlirValueIsNull(*out_value)) PA_TRY(pa_emit_objmode(e, object, out_value));
  return mlirValueIsNull(*out_value) ? pa_emit_native(e, x, object, out_value) : PA_OK;
}

static MlirValue emit_value(pa_emitter *e, const pa_expression *x, PyObject *object, int depth) {
  MlirValue value = {NULL};
  if (pa_failed(&e->builder)) return value;
  if (PyTuple_CheckExact(object) && depth < MAX_TUPLE_DEPTH) return emit_tuple(e, x, object, depth);
  pa_status failure = try_all(e, x, object, depth, &value);
  if (!failure && mlirValueIsNull(value)) {
    refuse(e, x, object);
    failure = e->builder.failure;
    e->builder.failure = PA_OK;
  }
  return failure ? pa_emit_refused(e, failure) : value;
}

MlirValue pa_emit_object(pa_emitter *e, const pa_expression *x, PyObject *object) {
  return emit_value(e, x, object, 0);
}

PyObject *pa_peek(pa_emitter *e, const pa_expression *x) {
  PyObject *object = NULL;
  pa_status failure = pa_resolve(e, x, &object);
  if (pa_is_refusal(failure))
    pa_status_free(failure);
  else if (failure)
    pa_set_failure(e, failure);
  return failure ? NULL : object;
}

//===-- Exception classes -------------------------------------------------------------------------===//

// Whether |module|.|qualname| is |class|, so that the runtime will find it.
static bool is_importable(PyObject *module, const char *qualname, PyObject *class) {
  PyObject *object = PyImport_GetModule(module);
  while (object && *qualname) {
    size_t length = strcspn(qualname, ".");
    PyObject *part = PyUnicode_FromStringAndSize(qualname, (Py_ssize_t)length);
    PyObject *next = part ? PyObject_GetAttr(object, part) : NULL;
    Py_XDECREF(part);
    Py_DECREF(object);
    object = next;
    qualname += length + (qualname[length] == '.');
  }
  PyErr_Clear();
  Py_XDECREF(object);
  return object == class; // held by its module
}

// "ValueError" or "module:qualname". |x|, if given, is to be raised: then the class must be found by that name.
static pa_status spell_class(pa_emitter *e, PyObject *class, const pa_expression *x, const char **out_name) {
  PyObject *module = pa_keep(e->importer, PyObject_GetAttrString(class, "__module__"));
  PyObject *qualname = module ? pa_keep(e->importer, PyObject_GetAttrString(class, "__qualname__")) : NULL;
  const char *module_text = qualname ? pa_python_text(e->importer, module) : NULL;
  const char *text = module_text ? pa_python_text(e->importer, qualname) : NULL;
  if (!text) return pa_python_failure();
  if (x && !is_importable(module, text, class)) {
    pa_location location = pa_locate(e->function, x->place);
    return pa_fail(PA_CODE_UNSUPPORTED, &location,
                   "the exception class '%s' cannot be found as %s.%s; define it at the top of its module", spell(e, x),
                   module_text, text);
  }
  bool builtin = strcmp(module_text, "builtins") == 0;
  *out_name = builtin ? text : pa_arena_format(e->arena, "%s:%s", module_text, text);
  return PA_OK;
}

// The classes that |class| derives from, without itself and object.
static pa_status name_bases(pa_emitter *e, const pa_expression *x, PyObject *class, MlirAttribute *out_bases) {
  PyObject *order = pa_keep(e->importer, PyObject_GetAttrString(class, "__mro__"));
  Py_ssize_t count = order ? PyTuple_Size(order) : -1;
  if (count < 0) return pa_python_failure();
  MlirAttribute *names = PA_NEW_ARRAY(e->arena, MlirAttribute, count + 1);
  intptr_t named = 0;
  for (Py_ssize_t i = 1; i < count; ++i) {
    PyObject *base = PyTuple_GetItem(order, i);
    const char *name;
    if (!PyExceptionClass_Check(base)) continue;
    PA_TRY(spell_class(e, base, NULL, &name));
    names[named++] = pa_string_attr(e->importer->context, name);
  }
  (void)x;
  return *out_bases = mlirArrayAttrGet(e->importer->context, named, names), PA_OK;
}

pa_status pa_exception_class_of(pa_emitter *e, const pa_expression *x, pa_exception_class *out_class) {
  PyObject *object;
  PA_TRY(pa_resolve(e, x, &object));
  *out_class = (pa_exception_class){0};
  if (object && PyExceptionClass_Check(object)) {
    PA_TRY(spell_class(e, object, x, &out_class->name));
    return strchr(out_class->name, ':') ? name_bases(e, x, object, &out_class->bases) : PA_OK;
  }
  pa_location location = pa_locate(e->function, x->place);
  return pa_fail(
      PA_CODE_UNSUPPORTED, &location,
      "raising anything but an exception class, a call of one, or the exception that a handler has a name for is not "
      "supported in compiled code; name the class, as in raise ValueError(\"message\")");
}

typedef struct class_names {
  MlirAttribute *items;
  size_t count, capacity;
} class_names;

static pa_status add_class(pa_emitter *e, const pa_expression *x, PyObject *object, class_names *names) {
  pa_location location = pa_locate(e->function, x->place);
  if (!PyExceptionClass_Check(object))
    return pa_fail(PA_CODE_TYPING, &location, "catching classes that do not inherit from BaseException is not allowed");
  const char *name;
  PA_TRY(spell_class(e, object, NULL, &name));
  names->items = pa_arena_grow(e->arena, names->items, names->count, &names->capacity, sizeof *names->items);
  names->items[names->count++] = pa_string_attr(e->importer->context, name);
  return PA_OK;
}

static pa_status resolve_classes(pa_emitter *e, const pa_expression *x, bool in_tuple, class_names *names) {
  PyObject *object;
  PA_TRY(pa_resolve(e, x, &object));
  if (object && PyTuple_Check(object) && !in_tuple) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(object); ++i) PA_TRY(add_class(e, x, PyTuple_GetItem(object, i), names));
    return PA_OK;
  }
  if (object) return add_class(e, x, object, names);
  pa_location location = pa_locate(e->function, x->place);
  return pa_fail(PA_CODE_UNSUPPORTED, &location,
                 "'except' with anything but exception classes is not supported in compiled code; name the class, or a "
                 "tuple of classes");
}

static bool is_exception_class(PyObject *object) {
  if (!object || !PyTuple_Check(object)) return object && PyExceptionClass_Check(object);
  for (Py_ssize_t i = 0; i < PyTuple_Size(object); ++i)
    if (!PyExceptionClass_Check(PyTuple_GetItem(object, i))) return false;
  return PyTuple_Size(object) > 0;
}

static void names_exceptions(pa_emitter *e, const pa_expression *x, bool *out_does) {
  PyObject *object;
  *out_does = x->kind != PA_TUPLE || x->count;
  for (int i = 0; x->kind == PA_TUPLE && i < x->count && *out_does; ++i) {
    object = pa_peek(e, x->operands[i]);
    *out_does = object && PyExceptionClass_Check(object);
  }
  if (x->kind == PA_TUPLE) return;
  object = pa_peek(e, x);
  *out_does = object && is_exception_class(object);
}

MlirValue pa_emit_exception_classes(pa_emitter *e, const pa_expression *x) {
  bool does = false;
  MlirAttribute names;
  names_exceptions(e, x, &does);
  pa_status failure = PA_OK;
  if (does) failure = pa_exception_classes(e, x, &names);
  if (failure) pa_set_failure(e, failure);
  if (failure || !does) return (MlirValue){NULL};
  pa_string text = {0};
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    pa_string_format(&text, "%s%.*s", i ? "," : PA_EXCEPTION_CLASSES, (int)name.length, name.data);
  }
  MlirValue callable = emit_callable(e, pa_string_attr(e->importer->context, pa_string_text(&text)));
  pa_string_free(&text);
  return callable;
}

pa_status pa_exception_classes(pa_emitter *e, const pa_expression *x, MlirAttribute *out_names) {
  class_names names = {0};
  if (x->kind != PA_TUPLE) PA_TRY(resolve_classes(e, x, false, &names));
  for (int i = 0; x->kind == PA_TUPLE && i < x->count; ++i) PA_TRY(resolve_classes(e, x->operands[i], true, &names));
  return *out_names = mlirArrayAttrGet(e->importer->context, (intptr_t)names.count, names.items), PA_OK;
}
