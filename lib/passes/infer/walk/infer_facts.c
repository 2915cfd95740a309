// First phase of pyarray-infer-types: abstract interpretation of an instance's untyped body over facts.
//
// Facts only grow (bottom, literal, type, wider type), so loops and recursion reach a fixpoint. Loop-carried values
// start without their literal, so that most loops are walked once. Branches whose condition is a known literal are not
// walked.
#include "infer_calls.h"
#include "infer_classes.h"
#include "infer_containers.h"
#include "infer_contract.h"
#include "infer_elementwise.h"
#include "infer_flow.h"
#include "infer_records.h"
#include "infer_signs.h"
#include "infer_ufunc.h"
#include "infer_walk.h"
#include "support/stop.h"

//===-- Facts -------------------------------------------------------------------------------------===//

static void set_result(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact fact) {
  pa_infer_set_fact(inference, instance, mlirOperationGetResult(op, 0), fact);
}

//===-- Calls -----------------------------------------------------------------------------------===//

static pa_status walk_call(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_resolved_call call;
  PA_TRY(pa_resolve_call(inference, instance, op, &call));
  if (call.bottom) return PA_OK;
  if (!call.instance)
    return set_result(inference, instance, op,
                      pa_sign_call(inference, instance, &call,
                                   (pa_fact){call.plan.result, call.plan.literal, call.plan.site, call.plan.signs})),
           PA_OK;
  pa_status status = pa_infer_instance(inference, call.instance);
  if (status) return pa_add_call_site(inference, status, call.instance, instance, op);
  pa_note_call(inference, instance, op, call.instance);
  if (call.instance->lowest < instance->lowest) instance->lowest = call.instance->lowest;
  pa_signs_pass(inference, instance, &call);
  pa_fact result = call.instance->result;
  if (call.ufunc) PA_TRY(pa_ufunc_result(inference, op, call.ufunc, &result));
  set_result(inference, instance, op, pa_sign_result(inference, call.instance->function, result));
  return PA_OK;
}

// |*out_done|: it was an operator that extends a list, and gives that.
static pa_status walk_extension(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_done) {
  pa_resolved_call call;
  PA_TRY(pa_resolve_extension(inference, instance, op, out_done, &call));
  if (!*out_done || call.bottom) return PA_OK;
  pa_status status = call.instance ? pa_infer_instance(inference, call.instance) : PA_OK;
  if (status) return pa_add_call_site(inference, status, call.instance, instance, op);
  if (call.instance && call.instance->lowest < instance->lowest) instance->lowest = call.instance->lowest;
  return set_result(inference, instance, op, pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0))), PA_OK;
}

// |*out_done|: it was an operation on an instance of a class, or one that an overload of the user's does.
static pa_status walk_class_operation(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                      bool *out_done) {
  pa_class_plan plan;
  pa_fact result = {0};
  PA_TRY(pa_plan_class_operation(inference, instance, op, &plan));
  *out_done = plan.kind != PA_CLASS_NOTHING;
  if (!*out_done || (plan.kind == PA_CLASS_CALL && plan.call.bottom)) return PA_OK;
  if (plan.kind == PA_CLASS_CALL) {
    pa_status status = pa_infer_instance(inference, plan.call.instance);
    if (status) return pa_add_call_site(inference, status, plan.call.instance, instance, op);
    pa_note_call(inference, instance, op, plan.call.instance);
    if (plan.call.instance->lowest < instance->lowest) instance->lowest = plan.call.instance->lowest;
    pa_signs_pass(inference, instance, &plan.call);
    result = plan.call.instance->result;
  }
  if (mlirOperationGetNumResults(op))
    set_result(
        inference, instance, op,
        pa_sign_class_operation(inference, instance, &plan, pa_class_operation_result(inference, &plan, result)));
  return PA_OK;
}

//===-- Operations --------------------------------------------------------------------------------===//

