// The order in which pyarray-infer-types walks the bodies of functions that call each other, in circles too.
#include <limits.h>

#include "infer_flow.h"
#include "infer_walk.h"

enum { PA_MAX_CALL_DEPTH = 400, PA_MAX_INSTANCES = 3000, PA_MAX_TWINS = 64 };

// The calls around |instance| whose arguments differ from its own by the places of containers alone: a recursion that
// makes a container for each call. They follow it among those of its hash, since they are older.
static int count_twins(const pa_instance *instance) {
  int count = 0;
  for (const pa_instance *each = instance->same_hash; each; each = each->same_hash) {
    bool twin = each->state == PA_OPEN && mlirOperationEqual(each->function, instance->function) &&
                each->argument_count == instance->argument_count;
    for (intptr_t i = 0; twin && i < instance->argument_count; ++i)
      twin = mlirTypeEqual(each->arguments[i], instance->arguments[i]) &&
             mlirAttributeEqual(each->literals[i], instance->literals[i]);
    count += twin;
  }
  return count;
}

static void finish_component(pa_inference *inference, int depth) {
  for (pa_instance *instance = inference->first; instance; instance = instance->next)
    if (instance->state == PA_TENTATIVE && instance->lowest >= depth)
      instance->state = PA_DONE, instance->lowest = INT_MAX;
}

// Walks an instance until its result and those of the instances it is mutually recursive with are stable. An instance
// whose result rests on an open one below it on the stack stays tentative, and is walked again with that one.
pa_status pa_walk_instance(pa_inference *inference, pa_instance *instance) {
  if (instance->state == PA_DONE) return PA_OK;
  if (!mlirTypeIsNull(instance->precompiled)) {
    instance->result = pa_fact_of(instance->precompiled);
    return instance->state = PA_DONE, PA_OK;
  }
  if (instance->state == PA_OPEN)
    return instance->lowest = instance->lowest < instance->depth ? instance->lowest : instance->depth, PA_OK;
  if (instance->state == PA_TENTATIVE && instance->round == inference->round) return PA_OK;
  if (inference->depth >= PA_MAX_CALL_DEPTH) return pa_too_many_calls(inference, instance, PA_MAX_CALL_DEPTH);
  if (instance->state == PA_FRESH && count_twins(instance) >= PA_MAX_TWINS)
    return pa_too_many_calls(inference, instance, PA_MAX_TWINS);
  if (inference->instance_count > PA_MAX_INSTANCES) return pa_too_many_instances(instance, PA_MAX_INSTANCES);
  instance->state = PA_OPEN;
  instance->depth = inference->depth++;
  pa_instance *outer = inference->current;
  inference->current = instance;
  MlirBlock body = pa_body(instance->function, 0);
  for (intptr_t i = 0; i < instance->argument_count; ++i)
    pa_infer_set_fact(inference, instance, mlirBlockGetArgument(body, i),
                      (pa_fact){instance->arguments[i], instance->literals[i], instance->sites[i], instance->signs[i]});
  PA_TRY(pa_check_generator(inference, instance));
  if (!mlirTypeIsNull(instance->declared)) instance->result = pa_fact_of(instance->declared);
  for (unsigned before = inference->changes;; before = inference->changes, ++inference->round) {
    instance->lowest = INT_MAX;
    instance->round = inference->round;
    pa_status failures = pa_infer_walk_block(inference, instance, body);
    if (failures) return --inference->depth, inference->current = outer, failures;
    bool recursive = instance->lowest == instance->depth; // and it is the lowest of its cycle
    if (!recursive || before == inference->changes) break;
  }
  --inference->depth;
  inference->current = outer;
  instance->state = instance->lowest < instance->depth ? PA_TENTATIVE : PA_DONE;
  if (instance->state == PA_TENTATIVE) return PA_OK;
  finish_component(inference, instance->depth);
  instance->lowest = INT_MAX;
  return PA_OK;
}
