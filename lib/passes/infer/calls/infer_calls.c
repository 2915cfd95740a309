// Calls in pyarray-infer-types: which builtin, method or compiled function is meant, and its arguments in the order of
// the parameters.
#include <stdlib.h>
#include <string.h>

#include "infer_array_views.h"
#include "infer_calls.h"
#include "infer_parameters.h"
#include "ir/classes.h"
#include "ir/library.h"

//===-- Calls -------------------------------------------------------------------------------------===//

static pa_status resolve_as(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirStringRef symbol,
                            const char *shown, intptr_t skip, bool self, pa_resolved_call *out);
static pa_status resolve_function(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                  MlirStringRef symbol, intptr_t skip, bool self, pa_resolved_call *out);

static void take_displays(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                          intptr_t skip) {
  inference->text_dtype = mlirAttributeGetNull();
  for (intptr_t k = skip; k < inference->given_count; ++k)
    if (pa_reads_display(pa_ref(builtin->name), k - skip))
      inference->text_dtype = pa_text_dtype_of_display(inference, instance, inference->given[k]),
      inference->given[k] = pa_make_displayed(inference, instance, op, inference->given[k]);
}

static pa_status resolve_row(pa_inference *inference, pa_instance *instance, MlirOperation op,
                             const pa_builtin *builtin, intptr_t skip, bool self, pa_resolved_call *out) {
  if (inference->given_count > skip)
    builtin = inference->forward->text_builtin(builtin, pa_fact_get(inference, instance, inference->given[skip]).type);
  PA_TRY(inference->forward->take_iterators(inference, instance, op, builtin, skip, &out->bottom));
  if (!out->bottom) PA_TRY(inference->forward->take_numbers(inference, instance, op, builtin, skip, &out->bottom));
  if (out->bottom) return PA_OK;
  struct pa_elementwise *elementwise;
  MlirType result;
  PA_TRY(inference->forward->plan_elementwise_call(inference, instance, op, builtin, skip, &elementwise, &result,
                                                   &out->bottom));
  if (out->bottom) return PA_OK;
  if (elementwise) return *out = (pa_resolved_call){.plan = {.result = result}, .elementwise = elementwise}, PA_OK;
  bool reduces;
  PA_TRY(inference->forward->resolve_reduction(inference, instance, op, builtin, skip, self, out, &reduces));
  if (reduces) return PA_OK;
  pa_array_view *view;
  PA_TRY(pa_plan_array_view(inference, instance, op, builtin, skip, self, &view, &out->bottom));
  if (out->bottom) return PA_OK;
  if (view) return *out = (pa_resolved_call){.plan = {.result = view->result}, .view = view}, PA_OK;
  MlirType getter;
  PA_TRY(pa_resolve_getter(inference, instance, op, builtin, skip, &getter));
  if (!mlirTypeIsNull(getter))
    return *out =
               (pa_resolved_call){
                   .plan = {.kind = PA_PLAN_LITERAL, .result = getter, .literal = mlirTypeAttrGet(getter)}},
           PA_OK;
  take_displays(inference, instance, op, builtin, skip);
  const char *function = pa_library_variant(inference, instance, builtin, skip);
  if (!function && inference->given_count > skip)
    function = inference->forward->text_function(inference, builtin->name,
                                                 pa_fact_get(inference, instance, inference->given[skip]).type);
  // A function of the library tells of itself by the name that the user wrote.
  if (function)
    return resolve_as(inference, instance, op, pa_ref(function),
                      strncmp(function, "numpy.", 6) ? function : builtin->name, skip, self, out);
  PA_TRY(inference->forward->take_texts(inference, instance, op, builtin->name, skip, &out->bottom));
  PA_TRY(inference->forward->take_buffers(inference, instance, op, builtin, skip, self, &out->bottom));
  if (out->bottom) return PA_OK;
  pa_parameter parameters[8];
  bool variadic = strncmp(builtin->parameters, "...", 3) == 0;
  const char *named = builtin->parameters + (variadic ? builtin->parameters[3] == ',' ? 4 : 3 : 0);
  int count = pa_parse_parameters(named, parameters, 8);
  pa_typing typing = pa_typing_at(inference, op);
  PA_TRY(pa_check_target(&typing, builtin, pa_is_device_function(instance->function)));
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + inference->given_count + 1);
  if (variadic)
    PA_TRY(pa_bind_any_number(inference, op, builtin->name, parameters, count, skip, self, values, &count));
  else
    PA_TRY(pa_bind_arguments(inference, op, builtin->name, parameters, count, skip, self, values));
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  *out = (pa_resolved_call){.arguments = values, .count = count};
  for (int i = 0; i < count; ++i) {
    if (mlirValueIsNull(values[i])) continue;
    facts[i] = pa_fact_get(inference, instance, values[i]);
    if (pa_is_bottom(facts[i])) return out->bottom = true, PA_OK;
  }
  if (builtin->typing == PA_TYPING_PRODUCT) {
    PA_TRY(inference->forward->plan_product(inference, instance, op, builtin, values, count, &out->product,
                                            &out->plan.result));
    if (out->product) return PA_OK;
    return resolve_as(inference, instance, op, pa_ref("numpy.products.scaled"), builtin->name, skip, self, out);
  }
  return pa_type_builtin(&typing, builtin, facts, count, &out->plan);
}

