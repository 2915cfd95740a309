// Text of values in pyarray-infer-types: functions of the library where these have a text of their own.
#include "infer_internal.h"

//===-- translate --------------------------------------------------------------------------------===//

bool pa_has_no_items(pa_inference *inference, pa_instance *instance, intptr_t skip) {
  pa_fact table =
      inference->given_count > skip ? pa_fact_get(inference, instance, inference->given[skip]) : (pa_fact){0};
  if (mlirTypeIsNull(table.type) || pa_container_of(table.type) != PA_DICT) return false;
  pa_typing typing = {.context = inference->context, .arena = inference->arena, .sites = inference->sites};
  MlirType key = pa_container_item(&typing, table, 0).type;
  return mlirTypeIsNull(key) || pyarrayTypeIsNone(key);
}

//===-- template % values -------------------------------------------------------------------------===//

static pa_status plan_bottom(pa_class_operation *o) {
  o->plan->kind = PA_CLASS_CALL;
  return o->plan->call = (pa_resolved_call){.bottom = true}, PA_OK;
}

// The elements of the right operand, those with a text of their own described; any other value is the only element.
pa_status pa_plan_percent_operation(pa_class_operation *o) {
  if (o->kind != PA_OP_BINARY || pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind")) != PYARRAY_BINARY_MOD)
    return PA_OK;
  MlirValue template = mlirOperationGetOperand(o->op, 0), values = mlirOperationGetOperand(o->op, 1);
  MlirType text = pa_fact_get(o->inference, o->instance, template).type,
           type = pa_fact_get(o->inference, o->instance, values).type;
  if (mlirTypeIsNull(text) || !pa_is_text(text) || !pa_has_own_text(o->inference, type, true)) return PA_OK;
  MlirType dict = pa_is_tagged(type, "frozen") ? pyarrayTaggedTypeGetItem(type) : type;
  if (pyarrayTypeIsDict(dict) && pa_has_own_text(o->inference, pyarrayDictTypeGetValue(dict), true))
    return pa_plan_function(o, pa_symbol_attr(o->inference->context, "text.percent_of_values"),
                            (MlirValue[]){template, values}, 2);
  MlirType tuple = pa_is_tagged(type, "namedtuple") ? pyarrayTaggedTypeGetItem(type) : type;
  bool several = mlirTypeIsATuple(tuple);
  intptr_t count = several ? mlirTupleTypeGetNumTypes(tuple) : 1;
  MlirValue *elements = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType element = several ? mlirTupleTypeGetType(tuple, i) : type;
    elements[i] =
        several ? pa_make_element(o->inference, o->instance, o->op, values, (int)i, pa_fact_of(element)) : values;
    if (pa_has_own_text(o->inference, element, true))
      PA_TRY(pa_describe(o->inference, o->instance, o->op, elements[i], &elements[i]));
    if (pa_is_bottom(pa_fact_get(o->inference, o->instance, elements[i]))) return plan_bottom(o);
  }
  MlirValue described = pa_make_tuple(o->inference, o->instance, o->op, elements, (int)count);
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, "text.percent"), (MlirValue[]){template, described},
                          2);
}
