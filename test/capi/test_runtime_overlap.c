// lib/runtime/numbers/overlap.c: what is called independent shares no byte, for arrays of any strides in one buffer,
// and of rows that are computed some at a time none is stored before it is read.
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 256, BYTES = 8, HEAD = 4, RANK = 2, NUMBERS = HEAD + 2 * RANK };

static double buffer[ITEMS];

// An array of two dimensions from item |first| on.
static void describe(int64_t *out, int64_t first, int64_t rows, int64_t columns, int64_t pitch, int64_t step) {
  const int64_t numbers[NUMBERS] = {(int64_t)(uintptr_t)(buffer + first), BYTES, 12, RANK, rows, columns, pitch, step};
  memcpy(out, numbers, sizeof numbers);
}

static void mark(const int64_t *a, bool *out_items) {
  memset(out_items, 0, ITEMS);
  int64_t first = (int64_t)((double *)(uintptr_t)a[0] - buffer);
  for (int64_t i = 0; i < a[HEAD]; ++i)
    for (int64_t j = 0; j < a[HEAD + 1]; ++j) out_items[first + i * a[HEAD + RANK] + j * a[HEAD + RANK + 1]] = true;
}

static bool independent(const int64_t *input, const int64_t *output) {
  int64_t numbers[2 * NUMBERS];
  memcpy(numbers, input, NUMBERS * sizeof *numbers);
  memcpy(numbers + NUMBERS, output, NUMBERS * sizeof *numbers);
  return pyarray_rt_independent(1, 2, (int64_t)(uintptr_t)numbers, 1);
}

static bool share(const int64_t *a, const int64_t *b) {
  bool items[2][ITEMS];
  mark(a, items[0]);
  mark(b, items[1]);
  for (int i = 0; i < ITEMS; ++i)
    if (items[0][i] && items[1][i]) return true;
  return false;
}

// |below|: 0 .. below - 1.
static int64_t some(int64_t below) { return rand() % below; }

static void describe_any(int64_t *out) {
  int64_t rows = 1 + some(6), columns = 1 + some(6), pitch = some(33) - 16, step = some(9) - 4;
  if (!pitch) pitch = 7;
  if (!step) step = 1;
  describe(out, 110 + some(12), rows, columns, pitch, step);
}

static void test_any(void) {
  int found = 0;
  for (int i = 0; i < 200000; ++i) {
    int64_t a[NUMBERS], b[NUMBERS];
    describe_any(a);
    describe_any(b);
    bool said = independent(a, b);
    found += said;
    if (said && share(a, b)) CHECK(!"independent, and they share memory");
  }
  CHECK(found > 1000);
}

// What programs have: other columns of the same rows, each second row or item, one pitch backwards.
static void test_members(void) {
  int64_t block[NUMBERS], other[NUMBERS];
  describe(block, 17, 9, 9, 16, 1); // a[1:10, 1:10] of rows of 16
  describe(other, 16, 9, 1, 16, 0); // a[1:10, 0]
  CHECK(independent(other, block) && independent(block, other));
  describe(other, 16 * 9, 9, 1, -16, 0);
  CHECK(independent(other, block) && independent(block, other));
  describe(other, 26, 9, 6, 16, 1); // a[1:10, 10:]
  CHECK(independent(other, block) && independent(block, other));
  describe(other, 25, 9, 6, 16, 1); // a[1:10, 9:15]
  CHECK(!independent(other, block) && !independent(block, other));
  describe(other, 26, 9, 8, 16, 1); // a[1:10, 10:18] goes on in the next rows
  CHECK(!independent(other, block) && !independent(block, other));
  describe(block, 0, 1, 20, 99, 2);
  describe(other, 1, 1, 20, 99, 2);
  CHECK(independent(other, block));
}

//===-- Rows --------------------------------------------------------------------------------------===//

static int64_t rows_apart(const int64_t *input, const int64_t *output) {
  int64_t numbers[2 * NUMBERS];
  memcpy(numbers, input, NUMBERS * sizeof *numbers);
  memcpy(numbers + NUMBERS, output, NUMBERS * sizeof *numbers);
  return pyarray_rt_rows_apart(1, 2, (int64_t)(uintptr_t)numbers);
}

static bool rows_share(const int64_t *a, int64_t row, const int64_t *b, int64_t other) {
  int64_t one[NUMBERS], two[NUMBERS];
  memcpy(one, a, sizeof one);
  memcpy(two, b, sizeof two);
  one[0] += row * a[HEAD + RANK] * BYTES, two[0] += other * b[HEAD + RANK] * BYTES;
  one[HEAD] = two[HEAD] = 1;
  return share(one, two);
}

// No row is stored before all are computed that read it: those of the next part may be, later ones are not.
static void test_rows(void) {
  static double large[64 * 1100];
  int parted = 0;
  for (int64_t shift = -3300; shift <= 3300; shift += 25) { // rows of 1000 of 1100
    int64_t out[NUMBERS], in[NUMBERS];
    describe(out, 0, 16, 1000, 1100, 1);
    out[0] = (int64_t)(uintptr_t)(large + 20 * 1100);
    memcpy(in, out, sizeof in);
    in[0] += shift * BYTES;
    int64_t rows = rows_apart(in, out);
    CHECK(rows >= 0 && rows <= 16);
    parted += rows && rows < 16;
    for (int64_t row = 0; rows && row < 16; ++row) // item |i| of row |r| is at 1100 r + i, and of the input |shift| on
      for (int64_t later = (row / rows + 2) * rows; later < 16; ++later) {
        int64_t apart = 1100 * (later - row) + shift;
        CHECK(apart >= 1000 || apart <= -1000);
      }
  }
  CHECK(parted > 100);
}

static void test_any_rows(void) {
  for (int i = 0; i < 100000; ++i) {
    int64_t a[NUMBERS], b[NUMBERS];
    describe_any(a);
    describe_any(b);
    b[HEAD] = a[HEAD], b[HEAD + 1] = a[HEAD + 1];
    if (some(2)) memcpy(b + HEAD + RANK, a + HEAD + RANK, RANK * sizeof *b);
    int64_t rows = rows_apart(a, b);
    for (int64_t row = 0; rows && row < b[HEAD]; ++row)
      for (int64_t later = (row / rows + 2) * rows; later < a[HEAD]; ++later) CHECK(!rows_share(b, row, a, later));
  }
}

int main(void) {
  test_any();
  test_members();
  test_rows();
  test_any_rows();
  return report_checks();
}
