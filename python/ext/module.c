// The module pyarray._pyarray: the dispatcher type, and what the Python layer asks of the runtime and the compiler.
#include "module.h"

#include "cuda.h"
#include "cuda/device_arrays.h"
#include "cuda/kernel.h"
#include "objects.h"
#include "ufunc.h"

static PyObject *is_type_code(PyObject *module, PyObject *text) {
  (void)module;
  const char *code = PyUnicode_AsUTF8(text);
  return code ? PyBool_FromLong(pa_type_is_valid(code) || pa_signature_is_valid(code)) : NULL;
}

static PyObject *type_code(PyObject *module, PyObject *value) {
  (void)module;
  return pa_type_code_of(value);
}

// A path as Python has it, whatever its bytes are.
static PyObject *file_name(void *path) {
  if (!path) Py_RETURN_NONE;
  return PyUnicode_DecodeFSDefault(path);
}

static PyObject *cache_info(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_cache_info info = pa_cache_info_now(pa_cache_of_process());
  return Py_BuildValue("{sOsO&sssLsLsLsLsLsL}", "enabled", info.enabled ? Py_True : Py_False, "directory", file_name,
                       (void *)(uintptr_t)info.directory, "reason", info.reason, "limit", (long long)info.limit,
                       "entries", (long long)info.entries, "bytes", (long long)info.bytes, "hits", (long long)info.hits,
                       "misses", (long long)info.misses, "stored", (long long)info.stored);
}

static PyObject *cache_directory(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  const char *directory = pa_cache_directory(pa_cache_of_process());
  return directory ? PyUnicode_DecodeFSDefault(directory) : Py_NewRef(Py_None);
}

static PyObject *cache_clear(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyLong_FromLongLong(pa_cache_clear(pa_cache_of_process()));
}

static PyObject *allocation_counts(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  pa_allocation_counts counts = pa_allocation_counts_now();
  return Py_BuildValue("(LL)", (long long)counts.allocated, (long long)counts.freed);
}

static PyObject *core_path(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  const char *path = pa_core_path();
  return path ? PyUnicode_DecodeFSDefault(path) : NULL;
}

