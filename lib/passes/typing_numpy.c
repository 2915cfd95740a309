// Types of NumPy's functions of scalars: arguments are promoted to one type, bools go to the first loop that takes them.
#include <string.h>

#include "typing_rules.h"

//===-- Functions of one type ---------------------------------------------------------------------===//

enum { INTEGERS = 1, FLOATS = 2, COMPLEX = 4, NUMBERS = INTEGERS | FLOATS | COMPLEX };

// The types that a function has loops for, and what bools are computed in: nothing where NumPy refuses them.
static const struct {
  const char *rule;
  int count;
  pa_scalar of_bool;
  int kinds;
  const char *expected;
} loops[] = {
    {"NUMBER1", 1, PA_I8, NUMBERS, "a number"},
    {"NUMBER2", 2, PA_I8, NUMBERS, "a number"},
    {"NOT_BOOL1", 1, PA_NOT_SCALAR, NUMBERS, "a number that is no bool"},
    {"QUOTIENT2", 2, PA_I8, INTEGERS | FLOATS, "a real number"},
    {"SHIFT2", 2, PA_I8, INTEGERS, "an integer"},
    {"BITS1", 1, PA_BOOL, INTEGERS, "an integer"},
    {"BITS2", 2, PA_BOOL, INTEGERS, "an integer"},
    {"DIVISOR2", 2, PA_NOT_SCALAR, INTEGERS, "an integer"},
};

static int kind_of(pa_scalar scalar) { return pa_is_complex(scalar) ? COMPLEX : pa_is_float(scalar) ? FLOATS : INTEGERS; }

// A literal that is not negative fits a uint64.
static bool is_natural(pa_fact argument) {
  int64_t value;
  return pa_literal_int(argument, &value) && value >= 0;
}

static pa_scalar promoted(const pa_rule_call *call) {
  pa_scalar a = scalar_of(call, 0), b = call->count > 1 ? scalar_of(call, 1) : a;
  if (a == PA_U64 && is_natural(call->arguments[call->count - 1])) return a;
  if (b == PA_U64 && is_natural(call->arguments[0])) return b;
  return pa_promote(a, b);
}

static pa_status type_loop(pa_rule_call *call) {
  size_t row = 0;
  while (strcmp(loops[row].rule, call->builtin->typing)) ++row;
  for (int i = 0; i < loops[row].count; ++i) {
    pa_scalar scalar = scalar_of(call, i);
    if (scalar == PA_NOT_SCALAR || !(kind_of(scalar) & loops[row].kinds)) return wrong_type(call, i, loops[row].expected);
  }
  pa_scalar scalar = promoted(call);
  if (scalar == PA_BOOL) scalar = loops[row].of_bool;
  if (scalar == PA_NOT_SCALAR) return wrong_type(call, 0, loops[row].expected);
  if (!(kind_of(scalar) & loops[row].kinds)) return wrong_type(call, 1, "an integer that goes with the first argument");
  return finish_as(call, loops[row].count, scalar);
}

//===-- Others ------------------------------------------------------------------------------------===//

// The operands keep their types.
static pa_status type_truths(pa_rule_call *call, int count) {
  for (int i = 0; i < count; ++i) {
    PA_TRY(need_number(call, i));
    add_argument(call, i, call->arguments[i].type);
  }
  return finish_scalar(call, PA_BOOL);
}

static pa_status type_truth1(pa_rule_call *call) { return type_truths(call, 1); }
static pa_status type_truth2(pa_rule_call *call) { return type_truths(call, 2); }

static pa_status type_float_power(pa_rule_call *call) {
  for (int i = 0; i < 2; ++i) PA_TRY(need_number(call, i));
  bool complex = pa_is_complex(scalar_of(call, 0)) || pa_is_complex(scalar_of(call, 1));
  return finish_as(call, 2, complex ? PA_C128 : PA_F64);
}

//===-- Methods that are not there ----------------------------------------------------------------===//

bool pa_is_numpy_method(const char *name) {
  static const char *const names[] = {
      "all",   "any",     "argmax",  "argmin",       "argpartition", "argsort", "byteswap", "choose",   "clip",    "compress", "cumprod",  "cumsum",
      "diagonal", "dot",  "dump",    "dumps",        "fill",         "flatten", "getfield", "max",      "mean",    "min",      "nonzero",  "partition",
      "prod",  "ptp",     "put",     "ravel",        "repeat",       "reshape", "resize",   "round",    "searchsorted", "setfield", "setflags", "sort",
      "squeeze", "std",   "sum",     "swapaxes",     "take",         "tobytes", "tofile",   "tolist",   "trace",   "transpose", "var",     "view",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

const pa_typing_rule_row pa_numpy_typing[] = {
    {"NUMBER1", type_loop}, {"NUMBER2", type_loop}, {"NOT_BOOL1", type_loop}, {"QUOTIENT2", type_loop}, {"SHIFT2", type_loop},
    {"BITS1", type_loop},   {"BITS2", type_loop},   {"DIVISOR2", type_loop},  {"TRUTH1", type_truth1},  {"TRUTH2", type_truth2},
    {"FLOAT_POWER", type_float_power}, {NULL, NULL},
};
