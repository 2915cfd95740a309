// A gpu.module in the nvvm dialect to PTX: LLVM IR, our device library (lib/device), NVIDIA's libdevice where a
// function of libm is left, optimisation with all but the kernel internal, PTX.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "device/library.h"
#include "flags.h"
#include "libdevice.h"
#include "linked.h"
#include "llvm_module.h"
#include "mlir-c/BuiltinAttributes.h"
#include "nvptx.h"
#include "nvvm_ir.h"
#include "ptx_text.h"
#include "streaming.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"

typedef struct exported {
  LLVMValueRef function;
  pa_codegen_kernel kernel;
} exported;

typedef struct pa_codegen_ptx_job {
  pa_codegen_options options;
  MlirOperation gpu_module, first; // of the functions that stay visible; not touched once it is translated
  exported *exported;
  int count;
  bool has_points;
  const char *cpu;
  int version; // of PTX, 63 for 6.3
  LLVMTargetMachineRef machine;
  pa_llvm_module llvm;
} ptx;

static MlirStringRef ref(const char *text) { return mlirStringRefCreateFromCString(text); }

static bool is_named(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)), ref(name));
}

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, ref(name));
}

//===-- What is compiled --------------------------------------------------------------------------===//

// |op|, or the next of its block, that is such.
static MlirOperation find_from(MlirOperation op, const char *name, const char *marked) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (is_named(op, name) && (!marked || !mlirAttributeIsNull(attribute(op, marked)))) return op;
  return (MlirOperation){NULL};
}

static MlirOperation find_in(MlirOperation parent, const char *name, const char *marked) {
  return find_from(mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, 0))), name,
                   marked);
}

// A device function is alone; conversion has given it a second one, for C.
#define FOR_EACH_EXPORTED(op, p)                                                                                       \
  for (MlirOperation op = (p)->first; !mlirOperationIsNull(op);                                                        \
       op = find_from(mlirOperationGetNextInBlock(op), "llvm.func", "nvvm.kernel"))

bool pa_has_gpu_module(MlirOperation module) { return !mlirOperationIsNull(find_in(module, "gpu.module", NULL)); }

static pa_status find_module(ptx *p, MlirOperation module) {
  p->gpu_module = find_in(module, "gpu.module", NULL);
  if (mlirOperationIsNull(p->gpu_module))
    return pa_fail(PA_CODE_INVALID, NULL, "there is no gpu.module to make PTX of");
  p->first = find_in(p->gpu_module, "llvm.func", "pyarray.exported");
  if (mlirOperationIsNull(p->first))
    return pa_fail(PA_CODE_INVALID, NULL, "the gpu.module has no llvm.func with the attribute pyarray.exported");
  return PA_OK;
}

static int64_t integer_attribute(MlirOperation op, const char *name) {
  MlirAttribute value = attribute(op, name);
  return !mlirAttributeIsNull(value) && mlirAttributeIsAInteger(value) ? mlirIntegerAttrGetValueInt(value) : 0;
}

// Ufuncs whose threads take several points, and what else has straight code for each of its loops' turns.
static bool find_points(ptx *p) {
  FOR_EACH_EXPORTED(op, p)
  if (integer_attribute(op, "pyarray.points") <= 1 && !integer_attribute(op, "pyarray.straight")) return false;
  return true;
}

//===-- Translation -------------------------------------------------------------------------------===//

// An alias scope is the only text that a load or store takes along to LLVM IR (streaming.c). Nothing is said not to
// alias it.
static void name_operator(MlirOperation op, MlirStringRef name) {
  char text[200];
  snprintf(text, sizeof text,
           "[#llvm.alias_scope<id = \"pyarray.cache.%.2s\", domain = <id = \"pyarray.cache\">, description = "
           "\"pyarray.cache.%.2s\">]",
           name.data, name.data);
  MlirAttribute scopes = mlirAttributeParseGet(mlirOperationGetContext(op), mlirStringRefCreateFromCString(text));
  if (!mlirAttributeIsNull(scopes))
    mlirOperationSetInherentAttributeByName(op, mlirStringRefCreateFromCString("alias_scopes"), scopes);
}

// On the CPU the marks mean nothing: stores that bypass the cache would have to be fenced there.
static MlirWalkResult mark_streaming(MlirOperation op, void *data) {
  MlirAttribute mark = attribute(op, "pyarray.streaming");
  MlirAttribute cache = attribute(op, "pyarray.cache");
  (void)data;
  if (!mlirAttributeIsNull(mark))
    mlirOperationSetInherentAttributeByName(op, mlirStringRefCreateFromCString("nontemporal"), mark);
  if (!mlirAttributeIsNull(cache) && mlirAttributeIsAString(cache)) name_operator(op, mlirStringAttrGetValue(cache));
  return MlirWalkResultAdvance;
}

