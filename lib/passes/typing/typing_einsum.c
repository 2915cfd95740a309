// The typing rule of pyarray.library._intrinsics.einsum_plan: a number of the plan of an np.einsum (support/einsum.h),
// which is known when the function is compiled.
#include <string.h>

#include "support/einsum.h"
#include "typing_rules.h"

static const char *text_argument(pa_rule_call *call, int i) {
  MlirAttribute literal = pa_rule_given(call, i) ? call->arguments[i].literal : mlirAttributeGetNull();
  return !mlirAttributeIsNull(literal) && mlirAttributeIsAString(literal) ? pa_attr_text(call->typing->arena, literal)
                                                                          : NULL;
}

// einsum_plan(subscripts, name, number, place, operands)
static pa_status type_einsum_plan(pa_rule_call *call) {
  const char *text = text_argument(call, 0), *name = text_argument(call, 1);
  if (!text)
    return pa_typing_fail(
        call->typing, PA_CODE_TYPING,
        "the subscripts of np.einsum must be known when the function is compiled: write them as a str");
  MlirType operands = call->arguments[4].type;
  int64_t number, place;
  if (!name || !pa_literal_int(call->arguments[2], &number) || !pa_literal_int(call->arguments[3], &place) ||
      !mlirTypeIsATuple(operands))
    return pa_rule_wrong_type(call, 2, "an int that is known when the function is compiled");
  int ranks[PA_MOST_EINSUM_OPERANDS + 1], count = (int)mlirTupleTypeGetNumTypes(operands);
  for (int i = 0; i < count && i <= PA_MOST_EINSUM_OPERANDS; ++i) {
    MlirType operand = mlirTupleTypeGetType(operands, i);
    ranks[i] = pyarrayTypeIsArray(operand) ? (int)pyarrayArrayTypeGetRank(operand) : 0;
  }
  pa_einsum *plan = PA_NEW(call->typing->arena, pa_einsum);
  char buffer[200];
  const char *wrong = pa_einsum_plan(text, strlen(text), ranks, count, plan, buffer);
  if (wrong) return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s", wrong);
  MlirContext context = call->typing->context;
  int64_t value = pa_einsum_number(plan, name, (int)number, (int)place);
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirIntegerAttrGet(mlirIntegerTypeSignedGet(context, 64), value);
  return pa_rule_finish_scalar(call, PA_I64);
}

const pa_typing_rule_row pa_einsum_typing[] = {{PA_TYPING_EINSUM_PLAN, type_einsum_plan}, {0, NULL}};
