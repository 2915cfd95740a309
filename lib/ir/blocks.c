#include "blocks.h"

#include <stdlib.h>

#include "support/map.h"

static MlirAttribute segments(const pa_builder *at, intptr_t count, const int32_t *sizes) {
  return mlirDenseI32ArrayGet(at->context, count, sizes);
}

void pa_branch(pa_builder *at, MlirBlock target, const MlirValue *arguments, intptr_t count) {
  pa_op(at, "cf.br", PA_OPERAND_ARRAY(arguments, count), PA_SUCCESSORS(target));
}

void pa_branch_if(pa_builder *at, MlirValue condition, MlirBlock then, const MlirValue *arguments, intptr_t count,
                  MlirBlock otherwise) {
  MlirValue local[32], *operands = count < 32 ? local : pa_allocate((size_t)(count + 1) * sizeof *operands);
  operands[0] = condition;
  for (intptr_t i = 0; i < count; ++i) operands[1 + i] = arguments[i];
  pa_op(at, "cf.cond_br", PA_OPERAND_ARRAY(operands, 1 + count), PA_SUCCESSORS(then, otherwise),
        PA_ATTRS({"operandSegmentSizes", segments(at, 3, (int32_t[]){1, (int32_t)count, 0})}));
  if (operands != local) free(operands);
}

void pa_branch_on(pa_arena *arena, pa_builder *at, MlirValue number, const MlirBlock *blocks, intptr_t count,
                  MlirBlock otherwise) {
  MlirBlock *targets = PA_NEW_ARRAY(arena, MlirBlock, count + 1);
  int64_t *values = PA_NEW_ARRAY(arena, int64_t, count + 1), length = count;
  int32_t *none = PA_NEW_ARRAY(arena, int32_t, count + 1);
  targets[0] = otherwise;
  for (intptr_t i = 0; i < count; ++i) targets[1 + i] = blocks[i], values[i] = 1 + i, none[i] = 0;
  MlirType cases = mlirVectorTypeGet(1, &length, mlirIntegerTypeGet(at->context, 64));
  pa_op(at, "cf.switch", PA_OPERANDS(number), .successors = targets, .successor_count = count + 1,
        PA_ATTRS({"case_values", mlirDenseElementsAttrInt64Get(cases, count, values)},
                 {"case_operand_segments", segments(at, count, none)},
                 {"operandSegmentSizes", segments(at, 3, (int32_t[]){1, 0, 0})}));
}

MlirBlock pa_split_after(MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op), rest = mlirBlockCreate(0, NULL, NULL);
  mlirRegionInsertOwnedBlockAfter(mlirBlockGetParentRegion(block), block, rest);
  MlirOperation next;
  while (!mlirOperationIsNull(next = mlirOperationGetNextInBlock(op))) {
    mlirOperationRemoveFromParent(next);
    mlirBlockAppendOwnedOperation(rest, next);
  }
  return rest;
}

static void reach(pa_arena *arena, pa_map *reached, MlirBlock first) {
  size_t depth = 1, capacity = 0;
  MlirBlock *work = pa_arena_grow(arena, NULL, 0, &capacity, sizeof *work);
  work[0] = first;
  pa_map_put(arena, reached, first.ptr, first.ptr);
  while (depth) {
    MlirOperation end = mlirBlockGetTerminator(work[--depth]);
    for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(end); ++i) {
      MlirBlock next = mlirOperationGetSuccessor(end, i);
      if (pa_map_get(reached, next.ptr)) continue;
      pa_map_put(arena, reached, next.ptr, next.ptr);
      work = pa_arena_grow(arena, work, depth, &capacity, sizeof *work);
      work[depth++] = next;
    }
  }
}

static MlirWalkResult drop_operands(MlirOperation op, void *data) {
  (void)data;
  mlirOperationSetOperands(op, 0, NULL);
  return MlirWalkResultAdvance;
}

// Values may be used in any order: all operands go first, then operations, then blocks.
void pa_remove_unreachable(pa_arena *arena, MlirRegion region) {
  pa_map reached = {0};
  MlirBlock first = mlirRegionGetFirstBlock(region), next;
  reach(arena, &reached, first);
  for (MlirBlock block = first; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    if (pa_map_get(&reached, block.ptr)) continue;
    PA_FOR_EACH_OP(op, block) mlirOperationWalk(op, drop_operands, NULL, MlirWalkPreOrder);
  }
  for (MlirBlock block = first; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    if (pa_map_get(&reached, block.ptr)) continue;
    for (MlirOperation op; !mlirOperationIsNull(op = mlirBlockGetFirstOperation(block));) mlirOperationDestroy(op);
  }
  for (MlirBlock block = first; !mlirBlockIsNull(block); block = next) {
    next = mlirBlockGetNextInRegion(block);
    if (!pa_map_get(&reached, block.ptr)) mlirBlockDetach(block), mlirBlockDestroy(block);
  }
}

//===-- Operations --------------------------------------------------------------------------------===//

bool pa_defined_by(MlirValue value, const char *name) {
  return mlirValueIsAOpResult(value) &&
         pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(mlirOpResultGetOwner(value))), name);
}

void pa_move_operations(MlirBlock source, MlirBlock target) {
  MlirOperation end = mlirBlockGetTerminator(source), op = mlirBlockGetFirstOperation(source);
  while (!mlirOperationEqual(op, end)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(target, op);
    op = next;
  }
}
