// Of pyarray-lower: shapes and views of broadcasting.
//
//   %n = pyarray.ufunc_shape "(),()->()" ins(%a, %b : ...) : si64    compares extents; ValueError
//   %x = pyarray.broadcast_to %a to (%n) : ...                       memref.reinterpret_cast with strides 0
//   %0:2 = pyarray.order_dimensions %x, %y rank 2 : ...              a call of the runtime on shape and strides in stack memory
#include <string.h>

#include "lower_internal.h"
#include "support/core_signature.h"

//===-- Shapes ------------------------------------------------------------------------------------===//

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

// Extents agree, or one of them is 1.
static MlirValue join_extents(pa_lowering *lower, MlirValue a, MlirValue b, int dimension) {
  MlirValue one = pa_int(lower, lower->i64, 1);
  MlirValue a_is_one = pa_compare_int(lower, PA_EQ, a, one), b_is_one = pa_compare_int(lower, PA_EQ, b, one);
  MlirValue differ = pa_and(lower, pa_compare_int(lower, PA_NE, a, b), pa_not(lower, pa_or(lower, a_is_one, b_is_one)));
  pa_raise_values_if(lower, differ, "ValueError", "operands could not be broadcast together: extents {0} and {1} in dimension {2}", a, b,
                     pa_int(lower, lower->i64, dimension));
  return pa_select(lower, a_is_one, b, a);
}

// An output has the loop's extents; it is not stretched.
static void check_output(pa_lowering *lower, MlirValue own, MlirValue loop, int dimension) {
  pa_raise_values_if(lower, pa_compare_int(lower, PA_NE, own, loop), "ValueError",
                     "non-broadcastable output operand: extent {0} in dimension {2}, but the broadcast shape has {1}", own, loop,
                     pa_int(lower, lower->i64, dimension));
}

// Inputs are stretched to the outputs where these are given.
static MlirValue join(pa_lowering *lower, MlirValue known, MlirValue extent, int dimension, bool output) {
  if (mlirValueIsNull(known)) return extent;
  if (!output) return join_extents(lower, known, extent, dimension);
  return pa_select(lower, pa_compare_int(lower, PA_EQ, known, pa_int(lower, lower->i64, 1)), extent, known);
}

// For each loop dimension of each array operand from |first| on.
static void loop_extents(pa_lowering *lower, MlirOperation op, const pa_core_signature *core, int rank, intptr_t first, bool check,
                         MlirValue *extents) {
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i) {
    if (!is_array(pa_operand(op, i))) continue;
    pa_array array = pa_array_of(lower, pa_operand(op, i));
    int own = array.rank - core->operands[i].rank;
    for (int axis = 0; axis < own; ++axis) {
      int dimension = rank - own + axis;
      MlirValue extent = pa_extent(lower, &array, axis);
      if (check)
        check_output(lower, extent, extents[dimension], dimension);
      else
        extents[dimension] = join(lower, extents[dimension], extent, dimension, i >= core->input_count);
    }
  }
}

static void core_extents(pa_lowering *lower, MlirOperation op, const pa_core_signature *core, MlirValue *out_extents) {
  const char *signature = pa_attr_text(lower->arena, pa_get_attr(op, "signature"));
  for (int d = 0; d < core->dimension_count; ++d)
    if (core->dimensions[d].size >= 0) out_extents[d] = pa_int(lower, lower->i64, core->dimensions[d].size);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!is_array(pa_operand(op, i))) continue;
    pa_array array = pa_array_of(lower, pa_operand(op, i));
    int count = core->operands[i].rank;
    for (int k = 0; k < count; ++k) {
      MlirValue extent = pa_extent(lower, &array, array.rank - count + k), *known = &out_extents[core->operands[i].dimensions[k]];
      if (mlirValueIsNull(*known)) *known = extent;
      const char *message = pa_arena_format(lower->arena, "%s operand %d has a mismatch in its core dimension %d, with gufunc signature %s (size {0} is different from {1})",
                                            i < core->input_count ? "Input" : "Output", (int)(i < core->input_count ? i : i - core->input_count), k, signature);
      pa_raise_values_if(lower, pa_compare_int(lower, PA_NE, extent, *known), "ValueError", message, extent, *known, extent);
    }
  }
}

