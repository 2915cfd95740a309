// First phase of pyarray-infer-types: abstract interpretation of an instance's untyped body over facts.
//
// Facts only grow (bottom, literal, type, wider type), so loops and recursion reach a fixpoint. Loop-carried values start
// without their literal, so that most loops are walked once. Branches whose condition is a known literal are not walked.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "infer_internal.h"

static pa_status walk_block(pa_inference *inference, pa_instance *instance, MlirBlock block);

//===-- Facts -------------------------------------------------------------------------------------===//

pa_typing pa_typing_at(pa_inference *inference, MlirOperation op) {
  return (pa_typing){inference->context, inference->arena, mlirOperationGetLocation(op)};
}

pa_fact pa_fact_get(pa_inference *inference, pa_instance *instance, MlirValue value) {
  return pa_value_entry_of(inference, instance, value)->fact;
}

static void set_fact(pa_inference *inference, pa_instance *instance, MlirValue value, pa_fact fact) {
  pa_value_entry_of(inference, instance, value)->fact = fact;
}

static void set_result(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact fact) {
  set_fact(inference, instance, mlirOperationGetResult(op, 0), fact);
}

bool pa_has_bottom_operand(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (pa_is_bottom(pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)))) return true;
  return false;
}

static const char *join_name(pa_inference *inference, MlirOperation op, intptr_t index) {
  MlirAttribute names = pa_get_attr(op, "pyarray.names");
  if (mlirAttributeIsNull(names) || !mlirAttributeIsAArray(names) || index >= mlirArrayAttrGetNumElements(names)) return NULL;
  return pa_attr_text(inference->arena, mlirArrayAttrGetElement(names, index));
}

// Joins |fact| into |target|; |op| and |index| say which variable of which statement, for the message.
static pa_status join(pa_inference *inference, MlirOperation op, intptr_t index, pa_fact *target, pa_fact fact) {
  if (pa_is_bottom(fact) || pa_fact_equal(*target, fact)) return PA_OK;
  if (pa_is_bottom(*target)) return *target = fact, PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  MlirType type = pa_join_types(&typing, target->type, fact.type);
  if (mlirTypeIsNull(type)) {
    const char *name = join_name(inference, op, index);
    const char *what = pa_kind(&inference->names, op) == PA_OP_RETURN ? "the results of the function"
                       : name && *name != '$' ? pa_arena_format(inference->arena, "variable '%s'", name)
                       : name ? "what the function returns" : "a value";
    bool optional = pyarrayTypeIsNone(target->type) || pyarrayTypeIsNone(fact.type);
    return pa_typing_fail(&typing, PA_CODE_TYPING, "cannot unify %s and %s for %s%s", pa_type_text(inference->arena, target->type),
                          pa_type_text(inference->arena, fact.type), what,
                          optional ? "\nhint: give it a value of one type on every path" : "");
  }
  *target = pa_fact_of(type);
  return PA_OK;
}

static pa_fact without_literal(pa_fact fact) { return pa_is_bottom(fact) ? fact : pa_fact_of(fact.type); }

//===-- Calls -----------------------------------------------------------------------------------===//

static pa_status walk_call(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_resolved_call call;
  PA_TRY(pa_resolve_call(inference, instance, op, &call));
  if (call.bottom) return PA_OK;
  if (!call.instance) return set_result(inference, instance, op, (pa_fact){call.plan.result, call.plan.literal}), PA_OK;
  pa_status status = pa_infer_instance(inference, call.instance);
  if (status) return pa_add_call_site(inference, status, call.instance, instance, op);
  if (call.instance->lowest < instance->lowest) instance->lowest = call.instance->lowest;
  pa_fact result = call.instance->result;
  if (call.ufunc) PA_TRY(pa_ufunc_result(inference, op, call.ufunc, &result));
  set_result(inference, instance, op, result);
  return PA_OK;
}

//===-- Control flow ------------------------------------------------------------------------------===//

int pa_known_condition(pa_inference *inference, pa_instance *instance, MlirOperation if_op) {
  pa_fact condition = pa_fact_get(inference, instance, mlirOperationGetOperand(if_op, 0));
  int64_t value;
  return pa_literal_int(condition, &value) ? value != 0 : -1;
}

