// Second phase of pyarray-infer-types: emits an instance, typed, from its facts.
//
// The untyped body is walked once more; each value maps to a typed one. Where a value is used in another type than its
// own (operands of operators, joins, results), a pyarray.cast is put in between. Operations that are never reached (an
// operand is bottom) and branches not taken are left out; a value that is a known literal becomes a constant.
#include "infer_calls.h"
#include "infer_classes.h"
#include "infer_elementwise.h"
#include "infer_emit_parts.h"

//===-- Exceptions --------------------------------------------------------------------------------===//

static pa_status emit_try(pa_instance_emitter *e, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirType *types = pa_infer_result_types(e, op);
  MlirRegion regions[2];
  pa_status status = PA_OK;
  for (int part = 0; part < 2; ++part) {
    MlirBlock target;
    regions[part] = pa_region(e->builder->location, NULL, 0, &target);
    if (!status)
      status = pa_infer_emit_region(e, pa_body(op, part), target, PA_OP_NAME(YIELD), (MlirValue){NULL}, types, count);
  }
  pa_infer_map_results(
      e, op, pa_op(e->builder, PA_OP_NAME(TRY), PA_RESULT_ARRAY(types, count), PA_REGIONS(regions[0], regions[1])));
  return status;
}

static pa_status emit_variable(pa_instance_emitter *e, MlirOperation op) {
  MlirType type = pyarrayVariableTypeGet(pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0))));
  MlirValue variable = pa_value(e->builder, PA_OP_NAME(VARIABLE), PA_RESULTS(type));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), variable), PA_OK;
}

static pa_status emit_store(pa_instance_emitter *e, MlirOperation op) {
  MlirValue variable = pa_emitter_use(e, mlirOperationGetOperand(op, 1));
  MlirValue value =
      pa_emitter_use_as(e, mlirOperationGetOperand(op, 0), pa_emitter_fact(e, mlirOperationGetOperand(op, 1)).type);
  return pa_op(e->builder, PA_OP_NAME(STORE), PA_OPERANDS(value, variable)), PA_OK;
}

static pa_status emit_suspend(pa_instance_emitter *e, MlirOperation op) {
  MlirValue item = pa_emitter_use_as(e, mlirOperationGetOperand(op, 0), pyarrayTypeGetItem(e->instance->result.type));
  return pa_op(e->builder, PA_OP_NAME(SUSPEND), PA_OPERANDS(item)), PA_OK;
}

//===-- Containers --------------------------------------------------------------------------------===//

static pa_status emit_display(pa_instance_emitter *e, MlirOperation op) {
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0)));
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *items = pa_emitter_values(e, count);
  if (mlirTypeIsATuple(type)) { // of a list, or the values of a dict, that is only read
    bool dict = pa_kind(&e->inference->names, op) == PA_OP_DICT;
    count = mlirTupleTypeGetNumTypes(type);
    for (intptr_t i = 0; i < count; ++i)
      items[i] = pa_emitter_use_as(e, mlirOperationGetOperand(op, dict ? 2 * i + 1 : i), mlirTupleTypeGetType(type, i));
    MlirValue tuple = pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(items, count), PA_RESULTS(type));
    return pa_emitter_map(e, mlirOperationGetResult(op, 0), tuple), PA_OK;
  }
  for (intptr_t i = 0; i < count; ++i)
    items[i] =
        pa_emitter_use_as(e, mlirOperationGetOperand(op, i),
                          i % 2 && pyarrayTypeIsDict(type) ? pyarrayDictTypeGetValue(type) : pyarrayTypeGetItem(type));
  MlirValue container = pa_value(e->builder, pa_op_names[pa_kind(&e->inference->names, op)],
                                 PA_OPERAND_ARRAY(items, count), PA_RESULTS(type));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), container), PA_OK;
}

// What a loop goes over.
static pa_status emit_iterator(pa_instance_emitter *e, MlirOperation op) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  MlirType kind = pa_emitter_fact(e, operand).type;
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emit_iterator(e, pa_emitter_use(e, operand), &kind)),
         PA_OK;
}

