// Threads of parallel loops: their number, numbers, and chunk sizes, as Numba's functions of the same names.
#include "ext.h"

#include "openmp.h"
#include "parallel.h"

//===-- The warning of serial execution -----------------------------------------------------------===//

static int warn_of_serial_loops(void *unused) {
  (void)unused;
  PyObject *errors = PyImport_ImportModule("pyarray.errors");
  PyObject *category = errors ? PyObject_GetAttrString(errors, "NumbaWarning") : NULL;
  if (category)
    PyErr_WarnFormat(category, 1,
                     "Parallel loops run serially: no OpenMP runtime was found (%s). Install libomp (Debian: "
                     "libomp5-19), or name the library in PYARRAY_OPENMP_LIBRARY.",
                     pa_openmp_problem());
  // Where warnings are errors it would surface in whatever the main thread does now.
  if (PyErr_Occurred()) PyErr_WriteUnraisable(category);
  Py_XDECREF(category);
  Py_XDECREF(errors);
  return 0;
}

// Called by compiled code, perhaps without the interpreter lock.
static void on_missing_runtime(void) { Py_AddPendingCall(warn_of_serial_loops, NULL); }

//===-- Functions ---------------------------------------------------------------------------------===//

// False with an exception set where |value| is no integer; numbers beyond int64 become its limits.
static bool read_integer(PyObject *value, const char *message, int64_t *out_number) {
  PyObject *index = PyIndex_Check(value) ? PyNumber_Index(value) : NULL;
  if (!index) {
    PyErr_SetString(PyExc_TypeError, message);
    return false;
  }
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(index, &overflow);
  Py_DECREF(index);
  *out_number = overflow > 0 ? INT64_MAX : overflow < 0 ? INT64_MIN : number;
  return true;
}

PyDoc_STRVAR(set_num_threads_doc, "set_num_threads($module, n, /)\n--\n\n"
                                  "Set how many threads the parallel loops of the calling thread use.\n\n"
                                  "Other threads are not affected, and new ones start with all threads.\n\n"
                                  "Parameters\n----------\n"
                                  "n : int\n"
                                  "    From 1 to ``config.NUM_THREADS``.\n\n"
                                  "Raises\n------\n"
                                  "ValueError\n    Where `n` is out of this range.\n"
                                  "TypeError\n    Where `n` is no integer.");

static PyObject *set_num_threads(PyObject *module, PyObject *value) {
  int64_t count;
  (void)module;
  if (!read_integer(value, "The number of threads specified must be an integer", &count)) return NULL;
  if (pyarray_rt_set_num_threads(count))
    return PyErr_Format(PyExc_ValueError, "The number of threads must be between 1 and %lld",
                        (long long)pyarray_rt_max_threads());
  Py_RETURN_NONE;
}

PyDoc_STRVAR(get_num_threads_doc,
             "get_num_threads($module, /)\n--\n\n"
             "Return how many threads the parallel loops of the calling thread use.\n\n"
             "Returns\n-------\n"
             "int\n    As last given to `set_num_threads` in this thread, else ``config.NUM_THREADS``.");

static PyObject *get_num_threads(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyLong_FromLongLong(pyarray_rt_get_num_threads());
}

PyDoc_STRVAR(get_thread_id_doc, "get_thread_id($module, /)\n--\n\n"
                                "Return the number of the calling thread among those of its parallel loop.\n\n"
                                "Returns\n-------\n"
                                "int\n    From 0 to ``get_num_threads() - 1``; 0 outside parallel loops.");

static PyObject *get_thread_id(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyLong_FromLongLong(pyarray_rt_get_thread_id());
}

PyDoc_STRVAR(threading_layer_doc, "threading_layer($module, /)\n--\n\n"
                                  "Return what runs parallel loops; an OpenMP runtime is loaded if none is yet.\n\n"
                                  "Returns\n-------\n"
                                  "{'omp', 'serial'}\n    'serial' where no OpenMP runtime is found.");

static PyObject *threading_layer(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyUnicode_FromString(pa_threading_layer());
}

PyDoc_STRVAR(set_parallel_chunksize_doc,
             "set_parallel_chunksize($module, n, /)\n--\n\n"
             "Set how many iterations a thread takes at a time in parallel loops of the calling thread.\n\n"
             "For loops whose iterations differ in cost: threads take such chunks as they get free.\n\n"
             "Parameters\n----------\n"
             "n : int\n"
             "    Chunks may be a little smaller, and have at least 1/65536 of the loop. 0, the default, gives each\n"
             "    thread one equal part.\n\n"
             "Returns\n-------\n"
             "int\n    The previous value.\n\n"
             "Raises\n------\n"
             "ValueError\n    Where `n` is negative.\n"
             "TypeError\n    Where `n` is no integer.");

static PyObject *set_parallel_chunksize(PyObject *module, PyObject *value) {
  int64_t size;
  (void)module;
  if (!read_integer(value, "The parallel chunksize must be an integer", &size)) return NULL;
  int64_t previous = pyarray_rt_set_parallel_chunksize(size);
  if (previous < 0) return PyErr_Format(PyExc_ValueError, "chunksize must be greater than or equal to zero");
  return PyLong_FromLongLong(previous);
}

PyDoc_STRVAR(get_parallel_chunksize_doc,
             "get_parallel_chunksize($module, /)\n--\n\n"
             "Return how many iterations a thread takes at a time in parallel loops of the calling thread.\n\n"
             "Returns\n-------\n"
             "int\n    As last given to `set_parallel_chunksize` in this thread, else 0.");

static PyObject *get_parallel_chunksize(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyLong_FromLongLong(pyarray_rt_get_parallel_chunksize());
}

static PyObject *max_threads(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyLong_FromLongLong(pyarray_rt_max_threads());
}

static PyMethodDef functions[] = {
    {"set_num_threads", set_num_threads, METH_O, set_num_threads_doc},
    {"get_num_threads", get_num_threads, METH_NOARGS, get_num_threads_doc},
    {"get_thread_id", get_thread_id, METH_NOARGS, get_thread_id_doc},
    {"threading_layer", threading_layer, METH_NOARGS, threading_layer_doc},
    {"set_parallel_chunksize", set_parallel_chunksize, METH_O, set_parallel_chunksize_doc},
    {"get_parallel_chunksize", get_parallel_chunksize, METH_NOARGS, get_parallel_chunksize_doc},
    {"max_threads", max_threads, METH_NOARGS, "The most threads that a parallel loop may have."},
    {NULL, NULL, 0, NULL},
};

int pa_parallel_initialize(PyObject *module) {
  pa_openmp_on_missing(on_missing_runtime);
  return PyModule_AddFunctions(module, functions);
}
