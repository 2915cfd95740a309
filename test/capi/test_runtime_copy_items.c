// lib/runtime/numbers/copy_items.c: blocks of items of every size, from any stride and back.
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

#include <string.h>

enum { MOST = 37, WIDEST = 16, APART = 3 };

static int64_t address(const void *pointer) { return (int64_t)(uintptr_t)pointer; }

static void fill(unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) bytes[i] = (unsigned char)(i * 7 + 1);
}

// Forwards with gaps, backwards, and all from one place.
static void test_strides(int64_t bytes, int64_t count) {
  static unsigned char items[MOST * WIDEST * APART], buffer[MOST * WIDEST];
  const int64_t steps[] = {APART * bytes, -bytes, 0};
  fill(items, sizeof items);
  for (int k = 0; k < 3; ++k) {
    const unsigned char *from = items + (steps[k] < 0 ? (count - 1) * bytes : 0);
    memset(buffer, 0, sizeof buffer);
    CHECK(pyarray_rt_pack(count, bytes, address(buffer), address(from), steps[k], 0) == address(buffer));
    for (int64_t i = 0; i < count; ++i) CHECK(memcmp(buffer + i * bytes, from + i * steps[k], (size_t)bytes) == 0);
    for (size_t i = (size_t)(count * bytes); i < sizeof buffer; ++i) CHECK(buffer[i] == 0);
  }
}

static void test_way_back(int64_t bytes, int64_t count) {
  static unsigned char items[MOST * WIDEST * APART], buffer[MOST * WIDEST];
  int64_t step = APART * bytes;
  fill(buffer, sizeof buffer);
  memset(items, 0, sizeof items);
  pyarray_rt_unpack(count, bytes, address(buffer), address(items), step);
  for (int64_t i = 0; i < count; ++i) {
    CHECK(memcmp(items + i * step, buffer + i * bytes, (size_t)bytes) == 0);
    for (int64_t k = bytes; k < step; ++k) CHECK(items[i * step + k] == 0);
  }
}

// What is contiguous stays where it is, and one number is spread once.
static void test_what_is_not_copied(void) {
  double items[4] = {1, 2, 3, 4}, buffer[4] = {0, 0, 0, 0};
  CHECK(pyarray_rt_pack(4, 8, address(buffer), address(items), 8, 0) == address(items));
  CHECK(pyarray_rt_pack(4, 8, address(buffer), address(items), 0, 4) == address(buffer));
  pyarray_rt_unpack(4, 8, address(buffer), address(items), 8);
  for (int i = 0; i < 4; ++i) CHECK(buffer[i] == 0 && items[i] == i + 1);
}

// Rows of one array behind each other to rows of another, and back to front.
static void test_copy_array(int64_t bytes, int64_t count) {
  static unsigned char items[MOST * WIDEST], target[MOST * WIDEST];
  fill(items, sizeof items);
  const int64_t forwards[] = {count, 1, 1}, backwards[] = {count, 1, -1};
  memset(target, 0, sizeof target);
  pyarray_rt_copy_array(1, bytes, address(forwards), address(target), address(items));
  CHECK(memcmp(target, items, (size_t)(count * bytes)) == 0);
  for (size_t i = (size_t)(count * bytes); i < sizeof target; ++i) CHECK(target[i] == 0);
  if (!count) return;
  pyarray_rt_copy_array(1, bytes, address(backwards), address(target), address(items + (count - 1) * bytes));
  for (int64_t i = 0; i < count; ++i)
    CHECK(memcmp(target + i * bytes, items + (count - 1 - i) * bytes, (size_t)bytes) == 0);
}

int main(void) {
  for (int64_t bytes = 1; bytes <= WIDEST; bytes *= 2)
    for (int64_t count = 0; count <= MOST; ++count) {
      test_strides(bytes, count);
      test_way_back(bytes, count);
      test_copy_array(bytes, count);
    }
  test_what_is_not_copied();
  return report_checks();
}
