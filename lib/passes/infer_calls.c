// Calls in pyarray-infer-types: which builtin, method or compiled function is meant, and its arguments in the order of
// the parameters.
#include <stdlib.h>
#include <string.h>

#include "infer_internal.h"
#include "ir/library.h"

//===-- Calls -------------------------------------------------------------------------------------===//

typedef struct parameter {
  const char *name;
  size_t length;
  bool optional, by_name;
  bool captured;
  bool rest, by_position; // *args; cannot be given by name
  MlirAttribute otherwise;
} parameter;

// "x,base=" to parameters; "*base=" is given by its name only; "@" is no function. Returns the number.
static int parse_parameters(const char *text, parameter *out, int capacity) {
  if (strcmp(text, "@") == 0) return 0;
  int count = 0;
  while (*text && count < capacity) {
    bool by_name = *text == '*';
    text += by_name;
    size_t length = strcspn(text, ",");
    bool optional = length && text[length - 1] == '=';
    out[count++] = (parameter){.name = text, .length = length - optional, .optional = optional, .by_name = by_name};
    text += length + (text[length] == ',');
  }
  return count;
}

static intptr_t function_parameters(pa_inference *inference, MlirOperation function, parameter **out) {
  MlirAttribute names = pa_get_attr(function, "pyarray.params"), defaults = pa_get_attr(function, "pyarray.defaults");
  MlirAttribute kinds = pa_get_attr(function, "pyarray.kinds");
  intptr_t count = mlirBlockGetNumArguments(pa_body(function, 0));
  intptr_t optional = mlirAttributeIsNull(defaults) ? 0 : mlirArrayAttrGetNumElements(defaults);
  *out = PA_NEW_ARRAY(inference->arena, parameter, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    (*out)[i].name = "";
    if (!mlirAttributeIsNull(names) && i < mlirArrayAttrGetNumElements(names)) {
      (*out)[i].name = pa_attr_text(inference->arena, mlirArrayAttrGetElement(names, i));
      (*out)[i].length = strlen((*out)[i].name);
    }
    char kind = !mlirAttributeIsNull(kinds) ? mlirStringAttrGetValue(kinds).data[i] : 'p';
    (*out)[i].by_name = kind == 'k';
    (*out)[i].by_position = kind == 'o' || kind == 'c';
    (*out)[i].captured = kind == 'c';
    (*out)[i].rest = kind == '*';
    if (i < count - optional) continue;
    (*out)[i].otherwise = mlirArrayAttrGetElement(defaults, i - (count - optional));
    (*out)[i].optional = !pyarrayAttributeIsOpaque((*out)[i].otherwise);
  }
  return count;
}

// Puts the arguments of |op| (after |skip| operands) into the order of |parameters|.
static pa_status bind(pa_inference *inference, MlirOperation op, const char *callee, const parameter *parameters,
                      int count, intptr_t skip, bool self, MlirValue *out_values) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirAttribute keywords = pa_get_attr(op, "kw");
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
  if (rest >= 0) out_values[rest] = pa_make_tuple(inference, inference->current, op, inference->given + skip + taken, (int)(positional - taken));
  for (intptr_t k = 0; k < keyword_count; ++k) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k));
    int i = 0;
    while (i < count &&
           !(!parameters[i].by_position && !parameters[i].rest && parameters[i].length == name.length && memcmp(parameters[i].name, name.data, name.length) == 0))
      ++i;
    if (i == count)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() got an unexpected keyword argument '%.*s'", callee,
                            (int)name.length, name.data);
    if (!mlirValueIsNull(out_values[i]))
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() got multiple values for argument '%.*s'", callee,
                            (int)name.length, name.data);
    out_values[i] = inference->given[skip + positional + k];
  }
  for (int i = 0; i < count; ++i)
    if (mlirValueIsNull(out_values[i]) && !parameters[i].optional)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() missing a required argument: '%.*s'", callee,
                            (int)parameters[i].length, parameters[i].name);
  return PA_OK;
}

static pa_status resolve_function(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirStringRef symbol, intptr_t skip,
                                  bool self, pa_resolved_call *out);

