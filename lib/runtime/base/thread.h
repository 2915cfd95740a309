// What the runtime keeps per thread. Private to lib/runtime.
#ifndef PYARRAY_LIB_RUNTIME_THREAD_H
#define PYARRAY_LIB_RUNTIME_THREAD_H

#include <stdbool.h>

#include "runtime.h"

// Free lists hold blocks of 128 << class bytes, and so many bytes each.
enum { PA_BLOCK_CLASSES = 6, PA_BYTES_KEPT = 1024 << 10 };

typedef struct pa_free_list {
  void *first; // each free block starts with the address of the next
  int count;
} pa_free_list;

// Allocation counters. Most threads have one of their own, so that counting is no atomic operation; the rest share one.
typedef struct pa_counter {
  _Alignas(64) int64_t allocated;
  int64_t freed;
  bool is_shared;
  bool is_taken;
} pa_counter;

// Of larger teams few threads meet the caller's processor, and asking for all takes time.
enum { PA_MAX_WORKERS = 16 };

// The threads of the loops that a thread launches (threads/workers.h).
typedef struct pa_workers {
  int32_t ids[PA_MAX_WORKERS]; // Linux's thread ids, by number in the team; 0: unknown
  int64_t left;                // when its last loop ended, in ms
} pa_workers;

// What an iteration of a loop took that was timed last, and how often the loop has been shared since. Loops whose code
// has one place here are timed anew.
enum { PA_TIMED_LOOPS = 16 };

typedef struct pa_timed_loop {
  const void *chunk;
  int64_t ticks, shared;
} pa_timed_loop;

// Errors that were caught while memory was short have room of their own.
enum { PA_SPARE_ERRORS = 8 };

typedef struct pa_thread {
  pa_random python_random;
  pa_random numpy_random;
  pa_raised raised;
  pa_error **handled; // errors that handlers are at work on, the innermost last
  int64_t handled_count, handled_capacity;
  pa_error *spare_errors[PA_SPARE_ERRORS];
  int spare_count;
  pa_error *cause; // of the next raise, if it is |from| something
  bool from;
  pa_free_list free_lists[PA_BLOCK_CLASSES];
  pa_owner *pending;              // objects whose last reference is gone and that are not destroyed yet
  bool destroying;                // somebody further up the stack sees to them
  int64_t stack_limit;            // 0 until asked for
  struct pa_generator *generator; // the innermost one that is running, or NULL
  const struct pa_region *region; // the parallel loop of which it runs a part; NULL outside
  int64_t thread_id;              // within that loop's team; 0 outside
  int64_t num_threads;            // for its loops; 0: as many as there may be
  int64_t chunk_size;             // for its loops; 0: one part for each thread
  int64_t team_size;              // of its latest parallel loop
  int64_t launches;               // of teams, so far
  pa_timed_loop timed[PA_TIMED_LOOPS];
  pa_workers workers; // the team
  pa_counter *counter;
} pa_thread;

// Reading it needs no call, unlike the dynamic TLS of a dlopened library.
extern __thread pa_thread *pa_thread_pointer __attribute__((tls_model("initial-exec")));

pa_thread *pa_thread_create(void); // fills pa_thread_pointer

static inline pa_thread *pa_thread_current(void) {
  pa_thread *thread = pa_thread_pointer;
  return __builtin_expect(thread != NULL, 1) ? thread : pa_thread_create();
}

void pa_free_lists_drain(pa_thread *thread);
void pa_errors_prepare(pa_thread *thread);
void pa_errors_drain(pa_thread *thread);
pa_counter *pa_counter_take(void);
void pa_counter_give(pa_counter *counter); // its counts stay

#endif // PYARRAY_LIB_RUNTIME_THREAD_H
