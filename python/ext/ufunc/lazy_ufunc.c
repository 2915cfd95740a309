// pyarray.DUFunc: a ufunc that gets a loop for every new combination of input types.
//
// A call writes the types of its operands as a key, one letter each, and looks for the ufunc that serves it: the one of
// the latest call, nearly always. Which loop serves a key never depends on earlier calls:
//   1. loops given by signatures, in their order, as NumPy picks them: the first to which all inputs can be cast
//   safely;
//   2. the loop for exactly the types of the key (lazy_types.c). Ints are int64 where the function does not compile for
//   the type that the other operands have, or their values do not fit it.
// For 2 there is a ufunc with that loop alone, so that NumPy has no choice. self->ufunc has all loops and only answers
// what is asked about types.
#include "objects.h"
#include "ufunc.h"

#include <stdlib.h>
#include <string.h>

// What serves a key.
struct pa_lazy_entry {
  pa_lazy_entry *next;
  PyObject *ufunc;
  bool has_narrow_ints; // a Python int becomes another integer than int64, whose values it may exceed
  char key[];           // with its NUL
};

static pa_lazy_ufunc *cast(PyObject *object) { return (pa_lazy_ufunc *)object; }

//===-- Letters -----------------------------------------------------------------------------------===//

// In the range that NumPy's own types have; a dtype of another library may have any number.
static char letter_of_descr(const PyArray_Descr *descr) {
  char letter = pa_ufunc_letter(descr);
  if (letter) return letter;
  return (unsigned)descr->type_num <= NPY_HALF ? descr->type : PA_KEY_FOREIGN;
}

// The letter of NumPy's own scalars, by their class; 0 for other values. The common ones come first.
static char scalar_letter(PyObject *value) {
  const PyTypeObject *const classes[] = {
      &PyDoubleArrType_Type, &PyLongArrType_Type,  &PyFloatArrType_Type,  &PyIntArrType_Type,     &PyBoolArrType_Type,
      &PyULongArrType_Type,  &PyUByteArrType_Type, &PyShortArrType_Type,  &PyCDoubleArrType_Type, &PyByteArrType_Type,
      &PyUShortArrType_Type, &PyUIntArrType_Type,  &PyCFloatArrType_Type, &PyHalfArrType_Type,
  };
  static const char letters[] = "dqfi?QBhDbHIFe";
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
    if (Py_TYPE(value) == classes[i]) return letters[i];
  return '\0';
}

// Letters of exact types: the first look at every operand of a call.
static inline char quick_letter(PyObject *value) {
  if (PA_LIKELY(PyArray_CheckExact(value))) return letter_of_descr(PyArray_DESCR((PyArrayObject *)value));
  if (PyFloat_CheckExact(value)) return PA_KEY_FLOAT;
  if (PyLong_CheckExact(value)) return PA_KEY_INT;
  if (PyComplex_CheckExact(value)) return PA_KEY_COMPLEX;
  return PyBool_Check(value) ? '?' : scalar_letter(value);
}

char pa_lazy_letter(PyObject *value) {
  char letter = quick_letter(value);
  if (letter) return letter;
  if (PyArray_Check(value)) return letter_of_descr(PyArray_DESCR((PyArrayObject *)value));
  if (!PyArray_CheckScalar(value)) return '\0';
  PyArray_Descr *descr = PyArray_DescrFromScalar(value);
  if (!descr) {
    PyErr_Clear();
    return '\0';
  }
  letter = letter_of_descr(descr);
  Py_DECREF(descr);
  return letter;
}

char pa_lazy_dtype_letter(PyObject *dtype) {
  PyArray_Descr *descr = NULL;
  if (!PyArray_DescrConverter(dtype, &descr)) return '\0';
  char letter = letter_of_descr(descr);
  Py_DECREF(descr);
  return letter;
}

Py_ssize_t pa_lazy_key_length(const pa_lazy_ufunc *self) {
  return self->kernel->nin + (self->kernel->writes_outputs ? self->kernel->nout : 0);
}

//===-- What serves a key -------------------------------------------------------------------------===//

