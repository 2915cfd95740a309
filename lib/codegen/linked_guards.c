// Linked code on the CPU: what would end the process there ends the call with a failure, which the kernel raises.
//
//   define internal i32 @linked.f(ptr %r, i32 %n) {        define internal i32 @linked.f(ptr %r, i32 %n) {
//     %a = alloca [100000 x double]                          call i64 @pyarray_rt_linked_stack(i64 512)
//     %b = call i32 @linked.f(ptr %r, i32 %n)     ->         %size = call i64 @pyarray_rt_linked_stack(i64 800016)
//     call void @llvm.trap()                                 %a = alloca i8, i64 %size
//     unreachable                                            %b = call i32 @linked.f(ptr %r, i32 %n)
//                                                            call void @pyarray_rt_linked_abort()
//
// These functions of the runtime do not return where there is a failure: they go back to the kernel's call, which is
// made by pyarray_rt_linked_call (lib/runtime/cuda/linked_code.c). C has nothing to release on the way. After its call
// the kernel asks whether it has failed, by a declaration of its own for each declared function (PA_LINKED_FAILURE);
// where the function cannot fail the answer is no, and calls stay as they are.
#include "linked.h"

#include <string.h>

#include "support/linked.h"
#include "support/map.h"
#include "llvm-c/Core.h"

// Bytes of the stack, without |NEED_MOST| of which there are no checks: the runtime keeps more in reserve
// (pyarray_rt_stack_limit).
enum { NEED_MOST = 16 * 1024, LARGE_VARIABLE = 4096, MEDIUM_VARIABLE = 256, LARGE_FRAME = 8 * 1024, FRAME_LEAST = 64 };

// A function of linked code.
typedef struct code {
  LLVMValueRef function;
  struct code **callees; // of linked code
  size_t callee_count, callee_capacity;
  bool calls_unknown;  // by pointer, or what may call back by one
  bool has_address;    // taken: it may be called by one
  bool is_recursive;   // it calls itself
  bool can_end;        // traps, or has variables that are checked
  bool may_fail;       // itself, or what it calls
  int64_t frame, need; // bytes: its own; with those of what it calls, up to their checks
  bool is_checked;     // it begins with a check for |need|
  int number, lowest;  // in the search for cycles; 0: not yet met
  bool is_open;        // on the search's stack
} code;

typedef struct guards {
  pa_llvm_module *llvm;
  LLVMBuilderRef builder;
  LLVMTypeRef i64, pointer, none;
  pa_arena arena;
  pa_map codes; // by function
  code **all, **open;
  size_t count, capacity, open_count, open_capacity;
  int numbered;
} guards;

static code *code_of(const guards *g, LLVMValueRef function) { return pa_map_get(&g->codes, function); }

static LLVMValueRef runtime_function(guards *g, const char *name, LLVMTypeRef type) {
  LLVMValueRef found = LLVMGetNamedFunction(g->llvm->module, name);
  return found ? found : LLVMAddFunction(g->llvm->module, name, type);
}

#define FOR_EACH_INSTRUCTION(op, function)                                                                             \
  for (LLVMBasicBlockRef block_ = LLVMGetFirstBasicBlock(function); block_; block_ = LLVMGetNextBasicBlock(block_))    \
    for (LLVMValueRef op = LLVMGetFirstInstruction(block_), next_; op && (next_ = LLVMGetNextInstruction(op), true);   \
         op = next_)

//===-- What functions do -------------------------------------------------------------------------===//

static LLVMValueRef callee_of(LLVMValueRef op) { return LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL; }

static bool is_named(LLVMValueRef function, const char *start) {
  size_t length;
  return strncmp(LLVMGetValueName2(function, &length), start, strlen(start)) == 0;
}

static bool is_trap(LLVMValueRef callee) {
  return callee && LLVMIsAFunction(callee) &&
         (is_named(callee, "llvm.trap") || is_named(callee, "llvm.ubsantrap") || is_named(callee, "llvm.debugtrap"));
}

static bool is_ending(LLVMValueRef callee) {
  return callee && LLVMIsAFunction(callee) &&
         (is_named(callee, "pyarray_rt_linked_abort") || is_named(callee, "pyarray_rt_linked_assert"));
}

static bool does_not_return(LLVMValueRef op) {
  unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
  LLVMValueRef callee = op ? callee_of(op) : NULL;
  return callee && (is_ending(callee) || LLVMGetCallSiteEnumAttribute(op, LLVMAttributeFunctionIndex, kind) ||
                    (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind)));
}

