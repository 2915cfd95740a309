// Of the cache key: functions with all that they refer to, and the modules among that.
#include "fingerprint.h"

#include "objects.h"

#include <limits.h>
#include <opcode.h>
#include <stdlib.h>
#include <string.h>

//===-- Modules and plain classes -----------------------------------------------------------------===//

static void put_module(pa_hasher *to, PyObject *module, PyCodeObject *code);
static void put_class(pa_hasher *to, PyObject *class, PyCodeObject *code);

static void put_object(pa_hasher *to, PyObject *value, PyCodeObject *code) {
  if (PyModule_Check(value))
    put_module(to, value, code);
  else if (PyType_Check(value))
    put_class(to, value, code);
  else
    pa_put_value(to, value);
}

// Of a module, those attributes enter whose name occurs in the function that refers to it, |code| with the code nested
// in it: `settings.step` adds the value of step. Names that the module does not have are used of other objects.
static void put_attributes(pa_hasher *to, PyObject *contents, PyCodeObject *code) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_names) && !pa_is_over(to); ++i) {
    PyObject *name = PyTuple_GET_ITEM(code->co_names, i);
    PyObject *value = PyDict_GetItemWithError(contents, name);
    if (!value) continue;
    pa_put_str(to, name);
    put_object(to, value, code);
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts) && !pa_is_over(to); ++i) {
    PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
    if (PyCode_Check(constant)) put_attributes(to, contents, (PyCodeObject *)constant);
  }
}

static void put_module(pa_hasher *to, PyObject *module, PyCodeObject *code) {
  PyObject *contents = PyModule_GetDict(module);
  PyObject *name = PyDict_GetItemString(contents, "__name__");
  pa_put_tag(to, 'm');
  pa_put_str(to, name);
  if (pa_is_known_module(name)) return;
  if (++to->depth > PA_MAX_KEY_DEPTH || PyDict_GetItemString(contents, "__getattr__"))
    pa_give_up(to); // it makes up attributes as they are asked for
  else
    put_attributes(to, contents, code);
  --to->depth;
}

// The same of a plain class, which compiled code has nothing else of.
static void put_class(pa_hasher *to, PyObject *class, PyCodeObject *code) {
  bool written_in_python = PyType_HasFeature((PyTypeObject *)class, Py_TPFLAGS_HEAPTYPE);
  PyObject *held = written_in_python ? pa_call_helper("_class_bases", "held", "(O)", class) : Py_NewRef(Py_None);
  if (!held) {
    to->failed = true;
  } else if (!PyDict_Check(held)) {
    pa_put_value(to, class);
  } else if (++to->depth > PA_MAX_KEY_DEPTH) {
    pa_give_up(to);
    --to->depth;
  } else {
    pa_put_tag(to, 'A');
    put_attributes(to, held, code);
    --to->depth;
  }
  Py_XDECREF(held);
}

//===-- Functions ---------------------------------------------------------------------------------===//

// The number under which |object| was seen before, or -1 after noting it.
static int64_t seen_before(pa_hasher *to, PyObject *object) {
  for (size_t i = 0; i < to->seen_count; ++i)
    if (to->seen[i] == object) return (int64_t)i;
  if (to->seen_count == to->seen_capacity) {
    size_t capacity = to->seen_capacity ? 2 * to->seen_capacity : 16;
    PyObject **grown = realloc(to->seen, capacity * sizeof *grown);
    if (!grown) {
      PyErr_NoMemory();
      to->failed = true;
      return 0;
    }
    to->seen = grown;
    to->seen_capacity = capacity;
  }
  to->seen[to->seen_count++] = object;
  return -1;
}

static void put_code_file(pa_hasher *to, PyObject *file) {
  if (PyUnicode_Compare(file, to->own_file) == 0)
    pa_put_tag(to, '=');
  else
    pa_put_str(to, file);
}

// A function's code, or code nested in it; |globals| and |whole|, its outermost code, are the function's.
static void put_code(pa_hasher *to, PyCodeObject *code, PyObject *globals, PyCodeObject *whole);

static void put_constants(pa_hasher *to, PyCodeObject *code, PyObject *globals, PyCodeObject *whole) {
  Py_ssize_t count = PyTuple_GET_SIZE(code->co_consts);
  pa_put_number(to, count);
  for (Py_ssize_t i = 0; i < count && !pa_is_over(to); ++i) {
    PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
    if (PyCode_Check(constant))
      put_code(to, (PyCodeObject *)constant, globals, whole);
    else
      pa_put_value(to, constant);
  }
}

