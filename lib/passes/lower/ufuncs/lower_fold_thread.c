// Of pyarray-lower: pyarray.reduce within a kernel, by the one thread that comes to it.
//
//   pyarray.reduce ["add"] axes [1] ins(%a : !pyarray.array<?x?xf64, C>) outs(%o : ...) expanded { ... }
// becomes
//   for %i = 0 to %n:
//     %sum = scf.for %j = 0 to %m iter_args(%before = 0.0) { ... scf.yield %before + %a[%i, %j] }
//     %o[%i] = %sum
//
// Elements are taken in C order, and added up in it: a thread has no memory for the order of NumPy's sums. What several
// threads fold together is in lower_fold_grid.c.
#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_numbers.h"
#include "lower_whole_arrays.h"
#include "support/time_unit.h"

typedef struct thread_fold {
  const pa_fold *fold;
  MlirValue places[PA_MAX_RANK]; // of the element, along each dimension
} thread_fold;

static MlirValue index_of(pa_lowering *lower, int64_t value) { return pa_int(lower, lower->index, value); }

// Of a position what is found there goes along.
static int words_of(const pa_fold_result *result) { return pa_is_position(result->word) ? 2 : 1; }

static int all_words(const pa_fold *f) {
  int count = 0;
  for (int k = 0; k < f->result_count; ++k) count += words_of(&f->results[k]);
  return count;
}

// In which it is carried along.
static pa_scalar carried(const pa_fold_result *result) {
  return pa_is_pairwise(result) ? pa_summed(result) : pa_carried_scalar(result);
}

//===-- Two elements ------------------------------------------------------------------------------===//

static MlirValue is_missing(pa_lowering *lower, const pa_fold_result *result, MlirValue value) {
  if (result->times) return pa_compare_int(lower, PA_EQ, value, pa_int(lower, lower->i64, PA_NAT));
  if (pa_is_complex(result->element))
    return pa_compare_real(lower, PA_UNO, pa_real_part(lower, value), pa_imag_part(lower, value));
  if (pa_is_float(result->element)) return pa_compare_real(lower, PA_UNO, value, value);
  return pa_int(lower, lower->i1, 0);
}

static MlirValue is_beyond(pa_lowering *lower, const pa_fold_result *result, MlirValue a, MlirValue b) {
  bool least = result->word == PA_FOLD_ARGMIN, sign = pa_is_signed(result->element);
  if (pa_is_complex(result->element)) {
    MlirValue ar = pa_real_part(lower, a), br = pa_real_part(lower, b);
    MlirValue second = pa_compare_real(lower, least ? PA_OLT : PA_OGT, pa_imag_part(lower, a), pa_imag_part(lower, b));
    return pa_or(lower, pa_compare_real(lower, least ? PA_OLT : PA_OGT, ar, br),
                 pa_and(lower, pa_compare_real(lower, PA_OEQ, ar, br), second));
  }
  if (pa_is_float(result->element)) return pa_compare_real(lower, least ? PA_OLT : PA_OGT, a, b);
  return pa_compare_int(lower, least ? (sign ? PA_SLT : PA_ULT) : (sign ? PA_SGT : PA_UGT), a, b);
}

// The first of the most extreme ones; what is missing (NaN, NaT) is before all. |position| -1: there is none yet.
static void seek(pa_lowering *lower, const pa_fold_result *result, const MlirValue *before, MlirValue value,
                 MlirValue position, MlirValue *out) {
  MlirValue none = pa_compare_int(lower, PA_SLT, before[1], pa_int(lower, lower->i64, 0));
  MlirValue missing = is_missing(lower, result, value), was_missing = is_missing(lower, result, before[0]);
  MlirValue better = pa_or(lower, missing, is_beyond(lower, result, value, before[0]));
  MlirValue takes = pa_or(lower, none, pa_and(lower, better, pa_not(lower, was_missing)));
  out[0] = pa_select(lower, takes, value, before[0]);
  out[1] = pa_select(lower, takes, position, before[1]);
}

static void combine(pa_lowering *lower, const pa_fold_result *result, const MlirValue *before, MlirValue value,
                    MlirValue position, MlirValue *out) {
  if (pa_is_position(result->word)) return seek(lower, result, before, value, position, out);
  value = pa_cast_scalar(lower, value, result->element, carried(result));
  out[0] = pa_is_pairwise(result)
               ? pa_binary(lower, pa_is_complex(result->element) ? "complex.add" : "arith.addf", before[0], value)
               : pa_fold_combine(lower, result, before[0], value);
}

//===-- Values ------------------------------------------------------------------------------------===//

static void start_values(pa_lowering *lower, const pa_fold *f, MlirValue *out) {
  int starts = mlirDenseI32ArrayGetElement(pa_get_attr(f->op, "operandSegmentSizes"), 1);
  for (int k = 0; k < f->result_count; out += words_of(&f->results[k++])) {
    pa_fold_result plain = f->results[k];
    bool sought = pa_is_position(plain.word);
    if (sought) plain.word = plain.word == PA_FOLD_ARGMIN ? PA_FOLD_MIN : PA_FOLD_MAX;
    bool given = starts && !sought;
    MlirValue start = given ? pa_get1(lower, pa_operand(f->op, f->input_count + k)) : pa_fold_start(lower, &plain);
    out[0] = pa_cast_scalar(lower, start, plain.element, carried(&f->results[k]));
    if (sought) out[1] = pa_int(lower, lower->i64, -1);
  }
}

