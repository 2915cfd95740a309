// lib/runtime/objects/generator.c, with frames whose code is written here: running on, closing, dropping, errors that
// they handle.
#include "../../lib/runtime/base/objects.h"
#include "test_runtime_check.h"

typedef struct frame {
  pa_generator generator;
  int64_t next, last; // yields next, next + 1, ... last
  int64_t ended;      // address of a counter
  bool stubborn;      // it yields again when it is closed
} frame;

static void finish(frame *f, int64_t state) {
  f->generator.resume = NULL;
  f->generator.state = state;
  if (f->ended) ++*(int64_t *)(uintptr_t)f->ended;
}

static void step(pa_generator *generator) {
  frame *f = (frame *)generator;
  if (generator->state == PA_GENERATOR_CLOSE) {
    if (!f->stubborn && f->next) pyarray_rt_raise(7); // else it has not begun
    finish(f, PA_GENERATOR_RAISED);
    return;
  }
  CHECK(pyarray_rt_generator_next(pa_handle_of(generator), 0) == -3); // it is running
  if (f->next > f->last) {
    finish(f, PA_GENERATOR_ENDED);
    return;
  }
  *(int64_t *)(uintptr_t)generator->item = f->next++;
  generator->state = PA_GENERATOR_YIELDED;
}

static int64_t make(int64_t last, int64_t *ended, bool stubborn) {
  int64_t handle = pyarray_rt_generator_new(sizeof(frame));
  frame *f = pa_object_of(handle);
  CHECK(handle && !f->generator.started && !f->generator.running);
  f->generator.resume = step;
  f->last = last;
  f->ended = (int64_t)(uintptr_t)ended;
  f->stubborn = stubborn;
  return handle;
}

static void test_items(void) {
  int64_t item = -1, handle = make(1, NULL, false), address = (int64_t)(uintptr_t)&item;
  CHECK(pyarray_rt_generator_next(handle, address) == 1 && item == 0);
  CHECK(pyarray_rt_generator_next(handle, address) == 1 && item == 1);
  CHECK(pyarray_rt_generator_next(handle, address) == 0);
  CHECK(pyarray_rt_generator_next(handle, address) == 0 && item == 1);
  CHECK(pa_generator_close(handle));
  pyarray_rt_release(handle);
}

static void test_close(void) {
  int64_t item, ended = 0, handle = make(9, &ended, false);
  CHECK(pa_generator_close(handle) && ended == 1 && !pa_raised_current()->count); // before it has begun
  pyarray_rt_release(handle);
  handle = make(9, &ended, false);
  pyarray_rt_generator_next(handle, (int64_t)(uintptr_t)&item);
  CHECK(!pa_generator_close(handle) && ended == 2 && pa_raised_current()->site[0] == 7);
  pa_raised_clear();
  pyarray_rt_release(handle);
  handle = make(9, &ended, true);
  pyarray_rt_generator_next(handle, (int64_t)(uintptr_t)&item);
  CHECK(!pa_generator_close(handle) && ended == 3 && !pa_raised_current()->count);
  pyarray_rt_release(handle);
  CHECK(ended == 3);
}

// The last release closes it; an error that is on its way stays, and what the generator raises is lost.
static void test_drop(void) {
  int64_t item, ended = 0, handle = make(9, &ended, false);
  pa_allocation_counts before = pa_allocation_counts_now();
  pyarray_rt_generator_next(handle, (int64_t)(uintptr_t)&item);
  pyarray_rt_raise(3);
  pyarray_rt_release(handle);
  CHECK(ended == 1 && pa_raised_current()->count == 1 && pa_raised_current()->site[0] == 3);
  pa_raised_clear();
  handle = make(9, &ended, false);
  pyarray_rt_generator_next(handle, (int64_t)(uintptr_t)&item);
  pyarray_rt_release(handle);
  CHECK(ended == 2 && !pa_raised_current()->count);
  pa_allocation_counts after = pa_allocation_counts_now();
  CHECK(after.freed - before.freed == after.allocated - before.allocated + 1);
}

