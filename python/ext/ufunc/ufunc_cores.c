// Small core dimensions: copies of a gufunc's loop for their sizes, whose inner loops LLVM unrolls.
#include "ufunc.h"

enum { MOST_SIZE = 16, MOST_ELEMENTS = 512 };

static bool are_small(const npy_intp *sizes, int count) {
  npy_intp elements = 1;
  for (int i = 0; i < count; ++i) {
    if (sizes[i] < 1 || sizes[i] > MOST_SIZE) return false;
    elements *= sizes[i];
    if (elements > MOST_ELEMENTS) return false;
  }
  return true;
}

typedef enum spread { SCATTERED, CONTIGUOUS_CORES, CONTIGUOUS } spread;

static spread spread_of(const pa_ufunc_loop *loop, int operand, const npy_intp *dimensions, const npy_intp *steps) {
  const PyUFuncObject *ufunc = loop->ufunc;
  const npy_intp *core_steps = pa_ufunc_core_steps(loop, operand, steps);
  npy_intp step = (npy_intp)1 << loop->item_shifts[operand];
  for (int i = pa_ufunc_rank(loop, operand) - 1; i >= 0; --i) {
    npy_intp size = dimensions[1 + ufunc->core_dim_ixs[ufunc->core_offsets[operand] + i]];
    if (core_steps[i] != step && size != 1) return SCATTERED;
    step *= size;
  }
  return steps[operand] == step ? CONTIGUOUS : CONTIGUOUS_CORES;
}

static bool can_be_fixed(const pa_ufunc_loop *loop, const npy_intp *dimensions) {
  int count = loop->ufunc->core_num_dim_ix;
  if (!count || count > PA_MAX_FIXED_DIMENSIONS || !are_small(dimensions + 1, count)) return false;
  for (int i = 0; i < count; ++i)
    if (loop->ufunc->core_dim_flags[i] & UFUNC_CORE_DIM_CAN_IGNORE) return false;
  return true;
}

const pa_variant *pa_ufunc_code_for_cores(pa_ufunc_loop *loop, const npy_intp *dimensions, const npy_intp *steps) {
  spread least = can_be_fixed(loop, dimensions) ? CONTIGUOUS : SCATTERED;
  for (int i = 0; least != SCATTERED && i < loop->ufunc->nargs; ++i) {
    spread own = spread_of(loop, i, dimensions, steps);
    if (own < least) least = own;
  }
  if (least == SCATTERED) return loop->variant;
  const pa_variant *fixed = pa_ufunc_fixed_copy(loop, dimensions + 1, dimensions[0], least == CONTIGUOUS);
  return fixed ? fixed : loop->variant;
}
