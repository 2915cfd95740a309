// Types of scalar operators: Numba's rules for scalars (Python int is int64, mixed integers widen to 64 bits), with one
// improvement: what is known never to be negative (typing_signs.c) is unsigned beside a uint64, so that uint64 + 1
// stays uint64. Beside narrower unsigned integers it is int64, which holds the values of both.
#include "typing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

//===-- Facts -------------------------------------------------------------------------------------===//

bool pa_fact_equal(pa_fact a, pa_fact b) {
  return mlirTypeEqual(a.type, b.type) && mlirAttributeEqual(a.literal, b.literal) && a.site == b.site &&
         a.signs == b.signs;
}

bool pa_literal_int(pa_fact fact, int64_t *out_value) {
  if (mlirAttributeIsNull(fact.literal) || !mlirAttributeIsAInteger(fact.literal)) return false;
  MlirType type = mlirAttributeGetType(fact.literal);
  if (!mlirTypeIsAInteger(type)) return false;
  if (mlirIntegerTypeIsSigned(type)) return *out_value = mlirIntegerAttrGetValueSInt(fact.literal), true;
  if (mlirIntegerTypeIsSignless(type)) return *out_value = mlirIntegerAttrGetValueInt(fact.literal) & 1, true;
  uint64_t value = mlirIntegerAttrGetValueUInt(fact.literal);
  return *out_value = (int64_t)value, value <= INT64_MAX;
}

pa_fact pa_literal_fact(MlirContext context, MlirAttribute value) {
  if (mlirAttributeIsAUnit(value)) return pa_fact_known(pyarrayNoneTypeGet(context), value);
  if (mlirAttributeIsAString(value)) {
    bool bytes = pyarrayTypeIsBytes(mlirAttributeGetType(value));
    return pa_fact_known(bytes ? mlirAttributeGetType(value) : pyarrayStrTypeGet(context), value);
  }
  if (mlirAttributeIsAType(value)) return pa_fact_of(mlirTypeAttrGetValue(value));
  if (pyarrayAttributeIsTicks(value)) return pa_fact_known(pyarrayTicksAttrGetType(value), value);
  return pa_fact_known(mlirAttributeGetType(value), value);
}

pa_status pa_typing_fail(const pa_typing *typing, pa_code code, const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  pa_status status = pa_fail_at(code, typing->location, "%s", length < 0 ? format : text);
  if (length >= 0) free(text);
  return status;
}

//===-- Binary operators --------------------------------------------------------------------------===//

static const char *const binary_symbols[] = {"+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"};
const char *pa_binary_symbol(pyarray_binary_kind kind) { return binary_symbols[kind]; }

static const char *const compare_symbols[] = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
static const char *const unary_symbols[] = {"-", "+", "~", "not"};

static pa_status no_operator(const pa_typing *typing, const char *symbol, pa_fact lhs, pa_fact rhs) {
  if (pyarrayTypeIsArray(lhs.type) || pyarrayTypeIsArray(rhs.type))
    return pa_typing_fail(typing, PA_CODE_UNSUPPORTED,
                          "operator '%s' on whole arrays (%s and %s) is not compiled yet\nhint: loop over the elements",
                          symbol, pa_text_of_type(typing, lhs.type), pa_text_of_type(typing, rhs.type));
  bool pointer = pyarrayTypeIsPointer(lhs.type) || pyarrayTypeIsPointer(rhs.type);
  return pa_typing_fail(typing, PA_CODE_TYPING, "no operator '%s' for operands of types %s and %s%s", symbol,
                        pa_text_of_type(typing, lhs.type), pa_text_of_type(typing, rhs.type),
                        pointer ? "\nhint: read elements as p[i], or make an array of the memory: carray(p, shape)"
                                : "");
}

// Which type two integers (or bools) are computed in: 64 bits wide.
static pa_scalar integer_result(pa_scalar a, pa_scalar b, pa_fact lhs, pa_fact rhs) {
  bool a_unsigned = pa_is_unsigned(a), b_unsigned = pa_is_unsigned(b);
  if (a_unsigned && b_unsigned) return PA_U64;
  if (!a_unsigned && !b_unsigned) return PA_I64;
  if ((a == PA_U64 && pa_is_natural(rhs)) || (b == PA_U64 && pa_is_natural(lhs))) return PA_U64;
  if (a == PA_BOOL || b == PA_BOOL) return PA_U64;
  return a == PA_U64 || b == PA_U64 ? PA_F64 : PA_I64;
}

