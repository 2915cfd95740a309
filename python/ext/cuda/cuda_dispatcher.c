// The dispatcher of cuda.jit: compiles kernels, and gives launchers, `kernel[grid, block, stream, shared bytes]`, of
// which the latest are kept.
#include "cuda.h"
#include "objects.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LAUNCHERS = 64 };

static pa_dispatcher *cast(PyObject *object) { return (pa_dispatcher *)object; }

//===-- Configurations ----------------------------------------------------------------------------===//

// A grid or a block, and what it consists of. Limits of all devices, for messages: the device itself says what it
// takes.
typedef struct extents_kind {
  const char *name, *parts;
  int most[3];
} extents_kind;

static const extents_kind grid_kind = {"the grid", "blocks", {INT32_MAX, 65535, 65535}};
static const extents_kind block_kind = {"the block", "threads", {1024, 1024, 64}};

static bool read_extent(PyObject *object, const extents_kind *kind, int axis, uint32_t *out_extent) {
  const char *what = kind->name;
  Py_ssize_t value = PyNumber_AsSsize_t(object, NULL); // the nearest one, where it does not fit
  if (value == -1 && PyErr_Occurred()) {
    if (PyErr_ExceptionMatches(PyExc_TypeError))
      PyErr_Format(PyExc_TypeError, "%s must be an int or a tuple of 1 to 3 ints, got %.100s", what,
                   Py_TYPE(object)->tp_name);
    return false;
  }
  if (value < 1) {
    PyErr_Format(PyExc_ValueError, "%s must be at least 1 along each dimension, got %R along %c", what, object,
                 "xyz"[axis]);
    return false;
  }
  if (value > INT32_MAX) {
    PyErr_Format(PyExc_ValueError, "%s has at most %d %s along %c, got %R", what, kind->most[axis], kind->parts,
                 "xyz"[axis], object);
    return false;
  }
  *out_extent = (uint32_t)value;
  return true;
}

static bool read_extents(PyObject *object, const extents_kind *kind, uint32_t out_extents[3]) {
  out_extents[0] = out_extents[1] = out_extents[2] = 1;
  if (!PyTuple_Check(object) && !PyList_Check(object)) return read_extent(object, kind, 0, &out_extents[0]);
  Py_ssize_t count = PySequence_Fast_GET_SIZE(object);
  if (count < 1 || count > 3) {
    PyErr_Format(PyExc_ValueError, "%s must have 1 to 3 dimensions, got %R", kind->name, object);
    return false;
  }
  for (int i = 0; i < (int)count; ++i)
    if (!read_extent(PySequence_Fast_GET_ITEM(object, i), kind, i, &out_extents[i])) return false;
  return true;
}

static bool read_shared(PyObject *object, uint32_t *out_bytes) {
  Py_ssize_t value = object ? PyNumber_AsSsize_t(object, PyExc_OverflowError) : 0;
  if (value == -1 && PyErr_Occurred()) return false;
  if (value < 0 || value > INT32_MAX) {
    PyErr_Format(PyExc_ValueError, "the bytes of dynamic shared memory must not be %s, got %zd",
                 value < 0 ? "negative" : "more than 2**31 - 1", value);
    return false;
  }
  *out_bytes = (uint32_t)value;
  return true;
}

static const extents_kind cluster_kind = {"the cluster", "blocks", {16, 16, 16}};

// NULL, None and (1, 1, 1): no clusters, unless the kernel was compiled for them.
static bool read_cluster(PyObject *object, uint32_t *out_cluster) {
  uint32_t extents[3], blocks = 1;
  if (!object || object == Py_None) return true;
  if (!read_extents(object, &cluster_kind, extents)) return false;
  for (int i = 0; i < 3; ++i) {
    if (extents[i] <= (uint32_t)cluster_kind.most[i] && (blocks *= extents[i]) <= 16) continue;
    PyErr_Format(PyExc_ValueError, "a cluster has at most 16 blocks, got %R", object);
    return false;
  }
  *out_cluster = extents[0] | extents[1] << 8 | extents[2] << 16;
  return true;
}

