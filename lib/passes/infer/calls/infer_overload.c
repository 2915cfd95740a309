// Calls in pyarray-infer-types that users' overloads answer (ir/overloads.h). Each combination of types is asked for
// once: all functions of a module are for one target.

#include "infer_calls.h"
#include "ir/overloads.h"

typedef struct pa_overload {
  const char *name, *types, *keywords, *literals;
  const char *symbol; // NULL: there is none
} pa_overload;

static void append_codes(pa_inference *inference, pa_instance *instance, intptr_t first, pa_string *out) {
  for (intptr_t i = first; i < inference->given_count; ++i) {
    pa_string code = {0};
    if (pa_type_to_code(&code, pa_fact_get(inference, instance, inference->given[i]).type))
      pa_string_puts(out, pa_string_text(&code));
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

static void append_digits(MlirStringRef text, pa_string *out) {
  for (size_t i = 0; i < text.length; ++i) pa_string_format(out, "%02x", (unsigned char)text.data[i]);
}

static bool append_items(pa_inference *inference, pa_instance *instance, MlirOperation op, bool dict, pa_string *out) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    pa_fact item = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i));
    if (pa_is_bottom(item)) return false;
    bool none = pyarrayTypeIsNone(item.type);
    MlirAttribute tuple = pa_tuple_literal(inference, instance, mlirOperationGetOperand(op, i));
    MlirAttribute literal = mlirAttributeIsNull(tuple) ? item.literal : tuple;
    if (mlirAttributeIsNull(literal) && !none) return false;
    pa_python_literal(out, literal);
    pa_string_puts(out, dict && i % 2 == 0 ? ":" : ",");
  }
  return true;
}

// What a list or dict is made of, where a display of constants makes it: its source, after an equals sign. It may have
// changed since.
static bool append_display(pa_inference *inference, pa_instance *instance, MlirValue value, pa_string *out) {
  MlirOperation op = pa_maker_of(value);
  if (mlirOperationIsNull(op)) return false;
  bool dict = pa_kind(&inference->names, op) == PA_OP_DICT;
  if (!dict && pa_kind(&inference->names, op) != PA_OP_LIST) return false;
  pa_string text = {0};
  pa_string_puts(&text, dict ? "{" : "[");
  bool known = mlirOperationGetNumOperands(op) > 0 && append_items(inference, instance, op, dict, &text);
  pa_string_puts(&text, dict ? "}" : "]");
  if (known) pa_string_puts(out, "="), append_digits(pa_ref(pa_string_text(&text)), out);
  pa_string_free(&text);
  return known;
}

static bool append_literal(pa_inference *inference, pa_instance *instance, MlirValue given, pa_string *out) {
  pa_fact fact = pa_fact_get(inference, instance, given);
  int64_t value;
  bool number = !pa_is_bottom(fact) && (pa_is_integer(pa_scalar_of(fact.type)) || pa_scalar_of(fact.type) == PA_BOOL) &&
                pa_literal_int(fact, &value);
  if (number) return pa_string_format(out, "%lld", (long long)value), true;
  if (!pa_is_bottom(fact) && (pyarrayTypeIsList(fact.type) || pyarrayTypeIsDict(fact.type)))
    return append_display(inference, instance, given, out);
  if (pa_is_bottom(fact) || !pyarrayTypeIsStr(fact.type) || mlirAttributeIsNull(fact.literal) ||
      !mlirAttributeIsAString(fact.literal))
    return false;
  pa_string_puts(out, "'"); // which tells "" from what is not known
  return append_digits(mlirStringAttrGetValue(fact.literal), out), true;
}

// "" where no value is known.
static const char *literals_of(pa_inference *inference, pa_instance *instance, intptr_t first) {
  pa_string literals = {0};
  bool any = false;
  for (intptr_t i = first; i < inference->given_count; ++i) {
    any |= append_literal(inference, instance, inference->given[i], &literals);
    pa_string_puts(&literals, "\n");
  }
  const char *text = take(inference->arena, &literals);
  return any ? text : "";
}

static pa_status ask(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t first,
                     pa_overload question, const char **out_symbol) {
  const char *text = pa_arena_format(inference->arena, "%s\1%s\1%s\1%s", question.name, question.types,
                                     question.keywords, question.literals);
  const void *key = mlirStringAttrGet(inference->context, pa_ref(text)).ptr; // one for each text
  const pa_overload *known = pa_map_get(&inference->overloads, key);
  if (known) return *out_symbol = known->symbol, PA_OK;
  pa_overload *asked = PA_NEW(inference->arena, pa_overload);
  *asked = question;
  int wanted = -1;
  pa_overload_request request = {inference->module, instance->function, mlirOperationGetLocation(op),
                                 inference->arena,  question.name,      question.types,
                                 question.keywords, question.literals,  &wanted};
  pa_status status = pa_find_overload(&request, &asked->symbol);
  if (status && wanted >= 0 && first + wanted < inference->given_count)
    pa_demand_literal(inference, instance, inference->given[first + wanted]);
  PA_TRY(status);
  pa_map_put(inference->arena, &inference->overloads, key, asked);
  return *out_symbol = asked->symbol, PA_OK;
}

static bool is_registered(pa_inference *inference, const char *name) {
  static const char yes, no;
  const void *key = mlirStringAttrGet(inference->context, pa_ref(name)).ptr;
  const void *known = pa_map_get(&inference->overload_names, key);
  if (!known) {
    known = pa_has_overloads(name) ? &yes : &no;
    pa_map_put(inference->arena, &inference->overload_names, key, (void *)known);
  }
  return known == &yes;
}

pa_status pa_overload_symbol(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *name,
                             intptr_t first, const char **out_symbol) {
  *out_symbol = NULL;
  if (!pa_find_overload || !is_registered(inference, name)) return PA_OK;
  pa_string types = {0}, keywords = {0};
  append_codes(inference, instance, first, &types);
  append_keywords(inference, &keywords);
  pa_overload question = {
      .name = name, .types = take(inference->arena, &types), .keywords = take(inference->arena, &keywords)};
  const char *literals = literals_of(inference, instance, first);
  question.literals = *literals ? "?" : "";
  PA_TRY(ask(inference, instance, op, first, question, out_symbol));
  if (*out_symbol || !*literals) return PA_OK;
  question.literals = literals;
  return ask(inference, instance, op, first, question, out_symbol);
}
