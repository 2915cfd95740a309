// Divisions of vectors that are shorter than a register: LLVM divides a whole one, zero by zero where the vector ends,
// and leaves the floating-point exception of that, which NumPy reads after the loops of a ufunc. A loop of float32 and
// float64 has such vectors on CPUs without AVX. Before and after:
//
//   %q = fdiv <2 x float> %a, %b
//
//   %a0 = extractelement <2 x float> %a, i32 0
//   %b0 = extractelement <2 x float> %b, i32 0
//   %q0 = fdiv float %a0, %b0
//   %0 = insertelement <2 x float> poison, float %q0, i32 0
//   ...
//
// Other lanes to divide, added to the operands, would be dropped in emission, since nobody asks for what becomes of
// them.
#include "short_divisions.h"

#include <stdbool.h>

enum { REGISTER = 16 }; // bytes of the smallest

static bool is_short(LLVMTypeRef vector) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetElementType(vector));
  unsigned size = kind == LLVMHalfTypeKind ? 2 : kind == LLVMFloatTypeKind ? 4 : 8;
  return LLVMGetVectorSize(vector) * size < REGISTER;
}

static LLVMValueRef element_of(LLVMBuilderRef builder, LLVMValueRef vector, LLVMValueRef index) {
  return LLVMBuildExtractElement(builder, vector, index, "");
}

static void visit(LLVMBuilderRef builder, LLVMValueRef op) {
  LLVMTypeRef type = LLVMTypeOf(op), i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  if (LLVMGetInstructionOpcode(op) != LLVMFDiv || LLVMGetTypeKind(type) != LLVMVectorTypeKind || !is_short(type))
    return;
  LLVMPositionBuilderBefore(builder, op);
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); ++i) {
    LLVMValueRef index = LLVMConstInt(i32, i, false);
    LLVMValueRef quotient = LLVMBuildFDiv(builder, element_of(builder, LLVMGetOperand(op, 0), index),
                                          element_of(builder, LLVMGetOperand(op, 1), index), "");
    if (LLVMIsAInstruction(quotient)) LLVMSetFastMathFlags(quotient, LLVMGetFastMathFlags(op));
    result = LLVMBuildInsertElement(builder, result, quotient, index, "");
  }
  LLVMReplaceAllUsesWith(op, result);
  LLVMInstructionEraseFromParent(op);
}

void pa_split_short_divisions(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        visit(builder, op);
      }
  LLVMDisposeBuilder(builder);
}