static pa_lazy_entry *find_entry(const pa_lazy_ufunc *self, const char *key) {
  pa_lazy_entry *entry = self->entries;
  while (entry && strcmp(entry->key, key) != 0) entry = entry->next;
  return entry;
}

void pa_lazy_forget(pa_lazy_ufunc *self) {
  pa_lazy_entry *entry = self->entries;
  self->entries = self->last = NULL;
  while (entry) {
    pa_lazy_entry *next = entry->next;
    Py_DECREF(entry->ufunc);
    free(entry);
    entry = next;
  }
}

// Of the one loop that serves |key|, unless signatures gave it.
static bool has_narrow_ints(const pa_lazy_ufunc *self, const char *key, PyObject *ufunc) {
  bool any = false;
  for (int i = 0; ufunc != self->declared && !self->is_frozen && i < self->kernel->nin; ++i) {
    char letter = key[i] == PA_KEY_INT ? pa_ufunc_loop_letter(ufunc, 0, i) : 'q';
    any = any || (letter != 'q' && pa_dtype_kind_of(letter) <= PA_DTYPE_UNSIGNED);
  }
  return any;
}

// Remembers what serves |key|. It is no error where there is no memory. Compiling let other threads in, which may have
// done the same.
static void remember(pa_lazy_ufunc *self, const char *key, PyObject *ufunc) {
  size_t length = strlen(key);
  pa_lazy_entry *entry = find_entry(self, key) ? NULL : malloc(sizeof *entry + length + 1);
  if (!entry) return;
  entry->next = self->entries;
  entry->ufunc = Py_NewRef(ufunc);
  entry->has_narrow_ints = has_narrow_ints(self, key, ufunc);
  memcpy(entry->key, key, length + 1);
  self->entries = entry;
}

//===-- Loops given by signatures -----------------------------------------------------------------===//

static bool has_declared_loop(const pa_lazy_ufunc *self, const char *key) {
  const PyUFuncObject *ufunc = (const PyUFuncObject *)self->declared;
  for (int number = 0; ufunc && number < ufunc->ntypes; ++number) {
    bool fits = true;
    for (int i = 0; fits && i < ufunc->nin; ++i)
      fits = pa_lazy_can_cast(key[i], pa_ufunc_loop_letter(self->declared, number, i));
    if (fits) return true;
  }
  return false;
}

//===-- Loops for types ---------------------------------------------------------------------------===//

static bool append_variant(pa_lazy_variants *to, const pa_variant *variant) {
  const pa_variant **grown = PyMem_Realloc(to->items, ((size_t)to->count + 1) * sizeof *grown);
  if (!grown) return PyErr_NoMemory(), false;
  to->items = grown;
  to->items[to->count++] = variant;
  return true;
}

// Makes self->ufunc again, with the loops that there are now.
static bool gather(pa_lazy_ufunc *self) {
  Py_ssize_t count = self->given.count + self->made.count;
  const pa_variant **all = PyMem_New(const pa_variant *, count ? count : 1);
  if (!all) return PyErr_NoMemory(), false;
  for (Py_ssize_t i = 0; i < count; ++i)
    all[i] = i < self->given.count ? self->given.items[i] : self->made.items[i - self->given.count];
  PyObject *ufunc = pa_ufunc_make(self->kernel, all, count);
  PyMem_Free(all);
  if (ufunc) Py_XSETREF(self->ufunc, ufunc);
  return ufunc;
}

// The ufunc with the one loop for the type code |code|. New reference.
static PyObject *specialize(pa_lazy_ufunc *self, PyObject *code) {
  PyObject *known = PyDict_GetItemWithError(self->specialized, code);
  if (known || PyErr_Occurred()) return Py_XNewRef(known);
  const char *text = PyUnicode_AsUTF8(code);
  const pa_variant *variant = text ? pa_variant_compile(self->kernel->dispatcher, text) : NULL;
  if (!variant) return NULL;
  known = PyDict_GetItemWithError(self->specialized, code); // another thread may have waited for the same
  if (known) return Py_NewRef(known);
  PyObject *ufunc = pa_ufunc_make(self->kernel, &variant, 1);
  bool done = ufunc && append_variant(&self->made, variant) && gather(self) &&
              PyDict_SetItem(self->specialized, code, ufunc) == 0;
  if (!done) Py_CLEAR(ufunc);
  return ufunc;
}

