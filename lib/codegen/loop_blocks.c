// The blocks of a loop. A block's predecessors are the users of its value.
#include "loop_blocks.h"

bool pa_contains_block(const pa_block_list *list, LLVMBasicBlockRef block) {
  for (size_t i = 0; i < list->count; ++i)
    if (list->items[i] == block) return true;
  return false;
}

static bool add_block(pa_block_list *list, LLVMBasicBlockRef block) {
  if (pa_contains_block(list, block)) return true;
  if (list->count == list->room) return false;
  list->items[list->count++] = block;
  return true;
}

bool pa_collect_loop(pa_block_list *list, LLVMBasicBlockRef header, LLVMBasicBlockRef latch) {
  list->count = 0;
  if (!add_block(list, header) || !add_block(list, latch)) return false;
  for (size_t i = 1; i < list->count; ++i)
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(list->items[i])); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsATerminatorInst(user) && !add_block(list, LLVMGetInstructionParent(user))) return false;
    }
  return true;
}