void pa_lower_ufunc_shape(pa_lowering *lower, MlirOperation op) {
  pa_core_signature core;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  intptr_t count = mlirOperationGetNumResults(op);
  bool malformed = pa_core_signature_parse(text.data, text.length, &core) || count < core.dimension_count ||
                   mlirOperationGetNumOperands(op) > core.input_count + core.output_count;
  if (malformed) {
    pa_lower_fail(lower, "pyarray.ufunc_shape has a signature that does not fit its operands");
    return;
  }
  int rank = (int)count - core.dimension_count;
  MlirValue *extents = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1), one = pa_int(lower, lower->i64, 1);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(pa_operand(op, i));
    int own = pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) : 0;
    if (own - core.operands[i].rank > rank || (own < core.operands[i].rank)) pa_lower_fail(lower, "pyarray.ufunc_shape has too few results");
  }
  if (pa_failed(&lower->builder)) return;
  loop_extents(lower, op, &core, rank, 0, false, extents);
  loop_extents(lower, op, &core, rank, core.input_count, true, extents);
  core_extents(lower, op, &core, extents + rank);
  for (intptr_t i = 0; i < count; ++i) pa_set1(lower, mlirOperationGetResult(op, i), mlirValueIsNull(extents[i]) ? one : extents[i]);
}

//===-- Views -------------------------------------------------------------------------------------===//

// |array|'s memory with this offset, these sizes and strides (index type); the level-4 type of |type|, layout A.
static MlirValue view(pa_lowering *lower, const pa_array *array, MlirType type, MlirValue offset, const MlirValue *sizes, const MlirValue *strides) {
  MlirType memref = pa_lower_array_type(lower, type);
  int rank = (int)pyarrayArrayTypeGetRank(type), count = 0;
  MlirValue operands[2 * PA_MAX_RANK + 2];
  int64_t dynamic_sizes[PA_MAX_RANK], dynamic_strides[PA_MAX_RANK], dynamic_offset = mlirShapedTypeGetDynamicStrideOrOffset();
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
  return pa_value(&lower->builder, "memref.reinterpret_cast", PA_OPERAND_ARRAY(operands, count), PA_RESULTS(memref),
                  PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(lower->context, 1, &dynamic_offset)},
                           {"static_sizes", mlirDenseI64ArrayGet(lower->context, rank, dynamic_sizes)},
                           {"static_strides", mlirDenseI64ArrayGet(lower->context, rank, dynamic_strides)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 4, segments)}));
}

static bool is_plain_view(MlirType type) {
  if (!pyarrayTypeIsArray(type) || pyarrayArrayTypeGetLayout(type) != PYARRAY_LAYOUT_A) return false;
  for (intptr_t axis = 0; axis < pyarrayArrayTypeGetRank(type); ++axis)
    if (pyarrayArrayTypeGetExtent(type, axis) != mlirShapedTypeGetDynamicSize()) return false;
  return true;
}

void pa_lower_broadcast_to(pa_lowering *lower, MlirOperation op) {
  MlirType type = mlirValueGetType(pa_result(op));
  int loop = (int)mlirOperationGetNumOperands(op) - 1;
  if (!is_array(pa_operand(op, 0)) || !is_plain_view(type) || pyarrayArrayTypeGetRank(type) < loop) {
    pa_lower_fail(lower, "pyarray.broadcast_to makes a view of layout A with its loop dimensions");
    return;
  }
  pa_array array = pa_array_of(lower, pa_operand(op, 0));
  int core = (int)pyarrayArrayTypeGetRank(type) - loop, own = array.rank - core;
  MlirOperation parts = pa_strided_metadata(lower, &array);
  if (mlirOperationIsNull(parts) || own < 0 || own > loop) {
    pa_lower_fail(lower, "pyarray.broadcast_to has a view that does not fit its array");
    return;
  }
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK], zero = pa_int(lower, lower->index, 0), one = pa_int(lower, lower->index, 1);
  for (int d = 0; d < loop + core; ++d) {
    int axis = d - (loop - own);
    MlirValue size = axis < 0 ? (MlirValue){NULL} : mlirOperationGetResult(parts, 2 + axis);
    MlirValue stride = axis < 0 ? zero : mlirOperationGetResult(parts, 2 + array.rank + axis);
    sizes[d] = d < loop ? pa_to_index(lower, pa_get1(lower, pa_operand(op, 1 + d))) : size;
    strides[d] = d < loop && axis >= 0 ? pa_select(lower, pa_compare_int(lower, PA_EQ, size, one), zero, stride) : stride;
  }
  pa_set(lower, pa_result(op), (MlirValue[]){view(lower, &array, type, mlirOperationGetResult(parts, 1), sizes, strides), array.owner}, 2);
}

