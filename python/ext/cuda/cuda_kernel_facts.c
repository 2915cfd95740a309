// What is known of compiled kernels: methods of CUDADispatcher that pyarray/cuda/_launch.py makes public ones of.
#include "cuda.h"

static pa_dispatcher *cast(PyObject *object) { return (pa_dispatcher *)object; }

// Without the GIL, for which other threads may wait while they hold the device. False with an exception set.
static bool load(const pa_variant *variant, pa_cuda_context *context) {
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_kernel_load(variant->kernel, context);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status);
}

// _kernel_attributes(type code) -> dict
PyObject *pa_kernel_attributes_of(PyObject *object, PyObject *code) {
  const char *text = PyUnicode_AsUTF8(code);
  const pa_variant *variant = text ? pa_variant_compile(cast(object), text) : NULL;
  pa_cuda_context *context = variant ? pa_cuda_here() : NULL;
  pa_kernel_attributes a;
  if (!context || !load(variant, context) || !pa_cuda_ok(pa_kernel_attributes_get(variant->kernel, context, &a)))
    return NULL;
  return Py_BuildValue("{sisisisisisisO}", "registers", a.registers, "shared_bytes", a.shared_bytes, "local_bytes",
                       a.local_bytes, "constant_bytes", a.constant_bytes, "max_threads", a.max_threads,
                       "max_dynamic_shared", a.max_dynamic_shared, "cooperative", a.cooperative ? Py_True : Py_False);
}

// _suggest_block(type code, shared bytes) -> (block size, least grid that fills the device)
PyObject *pa_kernel_block_for(PyObject *object, PyObject *arguments) {
  const char *code;
  Py_ssize_t shared;
  int block, grid;
  if (!PyArg_ParseTuple(arguments, "sn", &code, &shared)) return NULL;
  const pa_variant *variant = pa_variant_compile(cast(object), code);
  pa_cuda_context *context = variant ? pa_cuda_here() : NULL;
  if (!context || !load(variant, context) ||
      !pa_cuda_ok(pa_kernel_suggest_block(variant->kernel, context, (size_t)shared, 0, &block, &grid)))
    return NULL;
  return Py_BuildValue("(ii)", block, grid);
}

// _active_blocks(type code, block size, shared bytes) -> blocks on each multiprocessor
PyObject *pa_kernel_active_blocks_of(PyObject *object, PyObject *arguments) {
  const char *code;
  int block, blocks;
  Py_ssize_t shared;
  if (!PyArg_ParseTuple(arguments, "sin", &code, &block, &shared)) return NULL;
  const pa_variant *variant = pa_variant_compile(cast(object), code);
  pa_cuda_context *context = variant ? pa_cuda_here() : NULL;
  if (!context || !load(variant, context) ||
      !pa_cuda_ok(pa_kernel_active_blocks(variant->kernel, context, block, (size_t)shared, &blocks)))
    return NULL;
  return PyLong_FromLong(blocks);
}

// _cooperative_blocks(type code, block size, shared bytes, cluster) -> blocks that run at once; the cluster is x + 256
// y + 65536 z, or 0
PyObject *pa_kernel_cooperative_blocks_of(PyObject *object, PyObject *arguments) {
  const char *code;
  Py_ssize_t block, shared;
  unsigned cluster;
  int64_t blocks;
  if (!PyArg_ParseTuple(arguments, "snnI", &code, &block, &shared, &cluster)) return NULL;
  const pa_variant *variant = pa_variant_compile(cast(object), code);
  pa_cuda_context *context = variant ? pa_cuda_here() : NULL;
  if (!context || !load(variant, context) ||
      !pa_cuda_ok(pa_kernel_cooperative_blocks(variant->kernel, context, block, (size_t)shared, cluster, &blocks)))
    return NULL;
  return PyLong_FromLongLong(blocks);
}

// _binary(type code) -> what is loaded: a cubin, or an object for the CPU
PyObject *pa_kernel_binary_of(PyObject *object, PyObject *code) {
  const char *text = PyUnicode_AsUTF8(code);
  const pa_variant *variant = text ? pa_variant_compile(cast(object), text) : NULL;
  pa_cuda_context *context = variant ? pa_cuda_here() : NULL;
  const void *bytes;
  size_t size;
  if (!context || !load(variant, context) || !pa_cuda_ok(pa_kernel_binary(variant->kernel, context, &bytes, &size)))
    return NULL;
  return PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
}

// _argument_codes(values) -> the type code of a launch with them, "[C1dq>"
PyObject *pa_kernel_argument_codes(PyObject *object, PyObject *values) {
  char code[4096];
  uint64_t slots[4096];
  pa_cuda_context *context = pa_cuda_here();
  if (!context || !PyTuple_Check(values)) return context ? PyErr_Format(PyExc_TypeError, "values are a tuple") : NULL;
  pa_kernel_arguments arguments = {
      .to = {.code = code, .code_end = code + sizeof code - 128, .slot = slots, .slot_end = slots + 4096 - 128},
      .context = context};
  pa_refusal refusal = PA_ACCEPTED;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(values) && !refusal; ++i) {
    refusal = pa_kernel_unbox(PyTuple_GET_ITEM(values, i), &arguments);
    if (refusal == PA_NO_ROOM)
      PyErr_SetString(PyExc_ValueError, "too many arguments");
    else if (refusal > PA_RAISED)
      pa_raise_refusal(cast(object), i, PyTuple_GET_ITEM(values, i), arguments.to.culprit, refusal);
  }
  if (!refusal && !pa_transfers_place(&arguments)) refusal = PA_RAISED;
  *arguments.to.code++ = '>';
  PyObject *text = refusal ? NULL : PyUnicode_FromStringAndSize(code, arguments.to.code - code);
  pa_kernel_arguments_free(&arguments);
  return text;
}
