// Second phase of pyarray-infer-types: operators. Operands are cast to the type in which the operation is done; comparisons of tuples
// become comparisons of their elements.
#include <string.h>

#include "infer_emit.h"

// |*out_done|: it was an operator on containers.
static pa_status emit_container_operator(pa_instance_emitter *e, MlirOperation op, pa_op_kind kind, bool *out_done) {
  pa_typing typing = pa_typing_at(e->inference, op);
  MlirValue values[2];
  pa_container_operator plan;
  pa_fact facts[2];
  for (int i = 0; i < 2; ++i) facts[i] = pa_emitter_fact(e, mlirOperationGetOperand(op, i));
  PA_TRY(pa_type_container_operator(&typing, op, kind, facts[0], facts[1], &plan));
  *out_done = plan.fits;
  if (!plan.fits) return PA_OK;
  for (int i = 0; i < 2; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    values[plan.swapped ? 1 - i : i] = mlirTypeIsNull(plan.operands[i]) ? pa_emitter_use(e, operand) : pa_emitter_use_as(e, operand, plan.operands[i]);
  }
  MlirType type = plan.in_place ? pyarrayNoneTypeGet(pa_emitter_context(e)) : pa_erased_type(plan.result.type);
  MlirValue result = plan.builtin ? pa_value(e->builder, "pyarray.builtin", PA_OPERAND_ARRAY(values, 2), PA_RESULTS(type),
                                             PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), plan.builtin)}))
                                  : pa_value(e->builder, "pyarray.compare", PA_OPERAND_ARRAY(values, 2), PA_RESULTS(type),
                                             PA_ATTRS({"kind", pa_get_attr(op, "kind")}));
  if (plan.negated)
    result = pa_value(e->builder, "pyarray.unary", PA_OPERANDS(result), PA_RESULTS(type),
                      PA_ATTRS({"kind", pyarrayUnaryKindAttrGet(pa_emitter_context(e), PYARRAY_UNARY_NOT)}));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), plan.in_place ? values[0] : result), PA_OK;
}

static MlirValue emit_binary_op(pa_instance_emitter *e, pyarray_binary_kind kind, MlirValue lhs, MlirValue rhs, MlirType result) {
  return pa_value(e->builder, "pyarray.binary", PA_OPERANDS(lhs, rhs), PA_RESULTS(result), PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(pa_emitter_context(e), kind)}));
}

pa_status pa_emit_binary_operator(pa_instance_emitter *e, MlirOperation op) {
  pa_typing typing = pa_typing_at(e->inference, op);
  MlirValue lhs = mlirOperationGetOperand(op, 0), rhs = mlirOperationGetOperand(op, 1), result;
  pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
  pa_operator typed;
  bool done;
  PA_TRY(emit_container_operator(e, op, PA_OP_BINARY, &done));
  if (done) return PA_OK;
  PA_TRY(pa_type_binary(&typing, kind, pa_emitter_fact(e, lhs), pa_emitter_fact(e, rhs), &typed));
  if (mlirTypeIsATuple(typed.result)) {
    intptr_t left, right;
    MlirValue *first = pa_emit_elements(e, pa_emitter_use(e, lhs), &left), *second = pa_emit_elements(e, pa_emitter_use(e, rhs), &right);
    MlirValue *all = pa_emitter_values(e, left + right);
    memcpy(all, first, (size_t)left * sizeof *all);
    memcpy(all + left, second, (size_t)right * sizeof *all);
    result = pa_value(e->builder, "pyarray.tuple", PA_OPERAND_ARRAY(all, left + right), PA_RESULTS(typed.result));
  } else {
    MlirValue a = pa_emitter_use_as(e, lhs, typed.lhs), b = pa_emitter_use_as(e, rhs, typed.rhs);
    result = emit_binary_op(e, kind, a, b, typed.result);
  }
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}

pa_status pa_emit_unary_operator(pa_instance_emitter *e, MlirOperation op) {
  pa_typing typing = pa_typing_at(e->inference, op);
  MlirValue operand = mlirOperationGetOperand(op, 0);
  MlirAttribute kind = pa_get_attr(op, "kind");
  pa_operator typed;
  PA_TRY(pa_type_unary(&typing, (pyarray_unary_kind)pyarrayUnaryKindAttrGetValue(kind), pa_emitter_fact(e, operand), &typed));
  MlirValue value = pa_emitter_use_as(e, operand, typed.lhs);
  MlirType type = pa_scalar_of(typed.lhs) != PA_NOT_SCALAR && pyarrayUnaryKindAttrGetValue(kind) != PYARRAY_UNARY_NOT ? typed.lhs : typed.result;
  value = pa_value(e->builder, "pyarray.unary", PA_OPERANDS(value), PA_RESULTS(type), PA_ATTRS({"kind", kind}));
  pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emit_cast(e, value, typed.result));
  return PA_OK;
}