static pa_status resolve_builtin(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                 const pa_builtin *builtin, intptr_t skip, bool self, pa_resolved_call *out) {
  bool typed = pa_makes_typed(builtin);
  PA_TRY(resolve_row(inference, instance, op,
                     builtin->lowering == PA_LOWERING_TYPED ? pa_builtin_find(pa_ref(builtin->target)) : builtin, skip,
                     self, out));
  out->typed = typed;
  bool asks = builtin->typing == PA_TYPING_LITERALLY && !out->bottom && mlirAttributeIsNull(out->plan.literal);
  if (!asks || !pa_demand_literal(inference, instance, out->arguments[0])) return PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  return pa_typing_fail(
      &typing, PA_CODE_TYPING,
      "literally(): the value must be known when the function is compiled\nhint: write it as a literal");
}

// "f" of "module.f.intrinsic0".
static const char *intrinsic_name(pa_inference *inference, MlirStringRef symbol) {
  char *name = pa_arena_copy(inference->arena, symbol.data, symbol.length), *end = strstr(name, ".intrinsic");
  if (end) *end = '\0';
  char *dot = strrchr(name, '.');
  return dot ? dot + 1 : name;
}

// A user's intrinsic: arguments are cast to the types that it declares.
static pa_status resolve_intrinsic(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                   MlirOperation function, intptr_t skip, pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(function, "pyarray.intrinsic"));
  int count = (int)(inference->given_count - skip);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  pa_call_plan *plan = &out->plan;
  *out = (pa_resolved_call){.arguments = values, .count = count};
  *plan = (pa_call_plan){.kind = PA_PLAN_BUILTIN,
                         .builtin = pa_builtin_find(pa_ref("pyarray.intrinsic")),
                         .operand_count = count,
                         .result = mlirFunctionTypeGetResult(type, 0),
                         .sources = PA_NEW_ARRAY(inference->arena, pa_source, count + 1),
                         .operands = PA_NEW_ARRAY(inference->arena, MlirType, count + 1)};
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  plan->callee = mlirFlatSymbolRefAttrGet(inference->context, name);
  for (int i = 0; i < count; ++i) {
    values[i] = inference->given[skip + i];
    plan->sources[i] = (pa_source){i, -1, {NULL}};
    plan->operands[i] = mlirFunctionTypeGetInput(type, i);
    PA_TRY(pa_check_castable(
        &typing, pa_fact_get(inference, instance, values[i]).type, plan->operands[i],
        pa_arena_format(inference->arena, "argument %d of %s()", i + 1, intrinsic_name(inference, name))));
  }
  return PA_OK;
}

