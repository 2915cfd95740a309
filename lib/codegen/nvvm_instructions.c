// See nvvm_ir.h: instructions in the text of LLVM 7.
#include "nvvm_ir.h"

#include "libdevice.h"

#include <stdio.h>
#include <string.h>

#include "llvm-c/Core.h"

static void put(pa_nvvm_printer *p, const char *text) { pa_string_puts(p->text, text); }

// "  %v7 = ", or with the suffix of a part, "  %v7.p = ".
static void begin(pa_nvvm_printer *p, LLVMValueRef value, const char *suffix) {
  if (*suffix || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVoidTypeKind)
    pa_string_format(p->text, "  %%%s%s = ", pa_function_name(value), suffix);
  else
    put(p, "  ");
}

static LLVMValueRef operand(LLVMValueRef op, unsigned i) { return LLVMGetOperand(op, i); }

// What has no name of its own as a value: stores and calls without result.
static void part_name(pa_nvvm_printer *p, LLVMValueRef op, char *out, size_t size) {
  if (LLVMGetTypeKind(LLVMTypeOf(op)) != LLVMVoidTypeKind)
    snprintf(out, size, "%s", pa_function_name(op));
  else
    snprintf(out, size, "t%zu", p->text->length); // no other text begins here
}

// Writes "  %v7.p = bitcast i8* %v2 to float*" and gives the name, without the sign.
static void cast_address(pa_nvvm_printer *p, LLVMValueRef op, LLVMValueRef pointer, LLVMTypeRef type, char *out,
                         size_t size) {
  char name[48];
  part_name(p, op, name, sizeof name);
  snprintf(out, size, "%s.p", name);
  pa_string_format(p->text, "  %%%s = bitcast ", out);
  pa_nvvm_typed(p, pointer);
  put(p, " to ");
  pa_nvvm_address(p, type, pa_nvvm_space(LLVMTypeOf(pointer)));
  put(p, "\n");
}

//===-- Numbers -----------------------------------------------------------------------------------===//

enum { PLAIN, WRAPS, EXACT, FAST };

static const struct {
  const char *name;
  int flags;
} binary[] = {
    [LLVMAdd] = {"add", WRAPS},   [LLVMFAdd] = {"fadd", FAST},  [LLVMSub] = {"sub", WRAPS},
    [LLVMFSub] = {"fsub", FAST},  [LLVMMul] = {"mul", WRAPS},   [LLVMFMul] = {"fmul", FAST},
    [LLVMUDiv] = {"udiv", EXACT}, [LLVMSDiv] = {"sdiv", EXACT}, [LLVMFDiv] = {"fdiv", FAST},
    [LLVMURem] = {"urem", PLAIN}, [LLVMSRem] = {"srem", PLAIN}, [LLVMFRem] = {"frem", FAST},
    [LLVMShl] = {"shl", WRAPS},   [LLVMLShr] = {"lshr", EXACT}, [LLVMAShr] = {"ashr", EXACT},
    [LLVMAnd] = {"and", PLAIN},   [LLVMOr] = {"or", PLAIN},     [LLVMXor] = {"xor", PLAIN},
};

static const char *const conversions[] = {
    [LLVMTrunc] = "trunc",
    [LLVMZExt] = "zext",
    [LLVMSExt] = "sext",
    [LLVMFPToUI] = "fptoui",
    [LLVMFPToSI] = "fptosi",
    [LLVMUIToFP] = "uitofp",
    [LLVMSIToFP] = "sitofp",
    [LLVMFPTrunc] = "fptrunc",
    [LLVMFPExt] = "fpext",
    [LLVMPtrToInt] = "ptrtoint",
    [LLVMIntToPtr] = "inttoptr",
    [LLVMBitCast] = "bitcast",
    [LLVMAddrSpaceCast] = "addrspacecast",
};

static const char *const compared[] = {
    [LLVMIntEQ] = "eq",   [LLVMIntNE] = "ne",   [LLVMIntUGT] = "ugt", [LLVMIntUGE] = "uge", [LLVMIntULT] = "ult",
    [LLVMIntULE] = "ule", [LLVMIntSGT] = "sgt", [LLVMIntSGE] = "sge", [LLVMIntSLT] = "slt", [LLVMIntSLE] = "sle",
};

