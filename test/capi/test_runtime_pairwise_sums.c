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

static double noise(int i) { return sin(i * 12.9898) * (1 + i % 97); }

// Leaf by leaf, or block by block, it is the same sum.
static void check_leaves(int64_t most) {
  static int64_t state[200];
  for (int i = 0; i < MOST; ++i) doubles[i] = noise(i);
  for (int64_t count = 0; count <= 2600; ++count) {
    double sum = 1;
    int64_t at = 0, next = pyarray_rt_sum_begin((int64_t)state, count, (int64_t)&sum, sizeof sum, 1, most);
    while (next) {
      int64_t leaf = next;
      CHECK(leaf <= most);
      double part = pyarray_rt_pairwise_sum_f64(leaf, (int64_t)(doubles + at), sizeof sum);
      next = most < 512 ? pyarray_rt_sum_block_f64((int64_t)state, part, (int64_t)&sum)
                        : pyarray_rt_sum_leaf_f64((int64_t)state, (int64_t)(doubles + at), leaf, (int64_t)&sum);
      at += leaf;
    }
    CHECK(at == count);
    CHECK(sum == (count ? sum_doubles(count, 1) : 0));
  }
}

// Rows that fit the buffer together are one row, whatever lies between them; longer ones are added one after the other.
static void check_rows(void) {
  static double apart[3 * MOST];
  for (int i = 0; i < 3 * MOST; ++i) doubles[i] = noise(i), apart[i] = NAN;
  for (int64_t rows = 1; rows <= 5; ++rows)
    for (int64_t count = 1; count <= 500; ++count) {
      double sum = 0, threads = 0, expected = sum_doubles(rows * count, 1);
      for (int64_t i = 0; i < rows * count; ++i) apart[i / count * (count + 3) + i % count] = doubles[i];
      pyarray_rt_add_rows_f64(rows, count, (int64_t)apart, (count + 3) * 8, 8, (int64_t)&sum);
      pyarray_rt_add_rows_on_threads_f64(rows, count, (int64_t)apart, (count + 3) * 8, 8, (int64_t)&threads);
      CHECK(sum == expected && threads == expected);
    }
  static double wide[2 * 9000];
  for (int i = 0; i < 2 * 9000; ++i) wide[i] = noise(i);
  double sum = 0.5, first = pyarray_rt_pairwise_sum_f64(9000, (int64_t)wide, 8);
  pyarray_rt_add_rows_f64(2, 9000, (int64_t)wide, 9000 * 8, 8, (int64_t)&sum);
  CHECK(sum == 0.5 + first + pyarray_rt_pairwise_sum_f64(9000, (int64_t)(wide + 9000), 8));
}

int main(void) {
  static const int64_t steps[] = {1, 2, 3, -1, -2};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) check_every_item(steps[i]);
  check_errors_stay_small();
  check_zeros();
  check_leaves(512);
  check_leaves(128);
  check_rows();
  return report_checks();
}
