// lib/runtime/numbers/sums.c; expected values are CPython's.
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int same(double a, double b) { return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a); }

static int64_t address(const void *place) { return (int64_t)(uintptr_t)place; }

// The sum of float64 values; |*out_status| as pyarray_rt_fsum returns it.
static double sum(const double *values, int64_t count, int *out_status) {
  double out = -1;
  *out_status = pyarray_rt_fsum(count, address(values), 8, 'd', address(&out));
  return out;
}

static void test_fsum(void) {
  static const struct {
    double values[4], expected;
    int status;
  } rows[] = {
      {{1e16, 1, -1e16, 0}, 1, 0},
      {{1e100, 1, -1e100, 1e-100}, 1, 0},
      {{0x1p53, 1, 0x1p-100, 0}, 0x1p53 + 2, 0},
      {{0x1p53, 1, -0x1p-100, 0}, 0x1p53, 0},
      {{0x1p53 + 2, 1, 0x1p-100, 0}, 0x1p53 + 4, 0},
      {{0x1p53, 1, 0, 0}, 0x1p53, 0},
      {{DBL_MAX, -DBL_MAX, 5e-324, 0}, 5e-324, 0},
      {{-0.0, -0.0, 0, 0}, 0, 0},
      {{DBL_MAX, 0x1p969, 0, 0}, DBL_MAX, 0},
      {{DBL_MAX, 0x1p970, 0, 0}, -1, 1},
      {{1e308, 1e308, -1e308, 0}, -1, 1},
      {{INFINITY, 1e308, 1, 0}, INFINITY, 0},
      {{INFINITY, -INFINITY, 0, 0}, -1, 2},
      {{INFINITY, NAN, 1, 0}, NAN, 0},
      {{INFINITY, 1e308, 1e308, 0}, -1, 1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int status;
    double result = sum(rows[i].values, 4, &status);
    CHECK(status == rows[i].status && same(result, rows[i].expected));
  }
}

// Each partial far below the one before: as many as there can be, and more than CPython begins with.
static void test_many_partials(void) {
  double values[60];
  int status;
  for (int i = 0; i < 30; ++i) values[i] = ldexp(1, 1000 - 60 * i);
  for (int i = 0; i < 30; ++i) values[30 + i] = i < 29 ? -values[i] : 0;
  CHECK(same(sum(values, 30, &status), 0x1p1000) && status == 0);
  CHECK(same(sum(values, 60, &status), ldexp(1, 1000 - 60 * 29)) && status == 0);
}

#define CHECK_DTYPE(type, code, ...)                                                                                   \
  do {                                                                                                                 \
    type items[] = {__VA_ARGS__};                                                                                      \
    double out = -1;                                                                                                   \
    CHECK(pyarray_rt_fsum(2, address(items), 2 * sizeof(type), code, address(&out)) == 0);                             \
    CHECK(same(out, (double)items[0] + (double)items[2]));                                                             \
    CHECK(pyarray_rt_fsum(2, address(items + 2), -2 * (int64_t)sizeof(type), code, address(&out)) == 0);               \
    CHECK(same(out, (double)items[0] + (double)items[2]));                                                             \
  } while (0)

static void test_dtypes(void) {
  CHECK_DTYPE(double, 'd', 0.5, 9, -2);
  CHECK_DTYPE(float, 'f', 0.5f, 9, -2);
  CHECK_DTYPE(_Float16, 'e', (_Float16)0x1p-24, 9, -2);
  CHECK_DTYPE(int64_t, 'q', INT64_MIN, 9, -2);
  CHECK_DTYPE(int32_t, 'i', INT32_MIN, 9, -2);
  CHECK_DTYPE(int16_t, 'h', INT16_MIN, 9, -2);
  CHECK_DTYPE(int8_t, 'b', INT8_MIN, 9, -2);
  CHECK_DTYPE(uint64_t, 'Q', UINT64_MAX, 9, 2);
  CHECK_DTYPE(uint32_t, 'I', UINT32_MAX, 9, 2);
  CHECK_DTYPE(uint16_t, 'H', UINT16_MAX, 9, 2);
  CHECK_DTYPE(uint8_t, 'B', UINT8_MAX, 9, 2);
  CHECK_DTYPE(uint8_t, '?', 1, 0, 1);
}

static double products(const double *p, const double *q, int64_t count) {
  return pyarray_rt_sumprod(count, address(p), 8, 'd', address(q), 8, 'd');
}

static void test_sumprod(void) {
  static const struct {
    double p[4], q[4], expected;
  } rows[] = {
      {{10, 20, 30, 0}, {1, 2, 3, 0}, 140},
      {{0.1, 0.1, 0.1, 0.1}, {1, 1, 1, -3}, 0},
      {{1e100, 1, -1e100, 0}, {1, 1, 1, 1}, 1},
      {{0x1p53, 1.5, 0x1p-60, 0}, {1, 1, 1, 1}, 0x1p53 + 2},
      {{0x1p53, 1, 0x1p-60, 0}, {1, 1, 1, 1}, 0x1p53}, // not rounded once: the rest has its own 53 digits
      {{1.1, 2.2, -3.3, 1e17}, {3.3, 4.4, 1e17, 3.3}, 13.310000000000002},
      {{INFINITY, 1, 0, 0}, {1, NAN, 0, 0}, NAN},
      {{1e308, 1, 0, 0}, {10, 1, 0, 0}, INFINITY},
      {{1e308, -1e308, 0, 0}, {10, 10, 0, 0}, NAN},
      {{3, 1e308, 0, 0}, {2, -10, 0, 0}, -INFINITY},
      {{-0.0, -0.0, -0.0, -0.0}, {1, 1, 1, 1}, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    CHECK(same(products(rows[i].p, rows[i].q, 4), rows[i].expected));
  CHECK(same(products(NULL, NULL, 0), 0));
  static const int16_t weights[] = {3, -1, 2};
  static const float prices[] = {0.5f, 4, 1.5f};
  CHECK(pyarray_rt_sumprod(3, address(weights), 2, 'h', address(prices + 2), -4, 'f') == 3 * 1.5 - 4 + 2 * 0.5);
}

int main(void) {
  test_fsum();
  test_many_partials();
  test_dtypes();
  test_sumprod();
  return report_checks();
}