static bool is_told(pa_fact fact) {
  int64_t value;
  return pa_literal_int(fact, &value) || (pyarrayTypeIsStr(fact.type) && !mlirAttributeIsNull(fact.literal));
}

// Of the module, or of the Python library, whose function comes into the module when it is first called.
static MlirOperation find_function(pa_inference *inference, MlirStringRef symbol) {
  const void *key = mlirStringAttrGet(inference->context, symbol).ptr;
  MlirOperation function = {pa_map_get(&inference->functions, key)};
  if (!mlirOperationIsNull(function)) return function;
  function = pa_library_function(inference->module, symbol);
  if (mlirOperationIsNull(function)) return function;
  return pa_map_put(inference->arena, &inference->functions, key, function.ptr), function;
}

// |shown| is the name of the function in messages.
static pa_status resolve_as(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirStringRef symbol,
                            const char *shown, intptr_t skip, bool self, pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirOperation function = find_function(inference, symbol);
  if (mlirOperationIsNull(function))
    return pa_typing_fail(&typing, PA_CODE_INVALID, "the module has no function @%.*s", (int)symbol.length,
                          symbol.data);
  if (!mlirAttributeIsNull(pa_get_attr(function, "pyarray.intrinsic")))
    return resolve_intrinsic(inference, instance, op, function, skip, out);
  if (!mlirAttributeIsNull(pa_get_attr(function, "pyarray.ufunc")))
    return inference->forward->resolve_ufunc(inference, instance, op, function, out);
  const pa_parameter *parameters;
  int count = (int)pa_function_parameters(inference, function, &parameters);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  MlirAttribute *constants = PA_NEW_ARRAY(inference->arena, MlirAttribute, count + 1);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  PA_TRY(pa_bind_arguments(inference, op, shown, parameters, count, skip, self, values));
  *out = (pa_resolved_call){.arguments = values, .constants = constants, .count = count};
  MlirAttribute text_dtype = inference->text_dtype; // of the first argument of a function of NumPy
  inference->text_dtype = mlirAttributeGetNull();
  for (int i = 0; i < count; ++i) {
    constants[i] = parameters[i].otherwise;
    if (!mlirAttributeIsNull(text_dtype) && parameters[i].length == 5 && memcmp(parameters[i].name, "dtype", 5) == 0)
      constants[i] = text_dtype;
    facts[i] = mlirValueIsNull(values[i]) ? pa_literal_fact(inference->context, constants[i])
                                          : pa_fact_get(inference, instance, values[i]);
    if (pa_is_bottom(facts[i])) return out->bottom = true, PA_OK;
    bool misses = pa_takes_literal(function, i) && !is_told(facts[i]);
    bool lets = !pa_is_library_function(function) || !pa_is_library_function(instance->function);
    if (misses && !mlirValueIsNull(values[i]) && lets) pa_demand_literal(inference, instance, values[i]);
    if (misses)
      return pa_typing_fail(&typing, PA_CODE_TYPING,
                            "%s(): '%.*s' must be known when the function is compiled\nhint: write it as a literal",
                            shown, (int)parameters[i].length, parameters[i].name);
  }
  MlirType declared;
  PA_TRY(pa_fit_to_declared(&typing, function, shown, facts, count, &declared));
  out->instance = pa_instance_get(inference, function, facts, count);
  if (!mlirTypeIsNull(declared)) out->instance->declared = declared;
  return PA_OK;
}

static pa_status resolve_function(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                  MlirStringRef symbol, intptr_t skip, bool self, pa_resolved_call *out) {
  const char *shown = pa_arena_copy(inference->arena, symbol.data, symbol.length);
  return resolve_as(inference, instance, op, symbol, shown, skip, self, out);
}

pa_status pa_resolve_function(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirStringRef symbol,
                              pa_resolved_call *out) {
  *out = (pa_resolved_call){.bottom = true};
  return resolve_function(inference, instance, op, symbol, 0, false, out);
}

