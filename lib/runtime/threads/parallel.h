// Threads of parallel loops, beyond what compiled code calls (runtime.def).
#ifndef PYARRAY_LIB_RUNTIME_PARALLEL_H
#define PYARRAY_LIB_RUNTIME_PARALLEL_H

#include <stdint.h>

// "omp", or "serial" where no OpenMP runtime is found. Opens it.
const char *pa_threading_layer(void);

// The processors that this process may use: its affinity mask and its control group's CPU quota, rounded up. At
// least 1.
int64_t pa_processor_count(void);

// The quota alone; INT64_MAX where there is none. |root| is put before /proc and /sys, "" outside tests.
int64_t pa_processor_quota(const char *root);

#endif // PYARRAY_LIB_RUNTIME_PARALLEL_H
