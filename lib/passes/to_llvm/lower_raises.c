// pyarray-lower-raises: a call of a noreturn function ends its block; errors release what is owned there and leave by
// one block for each function.
//
// In:  level 4 with control flow already in blocks (after pyarray-lower-control-flow), where a raise is a call among
// other code:
//
//   ^bb1: func.call @pyarray_rt_raise(%site) : (i32) -> ()      // declared with the unit attribute pyarray.noreturn
//         cf.br ^bb2(%x : f64)
//
// Out: the block goes to the exit of the owner slots that may hold something there (raise_exits.h), and on to the error
// block, which returns status 1:
//
//   ^bb1:   func.call @pyarray_rt_raise(%site) : (i32) -> ()
//           cf.br ^exit
//   ^exit:  %owner = memref.load %slot[] : memref<i64>
//           func.call @pyarray_rt_release(%owner) : (i64) -> ()
//           cf.br ^error
//   ^error: return %c1, %poison : i32, f64
//
// A call with pyarray.try = 3 goes to the handler of that try instead, by exits that empty the slots made within the
// try:
//
//   %failed = func.call @pyarray_try() {pyarray.try = 3 : i64} : () -> i1
//   cf.cond_br %failed, ^handler, ^body                                           // becomes cf.br ^body
//
// With pyarray.handlers = n it ends n handlers (pyarray_rt_uncatch). Calls of pyarray_rt_leave that go to a handler are
// branches, and nothing more.
//
// Blocks that nothing reaches any more are removed. The function marked pyarray.entry also gets its type as the
// attribute pyarray.entry_type, since pyarray-emit-entry needs the shapes of its parameters after the conversion to
// llvm. In a gpu.module kernels (gpu.func) have no status: the error block ends the thread.
#include "ir/ir.h"
#include "pass.h"
#include "raise_exits.h"
#include "support/map.h"

static const char release_name[] = "pyarray_rt_release", uncatch_name[] = "pyarray_rt_uncatch",
                  try_name[] = "pyarray_try", leave_name[] = "pyarray_rt_leave";

typedef struct lowering {
  pa_arena *arena;
  MlirContext context;
  MlirAttribute *noreturn; // symbol references to the functions that do not return
  size_t noreturn_count, noreturn_capacity;
  MlirIdentifier call_name, alloca_name, kernel_name; // the last: gpu.func
  MlirOperation module;                               // or gpu.module
} lowering;

//===-- Facts -------------------------------------------------------------------------------------===//

static void collect_noreturn(lowering *low) {
  PA_FOR_EACH_OP(op, pa_body(low->module, 0)) {
    if (!pa_has_attr(op, "pyarray.noreturn")) continue;
    low->noreturn =
        pa_arena_grow(low->arena, low->noreturn, low->noreturn_count, &low->noreturn_capacity, sizeof *low->noreturn);
    MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "sym_name"));
    low->noreturn[low->noreturn_count++] = mlirFlatSymbolRefAttrGet(low->context, name);
  }
}

static bool never_returns(const lowering *low, MlirOperation op) {
  if (!mlirIdentifierEqual(mlirOperationGetName(op), low->call_name)) return false;
  MlirAttribute callee = pa_get_attr(op, "callee");
  for (size_t i = 0; i < low->noreturn_count; i++)
    if (mlirAttributeEqual(callee, low->noreturn[i])) return true;
  return false;
}

typedef struct nested_search {
  const lowering *low;
  MlirOperation found;
} nested_search;

static MlirWalkResult find_nested(MlirOperation op, void *data) {
  nested_search *search = data;
  if (!never_returns(search->low, op)) return MlirWalkResultAdvance;
  search->found = op;
  return MlirWalkResultInterrupt;
}

