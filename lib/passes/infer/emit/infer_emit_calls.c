// Second phase of pyarray-infer-types: calls. What a call was resolved to (pa_resolve_call) becomes a call of an
// instance, a builtin, a cast or a constant; what its arguments need first is made before it.
#include "infer_array_views.h"
#include "infer_calls.h"
#include "infer_contract.h"
#include "infer_elementwise.h"
#include "infer_emit_parts.h"
#include "infer_reduce.h"
#include "infer_ufunc.h"
#include "infer_walk.h"

MlirValue pa_infer_emit_instance_call(pa_instance_emitter *e, const pa_resolved_call *call) {
  MlirValue *operands = pa_emitter_values(e, call->count);
  for (int i = 0; i < call->count; ++i) {
    operands[i] = mlirValueIsNull(call->arguments[i]) ? pa_emit_literal(e, call->constants[i])
                                                      : pa_emitter_use(e, call->arguments[i]);
    operands[i] = pa_emit_cast(e, operands[i], call->instance->arguments[i]);
  }
  MlirType type = pa_emitter_type(e, call->instance->result);
  return pa_value(e->builder, PA_OP_NAME(CALL), PA_OPERAND_ARRAY(operands, call->count), PA_RESULTS(type),
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
    set = pa_value(e->builder, PA_OP_NAME(SET), PA_RESULTS(pa_erased_type(wanted)));
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
        pa_value(e->builder, PA_OP_NAME(ITER_LENGTH), PA_OPERANDS(list), PA_RESULTS(mlirTupleTypeGetType(type, 1)));
  }
  return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(operands, count), PA_RESULTS(type));
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
  MlirValue result =
      of_array                        ? pa_emit_array_truth(e, operands[0])
      : plan->kind == PA_PLAN_CAST    ? operands[0]
      : plan->kind == PA_PLAN_LITERAL ? pa_emit_literal(e, plan->literal)
      : plan->kind == PA_PLAN_TUPLE   ? emit_tuple(e, plan, operands)
      : plan->kind == PA_PLAN_BROADCAST
          ? pa_value(e->builder, PA_OP_NAME(BROADCAST_TO), PA_OPERAND_ARRAY(operands, plan->operand_count),
                     PA_RESULTS(pa_emitter_type(e, pa_fact_of(plan->result))))
          : pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, plan->operand_count),
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
        pa_value(e->builder, PA_OP_NAME(DICT), PA_RESULTS(pa_emitter_type(e, pa_emitter_fact(e, made->value)))));
  if (made->exception) return pa_emit_present(e, made);
  if (made->callee)
    return pa_emitter_map(e, made->value,
                          pa_infer_emit_instance_call(e, &(pa_resolved_call){.instance = made->callee,
                                                                             .arguments = &made->source,
                                                                             .count = !mlirValueIsNull(made->source)}));
  if (!made->parts)
    return pa_emitter_map(e, made->value, pa_emit_elements(e, pa_emitter_use(e, made->source), &count)[made->element]);
  MlirValue *parts = pa_emitter_values(e, made->count);
  for (int i = 0; i < made->count; ++i) parts[i] = pa_emitter_use(e, made->parts[i]);
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, made->value));
  pa_emitter_map(e, made->value,
                 pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(parts, made->count), PA_RESULTS(type)));
}

pa_status pa_infer_emit_call(pa_instance_emitter *e, MlirOperation op) {
  pa_resolved_call call;
  PA_TRY(pa_resolve_call(e->inference, e->instance, op, &call));
  for (size_t i = 0; i < call.made_count; ++i) pa_infer_emit_made_value(e, &call.made[i]);
  if (call.ufunc) return emit_ufunc(e, op, &call);
  if (call.elementwise) return pa_emit_elementwise(e, op, call.elementwise);
  if (call.view) return pa_emit_array_view(e, op, call.view);
  if (call.product) return pa_emit_product(e, op, call.product);
  if (call.reduction) return pa_emit_reduction(e, op, call.reduction);
  if (call.instance)
    pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_infer_emit_instance_call(e, &call));
  else
    PA_TRY(emit_plan(e, op, &call));
  return pa_emit_typed_mark(e, op, &call), PA_OK;
}

// |*out_done|: it was an operator that extends a list, and gives that.
pa_status pa_infer_emit_extension(pa_instance_emitter *e, MlirOperation op, bool *out_done) {
  pa_resolved_call call;
  PA_TRY(pa_resolve_extension(e->inference, e->instance, op, out_done, &call));
  if (!*out_done || call.bottom) return PA_OK;
  for (size_t i = 0; i < call.made_count; ++i) pa_infer_emit_made_value(e, &call.made[i]);
  if (call.instance)
    pa_infer_emit_instance_call(e, &call);
  else
    PA_TRY(emit_plan(e, op, &call));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emitter_use(e, mlirOperationGetOperand(op, 0))), PA_OK;
}

pa_status pa_infer_emit_class_operation(pa_instance_emitter *e, MlirOperation op, bool *out_done) {
  pa_class_plan plan;
  PA_TRY(pa_plan_class_operation(e->inference, e->instance, op, &plan));
  *out_done = plan.kind != PA_CLASS_NOTHING;
  if (!*out_done || (plan.kind == PA_CLASS_CALL && plan.call.bottom)) return PA_OK;
  for (size_t i = 0; i < plan.made_count; ++i) pa_infer_emit_made_value(e, &plan.made[i]);
  MlirValue value = pa_emit_class_operation(
      e, &plan, plan.kind == PA_CLASS_CALL ? pa_infer_emit_instance_call(e, &plan.call) : (MlirValue){NULL});
  if (mlirOperationGetNumResults(op)) pa_emitter_map(e, mlirOperationGetResult(op, 0), value);
  return PA_OK;
}
