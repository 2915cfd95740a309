// Of pyarray-lower: new arrays, copies, and stores of arrays to views.
//
//   %a = pyarray.builtin "numpy.empty"(%n) : (si64) -> !pyarray.array<?xf64, C>
// becomes tests of %n, memref.alloc of bytes, a test for MemoryError, and memref.view; the owner is the data's address.
#include <string.h>

#include "lower_arrays.h"
#include "lower_items.h"
#include "lower_numbers.h"

//===-- Sizes -------------------------------------------------------------------------------------===//

// Bytes of an array; raises for negative extents and for a size beyond int64.
static MlirValue byte_count(pa_lowering *lower, pa_scalar element, const MlirValue *extents, int rank) {
  MlirValue zero = pa_int(lower, lower->i64, 0), bytes = pa_int(lower, lower->i64, pa_scalar_bytes(element));
  MlirValue negative = pa_int(lower, lower->i1, 0), large = negative;
  for (int axis = 0; axis < rank; ++axis) {
    negative = pa_or(lower, negative, pa_compare_int(lower, PA_SLT, extents[axis], zero));
    MlirOperation product = pa_op(&lower->builder, "arith.mului_extended", PA_OPERANDS(bytes, extents[axis]),
                                  PA_RESULTS(lower->i64, lower->i64));
    if (mlirOperationIsNull(product)) return bytes;
    bytes = mlirOperationGetResult(product, 0);
    large = pa_or(lower, large, pa_compare_int(lower, PA_NE, mlirOperationGetResult(product, 1), zero));
    large = pa_or(lower, large, pa_compare_int(lower, PA_SLT, bytes, zero));
  }
  if (rank == 0) return bytes;
  pa_raise_if(lower, negative, "ValueError", "negative dimensions are not allowed");
  pa_raise_if(lower, large, "ValueError",
              "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.");
  return bytes;
}

//===-- Allocation --------------------------------------------------------------------------------===//

// memref.alloc cannot ask for zeroed memory, which the system gives for free.
static MlirValue allocate_zeroed(pa_lowering *lower, MlirValue bytes) {
  MlirType pointer = mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  MlirType type = mlirFunctionTypeGet(lower->context, 1, &lower->i64, 1, &pointer);
  MlirAttribute unaliased = mlirAttributeParseGet(lower->context, pa_ref("[{llvm.noalias}]"));
  pa_declare(lower, "pyarray_rt_allocate_zeroed", type, &(pa_attr){"res_attrs", unaliased}, 1);
  MlirValue data = pa_value(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(bytes), PA_RESULTS(pointer),
                            PA_ATTRS({"callee", pa_symbol_attr(lower->context, "pyarray_rt_allocate_zeroed")}));
  return pa_bytes_at(lower, data, bytes);
}

