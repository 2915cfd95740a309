// Of pyarray-lower: views that the Python library asks for.
//
//   %v = pyarray.builtin "...strided"(%a, %first, %n, %m, %s, %t)     memref.reinterpret_cast; strides in bytes
//   %v = pyarray.builtin "...retyped"(%a)                             the descriptor of %a, in elements of another size
//   %v = pyarray.builtin "...complex_part"(%a, %1)                    the same: every second float
//   %v = pyarray.builtin "pyarray.reshaped"(%a, %n, %m)               where the runtime finds strides, a view; else the
//                                                                     view of a copy in C order
#include <string.h>

#include "lower_arrays.h"

MlirValue pa_view_memory(pa_lowering *lower, const pa_array *array, MlirType type, MlirValue offset,
                         const MlirValue *sizes, const MlirValue *strides) {
  int rank = (int)pyarrayArrayTypeGetRank(type), count = 0;
  int64_t shape[PA_MAX_RANK];
  for (int i = 0; i < rank; ++i) shape[i] = mlirShapedTypeGetDynamicSize();
  MlirType plain = pyarrayArrayTypeGet(lower->context, rank, shape, pyarrayArrayTypeGetElement(type), PYARRAY_LAYOUT_A,
                                       pyarrayArrayTypeIsReadonly(type)),
           memref = pa_lower_array_type(lower, plain);
  MlirValue operands[2 * PA_MAX_RANK + 2];
  int64_t dynamic_sizes[PA_MAX_RANK], dynamic_strides[PA_MAX_RANK],
      dynamic_offset = mlirShapedTypeGetDynamicStrideOrOffset();
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return array->memref;
  operands[count++] = mlirOperationGetResult(parts, 0);
  operands[count++] = offset;
  for (int i = 0; i < rank; ++i) operands[count++] = sizes[i];
  for (int i = 0; i < rank; ++i) operands[count++] = strides[i];
  for (int i = 0; i < rank; ++i) {
    dynamic_sizes[i] = mlirShapedTypeGetDynamicSize();
    dynamic_strides[i] = mlirShapedTypeGetDynamicStrideOrOffset();
  }
  int32_t segments[] = {1, 1, rank, rank};
  MlirValue result =
      pa_value(&lower->builder, "memref.reinterpret_cast", PA_OPERAND_ARRAY(operands, count), PA_RESULTS(memref),
               PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(lower->context, 1, &dynamic_offset)},
                        {"static_sizes", mlirDenseI64ArrayGet(lower->context, rank, dynamic_sizes)},
                        {"static_strides", mlirDenseI64ArrayGet(lower->context, rank, dynamic_strides)},
                        {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 4, segments)}));
  return pa_cast_memref(lower, result, pa_lower_array_type(lower, type));
}

static void finish_array(pa_lowering *lower, const pa_builtin_call *call, MlirValue memref, MlirValue owner) {
  pa_set(lower, pa_result(call->op), (MlirValue[]){memref, owner}, 2);
}

static bool array_operand(pa_lowering *lower, const pa_builtin_call *call, pa_array *out) {
  bool fits = call->count > 0 && pyarrayTypeIsArray(mlirValueGetType(pa_operand(call->op, 0)));
  if (!fits)
    pa_lower_fail(lower, "%s takes an array", call->row->name);
  else
    *out = pa_array_of(lower, pa_operand(call->op, 0));
  return fits && !pa_failed(&lower->builder);
}

// Bytes to elements, of which they are a multiple: LLVM then sees the bytes of i * stride as steps of a loop.
static MlirValue shifted(pa_lowering *lower, MlirValue value, int64_t size) {
  int shift = __builtin_ctzll((unsigned long long)size);
  if (!shift) return value;
  return pa_value(&lower->builder, "arith.shrsi", PA_OPERANDS(value, pa_int(lower, lower->i64, shift)),
                  PA_RESULTS(lower->i64), PA_ATTRS({"isExact", mlirUnitAttrGet(lower->context)}));
}

//===-- Strides -----------------------------------------------------------------------------------===//

