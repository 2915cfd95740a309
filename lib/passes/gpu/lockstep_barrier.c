// Of pyarray-gpu-to-cpu: synchronising operations, and threads that a barrier waits for in vain.
//
// Where a barrier is within control flow that threads do not share, threads may be missing. Those that have returned
// are not waited for; which ones have is seen from what they do afterwards: a thread that was missing and then has an
// effect (a store, say), or comes to another barrier, had not returned. |absent| has for each thread 1 + the raise site
// of the first barrier that it missed, or 0.
#include <string.h>

#include "ir/blocks.h"
#include "lockstep.h"

//===-- Calls of the runtime ----------------------------------------------------------------------===//

void pa_lockstep_declare(pa_lockstep *lock, const char *name, MlirType type, bool noreturn) {
  if (!mlirOperationIsNull(pa_lookup(lock->module, pa_ref(name)))) return;
  pa_builder at = {.context = lock->context,
                   .block = pa_module_body(lock->module),
                   .location = mlirLocationUnknownGet(lock->context)};
  pa_op(&at, PA_OP_NAME(FUNC), PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(lock->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"sym_visibility", pa_string_attr(lock->context, "private")},
                 {"pyarray.noreturn", noreturn ? pa_unit_attr(lock->context) : mlirAttributeGetNull()}));
  pa_take_failure(&lock->once, &at);
}

// Calls a function of the runtime from code that runs once for the block.
MlirValue pa_lockstep_call(pa_lockstep *lock, const char *name, MlirType result, const MlirValue *operands,
                           intptr_t count) {
  MlirType *types = PA_NEW_ARRAY(lock->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    if (mlirValueIsNull(operands[i])) return (MlirValue){NULL};
    types[i] = mlirValueGetType(operands[i]);
  }
  intptr_t results = mlirTypeIsNull(result) ? 0 : 1;
  pa_lockstep_declare(lock, name, mlirFunctionTypeGet(lock->context, count, types, results, &result), false);
  MlirOperation op = pa_op(&lock->once, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(operands, count), .results = &result,
                           .result_count = results, PA_ATTRS({"callee", pa_symbol_attr(lock->context, name)}));
  return results && !mlirOperationIsNull(op) ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
}

void pa_leave_if(pa_lockstep *lock, MlirValue status) {
  pa_lockstep_declare(lock, "pyarray_rt_leave", mlirFunctionTypeGet(lock->context, 0, NULL, 0, NULL), true);
  MlirValue success = pa_constant_int(&lock->once, lock->i32, 0);
  MlirValue failed = pa_value(&lock->once, "arith.cmpi", PA_OPERANDS(status, success), PA_RESULTS(lock->i1),
                              PA_ATTRS({"predicate", pa_i64_attr(lock->context, 1)}));
  pa_builder inside;
  MlirRegion then = pa_inner_region(&lock->once, NULL, 0, &inside);
  pa_op(&inside, PA_OP_NAME(FUNC_CALL), PA_ATTRS({"callee", pa_symbol_attr(lock->context, "pyarray_rt_leave")}));
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(&lock->once, &inside);
  pa_op(&lock->once, PA_OP_NAME(SCF_IF), PA_OPERANDS(failed), PA_REGIONS(then, mlirRegionCreate()));
}

//===-- Who is missing ----------------------------------------------------------------------------===//

static bool does_nothing(MlirBlock block) {
  return mlirBlockIsNull(block) || mlirOperationEqual(mlirBlockGetFirstOperation(block), mlirBlockGetTerminator(block));
}

// Threads that do not take this branch have nothing more to do: they have returned.
bool pa_others_return(const pa_lockstep *lock, MlirOperation op, int branch) {
  if (!does_nothing(pa_body(op, 1 - branch))) return false;
  for (MlirOperation at = op; !mlirOperationEqual(at, lock->kernel); at = mlirOperationGetParentOperation(at)) {
    MlirOperation next = mlirOperationGetNextInBlock(at);
    if (!mlirOperationEqual(next, mlirBlockGetTerminator(mlirOperationGetBlock(at)))) return false;
    if (pa_kind(&lock->names, at) != PA_OP_SCF_IF) return false;
  }
  return true;
}

