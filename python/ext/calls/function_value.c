// Values of a FunctionType: a compiled function that was given where a signature declares such a parameter is compiled
// for the FunctionType's signature, and is then the address of that code.
//
// Compiled code may keep such an address anywhere: a function that was made a value lives until the process ends.
#include "objects.h"

#include <stdlib.h>
#include <string.h>

typedef struct pa_function_value {
  pa_function function; // what compiled code sees of it
  pa_function_value *next;
  char *code;              // "*:(d)d"
  PyObject *given;         // what Python gets back
  pa_dispatcher *compiled; // with one variant
} value;

//===-- Making them -------------------------------------------------------------------------------===//

// "*:(di)d" as a signature, "di>d".
static void put_signature(pa_string *out, const char *code) {
  const char *first = code + 3, *end = first;
  while (*end != ')') end = pa_type_next(end, NULL);
  pa_string_append(out, first, (size_t)(end - first));
  pa_string_format(out, ">%s", end + 1);
}

// The function is compiled apart from its other variants: its result has the type that is declared here.
static pa_dispatcher *compile(const pa_dispatcher *function, const char *code) {
  if (function->cuda)
    return PyErr_Format(PyExc_TypeError, "%R runs on GPUs; a FunctionType takes functions of the CPU",
                        function->function),
           NULL;
  pa_string signature = {0};
  put_signature(&signature, code);
  PyObject *own = pa_call_helper("_callables", "with_parameters", "(Os)", function->function, code);
  PyObject *made = own ? pa_dispatcher_new(own, function->options, function->target_options) : NULL;
  Py_XDECREF(own);
  if (made && !pa_variant_compile((pa_dispatcher *)made, pa_string_text(&signature))) Py_CLEAR(made);
  pa_string_free(&signature);
  return (pa_dispatcher *)made;
}

static value *make_value(pa_dispatcher *function, PyObject *given, const char *code) {
  pa_dispatcher *compiled = compile(function, code);
  if (!compiled) return NULL;
  value *made = calloc(1, sizeof *made);
  char *copy = strdup(code);
  if (!made || !copy) {
    free(made);
    free(copy);
    Py_DECREF(compiled);
    return (value *)PyErr_NoMemory();
  }
  *made = (value){{compiled->variants->entry}, function->values, copy, Py_NewRef(given), compiled};
  return function->values = made;
}

// Of the compiled function |function|, which is part of |given|.
static bool put_value(pa_dispatcher *function, PyObject *given, const char *code, size_t length, uint64_t *out_slot) {
  value *found = function->values;
  while (found && !(strncmp(found->code, code, length) == 0 && !found->code[length])) found = found->next;
  if (!found) {
    char *copy = strndup(code, length);
    if (!copy) return PyErr_NoMemory(), false;
    found = make_value(function, given, copy);
    free(copy);
  }
  *out_slot = (uint64_t)(uintptr_t)found;
  return found;
}

// The C callback whose address |slot| is.
static bool put_callback(uint64_t slot, const char *code, size_t length, uint64_t *out_slot) {
  PyObject *callback = pa_call_helper("cfuncs", "at_address", "(K)", (unsigned long long)slot);
  PyObject *dispatcher = callback ? PyObject_GetAttrString(callback, "_dispatcher") : NULL;
  bool done = dispatcher && put_value((pa_dispatcher *)dispatcher, callback, code, length, out_slot);
  Py_XDECREF(dispatcher);
  Py_XDECREF(callback);
  return done;
}

PyObject *pa_function_value_of(PyObject *module, PyObject *arguments) {
  PyObject *given;
  const char *code;
  uint64_t slot;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "Os", &given, &code)) return NULL;
  bool known = pa_type_is_valid(code) && code[0] == '*' && code[1] == ':';
  PyObject *dispatcher =
      known && !pa_is_dispatcher(given) ? PyObject_GetAttrString(given, "_dispatcher") : Py_NewRef(given);
  known = known && dispatcher && pa_is_dispatcher(dispatcher);
  if (!known) PyErr_Format(PyExc_TypeError, "a FunctionType takes functions compiled by njit or cfunc, not %R", given);
  bool done = known && put_value((pa_dispatcher *)dispatcher, given, code, strlen(code), &slot);
  Py_XDECREF(dispatcher);
  return done ? PyLong_FromUnsignedLongLong(slot) : NULL;
}

bool pa_becomes_function_value(const char *from, const pa_type *source, const char *to, const pa_type *target) {
  if (target->kind != PA_TYPE_POINTER || target->dtype != ':') return false;
  if (source->kind == PA_TYPE_FUNCTION) return true;
  size_t length = (size_t)(pa_type_next(to, NULL) - to) - 2;
  return source->kind == PA_TYPE_POINTER && source->dtype == '(' && strncmp(from + 1, to + 2, length) == 0;
}

bool pa_put_function_value(const char *from, const uint64_t *slots, const char *to, uint64_t *out_slot) {
  size_t length = (size_t)(pa_type_next(to, NULL) - to);
  if (*from != 'P') return put_callback(*slots, to, length, out_slot);
  PyObject *function = pa_function_numbered(PA_TYPE_FUNCTIONS + strtoll(from + 2, NULL, 10));
  bool done = function && put_value((pa_dispatcher *)function, function, to, length, out_slot);
  Py_XDECREF(function);
  return done;
}

PyObject *pa_box_function_value(uint64_t slot) { return Py_NewRef(((const value *)(uintptr_t)slot)->given); }

//===-- Errors ------------------------------------------------------------------------------------===//

static int64_t read_error(const pa_function *function) {
  const value *called = (const value *)(const void *)function;
  PyGILState_STATE state = PyGILState_Ensure();
  pa_raise_from_native(called->compiled, called->compiled->variants);
  bool base = !PyErr_ExceptionMatches(PyExc_Exception);
  int64_t handle = pa_keep_exception() | base;
  PyGILState_Release(state);
  return handle;
}

void pa_function_values_initialize(void) { pa_set_function_error_reader(read_error); }
