// Calls of a DUFunc in general, and its methods: which operands decide on the loop, and then NumPy does the rest.
#include "objects.h"
#include "ufunc.h"

#include <string.h>

static pa_lazy_ufunc *cast(PyObject *object) { return (pa_lazy_ufunc *)object; }

static bool is_name(PyObject *name, const char *text) { return PyUnicode_CompareWithASCIIString(name, text) == 0; }

// The argument by keyword |name|, borrowed; NULL without an exception where it is absent or None.
static PyObject *find_keyword(PyObject *const *values, Py_ssize_t count, PyObject *names, const char *name) {
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i)
    if (is_name(PyTuple_GET_ITEM(names, i), name)) return values[count + i] == Py_None ? NULL : values[count + i];
  return NULL;
}

// The argument |index| or by keyword |name|.
static PyObject *find_argument(PyObject *const *values, Py_ssize_t count, PyObject *names, Py_ssize_t index,
                               const char *name) {
  if (index >= count) return find_keyword(values, count, names, name);
  return values[index] == Py_None ? NULL : values[index];
}

//===-- Inputs ------------------------------------------------------------------------------------===//

// The letter of something that is no array; it is replaced by the array, which is made once, unless it is to wrap
// results.
static char letter_as_array(PyObject **value, PyObject *kept) {
  PyObject *array = PyArray_FromAny(*value, NULL, 0, 0, 0, NULL);
  if (!array) return '\0';
  char letter = pa_lazy_letter(array);
  bool is_number = PyLong_Check(*value) || PyFloat_Check(*value) || PyComplex_Check(*value);
  if (!is_number && !PyArray_CheckScalar(*value) && !PyObject_HasAttrString(*value, "__array_wrap__")) {
    if (PyList_Append(kept, array) < 0) letter = '\0';
    *value = array;
  }
  Py_DECREF(array);
  return letter;
}

bool pa_lazy_put_inputs(PyObject **values, Py_ssize_t count, char *key, PyObject *kept) {
  for (Py_ssize_t i = 0; i < count; ++i) {
    key[i] = pa_lazy_letter(values[i]);
    if (!key[i]) key[i] = letter_as_array(&values[i], kept);
    if (!key[i]) return false;
  }
  return true;
}

//===-- dtype= and signature= ---------------------------------------------------------------------===//

// Letters that signature="ff->f" or signature=(None, "f", ...) gives; others stay. False where it cannot be read,
// without an exception: NumPy then says so.
static bool read_signature(PyObject *signature, char *key, Py_ssize_t length) {
  if (PyUnicode_Check(signature)) {
    const char *text = PyUnicode_AsUTF8(signature);
    for (Py_ssize_t i = 0; text && i < length && *text; ++i) {
      if (strncmp(text, "->", 2) == 0) text += 2;
      PyArray_Descr *descr = PyArray_DescrFromType(*text++);
      key[i] = descr ? pa_ufunc_letter(descr) : '\0';
      Py_XDECREF(descr);
      if (!key[i]) break;
    }
  } else if (PyTuple_Check(signature) && PyTuple_GET_SIZE(signature) >= length) {
    for (Py_ssize_t i = 0; i < length; ++i)
      if (PyTuple_GET_ITEM(signature, i) != Py_None) key[i] = pa_lazy_dtype_letter(PyTuple_GET_ITEM(signature, i));
  }
  PyErr_Clear();
  return strlen(key) == (size_t)length;
}

static bool read_types(PyObject *const *values, Py_ssize_t count, PyObject *names, char *key) {
  Py_ssize_t length = (Py_ssize_t)strlen(key);
  PyObject *dtype = find_keyword(values, count, names, "dtype");
  PyObject *signature = find_keyword(values, count, names, "signature");
  if (!signature) signature = find_keyword(values, count, names, "sig");
  if (signature) return read_signature(signature, key, length);
  if (!dtype) return true;
  char letter = pa_lazy_dtype_letter(dtype);
  PyErr_Clear();
  memset(key, letter, (size_t)length);
  return letter;
}

//===-- The call ----------------------------------------------------------------------------------===//

// The letters of the outputs given by position or by out=.
static bool put_outputs(const pa_lazy_ufunc *self, PyObject *const *values, Py_ssize_t count, PyObject *names,
                        char *key) {
  int nin = self->kernel->nin;
  PyObject *out = find_keyword(values, count, names, "out");
  for (int i = 0; i < self->kernel->nout; ++i) {
    PyObject *given = nin + i < count ? values[nin + i] : out;
    if (given && given == out && PyTuple_Check(out))
      given = i < PyTuple_GET_SIZE(out) ? PyTuple_GET_ITEM(out, i) : NULL;
    key[nin + i] = !given || given == Py_None ? PA_KEY_ABSENT : pa_lazy_letter(given);
    if (!key[nin + i]) return false;
  }
  return true;
}

