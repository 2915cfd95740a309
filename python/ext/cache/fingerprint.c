// The disk cache's key of a compilation: everything that its outcome depends on, hashed to 128 bits.
//
// Enters the hash: the compiler's version and build, Python's and NumPy's versions, this CPU, the PYARRAY_ environment,
// options, argument types, and the function with every value it refers to, recursively: its code object, defaults,
// closure cells and globals. So neither an edited callee nor a changed global is ever served stale code, and functions
// without a file (REPL, closures, lambdas) have keys like all others. Nothing here imports a module or runs Python
// code, save repr() of numbers beyond 64 bits.
//
// A value of a type that is not listed here makes the function uncacheable; it does not make it wrong.
#include "fingerprint.h"
#include "support/precompiled.h"

#include "objects.h"

#include <cpuid.h>
#include <opcode.h>
#include <stdlib.h>
#include <string.h>

// Increase when the meaning of the key or the layout of cached blobs changes.
enum { FINGERPRINT_VERSION = 4 };

extern char **environ;

//===-- Primitive data ----------------------------------------------------------------------------===//

static void put_text(pa_hasher *to, const char *text) {
  size_t length = strlen(text);
  pa_put_number(to, (int64_t)length);
  pa_put(to, text, length);
}

void pa_put_str(pa_hasher *to, PyObject *text) {
  if (!text || !PyUnicode_Check(text)) {
    pa_put_tag(to, '-');
    return;
  }
  pa_put_number(to, PyUnicode_KIND(text));
  pa_put_number(to, PyUnicode_GET_LENGTH(text));
  pa_put(to, PyUnicode_DATA(text), (size_t)PyUnicode_GET_LENGTH(text) * PyUnicode_KIND(text));
}

void pa_put_bytes_object(pa_hasher *to, PyObject *bytes) {
  pa_put_number(to, PyBytes_GET_SIZE(bytes));
  pa_put(to, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
}

bool pa_order_free_begin(pa_hasher *to, pa_order_free *state) {
  *state = (pa_order_free){.outer = to->state};
  to->state = XXH3_createState();
  if (to->state) return true;
  to->state = state->outer;
  PyErr_NoMemory();
  to->failed = true;
  return false;
}

void pa_order_free_element(pa_hasher *to, pa_order_free *state) {
  XXH128_hash_t hash = XXH3_128bits_digest(to->state);
  state->sum.low64 += hash.low64;
  state->sum.high64 += hash.high64;
}

void pa_order_free_end(pa_hasher *to, pa_order_free *state) {
  XXH3_freeState(to->state);
  to->state = state->outer;
  pa_put(to, &state->sum, sizeof state->sum);
}

//===-- Version, machine, environment -------------------------------------------------------------===//

enum { CPUID_LEAVES = 8 };

typedef struct processor {
  unsigned registers[CPUID_LEAVES][4];
  uint64_t saved; // registers that the operating system saves
} processor;

static void read_processor(processor *out) {
  static const unsigned leaves[CPUID_LEAVES][2] = {{0, 0},    {1, 0},    {7, 0},          {7, 1},
                                                   {0x14, 0}, {0x19, 0}, {0x80000001, 0}, {0x80000008, 0}};
  *out = (processor){0};
  for (size_t i = 0; i < CPUID_LEAVES; ++i) {
    unsigned *to = out->registers[i];
    __get_cpuid_count(leaves[i][0], leaves[i][1], &to[0], &to[1], &to[2], &to[3]);
    if (leaves[i][0] == 1) to[1] = 0; // holds the number of the core we happen to run on
  }
  if (!(out->registers[1][2] & bit_OSXSAVE)) return;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  out->saved = (uint64_t)high << 32 | low;
}

// Vendor, model and features. Asked for once: in virtual machines each question takes 10 to 70 us.
static void put_cpu(pa_hasher *to) {
  static processor known;
  static bool is_known;
  if (!is_known) read_processor(&known);
  is_known = true;
  pa_put(to, &known, sizeof known);
}

static bool is_irrelevant_setting(const char *setting) {
  static const char *const names[] = {
      "PYARRAY_CACHE",        "PYARRAY_CORE_LIBRARY=", "PYARRAY_PERF=",
      "PYARRAY_DISABLE_JIT=", "PYARRAY_TEST",          "PYARRAY_CUDA_LOW_OCCUPANCY_WARNINGS="};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strncmp(setting, names[i], strlen(names[i])) == 0) return true;
  return false;
}

