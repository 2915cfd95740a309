// Generators: frames of coroutines on the heap, which compiled code fills and runs (lib/passes/make_coroutines.c).
#include "objects.h"
#include "thread.h"

static pa_generator *generator_of(int64_t handle) { return pa_object_of(handle); }

static inline int64_t stack_limit(void) {
  int64_t limit = pa_thread_current()->stack_limit;
  return limit ? limit : pyarray_rt_stack_limit();
}

static inline void run_on(pa_generator *generator, int64_t how, int64_t item) {
  generator->item = item;
  generator->state = how;
  generator->running = generator->started = 1;
  generator->resume(generator);
  generator->running = 0;
}

int64_t pyarray_rt_generator_next(int64_t handle, int64_t item) {
  pa_generator *generator = generator_of(handle);
  if (__builtin_expect(generator->running != 0, 0)) return -3;
  if (!generator->resume) return PA_GENERATOR_ENDED;
  if (__builtin_expect((int64_t)(uintptr_t)__builtin_frame_address(0) < stack_limit(), 0)) return -2;
  run_on(generator, PA_GENERATOR_NEXT, item);
  return generator->state;
}

//===-- Ends --------------------------------------------------------------------------------------===//

// Where it has not begun, or yields once more though there is no place for an item, it leaves without another word.
bool pa_generator_close(int64_t handle) {
  pa_generator *generator = generator_of(handle);
  if (!generator->resume) return true;
  bool started = generator->started;
  run_on(generator, PA_GENERATOR_CLOSE, 0);
  return !started || generator->state == PA_GENERATOR_ENDED;
}

enum { ROOM = 128 * 1024 }; // of the stack, for one generator that is dropped

static bool has_room(void) { return (int64_t)(uintptr_t)__builtin_frame_address(0) - ROOM > stack_limit(); }

// Noinline: a record of a thousand bytes, in each of many frames.
__attribute__((noinline)) static void close_beside_error(int64_t handle) {
  pa_raised raised = pa_raised_take();
  pa_generator_close(handle);
  pa_raised_put(&raised);
}

// An error that is on its way stays the thread's. What its code releases goes at once, as long as the stack allows it: generators that it
// was waiting for end before its own finally blocks run.
static void destroy(void *object) {
  pa_generator *generator = object;
  pa_thread *thread = pa_thread_current();
  if (!generator->resume) return;
  bool destroying = thread->destroying;
  if (has_room()) thread->destroying = false;
  if (thread->raised.count) close_beside_error(pa_handle_of(generator));
  else pa_generator_close(pa_handle_of(generator)), pa_raised_clear();
  thread->destroying = destroying;
}

static const pa_object_type generator_type = {.name = "generator", .destroy = destroy};

int64_t pyarray_rt_generator_new(int64_t bytes) { return pa_handle_of(pa_object_new(&generator_type, (size_t)bytes)); }