// False where NumPy is to refuse the call, or with an exception set.
static bool read_key(pa_lazy_ufunc *self, PyObject **values, Py_ssize_t count, PyObject *names, char *key,
                     PyObject *kept) {
  Py_ssize_t length = pa_lazy_key_length(self), nin = self->kernel->nin;
  key[length] = '\0';
  if (count < nin || count > nin + self->kernel->nout || !pa_lazy_put_inputs(values, nin, key, kept)) return false;
  if (length > nin && !put_outputs(self, values, count, names, key)) return false;
  return read_types(values, count, names, key);
}

PyObject *pa_lazy_call_any(pa_lazy_ufunc *self, PyObject *const *given, size_t flags, PyObject *names) {
  Py_ssize_t count = PyVectorcall_NARGS(flags), total = count + (names ? PyTuple_GET_SIZE(names) : 0);
  char key[PA_MAX_OPERANDS + 1];
  if (pa_have_override(given, count, names)) return pa_call_override(self, "__call__", given, count, names);
  PyObject *kept = PyList_New(0), **values = PyMem_New(PyObject *, total ? total : 1), *result = NULL;
  if (!kept || !values) {
    PyErr_NoMemory();
  } else {
    memcpy(values, given, (size_t)total * sizeof *values);
    if (read_key(self, values, count, names, key, kept) && pa_lazy_harden(self, values, key, kept))
      result = pa_lazy_call_key(self, key, values, (size_t)count, names);
    else if (!PyErr_Occurred())
      result = PyObject_Vectorcall(self->ufunc, values, (size_t)count, names);
  }
  PyMem_Free(values);
  Py_XDECREF(kept);
  return result;
}

//===-- Methods of ufuncs -------------------------------------------------------------------------===//

static PyObject *call_method(PyObject *ufunc, const char *name, PyObject *const *values, Py_ssize_t count,
                             PyObject *names) {
  PyObject *method = ufunc ? PyObject_GetAttrString(ufunc, name) : NULL;
  PyObject *result = method ? PyObject_Vectorcall(method, values, (size_t)count, names) : NULL;
  Py_XDECREF(method);
  return result;
}

// The type in which a reduction computes: dtype=, or that of the array.
static char reduction_letter(PyObject *array, PyObject *dtype) {
  if (dtype) return pa_lazy_dtype_letter(dtype);
  if (PyArray_Check(array)) return pa_lazy_letter(array);
  PyObject *kept = PyList_New(0);
  char letter[2] = "";
  if (kept) pa_lazy_put_inputs(&array, 1, letter, kept);
  Py_XDECREF(kept);
  return letter[0];
}

static PyObject *reduce_own(pa_lazy_ufunc *self, const char *name, Py_ssize_t dtype_index, PyObject *const *values,
                            Py_ssize_t count, PyObject *names) {
  if (pa_have_override(values, count, names)) return pa_call_override(self, name, values, count, names);
  PyObject *array = find_argument(values, count, names, 0, "array");
  bool can_reduce = array && self->kernel->nin == 2 && self->kernel->nout == 1 && !self->kernel->is_generalized;
  if (!can_reduce) return call_method(self->ufunc, name, values, count, names); // NumPy says why not
  char letter = reduction_letter(array, find_argument(values, count, names, dtype_index, "dtype"));
  PyObject *ufunc = letter ? pa_lazy_resolve_reduction(self, letter) : NULL;
  PyObject *result = call_method(ufunc, name, values, count, names);
  Py_XDECREF(ufunc);
  return result;
}

// Methods whose operands are |first| and |second|.
static PyObject *pair_own(pa_lazy_ufunc *self, const char *name, Py_ssize_t second, PyObject *const *values,
                          Py_ssize_t count, PyObject *names) {
  if (pa_have_override(values, count, names)) return pa_call_override(self, name, values, count, names);
  int nin = self->kernel->nin;
  bool fits = !self->kernel->is_generalized && nin <= 2 && (nin == 1 ? count >= 1 : count > second);
  if (!fits) return call_method(self->ufunc, name, values, count, names);
  PyObject *operands[2] = {values[0], nin == 2 ? values[second] : NULL}, *kept = PyList_New(0), *ufunc = NULL;
  char key[3] = "";
  bool done = kept && pa_lazy_put_inputs(operands, nin, key, kept);
  for (int i = 0; done && i < nin; ++i) key[i] = pa_lazy_letter_alone(key[i]); // these methods make arrays of numbers
  if (done && read_types(values, count, names, key))
    ufunc = pa_lazy_resolve(self, key);
  else if (!PyErr_Occurred())
    ufunc = Py_NewRef(self->ufunc);
  PyObject *result = call_method(ufunc, name, values, count, names);
  Py_XDECREF(ufunc);
  Py_XDECREF(kept);
  return result;
}

