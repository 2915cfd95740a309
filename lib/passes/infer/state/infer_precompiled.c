// Functions of the Python library that are machine code already (support/precompiled.h), in pyarray-infer-types.
//
//   module attributes {pyarray.precompiled = "call"}
//   func.call @numpy.quantiles.median$0(%a)            func.call @pyarray.library.17(%a)
//                                                      func.func private @pyarray.library.17(...) -> f64
//                                                          attributes {pyarray.precompiled =
//                                                          "numpy.quantiles.median(...)"}
//
// With "note" every instance of the library has its key and its signature: for who makes machine code of one.
#include <string.h>

#include "infer_internal.h"
#include "support/precompiled.h"

void pa_precompiled_begin(pa_inference *inference) {
  MlirAttribute mode = pa_get_attr(inference->module, "pyarray.precompiled");
  if (mlirAttributeIsNull(mode) || !mlirAttributeIsAString(mode)) return;
  inference->notes_precompiled = pa_ref_equal(mlirStringAttrGetValue(mode), "note");
  inference->calls_precompiled = pa_ref_equal(mlirStringAttrGetValue(mode), "call") && pa_precompiled_count();
}

// A handler asks which of the module's own raise sites the error is from.
bool pa_give_up_precompiled(pa_inference *inference) {
  bool any = false;
  for (pa_instance *instance = inference->first; instance && !any; instance = instance->next)
    any = !mlirTypeIsNull(instance->precompiled);
  if (!any || !pa_holds_try(inference->module)) return false;
  inference->calls_precompiled = false;
  for (pa_instance *instance = inference->first; instance; instance = instance->next) {
    if (mlirTypeIsNull(instance->precompiled)) continue;
    instance->precompiled = (MlirType){NULL};
    instance->name = pa_instance_name(inference, instance);
  }
  return true;
}

const char *pa_precompiled_key(pa_inference *inference, const pa_instance *instance) {
  if (!instance->in_library) return NULL;
  pa_string text = {0};
  MlirStringRef symbol = mlirStringAttrGetValue(pa_get_attr(instance->function, "sym_name"));
  pa_string_format(&text, "%.*s(", (int)symbol.length, symbol.data);
  bool possible = true;
  for (intptr_t i = 0; i < instance->argument_count && possible; ++i) {
    possible = !instance->sites[i] && !mlirTypeIsNull(instance->arguments[i]);
    if (i) pa_string_puts(&text, ", ");
    if (possible) mlirTypePrint(instance->arguments[i], pa_append_text, &text);
    if (!possible || mlirAttributeIsNull(instance->literals[i])) continue;
    pa_string_puts(&text, " = ");
    mlirAttributePrint(instance->literals[i], pa_append_text, &text);
  }
  pa_string_puts(&text, ")");
  const char *key = possible ? pa_arena_copy(inference->arena, pa_string_text(&text), text.length) : NULL;
  pa_string_free(&text);
  return key;
}

void pa_look_for_precompiled(pa_inference *inference, pa_instance *instance) {
  if (!inference->calls_precompiled || !instance->in_library || pa_is_device_function(instance->function)) return;
  MlirStringRef symbol = mlirStringAttrGetValue(pa_get_attr(instance->function, "sym_name"));
  const char *prefix = pa_arena_format(inference->arena, "%.*s(", (int)symbol.length, symbol.data);
  const char *key = pa_precompiled_has(prefix, symbol.length + 1) ? pa_precompiled_key(inference, instance) : NULL;
  int64_t number = key ? pa_precompiled_find(key, strlen(key)) : -1;
  if (number < 0) return;
  pa_precompiled found = pa_precompiled_at((uint32_t)number);
  instance->precompiled = mlirTypeParseGet(inference->context, mlirStringRefCreate(found.result, found.result_size));
  if (mlirTypeIsNull(instance->precompiled)) return;
  instance->name = pa_arena_format(inference->arena, PA_PRECOMPILED_SYMBOL "%d", (int)number);
}
