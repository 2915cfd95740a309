// Types of families of functions: one typing rule for all that take numbers of some kind and give such, and for casts.
#include <string.h>

#include "typing_rules.h"

//===-- Families ----------------------------------------------------------------------------------===//

static pa_status type_real1(pa_rule_call *call) { return pa_type_real(call, 1); }
static pa_status type_real2(pa_rule_call *call) { return pa_type_real(call, 2); }
static pa_status type_real3(pa_rule_call *call) { return pa_type_real(call, 3); }

static pa_status type_complex1(pa_rule_call *call) {
  return pa_is_complex(pa_rule_scalar_of(call, 0)) ? pa_rule_finish_as(call, 1, pa_rule_scalar_of(call, 0))
                                                   : pa_type_real(call, 1);
}

static pa_status type_same1(pa_rule_call *call) {
  PA_TRY(pa_rule_need_number(call, 0));
  return pa_rule_finish_as(call, 1, pa_rule_scalar_of(call, 0) == PA_BOOL ? PA_I64 : pa_rule_scalar_of(call, 0));
}

static pa_status type_test1(pa_rule_call *call) {
  PA_TRY(pa_rule_need_number(call, 0));
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish_scalar(call, PA_BOOL);
}

static pa_status type_real_test1(pa_rule_call *call) {
  PA_TRY(pa_rule_need_real(call, 0));
  return type_test1(call);
}

static pa_status type_floor(pa_rule_call *call) {
  PA_TRY(pa_rule_need_real(call, 0));
  if (!pa_is_float(pa_rule_scalar_of(call, 0)))
    return call->plan->kind = PA_PLAN_CAST,
           pa_rule_finish_as(call, 1, pa_rule_scalar_of(call, 0) == PA_U64 ? PA_U64 : PA_I64);
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish_scalar(call, PA_I64);
}

static bool is_integral(pa_scalar s) { return s == PA_BOOL || pa_is_integer(s); }

static pa_status type_whole(pa_rule_call *call) {
  if (!is_integral(pa_rule_scalar_of(call, 0))) return type_real1(call);
  call->plan->kind = PA_PLAN_CAST;
  return pa_rule_finish_as(call, 1, pa_rule_scalar_of(call, 0));
}

// Of an integer an integer. NumPy has no loop of bools for it: they are int8.
static pa_status type_reciprocal(pa_rule_call *call) {
  pa_scalar scalar = pa_rule_scalar_of(call, 0);
  if (!is_integral(scalar)) return type_complex1(call);
  if (scalar == PA_BOOL) scalar = PA_I8;
  pa_rule_add_argument(call, 0, pa_rule_scalar_type(call, scalar));
  return pa_rule_finish_scalar(call, scalar);
}

static pa_status type_int1(pa_rule_call *call) { return pa_type_ints(call, 1); }
static pa_status type_int2(pa_rule_call *call) { return pa_type_ints(call, 2); }

// gcd and lcm of any number of arguments: that of none is the neutral element.
static pa_status type_int_many(pa_rule_call *call) {
  if (call->count > 0) return pa_type_ints(call, call->count);
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal =
      mlirIntegerAttrGet(pa_rule_scalar_type(call, PA_I64), strcmp(call->builtin->name, "math.lcm") == 0);
  return pa_rule_finish_scalar(call, PA_I64);
}

pa_status pa_type_cast_to(pa_rule_call *call, pa_scalar target) {
  call->plan->kind = PA_PLAN_CAST;
  MlirType type = pa_rule_scalar_type(call, target);
  if (!pa_rule_given(call, 0)) {
    call->plan->kind = PA_PLAN_LITERAL;
    MlirContext context = call->typing->context;
    if (pa_is_complex(target))
      call->plan->literal = mlirAttributeParseGet(
          context, pa_ref(target == PA_C64 ? "#complex.number<:f32 0.0, 0.0>" : "#complex.number<:f64 0.0, 0.0>"));
    else
      call->plan->literal =
          pa_is_float(target) ? mlirFloatAttrDoubleGet(context, type, 0) : mlirIntegerAttrGet(type, 0);
    return pa_rule_finish(call, type);
  }
  if (target == PA_F64 && pa_is_text(call->arguments[0].type))
    return call->plan->kind = PA_PLAN_BUILTIN, pa_type_number_of_text(call);
  PA_TRY(pa_rule_need_number(call, 0));
  if (pa_is_complex(pa_rule_scalar_of(call, 0)) && !pa_is_complex(target) && target != PA_BOOL)
    return pa_rule_wrong_type(call, 0, "a real number");
  pa_rule_add_argument(call, 0, type);
  return pa_rule_finish(call, type);
}

#define CAST_RULE(rule, target)                                                                                        \
  static pa_status type_cast_##rule(pa_rule_call *call) { return pa_type_cast_to(call, target); }
CAST_RULE(i8, PA_I8)
CAST_RULE(i16, PA_I16)
CAST_RULE(i32, PA_I32)
CAST_RULE(i64, PA_I64)
CAST_RULE(u8, PA_U8)
CAST_RULE(u16, PA_U16)
CAST_RULE(u32, PA_U32)
CAST_RULE(u64, PA_U64)
CAST_RULE(bf16, PA_BF16)
CAST_RULE(f16, PA_F16)
CAST_RULE(f32, PA_F32)
CAST_RULE(f64, PA_F64)
CAST_RULE(c64, PA_C64)
CAST_RULE(c128, PA_C128)
CAST_RULE(bool, PA_BOOL)

const pa_typing_rule_row pa_family_typing[] = {
    {PA_TYPING_REAL1, type_real1},
    {PA_TYPING_REAL2, type_real2},
    {PA_TYPING_REAL3, type_real3},
    {PA_TYPING_COMPLEX1, type_complex1},
    {PA_TYPING_SAME1, type_same1},
    {PA_TYPING_TEST1, type_test1},
    {PA_TYPING_REAL_TEST1, type_real_test1},
    {PA_TYPING_WHOLE, type_whole},
    {PA_TYPING_RECIPROCAL, type_reciprocal},
    {PA_TYPING_FLOOR, type_floor},
    {PA_TYPING_INT1, type_int1},
    {PA_TYPING_INT2, type_int2},
    {PA_TYPING_INT_MANY, type_int_many},
    {PA_TYPING_CAST_BOOL, type_cast_bool},
    {PA_TYPING_CAST_I8, type_cast_i8},
    {PA_TYPING_CAST_I16, type_cast_i16},
    {PA_TYPING_CAST_I32, type_cast_i32},
    {PA_TYPING_CAST_I64, type_cast_i64},
    {PA_TYPING_CAST_U8, type_cast_u8},
    {PA_TYPING_CAST_U16, type_cast_u16},
    {PA_TYPING_CAST_U32, type_cast_u32},
    {PA_TYPING_CAST_U64, type_cast_u64},
    {PA_TYPING_CAST_BF16, type_cast_bf16},
    {PA_TYPING_CAST_F16, type_cast_f16},
    {PA_TYPING_CAST_F32, type_cast_f32},
    {PA_TYPING_CAST_F64, type_cast_f64},
    {PA_TYPING_CAST_C64, type_cast_c64},
    {PA_TYPING_CAST_C128, type_cast_c128},
    {0, NULL},
};
