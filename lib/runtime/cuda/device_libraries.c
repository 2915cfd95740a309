// Linear algebra and Fourier transforms in compiled code of the host whose arrays are on a device, by cuSOLVER and
// cuFFT. Arrays are in C order: the library's functions (library/device) have made them so.
#include "array_numbers.h"
#include "device_arrays.h"
#include "libraries.h"
#include "runtime.h"
#include "solver.h"
#include "transforms.h"

#include <pthread.h>

static void (*opener)(const char *library);

void pa_set_device_opener(void (*open)(const char *library)) { opener = open; }

bool pa_device_has_library(int library) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool tried[PA_LIBRARY_COUNT];
  static const char *const names[] = {
#define PA_CUDA_LIBRARY(name, text, package) #name,
#include "libraries.def"
#undef PA_CUDA_LIBRARY
  };
  if (pa_library_path((pa_cuda_library)library)) return true;
  if (pa_cuda_kind_opened() != PA_CUDA_GPU) return false;
  pthread_mutex_lock(&lock);
  bool first = !tried[library];
  tried[library] = true;
  pthread_mutex_unlock(&lock);
  if (first && opener) opener(names[library]);
  return pa_library_path((pa_cuda_library)library) != NULL;
}

// Compiled code asks for what has failed.
static int32_t told(pa_cuda_context *context, pa_status status, bool done) {
  if (status) return pa_device_note(context, status), 1;
  return done;
}

static int64_t read_int(const int64_t **at) {
  array a = pa_read_array(at);
  return *(const int64_t *)pa_array_data(&a);
}

//===-- Linear algebra ----------------------------------------------------------------------------===//

// The last two dimensions; the array's rows are the matrix's columns. A vector is of as many numbers as |vectors| has.
static pa_solver_array matrices_of(const array *a, bool vectors) {
  int64_t kept = vectors ? 1 : 2, count = 1;
  for (int64_t d = 0; d < a->rank - kept; ++d) count *= a->shape[d];
  return (pa_solver_array){.data = (CUdeviceptr)a->address,
                           .count = count,
                           .rows = a->rank ? a->shape[a->rank - 1] : 1,
                           .columns = vectors ? 1 : a->shape[a->rank - 2]};
}

// By step, which arrays are vectors: those of pivots, factors, values, and infos.
static const unsigned vectors[PA_SOLVER_STEPS] = {
    [PA_SOLVER_LU] = 6,     [PA_SOLVER_SOLVE] = 10, [PA_SOLVER_CHOLESKY] = 2, [PA_SOLVER_QR] = 6,
    [PA_SOLVER_MAKE_Q] = 6, [PA_SOLVER_EIGH] = 6,   [PA_SOLVER_SVD] = 18,
};

int32_t pyarray_rt_device_solver(int64_t numbers) {
  const int64_t *at = (const int64_t *)(uintptr_t)numbers;
  pa_solver_array arrays[PA_SOLVER_MOST_ARRAYS];
  pa_solver_step step = (pa_solver_step)read_int(&at);
  int flag = (int)read_int(&at);
  bool is_complex = false, done = false;
  for (int i = 0; i < pa_solver_arrays(step); ++i) {
    array a = pa_read_array(&at);
    arrays[i] = matrices_of(&a, vectors[step] >> i & 1);
    if (i == 0) is_complex = a.code == 'D';
  }
  if (!pa_device_has_library(PA_LIBRARY_cublas) || !pa_device_has_library(PA_LIBRARY_cusolver)) return 0;
  pa_cuda_context *context = pa_device_here();
  if (!context) return 1;
  pa_status status = pa_cuda_solve(context, step, flag, is_complex, arrays, &done);
  return told(context, status, done);
}

//===-- Fourier transforms ------------------------------------------------------------------------===//

int32_t pyarray_rt_device_transform(int64_t numbers) {
  const int64_t *at = (const int64_t *)(uintptr_t)numbers;
  array out = pa_read_array(&at), in = pa_read_array(&at);
  int64_t axis = read_int(&at);
  bool inverse = read_int(&at), to_real = out.code == 'f' || out.code == 'd', done = false;
  pa_transform transform = {
      .in = (CUdeviceptr)in.address,
      .out = (CUdeviceptr)out.address,
      .from_real = in.code == 'f' || in.code == 'd',
      .to_real = to_real,
      .is_double = in.code == 'd' || in.code == 'D',
      .inverse = inverse,
      .outer = 1,
      .length = to_real ? out.shape[axis] : in.shape[axis],
      .inner = 1,
  };
  for (int64_t d = 0; d < in.rank; ++d)
    if (d != axis) *(d < axis ? &transform.outer : &transform.inner) *= in.shape[d];
  if (!transform.outer || !transform.inner || !transform.length || !pa_device_has_library(PA_LIBRARY_cufft)) return 0;
  pa_cuda_context *context = pa_device_here();
  if (!context) return 1;
  pa_status status = pa_cuda_transform(context, &transform, &done);
  return told(context, status, done);
}