// Methods that take no instance have no parameter of that name.
static bool takes_instance(const pa_builtin *builtin) {
  if (builtin->lowering == PA_LOWERING_LIBRARY) return strcmp(builtin->parameters, "static") != 0;
  return strncmp(builtin->parameters, "self", 4) == 0 || strncmp(builtin->parameters, "...", 3) == 0;
}

// "float" of builtins.float
static const char *name_of_class(pa_inference *inference, MlirType class) {
  const char *name = pa_attr_text(inference->arena, pyarrayCallableTypeGetName(class));
  return strrchr(name, '.') + 1;
}

// list.append(xs, 1): the first argument is of that class.
static pa_status check_object(pa_inference *inference, pa_instance *instance, const pa_typing *typing, MlirType class,
                              const char *family, const char *method) {
  MlirType type =
      inference->given_count > 1 ? pa_fact_get(inference, instance, inference->given[1]).type : (MlirType){NULL};
  const char *name = name_of_class(inference, class);
  if (mlirTypeIsNull(type))
    return inference->given_count > 1
               ? PA_OK
               : pa_typing_fail(typing, PA_CODE_TYPING, "unbound method %s.%s() needs an argument", name, method);
  if (pa_has_plain_item(type)) type = pyarrayTaggedTypeGetItem(type);
  if (pyarrayTypeIsOptional(type)) type = pyarrayTypeGetItem(type);
  pa_scalar scalar = pa_scalar_of(type);
  const char *own = pa_method_family(type), *number = scalar == PA_BOOL || pa_is_integer(scalar) ? "int"
                                                      : pa_is_float(scalar)                      ? "float"
                                                                                                 : "complex";
  bool fits = own && strcmp(own, "number") == 0 ? strcmp(number, name) == 0 : own && strcmp(own, family) == 0;
  if (fits) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING, "descriptor '%s' for '%s' objects doesn't apply to a value of type %s",
                        method, name, pa_type_text(inference->arena, type));
}

// x.max() of a number: NumPy's have the methods of arrays. Null where there is none of that name.
static pa_status take_number(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirType type,
                             const char *name, const pa_builtin **out_builtin, bool *out_bottom) {
  if (pa_scalar_of(type) == PA_NOT_SCALAR || !pa_is_numpy_method(name) || pa_is_device_function(instance->function))
    return PA_OK;
  const pa_builtin *builtin = pa_builtin_find(pa_ref(pa_arena_format(inference->arena, "array.%s", name)));
  if (!builtin) return PA_OK;
  PA_TRY(pa_make_call(inference, instance, op, "numpy.arrays.as_operand", inference->given[0], &inference->given[0]));
  *out_bottom = pa_is_bottom(pa_fact_get(inference, instance, inference->given[0]));
  return *out_builtin = builtin, PA_OK;
}

static pa_status resolve_method(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)), attribute;
  const char *name = pa_attr_text(inference->arena, pa_get_attr(op, "name"));
  if (pa_dtype_attribute(&typing, object, name, &attribute) &&
      pyarrayTypeIsCallable(attribute.type)) { // a.dtype.type(x)
    const pa_builtin *class = pa_builtin_find(mlirStringAttrGetValue(pyarrayCallableTypeGetName(attribute.type)));
    if (class) return resolve_builtin(inference, instance, op, class, 1, false, out);
  }
  const char *class = pa_class_family(inference, object.type, name), *family = class, *symbol = NULL;
  const pa_builtin *builtin = class ? pa_builtin_find(pa_ref(pa_arena_format(inference->arena, "%s.%s", class, name)))
                                    : pa_method_of_type(inference, object.type, name, &family);
  if (!builtin)
    PA_TRY(
        pa_overload_symbol(inference, instance, op, pa_arena_format(inference->arena, "method:%s", name), 0, &symbol));
  if (symbol) return resolve_function(inference, instance, op, pa_ref(symbol), 1, true, out);
  const char *special = builtin || !family ? NULL : pa_special_function(name);
  if (special && class) PA_TRY(check_object(inference, instance, &typing, object.type, class, name));
  if (special) return resolve_function(inference, instance, op, pa_ref(special), class != NULL, false, out);
  bool bottom = false, number = !builtin;
  if (!builtin) PA_TRY(take_number(inference, instance, op, object.type, name, &builtin, &bottom));
  if (bottom) return PA_OK;
  if (number && builtin) return resolve_builtin(inference, instance, op, builtin, 1, true, out);
  if (!builtin && pyarrayTypeIsArray(object.type) && pa_is_numpy_method(name))
    return pa_typing_fail(
        &typing, PA_CODE_UNSUPPORTED,
        "method '%s' of whole arrays (%s) is not compiled yet\nhint: loop over the elements, or call it outside", name,
        pa_type_text(inference->arena, object.type));
  if (!builtin)
    return pa_typing_fail(&typing, family && *family == 'a' ? PA_CODE_UNSUPPORTED : PA_CODE_TYPING,
                          "unknown method '%s' of type %s", name, pa_type_text(inference->arena, object.type));
  if (class && takes_instance(builtin)) PA_TRY(check_object(inference, instance, &typing, object.type, class, name));
  return resolve_builtin(inference, instance, op, builtin, 1, !class && takes_instance(builtin), out);
}