static PyObject *raise_no_loop(const pa_lazy_ufunc *self, const char *key) {
  char shown[PA_MAX_OPERANDS + 1] = "";
  for (size_t i = 0; key[i]; ++i) shown[i] = pa_ufunc_shown_letter(key[i]);
  pa_raise_instance(pa_call_helper("_ufunc_report", "no_loop", "(Os)", self->kernel->dispatcher->function, shown));
  return NULL;
}

static PyObject *specialize_types(pa_lazy_ufunc *self, const char *exact) {
  PyObject *code = pa_lazy_code_for(self->kernel, exact);
  PyObject *ufunc = code ? specialize(self, code) : NULL;
  Py_XDECREF(code);
  return ufunc;
}

static bool is_typing_error(void) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *module = PyImport_ImportModule("pyarray.errors");
  PyObject *class = module ? PyObject_GetAttrString(module, "TypingError") : NULL;
  int is_one = class && type ? PyObject_IsSubclass(type, class) : 0;
  Py_XDECREF(class);
  Py_XDECREF(module);
  PyErr_Restore(type, value, traceback);
  return is_one > 0;
}

// After a TypingError, which stays where this does not help either: a count or an index beside floats is to be an int.
static PyObject *resolve_with_long_ints(pa_lazy_ufunc *self, const char *key) {
  char long_key[PA_MAX_OPERANDS + 1], exact[PA_MAX_OPERANDS + 1] = "";
  if (!pa_lazy_with_long_ints(key, long_key) || pa_lazy_make_exact(self, long_key, exact)) return NULL;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *ufunc = specialize_types(self, exact);
  if (!ufunc && is_typing_error()) {
    PyErr_Restore(type, value, traceback); // drops the later one
    return NULL;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  return ufunc;
}

PyObject *pa_lazy_resolve(pa_lazy_ufunc *self, const char *key) {
  char exact[PA_MAX_OPERANDS + 1] = "";
  if (self->is_frozen) return Py_NewRef(self->ufunc);
  if (has_declared_loop(self, key)) return Py_NewRef(self->declared);
  if (pa_lazy_make_exact(self, key, exact)) return raise_no_loop(self, key);
  PyObject *ufunc = specialize_types(self, exact);
  return ufunc || !is_typing_error() ? ufunc : resolve_with_long_ints(self, key);
}

// int32 + int32 is an int64: the sum of int32 is one of int64.
static PyObject *resolve_reduction(pa_lazy_ufunc *self, char letter) {
  PyObject *ufunc = pa_lazy_resolve(self, (char[]){letter, letter, '\0'});
  if (!ufunc || ufunc == self->declared || self->is_frozen) return ufunc;
  const PyUFuncObject *found = (const PyUFuncObject *)ufunc;
  char result = pa_ufunc_loop_letter(ufunc, 0, found->nin);
  if (result != letter) Py_SETREF(ufunc, pa_lazy_resolve(self, (char[]){result, result, '\0'}));
  return ufunc;
}

PyObject *pa_lazy_resolve_reduction(pa_lazy_ufunc *self, char letter) {
  char key[] = {letter, '\0'}; // shorter than those of calls
  const pa_lazy_entry *entry = find_entry(self, key);
  if (entry) return Py_NewRef(entry->ufunc);
  PyObject *ufunc = resolve_reduction(self, letter);
  if (ufunc) remember(self, key, ufunc);
  return ufunc;
}

bool pa_lazy_add(pa_lazy_ufunc *self, const char *code) {
  const pa_variant *variant = pa_variant_compile(self->kernel->dispatcher, code);
  if (!variant) return false;
  for (Py_ssize_t i = 0; i < self->given.count; ++i)
    if (self->given.items[i] == variant) return true;
  PyObject *declared = append_variant(&self->given, variant) && gather(self)
                           ? pa_ufunc_make(self->kernel, self->given.items, self->given.count)
                           : NULL;
  if (declared && !pa_ufunc_check_loops(declared)) {
    --self->given.count;
    Py_CLEAR(declared);
  }
  if (!declared) return false;
  Py_XSETREF(self->declared, declared);
  pa_lazy_forget(self);
  return true;
}

//===-- Calls -------------------------------------------------------------------------------------===//

static PyObject *call_ufunc(PyObject *ufunc, PyObject *const *values, size_t flags, PyObject *names) {
  Py_INCREF(ufunc); // add() in another thread may drop the entry meanwhile
  PyObject *result = PyObject_Vectorcall(ufunc, values, flags, names);
  Py_DECREF(ufunc);
  return result;
}

// Python's ints that are not among the values of their operands in the loop count as int64 in |out_key|; false where
// all fit.
static bool with_unfit_ints(const char *key, PyObject *ufunc, PyObject *const *values, char *out_key) {
  const int nin = ((PyUFuncObject *)ufunc)->nin;
  bool any = false;
  strcpy(out_key, key);
  for (int i = 0; i < nin; ++i)
    if (key[i] == PA_KEY_INT && !pa_lazy_int_fits(values[i], pa_ufunc_loop_letter(ufunc, 0, i)))
      any = true, out_key[i] = 'q';
  return any;
}

PyObject *pa_lazy_call_key(pa_lazy_ufunc *self, const char *key, PyObject *const *values, size_t flags,
                           PyObject *names) {
  char long_key[PA_MAX_OPERANDS + 1];
  pa_lazy_entry *entry = find_entry(self, key);
  PyObject *ufunc = entry ? Py_NewRef(entry->ufunc) : pa_lazy_resolve(self, key);
  if (!ufunc) return NULL;
  if (!entry) remember(self, key, ufunc);
  bool may_not_fit = entry ? entry->has_narrow_ints : has_narrow_ints(self, key, ufunc);
  if (entry && !may_not_fit) self->last = entry;
  PyObject *result = may_not_fit && with_unfit_ints(key, ufunc, values, long_key)
                         ? pa_lazy_call_key(self, long_key, values, flags, names)
                         : call_ufunc(ufunc, values, flags, names);
  Py_DECREF(ufunc);
  return result;
}

// The keywords are out=array alone, which has no say in the types.
static bool is_plain_out(const pa_lazy_ufunc *self, PyObject *const *values, PyObject *names) {
  return PyTuple_GET_SIZE(names) == 1 && PyArray_CheckExact(values[0]) && !self->kernel->writes_outputs &&
         PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), "out") == 0;
}

