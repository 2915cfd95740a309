// lib/runtime/matmul*.c: products of matrices of any extents and strides, by the loops for each set of instructions.
#include <stdbool.h>
#include <string.h>

#include "../../lib/runtime/linear/matmul.h"
#include "../../lib/runtime/linear/numpy_loops.h"
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

enum { ROOM = 1 << 17, EXTENT = 40, DEPTH = 300 };

static uint32_t state = 12345;
static uint32_t next(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

// An operand of |rows| by |columns| in memory of any order, from the middle of |memory| on, in elements.
typedef struct operand {
  int64_t start, row, column, step;
} operand;

static operand lay_out(int64_t rows, int64_t columns) {
  int64_t inner = 1 + next(2), outer;
  bool by_columns = next(2);
  outer = ((by_columns ? rows : columns) + next(3)) * inner;
  operand o = {.row = by_columns ? inner : outer, .column = by_columns ? outer : inner};
  o.step = outer * (by_columns ? columns : rows) + next(3);
  if (next(4) == 0) o.row = -o.row;
  if (next(4) == 0) o.column = -o.column;
  o.start = (o.row < 0 ? -o.row * (rows - 1) : 0) + (o.column < 0 ? -o.column * (columns - 1) : 0) + 8;
  return o;
}

#define DEFINE_TEST(type, suffix, parts, expected_of, adds)                                                            \
  static void test_##suffix(const pa_matmul_loops *loops) {                                                            \
    static type a[ROOM * parts], b[ROOM * parts], c[ROOM * parts], before[ROOM * parts];                               \
    for (int round = 0; round < 120; ++round) {                                                                        \
      int64_t m = next(EXTENT), n = next(EXTENT), k = next(round % 10 ? EXTENT : DEPTH), count = 1 + next(3);          \
      if (round < 20) m = n = k = 1 + next(16);                                                                        \
      if (m == 0 || n == 0) continue;                                                                                  \
      operand x = lay_out(m, k), y = lay_out(k, n), z = lay_out(m, n);                                                 \
      for (int64_t i = 0; i < ROOM * parts; ++i)                                                                       \
        a[i] = (type)next(7), b[i] = (type)next(5), c[i] = before[i] = (type)next(2);                                  \
      pa_matmul product = {count,                                                                                      \
                           x.step,                                                                                     \
                           y.step,                                                                                     \
                           z.step,                                                                                     \
                           m,                                                                                          \
                           n,                                                                                          \
                           k,                                                                                          \
                           a + x.start * parts,                                                                        \
                           x.row,                                                                                      \
                           x.column,                                                                                   \
                           b + y.start * parts,                                                                        \
                           y.row,                                                                                      \
                           y.column,                                                                                   \
                           c + z.start * parts,                                                                        \
                           z.row,                                                                                      \
                           z.column};                                                                                  \
      loops->suffix(&product);                                                                                         \
      bool right = true;                                                                                               \
      for (int64_t q = 0; q < count; ++q)                                                                              \
        for (int64_t i = 0; i < m; ++i)                                                                                \
          for (int64_t j = 0; j < n; ++j) {                                                                            \
            type sum[2] = {0, 0};                                                                                      \
            for (int64_t l = 0; l < k; ++l) {                                                                          \
              const type *p = a + (x.start + q * x.step + i * x.row + l * x.column) * parts,                           \
                         *r = b + (y.start + q * y.step + l * y.row + j * y.column) * parts;                           \
              expected_of                                                                                              \
            }                                                                                                          \
            int64_t at = (z.start + q * z.step + i * z.row + j * z.column) * parts;                                    \
            for (int part = 0; part < parts; ++part) {                                                                 \
              right = right && c[at + part] == (type)(sum[part] + (adds ? before[at + part] : 0));                     \
              c[at + part] = before[at + part];                                                                        \
            }                                                                                                          \
          }                                                                                                            \
      CHECK(right);                                                                                                    \
      CHECK(memcmp(c, before, sizeof c) == 0); /* nothing else was written */                                          \
    }                                                                                                                  \
  }

#define REAL sum[0] = (__typeof__(sum[0]))(sum[0] + p[0] * r[0]);
#define TRUE sum[0] = sum[0] || (p[0] && r[0]);
#define COMPLEX                                                                                                        \
  sum[0] += p[0] * r[0] - p[1] * r[1];                                                                                 \
  sum[1] += p[0] * r[1] + p[1] * r[0];

DEFINE_TEST(uint8_t, i1, 1, TRUE, false)
DEFINE_TEST(uint8_t, i8, 1, REAL, false)
DEFINE_TEST(uint16_t, i16, 1, REAL, false)
DEFINE_TEST(uint32_t, i32, 1, REAL, false)
DEFINE_TEST(uint64_t, i64, 1, REAL, false)
DEFINE_TEST(float, f32, 1, REAL, false)
DEFINE_TEST(double, f64, 1, REAL, false)
DEFINE_TEST(float, add_f32, 1, REAL, true)
DEFINE_TEST(double, add_f64, 1, REAL, true)
DEFINE_TEST(float, c64, 2, COMPLEX, false)
DEFINE_TEST(double, c128, 2, COMPLEX, false)

static void test_loops(const pa_matmul_loops *loops) {
  test_i1(loops);
  test_i8(loops);
  test_i16(loops);
  test_i32(loops);
  test_i64(loops);
  test_f32(loops);
  test_f64(loops);
  test_add_f32(loops);
  test_add_f64(loops);
  test_c64(loops);
  test_c128(loops);
}

//===-- NumPy's loops -----------------------------------------------------------------------------===//

static intptr_t dimensions_seen[4], steps_seen[9];
static void *data_seen;

static void numpy_loop(char **operands, const intptr_t *dimensions, const intptr_t *steps, void *data) {
  (void)operands;
  memcpy(dimensions_seen, dimensions, sizeof dimensions_seen);
  memcpy(steps_seen, steps, sizeof steps_seen);
  data_seen = data;
}

static void multiply(int64_t m, int64_t n, int64_t k) {
  static double a[4096], b[4096], c[4096];
  pyarray_rt_matmul_f64(2, 7, 0, 9, m, n, k, (intptr_t)a, k, 1, (intptr_t)b, n, 1, (intptr_t)c, n, 1);
}

static void test_numpy(void) {
  CHECK(pa_numpy_loop_get(PA_NUMPY_matmul_f64) == NULL);
  multiply(32, 32, 32); // by ours
  pa_numpy_loop_set(PA_NUMPY_matmul_f64, (pa_numpy_loop){numpy_loop, &state});
  multiply(4, 4, 4);
  CHECK(data_seen == NULL); // small
  multiply(30, 1, 40);
  static const intptr_t dimensions[] = {2, 30, 40, 1}, steps[] = {56, 0, 72, 320, 8, 8, 0, 8, 0};
  CHECK(data_seen == &state && memcmp(dimensions_seen, dimensions, sizeof dimensions) == 0);
  CHECK(memcmp(steps_seen, steps, sizeof steps) == 0);
  data_seen = NULL;
  multiply(0, 100, 100);
  CHECK(data_seen == NULL);
  pa_numpy_loop_set(PA_NUMPY_matmul_f64, (pa_numpy_loop){0});
}

int main(void) {
  test_numpy();
  test_loops(&pa_matmul_sse2);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) test_loops(&pa_matmul_avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    test_loops(&pa_matmul_avx512);
  return report_checks();
}
