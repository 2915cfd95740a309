// Second phase of pyarray-infer-types: emits an instance, typed, from its facts.
//
// The untyped body is walked once more; each value maps to a typed one. Where a value is used in another type than its own
// (operands of operators, joins, results), a pyarray.cast is put in between. Operations that are never reached (an operand is
// bottom) and branches not taken are left out; a value that is a known literal becomes a constant.
#include <stdlib.h>
#include <string.h>

#include "infer_emit.h"

static pa_status emit_block(pa_instance_emitter *e, MlirBlock source);

//===-- Control flow ------------------------------------------------------------------------------===//

// Emits |source| into |target| and ends it with |terminator| over the given operands of the source's terminator, cast to |types|.
static pa_status emit_region(pa_instance_emitter *e, MlirBlock source, MlirBlock target, const char *terminator, MlirValue condition,
                             const MlirType *types, intptr_t count) {
  pa_builder *outer = e->builder, inner = {.context = pa_emitter_context(e), .block = target, .location = outer->location};
  e->builder = &inner;
  pa_status status = emit_block(e, source);
  MlirOperation end = mlirBlockGetTerminator(source);
  intptr_t first = mlirValueIsNull(condition) ? 0 : 1;
  MlirValue *values = pa_emitter_values(e, count + 1);
  inner.location = mlirOperationGetLocation(end);
  if (first) values[0] = pa_emitter_use_as(e, condition, mlirIntegerTypeGet(pa_emitter_context(e), 1));
  for (intptr_t i = 0; i < count && !status; ++i) values[first + i] = pa_emitter_use_as(e, mlirOperationGetOperand(end, first + i), types[i]);
  if (!status) pa_op(&inner, terminator, PA_OPERAND_ARRAY(values, first + count));
  e->builder = outer;
  if (!status && !inner.failure) return pa_erase_unused(e->inference, target), PA_OK;
  if (!status) return inner.failure;
  pa_status_free(inner.failure);
  return status;
}

static pa_status emit_taken_branch(pa_instance_emitter *e, MlirOperation op, int side) {
  MlirBlock block = pa_body(op, side);
  if (mlirBlockIsNull(block)) return PA_OK;
  PA_TRY(emit_block(e, block));
  MlirOperation yield = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_emitter_map(e, mlirOperationGetResult(op, i), pa_emitter_use(e, mlirOperationGetOperand(yield, i)));
  return PA_OK;
}

static MlirType *result_types(pa_instance_emitter *e, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirType *types = pa_emitter_types(e, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, i)));
  return types;
}

static void map_results(pa_instance_emitter *e, MlirOperation from, MlirOperation to) {
  if (mlirOperationIsNull(to)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(from); ++i)
    pa_emitter_map(e, mlirOperationGetResult(from, i), mlirOperationGetResult(to, i));
}

static pa_status emit_if(pa_instance_emitter *e, MlirOperation op) {
  int known = pa_known_condition(e->inference, e->instance, op);
  if (known >= 0) return emit_taken_branch(e, op, known ? 0 : 1);
  intptr_t count = mlirOperationGetNumResults(op);
  MlirType *types = result_types(e, op);
  MlirValue condition = pa_emitter_use(e, mlirOperationGetOperand(op, 0));
  MlirRegion regions[2];
  pa_status status = PA_OK;
  for (int side = 0; side < 2; ++side) {
    MlirBlock source = pa_body(op, side), target;
    if (mlirBlockIsNull(source)) {
      regions[side] = mlirRegionCreate();
      continue;
    }
    regions[side] = pa_region(e->builder->location, NULL, 0, &target);
    if (!status) status = emit_region(e, source, target, "scf.yield", (MlirValue){NULL}, types, count);
  }
  MlirOperation typed = pa_op(e->builder, "scf.if", PA_OPERANDS(condition), PA_RESULT_ARRAY(types, count), PA_REGIONS(regions[0], regions[1]));
  map_results(e, op, typed);
  return status;
}

