// Genuine numpy.ufunc objects made of compiled variants.
//
// What a ufunc points to (loops, types, name) lives in an origin object, which the ufunc keeps in ufunc->obj; NumPy
// leaves that field to whoever makes a ufunc. It is also how a ufunc made here is told from others.
#include "ufunc.h"
#include "fingerprint.h"

#include <stdlib.h>
#include <string.h>

//===-- Kernels -----------------------------------------------------------------------------------===//

static PyObject *doc_of(PyObject *function) {
  PyObject *doc = PyObject_GetAttrString(function, "__doc__");
  PyObject *bytes = doc && PyUnicode_Check(doc) ? PyUnicode_AsUTF8String(doc) : NULL;
  Py_XDECREF(doc);
  PyErr_Clear();
  return bytes;
}

static bool read_kernel(pa_ufunc_kernel *self) {
  PyObject *function = self->dispatcher->function;
  self->name = PyUnicode_AsUTF8String(((PyFunctionObject *)function)->func_name);
  if (!self->name) return false;
  self->doc = doc_of(function);
  if (self->nin + self->nout <= PA_MAX_OPERANDS && PyBytes_GET_SIZE(self->ranks) == self->nin + self->nout) return true;
  PyErr_Format(PyExc_ValueError, "%U() has too many operands: a ufunc takes at most %d inputs and outputs",
               ((PyFunctionObject *)function)->func_qualname, PA_MAX_OPERANDS);
  return false;
}

static PyObject *kernel_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"dispatcher",     "nin",      "nout",  "identity", "is_generalized",
                          "writes_outputs", "writable", "ranks", "recipe",   NULL};
  PyObject *dispatcher, *ranks, *recipe;
  int nin, nout, identity, is_generalized, writes_outputs;
  unsigned long long writable;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!iiippKSO", names, &pa_dispatcher_type, &dispatcher, &nin,
                                   &nout, &identity, &is_generalized, &writes_outputs, &writable, &ranks, &recipe))
    return NULL;
  pa_ufunc_kernel *self = (pa_ufunc_kernel *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->dispatcher = (pa_dispatcher *)Py_NewRef(dispatcher);
  self->nin = nin;
  self->nout = nout;
  self->identity = identity;
  self->is_generalized = is_generalized;
  self->writes_outputs = writes_outputs;
  self->writable = writable;
  self->ranks = Py_NewRef(ranks);
  self->recipe = Py_NewRef(recipe);
  self->copies = PyDict_New();
  pa_references_shared(); // NumPy runs loops without the GIL
  // On threads compiled code copes with any strides by itself.
  if (!is_generalized && !self->dispatcher->parallel) self->dispatcher->loop_form = "contiguous";
  if (!self->copies || !read_kernel(self)) Py_CLEAR(self);
  return (PyObject *)self;
}

static int kernel_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((pa_ufunc_kernel *)object)->dispatcher);
  Py_VISIT(((pa_ufunc_kernel *)object)->recipe);
  Py_VISIT(((pa_ufunc_kernel *)object)->copies);
  return 0;
}

// No tp_clear: calls read all of it. The function's own references are cleared by itself.
static void kernel_dealloc(PyObject *object) {
  pa_ufunc_kernel *self = (pa_ufunc_kernel *)object;
  PyObject_GC_UnTrack(object);
  Py_XDECREF(self->dispatcher);
  Py_XDECREF(self->ranks);
  Py_XDECREF(self->name);
  Py_XDECREF(self->doc);
  Py_XDECREF(self->recipe);
  Py_XDECREF(self->copies);
  Py_TYPE(object)->tp_free(object);
}

// The ufunc with loops for all of the |codes|.
static PyObject *kernel_compile(PyObject *object, PyObject *codes) {
  pa_ufunc_kernel *self = (pa_ufunc_kernel *)object;
  if (!PyTuple_Check(codes)) return PyErr_Format(PyExc_TypeError, "a tuple of type codes is needed");
  Py_ssize_t count = PyTuple_GET_SIZE(codes), done = 0;
  const pa_variant **variants = PyMem_New(const pa_variant *, count);
  if (!variants) return PyErr_NoMemory();
  for (; done < count; ++done) {
    const char *code = PyUnicode_AsUTF8(PyTuple_GET_ITEM(codes, done));
    variants[done] = code ? pa_variant_compile(self->dispatcher, code) : NULL;
    if (!variants[done]) break;
  }
  PyObject *ufunc = done == count ? pa_ufunc_make(self, variants, count) : NULL;
  PyMem_Free(variants);
  if (ufunc && !pa_ufunc_check_loops(ufunc)) Py_CLEAR(ufunc);
  return ufunc;
}

