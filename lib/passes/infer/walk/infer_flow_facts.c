// Of the first phase of pyarray-infer-types: facts of scf.if, scf.while and loops.
#include <stdlib.h>
#include <string.h>

#include "infer_classes.h"
#include "infer_flow.h"
#include "infer_signs.h"
#include "infer_walk.h"
#include "support/stop.h"

//===-- Control flow ------------------------------------------------------------------------------===//

// What a branch that is not taken would put into containers; what is wrong in it does not matter.
static void guess_from(pa_inference *inference, pa_instance *instance, MlirBlock block) {
  int depth = inference->depth;
  pa_instance *current = inference->current;
  bool before = pa_sites_guess(inference->sites, true);
  pa_status_free(pa_infer_walk_block(inference, instance, block));
  pa_sites_guess(inference->sites, before);
  pa_growths_forgive(inference->growths);
  inference->depth = depth;
  inference->current = current;
}

// The same of both branches, where the condition rests on items of which nothing is known: all(x > 0 for x in xs).
void pa_infer_guess_from_branches(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  for (int side = 0; inference->guesses && side < 2; ++side)
    if (!mlirBlockIsNull(pa_body(op, side))) guess_from(inference, instance, pa_body(op, side));
}

// Of one branch that may be taken: what it gives joins |facts|, whose values are |values|.
static pa_status walk_branch(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirBlock block,
                             pa_fact *facts, MlirValue *values) {
  PA_TRY(pa_infer_walk_block(inference, instance, block));
  MlirOperation yield = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    PA_TRY(pa_infer_join(inference, op, i, &facts[i], values[i], pa_fact_get(inference, instance, value), value));
    values[i] = value;
  }
  return PA_OK;
}

// Of scf.if and pyarray.try: either region may give the results, unless |known| says which one.
pa_status pa_infer_walk_branches(pa_inference *inference, pa_instance *instance, MlirOperation op, int known) {
  intptr_t count = mlirOperationGetNumResults(op);
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  MlirValue *values = PA_NEW_ARRAY(inference->arena, MlirValue, count + 1);
  pa_status failures = PA_OK;
  for (int side = 0; side < 2; ++side) {
    MlirBlock block = pa_body(op, side);
    if (inference->guesses && known == side && !mlirBlockIsNull(block)) guess_from(inference, instance, block);
    if (known == side || mlirBlockIsNull(block)) continue; // region 0 is taken when the condition holds
    failures = pa_status_join(failures, walk_branch(inference, instance, op, block, facts, values));
    // In a loop the other branch may say what values are when it comes to this one again.
    if (failures && (!inference->rounds || !pa_status_may_go_on(failures))) return failures;
  }
  for (intptr_t i = 0; i < count; ++i) {
    if (!failures && pa_kind(&inference->names, op) == PA_OP_TRY) PA_TRY(pa_check_leaves(inference, op, facts[i]));
    pa_infer_set_fact(inference, instance, mlirOperationGetResult(op, i), facts[i]);
  }
  return failures;
}

// Joins the operands of |source| from |first| on into the block arguments from |skip| on.
static pa_status join_arguments(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirBlock block,
                                intptr_t skip, MlirOperation source, intptr_t first, bool *out_changed) {
  for (intptr_t i = skip; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue value = mlirOperationGetOperand(source, first + i - skip), initial = {NULL};
    pa_fact incoming = pa_infer_without_literal(pa_fact_get(inference, instance, value));
    // Of scf.while and pyarray.for alike.
    if (i < mlirOperationGetNumOperands(op) && mlirBlockEqual(block, pa_body(op, 0)))
      initial = mlirOperationGetOperand(op, i);
    pa_value_entry *entry = pa_value_entry_of(inference, instance, mlirBlockGetArgument(block, i));
    pa_fact before = entry->fact;
    PA_TRY(pa_infer_carry(inference, block.ptr, op, i - skip, &entry->fact, initial, incoming, value));
    *out_changed = *out_changed || !pa_fact_equal(before, entry->fact);
  }
  return PA_OK;
}

