// Blocks of objmode: compiled code gives the slots of what a block reads, and gets those of what it gives.
#include "objects.h"

#include <string.h>

//===-- Inputs ------------------------------------------------------------------------------------===//

// A tuple of the arguments, whose codes |*codes| are, up to '>'. Takes over the references to owners.
static PyObject *box_arguments(const char **codes, const uint64_t *slots) {
  pa_boxing boxing = {.dispatcher = Py_None};
  PyObject *list = PyList_New(0);
  for (const char *before = NULL; **codes != '>' && *codes != before;) { // a malformed code has no next one
    before = *codes;
    PyObject *value = pa_box(codes, &slots, &boxing); // also after a failure: it takes over the owners
    if (!value || !list || PyList_Append(list, value) < 0) Py_CLEAR(list);
    Py_XDECREF(value);
  }
  if (**codes == '>') ++*codes;
  PyObject *tuple = list ? PyList_AsTuple(list) : NULL;
  Py_XDECREF(list);
  return tuple;
}

//===-- Results -----------------------------------------------------------------------------------===//

static void wrong_result(PyObject *value, const char *declared) {
  PyObject *wanted = pa_call_helper("types", "from_code", "(s)", declared);
  PyObject *given = wanted ? pa_call_helper("_report", "given_type", "(O)", value) : NULL;
  if (given)
    PyErr_Format(PyExc_TypeError, "the objmode block gave %R, of type %S, where %S is declared", value, given, wanted);
  Py_XDECREF(given);
  Py_XDECREF(wanted);
}

// Whether a number loses its fraction or its imaginary part.
static bool is_narrowed(const char **given, const char **declared) {
  static const char kinds[] = "efdFD";
  pa_type source, target;
  const char *rest = pa_type_next(*given, &source), *declared_rest = pa_type_next(*declared, &target),
             *a = source.elements, *b = target.elements;
  bool narrowed = false;
  if (target.kind == PA_TYPE_OPTIONAL && source.kind != PA_TYPE_NONE) {
    narrowed = is_narrowed(source.kind == PA_TYPE_OPTIONAL ? &a : given, &b);
  } else if (source.kind == PA_TYPE_TUPLE && target.kind == PA_TYPE_TUPLE) {
    while (!narrowed && *a != ')' && *b != ')') narrowed = is_narrowed(&a, &b);
  } else if (source.kind == PA_TYPE_SCALAR && target.kind == PA_TYPE_SCALAR) {
    const char *from = strchr(kinds, source.dtype), *to = strchr(kinds, target.dtype);
    narrowed = from && (!to || (strchr("FD", source.dtype) && !strchr("FD", target.dtype)));
  }
  *given = rest;
  *declared = declared_rest;
  return narrowed;
}

static bool fit_result(const char *given, const uint64_t *slots, const char *declared, uint64_t *results) {
  const char *a = given, *b = declared;
  uint64_t *out = results;
  bool fits = !is_narrowed(&a, &b);
  a = given, b = declared;
  fits = fits && pa_fit_slots(&a, &slots, &b, &out);
  if (fits) return pa_hold_slots(&declared, &results), true;
  return PyErr_Clear(), false; // a number that does not fit
}

int pa_unbox_as(PyObject *value, const char *declared, uint64_t *results) {
  int done = 0;
  for (size_t room = 256; !done; room *= 4) {
    char *memory = PyMem_Malloc(room * (1 + 8));
    if (!memory) return PyErr_NoMemory(), -1;
    uint64_t *slots = (uint64_t *)(void *)memory;
    char *code = (char *)(slots + room);
    pa_object_arguments objects = {0};
    pa_arguments arguments = {
        code, code + room - PA_SPARE - 1, slots, slots + room - PA_SPARE, NULL, NULL, NULL, &objects, NULL, false};
    pa_refusal refusal = pa_unbox(value, &arguments);
    if (!refusal) {
      *arguments.code = '\0';
      done = fit_result(code, slots, declared, results);
    } else if (refusal == PA_RAISED) {
      done = -1;
    }
    pa_objects_discard(&objects);
    PyMem_Free(memory);
    if (refusal != PA_NO_ROOM) break;
  }
  return done;
}

//===-- Calls -------------------------------------------------------------------------------------===//

int64_t pa_keep_exception(void) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value && traceback) PyException_SetTraceback(value, traceback);
  pa_owner record;
  int64_t handle = value ? pyarray_rt_keep(pa_owner_borrow(&record, value)) : 0;
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  return handle;
}

// The function of a block. Borrowed.
static PyObject *function_of(int64_t number) {
  static PyObject *functions; // _objmode.functions
  if (!functions) {
    PyObject *module = PyImport_ImportModule("pyarray._objmode");
    functions = module ? PyObject_GetAttrString(module, "functions") : NULL;
    Py_XDECREF(module);
  }
  return functions ? PyList_GetItem(functions, (Py_ssize_t)number) : NULL;
}

static int64_t call_block(int64_t number, const char *codes, const uint64_t *arguments, uint64_t *results) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *given = box_arguments(&codes, arguments);
  PyObject *function = given ? function_of(number) : NULL,
           *value = function ? PyObject_Call(function, given, NULL) : NULL;
  Py_XDECREF(given);
  int done = value ? pa_unbox_as(value, codes, results) : -1;
  if (!done) wrong_result(value, codes);
  Py_XDECREF(value);
  bool base = done <= 0 && !PyErr_ExceptionMatches(PyExc_Exception);
  int64_t handle = done > 0 ? 0 : pa_keep_exception() | base;
  PyGILState_Release(state);
  return handle;
}

static int64_t handled_exception(void) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *exception = PyErr_GetHandledException();
  int64_t handle = 0;
  if (exception) {
    pa_raise_instance(exception);
    bool base = !PyErr_ExceptionMatches(PyExc_Exception);
    handle = pa_keep_exception() | base;
  }
  PyGILState_Release(state);
  return handle;
}

void pa_objmode_initialize(void) {
  pa_set_block_caller(call_block);
  pa_set_handled_reader(handled_exception);
}
