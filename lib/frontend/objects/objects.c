// Names that are no variables, and what they stand for: values frozen at compile time, builtins, compiled functions.
//
//   K = 3          ... x + K            pyarray.constant 3 : si64
//   TABLE          ... TABLE[i]         pyarray.frozen_array dense<...>
//   import math    ... math.sqrt(x)     pyarray.callable "math.sqrt"
//   @njit helper   ... helper(x)        pyarray.callable @helper
#include <Python.h>

#include <string.h>

#include "emitter.h"
#include "ir/builtins.h"
#include "objects.h"

enum { MAX_TUPLE_DEPTH = 100 };

//===-- Refusals ----------------------------------------------------------------------------------===//

const char *pa_spell(pa_emitter *e, const pa_expression *x) {
  if (x->kind == PA_NAME) return x->name->text;
  if (x->kind == PA_ATTRIBUTE) return pa_arena_format(e->arena, "%s.%s", pa_spell(e, x->operands[0]), x->text);
  return "this value";
}

static const char *type_name(pa_emitter *e, PyObject *object) {
  PyObject *name = pa_adopt(e->importer, PyType_GetQualName(Py_TYPE(object)));
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
  PyObject *home = pa_adopt(e->importer, PyObject_GetAttrString(function, "__module__"));
  const char *text = home && PyUnicode_Check(home) ? pa_python_text(e->importer, home) : NULL;
  PyErr_Clear();
  return text && strncmp(text, "numpy", 5) == 0;
}

// What to do instead of calling a function of NumPy that cannot be compiled: by the end of its name.
static const char *advice_for(const char *name) {
  static const char *const lists =
      "its items are lists, which no array of compiled code holds: split each item in a loop, or ";
  static const char *const state = "pass a np.random.Generator, whose state is its own, or ";
  const struct {
    const char *end, *advice;
  } rows[] = {{"char.split", lists},
              {"char.rsplit", lists},
              {"char.splitlines", lists},
              {"char.mod", "what a template gives has no known length: format each item in a loop, or "},
              {"random.get_state", state},
              {"random.set_state", state}};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (length > strlen(rows[i].end) && strcmp(name + length - strlen(rows[i].end), rows[i].end) == 0)
      return rows[i].advice;
  return "write a loop, or ";
}

// In a kernel there are no blocks of objmode, and what it calls are device functions.
static void refuse(pa_emitter *e, const pa_expression *x, PyObject *object) {
  const char *name = pa_spell(e, x);
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
                            kernel                   ? "kernels know, which docs/cuda.md lists"
                            : is_of_numpy(e, object) ? "compiled code knows, which docs/numpy-support.md lists"
                                                     : "compiled code knows, which docs/language.md lists",
                            is_of_numpy(e, object) ? advice_for(name) : "", outside);
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

MlirValue pa_emit_callable(pa_emitter *e, MlirAttribute name) {
  return pa_value(&e->builder, PA_OP_NAME(CALLABLE), PA_RESULTS(e->any), PA_ATTRS({"name", name}));
}

// A function; or, for a row of builtins.def with the parameters "@", the value that it gives.
static MlirValue emit_builtin(pa_emitter *e, const char *name) {
  MlirValue callable = pa_emit_callable(e, pa_string_attr(e->importer->context, name));
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
  if (pa_builtin_find(pa_ref(text))->parameters[0] != '[') *out_value = emit_builtin(e, text);
  return PA_OK;
}

pa_status pa_find_subscripted(pa_emitter *e, const pa_expression *x, const pa_builtin **out_row) {
  PyObject *object = pa_peek(e, x), *name = NULL;
  *out_row = NULL;
  if (object) PA_TRY(pa_builtin_name(e->importer, object, &name));
  if (!name) return PA_OK;
  const char *text = pa_python_text(e->importer, name);
  if (!text) return pa_python_failure();
  const pa_builtin *row = pa_builtin_find(pa_ref(text));
  if (row->parameters[0] == '[') *out_row = row;
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
  PyObject *one = NULL; // a record in an array
  PA_TRY(pa_array_of_record(e->importer, object, &one));
  if (one) object = one;
  PA_TRY(pa_elements_attr(e->importer, object, &attr, &element, &reason));
  pa_location location = pa_locate(e->function, x->place);
  if (reason) return pa_fail(PA_CODE_TYPING, &location, "the global or free variable '%s' %s", pa_spell(e, x), reason);
  if (mlirAttributeIsNull(attr)) return PA_OK;
  MlirAttribute of = pa_is_time(element) || pa_is_record(element) ? mlirTypeAttrGet(element) : mlirAttributeGetNull();
  *out_value =
      pa_value(&e->builder, PA_OP_NAME(FROZEN_ARRAY), PA_RESULTS(e->any), PA_ATTRS({"value", attr}, {"element", of}));
  if (one)
    *out_value =
        pa_value(&e->builder, PA_OP_NAME(GETITEM), PA_OPERANDS(*out_value, pa_emit_int(e, 0)), PA_RESULTS(e->any));
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
  if (name) *out_value = pa_emit_callable(e, pa_string_attr(e->importer->context, name));
  return PA_OK;
}

static pa_status check_registered_target(pa_emitter *e, const pa_expression *x, PyObject *object) {
  const char *unfit;
  PA_TRY(pa_overload_fits(e->importer, object, &unfit));
  if (!unfit) return PA_OK;
  pa_location location = pa_locate(e->function, x->place);
  return pa_fail(PA_CODE_TYPING, &location, "'%s' is not for %s: it was registered with target='%s'", pa_spell(e, x),
                 e->importer->first->options.target ? "kernels" : "functions for the CPU", unfit);
}

