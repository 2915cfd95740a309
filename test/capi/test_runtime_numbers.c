// lib/runtime/numbers/numbers.c and complex.c; expected values are CPython's and NumPy's.
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

#include <math.h>
#include <string.h>

static int same(double a, double b) { return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a); }

static void test_powers(void) {
  CHECK(pyarray_rt_ipow_i64(3, 4) == 81 && pyarray_rt_ipow_i64(-2, 63) == INT64_MIN && pyarray_rt_ipow_i64(0, 0) == 1);
  CHECK(pyarray_rt_ipow_i64(7, 30) == 1576789505350337489 && pyarray_rt_ipow_i64(2, 64) == 0);
  CHECK(pyarray_rt_ipow_i64(-1, INT64_MAX) == -1 && pyarray_rt_ipow_i64(-1, INT64_MIN) == 1);
  CHECK(pyarray_rt_ipow_i64(-1, -3) == -1 && pyarray_rt_ipow_i64(1, -5) == 1 && pyarray_rt_ipow_i64(5, -1) == 0);
  CHECK(pyarray_rt_ipow_u64(3, -1) == -6148914691236517205);
}

static void test_power_modulo(void) {
  CHECK(pyarray_rt_pow_mod(3, 200, 13, 0) == 9);
  CHECK(pyarray_rt_pow_mod(-3, 5, 7, 0) == 2);
  CHECK(pyarray_rt_pow_mod(3, 5, -7, 0) == -2);
  CHECK(pyarray_rt_pow_mod(38, -1, 97, 0) == 23);
  CHECK(pyarray_rt_pow_mod(2, -1, 4, 0) == 4);
  CHECK(pyarray_rt_pow_mod(-1, 2, -3, 7) == 4); // of 2**64 - 1 modulo 2**64 - 3
  CHECK(pyarray_rt_pow_mod(5, 0, 1, 0) == 0);
  CHECK(pyarray_rt_pow_mod(INT64_MAX, INT64_MAX, INT64_MIN, 0) == -1);
}

static void test_float_division(void) {
  CHECK(pyarray_rt_float_floordiv(7, -2) == -4 && pyarray_rt_float_mod(7, -2) == -1);
  CHECK(pyarray_rt_float_floordiv(1, 0.1) == 9 && pyarray_rt_float_mod(1, 0.1) == 0x1.9999999999996p-4);
  CHECK(same(pyarray_rt_float_mod(-4, 2), 0.0) && same(pyarray_rt_float_mod(4, -2), -0.0));
  CHECK(same(pyarray_rt_float_floordiv(-0.0, 3), -0.0) && pyarray_rt_float_floordiv(-1e-300, INFINITY) == -1);
  CHECK(isnan(pyarray_rt_float_floordiv(INFINITY, 2)) && pyarray_rt_float_mod(-1, INFINITY) == INFINITY);
}

static void test_number_theory(void) {
  CHECK(pyarray_rt_gcd(-12, 18) == 6 && pyarray_rt_gcd(0, 0) == 0 && pyarray_rt_gcd(INT64_MIN, 0) == -1);
  CHECK(pyarray_rt_gcd(INT64_MIN, 6) == 2 && pyarray_rt_lcm(-4, 6) == 12 && pyarray_rt_lcm(0, 5) == 0);
  CHECK(pyarray_rt_lcm(INT64_MAX, INT64_MAX - 1) == -1 && pyarray_rt_lcm(INT64_MIN, 1) == -1);
  CHECK(pyarray_rt_gcd_u64(INT64_MIN, 6) == 2 && pyarray_rt_gcd_u64(-1, 5) == 5 && pyarray_rt_gcd_u64(0, 0) == 0);
  CHECK(pyarray_rt_lcm_u64(4, 6) == 12 && pyarray_rt_lcm_u64(0, 5) == 0 &&
        pyarray_rt_lcm_u64(INT64_MIN, 3) == INT64_MIN);
  CHECK(pyarray_rt_isqrt(0) == 0 && pyarray_rt_isqrt(INT64_MAX) == 3037000499 && pyarray_rt_isqrt(-1) == -2);
  for (int64_t root = 1; root < 3037000499; root += 1299709) {
    CHECK(pyarray_rt_isqrt(root * root) == root && pyarray_rt_isqrt(root * root - 1) == root - 1);
  }
  CHECK(pyarray_rt_comb(62, 31) == 465428353255261088 && pyarray_rt_comb(67, 33) == -1 && pyarray_rt_comb(5, 6) == 0);
  CHECK(pyarray_rt_comb(INT64_MAX, INT64_MAX - 1) == INT64_MAX && pyarray_rt_comb(INT64_MAX, INT64_MAX / 2) == -1);
  CHECK(pyarray_rt_comb(-1, 1) == -2 && pyarray_rt_comb(1, -1) == -3 && pyarray_rt_comb(66, 33) == 7219428434016265740);
  CHECK(pyarray_rt_perm(10, 3) == 720 && pyarray_rt_perm(3, 10) == 0 && pyarray_rt_perm(INT64_MAX, 2) == -1);
  CHECK(pyarray_rt_factorial(20) == 2432902008176640000 && pyarray_rt_factorial(21) == -1);
  CHECK(pyarray_rt_factorial(0) == 1 && pyarray_rt_factorial(-1) == -2);
}

