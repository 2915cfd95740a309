// Second phase of pyarray-infer-types: operators. Operands are cast to the type in which the operation is done;
// comparisons of tuples become comparisons of their elements.
#include <string.h>

#include "infer_classes.h"
#include "infer_containers.h"
#include "infer_contract.h"
#include "infer_elementwise.h"
#include "infer_emit_parts.h"

// What lists and tuples beside an array become is made first.
static pa_status emit_elementwise(pa_instance_emitter *e, MlirOperation op, const pa_elementwise *x) {
  for (size_t i = 0; i < x->made_count; ++i) pa_infer_emit_made_value(e, &x->made[i]);
  return pa_emit_elementwise(e, op, x);
}

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
    values[plan.swapped ? 1 - i : i] =
        mlirTypeIsNull(plan.operands[i]) ? pa_emitter_use(e, operand) : pa_emitter_use_as(e, operand, plan.operands[i]);
  }
  MlirType type = plan.in_place ? pyarrayNoneTypeGet(pa_emitter_context(e)) : pa_erased_type(plan.result.type);
  MlirValue result = plan.builtin
                         ? pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(values, 2), PA_RESULTS(type),
                                    PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), plan.builtin)}))
                         : pa_value(e->builder, PA_OP_NAME(COMPARE), PA_OPERAND_ARRAY(values, 2), PA_RESULTS(type),
                                    PA_ATTRS({"kind", pa_get_attr(op, "kind")}));
  if (plan.negated)
    result = pa_value(e->builder, PA_OP_NAME(UNARY), PA_OPERANDS(result), PA_RESULTS(type),
                      PA_ATTRS({"kind", pyarrayUnaryKindAttrGet(pa_emitter_context(e), PYARRAY_UNARY_NOT)}));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), plan.in_place ? values[0] : result), PA_OK;
}

static bool is_integer(pa_fact fact) {
  pa_scalar scalar = pa_scalar_of(fact.type);
  return scalar == PA_BOOL || pa_is_integer(scalar);
}

static MlirValue emit_binary_op(pa_instance_emitter *e, pyarray_binary_kind kind, MlirValue lhs, MlirValue rhs,
                                MlirType result) {
  return pa_value(e->builder, PA_OP_NAME(BINARY), PA_OPERANDS(lhs, rhs), PA_RESULTS(result),
                  PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(pa_emitter_context(e), kind)}));
}

// Whether a literal operation exceeds int64; the rest of them wraps, too, but nobody can know when.
static bool is_overflow(pyarray_binary_kind kind, int64_t a, int64_t b) {
  int64_t value = 1;
  switch (kind) {
  case PYARRAY_BINARY_ADD: return __builtin_add_overflow(a, b, &value);
  case PYARRAY_BINARY_SUB: return __builtin_sub_overflow(a, b, &value);
  case PYARRAY_BINARY_MUL: return __builtin_mul_overflow(a, b, &value);
  case PYARRAY_BINARY_LSHIFT: return a && b > 0 && (b > 62 || a > INT64_MAX >> b || a < INT64_MIN >> b);
  case PYARRAY_BINARY_POW:
    if (b < 0 || a == 0 || a == 1 || a == -1) return false;
    for (int64_t i = 0; i < b; ++i)
      if (__builtin_mul_overflow(value, a, &value)) return true;
    return false;
  default: return false;
  }
}

