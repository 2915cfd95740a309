// Accesses to a GPU's memory with a cache operator, for which NVPTX has no instruction. Two marks ask for one in LLVM
// IR:
//
//   !nontemporal                                  global memory that nothing will come back to: the operator cs
//   !alias.scope with the text pyarray.cache.cg   the operator that a program names by cuda.ldcg and the like (nvptx.c)
//
//   %v = load <4 x float>, ptr addrspace(1) %p, align 16, !nontemporal !0
// becomes
//   %b = call <4 x i32> asm sideeffect "ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"(ptr ... %p)
//   %v = bitcast ...
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

enum { GENERIC = 0, GLOBAL = 1, WORD_BITS = 32, MOST_WORDS = 4, MOST_UNITS = 4, MOST_BITS = 128 };

static const char cache_scope[] = "pyarray.cache.";

typedef struct streaming {
  LLVMContextRef context;
  LLVMTargetDataRef data;
  LLVMBuilderRef builder;
  LLVMTypeRef word;
  unsigned nontemporal, scope; // numbers of kinds of metadata
  unsigned masked_load;
} streaming;

// How an access is made: by |count| units.
typedef struct access {
  const char *operator;
  const char *space; // ".global", or "" where it is not known
  unsigned count, bits;
  LLVMTypeRef unit;
} access;

// ORDER CACHE OPERATORS
static const char *const operators[] = {"ca", "cg", "cs", "lu", "cv", "wb", "wt"};

// The operator that a program names; NULL: it names none.
static const char *named_operator(const streaming *s, LLVMValueRef op) {
  LLVMValueRef scopes = LLVMGetMetadata(op, s->scope), list[4], parts[4];
  if (!scopes || LLVMGetMDNodeNumOperands(scopes) > 4) return NULL;
  LLVMGetMDNodeOperands(scopes, list);
  for (unsigned i = 0; i < LLVMGetMDNodeNumOperands(scopes); ++i) {
    unsigned count = LLVMGetMDNodeNumOperands(list[i]), length;
    if (!count || count > 4) continue;
    LLVMGetMDNodeOperands(list[i], parts);
    const char *text = parts[count - 1] ? LLVMGetMDString(parts[count - 1], &length) : NULL;
    if (!text || length != sizeof cache_scope + 1 || memcmp(text, cache_scope, sizeof cache_scope - 1) != 0) continue;
    for (size_t k = 0; k < sizeof operators / sizeof *operators; ++k)
      if (memcmp(text + sizeof cache_scope - 1, operators[k], 2) == 0) return operators[k];
  }
  return NULL;
}

// Of the elements of a vector, or of a number.
static unsigned element_bits(const streaming *s, LLVMTypeRef type) {
  return (unsigned)LLVMSizeOfTypeInBits(s->data,
                                        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
}

// False where it stays as it is: not marked, in memory that has no such accesses, or of another size.
static bool plan(const streaming *s, LLVMValueRef op, LLVMTypeRef type, LLVMValueRef pointer, access *out) {
  unsigned long long bits = LLVMSizeOfTypeInBits(s->data, type);
  const char *named = named_operator(s, op);
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  if (!named && (!LLVMGetMetadata(op, s->nontemporal) || LLVMGetVolatile(op) || bits < WORD_BITS || space != GLOBAL))
    return false;
  if (bits < 8 || bits > MOST_BITS || (bits & (bits - 1)) || space > GLOBAL || LLVMGetAlignment(op) * 8 < bits)
    return false;
  unsigned unit = named && element_bits(s, type) == 2 * WORD_BITS ? 2 * WORD_BITS
                  : bits < WORD_BITS                              ? (unsigned)bits
                                                                  : WORD_BITS;
  LLVMTypeRef integer = LLVMIntTypeInContext(s->context, unit < 16 ? 16 : unit); // bytes are in registers of 16 bits
  *out = (access){named ? named : "cs", space == GLOBAL ? ".global" : "", (unsigned)(bits / unit), unit, integer};
  return true;
}

static LLVMTypeRef units_type(const access *a) { return a->count == 1 ? a->unit : LLVMVectorType(a->unit, a->count); }

// "ld.global.cs.v2.b32 {$0, $1}, [$2];" or "st.global.cs.v2.b32 [$2], {$0, $1};"
static LLVMValueRef assembly(const access *a, LLVMTypeRef type, bool load) {
  static const char *const vectors[] = {"", "", ".v2", "", ".v4"}, *const registers[] = {"", "$0", "{$0, $1}", "",
                                                                                         "{$0, $1, $2, $3}"};
  char text[96], constraints[32] = "", letter = a->bits <= 16 ? 'h' : a->bits == WORD_BITS ? 'r' : 'l';
  if (load)
    snprintf(text, sizeof text, "ld%s.%s%s.b%u %s, [$%u];", a->space, a->operator, vectors[a->count], a->bits,
             registers[a->count], a->count);
  else
    snprintf(text, sizeof text, "st%s.%s%s.b%u [$%u], %s;", a->space, a->operator, vectors[a->count], a->bits, a->count,
             registers[a->count]);
  for (unsigned i = 0; i < a->count; ++i)
    snprintf(constraints + strlen(constraints), sizeof constraints - strlen(constraints), load ? "=%c," : "%c,",
             letter);
  strcat(constraints, "l");
  if (!load) strcat(constraints, ",~{memory}");
  return LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                          LLVMInlineAsmDialectATT, false);
}