static void put_global(pa_hasher *to, PyObject *name, PyObject *globals, PyCodeObject *whole) {
  pa_put_str(to, name);
  PyObject *value = PyDict_GetItemWithError(globals, name);
  if (!value) value = PyDict_GetItemWithError(PyEval_GetBuiltins(), name);
  if (!value)
    pa_put_tag(to, '-');
  else
    put_object(to, value, whole);
}

// Whether constant |number| is the level of an import that names no package relative to the function's.
static bool is_absolute(PyCodeObject *code, unsigned number) {
  PyObject *level =
      number < (size_t)PyTuple_GET_SIZE(code->co_consts) ? PyTuple_GET_ITEM(code->co_consts, number) : NULL;
  return level && PyLong_CheckExact(level) && PyLong_AsLong(level) == 0;
}

// The globals that the instructions load; other names in co_names are attributes.
static void put_globals(pa_hasher *to, PyCodeObject *code, PyObject *bytecode, PyObject *globals, PyCodeObject *whole) {
  const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(bytecode);
  const unsigned char *end = at + PyBytes_GET_SIZE(bytecode);
  size_t names = (size_t)PyTuple_GET_SIZE(code->co_names);
  unsigned level = UINT_MAX, from = UINT_MAX; // constants that the two instructions before load: those of an import
  for (unsigned argument = 0; at + 1 < end && !pa_is_over(to); at += 2) {
    argument = argument << 8 | at[1];
    if (at[0] == EXTENDED_ARG) continue;
    if (at[0] == LOAD_GLOBAL && argument >> 1 < names)
      put_global(to, PyTuple_GET_ITEM(code->co_names, argument >> 1), globals, whole);
    else if (at[0] == LOAD_NAME && argument < names)
      put_global(to, PyTuple_GET_ITEM(code->co_names, argument), globals, whole);
    else if (at[0] == IMPORT_NAME && argument < names &&
             !(is_absolute(code, level) && pa_is_known_module(PyTuple_GET_ITEM(code->co_names, argument))))
      pa_give_up(to); // what it binds is a constant of the function
    level = from;
    from = at[0] == LOAD_CONST ? argument : UINT_MAX;
    argument = 0;
  }
}

static void put_code_parts(pa_hasher *to, PyCodeObject *code, PyObject *parts, PyObject *globals, PyCodeObject *whole) {
  PyObject *bytecode = PyTuple_GET_ITEM(parts, 0);
  pa_put_tag(to, 'k');
  pa_put_bytes_object(to, bytecode);
  for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(parts); ++i) pa_put_sequence(to, 't', PyTuple_GET_ITEM(parts, i));
  pa_put_sequence(to, 't', code->co_names);
  pa_put_str(to, code->co_qualname);
  put_code_file(to, code->co_filename);
  pa_put_number(to, code->co_firstlineno);
  pa_put_bytes_object(to, code->co_linetable);
  pa_put_bytes_object(to, code->co_exceptiontable);
  pa_put_number(to, code->co_flags);
  pa_put_number(to,
                (int64_t)code->co_argcount << 40 | (int64_t)code->co_posonlyargcount << 20 | code->co_kwonlyargcount);
  put_constants(to, code, globals, whole);
  put_globals(to, code, bytecode, globals, whole);
}

static void put_code(pa_hasher *to, PyCodeObject *code, PyObject *globals, PyCodeObject *whole) {
  PyObject *parts = Py_BuildValue("(NNNN)", PyCode_GetCode(code), PyCode_GetVarnames(code), PyCode_GetFreevars(code),
                                  PyCode_GetCellvars(code));
  if (!parts)
    to->failed = true;
  else if (++to->depth > PA_MAX_KEY_DEPTH)
    pa_give_up(to);
  else
    put_code_parts(to, code, parts, globals, whole);
  --to->depth;
  Py_XDECREF(parts);
}

