// Parallel loops: [0, count) is cut into parts, and the threads of an OpenMP team run the compiler's chunk function on
// them.
//
// Parts are a function of count, grain and the calling thread's settings alone, and so is what each covers. By default
// there is one for each thread, and part k is thread k's: memory stays with the thread that touched it first, and
// partial results are the same in every run. For iterations of uneven cost, which the compiler sees or a chunk size
// says, there are more parts than threads, taken in order as threads get free.
//
// A part fails like any compiled code: error recorded in its thread, status 1. No part behind the first failure is
// begun, but those before it are, so that the error is the one of a serial loop, whichever thread was faster.
//
// Floating-point exceptions that any part raises are raised in the caller too, as a serial loop would raise them.
#include "parallel.h"
#include "openmp.h"
#include "text.h"
#include "workers.h"

#include <fenv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

typedef int32_t chunk_function(void *context, int64_t begin, int64_t end, int64_t part);

enum { MAX_THREADS = 4096, MAX_PARTS = 65536, UNEVEN_PARTS = 16 }; // the last for each thread

typedef struct pa_region {
  chunk_function *chunk;
  void *context;
  int64_t first, count, parts; // |count| iterations from |first| on
  int64_t num_threads;         // what get_num_threads() says in its chunks
  bool is_uneven;
  int64_t first_failed;         // atomic; |parts| while none has failed
  pthread_mutex_t failure_lock; // of writing |first_failed| and |raised|
  pa_raised raised;             // of |first_failed|
  int exceptions;               // atomic; of floating-point operations in threads other than the caller's
  pa_workers *workers;          // of the caller
  pa_wake *wake;                // null unless threads may sleep
  _Alignas(64) int64_t next;    // atomic; the part to be taken next, where uneven
} pa_region;

//===-- How many ----------------------------------------------------------------------------------===//

// OMP_NUM_THREADS may be a list, one number for each level of nesting.
static int64_t threads_from(const char *name) {
  const char *text = getenv(name);
  char *end;
  long long value = text ? strtoll(text, &end, 10) : 0;
  if (value < 1 || (*end && *end != ',')) return 0;
  return value;
}

int64_t pyarray_rt_max_threads(void) {
  static int64_t known; // atomic
  int64_t count = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (__builtin_expect(count != 0, 1)) return count;
  count = threads_from("PYARRAY_NUM_THREADS");
  if (!count) count = threads_from("OMP_NUM_THREADS");
  if (!count) count = pa_processor_count();
  if (count > MAX_THREADS) count = MAX_THREADS;
  __atomic_store_n(&known, count, __ATOMIC_RELAXED);
  return count;
}

static int64_t threads_of(const pa_thread *thread) {
  if (thread->region) return thread->region->num_threads;
  return thread->num_threads ? thread->num_threads : pyarray_rt_max_threads();
}

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// In grains; no loop has as many iterations.
static const int64_t UNEVEN = (int64_t)1 << 62;

static bool is_uneven(int64_t grain) { return grain > 0 && grain & UNEVEN; }

int64_t pyarray_rt_uneven_grain(int64_t grain) { return grain > 0 ? grain | UNEVEN : grain; }

static int64_t grain_size(int64_t grain) {
  if (is_uneven(grain)) grain &= ~UNEVEN;
  return grain < -INT64_MAX ? INT64_MAX : grain < 0 ? -grain : grain ? grain : 1;
}

static int64_t parts_for_threads(const pa_thread *thread, int64_t count, int64_t grain, int64_t threads) {
  if (!thread->chunk_size || grain < 0)
    return smaller(is_uneven(grain) ? threads * UNEVEN_PARTS : threads, count / grain_size(grain));
  return smaller(MAX_PARTS, count / thread->chunk_size + (count % thread->chunk_size != 0));
}

// A chunk size is what the user says, and counts more than the compiler's estimate. A loop within a part is serial.
static int64_t parts_of(const pa_thread *thread, int64_t count, int64_t grain) {
  if (count <= 0) return 0;
  if (thread->region || (grain_size(grain) > count / 2 && (!thread->chunk_size || grain < 0))) return 1;
  int64_t threads = threads_of(thread);
  int64_t parts = threads > 1 ? parts_for_threads(thread, count, grain, threads) : 1;
  return parts > 1 && pa_openmp_open() ? parts : 1;
}

int64_t pyarray_rt_parallel_parts(int64_t count, int64_t grain) { return parts_of(pa_thread_current(), count, grain); }

