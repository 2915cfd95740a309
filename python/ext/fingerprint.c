// The disk cache's key of a compilation: everything that its outcome depends on, hashed to 128 bits.
//
// Enters the hash: the compiler's version and build, Python's and NumPy's versions, this CPU, the PYARRAY_ environment,
// options, argument types, and the function with every value it refers to, recursively: its code object, defaults,
// closure cells and globals. So neither an edited callee nor a changed global is ever served stale code, and functions
// without a file (REPL, closures, lambdas) have keys like all others. Nothing here imports a module or runs Python
// code, save repr() of numbers beyond 64 bits.
//
// A value of a type that is not listed here makes the function uncacheable; it does not make it wrong.
#include "cuda.h"
#include "ufunc.h"

#include <cpuid.h>
#include <opcode.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

// Increase when the meaning of the key or the layout of cached blobs changes.
enum { FINGERPRINT_VERSION = 3, MAX_DEPTH = 200 };

extern char **environ;

typedef struct hasher {
  XXH3_state_t *state;
  PyObject *own_file; // of the function asked for, which does not enter, so that its entry survives a move; borrowed
  PyObject **seen;    // functions in the order of their discovery, borrowed
  size_t seen_count, seen_capacity;
  int depth;
  bool failed;      // a Python exception is set
  bool uncacheable; // a value without a fingerprint
} hasher;

//===-- Primitive data ----------------------------------------------------------------------------===//

static void put(hasher *to, const void *bytes, size_t size) { XXH3_128bits_update(to->state, bytes, size); }
static void put_number(hasher *to, int64_t number) { put(to, &number, sizeof number); }
static void put_tag(hasher *to, char tag) { put(to, &tag, 1); }

static void put_text(hasher *to, const char *text) {
  size_t length = strlen(text);
  put_number(to, (int64_t)length);
  put(to, text, length);
}

static void put_str(hasher *to, PyObject *text) {
  if (!text || !PyUnicode_Check(text)) {
    put_tag(to, '-');
    return;
  }
  put_number(to, PyUnicode_KIND(text));
  put_number(to, PyUnicode_GET_LENGTH(text));
  put(to, PyUnicode_DATA(text), (size_t)PyUnicode_GET_LENGTH(text) * PyUnicode_KIND(text));
}

static void put_bytes_object(hasher *to, PyObject *bytes) {
  put_number(to, PyBytes_GET_SIZE(bytes));
  put(to, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
}

// Sets of strings have another order in every process: their elements are hashed apart and the hashes added.
typedef struct order_free {
  XXH3_state_t *outer;
  XXH128_hash_t sum;
} order_free;

static bool order_free_begin(hasher *to, order_free *state) {
  *state = (order_free){.outer = to->state};
  to->state = XXH3_createState();
  if (to->state) return true;
  to->state = state->outer;
  PyErr_NoMemory();
  to->failed = true;
  return false;
}

static void order_free_element(hasher *to, order_free *state) {
  XXH128_hash_t hash = XXH3_128bits_digest(to->state);
  state->sum.low64 += hash.low64;
  state->sum.high64 += hash.high64;
}

static void order_free_end(hasher *to, order_free *state) {
  XXH3_freeState(to->state);
  to->state = state->outer;
  put(to, &state->sum, sizeof state->sum);
}

//===-- Version, machine, environment -------------------------------------------------------------===//

static void put_cpuid(hasher *to, unsigned leaf, unsigned subleaf) {
  unsigned registers[4] = {0};
  __get_cpuid_count(leaf, subleaf, &registers[0], &registers[1], &registers[2], &registers[3]);
  if (leaf == 1) registers[1] = 0; // holds the number of the core we happen to run on
  put(to, registers, sizeof registers);
}

// Vendor, model and features, and which registers the operating system saves.
static void put_cpu(hasher *to) {
  static const unsigned leaves[][2] = {{0, 0},    {1, 0},    {7, 0},          {7, 1},
                                       {0x14, 0}, {0x19, 0}, {0x80000001, 0}, {0x80000008, 0}};
  for (size_t i = 0; i < sizeof leaves / sizeof *leaves; ++i) put_cpuid(to, leaves[i][0], leaves[i][1]);
  unsigned a, b, c, d;
  if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE)) {
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    put_number(to, (int64_t)((uint64_t)high << 32 | low));
  }
}