static const char *const compared_reals[] = {
    [LLVMRealPredicateFalse] = "false",
    [LLVMRealOEQ] = "oeq",
    [LLVMRealOGT] = "ogt",
    [LLVMRealOGE] = "oge",
    [LLVMRealOLT] = "olt",
    [LLVMRealOLE] = "ole",
    [LLVMRealONE] = "one",
    [LLVMRealORD] = "ord",
    [LLVMRealUNO] = "uno",
    [LLVMRealUEQ] = "ueq",
    [LLVMRealUGT] = "ugt",
    [LLVMRealUGE] = "uge",
    [LLVMRealULT] = "ult",
    [LLVMRealULE] = "ule",
    [LLVMRealUNE] = "une",
    [LLVMRealPredicateTrue] = "true",
};

static void put_fast(pa_nvvm_printer *p, LLVMValueRef op) {
  static const struct {
    LLVMFastMathFlags flag;
    const char *name;
  } rows[] = {{LLVMFastMathNoNaNs, "nnan"},
              {LLVMFastMathNoInfs, "ninf"},
              {LLVMFastMathNoSignedZeros, "nsz"},
              {LLVMFastMathAllowReciprocal, "arcp"},
              {LLVMFastMathAllowContract, "contract"},
              {LLVMFastMathApproxFunc, "afn"},
              {LLVMFastMathAllowReassoc, "reassoc"}};
  LLVMFastMathFlags flags = LLVMCanValueUseFastMathFlags(op) ? LLVMGetFastMathFlags(op) : 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (flags & rows[i].flag) pa_string_format(p->text, "%s ", rows[i].name);
}

static void put_binary(pa_nvvm_printer *p, LLVMValueRef op, LLVMOpcode code) {
  int flags = binary[code].flags;
  begin(p, op, "");
  pa_string_format(p->text, "%s ", binary[code].name);
  if (flags == WRAPS) put(p, LLVMGetNUW(op) ? "nuw " : "");
  if (flags == WRAPS) put(p, LLVMGetNSW(op) ? "nsw " : "");
  if (flags == EXACT) put(p, LLVMGetExact(op) ? "exact " : "");
  if (flags == FAST) put_fast(p, op);
  pa_nvvm_typed(p, operand(op, 0));
  put(p, ", ");
  pa_nvvm_value(p, operand(op, 1));
}

// -x is -0.0 - x there.
static void put_negation(pa_nvvm_printer *p, LLVMValueRef op) {
  LLVMTypeRef type = LLVMTypeOf(op);
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  begin(p, op, "");
  put(p, "fsub ");
  put_fast(p, op);
  pa_nvvm_type(p, type);
  put(p, vector ? " <" : " -0.0, ");
  for (unsigned i = 0; vector && i < LLVMGetVectorSize(type); ++i) {
    if (i) put(p, ", ");
    pa_nvvm_type(p, LLVMGetElementType(type));
    put(p, " -0.0");
  }
  if (vector) put(p, ">, ");
  pa_nvvm_value(p, operand(op, 0));
}

static void put_conversion(pa_nvvm_printer *p, LLVMValueRef op, const char *name) {
  begin(p, op, "");
  pa_string_format(p->text, "%s ", name);
  pa_nvvm_typed(p, operand(op, 0));
  put(p, " to ");
  pa_nvvm_type(p, LLVMTypeOf(op));
}

// There is no poison there, and undef may be two things at once; what is frozen was checked before or is a choice.
static void put_frozen(pa_nvvm_printer *p, LLVMValueRef op) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(op));
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) return pa_nvvm_refuse(p, "freeze of aggregates");
  put_conversion(p, op, "bitcast");
}

static void put_comparison(pa_nvvm_printer *p, LLVMValueRef op, bool real) {
  begin(p, op, "");
  put(p, real ? "fcmp " : "icmp ");
  if (real) put_fast(p, op);
  pa_string_format(p->text, "%s ",
                   real ? compared_reals[LLVMGetFCmpPredicate(op)] : compared[LLVMGetICmpPredicate(op)]);
  pa_nvvm_typed(p, operand(op, 0));
  put(p, ", ");
  pa_nvvm_value(p, operand(op, 1));
}

//===-- Values made of others ---------------------------------------------------------------------===//

