// Parameters in pyarray-infer-types: which argument of a call is which.
#include "infer_parameters.h"

#include <string.h>

#include "infer_signs.h"

int pa_parse_parameters(const char *text, pa_parameter *out, int capacity) {
  if (strcmp(text, "@") == 0) return 0;
  int count = 0;
  while (*text && count < capacity) {
    bool by_name = *text == '*';
    text += by_name;
    size_t length = strcspn(text, ",");
    bool optional = length && text[length - 1] == '=';
    out[count++] = (pa_parameter){.name = text, .length = length - optional, .optional = optional, .by_name = by_name};
    text += length + (text[length] == ',');
  }
  return count;
}

static pa_parameter *read_parameters(pa_inference *inference, MlirOperation function, intptr_t count) {
  MlirAttribute names = pa_get_attr(function, "pyarray.params"), defaults = pa_get_attr(function, "pyarray.defaults");
  MlirAttribute kinds = pa_get_attr(function, "pyarray.kinds");
  intptr_t optional = mlirAttributeIsNull(defaults) ? 0 : mlirArrayAttrGetNumElements(defaults);
  pa_parameter *parameters = PA_NEW_ARRAY(inference->arena, pa_parameter, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    parameters[i].name = "";
    if (!mlirAttributeIsNull(names) && i < mlirArrayAttrGetNumElements(names)) {
      parameters[i].name = pa_attr_text(inference->arena, mlirArrayAttrGetElement(names, i));
      parameters[i].length = strlen(parameters[i].name);
    }
    char kind = !mlirAttributeIsNull(kinds) ? mlirStringAttrGetValue(kinds).data[i] : 'p';
    parameters[i].by_name = kind == 'k' || kind == 'w';
    parameters[i].by_position = kind == 'o' || kind == 'c';
    parameters[i].captured = kind == 'c';
    parameters[i].rest = kind == '*';
    parameters[i].read = pa_only_reads(function);
    parameters[i].mapping = kind == 'w';
    if (i < count - optional) continue;
    parameters[i].otherwise = mlirArrayAttrGetElement(defaults, i - (count - optional));
    parameters[i].optional = !pyarrayAttributeIsOpaque(parameters[i].otherwise);
  }
  return parameters;
}

intptr_t pa_function_parameters(pa_inference *inference, MlirOperation function, const pa_parameter **out) {
  intptr_t count = mlirBlockGetNumArguments(pa_body(function, 0));
  *out = pa_map_get(&inference->parameters, function.ptr);
  if (!*out) {
    pa_parameter *read = read_parameters(inference, function, count);
    pa_map_put(inference->arena, &inference->parameters, function.ptr, read);
    *out = read;
  }
  return count;
}

pa_status pa_bind_arguments(pa_inference *inference, MlirOperation op, const char *callee,
                            const pa_parameter *parameters, int count, intptr_t skip, bool self,
                            MlirValue *out_values) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirAttribute keywords = inference->keywords;
  intptr_t total = inference->given_count - skip, first = self ? 1 : 0;
  intptr_t keyword_count = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords);
  intptr_t positional = total - keyword_count;
  int most = 0, rest = count;
  while (most < count && !parameters[most].by_name && !parameters[most].rest) ++most;
  while (rest-- > 0 && !parameters[rest].rest) continue;
  intptr_t taken = first + positional > most ? most - first : positional; // the others are for the rest parameter
  int captured = 0;
  while (captured < count && parameters[captured].captured) ++captured;
  int arguments = (int)(first + positional) - captured;
  if (taken < positional && rest < 0)
    return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() takes %d argument%s but %d %s given", callee, most - captured,
                          most - captured == 1 ? "" : "s", arguments, arguments == 1 ? "was" : "were");
  if (self) out_values[0] = inference->given[0];
  for (intptr_t i = 0; i < taken; ++i) out_values[first + i] = inference->given[skip + i];
  if (rest >= 0)
    out_values[rest] = (parameters[rest].read ? pa_make_read_tuple : pa_make_tuple)(
        inference, inference->current, op, inference->given + skip + taken, (int)(positional - taken));
  int mapping = 0, other_count = 0; // the parameter that takes all other names, and what it takes
  while (mapping < count && !parameters[mapping].mapping) ++mapping;
  MlirValue *others = PA_NEW_ARRAY(inference->arena, MlirValue, keyword_count + 1);
  MlirAttribute *other_names = PA_NEW_ARRAY(inference->arena, MlirAttribute, keyword_count + 1);
  for (intptr_t k = 0; k < keyword_count; ++k) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k));
    int i = 0;
    while (i < count &&
           !(!parameters[i].by_position && !parameters[i].rest && !parameters[i].mapping &&
             parameters[i].length == name.length && memcmp(parameters[i].name, name.data, name.length) == 0))
      ++i;
    if (i == count && mapping < count) {
      for (int o = 0; o < other_count; ++o)
        if (mlirAttributeEqual(other_names[o], mlirArrayAttrGetElement(keywords, k)))
          return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() got multiple values for keyword argument '%.*s'", callee,
                                (int)name.length, name.data);
      others[other_count] = inference->given[skip + positional + k];
      other_names[other_count++] = mlirArrayAttrGetElement(keywords, k);
      continue;
    }
    if (i == count)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() got an unexpected keyword argument '%.*s'", callee,
                            (int)name.length, name.data);
    if (!mlirValueIsNull(out_values[i]))
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() got multiple values for argument '%.*s'", callee,
                            (int)name.length, name.data);
    out_values[i] = inference->given[skip + positional + k];
  }
  if (mapping < count)
    out_values[mapping] = pa_make_keywords(inference, inference->current, op, others, other_names, other_count);
  for (int i = 0; i < count; ++i)
    if (mlirValueIsNull(out_values[i]) && !parameters[i].optional)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() missing a required argument: '%.*s'", callee,
                            (int)parameters[i].length, parameters[i].name);
  return PA_OK;
}

pa_status pa_bind_any_number(pa_inference *inference, MlirOperation op, const char *callee, const pa_parameter *named,
                             int named_count, intptr_t skip, bool self, MlirValue *out_values, int *out_count) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirAttribute keywords = inference->keywords;
  intptr_t keyword_count = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords);
  intptr_t positional = inference->given_count - skip - keyword_count, first = self ? 1 : 0;
  bool any_name =
      named_count == 1 && named[0].by_name && *named[0].name == '*'; // "...,**": the rule looks at the names
  if (any_name) positional += keyword_count, keyword_count = 0, named_count = 0;
  if (self) out_values[0] = inference->given[0];
  for (intptr_t i = 0; i < positional; ++i) out_values[first + i] = inference->given[skip + i];
  for (intptr_t k = 0; k < keyword_count; ++k) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k));
    int i = 0;
    while (i < named_count && !(named[i].length == name.length && memcmp(named[i].name, name.data, name.length) == 0))
      ++i;
    if (i == named_count && !named_count)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() takes no keyword arguments", callee);
    if (i == named_count)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() got an unexpected keyword argument '%.*s'", callee,
                            (int)name.length, name.data);
    out_values[first + positional + i] = inference->given[skip + positional + k];
  }
  return *out_count = (int)(first + positional) + named_count, PA_OK;
}