static pa_status walk_getitem(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  bool is_slice;
  int64_t start, step;
  intptr_t length;
  PA_TRY(pa_tuple_slice(inference, instance, op, &is_slice, &start, &step, &length));
  if (is_slice) {
    MlirType tuple = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type,
             *types = PA_NEW_ARRAY(inference->arena, MlirType, length + 1);
    if (pyarrayTypeIsTagged(tuple)) tuple = pyarrayTaggedTypeGetItem(tuple);
    for (intptr_t i = 0; i < length; ++i) types[i] = mlirTupleTypeGetType(tuple, start + i * step);
    return set_result(inference, instance, op, pa_fact_of(mlirTupleTypeGet(inference->context, length, types))), PA_OK;
  }
  pa_fact object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), result = {0};
  intptr_t count;
  bool spread, bottom;
  const pa_fact *indices = pa_index_facts(inference, instance, op, object, &count, &spread, &bottom);
  PA_TRY(pa_type_getitem(&typing, object, indices, count, &result));
  int64_t position;
  if (!pa_is_bottom(object) && mlirTypeIsATuple(object.type) && pa_literal_int(indices[0], &position))
    result = pa_known_element(inference, instance, mlirOperationGetOperand(op, 0), position, result);
  return set_result(inference, instance, op, result), PA_OK;
}

static pa_status walk_setitem(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  pa_fact value = pa_fact_get(inference, instance, mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1));
  intptr_t count;
  bool spread, bottom;
  const pa_fact *indices = pa_index_facts(inference, instance, op, object, &count, &spread, &bottom);
  MlirType ignored;
  return pa_type_setitem(&typing, object, indices, count, value, &ignored);
}

// Of a dict, keys and values take turns.
static pa_status walk_display(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_container kind) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact container = pa_container_here(&typing, kind);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    PA_TRY(pa_container_put(&typing, container, kind == PA_DICT && i % 2,
                            pa_fact_get(inference, instance, mlirOperationGetOperand(op, i))));
  return set_result(inference, instance, op, pa_container_here(&typing, kind)), PA_OK;
}

// A value that is iterated over.
static pa_fact iterator_fact(pa_fact iterable) {
  MlirType type = pa_iterator_type(iterable.type);
  return mlirTypeEqual(type, iterable.type) ? iterable : pa_fact_of(type);
}

static pa_status walk_delitem(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), ignored;
  if (pa_container_of(object.type) == PA_NO_CONTAINER)
    return pa_typing_fail(&typing, PA_CODE_TYPING, "a value of type %s does not support item deletion",
                          pa_type_text(inference->arena, object.type));
  pa_fact index = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1));
  return pa_type_getitem(&typing, object, &index, mlirOperationGetNumOperands(op) - 1, &ignored);
}

static pa_status walk_tuple(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type;
  set_result(inference, instance, op, pa_fact_of(mlirTupleTypeGet(inference->context, count, types)));
  return PA_OK;
}

// A dict, or the tuple of its values.
static pa_status walk_dict(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirAttribute keys = pa_keys_of_display(inference, instance, op);
  if (mlirAttributeIsNull(keys)) return walk_display(inference, instance, op, PA_DICT);
  intptr_t count = mlirArrayAttrGetNumElements(keys);
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count);
  for (intptr_t i = 0; i < count; ++i)
    types[i] = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 2 * i + 1)).type;
  MlirType tuple = mlirTupleTypeGet(inference->context, count, types);
  return set_result(inference, instance, op, pa_fact_of(pyarrayTaggedTypeGet(pa_ref("display"), keys, tuple))), PA_OK;
}

static pa_status walk_closure(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  PA_TRY(walk_tuple(inference, instance, op));
  MlirType captured = pa_fact_get(inference, instance, mlirOperationGetResult(op, 0)).type;
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) values[i] = mlirOperationGetOperand(op, i);
  pa_fact fact = pa_fact_of(pyarrayTaggedTypeGet(pa_ref("function"), pa_get_attr(op, "function"), captured));
  fact.site = pa_captured_site(inference, instance, values, count);
  return set_result(inference, instance, op, fact), PA_OK;
}

