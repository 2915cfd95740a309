// The type of a GPU's ufuncs. A call whose operands are device arrays and numbers, of which types there was a call
// before, is done here; Python has the others (pyarray/cuda/_ufuncs.py): host arrays are copied, loops compiled, rare
// keywords taken apart. It comes back by _run, with device arrays and numbers.
#include "cuda_ufunc.h"

#include <string.h>

#include <structmember.h>

//===-- Loops -------------------------------------------------------------------------------------===//

static void free_loop(pa_cuda_loop *loop) {
  Py_XDECREF((PyObject *)loop->dispatcher);
  for (int i = 0; i < PA_MAX_OPERANDS; ++i) Py_XDECREF((PyObject *)loop->dtypes[i]);
  PyMem_Free(loop);
}

static bool read_dtypes(const pa_cuda_ufunc *self, PyObject *dtypes, pa_cuda_loop *loop) {
  if (!PyTuple_Check(dtypes) || PyTuple_GET_SIZE(dtypes) != self->nargs)
    return PyErr_Format(PyExc_TypeError, "malformed loop"), false;
  for (int i = 0; i < self->nargs; ++i) {
    if (!PyArray_DescrConverter(PyTuple_GET_ITEM(dtypes, i), &loop->dtypes[i])) return false;
    loop->letters[i] = pa_ufunc_letter(loop->dtypes[i]);
  }
  return true;
}

// Of an object with a dispatcher and dtypes (_ufunc_loops._Loop).
static pa_cuda_loop *new_loop(const pa_cuda_ufunc *self, PyObject *object) {
  pa_cuda_loop *loop = PyMem_Calloc(1, sizeof *loop);
  if (!loop) return (pa_cuda_loop *)PyErr_NoMemory();
  PyObject *dispatcher = PyObject_GetAttrString(object, "dispatcher"),
           *dtypes = dispatcher ? PyObject_GetAttrString(object, "dtypes") : NULL;
  bool done = dtypes && PyObject_TypeCheck(dispatcher, &pa_cuda_dispatcher_type) && read_dtypes(self, dtypes, loop);
  Py_XDECREF(dtypes);
  loop->dispatcher = (pa_dispatcher *)dispatcher;
  if (done) return loop;
  if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "malformed loop");
  free_loop(loop);
  return NULL;
}

// What _loop_for calls an input's type: a dtype, or the type of a number of Python's own.
static PyObject *kind_of(PyObject *value) {
  if (pa_is_device_array(value)) return Py_NewRef((PyObject *)((pa_device_array *)value)->dtype);
  if (PyArray_IsScalar(value, Generic)) return (PyObject *)PyArray_DescrFromScalar(value);
  return PyBool_Check(value) ? (PyObject *)PyArray_DescrFromType(NPY_BOOL) : Py_NewRef((PyObject *)Py_TYPE(value));
}

static pa_cuda_loop *ask_for_loop(pa_cuda_ufunc *self, PyObject *const *values) {
  PyObject *kinds = PyTuple_New(self->nin), *are_numbers = PyTuple_New(self->nin), *found = NULL;
  bool done = kinds && are_numbers;
  for (int i = 0; i < self->nin && done; ++i) {
    PyObject *kind = kind_of(values[i]);
    done = kind;
    PyTuple_SET_ITEM(kinds, i, kind);
    PyTuple_SET_ITEM(are_numbers, i, PyBool_FromLong(!pa_is_device_array(values[i])));
  }
  if (done) found = PyObject_CallMethod((PyObject *)self, "_loop_for", "(OO)", kinds, are_numbers);
  Py_XDECREF(kinds);
  Py_XDECREF(are_numbers);
  pa_cuda_loop *loop = found ? new_loop(self, found) : NULL;
  Py_XDECREF(found);
  return loop;
}

// Two letters for each input: its type, and whether it is a number. False where the type has no letter.
static bool put_key(const pa_cuda_ufunc *self, PyObject *const *values, char *key) {
  for (int i = 0; i < self->nin; ++i) {
    PyObject *value = values[i];
    char letter;
    bool is_array = pa_is_device_array(value);
    if (is_array) {
      letter = pa_ufunc_letter(((pa_device_array *)value)->dtype);
    } else if (PyFloat_CheckExact(value)) {
      letter = PA_KEY_FLOAT;
    } else if (PyLong_CheckExact(value)) {
      letter = PA_KEY_INT;
    } else if (PyComplex_CheckExact(value)) {
      letter = PA_KEY_COMPLEX;
    } else {
      PyArray_Descr *descr = (PyArray_Descr *)kind_of(value);
      letter = descr ? pa_ufunc_letter(descr) : '\0';
      Py_XDECREF((PyObject *)descr);
    }
    if (!letter) return false;
    key[2 * i] = letter;
    key[2 * i + 1] = is_array ? 'a' : 'n';
  }
  return true;
}

