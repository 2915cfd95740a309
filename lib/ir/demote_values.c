// Values in stack memory where blocks were joined in new ways (blocks.h).
//
//   ^a: %x = arith.addi %y, %z          ^a: %x = arith.addi %y, %z
//       cf.br ^b                            llvm.store %x, %memory
//   ^b: use(%x)                             cf.br ^b
//   ^c: cf.br ^b                        ^b: %again = llvm.load %memory
//                                           use(%again)
#include "blocks.h"
#include "mlir-c/Dialect/LLVM.h"
#include "support/map.h"

typedef struct demotion {
  pa_arena *arena;
  MlirRegion region;
  pa_builder *entry;
  MlirBlock *blocks;
  size_t count;
  pa_map numbers; // block -> 1 + its number
  bool *reached;
  size_t *work;
  MlirValue one;
  int made; // places in memory
} demotion;

static void number_blocks(demotion *d) {
  for (MlirBlock b = mlirRegionGetFirstBlock(d->region); !mlirBlockIsNull(b); b = mlirBlockGetNextInRegion(b))
    ++d->count;
  d->blocks = PA_NEW_ARRAY(d->arena, MlirBlock, d->count);
  d->reached = PA_NEW_ARRAY(d->arena, bool, d->count);
  d->work = PA_NEW_ARRAY(d->arena, size_t, d->count);
  size_t i = 0;
  for (MlirBlock b = mlirRegionGetFirstBlock(d->region); !mlirBlockIsNull(b); b = mlirBlockGetNextInRegion(b)) {
    d->blocks[i++] = b;
    pa_map_put(d->arena, &d->numbers, b.ptr, (void *)(uintptr_t)i);
  }
}

static size_t number_of(const demotion *d, MlirBlock block) {
  return (size_t)(uintptr_t)pa_map_get(&d->numbers, block.ptr) - 1;
}

// Marks the blocks that paths from the first one reach without block |without|.
static void reach_without(demotion *d, size_t without) {
  size_t depth = 0;
  for (size_t i = 0; i < d->count; ++i) d->reached[i] = i == without;
  d->reached[0] = true;
  d->work[depth++] = 0;
  while (depth) {
    MlirOperation end = mlirBlockGetTerminator(d->blocks[d->work[--depth]]);
    for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(end); ++i) {
      size_t next = number_of(d, mlirOperationGetSuccessor(end, i));
      if (!d->reached[next]) d->reached[d->work[depth++] = next] = true;
    }
  }
  d->reached[without] = false;
}

//===-- Memory ------------------------------------------------------------------------------------===//

static MlirType memory_type(const demotion *d, MlirType type) {
  MlirContext context = d->entry->context;
  MlirType i64 = mlirIntegerTypeGet(context, 64), ptr = mlirLLVMPointerTypeGet(context, 0);
  if (mlirTypeIsAIndex(type)) return i64;
  if (mlirTypeIsAComplex(type)) {
    MlirType part = mlirComplexTypeGetElementType(type);
    return mlirLLVMStructTypeLiteralGet(context, 2, (MlirType[]){part, part}, false);
  }
  if (!mlirTypeIsAMemRef(type)) return type;
  int64_t rank = mlirShapedTypeGetRank(type);
  MlirType numbers = mlirLLVMArrayTypeGet(i64, (unsigned)(rank ? rank : 1));
  return mlirLLVMStructTypeLiteralGet(context, rank ? 5 : 3, (MlirType[]){ptr, ptr, i64, numbers, numbers}, false);
}

static const char *conversion(MlirType type) {
  return mlirTypeIsAIndex(type) ? "arith.index_cast" : "builtin.unrealized_conversion_cast";
}

static MlirValue new_memory(demotion *d, MlirType type) {
  if (mlirValueIsNull(d->one)) d->one = pa_constant_int(d->entry, mlirIntegerTypeGet(d->entry->context, 32), 1);
  return pa_value(d->entry, "llvm.alloca", PA_OPERANDS(d->one),
                  PA_RESULTS(mlirLLVMPointerTypeGet(d->entry->context, 0)),
                  PA_ATTRS({"elem_type", mlirTypeAttrGet(type)}));
}

// Keeps MLIR from merging blocks that differ in addresses alone: of memory whose address is a block's argument LLVM
// makes no values.
static pa_attr mark(const demotion *d) { return (pa_attr){"pyarray.demoted", pa_i64_attr(d->entry->context, d->made)}; }

