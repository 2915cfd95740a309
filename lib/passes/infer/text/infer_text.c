// Text of values in pyarray-infer-types: functions of the library where these have a text of their own.
#include "infer_text.h"
#include "infer_calls.h"
#include "ir/classes.h"

//===-- translate --------------------------------------------------------------------------------===//

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

bool pa_is_text_by_numpy(MlirType type) {
  return pa_is_record(type) || pa_is_records(type) || pyarrayTypeIsArray(type) || pa_is_time(type);
}

// Whether text of a value cannot be made of its representation alone. Of members that are integers themselves, only
// within containers.
bool pa_has_own_text(const pa_inference *inference, MlirType type, bool within) {
  if (mlirTypeIsNull(type)) return false;
  if (pa_is_named(type)) return within || !pa_is_int_enum(type);
  if (pa_is_dict_class(type)) return true;
  if (pyarrayTypeIsObject(type))
    return pa_class_has_entry(inference->module, type, "methods", "__str__") ||
           pa_class_has_entry(inference->module, type, "methods", "__repr__");
  if (pyarrayTypeIsRange(type) || pyarrayTypeIsSlice(type) || pyarrayTypeIsException(type) || pa_is_text_by_numpy(type))
    return true;
  if (pa_is_tagged(type, "frozen")) return pa_has_own_text(inference, pyarrayTaggedTypeGetItem(type), within);
  if (pyarrayTypeIsOptional(type) || pyarrayTypeIsList(type) || pyarrayTypeIsSet(type))
    return pa_has_own_text(inference, pyarrayTypeGetItem(type), true);
  if (pyarrayTypeIsDict(type))
    return pa_has_own_text(inference, pyarrayTypeGetItem(type), true) ||
           pa_has_own_text(inference, pyarrayDictTypeGetValue(type), true);
  bool own = false;
  for (intptr_t i = 0; mlirTypeIsATuple(type) && i < mlirTupleTypeGetNumTypes(type); ++i)
    own = own || pa_has_own_text(inference, mlirTupleTypeGetType(type, i), true);
  return own;
}

pa_status pa_describe(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue value,
                      MlirValue *out_description) {
  MlirType type = pa_fact_get(inference, instance, value).type;
  const char *function = pyarrayTypeIsException(type)  ? "text.describe_exception"
                         : pyarrayTypeIsOptional(type) ? "text.describe_optional"
                         : pa_is_text_by_numpy(type)   ? "text.describe_by_numpy"
                         : pa_is_int_enum(type)        ? "text.describe_number"
                         : pa_is_enum(type)            ? "text.describe_member"
                                                       : "text.describe";
  return pa_make_call(inference, instance, op, function, value, out_description);
}
