// Of pyarray-lower: pyarray.reduce of sums of floats in NumPy's order, and of positions in what is computed.
//
// The runtime says how long the next leaf of the pairwise sum is, the loop computes that many elements into a buffer,
// the runtime adds them up:
//
//   %n = call @pyarray_rt_sum_begin(%leaves, %count, %total)
//   scf.while (%at = %c0, %m = %n, %p = %out[]) { scf.condition(%m > 0) } do {
//     linalg.generic ins(%a[%at] for %m) outs(%buffer) ...
//     %next = call @pyarray_rt_sum_leaf_f64(%leaves, %buffer, %m, %total)
//     scf.yield %at + %m, %next, %q
//   }
// Sums of elements that are simple are in lower_fold_blocks.c. Rows that are too short for leaves are added up in
// registers. Where nothing is kept, threads take the halves
// of halves that the sum has anyway.
#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_numbers.h"
#include "lower_ufunc.h"
#include "ufunc_cost.h"

enum {
  PA_LEAF = 512,            // numbers of a pairwise sum that are computed at once
  PA_SHORT = 8,             // numbers that are added up in order
  PA_BUFFER = 8192,         // elements that NumPy casts at once
  PA_PARTS = 256,           // that pyarray_rt_sum_parts makes at most
  PA_THREAD_WORK = 1 << 16, // in simple operations
};

static MlirValue zero(pa_lowering *lower) { return pa_int(lower, lower->index, 0); }

//===-- Runs of rows ------------------------------------------------------------------------------===//

// |offsets| of the inputs at row |row| of the run.
static void step_to_row(pa_lowering *lower, const pa_fold *f, MlirValue row, MlirValue *offsets) {
  for (int d = f->rank - 2; d >= f->run_first; --d) {
    MlirValue index = d > f->run_first ? pa_binary(lower, "arith.remui", row, f->sizes[d]) : row;
    if (d > f->run_first) row = pa_binary(lower, "arith.divui", row, f->sizes[d]);
    for (int i = 0; i < f->input_count; ++i)
      if (!pa_is_number_operand(&f->inputs[i]))
        offsets[i] =
            pa_binary(lower, "arith.addi", offsets[i], pa_binary(lower, "arith.muli", index, f->inputs[i].strides[d]));
  }
}

// The same of a run of rows: piece by piece.
static void lower_pieces(pa_lowering *lower, const pa_fold *f, pa_folded_row *r, MlirValue at, MlirValue count) {
  MlirValue length = f->sizes[f->rank - 1], one = pa_int(lower, lower->index, 1);
  MlirType types[] = {lower->index, lower->index, lower->index}; // how many are done; the row; the place in it
  MlirValue values[4];
  pa_scope scope = pa_open(lower, types, 3);
  values[0] = pa_compare_int(lower, PA_SLT, mlirBlockGetArgument(scope.block, 0), count);
  for (int i = 0; i < 3; ++i) values[1 + i] = mlirBlockGetArgument(scope.block, i);
  MlirRegion test = pa_close(lower, scope, PA_OP_NAME(SCF_CONDITION), values, 4);
  scope = pa_open(lower, types, 3);
  MlirValue done = mlirBlockGetArgument(scope.block, 0), row = mlirBlockGetArgument(scope.block, 1),
            first = mlirBlockGetArgument(scope.block, 2);
  MlirValue piece = pa_binary(lower, "arith.minsi", pa_binary(lower, "arith.subi", count, done),
                              pa_binary(lower, "arith.subi", length, first));
  MlirValue *offsets = PA_NEW_ARRAY(lower->arena, MlirValue, f->input_count + 1);
  for (int i = 0; i < f->input_count; ++i)
    offsets[i] = pa_is_number_operand(&f->inputs[i]) ? (MlirValue){NULL} : r->offsets[i];
  step_to_row(lower, f, row, offsets);
  r->rows = r->strips ? NULL : pa_rows_of_inputs(lower, f, offsets, r->unit);
  r->starts = offsets;
  r->place = done;
  pa_fold_elements(lower, f, r, first, piece, NULL, NULL);
  values[0] = pa_binary(lower, "arith.addi", done, piece);
  values[1] = pa_binary(lower, "arith.addi", row, one);
  values[2] = zero(lower);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, 3);
  values[0] = zero(lower);
  values[1] = pa_binary(lower, "arith.divui", at, length);
  values[2] = pa_binary(lower, "arith.remui", at, length);
  pa_op(&lower->builder, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(values, 3), PA_RESULT_ARRAY(types, 3),
        PA_REGIONS(test, body));
}

