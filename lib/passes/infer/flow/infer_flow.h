// Iteration, generators, exceptions.
#ifndef PYARRAY_LIB_PASSES_INFER_FLOW_H
#define PYARRAY_LIB_PASSES_INFER_FLOW_H

#include "infer_resolved.h"

// infer_iterators.c
// Where that is so, |*value| becomes the generator of its items; the fact is bottom where that is not known yet.
pa_status pa_make_iterator(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue *value);
pa_status pa_plan_iterator(pa_class_operation *o);  // of a pyarray.iterator
pa_status pa_plan_iteration(pa_class_operation *o); // of a call of a builtin, of an instance
bool pa_goes_over(const pa_builtin *builtin); // whether it goes over an argument; those of the library do by a loop
// The same of what |builtin| goes over, inference->given from |first| on.
pa_status pa_take_iterators(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                            intptr_t first, bool *out_bottom);

// infer_exceptions.c
const pa_builtin *pa_text_builtin(const pa_builtin *builtin,
                                  MlirType type); // |builtin|, or what str() and repr() of an exception are
// The arguments of a pyarray.raise or pyarray.cause have types that an exception can have.
pa_status pa_check_raise(pa_inference *inference, pa_instance *instance, MlirOperation op);
// What pyarray.reraise names is an exception.
pa_status pa_check_reraise(pa_inference *inference, pa_instance *instance, MlirOperation op);
bool pa_exception_can_hold(MlirType type); // numbers, text, None, and tuples of these
// A value that leaves the handler, or the function, is no exception that is being handled.
pa_status pa_check_leaves(pa_inference *inference, MlirOperation op, pa_fact fact);

// infer_exception_values.c
// For raises in sight of a handler: |op| calls |callee|.
void pa_note_call(pa_inference *inference, pa_instance *caller, MlirOperation op, pa_instance *callee);
// Of the pyarray.exception |op|, with the type of its arguments, where that is known and asked for.
pa_fact pa_exception_fact(pa_inference *inference, pa_instance *instance, MlirOperation op);
pa_status pa_plan_exception_operation(pa_class_operation *o);

// infer_generators.c
// The result that is declared of a generator is one.
pa_status pa_check_generator(pa_inference *inference, const pa_instance *instance);
pa_status pa_walk_suspend(pa_inference *inference, pa_instance *instance, MlirOperation op);
// What a generator is at its end, where nothing that it yields is known: bottom, or one of None.
pa_fact pa_generator_without_items(pa_inference *inference, const pa_instance *instance);
pa_status pa_plan_generator_operation(struct pa_class_operation *operation);
// Those that yield nothing, as all facts are final, are generators of None; whether there is a new one of them.
bool pa_type_empty_generators(pa_inference *inference);

#endif // PYARRAY_LIB_PASSES_INFER_FLOW_H
