// Of pyarray-lower: pyarray.reduce, to loops.
//
//   pyarray.reduce ["mul"] axes [0] ins(%a : !pyarray.array<?xsi64, C>) expanded { ... } -> si64
// becomes
//   memref.store %c1, %out[]
//   %p = scf.for %i = %c0 to %n step %c1 iter_args(%q = %c1) { ... }
//   memref.store (%out[] * %p), %out[]
//
// Dimensions are merged, and sorted by the strides of inputs and outputs, when the loops run
// (lib/runtime/dimensions.c), as NumPy does: so sums of floats have its bits. The innermost one is a row: folded, or
// added to a row of results (lower_fold_rows.c). Positions are counted in C order, and their loops stay as they are.
#include <string.h>

#include "lower_arrays.h"
#include "lower_fold_grid.h"
#include "lower_whole_arrays.h"

//===-- Reading -----------------------------------------------------------------------------------===//

static MlirValue zero(pa_lowering *lower) { return pa_int(lower, lower->index, 0); }
static MlirValue one(pa_lowering *lower) { return pa_int(lower, lower->index, 1); }

// ORDER FOLD
static const char *const words[PA_FOLD_COUNT] = {"add", "mul", "min", "max", "and", "or", "xor", "argmin", "argmax"};

bool pa_fold_read_word(MlirAttribute attribute, pa_fold_result *result) {
  MlirStringRef text = mlirStringAttrGetValue(attribute);
  result->times = text.length > 4 && memcmp(text.data, "nat_", 4) == 0;
  if (result->times) text = mlirStringRefCreate(text.data + 4, text.length - 4);
  for (int word = 0; word < PA_FOLD_COUNT; ++word)
    if (pa_ref_equal(text, words[word])) return result->word = (pa_fold_word)word, true;
  return false;
}

// An operand whose dimensions are those of the loop; of an output those that are kept.
static void open_operand(pa_lowering *lower, const pa_fold *f, pa_fold_operand *operand, bool output) {
  MlirOperation parts = pa_strided_metadata(lower, &operand->array);
  if (mlirOperationIsNull(parts)) return;
  operand->base = mlirOperationGetResult(parts, 0);
  operand->offset = mlirOperationGetResult(parts, 1);
  for (int d = 0, own = 0; d < f->rank; ++d) {
    bool has = !output || !f->folded[d];
    operand->strides[d] = has ? mlirOperationGetResult(parts, 2 + operand->array.rank + own++) : zero(lower);
  }
}

// A number on the stack, as an array without dimensions.
static pa_array slot(pa_lowering *lower, pa_scalar element) {
  return (pa_array){.element = element, .memref = pa_stack_slot(lower, pa_element_memory(lower, element), false)};
}

static void read_inputs(pa_lowering *lower, pa_fold *f) {
  for (int i = 0; i < f->input_count; ++i) {
    MlirValue value = pa_operand(f->op, i);
    if (pyarrayTypeIsArray(mlirValueGetType(value))) {
      f->inputs[i].array = pa_array_of(lower, value);
      f->rank = f->inputs[i].array.rank;
    } else {
      f->inputs[i].number = pa_get1(lower, value);
    }
  }
}

static bool is_number(const pa_fold_operand *operand) { return mlirValueIsNull(operand->array.memref); }

static bool is_contiguous_row(const pa_fold *f) {
  for (int i = 0; i < f->input_count; ++i)
    if (!is_number(&f->inputs[i]) && pyarrayArrayTypeGetLayout(f->inputs[i].array.type) == PYARRAY_LAYOUT_A)
      return false;
  return f->rank == 1;
}

// Without dimensions: a row of one element.
static void read_point(pa_lowering *lower, pa_fold *f) {
  f->rank = 1;
  f->folded[0] = f->contiguous = true;
  f->sizes[0] = one(lower);
  for (int i = 0; i < f->input_count; ++i) f->inputs[i].strides[0] = one(lower);
  for (int k = 0; k < f->result_count; ++k) f->results[k].output.strides[0] = zero(lower);
}