static PyObject *lazy_call(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  pa_lazy_ufunc *self = cast(callable);
  char key[PA_MAX_OPERANDS + 1];
  Py_ssize_t length = pa_lazy_key_length(self), i = 0;
  if (PA_UNLIKELY(PyVectorcall_NARGS(flags) != length || (names && !is_plain_out(self, values + length, names))))
    return pa_lazy_call_any(self, values, flags, names);
  for (; i < length && (key[i] = quick_letter(values[i])) && (pa_has_weak_numbers || !pa_lazy_is_weak(key[i])); ++i)
    continue;
  if (PA_UNLIKELY(i < length)) return pa_lazy_call_any(self, values, flags, names);
  const pa_lazy_entry *last = self->last;
  if (PA_LIKELY(last && memcmp(last->key, key, (size_t)length) == 0))
    return call_ufunc(last->ufunc, values, flags, names);
  key[length] = '\0';
  return pa_lazy_call_key(self, key, values, flags, names);
}

// Of a function that was refused, or that the real Numba may have.
static PyObject *call_or_fall_back(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  pa_dispatcher *dispatcher = cast(callable)->kernel->dispatcher;
  if (dispatcher->twin) return PyObject_Vectorcall(dispatcher->twin, values, flags, names);
  PyObject *result = dispatcher->refusal ? pa_refuse_call((PyObject *)dispatcher, values, flags, names)
                                         : lazy_call(callable, values, flags, names);
  if (result || !pa_falls_back()) return result;
  return pa_fall_back(dispatcher, callable, "__call__", values, PyVectorcall_NARGS(flags), names);
}