static MlirValue allocate_bytes(pa_lowering *lower, MlirValue bytes, pa_contents contents) {
  if (contents == PA_ZEROED) return allocate_zeroed(lower, bytes);
  int32_t segments[] = {1, 0};
  return pa_value(&lower->builder, "memref.alloc", PA_OPERANDS(pa_to_index(lower, bytes)),
                  PA_RESULTS(pa_bytes_type(lower)),
                  PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
}

// The buffer as an array in C order of |extents|, or with reversed axes in F order.
static MlirValue typed_view(pa_lowering *lower, MlirValue buffer, MlirType array, pa_scalar element,
                            const MlirValue *extents, int rank) {
  bool reversed = pyarrayArrayTypeGetLayout(array) == PYARRAY_LAYOUT_F && rank > 1;
  MlirValue operands[PA_MAX_RANK + 2] = {buffer, pa_int(lower, lower->index, 0)};
  int64_t shape[PA_MAX_RANK];
  unsigned permutation[PA_MAX_RANK];
  for (int axis = 0; axis < rank; ++axis) {
    shape[axis] = mlirShapedTypeGetDynamicSize();
    permutation[axis] = (unsigned)(rank - 1 - axis);
    operands[axis + 2] = pa_to_index(lower, extents[reversed ? rank - 1 - axis : axis]);
  }
  MlirType type = mlirMemRefTypeContiguousGet(pa_element_memory(lower, element), rank, shape, mlirAttributeGetNull());
  MlirValue view = pa_value(&lower->builder, "memref.view", PA_OPERAND_ARRAY(operands, rank + 2), PA_RESULTS(type));
  MlirType result = pa_lower_array_type(lower, array);
  if (!reversed) return pa_cast_memref(lower, view, result);
  MlirType c_order =
      pa_lower_array_type(lower, pyarrayArrayTypeGet(lower->context, rank, shape, pyarrayArrayTypeGetElement(array),
                                                     PYARRAY_LAYOUT_C, false));
  MlirType f_order =
      pa_lower_array_type(lower, pyarrayArrayTypeGet(lower->context, rank, shape, pyarrayArrayTypeGetElement(array),
                                                     PYARRAY_LAYOUT_F, false));
  MlirAttribute map = mlirAffineMapAttrGet(mlirAffineMapPermutationGet(lower->context, rank, permutation));
  view = pa_value(&lower->builder, "memref.transpose", PA_OPERANDS(pa_cast_memref(lower, view, c_order)),
                  PA_RESULTS(f_order), PA_ATTRS({"permutation", map}));
  return pa_cast_memref(lower, view, result);
}

static pa_array host_array(pa_lowering *lower, MlirType type, const MlirValue *extents, pa_contents contents) {
  pa_array array = {.type = type,
                    .element = pa_scalar_of(pyarrayArrayTypeGetElement(type)),
                    .rank = (int)pyarrayArrayTypeGetRank(type)};
  if (lower->device)
    pa_lower_fail(
        lower,
        "an array would be made here whose extents are not constants, but nothing is allocated on a GPU\nhint: pass "
        "the array as an argument, and have it written to: out=, out[:] = ...; cuda.local.array has constant extents");
  MlirValue bytes = byte_count(lower, array.element, extents, array.rank);
  MlirValue buffer = allocate_bytes(lower, bytes, contents);
  array.owner = pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", buffer, lower->index));
  MlirValue zero = pa_int(lower, lower->i64, 0);
  pa_raise_values_if(lower, pa_compare_int(lower, PA_EQ, array.owner, zero), "MemoryError",
                     "Unable to allocate an array of {0} bytes", bytes, zero, zero);
  array.memref = typed_view(lower, buffer, type, array.element, extents, array.rank);
  return array;
}

static pa_array device_array(pa_lowering *lower, MlirType type, const MlirValue *extents, pa_contents contents) {
  pa_array array = {.type = type,
                    .element = pa_scalar_of(pyarrayArrayTypeGetElement(type)),
                    .rank = (int)pyarrayArrayTypeGetRank(type)};
  MlirValue bytes = byte_count(lower, array.element, extents, array.rank);
  MlirValue address = pa_allocate_on_device(lower, bytes, contents, &array.owner);
  MlirType pointer = mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  MlirValue buffer = pa_bytes_at(lower, pa_convert(lower, "llvm.inttoptr", address, pointer), bytes);
  array.memref = typed_view(lower, buffer, type, array.element, extents, array.rank);
  return array;
}

pa_array pa_new_array(pa_lowering *lower, MlirType type, const MlirValue *extents, pa_contents contents) {
  if (lower->offload) return device_array(lower, type, extents, contents);
  return host_array(lower, type, extents, contents);
}

pa_array pa_new_host_array(pa_lowering *lower, MlirType type, const MlirValue *extents) {
  return host_array(lower, type, extents, PA_UNINITIALISED);
}

// In memory of the function, where its first block begins; no error is possible, and nobody owns it.
static pa_array stack_array(pa_lowering *lower, MlirType type, MlirAttribute sizes) {
  MlirValue extents[PA_MAX_RANK];
  pa_array array = {.type = type,
                    .element = pa_scalar_of(pyarrayArrayTypeGetElement(type)),
                    .rank = (int)pyarrayArrayTypeGetRank(type),
                    .owner = pa_int(lower, lower->i64, 0)};
  int64_t bytes = pa_scalar_bytes(array.element);
  for (int axis = 0; axis < array.rank; ++axis) {
    int64_t size = mlirDenseI64ArrayGetElement(sizes, axis);
    extents[axis] = pa_int(lower, lower->i64, size);
    bytes *= size;
  }
  pa_builder at = pa_entry_builder(lower);
  int32_t segments[] = {0, 0};
  MlirOperation made =
      pa_op(&at, "memref.alloca", PA_RESULTS(mlirMemRefTypeContiguousGet(lower->i8, 1, &bytes, mlirAttributeGetNull())),
            PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)},
                     {"alignment", pa_i64_attr(lower->context, 64)}));
  pa_entry_built(lower, &at, made);
  if (mlirOperationIsNull(made)) return array;
  MlirValue buffer = pa_cast_memref(lower, mlirOperationGetResult(made, 0), pa_bytes_type(lower));
  array.memref = typed_view(lower, buffer, type, array.element, extents, array.rank);
  return array;
}

