// pyarray-c/Emit.h: passes and code generation for those who have a module.
#include "pyarray-c/Emit.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/codegen.h"
#include "ir/ir.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "pipelines.h"

static void tell(const char *text, size_t length, MlirStringCallback to, void *data) {
  if (to) to(mlirStringRefCreate(text, length), data);
}

static MlirLogicalResult tell_status(pa_status status, MlirStringCallback error, void *data) {
  if (!status) return mlirLogicalResultSuccess();
  tell(pa_status_message(status), strlen(pa_status_message(status)), error, data);
  pa_status_free(status);
  return mlirLogicalResultFailure();
}

// A diagnostic is "place: text", a line each.
static MlirLogicalResult keep_diagnostic(MlirDiagnostic diagnostic, void *data) {
  pa_string *text = data;
  if (text->length) pa_string_puts(text, "\n");
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), pa_append_text, text);
  pa_string_puts(text, ": ");
  mlirDiagnosticPrint(diagnostic, pa_append_text, text);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult pyarrayRunPipeline(MlirOperation module, const char *passes, MlirStringCallback error,
                                     void *error_data) {
  pa_register_pipelines();
  MlirContext context = mlirOperationGetContext(module);
  pa_string text = {0};
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(context, keep_diagnostic, &text, NULL);
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirLogicalResult result =
      mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager), pa_ref(passes), pa_append_text, &text);
  if (mlirLogicalResultIsSuccess(result)) result = mlirPassManagerRunOnOp(manager, module);
  mlirPassManagerDestroy(manager);
  mlirContextDetachDiagnosticHandler(context, handler);
  if (mlirLogicalResultIsFailure(result)) tell(pa_string_text(&text), text.length, error, error_data);
  pa_string_free(&text);
  return result;
}

static pa_codegen_options options_of(const pyarray_emit_options *options) {
  pa_codegen_options codegen = PA_CODEGEN_DEFAULTS;
  if (!options) return codegen;
  codegen.cpu = options->cpu;
  codegen.features = options->features;
  if (options->opt_level) codegen.opt_level = atoi(options->opt_level);
  codegen.fastmath = options->fastmath;
  codegen.accurate_math = options->accurate_math;
  codegen.verify = options->verify;
  codegen.libdevice = options->libdevice;
  return codegen;
}

MlirLogicalResult pyarrayEmit(MlirOperation module, pyarray_emission what, const pyarray_emit_options *options,
                              MlirStringCallback out, void *out_data, MlirStringCallback error, void *error_data) {
  pa_codegen_options codegen = options_of(options);
  pa_string text = {0};
  pa_status status = PA_OK;
  char *object = NULL;
  size_t size = 0;
  switch (what) {
  case PYARRAY_EMIT_OBJECT: status = pa_codegen_object(module, &codegen, &object, &size); break;
  case PYARRAY_EMIT_ASSEMBLY: status = pa_codegen_assembly(module, &codegen, &text); break;
  case PYARRAY_EMIT_LLVM_IR: status = pa_codegen_llvm_ir(module, &codegen, false, &text); break;
  case PYARRAY_EMIT_OPTIMIZED_LLVM_IR: status = pa_codegen_llvm_ir(module, &codegen, true, &text); break;
  case PYARRAY_EMIT_PTX: status = pa_codegen_ptx(module, &codegen, NULL, &text); break;
  }
  if (!status && object) tell(object, size, out, out_data);
  if (!status && !object) tell(pa_string_text(&text), text.length, out, out_data);
  free(object);
  pa_string_free(&text);
  return tell_status(status, error, error_data);
}
