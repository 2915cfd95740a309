// pyarray-inline-coroutines: a generator that the function which makes it only runs on and drops becomes blocks of that
// function. It has no frame and is no coroutine then: what lives across its suspensions is stack memory, which LLVM
// turns into values.
//
// In:  level 4 in blocks, behind pyarray-lower-raises; @f$0 has pyarray.generator.
//
//   %made:2 = call @f$0(%n) : (i64) -> (i32, i64)
//   memref.store %made#1, %slot[]
//   ...
//   %how = call @pyarray_rt_generator_next(%made#1, %space)
//   ...
//   %owner = memref.load %slot[]
//   call @pyarray_rt_release(%owner)
//
// Out: each of these calls has a copy of the body, and branches to it. Where the body waits is a number in stack
// memory; with how it is to go on and how it was left that is all that the copies hand to each other, beside what lives
// across suspensions.
//
//     store 0, %how; cf.br ^run                                        // next
//   ^next: %outcome = load %outcome_memory
//   ^run:   switch load %waits [default: ^ended, 1: ^begin, 2: ^on2, 3: ^on3]
//   ^begin: ... store 2, %waits; store 1, %outcome_memory; cf.br ^next // a suspension
//   ^on2:   ...
//
// Making it runs it up to its first suspension. A release does nothing where it was not made or has ended; those that
// close it share a copy, and a number says to which of them it goes back.
//
// Not where the generator is returned, stored or given away; where its body is long; where it makes itself. Generators
// that nobody calls any more are removed.
#include "ir/blocks.h"
#include "local_generator.h"
#include "mlir-c/Dialect/LLVM.h"
#include "pass.h"
#include "support/map.h"

enum {
  MOST_OPERATIONS = 600,
  MOST_COPIED = 600,
  MOST_BLOCKS = 500
}; // of a generator; of its copies; of a function with what becomes part of it
enum { ENDED = 0, YIELDED = 1, RAISED = -1 }; // what pyarray_rt_generator_next gives

typedef struct inliner {
  MlirContext context;
  pa_arena *arena;
  MlirOperation module;
  MlirType i32, i64, ptr;
  pa_map seen;      // functions that are looked at or were
  pa_map open;      // those that are looked at
  pa_map recursive; // those that make themselves, by way of others perhaps
} inliner;

static int count_blocks(MlirOperation function) {
  int count = 0;
  for (MlirBlock block = pa_body(function, 0); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    ++count;
  return count;
}

//===-- Building ----------------------------------------------------------------------------------===//

typedef struct joining {
  inliner *in;
  const pa_local_generator *m;
  pa_builder entry;                                  // at the beginning of the function
  MlirValue waits, how, asker, outcome, error, item; // memory
  MlirOperation body; // the generator, whose blocks are copied; its last one is where it leaves
  pa_status failure;
} joining;

static pa_builder at_end(const joining *j, MlirBlock block) {
  return (pa_builder){.context = j->in->context, .block = block, .location = mlirOperationGetLocation(j->m->call)};
}

static pa_builder at_beginning(const joining *j, MlirBlock block) {
  pa_builder at = at_end(j, block);
  at.before = mlirBlockGetFirstOperation(block);
  return at;
}

static void done(joining *j, const pa_builder *at) {
  if (at->failure && !j->failure) j->failure = at->failure;
}

static MlirValue number(const joining *j, pa_builder *at, int64_t value) {
  return pa_constant_int(at, j->in->i64, value);
}
static MlirValue load(const joining *j, pa_builder *at, MlirValue memory) {
  return pa_value(at, "llvm.load", PA_OPERANDS(memory), PA_RESULTS(j->in->i64));
}
static void store(pa_builder *at, MlirValue value, MlirValue memory) {
  pa_op(at, "llvm.store", PA_OPERANDS(value, memory));
}

static MlirValue compare(const joining *j, pa_builder *at, int predicate, MlirValue a, MlirValue b) {
  return pa_value(at, "arith.cmpi", PA_OPERANDS(a, b), PA_RESULTS(mlirIntegerTypeGet(j->in->context, 1)),
                  PA_ATTRS({"predicate", pa_i64_attr(j->in->context, predicate)}));
}

static MlirValue new_memory(joining *j, MlirType type) {
  MlirValue one = pa_constant_int(&j->entry, j->in->i32, 1);
  return pa_value(&j->entry, "llvm.alloca", PA_OPERANDS(one), PA_RESULTS(j->in->ptr),
                  PA_ATTRS({"elem_type", mlirTypeAttrGet(type)}, {"alignment", pa_i64_attr(j->in->context, 8)}));
}

static void make_memory(joining *j, MlirBlock entry) {
  j->entry = at_beginning(j, entry);
  MlirValue *words[] = {&j->waits, &j->how, &j->asker, &j->outcome, &j->error};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) *words[i] = new_memory(j, j->in->i64);
  j->item = new_memory(j, mlirLLVMArrayTypeGet(j->in->i64, (unsigned)(j->m->words ? j->m->words : 1)));
}

