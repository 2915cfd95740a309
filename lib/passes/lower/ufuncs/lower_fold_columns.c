// Of pyarray-lower: rows of pyarray.reduce whose innermost dimension is not folded. A row is added to a row of results,
// element by element; point by point of the result where it is short.
#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_numbers.h"
#include "lower_ufunc.h"

enum { PA_SHORT_ROW = 16 }; // of results that are taken point by point

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

// A point of the result, at |offsets| of the operands: all its elements, along the last dimension but one.
static void update_column(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  pa_fold column = *f;
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, f->result_count + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, f->result_count + 3), at = zero(lower);
  pa_array *points = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  column.rank = f->rank - 1; // the innermost one is now that along which rows go
  const pa_array *rows = pa_rows_of_inputs(lower, &column, offsets, false);
  types[0] = lower->index;
  for (int k = 0; k < f->result_count; ++k) {
    types[1 + k] = pa_lower_scalar_type(lower, f->results[k].element);
    points[k] = pa_fold_point(lower, &f->results[k].output, offsets[f->input_count + k]);
    values[3 + k] = pa_load(lower, &points[k], &at);
  }
  pa_scope scope = pa_open(lower, types, f->result_count + 1);
  MlirValue *inner = PA_NEW_ARRAY(lower->arena, MlirValue, f->result_count + 1);
  pa_fold_body(lower, f, rows, mlirBlockGetArgument(scope.block, 0));
  for (int k = 0; k < f->result_count; ++k)
    inner[k] =
        pa_fold_combine(lower, &f->results[k], mlirBlockGetArgument(scope.block, 1 + k), pa_fold_yielded(lower, f, k));
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), inner, f->result_count);
  values[0] = at, values[1] = f->sizes[f->rank - 2], values[2] = pa_int(lower, lower->index, 1);
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(values, f->result_count + 3),
                             PA_RESULT_ARRAY(types + 1, f->result_count), PA_REGIONS(body),
                             PA_ATTRS({"loop_annotation", pa_strided_annotation(lower, false)}));
  for (int k = 0; k < f->result_count && !mlirOperationIsNull(loop); ++k)
    pa_store(lower, &points[k], &at, mlirOperationGetResult(loop, k));
}

MlirValue pa_has_short_columns(pa_lowering *lower, const pa_fold *f) {
  MlirValue folds = pa_compare_int(lower, PA_EQ, f->results[0].output.strides[f->rank - 2], zero(lower));
  MlirValue few = pa_int(lower, lower->index, PA_SHORT_ROW);
  return pa_and(lower, folds, pa_compare_int(lower, PA_SLT, f->sizes[f->rank - 1], few));
}

void pa_update_columns(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  int count = f->input_count + f->result_count, last = f->rank - 1;
  MlirValue *inner = PA_NEW_ARRAY(lower->arena, MlirValue, count);
  pa_counted_loop loop = pa_loop_begin(lower, f->sizes[last]);
  for (int i = 0; i < count; ++i) {
    const pa_fold_operand *operand = i < f->input_count ? &f->inputs[i] : &f->results[i - f->input_count].output;
    inner[i] = offsets[i];
    if (pa_is_number_operand(operand)) continue;
    MlirValue step = pa_binary(lower, "arith.muli", loop.index, operand->strides[last]);
    inner[i] = pa_binary(lower, "arith.addi", offsets[i], step);
  }
  update_column(lower, f, inner);
  pa_loop_end(lower, loop);
}
