// What inference knows of the signs of whole numbers: infer_signs.c. See typing_signs.c for what a fact has of them.
#ifndef PYARRAY_LIB_PASSES_INFER_SIGNS_H
#define PYARRAY_LIB_PASSES_INFER_SIGNS_H

#include "infer_resolved.h"
#include "sign_notes.h"

pa_signs *pa_signs_new(pa_arena *arena);
bool pa_signs_are_known(const pa_inference *inference); // they are asked for
void pa_signs_begin_round(pa_signs *signs);
// Whether another round is due, in which more is known of signs; containers' items are forgotten then.
bool pa_signs_take_change(pa_inference *inference);
void pa_warn_of_signs(pa_inference *inference); // of what the last round noted

// |fact| goes into variable |index| of a place, whose sign may be known not to be known.
pa_fact pa_signs_carried(const pa_inference *inference, const void *place, intptr_t index, pa_fact fact);
// That variable was |before|; what it has lost stays unknown.
void pa_signs_compare(pa_inference *inference, const void *place, intptr_t index, pa_fact before, pa_fact after);

// Facts with their signs; as they are where signs are not asked for.
void pa_find_signs(pa_inference *inference, pa_instance *instance, MlirOperation op); // of the results of |op|
pa_fact pa_operand_fact(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t i); // with its signs
pa_fact pa_signed_tuple(pa_inference *inference, pa_instance *instance, const MlirValue *parts, intptr_t count,
                        pa_fact tuple, bool of_containers);
uint64_t pa_signs_of_parts(const MlirType *types, const uint64_t *signs, intptr_t count); // of a tuple of these
uint64_t pa_signs_of_all(MlirType tuple, uint64_t signs); // what is known of every element
uint64_t pa_signs_of_item(MlirType type, uint64_t signs); // of what is iterated over
pa_fact pa_sign_item(const pa_inference *inference, pa_fact iterable, pa_fact item);
pa_fact pa_sign_element(MlirType tuple, uint64_t signs, intptr_t index);
pa_fact pa_sign_tuple(pa_inference *inference, pa_instance *instance, const MlirValue *parts, intptr_t count,
                      pa_fact tuple);
pa_fact pa_sign_read_tuple(pa_inference *inference, pa_instance *instance, const MlirValue *parts, intptr_t count,
                           pa_fact tuple); // whose containers nobody changes
void pa_parts_escape(pa_inference *inference, pa_instance *instance, const MlirValue *parts,
                     intptr_t count);       // a container among them
bool pa_only_reads(MlirOperation function); // it is of the library, and neither keeps nor changes its arguments
pa_fact pa_sign_call(pa_inference *inference, pa_instance *instance, const pa_resolved_call *call,
                     pa_fact result);                                                    // of a builtin
pa_fact pa_sign_result(pa_inference *inference, MlirOperation function, pa_fact result); // of a function of the library
pa_fact pa_sign_class_operation(pa_inference *inference, pa_instance *instance, const pa_class_plan *plan,
                                pa_fact result);
void pa_signs_pass(pa_inference *inference, pa_instance *instance,
                   const pa_resolved_call *call); // containers that |call| may change

#endif // PYARRAY_LIB_PASSES_INFER_SIGNS_H
