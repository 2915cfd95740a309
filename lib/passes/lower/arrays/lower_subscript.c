// Of pyarray-lower: elements and views of arrays.
//
//   %0 = pyarray.getitem %a[%i, %j] : (!pyarray.array<?x?xf64, C>, si64, si64) -> f64
// becomes, for each index, a correction of negative values and a test against the extent, then memref.load; with a
// slice or fewer indices memref.subview.
#include <string.h>

#include "lower_arrays.h"
#include "lower_numbers.h"

//===-- Integer indices ---------------------------------------------------------------------------===//

// Whether pyarray-hoist-checks found the index of the subscript being lowered to be in bounds.
static bool is_in_bounds(const pa_lowering *lower, int axis) {
  return !mlirAttributeIsNull(lower->in_bounds) && axis < mlirDenseArrayGetNumElements(lower->in_bounds) &&
         mlirDenseBoolArrayGetElement(lower->in_bounds, axis);
}

// The axis of the array that the program subscripts, for messages.
static int told_axis(const pa_lowering *lower, int axis) {
  bool told = !mlirAttributeIsNull(lower->told_axes) && axis < mlirDenseArrayGetNumElements(lower->told_axes);
  return told ? (int)mlirDenseI64ArrayGetElement(lower->told_axes, axis) : axis;
}

static void raise_if_outside(pa_lowering *lower, MlirValue outside, MlirValue index, MlirValue extent, int axis) {
  pa_raise_values_if(lower, outside, "IndexError", "index {0} is out of bounds for axis {2} with size {1}", index,
                     extent, pa_int(lower, lower->i64, axis));
}

// A large index is told from others only where it is out of bounds, and costs nothing elsewhere.
static void raise_if_unsigned_outside(pa_lowering *lower, MlirValue outside, MlirValue index, MlirValue extent,
                                      int axis) {
  const char *message = "index {0}{1} is out of bounds for axis %d with size {2}";
  pa_scope scope = pa_if_begin(lower);
  pa_raise_large_if(lower, index, "IndexError", pa_arena_format(lower->arena, message, axis), &extent, 1);
  raise_if_outside(lower, outside, index, extent, axis);
  pa_if_end(lower, scope, outside);
}

MlirValue pa_position(pa_lowering *lower, const pa_array *array, int axis, MlirValue index) {
  pa_scalar scalar = pa_scalar_of_value(index);
  MlirValue given = pa_cast_scalar(lower, pa_get1(lower, index), scalar, pa_is_unsigned(scalar) ? PA_U64 : PA_I64);
  if (is_in_bounds(lower, axis)) return given;
  MlirValue position = given, extent = pa_extent(lower, array, axis);
  int64_t known;
  if (pa_known_int(lower, index, &known) && known < 0) {
    position = pa_binary(lower, "arith.addi", given, extent);
  } else if (!pa_is_non_negative_index(lower, index)) {
    MlirValue negative = pa_compare_int(lower, PA_SLT, given, pa_int(lower, lower->i64, 0));
    position = pa_select(lower, negative, pa_binary(lower, "arith.addi", given, extent), given);
  }
  if (!lower->boundscheck) return position;
  if (lower->clamped)
    return pa_select(lower, pa_compare_int(lower, PA_ULT, position, extent), position, pa_int(lower, lower->i64, 0));
  MlirValue outside = pa_compare_int(lower, PA_UGE, position, extent);
  (pa_is_unsigned(scalar) ? raise_if_unsigned_outside : raise_if_outside)(lower, outside, given, extent,
                                                                          told_axis(lower, axis));
  return position;
}

//===-- Slices ------------------------------------------------------------------------------------===//

void pa_lower_slice(pa_lowering *lower, MlirOperation op) {
  MlirValue parts[3];
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    pa_scalar scalar = pa_scalar_of_value(pa_operand(op, i));
    if (pyarrayTypeIsNone(mlirValueGetType(pa_operand(op, i)))) continue;
    MlirValue part =
        pa_cast_scalar(lower, pa_get1(lower, pa_operand(op, i)), scalar, pa_is_unsigned(scalar) ? PA_U64 : PA_I64);
    if (scalar == PA_U64) part = pa_binary(lower, "arith.minui", part, pa_int(lower, lower->i64, INT64_MAX));
    parts[count++] = part;
  }
  pa_set(lower, pa_result(op), parts, count);
}

