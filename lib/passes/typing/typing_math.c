// Types of the functions of math that are not of a family: one function per typing rule of lib/ir/builtins.def.
#include <string.h>

#include "typing_rules.h"

//===-- math --------------------------------------------------------------------------------------===//

static pa_status type_frexp(pa_rule_call *call) {
  PA_TRY(pa_type_real(call, 1));
  MlirType parts[] = {call->plan->result, pa_rule_scalar_type(call, PA_I64)};
  return pa_rule_finish(call, mlirTupleTypeGet(call->typing->context, 2, parts));
}

static pa_status type_modf(pa_rule_call *call) {
  PA_TRY(pa_type_real(call, 1));
  MlirType parts[] = {call->plan->result, call->plan->result};
  return pa_rule_finish(call, mlirTupleTypeGet(call->typing->context, 2, parts));
}

static pa_status type_hypot(pa_rule_call *call) {
  if (call->count > 0) return pa_type_real(call, call->count);
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirFloatAttrDoubleGet(call->typing->context, pa_rule_scalar_type(call, PA_F64), 0);
  return pa_rule_finish_scalar(call, PA_F64);
}

static pa_status type_dist(pa_rule_call *call) {
  MlirType p = call->arguments[0].type, q = call->arguments[1].type;
  if (!mlirTypeIsATuple(p)) return pa_rule_wrong_type(call, 0, "a tuple of real numbers");
  if (!mlirTypeIsATuple(q)) return pa_rule_wrong_type(call, 1, "a tuple of real numbers");
  intptr_t count = mlirTupleTypeGetNumTypes(p);
  if (count != mlirTupleTypeGetNumTypes(q))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "both points must have the same number of dimensions");
  for (int side = 0; side < 2; ++side)
    for (intptr_t i = 0; i < count; ++i) {
      pa_scalar scalar = pa_scalar_of(mlirTupleTypeGetType(side ? q : p, i));
      if (scalar == PA_NOT_SCALAR || pa_is_complex(scalar))
        return pa_rule_wrong_type(call, side, "a tuple of real numbers");
      pa_rule_add_operand(call, side, (int)i, (MlirAttribute){NULL}, pa_rule_scalar_type(call, PA_F64));
    }
  return pa_rule_finish_scalar(call, PA_F64);
}

// Four operands: a, b, rel_tol, abs_tol. Those of cmath.isclose are complex, save the tolerances.
static pa_status type_isclose(pa_rule_call *call) {
  MlirType type = pa_rule_scalar_type(call, PA_F64);
  static const double otherwise[] = {0, 0, 1e-9, 0};
  bool complex = strcmp(call->builtin->target, "complex") == 0;
  for (int i = 0; i < 4; ++i) {
    if (i < 2 && complex) {
      PA_TRY(pa_rule_need_number(call, i));
      pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_C128));
      continue;
    }
    if (i >= 2 && !pa_rule_given(call, i)) {
      pa_rule_add_operand(call, -1, -1, mlirFloatAttrDoubleGet(call->typing->context, type, otherwise[i]), type);
      continue;
    }
    PA_TRY(pa_rule_need_real(call, i));
    pa_rule_add_argument(call, i, type);
  }
  return pa_rule_finish_scalar(call, PA_BOOL);
}

static pa_status type_ldexp(pa_rule_call *call) {
  PA_TRY(pa_rule_need_real(call, 0));
  PA_TRY(pa_rule_need_integer(call, 1));
  if (pa_rule_scalar_of(call, 1) == PA_U64 && strncmp(call->builtin->name, "numpy.", 6) == 0)
    return pa_rule_wrong_type(call, 1, "an integer that int64 holds");
  pa_scalar real = pa_rule_real_of(call, 1);
  pa_rule_add_argument(call, 0, pa_rule_scalar_type(call, real));
  pa_rule_add_argument(call, 1, pa_rule_scalar_type(call, PA_I64));
  return pa_rule_finish_scalar(call, real);
}

static pa_status type_log(pa_rule_call *call) { return pa_type_real(call, pa_rule_given(call, 1) ? 2 : 1); }

// perm(n) is factorial(n), messages included.
static pa_status type_perm(pa_rule_call *call) {
  if (pa_rule_given(call, 1) && !pyarrayTypeIsNone(call->arguments[1].type)) return pa_type_ints(call, 2);
  call->plan->builtin = pa_builtin_find(pa_ref("math.factorial"));
  return pa_type_ints(call, 1);
}

//===-- Sums and products -------------------------------------------------------------------------===//

// The numbers of argument |i|: the type of each is |out_scalars[k]|; those of a 1-D array share the one at 0.
static pa_status numbers_of(pa_rule_call *call, int i, bool complex_too, pa_scalar **out_scalars, intptr_t *out_count) {
  MlirType type = call->arguments[i].type;
  bool array = pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) == 1, tuple = mlirTypeIsATuple(type);
  const char *expected = complex_too ? "a 1-D array or tuple of numbers" : "a 1-D array or tuple of real numbers";
  if (!array && !tuple) return pa_rule_wrong_type(call, i, expected);
  *out_count = array ? 1 : mlirTupleTypeGetNumTypes(type);
  *out_scalars = PA_NEW_ARRAY(call->typing->arena, pa_scalar, *out_count + 1);
  for (intptr_t k = 0; k < *out_count; ++k) {
    pa_scalar scalar = pa_scalar_of(array ? pyarrayArrayTypeGetElement(type) : mlirTupleTypeGetType(type, k));
    if (scalar == PA_NOT_SCALAR || (pa_is_complex(scalar) && !complex_too))
      return pa_rule_wrong_type(call, i, expected);
    (*out_scalars)[k] = scalar;
  }
  return PA_OK;
}

