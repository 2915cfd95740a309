// Ranges and slices as values in pyarray-infer-types: what operations on them call of the Python library.
//
//   %0 = pyarray.getitem %r[%i]            @range.item with (%r, %i)
//   %0 = pyarray.compare in %x, %r         @range.contains with (%r, %x)
#include "infer_calls.h"
#include "infer_containers.h"

static bool is_range(MlirType type) { return !mlirTypeIsNull(type) && pyarrayTypeIsRange(type); }
static bool is_slice(MlirType type) { return !mlirTypeIsNull(type) && pyarrayTypeIsSlice(type); }

// The result is a bool, of what the function says.
static pa_status ask(pa_class_operation *o, const char *function, MlirValue a, MlirValue b, bool negated) {
  o->plan->truth = true;
  o->plan->negated = negated;
  MlirValue arguments[] = {a, b};
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments, mlirValueIsNull(b) ? 1 : 2);
}

static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirValue left = mlirOperationGetOperand(o->op, 0), right = mlirOperationGetOperand(o->op, 1);
  MlirType a = pa_operand_type(o, 0), b = pa_operand_type(o, 1);
  bool membership = kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN,
       equality = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE;
  if (membership && is_range(b) && pa_scalar_of(a) != PA_NOT_SCALAR)
    return ask(o, "range.contains", right, left, kind == PYARRAY_COMPARE_NOTIN);
  if (equality && is_range(a) && is_range(b)) return ask(o, "range.equal", left, right, kind == PYARRAY_COMPARE_NE);
  if (equality && is_slice(a) && is_slice(b)) return ask(o, "slice.equal", left, right, kind == PYARRAY_COMPARE_NE);
  bool other = equality && (is_range(a) || is_range(b) || is_slice(a) || is_slice(b)) && !pyarrayTypeIsOptional(a) &&
               !pyarrayTypeIsOptional(b) && !pyarrayTypeIsArray(a) && !pyarrayTypeIsArray(b);
  if (!other) return PA_OK;
  o->plan->kind = PA_CLASS_CONSTANT;
  return o->plan->constant = mlirBoolAttrGet(o->inference->context, kind == PYARRAY_COMPARE_NE), PA_OK;
}

static pa_status decide_getitem(pa_class_operation *o) {
  MlirValue operands[] = {mlirOperationGetOperand(o->op, 0), {NULL}};
  MlirType index = mlirOperationGetNumOperands(o->op) == 2 ? pa_operand_type(o, 1) : (MlirType){NULL};
  bool integer = !mlirTypeIsNull(index) && !mlirTypeIsNull(pa_index_type(&o->typing, index));
  if (!integer && !is_slice(index))
    return pa_typing_fail(&o->typing, PA_CODE_TYPING, "range indices must be integers or slices, not %s",
                          mlirTypeIsNull(index) ? "tuple" : pa_type_text(o->inference->arena, index));
  operands[1] = mlirOperationGetOperand(o->op, 1);
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, integer ? "range.item" : "range.sliced"), operands,
                          2);
}

// Of operand |i|.
static pa_status decide_truth(pa_class_operation *o, intptr_t i, bool negated) {
  if (mlirOperationGetNumOperands(o->op) != i + 1 ||
      (!is_range(pa_operand_type(o, i)) && !is_slice(pa_operand_type(o, i))))
    return PA_OK;
  return ask(o, is_range(pa_operand_type(o, i)) ? "range.truth" : "slice.truth", mlirOperationGetOperand(o->op, i),
             (MlirValue){NULL}, negated);
}

static bool is_bool_class(MlirType callee) { return pa_ref_equal(pa_builtin_called(callee), "builtins.bool"); }

pa_status pa_plan_range_operation(pa_class_operation *o) {
  MlirType first = pa_operand_type(o, 0);
  switch (o->kind) {
  case PA_OP_COMPARE: return decide_compare(o);
  case PA_OP_GETITEM: return is_range(first) ? decide_getitem(o) : PA_OK;
  case PA_OP_TRUTH: return decide_truth(o, 0, false);
  case PA_OP_UNARY:
    return pyarrayUnaryKindAttrGetValue(pa_get_attr(o->op, "kind")) == PYARRAY_UNARY_NOT ? decide_truth(o, 0, true)
                                                                                         : PA_OK;
  case PA_OP_APPLY: return is_bool_class(first) ? decide_truth(o, 1, false) : PA_OK;
  default: return PA_OK;
  }
}
