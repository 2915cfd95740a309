// Of pyarray-split-grid: functions over a part of a loop's iterations, and the calls that spread the parts over
// threads.
#include <string.h>

#include "split_internal.h"

enum {
  PA_CHUNK_COST = 20000,    // of the work worth handing to a thread, in units of about half a nanosecond
  PA_CALL_COST = 40,        // of a function call
  PA_INNER_LOOP_TRIPS = 64, // that a loop within an iteration is taken to run
};

//===-- What an iteration costs -------------------------------------------------------------------===//

static int64_t cost_of(const pa_splitting *s, MlirBlock block) {
  int64_t cost = 0;
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&s->names, op);
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    bool call = kind == PA_OP_FUNC_CALL || (name.length > 5 && memcmp(name.data, "math.", 5) == 0);
    bool loop = kind == PA_OP_SCF_FOR || kind == PA_OP_SCF_WHILE || kind == PA_OP_SCF_PARALLEL;
    cost += call ? PA_CALL_COST : 1;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      if (mlirBlockIsNull(pa_body(op, r))) continue;
      int64_t inner = cost_of(s, pa_body(op, r));
      cost += loop ? inner * PA_INNER_LOOP_TRIPS : inner;
    }
    if (cost > PA_CHUNK_COST) return PA_CHUNK_COST;
  }
  return cost;
}

//===-- Captured values ---------------------------------------------------------------------------===//

static bool is_inside(MlirValue value, MlirOperation loop) {
  MlirOperation op = mlirValueIsABlockArgument(value) ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                                                      : mlirOperationGetParentOperation(mlirOpResultGetOwner(value));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (mlirOperationEqual(op, loop)) return true;
  return false;
}

static void add_captured(pa_splitting *s, pa_value_list *list, MlirValue value) {
  for (size_t i = 0; i < list->count; ++i)
    if (mlirValueEqual(list->items[i], value)) return;
  list->items = pa_arena_grow(s->arena, list->items, list->count, &list->capacity, sizeof value);
  list->items[list->count++] = value;
}

static void collect_captured(pa_splitting *s, MlirOperation loop, MlirBlock block, pa_value_list *list) {
  PA_FOR_EACH_OP(op, block) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (!is_inside(mlirOperationGetOperand(op, i), loop)) add_captured(s, list, mlirOperationGetOperand(op, i));
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) collect_captured(s, loop, pa_body(op, r), list);
  }
}

// Constants are made again, and what is on the stack (owner slots, results of runtime functions) is each thread's own.
static bool is_remade(MlirValue value) {
  return pa_defined_by(value, "arith.constant") || pa_defined_by(value, "memref.alloca");
}

static MlirValue remake(pa_builder *at, MlirValue value) {
  MlirOperation made = mlirOpResultGetOwner(value), copy = mlirOperationClone(made);
  mlirBlockAppendOwnedOperation(at->block, copy);
  MlirValue result = mlirOperationGetResult(copy, 0);
  if (mlirAttributeIsNull(pa_get_attr(made, "pyarray.owner_slot"))) return result;
  MlirValue none = pa_constant_int(at, mlirIntegerTypeGet(at->context, 64), 0);
  pa_op(at, "memref.store", PA_OPERANDS(none, result));
  return result;
}

static void replace_inside(MlirBlock block, MlirValue from, MlirValue to) {
  PA_FOR_EACH_OP(op, block) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (mlirValueEqual(mlirOperationGetOperand(op, i), from)) mlirOperationSetOperand(op, i, to);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) replace_inside(pa_body(op, r), from, to);
  }
}

// Parameters go to the front; |*out_count| of them.
static void order_captured(pa_splitting *s, pa_value_list *captured, size_t *out_count) {
  MlirValue *ordered = PA_NEW_ARRAY(s->arena, MlirValue, captured->count + 1);
  size_t at = 0;
  for (int remade = 0; remade < 2; ++remade) {
    for (size_t i = 0; i < captured->count; ++i)
      if (is_remade(captured->items[i]) == (remade == 1)) ordered[at++] = captured->items[i];
    if (!remade) *out_count = at;
  }
  captured->items = ordered;
}

pa_chunk pa_chunk_begin(pa_splitting *s, MlirOperation loop, const MlirValue *extra, size_t extra_count) {
  pa_chunk chunk = {.loop = loop};
  collect_captured(s, loop, pa_body(loop, 0), &chunk.captured);
  for (size_t i = 0; i < extra_count; ++i) add_captured(s, &chunk.captured, extra[i]);
  order_captured(s, &chunk.captured, &chunk.parameters);
  const char *stem = pa_attr_text(s->arena, pa_get_attr(s->function, "sym_name"));
  chunk.name = pa_arena_format(s->arena, "%s.chunk%d", stem, s->chunks);
  chunk.launch = pa_arena_format(s->arena, "%s.launch%d", stem, s->chunks++);
  return chunk;
}

