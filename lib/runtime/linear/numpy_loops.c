// The table of NumPy's inner loops.
#include "numpy_loops.h"

#include <fenv.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime.h"

static pa_numpy_loop loops[PA_NUMPY_LOOP_COUNT];

static const pa_numpy_loop_source sources[PA_NUMPY_LOOP_COUNT] = {
#define PA_NUMPY_LOOP(name, module, ufunc, types) {module, ufunc, types},
#include "numpy_loops.def"
#undef PA_NUMPY_LOOP
};

const pa_numpy_loop_source *pa_numpy_loop_find(pa_numpy_loop_number number) { return &sources[number]; }

const pa_numpy_loop *pa_numpy_loop_get(pa_numpy_loop_number number) {
  return loops[number].function ? &loops[number] : NULL;
}

//===-- Calls -------------------------------------------------------------------------------------===//

enum { DONE = 0, INVALID = 1, MISSING = 2 };

static int64_t keys[PA_NUMPY_LOOP_COUNT]; // of the loops that are there, else 0

static const pa_numpy_loop *find(int64_t key) {
  for (int i = 0; i < PA_NUMPY_LOOP_COUNT; ++i)
    if (keys[i] == key) return pa_numpy_loop_get((pa_numpy_loop_number)i);
  return NULL;
}

void pa_numpy_loop_set(pa_numpy_loop_number number, pa_numpy_loop loop) {
  loops[number] = loop;
  keys[number] = loop.function ? pa_numpy_loop_key(sources[number].ufunc, sources[number].types) : 0;
}

// LAPACK's functions say by the floating-point flag of invalid operations that they failed. Those before are kept.
int32_t pyarray_rt_numpy_loop(int64_t key, int64_t numbers, int64_t operands, int64_t dimensions) {
  const pa_numpy_loop *loop = find(key);
  intptr_t *sizes = (intptr_t *)numbers + operands, *steps = sizes + 1 + dimensions;
  if (!loop) {
    int32_t status = pa_sort_lines(key, operands, (char **)numbers, sizes + 1, steps + operands);
    return status < 0 ? MISSING : status;
  }
  bool before = fetestexcept(FE_INVALID);
  feclearexcept(FE_INVALID);
  loop->function((char **)numbers, sizes, steps, loop->data);
  bool failed = fetestexcept(FE_INVALID);
  if (before)
    feraiseexcept(FE_INVALID);
  else
    feclearexcept(FE_INVALID);
  return failed ? INVALID : DONE;
}
