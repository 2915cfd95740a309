// Of pyarray-lower: constants, and the values of variables that are not bound, which nobody reads.
#include "lower_items.h"
#include "lower_values.h"
#include "mlir-c/Dialect/Complex.h"

static MlirAttribute complex_parts(pa_lowering *lower, MlirType type, double real, double imag) {
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirAttribute parts[] = {mlirFloatAttrDoubleGet(lower->context, part, real),
                           mlirFloatAttrDoubleGet(lower->context, part, imag)};
  return mlirArrayAttrGet(lower->context, 2, parts);
}

// Whether somebody reads the value: the arguments of exceptions are kept as attributes.
static bool is_read(const pa_lowering *lower, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    pa_op_kind kind = pa_kind(&lower->names, user);
    bool raises = kind == PA_OP_RAISE || kind == PA_OP_CAUSE;
    if (!raises && (kind != PA_OP_TUPLE || is_read(lower, pa_result(user)))) return true;
  }
  return false;
}

static bool is_text_literal(const pa_lowering *lower, MlirOperation op) {
  return pa_is_text(mlirValueGetType(pa_result(op))) && !lower->device &&
         mlirAttributeIsAString(pa_get_attr(op, "value")) && is_read(lower, pa_result(op));
}

// None, text that nobody reads, or the tuple that is an argument of an exception, whose parts nobody reads.
static void lower_other_constant(pa_lowering *lower, MlirOperation op) {
  MlirType type = mlirValueGetType(pa_result(op));
  pa_types types = {0};
  pa_flatten(lower, type, &types);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, types.count + 1);
  bool text = mlirAttributeIsAString(pa_get_attr(op, "value"));
  if (types.count && !text) pa_lower_fail(lower, "this constant cannot be lowered");
  for (size_t i = 0; i < types.count; ++i)
    values[i] = mlirTypeEqual(types.items[i], lower->i64)
                    ? pa_int(lower, lower->i64, 0)
                    : pa_value(&lower->builder, "ub.poison", PA_RESULTS(types.items[i]));
  pa_set(lower, pa_result(op), values, (int)types.count);
}

void pa_lower_constant(pa_lowering *lower, MlirOperation op) {
  MlirAttribute value = pa_get_attr(op, "value");
  pa_scalar scalar = pa_scalar_of_value(pa_result(op));
  if (is_text_literal(lower, op)) {
    pa_set1(lower, pa_result(op), pa_text_literal(lower, value, pyarrayTypeIsBytes(mlirValueGetType(pa_result(op)))));
    return;
  }
  if (scalar == PA_NOT_SCALAR) {
    lower_other_constant(lower, op);
    return;
  }
  MlirType type = pa_lower_scalar_type(lower, scalar);
  double real;
  int64_t integer;
  MlirValue result = {NULL};
  if (pa_is_complex(scalar) && mlirAttributeIsAComplex(value))
    result = pa_constant_of(
        lower, type,
        complex_parts(lower, type, mlirComplexAttrGetRealDouble(value), mlirComplexAttrGetImagDouble(value)));
  else if (pa_is_float(scalar) && pa_known_real(lower, pa_result(op), &real))
    result = pa_real(lower, type, real);
  else if (!pa_is_complex(scalar) && !pa_is_float(scalar) && pa_known_int(lower, pa_result(op), &integer))
    result = pa_int(lower, type, integer);
  else
    pa_lower_fail(lower, "the constant does not fit its type %s",
                  pa_type_text(lower->arena, mlirValueGetType(pa_result(op))));
  pa_set1(lower, pa_result(op), result);
}

void pa_lower_unbound(pa_lowering *lower, MlirOperation op) {
  MlirType type = mlirValueGetType(pa_result(op));
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, pa_flat_count(lower, type) + 1);
  int count = 0;
  pa_unbound_values(lower, type, values, &count);
  pa_set(lower, pa_result(op), values, count);
}
