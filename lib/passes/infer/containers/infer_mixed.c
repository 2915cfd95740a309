// Comparisons and sums of containers whose types differ, and slices of lists that are set to other things, in
// pyarray-infer-types: functions of the Python library.
//
//   %0 = pyarray.compare eq %a, %b          @containers.equal_lists with (%a, %b), where the one has ints and the other
//   floats
#include "infer_calls.h"
#include "infer_containers.h"

static pa_status ask(pa_class_operation *o, const char *function, intptr_t first, bool negated) {
  MlirValue arguments[] = {mlirOperationGetOperand(o->op, first), mlirOperationGetOperand(o->op, 1 - first)};
  o->plan->truth = true;
  o->plan->negated = negated;
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments, 2);
}

// All items of the container have a type.
static bool is_known(MlirType type) {
  if (pyarrayTypeIsAny(type)) return false;
  if (pa_container_of(type) == PA_NO_CONTAINER) return true;
  return is_known(pyarrayTypeGetItem(type)) && (!pyarrayTypeIsDict(type) || is_known(pyarrayDictTypeGetValue(type)));
}

// ORDER COMPARISONS: the function, and whether of (b, a).
static const struct {
  const char *function;
  bool swapped;
} orders[] = {[PYARRAY_COMPARE_LT] = {"containers.less_lists", false},
              [PYARRAY_COMPARE_LE] = {"containers.at_most_lists", false},
              [PYARRAY_COMPARE_GT] = {"containers.less_lists", true},
              [PYARRAY_COMPARE_GE] = {"containers.at_most_lists", true}};

// xs + [1.5] of ints: a list that has both, where none of the two can become one of the other's items.
static pa_status decide_sum(pa_class_operation *o) {
  bool adds = pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind")) == PYARRAY_BINARY_ADD &&
              mlirAttributeIsNull(pa_get_attr(o->op, "inplace"));
  MlirType a = pa_operand_type(o, 0), b = pa_operand_type(o, 1);
  if (!adds || mlirTypeIsNull(a) || mlirTypeIsNull(b) || pa_container_of(a) != PA_LIST ||
      pa_container_of(b) != PA_LIST || !is_known(a) || !is_known(b))
    return PA_OK;
  if (pa_scalar_of(pyarrayTypeGetItem(a)) == PA_NOT_SCALAR || pa_scalar_of(pyarrayTypeGetItem(b)) == PA_NOT_SCALAR)
    return PA_OK;
  pa_fact joined;
  PA_TRY(pa_join_facts(&o->typing, pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 0)),
                       pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 1)), &joined));
  MlirValue operands[] = {mlirOperationGetOperand(o->op, 0), mlirOperationGetOperand(o->op, 1)};
  return pa_is_bottom(joined)
             ? pa_plan_function(o, pa_symbol_attr(o->inference->context, "containers.both_lists"), operands, 2)
             : PA_OK;
}

// xs[1:] = what is iterated over.
static pa_status decide_slice(pa_class_operation *o) {
  MlirType value = mlirOperationGetNumOperands(o->op) == 3 ? pa_operand_type(o, 2) : (MlirType){NULL};
  if (mlirTypeIsNull(value) || mlirTypeIsNull(pa_operand_type(o, 0)) || mlirTypeIsNull(pa_operand_type(o, 1)) ||
      pa_container_of(pa_operand_type(o, 0)) != PA_LIST || !pyarrayTypeIsSlice(pa_operand_type(o, 1)))
    return PA_OK;
  pa_fact ignored;
  pa_status failure = pyarrayTypeIsList(value) ? PA_OK : pa_type_item(&o->typing, pa_fact_of(value), &ignored);
  bool other = !pyarrayTypeIsList(value) && !failure;
  pa_status_free(failure);
  MlirValue operands[] = {mlirOperationGetOperand(o->op, 0), mlirOperationGetOperand(o->op, 1),
                          mlirOperationGetOperand(o->op, 2)};
  return other ? pa_plan_function(o, pa_symbol_attr(o->inference->context, "list.set_slice"), operands, 3) : PA_OK;
}

// Containers whose items differ in type, and a complex number that may be a real one.
static bool are_compared_by_item(MlirType item, MlirType held) {
  if (pa_scalar_of(item) != PA_NOT_SCALAR && pa_scalar_of(held) != PA_NOT_SCALAR)
    return pa_is_complex(pa_scalar_of(item)) && !pa_is_complex(pa_scalar_of(held));
  bool containers = pa_container_of(item) != PA_NO_CONTAINER && pa_container_of(item) == pa_container_of(held);
  return containers && !mlirTypeEqual(item, held) && is_known(item);
}

// Whether a dict that is the tuple of its values has a key. |*out_place|: where, or -1.
static bool find_key(MlirType display, MlirAttribute key, intptr_t *out_place) {
  MlirAttribute keys = pyarrayTaggedTypeGetTag(display);
  *out_place = -1;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(keys) && *out_place < 0; ++i)
    if (mlirAttributeEqual(key, mlirArrayAttrGetElement(keys, i))) *out_place = i;
  return *out_place >= 0;
}

