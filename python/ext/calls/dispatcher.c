// The dispatcher: a Python function that runs compiled code. One pass over the arguments writes their slots and their
// type code; the code is compared with that of the latest call's variant, and the variant is called.
//
// A call in the fast path allocates nothing and looks nothing up.
#include "objects.h"

#include <stdlib.h>
#include <string.h>

//===-- Calling a variant -------------------------------------------------------------------------===//

enum { STACK_SLOTS = 128, STACK_CODE = 128, STACK_RECORDS = 16, STACK_RESULTS = 64 };

static int32_t enter(const pa_dispatcher *self, const pa_variant *variant, const uint64_t *slots, uint64_t *results) {
  if (PA_LIKELY(!self->nogil)) return variant->entry(slots, results);
  int32_t status;
  pa_references_shared();
  Py_BEGIN_ALLOW_THREADS status = variant->entry(slots, results);
  Py_END_ALLOW_THREADS return status;
}

static inline PyObject *box_results(const pa_dispatcher *self, const pa_variant *variant, const uint64_t *results,
                                    const pa_object_arguments *objects) {
  double number;
  switch (variant->result[0]) {
  case 'd': memcpy(&number, results, sizeof number); return PyFloat_FromDouble(number);
  case 'q': return PyLong_FromLongLong((int64_t)results[0]);
  case 'n': return Py_NewRef(Py_None);
  default: {
    const char *code = variant->result;
    pa_boxing boxing;
    boxing.dispatcher = (PyObject *)self;
    boxing.variant = variant;
    boxing.made_count = 0;
    boxing.objects = objects;
    boxing.containers = self->shares_results ? PA_BOX_SHARED : PA_BOX_AS_MADE;
    return pa_box(&code, &results, &boxing);
  }
  }
}

// What the call changed of its arguments is seen by the caller also where it raised.
static bool write_back(const pa_dispatcher *self, const pa_object_arguments *objects, bool failed) {
  pa_boxing boxing = {.dispatcher = (PyObject *)self, .objects = objects};
  PyObject *type, *value, *traceback;
  if (failed) PyErr_Fetch(&type, &value, &traceback);
  bool done = pa_objects_write_back(objects, &boxing);
  if (failed && !done) PyErr_Clear();
  if (failed) PyErr_Restore(type, value, traceback);
  return done;
}

static inline PyObject *call_into(const pa_dispatcher *self, const pa_variant *variant, const uint64_t *slots,
                                  const pa_object_arguments *objects, uint64_t *results) {
  bool failed = enter(self, variant, slots, results) != 0;
  if (PA_UNLIKELY(pa_references_wait)) pa_references_catch_up();
  if (PA_UNLIKELY(failed)) pa_raise_from_native(self, variant);
  if (PA_UNLIKELY(objects->count) && !write_back(self, objects, failed) && !failed) {
    PyObject *lost = box_results(self, variant, results, objects); // releases what they own
    Py_XDECREF(lost);
    return NULL;
  }
  return failed ? NULL : box_results(self, variant, results, objects);
}

static PyObject *call_with_many_results(const pa_dispatcher *self, const pa_variant *variant, const uint64_t *slots,
                                        const pa_object_arguments *objects) {
  uint64_t *results = PyMem_Malloc(variant->result_slots * sizeof *results);
  if (!results) return PyErr_NoMemory();
  PyObject *value = call_into(self, variant, slots, objects, results);
  PyMem_Free(results);
  return value;
}

static inline PyObject *call_variant(const pa_dispatcher *self, const pa_variant *variant, const uint64_t *slots,
                                     const pa_object_arguments *objects) {
  uint64_t results[STACK_RESULTS];
  if (PA_UNLIKELY(variant->result_slots > STACK_RESULTS)) return call_with_many_results(self, variant, slots, objects);
  return call_into(self, variant, slots, objects, results);
}

// The variant for the values of those arguments that literally() asks for.
static PyObject *call_by_value(pa_dispatcher *self, const pa_variant *variant, const uint64_t *slots,
                               const pa_object_arguments *objects) {
  while (variant && variant->wanted) variant = pa_variant_for_values(self, variant, slots);
  return variant ? call_variant(self, variant, slots, objects) : NULL;
}

