// What the files of pyarray-find-parallel-loops share: find_parallel_loops.c (the pass, numbers that a loop carries),
// find_parallel_arrays.c (arrays that it reduces), find_parallel_effects.c (what it changes beside these).
#ifndef PYARRAY_LIB_PASSES_FIND_PARALLEL_H
#define PYARRAY_LIB_PASSES_FIND_PARALLEL_H

#include "ir/ir.h"

// The reduction of which pyarray.binary |op| is a step, if its left operand (|lhs|) or its right one is the value so
// far; the same for a pyarray.builtin. NULL if it is none.
const char *pa_binary_reduction(MlirOperation op, bool lhs);
const char *pa_builtin_reduction(MlirOperation op, bool lhs);

// Whether two values are equal: one, or computed alike. What |a| reads from memory must not change up to |end|, which
// follows it in the same block; |b| is computed before |end| or within it.
bool pa_same_value(const pa_names *names, MlirValue a, MlirValue b, MlirOperation end);
// Whether an operation changes no memory and no state, nor do those in its regions.
bool pa_only_computes_one(MlirOperation op);
// Whether the operations from |first| up to |end|, which follows in the same block, change no memory and no state.
bool pa_only_computes(MlirOperation first, MlirOperation end);

bool pa_is_inside(MlirOperation op, MlirOperation loop); // or the loop itself
// Why the iterations of |loop| change what they share, so that it has to run in order; NULL if they do not. Arrays, of
// which the user knows which elements an iteration has, do not count.
const char *pa_shared_change(pa_arena *arena, const pa_names *names, MlirOperation loop);

// Gives each array that |loop|, which is to run on several threads, reduces by subscripts a pyarray.private.
pa_status pa_find_private_arrays(pa_arena *arena, const pa_names *names, MlirOperation loop);

#endif // PYARRAY_LIB_PASSES_FIND_PARALLEL_H
