// Of pyarray-gpu-to-cpu: which values all threads of a block have alike.
//
// A value is divergent if it depends on the thread's index, on memory, or on control flow that does. All others are
// computed once for the block, and control flow on them needs no masks. Loops make this a fixpoint: everything is
// uniform until shown otherwise.
#include <string.h>

#include "lockstep.h"
#include "pyarray-c/Effects.h"

//===-- What operations are -----------------------------------------------------------------------===//

static MlirStringRef name_of(MlirOperation op) { return mlirIdentifierStr(mlirOperationGetName(op)); }

static MlirOperation callee_of(const pa_lockstep *lock, MlirOperation op) {
  MlirAttribute callee = pa_get_attr(op, "callee");
  if (pa_kind(&lock->names, op) != PA_OP_FUNC_CALL || mlirAttributeIsNull(callee)) return (MlirOperation){NULL};
  return pa_lookup(lock->kernels, mlirFlatSymbolRefAttrGetValue(callee));
}

bool pa_is_barrier(const pa_lockstep *lock, MlirOperation op) {
  (void)lock;
  return pa_ref_equal(name_of(op), "gpu.barrier");
}

const char *pa_sync_kind(const pa_lockstep *lock, MlirOperation op) {
  MlirOperation callee = callee_of(lock, op);
  if (mlirOperationIsNull(callee)) return NULL;
  return pa_attr_text(lock->arena, pa_get_attr(callee, "pyarray.sync"));
}

bool pa_is_for_block(const pa_lockstep *lock, MlirOperation op) {
  const char *sync = pa_sync_kind(lock, op);
  return pa_is_barrier(lock, op) || (sync && strcmp(sync, "warp") != 0);
}

// gpu.thread_id and gpu.lane_id are pure too, but never uniform.
bool pa_is_pure(const pa_lockstep *lock, MlirOperation op) {
  MlirOperation callee = callee_of(lock, op);
  if (!mlirOperationIsNull(callee)) return !mlirAttributeIsNull(pa_get_attr(callee, "llvm.readnone"));
  return mlirOperationGetNumRegions(op) == 0 && pyarrayOperationOnlyComputes(op);
}

bool pa_has_effect(const pa_lockstep *lock, MlirOperation op) {
  if (mlirOperationGetNumRegions(op) || pa_is_pure(lock, op)) return false;
  pyarray_effects effects = pyarrayOperationGetEffects(op);
  return effects.writes || effects.frees;
}

static bool is_thread_index(MlirOperation op) {
  return pa_ref_equal(name_of(op), "gpu.thread_id") || pa_ref_equal(name_of(op), "gpu.lane_id");
}

//===-- Synchronising operations ------------------------------------------------------------------===//

static bool mark_synchronising(pa_lockstep *lock, MlirBlock block) {
  bool any = false;
  PA_FOR_EACH_OP(op, block) {
    bool found =
        pa_is_barrier(lock, op) || pa_sync_kind(lock, op) || !mlirAttributeIsNull(pa_get_attr(op, "pyarray.lockstep"));
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) found |= mark_synchronising(lock, pa_body(op, r));
    if (found) pa_map_put(lock->arena, &lock->synchronising, op.ptr, op.ptr);
    any |= found;
  }
  return any;
}

//===-- Divergence --------------------------------------------------------------------------------===//

typedef struct search {
  pa_lockstep *lock;
  bool changed;
} search;

static void mark(search *s, MlirValue value) {
  if (pa_is_divergent(s->lock, value)) return;
  pa_map_put(s->lock->arena, &s->lock->divergent, value.ptr, (void *)value.ptr);
  s->changed = true;
}

static void mark_if(search *s, bool divergent, MlirValue value) {
  if (divergent) mark(s, value);
}