//===-- The generator's body ----------------------------------------------------------------------===//

static const char *const constants[] = {"arith.constant",   "ub.poison",
                                        "llvm.mlir.zero",   "llvm.mlir.constant",
                                        "llvm.mlir.poison", "llvm.mlir.addressof",
                                        "llvm.mlir.none",   "memref.alloca",
                                        "llvm.alloca",      "memref.extract_aligned_pointer_as_index",
                                        "arith.index_cast", "llvm.inttoptr"};

static bool is_constant(MlirOperation op) {
  for (size_t i = 0; i < sizeof constants / sizeof *constants; ++i)
    if (pa_op_is(op, constants[i])) return true;
  return false;
}

// Constants, stack memory and its address are the function's own; all copies share them.
static void move_constants(joining *j) {
  pa_map moved = {0};
  for (MlirBlock block = pa_body(j->body, 0); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op); op = next) {
      next = mlirOperationGetNextInBlock(op);
      bool all = is_constant(op);
      for (intptr_t i = 0; all && i < mlirOperationGetNumOperands(op); ++i) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        all = mlirValueIsAOpResult(operand) && pa_map_get(&moved, mlirOpResultGetOwner(operand).ptr);
      }
      if (!all) continue;
      pa_map_put(j->in->arena, &moved, op.ptr, op.ptr);
      mlirOperationRemoveFromParent(op);
      mlirBlockInsertOwnedOperationBefore(j->entry.block, j->entry.before, op);
      mlirOperationRemoveAttributeByName(op, pa_ref("pyarray.owner_slot"));
    }
}

// Items go to one place, whoever asks.
static void replace_item(joining *j, MlirOperation call) {
  MlirValue address = mlirOperationGetResult(call, 0);
  pa_builder at = at_end(j, mlirOperationGetBlock(call));
  at.before = call;
  for (MlirOpOperand use = mlirValueGetFirstUse(address), next; !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!pa_op_is(user, "llvm.inttoptr")) continue;
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(user, 0), j->item);
    mlirOperationDestroy(user);
  }
  mlirValueReplaceAllUsesOfWith(
      address,
      pa_value(&at, "arith.subi", PA_OPERANDS(number(j, &at, 1), load(j, &at, j->how)), PA_RESULTS(j->in->i64)));
  mlirOperationDestroy(call);
  done(j, &at);
}

static void leave(joining *j, pa_builder *at, int64_t waits, MlirValue outcome, MlirBlock out) {
  store(at, number(j, at, waits), j->waits);
  store(at, outcome, j->outcome);
  pa_branch(at, out, NULL, 0);
  done(j, at);
}