// Walks of a loop's body until nothing grows. What fails in one of them counts only where that was the last: a variable
// that is None at first is an array as soon as the end of the body has been seen.
typedef struct loop_rounds {
  pa_inference *inference;
  pa_instance *instance, *current;
  int depth;
  pa_status failure; // of this round
  bool changed;
} loop_rounds;

static loop_rounds begin_rounds(pa_inference *inference, pa_instance *instance) {
  ++inference->rounds;
  return (loop_rounds){
      .inference = inference, .instance = instance, .current = inference->current, .depth = inference->depth};
}

static pa_status walk_round(loop_rounds *rounds, MlirBlock block) {
  pa_status status = pa_infer_walk_block(rounds->inference, rounds->instance, block);
  if (!status) return PA_OK;
  pa_code code = pa_status_code(status);
  if ((code != PA_CODE_TYPING && code != PA_CODE_UNSUPPORTED) || pa_must_stop()) return status;
  rounds->failure = pa_status_join(rounds->failure, status);
  return PA_OK;
}

// Whether another round is to be walked.
static bool goes_on(loop_rounds *rounds) {
  if (!rounds->changed) return false;
  if (rounds->failure) {
    pa_status_free(rounds->failure);
    rounds->failure = PA_OK;
    rounds->inference->depth = rounds->depth;
    rounds->inference->current = rounds->current;
  }
  return true;
}

// |status| drops the failure of its round.
static pa_status end_rounds(loop_rounds *rounds, pa_status status) {
  --rounds->inference->rounds;
  if (!status) return rounds->failure;
  pa_status_free(rounds->failure);
  return status;
}

static pa_status walk_while_once(loop_rounds *rounds, MlirOperation op) {
  pa_inference *inference = rounds->inference;
  MlirBlock before = pa_body(op, 0), after = pa_body(op, 1);
  bool ignored = false;
  PA_TRY(walk_round(rounds, before));
  PA_TRY(join_arguments(inference, rounds->instance, op, after, 0, mlirBlockGetTerminator(before), 1, &ignored));
  PA_TRY(walk_round(rounds, after));
  rounds->changed = false;
  return join_arguments(inference, rounds->instance, op, before, 0, mlirBlockGetTerminator(after), 0, &rounds->changed);
}

pa_status pa_infer_walk_while(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirBlock before = pa_body(op, 0), after = pa_body(op, 1);
  bool changed = false;
  PA_TRY(join_arguments(inference, instance, op, before, 0, op, 0, &changed));
  loop_rounds rounds = begin_rounds(inference, instance);
  pa_status status;
  do status = walk_while_once(&rounds, op);
  while (!status && goes_on(&rounds));
  status = end_rounds(&rounds, status); // what fails in it does not matter yet to an outer loop
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_infer_set_fact(inference, instance, mlirOperationGetResult(op, i),
                      pa_fact_get(inference, instance, mlirBlockGetArgument(after, i)));
  return status;
}

// Over a tuple of several types: the body is walked once for each element, |carried| going from one to the next.
// Nothing is known of the values in it from an earlier element.
pa_status pa_walk_element(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact item,
                          pa_fact *carried) {
  MlirBlock body = pa_body(op, 0);
  pa_op_list ops = pa_ops_within(inference->arena, op, MlirWalkPreOrder);
  for (size_t k = 1; k < ops.count; ++k) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(ops.items[k]); ++i)
      *pa_value_entry_of(inference, instance, mlirOperationGetResult(ops.items[k], i)) =
          (pa_value_entry){.key = mlirOperationGetResult(ops.items[k], i).ptr};
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(ops.items[k]); ++r) {
      MlirBlock inner = pa_body(ops.items[k], r);
      for (intptr_t i = 0; !mlirBlockIsNull(inner) && i < mlirBlockGetNumArguments(inner); ++i)
        *pa_value_entry_of(inference, instance, mlirBlockGetArgument(inner, i)) =
            (pa_value_entry){.key = mlirBlockGetArgument(inner, i).ptr};
    }
  }
  pa_infer_set_fact(inference, instance, mlirBlockGetArgument(body, 0), item);
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); ++i)
    pa_infer_set_fact(inference, instance, mlirBlockGetArgument(body, i), carried[i - 1]);
  PA_TRY(pa_infer_walk_block(inference, instance, body));
  MlirOperation end = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
    carried[i] = pa_infer_without_literal(pa_fact_get(inference, instance, mlirOperationGetOperand(end, i)));
  return PA_OK;
}

