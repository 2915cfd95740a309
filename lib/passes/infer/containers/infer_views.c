// Views of dicts in pyarray-infer-types, as the sets that they are: operators, comparisons, isdisjoint.
//
//   %r = pyarray.binary and %keys, %x      @containers.in_both with (%keys, %x): a set
//   %r = pyarray.compare le %keys, %x      @containers.subset with (%keys, %x)
#include "infer_calls.h"
#include "infer_containers.h"

static bool is_set_view(MlirType type) { return pa_is_tagged(type, "keys") || pa_is_tagged(type, "items"); }

static bool is_like_set(MlirType type) {
  return is_set_view(type) || pa_container_of(type) == PA_SET || pa_container_of(type) == PA_FROZENSET;
}

static pa_status call(pa_class_operation *o, const char *function, bool swapped) {
  MlirValue operands[] = {mlirOperationGetOperand(o->op, swapped), mlirOperationGetOperand(o->op, !swapped)};
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), operands, 2);
}

static pa_status decide_binary(pa_class_operation *o) {
  static const struct {
    pyarray_binary_kind kind;
    const char *function;
  } rows[] = {{PYARRAY_BINARY_AND, "containers.in_both"},
              {PYARRAY_BINARY_OR, "containers.in_either"},
              {PYARRAY_BINARY_SUB, "containers.in_first"},
              {PYARRAY_BINARY_XOR, "containers.in_one"}};
  pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind"));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].kind == kind) return call(o, rows[i].function, false);
  return PA_OK;
}

// ORDER COMPARISONS: the function, whether of (b, a), and whether its negation.
static const struct {
  const char *function;
  bool swapped, negated;
} comparisons[] = {[PYARRAY_COMPARE_EQ] = {"containers.same_items", false, false},
                   [PYARRAY_COMPARE_NE] = {"containers.same_items", false, true},
                   [PYARRAY_COMPARE_LT] = {"containers.proper_subset", false, false},
                   [PYARRAY_COMPARE_LE] = {"containers.subset", false, false},
                   [PYARRAY_COMPARE_GT] = {"containers.proper_subset", true, false},
                   [PYARRAY_COMPARE_GE] = {"containers.subset", true, false}};

static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  if (kind > PYARRAY_COMPARE_GE) return PA_OK;
  if (!is_like_set(pa_operand_type(o, 0)) || !is_like_set(pa_operand_type(o, 1)))
    return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                          "a view of a dict's keys or items is compared with sets and such views, here are %s and "
                          "%s\nhint: make both lists, or sets",
                          pa_type_text(o->inference->arena, pa_operand_type(o, 0)),
                          pa_type_text(o->inference->arena, pa_operand_type(o, 1)));
  o->plan->truth = true;
  o->plan->negated = comparisons[kind].negated;
  return call(o, comparisons[kind].function, comparisons[kind].swapped);
}

static pa_status decide_method(pa_class_operation *o) {
  if (!pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(o->op, "name")), "isdisjoint")) return PA_OK;
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, "containers.disjoint"), o->inference->given,
                          o->inference->given_count);
}

pa_status pa_plan_view_operation(pa_class_operation *o) {
  intptr_t count = mlirOperationGetNumOperands(o->op);
  for (intptr_t i = 0; i < count; ++i)
    if (mlirTypeIsNull(pa_operand_type(o, i))) return PA_OK;
  bool first = is_set_view(pa_operand_type(o, 0)), second = count > 1 && is_set_view(pa_operand_type(o, 1));
  if (o->kind == PA_OP_METHOD && first) return decide_method(o);
  if (!first && !second) return PA_OK;
  return o->kind == PA_OP_BINARY ? decide_binary(o) : o->kind == PA_OP_COMPARE ? decide_compare(o) : PA_OK;
}