static PyObject *call_converted(pa_dispatcher *self, const pa_variant *variant, const uint64_t *slots,
                                const pa_object_arguments *objects) {
  if (variant->wanted) return call_by_value(self, variant, slots, objects);
  uint64_t on_stack[STACK_SLOTS];
  size_t size = variant->argument_slots * sizeof *slots;
  uint64_t *converted = size <= sizeof on_stack ? on_stack : PyMem_Malloc(size);
  if (!converted) return PyErr_NoMemory();
  PyObject *value = NULL;
  if (pa_convert_slots(variant->code, slots, variant->target->code, converted))
    value = call_variant(self, variant, converted, objects);
  if (converted != on_stack) PyMem_Free(converted);
  return value;
}

// |key| are the types of |slots|.
static PyObject *call_new_types(pa_dispatcher *self, const char *key, size_t length, const uint64_t *slots,
                                const pa_object_arguments *objects) {
  const pa_variant *variant = pa_variant_for(self, key, length);
  if (!variant) return NULL;
  self->last = (pa_variant *)variant;
  return variant->target ? call_converted(self, variant, slots, objects) : call_variant(self, variant, slots, objects);
}

//===-- Arguments ---------------------------------------------------------------------------------===//

// Unboxes |values| into |arguments|, whose buffers have room for |count| scalars.
static inline pa_refusal unbox_all(PyObject *const *values, Py_ssize_t count, pa_arguments *arguments,
                                   Py_ssize_t *out_index) {
  char *code = arguments->code;
  uint64_t *slot = arguments->slot;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *value = values[i];
    int64_t number;
    if (PyFloat_CheckExact(value)) {
      *code++ = 'd';
      memcpy(slot++, &((PyFloatObject *)value)->ob_fval, sizeof(double));
    } else if (PyLong_CheckExact(value) && pa_small_int(value, &number)) {
      *code++ = 'q';
      *slot++ = (uint64_t)number;
    } else {
      arguments->code = code;
      arguments->slot = slot;
      pa_refusal refusal = pa_unbox(value, arguments);
      if (PA_UNLIKELY(refusal)) {
        *out_index = i;
        return refusal;
      }
      code = arguments->code;
      slot = arguments->slot;
    }
  }
  arguments->code = code;
  arguments->slot = slot;
  return PA_ACCEPTED;
}

static PyObject *refuse_call(const pa_dispatcher *self, const pa_arguments *arguments, PyObject *const *values,
                             Py_ssize_t count, Py_ssize_t index, pa_refusal refusal) {
  if (refusal == PA_RAISED) return pa_say_which_argument(self, index), NULL;
  if (self->can_compile)
    pa_raise_refusal(self, index, values[index], arguments->culprit, refusal);
  else
    pa_raise_no_definition(self, values, count, index, arguments->culprit, refusal);
  return NULL;
}

// Many arguments, or large tuples: the same with buffers from the heap, enlarged until everything fits.
static PyObject *dispatch_large(pa_dispatcher *self, PyObject *const *values, Py_ssize_t count) {
  for (size_t room = 512 + 2 * (size_t)count;; room *= 4) {
    pa_owner *records = PyMem_Malloc(room * (sizeof(pa_owner) + sizeof(uint64_t) + 1));
    if (!records) return PyErr_NoMemory();
    uint64_t *slots = (uint64_t *)(records + room);
    char *code = (char *)(slots + room);
    pa_object_arguments objects = {0};
    pa_arguments arguments = {code,    code + room - count - PA_SPARE,
                              slots,   slots + room - 2 * count - PA_SPARE,
                              records, records + room,
                              NULL,    &objects,
                              NULL,    self->offload};
    Py_ssize_t index = 0;
    pa_refusal refusal = unbox_all(values, count, &arguments, &index);
    PyObject *result = NULL;
    if (!refusal)
      result = call_new_types(self, code, (size_t)(arguments.code - code), slots, &objects);
    else if (refusal != PA_NO_ROOM)
      refuse_call(self, &arguments, values, count, index, refusal);
    PyMem_Free(records);
    pa_objects_discard(&objects);
    if (refusal != PA_NO_ROOM) return result;
  }
}

static inline PyObject *call_fitting(pa_dispatcher *self, const char *code, size_t length, const uint64_t *slots,
                                     const pa_object_arguments *objects) {
  const pa_variant *variant = self->last;
  if (PA_UNLIKELY(!pa_variant_fits(variant, code, length))) return call_new_types(self, code, length, slots, objects);
  return PA_LIKELY(!variant->target) ? call_variant(self, variant, slots, objects)
                                     : call_converted(self, variant, slots, objects);
}