static bool is_propagate(MlirOperation op) {
  MlirAttribute callee = mlirOperationGetAttributeByName(op, pa_ref("callee"));
  return !mlirAttributeIsNull(callee) && mlirAttributeIsAFlatSymbolRef(callee) &&
         pa_ref_equal(mlirFlatSymbolRefAttrGetValue(callee), "pyarray_rt_propagate");
}

// Where the block ends: at its first noreturn call, or at the last of the calls of pyarray_rt_propagate that follow it
// (the frames of a traceback). Another raise behind it is never reached. Null if there is none. One within the regions
// of an operation is an error.
static pa_status find_raise(const lowering *low, MlirBlock block, MlirOperation *out_call) {
  *out_call = (MlirOperation){NULL};
  PA_FOR_EACH_OP(op, block) {
    if (never_returns(low, op)) {
      MlirOperation next = mlirOperationGetNextInBlock(op);
      for (; !mlirOperationIsNull(next) && is_propagate(next); next = mlirOperationGetNextInBlock(next)) op = next;
      return *out_call = op, PA_OK;
    }
    if (mlirOperationGetNumRegions(op) == 0) continue;
    nested_search search = {low, {NULL}};
    mlirOperationWalk(op, find_nested, &search, MlirWalkPreOrder);
    if (!mlirOperationIsNull(search.found))
      return pa_fail_at(
          PA_CODE_INVALID, mlirOperationGetLocation(search.found),
          "a call that does not return is inside a structured operation; run pyarray-lower-control-flow first");
  }
  return PA_OK;
}

//===-- Erasing -----------------------------------------------------------------------------------===//

static MlirWalkResult drop_operands(MlirOperation op, void *data) {
  (void)data;
  mlirOperationSetOperands(op, 0, NULL);
  return MlirWalkResultAdvance;
}

// Erases what follows |op| in |block|; all of the block if |op| is null. Uses elsewhere must be gone or doomed as well.
static void erase_after(MlirBlock block, MlirOperation op) {
  MlirOperation first = mlirOperationIsNull(op) ? mlirBlockGetFirstOperation(block) : mlirOperationGetNextInBlock(op);
  while (!mlirOperationIsNull(first)) {
    MlirOperation next = mlirOperationGetNextInBlock(first);
    mlirOperationDestroy(first);
    first = next;
  }
}

static void drop_operands_after(MlirBlock block, MlirOperation op) {
  MlirOperation first = mlirOperationIsNull(op) ? mlirBlockGetFirstOperation(block) : mlirOperationGetNextInBlock(op);
  for (; !mlirOperationIsNull(first); first = mlirOperationGetNextInBlock(first))
    mlirOperationWalk(first, drop_operands, NULL, MlirWalkPreOrder);
}

//===-- Blocks ------------------------------------------------------------------------------------===//

static size_t *slot_of(const pa_raise_blocks *list, MlirBlock block) {
  size_t at = (((uintptr_t)block.ptr >> 4) * 0x9E3779B97F4A7C15u >> 20) & list->mask;
  while (list->slots[at] && !mlirBlockEqual(list->facts[list->slots[at] - 1].block, block)) at = (at + 1) & list->mask;
  return &list->slots[at];
}

static pa_status collect_blocks(const lowering *low, MlirRegion region, pa_raise_blocks *list, bool *out_raises) {
  bool raises = false;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation raise;
    PA_TRY(find_raise(low, block, &raise));
    raises |= !mlirOperationIsNull(raise);
    list->facts = pa_arena_grow(low->arena, list->facts, list->count, &list->capacity, sizeof *list->facts);
    list->facts[list->count++] = (pa_raise_block){.block = block, .raise = raise};
  }
  *out_raises = raises;
  for (list->mask = 15; list->mask < 2 * list->count; list->mask = 2 * list->mask + 1) continue;
  list->slots = PA_NEW_ARRAY(low->arena, size_t, list->mask + 1);
  for (size_t i = 0; i < list->count; i++) *slot_of(list, list->facts[i].block) = i + 1;
  return PA_OK;
}

