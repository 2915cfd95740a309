// What the passes of this room share that expand ufuncs, reductions and products.
#ifndef PYARRAY_LIB_PASSES_ARRAYS_EXPAND_H
#define PYARRAY_LIB_PASSES_ARRAYS_EXPAND_H

#include "ir/ir.h"

enum { PA_MAX_VIEW_RANK = 32 }; // what pyarray-lower takes

// expand_branch.c. A branch of an scf.if that gives nothing; |*out_region| goes into the operation after it is closed.
pa_builder pa_open_branch(const pa_builder *at, MlirRegion *out_region);
void pa_close_branch(pa_builder *at, pa_builder *inside);

// expand_parts.c. Rows of given outputs that are computed at a time, and what was computed before is stored.
typedef struct pa_parts {
  MlirValue independent, rows;        // what pyarray.rows_apart says
  MlirValue count;                    // of the outputs' rows
  const MlirValue *outputs, *written; // and what is written in their place
  int output_count;
  MlirRegion region;
  MlirValue first, slot, before; // rows: of this part, where they are written, of the one before
} pa_parts;
// A view of rows |from| to |to|, no more than there are.
MlirValue pa_rows_of(pa_builder *at, MlirValue array, MlirValue from, MlirValue to);
// Whether that is of use for a ufunc of |inputs| inputs, whose other operands are outputs.
bool pa_takes_parts(const pa_names *names, MlirOperation op, int inputs);
// How many rows are to be written elsewhere.
MlirValue pa_rows_in_parts(pa_builder *at, const pa_parts *p);
// The body of the loop, with the rows of |inputs| in their place, and those of what is written.
pa_builder pa_open_parts(pa_builder *at, pa_parts *p, MlirValue *inputs, int input_count, MlirValue *out_written);
void pa_close_parts(pa_builder *at, pa_builder *inside, const pa_parts *p);

// expand_shape.c. Whether |op| is a kernel's, or a function's that kernels call.
bool pa_is_in_kernel(const pa_names *names, MlirOperation op);

// expand_reduce.c. What is added to |gone| has no meaning any more, and is to be destroyed after the walk.
pa_status pa_expand_reduce(pa_arena *arena, const pa_names *names, MlirOperation op, pa_op_list *gone);

// expand_shape.c. The input of which alone the loop shape of a ufunc or reduction is checked, as `shapes` says; -1:
// there are more.
int pa_only_shape(MlirOperation op);
// Whether an array is a view that has been given its |rank| extents; these then.
bool pa_given_extents(const pa_names *names, MlirValue array, int rank, MlirValue *out_extents);

// inner_step.c. How far apart the elements of an array lie along its last dimension, by what made it.
typedef enum pa_step_kind {
  PA_STEP_UNKNOWN,
  PA_STEP_NONE, // one element is all
  PA_STEP_ONE,
  PA_STEP_ONE_OR_NONE, // where it was stretched when the program ran
} pa_step_kind;
typedef struct pa_step {
  pa_step_kind kind;
  bool is_part; // of the rows of an array: they do not follow each other in memory
} pa_step;
enum { PA_ANY_STEP = -1 }; // in pyarray.steps
pa_step pa_inner_step(const pa_names *names, MlirValue array);
// A column of rows, or every second number of one: nothing lies beside what is next, save where a row is one element.
bool pa_has_gaps(const pa_names *names, MlirValue array);

#endif // PYARRAY_LIB_PASSES_ARRAYS_EXPAND_H
