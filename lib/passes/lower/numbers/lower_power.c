// Of pyarray-lower: Python's ** on numbers, and the runtime's functions of complex numbers.
//
//   %0 = pyarray.binary pow %x, %two : (f64, si64) -> f64    with a constant 2 becomes   arith.mulf %x, %x
#include <math.h>

#include "lower_numbers.h"

enum { LARGEST_INLINE_EXPONENT = 16 };

//===-- Calls of the runtime's complex functions --------------------------------------------------===//

// Two doubles in the entry block, shared by all such calls of the function.
static MlirValue complex_result(pa_lowering *lower) {
  if (!mlirValueIsNull(lower->complex_result)) return lower->complex_result;
  int64_t shape[] = {2};
  int32_t segments[] = {0, 0};
  MlirType type = mlirMemRefTypeContiguousGet(lower->f64, 1, shape, mlirAttributeGetNull());
  pa_builder builder = pa_entry_builder(lower);
  MlirOperation op = pa_op(&builder, "memref.alloca", PA_RESULTS(type),
                           PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
  pa_entry_built(lower, &builder, op);
  if (!mlirOperationIsNull(op)) lower->complex_result = mlirOperationGetResult(op, 0);
  return lower->complex_result;
}

static MlirValue load_part(pa_lowering *lower, MlirValue buffer, int64_t i, pa_scalar part) {
  MlirValue loaded = pa_value(&lower->builder, "memref.load", PA_OPERANDS(buffer, pa_int(lower, lower->index, i)),
                              PA_RESULTS(lower->f64));
  return pa_cast_scalar(lower, loaded, PA_F64, part);
}

MlirValue pa_call_complex(pa_lowering *lower, const char *name, const MlirValue *z, int count, MlirValue *out_status) {
  pa_scalar part = pa_scalar_of(pa_type_or_none(lower, z[0])) == PA_C64 ? PA_F32 : PA_F64;
  MlirValue operands[8];
  int operand_count = 0;
  for (int i = 0; i < count; ++i) {
    operands[operand_count++] = pa_cast_scalar(lower, pa_real_part(lower, z[i]), part, PA_F64);
    operands[operand_count++] = pa_cast_scalar(lower, pa_imag_part(lower, z[i]), part, PA_F64);
  }
  MlirValue buffer = complex_result(lower);
  MlirValue address = pa_convert(lower, "memref.extract_aligned_pointer_as_index", buffer, lower->index);
  operands[operand_count++] = pa_to_i64(lower, address);
  MlirValue status =
      pa_call_runtime(lower, pa_arena_format(lower->arena, "pyarray_rt_complex_%s", name), operands, operand_count);
  if (out_status) *out_status = status;
  MlirValue real = load_part(lower, buffer, 0, part), imag = load_part(lower, buffer, 1, part);
  return pa_complex(lower, real, imag);
}

//===-- Powers ------------------------------------------------------------------------------------===//

// |x| multiplied with itself, by repeated squaring.
static MlirValue inline_power(pa_lowering *lower, const char *multiply, MlirValue x, int64_t exponent, MlirValue one) {
  MlirValue result = {NULL}, square = x;
  for (int64_t left = exponent; left; left >>= 1) {
    if (left & 1) result = mlirValueIsNull(result) ? square : pa_binary(lower, multiply, result, square);
    if (left > 1) square = pa_binary(lower, multiply, square, square);
  }
  return exponent == 0 ? one : result;
}

MlirValue pa_product_power(pa_lowering *lower, MlirValue x, int64_t exponent) {
  return inline_power(lower, "arith.mulf", x, exponent, x);
}

static MlirValue integer_power(pa_lowering *lower, MlirValue lhs, MlirValue rhs) {
  pa_scalar scalar = pa_scalar_of_value(lhs), exponent_scalar = pa_scalar_of_value(rhs);
  MlirValue base = pa_get1(lower, lhs);
  int64_t known;
  if (pa_known_int(lower, rhs, &known) && known >= 0 && known <= LARGEST_INLINE_EXPONENT)
    return inline_power(lower, "arith.muli", base, known, pa_int(lower, pa_lower_scalar_type(lower, scalar), 1));
  pa_scalar wide = pa_is_unsigned(scalar) ? PA_U64 : PA_I64;
  MlirValue exponent =
      pa_cast_scalar(lower, pa_get1(lower, rhs), exponent_scalar, pa_is_unsigned(exponent_scalar) ? PA_U64 : PA_I64);
  if (!pa_is_unsigned(exponent_scalar) && !pa_is_non_negative(lower, rhs))
    pa_raise_if(lower, pa_compare_int(lower, PA_SLT, exponent, pa_int(lower, lower->i64, 0)), "ValueError",
                "Integers to negative integer powers are not allowed.");
  const char *function = pa_is_unsigned(scalar) || pa_is_unsigned(exponent_scalar)
                             ? "pyarray_rt_ipow_u64"
                             : "pyarray_rt_ipow_i64"; // the same bits
  return pa_cast_scalar(lower, pa_runtime(lower, function, pa_cast_scalar(lower, base, scalar, wide), exponent), wide,
                        scalar);
}

static void raise_range_error(pa_lowering *lower, MlirValue condition) {
  MlirAttribute arguments[] = {pa_i64_attr(lower->context, 34), pa_text(lower, "Numerical result out of range")};
  pa_scope scope = pa_if_begin(lower);
  pa_raise(lower, "OverflowError", arguments, 2);
  pa_if_end(lower, scope, condition);
}

// Errors show in the result alone: it is neither finite nor made from something that is not.
static void check_float_power(pa_lowering *lower, MlirValue base, MlirValue exponent, MlirValue power) {
  if (!lower->strict_errors) return;
  MlirType type = pa_type_or_none(lower, base);
  MlirValue zero = pa_real(lower, type, 0);
  MlirValue odd = pa_not_finite(lower, power);
  pa_scope scope = pa_if_begin(lower);
  MlirValue finite_exponent = pa_not(lower, pa_not_finite(lower, exponent));
  MlirValue pole = pa_compare_real(lower, PA_OEQ, base, zero);
  pole = pa_and(lower, pole, pa_compare_real(lower, PA_OLT, exponent, zero));
  pa_raise_if(lower, pa_and(lower, pole, finite_exponent), "ZeroDivisionError",
              "0.0 cannot be raised to a negative power");
  MlirValue finite = pa_and(lower, pa_not(lower, pa_not_finite(lower, base)), finite_exponent);
  raise_range_error(lower, pa_and(lower, finite, pa_is_infinite(lower, power)));
  pa_if_end(lower, scope, odd);
}

// Of floats of 16 bits in float32, and rounded.
static MlirValue float_power(pa_lowering *lower, MlirValue lhs, MlirValue rhs) {
  pa_scalar result = pa_scalar_of_value(lhs), scalar = pa_is_half(result) ? PA_F32 : result;
  MlirType type = pa_lower_scalar_type(lower, scalar);
  MlirValue base = pa_cast_scalar(lower, pa_get1(lower, lhs), result, scalar), power;
  double known;
  bool is_known = pa_known_real(lower, rhs, &known);
  MlirValue exponent = is_known ? pa_real(lower, type, known)
                                : pa_cast_scalar(lower, pa_get1(lower, rhs), pa_scalar_of_value(rhs), scalar);
  if (is_known && known >= 0 && known <= LARGEST_INLINE_EXPONENT && known == floor(known)) {
    power = inline_power(lower, "arith.mulf", base, (int64_t)known, pa_real(lower, type, 1));
    if (known < 2) return pa_cast_scalar(lower, power, scalar, result);
  } else {
    power = pa_binary(lower, "math.powf", base, exponent);
  }
  check_float_power(lower, base, exponent, power);
  return pa_cast_scalar(lower, power, scalar, result);
}

// CPython multiplies 1 by z * z, which decides the signs of zeros and what is NaN.
static MlirValue complex_square(pa_lowering *lower, MlirValue z) {
  MlirValue square = pa_binary(lower, "complex.mul", z, z);
  if (!lower->python_errors || lower->is_fast) return square;
  MlirValue real = pa_real_part(lower, square), imag = pa_imag_part(lower, square);
  MlirValue zero = pa_real(lower, pa_type_or_none(lower, real), 0);
  MlirValue x = pa_binary(lower, "arith.subf", real, pa_binary(lower, "arith.mulf", zero, imag));
  MlirValue y = pa_binary(lower, "arith.addf", imag, pa_binary(lower, "arith.mulf", zero, real));
  MlirValue infinite = pa_is_infinite(lower, x);
  infinite = pa_or(lower, infinite, pa_is_infinite(lower, y));
  if (lower->strict_errors) pa_raise_if(lower, infinite, "OverflowError", "complex exponentiation");
  return pa_complex(lower, x, y);
}

// NaN where 0 has no power: |status| is 1.
static MlirValue without_pole(pa_lowering *lower, MlirValue power, MlirValue status) {
  MlirValue pole = pa_compare_int(lower, PA_EQ, status, pa_int(lower, lower->i32, 1));
  MlirValue real = pa_real_part(lower, power), imag = pa_imag_part(lower, power);
  MlirValue nan = pa_real(lower, pa_type_or_none(lower, real), NAN);
  return pa_complex(lower, pa_select(lower, pole, nan, real), pa_select(lower, pole, nan, imag));
}

static MlirValue complex_power(pa_lowering *lower, MlirValue lhs, MlirValue rhs) {
  pa_scalar scalar = pa_scalar_of_value(lhs);
  MlirValue z[2] = {pa_get1(lower, lhs)}, status = {NULL};
  double known;
  if (pa_known_real(lower, rhs, &known) && known == 2) return complex_square(lower, z[0]);
  z[1] = pa_cast_scalar(lower, pa_get1(lower, rhs), pa_scalar_of_value(rhs), scalar);
  if (!lower->python_errors) return pa_call_complex(lower, "pow_numpy", z, 2, NULL);
  MlirValue power = pa_call_complex(lower, "pow", z, 2, &status);
  if (!lower->strict_errors) return without_pole(lower, power, status);
  MlirValue failed = pa_compare_int(lower, PA_NE, status, pa_int(lower, lower->i32, 0));
  pa_scope scope = pa_if_begin(lower);
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, status, pa_int(lower, lower->i32, 1)), "ZeroDivisionError",
              "0.0 to a negative or complex power");
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, status, pa_int(lower, lower->i32, 2)), "OverflowError",
              "complex exponentiation");
  pa_if_end(lower, scope, failed);
  return power;
}

MlirValue pa_power(pa_lowering *lower, MlirValue lhs, MlirValue rhs) {
  pa_scalar scalar = pa_scalar_of_value(lhs);
  if (pa_is_complex(scalar)) return complex_power(lower, lhs, rhs);
  return pa_is_float(scalar) ? float_power(lower, lhs, rhs) : integer_power(lower, lhs, rhs);
}