static PyMethodDef kernel_methods[] = {
    {"compile", kernel_compile, METH_O, "compile(codes)\n\nA numpy.ufunc with a loop for each type code."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject pa_ufunc_kernel_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.UfuncKernel",
    .tp_basicsize = sizeof(pa_ufunc_kernel),
    .tp_new = kernel_new,
    .tp_dealloc = kernel_dealloc,
    .tp_traverse = kernel_traverse,
    .tp_methods = kernel_methods,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
};

//===-- The types of a loop -----------------------------------------------------------------------===//

// Appends the letter of the type at |code|: a scalar's own, an array's element. NULL where it is neither.
static const char *put_letter(const char *code, bool allows_arrays, char **out_letters) {
  pa_type type;
  const char *end = pa_type_next(code, &type);
  bool fits = end && (type.kind == PA_TYPE_SCALAR || (allows_arrays && type.kind == PA_TYPE_ARRAY));
  if (!fits) return NULL;
  *(*out_letters)++ = pa_ufunc_letter_of_type(&type);
  return (*out_letters)[-1] ? end : NULL;
}

// The letters of the results |code|, a scalar or a tuple of scalars; how many, or -1.
static int put_results(const char *code, char *out_letters) {
  char *at = out_letters;
  if (*code != '(') return put_letter(code, false, &at) ? 1 : -1;
  for (++code; code && *code != ')';) {
    if (at - out_letters == PA_MAX_OPERANDS) return -1;
    code = put_letter(code, false, &at);
  }
  return code ? (int)(at - out_letters) : -1;
}

bool pa_ufunc_letters(const pa_ufunc_kernel *kernel, const pa_variant *variant, char *out_letters) {
  int parameters = kernel->nin + (kernel->writes_outputs ? kernel->nout : 0), results = 0;
  const char *code = variant->code;
  char buffer[PA_MAX_OPERANDS], *end = buffer;
  for (int i = 0; code && i < parameters; ++i) code = put_letter(code, true, &end);
  if (!kernel->writes_outputs)
    results = put_results(variant->result, end) == kernel->nout ? kernel->nout : -1;
  else if (strcmp(variant->result, "n") != 0)
    results = -1;
  if (code && *code == '>' && parameters + results == kernel->nin + kernel->nout) {
    memcpy(out_letters, buffer, (size_t)(parameters + results));
    return true;
  }
  pa_raise_instance(pa_call_helper("_ufunc_report", "wrong_result", "(Ossii)", kernel->dispatcher->function,
                                   variant->code, kernel->dispatcher->ufunc, kernel->nout, kernel->writes_outputs));
  return false;
}

//===-- Origins -----------------------------------------------------------------------------------===//

typedef struct origin {
  PyObject_HEAD pa_ufunc_kernel *kernel;
  PyObject *codes; // list of the loops' type codes
  pa_ufunc_loop *loops;
  PyUFuncGenericFunction *functions;
  void **data;
  char *types;   // type numbers of all operands of all loops
  char *letters; // the same as letters
} origin;

static bool allocate_loops(origin *self, Py_ssize_t count, Py_ssize_t operands) {
  size_t room = count ? (size_t)count : 1;
  self->loops = calloc(room, sizeof *self->loops);
  self->functions = calloc(room, sizeof *self->functions);
  self->data = calloc(room, sizeof *self->data);
  self->types = calloc(room, (size_t)operands);
  self->letters = calloc(room, (size_t)operands);
  return self->loops && self->functions && self->data && self->types && self->letters;
}

// 6 slots and 2 for each core dimension.
static size_t slot_count_of(const pa_ufunc_kernel *kernel) {
  size_t slots = 6 * (size_t)(kernel->nin + kernel->nout);
  for (Py_ssize_t i = 0; i < PyBytes_GET_SIZE(kernel->ranks); ++i)
    slots += 2 * (size_t)(unsigned char)PyBytes_AS_STRING(kernel->ranks)[i];
  return slots;
}

static bool put_loop(origin *self, Py_ssize_t number, const pa_variant *variant) {
  const pa_ufunc_kernel *kernel = self->kernel;
  int operands = kernel->nin + kernel->nout;
  char letters[PA_MAX_OPERANDS];
  if (!pa_ufunc_letters(kernel, variant, letters)) return false;
  pa_ufunc_loop *loop = &self->loops[number];
  loop->variant = variant;
  loop->kernel = self->kernel;
  loop->slot_count = slot_count_of(kernel);
  loop->packs = kernel->dispatcher->loop_form;
  loop->carries = !kernel->is_generalized && kernel->nin > 0 && kernel->nout == 1 && letters[0] == letters[kernel->nin];
  for (int i = 0; i < operands; ++i) {
    self->types[number * operands + i] = (char)pa_ufunc_type_number(letters[i]);
    self->letters[number * operands + i] = letters[i];
    loop->item_shifts[i] = (uint8_t)__builtin_ctz((unsigned)pa_ufunc_item_size(letters[i]));
  }
  self->functions[number] = pa_ufunc_run;
  self->data[number] = loop;
  PyObject *code = PyUnicode_FromString(variant->code);
  int failed = code ? PyList_Append(self->codes, code) : -1;
  Py_XDECREF(code);
  return !failed;
}

static origin *origin_make(pa_ufunc_kernel *kernel, const pa_variant *const *variants, Py_ssize_t count) {
  origin *self = (origin *)pa_ufunc_origin_type.tp_alloc(&pa_ufunc_origin_type, 0);
  if (!self) return NULL;
  self->kernel = (pa_ufunc_kernel *)Py_NewRef((PyObject *)kernel);
  self->codes = PyList_New(0);
  bool done = self->codes && allocate_loops(self, count, kernel->nin + kernel->nout);
  if (!done && !PyErr_Occurred()) PyErr_NoMemory();
  for (Py_ssize_t i = 0; done && i < count; ++i) done = put_loop(self, i, variants[i]);
  if (!done) Py_CLEAR(self);
  return self;
}

static int origin_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((origin *)object)->kernel);
  return 0;
}