//===-- Tries -------------------------------------------------------------------------------------===//

static int64_t number_of(MlirOperation op, const char *name) {
  MlirAttribute number = pa_get_attr(op, name);
  return mlirAttributeIsNull(number) ? -1 : mlirIntegerAttrGetValueInt(number);
}

static bool calls(const lowering *low, MlirOperation op, const char *name) {
  MlirAttribute callee = pa_get_attr(op, "callee");
  return mlirIdentifierEqual(mlirOperationGetName(op), low->call_name) &&
         pa_ref_equal(mlirFlatSymbolRefAttrGetValue(callee), name);
}

// The block's last call of pyarray_try decides its branch.
static pa_status collect_try(const lowering *low, pa_raise_blocks *list, size_t index) {
  MlirBlock block = list->facts[index].block;
  PA_FOR_EACH_OP(op, block) {
    if (!calls(low, op, try_name)) continue;
    MlirOperation branch = mlirBlockGetTerminator(block);
    if (mlirOperationGetNumSuccessors(branch) != 2 ||
        !mlirValueEqual(mlirOperationGetOperand(branch, 0), mlirOperationGetResult(op, 0)))
      return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op),
                        "a call of pyarray_try decides the branch that ends its block");
    list->tries = pa_arena_grow(low->arena, list->tries, list->try_count, &list->try_capacity, sizeof *list->tries);
    list->tries[list->try_count++] =
        (pa_raise_try){number_of(op, "pyarray.try"),         number_of(op, "pyarray.parent"),     index, op,
                       mlirOperationGetSuccessor(branch, 0), mlirOperationGetSuccessor(branch, 1)};
    list->facts[index].entered = list->try_count;
    pa_map_put(low->arena, &list->by_number, (void *)(uintptr_t)(list->tries[list->try_count - 1].number + 1),
               (void *)(uintptr_t)list->try_count);
  }
  return PA_OK;
}

// Where a raise goes: a handler, or null, out of the function.
static MlirBlock target_of(const pa_raise_blocks *list, MlirOperation raise) {
  size_t caught = pa_find_catching_try(list, raise);
  return caught ? list->tries[caught - 1].handler : (MlirBlock){NULL};
}

static void add_successor(const pa_raise_blocks *list, pa_raise_block *fact, MlirBlock block) {
  fact->successors[fact->successor_count++] = *slot_of(list, block) - 1;
}

// Blocks with a raise have no other successor than where it goes, and a try is entered by its body alone.
static void link_block(pa_arena *arena, const pa_raise_blocks *list, pa_raise_block *fact) {
  MlirOperation terminator = mlirBlockGetTerminator(fact->block);
  bool raises = !mlirOperationIsNull(fact->raise);
  intptr_t count = mlirOperationIsNull(terminator) ? 0 : mlirOperationGetNumSuccessors(terminator);
  fact->successors = PA_NEW_ARRAY(arena, size_t, count + 1);
  MlirBlock handler = raises ? target_of(list, fact->raise) : (MlirBlock){NULL};
  if (!mlirBlockIsNull(handler)) add_successor(list, fact, handler);
  if (!raises && fact->entered) add_successor(list, fact, list->tries[fact->entered - 1].body);
  for (intptr_t i = 0; !raises && !fact->entered && i < count; i++)
    add_successor(list, fact, mlirOperationGetSuccessor(terminator, i));
}

// Marks what can be reached from the first block.
static void mark_reachable(pa_arena *arena, pa_raise_blocks *list) {
  size_t *work = PA_NEW_ARRAY(arena, size_t, list->count);
  size_t depth = 0;
  list->facts[0].reachable = true;
  work[depth++] = 0;
  while (depth) {
    const pa_raise_block *fact = &list->facts[work[--depth]];
    for (size_t i = 0; i < fact->successor_count; i++) {
      pa_raise_block *next = &list->facts[fact->successors[i]];
      if (next->reachable) continue;
      next->reachable = true;
      work[depth++] = fact->successors[i];
    }
  }
}