// Filling takes about as long as combining, 1 ns for 8 bytes, but is spread over the threads.
int64_t pyarray_rt_private_grain(int64_t count, int64_t grain, int64_t bytes) {
  enum { NANOSECONDS_OF_GRAIN = 5000, BYTES_IN_A_NANOSECOND = 8 };
  int64_t threads = threads_of(pa_thread_current()), most = INT64_MAX / (threads + 1), work;
  if (bytes < 0 || bytes > most) return -count;
  if (__builtin_mul_overflow(count / grain_size(grain), NANOSECONDS_OF_GRAIN, &work)) work = INT64_MAX;
  return (threads + 1) * bytes / BYTES_IN_A_NANOSECOND > work / 2 ? -count : -grain_size(grain);
}

//===-- Parts -------------------------------------------------------------------------------------===//

// The first count % parts ones have one iteration more.
static int64_t begin_of(const pa_region *region, int64_t part) {
  int64_t each = region->count / region->parts, more = region->count % region->parts;
  return region->first + part * each + smaller(part, more);
}

// Moves this thread's error to the region if no earlier part has failed.
static void note_failure(pa_region *region, int64_t part) {
  pthread_mutex_lock(&region->failure_lock);
  if (part < region->first_failed) {
    if (region->first_failed < region->parts) pa_raised_drop(&region->raised);
    region->raised = pa_raised_take();
    __atomic_store_n(&region->first_failed, part, __ATOMIC_RELAXED);
  }
  pthread_mutex_unlock(&region->failure_lock);
  pa_raised_clear();
}

// False where nothing is left to do: no such part, or it lies behind a failure, as all that follow do.
static bool run_part(pa_region *region, int64_t part) {
  if (part >= region->parts || part > __atomic_load_n(&region->first_failed, __ATOMIC_RELAXED)) return false;
  if (region->chunk(region->context, begin_of(region, part), begin_of(region, part + 1), part))
    note_failure(region, part);
  return true;
}

// A team that is smaller than asked for shares all parts out nevertheless.
static void run_parts(pa_region *region, int64_t number, int64_t team_size) {
  int64_t part = number;
  if (region->is_uneven)
    while (run_part(region, __atomic_fetch_add(&region->next, 1, __ATOMIC_RELAXED))) continue;
  else
    while (run_part(region, part)) part += team_size;
}

// Thread 0 is the caller, whose flags stay as they are.
static void run_in_team(int32_t *global, int32_t *number, void *argument) {
  (void)global;
  pa_region *region = argument;
  pa_thread *thread = pa_thread_current();
  thread->region = region;
  thread->thread_id = *number;
  if (*number) {
    pa_worker_begin(region->workers, region->wake, *number);
    thread->chunk_size = 0;
    feclearexcept(FE_ALL_EXCEPT);
  }
  run_parts(region, *number, pa_openmp_team_size());
  if (*number) __atomic_fetch_or(&region->exceptions, fetestexcept(FE_ALL_EXCEPT), __ATOMIC_RELAXED);
  thread->region = NULL;
  thread->thread_id = 0;
}

// A team is not made smaller again: that, and making it larger later, costs more than threads without a part do.
static int64_t team_for(pa_thread *thread, const pa_region *region) {
  int64_t least = region->parts > thread->team_size ? region->parts : thread->team_size;
  return thread->team_size = smaller(least, region->num_threads);
}

static void run_after_pause(pa_thread *thread, pa_region *region) {
  pa_wake wake;
  region->wake = &wake;
  pa_wake_begin(&wake, &thread->workers);
  pa_openmp_run(team_for(thread, region), run_in_team, region);
  pa_wake_end(&wake);
}

static void run_region(pa_thread *thread, pa_region *region) {
  thread->launches++;
  region->workers = &thread->workers;
  region->wake = NULL;
  if (pa_workers_may_sleep(&thread->workers))
    run_after_pause(thread, region);
  else
    pa_openmp_run(team_for(thread, region), run_in_team, region);
  pa_workers_leave(&thread->workers);
}

//===-- Loops -------------------------------------------------------------------------------------===//

static int32_t run_loop(pa_thread *thread, chunk_function *function, void *context, int64_t first, int64_t count,
                        int64_t parts) {
  if (parts <= 1) return parts ? function(context, first, first + count, 0) : 0;
  pa_region region;
  region.chunk = function;
  region.context = context;
  region.first = first;
  region.count = count;
  region.parts = region.first_failed = parts;
  region.num_threads = threads_of(thread);
  region.is_uneven = parts > region.num_threads;
  region.failure_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  region.next = 0;
  region.exceptions = 0;
  run_region(thread, &region);
  if (region.exceptions) feraiseexcept(region.exceptions);
  pa_print_waiting(); // what cannot be written is lost: the iterations that printed it are done
  if (region.first_failed == parts) return 0;
  pa_raised_put(&region.raised);
  return 1;
}