static PyObject *dispatch(pa_dispatcher *self, PyObject *const *values, Py_ssize_t count) {
  uint64_t slots[STACK_SLOTS];
  char code[STACK_CODE];
  pa_owner records[STACK_RECORDS];
  pa_object_arguments objects = {0};
  if (PA_UNLIKELY(count > PA_MAX_ARGUMENTS_ON_STACK)) return dispatch_large(self, values, count);
  // An array or complex number may reach 8 characters or 2 slots beyond the ends, and scalars follow unchecked.
  pa_arguments arguments = {code,    code + STACK_CODE - PA_SPARE - 8,
                            slots,   slots + STACK_SLOTS - PA_SPARE - 2,
                            records, records + STACK_RECORDS,
                            NULL,    &objects,
                            NULL,    self->offload};
  Py_ssize_t index = 0;
  pa_refusal refusal = unbox_all(values, count, &arguments, &index);
  if (PA_UNLIKELY(refusal)) {
    if (PA_UNLIKELY(objects.count)) pa_objects_discard(&objects);
    if (refusal == PA_NO_ROOM) return dispatch_large(self, values, count);
    return refuse_call(self, &arguments, values, count, index, refusal);
  }
  PyObject *result = call_fitting(self, code, (size_t)(arguments.code - code), slots, &objects);
  if (PA_UNLIKELY(objects.count)) pa_objects_discard(&objects);
  return result;
}

static PyObject *call_bound(pa_dispatcher *self, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  enum { ON_STACK = 32 };
  PyObject *on_stack[ON_STACK], *rest = NULL;
  if (!self->function) return NULL;
  Py_ssize_t parameters = pa_parameter_count(self);
  PyObject **bound = parameters <= ON_STACK ? on_stack : PyMem_New(PyObject *, parameters);
  if (!bound) return PyErr_NoMemory();
  PyObject *result = NULL;
  if (pa_bind(self, values, count, names, bound, &rest)) result = dispatch(self, bound, parameters);
  Py_XDECREF(rest);
  if (bound != on_stack) PyMem_Free(bound);
  return result;
}

PyObject *pa_dispatcher_call(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  pa_dispatcher *self = (pa_dispatcher *)callable;
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (PA_LIKELY(count == self->plain_count && !names)) return dispatch(self, values, count);
  return call_bound(self, values, count, names);
}

//===-- Construction ------------------------------------------------------------------------------===//

// The number of positional arguments with which nothing is left to bind.
static Py_ssize_t plain_count_of(PyObject *function) {
  PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
  return code->co_kwonlyargcount || code->co_flags & (CO_VARARGS | CO_VARKEYWORDS) ? -1 : code->co_argcount;
}

bool pa_dispatcher_init(pa_dispatcher *self, PyObject *function, PyObject *options, PyObject *target_options) {
  self->vectorcall = pa_falls_back() ? pa_call_or_fall_back : pa_dispatcher_call;
  self->can_compile = true;
  self->plain_count = plain_count_of(function);
  self->function = Py_NewRef(function);
  self->options = Py_NewRef(options);
  self->target_options = Py_NewRef(target_options);
  bool done = pa_options_read(self, options) && pa_hold_source(function);
  if (self->offload) self->vectorcall = pa_forward.call_offloaded;
  PyObject_GC_Track(self);
  if (!done) Py_DECREF(self);
  return done;
}

PyObject *pa_dispatcher_new(PyObject *function, PyObject *options, PyObject *target_options) {
  pa_dispatcher *self = PyObject_GC_New(pa_dispatcher, &pa_dispatcher_type);
  if (!self) return NULL;
  memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
  return pa_dispatcher_init(self, function, options, target_options) ? (PyObject *)self : NULL;
}

PyObject *pa_dispatcher_of_variant(pa_dispatcher *lender, const pa_variant *variant) {
  pa_dispatcher *self = (pa_dispatcher *)pa_dispatcher_new(lender->function, lender->options, lender->target_options);
  if (!self) return NULL;
  self->can_compile = false;
  self->lender = Py_NewRef((PyObject *)lender);
  self->variants = pa_variant_lent(variant);
  if (!self->variants) Py_CLEAR(self);
  return (PyObject *)self;
}

