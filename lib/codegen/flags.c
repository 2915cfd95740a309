#include "flags.h"

#include <stdbool.h>

// Upstream's lowering of memref takes strides to be positive and marks what it computes of them `nuw`. NumPy's views
// run backwards as well, for which that is undefined behaviour; nothing else in our IR has the flag.
void pa_allow_negative_strides(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
      if (opcode == LLVMAdd || opcode == LLVMMul) LLVMSetNUW(op, false);
      if (opcode == LLVMGetElementPtr) LLVMGEPSetNoWrapFlags(op, LLVMGEPGetNoWrapFlags(op) & ~(unsigned)LLVMGEPFlagNUW);
    }
}

void pa_set_fast_math(LLVMValueRef function, LLVMFastMathFlags flags) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (LLVMCanValueUseFastMathFlags(op)) LLVMSetFastMathFlags(op, LLVMGetFastMathFlags(op) | flags);
}
