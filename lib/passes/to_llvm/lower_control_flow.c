// pyarray-lower-control-flow: scf.if, scf.for and scf.while of functions become blocks that branch to each other.
//
//   %r = scf.if %c -> (i64) { scf.yield %a : i64 } else { scf.yield %b : i64 }
//   use(%r)
// becomes
//     cf.cond_br %c, ^then, ^else
//   ^then: cf.br ^rest(%a : i64)
//   ^else: cf.br ^rest(%b : i64)
//   ^rest(%r: i64): use(%r)
//
// The last operation of a block comes first: what follows it moves to a block of its own, and is short then.
// (convert-scf-to-cf begins with the first, and so moves what follows the last once for each that is before it: 20 s
// for 10,000 statements with a check.)
#include "ir/blocks.h"
#include "pass.h"

typedef struct lowering {
  pa_arena *arena;
  bool kernel; // of a GPU
  pa_names names;
  pa_status failure;
} lowering;

static pa_builder at_end(const lowering *low, MlirBlock block, MlirOperation op) {
  return (pa_builder){.context = low->names.context, .block = block, .location = mlirOperationGetLocation(op)};
}

static void done(lowering *low, const pa_builder *at) {
  if (at->failure && !low->failure) low->failure = at->failure;
}

static MlirValue *operands_of(lowering *low, MlirOperation op, intptr_t first, intptr_t *out_count) {
  *out_count = mlirOperationGetNumOperands(op) - first;
  MlirValue *values = PA_NEW_ARRAY(low->arena, MlirValue, *out_count + 1);
  for (intptr_t i = 0; i < *out_count; ++i) values[i] = mlirOperationGetOperand(op, first + i);
  return values;
}

static void replace_results(MlirOperation op, MlirBlock block, intptr_t first) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirBlockGetArgument(block, first + i));
}

static void add_arguments(MlirBlock block, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirBlockAddArgument(block, mlirValueGetType(mlirOperationGetResult(op, i)), mlirOperationGetLocation(op));
}

// What LLVM is told of a loop is on the branch back.
static void annotate(MlirOperation loop, MlirBlock latch) {
  MlirAttribute annotation = pa_get_attr(loop, "loop_annotation");
  MlirOperation branch = mlirBlockGetTerminator(latch);
  if (!mlirAttributeIsNull(annotation) && !mlirOperationIsNull(branch))
    pa_set_attr(branch, "loop_annotation", annotation);
}

//===-- Loops of a GPU's threads ------------------------------------------------------------------===//

static bool is_local(MlirValue memory) {
  while (mlirValueIsAOpResult(memory)) {
    MlirOperation op = mlirOpResultGetOwner(memory);
    if (pa_op_is(op, "memref.alloca")) return pa_has_attr(op, "pyarray.local");
    if (!pa_op_is(op, "memref.cast") && !pa_op_is(op, "memref.memory_space_cast")) return false;
    memory = mlirOperationGetOperand(op, 0);
  }
  return false;
}

// Whether |value| is made of |number|.
static bool is_made_of(MlirValue value, MlirValue number, int depth) {
  enum { DEEP = 8 };
  if (mlirValueEqual(value, number)) return true;
  if (!mlirValueIsAOpResult(value) || depth > DEEP) return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_made_of(mlirOperationGetOperand(op, i), number, depth + 1)) return true;
  return false;
}

typedef struct search {
  MlirValue number;
  bool found;
} search;