static void put_environment(pa_hasher *to) {
  pa_order_free settings;
  if (!pa_order_free_begin(to, &settings)) return;
  for (char **setting = environ; setting && *setting; ++setting) {
    if (strncmp(*setting, "PYARRAY_", 8) != 0 || is_irrelevant_setting(*setting)) continue;
    XXH3_128bits_reset(to->state);
    put_text(to, *setting);
    pa_order_free_element(to, &settings);
  }
  pa_order_free_end(to, &settings);
}

static void put_core_build(pa_hasher *to) {
  const char *path = pa_core_path();
  if (path)
    pa_put_build(to, path);
  else
    to->failed = true;
}

// What the precompiled library is goes with the build, but whether it is there does not.
static void put_precompiled(pa_hasher *to) {
  const void *bytes;
  size_t size = 0;
  pa_put_number(to, pa_precompiled_open(&bytes, &size) ? (int64_t)pa_precompiled_digest() : 0);
}

static void put_process(pa_hasher *to) {
  pa_put_number(to, FINGERPRINT_VERSION);
  put_text(to, PYARRAY_VERSION);
  put_core_build(to);
  put_precompiled(to);
  pa_put_number(to, Py_Version);
  pa_put_number(to, PyArray_GetNDArrayCFeatureVersion());
  put_environment(to);
  put_cpu(to);
}

void pa_put_options(pa_hasher *to, pa_dispatcher *dispatcher) {
  to->failed = to->failed || !pa_options_refresh(dispatcher);
  pa_put_number(to, dispatcher->fastmath | dispatcher->boundscheck << 1 | dispatcher->debug << 3 |
                        dispatcher->parallel << 4 | dispatcher->accurate_math << 5 | dispatcher->cfunc << 6 |
                        dispatcher->offload << 7);
  put_text(to, pa_fastmath_flags(dispatcher) ? pa_fastmath_flags(dispatcher) : "");
  put_text(to, dispatcher->inline_policy);
  put_text(to, dispatcher->error_model);
  PyObject *locals = PyDict_GetItemString(dispatcher->options, "locals");
  if (locals) pa_put_value(to, locals);
  if (dispatcher->declared) pa_put_value(to, dispatcher->declared);
  put_text(to, dispatcher->ufunc ? dispatcher->ufunc : "");
  put_text(to, dispatcher->loop_form ? dispatcher->loop_form : "");
  put_text(to, dispatcher->loop_types ? dispatcher->loop_types : "");
  put_text(to, pa_opt_level() ? pa_opt_level() : "");
  if (!dispatcher->cuda) return;
  const pa_cuda_options *cuda = dispatcher->cuda;
  pa_put_number(to, cuda->device | cuda->lineinfo << 1 | cuda->no_fma << 2 | cuda->no_opt << 3 |
                        (cuda->boundscheck + 1) << 4);
  pa_put_number(to, cuda->max_registers);
  pa_put_number(to, (int64_t)cuda->max_threads << 32 | cuda->min_blocks);
  pa_put_number(to, (int64_t)cuda->max_cluster << 32 | cuda->cluster);
  pa_put_number(to, cuda->lto);
  PyObject *link = PyDict_GetItemString(dispatcher->options, "link");
  PyObject *key =
      link && PyTuple_Check(link) && PyTuple_GET_SIZE(link) ? pa_call_helper("cuda._link", "key", "(O)", link) : NULL;
  if (key) pa_put_value(to, key);
  Py_XDECREF(key);
  to->failed = to->failed || PyErr_Occurred();
}

//===-- Any value ---------------------------------------------------------------------------------===//