static void put_operands(pa_nvvm_printer *p, LLVMValueRef op, const char *name, unsigned count) {
  begin(p, op, "");
  pa_string_format(p->text, "%s ", name);
  for (unsigned i = 0; i < count; ++i) {
    if (i) put(p, ", ");
    pa_nvvm_typed(p, operand(op, i));
  }
}

static void put_shuffle(pa_nvvm_printer *p, LLVMValueRef op) {
  put_operands(p, op, "shufflevector", 2);
  unsigned count = LLVMGetNumMaskElements(op);
  pa_string_format(p->text, ", <%u x i32> <", count);
  for (unsigned i = 0; i < count; ++i) {
    int lane = LLVMGetMaskValue(op, i);
    if (lane == LLVMGetUndefMaskElem())
      pa_string_format(p->text, "%si32 undef", i ? ", " : "");
    else
      pa_string_format(p->text, "%si32 %d", i ? ", " : "", lane);
  }
  put(p, ">");
}

static void put_part(pa_nvvm_printer *p, LLVMValueRef op, const char *name, unsigned count) {
  put_operands(p, op, name, count);
  for (unsigned i = 0; i < LLVMGetNumIndices(op); ++i) pa_string_format(p->text, ", %u", LLVMGetIndices(op)[i]);
}

static void put_phi(pa_nvvm_printer *p, LLVMValueRef op) {
  begin(p, op, "");
  put(p, "phi ");
  pa_nvvm_type(p, LLVMTypeOf(op));
  for (unsigned i = 0; i < LLVMCountIncoming(op); ++i) {
    put(p, i ? ", [ " : " [ ");
    pa_nvvm_value(p, LLVMGetIncomingValue(op, i));
    pa_string_format(p->text, ", %%%s ]", LLVMGetBasicBlockName(LLVMGetIncomingBlock(op, i)));
  }
}

//===-- Control -----------------------------------------------------------------------------------===//

static void put_label(pa_nvvm_printer *p, const char *before, LLVMBasicBlockRef block) {
  pa_string_format(p->text, "%slabel %%%s", before, LLVMGetBasicBlockName(block));
}

static void put_branch(pa_nvvm_printer *p, LLVMValueRef op) {
  put(p, "  br ");
  if (!LLVMIsConditional(op)) return put_label(p, "", LLVMGetSuccessor(op, 0));
  pa_nvvm_typed(p, LLVMGetCondition(op));
  put_label(p, ", ", LLVMGetSuccessor(op, 0));
  put_label(p, ", ", LLVMGetSuccessor(op, 1));
}

static void put_switch(pa_nvvm_printer *p, LLVMValueRef op) {
  put(p, "  switch ");
  pa_nvvm_typed(p, operand(op, 0));
  put_label(p, ", ", LLVMGetSwitchDefaultDest(op));
  put(p, " [");
  for (unsigned i = 1; i < LLVMGetNumSuccessors(op); ++i) {
    put(p, " ");
    pa_nvvm_typed(p, LLVMGetSwitchCaseValue(op, i));
    put_label(p, ", ", LLVMGetSuccessor(op, i));
  }
  put(p, " ]");
}

static void put_return(pa_nvvm_printer *p, LLVMValueRef op) {
  put(p, "  ret ");
  if (LLVMGetNumOperands(op))
    pa_nvvm_typed(p, operand(op, 0));
  else
    put(p, "void");
}

//===-- Memory ------------------------------------------------------------------------------------===//

static void put_alloca(pa_nvvm_printer *p, LLVMValueRef op) {
  LLVMTypeRef type = LLVMGetAllocatedType(op);
  begin(p, op, ".p");
  put(p, "alloca ");
  pa_nvvm_type(p, type);
  put(p, ", ");
  pa_nvvm_typed(p, operand(op, 0));
  pa_string_format(p->text, ", align %u\n", LLVMGetAlignment(op));
  begin(p, op, "");
  put(p, "bitcast ");
  pa_nvvm_address(p, type, pa_nvvm_space(LLVMTypeOf(op)));
  pa_string_format(p->text, " %%%s.p to ", pa_function_name(op));
  pa_nvvm_type(p, LLVMTypeOf(op));
}