static void origin_dealloc(PyObject *object) {
  origin *self = (origin *)object;
  PyObject_GC_UnTrack(object);
  Py_XDECREF(self->kernel);
  Py_XDECREF(self->codes);
  free(self->loops);
  free(self->functions);
  free(self->data);
  free(self->types);
  free(self->letters);
  Py_TYPE(object)->tp_free(object);
}

PyTypeObject pa_ufunc_origin_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.UfuncOrigin",
    .tp_basicsize = sizeof(origin),
    .tp_dealloc = origin_dealloc,
    .tp_traverse = origin_traverse,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
};

static origin *origin_of(PyObject *object) {
  if (!PyObject_TypeCheck(object, &PyUFunc_Type)) return NULL;
  PyObject *made_of = ((PyUFuncObject *)object)->obj;
  return made_of && Py_TYPE(made_of) == &pa_ufunc_origin_type ? (origin *)made_of : NULL;
}

//===-- Ufuncs ------------------------------------------------------------------------------------===//

static void copy_attribute(PyObject *to, PyObject *function, const char *name) {
  PyObject *value = PyObject_GetAttrString(function, name);
  if (!value || PyObject_SetAttrString(to, name, value) < 0) PyErr_Clear(); // ufuncs before NumPy 2.2 take none
  Py_XDECREF(value);
}

// The signature as NumPy has it: loops without outputs are compiled as if the last operand were one.
static const char *numpy_signature(const pa_ufunc_kernel *kernel, pa_string *room) {
  if (!kernel->is_generalized) return NULL;
  const char *text = kernel->dispatcher->ufunc, *arrow = kernel->nout ? NULL : strstr(text, "->");
  if (!arrow) return text;
  pa_string_append(room, text, (size_t)(arrow - text));
  pa_string_puts(room, kernel->nin > 1 ? "," : "");
  pa_string_puts(room, arrow + 2);
  return pa_string_text(room);
}

PyObject *pa_ufunc_make(pa_ufunc_kernel *kernel, const pa_variant *const *variants, Py_ssize_t count) {
  origin *from = origin_make(kernel, variants, count);
  if (!from) return NULL;
  pa_string signature = {0};
  PyObject *made = PyUFunc_FromFuncAndDataAndSignatureAndIdentity(
      from->functions, from->data, from->types, (int)count, kernel->nin, kernel->nout, kernel->identity,
      PyBytes_AS_STRING(kernel->name), kernel->doc ? PyBytes_AS_STRING(kernel->doc) : NULL, 0,
      numpy_signature(kernel, &signature), NULL);
  pa_string_free(&signature);
  if (!made) {
    Py_DECREF(from);
    return NULL;
  }
  PyUFuncObject *ufunc = (PyUFuncObject *)made;
  ufunc->obj = (PyObject *)from;
  PyObject_GC_Track(made); // NumPy leaves that to whoever sets |obj|
  for (Py_ssize_t i = 0; i < count; ++i) from->loops[i].ufunc = ufunc;
  pa_ufunc_set_resolver(made);
  pa_ufunc_keep_outputs(made);
  for (int i = 0; i < kernel->nin; ++i)
    if (kernel->writable >> i & 1) ufunc->op_flags[i] = NPY_ITER_READWRITE | NPY_ITER_UPDATEIFCOPY;
  copy_attribute(made, kernel->dispatcher->function, "__module__");
  copy_attribute(made, kernel->dispatcher->function, "__qualname__");
  return made;
}

