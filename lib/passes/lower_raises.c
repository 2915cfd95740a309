// pyarray-lower-raises: a call of a noreturn function ends its block; errors leave by one block for each function.
//
// In:  level 4 with control flow already in blocks (after pyarray-lower-control-flow), where a raise is a call among other code:
//
//   ^bb1: func.call @pyarray_rt_raise(%site) : (i32) -> ()      // declared with the unit attribute pyarray.noreturn
//         cf.br ^bb2(%x : f64)
//
// Out: the block goes to the error block, which releases every owner slot and returns status 1:
//
//   ^bb1:   func.call @pyarray_rt_raise(%site) : (i32) -> ()
//           cf.br ^error
//   ^error: %owner = memref.load %slot[] : memref<i64>
//           func.call @pyarray_rt_release(%owner) : (i64) -> ()
//           return %c1, %poison : i32, f64
//
// A call with pyarray.try = 3 goes to the handler of that try instead, which begins by releasing the slots made within the try:
//
//   %failed = func.call @pyarray_try() {pyarray.try = 3 : i64} : () -> i1
//   cf.cond_br %failed, ^handler, ^body                                           // becomes cf.br ^body
//
// With pyarray.handlers = n it ends n handlers (pyarray_rt_uncatch). Calls of pyarray_rt_leave that go to a handler are branches, and nothing more.
//
// Blocks that nothing reaches any more are removed. The function marked pyarray.entry also gets its type as the
// attribute pyarray.entry_type, since pyarray-emit-entry needs the shapes of its parameters after the conversion to
// llvm. In a gpu.module kernels (gpu.func) have no status: the error block ends the thread.
#include "ir/ir.h"
#include "pass.h"
#include "support/map.h"

static const char release_name[] = "pyarray_rt_release", uncatch_name[] = "pyarray_rt_uncatch", try_name[] = "pyarray_try", leave_name[] = "pyarray_rt_leave";

typedef struct lowering {
  pa_arena *arena;
  MlirContext context;
  MlirAttribute *noreturn; // symbol references to the functions that do not return
  size_t noreturn_count, noreturn_capacity;
  MlirIdentifier call_name, alloca_name, kernel_name; // the last: gpu.func
  MlirOperation module; // or gpu.module
} lowering;

//===-- Facts -------------------------------------------------------------------------------------===//

static bool has_attr(MlirOperation op, const char *name) { return !mlirAttributeIsNull(pa_get_attr(op, name)); }

static void collect_noreturn(lowering *low) {
  PA_FOR_EACH_OP(op, pa_body(low->module, 0)) {
    if (!has_attr(op, "pyarray.noreturn")) continue;
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

// Where the block ends: at its first noreturn call, or at the last of the calls of pyarray_rt_propagate that follow it (the
// frames of a traceback). Another raise behind it is never reached.
// Null if there is none. One within the regions of an operation is an error.
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
      return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(search.found),
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

typedef struct block_fact {
  MlirBlock block;
  MlirOperation raise; // its first noreturn call, or null
  bool reachable;
  size_t entered; // 1 + index of the try that it ends in; 0: none
} block_fact;

// A try, whose block ends in a branch to its handler or its body.
typedef struct try_fact {
  int64_t number, parent; // -1: none
  size_t block;           // index
  MlirOperation call;
  MlirBlock handler, body;
} try_fact;

typedef struct block_list {
  block_fact *facts;
  size_t count, capacity;
  try_fact *tries;
  size_t try_count, try_capacity;
  pa_map by_number;  // number of a try, and 1 -> 1 + its index
  pa_op_list owners; // slots of the entry block
  size_t *slots; // hash table by block: 1 + index, 0 when empty; |mask| + 1 entries
  size_t mask;
} block_list;

static size_t *slot_of(block_list *list, MlirBlock block) {
  size_t at = (((uintptr_t)block.ptr >> 4) * 0x9E3779B97F4A7C15u >> 20) & list->mask;
  while (list->slots[at] && !mlirBlockEqual(list->facts[list->slots[at] - 1].block, block)) at = (at + 1) & list->mask;
  return &list->slots[at];
}

static pa_status collect_blocks(const lowering *low, MlirRegion region, block_list *list, bool *out_raises) {
  bool raises = false;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation raise;
    PA_TRY(find_raise(low, block, &raise));
    raises |= !mlirOperationIsNull(raise);
    list->facts = pa_arena_grow(low->arena, list->facts, list->count, &list->capacity, sizeof *list->facts);
    list->facts[list->count++] = (block_fact){block, raise, false, 0};
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
  return mlirIdentifierEqual(mlirOperationGetName(op), low->call_name) && pa_ref_equal(mlirFlatSymbolRefAttrGetValue(callee), name);
}

// The block's last call of pyarray_try decides its branch.
static pa_status collect_try(const lowering *low, block_list *list, size_t index) {
  MlirBlock block = list->facts[index].block;
  PA_FOR_EACH_OP(op, block) {
    if (!calls(low, op, try_name)) continue;
    MlirOperation branch = mlirBlockGetTerminator(block);
    if (mlirOperationGetNumSuccessors(branch) != 2 || !mlirValueEqual(mlirOperationGetOperand(branch, 0), mlirOperationGetResult(op, 0)))
      return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op), "a call of pyarray_try decides the branch that ends its block");
    list->tries = pa_arena_grow(low->arena, list->tries, list->try_count, &list->try_capacity, sizeof *list->tries);
    list->tries[list->try_count++] = (try_fact){number_of(op, "pyarray.try"), number_of(op, "pyarray.parent"), index, op,
                                                mlirOperationGetSuccessor(branch, 0), mlirOperationGetSuccessor(branch, 1)};
    list->facts[index].entered = list->try_count;
    pa_map_put(low->arena, &list->by_number, (void *)(uintptr_t)(list->tries[list->try_count - 1].number + 1), (void *)(uintptr_t)list->try_count);
  }
  return PA_OK;
}