static void put_gep(pa_nvvm_printer *p, LLVMValueRef op) {
  char name[64];
  LLVMTypeRef from = LLVMGetGEPSourceElementType(op);
  if (LLVMGetTypeKind(LLVMTypeOf(op)) != LLVMPointerTypeKind) return pa_nvvm_refuse(p, "vectors of addresses");
  unsigned space = pa_nvvm_space(LLVMTypeOf(op));
  cast_address(p, op, operand(op, 0), from, name, sizeof name);
  begin(p, op, ".g");
  put(p, LLVMIsInBounds(op) ? "getelementptr inbounds " : "getelementptr ");
  pa_nvvm_type(p, from);
  put(p, ", ");
  pa_nvvm_address(p, from, space);
  pa_string_format(p->text, " %%%s", name);
  pa_nvvm_gep(p, op);
  put(p, "\n");
  begin(p, op, "");
  put(p, "bitcast ");
  pa_nvvm_address(p, pa_nvvm_gep_element(op), space);
  pa_string_format(p->text, " %%%s.g to ", pa_function_name(op));
  pa_nvvm_type(p, LLVMTypeOf(op));
}

static void put_fence(pa_nvvm_printer *p) {
  pa_nvvm_declare(p, "declare void @llvm.nvvm.membar.sys()\n");
  put(p, "  call void @llvm.nvvm.membar.sys()\n");
}

static bool releases(LLVMAtomicOrdering order) {
  return order == LLVMAtomicOrderingRelease || order == LLVMAtomicOrderingAcquireRelease ||
         order == LLVMAtomicOrderingSequentiallyConsistent;
}

static bool acquires(LLVMAtomicOrdering order) {
  return order != LLVMAtomicOrderingRelease && order > LLVMAtomicOrderingMonotonic;
}

// Loads and stores that are atomic are volatile there: of one access, which no cache of a multiprocessor answers.
static void put_access(pa_nvvm_printer *p, LLVMValueRef op, bool load) {
  char name[64];
  LLVMValueRef pointer = operand(op, load ? 0 : 1);
  LLVMTypeRef type = load ? LLVMTypeOf(op) : LLVMTypeOf(operand(op, 0));
  LLVMAtomicOrdering order = LLVMGetOrdering(op);
  bool is_volatile = LLVMGetVolatile(op) || order != LLVMAtomicOrderingNotAtomic;
  if (releases(order)) put_fence(p);
  cast_address(p, op, pointer, type, name, sizeof name);
  begin(p, op, "");
  put(p, load ? "load " : "store ");
  put(p, is_volatile ? "volatile " : "");
  load ? pa_nvvm_type(p, type) : pa_nvvm_typed(p, operand(op, 0));
  put(p, ", ");
  pa_nvvm_address(p, type, pa_nvvm_space(LLVMTypeOf(pointer)));
  pa_string_format(p->text, " %%%s, align %u", name, LLVMGetAlignment(op));
  if (acquires(order)) put(p, "\n"), put_fence(p);
}

//===-- Atomics -----------------------------------------------------------------------------------===//

static const char *const updates[] = {
    [LLVMAtomicRMWBinOpXchg] = "xchg", [LLVMAtomicRMWBinOpAdd] = "add", [LLVMAtomicRMWBinOpSub] = "sub",
    [LLVMAtomicRMWBinOpAnd] = "and",   [LLVMAtomicRMWBinOpOr] = "or",   [LLVMAtomicRMWBinOpXor] = "xor",
    [LLVMAtomicRMWBinOpMax] = "max",   [LLVMAtomicRMWBinOpMin] = "min", [LLVMAtomicRMWBinOpUMax] = "umax",
    [LLVMAtomicRMWBinOpUMin] = "umin",
};

// The intrinsics of what was no instruction then: "add.f32"; NULL: there is none.
static const char *update_intrinsic(LLVMAtomicRMWBinOp kind, LLVMTypeRef type) {
  LLVMTypeKind of = LLVMGetTypeKind(type);
  if (kind == LLVMAtomicRMWBinOpFAdd && of == LLVMFloatTypeKind) return "add.f32";
  if (kind == LLVMAtomicRMWBinOpFAdd && of == LLVMDoubleTypeKind) return "add.f64";
  if (of != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 32) return NULL;
  if (kind == LLVMAtomicRMWBinOpUIncWrap) return "inc.32";
  return kind == LLVMAtomicRMWBinOpUDecWrap ? "dec.32" : NULL;
}