//===-- The function ------------------------------------------------------------------------------===//

static void emit_function(pa_splitting *s, pa_builder *at, const char *name, MlirType type, MlirRegion body,
                          MlirAttribute launch) {
  pa_builder builder = *at;
  builder.block = pa_module_body(s->module);
  builder.before = s->function;
  pa_op(&builder, PA_OP_NAME(FUNC), PA_REGIONS(body),
        PA_ATTRS({"sym_name", pa_string_attr(at->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"sym_visibility", pa_string_attr(at->context, "private")}, {"pyarray.launch", launch},
                 {"pyarray.qualname", pa_get_attr(s->function, "pyarray.qualname")}));
  pa_take_failure(at, &builder);
}

static MlirType *parameter_types(pa_splitting *s, const pa_builder *at, const pa_chunk *chunk, size_t first) {
  MlirType *types = PA_NEW_ARRAY(s->arena, MlirType, first + chunk->parameters);
  for (size_t i = 0; i < first; ++i) types[i] = mlirIntegerTypeGet(at->context, 64);
  for (size_t i = 0; i < chunk->parameters; ++i) types[first + i] = mlirValueGetType(chunk->captured.items[i]);
  return types;
}

MlirRegion pa_chunk_open(pa_splitting *s, pa_builder *at, pa_chunk *chunk, MlirValue *values, intptr_t count,
                         pa_builder *out_inside) {
  MlirType *types = parameter_types(s, at, chunk, PA_CHUNK_PARAMETERS);
  MlirRegion region = pa_inner_region(at, types, (intptr_t)(PA_CHUNK_PARAMETERS + chunk->parameters), out_inside);
  for (size_t i = 0; i < chunk->captured.count; ++i) {
    MlirValue outside = chunk->captured.items[i];
    MlirValue here = i < chunk->parameters
                         ? mlirBlockGetArgument(out_inside->block, (intptr_t)(PA_CHUNK_PARAMETERS + i))
                         : remake(out_inside, outside);
    replace_inside(pa_body(chunk->loop, 0), outside, here);
    for (intptr_t k = 0; k < count; ++k)
      if (mlirValueEqual(values[k], outside)) values[k] = here;
  }
  return region;
}

void pa_chunk_close(pa_splitting *s, pa_builder *at, const pa_chunk *chunk, pa_builder *inside, MlirRegion region) {
  MlirType i32 = mlirIntegerTypeGet(at->context, 32);
  MlirValue success = pa_constant_int(inside, i32, 0);
  pa_op(inside, PA_OP_NAME(RETURN), PA_OPERANDS(success));
  pa_take_failure(at, inside);
  MlirType *types = parameter_types(s, at, chunk, PA_CHUNK_PARAMETERS);
  MlirType type = mlirFunctionTypeGet(at->context, (intptr_t)(PA_CHUNK_PARAMETERS + chunk->parameters), types, 1, &i32);
  emit_function(s, at, chunk->name, type, region, mlirAttributeGetNull());
}

//===-- The call ----------------------------------------------------------------------------------===//

void pa_declare_noreturn(pa_splitting *s, pa_builder *at, const char *name, const MlirType *inputs, intptr_t count) {
  if (!mlirOperationIsNull(pa_lookup(s->module, pa_ref(name)))) return;
  pa_builder builder = *at;
  builder.block = pa_module_body(s->module);
  builder.before = s->function;
  pa_op(&builder, PA_OP_NAME(FUNC), PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(at->context, name)},
                 {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(at->context, count, inputs, 0, NULL))},
                 {"sym_visibility", pa_string_attr(at->context, "private")},
                 {"pyarray.noreturn", pa_unit_attr(at->context)}));
  pa_take_failure(at, &builder);
}

static void leave_if_failed(pa_splitting *s, pa_builder *at, MlirOperation loop, MlirValue status) {
  pa_declare_noreturn(s, at, "pyarray_rt_leave", NULL, 0);
  MlirType i1 = mlirIntegerTypeGet(at->context, 1);
  MlirValue zero = pa_constant_int(at, mlirIntegerTypeGet(at->context, 32), 0);
  MlirValue failed = pa_value(at, "arith.cmpi", PA_OPERANDS(status, zero), PA_RESULTS(i1),
                              PA_ATTRS({"predicate", pa_i64_attr(at->context, 1)}));
  pa_builder inside;
  MlirRegion then = pa_inner_region(at, NULL, 0, &inside);
  pa_op(&inside, PA_OP_NAME(FUNC_CALL),
        PA_ATTRS({"callee", pa_symbol_attr(at->context, "pyarray_rt_leave")},
                 {"pyarray.try", pa_get_attr(loop, "pyarray.try")},
                 {"pyarray.handlers", pa_get_attr(loop, "pyarray.handlers")}));
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(failed), PA_REGIONS(then, mlirRegionCreate()));
}

