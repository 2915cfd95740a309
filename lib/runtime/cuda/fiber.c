// Fibers over ucontext. A stack has a page below it that must not be touched; freed ones are kept.
//
// Within a fiber the thread's limit of recursion (pyarray_rt_stack_limit) is that of the fiber's stack.
#include "fiber.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "../runtime.h"
#include "thread.h"

#if defined(__SANITIZE_THREAD__)
#define WATCHED_BY_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHED_BY_TSAN 1
#endif
#endif
#ifdef WATCHED_BY_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum {
  GUARD = 4096,
  RESERVE = 64 * 1024
}; // bytes; of the reserve libm and the runtime live below the limit of recursion

typedef struct stack {
  struct stack *next; // of those that are free
  char *memory;       // the guard, then the stack
} stack;

struct pa_fiber {
  ucontext_t own, caller;
  stack *stack;
  int32_t (*run)(void *context);
  void *context;
  int32_t result;
  bool is_done;
#ifdef WATCHED_BY_TSAN
  void *watched, *watched_caller;
#endif
};

static __thread pa_fiber *current __attribute__((tls_model("initial-exec")));

//===-- Stacks ------------------------------------------------------------------------------------===//

static pthread_mutex_t stack_lock = PTHREAD_MUTEX_INITIALIZER;
static stack *free_stacks;
static int kept; // of these

enum { MOST_KEPT = 1024 };

static stack *new_stack(void) {
  stack *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->memory = mmap(NULL, GUARD + PA_FIBER_STACK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (made->memory != MAP_FAILED && !mprotect(made->memory, GUARD, PROT_NONE)) return made;
  if (made->memory != MAP_FAILED) munmap(made->memory, GUARD + PA_FIBER_STACK);
  free(made);
  return NULL;
}

static stack *take_stack(void) {
  pthread_mutex_lock(&stack_lock);
  stack *taken = free_stacks;
  if (taken) {
    free_stacks = taken->next;
    --kept;
  }
  pthread_mutex_unlock(&stack_lock);
  return taken ? taken : new_stack();
}

static void free_stack(stack *freed) {
  munmap(freed->memory, GUARD + PA_FIBER_STACK);
  free(freed);
}

static void give_stack(stack *given) {
  pthread_mutex_lock(&stack_lock);
  bool keep = kept < MOST_KEPT;
  if (keep) {
    given->next = free_stacks;
    free_stacks = given;
    ++kept;
  }
  pthread_mutex_unlock(&stack_lock);
  if (!keep) free_stack(given);
}

void pa_fiber_stacks_free(void) {
  pthread_mutex_lock(&stack_lock);
  for (stack *next; free_stacks; free_stacks = next) {
    next = free_stacks->next;
    free_stack(free_stacks);
  }
  kept = 0;
  pthread_mutex_unlock(&stack_lock);
}

//===-- Switching ---------------------------------------------------------------------------------===//

static void switch_in(pa_fiber *fiber) {
#ifdef WATCHED_BY_TSAN
  fiber->watched_caller = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber->watched, 0);
#endif
  swapcontext(&fiber->caller, &fiber->own);
}

static __attribute__((noinline)) void switch_out(pa_fiber *fiber) {
#ifdef WATCHED_BY_TSAN
  __tsan_switch_to_fiber(fiber->watched_caller, 0);
#endif
  swapcontext(&fiber->own, &fiber->caller);
}

// makecontext passes ints.
static void enter(unsigned low, unsigned high) {
  pa_fiber *fiber = (pa_fiber *)((uintptr_t)high << 32 | low);
  fiber->result = fiber->run(fiber->context);
  fiber->is_done = true;
  switch_out(fiber);
}

// A function of its own: getcontext may return twice, for all that compilers know.
static bool prepare(pa_fiber *fiber) {
  if (getcontext(&fiber->own)) return false;
  fiber->own.uc_stack = (stack_t){.ss_sp = fiber->stack->memory + GUARD, .ss_size = PA_FIBER_STACK};
  makecontext(&fiber->own, (void (*)(void))enter, 2, (unsigned)(uintptr_t)fiber, (unsigned)((uintptr_t)fiber >> 32));
  return true;
}

pa_fiber *pa_fiber_create(int32_t (*run)(void *context), void *context) {
  pa_fiber *fiber = calloc(1, sizeof *fiber);
  if (fiber) fiber->stack = take_stack();
  if (!fiber || !fiber->stack || !prepare(fiber)) {
    pa_fiber_free(fiber);
    return NULL;
  }
  fiber->run = run;
  fiber->context = context;
#ifdef WATCHED_BY_TSAN
  fiber->watched = __tsan_create_fiber(0);
#endif
  return fiber;
}

void pa_fiber_free(pa_fiber *fiber) {
  if (!fiber) return;
#ifdef WATCHED_BY_TSAN
  if (fiber->watched) __tsan_destroy_fiber(fiber->watched);
#endif
  if (fiber->stack) give_stack(fiber->stack);
  free(fiber);
}

bool pa_fiber_resume(pa_fiber *fiber, int32_t *out_result) {
  pa_thread *thread = pa_thread_current();
  pa_fiber *outer = current; // of a launch whose signal handler this one is in
  int64_t limit = thread->stack_limit;
  current = fiber;
  thread->stack_limit = (int64_t)(uintptr_t)(fiber->stack->memory + GUARD + RESERVE);
  switch_in(fiber);
  current = outer; // whoever resumes is the same thread all the time
  thread->stack_limit = limit;
  if (fiber->is_done) *out_result = fiber->result;
  return !fiber->is_done;
}

void pa_fiber_yield(void) { switch_out(current); }