static PyObject *builtin_names(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  const pyarray_core_api *core = pa_core_load();
  PyObject *list = core ? PyList_New(0) : NULL;
  for (const char *const *name = core ? core->builtin_names() : NULL; list && name && *name; ++name) {
    PyObject *text = PyUnicode_FromString(*name);
    if (!text || PyList_Append(list, text) < 0) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}

static PyObject *host(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  const pyarray_core_api *core = pa_core_load();
  return core ? Py_BuildValue("(ss)", core->host_cpu(), core->host_features()) : NULL;
}

// (key, type of the result, raise sites, object): see lib/support/precompiled.h.
static PyObject *precompile(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *dispatcher;
  const char *code, *cpu;
  unsigned number;
  if (!PyArg_ParseTuple(arguments, "O!ssI", &pa_dispatcher_type, &dispatcher, &code, &cpu, &number)) return NULL;
  const pyarray_core_api *core = pa_core_load();
  if (!core) return NULL;
  pyarray_compile_request request;
  pyarray_compile_result result;
  pa_core_request((pa_dispatcher *)dispatcher, code, &request);
  request.cpu = cpu;
  request.features = "";
  request.precompiled = NULL;
  request.precompiled_number = number + 1;
  core->compile(&request, &result);
  PyObject *made = NULL;
  if (result.outcome == PYARRAY_OK)
    made = Py_BuildValue("(ssy#y#)", result.key, result.result_type, result.sites, (Py_ssize_t)result.sites_size,
                         result.object, (Py_ssize_t)result.object_size);
  else
    pa_core_raise(&result);
  core->free_result(&result);
  return made;
}

// The first argument is the function.
static PyObject *without_own_frames(PyObject *module, PyObject *arguments, PyObject *keywords) {
  (void)module;
  Py_ssize_t count = PyTuple_GET_SIZE(arguments);
  if (!count) return PyErr_Format(PyExc_TypeError, "a function is needed");
  PyObject *rest = PyTuple_GetSlice(arguments, 1, count);
  PyObject *result = rest ? PyObject_Call(PyTuple_GET_ITEM(arguments, 0), rest, keywords) : NULL;
  Py_XDECREF(rest);
  if (!result) pa_drop_own_frames();
  return result;
}

static PyMethodDef functions[] = {
    {"is_type_code", is_type_code, METH_O,
     "Whether a text is the type code of values of compiled code, or of a signature."},
    {"type_code", type_code, METH_O, "The type code of a value; TypingError where it has none."},
    {"cache_info", cache_info, METH_NOARGS, "What the disk cache holds, as a dict."},
    {"_cache_directory", cache_directory, METH_NOARGS, NULL},
    {"cache_clear", cache_clear, METH_NOARGS, "Remove every entry of the disk cache; returns how many there were."},
    {"_cached_code", pa_cached_code, METH_O, NULL},
    {"_receive_code", pa_receive_code, METH_VARARGS, NULL},
    {"allocation_counts", allocation_counts, METH_NOARGS, "(allocated, freed): arrays that compiled code made so far."},
    {"core_path", core_path, METH_NOARGS, "Where the compiler library is."},
    {"builtin_names", builtin_names, METH_NOARGS, "Names of the builtins that the compiler knows. Loads the compiler."},
    {"host", host, METH_NOARGS, "(CPU name, features) of this machine. Loads the compiler."},
    {"ufunc_kernel", pa_ufunc_describe, METH_O,
     "(function, signature, options, type codes of loops) of a ufunc made here; None for other objects."},
    {"ufunc_dispatcher", pa_ufunc_dispatcher, METH_VARARGS,
     "(object, signature, form): the dispatcher of the loops of a ufunc made here, or of their copies; None for "
     "others."},
    {"ufunc_recipe", pa_ufunc_recipe, METH_O, "What the kernel of a ufunc made here was made of, or None."},
    {"core_signature", pa_read_core_signature, METH_O,
     "(text without spaces, dimensions of inputs, of outputs) of a gufunc's signature; ValueError where it is "
     "malformed."},
    {"_precompile", precompile, METH_VARARGS,
     "(key, type of the result, raise sites, object) of the instance of the library that a function calls; arguments: "
     "the function, a type code, an LLVM CPU, the number of the instance."},
    {"compile_device", PA_KEYWORDS(pa_compile_device),
     "A function compiled for a GPU, as a dict; with a level, the text of its IR. Loads the compiler."},
    {"_set_falls_back", pa_set_falls_back, METH_O,
     "Whether functions made from now on give calls that are refused to the real Numba."},
    {"_share_results", pa_share_results, METH_O,
     "Containers that the function gives become those of pyarray.typed that hold the same. Gives the function."},
    {"_freeze", pa_freeze_container, METH_O,
     "The type code of a list, dict or set, a NUL, and the bytes that compiled code has of it."},
    {"_function_value", pa_function_value_of, METH_VARARGS,
     "A function as a value of the FunctionType of that type code: an address."},
    {"_passed_function", pa_passed_function, METH_O,
     "The compiled function that was an argument and has that number, or None."},
    {"_sources_seen", pa_sources_seen, METH_O,
     "The texts that were compiled under that name, which is of no file, the last one first, and all syntax trees."},
    {"_standard_input", pa_standard_input, METH_NOARGS, "What the C library holds of standard input, as bytes."},
    {"_without_own_frames", PA_KEYWORDS(without_own_frames), "Calls a function; exceptions show no frames of ours."},
    {NULL, NULL, 0, NULL},
};

static const pa_forward_calls forward = {
    .dispatcher_type = &pa_dispatcher_type,
    .cuda_dispatcher_type = &pa_cuda_dispatcher_type,
    .becomes_function_value = pa_becomes_function_value,
    .put_function_value = pa_put_function_value,
    .box_function_value = pa_box_function_value,
    .put_ufunc = pa_put_ufunc,
    .read_cuda_options = pa_cuda_read_options,
    .request_kernel = pa_cuda_request,
    .put_cuda_target = pa_cuda_put_target,
    .wanted_capability = pa_cuda_wanted_capability,
    .load_kernel = pa_cuda_variant_load,
    .link_kernel = pa_cuda_variant_link,
    .call_offloaded = pa_cuda_call_offloaded,
    .request_offload = pa_cuda_request_offload,
    .load_kernels = pa_cuda_load_kernels,
    .link_kernels = pa_cuda_link_kernels,
    .free_kernels = pa_cuda_free_kernels,
    .destroy_kernel = pa_kernel_destroy,
    .find_device_function = pa_device_runtime_lookup,
    .device_memory_context = pa_device_memory_context,
    .unbox_on_device = pa_cuda_unbox,
    .box_on_device = pa_cuda_box,
};

static int add_types(PyObject *module) {
  if (PyType_Ready(&pa_array_owner_type) < 0 || PyType_Ready(&pa_generator_type) < 0 ||
      PyType_Ready(&pa_omitted_type) < 0)
    return -1;
  if (PyType_Ready(&pa_ufunc_origin_type) < 0 || PyType_Ready(&pa_override_type) < 0) return -1;
  PyTypeObject *const public_types[] = {&pa_dispatcher_type, &pa_decorator_type,     &pa_ufunc_kernel_type,
                                        &pa_lazy_ufunc_type, &pa_typed_list_type,    &pa_typed_dict_type,
                                        &pa_typed_set_type,  &pa_typed_iterator_type};
  for (size_t i = 0; i < sizeof public_types / sizeof *public_types; ++i)
    if (PyModule_AddType(module, public_types[i]) < 0) return -1;
  return 0;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "pyarray._pyarray", .m_doc = "Dispatcher of compiled functions.",
    .m_size = -1,          .m_methods = functions,
};

int pa_initialize(const pa_forward_calls *calls) {
  if (pa_import_numpy() < 0) return -1;
  pa_forward = *calls;
#ifndef Py_GIL_DISABLED
  pa_references_alone(); // whoever holds the GIL
#endif
  pa_unbox_initialize();
  pa_cfunc_initialize();
  if (pa_text_initialize() < 0 || pa_sources_initialize() < 0) return -1;
  pa_function_values_initialize();
  pa_objmode_initialize();
  pa_exception_parts_initialize();
  return pa_numpy_sorts_fetch() < 0 ? -1 : pa_numpy_loops_fetch(NULL, 0);
}

PyMODINIT_FUNC PyInit__pyarray(void);

PyMODINIT_FUNC PyInit__pyarray(void) {
  if (pa_initialize(&forward) < 0) return NULL;
  PyObject *module = PyModule_Create(&definition);
  if (module &&
      (PyModule_AddStringConstant(module, "version", PYARRAY_VERSION) < 0 ||
       PyModule_AddStringConstant(module, "llvm", PYARRAY_LLVM) < 0 || add_types(module) < 0 ||
       pa_parallel_initialize(module) < 0 || pa_instance_initialize(module) < 0 || pa_cuda_initialize(module) < 0))
    Py_CLEAR(module);
  return module;
}