// Whether a barrier of |block| may be run by some threads only. |partial|: others, which have not returned, are
// elsewhere.
static bool has_partial_barrier(pa_lockstep *lock, MlirBlock block, bool partial) {
  PA_FOR_EACH_OP(op, block) {
    if (!pa_is_synchronising(lock, op)) continue;
    if (partial && pa_is_for_block(lock, op)) return true;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      bool all = !pa_is_divergent_branch(lock, op) ||
                 (pa_kind(&lock->names, op) == PA_OP_SCF_IF && pa_others_return(lock, op, (int)r));
      if (!mlirBlockIsNull(pa_body(op, r)) && has_partial_barrier(lock, pa_body(op, r), partial || !all)) return true;
    }
  }
  return false;
}

void pa_watch_barriers(pa_lockstep *lock) {
  if (!has_partial_barrier(lock, pa_body(lock->kernel, 0), false)) return;
  lock->absent = pa_new_slot(lock, lock->i32);
  pa_segment *segment = pa_segment_open(lock);
  pa_slot_store(lock, &segment->body, lock->absent, segment->linear, pa_constant_int(&segment->body, lock->i32, 0));
  pa_segment_close(lock);
}

void pa_check_present(pa_lockstep *lock, pa_builder *at) {
  if (!lock->absent) return;
  MlirValue thread = lock->segment.linear, missed = pa_slot_load(lock, at, lock->absent, thread);
  MlirValue none = pa_constant_int(at, lock->i32, 0);
  MlirValue absent = pa_value(at, "arith.cmpi", PA_OPERANDS(missed, none), PA_RESULTS(lock->i1),
                              PA_ATTRS({"predicate", pa_i64_attr(lock->context, 1)}));
  pa_builder inside;
  MlirRegion then = pa_inner_region(at, NULL, 0, &inside);
  pa_lockstep_declare(lock, "pyarray_rt_block_missing",
                      mlirFunctionTypeGet(lock->context, 3, (MlirType[]){lock->ptr, lock->ptr, lock->i64}, 0, NULL),
                      true);
  pa_op(&inside, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(lock->block, lock->absent->base, thread),
        PA_ATTRS({"callee", pa_symbol_attr(lock->context, "pyarray_rt_block_missing")}));
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(absent), PA_REGIONS(then, mlirRegionCreate()));
}

//===-- Synchronising operations ------------------------------------------------------------------===//

static MlirValue mask_pointer(pa_lockstep *lock, const pa_slot *mask) {
  return mask ? mask->base : pa_value(&lock->once, "llvm.mlir.zero", PA_RESULTS(lock->ptr));
}

int64_t pa_new_raise_site(pa_lockstep *lock, MlirLocation location, const char *exception, const char *message) {
  MlirAttribute old = pa_get_attr(lock->module, "pyarray.sites"), argument = pa_string_attr(lock->context, message);
  intptr_t count = mlirAttributeIsNull(old) ? 0 : mlirArrayAttrGetNumElements(old);
  MlirAttribute *sites = PA_NEW_ARRAY(lock->arena, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i) sites[i] = mlirArrayAttrGetElement(old, i);
  pa_location place = pa_source_location(lock->arena, location);
  const char *function = pa_attr_text(lock->arena, pa_get_attr(lock->kernel, "sym_name"));
  const struct {
    const char *name;
    MlirAttribute value;
  } fields[] = {{"args", mlirArrayAttrGet(lock->context, 1, &argument)},
                {"exception", pa_string_attr(lock->context, exception)},
                {"file", pa_string_attr(lock->context, place.file ? place.file : "")},
                {"function", pa_string_attr(lock->context, function)},
                {"line", pa_i64_attr(lock->context, place.line)}};
  MlirNamedAttribute named[sizeof fields / sizeof *fields];
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    named[i] = mlirNamedAttributeGet(mlirIdentifierGet(lock->context, pa_ref(fields[i].name)), fields[i].value);
  sites[count] = mlirDictionaryAttrGet(lock->context, sizeof fields / sizeof *fields, named);
  pa_set_attr(lock->module, "pyarray.sites", mlirArrayAttrGet(lock->context, count + 1, sites));
  return count;
}

// Every thread that has not returned has to be here. One that is not may be on its way out: it is absent from then on,
// and an error if it has an effect or comes to another barrier.
static void check_all_here(pa_lockstep *lock, MlirOperation op) {
  if (!lock->absent) return;
  int64_t number =
      pa_new_raise_site(lock, mlirOperationGetLocation(op), "RuntimeError",
                        "not all threads of the block reach this barrier: thread ({0}, {1}, {2}) is missing");
  MlirValue site = pa_constant_int(&lock->once, lock->i32, number);
  MlirValue operands[] = {lock->block, mask_pointer(lock, lock->mask), mask_pointer(lock, lock->required),
                          lock->absent->base, site};
  pa_leave_if(lock, pa_lockstep_call(lock, "pyarray_rt_block_barrier", lock->i32, operands, PA_COUNT(operands)));
}

