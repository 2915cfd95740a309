// Subscripts of arrays (typing_index.c).
#ifndef PYARRAY_LIB_PASSES_TYPING_INDEX_H
#define PYARRAY_LIB_PASSES_TYPING_INDEX_H

#include "typing.h"

enum { PA_MOST_AXES = 32 };

// The indices of a subscript, each with its axis. Where it has new axes, these are put in behind.
//
// Where arrays of integers are among them, numbers are such indices too, and all of them together give one element of
// what they broadcast to. The plan is then that of a view with whole axes in their places, from which they gather.
typedef struct pa_index_plan {
  int count;                                  // of the axes that have an index; those behind are taken whole
  int sources[PA_MOST_AXES];                  // for each of these, the number of the index; -1: the whole axis
  int new_axes[PA_MOST_AXES], new_count;      // their places among the axes of the result
  int rank;                                   // of the result; where it gathers, of the view
  bool is_view;                               // there is an ellipsis or a new axis: not an element, of whatever rank
  bool gathers;                               // an array of integers is among the indices
  int gathered[PA_MOST_AXES], gathered_count; // the axes of the view that have an index
  int broadcast_rank;                         // of what these indices broadcast to
  int place; // of its axes among those of the result: where the indices stand, or in front if they stand apart
} pa_index_plan;

// How many axes the result has.
static inline int pa_index_result_rank(const pa_index_plan *plan) {
  return plan->gathers ? plan->rank - plan->gathered_count + plan->broadcast_rank : plan->rank;
}

// Elements lie as if the axes of the indices were the first, as NumPy writes them.
static inline pyarray_layout pa_gathered_layout(const pa_index_plan *plan) {
  return plan->place == 0 ? PYARRAY_LAYOUT_C : pa_index_result_rank(plan) == 2 ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_A;
}

bool pa_is_ellipsis(MlirType index);
bool pa_is_gathered(MlirType index); // an array of integers
// Of |object|, which has |rank| axes. Fails where there are more indices than axes, or one that no array takes.
pa_status pa_plan_subscript(const pa_typing *typing, MlirType object, intptr_t rank, const pa_fact *indices,
                            intptr_t count, pa_index_plan *out);
// An element, or the type of the view; where it gathers, of what it gathers from.
MlirType pa_indexed_type(const pa_typing *typing, MlirType array, const pa_index_plan *plan, const pa_fact *indices);
pa_status pa_type_array_getitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                pa_fact *out_result);

#endif // PYARRAY_LIB_PASSES_TYPING_INDEX_H