static int64_t size_of(const guards *g, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) ? (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(g->llvm->module), type) : 0;
}

static bool is_in_entry(LLVMValueRef op) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(op);
  return block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

// Bytes of a variable of the function's frame; -1: more than any frame has, or a number that is not known.
static int64_t bytes_of(const guards *g, LLVMValueRef variable) {
  LLVMValueRef count = LLVMGetOperand(variable, 0);
  int64_t size = size_of(g, LLVMGetAllocatedType(variable));
  if (!LLVMIsAConstantInt(count) || !is_in_entry(variable)) return -1;
  uint64_t times = LLVMConstIntGetZExtValue(count);
  return size > INT32_MAX || times > INT32_MAX ? -1 : size * (int64_t)times;
}

// Variables of fewer bytes lie in the frame, unchecked.
static int64_t checked_from(const guards *g, LLVMValueRef function) {
  int64_t total = 0;
  FOR_EACH_INSTRUCTION(op, function)
  if (LLVMIsAAllocaInst(op) && bytes_of(g, op) > 0 && bytes_of(g, op) < LARGE_VARIABLE) total += bytes_of(g, op);
  return total > LARGE_FRAME ? MEDIUM_VARIABLE : LARGE_VARIABLE;
}

// Its address is used otherwise than to call it.
static bool has_address(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); ++i)
      if (LLVMGetOperand(user, i) == function) return true;
  }
  return false;
}

static void note_call(guards *g, code *c, LLVMValueRef callee) {
  code *known = LLVMIsAFunction(callee) ? code_of(g, callee) : NULL;
  if (known) {
    c->callees = pa_arena_grow(&g->arena, c->callees, c->callee_count, &c->callee_capacity, sizeof *c->callees);
    c->callees[c->callee_count++] = known;
  } else if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee)) {
    c->calls_unknown = true;
  }
}

// What the values take if all of them have to lie in memory, variables that are not checked, and arguments.
static void survey(guards *g, code *c) {
  int64_t most = checked_from(g, c->function), by_value = 0;
  c->frame = FRAME_LEAST;
  c->has_address = has_address(c->function);
  FOR_EACH_INSTRUCTION(op, c->function) {
    LLVMValueRef callee = callee_of(op);
    if (LLVMIsAAllocaInst(op)) {
      int64_t bytes = bytes_of(g, op);
      c->can_end |= bytes < 0 || bytes >= most;
      if (bytes >= 0 && bytes < most) c->frame += bytes;
    } else {
      c->frame += LLVMGetTypeKind(LLVMTypeOf(op)) == LLVMVoidTypeKind ? 0 : size_of(g, LLVMTypeOf(op));
    }
    int64_t copied = pa_bytes_by_value(op, LLVMGetModuleDataLayout(g->llvm->module));
    if (copied > by_value) by_value = copied;
    if (callee && !is_trap(callee) && !is_ending(callee)) note_call(g, c, callee);
    c->can_end |= is_trap(callee) || is_ending(callee) ||
                  (LLVMIsAUnreachableInst(op) && !does_not_return(LLVMGetPreviousInstruction(op)));
  }
  c->frame += by_value;
}

static void collect(guards *g) {
  for (LLVMValueRef f = LLVMGetFirstFunction(g->llvm->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !pa_linked_attribute(f, PA_LINKED_CODE)) continue;
    g->all = pa_arena_grow(&g->arena, g->all, g->count, &g->capacity, sizeof *g->all);
    g->all[g->count++] = PA_NEW(&g->arena, code);
    g->all[g->count - 1]->function = f;
    pa_map_put(&g->arena, &g->codes, f, g->all[g->count - 1]);
  }
  for (size_t i = 0; i < g->count; ++i) survey(g, g->all[i]);
}

//===-- Cycles, callees first (Tarjan) ------------------------------------------------------------===//

static void search(guards *g, code *c);

static void follow(guards *g, code *c, code *callee) {
  if (callee == c) c->is_recursive = true;
  if (!callee->number) search(g, callee);
  if (callee->is_open && callee->lowest < c->lowest) c->lowest = callee->lowest;
}

static void follow_all(guards *g, code *c) {
  for (size_t i = 0; i < c->callee_count; ++i) follow(g, c, c->callees[i]);
  for (size_t i = 0; c->calls_unknown && i < g->count; ++i)
    if (g->all[i]->has_address) follow(g, c, g->all[i]);
}

static void count_callee(code *c, const code *callee) {
  c->may_fail |= callee->may_fail;
  if (!callee->is_checked && callee->need > c->need) c->need = callee->need;
}