static bool is_integral(pa_scalar s) { return s == PA_BOOL || pa_is_integer(s); }

// What two numbers are multiplied or added up in: ints stay ints and wrap, int64 beside uint64 too.
static pa_scalar joint_type(pa_scalar a, pa_scalar b) {
  pa_scalar joint = pa_arithmetic(a, b);
  return joint == PA_F64 && is_integral(a) && is_integral(b) ? PA_I64 : joint;
}

static pa_scalar joint_type_of(const pa_scalar *scalars, intptr_t count) {
  pa_scalar joint = count ? joint_type(scalars[0], scalars[0]) : PA_I64;
  for (intptr_t k = 1; k < count; ++k) joint = joint_type(joint, scalars[k]);
  return joint;
}

// The elements of tuple |argument| as operands, each cast to |scalar|; an array as it is.
static void add_numbers(pa_rule_call *call, int argument, intptr_t count, pa_scalar scalar) {
  MlirType type = call->arguments[argument].type;
  if (!mlirTypeIsATuple(type)) {
    pa_rule_add_argument(call, argument, type);
    return;
  }
  for (intptr_t k = 0; k < count; ++k)
    pa_rule_add_operand(call, argument, (int)k, (MlirAttribute){NULL}, pa_rule_scalar_type(call, scalar));
}

static pa_status type_fsum(pa_rule_call *call) {
  pa_scalar *scalars;
  intptr_t count;
  PA_TRY(numbers_of(call, 0, false, &scalars, &count));
  add_numbers(call, 0, count, PA_F64);
  pa_rule_finish_scalar(call, PA_F64);
  if (call->plan->operand_count > 0) return PA_OK;
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirFloatAttrDoubleGet(call->typing->context, call->plan->result, 0);
  return PA_OK;
}

// Operands: an array and the start; or the elements of a tuple, and the start.
static pa_status type_prod(pa_rule_call *call) {
  pa_scalar *scalars;
  intptr_t count;
  PA_TRY(numbers_of(call, 0, true, &scalars, &count));
  if (pa_rule_given(call, 1)) PA_TRY(pa_rule_need_number(call, 1));
  pa_scalar result = joint_type_of(scalars, count);
  int64_t value;
  bool natural = pa_rule_given(call, 1) && pa_literal_int(call->arguments[1], &value) && value >= 0; // fits uint64 too
  if (pa_rule_given(call, 1) && !(natural && is_integral(result)))
    result = joint_type(result, pa_rule_scalar_of(call, 1));
  add_numbers(call, 0, count, result);
  if (pa_rule_given(call, 1))
    pa_rule_add_argument(call, 1, pa_rule_scalar_type(call, result));
  else
    pa_rule_add_operand(call, -1, -1, mlirIntegerAttrGet(pa_rule_scalar_type(call, PA_I64), 1),
                        pa_rule_scalar_type(call, result));
  return pa_rule_finish_scalar(call, result);
}

// Operands: two arrays; or the length of the first tuple, and the elements of both. Sums of floats are float64, since
// they are carried in more than that.
static pa_status type_sumprod(pa_rule_call *call) {
  pa_scalar *scalars[2];
  intptr_t counts[2];
  for (int i = 0; i < 2; ++i) PA_TRY(numbers_of(call, i, true, &scalars[i], &counts[i]));
  bool tuples = mlirTypeIsATuple(call->arguments[0].type);
  if (tuples != mlirTypeIsATuple(call->arguments[1].type))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "math.sumprod: one argument is an array, the other a tuple");
  pa_scalar result = joint_type(joint_type_of(scalars[0], counts[0]), joint_type_of(scalars[1], counts[1]));
  if (pa_is_float(result)) result = PA_F64;
  if (tuples) pa_rule_add_int(call, counts[0]);
  for (int i = 0; i < 2; ++i) add_numbers(call, i, counts[i], result);
  return pa_rule_finish_scalar(call, result);
}

const pa_typing_rule_row pa_math_typing[] = {
    {PA_TYPING_DIST, type_dist},       {PA_TYPING_FREXP, type_frexp},     {PA_TYPING_HYPOT, type_hypot},
    {PA_TYPING_ISCLOSE, type_isclose}, {PA_TYPING_LDEXP, type_ldexp},     {PA_TYPING_LOG, type_log},
    {PA_TYPING_MODF, type_modf},       {PA_TYPING_PERM, type_perm},       {PA_TYPING_FSUM, type_fsum},
    {PA_TYPING_PROD, type_prod},       {PA_TYPING_SUMPROD, type_sumprod}, {0, NULL},
};