//===-- Leaves ------------------------------------------------------------------------------------===//

static MlirValue least(pa_lowering *lower, MlirValue a, int64_t b) {
  return pa_binary(lower, "arith.minsi", a, pa_int(lower, lower->index, b));
}

// The address of the memory for the sum.
static MlirValue total_of(pa_lowering *lower, const pa_folded_row *r, const pa_fold_result *result) {
  return mlirValueIsNull(r->total) ? pa_memref_address(lower, result->total.memref) : r->total;
}

// The first leaf, or block, of |count| elements; how many it has.
static MlirValue begin_leaves(pa_lowering *lower, pa_fold *f, const pa_folded_row *r, MlirValue count,
                              pa_array *buffers, bool *out_leaves) {
  MlirValue first = {NULL};
  *out_leaves = false;
  for (int k = 0; k < f->result_count; ++k) *out_leaves = *out_leaves || pa_is_pairwise(&f->results[k]);
  for (int k = 0; k < f->result_count; ++k) {
    pa_fold_result *result = &f->results[k];
    bool pairwise = pa_is_pairwise(result);
    if (!pairwise && !pa_is_position(result->word)) continue;
    buffers[k] = pa_stack_buffer(lower, pairwise ? pa_summed(result) : result->element, PA_LEAF);
    if (!pairwise) continue;
    result->leaves = pa_memref_address(lower, pa_stack_buffer(lower, PA_I64, PA_LEAVES).memref);
    if (mlirValueIsNull(r->total)) result->total = pa_stack_buffer(lower, pa_summed(result), 1);
    first = pa_runtime(lower, "pyarray_rt_sum_begin", result->leaves, pa_to_i64(lower, count),
                       total_of(lower, r, result), pa_int(lower, lower->i64, pa_scalar_bytes(pa_summed(result))),
                       pa_int(lower, lower->i64, pa_is_complex(result->element) ? 2 : 1),
                       pa_int(lower, lower->i64, PA_LEAF));
  }
  return *out_leaves ? pa_to_index(lower, first) : least(lower, count, PA_STRIP);
}

// Hands the buffers over; how many elements are next.
static MlirValue end_leaf(pa_lowering *lower, pa_fold *f, const pa_folded_row *r, const pa_array *buffers, MlirValue at,
                          MlirValue count, MlirValue end, bool leaves) {
  MlirValue next = {NULL};
  for (int k = 0; k < f->result_count; ++k) {
    const pa_fold_result *result = &f->results[k];
    if (mlirValueIsNull(buffers[k].memref)) continue;
    MlirValue data = pa_memref_address(lower, buffers[k].memref);
    if (pa_is_position(result->word))
      pa_find_position(lower, result, count, data, pa_int(lower, lower->i64, pa_scalar_bytes(result->element)),
                       pa_binary(lower, "arith.addi", f->position, at));
    else
      next =
          pa_runtime(lower, pa_arena_format(lower->arena, "pyarray_rt_sum_leaf_%s", pa_sum_suffix(pa_summed(result))),
                     result->leaves, data, pa_to_i64(lower, count), total_of(lower, r, result));
  }
  if (leaves) return pa_to_index(lower, next);
  MlirValue behind = pa_binary(lower, "arith.addi", at, count);
  return least(lower, pa_binary(lower, "arith.subi", end, behind), PA_STRIP);
}