static bool read_fold(pa_lowering *lower, MlirOperation op, pa_fold *f) {
  MlirAttribute segments = pa_get_attr(op, "operandSegmentSizes"), axes = pa_get_attr(op, "axes"),
                list = pa_get_attr(op, "words");
  int starts = mlirDenseI32ArrayGetElement(segments, 1), outputs = mlirDenseI32ArrayGetElement(segments, 2);
  *f = (pa_fold){.op = op,
                 .body = pa_body(op, 0),
                 .input_count = mlirDenseI32ArrayGetElement(segments, 0),
                 .result_count = (int)mlirArrayAttrGetNumElements(list)};
  f->of_many = pa_kind_or_other(&lower->names, mlirOperationGetParentOperation(op)) == PA_OP_UFUNC;
  f->inputs = PA_NEW_ARRAY(lower->arena, pa_fold_operand, f->input_count + 1);
  f->results = PA_NEW_ARRAY(lower->arena, pa_fold_result, f->result_count + 1);
  read_inputs(lower, f);
  f->kept = f->rank - (int)mlirDenseArrayGetNumElements(axes);
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(axes); ++k)
    f->folded[mlirDenseI64ArrayGetElement(axes, k)] = true;
  for (int i = 0; i < f->input_count; ++i) {
    if (mlirValueIsNull(f->inputs[i].array.memref)) continue;
    if (f->inputs[i].array.rank != f->rank) return false;
    for (int d = 0; d < f->rank; ++d) f->sizes[d] = pa_to_index(lower, pa_extent(lower, &f->inputs[i].array, d));
    open_operand(lower, f, &f->inputs[i], false);
  }
  MlirOperation yield = mlirBlockGetTerminator(f->body);
  for (int k = 0; k < f->result_count; ++k) {
    pa_fold_result *result = &f->results[k];
    if (!pa_fold_read_word(mlirArrayAttrGetElement(list, k), result)) return false;
    result->element = pa_scalar_of_value(pa_operand(yield, k));
    result->output.array =
        outputs ? pa_array_of(lower, pa_operand(op, f->input_count + starts + k)) : slot(lower, pa_fold_stored(result));
    if (result->output.array.rank != f->kept || (!outputs && f->kept)) return false;
    open_operand(lower, f, &result->output, true);
    if (pa_is_position(result->word) || pa_is_searched(result)) result->found = pa_stack_numbers(lower, PA_FOUND_WORDS);
  }
  f->contiguous = is_contiguous_row(f);
  f->ordered = !mlirAttributeIsNull(pa_get_attr(op, "order"));
  if (f->rank == 0) read_point(lower, f);
  return !pa_failed(&lower->builder);
}

//===-- Order -------------------------------------------------------------------------------------===//

static bool has_position(const pa_fold *f) {
  for (int k = 0; k < f->result_count; ++k)
    if (pa_is_position(f->results[k].word)) return true;
  return false;
}

static pa_fold_operand *operand_at(const pa_fold *f, int i) {
  return i < f->input_count ? &f->inputs[i] : &f->results[i - f->input_count].output;
}

// Of the new array as which the elements lie.
static pyarray_layout order_of(const pa_fold *f) {
  return pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(f->op, "order")), "F") ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_C;
}

// All dimensions are folded, and all inputs contiguous in the same order: one dimension.
static void flatten(pa_lowering *lower, pa_fold *f) {
  pyarray_layout layout = PYARRAY_LAYOUT_A;
  if (f->kept || f->rank < 2) return;
  for (int i = 0; i < f->input_count; ++i) {
    if (is_number(&f->inputs[i])) continue;
    pyarray_layout own = pyarrayArrayTypeGetLayout(f->inputs[i].array.type);
    if (own == PYARRAY_LAYOUT_A || (layout != PYARRAY_LAYOUT_A && own != layout)) return;
    layout = own;
  }
  if (layout == PYARRAY_LAYOUT_F && has_position(f)) return;
  if (f->ordered && layout != order_of(f)) return;
  for (int d = 1; d < f->rank; ++d) f->sizes[0] = pa_binary(lower, "arith.muli", f->sizes[0], f->sizes[d]);
  for (int i = 0; i < f->input_count; ++i)
    if (!is_number(&f->inputs[i])) f->inputs[i].strides[0] = one(lower);
  f->rank = 1;
  f->contiguous = true;
}

