// Second phase of pyarray-infer-types: the typed function of an instance, with its attributes.
#include "infer_emit_parts.h"

static bool is_dropped_attribute(MlirStringRef name) {
  static const char *const dropped[] = {
      "sym_name",         "function_type",    "sym_visibility",       "pyarray.instantiate", "pyarray.params",
      "pyarray.kinds",    "pyarray.passed",   "pyarray.defaults",     "pyarray.loops",       "pyarray.literals",
      "pyarray.folds",    "pyarray.identity", "pyarray.with_initial", "pyarray.declared",    "pyarray.known",
      "pyarray.by_value", "pyarray.wanted",   "pyarray.kept_literals"};
  for (size_t i = 0; i < sizeof dropped / sizeof *dropped; ++i)
    if (pa_ref_equal(name, dropped[i])) return true;
  return false;
}

// Parameters of the entry that were left out, whose default is compiled in.
static void note_omitted(pa_instance_emitter *e, MlirOperation function) {
  const pa_instance *instance = e->instance;
  MlirAttribute *omitted = PA_NEW_ARRAY(e->inference->arena, MlirAttribute, instance->argument_count + 1);
  intptr_t count = 0;
  for (intptr_t i = 0; i < instance->argument_count; ++i)
    if (!mlirAttributeIsNull(instance->literals[i])) omitted[count++] = pa_i64_attr(pa_emitter_context(e), i);
  if (count) pa_set_attr(function, "pyarray.omitted", mlirArrayAttrGet(pa_emitter_context(e), count, omitted));
}

// The types that Python sees, where they mean more than their representations.
static void note_signature(pa_instance_emitter *e, MlirOperation function) {
  const pa_instance *instance = e->instance;
  MlirType result = pa_is_bottom(instance->result) ? pyarrayNoneTypeGet(pa_emitter_context(e)) : instance->result.type;
  MlirAttribute signature = mlirTypeAttrGet(
      mlirFunctionTypeGet(pa_emitter_context(e), instance->argument_count, instance->arguments, 1, &result));
  if (!mlirAttributeEqual(signature, pa_get_attr(function, "function_type")))
    pa_set_attr(function, "pyarray.signature", signature);
}

static MlirOperation make_function(pa_instance_emitter *e, MlirType result, MlirRegion region) {
  const pa_instance *instance = e->instance;
  MlirType *arguments = pa_emitter_types(e, instance->argument_count);
  for (intptr_t i = 0; i < instance->argument_count; ++i) arguments[i] = pa_erased_type(instance->arguments[i]);
  MlirType type = mlirFunctionTypeGet(pa_emitter_context(e), instance->argument_count, arguments, 1, &result);
  MlirOperation function = pa_op(e->builder, PA_OP_NAME(FUNC), PA_REGIONS(region),
                                 PA_ATTRS({"sym_name", pa_string_attr(pa_emitter_context(e), instance->name)},
                                          {"function_type", mlirTypeAttrGet(type)}));
  if (mlirOperationIsNull(function)) return function;
  MlirOperation source = instance->function;
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(source); ++i) {
    MlirNamedAttribute named = mlirOperationGetDiscardableAttribute(source, i);
    if (!is_dropped_attribute(mlirIdentifierStr(named.name)))
      mlirOperationSetDiscardableAttributeByName(function, mlirIdentifierStr(named.name), named.attribute);
  }
  const char *key = e->inference->notes_precompiled || !mlirTypeIsNull(instance->precompiled)
                        ? pa_precompiled_key(e->inference, instance)
                        : NULL;
  if (key) pa_set_attr(function, "pyarray.precompiled", pa_string_attr(pa_emitter_context(e), key));
  if (instance->entry) pa_set_attr(function, "pyarray.entry", pa_unit_attr(pa_emitter_context(e)));
  if (instance->entry) note_omitted(e, function);
  if (instance->entry || e->inference->notes_precompiled) note_signature(e, function);
  if (!instance->entry) pa_set_attr(function, "sym_visibility", pa_string_attr(pa_emitter_context(e), "private"));
  return function;
}

pa_status pa_emit_instance(pa_inference *inference, pa_instance *instance) {
  MlirBlock source = pa_body(instance->function, 0), target;
  pa_builder module_builder = {.context = inference->context,
                               .block = pa_module_body(inference->module),
                               .location = mlirOperationGetLocation(instance->function)};
  pa_instance_emitter e = {inference, instance, &module_builder};
  inference->current = instance;
  MlirType *types, result = pa_emitter_type(&e, instance->result);
  if (!mlirTypeIsNull(instance->precompiled)) { // several instances may be one there
    if (mlirOperationIsNull(pa_lookup(inference->module, pa_ref(instance->name))))
      make_function(&e, result, mlirRegionCreate());
    return module_builder.failure;
  }
  MlirRegion region = pa_infer_open_region(&e, source, &target, &types);
  pa_status status = pa_infer_emit_region(&e, source, target, PA_OP_NAME(RETURN), (MlirValue){NULL}, &result, 1);
  make_function(&e, result, region);
  if (!status) return module_builder.failure;
  pa_status_free(module_builder.failure);
  return status;
}
