// Kernels of a function whose whole arrays are a GPU's, compiled beside each other and beside the host's code.
#ifndef PYARRAY_LIB_PIPELINE_KERNEL_JOBS_H
#define PYARRAY_LIB_PIPELINE_KERNEL_JOBS_H

#include "codegen/codegen.h"
#include "pyarray-c/Core.h"

typedef struct pa_kernel_jobs pa_kernel_jobs;

// Begins to compile |ptx|, which it takes, each of one kernel; |assemble| (pyarray_compile_request) may be NULL. Where
// there is no memory it takes them too, and |*out_jobs| is NULL.
pa_status pa_kernel_jobs_begin(pa_codegen_ptx_job **ptx, int count, pyarray_assemble *assemble, void *data,
                               pa_kernel_jobs **out_jobs);
// Waits for all, appends to |out_kernels| what pyarray_compile_result.kernels is, and frees them. The first failure, in
// the kernels' order. Without |out_kernels|, and with NULL, it only waits and frees.
pa_status pa_kernel_jobs_end(pa_kernel_jobs *jobs, pa_string *out_kernels);

// One of the records of pyarray_compile_result.kernels.
void pa_append_kernel(pa_string *out, const pyarray_kernel_code *header, const char *name, const char *bytes);

#endif // PYARRAY_LIB_PIPELINE_KERNEL_JOBS_H
