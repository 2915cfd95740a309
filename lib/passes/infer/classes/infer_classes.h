// Classes, named tuples, enums, optional values, choices among functions, overloaded operators.
#ifndef PYARRAY_LIB_PASSES_INFER_CLASSES_H
#define PYARRAY_LIB_PASSES_INFER_CLASSES_H

#include "infer_resolved.h"

// infer_equality.c
// Whether two instances, or None, are the same; what is neither never is.
pa_status pa_plan_identity(pa_class_operation *o, MlirValue left, MlirValue right, bool negated);
pa_status pa_plan_equality(pa_class_operation *o);

// infer_classes.c
pa_status pa_plan_of_class(pa_class_operation *o);
// |call_result|: that of the function, bottom where it is not known yet.
pa_fact pa_class_operation_result(pa_inference *inference, const pa_class_plan *plan, pa_fact call_result);
// The type of an instance, also of one that may be None, else null; and the symbol of a method, null
// where there is none.
MlirType pa_instance_type(MlirType type);
MlirAttribute pa_find_class_method(pa_inference *inference, MlirType type, const char *name);

// infer_conversions.c
pa_status pa_plan_index(pa_class_operation *o); // a subscript by an instance
// Instances among inference->given, from |first| on, become the numbers that |builtin| needs.
pa_status pa_take_numbers(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                          intptr_t first, bool *out_bottom);

// infer_class_builtins.c
// A builtin whose first argument is an instance, |first| its type: what it calls, null where it
// is none of those that call a method.
pa_status pa_decide_class_builtin(pa_class_operation *o, MlirStringRef name, MlirType first, MlirAttribute *out_method);
// A builtin that is given an instance for which it is overloaded.
pa_status pa_plan_overloaded_call(pa_class_operation *o);

// infer_overloaded.c
// An operation as a call of what the user's overloads give for its operator or function, if they
// give something.
pa_status pa_plan_overloaded(pa_class_operation *o, bool *out_found);
// Notes that for |op|, which has failed, so that pa_plan_noted makes it that call; and forgets it.
pa_status pa_note_overloaded(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_found);
void pa_forget_overloaded(pa_inference *inference, pa_instance *instance, MlirOperation op);
pa_status pa_plan_noted(pa_class_operation *o);

// infer_enum_values.c
pa_status pa_check_enum_values(const pa_class_operation *o, MlirAttribute description, MlirType type);

// infer_named.c
pa_status pa_plan_named_operation(pa_class_operation *o); // of named tuples and enums
MlirType pa_iterated_type(pa_inference *inference, pa_instance *instance, MlirOperation op); // what a loop goes over
MlirType pa_member_type(MlirContext context, MlirAttribute description, MlirStringRef class);
// The function of the library that does what |builtin|, str or repr, does for a value of |type|; NULL where the builtin
// does.
const char *pa_text_function(const pa_inference *inference, const char *builtin, MlirType type);
// Where |builtin| makes text of its arguments, those from number |first| on that it cannot read become text.
pa_status pa_take_texts(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *builtin,
                        intptr_t first, bool *out_bottom);

// infer_random.c
pa_status pa_plan_random_operation(pa_class_operation *o);
// Whether the iterations of a loop use one Generator of NumPy, from outside of it.
bool pa_shares_random(pa_inference *inference, pa_instance *instance, MlirOperation loop);

// infer_represented.c
// What operand |i| is taken as, where the operation needs what represents it; null where it does not.
MlirType pa_represented_as(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                           intptr_t i);
// infer_unaligned.c: the same of an array of numbers at any address, where the operation computes with it.
MlirType pa_aligned_operand(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                            intptr_t i);

// infer_attributes.c
// |op|: a getattr that asks whether there is such an attribute; |walk| finds its type.
pa_status pa_walk_probe(pa_inference *inference, pa_instance *instance, MlirOperation op,
                        pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation));

// infer_optional.c
// Until they are closed, operands that may be None and that the operation needs as values have the facts of these; with
// an emitter they are taken out, which raises where there is none.
typedef struct pa_open_values {
  pa_value_entry *saved;
  int count;
} pa_open_values;
void pa_open_optionals(pa_inference *inference, pa_instance *instance, MlirOperation op,
                       struct pa_instance_emitter *emitter, pa_open_values *out_open);
void pa_close_optionals(pa_inference *inference, pa_instance *instance, const pa_open_values *open);
// A truth test, `not`, == or != of what may be None; |*out_done|: it was one.
pa_status pa_walk_optional(pa_inference *inference, pa_instance *instance, MlirOperation op,
                           pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation), bool *out_done);
// The value of type |item| in |optional|, after a raise where that is None.
MlirValue pa_emit_not_none(struct pa_instance_emitter *emitter, MlirValue optional, MlirType item,
                           const char *exception, const char *message);
pa_status pa_emit_optional(struct pa_instance_emitter *emitter, MlirOperation op,
                           pa_status (*emit)(struct pa_instance_emitter *, MlirOperation), bool *out_done);
// A comparison of typed values of which one may be None, by ==, != or `is`; |compare| compares values that are there.
typedef pa_status (*pa_compare_values)(struct pa_instance_emitter *, const pa_typing *, pyarray_compare_kind,
                                       MlirValue lhs, MlirValue rhs, MlirValue *out);
pa_status pa_compare_optional_values(struct pa_instance_emitter *emitter, const pa_typing *typing,
                                     pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs, pa_compare_values compare,
                                     MlirValue *out, bool *out_done);

// infer_choice.c
// A call of what may be one of several functions; |*out_done|: it was one.
pa_status pa_walk_choice(pa_inference *inference, pa_instance *instance, MlirOperation op,
                         pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation), bool *out_done);
pa_status pa_emit_choice_call(struct pa_instance_emitter *emitter, MlirOperation op,
                              pa_status (*emit)(struct pa_instance_emitter *, MlirOperation), bool *out_done);
pa_status pa_plan_choice_operation(pa_class_operation *o); // a comparison of two functions, one of which is not known

#endif // PYARRAY_LIB_PASSES_INFER_CLASSES_H