static void put_closure(pa_hasher *to, PyObject *function) {
  PyObject *closure = PyFunction_GET_CLOSURE(function);
  PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
  for (Py_ssize_t i = 0; closure && i < PyTuple_GET_SIZE(closure) && !pa_is_over(to); ++i) {
    PyObject *value = PyCell_GET(PyTuple_GET_ITEM(closure, i));
    if (!value)
      pa_put_tag(to, '-');
    else
      put_object(to, value, code);
  }
}

static void put_keyword_defaults(pa_hasher *to, PyObject *defaults) {
  PyObject *name, *value;
  for (Py_ssize_t i = 0; PyDict_Next(defaults, &i, &name, &value) && !pa_is_over(to);) {
    pa_put_str(to, name);
    pa_put_value(to, value);
  }
}

void pa_put_function(pa_hasher *to, PyObject *function) {
  int64_t number = seen_before(to, function);
  pa_put_tag(to, 'f');
  pa_put_number(to, number);
  if (number >= 0 || pa_is_over(to)) return;
  PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
  PyObject *defaults = PyFunction_GET_DEFAULTS(function), *named = PyFunction_GET_KW_DEFAULTS(function);
  PyObject *module = ((PyFunctionObject *)function)->func_module;
  pa_put_str(to, module);
  pa_put_str(to, ((PyFunctionObject *)function)->func_qualname);
  put_code(to, code, PyFunction_GET_GLOBALS(function), code);
  if (defaults && !pa_is_over(to)) pa_put_sequence(to, 'd', defaults);
  if (named && !pa_is_over(to)) put_keyword_defaults(to, named);
  if (!pa_is_over(to)) put_closure(to, function);
}

// NumPy's functions written in Python have the value of their name.
void pa_put_python_function(pa_hasher *to, PyObject *function) {
  PyObject *module = ((PyFunctionObject *)function)->func_module;
  if (pa_is_known_module(module) && pa_put_named(to, 'n', function, true)) return;
  pa_put_function(to, function);
}

void pa_put_method(pa_hasher *to, PyObject *method) {
  PyObject *type = (PyObject *)Py_TYPE(PyMethod_GET_SELF(method));
  if (!pa_put_named(to, 'o', type, true) || !pa_put_named(to, 'n', PyMethod_GET_FUNCTION(method), true)) pa_give_up(to);
}

// A C callback, or what ctypes calls it by: its function, and its signature. False for everything else.
bool pa_put_callback(pa_hasher *to, PyObject *value) {
  PyObject *parts = PyObject_GetAttrString(value, "__pyarray_cfunc__");
  PyErr_Clear();
  bool is_callback = parts && PyTuple_Check(parts) && PyTuple_GET_SIZE(parts) == 2 &&
                     pa_is_dispatcher(PyTuple_GET_ITEM(parts, 0)) && PyUnicode_Check(PyTuple_GET_ITEM(parts, 1));
  if (is_callback) {
    pa_put_tag(to, 'K');
    pa_put_options(to, (pa_dispatcher *)PyTuple_GET_ITEM(parts, 0));
    pa_put_str(to, PyTuple_GET_ITEM(parts, 1));
    pa_put_function(to, ((pa_dispatcher *)PyTuple_GET_ITEM(parts, 0))->function);
  }
  Py_XDECREF(parts);
  return is_callback;
}

//===-- Classes -----------------------------------------------------------------------------------===//

static void put_table(pa_hasher *to, PyObject *dict) {
  PyObject *name, *value;
  pa_put_number(to, PyDict_GET_SIZE(dict));
  for (Py_ssize_t i = 0; PyDict_Next(dict, &i, &name, &value) && !pa_is_over(to);) {
    pa_put_str(to, name);
    pa_put_value(to, value);
  }
}

// What compiled code may have of a plain class that jitclasses derive from. False for other classes.
bool pa_put_base_class(pa_hasher *to, PyObject *class) {
  PyObject *contents = pa_call_helper("_class_bases", "contents", "(O)", class);
  bool known = contents && PyDict_Check(contents);
  to->failed = to->failed || !contents;
  if (known) {
    int64_t number = seen_before(to, class);
    pa_put_tag(to, 'B');
    pa_put_number(to, number);
    if (number < 0 && !pa_is_over(to)) put_table(to, contents);
  }
  Py_XDECREF(contents);
  return known || to->failed;
}