static void test_handlers(void) {
  for (int site = 1; site <= 3; ++site) pyarray_rt_raise(site), pyarray_rt_catch();
  int64_t aside = pyarray_rt_handlers_aside(2);
  CHECK(pa_handled_count() == 1 && pyarray_rt_caught_site() == 1);
  pyarray_rt_raise(4), pyarray_rt_catch();
  pyarray_rt_handlers_back(aside, 2);
  CHECK(pa_handled_count() == 4 && pyarray_rt_caught_site() == 3);
  pyarray_rt_uncatch(2);
  CHECK(pyarray_rt_caught_site() == 4);
  pyarray_rt_uncatch(2);
  CHECK(pa_handled_count() == 0);
}

// What a generator that has no frame raises as it is closed is lost, and what was on its way is not.
static void test_error_aside(void) {
  pyarray_rt_raise(3);
  int64_t aside = pyarray_rt_error_aside();
  CHECK(aside && !pa_raised_current()->count);
  pyarray_rt_raise(4);
  pyarray_rt_error_back(aside);
  CHECK(pa_raised_current()->count == 1 && pa_raised_current()->site[0] == 3);
  pa_raised_clear();
  CHECK(!pyarray_rt_error_aside());
  pyarray_rt_raise(4);
  pyarray_rt_error_back(0);
  CHECK(!pa_raised_current()->count);
}

// One that hands on the items of another, and then ends or fails as that did.
typedef struct relay {
  pa_generator generator;
  int64_t inner; // the handle that it holds
  int64_t runs;  // how often it was run on
} relay;

static void hand_on(pa_generator *generator) {
  relay *r = (relay *)generator;
  ++r->runs;
  int64_t state = generator->state == PA_GENERATOR_CLOSE ? PA_GENERATOR_RAISED
                                                         : pyarray_rt_generator_delegate(r->inner, generator->item);
  if (generator->state == PA_GENERATOR_CLOSE) pyarray_rt_raise(7);
  generator->state = state;
  if (state == PA_GENERATOR_YIELDED) return;
  pyarray_rt_release(r->inner);
  generator->resume = NULL;
}

static int64_t make_relay(int64_t inner) {
  int64_t handle = pyarray_rt_generator_new(sizeof(relay));
  relay *r = pa_object_of(handle);
  r->generator.resume = hand_on;
  r->inner = inner;
  return handle;
}

static void fail(pa_generator *generator) {
  pyarray_rt_raise(9);
  generator->state = PA_GENERATOR_RAISED;
  generator->resume = NULL;
}

// The innermost one alone is run on for an item, and the others where it ends.
static void test_delegates(void) {
  int64_t item = -1, ended = 0, address = (int64_t)(uintptr_t)&item, inner = make(3, &ended, false),
          middle = make_relay(inner), outer = make_relay(middle);
  relay *runs[] = {pa_object_of(middle), pa_object_of(outer)};
  for (int64_t i = 0; i <= 3; ++i)
    CHECK(pyarray_rt_generator_next(outer, address) == 1 && item == i && runs[0]->runs == 1 && runs[1]->runs == 1);
  pyarray_rt_retain(middle);
  CHECK(pyarray_rt_generator_next(outer, address) == 0 && ended == 1 && runs[0]->runs == 2 && runs[1]->runs == 2);
  pyarray_rt_release(middle);
  pyarray_rt_release(outer);

  inner = make(3, &ended, false); // somebody else has it, and may run it on
  pyarray_rt_retain(inner);
  outer = make_relay(inner);
  CHECK(pyarray_rt_generator_next(outer, address) == 1 && item == 0 && pyarray_rt_generator_next(inner, address) == 1 &&
        item == 1);
  CHECK(pyarray_rt_generator_next(outer, address) == 1 && item == 2 && ((relay *)pa_object_of(outer))->runs == 2);
  pyarray_rt_release(inner);
  CHECK(!pa_generator_close(outer) && ended == 2);
  pa_raised_clear();
  pyarray_rt_release(outer);

  inner = make(3, NULL, false); // its error goes through all that wait for it
  outer = make_relay(make_relay(inner));
  CHECK(pyarray_rt_generator_next(outer, address) == 1);
  ((pa_generator *)pa_object_of(inner))->resume = fail;
  CHECK(pyarray_rt_generator_next(outer, address) == -1 && pa_raised_current()->site[0] == 9);
  pa_raised_clear();
  CHECK(pyarray_rt_generator_next(outer, address) == 0);
  pyarray_rt_release(outer);
}

int main(void) {
  test_delegates();
  test_items();
  test_close();
  test_drop();
  test_handlers();
  test_error_aside();
  return report_checks();
}
