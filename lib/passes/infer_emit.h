// What infer_emit.c and infer_emit_operators.c share: the typed values of an instance that is emitted.
#ifndef PYARRAY_LIB_PASSES_INFER_EMIT_H
#define PYARRAY_LIB_PASSES_INFER_EMIT_H

#include "infer_internal.h"

typedef struct pa_instance_emitter {
  pa_inference *inference;
  pa_instance *instance;
  pa_builder *builder;
} pa_instance_emitter;

static inline pa_fact pa_emitter_fact(pa_instance_emitter *e, MlirValue value) { return pa_fact_get(e->inference, e->instance, value); }
static inline void pa_emitter_map(pa_instance_emitter *e, MlirValue from, MlirValue to) { pa_value_entry_of(e->inference, e->instance, from)->typed = to; }
static inline MlirContext pa_emitter_context(const pa_instance_emitter *e) { return e->inference->context; }

static inline MlirType pa_emitter_type(const pa_instance_emitter *e, pa_fact fact) {
  return pa_is_bottom(fact) ? pyarrayNoneTypeGet(pa_emitter_context(e)) : fact.type;
}

static inline MlirValue pa_emit_literal(pa_instance_emitter *e, MlirAttribute value) {
  MlirType type = pa_literal_fact(pa_emitter_context(e), value).type;
  return pa_value(e->builder, "pyarray.constant", PA_RESULTS(type), PA_ATTRS({"value", value}));
}

static inline MlirValue pa_emit_cast(pa_instance_emitter *e, MlirValue value, MlirType type) {
  if (mlirValueIsNull(value) || mlirTypeEqual(mlirValueGetType(value), type)) return value;
  if (pyarrayTypeIsNone(type)) return pa_emit_literal(e, pa_unit_attr(pa_emitter_context(e)));
  return pa_value(e->builder, "pyarray.cast", PA_OPERANDS(value), PA_RESULTS(type));
}

// The typed value of an untyped one, in its own type.
static inline MlirValue pa_emitter_use(pa_instance_emitter *e, MlirValue value) {
  MlirValue typed = pa_value_entry_of(e->inference, e->instance, value)->typed;
  if (!mlirValueIsNull(typed)) return typed;
  return pa_value(e->builder, "pyarray.unbound", PA_RESULTS(pa_emitter_type(e, pa_emitter_fact(e, value))));
}

static inline MlirValue pa_emitter_use_as(pa_instance_emitter *e, MlirValue value, MlirType type) {
  if (pa_is_bottom(pa_emitter_fact(e, value))) return pa_value(e->builder, "pyarray.unbound", PA_RESULTS(type));
  return pa_emit_cast(e, pa_emitter_use(e, value), type);
}

static inline MlirValue *pa_emitter_values(pa_instance_emitter *e, intptr_t count) { return PA_NEW_ARRAY(e->inference->arena, MlirValue, count + 1); }
static inline MlirType *pa_emitter_types(pa_instance_emitter *e, intptr_t count) { return PA_NEW_ARRAY(e->inference->arena, MlirType, count + 1); }

// The elements of a tuple value.
static inline MlirValue *pa_emit_elements(pa_instance_emitter *e, MlirValue tuple, intptr_t *out_count) {
  MlirType type = mlirValueGetType(tuple);
  intptr_t count = *out_count = mlirTupleTypeGetNumTypes(type);
  MlirType *types = pa_emitter_types(e, count);
  MlirValue *elements = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirTupleTypeGetType(type, i);
  if (!count) return elements;
  MlirOperation op = pa_op(e->builder, "pyarray.unpack", PA_OPERANDS(tuple), PA_RESULT_ARRAY(types, count));
  for (intptr_t i = 0; i < count && !mlirOperationIsNull(op); ++i) elements[i] = mlirOperationGetResult(op, i);
  return elements;
}

// infer_emit_operators.c
pa_status pa_emit_binary_operator(pa_instance_emitter *e, MlirOperation op);
pa_status pa_emit_unary_operator(pa_instance_emitter *e, MlirOperation op);
pa_status pa_emit_comparison_operator(pa_instance_emitter *e, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_INFER_EMIT_H
