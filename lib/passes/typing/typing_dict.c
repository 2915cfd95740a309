// Types of dicts and sets. A row's target in builtins.def, behind a blank where it names a function, says what a method
// takes and gives.
#include <string.h>

#include "typing_rules.h"

static pa_fact container_of(const pa_rule_call *call) { return call->arguments[0]; }
static pa_fact part_of(const pa_rule_call *call, int which) {
  return pa_container_item(call->typing, container_of(call), which);
}

// Nothing is put into the dict.
static bool has_nothing(const pa_rule_call *call) {
  return pa_is_bottom(part_of(call, 1)) && pyarrayTypeIsNone(pyarrayDictTypeGetValue(container_of(call).type));
}

// dict(iterable=), set(iterable=)
static pa_status type_new(pa_rule_call *call) {
  const char *name = call->builtin->name;
  pa_container kind = strcmp(name, "builtins.set") == 0         ? PA_SET
                      : strcmp(name, "builtins.frozenset") == 0 ? PA_FROZENSET
                                                                : PA_DICT;
  if (pa_rule_given(call, 0)) {
    PA_TRY(pa_put_all(call, pa_container_here(call->typing, kind), 0));
    pa_rule_add_argument(call, 0, call->arguments[0].type);
  }
  return pa_finish_fact(call, pa_container_here(call->typing, kind));
}

// Argument |i| in the type of what it is put into or looked for among; its own where that is not known.
static void add_part(pa_rule_call *call, int i, int which) {
  pa_fact part = part_of(call, which);
  pa_rule_add_argument(call, i, pa_is_bottom(part) ? call->arguments[i].type : part.type);
}

// The items of both become the same; some never do.
static pa_status join_items(pa_rule_call *call, pa_fact self, pa_fact other) {
  pa_fact joined;
  PA_TRY(pa_join_facts(call->typing, self, other, &joined));
  bool known = !pa_is_bottom(self) && !pa_is_bottom(other) && !pyarrayTypeIsAny(pyarrayTypeGetItem(self.type)) &&
               !pyarrayTypeIsAny(pyarrayTypeGetItem(other.type));
  if (!pa_is_bottom(joined) || !known) return PA_OK;
  return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s of %s and %s: the items of the one cannot be the other's",
                        call->builtin->name, pa_rule_text_of(call, self.type), pa_rule_text_of(call, other.type));
}

static pa_status add_by_letter(pa_rule_call *call, int i, char letter) {
  pa_fact self = container_of(call);
  if (!pa_rule_given(call, i)) return PA_OK;
  switch (letter) {
  case 'k': {
    MlirType type;
    PA_TRY(pa_container_find(call->typing, self, call->arguments[i], &type));
    return pa_rule_add_argument(call, i, type), PA_OK;
  }
  case 'K': PA_TRY(pa_container_put(call->typing, self, 0, call->arguments[i])); return add_part(call, i, 0), PA_OK;
  case 'V': PA_TRY(pa_container_put(call->typing, self, 1, call->arguments[i])); return add_part(call, i, 1), PA_OK;
  case 'a': PA_TRY(pa_put_all(call, self, i)); return pa_rule_add_argument(call, i, call->arguments[i].type), PA_OK;
  case 's': // the container made of it has the type of this one
    if (pa_container_of(call->arguments[i].type) == pa_container_of(self.type))
      PA_TRY(join_items(call, self, call->arguments[i]));
    else
      PA_TRY(pa_put_all(call, self, i));
    return pa_rule_add_argument(call, i, self.type), PA_OK;
  default: return pa_rule_add_argument(call, i, call->arguments[i].type), PA_OK;
  }
}

// A value or None.
static pa_status finish_optional(pa_rule_call *call, pa_fact value) {
  if (pa_is_bottom(value)) return pa_finish_fact(call, value);
  bool has_none = pyarrayTypeIsOptional(value.type) || pyarrayTypeIsNone(value.type);
  MlirType type = has_none ? value.type : pyarrayOptionalTypeGet(value.type);
  pa_rule_add_operand(call, -1, -1, pa_unit_attr(call->typing->context), type);
  return pa_finish_fact(call, (pa_fact){.type = type,
                                        .site = pa_fact_within((pa_fact){.type = type, .site = value.site}).site,
                                        .signs = value.signs});
}

// A value, or the default, which does not become one of the dict's.
static pa_status finish_with_default(pa_rule_call *call) {
  pa_fact value = part_of(call, 1), joined;
  if (!pa_rule_given(call, 2) && strcmp(call->builtin->name, "dict.pop") == 0) return pa_finish_fact(call, value);
  bool optional = !pa_rule_given(call, 2) || pyarrayTypeIsNone(call->arguments[2].type);
  if (optional)
    return finish_optional(call, has_nothing(call) ? pa_fact_of(pyarrayNoneTypeGet(call->typing->context)) : value);
  if (has_nothing(call)) {
    call->plan->kind = PA_PLAN_CAST;
    call->plan->operand_count = 0;
    return pa_rule_add_argument(call, 2, call->arguments[2].type), pa_finish_fact(call, call->arguments[2]);
  }
  PA_TRY(pa_join_facts(call->typing, value, call->arguments[2], &joined));
  bool number = pa_scalar_of(joined.type) != PA_NOT_SCALAR;
  bool united = !pa_is_bottom(joined) && joined.site &&
                pa_container_of(joined.type) != PA_NO_CONTAINER; // the values become the same
  if (pa_is_bottom(joined) || (!number && !united && !pa_is_bottom(value) && !mlirTypeEqual(joined.type, value.type)))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: the default has type %s, the values of %s have another",
                          call->builtin->name, pa_rule_text_of(call, call->arguments[2].type),
                          pa_rule_text_of(call, container_of(call).type));
  if (!number && pa_is_bottom(value)) joined = call->arguments[2];
  pa_rule_add_argument(call, 2, joined.type);
  return pa_finish_fact(call, joined);
}