static pa_status walk_slice(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirType parts[3];
  for (int i = 0; i < 3; ++i) {
    MlirType type = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type;
    parts[i] = pyarrayTypeIsNone(type) ? type : pa_index_type(&typing, type);
    if (mlirTypeIsNull(parts[i]))
      return pa_typing_fail(&typing, PA_CODE_TYPING, "slice indices must be integers or None, not %s",
                            pa_type_text(inference->arena, type));
    if (!pyarrayTypeIsNone(parts[i])) parts[i] = pa_scalar_type(inference->context, PA_I64);
  }
  set_result(inference, instance, op, pa_fact_of(pyarraySliceTypeGet(parts[0], parts[1], parts[2])));
  return PA_OK;
}

static pa_status walk_unpack(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  intptr_t count = mlirOperationGetNumResults(op);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  MlirValue source = mlirOperationGetOperand(op, 0);
  inference->made_count = 0;
  PA_TRY(pa_make_iterator(inference, instance, op, &source));
  pa_fact operand = pa_fact_get(inference, instance, source);
  if (pa_is_bottom(operand)) return PA_OK;
  PA_TRY(pa_type_unpack(&typing, operand, count, facts));
  for (intptr_t i = 0; mlirTypeIsATuple(operand.type) && i < count; ++i)
    facts[i] = pa_known_element(inference, instance, mlirOperationGetOperand(op, 0), i, facts[i]);
  for (intptr_t i = 0; i < count; ++i) pa_infer_set_fact(inference, instance, mlirOperationGetResult(op, i), facts[i]);
  return PA_OK;
}

static pa_status walk_operator(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact lhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), rhs = lhs;
  if (mlirOperationGetNumOperands(op) > 1) rhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1));
  MlirAttribute attr = pa_get_attr(op, "kind");
  pa_operator typed;
  bool extends = false;
  if (kind == PA_OP_BINARY) PA_TRY(walk_extension(inference, instance, op, &extends));
  if (extends) return PA_OK;
  if (kind == PA_OP_COMPARE) {
    pa_fact result;
    PA_TRY(pa_compare_strings(inference, instance, op, &result));
    if (!pa_is_bottom(result)) return set_result(inference, instance, op, result), PA_OK;
  }
  pa_container_operator container;
  PA_TRY(pa_type_container_operator(&typing, op, kind, lhs, rhs, &container));
  if (container.fits) return set_result(inference, instance, op, container.result), PA_OK;
  pa_elementwise elementwise;
  PA_TRY(pa_plan_elementwise(inference, instance, op, kind, &elementwise, &extends));
  if (extends && mlirTypeIsNull(elementwise.result)) return PA_OK; // not known yet
  if (extends) return set_result(inference, instance, op, pa_fact_of(elementwise.result)), PA_OK;
  if (kind == PA_OP_BINARY) {
    pa_product product;
    PA_TRY(pa_plan_matmul(inference, instance, op, &product, &extends));
    if (extends) return set_result(inference, instance, op, pa_fact_of(product.result)), PA_OK;
    pa_fact result;
    PA_TRY(pa_type_binary_at(inference, op, lhs, rhs, &typed, &result));
    return set_result(inference, instance, op, result), PA_OK;
  }
  if (kind == PA_OP_UNARY)
    PA_TRY(pa_type_unary(&typing, (pyarray_unary_kind)pyarrayUnaryKindAttrGetValue(attr), lhs, &typed));
  else
    PA_TRY(pa_type_compare(&typing, (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(attr), lhs, rhs, &typed));
  pa_fact result = pa_fact_known(typed.result, typed.literal);
  if (kind == PA_OP_UNARY && pa_scalar_of(typed.result) == pa_scalar_of(lhs.type))
    result.site = pa_is_of_bits(lhs) ? PA_SITE_OF_BITS : pa_meeting_of(lhs);
  return set_result(inference, instance, op, result), PA_OK;
}

