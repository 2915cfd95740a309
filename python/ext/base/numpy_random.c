// NumPy's C functions of random numbers for compiled code (lib/ir/distributions.def). They are in the library of the
// module of Generator, under the names that its header of distributions declares: so they are those of the NumPy that
// runs.
#include <dlfcn.h>
#include <string.h>

#include "ext.h"
#include "numpy_pcg64.h"

static const char *path_of(PyObject *module) {
  PyObject *file = PyObject_GetAttrString(module, "__file__");
  const char *path = file ? PyUnicode_AsUTF8(file) : NULL;
  Py_XDECREF(file); // the module holds it
  return path;
}

static void *library; // never closed

int pa_numpy_random_fetch(const void *object, size_t size) {
  if (library || !memmem(object, size, "random_", 7)) return 0;
  PyObject *module = PyImport_ImportModule("numpy.random._generator");
  const char *path = module ? path_of(module) : NULL;
  if (path) library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  Py_XDECREF(module);
  if (library) pa_pcg64_learn();
  return path ? 0 : -1; // where the library is not found, its functions are missed when the object is loaded
}

void *pa_numpy_random_lookup(const char *name) {
  void *address = library ? pa_numpy_ziggurat_lookup(library, name) : NULL;
  return address || !library ? address : dlsym(library, name);
}
