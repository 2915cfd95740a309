// Types of NumPy's functions of scalars: arguments are promoted to one type, bools go to the first loop that takes
// them.
#include <string.h>

#include "typing_rules.h"

//===-- Functions of one type ---------------------------------------------------------------------===//

enum { INTEGERS = 1, FLOATS = 2, COMPLEX = 4, NUMBERS = INTEGERS | FLOATS | COMPLEX };

// The types that a function has loops for, and what bools are computed in: nothing where NumPy refuses them.
static const struct {
  pa_builtin_typing rule;
  int count;
  pa_scalar of_bool;
  int kinds;
  const char *expected;
} loops[] = {
    {PA_TYPING_NUMBER1, 1, PA_I8, NUMBERS, "a number"},
    {PA_TYPING_NUMBER2, 2, PA_I8, NUMBERS, "a number"},
    {PA_TYPING_NOT_BOOL1, 1, PA_NOT_SCALAR, NUMBERS, "a number that is no bool"},
    {PA_TYPING_QUOTIENT2, 2, PA_I8, INTEGERS | FLOATS, "a real number"},
    {PA_TYPING_SHIFT2, 2, PA_I8, INTEGERS, "an integer"},
    {PA_TYPING_BITS1, 1, PA_BOOL, INTEGERS, "an integer"},
    {PA_TYPING_BITS2, 2, PA_BOOL, INTEGERS, "an integer"},
    {PA_TYPING_DIVISOR2, 2, PA_NOT_SCALAR, INTEGERS, "an integer"},
};

static int kind_of(pa_scalar scalar) {
  return pa_is_complex(scalar) ? COMPLEX : pa_is_float(scalar) ? FLOATS : INTEGERS;
}

//===-- Literals (NEP 50) -------------------------------------------------------------------------===//

// Rules of functions whose arguments are promoted to one type; the last ones have loops of floats and complex numbers
// alone.
static const pa_builtin_typing promoting_rules[] = {
    PA_TYPING_NUMBER2,   PA_TYPING_QUOTIENT2, PA_TYPING_SHIFT2, PA_TYPING_BITS2, PA_TYPING_DIVISOR2, PA_TYPING_SAME2,
    PA_TYPING_SUBTRACT2, PA_TYPING_COMPARE2,  PA_TYPING_WHERE,  PA_TYPING_REAL2, PA_TYPING_DIVIDE2};

static bool promotes(const pa_builtin *builtin) {
  if (strncmp(builtin->name, "numpy.", 6)) return false;
  for (size_t i = 0; i < sizeof promoting_rules / sizeof *promoting_rules; ++i)
    if (builtin->typing == promoting_rules[i]) return true;
  return false;
}

// ORDER RANK: a literal of a higher one than that of the others has its own type.
static int rank_of(pa_scalar scalar) { return pa_is_complex(scalar) ? 3 : pa_is_float(scalar) ? 2 : scalar != PA_BOOL; }

// Of Python's int, float or complex; one of NumPy's scalars has a type of its own, as a bool has.
static bool is_weak(const pa_rule_call *call, int i) {
  pa_fact argument = call->arguments[i];
  int64_t value;
  if (pa_is_bottom(argument)) return false;
  if (mlirAttributeIsNull(argument.literal)) return call->typing->weak >> i & 1;
  pa_scalar scalar = pa_scalar_of(argument.type);
  return scalar == PA_I64 || scalar == PA_F64 || scalar == PA_C128 ||
         (scalar == PA_U64 && !pa_literal_int(argument, &value));
}

// The type that a literal of the type |literal| and others of the type |common| have together.
static pa_scalar adopted(pa_scalar common, pa_scalar literal) {
  if (rank_of(literal) <= rank_of(common)) return common;
  bool narrow = rank_of(literal) == 3 && (pa_is_half(common) || common == PA_F32);
  return pa_promote(common, narrow ? PA_C64 : literal == PA_U64 ? PA_I64 : literal); // Python's int is an int64
}

