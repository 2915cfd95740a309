// Plans of cuFFT, whose functions are there (pa_library_open) before any of these is called.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_FFT_H
#define PYARRAY_LIB_RUNTIME_CUDA_FFT_H

#include "buffer.h"
#include "device.h"
#include "stream.h"

#include <pthread.h>

// Numbers of cuFFT's: what goes in, what comes out (R, C: 4 bytes a part; D, Z: 8).
typedef enum pa_fft_type {
  PA_FFT_R2C = 0x2a,
  PA_FFT_C2R = 0x2c,
  PA_FFT_C2C = 0x29,
  PA_FFT_D2Z = 0x6a,
  PA_FFT_Z2D = 0x6c,
  PA_FFT_Z2Z = 0x69,
} pa_fft_type;

// Lives inside its owner's struct, zero-initialised; must not move.
typedef struct pa_cuda_fft {
  pa_cuda_resource resource;
  int handle;
  pa_fft_type type;
  pa_cuda_buffer work;  // memory that transforms need meanwhile, so they run one after the other
  pthread_mutex_t lock; // of what follows
  CUstream stream;      // of the latest transform, for which a later one in another stream waits
  pa_cuda_event
      done; // recorded behind the latest transform, if |stream| is not the default one, which may be gone by then
} pa_cuda_fft;

// |batch| transforms of |rank| (1 to 3) dimensions each, over arrays in C order; |shape| is that of the real side. With
// a |stride| above 1, of one dimension: elements are so far from each other, and the lines begin at neighbours.
pa_status pa_cuda_fft_plan(pa_cuda_context *context, int rank, const int64_t *shape, pa_fft_type type, int64_t batch,
                           int64_t stride, pa_cuda_fft *plan);
void pa_cuda_fft_destroy(
    pa_cuda_fft *plan); // waits for its transforms; also one that was never made, or that a reset has taken

// Unscaled in both directions; |inverse| is not looked at where one side is real. |in| may be |out|. Transforms from
// complex to real leave anything in |in|.
pa_status pa_cuda_fft_run(pa_cuda_fft *plan, CUdeviceptr in, CUdeviceptr out, bool inverse, CUstream stream);

#endif // PYARRAY_LIB_RUNTIME_CUDA_FFT_H
