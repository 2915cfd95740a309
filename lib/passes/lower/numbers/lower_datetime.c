// Of pyarray-lower: arithmetic of int64 whose least value is NaT, as pyarray-expand-datetimes makes it of datetimes and
// timedeltas.
//
//   %0 = pyarray.builtin "nat.add"(%a, %b) : (si64, si64) -> si64
// becomes
//   %sum = arith.addi %a, %b : i64       // wraps, as NumPy's does
//   %0 = arith.select (%a == NaT or %b == NaT), NaT, %sum : i64
#include <math.h>
#include <string.h>

#include "lower_numbers.h"
#include "support/time_unit.h"

static MlirValue nat(pa_lowering *lower) { return pa_int(lower, lower->i64, PA_NAT); }
static MlirValue is_nat(pa_lowering *lower, MlirValue a) { return pa_compare_int(lower, PA_EQ, a, nat(lower)); }

static bool is_target(const pa_builtin_call *call, const char *target) {
  return strcmp(call->row->target, target) == 0;
}

// The second operand of a multiplication is a number, which is never NaT.
static void lower_sum(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue a = pa_argument(lower, call, 0), b = pa_argument(lower, call, 1), unknown = is_nat(lower, a);
  if (!is_target(call, "arith.muli")) unknown = pa_or(lower, unknown, is_nat(lower, b));
  pa_finish(lower, call, pa_select(lower, unknown, nat(lower), pa_binary(lower, call->row->target, a, b)));
}

// Truncates; what is not finite or too large is NaT.
static void lower_float(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue a = pa_argument(lower, call, 0), number = pa_argument(lower, call, 1);
  MlirValue value = pa_binary(lower, call->row->target, pa_cast_scalar(lower, a, PA_I64, PA_F64), number);
  MlirValue above = pa_compare_real(lower, PA_OGE, value, pa_real(lower, lower->f64, -0x1p63));
  MlirValue below = pa_compare_real(lower, PA_OLT, value, pa_real(lower, lower->f64, 0x1p63));
  MlirValue fits = pa_and(lower, pa_not(lower, is_nat(lower, a)), pa_and(lower, above, below));
  pa_finish(lower, call, pa_select(lower, fits, pa_cast_scalar(lower, value, PA_F64, PA_I64), nat(lower)));
}

// Rounds down; |b| is not 0, and not -1 beside the least integer.
static MlirValue floor_quotient(pa_lowering *lower, MlirValue a, MlirValue b, MlirValue *out_rest) {
  MlirValue zero = pa_int(lower, lower->i64, 0), one = pa_int(lower, lower->i64, 1);
  MlirValue quotient = pa_binary(lower, "arith.divsi", a, b), rest = pa_binary(lower, "arith.remsi", a, b);
  MlirValue opposite = pa_compare_int(lower, PA_SLT, pa_binary(lower, "arith.xori", rest, b), zero);
  MlirValue rounds = pa_and(lower, opposite, pa_compare_int(lower, PA_NE, rest, zero));
  *out_rest = pa_select(lower, rounds, pa_binary(lower, "arith.addi", rest, b), rest);
  return pa_select(lower, rounds, pa_binary(lower, "arith.subi", quotient, one), quotient);
}

// What has no quotient is NaT, or 0 where the quotient is a number.
static void lower_division(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue a = pa_argument(lower, call, 0), b = pa_argument(lower, call, 1), rest;
  MlirValue zero = pa_int(lower, lower->i64, 0), one = pa_int(lower, lower->i64, 1);
  MlirValue undefined = pa_or(lower, is_nat(lower, a), pa_compare_int(lower, PA_EQ, b, zero));
  if (!is_target(call, "quotient")) undefined = pa_or(lower, undefined, is_nat(lower, b));
  a = pa_select(lower, undefined, zero, a);
  b = pa_select(lower, undefined, one, b);
  MlirValue value =
      is_target(call, "quotient") ? pa_binary(lower, "arith.divsi", a, b) : floor_quotient(lower, a, b, &rest);
  if (is_target(call, "remainder")) value = rest;
  pa_finish(lower, call, pa_select(lower, undefined, is_target(call, "floor") ? zero : nat(lower), value));
}

static void lower_ratio(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue a = pa_argument(lower, call, 0), b = pa_argument(lower, call, 1);
  MlirValue unknown = pa_or(lower, is_nat(lower, a), is_nat(lower, b));
  MlirValue ratio = pa_binary(lower, "arith.divf", pa_cast_scalar(lower, a, PA_I64, PA_F64),
                              pa_cast_scalar(lower, b, PA_I64, PA_F64));
  pa_finish(lower, call, pa_select(lower, unknown, pa_real(lower, lower->f64, NAN), ratio));
}

static void lower_scale(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue a = pa_argument(lower, call, 0), den = pa_argument(lower, call, 2), rest;
  int64_t known;
  MlirValue value = pa_binary(lower, "arith.muli", a, pa_argument(lower, call, 1));
  if (!pa_known_int(lower, pa_operand(call->op, 2), &known) || known != 1)
    value = floor_quotient(lower, value, den, &rest);
  pa_finish(lower, call, pa_select(lower, is_nat(lower, a), nat(lower), value));
}

// Python's max and min keep the first unless the second compares greater or less, which no NaT does; NumPy's maximum is
// NaT where one of them is, its fmin where both are. (Its minimum and fmax are those of integers.)
static void lower_extreme(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue a = pa_argument(lower, call, 0), b = pa_argument(lower, call, 1), value;
  MlirValue a_nat = is_nat(lower, a), b_nat = is_nat(lower, b);
  if (is_target(call, "maximum")) {
    value = pa_select(lower, pa_or(lower, a_nat, b_nat), nat(lower), pa_binary(lower, "arith.maxsi", a, b));
  } else if (is_target(call, "fmin")) {
    value = pa_select(lower, b_nat, a, pa_binary(lower, "arith.minsi", a, b));
    value = pa_select(lower, a_nat, b, value);
  } else {
    bool greatest = is_target(call, "max");
    MlirValue better = pa_compare_int(lower, greatest ? PA_SGT : PA_SLT, b, a);
    value = pa_select(lower, pa_and(lower, better, pa_not(lower, greatest ? a_nat : b_nat)), b, a);
  }
  pa_finish(lower, call, value);
}

static void lower_calendar(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_runtime(lower, call->row->target, pa_argument(lower, call, 0)));
}

static void lower_isnat(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, is_nat(lower, pa_argument(lower, call, 0)));
}

const pa_builtin_rule_row pa_time_rules[] = {
    {PA_LOWERING_ISNAT, lower_isnat},
    {PA_LOWERING_NAT_CALENDAR, lower_calendar},
    {PA_LOWERING_NAT_DIVISION, lower_division},
    {PA_LOWERING_NAT_EXTREME, lower_extreme},
    {PA_LOWERING_NAT_FLOAT, lower_float},
    {PA_LOWERING_NAT_RATIO, lower_ratio},
    {PA_LOWERING_NAT_SCALE, lower_scale},
    {PA_LOWERING_NAT_SUM, lower_sum},
    {0, NULL},
};
