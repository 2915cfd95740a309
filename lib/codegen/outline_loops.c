#include "outline_loops.h"

#include <stdlib.h>

#include "llvm-c/Core.h"

// Levels of loops within each other that are long.
enum { MOST_ROUNDS = 4 };

static bool is_long(LLVMValueRef function) { return LLVMCountBasicBlocks(function) > PA_CODEGEN_LONG_FUNCTION; }

static size_t count_functions(LLVMModuleRef module) {
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) ++count;
  return count;
}

bool pa_has_long_function(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (is_long(f)) return true;
  return false;
}

//===-- Which functions ---------------------------------------------------------------------------===//

static unsigned kind_of(const char *name, size_t length) { return LLVMGetEnumAttributeKindForName(name, length); }

static bool has(LLVMValueRef function, unsigned kind) {
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

static void add(LLVMContextRef context, LLVMValueRef value, unsigned index, unsigned kind) {
  LLVMAddAttributeAtIndex(value, index, LLVMCreateEnumAttribute(context, kind, 0));
}

// Memory that a loop makes would end with the loop's function.
static bool has_late_memory(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(function)); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (LLVMIsAAllocaInst(op)) return true;
  return false;
}

// LLVM's pass leaves alone what is marked optnone, which noinline has to go with. |marked| has room for all functions;
// gives how many it holds.
static size_t keep_others(const pa_llvm_module *llvm, LLVMValueRef *marked) {
  unsigned optnone = kind_of("optnone", 7), noinline_ = kind_of("noinline", 8);
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || has(f, optnone) || (is_long(f) && !has_late_memory(f))) continue;
    marked[count++] = f;
    add(llvm->context, f, LLVMAttributeFunctionIndex, optnone);
    add(llvm->context, f, LLVMAttributeFunctionIndex, noinline_);
  }
  return count;
}

// No pass inlines behind this one, so noinline may go as well.
static void unmark(LLVMValueRef *marked, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    LLVMRemoveEnumAttributeAtIndex(marked[i], LLVMAttributeFunctionIndex, kind_of("optnone", 7));
    LLVMRemoveEnumAttributeAtIndex(marked[i], LLVMAttributeFunctionIndex, kind_of("noinline", 8));
  }
}

//===-- What a loop leaves behind -----------------------------------------------------------------===//

static bool is_lifetime(LLVMValueRef user) {
  if (!LLVMIsACallInst(user)) return false;
  LLVMValueRef callee = LLVMGetCalledValue(user);
  unsigned id = callee && LLVMIsAFunction(callee) ? LLVMGetIntrinsicID(callee) : 0;
  return id && (id == LLVMLookupIntrinsicID("llvm.lifetime.start", 19) ||
                id == LLVMLookupIntrinsicID("llvm.lifetime.end", 17));
}

// Whether |memory| is stack memory that |call| is given, and nothing else knows of while |call| runs.
static bool is_given_to(LLVMValueRef call, LLVMValueRef memory) {
  int times = 0;
  if (!LLVMIsAAllocaInst(memory)) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(memory); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user == call)
      ++times;
    else if (!LLVMIsALoadInst(user) && !is_lifetime(user))
      return false;
  }
  return times == 1;
}

// The only call of an internal function, or NULL.
static LLVMValueRef only_call(LLVMValueRef function) {
  LLVMUseRef use = LLVMGetFirstUse(function);
  if (LLVMGetLinkage(function) != LLVMInternalLinkage || !use || LLVMGetNextUse(use)) return NULL;
  LLVMValueRef call = LLVMGetUser(use);
  return LLVMIsACallInst(call) && LLVMGetCalledValue(call) == function ? call : NULL;
}

// So that what the loop computes is stored where it ends, and not in each round.
static void mark_results(LLVMContextRef context, LLVMValueRef function) {
  LLVMValueRef call = only_call(function);
  if (!call) return;
  for (unsigned i = 0; i < LLVMCountParams(function); ++i)
    if (is_given_to(call, LLVMGetOperand(call, i))) add(context, function, i + 1, kind_of("noalias", 7));
}

//===-- The whole ---------------------------------------------------------------------------------===//

static pa_status outline(pa_llvm_module *llvm, LLVMTargetMachineRef machine) {
  LLVMValueRef *marked = malloc(count_functions(llvm->module) * sizeof *marked);
  if (!marked) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  size_t count = keep_others(llvm, marked);
  pa_status status = pa_llvm_run(llvm, machine, "function(loop-simplify),loop-extract");
  if (!status) unmark(marked, count);
  free(marked);
  return status;
}

pa_status pa_outline_loops(pa_llvm_module *llvm, LLVMTargetMachineRef machine) {
  for (int round = 0; round < MOST_ROUNDS && pa_has_long_function(llvm->module); ++round) {
    size_t before = count_functions(llvm->module);
    PA_TRY(outline(llvm, machine));
    if (count_functions(llvm->module) == before) break;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) mark_results(llvm->context, f);
  return PA_OK;
}
