// int64 and uint64 that meet in pyarray-infer-types, in a variable or in + - *: what they give is float64, as in Numba,
// unless an operator of bits is applied to it. Then it is uint64, whose low 64 bits are those of Python's int.
//
//   for _ in range(5):
//     s = (s * 3 + 1) & 0xffffffffffffffff
//
// The mask is a uint64, so is what & gives, and s, an int64 before the loop, is a float64 with site 1: the number of
// this meeting. Sums, differences and products of it keep the site. & cannot be applied to a float64, but this one has
// a site: the meeting becomes whole, and one more round of inference finds s to be a uint64.
//
// What & | ^ of int64 and uint64 give, a uint64, and all whole numbers that are computed of it, have the site
// PA_SITE_OF_BITS: an int64 that meets one becomes a uint64, whose bits Numba's int64 has. // and % of it and an int64
// are functions of the library, of Python's values; those of any other uint64 are too, and are an int64 as in Numba:
//
//   %0 = pyarray.binary mod %s, %n          @whole.remainder with (%s, %n)
#include <limits.h>
#include <string.h>

#include "infer_calls.h"
#include "infer_containers.h"

pa_status pa_type_binary_at(pa_inference *inference, MlirOperation op, pa_fact lhs, pa_fact rhs,
                            pa_operator *out_operator, pa_fact *out_result) {
  pa_typing typing = pa_typing_at(inference, op);
  pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
  pa_fact met;
  PA_TRY(pa_type_binary(&typing, kind, lhs, rhs, out_operator));
  *out_result = pa_fact_known(out_operator->result, out_operator->literal);
  int64_t value;
  bool literal = (pa_literal_int(lhs, &value) && value >= 0) || (pa_literal_int(rhs, &value) && value >= 0);
  bool mixed = pa_are_mixed(pa_scalar_of(lhs.type), pa_scalar_of(rhs.type)) && !literal;
  if (pa_is_sign_unknown(lhs, rhs)) pa_note_unknown_sign(&typing, NULL);
  if (pa_scalar_of(out_operator->result) == PA_U64 &&
      ((mixed && kind >= PYARRAY_BINARY_POW) || pa_is_of_bits(lhs) || pa_is_of_bits(rhs)))
    out_result->site = PA_SITE_OF_BITS;
  bool ring = kind == PYARRAY_BINARY_ADD || kind == PYARRAY_BINARY_SUB ||
              kind == PYARRAY_BINARY_MUL; // wraps to the same low bits in every order
  if (!ring || pa_scalar_of(out_operator->result) != PA_F64 || !pa_meet(inference, op, 0, lhs, rhs, &met)) return PA_OK;
  *out_result = met;
  out_operator->lhs = out_operator->rhs = out_operator->result = met.type;
  return PA_OK;
}

//===-- Division ----------------------------------------------------------------------------------===//

// A uint64 that is one of Python's ints: of bits, or a literal that no int64 holds.
static bool is_unsigned_int(pa_fact fact) {
  int64_t value;
  if (pa_is_bottom(fact) || pa_scalar_of(fact.type) != PA_U64) return false;
  return pa_is_of_bits(fact) || (!mlirAttributeIsNull(fact.literal) && !pa_literal_int(fact, &value));
}

static bool is_callee(const pa_class_operation *o, const char *builtin) {
  if (o->kind != PA_OP_APPLY) return false;
  MlirType callee = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 0)).type;
  return pa_ref_equal(pa_builtin_called(callee), builtin);
}

static bool has_names(const pa_class_operation *o) {
  return !mlirAttributeIsNull(o->inference->keywords) && mlirArrayAttrGetNumElements(o->inference->keywords) > 0;
}

// The arguments of a call, those that it spreads among them; the last are given by name, as inference->keywords says.
static pa_status take_arguments(pa_class_operation *o, MlirValue **out_arguments, intptr_t *out_count) {
  pa_inference *inference = o->inference;
  PA_TRY(pa_take_operands(inference, o->instance, o->op));
  *out_count = inference->given_count - 1;
  *out_arguments = PA_NEW_ARRAY(inference->arena, MlirValue, inference->given_count + 1);
  for (intptr_t i = 0; i < *out_count; ++i) (*out_arguments)[i] = inference->given[i + 1];
  return PA_OK;
}

// x % 2**64 asks for the low bits of a float64 where int64 and uint64 met.
static void ask_for_bits(pa_class_operation *o) {
  int site = pa_meeting_of(pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 1)));
  if (site && !pa_meeting_numbered(o->inference, site)->whole)
    pa_meeting_numbered(o->inference, site)->whole = o->inference->made_whole = true;
}