// Of "...,sep=": any number of positional arguments, and then those that are given by name.
static pa_status bind_variadic(pa_inference *inference, MlirOperation op, const char *callee, const parameter *named, int named_count,
                               intptr_t skip, bool self, MlirValue *out_values, int *out_count) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirAttribute keywords = pa_get_attr(op, "kw");
  intptr_t keyword_count = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords);
  intptr_t positional = inference->given_count - skip - keyword_count, first = self ? 1 : 0;
  if (self) out_values[0] = inference->given[0];
  for (intptr_t i = 0; i < positional; ++i) out_values[first + i] = inference->given[skip + i];
  for (intptr_t k = 0; k < keyword_count; ++k) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k));
    int i = 0;
    while (i < named_count && !(named[i].length == name.length && memcmp(named[i].name, name.data, name.length) == 0)) ++i;
    if (i == named_count && !named_count) return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() takes no keyword arguments", callee);
    if (i == named_count)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() got an unexpected keyword argument '%.*s'", callee, (int)name.length, name.data);
    out_values[first + positional + i] = inference->given[skip + positional + k];
  }
  return *out_count = (int)(first + positional) + named_count, PA_OK;
}

// The argument |name| of a call; null where it is not given by name.
static MlirValue keyword_argument(const pa_inference *inference, MlirOperation op, const char *name) {
  MlirAttribute keywords = pa_get_attr(op, "kw");
  intptr_t count = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords);
  for (intptr_t k = 0; k < count; ++k)
    if (pa_ref_equal(mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k)), name))
      return inference->given[inference->given_count - count + k];
  return (MlirValue){NULL};
}

// Builtins of arrays and tuples, or without arguments, for which the library has a function of others, or with arguments.
static const struct { const char *name, *function; bool of_arrays; } alternatives[] = {
    {"math.fsum", "math.fsum_of", true},
    {"math.prod", "math.prod_of", true},
    {"numpy.random.rand", "numpy.random.rand", false},
    {"numpy.random.random", "numpy.random.samples", false},
    {"numpy.random.random_sample", "numpy.random.samples", false},
    {"numpy.random.standard_normal", "numpy.random.normals", false},
};

// The function of the Python library that is called: the builtin is one, or its own rule does not do this call. Or NULL.
static const char *library_function(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin, intptr_t skip) {
  if (strcmp(builtin->lowering, "LIBRARY") == 0) return *builtin->target ? builtin->target : builtin->name;
  for (size_t i = 0; i < sizeof alternatives / sizeof *alternatives; ++i)
    if (strcmp(builtin->name, alternatives[i].name) == 0 && inference->given_count > skip) {
      MlirType type = pa_fact_get(inference, instance, inference->given[skip]).type;
      bool number = !mlirTypeIsNull(type) && pa_scalar_of(type) != PA_NOT_SCALAR;  // of which the rule says what is wrong
      bool native = alternatives[i].of_arrays && (mlirTypeIsNull(type) || number || mlirTypeIsATuple(type) || pyarrayTypeIsArray(type));
      return native ? NULL : alternatives[i].function;
    }
  bool sorts = strcmp(builtin->typing, "LIST_SORT") == 0;
  if (!sorts && strcmp(builtin->typing, "MINMAX") != 0) return NULL;
  MlirValue key = keyword_argument(inference, op, "key");
  bool has_key = !mlirValueIsNull(key) && !pyarrayTypeIsNone(pa_fact_get(inference, instance, key).type);
  if (sorts) return has_key ? "list.sort_by_key" : NULL;
  MlirAttribute keywords = pa_get_attr(op, "kw");
  intptr_t named = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords), count = inference->given_count - skip - named;
  if (count > 1) return has_key ? pa_arena_format(inference->arena, "%s_of_several", builtin->name) : NULL;
  bool scalars = !named && count == 1 && mlirTypeIsATuple(pa_fact_get(inference, instance, inference->given[skip]).type);
  return count == 1 && !scalars ? builtin->name : NULL;
}