typedef struct slice_parts {
  MlirValue start, stop, step; // null where None
  bool step_known, start_known, stop_known;
  int64_t known_step;
} slice_parts;

static slice_parts parts_of(pa_lowering *lower, MlirValue slice) {
  pa_values values = pa_get(lower, slice);
  MlirType type = mlirValueGetType(slice);
  slice_parts parts = {.step_known = true, .known_step = 1};
  MlirValue *places[] = {&parts.start, &parts.stop, &parts.step};
  for (int i = 0, at = 0; i < 3; ++i)
    if (!pyarrayTypeIsNone(pyarraySliceTypeGetPart(type, i))) *places[i] = values.items[at++];
  MlirOperation op = pa_definition(slice);
  bool visible = !mlirOperationIsNull(op) && pa_kind(&lower->names, op) == PA_OP_SLICE;
  if (!mlirValueIsNull(parts.step))
    parts.step_known = visible && pa_known_int(lower, pa_operand(op, 2), &parts.known_step);
  return parts;
}

static MlirValue clamp(pa_lowering *lower, MlirValue value, MlirValue low, MlirValue high) {
  return pa_binary(lower, "arith.minsi", pa_binary(lower, "arith.maxsi", value, low), high);
}

// One end of a slice, counted from the end where negative, kept between |low| and |high|.
static MlirValue slice_end(pa_lowering *lower, MlirValue value, MlirValue otherwise, MlirValue extent, MlirValue low,
                           MlirValue high) {
  if (mlirValueIsNull(value)) return otherwise;
  MlirValue negative = pa_compare_int(lower, PA_SLT, value, pa_int(lower, lower->i64, 0));
  value = pa_select(lower, negative, pa_binary(lower, "arith.addi", value, extent), value);
  return clamp(lower, value, low, high);
}

// How many steps of |step| lie between |start| and |stop|: (distance - 1) / step + 1, or 0.
static MlirValue count_steps(pa_lowering *lower, MlirValue start, MlirValue stop, MlirValue step) {
  MlirValue zero = pa_int(lower, lower->i64, 0), one = pa_int(lower, lower->i64, 1);
  MlirValue distance = pa_binary(lower, "arith.subi", stop, start);
  MlirValue steps = pa_binary(lower, "arith.divui", pa_binary(lower, "arith.subi", distance, one), step);
  MlirValue empty = pa_compare_int(lower, PA_SLE, stop, start);
  return pa_select(lower, empty, zero, pa_binary(lower, "arith.addi", steps, one));
}

static pa_slice_extent resolve_unit_slice(pa_lowering *lower, slice_parts parts, MlirValue extent) {
  MlirValue zero = pa_int(lower, lower->i64, 0);
  MlirValue start = slice_end(lower, parts.start, zero, extent, zero, extent);
  MlirValue stop = slice_end(lower, parts.stop, extent, extent, zero, extent);
  MlirValue count = mlirValueIsNull(parts.start) ? stop : pa_binary(lower, "arith.subi", stop, start);
  bool may_cross = !mlirValueIsNull(parts.start) && !mlirValueIsNull(parts.stop);
  if (may_cross) count = pa_binary(lower, "arith.maxsi", count, zero);
  return (pa_slice_extent){start, count, pa_int(lower, lower->i64, 1), true};
}

pa_slice_extent pa_resolve_slice(pa_lowering *lower, MlirValue slice, MlirValue extent) {
  slice_parts parts = parts_of(lower, slice);
  if (parts.step_known && parts.known_step == 1) return resolve_unit_slice(lower, parts, extent);
  MlirValue zero = pa_int(lower, lower->i64, 0), minus_one = pa_int(lower, lower->i64, -1), step = parts.step;
  if (!parts.step_known || parts.known_step == 0)
    pa_raise_if(lower, pa_compare_int(lower, PA_EQ, step, zero), "ValueError", "slice step cannot be zero");
  MlirValue backwards =
      parts.step_known ? pa_int(lower, lower->i1, parts.known_step < 0) : pa_compare_int(lower, PA_SLT, step, zero);
  MlirValue last = pa_binary(lower, "arith.addi", extent, minus_one);
  MlirValue low = pa_select(lower, backwards, minus_one, zero), high = pa_select(lower, backwards, last, extent);
  MlirValue start = slice_end(lower, parts.start, pa_select(lower, backwards, high, low), extent, low, high);
  MlirValue stop = slice_end(lower, parts.stop, pa_select(lower, backwards, low, high), extent, low, high);
  MlirValue size = pa_select(lower, backwards, pa_binary(lower, "arith.subi", zero, step), step);
  MlirValue from = pa_select(lower, backwards, stop, start), to = pa_select(lower, backwards, start, stop);
  MlirValue count = count_steps(lower, from, to, size);
  return (pa_slice_extent){start, count, step, false};
}

