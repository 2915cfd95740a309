// CUDA's libraries as Python opens them (pyarray/cuda/_libraries.py finds them).
#include "cuda_libraries.h"
#include "cuda/compilers.h"

#include <stdlib.h>

static bool library_argument(const char *name, pa_cuda_library *out_library) {
  *out_library = pa_library_by_name(name);
  return *out_library != PA_LIBRARY_COUNT || (PyErr_Format(PyExc_ValueError, "there is no library %s", name), false);
}

// open_library(name, paths): the path of the one that is open.
static PyObject *open_library(PyObject *module, PyObject *arguments) {
  enum { MOST = 16 };
  const char *name, *paths[MOST];
  PyObject *list;
  pa_cuda_library library;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sO!", &name, &PyList_Type, &list) || !library_argument(name, &library) ||
      (library < PA_LIBRARY_nvrtc && !pa_cuda_ready()))
    return NULL;
  size_t count = 0;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && count < MOST; ++i)
    if (!(paths[count++] = PyUnicode_AsUTF8(PyList_GET_ITEM(list, i)))) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_library_open(library, paths, count);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? PyUnicode_FromString(pa_library_path(library)) : NULL;
}

enum { MOST_OPTIONS = 64 };

// The strings of a list, borrowed; false with an exception set.
static bool read_options(PyObject *list, const char **options, int *out_count) {
  if (PyList_GET_SIZE(list) > MOST_OPTIONS)
    return PyErr_Format(PyExc_ValueError, "more than %d options, with include paths", MOST_OPTIONS), false;
  for (*out_count = 0; *out_count < PyList_GET_SIZE(list); ++*out_count)
    if (!(options[*out_count] = PyUnicode_AsUTF8(PyList_GET_ITEM(list, *out_count)))) return false;
  return true;
}

// Of what a compiler gave: (bytes, PTX as text or None).
static PyObject *compiled(pa_status status, pa_compiled_code *code) {
  if (!pa_cuda_ok(status)) return NULL;
  PyObject *pair = Py_BuildValue("(y#z)", code->bytes, (Py_ssize_t)code->size, code->text);
  pa_compiled_code_free(code);
  return pair;
}

// compile_source(source, name, options)
static PyObject *compile_source(PyObject *module, PyObject *arguments) {
  const char *source, *name, *options[MOST_OPTIONS];
  PyObject *list;
  int count;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "ysO!", &source, &name, &PyList_Type, &list) || !read_options(list, options, &count))
    return NULL;
  if (!pa_library_path(PA_LIBRARY_nvrtc)) return PyErr_Format(PyExc_RuntimeError, "NVRTC is not open"), NULL;
  pa_status status;
  pa_compiled_code code = {0};
  Py_BEGIN_ALLOW_THREADS status = pa_nvrtc_compile(source, name, options, count, &code);
  Py_END_ALLOW_THREADS return compiled(status, &code);
}

// compile_ir(bytes, name, options)
static PyObject *compile_ir(PyObject *module, PyObject *arguments) {
  const char *bytes, *name, *options[MOST_OPTIONS];
  Py_ssize_t size;
  PyObject *list;
  int count;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "y#sO!", &bytes, &size, &name, &PyList_Type, &list) ||
      !read_options(list, options, &count))
    return NULL;
  if (!pa_library_path(PA_LIBRARY_nvvm)) return PyErr_Format(PyExc_RuntimeError, "libNVVM is not open"), NULL;
  pa_status status;
  pa_compiled_code code = {0};
  Py_BEGIN_ALLOW_THREADS status = pa_nvvm_compile(bytes, (size_t)size, name, options, count, &code);
  Py_END_ALLOW_THREADS return compiled(status, &code);
}

