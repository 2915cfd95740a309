// Second phase of pyarray-infer-types: emits an instance, typed, from its facts.
//
// The untyped body is walked once more; each value maps to a typed one. Where a value is used in another type than its
// own (operands of operators, joins, results), a pyarray.cast is put in between. Operations that are never reached (an
// operand is bottom) and branches not taken are left out; a value that is a known literal becomes a constant.
#include <stdlib.h>
#include <string.h>

#include "infer_array_views.h"
#include "infer_contract.h"
#include "infer_elementwise.h"
#include "infer_reduce.h"

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
      status = pa_infer_emit_region(e, pa_body(op, part), target, "pyarray.yield", (MlirValue){NULL}, types, count);
  }
  pa_infer_map_results(
      e, op, pa_op(e->builder, "pyarray.try", PA_RESULT_ARRAY(types, count), PA_REGIONS(regions[0], regions[1])));
  return status;
}

static pa_status emit_variable(pa_instance_emitter *e, MlirOperation op) {
  MlirType type = pyarrayVariableTypeGet(pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0))));
  MlirValue variable = pa_value(e->builder, "pyarray.variable", PA_RESULTS(type));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), variable), PA_OK;
}

static pa_status emit_store(pa_instance_emitter *e, MlirOperation op) {
  MlirValue variable = pa_emitter_use(e, mlirOperationGetOperand(op, 1));
  MlirValue value =
      pa_emitter_use_as(e, mlirOperationGetOperand(op, 0), pa_emitter_fact(e, mlirOperationGetOperand(op, 1)).type);
  return pa_op(e->builder, "pyarray.store", PA_OPERANDS(value, variable)), PA_OK;
}

static pa_status emit_suspend(pa_instance_emitter *e, MlirOperation op) {
  MlirValue item = pa_emitter_use_as(e, mlirOperationGetOperand(op, 0), pyarrayTypeGetItem(e->instance->result.type));
  return pa_op(e->builder, "pyarray.suspend", PA_OPERANDS(item)), PA_OK;
}

//===-- Subscripts --------------------------------------------------------------------------------===//

// The key of a dict's getitem, setitem or delitem in the type of its keys, or in which it is looked for.
static MlirValue emit_key(pa_instance_emitter *e, MlirOperation op, const pa_typing *typing, pa_fact dict,
                          MlirType given) {
  bool stores = pa_kind(&e->inference->names, op) == PA_OP_SETITEM;
  intptr_t count = mlirOperationGetNumOperands(op) - 1 - stores;
  MlirValue *parts = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) parts[i] = pa_emitter_use(e, mlirOperationGetOperand(op, 1 + i));
  MlirValue key = count == 1 ? parts[0]
                             : pa_value(e->builder, "pyarray.tuple", PA_OPERAND_ARRAY(parts, count),
                                        PA_RESULTS(pa_erased_type(given)));
  MlirType type = pa_container_item(typing, dict, 0).type;
  if (!stores) pa_status_free(pa_container_find(typing, dict, pa_fact_of(given), &type)); // which has not failed before
  return pa_emit_cast(e, key, type);
}

// The index operands of a getitem or setitem in the types of level 2.
static MlirValue *emit_indices(pa_instance_emitter *e, MlirOperation op, intptr_t *out_count) {
  pa_typing typing = pa_typing_at(e->inference, op);
  pa_fact object = pa_emitter_fact(e, mlirOperationGetOperand(op, 0));
  bool spread, bottom;
  const pa_fact *facts = pa_index_facts(e->inference, e->instance, op, object, out_count, &spread, &bottom);
  if (pyarrayTypeIsDict(object.type)) {
    MlirValue *key = pa_emitter_values(e, 1);
    return *key = emit_key(e, op, &typing, object, facts->type), key;
  }
  return pa_emit_index_values(e, op, facts, *out_count, spread);
}