// A region whose block has the (joined) types of the arguments of |source|, which are mapped to its arguments.
static MlirRegion open_region(pa_instance_emitter *e, MlirBlock source, MlirBlock *out_block, MlirType **out_types) {
  intptr_t count = mlirBlockGetNumArguments(source);
  MlirType *types = *out_types = pa_emitter_types(e, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = pa_emitter_type(e, pa_emitter_fact(e, mlirBlockGetArgument(source, i)));
  MlirRegion region = pa_region(e->builder->location, types, count, out_block);
  for (intptr_t i = 0; i < count; ++i) pa_emitter_map(e, mlirBlockGetArgument(source, i), mlirBlockGetArgument(*out_block, i));
  return region;
}

static MlirValue *operands_as(pa_instance_emitter *e, MlirOperation op, intptr_t first, const MlirType *types, intptr_t count) {
  MlirValue *values = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) values[i] = pa_emitter_use_as(e, mlirOperationGetOperand(op, first + i), types[i]);
  return values;
}

static pa_status emit_while(pa_instance_emitter *e, MlirOperation op) {
  MlirBlock before = pa_body(op, 0), after = pa_body(op, 1), targets[2];
  MlirType *before_types, *after_types;
  intptr_t before_count = mlirBlockGetNumArguments(before), after_count = mlirBlockGetNumArguments(after);
  MlirRegion regions[] = {open_region(e, before, &targets[0], &before_types), open_region(e, after, &targets[1], &after_types)};
  MlirValue *inits = operands_as(e, op, 0, before_types, before_count);
  MlirValue condition = mlirOperationGetOperand(mlirBlockGetTerminator(before), 0);
  pa_status status = emit_region(e, before, targets[0], "scf.condition", condition, after_types, after_count);
  if (!status) status = emit_region(e, after, targets[1], "scf.yield", (MlirValue){NULL}, before_types, before_count);
  MlirOperation typed = pa_op(e->builder, "scf.while", PA_OPERAND_ARRAY(inits, before_count), PA_RESULT_ARRAY(after_types, after_count),
                              PA_REGIONS(regions[0], regions[1]));
  map_results(e, op, typed);
  return status;
}

// What is carried by a loop over prange keeps its names: pyarray-find-parallel-loops says which variable is in its way.
static MlirAttribute names_kept(pa_instance_emitter *e, MlirOperation op, MlirValue iterable) {
  MlirOperation made = mlirValueIsAOpResult(iterable) ? mlirOpResultGetOwner(iterable) : (MlirOperation){NULL};
  bool over_prange = !mlirOperationIsNull(made) && pa_kind(&e->inference->names, made) == PA_OP_BUILTIN &&
                     pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(made, "name")), "pyarray.prange");
  return over_prange && mlirBlockGetNumArguments(pa_body(op, 0)) > 1 ? pa_get_attr(op, "pyarray.names") : mlirAttributeGetNull();
}

static pa_status emit_for(pa_instance_emitter *e, MlirOperation op) {
  MlirBlock body = pa_body(op, 0), target;
  MlirType *types;
  intptr_t count = mlirBlockGetNumArguments(body) - 1;
  MlirValue iterable = pa_emitter_use(e, mlirOperationGetOperand(op, 0));
  MlirRegion region = open_region(e, body, &target, &types);
  MlirValue *inits = operands_as(e, op, 1, types + 1, count), *operands = pa_emitter_values(e, count + 1);
  operands[0] = iterable;
  for (intptr_t i = 0; i < count; ++i) operands[i + 1] = inits[i];
  pa_status status = emit_region(e, body, target, "pyarray.yield", (MlirValue){NULL}, types + 1, count);
  MlirOperation typed = pa_op(e->builder, "pyarray.for", PA_OPERAND_ARRAY(operands, count + 1), PA_RESULT_ARRAY(types + 1, count), PA_REGIONS(region),
                              PA_ATTRS({"pyarray.names", names_kept(e, op, iterable)}));
  map_results(e, op, typed);
  return status;
}

//===-- Subscripts --------------------------------------------------------------------------------===//

// The index operands of a getitem or setitem in the types of level 2.
static MlirValue *emit_indices(pa_instance_emitter *e, MlirOperation op, intptr_t *out_count) {
  pa_typing typing = pa_typing_at(e->inference, op);
  pa_fact object = pa_emitter_fact(e, mlirOperationGetOperand(op, 0));
  bool spread, bottom;
  const pa_fact *facts = pa_index_facts(e->inference, e->instance, op, object, out_count, &spread, &bottom);
  MlirValue *values = pa_emitter_values(e, *out_count);
  if (spread) values = pa_emit_elements(e, pa_emitter_use(e, mlirOperationGetOperand(op, 1)), out_count);
  for (intptr_t i = 0; i < *out_count; ++i) {
    if (!spread) values[i] = pa_emitter_use(e, mlirOperationGetOperand(op, 1 + i));
    MlirType type = pa_index_type(&typing, facts[i].type);
    if (!mlirTypeIsNull(type)) values[i] = pa_emit_cast(e, values[i], type);
  }
  return values;
}