// Values may be used across doomed blocks in any order, so all operands go first, then operations, then blocks.
static void erase_unreachable(pa_raise_blocks *list) {
  for (size_t i = 0; i < list->count; i++) {
    pa_raise_block *fact = &list->facts[i];
    if (!fact->reachable)
      drop_operands_after(fact->block, (MlirOperation){NULL});
    else if (!mlirOperationIsNull(fact->raise))
      drop_operands_after(fact->block, fact->raise);
  }
  for (size_t i = 0; i < list->count; i++) {
    pa_raise_block *fact = &list->facts[i];
    if (!fact->reachable)
      erase_after(fact->block, (MlirOperation){NULL});
    else if (!mlirOperationIsNull(fact->raise))
      erase_after(fact->block, fact->raise);
  }
  for (size_t i = 0; i < list->count; i++) {
    if (list->facts[i].reachable) continue;
    mlirBlockDetach(list->facts[i].block);
    mlirBlockDestroy(list->facts[i].block);
  }
}

//===-- Exits -------------------------------------------------------------------------------------===//

static void declare(const lowering *low, pa_builder *builder, const char *name) {
  if (!mlirOperationIsNull(pa_lookup(low->module, pa_ref(name)))) return;
  MlirType argument = mlirIntegerTypeGet(low->context, 64);
  MlirType type = mlirFunctionTypeGet(low->context, 1, &argument, 0, NULL);
  pa_builder at_end = *builder;
  at_end.block = pa_module_body(low->module);
  at_end.before = (MlirOperation){NULL};
  pa_op(&at_end, PA_OP_NAME(FUNC),
        PA_ATTRS({"sym_name", pa_string_attr(low->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"sym_visibility", pa_string_attr(low->context, "private")}),
        PA_REGIONS(mlirRegionCreate()));
  builder->failure = at_end.failure;
}

static void call_with(const lowering *low, pa_builder *builder, const char *name, MlirValue operand) {
  declare(low, builder, name);
  pa_op(builder, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(operand), PA_ATTRS({"callee", pa_symbol_attr(low->context, name)}));
}

// Slots made after the entry block's own raise, |entry->raise|, are about to be erased.
static void collect_owners(const lowering *low, pa_raise_blocks *list) {
  const pa_raise_block *entry = &list->facts[0];
  list->owners.arena = low->arena;
  PA_FOR_EACH_OP(op, entry->block) {
    if (mlirOperationEqual(op, entry->raise)) break;
    if (mlirIdentifierEqual(mlirOperationGetName(op), low->alloca_name) && pa_has_attr(op, "pyarray.owner_slot"))
      pa_op_list_add(&list->owners, op);
  }
}

// Slots are empty behind an exit that leads to a handler. The mark keeps MLIR from merging exits that differ in their
// slots alone: of memory whose address is a block's argument LLVM makes no values, and a coroutine loses it.
static pa_status build_exit(const lowering *low, MlirOperation function, const pa_raise_blocks *list,
                            pa_raise_exit *exit) {
  exit->block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(function, 0), exit->block);
  pa_builder builder = {.context = low->context, .block = exit->block, .location = mlirOperationGetLocation(function)};
  MlirType i64 = mlirIntegerTypeGet(low->context, 64);
  MlirValue slot = mlirOperationGetResult(list->owners.items[exit->slot], 0);
  MlirAttribute mark = pa_i64_attr(low->context, (int64_t)exit->slot);
  call_with(low, &builder, release_name,
            pa_value(&builder, "memref.load", PA_OPERANDS(slot), PA_RESULTS(i64), PA_ATTRS({"pyarray.exit", mark})));
  if (exit->caught) pa_op(&builder, "memref.store", PA_OPERANDS(pa_constant_int(&builder, i64, 0), slot));
  pa_op(&builder, "cf.br", PA_SUCCESSORS(list->exits[exit->next].block));
  return builder.failure;
}