static pa_status emit_getitem(pa_instance_emitter *e, MlirOperation op) {
  bool is_slice;
  int64_t start, step;
  intptr_t length, all;
  PA_TRY(pa_tuple_slice(e->inference, e->instance, op, &is_slice, &start, &step, &length));
  if (is_slice) {
    MlirValue *elements = pa_emit_elements(e, pa_emitter_use(e, mlirOperationGetOperand(op, 0)), &all),
              *kept = pa_emitter_values(e, length);
    for (intptr_t i = 0; i < length; ++i) kept[i] = elements[start + i * step];
    MlirType slice = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0)));
    return pa_emitter_map(e, mlirOperationGetResult(op, 0),
                          pa_value(e->builder, "pyarray.tuple", PA_OPERAND_ARRAY(kept, length), PA_RESULTS(slice))),
           PA_OK;
  }
  intptr_t count;
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0)));
  if (pyarrayTypeIsArray(pa_emitter_fact(e, mlirOperationGetOperand(op, 0)).type)) {
    MlirValue view;
    PA_TRY(pa_emit_array_subscript(e, op, type, &view));
    return pa_emitter_map(e, mlirOperationGetResult(op, 0), view), PA_OK;
  }
  MlirValue *indices = emit_indices(e, op, &count), *operands = pa_emitter_values(e, count + 1);
  operands[0] = pa_emitter_use(e, mlirOperationGetOperand(op, 0));
  memcpy(operands + 1, indices, (size_t)count * sizeof *operands);
  pa_emitter_map(e, mlirOperationGetResult(op, 0),
                 pa_value(e->builder, "pyarray.getitem", PA_OPERAND_ARRAY(operands, count + 1), PA_RESULTS(type)));
  return PA_OK;
}

static pa_status emit_setitem(pa_instance_emitter *e, MlirOperation op) {
  pa_typing typing = pa_typing_at(e->inference, op);
  intptr_t count, index_count;
  bool spread, bottom;
  MlirValue object = mlirOperationGetOperand(op, 0),
            value = mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  if (pa_is_stored_in_place(e->inference, e->instance, op)) return PA_OK;
  const pa_fact *facts =
      pa_index_facts(e->inference, e->instance, op, pa_emitter_fact(e, object), &index_count, &spread, &bottom);
  MlirType type;
  PA_TRY(pa_type_setitem(&typing, pa_emitter_fact(e, object), facts, index_count, pa_emitter_fact(e, value), &type));
  if (pyarrayTypeIsArray(pa_emitter_fact(e, object).type))
    return pa_emit_array_store(e, op, facts, index_count, spread, pa_emitter_use_as(e, value, type));
  MlirValue *indices = emit_indices(e, op, &count), *operands = pa_emitter_values(e, count + 2);
  operands[0] = pa_emitter_use(e, object);
  memcpy(operands + 1, indices, (size_t)count * sizeof *operands);
  operands[count + 1] = pa_emitter_use_as(e, value, type);
  pa_op(e->builder, "pyarray.setitem", PA_OPERAND_ARRAY(operands, count + 2));
  return PA_OK;
}

static pa_status emit_delitem(pa_instance_emitter *e, MlirOperation op) {
  intptr_t count;
  MlirValue *indices = emit_indices(e, op, &count), *operands = pa_emitter_values(e, count + 1);
  operands[0] = pa_emitter_use(e, mlirOperationGetOperand(op, 0));
  memcpy(operands + 1, indices, (size_t)count * sizeof *operands);
  return pa_op(e->builder, "pyarray.delitem", PA_OPERAND_ARRAY(operands, count + 1)), PA_OK;
}

static pa_status emit_display(pa_instance_emitter *e, MlirOperation op) {
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0)));
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *items = pa_emitter_values(e, count);
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
  MlirValue value = pa_value(e->builder, "pyarray.tuple", PA_OPERAND_ARRAY(captured, count), PA_RESULTS(type));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), value), PA_OK;
}

//===-- Calls -------------------------------------------------------------------------------------===//