static MlirWalkResult find_local(MlirOperation op, void *data) {
  search *wanted = data;
  bool load = pa_op_is(op, "memref.load");
  intptr_t array = load ? 0 : 1;
  if (!load && !pa_op_is(op, "memref.store")) return MlirWalkResultAdvance;
  if (!is_local(mlirOperationGetOperand(op, array))) return MlirWalkResultAdvance;
  for (intptr_t i = array + 1; i < mlirOperationGetNumOperands(op); ++i)
    wanted->found = wanted->found || is_made_of(mlirOperationGetOperand(op, i), wanted->number, 0);
  return wanted->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// A few turns, of which each uses other elements of a thread's own array: it stays in registers only where all indices
// are known.
static bool wants_unrolling(const lowering *low, MlirOperation op) {
  enum { LOWER, UPPER, STEP, MOST = 32 };
  int64_t lower, upper, step;
  search wanted = {.number = mlirBlockGetArgument(pa_body(op, 0), 0)};
  if (!low->kernel || !pa_is_constant_int(mlirOperationGetOperand(op, LOWER), &lower) ||
      !pa_is_constant_int(mlirOperationGetOperand(op, UPPER), &upper) ||
      !pa_is_constant_int(mlirOperationGetOperand(op, STEP), &step) || step <= 0 || (upper - lower) / step > MOST)
    return false;
  mlirOperationWalk(op, find_local, &wanted, MlirWalkPreOrder);
  return wanted.found;
}

//===-- Regions -----------------------------------------------------------------------------------===//

static MlirBlock lower_block(lowering *low, MlirBlock block);

// A region as blocks before |place|; its first block, and the one that ends in its terminator. Null ones where it is
// empty.
typedef struct part {
  MlirBlock first, last;
} part;

static part take_region(lowering *low, MlirOperation op, intptr_t number, MlirBlock place) {
  part taken = {.first = pa_body(op, number)};
  if (mlirBlockIsNull(taken.first)) return taken;
  taken.last = lower_block(low, taken.first);
  for (MlirBlock block = taken.first, next; !mlirBlockIsNull(block); block = next) {
    next = mlirBlockGetNextInRegion(block);
    mlirBlockDetach(block);
    mlirRegionInsertOwnedBlockBefore(mlirBlockGetParentRegion(place), place, block);
  }
  return taken;
}

// Its last block goes to |target| with what it yields, behind |value| if that is not null.
static void branch_with_yields(lowering *low, MlirBlock last, MlirBlock target, MlirValue value) {
  MlirOperation yield = mlirBlockGetTerminator(last);
  intptr_t count, first = !mlirValueIsNull(value);
  MlirValue *yielded = operands_of(low, yield, 0, &count), *arguments = PA_NEW_ARRAY(low->arena, MlirValue, count + 2);
  arguments[0] = value;
  for (intptr_t i = 0; i < count; ++i) arguments[first + i] = yielded[i];
  pa_builder at = at_end(low, last, yield);
  mlirOperationDestroy(yield);
  pa_branch(&at, target, arguments, first + count);
  done(low, &at);
}

//===-- Operations --------------------------------------------------------------------------------===//

static void lower_if(lowering *low, MlirOperation op, MlirBlock block, MlirBlock rest) {
  part then = take_region(low, op, 0, rest), otherwise = take_region(low, op, 1, rest);
  add_arguments(rest, op);
  replace_results(op, rest, 0);
  pa_builder at = at_end(low, block, op);
  pa_branch_if(&at, mlirOperationGetOperand(op, 0), then.first, NULL, 0,
               mlirBlockIsNull(otherwise.first) ? rest : otherwise.first);
  done(low, &at);
  branch_with_yields(low, then.last, rest, (MlirValue){NULL});
  if (!mlirBlockIsNull(otherwise.first)) branch_with_yields(low, otherwise.last, rest, (MlirValue){NULL});
}

static void lower_for(lowering *low, MlirOperation op, MlirBlock block, MlirBlock rest) {
  enum { LOWER, UPPER, STEP, INITIAL };
  intptr_t count;
  if (wants_unrolling(low, op))
    pa_set_attr(op, "loop_annotation",
                mlirAttributeParseGet(low->names.context, pa_ref("#llvm.loop_annotation<unroll = <full = true>>")));
  MlirValue lower = mlirOperationGetOperand(op, LOWER), *initial = operands_of(low, op, INITIAL - 1, &count);
  initial[0] = lower;
  part body = take_region(low, op, 0, rest);
  MlirBlock header = mlirBlockCreate(0, NULL, NULL);
  mlirRegionInsertOwnedBlockBefore(mlirBlockGetParentRegion(rest), body.first, header);
  mlirBlockAddArgument(header, mlirValueGetType(lower), mlirOperationGetLocation(op));
  add_arguments(header, op);
  replace_results(op, header, 1);
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body.first, i), mlirBlockGetArgument(header, i));
  for (intptr_t i = count; i-- > 0;) mlirBlockEraseArgument(body.first, (unsigned)i);
  pa_builder at = at_end(low, block, op), test = at_end(low, header, op), next = at_end(low, body.last, op);
  pa_branch(&at, header, initial, count);
  MlirValue number = mlirBlockGetArgument(header, 0);
  int64_t predicate = mlirAttributeIsNull(pa_get_attr(op, "unsignedCmp")) ? 2 : 6; // slt, ult
  MlirValue more = pa_value(&test, "arith.cmpi", PA_OPERANDS(number, mlirOperationGetOperand(op, UPPER)),
                            PA_RESULTS(mlirIntegerTypeGet(low->names.context, 1)),
                            PA_ATTRS({"predicate", pa_i64_attr(low->names.context, predicate)}));
  pa_branch_if(&test, more, body.first, NULL, 0, rest);
  next.before = mlirBlockGetTerminator(body.last);
  MlirValue stepped = pa_value(&next, "arith.addi", PA_OPERANDS(number, mlirOperationGetOperand(op, STEP)),
                               PA_RESULTS(mlirValueGetType(number)));
  done(low, &at), done(low, &test), done(low, &next);
  branch_with_yields(low, body.last, header, stepped);
  annotate(op, body.last);
}