static void warn_about_operator(pa_instance_emitter *e, MlirOperation op, pyarray_binary_kind kind, pa_fact lhs,
                                pa_fact rhs, MlirType result) {
  if (!mlirAttributeIsNull(pa_get_attr(e->instance->function, "pyarray.no_frame"))) return; // not the user's
  pa_arena *arena = e->inference->arena;
  pa_location place = pa_source_location(arena, mlirOperationGetLocation(op));
  MlirOperation module = e->inference->module;
  int64_t a, b;
  if (pa_scalar_of(result) == PA_I64 && pa_literal_int(lhs, &a) && pa_literal_int(rhs, &b) && is_overflow(kind, a, b))
    pa_warn(module, place, "overflow",
            pa_arena_format(arena, "%lld %s %lld exceeds int64 and wraps", (long long)a, pa_binary_symbol(kind),
                            (long long)b));
  pa_scalar left = pa_scalar_of(lhs.type), right = pa_scalar_of(rhs.type), whole = pa_scalar_of(result);
  bool widened = whole == PA_F64 || whole == PA_C128,
       narrow = left == PA_F32 || left == PA_C64 || right == PA_F32 || right == PA_C64;
  pa_fact other = left == PA_F32 || left == PA_C64 ? rhs : lhs;
  bool literal = !mlirAttributeIsNull(other.literal), integer = pa_is_integer(pa_scalar_of(other.type));
  if (!widened || !narrow || !(literal || integer)) return;
  const char *type =
      pa_type_text(arena, pa_scalar_type(pa_emitter_context(e), left == PA_F32 || right == PA_F32 ? PA_F32 : PA_C64));
  pa_warn(module, place, "performance",
          pa_arena_format(arena, "%s %s %s is computed in %s\nhint: write %s(...) around the %s",
                          pa_type_text(arena, lhs.type), pa_binary_symbol(kind), pa_type_text(arena, rhs.type),
                          pa_type_text(arena, result), type, literal ? "literal" : "integer"));
}

pa_status pa_emit_binary_operator(pa_instance_emitter *e, MlirOperation op) {
  MlirValue lhs = mlirOperationGetOperand(op, 0), rhs = mlirOperationGetOperand(op, 1), result;
  pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
  pa_operator typed;
  pa_fact ignored;
  bool done;
  PA_TRY(emit_container_operator(e, op, PA_OP_BINARY, &done));
  if (done) return PA_OK;
  pa_elementwise elementwise;
  PA_TRY(pa_plan_elementwise(e->inference, e->instance, op, PA_OP_BINARY, &elementwise, &done));
  if (done) return emit_elementwise(e, op, &elementwise);
  pa_product product;
  PA_TRY(pa_plan_matmul(e->inference, e->instance, op, &product, &done));
  if (done) return pa_emit_product(e, op, &product);
  PA_TRY(pa_type_binary_at(e->inference, op, pa_emitter_fact(e, lhs), pa_emitter_fact(e, rhs), &typed, &ignored));
  warn_about_operator(e, op, kind, pa_emitter_fact(e, lhs), pa_emitter_fact(e, rhs), typed.result);
  if (mlirTypeIsATuple(typed.result)) { // a + b, or elements repeated
    intptr_t left = 0, right = 0, count = mlirTupleTypeGetNumTypes(typed.result);
    MlirValue *first = mlirTypeIsATuple(typed.lhs) ? pa_emit_elements(e, pa_emitter_use(e, lhs), &left) : NULL;
    MlirValue *second = mlirTypeIsATuple(typed.rhs) ? pa_emit_elements(e, pa_emitter_use(e, rhs), &right) : NULL;
    MlirValue *all = pa_emitter_values(e, count);
    for (intptr_t i = 0; i < count; ++i)
      all[i] = i % (left + right) < left ? first[i % (left + right)] : second[i % (left + right) - left];
    result =
        pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(all, count), PA_RESULTS(pa_erased_type(typed.result)));
  } else {
    MlirValue a = pa_emitter_use_as(e, lhs, typed.lhs), b = pa_emitter_use_as(e, rhs, typed.rhs);
    result = emit_binary_op(e, kind, a, b, typed.result);
    bool integers = is_integer(pa_emitter_fact(e, lhs)) && is_integer(pa_emitter_fact(e, rhs));
    if (kind == PYARRAY_BINARY_TRUEDIV && integers && !pa_failed(e->builder))
      pa_set_attr(mlirOpResultGetOwner(result), "pyarray.integers", mlirUnitAttrGet(pa_emitter_context(e)));
  }
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}