static pa_cuda_loop *find_loop(pa_cuda_ufunc *self, PyObject *const *values, const char *key) {
  size_t length = 2 * (size_t)self->nin;
  pa_cuda_loop **link = &self->loops, *loop;
  while (*link && memcmp((*link)->key, key, length) != 0) link = &(*link)->next;
  loop = *link;
  if (loop)
    *link = loop->next;
  else if (!(loop = ask_for_loop(self, values)))
    return NULL;
  memcpy(loop->key, key, length);
  loop->next = self->loops;
  return self->loops = loop;
}

//===-- Calls -------------------------------------------------------------------------------------===//

typedef enum outcome { FAILED, DONE, FOR_PYTHON } outcome;

static bool is_number(PyObject *value) {
  return PyFloat_CheckExact(value) || PyLong_CheckExact(value) || PyComplex_CheckExact(value) || PyBool_Check(value) ||
         PyArray_IsScalar(value, Number) || PyArray_IsScalar(value, Bool) || PyArray_IsScalar(value, Datetime);
}

// The memory is there; Python's path says why it is not.
static bool is_ready(PyObject *array) {
  if (pa_device_array_ready((pa_device_array *)array)) return true;
  PyErr_Clear();
  return false;
}

// Device arrays, one at least, and numbers.
static bool take_inputs(const pa_cuda_ufunc *self, PyObject *const *values) {
  bool on_device = false;
  for (int i = 0; i < self->nin; ++i) {
    bool is_array = pa_is_device_array(values[i]);
    if (is_array && !is_ready(values[i])) return false;
    on_device = on_device || is_array;
    if (!is_array && (self->core->operands[i].rank || !is_number(values[i]))) return false;
  }
  return on_device;
}

static bool take_output(pa_points *p, int number, PyObject *value) {
  if (value == Py_None) return true;
  if (!pa_is_device_array(value) || !is_ready(value)) return false;
  p->values[p->ufunc->nin + number] = value;
  return true;
}

static bool take_out(pa_points *p, PyObject *out) {
  int count = p->ufunc->nout;
  if (!PyTuple_Check(out)) return count == 1 && take_output(p, 0, out);
  if (PyTuple_GET_SIZE(out) != count) return false;
  for (int i = 0; i < count; ++i)
    if (!take_output(p, i, PyTuple_GET_ITEM(out, i))) return false;
  return true;
}

static bool take_mask(pa_points *p, PyObject *where) {
  if (where == Py_True) return true;
  if (!pa_is_device_array(where) || !is_ready(where) || ((pa_device_array *)where)->dtype->type_num != NPY_BOOL)
    return false;
  p->values[p->ufunc->nargs] = where;
  return true;
}

// Fills |p|'s values with borrowed references. False: it is for Python.
static bool take_arguments(const pa_cuda_ufunc *self, PyObject *const *values, Py_ssize_t count, PyObject *names,
                           pa_points *p) {
  if (!self->core || count < self->nin || count > self->nargs || !take_inputs(self, values)) return false;
  memset(p->values, 0, (size_t)(self->nargs + 1) * sizeof *p->values);
  memcpy(p->values, values, (size_t)self->nin * sizeof *values);
  for (Py_ssize_t i = self->nin; i < count; ++i)
    if (!take_output(p, (int)i - self->nin, values[i])) return false;
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
    PyObject *name = PyTuple_GET_ITEM(names, i), *value = values[count + i];
    if (PyUnicode_CompareWithASCIIString(name, "stream") == 0)
      p->stream = value;
    else if (PyUnicode_CompareWithASCIIString(name, "where") == 0 && take_mask(p, value))
      continue;
    else if (PyUnicode_CompareWithASCIIString(name, "out") != 0 || count > self->nin || !take_out(p, value))
      return false;
  }
  return true;
}