static void return_failure(pa_arena *arena, pa_builder *builder, MlirType function_type) {
  intptr_t count = mlirFunctionTypeGetNumResults(function_type);
  MlirValue *results = PA_NEW_ARRAY(arena, MlirValue, count);
  for (intptr_t i = 0; i < count; i++) {
    MlirType type = mlirFunctionTypeGetResult(function_type, i);
    results[i] = i == 0 ? pa_constant_int(builder, type, 1) : pa_value(builder, "ub.poison", PA_RESULTS(type));
  }
  pa_op(builder, PA_OP_NAME(RETURN), PA_OPERAND_ARRAY(results, count));
}

static pa_status build_error_block(const lowering *low, MlirOperation function, MlirBlock error) {
  pa_builder builder = {.context = low->context, .block = error, .location = mlirOperationGetLocation(function)};
  if (mlirIdentifierEqual(mlirOperationGetName(function), low->kernel_name)) { // the thread ends
    pa_op(&builder, "gpu.return");
    return builder.failure;
  }
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  MlirType status = mlirFunctionTypeGetNumResults(type) ? mlirFunctionTypeGetResult(type, 0) : (MlirType){NULL};
  if (mlirTypeIsNull(status) || !mlirTypeIsAInteger(status))
    return pa_fail_at(PA_CODE_INVALID, builder.location, "a function that can raise must return a status first");
  return_failure(low->arena, &builder, type);
  return builder.failure;
}

static pa_status build_exits(const lowering *low, MlirOperation function, pa_raise_blocks *list) {
  pa_raise_exit *error = &list->exits[0];
  error->block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(function, 0), error->block);
  PA_TRY(build_error_block(low, function, error->block));
  for (size_t i = 0; i < list->try_count; i++) list->exits[1 + i].block = list->tries[i].handler;
  for (size_t i = 1 + list->try_count; i < list->exit_count; i++)
    PA_TRY(build_exit(low, function, list, &list->exits[i]));
  return PA_OK;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status branch_after(MlirBlock block, MlirOperation last, MlirBlock target, MlirOperation *out_branch) {
  MlirOperationState state = mlirOperationStateGet(pa_ref("cf.br"), mlirOperationGetLocation(last));
  mlirOperationStateAddSuccessors(&state, 1, &target);
  *out_branch = mlirOperationCreate(&state);
  if (mlirOperationIsNull(*out_branch)) return pa_fail(PA_CODE_INTERNAL, NULL, "cf.br could not be made");
  return mlirBlockInsertOwnedOperationAfter(block, last, *out_branch), PA_OK;
}

// Ends every reachable block with a raise in a branch to its exit; what follows is erased with the unreachable blocks.
static pa_status cut_at_raises(const lowering *low, pa_raise_blocks *list) {
  for (size_t i = 0; i < list->count; i++) {
    pa_raise_block *fact = &list->facts[i];
    if (!fact->reachable || mlirOperationIsNull(fact->raise)) continue;
    const pa_raise_exit *exit = &list->exits[fact->exit];
    int64_t handlers = number_of(fact->raise, "pyarray.handlers");
    MlirOperation call = fact->raise, branch;
    PA_TRY(branch_after(fact->block, call, exit->block, &branch));
    fact->raise = branch;
    if (exit->caught && calls(low, call, leave_name)) mlirOperationDestroy(call);
    if (handlers <= 0) continue;
    pa_builder builder = {
        .context = low->context, .block = fact->block, .before = branch, .location = mlirOperationGetLocation(branch)};
    call_with(low, &builder, uncatch_name, pa_constant_int(&builder, mlirIntegerTypeGet(low->context, 64), handlers));
    PA_TRY(builder.failure);
  }
  return PA_OK;
}

