// Copies of a ufunc's loop that serve some operands better than the loop itself (lib/passes/arrays/wrap_ufunc.c has
// their forms).
//
// Decorating compiles one loop. A copy is compiled in the call by which the work that it would have done reaches a
// limit, so that waiting for it pays; it is of the same function as the loop, else there is none. Without a copy
// everything works as well, but slower.
#include "ufunc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  STRIDED_WORK = 1 << 20,  // points whose operands are copied
  CONSTANT_WORK = 1 << 23, // points, of which an operand is copied once for a block
  CARRIED_WORK = 1 << 16,  // points that are done by a call each
  FIXED_WORK = 1 << 20,    // points times core elements
};

#define NEVER INT64_MIN

//===-- Dispatchers -------------------------------------------------------------------------------===//

static const char constant_form[] = "constant ";

bool pa_ufunc_has_form(const pa_ufunc_kernel *kernel, const char *form) {
  static const char *const forms[] = {"contiguous", "strided", "carried", "fixed", "dense"};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
    if (strcmp(forms[i], form) == 0) return true;
  size_t prefix = sizeof constant_form - 1, inputs = (size_t)kernel->nin;
  if (strncmp(form, constant_form, prefix) != 0) return false;
  return strlen(form) == prefix + inputs && strspn(form + prefix, "cv") == inputs;
}

// |signature| and |form| in one piece of memory, which the first one's owner frees.
static bool put_form(pa_dispatcher *made, const char *signature, const char *form) {
  size_t length = strlen(signature) + 1, size = strlen(form) + 1;
  made->ufunc = malloc(length + size);
  if (!made->ufunc) return false;
  memcpy(made->ufunc, signature, length);
  made->loop_form = memcpy(made->ufunc + length, form, size);
  return true;
}

static pa_dispatcher *new_dispatcher(const pa_dispatcher *like, const char *signature, const char *form) {
  pa_dispatcher *made = (pa_dispatcher *)pa_dispatcher_new(like->function, like->options, like->target_options);
  if (!made) return NULL;
  made->vectorcall = like->vectorcall; // which refuses
  if (!put_form(made, signature, form)) {
    Py_CLEAR(made);
    PyErr_NoMemory();
  }
  return made;
}

pa_dispatcher *pa_ufunc_copies_of(pa_ufunc_kernel *kernel, const char *signature, const char *form) {
  PyObject *key = PyUnicode_FromFormat("%s %s", signature, form);
  PyObject *found = key ? PyDict_GetItemWithError(kernel->copies, key) : NULL; // borrowed
  if (key && !found && !PyErr_Occurred()) {
    PyObject *made = (PyObject *)new_dispatcher(kernel->dispatcher, signature, form);
    if (made && PyDict_SetItem(kernel->copies, key, made) == 0) found = made;
    Py_XDECREF(made); // the dict has it
  }
  Py_XDECREF(key);
  return (pa_dispatcher *)found;
}

//===-- Compiling ---------------------------------------------------------------------------------===//

// NULL where the function has changed since or cannot be compiled; an exception is set only for what is no error of the
// compiler: Ctrl-C, for instance.
static const pa_variant *compile(const pa_ufunc_loop *loop, const char *signature, const char *form) {
  const pa_variant *variant = NULL;
  if (!pa_variant_is_current(loop->kernel->dispatcher, loop->variant)) return NULL;
  pa_dispatcher *dispatcher = pa_ufunc_copies_of(loop->kernel, signature, form);
  if (dispatcher) variant = pa_variant_compile(dispatcher, loop->variant->code);
  if (!variant && PyErr_ExceptionMatches(PyExc_Exception)) PyErr_Clear();
  return variant;
}

static const pa_variant *make(const pa_ufunc_loop *loop, pa_loop_copy *copy, const char *signature, const char *form) {
  if (PyErr_Occurred()) return NULL; // of a point: later
  const pa_variant *variant = compile(loop, signature, form);
  if (!variant) copy->work = NEVER;
  if (PyErr_Occurred()) pa_ufunc_has_raised();
  return variant;
}

// Whether the copy is to be compiled now.
static bool is_due(pa_loop_copy *copy, int64_t work, int64_t limit) {
  int64_t before = copy->work;
  if (before < 0) return false;
  copy->work = before + (work < limit ? work : limit); // other threads may be counting: roughly will do
  return before + work >= limit || before >= limit;
}

static const pa_variant *copy_of(pa_ufunc_loop *loop, pa_loop_copy *copy, const char *form, int64_t work,
                                 int64_t limit) {
  const pa_variant *variant = copy->variant;
  if (PA_LIKELY(variant)) return variant;
  if (PA_LIKELY(!is_due(copy, work, limit))) return NULL;
  PyGILState_STATE state = PyGILState_Ensure();
  copy->variant = variant = make(loop, copy, loop->kernel->dispatcher->ufunc, form);
  PyGILState_Release(state);
  return variant;
}