static const try_fact *find_try(const block_list *list, int64_t number) {
  size_t index = number < 0 ? 0 : (size_t)(uintptr_t)pa_map_get(&list->by_number, (void *)(uintptr_t)(number + 1));
  return index ? &list->tries[index - 1] : NULL;
}

// Whether try |inner| is |outer| or lies in its body.
static bool is_within(const block_list *list, int64_t inner, int64_t outer) {
  for (const try_fact *at = find_try(list, inner); at; at = find_try(list, at->parent))
    if (at->number == outer) return true;
  return false;
}

// Where a raise goes: a handler, or null, out of the function.
static MlirBlock target_of(const block_list *list, MlirOperation raise) {
  const try_fact *caught = find_try(list, number_of(raise, "pyarray.try"));
  return caught ? caught->handler : (MlirBlock){NULL};
}

static void reach(block_list *list, MlirBlock block, size_t *work, size_t *depth) {
  size_t index = *slot_of(list, block) - 1;
  if (list->facts[index].reachable) return;
  list->facts[index].reachable = true;
  work[(*depth)++] = index;
}

// Marks what can be reached from the first block when blocks with a raise have no other successor than where it goes, and a try
// is entered by its body alone.
static void mark_reachable(pa_arena *arena, block_list *list) {
  size_t *work = PA_NEW_ARRAY(arena, size_t, list->count);
  size_t depth = 0;
  list->facts[0].reachable = true;
  work[depth++] = 0;
  while (depth) {
    size_t index = work[--depth];
    block_fact *fact = &list->facts[index];
    const try_fact *entered = fact->entered ? &list->tries[fact->entered - 1] : NULL;
    if (!mlirOperationIsNull(fact->raise)) {
      MlirBlock handler = target_of(list, fact->raise);
      if (!mlirBlockIsNull(handler)) reach(list, handler, work, &depth);
    } else if (entered) {
      reach(list, entered->body, work, &depth);
    } else {
      MlirOperation terminator = mlirBlockGetTerminator(fact->block);
      for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(terminator); i++)
        reach(list, mlirOperationGetSuccessor(terminator, i), work, &depth);
    }
  }
}

