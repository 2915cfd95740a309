// Of pyarray-lower: a pyarray.reduce whose results are spread over threads.
//
// The longest dimension that is not folded is cut into parts, and each part goes through all other dimensions in the
// order that one thread would: so sums of floats have the same bits.
//
//   %p = call @pyarray_rt_parallel_parts(%n, %grain)
//   scf.parallel (%i) = (%c0) to (%p) { ... %i * %each to (%i + 1) * %each ... } {pyarray.threads}
#include <string.h>

#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_ufunc.h"
#include "ufunc_cost.h"

enum { PA_THREAD_WORK = 20000 }; // in simple operations

// Which dimension (i64) that is, and its extent (index type); -1 and 1 where each that is kept has one step.
static MlirValue longest_kept(pa_lowering *lower, const pa_fold *f, MlirValue *out_extent) {
  MlirValue best = pa_int(lower, lower->i64, -1), zero = pa_int(lower, lower->index, 0);
  *out_extent = pa_int(lower, lower->index, 1);
  for (int d = 0; d < f->rank; ++d) {
    MlirValue kept = pa_compare_int(lower, PA_NE, f->results[0].output.strides[d], zero);
    MlirValue longer = pa_compare_int(lower, PA_SGT, f->sizes[d], *out_extent), takes = pa_and(lower, kept, longer);
    best = pa_select(lower, takes, pa_int(lower, lower->i64, d), best);
    *out_extent = pa_select(lower, takes, f->sizes[d], *out_extent);
  }
  return best;
}

// Parts of at most |extent| steps: as many as have points that are worth a thread.
static MlirValue parts_of(pa_lowering *lower, const pa_fold *f, MlirValue extent) {
  MlirValue points = f->sizes[0];
  for (int d = 1; d < f->rank; ++d) points = pa_binary(lower, "arith.muli", points, f->sizes[d]);
  points = pa_binary(lower, "arith.maxsi", points, extent); // what is folded may be nothing
  int64_t worth = PA_THREAD_WORK / (pa_ufunc_cost(&lower->names, f->body) + 1) + 1;
  MlirValue parts = pa_runtime(lower, "pyarray_rt_parallel_parts", pa_to_i64(lower, points),
                               pa_int(lower, lower->i64, -worth)); // below 0: chunk sizes are for prange
  return pa_binary(lower, "arith.minsi", pa_to_index(lower, parts), extent);
}

static pa_fold_operand *operand_at(pa_fold *f, int i) {
  return i < f->input_count ? &f->inputs[i] : &f->results[i - f->input_count].output;
}

// |f| from |begin| on, |count| steps of that dimension; the copy shares nothing that changes.
static pa_fold *part_of(pa_lowering *lower, const pa_fold *f, MlirValue dimension, MlirValue begin, MlirValue count) {
  pa_fold *part = PA_NEW(lower->arena, pa_fold);
  MlirValue zero = pa_int(lower, lower->index, 0);
  *part = *f;
  part->inputs = PA_NEW_ARRAY(lower->arena, pa_fold_operand, f->input_count + 1);
  part->results = PA_NEW_ARRAY(lower->arena, pa_fold_result, f->result_count + 1);
  memcpy(part->inputs, f->inputs, (size_t)f->input_count * sizeof *f->inputs);
  memcpy(part->results, f->results, (size_t)f->result_count * sizeof *f->results);
  for (int d = 0; d < f->rank; ++d) {
    MlirValue is = pa_compare_int(lower, PA_EQ, dimension, pa_int(lower, lower->i64, d));
    part->sizes[d] = pa_select(lower, is, count, f->sizes[d]);
    for (int i = 0; i < f->input_count + f->result_count; ++i) {
      pa_fold_operand *operand = operand_at(part, i);
      if (mlirValueIsNull(operand->array.memref)) continue;
      MlirValue step = pa_select(lower, is, pa_binary(lower, "arith.muli", begin, operand->strides[d]), zero);
      operand->offset = pa_binary(lower, "arith.addi", operand->offset, step);
    }
  }
  return part;
}

