// Types of what is done with datetimes and timedeltas: NumPy's rules. Operands come to the common unit of both; an
// integer beside a time counts in the other operand's unit.
#include <string.h>

#include "typing_rules.h"

//===-- Units -------------------------------------------------------------------------------------===//

static pa_status common_unit(const pa_typing *typing, pa_time a, pa_time b, pa_time_unit *out_unit) {
  const char *reason = pa_time_unit_common(a.unit, a.delta, b.unit, b.delta, out_unit);
  if (!reason) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING, "there is no common unit of %s and %s: %s",
                        pa_type_text(typing->arena, pa_time_type(typing->context, a)),
                        pa_type_text(typing->arena, pa_time_type(typing->context, b)), reason);
}

MlirType pa_join_times(const pa_typing *typing, MlirType a, MlirType b) {
  pa_time x, y;
  if (!pa_time_of(a, &x) || !pa_time_of(b, &y) || x.delta != y.delta) return (MlirType){NULL};
  if (pa_time_unit_common(x.unit, x.delta, y.unit, y.delta, &x.unit)) return (MlirType){NULL};
  return pa_time_type(typing->context, x);
}

static bool is_integer_or_bool(pa_scalar scalar) { return scalar == PA_BOOL || pa_is_integer(scalar); }

bool pa_is_time_castable(MlirType from, MlirType to) {
  pa_time x, y;
  if (!pa_time_of(to, &y)) return pa_is_time(from) && pa_scalar_of(to) == PA_I64;
  if (!pa_time_of(from, &x)) return is_integer_or_bool(pa_scalar_of(from));
  return x.delta == y.delta && pa_time_unit_can_convert(x.unit, y.unit, x.delta);
}

bool pa_can_cast_time(MlirType from, MlirType to) {
  pa_time x, y;
  if (!pa_time_of(to, &y)) return false;
  if (!pa_time_of(from, &x)) return y.delta && is_integer_or_bool(pa_scalar_of(from)) && pa_scalar_of(from) != PA_U64;
  return x.delta == y.delta && pa_time_unit_can_cast(x.unit, y.unit, x.delta);
}

//===-- Operators ---------------------------------------------------------------------------------===//

// What a type counts as here: 'M' datetime, 'm' timedelta, 'i' integer or bool, 'f' float, '\0' anything else.
static char class_of(MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  if (pyarrayTypeIsDatetime(type)) return 'M';
  if (pyarrayTypeIsTimedelta(type)) return 'm';
  return is_integer_or_bool(scalar) ? 'i' : pa_is_float(scalar) ? 'f' : '\0';
}

// The classes of operands and result; a result 'i' is int64, 'f' float64. |takes_unit|: an integer operand becomes a
// timedelta.
static const struct {
  pyarray_binary_kind kind;
  char lhs, rhs, result;
  bool takes_unit;
} operators[] = {
    {PYARRAY_BINARY_ADD, 'M', 'm', 'M', false},      {PYARRAY_BINARY_ADD, 'm', 'M', 'M', false},
    {PYARRAY_BINARY_ADD, 'M', 'i', 'M', true},       {PYARRAY_BINARY_ADD, 'i', 'M', 'M', true},
    {PYARRAY_BINARY_ADD, 'm', 'm', 'm', false},      {PYARRAY_BINARY_ADD, 'm', 'i', 'm', true},
    {PYARRAY_BINARY_ADD, 'i', 'm', 'm', true},       {PYARRAY_BINARY_SUB, 'M', 'M', 'm', false},
    {PYARRAY_BINARY_SUB, 'M', 'm', 'M', false},      {PYARRAY_BINARY_SUB, 'M', 'i', 'M', true},
    {PYARRAY_BINARY_SUB, 'm', 'm', 'm', false},      {PYARRAY_BINARY_SUB, 'm', 'i', 'm', true},
    {PYARRAY_BINARY_SUB, 'i', 'm', 'm', true},       {PYARRAY_BINARY_MUL, 'm', 'i', 'm', false},
    {PYARRAY_BINARY_MUL, 'i', 'm', 'm', false},      {PYARRAY_BINARY_MUL, 'm', 'f', 'm', false},
    {PYARRAY_BINARY_MUL, 'f', 'm', 'm', false},      {PYARRAY_BINARY_TRUEDIV, 'm', 'm', 'f', false},
    {PYARRAY_BINARY_TRUEDIV, 'm', 'i', 'm', false},  {PYARRAY_BINARY_TRUEDIV, 'm', 'f', 'm', false},
    {PYARRAY_BINARY_FLOORDIV, 'm', 'm', 'i', false}, {PYARRAY_BINARY_FLOORDIV, 'm', 'i', 'm', false},
    {PYARRAY_BINARY_FLOORDIV, 'm', 'f', 'm', false}, {PYARRAY_BINARY_MOD, 'm', 'm', 'm', false},
};

