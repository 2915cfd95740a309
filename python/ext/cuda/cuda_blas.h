// Routines of cuBLAS with Python's arguments: cuda_blas.c, cuda_blas_method.c (what a routine's parameters are),
// cuda_blas_call.c (whether arguments are as the library takes them, and the call).
#ifndef PYARRAY_PYTHON_EXT_CUDA_BLAS_H
#define PYARRAY_PYTHON_EXT_CUDA_BLAS_H

#include "cuda/blas.h"
#include "cuda_libraries.h"

#include <string.h>

typedef struct pa_blas_handle {
  PyObject_HEAD pa_cuda_blas blas; // not made where the CPU plays the device
  PyObject *stream;                // lives as long as the handle
} pa_blas_handle;

// Counts by their names: m, n, k, kl, ku, and b, that of matrices in a batch.
enum { PA_BLAS_COUNTS = 6, PA_BLAS_MOST_RANK = 3, PA_BLAS_LETTERS = 4 };

// An extent of an array: the sum of two counts (-1: none) and |more|; of a packed triangle n (n + 1) / 2, |first| is n.
typedef struct pa_blas_extent {
  int8_t first, second, more;
  bool is_triangle;
} pa_blas_extent;

typedef enum pa_blas_kind {
  PA_BLAS_COUNT = 'n',
  PA_BLAS_CHOICE = 'o',  // a letter
  PA_BLAS_SCALAR = 's',  // a number of the arrays' dtype
  PA_BLAS_REAL = 'r',    // a real number of the arrays' precision
  PA_BLAS_FIVE = 'p',    // five of them
  PA_BLAS_VECTOR = 'v',  // with any positive step
  PA_BLAS_PACKED = 'a',  // a vector without a step
  PA_BLAS_COLUMNS = 'm', // a matrix in Fortran order, with any distance of columns
  PA_BLAS_MATRIX = 'g',  // in Fortran or C order
  PA_BLAS_BATCH = 'b',   // of such matrices
} pa_blas_kind;

static inline bool pa_blas_is_array(pa_blas_kind kind) { return strchr("vamgb", kind); }

typedef struct pa_blas_parameter {
  pa_blas_kind kind;
  int8_t count;     // which one, of a count
  char letters[4];  // of a choice, in the order of cuBLAS's numbers
  bool is_unheeded; // a factor: where it is 0, cuBLAS reads what it is of all the same, so that Python calls another
  // Of an array:
  bool is_written;
  int8_t rank, governor; // the choice that, unless it is 0, selects the second shape; -1: there is one
  pa_blas_extent shapes[2][PA_BLAS_MOST_RANK];
} pa_blas_parameter;

// The routine for one dtype.
typedef struct pa_blas_native {
  char symbol[40];
  char result;             // S D C Z a number, I an index from 1, 0: none
  pa_blas_routine routine; // its |call| is NULL before the first call
} pa_blas_native;

// BlasMethod(function, parameters, order, natives), after _blas_table.py.
typedef struct pa_blas_method {
  pa_library_method base;
  int parameter_count, order_count;
  pa_blas_parameter parameters[PA_LIBRARY_MOST_PARAMETERS]; // without self
  int8_t order[PA_LIBRARY_MOST_PARAMETERS]; // of cuBLAS's arguments: parameters, or ~count of those that shapes give
  pa_blas_native natives[PA_BLAS_LETTERS];  // of s, d, c, z; symbols are empty where there is none
} pa_blas_method;

// Makes the call with |values|, the handle first: what is written, or the number. Py_NotImplemented where arguments are
// not as the library takes them; NULL with an exception set.
PyObject *pa_blas_call(pa_library_method *self, PyObject *const *values);
// The same once Python has looked whether arrays that are written overlap themselves.
PyObject *pa_blas_call_checked(pa_library_method *self, PyObject *const *values);

#endif // PYARRAY_PYTHON_EXT_CUDA_BLAS_H