static pa_status check_fits(const pa_rule_call *call, pa_fact literal, pa_scalar scalar) {
  int64_t value;
  if (mlirAttributeIsNull(literal.literal)) return PA_OK; // checked when it is known
  bool small = pa_literal_int(literal, &value), is_signed = pa_is_signed(scalar);
  int bits = 8 * pa_scalar_bytes(scalar) - is_signed;
  bool fits = !small      ? scalar == PA_U64
              : value < 0 ? is_signed && (bits == 63 || value >= -((int64_t)1 << bits))
                          : bits >= 63 || value < (int64_t)1 << bits;
  if (fits) return PA_OK;
  pa_string text = {0};
  pa_python_literal(&text, literal.literal);
  pa_status status = pa_typing_fail(call->typing, PA_CODE_OVERFLOW, "Python integer %s out of bounds for %s",
                                    pa_string_text(&text), pa_scalar_name(scalar));
  return pa_string_free(&text), status;
}

// What is computed in float32 is of values that a float16 has.
static MlirAttribute rounded(MlirAttribute literal, MlirType half) {
  int64_t value;
  pa_fact fact = pa_fact_known(mlirAttributeGetType(literal), literal);
  bool real = mlirAttributeIsAFloat(literal), small = !real && pa_literal_int(fact, &value);
  double number = real    ? mlirFloatAttrGetValueDouble(literal)
                  : small ? (double)value
                          : (double)mlirIntegerAttrGetValueUInt(literal);
  return mlirFloatAttrDoubleGet(mlirTypeGetContext(half), half, number);
}

pa_status pa_adopt_literals(const pa_rule_call *call, const pa_fact **out_arguments) {
  pa_scalar common = PA_NOT_SCALAR;
  bool weak = false;
  if (call->count != 2 || !promotes(call->builtin)) return PA_OK;
  for (int i = 0; i < call->count; ++i) {
    pa_scalar scalar = pa_rule_scalar_of(call, i);
    if (scalar == PA_NOT_SCALAR) return PA_OK;
    if (is_weak(call, i))
      weak = true;
    else
      common = common == PA_NOT_SCALAR ? scalar : pa_promote(common, scalar);
  }
  if (!weak || common == PA_NOT_SCALAR) return PA_OK;
  pa_scalar all = common;
  bool takes_integers = call->builtin->typing != PA_TYPING_REAL2 && call->builtin->typing != PA_TYPING_DIVIDE2 &&
                        call->builtin->typing != PA_TYPING_WHERE; // which wraps
  for (int i = 0; i < call->count; ++i)
    if (is_weak(call, i)) all = adopted(all, pa_rule_scalar_of(call, i));
  if (call->builtin->typing == PA_TYPING_COMPARE2 && pa_is_integer(all)) return PA_OK; // integers compare as they are
  pa_fact *arguments = PA_NEW_ARRAY(call->typing->arena, pa_fact, call->count);
  for (int i = 0; i < call->count; ++i) {
    arguments[i] = call->arguments[i];
    if (!is_weak(call, i)) continue;
    if (pa_is_integer(all) && takes_integers) PA_TRY(check_fits(call, arguments[i], all));
    arguments[i].type = pa_rule_scalar_type(call, all);
    if (pa_is_half(all) && !mlirAttributeIsNull(arguments[i].literal))
      arguments[i].literal = rounded(arguments[i].literal, arguments[i].type);
  }
  return *out_arguments = arguments, PA_OK;
}

//===-- Loops -------------------------------------------------------------------------------------===//

// What is known never to be negative, beside a uint64, is one.
static pa_scalar promoted(const pa_rule_call *call) {
  pa_scalar a = pa_rule_scalar_of(call, 0), b = call->count > 1 ? pa_rule_scalar_of(call, 1) : a;
  if (!pa_are_mixed(a, b)) return pa_promote(a, b);
  if (!pa_is_sign_unknown(call->arguments[0], call->arguments[1])) return PA_U64;
  return pa_note_unknown_sign(call->typing, pa_arena_format(call->typing->arena,
                                                            "%s() of a uint64 and an integer that may be negative",
                                                            call->builtin->name)),
         pa_promote(a, b);
}

