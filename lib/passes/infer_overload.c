// Calls in pyarray-infer-types that users' overloads answer (ir/overloads.h). Each combination of types is asked for once.
#include <string.h>

#include "infer_internal.h"
#include "ir/overloads.h"

struct pa_overload {
  pa_overload *next;
  const char *name, *types, *keywords;
  const char *symbol;  // NULL: there is none
};

static void append_codes(pa_inference *inference, pa_instance *instance, intptr_t first, pa_string *out) {
  for (intptr_t i = first; i < inference->given_count; ++i) {
    pa_string code = {0};
    if (pa_type_to_code(&code, pa_fact_get(inference, instance, inference->given[i]).type)) pa_string_puts(out, pa_string_text(&code));
    pa_string_puts(out, "\n");
    pa_string_free(&code);
  }
}

static void append_keywords(const pa_inference *inference, pa_string *out) {
  MlirAttribute keywords = inference->keywords;
  for (intptr_t i = 0; !mlirAttributeIsNull(keywords) && i < mlirArrayAttrGetNumElements(keywords); ++i) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, i));
    pa_string_append(out, name.data, name.length);
    pa_string_puts(out, "\n");
  }
}

static const char *take(pa_arena *arena, pa_string *text) {
  const char *copy = pa_arena_copy(arena, pa_string_text(text), text->length);
  pa_string_free(text);
  return copy;
}

pa_status pa_overload_symbol(pa_inference *inference, pa_instance *instance, const char *name, intptr_t first,
                             const char **out_symbol) {
  *out_symbol = NULL;
  if (!pa_find_overload || pa_is_device_function(instance->function)) return PA_OK;
  pa_string types = {0}, keywords = {0};
  append_codes(inference, instance, first, &types);
  append_keywords(inference, &keywords);
  pa_overload *asked = PA_NEW(inference->arena, pa_overload);
  *asked = (pa_overload){inference->overloads, name, take(inference->arena, &types), take(inference->arena, &keywords), NULL};
  for (const pa_overload *known = inference->overloads; known; known = known->next)
    if (strcmp(known->name, name) == 0 && strcmp(known->types, asked->types) == 0 && strcmp(known->keywords, asked->keywords) == 0)
      return *out_symbol = known->symbol, PA_OK;
  pa_overload_request request = {inference->module, inference->arena, name, asked->types, asked->keywords};
  PA_TRY(pa_find_overload(&request, &asked->symbol));
  inference->overloads = asked;
  return *out_symbol = asked->symbol, PA_OK;
}
