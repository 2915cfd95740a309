// Vector variants for calls of libm, so that loops with them are vectorised. Before and after:
//
//   %y = call double @llvm.exp.f64(double %x)
//
//   %y = call double @llvm.exp.f64(double %x) #0
//   declare <4 x double> @pyarray_rt_exp_v4(<4 x double>)
//   attributes #0 = { "vector-function-abi-variant"="_ZGV_LLVM_N4v_llvm.exp.f64(pyarray_rt_exp_v4),..." }
//
// The functions are the runtime's (lib/runtime/vector/vector_math.h). LLVM's own table (-vector-library=LIBMVEC) knows
// neither AVX-512 nor masks, and would call libmvec, whose floating-point exceptions are not to be had. A masked
// variant (M for N, a vector of i1 as last argument) is what a call under a condition becomes; without, LLVM would
// compute all lanes.
#include "vector_math.h"

#include "pyarray-c/Target.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "support/support.h"
#include "llvm-c/Core.h"
#include "llvm-c/DebugInfo.h" // temporary metadata

typedef struct vector_function {
  const char *name; // libm's, of float64
  int arity;
  const char *mvec; // libmvec's function that it needs, or NULL
} vector_function;

static const vector_function functions[] = {
#define PA_VECTOR_MVEC1(name, ...) {#name, 1, "_ZGVbN2v_" #name},
#define PA_VECTOR_MVEC2(name, ...) {#name, 2, "_ZGVbN2vv_" #name},
#define PA_VECTOR_OWN2(name) {#name, 2, NULL},
#include "runtime/vector/vector_math.def"
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

// The registers of each instruction set, and what a CPU needs for them. Smallest first.
static const struct {
  int bytes;
  const char *features; // NULL: every x86-64 CPU has it
} registers[] = {{16, NULL}, {32, "+avx2,+fma"}, {64, "+avx512f"}};

enum { REGISTERS = sizeof registers / sizeof *registers, VARIANTS = 2 * REGISTERS };

// What is known of one call's function.
typedef struct call_site {
  const vector_function *function;
  const char *callee;
  LLVMTypeRef element;
  bool is_f32;
} call_site;

//===-- Which functions there are -----------------------------------------------------------------===//

static bool is_available[FUNCTIONS];

// libmvec of glibc before 2.35 has six of the functions, other C libraries none.
static void find_available(void) {
  void *library = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL);
  for (int i = 0; i < FUNCTIONS; i++)
    is_available[i] = !functions[i].mvec || (library && dlsym(library, functions[i].mvec));
}

// |*out_is_f32| of "exp", "expf", "llvm.exp.f64" or "llvm.exp.f32".
static bool is_name_of(const char *callee, const char *name, bool *out_is_f32) {
  bool is_intrinsic = strncmp(callee, "llvm.", 5) == 0;
  size_t length = strlen(name);
  if (is_intrinsic) callee += 5;
  if (strncmp(callee, name, length)) return false;
  const char *end = callee + length;
  *out_is_f32 = strcmp(end, is_intrinsic ? ".f32" : "f") == 0;
  return *out_is_f32 || strcmp(end, is_intrinsic ? ".f64" : "") == 0;
}

static const vector_function *find_function(const char *callee, bool *out_is_f32) {
  for (int i = 0; i < FUNCTIONS; i++)
    if (is_available[i] && is_name_of(callee, functions[i].name, out_is_f32)) return &functions[i];
  return NULL;
}

//===-- Variants ----------------------------------------------------------------------------------===//

void pa_mark_as_math(LLVMContextRef context, LLVMValueRef function) {
  static const char *const attributes[] = {"nounwind", "willreturn", "nosync", "nofree", "memory"};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) { // memory(none) has the value 0
    unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, 0));
  }
}

static LLVMValueRef declare(LLVMModuleRef module, const call_site *site, const char *name, unsigned lanes,
                            bool masked) {
  LLVMValueRef found = LLVMGetNamedFunction(module, name);
  if (found) return found;
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef vector = LLVMVectorType(site->element, lanes), parameters[3] = {vector, vector};
  parameters[site->function->arity] = LLVMVectorType(LLVMInt1TypeInContext(context), lanes);
  LLVMTypeRef type = LLVMFunctionType(vector, parameters, (unsigned)site->function->arity + masked, false);
  LLVMValueRef function = LLVMAddFunction(module, name, type);
  pa_mark_as_math(context, function);
  return function;
}

// Appends "_ZGV_LLVM_N4v_llvm.exp.f64(pyarray_rt_exp_v4)" to |mapping|.
static LLVMValueRef add_variant(LLVMModuleRef module, const call_site *site, unsigned lanes, bool masked,
                                pa_string *mapping) {
  pa_string name = {0};
  pa_string_format(&name, "pyarray_rt_%s%s_v%u%s", site->function->name, site->is_f32 ? "f" : "", lanes,
                   masked ? "m" : "");
  if (mapping->length) pa_string_puts(mapping, ",");
  pa_string_format(mapping, "_ZGV_LLVM_%c%u%s_%s(%s)", masked ? 'M' : 'N', lanes,
                   site->function->arity == 2 ? "vv" : "v", site->callee, pa_string_text(&name));
  LLVMValueRef function = declare(module, site, pa_string_text(&name), lanes, masked);
  pa_string_free(&name);
  return function;
}

static void add_variants(LLVMModuleRef module, LLVMValueRef call, const call_site *site, int register_count) {
  static const char key[] = "vector-function-abi-variant";
  LLVMContextRef context = LLVMGetModuleContext(module);
  pa_string mapping = {0};
  for (int i = 0; i < register_count; i++)
    for (int masked = 0; masked < 2; masked++)
      add_variant(module, site, (unsigned)registers[i].bytes / (site->is_f32 ? 4 : 8), masked, &mapping);
  LLVMAttributeRef attribute =
      LLVMCreateStringAttribute(context, key, sizeof key - 1, pa_string_text(&mapping), (unsigned)mapping.length);
  LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, attribute);
  pa_string_free(&mapping);
}

