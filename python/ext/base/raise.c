// Python exceptions: from errors of compiled code, with the user's lines in the traceback, and from bad arguments.
#include "error_text.h"
#include "objects.h"
#include "support/precompiled.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <frameobject.h>

//===-- Sites -------------------------------------------------------------------------------------===//

typedef struct site {
  const char *exception, *arguments, *values, *file, *line, *function;
} site;

static const char *next_field(const char **at, const char *end) {
  const char *field = *at;
  if (field >= end) return "";
  *at += strlen(field) + 1;
  return field;
}

// The site numbered |number|; empty fields where there is none.
static site site_at(const pa_variant *variant, int32_t number) {
  const char *at = variant->sites, *end = at + variant->sites_size;
  if (number >= PA_FIRST_PRECOMPILED_SITE) { // in a function of the library that is machine code already
    number -= PA_FIRST_PRECOMPILED_SITE;
    pa_precompiled library = pa_precompiled_at((uint32_t)number / PA_PRECOMPILED_SITES);
    at = library.sites, end = at + library.sites_size;
    number %= PA_PRECOMPILED_SITES;
  }
  for (int64_t skip = (int64_t)number * PA_SITE_FIELDS; skip > 0 && at < end; --skip) next_field(&at, end);
  site found;
  found.exception = next_field(&at, end);
  found.arguments = next_field(&at, end);
  found.values = next_field(&at, end);
  found.file = next_field(&at, end);
  found.line = next_field(&at, end);
  found.function = next_field(&at, end);
  return found;
}

//===-- The exception's class ---------------------------------------------------------------------===//

static PyObject *attribute_path(PyObject *object, const char *path) {
  PyObject *at = Py_NewRef(object);
  while (at && *path) {
    size_t length = strcspn(path, ".");
    PyObject *name = PyUnicode_FromStringAndSize(path, (Py_ssize_t)length);
    PyObject *next = name ? PyObject_GetAttr(at, name) : NULL;
    Py_XDECREF(name);
    Py_SETREF(at, next);
    path += length + (path[length] == '.');
  }
  return at;
}

static bool is_class_named(PyObject *object, const char *module, const char *qualified_name) {
  if (!PyType_Check(object)) return false;
  PyObject *own_module = PyObject_GetAttrString(object, "__module__");
  PyObject *own_name = PyObject_GetAttrString(object, "__qualname__");
  bool same = own_module && own_name && PyUnicode_Check(own_module) && PyUnicode_Check(own_name) &&
              PyUnicode_CompareWithASCIIString(own_module, module) == 0 &&
              PyUnicode_CompareWithASCIIString(own_name, qualified_name) == 0;
  Py_XDECREF(own_module);
  Py_XDECREF(own_name);
  PyErr_Clear();
  return same;
}

// Classes that no module holds, such as those made in a function: among what the function refers to.
static PyObject *class_in_function(PyObject *function, const char *module, const char *qualified_name) {
  PyObject *closure = PyFunction_GET_CLOSURE(function);
  for (Py_ssize_t i = 0; closure && i < PyTuple_GET_SIZE(closure); ++i) {
    PyObject *value = PyCell_GET(PyTuple_GET_ITEM(closure, i));
    if (value && is_class_named(value, module, qualified_name)) return Py_NewRef(value);
  }
  PyObject *key, *value;
  for (Py_ssize_t i = 0; PyDict_Next(PyFunction_GET_GLOBALS(function), &i, &key, &value);)
    if (PyType_Check(value) && is_class_named(value, module, qualified_name)) return Py_NewRef(value);
  return NULL;
}

// One that a function which is called raises: the compiler has remembered it.
static PyObject *remembered_class(const char *name) {
  if (!strstr(name, "<locals>")) return NULL;
  PyObject *errors = PyImport_ImportModule("pyarray.errors");
  PyObject *classes = errors ? PyObject_GetAttrString(errors, "_local_exceptions") : NULL;
  PyObject *found = classes ? PyDict_GetItemString(classes, name) : NULL; // borrowed
  Py_XINCREF(found);
  Py_XDECREF(classes);
  Py_XDECREF(errors);
  PyErr_Clear();
  return found;
}

