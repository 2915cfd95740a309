// Tuples whose elements are known, in pyarray-infer-types: where they were made, and loops over literal_unroll(), whose
// body is walked and emitted once for each item.
//
//   for name in literal_unroll(("x", "y")):      in its turn, %name is the literal "x", so that r[name] is a field
//       r[name] = 0
#include <string.h>

#include "infer_classes.h"
#include "infer_walk.h"

static const char *const holders[] = {"builtins.enumerate", "builtins.zip", "builtins.reversed"};

static bool is_holder(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirStringRef name = pa_called_builtin(inference, instance, op);
  for (size_t i = 0; name.length && i < sizeof holders / sizeof *holders; ++i)
    if (pa_ref_equal(name, holders[i])) return pa_is_plain_call(op) && mlirOperationGetNumOperands(op) > 1;
  return false;
}

bool pa_unrolls_literals(pa_inference *inference, pa_instance *instance, MlirValue iterable) {
  MlirOperation op = pa_maker_of(iterable);
  if (mlirOperationIsNull(op)) return false;
  if (pa_is_literal_unroll(inference, instance, op))
    return pa_mixed_length(pa_fact_get(inference, instance, iterable).type) >= 0;
  bool held = false;
  for (intptr_t i = 1; is_holder(inference, instance, op) && !held && i < mlirOperationGetNumOperands(op); ++i)
    held = pa_unrolls_literals(inference, instance, mlirOperationGetOperand(op, i));
  return held && pa_mixed_length(pa_fact_get(inference, instance, iterable).type) >= 0;
}

//===-- What is known of elements -----------------------------------------------------------------===//

//===-- Items of loops ----------------------------------------------------------------------------===//

// Item |number| of |iterable|; |*out_source| is the value that it is, null where there is none, |*out_parts| what it is
// made of, or NULL.
static pa_fact item_of(pa_inference *inference, pa_instance *instance, MlirValue iterable, pa_fact fact,
                       intptr_t number, MlirValue *out_source, const pa_known_tuple **out_parts);

// Of enumerate, zip and reversed.
static pa_fact held_item(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact fact,
                         intptr_t number, MlirValue *out_source, const pa_known_tuple **out_parts) {
  MlirStringRef name = pa_called_builtin(inference, instance, op);
  if (pa_ref_equal(name, holders[2])) {
    MlirType own = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1)).type;
    return item_of(inference, instance, mlirOperationGetOperand(op, 1), fact, pa_mixed_length(own) - 1 - number,
                   out_source, out_parts);
  }
  bool counts = pa_ref_equal(name, holders[0]);
  intptr_t count = mlirTupleTypeGetNumTypes(fact.type);
  pa_known_tuple *parts = pa_make_known(inference, count);
  for (intptr_t i = 0; i < count; ++i) {
    const pa_known_tuple *ignored;
    parts->facts[i] = pa_fact_of(mlirTupleTypeGetType(fact.type, i));
    parts->sources[i] = (MlirValue){NULL};
    int64_t start = 0;
    if (counts && i == 0) {
      bool known = mlirOperationGetNumOperands(op) == 2 ||
                   pa_literal_int(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 2)), &start);
      if (known) parts->facts[i].literal = mlirIntegerAttrGet(parts->facts[i].type, start + number);
      continue;
    }
    parts->facts[i] = item_of(inference, instance, mlirOperationGetOperand(op, counts ? 1 : 1 + i), parts->facts[i],
                              number, &parts->sources[i], &ignored);
  }
  *out_parts = parts;
  return fact;
}

static pa_fact item_of(pa_inference *inference, pa_instance *instance, MlirValue iterable, pa_fact fact,
                       intptr_t number, MlirValue *out_source, const pa_known_tuple **out_parts) {
  MlirOperation op = pa_maker_of(iterable);
  *out_source = (MlirValue){NULL};
  *out_parts = NULL;
  if (pa_is_bottom(fact)) return fact; // of a call that recursion has not come back from
  if (!mlirOperationIsNull(op) && is_holder(inference, instance, op))
    return held_item(inference, instance, op, fact, number, out_source, out_parts);
  const pa_known_tuple *known = mlirTypeIsATuple(pa_fact_get(inference, instance, iterable).type)
                                    ? pa_known_elements(inference, instance, iterable)
                                    : NULL;
  if (!known || number >= known->count || !mlirTypeEqual(known->facts[number].type, fact.type)) return fact;
  *out_source = known->sources[number];
  if (!mlirValueIsNull(*out_source) && mlirTypeIsATuple(fact.type))
    *out_parts = pa_known_elements(inference, instance, *out_source);
  return known->facts[number];
}

pa_fact pa_mixed_fact(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t number) {
  MlirValue iterable = mlirOperationGetOperand(op, 0), source;
  MlirType type = pa_iterated_type(inference, instance, op), own = pa_fact_get(inference, instance, iterable).type;
  pa_typing typing = pa_typing_at(inference, op);
  intptr_t count;
  bool is_own = mlirTypeEqual(type, own);
  pa_fact fact = is_own && mlirTypeIsATuple(type) ? pa_element_facts(inference, instance, iterable, &count)[number]
                                                  : pa_fact_of(pa_mixed_item(&typing, type, number));
  const pa_known_tuple *parts = NULL;
  if (is_own) fact = item_of(inference, instance, iterable, fact, number, &source, &parts);
  pa_value_entry_of(inference, instance, mlirBlockGetArgument(pa_body(op, 0), 0))->known = parts;
  return fact;
}

//===-- The call ----------------------------------------------------------------------------------===//

// literal_unroll(x) is x.
pa_status pa_plan_unroll(pa_class_operation *o) {
  if (o->kind != PA_OP_APPLY || !pa_is_literal_unroll(o->inference, o->instance, o->op)) return PA_OK;
  o->plan->kind = PA_CLASS_VALUE;
  o->plan->object = mlirOperationGetOperand(o->op, 1);
  pa_fact fact = pa_fact_get(o->inference, o->instance, o->plan->object);
  o->plan->site = fact.site;
  return o->plan->result = fact.type, PA_OK;
}
