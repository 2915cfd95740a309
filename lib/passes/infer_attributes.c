// hasattr() in pyarray-infer-types: whether a value has an attribute or a method is known by its type.
//
//   %0 = pyarray.getattr %x "size" {pyarray.probe}          true or false, a literal
#include "infer_internal.h"
#include "ir/classes.h"

static bool has_entry(MlirAttribute class, const char *table, MlirStringRef name) {
  MlirAttribute entries = mlirDictionaryAttrGetElementByName(class, pa_ref(table));
  return !mlirAttributeIsNull(entries) && !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(entries, name));
}

bool pa_class_has_method(pa_inference *inference, MlirType type, MlirStringRef name) {
  if (pyarrayTypeIsObject(type)) {
    MlirAttribute class = pa_class_of_type(inference->module, type);
    MlirStringRef own = pyarrayObjectTypeGetName(type);
    return !mlirAttributeIsNull(class) && (!mlirAttributeIsNull(pa_class_entry(class, own, "methods", name)) || !mlirAttributeIsNull(pa_class_entry(class, own, "statics", name)) ||
                                            !mlirAttributeIsNull(pa_class_entry(class, own, "class_methods", name)));
  }
  MlirAttribute named = pa_is_named(type) ? pa_named_of_type(inference->module, type) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(named)) return false;
  return has_entry(named, "methods", name) || has_entry(named, "statics", name) || (pa_is_tagged(type, "namedtuple") && pa_ref_equal(name, "_replace"));
}

pa_status pa_walk_probe(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation)) {
  pa_value_entry *entry = pa_value_entry_of(inference, instance, mlirOperationGetOperand(op, 0));
  if (pa_is_bottom(entry->fact)) return PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  if (pyarrayTypeIsOptional(entry->fact.type))
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED, "whether a value that may be None has an attribute is not known when the function is compiled\nhint: compare with None first: x is not None");
  pa_status failure = walk(inference, instance, op);
  bool has = !failure;
  pa_status_free(failure);
  if (!has) PA_TRY(pa_find_method(inference, instance, op, &has));
  pa_fact fact = pa_literal_fact(inference->context, mlirBoolAttrGet(inference->context, has));
  return pa_value_entry_of(inference, instance, mlirOperationGetResult(op, 0))->fact = fact, PA_OK;
}