static void put_update_call(pa_nvvm_printer *p, LLVMValueRef op, const char *pointer, const char *intrinsic) {
  static const char *const names[] = {
      [LLVMFloatTypeKind] = "f32", [LLVMDoubleTypeKind] = "f64", [LLVMIntegerTypeKind] = "i32"};
  static const char *const types[] = {
      [LLVMFloatTypeKind] = "float", [LLVMDoubleTypeKind] = "double", [LLVMIntegerTypeKind] = "i32"};
  char declaration[200], space[24] = "";
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(op));
  unsigned number = pa_nvvm_space(LLVMTypeOf(operand(op, 0)));
  if (number) snprintf(space, sizeof space, " addrspace(%u)", number);
  snprintf(declaration, sizeof declaration, "declare %s @llvm.nvvm.atomic.load.%s.p%u%s(%s%s*, %s)\n", types[kind],
           intrinsic, number, names[kind], types[kind], space, types[kind]);
  pa_nvvm_declare(p, declaration);
  begin(p, op, "");
  pa_string_format(p->text, "call %s @llvm.nvvm.atomic.load.%s.p%u%s(%s%s* %%%s, ", types[kind], intrinsic, number,
                   names[kind], types[kind], space, pointer);
  pa_nvvm_typed(p, operand(op, 1));
  put(p, ")");
}

static void put_update(pa_nvvm_printer *p, LLVMValueRef op) {
  char name[64];
  LLVMAtomicRMWBinOp kind = LLVMGetAtomicRMWBinOp(op);
  LLVMTypeRef type = LLVMTypeOf(op);
  bool integers = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  const char *intrinsic = update_intrinsic(kind, type);
  const char *word = integers && kind < sizeof updates / sizeof *updates ? updates[kind] : NULL;
  if (!intrinsic && !word) return pa_nvvm_refuse(p, "such atomic operations");
  if (releases(LLVMGetOrdering(op))) put_fence(p);
  cast_address(p, op, operand(op, 0), type, name, sizeof name);
  if (intrinsic) {
    put_update_call(p, op, name, intrinsic);
  } else {
    begin(p, op, "");
    pa_string_format(p->text, "atomicrmw %s ", word);
    pa_nvvm_address(p, type, pa_nvvm_space(LLVMTypeOf(operand(op, 0))));
    pa_string_format(p->text, " %%%s, ", name);
    pa_nvvm_typed(p, operand(op, 1));
    put(p, " monotonic");
  }
  if (acquires(LLVMGetOrdering(op))) put(p, "\n"), put_fence(p);
}

static void put_exchange(pa_nvvm_printer *p, LLVMValueRef op) {
  char name[64];
  LLVMTypeRef type = LLVMTypeOf(operand(op, 1));
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return pa_nvvm_refuse(p, "such atomic operations");
  if (releases(LLVMGetCmpXchgSuccessOrdering(op))) put_fence(p);
  cast_address(p, op, operand(op, 0), type, name, sizeof name);
  begin(p, op, "");
  put(p, "cmpxchg ");
  pa_nvvm_address(p, type, pa_nvvm_space(LLVMTypeOf(operand(op, 0))));
  pa_string_format(p->text, " %%%s, ", name);
  pa_nvvm_typed(p, operand(op, 1));
  put(p, ", ");
  pa_nvvm_typed(p, operand(op, 2));
  put(p, " monotonic monotonic");
  if (acquires(LLVMGetCmpXchgSuccessOrdering(op))) put(p, "\n"), put_fence(p);
}

//===-- Calls -------------------------------------------------------------------------------------===//

static void put_text(pa_nvvm_printer *p, const char *text, size_t length) {
  put(p, "\"");
  for (size_t i = 0; i < length; ++i)
    pa_string_format(p->text, text[i] < ' ' || text[i] == '"' || text[i] == '\\' ? "\\%02X" : "%c",
                     (unsigned char)text[i]);
  put(p, "\"");
}