//===-- Views -------------------------------------------------------------------------------------===//

// Operands and attributes of a memref.subview under construction, and the layout of its result.
typedef struct subview {
  MlirValue offsets[PA_MAX_RANK], sizes[PA_MAX_RANK], strides[PA_MAX_RANK]; // dynamic ones
  int offset_count, size_count, stride_count;
  int64_t static_offsets[PA_MAX_RANK], static_sizes[PA_MAX_RANK], static_strides[PA_MAX_RANK];
  int64_t result_shape[PA_MAX_RANK], result_strides[PA_MAX_RANK];
  int result_rank;
} subview;

static void add_axis(subview *view, int axis, MlirValue offset, MlirValue size, MlirValue stride) {
  const int64_t dynamic = mlirShapedTypeGetDynamicSize();
  view->static_offsets[axis] = mlirValueIsNull(offset) ? 0 : dynamic;
  view->static_sizes[axis] = mlirValueIsNull(size) ? 1 : dynamic;
  view->static_strides[axis] = mlirValueIsNull(stride) ? 1 : dynamic;
  if (!mlirValueIsNull(offset)) view->offsets[view->offset_count++] = offset;
  if (!mlirValueIsNull(size)) view->sizes[view->size_count++] = size;
  if (!mlirValueIsNull(stride)) view->strides[view->stride_count++] = stride;
}

// Keeps |axis|, with the stride that the memref's type has there, or every so many elements of it.
static void keep_axis(subview *view, const pa_array *array, int axis, bool unit) {
  int64_t strides[PA_MAX_RANK], offset, dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  MlirType type = mlirValueIsNull(array->memref) ? (MlirType){NULL} : mlirValueGetType(array->memref);
  bool known = unit && !mlirTypeIsNull(type) &&
               mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset));
  view->result_shape[view->result_rank] = mlirShapedTypeGetDynamicSize();
  view->result_strides[view->result_rank++] = known ? strides[axis] : dynamic;
}

static MlirValue build_subview(pa_lowering *lower, const pa_array *array, const subview *view) {
  MlirValue operands[3 * PA_MAX_RANK + 1] = {array->memref};
  int32_t segments[] = {1, view->offset_count, view->size_count, view->stride_count};
  int count = 1;
  for (int i = 0; i < view->offset_count; ++i) operands[count++] = pa_to_index(lower, view->offsets[i]);
  for (int i = 0; i < view->size_count; ++i) operands[count++] = pa_to_index(lower, view->sizes[i]);
  for (int i = 0; i < view->stride_count; ++i) operands[count++] = pa_to_index(lower, view->strides[i]);
  MlirAttribute layout = mlirStridedLayoutAttrGet(lower->context, mlirShapedTypeGetDynamicStrideOrOffset(),
                                                  view->result_rank, view->result_strides);
  MlirType type = mlirMemRefTypeGet(pa_element_memory(lower, array->element), view->result_rank, view->result_shape,
                                    layout, mlirAttributeGetNull());
  return pa_value(&lower->builder, "memref.subview", PA_OPERAND_ARRAY(operands, count), PA_RESULTS(type),
                  PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(lower->context, array->rank, view->static_offsets)},
                           {"static_sizes", mlirDenseI64ArrayGet(lower->context, array->rank, view->static_sizes)},
                           {"static_strides", mlirDenseI64ArrayGet(lower->context, array->rank, view->static_strides)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 4, segments)}));
}