typedef PyObject *method_like(pa_lazy_ufunc *self, const char *name, Py_ssize_t index, PyObject *const *values,
                              Py_ssize_t count, PyObject *names);

// |own|, unless the function was refused.
static PyObject *call_like(method_like *own, PyObject *object, const char *name, Py_ssize_t index,
                           PyObject *const *values, Py_ssize_t count, PyObject *names) {
  pa_dispatcher *dispatcher = cast(object)->kernel->dispatcher;
  if (dispatcher->twin) return call_method(dispatcher->twin, name, values, count, names);
  PyObject *result = dispatcher->refusal ? pa_refuse_call((PyObject *)dispatcher, values, (size_t)count, names)
                                         : own(cast(object), name, index, values, count, names);
  return result || !pa_falls_back() ? result : pa_fall_back(dispatcher, object, name, values, count, names);
}

static PyObject *reduce_like(PyObject *self, const char *name, Py_ssize_t dtype_index, PyObject *const *values,
                             Py_ssize_t count, PyObject *names) {
  return call_like(reduce_own, self, name, dtype_index, values, count, names);
}

static PyObject *pair_like(PyObject *self, const char *name, Py_ssize_t second, PyObject *const *values,
                           Py_ssize_t count, PyObject *names) {
  return call_like(pair_own, self, name, second, values, count, names);
}

static PyObject *reduce(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  return reduce_like(self, "reduce", 2, values, count, names);
}

static PyObject *accumulate(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  return reduce_like(self, "accumulate", 2, values, count, names);
}

static PyObject *reduceat(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  return reduce_like(self, "reduceat", 3, values, count, names);
}

static PyObject *outer(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  return pair_like(self, "outer", 1, values, count, names);
}

static PyObject *at(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  return pair_like(self, "at", 2, values, count, names);
}

// Letters of the dtypes and number classes that resolve_dtypes() takes.
static char resolvable_letter(PyObject *dtype) {
  if (dtype == Py_None) return PA_KEY_ABSENT;
  if (dtype == (PyObject *)&PyLong_Type) return PA_KEY_INT;
  if (dtype == (PyObject *)&PyFloat_Type) return PA_KEY_FLOAT;
  if (dtype == (PyObject *)&PyComplex_Type) return PA_KEY_COMPLEX;
  return pa_lazy_dtype_letter(dtype);
}

static PyObject *resolve_dtypes(PyObject *object, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  pa_lazy_ufunc *self = cast(object);
  PyObject *dtypes = find_argument(values, count, names, 0, "dtypes");
  Py_ssize_t length = pa_lazy_key_length(self);
  bool fits = dtypes && PyTuple_Check(dtypes) && PyTuple_GET_SIZE(dtypes) >= length;
  char key[PA_MAX_OPERANDS + 1] = "";
  for (Py_ssize_t i = 0; fits && i < length; ++i) {
    key[i] = resolvable_letter(PyTuple_GET_ITEM(dtypes, i));
    fits = key[i] && (key[i] != PA_KEY_ABSENT || i >= self->kernel->nin);
  }
  PyErr_Clear();
  PyObject *ufunc = fits ? pa_lazy_resolve(self, key) : Py_NewRef(self->ufunc);
  PyObject *result = call_method(ufunc, "resolve_dtypes", values, count, names);
  Py_XDECREF(ufunc);
  return result;
}

//===-- Methods of its own ------------------------------------------------------------------------===//

static PyObject *add(PyObject *self, PyObject *signature) {
  if (cast(self)->is_frozen) return PyErr_Format(PyExc_RuntimeError, "compilation disabled for %R", self);
  PyObject *code = pa_call_helper("ufuncs", "_code_for_kernel", "(OO)", cast(self)->kernel->recipe, signature);
  const char *text = code ? PyUnicode_AsUTF8(code) : NULL;
  bool done = text && pa_lazy_add(cast(self), text);
  Py_XDECREF(code);
  return done ? Py_NewRef(Py_None) : NULL;
}

static PyObject *compile_for_types(PyObject *self, PyObject *types) {
  PyObject *given = PySequence_Tuple(types);
  PyObject *done = given ? add(self, given) : NULL;
  Py_XDECREF(given);
  return done;
}

static PyObject *disable_compile(PyObject *self, PyObject *unused) {
  (void)unused;
  cast(self)->is_frozen = true;
  pa_lazy_forget(cast(self));
  Py_RETURN_NONE;
}