static pa_scalar arithmetic_result(pa_scalar a, pa_scalar b, pa_fact lhs, pa_fact rhs) {
  if (!pa_is_float(a) && !pa_is_complex(a) && !pa_is_float(b) && !pa_is_complex(b))
    return integer_result(a, b, lhs, rhs);
  return pa_promote(a, b);
}

pa_scalar pa_arithmetic(pa_scalar a, pa_scalar b) {
  const pa_fact unknown = {0};
  return arithmetic_result(a, b, unknown, unknown);
}

static bool is_integral(pa_scalar s) { return s == PA_BOOL || pa_is_integer(s); }

static pa_scalar power_result(pa_scalar a, pa_scalar b, pa_fact lhs, pa_fact rhs, bool *out_keep_exponent) {
  int64_t exponent;
  bool literal = is_integral(b) && pa_literal_int(rhs, &exponent);
  *out_keep_exponent = is_integral(a) ? is_integral(b) && !(literal && exponent < 0) : literal;
  if (is_integral(a) && is_integral(b)) {
    if (literal && exponent < 0) return PA_F64;
    return a == PA_U64 || (pa_is_unsigned(a) && !pa_is_signed(b)) ? PA_U64 : PA_I64;
  }
  if (*out_keep_exponent) return a;
  return arithmetic_result(a, b, lhs, rhs);
}

static bool raise_to(int64_t base, int64_t exponent, int64_t *out_value) {
  *out_value = 1;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1 && __builtin_mul_overflow(*out_value, base, out_value)) return false;
    if (exponent > 1 && __builtin_mul_overflow(base, base, &base)) return false;
  }
  return true;
}

// Python's value, where an int64 holds it; false where it does not, or the operator raises.
static bool compute(pyarray_binary_kind kind, int64_t a, int64_t b, int64_t *out) {
  bool divides = b != 0 && !(a == INT64_MIN && b == -1), shifts = b >= 0 && b < 63;
  int64_t rest = divides ? a % b : 0, down = rest != 0 && (rest < 0) != (b < 0);
  switch (kind) {
  case PYARRAY_BINARY_ADD: return !__builtin_add_overflow(a, b, out);
  case PYARRAY_BINARY_SUB: return !__builtin_sub_overflow(a, b, out);
  case PYARRAY_BINARY_MUL: return !__builtin_mul_overflow(a, b, out);
  case PYARRAY_BINARY_FLOORDIV: return *out = divides ? a / b - down : 0, divides;
  case PYARRAY_BINARY_MOD: return *out = divides ? rest + down * b : 0, divides;
  case PYARRAY_BINARY_POW: return b >= 0 && raise_to(a, b, out);
  case PYARRAY_BINARY_LSHIFT: return shifts && !__builtin_mul_overflow(a, (int64_t)1 << b, out);
  case PYARRAY_BINARY_RSHIFT: return *out = shifts ? a >> b : 0, shifts;
  case PYARRAY_BINARY_AND: return *out = a & b, true;
  case PYARRAY_BINARY_OR: return *out = a | b, true;
  case PYARRAY_BINARY_XOR: return *out = a ^ b, true;
  default: return false;
  }
}

static MlirAttribute fold_integers(pyarray_binary_kind kind, pa_fact lhs, pa_fact rhs, MlirType result) {
  int64_t a, b, value;
  if (pa_scalar_of(result) != PA_I64 || !pa_literal_int(lhs, &a) || !pa_literal_int(rhs, &b))
    return (MlirAttribute){NULL};
  return compute(kind, a, b, &value) ? mlirIntegerAttrGet(result, value) : (MlirAttribute){NULL};
}

static pa_status type_tuple_concatenation(const pa_typing *typing, pa_fact lhs, pa_fact rhs, pa_operator *out) {
  intptr_t left = mlirTupleTypeGetNumTypes(lhs.type), right = mlirTupleTypeGetNumTypes(rhs.type);
  MlirType *types = PA_NEW_ARRAY(typing->arena, MlirType, left + right + 1);
  for (intptr_t i = 0; i < left; ++i) types[i] = mlirTupleTypeGetType(lhs.type, i);
  for (intptr_t i = 0; i < right; ++i) types[left + i] = mlirTupleTypeGetType(rhs.type, i);
  *out = (pa_operator){lhs.type, rhs.type, mlirTupleTypeGet(typing->context, left + right, types), {NULL}};
  return PA_OK;
}