static void put(pa_lowering *lower, MlirValue numbers, int64_t at, MlirValue value) {
  pa_op(&lower->builder, "memref.store",
        PA_OPERANDS(pa_to_i64(lower, value), numbers, pa_int(lower, lower->index, at)));
}

static MlirValue take(pa_lowering *lower, MlirValue numbers, int64_t at) {
  return pa_to_index(lower, pa_value(&lower->builder, "memref.load",
                                     PA_OPERANDS(numbers, pa_int(lower, lower->index, at)), PA_RESULTS(lower->i64)));
}

// The outermost dimension of Fortran's order is the last one.
static void reverse_dimensions(pa_fold *f) {
  for (int i = -1; i < f->input_count + f->result_count; ++i) {
    MlirValue *all = i < 0 ? f->sizes : operand_at(f, i)->strides;
    for (int d = 0; d < f->rank / 2; ++d) {
      MlirValue value = all[d];
      all[d] = all[f->rank - 1 - d];
      all[f->rank - 1 - d] = value;
    }
  }
}

static void order_dimensions(pa_lowering *lower, pa_fold *f, MlirValue *out_numbers) {
  if (f->ordered && order_of(f) == PYARRAY_LAYOUT_F) reverse_dimensions(f);
  int all = f->input_count + f->result_count, count = 0;
  for (int i = 0; i < all; ++i) count += !is_number(operand_at(f, i));
  MlirValue numbers = pa_stack_numbers(lower, f->rank + (int64_t)count * (1 + f->rank));
  for (int d = 0; d < f->rank; ++d) put(lower, numbers, d, f->sizes[d]);
  for (int i = 0, at = f->rank; i < all; ++i) {
    if (is_number(operand_at(f, i))) continue;
    put(lower, numbers, at, operand_at(f, i)->offset);
    for (int d = 0; d < f->rank; ++d) put(lower, numbers, at + 1 + d, operand_at(f, i)->strides[d]);
    at += 1 + f->rank;
  }
  MlirValue address =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
  *out_numbers = address;
  MlirValue rank = pa_int(lower, lower->i64, f->rank), arrays = pa_int(lower, lower->i64, count);
  if (f->ordered)
    pa_runtime(lower, "pyarray_rt_merge_dimensions", rank, arrays, address);
  else
    pa_runtime(lower, "pyarray_rt_order_reduction", rank, arrays, pa_int(lower, lower->i64, count - f->result_count),
               address);
  for (int d = 0; d < f->rank; ++d) f->sizes[d] = take(lower, numbers, d);
  for (int i = 0, at = f->rank; i < all; ++i) {
    pa_fold_operand *operand = operand_at(f, i);
    if (is_number(operand)) continue;
    operand->offset = take(lower, numbers, at);
    for (int d = 0; d < f->rank; ++d) operand->strides[d] = take(lower, numbers, at + 1 + d);
    at += 1 + f->rank;
  }
}

//===-- Loops -------------------------------------------------------------------------------------===//

typedef void (*row_lowering)(pa_lowering *lower, pa_fold *f, const MlirValue *offsets);

MlirValue *pa_step_along(pa_lowering *lower, const pa_fold *f, int depth, MlirValue index, const MlirValue *offsets) {
  int count = f->input_count + f->result_count;
  MlirValue *inner = PA_NEW_ARRAY(lower->arena, MlirValue, count);
  for (int i = 0; i < count; ++i) {
    const pa_fold_operand *operand = operand_at(f, i);
    inner[i] = offsets[i];
    if (is_number(operand)) continue;
    MlirValue step = pa_binary(lower, "arith.muli", index, operand->strides[depth]);
    inner[i] = pa_binary(lower, "arith.addi", offsets[i], step);
  }
  return inner;
}

// Added up together: rows as they lie in memory, or rows of a new array.
static bool joins_rows(const pa_fold *f) {
  if (f->rank - f->kept < 2) return false;
  bool sums = f->ordered;
  for (int k = 0; k < f->result_count; ++k) sums = sums && pa_is_pairwise(&f->results[k]);
  return sums || pa_sums_memory(f);
}

