// The compiler, libpyarray_core.so: found beside this module, opened when something must be compiled or shown.
#include "ext.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

pa_forward_calls pa_forward;

static const char library_name[] = "libpyarray_core.so";

char *pa_path_beside_this_module(const char *name) {
  Dl_info info;
  if (!dladdr((void *)(uintptr_t)&pa_core_load, &info) || !info.dli_fname) return NULL;
  const char *slash = strrchr(info.dli_fname, '/');
  size_t folder = slash ? (size_t)(slash - info.dli_fname) + 1 : 0;
  char *path = malloc(folder + strlen(name) + 1);
  if (!path) return NULL;
  memcpy(path, info.dli_fname, folder);
  strcpy(path + folder, name);
  return path;
}

const char *pa_core_path(void) {
  static char *path;
  if (path) return path;
  const char *named = getenv("PYARRAY_CORE_LIBRARY");
  path = named && *named ? strdup(named) : pa_path_beside_this_module(library_name);
  if (!path) PyErr_NoMemory();
  return path;
}

// Asked before it is loaded: its constructors end the process where memory is short.
static bool is_room_for_library(void) {
  const size_t about = 96 << 20;
  void *room = mmap(NULL, about, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return room != MAP_FAILED && munmap(room, about) == 0;
}

const pyarray_core_api *pa_core_load(void) {
  static const pyarray_core_api *core;
  if (core) return core;
  const char *path = pa_core_path();
  if (!path) return NULL;
  if (!is_room_for_library()) return PyErr_NoMemory(), NULL;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    PyErr_Format(PyExc_ImportError, "the pyarray compiler could not be loaded: %s", dlerror());
    return NULL;
  }
  void *symbol = dlsym(library, "pyarray_core");
  const pyarray_core_api *(*get_core)(void);
  memcpy(&get_core, &symbol, sizeof symbol);
  const pyarray_core_api *found = symbol ? get_core() : NULL;
  if (!found || found->version != PYARRAY_CORE_VERSION) {
    PyErr_Format(PyExc_ImportError, "%s does not belong to this version of pyarray; install both from one build", path);
    dlclose(library);
    return NULL;
  }
  return core = found;
}

const char *pa_opt_level(void) {
  const char *text = getenv("PYARRAY_OPT");
  return text && *text >= '0' && *text <= '3' && !text[1] ? text : NULL;
}

void pa_core_request(pa_dispatcher *dispatcher, const char *code, pyarray_compile_request *out_request) {
  *out_request = (pyarray_compile_request){
      .function = dispatcher->function,
      .type_code = code,
      .cpu = getenv("PYARRAY_CPU_NAME"),
      .features = getenv("PYARRAY_CPU_FEATURES"),
      .opt_level = pa_opt_level(),
      .error_model = dispatcher->error_model,
      .inline_policy = dispatcher->inline_policy,
      .locals = PyDict_GetItemString(dispatcher->options, "locals"),
      .declared = dispatcher->declared,
      .ufunc = dispatcher->ufunc,
      .loop_form = dispatcher->loop_form,
      .cfunc = dispatcher->cfunc,
      .boundscheck = dispatcher->boundscheck,
      .fastmath = dispatcher->fastmath,
      .fastmath_flags = pa_fastmath_flags(dispatcher),
      .accurate_math = dispatcher->accurate_math,
      .parallel = dispatcher->parallel,
      .debug = dispatcher->debug,
  };
  if (dispatcher->loop_types) {
    out_request->operands = code;
    out_request->type_code = dispatcher->loop_types;
  }
  pa_precompiled_open(&out_request->precompiled, &out_request->precompiled_size);
  if (dispatcher->cuda) pa_forward.request_kernel(dispatcher, out_request);
  if (dispatcher->offload) pa_forward.request_offload(dispatcher, out_request);
}

static const char *outcome_name(pyarray_outcome outcome) {
  switch (outcome) {
  case PYARRAY_TYPING: return "typing";
  case PYARRAY_UNSUPPORTED: return "unsupported";
  case PYARRAY_INVALID: return "invalid";
  case PYARRAY_IO: return "io";
  case PYARRAY_OVERFLOW: return "overflow";
  case PYARRAY_ENDLESS: return "endless";
  case PYARRAY_LINK: return "link";
  default: return "internal";
  }
}

void pa_core_raise(const pyarray_compile_result *result) {
  bool is_set = PyErr_Occurred();
  if (result->outcome == PYARRAY_PYTHON && is_set) {
    pa_drop_own_frames();
    return;
  }
  if (result->outcome == PYARRAY_INTERRUPTED) {
    if (!is_set) PyErr_SetNone(PyExc_KeyboardInterrupt);
    return;
  }
  PyErr_Clear();
  if (result->outcome == PYARRAY_MEMORY) {
    PyErr_NoMemory();
    return;
  }
  pa_raise_instance(pa_call_helper("_report", "compile_error", "(ssziiy#)", outcome_name(result->outcome),
                                   result->message ? result->message : "unknown error", result->file, result->line,
                                   result->column, result->more ? result->more : "", (Py_ssize_t)result->more_size));
}

bool pa_core_warn(const pyarray_compile_result *result) {
  if (!result->warnings_size) return true;
  PyObject *done = pa_call_helper("_report", "warn", "(y#)", result->warnings, (Py_ssize_t)result->warnings_size);
  Py_XDECREF(done);
  return done != NULL;
}
