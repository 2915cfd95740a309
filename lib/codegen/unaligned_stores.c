// Stores of floats at addresses that are not multiples of their size: fields of packed records. NVPTX stores their bytes one by one, and of
//
//   cvt.rn.f64.u64 %rd6, %rd5;
//   st.global.b8   [%rd7+2], %rd6;
//
// the assembler (ptxas 13.0, at every level) makes a store of the low byte of %rd5. A move between the two, in assembly, keeps it from that.
#include "unaligned_stores.h"

#include <stdbool.h>
#include <string.h>

// The move of a float of that type; NULL: none.
static LLVMValueRef move_of(LLVMTypeRef type, LLVMTypeRef function) {
  static const char *const texts[] = {"mov.b64 $0, $1;", "mov.b32 $0, $1;"}, *const constraints[] = {"=d,d", "=f,f"};
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind != LLVMDoubleTypeKind && kind != LLVMFloatTypeKind) return NULL;
  const char *text = texts[kind == LLVMFloatTypeKind], *constraint = constraints[kind == LLVMFloatTypeKind];
  return LLVMGetInlineAsm(function, text, strlen(text), constraint, strlen(constraint), true, false, LLVMInlineAsmDialectATT, false);
}

static void visit(LLVMTargetDataRef data, LLVMBuilderRef builder, LLVMValueRef op) {
  if (LLVMGetInstructionOpcode(op) != LLVMStore) return;
  LLVMValueRef value = LLVMGetOperand(op, 0);
  LLVMTypeRef type = LLVMTypeOf(value), function = LLVMFunctionType(type, &type, 1, false);
  LLVMValueRef move = move_of(type, function);
  if (!move || LLVMIsConstant(value) || LLVMGetAlignment(op) >= LLVMABISizeOfType(data, type)) return;
  LLVMPositionBuilderBefore(builder, op);
  LLVMSetOperand(op, 0, LLVMBuildCall2(builder, function, move, &value, 1, ""));
}

void pa_guard_unaligned_stores(LLVMModuleRef module) {
  LLVMTargetDataRef data = LLVMGetModuleDataLayout(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) visit(data, builder, op);
  LLVMDisposeBuilder(builder);
}
