// cuda.libdevice where the CPU plays the device: NVIDIA's bitcode itself, compiled for the CPU, so that results are a
// GPU's.
//
//   %0 = call float @__nv_fadd_rd(float %a, float %b)
//
// is linked and inlined, and what it does by instructions of a GPU becomes calls of lib/device/host/nvvm.c:
//
//   %0 = call float @llvm.nvvm.add.rm.f(float %a, float %b)
//   %0 = call float @pa_nvvm_add_rm_f(float %a, float %b)
#include <stdio.h>
#include <string.h>

#include "device/library.h"
#include "libdevice.h"
#include "llvm-c/Core.h"

enum { LONGEST_NAME = 64 };

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static bool uses_libdevice(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (pa_is_undefined(f) && starts_with(pa_function_name(f), "__nv_")) return true;
  return false;
}

// A function of libdevice's own: internal ones as well.
static bool is_linked(LLVMValueRef function) {
  const char *name = pa_function_name(function);
  return starts_with(name, "__nv_") || starts_with(name, "__internal_");
}

//===-- Names -------------------------------------------------------------------------------------===//

// "pa_nvvm_add_rm_f" of "add.rm.ftz.f": no function asks for "ftz" here (see answers), save where it makes no
// difference, or is the only form that there is.
static void write_name(char out_name[LONGEST_NAME], const char *text, size_t length) {
  static const char flushed[] = ".ftz";
  size_t at = (size_t)snprintf(out_name, LONGEST_NAME, "pa_nvvm_");
  for (size_t i = 0; i < length && at + 1 < LONGEST_NAME; ++i) {
    if (length - i >= sizeof flushed - 1 && starts_with(text + i, flushed)) i += sizeof flushed - 1;
    if (i < length) out_name[at++] = text[i] == '.' ? '_' : text[i];
  }
  out_name[at] = '\0';
}

static void rename_intrinsics(LLVMModuleRef module) {
  static const char prefix[] = "llvm.nvvm.";
  char name[LONGEST_NAME];
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    const char *old = pa_function_name(f);
    if (!starts_with(old, prefix) || !LLVMGetFirstUse(f)) continue;
    write_name(name, old + sizeof prefix - 1, strlen(old) - (sizeof prefix - 1));
    LLVMValueRef there = LLVMGetNamedFunction(module, name);
    pa_replace_function(f, there ? there : LLVMAddFunction(module, name, LLVMGlobalGetValueType(f)));
  }
}

//===-- Assembly ----------------------------------------------------------------------------------===//

// Of several instructions: what tells them from the others, and the function that does the same.
static const struct {
  const char *part, *name;
} several[] = {
    {"setp.equ.f64", "select_equal"},      {"mad.lo.cc.u32   $0", "multiply_add_32"},
    {"mul.lo.u32      r0", "multiply_64"}, {"mad.lo.cc.u32   r0", "multiply_add_64"},
    {"add.cc.u32      r0", "add_128"},     {"sub.cc.u32      r0", "subtract_128"},
};

// The function for the text of an assembly: of one instruction, its own name.
static bool find_name(const char *text, size_t length, char out_name[LONGEST_NAME]) {
  size_t word = 0;
  char copy[1024];
  while (word < length && text[word] != ' ') ++word;
  if (text[0] != '{') return write_name(out_name, text, word), true;
  snprintf(copy, sizeof copy, "%.*s", (int)length, text);
  for (size_t i = 0; i < sizeof several / sizeof *several; ++i)
    if (strstr(copy, several[i].part)) return snprintf(out_name, LONGEST_NAME, "pa_nvvm_%s", several[i].name), true;
  return false;
}

// Element |i| of two that a function gives: one behind the other in 64 bits, or in a struct.
static LLVMValueRef part_of(LLVMBuilderRef builder, LLVMValueRef both, LLVMTypeRef type, unsigned i) {
  if (LLVMGetTypeKind(LLVMTypeOf(both)) == LLVMStructTypeKind) return LLVMBuildExtractValue(builder, both, i, "");
  LLVMValueRef shifted = LLVMBuildLShr(builder, both, LLVMConstInt(LLVMTypeOf(both), 32 * i, false), "");
  return LLVMBuildTrunc(builder, shifted, type, "");
}

static LLVMValueRef as_struct(LLVMBuilderRef builder, LLVMValueRef both, LLVMTypeRef type) {
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); ++i)
    result = LLVMBuildInsertValue(builder, result, part_of(builder, both, LLVMStructGetTypeAtIndex(type, i), i), i, "");
  return result;
}

// What a function of nvvm.c gives in place of a struct: C gives two numbers of 32 bits as one of 64.
static LLVMTypeRef result_in_c(LLVMContextRef context, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return type;
  LLVMTypeRef part = LLVMStructGetTypeAtIndex(type, 0), i64 = LLVMInt64TypeInContext(context), parts[] = {i64, i64};
  return LLVMGetIntTypeWidth(part) == 32 ? i64 : LLVMStructTypeInContext(context, parts, 2, false);
}

