// Variables that the iterations of a loop hand on: values that a loop operation takes, has in its blocks, and gives.
#ifndef PYARRAY_LIB_FRONTEND_CARRIED_H
#define PYARRAY_LIB_FRONTEND_CARRIED_H

#include "emitter.h"

// A variable carried into the next iteration or out of the loop.
typedef struct pa_carried {
  int variable;
  pa_bound bound; // where the values are taken over: in the body, or after the loop
  bool flagged;   // a second value says whether it is bound
} pa_carried;

typedef struct pa_carried_list {
  pa_carried *items;
  int count, flags;
} pa_carried_list;

static inline int pa_carried_width(const pa_carried_list *list) { return list->count + list->flags; }

// What enters each iteration of |loop|.
pa_carried_list pa_carried_in(pa_emitter *e, const pa_statement *loop);
// What leaves each iteration: what enters the next, then what is live after a break or the test only.
pa_carried_list pa_carried_out(pa_emitter *e, const pa_statement *loop, const pa_carried_list *in);
// The present values of the listed variables, then their flags.
void pa_take_carried(pa_emitter *e, const pa_carried_list *list, MlirValue *values);
void pa_bind_carried(pa_emitter *e, const pa_carried_list *list, const MlirValue *values);
// What the loop binds and nobody reads afterwards has no value there.
void pa_forget_changes(pa_emitter *e, const pa_branch *branch);
MlirValue *pa_block_arguments(pa_emitter *e, MlirBlock block);
MlirValue *pa_op_results(pa_emitter *e, MlirOperation op, int count);
MlirType *pa_any_types(pa_emitter *e, int count);
// The names of |count| results: |first| that are no variables, then those of the list.
MlirAttribute pa_carried_names(pa_emitter *e, const pa_carried_list *list, int first, int count);

#endif
