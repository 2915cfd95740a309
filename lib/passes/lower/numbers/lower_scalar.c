// Of pyarray-lower: numbers. Operators, truth and conversions, with Python's meaning.
//
//   %0 = pyarray.binary floordiv %a, %b : (si64, si64) -> si64
// becomes a test of %b that raises ZeroDivisionError, arith.divsi, and a correction towards minus infinity.
#include <math.h>

#include "lower_numbers.h"

//===-- Complex numbers ---------------------------------------------------------------------------===//

static MlirType part_type(const pa_lowering *lower, MlirValue z) {
  MlirType type = pa_type_or_none(lower, z);
  return mlirTypeIsAComplex(type) ? mlirComplexTypeGetElementType(type) : lower->f64;
}

MlirValue pa_real_part(pa_lowering *lower, MlirValue z) {
  return pa_convert(lower, "complex.re", z, part_type(lower, z));
}
MlirValue pa_imag_part(pa_lowering *lower, MlirValue z) {
  return pa_convert(lower, "complex.im", z, part_type(lower, z));
}

MlirValue pa_complex(pa_lowering *lower, MlirValue real, MlirValue imag) {
  MlirType part = pa_type_or_none(lower, real);
  MlirType type = mlirComplexTypeGet(mlirTypeIsAF32(part) ? lower->f32 : lower->f64);
  return pa_value(&lower->builder, "complex.create", PA_OPERANDS(real, imag), PA_RESULTS(type));
}

// Smith's division (Comm. ACM 5, 1962) in CPython's order of operations. |b| may be 0 where no error is raised: then,
// as in NumPy, the parts are divided by 0. NumPy multiplies by the inverse of what CPython divides by.
static MlirValue divide_complex(pa_lowering *lower, MlirValue a, MlirValue b, bool as_numpy) {
  MlirValue ar = pa_real_part(lower, a), ai = pa_imag_part(lower, a);
  MlirValue br = pa_real_part(lower, b), bi = pa_imag_part(lower, b);
  MlirValue size_r = pa_unary(lower, "math.absf", br), size_i = pa_unary(lower, "math.absf", bi);
  MlirValue by_real = pa_compare_real(lower, PA_OGE, size_r, size_i);
  MlirValue large = pa_select(lower, by_real, br, bi), small = pa_select(lower, by_real, bi, br);
  MlirValue x = pa_select(lower, by_real, ar, ai), y = pa_select(lower, by_real, ai, ar);
  MlirValue ratio = pa_binary(lower, "arith.divf", small, large);
  MlirValue scale = pa_binary(lower, "arith.addf", large, pa_binary(lower, "arith.mulf", small, ratio));
  MlirValue real = pa_binary(lower, "arith.addf", x, pa_binary(lower, "arith.mulf", y, ratio));
  MlirValue cross = pa_binary(lower, "arith.mulf", x, ratio);
  MlirValue difference = pa_binary(lower, "arith.subf", y, cross);
  MlirValue imag = pa_select(lower, by_real, difference, pa_binary(lower, "arith.subf", cross, y));
  if (as_numpy) scale = pa_binary(lower, "arith.divf", pa_real(lower, part_type(lower, b), 1), scale);
  real = pa_binary(lower, as_numpy ? "arith.mulf" : "arith.divf", real, scale);
  imag = pa_binary(lower, as_numpy ? "arith.mulf" : "arith.divf", imag, scale);
  if (as_numpy || !lower->python_errors) {
    MlirValue zero = pa_real(lower, part_type(lower, b), 0);
    MlirValue by_zero = pa_and(lower, by_real, pa_compare_real(lower, PA_OEQ, size_r, zero));
    real = pa_select(lower, by_zero, pa_binary(lower, "arith.divf", ar, size_r), real);
    imag = pa_select(lower, by_zero, pa_binary(lower, "arith.divf", ai, size_r), imag);
  }
  return pa_complex(lower, real, imag);
}

//===-- Tests -------------------------------------------------------------------------------------===//