static void fold_last_two(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, MlirValue rows, int depth) {
  if (f->ordered)
    pa_fold_run(lower, f, offsets, rows, depth);
  else
    pa_sum_rows(lower, f, offsets, rows, f->inputs[0].strides[depth]);
}

// Sums over the last dimension, and over the last but one where that is folded.
static void lower_last_two(pa_lowering *lower, pa_fold *f, int depth, const MlirValue *offsets) {
  MlirValue rows = f->sizes[depth];
  if (!f->kept) return fold_last_two(lower, f, offsets, rows, depth);
  MlirValue folds = pa_compare_int(lower, PA_EQ, f->results[0].output.strides[depth], zero(lower));
  pa_counted_loop loop = pa_loop_begin(lower, pa_select(lower, folds, one(lower), rows));
  const MlirValue *inner = pa_step_along(lower, f, depth, loop.index, offsets);
  fold_last_two(lower, f, inner, pa_select(lower, folds, rows, one(lower)), depth);
  pa_loop_end(lower, loop);
}

// All of a new array, which has no gaps.
static void lower_whole(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  MlirValue rows = f->sizes[0];
  for (int d = 1; d < f->rank - 1; ++d) rows = pa_binary(lower, "arith.muli", rows, f->sizes[d]);
  pa_fold_run(lower, f, offsets, rows, 0);
}

static void lower_outer(pa_lowering *lower, pa_fold *f, int depth, const MlirValue *offsets, row_lowering row);

// One dimension of several.
static bool folds_one(const pa_fold *f) { return f->kept && f->rank - f->kept == 1; }

// The dimensions from |depth| on.
static void lower_nest(pa_lowering *lower, pa_fold *f, int depth, const MlirValue *offsets, row_lowering row) {
  if (depth >= f->rank - 1) {
    row(lower, f, offsets);
    return;
  }
  if (!f->kept && f->ordered && joins_rows(f)) {
    lower_whole(lower, f, offsets);
    return;
  }
  if (depth == f->rank - 2 && row == pa_fold_row && joins_rows(f)) {
    lower_last_two(lower, f, depth, offsets);
    return;
  }
  if (depth == f->rank - 2 && f->kept < f->rank && pa_sums_memory(f)) {
    pa_add_matrix(lower, f, offsets);
    return;
  }
  if (depth == f->rank - 2 && f->few) {
    (row == pa_fold_row ? pa_fold_few : pa_update_few)(lower, f, offsets);
    return;
  }
  if (depth == f->rank - 2 && row == pa_update_row && f->kept < f->rank && pa_has_strips(lower, f)) {
    MlirValue columns = pa_has_short_columns(lower, f);
    pa_scope scope = pa_open(lower, NULL, 0);
    pa_update_columns(lower, f, offsets);
    MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
    scope = pa_open(lower, NULL, 0);
    lower_outer(lower, f, depth, offsets, row);
    MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
    pa_emit_if(lower, columns, then, otherwise, NULL, 0);
    return;
  }
  lower_outer(lower, f, depth, offsets, row);
}

// One after the other along |depth|.
static void lower_outer(pa_lowering *lower, pa_fold *f, int depth, const MlirValue *offsets, row_lowering row) {
  pa_counted_loop loop = pa_loop_begin(lower, f->sizes[depth]);
  lower_nest(lower, f, depth + 1, pa_step_along(lower, f, depth, loop.index, offsets), row);
  pa_loop_end(lower, loop);
}

static MlirValue *first_offsets(pa_lowering *lower, pa_fold *f) {
  int count = f->input_count + f->result_count;
  MlirValue *offsets = PA_NEW_ARRAY(lower->arena, MlirValue, count);
  for (int i = 0; i < count; ++i) offsets[i] = operand_at(f, i)->offset;
  return offsets;
}

static void lower_rows(pa_lowering *lower, pa_fold *f, row_lowering row) {
  lower_nest(lower, f, 0, first_offsets(lower, f), row);
}

