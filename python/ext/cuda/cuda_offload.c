// Functions whose whole arrays are a GPU's (`njit(target="cuda")`): the host's code is called like any other
// function's, with device arrays, and its results are device arrays.
//
//   NumPy arrays that are arguments are copied to the device, and back where the function may have written to them.
//   Where no argument is on a device, results come back as NumPy arrays.
#include "cuda.h"
#include "objects.h"

#include "cuda/device_arrays.h"

#include <stdlib.h>
#include <string.h>

//===-- Failures ----------------------------------------------------------------------------------===//

// Compiled code runs without the GIL.
static int64_t check(void *context, pa_status status, bool waited) {
  if (!status && !waited) return 0;
  PyGILState_STATE state = PyGILState_Ensure();
  bool fine = waited && context ? pa_cuda_waited(context, status) : pa_cuda_ok(status);
  int64_t handle = fine ? 0 : pa_keep_exception();
  PyGILState_Release(state);
  return handle;
}

static void open_library(const char *name) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *found = pa_call_helper("cuda._products", "has", "(s)", name);
  if (!found) PyErr_Clear(); // a kernel of ours does it
  Py_XDECREF(found);
  PyGILState_Release(state);
}

void pa_cuda_offload_initialize(void) {
  pa_set_device_check(check);
  pa_set_device_opener(open_library);
}

//===-- Compilation -------------------------------------------------------------------------------===//

// The driver compiles each kernel while others are compiled: one takes tens of milliseconds. What fails does so again
// when the kernel is loaded, and is told of there.
static char *assemble(void *context, const char *name, const char *ptx, size_t size, size_t *out_size) {
  void *binary = NULL;
  pa_status status = pa_kernel_assemble(context, name, ptx, size, &binary, out_size);
  return pa_status_free(status), binary;
}

void pa_cuda_request_offload(const pa_dispatcher *dispatcher, pyarray_compile_request *out_request) {
  bool on_gpu = pa_cuda_kind_opened() == PA_CUDA_GPU;
  out_request->offload = true;
  out_request->parallel = false;
  out_request->kernel_target = on_gpu ? "cuda" : "cuda-on-cpu";
  pa_kernel_warm_up();
  if (!on_gpu) return;
  pa_cuda_put_architecture(pa_cuda_wanted_capability(dispatcher), out_request);
  out_request->assemble_data = pa_cuda_here();
  if (out_request->assemble_data)
    out_request->assemble = assemble;
  else
    PyErr_Clear();
}

pa_status pa_cuda_load_kernels(const pa_image *image, pa_variant *variant) {
  pyarray_kernel_code header;
  int count = 0, capacity = 0;
  pa_cuda_context *context = NULL;
  PA_TRY(pa_cuda_context_current(&context));
  variant->capability = pa_cuda_capability(context);
  variant->written = image->written;
  for (const char *at = image->kernels, *end = at + image->kernels_size; at < end; ++count) {
    memcpy(&header, at, sizeof header);
    const char *name = at + sizeof header, *bytes = name + strlen(name) + 1;
    at = bytes + header.size;
    if (count == capacity) {
      capacity = capacity ? 2 * capacity : 8;
      struct pa_kernel **grown = realloc(variant->kernels, (size_t)capacity * sizeof *grown);
      if (!grown) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
      variant->kernels = grown;
    }
    pa_kernel_options options = {
        .name = name, .dynamic_shared = header.shared_bytes, .points = header.points, .owner = variant};
    variant->kernels[count] = NULL;
    PA_TRY(pa_kernel_create(bytes, (size_t)header.size, &options, &variant->kernels[count]));
    variant->kernel_count = count + 1;
  }
  int64_t *word = variant->object ? pa_object_symbol(variant->object, PA_KERNELS_SYMBOL) : NULL;
  if (word) *word = (int64_t)(uintptr_t)variant->kernels;
  return PA_OK;
}