enum { MOST_ELEMENTS = 4096 };

// A tuple times a literal, in either order.
static pa_status type_tuple_repetition(const pa_typing *typing, pa_fact lhs, pa_fact rhs, int64_t times,
                                       pa_operator *out) {
  MlirType tuple = mlirTypeIsATuple(lhs.type) ? lhs.type : rhs.type;
  intptr_t count = mlirTupleTypeGetNumTypes(tuple);
  if (times < 0) times = 0;
  if (count && times > MOST_ELEMENTS / count)
    return pa_typing_fail(typing, PA_CODE_TYPING, "a tuple of more than %d elements\nhint: use a list or an array",
                          MOST_ELEMENTS);
  MlirType *types = PA_NEW_ARRAY(typing->arena, MlirType, count * times + 1);
  for (intptr_t i = 0; i < count * times; ++i) types[i] = mlirTupleTypeGetType(tuple, i % count);
  *out = (pa_operator){lhs.type, rhs.type, mlirTupleTypeGet(typing->context, count * times, types), {NULL}};
  return PA_OK;
}

pa_status pa_type_binary(const pa_typing *typing, pyarray_binary_kind kind, pa_fact lhs, pa_fact rhs,
                         pa_operator *out) {
  pa_scalar a = pa_scalar_of(lhs.type), b = pa_scalar_of(rhs.type), result = PA_NOT_SCALAR;
  if (kind == PYARRAY_BINARY_ADD && mlirTypeIsATuple(lhs.type) && mlirTypeIsATuple(rhs.type))
    return type_tuple_concatenation(typing, lhs, rhs, out);
  int64_t times;
  if (kind == PYARRAY_BINARY_MUL && ((mlirTypeIsATuple(lhs.type) && pa_literal_int(rhs, &times)) ||
                                     (mlirTypeIsATuple(rhs.type) && pa_literal_int(lhs, &times))))
    return type_tuple_repetition(typing, lhs, rhs, times, out);
  if (a == PA_NOT_SCALAR || b == PA_NOT_SCALAR) {
    bool fits = false;
    PA_TRY(pa_type_time_binary(typing, kind, lhs.type, rhs.type, out, &fits));
    return fits ? PA_OK : no_operator(typing, binary_symbols[kind], lhs, rhs);
  }
  bool integral = is_integral(a) && is_integral(b), keep_exponent = false;
  bool complex = pa_is_complex(a) || pa_is_complex(b);
  switch (kind) {
  case PYARRAY_BINARY_ADD:
  case PYARRAY_BINARY_SUB:
  case PYARRAY_BINARY_MUL: result = arithmetic_result(a, b, lhs, rhs); break;
  case PYARRAY_BINARY_TRUEDIV: result = integral ? PA_F64 : arithmetic_result(a, b, lhs, rhs); break;
  case PYARRAY_BINARY_FLOORDIV:
  case PYARRAY_BINARY_MOD:
    if (!complex) result = arithmetic_result(a, b, lhs, rhs);
    break;
  case PYARRAY_BINARY_POW: result = power_result(a, b, lhs, rhs, &keep_exponent); break;
  case PYARRAY_BINARY_LSHIFT:
  case PYARRAY_BINARY_RSHIFT:
    if (integral) result = pa_is_unsigned(a) ? PA_U64 : PA_I64, keep_exponent = true;
    break;
  case PYARRAY_BINARY_AND:
  case PYARRAY_BINARY_OR:
  case PYARRAY_BINARY_XOR:
    if (a == PA_BOOL && b == PA_BOOL)
      result = PA_BOOL;
    else if (integral)
      result = integer_result(a, b, lhs, rhs);
    if (result == PA_F64) result = PA_U64; // int64 with uint64: the bits are what counts
    break;
  case PYARRAY_BINARY_MATMUL: break;
  }
  if (result == PA_NOT_SCALAR) return no_operator(typing, binary_symbols[kind], lhs, rhs);
  out->lhs = out->result = pa_scalar_type(typing->context, result);
  out->rhs = out->result;
  if (keep_exponent) out->rhs = pa_scalar_type(typing->context, pa_is_unsigned(b) ? PA_U64 : PA_I64);
  out->literal = fold_integers(kind, lhs, rhs, out->result);
  return PA_OK;
}