// A function that needs too much with what it calls begins with a check; who calls it need not count that.
static void add_needs_of_callees(guards *g, code *c) {
  for (size_t i = 0; i < c->callee_count; ++i) count_callee(c, c->callees[i]);
  for (size_t i = 0; c->calls_unknown && i < g->count; ++i)
    if (g->all[i]->has_address) count_callee(c, g->all[i]);
  c->need += c->frame;
  c->is_checked |= c->need > NEED_MOST;
  c->may_fail |= c->can_end || c->is_checked;
}

static void close_cycle(guards *g, code *c) {
  size_t first = g->open_count;
  while (g->open[--first] != c) {
  }
  bool may_fail = false;
  for (size_t i = first; i < g->open_count; ++i) g->open[i]->is_checked = c->is_recursive || g->open_count - first > 1;
  for (size_t i = g->open_count; i-- > first;) {
    add_needs_of_callees(g, g->open[i]);
    may_fail |= g->open[i]->may_fail;
  }
  for (size_t i = first; i < g->open_count; ++i) {
    g->open[i]->may_fail = may_fail;
    g->open[i]->is_open = false;
  }
  g->open_count = first;
}

static void search(guards *g, code *c) {
  c->number = c->lowest = ++g->numbered;
  c->is_open = true;
  g->open = pa_arena_grow(&g->arena, g->open, g->open_count, &g->open_capacity, sizeof *g->open);
  g->open[g->open_count++] = c;
  follow_all(g, c);
  if (c->lowest == c->number) close_cycle(g, c);
}

//===-- Checks ------------------------------------------------------------------------------------===//

static LLVMValueRef check_stack(guards *g, LLVMValueRef bytes) {
  LLVMTypeRef type = LLVMFunctionType(g->i64, &g->i64, 1, false);
  return LLVMBuildCall2(g->builder, type, runtime_function(g, "pyarray_rt_linked_stack", type), &bytes, 1, "");
}

// As a number of 64 bits, all ones where it is larger.
static LLVMValueRef variable_bytes(guards *g, LLVMValueRef variable) {
  uint64_t size = (uint64_t)size_of(g, LLVMGetAllocatedType(variable)), most = size ? INT64_MAX / size : INT64_MAX;
  LLVMValueRef count = LLVMBuildZExtOrBitCast(g->builder, LLVMGetOperand(variable, 0), g->i64, "");
  LLVMValueRef fits = LLVMBuildICmp(g->builder, LLVMIntULE, count, LLVMConstInt(g->i64, most, false), "");
  LLVMValueRef bytes = LLVMBuildMul(g->builder, count, LLVMConstInt(g->i64, size, false), "");
  return LLVMBuildSelect(g->builder, fits, bytes, LLVMConstAllOnes(g->i64), "");
}

// It comes out of the frame: its size is what the check gives back, which is not known before it is made.
static void check_variable(guards *g, LLVMValueRef variable) {
  LLVMPositionBuilderBefore(g->builder, variable);
  LLVMTypeRef byte = LLVMInt8TypeInContext(g->llvm->context);
  LLVMValueRef made = LLVMBuildArrayAlloca(g->builder, byte, check_stack(g, variable_bytes(g, variable)), "");
  LLVMSetAlignment(made, LLVMGetAlignment(variable));
  LLVMReplaceAllUsesWith(variable, made);
  LLVMInstructionEraseFromParent(variable);
}

static void end_here(guards *g, LLVMValueRef before) {
  LLVMTypeRef type = LLVMFunctionType(g->none, NULL, 0, false);
  LLVMPositionBuilderBefore(g->builder, before);
  LLVMBuildCall2(g->builder, type, runtime_function(g, "pyarray_rt_linked_abort", type), NULL, 0, "");
}

// Before anything else of the function.
static void check_entry(guards *g, const code *c) {
  LLVMPositionBuilderBefore(g->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(c->function)));
  check_stack(g, LLVMConstInt(g->i64, (uint64_t)c->need, false));
}

// clang has found out what is no longer so: that it always comes back, that it does nothing but return a number.
static void forget_facts(const code *c) {
  static const char *const facts[] = {"memory", "willreturn", "nosync", "mustprogress", "speculatable", "norecurse"};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
    unsigned kind = LLVMGetEnumAttributeKindForName(facts[i], strlen(facts[i]));
    LLVMRemoveEnumAttributeAtIndex(c->function, LLVMAttributeFunctionIndex, kind);
    FOR_EACH_INSTRUCTION(op, c->function)
    if (LLVMIsACallInst(op)) LLVMRemoveCallSiteEnumAttribute(op, LLVMAttributeFunctionIndex, kind);
  }
}

