// Private to lib/codegen: libraries of LLVM bitcode, and NVIDIA's libdevice, for GPUs (nvptx.c) and for the CPU that
// plays one (host_libdevice.c).
#ifndef PYARRAY_LIB_CODEGEN_LIBDEVICE_H
#define PYARRAY_LIB_CODEGEN_LIBDEVICE_H

#include "llvm_module.h"

// Links what is called, directly or not, and does not even read the rest. |buffer| is given away; messages call it
// |what|.
pa_status pa_link_library(pa_llvm_module *llvm, LLVMMemoryBufferRef buffer, const char *what);
// The same of libdevice. |hint|: a place to look besides the usual ones, or NULL. |user|: what needs it, for the
// message.
pa_status pa_link_libdevice(pa_llvm_module *llvm, const char *hint, const char *user);

// What libdevice asks of its target. Questions that are not among |rows| stay.
typedef struct pa_reflection {
  const char *question; // "__CUDA_FTZ"
  int answer;
} pa_reflection;
void pa_answer_reflection(LLVMModuleRef module, const pa_reflection *rows, int count);

// Declared, called, and no intrinsic of LLVM.
bool pa_is_undefined(LLVMValueRef function);
// A library was compiled for the oldest processor, which keeps LLVM from inlining it.
void pa_drop_target_attributes(LLVMValueRef function);
const char *pa_function_name(LLVMValueRef function);
// Every use of |function|, which goes, is one of |other|, of the same type.
void pa_replace_function(LLVMValueRef function, LLVMValueRef other);

// Where the functions of libdevice are used on the CPU, links them and what their instructions are there.
pa_status pa_use_libdevice_on_host(pa_llvm_module *llvm, LLVMTargetMachineRef machine, const char *hint);

#endif // PYARRAY_LIB_CODEGEN_LIBDEVICE_H