static void put_assembly(pa_nvvm_printer *p, LLVMValueRef assembly) {
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  put(p, LLVMGetInlineAsmHasSideEffects(assembly) ? "asm sideeffect " : "asm ");
  put_text(p, text, length);
  put(p, ", ");
  text = LLVMGetInlineAsmConstraintString(assembly, &length);
  put_text(p, text, length);
}

// The name of the function, or of an address that has its type first.
static void put_callee(pa_nvvm_printer *p, LLVMValueRef call, const char *pointer) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee)) return put_assembly(p, callee);
  if (pointer) return pa_string_format(p->text, "%%%s", pointer);
  put(p, "@");
  LLVMGetIntrinsicID(callee) ? pa_nvvm_intrinsic_name(p, pa_function_name(callee)) : put(p, pa_function_name(callee));
}

static void cast_callee(pa_nvvm_printer *p, LLVMValueRef call, char *out, size_t size) {
  char name[48];
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  part_name(p, call, name, sizeof name);
  snprintf(out, size, "%s.f", name);
  pa_string_format(p->text, "  %%%s = bitcast ", out);
  pa_nvvm_typed(p, LLVMGetCalledValue(call));
  put(p, " to ");
  pa_nvvm_type(p, LLVMGetReturnType(type));
  pa_nvvm_function_type(p, type);
  put(p, "*\n");
}

static void put_call(pa_nvvm_printer *p, LLVMValueRef call) {
  char pointer[64];
  LLVMValueRef callee = LLVMGetCalledValue(call);
  bool direct = LLVMIsAFunction(callee) || LLVMIsAInlineAsm(callee);
  bool known = LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee);
  if (known && pa_nvvm_intrinsic(p, call, pa_function_name(callee))) return;
  if (known) pa_nvvm_declare_function(p, callee);
  if (!direct) cast_callee(p, call, pointer, sizeof pointer);
  begin(p, call, "");
  put(p, "call ");
  pa_nvvm_type(p, LLVMGetReturnType(LLVMGetCalledFunctionType(call)));
  put(p, " ");
  put_callee(p, call, direct ? NULL : pointer);
  put(p, "(");
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i) {
    if (i) put(p, ", ");
    pa_nvvm_typed(p, operand(call, i));
  }
  put(p, ")");
}

//===-- All ---------------------------------------------------------------------------------------===//

static void put_instruction(pa_nvvm_printer *p, LLVMValueRef op) {
  LLVMOpcode code = LLVMGetInstructionOpcode(op);
  if (code < sizeof binary / sizeof *binary && binary[code].name) return put_binary(p, op, code);
  if (code < sizeof conversions / sizeof *conversions && conversions[code])
    return put_conversion(p, op, conversions[code]);
  switch (code) {
  case LLVMRet: return put_return(p, op);
  case LLVMBr: return put_branch(p, op);
  case LLVMSwitch: return put_switch(p, op);
  case LLVMUnreachable: return put(p, "  unreachable");
  case LLVMFNeg: return put_negation(p, op);
  case LLVMFreeze: return put_frozen(p, op);
  case LLVMICmp: return put_comparison(p, op, false);
  case LLVMFCmp: return put_comparison(p, op, true);
  case LLVMSelect: return put_operands(p, op, "select", 3);
  case LLVMPHI: return put_phi(p, op);
  case LLVMExtractElement: return put_operands(p, op, "extractelement", 2);
  case LLVMInsertElement: return put_operands(p, op, "insertelement", 3);
  case LLVMShuffleVector: return put_shuffle(p, op);
  case LLVMExtractValue: return put_part(p, op, "extractvalue", 1);
  case LLVMInsertValue: return put_part(p, op, "insertvalue", 2);
  case LLVMAlloca: return put_alloca(p, op);
  case LLVMLoad: return put_access(p, op, true);
  case LLVMStore: return put_access(p, op, false);
  case LLVMGetElementPtr: return put_gep(p, op);
  case LLVMFence: return put_fence(p);
  case LLVMAtomicRMW: return put_update(p, op);
  case LLVMAtomicCmpXchg: return put_exchange(p, op);
  case LLVMCall: return put_call(p, op);
  default: return pa_nvvm_refuse(p, "such instructions");
  }
}

void pa_nvvm_instruction(pa_nvvm_printer *p, LLVMValueRef instruction) {
  put_instruction(p, instruction);
  pa_string_puts(p->text, "\n");
}
