// Accesses to a GPU's memory that nothing will come back to: marked !nontemporal in LLVM IR, for which NVPTX has no
// instruction.
//
//   %v = load <4 x float>, ptr addrspace(1) %p, align 16, !nontemporal !0
// becomes
//   %b = call <4 x i32> asm sideeffect "ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"(ptr addrspace(1)
//   %p) %v = bitcast ...
//
// Loads under a mask whose bits are all the same, of which LLVM would make branches, get a predicate.
//
//   %v = call <2 x float> @llvm.masked.load(ptr %p, <2 x i1> %m, <2 x float> %w), !nontemporal !0
// becomes
//   call { i32, i32 } asm sideeffect "@$3 ld.global.cs.v2.b32 {$0, $1}, [$2];", "=r,=r,l,b,0,1"(ptr addrspace(1) %p, i1
//   %m0, i32 %w0, i32 %w1)
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
  unsigned masked_load;
} streaming;

// Of 4, 8 or 16 bytes, aligned so; 0: not to be replaced.
static unsigned words_of(const streaming *s, LLVMValueRef access, LLVMTypeRef type, LLVMValueRef pointer) {
  unsigned long long bits = LLVMSizeOfTypeInBits(s->data, type);
  bool fits = bits == WORD_BITS || bits == 2 * WORD_BITS || bits == MOST_WORDS * WORD_BITS;
  if (!LLVMGetMetadata(access, s->metadata) || !fits || LLVMGetVolatile(access)) return 0;
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != GLOBAL || LLVMGetAlignment(access) * 8 < bits) return 0;
  return (unsigned)(bits / WORD_BITS);
}

static LLVMTypeRef words_type(const streaming *s, unsigned count) {
  return count == 1 ? s->word : LLVMVectorType(s->word, count);
}

// "ld.global.cs.v2.b32 {$0, $1}, [$2];" or "st.global.cs.v2.b32 [$2], {$0, $1};" without |address| and |registers|.
static LLVMValueRef assembly(LLVMTypeRef type, bool load, unsigned count) {
  static const char *const vectors[] = {"", "", ".v2", "", ".v4"}, *const registers[] = {"", "$0", "{$0, $1}", "",
                                                                                         "{$0, $1, $2, $3}"};
  static const char *const results[] = {"", "=r,l", "=r,=r,l", "", "=r,=r,=r,=r,l"}, *const operands[] = {"", "r,l",
                                                                                                          "r,r,l", "",
                                                                                                          "r,r,r,r,l"};
  char text[96];
  if (load)
    snprintf(text, sizeof text, "ld.global.cs%s.b32 %s, [$%u];", vectors[count], registers[count], count);
  else
    snprintf(text, sizeof text, "st.global.cs%s.b32 [$%u], %s;", vectors[count], count, registers[count]);
  const char *constraints = load ? results[count] : operands[count];
  return LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                          LLVMInlineAsmDialectATT, false);
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

//===-- Masks -------------------------------------------------------------------------------------===//

// The bit that |mask| has at a place; null where it was not put together.
static LLVMValueRef bit_of(LLVMValueRef mask, unsigned place) {
  while (LLVMIsAInsertElementInst(mask)) {
    LLVMValueRef index = LLVMGetOperand(mask, 2);
    if (!LLVMIsAConstantInt(index)) return NULL;
    if (LLVMConstIntGetZExtValue(index) == place) return LLVMGetOperand(mask, 1);
    mask = LLVMGetOperand(mask, 0);
  }
  return LLVMIsConstant(mask) ? LLVMGetAggregateElement(mask, place) : NULL;
}

static bool is_splat(LLVMValueRef mask) {
  for (unsigned i = 1; i < LLVMGetVectorSize(LLVMTypeOf(mask)); ++i)
    if (bit_of(mask, i) != bit_of(mask, 0)) return false;
  return bit_of(mask, 0);
}

static LLVMValueRef in_global(streaming *s, LLVMValueRef pointer) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == GLOBAL) return pointer;
  return LLVMBuildAddrSpaceCast(s->builder, pointer, LLVMPointerTypeInContext(s->context, GLOBAL), "");
}