// The unit of the times among the operands.
static pa_status operand_unit(const pa_typing *typing, MlirType lhs, MlirType rhs, pa_time_unit *out_unit) {
  pa_time a, b;
  bool left = pa_time_of(lhs, &a), right = pa_time_of(rhs, &b);
  if (left && right) return common_unit(typing, a, b, out_unit);
  return *out_unit = left ? a.unit : b.unit, PA_OK;
}

static MlirType type_of_class(const pa_typing *typing, char class, pa_time_unit unit) {
  if (class == 'i') return pa_scalar_type(typing->context, PA_I64);
  if (class == 'f') return pa_scalar_type(typing->context, PA_F64);
  return pa_time_type(typing->context, (pa_time){class == 'm', unit});
}

// In the words of NumPy, which has no loop for them.
static pa_status no_division_by_bool(const pa_typing *typing, pyarray_binary_kind kind, MlirType delta) {
  const char *text = pa_type_text(typing->arena, delta), *unit = strchr(text, '[');
  return pa_typing_fail(
      typing, PA_CODE_TYPING,
      "ufunc '%s' cannot use operands with types dtype('<m8%s') and dtype('bool')\nhint: divide by an int",
      kind == PYARRAY_BINARY_TRUEDIV ? "divide"
      : kind == PYARRAY_BINARY_MOD   ? "remainder"
                                     : "floor_divide",
      unit ? unit : "");
}

pa_status pa_type_time_binary(const pa_typing *typing, pyarray_binary_kind kind, MlirType lhs, MlirType rhs,
                              pa_operator *out, bool *out_fits) {
  char left = class_of(lhs), right = class_of(rhs);
  bool divides = kind == PYARRAY_BINARY_TRUEDIV || kind == PYARRAY_BINARY_FLOORDIV || kind == PYARRAY_BINARY_MOD;
  if (divides && left == 'm' && pa_scalar_of(rhs) == PA_BOOL) return no_division_by_bool(typing, kind, lhs);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i) {
    if (operators[i].kind != kind || operators[i].lhs != left || operators[i].rhs != right) continue;
    pa_time_unit unit;
    PA_TRY(operand_unit(typing, lhs, rhs, &unit));
    if (operators[i].takes_unit) left = left == 'i' ? 'm' : left, right = right == 'i' ? 'm' : right;
    *out = (pa_operator){type_of_class(typing, left, unit),
                         type_of_class(typing, right, unit),
                         type_of_class(typing, operators[i].result, unit),
                         {NULL}};
    return *out_fits = true, PA_OK;
  }
  return PA_OK;
}

// A datetime never equals anything but a datetime, nor a timedelta a float.
pa_status pa_type_time_compare(const pa_typing *typing, pyarray_compare_kind kind, MlirType lhs, MlirType rhs,
                               pa_operator *out, bool *out_fits) {
  char left = class_of(lhs), right = class_of(rhs);
  if (pa_scalar_of(lhs) == PA_U64) left = 'u'; // which no timedelta can be
  if (pa_scalar_of(rhs) == PA_U64) right = 'u';
  MlirType boolean = mlirIntegerTypeGet(typing->context, 1);
  bool equality = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE;
  bool comparable = left == right || (left == 'm' && right == 'i') || (left == 'i' && right == 'm');
  if (!comparable) {
    *out = (pa_operator){lhs, rhs, boolean, mlirBoolAttrGet(typing->context, kind == PYARRAY_COMPARE_NE)};
    return *out_fits = equality && left && right, PA_OK;
  }
  pa_time_unit unit;
  PA_TRY(operand_unit(typing, lhs, rhs, &unit));
  MlirType type = type_of_class(typing, left == 'M' ? 'M' : 'm', unit);
  *out = (pa_operator){type, type, boolean, {NULL}};
  return *out_fits = true, PA_OK;
}

