// Where the threads of a team wake up.
#include "workers.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

// Idle threads spin for 5 ms (openmp.c); this clock moves by up to 10 ms at a time.
enum { PAUSE_MS = 4 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

bool pa_workers_may_sleep(const pa_workers *workers) { return now() - workers->left >= PAUSE_MS; }

void pa_workers_leave(pa_workers *workers) { workers->left = now(); }

// A thread may be gone since (a forked child has none), and its id another process's.
static bool is_ours(int32_t id) {
  char path[48];
  snprintf(path, sizeof path, "/proc/self/task/%d", (int)id);
  return access(path, F_OK) == 0;
}

static void move_away(pa_wake *wake, int number, int32_t id, int processor) {
  cpu_set_t others;
  if (!is_ours(id) || sched_getaffinity(id, sizeof others, &others)) return;
  wake->processors[number] = others;
  CPU_CLR(processor, &others);
  if (CPU_EQUAL(&others, &wake->processors[number]) || !CPU_COUNT(&others)) return; // it is bound elsewhere, or here
  wake->moved[number] = id;
  if (sched_setaffinity(id, sizeof others, &others)) wake->moved[number] = 0;
}

void pa_wake_begin(pa_wake *wake, const pa_workers *workers) {
  int processor = sched_getcpu();
  for (int i = 0; i < PA_MAX_WORKERS; ++i) {
    wake->moved[i] = 0;
    if (processor >= 0 && processor < CPU_SETSIZE && workers->ids[i]) move_away(wake, i, workers->ids[i], processor);
  }
}

static void move_back(pa_wake *wake, int number, int32_t id) {
  if (!__atomic_load_n(&wake->moved[number], __ATOMIC_RELAXED)) return;
  sched_setaffinity(id, sizeof wake->processors[number], &wake->processors[number]);
  __atomic_store_n(&wake->moved[number], 0, __ATOMIC_RELAXED);
}

// Threads that were not in the loop's team after all.
void pa_wake_end(pa_wake *wake) {
  for (int i = 0; i < PA_MAX_WORKERS; ++i) move_back(wake, i, wake->moved[i]);
}

void pa_worker_begin(pa_workers *workers, pa_wake *wake, int32_t number) {
  if (number >= PA_MAX_WORKERS) return;
  static __thread int32_t id;
  if (!id) id = (int32_t)gettid();
  workers->ids[number] = id;
  if (wake) move_back(wake, number, 0);
}
