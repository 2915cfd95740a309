// What the files of typing rules share. A rule, one function, fills in the plan of a call: what typed operation it
// becomes, in which types, and from which arguments its operands come. typing_rules.c finds the rule of a row.
#ifndef PYARRAY_LIB_PASSES_TYPING_RULES_H
#define PYARRAY_LIB_PASSES_TYPING_RULES_H

#include <string.h>

#include "typing.h"

typedef struct pa_rule_call {
  const pa_typing *typing;
  const pa_builtin *builtin;
  const pa_fact *arguments;
  int count;
  pa_call_plan *plan;
} pa_rule_call;

typedef pa_status (*pa_typing_rule)(pa_rule_call *call);

// The function of a rule of builtin_rules.def; tables end in a null function.
typedef struct pa_typing_rule_row {
  pa_builtin_typing rule;
  pa_typing_rule function;
} pa_typing_rule_row;
extern const pa_typing_rule_row pa_python_typing[], pa_family_typing[], pa_new_array_typing[], pa_math_typing[],
    pa_complex_typing[], pa_numpy_typing[], pa_time_typing[], pa_device_typing[], pa_list_typing[], pa_dict_typing[],
    pa_iterate_typing[], pa_library_typing[], pa_text_typing[], pa_memoryview_typing[], pa_dtype_typing[],
    pa_native_typing[], pa_typed_typing[], pa_equality_typing[], pa_numpy_loop_typing[], pa_view_typing[],
    pa_einsum_typing[], pa_random_typing[], pa_item_typing[];
// The rule of a function that has times among its arguments; NULL where there are none, or it has no rule of its own
// for them.
pa_typing_rule pa_find_time_rule(const pa_rule_call *call);
// A literal of the source has the type that the other arguments of a function of NumPy have together (NEP 50):
// |*out_arguments|. A literal among them that is not that of |call| takes its place (typing_numpy.c).
pa_status pa_adopt_literals(const pa_rule_call *call, const pa_fact **out_arguments);
pa_status pa_type_number_of_text(pa_rule_call *call);            // typing_text.c
pa_status pa_type_cast_to(pa_rule_call *call, pa_scalar target); // a number, or left out; typing_families.c
// The type that argument |i|, a dtype such as np.float32, float, a.dtype or 'M8[D]', names.
pa_status pa_dtype_argument(const pa_rule_call *call, int i, MlirType *out_type);

// What is iterated over in argument |i| is put into |container|; pairs, or what a dict holds, into a dict
// (typing_list.c).
pa_status pa_put_all(pa_rule_call *call, pa_fact container, int i);
pa_status pa_finish_records(pa_rule_call *call, intptr_t rank,
                            const char *code); // the result is a new array of records
// How many inputs a row of NumPy's ufuncs has, which have the names of its parameters; 0 of others, as of numpy.real.
int pa_elementwise_inputs(const pa_builtin *builtin);
// Of items that are bytes (typing_items.c): text that a str such as "U8" names; what an array of them holds, and what
// has room for items of both, null where nothing has.
bool pa_text_of_dtype(const pa_typing *typing, MlirStringRef name, MlirType *out_type);
MlirType pa_dtype_of_records(const pa_typing *typing, MlirType records);
MlirType pa_promote_items(const pa_typing *typing, MlirType a, MlirType b);
pa_status pa_finish_fact(pa_rule_call *call, pa_fact fact); // the result, with its site
// Whether it is not known yet what is put into the list that is the first argument, or into one within: a later round
// of inference tells. Where that depends on the result of the call, a round that guesses takes it for empty.
bool pa_rule_awaits_items(const pa_rule_call *call);

//===-- Helpers -----------------------------------------------------------------------------------===//

static inline const char *pa_rule_text_of(const pa_rule_call *call, MlirType type) {
  return pa_type_text(call->typing->arena, type);
}
static inline MlirType pa_rule_scalar_type(const pa_rule_call *call, pa_scalar scalar) {
  return pa_scalar_type(call->typing->context, scalar);
}
static inline bool pa_rule_given(const pa_rule_call *call, int i) {
  return i < call->count && !pa_is_bottom(call->arguments[i]);
}
static inline pa_scalar pa_rule_scalar_of(const pa_rule_call *call, int i) {
  return pa_rule_given(call, i) ? pa_scalar_of(call->arguments[i].type) : PA_NOT_SCALAR;
}

static inline void pa_rule_add_operand(pa_rule_call *call, int argument, int element, MlirAttribute constant,
                                       MlirType type) {
  pa_call_plan *plan = call->plan;
  plan->sources[plan->operand_count] = (pa_source){argument, element, constant};
  plan->operands[plan->operand_count++] = type;
}

static inline void pa_rule_add_argument(pa_rule_call *call, int argument, MlirType type) {
  pa_rule_add_operand(call, argument, -1, (MlirAttribute){NULL}, type);
}

static inline void pa_rule_add_int(pa_rule_call *call, int64_t value) {
  MlirType type = pa_rule_scalar_type(call, PA_I64);
  pa_rule_add_operand(call, -1, -1, mlirIntegerAttrGet(type, value), type);
}

static inline pa_status pa_rule_finish(pa_rule_call *call, MlirType result) {
  return call->plan->result = result, PA_OK;
}
static inline pa_status pa_rule_finish_scalar(pa_rule_call *call, pa_scalar result) {
  return pa_rule_finish(call, pa_rule_scalar_type(call, result));
}

pa_status pa_rule_wrong_type(const pa_rule_call *call, int i, const char *expected);
pa_status pa_rule_need_real(const pa_rule_call *call, int i);
pa_status pa_rule_need_number(const pa_rule_call *call, int i);
pa_status pa_rule_need_integer(const pa_rule_call *call, int i);
// The float type in which |count| real arguments are computed: float32 if all are, float16 and bfloat16 likewise.
pa_scalar pa_rule_real_of(const pa_rule_call *call, int count);
pa_status pa_rule_finish_as(pa_rule_call *call, int count, pa_scalar scalar);
pa_status pa_type_real(pa_rule_call *call, int count);
pa_status pa_type_ints(pa_rule_call *call, int count);

#endif // PYARRAY_LIB_PASSES_TYPING_RULES_H