// The memref of array[indices]; missing indices take whole axes.
static MlirValue view_of(pa_lowering *lower, const pa_array *array, const MlirValue *indices, int count) {
  const MlirValue none = {NULL};
  subview view = {0};
  for (int axis = 0; axis < array->rank; ++axis) {
    if (axis >= count) {
      add_axis(&view, axis, none, pa_extent(lower, array, axis), none);
      keep_axis(&view, array, axis, true);
    } else if (pyarrayTypeIsSlice(mlirValueGetType(indices[axis]))) {
      pa_slice_extent slice = pa_resolve_slice(lower, indices[axis], pa_extent(lower, array, axis));
      MlirValue zero = pa_int(lower, lower->i64, 0); // an empty view begins where there is memory
      if (!slice.unit)
        slice.start = pa_select(lower, pa_compare_int(lower, PA_EQ, slice.count, zero), zero, slice.start);
      add_axis(&view, axis, slice.start, slice.count, slice.unit ? none : slice.step);
      keep_axis(&view, array, axis, slice.unit);
    } else {
      add_axis(&view, axis, pa_position(lower, array, axis, indices[axis]), none, none);
    }
  }
  return build_subview(lower, array, &view);
}

void pa_first_axis_item(pa_lowering *lower, const pa_array *array, MlirValue index, MlirType item,
                        MlirValue *out_values) {
  const MlirValue none = {NULL};
  if (!pyarrayTypeIsArray(item)) {
    MlirValue position = pa_to_index(lower, index);
    out_values[0] = pa_read_element(lower, array, &position);
    return;
  }
  subview view = {0};
  add_axis(&view, 0, index, none, none);
  for (int axis = 1; axis < array->rank; ++axis) {
    add_axis(&view, axis, none, pa_extent(lower, array, axis), none);
    keep_axis(&view, array, axis, true);
  }
  out_values[0] = pa_cast_memref(lower, build_subview(lower, array, &view), pa_lower_array_type(lower, item));
  out_values[1] = array->owner;
}

pa_array pa_without_first_axes(pa_lowering *lower, const pa_array *array, int count) {
  const MlirValue none = {NULL};
  subview view = {0};
  int64_t shape[PA_MAX_RANK];
  if (mlirValueIsNull(array->memref)) return *array; // after a failure
  for (int axis = 0; axis < array->rank; ++axis) {
    add_axis(&view, axis, none, axis < count ? none : pa_extent(lower, array, axis), none);
    if (axis >= count) keep_axis(&view, array, axis, true);
  }
  for (int axis = 0; axis < array->rank - count; ++axis) shape[axis] = mlirShapedTypeGetDynamicSize();
  MlirType type = pyarrayArrayTypeGet(lower->context, array->rank - count, shape,
                                      pyarrayArrayTypeGetElement(array->type), PYARRAY_LAYOUT_A, false);
  MlirValue memref = pa_cast_memref(lower, build_subview(lower, array, &view), pa_lower_array_type(lower, type));
  return (pa_array){type, array->element, array->rank - count, memref, array->owner};
}

// The one element of an array without dimensions as a view of extent 1.
static MlirValue element_view(pa_lowering *lower, const pa_array *array, MlirType type) {
  int64_t dynamic = mlirShapedTypeGetDynamicStrideOrOffset(), one = 1;
  int32_t segments[] = {1, 1, 0, 0};
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return array->memref;
  MlirAttribute layout = mlirStridedLayoutAttrGet(lower->context, dynamic, 1, &one);
  MlirType row = mlirMemRefTypeGet(pa_element_memory(lower, array->element), 1, &one, layout, mlirAttributeGetNull());
  MlirValue memref = pa_value(&lower->builder, "memref.reinterpret_cast", PA_RESULTS(row),
                              PA_OPERANDS(mlirOperationGetResult(parts, 0), mlirOperationGetResult(parts, 1)),
                              PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(lower->context, 1, &dynamic)},
                                       {"static_sizes", mlirDenseI64ArrayGet(lower->context, 1, &one)},
                                       {"static_strides", mlirDenseI64ArrayGet(lower->context, 1, &one)},
                                       {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 4, segments)}));
  return pa_cast_memref(lower, memref, pa_lower_array_type(lower, type));
}

MlirValue pa_rows_view(pa_lowering *lower, const pa_array *array, MlirValue low, MlirValue count) {
  const MlirValue none = {NULL};
  subview view = {0};
  if (mlirValueIsNull(array->memref)) return array->memref; // after a failure
  for (int axis = 0; axis < array->rank; ++axis) {
    add_axis(&view, axis, axis ? none : low, axis ? pa_extent(lower, array, axis) : count, none);
    keep_axis(&view, array, axis, true);
  }
  return pa_cast_memref(lower, build_subview(lower, array, &view), mlirValueGetType(array->memref));
}

