// operator.itemgetter, attrgetter and methodcaller in pyarray-infer-types: where their arguments are literals, the call
// makes a function of the module that has them in it, so that the elements of a tuple have types of their own.
//
//   %g = pyarray.apply %itemgetter(%one)       func.func @"operator.itemgetter(1)"(%obj) { return getitem %obj[1] }
//                                              %g = pyarray.callable @"operator.itemgetter(1)"
#include <string.h>

#include "infer_calls.h"
#include "ir/library.h"

static const struct {
  const char *name;
  enum { ITEMS, ATTRIBUTES, METHOD } what;
} getters[] = {{"operator.itemgetter", ITEMS}, {"operator.attrgetter", ATTRIBUTES}, {"operator.methodcaller", METHOD}};

static void append_text(MlirStringRef text, void *out) { pa_string_append(out, text.data, text.length); }

// "operator.methodcaller(\"ljust\", 5 : si64)"
static const char *symbol_of(pa_inference *inference, const char *name, intptr_t skip, const MlirAttribute *literals) {
  pa_string text = {0};
  MlirAttribute keywords = inference->keywords;
  pa_string_format(&text, "%s(", name);
  for (intptr_t i = skip; i < inference->given_count; ++i) {
    if (i > skip) pa_string_puts(&text, ", ");
    mlirAttributePrint(literals[i - skip], append_text, &text);
  }
  if (!mlirAttributeIsNull(keywords)) pa_string_puts(&text, " "), mlirAttributePrint(keywords, append_text, &text);
  pa_string_puts(&text, ")");
  const char *copy = pa_arena_copy(inference->arena, pa_string_text(&text), text.length);
  pa_string_free(&text);
  return copy;
}

static MlirValue constant(pa_builder *at, MlirType any, MlirAttribute value) {
  return pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(any), PA_ATTRS({"value", value}));
}

// "a.b": the attribute b of the attribute a.
static MlirValue emit_attributes(pa_inference *inference, pa_builder *at, MlirType any, MlirValue object,
                                 MlirAttribute path) {
  const char *text = pa_attr_text(inference->arena, path);
  while (*text) {
    size_t length = strcspn(text, ".");
    object = pa_value(at, PA_OP_NAME(GETATTR), PA_OPERANDS(object), PA_RESULTS(any),
                      PA_ATTRS({"name", mlirStringAttrGet(inference->context, mlirStringRefCreate(text, length))}));
    text += length + (text[length] == '.');
  }
  return object;
}

static MlirValue emit_result(pa_inference *inference, pa_builder *at, int what, MlirType any, MlirValue object,
                             const MlirAttribute *literals, intptr_t count) {
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  if (what == METHOD) {
    values[0] = object;
    for (intptr_t i = 1; i < count; ++i) values[i] = constant(at, any, literals[i]);
    return pa_value(at, PA_OP_NAME(METHOD), PA_OPERAND_ARRAY(values, count), PA_RESULTS(any),
                    PA_ATTRS({"name", literals[0]}, {"kw", inference->keywords}));
  }
  for (intptr_t i = 0; i < count; ++i)
    values[i] = what == ATTRIBUTES ? emit_attributes(inference, at, any, object, literals[i])
                                   : pa_value(at, PA_OP_NAME(GETITEM),
                                              PA_OPERANDS(object, constant(at, any, literals[i])), PA_RESULTS(any));
  return count == 1 ? values[0] : pa_value(at, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(values, count), PA_RESULTS(any));
}

