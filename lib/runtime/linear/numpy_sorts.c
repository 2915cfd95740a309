// Sorts of lines of arrays, which compiled code calls as it calls NumPy's inner loops.
#include <pthread.h>
#include <string.h>

#include "numpy_loops.h"
#include "runtime/sort/sort.h"

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

static int64_t keys[FUNCTIONS][MAX_ORDERS];
static pthread_once_t keys_are_known = PTHREAD_ONCE_INIT;

static void know_keys(void) {
  for (int f = 0; f < FUNCTIONS; ++f)
    for (int i = 0; i < MAX_ORDERS && pa_order_get(i); ++i) {
      bool times = pa_order_get(i)->letter == 'M';
      char types[4] = "", own[2] = {times ? 'l' : pa_order_get(i)->letter};
      strcat(strcat(strcat(types, functions[f].before), own), functions[f].behind);
      keys[f][i] = pa_numpy_loop_key(times ? functions[f].name_of_times : functions[f].name, types);
    }
}

int32_t pa_sort_lines(int64_t key, int64_t operands, char **data, const intptr_t *sizes, const intptr_t *strides) {
  pthread_once(&keys_are_known, know_keys);
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
