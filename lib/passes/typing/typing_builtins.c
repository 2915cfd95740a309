// Types of Python's own builtins, of random numbers and of threads: one function per typing rule of
// lib/ir/builtins.def.
#include <stdlib.h>
#include <string.h>

#include "typing_rules.h"

//===-- Python's builtins -------------------------------------------------------------------------===//

static pa_status type_abs(pa_rule_call *call) {
  PA_TRY(pa_rule_need_number(call, 0));
  pa_scalar scalar = pa_rule_scalar_of(call, 0);
  pa_rule_add_argument(call, 0, scalar == PA_BOOL ? pa_rule_scalar_type(call, PA_I64) : call->arguments[0].type);
  return pa_rule_finish_scalar(call, scalar == PA_C64    ? PA_F32
                                     : scalar == PA_C128 ? PA_F64
                                     : scalar == PA_BOOL ? PA_I64
                                                         : scalar);
}

// bool(text): its length is not 0.
static pa_status type_text_truth(pa_rule_call *call) {
  call->plan->builtin = pa_builtin_find(mlirStringRefCreateFromCString("str.truth"));
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish_scalar(call, PA_BOOL);
}

static pa_status type_bool(pa_rule_call *call) {
  if (!pa_rule_given(call, 0)) return pa_type_cast_to(call, PA_BOOL);
  pa_fact truth;
  PA_TRY(pa_type_truth(call->typing, call->arguments[0], &truth));
  if (mlirAttributeIsNull(truth.literal) && pa_is_text(call->arguments[0].type)) return type_text_truth(call);
  if (mlirAttributeIsNull(truth.literal) && pa_container_of(call->arguments[0].type) != PA_NO_CONTAINER) {
    pa_rule_add_argument(call, 0, call->arguments[0].type);
    call->plan->builtin = pa_builtin_find(pa_ref("object.truth"));
    return pa_rule_finish_scalar(call, PA_BOOL);
  }
  if (mlirAttributeIsNull(truth.literal) && pyarrayTypeIsArray(call->arguments[0].type)) { // of its one element
    call->plan->kind = PA_PLAN_CAST;
    pa_rule_add_argument(call, 0, call->arguments[0].type);
    return pa_rule_finish_scalar(call, PA_BOOL);
  }
  if (mlirAttributeIsNull(truth.literal)) return pa_type_cast_to(call, PA_BOOL);
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = truth.literal;
  return pa_rule_finish(call, truth.type);
}

static pa_status type_complex(pa_rule_call *call) {
  if (!pa_rule_given(call, 0)) return pa_type_cast_to(call, PA_C128);
  PA_TRY(pa_rule_need_number(call, 0));
  if (!pa_rule_given(call, 1)) return pa_type_cast_to(call, pa_rule_scalar_of(call, 0) == PA_C64 ? PA_C64 : PA_C128);
  PA_TRY(pa_rule_need_real(call, 0));
  PA_TRY(pa_rule_need_real(call, 1));
  pa_scalar part = pa_rule_real_of(call, 2) == PA_F64 ? PA_F64 : PA_F32;
  pa_rule_finish_as(call, 2, part);
  return pa_rule_finish_scalar(call, part == PA_F32 ? PA_C64 : PA_C128);
}

static pa_status type_int(pa_rule_call *call) {
  if (pa_rule_given(call, 1) || (pa_rule_given(call, 0) && pa_is_text(call->arguments[0].type)))
    return pa_type_number_of_text(call);
  if (!pa_rule_given(call, 0)) return pa_type_cast_to(call, PA_I64);
  PA_TRY(pa_rule_need_real(call, 0));
  pa_scalar scalar = pa_rule_scalar_of(call, 0);
  if (!pa_is_float(scalar)) return pa_type_cast_to(call, pa_is_unsigned(scalar) ? PA_U64 : PA_I64);
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish_scalar(call, PA_I64);
}