// Whether the second region hands on what it is given.
static bool only_hands_on(const lowering *low, MlirOperation op) {
  MlirBlock block = pa_body(op, 1);
  MlirOperation yield = mlirBlockGetFirstOperation(block);
  if (pa_kind(&low->names, yield) != PA_OP_SCF_YIELD ||
      mlirOperationGetNumOperands(yield) != mlirBlockGetNumArguments(block))
    return false;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(yield, i), mlirBlockGetArgument(block, i))) return false;
  return true;
}

static void lower_while(lowering *low, MlirOperation op, MlirBlock block, MlirBlock rest) {
  intptr_t count, given_count;
  MlirValue *initial = operands_of(low, op, 0, &count);
  bool at_end_only = only_hands_on(low, op);
  part before = take_region(low, op, 0, rest), after = at_end_only ? before : take_region(low, op, 1, rest);
  pa_builder at = at_end(low, block, op);
  pa_branch(&at, before.first, initial, count);
  done(low, &at);
  MlirOperation condition = mlirBlockGetTerminator(before.last);
  MlirValue *given = operands_of(low, condition, 1, &given_count), more = mlirOperationGetOperand(condition, 0);
  for (intptr_t i = 0; i < given_count; ++i) mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), given[i]);
  at = at_end(low, before.last, condition);
  mlirOperationDestroy(condition);
  pa_branch_if(&at, more, after.first, given, given_count, rest);
  done(low, &at);
  if (!at_end_only) branch_with_yields(low, after.last, before.first, (MlirValue){NULL});
  annotate(op, after.last);
}

//===-- The pass ----------------------------------------------------------------------------------===//

// Gives the block that has its terminator then.
static MlirBlock lower_block(lowering *low, MlirBlock block) {
  pa_op_list ops = {.arena = low->arena};
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&low->names, op);
    if (kind == PA_OP_SCF_IF || kind == PA_OP_SCF_FOR || kind == PA_OP_SCF_WHILE) pa_op_list_add(&ops, op);
  }
  MlirBlock last = block;
  for (size_t i = ops.count; i-- > 0 && !low->failure;) {
    MlirOperation op = ops.items[i];
    MlirBlock rest = pa_split_after(op);
    if (mlirBlockEqual(last, block)) last = rest;
    pa_op_kind kind = pa_kind(&low->names, op);
    (kind == PA_OP_SCF_IF ? lower_if : kind == PA_OP_SCF_FOR ? lower_for : lower_while)(low, op, block, rest);
    if (!low->failure) mlirOperationDestroy(op);
  }
  return last;
}

// The functions of |module|, a builtin.module or a gpu.module, and of gpu.modules in it.
static void lower_module(lowering *low, MlirOperation module) {
  PA_FOR_EACH_OP(op, pa_body(module, 0)) {
    if (pa_op_is(op, "gpu.module")) lower_module(low, op);
    if (pa_kind(&low->names, op) != PA_OP_FUNC && !pa_op_is(op, "gpu.func")) continue;
    low->kernel = pa_op_is(op, "gpu.func");
    for (MlirBlock block = pa_body(op, 0), next; !mlirBlockIsNull(block); block = next) {
      next = mlirBlockGetNextInRegion(block);
      lower_block(low, block);
    }
  }
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  lowering low = {.arena = context->arena};
  pa_names_init(&low.names, context->context);
  lower_module(&low, module);
  return low.failure;
}

const pa_pass pa_pass_lower_control_flow = {
    .argument = "pyarray-lower-control-flow",
    .summary = "Make blocks of scf.if, scf.for and scf.while",
    .dependent_dialects = (const char *const[]){"cf", "arith", NULL},
    .run = run,
};
