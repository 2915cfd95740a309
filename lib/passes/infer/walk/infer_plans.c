// What becomes of an operation that is more than its typing rule: a call of a function, a field, a constant. The rooms
// are asked in turn.
#include <string.h>

#include "infer_calls.h"
#include "infer_classes.h"
#include "infer_containers.h"
#include "infer_flow.h"
#include "infer_records.h"
#include "infer_text.h"
#include "infer_walk.h"

enum {
  APPLY = 1 << 0,
  BINARY = 1 << 1,
  COMPARE = 1 << 2,
  GETATTR = 1 << 3,
  SETATTR = 1 << 4,
  METHOD = 1 << 5,
  GETITEM = 1 << 6,
  SETITEM = 1 << 7,
  DELITEM = 1 << 8,
  TRUTH = 1 << 9,
  UNARY = 1 << 10,
  ITERATOR = 1 << 11,
  ANY = (1 << 12) - 1
};

static unsigned set_of(pa_op_kind kind) {
  switch (kind) {
  case PA_OP_APPLY: return APPLY;
  case PA_OP_BINARY: return BINARY;
  case PA_OP_COMPARE: return COMPARE;
  case PA_OP_GETATTR: return GETATTR;
  case PA_OP_SETATTR: return SETATTR;
  case PA_OP_METHOD: return METHOD;
  case PA_OP_GETITEM: return GETITEM;
  case PA_OP_SETITEM: return SETITEM;
  case PA_OP_DELITEM: return DELITEM;
  case PA_OP_TRUTH: return TRUTH;
  case PA_OP_UNARY: return UNARY;
  case PA_OP_ITERATOR: return ITERATOR;
  default: return 0;
  }
}

// ORDER PLANNERS: the first that has a plan decides. What refuses, and what overloads of the user's answer, comes
// first; then those that look at what is called, or at one kind of operand; last what every type has, and classes,
// whose methods decide only what nothing before them knows.
static const struct {
  pa_status (*plan)(pa_class_operation *o);
  unsigned kinds; // of the operations that it may have a plan for
} planners[] = {
    {pa_check_frozen, BINARY | METHOD | SETITEM | DELITEM},
    {pa_plan_noted, ANY},
    {pa_plan_iterator, ITERATOR},
    {pa_plan_overloaded_call, APPLY},
    {pa_plan_iteration, APPLY},
    {pa_plan_index, GETITEM | SETITEM | DELITEM},
    {pa_plan_unroll, APPLY},
    {pa_plan_set_items, SETITEM},
    {pa_plan_keywords_operation, ANY},
    {pa_plan_exception_operation, APPLY | COMPARE | GETATTR},
    {pa_plan_named_operation, ANY},
    {pa_plan_choice_operation, COMPARE},
    {pa_plan_dict_class_operation, APPLY | BINARY | COMPARE | METHOD | GETITEM | DELITEM | UNARY},
    {pa_plan_range_operation, APPLY | COMPARE | GETITEM | TRUTH | UNARY},
    {pa_plan_array_attribute, COMPARE | GETATTR | SETATTR | GETITEM | SETITEM},
    {pa_plan_indexing, GETITEM | SETITEM},
    {pa_plan_record_operation, APPLY | BINARY | COMPARE | METHOD | SETITEM | TRUTH | UNARY},
    {pa_plan_vector_operation, GETATTR | SETATTR | SETITEM},
    {pa_plan_percent_operation, BINARY},
    {pa_plan_memoryview_operation, ANY},
    {pa_plan_random_operation, GETATTR},
    {pa_plan_bytearray_operation, ANY},
    {pa_plan_equality, APPLY | COMPARE | METHOD},
    {pa_plan_view_operation, BINARY | COMPARE | METHOD},
    {pa_plan_mixed_operation, BINARY | COMPARE | GETITEM | SETITEM},
    {pa_plan_whole_division, APPLY | BINARY},
    {pa_plan_unsigned_function, APPLY},
    {pa_plan_generator_operation, COMPARE},
    {pa_plan_bound_method, GETATTR},
    {pa_plan_of_class, ANY},
};

static pa_status ask_in_turn(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                             pa_class_plan *out_plan) {
  unsigned set = set_of(kind);
  inference->made_count = 0;
  inference->keywords = mlirAttributeGetNull();
  pa_class_operation o = {inference, instance, op, kind, pa_typing_at(inference, op), out_plan};
  for (size_t i = 0; i < sizeof planners / sizeof *planners && out_plan->kind == PA_CLASS_NOTHING; ++i)
    if (planners[i].kinds & set) PA_TRY(planners[i].plan(&o));
  if (out_plan->kind == PA_CLASS_NOTHING) return PA_OK;
  out_plan->made_count = inference->made_count;
  pa_made_value *made = PA_NEW_ARRAY(inference->arena, pa_made_value, out_plan->made_count + 1);
  if (out_plan->made_count) memcpy(made, inference->made, out_plan->made_count * sizeof *made);
  return out_plan->made = made, PA_OK;
}

pa_status pa_plan_class_operation(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                  pa_class_plan *out_plan) {
  static const pa_class_plan nothing;
  pa_op_kind kind = pa_kind(&inference->names, op);
  *out_plan = nothing;
  if (!set_of(kind)) return PA_OK;
  const pa_class_plan *kept = pa_kept_plan(inference, instance, &instance->class_plans, op);
  if (kept) return *out_plan = *kept, PA_OK;
  PA_TRY(ask_in_turn(inference, instance, op, kind, out_plan));
  const pa_class_plan *plan = &nothing;
  if (out_plan->kind != PA_CLASS_NOTHING && !inference->emitting) {
    pa_class_plan *copy = PA_NEW(inference->arena, pa_class_plan);
    *copy = *out_plan;
    plan = copy;
  }
  return pa_keep_plan(inference, instance, &instance->class_plans, op, plan), PA_OK;
}