static void test_rounding(void) {
  static const struct {
    double x;
    int64_t digits;
    double expected;
  } rows[] = {
      {2.675, 2, 2.67},
      {0.125, 2, 0.12},
      {0.375, 2, 0.38},
      {1e22, 2, 1e22},
      {-0.3, 0, -0.0},
      {2.5, 0, 2.0},
      {1234.5, -2, 1200},
      {1250, -2, 1200},
      {1350, -2, 1400},
      {50, -2, 0},
      {-50, -2, -0.0},
      {50.000001, -2, 100},
      {5, -1, 0},
      {0x1.4000000000001p+2, -1, 10},
      {15, -1, 20},
      {49, -2, 0},
      {51, -2, 100},
      {0.7, -1, 0},
      {-0.7, -3, -0.0},
      {1e300, -300, 1e300},
      {6e307, -308, 1e308},
      {4e307, -308, 0},
      {1e308, -309, 0},
      {5e-324, 323, 0},
      {5e-324, 324, 5e-324},
      {1.5, 400, 1.5},
      {-1.5, INT64_MIN, -0.0},
      {1.5, INT64_MAX, 1.5},
      {NAN, 2, NAN},
      {INFINITY, -2, INFINITY},
      {-0.0, 3, -0.0},
      {1.7e308, -308, INFINITY},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    CHECK(same(pyarray_rt_round_digits_f64(rows[i].x, rows[i].digits), rows[i].expected));
}

static int32_t complex_pow(double a_real, double a_imag, double b_real, double b_imag, double *out) {
  return pyarray_rt_complex_pow(a_real, a_imag, b_real, b_imag, (int64_t)(uintptr_t)out);
}

static void test_complex_pow(void) {
  double out[2];
  CHECK(complex_pow(0, 0, 0, 0, out) == 0 && out[0] == 1 && out[1] == 0);
  CHECK(complex_pow(0, 0, 2.5, 0, out) == 0 && out[0] == 0);
  CHECK(complex_pow(0, 0, -1, 0, out) == 1 && complex_pow(0, 0, 1, 1, out) == 1 &&
        complex_pow(0, 0, -0.5, 0, out) == 1);
  CHECK(complex_pow(1e200, 0, 2, 0, out) == 2);
  CHECK(complex_pow(1, 2, 3, 0, out) == 0 && out[0] == -11 && out[1] == -2);
  CHECK(complex_pow(1, 2, -2, 0, out) == 0 && out[0] == -0.12 && out[1] == -0.16);
  CHECK(complex_pow(1, 2, 0.5, -1.5, out) == 0 && out[0] == 0x1.8fe924426baa7p+2 && out[1] == -0x1.323b1f7bf2e7bp+2);
  int64_t place = (int64_t)(uintptr_t)out;
  pyarray_rt_complex_pow_numpy(INFINITY, -1, 2, 0, place);
  CHECK(out[0] == INFINITY && out[1] == -INFINITY);
  pyarray_rt_complex_pow_numpy(0, 0, -1, 0, place);
  CHECK(isnan(out[0]) && isnan(out[1]));
  pyarray_rt_complex_pow_numpy(1, 2, -12, 0, place);
  CHECK(out[0] == 0x1.93d47b35d2777p-15 && out[1] == -0x1.61c492e1b74eep-15);
}

static void test_complex_functions(void) {
  double out[2];
  int64_t place = (int64_t)(uintptr_t)out;
  pyarray_rt_complex_sqrt(-4, 0, place);
  CHECK(out[0] == 0 && out[1] == 2);
  pyarray_rt_complex_exp(0, M_PI, place);
  CHECK(out[0] == -1 && fabs(out[1]) < 1e-15);
  pyarray_rt_complex_log(-1, 0, place);
  CHECK(out[0] == 0 && out[1] == M_PI);
  pyarray_rt_complex_log10(100, 0, place);
  CHECK(out[0] == 2 && out[1] == 0);
  pyarray_rt_complex_atanh(0.5, 0, place);
  CHECK(fabs(out[0] - atanh(0.5)) < 1e-15);
}

int main(void) {
  test_powers();
  test_power_modulo();
  test_float_division();
  test_number_theory();
  test_rounding();
  test_complex_pow();
  test_complex_functions();
  return report_checks();
}
