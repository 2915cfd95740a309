// C callbacks (pyarray.cfunc): their errors, which no caller can receive, are printed like those of __del__ methods.
#include "ext.h"

// Called by compiled code in any thread, with or without the GIL. |context| is the dispatcher, which lives as long as
// its code, with one variant.
static void report_unraisable(int64_t context) {
  pa_dispatcher *dispatcher = (pa_dispatcher *)(uintptr_t)context;
  if (!dispatcher || !Py_IsInitialized()) return;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback); // the caller's, if it is Python code with an exception on its way
  pa_raise_from_native(dispatcher, dispatcher->variants);
  PyErr_WriteUnraisable(dispatcher->function);
  PyErr_Restore(type, value, traceback);
  PyGILState_Release(state);
}

void pa_cfunc_initialize(void) { pa_set_unraisable_report(report_unraisable); }

void pa_cfunc_bind(pa_dispatcher *dispatcher, pa_variant *variant) {
  int64_t *context = pa_object_symbol(variant->object, "pyarray_cfunc_context");
  if (!context) return;
  pa_references_shared(); // C calls it in any thread
  *context = (int64_t)(uintptr_t)dispatcher;
}
