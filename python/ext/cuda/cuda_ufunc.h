// Ufuncs on a GPU (docs/internals-cuda.md): cuda_ufunc.c has the type and its calls, cuda_ufunc_shapes.c what NumPy
// says of shapes, cuda_ufunc_points.c results and launches.
#ifndef PYARRAY_PYTHON_EXT_CUDA_UFUNC_H
#define PYARRAY_PYTHON_EXT_CUDA_UFUNC_H

#include "cuda.h"
#include "ufunc.h"

// A compiled function with the types of its operands.
typedef struct pa_cuda_loop {
  struct pa_cuda_loop *next;
  char key[2 * PA_MAX_OPERANDS]; // of the inputs that it was found for
  pa_dispatcher *dispatcher;
  PyArray_Descr *dtypes[PA_MAX_OPERANDS];
  char letters[PA_MAX_OPERANDS];
} pa_cuda_loop;

typedef struct pa_cuda_ufunc {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject *name, *signature; // str
  PyTypeObject *array_type;   // of results
  pa_core_signature *core;    // NULL before __init__
  int nin, nout, nargs;
  bool is_generalized, has_optional;
  pa_cuda_loop *loops; // found by calls, the latest first
} pa_cuda_ufunc;

extern PyTypeObject pa_cuda_ufunc_type;

// One call: what it is given, and the shapes that follow. The mask of where= counts as the operand behind the last.
typedef struct pa_points {
  const pa_cuda_ufunc *ufunc;
  const pa_cuda_loop *loop;
  PyObject
      *values[PA_MAX_OPERANDS + 1]; // device arrays and numbers; NULL: an output that is to be made, no mask. Owned
  PyObject *stream;                 // borrowed
  CUstream handle;
  int rank; // of the loop
  npy_intp shape[NPY_MAXDIMS];
  npy_intp sizes[PA_MAX_CORE_DIMENSIONS];
  bool is_missing[PA_MAX_CORE_DIMENSIONS];
} pa_points;

static inline const pa_device_array *pa_operand_array(const pa_points *p, int operand) {
  PyObject *value = p->values[operand];
  return value && pa_is_device_array(value) ? (pa_device_array *)value : NULL;
}
// Core dimensions that the signature gives the operand, and those that it has in this call.
static inline int pa_operand_cores(const pa_points *p, int operand) {
  return operand < p->ufunc->nargs ? p->ufunc->core->operands[operand].rank : 0;
}
int pa_operand_core_rank(const pa_points *p, int operand);

// Fills the fields behind |handle|. False with NumPy's exception set.
bool pa_points_find_shapes(pa_points *p);
// Makes the outputs that are missing, and computes. False with an exception set.
bool pa_points_compute(pa_points *p);

#endif // PYARRAY_PYTHON_EXT_CUDA_UFUNC_H