static pa_status emit_getitem(pa_instance_emitter *e, MlirOperation op) {
  intptr_t count;
  MlirValue *indices = emit_indices(e, op, &count), *operands = pa_emitter_values(e, count + 1);
  operands[0] = pa_emitter_use(e, mlirOperationGetOperand(op, 0));
  memcpy(operands + 1, indices, (size_t)count * sizeof *operands);
  MlirType type = pa_emitter_fact(e, mlirOperationGetResult(op, 0)).type;
  pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_value(e->builder, "pyarray.getitem", PA_OPERAND_ARRAY(operands, count + 1), PA_RESULTS(type)));
  return PA_OK;
}

static pa_status emit_setitem(pa_instance_emitter *e, MlirOperation op) {
  pa_typing typing = pa_typing_at(e->inference, op);
  intptr_t count, index_count;
  bool spread, bottom;
  MlirValue object = mlirOperationGetOperand(op, 0), value = mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  const pa_fact *facts = pa_index_facts(e->inference, e->instance, op, pa_emitter_fact(e, object), &index_count, &spread, &bottom);
  MlirType type;
  PA_TRY(pa_type_setitem(&typing, pa_emitter_fact(e, object), facts, index_count, pa_emitter_fact(e, value), &type));
  MlirValue *indices = emit_indices(e, op, &count), *operands = pa_emitter_values(e, count + 2);
  operands[0] = pa_emitter_use(e, object);
  memcpy(operands + 1, indices, (size_t)count * sizeof *operands);
  operands[count + 1] = pa_emitter_use_as(e, value, type);
  pa_op(e->builder, "pyarray.setitem", PA_OPERAND_ARRAY(operands, count + 2));
  return PA_OK;
}

//===-- Calls -------------------------------------------------------------------------------------===//

static pa_status emit_instance_call(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  MlirValue *operands = pa_emitter_values(e, call->count);
  for (int i = 0; i < call->count; ++i) {
    operands[i] = mlirValueIsNull(call->arguments[i]) ? pa_emit_literal(e, call->constants[i]) : pa_emitter_use(e, call->arguments[i]);
    operands[i] = pa_emit_cast(e, operands[i], call->instance->arguments[i]);
  }
  MlirType type = pa_emitter_type(e, call->instance->result);
  MlirValue result = pa_value(e->builder, "pyarray.call", PA_OPERAND_ARRAY(operands, call->count), PA_RESULTS(type),
                              PA_ATTRS({"callee", pa_symbol_attr(pa_emitter_context(e), call->instance->name)}));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}

// Unlike a call of a function, which may then have any type: outputs are made before the first point is computed.
static pa_status result_is_unknown(pa_instance_emitter *e, MlirOperation op, const pa_instance *kernel) {
  pa_typing typing = pa_typing_at(e->inference, op);
  const char *name = pa_attr_text(e->inference->arena, pa_get_attr(kernel->function, "pyarray.qualname"));
  return pa_typing_fail(&typing, PA_CODE_TYPING, "the type of what %s() returns is not known: it calls itself on every path\n"
                        "hint: return a value without a call on one path, or declare the result's type", name ? name : kernel->name);
}

static pa_status emit_ufunc(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  if (pa_is_bottom(call->instance->result)) return result_is_unknown(e, op, call->instance);
  MlirValue *operands = pa_emitter_values(e, call->count);
  for (int i = 0; i < call->count; ++i)
    if (!mlirValueIsNull(call->arguments[i])) operands[i] = pa_emitter_use(e, call->arguments[i]);
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emit_ufunc(e->inference, e->builder, call->ufunc, operands)), PA_OK;
}

