// Types of the functions of cmath: float16, float32 and complex64 are computed in complex64, all other numbers in
// complex128.
#include "typing_rules.h"

static pa_scalar complex_of(pa_scalar scalar) {
  return pa_is_half(scalar) || scalar == PA_F32 || scalar == PA_C64 ? PA_C64 : PA_C128;
}
static pa_scalar part_of(pa_scalar complex) { return complex == PA_C64 ? PA_F32 : PA_F64; }

// |count| complex operands of one type.
static pa_status add_complex(pa_rule_call *call, int count, pa_scalar *out_complex) {
  pa_scalar all = PA_C64;
  for (int i = 0; i < count; ++i) {
    PA_TRY(pa_rule_need_number(call, i));
    if (complex_of(pa_rule_scalar_of(call, i)) == PA_C128) all = PA_C128;
  }
  *out_complex = all;
  return pa_rule_finish_as(call, count, all);
}

static pa_status type_cmath1(pa_rule_call *call) {
  pa_scalar complex;
  return add_complex(call, 1, &complex);
}

static pa_status type_log(pa_rule_call *call) {
  pa_scalar complex;
  return add_complex(call, pa_rule_given(call, 1) ? 2 : 1, &complex);
}

static pa_status type_phase(pa_rule_call *call) {
  pa_scalar complex;
  PA_TRY(add_complex(call, 1, &complex));
  return pa_rule_finish_scalar(call, part_of(complex));
}

static pa_status type_polar(pa_rule_call *call) {
  pa_scalar complex;
  PA_TRY(add_complex(call, 1, &complex));
  MlirType part = pa_rule_scalar_type(call, part_of(complex)), parts[] = {part, part};
  return pa_rule_finish(call, mlirTupleTypeGet(call->typing->context, 2, parts));
}

static pa_status type_rect(pa_rule_call *call) {
  PA_TRY(pa_type_real(call, 2));
  return pa_rule_finish_scalar(call, complex_of(pa_rule_real_of(call, 2)));
}

const pa_typing_rule_row pa_complex_typing[] = {
    {PA_TYPING_CMATH1, type_cmath1}, {PA_TYPING_CMATH_LOG, type_log}, {PA_TYPING_PHASE, type_phase},
    {PA_TYPING_POLAR, type_polar},   {PA_TYPING_RECT, type_rect},     {0, NULL},
};