// Values may be used across doomed blocks in any order, so all operands go first, then operations, then blocks.
static void erase_unreachable(block_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    block_fact *fact = &list->facts[i];
    if (!fact->reachable)
      drop_operands_after(fact->block, (MlirOperation){NULL});
    else if (!mlirOperationIsNull(fact->raise))
      drop_operands_after(fact->block, fact->raise);
  }
  for (size_t i = 0; i < list->count; i++) {
    block_fact *fact = &list->facts[i];
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

//===-- The error block ---------------------------------------------------------------------------===//

static void declare(const lowering *low, pa_builder *builder, const char *name) {
  if (!mlirOperationIsNull(pa_lookup(low->module, pa_ref(name)))) return;
  MlirType argument = mlirIntegerTypeGet(low->context, 64);
  MlirType type = mlirFunctionTypeGet(low->context, 1, &argument, 0, NULL);
  pa_builder at_end = *builder;
  at_end.block = pa_module_body(low->module);
  at_end.before = (MlirOperation){NULL};
  pa_op(&at_end, "func.func",
        PA_ATTRS({"sym_name", pa_string_attr(low->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"sym_visibility", pa_string_attr(low->context, "private")}),
        PA_REGIONS(mlirRegionCreate()));
  builder->failure = at_end.failure;
}

static void call_with(const lowering *low, pa_builder *builder, const char *name, MlirValue operand) {
  declare(low, builder, name);
  pa_op(builder, "func.call", PA_OPERANDS(operand), PA_ATTRS({"callee", pa_symbol_attr(low->context, name)}));
}

// Slots made after the entry block's own raise, |entry->raise|, are about to be erased.
static void collect_owners(const lowering *low, block_list *list) {
  const block_fact *entry = &list->facts[0];
  list->owners.arena = low->arena;
  PA_FOR_EACH_OP(op, entry->block) {
    if (mlirOperationEqual(op, entry->raise)) break;
    if (mlirIdentifierEqual(mlirOperationGetName(op), low->alloca_name) && has_attr(op, "pyarray.owner_slot")) pa_op_list_add(&list->owners, op);
  }
}

// The last one made comes first: generators of inner loops end before those of outer ones. |caught|: only those made within that try, which are
// empty afterwards.
static void release_slots(const lowering *low, pa_builder *builder, const block_list *list, const try_fact *caught) {
  MlirType i64 = mlirIntegerTypeGet(low->context, 64);
  const pa_op_list *slots = &list->owners;
  for (size_t i = slots->count; i-- > 0;) {
    if (caught && !is_within(list, number_of(slots->items[i], "pyarray.try"), caught->number)) continue;
    MlirValue slot = mlirOperationGetResult(slots->items[i], 0);
    call_with(low, builder, release_name, pa_value(builder, "memref.load", PA_OPERANDS(slot), PA_RESULTS(i64)));
    if (caught) pa_op(builder, "memref.store", PA_OPERANDS(pa_constant_int(builder, i64, 0), slot));
  }
}

static void return_failure(pa_arena *arena, pa_builder *builder, MlirType function_type) {
  intptr_t count = mlirFunctionTypeGetNumResults(function_type);
  MlirValue *results = PA_NEW_ARRAY(arena, MlirValue, count);
  for (intptr_t i = 0; i < count; i++) {
    MlirType type = mlirFunctionTypeGetResult(function_type, i);
    results[i] = i == 0 ? pa_constant_int(builder, type, 1) : pa_value(builder, "ub.poison", PA_RESULTS(type));
  }
  pa_op(builder, "func.return", PA_OPERAND_ARRAY(results, count));
}

static pa_status build_error_block(const lowering *low, MlirOperation function, const block_list *list, MlirBlock error) {
  pa_builder builder = {.context = low->context, .block = error, .location = mlirOperationGetLocation(function)};
  if (mlirIdentifierEqual(mlirOperationGetName(function), low->kernel_name)) { // the thread ends
    pa_op(&builder, "gpu.return");
    return builder.failure;
  }
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  MlirType status = mlirFunctionTypeGetNumResults(type) ? mlirFunctionTypeGetResult(type, 0) : (MlirType){NULL};
  if (mlirTypeIsNull(status) || !mlirTypeIsAInteger(status))
    return pa_fail_at(PA_CODE_INVALID, builder.location, "a function that can raise must return a status first");
  release_slots(low, &builder, list, NULL);
  return_failure(low->arena, &builder, type);
  return builder.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status branch_after(MlirBlock block, MlirOperation last, MlirBlock target, MlirOperation *out_branch) {
  MlirOperationState state = mlirOperationStateGet(pa_ref("cf.br"), mlirOperationGetLocation(last));
  mlirOperationStateAddSuccessors(&state, 1, &target);
  *out_branch = mlirOperationCreate(&state);
  if (mlirOperationIsNull(*out_branch)) return pa_fail(PA_CODE_INTERNAL, NULL, "cf.br could not be made");
  return mlirBlockInsertOwnedOperationAfter(block, last, *out_branch), PA_OK;
}

// Ends every reachable block with a raise in a branch to its handler or to |error|; what follows is erased with the unreachable
// blocks.
static pa_status cut_at_raises(const lowering *low, block_list *list, MlirBlock error) {
  for (size_t i = 0; i < list->count; i++) {
    block_fact *fact = &list->facts[i];
    if (!fact->reachable || mlirOperationIsNull(fact->raise)) continue;
    MlirBlock target = target_of(list, fact->raise);
    int64_t handlers = number_of(fact->raise, "pyarray.handlers");
    MlirOperation call = fact->raise, branch;
    PA_TRY(branch_after(fact->block, call, mlirBlockIsNull(target) ? error : target, &branch));
    fact->raise = branch;
    if (!mlirBlockIsNull(target) && calls(low, call, leave_name)) mlirOperationDestroy(call);
    if (handlers <= 0) continue;
    pa_builder builder = {.context = low->context, .block = fact->block, .before = branch, .location = mlirOperationGetLocation(branch)};
    call_with(low, &builder, uncatch_name, pa_constant_int(&builder, mlirIntegerTypeGet(low->context, 64), handlers));
    PA_TRY(builder.failure);
  }
  return PA_OK;
}

// A try goes on with its body; its handler first releases what the body owned.
static pa_status enter_tries(const lowering *low, block_list *list) {
  for (size_t i = 0; i < list->try_count; i++) {
    const try_fact *at = &list->tries[i];
    block_fact *fact = &list->facts[at->block];
    if (!fact->reachable || !mlirOperationIsNull(fact->raise)) continue;
    MlirOperation branch = mlirBlockGetTerminator(fact->block), made;
    PA_TRY(branch_after(fact->block, branch, at->body, &made));
    mlirOperationDestroy(branch);
    mlirOperationDestroy(at->call);
    if (!list->facts[*slot_of(list, at->handler) - 1].reachable) continue;
    pa_builder builder = {.context = low->context, .block = at->handler, .before = mlirBlockGetFirstOperation(at->handler),
                          .location = mlirOperationGetLocation(made)};
    release_slots(low, &builder, list, at);
    PA_TRY(builder.failure);
  }
  return PA_OK;
}

static pa_status lower_function(const lowering *low, MlirOperation function) {
  MlirRegion region = mlirOperationGetRegion(function, 0);
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(region))) return PA_OK;
  block_list list = {0};
  bool raises;
  PA_TRY(collect_blocks(low, region, &list, &raises));
  for (size_t i = 0; i < list.count; i++) PA_TRY(collect_try(low, &list, i));
  if (!raises && !list.try_count) return PA_OK;
  mark_reachable(low->arena, &list);
  collect_owners(low, &list);
  MlirBlock error = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, error);
  PA_TRY(build_error_block(low, function, &list, error));
  PA_TRY(enter_tries(low, &list));
  PA_TRY(cut_at_raises(low, &list, error));
  erase_unreachable(&list);
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
  MlirIdentifier function = mlirIdentifierGet(low.context, pa_ref("func.func"));
  MlirIdentifier gpu_module = mlirIdentifierGet(low.context, pa_ref("gpu.module"));
  PA_FOR_EACH_OP(op, pa_body(module, 0)) {
    MlirIdentifier name = mlirOperationGetName(op);
    if (mlirIdentifierEqual(name, gpu_module)) PA_TRY(lower_module(low, op));
    bool kernel = mlirIdentifierEqual(name, low.kernel_name);
    if (!kernel && !mlirIdentifierEqual(name, function)) continue;
    if (low.noreturn_count || has_tries) PA_TRY(lower_function(&low, op));
    if (has_attr(op, "pyarray.entry")) pa_set_attr(op, "pyarray.entry_type", pa_get_attr(op, "function_type"));
  }
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  lowering low = {.arena = context->arena,
                  .context = context->context,
                  .call_name = mlirIdentifierGet(context->context, pa_ref("func.call")),
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
