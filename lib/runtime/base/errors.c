// The thread's error record, the errors that its handlers are at work on, and the stack guard behind RecursionError.
#include "thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===-- Room for errors ---------------------------------------------------------------------------===//

// Blocks of at least the size of an error. A MemoryError is caught where memory is short: the thread has some in
// reserve.
static void *take_room(size_t size) {
  pa_thread *thread = pa_thread_current();
  if (size < sizeof(pa_error)) size = sizeof(pa_error);
  void *room = malloc(size);
  if (room) return room;
  pa_free_lists_drain(thread);
  if ((room = malloc(size))) return room;
  if (thread->spare_count && size == sizeof(pa_error)) return thread->spare_errors[--thread->spare_count];
  fputs("pyarray: no memory is left for the errors that handlers are at work on\n", stderr);
  abort();
}

static void give_room(void *room) {
  pa_thread *thread = pa_thread_current();
  if (thread->spare_count < PA_SPARE_ERRORS)
    thread->spare_errors[thread->spare_count++] = room;
  else
    free(room);
}

static bool has_room(pa_thread *thread, int64_t count);

void pa_errors_prepare(pa_thread *thread) {
  for (void *room; thread->spare_count < PA_SPARE_ERRORS && (room = malloc(sizeof(pa_error)));)
    thread->spare_errors[thread->spare_count++] = room;
  has_room(thread, 1);
}

//===-- Errors that were caught -------------------------------------------------------------------===//

static pa_error *retain(pa_error *error) {
  if (error) __atomic_fetch_add(&error->references, 1, __ATOMIC_RELAXED);
  return error;
}

static void release_values(pa_raised *raised) {
  for (int i = 0; raised->handles; ++i, raised->handles >>= 1)
    if (raised->handles & 1) pyarray_rt_release(raised->values[i]);
}

// The chains of contexts and causes may be long: what is left to release is kept in a list through |context|.
static void release(pa_error *error) {
  pa_error *pending = NULL;
  while (error || pending) {
    if (!error) {
      error = pending;
      pending = error->raised.context;
      pa_error *cause = error->raised.cause;
      release_values(&error->raised);
      give_room(error);
      error = cause;
      continue;
    }
    if (__atomic_fetch_sub(&error->references, 1, __ATOMIC_ACQ_REL) > 1) {
      error = NULL;
      continue;
    }
    pa_error *context = error->raised.context;
    error->raised.context = pending;
    pending = error;
    error = context;
  }
}

// What is in use of a record of a thousand bytes. The references of its values go with it, or stay with |from| where
// that is the error that |to| passes on.
static void copy(pa_raised *to, const pa_raised *from) {
  memcpy(to->site, from->site, (size_t)from->count * sizeof *to->site);
  memcpy(to->values, from->values, (size_t)from->value_count * sizeof *to->values);
  to->count = from->count;
  to->value_count = from->value_count;
  to->handles = from->handles;
  to->context = from->context;
  to->cause = from->cause;
  to->caught = from->caught;
  to->from = from->from;
  to->is_new = from->is_new;
}

static pa_error *new_error(const pa_raised *raised) {
  pa_error *error = take_room(sizeof *error);
  error->references = 1;
  copy(&error->raised, raised);
  return error;
}

void pa_raised_drop(pa_raised *raised) {
  if (raised->caught) {
    release(raised->caught);
  } else {
    release(raised->context);
    release(raised->cause);
    release_values(raised);
  }
  raised->count = raised->value_count = 0;
  raised->handles = 0;
  raised->context = raised->cause = raised->caught = NULL;
  raised->from = raised->is_new = false;
}

//===-- Raised errors -----------------------------------------------------------------------------===//

pa_raised *pa_raised_current(void) { return &pa_thread_current()->raised; }

void pa_raised_clear(void) { pa_raised_drop(pa_raised_current()); }

static void forget(pa_raised *raised) {
  raised->count = raised->value_count = 0;
  raised->handles = 0;
  raised->context = raised->cause = raised->caught = NULL;
  raised->from = raised->is_new = false;
}