static pa_status type_method(pa_rule_call *call) {
  const char *letters = strchr(call->builtin->target, ' ');
  MlirContext context = call->typing->context;
  pa_rule_add_argument(call, 0, container_of(call).type);
  letters = letters ? letters + 1 : call->builtin->target;
  for (int i = 1; *letters != '>'; ++letters, ++i) PA_TRY(add_by_letter(call, i, *letters));
  pa_fact key = part_of(call, 0), value = pa_container_of(container_of(call).type) == PA_DICT ? part_of(call, 1) : key;
  switch (letters[1]) {
  case 'c': return pa_finish_fact(call, container_of(call));
  case 'k': return pa_finish_fact(call, key);
  case 'v': return pa_finish_fact(call, value);
  case 'd': return finish_with_default(call);
  case '?': return pa_rule_finish_scalar(call, PA_BOOL);
  case 'i': return pa_rule_finish_scalar(call, PA_I64);
  case 'p': {
    MlirType types[] = {key.type, value.type};
    if (pa_is_bottom(key) || pa_is_bottom(value)) return pa_finish_fact(call, (pa_fact){0});
    return pa_rule_finish(call, mlirTupleTypeGet(context, 2, types));
  }
  default: return pa_rule_finish(call, pyarrayNoneTypeGet(context));
  }
}

// keys(), values(), items(): a tuple of the dict.
static pa_status type_view(pa_rule_call *call) {
  MlirType dict = container_of(call).type;
  const char *kind = strchr(call->builtin->name, '.') + 1;
  pa_rule_add_argument(call, 0, dict);
  call->plan->kind = PA_PLAN_TUPLE;
  return pa_rule_finish(call, pyarrayTaggedTypeGet(pa_ref(kind), pa_unit_attr(call->typing->context),
                                                   mlirTupleTypeGet(call->typing->context, 1, &dict)));
}

//===-- Counter and defaultdict -------------------------------------------------------------------===//

// infer_dict_classes.c makes new ones.
static pa_status type_dict_class(pa_rule_call *call) {
  return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED, "%s is only compiled where it is called",
                        call->builtin->name);
}

// The dict that one is, with what is put into it.
static pa_status type_plain_dict(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  if (pa_is_dict_class(type)) type = pyarrayTaggedTypeGetItem(type);
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, type);
  return pa_finish_fact(call, (pa_fact){.type = type, .site = call->arguments[0].site});
}

static pa_status factory_type(pa_rule_call *call, MlirType *out_type) {
  MlirType type = call->arguments[0].type;
  if (!pa_is_tagged(type, "defaultdict")) return pa_rule_wrong_type(call, 0, "a defaultdict");
  return *out_type = mlirTypeAttrGetValue(pyarrayTaggedTypeGetTag(type)), PA_OK;
}

static pa_status type_factory(pa_rule_call *call) {
  MlirType type;
  PA_TRY(factory_type(call, &type));
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirTypeAttrGet(type);
  return pa_rule_finish(call, type);
}

// "<class 'int'>"
static pa_status type_factory_text(pa_rule_call *call) {
  MlirType type;
  PA_TRY(factory_type(call, &type));
  MlirAttribute name = pyarrayCallableTypeGetName(type);
  const char *text = mlirAttributeIsAString(name) ? pa_attr_text(call->typing->arena, name) : "";
  if (strncmp(text, "builtins.", 9) != 0)
    return pa_typing_fail(
        call->typing, PA_CODE_UNSUPPORTED,
        "text of a defaultdict whose factory is no class of Python's is not compiled\nhint: make it of dict(...)");
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal =
      pa_string_attr(call->typing->context, pa_arena_format(call->typing->arena, "<class '%s'>", text + 9));
  return pa_rule_finish(call, pyarrayStrTypeGet(call->typing->context));
}

const pa_typing_rule_row pa_dict_typing[] = {{PA_TYPING_DICT, type_new},
                                             {PA_TYPING_DICT_CLASS, type_dict_class},
                                             {PA_TYPING_DICT_METHOD, type_method},
                                             {PA_TYPING_DICT_VIEW, type_view},
                                             {PA_TYPING_FACTORY, type_factory},
                                             {PA_TYPING_FACTORY_TEXT, type_factory_text},
                                             {PA_TYPING_PLAIN_DICT, type_plain_dict},
                                             {0, NULL}};
