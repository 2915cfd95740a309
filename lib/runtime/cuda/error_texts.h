// driver_results.def by number; NULL where it has no such row.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_ERROR_TEXTS_H
#define PYARRAY_LIB_RUNTIME_CUDA_ERROR_TEXTS_H

#include "driver_types.h"

const char *pa_cu_known_name(CUresult result);
const char *pa_cu_known_text(CUresult result); // never NULL
const char *pa_cu_advice(CUresult result);

#endif // PYARRAY_LIB_RUNTIME_CUDA_ERROR_TEXTS_H