pa_raised pa_raised_take(void) {
  pa_raised taken = *pa_raised_current();
  forget(pa_raised_current());
  return taken;
}

static pa_error *handled_now(const pa_thread *thread) {
  return thread->handled_count ? thread->handled[thread->handled_count - 1] : NULL;
}

void pa_raised_put(const pa_raised *raised) {
  pa_thread *thread = pa_thread_current();
  pa_raised_drop(&thread->raised);
  thread->raised = *raised;
  if (!raised->caught && !raised->context) thread->raised.context = retain(handled_now(thread));
}

static void take_cause(pa_thread *thread, pa_raised *raised) {
  if (!thread->from) return;
  release(raised->cause);
  raised->cause = thread->cause;
  raised->from = true;
  thread->cause = NULL;
  thread->from = false;
}

void pyarray_rt_raise(int32_t site) {
  pa_thread *thread = pa_thread_current();
  pa_raised_drop(&thread->raised);
  thread->raised.count = 1;
  thread->raised.site[0] = site;
  thread->raised.context = retain(handled_now(thread));
  take_cause(thread, &thread->raised);
}

static void set_values(pa_raised *raised, int64_t values, int64_t count) {
  raised->value_count = count < PA_MAX_VALUES ? (int32_t)count : PA_MAX_VALUES;
  memcpy(raised->values, (const int64_t *)(uintptr_t)values, (size_t)raised->value_count * sizeof *raised->values);
}

void pyarray_rt_raise_many(int32_t site, int64_t values, int64_t count) {
  pyarray_rt_raise(site);
  set_values(pa_raised_current(), values, count);
}