//===-- Timed loops -------------------------------------------------------------------------------===//

// Iterations that are known to be independent, and of which nothing else is. They begin in order, until they have taken
// as long as pays for a team; the next time it is known how long they take. Where a loop within has taken a team, they
// stay in order if there are too few of them to be shared evenly.

enum { WORTH_TICKS = 30000, STEP_FACTOR = 4, TIMED_AGAIN = 16, EVEN_FACTOR = 4 };

// About ten microseconds are WORTH_TICKS of them.
static int64_t ticks_now(void) {
#ifdef __x86_64__
  return (int64_t)__builtin_ia32_rdtsc();
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec) * 3;
#endif
}

static int32_t share(pa_thread *thread, chunk_function *function, void *context, int64_t first, int64_t count) {
  int64_t parts = pa_openmp_open() ? smaller(count, threads_of(thread) * UNEVEN_PARTS) : 1;
  return run_loop(thread, function, context, first, count, parts);
}

static int32_t begin_in_order(pa_thread *thread, pa_timed_loop *loop, chunk_function *function, void *context,
                              int64_t count) {
  int64_t begun = ticks_now(), launches = thread->launches, ticks = 0, done = 0;
  for (int64_t next = 1; done < count && ticks < WORTH_TICKS; next = smaller(next * STEP_FACTOR, count)) {
    if (function(context, done, next, 0)) return 1;
    done = next;
    ticks = ticks_now() - begun;
    if (thread->launches == launches) continue;
    if (count - done >= EVEN_FACTOR * threads_of(thread)) return share(thread, function, context, done, count - done);
    return done < count ? function(context, done, count, 0) : 0;
  }
  *loop = (pa_timed_loop){(const void *)(uintptr_t)function, ticks / done, 0};
  return done < count ? share(thread, function, context, done, count - done) : 0;
}

static int32_t run_timed(pa_thread *thread, chunk_function *function, void *context, int64_t count) {
  if (count <= 0) return 0;
  if (count == 1 || thread->region || threads_of(thread) == 1) return function(context, 0, count, 0);
  pa_timed_loop *loop = &thread->timed[(uintptr_t)function / 16 % PA_TIMED_LOOPS];
  bool worth = loop->chunk == (const void *)(uintptr_t)function && loop->ticks > 2 * WORTH_TICKS / count;
  if (!worth || ++loop->shared % TIMED_AGAIN == 0) return begin_in_order(thread, loop, function, context, count);
  return share(thread, function, context, 0, count);
}

//===-- Entry -------------------------------------------------------------------------------------===//

// A chunk size is that of this loop: iterations begin without one, and what they set ends with the loop.
int32_t pyarray_rt_parallel_for(int64_t chunk, int64_t context, int64_t count, int64_t grain) {
  pa_thread *thread = pa_thread_current();
  chunk_function *function = (chunk_function *)(uintptr_t)chunk;
  void *captured = (void *)(uintptr_t)context;
  int64_t size = thread->chunk_size, parts = grain == INT64_MIN ? 0 : parts_of(thread, count, grain);
  thread->chunk_size = 0;
  int32_t status = grain == INT64_MIN ? run_timed(thread, function, captured, count)
                                      : run_loop(thread, function, captured, 0, count, parts);
  thread->chunk_size = size;
  return status;
}

//===-- Settings of the calling thread ------------------------------------------------------------===//

const char *pa_threading_layer(void) { return pa_openmp_open() ? "omp" : "serial"; }

int64_t pyarray_rt_get_thread_id(void) { return pa_thread_current()->thread_id; }

int64_t pyarray_rt_get_num_threads(void) { return threads_of(pa_thread_current()); }

int32_t pyarray_rt_set_num_threads(int64_t count) {
  if (count < 1 || count > pyarray_rt_max_threads()) return 1;
  pa_thread_current()->num_threads = count;
  return 0;
}

int64_t pyarray_rt_get_parallel_chunksize(void) { return pa_thread_current()->chunk_size; }

int64_t pyarray_rt_set_parallel_chunksize(int64_t size) {
  if (size < 0) return -1;
  pa_thread *thread = pa_thread_current();
  int64_t previous = thread->chunk_size;
  thread->chunk_size = size;
  return previous;
}