static pa_status type_divmod(pa_rule_call *call) {
  pa_operator division;
  PA_TRY(pa_type_binary(call->typing, PYARRAY_BINARY_FLOORDIV, call->arguments[0], call->arguments[1], &division));
  pa_rule_add_argument(call, 0, division.lhs);
  pa_rule_add_argument(call, 1, division.rhs);
  MlirType parts[] = {division.result, division.result};
  return pa_rule_finish(call, mlirTupleTypeGet(call->typing->context, 2, parts));
}

static pa_status type_len(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  MlirType result = pa_rule_scalar_type(call, PA_I64);
  if (mlirTypeIsATuple(type)) {
    call->plan->kind = PA_PLAN_LITERAL;
    call->plan->literal = mlirIntegerAttrGet(result, mlirTupleTypeGetNumTypes(type));
    return pa_rule_finish(call, result);
  }
  int64_t length = pa_literal_length(call->arguments[0]);
  if (length >= 0) {
    call->plan->kind = PA_PLAN_LITERAL;
    call->plan->literal = mlirIntegerAttrGet(result, length);
    return pa_rule_finish(call, result);
  }
  if (pa_is_records(type) && pa_records_rank(type) > 0)
    return pa_rule_add_argument(call, 0, pa_erased_type(type)), pa_rule_finish(call, result);
  if (pa_is_view_tag(type))
    return pa_rule_add_operand(call, 0, 0, (MlirAttribute){NULL},
                               mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(type), 0)),
           pa_rule_finish(call, result);
  bool array = pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) > 0;
  if (!array && !pyarrayTypeIsRange(type) && pa_container_of(type) == PA_NO_CONTAINER && !pa_is_text(type) &&
      !pyarrayTypeIsBytearray(type))
    return pa_rule_wrong_type(call, 0, "an array, tuple or range");
  pa_rule_add_argument(call, 0, type);
  return pa_rule_finish(call, result);
}

// The type of the least (or greatest) of numbers of two types. That of an int64 that may be
// negative and a uint64 is always an int64 (a uint64).
static pa_scalar minmax_type(const pa_rule_call *call, pa_fact lhs, pa_fact rhs) {
  pa_scalar a = pa_scalar_of(lhs.type), b = pa_scalar_of(rhs.type);
  if (!pa_are_mixed(a, b)) return pa_promote(a, b);
  if (!pa_is_sign_unknown(lhs, rhs)) return PA_U64;
  pa_note_unknown_sign(call->typing, NULL);
  return strcmp(call->builtin->target, "max") == 0 ? PA_U64 : PA_I64;
}

// Operands have the type of the result, but a uint64 beside an int64 and the like keep their sign.
static MlirType minmax_operand(const pa_rule_call *call, pa_fact argument, pa_scalar result) {
  pa_scalar operand = pa_scalar_of(argument.type);
  if (pa_is_natural(argument) && result == PA_U64) return pa_rule_scalar_type(call, PA_U64);
  if (result == PA_I64 && operand == PA_U64) return pa_rule_scalar_type(call, PA_U64);
  return pa_rule_scalar_type(call, result == PA_U64 && pa_is_signed(operand) ? PA_I64 : result);
}

// Of which more arguments are to come.
static pa_fact minmax_fact(const pa_rule_call *call, pa_fact a, pa_fact b) {
  bool a_natural = pa_is_natural(a), b_natural = pa_is_natural(b), greatest = strcmp(call->builtin->target, "max") == 0;
  pa_fact both = pa_fact_of(pa_rule_scalar_type(call, minmax_type(call, a, b)));
  return pa_with_signs(both, greatest ? a_natural || b_natural : a_natural && b_natural);
}

static pa_fact element_of(pa_fact tuple, intptr_t index) {
  return pa_with_signs(pa_fact_of(mlirTupleTypeGetType(tuple.type, index)),
                       pa_signs_of_element(tuple.type, pa_signs_of(tuple), index));
}