static void store(const demotion *d, pa_builder *at, MlirValue value, MlirType memory, MlirValue address) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeEqual(type, memory)) value = pa_value(at, conversion(type), PA_OPERANDS(value), PA_RESULTS(memory));
  pa_op(at, "llvm.store", PA_OPERANDS(value, address), PA_ATTRS(mark(d)));
}

static MlirValue load(const demotion *d, pa_builder *at, MlirType type, MlirType memory, MlirValue address) {
  MlirValue value = pa_value(at, "llvm.load", PA_OPERANDS(address), PA_RESULTS(memory), PA_ATTRS(mark(d)));
  return mlirTypeEqual(type, memory) ? value : pa_value(at, conversion(type), PA_OPERANDS(value), PA_RESULTS(type));
}

//===-- Values ------------------------------------------------------------------------------------===//

// The block of the region that |op| is in, or in an operation of.
static MlirBlock block_of(const demotion *d, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  while (!mlirRegionEqual(mlirBlockGetParentRegion(block), d->region))
    block = mlirOperationGetBlock(mlirBlockGetParentOperation(block));
  return block;
}

static bool is_used_elsewhere(const demotion *d, MlirValue value, MlirBlock home) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!mlirBlockEqual(block_of(d, mlirOpOperandGetOwner(use)), home)) return true;
  return false;
}

// Changes the uses in |block| to a load at its beginning.
static void load_in(demotion *d, MlirBlock block, MlirValue value, MlirType memory, MlirValue address) {
  pa_builder at = {.context = d->entry->context,
                   .block = block,
                   .before = mlirBlockGetFirstOperation(block),
                   .location = d->entry->location};
  MlirValue loaded = load(d, &at, mlirValueGetType(value), memory, address);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use) && !at.failure) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirBlockEqual(block_of(d, user), block))
      mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), loaded);
    use = next;
  }
  if (at.failure && !d->entry->failure) d->entry->failure = at.failure;
}

// |definition| is null where the value is an argument of its block.
static void demote(demotion *d, MlirValue value, MlirBlock home, MlirOperation definition) {
  MlirType memory = memory_type(d, mlirValueGetType(value));
  MlirValue address = {NULL};
  for (;;) {
    MlirBlock block = {NULL};
    for (MlirOpOperand use = mlirValueGetFirstUse(value); mlirBlockIsNull(block) && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      MlirBlock at = block_of(d, mlirOpOperandGetOwner(use));
      if (!mlirBlockEqual(at, home) && d->reached[number_of(d, at)]) block = at;
    }
    if (mlirBlockIsNull(block) || pa_failed(d->entry)) break;
    if (mlirValueIsNull(address)) address = new_memory(d, memory), ++d->made;
    load_in(d, block, value, memory, address);
  }
  if (mlirValueIsNull(address)) return;
  pa_builder at = {.context = d->entry->context, .block = home, .location = d->entry->location};
  at.before =
      mlirOperationIsNull(definition) ? mlirBlockGetFirstOperation(home) : mlirOperationGetNextInBlock(definition);
  store(d, &at, value, memory, address);
  if (at.failure && !d->entry->failure) d->entry->failure = at.failure;
}

static void demote_block(demotion *d, size_t number) {
  MlirBlock home = d->blocks[number];
  bool searched = false;
  intptr_t arguments = mlirBlockGetNumArguments(home);
  for (intptr_t i = 0; i < arguments; ++i) {
    MlirValue value = mlirBlockGetArgument(home, i);
    if (!is_used_elsewhere(d, value, home)) continue;
    if (!searched) reach_without(d, number), searched = true;
    demote(d, value, home, (MlirOperation){NULL});
  }
  PA_FOR_EACH_OP(op, home)
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue value = mlirOperationGetResult(op, i);
    if (!is_used_elsewhere(d, value, home)) continue;
    if (!searched) reach_without(d, number), searched = true;
    demote(d, value, home, op);
  }
}

pa_status pa_demote_values(pa_arena *arena, MlirRegion region, pa_builder *entry) {
  demotion d = {.arena = arena, .region = region, .entry = entry};
  number_blocks(&d);
  for (size_t i = 1; i < d.count; ++i) demote_block(&d, i);
  return entry->failure;
}