static pa_status translate(ptx *p) {
  mlirOperationWalk(p->gpu_module, mark_streaming, NULL, MlirWalkPreOrder);
  LLVMTargetDataRef data = LLVMCreateTargetDataLayout(p->machine);
  char *layout = LLVMCopyStringRepOfTargetData(data);
  pa_status status = pa_llvm_translate(&p->llvm, p->gpu_module, layout, pa_nvptx_triple, &p->options, "the gpu.module");
  LLVMDisposeMessage(layout);
  LLVMDisposeTargetData(data);
  return status;
}

//===-- Functions ---------------------------------------------------------------------------------===//

static void add_enum(ptx *p, LLVMValueRef function, LLVMAttributeIndex index, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(p->llvm.context, kind, 0));
}

static void add_text(ptx *p, LLVMValueRef function, const char *name, const char *value) {
  LLVMAttributeRef made =
      LLVMCreateStringAttribute(p->llvm.context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, made);
}

static void add_number(ptx *p, LLVMValueRef function, const char *name, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  if (value > 0) add_text(p, function, name, text);
}

// 0 <= extent < 2^63 - 2^20, as on the CPU.
static void bound_extents(ptx *p, MlirOperation exported, LLVMValueRef function) {
  MlirAttribute extents = attribute(exported, "pyarray.extents");
  unsigned kind = LLVMGetEnumAttributeKindForName("range", 5);
  uint64_t low = 0, high = INT64_MAX - (1 << 20);
  if (mlirAttributeIsNull(extents) || !mlirAttributeIsADenseI32Array(extents)) return;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(extents); i++) {
    unsigned parameter = (unsigned)mlirDenseI32ArrayGetElement(extents, i);
    if (parameter < LLVMCountParams(function))
      LLVMAddAttributeAtIndex(function, parameter + 1,
                              LLVMCreateConstantRangeAttribute(p->llvm.context, kind, 64, &low, &high));
  }
}

static LLVMValueRef exported_function(const ptx *p, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(attribute(op, "sym_name"));
  return LLVMGetNamedFunctionWithLength(p->llvm.module, name.data, name.length);
}

static bool is_exported(const ptx *p, LLVMValueRef function) {
  for (int i = 0; i < p->count; ++i)
    if (p->exported[i].function == function) return true;
  return false;
}

static pa_status note_exported(ptx *p) {
  int count = 0;
  FOR_EACH_EXPORTED(op, p)++ count;
  p->exported = calloc((size_t)count, sizeof *p->exported);
  if (!p->exported) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  FOR_EACH_EXPORTED(op, p) {
    MlirStringRef name = mlirStringAttrGetValue(attribute(op, "sym_name"));
    exported *own = &p->exported[p->count++];
    *own = (exported){exported_function(p, op),
                      {strndup(name.data, name.length), integer_attribute(op, "pyarray.dynamic_shared"),
                       integer_attribute(op, "pyarray.points")}};
    if (!own->function) return pa_fail(PA_CODE_INTERNAL, NULL, "the kernel was lost");
    if (!own->kernel.name) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  }
  return PA_OK;
}

// convert-gpu-to-nvvm makes of each declaration f a function f that calls a declared _mlir_ciface_f: that one is f.
static void undo_c_interfaces(ptx *p) {
  static const char prefix[] = "_mlir_ciface_";
  for (LLVMValueRef f = LLVMGetFirstFunction(p->llvm.module); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (!LLVMIsDeclaration(f) || strncmp(name, prefix, sizeof prefix - 1)) continue;
    char *plain = strdup(name + sizeof prefix - 1);
    LLVMValueRef caller = plain ? LLVMGetNamedFunction(p->llvm.module, plain) : NULL;
    if (caller) LLVMSetValueName2(caller, "", 0);
    if (caller) LLVMSetLinkage(caller, LLVMInternalLinkage);
    if (plain) LLVMSetValueName2(f, plain, strlen(plain));
    free(plain);
  }
}