void pa_put_value(pa_hasher *to, PyObject *value) {
  if (++to->depth > PA_MAX_KEY_DEPTH) {
    pa_give_up(to);
  } else if (value == Py_None || value == Py_Ellipsis || value == Py_NotImplemented) {
    pa_put_tag(to, value == Py_None ? 'N' : value == Py_Ellipsis ? 'E' : 'I');
  } else if (PyBool_Check(value)) {
    pa_put_tag(to, value == Py_True ? 'T' : 'F');
  } else if (PyLong_CheckExact(value)) {
    pa_put_int(to, value);
  } else if (PyFloat_CheckExact(value)) {
    double number = PyFloat_AS_DOUBLE(value);
    pa_put_tag(to, 'd');
    pa_put(to, &number, sizeof number);
  } else if (PyComplex_CheckExact(value)) {
    Py_complex number = PyComplex_AsCComplex(value);
    pa_put_tag(to, 'D');
    pa_put(to, &number, sizeof number);
  } else if (PyUnicode_CheckExact(value)) {
    pa_put_tag(to, 'S');
    pa_put_str(to, value);
  } else if (PyBytes_CheckExact(value)) {
    pa_put_tag(to, 'B');
    pa_put_bytes_object(to, value);
  } else if (PyTuple_CheckExact(value)) {
    pa_put_sequence(to, 't', value);
  } else if (PyRange_Check(value) || PySlice_Check(value)) {
    pa_put_parts(to, value);
  } else if (PyAnySet_CheckExact(value)) {
    pa_put_tag(to, PySet_CheckExact(value) ? 's' : 'z');
    pa_put_frozenset(to, value);
  } else if (PyList_CheckExact(value) || PyDict_CheckExact(value)) {
    pa_put_mutable(to, value);
  } else if (PyArray_CheckExact(value)) {
    pa_put_array(to, value);
  } else if (pa_is_dispatcher(value)) {
    pa_put_tag(to, 'j');
    pa_put_options(to, (pa_dispatcher *)value);
    pa_put_function(to, ((pa_dispatcher *)value)->function);
  } else if (PyFunction_Check(value)) {
    pa_put_python_function(to, value);
  } else if (PyCFunction_Check(value)) {
    pa_put_builtin(to, value);
  } else if (PyType_Check(value)) {
    pa_put_class(to, value);
  } else if (PyModule_Check(value)) {
    pa_give_up(to); // only reached where the names that are used of it are unknown
  } else if (PyMethod_Check(value)) {
    pa_put_method(to, value);
  } else if (!pa_put_named_value(to, value) && !pa_forward.put_ufunc(to, value) && !pa_put_callback(to, value) &&
             !pa_put_numpy_scalar(to, value) && !pa_put_library_object(to, value) && !pa_put_made_callable(to, value)) {
    pa_give_up(to);
  }
  --to->depth;
}

//===-- Entry -------------------------------------------------------------------------------------===//

// Any call may compile to what users have registered as overloads: a list of (name, typer).
static void put_overloads(pa_hasher *to) {
  PyObject *name = PyUnicode_FromString("pyarray.extending");
  PyObject *module = name ? PyImport_GetModule(name) : NULL;
  PyObject *all = module ? PyObject_CallMethod(module, "registered", NULL) : NULL;
  for (Py_ssize_t i = 0; all && i < PyList_GET_SIZE(all); ++i) {
    PyObject *one = PyList_GET_ITEM(all, i), *typer = PyTuple_GET_ITEM(one, 1);
    PyObject *key = PyObject_HasAttrString(typer, "__pyarray_key__") ? PyObject_GetAttrString(typer, "__pyarray_key__")
                                                                     : NULL; // of those that structref makes
    pa_put_str(to, PyTuple_GET_ITEM(one, 0));
    if (key)
      pa_put_value(to, key);
    else if (PyFunction_Check(typer))
      pa_put_function(to, typer);
    else
      pa_give_up(to);
    Py_XDECREF(key);
  }
  to->failed = to->failed || PyErr_Occurred();
  Py_XDECREF(name);
  Py_XDECREF(module);
  Py_XDECREF(all);
}

int pa_fingerprint_of(pa_dispatcher *dispatcher, const char *code, pa_cache_key *out_key) {
  PyCodeObject *python_code = (PyCodeObject *)PyFunction_GET_CODE(dispatcher->function);
  pa_hasher to = {.state = XXH3_createState(), .own_file = python_code->co_filename};
  if (!to.state) {
    PyErr_NoMemory();
    return -1;
  }
  XXH3_128bits_reset(to.state);
  put_process(&to);
  if (strstr(code, "P[") || strstr(code, "p[")) pa_give_up(&to); // numbers of functions are this process's
  put_text(&to, code);
  pa_put_classes_of(&to, code);
  pa_put_options(&to, dispatcher);
  if (dispatcher->debug || (dispatcher->cuda && dispatcher->cuda->lineinfo))
    pa_put_str(&to, python_code->co_filename); // debug information holds it
  if (dispatcher->cuda || dispatcher->offload) pa_forward.put_cuda_target(&to);
  if (!to.failed) pa_put_function(&to, dispatcher->function);
  if (!to.failed) put_overloads(&to);
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