// Kernels convert neither elements of cores nor units of times.
static bool needs_copies(const pa_points *p) {
  for (int i = 0; i < p->ufunc->nargs; ++i) {
    const pa_device_array *array = pa_operand_array(p, i);
    char letter = array ? pa_ufunc_letter(array->dtype) : '\0', wanted = p->loop->letters[i];
    if (array && letter != wanted && (pa_operand_cores(p, i) || pa_ufunc_is_time(letter) || pa_ufunc_is_time(wanted)))
      return true;
  }
  return false;
}

static void hold(const pa_points *p) {
  for (int i = 0; i <= p->ufunc->nargs; ++i) Py_XINCREF(p->values[i]);
}

static void release(const pa_points *p) {
  for (int i = 0; i <= p->ufunc->nargs; ++i) Py_XDECREF(p->values[i]);
}

static outcome call_here(pa_cuda_ufunc *self, PyObject *const *values, Py_ssize_t count, PyObject *names,
                         PyObject **out_result) {
  char key[2 * PA_MAX_OPERANDS];
  pa_points p;
  p.ufunc = self;
  p.stream = NULL;
  if (!take_arguments(self, values, count, names, &p) || !put_key(self, values, key)) return FOR_PYTHON;
  p.loop = find_loop(self, values, key);
  if (!p.loop || !pa_stream_argument(p.stream, &p.handle)) return FAILED;
  if (needs_copies(&p)) return FOR_PYTHON;
  hold(&p);
  bool done = pa_points_compute(&p);
  if (done && self->nout == 1) {
    *out_result = Py_NewRef(p.values[self->nin]);
  } else if (done) {
    *out_result = PyTuple_New(self->nout);
    for (int i = 0; *out_result && i < self->nout; ++i)
      PyTuple_SET_ITEM(*out_result, i, Py_NewRef(p.values[self->nin + i]));
  }
  release(&p);
  return done && *out_result ? DONE : FAILED;
}

static PyObject *call_python(pa_cuda_ufunc *self, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  Py_ssize_t all = count + (names ? PyTuple_GET_SIZE(names) : 0);
  PyObject *name = PyUnicode_InternFromString("_call"), *result = NULL;
  PyObject **arguments = PyMem_New(PyObject *, all + 1);
  if (arguments && name) {
    arguments[0] = (PyObject *)self;
    memcpy(arguments + 1, values, (size_t)all * sizeof *values);
    result = PyObject_VectorcallMethod(name, arguments, (size_t)count + 1, names);
  }
  PyMem_Free(arguments);
  Py_XDECREF(name);
  if (!result && !PyErr_Occurred()) PyErr_NoMemory();
  return result;
}

static PyObject *call(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  PyObject *result = NULL;
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  outcome made = call_here((pa_cuda_ufunc *)callable, values, count, names, &result);
  return made == FOR_PYTHON ? call_python((pa_cuda_ufunc *)callable, values, count, names) : result;
}

static PyObject *run_loop(pa_cuda_ufunc *self, pa_points *p, PyObject *values, PyObject *mask) {
  for (int i = 0; i < self->nargs; ++i) {
    PyObject *value = PyTuple_GET_ITEM(values, i);
    p->values[i] = value == Py_None ? NULL : value;
  }
  p->values[self->nargs] = mask == Py_None ? NULL : mask;
  hold(p);
  PyObject *outputs = pa_points_compute(p) ? PyTuple_New(self->nout) : NULL;
  for (int i = 0; outputs && i < self->nout; ++i) PyTuple_SET_ITEM(outputs, i, Py_NewRef(p->values[self->nin + i]));
  release(p);
  return outputs;
}

// _run(loop, operands, mask, stream) -> tuple of outputs. |operands|: device arrays, numbers, and None for outputs that
// are to be made.
static PyObject *run(PyObject *object, PyObject *arguments) {
  pa_cuda_ufunc *self = (pa_cuda_ufunc *)object;
  PyObject *loop_object, *values, *mask;
  pa_points p = {.ufunc = self};
  if (!PyArg_ParseTuple(arguments, "OO!OO", &loop_object, &PyTuple_Type, &values, &mask, &p.stream)) return NULL;
  if (!self->core || PyTuple_GET_SIZE(values) != self->nargs)
    return PyErr_Format(PyExc_ValueError, "%zd operands", PyTuple_GET_SIZE(values));
  if (!pa_stream_argument(p.stream, &p.handle)) return NULL;
  pa_cuda_loop *loop = new_loop(self, loop_object);
  p.loop = loop;
  PyObject *outputs = loop ? run_loop(self, &p, values, mask) : NULL;
  if (loop) free_loop(loop);
  return outputs;
}