static bool is_irrelevant_setting(const char *setting) {
  static const char *const names[] = {"PYARRAY_CACHE",
                                      "PYARRAY_CORE_LIBRARY=", "PYARRAY_PERF=", "PYARRAY_DISABLE_JIT=", "PYARRAY_TEST",
                                      "PYARRAY_CUDA_LOW_OCCUPANCY_WARNINGS="};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strncmp(setting, names[i], strlen(names[i])) == 0) return true;
  return false;
}

static void put_environment(hasher *to) {
  order_free settings;
  if (!order_free_begin(to, &settings)) return;
  for (char **setting = environ; setting && *setting; ++setting) {
    if (strncmp(*setting, "PYARRAY_", 8) != 0 || is_irrelevant_setting(*setting)) continue;
    XXH3_128bits_reset(to->state);
    put_text(to, *setting);
    order_free_element(to, &settings);
  }
  order_free_end(to, &settings);
}

// Size and time of the compiler's file stand for its build.
static void put_core_build(hasher *to) {
  struct stat status;
  const char *path = pa_core_path();
  if (!path) {
    to->failed = true;
    return;
  }
  if (stat(path, &status) != 0) {
    put_tag(to, '-');
    return;
  }
  put_number(to, status.st_size);
  put_number(to, status.st_mtim.tv_sec);
  put_number(to, status.st_mtim.tv_nsec);
}

static void put_process(hasher *to) {
  put_number(to, FINGERPRINT_VERSION);
  put_core_build(to);
  put_number(to, Py_Version);
  put_number(to, PyArray_GetNDArrayCFeatureVersion());
  put_environment(to);
  put_cpu(to);
}

static void put_options(hasher *to, const pa_dispatcher *dispatcher) {
  put_number(to, dispatcher->fastmath | dispatcher->boundscheck << 1 | dispatcher->numpy_errors << 2 |
                     dispatcher->debug << 3 | dispatcher->parallel << 4 | dispatcher->accurate_math << 5 | dispatcher->cfunc << 6);
  put_text(to, dispatcher->inline_policy);
  put_text(to, dispatcher->ufunc ? dispatcher->ufunc : "");
  put_text(to, dispatcher->loop_form ? dispatcher->loop_form : "");
  put_text(to, dispatcher->loop_types ? dispatcher->loop_types : "");
  if (!dispatcher->cuda) return;
  const pa_cuda_options *cuda = dispatcher->cuda;
  put_number(to, cuda->device | cuda->lineinfo << 1 | cuda->no_fma << 2 | cuda->no_opt << 3 | (cuda->boundscheck + 1) << 4);
  put_number(to, cuda->max_registers);
  put_number(to, (int64_t)cuda->max_threads << 32 | cuda->min_blocks);
}

//===-- Values ------------------------------------------------------------------------------------===//

static void put_value(hasher *to, PyObject *value);

static void give_up(hasher *to) { to->uncacheable = true; }
static bool is_over(const hasher *to) { return to->failed || to->uncacheable; }

static void put_int(hasher *to, PyObject *value) {
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  put_tag(to, 'i');
  if (!overflow) {
    put_number(to, number);
    return;
  }
  PyObject *text = PyNumber_ToBase(value, 16);
  if (!text) to->failed = true;
  put_str(to, text);
  Py_XDECREF(text);
}

static void put_sequence(hasher *to, char tag, PyObject *tuple) {
  put_tag(to, tag);
  put_number(to, PyTuple_GET_SIZE(tuple));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple) && !is_over(to); ++i) put_value(to, PyTuple_GET_ITEM(tuple, i));
}

