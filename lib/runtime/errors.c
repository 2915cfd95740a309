// The thread's error record, and the stack guard behind RecursionError.
#include "thread.h"

#include <pthread.h>
#include <string.h>

//===-- Raised errors -----------------------------------------------------------------------------===//

pa_raised *pa_raised_current(void) { return &pa_thread_current()->raised; }

void pa_raised_clear(void) {
  pa_raised *raised = pa_raised_current();
  raised->count = 0;
  raised->value_count = 0;
}

void pyarray_rt_raise(int32_t site) {
  pa_raised *raised = pa_raised_current();
  raised->count = 1;
  raised->site[0] = site;
  raised->value_count = 0;
}

void pyarray_rt_raise_many(int32_t site, int64_t values, int64_t count) {
  pyarray_rt_raise(site);
  pa_raised *raised = pa_raised_current();
  raised->value_count = count < PA_MAX_VALUES ? (int32_t)count : PA_MAX_VALUES;
  memcpy(raised->values, (const int64_t *)(uintptr_t)values, (size_t)raised->value_count * sizeof *raised->values);
}

void pyarray_rt_raise_values(int32_t site, int64_t a, int64_t b, int64_t c) {
  pyarray_rt_raise_many(site, (int64_t)(uintptr_t)(int64_t[]){a, b, c}, 3);
}

// Deep recursion keeps its innermost frames.
void pyarray_rt_propagate(int32_t site) {
  pa_raised *raised = pa_raised_current();
  if (raised->count < PA_MAX_FRAMES) raised->site[raised->count++] = site;
}

void pyarray_rt_leave(void) {}

//===-- Errors in C callbacks ---------------------------------------------------------------------===//

static void (*unraisable_report)(int64_t context);

void pa_set_unraisable_report(void (*report)(int64_t context)) { unraisable_report = report; }

void pyarray_rt_report_unraisable(int64_t context) {
  if (unraisable_report) unraisable_report(context);
  pa_raised_clear();
}

//===-- Stack guard -------------------------------------------------------------------------------===//

static const int64_t stack_reserve = 256 * 1024; // for libm, the runtime and signal handlers below the limit

int64_t pyarray_rt_stack_limit(void) {
  pa_thread *thread = pa_thread_current();
  if (thread->stack_limit) return thread->stack_limit;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes)) return 0;
  void *lowest = NULL;
  size_t size = 0;
  int failed = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  int64_t here = (int64_t)(uintptr_t)__builtin_frame_address(0);
  int64_t first = (int64_t)(uintptr_t)lowest;
  // A coroutine on a stack of its own: nothing is known about it, and nothing may be remembered from it.
  if (failed || here < first || here - first > (int64_t)size) return 0;
  int64_t reserve = (int64_t)size / 4 < stack_reserve ? (int64_t)size / 4 : stack_reserve;
  return thread->stack_limit = first + reserve;
}
