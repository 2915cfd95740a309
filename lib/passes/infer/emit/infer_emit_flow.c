// Of the second phase of pyarray-infer-types: scf.if, scf.while and loops, typed.
#include <stdlib.h>
#include <string.h>

#include "infer_classes.h"
#include "infer_emit_parts.h"
#include "infer_flow.h"
#include "infer_walk.h"

//===-- Control flow ------------------------------------------------------------------------------===//

// Emits |source| into |target| and ends it with |terminator| over the given operands of the source's terminator, cast
// to |types|.
pa_status pa_infer_emit_region(pa_instance_emitter *e, MlirBlock source, MlirBlock target, const char *terminator,
                               MlirValue condition, const MlirType *types, intptr_t count) {
  pa_builder *outer = e->builder,
             inner = {.context = pa_emitter_context(e), .block = target, .location = outer->location};
  e->builder = &inner;
  pa_status status = pa_infer_emit_block(e, source);
  MlirOperation end = mlirBlockGetTerminator(source);
  intptr_t first = mlirValueIsNull(condition) ? 0 : 1;
  MlirValue *values = pa_emitter_values(e, count + 1);
  inner.location = mlirOperationGetLocation(end);
  if (first) values[0] = pa_emitter_use_as(e, condition, mlirIntegerTypeGet(pa_emitter_context(e), 1));
  bool returns = pa_kind(&e->inference->names, end) == PA_OP_RETURN,
       ends = returns && pa_is_generator(e->instance->function);
  pa_open_values open = {0};
  if (returns && !ends && !status) pa_open_optionals(e->inference, e->instance, end, e, &open);
  for (intptr_t i = 0; i < count && !status; ++i)
    values[first + i] = ends ? pa_value(e->builder, PA_OP_NAME(UNBOUND), PA_RESULTS(types[i]))
                             : pa_emitter_use_as(e, mlirOperationGetOperand(end, first + i), types[i]);
  pa_close_optionals(e->inference, e->instance, &open);
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
  PA_TRY(pa_infer_emit_block(e, block));
  MlirOperation yield = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_emitter_map(e, mlirOperationGetResult(op, i), pa_emitter_use(e, mlirOperationGetOperand(yield, i)));
  return PA_OK;
}

MlirType *pa_infer_result_types(pa_instance_emitter *e, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirType *types = pa_emitter_types(e, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, i)));
  return types;
}

void pa_infer_map_results(pa_instance_emitter *e, MlirOperation from, MlirOperation to) {
  if (mlirOperationIsNull(to)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(from); ++i)
    pa_emitter_map(e, mlirOperationGetResult(from, i), mlirOperationGetResult(to, i));
}

pa_status pa_infer_emit_if(pa_instance_emitter *e, MlirOperation op) {
  int known = pa_known_condition(e->inference, e->instance, op);
  if (known >= 0) return emit_taken_branch(e, op, known ? 0 : 1);
  intptr_t count = mlirOperationGetNumResults(op);
  MlirType *types = pa_infer_result_types(e, op);
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
    if (!status)
      status = pa_infer_emit_region(e, source, target, PA_OP_NAME(SCF_YIELD), (MlirValue){NULL}, types, count);
  }
  MlirOperation typed = pa_op(e->builder, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition), PA_RESULT_ARRAY(types, count),
                              PA_REGIONS(regions[0], regions[1]));
  pa_infer_map_results(e, op, typed);
  return status;
}

// A region whose block has the (joined) types of the arguments of |source|, which are mapped to its arguments.
MlirRegion pa_infer_open_region(pa_instance_emitter *e, MlirBlock source, MlirBlock *out_block, MlirType **out_types) {
  intptr_t count = mlirBlockGetNumArguments(source);
  MlirType *types = *out_types = pa_emitter_types(e, count);
  for (intptr_t i = 0; i < count; ++i)
    types[i] = pa_emitter_type(e, pa_emitter_fact(e, mlirBlockGetArgument(source, i)));
  MlirRegion region = pa_region(e->builder->location, types, count, out_block);
  for (intptr_t i = 0; i < count; ++i)
    pa_emitter_map(e, mlirBlockGetArgument(source, i), mlirBlockGetArgument(*out_block, i));
  return region;
}

static MlirValue *operands_as(pa_instance_emitter *e, MlirOperation op, intptr_t first, const MlirType *types,
                              intptr_t count) {
  MlirValue *values = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i)
    values[i] = pa_emitter_use_as(e, mlirOperationGetOperand(op, first + i), types[i]);
  return values;
}

