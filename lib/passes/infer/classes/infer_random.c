// NumPy's Generators and BitGenerators in pyarray-infer-types: their attribute, and loops that share one. Their methods
// are rows of builtins.def.
#include "infer_calls.h"
#include "infer_classes.h"

pa_status pa_plan_random_operation(pa_class_operation *o) {
  MlirType type = pa_operand_type(o, 0);
  if (!pa_is_random(type) || o->kind != PA_OP_GETATTR) return PA_OK;
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  MlirValue self = pa_operand_of(o, 0);
  if (pa_ref_equal(name, "bit_generator") && !pa_is_bit_generator(type))
    return pa_plan_function(o, pa_symbol_attr(o->inference->context, "numpy.generator.bit_generator"), &self, 1);
  PA_TRY(pa_bind_method(o));
  if (o->plan->kind != PA_CLASS_NOTHING) return PA_OK;
  return pa_typing_fail(&o->typing, PA_CODE_TYPING, "'%s' has no attribute '%.*s' that compiled code knows",
                        pa_type_text(o->inference->arena, type), (int)name.length, name.data);
}

// One itself, or a function that captured one.
static bool holds_random(MlirType type) {
  if (mlirTypeIsNull(type) || pa_is_random(type)) return !mlirTypeIsNull(type);
  MlirType captured = pa_is_tagged(type, "function") ? pyarrayTaggedTypeGetItem(type) : (MlirType){NULL};
  for (intptr_t i = 0; !mlirTypeIsNull(captured) && i < mlirTupleTypeGetNumTypes(captured); ++i)
    if (holds_random(mlirTupleTypeGetType(captured, i))) return true;
  return false;
}

static bool is_inside(MlirValue value, MlirOperation loop) {
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                                 : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop)) op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op) &&
         (!mlirValueIsAOpResult(value) || !mlirOperationEqual(mlirOpResultGetOwner(value), loop));
}

static bool block_shares(pa_inference *inference, pa_instance *instance, MlirBlock block, MlirOperation loop) {
  PA_FOR_EACH_OP(op, block) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue value = mlirOperationGetOperand(op, i);
      if (holds_random(pa_fact_get(inference, instance, value).type) && !is_inside(value, loop)) return true;
    }
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r)) && block_shares(inference, instance, pa_body(op, r), loop)) return true;
  }
  return false;
}

bool pa_shares_random(pa_inference *inference, pa_instance *instance, MlirOperation loop) {
  return block_shares(inference, instance, pa_body(loop, 0), loop);
}
