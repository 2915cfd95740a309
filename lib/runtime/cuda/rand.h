// Generators of cuRAND, whose functions are there (pa_library_open) before any of these is called.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_RAND_H
#define PYARRAY_LIB_RUNTIME_CUDA_RAND_H

#include "buffer.h"
#include "device.h"
#include "libraries.h"
#include "stream.h"

#include <pthread.h>

// Numbers of cuRAND's.
typedef enum pa_rand_type {
  PA_RAND_DEFAULT = 100,
  PA_RAND_XORWOW = 101,
  PA_RAND_MRG32K3A = 121,
  PA_RAND_MTGP32 = 141,
  PA_RAND_MT19937 = 142,
  PA_RAND_PHILOX4_32_10 = 161,
  PA_RAND_QUASI_DEFAULT = 200,
  PA_RAND_SOBOL32 = 201,
  PA_RAND_SCRAMBLED_SOBOL32 = 202,
  PA_RAND_SOBOL64 = 203,
  PA_RAND_SCRAMBLED_SOBOL64 = 204,
} pa_rand_type;

enum { PA_RAND_SEEDED = 102, PA_RAND_LEGACY = 103, PA_RAND_DYNAMIC = 104, PA_RAND_QUASI_ORDERING = 201 };

typedef enum pa_rand_result {
  PA_RAND_NOT_INITIALIZED = 101,
  PA_RAND_ALLOCATION_FAILED = 102,
  PA_RAND_TYPE_ERROR = 103,
  PA_RAND_OUT_OF_RANGE = 104,
  PA_RAND_LENGTH_NOT_MULTIPLE = 105,
} pa_rand_result;

typedef enum pa_rand_kind {
  PA_RAND_BITS,
  PA_RAND_UNIFORM,
  PA_RAND_NORMAL,
  PA_RAND_LOGNORMAL,
  PA_RAND_POISSON
} pa_rand_kind;
typedef enum pa_rand_item { PA_RAND_U32, PA_RAND_U64, PA_RAND_F32, PA_RAND_F64 } pa_rand_item;
typedef enum pa_rand_setting { PA_RAND_SEED, PA_RAND_OFFSET, PA_RAND_ORDERING, PA_RAND_NDIM } pa_rand_setting;

// cuRAND's functions where the CPU plays the device (rand_host.c).
extern const pa_curand_functions pa_curand_host;

// Lives inside its owner's struct, zero-initialised; must not move.
typedef struct pa_cuda_rand {
  pa_cuda_resource resource;
  void *handle;
  int type;
  pa_cuda_buffer pair;  // 16 bytes: the last two numbers, of which one is wanted
  pthread_mutex_t lock; // of what follows, and of the generator's state
  CUstream stream;      // of the latest call, for which a later one in another stream waits
  pa_cuda_event done; // recorded behind the latest call, if |stream| is not the default one, which may be gone by then
} pa_cuda_rand;

pa_status pa_cuda_rand_create(pa_cuda_context *context, int type, pa_cuda_rand *rand);
void pa_cuda_rand_destroy(pa_cuda_rand *rand); // also one that was never made, or that a reset has taken
pa_status pa_cuda_rand_set(pa_cuda_rand *rand, pa_rand_setting setting, uint64_t value);

// |count| numbers of type |item| to |out|: bits are U32 or U64, Poisson's U32, others F32 or F64. |a|, |b|: mean and
// standard deviation, or lambda. An odd count of normal numbers takes one more from the generator, where cuRAND makes
// them by pairs.
pa_status pa_cuda_rand_generate(pa_cuda_rand *rand, pa_rand_kind kind, pa_rand_item item, CUdeviceptr out, size_t count,
                                double a, double b, CUstream stream);

#endif // PYARRAY_LIB_RUNTIME_CUDA_RAND_H