// An integer of as many bits as the access has, of its units or for them.
static LLVMValueRef resized(streaming *s, const access *a, LLVMValueRef value, bool narrow) {
  if (a->bits >= 16) return value;
  LLVMTypeRef byte = LLVMInt8TypeInContext(s->context);
  return narrow ? LLVMBuildTrunc(s->builder, value, byte, "") : LLVMBuildZExt(s->builder, value, a->unit, "");
}

static void replace_load(streaming *s, LLVMValueRef load, const access *a) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0), units;
  LLVMTypeRef parts[] = {a->unit, a->unit, a->unit, a->unit}, address = LLVMTypeOf(pointer),
              index = LLVMInt32TypeInContext(s->context);
  LLVMTypeRef result = a->count == 1 ? a->unit : LLVMStructTypeInContext(s->context, parts, a->count, false);
  LLVMTypeRef type = LLVMFunctionType(result, &address, 1, false);
  LLVMPositionBuilderBefore(s->builder, load);
  LLVMValueRef call = LLVMBuildCall2(s->builder, type, assembly(a, type, true), &pointer, 1, "");
  units = a->count == 1 ? resized(s, a, call, true) : LLVMGetUndef(units_type(a));
  for (unsigned i = 0; a->count > 1 && i < a->count; ++i) {
    LLVMValueRef unit = LLVMBuildExtractValue(s->builder, call, i, "");
    units = LLVMBuildInsertElement(s->builder, units, unit, LLVMConstInt(index, i, false), "");
  }
  LLVMReplaceAllUsesWith(load, LLVMBuildBitCast(s->builder, units, LLVMTypeOf(load), ""));
  LLVMInstructionEraseFromParent(load);
}

static void replace_store(streaming *s, LLVMValueRef store, const access *a) {
  LLVMValueRef pointer = LLVMGetOperand(store, 1), operands[MOST_UNITS + 1];
  LLVMTypeRef types[] = {a->unit, a->unit, a->unit, a->unit, a->unit}, index = LLVMInt32TypeInContext(s->context);
  LLVMPositionBuilderBefore(s->builder, store);
  LLVMTypeRef whole = a->bits < 16 ? LLVMInt8TypeInContext(s->context) : units_type(a);
  LLVMValueRef units = LLVMBuildBitCast(s->builder, LLVMGetOperand(store, 0), whole, "");
  for (unsigned i = 0; i < a->count; ++i)
    operands[i] = a->count == 1 ? resized(s, a, units, false)
                                : LLVMBuildExtractElement(s->builder, units, LLVMConstInt(index, i, false), "");
  operands[a->count] = pointer;
  types[a->count] = LLVMTypeOf(pointer);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(s->context), types, a->count + 1, false);
  LLVMBuildCall2(s->builder, type, assembly(a, type, false), operands, a->count + 1, "");
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

static LLVMTypeRef words_type(const streaming *s, unsigned count) {
  return count == 1 ? s->word : LLVMVectorType(s->word, count);
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
  if (!LLVMGetMetadata(load, s->nontemporal) || !is_splat(mask) || !fits) return;
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
  return kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ||
         kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static void visit(streaming *s, LLVMValueRef op) {
  if (LLVMIsACallInst(op)) {
    visit_call(s, op);
    return;
  }
  bool load = LLVMGetInstructionOpcode(op) == LLVMLoad;
  if (!load && LLVMGetInstructionOpcode(op) != LLVMStore) return;
  LLVMTypeRef type = load ? LLVMTypeOf(op) : LLVMTypeOf(LLVMGetOperand(op, 0));
  access a;
  if (!is_number(type) || !plan(s, op, type, LLVMGetOperand(op, load ? 0 : 1), &a)) return;
  if (load)
    replace_load(s, op, &a);
  else
    replace_store(s, op, &a);
}

void pa_stream_accesses(LLVMModuleRef module) {
  static const char nontemporal[] = "nontemporal", scope[] = "alias.scope", load[] = "llvm.masked.load";
  LLVMContextRef context = LLVMGetModuleContext(module);
  streaming s = {context,
                 LLVMGetModuleDataLayout(module),
                 LLVMCreateBuilderInContext(context),
                 LLVMInt32TypeInContext(context),
                 LLVMGetMDKindIDInContext(context, nontemporal, sizeof nontemporal - 1),
                 LLVMGetMDKindIDInContext(context, scope, sizeof scope - 1),
                 LLVMLookupIntrinsicID(load, sizeof load - 1)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        visit(&s, op);
      }
  LLVMDisposeBuilder(s.builder);
}