static pa_status resolve_builtin(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                 const pa_builtin *builtin, intptr_t skip, bool self, pa_resolved_call *out) {
  const char *function = library_function(inference, instance, op, builtin, skip);
  if (function) return resolve_function(inference, instance, op, pa_ref(function), skip, self, out);
  parameter parameters[8];
  bool variadic = strncmp(builtin->parameters, "...", 3) == 0;
  const char *named = builtin->parameters + (variadic ? builtin->parameters[3] == ',' ? 4 : 3 : 0);
  int count = parse_parameters(named, parameters, 8);
  pa_typing typing = pa_typing_at(inference, op);
  PA_TRY(pa_check_target(&typing, builtin, pa_is_device_function(instance->function)));
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + inference->given_count + 1);
  if (variadic)
    PA_TRY(bind_variadic(inference, op, builtin->name, parameters, count, skip, self, values, &count));
  else
    PA_TRY(bind(inference, op, builtin->name, parameters, count, skip, self, values));
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  *out = (pa_resolved_call){.arguments = values, .count = count};
  for (int i = 0; i < count; ++i) {
    if (mlirValueIsNull(values[i])) continue;
    facts[i] = pa_fact_get(inference, instance, values[i]);
    if (pa_is_bottom(facts[i])) return out->bottom = true, PA_OK;
  }
  return pa_type_builtin(&typing, builtin, facts, count, &out->plan);
}

// A C callback has one signature: arguments become its types, and the result its result. Null for other functions.
static MlirType declared_signature(MlirOperation function, int count) {
  MlirAttribute attribute = pa_get_attr(function, "pyarray.declared");
  MlirType type = !mlirAttributeIsNull(attribute) && mlirAttributeIsAType(attribute) ? mlirTypeAttrGetValue(attribute) : (MlirType){NULL};
  bool fits = !mlirTypeIsNull(type) && mlirTypeIsAFunction(type) && mlirFunctionTypeGetNumInputs(type) == count && mlirFunctionTypeGetNumResults(type) == 1;
  return fits ? type : (MlirType){NULL};
}

static pa_status fit_to_declared(const pa_typing *typing, const char *name, MlirType declared, pa_fact *facts, int count) {
  for (int i = 0; i < count; ++i) {
    MlirType wanted = mlirFunctionTypeGetInput(declared, i);
    PA_TRY(pa_check_castable(typing, facts[i].type, wanted, pa_arena_format(typing->arena, "argument %d of %s()", i + 1, name)));
    facts[i] = pa_fact_of(wanted);
  }
  return PA_OK;
}

// Of the module, or of the Python library.
static pa_status resolve_function(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirStringRef symbol, intptr_t skip,
                                  bool self, pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  bool known = !mlirOperationIsNull(pa_lookup(inference->module, symbol));
  MlirOperation function = pa_library_function(inference->module, symbol);
  if (!known && !mlirOperationIsNull(function) && pa_is_device_function(instance->function))  // the library's is for the CPU
    pa_set_attr(function, "pyarray.options", pa_get_attr(instance->function, "pyarray.options"));
  if (mlirOperationIsNull(function))
    return pa_typing_fail(&typing, PA_CODE_INVALID, "the module has no function @%.*s", (int)symbol.length,
                          symbol.data);
  if (!mlirAttributeIsNull(pa_get_attr(function, "pyarray.ufunc"))) return pa_resolve_ufunc(inference, instance, op, function, out);
  parameter *parameters;
  int count = (int)function_parameters(inference, function, &parameters);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  MlirAttribute *constants = PA_NEW_ARRAY(inference->arena, MlirAttribute, count + 1);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  const char *name = pa_arena_copy(inference->arena, symbol.data, symbol.length);
  PA_TRY(bind(inference, op, name, parameters, count, skip, self, values));
  *out = (pa_resolved_call){.arguments = values, .constants = constants, .count = count};
  for (int i = 0; i < count; ++i) {
    constants[i] = parameters[i].otherwise;
    facts[i] = mlirValueIsNull(values[i]) ? pa_literal_fact(inference->context, constants[i])
                                          : pa_fact_get(inference, instance, values[i]);
    if (pa_is_bottom(facts[i])) return out->bottom = true, PA_OK;
  }
  MlirType declared = declared_signature(function, count);
  if (!mlirTypeIsNull(declared)) PA_TRY(fit_to_declared(&typing, name, declared, facts, count));
  out->instance = pa_instance_get(inference, function, facts, count);
  if (!mlirTypeIsNull(declared)) out->instance->declared = mlirFunctionTypeGetResult(declared, 0);
  return PA_OK;
}