static MlirValue emit_bool(pa_instance_emitter *e, bool value) { return pa_emit_literal(e, mlirBoolAttrGet(pa_emitter_context(e), value)); }

static pa_status emit_comparison(pa_instance_emitter *e, const pa_typing *typing, pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs, MlirValue *out);

// Folds the comparisons of corresponding elements with and (==) or or (!=).
static pa_status compare_tuples(pa_instance_emitter *e, const pa_typing *typing, pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs, MlirValue *out) {
  intptr_t count;
  MlirValue *left = pa_emit_elements(e, lhs, &count), *right = pa_emit_elements(e, rhs, &count);
  pyarray_binary_kind connective = kind == PYARRAY_COMPARE_EQ ? PYARRAY_BINARY_AND : PYARRAY_BINARY_OR;
  *out = emit_bool(e, kind == PYARRAY_COMPARE_EQ);
  for (intptr_t i = 0; i < count && !pa_failed(e->builder); ++i) {
    MlirValue one;
    PA_TRY(emit_comparison(e, typing, kind, left[i], right[i], &one));
    *out = i ? emit_binary_op(e, connective, *out, one, mlirValueGetType(one)) : one;
  }
  return PA_OK;
}

static pa_status compare_membership(pa_instance_emitter *e, const pa_typing *typing, bool negated, MlirValue item, MlirValue tuple, MlirValue *out) {
  intptr_t count;
  MlirValue *elements = pa_emit_elements(e, tuple, &count);
  MlirType boolean = mlirIntegerTypeGet(pa_emitter_context(e), 1);
  *out = emit_bool(e, false);
  for (intptr_t i = 0; i < count && !pa_failed(e->builder); ++i) {
    MlirValue one;
    pa_status status = emit_comparison(e, typing, PYARRAY_COMPARE_EQ, item, elements[i], &one);
    if (status) {  // values of types that are never equal
      pa_status_free(status);
      continue;
    }
    *out = emit_binary_op(e, PYARRAY_BINARY_OR, *out, one, boolean);
  }
  if (negated)
    *out = pa_value(e->builder, "pyarray.unary", PA_OPERANDS(*out), PA_RESULTS(boolean), PA_ATTRS({"kind", pyarrayUnaryKindAttrGet(pa_emitter_context(e), PYARRAY_UNARY_NOT)}));
  return PA_OK;
}

// Compares two typed values.
static pa_status emit_comparison(pa_instance_emitter *e, const pa_typing *typing, pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs, MlirValue *out) {
  pa_operator typed;
  PA_TRY(pa_type_compare(typing, kind, pa_fact_of(mlirValueGetType(lhs)), pa_fact_of(mlirValueGetType(rhs)), &typed));
  if (!mlirAttributeIsNull(typed.literal)) return *out = pa_emit_literal(e, typed.literal), PA_OK;
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN)
    return compare_membership(e, typing, kind == PYARRAY_COMPARE_NOTIN, lhs, rhs, out);
  if (mlirTypeIsATuple(typed.lhs)) return compare_tuples(e, typing, kind, lhs, rhs, out);
  if (kind == PYARRAY_COMPARE_IS) kind = PYARRAY_COMPARE_EQ;
  if (kind == PYARRAY_COMPARE_ISNOT) kind = PYARRAY_COMPARE_NE;
  lhs = pa_emit_cast(e, lhs, typed.lhs);
  rhs = pa_emit_cast(e, rhs, typed.rhs);
  *out = pa_value(e->builder, "pyarray.compare", PA_OPERANDS(lhs, rhs), PA_RESULTS(typed.result), PA_ATTRS({"kind", pyarrayCompareKindAttrGet(pa_emitter_context(e), kind)}));
  return PA_OK;
}

pa_status pa_emit_comparison_operator(pa_instance_emitter *e, MlirOperation op) {
  pa_typing typing = pa_typing_at(e->inference, op);
  MlirValue lhs = mlirOperationGetOperand(op, 0), rhs = mlirOperationGetOperand(op, 1), result;
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind"));
  pa_operator typed;
  bool done;
  PA_TRY(emit_container_operator(e, op, PA_OP_COMPARE, &done));
  if (done) return PA_OK;
  PA_TRY(pa_type_compare(&typing, kind, pa_emitter_fact(e, lhs), pa_emitter_fact(e, rhs), &typed));
  bool scalars = pa_scalar_of(typed.lhs) != PA_NOT_SCALAR && pa_scalar_of(typed.rhs) != PA_NOT_SCALAR;
  // Literals may decide the common type, so operands are cast here, where they are known.
  MlirValue a = scalars ? pa_emitter_use_as(e, lhs, typed.lhs) : pa_emitter_use(e, lhs), b = scalars ? pa_emitter_use_as(e, rhs, typed.rhs) : pa_emitter_use(e, rhs);
  if (pa_failed(e->builder)) return PA_OK;
  PA_TRY(emit_comparison(e, &typing, kind, a, b, &result));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}