// The values that it captured.
static pa_status emit_closure(pa_instance_emitter *e, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0)));
  MlirValue *captured = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) captured[i] = pa_emitter_use(e, mlirOperationGetOperand(op, i));
  MlirValue value = pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(captured, count), PA_RESULTS(type));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), value), PA_OK;
}

//===-- Operations --------------------------------------------------------------------------------===//

// The same operation on typed operands, with the types that inference found.
static pa_status emit_same(pa_instance_emitter *e, MlirOperation op, const char *const *attributes) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) operands[i] = pa_emitter_use(e, mlirOperationGetOperand(op, i));
  MlirType *types = pa_infer_result_types(e, op);
  pa_attr attrs[2] = {{0}};
  intptr_t attr_count = 0;
  for (; attributes && attributes[attr_count]; ++attr_count)
    attrs[attr_count] = (pa_attr){attributes[attr_count], pa_get_attr(op, attributes[attr_count])};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  pa_op_spec spec = {.operands = operands,
                     .operand_count = count,
                     .results = types,
                     .result_count = mlirOperationGetNumResults(op),
                     .attrs = attrs,
                     .attr_count = attr_count};
  pa_infer_map_results(e, op, pa_build(e->builder, pa_arena_copy(e->inference->arena, name.data, name.length), &spec));
  return PA_OK;
}

static pa_status emit_callable(pa_instance_emitter *e, MlirOperation op) {
  MlirValue value = pa_emitter_callable(e, *pa_infer_result_types(e, op), pa_get_attr(op, "name"));
  if (!mlirValueIsNull(value)) pa_infer_map_results(e, op, mlirOpResultGetOwner(value));
  return PA_OK;
}

static pa_status emit_slice(pa_instance_emitter *e, MlirOperation op) {
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0)));
  MlirValue parts[3];
  for (int i = 0; i < 3; ++i)
    parts[i] = pa_emit_cast(e, pa_emitter_use(e, mlirOperationGetOperand(op, i)), pyarraySliceTypeGetPart(type, i));
  MlirValue slice = pa_value(e->builder, PA_OP_NAME(SLICE), PA_OPERAND_ARRAY(parts, 3), PA_RESULTS(type));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), slice), PA_OK;
}

// Arguments that are literals become constants, tuples of literals one constant. Of pyarray.raise and pyarray.cause.
static pa_status emit_raise(pa_instance_emitter *e, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirAttribute tuple = pa_tuple_literal(e->inference, e->instance, operand);
    operands[i] = mlirAttributeIsNull(tuple) ? pa_emitter_use(e, operand) : pa_emit_literal(e, tuple);
  }
  pa_op(e->builder, pa_op_names[pa_kind(&e->inference->names, op)], PA_OPERAND_ARRAY(operands, count),
        PA_ATTRS({"exception", pa_get_attr(op, "exception")}, {"bases", pa_get_attr(op, "bases")}));
  return PA_OK;
}

