// Graphs as Python sees them (pyarray/cuda/_graphs.py). A graph keeps alive whatever was used while it was captured.
#include "cuda.h"

#include "cuda/graph.h"

typedef struct graph_object {
  PyObject_HEAD pa_cuda_graph graph;
  PyObject *keep; // list of what the graph uses
} graph_object;

int pa_capture_count;                       // of all threads
static _Thread_local graph_object *capture; // this thread's

bool pa_graph_keeps(PyObject *object) { return !capture || !object || PyList_Append(capture->keep, object) == 0; }

static void finish(void) {
  capture = NULL;
  --pa_capture_count;
}

// _begin(stream): None for a stream of its own.
static PyObject *begin(PyObject *object, PyObject *stream_object) {
  graph_object *self = (graph_object *)object;
  CUstream stream = NULL;
  pa_cuda_context *context = pa_cuda_here();
  if (!context || (stream_object != Py_None && !pa_stream_argument(stream_object, &stream))) return NULL;
  if (stream_object != Py_None && (!stream || stream == CU_STREAM_LEGACY))
    return PyErr_Format(PyExc_ValueError, "the default stream cannot be captured: give another one, or none");
  if (!pa_cuda_ok(pa_cuda_graph_begin(context, stream, &self->graph))) return NULL;
  self->keep = PyList_New(0);
  capture = self;
  ++pa_capture_count;
  if (self->keep && PyList_Append(self->keep, stream_object) == 0) Py_RETURN_NONE;
  finish();
  pa_cuda_graph_destroy(&self->graph);
  return NULL;
}

// _end(discard)
static PyObject *end(PyObject *object, PyObject *discard) {
  graph_object *self = (graph_object *)object;
  if (capture != self) return PyErr_Format(PyExc_RuntimeError, "this thread does not capture the graph");
  pa_status status = pa_cuda_graph_end(&self->graph, discard == Py_True);
  finish();
  if (!status && discard != Py_True) Py_RETURN_NONE;
  pa_cuda_graph_destroy(&self->graph);
  Py_CLEAR(self->keep);
  return pa_cuda_ok(status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *launch(PyObject *object, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"stream", NULL};
  graph_object *self = (graph_object *)object;
  PyObject *stream_object = NULL;
  CUstream stream;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O", names, &stream_object) ||
      !pa_stream_argument(stream_object, &stream))
    return NULL;
  if (!self->graph.resource.destroy) return PyErr_Format(PyExc_RuntimeError, "the graph was not captured");
  if (capture == self) return PyErr_Format(PyExc_RuntimeError, "the graph is being captured");
  if (!pa_compute_deferred()) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status = pa_cuda_graph_launch(&self->graph, stream);
  Py_END_ALLOW_THREADS return pa_cuda_ok(status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *get_nodes(PyObject *object, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(((graph_object *)object)->graph.nodes);
}

static int graph_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((graph_object *)object)->keep);
  return 0;
}

static void graph_dealloc(PyObject *object) {
  graph_object *self = (graph_object *)object;
  PyObject_GC_UnTrack(object);
  if (capture == self) finish();
  Py_BEGIN_ALLOW_THREADS pa_cuda_graph_destroy(&self->graph); // it waits for the device
  Py_END_ALLOW_THREADS Py_CLEAR(self->keep);
  Py_TYPE(object)->tp_free(object);
}

static PyMethodDef methods[] = {
    {"_begin", begin, METH_O, NULL},
    {"_end", end, METH_O, NULL},
    {"launch", PA_KEYWORDS(launch), "launch(stream=0)\n\nEnqueue all that was captured."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"nodes", get_nodes, NULL, "How many kernels, copies and fills were captured.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject pa_graph_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.cuda.Graph",
    .tp_basicsize = sizeof(graph_object),
    .tp_new = PyType_GenericNew,
    .tp_dealloc = graph_dealloc,
    .tp_traverse = graph_traverse,
    .tp_methods = methods,
    .tp_getset = attributes,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
};