static pa_status walk_frozen_array(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirType shaped = mlirAttributeGetType(pa_get_attr(op, "value"));
  MlirAttribute element = pa_get_attr(op, "element");
  MlirType of = mlirAttributeIsNull(element) ? mlirShapedTypeGetElementType(shaped) : mlirTypeAttrGetValue(element);
  bool records = pa_is_record(of) && mlirShapedTypeGetRank(shaped) > 0;
  MlirType type = records
                      ? pa_records_type(inference->context, pa_item_code_of(inference->arena, of),
                                        mlirShapedTypeGetRank(shaped) - 1, PYARRAY_LAYOUT_C, true)
                      : pa_array_type(inference->context, mlirShapedTypeGetRank(shaped), of, PYARRAY_LAYOUT_C, true);
  if (mlirTypeIsNull(type))
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op), "invalid element type of a frozen array");
  return set_result(inference, instance, op, pa_fact_of(type)), PA_OK;
}

// Of a value's own, or one that a user's function computes.
static pa_status walk_attribute(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact object,
                                pa_fact *out_result) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_resolved_call call;
  pa_status status =
      pa_type_getattr(&typing, object, pa_attr_text(inference->arena, pa_get_attr(op, "name")), out_result);
  if (!status) return PA_OK;
  pa_status failure = pa_resolve_attribute(inference, instance, op, &call);
  if (!failure && !call.instance) return status;
  pa_status_free(status);
  PA_TRY(failure);
  failure = pa_infer_instance(inference, call.instance);
  if (failure) return pa_add_call_site(inference, failure, call.instance, instance, op);
  pa_note_call(inference, instance, op, call.instance);
  if (call.instance->lowest < instance->lowest) instance->lowest = call.instance->lowest;
  return *out_result = call.instance->result, PA_OK;
}

static pa_status walk_value_op(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact operand = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), result = {0};
  switch (kind) {
  case PA_OP_TRUTH: PA_TRY(pa_type_truth(&typing, operand, &result)); break;
  case PA_OP_GETATTR: PA_TRY(walk_attribute(inference, instance, op, operand, &result)); break;
  case PA_OP_ITER_ITEM: PA_TRY(pa_type_item(&typing, operand, &result)); break;
  default: { // PA_OP_ITER_MORE
    PA_TRY(pa_type_item(&typing, operand, &result));
    result = pa_fact_of(mlirIntegerTypeGet(inference->context, 1));
  }
  }
  return set_result(inference, instance, op, result), PA_OK;
}

// The fact of a pyarray.variable joins those of all that is stored there.
static pa_status walk_store(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_fact value = pa_infer_without_literal(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)));
  pa_value_entry *variable = pa_value_entry_of(inference, instance, mlirOperationGetOperand(op, 1));
  PA_TRY(pa_check_leaves(inference, op, value));
  return pa_infer_carry(inference, mlirOperationGetOperand(op, 1).ptr, op, 0, &variable->fact, (MlirValue){NULL}, value,
                        (MlirValue){NULL});
}

static pa_status walk_return(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_fact before = instance->result;
  pa_fact value = pa_infer_without_literal(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)));
  pa_typing typing = pa_typing_at(inference, op);
  if (pa_is_generator(instance->function)) value = pa_generator_without_items(inference, instance);
  PA_TRY(pa_check_leaves(inference, op, value));
  if (!pa_is_bottom(value) && !mlirTypeIsNull(instance->declared)) {
    PA_TRY(pa_check_castable(&typing, value.type, instance->declared, "the declared result type"));
    value = pa_fact_of(instance->declared);
  }
  PA_TRY(pa_infer_carry(inference, instance->function.ptr, op, 0, &instance->result, (MlirValue){NULL}, value,
                        (MlirValue){NULL}));
  if (!pa_fact_equal(before, instance->result)) ++inference->changes;
  return PA_OK;
}