static void lower_strided(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array;
  MlirType type = mlirValueGetType(pa_result(call->op));
  int rank = pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) : -1;
  if (!array_operand(lower, call, &array)) return;
  if (call->count != 2 + 2 * rank) {
    pa_lower_fail(lower, "%s has an extent and a stride for each axis", call->row->name);
    return;
  }
  MlirOperation parts = pa_strided_metadata(lower, &array);
  if (mlirOperationIsNull(parts)) return;
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK];
  int64_t bytes = pa_scalar_bytes(array.element);
  for (int axis = 0; axis < rank; ++axis) {
    sizes[axis] = pa_to_index(lower, pa_argument(lower, call, 2 + axis));
    strides[axis] = pa_to_index(lower, shifted(lower, pa_argument(lower, call, 2 + rank + axis), bytes));
  }
  MlirValue first = pa_to_index(lower, shifted(lower, pa_argument(lower, call, 1), bytes)),
            offset = pa_binary(lower, "arith.addi", mlirOperationGetResult(parts, 1), first);
  finish_array(lower, call, pa_view_memory(lower, &array, type, offset, sizes, strides), array.owner);
}

//===-- Other elements ----------------------------------------------------------------------------===//

// What becomes of one axis where elements of |from| bytes are seen as elements of |to| bytes.
static void retype_axis(pa_lowering *lower, int64_t from, int64_t to, bool last, MlirValue *size, MlirValue *stride) {
  if (from > to) {
    MlirValue ratio = pa_int(lower, lower->i64, from / to);
    *stride = last ? pa_int(lower, lower->i64, 1) : pa_binary(lower, "arith.muli", *stride, ratio);
    if (last) *size = pa_binary(lower, "arith.muli", *size, ratio);
  } else if (from < to) {
    *stride = last ? pa_int(lower, lower->i64, 1) : shifted(lower, *stride, to / from);
    if (last) *size = shifted(lower, *size, to / from);
  }
}

static void need_multiple(pa_lowering *lower, MlirValue value, int64_t divisor, const char *message) {
  MlirValue rest = pa_binary(lower, "arith.andi", value, pa_int(lower, lower->i64, divisor - 1));
  pa_raise_if(lower, pa_compare_int(lower, PA_NE, rest, pa_int(lower, lower->i64, 0)), "ValueError", message);
}

static void check_retyped(pa_lowering *lower, const pa_array *array, int64_t from, int64_t to, MlirValue address,
                          const MlirValue *sizes, const MlirValue *strides) {
  MlirValue one = pa_int(lower, lower->i64, 1);
  int last = array->rank - 1;
  if (from != to) {
    MlirValue apart = pa_compare_int(lower, PA_NE, strides[last], one);
    apart = pa_and(lower, apart, pa_compare_int(lower, PA_NE, sizes[last], one));
    pa_raise_if(lower, apart, "ValueError",
                "To change to a dtype of a different size, the last axis must be contiguous");
  }
  if (from >= to) return;
  need_multiple(lower, sizes[last], to / from,
                "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last "
                "axis of the array.");
  need_multiple(lower, address, to, "the memory is not aligned for items of that size");
  for (int axis = 0; axis < last; ++axis)
    need_multiple(lower, strides[axis], to / from, "the memory is not aligned for items of that size");
}

static void read_metadata(pa_lowering *lower, const pa_array *array, MlirValue *address, MlirValue *sizes,
                          MlirValue *strides) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return;
  MlirValue base = pa_to_i64(lower,
                             pa_convert(lower, "memref.extract_aligned_pointer_as_index", array->memref, lower->index)),
            offset = pa_to_i64(lower, mlirOperationGetResult(parts, 1));
  *address =
      pa_binary(lower, "arith.addi", base,
                pa_binary(lower, "arith.muli", offset, pa_int(lower, lower->i64, pa_scalar_bytes(array->element))));
  for (int axis = 0; axis < array->rank; ++axis) {
    sizes[axis] = pa_extent(lower, array, axis);
    strides[axis] = pa_to_i64(lower, mlirOperationGetResult(parts, 2 + array->rank + axis));
  }
}

static void lower_retyped(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array;
  MlirType type = mlirValueGetType(pa_result(call->op));
  if (!array_operand(lower, call, &array)) return;
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK], address = {NULL};
  int64_t from = pa_scalar_bytes(array.element), to = pa_scalar_bytes(pa_scalar_of(pyarrayArrayTypeGetElement(type)));
  read_metadata(lower, &array, &address, sizes, strides);
  if (pa_failed(&lower->builder)) return;
  check_retyped(lower, &array, from, to, address, sizes, strides);
  for (int axis = 0; axis < array.rank; ++axis)
    retype_axis(lower, from, to, axis == array.rank - 1, &sizes[axis], &strides[axis]);
  finish_array(lower, call, pa_memory_at(lower, type, address, sizes, strides), array.owner);
}