// A try goes on with its body.
static pa_status enter_tries(pa_raise_blocks *list) {
  for (size_t i = 0; i < list->try_count; i++) {
    const pa_raise_try *at = &list->tries[i];
    pa_raise_block *fact = &list->facts[at->block];
    if (!fact->reachable || !mlirOperationIsNull(fact->raise)) continue;
    MlirOperation branch = mlirBlockGetTerminator(fact->block), made;
    PA_TRY(branch_after(fact->block, branch, at->body, &made));
    mlirOperationDestroy(branch);
    mlirOperationDestroy(at->call);
  }
  return PA_OK;
}

static pa_status lower_function(const lowering *low, MlirOperation function) {
  MlirRegion region = mlirOperationGetRegion(function, 0);
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(region))) return PA_OK;
  pa_raise_blocks list = {0};
  bool raises;
  PA_TRY(collect_blocks(low, region, &list, &raises));
  for (size_t i = 0; i < list.count; i++) PA_TRY(collect_try(low, &list, i));
  if (!raises && !list.try_count) return PA_OK;
  for (size_t i = 0; i < list.count; i++) link_block(low->arena, &list, &list.facts[i]);
  mark_reachable(low->arena, &list);
  collect_owners(low, &list);
  pa_find_raise_exits(low->arena, &list, !mlirIdentifierEqual(mlirOperationGetName(function), low->kernel_name));
  PA_TRY(build_exits(low, function, &list));
  PA_TRY(enter_tries(&list));
  PA_TRY(cut_at_raises(low, &list));
  erase_unreachable(&list);
  MlirBlock error = list.exits[0].block;
  if (mlirBlockGetNumPredecessors(error) == 0) {
    drop_operands_after(error, (MlirOperation){NULL});
    erase_after(error, (MlirOperation){NULL});
    mlirBlockDetach(error);
    mlirBlockDestroy(error);
  }
  return PA_OK;
}

// The functions of |module|, a builtin.module or a gpu.module, and of gpu.modules in it.
static pa_status lower_module(lowering low, MlirOperation module) {
  low.module = module;
  low.noreturn_count = 0;
  collect_noreturn(&low);
  bool has_tries = !mlirOperationIsNull(pa_lookup(module, pa_ref(try_name)));
  MlirIdentifier function = mlirIdentifierGet(low.context, pa_ref(PA_OP_NAME(FUNC)));
  MlirIdentifier gpu_module = mlirIdentifierGet(low.context, pa_ref("gpu.module"));
  PA_FOR_EACH_OP(op, pa_body(module, 0)) {
    MlirIdentifier name = mlirOperationGetName(op);
    if (mlirIdentifierEqual(name, gpu_module)) PA_TRY(lower_module(low, op));
    bool kernel = mlirIdentifierEqual(name, low.kernel_name);
    if (!kernel && !mlirIdentifierEqual(name, function)) continue;
    if (low.noreturn_count || has_tries) PA_TRY(lower_function(&low, op));
    if (pa_has_attr(op, "pyarray.entry")) pa_set_attr(op, "pyarray.entry_type", pa_get_attr(op, "function_type"));
  }
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  lowering low = {.arena = context->arena,
                  .context = context->context,
                  .call_name = mlirIdentifierGet(context->context, pa_ref(PA_OP_NAME(FUNC_CALL))),
                  .alloca_name = mlirIdentifierGet(context->context, pa_ref("memref.alloca")),
                  .kernel_name = mlirIdentifierGet(context->context, pa_ref("gpu.func"))};
  return lower_module(low, module);
}

const pa_pass pa_pass_lower_raises = {
    .argument = "pyarray-lower-raises",
    .summary = "End blocks at raises and release what a function owns when it fails",
    .dependent_dialects = (const char *const[]){"cf", "func", "gpu", "memref", "arith", "ub", NULL},
    .run = run,
};
