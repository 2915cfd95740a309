// Transforms along one dimension in the default stream, by plans that are kept.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_TRANSFORMS_H
#define PYARRAY_LIB_RUNTIME_CUDA_TRANSFORMS_H

#include "device.h"

// Along the middle one of three dimensions in C order, |outer| x length x |inner|. |length| is of numbers; where one
// side is real the other has length / 2 + 1. Inverse ones are not scaled; those to real numbers leave anything in |in|.
typedef struct pa_transform {
  CUdeviceptr in, out;
  bool from_real, to_real, is_double, inverse;
  int64_t outer, length, inner;
} pa_transform;

// False at |*out_done|, and nothing is done, while a graph is captured.
pa_status pa_cuda_transform(pa_cuda_context *context, const pa_transform *transform, bool *out_done);

#endif // PYARRAY_LIB_RUNTIME_CUDA_TRANSFORMS_H