// The variants of a ufunc's dispatcher are inner loops: NumPy alone calls them.
static PyObject *refuse_any_call(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  (void)values, (void)flags, (void)names;
  return PyErr_Format(PyExc_TypeError, "%R compiles the loops of a ufunc and cannot be called itself", callable);
}

static PyObject *refuse_cfunc_call(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  (void)values, (void)flags, (void)names;
  return PyErr_Format(PyExc_TypeError, "%R compiles a C callback and cannot be called itself", callable);
}

static bool serve_ufunc(pa_dispatcher *self, const char *signature) {
  self->ufunc = strdup(signature);
  self->vectorcall = refuse_any_call;
  if (!self->ufunc) PyErr_NoMemory();
  return self->ufunc;
}

static PyObject *dispatcher_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"function", "options", "targetoptions", "ufunc", "cfunc", NULL};
  PyObject *function, *options, *target_options;
  const char *ufunc = NULL;
  int cfunc = 0;
  (void)type;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!O!O!|zp", names, &PyFunction_Type, &function, &PyDict_Type,
                                   &options, &PyDict_Type, &target_options, &ufunc, &cfunc))
    return NULL;
  PyObject *made = pa_dispatcher_new(function, options, target_options);
  if (made && ufunc && !serve_ufunc((pa_dispatcher *)made, ufunc)) Py_CLEAR(made);
  if (made && cfunc) {
    ((pa_dispatcher *)made)->cfunc = true;
    ((pa_dispatcher *)made)->vectorcall = refuse_cfunc_call;
  }
  return made;
}

//===-- Life --------------------------------------------------------------------------------------===//

static int dispatcher_traverse(PyObject *object, visitproc visit, void *arg) {
  pa_dispatcher *self = (pa_dispatcher *)object;
  Py_VISIT(self->function);
  Py_VISIT(self->options);
  Py_VISIT(self->target_options);
  Py_VISIT(self->shown_options);
  Py_VISIT(self->declared);
  Py_VISIT(self->refusal);
  Py_VISIT(self->twin);
  Py_VISIT(self->lender);
  Py_VISIT(self->attributes);
  return 0;
}

static int dispatcher_clear(PyObject *object) {
  pa_dispatcher *self = (pa_dispatcher *)object;
  Py_CLEAR(self->attributes);
  Py_CLEAR(self->options);
  Py_CLEAR(self->target_options);
  Py_CLEAR(self->shown_options);
  Py_CLEAR(self->declared);
  Py_CLEAR(self->refusal);
  Py_CLEAR(self->twin);
  return 0; // the function stays until the end, since calls read it; its own references are cleared by itself
}

static void dispatcher_dealloc(PyObject *object) {
  pa_forget_passed((pa_dispatcher *)object);
  pa_dispatcher *self = (pa_dispatcher *)object;
  PyObject_GC_UnTrack(object);
  if (self->weak_references) PyObject_ClearWeakRefs(object);
  dispatcher_clear(object);
  Py_CLEAR(self->function);
  pa_variants_free(self->variants);
  pa_variants_free(self->retired);
  Py_CLEAR(self->lender); // whose code the variants are
  free(self->ufunc);
  free(self->loop_types);
  PyMem_Free(self->cuda);
  PyObject_GC_Del(object);
}

static PyObject *dispatcher_repr(PyObject *object) {
  return PyUnicode_FromFormat("CPUDispatcher(%R)", ((pa_dispatcher *)object)->function);
}

static PyObject *dispatcher_bind(PyObject *object, PyObject *instance, PyObject *type) {
  (void)type;
  if (!instance || instance == Py_None) return Py_NewRef(object);
  return PyMethod_New(object, instance);
}

PyTypeObject pa_dispatcher_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.Dispatcher",
    .tp_basicsize = sizeof(pa_dispatcher),
    .tp_new = dispatcher_new,
    .tp_dealloc = dispatcher_dealloc,
    .tp_traverse = dispatcher_traverse,
    .tp_clear = dispatcher_clear,
    .tp_repr = dispatcher_repr,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(pa_dispatcher, vectorcall),
    .tp_descr_get = dispatcher_bind,
    .tp_dictoffset = offsetof(pa_dispatcher, attributes),
    .tp_weaklistoffset = offsetof(pa_dispatcher, weak_references),
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_methods = pa_dispatcher_methods,
    .tp_getset = pa_dispatcher_attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
};