// Keeps the declarations until the vectoriser asks for them. An object file has only those that are called.
static void keep_declarations(LLVMModuleRef module) {
  LLVMValueRef kept[FUNCTIONS * 2 * VARIANTS];
  unsigned count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(f))) == LLVMVectorTypeKind && LLVMIsDeclaration(f) &&
        !LLVMGetIntrinsicID(f) && count < sizeof kept / sizeof *kept)
      kept[count++] = f;
  if (!count || LLVMGetNamedGlobal(module, "llvm.compiler.used")) return;
  LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
  LLVMValueRef used = LLVMAddGlobal(module, LLVMArrayType2(pointer, count), "llvm.compiler.used");
  LLVMSetInitializer(used, LLVMConstArray2(pointer, kept, count));
  LLVMSetLinkage(used, LLVMAppendingLinkage);
  LLVMSetSection(used, "llvm.metadata");
}

//===-- Loops -------------------------------------------------------------------------------------===//

// LLVM would interleave several iterations of a loop with a call, which keeps their arguments and results in memory
// across the calls: up to a tenth of the time. The core overlaps the calls by itself.

enum { NEAR = 16 }; // a loop that can be vectorised has few blocks

static bool is_near_before(LLVMBasicBlockRef block, LLVMBasicBlockRef target) {
  for (int i = 0; i < NEAR && block; ++i, block = LLVMGetPreviousBasicBlock(block))
    if (block == target) return true;
  return false;
}

// The branch back to the start of the innermost loop around a block, or NULL. A loop's blocks lie together, its start
// first.
static LLVMValueRef branch_back(LLVMBasicBlockRef inside) {
  LLVMBasicBlockRef block = inside;
  for (int i = 0; i < NEAR && block; ++i, block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); ++k)
      if (is_near_before(inside, LLVMGetSuccessor(end, k))) return end;
  }
  return NULL;
}

static LLVMMetadataRef string_node(LLVMContextRef context, const char *text) {
  return LLVMMDStringInContext2(context, text, strlen(text));
}

// Adds a property to what is said of a loop: a node whose first operand is itself.
static void add_loop_property(LLVMContextRef context, LLVMValueRef branch, LLVMMetadataRef property) {
  enum { MOST = 8 };
  unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", 9), count = 1;
  LLVMValueRef old = LLVMGetMetadata(branch, kind), known[MOST];
  LLVMMetadataRef parts[MOST + 1], self = LLVMTemporaryMDNode(context, NULL, 0);
  if (old && LLVMGetMDNodeNumOperands(old) <= MOST) {
    count = LLVMGetMDNodeNumOperands(old);
    LLVMGetMDNodeOperands(old, known);
    for (unsigned i = 1; i < count; ++i) parts[i] = LLVMValueAsMetadata(known[i]);
  }
  parts[0] = self;
  parts[count++] = property;
  LLVMMetadataRef loop = LLVMMDNodeInContext2(context, parts, count);
  LLVMMetadataReplaceAllUsesWith(self, loop); // which releases |self|
  LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(context, loop));
}

static void keep_from_interleaving(LLVMModuleRef module, LLVMValueRef branch) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef one = LLVMConstInt(LLVMInt32TypeInContext(context), 1, false);
  LLVMMetadataRef parts[] = {string_node(context, "llvm.loop.interleave.count"), LLVMValueAsMetadata(one)};
  add_loop_property(context, branch, LLVMMDNodeInContext2(context, parts, 2));
}

// LLVM prefers registers of 32 bytes on CPUs that have some of 64, for the sake of the clock of the first of them. A
// vector function computes twice as many lanes in them for few more cycles.
static void prefer_widest(LLVMModuleRef module, LLVMValueRef function) {
  static const char key[] = "prefer-vector-width", width[] = "512";
  LLVMAttributeRef attribute =
      LLVMCreateStringAttribute(LLVMGetModuleContext(module), key, sizeof key - 1, width, sizeof width - 1);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

//===-- The walk ----------------------------------------------------------------------------------===//

static bool is_vectorisable(LLVMValueRef call, call_site *out_site) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return false;
  size_t length;
  call_site site = {.callee = LLVMGetValueName2(callee, &length), .element = LLVMTypeOf(call)};
  site.function = find_function(site.callee, &site.is_f32);
  if (!site.function || (int)LLVMGetNumArgOperands(call) != site.function->arity) return false;
  if (LLVMGetTypeKind(site.element) != (site.is_f32 ? LLVMFloatTypeKind : LLVMDoubleTypeKind)) return false;
  return *out_site = site, true;
}

static bool offer_in_function(LLVMModuleRef module, LLVMValueRef function, int register_count) {
  bool changed = false;
  call_site site;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    bool calls = false;
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (LLVMIsACallInst(op) && is_vectorisable(op, &site)) {
        add_variants(module, op, &site, register_count);
        calls = true;
      }
    LLVMValueRef branch = calls ? branch_back(block) : NULL;
    if (branch) keep_from_interleaving(module, branch);
    if (branch && register_count == REGISTERS) prefer_widest(module, function);
    changed |= calls;
  }
  return changed;
}

void pa_offer_vector_math(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_available);
  int register_count = 0;
  while (register_count < REGISTERS &&
         (!registers[register_count].features || pyarrayTargetHasFeatures(machine, registers[register_count].features)))
    register_count++;
  bool changed = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && offer_in_function(module, f, register_count)) changed = true;
  if (changed) keep_declarations(module);
}
