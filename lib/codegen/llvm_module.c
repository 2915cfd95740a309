#include "llvm_module.h"

#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/Target.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Target/LLVMIR.h"

// LLVM's own handler would print and end the process.
static void note_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  pa_string *errors = data;
  char *text = LLVMGetDiagInfoDescription(info);
  if (errors->length) pa_string_puts(errors, "; ");
  pa_string_puts(errors, text);
  LLVMDisposeMessage(text);
}

static void set_text(MlirOperation op, const char *name, const char *text) {
  MlirAttribute value = mlirStringAttrGet(mlirOperationGetContext(op), mlirStringRefCreateFromCString(text));
  mlirOperationSetDiscardableAttributeByName(op, mlirStringRefCreateFromCString(name), value);
}

// The layout decides the alignment of loads and stores, so it is set before.
pa_status pa_llvm_translate(pa_llvm_module *llvm, MlirOperation op, const char *layout, const char *triple,
                            const pa_codegen_options *options, const char *what) {
  set_text(op, "llvm.data_layout", layout);
  set_text(op, "llvm.target_triple", triple);
  llvm->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(llvm->context, note_diagnostic, &llvm->errors);
  LLVMContextSetDiscardValueNames(llvm->context, !options->verify);
  llvm->module = mlirTranslateModuleToLLVMIR(op, llvm->context);
  return llvm->module ? PA_OK : pa_fail(PA_CODE_INVALID, NULL, "%s cannot be translated to LLVM IR", what);
}

pa_status pa_llvm_verify(const pa_llvm_module *llvm) {
  char *message = NULL;
  bool broken = LLVMVerifyModule(llvm->module, LLVMReturnStatusAction, &message);
  pa_status status = broken ? pa_fail(PA_CODE_INTERNAL, NULL, "broken LLVM IR: %s", message) : PA_OK;
  LLVMDisposeMessage(message);
  return status;
}

pa_status pa_llvm_run(const pa_llvm_module *llvm, LLVMTargetMachineRef machine, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetVerifyEach(options, false);
  LLVMErrorRef error = LLVMRunPasses(llvm->module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return PA_OK;
  char *message = LLVMGetErrorMessage(error);
  pa_status status = pa_fail(PA_CODE_INVALID, NULL, "LLVM pipeline '%s': %s", passes, message);
  LLVMDisposeErrorMessage(message);
  return status;
}

pa_status pa_llvm_emit(const pa_llvm_module *llvm, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind,
                       LLVMMemoryBufferRef *out_buffer) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, llvm->module, kind, &message, &buffer)) {
    pa_status status = pa_fail(PA_CODE_INTERNAL, NULL, "LLVM could not emit code: %s", message ? message : "");
    LLVMDisposeMessage(message);
    return status;
  }
  if (!llvm->errors.length) return *out_buffer = buffer, PA_OK;
  LLVMDisposeMemoryBuffer(buffer);
  return pa_fail(PA_CODE_INTERNAL, NULL, "LLVM: %s", pa_string_text(&llvm->errors));
}

void pa_llvm_print(const pa_llvm_module *llvm, pa_string *out_text) {
  char *text = LLVMPrintModuleToString(llvm->module);
  pa_string_puts(out_text, text);
  LLVMDisposeMessage(text);
}

void pa_llvm_free(pa_llvm_module *llvm) {
  if (llvm->module) LLVMDisposeModule(llvm->module);
  if (llvm->context) LLVMContextDispose(llvm->context);
  pa_string_free(&llvm->errors);
}
