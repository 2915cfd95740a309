#include "linear.h"

#include <stdlib.h>

#include "integer_facts.h"

bool pa_same_leaf(pa_leaf a, pa_leaf b) { return mlirValueEqual(a.value, b.value) && a.axis == b.axis; }
pa_linear pa_linear_constant(int64_t value) {
  return (pa_linear){.constant = value, .failed = llabs(value) >> PA_MAX_LEAF_BITS != 0};
}
pa_linear pa_linear_leaf(MlirValue value, intptr_t axis) {
  return (pa_linear){.count = 1, .terms = {{{value, axis}, 1}}};
}

void pa_add_term(pa_linear *sum, pa_leaf leaf, int64_t coefficient) {
  int i = 0;
  while (i < sum->count && !pa_same_leaf(sum->terms[i].leaf, leaf)) ++i;
  if (i == PA_MAX_TERMS) {
    sum->failed = true;
    return;
  }
  if (i == sum->count) sum->terms[sum->count++].leaf = leaf, sum->terms[i].coefficient = 0;
  sum->terms[i].coefficient += coefficient;
  if (llabs(sum->terms[i].coefficient) >> PA_MAX_COEFFICIENT_BITS) sum->failed = true;
  if (sum->terms[i].coefficient == 0) sum->terms[i] = sum->terms[--sum->count];
}

pa_linear pa_add_scaled(pa_linear a, pa_linear b, int64_t factor) {
  a.failed = a.failed || b.failed || llabs(factor) >> PA_MAX_COEFFICIENT_BITS || llabs(b.constant) >> PA_MAX_LEAF_BITS;
  if (a.failed) return a;
  a.constant += factor * b.constant;
  for (int i = 0; i < b.count && !a.failed; ++i) pa_add_term(&a, b.terms[i].leaf, factor * b.terms[i].coefficient);
  return a;
}

MlirOperation pa_defining_op(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

bool pa_linear_known(const pa_names *names, MlirValue value, int64_t *out) {
  MlirOperation op = pa_defining_op(value);
  if (mlirOperationIsNull(op) || pa_kind(names, op) != PA_OP_CONSTANT) return false;
  return pa_integer_of_attribute(pa_get_attr(op, "value"), out);
}

static bool is_shape(const pa_names *names, MlirValue value, MlirValue *out_array) {
  MlirOperation op = pa_defining_op(value);
  if (mlirOperationIsNull(op) || pa_kind(names, op) != PA_OP_GETATTR) return false;
  if (!pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "shape")) return false;
  return *out_array = mlirOperationGetOperand(op, 0), true;
}

static pa_linear linear_binary(const pa_names *names, MlirOperation op, MlirValue value, int depth) {
  MlirValue lhs = mlirOperationGetOperand(op, 0), rhs = mlirOperationGetOperand(op, 1);
  int64_t factor;
  switch (pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
  case PYARRAY_BINARY_ADD: return pa_add_scaled(pa_linear_of(names, lhs, depth), pa_linear_of(names, rhs, depth), 1);
  case PYARRAY_BINARY_SUB: return pa_add_scaled(pa_linear_of(names, lhs, depth), pa_linear_of(names, rhs, depth), -1);
  case PYARRAY_BINARY_MUL:
    if (pa_linear_known(names, rhs, &factor))
      return pa_add_scaled(pa_linear_constant(0), pa_linear_of(names, lhs, depth), factor);
    if (pa_linear_known(names, lhs, &factor))
      return pa_add_scaled(pa_linear_constant(0), pa_linear_of(names, rhs, depth), factor);
    return pa_linear_leaf(value, -1);
  default: return pa_linear_leaf(value, -1);
  }
}

// Item |index| of |tuple|, where that is a tuple that is made here.
static bool is_item(const pa_names *names, MlirValue tuple, int64_t index, MlirValue *out_item) {
  MlirOperation op = pa_defining_op(tuple);
  if (mlirOperationIsNull(op) || pa_kind(names, op) != PA_OP_TUPLE) return false;
  intptr_t count = mlirOperationGetNumOperands(op);
  if (index < 0) index += count;
  if (index < 0 || index >= count) return false;
  return *out_item = mlirOperationGetOperand(op, (intptr_t)index), true;
}

pa_linear pa_linear_of(const pa_names *names, MlirValue value, int depth) {
  int64_t constant;
  MlirValue array, item;
  MlirOperation op = pa_defining_op(value);
  if (mlirOperationIsNull(op) || depth > PA_MAX_DEPTH) return pa_linear_leaf(value, -1);
  if (pa_linear_known(names, value, &constant)) return pa_linear_constant(constant);
  switch (pa_kind(names, op)) {
  case PA_OP_BINARY:
    if (pa_scalar_of(mlirValueGetType(value)) == PA_I64) return linear_binary(names, op, value, depth + 1);
    break;
  case PA_OP_UNPACK:
    if (is_shape(names, mlirOperationGetOperand(op, 0), &array))
      return pa_linear_leaf(array, mlirOpResultGetResultNumber(value));
    if (is_item(names, mlirOperationGetOperand(op, 0), mlirOpResultGetResultNumber(value), &item))
      return pa_linear_of(names, item, depth + 1);
    break;
  case PA_OP_GETITEM:
    if (mlirOperationGetNumOperands(op) < 2 || !pa_linear_known(names, mlirOperationGetOperand(op, 1), &constant))
      break;
    if (is_shape(names, mlirOperationGetOperand(op, 0), &array))
      return pa_linear_leaf(array,
                            constant < 0 ? constant + pyarrayArrayTypeGetRank(mlirValueGetType(array)) : constant);
    if (is_item(names, mlirOperationGetOperand(op, 0), constant, &item)) return pa_linear_of(names, item, depth + 1);
    break;
  case PA_OP_BUILTIN:
    array = mlirOperationGetNumOperands(op) ? mlirOperationGetOperand(op, 0) : value;
    if (pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "builtins.len") &&
        pyarrayTypeIsArray(mlirValueGetType(array)))
      return pa_linear_leaf(array, 0);
    break;
  default: break;
  }
  return pa_linear_leaf(value, -1);
}

//===-- Comparing ---------------------------------------------------------------------------------===//

bool pa_same_terms(const pa_linear *a, const pa_linear *b) {
  if (a->count != b->count) return false;
  for (int i = 0; i < a->count; ++i) {
    int k = 0;
    while (k < b->count && !pa_same_leaf(a->terms[i].leaf, b->terms[k].leaf)) ++k;
    if (k == b->count || a->terms[i].coefficient != b->terms[k].coefficient) return false;
  }
  return true;
}

bool pa_is_never_negative(const pa_linear *e) {
  if (e->constant < 0) return false;
  for (int i = 0; i < e->count; ++i)
    if (e->terms[i].leaf.axis < 0 || e->terms[i].coefficient < 0) return false;
  return true;
}

bool pa_is_always_negative(const pa_linear *e) { return e->count == 0 && e->constant < 0; }