static pa_status try_function(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value) {
  pa_frontend_options options;
  const char *symbol;
  PA_TRY(pa_library_symbol(e->importer, object, &symbol));
  if (symbol) return *out_value = pa_emit_callable(e, pa_symbol_attr(e->importer->context, symbol)), PA_OK;
  const pa_function *function = pa_find_function(e->importer, object);
  PyObject *wrapped = function ? NULL : pa_dispatched(object, e->importer, &options);
  if (PyErr_Occurred()) return pa_python_failure();
  if (wrapped && options.kernel && !e->importer->first->options.target) {
    Py_DECREF(wrapped);
    pa_location location = pa_locate(e->function, x->place);
    return pa_fail(PA_CODE_TYPING, &location,
                   "'%s' is a CUDA kernel; kernels are launched from Python\nhint: to call it, make it a device "
                   "function: cuda.jit(device=True)",
                   pa_spell(e, x));
  }
  pa_status status = wrapped ? check_registered_target(e, x, object) : PA_OK;
  if (!status && wrapped) status = pa_request(e->importer, wrapped, &options, &function);
  Py_XDECREF(wrapped);
  if (!status && !function) status = pa_request_ufunc(e->importer, object, &function);
  if (!status && !function) status = pa_request_method(e->importer, object, &function);
  if (!status && !function) status = pa_request_cfunc(e->importer, object, &function);
  if (!status && function) *out_value = pa_emit_callable(e, pa_symbol_attr(e->importer->context, function->symbol));
  return status;
}

static pa_status try_overload(pa_emitter *e, PyObject *object, MlirValue *out_value) {
  const char *name;
  PA_TRY(pa_overload_name(e->importer, object, &name));
  if (name) *out_value = pa_emit_callable(e, pa_string_attr(e->importer->context, name));
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
    PyObject *part = pa_adopt(e->importer, PyObject_GetAttrString(object, names[i]));
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
  PyObject *text = error ? pa_adopt(e->importer, PyObject_Str(error)) : NULL;
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
  PyObject *module = pa_adopt(e->importer, PyImport_ImportModule("pyarray._pyarray"));
  PyObject *bytes = module ? pa_adopt(e->importer, PyObject_CallMethod(module, "_freeze", "O", object)) : NULL;
  pa_location location = pa_locate(e->function, x->place);
  if (!bytes && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) return pa_python_failure();
  if (!bytes)
    return pa_fail(PA_CODE_TYPING, &location,
                   "the global or free variable '%s' is a %s that compiled code cannot hold: %s", pa_spell(e, x),
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
  PyObject *name = pa_adopt(e->importer, PyObject_GetAttrString(member, "_name_"));
  PyObject *names =
      name ? pa_adopt(e->importer, PyObject_GetAttrString((PyObject *)Py_TYPE(member), "__members__")) : NULL;
  int known = names ? PyMapping_HasKey(names, name) : -1;
  if (known < 0) return pa_python_failure();
  if (known) {
    const char *text = pa_python_text(e->importer, name);
    if (!text) return pa_python_failure();
    *out_value = pa_value(&e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(class), PA_RESULTS(e->any),
                          PA_ATTRS({"name", pa_string_attr(e->importer->context, text)}));
    return PA_OK;
  }
  PyObject *value = pa_adopt(e->importer, PyObject_GetAttrString(member, "_value_"));
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
  MlirValue class = pa_emit_callable(e, pa_string_attr(e->importer->context, name));
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
  PA_TRY(pa_emit_device_array(e, x, object, out_value));
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

//===-- Items of global containers ----------------------------------------------------------------===//

// The values of a list or dict, some of which have another type than the first.
static bool holds_several_types(PyObject *object) {
  PyObject *values = PyDict_CheckExact(object) ? PyDict_Values(object) : Py_NewRef(object);
  bool differ = false;
  for (Py_ssize_t i = 1; values && !differ && i < PyList_Size(values); ++i)
    differ = Py_TYPE(PyList_GetItem(values, i)) != Py_TYPE(PyList_GetItem(values, 0));
  Py_XDECREF(values);
  return differ;
}

// The object that the constant |x| is, a new reference; NULL where it is no int and no str.
static PyObject *constant_key(const pa_expression *x) {
  bool minus = x->kind == PA_UNARY && x->operation == PYARRAY_UNARY_NEG;
  if (minus) x = x->operands[0];
  MlirAttribute value = x->kind == PA_CONSTANT ? x->constant.value : mlirAttributeGetNull();
  if (mlirAttributeIsNull(value)) return NULL;
  if (mlirAttributeIsAString(value) && !minus) {
    MlirStringRef text = mlirStringAttrGetValue(value);
    return PyUnicode_FromStringAndSize(text.data, (Py_ssize_t)text.length);
  }
  if (!mlirAttributeIsAInteger(value)) return NULL;
  return PyLong_FromLongLong((minus ? -1 : 1) * mlirIntegerAttrGetValueSInt(value));
}

MlirValue pa_emit_global_item(pa_emitter *e, const pa_expression *x) {
  MlirValue none = {NULL};
  PyObject *object = x->count == 2 && !x->operation ? pa_peek(e, x->operands[0]) : NULL;
  if (!object || !(PyList_CheckExact(object) || PyDict_CheckExact(object)) || !holds_several_types(object)) return none;
  PyObject *key = constant_key(x->operands[1]),
           *item = key ? pa_adopt(e->importer, PyObject_GetItem(object, key)) : NULL;
  Py_XDECREF(key);
  PyErr_Clear(); // what is not there is said where the container is read
  return item ? emit_value(e, x, item, 1) : none;
}
