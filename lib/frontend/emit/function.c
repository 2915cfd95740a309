// One function: func.func, its attributes, and the emission of its body.
//
//   def scale(x, by=2.0): ...      func.func @scale(%x, %by) -> !pyarray.any
//                                    pyarray.params = ["x", "by"], pyarray.defaults = [2.0 : f64]
#include <Python.h>

#include <stdio.h>
#include <stdlib.h>

#include "emit.h"

//===-- Defaults ----------------------------------------------------------------------------------===//

// The type of a builtin, as an attribute; null for other objects.
static pa_status builtin_attr(pa_importer *importer, PyObject *value, MlirAttribute *out_attribute) {
  PyObject *name;
  PA_TRY(pa_builtin_name(importer, value, &name));
  const char *text = name ? pa_python_text(importer, name) : NULL;
  if (text) *out_attribute = mlirTypeAttrGet(pyarrayCallableTypeGet(pa_string_attr(importer->context, text)));
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

// The attribute of a default value; opaque if it is no constant and no builtin.
static MlirAttribute default_attr(pa_importer *importer, PyObject *value) {
  MlirAttribute attr = {NULL};
  pa_status failure = value ? pa_constant_attr(importer, value, NULL, &attr) : PA_OK;
  if (!failure && value && mlirAttributeIsNull(attr)) failure = builtin_attr(importer, value, &attr);
  pa_status_free(failure);
  PyErr_Clear();
  return mlirAttributeIsNull(attr) ? pyarrayOpaqueAttrGet(importer->context) : attr;
}

// The default value of each parameter, borrowed from the two containers; NULL if it has none.
static void find_defaults(pa_function *function, PyObject *positional, PyObject *by_name, int keyword_only,
                          PyObject **values) {
  int rest = pa_rest_parameters(function);
  int last = function->parameter_count - rest - keyword_only;
  int count = PyTuple_Check(positional) ? (int)PyTuple_Size(positional) : 0;
  for (int i = 0; i < count && count <= last; ++i) values[last - count + i] = PyTuple_GetItem(positional, i);
  for (int i = last; i < function->parameter_count - rest && PyDict_Check(by_name); ++i)
    values[i] = PyDict_GetItemString(by_name, function->variables[i]->text);
}

// From the first parameter with a default to the last one; a keyword-only one without a default in between is opaque.
static MlirAttribute defaults_attr(pa_importer *importer, pa_function *function, PyObject **values) {
  int first = 0, count = function->parameter_count;
  while (first < count && !values[first]) first++;
  if (first == count) return (MlirAttribute){NULL};
  MlirAttribute *attrs = PA_NEW_ARRAY(importer->arena, MlirAttribute, count - first);
  for (int i = first; i < count; ++i) attrs[i - first] = default_attr(importer, values[i]);
  return mlirArrayAttrGet(importer->context, count - first, attrs);
}

static pa_status get_defaults(pa_importer *importer, pa_function *function, MlirAttribute *out_attribute) {
  if (function->outer) return *out_attribute = function->nested_defaults, PA_OK;
  PyObject *code = pa_adopt(importer, PyObject_GetAttrString(function->object, "__code__"));
  PyObject *keyword_only = code ? pa_adopt(importer, PyObject_GetAttrString(code, "co_kwonlyargcount")) : NULL;
  PyObject *positional = code ? pa_adopt(importer, PyObject_GetAttrString(function->object, "__defaults__")) : NULL;
  PyObject *by_name = code ? pa_adopt(importer, PyObject_GetAttrString(function->object, "__kwdefaults__")) : NULL;
  if (!keyword_only || !positional || !by_name) return pa_python_failure();
  PyObject **values = PA_NEW_ARRAY(importer->arena, PyObject *, function->parameter_count);
  find_defaults(function, positional, by_name, (int)PyLong_AsLong(keyword_only), values);
  *out_attribute = defaults_attr(importer, function, values);
  return PA_OK;
}

//===-- Attributes --------------------------------------------------------------------------------===//

static MlirAttribute params_attr(pa_importer *importer, const pa_function *function) {
  int captured = (int)function->captured_count, count = captured + function->parameter_count;
  MlirAttribute *names = PA_NEW_ARRAY(importer->arena, MlirAttribute, count);
  for (int i = 0; i < count; ++i)
    names[i] = pa_string_attr(importer->context,
                              (i < captured ? function->captured[i] : function->variables[i - captured])->text);
  return mlirArrayAttrGet(importer->context, count, names);
}

// Null where all are plain.
static MlirAttribute kinds_attr(pa_importer *importer, const pa_function *function) {
  int captured = (int)function->captured_count, count = captured + function->parameter_count;
  char *kinds = PA_NEW_ARRAY(importer->arena, char, count + 1);
  bool plain = captured == 0;
  for (int i = 0; i < count; ++i) {
    kinds[i] = i < captured ? 'c' : function->parameter_kinds[i - captured];
    plain = plain && kinds[i] == 'p';
  }
  return plain ? (MlirAttribute){NULL} : pa_string_attr(importer->context, kinds);
}

// The numbers of those that are marked; null where there is none.
static MlirAttribute numbers_attr(pa_importer *importer, const pa_function *function, const bool *marks) {
  int64_t *numbers = PA_NEW_ARRAY(importer->arena, int64_t, function->parameter_count + 1);
  intptr_t count = 0;
  for (int i = 0; i < function->parameter_count; ++i)
    if (marks && marks[i]) numbers[count++] = i + (int)function->captured_count;
  return count ? mlirDenseI64ArrayGet(importer->context, count, numbers) : (MlirAttribute){NULL};
}

static MlirNamedAttribute named(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, pa_ref(name)), value);
}