//===-- Loops over elements -----------------------------------------------------------------------===//

typedef struct element_loops {
  pa_counted_loop loops[PA_MAX_RANK];
  MlirValue indices[PA_MAX_RANK];
  int rank;
} element_loops;

static MlirValue extent_index(pa_lowering *lower, const pa_array *array, int axis) {
  return pa_to_index(lower, pa_extent(lower, array, axis));
}

// The last axis varies fastest, or the first in an array of layout F.
static void begin_elements(pa_lowering *lower, const pa_array *array, element_loops *nest) {
  bool reversed = pyarrayArrayTypeGetLayout(array->type) == PYARRAY_LAYOUT_F;
  MlirValue counts[PA_MAX_RANK];
  nest->rank = array->rank;
  for (int axis = 0; axis < array->rank; ++axis) counts[axis] = extent_index(lower, array, axis);
  for (int depth = 0; depth < array->rank; ++depth) {
    int axis = reversed ? array->rank - 1 - depth : depth;
    nest->loops[depth] = pa_loop_begin(lower, counts[axis]);
    nest->indices[axis] = nest->loops[depth].index;
  }
}

static void end_elements(pa_lowering *lower, const element_loops *nest) {
  for (int depth = nest->rank - 1; depth >= 0; --depth) pa_loop_end(lower, nest->loops[depth]);
}

void pa_fill(pa_lowering *lower, const pa_array *array, MlirValue value) {
  element_loops nest;
  begin_elements(lower, array, &nest);
  pa_store(lower, array, nest.indices, value);
  end_elements(lower, &nest);
}

//===-- Assignment with broadcasting --------------------------------------------------------------===//

// Every extent of the source is that of the target's axis, counted from the last, or 1; axes that the target lacks
// are 1.
static void check_broadcast(pa_lowering *lower, const MlirValue *target, int target_rank, const MlirValue *source,
                            int source_rank) {
  MlirValue one = pa_int(lower, lower->i64, 1), bad = pa_int(lower, lower->i1, 0);
  MlirValue *shown = PA_NEW_ARRAY(lower->arena, MlirValue, source_rank + target_rank + 1);
  for (int axis = 0; axis < source_rank; ++axis) {
    int target_axis = target_rank - source_rank + axis;
    MlirValue differs = pa_compare_int(lower, PA_NE, source[axis], one);
    if (target_axis >= 0)
      differs = pa_and(lower, differs, pa_compare_int(lower, PA_NE, source[axis], target[target_axis]));
    bad = pa_or(lower, bad, differs);
  }
  if (source_rank == 0) return;
  for (int i = 0; i < source_rank + target_rank; ++i) shown[i] = i < source_rank ? source[i] : target[i - source_rank];
  pa_raise_many_if(lower, bad, "ValueError",
                   pa_arena_format(lower->arena, "could not broadcast input array from shape {0:%d} into shape {%d:%d}",
                                   source_rank, source_rank, target_rank),
                   shown, source_rank + target_rank);
}

MlirOperation pa_strided_metadata(pa_lowering *lower, const pa_array *array) {
  MlirType results[2 * PA_MAX_RANK + 2];
  results[0] = mlirMemRefTypeContiguousGet(pa_element_memory(lower, array->element), 0, NULL, mlirAttributeGetNull());
  for (int i = 1; i < 2 * array->rank + 2; ++i) results[i] = lower->index;
  return pa_op(&lower->builder, "memref.extract_strided_metadata", PA_OPERANDS(array->memref),
               PA_RESULT_ARRAY(results, 2 * array->rank + 2));
}