static pa_status type_same2(pa_rule_call *call) {
  PA_TRY(pa_rule_need_number(call, 0));
  PA_TRY(pa_rule_need_number(call, 1));
  return pa_rule_finish_as(call, 2, promoted(call));
}

static pa_status type_subtract(pa_rule_call *call) {
  if (pa_rule_scalar_of(call, 0) != PA_BOOL || pa_rule_scalar_of(call, 1) != PA_BOOL) return type_same2(call);
  return pa_typing_fail(
      call->typing, PA_CODE_TYPING,
      "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, "
      "or the logical_xor function instead.");
}

static pa_status type_loop(pa_rule_call *call) {
  size_t row = 0;
  while (loops[row].rule != call->builtin->typing) ++row;
  for (int i = 0; i < loops[row].count; ++i) {
    pa_scalar scalar = pa_rule_scalar_of(call, i);
    if (scalar == PA_NOT_SCALAR || !(kind_of(scalar) & loops[row].kinds))
      return pa_rule_wrong_type(call, i, loops[row].expected);
  }
  pa_scalar scalar = promoted(call);
  if (scalar == PA_BOOL) scalar = loops[row].of_bool;
  if (scalar == PA_NOT_SCALAR && strcmp(call->builtin->name, "numpy.negative") == 0)
    return pa_typing_fail(
        call->typing, PA_CODE_TYPING,
        "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not "
        "function instead.");
  if (scalar == PA_NOT_SCALAR) return pa_rule_wrong_type(call, 0, loops[row].expected);
  if (!(kind_of(scalar) & loops[row].kinds))
    return pa_rule_wrong_type(call, 1, "an integer that goes with the first argument");
  return pa_rule_finish_as(call, loops[row].count, scalar);
}

//===-- Others ------------------------------------------------------------------------------------===//

// The operands keep their types.
static pa_status type_truths(pa_rule_call *call, int count) {
  for (int i = 0; i < count; ++i) {
    PA_TRY(pa_rule_need_number(call, i));
    pa_rule_add_argument(call, i, call->arguments[i].type);
  }
  return pa_rule_finish_scalar(call, PA_BOOL);
}

static pa_status type_truth1(pa_rule_call *call) { return type_truths(call, 1); }
static pa_status type_truth2(pa_rule_call *call) { return type_truths(call, 2); }

static pa_status type_divide(pa_rule_call *call) {
  for (int i = 0; i < 2; ++i) PA_TRY(pa_rule_need_number(call, i));
  pa_scalar scalar = promoted(call);
  return pa_is_complex(scalar) ? pa_rule_finish_as(call, 2, scalar) : pa_type_real(call, 2);
}

static pa_status type_float_power(pa_rule_call *call) {
  for (int i = 0; i < 2; ++i) PA_TRY(pa_rule_need_number(call, i));
  bool complex = pa_is_complex(pa_rule_scalar_of(call, 0)) || pa_is_complex(pa_rule_scalar_of(call, 1));
  return pa_rule_finish_as(call, 2, complex ? PA_C128 : PA_F64);
}