// |name| is "ValueError" or "module:qualified.name".
static PyObject *exception_class(const char *name, PyObject *function) {
  const char *colon = strchr(name, ':');
  PyObject *found = NULL;
  if (!colon) {
    found = PyMapping_GetItemString(PyEval_GetBuiltins(), name);
  } else {
    char *module = strndup(name, (size_t)(colon - name));
    if (!module) return PyErr_NoMemory();
    found = class_in_function(function, module, colon + 1);
    if (!found) found = remembered_class(name);
    PyObject *imported = found ? NULL : PyImport_ImportModule(module);
    if (!found && !imported && strcmp(module, "numpy.exceptions") == 0) { // NumPy has it since 1.25
      PyErr_Clear();
      imported = PyImport_ImportModule("numpy");
    }
    if (imported) found = attribute_path(imported, colon + 1);
    Py_XDECREF(imported);
    free(module);
  }
  if (found && !PyExceptionClass_Check(found)) {
    Py_DECREF(found);
    return PyErr_Format(PyExc_TypeError, "exceptions must derive from BaseException: %s", name);
  }
  return found;
}

//===-- The exception's arguments -----------------------------------------------------------------===//

static PyObject *constants_for_arguments(void) {
  PyObject *names = PyDict_New();
  PyObject *empty = PyDict_New(), *infinity = PyFloat_FromDouble(Py_HUGE_VAL), *nan = PyFloat_FromDouble(Py_NAN);
  bool done = names && empty && infinity && nan && PyDict_SetItemString(names, "__builtins__", empty) == 0 &&
              PyDict_SetItemString(names, "inf", infinity) == 0 && PyDict_SetItemString(names, "nan", nan) == 0 &&
              PyDict_SetItemString(names, "complex", (PyObject *)&PyComplex_Type) == 0;
  Py_XDECREF(empty);
  Py_XDECREF(infinity);
  Py_XDECREF(nan);
  if (!done) Py_CLEAR(names);
  return names;
}

