// Of pyarray-fuse: values that are changed in place are new values.
//
//   %t = pyarray.ufunc ins(%x) { ... } -> ...                                             t = a[x]
//   pyarray.ufunc "(),()->()" ins(%t, %v) outs(%t) { add }                                t += v
//   (what reads %t)
// becomes
//   %n = pyarray.ufunc_shape "(),()->()" ins(%t, %v) outs(%t)                              raises as it did
//   %u = pyarray.ufunc "(),()->()" ins(%t, %v) { add } -> ... {shapes = array<i64: 0>}
//   (what reads %u)
//
// So %t may be computed in %u; where it is not, %u takes its memory (fuse_reuse.c). What several indices choose stays:
// to find its elements takes longer than the pass over memory in cache that this would save.
#include "fuse_internal.h"
#include "support/core_signature.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

// The input that the one output of |op| is, which a ufunc has made; -1: there is none.
static int changed_input(const pa_names *names, MlirOperation op) {
  int inputs = pa_input_count(op);
  if (!pa_is_elementwise(names, op) || mlirOperationGetNumOperands(op) != inputs + 1 ||
      !mlirAttributeIsNull(pa_get_attr(op, "assigns")))
    return -1;
  MlirValue value = operand(op, inputs), yielded = operand(mlirBlockGetTerminator(pa_body(op, 0)), 0);
  if (!pa_is_array_with_axes(value) || !mlirValueIsAOpResult(value) ||
      !mlirTypeEqual(mlirValueGetType(yielded), pyarrayArrayTypeGetElement(mlirValueGetType(value))))
    return -1;
  MlirOperation made = mlirOpResultGetOwner(value);
  if (!pa_is_elementwise(names, made) || !mlirBlockEqual(mlirOperationGetBlock(made), mlirOperationGetBlock(op)))
    return -1;
  for (int i = 0; i < inputs; ++i)
    if (mlirValueEqual(operand(op, i), value)) return i;
  return -1;
}

// Whether |op| comes before |user|, or what it is in.
static bool is_before(MlirOperation op, MlirOperation user) {
  MlirBlock block = mlirOperationGetBlock(op);
  while (!mlirOperationIsNull(user) && !mlirBlockEqual(mlirOperationGetBlock(user), block))
    user = mlirOperationGetParentOperation(user);
  return !mlirOperationIsNull(user) && !mlirOperationEqual(op, user) && mlirOperationIsBeforeInBlock(op, user);
}

// Nobody but |op| reads the value before it is changed, or has a view of it.
static bool is_read_behind(const pa_names *names, MlirValue value, MlirOperation op) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirOperationEqual(user, op) && !pa_is_question(names, user) && !is_before(op, user)) return false;
  }
  return true;
}

// No input has more axes than the value. |*out_checked|: one may have another shape.
static bool fits(MlirOperation op, MlirValue value, bool *out_checked) {
  *out_checked = false;
  for (int i = 0; i < pa_input_count(op); ++i) {
    MlirValue input = operand(op, i);
    if (!pa_is_array_with_axes(input) || mlirValueEqual(input, value)) continue;
    *out_checked = true;
    if (pyarrayArrayTypeGetRank(mlirValueGetType(input)) > pyarrayArrayTypeGetRank(mlirValueGetType(value)))
      return false;
  }
  return true;
}

static void leave_shape(pa_fusing *f, pa_builder *at, MlirOperation op, MlirValue value) {
  MlirValue operands[PA_MAX_OPERANDS + 1];
  int count = pa_input_count(op), rank = (int)pyarrayArrayTypeGetRank(mlirValueGetType(value));
  MlirType *types = PA_NEW_ARRAY(f->arena, MlirType, rank);
  int32_t segments[] = {count, 1};
  for (int i = 0; i <= count; ++i) operands[i] = operand(op, i);
  for (int d = 0; d < rank; ++d) types[d] = mlirIntegerTypeSignedGet(at->context, 64);
  pa_op(at, PA_OP_NAME(UFUNC_SHAPE), PA_OPERAND_ARRAY(operands, count + 1), PA_RESULT_ARRAY(types, rank),
        PA_ATTRS({"signature", pa_get_attr(op, "signature")},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, 2, segments)},
                 {"pyarray.name", pa_get_attr(op, "pyarray.name")}));
}

static void use_behind(MlirOperation op, MlirValue value, MlirValue result) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value), next; !mlirOpOperandIsNull(use); use = next) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    next = mlirOpOperandGetNextUse(use);
    if (is_before(op, user)) mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), result);
  }
}

pa_status pa_make_value(pa_fusing *f, MlirOperation op) {
  int input = changed_input(&f->names, op), inputs = pa_input_count(op);
  bool checked;
  if (input < 0) return PA_OK;
  MlirValue value = operand(op, input), operands[PA_MAX_OPERANDS];
  if (pa_gathers_by_several(f, pa_body(mlirOpResultGetOwner(value), 0))) return PA_OK;
  if (!is_read_behind(&f->names, value, op) || !fits(op, value, &checked)) return PA_OK;
  pa_builder at = pa_builder_before(f, op);
  int32_t segments[] = {inputs, 0};
  int64_t shaped = input;
  if (checked) leave_shape(f, &at, op, value);
  for (int i = 0; i < inputs; ++i) operands[i] = operand(op, i);
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(op, 0));
  MlirOperation made = pa_op(&at, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, inputs),
                             PA_RESULTS(mlirValueGetType(value)), PA_REGIONS(body),
                             PA_ATTRS({"signature", pa_get_attr(op, "signature")},
                                      {"operandSegmentSizes", mlirDenseI32ArrayGet(at.context, 2, segments)},
                                      {"shapes", mlirDenseI64ArrayGet(at.context, 1, &shaped)},
                                      {"pyarray.name", pa_get_attr(op, "pyarray.name")},
                                      {"pyarray.options", pa_get_attr(op, "pyarray.options")}));
  if (mlirOperationIsNull(made)) return at.failure;
  use_behind(op, value, mlirOperationGetResult(made, 0));
  pa_remove(f, op);
  return PA_OK;
}
