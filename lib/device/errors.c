// How compiled code reports an error on the GPU (docs/internals-cuda.md, "Errors in kernels"). The thread then ends.
#include "error.h"

// Where the launcher wants the record, in memory of the host; NULL: nowhere.
__attribute__((visibility("default"))) pa_device_error *pyarray_error;

void pyarray_rt_raise_values(int32_t site, int64_t a, int64_t b, int64_t c);
void pyarray_rt_raise(int32_t site);
void pyarray_rt_propagate(int32_t site);

static void record(int32_t site, int64_t a, int64_t b, int64_t c) {
  pa_device_error *error = pyarray_error;
  if (!error) return;
  int32_t expected = PA_DEVICE_ERROR_NONE;
  if (!__scoped_atomic_compare_exchange_n(&error->state, &expected, PA_DEVICE_ERROR_WRITING, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                          __MEMORY_SCOPE_SYSTEM))
    return;
  error->site = site;
  error->values[0] = a;
  error->values[1] = b;
  error->values[2] = c;
  error->thread[0] = __nvvm_read_ptx_sreg_tid_x();
  error->thread[1] = __nvvm_read_ptx_sreg_tid_y();
  error->thread[2] = __nvvm_read_ptx_sreg_tid_z();
  error->block[0] = __nvvm_read_ptx_sreg_ctaid_x();
  error->block[1] = __nvvm_read_ptx_sreg_ctaid_y();
  error->block[2] = __nvvm_read_ptx_sreg_ctaid_z();
  __nvvm_membar_sys();
  __scoped_atomic_store_n(&error->state, PA_DEVICE_ERROR_COMPLETE, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
}

// Never in line: errors are rare, and kernels have registers for something else.
__attribute__((noinline, cold)) void pyarray_rt_raise_values(int32_t site, int64_t a, int64_t b, int64_t c) {
  record(site, a, b, c);
}

void pyarray_rt_raise(int32_t site) { pyarray_rt_raise_values(site, 0, 0, 0); }

// The record says where the error was raised; which functions it passed through is not kept.
void pyarray_rt_propagate(int32_t site) { (void)site; }