static void put_frozenset(hasher *to, PyObject *set) {
  order_free elements;
  put_tag(to, 'z');
  PyObject *iterator = PyObject_GetIter(set), *element;
  if (!iterator || !order_free_begin(to, &elements)) {
    to->failed = true;
    Py_XDECREF(iterator);
    return;
  }
  while ((element = PyIter_Next(iterator))) {
    XXH3_128bits_reset(to->state);
    put_value(to, element);
    order_free_element(to, &elements);
    Py_DECREF(element);
  }
  order_free_end(to, &elements);
  Py_DECREF(iterator);
  if (PyErr_Occurred()) to->failed = true;
}

// Numbers, and times, which have units.
static bool put_descr(hasher *to, const PyArray_Descr *descr) {
  put_number(to, descr->type_num);
  if (!pa_time_dtype(descr->type_num)) return descr->type_num <= NPY_CDOUBLE;
  pa_time_unit unit = pa_time_descr_unit(descr);
  put_number(to, unit.base);
  put_number(to, unit.multiple);
  return true;
}

static void put_array(hasher *to, PyObject *value) {
  PyArrayObject *array = (PyArrayObject *)value;
  put_tag(to, 'a');
  if (!put_descr(to, PyArray_DESCR(array))) {
    give_up(to);
    return;
  }
  PyArrayObject *contiguous = (PyArrayObject *)PyArray_FromAny(value, NULL, 0, 0, NPY_ARRAY_DEFAULT | NPY_ARRAY_NOTSWAPPED, NULL);
  if (!contiguous) {
    to->failed = true;
    return;
  }
  put_number(to, PyArray_NDIM(array));
  for (int i = 0; i < PyArray_NDIM(array); ++i) put_number(to, PyArray_DIM(array, i));
  put_number(to, PyArray_FLAGS(array) & (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_WRITEABLE));
  put(to, PyArray_DATA(contiguous), (size_t)PyArray_NBYTES(contiguous));
  Py_DECREF(contiguous);
}

// The items of a NumPy scalar, through its type code and slots.
static bool put_numpy_scalar(hasher *to, PyObject *value) {
  if (!PyArray_CheckScalar(value)) return false;
  char code[PA_SPARE + 2];
  uint64_t slots[PA_SPARE + 2];
  pa_owner record;
  pa_arguments arguments = {code, code + 1, slots, slots + 1, &record, &record, NULL};
  if (PyArray_Check(value) || pa_unbox(value, &arguments) != PA_ACCEPTED) return false;
  put_tag(to, 's');
  put(to, code, (size_t)(arguments.code - code));
  put(to, slots, (size_t)(arguments.slot - slots) * sizeof *slots);
  return true;
}

//===-- Names of things that do not change: builtins, NumPy's functions, classes ------------------===//

// Modules whose contents the compiler knows by name, and of which only the version matters.
static bool is_known_module(PyObject *name) {
  static const char *const names[] = {"builtins", "math",    "cmath",   "operator", "_operator",
                                      "random",   "_random", "pyarray", "numpy",    "itertools"};
  const char *text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
  PyErr_Clear();
  for (size_t i = 0; text && i < sizeof names / sizeof *names; ++i) {
    size_t length = strlen(names[i]);
    if (strncmp(text, names[i], length) == 0 && (text[length] == '\0' || text[length] == '.')) return true;
  }
  return false;
}

static PyObject *attribute_or_null(PyObject *object, const char *name) {
  PyObject *value = PyObject_GetAttrString(object, name);
  if (!value) PyErr_Clear();
  return value;
}

// |module| and the object's own name; false where the object has no name.
static bool put_named(hasher *to, char tag, PyObject *object, bool only_known) {
  PyObject *module = attribute_or_null(object, "__module__");
  PyObject *name = attribute_or_null(object, "__qualname__");
  if (!name) name = attribute_or_null(object, "__name__");
  bool has_name = name && PyUnicode_Check(name) && (!only_known || is_known_module(module));
  if (has_name) {
    put_tag(to, tag);
    put_str(to, module);
    put_str(to, name);
  }
  Py_XDECREF(module);
  Py_XDECREF(name);
  return has_name;
}

