// lib/runtime/errors.c: errors of C callbacks.
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
  CHECK(pa_raised_current()->value_count == 5 && pa_raised_current()->values[4] == 5 && pa_raised_current()->site[0] == 2);
  pyarray_rt_raise_many(2, (int64_t)(uintptr_t)values, PA_MAX_VALUES + 4);
  CHECK(pa_raised_current()->value_count == PA_MAX_VALUES && pa_raised_current()->values[PA_MAX_VALUES - 1] == PA_MAX_VALUES);
  pa_raised_clear();
}

int main(void) {
  test_many_values();
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