// Without fastmath flags, under which nothing is infinite.
static MlirValue compare_size(pa_lowering *lower, pa_fcmp predicate, MlirValue x) {
  MlirType type = pa_type_or_none(lower, x);
  MlirValue size = pa_value(&lower->builder, "math.absf", PA_OPERANDS(x), PA_RESULTS(type));
  return pa_compare_real(lower, predicate, size, pa_real(lower, type, INFINITY));
}

MlirValue pa_not_finite(pa_lowering *lower, MlirValue x) { return compare_size(lower, PA_UNGE, x); }
MlirValue pa_is_infinite(pa_lowering *lower, MlirValue x) { return compare_size(lower, PA_OEQ, x); }

MlirValue pa_became_infinite(pa_lowering *lower, MlirValue result, MlirValue x) {
  MlirValue infinite = pa_is_infinite(lower, result);
  return pa_and(lower, infinite, pa_not(lower, pa_is_infinite(lower, x)));
}

MlirValue pa_truth(pa_lowering *lower, MlirValue value, pa_scalar scalar) {
  if (scalar == PA_BOOL) return value;
  if (pa_is_complex(scalar)) {
    pa_scalar part = scalar == PA_C64 ? PA_F32 : PA_F64;
    MlirValue real = pa_truth(lower, pa_real_part(lower, value), part);
    return pa_or(lower, real, pa_truth(lower, pa_imag_part(lower, value), part));
  }
  MlirType type = pa_lower_scalar_type(lower, scalar);
  if (pa_is_float(scalar)) return pa_compare_real(lower, PA_UNE, value, pa_real(lower, type, 0));
  return pa_compare_int(lower, PA_NE, value, pa_int(lower, type, 0));
}

//===-- Conversions -------------------------------------------------------------------------------===//