// Functions and methods written in C: math.sqrt, numpy.zeros, random.random (a method of a hidden instance).
static void put_builtin(hasher *to, PyObject *function) {
  PyObject *self = PyCFunction_GET_SELF(function);
  put_tag(to, 'b');
  if (self && !PyModule_Check(self)) put_named(to, 'o', PyType_Check(self) ? self : (PyObject *)Py_TYPE(self), false);
  if (!put_named(to, 'n', function, false)) give_up(to);
}

// ufuncs, NumPy's array functions, dtypes, and types of pyarray; false for everything else.
static bool put_library_object(hasher *to, PyObject *value) {
  if (PyArray_DescrCheck(value)) {
    const PyArray_Descr *descr = (PyArray_Descr *)value;
    put_tag(to, 'y');
    put_number(to, descr->byteorder);
    return put_descr(to, descr);
  }
  PyObject *type_module = attribute_or_null((PyObject *)Py_TYPE(value), "__module__");
  bool is_type = type_module && PyUnicode_CompareWithASCIIString(type_module, "pyarray.types") == 0;
  bool is_numpy = type_module && PyUnicode_CompareWithASCIIString(type_module, "numpy") == 0;
  Py_XDECREF(type_module);
  if (is_type) {
    PyObject *text = PyObject_Repr(value);
    put_tag(to, 'p');
    put_str(to, text);
    to->failed = to->failed || !text;
    Py_XDECREF(text);
    return true;
  }
  // A ufunc that a user made may be called as one of NumPy's is: it must be NumPy's own.
  PyObject *numpy = is_numpy ? PyImport_AddModule("numpy") : NULL; // borrowed
  PyObject *name = attribute_or_null(value, "__name__");
  bool is_same = numpy && name && PyDict_GetItemWithError(PyModule_GetDict(numpy), name) == value;
  if (is_same) {
    put_tag(to, 'u');
    put_str(to, name);
  }
  Py_XDECREF(name);
  PyErr_Clear();
  return is_same || (is_numpy && put_named(to, 'n', value, true));
}

// An exception class is used by its name alone; of others, compiled code could use what they contain.
static void put_class(hasher *to, PyObject *type) {
  bool is_exception = PyExceptionClass_Check(type);
  if (!put_named(to, 'c', type, !is_exception)) give_up(to);
}

//===-- Modules -----------------------------------------------------------------------------------===//

static void put_module(hasher *to, PyObject *module, PyCodeObject *code);

// Of a module, those attributes enter whose name occurs in the function that refers to it, |code| with the code nested
// in it: `settings.step` adds the value of step. Names that the module does not have are used of other objects.
static void put_attributes(hasher *to, PyObject *contents, PyCodeObject *code) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_names) && !is_over(to); ++i) {
    PyObject *name = PyTuple_GET_ITEM(code->co_names, i);
    PyObject *value = PyDict_GetItemWithError(contents, name);
    if (!value) continue;
    put_str(to, name);
    if (PyModule_Check(value))
      put_module(to, value, code);
    else
      put_value(to, value);
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts) && !is_over(to); ++i) {
    PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
    if (PyCode_Check(constant)) put_attributes(to, contents, (PyCodeObject *)constant);
  }
}

static void put_module(hasher *to, PyObject *module, PyCodeObject *code) {
  PyObject *contents = PyModule_GetDict(module);
  PyObject *name = PyDict_GetItemString(contents, "__name__");
  put_tag(to, 'm');
  put_str(to, name);
  if (is_known_module(name)) return;
  if (++to->depth > MAX_DEPTH || PyDict_GetItemString(contents, "__getattr__"))
    give_up(to); // it makes up attributes as they are asked for
  else
    put_attributes(to, contents, code);
  --to->depth;
}

