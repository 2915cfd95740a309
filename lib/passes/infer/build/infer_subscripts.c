// Emission of subscripts of arrays in pyarray-infer-types: indices in the order of axes, then new axes.
//
//   %v = pyarray.getitem %a[%i, %dots, %none]
// of three axes becomes
//   %w = pyarray.getitem %a[%i]
//   %v = pyarray.insert_axes %w [2]
#include <string.h>

#include "infer_emit.h"

MlirValue *pa_emit_index_values(pa_instance_emitter *e, MlirOperation op, const pa_fact *facts, intptr_t count,
                                bool spread) {
  pa_typing typing = pa_typing_at(e->inference, op);
  intptr_t elements;
  MlirValue *values = spread ? pa_emit_elements(e, pa_emitter_use(e, mlirOperationGetOperand(op, 1)), &elements)
                             : pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) {
    if (!spread) values[i] = pa_emitter_use(e, mlirOperationGetOperand(op, 1 + i));
    MlirType type = pa_index_type(&typing, facts[i].type);
    if (!mlirTypeIsNull(type)) values[i] = pa_emit_cast(e, values[i], type);
  }
  return values;
}

static MlirValue whole_axis(pa_instance_emitter *e) {
  MlirValue none = pa_emit_literal(e, pa_unit_attr(pa_emitter_context(e)));
  MlirType type = pyarrayNoneTypeGet(pa_emitter_context(e));
  return pa_value(e->builder, PA_OP_NAME(SLICE), PA_OPERANDS(none, none, none),
                  PA_RESULTS(pyarraySliceTypeGet(type, type, type)));
}

// Whether axis |i| is whole in the view: it has no index, or one to gather by.
static bool is_whole(const pa_index_plan *plan, const MlirValue *values, int i) {
  return plan->sources[i] < 0 || (plan->gathers && !pyarrayTypeIsSlice(mlirValueGetType(values[plan->sources[i]])));
}

// |operands|, from the second on: an index for each axis of the plan.
static void place_indices(pa_instance_emitter *e, const pa_index_plan *plan, const MlirValue *values,
                          MlirValue *operands) {
  for (int i = 0; i < plan->count; ++i)
    operands[1 + i] = is_whole(plan, values, i) ? whole_axis(e) : values[plan->sources[i]];
}

MlirValue pa_emit_new_axes(pa_instance_emitter *e, MlirValue array, const int *axes, int count, MlirType result) {
  int64_t places[PA_MOST_AXES];
  for (int i = 0; i < count; ++i) places[i] = axes[i];
  return pa_value(e->builder, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(array), PA_RESULTS(result),
                  PA_ATTRS({"axes", mlirDenseI64ArrayGet(pa_emitter_context(e), count, places)}));
}

// |result| without the plan's new axes.
static MlirType without_new_axes(MlirType result, const pa_index_plan *plan) {
  int64_t shape[PA_MOST_AXES + 1];
  int kept = 0;
  for (int axis = 0, next = 0; axis < (int)pyarrayArrayTypeGetRank(result); ++axis) {
    bool is_new = next < plan->new_count && plan->new_axes[next] == axis;
    next += is_new;
    if (!is_new) shape[kept++] = pyarrayArrayTypeGetExtent(result, axis);
  }
  return pyarrayArrayTypeGet(mlirTypeGetContext(result), kept, shape, pyarrayArrayTypeGetElement(result),
                             pyarrayArrayTypeGetLayout(result), pyarrayArrayTypeIsReadonly(result));
}

MlirValue pa_emit_indexed(pa_instance_emitter *e, MlirValue array, const pa_index_plan *plan, const MlirValue *values,
                          MlirType result) {
  if (pa_failed(e->builder)) return array;
  MlirValue *operands = pa_emitter_values(e, plan->count + 1);
  pa_index_plan given = *plan;
  while (plan->gathers && given.count && is_whole(plan, values, given.count - 1)) --given.count;
  operands[0] = array;
  place_indices(e, &given, values, operands);
  MlirType kept = plan->new_count ? without_new_axes(result, plan) : result;
  MlirValue view = array;
  if (given.count || !mlirTypeEqual(mlirValueGetType(array), kept))
    view = pa_value(e->builder, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, given.count + 1), PA_RESULTS(kept));
  return plan->new_count ? pa_emit_new_axes(e, view, plan->new_axes, plan->new_count, result) : view;
}

pa_status pa_emit_array_subscript(pa_instance_emitter *e, MlirOperation op, MlirType result, MlirValue *out_value) {
  pa_typing typing = pa_typing_at(e->inference, op);
  MlirValue object = mlirOperationGetOperand(op, 0);
  pa_fact array = pa_emitter_fact(e, object);
  pa_index_plan plan;
  intptr_t count;
  bool spread, bottom;
  const pa_fact *facts = pa_index_facts(e->inference, e->instance, op, array, &count, &spread, &bottom);
  PA_TRY(pa_plan_subscript(&typing, array.type, pyarrayArrayTypeGetRank(array.type), facts, count, &plan));
  MlirValue *values = pa_emit_index_values(e, op, facts, count, spread);
  if (!plan.gathers) return *out_value = pa_emit_indexed(e, pa_emitter_use(e, object), &plan, values, result), PA_OK;
  MlirType type = pa_indexed_type(&typing, array.type, &plan, facts);
  MlirValue view = pa_emit_indexed(e, pa_emitter_use(e, object), &plan, values, type);
  return *out_value = pa_emit_gathered(e, view, &plan, values, result), PA_OK;
}

pa_status pa_emit_array_store(pa_instance_emitter *e, MlirOperation op, const pa_fact *facts, intptr_t count,
                              bool spread, MlirValue value) {
  pa_typing typing = pa_typing_at(e->inference, op);
  MlirType type = pa_emitter_fact(e, mlirOperationGetOperand(op, 0)).type;
  pa_index_plan plan;
  PA_TRY(pa_plan_subscript(&typing, type, pyarrayArrayTypeGetRank(type), facts, count, &plan));
  MlirValue *values = pa_emit_index_values(e, op, facts, count, spread), *operands = pa_emitter_values(e, count + 2),
            array = pa_emitter_use(e, mlirOperationGetOperand(op, 0));
  bool through_view = plan.new_count > 0;
  if (through_view)
    operands[0] = pa_emit_indexed(e, array, &plan, values, pa_indexed_type(&typing, type, &plan, facts));
  else
    operands[0] = array, place_indices(e, &plan, values, operands);
  int given = through_view ? 0 : plan.count;
  operands[1 + given] = value;
  return pa_op(e->builder, PA_OP_NAME(SETITEM), PA_OPERAND_ARRAY(operands, given + 2)), PA_OK;
}