static MlirValue emit_instance_call(pa_instance_emitter *e, const pa_resolved_call *call) {
  MlirValue *operands = pa_emitter_values(e, call->count);
  for (int i = 0; i < call->count; ++i) {
    operands[i] = mlirValueIsNull(call->arguments[i]) ? pa_emit_literal(e, call->constants[i])
                                                      : pa_emitter_use(e, call->arguments[i]);
    operands[i] = pa_emit_cast(e, operands[i], call->instance->arguments[i]);
  }
  MlirType type = pa_emitter_type(e, call->instance->result);
  return pa_value(e->builder, "pyarray.call", PA_OPERAND_ARRAY(operands, call->count), PA_RESULTS(type),
                  PA_ATTRS({"callee", pa_symbol_attr(pa_emitter_context(e), call->instance->name)}));
}

// Unlike a call of a function, which may then have any type: outputs are made before the first point is computed.
static pa_status result_is_unknown(pa_instance_emitter *e, MlirOperation op, const pa_instance *kernel) {
  pa_typing typing = pa_typing_at(e->inference, op);
  const char *name = pa_attr_text(e->inference->arena, pa_get_attr(kernel->function, "pyarray.qualname"));
  return pa_typing_fail(&typing, PA_CODE_TYPING,
                        "the type of what %s() returns is not known: it calls itself on every path\n"
                        "hint: return a value without a call on one path, or declare the result's type",
                        name ? name : kernel->name);
}

static pa_status emit_ufunc(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  if (pa_is_bottom(call->instance->result)) return result_is_unknown(e, op, call->instance);
  MlirValue *operands = pa_emitter_values(e, call->count);
  for (int i = 0; i < call->count; ++i)
    if (!mlirValueIsNull(call->arguments[i])) operands[i] = pa_emitter_use(e, call->arguments[i]);
  return pa_emitter_map(e, mlirOperationGetResult(op, 0),
                        pa_emit_ufunc(e->inference, e->builder, call->ufunc, operands)),
         PA_OK;
}

// |value|, an argument of |kind|, as the operand that the plan asks for.
static pa_status emit_operand(pa_instance_emitter *e, MlirType kind, MlirType wanted, MlirValue *value) {
  if (pa_is_iterator_tag(wanted)) return *value = pa_emit_iterator(e, *value, &kind), PA_OK;
  *value = pa_emit_choice(e, *value, kind, pa_erased_type(wanted));
  MlirValue set = {NULL}, source = *value;
  if (pyarrayTypeIsSet(wanted) && !mlirTypeEqual(pa_erased_type(kind), pa_erased_type(wanted)))
    set = pa_value(e->builder, "pyarray.set", PA_RESULTS(pa_erased_type(wanted)));
  if (mlirValueIsNull(set)) return *value = pa_emit_cast(e, *value, wanted), PA_OK;
  return *value = set, pa_emit_put_all(e, set, source, kind);
}

// A tuple of the operands. What reversed() holds ends with the length that a list has now.
static MlirValue emit_tuple(pa_instance_emitter *e, const pa_call_plan *plan, MlirValue *operands) {
  MlirType type = pa_erased_type(plan->result);
  intptr_t count = plan->operand_count;
  if (count < mlirTupleTypeGetNumTypes(type)) {
    intptr_t parts; // of a deque's iterator
    MlirValue list =
        mlirTypeIsATuple(mlirValueGetType(operands[0])) ? pa_emit_elements(e, operands[0], &parts)[0] : operands[0];
    operands[count++] =
        pa_value(e->builder, "pyarray.iter_length", PA_OPERANDS(list), PA_RESULTS(mlirTupleTypeGetType(type, 1)));
  }
  return pa_value(e->builder, "pyarray.tuple", PA_OPERAND_ARRAY(operands, count), PA_RESULTS(type));
}