static PyObject *build_ufunc(PyObject *self, PyObject *unused) {
  (void)unused;
  return Py_NewRef(self);
}

static PyObject *reduce_for_pickle(PyObject *self, PyObject *unused) {
  (void)unused;
  return pa_call_helper("ufuncs", "_reduce", "(O)", self);
}

#define FAST(function) (PyCFunction)(void (*)(void)) function, METH_FASTCALL | METH_KEYWORDS

PyMethodDef pa_lazy_methods[] = {
    {"reduce", FAST(reduce), "As numpy.ufunc.reduce."},
    {"accumulate", FAST(accumulate), "As numpy.ufunc.accumulate."},
    {"reduceat", FAST(reduceat), "As numpy.ufunc.reduceat."},
    {"outer", FAST(outer), "As numpy.ufunc.outer."},
    {"at", FAST(at), "As numpy.ufunc.at."},
    {"resolve_dtypes", FAST(resolve_dtypes), "As numpy.ufunc.resolve_dtypes."},
    {"add", add, METH_O, "add(signature)\n\nCompile a loop for a signature; such loops are tried first."},
    {"_compile_for_argtys", compile_for_types, METH_O, "add() of a tuple of types, as Numba calls it."},
    {"disable_compile", disable_compile, METH_NOARGS, "Compile nothing more: inputs are cast to the loops there are."},
    {"build_ufunc", build_ufunc, METH_NOARGS, "The DUFunc itself."},
    {"__reduce__", reduce_for_pickle, METH_NOARGS, NULL},
    {"__copy__", build_ufunc, METH_NOARGS, NULL},
    {"__deepcopy__", (PyCFunction)build_ufunc, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

//===-- Attributes --------------------------------------------------------------------------------===//

static PyObject *get_of_ufunc(PyObject *self, void *name) { return PyObject_GetAttrString(cast(self)->ufunc, name); }

static PyObject *get_of_function(PyObject *self, void *name) {
  return PyObject_GetAttrString(cast(self)->kernel->dispatcher->function, name);
}

static PyObject *get_function(PyObject *self, void *unused) {
  (void)unused;
  return Py_NewRef(cast(self)->kernel->dispatcher->function);
}

static PyObject *get_ufunc(PyObject *self, void *unused) {
  (void)unused;
  return Py_NewRef(cast(self)->ufunc);
}

static PyObject *get_dispatcher(PyObject *self, void *unused) {
  (void)unused;
  return Py_NewRef((PyObject *)cast(self)->kernel->dispatcher);
}

static PyObject *get_target_options(PyObject *self, void *unused) {
  (void)unused;
  return PyDict_Copy(cast(self)->kernel->dispatcher->target_options);
}

static PyObject *get_codes(PyObject *self, void *unused) {
  (void)unused;
  return pa_ufunc_codes_of(cast(self)->ufunc);
}

static PyObject *get_is_frozen(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(cast(self)->is_frozen);
}

static int set_is_frozen(PyObject *self, PyObject *value, void *unused) {
  (void)unused;
  int frozen = value ? PyObject_IsTrue(value) : 0;
  if (frozen < 0) return -1;
  cast(self)->is_frozen = frozen;
  pa_lazy_forget(cast(self));
  return 0;
}

#define OF_UFUNC(name) {name, get_of_ufunc, NULL, NULL, (void *)name}
#define OF_FUNCTION(name) {name, get_of_function, NULL, NULL, (void *)name}

PyGetSetDef pa_lazy_attributes[] = {
    OF_UFUNC("nin"),
    OF_UFUNC("nout"),
    OF_UFUNC("nargs"),
    OF_UFUNC("ntypes"),
    OF_UFUNC("types"),
    OF_UFUNC("identity"),
    OF_UFUNC("signature"),
    OF_UFUNC("__doc__"),
    OF_UFUNC("_resolve_dtypes_and_context"),
    OF_UFUNC("_get_strided_loop"),
    OF_FUNCTION("__name__"),
    OF_FUNCTION("__qualname__"),
    OF_FUNCTION("__module__"),
    {"__wrapped__", get_function, NULL, NULL, NULL},
    {"py_func", get_function, NULL, "The plain Python function.", NULL},
    {"ufunc", get_ufunc, NULL, "A numpy.ufunc with the loops that there are now.", NULL},
    {"_dispatcher", get_dispatcher, NULL, NULL, NULL},
    {"_frozen", get_is_frozen, set_is_frozen, NULL, NULL},
    {"_codes", get_codes, NULL, NULL, NULL}, // of all loops, those that calls made included
    {"targetoptions", get_target_options, NULL, "The options given to the decorator.", NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
