// One of several functions, in pyarray-infer-types: what a list of functions holds, or a variable that is one function
// on one path and another on the other. The value is a number of the function, the tag says which ones it may be; a
// call is a branch for each of them.
//
//   %f : tagged<"choice", [type of @g, type of @h], si64>
//   %r = pyarray.apply %f(%x)          %is = pyarray.compare eq %f, 0; %r = scf.if %is { call @g$0(%x) } else { call
//   @h$0(%x) }
//
// Functions that have captured values are no members, and neither are classes and dtypes.
#include <stdlib.h>
#include <string.h>

#include "infer_classes.h"
#include "infer_emit.h"
#include "support/type_code.h"

//===-- Values ------------------------------------------------------------------------------------===//

pa_status pa_plan_choice_operation(pa_class_operation *o) {
  if (o->kind != PA_OP_COMPARE) return PA_OK;
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  bool negated = kind == PYARRAY_COMPARE_NE || kind == PYARRAY_COMPARE_ISNOT, choice = false;
  if (!negated && kind != PYARRAY_COMPARE_EQ && kind != PYARRAY_COMPARE_IS) return PA_OK;
  for (intptr_t i = 0; i < 2; ++i) {
    MlirType type = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, i)).type;
    if (mlirTypeIsNull(type) || (!pa_is_choice(type) && !pa_is_function_value(&o->typing, type))) return PA_OK;
    choice = choice || pa_is_choice(type);
    o->plan->operands[i] = mlirOperationGetOperand(o->op, i);
  }
  if (!choice) return PA_OK;
  o->plan->kind = PA_CLASS_BUILTIN;
  o->plan->builtin = "function.is";
  o->plan->operand_type = pa_scalar_type(o->inference->context, PA_I64);
  o->plan->negated = negated;
  return PA_OK;
}

//===-- Calls -------------------------------------------------------------------------------------===//

static void set_callee(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirType type) {
  pa_value_entry_of(inference, instance, mlirOperationGetOperand(op, 0))->fact = pa_fact_of(type);
}

static MlirType callee_type(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  return pa_kind(&inference->names, op) == PA_OP_APPLY
             ? pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type
             : (MlirType){NULL};
}

// The functions that the callee may be, beside None; null where it is no such value.
static MlirType called_choice(MlirType callee) {
  if (mlirTypeIsNull(callee)) return callee;
  MlirType item = pyarrayTypeIsOptional(callee) ? pyarrayTypeGetItem(callee) : callee;
  return pa_is_choice(item) ? item : (MlirType){NULL};
}

// Walked once for each function that it may be.
pa_status pa_walk_choice(pa_inference *inference, pa_instance *instance, MlirOperation op,
                         pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation), bool *out_done) {
  MlirType callee = callee_type(inference, instance, op), type = called_choice(callee);
  *out_done = !mlirTypeIsNull(type);
  if (!*out_done) return PA_OK;
  MlirValue result = mlirOperationGetResult(op, 0);
  pa_fact joined = {0};
  pa_status status = PA_OK;
  for (intptr_t i = 0; i < pa_choice_count(type) && !status; ++i) {
    set_callee(inference, instance, op, pa_choice_member(type, i));
    pa_value_entry_of(inference, instance, result)->fact = (pa_fact){0};
    status = walk(inference, instance, op);
    pa_fact fact = pa_fact_get(inference, instance, result);
    fact.literal = mlirAttributeGetNull();
    if (!status) status = pa_join_into(inference, op, 0, &joined, fact);
  }
  set_callee(inference, instance, op, callee);
  return pa_value_entry_of(inference, instance, result)->fact = joined, status;
}

