// A function as a value, among several: its number.
#include <stdlib.h>

#include "infer_emit.h"
#include "support/type_code.h"

// The number of a function in this compilation; of one that Python passed, that which Python gives with it.
static int64_t number_of(pa_inference *inference, MlirType function) {
  if (pa_is_tagged(function, "passed"))
    return PA_TYPE_FUNCTIONS + strtoll(pa_attr_text(inference->arena, pyarrayTaggedTypeGetTag(function)), NULL, 10);
  for (size_t i = 0; i < inference->chosen_count; ++i)
    if (mlirTypeEqual(inference->chosen[i], function)) return (int64_t)i;
  inference->chosen = pa_arena_grow(inference->arena, inference->chosen, inference->chosen_count,
                                    &inference->chosen_capacity, sizeof *inference->chosen);
  inference->chosen[inference->chosen_count] = function;
  return (int64_t)inference->chosen_count++;
}

MlirValue pa_emit_function_number(pa_instance_emitter *e, MlirType function) {
  return pa_emit_literal(
      e, mlirIntegerAttrGet(pa_scalar_type(pa_emitter_context(e), PA_I64), number_of(e->inference, function)));
}

MlirValue pa_emit_choice(pa_instance_emitter *e, MlirValue value, MlirType kind, MlirType wanted) {
  pa_typing typing = {.context = pa_emitter_context(e), .arena = e->inference->arena};
  MlirType item = pyarrayTypeIsOptional(wanted) ? pyarrayTypeGetItem(wanted) : wanted;
  if (pa_scalar_of(item) == PA_I64 && !pa_is_choice(kind) && pa_is_function_value(&typing, kind))
    return pa_emit_function_number(e, kind);
  bool tuples = mlirTypeIsATuple(kind) && mlirTypeIsATuple(wanted) &&
                mlirTupleTypeGetNumTypes(kind) == mlirTupleTypeGetNumTypes(wanted);
  if (!tuples || mlirTypeEqual(pa_erased_type(kind), wanted)) return value;
  intptr_t count;
  MlirValue *elements = pa_emit_elements(e, value, &count);
  bool changed = false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue element = pa_emit_choice(e, elements[i], mlirTupleTypeGetType(kind, i), mlirTupleTypeGetType(wanted, i));
    changed = changed || !mlirValueEqual(element, elements[i]);
    elements[i] = element;
  }
  if (!changed) return value;
  MlirType *types = pa_emitter_types(e, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirValueGetType(elements[i]);
  return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(elements, count),
                  PA_RESULTS(mlirTupleTypeGet(pa_emitter_context(e), count, types)));
}