//===-- Launchers ---------------------------------------------------------------------------------===//

static PyObject *new_launcher(pa_cuda_dispatcher *self, const pa_cuda_configuration *configuration, PyObject *stream) {
  pa_cuda_launcher *made = PyObject_GC_New(pa_cuda_launcher, &pa_cuda_launcher_type);
  if (!made) return NULL;
  made->vectorcall = self->base.refusal || pa_falls_back() ? pa_cuda_launch_or_fall_back : pa_cuda_launch;
  made->configuration = *configuration;
  made->dispatcher = (pa_dispatcher *)Py_NewRef((PyObject *)self);
  made->stream = configuration->stream ? Py_NewRef(stream) : NULL;
  PyObject_GC_Track((PyObject *)made);
  return (PyObject *)made;
}

static void keep_first(pa_cuda_dispatcher *self, int from) {
  pa_cuda_launcher *launcher = self->launchers[from];
  memmove(self->launchers + 1, self->launchers, (size_t)from * sizeof *self->launchers);
  self->launchers[0] = launcher;
}

static bool is_same(const pa_cuda_launcher *launcher, const pa_cuda_configuration *c) {
  const pa_cuda_configuration *own = &launcher->configuration;
  return memcmp(own->grid, c->grid, sizeof c->grid) == 0 && memcmp(own->block, c->block, sizeof c->block) == 0 &&
         own->shared_bytes == c->shared_bytes && own->stream == c->stream && own->cluster == c->cluster;
}

static bool make_room(pa_cuda_dispatcher *self) {
  if (!self->launchers) self->launchers = PyMem_Calloc(MAX_LAUNCHERS, sizeof *self->launchers);
  if (!self->launchers) return PyErr_NoMemory(), false;
  if (self->launcher_count < MAX_LAUNCHERS) return true;
  pa_cuda_launcher *last = self->launchers[--self->launcher_count];
  Py_DECREF((PyObject *)last);
  return true;
}

// Warns where the environment asks for it and the grid is small.
static bool check_occupancy(pa_cuda_dispatcher *self, const pa_cuda_configuration *c) {
  const char *wanted = getenv("PYARRAY_CUDA_LOW_OCCUPANCY_WARNINGS");
  if (!wanted || !*wanted || strcmp(wanted, "0") == 0) return true;
  unsigned long long blocks = (unsigned long long)c->grid[0] * c->grid[1] * c->grid[2];
  PyObject *done = pa_call_helper("cuda._launch", "check_occupancy", "(OK)", self, blocks);
  Py_XDECREF(done);
  return done;
}

static PyObject *launcher_for(pa_cuda_dispatcher *self, const pa_cuda_configuration *configuration, PyObject *stream) {
  for (int i = 0; i < self->launcher_count; ++i) {
    // A stream's address may be another stream's later: one that is kept keeps its stream.
    if (!is_same(self->launchers[i], configuration) || (configuration->stream && self->launchers[i]->stream != stream))
      continue;
    if (i) keep_first(self, i);
    return Py_NewRef((PyObject *)self->launchers[0]);
  }
  bool fits = check_occupancy(self, configuration) && make_room(self);
  PyObject *made = fits ? new_launcher(self, configuration, stream) : NULL;
  if (!made) return NULL;
  self->launchers[self->launcher_count++] = (pa_cuda_launcher *)Py_NewRef(made);
  keep_first(self, self->launcher_count - 1);
  return made;
}