static pa_status resolve_overload(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *name,
                                  pa_resolved_call *out) {
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
  pa_status status = pa_typing_fail(&typing, PA_CODE_TYPING, "no overload of %.*s() is for arguments of types (%s)",
                                    (int)strcspn(text, "#"), text, pa_string_text(&types));
  pa_string_free(&types);
  return status;
}

pa_status pa_resolve_attribute(pa_inference *inference, pa_instance *instance, MlirOperation op,
                               pa_resolved_call *out) {
  *out = (pa_resolved_call){0};
  const char *symbol, *name = pa_attr_text(inference->arena, pa_get_attr(op, "name"));
  PA_TRY(pa_take_operands(inference, instance, op));
  PA_TRY(
      pa_overload_symbol(inference, instance, op, pa_arena_format(inference->arena, "attribute:%s", name), 0, &symbol));
  return symbol ? resolve_function(inference, instance, op, pa_ref(symbol), 1, true, out) : PA_OK;
}

// A compiled function that Python passed.
static pa_status resolve_passed(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirAttribute number,
                                pa_resolved_call *out) {
  PA_FOR_EACH_OP(function, pa_module_body(inference->module)) {
    MlirAttribute passed = pa_get_attr(function, "pyarray.passed");
    if (mlirAttributeIsNull(passed) || !mlirAttributeEqual(passed, number)) continue;
    return resolve_function(inference, instance, op, mlirStringAttrGetValue(pa_get_attr(function, "sym_name")), 1,
                            false, out);
  }
  pa_typing typing = pa_typing_at(inference, op);
  return pa_typing_fail(&typing, PA_CODE_TYPING, "the function is not known here");
}

// What the function gives that |symbol| names.
static pa_status make_default(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirAttribute symbol,
                              MlirValue *out_value) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(symbol);
  return pa_make_call(inference, instance, op, pa_arena_copy(inference->arena, name.data, name.length),
                      (MlirValue){NULL}, out_value);
}

