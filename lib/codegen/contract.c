// Products that are added to something become llvm.fmuladd, which a GPU computes in one instruction, as nvcc has it
// too.
//
//   %p = fmul double %a, %b            %s = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
//   %s = fadd double %p, %c
//
// NVPTX fuses too, but late: by then LLVM has shared a product between two sums, or kept it from one iteration to the
// next, and neither sum can take it in. Differences are left to NVPTX: negated here, a product could not be shared with
// a sum's.
#include "contract.h"

#include <stdbool.h>
#include <string.h>

typedef struct contraction {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
} contraction;

static bool is_float(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

// A product that only |sum| uses, made in the same block.
static bool is_own_product(LLVMValueRef value, LLVMValueRef sum) {
  if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMFMul) return false;
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use) && LLVMGetInstructionParent(value) == LLVMGetInstructionParent(sum);
}

static LLVMValueRef multiply_add(contraction *c, LLVMValueRef a, LLVMValueRef b, LLVMValueRef addend) {
  static const char name[] = "llvm.fmuladd";
  LLVMTypeRef type = LLVMTypeOf(a);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(c->module, id, &type, 1);
  LLVMTypeRef signature = LLVMIntrinsicGetType(LLVMGetModuleContext(c->module), id, &type, 1);
  return LLVMBuildCall2(c->builder, signature, function, (LLVMValueRef[]){a, b, addend}, 3, "");
}

// Null if neither operand is a product. In a * b + c * d the first is the one that is not rounded, as in C.
static LLVMValueRef contract_sum(contraction *c, LLVMValueRef sum) {
  int product = is_own_product(LLVMGetOperand(sum, 0), sum) ? 0 : 1;
  LLVMValueRef factors = LLVMGetOperand(sum, (unsigned)product), addend = LLVMGetOperand(sum, (unsigned)!product);
  if (!is_own_product(factors, sum)) return NULL;
  LLVMPositionBuilderBefore(c->builder, sum); // and its place in the source
  return multiply_add(c, LLVMGetOperand(factors, 0), LLVMGetOperand(factors, 1), addend);
}

static void contract_block(contraction *c, LLVMBasicBlockRef block) {
  for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
    next = LLVMGetNextInstruction(op);
    if (LLVMGetInstructionOpcode(op) != LLVMFAdd || !is_float(LLVMTypeOf(op))) continue;
    LLVMValueRef made = contract_sum(c, op);
    if (!made) continue;
    if (LLVMCanValueUseFastMathFlags(made)) LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(op));
    LLVMReplaceAllUsesWith(op, made);
    LLVMInstructionEraseFromParent(op);
  }
}

void pa_contract_products(LLVMModuleRef module, LLVMValueRef function) {
  contraction c = {module, LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    contract_block(&c, block);
  LLVMDisposeBuilder(c.builder);
}