// Integers keep their types, and compare exactly; a literal takes that of the other where it fits.
static pa_status type_compare2(pa_rule_call *call) {
  for (int i = 0; i < 2; ++i) PA_TRY(pa_rule_need_number(call, i));
  pa_scalar scalars[] = {pa_rule_scalar_of(call, 0), pa_rule_scalar_of(call, 1)};
  bool integral = kind_of(scalars[0]) == INTEGERS && kind_of(scalars[1]) == INTEGERS;
  for (int i = 0; i < 2; ++i) {
    pa_scalar other = scalars[1 - i];
    pa_status misfit = integral && pa_is_integer(other) && !mlirAttributeIsNull(call->arguments[i].literal)
                           ? check_fits(call, call->arguments[i], other)
                           : PA_OK;
    if (integral && pa_is_integer(other) && !mlirAttributeIsNull(call->arguments[i].literal) && !misfit)
      scalars[i] = other;
    pa_status_free(misfit);
  }
  for (int i = 0; i < 2; ++i)
    pa_rule_add_argument(call, i,
                         pa_rule_scalar_type(call, integral ? scalars[i] : pa_promote(scalars[0], scalars[1])));
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// np.where(condition, x, y)
static pa_status type_where(pa_rule_call *call) {
  for (int i = 0; i < 3; ++i) PA_TRY(pa_rule_need_number(call, i));
  pa_typing typing = *call->typing;
  typing.weak >>= 1;
  pa_rule_call values = {&typing, call->builtin, call->arguments + 1, 2, call->plan};
  PA_TRY(pa_adopt_literals(&values, &values.arguments));
  MlirType type = pa_rule_scalar_type(call, promoted(&values));
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  for (int i = 1; i < 3; ++i) pa_rule_add_argument(call, i, type);
  return pa_rule_finish(call, type);
}

//===-- Axes --------------------------------------------------------------------------------------===//

static pa_status need_array(const pa_rule_call *call) {
  return pyarrayTypeIsArray(call->arguments[0].type) ? PA_OK : pa_rule_wrong_type(call, 0, "an array");
}

// norm(z): the square of the distance from 0, of the type of the parts.
static pa_status type_norm(pa_rule_call *call) {
  pa_scalar scalar = pa_rule_scalar_of(call, 0);
  if (!pa_is_complex(scalar)) return pa_rule_wrong_type(call, 0, "a complex number");
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish_scalar(call, scalar == PA_C64 ? PA_F32 : PA_F64);
}

// size_over(a, axes): how many elements a reduction over these axes folds to one.
static pa_status type_size_over(pa_rule_call *call) {
  int64_t axes;
  PA_TRY(need_array(call));
  if (!pa_literal_int(call->arguments[1], &axes)) return pa_rule_wrong_type(call, 1, "a literal");
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  pa_rule_add_int(call, axes);
  return pa_rule_finish_scalar(call, PA_I64);
}

//===-- Methods that are not there ----------------------------------------------------------------===//

bool pa_is_numpy_method(const char *name) {
  static const char *const names[] = {
      "all",          "any",      "argmax",   "argmin", "argpartition", "argsort",   "byteswap", "choose",
      "clip",         "compress", "cumprod",  "cumsum", "diagonal",     "dot",       "dump",     "dumps",
      "fill",         "flatten",  "getfield", "max",    "mean",         "min",       "nonzero",  "partition",
      "prod",         "ptp",      "put",      "ravel",  "repeat",       "reshape",   "resize",   "round",
      "searchsorted", "setfield", "setflags", "sort",   "squeeze",      "std",       "sum",      "swapaxes",
      "take",         "tobytes",  "tofile",   "tolist", "trace",        "transpose", "var",      "view",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

const pa_typing_rule_row pa_numpy_typing[] = {
    {PA_TYPING_SAME2, type_same2},
    {PA_TYPING_SUBTRACT2, type_subtract},
    {PA_TYPING_NUMBER1, type_loop},
    {PA_TYPING_NUMBER2, type_loop},
    {PA_TYPING_NOT_BOOL1, type_loop},
    {PA_TYPING_QUOTIENT2, type_loop},
    {PA_TYPING_SHIFT2, type_loop},
    {PA_TYPING_BITS1, type_loop},
    {PA_TYPING_BITS2, type_loop},
    {PA_TYPING_DIVISOR2, type_loop},
    {PA_TYPING_TRUTH1, type_truth1},
    {PA_TYPING_TRUTH2, type_truth2},
    {PA_TYPING_FLOAT_POWER, type_float_power},
    {PA_TYPING_DIVIDE2, type_divide},
    {PA_TYPING_COMPARE2, type_compare2},
    {PA_TYPING_WHERE, type_where},
    {PA_TYPING_NORM, type_norm},
    {PA_TYPING_SIZE_OVER, type_size_over},
    {0, NULL},
};