// Fields, functions and constants of a jitclass, and those of the classes of its fields. False for other classes.
bool pa_put_jitclass(pa_hasher *to, PyObject *class) {
  if (!PyType_IsSubtype((PyTypeObject *)class, &pa_instance_class) || class == (PyObject *)&pa_instance_class)
    return false;
  int64_t number = seen_before(to, class);
  pa_put_tag(to, 'J');
  pa_put_number(to, number);
  if (number >= 0 || pa_is_over(to)) return true;
  PyObject *parts = PyObject_GetAttrString(class, "__pyarray_jitclass__");
  for (Py_ssize_t i = 0; parts && i < PyTuple_GET_SIZE(parts) && !pa_is_over(to); ++i) {
    PyObject *part = PyTuple_GET_ITEM(parts, i);
    if (PyDict_Check(part))
      put_table(to, part);
    else
      pa_put_value(to, part);
    if (PyUnicode_Check(part)) pa_put_classes_of(to, PyUnicode_AsUTF8(part));
  }
  to->failed = to->failed || !parts;
  Py_XDECREF(parts);
  return true;
}

static bool is_named_class(PyObject *class) {
  bool tuple = PyType_IsSubtype((PyTypeObject *)class, &PyTuple_Type) && class != (PyObject *)&PyTuple_Type;
  return (tuple || Py_TYPE(class) != &PyType_Type) && !PyType_IsSubtype((PyTypeObject *)class, &pa_instance_class);
}

// What pyarray._named says of it: names and values, and the functions that are the user's. False for all other classes.
bool pa_put_named_class(pa_hasher *to, PyObject *class) {
  static const char *const parts[] = {"fields", "defaults", "members", "names", "values"};
  const char *code = is_named_class(class) ? pa_named_code(class) : "";
  to->failed = to->failed || !code;
  if (!code || !*code) return !code;
  int64_t number = seen_before(to, class);
  pa_put_tag(to, 'N');
  pa_put_number(to, number);
  if (number >= 0 || pa_is_over(to)) return true;
  PyObject *description = pa_call_helper("_named", "describe", "(O)", class);
  PyObject *name = description ? PyObject_GetAttrString(description, "name") : NULL,
           *tables = name ? PyObject_GetAttrString(description, "users") : NULL;
  to->failed = to->failed || !tables;
  if (tables) pa_put_str(to, name), put_table(to, tables);
  for (size_t i = 0; tables && i < sizeof parts / sizeof *parts && !pa_is_over(to); ++i) {
    PyObject *part = PyObject_GetAttrString(description, parts[i]);
    PyErr_Clear();
    if (part && PyDict_Check(part))
      put_table(to, part);
    else if (part)
      pa_put_value(to, part);
    Py_XDECREF(part);
  }
  Py_XDECREF(tables);
  Py_XDECREF(name);
  Py_XDECREF(description);
  return true;
}

// A named tuple, or a member of an enum. False for everything else.
bool pa_put_named_value(pa_hasher *to, PyObject *value) {
  PyObject *class = (PyObject *)Py_TYPE(value);
  bool named = is_named_class(class) && pa_put_named_class(to, class);
  if (!named || to->failed) return named;
  if (PyTuple_Check(value)) return pa_put_sequence(to, 't', value), true;
  PyObject *number = PyObject_GetAttrString(value, "_value_"),
           *name = number ? PyObject_GetAttrString(value, "_name_") : NULL;
  to->failed = to->failed || !name;
  if (name) pa_put_value(to, name), pa_put_value(to, number);
  Py_XDECREF(number);
  Py_XDECREF(name);
  return true;
}

void pa_put_classes_of(pa_hasher *to, const char *codes) {
  for (const char *at = codes; at && (at = strchr(at, '[')) && !pa_is_over(to); ++at) {
    const char *letter = at > codes && (at[-1] == '+' || at[-1] == '|') ? at - 2 : at - 1;
    if (letter < codes || !strchr("JNE", *letter)) continue;
    size_t length = strcspn(at + 1, "]");
    PyObject *class = *letter == 'J' ? Py_XNewRef(pa_class_named(at + 1, length))
                                     : pa_call_helper("_named", "find", "(s#)", at + 1, (Py_ssize_t)length);
    to->failed = to->failed || !class;
    if (class && *letter == 'J')
      pa_put_jitclass(to, class);
    else if (class)
      pa_put_named_class(to, class);
    Py_XDECREF(class);
    at += length;
  }
}