static pa_status walk_if(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  int known = pa_known_condition(inference, instance, op);
  intptr_t count = mlirOperationGetNumResults(op);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  for (int side = 0; side < 2; ++side) {
    MlirBlock block = pa_body(op, side);
    if (known == side || mlirBlockIsNull(block)) continue;  // region 0 is taken when the condition holds
    PA_TRY(walk_block(inference, instance, block));
    MlirOperation yield = mlirBlockGetTerminator(block);
    for (intptr_t i = 0; i < count; ++i)
      PA_TRY(join(inference, op, i, &facts[i], pa_fact_get(inference, instance, mlirOperationGetOperand(yield, i))));
  }
  for (intptr_t i = 0; i < count; ++i) set_fact(inference, instance, mlirOperationGetResult(op, i), facts[i]);
  return PA_OK;
}

// Joins the operands of |source| from |first| on into the block arguments from |skip| on.
static pa_status join_arguments(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirBlock block, intptr_t skip,
                                MlirOperation source, intptr_t first, bool *out_changed) {
  for (intptr_t i = skip; i < mlirBlockGetNumArguments(block); ++i) {
    pa_fact incoming = without_literal(pa_fact_get(inference, instance, mlirOperationGetOperand(source, first + i - skip)));
    pa_value_entry *entry = pa_value_entry_of(inference, instance, mlirBlockGetArgument(block, i));
    pa_fact before = entry->fact;
    PA_TRY(join(inference, op, i - skip, &entry->fact, incoming));
    *out_changed = *out_changed || !pa_fact_equal(before, entry->fact);
  }
  return PA_OK;
}

static pa_status walk_while(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirBlock before = pa_body(op, 0), after = pa_body(op, 1);
  bool changed = false;
  PA_TRY(join_arguments(inference, instance, op, before, 0, op, 0, &changed));
  do {
    changed = false;
    PA_TRY(walk_block(inference, instance, before));
    MlirOperation condition = mlirBlockGetTerminator(before);
    PA_TRY(join_arguments(inference, instance, op, after, 0, condition, 1, &changed));
    PA_TRY(walk_block(inference, instance, after));
    changed = false;
    PA_TRY(join_arguments(inference, instance, op, before, 0, mlirBlockGetTerminator(after), 0, &changed));
  } while (changed);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    set_fact(inference, instance, mlirOperationGetResult(op, i), pa_fact_get(inference, instance, mlirBlockGetArgument(after, i)));
  return PA_OK;
}

static pa_status walk_for(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirBlock body = pa_body(op, 0);
  pa_fact iterable = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), item;
  if (pa_is_bottom(iterable)) return PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  PA_TRY(pa_type_item(&typing, iterable, &item));
  set_fact(inference, instance, mlirBlockGetArgument(body, 0), item);
  bool changed = false;
  PA_TRY(join_arguments(inference, instance, op, body, 1, op, 1, &changed));
  do {
    changed = false;
    PA_TRY(walk_block(inference, instance, body));
    PA_TRY(join_arguments(inference, instance, op, body, 1, mlirBlockGetTerminator(body), 0, &changed));
  } while (changed);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    set_fact(inference, instance, mlirOperationGetResult(op, i), pa_fact_get(inference, instance, mlirBlockGetArgument(body, i + 1)));
  return PA_OK;
}

//===-- Operations --------------------------------------------------------------------------------===//

const pa_fact *pa_index_facts(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact object, intptr_t *out_count,
                              bool *out_spread, bool *out_bottom) {
  bool store = pa_kind(&inference->names, op) == PA_OP_SETITEM;
  intptr_t count = mlirOperationGetNumOperands(op) - 1 - store;
  *out_spread = *out_bottom = false;
  pa_fact first = count == 1 ? pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1)) : (pa_fact){{NULL}, {NULL}};
  if (count == 1 && !pa_is_bottom(first) && mlirTypeIsATuple(first.type) && pyarrayTypeIsArray(object.type)) {
    *out_spread = true;
    *out_count = mlirTupleTypeGetNumTypes(first.type);
    pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, *out_count + 1);
    for (intptr_t i = 0; i < *out_count; ++i) facts[i] = pa_fact_of(mlirTupleTypeGetType(first.type, i));
    return facts;
  }
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    facts[i] = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1 + i));
    *out_bottom = *out_bottom || pa_is_bottom(facts[i]);
  }
  *out_count = count;
  return facts;
}

static pa_status walk_getitem(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), result = {{NULL}, {NULL}};
  intptr_t count;
  bool spread, bottom;
  const pa_fact *indices = pa_index_facts(inference, instance, op, object, &count, &spread, &bottom);
  PA_TRY(pa_type_getitem(&typing, object, indices, count, &result));
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

static pa_status walk_tuple(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type;
  set_result(inference, instance, op, pa_fact_of(mlirTupleTypeGet(inference->context, count, types)));
  return PA_OK;
}