static pa_status emit_attribute(pa_instance_emitter *e, MlirOperation op) {
  static const char *const name[] = {"name", NULL};
  pa_typing typing = pa_typing_at(e->inference, op);
  pa_fact own;
  pa_status status = pa_type_getattr(&typing, pa_emitter_fact(e, mlirOperationGetOperand(op, 0)),
                                     pa_attr_text(e->inference->arena, pa_get_attr(op, "name")), &own);
  MlirValue object = mlirOperationGetOperand(op, 0);
  bool of_number = !status && pa_scalar_of(pa_emitter_fact(e, object).type) != PA_NOT_SCALAR;
  if (of_number && mlirTypeIsATuple(own.type))
    return pa_emitter_map(e, mlirOperationGetResult(op, 0),
                          pa_value(e->builder, PA_OP_NAME(TUPLE), PA_RESULTS(own.type))),
           PA_OK;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  if (!status && pa_is_tagged(own.type, "array ctypes"))
    return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emitter_use(e, object)), PA_OK;
  if (!status && pa_is_tagged(pa_emitter_fact(e, object).type, "array ctypes")) {
    MlirValue address =
        pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(pa_emitter_use(e, object)), PA_RESULTS(own.type),
                 PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "pyarray.data_address")}));
    return pa_emitter_map(e, mlirOperationGetResult(op, 0), address), PA_OK;
  }
  if (of_number && (pa_ref_equal(text, "T") || pa_ref_equal(text, "numerator")))
    return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emit_cast(e, pa_emitter_use(e, object), own.type)),
           PA_OK;
  if (!status) return emit_same(e, op, name);
  pa_status_free(status);
  pa_resolved_call call;
  PA_TRY(pa_resolve_attribute(e->inference, e->instance, op, &call));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_infer_emit_instance_call(e, &call)), PA_OK;
}

static bool is_structural(pa_op_kind kind) {
  return kind == PA_OP_SCF_IF || kind == PA_OP_SCF_WHILE || kind == PA_OP_FOR || kind == PA_OP_TRY;
}

static pa_status emit_values(pa_instance_emitter *e, MlirOperation op) {
  static const char *const value[] = {"value", "element", NULL}, *const name[] = {"name", NULL},
                           *const classes[] = {"classes", NULL}, *const contents[] = {"contents", "type", NULL},
                           *const of_caller[] = {"of_caller", NULL};
  pa_op_kind kind = pa_kind(&e->inference->names, op);
  MlirValue source;
  bool done;
  PA_TRY(pa_emit_record_operation(e, op, &done));
  if (done) return PA_OK;
  switch (kind) {
  case PA_OP_SCF_IF: return pa_infer_emit_if(e, op);
  case PA_OP_SCF_WHILE: return pa_infer_emit_while(e, op);
  case PA_OP_FOR: return pa_infer_emit_for(e, op);
  case PA_OP_ITER_MORE: return pa_emit_iter_more(e, op);
  case PA_OP_ITER_ITEM: return pa_emit_iter_item(e, op);
  case PA_OP_BINARY:
    PA_TRY(pa_infer_emit_extension(e, op, &done));
    return done ? PA_OK : pa_emit_binary_operator(e, op);
  case PA_OP_UNARY: return pa_emit_unary_operator(e, op);
  case PA_OP_COMPARE: return pa_emit_comparison_operator(e, op);
  case PA_OP_SLICE: return emit_slice(e, op);
  case PA_OP_LIST:
  case PA_OP_DICT:
  case PA_OP_SET: return emit_display(e, op);
  case PA_OP_ITERATOR: return emit_iterator(e, op);
  case PA_OP_CLOSURE: return emit_closure(e, op);
  case PA_OP_DELITEM: return pa_infer_emit_delitem(e, op);
  case PA_OP_GETITEM: return pa_infer_emit_getitem(e, op);
  case PA_OP_SETITEM: return pa_infer_emit_setitem(e, op);
  case PA_OP_APPLY:
  case PA_OP_METHOD: return pa_infer_emit_call(e, op);
  case PA_OP_FROZEN_ARRAY: return emit_same(e, op, value);
  case PA_OP_FROZEN: return emit_same(e, op, contents);
  case PA_OP_GETATTR: return emit_attribute(e, op);
  case PA_OP_CALLABLE: return emit_callable(e, op);
  case PA_OP_NEW: return emit_same(e, op, name);
  case PA_OP_RAISE:
  case PA_OP_CAUSE: return emit_raise(e, op);
  case PA_OP_TRY: return emit_try(e, op);
  case PA_OP_VARIABLE:
    return pa_is_bottom(pa_emitter_fact(e, mlirOperationGetResult(op, 0))) ? PA_OK : emit_variable(e, op);
  case PA_OP_STORE: return emit_store(e, op);
  case PA_OP_SUSPEND: return emit_suspend(e, op);
  case PA_OP_UNPACK:
    PA_TRY(pa_emit_own_iterator(e, op, &source));
    return pyarrayTypeIsGenerator(pa_emitter_fact(e, source).type) ? pa_emit_unpack_generator(e, op, source)
                                                                   : emit_same(e, op, NULL);
  case PA_OP_CAUGHT:
  case PA_OP_EXCEPTION: return emit_same(e, op, classes);
  case PA_OP_RERAISE: return emit_same(e, op, of_caller);
  case PA_OP_TRUTH:
    if (!pyarrayTypeIsArray(pa_emitter_fact(e, mlirOperationGetOperand(op, 0)).type)) return emit_same(e, op, NULL);
    return pa_emitter_map(e, mlirOperationGetResult(op, 0),
                          pa_emit_array_truth(e, pa_emitter_use(e, mlirOperationGetOperand(op, 0)))),
           PA_OK;
  default: return emit_same(e, op, NULL); // tuple
  }
}