// module_variable(handle, name) -> (address, bytes)
static PyObject *module_variable(PyObject *module, PyObject *arguments) {
  Py_ssize_t handle;
  const char *name;
  CUdeviceptr address = 0;
  size_t bytes = 0;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "ns", &handle, &name)) return NULL;
  CUresult result = pa_cuda.ModuleGetGlobal(&address, &bytes, (CUmodule)(uintptr_t)handle, name);
  if (result) return pa_cuda_raise(pa_fail_cu(result, "looking for the variable %s of a module", name));
  return Py_BuildValue("(Kn)", (unsigned long long)address, (Py_ssize_t)bytes);
}

// link_ptx(ptx, name, [(kind, name, bytes)], capability): a cubin, by nvJitLink, which is open
static PyObject *link_ptx(PyObject *module, PyObject *arguments) {
  enum { MOST_INPUTS = 64 };
  const char *ptx, *name;
  Py_ssize_t size;
  PyObject *list;
  int capability;
  pa_kernel_input inputs[MOST_INPUTS];
  (void)module;
  if (!PyArg_ParseTuple(arguments, "y#sO!i", &ptx, &size, &name, &PyList_Type, &list, &capability)) return NULL;
  if (!pa_library_path(PA_LIBRARY_nvjitlink)) return PyErr_Format(PyExc_RuntimeError, "nvJitLink is not open"), NULL;
  pa_kernel_options options = {.name = name, .inputs = inputs};
  for (; options.input_count < (size_t)PyList_GET_SIZE(list) && options.input_count < MOST_INPUTS;
       ++options.input_count) {
    int kind;
    Py_ssize_t bytes;
    pa_kernel_input *to = &inputs[options.input_count];
    if (!PyArg_ParseTuple(PyList_GET_ITEM(list, (Py_ssize_t)options.input_count), "isy#", &kind, &to->name,
                          (const char **)(uintptr_t)&to->bytes, &bytes))
      return NULL;
    to->type = kind;
    to->size = (size_t)bytes;
  }
  pa_status status;
  void *binary = NULL;
  size_t binary_size = 0;
  Py_BEGIN_ALLOW_THREADS status =
      pa_nvjitlink_kernel(ptx, (size_t)size + 1, &options, capability, &binary, &binary_size);
  Py_END_ALLOW_THREADS PyObject *result =
      pa_cuda_ok(status) ? PyBytes_FromStringAndSize(binary, (Py_ssize_t)binary_size) : NULL;
  free(binary);
  return result;
}

// libdevice_table(): name, parameters and signature of each function.
static PyObject *libdevice_table(PyObject *module, PyObject *arguments) {
  static const char *const rows[][3] = {
#define PA_LIBDEVICE(name, parameters, signature) {name, parameters, signature},
#include "support/libdevice.def"
#undef PA_LIBDEVICE
  };
  enum { ROWS = sizeof rows / sizeof *rows };
  PyObject *table = PyTuple_New(ROWS);
  (void)module, (void)arguments;
  for (Py_ssize_t i = 0; table && i < ROWS; ++i) {
    PyObject *row = Py_BuildValue("sss", rows[i][0], rows[i][1], rows[i][2]);
    if (!row)
      Py_CLEAR(table);
    else
      PyTuple_SET_ITEM(table, i, row);
  }
  return table;
}

PyMethodDef pa_cuda_library_functions[] = {
    {"open_library", open_library, METH_VARARGS, "open_library(name, paths): opens the first path that can be opened."},
    {"compile_source", compile_source, METH_VARARGS,
     "compile_source(source, name, options): (cubin, PTX) of CUDA C++, by NVRTC, which is open."},
    {"link_ptx", link_ptx, METH_VARARGS,
     "link_ptx(ptx, name, inputs, capability): a cubin, by nvJitLink, which is open."},
    {"module_variable", module_variable, METH_VARARGS, "module_variable(handle, name): address and bytes."},
    {"compile_ir", compile_ir, METH_VARARGS,
     "compile_ir(bytes, name, options): (what libNVVM, which is open, makes of LLVM IR, None)."},
    {"libdevice_table", libdevice_table, METH_NOARGS,
     "libdevice_table(): (name, parameters, signature) of each function."},
    {NULL, NULL, 0, NULL},
};