static PyObject *configure(PyObject *object, PyObject *grid, PyObject *block, PyObject *stream, PyObject *shared,
                           PyObject *cluster) {
  pa_cuda_configuration configuration = {0};
  if (cast(object)->cuda->device)
    return PyErr_Format(PyExc_TypeError,
                        "%U() is a device function (device=True): kernels call it, it cannot be launched",
                        ((PyFunctionObject *)cast(object)->function)->func_qualname);
  if (!read_extents(grid, &grid_kind, configuration.grid) || !read_extents(block, &block_kind, configuration.block) ||
      !read_shared(shared, &configuration.shared_bytes) || !pa_stream_argument(stream, &configuration.stream) ||
      !read_cluster(cluster, &configuration.cluster))
    return NULL;
  return launcher_for((pa_cuda_dispatcher *)object, &configuration, stream);
}

static PyObject *subscript(PyObject *object, PyObject *key) {
  Py_ssize_t count = PyTuple_Check(key) ? PyTuple_GET_SIZE(key) : 1;
  if (count < 2 || count > 5) {
    const char *given = count == 1 ? "the grid alone" : count ? "too many values" : "nothing";
    return PyErr_Format(PyExc_ValueError,
                        "a launch is configured by kernel[grid, block], kernel[grid, block, stream], "
                        "kernel[grid, block, stream, bytes of dynamic shared memory] or "
                        "kernel[grid, block, stream, bytes, cluster]; got %s",
                        given);
  }
  return configure(object, PyTuple_GET_ITEM(key, 0), PyTuple_GET_ITEM(key, 1),
                   count > 2 ? PyTuple_GET_ITEM(key, 2) : NULL, count > 3 ? PyTuple_GET_ITEM(key, 3) : NULL,
                   count > 4 ? PyTuple_GET_ITEM(key, 4) : NULL);
}

static PyObject *configure_method(PyObject *object, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"griddim", "blockdim", "stream", "sharedmem", "cluster_dims", NULL};
  PyObject *grid, *block, *stream = NULL, *shared = NULL, *cluster = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|OOO", names, &grid, &block, &stream, &shared, &cluster))
    return NULL;
  return configure(object, grid, block, stream, shared, cluster);
}

static PyObject *launcher_dimensions(const uint32_t values[3]) {
  return Py_BuildValue("(III)", values[0], values[1], values[2]);
}

static PyObject *launcher_grid(PyObject *object, void *unused) {
  (void)unused;
  return launcher_dimensions(((pa_cuda_launcher *)object)->configuration.grid);
}

static PyObject *launcher_block(PyObject *object, void *unused) {
  (void)unused;
  return launcher_dimensions(((pa_cuda_launcher *)object)->configuration.block);
}

static PyObject *launcher_stream(PyObject *object, void *unused) {
  (void)unused;
  PyObject *stream = ((pa_cuda_launcher *)object)->stream;
  return stream ? Py_NewRef(stream) : PyLong_FromLong(0);
}

static PyObject *launcher_shared(PyObject *object, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(((pa_cuda_launcher *)object)->configuration.shared_bytes);
}

static PyObject *launcher_cluster(PyObject *object, void *unused) {
  (void)unused;
  uint32_t cluster = ((pa_cuda_launcher *)object)->configuration.cluster;
  if (!cluster) Py_RETURN_NONE;
  return launcher_dimensions((uint32_t[]){cluster & 255, cluster >> 8 & 255, cluster >> 16});
}

static PyObject *launcher_dispatcher(PyObject *object, void *unused) {
  (void)unused;
  return Py_NewRef((PyObject *)((pa_cuda_launcher *)object)->dispatcher);
}