char pa_ufunc_loop_letter(PyObject *ufunc, int number, int operand) {
  return origin_of(ufunc)->letters[number * ((PyUFuncObject *)ufunc)->nargs + operand];
}

bool pa_ufunc_check_loops(PyObject *ufunc) {
  int hidden = pa_ufunc_hidden_loop(ufunc);
  if (hidden < 0) return true;
  const origin *from = origin_of(ufunc);
  pa_raise_instance(pa_call_helper("_ufunc_report", "hidden_loop", "(OO)", from->kernel->dispatcher->function,
                                   PyList_GET_ITEM(from->codes, hidden)));
  return false;
}

//===-- Finding the kernel ------------------------------------------------------------------------===//

pa_ufunc_kernel *pa_ufunc_kernel_of(PyObject *object) {
  if (pa_is_lazy_ufunc(object)) return ((pa_lazy_ufunc *)object)->kernel;
  origin *from = origin_of(object);
  return from ? from->kernel : NULL;
}

PyObject *pa_ufunc_codes_of(PyObject *object) {
  if (pa_is_lazy_ufunc(object)) {
    object = ((pa_lazy_ufunc *)object)->declared;
    if (!object) return PyList_New(0);
  }
  return PyList_GetSlice(origin_of(object)->codes, 0, PY_SSIZE_T_MAX);
}

PyObject *pa_ufunc_describe(PyObject *module, PyObject *object) {
  (void)module;
  pa_ufunc_kernel *kernel = pa_ufunc_kernel_of(object);
  if (!kernel) Py_RETURN_NONE;
  const pa_dispatcher *dispatcher = kernel->dispatcher;
  return Py_BuildValue("(OsNN)", dispatcher->function, dispatcher->ufunc, PyDict_Copy(dispatcher->options),
                       pa_ufunc_codes_of(object));
}

PyObject *pa_ufunc_dispatcher(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *object;
  const char *signature, *form;
  if (!PyArg_ParseTuple(arguments, "Ozz", &object, &signature, &form)) return NULL;
  pa_ufunc_kernel *kernel = pa_ufunc_kernel_of(object);
  if (!kernel) Py_RETURN_NONE;
  if (!form) return Py_NewRef((PyObject *)kernel->dispatcher);
  if (!pa_ufunc_has_form(kernel, form)) return PyErr_Format(PyExc_ValueError, "loops have no form '%s'", form);
  return Py_XNewRef((PyObject *)pa_ufunc_copies_of(kernel, signature ? signature : kernel->dispatcher->ufunc, form));
}

PyObject *pa_ufunc_recipe(PyObject *module, PyObject *object) {
  (void)module;
  pa_ufunc_kernel *kernel = pa_ufunc_kernel_of(object);
  return Py_NewRef(kernel ? kernel->recipe : Py_None);
}

// A ufunc made here or a DUFunc: its function, and the loops given by signatures. False for everything else.
bool pa_put_ufunc(pa_hasher *to, PyObject *value) {
  pa_ufunc_kernel *kernel = pa_ufunc_kernel_of(value);
  PyObject *codes = kernel ? pa_ufunc_codes_of(value) : NULL;
  if (!kernel) return false;
  pa_put_tag(to, pa_is_lazy_ufunc(value) ? 'V' : 'v');
  pa_put_number(to, kernel->identity);
  pa_put_options(to, kernel->dispatcher);
  pa_put_number(to, codes ? PyList_GET_SIZE(codes) : 0);
  for (Py_ssize_t i = 0; codes && i < PyList_GET_SIZE(codes); ++i) pa_put_str(to, PyList_GET_ITEM(codes, i));
  pa_put_function(to, kernel->dispatcher->function);
  to->failed = to->failed || !codes;
  Py_XDECREF(codes);
  return true;
}