MlirValue pa_core_view(pa_lowering *lower, const pa_array *array, const MlirValue *positions, int count,
                       MlirType type) {
  const MlirValue none = {NULL};
  subview view = {0};
  int kept = (int)pyarrayArrayTypeGetRank(type);
  if (array->rank < kept) return element_view(lower, array, type);
  if (mlirValueIsNull(array->memref)) return array->memref; // after a failure
  for (int axis = 0; axis < array->rank; ++axis) {
    MlirValue position = axis < count ? positions[axis] : none;
    bool keep = axis >= array->rank - kept;
    bool one = keep && axis < count; // of an operand without core dimensions
    add_axis(&view, axis, position,
             one    ? pa_int(lower, lower->i64, 1)
             : keep ? pa_extent(lower, array, axis)
                    : none,
             none);
    if (keep) keep_axis(&view, array, axis, true);
  }
  return pa_cast_memref(lower, build_subview(lower, array, &view), pa_lower_array_type(lower, type));
}

//===-- Subscripts --------------------------------------------------------------------------------===//

// Operands of the operation from the second on, |count| of them, as indices.
static bool get_indices(pa_lowering *lower, MlirOperation op, const pa_array *array, int count, MlirValue *indices) {
  if (count > array->rank) return pa_lower_fail(lower, "too many indices"), false;
  bool all_integers = count == array->rank;
  for (int i = 0; i < count; ++i) {
    indices[i] = pa_operand(op, i + 1);
    all_integers &= !pyarrayTypeIsSlice(mlirValueGetType(indices[i]));
  }
  return all_integers;
}

static void element_positions(pa_lowering *lower, const pa_array *array, const MlirValue *indices,
                              MlirValue *positions) {
  for (int axis = 0; axis < array->rank; ++axis)
    positions[axis] = pa_to_index(lower, pa_position(lower, array, axis, indices[axis]));
}

void pa_lower_array_getitem(pa_lowering *lower, MlirOperation op) {
  MlirType result = mlirValueGetType(pa_result(op));
  pa_array array = pa_array_of(lower, pa_operand(op, 0));
  lower->in_bounds = pa_get_attr(op, "pyarray.in_bounds");
  lower->told_axes = pa_get_attr(op, "pyarray.axes");
  lower->clamped = !mlirAttributeIsNull(pa_get_attr(op, "pyarray.clamped"));
  int count = (int)mlirOperationGetNumOperands(op) - 1;
  MlirValue indices[PA_MAX_RANK], positions[PA_MAX_RANK];
  bool element = get_indices(lower, op, &array, count, indices);
  if (pa_failed(&lower->builder)) return;
  if (element && !pyarrayTypeIsArray(result)) {
    element_positions(lower, &array, indices, positions);
    pa_set1(lower, pa_result(op), pa_read_element(lower, &array, positions));
  } else {
    MlirValue view = pa_cast_memref(lower, view_of(lower, &array, indices, count), pa_lower_array_type(lower, result));
    pa_set(lower, pa_result(op), (MlirValue[]){view, array.owner}, 2);
  }
}

// Builtins that give a view of their first operand, by the rule that lowers them; and those that make an array.
static const pa_builtin_lowering view_rules[] = {PA_LOWERING_COMPLEX_PART, PA_LOWERING_IN_ORDER, PA_LOWERING_RESHAPE,
                                                 PA_LOWERING_RETYPED, PA_LOWERING_STRIDED};
static const pa_builtin_lowering new_rules[] = {PA_LOWERING_COPY, PA_LOWERING_NEW_ARRAY, PA_LOWERING_NEW_ARRAY_LIKE};

static bool is_lowered_by(MlirOperation op, const pa_builtin_lowering *rules, size_t count) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
  for (size_t i = 0; row && i < count; ++i)
    if (row->lowering == rules[i]) return true;
  return false;
}

