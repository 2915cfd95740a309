// lib/runtime/base/errors.c: errors that are handled and raised again, and those of C callbacks.
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

static int64_t reported_context;
static int32_t reported_site, reports;

static void report(int64_t context) {
  reported_context = context;
  reported_site = pa_raised_current()->site[0];
  ++reports;
}

static void test_many_values(void) {
  int64_t values[PA_MAX_VALUES + 4];
  for (int i = 0; i < PA_MAX_VALUES + 4; ++i) values[i] = i + 1;
  pyarray_rt_raise_many(2, (int64_t)(uintptr_t)values, 5);
  CHECK(pa_raised_current()->value_count == 5 && pa_raised_current()->values[4] == 5 &&
        pa_raised_current()->site[0] == 2);
  pyarray_rt_raise_many(2, (int64_t)(uintptr_t)values, PA_MAX_VALUES + 4);
  CHECK(pa_raised_current()->value_count == PA_MAX_VALUES &&
        pa_raised_current()->values[PA_MAX_VALUES - 1] == PA_MAX_VALUES);
  pa_raised_clear();
}

// An error that is handled is the context of the next one; raised again, it is itself, and no chain leads back to it.
static void test_handlers(void) {
  pyarray_rt_raise(1);
  pyarray_rt_propagate(2);
  pyarray_rt_catch();
  CHECK(pa_raised_current()->count == 0 && pa_handled_count() == 1 && pyarray_rt_caught_site() == 1);
  pa_error *first = (pa_error *)(uintptr_t)pyarray_rt_exception();
  pyarray_rt_raise_values(3, 10, 20, 30);
  CHECK(pa_raised_current()->context == first && !pa_raised_current()->from);
  pyarray_rt_catch();
  pa_error *second = (pa_error *)(uintptr_t)pyarray_rt_exception();
  CHECK(second->raised.context == first && second->raised.values[1] == 20 && pa_handled_count() == 2);
  pyarray_rt_raise_again((int64_t)(uintptr_t)first, 4);
  CHECK(pa_raised_current()->caught == first && pa_raised_current()->count == 3 && pa_raised_current()->site[2] == 4);
  CHECK(first->raised.context == second && !second->raised.context);
  pyarray_rt_uncatch(2);
  CHECK(pa_handled_count() == 0 && pa_raised_current()->site[0] == 1);
  pa_raised_clear();
}

static void test_reraise_keeps_the_traceback(void) {
  pyarray_rt_raise(5);
  pyarray_rt_catch();
  pyarray_rt_reraise();
  CHECK(pa_raised_current()->count == 1 && pa_raised_current()->site[0] == 5 && !pa_raised_current()->context);
  pyarray_rt_catch(); // in a try within the handler
  CHECK(pa_handled_count() == 2);
  pyarray_rt_uncatch(2);
}

static void test_causes(void) {
  int64_t value = 9;
  pyarray_rt_new_cause(6, (int64_t)(uintptr_t)&value, 1, 0);
  pyarray_rt_raise(7);
  pa_raised raised = pa_raised_take();
  CHECK(raised.from && raised.cause && raised.cause->raised.site[0] == 6 && raised.cause->raised.values[0] == 9);
  CHECK(raised.cause->raised.is_new && !raised.context && pa_raised_current()->count == 0);
  pa_raised_drop(&raised);
  pyarray_rt_cause(0);
  pyarray_rt_raise(8);
  CHECK(pa_raised_current()->from && !pa_raised_current()->cause);
  pyarray_rt_raise(9); // the cause was that of the raise before
  CHECK(!pa_raised_current()->from);
  pa_raised_clear();
}

// A chain of 100000 contexts is freed without a stack.
static void test_long_chain(void) {
  for (int i = 0; i < 100000; ++i) {
    pyarray_rt_raise(i);
    pyarray_rt_catch();
  }
  CHECK(pa_handled_count() == 100000);
  pyarray_rt_reraise(); // it alone holds the others now
  pyarray_rt_uncatch(100000);
  CHECK(pa_handled_count() == 0 && pa_raised_current()->site[0] == 99999);
  pa_raised_clear();
}

int main(void) {
  test_many_values();
  test_handlers();
  test_reraise_keeps_the_traceback();
  test_causes();
  test_long_chain();
  pyarray_rt_raise(7);
  pyarray_rt_report_unraisable(5); // nobody listens
  CHECK(pa_raised_current()->count == 0 && reports == 0);
  pa_set_unraisable_report(report);
  pyarray_rt_raise_values(3, 1, 2, 4);
  pyarray_rt_report_unraisable(11);
  CHECK(reports == 1 && reported_context == 11 && reported_site == 3);
  CHECK(pa_raised_current()->count == 0 && pa_raised_current()->value_count == 0);
  pa_set_unraisable_report(NULL);
  pyarray_rt_raise(1);
  pyarray_rt_report_unraisable(12);
  CHECK(reports == 1);
  return report_checks();
}
