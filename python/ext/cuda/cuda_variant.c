// Kernels of a dispatcher: what is asked of the compiler, and what its output becomes.
#include "cuda.h"
#include "fingerprint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===-- Target ------------------------------------------------------------------------------------===//

bool pa_cuda_target_now(pa_cuda_target *out_target) {
  pa_cuda_context *context = pa_cuda_here();
  if (!context) return false;
  *out_target = (pa_cuda_target){pa_cuda_kind_opened(), pa_cuda_capability(context), pa_cuda_driver_version(), context};
  return true;
}

void pa_cuda_put_target(pa_hasher *to) {
  pa_cuda_target target = {0};
  if (!pa_cuda_target_now(&target)) to->failed = true;
  pa_put_number(to, target.kind);
  pa_put_number(to, target.capability);
  pa_put_number(to, target.driver_version);
}

int pa_cuda_wanted_capability(const pa_dispatcher *dispatcher) {
  if (!dispatcher->cuda && !dispatcher->offload) return 0;
  pa_cuda_context *context = pa_cuda_here();
  return context ? pa_cuda_capability(context) : -1;
}

//===-- Requests ----------------------------------------------------------------------------------===//

// Where libdevice is: asked once, of Python.
static const char *libdevice_path(void) {
  static char *path;
  if (path) return *path ? path : NULL;
  PyObject *found = pa_call_helper("cuda._libdevice", "path", "()");
  const char *text = found && PyUnicode_Check(found) ? PyUnicode_AsUTF8(found) : NULL;
  path = strdup(text ? text : "");
  Py_XDECREF(found);
  PyErr_Clear();
  return path && *path ? path : NULL;
}

// "sm_90" for 90; static text, since compilations run without the GIL.
static const char *architecture(int capability) {
  enum { KNOWN = 16 }; // kinds of devices in one machine
  static struct {
    int capability;
    char name[16];
  } known[KNOWN];
  int i = 0;
  while (i < KNOWN - 1 && known[i].capability && known[i].capability != capability) ++i;
  known[i].capability = capability;
  snprintf(known[i].name, sizeof known[i].name, "sm_%d", capability);
  return known[i].name;
}

void pa_cuda_put_architecture(int capability, pyarray_compile_request *out_request) {
  out_request->kernel_cpu = architecture(capability > 0 ? capability : 75);
  out_request->libdevice = libdevice_path();
}

// Bounds are checked where debugging asks for it, and where the CPU emulates the GPU.
void pa_cuda_request(pa_dispatcher *dispatcher, pyarray_compile_request *out_request) {
  const pa_cuda_options *cuda = dispatcher->cuda;
  bool on_gpu = pa_cuda_kind_opened() == PA_CUDA_GPU;
  out_request->target = on_gpu ? "cuda" : "cuda-on-cpu";
  out_request->error_model = dispatcher->debug ? "python" : "numpy";
  out_request->boundscheck = cuda->boundscheck >= 0 ? cuda->boundscheck : dispatcher->debug || !on_gpu;
  out_request->debug = dispatcher->debug || cuda->no_opt;
  out_request->device = cuda->device;
  out_request->lineinfo = cuda->lineinfo;
  out_request->no_fma = cuda->no_fma;
  out_request->max_registers = cuda->max_registers;
  out_request->max_threads = cuda->max_threads;
  out_request->min_blocks = cuda->min_blocks;
  out_request->max_cluster = cuda->max_cluster;
  out_request->cluster = cuda->cluster;
  out_request->parallel = false;
  out_request->link = PyDict_GetItemString(dispatcher->options, "link");
  out_request->lto = cuda->lto;
  if (!on_gpu) return;
  int capability = pa_cuda_wanted_capability(dispatcher);
  PyErr_Clear(); // whoever launches is told
  out_request->cpu = architecture(capability > 0 ? capability : 75);
  out_request->features = NULL;
  out_request->libdevice = libdevice_path();
}

//===-- Kernels -----------------------------------------------------------------------------------===//

// The numbers of the functions that it declares come first.
static const char *declared_in(const pa_image *image) {
  pyarray_linked_code header;
  if (image->linked_size < sizeof header) return "";
  memcpy(&header, image->linked, sizeof header);
  return header.kind == PYARRAY_LINKED_NUMBERS ? image->linked + sizeof header : "";
}

