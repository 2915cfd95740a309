// The table of driver functions that all host code is written against, filled by libcuda.so.1 or by the emulator.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_DRIVER_H
#define PYARRAY_LIB_RUNTIME_CUDA_DRIVER_H

#include "../../support/support.h"
#include "driver_types.h"

typedef struct pa_cuda_driver {
#define PA_CU(name, symbol, parameters, arguments) CUresult(*name) parameters;
#include "driver.def"
#undef PA_CU
} pa_cuda_driver;

// Every slot can be called at any time: before pa_cuda_open, after it failed, and in a child forked from a process that
// had opened it, all give CUDA_ERROR_NOT_INITIALIZED.
extern pa_cuda_driver pa_cuda;

typedef enum pa_cuda_kind {
  PA_CUDA_NONE, // not opened, or opening failed
  PA_CUDA_GPU,
  PA_CUDA_EMULATOR,
} pa_cuda_kind;

// Fills the table as PYARRAY_CUDA and PYARRAY_CUDA_DRIVER say and initialises the driver; the first call decides for
// the process. Thread-safe; cheap when done. PA_CODE_NO_DEVICE where a GPU is demanded and none can be used.
pa_status pa_cuda_open(void);

// Opens it; a failure is PA_CUDA_NONE, with its text in pa_cuda_problem.
pa_cuda_kind pa_cuda_kind_opened(void);

// Why there is no GPU: "" with one. Set after pa_cuda_open, also where the emulator took its place.
const char *pa_cuda_problem(void);

// True where PYARRAY_CUDA is unset and the emulator was taken for want of a GPU: the one case that asks for a
// CudaEmulationWarning.
bool pa_cuda_is_fallback(void);

int pa_cuda_driver_version(void); // 13000: CUDA 13.0; 0 unless opened

//===-- Failures ----------------------------------------------------------------------------------===//

// The result of the driver, or of a library (libraries.h), behind the latest PA_CODE_DRIVER that was made in this
// thread.
CUresult pa_cuda_last_result(void);
void pa_cuda_set_last_result(CUresult result); // for libraries.c

const char *pa_cu_result_name(CUresult result); // "CUDA_ERROR_INVALID_VALUE", also without a driver

// PA_CODE_DRIVER: "<what was being done>: CUDA_ERROR_X (its text); what to do". The text is formatted as by printf: a
// phrase such as "copying 80 bytes to the device".
pa_status pa_fail_cu(CUresult result, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

// PA_TRY_CU(pa_cuda.MemsetD8Async(...), "filling %zu bytes", bytes): returns from the function unless it succeeds.
#define PA_TRY_CU(call, ...)                                                                                           \
  do {                                                                                                                 \
    CUresult pa_try_result = (call);                                                                                   \
    if (__builtin_expect(pa_try_result != CUDA_SUCCESS, 0)) return pa_fail_cu(pa_try_result, __VA_ARGS__);             \
  } while (0)

#endif // PYARRAY_LIB_RUNTIME_CUDA_DRIVER_H