static MlirValue call_of(pa_builder *at, const char *name, const MlirValue *operands, intptr_t count) {
  return pa_value(at, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(operands, count),
                  PA_RESULTS(mlirIntegerTypeGet(at->context, 32)),
                  PA_ATTRS({"callee", pa_symbol_attr(at->context, name)}));
}

// Parts that are counted before: operations on arrays (pyarray-lower-linalg).
static bool counts_parts(MlirOperation loop) {
  MlirAttribute grain = pa_get_attr(loop, "pyarray.grain");
  return !mlirAttributeIsNull(grain) && mlirAttributeIsAInteger(grain) && mlirIntegerAttrGetValueInt(grain) == -1;
}

// One part is a call, as short as one without threads.
static MlirValue call_or_launch(pa_splitting *s, pa_builder *at, const pa_chunk *chunk, const MlirValue *launched,
                                intptr_t count) {
  if (!counts_parts(chunk->loop)) return call_of(at, chunk->launch, launched, count);
  MlirType i32 = mlirIntegerTypeGet(at->context, 32), i64 = mlirIntegerTypeGet(at->context, 64);
  MlirValue *operands = PA_NEW_ARRAY(s->arena, MlirValue, PA_CHUNK_PARAMETERS + chunk->parameters);
  operands[0] = operands[2] = pa_constant_int(at, i64, 0);
  operands[1] = pa_constant_int(at, i64, 1);
  memcpy(operands + PA_CHUNK_PARAMETERS, chunk->captured.items, chunk->parameters * sizeof *operands);
  MlirValue one =
      pa_value(at, "arith.cmpi", PA_OPERANDS(chunk->count, operands[1]), PA_RESULTS(mlirIntegerTypeGet(at->context, 1)),
               PA_ATTRS({"predicate", pa_i64_attr(at->context, 0)}));
  MlirRegion regions[2];
  for (int launches = 0; launches < 2; ++launches) {
    pa_builder inside;
    regions[launches] = pa_inner_region(at, NULL, 0, &inside);
    MlirValue status =
        launches ? call_of(&inside, chunk->launch, launched, count)
                 : call_of(&inside, chunk->name, operands, (intptr_t)(PA_CHUNK_PARAMETERS + chunk->parameters));
    pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(status));
    pa_take_failure(at, &inside);
  }
  return pa_value(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(one), PA_RESULTS(i32), PA_REGIONS(regions[0], regions[1]));
}

void pa_chunk_launch(pa_splitting *s, pa_builder *at, pa_chunk *chunk, MlirValue count) {
  enum { FIRST = 2 }; // count, grain
  MlirType i32 = mlirIntegerTypeGet(at->context, 32);
  MlirType *types = parameter_types(s, at, chunk, FIRST);
  MlirValue *operands = PA_NEW_ARRAY(s->arena, MlirValue, FIRST + chunk->parameters);
  operands[0] = chunk->count = count;
  operands[1] = chunk->grain;
  memcpy(operands + FIRST, chunk->captured.items, chunk->parameters * sizeof *operands);
  intptr_t total = (intptr_t)(FIRST + chunk->parameters);
  emit_function(s, at, chunk->launch, mlirFunctionTypeGet(at->context, total, types, 1, &i32), mlirRegionCreate(),
                pa_symbol_attr(at->context, chunk->name));
  leave_if_failed(s, at, chunk->loop, call_or_launch(s, at, chunk, operands, total));
}

//===-- scf.parallel ------------------------------------------------------------------------------===//

// The index of each dimension in iteration |number| of all, the last dimension varying fastest.
static void set_indices(pa_builder *at, MlirOperation parallel, MlirValue number, const MlirValue *extents) {
  MlirBlock source = pa_body(parallel, 0);
  MlirType index = mlirIndexTypeGet(at->context);
  for (intptr_t d = mlirBlockGetNumArguments(source) - 1; d >= 0; --d) {
    MlirValue here = number;
    if (d > 0) {
      here = pa_value(at, "arith.remui", PA_OPERANDS(number, extents[d]), PA_RESULTS(index));
      number = pa_value(at, "arith.divui", PA_OPERANDS(number, extents[d]), PA_RESULTS(index));
    }
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(source, d), here);
  }
}