static pa_status fail_unknown_key(pa_class_operation *o) {
  return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                        "the key must be known when the function is compiled, since the dict's values differ in type"
                        "\nhint: write it as a literal, or make all values of one type");
}

static pa_status decide_display_membership(pa_class_operation *o, MlirType display, bool negated) {
  MlirAttribute key = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 0)).literal;
  intptr_t place;
  if (mlirAttributeIsNull(key)) return fail_unknown_key(o);
  o->plan->kind = PA_CLASS_CONSTANT;
  return o->plan->constant = mlirBoolAttrGet(o->inference->context, find_key(display, key, &place) != negated), PA_OK;
}

// A value that no item is equal to is in nothing; sets and dicts still want to know its hash.
static pa_status decide_membership(pa_class_operation *o, MlirType item, MlirType holder, bool negated) {
  if (pa_is_tagged(holder, "display")) return decide_display_membership(o, holder, negated);
  if (pa_is_tagged(holder, "values") || pa_is_tagged(holder, "items"))
    return ask(o, "containers.in_values", 1, negated);
  if (pa_is_tagged(holder, "keys")) holder = mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(holder), 0);
  pa_container kind = pa_container_of(holder);
  MlirType number = pa_scalar_type(o->inference->context, PA_I64);
  MlirType held = pyarrayTypeIsRange(holder)                    ? number
                  : kind != PA_NO_CONTAINER && is_known(holder) ? pyarrayTypeGetItem(holder)
                                                                : (MlirType){NULL};
  bool hashes = kind != PA_NO_CONTAINER && kind != PA_LIST && kind != PA_DEQUE;
  if (!hashes && !mlirTypeIsNull(held) && are_compared_by_item(item, held))
    return ask(o, "containers.in_values", 1, negated);
  if (mlirTypeIsNull(held) || !pa_never_equal(item, held) || (hashes && !pa_is_hashable(&o->typing, item)))
    return PA_OK;
  o->plan->kind = PA_CLASS_CONSTANT;
  return o->plan->constant = mlirBoolAttrGet(o->inference->context, negated), PA_OK;
}

// An item of a dict that is the tuple of its values (infer_displays.c).
static pa_status decide_display_item(pa_class_operation *o) {
  MlirType display = pa_operand_type(o, 0);
  if (!pa_is_tagged(display, "display")) return PA_OK;
  MlirAttribute key = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 1)).literal;
  intptr_t place;
  if (mlirAttributeIsNull(key)) return fail_unknown_key(o);
  if (!find_key(display, key, &place))
    return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                          "KeyError: the dict, whose values differ in type, has no such key");
  o->plan->kind = PA_CLASS_ELEMENT;
  o->plan->object = mlirOperationGetOperand(o->op, 0);
  o->plan->element = place;
  return o->plan->result = mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(display), place), PA_OK;
}

pa_status pa_plan_mixed_operation(pa_class_operation *o) {
  if (o->kind == PA_OP_GETITEM) return decide_display_item(o);
  if (o->kind == PA_OP_BINARY) return decide_sum(o);
  if (o->kind == PA_OP_SETITEM) return decide_slice(o);
  if (o->kind != PA_OP_COMPARE) return PA_OK;
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirType a = pa_operand_type(o, 0), b = pa_operand_type(o, 1);
  if (mlirTypeIsNull(a) || mlirTypeIsNull(b)) return PA_OK;
  bool negated = kind == PYARRAY_COMPARE_NE || kind == PYARRAY_COMPARE_NOTIN;
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN) return decide_membership(o, a, b, negated);
  pa_container left = pa_container_of(a), right = pa_container_of(b);
  bool equality = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE;
  bool other = (left != PA_NO_CONTAINER && mlirTypeIsATuple(b)) ||
               (right != PA_NO_CONTAINER && mlirTypeIsATuple(a)); // a list and a tuple
  bool both = left != PA_NO_CONTAINER && right != PA_NO_CONTAINER;
  if ((!both && !other) || (both && (mlirTypeEqual(a, b) || !is_known(a) || !is_known(b)))) return PA_OK;
  bool sets = both && pyarrayTypeIsSet(a) && pyarrayTypeIsSet(b), lists = both && left == right && pyarrayTypeIsList(a),
       is_sequence = left == PA_LIST || left == PA_DEQUE;
  if (sets && mlirTypeEqual(pyarrayTypeGetItem(a), pyarrayTypeGetItem(b))) return PA_OK;
  if (!equality)
    return lists && kind <= PYARRAY_COMPARE_GE ? ask(o, orders[kind].function, orders[kind].swapped, false) : PA_OK;
  // Empty ones are equal whatever they hold.
  if (both && (sets || left == right))
    return ask(o,
               sets          ? "containers.same_items"
               : is_sequence ? "containers.equal_lists"
                             : "containers.equal_dicts",
               0, negated);
  o->plan->kind = PA_CLASS_CONSTANT;
  return o->plan->constant = mlirBoolAttrGet(o->inference->context, negated), PA_OK;
}