// The elements from |begin| to |end|.
static void lower_leaves(pa_lowering *lower, pa_fold *f, pa_folded_row *r, MlirValue begin, MlirValue end,
                         const MlirValue *before, MlirValue *out_after) {
  if (r->blocks) return pa_fold_blocks(lower, f, r, begin, end);
  pa_array *buffers = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, r->count + 3);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, r->count + 3);
  bool leaves;
  MlirValue first = begin_leaves(lower, f, r, pa_binary(lower, "arith.subi", end, begin), buffers, &leaves);
  r->buffers = buffers;
  types[0] = types[1] = lower->index;
  for (int c = 0; c < r->count; ++c)
    types[2 + c] = pa_lower_scalar_type(lower, pa_carried_scalar(&f->results[r->numbers[c]]));
  pa_scope scope = pa_open(lower, types, r->count + 2);
  values[0] = pa_compare_int(lower, PA_SGT, mlirBlockGetArgument(scope.block, 1), zero(lower));
  for (int c = 0; c < r->count + 2; ++c) values[1 + c] = mlirBlockGetArgument(scope.block, c);
  MlirRegion test = pa_close(lower, scope, PA_OP_NAME(SCF_CONDITION), values, r->count + 3);
  scope = pa_open(lower, types, r->count + 2);
  MlirValue at = mlirBlockGetArgument(scope.block, 0), count = mlirBlockGetArgument(scope.block, 1);
  for (int c = 0; c < r->count; ++c) values[2 + c] = mlirBlockGetArgument(scope.block, 2 + c);
  if (r->offsets)
    lower_pieces(lower, f, r, at, count);
  else
    pa_fold_elements(lower, f, r, at, count, values + 2, values + 2);
  values[1] = end_leaf(lower, f, r, buffers, at, count, end, leaves);
  values[0] = pa_binary(lower, "arith.addi", at, count);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, r->count + 2);
  values[0] = begin, values[1] = first;
  for (int c = 0; c < r->count; ++c) values[2 + c] = before[c];
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(values, r->count + 2),
                             PA_RESULT_ARRAY(types, r->count + 2), PA_REGIONS(test, body));
  for (int c = 0; c < r->count && !mlirOperationIsNull(loop); ++c) out_after[c] = mlirOperationGetResult(loop, 2 + c);
}

//===-- Totals ------------------------------------------------------------------------------------===//

// NumPy casts elements into a buffer, and adds up what is in it.
static bool casts_elements(const pa_fold *f) {
  MlirOperation yield = mlirBlockGetTerminator(f->body);
  if (f->ordered) return !mlirAttributeIsNull(pa_get_attr(f->op, "buffered"));
  return f->result_count == 1 && f->input_count == 1 && pa_is_pairwise(&f->results[0]) &&
         !mlirValueEqual(pa_operand(yield, 0), mlirBlockGetArgument(f->body, 0));
}

static void add_totals(pa_lowering *lower, const pa_fold *f, const pa_array *points) {
  MlirValue at = zero(lower);
  for (int k = 0; k < f->result_count; ++k)
    if (pa_is_pairwise(&f->results[k]))
      pa_add_total(lower, &f->results[k], &points[k], pa_load(lower, &f->results[k].total, &at));
}

static void add_buffers(pa_lowering *lower, pa_fold *f, pa_folded_row *r, MlirValue count, const pa_array *points) {
  MlirValue size = pa_int(lower, lower->index, PA_BUFFER);
  pa_counted_loop loop = pa_loop_begin(lower, pa_binary(lower, "arith.ceildivsi", count, size));
  MlirValue begin = pa_binary(lower, "arith.muli", loop.index, size);
  MlirValue end = pa_binary(lower, "arith.minsi", pa_binary(lower, "arith.addi", begin, size), count);
  lower_leaves(lower, f, r, begin, end, NULL, NULL);
  add_totals(lower, f, points);
  pa_loop_end(lower, loop);
}

static bool all_pairwise(const pa_fold *f) {
  for (int k = 0; k < f->result_count; ++k)
    if (!pa_is_pairwise(&f->results[k])) return false;
  return true;
}

//===-- Threads -----------------------------------------------------------------------------------===//

static int unit_of(const pa_fold *f) { return pa_is_complex(f->results[0].element) ? 2 : 1; }

typedef struct parts {
  MlirValue count, total; // how many (index type); elements of all (i64)
  MlirValue halves;       // parts of a pairwise sum (i64); null: of PA_BUFFER elements
  MlirValue first, end;   // of these: where the first one begins, and the last one ends
} parts;

