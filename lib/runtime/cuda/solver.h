// Steps of linear algebra by cuSOLVER, and cuBLAS where it does many small matrices at once, in the default stream.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_SOLVER_H
#define PYARRAY_LIB_RUNTIME_CUDA_SOLVER_H

#include "device.h"

// Numbers that library/device/factors.py has too. Matrices lie by columns. |info| has an int32 for each matrix,
// LAPACK's.
typedef enum pa_solver_step {
  PA_SOLVER_LU,       // a, pivots, info: factors in a's place
  PA_SOLVER_SOLVE,    // a, pivots, b, info: of factors; b becomes the solution. One |a| does for all of |b|
  PA_SOLVER_CHOLESKY, // a, info; flag 1: of the upper triangle
  PA_SOLVER_QR,       // a, tau, info: reflectors in a's place
  PA_SOLVER_MAKE_Q,   // q, tau, info: of the reflectors in its first columns
  PA_SOLVER_EIGH,     // a, w, info; flag 1: of the upper triangle, 2: with vectors, in a's place
  PA_SOLVER_SVD, // a, s, u, v, info, with no more columns than rows; flag 0: s alone, 1: u as wide as a, 2: all of it
  PA_SOLVER_STEPS
} pa_solver_step;

enum { PA_SOLVER_MOST_ARRAYS = 5 };

// |count| matrices, one behind the other; vectors have one column, and infos are one vector.
typedef struct pa_solver_array {
  CUdeviceptr data;
  int64_t count, rows, columns;
} pa_solver_array;

int pa_solver_arrays(pa_solver_step step); // how many it takes

// False at |*out_done|, and nothing is done, where it is none for the library: few or too large numbers, many small
// matrices of which it would do one after the other, a graph that is captured. What follows a first step is done.
pa_status pa_cuda_solve(pa_cuda_context *context, pa_solver_step step, int flag, bool is_complex,
                        const pa_solver_array *arrays, bool *out_done);

#endif // PYARRAY_LIB_RUNTIME_CUDA_SOLVER_H