static MlirAttribute fastmath_attr(MlirContext context, const pa_frontend_options *options) {
  bool is_some = options->fastmath_flags && !options->fastmath;
  return is_some ? pa_string_attr(context, options->fastmath_flags) : mlirBoolAttrGet(context, options->fastmath);
}

static MlirAttribute options_attr(MlirContext context, const pa_frontend_options *options) {
  MlirNamedAttribute entries[7] = {
      named(context, "boundscheck", mlirBoolAttrGet(context, options->boundscheck)),
      named(context, "error_model", pa_string_attr(context, options->error_model)),
      named(context, "fastmath", fastmath_attr(context, options)),
      named(context, "inline", pa_string_attr(context, options->inline_policy)),
  };
  intptr_t count = 4; // the others only where asked for
  if (options->offload) entries[count++] = named(context, "offload", mlirBoolAttrGet(context, true));
  if (options->parallel) entries[count++] = named(context, "parallel", mlirBoolAttrGet(context, true));
  if (options->target) entries[count++] = named(context, "target", pa_string_attr(context, options->target));
  return mlirDictionaryAttrGet(context, count, entries);
}

static MlirAttribute type_attr(pa_emitter *e) {
  int count = (int)e->function->captured_count + e->function->parameter_count;
  MlirType *inputs = PA_NEW_ARRAY(e->arena, MlirType, count);
  for (int i = 0; i < count; ++i) inputs[i] = e->any;
  return mlirTypeAttrGet(mlirFunctionTypeGet(e->importer->context, count, inputs, 1, &e->any));
}

//===-- Body --------------------------------------------------------------------------------------===//

static MlirRegion begin_body(pa_emitter *e) {
  int count = e->function->parameter_count;
  MlirRegion region = mlirRegionCreate();
  e->builder.block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, e->builder.block);
  pa_at(e, e->function->place);
  e->captured = PA_NEW_ARRAY(e->arena, MlirValue, e->function->captured_count);
  for (size_t i = 0; i < e->function->captured_count; ++i) {
    MlirValue argument = mlirBlockAddArgument(e->builder.block, e->any, e->builder.location);
    e->captured[i] = argument;
    e->variables[e->function->captured[i]->variable] = (pa_binding){.bound = PA_BOUND, .value = argument};
  }
  for (int i = 0; i < count; ++i) {
    pa_at(e, e->function->parameter_places[i]);
    MlirValue argument = mlirBlockAddArgument(e->builder.block, e->any, e->builder.location);
    e->variables[i] = (pa_binding){.bound = PA_BOUND, .value = pa_as_declared(e, e->function->variables[i], argument)};
  }
  return region;
}

static void end_body(pa_emitter *e) {
  pa_drop_unreachable(e);
  MlirValue result = e->flow.completions ? e->flow.result : pa_emit_unbound(e, e->any);
  pa_op(&e->builder, PA_OP_NAME(RETURN), PA_OPERANDS(result));
}

// Whether tracebacks show it: not what the user did not write.
static bool has_frame(const pa_function *function) {
  return mlirAttributeIsNull(function->folds) && !function->in_library && !function->no_frame;
}

static void emit_func(pa_emitter *e, MlirAttribute defaults) {
  pa_importer *importer = e->importer;
  pa_function *function = e->function;
  MlirContext context = importer->context;
  MlirRegion region = begin_body(e);
  pa_open_cells(e);
  for (int i = 0; i < function->parameter_count; ++i) pa_show_variable(e, i);
  pa_emit_block(e, &function->body);
  end_body(e);
  pa_at(e, function->place);
  e->builder.block = pa_module_body(importer->module);
  pa_op(&e->builder, PA_OP_NAME(FUNC), PA_REGIONS(region),
        PA_ATTRS({"sym_name", pa_string_attr(context, function->symbol)}, {"function_type", type_attr(e)},
                 {"pyarray.params", params_attr(importer, function)}, {"pyarray.kinds", kinds_attr(importer, function)},
                 {"pyarray.literals", numbers_attr(importer, function, function->parameter_literals)},
                 {"pyarray.kept_literals", numbers_attr(importer, function, function->parameter_known)},
                 {"pyarray.defaults", defaults}, {"pyarray.options", options_attr(context, &function->options)},
                 {"pyarray.qualname", pa_string_attr(context, function->qualname)},
                 {"pyarray.ufunc", function->signature}, {"pyarray.loops", function->loops},
                 {"pyarray.declared", function->declared}, {"pyarray.passed", function->passed},
                 {"pyarray.folds", function->folds}, {"pyarray.identity", function->identity},
                 {"pyarray.with_initial", function->with_initial},
                 {"pyarray.generator", function->is_generator ? pa_unit_attr(context) : mlirAttributeGetNull()},
                 {"pyarray.no_frame", has_frame(function) ? mlirAttributeGetNull() : pa_unit_attr(context)}));
}

pa_status pa_emit_function(pa_importer *importer, pa_function *function) {
  pa_emitter e = {.importer = importer,
                  .function = function,
                  .arena = importer->arena,
                  .builder = {.context = importer->context},
                  .any = pyarrayAnyTypeGet(importer->context),
                  .i1 = mlirIntegerTypeGet(importer->context, 1),
                  .flow = {.completions = PA_CAN(FALL)}};
  MlirAttribute defaults = {NULL};
  PA_TRY(get_defaults(importer, function, &defaults));
  e.variables = PA_NEW_ARRAY(e.arena, pa_binding, function->variable_count);
  e.seen = PA_NEW_ARRAY(e.arena, unsigned, function->variable_count);
  emit_func(&e, defaults);
  if (!function->makes || e.builder.failure) return e.builder.failure;
  return pa_emit_constructor(&e, defaults, options_attr(importer->context, &function->options));
}