static MlirBlock replace_suspension(joining *j, MlirOperation call, int64_t waits, MlirBlock out) {
  MlirBlock block = mlirOperationGetBlock(call), rest = pa_split_after(call);
  pa_builder at = at_end(j, block), on = at_beginning(j, rest);
  leave(j, &at, waits, number(j, &at, YIELDED), out);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, 0), load(j, &on, j->how));
  mlirOperationDestroy(call);
  done(j, &on);
  return rest;
}

static void replace_return(joining *j, MlirOperation op, MlirBlock out) {
  pa_builder at = at_end(j, mlirOperationGetBlock(op));
  MlirValue fine = compare(j, &at, 0, mlirOperationGetOperand(op, 0), pa_constant_int(&at, j->in->i32, 0));
  MlirValue outcome = pa_value(&at, "arith.select", PA_OPERANDS(fine, number(j, &at, ENDED), number(j, &at, RAISED)),
                               PA_RESULTS(j->in->i64));
  mlirOperationDestroy(op);
  leave(j, &at, 0, outcome, out);
}

// Its arguments become the call's operands.
static void bind_arguments(joining *j, MlirBlock first) {
  intptr_t count = mlirBlockGetNumArguments(first);
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(first, i), mlirOperationGetOperand(j->m->call, i));
  for (intptr_t i = count; i-- > 0;) mlirBlockEraseArgument(first, (unsigned)i);
}

// Number 1 is where it begins.
static pa_status make_body(joining *j) {
  j->body = mlirOperationClone(j->m->callee);
  MlirRegion region = mlirOperationGetRegion(j->body, 0);
  MlirBlock first = mlirRegionGetFirstBlock(region), run = mlirBlockCreate(0, NULL, NULL),
            ended = mlirBlockCreate(0, NULL, NULL), out = mlirBlockCreate(0, NULL, NULL);
  bind_arguments(j, first);
  move_constants(j);
  pa_op_list items = {.arena = j->in->arena}, suspensions = items, returns = items;
  for (MlirBlock block = first; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    PA_FOR_EACH_OP(op, block) {
      if (pa_calls(op, "pyarray_generator_item")) pa_op_list_add(&items, op);
      if (pa_calls(op, "pyarray_suspend")) pa_op_list_add(&suspensions, op);
      if (pa_op_is(op, PA_OP_NAME(RETURN))) pa_op_list_add(&returns, op);
    }
  mlirRegionInsertOwnedBlockBefore(region, first, run);
  mlirRegionAppendOwnedBlock(region, ended);
  mlirRegionAppendOwnedBlock(region, out);
  MlirBlock *on = PA_NEW_ARRAY(j->in->arena, MlirBlock, suspensions.count + 1);
  on[0] = first;
  for (size_t i = 0; i < items.count; ++i) replace_item(j, items.items[i]);
  for (size_t i = 0; i < suspensions.count; ++i)
    on[1 + i] = replace_suspension(j, suspensions.items[i], (int64_t)i + 2, out);
  for (size_t i = 0; i < returns.count; ++i) replace_return(j, returns.items[i], out);
  pa_builder at = at_end(j, run);
  pa_branch_on(j->in->arena, &at, load(j, &at, j->waits), on, (intptr_t)suspensions.count + 1, ended);
  done(j, &at);
  at = at_end(j, ended);
  leave(j, &at, 0, number(j, &at, ENDED), out);
  at = at_end(j, out);
  pa_op(&at, "llvm.unreachable");
  done(j, &at);
  PA_TRY(j->failure);
  return pa_demote_values(j->in->arena, region, &j->entry);
}

typedef struct copied {
  MlirBlock run, begin, out;
} copied;

// A copy of the body behind the function's blocks; its last block is without a terminator.
static copied copy_body(joining *j, MlirRegion to) {
  MlirOperation copy = mlirOperationClone(j->body);
  copied made = {.run = pa_body(copy, 0)};
  made.begin = mlirBlockGetNextInRegion(made.run);
  for (MlirBlock block = made.run, next; !mlirBlockIsNull(block); block = next) {
    next = mlirBlockGetNextInRegion(block);
    mlirBlockDetach(block);
    mlirRegionAppendOwnedBlock(to, block);
    made.out = block;
  }
  mlirOperationDestroy(mlirBlockGetTerminator(made.out));
  mlirOperationDestroy(copy);
  return made;
}

//===-- Those who ask -----------------------------------------------------------------------------===//

static void go_back(joining *j, MlirBlock out, MlirBlock to) {
  pa_builder at = at_end(j, out);
  pa_branch(&at, to, NULL, 0);
  done(j, &at);
}

static void make(joining *j, MlirRegion region) {
  MlirOperation call = j->m->call;
  MlirBlock block = mlirOperationGetBlock(call), rest = pa_split_after(call);
  copied body = copy_body(j, region);
  pa_builder at = at_end(j, block), made = at_beginning(j, rest);
  store(&at, number(j, &at, 0), j->how);
  pa_branch(&at, body.begin, NULL, 0);
  go_back(j, body.out, rest);
  MlirValue failed = compare(j, &made, 0, load(j, &made, j->outcome), number(j, &made, RAISED));
  MlirValue status = pa_value(&made, "arith.extui", PA_OPERANDS(failed), PA_RESULTS(j->in->i32));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, 0), status);
  for (size_t i = 0; i < j->m->stores.count; ++i) {
    pa_builder here = at_end(j, mlirOperationGetBlock(j->m->stores.items[i]));
    here.before = j->m->stores.items[i];
    mlirOperationSetOperand(j->m->stores.items[i], 0, number(j, &here, 1));
    done(j, &here);
  }
  mlirOperationDestroy(call);
  done(j, &at), done(j, &made);
}

