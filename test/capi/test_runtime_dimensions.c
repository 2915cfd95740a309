// lib/runtime/numbers/dimensions.c: the order changes, the points do not.
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_RANK = 5, MAX_ARRAYS = 3, MAX_POINTS = 4096 };

typedef struct layout {
  int64_t rank, count;
  int64_t numbers[MAX_RANK + MAX_ARRAYS * (1 + MAX_RANK)]; // shape; then offset and strides of each array
} layout;

static int64_t *array_of(layout *l, int64_t array) { return l->numbers + l->rank + array * (1 + l->rank); }

static void order(layout *l) { pyarray_rt_order_dimensions(l->rank, l->count, (int64_t)(uintptr_t)l->numbers); }

//===-- Points ------------------------------------------------------------------------------------===//

typedef struct point {
  int64_t offsets[MAX_ARRAYS];
} point;

static int compare_points(const void *a, const void *b) {
  const point *x = a, *y = b;
  for (int i = 0; i < MAX_ARRAYS; ++i)
    if (x->offsets[i] != y->offsets[i]) return x->offsets[i] < y->offsets[i] ? -1 : 1;
  return 0;
}

static bool next_index(const layout *l, int64_t *index) {
  for (int64_t axis = l->rank - 1; axis >= 0; --axis) {
    if (++index[axis] < l->numbers[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

// The offsets of all arrays at each point, sorted; how many there are.
static size_t points_of(layout *l, point *out) {
  int64_t index[MAX_RANK] = {0};
  size_t count = 0;
  for (int64_t axis = 0; axis < l->rank; ++axis)
    if (l->numbers[axis] == 0) return 0;
  do {
    point at = {{0}};
    for (int64_t array = 0; array < l->count; ++array) {
      at.offsets[array] = array_of(l, array)[0];
      for (int64_t axis = 0; axis < l->rank; ++axis) at.offsets[array] += index[axis] * array_of(l, array)[1 + axis];
    }
    REQUIRE(count < MAX_POINTS);
    out[count++] = at;
  } while (next_index(l, index));
  qsort(out, count, sizeof *out, compare_points);
  return count;
}

//===-- Random layouts ----------------------------------------------------------------------------===//

static uint64_t state = 88172645463325252u;

static int64_t random_below(int64_t end) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (int64_t)(state % (uint64_t)end);
}

// Strides of an array that is dense in some order of axes, or broadcast, reversed or stepped along some.
static void random_array(layout *l, int64_t *array) {
  int64_t step = 1, first = random_below(l->rank), direction = random_below(2) ? 1 : l->rank - 1;
  array[0] = 1000 + random_below(10);
  for (int64_t i = 0; i < l->rank; ++i) {
    int64_t axis = (first + i * direction) % l->rank, kind = random_below(8);
    array[1 + axis] = kind == 0 ? 0 : kind == 1 ? -step : kind == 2 ? 2 * step : step;
    step *= l->numbers[axis] ? l->numbers[axis] : 1;
  }
}

static void test_random(void) {
  static point before[MAX_POINTS], after[MAX_POINTS];
  int wrong = 0;
  for (int round = 0; round < 20000; ++round) {
    layout l = {.rank = 1 + random_below(MAX_RANK), .count = 1 + random_below(MAX_ARRAYS)};
    for (int64_t axis = 0; axis < l.rank; ++axis) l.numbers[axis] = random_below(8) ? 1 + random_below(4) : 0;
    for (int64_t array = 0; array < l.count; ++array) random_array(&l, array_of(&l, array));
    size_t count = points_of(&l, before);
    order(&l);
    wrong += points_of(&l, after) != count || memcmp(before, after, count * sizeof *before) != 0;
  }
  CHECK(wrong == 0);
}

//===-- Known cases -------------------------------------------------------------------------------===//

static bool becomes(layout l, const layout *wanted) {
  order(&l);
  return memcmp(l.numbers, wanted->numbers, sizeof l.numbers) == 0;
}

#define CASE(rank, count, ...)                                                                                         \
  {                                                                                                                    \
    rank, count, { __VA_ARGS__ }                                                                                       \
  }

static void test_known(void) {
  static const struct {
    const char *name;
    layout given, wanted;
  } rows[] = {
      {"C order is one loop", CASE(2, 1, 2, 3, 0, 3, 1), CASE(2, 1, 1, 6, 0, 0, 1)},
      {"F order is one loop", CASE(2, 1, 2, 3, 0, 1, 2), CASE(2, 1, 1, 6, 0, 0, 1)},
      {"reversed runs forwards", CASE(1, 1, 4, 3, -1), CASE(1, 1, 4, 0, 1)},
      {"both reversed", CASE(2, 1, 2, 3, 5, -3, -1), CASE(2, 1, 1, 6, 0, 0, 1)},
      {"one reversed stays", CASE(1, 2, 4, 3, -1, 0, 1), CASE(1, 2, 4, 3, -1, 0, 1)},
      {"a constant operand", CASE(2, 2, 2, 3, 0, 3, 1, 0, 0, 0), CASE(2, 2, 1, 6, 0, 0, 1, 0, 0, 0)},
      {"a broadcast row", CASE(2, 2, 2, 3, 0, 3, 1, 0, 0, 1), CASE(2, 2, 2, 3, 0, 3, 1, 0, 0, 1)},
      {"rows with gaps", CASE(2, 1, 2, 3, 0, 4, 1), CASE(2, 1, 2, 3, 0, 4, 1)},
      {"transposed with gaps", CASE(2, 1, 3, 2, 0, 1, 4), CASE(2, 1, 2, 3, 0, 4, 1)},
      {"C and F do not agree", CASE(2, 2, 2, 3, 0, 3, 1, 0, 1, 2), CASE(2, 2, 2, 3, 0, 3, 1, 0, 1, 2)},
      {"extent 1 goes", CASE(2, 1, 3, 1, 0, 5, 7), CASE(2, 1, 1, 3, 0, 0, 5)},
      {"no points", CASE(2, 1, 0, 3, 9, -3, -1), CASE(2, 1, 0, 3, 9, -3, -1)},
      {"F order of three", CASE(3, 1, 2, 3, 4, 0, 1, 2, 6), CASE(3, 1, 1, 1, 24, 0, 0, 0, 1)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    bool good = becomes(rows[i].given, &rows[i].wanted);
    if (!good) fprintf(stderr, "%s\n", rows[i].name);
    CHECK(good);
  }
}

int main(void) {
  test_known();
  test_random();
  return report_checks();
}
