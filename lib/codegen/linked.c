// Functions of other code: declared by cuda.declare_device, defined by bitcode that clang has made of CUDA C++, or by
// what the driver links later.
//
//   declare i32 @linked.twice(ptr, float) "pyarray.linked"="twice"
//
// In the module their names are no C names, so that a kernel, a function of libm or a device function may be called the
// same. Bitcode that is linked gets the same prefix for what it defines.
#include "linked.h"

#include "libdevice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/linked.h"
#include "llvm-c/BitReader.h"
#include "llvm-c/Core.h"
#include "llvm-c/Linker.h"

static const char prefix[] = "linked.";

const char *pa_linked_name(LLVMValueRef function) {
  LLVMAttributeRef found =
      LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, PA_LINKED, sizeof PA_LINKED - 1);
  unsigned length; // its text has a NUL behind it
  return found ? LLVMGetStringAttributeValue(found, &length) : NULL;
}

static const char *name_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

static bool is_intrinsic_name(const char *name) { return strncmp(name, "llvm.", 5) == 0; }

// Puts the prefix in front of the name.
static pa_status rename_defined(LLVMValueRef value) {
  const char *name = name_of(value);
  if (LLVMIsDeclaration(value) || is_intrinsic_name(name) || LLVMGetLinkage(value) == LLVMInternalLinkage ||
      LLVMGetLinkage(value) == LLVMPrivateLinkage)
    return PA_OK;
  size_t length = strlen(name) + sizeof prefix;
  char *text = malloc(length);
  if (!text) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory for the name of a linked function");
  snprintf(text, length, "%s%s", prefix, name);
  LLVMSetValueName2(value, text, length - 1);
  free(text);
  return PA_OK;
}

static pa_status link_one(pa_llvm_module *llvm, const pa_codegen_bitcode *code) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(code->bytes, code->size, code->name);
  LLVMModuleRef library;
  if (LLVMGetBitcodeModuleInContext2(llvm->context, buffer, &library)) {
    LLVMDisposeMemoryBuffer(buffer);
    return pa_fail(PA_CODE_UNSUPPORTED, NULL,
                   "%s: clang is newer than this compiler's LLVM, which cannot read its bitcode: %s\nhint: "
                   "PYARRAY_CLANG names another clang",
                   code->name, pa_string_text(&llvm->errors));
  }
  LLVMSetTarget(library, LLVMGetTarget(llvm->module)); // the same, written otherwise
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(llvm->module));
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
    PA_TRY(rename_defined(f));
    pa_drop_target_attributes(f);
  }
  for (LLVMValueRef v = LLVMGetFirstGlobal(library); v; v = LLVMGetNextGlobal(v)) PA_TRY(rename_defined(v));
  if (!LLVMLinkModules2(llvm->module, library)) return PA_OK;
  return pa_fail(PA_CODE_TYPING, NULL, "%s cannot be linked: %s", code->name, pa_string_text(&llvm->errors));
}

static void replace(LLVMValueRef value, LLVMValueRef other) {
  LLVMReplaceAllUsesWith(value, other);
  LLVMIsAFunction(value) ? LLVMDeleteFunction(value) : LLVMDeleteGlobal(value);
}

static LLVMValueRef defined_as(pa_llvm_module *llvm, LLVMValueRef value, bool function) {
  char name[512];
  snprintf(name, sizeof name, "%s%s", prefix, name_of(value));
  LLVMValueRef found = function ? LLVMGetNamedFunction(llvm->module, name) : LLVMGetNamedGlobal(llvm->module, name);
  return found && !LLVMIsDeclaration(found) ? found : NULL;
}

// What one file declares and another one defines.
static void join_files(pa_llvm_module *llvm) {
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    LLVMValueRef found = LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) ? defined_as(llvm, f, true) : NULL;
    if (found) replace(f, found);
  }
  for (LLVMValueRef v = LLVMGetFirstGlobal(llvm->module), next; v; v = next) {
    next = LLVMGetNextGlobal(v);
    LLVMValueRef found = LLVMIsDeclaration(v) ? defined_as(llvm, v, false) : NULL;
    if (found) replace(v, found);
  }
}

pa_status pa_link_bitcode(pa_llvm_module *llvm, const pa_codegen_options *options) {
  for (size_t i = 0; i < options->bitcode_count; ++i) PA_TRY(link_one(llvm, &options->bitcode[i]));
  if (!options->bitcode_count) return PA_OK;
  join_files(llvm);
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && strncmp(name_of(f), prefix, sizeof prefix - 1) == 0)
      LLVMSetLinkage(f, LLVMInternalLinkage);
  for (LLVMValueRef v = LLVMGetFirstGlobal(llvm->module); v; v = LLVMGetNextGlobal(v))
    if (!LLVMIsDeclaration(v) && strncmp(name_of(v), prefix, sizeof prefix - 1) == 0)
      LLVMSetLinkage(v, LLVMInternalLinkage);
  return PA_OK;
}

pa_status pa_name_linked(pa_llvm_module *llvm, bool refused) {
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    const char *name = LLVMIsDeclaration(f) ? pa_linked_name(f) : NULL;
    if (!name) continue;
    if (!LLVMGetFirstUse(f)) {
      LLVMDeleteFunction(f);
      continue;
    }
    if (refused)
      return pa_fail(PA_CODE_LINK, NULL,
                     "the declared function %s() is in nothing that is linked\nhint: name the file with it in "
                     "link=[...]; C++ needs extern \"C\" in front of it",
                     name);
    if (LLVMGetNamedFunction(llvm->module, name) || LLVMGetNamedGlobal(llvm->module, name))
      return pa_fail(PA_CODE_LINK, NULL,
                     "the declared function %s() has the name of a function that the kernel has itself", name);
    LLVMSetValueName2(f, name, strlen(name));
  }
  return PA_OK;
}