static LLVMValueRef number(streaming *s, unsigned value) { return LLVMConstInt(s->word, value, false); }

static LLVMValueRef predicated(streaming *s, LLVMTypeRef result, const char *text, const char *constraints,
                               LLVMValueRef *operands, unsigned count) {
  LLVMTypeRef types[2 * MOST_WORDS + 2];
  for (unsigned i = 0; i < count; ++i) types[i] = LLVMTypeOf(operands[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMValueRef assembly = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                                           LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(s->builder, type, assembly, operands, count, "");
}

// Of 4, 8 or 16 bytes.
static LLVMValueRef load_all(streaming *s, LLVMValueRef pointer, LLVMValueRef bit, LLVMValueRef other, unsigned count) {
  static const struct {
    const char *text, *constraints;
  } forms[] = {[1] = {"@$2 ld.global.cs.b32 $0, [$1];", "=r,l,b,0"},
               [2] = {"@$3 ld.global.cs.v2.b32 {$0, $1}, [$2];", "=r,=r,l,b,0,1"},
               [4] = {"@$5 ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3"}};
  LLVMTypeRef parts[] = {s->word, s->word, s->word, s->word};
  LLVMTypeRef result = count == 1 ? s->word : LLVMStructTypeInContext(s->context, parts, count, false);
  LLVMValueRef words = LLVMBuildBitCast(s->builder, other, words_type(s, count), ""),
               operands[MOST_WORDS + 2] = {pointer, bit};
  for (unsigned i = 0; i < count; ++i)
    operands[2 + i] = count == 1 ? words : LLVMBuildExtractElement(s->builder, words, number(s, i), "");
  LLVMValueRef call = predicated(s, result, forms[count].text, forms[count].constraints, operands, count + 2);
  if (count == 1) return LLVMBuildBitCast(s->builder, call, LLVMTypeOf(other), "");
  for (unsigned i = 0; i < count; ++i)
    words = LLVMBuildInsertElement(s->builder, words, LLVMBuildExtractValue(s->builder, call, i, ""), number(s, i), "");
  return LLVMBuildBitCast(s->builder, words, LLVMTypeOf(other), "");
}

static void replace_masked_load(streaming *s, LLVMValueRef load) {
  LLVMValueRef mask = LLVMGetOperand(load, 1), other = LLVMGetOperand(load, 2);
  unsigned long long bits = LLVMSizeOfTypeInBits(s->data, LLVMTypeOf(other));
  bool fits = bits == WORD_BITS || bits == 2 * WORD_BITS || bits == MOST_WORDS * WORD_BITS;
  if (!LLVMGetMetadata(load, s->metadata) || !is_splat(mask) || !fits) return;
  LLVMPositionBuilderBefore(s->builder, load);
  LLVMReplaceAllUsesWith(
      load, load_all(s, in_global(s, LLVMGetOperand(load, 0)), bit_of(mask, 0), other, (unsigned)(bits / WORD_BITS)));
  LLVMInstructionEraseFromParent(load);
}

static void visit_call(streaming *s, LLVMValueRef call) {
  if (LLVMGetIntrinsicID(LLVMGetCalledValue(call)) == s->masked_load) replace_masked_load(s, call);
}

//===-- Accesses ----------------------------------------------------------------------------------===//

static bool is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind) kind = LLVMGetTypeKind(LLVMGetElementType(type));
  return kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind ||
         kind == LLVMDoubleTypeKind;
}

static void visit(streaming *s, LLVMValueRef op) {
  if (LLVMIsACallInst(op)) {
    visit_call(s, op);
    return;
  }
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
  static const char kind[] = "nontemporal", load[] = "llvm.masked.load";
  LLVMContextRef context = LLVMGetModuleContext(module);
  streaming s = {context,
                 LLVMGetModuleDataLayout(module),
                 LLVMCreateBuilderInContext(context),
                 LLVMInt32TypeInContext(context),
                 LLVMGetMDKindIDInContext(context, kind, sizeof kind - 1),
                 LLVMLookupIntrinsicID(load, sizeof load - 1)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        visit(&s, op);
      }
  LLVMDisposeBuilder(s.builder);
}