pa_status pa_emit_unary_operator(pa_instance_emitter *e, MlirOperation op) {
  pa_typing typing = pa_typing_at(e->inference, op);
  MlirValue operand = mlirOperationGetOperand(op, 0);
  MlirAttribute kind = pa_get_attr(op, "kind");
  pa_operator typed;
  bool whole;
  pa_elementwise elementwise;
  PA_TRY(pa_plan_elementwise(e->inference, e->instance, op, PA_OP_UNARY, &elementwise, &whole));
  if (whole) return emit_elementwise(e, op, &elementwise);
  PA_TRY(pa_type_unary(&typing, (pyarray_unary_kind)pyarrayUnaryKindAttrGetValue(kind), pa_emitter_fact(e, operand),
                       &typed));
  MlirValue value = pa_emitter_use_as(e, operand, typed.lhs);
  if (pyarrayTypeIsArray(typed.lhs)) value = pa_emit_array_truth(e, value);
  MlirType type = pa_scalar_of(typed.lhs) != PA_NOT_SCALAR && pyarrayUnaryKindAttrGetValue(kind) != PYARRAY_UNARY_NOT
                      ? typed.lhs
                      : typed.result;
  value = pa_value(e->builder, PA_OP_NAME(UNARY), PA_OPERANDS(value), PA_RESULTS(type), PA_ATTRS({"kind", kind}));
  pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emit_cast(e, value, typed.result));
  return PA_OK;
}

static MlirValue emit_bool(pa_instance_emitter *e, bool value) {
  return pa_emit_literal(e, mlirBoolAttrGet(pa_emitter_context(e), value));
}

static pa_status emit_comparison(pa_instance_emitter *e, const pa_typing *typing, pyarray_compare_kind kind,
                                 MlirValue lhs, MlirValue rhs, MlirValue *out);

// Folds the comparisons of corresponding elements with and (==) or or (!=).
static pa_status equal_tuples(pa_instance_emitter *e, const pa_typing *typing, pyarray_compare_kind kind,
                              const MlirValue *left, const MlirValue *right, intptr_t count, MlirValue *out) {
  pyarray_binary_kind connective = kind == PYARRAY_COMPARE_EQ ? PYARRAY_BINARY_AND : PYARRAY_BINARY_OR;
  *out = emit_bool(e, kind == PYARRAY_COMPARE_EQ);
  for (intptr_t i = 0; i < count && !pa_failed(e->builder); ++i) {
    MlirValue one;
    PA_TRY(emit_comparison(e, typing, kind, left[i], right[i], &one));
    *out = i ? emit_binary_op(e, connective, *out, one, mlirValueGetType(one)) : one;
  }
  return PA_OK;
}

// Lexicographic order, from the last elements to the first: a[i] < b[i] or (a[i] == b[i] and the rest is in order).
// Where all common elements are equal, the lengths decide.
static pa_status order_tuples(pa_instance_emitter *e, const pa_typing *typing, pyarray_compare_kind kind,
                              const MlirValue *left, intptr_t left_count, const MlirValue *right, intptr_t right_count,
                              MlirValue *out) {
  bool less = kind == PYARRAY_COMPARE_LT || kind == PYARRAY_COMPARE_LE;
  pyarray_compare_kind strict = less ? PYARRAY_COMPARE_LT : PYARRAY_COMPARE_GT;
  intptr_t common = left_count < right_count ? left_count : right_count;
  *out = emit_bool(e, pa_fold_comparison(kind, left_count, right_count));
  for (intptr_t i = common - 1; i >= 0 && !pa_failed(e->builder); --i) {
    bool last = i == common - 1 && left_count == right_count;
    MlirValue before, equal;
    PA_TRY(emit_comparison(e, typing, last ? kind : strict, left[i], right[i], &before));
    MlirValue rest = before;
    if (!last) {
      PA_TRY(emit_comparison(e, typing, PYARRAY_COMPARE_EQ, left[i], right[i], &equal));
      rest = emit_binary_op(e, PYARRAY_BINARY_AND, equal, *out, mlirValueGetType(equal));
      rest = emit_binary_op(e, PYARRAY_BINARY_OR, before, rest, mlirValueGetType(before));
    }
    *out = rest;
  }
  return PA_OK;
}

static pa_status compare_tuples(pa_instance_emitter *e, const pa_typing *typing, pyarray_compare_kind kind,
                                MlirValue lhs, MlirValue rhs, MlirValue *out) {
  intptr_t left_count, right_count;
  const MlirValue *left = pa_emit_elements(e, lhs, &left_count), *right = pa_emit_elements(e, rhs, &right_count);
  if (kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE)
    return equal_tuples(e, typing, kind, left, right, left_count, out);
  return order_tuples(e, typing, kind, left, left_count, right, right_count, out);
}