static void guard(guards *g, const code *c) {
  int64_t most = checked_from(g, c->function);
  forget_facts(c);
  FOR_EACH_INSTRUCTION(op, c->function) {
    if (LLVMIsAAllocaInst(op) && (bytes_of(g, op) < 0 || bytes_of(g, op) >= most)) {
      check_variable(g, op);
    } else if (is_trap(callee_of(op))) {
      end_here(g, op);
      LLVMInstructionEraseFromParent(op);
    } else if (LLVMIsAUnreachableInst(op) && !does_not_return(LLVMGetPreviousInstruction(op))) {
      end_here(g, op);
    }
  }
  if (c->is_checked) check_entry(g, c);
}

//===-- Divisions ---------------------------------------------------------------------------------===//

// The CPU ends the process where the divisor is 0, or the quotient is too large. A GPU gives some number: here, what a
// division of unsigned numbers gives on it, and the dividend.
static void bound_division(guards *g, LLVMValueRef op, LLVMOpcode opcode) {
  LLVMValueRef dividend = LLVMGetOperand(op, 0), divisor = LLVMGetOperand(op, 1);
  LLVMTypeRef type = LLVMTypeOf(op);
  LLVMValueRef zero = LLVMConstNull(type), ones = LLVMConstAllOnes(type);
  LLVMPositionBuilderBefore(g->builder, op);
  LLVMValueRef is_zero = LLVMBuildICmp(g->builder, LLVMIntEQ, divisor, zero, ""), is_special = is_zero;
  if (opcode == LLVMSDiv || opcode == LLVMSRem)
    is_special = LLVMBuildOr(g->builder, is_zero, LLVMBuildICmp(g->builder, LLVMIntEQ, divisor, ones, ""), "");
  // Any divisor will do that divides: the result is not used.
  LLVMValueRef two = LLVMBuildSub(g->builder, zero, LLVMBuildAdd(g->builder, ones, ones, ""), "");
  LLVMValueRef safe = LLVMBuildSelect(g->builder, is_special, two, divisor, "");
  LLVMValueRef made = LLVMBuildBinOp(g->builder, opcode, dividend, safe, "");
  bool quotient = opcode == LLVMSDiv || opcode == LLVMUDiv;
  LLVMValueRef by_ones = quotient ? LLVMBuildSub(g->builder, zero, dividend, "") : zero;
  if (is_special != is_zero) made = LLVMBuildSelect(g->builder, is_special, by_ones, made, "");
  made = LLVMBuildSelect(g->builder, is_zero, quotient ? ones : dividend, made, "");
  LLVMReplaceAllUsesWith(op, made);
  LLVMInstructionEraseFromParent(op);
}

static void bound_divisions(guards *g, LLVMValueRef function) {
  FOR_EACH_INSTRUCTION(op, function) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
    bool divides = opcode == LLVMSDiv || opcode == LLVMUDiv || opcode == LLVMSRem || opcode == LLVMURem;
    if (!divides) continue;
    LLVMValueRef divisor = LLVMGetOperand(op, 1);
    bool known = LLVMIsAConstantInt(divisor) && !LLVMIsNull(divisor) && LLVMConstIntGetSExtValue(divisor) != -1;
    if (!known) bound_division(g, op, opcode);
  }
}

//===-- The kernel's calls ------------------------------------------------------------------------===//

// { result, arguments }; without a result, a byte stands for it.
static LLVMTypeRef frame_type(guards *g, LLVMTypeRef function) {
  unsigned count = LLVMCountParamTypes(function);
  LLVMTypeRef *parts = PA_NEW_ARRAY(&g->arena, LLVMTypeRef, count + 1), result = LLVMGetReturnType(function);
  parts[0] = LLVMGetTypeKind(result) == LLVMVoidTypeKind ? LLVMInt8TypeInContext(g->llvm->context) : result;
  LLVMGetParamTypes(function, parts + 1);
  return LLVMStructTypeInContext(g->llvm->context, parts, count + 1, false);
}

