// Displays of lists that are arguments and nothing else: what reads them alone may take tuples of their items, for
// which no list is made.
//
//   np.array([[x, y], [z, 1]])      the argument is ((x, y), (z, 1))
#include "infer_internal.h"

enum { PA_MOST_DISPLAYED = 256 };

static bool is_used_once(MlirValue value) {
  MlirOpOperand first = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(first) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(first));
}

// The display that makes |value|, a list or tuple that nothing else sees; null for all else.
static MlirOperation display_of(pa_inference *inference, MlirValue value) {
  MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value)) return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  pa_op_kind kind = pa_kind(&inference->names, op);
  bool fits = (kind == PA_OP_TUPLE || kind == PA_OP_LIST) && is_used_once(value);
  return fits && mlirOperationGetNumOperands(op) > 0 && mlirOperationGetNumOperands(op) <= PA_MOST_DISPLAYED ? op
                                                                                                             : none;
}

static bool has_list(pa_inference *inference, MlirValue value) {
  MlirOperation op = display_of(inference, value);
  if (mlirOperationIsNull(op)) return false;
  bool has = pa_kind(&inference->names, op) == PA_OP_LIST;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !has; ++i)
    has = has_list(inference, mlirOperationGetOperand(op, i));
  return has;
}

MlirValue pa_make_displayed(pa_inference *inference, pa_instance *instance, MlirOperation at, MlirValue value) {
  MlirOperation op = display_of(inference, value);
  if (!has_list(inference, value)) return value;
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *parts = PA_NEW_ARRAY(inference->arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) {
    parts[i] = pa_make_displayed(inference, instance, at, mlirOperationGetOperand(op, i));
    if (pa_is_bottom(pa_fact_get(inference, instance, parts[i]))) return value;
  }
  return pa_make_read_tuple(inference, instance, at, parts, (int)count);
}
