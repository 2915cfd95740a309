// Loops whose iterations do not touch each other's memory: the memory accesses in them get the loop's access group.
//
// MLIR's loop_annotation names the group in the loop's metadata, but conversions from memref drop what would name it on
// loads and stores. LLVM takes a loop for parallel only if every access in it is in the group; one in nested loops is
// in a list of groups.
#include "parallel_loops.h"

#include "loop_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "llvm-c/Core.h"

//===-- Which loops -------------------------------------------------------------------------------===//

enum { PA_MAX_PROPERTIES = 16, PA_MAX_GROUPS = 8 };

static bool is_string(LLVMValueRef node, const char *text) {
  unsigned length;
  if (!node || !LLVMIsAMDString(node)) return false;
  const char *found = LLVMGetMDString(node, &length);
  return length == strlen(text) && memcmp(found, text, length) == 0;
}

// The access group that the loop of the back edge |branch| names, or NULL.
static LLVMValueRef group_of(LLVMValueRef branch, unsigned loop_kind) {
  LLVMValueRef loop = LLVMGetMetadata(branch, loop_kind), properties[PA_MAX_PROPERTIES], parts[2];
  if (!loop || LLVMGetMDNodeNumOperands(loop) > PA_MAX_PROPERTIES) return NULL;
  unsigned count = (unsigned)LLVMGetMDNodeNumOperands(loop);
  LLVMGetMDNodeOperands(loop, properties);
  for (unsigned i = 1; i < count; ++i) { // the first is the loop itself
    if (!properties[i] || !LLVMIsAMDNode(properties[i]) || LLVMGetMDNodeNumOperands(properties[i]) != 2) continue;
    LLVMGetMDNodeOperands(properties[i], parts);
    if (is_string(parts[0], "llvm.loop.parallel_accesses")) return parts[1];
  }
  return NULL;
}

//===-- Accesses ---------------------------------------------------------------------------------===//

// A group is a node without operands, a list of groups one with them.
static LLVMValueRef with_group(LLVMContextRef context, LLVMValueRef groups, LLVMValueRef group) {
  LLVMMetadataRef nodes[PA_MAX_GROUPS];
  LLVMValueRef parts[PA_MAX_GROUPS];
  size_t count = groups ? LLVMGetMDNodeNumOperands(groups) : 0;
  if (!groups) return group;
  if (count >= PA_MAX_GROUPS) return groups; // slower code, not wrong
  if (count)
    LLVMGetMDNodeOperands(groups, parts);
  else
    parts[count++] = groups;
  parts[count++] = group;
  for (size_t i = 0; i < count; ++i) nodes[i] = LLVMValueAsMetadata(parts[i]);
  return LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, nodes, count));
}

static void mark_accesses(const pa_block_list *list, LLVMContextRef context, LLVMValueRef group, unsigned group_kind) {
  for (size_t i = 0; i < list->count; ++i)
    for (LLVMValueRef op = LLVMGetFirstInstruction(list->items[i]); op; op = LLVMGetNextInstruction(op))
      if (LLVMIsALoadInst(op) || LLVMIsAStoreInst(op))
        LLVMSetMetadata(op, group_kind, with_group(context, LLVMGetMetadata(op, group_kind), group));
}

void pa_mark_parallel_loops(LLVMContextRef context, LLVMValueRef function) {
  unsigned loop_kind = LLVMGetMDKindIDInContext(context, "llvm.loop", 9);
  unsigned group_kind = LLVMGetMDKindIDInContext(context, "llvm.access.group", 17);
  pa_block_list list = {0};
  for (LLVMBasicBlockRef latch = LLVMGetFirstBasicBlock(function); latch; latch = LLVMGetNextBasicBlock(latch)) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(latch);
    LLVMValueRef group = branch && LLVMGetNumSuccessors(branch) == 1 ? group_of(branch, loop_kind) : NULL;
    if (!group) continue;
    if (!list.items) list.room = LLVMCountBasicBlocks(function), list.items = malloc(list.room * sizeof *list.items);
    if (!list.items) return; // slower code, not wrong
    pa_collect_loop(&list, LLVMGetSuccessor(branch, 0), latch);
    mark_accesses(&list, context, group, group_kind);
  }
  free(list.items);
}