//===-- Functions ---------------------------------------------------------------------------------===//

// The number under which |object| was seen before, or -1 after noting it.
static int64_t seen_before(hasher *to, PyObject *object) {
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

static void put_code_file(hasher *to, PyObject *file) {
  if (PyUnicode_Compare(file, to->own_file) == 0)
    put_tag(to, '=');
  else
    put_str(to, file);
}

// A function's code, or code nested in it; |globals| and |whole|, its outermost code, are the function's.
static void put_code(hasher *to, PyCodeObject *code, PyObject *globals, PyCodeObject *whole);

static void put_constants(hasher *to, PyCodeObject *code, PyObject *globals, PyCodeObject *whole) {
  Py_ssize_t count = PyTuple_GET_SIZE(code->co_consts);
  put_number(to, count);
  for (Py_ssize_t i = 0; i < count && !is_over(to); ++i) {
    PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
    if (PyCode_Check(constant))
      put_code(to, (PyCodeObject *)constant, globals, whole);
    else
      put_value(to, constant);
  }
}

static void put_global(hasher *to, PyObject *name, PyObject *globals, PyCodeObject *whole) {
  put_str(to, name);
  PyObject *value = PyDict_GetItemWithError(globals, name);
  if (!value) value = PyDict_GetItemWithError(PyEval_GetBuiltins(), name);
  if (!value)
    put_tag(to, '-');
  else if (PyModule_Check(value))
    put_module(to, value, whole);
  else
    put_value(to, value);
}

// The globals that the instructions load; other names in co_names are attributes.
static void put_globals(hasher *to, PyCodeObject *code, PyObject *bytecode, PyObject *globals, PyCodeObject *whole) {
  const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(bytecode);
  const unsigned char *end = at + PyBytes_GET_SIZE(bytecode);
  size_t names = (size_t)PyTuple_GET_SIZE(code->co_names);
  for (unsigned argument = 0; at + 1 < end && !is_over(to); at += 2) {
    argument = argument << 8 | at[1];
    if (at[0] == EXTENDED_ARG) continue;
    if (at[0] == LOAD_GLOBAL && argument >> 1 < names)
      put_global(to, PyTuple_GET_ITEM(code->co_names, argument >> 1), globals, whole);
    else if (at[0] == LOAD_NAME && argument < names)
      put_global(to, PyTuple_GET_ITEM(code->co_names, argument), globals, whole);
    else if (at[0] == IMPORT_NAME && argument < names && !is_known_module(PyTuple_GET_ITEM(code->co_names, argument)))
      give_up(to);
    argument = 0;
  }
}

static void put_code_parts(hasher *to, PyCodeObject *code, PyObject *parts, PyObject *globals, PyCodeObject *whole) {
  PyObject *bytecode = PyTuple_GET_ITEM(parts, 0);
  put_tag(to, 'k');
  put_bytes_object(to, bytecode);
  for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(parts); ++i) put_sequence(to, 't', PyTuple_GET_ITEM(parts, i));
  put_sequence(to, 't', code->co_names);
  put_str(to, code->co_qualname);
  put_code_file(to, code->co_filename);
  put_number(to, code->co_firstlineno);
  put_bytes_object(to, code->co_linetable);
  put_bytes_object(to, code->co_exceptiontable);
  put_number(to, code->co_flags);
  put_number(to, (int64_t)code->co_argcount << 40 | (int64_t)code->co_posonlyargcount << 20 | code->co_kwonlyargcount);
  put_constants(to, code, globals, whole);
  put_globals(to, code, bytecode, globals, whole);
}

static void put_code(hasher *to, PyCodeObject *code, PyObject *globals, PyCodeObject *whole) {
  PyObject *parts = Py_BuildValue("(NNNN)", PyCode_GetCode(code), PyCode_GetVarnames(code), PyCode_GetFreevars(code),
                                  PyCode_GetCellvars(code));
  if (!parts)
    to->failed = true;
  else if (++to->depth > MAX_DEPTH)
    give_up(to);
  else
    put_code_parts(to, code, parts, globals, whole);
  --to->depth;
  Py_XDECREF(parts);
}

