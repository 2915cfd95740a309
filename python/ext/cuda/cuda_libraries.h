// CUDA's libraries as types of the extension: cuda_libraries.c, cuda_fft.c, cuda_blas.c, cuda_rand.c.
#ifndef PYARRAY_PYTHON_EXT_CUDA_LIBRARIES_H
#define PYARRAY_PYTHON_EXT_CUDA_LIBRARIES_H

#include "cuda.h"
#include "cuda/libraries.h"

extern PyMethodDef pa_cuda_library_functions[];
extern PyTypeObject pa_fft_plan_type, pa_blas_handle_type, pa_blas_routine_type, pa_rand_generator_type;

#endif // PYARRAY_PYTHON_EXT_CUDA_LIBRARIES_H
