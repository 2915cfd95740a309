// Launches: one pass over the arguments writes their slots and their type code; the code is compared with that of the
// latest launch's variant, and the slots go to the driver as they are. Nothing is allocated or looked up on the way,
// but for host arrays.
#include "cuda.h"
#include "objects.h"

#include <string.h>

enum { STACK_SLOTS = 256, STACK_CODE = 256 };

//===-- To the driver -----------------------------------------------------------------------------===//

static bool enqueue(const pa_cuda_launcher *self, const pa_variant *variant, const pa_kernel_arguments *arguments,
                    const uint64_t *slots, size_t count) {
  pa_cuda_context *context = arguments->context;
  const pa_cuda_configuration *c = &self->configuration;
  pa_launch launch = {.slots = slots,
                      .slot_bytes = count * sizeof *slots,
                      .grid = {c->grid[0], c->grid[1], c->grid[2]},
                      .block = {c->block[0], c->block[1], c->block[2]},
                      .dynamic_shared = c->shared_bytes,
                      .cluster = c->cluster,
                      .stream = c->stream};
  bool wait = self->dispatcher->debug && !arguments->transfers; // those wait when they copy back
  pa_status status;
  pa_references_shared(); // where the CPU plays the device
  // Not under the GIL: a full queue waits for callbacks, which need it.
  Py_BEGIN_ALLOW_THREADS status =
      PA_UNLIKELY(c->points) ? pa_kernel_fit_grid(variant->kernel, context, c->points, launch.grid, launch.block)
                             : PA_OK;
  if (!status) status = pa_kernel_launch(variant->kernel, context, &launch);
  if (wait && !status) status = pa_cuda_stream_synchronize(context, c->stream);
  Py_END_ALLOW_THREADS return wait ? pa_cuda_waited(context, status) : pa_cuda_ok(status);
}

static bool enqueue_converted(const pa_cuda_launcher *self, const pa_variant *variant,
                              const pa_kernel_arguments *arguments, const uint64_t *slots) {
  uint64_t on_stack[STACK_SLOTS];
  // The slots of compiled functions, of which the variant knows the number, are more than those of kernels.
  size_t bytes = (variant->argument_slots + 1) * sizeof *slots;
  uint64_t *converted = bytes <= sizeof on_stack ? on_stack : PyMem_Calloc(1, bytes);
  if (!converted) return PyErr_NoMemory(), false;
  size_t count;
  bool done = pa_kernel_convert(variant->code, slots, variant->target->code, converted, &count) &&
              enqueue(self, variant, arguments, converted, count);
  if (converted != on_stack) PyMem_Free(converted);
  return done;
}

//===-- Variants ----------------------------------------------------------------------------------===//

static const pa_variant *find_variant(pa_dispatcher *dispatcher, const pa_cuda_context *context, const char *code,
                                      size_t length) {
  const pa_variant *variant = dispatcher->last;
  if (PA_LIKELY(pa_variant_fits(variant, code, length) && variant->capability == pa_cuda_capability(context)))
    return variant;
  variant = pa_variant_for(dispatcher, code, length);
  if (variant) dispatcher->last = (pa_variant *)variant;
  return variant;
}

static bool launch(const pa_cuda_launcher *self, const pa_kernel_arguments *arguments, const char *code,
                   const uint64_t *slots) {
  const pa_variant *variant =
      find_variant(self->dispatcher, arguments->context, code, (size_t)(arguments->to.code - code));
  if (!variant) return false;
  if (PA_UNLIKELY(arguments->transfers && !pa_transfers_begin(arguments))) return false;
  bool done = PA_LIKELY(!variant->target)
                  ? enqueue(self, variant, arguments, slots, (size_t)(arguments->to.slot - slots))
                  : enqueue_converted(self, variant, arguments, slots);
  return done && (PA_LIKELY(!arguments->transfers) || pa_transfers_end(arguments));
}

//===-- Arguments ---------------------------------------------------------------------------------===//

static inline pa_refusal unbox_all(PyObject *const *values, Py_ssize_t count, pa_kernel_arguments *arguments,
                                   Py_ssize_t *out_index) {
  pa_arguments *to = &arguments->to;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *value = values[i];
    int64_t number;
    if (PyFloat_CheckExact(value)) {
      *to->code++ = 'd';
      memcpy(to->slot++, &((PyFloatObject *)value)->ob_fval, sizeof(double));
    } else if (PyLong_CheckExact(value) && pa_small_int(value, &number)) {
      *to->code++ = 'q';
      *to->slot++ = (uint64_t)number;
    } else {
      pa_refusal refusal = pa_kernel_unbox(value, arguments);
      if (PA_LIKELY(!refusal)) continue;
      *out_index = i;
      return refusal;
    }
  }
  return PA_ACCEPTED;
}