static void put_closure(hasher *to, PyObject *function) {
  PyObject *closure = PyFunction_GET_CLOSURE(function);
  PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
  for (Py_ssize_t i = 0; closure && i < PyTuple_GET_SIZE(closure) && !is_over(to); ++i) {
    PyObject *value = PyCell_GET(PyTuple_GET_ITEM(closure, i));
    if (!value)
      put_tag(to, '-');
    else if (PyModule_Check(value))
      put_module(to, value, code);
    else
      put_value(to, value);
  }
}

static void put_keyword_defaults(hasher *to, PyObject *defaults) {
  PyObject *name, *value;
  for (Py_ssize_t i = 0; PyDict_Next(defaults, &i, &name, &value) && !is_over(to);) {
    put_str(to, name);
    put_value(to, value);
  }
}

static void put_function(hasher *to, PyObject *function) {
  int64_t number = seen_before(to, function);
  put_tag(to, 'f');
  put_number(to, number);
  if (number >= 0 || is_over(to)) return;
  PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
  PyObject *defaults = PyFunction_GET_DEFAULTS(function), *named = PyFunction_GET_KW_DEFAULTS(function);
  PyObject *module = ((PyFunctionObject *)function)->func_module;
  put_str(to, module);
  put_str(to, ((PyFunctionObject *)function)->func_qualname);
  put_code(to, code, PyFunction_GET_GLOBALS(function), code);
  if (defaults && !is_over(to)) put_sequence(to, 'd', defaults);
  if (named && !is_over(to)) put_keyword_defaults(to, named);
  if (!is_over(to)) put_closure(to, function);
}

// NumPy's functions written in Python have the value of their name.
static void put_python_function(hasher *to, PyObject *function) {
  PyObject *module = ((PyFunctionObject *)function)->func_module;
  if (is_known_module(module) && put_named(to, 'n', function, true)) return;
  put_function(to, function);
}

static void put_method(hasher *to, PyObject *method) {
  PyObject *type = (PyObject *)Py_TYPE(PyMethod_GET_SELF(method));
  if (!put_named(to, 'o', type, true) || !put_named(to, 'n', PyMethod_GET_FUNCTION(method), true)) give_up(to);
}

// A ufunc made here or a DUFunc: its function, and the loops given by signatures. False for everything else.
static bool put_ufunc(hasher *to, PyObject *value) {
  pa_ufunc_kernel *kernel = pa_ufunc_kernel_of(value);
  PyObject *codes = kernel ? pa_ufunc_codes_of(value) : NULL;
  if (!kernel) return false;
  put_tag(to, pa_is_lazy_ufunc(value) ? 'V' : 'v');
  put_options(to, kernel->dispatcher);
  put_number(to, codes ? PyList_GET_SIZE(codes) : 0);
  for (Py_ssize_t i = 0; codes && i < PyList_GET_SIZE(codes); ++i) put_str(to, PyList_GET_ITEM(codes, i));
  put_function(to, kernel->dispatcher->function);
  to->failed = to->failed || !codes;
  Py_XDECREF(codes);
  return true;
}

// A C callback, or what ctypes calls it by: its function, and its signature. False for everything else.
static bool put_callback(hasher *to, PyObject *value) {
  PyObject *parts = PyObject_GetAttrString(value, "__pyarray_cfunc__");
  PyErr_Clear();
  bool is_callback = parts && PyTuple_Check(parts) && PyTuple_GET_SIZE(parts) == 2 && pa_is_dispatcher(PyTuple_GET_ITEM(parts, 0)) &&
                     PyUnicode_Check(PyTuple_GET_ITEM(parts, 1));
  if (is_callback) {
    put_tag(to, 'K');
    put_options(to, (pa_dispatcher *)PyTuple_GET_ITEM(parts, 0));
    put_str(to, PyTuple_GET_ITEM(parts, 1));
    put_function(to, ((pa_dispatcher *)PyTuple_GET_ITEM(parts, 0))->function);
  }
  Py_XDECREF(parts);
  return is_callback;
}