// Nested operations see values of outside, and their own, which are no more divergent than what they are made of.
static bool is_uniform_tree(const pa_lockstep *lock, MlirOperation op) {
  if (is_thread_index(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (pa_is_divergent(lock, mlirOperationGetOperand(op, i))) return false;
  if (mlirOperationGetNumRegions(op) == 0) return pa_is_pure(lock, op);
  pa_op_kind kind = pa_kind(&lock->names, op);
  if (kind != PA_OP_SCF_IF && kind != PA_OP_SCF_FOR) return false;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    if (mlirBlockIsNull(pa_body(op, r))) continue;
    PA_FOR_EACH_OP(inner, pa_body(op, r))
    if (!is_uniform_tree(lock, inner)) return false;
  }
  return true;
}

bool pa_is_uniform_op(const pa_lockstep *lock, MlirOperation op) {
  return !pa_is_synchronising(lock, op) && is_uniform_tree(lock, op);
}

static void visit_block(search *s, MlirBlock block);

static MlirValue yielded(MlirOperation op, intptr_t region, intptr_t number) {
  MlirBlock block = pa_body(op, region);
  return mlirOperationGetOperand(mlirBlockGetTerminator(block), number);
}

static void visit_if(search *s, MlirOperation op) {
  bool divergent = pa_is_divergent(s->lock, mlirOperationGetOperand(op, 0));
  visit_block(s, pa_body(op, 0));
  if (!mlirBlockIsNull(pa_body(op, 1))) visit_block(s, pa_body(op, 1));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    bool either = pa_is_divergent(s->lock, yielded(op, 0, i)) || pa_is_divergent(s->lock, yielded(op, 1, i));
    mark_if(s, divergent || either, mlirOperationGetResult(op, i));
  }
}

static void visit_for(search *s, MlirOperation op) {
  enum { BOUNDS = 3 };
  MlirBlock body = pa_body(op, 0);
  bool divergent = false;
  for (intptr_t i = 0; i < BOUNDS; ++i) divergent |= pa_is_divergent(s->lock, mlirOperationGetOperand(op, i));
  mark_if(s, divergent, mlirBlockGetArgument(body, 0));
  visit_block(s, body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i + 1);
    bool carried = pa_is_divergent(s->lock, mlirOperationGetOperand(op, BOUNDS + i)) ||
                   pa_is_divergent(s->lock, yielded(op, 0, i));
    mark_if(s, divergent || carried, argument);
    mark_if(s, pa_is_divergent(s->lock, argument), mlirOperationGetResult(op, i));
  }
}

static void visit_while(search *s, MlirOperation op) {
  MlirBlock before = pa_body(op, 0), after = pa_body(op, 1);
  visit_block(s, before);
  visit_block(s, after);
  bool divergent = pa_is_divergent(s->lock, yielded(op, 0, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(before); ++i) {
    bool carried =
        pa_is_divergent(s->lock, mlirOperationGetOperand(op, i)) || pa_is_divergent(s->lock, yielded(op, 1, i));
    mark_if(s, divergent || carried, mlirBlockGetArgument(before, i));
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    bool passed = divergent || pa_is_divergent(s->lock, yielded(op, 0, i + 1));
    mark_if(s, passed, mlirBlockGetArgument(after, i));
    mark_if(s, passed, mlirOperationGetResult(op, i));
  }
}

static void visit_block(search *s, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    if (!pa_is_synchronising(s->lock, op)) {
      bool uniform = pa_is_uniform_op(s->lock, op);
      for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) mark_if(s, !uniform, mlirOperationGetResult(op, i));
      continue;
    }
    pa_op_kind kind = pa_kind(&s->lock->names, op);
    if (kind == PA_OP_SCF_IF) visit_if(s, op);
    if (kind == PA_OP_SCF_FOR) visit_for(s, op);
    if (kind == PA_OP_SCF_WHILE) visit_while(s, op);
    const char *sync = pa_sync_kind(s->lock, op);
    for (intptr_t i = 0; sync && i < mlirOperationGetNumResults(op); ++i)
      mark_if(s, !pa_is_for_block(s->lock, op), mlirOperationGetResult(op, i));
  }
}

bool pa_is_divergent_branch(const pa_lockstep *lock, MlirOperation op) {
  enum { BOUNDS = 3 };
  switch (pa_kind(&lock->names, op)) {
  case PA_OP_SCF_IF: return pa_is_divergent(lock, mlirOperationGetOperand(op, 0));
  case PA_OP_SCF_WHILE: return pa_is_divergent(lock, yielded(op, 0, 0));
  case PA_OP_SCF_FOR:
    for (intptr_t i = 0; i < BOUNDS; ++i)
      if (pa_is_divergent(lock, mlirOperationGetOperand(op, i))) return true;
    return false;
  default: return false;
  }
}

void pa_find_uniform(pa_lockstep *lock) {
  mark_synchronising(lock, pa_body(lock->kernel, 0));
  search s = {lock, true};
  while (s.changed) {
    s.changed = false;
    visit_block(&s, pa_body(lock->kernel, 0));
  }
}