// Those who share a copy of the body.
typedef struct askers {
  copied body;
  MlirBlock *blocks;
  intptr_t count;
} askers;

static askers new_askers(joining *j, MlirRegion region, size_t most) {
  return (askers){.body = copy_body(j, region), .blocks = PA_NEW_ARRAY(j->in->arena, MlirBlock, most + 1)};
}

static void ask(joining *j, askers *all, pa_builder *at, int64_t how, MlirBlock then) {
  all->blocks[all->count++] = then;
  store(at, number(j, at, how), j->how);
  store(at, number(j, at, all->count), j->asker);
  pa_branch(at, all->body.run, NULL, 0);
  done(j, at);
}

static void answer(joining *j, askers *all) {
  if (all->count == 1) return go_back(j, all->body.out, all->blocks[0]);
  pa_builder at = at_end(j, all->body.out);
  pa_branch_on(j->in->arena, &at, load(j, &at, j->asker), all->blocks, all->count - 1, all->blocks[all->count - 1]);
  done(j, &at);
}

static void replace_next(joining *j, askers *all, MlirOperation call) {
  MlirBlock block = mlirOperationGetBlock(call), rest = pa_split_after(call);
  pa_builder at = at_end(j, block), then = at_beginning(j, rest);
  ask(j, all, &at, 0, rest);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, 0), load(j, &then, j->outcome));
  mlirOperationDestroy(call);
  done(j, &then);
}

static MlirBlock new_block(MlirBlock before) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionInsertOwnedBlockBefore(mlirBlockGetParentRegion(before), before, block);
  return block;
}