pa_status pa_infer_emit_while(pa_instance_emitter *e, MlirOperation op) {
  MlirBlock before = pa_body(op, 0), after = pa_body(op, 1), targets[2];
  MlirType *before_types, *after_types;
  intptr_t before_count = mlirBlockGetNumArguments(before), after_count = mlirBlockGetNumArguments(after);
  MlirRegion regions[] = {pa_infer_open_region(e, before, &targets[0], &before_types),
                          pa_infer_open_region(e, after, &targets[1], &after_types)};
  MlirValue *inits = operands_as(e, op, 0, before_types, before_count);
  MlirValue condition = mlirOperationGetOperand(mlirBlockGetTerminator(before), 0);
  pa_status status =
      pa_infer_emit_region(e, before, targets[0], PA_OP_NAME(SCF_CONDITION), condition, after_types, after_count);
  if (!status)
    status = pa_infer_emit_region(e, after, targets[1], PA_OP_NAME(SCF_YIELD), (MlirValue){NULL}, before_types,
                                  before_count);
  MlirOperation typed = pa_op(e->builder, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(inits, before_count),
                              PA_RESULT_ARRAY(after_types, after_count), PA_REGIONS(regions[0], regions[1]));
  pa_infer_map_results(e, op, typed);
  return status;
}

static bool is_over_prange(pa_instance_emitter *e, MlirValue iterable) {
  MlirOperation made = mlirValueIsAOpResult(iterable) ? mlirOpResultGetOwner(iterable) : (MlirOperation){NULL};
  return !mlirOperationIsNull(made) && pa_kind(&e->inference->names, made) == PA_OP_BUILTIN &&
         pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(made, "name")), "pyarray.prange");
}

// What is carried by a loop over prange keeps its names: pyarray-find-parallel-loops says which variable is in its way.
static MlirAttribute names_kept(pa_instance_emitter *e, MlirOperation op, MlirValue iterable) {
  return is_over_prange(e, iterable) && mlirBlockGetNumArguments(pa_body(op, 0)) > 1 ? pa_get_attr(op, "pyarray.names")
                                                                                     : mlirAttributeGetNull();
}

// Why a loop over prange must run in order, where its types alone say it.
static MlirAttribute serial_reason(pa_instance_emitter *e, MlirOperation op, MlirValue iterable) {
  if (!is_over_prange(e, iterable) || !pa_shares_random(e->inference, e->instance, op)) return mlirAttributeGetNull();
  return pa_string_attr(pa_emitter_context(e), "its iterations share a Generator; give each one of its own, of "
                                               "rng.spawn(n)");
}

pa_status pa_emit_own_iterator(pa_instance_emitter *e, MlirOperation op, MlirValue *out_iterable) {
  *out_iterable = mlirOperationGetOperand(op, 0);
  e->inference->made_count = 0;
  PA_TRY(pa_make_iterator(e->inference, e->instance, op, out_iterable));
  size_t count = e->inference->made_count; // what may be None is taken out first
  pa_made_value *made = PA_NEW_ARRAY(e->inference->arena, pa_made_value, count + 1);
  if (count) memcpy(made, e->inference->made, count * sizeof *made);
  for (size_t i = 0; i < count; ++i) pa_infer_emit_made_value(e, &made[i]);
  return PA_OK;
}

// What a loop goes over, and its type.
static MlirValue emit_iterated(pa_instance_emitter *e, MlirOperation op, MlirType *out_type) {
  MlirValue iterable = mlirOperationGetOperand(op, 0);
  *out_type = pa_iterated_type(e->inference, e->instance, op);
  MlirType own = pa_emitter_fact(e, iterable).type;
  return mlirTypeEqual(own, *out_type) ? pa_emitter_use(e, iterable) : pa_emit_represented(e, iterable, own);
}

// Over a tuple of several types: the body once for each element.
static pa_status emit_mixed_for(pa_instance_emitter *e, MlirOperation op, intptr_t length) {
  MlirBlock source = pa_body(op, 0);
  intptr_t count = mlirBlockGetNumArguments(source) - 1;
  MlirType kind;
  MlirValue iterable = emit_iterated(e, op, &kind), *carried = pa_emitter_values(e, count);
  pa_fact *facts = pa_initial_carried(e->inference, e->instance, op);
  for (intptr_t i = 0; i < count; ++i) carried[i] = pa_emitter_use(e, mlirOperationGetOperand(op, i + 1));
  for (intptr_t k = 0; k < length; ++k) {
    e->inference->emitting = false; // plans for this item
    PA_TRY(pa_walk_element(e->inference, e->instance, op, pa_mixed_fact(e->inference, e->instance, op, k), facts));
    e->inference->emitting = true;
    pa_emitter_map(e, mlirBlockGetArgument(source, 0), pa_emit_mixed_item(e, iterable, kind, k));
    for (intptr_t i = 0; i < count; ++i) pa_emitter_map(e, mlirBlockGetArgument(source, i + 1), carried[i]);
    PA_TRY(pa_infer_emit_block(e, source));
    MlirOperation end = mlirBlockGetTerminator(source);
    for (intptr_t i = 0; i < count; ++i) carried[i] = pa_emitter_use(e, mlirOperationGetOperand(end, i));
  }
  for (intptr_t i = 0; i < count; ++i) pa_emitter_map(e, mlirOperationGetResult(op, i), carried[i]);
  return PA_OK;
}