static pa_status walk_slice(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirType parts[3];
  for (int i = 0; i < 3; ++i) {
    MlirType type = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type;
    parts[i] = pyarrayTypeIsNone(type) ? type : pa_index_type(&typing, type);
    if (mlirTypeIsNull(parts[i]))
      return pa_typing_fail(&typing, PA_CODE_TYPING, "slice indices must be integers or None, not %s", pa_type_text(inference->arena, type));
    if (!pyarrayTypeIsNone(parts[i])) parts[i] = pa_scalar_type(inference->context, PA_I64);
  }
  set_result(inference, instance, op, pa_fact_of(pyarraySliceTypeGet(parts[0], parts[1], parts[2])));
  return PA_OK;
}

static pa_status walk_unpack(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  intptr_t count = mlirOperationGetNumResults(op);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  PA_TRY(pa_type_unpack(&typing, pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), count, facts));
  for (intptr_t i = 0; i < count; ++i) set_fact(inference, instance, mlirOperationGetResult(op, i), facts[i]);
  return PA_OK;
}

static pa_status walk_operator(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact lhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), rhs = lhs;
  if (mlirOperationGetNumOperands(op) > 1) rhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1));
  MlirAttribute attr = pa_get_attr(op, "kind");
  pa_operator typed;
  if (kind == PA_OP_COMPARE) {
    pa_fact result;
    PA_TRY(pa_compare_strings(inference, instance, op, &result));
    if (!pa_is_bottom(result)) return set_result(inference, instance, op, result), PA_OK;
  }
  if (kind == PA_OP_BINARY) PA_TRY(pa_type_binary(&typing, (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(attr), lhs, rhs, &typed));
  else if (kind == PA_OP_UNARY) PA_TRY(pa_type_unary(&typing, (pyarray_unary_kind)pyarrayUnaryKindAttrGetValue(attr), lhs, &typed));
  else PA_TRY(pa_type_compare(&typing, (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(attr), lhs, rhs, &typed));
  set_result(inference, instance, op, (pa_fact){typed.result, typed.literal});
  return PA_OK;
}

static pa_status walk_frozen_array(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirType shaped = mlirAttributeGetType(pa_get_attr(op, "value"));
  MlirAttribute element = pa_get_attr(op, "element");
  MlirType of = mlirAttributeIsNull(element) ? mlirShapedTypeGetElementType(shaped) : mlirTypeAttrGetValue(element);
  MlirType type = pa_array_type(inference->context, mlirShapedTypeGetRank(shaped), of, PYARRAY_LAYOUT_C, true);
  if (mlirTypeIsNull(type)) return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op), "invalid element type of a frozen array");
  return set_result(inference, instance, op, pa_fact_of(type)), PA_OK;
}

static pa_status walk_value_op(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact operand = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), result = {{NULL}, {NULL}};
  switch (kind) {
    case PA_OP_TRUTH: PA_TRY(pa_type_truth(&typing, operand, &result)); break;
    case PA_OP_GETATTR: PA_TRY(pa_type_getattr(&typing, operand, pa_attr_text(inference->arena, pa_get_attr(op, "name")), &result)); break;
    case PA_OP_ITER_ITEM: PA_TRY(pa_type_item(&typing, operand, &result)); break;
    default: {  // PA_OP_ITER_LENGTH
      PA_TRY(pa_type_item(&typing, operand, &result));
      result = pa_fact_of(pa_scalar_type(inference->context, PA_I64));
    }
  }
  return set_result(inference, instance, op, result), PA_OK;
}

static bool holds_time(MlirType type) {
  if (!mlirTypeIsATuple(type)) return pa_is_time(type);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (holds_time(mlirTupleTypeGetType(type, i))) return true;
  return false;
}

static pa_status walk_raise(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type;
    if (holds_time(type))
      return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED, "a value of type %s as an exception's argument is not compiled yet",
                            pa_type_text(inference->arena, type));
  }
  return PA_OK;
}

static pa_status walk_return(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_fact before = instance->result;
  pa_fact value = without_literal(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)));
  pa_typing typing = pa_typing_at(inference, op);
  if (!pa_is_bottom(value) && !mlirTypeIsNull(instance->declared)) {
    PA_TRY(pa_check_castable(&typing, value.type, instance->declared, "the declared result type"));
    value = pa_fact_of(instance->declared);
  }
  PA_TRY(join(inference, op, 0, &instance->result, value));
  if (!pa_fact_equal(before, instance->result)) ++inference->changes;
  return PA_OK;
}

