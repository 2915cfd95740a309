// Operations that become calls of a function.
#include "infer_calls.h"
#include "ir/classes.h"

void pa_give(pa_inference *inference, const MlirValue *values, intptr_t count) {
  MlirValue *given = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) given[i] = values[i];
  inference->given = given;
  inference->given_count = count;
}

pa_status pa_plan_function(pa_class_operation *o, MlirAttribute symbol, const MlirValue *arguments, intptr_t count) {
  pa_give(o->inference, arguments, count);
  o->plan->kind = PA_CLASS_CALL;
  return pa_resolve_function(o->inference, o->instance, o->op, mlirFlatSymbolRefAttrGetValue(symbol), &o->plan->call);
}

static bool has_entry(MlirAttribute class, const char *table, MlirStringRef name) {
  MlirAttribute entries = mlirDictionaryAttrGetElementByName(class, pa_ref(table));
  return !mlirAttributeIsNull(entries) && !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(entries, name));
}

bool pa_class_has_method(pa_inference *inference, MlirType type, MlirStringRef name) {
  if (pyarrayTypeIsObject(type)) {
    MlirAttribute class = pa_class_of_type(inference->module, type);
    MlirStringRef own = pyarrayObjectTypeGetName(type);
    return !mlirAttributeIsNull(class) && (!mlirAttributeIsNull(pa_class_entry(class, own, "methods", name)) ||
                                           !mlirAttributeIsNull(pa_class_entry(class, own, "statics", name)) ||
                                           !mlirAttributeIsNull(pa_class_entry(class, own, "class_methods", name)));
  }
  MlirAttribute named = pa_is_named(type) ? pa_named_of_type(inference->module, type) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(named)) return false;
  return has_entry(named, "methods", name) || has_entry(named, "statics", name) ||
         (pa_is_tagged(type, "namedtuple") && pa_ref_equal(name, "_replace"));
}