// Puts the name of the argument before a ValueError, which says where its array is.
static void say_which_is_far(const pa_dispatcher *dispatcher, Py_ssize_t index) {
  if (!PyErr_ExceptionMatches(PyExc_ValueError)) return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *name = pa_call_helper("_report", "argument_name", "(On)", dispatcher->function, index);
  if (name && value) {
    PyErr_Format(type, "%U: %S", name, value);
    Py_DECREF(type);
    Py_DECREF(value);
    Py_XDECREF(traceback);
  } else {
    PyErr_Clear();
    PyErr_Restore(type, value, traceback);
  }
  Py_XDECREF(name);
}

static void refuse_launch(const pa_dispatcher *dispatcher, const pa_kernel_arguments *arguments,
                          PyObject *const *values, Py_ssize_t count, Py_ssize_t index, pa_refusal refusal) {
  PyObject *culprit = arguments->to.culprit;
  bool is_far = refusal == PA_RAISED && index < count && culprit && pa_is_device_array(culprit) &&
                ((pa_device_array *)culprit)->context != arguments->context;
  if (is_far) say_which_is_far(dispatcher, index);
  if (refusal == PA_RAISED) return index < count ? pa_say_which_argument(dispatcher, index) : (void)0;
  if (dispatcher->can_compile)
    pa_raise_refusal(dispatcher, index, values[index], arguments->to.culprit, refusal);
  else
    pa_raise_no_definition(dispatcher, values, count, index, arguments->to.culprit, refusal);
}

// |code| and |slots| have |room| entries; scalars, of which |count| may follow each other unchecked, always fit.
static pa_refusal launch_with(const pa_cuda_launcher *self, pa_cuda_context *context, PyObject *const *values,
                              Py_ssize_t count, char *code, uint64_t *slots, size_t room, bool *out_done) {
  pa_kernel_arguments arguments;
  arguments.to.code = code;
  arguments.to.code_end = code + room - count - 2 * PA_SPARE;
  arguments.to.slot = slots;
  arguments.to.slot_end = slots + room - 2 * count - PA_SPARE;
  arguments.to.record = arguments.to.record_end = NULL;
  arguments.to.culprit = NULL;
  arguments.to.objects = NULL;
  arguments.context = context;
  arguments.stream = self->configuration.stream;
  arguments.transfers = NULL;
  arguments.keep = NULL;
  Py_ssize_t index = 0;
  pa_refusal refusal = unbox_all(values, count, &arguments, &index);
  if (PA_UNLIKELY(arguments.transfers && !refusal && !pa_transfers_place(&arguments))) refusal = PA_RAISED;
  if (PA_LIKELY(!refusal))
    *out_done = launch(self, &arguments, code, slots);
  else if (refusal != PA_NO_ROOM)
    refuse_launch(self->dispatcher, &arguments, values, count, index, refusal);
  if (PA_UNLIKELY(arguments.transfers || arguments.keep)) pa_kernel_arguments_free(&arguments);
  return refusal;
}

static bool launch_large(const pa_cuda_launcher *self, pa_cuda_context *context, PyObject *const *values,
                         Py_ssize_t count) {
  for (size_t room = 2048 + 2 * (size_t)count;; room *= 4) {
    uint64_t *slots = PyMem_Malloc(room * (sizeof *slots + 1));
    if (!slots) return PyErr_NoMemory(), false;
    bool done = false;
    pa_refusal refusal = launch_with(self, context, values, count, (char *)(slots + room), slots, room, &done);
    PyMem_Free(slots);
    if (refusal != PA_NO_ROOM) return done;
  }
}

// False with an exception set where a reset or close has taken the stream away.
static inline bool stream_lives(const pa_cuda_launcher *self, const pa_cuda_context *context) {
  CUstream handle;
  if (!self->stream || !PyObject_TypeCheck(self->stream, &pa_stream_type)) return true;
  if (!pa_stream_argument(self->stream, &handle)) return false;
  const pa_cuda_context *own = ((const pa_stream_object *)self->stream)->own.resource.context;
  if (PA_LIKELY(!own || own == context)) return true;
  return PyErr_Format(PyExc_ValueError, "the stream is of device %d, and the kernel is launched on device %d",
                      (int)own->device->ordinal, (int)context->device->ordinal),
         false;
}

static bool launch_values(const pa_cuda_launcher *self, PyObject *const *values, Py_ssize_t count, bool prepared);