// A named tuple of the arguments, or the member of an enum that has a value.
static pa_status resolve_named(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirAttribute class,
                               MlirType callee, pa_resolved_call *out) {
  MlirAttribute new = mlirDictionaryAttrGetElementByName(class, pa_ref("new")),
                fields = mlirDictionaryAttrGetElementByName(class, pa_ref("fields"));
  if (!mlirAttributeIsNull(new))
    return resolve_function(inference, instance, op, mlirFlatSymbolRefAttrGetValue(new), 1, false, out);
  if (mlirAttributeIsNull(fields)) {
    pa_typing typing = pa_typing_at(inference, op);
    MlirStringRef short_name = pa_class_short_name(pa_class_name_of(callee));
    return pa_typing_fail(&typing, PA_CODE_TYPING,
                          "%.*s() of a value: the values of its members have several types\nhint: name the member, or "
                          "look it up by its name: %.*s[name]",
                          (int)short_name.length, short_name.data, (int)short_name.length, short_name.data);
  }
  MlirAttribute defaults = mlirDictionaryAttrGetElementByName(class, pa_ref("defaults"));
  int count = (int)mlirArrayAttrGetNumElements(fields), required = count - (int)mlirArrayAttrGetNumElements(defaults);
  pa_parameter *parameters = PA_NEW_ARRAY(inference->arena, pa_parameter, count + 1);
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  for (int i = 0; i < count; ++i) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(fields, i));
    parameters[i] = (pa_parameter){.name = name.data, .length = name.length};
    if (i >= required) parameters[i].otherwise = mlirArrayAttrGetElement(defaults, i - required);
    parameters[i].optional = i >= required && !pyarrayAttributeIsOpaque(parameters[i].otherwise);
  }
  MlirStringRef short_name = pa_class_short_name(pa_class_name_of(callee));
  PA_TRY(pa_bind_arguments(inference, op, pa_arena_copy(inference->arena, short_name.data, short_name.length),
                           parameters, count, 1, false, values));
  *out =
      (pa_resolved_call){.arguments = values, .count = count, .plan = {.kind = PA_PLAN_TUPLE, .operand_count = count}};
  out->plan.sources = PA_NEW_ARRAY(inference->arena, pa_source, count + 1);
  out->plan.operands = types;
  for (int i = 0; i < count; ++i) {
    bool computed = mlirValueIsNull(values[i]) && mlirAttributeIsAFlatSymbolRef(parameters[i].otherwise);
    if (computed) PA_TRY(make_default(inference, instance, op, parameters[i].otherwise, &values[i]));
    bool given = !mlirValueIsNull(values[i]);
    pa_fact fact = given ? pa_fact_get(inference, instance, values[i])
                         : pa_literal_fact(inference->context, parameters[i].otherwise);
    if (pa_is_bottom(fact)) return out->bottom = true, PA_OK;
    out->plan.sources[i] = (pa_source){given ? i : -1, -1, parameters[i].otherwise};
    types[i] = fact.type;
  }
  MlirAttribute tag = pyarrayCallableTypeGetName(callee);
  return out->plan.result =
             pyarrayTaggedTypeGet(pa_named_kind(class), tag, mlirTupleTypeGet(inference->context, count, types)),
         PA_OK;
}

// The call of a native function, by its address, or of a block of objmode.
static pa_status resolve_native(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *call,
                                pa_resolved_call *out) {
  pa_typing typing = pa_typing_at(inference, op);
  int count = (int)inference->given_count;
  MlirAttribute keywords = inference->keywords;
  if (pa_is_device_function(instance->function))
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED,
                          "native functions, values of a FunctionType and objmode blocks do not run on a GPU");
  if (!mlirAttributeIsNull(keywords) && mlirArrayAttrGetNumElements(keywords))
    return pa_typing_fail(&typing, PA_CODE_TYPING, "%s takes no arguments by name",
                          strcmp(call, "pyarray.function_call") ? "a C function" : "a value of a FunctionType");
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  *out = (pa_resolved_call){.arguments = values, .count = count};
  for (int i = 0; i < count; ++i) {
    values[i] = inference->given[i];
    facts[i] = pa_fact_get(inference, instance, values[i]);
    if (pa_is_bottom(facts[i])) return out->bottom = true, PA_OK;
  }
  return pa_type_builtin(&typing, pa_builtin_find(pa_ref(call)), facts, count, &out->plan);
}

