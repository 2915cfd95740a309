// Plans that the first phase made, for the second: an operation is emitted by the plan of its last walk, where its
// operands still have the facts that the plan was made of. They have others where one operation is emitted several
// times: for each function that a call may be of, for each item of an unrolled loop.
#include "infer_internal.h"

typedef struct kept_plan {
  unsigned epoch; // of the facts
  pa_fact *facts; // of the operands
  const void *plan;
} kept_plan;

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

void pa_keep_plan(pa_inference *inference, pa_instance *instance, pa_map *plans, MlirOperation op, const void *plan) {
  if (inference->emitting) return;
  intptr_t count = mlirOperationGetNumOperands(op);
  kept_plan *kept = pa_map_get(plans, op.ptr);
  if (!kept) {
    kept = PA_NEW(inference->arena, kept_plan);
    kept->facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
    pa_map_put(inference->arena, plans, op.ptr, kept);
  }
  kept->epoch = inference->epoch;
  kept->plan = plan;
  for (intptr_t i = 0; i < count; ++i) kept->facts[i] = pa_fact_get(inference, instance, operand(op, i));
}

void *pa_plan_before(const pa_map *plans, MlirOperation op) {
  const kept_plan *kept = pa_map_get(plans, op.ptr);
  return kept ? (void *)kept->plan : NULL;
}

const void *pa_kept_plan(pa_inference *inference, pa_instance *instance, const pa_map *plans, MlirOperation op) {
  const kept_plan *kept = inference->emitting ? pa_map_get(plans, op.ptr) : NULL;
  if (!kept || kept->epoch != inference->epoch) return NULL;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!pa_fact_equal(kept->facts[i], pa_fact_get(inference, instance, operand(op, i)))) return NULL;
  return kept->plan;
}