//===-- Order -------------------------------------------------------------------------------------===//

// Stack memory for |count| numbers, made once where the function begins.
static MlirValue stack_numbers(pa_lowering *lower, int64_t count) {
  pa_builder at = pa_entry_builder(lower);
  MlirType type = mlirMemRefTypeContiguousGet(lower->i64, 1, &count, mlirAttributeGetNull());
  int32_t segments[] = {0, 0};
  MlirOperation made = pa_op(&at, "memref.alloca", PA_RESULTS(type), PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
  pa_entry_built(lower, &at, made);
  return mlirOperationIsNull(made) ? (MlirValue){NULL} : mlirOperationGetResult(made, 0);
}

static void put_number(pa_lowering *lower, MlirValue numbers, int64_t at, MlirValue value) {
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(pa_to_i64(lower, value), numbers, pa_int(lower, lower->index, at)));
}

static MlirValue take_number(pa_lowering *lower, MlirValue numbers, int64_t at) {
  return pa_to_index(lower, pa_value(&lower->builder, "memref.load", PA_OPERANDS(numbers, pa_int(lower, lower->index, at)), PA_RESULTS(lower->i64)));
}

// Where array |number|'s offset is; its strides follow.
static int64_t place_of(int64_t rank, intptr_t number) { return rank + number * (1 + rank); }

static bool put_array(pa_lowering *lower, MlirValue numbers, const pa_array *array, int rank, intptr_t number) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return false;
  int64_t at = place_of(rank, number);
  put_number(lower, numbers, at, mlirOperationGetResult(parts, 1));
  for (int d = 0; d < rank; ++d) {
    if (number == 0) put_number(lower, numbers, d, mlirOperationGetResult(parts, 2 + d));
    put_number(lower, numbers, at + 1 + d, mlirOperationGetResult(parts, 2 + array->rank + d));
  }
  return true;
}

static void take_array(pa_lowering *lower, MlirValue numbers, const pa_array *array, int rank, intptr_t number, MlirValue result) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK];
  int64_t at = place_of(rank, number);
  if (mlirOperationIsNull(parts)) return;
  for (int d = 0; d < array->rank; ++d) {
    sizes[d] = d < rank ? take_number(lower, numbers, d) : mlirOperationGetResult(parts, 2 + d);
    strides[d] = d < rank ? take_number(lower, numbers, at + 1 + d) : mlirOperationGetResult(parts, 2 + array->rank + d);
  }
  MlirValue memref = view(lower, array, mlirValueGetType(result), take_number(lower, numbers, at), sizes, strides);
  pa_set(lower, result, (MlirValue[]){memref, array->owner}, 2);
}

void pa_lower_order_dimensions(pa_lowering *lower, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  int rank = (int)mlirIntegerAttrGetValueInt(pa_get_attr(op, "loop_rank"));
  bool fits = rank > 0 && rank <= PA_MAX_RANK && mlirOperationGetNumResults(op) == count;
  for (intptr_t i = 0; fits && i < count; ++i) {
    MlirType from = mlirValueGetType(pa_operand(op, i)), to = mlirValueGetType(mlirOperationGetResult(op, i));
    fits = pyarrayTypeIsArray(from) && is_plain_view(to) && pyarrayArrayTypeGetRank(from) == pyarrayArrayTypeGetRank(to) && pyarrayArrayTypeGetRank(from) >= rank;
  }
  if (!fits) {
    pa_lower_fail(lower, "pyarray.order_dimensions makes views of layout A of its arrays");
    return;
  }
  MlirValue numbers = stack_numbers(lower, place_of(rank, count));
  pa_array *arrays = PA_NEW_ARRAY(lower->arena, pa_array, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    arrays[i] = pa_array_of(lower, pa_operand(op, i));
    if (!put_array(lower, numbers, &arrays[i], rank, i)) return;
  }
  MlirValue address = pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
  pa_runtime(lower, "pyarray_rt_order_dimensions", pa_int(lower, lower->i64, rank), pa_int(lower, lower->i64, count), address);
  for (intptr_t i = 0; i < count; ++i) take_array(lower, numbers, &arrays[i], rank, i, mlirOperationGetResult(op, i));
}
