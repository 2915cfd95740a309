// The last part of a block keeps the block, so that what comes behind it still comes from there; what branched to the
// block goes to its first part.
//
//   b: %x = phi [...]              b.part: %x = phi [...]
//      ... 400 instructions                ... 256 instructions
//      br %c                               br %b
//                                  b:      ... 144 instructions
//                                          br %c
#include "split_blocks.h"

#include <stdbool.h>

#include "codegen.h"
#include "llvm-c/DebugInfo.h"

// How far to look for a better place for a cut.
enum { FARTHEST = 32 };

// Whether instruction selection could have put |op| into the instruction that uses it: a comparison into a branch, a
// product into a sum, a load or an address into anything.
static bool may_be_part_of_next(LLVMValueRef op) {
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFDiv:
  case LLVMCall:
  case LLVMStore: return false;
  default: return true;
  }
}

static int count_instructions(LLVMBasicBlockRef block) {
  int count = 0;
  for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) ++count;
  return count;
}

static void move_to_end(LLVMBuilderRef builder, LLVMBasicBlockRef to, LLVMValueRef op) {
  LLVMInstructionRemoveFromParent(op);
  LLVMPositionBuilderAtEnd(builder, to);
  LLVMInsertIntoBuilder(builder, op);
}

// Stack memory of a known size belongs to the first part of the function: elsewhere it would be made at run time.
static void move_memory(LLVMBuilderRef builder, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  for (LLVMValueRef op = LLVMGetFirstInstruction(from), next; op; op = next) {
    next = LLVMGetNextInstruction(op);
    if (LLVMIsAAllocaInst(op) && LLVMIsAConstantInt(LLVMGetOperand(op, 0))) move_to_end(builder, to, op);
  }
}

// Those that branch to |block| go to |first| instead; phis that name it, as where they come from, still do.
static void redirect(LLVMValueRef function, LLVMBasicBlockRef block, LLVMBasicBlockRef first) {
  for (LLVMBasicBlockRef from = LLVMGetFirstBasicBlock(function); from; from = LLVMGetNextBasicBlock(from)) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; branch && i < LLVMGetNumSuccessors(branch); ++i)
      if (LLVMGetSuccessor(branch, i) == block) LLVMSetSuccessor(branch, i, first);
  }
}

// Moves PA_CODEGEN_BLOCK_PART instructions, or a few more, from the begin of |block| into |part|.
static void move_part(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMBasicBlockRef part) {
  LLVMValueRef op = LLVMGetFirstInstruction(block);
  for (int count = 1; !LLVMIsATerminatorInst(op); ++count) {
    LLVMValueRef next = LLVMGetNextInstruction(op);
    move_to_end(builder, part, op);
    bool enough =
        count >= PA_CODEGEN_BLOCK_PART && (count >= PA_CODEGEN_BLOCK_PART + FARTHEST || !may_be_part_of_next(op));
    if (enough && !LLVMIsAPHINode(next)) return;
    op = next;
  }
}

static void branch(LLVMBuilderRef builder, LLVMValueRef function, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMPositionBuilderAtEnd(builder, from);
  LLVMBuildBr(builder, to);
  // A block with an address is not merged into another, which emission does before it selects instructions.
  LLVMBlockAddress(function, to);
}

static void split_block(LLVMBuilderRef builder, LLVMValueRef function, LLVMBasicBlockRef block) {
  LLVMBasicBlockRef last = NULL;
  bool entry = LLVMGetEntryBasicBlock(function) == block;
  for (int left = count_instructions(block); left > PA_CODEGEN_BLOCK_PART + FARTHEST;
       left = count_instructions(block)) {
    LLVMBasicBlockRef part =
        LLVMInsertBasicBlockInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)), block, "part");
    if (last)
      branch(builder, function, last, part);
    else if (entry)
      move_memory(builder, block, part);
    else
      redirect(function, block, part);
    move_part(builder, block, part);
    last = part;
  }
  branch(builder, function, last, block);
}

static void split_blocks(LLVMBuilderRef builder, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function), next; block; block = next) {
    next = LLVMGetNextBasicBlock(block);
    if (count_instructions(block) > PA_CODEGEN_LONG_BLOCK) split_block(builder, function, block);
  }
}

void pa_split_blocks(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMGetSubprogram(f)) split_blocks(builder, f);
  LLVMDisposeBuilder(builder);
}