// define internal void @linked.f.call(ptr %frame): calls the function with the arguments in the frame.
static LLVMValueRef make_caller(guards *g, LLVMValueRef function, LLVMTypeRef called, LLVMTypeRef frame) {
  LLVMTypeRef type = LLVMFunctionType(g->none, &g->pointer, 1, false);
  LLVMValueRef caller = LLVMAddFunction(g->llvm->module, "linked.call", type), at = LLVMGetParam(caller, 0);
  unsigned count = LLVMCountParamTypes(called);
  LLVMValueRef *arguments = PA_NEW_ARRAY(&g->arena, LLVMValueRef, count + 1);
  LLVMSetLinkage(caller, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(g->builder, LLVMAppendBasicBlockInContext(g->llvm->context, caller, ""));
  for (unsigned i = 0; i < count; ++i)
    arguments[i] = LLVMBuildLoad2(g->builder, LLVMStructGetTypeAtIndex(frame, i + 1),
                                  LLVMBuildStructGEP2(g->builder, frame, at, i + 1, ""), "");
  LLVMValueRef result = LLVMBuildCall2(g->builder, called, function, arguments, count, "");
  if (LLVMGetTypeKind(LLVMTypeOf(result)) != LLVMVoidTypeKind)
    LLVMBuildStore(g->builder, result, LLVMBuildStructGEP2(g->builder, frame, at, 0, ""));
  LLVMBuildRetVoid(g->builder);
  return caller;
}

static void call_guarded(guards *g, LLVMValueRef call, LLVMValueRef function) {
  LLVMTypeRef called = LLVMGetCalledFunctionType(call), frame = frame_type(g, called);
  LLVMTypeRef parameters[] = {g->pointer, g->pointer}, type = LLVMFunctionType(g->none, parameters, 2, false);
  LLVMValueRef caller = make_caller(g, function, called, frame);
  LLVMValueRef within = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMPositionBuilderBefore(g->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(within)));
  LLVMValueRef memory = LLVMBuildAlloca(g->builder, frame, "");
  LLVMPositionBuilderBefore(g->builder, call);
  for (unsigned i = 0; i < LLVMCountParamTypes(called); ++i)
    LLVMBuildStore(g->builder, LLVMGetOperand(call, i), LLVMBuildStructGEP2(g->builder, frame, memory, i + 1, ""));
  LLVMBuildCall2(g->builder, type, runtime_function(g, "pyarray_rt_linked_call", type),
                 (LLVMValueRef[]){caller, memory}, 2, "");
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    LLVMReplaceAllUsesWith(
        call, LLVMBuildLoad2(g->builder, LLVMTypeOf(call), LLVMBuildStructGEP2(g->builder, frame, memory, 0, ""), ""));
  LLVMInstructionEraseFromParent(call);
}

static void guard_calls(guards *g, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function) continue;
    LLVMValueRef within = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    bool ours = !pa_linked_attribute(within, PA_LINKED_CODE);
    if (ours) call_guarded(g, call, function);
  }
}

// Whether the declared function has failed in the call before: where it cannot, 0.
static void answer(guards *g, LLVMValueRef question, const char *name) {
  LLVMValueRef function =
      LLVMGetNamedFunction(g->llvm->module, pa_arena_format(&g->arena, "%s%s", PA_LINKED_PREFIX, name));
  const code *known = function ? code_of(g, function) : NULL;
  if (known && known->may_fail) {
    LLVMReplaceAllUsesWith(question,
                           runtime_function(g, "pyarray_rt_linked_failure", LLVMGlobalGetValueType(question)));
  } else {
    while (LLVMGetFirstUse(question)) {
      LLVMValueRef call = LLVMGetUser(LLVMGetFirstUse(question));
      LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
      LLVMInstructionEraseFromParent(call);
    }
  }
  LLVMDeleteFunction(question);
}

//===-- Steps in order ----------------------------------------------------------------------------===//

static void guard_all(guards *g) {
  collect(g);
  for (size_t i = 0; i < g->count; ++i)
    if (!g->all[i]->number) search(g, g->all[i]);
  for (size_t i = 0; i < g->count; ++i) {
    bound_divisions(g, g->all[i]->function);
    if (g->all[i]->may_fail) guard(g, g->all[i]);
  }
  for (size_t i = 0; i < g->count; ++i)
    if (g->all[i]->may_fail) guard_calls(g, g->all[i]->function);
}

void pa_guard_linked(pa_llvm_module *llvm, bool host) {
  LLVMContextRef context = llvm->context;
  guards g = {.llvm = llvm,
              .builder = LLVMCreateBuilderInContext(context),
              .i64 = LLVMInt64TypeInContext(context),
              .pointer = LLVMPointerTypeInContext(context, 0),
              .none = LLVMVoidTypeInContext(context)};
  if (host) guard_all(&g);
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    const char *name = pa_linked_attribute(f, PA_LINKED_FAILURE);
    if (name) answer(&g, f, name);
  }
  LLVMDisposeBuilder(g.builder);
  pa_arena_free(&g.arena);
}
