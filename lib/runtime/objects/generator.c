// Generators: frames of coroutines on the heap, which compiled code fills and runs
// (lib/passes/to_llvm/make_coroutines.c).
#include "objects.h"
#include "thread.h"

static pa_generator *generator_of(int64_t handle) { return pa_object_of(handle); }

static inline int64_t stack_limit(const pa_thread *thread) {
  return thread->stack_limit ? thread->stack_limit : pyarray_rt_stack_limit();
}

__attribute__((always_inline)) static inline void run_on(pa_thread *thread, pa_generator *generator, int64_t how,
                                                         int64_t item) {
  pa_generator *outer = thread->generator;
  thread->generator = generator;
  generator->item = item;
  generator->state = how;
  generator->running = generator->started = 1;
  generator->resume(generator);
  generator->running = 0;
  thread->generator = outer;
}

//===-- Items -------------------------------------------------------------------------------------===//

// The last of the delegates of |generator|, the first of which has just handed on an item of it.
__attribute__((noinline)) static pa_generator *last_delegate(pa_generator *generator) {
  pa_generator *delegate = generator->delegate, *leaf = delegate->leaf ? delegate->leaf : delegate;
  delegate->parent = generator;
  delegate->depth = generator->depth + 1;
  delegate->leaf = NULL;
  return leaf;
}

// Runs the last delegate of |root| on. Those between them wait for nothing but its items: they are run on where it has
// no more.
__attribute__((noinline)) static int64_t run_delegates(pa_thread *thread, pa_generator *root, int64_t item) {
  pa_generator *leaf = root->leaf;
  root->running = 1;
  for (;; leaf = leaf->parent) {
    leaf->delegate = leaf->leaf = NULL;
    leaf->level = root->level;
    run_on(thread, leaf, PA_GENERATOR_NEXT, item);
    if (leaf == root || leaf->state == PA_GENERATOR_YIELDED) break;
    leaf->failed = leaf->state == PA_GENERATOR_RAISED;
  }
  int64_t state = leaf->state;
  if (leaf->delegate) leaf = last_delegate(leaf);
  root->leaf = leaf == root ? NULL : leaf;
  root->running = 0;
  return state;
}

// An item of the innermost generator goes through all that wait for it. So a recursion without end would take time in
// the square of a depth that only the stack limits, tens of thousands; CPython's own limit is 1000. To begin that many
// within each other, for a first item, is no such matter.
enum { MOST_RESUMED = 4000 };

// Whether there is room to run it on.
static inline bool has_level(const pa_thread *thread, pa_generator *generator) {
  generator->level = thread->generator ? thread->generator->level + generator->started : 0;
  return generator->level <= MOST_RESUMED && (int64_t)(uintptr_t)__builtin_frame_address(0) >= stack_limit(thread);
}

int64_t pyarray_rt_generator_next(int64_t handle, int64_t item) {
  pa_generator *generator = generator_of(handle);
  if (__builtin_expect(generator->running != 0, 0)) return -3;
  if (!generator->resume) {
    int64_t failed = generator->failed;
    generator->failed = 0;
    return failed ? PA_GENERATOR_RAISED : PA_GENERATOR_ENDED;
  }
  pa_thread *thread = pa_thread_current();
  if (__builtin_expect(!has_level(thread, generator), 0)) return -2;
  if (generator->leaf) return run_delegates(thread, generator, item);
  run_on(thread, generator, PA_GENERATOR_NEXT, item);
  if (generator->delegate) generator->leaf = last_delegate(generator);
  return generator->state;
}

// Of generators that wait for each other's items: a recursion without end needs memory for each.
enum { MOST_DELEGATES = 50000 };

// Where the code of a generator became part of a function, it is not the one that is running; its items go elsewhere
// then.
int64_t pyarray_rt_generator_delegate(int64_t handle, int64_t item) {
  pa_generator *running = pa_thread_current()->generator;
  bool own = running && running->item == item;
  if (own && running->depth >= MOST_DELEGATES) return -2;
  int64_t state = pyarray_rt_generator_next(handle, item);
  bool alone = __atomic_load_n(&pa_owner_of(handle)->references, __ATOMIC_RELAXED) == 1;
  if (state == PA_GENERATOR_YIELDED && own && alone) running->delegate = generator_of(handle);
  return state;
}

//===-- Ends --------------------------------------------------------------------------------------===//

// Where it has not begun, or yields once more though there is no place for an item, it leaves without another word.
bool pa_generator_close(int64_t handle) {
  pa_generator *generator = generator_of(handle);
  if (!generator->resume) return true;
  bool started = generator->started;
  generator->delegate = generator->leaf = NULL;
  run_on(pa_thread_current(), generator, PA_GENERATOR_CLOSE, 0);
  return !started || generator->state == PA_GENERATOR_ENDED;
}

enum { ROOM = 128 * 1024 }; // of the stack, for one generator that is dropped

static bool has_room(void) {
  return (int64_t)(uintptr_t)__builtin_frame_address(0) - ROOM > stack_limit(pa_thread_current());
}

// Noinline: a record of a thousand bytes, in each of many frames.
__attribute__((noinline)) static void close_beside_error(int64_t handle) {
  pa_raised raised = pa_raised_take();
  pa_generator_close(handle);
  pa_raised_put(&raised);
}

// An error that is on its way stays the thread's. What its code releases goes at once, as long as the stack allows it:
// generators that it was waiting for end before its own finally blocks run.
static void destroy(void *object) {
  pa_generator *generator = object;
  pa_thread *thread = pa_thread_current();
  if (!generator->resume) return;
  bool destroying = thread->destroying;
  if (has_room()) thread->destroying = false;
  if (thread->raised.count)
    close_beside_error(pa_handle_of(generator));
  else
    pa_generator_close(pa_handle_of(generator)), pa_raised_clear();
  thread->destroying = destroying;
}

static const pa_object_type generator_type = {.name = "generator", .destroy = destroy};

int64_t pyarray_rt_generator_new(int64_t bytes) { return pa_handle_of(pa_object_new(&generator_type, (size_t)bytes)); }
