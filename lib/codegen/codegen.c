#include "codegen.h"

#include "carried_loads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "flags.h"
#include "libdevice.h"
#include "linked.h"
#include "llvm_module.h"
#include "mlir-c/BuiltinAttributes.h"
#include "nvptx.h"
#include "outline_loops.h"
#include "parallel_loops.h"
#include "pipeline.h"
#include "short_divisions.h"
#include "split_blocks.h"
#include "strength_reduction.h"
#include "target.h"
#include "vector_math.h"
#include "llvm-c/Core.h"

// One translation under way.
typedef struct codegen {
  pa_codegen_options options;
  pa_target *target;
  pa_llvm_module llvm;
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

#define LAP(gen, field) lap((gen), (gen)->options.timing ? &(gen)->options.timing->field : NULL)

//===-- Preparation -------------------------------------------------------------------------------===//

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

// Of the arrays among the arguments of an entry, by its attribute pyarray.extents.
static void bound_extents_of(codegen *gen, MlirOperation op) {
  MlirAttribute extents =
                    mlirOperationGetDiscardableAttributeByName(op, mlirStringRefCreateFromCString("pyarray.extents")),
                symbol = mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("sym_name"));
  if (mlirAttributeIsNull(extents) || !mlirAttributeIsADenseI32Array(extents) || mlirAttributeIsNull(symbol)) return;
  char name[256];
  MlirStringRef text = mlirStringAttrGetValue(symbol);
  snprintf(name, sizeof name, "%.*s", (int)text.length, text.data);
  LLVMValueRef entry = LLVMGetNamedFunction(gen->llvm.module, name);
  if (!entry || LLVMIsDeclaration(entry)) return;
  LLVMValueRef args = LLVMGetParam(entry, 0), range = extent_range(gen->llvm.context);
  unsigned kind = LLVMGetMDKindIDInContext(gen->llvm.context, "range", 5);
  LLVMValueRef load = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(entry));
  for (; load; load = LLVMGetNextInstruction(load))
    if (LLVMIsALoadInst(load) && LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMIntegerTypeKind &&
        is_extent(extents, constant_offset(LLVMGetOperand(load, 0), args)))
      LLVMSetMetadata(load, kind, range);
}

static void bound_extents(codegen *gen, MlirOperation module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) bound_extents_of(gen, op);
}

typedef struct size {
  MlirBlock block; // the one counted last
  int64_t in_block, largest_block, all;
} size;

static MlirWalkResult count_operation(MlirOperation op, void *data) {
  size *count = data;
  MlirBlock block = mlirOperationGetBlock(op);
  if (!mlirBlockEqual(block, count->block)) count->block = block, count->in_block = 0;
  if (++count->in_block > count->largest_block) count->largest_block = count->in_block;
  count->all++;
  return MlirWalkResultAdvance;
}

// Scheduling, coalescing and some passes take time in the square of a block's or a function's length.
static bool is_large(MlirOperation module) {
  size count = {.block = {NULL}};
  mlirOperationWalk(module, count_operation, &count, MlirWalkPreOrder);
  return count.all > PA_CODEGEN_LARGE_MODULE || count.largest_block > PA_CODEGEN_LARGE_BLOCK;
}

// LLVM takes fmod(x, y) for a remainder that is never NaN where x is not infinite and y not zero: also where x is NaN.
static void hide_remainders(LLVMModuleRef module) {
  unsigned nobuiltin = LLVMGetEnumAttributeKindForName("nobuiltin", 9);
  for (int i = 0; i < 2; ++i) {
    LLVMValueRef f = LLVMGetNamedFunction(module, i ? "fmodf" : "fmod");
    if (f)
      LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                              LLVMCreateEnumAttribute(LLVMGetModuleContext(module), nobuiltin, 0));
  }
}

// No exception passes through compiled code, so there are no unwind tables either.
static void prepare(codegen *gen, MlirOperation module) {
  bound_extents(gen, module);
  hide_remainders(gen->llvm.module);
  unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(gen->llvm.context, nounwind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(gen->llvm.module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
    pa_allow_negative_strides(f);
    pa_mark_parallel_loops(gen->llvm.context, f);
    if (gen->options.fastmath) pa_set_fast_math(f, LLVMFastMathAll);
  }
  if (gen->options.accurate_math)
    pa_use_accurate_math(gen->llvm.module);
  else if (gen->options.opt_level >= PA_CODEGEN_VECTOR_LEVEL)
    pa_offer_vector_math(gen->llvm.module, gen->target->machine);
}

static pa_module_shape shape_of(LLVMModuleRef module) {
  int bodies = 0;
  unsigned coroutine = LLVMGetEnumAttributeKindForName("presplitcoroutine", 17);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, coroutine)) return PA_COROUTINES;
    bodies += !LLVMIsDeclaration(f);
  }
  return bodies > 1 ? PA_SEVERAL_FUNCTIONS : PA_ONE_FUNCTION;
}

typedef struct comparison_count {
  int all, bounds; // the latter with what is no constant
} comparison_count;