// Saturates; NaN becomes 0. LLVM's instruction without .sat is undefined out of range.
static MlirValue truncate_to_int(pa_lowering *lower, MlirValue value, pa_scalar from, pa_scalar to) {
  if (pa_is_half(from)) return truncate_to_int(lower, pa_cast_scalar(lower, value, from, PA_F32), PA_F32, to);
  MlirAttribute name =
      pa_text(lower, pa_arena_format(lower->arena, "llvm.fpto%ci.sat.i%d.f%d", pa_is_signed(to) ? 's' : 'u',
                                     8 * pa_scalar_bytes(to), 8 * pa_scalar_bytes(from)));
  int32_t segments[] = {1, 0};
  return pa_value(&lower->builder, "llvm.call_intrinsic", PA_OPERANDS(value),
                  PA_RESULTS(pa_lower_scalar_type(lower, to)),
                  PA_ATTRS({"intrin", name}, {"op_bundle_sizes", mlirDenseI32ArrayGet(lower->context, 0, NULL)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
}

static MlirValue cast_to_int(pa_lowering *lower, MlirValue value, pa_scalar from, pa_scalar to) {
  if (pa_is_float(from)) return truncate_to_int(lower, value, from, to);
  int wider = pa_scalar_bytes(to) - pa_scalar_bytes(from);
  if (from != PA_BOOL && wider == 0) return value;
  const char *name = from != PA_BOOL && wider < 0 ? "arith.trunci" : pa_is_signed(from) ? "arith.extsi" : "arith.extui";
  return pa_convert(lower, name, value, pa_lower_scalar_type(lower, to));
}

static MlirValue cast_to_float(pa_lowering *lower, MlirValue value, pa_scalar from, pa_scalar to) {
  if (to == PA_F16) return pa_to_half(lower, value, from);
  if (to == PA_BF16) return pa_to_bfloat(lower, value, from);
  const char *name = pa_is_signed(from) ? "arith.sitofp" : "arith.uitofp";
  if (pa_is_float(from)) name = pa_scalar_bytes(to) > pa_scalar_bytes(from) ? "arith.extf" : "arith.truncf";
  return pa_convert(lower, name, value, pa_lower_scalar_type(lower, to));
}

MlirValue pa_cast_scalar(pa_lowering *lower, MlirValue value, pa_scalar from, pa_scalar to) {
  if (from == to) return value;
  if (to == PA_BOOL) return pa_truth(lower, value, from);
  if (pa_is_complex(to)) {
    pa_scalar part = to == PA_C64 ? PA_F32 : PA_F64, from_part = from == PA_C64 ? PA_F32 : PA_F64;
    if (!pa_is_complex(from))
      return pa_complex(lower, pa_cast_scalar(lower, value, from, part),
                        pa_real(lower, pa_lower_scalar_type(lower, part), 0));
    MlirValue real = pa_cast_scalar(lower, pa_real_part(lower, value), from_part, part);
    return pa_complex(lower, real, pa_cast_scalar(lower, pa_imag_part(lower, value), from_part, part));
  }
  if (pa_is_complex(from))
    return pa_cast_scalar(lower, pa_real_part(lower, value), from == PA_C64 ? PA_F32 : PA_F64, to);
  return pa_is_float(to) ? cast_to_float(lower, value, from, to) : cast_to_int(lower, value, from, to);
}

// |*at| walks over the values of the operand; results are appended to |out|.
static void cast_values(pa_lowering *lower, MlirType from, MlirType to, const MlirValue *values, int *at,
                        MlirValue *out, int *count) {
  if (pa_scalar_of(from) != PA_NOT_SCALAR && pa_scalar_of(to) != PA_NOT_SCALAR) {
    out[(*count)++] = pa_cast_scalar(lower, values[(*at)++], pa_scalar_of(from), pa_scalar_of(to));
  } else if (pyarrayTypeIsArray(from) && pyarrayTypeIsArray(to)) {
    out[(*count)++] = pa_cast_memref(lower, values[*at], pa_lower_array_type(lower, to));
    out[(*count)++] = values[*at + 1];
    *at += 2;
  } else if (mlirTypeIsATuple(from) && mlirTypeIsATuple(to) &&
             mlirTupleTypeGetNumTypes(from) == mlirTupleTypeGetNumTypes(to)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(from); ++i)
      cast_values(lower, mlirTupleTypeGetType(from, i), mlirTupleTypeGetType(to, i), values, at, out, count);
  } else if (mlirTypeEqual(from, to)) {
    for (int i = pa_flat_count(lower, from); i > 0; --i) out[(*count)++] = values[(*at)++];
  } else if (pyarrayTypeIsOptional(to) && pyarrayTypeIsNone(from)) {
    pa_unbound_values(lower, to, out, count);
  } else if (pyarrayTypeIsOptional(to)) {
    bool optional = pyarrayTypeIsOptional(from);
    out[(*count)++] = optional ? values[(*at)++] : pa_int(lower, lower->i1, 1);
    cast_values(lower, optional ? pyarrayTypeGetItem(from) : from, pyarrayTypeGetItem(to), values, at, out, count);
  } else {
    pa_lower_fail(lower, "cannot convert %s to %s", pa_type_text(lower->arena, from), pa_type_text(lower->arena, to));
  }
}

pa_values pa_cast_values(pa_lowering *lower, MlirType from, pa_values values, MlirType to) {
  MlirValue *out = PA_NEW_ARRAY(lower->arena, MlirValue, pa_flat_count(lower, to) + values.count + 1);
  int at = 0, count = 0;
  cast_values(lower, from, to, values.items, &at, out, &count);
  return (pa_values){out, count};
}

void pa_lower_cast(pa_lowering *lower, MlirOperation op) {
  MlirValue value = pa_operand(op, 0), result = pa_result(op);
  pa_values values = pa_cast_values(lower, mlirValueGetType(value), pa_get(lower, value), mlirValueGetType(result));
  pa_set(lower, result, values.items, values.count);
}

//===-- Integer division --------------------------------------------------------------------------===//

typedef struct division {
  pa_scalar scalar;
  MlirValue a, b;
  bool known; // b is |value|, not 0
  int64_t value;
  bool both_positive;  // never negative, that is
  const char *by_zero; // message
} division;

static MlirValue int_constant(pa_lowering *lower, const division *d, int64_t value) {
  return pa_int(lower, pa_lower_scalar_type(lower, d->scalar), value);
}

// Raises for a divisor of 0 or, where no error is wanted, puts 1 in its place; |*out_zero| then says where, else it is
// null.
static void check_divisor(pa_lowering *lower, division *d, MlirValue *out_zero) {
  *out_zero = (MlirValue){NULL};
  if (d->known) return;
  MlirValue zero = pa_compare_int(lower, PA_EQ, d->b, int_constant(lower, d, 0));
  if (lower->python_errors) {
    pa_raise_if(lower, zero, "ZeroDivisionError", d->by_zero);
  } else {
    d->b = pa_select(lower, zero, int_constant(lower, d, 1), d->b);
    *out_zero = zero;
  }
}

static int power_of_two(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0 ? __builtin_ctzll((uint64_t)value) : -1;
}

// Towards minus infinity. -2**63 // -1 wraps: a divisor of -1 is replaced by 1, and the quotient negated.
static void floor_division(pa_lowering *lower, const division *d, MlirValue *quotient, MlirValue *remainder) {
  MlirValue zero = int_constant(lower, d, 0), one = int_constant(lower, d, 1), divisor = d->b, minus_one = {NULL};
  if (!d->known || d->value == -1) {
    minus_one = pa_compare_int(lower, PA_EQ, d->b, int_constant(lower, d, -1));
    divisor = pa_select(lower, minus_one, one, d->b);
  }
  *quotient = pa_binary(lower, "arith.divsi", d->a, divisor);
  *remainder = pa_binary(lower, "arith.remsi", d->a, divisor);
  MlirValue signs = d->known && d->value > 0 ? *remainder : pa_binary(lower, "arith.xori", *remainder, divisor);
  MlirValue uneven = pa_compare_int(lower, PA_NE, *remainder, zero),
            opposite = pa_compare_int(lower, PA_SLT, signs, zero);
  MlirValue correct = d->known && d->value > 0 ? opposite : pa_and(lower, uneven, opposite);
  *remainder = pa_select(lower, correct, pa_binary(lower, "arith.addi", *remainder, divisor), *remainder);
  *quotient = pa_select(lower, correct, pa_binary(lower, "arith.subi", *quotient, one), *quotient);
  if (!mlirValueIsNull(minus_one))
    *quotient = pa_select(lower, minus_one, pa_binary(lower, "arith.subi", zero, d->a), *quotient);
}

static void divide_integers(pa_lowering *lower, division *d, MlirValue *quotient, MlirValue *remainder) {
  MlirValue by_zero;
  check_divisor(lower, d, &by_zero);
  int shift = d->known && pa_is_signed(d->scalar) ? power_of_two(d->value) : -1;
  if (shift >= 0) {
    *quotient = pa_binary(lower, "arith.shrsi", d->a, int_constant(lower, d, shift));
    *remainder = pa_binary(lower, "arith.andi", d->a, int_constant(lower, d, d->value - 1));
  } else if (pa_is_unsigned(d->scalar) || d->both_positive) {
    bool with_sign = pa_is_signed(d->scalar);
    *quotient = pa_binary(lower, with_sign ? "arith.divsi" : "arith.divui", d->a, d->b);
    *remainder = pa_binary(lower, with_sign ? "arith.remsi" : "arith.remui", d->a, d->b);
  } else {
    floor_division(lower, d, quotient, remainder);
  }
  if (mlirValueIsNull(by_zero)) return;
  *quotient = pa_select(lower, by_zero, int_constant(lower, d, 0), *quotient);
  *remainder = pa_select(lower, by_zero, int_constant(lower, d, 0), *remainder);
}

//===-- Float division ----------------------------------------------------------------------------===//

static bool known_nonzero(pa_lowering *lower, MlirValue value) {
  double known;
  return pa_known_real(lower, value, &known) && known != 0;
}

static void check_float_divisor(pa_lowering *lower, MlirValue rhs, MlirValue b, const char *message) {
  if (!lower->python_errors || known_nonzero(lower, rhs)) return;
  MlirValue zero = pa_real(lower, pa_type_or_none(lower, b), 0);
  pa_raise_if(lower, pa_compare_real(lower, PA_OEQ, b, zero), "ZeroDivisionError", message);
}

// CPython's _float_div_mod (Objects/floatobject.c), operation for operation; as NumPy, of floats of 16 bits in float32.
static void divide_floats(pa_lowering *lower, MlirValue a, MlirValue b, MlirValue *quotient, MlirValue *remainder) {
  MlirType type = pa_type_or_none(lower, a);
  pa_scalar scalar = pa_scalar_of(type);
  if (pa_is_half(scalar)) {
    MlirValue x = pa_cast_scalar(lower, a, scalar, PA_F32), y = pa_cast_scalar(lower, b, scalar, PA_F32);
    divide_floats(lower, x, y, quotient, remainder);
    *quotient = pa_cast_scalar(lower, *quotient, PA_F32, scalar);
    *remainder = pa_cast_scalar(lower, *remainder, PA_F32, scalar);
    return;
  }
  MlirValue zero = pa_real(lower, type, 0), one = pa_real(lower, type, 1);
  MlirValue rest = pa_binary(lower, "arith.remf", a, b);
  MlirValue whole = pa_binary(lower, "arith.divf", pa_binary(lower, "arith.subf", a, rest), b);
  MlirValue uneven = pa_compare_real(lower, PA_UNE, rest, zero);
  MlirValue negative = pa_compare_real(lower, PA_OLT, b, zero);
  MlirValue signs = pa_binary(lower, "arith.xori", negative, pa_compare_real(lower, PA_OLT, rest, zero));
  MlirValue correct = pa_and(lower, uneven, signs);
  MlirValue signed_zero = pa_binary(lower, "math.copysign", zero, b);
  *remainder = pa_select(lower, uneven, rest, signed_zero);
  *remainder = pa_select(lower, correct, pa_binary(lower, "arith.addf", rest, b), *remainder);
  whole = pa_select(lower, correct, pa_binary(lower, "arith.subf", whole, one), whole);
  MlirValue floored = pa_unary(lower, "math.floor", whole);
  MlirValue excess = pa_binary(lower, "arith.subf", whole, floored);
  MlirValue round_up = pa_compare_real(lower, PA_OGT, excess, pa_real(lower, type, 0.5));
  floored = pa_select(lower, round_up, pa_binary(lower, "arith.addf", floored, one), floored);
  MlirValue ratio = pa_binary(lower, "arith.divf", a, b);
  MlirValue none = pa_binary(lower, "math.copysign", zero, ratio);
  *quotient = pa_select(lower, pa_compare_real(lower, PA_UNE, whole, zero), floored, none);
  if (!lower->python_errors) *quotient = pa_select(lower, pa_compare_real(lower, PA_OEQ, b, zero), ratio, *quotient);
}

MlirValue pa_divide(pa_lowering *lower, MlirValue a, MlirValue b, pa_scalar scalar) {
  return pa_is_complex(scalar) ? divide_complex(lower, a, b, false) : pa_binary(lower, "arith.divf", a, b);
}

MlirValue pa_divide_as_numpy(pa_lowering *lower, MlirValue a, MlirValue b, pa_scalar scalar) {
  return pa_is_complex(scalar) ? divide_complex(lower, a, b, true) : pa_binary(lower, "arith.divf", a, b);
}

//===-- Division operators ------------------------------------------------------------------------===//

typedef struct division_messages {
  const char *integer, *real;
} division_messages;

static void divide_both(pa_lowering *lower, MlirValue lhs, MlirValue rhs, division_messages messages,
                        MlirValue *quotient, MlirValue *remainder) {
  MlirValue a = pa_get1(lower, lhs), b = pa_get1(lower, rhs);
  pa_scalar scalar = pa_scalar_of_value(lhs);
  if (pa_is_float(scalar)) {
    check_float_divisor(lower, rhs, b, messages.real);
    divide_floats(lower, a, b, quotient, remainder);
    return;
  }
  division d = {.scalar = scalar, .a = a, .b = b, .by_zero = messages.integer};
  d.known = pa_known_int(lower, rhs, &d.value) && d.value != 0;
  d.both_positive = pa_is_signed(scalar) && pa_is_non_negative(lower, lhs) && pa_is_non_negative(lower, rhs);
  divide_integers(lower, &d, quotient, remainder);
}

void pa_divmod(pa_lowering *lower, MlirValue lhs, MlirValue rhs, MlirValue *out_quotient, MlirValue *out_remainder) {
  division_messages messages = {"integer division or modulo by zero", "float divmod()"};
  divide_both(lower, lhs, rhs, messages, out_quotient, out_remainder);
}

static MlirValue true_division(pa_lowering *lower, MlirValue lhs, MlirValue rhs, bool integers) {
  MlirValue a = pa_get1(lower, lhs), b = pa_get1(lower, rhs);
  pa_scalar scalar = pa_scalar_of_value(lhs);
  if (!pa_is_complex(scalar)) {
    check_float_divisor(lower, rhs, b, integers ? "division by zero" : "float division by zero");
  } else if (lower->python_errors && !known_nonzero(lower, rhs)) {
    pa_raise_if(lower, pa_not(lower, pa_truth(lower, b, scalar)), "ZeroDivisionError", "complex division by zero");
  }
  return pa_divide(lower, a, b, scalar);
}

//===-- Shifts ------------------------------------------------------------------------------------===//

static MlirValue shift(pa_lowering *lower, bool left, MlirValue lhs, MlirValue rhs) {
  MlirValue a = pa_get1(lower, lhs), count = pa_get1(lower, rhs);
  pa_scalar scalar = pa_scalar_of_value(lhs), count_scalar = pa_scalar_of_value(rhs);
  MlirType type = pa_lower_scalar_type(lower, scalar), count_type = pa_lower_scalar_type(lower, count_scalar);
  int64_t width = 8 * pa_scalar_bytes(scalar), known;
  const char *name = left ? "arith.shli" : pa_is_signed(scalar) ? "arith.shrsi" : "arith.shrui";
  if (pa_known_int(lower, rhs, &known) && known >= 0 && known < width)
    return pa_binary(lower, name, a, pa_int(lower, type, known));
  if (lower->python_errors && pa_is_signed(count_scalar) && !pa_is_non_negative(lower, rhs))
    pa_raise_if(lower, pa_compare_int(lower, PA_SLT, count, pa_int(lower, count_type, 0)), "ValueError",
                "negative shift count");
  MlirValue large = pa_compare_int(lower, PA_UGE, count, pa_int(lower, count_type, width));
  MlirValue within = pa_select(lower, large, pa_int(lower, count_type, width - 1), count);
  MlirValue shifted = pa_binary(lower, name, a, pa_cast_scalar(lower, within, count_scalar, scalar));
  bool fills_with_sign = !left && pa_is_signed(scalar);
  return fills_with_sign ? shifted : pa_select(lower, large, pa_int(lower, type, 0), shifted);
}

//===-- Binary operators --------------------------------------------------------------------------===//

static const struct {
  const char *integer, *real, *complex;
} binary_names[] = {
    [PYARRAY_BINARY_ADD] = {"arith.addi", "arith.addf", "complex.add"},
    [PYARRAY_BINARY_SUB] = {"arith.subi", "arith.subf", "complex.sub"},
    [PYARRAY_BINARY_MUL] = {"arith.muli", "arith.mulf", "complex.mul"},
    [PYARRAY_BINARY_AND] = {.integer = "arith.andi"},
    [PYARRAY_BINARY_OR] = {.integer = "arith.ori"},
    [PYARRAY_BINARY_XOR] = {.integer = "arith.xori"},
    [PYARRAY_BINARY_MATMUL] = {0},
};

static MlirValue plain_binary(pa_lowering *lower, pyarray_binary_kind kind, MlirValue lhs, MlirValue rhs) {
  pa_scalar scalar = pa_scalar_of_value(lhs);
  const char *name = pa_is_complex(scalar) ? binary_names[kind].complex
                     : pa_is_float(scalar) ? binary_names[kind].real
                                           : binary_names[kind].integer;
  if (name) return pa_binary(lower, name, pa_get1(lower, lhs), pa_get1(lower, rhs));
  pa_lower_fail(lower, "this operator does not apply to %s", pa_type_text(lower->arena, mlirValueGetType(lhs)));
  return (MlirValue){NULL};
}

MlirValue pa_binary_scalar(pa_lowering *lower, pyarray_binary_kind kind, MlirValue lhs, MlirValue rhs) {
  MlirValue quotient, remainder;
  switch (kind) {
  case PYARRAY_BINARY_TRUEDIV: return true_division(lower, lhs, rhs, false);
  case PYARRAY_BINARY_FLOORDIV:
    divide_both(lower, lhs, rhs,
                (division_messages){"integer division or modulo by zero", "float floor division by zero"}, &quotient,
                &remainder);
    return quotient;
  case PYARRAY_BINARY_MOD:
    divide_both(lower, lhs, rhs, (division_messages){"integer modulo by zero", "float modulo"}, &quotient, &remainder);
    return remainder;
  case PYARRAY_BINARY_POW: return pa_power(lower, lhs, rhs);
  case PYARRAY_BINARY_LSHIFT: return shift(lower, true, lhs, rhs);
  case PYARRAY_BINARY_RSHIFT: return shift(lower, false, lhs, rhs);
  default: return plain_binary(lower, kind, lhs, rhs);
  }
}

static void concatenate(pa_lowering *lower, MlirOperation op) {
  pa_values a = pa_get(lower, pa_operand(op, 0)), b = pa_get(lower, pa_operand(op, 1));
  MlirValue *both = PA_NEW_ARRAY(lower->arena, MlirValue, a.count + b.count + 1);
  for (int i = 0; i < a.count + b.count; ++i) both[i] = i < a.count ? a.items[i] : b.items[i - a.count];
  pa_set(lower, pa_result(op), both, a.count + b.count);
}

void pa_lower_binary(pa_lowering *lower, MlirOperation op) {
  pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
  if (kind == PYARRAY_BINARY_TRUEDIV && !mlirAttributeIsNull(pa_get_attr(op, "pyarray.integers")))
    pa_set1(lower, pa_result(op), true_division(lower, pa_operand(op, 0), pa_operand(op, 1), true));
  else if (pa_scalar_of_value(pa_operand(op, 0)) != PA_NOT_SCALAR)
    pa_set1(lower, pa_result(op), pa_binary_scalar(lower, kind, pa_operand(op, 0), pa_operand(op, 1)));
  else if (mlirTypeIsATuple(mlirValueGetType(pa_operand(op, 0))) && kind == PYARRAY_BINARY_ADD)
    concatenate(lower, op);
  else
    pa_lower_fail(lower, "operators on %s are not compiled yet",
                  pa_type_text(lower->arena, mlirValueGetType(pa_operand(op, 0))));
}

//===-- Unary operators ---------------------------------------------------------------------------===//

MlirValue pa_negated(pa_lowering *lower, MlirValue a, pa_scalar scalar) {
  if (pa_is_float(scalar)) return pa_unary(lower, "arith.negf", a);
  if (pa_is_complex(scalar)) {
    MlirValue real = pa_unary(lower, "arith.negf", pa_real_part(lower, a));
    return pa_complex(lower, real, pa_unary(lower, "arith.negf", pa_imag_part(lower, a)));
  }
  return pa_binary(lower, "arith.subi", pa_int(lower, pa_lower_scalar_type(lower, scalar), 0), a);
}