pa_status pa_resolve_function(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirStringRef symbol, pa_resolved_call *out) {
  *out = (pa_resolved_call){.bottom = true};
  return resolve_function(inference, instance, op, symbol, 0, false, out);
}

static pa_status resolve_method(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  const char *name = pa_attr_text(inference->arena, pa_get_attr(op, "name"));
  const char *family = pyarrayTypeIsArray(object.type)              ? "array"
                       : pa_scalar_of(object.type) != PA_NOT_SCALAR ? "number"
                       : pa_is_time(object.type)                    ? "time"
                       : pa_container_of(object.type) == PA_LIST    ? "list"
                       : pa_container_of(object.type) == PA_DICT    ? "dict"
                       : pa_container_of(object.type) == PA_SET     ? "set"
                       : pyarrayTypeIsStr(object.type)              ? "str"
                       : pyarrayTypeIsBytes(object.type)            ? "bytes"
                                                                    : NULL;
  const pa_builtin *builtin =
      family ? pa_builtin_find(pa_ref(pa_arena_format(inference->arena, "%s.%s", family, name))) : NULL;
  const char *symbol = NULL;
  if (!builtin) PA_TRY(pa_overload_symbol(inference, instance, op, pa_arena_format(inference->arena, "method:%s", name), 0, &symbol));
  if (symbol) return resolve_function(inference, instance, op, pa_ref(symbol), 1, true, out);
  if (!builtin)
    return pa_typing_fail(&typing, family && *family == 'a' ? PA_CODE_UNSUPPORTED : PA_CODE_TYPING,
                          "unknown method '%s' of type %s", name, pa_type_text(inference->arena, object.type));
  return resolve_builtin(inference, instance, op, builtin, 1, true, out);
}

static pa_status resolve_overload(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *name, pa_resolved_call *out) {
  const char *symbol;
  for (intptr_t i = 1; i < inference->given_count; ++i)
    if (pa_is_bottom(pa_fact_get(inference, instance, inference->given[i]))) return PA_OK;
  PA_TRY(pa_overload_symbol(inference, instance, op, name, 1, &symbol));
  if (symbol) return resolve_function(inference, instance, op, pa_ref(symbol), 1, false, out);
  pa_string types = {0};
  for (intptr_t i = 1; i < inference->given_count; ++i) {
    if (i > 1) pa_string_puts(&types, ", ");
    pa_string_puts(&types, pa_type_text(inference->arena, pa_fact_get(inference, instance, inference->given[i]).type));
  }
  const char *text = name + strlen("overload:");
  pa_typing typing = pa_typing_at(inference, op);
  pa_status status = pa_typing_fail(&typing, PA_CODE_TYPING, "no overload of %.*s() is for arguments of types (%s)", (int)strcspn(text, "#"), text,
                                    pa_string_text(&types));
  pa_string_free(&types);
  return status;
}

pa_status pa_resolve_attribute(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_resolved_call *out) {
  *out = (pa_resolved_call){0};
  const char *symbol, *name = pa_attr_text(inference->arena, pa_get_attr(op, "name"));
  PA_TRY(pa_take_operands(inference, instance, op));
  PA_TRY(pa_overload_symbol(inference, instance, op, pa_arena_format(inference->arena, "attribute:%s", name), 0, &symbol));
  return symbol ? resolve_function(inference, instance, op, pa_ref(symbol), 1, true, out) : PA_OK;
}

// A compiled function that Python passed.
static pa_status resolve_passed(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirAttribute number, pa_resolved_call *out) {
  PA_FOR_EACH_OP(function, pa_module_body(inference->module)) {
    MlirAttribute passed = pa_get_attr(function, "pyarray.passed");
    if (mlirAttributeIsNull(passed) || !mlirAttributeEqual(passed, number)) continue;
    return resolve_function(inference, instance, op, mlirStringAttrGetValue(pa_get_attr(function, "sym_name")), 1, false, out);
  }
  pa_typing typing = pa_typing_at(inference, op);
  return pa_typing_fail(&typing, PA_CODE_TYPING, "the function is not known here");
}

