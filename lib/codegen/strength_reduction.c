// Products of a loop's counter with a stride become sums. A CPU multiplies once in a cycle, and each array with a
// stride of its own wants a product for each element; it adds several times in a cycle. Before and after:
//
//   %i = phi i64 [ 0, %before ], [ %next, %loop ]
//   %at = mul i64 %i, %stride
//   %next = add i64 %i, 4
//
//   %first = mul i64 0, %stride                          in %before
//   %step = mul i64 4, %stride
//   %i = phi i64 [ 0, %before ], [ %next, %loop ]
//   %at = phi i64 [ %first, %before ], [ %at.next, %loop ]
//   %next = add i64 %i, 4
//   %at.next = add i64 %at, %step                        at the end of %loop
//
// The same of vectors of counters, and of (%i + 3) * %stride, which is %at + 3 * %stride. LLVM's own pass of this name
// costs a third of the emission and makes some loops slower: docs/performance.md, "LLVM pipeline".
#include "strength_reduction.h"

#include "loop_blocks.h"

enum {
  MOST_SUMS = 6,   // of a loop: each takes a register
  MOST_BLOCKS = 64 // of a loop that is looked at
};

//===-- Counters and their loops ------------------------------------------------------------------===//

typedef struct counter {
  LLVMValueRef phi, init, step; // a constant step
  LLVMBasicBlockRef before, latch;
  pa_block_list loop;
} counter;

// False where the loop is too large, or has another way in.
static bool find_blocks(counter *c, LLVMBasicBlockRef *items) {
  LLVMBasicBlockRef header = LLVMGetInstructionParent(c->phi);
  c->loop = (pa_block_list){items, 0, MOST_BLOCKS};
  return pa_collect_loop(&c->loop, header, c->latch) && !pa_contains_block(&c->loop, c->before) &&
         !pa_contains_block(&c->loop, LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(header)));
}

// Unrolled loops add to multiples of a power of two, which is an or.
static bool is_sum_with_constant(LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return (opcode == LLVMAdd || (opcode == LLVMOr && LLVMGetIsDisjoint(value))) &&
         LLVMIsConstant(LLVMGetOperand(value, 1));
}

// Whether |phi| goes up by a constant each time around its loop.
static bool read_counter(LLVMValueRef phi, LLVMBasicBlockRef *blocks, counter *c) {
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2) return false;
  for (unsigned i = 0; i < 2; ++i) {
    LLVMValueRef next = LLVMGetIncomingValue(phi, i);
    if (!is_sum_with_constant(next) || LLVMGetOperand(next, 0) != phi) continue;
    *c = (counter){.phi = phi,
                   .init = LLVMGetIncomingValue(phi, 1 - i),
                   .step = LLVMGetOperand(next, 1),
                   .before = LLVMGetIncomingBlock(phi, 1 - i),
                   .latch = LLVMGetIncomingBlock(phi, i)};
    return find_blocks(c, blocks);
  }
  return false;
}

static bool is_invariant(const counter *c, LLVMValueRef value) {
  return LLVMIsAArgument(value) ||
         (LLVMIsAInstruction(value) && !pa_contains_block(&c->loop, LLVMGetInstructionParent(value)));
}

//===-- Products ----------------------------------------------------------------------------------===//

typedef struct product {
  LLVMValueRef op, stride, more; // |more|: a constant that is added to the counter first, or null
} product;

// Whether |user|, which uses |value|, is its product with what does not change in the loop.
static bool read_product(const counter *c, LLVMValueRef user, LLVMValueRef value, LLVMValueRef more, product *out) {
  if (!LLVMIsAInstruction(user) || LLVMGetInstructionOpcode(user) != LLVMMul ||
      !pa_contains_block(&c->loop, LLVMGetInstructionParent(user)))
    return false;
  LLVMValueRef a = LLVMGetOperand(user, 0), b = LLVMGetOperand(user, 1);
  *out = (product){user, a == value ? b : a, more};
  return is_invariant(c, out->stride);
}

static bool find_product(const counter *c, LLVMValueRef value, LLVMValueRef more, product *out) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (read_product(c, user, value, more, out)) return true;
    if (!more && is_sum_with_constant(user) && find_product(c, user, LLVMGetOperand(user, 1), out)) return true;
  }
  return false;
}

//===-- Sums --------------------------------------------------------------------------------------===//

typedef struct sum {
  LLVMValueRef phi, stride;
} sum;

static LLVMValueRef sum_of(LLVMBuilderRef builder, const counter *c, LLVMValueRef stride) {
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(c->before));
  LLVMValueRef first = LLVMBuildMul(builder, c->init, stride, ""), step = LLVMBuildMul(builder, c->step, stride, "");
  LLVMPositionBuilderBefore(builder, c->phi);
  LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(c->phi), "");
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(c->latch));
  LLVMValueRef next = LLVMBuildAdd(builder, phi, step, "");
  LLVMAddIncoming(phi, (LLVMValueRef[]){first, next}, (LLVMBasicBlockRef[]){c->before, c->latch}, 2);
  return phi;
}

static void replace(LLVMBuilderRef builder, const counter *c, const product *p, LLVMValueRef at) {
  if (p->more) {
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(c->before));
    LLVMValueRef offset = LLVMBuildMul(builder, p->more, p->stride, "");
    LLVMPositionBuilderBefore(builder, p->op);
    at = LLVMBuildAdd(builder, at, offset, "");
  }
  LLVMReplaceAllUsesWith(p->op, at);
  LLVMInstructionEraseFromParent(p->op);
}

static void reduce(LLVMBuilderRef builder, LLVMValueRef phi) {
  counter c;
  product p;
  sum sums[MOST_SUMS];
  unsigned count = 0;
  LLVMBasicBlockRef blocks[MOST_BLOCKS];
  if (!read_counter(phi, blocks, &c)) return;
  while (find_product(&c, c.phi, NULL, &p)) {
    unsigned i = 0;
    while (i < count && sums[i].stride != p.stride) ++i;
    if (i == MOST_SUMS) return;
    if (i == count) sums[count++] = (sum){sum_of(builder, &c, p.stride), p.stride};
    replace(builder, &c, &p, sums[i].phi);
  }
}

void pa_reduce_strength(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op && LLVMIsAPHINode(op); op = next) {
        next = LLVMGetNextInstruction(op);
        reduce(builder, op);
      }
  LLVMDisposeBuilder(builder);
}
