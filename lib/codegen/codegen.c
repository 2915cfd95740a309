#include "codegen.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "flags.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Target/LLVMIR.h"
#include "nvptx.h"
#include "parallel_loops.h"
#include "pipeline.h"
#include "target.h"
#include "vector_math.h"
#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/Transforms/PassBuilder.h"

// One translation under way.
typedef struct codegen {
  const pa_codegen_options *options;
  pa_target *target;
  LLVMContextRef context;
  LLVMModuleRef module;
  pa_string errors; // what LLVM's diagnostics said
  double started;
} codegen;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Adds the time since the last call to |*total|.
static void lap(codegen *gen, double *total) {
  double time = now();
  if (total) *total += time - gen->started;
  gen->started = time;
}

#define LAP(gen, field) lap((gen), (gen)->options->timing ? &(gen)->options->timing->field : NULL)

//===-- Translation -------------------------------------------------------------------------------===//

// LLVM's own handler would print and end the process.
static void note_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  pa_string *errors = data;
  char *text = LLVMGetDiagInfoDescription(info);
  if (errors->length) pa_string_puts(errors, "; ");
  pa_string_puts(errors, text);
  LLVMDisposeMessage(text);
}

static void set_text(MlirOperation module, const char *name, const char *text) {
  MlirAttribute value = mlirStringAttrGet(mlirOperationGetContext(module), mlirStringRefCreateFromCString(text));
  mlirOperationSetDiscardableAttributeByName(module, mlirStringRefCreateFromCString(name), value);
}

// The layout decides the alignment of loads and stores, so it is set before.
static pa_status translate(codegen *gen, MlirOperation module) {
  set_text(module, "llvm.data_layout", gen->target->layout);
  set_text(module, "llvm.target_triple", pa_target_triple);
  gen->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(gen->context, note_diagnostic, &gen->errors);
  LLVMContextSetDiscardValueNames(gen->context, !gen->options->verify);
  gen->module = mlirTranslateModuleToLLVMIR(module, gen->context);
  if (!gen->module) return pa_fail(PA_CODE_INVALID, NULL, "the module cannot be translated to LLVM IR");
  return PA_OK;
}

//===-- Preparation -------------------------------------------------------------------------------===//

// The extents of argument arrays, by the attribute pyarray.extents of pyarray_entry; a null attribute if it has none.
static MlirAttribute find_extents(MlirOperation module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
  MlirAttribute extents = {NULL};
  for (; mlirAttributeIsNull(extents) && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    extents = mlirOperationGetDiscardableAttributeByName(op, mlirStringRefCreateFromCString("pyarray.extents"));
  return !mlirAttributeIsNull(extents) && mlirAttributeIsADenseI32Array(extents) ? extents : (MlirAttribute){NULL};
}

// The byte offset from |base| that |address| stands for, or -1.
static int64_t constant_offset(LLVMValueRef address, LLVMValueRef base) {
  if (address == base) return 0;
  if (!LLVMIsAGetElementPtrInst(address) || LLVMGetNumOperands(address) != 2) return -1;
  LLVMValueRef index = LLVMGetOperand(address, 1);
  if (LLVMGetOperand(address, 0) != base || !LLVMIsAConstantInt(index)) return -1;
  return LLVMConstIntGetSExtValue(index);
}

static bool is_extent(MlirAttribute extents, int64_t byte) {
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(extents); i++)
    if (mlirDenseI32ArrayGetElement(extents, i) == byte) return true;
  return false;
}

// 0 <= extent < 2^63 - 2^20: no array in memory is longer, and steps added to an index below it do not overflow.
static LLVMValueRef extent_range(LLVMContextRef context) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMMetadataRef bounds[] = {LLVMValueAsMetadata(LLVMConstInt(i64, 0, false)),
                              LLVMValueAsMetadata(LLVMConstInt(i64, INT64_MAX - (1 << 20), false))};
  return LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, bounds, 2));
}

static void bound_extents(codegen *gen, MlirOperation module) {
  MlirAttribute extents = find_extents(module);
  LLVMValueRef entry = LLVMGetNamedFunction(gen->module, "pyarray_entry");
  if (mlirAttributeIsNull(extents) || !entry || LLVMIsDeclaration(entry)) return;
  LLVMValueRef args = LLVMGetParam(entry, 0), range = extent_range(gen->context);
  unsigned kind = LLVMGetMDKindIDInContext(gen->context, "range", 5);
  LLVMValueRef op = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(entry));
  for (; op; op = LLVMGetNextInstruction(op))
    if (LLVMIsALoadInst(op) && LLVMGetTypeKind(LLVMTypeOf(op)) == LLVMIntegerTypeKind &&
        is_extent(extents, constant_offset(LLVMGetOperand(op, 0), args)))
      LLVMSetMetadata(op, kind, range);
}

// No exception passes through compiled code, so there are no unwind tables either.
static void prepare(codegen *gen, MlirOperation module) {
  bound_extents(gen, module);
  unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(gen->context, nounwind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
    pa_allow_negative_strides(f);
    pa_mark_parallel_loops(gen->context, f);
    if (gen->options->fastmath) pa_set_fast_math(f, LLVMFastMathAll);
  }
  if (gen->options->accurate_math)
    pa_use_accurate_math(gen->module);
  else if (gen->options->opt_level >= PA_CODEGEN_VECTOR_LEVEL)
    pa_offer_vector_math(gen->module, gen->target->machine);
}