// Shared memory is aligned so that LLVM can make one access of 16 bytes of several. The dynamic one is an array without
// size that the launch defines; upstream makes it an internal variable of no bytes.
static void prepare_shared(ptx *p) {
  enum { SHARED = 3, WIDEST = 16 };
  for (LLVMValueRef v = LLVMGetFirstGlobal(p->llvm.module); v; v = LLVMGetNextGlobal(v)) {
    LLVMTypeRef type = LLVMGlobalGetValueType(v);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != SHARED) continue;
    if (LLVMGetAlignment(v) < WIDEST) LLVMSetAlignment(v, WIDEST);
    if (LLVMGetTypeKind(type) != LLVMArrayTypeKind || LLVMGetArrayLength2(type)) continue;
    LLVMSetInitializer(v, NULL);
    LLVMSetLinkage(v, LLVMExternalLinkage);
    int64_t asked = integer_attribute(p->first, "pyarray.dynamic_alignment");
    if (asked > WIDEST) LLVMSetAlignment(v, (unsigned)asked);
  }
}

static void set_cluster(ptx *p, LLVMValueRef function) {
  char text[48];
  int packed = p->options.cluster;
  add_number(p, function, "nvvm.maxclusterrank", p->options.max_cluster);
  snprintf(text, sizeof text, "%d,%d,%d", packed & 255, packed >> 8 & 255, packed >> 16 & 255);
  if (packed) add_text(p, function, "nvvm.cluster_dim", text);
}

static void prepare_exported(ptx *p, MlirOperation op, LLVMValueRef function) {
  bound_extents(p, op, function);
  int own = (int)integer_attribute(op, "pyarray.registers");
  add_number(p, function, "nvvm.maxnreg", p->options.max_registers ? p->options.max_registers : own);
  add_number(p, function, "nvvm.maxntid", p->options.max_threads);
  add_number(p, function, "nvvm.minctasm", p->options.min_blocks);
  set_cluster(p, function);
}

// Our own functions, before anything is linked.
static pa_status prepare(ptx *p) {
  PA_TRY(note_exported(p));
  undo_c_interfaces(p);
  prepare_shared(p);
  LLVMFastMathFlags flags = p->options.fastmath ? LLVMFastMathAll : p->options.no_fma ? 0 : LLVMFastMathAllowContract;
  for (LLVMValueRef f = LLVMGetFirstFunction(p->llvm.module); f; f = LLVMGetNextFunction(f)) {
    // As clang does: what is not convergent is found out afterwards.
    if (!LLVMGetIntrinsicID(f)) add_enum(p, f, LLVMAttributeFunctionIndex, "convergent");
    if (LLVMIsDeclaration(f)) continue;
    add_enum(p, f, LLVMAttributeFunctionIndex, "nounwind");
    pa_allow_negative_strides(f);
    pa_set_fast_math(f, flags);
    if (p->options.opt_level && !p->options.no_fma) pa_contract_products(p->llvm.module, f);
  }
  int number = 0;
  FOR_EACH_EXPORTED(op, p) prepare_exported(p, op, p->exported[number++].function);
  return PA_OK;
}

//===-- Libraries ---------------------------------------------------------------------------------===//

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

// What others define: the driver has vprintf, malloc and what assert calls, a pass of LLVM answers what libdevice asks
// of the target, and the driver links the rest.
static bool is_foreign(LLVMValueRef function) {
  static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail", "__nvvm_reflect"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(pa_function_name(function), names[i]) == 0) return true;
  return pa_linked_name(function);
}

// Names libm's functions as libdevice does; false if none is left.
static bool use_libdevice_names(ptx *p) {
  bool any = false;
  char name[128];
  for (LLVMValueRef f = LLVMGetFirstFunction(p->llvm.module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!pa_is_undefined(f) || is_foreign(f)) continue;
    any = true;
    if (starts_with(pa_function_name(f), "__nv_")) continue;
    snprintf(name, sizeof name, "__nv_%s", pa_function_name(f));
    LLVMValueRef there = LLVMGetNamedFunction(p->llvm.module, name);
    if (there)
      pa_replace_function(f, there);
    else
      LLVMSetValueName2(f, name, strlen(name));
  }
  return any;
}

// Functions of other code have the names of libdevice's by now.
static pa_status refuse_undefined(LLVMValueRef function) {
  static const char prefix[] = "__nv_";
  const char *name = pa_function_name(function), *file = pa_linked_attribute(function, PA_LINKED_CODE);
  if (file) return pa_fail_undefined(file, starts_with(name, prefix) ? name + sizeof prefix - 1 : name, true);
  return pa_fail(PA_CODE_UNSUPPORTED, NULL, "a GPU has no function '%s'", name);
}

static pa_status check_defined(ptx *p) {
  for (LLVMValueRef f = LLVMGetFirstFunction(p->llvm.module); f; f = LLVMGetNextFunction(f))
    if (pa_is_undefined(f) && !is_foreign(f)) return refuse_undefined(f);
  return PA_OK;
}

