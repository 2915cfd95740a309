// What `jit(...)` with options or signatures returns: called with a function, it makes the dispatcher and compiles the
// declared signatures. In C, so that a function that cannot be compiled raises without frames of ours in its traceback.
#include "objects.h"

typedef struct decorator {
  PyObject_HEAD PyObject *options;
  PyObject *target_options;
  PyObject *codes; // tuple of signatures as type codes
  bool cuda;       // makes dispatchers of kernels
} decorator;

static bool compile_declared(pa_dispatcher *dispatcher, PyObject *codes) {
  if (PyTuple_GET_SIZE(codes)) dispatcher->declared = Py_NewRef(codes);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(codes); ++i) {
    const char *code = PyUnicode_AsUTF8(PyTuple_GET_ITEM(codes, i));
    if (!code || !pa_variant_compile(dispatcher, code)) return false;
  }
  if (PyTuple_GET_SIZE(codes)) dispatcher->can_compile = false;
  return true;
}

PyObject *pa_refuse_call(PyObject *object, PyObject *const *values, size_t flags, PyObject *names) {
  (void)values, (void)flags, (void)names;
  PyObject *refusal = ((pa_dispatcher *)object)->refusal;
  if (PyException_SetTraceback(refusal, Py_None) == 0) pa_raise_instance(Py_NewRef(refusal));
  return NULL;
}

bool pa_put_off(pa_dispatcher *dispatcher) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject *off = value ? pa_call_helper("_report", "put_off", "(OO)", dispatcher->function, value) : NULL;
  if (off == Py_True) {
    Py_XSETREF(dispatcher->refusal, Py_NewRef(value));
    dispatcher->can_compile = false;
  }
  bool raised = PyErr_Occurred();
  if (off == Py_True || raised) {
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
  } else {
    PyErr_Restore(type, value, traceback);
  }
  Py_XDECREF(off);
  return dispatcher->refusal && !raised;
}

static PyObject *decorator_call(PyObject *object, PyObject *arguments, PyObject *keywords) {
  decorator *self = (decorator *)object;
  static char *names[] = {"function", NULL};
  PyObject *function;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O", names, &function)) return NULL;
  if (self->cuda && Py_TYPE(function) == &pa_dispatcher_type && !((pa_dispatcher *)function)->ufunc)
    function = ((pa_dispatcher *)function)->function; // the kernel of a function that is compiled for the CPU, too
  if (!PyFunction_Check(function)) {
    pa_raise_instance(pa_call_helper("_report", "not_a_function", "(O)", function));
    return NULL;
  }
  if (self->cuda)
    return PyObject_CallFunctionObjArgs((PyObject *)pa_forward.cuda_dispatcher_type, function, self->options,
                                        self->target_options, self->codes, NULL);
  PyObject *dispatcher = pa_dispatcher_new(function, self->options, self->target_options);
  if (!dispatcher || compile_declared((pa_dispatcher *)dispatcher, self->codes)) return dispatcher;
  if (!pa_put_off((pa_dispatcher *)dispatcher)) return Py_DECREF(dispatcher), NULL;
  if (!pa_falls_back()) ((pa_dispatcher *)dispatcher)->vectorcall = pa_refuse_call;
  return dispatcher;
}

static PyObject *decorator_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"options", "targetoptions", "signatures", "cuda", NULL};
  PyObject *options, *target_options, *codes;
  int cuda = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!O!O!|p", names, &PyDict_Type, &options, &PyDict_Type,
                                   &target_options, &PyTuple_Type, &codes, &cuda))
    return NULL;
  decorator *self = (decorator *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->options = Py_NewRef(options);
  self->target_options = Py_NewRef(target_options);
  self->codes = Py_NewRef(codes);
  self->cuda = cuda;
  return (PyObject *)self;
}

static int decorator_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((decorator *)object)->options);
  Py_VISIT(((decorator *)object)->target_options);
  Py_VISIT(((decorator *)object)->codes);
  return 0;
}

static int decorator_clear(PyObject *object) {
  Py_CLEAR(((decorator *)object)->options);
  Py_CLEAR(((decorator *)object)->target_options);
  Py_CLEAR(((decorator *)object)->codes);
  return 0;
}

static void decorator_dealloc(PyObject *object) {
  PyObject_GC_UnTrack(object);
  decorator_clear(object);
  Py_TYPE(object)->tp_free(object);
}

// pandas asks whether an engine has it: DataFrame.apply(f, engine=njit(nogil=True), raw=True).
static PyObject *get_pandas_engine(PyObject *self, void *unused) {
  (void)self, (void)unused;
  return pa_call_helper("_pandas", "engine", "()");
}

static PyGetSetDef decorator_attributes[] = {
    {"__pandas_udf__", get_pandas_engine, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject pa_decorator_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.Decorator",
    .tp_basicsize = sizeof(decorator),
    .tp_new = decorator_new,
    .tp_call = decorator_call,
    .tp_getset = decorator_attributes,
    .tp_traverse = decorator_traverse,
    .tp_clear = decorator_clear,
    .tp_dealloc = decorator_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
};