// The array that |value| is a view of, as far as that is seen.
static MlirValue viewed_array(const pa_lowering *lower, MlirValue value) {
  for (;;) {
    MlirOperation op = pa_definition(value);
    pa_op_kind kind = mlirOperationIsNull(op) ? PA_OP_OTHER : pa_kind(&lower->names, op);
    bool is_view = kind == PA_OP_GETITEM || kind == PA_OP_TRANSPOSE || kind == PA_OP_INSERT_AXES ||
                   kind == PA_OP_BROADCAST_TO || kind == PA_OP_CAST || kind == PA_OP_GETATTR ||
                   (kind == PA_OP_BUILTIN && is_lowered_by(op, view_rules, PA_COUNT(view_rules)));
    if (!is_view || !pyarrayTypeIsArray(mlirValueGetType(pa_operand(op, 0)))) return value;
    value = pa_operand(op, 0);
  }
}

// Made in this function, and no view.
static bool is_new(const pa_lowering *lower, MlirValue array) {
  MlirOperation op = pa_definition(array);
  if (mlirOperationIsNull(op)) return false;
  pa_op_kind kind = pa_kind(&lower->names, op);
  return kind == PA_OP_UFUNC || (kind == PA_OP_BUILTIN && is_lowered_by(op, new_rules, PA_COUNT(new_rules)));
}

// Whether |value| is there before |op| is run.
static bool is_before(MlirValue value, MlirOperation op) {
  bool argument = mlirValueIsABlockArgument(value);
  MlirOperation made = argument ? (MlirOperation){NULL} : mlirOpResultGetOwner(value);
  MlirBlock block = argument ? mlirBlockArgumentGetOwner(value) : mlirOperationGetBlock(made);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (mlirBlockEqual(mlirOperationGetBlock(op), block)) return argument || mlirOperationIsBeforeInBlock(made, op);
  return false;
}

// Whether two arrays have no memory in common for certain: one of them was made when the other was there already.
static bool are_apart(const pa_lowering *lower, MlirValue a, MlirValue b) {
  MlirValue x = viewed_array(lower, a), y = viewed_array(lower, b);
  return (is_new(lower, x) && is_before(y, pa_definition(x))) || (is_new(lower, y) && is_before(x, pa_definition(y)));
}

// The view that a setitem stores to, as an array of layout A.
static pa_array target_view(pa_lowering *lower, const pa_array *array, const MlirValue *indices, int count) {
  int64_t shape[PA_MAX_RANK];
  int rank = 0;
  for (int axis = 0; axis < array->rank; ++axis)
    if (axis >= count || pyarrayTypeIsSlice(mlirValueGetType(indices[axis])))
      shape[rank++] = mlirShapedTypeGetDynamicSize();
  MlirType type = pyarrayArrayTypeGet(lower->context, rank, shape, pyarrayArrayTypeGetElement(array->type),
                                      PYARRAY_LAYOUT_A, false);
  return (pa_array){type, array->element, rank, view_of(lower, array, indices, count), array->owner};
}

void pa_lower_array_setitem(pa_lowering *lower, MlirOperation op) {
  int count = (int)mlirOperationGetNumOperands(op) - 2;
  MlirValue value = pa_operand(op, count + 1), indices[PA_MAX_RANK], positions[PA_MAX_RANK];
  pa_array array = pa_array_of(lower, pa_operand(op, 0));
  lower->in_bounds = pa_get_attr(op, "pyarray.in_bounds");
  lower->told_axes = pa_get_attr(op, "pyarray.axes");
  lower->clamped = false;
  bool element = get_indices(lower, op, &array, count, indices);
  if (pa_failed(&lower->builder)) return;
  if (pyarrayTypeIsArray(mlirValueGetType(value))) {
    pa_array target = target_view(lower, &array, indices, count), source = pa_array_of(lower, value);
    bool fresh = !mlirAttributeIsNull(pa_get_attr(op, "pyarray.fresh")) && !lower->device;
    if (fresh && target.element == source.element && target.rank == source.rank)
      return pa_copy_apart(lower, &target, &source);
    pa_assign(lower, &target, &source, are_apart(lower, pa_operand(op, 0), value));
    return;
  }
  MlirValue stored = pa_cast_scalar(lower, pa_get1(lower, value), pa_scalar_of_value(value), array.element);
  if (element) {
    element_positions(lower, &array, indices, positions);
    pa_write_element(lower, &array, positions, stored);
  } else {
    pa_array target = target_view(lower, &array, indices, count);
    pa_fill(lower, &target, stored);
  }
}