static pa_status emit_plan(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  const pa_call_plan *plan = &call->plan;
  if (pa_is_filled_in_loop(e, op, call)) return pa_emit_filled(e, op, call);
  if (pa_emit_typed_empty(e, op, call)) return PA_OK;
  MlirValue *operands = pa_emitter_values(e, plan->operand_count + 1), *elements = NULL;
  int taken_apart = -1;
  intptr_t count;
  for (int i = 0; i < plan->operand_count; ++i) {
    pa_source source = plan->sources[i];
    if (source.argument < 0) {
      operands[i] = pa_emit_literal(e, source.constant);
    } else if (source.element < 0) {
      operands[i] = pa_emitter_use(e, call->arguments[source.argument]);
      PA_TRY(
          emit_operand(e, pa_emitter_fact(e, call->arguments[source.argument]).type, plan->operands[i], &operands[i]));
    } else {
      if (taken_apart != source.argument)
        elements = pa_emit_elements(e, pa_emitter_use(e, call->arguments[source.argument]), &count);
      taken_apart = source.argument;
      operands[i] = elements[source.element];
    }
    operands[i] = pa_emit_cast(e, operands[i], plan->operands[i]);
  }
  bool of_array = plan->kind == PA_PLAN_CAST && pa_scalar_of(plan->result) == PA_BOOL &&
                  pyarrayTypeIsArray(plan->operands[0]); // bool(a)
  MlirValue result = of_array                        ? pa_emit_array_truth(e, operands[0])
                     : plan->kind == PA_PLAN_CAST    ? operands[0]
                     : plan->kind == PA_PLAN_LITERAL ? pa_emit_literal(e, plan->literal)
                     : plan->kind == PA_PLAN_TUPLE   ? emit_tuple(e, plan, operands)
                     : plan->kind == PA_PLAN_BROADCAST
                         ? pa_value(e->builder, "pyarray.broadcast_to", PA_OPERAND_ARRAY(operands, plan->operand_count),
                                    PA_RESULTS(pa_emitter_type(e, pa_fact_of(plan->result))))
                         : pa_value(e->builder, "pyarray.builtin", PA_OPERAND_ARRAY(operands, plan->operand_count),
                                    PA_RESULTS(pa_emitter_type(
                                        e, pa_fact_of(mlirTypeIsNull(plan->computed) ? plan->result : plan->computed))),
                                    PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), plan->builtin->name)},
                                             {"callee", plan->callee}));
  if (!mlirTypeIsNull(plan->computed)) result = pa_emit_cast(e, result, plan->result);
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}

void pa_infer_emit_made_value(pa_instance_emitter *e, const pa_made_value *made) {
  intptr_t count;
  if (made->is_dict)
    return pa_emitter_map(
        e, made->value,
        pa_value(e->builder, "pyarray.dict", PA_RESULTS(pa_emitter_type(e, pa_emitter_fact(e, made->value)))));
  if (made->exception) return pa_emit_present(e, made);
  if (made->callee)
    return pa_emitter_map(e, made->value,
                          emit_instance_call(e, &(pa_resolved_call){.instance = made->callee,
                                                                    .arguments = &made->source,
                                                                    .count = !mlirValueIsNull(made->source)}));
  if (!made->parts)
    return pa_emitter_map(e, made->value, pa_emit_elements(e, pa_emitter_use(e, made->source), &count)[made->element]);
  MlirValue *parts = pa_emitter_values(e, made->count);
  for (int i = 0; i < made->count; ++i) parts[i] = pa_emitter_use(e, made->parts[i]);
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, made->value));
  pa_emitter_map(e, made->value,
                 pa_value(e->builder, "pyarray.tuple", PA_OPERAND_ARRAY(parts, made->count), PA_RESULTS(type)));
}

static pa_status emit_call(pa_instance_emitter *e, MlirOperation op) {
  pa_resolved_call call;
  PA_TRY(pa_resolve_call(e->inference, e->instance, op, &call));
  for (size_t i = 0; i < call.made_count; ++i) pa_infer_emit_made_value(e, &call.made[i]);
  if (call.ufunc) return emit_ufunc(e, op, &call);
  if (call.elementwise) return pa_emit_elementwise(e, op, call.elementwise);
  if (call.view) return pa_emit_array_view(e, op, call.view);
  if (call.product) return pa_emit_product(e, op, call.product);
  if (call.reduction) return pa_emit_reduction(e, op, call.reduction);
  if (call.instance)
    pa_emitter_map(e, mlirOperationGetResult(op, 0), emit_instance_call(e, &call));
  else
    PA_TRY(emit_plan(e, op, &call));
  return pa_emit_typed_mark(e, op, &call), PA_OK;
}

