// Of pyarray-lower: rows of pyarray.reduce whose innermost dimension is not folded. A row is added to a row of results,
// element by element; a few points of the result after the other where it is short.
#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_numbers.h"
#include "lower_ufunc.h"

enum { PA_SHORT_ROW = 16, PA_TOGETHER = 4 }; // of results that are taken point by point; as many of them side by side

static MlirValue zero(pa_lowering *lower) { return pa_int(lower, lower->index, 0); }

static void update_copy(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit) {
  int last = f->rank - 1;
  const pa_array *rows = pa_rows_of_inputs(lower, f, offsets, unit);
  pa_array *outputs = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  for (int k = 0; k < f->result_count; ++k)
    outputs[k] = pa_row_of(lower, &f->results[k].output, offsets[f->input_count + k], f->sizes[last],
                           unit ? (MlirValue){NULL} : f->results[k].output.strides[last]);
  MlirValue index;
  pa_scope scope = pa_parallel_begin(lower, &index);
  pa_fold_body(lower, f, rows, index);
  for (int k = 0; k < f->result_count; ++k) {
    MlirValue before = pa_load(lower, &outputs[k], &index);
    pa_store(lower, &outputs[k], &index, pa_fold_combine(lower, &f->results[k], before, pa_fold_yielded(lower, f, k)));
  }
  pa_parallel_end(lower, scope, zero(lower), f->sizes[last], unit ? NULL : "pyarray.strided");
}

void pa_update_row(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  if (!pa_folds_memory(f) && pa_has_strips(lower, f))
    pa_update_strip(lower, f, offsets);
  else
    pa_fold_copies(lower, f, offsets, true, update_copy);
}

// Points of the result, at |offsets| of the operands each: all their elements, along the last dimension but one. Where
// there are several they are added up side by side, as each addition waits for the one before; one that is there twice
// gets the same number twice.
static void update_points(pa_lowering *lower, const pa_fold *f, MlirValue *const *offsets, int count) {
  pa_fold column = *f;
  int carried = count * f->result_count;
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, carried + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, carried + 3), at = zero(lower);
  pa_array *points = PA_NEW_ARRAY(lower->arena, pa_array, carried + 1);
  const pa_array **rows = PA_NEW_ARRAY(lower->arena, const pa_array *, count);
  column.rank = f->rank - 1; // the innermost one is now that along which rows go
  types[0] = lower->index;
  for (int p = 0, c = 0; p < count; ++p) {
    rows[p] = pa_rows_of_inputs(lower, &column, offsets[p], false);
    for (int k = 0; k < f->result_count; ++k, ++c) {
      types[1 + c] = pa_lower_scalar_type(lower, f->results[k].element);
      points[c] = pa_fold_point(lower, &f->results[k].output, offsets[p][f->input_count + k]);
      values[3 + c] = pa_load(lower, &points[c], &at);
    }
  }
  pa_scope scope = pa_open(lower, types, carried + 1);
  MlirValue *inner = PA_NEW_ARRAY(lower->arena, MlirValue, carried + 1);
  for (int p = 0, c = 0; p < count; ++p) {
    pa_fold_body(lower, f, rows[p], mlirBlockGetArgument(scope.block, 0));
    for (int k = 0; k < f->result_count; ++k, ++c)
      inner[c] = pa_fold_combine(lower, &f->results[k], mlirBlockGetArgument(scope.block, 1 + c),
                                 pa_fold_yielded(lower, f, k));
  }
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), inner, carried);
  values[0] = at, values[1] = f->sizes[f->rank - 2], values[2] = pa_int(lower, lower->index, 1);
  MlirOperation loop = pa_op(
      &lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(values, carried + 3), PA_RESULT_ARRAY(types + 1, carried),
      PA_REGIONS(body),
      PA_ATTRS({"loop_annotation", count > 1 ? pa_scalar_annotation(lower) : pa_strided_annotation(lower, false)}));
  for (int c = 0; c < carried && !mlirOperationIsNull(loop); ++c)
    pa_store(lower, &points[c], &at, mlirOperationGetResult(loop, c));
}

MlirValue pa_has_short_columns(pa_lowering *lower, const pa_fold *f) {
  MlirValue folds = pa_compare_int(lower, PA_EQ, f->results[0].output.strides[f->rank - 2], zero(lower));
  MlirValue few = pa_int(lower, lower->index, PA_SHORT_ROW);
  return pa_and(lower, folds, pa_compare_int(lower, PA_SLT, f->sizes[f->rank - 1], few));
}

void pa_update_columns(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  int together = pa_is_simple(lower, f) ? PA_TOGETHER : 1;
  MlirValue columns = f->sizes[f->rank - 1], step = pa_int(lower, lower->index, together), *points[PA_TOGETHER];
  MlirValue last = pa_binary(lower, "arith.subi", columns, pa_int(lower, lower->index, 1));
  pa_counted_loop loop = pa_loop_begin(lower, pa_binary(lower, "arith.ceildivsi", columns, step));
  MlirValue first = pa_binary(lower, "arith.muli", loop.index, step);
  for (int p = 0; p < together; ++p) {
    MlirValue column = pa_binary(lower, "arith.addi", first, pa_int(lower, lower->index, p));
    points[p] = pa_step_along(lower, f, f->rank - 1, pa_binary(lower, "arith.minsi", column, last), offsets);
  }
  update_points(lower, f, points, together);
  pa_loop_end(lower, loop);
}