void pa_spread_fold(pa_lowering *lower, pa_fold *f, void (*lower_part)(pa_lowering *lower, pa_fold *f)) {
  MlirValue extent, dimension = longest_kept(lower, f, &extent), one = pa_int(lower, lower->index, 1);
  MlirValue parts = parts_of(lower, f, extent);
  MlirValue each = pa_binary(lower, "arith.ceildivsi", extent, pa_binary(lower, "arith.maxsi", parts, one));
  pa_scope scope = pa_grid_begin(lower, 1);
  MlirValue begin = pa_binary(lower, "arith.muli", mlirBlockGetArgument(scope.block, 0), each);
  begin = pa_binary(lower, "arith.minsi", begin, extent);
  MlirValue count = pa_binary(lower, "arith.minsi", each, pa_binary(lower, "arith.subi", extent, begin));
  pa_thread_scope thread;
  pa_thread_begin(lower, &thread);
  lower->parallel = false;
  lower_part(lower, part_of(lower, f, dimension, begin, count));
  lower->parallel = true;
  pa_thread_end(lower, &thread);
  pa_grid_end(lower, scope, &parts, 1, "pyarray.threads", pa_i64_attr(lower->context, -1));
}

//===-- Nothing is kept ---------------------------------------------------------------------------===//

// Of the dimensions but the innermost one.
static MlirValue longest_outer(pa_lowering *lower, const pa_fold *f, MlirValue *out_extent) {
  MlirValue best = pa_int(lower, lower->i64, 0);
  *out_extent = f->sizes[0];
  for (int d = 1; d < f->rank - 1; ++d) {
    MlirValue longer = pa_compare_int(lower, PA_SGT, f->sizes[d], *out_extent);
    best = pa_select(lower, longer, pa_int(lower, lower->i64, d), best);
    *out_extent = pa_select(lower, longer, f->sizes[d], *out_extent);
  }
  return best;
}

// What a step along that dimension makes, in memory of its own.
static void fold_step(pa_lowering *lower, pa_fold *step, const MlirValue *before, MlirValue *out_after,
                      void (*lower_part)(pa_lowering *lower, pa_fold *f)) {
  for (int k = 0; k < step->result_count; ++k) {
    pa_fold_operand *output = &step->results[k].output;
    output->array.memref = pa_stack_slot(lower, pa_element_memory(lower, output->array.element), false);
    output->base = output->array.memref;
    output->offset = pa_int(lower, lower->index, 0);
    pa_store(lower, &output->array, NULL, pa_fold_start(lower, &step->results[k]));
  }
  lower_part(lower, step);
  for (int k = 0; k < step->result_count; ++k)
    out_after[k] =
        pa_fold_combine(lower, &step->results[k], before[k], pa_load(lower, &step->results[k].output.array, NULL));
}

void pa_spread_whole(pa_lowering *lower, pa_fold *f, MlirAttribute words,
                     void (*lower_part)(pa_lowering *lower, pa_fold *f)) {
  int count = f->result_count;
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, count + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, count + 3), extent,
            dimension = longest_outer(lower, f, &extent);
  types[0] = lower->i64;
  for (int k = 0; k < count; ++k) {
    types[1 + k] = pa_lower_scalar_type(lower, f->results[k].element);
    values[3 + k] = pa_load(lower, &f->results[k].output.array, NULL);
  }
  pa_scope scope = pa_open(lower, types, count + 1);
  pa_thread_scope thread;
  pa_thread_begin(lower, &thread);
  lower->parallel = false;
  MlirValue *before = PA_NEW_ARRAY(lower->arena, MlirValue, 2 * count + 1), *after = before + count;
  for (int k = 0; k < count; ++k) before[k] = mlirBlockGetArgument(scope.block, 1 + k);
  pa_fold *step = part_of(lower, f, dimension, pa_to_index(lower, mlirBlockGetArgument(scope.block, 0)),
                          pa_int(lower, lower->index, 1));
  fold_step(lower, step, before, after, lower_part);
  lower->parallel = true;
  pa_thread_end(lower, &thread);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), after, count);
  values[0] = pa_int(lower, lower->i64, 0), values[1] = pa_to_i64(lower, extent);
  values[2] = pa_int(lower, lower->i64, 1);
  pa_way_out way = pa_leave(lower);
  MlirOperation loop =
      pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(values, count + 3),
            PA_RESULT_ARRAY(types + 1, count), PA_REGIONS(body),
            PA_ATTRS({"pyarray.threads", words}, {"pyarray.try", way.try}, {"pyarray.handlers", way.handlers},
                     {"pyarray.memory_site", pa_raise_site(lower, "MemoryError", "")}));
  for (int k = 0; k < count && !mlirOperationIsNull(loop); ++k)
    pa_store(lower, &f->results[k].output.array, NULL, mlirOperationGetResult(loop, k));
}
