// Calls in pyarray-infer-types: which builtin, method or compiled function is meant, and its arguments in the order of
// the parameters.
#include <stdlib.h>
#include <string.h>

#include "infer_internal.h"

//===-- Calls -------------------------------------------------------------------------------------===//

typedef struct parameter {
  const char *name;
  size_t length;
  bool optional, by_name;
  MlirAttribute otherwise;
} parameter;

// "x,base=" to parameters; "*base=" is given by its name only; "@" is no function. Returns the number, or -1 for "...": any number of
// positional arguments.
static int parse_parameters(const char *text, parameter *out, int capacity) {
  if (strcmp(text, "...") == 0) return -1;
  if (strcmp(text, "@") == 0) return 0;
  int count = 0;
  while (*text && count < capacity) {
    bool by_name = *text == '*';
    text += by_name;
    size_t length = strcspn(text, ",");
    bool optional = length && text[length - 1] == '=';
    out[count++] = (parameter){text, length - optional, optional, by_name, {NULL}};
    text += length + (text[length] == ',');
  }
  return count;
}

static intptr_t function_parameters(pa_inference *inference, MlirOperation function, parameter **out) {
  MlirAttribute names = pa_get_attr(function, "pyarray.params"), defaults = pa_get_attr(function, "pyarray.defaults");
  intptr_t count = mlirBlockGetNumArguments(pa_body(function, 0));
  intptr_t optional = mlirAttributeIsNull(defaults) ? 0 : mlirArrayAttrGetNumElements(defaults);
  *out = PA_NEW_ARRAY(inference->arena, parameter, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    (*out)[i].name = "";
    if (!mlirAttributeIsNull(names) && i < mlirArrayAttrGetNumElements(names)) {
      (*out)[i].name = pa_attr_text(inference->arena, mlirArrayAttrGetElement(names, i));
      (*out)[i].length = strlen((*out)[i].name);
    }
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
  intptr_t total = mlirOperationGetNumOperands(op) - skip, first = self ? 1 : 0;
  intptr_t keyword_count = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords);
  intptr_t positional = total - keyword_count;
  int most = 0;
  while (most < count && !parameters[most].by_name) ++most;
  if (first + positional > most)
    return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() takes %d argument%s but %d %s given", callee, most,
                          most == 1 ? "" : "s", (int)(first + positional), first + positional == 1 ? "was" : "were");
  if (self) out_values[0] = mlirOperationGetOperand(op, 0);
  for (intptr_t i = 0; i < positional; ++i) out_values[first + i] = mlirOperationGetOperand(op, skip + i);
  for (intptr_t k = 0; k < keyword_count; ++k) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k));
    int i = 0;
    while (i < count &&
           !(parameters[i].length == name.length && memcmp(parameters[i].name, name.data, name.length) == 0))
      ++i;
    if (i == count)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() got an unexpected keyword argument '%.*s'", callee,
                            (int)name.length, name.data);
    if (!mlirValueIsNull(out_values[i]))
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() got multiple values for argument '%.*s'", callee,
                            (int)name.length, name.data);
    out_values[i] = mlirOperationGetOperand(op, skip + positional + k);
  }
  for (int i = 0; i < count; ++i)
    if (mlirValueIsNull(out_values[i]) && !parameters[i].optional)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() missing a required argument: '%.*s'", callee,
                            (int)parameters[i].length, parameters[i].name);
  return PA_OK;
}

static pa_status resolve_builtin(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                 const pa_builtin *builtin, intptr_t skip, bool self, pa_resolved_call *out) {
  parameter parameters[8];
  int count = parse_parameters(builtin->parameters, parameters, 8);
  bool variadic = count < 0;
  if (variadic) count = (int)(mlirOperationGetNumOperands(op) - skip);
  pa_typing typing = pa_typing_at(inference, op);
  PA_TRY(pa_check_target(&typing, builtin, pa_is_device_function(instance->function)));
  MlirAttribute keywords = pa_get_attr(op, "kw");
  if (variadic && !mlirAttributeIsNull(keywords) && mlirArrayAttrGetNumElements(keywords))
    return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() takes no keyword arguments", builtin->name);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  if (variadic)
    for (int i = 0; i < count; ++i) values[i] = mlirOperationGetOperand(op, skip + i);
  else
    PA_TRY(bind(inference, op, builtin->name, parameters, count, skip, self, values));
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

static pa_status resolve_function(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                  MlirStringRef symbol, pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirOperation function = pa_lookup(inference->module, symbol);
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
  PA_TRY(bind(inference, op, name, parameters, count, 1, false, values));
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

static pa_status resolve_method(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  const char *name = pa_attr_text(inference->arena, pa_get_attr(op, "name"));
  const char *family = pyarrayTypeIsArray(object.type)              ? "array"
                       : pa_scalar_of(object.type) != PA_NOT_SCALAR ? "number"
                       : pa_is_time(object.type)                    ? "time"
                                                                    : NULL;
  const pa_builtin *builtin =
      family ? pa_builtin_find(pa_ref(pa_arena_format(inference->arena, "%s.%s", family, name))) : NULL;
  if (!builtin)
    return pa_typing_fail(&typing, family && *family == 'a' ? PA_CODE_UNSUPPORTED : PA_CODE_TYPING,
                          "unknown method '%s' of type %s", name, pa_type_text(inference->arena, object.type));
  return resolve_builtin(inference, instance, op, builtin, 1, true, out);
}

pa_status pa_resolve_call(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_resolved_call *out) {
  *out = (pa_resolved_call){.bottom = true};
  pa_fact callee = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  if (pa_is_bottom(callee)) return PA_OK;
  if (pa_kind(&inference->names, op) == PA_OP_METHOD) return resolve_method(inference, instance, op, out);
  pa_typing typing = pa_typing_at(inference, op);
  if (!pyarrayTypeIsCallable(callee.type))
    return pa_typing_fail(&typing, PA_CODE_TYPING, "a value of type %s cannot be called",
                          pa_type_text(inference->arena, callee.type));
  MlirAttribute name = pyarrayCallableTypeGetName(callee.type);
  if (!mlirAttributeIsAString(name))
    return resolve_function(inference, instance, op, mlirFlatSymbolRefAttrGetValue(name), out);
  const pa_builtin *builtin = pa_builtin_find(mlirStringAttrGetValue(name));
  MlirStringRef text = mlirStringAttrGetValue(name);
  if (!builtin)
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED, "%.*s is not compiled yet", (int)text.length, text.data);
  return resolve_builtin(inference, instance, op, builtin, 1, false, out);
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
  const char *note = call_note(inference, callee, caller, op);
  if (!*note) return status;
  const char *message = pa_status_message(status), *hint = strstr(message, "\nhint: ");
  int length = hint ? (int)(hint - message) : (int)strlen(message);
  pa_status longer =
      pa_fail(pa_status_code(status), pa_status_location(status), "%.*s%s%s", length, message, note, hint ? hint : "");
  pa_status_free(status);
  return longer;
}