pa_status pa_plan_whole_division(pa_class_operation *o) {
  const char *function = NULL;
  MlirValue own[2], *operands = own;
  if (is_callee(o, "whole.low_bits")) return ask_for_bits(o), PA_OK;
  if (is_callee(o, "builtins.divmod")) {
    intptr_t count;
    PA_TRY(take_arguments(o, &operands, &count));
    function = count == 2 && !has_names(o) ? "whole.quotient_and_remainder" : NULL;
  } else if (o->kind == PA_OP_BINARY) {
    pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind"));
    function = kind == PYARRAY_BINARY_FLOORDIV ? "whole.quotient"
               : kind == PYARRAY_BINARY_MOD    ? "whole.remainder"
                                               : NULL;
  }
  if (!function) return o->inference->keywords = mlirAttributeGetNull(), PA_OK;
  for (int i = 0; operands == own && i < 2; ++i) own[i] = mlirOperationGetOperand(o->op, i);
  pa_fact a = pa_fact_get(o->inference, o->instance, operands[0]),
          b = pa_fact_get(o->inference, o->instance, operands[1]);
  if (!pa_is_sign_unknown(a, b)) return PA_OK;
  pa_note_unknown_sign(&o->typing, NULL);
  if (!is_unsigned_int(a) && !is_unsigned_int(b))
    function = pa_arena_format(o->inference->arena, "whole.int64_%s", function + strlen("whole."));
  if (pa_option_is(o->instance->function, "pyarray.options", "error_model", "numpy"))
    function = pa_arena_format(o->inference->arena, "%s_or_zero", function);
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), operands, 2);
}

//===-- Functions ---------------------------------------------------------------------------------===//

// Those of a uint64 whose own operands are int64.
static const struct {
  const char *builtin, *function;
  int least, most; // arguments
} unsigned_functions[] = {
    {"math.gcd", "whole.gcd", 1, INT_MAX},     {"math.lcm", "whole.lcm", 1, INT_MAX},
    {"math.isqrt", "whole.isqrt", 1, 1},       {"math.comb", "whole.comb", 2, 2},
    {"math.perm", "whole.perm", 1, 2},         {"math.factorial", "whole.factorial", 1, 1},
    {"builtins.round", "whole.rounded", 2, 2},
};

// |which|: the argument that counts, or -1 for all.
static bool are_unsigned(const pa_class_operation *o, const MlirValue *arguments, intptr_t count, intptr_t which) {
  bool any = false;
  for (intptr_t i = 0; i < count; ++i) {
    pa_fact fact = pa_fact_get(o->inference, o->instance, arguments[i]);
    pa_scalar scalar = pa_is_bottom(fact) ? PA_NOT_SCALAR : pa_scalar_of(fact.type);
    if (scalar != PA_BOOL && !pa_is_integer(scalar)) return false;
    any |= scalar == PA_U64 && (which < 0 || i == which);
  }
  return any;
}

pa_status pa_plan_unsigned_function(pa_class_operation *o) {
  size_t row = 0, rows = sizeof unsigned_functions / sizeof *unsigned_functions;
  while (row < rows && !is_callee(o, unsigned_functions[row].builtin)) ++row;
  if (row == rows) return PA_OK;
  MlirValue *arguments;
  intptr_t count;
  PA_TRY(take_arguments(o, &arguments, &count));
  bool rounds = strcmp(unsigned_functions[row].builtin, "builtins.round") == 0,
       fits = count >= unsigned_functions[row].least && count <= unsigned_functions[row].most;
  bool second = fits && has_names(o) && count == 2 && mlirArrayAttrGetNumElements(o->inference->keywords) == 2 &&
                pa_ref_equal(mlirStringAttrGetValue(mlirArrayAttrGetElement(o->inference->keywords, 1)),
                             "number"); // round(ndigits=n, number=x)
  if (!fits || (has_names(o) && !rounds) || !are_unsigned(o, arguments, count, rounds ? second : -1))
    return o->inference->keywords = mlirAttributeGetNull(), PA_OK;
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, unsigned_functions[row].function), arguments, count);
}

//===-- Operators of bits -------------------------------------------------------------------------===//

static bool is_bit_operator(pa_inference *inference, MlirOperation op) {
  pa_op_kind kind = pa_kind(&inference->names, op);
  MlirAttribute which = pa_get_attr(op, "kind");
  if (kind == PA_OP_UNARY) return pyarrayUnaryKindAttrGetValue(which) == PYARRAY_UNARY_INVERT;
  if (kind != PA_OP_BINARY) return false;
  switch ((pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(which)) {
  case PYARRAY_BINARY_AND:
  case PYARRAY_BINARY_OR:
  case PYARRAY_BINARY_XOR:
  case PYARRAY_BINARY_LSHIFT:
  case PYARRAY_BINARY_RSHIFT: return true;
  default: return false;
  }
}

bool pa_make_whole(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  if (!is_bit_operator(inference, op)) return false;
  bool made = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int site = pa_meeting_of(pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)));
    if (site) made = pa_meeting_numbered(inference, site)->whole = inference->made_whole = true;
  }
  return made;
}