//===-- Functions ---------------------------------------------------------------------------------===//

static MlirType argument_type(const pa_rule_call *call, int i) { return call->arguments[i].type; }

static pa_status type_same_timedelta(pa_rule_call *call) {
  if (!pyarrayTypeIsTimedelta(argument_type(call, 0))) return pa_rule_wrong_type(call, 0, "a number or timedelta");
  pa_rule_add_argument(call, 0, argument_type(call, 0));
  return pa_rule_finish(call, argument_type(call, 0));
}

static pa_status type_isnat(pa_rule_call *call) {
  if (!pa_is_time(argument_type(call, 0))) return pa_rule_wrong_type(call, 0, "a datetime or timedelta");
  pa_rule_add_argument(call, 0, argument_type(call, 0));
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// For NumPy's functions an integer beside a timedelta is one of generic unit.
static MlirType as_time(const pa_rule_call *call, int i) {
  bool numpy = strncmp(call->builtin->name, "numpy.", 6) == 0 && is_integer_or_bool(pa_rule_scalar_of(call, i)) &&
               pa_rule_scalar_of(call, i) != PA_U64;
  return numpy ? pa_time_type(call->typing->context, (pa_time){.delta = true, .unit = {PA_TIME_GENERIC, 1}})
               : argument_type(call, i);
}

static pa_status type_extreme(pa_rule_call *call) {
  MlirType type = as_time(call, 0);
  for (int i = 1; i < call->count && !mlirTypeIsNull(type); ++i) {
    type = pa_join_times(call->typing, type, as_time(call, i));
    if (mlirTypeIsNull(type)) return pa_rule_wrong_type(call, i, "a time like those before it");
  }
  if (!pa_is_time(type)) return pa_rule_wrong_type(call, 0, "a datetime or timedelta");
  for (int i = 0; i < call->count; ++i) pa_rule_add_argument(call, i, type);
  return pa_rule_finish(call, type);
}

static pa_status type_operator(pa_rule_call *call) {
  static const struct {
    const char *name;
    pyarray_binary_kind kind;
  } rows[] = {{"numpy.add", PYARRAY_BINARY_ADD},
              {"numpy.subtract", PYARRAY_BINARY_SUB},
              {"numpy.multiply", PYARRAY_BINARY_MUL},
              {"numpy.divide", PYARRAY_BINARY_TRUEDIV},
              {"numpy.floor_divide", PYARRAY_BINARY_FLOORDIV},
              {"numpy.remainder", PYARRAY_BINARY_MOD}};
  size_t row = 0;
  while (strcmp(rows[row].name, call->builtin->name) != 0) ++row;
  pa_operator typed;
  PA_TRY(pa_type_binary(call->typing, rows[row].kind, call->arguments[0], call->arguments[1], &typed));
  pa_rule_add_argument(call, 0, typed.lhs);
  pa_rule_add_argument(call, 1, typed.rhs);
  return pa_rule_finish(call, typed.result);
}

static pa_status type_comparison(pa_rule_call *call) {
  static const struct {
    const char *name;
    pyarray_compare_kind kind;
  } rows[] = {{"numpy.equal", PYARRAY_COMPARE_EQ},   {"numpy.not_equal", PYARRAY_COMPARE_NE},
              {"numpy.less", PYARRAY_COMPARE_LT},    {"numpy.less_equal", PYARRAY_COMPARE_LE},
              {"numpy.greater", PYARRAY_COMPARE_GT}, {"numpy.greater_equal", PYARRAY_COMPARE_GE}};
  size_t row = 0;
  while (strcmp(rows[row].name, call->builtin->name) != 0) ++row;
  pa_operator typed;
  bool fits = false;
  PA_TRY(pa_type_time_compare(call->typing, rows[row].kind, argument_type(call, 0), argument_type(call, 1), &typed,
                              &fits));
  if (!fits || !mlirAttributeIsNull(typed.literal))
    return pa_rule_wrong_type(call, 1, "a time that it is compared with");
  pa_rule_add_argument(call, 0, typed.lhs);
  pa_rule_add_argument(call, 1, typed.rhs);
  return pa_rule_finish(call, typed.result);
}

static pa_status type_choice(pa_rule_call *call) {
  PA_TRY(pa_rule_need_number(call, 0));
  MlirType type = pa_join_times(call->typing, as_time(call, 1), as_time(call, 2));
  if (mlirTypeIsNull(type)) return pa_rule_wrong_type(call, 2, "a time like the one before it");
  pa_rule_add_argument(call, 0, pa_rule_scalar_type(call, PA_BOOL));
  for (int i = 1; i < 3; ++i) pa_rule_add_argument(call, i, type);
  return pa_rule_finish(call, type);
}

static pa_status type_time_divmod(pa_rule_call *call) {
  pa_operator quotient, rest;
  PA_TRY(pa_type_binary(call->typing, PYARRAY_BINARY_FLOORDIV, call->arguments[0], call->arguments[1], &quotient));
  PA_TRY(pa_type_binary(call->typing, PYARRAY_BINARY_MOD, call->arguments[0], call->arguments[1], &rest));
  pa_rule_add_argument(call, 0, quotient.lhs);
  pa_rule_add_argument(call, 1, quotient.rhs);
  MlirType parts[] = {quotient.result, rest.result};
  return pa_rule_finish(call, mlirTupleTypeGet(call->typing->context, 2, parts));
}

// To its number of units, or whether that is not 0.
static pa_status cast_to_number(pa_rule_call *call, MlirType type) {
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, type);
  return pa_rule_finish(call, type);
}

