// Types of what the library's methods of NumPy's Generator are made of (python/pyarray/library/numpy/generator.py): a
// call of a function of NumPy's for a Generator (lib/ir/distributions.def), of a function of Python's.
#include <string.h>

#include "typing_rules.h"

static const char *text_of(const pa_rule_call *call, int i) {
  MlirAttribute literal = pa_rule_given(call, i) ? call->arguments[i].literal : mlirAttributeGetNull();
  return mlirAttributeIsNull(literal) || !mlirAttributeIsAString(literal) ? NULL
                                                                          : pa_attr_text(call->typing->arena, literal);
}

static pa_status need_text(const pa_rule_call *call, int i) {
  return pa_rule_wrong_type(call, i, "a str that is known when the function is compiled");
}

static pa_status add_parameter(pa_rule_call *call, int i, char letter) {
  MlirType type = call->arguments[i].type;
  if (letter == 'a') {
    if (!pyarrayTypeIsArray(type)) return pa_rule_wrong_type(call, i, "an array");
    return pa_rule_add_argument(call, i, type), PA_OK;
  }
  PA_TRY(pa_rule_need_real(call, i));
  pa_scalar scalar = letter == 'd' ? PA_F64 : letter == 'f' ? PA_F32 : PA_I64;
  return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, scalar)), PA_OK;
}

static pa_status type_draw(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  const char *name = text_of(call, 1);
  const pa_distribution *distribution = name ? pa_distribution_find(pa_ref(name)) : NULL;
  if (!pa_is_random(type)) return pa_rule_wrong_type(call, 0, "a Generator of NumPy");
  if (!distribution || call->count != 2 + (int)strlen(distribution->parameters)) return need_text(call, 1);
  pa_rule_add_argument(call, 0, pa_erased_type(type));
  for (int i = 2; i < call->count; ++i) PA_TRY(add_parameter(call, i, distribution->parameters[i - 2]));
  call->plan->callee = pa_string_attr(call->typing->context, name);
  if (distribution->result == 'n') return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
  return pa_rule_finish_scalar(call, distribution->result == 'd'   ? PA_F64
                                     : distribution->result == 'f' ? PA_F32
                                                                   : PA_I64);
}

const pa_typing_rule_row pa_random_typing[] = {{PA_TYPING_DRAW, type_draw}, {0, NULL}};
