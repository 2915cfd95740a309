// Of pyarray-lower: comparisons of values of any kind.
#include "lower_containers.h"
#include "lower_items.h"
#include "lower_numbers.h"
#include "lower_text.h"
#include "lower_values.h"

// Equality of values with the same type, elements of tuples in turn. |*at| walks over the flattened values.
static MlirValue equal_values(pa_lowering *lower, MlirType type, pa_values a, pa_values b, int *at) {
  pa_scalar scalar = pa_scalar_of(type);
  if (scalar != PA_NOT_SCALAR) {
    int i = (*at)++;
    return pa_compare_scalar(lower, PYARRAY_COMPARE_EQ, a.items[i], b.items[i], scalar);
  }
  if (pa_is_text(type)) {
    int i = (*at)++;
    return pa_text_equal(lower, a.items[i], b.items[i]);
  }
  if (pyarrayTypeIsArray(type)) pa_lower_fail(lower, "== of two values of type %s", pa_type_text(lower->arena, type));
  MlirValue all = pa_int(lower, lower->i1, 1);
  for (intptr_t i = 0; mlirTypeIsATuple(type) && i < mlirTupleTypeGetNumTypes(type); ++i)
    all = pa_and(lower, all, equal_values(lower, mlirTupleTypeGetType(type, i), a, b, at));
  return all;
}

// Frozen ones too, with items of one type.
static bool are_sets(MlirType a, MlirType b) {
  return pyarrayTypeIsSet(a) && pyarrayTypeIsSet(b) && mlirTypeEqual(pyarrayTypeGetItem(a), pyarrayTypeGetItem(b));
}

void pa_lower_compare(pa_lowering *lower, MlirOperation op) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind"));
  MlirValue lhs = pa_operand(op, 0), rhs = pa_operand(op, 1);
  pa_scalar a = pa_scalar_of_value(lhs), b = pa_scalar_of_value(rhs);
  bool numbers = a != PA_NOT_SCALAR && b != PA_NOT_SCALAR && kind < PYARRAY_COMPARE_IN;
  bool negated = kind == PYARRAY_COMPARE_NE || kind == PYARRAY_COMPARE_ISNOT;
  bool equality = negated || kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_IS;
  MlirValue result;
  if (equality &&
      (are_sets(mlirValueGetType(lhs), mlirValueGetType(rhs)) ||
       (pyarrayTypeIsDict(mlirValueGetType(lhs)) && mlirTypeEqual(mlirValueGetType(lhs), mlirValueGetType(rhs))))) {
    result = pa_equal_objects(lower, negated, lhs, rhs);
  } else if (pyarrayTypeIsList(mlirValueGetType(lhs)) && mlirTypeEqual(mlirValueGetType(lhs), mlirValueGetType(rhs))) {
    result = pa_compare_objects(lower, kind, lhs, rhs);
  } else if (pa_is_text(mlirValueGetType(lhs)) && mlirTypeEqual(mlirValueGetType(lhs), mlirValueGetType(rhs)) &&
             kind < PYARRAY_COMPARE_IS) {
    result = pa_compare_text(lower, kind, lhs, rhs);
  } else if (numbers && (a == b || kind < PYARRAY_COMPARE_IS)) {
    result = pa_compare_numbers(lower, kind, pa_get1(lower, lhs), a, pa_get1(lower, rhs), b);
  } else if (equality && (pyarrayTypeIsPointer(mlirValueGetType(lhs)) || pyarrayTypeIsPointer(mlirValueGetType(rhs)))) {
    MlirValue left = pa_address_of(lower, lhs), right = pa_address_of(lower, rhs);
    result = pa_compare_int(lower, negated ? PA_NE : PA_EQ, left, right);
  } else if (!mlirTypeEqual(mlirValueGetType(lhs), mlirValueGetType(rhs)) && equality) {
    result = pa_int(lower, lower->i1, negated); // None and a number, say
  } else if (equality) {
    int at = 0;
    result = equal_values(lower, mlirValueGetType(lhs), pa_get(lower, lhs), pa_get(lower, rhs), &at);
    if (negated) result = pa_not(lower, result);
  } else {
    pa_lower_fail(lower, "this comparison of %s is not compiled", pa_type_text(lower->arena, mlirValueGetType(lhs)));
    return;
  }
  pa_set1(lower, pa_result(op), result);
}