static PyGetSetDef launcher_attributes[] = {
    {"griddim", launcher_grid, NULL, NULL, NULL},
    {"blockdim", launcher_block, NULL, NULL, NULL},
    {"stream", launcher_stream, NULL, NULL, NULL},
    {"sharedmem", launcher_shared, NULL, "Bytes.", NULL},
    {"cluster_dims", launcher_cluster, NULL, "What the launch says, or None.", NULL},
    {"dispatcher", launcher_dispatcher, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *launcher_reduce(PyObject *object, PyObject *unused) {
  (void)unused;
  return pa_call_helper("cuda._launch", "reduce_launcher", "(O)", object);
}

static PyMethodDef launcher_methods[] = {
    {"__reduce__", launcher_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int launcher_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((pa_cuda_launcher *)object)->dispatcher);
  Py_VISIT(((pa_cuda_launcher *)object)->stream);
  return 0;
}

static void launcher_dealloc(PyObject *object) {
  PyObject_GC_UnTrack(object);
  Py_XDECREF((PyObject *)((pa_cuda_launcher *)object)->dispatcher);
  Py_XDECREF(((pa_cuda_launcher *)object)->stream);
  PyObject_GC_Del(object);
}

PyTypeObject pa_cuda_launcher_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.Launcher",
    .tp_basicsize = sizeof(pa_cuda_launcher),
    .tp_dealloc = launcher_dealloc,
    .tp_traverse = launcher_traverse, // cycles go through the dispatcher, which is cleared
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(pa_cuda_launcher, vectorcall),
    .tp_getset = launcher_attributes,
    .tp_methods = launcher_methods,
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
};

//===-- Options -----------------------------------------------------------------------------------===//

static bool option_truth(PyObject *options, const char *name, int otherwise, int *out_truth) {
  PyObject *value = PyDict_GetItemString(options, name);
  *out_truth = !value || value == Py_None ? otherwise : PyObject_IsTrue(value);
  return *out_truth >= -1 && !PyErr_Occurred();
}

static bool option_number(PyObject *options, const char *name, int *out_number) {
  PyObject *value = PyDict_GetItemString(options, name);
  *out_number = value ? (int)PyLong_AsLong(value) : 0;
  return !PyErr_Occurred();
}

pa_cuda_options *pa_cuda_read_options(PyObject *options) {
  pa_cuda_options *cuda = PyMem_Calloc(1, sizeof *cuda);
  if (!cuda) return (pa_cuda_options *)PyErr_NoMemory();
  int device, lineinfo, fma, opt, lto, extended;
  if (option_truth(options, "device", 0, &device) && option_truth(options, "lineinfo", 0, &lineinfo) &&
      option_truth(options, "fma", 1, &fma) && option_truth(options, "opt", 1, &opt) &&
      option_truth(options, "lto", 0, &lto) && option_truth(options, "extensions", 0, &extended) &&
      option_truth(options, "kernel_boundscheck", -1, &cuda->boundscheck) &&
      option_number(options, "max_registers", &cuda->max_registers) &&
      option_number(options, "carveout", &cuda->carveout) &&
      option_number(options, "max_threads", &cuda->max_threads) &&
      option_number(options, "min_blocks", &cuda->min_blocks) &&
      option_number(options, "max_cluster", &cuda->max_cluster) && option_number(options, "cluster", &cuda->cluster)) {
    cuda->device = device;
    cuda->lineinfo = lineinfo;
    cuda->no_fma = !fma;
    cuda->no_opt = !opt;
    cuda->lto = lto;
    cuda->extended = extended;
    return cuda;
  }
  PyMem_Free(cuda);
  return NULL;
}

//===-- The dispatcher ----------------------------------------------------------------------------===//

static PyObject *refuse_call(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names) {
  (void)values, (void)flags, (void)names;
  PyObject *name = ((PyFunctionObject *)cast(callable)->function)->func_qualname;
  if (cast(callable)->cuda->device)
    return PyErr_Format(PyExc_TypeError, "%U() is a device function (device=True): it can only be called by kernels",
                        name);
  return PyErr_Format(PyExc_ValueError,
                      "Kernel launch configuration was not specified. Use the syntax:\n\n"
                      "%U[blockspergrid, threadsperblock](arg0, arg1, ..., argn)",
                      name);
}

static bool compile_declared(pa_dispatcher *self, PyObject *codes) {
  if (PyTuple_GET_SIZE(codes)) self->declared = Py_NewRef(codes);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(codes); ++i) {
    const char *code = PyUnicode_AsUTF8(PyTuple_GET_ITEM(codes, i));
    if (!code || (!self->cuda->device && !pa_variant_compile(self, code))) return false;
  }
  if (PyTuple_GET_SIZE(codes)) self->can_compile = false;
  return true;
}