// Of all inputs along the dimensions from |depth| on; those before are kept. |position| (index type): the rows before.
static void lower_folded(pa_lowering *lower, pa_fold *f, int depth, const MlirValue *offsets, MlirValue position) {
  if (depth == f->rank - 1) {
    f->position = pa_binary(lower, "arith.muli", position, f->sizes[depth]);
    pa_fold_row(lower, f, offsets);
    return;
  }
  pa_counted_loop loop = pa_loop_begin(lower, f->sizes[depth]);
  const MlirValue *inner = pa_step_along(lower, f, depth, loop.index, offsets);
  position = pa_binary(lower, "arith.addi", pa_binary(lower, "arith.muli", position, f->sizes[depth]), loop.index);
  lower_folded(lower, f, depth + 1, inner, position);
  pa_loop_end(lower, loop);
}

// What is found of one result.
static void lower_search(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  MlirValue first = zero(lower), none = pa_int(lower, lower->i64, -1);
  for (int k = 0; k < f->result_count; ++k)
    if (pa_is_position(f->results[k].word))
      pa_op(&lower->builder, "memref.store", PA_OPERANDS(none, f->results[k].found, first));
  lower_folded(lower, f, f->kept, offsets, zero(lower));
  for (int k = 0; k < f->result_count; ++k) {
    if (!pa_is_position(f->results[k].word)) continue;
    MlirValue found =
        pa_value(&lower->builder, "memref.load", PA_OPERANDS(f->results[k].found, first), PA_RESULTS(lower->i64));
    pa_array point = pa_fold_point(lower, &f->results[k].output, offsets[f->input_count + k]);
    pa_store(lower, &point, &first, found);
  }
}

static void lower_kept(pa_lowering *lower, pa_fold *f, int depth, const MlirValue *offsets) {
  if (depth == f->rank - 2 && folds_one(f) && pa_folds_memory(f)) return pa_find_positions(lower, f, offsets);
  if (depth == f->kept) return lower_search(lower, f, offsets);
  pa_counted_loop loop = pa_loop_begin(lower, f->sizes[depth]);
  lower_kept(lower, f, depth + 1, pa_step_along(lower, f, depth, loop.index, offsets));
  pa_loop_end(lower, loop);
}

// Dimensions that are kept first, then those that are folded, in C order.
static void kept_first(pa_fold *f) {
  MlirValue values[PA_MAX_RANK];
  for (int i = -1; i < f->input_count + f->result_count; ++i) {
    MlirValue *all = i < 0 ? f->sizes : operand_at(f, i)->strides;
    int count = 0;
    for (int folded = 0; folded < 2; ++folded)
      for (int d = 0; d < f->rank; ++d)
        if (f->folded[d] == folded) values[count++] = all[d];
    memcpy(all, values, (size_t)count * sizeof *values);
  }
}

// Where rows have |few| elements or more, as long as there are loops of their own for so many: in the order that the
// dimensions have in the program.
static void lower_few(pa_lowering *lower, pa_fold *f, row_lowering row, int few) {
  bool folds = row == pa_fold_row, in_order = f->rank > 1 && f->folded[f->rank - (folds ? 1 : 2)];
  f->few = in_order && few <= PA_MOST_FEW && pa_folds_few(lower, f) ? few : 0;
  if (!f->few) return lower_rows(lower, f, row);
  MlirValue has = pa_has_few(lower, f, few, folds);
  pa_scope scope = pa_open(lower, NULL, 0);
  lower_rows(lower, f, row);
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  scope = pa_open(lower, NULL, 0);
  lower_few(lower, f, row, few + 1);
  MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_emit_if(lower, has, then, otherwise, NULL, 0);
}

