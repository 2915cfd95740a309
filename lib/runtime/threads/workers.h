// Where the threads of a team wake up. Private to lib/runtime.
//
// Linux wakes a thread on the processor of the one that wakes it, unless it finds an idle one; and a processor of a
// virtual machine that has halted does not count as idle, for its host may have taken it away. Then both threads share
// one processor, while the other is idle, until the next tick: after a pause a loop of 2 ms on two threads took as long
// as on one. So the first loop after a pause forbids the sleeping threads the caller's processor, and each takes its
// own back when it begins.
#ifndef PYARRAY_LIB_RUNTIME_WORKERS_H
#define PYARRAY_LIB_RUNTIME_WORKERS_H

#include <sched.h>

#include "thread.h"

// Of one loop.
typedef struct pa_wake {
  int32_t moved[PA_MAX_WORKERS]; // atomic; the thread id until the thread has its processors back, 0 then
  cpu_set_t processors[PA_MAX_WORKERS];
} pa_wake;

// Whether threads that waited since then may sleep.
bool pa_workers_may_sleep(const pa_workers *workers);
void pa_workers_leave(pa_workers *workers);
// Before a loop, in the caller, and after it.
void pa_wake_begin(pa_wake *wake, const pa_workers *workers);
void pa_wake_end(pa_wake *wake);
// In thread |number| of the team; |wake| is null where the loop has none.
void pa_worker_begin(pa_workers *workers, pa_wake *wake, int32_t number);

#endif // PYARRAY_LIB_RUNTIME_WORKERS_H