static bool needs_inliner(LLVMModuleRef module) {
  int bodies = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) bodies += !LLVMIsDeclaration(f);
  return bodies > 1;
}

//===-- Passes ------------------------------------------------------------------------------------===//

static pa_status run_passes(codegen *gen, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetVerifyEach(options, false);
  LLVMErrorRef error = LLVMRunPasses(gen->module, passes, gen->target->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return PA_OK;
  char *message = LLVMGetErrorMessage(error);
  pa_status status = pa_fail(PA_CODE_INVALID, NULL, "LLVM pipeline '%s': %s", passes, message);
  LLVMDisposeErrorMessage(message);
  return status;
}

static pa_status optimize(codegen *gen) {
  const pa_codegen_options *options = gen->options;
  if (options->verify) {
    char *message = NULL;
    bool broken = LLVMVerifyModule(gen->module, LLVMReturnStatusAction, &message);
    pa_status status = broken ? pa_fail(PA_CODE_INTERNAL, NULL, "broken LLVM IR: %s", message) : PA_OK;
    LLVMDisposeMessage(message);
    PA_TRY(status);
  }
  if (options->passes) return run_passes(gen, options->passes);
  return run_passes(gen, pa_llvm_pipeline(options->opt_level, needs_inliner(gen->module)));
}

//===-- Steps in order ----------------------------------------------------------------------------===//

static pa_status begin(codegen *gen, MlirOperation module) {
  gen->started = now();
  PA_TRY(pa_target_acquire(gen->options, &gen->target));
  PA_TRY(translate(gen, module));
  prepare(gen, module);
  LAP(gen, translate);
  return PA_OK;
}

static pa_status optimized_module(codegen *gen, MlirOperation module) {
  PA_TRY(begin(gen, module));
  PA_TRY(optimize(gen));
  LAP(gen, optimize);
  return PA_OK;
}

static pa_status emit(codegen *gen, LLVMCodeGenFileType kind, LLVMMemoryBufferRef *out_buffer) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(gen->target->machine, gen->module, kind, &message, &buffer)) {
    pa_status status = pa_fail(PA_CODE_INTERNAL, NULL, "LLVM could not emit code: %s", message ? message : "");
    LLVMDisposeMessage(message);
    return status;
  }
  LAP(gen, emit);
  if (gen->errors.length) {
    LLVMDisposeMemoryBuffer(buffer);
    return pa_fail(PA_CODE_INTERNAL, NULL, "LLVM: %s", pa_string_text(&gen->errors));
  }
  return *out_buffer = buffer, PA_OK;
}

static pa_status finish(codegen *gen, pa_status status) {
  if (gen->module) LLVMDisposeModule(gen->module);
  if (gen->context) LLVMContextDispose(gen->context);
  pa_target_release(gen->target);
  pa_string_free(&gen->errors);
  return status;
}

//===-- Entry points ------------------------------------------------------------------------------===//

static pa_status emit_module(codegen *gen, MlirOperation module, LLVMCodeGenFileType kind,
                             LLVMMemoryBufferRef *out_buffer) {
  PA_TRY(optimized_module(gen, module));
  return emit(gen, kind, out_buffer);
}

static pa_status copy_bytes(LLVMMemoryBufferRef buffer, char **out_bytes, size_t *out_size) {
  size_t size = LLVMGetBufferSize(buffer);
  char *bytes = malloc(size ? size : 1);
  if (bytes) {
    memcpy(bytes, LLVMGetBufferStart(buffer), size);
    *out_bytes = bytes;
    *out_size = size;
  }
  LLVMDisposeMemoryBuffer(buffer);
  return bytes ? PA_OK : pa_fail(PA_CODE_MEMORY, NULL, "out of memory for %zu bytes of code", size);
}

pa_status pa_codegen_object(MlirOperation module, const pa_codegen_options *options, char **out_bytes,
                            size_t *out_size) {
  codegen gen = {.options = options};
  LLVMMemoryBufferRef buffer;
  pa_status status = emit_module(&gen, module, LLVMObjectFile, &buffer);
  if (!status) status = copy_bytes(buffer, out_bytes, out_size);
  return finish(&gen, status);
}

pa_status pa_codegen_assembly(MlirOperation module, const pa_codegen_options *options, pa_string *out_text) {
  codegen gen = {.options = options};
  LLVMMemoryBufferRef buffer;
  pa_status status = emit_module(&gen, module, LLVMAssemblyFile, &buffer);
  if (!status) {
    pa_string_append(out_text, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
  }
  return finish(&gen, status);
}

pa_status pa_codegen_llvm_ir(MlirOperation module, const pa_codegen_options *options, bool optimized,
                             pa_string *out_text) {
  if (pa_has_gpu_module(module)) return pa_codegen_gpu_llvm_ir(module, options, optimized, out_text);
  codegen gen = {.options = options};
  pa_status status = optimized ? optimized_module(&gen, module) : begin(&gen, module);
  if (!status) {
    char *text = LLVMPrintModuleToString(gen.module);
    pa_string_puts(out_text, text);
    LLVMDisposeMessage(text);
  }
  return finish(&gen, status);
}