static void lower_complex_part(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array;
  MlirType type = mlirValueGetType(pa_result(call->op));
  int64_t which = 0;
  if (!array_operand(lower, call, &array)) return;
  if (call->count != 2 || !pa_known_int(lower, pa_operand(call->op, 1), &which)) {
    pa_lower_fail(lower, "%s takes an array and 0 or 1", call->row->name);
    return;
  }
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK], address = {NULL}, two = pa_int(lower, lower->i64, 2);
  read_metadata(lower, &array, &address, sizes, strides);
  if (pa_failed(&lower->builder)) return;
  for (int axis = 0; axis < array.rank; ++axis) strides[axis] = pa_binary(lower, "arith.muli", strides[axis], two);
  int64_t bytes = pa_scalar_bytes(pa_scalar_of(pyarrayArrayTypeGetElement(type)));
  if (which) address = pa_binary(lower, "arith.addi", address, pa_int(lower, lower->i64, bytes));
  finish_array(lower, call, pa_memory_at(lower, type, address, sizes, strides), array.owner);
}

//===-- Layouts -----------------------------------------------------------------------------------===//

// As NumPy's flags: axes of one step may have any stride, and an array without elements is in every order. Operand 1:
// how many axes at the end are the bytes of an item.
static void lower_contiguous(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array;
  int64_t bytes_axes = 0;
  bool wants_f = *call->row->target == 'F';
  if (!array_operand(lower, call, &array)) return;
  if (call->count == 2) pa_known_int(lower, pa_operand(call->op, 1), &bytes_axes);
  MlirOperation parts = pa_strided_metadata(lower, &array);
  if (mlirOperationIsNull(parts)) return;
  int rank = array.rank - (int)bytes_axes;
  MlirValue one = pa_int(lower, lower->i64, 1), zero = pa_int(lower, lower->i64, 0), step = one,
            all = pa_int(lower, lower->i1, 1), empty = pa_int(lower, lower->i1, 0);
  if (bytes_axes) step = pa_extent(lower, &array, rank);
  for (int k = 0; k < rank; ++k) {
    int axis = wants_f ? k : rank - 1 - k;
    MlirValue extent = pa_extent(lower, &array, axis),
              stride = pa_to_i64(lower, mlirOperationGetResult(parts, 2 + array.rank + axis));
    MlirValue fits =
        pa_or(lower, pa_compare_int(lower, PA_EQ, extent, one), pa_compare_int(lower, PA_EQ, stride, step));
    all = pa_and(lower, all, fits);
    empty = pa_or(lower, empty, pa_compare_int(lower, PA_EQ, extent, zero));
    if (k < rank - 1) step = pa_binary(lower, "arith.muli", step, extent);
  }
  pa_finish(lower, call, pa_or(lower, all, empty));
}

static void lower_in_order(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array;
  MlirType type = mlirValueGetType(pa_result(call->op));
  MlirValue extents[PA_MAX_RANK];
  if (!array_operand(lower, call, &array)) return;
  for (int axis = 0; axis < array.rank; ++axis) extents[axis] = pa_extent(lower, &array, axis);
  MlirValue memref = pa_view_in_order(lower, &array, type, extents, array.rank);
  finish_array(lower, call, pa_cast_memref(lower, memref, pa_lower_array_type(lower, type)), array.owner);
}

//===-- Other shapes ------------------------------------------------------------------------------===//

// The view in C order of a copy.
static void copied(pa_lowering *lower, const pa_array *array, MlirType type, const MlirValue *extents, int rank,
                   MlirValue *out) {
  MlirValue own[PA_MAX_RANK];
  int64_t shape[PA_MAX_RANK];
  for (int axis = 0; axis < array->rank; ++axis) {
    own[axis] = pa_extent(lower, array, axis);
    shape[axis] = mlirShapedTypeGetDynamicSize();
  }
  MlirType in_order = pyarrayArrayTypeGet(lower->context, array->rank, shape, pyarrayArrayTypeGetElement(array->type),
                                          PYARRAY_LAYOUT_C, false);
  pa_array copy = pa_new_array(lower, in_order, own, PA_UNINITIALISED);
  pa_copy_elements(lower, &copy, array);
  out[0] = pa_cast_memref(lower, pa_view_in_order(lower, &copy, type, extents, rank), pa_lower_array_type(lower, type));
  out[1] = copy.owner;
}

static MlirValue number_place(pa_lowering *lower, int64_t at) { return pa_int(lower, lower->index, at); }

static void put(pa_lowering *lower, MlirValue numbers, int64_t at, MlirValue value) {
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(value, numbers, number_place(lower, at)));
}

static MlirValue take(pa_lowering *lower, MlirValue numbers, int64_t at) {
  return pa_value(&lower->builder, "memref.load", PA_OPERANDS(numbers, number_place(lower, at)),
                  PA_RESULTS(lower->i64));
}

