// Of pyarray-fuse: reductions that compute their producers.
//
//   %t = pyarray.ufunc ins(%a, %b) { multiply } -> !pyarray.array<?x?xf64, C>
//   %s = pyarray.reduce ["add"] axes [1] ins(%t) { yield }
// becomes
//   %s = pyarray.reduce ["add"] axes [1] ins(%n, %a, %b) order "C" { multiply } {shapes = array<i64: 0>}
//
// A sum of floats depends on the order in which it is added up, and NumPy takes that from the memory of the array. So
// the array that is no longer written must have an order that is known: all of it, or a view that is contiguous by its
// type.
#include "fuse_internal.h"

enum { PA_MOST_FOLDED = 2 }; // dimensions beside one that is kept, of which rows are added up together

bool pa_is_open_reduce(const pa_names *names, MlirOperation op) {
  return pa_kind(names, op) == PA_OP_REDUCE && mlirAttributeIsNull(pa_get_attr(op, "expanded"));
}

static intptr_t rank_of(MlirValue value) {
  return pa_is_array_with_axes(value) ? pyarrayArrayTypeGetRank(mlirValueGetType(value)) : 0;
}

intptr_t pa_reduction_rank(MlirOperation reduce) {
  intptr_t rank = 0;
  for (int i = 0; i < pa_input_count(reduce); ++i) {
    intptr_t own = rank_of(mlirOperationGetOperand(reduce, i));
    rank = own > rank ? own : rank;
  }
  return rank;
}

//===-- The order ---------------------------------------------------------------------------------===//

static bool rounds(MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  return pa_is_float(scalar) || pa_is_complex(scalar);
}

// Sums and products of numbers that are rounded.
static bool depends_on_order(MlirOperation reduce) {
  MlirAttribute words = pa_get_attr(reduce, "words");
  MlirOperation yield = mlirBlockGetTerminator(pa_body(reduce, 0));
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(words); ++k) {
    MlirStringRef word = mlirStringAttrGetValue(mlirArrayAttrGetElement(words, k));
    if ((pa_ref_equal(word, "add") || pa_ref_equal(word, "mul")) &&
        rounds(mlirValueGetType(mlirOperationGetOperand(yield, k))))
      return true;
  }
  return false;
}

// How many arrays it has, of which the first gives its order.
static int array_count(MlirOperation reduce) {
  int count = 0;
  for (int i = 0; i < pa_input_count(reduce); ++i)
    count += pyarrayTypeIsArray(mlirValueGetType(mlirOperationGetOperand(reduce, i)));
  return count;
}

// Rows of a new array are contiguous, and added up together as far as they are folded.
static bool adds_rows_together(MlirOperation reduce) {
  intptr_t folded = mlirDenseArrayGetNumElements(pa_get_attr(reduce, "axes"));
  return folded <= PA_MOST_FOLDED || folded == pa_reduction_rank(reduce);
}

// Some input would be read across its rows: written down it is read in tiles.
static bool reads_across(const pa_producer *producer, pyarray_layout layout) {
  pyarray_layout other = layout == PYARRAY_LAYOUT_C ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_C;
  for (int i = 0; i < producer->inputs; ++i) {
    MlirValue input = mlirOperationGetOperand(producer->op, i);
    if (rank_of(input) > 1 && pyarrayArrayTypeGetLayout(mlirValueGetType(input)) == other) return true;
  }
  return false;
}

bool pa_folds_rows_alone(MlirOperation reduce) {
  MlirAttribute order = pa_get_attr(reduce, "order");
  if (!depends_on_order(reduce)) return true;
  if (!mlirAttributeIsNull(order)) return pa_ref_equal(mlirStringAttrGetValue(order), "C");
  for (int i = 0; i < pa_input_count(reduce); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(reduce, i));
    if (pyarrayTypeIsArray(type) && pyarrayArrayTypeGetLayout(type) != PYARRAY_LAYOUT_C) return false;
  }
  return array_count(reduce) == 1;
}

bool pa_may_reduce(const pa_fusing *f, const pa_producer *producer, const pa_node *node, MlirOperation reduce) {
  (void)f;
  bool ordered = !mlirAttributeIsNull(pa_get_attr(reduce, "order"));
  if (ordered || !depends_on_order(reduce) || pa_reduction_rank(reduce) == 1) return true;
  pyarray_layout layout = pyarrayArrayTypeGetLayout(node->type);
  return layout != PYARRAY_LAYOUT_A && array_count(reduce) == 1 && adds_rows_together(reduce) &&
         !reads_across(producer, layout);
}

//===-- Setting it --------------------------------------------------------------------------------===//

// NumPy casts the elements of the one array into a buffer.
static bool casts(MlirOperation reduce) {
  MlirOperation yield = mlirBlockGetTerminator(pa_body(reduce, 0));
  return array_count(reduce) == 1 &&
         !mlirValueEqual(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(pa_body(reduce, 0), 0));
}

void pa_set_order(MlirOperation reduce, MlirType type) {
  if (!mlirAttributeIsNull(pa_get_attr(reduce, "order")) || !depends_on_order(reduce)) return;
  MlirContext context = mlirOperationGetContext(reduce);
  pa_set_attr(reduce, "order",
              pa_string_attr(context, pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_F ? "F" : "C"));
  if (casts(reduce)) pa_set_attr(reduce, "buffered", pa_unit_attr(context));
}