static pa_status type_count(pa_rule_call *call) { return cast_to_number(call, pa_rule_scalar_type(call, PA_I64)); }
static pa_status type_nonzero(pa_rule_call *call) { return cast_to_number(call, pa_rule_scalar_type(call, PA_BOOL)); }

// logical_and and kin: of a time whether it is not 0 units; NaT is true.
static pa_status type_truths_of_times(pa_rule_call *call) {
  for (int i = 0; i < call->count; ++i) pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_BOOL));
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// Functions that have times among their arguments, by name. Those that are not here refuse them.
static const struct {
  const char *name;
  pa_typing_rule rule;
} time_rules[] = {
    {"builtins.abs", type_same_timedelta},
    {"builtins.bool", type_nonzero},
    {"builtins.divmod", type_time_divmod},
    {"builtins.int", type_count},
    {"builtins.max", type_extreme},
    {"builtins.min", type_extreme},
    {"numpy.absolute", type_same_timedelta},
    {"numpy.add", type_operator},
    {"numpy.bool_", type_nonzero},
    {"numpy.divide", type_operator},
    {"numpy.equal", type_comparison},
    {"numpy.floor_divide", type_operator},
    {"numpy.fmax", type_extreme},
    {"numpy.fmin", type_extreme},
    {"numpy.greater", type_comparison},
    {"numpy.greater_equal", type_comparison},
    {"numpy.int64", type_count},
    {"numpy.intp", type_count},
    {"numpy.isfinite", type_isnat},
    {"numpy.isinf", type_isnat},
    {"numpy.isnan", type_isnat},
    {"numpy.less", type_comparison},
    {"numpy.less_equal", type_comparison},
    {"numpy.logical_and", type_truths_of_times},
    {"numpy.logical_or", type_truths_of_times},
    {"numpy.logical_xor", type_truths_of_times},
    {"numpy.maximum", type_extreme},
    {"numpy.minimum", type_extreme},
    {"numpy.multiply", type_operator},
    {"numpy.negative", type_same_timedelta},
    {"numpy.not_equal", type_comparison},
    {"numpy.positive", type_same_timedelta},
    {"numpy.sign", type_same_timedelta},
    {"numpy.remainder", type_operator},
    {"numpy.subtract", type_operator},
    {"numpy.where", type_choice},
    {"pyarray.int64", type_count},
};