void pa_address_range(pa_lowering *lower, const pa_array *array, const MlirValue *extents, MlirValue *out_low,
                      MlirValue *out_high) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  MlirValue base =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", array->memref, lower->index));
  *out_low = *out_high = base;
  if (mlirOperationIsNull(parts)) return;
  MlirValue zero = pa_int(lower, lower->i64, 0), one = pa_int(lower, lower->i64, 1);
  MlirValue low = pa_to_i64(lower, mlirOperationGetResult(parts, 1)), high = pa_binary(lower, "arith.addi", low, one);
  for (int axis = 0; axis < array->rank; ++axis) {
    MlirValue stride = pa_to_i64(lower, mlirOperationGetResult(parts, 2 + array->rank + axis));
    MlirValue reach = pa_binary(lower, "arith.muli", stride, pa_binary(lower, "arith.subi", extents[axis], one));
    low = pa_binary(lower, "arith.addi", low, pa_binary(lower, "arith.minsi", reach, zero));
    high = pa_binary(lower, "arith.addi", high, pa_binary(lower, "arith.maxsi", reach, zero));
  }
  MlirValue bytes = pa_int(lower, lower->i64, pa_scalar_bytes(array->element));
  *out_low = pa_binary(lower, "arith.addi", base, pa_binary(lower, "arith.muli", low, bytes));
  *out_high = pa_binary(lower, "arith.addi", base, pa_binary(lower, "arith.muli", high, bytes));
}

static void copy_elements(pa_lowering *lower, const pa_array *target, const pa_array *source,
                          const MlirValue *source_extents) {
  element_loops nest;
  MlirValue is_one[PA_MAX_RANK], indices[PA_MAX_RANK], zero = pa_int(lower, lower->index, 0);
  for (int axis = 0; axis < source->rank; ++axis)
    is_one[axis] = pa_compare_int(lower, PA_EQ, source_extents[axis], pa_int(lower, lower->i64, 1));
  begin_elements(lower, target, &nest);
  for (int axis = 0; axis < source->rank; ++axis)
    indices[axis] = pa_select(lower, is_one[axis], zero, nest.indices[target->rank - source->rank + axis]);
  MlirValue value = pa_load(lower, source, indices);
  pa_store(lower, target, nest.indices, pa_cast_scalar(lower, value, source->element, target->element));
  end_elements(lower, &nest);
}

// Whether elements are bytes of items whose size is known, as those of records and of numbers that lie unaligned.
static bool is_of_items(const pa_array *array) {
  if (array->element != PA_U8 || array->rank < 2) return false;
  int64_t extent = pyarrayArrayTypeGetExtent(array->type, array->rank - 1);
  return extent != mlirShapedTypeGetDynamicSize() && extent > 1;
}

void pa_copy_elements(pa_lowering *lower, const pa_array *target, const pa_array *source) {
  if (is_of_items(source) && !lower->device) { // LLVM would take the bytes of several items apart
    pa_copy_apart(lower, target, source);
    return;
  }
  element_loops nest;
  begin_elements(lower, target, &nest);
  pa_store(lower, target, nest.indices, pa_load(lower, source, nest.indices));
  end_elements(lower, &nest);
}

// |source| itself, or a copy where its memory may be that of |target|; the owner is then the copy's, else 0.
static pa_array apart_from(pa_lowering *lower, const pa_array *source, const MlirValue *extents, MlirValue overlap) {
  int64_t shape[PA_MAX_RANK];
  for (int axis = 0; axis < source->rank; ++axis) shape[axis] = mlirShapedTypeGetDynamicSize();
  MlirType element = pyarrayArrayTypeGetElement(source->type);
  bool contiguous = pyarrayArrayTypeGetLayout(source->type) == PYARRAY_LAYOUT_C;
  MlirType c_order = pyarrayArrayTypeGet(lower->context, source->rank, shape, element, PYARRAY_LAYOUT_C, false);
  pa_array result = *source;
  result.type =
      contiguous ? c_order : pyarrayArrayTypeGet(lower->context, source->rank, shape, element, PYARRAY_LAYOUT_A, false);
  MlirType types[] = {pa_lower_array_type(lower, result.type), lower->i64};

  pa_scope scope = pa_open(lower, NULL, 0);
  pa_array copy = pa_new_array(lower, c_order, extents, PA_UNINITIALISED);
  pa_copy_elements(lower, &copy, source);
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD),
                             (MlirValue[]){pa_cast_memref(lower, copy.memref, types[0]), copy.owner}, 2);
  scope = pa_open(lower, NULL, 0);
  MlirValue same = pa_cast_memref(lower, source->memref, types[0]);
  MlirRegion otherwise =
      pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), (MlirValue[]){same, pa_int(lower, lower->i64, 0)}, 2);
  MlirOperation op = pa_emit_if(lower, overlap, then, otherwise, types, 2);
  if (mlirOperationIsNull(op)) return result;
  result.memref = mlirOperationGetResult(op, 0);
  result.owner = mlirOperationGetResult(op, 1);
  return result;
}

