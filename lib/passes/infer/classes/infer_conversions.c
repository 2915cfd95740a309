// Instances of classes where a number is needed, in pyarray-infer-types: their __index__ and __float__, by functions of
// the Python library.
//
//   %0 = pyarray.getitem %list[%p]          @operator.getitem with (%list, @builtins.index_of with (%p))
//   %0 = pyarray.apply %sqrt(%p)            math.sqrt of (@builtins.float_of with (%p))
#include <string.h>

#include "infer_calls.h"
#include "infer_classes.h"
#include "ir/classes.h"

static const char integer_of[] = "builtins.index_of", real_of[] = "builtins.float_of";

static bool has(const pa_inference *inference, MlirType type, const char *method) {
  return !mlirTypeIsNull(type) && pyarrayTypeIsObject(type) &&
         pa_class_has_entry(inference->module, type, "methods", method);
}

// The function that makes the number which |builtin| needs; NULL where it needs none.
static const char *conversion_of(const pa_builtin *builtin) {
  static const pa_builtin_typing integers[] = {PA_TYPING_INT1, PA_TYPING_INT2,  PA_TYPING_INT_MANY,
                                               PA_TYPING_PERM, PA_TYPING_RANGE, PA_TYPING_TEXT_BASE};
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i)
    if (builtin->typing == integers[i]) return integer_of;
  if (strcmp(builtin->name, "builtins.chr") == 0) return integer_of;
  return strncmp(builtin->name, "math.", 5) == 0 ? real_of : NULL;
}

pa_status pa_take_numbers(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                          intptr_t first, bool *out_bottom) {
  const char *conversion = conversion_of(builtin);
  *out_bottom = false;
  for (intptr_t i = first; conversion && i < inference->given_count; ++i) {
    MlirValue *value = &inference->given[i];
    MlirType type = pa_fact_get(inference, instance, *value).type;
    bool index = has(inference, type, "__index__"), real = conversion == real_of && has(inference, type, "__float__");
    if (!index && !real) continue;
    PA_TRY(pa_make_call(inference, instance, op, real ? real_of : integer_of, *value, value));
    *out_bottom = *out_bottom || pa_is_bottom(pa_fact_get(inference, instance, *value));
  }
  return PA_OK;
}

// x[p], where the class of p has __index__ and x is no dict.
pa_status pa_plan_index(pa_class_operation *o) {
  const char *function = o->kind == PA_OP_GETITEM   ? "operator.getitem"
                         : o->kind == PA_OP_SETITEM ? "operator.setitem"
                                                    : "operator.delitem";
  if (mlirOperationGetNumOperands(o->op) != 2 + (o->kind == PA_OP_SETITEM)) return PA_OK;
  MlirValue arguments[3];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(o->op); ++i) arguments[i] = mlirOperationGetOperand(o->op, i);
  MlirType container = pa_fact_get(o->inference, o->instance, arguments[0]).type;
  if (mlirTypeIsNull(container) || pa_container_of(container) == PA_DICT || pyarrayTypeIsObject(container))
    return PA_OK;
  if (!has(o->inference, pa_fact_get(o->inference, o->instance, arguments[1]).type, "__index__")) return PA_OK;
  PA_TRY(pa_make_call(o->inference, o->instance, o->op, integer_of, arguments[1], &arguments[1]));
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments,
                          mlirOperationGetNumOperands(o->op));
}
