// Of pyarray-lower: truth, length, subscripts and attributes of values of any kind, each handed to what treats it.
#include "lower_arrays.h"
#include "lower_containers.h"
#include "lower_items.h"
#include "lower_numbers.h"
#include "lower_text.h"
#include "lower_values.h"

static MlirValue truth_of(pa_lowering *lower, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (pa_scalar_of(type) != PA_NOT_SCALAR) return pa_truth(lower, pa_get1(lower, value), pa_scalar_of(type));
  if (pyarrayTypeIsPointer(type))
    return pa_compare_int(lower, PA_NE, pa_address_of(lower, value), pa_int(lower, lower->i64, 0));
  if (pyarrayTypeIsList(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsSet(type))
    return pa_compare_int(lower, PA_NE, pa_list_length(lower, value), pa_int(lower, lower->i64, 0));
  if (pyarrayTypeIsRange(type))
    return pa_compare_int(lower, PA_NE, pa_range_length(lower, value), pa_int(lower, lower->i64, 0));
  bool truth = pyarrayTypeIsCallable(type) || pyarrayTypeIsGenerator(type) ||
               (mlirTypeIsATuple(type) && mlirTupleTypeGetNumTypes(type) > 0);
  if (pa_is_text(type)) return pa_text_truth(lower, value);
  if (pyarrayTypeIsArray(type)) {
    pa_lower_fail(lower, "the truth value of an array is not defined");
  }
  return pa_int(lower, lower->i1, truth);
}

void pa_lower_truth(pa_lowering *lower, MlirOperation op) {
  pa_set1(lower, pa_result(op), truth_of(lower, pa_operand(op, 0)));
}

void pa_lower_unary(pa_lowering *lower, MlirOperation op) {
  MlirValue operand = pa_operand(op, 0), result = {NULL};
  pa_scalar scalar = pa_scalar_of_value(operand);
  switch ((pyarray_unary_kind)pyarrayUnaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
  case PYARRAY_UNARY_NEG: result = pa_negated(lower, pa_get1(lower, operand), scalar); break;
  case PYARRAY_UNARY_POS: result = pa_get1(lower, operand); break;
  case PYARRAY_UNARY_NOT: result = pa_not(lower, truth_of(lower, operand)); break;
  case PYARRAY_UNARY_INVERT:
    result = pa_binary(lower, "arith.xori", pa_get1(lower, operand),
                       pa_int(lower, pa_lower_scalar_type(lower, scalar), scalar == PA_BOOL ? 1 : -1));
    break;
  }
  pa_set1(lower, pa_result(op), result);
}

static void lower_len(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue object = pa_operand(call->op, 0);
  MlirType type = mlirValueGetType(object);
  if (pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) > 0) {
    pa_array array = pa_array_of(lower, object);
    pa_finish(lower, call, pa_extent(lower, &array, 0));
  } else if (pyarrayTypeIsList(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsSet(type) ||
             pyarrayTypeIsBytearray(type)) {
    pa_finish(lower, call, pa_list_length(lower, object));
  } else if (pa_is_text(type)) {
    pa_finish(lower, call, pa_text_length(lower, object));
  } else if (pyarrayTypeIsRange(type)) {
    pa_finish(lower, call, pa_checked_range_length(lower, object));
  } else if (mlirTypeIsATuple(type)) {
    pa_finish(lower, call, pa_int(lower, lower->i64, mlirTupleTypeGetNumTypes(type)));
  } else {
    pa_lower_fail(lower, "len() of %s", pa_type_text(lower->arena, type));
  }
}

// start, stop or step of a range or slice, which has values of those alone that are not None.
static void lower_part(pa_lowering *lower, MlirOperation op, MlirStringRef name) {
  static const char *const names[] = {"start", "stop", "step"};
  MlirType type = mlirValueGetType(pa_operand(op, 0));
  pa_values values = pa_get(lower, pa_operand(op, 0));
  int at = 0;
  for (int i = 0; i < 3; ++i) {
    if (pyarrayTypeIsSlice(type) && pyarrayTypeIsNone(pyarraySliceTypeGetPart(type, i))) continue;
    if (pa_ref_equal(name, names[i])) return pa_set1(lower, pa_result(op), values.items[at]);
    ++at;
  }
  pa_lower_fail(lower, "%s has no value %.*s", pa_type_text(lower->arena, type), (int)name.length, name.data);
}

void pa_lower_getattr(pa_lowering *lower, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  MlirValue object = pa_operand(op, 0);
  if (pyarrayTypeIsArray(mlirValueGetType(object))) {
    pa_lower_array_attribute(lower, op, name);
    return;
  }
  if (pyarrayTypeIsRange(mlirValueGetType(object)) || pyarrayTypeIsSlice(mlirValueGetType(object))) {
    lower_part(lower, op, name);
    return;
  }
  if (pyarrayTypeIsDeque(mlirValueGetType(object)) && pa_ref_equal(name, "maxlen")) {
    pa_lower_deque_limit(lower, op);
    return;
  }
  pa_scalar scalar = pa_scalar_of_value(object), result = pa_scalar_of_value(pa_result(op));
  bool imag = pa_ref_equal(name, "imag");
  if (scalar == PA_NOT_SCALAR || result == PA_NOT_SCALAR || (!imag && !pa_ref_equal(name, "real"))) {
    pa_lower_fail(lower, "%s has no attribute %.*s here", pa_type_text(lower->arena, mlirValueGetType(object)),
                  (int)name.length, name.data);
    return;
  }
  MlirValue value = pa_get1(lower, object);
  if (pa_is_complex(scalar))
    value = imag ? pa_imag_part(lower, value) : pa_real_part(lower, value);
  else if (!imag)
    value = pa_cast_scalar(lower, value, scalar, result);
  else
    value = pa_is_float(result) ? pa_real(lower, pa_lower_scalar_type(lower, result), 0)
                                : pa_int(lower, pa_lower_scalar_type(lower, result), 0);
  pa_set1(lower, pa_result(op), value);
}

void pa_lower_getitem(pa_lowering *lower, MlirOperation op) {
  MlirType type = mlirValueGetType(pa_operand(op, 0));
  if (mlirTypeIsATuple(type)) {
    pa_lower_tuple_item(lower, op);
    return;
  }
  if (pyarrayTypeIsPointer(type)) {
    pa_lower_pointer_getitem(lower, op);
    return;
  }
  if (pyarrayTypeIsList(type)) {
    pa_lower_list_getitem(lower, op);
    return;
  }
  if (pyarrayTypeIsDict(type)) {
    pa_lower_dict_getitem(lower, op);
    return;
  }
  if (pa_is_text(type)) {
    pa_lower_text_getitem(lower, op);
    return;
  }
  if (!pyarrayTypeIsArray(type)) {
    pa_lower_fail(lower, "a value of type %s cannot be indexed", pa_type_text(lower->arena, type));
    return;
  }
  pa_lower_array_getitem(lower, op);
}

void pa_lower_setitem(pa_lowering *lower, MlirOperation op) {
  MlirType type = mlirValueGetType(pa_operand(op, 0));
  if (pyarrayTypeIsPointer(type)) {
    pa_lower_pointer_setitem(lower, op);
    return;
  }
  if (pyarrayTypeIsList(type)) {
    pa_lower_list_setitem(lower, op);
    return;
  }
  if (pyarrayTypeIsDict(type)) {
    pa_lower_dict_setitem(lower, op);
    return;
  }
  if (!pyarrayTypeIsArray(type)) {
    pa_lower_fail(lower, "only arrays support item assignment");
    return;
  }
  pa_lower_array_setitem(lower, op);
}

const pa_builtin_rule_row pa_access_rules[] = {{PA_LOWERING_LEN, lower_len}, {0, NULL}};
