// Loads of what an iteration before has stored, as in
//
//   for j in range(1, n):
//       a[i, j] = 0.9 * a[i, j - 1] + x[j]
//
// which waits in each iteration until memory has what it just stored. LLVM's pass that carries the value instead asks
// of every loop how its accesses lie to each other, a twentieth of all passes' time; so it is run where a loop of one
// block, which is what innermost loops are in the end, stores to an array and loads elsewhere from it.
#include "carried_loads.h"

static LLVMValueRef array_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

// Whether the block stores a |type| to the array of |pointer|, but not there.
static bool stores_beside(LLVMBasicBlockRef block, LLVMValueRef pointer, LLVMTypeRef type) {
  for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
    if (LLVMIsAStoreInst(op) && LLVMGetOperand(op, 1) != pointer && LLVMTypeOf(LLVMGetOperand(op, 0)) == type &&
        array_of(LLVMGetOperand(op, 1)) == array_of(pointer))
      return true;
  return false;
}

static bool is_loop(LLVMBasicBlockRef block) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); ++i)
    if (LLVMGetSuccessor(branch, i) == block) return true;
  return false;
}

bool pa_may_carry_loads(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      if (!is_loop(block)) continue;
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (LLVMIsALoadInst(op) && LLVMGetTypeKind(LLVMTypeOf(op)) != LLVMVectorTypeKind &&
            stores_beside(block, LLVMGetOperand(op, 0), LLVMTypeOf(op)))
          return true;
    }
  return false;
}