// An error that is on its way stays the thread's, as where the runtime closes a generator.
static void replace_release(joining *j, askers *all, MlirOperation call) {
  MlirBlock block = mlirOperationGetBlock(call), rest = pa_split_after(call), waits = new_block(rest),
            closes = new_block(rest), closed = new_block(rest);
  pa_builder at = at_end(j, block);
  pa_branch_if(&at, compare(j, &at, 1, mlirOperationGetOperand(call, 0), number(j, &at, 0)), waits, NULL, 0, rest);
  mlirOperationDestroy(call);
  done(j, &at);
  at = at_end(j, waits);
  pa_branch_if(&at, compare(j, &at, 1, load(j, &at, j->waits), number(j, &at, 0)), closes, NULL, 0, rest);
  done(j, &at);
  at = at_end(j, closes);
  store(&at,
        pa_value(&at, PA_OP_NAME(FUNC_CALL), PA_RESULTS(j->in->i64),
                 PA_ATTRS({"callee", pa_symbol_attr(at.context, "pyarray_rt_error_aside")})),
        j->error);
  ask(j, all, &at, 1, closed);
  at = at_end(j, closed);
  MlirValue error = load(j, &at, j->error);
  pa_op(&at, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(error),
        PA_ATTRS({"callee", pa_symbol_attr(at.context, "pyarray_rt_error_back")}));
  pa_branch(&at, rest, NULL, 0);
  done(j, &at);
}

// Each who asks for items has a copy of the body, so that LLVM sees a loop; those who close it share one, and so do the
// others where that would be too much.
static void replace_all(joining *j, MlirRegion region, int operations) {
  const pa_local_generator *m = j->m;
  bool share = (int64_t)m->nexts.count * operations > MOST_COPIED;
  askers all = {0};
  for (size_t i = 0; i < m->nexts.count; ++i) {
    if (i == 0 || !share) all = new_askers(j, region, m->nexts.count);
    replace_next(j, &all, m->nexts.items[i]);
    if (!share || i + 1 == m->nexts.count) answer(j, &all);
  }
  if (!m->releases.count) return;
  all = new_askers(j, region, m->releases.count);
  for (size_t i = 0; i < m->releases.count; ++i) replace_release(j, &all, m->releases.items[i]);
  answer(j, &all);
}

static void declare(inliner *in, const char *name, intptr_t parameters, intptr_t results) {
  if (!mlirOperationIsNull(pa_lookup(in->module, pa_ref(name)))) return;
  pa_builder at = {
      .context = in->context, .block = pa_module_body(in->module), .location = mlirOperationGetLocation(in->module)};
  MlirType type = mlirFunctionTypeGet(in->context, parameters, &in->i64, results, &in->i64);
  pa_op(&at, PA_OP_NAME(FUNC), PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(in->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"sym_visibility", pa_string_attr(in->context, "private")}));
}

//===-- The whole ---------------------------------------------------------------------------------===//

static pa_status join(inliner *in, const pa_local_generator *m) {
  joining j = {.in = in, .m = m};
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(m->call));
  if (m->releases.count) declare(in, "pyarray_rt_error_aside", 0, 1), declare(in, "pyarray_rt_error_back", 1, 0);
  make_memory(&j, mlirRegionGetFirstBlock(region));
  PA_TRY(make_body(&j));
  for (size_t i = 0; i < m->pointers.count; ++i) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(m->pointers.items[i], 0), j.item);
    mlirOperationDestroy(m->pointers.items[i]);
  }
  replace_all(&j, region, m->operations);
  make(&j, region);
  mlirOperationDestroy(j.body);
  PA_TRY(j.failure);
  pa_remove_unreachable(in->arena, region);
  return pa_demote_values(in->arena, region, &j.entry);
}