static void fold_element(pa_lowering *lower, thread_fold *t, MlirValue position, const MlirValue *before,
                         MlirValue *out) {
  const pa_fold *f = t->fold;
  for (int i = 0; i < f->input_count; ++i)
    pa_set1(lower, mlirBlockGetArgument(f->body, i),
            pa_is_number_operand(&f->inputs[i]) ? f->inputs[i].number : pa_load(lower, &f->inputs[i].array, t->places));
  pa_lower_block(lower, f->body);
  for (int k = 0; k < f->result_count; ++k) {
    combine(lower, &f->results[k], before, pa_fold_yielded(lower, f, k), position, out);
    before += words_of(&f->results[k]);
    out += words_of(&f->results[k]);
  }
}

//===-- Loops -------------------------------------------------------------------------------------===//

// The dimensions from |depth| on that are folded. |position| (index type): how many elements are before, in C order, if
// |depth| and the next ones were of extent 1.
static void fold_nest(pa_lowering *lower, thread_fold *t, int depth, MlirValue position, const MlirValue *before,
                      MlirValue *out) {
  const pa_fold *f = t->fold;
  while (depth < f->rank && !f->folded[depth]) ++depth;
  if (depth >= f->rank) return fold_element(lower, t, pa_to_i64(lower, position), before, out);
  int count = all_words(f);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, count + 1);
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, count + 3),
            *carried = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1),
            *after = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  types[0] = lower->index;
  operands[0] = index_of(lower, 0), operands[1] = f->sizes[depth], operands[2] = index_of(lower, 1);
  for (int i = 0; i < count; ++i) operands[3 + i] = before[i], types[1 + i] = pa_type_or_none(lower, before[i]);
  pa_scope scope = pa_open(lower, types, count + 1);
  t->places[depth] = mlirBlockGetArgument(scope.block, 0);
  for (int i = 0; i < count; ++i) carried[i] = mlirBlockGetArgument(scope.block, 1 + i);
  position = pa_binary(lower, "arith.muli", position, f->sizes[depth]);
  position = pa_binary(lower, "arith.addi", position, t->places[depth]);
  fold_nest(lower, t, depth + 1, position, carried, after);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), after, count);
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, 3 + count),
                             PA_RESULT_ARRAY(types + 1, count), PA_REGIONS(body));
  for (int i = 0; i < count; ++i) out[i] = mlirOperationIsNull(loop) ? before[i] : mlirOperationGetResult(loop, i);
}

static void put_results(pa_lowering *lower, const thread_fold *t, const MlirValue *values) {
  const pa_fold *f = t->fold;
  MlirValue places[PA_MAX_RANK];
  for (int d = 0, own = 0; d < f->rank; ++d)
    if (!f->folded[d]) places[own++] = t->places[d];
  for (int k = 0; k < f->result_count; values += words_of(&f->results[k++])) {
    const pa_fold_result *result = &f->results[k];
    bool sought = pa_is_position(result->word);
    MlirValue value = sought ? values[1] : pa_cast_scalar(lower, values[0], carried(result), result->element);
    if (mlirOperationGetNumResults(f->op))
      pa_set1(lower, mlirOperationGetResult(f->op, k), value);
    else
      pa_store(lower, &result->output.array, places,
               pa_cast_scalar(lower, value, sought ? PA_I64 : result->element, result->output.array.element));
  }
}

// The dimensions from |depth| on that are kept.
static void fold_points(pa_lowering *lower, thread_fold *t, int depth) {
  const pa_fold *f = t->fold;
  while (depth < f->rank && f->folded[depth]) ++depth;
  if (depth < f->rank) {
    pa_counted_loop loop = pa_loop_begin(lower, f->sizes[depth]);
    t->places[depth] = loop.index;
    fold_points(lower, t, depth + 1);
    pa_loop_end(lower, loop);
    return;
  }
  int count = all_words(f);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  start_values(lower, f, values);
  fold_nest(lower, t, 0, index_of(lower, 0), values, values);
  put_results(lower, t, values);
}

// An output that was given (expand_reduce.c) may have any shape.
static void check_outputs(pa_lowering *lower, const pa_fold *f) {
  MlirValue differ = {NULL};
  for (int k = 0; f->kept && k < f->result_count; ++k)
    for (int d = 0, own = 0; d < f->rank; ++d) {
      if (f->folded[d]) continue;
      MlirValue extent = pa_to_index(lower, pa_extent(lower, &f->results[k].output.array, own++));
      MlirValue wrong = pa_compare_int(lower, PA_NE, extent, f->sizes[d]);
      differ = mlirValueIsNull(differ) ? wrong : pa_or(lower, differ, wrong);
    }
  if (!mlirValueIsNull(differ))
    pa_raise_if(lower, differ, "ValueError", "the result of a reduction has another shape than what it is stored to");
}

void pa_lower_fold_thread(pa_lowering *lower, const pa_fold *fold) {
  thread_fold t = {.fold = fold};
  check_outputs(lower, fold);
  fold_points(lower, &t, 0);
}