//===-- The type ----------------------------------------------------------------------------------===//

static PyObject *ufunc_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  (void)arguments, (void)keywords;
  pa_cuda_ufunc *self = (pa_cuda_ufunc *)type->tp_alloc(type, 0);
  if (self) self->vectorcall = call;
  return (PyObject *)self;
}

static bool read_signature(pa_cuda_ufunc *self, PyObject *signature) {
  Py_ssize_t length;
  const char *text = PyUnicode_AsUTF8AndSize(signature, &length);
  pa_core_signature *core = text ? PyMem_Malloc(sizeof *core) : NULL;
  if (!core) return PyErr_NoMemory(), false;
  const char *error = pa_core_signature_parse(text, (size_t)length, core);
  if (error) {
    PyMem_Free(core);
    return PyErr_Format(PyExc_ValueError, "malformed signature '%U': %s", signature, error), false;
  }
  PyMem_Free(self->core);
  self->core = core;
  self->nin = core->input_count;
  self->nout = core->output_count;
  self->nargs = self->nin + self->nout;
  for (int i = 0; i < core->dimension_count; ++i)
    self->has_optional = self->has_optional || core->dimensions[i].optional;
  for (int i = 0; i < self->nargs; ++i) self->is_generalized = self->is_generalized || core->operands[i].rank;
  return true;
}

// UFunc(name, signature, array type)
static int ufunc_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"name", "signature", "array_type", NULL};
  pa_cuda_ufunc *self = (pa_cuda_ufunc *)object;
  PyObject *name, *signature, *type;
  if (self->core) return PyErr_Format(PyExc_RuntimeError, "it is made already"), -1;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "UUO!", names, &name, &signature, &PyType_Type, &type))
    return -1;
  if (!PyType_IsSubtype((PyTypeObject *)type, &pa_device_array_type))
    return PyErr_Format(PyExc_TypeError, "results are device arrays"), -1;
  self->name = Py_NewRef(name);
  self->signature = Py_NewRef(signature);
  self->array_type = (PyTypeObject *)Py_NewRef(type);
  return read_signature(self, signature) ? 0 : -1;
}

static int ufunc_traverse(PyObject *object, visitproc visit, void *arg) {
  const pa_cuda_ufunc *self = (pa_cuda_ufunc *)object;
  for (const pa_cuda_loop *loop = self->loops; loop; loop = loop->next) Py_VISIT((PyObject *)loop->dispatcher);
  Py_VISIT((PyObject *)self->array_type);
  return 0;
}

static int ufunc_clear(PyObject *object) {
  pa_cuda_ufunc *self = (pa_cuda_ufunc *)object;
  while (self->loops) {
    pa_cuda_loop *loop = self->loops;
    self->loops = loop->next;
    free_loop(loop);
  }
  return 0;
}

static void ufunc_dealloc(PyObject *object) {
  pa_cuda_ufunc *self = (pa_cuda_ufunc *)object;
  PyObject_GC_UnTrack(object);
  ufunc_clear(object);
  Py_XDECREF(self->name);
  Py_XDECREF(self->signature);
  Py_XDECREF((PyObject *)self->array_type);
  PyMem_Free(self->core);
  Py_TYPE(object)->tp_free(object);
}

static PyMemberDef members[] = {
    {"nin", T_INT, offsetof(pa_cuda_ufunc, nin), READONLY, "Inputs."},
    {"nout", T_INT, offsetof(pa_cuda_ufunc, nout), READONLY, "Outputs."},
    {"nargs", T_INT, offsetof(pa_cuda_ufunc, nargs), READONLY, "Operands."},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef methods[] = {
    {"_run", run, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject pa_cuda_ufunc_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.UFunc",
    .tp_basicsize = sizeof(pa_cuda_ufunc),
    .tp_new = ufunc_new,
    .tp_init = ufunc_init,
    .tp_dealloc = ufunc_dealloc,
    .tp_traverse = ufunc_traverse,
    .tp_clear = ufunc_clear,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(pa_cuda_ufunc, vectorcall),
    .tp_methods = methods,
    .tp_members = members,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
};
