// Exceptions in pyarray-infer-types: what an exception can hold.
//
//   pyarray.raise "ValueError"(%text, %x)      a literal, and numbers, None and tuples of these that are computed
#include <string.h>

#include "infer_flow.h"

bool pa_exception_can_hold(MlirType type) {
  if (!mlirTypeIsATuple(type))
    return pa_scalar_of(type) != PA_NOT_SCALAR || pyarrayTypeIsNone(type) || pa_is_text(type);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!pa_exception_can_hold(mlirTupleTypeGetType(type, i))) return false;
  return true;
}

static bool holds_time(MlirType type) {
  if (!mlirTypeIsATuple(type)) return pa_is_time(type);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (holds_time(mlirTupleTypeGetType(type, i))) return true;
  return false;
}

static bool is_tuple_op(pa_inference *inference, MlirValue value) {
  return mlirValueIsAOpResult(value) && pa_kind(&inference->names, mlirOpResultGetOwner(value)) == PA_OP_TUPLE;
}

// What an exception can hold: literals, plain values, and tuples made of these in place.
static bool fits(pa_inference *inference, pa_instance *instance, MlirValue argument) {
  pa_fact fact = pa_fact_get(inference, instance, argument);
  if (pa_exception_can_hold(fact.type)) return true;
  if (!mlirTypeIsATuple(fact.type) || !is_tuple_op(inference, argument))
    return !mlirAttributeIsNull(fact.literal) && !holds_time(fact.type);
  MlirOperation tuple = mlirOpResultGetOwner(argument);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(tuple); ++i)
    if (!fits(inference, instance, mlirOperationGetOperand(tuple, i))) return false;
  return true;
}

pa_status pa_check_raise(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  bool from = pa_kind(&inference->names, op) == PA_OP_CAUSE && mlirAttributeIsNull(pa_get_attr(op, "exception"));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type;
    if (from && !pyarrayTypeIsException(type))
      return pa_typing_fail(&typing, PA_CODE_TYPING, "exception causes must derive from BaseException, and %s does not",
                            pa_type_text(inference->arena, type));
    if (from || fits(inference, instance, mlirOperationGetOperand(op, i))) continue;
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED,
                          "a value of type %s as an exception's argument is not compiled yet\n"
                          "hint: literals, numbers, text and tuples of these are",
                          pa_type_text(inference->arena, type));
  }
  return PA_OK;
}

pa_status pa_check_reraise(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  if (!mlirOperationGetNumOperands(op)) return PA_OK;
  MlirType type = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type;
  if (mlirTypeIsNull(type) || pyarrayTypeIsException(type)) return PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  return pa_typing_fail(&typing, PA_CODE_TYPING,
                        "exceptions must derive from BaseException, and %s does not\n"
                        "hint: name the class, as in raise ValueError(\"message\")",
                        pa_type_text(inference->arena, type));
}

static bool holds_exception(MlirType type) {
  if (pa_is_tagged(type, "exception class")) return true;
  if (!mlirTypeIsATuple(type)) return pyarrayTypeIsException(type);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (holds_exception(mlirTupleTypeGetType(type, i))) return true;
  return false;
}

pa_status pa_check_leaves(pa_inference *inference, MlirOperation op, pa_fact fact) {
  if (pa_is_bottom(fact) || !holds_exception(fact.type)) return PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED,
                        "an exception that leaves the handler which caught it is not compiled yet\n"
                        "hint: raise it there, or keep what is needed of it in variables");
}

const pa_builtin *pa_text_builtin(const pa_builtin *builtin, MlirType type) {
  bool repr = strcmp(builtin->name, "builtins.repr") == 0, str = strcmp(builtin->name, "builtins.str") == 0;
  if ((!repr && !str) || mlirTypeIsNull(type) || !pyarrayTypeIsException(type)) return builtin;
  return pa_builtin_find(pa_ref(repr ? "exception.repr" : "exception.str"));
}