static pa_status emit_plan(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  const pa_call_plan *plan = &call->plan;
  MlirValue *operands = pa_emitter_values(e, plan->operand_count), *elements = NULL;
  int taken_apart = -1;
  intptr_t count;
  for (int i = 0; i < plan->operand_count; ++i) {
    pa_source source = plan->sources[i];
    if (source.argument < 0) {
      operands[i] = pa_emit_literal(e, source.constant);
    } else if (source.element < 0) {
      operands[i] = pa_emitter_use(e, call->arguments[source.argument]);
    } else {
      if (taken_apart != source.argument) elements = pa_emit_elements(e, pa_emitter_use(e, call->arguments[source.argument]), &count);
      taken_apart = source.argument;
      operands[i] = elements[source.element];
    }
    operands[i] = pa_emit_cast(e, operands[i], plan->operands[i]);
  }
  MlirValue result = plan->kind == PA_PLAN_CAST ? operands[0]
                     : plan->kind == PA_PLAN_LITERAL ? pa_emit_literal(e, plan->literal)
                     : pa_value(e->builder, "pyarray.builtin", PA_OPERAND_ARRAY(operands, plan->operand_count),
                                PA_RESULTS(mlirTypeIsNull(plan->computed) ? plan->result : plan->computed),
                                PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), plan->builtin->name)}));
  if (!mlirTypeIsNull(plan->computed)) result = pa_emit_cast(e, result, plan->result);
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}

static pa_status emit_call(pa_instance_emitter *e, MlirOperation op) {
  pa_resolved_call call;
  PA_TRY(pa_resolve_call(e->inference, e->instance, op, &call));
  if (call.ufunc) return emit_ufunc(e, op, &call);
  return call.instance ? emit_instance_call(e, op, &call) : emit_plan(e, op, &call);
}

//===-- Operations --------------------------------------------------------------------------------===//

// The same operation on typed operands, with the types that inference found.
static pa_status emit_same(pa_instance_emitter *e, MlirOperation op, const char *const *attributes) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) operands[i] = pa_emitter_use(e, mlirOperationGetOperand(op, i));
  MlirType *types = result_types(e, op);
  pa_attr attrs[2] = {{0}};
  intptr_t attr_count = 0;
  for (; attributes && attributes[attr_count]; ++attr_count)
    attrs[attr_count] = (pa_attr){attributes[attr_count], pa_get_attr(op, attributes[attr_count])};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  pa_op_spec spec = {.operands = operands, .operand_count = count, .results = types, .result_count = mlirOperationGetNumResults(op),
                     .attrs = attrs, .attr_count = attr_count};
  map_results(e, op, pa_build(e->builder, pa_arena_copy(e->inference->arena, name.data, name.length), &spec));
  return PA_OK;
}

static pa_status emit_slice(pa_instance_emitter *e, MlirOperation op) {
  MlirType type = pa_emitter_fact(e, mlirOperationGetResult(op, 0)).type;
  MlirValue parts[3];
  for (int i = 0; i < 3; ++i) parts[i] = pa_emit_cast(e, pa_emitter_use(e, mlirOperationGetOperand(op, i)), pyarraySliceTypeGetPart(type, i));
  MlirValue slice = pa_value(e->builder, "pyarray.slice", PA_OPERAND_ARRAY(parts, 3), PA_RESULTS(type));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), slice), PA_OK;
}

// The arguments of an exception are constants; a tuple of them becomes one.
static pa_status emit_raise(pa_instance_emitter *e, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirAttribute tuple = pa_tuple_literal(e->inference, e->instance, operand);
    operands[i] = mlirAttributeIsNull(tuple) ? pa_emitter_use(e, operand) : pa_emit_literal(e, tuple);
  }
  pa_op(e->builder, "pyarray.raise", PA_OPERAND_ARRAY(operands, count),
        PA_ATTRS({"exception", pa_get_attr(op, "exception")}));
  return PA_OK;
}

static bool is_structural(pa_op_kind kind) { return kind == PA_OP_SCF_IF || kind == PA_OP_SCF_WHILE || kind == PA_OP_FOR; }

