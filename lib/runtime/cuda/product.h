// Products of matrices on a device by cuBLAS, for what has no handle of its own: operators on device arrays.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_PRODUCT_H
#define PYARRAY_LIB_RUNTIME_CUDA_PRODUCT_H

#include "device.h"

typedef enum pa_product_type {
  PA_PRODUCT_F16, // added up as float32, as is the next
  PA_PRODUCT_BF16,
  PA_PRODUCT_F32,
  PA_PRODUCT_F64,
  PA_PRODUCT_C64,
  PA_PRODUCT_C128,
} pa_product_type;

// |count| matrices, |apart| from each other (0: one and the same); distances in elements.
typedef struct pa_matrices {
  CUdeviceptr data;
  int64_t rows, columns, row_step, column_step, apart;
} pa_matrices;

// Enqueues out = a @ b for |count| matrices in the default stream, with cuBLAS, which is open. |*out_done| is false,
// and nothing was done, where cuBLAS does not take matrices as they lie, or they are empty. |out| lies in rows.
pa_status pa_cuda_product(pa_cuda_context *context, pa_product_type type, int64_t count, const pa_matrices *out,
                          const pa_matrices *a, const pa_matrices *b, bool *out_done);

#endif // PYARRAY_LIB_RUNTIME_CUDA_PRODUCT_H