//===-- Life --------------------------------------------------------------------------------------===//

// DUFunc(function, identity=None, ...): as Numba's is made, which vectorize() does here.
static PyObject *make_of_function(PyObject *arguments, PyObject *keywords) {
  PyObject *module = PyImport_ImportModule("pyarray.ufuncs"),
           *make = module ? PyObject_GetAttrString(module, "_dufunc") : NULL,
           *made = make ? PyObject_Call(make, arguments, keywords) : NULL;
  Py_XDECREF(make);
  Py_XDECREF(module);
  return made;
}

static PyObject *lazy_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  bool ours = PyTuple_GET_SIZE(arguments) && PyObject_TypeCheck(PyTuple_GET_ITEM(arguments, 0), &pa_ufunc_kernel_type);
  if (PyTuple_GET_SIZE(arguments) && !ours) return make_of_function(arguments, keywords);
  static char *names[] = {"kernel", "refusal", NULL};
  PyObject *kernel, *refusal = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!|O", names, &pa_ufunc_kernel_type, &kernel, &refusal))
    return NULL;
  pa_lazy_ufunc *self = cast(type->tp_alloc(type, 0));
  if (!self) return NULL;
  pa_has_weak_numbers = PyArray_GetNDArrayCFeatureVersion() >= NPY_2_0_API_VERSION;
  self->vectorcall = refusal || pa_falls_back() ? call_or_fall_back : lazy_call;
  self->kernel = (pa_ufunc_kernel *)Py_NewRef(kernel);
  if (refusal) Py_XSETREF(self->kernel->dispatcher->refusal, Py_NewRef(refusal));
  self->specialized = PyDict_New();
  if (!self->specialized || !gather(self)) Py_CLEAR(self);
  return (PyObject *)self;
}

static int lazy_traverse(PyObject *object, visitproc visit, void *arg) {
  pa_lazy_ufunc *self = cast(object);
  Py_VISIT(self->kernel);
  Py_VISIT(self->ufunc);
  Py_VISIT(self->declared);
  Py_VISIT(self->specialized);
  Py_VISIT(self->attributes);
  for (pa_lazy_entry *entry = self->entries; entry; entry = entry->next) Py_VISIT(entry->ufunc);
  return 0;
}

// The rest stays until the end, since calls read it.
static int lazy_clear(PyObject *object) {
  Py_CLEAR(cast(object)->attributes);
  return 0;
}

static void lazy_dealloc(PyObject *object) {
  pa_lazy_ufunc *self = cast(object);
  PyObject_GC_UnTrack(object);
  if (self->weak_references) PyObject_ClearWeakRefs(object);
  pa_lazy_forget(self);
  lazy_clear(object);
  Py_XDECREF(self->ufunc);
  Py_XDECREF(self->declared);
  Py_XDECREF(self->specialized);
  PyMem_Free(self->given.items);
  PyMem_Free(self->made.items);
  Py_XDECREF(self->kernel);
  Py_TYPE(object)->tp_free(object);
}

static PyObject *lazy_repr(PyObject *object) {
  return PyUnicode_FromFormat("<pyarray.DUFunc '%s'>", PyBytes_AS_STRING(cast(object)->kernel->name));
}

PyTypeObject pa_lazy_ufunc_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray.DUFunc",
    .tp_basicsize = sizeof(pa_lazy_ufunc),
    .tp_doc = "A ufunc that gets a loop for every new combination of input types.",
    .tp_new = lazy_new,
    .tp_dealloc = lazy_dealloc,
    .tp_traverse = lazy_traverse,
    .tp_clear = lazy_clear,
    .tp_repr = lazy_repr,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(pa_lazy_ufunc, vectorcall),
    .tp_dictoffset = offsetof(pa_lazy_ufunc, attributes),
    .tp_weaklistoffset = offsetof(pa_lazy_ufunc, weak_references),
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_methods = pa_lazy_methods,
    .tp_getset = pa_lazy_attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
};
