// Of pyarray-infer-types: how deep and how long types may become. What follows walks them by recursion, and their codes have a limit.
#include "infer_internal.h"
#include "support/type_code.h"

static bool holds_one_type(MlirType type) {
  return pyarrayTypeIsList(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsOptional(type) || pyarrayTypeIsGenerator(type);
}

// The types that |type| holds, those in them too: `t = (t, t)` and `t = ([t], [t])` double them in every line.
static pa_status take_room(pa_typing *typing, MlirType type, int depth, int64_t *room) {
  if (--*room < 0)
    return pa_typing_fail(typing, PA_CODE_UNSUPPORTED, "a tuple of more than %d elements, nested ones included, is too long\nhint: use an array",
                          PA_TYPE_MAX_ELEMENTS);
  if (mlirTypeIsNull(type)) return PA_OK;
  if (pa_is_tagged(type, "namedtuple")) type = pyarrayTaggedTypeGetItem(type);
  bool tuple = mlirTypeIsATuple(type);
  if (!tuple && !holds_one_type(type)) return PA_OK;
  if (depth >= PA_TYPE_MAX_DEPTH)
    return pa_typing_fail(typing, PA_CODE_UNSUPPORTED, "tuples and containers nested more than %d levels deep are not compiled", PA_TYPE_MAX_DEPTH);
  for (intptr_t i = 0; tuple && i < mlirTupleTypeGetNumTypes(type); ++i)
    PA_TRY(take_room(typing, mlirTupleTypeGetType(type, i), depth + 1, room));
  if (tuple) return PA_OK;
  if (pyarrayTypeIsDict(type)) PA_TRY(take_room(typing, pyarrayDictTypeGetValue(type), depth + 1, room));
  return take_room(typing, pyarrayTypeGetItem(type), depth + 1, room);
}

pa_status pa_check_type_size(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = pa_fact_get(inference, instance, mlirOperationGetResult(op, i)).type;
    pa_typing typing = pa_typing_at(inference, op);
    int64_t room = PA_TYPE_MAX_ELEMENTS + 1;
    pa_status failure = take_room(&typing, type, 0, &room);
    if (!failure) continue;
    pa_infer_set_fact(inference, instance, mlirOperationGetResult(op, i), (pa_fact){0}); // what depends on it does not fail too
    return failure;
  }
  return PA_OK;
}