// The compiler words messages as CPython 3.11 does; newer ones say some of them otherwise.
static const char *reworded(const char *text) {
  static const struct {
    long since;
    const char *was, *is;
  } rows[] = {
      {0x030c0000, "('max() arg is an empty sequence',)", "('max() iterable argument is empty',)"},
      {0x030c0000, "('min() arg is an empty sequence',)", "('min() iterable argument is empty',)"},
      {0x030d0000, "('float modulo',)", "('float modulo by zero',)"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (PY_VERSION_HEX >= rows[i].since && strcmp(text, rows[i].was) == 0) return rows[i].is;
  return text;
}

static double real_of(int64_t bits) {
  double real;
  memcpy(&real, &bits, sizeof real);
  return real;
}

// A computed number with type code |code|, of the values from |*values| on, which it takes.
static PyObject *boxed_value(char code, const int64_t **values) {
  int64_t bits = *(*values)++;
  switch (code) {
  case '?': return PyBool_FromLong(bits != 0);
  case 'B':
  case 'H':
  case 'I':
  case 'Q': return PyLong_FromUnsignedLongLong((unsigned long long)bits);
  case 'e':
  case 'g':
  case 'f':
  case 'd': return PyFloat_FromDouble(real_of(bits));
  case 'U':
  case 'Y': return pa_box_text(bits);
  case 'F':
  case 'D': return PyComplex_FromDoubles(real_of(bits), real_of(*(*values)++));
  default: return PyLong_FromLongLong(bits);
  }
}

// Adds the computed values as _0, _1, ... to |names|.
static bool add_values(PyObject *names, const char *codes, const pa_raised *raised) {
  const int64_t *values = raised->values;
  for (int i = 0; codes[i]; ++i) {
    char name[16];
    snprintf(name, sizeof name, "_%d", i);
    PyObject *value = boxed_value(codes[i], &values);
    bool added = value && PyDict_SetItemString(names, name, value) == 0;
    Py_XDECREF(value);
    if (!added) return false;
  }
  return true;
}

static PyObject *evaluate(PyObject *code, const char *codes, const pa_raised *raised) {
  PyObject *names = constants_for_arguments();
  if (names && !add_values(names, codes, raised)) Py_CLEAR(names);
  PyObject *value = names ? PyEval_EvalCode(code, names, names) : NULL;
  Py_XDECREF(names);
  if (value && !PyTuple_Check(value)) Py_SETREF(value, PyTuple_Pack(1, value));
  return value;
}

// The tuple that the literal |text| describes. Parsing it takes most of the time that a raise takes; so what it is, a
// tuple of literals, or its code, where there are computed values in it, is remembered.
static PyObject *evaluate_arguments(const char *text, const char *codes, const pa_raised *raised) {
  static PyObject *memory;
  if (!*text) return PyTuple_New(0);
  text = reworded(text);
  PyObject *key = PyUnicode_FromString(text), *known = pa_recall(memory, key), *value = NULL;
  if (known && PyTuple_Check(known)) value = Py_NewRef(known);
  PyObject *code = known ? Py_NewRef(known) : Py_CompileString(text, "<string>", Py_eval_input);
  if (!value && code) value = evaluate(code, codes, raised);
  if (!known && value) pa_remember(&memory, key, *codes ? code : value);
  Py_XDECREF(code);
  Py_XDECREF(key);
  return value;
}

static PyObject *fill_placeholders(PyObject *text, const pa_raised *raised) {
  const char *at = PyUnicode_AsUTF8(text);
  if (!at) return NULL;
  pa_string filled = {0};
  while (*at) {
    size_t length = pa_put_placeholder(&filled, at, raised);
    if (!length) pa_string_append(&filled, at, 1);
    at += length ? length : 1;
  }
  PyObject *result = PyUnicode_FromString(pa_string_text(&filled));
  pa_string_free(&filled);
  return result;
}

static PyObject *exception_arguments(const site *origin, const pa_raised *raised) {
  PyObject *constants = evaluate_arguments(origin->arguments, origin->values, raised);
  if (!constants || raised->value_count == 0 || *origin->values) return constants;
  Py_ssize_t count = PyTuple_GET_SIZE(constants);
  PyObject *arguments = PyTuple_New(count);
  for (Py_ssize_t i = 0; arguments && i < count; ++i) {
    PyObject *constant = PyTuple_GET_ITEM(constants, i);
    PyObject *value = PyUnicode_Check(constant) ? fill_placeholders(constant, raised) : Py_NewRef(constant);
    if (value)
      PyTuple_SET_ITEM(arguments, i, value);
    else
      Py_CLEAR(arguments);
  }
  Py_DECREF(constants);
  return arguments;
}

//===-- Traceback ---------------------------------------------------------------------------------===//

static bool is_code_of(PyObject *function, const site *place, const char *file) {
  if (function && pa_is_dispatcher(function)) function = ((pa_dispatcher *)function)->function;
  if (!function || !PyFunction_Check(function)) return false;
  PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
  return code->co_firstlineno <= atoi(place->line) &&
         PyUnicode_CompareWithASCIIString(code->co_name, place->function) == 0 &&
         PyUnicode_CompareWithASCIIString(code->co_filename, file) == 0;
}

// Where the function of |place| begins, as far as it is |function| or a global of its: tools show the lines around.
static int first_line(PyObject *function, const site *place, const char *file) {
  PyObject *global = is_code_of(function, place, file)
                         ? function
                         : PyDict_GetItemString(PyFunction_GET_GLOBALS(function), place->function);
  if (!is_code_of(global, place, file)) return atoi(place->line);
  if (pa_is_dispatcher(global)) global = ((pa_dispatcher *)global)->function;
  return ((PyCodeObject *)PyFunction_GET_CODE(global))->co_firstlineno;
}

// The code object of a frame for |place|.
static PyCodeObject *code_at(const site *place, const char *file, int line) {
  static PyObject *memory;
  PyObject *key = PyUnicode_FromFormat("%s\n%s\n%d", file, place->function, line), *code = pa_recall(memory, key);
  if (code)
    Py_INCREF(code);
  else
    code = (PyObject *)PyCode_NewEmpty(file, place->function, line);
  if (code) pa_remember(&memory, key, code);
  Py_XDECREF(key);
  return (PyCodeObject *)code;
}

// A traceback around |inner|; not by PyTraceBack_Here, which would take the line from the frame.
static PyObject *traceback_at(PyObject *inner, PyFrameObject *frame, const site *place) {
  return PyObject_CallFunction((PyObject *)&PyTraceBack_Type, "OOii", inner ? inner : Py_None, frame, -1,
                               atoi(place->line));
}

// Puts a frame for |place| outside those that the current exception's traceback has; none where it names no function.
static void add_traceback_entry(const site *place, const pa_dispatcher *dispatcher) {
  if (!*place->function) return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyCodeObject *own_code = (PyCodeObject *)PyFunction_GET_CODE(dispatcher->function);
  const char *file = *place->file ? place->file : PyUnicode_AsUTF8(own_code->co_filename);
  PyCodeObject *code = file ? code_at(place, file, first_line(dispatcher->function, place, file)) : NULL;
  PyFrameObject *frame = NULL;
  if (code) frame = PyFrame_New(PyThreadState_Get(), code, PyFunction_GET_GLOBALS(dispatcher->function), NULL);
  PyObject *outer = frame ? traceback_at(traceback, frame, place) : NULL;
  PyErr_Clear();
  if (outer) Py_XSETREF(traceback, outer);
  PyErr_Restore(type, value, traceback);
  Py_XDECREF(frame);
  Py_XDECREF(code);
}

void pa_raise_from_native(const pa_dispatcher *dispatcher, const pa_variant *variant) {
  pa_raised raised = pa_raised_take();
  if (raised.count == 0)
    PyErr_SetString(PyExc_SystemError, "pyarray: compiled code failed without saying why");
  else
    pa_raise_recorded(dispatcher, variant, &raised);
  pa_raised_drop(&raised);
}

//===-- Contexts and causes -----------------------------------------------------------------------===//

// The Python exception that is set, taken with its traceback; a new reference, or NULL.
static PyObject *take_exception(void) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value && traceback) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return value;
}

