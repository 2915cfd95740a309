// Private to lib/codegen: a module of LLVM IR on its way to code, for every target.
#ifndef PYARRAY_LIB_CODEGEN_LLVM_MODULE_H
#define PYARRAY_LIB_CODEGEN_LLVM_MODULE_H

#include "codegen.h"
#include "llvm-c/TargetMachine.h"

// Zero-initialised is valid and empty.
typedef struct pa_llvm_module {
  LLVMContextRef context;
  LLVMModuleRef module;
  pa_string errors;      // what LLVM's diagnostics said
  pa_string *pass_times; // of pa_codegen_options
  bool abandoned;        // LLVM stopped half-way: what it was at work on, machine included, is never touched or freed
} pa_llvm_module;

// Makes LLVM IR of |op|, a module of the llvm dialect that messages call |what|, and sets its attributes of layout and
// triple. |llvm| must not move afterwards.
pa_status pa_llvm_translate(pa_llvm_module *llvm, MlirOperation op, const char *layout, const char *triple,
                            const pa_codegen_options *options, const char *what);
// Whether it is well-formed.
pa_status pa_llvm_verify(const pa_llvm_module *llvm);
// |passes|: a pipeline in LLVM's textual form. What LLVM calls a fatal error is a failure here and in pa_llvm_emit.
pa_status pa_llvm_run(pa_llvm_module *llvm, LLVMTargetMachineRef machine, const char *passes);
// |*out_buffer| is released by the caller with LLVMDisposeMemoryBuffer.
pa_status pa_llvm_emit(pa_llvm_module *llvm, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind,
                       LLVMMemoryBufferRef *out_buffer);
void pa_llvm_print(const pa_llvm_module *llvm, pa_string *out_text);
void pa_llvm_free(pa_llvm_module *llvm);

#endif // PYARRAY_LIB_CODEGEN_LLVM_MODULE_H
