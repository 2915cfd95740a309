// lib/runtime/linear/numpy_loops.c: calls by key, and the flag by which LAPACK fails.
#include <fenv.h>
#include <string.h>

#include "../../lib/runtime/linear/numpy_loops.h"
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

enum { DONE, INVALID, MISSING };

static int calls, fails;
static intptr_t sizes_seen[2], steps_seen[6];
static char *operands_seen[2];

static void loop(char **operands, const intptr_t *sizes, const intptr_t *steps, void *data) {
  ++calls;
  CHECK(!fetestexcept(FE_INVALID)); // what was raised before is no failure of this call
  memcpy(operands_seen, operands, sizeof operands_seen);
  memcpy(sizes_seen, sizes, sizeof sizes_seen);
  memcpy(steps_seen, steps, sizeof steps_seen);
  CHECK(data == &calls);
  if (fails) feraiseexcept(FE_INVALID);
}

static int32_t call(void) {
  static double a[4], out[4];
  int64_t numbers[] = {(intptr_t)a, (intptr_t)out, 1, 2, 0, 0, 16, 8, 16, 8};
  int32_t status = pyarray_rt_numpy_loop(pa_numpy_loop_key("inv", "dd"), (intptr_t)numbers, 2, 1);
  if (status != MISSING) CHECK(operands_seen[0] == (char *)a && operands_seen[1] == (char *)out);
  return status;
}

int main(void) {
  static const intptr_t sizes[] = {1, 2}, steps[] = {0, 0, 16, 8, 16, 8};
  CHECK(call() == MISSING && calls == 0);
  pa_numpy_loop_set(PA_NUMPY_inv_dd, (pa_numpy_loop){loop, &calls});
  feclearexcept(FE_ALL_EXCEPT);
  CHECK(call() == DONE && calls == 1 && !fetestexcept(FE_INVALID));
  CHECK(memcmp(sizes_seen, sizes, sizeof sizes) == 0 && memcmp(steps_seen, steps, sizeof steps) == 0);
  feraiseexcept(FE_INVALID);
  CHECK(call() == DONE && fetestexcept(FE_INVALID));
  fails = 1;
  CHECK(call() == INVALID && fetestexcept(FE_INVALID));
  feclearexcept(FE_INVALID);
  CHECK(call() == INVALID && !fetestexcept(FE_INVALID));
  pa_numpy_loop_set(PA_NUMPY_inv_dd, (pa_numpy_loop){0});
  CHECK(call() == MISSING);
  // No two rows have one key, and none has that of an empty row.
  for (int i = 0; i < PA_NUMPY_LOOP_COUNT; ++i)
    for (int k = 0; k <= i; ++k) {
      const pa_numpy_loop_source *x = pa_numpy_loop_find((pa_numpy_loop_number)i),
                                 *y = pa_numpy_loop_find((pa_numpy_loop_number)k);
      int64_t key = pa_numpy_loop_key(x->ufunc, x->types);
      CHECK(k == i ? key != 0 : key != pa_numpy_loop_key(y->ufunc, y->types));
    }
  return report_checks();
}
