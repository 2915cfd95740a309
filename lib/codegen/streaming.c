// Accesses to a GPU's memory that nothing will come back to: marked !nontemporal in LLVM IR, for which NVPTX has no instruction.
//
//   %v = load <4 x float>, ptr addrspace(1) %p, align 16, !nontemporal !0
// becomes
//   %b = call <4 x i32> asm sideeffect "ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"(ptr addrspace(1) %p)
//   %v = bitcast ...
//
// Run before LLVM makes accesses of single elements of a vector's, which would not be marked.
#include "streaming.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { GLOBAL = 1, WORD_BITS = 32, MOST_WORDS = 4 };

typedef struct streaming {
  LLVMContextRef context;
  LLVMTargetDataRef data;
  LLVMBuilderRef builder;
  LLVMTypeRef word;
  unsigned metadata; // number of its kind
} streaming;

// Of 4, 8 or 16 bytes, aligned so; 0: not to be replaced.
static unsigned words_of(const streaming *s, LLVMValueRef access, LLVMTypeRef type, LLVMValueRef pointer) {
  unsigned long long bits = LLVMSizeOfTypeInBits(s->data, type);
  bool fits = bits == WORD_BITS || bits == 2 * WORD_BITS || bits == MOST_WORDS * WORD_BITS;
  if (!LLVMGetMetadata(access, s->metadata) || !fits || LLVMGetVolatile(access)) return 0;
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != GLOBAL || LLVMGetAlignment(access) * 8 < bits) return 0;
  return (unsigned)(bits / WORD_BITS);
}

static LLVMTypeRef words_type(const streaming *s, unsigned count) { return count == 1 ? s->word : LLVMVectorType(s->word, count); }

// "ld.global.cs.v2.b32 {$0, $1}, [$2];" or "st.global.cs.v2.b32 [$2], {$0, $1};" without |address| and |registers|.
static LLVMValueRef assembly(LLVMTypeRef type, bool load, unsigned count) {
  static const char *const vectors[] = {"", "", ".v2", "", ".v4"}, *const registers[] = {"", "$0", "{$0, $1}", "", "{$0, $1, $2, $3}"};
  static const char *const results[] = {"", "=r,l", "=r,=r,l", "", "=r,=r,=r,=r,l"}, *const operands[] = {"", "r,l", "r,r,l", "", "r,r,r,r,l"};
  char text[96];
  if (load)
    snprintf(text, sizeof text, "ld.global.cs%s.b32 %s, [$%u];", vectors[count], registers[count], count);
  else
    snprintf(text, sizeof text, "st.global.cs%s.b32 [$%u], %s;", vectors[count], count, registers[count]);
  const char *constraints = load ? results[count] : operands[count];
  return LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false, LLVMInlineAsmDialectATT, false);
}

static void replace_load(streaming *s, LLVMValueRef load, unsigned count) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0), words;
  LLVMTypeRef parts[] = {s->word, s->word, s->word, s->word}, address = LLVMTypeOf(pointer);
  LLVMTypeRef result = count == 1 ? s->word : LLVMStructTypeInContext(s->context, parts, count, false);
  LLVMTypeRef type = LLVMFunctionType(result, &address, 1, false);
  LLVMPositionBuilderBefore(s->builder, load);
  LLVMValueRef call = LLVMBuildCall2(s->builder, type, assembly(type, true, count), &pointer, 1, "");
  words = count == 1 ? call : LLVMGetUndef(words_type(s, count));
  for (unsigned i = 0; count > 1 && i < count; ++i) {
    LLVMValueRef word = LLVMBuildExtractValue(s->builder, call, i, "");
    words = LLVMBuildInsertElement(s->builder, words, word, LLVMConstInt(s->word, i, false), "");
  }
  LLVMReplaceAllUsesWith(load, LLVMBuildBitCast(s->builder, words, LLVMTypeOf(load), ""));
  LLVMInstructionEraseFromParent(load);
}

static void replace_store(streaming *s, LLVMValueRef store, unsigned count) {
  LLVMValueRef pointer = LLVMGetOperand(store, 1), operands[MOST_WORDS + 1];
  LLVMTypeRef types[] = {s->word, s->word, s->word, s->word, s->word};
  LLVMPositionBuilderBefore(s->builder, store);
  LLVMValueRef words = LLVMBuildBitCast(s->builder, LLVMGetOperand(store, 0), words_type(s, count), "");
  for (unsigned i = 0; i < count; ++i)
    operands[i] = count == 1 ? words : LLVMBuildExtractElement(s->builder, words, LLVMConstInt(s->word, i, false), "");
  operands[count] = pointer;
  types[count] = LLVMTypeOf(pointer);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(s->context), types, count + 1, false);
  LLVMBuildCall2(s->builder, type, assembly(type, false, count), operands, count + 1, "");
  LLVMInstructionEraseFromParent(store);
}

static bool is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind) kind = LLVMGetTypeKind(LLVMGetElementType(type));
  return kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static void visit(streaming *s, LLVMValueRef op) {
  bool load = LLVMGetInstructionOpcode(op) == LLVMLoad;
  if (!load && LLVMGetInstructionOpcode(op) != LLVMStore) return;
  LLVMTypeRef type = load ? LLVMTypeOf(op) : LLVMTypeOf(LLVMGetOperand(op, 0));
  unsigned count = is_number(type) ? words_of(s, op, type, LLVMGetOperand(op, load ? 0 : 1)) : 0;
  if (!count) return;
  if (load)
    replace_load(s, op, count);
  else
    replace_store(s, op, count);
}

void pa_stream_accesses(LLVMModuleRef module) {
  static const char kind[] = "nontemporal";
  LLVMContextRef context = LLVMGetModuleContext(module);
  streaming s = {context, LLVMGetModuleDataLayout(module), LLVMCreateBuilderInContext(context), LLVMInt32TypeInContext(context),
                 LLVMGetMDKindIDInContext(context, kind, sizeof kind - 1)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        visit(&s, op);
      }
  LLVMDisposeBuilder(s.builder);
}
