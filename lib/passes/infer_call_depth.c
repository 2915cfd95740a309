// What is wrong with a recursion that pyarray-infer-types does not see the end of: each call makes an instance for arguments of other types.
#include "infer_internal.h"

// The innermost open instance of the same function, which calls |instance|, maybe through others.
static const pa_instance *last_call(const pa_inference *inference, const pa_instance *instance) {
  const pa_instance *last = NULL;
  for (const pa_instance *each = inference->first; each; each = each->next)
    if (each->state == PA_OPEN && mlirOperationEqual(each->function, instance->function) && (!last || each->depth > last->depth)) last = each;
  return last;
}

// Types grow from call to call, so two of the outermost calls show best how. Not the very first: defaults may make it another one.
static const char *early_type(const pa_inference *inference, const pa_instance *instance, intptr_t parameter, int number) {
  const pa_instance *each = inference->first;
  for (; each; each = each->next)
    if (each->state == PA_OPEN && mlirOperationEqual(each->function, instance->function) && number-- == 0) break;
  return pa_type_text(inference->arena, (each ? each : instance)->arguments[parameter]);
}

static const char *parameter_name(const pa_inference *inference, const pa_instance *instance, intptr_t i) {
  MlirAttribute names = pa_get_attr(instance->function, "pyarray.params");
  if (mlirAttributeIsNull(names) || i >= mlirArrayAttrGetNumElements(names)) return "?";
  return pa_attr_text(inference->arena, mlirArrayAttrGetElement(names, i));
}

pa_status pa_too_many_calls(const pa_inference *inference, const pa_instance *instance, int most) {
  MlirLocation location = mlirOperationGetLocation(instance->function);
  const char *name = pa_attr_text(inference->arena, pa_get_attr(instance->function, "sym_name"));
  const pa_instance *last = last_call(inference, instance);
  for (intptr_t i = 0; last && last->argument_count == instance->argument_count && i < instance->argument_count; ++i) {
    const char *parameter = parameter_name(inference, instance, i);
    if (!mlirTypeEqual(last->arguments[i], instance->arguments[i]))
      return pa_fail_at(PA_CODE_UNSUPPORTED, location, "each call of %s() by itself has another type of its argument '%s', without an end: %s, then %s\nhint: give '%s' one type in all calls",
                        name, parameter, early_type(inference, instance, i, 1), early_type(inference, instance, i, 2), parameter);
    if (last->sites[i] != instance->sites[i] && pa_container_of(instance->arguments[i]) != PA_NO_CONTAINER)
      return pa_fail_at(PA_CODE_UNSUPPORTED, location, "each call of %s() by itself makes another list, dict or set for its argument '%s', so that the types of its items are not known"
                        "\nhint: make it before the first call, and pass it in all calls", name, parameter);
    if (!mlirAttributeEqual(last->literals[i], instance->literals[i]))
      return pa_fail_at(PA_CODE_UNSUPPORTED, location, "each call of %s() by itself has another constant as its argument '%s', without an end\nhint: pass a variable", name, parameter);
  }
  return pa_fail_at(PA_CODE_UNSUPPORTED, location, "more than %d nested calls of different functions or argument types", most);
}
