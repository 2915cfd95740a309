// pyarray-version-segments: loops over the threads of a block without bounds checks, where they are seen to hold before
// the loop.
//
// Enters: the target level for the CPU in place of a GPU (pyarray-gpu-to-cpu, then canonicalize). Leaves: the same
// level.
//
//   scf.for %z ... { scf.for %y ... { scf.for %x = %c0 to %extent ... {
//     %i = arith.addi %base, %x
//     %out = arith.cmpi uge, %i, %size
//     scf.if %out { func.call @pyarray_rt_raise_values(...) }         // declared pyarray.noreturn
//     ...
//   } } } {pyarray.segment}
// becomes
//   %within = ... %base >= 0 and %base + %extent - 1 < %size ...
//   scf.if %within { the loops without checks } else { the loops as they were }
//
// An index is bounded by intervals: those of threads and of counted loops, narrowed by the conditions that it stands
// under, such as `if i < n`. Their ends are computed at run time, from values that all threads have alike. Where every
// such condition is seen to hold for every thread, there is a third version, without them. Loops with a check that
// cannot be bounded stay as they are: one check that is left would keep LLVM from vectorising them.
#include <string.h>

#include "ir/blocks.h"
#include "ir/ir.h"
#include "pass.h"
#include "segment_intervals.h"

typedef struct versioning {
  pa_arena *arena;
  MlirOperation module, nest;
  pa_bounding bounding;
  pa_map dropped;    // checks: operation -> itself
  pa_map conditions; // other scf.ifs: operation -> itself
  bool has_guards;   // there are such
  bool hopeless;     // a check cannot be bounded
} versioning;

//===-- The loops ---------------------------------------------------------------------------------===//

static bool raises(const versioning *v, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    if (!pa_op_is(op, PA_OP_NAME(FUNC_CALL))) continue;
    MlirOperation callee = pa_lookup(v->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee")));
    if (!mlirOperationIsNull(callee) && !mlirAttributeIsNull(pa_get_attr(callee, "pyarray.noreturn"))) return true;
  }
  return false;
}

static void visit_check(versioning *v, MlirOperation check) {
  v->hopeless = !pa_bound_check(&v->bounding, check);
  pa_map_put(v->arena, &v->dropped, check.ptr, check.ptr);
}

static void visit_block(versioning *v, MlirBlock block);

static void visit_if(versioning *v, MlirOperation op) {
  MlirValue condition = mlirOperationGetOperand(op, 0);
  pa_thread_index outer[PA_THREAD_LOOPS];
  memcpy(outer, v->bounding.threads, sizeof outer);
  v->has_guards = true;
  pa_map_put(v->arena, &v->conditions, op.ptr, op.ptr);
  pa_bound_condition(&v->bounding, condition);
  visit_block(v, pa_body(op, 0));
  memcpy(v->bounding.threads, outer, sizeof outer);
  if (!mlirBlockIsNull(pa_body(op, 1))) visit_block(v, pa_body(op, 1));
}

static void visit_block(versioning *v, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    if (v->hopeless || pa_failed(&v->bounding.at)) return;
    if (pa_op_is(op, PA_OP_NAME(SCF_IF)) && raises(v, pa_body(op, 0)))
      visit_check(v, op);
    else if (pa_op_is(op, PA_OP_NAME(SCF_IF)))
      visit_if(v, op);
    else
      for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
        if (!mlirBlockIsNull(pa_body(op, r))) visit_block(v, pa_body(op, r));
  }
}

static pa_op_list operations_of(versioning *v, MlirOperation op) {
  return pa_ops_within(v->arena, op, MlirWalkPostOrder); // inner ones first: a check goes after what it holds
}

