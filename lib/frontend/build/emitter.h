// The state of the emission of a function: what variables stand for, values, and how control flow joins.
#ifndef PYARRAY_LIB_FRONTEND_EMITTER_H
#define PYARRAY_LIB_FRONTEND_EMITTER_H

#include "importer.h"

typedef enum pa_bound {
  PA_UNBOUND,
  PA_BOUND,
  PA_MAYBE, // |flag| says
  PA_ANY,   // not live, or never reached: as the other branch has it
} pa_bound;

// What a variable stands for at a point of the function.
typedef struct pa_binding {
  pa_bound bound;
  MlirValue value; // if not PA_UNBOUND
  MlirValue flag;  // a Python bool, if PA_MAYBE
} pa_binding;

// How what was emitted so far can go on.
typedef struct pa_flow {
  unsigned completions;
  MlirValue state;  // which one, a Python int; may be null if there is only one, or with |falls|
  MlirValue falls;  // i1: whether it is FALL rather than RETURN; null if |state| is given
  MlirValue result; // what is returned, if RETURN is possible
} pa_flow;

typedef struct pa_change {
  int variable;
  pa_binding binding; // the one undone by it, or the new one
} pa_change;

typedef struct pa_emitter {
  pa_importer *importer;
  pa_function *function;
  pa_arena *arena;
  pa_builder builder;
  MlirType any, i1;
  pa_flow flow;
  pa_binding *variables;
  MlirValue *captured;                       // arguments of a nested function
  const uint64_t *live[PA_COMPLETION_COUNT]; // live after each completion, here
  pa_change *trail;                          // what to undo at the end of a region
  size_t trail_count, trail_capacity;
  unsigned *seen, seen_mark;        // of each variable: the last region whose trail was searched for it
  MlirBlock reachable;              // not null: the builder's block is scratch, after a raise within a statement
  bool tail;                        // the end of the present list is the end of a loop's body: continue falls through
  const struct pa_try_frame *frame; // the innermost try whose body is being emitted, or NULL
  int depth;                        // of regions
  int handlers;                     // those within which code is being emitted
} pa_emitter;

// values.c
static inline bool pa_has(const uint64_t *set, int variable) {
  return set && (set[variable / 64] >> variable % 64 & 1);
}
void pa_fail_emission(pa_emitter *e, pa_code code, pa_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void pa_set_failure(pa_emitter *e, pa_status failure); // the first one stays
// The following operations come from |place|.
void pa_at(pa_emitter *e, pa_place place);
MlirValue pa_emit_constant(pa_emitter *e, MlirAttribute value);
MlirValue pa_emit_int(pa_emitter *e, int64_t value);
MlirValue pa_emit_bool(pa_emitter *e, bool value);
MlirValue pa_emit_unbound(pa_emitter *e, MlirType type);
// What stands for a value that is refused, so that others are looked at; NULL after a failure that ends the import.
// Takes |refusal| over.
MlirValue pa_emit_refused(pa_emitter *e, pa_status refusal);
MlirValue pa_emit_truth(pa_emitter *e, MlirValue value);
MlirValue pa_emit_compare(pa_emitter *e, int kind, MlirValue left, MlirValue right);
MlirValue pa_emit_builtin_call(pa_emitter *e, const char *name, const MlirValue *arguments, int count);

// flow.c
// A region under construction, and once ended, what it did.
typedef struct pa_branch {
  MlirRegion region;
  MlirBlock block;
  pa_flow flow;       // once ended, its own
  pa_change *changes; // variables rebound in it, in order of number
  int count;
  size_t trail_start;
  pa_flow outer_flow;
  MlirBlock outer_block, outer_reachable;
} pa_branch;
void pa_bind(pa_emitter *e, int variable, pa_binding binding);
// Begins a region whose block has |arguments| arguments of type any; ends it, with the variables as they were before.
void pa_branch_begin(pa_emitter *e, pa_branch *branch, int arguments);
void pa_branch_end(pa_emitter *e, pa_branch *branch);
// scf.if from two ended branches, with the variables live after it as results. The flow is that of both.
void pa_join(pa_emitter *e, MlirValue condition, pa_branch *then, pa_branch *otherwise, const uint64_t *live_fall);
// pyarray.try, likewise.
void pa_join_try(pa_emitter *e, pa_branch *body, pa_branch *handler, const uint64_t *live_fall);
// scf.if whose first result is a value; variables that expressions bind follow.
MlirValue pa_join_values(pa_emitter *e, MlirValue condition, pa_branch *then, MlirValue then_value,
                         pa_branch *otherwise, MlirValue other_value, MlirType type);
// After a raise: what follows in the statement goes into a scratch block, dropped by pa_drop_unreachable at the end of
// the statement.
void pa_unreachable(pa_emitter *e);
void pa_drop_unreachable(pa_emitter *e);
static inline bool pa_is_dead(const pa_emitter *e) { return e->flow.completions == 0 || pa_failed(&e->builder); }
MlirValue pa_flow_state(pa_emitter *e, pa_flow flow); // as a Python int; unbound if nothing is possible
MlirValue pa_flow_falls(pa_emitter *e, pa_flow flow); // i1
MlirValue pa_state_is(pa_emitter *e, MlirValue state, pa_completion completion); // i1
static inline bool pa_is_single(unsigned completions) { return (completions & (completions - 1)) == 0; }
MlirValue pa_result(MlirOperation op, intptr_t index); // null of a null operation
// Attribute pyarray.names of an operation with |count| results: the variable that each one is, for messages. -1: none.
MlirAttribute pa_result_names(const pa_emitter *e, const int *variables, int count);

#endif // PYARRAY_LIB_FRONTEND_EMITTER_H