static pa_status type_minmax_of_tuple(pa_rule_call *call) {
  MlirType tuple = call->arguments[0].type;
  intptr_t count = mlirTupleTypeGetNumTypes(tuple);
  if (count == 0) return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s() of an empty tuple", call->builtin->name);
  pa_fact all = element_of(call->arguments[0], 0);
  for (intptr_t i = 0; i < count; ++i) {
    pa_scalar scalar = pa_scalar_of(mlirTupleTypeGetType(tuple, i));
    if (scalar == PA_NOT_SCALAR || pa_is_complex(scalar)) return pa_rule_wrong_type(call, 0, "a tuple of real numbers");
    all = minmax_fact(call, all, element_of(call->arguments[0], i));
  }
  pa_scalar result = pa_scalar_of(all.type);
  for (intptr_t i = 0; i < count; ++i)
    pa_rule_add_operand(call, 0, (int)i, (MlirAttribute){NULL},
                        minmax_operand(call, element_of(call->arguments[0], i), result));
  return pa_rule_finish_scalar(call, result);
}

static pa_status type_minmax(pa_rule_call *call) {
  if (call->count == 1 && mlirTypeIsATuple(call->arguments[0].type)) return type_minmax_of_tuple(call);
  if (call->count == 1) return pa_rule_wrong_type(call, 0, "a tuple, or two numbers");
  if (call->count == 0)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s() needs an argument", call->builtin->name);
  pa_fact all = call->arguments[0];
  for (int i = 0; i < call->count; ++i) {
    PA_TRY(pa_rule_need_real(call, i));
    all = minmax_fact(call, all, call->arguments[i]);
  }
  pa_scalar result = pa_scalar_of(all.type);
  for (int i = 0; i < call->count; ++i) pa_rule_add_argument(call, i, minmax_operand(call, call->arguments[i], result));
  return pa_rule_finish_scalar(call, result);
}

// Each operand is an int64 or a uint64, the result is of the modulus's type.
static pa_status type_power_of_rest(pa_rule_call *call) {
  pa_scalar scalar = PA_I64;
  for (int i = 0; i < 3; ++i) {
    PA_TRY(pa_rule_need_integer(call, i));
    scalar = pa_rule_scalar_of(call, i) == PA_U64 ? PA_U64 : PA_I64;
    pa_rule_add_argument(call, i, pa_rule_scalar_type(call, scalar));
  }
  return pa_rule_finish_scalar(call, scalar);
}

static pa_status type_pow(pa_rule_call *call) {
  pa_operator power;
  if (pa_rule_given(call, 2)) return type_power_of_rest(call);
  PA_TRY(pa_type_binary(call->typing, PYARRAY_BINARY_POW, call->arguments[0], call->arguments[1], &power));
  pa_rule_add_argument(call, 0, power.lhs);
  pa_rule_add_argument(call, 1, power.rhs);
  return pa_rule_finish(call, power.result);
}

// Three operands: start, stop, step. Those of type uint64 follow once more as they are, since they may exceed int64.
// Floats are truncated, as Numba does and Python does not.
static pa_status type_range(pa_rule_call *call) {
  if (call->count < 1 || call->count > 3)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "range expected 1 to 3 arguments, got %d", call->count);
  for (int i = 0; i < call->count; ++i)
    if (!pa_is_float(pa_rule_scalar_of(call, i))) PA_TRY(pa_rule_need_integer(call, i));
  MlirType type = pa_rule_scalar_type(call, PA_I64);
  if (call->count == 1) pa_rule_add_int(call, 0);
  for (int i = 0; i < call->count; ++i) pa_rule_add_argument(call, i, type);
  if (call->count < 3) pa_rule_add_int(call, 1);
  for (int i = 0; i < call->count; ++i)
    if (pa_rule_scalar_of(call, i) == PA_U64) pa_rule_add_argument(call, i, call->arguments[i].type);
  return pa_rule_finish(call, pyarrayRangeTypeGet(call->typing->context));
}

