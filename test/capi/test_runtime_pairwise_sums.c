// lib/runtime/numbers/pairwise_sums.c: sums of floats in halves. That they are NumPy's is tested in
// test/python/test_ufunc_copies.py.
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

#include <math.h>

enum { MOST = 5000 };

static double doubles[3 * MOST];
static float floats[3 * MOST];

static double sum_doubles(int64_t count, int64_t step) {
  const double *first = step < 0 ? doubles - (count - 1) * step : doubles;
  return pyarray_rt_pairwise_sum_f64(count, (int64_t)(intptr_t)first, step * (int64_t)sizeof *doubles);
}

static float sum_floats(int64_t count, int64_t step) {
  const float *first = step < 0 ? floats - (count - 1) * step : floats;
  return pyarray_rt_pairwise_sum_f32(count, (int64_t)(intptr_t)first, step * (int64_t)sizeof *floats);
}

// Whole numbers, whose sums are exact in any order: every item counts once.
static void check_every_item(int64_t step) {
  for (int i = 0; i < 3 * MOST; ++i) floats[i] = (float)(doubles[i] = i % 11 - 3);
  double expected = 0;
  int64_t stride = step < 0 ? -step : step;
  for (int64_t count = 1; count <= 600; ++count) {
    expected = 0;
    for (int64_t i = 0; i < count; ++i) expected += doubles[i * stride];
    CHECK(sum_doubles(count, step) == expected);
    CHECK(sum_floats(count, step) == (float)expected);
  }
}

static void check_errors_stay_small(void) {
  for (int i = 0; i < MOST; ++i) floats[i] = 0.1f, doubles[i] = 0.1;
  CHECK(fabsf(sum_floats(MOST, 1) - 0.1f * MOST) <= 1e-4f); // in order 500.02
  CHECK(fabs(sum_doubles(MOST, 1) - 0.1 * MOST) <= 2e-13);  // in order 500.0000000000066
}

static void check_zeros(void) {
  for (int i = 0; i < 20; ++i) doubles[i] = -0.0;
  CHECK(signbit(sum_doubles(3, 1)) && signbit(sum_doubles(20, 1)));
  CHECK(sum_doubles(0, 1) == 0);
}

int main(void) {
  static const int64_t steps[] = {1, 2, 3, -1, -2};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) check_every_item(steps[i]);
  check_errors_stay_small();
  check_zeros();
  return report_checks();
}
