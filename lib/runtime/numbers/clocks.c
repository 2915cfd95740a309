#include "runtime.h"

#include <time.h>

static int64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t pyarray_rt_time_ns(void) { return nanoseconds(CLOCK_REALTIME); }
int64_t pyarray_rt_monotonic_ns(void) { return nanoseconds(CLOCK_MONOTONIC); }
int64_t pyarray_rt_process_time_ns(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }
int64_t pyarray_rt_thread_time_ns(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }
