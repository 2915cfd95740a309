// The life of a thread's record: made at first use, freed when the thread ends, its generators unseeded after fork.
#include "thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// All thread-local storage of a dlopened library is static as soon as one variable is, and static space is scarce:
// hence one pointer and nothing else.
__thread pa_thread *pa_thread_pointer __attribute__((tls_model("initial-exec")));

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key;

// Of threads that begin while memory is short.
static pa_thread in_reserve[16];
static bool is_taken[16];

static pa_thread *take_from_reserve(void) {
  for (size_t i = 0; i < sizeof in_reserve / sizeof *in_reserve; ++i)
    if (!__atomic_exchange_n(&is_taken[i], true, __ATOMIC_ACQ_REL))
      return memset(&in_reserve[i], 0, sizeof *in_reserve);
  fputs("pyarray: out of memory for a thread's state\n", stderr);
  abort();
}

static void give_back(pa_thread *thread) {
  if (thread < in_reserve || thread >= in_reserve + sizeof in_reserve / sizeof *in_reserve)
    free(thread);
  else
    __atomic_store_n(&is_taken[thread - in_reserve], false, __ATOMIC_RELEASE);
}

// Whoever needs the record later in the thread's last moments gets a new one, and this runs again.
static void free_thread(void *record) {
  pa_errors_drain(record);
  pa_thread_pointer = NULL;
  pa_free_lists_drain(record);
  pa_counter_give(((pa_thread *)record)->counter);
  give_back(record);
}

static void forget_seed(pa_random *random) {
  random->seeded = 0;
  random->position = PA_RANDOM_WORDS;
}

// A forked process must not repeat its parent's numbers (Numba and CPython's random do the same).
static void after_fork(void) {
  if (!pa_thread_pointer) return;
  forget_seed(&pa_thread_pointer->python_random);
  forget_seed(&pa_thread_pointer->numpy_random);
}

static void initialize_once(void) {
  if (pthread_key_create(&thread_key, free_thread)) abort();
  pthread_atfork(NULL, NULL, after_fork);
}

pa_thread *pa_thread_create(void) {
  pthread_once(&once, initialize_once);
  pa_thread *thread = calloc(1, sizeof *thread);
  if (!thread) thread = take_from_reserve();
  pthread_setspecific(thread_key, thread); // without memory for it, the record outlives its thread
  thread->counter = pa_counter_take();
  forget_seed(&thread->python_random);
  forget_seed(&thread->numpy_random);
  pa_thread_pointer = thread;
  pa_errors_prepare(thread);
  return thread;
}
