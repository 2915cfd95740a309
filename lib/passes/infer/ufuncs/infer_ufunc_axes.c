// axis= of ufunc calls in pyarray-infer-types: of gufuncs with one core dimension, and of methods.
//
// reduce over several axes has as many core dimensions: a.reduce(x, axis=(0, 2)) of three axes is
//
//   %v = pyarray.transpose %x [1, 0, 2]
//   pyarray.ufunc "(n0,n1)->()" ins(%v)
#include <string.h>

#include "infer_ufunc.h"

//===-- Views -------------------------------------------------------------------------------------===//

MlirAttribute pa_axes_attr(MlirContext context, const pa_ufunc_call *call, int number, int rank, bool is_back) {
  int64_t axes[PA_TYPE_MAX_RANK];
  int count = 0, last = 0;
  bool is_core[PA_TYPE_MAX_RANK] = {false}, is_same = true;
  if (call->axis_count > 1 && number) return (MlirAttribute){NULL};
  int64_t axis = call->axis < 0 ? call->axis + rank : call->axis;
  for (int k = 0; k < call->axis_count; ++k) is_core[call->axes[k]] = call->axis_count > 1;
  if (call->axis_count < 2) is_core[is_back ? rank - 1 : axis] = true;
  for (int i = 0; i < rank; ++i)
    if (!is_core[i]) axes[count++] = i;
  if (is_back) {
    memmove(axes + axis + 1, axes + axis, (size_t)(count - axis) * sizeof *axes);
    axes[axis] = rank - 1;
  } else {
    for (int i = 0; i < rank; ++i)
      if (is_core[i]) axes[count + last++] = i;
  }
  for (int i = 0; i < rank; ++i) is_same = is_same && axes[i] == i;
  return is_same ? (MlirAttribute){NULL} : mlirDenseI64ArrayGet(context, rank, axes);
}

//===-- One axis ----------------------------------------------------------------------------------===//

static pa_status out_of_bounds(const pa_typing *typing, int64_t axis, int rank) {
  return pa_typing_fail(typing, PA_CODE_TYPING, "axis %lld is out of bounds for array of dimension %d", (long long)axis,
                        rank);
}

static pa_status check_single_core(const pa_typing *typing, const pa_ufunc_call *call) {
  int most = 0;
  for (int i = 0; i < pa_operand_count(call); ++i)
    most = call->core.operands[i].rank > most ? call->core.operands[i].rank : most;
  if (pa_is_method(call) || (call->core.dimension_count == 1 && most == 1)) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING,
                        "%s: axis can only be used with a single shared core dimension, not with signature %s",
                        call->name, pa_attr_text(typing->arena, call->signature));
}

// One axis for all operands, whose ranks may differ: from 0 on, or from the end.
static pa_status take_axis(const pa_typing *typing, pa_ufunc_call *call, int64_t axis) {
  call->moves_axis = true;
  call->axis = axis;
  PA_TRY(check_single_core(typing, call));
  for (int i = 0; i < pa_operand_count(call); ++i) {
    int rank = pa_is_bottom(call->facts[i]) ? 0 : pa_rank_of(call->facts[i].type);
    if (rank && pa_has_moved_axis(call, i) && (axis < -rank || axis >= rank)) return out_of_bounds(typing, axis, rank);
  }
  return PA_OK;
}

//===-- Several axes ------------------------------------------------------------------------------===//

