// Exceptions: from the status of the CUDA runtime, and from errors in kernels.
#include "cuda.h"
#include "cuda/emulator.h"

#include <string.h>

//===-- Statuses ----------------------------------------------------------------------------------===//

// Logs of compilers hold lines of the user's, in any encoding.
static void raise_link_failure(const char *message) {
  PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
  if (text) pa_raise_instance(pa_call_helper("cuda._errors", "link_failed", "(O)", text));
  Py_XDECREF(text);
}

// An exception that is set already says more: that of a signal handler, which has ended a launch.
PyObject *pa_cuda_raise(pa_status status) {
  if (PyErr_Occurred()) return pa_status_free(status), NULL;
  const char *message = pa_status_message(status);
  switch (pa_status_code(status)) {
  case PA_CODE_NO_DEVICE: pa_raise_instance(pa_call_helper("cuda._errors", "no_device", "(s)", message)); break;
  case PA_CODE_LINK: raise_link_failure(message); break;
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
  const pa_device_error *error = &failure->error;
  pa_raised raised = {.count = 1, .site = {error->site}, .value_count = PA_DEVICE_ERROR_VALUES};
  for (int i = 0; i < error->frame_count && i < PA_DEVICE_ERROR_FRAMES; ++i)
    raised.site[raised.count++] = error->frames[i];
  for (int i = 0; i < PA_DEVICE_ERROR_VALUES; ++i) raised.values[i] = error->values[i];
  pa_raise_recorded(variant->dispatcher, variant, &raised);
  add_place(error);
}

//===-- Of kernels that are gone ------------------------------------------------------------------===//

// Exceptions that nobody has been told yet, oldest first.
typedef struct untold {
  struct untold *next;
  pa_cuda_context *context;
  uint64_t generation; // of the context: a reset drops its errors
  PyObject *exception;
} untold;

static untold *untold_errors;

// Takes the exception that is set.
static void keep_exception(pa_cuda_context *context) {
  untold *made = PyMem_Calloc(1, sizeof *made), **end = &untold_errors;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value && traceback) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  if (!made || !value) {
    PyMem_Free(made);
    Py_XDECREF(value);
    return;
  }
  *made = (untold){.context = context, .generation = context->generation, .exception = value};
  while (*end) end = &(*end)->next;
  *end = made;
}

static PyObject *take_untold(const pa_cuda_context *context) {
  PyObject *found = NULL;
  for (untold **at = &untold_errors; *at && !found;) {
    untold *item = *at;
    if (item->context != context) {
      at = &item->next;
      continue;
    }
    *at = item->next;
    if (item->generation == context->generation)
      found = item->exception;
    else
      Py_DECREF(item->exception);
    PyMem_Free(item);
  }
  return found;
}

void pa_cuda_keep_failures(const pa_dispatcher *dispatcher) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  for (const pa_variant *variant = dispatcher->variants; variant; variant = variant->next) {
    pa_cuda_context *context = NULL;
    pa_kernel_failure failure;
    bool found = variant->kernel && !variant->target;
    while (found) {
      Py_BEGIN_ALLOW_THREADS found = pa_kernel_take_last_failure(variant->kernel, &context, &failure);
      Py_END_ALLOW_THREADS if (!found) break;
      raise_failure(&failure);
      keep_exception(context);
    }
  }
  PyErr_Restore(type, value, traceback);
}

bool pa_cuda_waited(pa_cuda_context *context, pa_status status) {
  pa_kernel_failure failure;
  PyObject *exception = NULL;
  if (PA_UNLIKELY(status && PyErr_Occurred())) return pa_cuda_ok(status);
  if (PA_UNLIKELY(untold_errors)) exception = take_untold(context);
  if (PA_LIKELY(!exception && !pa_kernel_take_failure(context, &failure))) return pa_cuda_ok(status);
  pa_status_free(status);
  if (exception)
    PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(exception)), exception, PyException_GetTraceback(exception));
  else
    raise_failure(&failure);
  return false;
}

//===-- Signals -----------------------------------------------------------------------------------===//

// Runs the handlers of signals that have come; the exception of one stays set until the launch has ended.
static bool is_interrupted(void) {
  PyGILState_STATE state = PyGILState_Ensure();
  bool raised = PyErr_CheckSignals() != 0;
  PyGILState_Release(state);
  return raised;
}

//===-- The driver --------------------------------------------------------------------------------===//

bool pa_cuda_ready(void) {
  static bool is_ready, is_warned;
  if (PA_LIKELY(is_ready)) return true;
  pa_status status = pa_cuda_open();
  if (status) return pa_cuda_raise(status);
  pa_emulator_set_interruption(is_interrupted);
  pa_cuda_offload_initialize();
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