static pa_status emit_op(pa_instance_emitter *e, MlirOperation op) {
  static const char *const value[] = {"value", "element", NULL}, *const name[] = {"name", NULL};
  pa_op_kind kind = pa_kind(&e->inference->names, op);
  e->builder->location = mlirOperationGetLocation(op);
  if (kind == PA_OP_UNBOUND) return PA_OK;
  if (kind == PA_OP_SCF_IF && pa_has_bottom_operand(e->inference, e->instance, op)) return PA_OK;
  if (kind == PA_OP_FOR && pa_is_bottom(pa_emitter_fact(e, mlirOperationGetOperand(op, 0)))) return PA_OK;
  if (!is_structural(kind)) {
    if (pa_has_bottom_operand(e->inference, e->instance, op)) return PA_OK;
    pa_fact fact = mlirOperationGetNumResults(op) == 1 ? pa_emitter_fact(e, mlirOperationGetResult(op, 0)) : (pa_fact){{NULL}, {NULL}};
    if (!mlirAttributeIsNull(fact.literal)) return pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_emit_literal(e, fact.literal)), PA_OK;
  }
  switch (kind) {
    case PA_OP_SCF_IF: return emit_if(e, op);
    case PA_OP_SCF_WHILE: return emit_while(e, op);
    case PA_OP_FOR: return emit_for(e, op);
    case PA_OP_BINARY: return pa_emit_binary_operator(e, op);
    case PA_OP_UNARY: return pa_emit_unary_operator(e, op);
    case PA_OP_COMPARE: return pa_emit_comparison_operator(e, op);
    case PA_OP_SLICE: return emit_slice(e, op);
    case PA_OP_GETITEM: return emit_getitem(e, op);
    case PA_OP_SETITEM: return emit_setitem(e, op);
    case PA_OP_APPLY: case PA_OP_METHOD: return emit_call(e, op);
    case PA_OP_FROZEN_ARRAY: return emit_same(e, op, value);
    case PA_OP_CALLABLE: case PA_OP_GETATTR: return emit_same(e, op, name);
    case PA_OP_RAISE: return emit_raise(e, op);
    default: return emit_same(e, op, NULL);  // truth, tuple, unpack, iter_length, iter_item
  }
}

static pa_status emit_block(pa_instance_emitter *e, MlirBlock source) {
  MlirOperation end = mlirBlockGetTerminator(source);
  PA_FOR_EACH_OP(op, source) {
    if (mlirOperationEqual(op, end)) break;
    PA_TRY(emit_op(e, op));
    if (pa_failed(e->builder)) break;
  }
  return PA_OK;
}

//===-- Functions ---------------------------------------------------------------------------------===//

static bool is_dropped_attribute(MlirStringRef name) {
  static const char *const dropped[] = {"sym_name", "function_type", "sym_visibility", "pyarray.instantiate", "pyarray.params", "pyarray.defaults",
                                        "pyarray.loops", "pyarray.folds", "pyarray.declared"};
  for (size_t i = 0; i < sizeof dropped / sizeof *dropped; ++i)
    if (pa_ref_equal(name, dropped[i])) return true;
  return false;
}

static MlirOperation make_function(pa_instance_emitter *e, MlirType result, MlirRegion region) {
  const pa_instance *instance = e->instance;
  MlirType type = mlirFunctionTypeGet(pa_emitter_context(e), instance->argument_count, instance->arguments, 1, &result);
  MlirOperation function = pa_op(e->builder, "func.func", PA_REGIONS(region),
                                 PA_ATTRS({"sym_name", pa_string_attr(pa_emitter_context(e), instance->name)}, {"function_type", mlirTypeAttrGet(type)}));
  if (mlirOperationIsNull(function)) return function;
  MlirOperation source = instance->function;
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(source); ++i) {
    MlirNamedAttribute named = mlirOperationGetDiscardableAttribute(source, i);
    if (!is_dropped_attribute(mlirIdentifierStr(named.name)))
      mlirOperationSetDiscardableAttributeByName(function, mlirIdentifierStr(named.name), named.attribute);
  }
  if (instance->entry) pa_set_attr(function, "pyarray.entry", pa_unit_attr(pa_emitter_context(e)));
  else pa_set_attr(function, "sym_visibility", pa_string_attr(pa_emitter_context(e), "private"));
  return function;
}

pa_status pa_emit_instance(pa_inference *inference, pa_instance *instance) {
  MlirBlock source = pa_body(instance->function, 0), target;
  pa_builder module_builder = {.context = inference->context, .block = pa_module_body(inference->module),
                               .location = mlirOperationGetLocation(instance->function)};
  pa_instance_emitter e = {inference, instance, &module_builder};
  MlirType *types, result = pa_emitter_type(&e, instance->result);
  MlirRegion region = open_region(&e, source, &target, &types);
  pa_status status = emit_region(&e, source, target, "func.return", (MlirValue){NULL}, &result, 1);
  make_function(&e, result, region);
  if (!status) return module_builder.failure;
  pa_status_free(module_builder.failure);
  return status;
}