pa_status pa_add_function(pa_inference *inference, pa_instance *instance, MlirLocation location, const char *symbol,
                          MlirRegion body, int count, const char *const *names, const char *kinds) {
  pa_builder at = {.context = inference->context, .block = pa_module_body(inference->module), .location = location};
  MlirType any = pyarrayAnyTypeGet(inference->context), *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  MlirAttribute *parameters = PA_NEW_ARRAY(inference->arena, MlirAttribute, count + 1);
  for (int i = 0; i < count; ++i) types[i] = any, parameters[i] = pa_string_attr(inference->context, names[i]);
  MlirType type = mlirFunctionTypeGet(inference->context, count, types, 1, &any);
  MlirOperation function = pa_op(
      &at, "func.func", PA_REGIONS(body),
      PA_ATTRS({"sym_name", pa_string_attr(inference->context, symbol)}, {"function_type", mlirTypeAttrGet(type)}));
  if (at.failure) return at.failure;
  pa_set_attr(function, "pyarray.params", mlirArrayAttrGet(inference->context, count, parameters));
  pa_set_attr(function, "pyarray.kinds", pa_string_attr(inference->context, kinds));
  pa_set_attr(function, "pyarray.no_frame", pa_unit_attr(inference->context));
  MlirAttribute options = pa_get_attr(instance->function, "pyarray.options");
  if (!mlirAttributeIsNull(options)) pa_set_attr(function, "pyarray.options", options);
  return PA_OK;
}

static pa_status make_function(pa_inference *inference, pa_instance *instance, MlirOperation op, int what,
                               const char *symbol, const MlirAttribute *literals, intptr_t count) {
  MlirType any = pyarrayAnyTypeGet(inference->context);
  MlirLocation location = mlirOperationGetLocation(op);
  MlirBlock body;
  MlirRegion region = pa_region(location, &any, 1, &body);
  pa_builder inner = {.context = inference->context, .block = body, .location = location};
  MlirValue result = emit_result(inference, &inner, what, any, mlirBlockGetArgument(body, 0), literals, count);
  if (!inner.failure) pa_op(&inner, PA_OP_NAME(RETURN), PA_OPERANDS(result));
  pa_status failure =
      pa_add_function(inference, instance, location, symbol, region, 1, (const char *const[]){"obj"}, "o");
  return pa_status_join(inner.failure, failure);
}

static pa_status check_arguments(const pa_typing *typing, const char *name, int what, const MlirAttribute *literals,
                                 intptr_t count) {
  if (!count)
    return pa_typing_fail(typing, PA_CODE_TYPING,
                          what == METHOD ? "%s needs at least one argument, the method name"
                                         : "%s expected at least 1 argument, got 0",
                          strchr(name, '.') + 1);
  for (intptr_t i = 0; what != ITEMS && i < (what == METHOD ? 1 : count); ++i)
    if (!mlirAttributeIsNull(literals[i]) && !mlirAttributeIsAString(literals[i]))
      return pa_typing_fail(typing, PA_CODE_TYPING,
                            what == METHOD ? "method name must be a string" : "attribute name must be a string");
  return PA_OK;
}

pa_status pa_resolve_getter(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                            intptr_t skip, MlirType *out_function) {
  pa_typing typing = pa_typing_at(inference, op);
  *out_function = (MlirType){NULL};
  for (size_t k = 0; k < sizeof getters / sizeof *getters; ++k) {
    if (strcmp(builtin->name, getters[k].name) != 0) continue;
    intptr_t count = inference->given_count - skip;
    MlirAttribute *literals = PA_NEW_ARRAY(inference->arena, MlirAttribute, count + 1);
    bool known = true;
    for (intptr_t i = 0; i < count; ++i) {
      literals[i] = pa_fact_get(inference, instance, inference->given[skip + i]).literal;
      known = known && !mlirAttributeIsNull(literals[i]);
    }
    PA_TRY(check_arguments(&typing, builtin->name, getters[k].what, literals, count));
    if (!known && getters[k].what == ITEMS) return PA_OK;
    if (!known)
      return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED,
                            "the arguments of %s() must be known when the function is compiled\nhint: write a lambda",
                            builtin->name);
    const char *symbol = symbol_of(inference, builtin->name, skip, literals);
    if (mlirOperationIsNull(pa_lookup(inference->module, pa_ref(symbol))))
      PA_TRY(make_function(inference, instance, op, getters[k].what, symbol, literals, count));
    return *out_function = pyarrayCallableTypeGet(pa_symbol_attr(inference->context, symbol)), PA_OK;
  }
  return PA_OK;
}
