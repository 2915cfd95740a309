// CUDA's libraries beside the driver (cuFFT, ...): found by Python, opened by dlopen when first used, never linked.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_LIBRARIES_H
#define PYARRAY_LIB_RUNTIME_CUDA_LIBRARIES_H

#include "driver.h"

typedef enum pa_cuda_library {
#define PA_CUDA_LIBRARY(name, text, package) PA_LIBRARY_##name,
#include "libraries.def"
#undef PA_CUDA_LIBRARY
  PA_LIBRARY_COUNT
} pa_cuda_library;

// What a function of a library returns: 0 is success. Each numbers its failures itself (library_results.def).
typedef int pa_library_result;

#define PA_LIBRARY_CALL(name, symbol, parameters) pa_library_result(*name) parameters;
typedef struct pa_cufft_functions {
#include "cufft.def"
} pa_cufft_functions;
typedef struct pa_cublas_functions {
#include "cublas.def"
} pa_cublas_functions;
typedef struct pa_cusolver_functions {
#include "cusolver.def"
} pa_cusolver_functions;
typedef struct pa_nvrtc_functions {
#include "nvrtc.def"
} pa_nvrtc_functions;
typedef struct pa_nvjitlink_functions {
#include "nvjitlink.def"
} pa_nvjitlink_functions;
typedef struct pa_nvvm_functions {
#include "nvvm.def"
} pa_nvvm_functions;
typedef struct pa_curand_functions {
#include "curand.def"
} pa_curand_functions;
#undef PA_LIBRARY_CALL

// Filled by pa_library_open; NULL before.
extern pa_cufft_functions pa_cufft;
extern pa_cublas_functions pa_cublas;
extern pa_cusolver_functions pa_cusolver;
extern pa_nvrtc_functions pa_nvrtc;
extern pa_nvjitlink_functions pa_nvjitlink;
extern pa_nvvm_functions pa_nvvm;
extern pa_curand_functions pa_curand;

// The library called |name| ("cufft"); PA_LIBRARY_COUNT where there is none.
pa_cuda_library pa_library_by_name(const char *name);
const char *pa_library_package(pa_cuda_library library); // of pip: "nvidia-cufft"

// Opens the first of |paths| that can be opened and fills the table. Thread-safe; once it has succeeded, |paths| are
// not looked at. Where the CPU plays the device, cuRAND is rand_host.c. PA_CODE_NO_DEVICE, with what is wrong with each
// path and how to get the library.
pa_status pa_library_open(pa_cuda_library library, const char *const *paths, size_t count);
const char *pa_library_path(pa_cuda_library library); // that was opened; NULL before

// The function called |symbol| of a library that is open; NULL where it has none.
void *pa_library_function(pa_cuda_library library, const char *symbol);

// PA_CODE_DRIVER, as pa_fail_cu: "making a plan: CUFFT_INVALID_SIZE (...)"; the number is pa_cuda_last_result's.
pa_status pa_fail_library(pa_cuda_library library, pa_library_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

// PA_TRY_LIBRARY(cufft, pa_cufft.Destroy(plan), "freeing a plan"): returns from the function unless it succeeds.
#define PA_TRY_LIBRARY(name, call, ...)                                                                                \
  do {                                                                                                                 \
    pa_library_result pa_try_result = (call);                                                                          \
    if (__builtin_expect(pa_try_result != 0, 0))                                                                       \
      return pa_fail_library(PA_LIBRARY_##name, pa_try_result, __VA_ARGS__);                                           \
  } while (0)

#endif // PYARRAY_LIB_RUNTIME_CUDA_LIBRARIES_H