// What extensions want called after the launch.
static bool call_all(PyObject *functions) {
  bool done = PyList_Check(functions);
  for (Py_ssize_t i = 0; done && i < PyList_GET_SIZE(functions); ++i) {
    PyObject *result = PyObject_CallNoArgs(PyList_GET_ITEM(functions, i));
    done = result != NULL;
    Py_XDECREF(result);
  }
  return done;
}

static bool launch_extended(const pa_cuda_launcher *self, PyObject *const *values, Py_ssize_t count) {
  PyObject *given = PyTuple_New(count);
  for (Py_ssize_t i = 0; given && i < count; ++i) PyTuple_SET_ITEM(given, i, Py_NewRef(values[i]));
  PyObject *made = given ? pa_call_helper("cuda._extensions", "prepare", "(OOO)", (PyObject *)self->dispatcher, given,
                                          self->stream ? self->stream : Py_None)
                         : NULL;
  Py_XDECREF(given);
  if (!made) return false;
  PyObject *prepared = PyTuple_GET_ITEM(made, 0);
  bool done = launch_values(self, &PyTuple_GET_ITEM(prepared, 0), PyTuple_GET_SIZE(prepared), true) &&
              call_all(PyTuple_GET_ITEM(made, 1));
  Py_DECREF(made);
  return done;
}

static bool launch_values(const pa_cuda_launcher *self, PyObject *const *values, Py_ssize_t count, bool prepared) {
  if (PA_UNLIKELY(self->dispatcher->cuda->extended) && !prepared) return launch_extended(self, values, count);
  uint64_t slots[STACK_SLOTS];
  char code[STACK_CODE];
  pa_cuda_context *context = pa_cuda_here();
  if (PA_UNLIKELY(!context || !stream_lives(self, context))) return false;
  bool done = false;
  if (PA_UNLIKELY(count > PA_MAX_ARGUMENTS_ON_STACK)) return launch_large(self, context, values, count);
  if (PA_UNLIKELY(launch_with(self, context, values, count, code, slots, STACK_SLOTS, &done) == PA_NO_ROOM))
    return launch_large(self, context, values, count);
  return done;
}

static bool launch_bound(const pa_cuda_launcher *self, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  enum { ON_STACK = 32 };
  PyObject *on_stack[ON_STACK], *rest = NULL;
  Py_ssize_t parameters = pa_parameter_count(self->dispatcher);
  PyObject **bound = parameters <= ON_STACK ? on_stack : PyMem_New(PyObject *, parameters);
  if (!bound) return PyErr_NoMemory(), false;
  bool done =
      pa_bind(self->dispatcher, values, count, names, bound, &rest) && launch_values(self, bound, parameters, false);
  Py_XDECREF(rest);
  if (bound != on_stack) PyMem_Free(bound);
  return done;
}

PyObject *pa_cuda_launch(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  const pa_cuda_launcher *self = (pa_cuda_launcher *)callable;
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (PA_UNLIKELY(pa_capture_count) && !pa_graph_keeps((PyObject *)self->dispatcher)) return NULL;
  bool plain = count == self->dispatcher->plain_count && !names;
  bool done = PA_LIKELY(plain) ? launch_values(self, values, count, false) : launch_bound(self, values, count, names);
  return done ? Py_NewRef(Py_None) : NULL;
}

PyObject *pa_cuda_launch_or_fall_back(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  pa_dispatcher *kernel = ((pa_cuda_launcher *)callable)->dispatcher;
  if (kernel->twin) {
    PyObject *twin = pa_call_helper("_fallback", "launcher_of", "(OO)", kernel->twin, callable);
    PyObject *result = twin ? PyObject_Vectorcall(twin, values, flags, names) : NULL;
    Py_XDECREF(twin);
    return result;
  }
  PyObject *result = kernel->refusal ? pa_refuse_call((PyObject *)kernel, values, flags, names)
                                     : pa_cuda_launch(callable, values, flags, names);
  if (result || !pa_falls_back()) return result;
  return pa_fall_back(kernel, callable, "__call__", values, PyVectorcall_NARGS(flags), names);
}

bool pa_cuda_launch_points(pa_dispatcher *dispatcher, pa_cuda_context *context, int64_t points, CUstream stream,
                           const char *code, size_t code_length, const uint64_t *slots, size_t slot_count) {
  const pa_cuda_launcher launcher = {
      .dispatcher = dispatcher,
      .configuration = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .stream = stream, .points = points}};
  const pa_kernel_arguments arguments = {.context = context, .stream = stream};
  if (PA_UNLIKELY(pa_capture_count) && !pa_graph_keeps((PyObject *)dispatcher)) return false;
  const pa_variant *variant = find_variant(dispatcher, context, code, code_length);
  return variant && enqueue(&launcher, variant, &arguments, slots, slot_count);
}