const pa_variant *pa_ufunc_strided_copy(pa_ufunc_loop *loop, int64_t work) {
  return copy_of(loop, &loop->strided, "strided", loop->is_cheap ? work : 0, STRIDED_WORK);
}

const pa_variant *pa_ufunc_carried_copy(pa_ufunc_loop *loop, int64_t work) {
  return copy_of(loop, &loop->carried, "carried", work, CARRIED_WORK);
}

//===-- Fixed core dimensions ---------------------------------------------------------------------===//

// The compiled signature with sizes for names: "(2,4),(4,5)->(2,5)".
static bool fixed_signature(const PyUFuncObject *ufunc, const npy_intp *sizes, pa_string *out) {
  char number[24];
  int first_output = ufunc->nout ? ufunc->nin : ufunc->nin - 1;
  for (int i = 0; i < ufunc->nargs; ++i) {
    pa_string_puts(out, i == first_output ? "->(" : i ? ",(" : "(");
    for (int k = 0; k < ufunc->core_num_dims[i]; ++k) {
      int length = snprintf(number, sizeof number, k ? ",%lld" : "%lld",
                            (long long)sizes[ufunc->core_dim_ixs[ufunc->core_offsets[i] + k]]);
      pa_string_append(out, number, (size_t)length);
    }
    pa_string_puts(out, ")");
  }
  return out->data;
}

//===-- Copies for what an operand is -------------------------------------------------------------===//

static bool serves(const pa_loop_copy *copy, const npy_intp *sizes, int count, bool is_dense) {
  return copy->is_dense == is_dense && memcmp(copy->sizes, sizes, (size_t)count * sizeof *sizes) == 0;
}

// The one among |copies| that is compiled for these sizes, or NULL.
static const pa_variant *compiled(const pa_loop_copy *copies, const npy_intp *sizes, int count, bool is_dense) {
  for (int i = 0; i < PA_MAX_FIXED_COPIES; ++i) {
    const pa_variant *variant = copies[i].variant; // before the sizes, which then are complete
    if (variant && serves(&copies[i], sizes, count, is_dense)) return variant;
  }
  return NULL;
}

// The copy for these sizes, which may be a free one; NULL where all serve other sizes.
static pa_loop_copy *claim(pa_loop_copy *copies, const npy_intp *sizes, int count, bool is_dense) {
  pa_loop_copy *found = NULL;
  PyGILState_STATE state = PyGILState_Ensure(); // guards the sizes
  for (int i = 0; !found && i < PA_MAX_FIXED_COPIES; ++i) {
    pa_loop_copy *copy = &copies[i];
    if (!copy->sizes[0]) {
      copy->is_dense = is_dense;
      memcpy(copy->sizes, sizes, (size_t)count * sizeof *sizes);
    }
    if (serves(copy, sizes, count, is_dense)) found = copy;
  }
  PyGILState_Release(state);
  return found;
}

const pa_variant *pa_ufunc_fixed_copy(pa_ufunc_loop *loop, const npy_intp *sizes, int64_t points, bool is_dense) {
  int count = loop->ufunc->core_num_dim_ix;
  int64_t work = points;
  const pa_variant *variant = compiled(loop->fixed, sizes, count, is_dense);
  if (variant) return variant;
  for (int i = 0; i < count; ++i) work *= sizes[i];
  pa_loop_copy *copy = claim(loop->fixed, sizes, count, is_dense);
  if (!copy || !is_due(copy, work, FIXED_WORK)) return NULL;
  pa_string signature = {0};
  PyGILState_STATE state = PyGILState_Ensure();
  if (fixed_signature(loop->ufunc, sizes, &signature))
    copy->variant = make(loop, copy, signature.data, is_dense ? "dense" : "fixed");
  PyGILState_Release(state);
  pa_string_free(&signature);
  return copy->variant;
}

const pa_variant *pa_ufunc_constant_copy(pa_ufunc_loop *loop, uint64_t constants, int64_t points) {
  npy_intp key = (npy_intp)constants;
  const pa_variant *variant = compiled(loop->constant, &key, 1, false);
  if (PA_LIKELY(variant) || !loop->is_cheap) return variant;
  pa_loop_copy *copy = claim(loop->constant, &key, 1, false);
  if (!copy || !is_due(copy, points, CONSTANT_WORK)) return NULL;
  char form[sizeof constant_form + PA_MAX_OPERANDS] = "", *end = stpcpy(form, constant_form);
  for (int i = 0; i < loop->ufunc->nin; ++i) *end++ = constants >> i & 1 ? 'c' : 'v';
  PyGILState_STATE state = PyGILState_Ensure();
  copy->variant = make(loop, copy, loop->kernel->dispatcher->ufunc, form);
  PyGILState_Release(state);
  return copy->variant;
}