// Whether there are strides for it, which are then in |numbers| behind shape, strides and new shape.
static MlirValue find_strides(pa_lowering *lower, const pa_array *array, MlirValue numbers, const MlirValue *extents,
                              int rank) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return pa_int(lower, lower->i1, 0);
  for (int axis = 0; axis < array->rank; ++axis) {
    put(lower, numbers, axis, pa_extent(lower, array, axis));
    put(lower, numbers, array->rank + axis, pa_to_i64(lower, mlirOperationGetResult(parts, 2 + array->rank + axis)));
  }
  for (int axis = 0; axis < rank; ++axis) put(lower, numbers, 2 * array->rank + axis, extents[axis]);
  MlirValue address =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
  MlirValue found = pa_runtime(lower, "pyarray_rt_reshape_strides", pa_int(lower, lower->i64, array->rank),
                               pa_int(lower, lower->i64, rank), address);
  return pa_compare_int(lower, PA_NE, found, pa_int(lower, lower->i64, 0));
}

static void lower_reshaped(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array;
  MlirType type = mlirValueGetType(pa_result(call->op));
  int rank = call->count - 1;
  if (!array_operand(lower, call, &array)) return;
  if (lower->device || rank != pyarrayArrayTypeGetRank(type)) {
    pa_lower_fail(
        lower, "reshape of %s is not compiled: it is a view, for which elements lie in C order, one behind the other",
        pa_type_text(lower->arena, array.type));
    return;
  }
  MlirValue extents[PA_MAX_RANK], sizes[PA_MAX_RANK], strides[PA_MAX_RANK], then_values[2], else_values[2];
  pa_reshape_extents(lower, call, &array, extents);
  MlirValue numbers = pa_stack_numbers(lower, 2 * array.rank + 2 * rank + 1);
  MlirValue found = find_strides(lower, &array, numbers, extents, rank);
  MlirType types[] = {pa_lower_array_type(lower, type), lower->i64};
  if (pa_failed(&lower->builder)) return;
  pa_scope scope = pa_open(lower, NULL, 0);
  MlirOperation parts = pa_strided_metadata(lower, &array);
  for (int axis = 0; axis < rank; ++axis) {
    sizes[axis] = pa_to_index(lower, extents[axis]);
    strides[axis] = pa_to_index(lower, take(lower, numbers, 2 * array.rank + rank + axis));
  }
  pa_runtime(lower, "pyarray_rt_retain", array.owner);
  then_values[0] = pa_view_memory(lower, &array, type, mlirOperationGetResult(parts, 1), sizes, strides);
  then_values[1] = array.owner;
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), then_values, 2);
  scope = pa_open(lower, NULL, 0);
  copied(lower, &array, type, extents, rank, else_values);
  MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), else_values, 2);
  MlirOperation op = pa_emit_if(lower, found, then, otherwise, types, 2);
  if (mlirOperationIsNull(op)) return;
  finish_array(lower, call, mlirOperationGetResult(op, 0), mlirOperationGetResult(op, 1));
}

//===-- Errors ------------------------------------------------------------------------------------===//

// raise_if: "ValueError:text" is the attribute callee, operands behind the condition are the numbers in it.
static void lower_raise_if(pa_lowering *lower, const pa_builtin_call *call) {
  const char *text = pa_attr_text(lower->arena, pa_get_attr(call->op, "callee")),
             *colon = text ? strchr(text, ':') : NULL;
  if (!colon || call->count < 1) {
    pa_lower_fail(lower, "%s has no text", call->row->name);
    return;
  }
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, call->count);
  for (int i = 1; i < call->count; ++i) values[i - 1] = pa_argument(lower, call, i);
  const char *exception = pa_arena_copy(lower->arena, text, (size_t)(colon - text));
  pa_raise_many_if(lower, pa_argument(lower, call, 0), exception, colon + 1, values, call->count - 1);
  pa_finish_none(lower, call);
}

const pa_builtin_rule_row pa_view_rules[] = {
    {PA_LOWERING_RAISE_IF, lower_raise_if},     {PA_LOWERING_STRIDED, lower_strided},
    {PA_LOWERING_RETYPED, lower_retyped},       {PA_LOWERING_COMPLEX_PART, lower_complex_part},
    {PA_LOWERING_CONTIGUOUS, lower_contiguous}, {PA_LOWERING_IN_ORDER, lower_in_order},
    {PA_LOWERING_RESHAPED, lower_reshaped},     {0, NULL},
};