void pyarray_rt_raise_objects(int32_t site, int64_t values, int64_t count, int64_t handles) {
  pyarray_rt_raise_many(site, values, count);
  pa_raised_current()->handles = (uint64_t)handles;
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

int64_t pyarray_rt_error_aside(void) {
  if (!pa_raised_current()->count) return 0;
  pa_raised *aside = take_room(sizeof *aside);
  *aside = pa_raised_take();
  return (int64_t)(uintptr_t)aside;
}

void pyarray_rt_error_back(int64_t error) {
  pa_raised *aside = (pa_raised *)(uintptr_t)error;
  if (!aside) return pa_raised_clear();
  pa_raised_put(aside);
  give_room(aside);
}

//===-- Handlers ----------------------------------------------------------------------------------===//

// It grows long before it is full, so that a failure need not matter yet.
static bool has_room(pa_thread *thread, int64_t count) {
  int64_t wanted = thread->handled_count + count;
  if (2 * wanted <= thread->handled_capacity) return true;
  int64_t capacity = 4 * wanted > 64 ? 4 * wanted : 64;
  pa_error **handled = realloc(thread->handled, (size_t)capacity * sizeof *handled);
  if (!handled) return wanted <= thread->handled_capacity;
  thread->handled = handled;
  thread->handled_capacity = capacity;
  return true;
}

void pyarray_rt_catch(void) {
  pa_thread *thread = pa_thread_current();
  pa_error *error = thread->raised.caught;
  thread->raised.caught = NULL;
  if (error)
    copy(&error->raised, &thread->raised);
  else
    error = new_error(&thread->raised);
  if (!has_room(thread, 1)) abort(); // of so many handlers within handlers, each of which had no memory
  forget(&thread->raised);
  thread->handled[thread->handled_count++] = error;
}

void pyarray_rt_uncatch(int64_t count) {
  pa_thread *thread = pa_thread_current();
  while (count-- > 0 && thread->handled_count) release(thread->handled[--thread->handled_count]);
}

int64_t pyarray_rt_handlers_aside(int64_t count) {
  pa_thread *thread = pa_thread_current();
  pa_error **aside = take_room((size_t)count * sizeof *aside);
  thread->handled_count -= count;
  memcpy(aside, thread->handled + thread->handled_count, (size_t)count * sizeof *aside);
  return (int64_t)(uintptr_t)aside;
}

void pyarray_rt_handlers_back(int64_t address, int64_t count) {
  pa_thread *thread = pa_thread_current();
  pa_error **aside = (pa_error **)(uintptr_t)address;
  for (int64_t i = 0; i < count; ++i) {
    if (!has_room(thread, 1)) abort(); // as above
    thread->handled[thread->handled_count++] = aside[i];
  }
  give_room(aside);
}

void pa_errors_drain(pa_thread *thread) {
  while (thread->handled_count) release(thread->handled[--thread->handled_count]);
  free(thread->handled);
  thread->handled = NULL;
  thread->handled_capacity = 0;
  pa_raised_drop(&thread->raised);
  release(thread->cause);
  thread->cause = NULL;
  while (thread->spare_count) free(thread->spare_errors[--thread->spare_count]);
}

int64_t pa_handled_count(void) { return pa_thread_current()->handled_count; }

int32_t pyarray_rt_caught_site(void) { return handled_now(pa_thread_current())->raised.site[0]; }
int64_t pyarray_rt_exception(void) { return (int64_t)(uintptr_t)handled_now(pa_thread_current()); }

static pa_error *error_of(int64_t handle) { return (pa_error *)(uintptr_t)handle; }

int32_t pyarray_rt_exception_site(int64_t error) { return error_of(error)->raised.site[0]; }

int64_t pyarray_rt_exception_value(int64_t error, int64_t index) { return error_of(error)->raised.values[index]; }

static void raise_caught(pa_thread *thread, pa_error *error) {
  retain(error);
  pa_raised_drop(&thread->raised);
  copy(&thread->raised, &error->raised);
  thread->raised.caught = error;
}

void pyarray_rt_reraise(void) {
  pa_thread *thread = pa_thread_current();
  raise_caught(thread, handled_now(thread));
}

// No error is its own context: a chain that leads back to |error| ends before it.
static void set_context(pa_error *error, pa_error *context) {
  for (pa_error *at = context; at; at = at->raised.context) {
    if (at->raised.context != error) continue;
    at->raised.context = NULL;
    release(error);
    break;
  }
  pa_error *old = error->raised.context;
  error->raised.context = retain(context);
  release(old);
}

void pyarray_rt_raise_again(int64_t handle, int32_t site) {
  pa_thread *thread = pa_thread_current();
  pa_error *error = error_of(handle), *now = handled_now(thread);
  if (now && now != error) set_context(error, now);
  take_cause(thread, &error->raised);
  error->raised.is_new = false;
  raise_caught(thread, error);
  pyarray_rt_propagate(site);
}

void pyarray_rt_cause(int64_t error) {
  pa_thread *thread = pa_thread_current();
  release(thread->cause);
  thread->cause = retain(error_of(error));
  thread->from = true;
}

void pyarray_rt_new_cause(int32_t site, int64_t values, int64_t count, int64_t handles) {
  pa_raised raised = {.count = 1, .site = {site}, .is_new = true, .handles = (uint64_t)handles};
  if (count) set_values(&raised, values, count);
  pa_error *error = new_error(&raised);
  pyarray_rt_cause((int64_t)(uintptr_t)error);
  release(error);
}

//===-- What the interpreter reads of them --------------------------------------------------------===//

static pa_exception_reader read_part;

void pa_set_exception_reader(pa_exception_reader reader) { read_part = reader; }

// A thread of a parallel loop would wait for the interpreter, which waits for the loop.
int64_t pyarray_rt_has_exception_parts(int64_t owner) { return owner && read_part && !pa_thread_current()->region; }

// A class may have a method that runs other compiled code, which has errors of its own.
int64_t pyarray_rt_exception_part(int64_t error, int64_t owner, int64_t part, int64_t codes, int64_t out) {
  pa_thread *thread = pa_thread_current();
  pa_error **handled = thread->handled;
  int64_t count = thread->handled_count, capacity = thread->handled_capacity;
  thread->handled = NULL;
  thread->handled_count = thread->handled_capacity = 0;
  int64_t raised = read_part(owner, error_of(error), (pa_exception_part)part, (const char *)(uintptr_t)codes,
                             (uint64_t *)(uintptr_t)out);
  free(thread->handled);
  thread->handled = handled;
  thread->handled_count = count;
  thread->handled_capacity = capacity;
  return raised;
}

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