// All but exported functions go once nothing calls them. Variables that the host looks for stay visible, if anything
// uses them.
static void make_internal(ptx *p) {
  for (LLVMValueRef f = LLVMGetFirstFunction(p->llvm.module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    pa_drop_target_attributes(f); // the library was compiled for the oldest architecture
    if (p->options.fastmath) add_text(p, f, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    if (!is_exported(p, f)) LLVMSetLinkage(f, LLVMInternalLinkage);
  }
}

static void drop_unused_variables(ptx *p) {
  for (LLVMValueRef v = LLVMGetFirstGlobal(p->llvm.module), next; v; v = next) {
    next = LLVMGetNextGlobal(v);
    if (!LLVMGetFirstUse(v)) LLVMDeleteGlobal(v);
  }
}

// LLVM answers the rest. Where libdevice sees an architecture from 7.3 on it uses tanh.approx, which is in PTX from 7.0
// on only.
static void answer_libdevice(ptx *p) {
  const pa_reflection rows[] = {{"__CUDA_PREC_SQRT", !p->options.fastmath}, {"__CUDA_ARCH", 720}};
  pa_answer_reflection(p->llvm.module, rows, p->version < 70 ? 2 : 1);
}

static int architecture_of(const ptx *p) { return atoi(p->cpu + strlen("sm_")); }

// Where an architecture has no instruction for it, the functions of our library that do without.
static void choose_functions(ptx *p) {
  static const struct {
    int since;
    const char *name, *without;
  } rows[] = {{80, "pyarray_dev_redux_i32", "pyarray_dev_redux_i32_by_shuffles"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    LLVMValueRef function = LLVMGetNamedFunction(p->llvm.module, rows[i].name);
    if (function && architecture_of(p) < rows[i].since)
      LLVMSetValueName2(function, rows[i].without, strlen(rows[i].without));
  }
}

static bool is_ours(const char *name) {
  size_t length = strlen(name);
  const char *all = (const char *)pa_device_names, *at = all;
  for (; (at = strstr(at, name)); ++at)
    if ((at == all || at[-1] == '\n') && at[length] == '\n') return true;
  return false;
}

// Reading the names of all its functions takes a twelfth of the compilation of a small kernel.
static bool needs_own_library(ptx *p) {
  for (LLVMValueRef f = LLVMGetFirstFunction(p->llvm.module); f; f = LLVMGetNextFunction(f))
    if (pa_is_undefined(f) && is_ours(pa_function_name(f))) return true;
  return false;
}

static pa_status link_own_library(ptx *p) {
  choose_functions(p);
  if (!needs_own_library(p)) return PA_OK;
  LLVMMemoryBufferRef own =
      LLVMCreateMemoryBufferWithMemoryRange((const char *)pa_device_library, pa_device_library_size, "device", false);
  return pa_link_library(&p->llvm, own, "the device library");
}

static pa_status link_libraries(ptx *p) {
  PA_TRY(pa_link_bitcode(&p->llvm, &p->options, false));
  pa_guard_linked(&p->llvm, false);
  PA_TRY(link_own_library(p));
  make_internal(p);
  PA_TRY(pa_llvm_run(&p->llvm, p->machine, "globaldce"));
  if (use_libdevice_names(p)) {
    PA_TRY(pa_link_libdevice(&p->llvm, p->options.libdevice, "mathematical functions on a GPU need"));
    answer_libdevice(p);
    make_internal(p);
    PA_TRY(pa_llvm_run(&p->llvm, p->machine, "globaldce"));
  }
  drop_unused_variables(p);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(p->llvm.context);
  LLVMMetadataRef flush = LLVMValueAsMetadata(LLVMConstInt(i32, p->options.fastmath, false));
  if (!LLVMGetModuleFlag(p->llvm.module, "nvvm-reflect-ftz", 16)) // clang's bitcode has it
    LLVMAddModuleFlag(p->llvm.module, LLVMModuleFlagBehaviorOverride, "nvvm-reflect-ftz", 16, flush);
  PA_TRY(check_defined(p));
  return pa_name_linked(&p->llvm, &p->options, false);
}

//===-- Steps in order ----------------------------------------------------------------------------===//

static pa_status begin(ptx *p, MlirOperation module) {
  PA_TRY(find_module(p, module));
  p->has_points = find_points(p);
  PA_TRY(pa_nvptx_machine(&p->options, p->has_points, &p->cpu, &p->version, &p->machine));
  PA_TRY(translate(p));
  return prepare(p);
}

// LLVM finds out what memory an address is in only when it emits code. Knowing it from the start, it sees which
// accesses cannot meet, and how they are aligned: several in a row become one. Emission also leaves out strength
// reduction (target.c), which GPUs gain from.
static const char find_memory[] = "function(sroa<modify-cfg>,early-cse<>,infer-address-spaces)";
static const char gpu_passes[] = "default<O3>,function(loop(loop-reduce),infer-alignment)";

// Of a ufunc whose threads have several points, pyarray-map-grid has already made what a GPU computes: there is no loop
// or call in it but that over rows. All of O3 makes the same code of it, in three times the time.
static const char point_passes[] = "always-inline,inline,function(instcombine<no-verify-fixpoint>,simplifycfg,early-"
                                   "cse<memssa>,loop-mssa(loop-rotate,licm),simplifycfg,"
                                   "loop(loop-reduce),infer-alignment),globaldce";

static pa_status optimize(ptx *p) {
  PA_TRY(link_libraries(p));
  if (p->options.verify) PA_TRY(pa_llvm_verify(&p->llvm));
  if (p->options.passes) return pa_llvm_run(&p->llvm, p->machine, p->options.passes);
  if (p->options.opt_level) PA_TRY(pa_llvm_run(&p->llvm, p->machine, find_memory));
  pa_stream_accesses(p->llvm.module);
  PA_TRY(pa_llvm_run(&p->llvm, p->machine,
                     !p->options.opt_level ? "default<O0>"
                     : p->has_points       ? point_passes
                                           : gpu_passes));
  drop_unused_variables(p);
  return PA_OK;
}

static pa_status emit(ptx *p, pa_string *out_text) {
  LLVMMemoryBufferRef buffer;
  PA_TRY(pa_llvm_emit(&p->llvm, p->machine, LLVMAssemblyFile, &buffer));
  pa_append_ptx(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), p->options.opt_level && p->has_points, out_text);
  LLVMDisposeMemoryBuffer(buffer);
  return PA_OK;
}

static pa_status finish(ptx *p, pa_status status) {
  pa_llvm_free(&p->llvm);
  if (p->machine && !p->llvm.abandoned) LLVMDisposeTargetMachine(p->machine);
  for (int i = 0; i < p->count; ++i) free(p->exported[i].kernel.name);
  free(p->exported);
  return status;
}

static void take_kernels(ptx *p, pa_codegen_kernel *out) {
  for (int i = 0; i < p->count; ++i) {
    out[i] = p->exported[i].kernel;
    p->exported[i].kernel.name = NULL;
  }
}

static pa_status compile(ptx *p, pa_codegen_kernel *out_kernels, pa_string *out_text) {
  PA_TRY(optimize(p));
  PA_TRY(emit(p, out_text));
  if (out_kernels) take_kernels(p, out_kernels);
  return PA_OK;
}

pa_status pa_codegen_ptx(MlirOperation module, const pa_codegen_options *options, pa_codegen_kernel *out_kernels,
                         pa_string *out_text) {
  ptx p = {.options = *options};
  pa_status status = begin(&p, module);
  return finish(&p, status ? status : compile(&p, out_kernels, out_text));
}

pa_status pa_codegen_ptx_begin(MlirOperation module, const pa_codegen_options *options, ptx **out_job) {
  ptx *p = calloc(1, sizeof *p);
  if (!p) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  p->options = *options;
  pa_status status = begin(p, module);
  if (!status) return *out_job = p, PA_OK;
  status = finish(p, status);
  return free(p), status;
}

pa_status pa_codegen_ptx_end(ptx *job, pa_codegen_kernel *out_kernels, pa_string *out_text) {
  pa_status status = finish(job, out_text ? compile(job, out_kernels, out_text) : PA_OK);
  return free(job), status;
}

pa_status pa_codegen_gpu_llvm_ir(MlirOperation module, const pa_codegen_options *options, bool optimized,
                                 pa_string *out_text) {
  ptx p = {.options = *options};
  pa_status status = begin(&p, module);
  if (!status && optimized) status = optimize(&p);
  if (!status) pa_llvm_print(&p.llvm, out_text);
  return finish(&p, status);
}

pa_status pa_codegen_nvvm_ir(MlirOperation module, const pa_codegen_options *options, pa_string *out_text) {
  ptx p = {.options = *options};
  pa_status status = begin(&p, module);
  if (!status) status = optimize(&p);
  if (!status) status = pa_llvm_run(&p.llvm, p.machine, "atomic-expand"); // what becomes a loop
  if (!status) status = pa_print_nvvm_ir(&p.llvm, architecture_of(&p), out_text);
  return finish(&p, status);
}