static MlirValue part_at(pa_lowering *lower, const pa_fold *f, const parts *p, MlirValue index) {
  return pa_to_index(lower, pa_runtime(lower, "pyarray_rt_sum_part", p->total, pa_int(lower, lower->i64, unit_of(f)),
                                       p->halves, pa_to_i64(lower, index)));
}

// The sums of the parts to the memory at |sums|.
static void share_parts(pa_lowering *lower, pa_fold *f, pa_folded_row *r, const parts *p, MlirValue sums) {
  pa_scope scope = pa_grid_begin(lower, 1);
  pa_thread_scope thread;
  pa_thread_begin(lower, &thread);
  lower->parallel = false;
  MlirValue index = mlirBlockGetArgument(scope.block, 0), begin, end;
  if (mlirValueIsNull(p->halves)) {
    MlirValue size = pa_int(lower, lower->index, PA_BUFFER);
    begin = pa_binary(lower, "arith.addi", p->first, pa_binary(lower, "arith.muli", index, size));
    end = pa_binary(lower, "arith.minsi", pa_binary(lower, "arith.addi", begin, size), p->end);
  } else {
    begin = part_at(lower, f, p, index);
    end = part_at(lower, f, p, pa_binary(lower, "arith.addi", index, pa_int(lower, lower->index, 1)));
  }
  MlirValue bytes = pa_int(lower, lower->i64, pa_scalar_bytes(pa_summed(&f->results[0])));
  r->total = pa_binary(lower, "arith.addi", sums, pa_binary(lower, "arith.muli", pa_to_i64(lower, index), bytes));
  lower_leaves(lower, f, r, begin, end, NULL, NULL);
  r->total = (MlirValue){NULL};
  lower->parallel = true;
  pa_thread_end(lower, &thread);
  pa_grid_end(lower, scope, &p->count, 1, "pyarray.threads", pa_i64_attr(lower->context, -1));
}

// The halves of halves of a pairwise sum.
static void share_halves(pa_lowering *lower, pa_fold *f, pa_folded_row *r, MlirValue count, const pa_array *point) {
  const pa_fold_result *result = &f->results[0];
  MlirValue at = zero(lower);
  pa_array sums = pa_stack_buffer(lower, pa_summed(result), PA_PARTS);
  MlirValue memory = pa_memref_address(lower, sums.memref);
  int64_t worth = PA_THREAD_WORK / (pa_ufunc_cost(&lower->names, f->body) + 1);
  parts p = {.total = pa_to_i64(lower, count)};
  p.halves = pa_runtime(lower, "pyarray_rt_sum_parts", p.total, pa_int(lower, lower->i64, unit_of(f)),
                        pa_int(lower, lower->i64, worth));
  p.count = pa_to_index(lower, p.halves);
  share_parts(lower, f, r, &p, memory);
  pa_runtime(lower, pa_arena_format(lower->arena, "pyarray_rt_sum_halves_%s", pa_sum_suffix(pa_summed(result))),
             p.halves, memory);
  pa_add_total(lower, result, point, pa_load(lower, &sums, &at));
}

// What NumPy casts at once, as many of them together as there is room for.
static void share_buffers(pa_lowering *lower, pa_fold *f, pa_folded_row *r, MlirValue count, const pa_array *point) {
  const pa_fold_result *result = &f->results[0];
  pa_array sums = pa_stack_buffer(lower, pa_summed(result), PA_PARTS);
  MlirValue memory = pa_memref_address(lower, sums.memref);
  MlirValue size = pa_int(lower, lower->index, PA_BUFFER), group = pa_int(lower, lower->index, PA_PARTS * PA_BUFFER);
  pa_counted_loop groups = pa_loop_begin(lower, pa_binary(lower, "arith.ceildivsi", count, group));
  parts p = {.first = pa_binary(lower, "arith.muli", groups.index, group)};
  p.end = pa_binary(lower, "arith.minsi", pa_binary(lower, "arith.addi", p.first, group), count);
  p.count = pa_binary(lower, "arith.ceildivsi", pa_binary(lower, "arith.subi", p.end, p.first), size);
  share_parts(lower, f, r, &p, memory);
  pa_counted_loop loop = pa_loop_begin(lower, p.count);
  pa_add_total(lower, result, point, pa_load(lower, &sums, &loop.index));
  pa_loop_end(lower, loop);
  pa_loop_end(lower, groups);
}

