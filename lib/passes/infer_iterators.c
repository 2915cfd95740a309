// Values whose class says what is iterated over, in pyarray-infer-types: flags, and instances of a class with __iter__. A loop over one, or a
// builtin that goes over its argument, goes over the generator that the library makes of it.
//
//   pyarray.for %flags                      pyarray.for (@builtins.items_of with (%flags))
//   %0 = pyarray.iterator %flags            the same call
#include <string.h>

#include "infer_internal.h"
#include "ir/classes.h"

static const char *const items_of = "builtins.items_of";

bool pa_has_own_iterator(const pa_inference *inference, MlirType type) {
  if (mlirTypeIsNull(type)) return false;
  MlirStringRef name = pa_ref("__iter__");
  if (pyarrayTypeIsObject(type)) {
    MlirAttribute class = pa_class_of_type(inference->module, type);
    return !mlirAttributeIsNull(class) && !mlirAttributeIsNull(pa_class_entry(class, pyarrayObjectTypeGetName(type), "methods", name));
  }
  if (!pa_is_enum(type)) return false;
  MlirAttribute methods = mlirDictionaryAttrGetElementByName(pa_named_of_type(inference->module, type), pa_ref("methods"));
  return !mlirAttributeIsNull(methods) && !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(methods, name));
}

pa_status pa_make_iterator(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue *value) {
  if (!pa_has_own_iterator(inference, pa_fact_get(inference, instance, *value).type)) return PA_OK;
  return pa_make_call(inference, instance, op, items_of, *value, value);
}

pa_status pa_plan_iterator(pa_class_operation *o) {
  MlirValue value = mlirOperationGetOperand(o->op, 0);
  if (!pa_has_own_iterator(o->inference, pa_fact_get(o->inference, o->instance, value).type)) return PA_OK;
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, items_of), &value, 1);
}

bool pa_goes_over(const pa_builtin *builtin) {
  static const char *const names[] = {"builtins.dict", "builtins.enumerate", "builtins.frozenset", "builtins.list", "builtins.set", "builtins.zip", "collections.deque",
                                      "deque.extend", "list.extend", "set.update", "str.join"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(builtin->name, names[i]) == 0) return true;
  return false;
}

pa_status pa_take_iterators(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin, intptr_t first, bool *out_bottom) {
  bool takes = pa_goes_over(builtin);
  *out_bottom = false;
  for (intptr_t i = first; takes && i < inference->given_count; ++i) {
    PA_TRY(pa_make_iterator(inference, instance, op, &inference->given[i]));
    *out_bottom = *out_bottom || pa_is_bottom(pa_fact_get(inference, instance, inference->given[i]));
  }
  return PA_OK;
}
