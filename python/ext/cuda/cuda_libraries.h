// CUDA's libraries as types of the extension: cuda_libraries.c, cuda_method.c, cuda_fft.c, cuda_blas.c, cuda_rand.c.
#ifndef PYARRAY_PYTHON_EXT_CUDA_LIBRARIES_H
#define PYARRAY_PYTHON_EXT_CUDA_LIBRARIES_H

#include "cuda.h"
#include "cuda/libraries.h"

extern PyMethodDef pa_cuda_library_functions[];
extern PyTypeObject pa_fft_plan_type, pa_blas_handle_type, pa_blas_method_type, pa_rand_generator_type,
    pa_rand_base_type;

//===-- Methods: cuda_method.c --------------------------------------------------------------------===//

enum { PA_LIBRARY_MOST_PARAMETERS = 16 };

// A method of a class in Python over one of these types. C makes the call where it takes the arguments as they are, at
// little more than the library's own cost; else |function|, in Python, does: it has the names, the help, the copies and
// the errors.
typedef struct pa_library_method {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject *function;
  PyObject *names; // tuple of the parameters' names, with self
  // With an argument for each parameter, NULL for what was not given: the result; NULL with an exception set; or
  // Py_NotImplemented, after which |function| is called.
  PyObject *(*call)(struct pa_library_method *self, PyObject *const *values);
} pa_library_method;

extern PyTypeObject pa_library_method_type;        // LibraryMethod(name in the table of cuda_method.c, function)
extern PyGetSetDef pa_library_method_attributes[]; // also of subtypes, which have help of their own otherwise

// Of a new object of this type or a subtype. False with an exception set.
bool pa_library_method_set(pa_library_method *self, PyObject *function,
                           PyObject *(*call)(pa_library_method *self, PyObject *const *values));

PyObject *pa_fft_forward(pa_library_method *self, PyObject *const *values);
PyObject *pa_fft_inverse(pa_library_method *self, PyObject *const *values);
PyObject *pa_rand_generate(pa_library_method *self, PyObject *const *values);
PyObject *pa_rand_uniform(pa_library_method *self, PyObject *const *values);
PyObject *pa_rand_normal(pa_library_method *self, PyObject *const *values);
PyObject *pa_rand_lognormal(pa_library_method *self, PyObject *const *values);

#endif // PYARRAY_PYTHON_EXT_CUDA_LIBRARIES_H