// Blocks that wait for each other: all threads of each, also those that have nothing left to do where it is for the
// grid.
static void emit_wait(pa_lockstep *lock, MlirOperation op, bool whole_grid) {
  pa_segment_close(lock);
  check_all_here(lock, op);
  if (whole_grid && lock->mask) {
    int64_t number = pa_new_raise_site(
        lock, mlirOperationGetLocation(op), "RuntimeError",
        "not all threads of the grid reach this barrier: thread ({0}, {1}, {2}) of the block is missing");
    MlirValue operands[] = {lock->block, mask_pointer(lock, lock->mask),
                            pa_constant_int(&lock->once, lock->i32, number)};
    pa_leave_if(lock, pa_lockstep_call(lock, "pyarray_rt_block_whole", lock->i32, operands, PA_COUNT(operands)));
  }
  lock->waits |= whole_grid ? PA_WAITS_FOR_GRID : PA_WAITS_FOR_CLUSTER;
  const char *message =
      pa_arena_format(lock->arena, "not all blocks of the %s reach this barrier: block ({0}, {1}, {2}) is missing",
                      whole_grid ? "grid" : "cluster");
  MlirValue site = pa_constant_int(&lock->once, lock->i32,
                                   pa_new_raise_site(lock, mlirOperationGetLocation(op), "RuntimeError", message));
  pa_lockstep_call(lock, whole_grid ? "pyarray_rt_grid_barrier" : "pyarray_rt_cluster_barrier", (MlirType){NULL},
                   (MlirValue[]){lock->block, site}, 2);
}

void pa_emit_barrier(pa_lockstep *lock, MlirOperation op) {
  pa_segment_close(lock);
  check_all_here(lock, op);
  pa_tell_order(lock, "pyarray_rt_race_barrier");
}

static bool is_call_of_syncwarp(MlirOperation op) {
  return pa_ref_equal(mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee")), "pyarray_dev_syncwarp");
}

// f(x, y) on all active threads at once: f_block(block, mask, addresses of all x, of all y, of all results).
void pa_emit_sync_call(pa_lockstep *lock, MlirOperation op) {
  const char *kind = pa_sync_kind(lock, op);
  if (strcmp(kind, "grid") == 0 || strcmp(kind, "cluster") == 0) {
    emit_wait(lock, op, strcmp(kind, "grid") == 0);
    return;
  }
  intptr_t count = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op), at = 0;
  bool whole_block = strcmp(kind, "block") == 0;
  MlirValue *operands = PA_NEW_ARRAY(lock->arena, MlirValue, count + results + 2);
  pa_slot **slots = PA_NEW_ARRAY(lock->arena, pa_slot *, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i), here = pa_segment_value(lock, operand);
    pa_segment *segment = pa_segment_open(lock);
    slots[i] = pa_new_slot(lock, mlirValueGetType(operand));
    pa_slot_store(lock, &segment->body, slots[i], segment->linear, here);
  }
  pa_segment_close(lock);
  if (whole_block) check_all_here(lock, op);
  if (whole_block || is_call_of_syncwarp(op))
    pa_tell_order(lock, whole_block ? "pyarray_rt_race_barrier" : "pyarray_rt_race_warp");
  operands[at++] = lock->block;
  operands[at++] = mask_pointer(lock, lock->mask);
  for (intptr_t i = 0; i < count; ++i) operands[at++] = slots[i]->base;
  for (intptr_t i = 0; i < results && !whole_block; ++i)
    operands[at++] = pa_slot_of(lock, mlirOperationGetResult(op, i))->base;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee"));
  const char *block_name = pa_arena_format(lock->arena, "%.*s_block", (int)name.length, name.data);
  MlirType result = whole_block && results ? mlirValueGetType(mlirOperationGetResult(op, 0)) : (MlirType){NULL};
  MlirValue value = pa_lockstep_call(lock, block_name, result, operands, at);
  if (!mlirTypeIsNull(result)) pa_bind_uniform(lock, mlirOperationGetResult(op, 0), value);
}