static pa_status resolve_call(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_resolved_call *out) {
  *out = (pa_resolved_call){.bottom = true};
  pa_fact callee = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  if (pa_is_bottom(callee)) return PA_OK;
  if (pa_kind(&inference->names, op) == PA_OP_METHOD) return resolve_method(inference, instance, op, out);
  pa_typing typing = pa_typing_at(inference, op);
  if (pa_is_tagged(callee.type, "function"))
    return resolve_function(inference, instance, op, mlirFlatSymbolRefAttrGetValue(pyarrayTaggedTypeGetTag(callee.type)), 1, false, out);
  if (pa_is_tagged(callee.type, "passed")) return resolve_passed(inference, instance, op, pyarrayTaggedTypeGetTag(callee.type), out);
  if (!pyarrayTypeIsCallable(callee.type))
    return pa_typing_fail(&typing, PA_CODE_TYPING, "a value of type %s cannot be called",
                          pa_type_text(inference->arena, callee.type));
  MlirAttribute name = pyarrayCallableTypeGetName(callee.type);
  if (!mlirAttributeIsAString(name))
    return resolve_function(inference, instance, op, mlirFlatSymbolRefAttrGetValue(name), 1, false, out);
  MlirStringRef text = mlirStringAttrGetValue(name);
  const char *host = pa_arena_format(inference->arena, "host.%.*s", (int)text.length, text.data);
  const pa_builtin *builtin = pa_is_device_function(instance->function) ? NULL : pa_builtin_find(pa_ref(host));
  if (!builtin) builtin = pa_builtin_find(text);
  if (!builtin && strncmp(host, "host.overload:", 14) == 0) return resolve_overload(inference, instance, op, host + 5, out);
  if (!builtin)
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED, "%.*s is not compiled yet", (int)text.length, text.data);
  return resolve_builtin(inference, instance, op, builtin, 1, false, out);
}

pa_status pa_resolve_call(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_resolved_call *out) {
  PA_TRY(pa_take_operands(inference, instance, op));
  PA_TRY(resolve_call(inference, instance, op, out));
  out->made_count = inference->made_count;
  pa_made_value *made = PA_NEW_ARRAY(inference->arena, pa_made_value, out->made_count + 1);
  if (out->made_count) memcpy(made, inference->made, out->made_count * sizeof *made);
  return out->made = made, PA_OK;
}

// How many of the innermost, and of the outermost, calls on the way to a failure are named.
enum { PA_CALLS_NAMED = 3 };

// The note of one call; empty for those in the middle of a long way, "... N more" before the first after them.
static const char *call_note(pa_inference *inference, pa_instance *callee, const pa_instance *caller,
                             MlirOperation op) {
  if (inference->notes++ >= PA_CALLS_NAMED && caller->depth >= PA_CALLS_NAMED) return ++inference->notes_left_out, "";
  const char *more = "";
  if (inference->notes_left_out)
    more = pa_arena_format(inference->arena, "\n... %d more calls", inference->notes_left_out);
  inference->notes_left_out = 0;
  pa_location place = pa_source_location(inference->arena, mlirOperationGetLocation(op));
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(callee->function, "sym_name"));
  return pa_arena_format(inference->arena, "%s\nwhile compiling %.*s, called from %s:%d", more, (int)name.length,
                         name.data, place.file ? place.file : "?", place.line);
}

pa_status pa_add_call_site(pa_inference *inference, pa_status status, pa_instance *callee, const pa_instance *caller,
                           MlirOperation op) {
  if (!mlirAttributeIsNull(pa_get_attr(callee->function, "pyarray.no_frame"))) {  // what the user did not write is as if built in
    pa_location place = pa_source_location(inference->arena, mlirOperationGetLocation(op));
    MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(callee->function, "sym_name"));
    pa_status moved = pa_fail(pa_status_code(status), &place, "%.*s(): %s", (int)name.length, name.data, pa_status_message(status));
    return pa_status_free(status), moved;
  }
  const char *note = call_note(inference, callee, caller, op);
  if (!*note) return status;
  const char *message = pa_status_message(status), *hint = strstr(message, "\nhint: ");
  int length = hint ? (int)(hint - message) : (int)strlen(message);
  pa_status longer =
      pa_fail(pa_status_code(status), pa_status_location(status), "%.*s%s%s", length, message, note, hint ? hint : "");
  pa_status_free(status);
  return longer;
}