static pa_status no_attributes(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  const char *type =
      pa_type_text(inference->arena, pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type);
  const char *name = pa_attr_text(inference->arena, pa_get_attr(op, "name"));
  return pa_typing_fail(&typing, PA_CODE_TYPING,
                        "cannot assign to attribute '%s' of a value of type %s\nhint: instances of a jitclass have "
                        "fields that can be assigned",
                        name, type);
}

// Operations on values, none of which is unknown.
static pa_status walk_values(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_op_kind kind = pa_kind(&inference->names, op);
  bool done;
  PA_TRY(pa_walk_record_operation(inference, instance, op, &done));
  if (done) return PA_OK;
  switch (kind) {
  case PA_OP_BINARY:
  case PA_OP_UNARY:
  case PA_OP_COMPARE: return walk_operator(inference, instance, op, kind);
  case PA_OP_TRUTH:
  case PA_OP_GETATTR:
  case PA_OP_ITER_MORE:
  case PA_OP_ITER_ITEM: return walk_value_op(inference, instance, op, kind);
  case PA_OP_LIST:
    return pa_is_read_as_tuple(inference, instance, op) ? walk_tuple(inference, instance, op)
                                                        : walk_display(inference, instance, op, PA_LIST);
  case PA_OP_SET: return walk_display(inference, instance, op, PA_SET);
  case PA_OP_DICT: return walk_dict(inference, instance, op);
  case PA_OP_ITERATOR:
    return set_result(inference, instance, op,
                      iterator_fact(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)))),
           PA_OK;
  case PA_OP_DELITEM: return walk_delitem(inference, instance, op);
  case PA_OP_TUPLE: return walk_tuple(inference, instance, op);
  case PA_OP_CLOSURE: return walk_closure(inference, instance, op);
  case PA_OP_UNPACK: return walk_unpack(inference, instance, op);
  case PA_OP_SLICE: return walk_slice(inference, instance, op);
  case PA_OP_GETITEM: return walk_getitem(inference, instance, op);
  case PA_OP_SETITEM: return walk_setitem(inference, instance, op);
  case PA_OP_APPLY:
  case PA_OP_METHOD: return walk_call(inference, instance, op);
  case PA_OP_SETATTR: return no_attributes(inference, instance, op);
  case PA_OP_SUSPEND: return pa_walk_suspend(inference, instance, op);
  case PA_OP_RAISE:
  case PA_OP_CAUSE: return pa_check_raise(inference, instance, op);
  default: {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op),
                      "operation %.*s does not belong to untyped pyarray", (int)name.length, name.data);
  }
  }
}

// Operands that may be None are taken out where values are needed.
static pa_status walk_opened(pa_inference *inference, pa_instance *instance, MlirOperation op,
                             pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation)) {
  pa_open_values open;
  pa_open_optionals(inference, instance, op, NULL, &open);
  pa_status status = walk(inference, instance, op);
  return pa_close_optionals(inference, instance, &open), status;
}

static pa_status walk_opened_values(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  return walk_opened(inference, instance, op, walk_values);
}

static pa_status walk_op(pa_inference *inference, pa_instance *instance, MlirOperation op);

static pa_status walk_known(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  bool done;
  PA_TRY(pa_walk_choice(inference, instance, op, walk_op, &done));
  if (!done) PA_TRY(walk_class_operation(inference, instance, op, &done));
  if (done) return PA_OK;
  PA_TRY(pa_walk_optional(inference, instance, op, walk_opened_values, &done));
  if (done) return PA_OK;
  pa_status status = walk_opened(inference, instance, op, walk_values);
  if (status && pa_make_whole(inference, instance, op)) pa_status_free(status), status = PA_OK;
  return status;
}