//===-- Any value ---------------------------------------------------------------------------------===//

static void put_value(hasher *to, PyObject *value) {
  if (++to->depth > MAX_DEPTH) {
    give_up(to);
  } else if (value == Py_None || value == Py_Ellipsis || value == Py_NotImplemented) {
    put_tag(to, value == Py_None ? 'N' : value == Py_Ellipsis ? 'E' : 'I');
  } else if (PyBool_Check(value)) {
    put_tag(to, value == Py_True ? 'T' : 'F');
  } else if (PyLong_CheckExact(value)) {
    put_int(to, value);
  } else if (PyFloat_CheckExact(value)) {
    double number = PyFloat_AS_DOUBLE(value);
    put_tag(to, 'd');
    put(to, &number, sizeof number);
  } else if (PyComplex_CheckExact(value)) {
    Py_complex number = PyComplex_AsCComplex(value);
    put_tag(to, 'D');
    put(to, &number, sizeof number);
  } else if (PyUnicode_CheckExact(value)) {
    put_tag(to, 'S');
    put_str(to, value);
  } else if (PyBytes_CheckExact(value)) {
    put_tag(to, 'B');
    put_bytes_object(to, value);
  } else if (PyTuple_CheckExact(value)) {
    put_sequence(to, 't', value);
  } else if (PyFrozenSet_CheckExact(value)) {
    put_frozenset(to, value);
  } else if (PyArray_CheckExact(value)) {
    put_array(to, value);
  } else if (pa_is_dispatcher(value)) {
    put_tag(to, 'j');
    put_options(to, (pa_dispatcher *)value);
    put_function(to, ((pa_dispatcher *)value)->function);
  } else if (PyFunction_Check(value)) {
    put_python_function(to, value);
  } else if (PyCFunction_Check(value)) {
    put_builtin(to, value);
  } else if (PyType_Check(value)) {
    put_class(to, value);
  } else if (PyModule_Check(value)) {
    give_up(to); // only reached where the names that are used of it are unknown
  } else if (PyMethod_Check(value)) {
    put_method(to, value);
  } else if (!put_ufunc(to, value) && !put_callback(to, value) && !put_numpy_scalar(to, value) && !put_library_object(to, value)) {
    give_up(to);
  }
  --to->depth;
}

//===-- Entry -------------------------------------------------------------------------------------===//

int pa_fingerprint_of(pa_dispatcher *dispatcher, const char *code, pa_cache_key *out_key) {
  PyCodeObject *python_code = (PyCodeObject *)PyFunction_GET_CODE(dispatcher->function);
  hasher to = {.state = XXH3_createState(), .own_file = python_code->co_filename};
  if (!to.state) {
    PyErr_NoMemory();
    return -1;
  }
  XXH3_128bits_reset(to.state);
  put_process(&to);
  put_text(&to, code);
  put_options(&to, dispatcher);
  if (dispatcher->debug || (dispatcher->cuda && dispatcher->cuda->lineinfo))
    put_str(&to, python_code->co_filename); // debug information holds it
  if (dispatcher->cuda) {
    pa_cuda_target target;
    if (!pa_cuda_target_now(&target)) to.failed = true;
    put_number(&to, target.kind);
    put_number(&to, target.capability);
    put_number(&to, target.driver_version);
  }
  if (!to.failed) put_function(&to, dispatcher->function);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(to.state));
  XXH3_freeState(to.state);
  free(to.seen);
  if (to.failed) return -1;
  if (to.uncacheable) return 0;
  _Static_assert(sizeof canonical == sizeof *out_key, "128 bits");
  memcpy(out_key, &canonical, sizeof canonical);
  return 1;
}
