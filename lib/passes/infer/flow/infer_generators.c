// Generators in pyarray-infer-types: a call of a function with `pyarray.generator` gives !pyarray.generator<T>, T
// joined from all that it yields.
//
//   pyarray.suspend %x : !pyarray.any        in a function whose result becomes !pyarray.generator<f64>
#include "infer_calls.h"
#include "infer_emit.h"
#include "infer_flow.h"
#include "infer_signs.h"

pa_status pa_check_generator(pa_inference *inference, const pa_instance *instance) {
  bool fits = !pa_is_generator(instance->function) || mlirTypeIsNull(instance->declared) ||
              pyarrayTypeIsGenerator(instance->declared);
  if (fits) return PA_OK;
  return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(instance->function),
                    "a function with 'yield' gives a generator, not the declared %s",
                    pa_type_text(inference->arena, instance->declared));
}

pa_status pa_walk_suspend(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_fact before = instance->result, item = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  pa_fact all =
      pa_is_bottom(before) ? before : pa_with_signs(pa_fact_of(pyarrayTypeGetItem(before.type)), before.signs);
  PA_TRY(pa_check_leaves(inference, op, item));
  PA_TRY(pa_infer_carry(inference, instance->function.ptr, op, 0, &all, (MlirValue){NULL},
                        pa_with_signs(pa_fact_of(item.type), item.signs), (MlirValue){NULL}));
  instance->result = pa_with_signs(pa_fact_of(pyarrayGeneratorTypeGet(all.type)), all.signs);
  if (!pa_fact_equal(before, instance->result)) ++inference->changes;
  return PA_OK;
}

// Items of type any are none at all; Python gets a generator of None.
pa_fact pa_generator_without_items(pa_inference *inference, const pa_instance *instance) {
  if (!pa_is_bottom(instance->result) || !instance->yields_nothing) return instance->result;
  return pa_fact_of(pyarrayGeneratorTypeGet(instance->entry ? pyarrayNoneTypeGet(inference->context)
                                                            : pyarrayAnyTypeGet(inference->context)));
}

bool pa_type_empty_generators(pa_inference *inference) {
  bool any = false;
  for (pa_instance *instance = inference->first; instance; instance = instance->next) {
    bool nothing = pa_is_generator(instance->function) && pa_is_bottom(instance->result) && !instance->yields_nothing;
    instance->yields_nothing |= nothing;
    any |= nothing;
  }
  return any;
}

//===-- Operations --------------------------------------------------------------------------------===//

// `x in g` is a function of the library.
pa_status pa_plan_generator_operation(pa_class_operation *o) {
  if (o->kind != PA_OP_COMPARE) return PA_OK;
  pyarray_compare_kind kind = pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirValue value = mlirOperationGetOperand(o->op, 0), generator = mlirOperationGetOperand(o->op, 1);
  MlirType type = pa_fact_get(o->inference, o->instance, generator).type;
  if ((kind != PYARRAY_COMPARE_IN && kind != PYARRAY_COMPARE_NOTIN) || mlirTypeIsNull(type) ||
      !pyarrayTypeIsGenerator(type))
    return PA_OK;
  o->plan->truth = true;
  o->plan->negated = kind == PYARRAY_COMPARE_NOTIN;
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, "builtins.contains_item"),
                          (MlirValue[]){generator, value}, 2);
}

static void raise_if(pa_instance_emitter *e, MlirValue condition, const char *text) {
  MlirContext context = pa_emitter_context(e);
  MlirBlock raising;
  MlirRegion region = pa_region(e->builder->location, NULL, 0, &raising);
  pa_builder inner = {.context = context, .block = raising, .location = e->builder->location};
  MlirValue message = pa_value(&inner, PA_OP_NAME(CONSTANT), PA_RESULTS(pyarrayStrTypeGet(context)),
                               PA_ATTRS({"value", pa_string_attr(context, text)}));
  pa_op(&inner, PA_OP_NAME(RAISE), PA_OPERANDS(message),
        PA_ATTRS({"exception", pa_string_attr(context, "ValueError")}));
  pa_op(&inner, PA_OP_NAME(SCF_YIELD), .operand_count = 0);
  if (inner.failure && !e->builder->failure) e->builder->failure = inner.failure;
  pa_op(e->builder, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition), PA_REGIONS(region, mlirRegionCreate()));
}

// One item more is asked for than there are targets.
pa_status pa_emit_unpack_generator(pa_instance_emitter *e, MlirOperation op, MlirValue source) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirValue generator = pa_emitter_use(e, source);
  MlirType item = pyarrayTypeGetItem(mlirValueGetType(generator)),
           boolean = mlirIntegerTypeGet(pa_emitter_context(e), 1);
  for (intptr_t i = 0; i <= count; ++i) {
    MlirOperation next = pa_op(e->builder, PA_OP_NAME(ITER_NEXT), PA_OPERANDS(generator), PA_RESULTS(boolean, item));
    if (mlirOperationIsNull(next)) return PA_OK;
    MlirValue more = mlirOperationGetResult(next, 0);
    if (i == count)
      return raise_if(e, more,
                      pa_arena_format(e->inference->arena, "too many values to unpack (expected %d)", (int)count)),
             PA_OK;
    MlirValue none = pa_value(e->builder, PA_OP_NAME(UNARY), PA_OPERANDS(more), PA_RESULTS(boolean),
                              PA_ATTRS({"kind", pyarrayUnaryKindAttrGet(pa_emitter_context(e), PYARRAY_UNARY_NOT)}));
    raise_if(
        e, none,
        pa_arena_format(e->inference->arena, "not enough values to unpack (expected %d, got %d)", (int)count, (int)i));
    pa_emitter_map(e, mlirOperationGetResult(op, i), mlirOperationGetResult(next, 1));
  }
  return PA_OK;
}