//===-- Unary operators, truth --------------------------------------------------------------------===//

pa_status pa_type_truth(const pa_typing *typing, pa_fact operand, pa_fact *out_result) {
  MlirType type = operand.type, boolean = mlirIntegerTypeGet(typing->context, 1);
  *out_result = pa_fact_of(boolean);
  int known = -1;
  int64_t value;
  if (pyarrayTypeIsNone(type))
    known = 0;
  else if (mlirTypeIsATuple(type))
    known = mlirTupleTypeGetNumTypes(type) > 0;
  else if (pyarrayTypeIsCallable(type) || pyarrayTypeIsGenerator(type) || pa_is_tagged(type, "choice") ||
           pa_is_tagged(type, "function") || pa_is_tagged(type, "passed"))
    known = 1;
  else if (pa_literal_int(operand, &value))
    known = value != 0;
  else if (pa_is_text(type) && !mlirAttributeIsNull(operand.literal))
    known = mlirStringAttrGetValue(operand.literal).length > 0;
  else if (pa_scalar_of(type) == PA_NOT_SCALAR && !pa_is_time(type) && !pyarrayTypeIsPointer(type) &&
           pa_container_of(type) == PA_NO_CONTAINER && !pa_is_text(type) && !pyarrayTypeIsArray(type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "the truth value of %s is not defined",
                          pa_text_of_type(typing, type));
  if (known >= 0) out_result->literal = mlirBoolAttrGet(typing->context, known);
  return PA_OK;
}

static pa_status type_not(const pa_typing *typing, pa_fact operand, pa_operator *out) {
  pa_fact truth;
  PA_TRY(pa_type_truth(typing, operand, &truth));
  *out = (pa_operator){operand.type, {NULL}, truth.type, {NULL}};
  if (!mlirAttributeIsNull(truth.literal))
    out->literal = mlirBoolAttrGet(typing->context, !mlirBoolAttrGetValue(truth.literal));
  return PA_OK;
}

pa_status pa_type_unary(const pa_typing *typing, pyarray_unary_kind kind, pa_fact operand, pa_operator *out) {
  if (kind == PYARRAY_UNARY_NOT) return type_not(typing, operand, out);
  pa_scalar scalar = pa_scalar_of(operand.type), result = scalar;
  if (pyarrayTypeIsTimedelta(operand.type) && kind != PYARRAY_UNARY_INVERT)
    return *out = (pa_operator){operand.type, {NULL}, operand.type, {NULL}}, PA_OK;
  if (pyarrayTypeIsArray(operand.type))
    return pa_typing_fail(typing, PA_CODE_UNSUPPORTED,
                          "operator '%s' on whole arrays (%s) is not compiled yet\nhint: loop over the elements",
                          unary_symbols[kind], pa_text_of_type(typing, operand.type));
  if (scalar == PA_NOT_SCALAR || (kind == PYARRAY_UNARY_INVERT && !is_integral(scalar)))
    return pa_typing_fail(typing, PA_CODE_TYPING, "no unary operator '%s' for an operand of type %s",
                          unary_symbols[kind], pa_text_of_type(typing, operand.type));
  if (pa_is_integer(scalar)) result = pa_is_unsigned(scalar) ? PA_U64 : PA_I64;
  if (scalar == PA_BOOL && kind != PYARRAY_UNARY_INVERT) result = PA_I64;
  MlirType type = pa_scalar_type(typing->context, result);
  bool own_width = pa_is_unsigned(scalar) && kind != PYARRAY_UNARY_POS; // as in Numba and NumPy: ~uint8(0) is 255
  *out = (pa_operator){own_width ? operand.type : type, {NULL}, type, {NULL}};
  int64_t value;
  if (result == PA_I64 && pa_literal_int(operand, &value) && value != INT64_MIN) {
    int64_t folded = kind == PYARRAY_UNARY_NEG ? -value : kind == PYARRAY_UNARY_POS ? value : ~value;
    out->literal = mlirIntegerAttrGet(type, folded);
  }
  return PA_OK;
}

//===-- Comparisons -------------------------------------------------------------------------------===//

// Two pointers, or one and None, which is NULL.
static bool are_pointers(MlirType a, MlirType b) {
  return (pyarrayTypeIsPointer(a) && (pyarrayTypeIsPointer(b) || pyarrayTypeIsNone(b))) ||
         (pyarrayTypeIsNone(a) && pyarrayTypeIsPointer(b));
}

static pa_status type_identity(const pa_typing *typing, pyarray_compare_kind kind, pa_fact lhs, pa_fact rhs,
                               pa_operator *out) {
  bool same_type = mlirTypeEqual(lhs.type, rhs.type);
  if (are_pointers(lhs.type, rhs.type))
    return *out = (pa_operator){lhs.type, rhs.type, mlirIntegerTypeGet(typing->context, 1), {NULL}}, PA_OK;
  bool decided =
      pyarrayTypeIsNone(lhs.type) || pyarrayTypeIsNone(rhs.type) || pyarrayTypeIsCallable(lhs.type) || !same_type;
  if (!decided && pa_scalar_of(lhs.type) == PA_NOT_SCALAR) return no_operator(typing, compare_symbols[kind], lhs, rhs);
  *out = (pa_operator){lhs.type, rhs.type, mlirIntegerTypeGet(typing->context, 1), {NULL}};
  if (decided) out->literal = mlirBoolAttrGet(typing->context, same_type == (kind == PYARRAY_COMPARE_IS));
  return PA_OK;
}

static bool is_equality(pyarray_compare_kind kind) { return kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE; }

static pa_status type_tuple_comparison(const pa_typing *typing, pyarray_compare_kind kind, pa_fact lhs, pa_fact rhs,
                                       pa_operator *out) {
  *out = (pa_operator){lhs.type, rhs.type, mlirIntegerTypeGet(typing->context, 1), {NULL}};
  if (is_equality(kind) && mlirTupleTypeGetNumTypes(lhs.type) != mlirTupleTypeGetNumTypes(rhs.type))
    out->literal = mlirBoolAttrGet(typing->context, kind == PYARRAY_COMPARE_NE);
  return PA_OK;
}

bool pa_fold_comparison(pyarray_compare_kind kind, int64_t a, int64_t b) {
  switch (kind) {
  case PYARRAY_COMPARE_EQ: return a == b;
  case PYARRAY_COMPARE_NE: return a != b;
  case PYARRAY_COMPARE_LT: return a < b;
  case PYARRAY_COMPARE_LE: return a <= b;
  case PYARRAY_COMPARE_GT: return a > b;
  default: return a >= b;
  }
}

// A number that a float64 holds, and that no int64 or uint64 but itself becomes when it is rounded to one.
static bool is_exact_literal(pa_fact fact) {
  int64_t value;
  if (pa_literal_int(fact, &value)) return value <= (int64_t)1 << 53 && value >= -((int64_t)1 << 53);
  if (mlirAttributeIsNull(fact.literal) || !mlirAttributeIsAFloat(fact.literal)) return false;
  return fabs(mlirFloatAttrGetValueDouble(fact.literal)) < 0x1p53;
}

static pa_scalar widest(pa_scalar s) {
  if (pa_is_complex(s)) return PA_C128;
  return pa_is_float(s) ? PA_F64 : pa_is_unsigned(s) ? PA_U64 : PA_I64;
}

static bool is_long(pa_scalar s) { return s == PA_I64 || s == PA_U64; }

// The types that two numbers are compared in: one that holds the values of both, or the widest of each kind.
static void comparison_types(pa_fact lhs, pa_fact rhs, pa_scalar *a, pa_scalar *b) {
  pa_scalar common = *a == *b ? *a : arithmetic_result(*a, *b, lhs, rhs);
  bool rounds = (is_long(*a) || is_long(*b)) && (common == PA_F64 || common == PA_C128);
  if (is_integral(*a) != is_integral(*b) && (is_exact_literal(lhs) || is_exact_literal(rhs))) rounds = false;
  *a = rounds ? widest(*a) : common;
  *b = rounds ? widest(*b) : common;
}

// Containers that are elements of tuples; others have been through pa_type_container_operator.
static pa_status type_element_containers(const pa_typing *typing, pyarray_compare_kind kind, pa_fact lhs, pa_fact rhs,
                                         pa_operator *out) {
  pa_container container = pa_container_of(lhs.type);
  bool sets = pyarrayTypeIsSet(lhs.type) && pyarrayTypeIsSet(rhs.type);
  if ((container == PA_DICT || sets) && !is_equality(kind)) return no_operator(typing, compare_symbols[kind], lhs, rhs);
  if (!mlirTypeEqual(lhs.type, rhs.type) || !(is_equality(kind) || container == PA_LIST || container == PA_DEQUE))
    return pa_typing_fail(
        typing, PA_CODE_UNSUPPORTED,
        "'%s' of %s and %s within tuples is not compiled\nhint: compare the elements of the tuples one by one",
        compare_symbols[kind], pa_text_of_type(typing, lhs.type), pa_text_of_type(typing, rhs.type));
  PA_TRY(pa_check_compared(typing, lhs));
  return *out = (pa_operator){lhs.type, rhs.type, mlirIntegerTypeGet(typing->context, 1), {NULL}}, PA_OK;
}

pa_status pa_type_compare(const pa_typing *typing, pyarray_compare_kind kind, pa_fact lhs, pa_fact rhs,
                          pa_operator *out) {
  if (kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT) return type_identity(typing, kind, lhs, rhs, out);
  MlirType boolean = mlirIntegerTypeGet(typing->context, 1);
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN) {
    if (!mlirTypeIsATuple(rhs.type)) return no_operator(typing, compare_symbols[kind], lhs, rhs);
    *out = (pa_operator){lhs.type, rhs.type, boolean, {NULL}};
    return PA_OK;
  }
  if (is_equality(kind) && pa_never_equal(lhs.type, rhs.type))
    return *out =
               (pa_operator){lhs.type, rhs.type, boolean, mlirBoolAttrGet(typing->context, kind == PYARRAY_COMPARE_NE)},
           PA_OK;
  if (pa_is_text(lhs.type) && mlirTypeEqual(lhs.type, rhs.type))
    return *out = (pa_operator){lhs.type, rhs.type, boolean, {NULL}}, PA_OK;
  if (mlirTypeIsATuple(lhs.type) && mlirTypeIsATuple(rhs.type))
    return type_tuple_comparison(typing, kind, lhs, rhs, out);
  if (pa_container_of(lhs.type) != PA_NO_CONTAINER && pa_container_of(lhs.type) == pa_container_of(rhs.type))
    return type_element_containers(typing, kind, lhs, rhs, out);
  if (is_equality(kind) &&
      (pyarrayTypeIsNone(lhs.type) || pyarrayTypeIsNone(rhs.type) || are_pointers(lhs.type, rhs.type)))
    return type_identity(typing, kind == PYARRAY_COMPARE_EQ ? PYARRAY_COMPARE_IS : PYARRAY_COMPARE_ISNOT, lhs, rhs,
                         out);
  if (pa_is_time(lhs.type) || pa_is_time(rhs.type)) {
    bool fits = false;
    PA_TRY(pa_type_time_compare(typing, kind, lhs.type, rhs.type, out, &fits));
    return fits ? PA_OK : no_operator(typing, compare_symbols[kind], lhs, rhs);
  }
  pa_scalar a = pa_scalar_of(lhs.type), b = pa_scalar_of(rhs.type);
  bool complex = pa_is_complex(a) || pa_is_complex(b);
  if (a == PA_NOT_SCALAR || b == PA_NOT_SCALAR || (complex && !is_equality(kind)))
    return no_operator(typing, compare_symbols[kind], lhs, rhs);
  comparison_types(lhs, rhs, &a, &b);
  out->lhs = pa_scalar_type(typing->context, a);
  out->rhs = pa_scalar_type(typing->context, b);
  out->result = boolean;
  out->literal = (MlirAttribute){NULL};
  int64_t x, y;
  if (pa_literal_int(lhs, &x) && pa_literal_int(rhs, &y))
    out->literal = mlirBoolAttrGet(typing->context, pa_fold_comparison(kind, x, y));
  return PA_OK;
}