static pa_status walk_op(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_op_kind kind = pa_kind(&inference->names, op);
  switch (kind) {
    case PA_OP_SCF_IF:
      if (pa_has_bottom_operand(inference, instance, op)) return PA_OK;
      return walk_if(inference, instance, op);
    case PA_OP_SCF_WHILE: return walk_while(inference, instance, op);
    case PA_OP_FOR: return walk_for(inference, instance, op);
    case PA_OP_RETURN: return walk_return(inference, instance, op);
    case PA_OP_UNBOUND: case PA_OP_SCF_YIELD: case PA_OP_SCF_CONDITION: case PA_OP_YIELD: return PA_OK;
    case PA_OP_CONSTANT: return set_result(inference, instance, op, pa_literal_fact(inference->context, pa_get_attr(op, "value"))), PA_OK;
    case PA_OP_CALLABLE: return set_result(inference, instance, op, pa_fact_of(pyarrayCallableTypeGet(pa_get_attr(op, "name")))), PA_OK;
    case PA_OP_FROZEN_ARRAY: return walk_frozen_array(inference, instance, op);
    default: break;
  }
  if (pa_has_bottom_operand(inference, instance, op)) return PA_OK;
  switch (kind) {
    case PA_OP_BINARY: case PA_OP_UNARY: case PA_OP_COMPARE: return walk_operator(inference, instance, op, kind);
    case PA_OP_TRUTH: case PA_OP_GETATTR: case PA_OP_ITER_LENGTH: case PA_OP_ITER_ITEM: return walk_value_op(inference, instance, op, kind);
    case PA_OP_TUPLE: return walk_tuple(inference, instance, op);
    case PA_OP_UNPACK: return walk_unpack(inference, instance, op);
    case PA_OP_SLICE: return walk_slice(inference, instance, op);
    case PA_OP_GETITEM: return walk_getitem(inference, instance, op);
    case PA_OP_SETITEM: return walk_setitem(inference, instance, op);
    case PA_OP_APPLY: case PA_OP_METHOD: return walk_call(inference, instance, op);
    case PA_OP_RAISE: return walk_raise(inference, instance, op);
    default: {
      MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
      return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op), "operation %.*s does not belong to untyped pyarray", (int)name.length, name.data);
    }
  }
}

static pa_status walk_block(pa_inference *inference, pa_instance *instance, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) PA_TRY(walk_op(inference, instance, op));
  return PA_OK;
}

//===-- Recursion ---------------------------------------------------------------------------------===//

enum { PA_MAX_CALL_DEPTH = 400 };

static void finish_component(pa_inference *inference, int depth) {
  for (pa_instance *instance = inference->first; instance; instance = instance->next)
    if (instance->state == PA_TENTATIVE && instance->lowest >= depth) instance->state = PA_DONE, instance->lowest = INT_MAX;
}

// Walks an instance until its result and those of the instances it is mutually recursive with are stable. An instance whose
// result rests on an open one below it on the stack stays tentative, and is walked again with that one.
pa_status pa_infer_instance(pa_inference *inference, pa_instance *instance) {
  if (instance->state == PA_DONE) return PA_OK;
  if (instance->state == PA_OPEN) return instance->lowest = instance->lowest < instance->depth ? instance->lowest : instance->depth, PA_OK;
  if (instance->state == PA_TENTATIVE && instance->round == inference->round) return PA_OK;
  if (inference->depth >= PA_MAX_CALL_DEPTH)
    return pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(instance->function),
                      "more than %d nested calls of different functions or argument types", PA_MAX_CALL_DEPTH);
  instance->state = PA_OPEN;
  instance->depth = inference->depth++;
  MlirBlock body = pa_body(instance->function, 0);
  for (intptr_t i = 0; i < instance->argument_count; ++i)
    set_fact(inference, instance, mlirBlockGetArgument(body, i),
             (pa_fact){instance->arguments[i], instance->literals[i]});
  if (!mlirTypeIsNull(instance->declared)) instance->result = pa_fact_of(instance->declared);
  for (unsigned before = inference->changes;; before = inference->changes, ++inference->round) {
    instance->lowest = INT_MAX;
    instance->round = inference->round;
    PA_TRY(walk_block(inference, instance, body));
    bool recursive = instance->lowest == instance->depth;  // and it is the lowest of its cycle
    if (!recursive || before == inference->changes) break;
  }
  --inference->depth;
  instance->state = instance->lowest < instance->depth ? PA_TENTATIVE : PA_DONE;
  if (instance->state == PA_TENTATIVE) return PA_OK;
  finish_component(inference, instance->depth);
  instance->lowest = INT_MAX;
  return PA_OK;
}