// Its kernels compute the points of a ufunc; pa_cuda_launch_points launches them.
static bool serve_ufunc(pa_dispatcher *self, const char *signature, const char *types) {
  self->ufunc = strdup(signature);
  self->loop_types = strdup(types);
  if (self->ufunc && self->loop_types) return true;
  PyErr_NoMemory();
  return false;
}

// CUDADispatcher(function, options, targetoptions, signatures=(), ufunc=None, loop_types=None)
static PyObject *dispatcher_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"function", "options", "targetoptions", "signatures", "ufunc", "loop_types", NULL};
  PyObject *function, *options, *target_options, *codes = NULL;
  const char *ufunc = NULL, *loop_types = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!O!O!|O!zz", names, &PyFunction_Type, &function, &PyDict_Type,
                                   &options, &PyDict_Type, &target_options, &PyTuple_Type, &codes, &ufunc, &loop_types))
    return NULL;
  pa_cuda_dispatcher *self = PyObject_GC_New(pa_cuda_dispatcher, type);
  if (!self) return NULL;
  memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
  if (!pa_dispatcher_init(&self->base, function, options, target_options)) return NULL;
  self->base.vectorcall = refuse_call;
  self->base.cuda = pa_cuda_read_options(options);
  bool serves = !ufunc || !loop_types || serve_ufunc(&self->base, ufunc, loop_types);
  if (serves && self->base.cuda && (!codes || compile_declared(&self->base, codes) || pa_put_off(&self->base)))
    return (PyObject *)self;
  Py_DECREF((PyObject *)self);
  return NULL;
}

static void release_launchers(pa_cuda_dispatcher *self) {
  while (self->launcher_count) {
    pa_cuda_launcher *last = self->launchers[--self->launcher_count];
    Py_DECREF((PyObject *)last);
  }
}

static int dispatcher_traverse(PyObject *object, visitproc visit, void *arg) {
  pa_cuda_dispatcher *self = (pa_cuda_dispatcher *)object;
  for (int i = 0; i < self->launcher_count; ++i) Py_VISIT((PyObject *)self->launchers[i]);
  return pa_dispatcher_type.tp_traverse(object, visit, arg);
}

static int dispatcher_clear(PyObject *object) {
  release_launchers((pa_cuda_dispatcher *)object);
  return pa_dispatcher_type.tp_clear(object);
}