// Over enumerate, zip or reversed.
static pa_status emit_tagged_for(pa_instance_emitter *e, MlirOperation op) {
  MlirBlock source = pa_body(op, 0);
  intptr_t count = mlirBlockGetNumArguments(source) - 1;
  MlirType *types = pa_emitter_types(e, count), kind;
  for (intptr_t i = 0; i < count; ++i)
    types[i] = pa_emitter_type(e, pa_emitter_fact(e, mlirBlockGetArgument(source, i + 1)));
  pa_position_loop loop;
  MlirValue iterable = emit_iterated(e, op, &kind);
  iterable = pa_emit_iterator(e, iterable, &kind);
  pa_begin_positions(e, iterable, kind, operands_as(e, op, 1, types, count), types, count, &loop);
  pa_emitter_map(e, mlirBlockGetArgument(source, 0), loop.item);
  for (intptr_t i = 0; i < count; ++i)
    pa_emitter_map(e, mlirBlockGetArgument(source, i + 1), mlirBlockGetArgument(loop.body, i + 1));
  pa_status status = pa_infer_emit_block(e, source);
  MlirOperation end = mlirBlockGetTerminator(source);
  MlirValue *yielded = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count && !status; ++i)
    yielded[i] = pa_emitter_use_as(e, mlirOperationGetOperand(end, i), types[i]);
  MlirOperation typed = pa_end_positions(e, &loop, yielded, &status);
  for (intptr_t i = 0; i < count && !mlirOperationIsNull(typed); ++i)
    pa_emitter_map(e, mlirOperationGetResult(op, i), mlirOperationGetResult(typed, i + loop.by_list));
  if (!status && pa_is_tagged(kind, "strict zip")) pa_emit_strict_end(e, iterable, kind);
  return status;
}

pa_status pa_infer_emit_for(pa_instance_emitter *e, MlirOperation op) {
  MlirType kind = pa_iterated_type(e->inference, e->instance, op);
  bool unrolled = pa_is_mixed(kind) || pa_unrolls_literals(e->inference, e->instance, mlirOperationGetOperand(op, 0));
  if (unrolled && pa_mixed_length(kind) >= 0) return emit_mixed_for(e, op, pa_mixed_length(kind));
  bool by_position = pa_is_iterable_tag(pa_iterator_type(kind)) &&
                     !pyarrayTypeIsDeque(kind); // a deque that the loop leaves alone needs no test
  if (by_position || pa_is_records(kind) || pa_is_memoryview(kind)) return emit_tagged_for(e, op);
  MlirBlock body = pa_body(op, 0), target;
  MlirType *types;
  intptr_t count = mlirBlockGetNumArguments(body) - 1;
  MlirValue own, iterable;
  PA_TRY(pa_emit_own_iterator(e, op, &own));
  iterable = mlirValueEqual(own, mlirOperationGetOperand(op, 0)) ? emit_iterated(e, op, &kind) : pa_emitter_use(e, own);
  MlirRegion region = pa_infer_open_region(e, body, &target, &types);
  MlirValue *inits = operands_as(e, op, 1, types + 1, count), *operands = pa_emitter_values(e, count + 1);
  operands[0] = iterable;
  for (intptr_t i = 0; i < count; ++i) operands[i + 1] = inits[i];
  pa_status status = pa_infer_emit_region(e, body, target, PA_OP_NAME(YIELD), (MlirValue){NULL}, types + 1, count);
  MlirOperation typed = pa_op(
      e->builder, PA_OP_NAME(FOR), PA_OPERAND_ARRAY(operands, count + 1), PA_RESULT_ARRAY(types + 1, count),
      PA_REGIONS(region),
      PA_ATTRS({"pyarray.names", names_kept(e, op, iterable)}, {"pyarray.serial", serial_reason(e, op, iterable)}));
  pa_infer_map_results(e, op, typed);
  return status;
}