pa_typing_rule pa_find_time_rule(const pa_rule_call *call) {
  bool times = false;
  for (int i = 0; i < call->count; ++i) times = times || (pa_rule_given(call, i) && pa_is_time(argument_type(call, i)));
  for (size_t i = 0; times && i < sizeof time_rules / sizeof *time_rules; ++i)
    if (strcmp(time_rules[i].name, call->builtin->name) == 0) return time_rules[i].rule;
  return NULL;
}

//===-- numpy.datetime64, numpy.timedelta64, astype, view -----------------------------------------===//

static pa_status cast_to_time(pa_rule_call *call, MlirType type) {
  PA_TRY(pa_check_castable(call->typing, argument_type(call, 0), type, call->builtin->name));
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, type);
  int64_t count;
  if (pa_literal_int(call->arguments[0], &count)) {
    call->plan->kind = PA_PLAN_LITERAL;
    call->plan->literal = pyarrayTicksAttrGet(count, type);
  }
  return pa_rule_finish(call, type);
}

// The unit that argument 1 names, or that argument 0 has.
static pa_status type_new_time(pa_rule_call *call) {
  pa_time time = {.unit = {PA_TIME_GENERIC, 1}}, given_time;
  bool has_unit = pa_rule_given(call, 1), converts = pa_time_of(argument_type(call, 0), &given_time);
  time.delta = strcmp(call->builtin->name, "numpy.timedelta64") == 0;
  if (converts && given_time.delta != time.delta)
    return pa_rule_wrong_type(call, 0, time.delta ? "an integer or a timedelta" : "an integer or a datetime");
  if (!converts && !is_integer_or_bool(pa_rule_scalar_of(call, 0)))
    return pa_rule_wrong_type(call, 0, "an integer, a time of the same kind, or a str that is written here");
  if (converts) time.unit = given_time.unit;
  if (has_unit) {
    MlirAttribute literal = call->arguments[1].literal;
    bool known = !mlirAttributeIsNull(literal) && mlirAttributeIsAString(literal);
    MlirStringRef text = known ? mlirStringAttrGetValue(literal) : (MlirStringRef){0};
    if (!known || !text.length || pa_time_unit_parse(text.data, text.length, &time.unit) != text.length)
      return pa_rule_wrong_type(call, 1, "a unit of time such as 'D'");
  } else if (!converts && !time.delta) {
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "numpy.datetime64: an integer needs a unit, as in np.datetime64(n, 'D')");
  }
  return cast_to_time(call, pa_time_type(call->typing->context, time));
}

static pa_status type_astype(pa_rule_call *call) {
  MlirType type;
  PA_TRY(pa_dtype_argument(call, 1, &type));
  if (pa_is_time(type)) return cast_to_time(call, type);
  return pa_is_complex(pa_scalar_of(type)) ? pa_rule_wrong_type(call, 1, "a dtype of real numbers or times")
                                           : cast_to_number(call, type);
}

// The same bits: of the number of units, or of a time in other units.
static pa_status type_view(pa_rule_call *call) {
  MlirType type, count = pa_rule_scalar_type(call, PA_I64);
  PA_TRY(pa_dtype_argument(call, 1, &type));
  if (!mlirTypeEqual(type, count)) return pa_rule_wrong_type(call, 1, "the dtype int64");
  return cast_to_number(call, count);
}

// time_unit(dtype), time_count(dtype): the number of its unit (lib/support/time_unit.h), and how many of it one is.
static pa_status type_time_unit(pa_rule_call *call) {
  MlirType type, i64 = pa_rule_scalar_type(call, PA_I64);
  pa_time time;
  PA_TRY(pa_dtype_argument(call, 0, &type));
  if (!pa_time_of(type, &time)) return pa_rule_wrong_type(call, 0, "a dtype of datetimes or timedeltas");
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal =
      mlirIntegerAttrGet(i64, *call->builtin->target == 'u' ? (int64_t)time.unit.base : time.unit.multiple);
  return pa_rule_finish(call, i64);
}

const pa_typing_rule_row pa_time_typing[] = {{PA_TYPING_ISNAT, type_isnat},       {PA_TYPING_TIME_UNIT, type_time_unit},
                                             {PA_TYPING_NEW_TIME, type_new_time}, {PA_TYPING_ASTYPE, type_astype},
                                             {PA_TYPING_VIEW, type_view},         {0, NULL}};