bool pa_is_exiting(void) {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

// While it is whole: exceptions are made of it.
static void dispatcher_finalize(PyObject *object) {
  if (!pa_is_exiting()) pa_cuda_keep_failures(cast(object));
}

static void dispatcher_dealloc(PyObject *object) {
  if (PyObject_CallFinalizerFromDealloc(object) < 0) return;
  PyObject_GC_UnTrack(object);
  release_launchers((pa_cuda_dispatcher *)object);
  PyMem_Free(((pa_cuda_dispatcher *)object)->launchers);
  pa_dispatcher_type.tp_dealloc(object);
}

static PyObject *dispatcher_repr(PyObject *object) {
  return PyUnicode_FromFormat("CUDADispatcher(%R)", cast(object)->function);
}

static PyMappingMethods dispatcher_as_mapping = {.mp_subscript = subscript};

// Methods that are functions of pyarray/cuda/_launch.py.
#define PA_IN_PYTHON(row)                                                                                              \
  row(forall, "forall(ntasks, tpb=0, stream=0, sharedmem=0)\n\nA launcher with as many threads as tasks, at least.")   \
      row(specialize, "specialize(*args)\n\nA kernel for the types of these arguments alone.")                         \
          row(inspect_ptx, "inspect_ptx(signature=None, cc=None, lineinfo=None)\n\nPTX as text, with that of what is " \
                           "linked behind it; no GPU is "                                                              \
                           "needed.")                                                                                  \
              row(inspect_lto_ptx,                                                                                     \
                  "inspect_lto_ptx(signature=None)\n\nThe same of a kernel with lto, which has what that "             \
                  "inlines.")                                                                                          \
                  row(inspect_sass,                                                                                    \
                      "inspect_sass(signature=None)\n\nThe GPU's machine code as text, by nvdisasm or cuobjdump.")     \
                      row(get_regs_per_thread, "get_regs_per_thread(signature=None)")                                  \
                          row(get_shared_mem_per_block, "get_shared_mem_per_block(signature=None)\n\nBytes, static.")  \
                              row(get_local_mem_per_thread, "get_local_mem_per_thread(signature=None)\n\nBytes.")      \
                                  row(get_const_mem_size, "get_const_mem_size(signature=None)\n\nBytes.")              \
                                      row(get_max_threads_per_block, "get_max_threads_per_block(signature=None)")      \
                                          row(max_cooperative_grid_blocks,                                             \
                                              "max_cooperative_grid_blocks(blockdim, dynsmemsize=0, signature=None, "  \
                                              "cluster_dims=None)\n\n"                                                 \
                                              "The most blocks of a grid whose blocks wait for each other.")

#define PA_DEFINE(name, text)                                                                                          \
  static PyObject *name(PyObject *self, PyObject *arguments, PyObject *keywords) {                                     \
    return pa_call_as_method("cuda._launch", #name, self, arguments, keywords);                                        \
  }
PA_IN_PYTHON(PA_DEFINE)
#undef PA_DEFINE

static PyObject *get_doc(PyObject *self, void *unused) {
  (void)unused;
  return PyObject_GetAttrString(cast(self)->function, "__doc__");
}

static PyObject *get_device(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(cast(self)->cuda->device);
}

static PyObject *get_extensions(PyObject *self, void *unused) {
  (void)unused;
  PyObject *extensions = PyDict_GetItemString(cast(self)->options, "extensions");
  return extensions ? Py_NewRef(extensions) : PyTuple_New(0);
}

static PyGetSetDef dispatcher_attributes[] = {
    {"__doc__", get_doc, NULL, NULL, NULL}, // a type without a docstring has one that is None
    {"extensions", get_extensions, NULL, "What prepares the arguments of a launch.", NULL},
    {"device", get_device, NULL, "Whether it is a device function.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyMethodDef pa_cuda_dispatcher_methods[] = {
    {"configure", PA_KEYWORDS(configure_method),
     "configure(griddim, blockdim, stream=0, sharedmem=0, cluster_dims=None)\n\nThe same as indexing."},
#define PA_ROW(name, text) {#name, PA_KEYWORDS(name), text},
    PA_IN_PYTHON(PA_ROW)
#undef PA_ROW
        {"_kernel_attributes", pa_kernel_attributes_of, METH_O, NULL},
    {"_suggest_block", pa_kernel_block_for, METH_VARARGS, NULL},
    {"_active_blocks", pa_kernel_active_blocks_of, METH_VARARGS, NULL},
    {"_cooperative_blocks", pa_kernel_cooperative_blocks_of, METH_VARARGS, NULL},
    {"_binary", pa_kernel_binary_of, METH_O, NULL},
    {"_argument_codes", pa_kernel_argument_codes, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject pa_cuda_dispatcher_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.CUDADispatcher",
    .tp_base = &pa_dispatcher_type,
    .tp_basicsize = sizeof(pa_cuda_dispatcher),
    .tp_new = dispatcher_new,
    .tp_dealloc = dispatcher_dealloc,
    .tp_finalize = dispatcher_finalize,
    .tp_traverse = dispatcher_traverse,
    .tp_clear = dispatcher_clear,
    .tp_repr = dispatcher_repr,
    .tp_as_mapping = &dispatcher_as_mapping,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(pa_dispatcher, vectorcall),
    .tp_methods = pa_cuda_dispatcher_methods,
    .tp_getset = dispatcher_attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
};
