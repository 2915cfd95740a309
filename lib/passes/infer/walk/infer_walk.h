// The first phase: facts of every operation.
#ifndef PYARRAY_LIB_PASSES_INFER_WALK_H
#define PYARRAY_LIB_PASSES_INFER_WALK_H

#include "infer_resolved.h"

// infer_plans.c
pa_status pa_plan_class_operation(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                  pa_class_plan *out_plan);

// infer_unroll.c
pa_status pa_plan_unroll(pa_class_operation *o);
// What is known of item |number|, also of its elements. To be called right before pa_walk_element.
pa_fact pa_mixed_fact(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t number);
// Whether a loop over |iterable| is one over literal_unroll(), perhaps within enumerate, zip or reversed.
bool pa_unrolls_literals(pa_inference *inference, pa_instance *instance, MlirValue iterable);

// infer_flow_facts.c
void pa_infer_guess_from_branches(pa_inference *inference, pa_instance *instance, MlirOperation op);
pa_status pa_infer_walk_while(pa_inference *inference, pa_instance *instance, MlirOperation op);
pa_status pa_infer_walk_branches(pa_inference *inference, pa_instance *instance, MlirOperation op, int known);
pa_status pa_infer_walk_for(pa_inference *inference, pa_instance *instance, MlirOperation op);
// Loops over what pa_is_mixed: the facts of the body for an item, with the |carried| ones before it, and then after it.
pa_status pa_walk_element(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact item,
                          pa_fact *carried);
pa_fact *pa_initial_carried(pa_inference *inference, pa_instance *instance, MlirOperation op);

// infer_facts.c
pa_status pa_infer_walk_block(pa_inference *inference, pa_instance *instance, MlirBlock block);

// infer_recursion.c
pa_status pa_walk_instance(pa_inference *inference, pa_instance *instance);

#endif // PYARRAY_LIB_PASSES_INFER_WALK_H
