// How an operand of an expanded ufunc steps along the last loop dimension, by what made it: most programs slice arrays
// whose elements lie in C order, so that what NumPy finds out when it runs is known here.
//
//   %r = pyarray.getitem %a[%rows, %columns]       a C array, columns i:j without a step: contiguous along them
//   %n = pyarray.insert_axes %v [1]                one element
//   %x = pyarray.broadcast_to %n to(%0, %1)        stride 0 along the last dimension
#include "expand.h"
#include "integer_facts.h"
#include "linear.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static intptr_t rank_of(MlirValue array) { return pyarrayArrayTypeGetRank(mlirValueGetType(array)); }

static pa_step unknown(void) { return (pa_step){PA_STEP_UNKNOWN, false}; }

static pa_step of_subscript(const pa_names *names, MlirOperation op) {
  MlirValue array = operand(op, 0);
  intptr_t given = mlirOperationGetNumOperands(op) - 1, slices = 0;
  if (!pyarrayTypeIsArray(mlirValueGetType(array))) return unknown();
  for (intptr_t i = 0; i < given; ++i) {
    MlirType index = mlirValueGetType(operand(op, 1 + i));
    if (!pyarrayTypeIsSlice(index) && !pa_is_integer(pa_scalar_of(index))) return unknown();
    slices += pyarrayTypeIsSlice(index);
  }
  intptr_t rank = rank_of(array);
  if (given > rank || rank_of(mlirOperationGetResult(op, 0)) != rank - given + slices) return unknown();
  pa_step step = pa_inner_step(names, array);
  if (given < rank) return step;
  MlirType last = mlirValueGetType(operand(op, given));
  if (!pyarrayTypeIsSlice(last) || !pyarrayTypeIsNone(pyarraySliceTypeGetPart(last, 2))) return unknown();
  step.is_part = step.is_part || !pa_is_full_slice(last);
  return step;
}

static pa_step of_broadcast(const pa_names *names, MlirOperation op) {
  MlirValue array = operand(op, 0);
  if (rank_of(mlirOperationGetResult(op, 0)) != mlirOperationGetNumOperands(op) - 1) return unknown(); // has a core
  if (!rank_of(array)) return (pa_step){PA_STEP_NONE, false};
  pa_step step = pa_inner_step(names, array);
  if (step.kind == PA_STEP_ONE) step.kind = PA_STEP_ONE_OR_NONE;
  return step;
}

static pa_step of_new_axes(const pa_names *names, MlirOperation op) {
  MlirAttribute axes = pa_get_attr(op, "axes");
  intptr_t added = mlirDenseArrayGetNumElements(axes), last = rank_of(mlirOperationGetResult(op, 0)) - 1;
  if (added && mlirDenseI64ArrayGetElement(axes, added - 1) == last) return (pa_step){PA_STEP_NONE, false};
  return pa_inner_step(names, operand(op, 0));
}

// Of arrays in C order all elements are one row.
static pa_step of_ordered(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue array = operand(op, i);
    if (pyarrayArrayTypeGetLayout(mlirValueGetType(array)) != PYARRAY_LAYOUT_C ||
        rank_of(array) != mlirIntegerAttrGetValueInt(pa_get_attr(op, "loop_rank")))
      return unknown();
  }
  return (pa_step){PA_STEP_ONE, false};
}

static pa_step of_branches(const pa_names *names, MlirOperation op, intptr_t result) {
  pa_step step[2];
  for (intptr_t r = 0; r < 2; ++r) {
    MlirBlock block = pa_body(op, r);
    if (mlirBlockIsNull(block)) return unknown();
    step[r] = pa_inner_step(names, operand(mlirBlockGetTerminator(block), result));
  }
  step[0].is_part = step[0].is_part || step[1].is_part;
  return step[0].kind == step[1].kind ? step[0] : unknown();
}

pa_step pa_inner_step(const pa_names *names, MlirValue array) {
  MlirType type = mlirValueGetType(array);
  if (!pyarrayTypeIsArray(type) || !pyarrayArrayTypeGetRank(type)) return unknown();
  bool made = mlirValueIsAOpResult(array);
  MlirOperation op = made ? mlirOpResultGetOwner(array) : (MlirOperation){NULL};
  pa_op_kind kind = made ? pa_kind(names, op) : PA_OP_OTHER;
  if (kind == PA_OP_INSERT_AXES) return of_new_axes(names, op);
  if (pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C) return (pa_step){PA_STEP_ONE, false};
  switch (kind) {
  case PA_OP_GETITEM: return of_subscript(names, op);
  case PA_OP_BROADCAST_TO: return of_broadcast(names, op);
  case PA_OP_ORDER_DIMENSIONS: return of_ordered(op);
  case PA_OP_CAST: return pa_inner_step(names, operand(op, 0));
  case PA_OP_SCF_IF: return of_branches(names, op, mlirOpResultGetResultNumber(array));
  default: return unknown();
  }
}

static bool is_step_apart(const pa_names *names, MlirValue slice) {
  MlirOperation op = pa_defining_op(slice);
  int64_t step;
  return !mlirOperationIsNull(op) && pa_kind(names, op) == PA_OP_SLICE &&
         !pyarrayTypeIsNone(mlirValueGetType(operand(op, 2))) && pa_integer_known(names, operand(op, 2), &step) &&
         step != 1;
}

static bool takes_apart(const pa_names *names, MlirOperation op) {
  MlirValue array = operand(op, 0);
  intptr_t given = mlirOperationGetNumOperands(op) - 1;
  if (!pyarrayTypeIsArray(mlirValueGetType(array))) return false;
  for (intptr_t i = 0; i < given; ++i) {
    MlirType index = mlirValueGetType(operand(op, 1 + i));
    if (!pyarrayTypeIsSlice(index) && !pa_is_integer(pa_scalar_of(index))) return false;
  }
  if (given == rank_of(array) && given && pa_inner_step(names, array).kind == PA_STEP_ONE) {
    MlirValue last = operand(op, given);
    return !pyarrayTypeIsSlice(mlirValueGetType(last)) || is_step_apart(names, last);
  }
  return pa_has_gaps(names, array);
}

bool pa_has_gaps(const pa_names *names, MlirValue array) {
  MlirType type = mlirValueGetType(array);
  if (!pyarrayTypeIsArray(type) || !pyarrayArrayTypeGetRank(type) || !mlirValueIsAOpResult(array)) return false;
  MlirOperation op = mlirOpResultGetOwner(array);
  intptr_t result = mlirOpResultGetResultNumber(array);
  switch (pa_kind(names, op)) {
  case PA_OP_GETITEM: return takes_apart(names, op);
  case PA_OP_BROADCAST_TO: // along a dimension that is new it is one element, over and over
    return rank_of(operand(op, 0)) == pyarrayArrayTypeGetRank(type) && pa_has_gaps(names, operand(op, 0));
  case PA_OP_CAST: return pa_has_gaps(names, operand(op, 0));
  case PA_OP_ORDER_DIMENSIONS: return pa_has_gaps(names, operand(op, result));
  case PA_OP_SCF_IF: // memory of its own in place of what is written to, where that overlaps
    for (intptr_t r = 0; r < 2; ++r)
      if (!mlirBlockIsNull(pa_body(op, r)) &&
          pa_has_gaps(names, operand(mlirBlockGetTerminator(pa_body(op, r)), result)))
        return true;
    return false;
  default: return false;
  }
}
