// What the files of pyarray-infer-types share: infer_types.c (driver, instances), infer_facts.c (abstract
// interpretation, with infer_calls.c, infer_ufunc.c, infer_ufunc_arguments.c and infer_literals.c) and infer_emit.c (typed
// operations, with infer_emit_operators.c, infer_ufunc_emit.c and infer_erase.c).
#ifndef PYARRAY_LIB_PASSES_INFER_INTERNAL_H
#define PYARRAY_LIB_PASSES_INFER_INTERNAL_H

#include "typing.h"

// What inference knows of one untyped value within one instance.
typedef struct pa_value_entry {
  const void *key;
  pa_fact fact;
  MlirValue typed;  // set while the instance is emitted
} pa_value_entry;

// A function compiled for particular argument types.
typedef struct pa_instance {
  struct pa_instance *next;  // in order of creation
  MlirOperation function;    // untyped
  const char *name;          // "f$0"
  MlirType *arguments;
  MlirAttribute *literals;   // of str arguments, which are known at compile time; null for others
  intptr_t argument_count;
  MlirType declared;         // result type asked for, or null
  pa_fact result;            // bottom until known
  bool entry;
  enum { PA_FRESH, PA_OPEN, PA_TENTATIVE, PA_DONE } state;
  int depth;                 // on the stack of open instances
  int lowest;                // smallest depth of an open instance that its result depends on
  unsigned round;            // of the last walk
  pa_value_entry *values;    // open addressing, capacity a power of two
  size_t value_count, value_capacity;
} pa_instance;

typedef struct pa_inference {
  MlirContext context;
  MlirOperation module;
  pa_arena *arena;
  pa_names names;
  pa_instance *first, **last;
  unsigned round;    // of fixpoint iteration
  unsigned changes;  // counts every change of an instance's result
  int depth;
  int notes, notes_left_out;  // of calls, in the message of a failure
} pa_inference;

// infer_types.c
// The instance of |function| for arguments of these types, and of these values where they are str, made if there is
// none.
pa_instance *pa_instance_get(pa_inference *inference, MlirOperation function, const pa_fact *arguments,
                             intptr_t count);
pa_value_entry *pa_value_entry_of(pa_inference *inference, pa_instance *instance, MlirValue value);

typedef struct pa_ufunc_call pa_ufunc_call;

// infer_calls.c
// What a call becomes; asked by both phases, with the same answer once facts are final.
typedef struct pa_resolved_call {
  pa_instance *instance;  // of a compiled function, or NULL: |plan|
  pa_call_plan plan;
  const MlirValue *arguments;  // untyped values in parameter order; null: |constants|
  const MlirAttribute *constants;
  int count;
  bool bottom;  // an argument is not known yet
  pa_ufunc_call *ufunc;  // of a ufunc, whose kernel |instance| is, or NULL; |arguments| are inputs and outputs
} pa_resolved_call;
pa_status pa_resolve_call(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_resolved_call *out_call);
// Adds to a failure within |callee|, before its hint, where |caller| calls it; of many calls the first and the last.
pa_status pa_add_call_site(pa_inference *inference, pa_status status, pa_instance *callee, const pa_instance *caller,
                           MlirOperation op);

// infer_ufunc.c
pa_status pa_resolve_ufunc(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirOperation function,
                           pa_resolved_call *out_call);
// The result of the call, once the kernel's is known; bottom before.
pa_status pa_ufunc_result(pa_inference *inference, MlirOperation op, const pa_ufunc_call *call, pa_fact *out_result);
// infer_ufunc_emit.c
// |operands|: typed values of inputs and outputs, null for outputs not given.
MlirValue pa_emit_ufunc(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, MlirValue *operands);

// infer_literals.c
// The result of a comparison of str literals; bottom where |op| is something else.
pa_status pa_compare_strings(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact *out_result);
// A tuple of literals as the string of its Python literal, with the tuple's type; null where an element is no literal.
MlirAttribute pa_tuple_literal(pa_inference *inference, pa_instance *instance, MlirValue tuple);

// infer_facts.c
pa_status pa_infer_instance(pa_inference *inference, pa_instance *instance);
pa_typing pa_typing_at(pa_inference *inference, MlirOperation op);
// The facts of the indices of a getitem or setitem, tuple-valued subscripts spread. |out_spread|: that tuple was spread.
const pa_fact *pa_index_facts(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact object,
                              intptr_t *out_count, bool *out_spread, bool *out_bottom);
pa_fact pa_fact_get(pa_inference *inference, pa_instance *instance, MlirValue value);
// Whether an operand is not known (bottom); such operations are never reached.
bool pa_has_bottom_operand(pa_inference *inference, pa_instance *instance, MlirOperation op);
// -1 unknown, else the literal truth of an scf.if condition.
int pa_known_condition(pa_inference *inference, pa_instance *instance, MlirOperation if_op);

// infer_emit.c
// Appends the typed function to the module.
pa_status pa_emit_instance(pa_inference *inference, pa_instance *instance);

// infer_erase.c
void pa_erase_unused(pa_inference *inference, MlirBlock block);

#endif  // PYARRAY_LIB_PASSES_INFER_INTERNAL_H
