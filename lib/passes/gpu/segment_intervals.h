// Intervals of what the threads of a block compute, for pyarray-version-segments: bounds on integers in loops over
// threads, made of values that all threads have alike, ahead of the loops.
#ifndef PYARRAY_LIB_PASSES_SEGMENT_INTERVALS_H
#define PYARRAY_LIB_PASSES_SEGMENT_INTERVALS_H

#include "ir/ir.h"
#include "support/map.h"

typedef struct pa_interval {
  MlirValue low, high; // i64, made ahead of the loops; both null where nothing is known
} pa_interval;

// The counter of a loop over threads, and its values under the conditions that hold.
typedef struct pa_thread_index {
  MlirValue counter;
  pa_interval range;
} pa_thread_index;

enum { PA_THREAD_LOOPS = 3 };

typedef struct pa_bounding {
  pa_arena *arena;
  MlirContext context;
  MlirOperation nest; // the outermost loop
  MlirType i1, i64;
  pa_builder at; // ahead of the loops
  pa_map copies; // value of the loops that does not depend on them -> its copy ahead of them
  pa_thread_index threads[PA_THREAD_LOOPS];
  MlirValue checks; // i1: every check passes, and every interval is right
  MlirValue guards; // i1: every condition holds for every thread
  bool open_guards; // a condition cannot be bounded
} pa_bounding;

// False if |nest| is not three loops whose extents are known ahead of it.
bool pa_bounding_begin(pa_bounding *bounding, pa_arena *arena, MlirOperation nest);
// Adds to |checks| that the scf.if |check|, `if index >= size (unsigned)`, is never taken; false where that cannot be
// bounded.
bool pa_bound_check(pa_bounding *bounding, MlirOperation check);
// Adds to |guards| that |condition| holds for every thread, and narrows the intervals of |threads| by it.
void pa_bound_condition(pa_bounding *bounding, MlirValue condition);

#endif // PYARRAY_LIB_PASSES_SEGMENT_INTERVALS_H
