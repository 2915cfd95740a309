// Where NVIDIA's libdevice is, the functions of libm for NVIDIA's GPUs as LLVM bitcode, and how it is linked. It is not
// ours to ship with the source.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdevice.h"
#include "llvm-c/BitReader.h"
#include "llvm-c/Core.h"
#include "llvm-c/Linker.h"

static const char file_name[] = "libdevice.10.bc";

static bool try_path(const char *folder, const char *rest, char *out_path) {
  if (!folder || !*folder) return false;
  int length = snprintf(out_path, PATH_MAX, "%s%s", folder, rest);
  return length > 0 && length < PATH_MAX && access(out_path, R_OK) == 0;
}

// Beside the library that this code is in.
static bool try_own_folder(char *out_path) {
  Dl_info info;
  char folder[PATH_MAX];
  if (!dladdr((const void *)file_name, &info) || !info.dli_fname) return false;
  const char *slash = strrchr(info.dli_fname, '/');
  if (!slash || (size_t)(slash - info.dli_fname) + 2 > sizeof folder) return false;
  snprintf(folder, sizeof folder, "%.*s/", (int)(slash - info.dli_fname), info.dli_fname);
  return try_path(folder, file_name, out_path);
}

bool pa_find_libdevice(const char *hint, char *out_path) {
  static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
  static const char in_toolkit[] = "/nvvm/libdevice/libdevice.10.bc";
  const char *named = getenv("PYARRAY_LIBDEVICE");
  if (named && *named) return try_path(named, "", out_path); // only there
  if (try_own_folder(out_path) || try_path(hint, "", out_path)) return true;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (try_path(getenv(variables[i]), in_toolkit, out_path)) return true;
  return try_path("/usr/local/cuda", in_toolkit, out_path);
}

//===-- Linking -----------------------------------------------------------------------------------===//

const char *pa_function_name(LLVMValueRef function) {
  size_t length;
  return LLVMGetValueName2(function, &length);
}

bool pa_is_undefined(LLVMValueRef function) {
  return LLVMIsDeclaration(function) && !LLVMGetIntrinsicID(function) && LLVMGetFirstUse(function);
}

void pa_replace_function(LLVMValueRef function, LLVMValueRef other) {
  LLVMReplaceAllUsesWith(function, other);
  LLVMDeleteFunction(function);
}

void pa_drop_target_attributes(LLVMValueRef function) {
  static const char *const names[] = {"target-cpu",    "target-features", "tune-cpu",
                                      "frame-pointer", "no-builtins",     "stack-protector-buffer-size"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, names[i], (unsigned)strlen(names[i]));
}

// Reading all of libdevice, 350 functions, would take half of a compilation.
pa_status pa_link_library(pa_llvm_module *llvm, LLVMMemoryBufferRef buffer, const char *what) {
  LLVMModuleRef library;
  if (LLVMGetBitcodeModuleInContext2(llvm->context, buffer, &library)) {
    LLVMDisposeMemoryBuffer(buffer);
    return pa_fail(PA_CODE_UNSUPPORTED, NULL,
                   "%s is no LLVM bitcode that can be read: %s\nhint: install NVIDIA's libdevice again, or let "
                   "PYARRAY_LIBDEVICE name another file",
                   what, pa_string_text(&llvm->errors));
  }
  LLVMSetTarget(library, LLVMGetTarget(llvm->module));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(llvm->module));
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage) LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
  if (!LLVMLinkModules2(llvm->module, library)) return PA_OK;
  return pa_fail(PA_CODE_INTERNAL, NULL, "%s cannot be linked: %s", what, pa_string_text(&llvm->errors));
}

pa_status pa_link_libdevice(pa_llvm_module *llvm, const char *hint, const char *user) {
  char path[PATH_MAX], *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (!pa_find_libdevice(hint, path))
    return pa_fail(PA_CODE_UNSUPPORTED, NULL,
                   "%s NVIDIA's libdevice, which was not found\n"
                   "hint: pip install nvidia-nvvm, or let PYARRAY_LIBDEVICE name the file libdevice.10.bc",
                   user);
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    pa_status status = pa_fail(PA_CODE_IO, NULL, "%s: %s", path, message);
    LLVMDisposeMessage(message);
    return status;
  }
  return pa_link_library(llvm, buffer, path);
}

//===-- Questions to the target -------------------------------------------------------------------===//

static const char *text_of(LLVMValueRef global) {
  LLVMValueRef value = LLVMIsAGlobalVariable(global) ? LLVMGetInitializer(global) : NULL;
  size_t length;
  return value && LLVMIsAConstantDataSequential(value) && LLVMIsConstantString(value) ? LLVMGetAsString(value, &length)
                                                                                      : "";
}

void pa_answer_reflection(LLVMModuleRef module, const pa_reflection *rows, int count) {
  LLVMValueRef ask = LLVMGetNamedFunction(module, "__nvvm_reflect");
  LLVMUseRef use = ask ? LLVMGetFirstUse(ask) : NULL;
  while (use) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != ask) continue;
    const char *question = text_of(LLVMGetOperand(call, 0));
    for (int i = 0; i < count; ++i) {
      if (strcmp(rows[i].question, question) != 0) continue;
      LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), (unsigned long long)rows[i].answer, false));
      LLVMInstructionEraseFromParent(call);
      break;
    }
  }
}