pa_fact *pa_initial_carried(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op) - 1;
  pa_fact *carried = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    carried[i] = pa_infer_without_literal(pa_fact_get(inference, instance, mlirOperationGetOperand(op, i + 1)));
  return carried;
}

static pa_status walk_for_mixed(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t length) {
  pa_fact *carried = pa_initial_carried(inference, instance, op);
  for (intptr_t k = 0; k < length; ++k)
    PA_TRY(pa_walk_element(inference, instance, op, pa_mixed_fact(inference, instance, op, k), carried));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_infer_set_fact(inference, instance, mlirOperationGetResult(op, i), carried[i]);
  return PA_OK;
}

// Whether |value| goes over a container that nothing is put into, anywhere: `zip(xs, [])`, `{}.items()`. The type of
// what zip and views hold does not say so.
static bool goes_over_nothing(pa_inference *inference, pa_instance *instance, const pa_typing *typing,
                              MlirValue value) {
  pa_fact fact = pa_fact_get(inference, instance, value);
  if (pa_is_bottom(fact)) return false;
  if (pa_container_of(fact.type) != PA_NO_CONTAINER) return pa_is_bottom(pa_container_item(typing, fact, 0));
  MlirOperation maker = pa_maker_of(value);
  bool holds =
      pa_is_iterable_tag(fact.type) || (pyarrayTypeIsGenerator(fact.type) && !mlirOperationIsNull(maker) &&
                                        pa_ref_equal(pa_called_builtin(inference, instance, maker), "builtins.iter"));
  if (!holds || mlirOperationIsNull(maker)) return false;
  pa_op_kind kind = pa_kind(&inference->names, maker);
  if (kind != PA_OP_APPLY && kind != PA_OP_METHOD) return false;
  for (intptr_t i = kind == PA_OP_APPLY; i < mlirOperationGetNumOperands(maker); ++i) // the first one is what is called
    if (goes_over_nothing(inference, instance, typing, mlirOperationGetOperand(maker, i))) return true;
  return false;
}

pa_status pa_infer_walk_for(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirBlock body = pa_body(op, 0);
  MlirValue source = mlirOperationGetOperand(op, 0);
  pa_fact iterable, item;
  inference->made_count = 0;
  PA_TRY(pa_make_iterator(inference, instance, op, &source));
  iterable = pa_fact_get(inference, instance, source);
  if (pa_is_bottom(iterable)) return PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  if (!inference->made_count) iterable.type = pa_iterated_type(inference, instance, op);
  bool unrolled =
      pa_is_mixed(iterable.type) || pa_unrolls_literals(inference, instance, mlirOperationGetOperand(op, 0));
  if (unrolled && pa_mixed_length(iterable.type) >= 0)
    return walk_for_mixed(inference, instance, op, pa_mixed_length(iterable.type));
  PA_TRY(pa_type_item(&typing, iterable, &item));
  if (goes_over_nothing(inference, instance, &typing, source)) item = (pa_fact){0};
  pa_infer_set_fact(inference, instance, mlirBlockGetArgument(body, 0), pa_sign_item(inference, iterable, item));
  bool changed = false;
  PA_TRY(join_arguments(inference, instance, op, body, 1, op, 1, &changed));
  loop_rounds rounds = begin_rounds(inference, instance);
  pa_status status;
  do {
    rounds.changed = false;
    status = walk_round(&rounds, body);
    if (!status)
      status = join_arguments(inference, instance, op, body, 1, mlirBlockGetTerminator(body), 0, &rounds.changed);
  } while (!status && goes_on(&rounds));
  status = end_rounds(&rounds, status);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_infer_set_fact(inference, instance, mlirOperationGetResult(op, i),
                      pa_fact_get(inference, instance, mlirBlockGetArgument(body, i + 1)));
  return status;
}
