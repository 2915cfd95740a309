// Second phase of pyarray-infer-types: operations whose plan says what they become.
#include "infer_emit_parts.h"

// The instance in an optional value, which is not None.
void pa_emit_present(pa_instance_emitter *e, const pa_made_value *made) {
  MlirValue optional = pa_emitter_use(e, made->source);
  MlirType boolean = mlirIntegerTypeGet(pa_emitter_context(e), 1);
  MlirValue none = pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(optional), PA_RESULTS(boolean),
                            PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "optional.is_none")}));
  MlirBlock raising, going;
  MlirRegion regions[] = {pa_region(e->builder->location, NULL, 0, &raising),
                          pa_region(e->builder->location, NULL, 0, &going)};
  pa_builder inner = {.context = pa_emitter_context(e), .block = raising, .location = e->builder->location};
  MlirAttribute text = pa_string_attr(pa_emitter_context(e), made->message);
  MlirValue message = pa_value(&inner, PA_OP_NAME(CONSTANT), PA_RESULTS(pyarrayStrTypeGet(pa_emitter_context(e))),
                               PA_ATTRS({"value", text}));
  pa_op(&inner, PA_OP_NAME(RAISE), PA_OPERANDS(message),
        PA_ATTRS({"exception", pa_string_attr(pa_emitter_context(e), made->exception)}));
  pa_op(&inner, PA_OP_NAME(SCF_YIELD), .operand_count = 0);
  inner.block = going;
  pa_op(&inner, PA_OP_NAME(SCF_YIELD), .operand_count = 0);
  if (inner.failure && !e->builder->failure) e->builder->failure = inner.failure;
  pa_op(e->builder, PA_OP_NAME(SCF_IF), PA_OPERANDS(none), PA_REGIONS(regions[0], regions[1]));
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, made->value));
  MlirValue value = pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(optional), PA_RESULTS(type),
                             PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "optional.value")}));
  pa_emitter_map(e, made->value, value);
}

static MlirValue emit_builtin(pa_instance_emitter *e, const pa_class_plan *plan, MlirType boolean) {
  MlirValue operands[2];
  intptr_t count = 0;
  for (int i = 0; i < 2; ++i) {
    if (mlirValueIsNull(plan->operands[i])) continue;
    operands[count++] = mlirTypeIsNull(plan->operand_type)
                            ? pa_emitter_use(e, plan->operands[i])
                            : pa_emitter_use_as(e, plan->operands[i], plan->operand_type);
  }
  return pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, count),
                  PA_RESULTS(mlirTypeIsNull(plan->result) ? boolean : pa_erased_type(plan->result)),
                  PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), plan->builtin)}, {"callee", plan->callee}));
}

MlirValue pa_emit_class_operation(pa_instance_emitter *e, const pa_class_plan *plan, MlirValue call_result) {
  MlirType boolean = mlirIntegerTypeGet(pa_emitter_context(e), 1);
  MlirValue value = call_result;
  intptr_t count;
  pa_attr field = {"name", plan->field};
  switch (plan->kind) {
  case PA_CLASS_NOTHING: break;
  case PA_CLASS_CALL:
    if (mlirValueIsNull(value) || pyarrayTypeIsNone(mlirValueGetType(value))) return value;
    if (plan->truth) value = pa_emit_cast(e, value, boolean);
    break;
  case PA_CLASS_CONSTANT: return pa_emit_literal(e, plan->constant);
  case PA_CLASS_FIELD:
    return pa_value(e->builder, PA_OP_NAME(GETFIELD), PA_OPERANDS(pa_emitter_use(e, plan->object)),
                    PA_RESULTS(pa_erased_type(plan->result)), PA_ATTRS(field));
  case PA_CLASS_SET_FIELD: {
    MlirValue operands[] = {pa_emitter_use(e, plan->object), pa_emitter_use_as(e, plan->value, plan->result)};
    pa_op(e->builder, PA_OP_NAME(SETATTR), PA_OPERAND_ARRAY(operands, 2), PA_ATTRS(field));
    return (MlirValue){NULL};
  }
  case PA_CLASS_ELEMENT: return pa_emit_elements(e, pa_emitter_use(e, plan->object), &count)[plan->element];
  case PA_CLASS_VALUE: return pa_emitter_use(e, plan->object);
  case PA_CLASS_KEYWORD_NAMES:
  case PA_CLASS_KEYWORD_ITEMS:
    return pa_emit_keywords(e, plan->object, pa_emitter_fact(e, plan->object).type,
                            plan->kind == PA_CLASS_KEYWORD_ITEMS);
  case PA_CLASS_TUPLE: {
    MlirValue *elements = pa_emitter_values(e, plan->element);
    for (intptr_t i = 0; i < plan->element; ++i) elements[i] = pa_emitter_use(e, plan->values[i]);
    return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(elements, plan->element),
                    PA_RESULTS(pa_erased_type(plan->result)));
  }
  case PA_CLASS_BUILTIN: value = emit_builtin(e, plan, boolean); break;
  }
  if (!plan->negated) return value;
  return pa_value(e->builder, PA_OP_NAME(UNARY), PA_OPERANDS(value), PA_RESULTS(boolean),
                  PA_ATTRS({"kind", pyarrayUnaryKindAttrGet(pa_emitter_context(e), PYARRAY_UNARY_NOT)}));
}