static void put_exception(PyObject *exception) {
  PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(exception)), exception, PyException_GetTraceback(exception));
}

static void add_frames(const pa_dispatcher *dispatcher, const pa_variant *variant, const pa_raised *raised) {
  for (int i = 0; i < raised->count && i < PA_MAX_FRAMES && !raised->is_new; ++i) {
    site place = site_at(variant, raised->site[i]);
    add_traceback_entry(&place, dispatcher);
  }
}

// A new reference, or NULL with an exception set: one that was raised while it was made.
PyObject *pa_make_exception(const pa_dispatcher *dispatcher, const pa_variant *variant, const pa_raised *raised) {
  site origin = site_at(variant, raised->site[0]);
  if (strcmp(origin.values, "X") == 0)
    return Py_XNewRef((PyObject *)pa_kept_object(raised->values[0])); // an exception of the interpreter
  PyObject *class = exception_class(origin.exception, dispatcher->function);
  PyObject *arguments = class ? exception_arguments(&origin, raised) : NULL;
  PyObject *exception = arguments ? PyObject_CallObject(class, arguments) : NULL;
  if (exception && !PyExceptionInstance_Check(exception)) {
    PyErr_Format(PyExc_TypeError, "calling %R should have returned an instance of BaseException", class);
    Py_CLEAR(exception);
  }
  Py_XDECREF(arguments);
  Py_XDECREF(class);
  return exception;
}

static void raise_alone(const pa_dispatcher *dispatcher, const pa_variant *variant, const pa_raised *raised) {
  pa_raise_instance(pa_make_exception(dispatcher, variant, raised));
  add_frames(dispatcher, variant, raised);
}

// Exceptions made of one error and of what it leads to, so that each error becomes one object.
typedef struct made_exception {
  const pa_error *error;
  PyObject *object; // borrowed: the first one made holds all
  struct made_exception *next;
} made_exception;

static PyObject *exception_of(const pa_dispatcher *dispatcher, const pa_variant *variant, const pa_error *error,
                              const made_exception *known, int depth);

enum { PA_MAX_CONTEXTS = 500 };

// Sets context and cause of |exception|, made of |raised|.
static void link_exception(const pa_dispatcher *dispatcher, const pa_variant *variant, PyObject *exception,
                           const pa_raised *raised, const made_exception *known, int depth) {
  if (depth > PA_MAX_CONTEXTS) return;
  made_exception own = {raised->caught, exception, (made_exception *)known};
  if (raised->context)
    PyException_SetContext(exception, exception_of(dispatcher, variant, raised->context, &own, depth + 1));
  made_exception context = {raised->context, raised->context ? PyException_GetContext(exception) : NULL, &own};
  Py_XDECREF(context.object);
  if (raised->from)
    PyException_SetCause(exception,
                         raised->cause ? exception_of(dispatcher, variant, raised->cause, &context, depth + 1) : NULL);
}

static PyObject *exception_of(const pa_dispatcher *dispatcher, const pa_variant *variant, const pa_error *error,
                              const made_exception *known, int depth) {
  for (; known; known = known->next)
    if (known->error == error && known->object) return Py_NewRef(known->object);
  raise_alone(dispatcher, variant, &error->raised);
  PyObject *exception = take_exception();
  pa_raised of_error = error->raised;
  of_error.caught = (pa_error *)error;
  if (exception) link_exception(dispatcher, variant, exception, &of_error, known, depth);
  return exception;
}

void pa_raise_recorded(const pa_dispatcher *dispatcher, const pa_variant *variant, const pa_raised *raised) {
  raise_alone(dispatcher, variant, raised);
  if (!raised->context && !raised->from) return;
  PyObject *exception = take_exception();
  if (!exception) return;
  link_exception(dispatcher, variant, exception, raised, NULL, 0);
  put_exception(exception);
}