static pa_status compare_membership(pa_instance_emitter *e, const pa_typing *typing, bool negated, MlirValue item,
                                    MlirValue tuple, MlirValue *out) {
  intptr_t count;
  MlirValue *elements = pa_emit_elements(e, tuple, &count);
  MlirType boolean = mlirIntegerTypeGet(pa_emitter_context(e), 1);
  *out = emit_bool(e, false);
  for (intptr_t i = 0; i < count && !pa_failed(e->builder); ++i) {
    MlirValue one;
    pa_status status = emit_comparison(e, typing, PYARRAY_COMPARE_EQ, item, elements[i], &one);
    if (status && pa_status_code(status) == PA_CODE_UNSUPPORTED) return status;
    if (status) { // values of types that are never equal
      pa_status_free(status);
      continue;
    }
    *out = emit_binary_op(e, PYARRAY_BINARY_OR, *out, one, boolean);
  }
  if (negated)
    *out = pa_value(e->builder, PA_OP_NAME(UNARY), PA_OPERANDS(*out), PA_RESULTS(boolean),
                    PA_ATTRS({"kind", pyarrayUnaryKindAttrGet(pa_emitter_context(e), PYARRAY_UNARY_NOT)}));
  return PA_OK;
}

// Compares two typed values.
static pa_status emit_comparison(pa_instance_emitter *e, const pa_typing *typing, pyarray_compare_kind kind,
                                 MlirValue lhs, MlirValue rhs, MlirValue *out) {
  pa_operator typed;
  bool done;
  PA_TRY(pa_compare_optional_values(e, typing, kind, lhs, rhs, emit_comparison, out, &done));
  if (done) return PA_OK;
  PA_TRY(pa_type_compare(typing, kind, pa_fact_of(mlirValueGetType(lhs)), pa_fact_of(mlirValueGetType(rhs)), &typed));
  if (!mlirAttributeIsNull(typed.literal)) return *out = pa_emit_literal(e, typed.literal), PA_OK;
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN)
    return compare_membership(e, typing, kind == PYARRAY_COMPARE_NOTIN, lhs, rhs, out);
  if (mlirTypeIsATuple(typed.lhs)) return compare_tuples(e, typing, kind, lhs, rhs, out);
  if (kind == PYARRAY_COMPARE_IS) kind = PYARRAY_COMPARE_EQ;
  if (kind == PYARRAY_COMPARE_ISNOT) kind = PYARRAY_COMPARE_NE;
  lhs = pa_emit_cast(e, lhs, typed.lhs);
  rhs = pa_emit_cast(e, rhs, typed.rhs);
  *out = pa_value(e->builder, PA_OP_NAME(COMPARE), PA_OPERANDS(lhs, rhs), PA_RESULTS(typed.result),
                  PA_ATTRS({"kind", pyarrayCompareKindAttrGet(pa_emitter_context(e), kind)}));
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
  pa_elementwise elementwise;
  PA_TRY(pa_plan_elementwise(e->inference, e->instance, op, PA_OP_COMPARE, &elementwise, &done));
  if (done) return emit_elementwise(e, op, &elementwise);
  PA_TRY(pa_type_compare(&typing, kind, pa_emitter_fact(e, lhs), pa_emitter_fact(e, rhs), &typed));
  bool scalars = pa_scalar_of(typed.lhs) != PA_NOT_SCALAR && pa_scalar_of(typed.rhs) != PA_NOT_SCALAR;
  // Literals may decide the common type, so operands are cast here, where they are known.
  MlirValue a = scalars ? pa_emitter_use_as(e, lhs, typed.lhs) : pa_emitter_use(e, lhs),
            b = scalars ? pa_emitter_use_as(e, rhs, typed.rhs) : pa_emitter_use(e, rhs);
  if (pa_failed(e->builder)) return PA_OK;
  PA_TRY(emit_comparison(e, &typing, kind, a, b, &result));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}
