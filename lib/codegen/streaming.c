// Accesses to a GPU's memory with a cache operator, for which NVPTX has no instruction. Two marks ask for one in LLVM
// IR:
//
//   !nontemporal                                global memory that nothing will come back to: the operator cs
//   !alias.scope with the text pyarray.cache.cg   the operator that a program names (pa_cache_scope): cuda.ldcg and its
//   like
//
//   %v = load <4 x float>, ptr addrspace(1) %p, align 16, !nontemporal !0
// becomes
//   %b = call <4 x i32> asm sideeffect "ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"(ptr addrspace(1)
//   %p) %v = bitcast ...
//
// Run before LLVM makes accesses of single elements of a vector's, which would not be marked.
#include "streaming.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { GENERIC = 0, GLOBAL = 1, WORD_BITS = 32, MOST_UNITS = 4, MOST_BITS = 128 };

static const char cache_scope[] = "pyarray.cache.";

typedef struct streaming {
  LLVMContextRef context;
  LLVMTargetDataRef data;
  LLVMBuilderRef builder;
  unsigned nontemporal, scope; // numbers of kinds of metadata
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

static bool is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind) kind = LLVMGetTypeKind(LLVMGetElementType(type));
  return kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ||
         kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static void visit(streaming *s, LLVMValueRef op) {
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
  static const char nontemporal[] = "nontemporal", scope[] = "alias.scope";
  LLVMContextRef context = LLVMGetModuleContext(module);
  streaming s = {context, LLVMGetModuleDataLayout(module), LLVMCreateBuilderInContext(context),
                 LLVMGetMDKindIDInContext(context, nontemporal, sizeof nontemporal - 1),
                 LLVMGetMDKindIDInContext(context, scope, sizeof scope - 1)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        visit(&s, op);
      }
  LLVMDisposeBuilder(s.builder);
}