static void call_instead(pa_llvm_module *llvm, LLVMValueRef call, const char *name) {
  enum { MOST = 8 };
  LLVMTypeRef type = LLVMTypeOf(call), result = result_in_c(llvm->context, type), parameters[MOST];
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef arguments[MOST];
  for (unsigned i = 0; i < count && i < MOST; ++i) {
    arguments[i] = LLVMGetOperand(call, i);
    parameters[i] = LLVMTypeOf(arguments[i]);
  }
  LLVMTypeRef function_type = LLVMFunctionType(result, parameters, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(llvm->module, name);
  if (!function) function = LLVMAddFunction(llvm->module, name, function_type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm->context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef made = LLVMBuildCall2(builder, function_type, function, arguments, count, "");
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) made = as_struct(builder, made, type);
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

// Only libdevice has any: the user's code was checked before.
static pa_status replace_assembly_in(pa_llvm_module *llvm, LLVMBasicBlockRef block) {
  char name[LONGEST_NAME];
  for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
    next = LLVMGetNextInstruction(op);
    LLVMValueRef callee = LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL;
    if (!callee || !LLVMIsAInlineAsm(callee)) continue;
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    if (!find_name(text, length, name))
      return pa_fail(PA_CODE_UNSUPPORTED, NULL, "this libdevice has assembly that the CPU does not know: %.*s",
                     (int)length, text);
    call_instead(llvm, op, name);
  }
  return PA_OK;
}

static pa_status replace_assembly(pa_llvm_module *llvm) {
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module); f; f = LLVMGetNextFunction(f)) {
    if (!is_linked(f)) continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      PA_TRY(replace_assembly_in(llvm, block));
  }
  return PA_OK;
}

//===-- Shifts ------------------------------------------------------------------------------------===//

// A GPU shifts everything out where the count is the width or more, and libdevice counts on that; LLVM and the CPU do
// not.
static void bound_shift(LLVMBuilderRef builder, LLVMValueRef shift, LLVMOpcode opcode) {
  LLVMTypeRef type = LLVMTypeOf(shift);
  unsigned width = LLVMGetIntTypeWidth(type);
  LLVMValueRef count = LLVMGetOperand(shift, 1), zero = LLVMConstInt(type, 0, false);
  LLVMPositionBuilderBefore(builder, shift);
  LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntULT, count, LLVMConstInt(type, width, false), "");
  LLVMValueRef most = opcode == LLVMAShr ? LLVMConstInt(type, width - 1, false) : zero;
  LLVMValueRef bounded = LLVMBuildSelect(builder, fits, count, most, "");
  LLVMValueRef made = LLVMBuildBinOp(builder, opcode, LLVMGetOperand(shift, 0), bounded, "");
  if (opcode != LLVMAShr) made = LLVMBuildSelect(builder, fits, made, zero, "");
  LLVMReplaceAllUsesWith(shift, made);
  LLVMInstructionEraseFromParent(shift);
}

static void bound_shifts(pa_llvm_module *llvm) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !is_linked(f)) continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
        bool shifts = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
        if (shifts && !LLVMIsConstant(LLVMGetOperand(op, 1))) bound_shift(builder, op, opcode);
      }
  }
  LLVMDisposeBuilder(builder);
}

//===-- Steps in order ----------------------------------------------------------------------------===//

// A GPU of today, subnormal numbers kept, square roots exact.
static const pa_reflection answers[] = {{"__CUDA_FTZ", 0}, {"__CUDA_PREC_SQRT", 1}, {"__CUDA_ARCH", 900}};

static void hide_linked(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMLinkOnceODRLinkage) continue;
    pa_drop_target_attributes(f);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    LLVMSetLinkage(f, LLVMInternalLinkage);
  }
}

static pa_status check_names(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (pa_is_undefined(f) &&
        (starts_with(pa_function_name(f), "__nv") || starts_with(pa_function_name(f), "pa_nvvm_")))
      return pa_fail(PA_CODE_UNSUPPORTED, NULL, "the CPU has no function '%s' of libdevice's", pa_function_name(f));
  return PA_OK;
}

pa_status pa_use_libdevice_on_host(pa_llvm_module *llvm, LLVMTargetMachineRef machine, const char *hint) {
  if (!uses_libdevice(llvm->module)) return PA_OK;
  PA_TRY(pa_link_libdevice(llvm, hint, "cuda.libdevice needs"));
  pa_answer_reflection(llvm->module, answers, sizeof answers / sizeof *answers);
  PA_TRY(replace_assembly(llvm));
  bound_shifts(llvm);
  rename_intrinsics(llvm->module);
  PA_TRY(pa_link_library(
      llvm, LLVMCreateMemoryBufferWithMemoryRange((const char *)pa_host_library, pa_host_library_size, "host", false),
      "the host's part of the device library"));
  hide_linked(llvm->module);
  PA_TRY(pa_llvm_run(llvm, machine, "globaldce"));
  return check_names(llvm->module);
}