static pa_status resolve_call(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_resolved_call *out) {
  *out = (pa_resolved_call){.bottom = true};
  pa_fact callee = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  if (pa_is_bottom(callee)) return PA_OK;
  if (pa_kind(&inference->names, op) == PA_OP_METHOD) return resolve_method(inference, instance, op, out);
  pa_typing typing = pa_typing_at(inference, op);
  if (pa_is_tagged(callee.type, "function"))
    return resolve_function(inference, instance, op,
                            mlirFlatSymbolRefAttrGetValue(pyarrayTaggedTypeGetTag(callee.type)), 1, false, out);
  if (pa_is_tagged(callee.type, "passed"))
    return resolve_passed(inference, instance, op, pyarrayTaggedTypeGetTag(callee.type), out);
  if (pa_is_tagged(callee.type, "c function")) return resolve_native(inference, instance, op, "pyarray.c_call", out);
  if (pa_is_tagged(callee.type, "function value"))
    return resolve_native(inference, instance, op, "pyarray.function_call", out);
  if (pa_is_tagged(callee.type, "objmode")) return resolve_native(inference, instance, op, "pyarray.objmode_call", out);
  if (!pyarrayTypeIsCallable(callee.type))
    return pa_typing_fail(&typing, PA_CODE_TYPING, "a value of type %s cannot be called",
                          pa_type_text(inference->arena, callee.type));
  MlirAttribute name = pyarrayCallableTypeGetName(callee.type);
  if (!mlirAttributeIsAString(name))
    return resolve_function(inference, instance, op, mlirFlatSymbolRefAttrGetValue(name), 1, false, out);
  MlirStringRef text = mlirStringAttrGetValue(name);
  MlirAttribute named = pa_named_find(inference->module, text);
  if (!mlirAttributeIsNull(named)) return resolve_named(inference, instance, op, named, callee.type, out);
  const char *host = pa_arena_format(inference->arena, "host.%.*s", (int)text.length, text.data);
  const pa_builtin *builtin = pa_is_device_function(instance->function) ? NULL : pa_builtin_find(pa_ref(host));
  if (!builtin) builtin = pa_builtin_find(text);
  if (!builtin && strncmp(host, "host.overload:", 14) == 0)
    return resolve_overload(inference, instance, op, host + 5, out);
  if (!builtin)
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED, "%.*s is not compiled yet", (int)text.length, text.data);
  return resolve_builtin(inference, instance, op, builtin, 1, false, out);
}

static void keep_made(pa_inference *inference, pa_resolved_call *out) {
  out->made_count = inference->made_count;
  pa_made_value *made = PA_NEW_ARRAY(inference->arena, pa_made_value, out->made_count + 1);
  if (out->made_count) memcpy(made, inference->made, out->made_count * sizeof *made);
  out->made = made;
}

pa_status pa_resolve_call(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_resolved_call *out) {
  const pa_resolved_call *kept = pa_kept_plan(inference, instance, &instance->call_plans, op);
  if (kept) return *out = *kept, PA_OK;
  PA_TRY(pa_take_operands(inference, instance, op));
  PA_TRY(resolve_call(inference, instance, op, out));
  keep_made(inference, out);
  if (out->bottom || inference->emitting) return PA_OK;
  pa_resolved_call *plan = pa_plan_before(&instance->call_plans, op); // overwritten: who asked for it has a copy
  if (!plan) plan = PA_NEW(inference->arena, pa_resolved_call);
  *plan = *out;
  return pa_keep_plan(inference, instance, &instance->call_plans, op, plan), PA_OK;
}

pa_status pa_resolve_extension(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_is,
                               pa_resolved_call *out) {
  pa_fact lhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)),
          rhs = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1));
  pa_typing typing = pa_typing_at(inference, op);
  *out = (pa_resolved_call){.bottom = true};
  PA_TRY(pa_type_extension(&typing, op, lhs, rhs, pa_has_own_iterator(inference, rhs.type), out_is));
  if (!*out_is) return PA_OK;
  PA_TRY(pa_take_operands(inference, instance, op));
  const pa_builtin *extend = pa_builtin_find(pa_ref(pa_container_of(lhs.type) == PA_DEQUE ? "deque.extend"
                                                    : pyarrayTypeIsDict(lhs.type)         ? "dict.update"
                                                                                          : "list.extend"));
  PA_TRY(resolve_builtin(inference, instance, op, extend, 1, true, out));
  return keep_made(inference, out), PA_OK;
}

bool pa_makes_typed(const pa_builtin *builtin) { return strncmp(builtin->name, "pyarray.typed.", 14) == 0; }
