// Exceptions: from the status of the CUDA runtime, and from errors in kernels.
#include "cuda.h"

//===-- Statuses ----------------------------------------------------------------------------------===//

PyObject *pa_cuda_raise(pa_status status) {
  const char *message = pa_status_message(status);
  switch (pa_status_code(status)) {
  case PA_CODE_NO_DEVICE: pa_raise_instance(pa_call_helper("cuda._errors", "no_device", "(s)", message)); break;
  case PA_CODE_DRIVER:
    pa_raise_instance(pa_call_helper("cuda._errors", "driver_failed", "(is)", (int)pa_cuda_last_result(), message));
    break;
  case PA_CODE_MEMORY: PyErr_SetString(PyExc_MemoryError, message); break;
  case PA_CODE_INVALID: PyErr_SetString(PyExc_ValueError, message); break;
  default: PyErr_SetString(PyExc_RuntimeError, message); break;
  }
  pa_status_free(status);
  return NULL;
}

//===-- Errors of kernels -------------------------------------------------------------------------===//

// Adds "thread (x, y, z) of block (x, y, z)" to the exception that is set.
static void add_place(const pa_device_error *error) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  const int32_t *t = error->thread, *b = error->block;
  PyObject *note =
      PyUnicode_FromFormat("in thread (%d, %d, %d) of block (%d, %d, %d)", t[0], t[1], t[2], b[0], b[1], b[2]);
  PyObject *added = note ? PyObject_CallMethod(value, "add_note", "O", note) : NULL;
  if (!added) PyErr_Clear();
  Py_XDECREF(added);
  Py_XDECREF(note);
  PyErr_Restore(type, value, traceback);
}

static void raise_failure(const pa_kernel_failure *failure) {
  const pa_variant *variant = pa_kernel_owner(failure->kernel);
  pa_raised raised = {.count = 1, .site = {failure->error.site}, .value_count = PA_DEVICE_ERROR_VALUES};
  for (int i = 0; i < PA_DEVICE_ERROR_VALUES; ++i) raised.values[i] = failure->error.values[i];
  pa_raise_recorded(variant->dispatcher, variant, &raised);
  add_place(&failure->error);
}

bool pa_cuda_waited(pa_cuda_context *context, pa_status status) {
  pa_kernel_failure failure;
  if (PA_LIKELY(!pa_kernel_take_failure(context, &failure))) return pa_cuda_ok(status);
  pa_status_free(status);
  raise_failure(&failure);
  return false;
}

//===-- The driver --------------------------------------------------------------------------------===//

bool pa_cuda_ready(void) {
  static bool is_ready, is_warned;
  if (PA_LIKELY(is_ready)) return true;
  pa_status status = pa_cuda_open();
  if (status) return pa_cuda_raise(status);
  if (pa_cuda_is_fallback() && !is_warned) {
    is_warned = true; // before it is given, as it may be an error
    PyObject *done = pa_call_helper("cuda._errors", "warn_of_emulation", "(s)", pa_cuda_problem());
    if (!done) return false;
    Py_DECREF(done);
  }
  return is_ready = true;
}

pa_cuda_context *pa_cuda_here(void) {
  pa_cuda_context *context;
  if (!pa_cuda_ready() || !pa_cuda_ok(pa_cuda_context_current(&context))) return NULL;
  return context;
}
