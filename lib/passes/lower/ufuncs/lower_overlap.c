// Of pyarray-lower: what a ufunc asks about the memory of its operands.
//
//   pyarray.independent     of arrays in C order compares the addresses between which they lie; else has the runtime
//                           compare them, and strides; raises where it is required (in kernels)
//   pyarray.rows_apart      has the runtime compare them, and say how many rows are stored later
//   pyarray.inner_strides   compares strides along the last axis with 0 and 1
#include "lower_arrays.h"
#include "lower_whole_arrays.h"

//===-- Strides -----------------------------------------------------------------------------------===//

void pa_lower_inner_strides(pa_lowering *lower, MlirOperation op) {
  int32_t inputs = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 0);
  MlirValue all = pa_int(lower, lower->i1, 1), zero = pa_int(lower, lower->index, 0),
            one = pa_int(lower, lower->index, 1);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    pa_array array = pa_array_of(lower, pa_operand(op, i));
    if (array.rank == 0) {
      pa_lower_fail(lower, "pyarray.inner_strides of an array without dimensions");
      return;
    }
    MlirValue stride = pa_stride_of(lower, &array, array.rank - 1);
    MlirValue fits = pa_compare_int(lower, PA_EQ, stride, one);
    if (i < inputs) fits = pa_or(lower, fits, pa_compare_int(lower, PA_EQ, stride, zero));
    all = pa_and(lower, all, fits);
  }
  pa_set1(lower, pa_result(op), all);
}

//===-- Overlap -----------------------------------------------------------------------------------===//

typedef struct block { // an array in C order
  pa_array array;
  MlirValue low, high; // the addresses between which it lies
} block;

// What an operand is a view of, if that is in C order by its type and all of it is read.
static bool find_block(pa_lowering *lower, MlirValue operand, block *out) {
  if (mlirValueIsAOpResult(operand) && pa_kind(&lower->names, mlirOpResultGetOwner(operand)) == PA_OP_BROADCAST_TO)
    operand = pa_operand(mlirOpResultGetOwner(operand), 0);
  out->array = pa_array_of(lower, operand);
  return pyarrayArrayTypeGetLayout(mlirValueGetType(operand)) == PYARRAY_LAYOUT_C;
}

static void read_addresses(pa_lowering *lower, block *b) {
  MlirOperation parts = pa_strided_metadata(lower, &b->array);
  if (mlirOperationIsNull(parts)) return;
  MlirValue bytes = pa_int(lower, lower->i64, pa_scalar_bytes(b->array.element)), size = bytes;
  MlirValue base =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", b->array.memref, lower->index));
  MlirValue offset = pa_binary(lower, "arith.muli", pa_to_i64(lower, mlirOperationGetResult(parts, 1)), bytes);
  for (int axis = 0; axis < b->array.rank; ++axis)
    size = pa_binary(lower, "arith.muli", size, pa_extent(lower, &b->array, axis));
  b->low = pa_binary(lower, "arith.addi", base, offset);
  b->high = pa_binary(lower, "arith.addi", b->low, size);
}

// One array, element for element.
static MlirValue are_same(pa_lowering *lower, const block *a, const block *b) {
  if (a->array.rank != b->array.rank || a->array.element != b->array.element) return pa_int(lower, lower->i1, 0);
  MlirValue same = pa_compare_int(lower, PA_EQ, a->low, b->low);
  for (int axis = 0; axis < a->array.rank; ++axis)
    same = pa_and(lower, same,
                  pa_compare_int(lower, PA_EQ, pa_extent(lower, &a->array, axis), pa_extent(lower, &b->array, axis)));
  return same;
}

enum { PA_MOST_PAIRS = 8 };

// Of arrays in C order, without a call, which short loops take longer for than for their points. False where some are
// not, or there are many.
static bool compare_blocks(pa_lowering *lower, MlirOperation op, intptr_t inputs, bool strictly) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if ((count - inputs) * (count + inputs - 1) / 2 > PA_MOST_PAIRS) return false;
  block *blocks = PA_NEW_ARRAY(lower->arena, block, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    if (!find_block(lower, pa_operand(op, i), &blocks[i])) return false;
  for (intptr_t i = 0; i < count; ++i) read_addresses(lower, &blocks[i]);
  MlirValue all = pa_int(lower, lower->i1, 1);
  for (intptr_t o = inputs; o < count && !pa_failed(&lower->builder); ++o)
    for (intptr_t k = 0; k < o; ++k) {
      MlirValue fits = pa_or(lower, pa_compare_int(lower, PA_ULE, blocks[o].high, blocks[k].low),
                             pa_compare_int(lower, PA_ULE, blocks[k].high, blocks[o].low));
      if (k < inputs && !strictly) fits = pa_or(lower, fits, are_same(lower, &blocks[o], &blocks[k]));
      all = pa_and(lower, all, fits);
    }
  return pa_set1(lower, pa_result(op), all), true;
}

// Where strides are not known it is asked of the runtime: in place, it would be more code than the loop.
void pa_lower_independent(pa_lowering *lower, MlirOperation op) {
  int64_t inputs = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 0);
  bool apart = !mlirAttributeIsNull(pa_get_attr(op, "apart"));
  if (!compare_blocks(lower, op, (intptr_t)inputs, apart))
    pa_set1(lower, pa_result(op), pa_are_independent(lower, op, (intptr_t)inputs, apart));
  if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.required")) && !pa_failed(&lower->builder))
    pa_raise_if(lower, pa_not(lower, pa_get1(lower, pa_result(op))), "ValueError",
                "what is written overlaps with what is read, and a kernel has no memory for a copy");
}

void pa_lower_rows_apart(pa_lowering *lower, MlirOperation op) {
  intptr_t inputs = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 0);
  pa_array output = pa_array_of(lower, pa_operand(op, inputs));
  MlirValue apart = pa_rows_apart(lower, op, inputs), one = pa_int(lower, lower->i64, 1);
  MlirValue independent = pa_compare_int(lower, PA_EQ, apart, pa_int(lower, lower->i64, 0)),
            all = pa_binary(lower, "arith.maxsi", pa_extent(lower, &output, 0), one);
  pa_set1(lower, mlirOperationGetResult(op, 0), independent);
  pa_set1(lower, mlirOperationGetResult(op, 1), pa_select(lower, independent, all, apart));
}
