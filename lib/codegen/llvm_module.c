#include "llvm_module.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Target/LLVMIR.h"
#include "observe.h"
#include "pyarray-c/Target.h"
#include "support/stop.h"
#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/ErrorHandling.h"
#include "llvm-c/Target.h"

static void append_text(MlirStringRef text, void *out) { pa_string_append(out, text.data, text.length); }

// The first error of the translation.
static MlirLogicalResult note_error(MlirDiagnostic diagnostic, void *data) {
  pa_string *first = data;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError && !first->length)
    mlirDiagnosticPrint(diagnostic, append_text, first);
  return mlirLogicalResultSuccess();
}

// LLVM's own handler would print and end the process.
static void note_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  pa_string *errors = data;
  char *text = LLVMGetDiagInfoDescription(info);
  if (errors->length) pa_string_puts(errors, "; ");
  pa_string_puts(errors, text);
  LLVMDisposeMessage(text);
}

//===-- Fatal errors ------------------------------------------------------------------------------===//

// LLVM ends the process where it meets what it has no instructions for, as text of an intrinsic may be. Its handler
// must not return.
static void leave(const char *reason) {
  if (pa_can_abandon()) pa_abandon(pa_fail(PA_CODE_INVALID, NULL, "LLVM cannot compile the code: %s", reason));
  fprintf(stderr, "LLVM ERROR: %s\n", reason); // and the process ends
}

static void install_handler(void) { LLVMInstallFatalErrorHandler(leave); }

typedef struct work {
  const pa_llvm_module *llvm;
  pa_status (*step)(struct work *);
  LLVMTargetMachineRef machine;
  const char *passes;
  LLVMCodeGenFileType kind;
  LLVMMemoryBufferRef buffer;
} work;

static pa_status do_step(void *data) { return ((work *)data)->step(data); }

static pa_status guarded(pa_llvm_module *llvm, work *work) {
  PA_TRY(pa_check_stop());
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_handler);
  bool left;
  work->llvm = llvm;
  pa_status status = pa_attempt(do_step, work, &left);
  llvm->abandoned |= left;
  if (!status) status = pa_check_stop(); // what it left out makes no program
  return status;
}

//===-- Steps -------------------------------------------------------------------------------------===//

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
  llvm->pass_times = options->pass_times;
  if (options->remarks) pyarrayNoteRemarks(llvm->context, pa_add_remark, options->remarks);
  LLVMContextSetDiagnosticHandler(llvm->context, note_diagnostic, &llvm->errors);
  LLVMContextSetDiscardValueNames(llvm->context, !options->verify);
  pa_string first = {0};
  MlirContext context = mlirOperationGetContext(op);
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(context, note_error, &first, NULL);
  llvm->module = mlirTranslateModuleToLLVMIR(op, llvm->context);
  mlirContextDetachDiagnosticHandler(context, handler);
  pa_status status = llvm->module ? PA_OK
                                  : pa_fail(PA_CODE_INVALID, NULL, "%s cannot be translated to LLVM IR%s%s", what,
                                            first.length ? ": " : "", pa_string_text(&first));
  return pa_string_free(&first), status;
}

pa_status pa_llvm_verify(const pa_llvm_module *llvm) {
  char *message = NULL;
  bool broken = LLVMVerifyModule(llvm->module, LLVMReturnStatusAction, &message);
  pa_status status = broken ? pa_fail(PA_CODE_INTERNAL, NULL, "broken LLVM IR: %s", message) : PA_OK;
  LLVMDisposeMessage(message);
  return status;
}

static pa_status run(work *work) {
  const char *passes = work->passes;
  if (work->llvm->pass_times) pa_pass_times_begin();
  LLVMErrorRef error = pyarrayRunPasses(work->llvm->module, passes, work->machine, pa_must_stop);
  if (work->llvm->pass_times) pa_pass_times_end(work->llvm->pass_times);
  if (!error) return PA_OK;
  char *message = LLVMGetErrorMessage(error);
  pa_status status = pa_fail(PA_CODE_INVALID, NULL, "LLVM pipeline '%s': %s", passes, message);
  LLVMDisposeErrorMessage(message);
  return status;
}

pa_status pa_llvm_run(pa_llvm_module *llvm, LLVMTargetMachineRef machine, const char *passes) {
  return guarded(llvm, &(work){.step = run, .machine = machine, .passes = passes});
}

static pa_status emit(work *work) {
  const pa_llvm_module *llvm = work->llvm;
  LLVMMemoryBufferRef buffer = NULL;
  if (!pyarrayEmitToBuffer(work->machine, llvm->module, work->kind, pa_must_stop, &buffer))
    return pa_fail(PA_CODE_INTERNAL, NULL, "LLVM could not emit code for this target");
  if (!llvm->errors.length) return work->buffer = buffer, PA_OK;
  LLVMDisposeMemoryBuffer(buffer);
  return pa_fail(PA_CODE_INTERNAL, NULL, "LLVM: %s", pa_string_text(&llvm->errors));
}

pa_status pa_llvm_emit(pa_llvm_module *llvm, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind,
                       LLVMMemoryBufferRef *out_buffer) {
  work work = {.step = emit, .machine = machine, .kind = kind};
  PA_TRY(guarded(llvm, &work));
  return *out_buffer = work.buffer, PA_OK;
}

void pa_llvm_print(const pa_llvm_module *llvm, pa_string *out_text) {
  char *text = LLVMPrintModuleToString(llvm->module);
  pa_string_puts(out_text, text);
  LLVMDisposeMessage(text);
}

void pa_llvm_free(pa_llvm_module *llvm) {
  if (llvm->module && !llvm->abandoned) LLVMDisposeModule(llvm->module);
  if (llvm->context && !llvm->abandoned) LLVMContextDispose(llvm->context);
  pa_string_free(&llvm->errors);
}