// The elements of a tuple of constants, marked in |out_marks|.
static pa_status mark_axes(pa_inference *inference, pa_instance *instance, const pa_typing *typing,
                           const pa_ufunc_call *call, MlirValue tuple, int rank, bool *out_marks) {
  MlirOperation op = mlirValueIsAOpResult(tuple) ? mlirOpResultGetOwner(tuple) : (MlirOperation){NULL};
  bool is_known = !mlirOperationIsNull(op) && pa_kind(&inference->names, op) == PA_OP_TUPLE;
  for (intptr_t i = 0; is_known && i < mlirOperationGetNumOperands(op); ++i) {
    int64_t axis;
    if (!pa_literal_int(pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)), &axis))
      is_known = false;
    else if (axis < -rank || axis >= rank)
      return out_of_bounds(typing, axis, rank);
    else if (out_marks[axis < 0 ? axis + rank : axis])
      return pa_typing_fail(typing, PA_CODE_TYPING, "duplicate value in 'axis'");
    else
      out_marks[axis < 0 ? axis + rank : axis] = true;
  }
  return is_known
             ? PA_OK
             : pa_typing_fail(typing, PA_CODE_TYPING, "%s(): axis must be a constant in compiled code", call->name);
}

// The signature with a core dimension for each axis.
static pa_status take_axes(pa_inference *inference, const pa_typing *typing, pa_ufunc_call *call, int rank) {
  if (pa_ref_equal(mlirStringAttrGetValue(call->identity), "none"))
    return pa_typing_fail(typing, PA_CODE_TYPING,
                          "reduction operation '%s' is not reorderable, so at most one axis may be specified",
                          pa_ufunc_name(inference, call->folds, ""));
  const char *text = "(";
  for (int k = 0; k < call->axis_count; ++k) text = pa_arena_format(inference->arena, "%s%sn%d", text, k ? "," : "", k);
  text = pa_arena_format(inference->arena, "%s)%s->()", text, call->core.input_count == 2 ? ",()" : "");
  if (pa_core_signature_parse(text, strlen(text), &call->full))
    return pa_typing_fail(typing, PA_CODE_UNSUPPORTED, "%s() over %d axes at once is not supported in compiled code",
                          call->name, call->axis_count);
  call->core = call->full;
  call->called = call->signature = pa_string_attr(inference->context, text);
  call->rank = rank - call->axis_count;
  return PA_OK;
}

pa_status pa_read_ufunc_axis(pa_inference *inference, pa_instance *instance, const pa_typing *typing, const char *name,
                             MlirValue value, pa_ufunc_call *call) {
  int rank = pa_rank_of(call->facts[0].type);
  pa_fact fact = mlirValueIsNull(value) ? (pa_fact){0} : pa_fact_get(inference, instance, value);
  bool is_none = !mlirValueIsNull(value) && pyarrayTypeIsNone(fact.type), marks[PA_TYPE_MAX_RANK] = {false};
  int64_t axis = 0;
  if (mlirValueIsNull(value) || (is_none && (!pa_is_method(call) || rank == 1))) {
    if (!pa_is_method(call)) return PA_OK;
  } else if (is_none || mlirTypeIsATuple(fact.type)) {
    if (!pa_is_reduce(call))
      return pa_typing_fail(
          typing, PA_CODE_UNSUPPORTED,
          "%s() over several axes at once is not supported in compiled code\nhint: one axis after the other", name);
    for (int i = 0; is_none && i < rank; ++i) marks[i] = true;
    if (!is_none) PA_TRY(mark_axes(inference, instance, typing, call, value, rank, marks));
    for (int i = 0; i < rank; ++i)
      if (marks[i]) call->axes[call->axis_count++] = i;
    if (!call->axis_count)
      return pa_typing_fail(typing, PA_CODE_UNSUPPORTED, "%s() over no axis is not supported in compiled code", name);
    if (call->axis_count > 1) return take_axes(inference, typing, call, rank);
    axis = call->axes[0];
  } else if (!pa_literal_int(fact, &axis)) {
    if (!pa_is_library_function(instance->function)) pa_demand_literal(inference, instance, value);
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): axis must be a constant integer in compiled code", name);
  }
  PA_TRY(take_axis(typing, call, axis));
  call->axis_count = pa_is_reduce(call);
  call->axes[0] = axis < 0 ? axis + rank : axis;
  return PA_OK;
}