static pa_status walk_on_values(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  if (pa_has_bottom_operand(inference, instance, op)) return PA_OK;
  int depth = inference->depth;
  pa_instance *current = inference->current;
  pa_forget_overloaded(inference, instance, op);
  pa_status failure = walk_known(inference, instance, op);
  if (!failure || pa_status_code(failure) == PA_CODE_PYTHON) return failure;
  bool found = false;
  pa_status status = pa_note_overloaded(inference, instance, op, &found);
  if (!status && !found) return failure;
  pa_status_free(failure);
  PA_TRY(status);
  inference->depth = depth; // of what the failure came from
  inference->current = current;
  return walk_class_operation(inference, instance, op, &found);
}

static pa_status walk_op(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_op_kind kind = pa_kind(&inference->names, op);
  switch (kind) {
  case PA_OP_SCF_IF:
    if (pa_has_bottom_operand(inference, instance, op))
      return pa_infer_guess_from_branches(inference, instance, op), PA_OK;
    return pa_infer_walk_branches(inference, instance, op, pa_known_condition(inference, instance, op));
  case PA_OP_SCF_WHILE: return pa_infer_walk_while(inference, instance, op);
  case PA_OP_TRY: return pa_infer_walk_branches(inference, instance, op, -1);
  case PA_OP_STORE: return walk_store(inference, instance, op);
  case PA_OP_LOAD:
    return set_result(inference, instance, op, pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0))), PA_OK;
  case PA_OP_VARIABLE: return PA_OK;
  case PA_OP_RERAISE: return pa_check_reraise(inference, instance, op);
  case PA_OP_CAUGHT:
    return set_result(inference, instance, op, pa_fact_of(mlirIntegerTypeGet(inference->context, 1))), PA_OK;
  case PA_OP_EXCEPTION: return set_result(inference, instance, op, pa_exception_fact(inference, instance, op)), PA_OK;
  case PA_OP_FOR: return walk_opened(inference, instance, op, pa_infer_walk_for);
  case PA_OP_RETURN: return walk_opened(inference, instance, op, walk_return);
  case PA_OP_UNBOUND:
  case PA_OP_SCF_YIELD:
  case PA_OP_SCF_CONDITION:
  case PA_OP_YIELD: return PA_OK;
  case PA_OP_CONSTANT:
    return set_result(inference, instance, op, pa_literal_fact(inference->context, pa_get_attr(op, "value"))), PA_OK;
  case PA_OP_CALLABLE:
    return set_result(inference, instance, op, pa_fact_of(pyarrayCallableTypeGet(pa_get_attr(op, "name")))), PA_OK;
  case PA_OP_FROZEN_ARRAY: return walk_frozen_array(inference, instance, op);
  case PA_OP_FROZEN:
    return set_result(inference, instance, op, pa_fact_of(mlirTypeAttrGetValue(pa_get_attr(op, "type")))), PA_OK;
  case PA_OP_NEW:
    return set_result(
               inference, instance, op,
               pa_fact_of(pyarrayObjectTypeGet(inference->context, mlirStringAttrGetValue(pa_get_attr(op, "name"))))),
           PA_OK;
  default: break;
  }
  bool probe = kind == PA_OP_GETATTR && !mlirAttributeIsNull(pa_get_attr(op, "pyarray.probe"));
  return probe ? pa_walk_probe(inference, instance, op, walk_on_values) : walk_on_values(inference, instance, op);
}

static bool is_endless(pa_status failure) { return failure && pa_status_code(failure) == PA_CODE_ENDLESS; }

pa_status pa_infer_walk_block(pa_inference *inference, pa_instance *instance, MlirBlock block) {
  pa_status failures = PA_OK; // what depends on a value that could not be typed has no type, and does not fail
  PA_FOR_EACH_OP(op, block) {
    if (pa_must_stop()) return pa_status_free(failures), pa_check_stop();
    pa_status failure = walk_op(inference, instance, op);
    if (!failure && pa_signs_are_known(inference)) pa_find_signs(inference, instance, op);
    if (!is_endless(failure)) failures = pa_status_join(failures, failure), failure = pa_check_growth(inference, op);
    if (failure) return pa_status_free(failures), failure;
    if (failures && !pa_status_may_go_on(failures)) break;
  }
  return failures;
}