// Comparisons of |value|, and of sums of it and a constant.
static void count_comparisons(LLVMValueRef value, bool sums, comparison_count *count) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) continue;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
    if (opcode == LLVMICmp)
      ++count->all,
          count->bounds += !LLVMIsConstant(LLVMGetOperand(user, 0)) && !LLVMIsConstant(LLVMGetOperand(user, 1));
    if (sums && opcode == LLVMAdd && LLVMIsAConstantInt(LLVMGetOperand(user, 1))) count_comparisons(user, false, count);
  }
}

static void compare_counts(LLVMValueRef value, comparison_count *most) {
  comparison_count count = {0};
  count_comparisons(value, true, &count);
  if (count.all > most->all) most->all = count.all;
  if (count.bounds > most->bounds) most->bounds = count.bounds;
}

// Of one index or extent: each check is a condition that holds at all later ones.
static pa_checks checks_of(LLVMModuleRef module) {
  comparison_count most = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMValueRef parameter = LLVMGetFirstParam(f); parameter; parameter = LLVMGetNextParam(parameter))
      compare_counts(parameter, &most);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        compare_counts(op, &most);
  }
  return most.all > PA_CODEGEN_MANY_CHECKS      ? PA_MANY_CHECKS
         : most.bounds > PA_CODEGEN_MANY_BOUNDS ? PA_MANY_BOUNDS
                                                : PA_FEW_CHECKS;
}

//===-- Passes ------------------------------------------------------------------------------------===//

static pa_status optimize(codegen *gen) {
  const pa_codegen_options *options = &gen->options;
  pa_llvm_module *llvm = &gen->llvm;
  LLVMTargetMachineRef machine = gen->target->machine;
  if (options->verify) PA_TRY(pa_llvm_verify(llvm));
  if (options->passes) return pa_llvm_run(llvm, machine, options->passes);
  pa_module_shape shape = shape_of(llvm->module);
  pa_checks checks = checks_of(llvm->module);
  if (options->opt_level != PA_CODEGEN_OUTLINE_LEVEL || !pa_has_long_function(llvm->module))
    return pa_llvm_run(llvm, machine, pa_llvm_pipeline(options->opt_level, shape, checks));
  PA_TRY(pa_llvm_run(llvm, machine, pa_llvm_pipeline_part(false, shape, checks)));
  PA_TRY(pa_outline_loops(llvm, machine));
  if (options->verify) PA_TRY(pa_llvm_verify(llvm));
  return pa_llvm_run(llvm, machine, pa_llvm_pipeline_part(true, shape, checks));
}

//===-- Steps in order ----------------------------------------------------------------------------===//

static pa_status begin(codegen *gen, MlirOperation module) {
  gen->started = now();
  if (is_large(module)) gen->options.opt_level = 0;
  PA_TRY(pa_target_acquire(&gen->options, &gen->target));
  PA_TRY(pa_llvm_translate(&gen->llvm, module, gen->target->layout, pa_target_triple, &gen->options, "the module"));
  PA_TRY(pa_link_bitcode(&gen->llvm, &gen->options, true));
  PA_TRY(pa_name_linked(&gen->llvm, &gen->options, true));
  pa_guard_linked(&gen->llvm, true);
  prepare(gen, module);
  PA_TRY(pa_use_libdevice_on_host(&gen->llvm, gen->target->machine, gen->options.libdevice));
  LAP(gen, translate);
  return PA_OK;
}

static pa_status optimized_module(codegen *gen, MlirOperation module) {
  PA_TRY(begin(gen, module));
  PA_TRY(optimize(gen));
  pa_split_short_divisions(gen->llvm.module);
  if (gen->options.opt_level == 2 && pa_may_carry_loads(gen->llvm.module))
    PA_TRY(pa_llvm_run(&gen->llvm, gen->target->machine, PA_CARRY_LOADS));
  if (gen->options.opt_level == 2) pa_reduce_strength(gen->llvm.module);
  LAP(gen, optimize);
  return PA_OK;
}

static pa_status finish(codegen *gen, pa_status status) {
  pa_llvm_free(&gen->llvm);
  if (!gen->llvm.abandoned) pa_target_release(gen->target);
  return status;
}

//===-- Entry points ------------------------------------------------------------------------------===//

static pa_status emit_module(codegen *gen, MlirOperation module, LLVMCodeGenFileType kind,
                             LLVMMemoryBufferRef *out_buffer) {
  PA_TRY(optimized_module(gen, module));
  pa_split_blocks(gen->llvm.module);
  PA_TRY(pa_llvm_emit(&gen->llvm, gen->target->machine, kind, out_buffer));
  LAP(gen, emit);
  return PA_OK;
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
  codegen gen = {.options = *options};
  LLVMMemoryBufferRef buffer;
  pa_status status = emit_module(&gen, module, LLVMObjectFile, &buffer);
  if (!status) status = copy_bytes(buffer, out_bytes, out_size);
  return finish(&gen, status);
}

pa_status pa_codegen_assembly(MlirOperation module, const pa_codegen_options *options, pa_string *out_text) {
  codegen gen = {.options = *options};
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
  codegen gen = {.options = *options};
  pa_status status = optimized ? optimized_module(&gen, module) : begin(&gen, module);
  if (!status) pa_llvm_print(&gen.llvm, out_text);
  return finish(&gen, status);
}