static pa_status emit_opened_values(pa_instance_emitter *e, MlirOperation op) {
  pa_open_values open;
  pa_open_optionals(e->inference, e->instance, op, e, &open);
  pa_status status = emit_values(e, op);
  return pa_close_optionals(e->inference, e->instance, &open), status;
}

// What needs a value that there never is raises before it; but a method is looked up first of all.
static pa_status check_method(pa_instance_emitter *e, MlirOperation op) {
  MlirType type = pa_emitter_fact(e, mlirOperationGetOperand(op, 0)).type;
  const char *name = pa_attr_text(e->inference->arena, pa_get_attr(op, "name"));
  bool plain = !mlirTypeIsNull(type) && (pa_scalar_of(type) != PA_NOT_SCALAR || pyarrayTypeIsNone(type));
  if (!plain || pa_has_method(e->inference, type, name)) return PA_OK;
  pa_typing typing = pa_typing_at(e->inference, op);
  return pa_typing_fail(&typing, PA_CODE_TYPING, "unknown method '%s' of type %s", name,
                        pa_type_text(e->inference->arena, type));
}

static pa_status emit_op(pa_instance_emitter *e, MlirOperation op) {
  pa_op_kind kind = pa_kind(&e->inference->names, op);
  e->builder->location = mlirOperationGetLocation(op);
  if (kind == PA_OP_UNBOUND) return PA_OK;
  if (kind == PA_OP_SCF_IF && pa_has_bottom_operand(e->inference, e->instance, op)) return PA_OK;
  if (kind == PA_OP_FOR && pa_is_bottom(pa_emitter_fact(e, mlirOperationGetOperand(op, 0)))) return PA_OK;
  if (!is_structural(kind)) {
    if (pa_has_bottom_operand(e->inference, e->instance, op)) return kind == PA_OP_METHOD ? check_method(e, op) : PA_OK;
    pa_fact fact =
        mlirOperationGetNumResults(op) == 1 ? pa_emitter_fact(e, mlirOperationGetResult(op, 0)) : (pa_fact){0};
    if (!mlirAttributeIsNull(fact.literal))
      return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emit_literal(e, fact.literal)), PA_OK;
  }
  bool done = false;
  PA_TRY(pa_emit_choice_call(e, op, emit_op, &done));
  if (!done && !is_structural(kind)) PA_TRY(pa_infer_emit_class_operation(e, op, &done));
  if (done) return PA_OK;
  if (!is_structural(kind)) PA_TRY(pa_emit_optional(e, op, emit_opened_values, &done));
  return done ? PA_OK : emit_opened_values(e, op);
}

pa_status pa_infer_emit_block(pa_instance_emitter *e, MlirBlock source) {
  MlirOperation end = mlirBlockGetTerminator(source);
  PA_FOR_EACH_OP(op, source) {
    if (mlirOperationEqual(op, end)) break;
    PA_TRY(emit_op(e, op));
    if (pa_failed(e->builder)) break;
  }
  return PA_OK;
}
