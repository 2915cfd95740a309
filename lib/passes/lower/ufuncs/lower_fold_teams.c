// Of pyarray-lower: what the lanes of a team hand each other (lower_fold_grid.c).
//
//   for (n = low; n < bits of a warp; ++n) x += shfl_xor(x, 1 << n)         lanes of a warp
//   if (lanes of several warps) {
//     shared[thread] = x; barrier
//     x = shared[first] + shared[first + step] + ...; barrier
//   }
//
// Of rows (lower_team.c) through shared memory alone, a step and a barrier for each bit of the lane's number.
#include "lower_arrays.h"
#include "lower_fold_grid.h"
#include "lower_numbers.h"

enum { WARP_BITS = 5 };

static MlirValue constant(pa_lowering *lower, int64_t value) { return pa_int(lower, lower->index, value); }
static MlirValue op2(pa_lowering *lower, const char *name, MlirValue a, MlirValue b) {
  return pa_binary(lower, name, a, b);
}

//===-- Shared memory -----------------------------------------------------------------------------===//

static void put(pa_lowering *lower, const pa_grid_fold *g, MlirValue at, const MlirValue *values) {
  for (int k = 0; k < g->fold.result_count; values += pa_lane_words(&g->results[k++])) {
    pa_store(lower, &g->results[k].shared, &at, values[0]);
    if (pa_lane_words(&g->results[k]) > 1) pa_store(lower, &g->results[k].places, &at, values[1]);
  }
}

static void take(pa_lowering *lower, const pa_lane_result *c, MlirValue at, MlirValue *out) {
  out[0] = pa_load(lower, &c->shared, &at);
  if (pa_lane_words(c) > 1) out[1] = pa_load(lower, &c->places, &at);
}

void pa_block_barrier(pa_lowering *lower) { pa_op(&lower->builder, "gpu.barrier"); }

//===-- Shuffles ----------------------------------------------------------------------------------===//

// A number as shuffles have it: bits of four or eight bytes.
static MlirValue shuffled_real(pa_lowering *lower, MlirValue value, pa_scalar scalar, MlirValue lane_mask) {
  unsigned bits = scalar == PA_BOOL ? 1 : 8 * (unsigned)pa_scalar_bytes(scalar);
  MlirType type = pa_type_or_none(lower, value), integer = mlirIntegerTypeGet(lower->context, bits);
  if (pa_is_float(scalar)) value = pa_convert(lower, "arith.bitcast", value, integer);
  if (bits < 32) value = pa_convert(lower, "arith.extui", value, lower->i32);
  const char *name = bits > 32 ? "pyarray_dev_shfl_xor_i64" : "pyarray_dev_shfl_xor_i32";
  value = pa_runtime(lower, name, pa_int(lower, lower->i32, -1), value, lane_mask);
  if (bits < 32) value = pa_convert(lower, "arith.trunci", value, integer);
  return pa_is_float(scalar) ? pa_convert(lower, "arith.bitcast", value, type) : value;
}

static MlirValue shuffled(pa_lowering *lower, MlirValue value, pa_scalar scalar, MlirValue lane_mask) {
  if (!pa_is_complex(scalar)) return shuffled_real(lower, value, scalar, lane_mask);
  pa_scalar part = pa_scalar_bytes(scalar) > 8 ? PA_F64 : PA_F32;
  MlirValue real = shuffled_real(lower, pa_real_part(lower, value), part, lane_mask),
            imag = shuffled_real(lower, pa_imag_part(lower, value), part, lane_mask);
  return pa_value(&lower->builder, "complex.create", PA_OPERANDS(real, imag),
                  PA_RESULTS(pa_type_or_none(lower, value)));
}

//===-- Folds -------------------------------------------------------------------------------------===//

static void combine_all(pa_lowering *lower, const pa_grid_fold *g, MlirValue *values, const MlirValue *others) {
  for (int k = 0; k < g->fold.result_count; ++k) {
    pa_lane_combine(lower, &g->results[k], values, others, values);
    values += pa_lane_words(&g->results[k]);
    others += pa_lane_words(&g->results[k]);
  }
}

// for (n = low; n < high; ++n) |values| = |values| combined with what |other| makes.
static void fold_loop(pa_lowering *lower, const pa_grid_fold *g, MlirValue low, MlirValue high, MlirValue first,
                      void (*other)(pa_lowering *lower, const pa_grid_fold *g, MlirValue first, MlirValue n,
                                    const MlirValue *values, MlirValue *out),
                      MlirValue *values) {
  int words = pa_all_lane_words(g);
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, words + 3),
            *own = PA_NEW_ARRAY(lower->arena, MlirValue, words), *others = PA_NEW_ARRAY(lower->arena, MlirValue, words);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, words + 1);
  operands[0] = low, operands[1] = high, operands[2] = constant(lower, 1);
  types[0] = lower->index;
  for (int i = 0; i < words; ++i) operands[3 + i] = values[i], types[1 + i] = pa_type_or_none(lower, values[i]);
  pa_scope scope = pa_open(lower, types, words + 1);
  for (int i = 0; i < words; ++i) own[i] = mlirBlockGetArgument(scope.block, 1 + i);
  other(lower, g, first, mlirBlockGetArgument(scope.block, 0), own, others);
  combine_all(lower, g, own, others);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), own, words);
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, 3 + words),
                             PA_RESULT_ARRAY(types + 1, words), PA_REGIONS(body),
                             PA_ATTRS({"loop_annotation", pa_scalar_annotation(lower)}));
  for (int i = 0; i < words && !mlirOperationIsNull(loop); ++i) values[i] = mlirOperationGetResult(loop, i);
}

