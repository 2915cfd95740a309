// bytearray in pyarray-infer-types: what operations on one call of the Python library.
//
//   %0 = pyarray.getitem %b[%i]             @bytearray.item with (%b, %i)
//   %0 = pyarray.binary add %b, %c          @bytearray.joined with (%b, %c)
#include "infer_calls.h"
#include "infer_text.h"

static bool is_bytearray(MlirType type) { return !mlirTypeIsNull(type) && pyarrayTypeIsBytearray(type); }

static pa_status call(pa_class_operation *o, const char *function, const MlirValue *arguments, intptr_t count) {
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments, count);
}

// The result is a bool, of what the function says.
static pa_status ask(pa_class_operation *o, const char *function, MlirValue a, MlirValue b, bool negated) {
  o->plan->truth = true;
  o->plan->negated = negated;
  MlirValue arguments[] = {a, b};
  return call(o, function, arguments, mlirValueIsNull(b) ? 1 : 2);
}

// ORDER COMPARISONS: whether a < b, or b < a, and whether that is negated.
static const struct {
  bool swapped, negated;
} orders[] = {[PYARRAY_COMPARE_LT] = {false, false},
              [PYARRAY_COMPARE_LE] = {true, true},
              [PYARRAY_COMPARE_GT] = {true, false},
              [PYARRAY_COMPARE_GE] = {false, true}};

static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirValue left = pa_operand_of(o, 0), right = pa_operand_of(o, 1);
  MlirType a = pa_operand_type(o, 0), b = pa_operand_type(o, 1);
  bool membership = kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN;
  bool bytes_left = is_bytearray(a) || pyarrayTypeIsBytes(a), bytes_right = is_bytearray(b) || pyarrayTypeIsBytes(b);
  if (membership && bytes_right && (is_bytearray(b) || is_bytearray(a)))
    return ask(o, "bytearray.contains", right, left, kind == PYARRAY_COMPARE_NOTIN);
  if (!bytes_left || !bytes_right || kind > PYARRAY_COMPARE_GE) return PA_OK;
  if (kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE)
    return ask(o, "bytearray.equal", left, right, kind == PYARRAY_COMPARE_NE);
  return orders[kind].swapped ? ask(o, "bytearray.less", right, left, orders[kind].negated)
                              : ask(o, "bytearray.less", left, right, orders[kind].negated);
}

static pa_status decide_binary(pa_class_operation *o) {
  bool in_place = !mlirAttributeIsNull(pa_get_attr(o->op, "inplace")) && is_bytearray(pa_operand_type(o, 0));
  MlirValue operands[] = {pa_operand_of(o, 0), pa_operand_of(o, 1)}, swapped[] = {operands[1], operands[0]};
  bool text = is_bytearray(pa_operand_type(o, 0)) || pyarrayTypeIsBytes(pa_operand_type(o, 0));
  switch (pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind"))) {
  case PYARRAY_BINARY_ADD:
    return text ? call(o, in_place ? "bytearray.extended" : "bytearray.joined", operands, 2) : PA_OK;
  case PYARRAY_BINARY_MUL:
    if (in_place) return call(o, "bytearray.multiplied", operands, 2);
    return call(o, "bytearray.repeated", is_bytearray(pa_operand_type(o, 0)) ? operands : swapped, 2);
  default: return PA_OK;
  }
}

// An item, or, of a slice, several: functions of these names, and with "s" at the end.
static pa_status decide_subscript(pa_class_operation *o, const char *one, const char *several) {
  bool stores = o->kind == PA_OP_SETITEM;
  intptr_t count = mlirOperationGetNumOperands(o->op);
  MlirType index = pa_operand_type(o, 1);
  bool integer = !mlirTypeIsNull(index) && !mlirTypeIsNull(pa_index_type(&o->typing, index));
  if (count != 2 + stores || (!integer && !pyarrayTypeIsSlice(index)))
    return pa_typing_fail(&o->typing, PA_CODE_TYPING, "bytearray indices must be integers or slices, not %s",
                          count != 2 + stores ? "tuple" : pa_type_text(o->inference->arena, index));
  MlirValue operands[] = {pa_operand_of(o, 0), pa_operand_of(o, 1), stores ? pa_operand_of(o, 2) : (MlirValue){NULL}};
  return call(o, integer ? one : several, operands, 2 + stores);
}

static pa_status decide_apply(pa_class_operation *o) {
  MlirType callee = pa_operand_type(o, 0);
  bool boolean = pa_ref_equal(pa_builtin_called(callee), "builtins.bool");
  return boolean && mlirOperationGetNumOperands(o->op) == 2
             ? ask(o, "bytearray.truth", pa_operand_of(o, 1), (MlirValue){NULL}, false)
             : PA_OK;
}

pa_status pa_plan_bytearray_operation(pa_class_operation *o) {
  bool concerned = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(o->op) && i < 2; ++i) {
    if (mlirTypeIsNull(pa_operand_type(o, i))) return PA_OK;
    concerned = concerned || is_bytearray(pa_operand_type(o, i));
  }
  if (!concerned) return PA_OK;
  switch (o->kind) {
  case PA_OP_COMPARE: return decide_compare(o);
  case PA_OP_BINARY: return decide_binary(o);
  case PA_OP_GETITEM:
    return is_bytearray(pa_operand_type(o, 0)) ? decide_subscript(o, "bytearray.item", "bytearray.sliced") : PA_OK;
  case PA_OP_SETITEM:
    return is_bytearray(pa_operand_type(o, 0)) ? decide_subscript(o, "bytearray.set_item", "bytearray.set_slice")
                                               : PA_OK;
  case PA_OP_DELITEM:
    return is_bytearray(pa_operand_type(o, 0)) ? decide_subscript(o, "bytearray.delete_item", "bytearray.delete_slice")
                                               : PA_OK;
  case PA_OP_TRUTH: return ask(o, "bytearray.truth", pa_operand_of(o, 0), (MlirValue){NULL}, false);
  case PA_OP_UNARY:
    if (pyarrayUnaryKindAttrGetValue(pa_get_attr(o->op, "kind")) != PYARRAY_UNARY_NOT) return PA_OK;
    return ask(o, "bytearray.truth", pa_operand_of(o, 0), (MlirValue){NULL}, true);
  case PA_OP_APPLY: return decide_apply(o);
  default: return PA_OK;
  }
}