//===-- Rows --------------------------------------------------------------------------------------===//

// Up to PA_SHORT elements are added up in order, without a call.
static void add_in_order(pa_lowering *lower, const pa_fold *f, const pa_folded_row *r, MlirValue count,
                         const pa_array *points) {
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, f->result_count + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, f->result_count + 3);
  types[0] = lower->index;
  for (int k = 0; k < f->result_count; ++k) types[1 + k] = pa_lower_scalar_type(lower, pa_summed(&f->results[k]));
  pa_scope scope = pa_open(lower, types, f->result_count + 1);
  pa_fold_body(lower, f, r->rows, mlirBlockGetArgument(scope.block, 0));
  for (int k = 0; k < f->result_count; ++k) {
    const pa_fold_result *result = &f->results[k];
    MlirValue element = pa_cast_scalar(lower, pa_fold_yielded(lower, f, k), result->element, pa_summed(result));
    values[k] = pa_binary(lower, pa_is_complex(result->element) ? "complex.add" : "arith.addf",
                          mlirBlockGetArgument(scope.block, 1 + k), element);
  }
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, f->result_count);
  values[0] = zero(lower), values[1] = count, values[2] = pa_int(lower, lower->index, 1);
  for (int k = 0; k < f->result_count; ++k) values[3 + k] = pa_fold_nothing(lower, &f->results[k]);
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(values, f->result_count + 3),
                             PA_RESULT_ARRAY(types + 1, f->result_count), PA_REGIONS(body),
                             PA_ATTRS({"loop_annotation", pa_scalar_annotation(lower)}));
  for (int k = 0; k < f->result_count && !mlirOperationIsNull(loop); ++k)
    pa_add_total(lower, &f->results[k], &points[k], mlirOperationGetResult(loop, k));
}

static void add_row(pa_lowering *lower, pa_fold *f, pa_folded_row *r, MlirValue count, const pa_array *points) {
  bool shared = lower->parallel && !f->kept && f->result_count == 1;
  if (casts_elements(f))
    (shared ? share_buffers : add_buffers)(lower, f, r, count, points);
  else if (shared)
    share_halves(lower, f, r, count, points);
  else
    lower_leaves(lower, f, r, zero(lower), count, NULL, NULL), add_totals(lower, f, points);
}

void pa_fold_leaves(pa_lowering *lower, pa_fold *f, pa_folded_row *r, MlirValue count, const pa_array *points,
                    const MlirValue *before, MlirValue *out_after) {
  if (!all_pairwise(f)) {
    lower_leaves(lower, f, r, zero(lower), count, before, out_after);
    add_totals(lower, f, points);
    return;
  }
  if (!f->kept && !f->of_many) return add_row(lower, f, r, count, points);
  MlirValue few = pa_int(lower, lower->index, PA_SHORT / unit_of(f));
  pa_scope scope = pa_open(lower, NULL, 0);
  add_in_order(lower, f, r, count, points);
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  scope = pa_open(lower, NULL, 0);
  add_row(lower, f, r, count, points);
  MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_emit_if(lower, pa_compare_int(lower, PA_SLT, count, few), then, otherwise, NULL, 0);
}

//===-- Runs --------------------------------------------------------------------------------------===//

static void run_copy(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit) {
  pa_array *points = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  for (int k = 0; k < f->result_count; ++k)
    points[k] = pa_fold_point(lower, &f->results[k].output, offsets[f->input_count + k]);
  pa_folded_row r = {.unit = unit, .strips = pa_has_strips(lower, f), .offsets = offsets};
  add_row(lower, f, &r, f->run, points);
}

void pa_fold_run(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, MlirValue rows, int first) {
  f->run_first = first;
  f->run = pa_binary(lower, "arith.muli", rows, f->sizes[f->rank - 1]);
  if (pa_has_strips(lower, f))
    run_copy(lower, f, offsets, false);
  else
    pa_fold_copies(lower, f, offsets, false, run_copy);
}