// slice(stop), slice(start, stop, step): parts are integers or None.
static pa_status type_slice(pa_rule_call *call) {
  MlirType parts[3], none = pyarrayNoneTypeGet(call->typing->context);
  bool alone = !pa_rule_given(call, 1);
  for (int i = 0; i < 3; ++i) {
    int argument = alone ? i - 1 : i;
    bool left_out = argument < 0 || !pa_rule_given(call, argument) || pyarrayTypeIsNone(call->arguments[argument].type);
    if (!left_out) PA_TRY(pa_rule_need_integer(call, argument));
    parts[i] = left_out ? none : pa_rule_scalar_type(call, PA_I64);
    if (!left_out) pa_rule_add_argument(call, argument, parts[i]);
  }
  return pa_rule_finish(call, pyarraySliceTypeGet(parts[0], parts[1], parts[2]));
}

static pa_status type_round(pa_rule_call *call) {
  PA_TRY(pa_rule_need_real(call, 0));
  bool digits = pa_rule_given(call, 1) && !pyarrayTypeIsNone(call->arguments[1].type);
  if (!pa_is_float(pa_rule_scalar_of(call, 0)) && !digits)
    return pa_type_cast_to(call, pa_is_unsigned(pa_rule_scalar_of(call, 0)) ? PA_U64 : PA_I64);
  MlirType type = pa_is_float(pa_rule_scalar_of(call, 0)) ? call->arguments[0].type : pa_rule_scalar_type(call, PA_I64);
  pa_rule_add_argument(call, 0, type);
  if (!digits) return pa_rule_finish_scalar(call, PA_I64);
  PA_TRY(pa_rule_need_integer(call, 1));
  pa_rule_add_argument(call, 1, pa_rule_scalar_type(call, PA_I64));
  return pa_rule_finish(call, type);
}

static pa_status type_part(pa_rule_call *call) {
  PA_TRY(pa_rule_need_number(call, 0));
  pa_scalar scalar = pa_rule_scalar_of(call, 0);
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish_scalar(call, scalar == PA_C64 ? PA_F32 : scalar == PA_C128 ? PA_F64 : scalar);
}

//===-- Random ------------------------------------------------------------------------------------===//

static pa_status type_random(pa_rule_call *call) { return pa_rule_finish_scalar(call, PA_F64); }

static pa_status type_seed(pa_rule_call *call) {
  PA_TRY(pa_rule_need_integer(call, 0));
  pa_rule_add_argument(call, 0, pa_rule_scalar_type(call, PA_I64));
  return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
}

//===-- Threads -----------------------------------------------------------------------------------===//

static pa_status type_threads(pa_rule_call *call) { return pa_rule_finish_scalar(call, PA_I64); }

static pa_status type_set_threads(pa_rule_call *call) {
  PA_TRY(pa_type_ints(call, 1));
  return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
}

const pa_typing_rule_row pa_python_typing[] = {
    {PA_TYPING_ABS, type_abs},
    {PA_TYPING_BOOL, type_bool},
    {PA_TYPING_COMPLEX, type_complex},
    {PA_TYPING_DIVMOD, type_divmod},
    {PA_TYPING_INT, type_int},
    {PA_TYPING_LEN, type_len},
    {PA_TYPING_MINMAX, type_minmax},
    {PA_TYPING_POW, type_pow},
    {PA_TYPING_RANGE, type_range},
    {PA_TYPING_SLICE, type_slice},
    {PA_TYPING_ROUND, type_round},
    {PA_TYPING_PART, type_part},
    {PA_TYPING_RANDOM, type_random},
    {PA_TYPING_SEED, type_seed},
    {PA_TYPING_THREADS, type_threads},
    {PA_TYPING_SET_THREADS, type_set_threads},
    {0, NULL},
};