// Of the thread whose number differs in bit |n|.
static void of_neighbour(pa_lowering *lower, const pa_grid_fold *g, MlirValue first, MlirValue n,
                         const MlirValue *values, MlirValue *out) {
  MlirValue bit = op2(lower, "arith.shli", constant(lower, 1), n),
            mask = pa_convert(lower, "arith.index_cast", bit, lower->i32);
  (void)first;
  for (int k = 0; k < g->fold.result_count; ++k) {
    const pa_lane_result *c = &g->results[k];
    *out++ = shuffled(lower, *values++, c->scalar, mask);
    if (pa_lane_words(c) > 1) *out++ = shuffled(lower, *values++, PA_I64, mask);
  }
}

// Of thread |n| of those that lie |step| apart from |first| on.
static void of_thread(pa_lowering *lower, const pa_grid_fold *g, MlirValue first, MlirValue n, const MlirValue *values,
                      MlirValue *out) {
  MlirValue at = op2(lower, "arith.addi", first, op2(lower, "arith.muli", n, g->step));
  (void)values;
  for (int k = 0; k < g->fold.result_count; out += pa_lane_words(&g->results[k++]))
    take(lower, &g->results[k], at, out);
}

// What lanes of several warps have, in shared memory.
static MlirRegion fold_warps(pa_lowering *lower, const pa_grid_fold *g, MlirValue high, MlirValue *values) {
  pa_scope scope = pa_open(lower, NULL, 0);
  MlirValue one = constant(lower, 1), zero = constant(lower, 0), end = op2(lower, "arith.shli", one, high);
  MlirValue lanes = op2(lower, "arith.subi", end, g->step); // bits of the thread's number that are the lane's
  MlirValue first = op2(lower, "arith.subi", g->thread, op2(lower, "arith.andi", g->thread, lanes));
  put(lower, g, g->thread, values);
  pa_block_barrier(lower);
  of_thread(lower, g, first, zero, NULL, values);
  fold_loop(lower, g, one, op2(lower, "arith.divui", end, g->step), first, of_thread, values);
  pa_block_barrier(lower); // before the memory is written again
  return pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, pa_all_lane_words(g));
}

// The values of a team become its fold, in all its threads. A team's lanes are bits |low| to |high| of the thread's
// number: those of a warp hand each other their values, others go through shared memory.
void pa_fold_team(pa_lowering *lower, pa_grid_fold *g, MlirValue *values) {
  int words = pa_all_lane_words(g);
  MlirValue warp = constant(lower, WARP_BITS), *folded = PA_NEW_ARRAY(lower->arena, MlirValue, words);
  MlirValue low = pa_select(lower, g->columns, op2(lower, "arith.subi", g->block_bits, g->bits), constant(lower, 0)),
            high = op2(lower, "arith.addi", low, g->bits), from = op2(lower, "arith.maxui", low, warp);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, words);
  g->step = op2(lower, "arith.shli", constant(lower, 1), from);
  fold_loop(lower, g, low, op2(lower, "arith.minui", high, warp), low, of_neighbour, values);
  for (int i = 0; i < words; ++i) types[i] = pa_type_or_none(lower, values[i]), folded[i] = values[i];
  MlirRegion then = fold_warps(lower, g, high, folded);
  pa_scope scope = pa_open(lower, NULL, 0);
  MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, words);
  MlirOperation op = pa_emit_if(lower, pa_compare_int(lower, PA_UGT, high, from), then, otherwise, types, words);
  for (int i = 0; i < words && !mlirOperationIsNull(op); ++i) values[i] = mlirOperationGetResult(op, i);
}

//===-- Folds of a row ----------------------------------------------------------------------------===//

// The values of a team, which are in shared memory, become that of its first lane.
static void fold_tree(pa_lowering *lower, const pa_grid_fold *g) {
  pa_scope loop = pa_open(lower, &lower->index, 1);
  MlirValue one = constant(lower, 1), step = op2(lower, "arith.addi", mlirBlockGetArgument(loop.block, 0), one);
  MlirValue half = op2(lower, "arith.shrui", g->lanes, step);
  MlirValue folds = pa_compare_int(lower, PA_ULT, g->lane, half);
  pa_scope scope = pa_if_begin(lower);
  MlirValue other = op2(lower, "arith.addi", g->thread, half);
  MlirValue *sums = PA_NEW_ARRAY(lower->arena, MlirValue, pa_all_lane_words(g)), *sum = sums, a[2], b[2];
  for (int k = 0; k < g->fold.result_count; sum += pa_lane_words(&g->results[k++])) {
    take(lower, &g->results[k], g->thread, a);
    take(lower, &g->results[k], other, b);
    pa_lane_combine(lower, &g->results[k], a, b, sum);
  }
  put(lower, g, g->thread, sums);
  pa_if_end(lower, scope, folds);
  pa_block_barrier(lower);
  MlirRegion body = pa_close(lower, loop, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERANDS(constant(lower, 0), g->bits, one), PA_REGIONS(body),
        PA_ATTRS({"loop_annotation", pa_scalar_annotation(lower)}));
}

void pa_fold_row_of_team(pa_lowering *lower, const pa_grid_fold *g, MlirValue *values) {
  MlirValue first = op2(lower, "arith.subi", g->thread, g->lane);
  put(lower, g, g->thread, values);
  pa_block_barrier(lower);
  fold_tree(lower, g);
  for (int k = 0; k < g->fold.result_count; values += pa_lane_words(&g->results[k++]))
    take(lower, &g->results[k], first, values);
  pa_block_barrier(lower); // before the memory is written again
}