void pa_assign(pa_lowering *lower, const pa_array *target, const pa_array *source, bool never_overlaps) {
  MlirValue target_extents[PA_MAX_RANK], source_extents[PA_MAX_RANK], low[2], high[2];
  for (int axis = 0; axis < target->rank; ++axis) target_extents[axis] = pa_extent(lower, target, axis);
  for (int axis = 0; axis < source->rank; ++axis) source_extents[axis] = pa_extent(lower, source, axis);
  check_broadcast(lower, target_extents, target->rank, source_extents, source->rank);
  pa_array fitting = *source;
  if (source->rank > target->rank) {
    fitting = pa_without_first_axes(lower, source, source->rank - target->rank);
    source = &fitting;
    for (int axis = 0; axis < source->rank; ++axis) source_extents[axis] = pa_extent(lower, source, axis);
  }
  if (lower->device ||
      never_overlaps) { // on a device there is no memory for a copy: views that overlap are copied in order
    copy_elements(lower, target, source, source_extents);
    return;
  }
  pa_address_range(lower, target, target_extents, &low[0], &high[0]);
  pa_address_range(lower, source, source_extents, &low[1], &high[1]);
  MlirValue overlap = pa_compare_int(lower, PA_ULT, low[0], high[1]);
  overlap = pa_and(lower, overlap, pa_compare_int(lower, PA_ULT, low[1], high[0]));
  pa_array apart = apart_from(lower, source, source_extents, overlap);
  copy_elements(lower, target, &apart, source_extents);
  pa_runtime(lower, "pyarray_rt_release", apart.owner);
}

// |parts|: of pa_strided_metadata.
static MlirValue first_address(pa_lowering *lower, const pa_array *array, MlirOperation parts) {
  MlirValue base = pa_convert(lower, "memref.extract_aligned_pointer_as_index", array->memref, lower->index);
  MlirValue bytes = pa_int(lower, lower->index, pa_scalar_bytes(array->element));
  MlirValue offset = pa_binary(lower, "arith.muli", mlirOperationGetResult(parts, 1), bytes);
  return pa_to_i64(lower, pa_binary(lower, "arith.addi", base, offset));
}

void pa_copy_apart(pa_lowering *lower, const pa_array *target, const pa_array *source) {
  int rank = target->rank;
  MlirOperation to = pa_strided_metadata(lower, target), from = pa_strided_metadata(lower, source);
  if (mlirOperationIsNull(to) || mlirOperationIsNull(from)) return;
  MlirValue numbers = pa_stack_numbers(lower, 3 * rank + 1);
  for (int i = 0; i < 3 * rank; ++i) {
    MlirValue number = i < rank       ? mlirOperationGetResult(to, 2 + i)
                       : i < 2 * rank ? mlirOperationGetResult(to, 2 + i)
                                      : mlirOperationGetResult(from, 2 + i - rank);
    pa_op(&lower->builder, "memref.store",
          PA_OPERANDS(pa_to_i64(lower, number), numbers, pa_int(lower, lower->index, i)));
  }
  MlirValue memory =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
  pa_runtime(lower, "pyarray_rt_copy_array", pa_int(lower, lower->i64, rank),
             pa_int(lower, lower->i64, pa_scalar_bytes(target->element)), memory, first_address(lower, target, to),
             first_address(lower, source, from));
}

//===-- Builtins ----------------------------------------------------------------------------------===//

static void finish_array(pa_lowering *lower, const pa_builtin_call *call, const pa_array *array) {
  pa_set(lower, pa_result(call->op), (MlirValue[]){array->memref, array->owner}, 2);
}

