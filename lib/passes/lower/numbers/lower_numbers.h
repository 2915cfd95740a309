// Scalars: arithmetic, functions, complex numbers.
#ifndef PYARRAY_LIB_PASSES_LOWER_NUMBERS_H
#define PYARRAY_LIB_PASSES_LOWER_NUMBERS_H

#include "lower_internal.h"

// lower_scalar.c
MlirValue pa_cast_scalar(pa_lowering *lower, MlirValue value, pa_scalar from, pa_scalar to);
pa_values pa_cast_values(pa_lowering *lower, MlirType from, pa_values values,
                         MlirType to); // fails where no conversion is
MlirValue pa_truth(pa_lowering *lower, MlirValue value, pa_scalar scalar);
// |lhs| and |rhs| are level-3 values.
MlirValue pa_binary_scalar(pa_lowering *lower, pyarray_binary_kind kind, MlirValue lhs, MlirValue rhs);
void pa_divmod(pa_lowering *lower, MlirValue lhs, MlirValue rhs, MlirValue *out_quotient, MlirValue *out_remainder);
MlirValue pa_divide(pa_lowering *lower, MlirValue a, MlirValue b, pa_scalar scalar);          // without checks
MlirValue pa_divide_as_numpy(pa_lowering *lower, MlirValue a, MlirValue b, pa_scalar scalar); // to the bit
MlirValue pa_not_finite(pa_lowering *lower, MlirValue x);                                     // infinite or NaN
MlirValue pa_is_infinite(pa_lowering *lower, MlirValue x);
MlirValue pa_became_infinite(pa_lowering *lower, MlirValue result, MlirValue x); // |result| is, |x| is not
MlirValue pa_negated(pa_lowering *lower, MlirValue a, pa_scalar scalar);
MlirValue pa_real_part(pa_lowering *lower, MlirValue z);
MlirValue pa_imag_part(pa_lowering *lower, MlirValue z);
MlirValue pa_complex(pa_lowering *lower, MlirValue real, MlirValue imag);
void pa_lower_binary(pa_lowering *lower, MlirOperation op);
void pa_lower_cast(pa_lowering *lower, MlirOperation op);

// lower_compare_numbers.c
MlirValue pa_compare_scalar(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b, pa_scalar scalar);
// By the exact values of numbers of any types (lower_compare.c).
MlirValue pa_compare_numbers(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, pa_scalar a_scalar,
                             MlirValue b, pa_scalar b_scalar);
// As NumPy has it: complex numbers are ordered by their real parts, then by the imaginary ones. |lhs| and |rhs| are
// level-3 values.
MlirValue pa_compare_in_order(pa_lowering *lower, pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs);

// lower_half.c
MlirValue pa_to_half(pa_lowering *lower, MlirValue value,
                     pa_scalar from); // a real number, rounded once, to the nearest
MlirValue pa_to_bfloat(pa_lowering *lower, MlirValue value, pa_scalar from);
// As pa_call_libm; of float16 there is nextafter too.
MlirValue pa_call_math(pa_lowering *lower, const char *name, MlirType result, const MlirValue *operands, int count);
MlirValue pa_half_spacing(pa_lowering *lower, MlirValue x);

// lower_power.c
MlirValue pa_power(pa_lowering *lower, MlirValue lhs, MlirValue rhs);
MlirValue pa_product_power(pa_lowering *lower, MlirValue x, int64_t exponent); // of a float, exponent > 0
// The complex result of pyarray_rt_complex_<name>(z..., out), in the type of |z[0]|; |*out_status| if not NULL.
MlirValue pa_call_complex(pa_lowering *lower, const char *name, const MlirValue *z, int count, MlirValue *out_status);

// lower_math.c
// Raises what the row says of a result (of several parts, where it is complex) that came of these arguments.
void pa_check_result(pa_lowering *lower, const pa_builtin_call *call, const MlirValue *results, int result_count,
                     const MlirValue *arguments, int count);

// lower_complex.c
// A call of a function of the runtime with complex arguments, named as the row's target is: "math.exp" or "asinh".
void pa_lower_complex_function(pa_lowering *lower, const pa_builtin_call *call);
void pa_lower_complex_reciprocal(pa_lowering *lower, const pa_builtin_call *call);
void pa_lower_complex_sign(pa_lowering *lower, const pa_builtin_call *call);
void pa_lower_complex_extreme(pa_lowering *lower, const pa_builtin_call *call); // np.maximum and the like

#endif // PYARRAY_LIB_PASSES_LOWER_NUMBERS_H
