// How compiled code reports an error on the GPU (docs/internals-cuda.md, "Errors in kernels"). The thread then ends.
#include "error.h"

// Where the launcher wants the record, in memory of the host; NULL: nowhere.
__attribute__((visibility("default"))) pa_device_error *pyarray_error;

void pyarray_rt_raise_values(int32_t site, int64_t a, int64_t b, int64_t c);
void pyarray_rt_raise(int32_t site);
void pyarray_rt_propagate(int32_t site);
int64_t pyarray_rt_stack_limit(void);

static void read_place(int32_t thread[3], int32_t block[3]) {
  thread[0] = __nvvm_read_ptx_sreg_tid_x();
  thread[1] = __nvvm_read_ptx_sreg_tid_y();
  thread[2] = __nvvm_read_ptx_sreg_tid_z();
  block[0] = __nvvm_read_ptx_sreg_ctaid_x();
  block[1] = __nvvm_read_ptx_sreg_ctaid_y();
  block[2] = __nvvm_read_ptx_sreg_ctaid_z();
}

static void record(int32_t site, int64_t a, int64_t b, int64_t c) {
  pa_device_error *error = pyarray_error;
  if (!error) return;
  int32_t expected = PA_DEVICE_ERROR_NONE;
  if (!__scoped_atomic_compare_exchange_n(&error->state, &expected, PA_DEVICE_ERROR_WRITING, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM))
    return;
  error->site = site;
  error->values[0] = a;
  error->values[1] = b;
  error->values[2] = c;
  error->frame_count = 0;
  read_place(error->thread, error->block);
  __nvvm_membar_sys();
  __scoped_atomic_store_n(&error->state, PA_DEVICE_ERROR_COMPLETE, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
}

// Never in line: errors are rare, and kernels have registers for something else.
__attribute__((noinline, cold)) void pyarray_rt_raise_values(int32_t site, int64_t a, int64_t b, int64_t c) {
  record(site, a, b, c);
}

void pyarray_rt_raise(int32_t site) { pyarray_rt_raise_values(site, 0, 0, 0); }

// Whether this thread's error is the one in the record.
static int is_own(const pa_device_error *error) {
  int32_t thread[3], block[3];
  read_place(thread, block);
  int same = __scoped_atomic_load_n(&error->state, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM) == PA_DEVICE_ERROR_COMPLETE;
  for (int i = 0; i < 3; ++i) same &= error->thread[i] == thread[i] && error->block[i] == block[i];
  return same;
}

__attribute__((noinline, cold)) void pyarray_rt_propagate(int32_t site) {
  pa_device_error *error = pyarray_error;
  if (!error || !is_own(error) || error->frame_count == PA_DEVICE_ERROR_FRAMES) return;
  error->frames[error->frame_count++] = site;
}

// Unknown here; with 0, guards of recursive functions never raise, and are optimised away.
int64_t pyarray_rt_stack_limit(void) { return 0; }