static MlirValue number(pa_lowering *lower, bool one, pa_scalar element) {
  return pa_cast_scalar(lower, pa_int(lower, lower->i1, one), PA_BOOL, element);
}

// In stack memory, if |call| says so.
static pa_array made_array(pa_lowering *lower, const pa_builtin_call *call, const MlirValue *extents, pa_contents how) {
  MlirType type = mlirValueGetType(pa_result(call->op));
  MlirAttribute on_stack = pa_get_attr(call->op, "pyarray.stack");
  if (mlirAttributeIsNull(on_stack)) return pa_new_array(lower, type, extents, how);
  pa_array array = stack_array(lower, type, on_stack);
  if (how == PA_ZEROED) pa_fill(lower, &array, number(lower, false, array.element));
  return array;
}

// |fill_operand|: which operand np.full's value is.
static void make_array(pa_lowering *lower, const pa_builtin_call *call, const MlirValue *extents, int fill_operand) {
  const char *target = call->row->target;
  bool number_of_device = pa_has_attr(call->op, "pyarray.number");
  pa_contents contents = strcmp(target, "zeros") == 0 ? PA_ZEROED : number_of_device ? PA_NUMBER : PA_UNINITIALISED;
  pa_array array = made_array(lower, call, extents, contents);
  if (strcmp(target, "ones") == 0) pa_fill(lower, &array, number(lower, true, array.element));
  if (strcmp(target, "full") == 0) pa_fill(lower, &array, pa_argument(lower, call, fill_operand));
  finish_array(lower, call, &array);
}

static void lower_new_array(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue extents[PA_MAX_RANK];
  int rank = (int)pyarrayArrayTypeGetRank(mlirValueGetType(pa_result(call->op)));
  if (rank > call->count || rank > PA_MAX_RANK) {
    pa_lower_fail(lower, "%s has too few extents", call->row->name);
    return;
  }
  for (int axis = 0; axis < rank; ++axis) extents[axis] = pa_argument(lower, call, axis);
  make_array(lower, call, extents, rank);
}

static void lower_new_array_like(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue extents[PA_MAX_RANK];
  pa_array model = pa_array_of(lower, pa_operand(call->op, 0));
  for (int axis = 0; axis < model.rank; ++axis) extents[axis] = pa_extent(lower, &model, axis);
  make_array(lower, call, extents, 1);
}

pa_array pa_array_at(pa_lowering *lower, MlirType type, MlirValue pointer, const MlirValue *extents, MlirValue owner) {
  pa_array array = {.type = type,
                    .element = pa_scalar_of(pyarrayArrayTypeGetElement(type)),
                    .rank = (int)pyarrayArrayTypeGetRank(type),
                    .owner = owner};
  MlirValue bytes = byte_count(lower, array.element, extents, array.rank);
  MlirValue buffer = pa_bytes_at(lower, pointer, bytes);
  array.memref = typed_view(lower, buffer, type, array.element, extents, array.rank);
  return array;
}

// Records in Fortran order: their bytes, the last axis, stay together.
static pa_array reverse_records(pa_lowering *lower, MlirType type, MlirValue pointer, const MlirValue *extents,
                                int rank) {
  MlirValue reversed[PA_MAX_RANK];
  int64_t shape[PA_MAX_RANK];
  unsigned permutation[PA_MAX_RANK];
  for (int axis = 0; axis < rank; ++axis) {
    int other = axis == rank - 1 ? axis : rank - 2 - axis;
    shape[axis] = pyarrayArrayTypeGetExtent(type, other);
    reversed[axis] = extents[other];
    permutation[axis] = (unsigned)other;
  }
  MlirType u8 = pyarrayArrayTypeGetElement(type);
  MlirType in_order = pyarrayArrayTypeGet(lower->context, rank, shape, u8, PYARRAY_LAYOUT_C, false);
  pa_array array = pa_array_at(lower, in_order, pointer, reversed, pa_int(lower, lower->i64, 0));
  MlirAttribute map = mlirAffineMapAttrGet(mlirAffineMapPermutationGet(lower->context, rank, permutation));
  MlirType plain =
      pa_lower_array_type(lower, pyarrayArrayTypeGet(lower->context, rank, shape, u8, PYARRAY_LAYOUT_A, false));
  MlirValue any = pa_cast_memref(lower, array.memref, plain);
  array.type = type;
  array.memref = pa_cast_memref(lower,
                                pa_value(&lower->builder, "memref.transpose", PA_OPERANDS(any), PA_RESULTS(plain),
                                         PA_ATTRS({"permutation", map})),
                                pa_lower_array_type(lower, type));
  return array;
}

