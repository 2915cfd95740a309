// The typing rule of pyarray.library._intrinsics.numpy_loop: a call of one of NumPy's inner loops
// (lib/runtime/linear/numpy_loops.def) for arrays, its core dimensions. Whether it failed.
#include "typing_rules.h"

static pa_status add_text(pa_rule_call *call, int i) {
  MlirAttribute literal = pa_rule_given(call, i) ? call->arguments[i].literal : mlirAttributeGetNull();
  if (mlirAttributeIsNull(literal) || !mlirAttributeIsAString(literal))
    return pa_rule_wrong_type(call, i, "a str that is known when the function is compiled");
  return pa_rule_add_operand(call, -1, -1, literal, pyarrayStrTypeGet(call->typing->context)), PA_OK;
}

static pa_status type_numpy_loop(pa_rule_call *call) {
  for (int i = 0; i < 2; ++i) PA_TRY(add_text(call, i));
  for (int i = 2; i < call->count; ++i) {
    if (!pa_rule_given(call, i) || !pyarrayTypeIsArray(call->arguments[i].type))
      return pa_rule_wrong_type(call, i, "an array");
    pa_rule_add_argument(call, i, call->arguments[i].type);
  }
  return pa_rule_finish_scalar(call, PA_BOOL);
}

const pa_typing_rule_row pa_numpy_loop_typing[] = {{PA_TYPING_NUMPY_LOOP, type_numpy_loop}, {0, NULL}};
