// Sorts of lines of arrays, which compiled code calls as it calls NumPy's inner loops.
#include <pthread.h>
#include <string.h>

#include "numpy_loops.h"
#include "runtime/sort/sort.h"
#include "runtime/sort/sort_items.h"

// What compiled code names: |before| and |behind| are the types of the other operands, |dimensions| has a bit for each
// operand, set where its dimension is the second one of the signature.
static const struct {
  const char *name, *name_of_times, *before, *behind;
  int (*run)(const pa_order *order, const pa_line *lines, bool stable);
  bool stable;
  unsigned dimensions;
} functions[] = {{"sort", "sort_times", "", "", pa_sort_line, false, 0},
                 {"stable_sort", "stable_sort_times", "", "", pa_sort_line, true, 0},
                 {"argsort", "argsort_times", "", "l", pa_argsort_line, false, 0},
                 {"stable_argsort", "stable_argsort_times", "", "l", pa_argsort_line, true, 0},
                 {"partition", "partition_times", "l", "", pa_partition_line, false, 2},
                 {"argpartition", "argpartition_times", "", "ll", pa_argpartition_line, false, 2}};
enum { FUNCTIONS = sizeof functions / sizeof *functions, MAX_ORDERS = 16 };

// The same of items that are bytes: their keys are the first operand, an array of bytes, and of items the last
// dimension are the bytes.
typedef struct item_lines {
  pa_item_order order;
  pa_line lines[4]; // of the operands
} item_lines;

static int sort_items(const item_lines *x) { return pa_sort_items(&x->order, x->lines[1]); }
static int argsort_items(const item_lines *x) { return pa_argsort_items(&x->order, x->lines[1], x->lines[2]); }
static int partition_items(const item_lines *x) { return pa_partition_items(&x->order, x->lines[1], x->lines[2]); }
static int argpartition_items(const item_lines *x) {
  return pa_argpartition_items(&x->order, x->lines[1], x->lines[2], x->lines[3]);
}
static int place_left(const item_lines *x) {
  return pa_place_items(&x->order, x->lines[1], x->lines[2], x->lines[3], false), 0;
}
static int place_right(const item_lines *x) {
  return pa_place_items(&x->order, x->lines[1], x->lines[2], x->lines[3], true), 0;
}

// |types| of operands; |dimensions| says of which dimension of the signature each is a line.
static const struct {
  const char *name, *types;
  int (*run)(const item_lines *x);
  int dimensions[4], size; // the bytes of an item
} item_functions[] = {{"sort_items", "BB", sort_items, {0, 1}, 2},
                      {"argsort_items", "BBl", argsort_items, {0, 1, 1}, 2},
                      {"partition_items", "BlB", partition_items, {0, 1, 2}, 3},
                      {"argpartition_items", "BBll", argpartition_items, {0, 1, 3, 1}, 2},
                      {"place_left", "BBBl", place_left, {0, 1, 3, 3}, 2},
                      {"place_right", "BBBl", place_right, {0, 1, 3, 3}, 2}};
enum { ITEM_FUNCTIONS = sizeof item_functions / sizeof *item_functions };

static int64_t keys[FUNCTIONS][MAX_ORDERS], item_keys[ITEM_FUNCTIONS];
static pthread_once_t keys_are_known = PTHREAD_ONCE_INIT;

static void know_keys(void) {
  for (int f = 0; f < ITEM_FUNCTIONS; ++f)
    item_keys[f] = pa_numpy_loop_key(item_functions[f].name, item_functions[f].types);
  for (int f = 0; f < FUNCTIONS; ++f)
    for (int i = 0; i < MAX_ORDERS && pa_order_get(i); ++i) {
      bool times = pa_order_get(i)->letter == 'M';
      char types[4] = "", own[2] = {times ? 'l' : pa_order_get(i)->letter};
      strcat(strcat(strcat(types, functions[f].before), own), functions[f].behind);
      keys[f][i] = pa_numpy_loop_key(times ? functions[f].name_of_times : functions[f].name, types);
    }
}

static int32_t sort_lines_of_items(int f, int64_t operands, char **data, const intptr_t *sizes,
                                   const intptr_t *strides) {
  item_lines x = {.order = {data[0], sizes[0] / (int64_t)sizeof(pa_item_key), sizes[item_functions[f].size]}};
  int at = 0; // strides: those of a line, and behind those of items that of their bytes
  for (int k = 0; k < operands; ++k) {
    x.lines[k] = (pa_line){data[k], sizes[item_functions[f].dimensions[k]], strides[at]};
    at += 1 + (k > 0 && item_functions[f].types[k] == 'B');
  }
  return item_functions[f].run(&x) < 0 ? 1 : 0;
}

int32_t pa_sort_lines(int64_t key, int64_t operands, char **data, const intptr_t *sizes, const intptr_t *strides) {
  pthread_once(&keys_are_known, know_keys);
  for (int f = 0; f < ITEM_FUNCTIONS; ++f)
    if (item_keys[f] == key) return sort_lines_of_items(f, operands, data, sizes, strides);
  for (int f = 0; f < FUNCTIONS; ++f)
    for (int i = 0; i < MAX_ORDERS; ++i) {
      if (keys[f][i] != key || !pa_order_get(i)) continue;
      pa_line lines[3];
      for (int k = 0; k < 3 && k < operands; ++k)
        lines[k] = (pa_line){data[k], sizes[(functions[f].dimensions >> k) & 1], strides[k]};
      return functions[f].run(pa_order_get(i), lines, functions[f].stable) < 0 ? 1 : 0;
    }
  return -1;
}