// carray, farray: the memory at a C pointer as an array without owner.
static void lower_foreign_array(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue extents[PA_MAX_RANK], pointer = pa_argument(lower, call, 0);
  MlirType type = mlirValueGetType(pa_result(call->op));
  int rank = (int)pyarrayArrayTypeGetRank(type);
  for (int axis = 0; axis < rank; ++axis)
    extents[axis] = axis < call->count - 1 ? pa_argument(lower, call, axis + 1)
                                           : pa_int(lower, lower->i64, pyarrayArrayTypeGetExtent(type, axis));
  bool reversed = rank == call->count && rank > 2 && *call->row->target == 'F';
  pa_array array = reversed ? reverse_records(lower, type, pointer, extents, rank)
                            : pa_array_at(lower, type, pointer, extents, pa_int(lower, lower->i64, 0));
  finish_array(lower, call, &array);
}

// Record number |index| behind a C pointer.
static void lower_record_at(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = mlirValueGetType(pa_result(call->op));
  MlirValue size = pa_int(lower, lower->i64, pyarrayArrayTypeGetExtent(type, 0)), pointer = pa_argument(lower, call, 0);
  MlirValue offset = pa_binary(lower, "arith.muli", pa_argument(lower, call, 1), size);
  int32_t dynamic = INT32_MIN; // the offset is an operand
  pointer = pa_value(&lower->builder, "llvm.getelementptr", PA_OPERANDS(pointer, offset),
                     PA_RESULTS(pa_type_or_none(lower, pointer)),
                     PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(lower->context, 1, &dynamic)},
                              {"elem_type", mlirTypeAttrGet(lower->i8)}));
  pa_array array = pa_array_at(lower, type, pointer, &size, pa_int(lower, lower->i64, 0));
  finish_array(lower, call, &array);
}

// Both in C order: one block of bytes.
static void copy_bytes(pa_lowering *lower, const pa_array *target, const pa_array *source, const MlirValue *extents) {
  MlirValue addresses[2], end;
  pa_address_range(lower, source, extents, &addresses[1], &end);
  MlirValue bytes = pa_int(lower, lower->i64, pa_scalar_bytes(source->element));
  for (int axis = 0; axis < source->rank; ++axis) bytes = pa_binary(lower, "arith.muli", bytes, extents[axis]);
  pa_runtime(lower, "pyarray_rt_copy", target->owner, addresses[1], bytes);
}

static void lower_copy(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue extents[PA_MAX_RANK];
  pa_array source = pa_array_of(lower, pa_operand(call->op, 0));
  for (int axis = 0; axis < source.rank; ++axis) extents[axis] = pa_extent(lower, &source, axis);
  MlirType type = mlirValueGetType(pa_result(call->op));
  pa_array copy = made_array(lower, call, extents, PA_UNINITIALISED);
  bool same_order = !lower->device && pyarrayArrayTypeGetLayout(type) == pyarrayArrayTypeGetLayout(source.type) &&
                    pyarrayArrayTypeGetLayout(type) != PYARRAY_LAYOUT_A;
  if (same_order)
    copy_bytes(lower, &copy, &source, extents);
  else
    pa_copy_elements(lower, &copy, &source);
  finish_array(lower, call, &copy);
}

const pa_builtin_rule_row pa_array_rules[] = {
    {PA_LOWERING_NEW_ARRAY, lower_new_array},
    {PA_LOWERING_NEW_ARRAY_LIKE, lower_new_array_like},
    {PA_LOWERING_FOREIGN_ARRAY, lower_foreign_array},
    {PA_LOWERING_RECORD_AT, lower_record_at},
    {PA_LOWERING_COPY, lower_copy},
    {PA_LOWERING_ITEM, pa_lower_item},
    {0, NULL},
};