// At |to|: the loops without checks, and without conditions if |unguarded|.
static void emit_version(versioning *v, pa_builder *to, bool unguarded) {
  MlirOperation copy = mlirOperationClone(v->nest);
  mlirBlockAppendOwnedOperation(to->block, copy);
  pa_op_list from = operations_of(v, v->nest), made = operations_of(v, copy);
  pa_builder here = *to;
  here.before = copy;
  MlirValue yes = unguarded ? pa_constant_int(&here, v->bounding.i1, 1) : (MlirValue){NULL};
  pa_take_failure(to, &here);
  for (size_t i = 0; i < from.count && !pa_failed(to); ++i) {
    if (pa_map_get(&v->dropped, from.items[i].ptr))
      mlirOperationDestroy(made.items[i]);
    else if (unguarded && pa_map_get(&v->conditions, from.items[i].ptr))
      mlirOperationSetOperand(made.items[i], 0, yes);
  }
}

// A region with the versions in which checks are known to hold.
static MlirRegion checked_versions(versioning *v) {
  pa_builder inside, all, some;
  MlirRegion region = pa_inner_region(&v->bounding.at, NULL, 0, &inside);
  if (v->has_guards && !v->bounding.open_guards) {
    MlirRegion unguarded = pa_inner_region(&inside, NULL, 0, &all), guarded = pa_inner_region(&inside, NULL, 0, &some);
    emit_version(v, &all, true);
    emit_version(v, &some, false);
    pa_op(&all, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
    pa_op(&some, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
    pa_take_failure(&inside, &all);
    pa_take_failure(&inside, &some);
    pa_op(&inside, PA_OP_NAME(SCF_IF), PA_OPERANDS(v->bounding.guards), PA_REGIONS(unguarded, guarded));
  } else {
    emit_version(v, &inside, false);
  }
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(&v->bounding.at, &inside);
  return region;
}

// Loops that are hardly ever run are not worth LLVM's time.
static void keep_small(versioning *v, MlirOperation nest) {
  MlirAttribute plain = mlirAttributeParseGet(
      v->bounding.context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"));
  pa_op_list all = operations_of(v, nest);
  for (size_t i = 0; i < all.count; ++i)
    if (pa_op_is(all.items[i], PA_OP_NAME(SCF_FOR))) pa_set_attr(all.items[i], "loop_annotation", plain);
}

static pa_status version(pa_pass_context *context, MlirOperation module, MlirOperation nest) {
  versioning v = {.arena = context->arena, .module = module, .nest = nest};
  pa_builder *at = &v.bounding.at;
  if (!pa_bounding_begin(&v.bounding, context->arena, nest)) return at->failure;
  visit_block(&v, pa_body(nest, 0));
  if (v.hopeless || at->failure) return at->failure;
  bool any = false;
  pa_op_list all = operations_of(&v, nest);
  for (size_t i = 0; i < all.count; ++i) any |= pa_map_get(&v.dropped, all.items[i].ptr) != NULL;
  bool shared = !mlirAttributeIsNull(pa_get_attr(mlirOperationGetParentOperation(nest), "pyarray.lockstep"));
  if (!any && !(shared && v.has_guards && !v.bounding.open_guards)) return PA_OK;
  pa_builder slow;
  MlirRegion fast = checked_versions(&v), slow_region = pa_inner_region(at, NULL, 0, &slow);
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(v.bounding.checks), PA_REGIONS(fast, slow_region));
  keep_small(&v, nest);
  mlirOperationRemoveFromParent(nest);
  mlirBlockAppendOwnedOperation(slow.block, nest);
  slow.before = (MlirOperation){NULL};
  pa_op(&slow, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &slow);
  return at->failure;
}

static MlirWalkResult find_nests(MlirOperation op, void *data) {
  if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.segment"))) pa_op_list_add(data, op);
  return MlirWalkResultAdvance;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_op_list nests = {.arena = context->arena};
  mlirOperationWalk(module, find_nests, &nests, MlirWalkPreOrder);
  for (size_t i = 0; i < nests.count; ++i) {
    mlirOperationRemoveAttributeByName(nests.items[i], pa_ref("pyarray.segment"));
    PA_TRY(version(context, module, nests.items[i]));
  }
  return PA_OK;
}

const pa_pass pa_pass_version_segments = {
    .argument = "pyarray-version-segments",
    .summary = "Hoist bounds checks out of loops over the threads of a block",
    .dependent_dialects = (const char *const[]){"scf", "arith", NULL},
    .run = run,
};