// Appends one kernel to |*out|, which is realloc's.
static bool append_kernel(char **out, size_t *size, const pyarray_kernel_code *header, const char *name,
                          const void *bytes) {
  size_t named = strlen(name) + 1, all = sizeof *header + named + (size_t)header->size;
  char *grown = realloc(*out, *size + all);
  if (!grown) return PyErr_NoMemory(), false;
  *out = grown;
  char *at = mempcpy(mempcpy(grown + *size, header, sizeof *header), name, named);
  memcpy(at, bytes, (size_t)header->size);
  *size += all;
  return true;
}

bool pa_cuda_link_kernels(const pa_variant *variant, pa_image *image, char **out_linked) {
  if (pa_cuda_kind_opened() != PA_CUDA_GPU) return true;
  pa_cuda_context *context = pa_cuda_here();
  size_t all = 0;
  int number = 0;
  for (const char *at = image->kernels, *end = at + image->kernels_size; context && at < end; ++number) {
    pyarray_kernel_code header;
    memcpy(&header, at, sizeof header);
    const char *name = at + sizeof header;
    const void *bytes = NULL;
    size_t size = 0;
    pa_status status = PA_OK;
    at = name + strlen(name) + 1 + header.size;
    Py_BEGIN_ALLOW_THREADS status = pa_kernel_binary(variant->kernels[number], context, &bytes, &size);
    Py_END_ALLOW_THREADS header.size = (int64_t)size;
    if (!pa_cuda_ok(status) || !append_kernel(out_linked, &all, &header, name, bytes)) return false;
  }
  image->kernels = *out_linked;
  image->kernels_size = all;
  return context != NULL;
}

void pa_cuda_free_kernels(pa_variant *variant) {
  for (int i = variant->kernel_count - 1; i >= 0; --i) pa_kernel_destroy(variant->kernels[i]);
  free(variant->kernels);
}

//===-- Arguments and results ---------------------------------------------------------------------===//

pa_refusal pa_cuda_unbox(PyObject *value, pa_arguments *arguments, bool *out_known) {
  *out_known = pa_is_device_array(value);
  if (!*out_known) return PA_ACCEPTED;
  const pa_device_array *array = (const pa_device_array *)value;
  arguments->culprit = value;
  pa_cuda_context *here = pa_cuda_here();
  if (!here) return PA_RAISED;
  if (!pa_device_array_ready(array)) return PA_RAISED;
  if (!array->code_length || array->item || !arguments->record) return PA_REFUSED_DTYPE;
  if (!pa_device_array_in(array, here)) return PA_RAISED;
  int rank = array->rank;
  uint64_t *slot = arguments->slot;
  if (slot + 4 + 2 * rank > arguments->slot_end || arguments->record == arguments->record_end) return PA_NO_ROOM;
  slot[0] = slot[1] = array->slots[0];
  slot[2] = 0;
  memcpy(slot + 3, array->slots + 1, 2 * (size_t)rank * sizeof *slot);
  slot[3 + 2 * rank] = (uint64_t)pa_owner_borrow(arguments->record++, value);
  arguments->slot = slot + 4 + 2 * rank;
  arguments->code = mempcpy(arguments->code, array->code, array->code_length);
  return PA_ACCEPTED;
}

static PyTypeObject *array_class(void) {
  static PyObject *found;
  PyObject *module = found ? NULL : PyImport_ImportModule("pyarray.cuda._arrays");
  if (module) found = PyObject_GetAttrString(module, "DeviceNDArray");
  Py_XDECREF(module);
  return (PyTypeObject *)found;
}

static bool is_same(const pa_device_array *array, CUdeviceptr data, int rank, const npy_intp *shape,
                    const npy_intp *strides, PyArray_Descr *dtype, bool readonly) {
  if (array->slots[0] != data || array->rank != rank || array->readonly != readonly) return false;
  for (int i = 0; i < rank; ++i)
    if (pa_device_array_shape(array)[i] != shape[i] || (shape[i] > 1 && array->strides[i] != strides[i])) return false;
  return PyArray_EquivTypes(array->dtype, dtype);
}