// Tells what was asked to be told of modules. The exception of a failed set-up stays set.
static pa_status tell_module(void *owner, CUmodule module, bool loads) {
  if (!Py_IsInitialized() || pa_is_exiting()) return PA_OK;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *modules = ((pa_variant *)owner)->modules;
  PyObject *done = PyObject_CallMethod(modules, loads ? "loaded" : "unloaded", "n", (Py_ssize_t)(uintptr_t)module);
  pa_status status = done ? PA_OK : pa_fail(PA_CODE_PYTHON, NULL, "a callback of linked code has failed");
  if (!done && !loads) PyErr_WriteUnraisable(modules);
  Py_XDECREF(done);
  PyGILState_Release(state);
  return status;
}

// NULL where nobody wants to be told; false with an exception set.
static bool find_callbacks(const pa_dispatcher *dispatcher, const pa_image *image, PyObject **out_modules) {
  PyObject *link = PyDict_GetItemString(dispatcher->options, "link");
  *out_modules = NULL;
  if (!*declared_in(image) && (!link || !PyTuple_Check(link) || !PyTuple_GET_SIZE(link))) return true;
  PyObject *found = pa_call_helper("cuda._link", "callbacks", "(Os)", link ? link : Py_None, declared_in(image));
  if (found && found != Py_None) *out_modules = Py_NewRef(found);
  Py_XDECREF(found);
  return found;
}

// What the image is linked with, borrowed from it, in an array that the caller frees; NULL, with a count, where memory
// is short.
static pa_kernel_input *read_inputs(const pa_image *image, size_t *out_count) {
  pa_kernel_input *inputs = NULL;
  pyarray_linked_code header;
  *out_count = 0;
  for (const char *at = image->linked, *end = at + image->linked_size; at < end; at += header.size) {
    memcpy(&header, at, sizeof header);
    const char *name = at + sizeof header;
    if (header.kind == PYARRAY_LINKED_NUMBERS) {
      at = name + strlen(name) + 1;
      continue;
    }
    pa_kernel_input *grown = realloc(inputs, (*out_count + 1) * sizeof *inputs);
    at = name + strlen(name) + 1;
    if (!grown) return free(inputs), *out_count = 1, NULL;
    inputs = grown;
    inputs[(*out_count)++] = (pa_kernel_input){(int)header.kind, name, at, (size_t)header.size};
  }
  return inputs;
}

pa_status pa_cuda_variant_load(pa_dispatcher *dispatcher, const pa_image *image, pa_variant *variant) {
  const char *name = PyUnicode_AsUTF8(((PyFunctionObject *)dispatcher->function)->func_name);
  if (!name) PyErr_Clear();
  pa_kernel_options options = {.name = *image->entry ? image->entry
                                       : name        ? name
                                                     : "kernel",
                               .max_registers = dispatcher->cuda->max_registers,
                               .line_info = dispatcher->cuda->lineinfo,
                               .debug = dispatcher->debug,
                               .dynamic_shared = image->shared_bytes,
                               .points = image->points,
                               .cooperative = image->cooperative,
                               .cluster = (uint32_t)dispatcher->cuda->cluster,
                               .max_cluster = (uint32_t)dispatcher->cuda->max_cluster,
                               .carveout = dispatcher->cuda->carveout,
                               .owner = variant};
  pa_cuda_context *context = NULL;
  PA_TRY(pa_cuda_context_current(&context));
  variant->capability = pa_cuda_capability(context);
  options.fixed = image->fixed ? context : NULL;
  if (!find_callbacks(dispatcher, image, &variant->modules))
    return pa_fail(PA_CODE_PYTHON, NULL, "a Python exception is set");
  if (variant->modules) options.on_module = tell_module;
  pa_kernel_input *inputs = read_inputs(image, &options.input_count);
  if (options.input_count && !inputs) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  options.inputs = inputs;
  pa_status status = pa_kernel_create(image->bytes, image->size, &options, &variant->kernel);
  free(inputs);
  return status;
}

bool pa_cuda_variant_link(const pa_variant *variant, pa_image *image) {
  if (pa_cuda_kind_opened() != PA_CUDA_GPU) return true;
  pa_cuda_context *context = pa_cuda_here();
  if (!context) return false;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_kernel_binary(variant->kernel, context, &image->bytes, &image->size);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status);
}