// Generators that this one makes become part of it first; of those that make each other in a circle none does.
static pa_status visit(inliner *in, MlirOperation function) {
  if (pa_map_get(&in->seen, function.ptr)) return PA_OK;
  pa_map_put(in->arena, &in->seen, function.ptr, function.ptr);
  pa_map_put(in->arena, &in->open, function.ptr, function.ptr);
  pa_op_list makers = {.arena = in->arena};
  for (MlirBlock block = pa_body(function, 0); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    PA_FOR_EACH_OP(op, block)
  if (pa_op_is(op, PA_OP_NAME(FUNC_CALL)) && mlirOperationGetNumResults(op) == 2) pa_op_list_add(&makers, op);
  for (size_t i = 0; i < makers.count; ++i) {
    pa_local_generator m = {.call = makers.items[i]};
    m.callee = pa_lookup(in->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(m.call, "callee")));
    if (mlirOperationIsNull(m.callee) || !pa_op_is(m.callee, PA_OP_NAME(FUNC)) ||
        mlirAttributeIsNull(pa_get_attr(m.callee, "pyarray.generator")) || mlirBlockIsNull(pa_body(m.callee, 0)))
      continue;
    PA_TRY(visit(in, m.callee));
    if (pa_map_get(&in->open, m.callee.ptr)) {
      pa_map_put(in->arena, &in->recursive, m.callee.ptr, m.callee.ptr);
      pa_map_put(in->arena, &in->recursive, function.ptr, function.ptr);
    }
    if (pa_map_get(&in->recursive, m.callee.ptr) || !pa_can_be_inlined(&m, MOST_OPERATIONS) ||
        count_blocks(m.callee) + count_blocks(function) > MOST_BLOCKS || !pa_find_local_uses(in->arena, &m))
      continue;
    PA_TRY(join(in, &m));
  }
  pa_map_put(in->arena, &in->open, function.ptr, NULL);
  return PA_OK;
}

static void remove_unused(inliner *in) {
  pa_map used = {0};
  pa_op_list ops = pa_ops_within(in->arena, in->module, MlirWalkPreOrder), functions = {.arena = in->arena};
  for (size_t i = 0; i < ops.count; ++i) {
    MlirAttribute callee = pa_get_attr(ops.items[i], pa_op_is(ops.items[i], "llvm.mlir.addressof") ? "global_name"
                                                     : pa_op_is(ops.items[i], "func.constant")     ? "value"
                                                                                                   : "callee");
    if (!mlirAttributeIsNull(callee) && mlirAttributeIsAFlatSymbolRef(callee)) {
      MlirOperation function = pa_lookup(in->module, mlirFlatSymbolRefAttrGetValue(callee));
      if (!mlirOperationIsNull(function)) pa_map_put(in->arena, &used, function.ptr, function.ptr);
    }
    bool generator = pa_op_is(ops.items[i], PA_OP_NAME(FUNC)) &&
                     !mlirAttributeIsNull(pa_get_attr(ops.items[i], "pyarray.generator"));
    if (generator && mlirAttributeIsNull(pa_get_attr(ops.items[i], "pyarray.entry")))
      pa_op_list_add(&functions, ops.items[i]);
  }
  for (size_t i = 0; i < functions.count; ++i)
    if (!pa_map_get(&used, functions.items[i].ptr)) mlirOperationDestroy(functions.items[i]);
}

static pa_status run(pa_pass_context *pass, MlirOperation module) {
  MlirContext context = pass->context;
  inliner in = {.context = context,
                .arena = pass->arena,
                .module = module,
                .i32 = mlirIntegerTypeGet(context, 32),
                .i64 = mlirIntegerTypeGet(context, 64),
                .ptr = mlirLLVMPointerTypeGet(context, 0)};
  pa_op_list functions = {.arena = pass->arena};
  bool any = false;
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (!pa_op_is(op, PA_OP_NAME(FUNC)) || mlirBlockIsNull(pa_body(op, 0))) continue;
    pa_op_list_add(&functions, op);
    any |= !mlirAttributeIsNull(pa_get_attr(op, "pyarray.generator")) &&
           mlirAttributeIsNull(pa_get_attr(op, "passthrough"));
  }
  if (!any) return PA_OK;
  for (size_t i = 0; i < functions.count; ++i) PA_TRY(visit(&in, functions.items[i]));
  remove_unused(&in);
  return PA_OK;
}

const pa_pass pa_pass_inline_coroutines = {
    .argument = "pyarray-inline-coroutines",
    .summary = "Make generators that stay within one function blocks of it",
    .dependent_dialects = (const char *const[]){"cf", "func", "arith", "llvm", NULL},
    .run = run,
};