// Only a ufunc's iterations are known to be independent; those of prange are the user's word for it.
static bool is_independent(MlirOperation parallel) {
  return mlirAttributeIsAUnit(pa_get_attr(parallel, "pyarray.threads"));
}

static void emit_chunk_loop(pa_builder *at, MlirOperation parallel, const MlirValue *extents) {
  MlirBlock entry = at->block;
  MlirType index = mlirIndexTypeGet(at->context);
  pa_builder inside;
  MlirRegion region = pa_inner_region(at, &index, 1, &inside);
  set_indices(&inside, parallel, mlirBlockGetArgument(inside.block, 0), extents);
  pa_move_operations(pa_body(parallel, 0), inside.block);
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  MlirValue bounds[3];
  for (int i = 0; i < 2; ++i)
    bounds[i] = pa_value(at, "arith.index_cast", PA_OPERANDS(mlirBlockGetArgument(entry, i)), PA_RESULTS(index));
  bounds[2] = pa_constant_int(at, index, 1);
  pa_op(at, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(bounds, 3), PA_REGIONS(region),
        PA_ATTRS({"loop_annotation",
                  is_independent(parallel) ? pa_parallel_annotation(at->context, parallel) : mlirAttributeGetNull()}));
}

static MlirValue count_iterations(pa_builder *at, const MlirValue *extents, intptr_t dimensions) {
  MlirValue count = extents[0];
  for (intptr_t d = 1; d < dimensions; ++d)
    count = pa_value(at, "arith.muli", PA_OPERANDS(count, extents[d]), PA_RESULTS(mlirIndexTypeGet(at->context)));
  return pa_value(at, "arith.index_cast", PA_OPERANDS(count), PA_RESULTS(mlirIntegerTypeGet(at->context, 64)));
}

// Loops within that do not have as many iterations of their own in each iteration.
static bool is_uneven(const pa_splitting *s, MlirOperation loop, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&s->names, op);
    if (kind == PA_OP_SCF_WHILE) return true;
    int64_t number;
    for (int i = 0; kind == PA_OP_SCF_FOR && i < 3; ++i) {
      MlirValue bound = mlirOperationGetOperand(op, i);
      if (is_inside(bound, loop) && !pa_is_constant_int(bound, &number)) return true;
    }
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r)) && is_uneven(s, loop, pa_body(op, r))) return true;
  }
  return false;
}

MlirValue pa_emit_grain(pa_splitting *s, pa_builder *at, MlirOperation loop) {
  MlirType i64 = mlirIntegerTypeGet(at->context, 64);
  MlirAttribute given = pa_get_attr(loop, "pyarray.grain");
  if (!mlirAttributeIsNull(given) && mlirAttributeIsAInteger(given))
    return pa_constant_int(at, i64, mlirIntegerAttrGetValueInt(given));
  MlirBlock body = pa_body(loop, 0);
  MlirValue grain = pa_constant_int(at, i64, PA_CHUNK_COST / (cost_of(s, body) + 1) + 1);
  return is_uneven(s, loop, body) ? pa_call_integers(s, at, "pyarray_rt_uneven_grain", &grain, 1) : grain;
}

void pa_split_parallel(pa_splitting *s, pa_builder *at, MlirOperation parallel) {
  intptr_t dimensions = mlirBlockGetNumArguments(pa_body(parallel, 0));
  pa_private_copies copies = {0};
  at->failure = pa_find_private(s, parallel, &copies);
  if (pa_failed(at)) return;
  MlirValue *extents =
      PA_NEW_ARRAY(s->arena, MlirValue, dimensions + pa_private_capacity(&copies)); // and what copies need
  for (intptr_t d = 0; d < dimensions; ++d) extents[d] = mlirOperationGetOperand(parallel, dimensions + d);
  MlirValue count = count_iterations(at, extents, dimensions);
  MlirValue grain = pa_private_grain(s, at, &copies, count, pa_emit_grain(s, at, parallel));
  if (copies.count)
    pa_allocate_private(s, at, &copies,
                        pa_call_integers(s, at, "pyarray_rt_parallel_parts", (MlirValue[]){count, grain}, 2));
  intptr_t extra = dimensions + pa_private_values(&copies, extents + dimensions);
  pa_chunk chunk = pa_chunk_begin(s, parallel, extents + 1, (size_t)extra - 1);
  chunk.grain = grain;
  pa_builder inside;
  MlirRegion region = pa_chunk_open(s, at, &chunk, extents, extra, &inside);
  pa_open_private(s, &inside, &copies, extents + dimensions);
  emit_chunk_loop(&inside, parallel, extents);
  pa_chunk_close(s, at, &chunk, &inside, region);
  pa_chunk_launch(s, at, &chunk, count);
  pa_combine_private(s, at, &copies);
}