// What the call of one of them gives, in the type of all.
static pa_status emit_member(pa_instance_emitter *e, MlirOperation op, MlirType function, MlirType wanted,
                             pa_status (*emit)(pa_instance_emitter *, MlirOperation), MlirValue *out) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue callee = mlirOperationGetOperand(op, 0);
  pa_value_entry saved = *pa_value_entry_of(e->inference, e->instance, callee);
  pa_value_entry_of(e->inference, e->instance, callee)->fact = pa_fact_of(function);
  pa_value_entry_of(e->inference, e->instance, result)->typed = (MlirValue){NULL};
  pa_status status = emit(e, op);
  *pa_value_entry_of(e->inference, e->instance, callee) = saved;
  if (status || pa_failed(e->builder)) return status;
  MlirValue typed = pa_value_entry_of(e->inference, e->instance, result)->typed;
  bool never = mlirValueIsNull(typed) || (pyarrayTypeIsNone(mlirValueGetType(typed)) && !pyarrayTypeIsNone(wanted) &&
                                          !pyarrayTypeIsOptional(wanted)); // it always raises
  if (!never) typed = pa_emit_choice(e, typed, mlirValueGetType(typed), wanted);
  return *out = never ? pa_value(e->builder, PA_OP_NAME(UNBOUND), PA_RESULTS(wanted)) : pa_emit_cast(e, typed, wanted),
         PA_OK;
}

static pa_status emit_from(pa_instance_emitter *e, MlirOperation op, MlirType type, intptr_t i, MlirValue number,
                           MlirType wanted, pa_status (*emit)(pa_instance_emitter *, MlirOperation), MlirValue *out) {
  if (i + 1 == pa_choice_count(type)) return emit_member(e, op, pa_choice_member(type, i), wanted, emit, out);
  MlirType boolean = mlirIntegerTypeGet(pa_emitter_context(e), 1);
  MlirValue is = pa_value(
      e->builder, "pyarray.compare", PA_OPERANDS(number, pa_emit_function_number(e, pa_choice_member(type, i))),
      PA_RESULTS(boolean), PA_ATTRS({"kind", pyarrayCompareKindAttrGet(pa_emitter_context(e), PYARRAY_COMPARE_EQ)}));
  MlirBlock blocks[2];
  MlirRegion regions[] = {pa_region(e->builder->location, NULL, 0, &blocks[0]),
                          pa_region(e->builder->location, NULL, 0, &blocks[1])};
  pa_builder *outer = e->builder, inner = {.context = outer->context, .location = outer->location};
  pa_status status = PA_OK;
  e->builder = &inner;
  for (int side = 0; side < 2 && !status && !inner.failure; ++side) {
    MlirValue value = {NULL};
    inner.block = blocks[side];
    status = side ? emit_from(e, op, type, i + 1, number, wanted, emit, &value)
                  : emit_member(e, op, pa_choice_member(type, i), wanted, emit, &value);
    if (!status && !inner.failure) pa_op(&inner, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(value));
  }
  e->builder = outer;
  if (!status)
    status = inner.failure;
  else
    pa_status_free(inner.failure);
  MlirOperation typed =
      pa_op(outer, PA_OP_NAME(SCF_IF), PA_OPERANDS(is), PA_RESULTS(wanted), PA_REGIONS(regions[0], regions[1]));
  if (!mlirOperationIsNull(typed)) *out = mlirOperationGetResult(typed, 0);
  return status;
}

pa_status pa_emit_choice_call(pa_instance_emitter *e, MlirOperation op,
                              pa_status (*emit)(pa_instance_emitter *, MlirOperation), bool *out_done) {
  MlirType callee = callee_type(e->inference, e->instance, op), type = called_choice(callee);
  *out_done = !mlirTypeIsNull(type);
  if (!*out_done) return PA_OK;
  MlirValue result = mlirOperationGetResult(op, 0), value = {NULL},
            number = pa_emitter_use(e, mlirOperationGetOperand(op, 0));
  if (pyarrayTypeIsOptional(callee))
    number = pa_emit_not_none(e, number, type, "TypeError", "'NoneType' object is not callable");
  MlirType wanted = pa_emitter_type(e, pa_emitter_fact(e, result));
  PA_TRY(emit_from(e, op, type, 0, number, wanted, emit, &value));
  if (!mlirValueIsNull(value)) pa_emitter_map(e, result, value);
  return PA_OK;
}