// Rows are folded, or updated, as the strides of the result say.
static void lower_loops(pa_lowering *lower, pa_fold *f) {
  if (f->kept == f->rank) return lower_rows(lower, f, pa_update_row);
  if (!f->kept) return lower_rows(lower, f, pa_fold_row);
  if (folds_one(f) && pa_sums_memory(f)) return lower_rows(lower, f, pa_update_row); // the runtime looks
  MlirValue folds = pa_compare_int(lower, PA_EQ, f->results[0].output.strides[f->rank - 1], zero(lower));
  pa_scope scope = pa_open(lower, NULL, 0);
  lower_few(lower, f, pa_fold_row, PA_LEAST_FEW);
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  scope = pa_open(lower, NULL, 0);
  lower_few(lower, f, pa_update_row, PA_LEAST_FEW);
  MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_emit_if(lower, folds, then, otherwise, NULL, 0);
}

static void lower_positions(pa_lowering *lower, pa_fold *f) { lower_kept(lower, f, 0, first_offsets(lower, f)); }

static void lower_over_threads(pa_lowering *lower, pa_fold *f, void (*all)(pa_lowering *lower, pa_fold *f)) {
  MlirAttribute words = f->rank > 1 ? pa_fold_thread_words(lower, f) : mlirAttributeGetNull();
  if (lower->parallel && f->kept)
    pa_spread_fold(lower, f, all);
  else if (!mlirAttributeIsNull(words))
    pa_spread_whole(lower, f, words, all);
  else
    all(lower, f);
}

//===-- Starts and results ------------------------------------------------------------------------===//

// Raises where a result would be of no element.
static void check_not_empty(pa_lowering *lower, const pa_fold *f) {
  const char *text = pa_empty_fold_text(lower->arena, f->op);
  if (!text) return;
  MlirValue empty = {NULL};
  for (int d = 0; d < f->rank; ++d) {
    if (!f->folded[d]) continue;
    MlirValue none = pa_compare_int(lower, PA_EQ, f->sizes[d], zero(lower));
    empty = mlirValueIsNull(empty) ? none : pa_or(lower, empty, none);
  }
  if (!mlirValueIsNull(empty)) pa_raise_if(lower, empty, "ValueError", text);
}

static void store_starts(pa_lowering *lower, const pa_fold *f) {
  int starts = mlirDenseI32ArrayGetElement(pa_get_attr(f->op, "operandSegmentSizes"), 1);
  MlirValue none[1];
  for (int k = 0; k < f->result_count; ++k) {
    const pa_fold_result *result = &f->results[k];
    MlirValue start = starts ? pa_get1(lower, pa_operand(f->op, f->input_count + k)) : pa_fold_start(lower, result);
    if (f->kept)
      pa_fill(lower, &result->output.array, start);
    else
      pa_store(lower, &result->output.array, none, start);
  }
}

static void lower_reduce(pa_lowering *lower, MlirOperation op) {
  if (pa_has_attr(op, "grid")) return pa_lower_fold_grid(lower, op);
  if (lower->team) return pa_team_reduce(lower, op);
  pa_fold *f = PA_NEW(lower->arena, pa_fold);
  if (!read_fold(lower, op, f)) {
    pa_lower_fail(lower, "operands of pyarray.reduce differ in loop dimensions; run pyarray-expand-broadcasting first");
    return;
  }
  if (lower->device) {
    check_not_empty(lower, f);
    pa_lower_fold_thread(lower, f);
    return;
  }
  pa_fold_begin(lower);
  check_not_empty(lower, f);
  store_starts(lower, f);
  if (!f->contiguous) flatten(lower, f);
  if (has_position(f)) {
    kept_first(f);
    lower_over_threads(lower, f, lower_positions);
  } else {
    MlirValue numbers = {NULL};
    if (!f->contiguous && f->rank > 1) order_dimensions(lower, f, &numbers);
    if (!f->kept && f->rank > 2 && !f->ordered && pa_sums_memory(f))
      pa_sum_all(lower, f, numbers);
    else
      lower_over_threads(lower, f, lower_loops);
  }
  MlirValue none[1];
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
    pa_set1(lower, mlirOperationGetResult(op, k), pa_load(lower, &f->results[k].output.array, none));
  pa_fold_end(lower);
}

void pa_lower_reduce(pa_lowering *lower, MlirOperation op) {
  bool parallel = lower->parallel;
  lower->parallel = parallel && !pa_has_attr(op, "pyarray.serial");
  lower_reduce(lower, op);
  lower->parallel = parallel;
}