// |*out_done|: it was an operator that extends a list, and gives that.
static pa_status emit_extension(pa_instance_emitter *e, MlirOperation op, bool *out_done) {
  pa_resolved_call call;
  PA_TRY(pa_resolve_extension(e->inference, e->instance, op, out_done, &call));
  if (!*out_done || call.bottom) return PA_OK;
  for (size_t i = 0; i < call.made_count; ++i) pa_infer_emit_made_value(e, &call.made[i]);
  if (call.instance)
    emit_instance_call(e, &call);
  else
    PA_TRY(emit_plan(e, op, &call));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emitter_use(e, mlirOperationGetOperand(op, 0))), PA_OK;
}

static pa_status emit_class_operation(pa_instance_emitter *e, MlirOperation op, bool *out_done) {
  pa_class_plan plan;
  PA_TRY(pa_plan_class_operation(e->inference, e->instance, op, &plan));
  *out_done = plan.kind != PA_CLASS_NOTHING;
  if (!*out_done || (plan.kind == PA_CLASS_CALL && plan.call.bottom)) return PA_OK;
  for (size_t i = 0; i < plan.made_count; ++i) pa_infer_emit_made_value(e, &plan.made[i]);
  MlirValue value = pa_emit_class_operation(
      e, &plan, plan.kind == PA_CLASS_CALL ? emit_instance_call(e, &plan.call) : (MlirValue){NULL});
  if (mlirOperationGetNumResults(op)) pa_emitter_map(e, mlirOperationGetResult(op, 0), value);
  return PA_OK;
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
  MlirValue slice = pa_value(e->builder, "pyarray.slice", PA_OPERAND_ARRAY(parts, 3), PA_RESULTS(type));
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
                          pa_value(e->builder, "pyarray.tuple", PA_RESULTS(own.type))),
           PA_OK;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  if (!status && pa_is_tagged(own.type, "array ctypes"))
    return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emitter_use(e, object)), PA_OK;
  if (!status && pa_is_tagged(pa_emitter_fact(e, object).type, "array ctypes")) {
    MlirValue address =
        pa_value(e->builder, "pyarray.builtin", PA_OPERANDS(pa_emitter_use(e, object)), PA_RESULTS(own.type),
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
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), emit_instance_call(e, &call)), PA_OK;
}

static bool is_structural(pa_op_kind kind) {
  return kind == PA_OP_SCF_IF || kind == PA_OP_SCF_WHILE || kind == PA_OP_FOR || kind == PA_OP_TRY;
}

static pa_status emit_values(pa_instance_emitter *e, MlirOperation op) {
  static const char *const value[] = {"value", "element", NULL}, *const name[] = {"name", NULL},
                           *const classes[] = {"classes", NULL}, *const contents[] = {"contents", "type", NULL};
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
  case PA_OP_BINARY: PA_TRY(emit_extension(e, op, &done)); return done ? PA_OK : pa_emit_binary_operator(e, op);
  case PA_OP_UNARY: return pa_emit_unary_operator(e, op);
  case PA_OP_COMPARE: return pa_emit_comparison_operator(e, op);
  case PA_OP_SLICE: return emit_slice(e, op);
  case PA_OP_LIST:
  case PA_OP_DICT:
  case PA_OP_SET: return emit_display(e, op);
  case PA_OP_ITERATOR: return emit_iterator(e, op);
  case PA_OP_CLOSURE: return emit_closure(e, op);
  case PA_OP_DELITEM: return emit_delitem(e, op);
  case PA_OP_GETITEM: return emit_getitem(e, op);
  case PA_OP_SETITEM: return emit_setitem(e, op);
  case PA_OP_APPLY:
  case PA_OP_METHOD: return emit_call(e, op);
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
  if (!done && !is_structural(kind)) PA_TRY(emit_class_operation(e, op, &done));
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
