// CUDA's libraries as Python opens them (pyarray/cuda/_libraries.py finds them).
#include "cuda_libraries.h"

static bool library_argument(const char *name, pa_cuda_library *out_library) {
  *out_library = pa_library_by_name(name);
  return *out_library != PA_LIBRARY_COUNT || (PyErr_Format(PyExc_ValueError, "there is no library %s", name), false);
}

// open_library(name, paths): the path of the one that is open.
static PyObject *open_library(PyObject *module, PyObject *arguments) {
  enum { MOST = 16 };
  const char *name, *paths[MOST];
  PyObject *list;
  pa_cuda_library library;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sO!", &name, &PyList_Type, &list) || !library_argument(name, &library) || !pa_cuda_ready())
    return NULL;
  size_t count = 0;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && count < MOST; ++i)
    if (!(paths[count++] = PyUnicode_AsUTF8(PyList_GET_ITEM(list, i)))) return NULL;
  pa_status status;
  Py_BEGIN_ALLOW_THREADS
  status = pa_library_open(library, paths, count);
  Py_END_ALLOW_THREADS
  return pa_cuda_ok(status) ? PyUnicode_FromString(pa_library_path(library)) : NULL;
}

// libdevice_table(): name, parameters and signature of each function.
static PyObject *libdevice_table(PyObject *module, PyObject *arguments) {
  static const char *const rows[][3] = {
#define PA_LIBDEVICE(name, parameters, signature) {name, parameters, signature},
#include "support/libdevice.def"
#undef PA_LIBDEVICE
  };
  enum { ROWS = sizeof rows / sizeof *rows };
  PyObject *table = PyTuple_New(ROWS);
  (void)module, (void)arguments;
  for (Py_ssize_t i = 0; table && i < ROWS; ++i) {
    PyObject *row = Py_BuildValue("sss", rows[i][0], rows[i][1], rows[i][2]);
    if (!row)
      Py_CLEAR(table);
    else
      PyTuple_SET_ITEM(table, i, row);
  }
  return table;
}

PyMethodDef pa_cuda_library_functions[] = {
    {"open_library", open_library, METH_VARARGS, "open_library(name, paths): opens the first path that can be opened."},
    {"libdevice_table", libdevice_table, METH_NOARGS, "libdevice_table(): (name, parameters, signature) of each function."},
    {NULL, NULL, 0, NULL},
};