PyObject *pa_cuda_box(PyObject *base, void *data, int rank, const npy_intp *shape, const npy_intp *strides,
                      PyArray_Descr *dtype, bool readonly, void *context) {
  CUdeviceptr address = (CUdeviceptr)(uintptr_t)data;
  if (pa_is_device_array(base)) {
    const pa_device_array *array = (const pa_device_array *)base;
    if (is_same(array, address, rank, shape, strides, dtype, readonly)) return Py_NewRef(base);
    context = array->context;
  }
  PyTypeObject *type = array_class();
  if (!type || !context) return NULL;
  if (pa_capture_count && !pa_graph_keeps(base)) return NULL;
  return pa_device_array_new(type, context, address, rank, shape, strides, dtype, readonly, base);
}

//===-- Calls -------------------------------------------------------------------------------------===//

enum { ON_STACK = 32 };

typedef struct moving {
  PyObject **values; // owned
  PyObject *moved;   // list of (argument, device array, number) or NULL
  bool has_device;   // an argument was on a device
} moving;

static bool is_plain(PyObject *value) {
  return PyFloat_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) || value == Py_None ||
         PyUnicode_CheckExact(value) || PyArray_IsScalar(value, Generic);
}

// The argument, or what stands for it on the device: a new reference.
static PyObject *move(moving *m, PyObject *value, Py_ssize_t number) {
  if (is_plain(value)) return Py_NewRef(value);
  if (pa_is_device_array(value)) return m->has_device = true, Py_NewRef(value);
  if (!m->moved && !(m->moved = PyList_New(0))) return NULL;
  PyObject *found = pa_call_helper("cuda._offload", "on_device", "(OnO)", value, number, m->moved);
  if (!found) return NULL;
  PyObject *made = Py_NewRef(PyTuple_GET_ITEM(found, 0));
  m->has_device = m->has_device || PyTuple_GET_ITEM(found, 1) == Py_True;
  Py_DECREF(found);
  return made;
}

static PyObject *finish(const pa_dispatcher *self, const moving *m, PyObject *result, bool named) {
  const pa_variant *variant = self->last;
  uint64_t written = variant ? variant->written : 0;
  if (named && written) written = ~(uint64_t)0; // arguments in another order
  if (!m->moved && (m->has_device || is_plain(result))) return result;
  PyObject *given = pa_call_helper("cuda._offload", "returned", "(OOOK)", result, m->moved ? m->moved : Py_None,
                                   m->has_device ? Py_False : Py_True, (unsigned long long)written);
  Py_DECREF(result);
  return given;
}

PyObject *pa_cuda_call_offloaded(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  pa_dispatcher *self = (pa_dispatcher *)callable;
  Py_ssize_t count = PyVectorcall_NARGS(flags), all = count + (names ? PyTuple_GET_SIZE(names) : 0), done = 0;
  PyObject *on_stack[ON_STACK], *result = NULL;
  moving m = {.values = all <= ON_STACK ? on_stack : PyMem_New(PyObject *, all)};
  if (!m.values) return PyErr_NoMemory();
  if (pa_cuda_here() && (PA_LIKELY(!pa_capture_count) || pa_graph_keeps(callable))) {
    while (done < all && (m.values[done] = move(&m, values[done], done))) ++done;
    if (done == all) result = pa_dispatcher_call(callable, m.values, (size_t)count, names);
    if (result) result = finish(self, &m, result, names != NULL);
  }
  for (Py_ssize_t i = 0; i < done; ++i) Py_DECREF(m.values[i]);
  Py_XDECREF(m.moved);
  if (m.values != on_stack) PyMem_Free(m.values);
  return result;
}
