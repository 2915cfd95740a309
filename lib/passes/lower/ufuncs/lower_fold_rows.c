// Of pyarray-lower: a row of pyarray.reduce, its innermost dimension.
//
// Folded, with a body and a sum of floats: the runtime says how long the next leaf of the pairwise sum is, the loop
// computes that many elements into a buffer, the runtime adds them up. Everything else is carried in registers:
//
//   %n = call @pyarray_rt_sum_begin(%leaves, %count, %total)
//   scf.while (%at = %c0, %m = %n, %p = %out[]) { scf.condition(%m > 0) } do {
//     %q = scf.for %j = %c0 to %m iter_args(...) { ... memref.store %x, %buffer[%j] }
//     %next = call @pyarray_rt_sum_leaf_f64(%leaves, %buffer, %m, %total)
//     scf.yield %at + %m, %next, %q
//   }
// A sum of the elements as they lie in memory is one call, and so is the search for a position. Not folded: a row is
// added to a row of results, element by element.
#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_numbers.h"
#include "lower_ufunc.h"

enum {
  PA_LEAF = 128,    // elements of a pairwise sum that are added up at once
  PA_BLOCK = 512,   // elements among which a position is sought at once
  PA_BUFFER = 8192, // elements that NumPy casts at once
  PA_LEAVES = 200,  // words of memory that pyarray_rt_sum_begin asks for
};

static MlirValue zero(pa_lowering *lower) { return pa_int(lower, lower->index, 0); }

static bool is_number(const pa_fold_operand *operand) { return mlirValueIsNull(operand->array.memref); }

static MlirValue address_of(pa_lowering *lower, MlirValue memref) {
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", memref, lower->index));
}

//===-- Views -------------------------------------------------------------------------------------===//

// |operand| along the innermost dimension; a null stride is 1.
static pa_array row_of(pa_lowering *lower, const pa_fold_operand *operand, MlirValue offset, MlirValue count,
                       MlirValue stride) {
  int64_t dynamic = mlirShapedTypeGetDynamicSize(), unknown = mlirShapedTypeGetDynamicStrideOrOffset();
  bool unit = mlirValueIsNull(stride);
  int64_t step = unit ? 1 : unknown;
  MlirAttribute layout = mlirStridedLayoutAttrGet(lower->context, unknown, 1, &step);
  MlirType type =
      mlirMemRefTypeGet(pa_element_memory(lower, operand->array.element), 1, &dynamic, layout, mlirAttributeGetNull());
  MlirValue operands[] = {operand->base, offset, count, stride};
  int32_t segments[] = {1, 1, 1, !unit};
  return (pa_array){.element = operand->array.element,
                    .rank = 1,
                    .memref =
                        pa_value(&lower->builder, "memref.reinterpret_cast", PA_OPERAND_ARRAY(operands, unit ? 3 : 4),
                                 PA_RESULTS(type),
                                 PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(lower->context, 1, &unknown)},
                                          {"static_sizes", mlirDenseI64ArrayGet(lower->context, 1, &dynamic)},
                                          {"static_strides", mlirDenseI64ArrayGet(lower->context, 1, &step)},
                                          {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 4, segments)}))};
}

pa_array pa_fold_point(pa_lowering *lower, const pa_fold_operand *operand, MlirValue offset) {
  return row_of(lower, operand, offset, pa_int(lower, lower->index, 1), (MlirValue){NULL});
}

static pa_array *rows_of_inputs(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets, bool unit) {
  pa_array *rows = PA_NEW_ARRAY(lower->arena, pa_array, f->input_count + 1);
  for (int i = 0; i < f->input_count; ++i)
    if (!is_number(&f->inputs[i]))
      rows[i] = row_of(lower, &f->inputs[i], offsets[i], f->sizes[f->rank - 1],
                       unit ? (MlirValue){NULL} : f->inputs[i].strides[f->rank - 1]);
  return rows;
}

static pa_array buffer_of(pa_lowering *lower, pa_scalar element, int64_t count) {
  pa_builder at = pa_entry_builder(lower);
  MlirType type = mlirMemRefTypeContiguousGet(pa_element_memory(lower, element), 1, &count, mlirAttributeGetNull());
  int32_t segments[] = {0, 0};
  MlirOperation made = pa_op(&at, "memref.alloca", PA_RESULTS(type),
                             PA_ATTRS({"alignment", pa_i64_attr(lower->context, 64)},
                                      {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
  pa_entry_built(lower, &at, made);
  return (pa_array){.element = element,
                    .rank = 1,
                    .memref = mlirOperationIsNull(made) ? (MlirValue){NULL} : mlirOperationGetResult(made, 0)};
}

//===-- Points ------------------------------------------------------------------------------------===//

// The body at |index| of the rows.
static void lower_body(pa_lowering *lower, const pa_fold *f, const pa_array *rows, MlirValue index) {
  for (int i = 0; i < f->input_count; ++i)
    pa_set1(lower, mlirBlockGetArgument(f->body, i),
            is_number(&f->inputs[i]) ? f->inputs[i].number : pa_load(lower, &rows[i], &index));
  pa_lower_block(lower, f->body);
}

static MlirValue yielded(pa_lowering *lower, const pa_fold *f, int number) {
  return pa_get1(lower, pa_operand(mlirBlockGetTerminator(f->body), number));
}

// All inputs, and |outputs|, lie along the innermost dimension without gaps; null where that is known.
static MlirValue have_unit_strides(pa_lowering *lower, const pa_fold *f, bool outputs) {
  MlirValue all = {NULL}, one = pa_int(lower, lower->index, 1);
  if (f->contiguous) return all;
  for (int i = 0; i < f->input_count + (outputs ? f->result_count : 0); ++i) {
    const pa_fold_operand *operand = i < f->input_count ? &f->inputs[i] : &f->results[i - f->input_count].output;
    if (is_number(operand)) continue;
    MlirValue unit = pa_compare_int(lower, PA_EQ, operand->strides[f->rank - 1], one);
    all = mlirValueIsNull(all) ? unit : pa_and(lower, all, unit);
  }
  return all;
}

static void update_copy(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit);

typedef void (*row_copy)(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit);

// A copy of the loop for rows without gaps, and one for any.
static void lower_copies(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, row_copy copy) {
  MlirValue unit = have_unit_strides(lower, f, copy == update_copy);
  if (mlirValueIsNull(unit)) {
    copy(lower, f, offsets, true);
    return;
  }
  pa_scope scope = pa_open(lower, NULL, 0);
  copy(lower, f, offsets, true);
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  scope = pa_open(lower, NULL, 0);
  copy(lower, f, offsets, false);
  MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_emit_if(lower, unit, then, otherwise, NULL, 0);
}

// Of loops that go through memory by strides: vectors would be put together element by element.
static MlirAttribute annotation(pa_lowering *lower, bool unit) {
  if (unit) return mlirAttributeGetNull();
  return mlirAttributeParseGet(
      lower->context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <count = 4 : i32>>"));
}

//===-- Whole rows in memory ----------------------------------------------------------------------===//

// What is folded is the elements of the one input, as they lie in memory.
static bool is_pure(const pa_fold *f) {
  MlirOperation yield = mlirBlockGetTerminator(f->body);
  return f->result_count == 1 && f->input_count == 1 && !is_number(&f->inputs[0]) &&
         mlirValueEqual(pa_operand(yield, 0), mlirBlockGetArgument(f->body, 0));
}

static MlirValue bytes_of(pa_lowering *lower, MlirValue elements, pa_scalar element) {
  return pa_binary(lower, "arith.muli", pa_to_i64(lower, elements),
                   pa_int(lower, lower->i64, pa_scalar_bytes(element)));
}

static MlirValue row_address(pa_lowering *lower, const pa_fold_operand *operand, MlirValue offset) {
  return pa_binary(lower, "arith.addi", address_of(lower, operand->array.memref),
                   bytes_of(lower, offset, operand->array.element));
}

static const char *suffix_of(pa_scalar element) {
  return element == PA_F64 ? "f64" : element == PA_C64 ? "c64" : element == PA_C128 ? "c128" : "f32";
}

// Sums of halves are of float32.
static pa_scalar summed(const pa_fold_result *result) { return pa_is_half(result->element) ? PA_F32 : result->element; }

static void add_total(pa_lowering *lower, const pa_fold_result *result, const pa_array *point, MlirValue total) {
  MlirValue at = zero(lower), before = pa_load(lower, point, &at);
  before = pa_cast_scalar(lower, before, result->element, summed(result));
  MlirValue sum = pa_binary(lower, pa_is_complex(result->element) ? "complex.add" : "arith.addf", before, total);
  pa_store(lower, point, &at, pa_cast_scalar(lower, sum, summed(result), result->element));
}

bool pa_sums_memory(const pa_fold *f) {
  return is_pure(f) && pa_is_pairwise(&f->results[0]) && !pa_is_half(f->results[0].element);
}

void pa_sum_rows(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, MlirValue rows, MlirValue row_stride) {
  pa_scalar element = f->results[0].element;
  MlirValue stride = mlirValueIsNull(row_stride) ? zero(lower) : row_stride;
  const char *name = lower->parallel ? "pyarray_rt_add_rows_on_threads" : "pyarray_rt_add_rows";
  pa_runtime(lower, pa_arena_format(lower->arena, "%s_%s", name, suffix_of(element)), pa_to_i64(lower, rows),
             pa_to_i64(lower, f->sizes[f->rank - 1]), row_address(lower, &f->inputs[0], offsets[0]),
             bytes_of(lower, stride, element), bytes_of(lower, f->inputs[0].strides[f->rank - 1], element),
             row_address(lower, &f->results[0].output, offsets[1]));
}

void pa_sum_all(pa_lowering *lower, pa_fold *f, MlirValue numbers) {
  pa_runtime(lower, pa_arena_format(lower->arena, "pyarray_rt_add_all_%s", suffix_of(f->results[0].element)),
             pa_int(lower, lower->i64, f->rank), numbers, address_of(lower, f->inputs[0].array.memref),
             row_address(lower, &f->results[0].output, f->results[0].output.offset));
}

static void find_position(pa_lowering *lower, const pa_fold_result *result, MlirValue count, MlirValue data,
                          MlirValue stride, MlirValue begin) {
  int64_t code = result->times ? 'M' : pa_scalar_code(result->element);
  pa_runtime(lower, "pyarray_rt_find_extreme", pa_int(lower, lower->i64, code),
             pa_int(lower, lower->i64, result->word == PA_FOLD_ARGMAX), pa_to_i64(lower, count), data, stride,
             pa_to_i64(lower, begin), address_of(lower, result->found));
}

//===-- Rows that are folded ----------------------------------------------------------------------===//

// What is carried in registers, in order of the results.
static int carried(const pa_fold *f, int *out_numbers) {
  int count = 0;
  for (int k = 0; k < f->result_count; ++k)
    if (!pa_is_pairwise(&f->results[k]) && !pa_is_position(f->results[k].word)) out_numbers[count++] = k;
  return count;
}

typedef struct fold_row {
  const pa_array *rows, *buffers; // of inputs; of results that have one
  const int *numbers;             // of results that are carried
  int count;
  bool unit;
  const MlirValue *offsets; // of a run of rows, whose views |rows| are made one after the other; else NULL
  MlirValue place;          // of the first element in the buffers; null: 0
} fold_row;

// Folded by the loops for threads of prange, where the order of the elements changes nothing; else null.
static MlirAttribute thread_words(pa_lowering *lower, const pa_fold *f, const fold_row *r) {
  static const char *const words[PA_FOLD_COUNT] = {[PA_FOLD_ADD] = "add", [PA_FOLD_MUL] = "mul", [PA_FOLD_MIN] = "min",
                                                   [PA_FOLD_MAX] = "max", [PA_FOLD_AND] = "and", [PA_FOLD_OR] = "or",
                                                   [PA_FOLD_XOR] = "xor"};
  MlirAttribute *list = PA_NEW_ARRAY(lower->arena, MlirAttribute, r->count + 1);
  if (!lower->parallel || f->kept || f->rank != 1 || r->count != f->result_count) return mlirAttributeGetNull();
  for (int k = 0; k < f->result_count; ++k) {
    const pa_fold_result *result = &f->results[k];
    bool extreme = result->word == PA_FOLD_MIN || result->word == PA_FOLD_MAX;
    if (!pa_is_integer(result->element) || result->times) return mlirAttributeGetNull();
    list[k] = pa_string_attr(lower->context, pa_arena_format(lower->arena, "%s%s",
                                                             extreme && pa_is_unsigned(result->element) ? "u" : "",
                                                             words[result->word]));
  }
  return mlirArrayAttrGet(lower->context, r->count, list);
}

// for (j = 0; j < count; ++j), the elements from |first| on.
static void lower_elements(pa_lowering *lower, const pa_fold *f, const fold_row *r, MlirValue first, MlirValue count,
                           const MlirValue *before, MlirValue *out_after) {
  MlirAttribute threads = mlirValueIsNull(first) ? thread_words(lower, f, r) : mlirAttributeGetNull();
  bool spread = !mlirAttributeIsNull(threads);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, r->count + 1), counter = spread ? lower->i64 : lower->index;
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, r->count + 3);
  types[0] = counter;
  for (int c = 0; c < r->count; ++c) types[1 + c] = pa_lower_scalar_type(lower, f->results[r->numbers[c]].element);
  pa_scope scope = pa_open(lower, types, r->count + 1);
  pa_thread_scope thread;
  if (spread) pa_thread_begin(lower, &thread);
  MlirValue index = mlirBlockGetArgument(scope.block, 0);
  if (spread) index = pa_to_index(lower, index);
  lower_body(lower, f, r->rows, mlirValueIsNull(first) ? index : pa_binary(lower, "arith.addi", first, index));
  MlirValue place = mlirValueIsNull(r->place) ? index : pa_binary(lower, "arith.addi", r->place, index);
  for (int k = 0; k < f->result_count; ++k)
    if (!mlirValueIsNull(r->buffers[k].memref))
      pa_store(lower, &r->buffers[k], &place,
               pa_cast_scalar(lower, yielded(lower, f, k), f->results[k].element, r->buffers[k].element));
  for (int c = 0; c < r->count; ++c)
    values[c] = pa_fold_combine(lower, &f->results[r->numbers[c]], mlirBlockGetArgument(scope.block, 1 + c),
                                yielded(lower, f, r->numbers[c]));
  if (spread) pa_thread_end(lower, &thread);
  MlirRegion region = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, r->count);
  values[0] = pa_int(lower, counter, 0), values[1] = spread ? pa_to_i64(lower, count) : count;
  values[2] = pa_int(lower, counter, 1);
  for (int c = 0; c < r->count; ++c) values[3 + c] = before[c];
  pa_way_out way = spread ? pa_leave(lower) : (pa_way_out){{NULL}, {NULL}};
  MlirOperation loop = pa_op(
      &lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(values, r->count + 3),
      PA_RESULT_ARRAY(types + 1, r->count), PA_REGIONS(region),
      PA_ATTRS({"loop_annotation", annotation(lower, r->unit)}, {"pyarray.threads", threads}, {"pyarray.try", way.try},
               {"pyarray.handlers", way.handlers},
               {"pyarray.memory_site", spread ? pa_raise_site(lower, "MemoryError", "") : mlirAttributeGetNull()}));
  for (int c = 0; c < r->count && !mlirOperationIsNull(loop); ++c) out_after[c] = mlirOperationGetResult(loop, c);
}

// |offsets| of the inputs at row |row| of the run.
static void step_to_row(pa_lowering *lower, const pa_fold *f, MlirValue row, MlirValue *offsets) {
  for (int d = f->rank - 2; d >= f->run_first; --d) {
    MlirValue index = d > f->run_first ? pa_binary(lower, "arith.remui", row, f->sizes[d]) : row;
    if (d > f->run_first) row = pa_binary(lower, "arith.divui", row, f->sizes[d]);
    for (int i = 0; i < f->input_count; ++i)
      if (!is_number(&f->inputs[i]))
        offsets[i] =
            pa_binary(lower, "arith.addi", offsets[i], pa_binary(lower, "arith.muli", index, f->inputs[i].strides[d]));
  }
}

// The same of a run of rows: piece by piece.
static void lower_pieces(pa_lowering *lower, const pa_fold *f, fold_row *r, MlirValue at, MlirValue count) {
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
  for (int i = 0; i < f->input_count; ++i) offsets[i] = is_number(&f->inputs[i]) ? (MlirValue){NULL} : r->offsets[i];
  step_to_row(lower, f, row, offsets);
  r->rows = rows_of_inputs(lower, f, offsets, r->unit);
  r->place = done;
  lower_elements(lower, f, r, first, piece, NULL, NULL);
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

static MlirValue least(pa_lowering *lower, MlirValue a, int64_t b) {
  return pa_binary(lower, "arith.minsi", a, pa_int(lower, lower->index, b));
}

// The first leaf, or block, of |count| elements; how many it has.
static MlirValue begin_leaves(pa_lowering *lower, pa_fold *f, MlirValue count, pa_array *buffers, bool *out_leaves) {
  MlirValue first = {NULL};
  *out_leaves = false;
  for (int k = 0; k < f->result_count; ++k) *out_leaves = *out_leaves || pa_is_pairwise(&f->results[k]);
  for (int k = 0; k < f->result_count; ++k) {
    pa_fold_result *result = &f->results[k];
    bool pairwise = pa_is_pairwise(result);
    if (!pairwise && !pa_is_position(result->word)) continue;
    buffers[k] = buffer_of(lower, pairwise ? summed(result) : result->element, *out_leaves ? PA_LEAF : PA_BLOCK);
    if (!pairwise) continue;
    result->leaves = address_of(lower, pa_stack_numbers(lower, PA_LEAVES));
    result->total = buffer_of(lower, summed(result), 1);
    const char *name = pa_is_complex(result->element) ? "pyarray_rt_sum_begin_complex" : "pyarray_rt_sum_begin";
    first = pa_runtime(lower, name, result->leaves, pa_to_i64(lower, count), address_of(lower, result->total.memref),
                       pa_int(lower, lower->i64, pa_scalar_bytes(summed(result))));
  }
  return *out_leaves ? pa_to_index(lower, first) : least(lower, count, PA_BLOCK);
}

// Hands the buffers over; how many elements are next.
static MlirValue end_leaf(pa_lowering *lower, pa_fold *f, const pa_array *buffers, MlirValue at, MlirValue count,
                          MlirValue end, bool leaves) {
  MlirValue next = {NULL};
  for (int k = 0; k < f->result_count; ++k) {
    const pa_fold_result *result = &f->results[k];
    if (mlirValueIsNull(buffers[k].memref)) continue;
    MlirValue data = address_of(lower, buffers[k].memref);
    if (pa_is_position(result->word))
      find_position(lower, result, count, data, pa_int(lower, lower->i64, pa_scalar_bytes(result->element)),
                    pa_binary(lower, "arith.addi", f->position, at));
    else
      next = pa_runtime(lower, pa_arena_format(lower->arena, "pyarray_rt_sum_leaf_%s", suffix_of(summed(result))),
                        result->leaves, data, pa_to_i64(lower, count), address_of(lower, result->total.memref));
  }
  if (leaves) return pa_to_index(lower, next);
  MlirValue behind = pa_binary(lower, "arith.addi", at, count);
  return least(lower, pa_binary(lower, "arith.subi", end, behind), PA_BLOCK);
}

// The elements from |begin| to |end|.
static void lower_leaves(pa_lowering *lower, pa_fold *f, fold_row *r, MlirValue begin, MlirValue end,
                         const MlirValue *before, MlirValue *out_after) {
  pa_array *buffers = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, r->count + 3);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, r->count + 3);
  bool leaves;
  MlirValue first = begin_leaves(lower, f, pa_binary(lower, "arith.subi", end, begin), buffers, &leaves);
  r->buffers = buffers;
  types[0] = types[1] = lower->index;
  for (int c = 0; c < r->count; ++c) types[2 + c] = pa_lower_scalar_type(lower, f->results[r->numbers[c]].element);
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
    lower_elements(lower, f, r, at, count, values + 2, values + 2);
  values[1] = end_leaf(lower, f, buffers, at, count, end, leaves);
  values[0] = pa_binary(lower, "arith.addi", at, count);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, r->count + 2);
  values[0] = begin, values[1] = first;
  for (int c = 0; c < r->count; ++c) values[2 + c] = before[c];
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(values, r->count + 2),
                             PA_RESULT_ARRAY(types, r->count + 2), PA_REGIONS(test, body));
  for (int c = 0; c < r->count && !mlirOperationIsNull(loop); ++c) out_after[c] = mlirOperationGetResult(loop, 2 + c);
}

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
      add_total(lower, &f->results[k], &points[k], pa_load(lower, &f->results[k].total, &at));
}

static void lower_buffers(pa_lowering *lower, pa_fold *f, fold_row *r, MlirValue count, const pa_array *points) {
  MlirValue size = pa_int(lower, lower->index, PA_BUFFER);
  pa_counted_loop loop = pa_loop_begin(lower, pa_binary(lower, "arith.ceildivsi", count, size));
  MlirValue begin = pa_binary(lower, "arith.muli", loop.index, size);
  MlirValue end = pa_binary(lower, "arith.minsi", pa_binary(lower, "arith.addi", begin, size), count);
  lower_leaves(lower, f, r, begin, end, NULL, NULL);
  add_totals(lower, f, points);
  pa_loop_end(lower, loop);
}

static void fold_copy(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit) {
  int *numbers = PA_NEW_ARRAY(lower->arena, int, f->result_count + 1), count = carried(f, numbers);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, f->result_count + 1), at = zero(lower);
  pa_array *points = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  for (int k = 0; k < f->result_count; ++k)
    if (!pa_is_position(f->results[k].word))
      points[k] = pa_fold_point(lower, &f->results[k].output, offsets[f->input_count + k]);
  for (int c = 0; c < count; ++c) values[c] = pa_load(lower, &points[numbers[c]], &at);
  fold_row r = {.rows = rows_of_inputs(lower, f, offsets, unit),
                .buffers = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1),
                .numbers = numbers,
                .count = count,
                .unit = unit};
  if (casts_elements(f)) return lower_buffers(lower, f, &r, f->sizes[f->rank - 1], points);
  if (count == f->result_count)
    lower_elements(lower, f, &r, (MlirValue){NULL}, f->sizes[f->rank - 1], values, values);
  else
    lower_leaves(lower, f, &r, at, f->sizes[f->rank - 1], values, values);
  for (int c = 0; c < count; ++c) pa_store(lower, &points[numbers[c]], &at, values[c]);
  add_totals(lower, f, points);
}

void pa_fold_row(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  if (pa_sums_memory(f))
    pa_sum_rows(lower, f, offsets, pa_int(lower, lower->index, 1), (MlirValue){NULL});
  else if (is_pure(f) && pa_is_position(f->results[0].word))
    find_position(lower, &f->results[0], f->sizes[f->rank - 1], row_address(lower, &f->inputs[0], offsets[0]),
                  bytes_of(lower, f->inputs[0].strides[f->rank - 1], f->inputs[0].array.element), f->position);
  else
    lower_copies(lower, f, offsets, fold_copy);
}

static void run_copy(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit) {
  pa_array *points = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  for (int k = 0; k < f->result_count; ++k)
    points[k] = pa_fold_point(lower, &f->results[k].output, offsets[f->input_count + k]);
  fold_row r = {.numbers = NULL, .unit = unit, .offsets = offsets};
  if (casts_elements(f)) return lower_buffers(lower, f, &r, f->run, points);
  lower_leaves(lower, f, &r, zero(lower), f->run, NULL, NULL);
  add_totals(lower, f, points);
}

void pa_fold_run(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, MlirValue rows, int first) {
  f->run_first = first;
  f->run = pa_binary(lower, "arith.muli", rows, f->sizes[f->rank - 1]);
  lower_copies(lower, f, offsets, run_copy);
}

//===-- Rows that are not -------------------------------------------------------------------------===//

static void update_copy(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit) {
  int last = f->rank - 1;
  const pa_array *rows = rows_of_inputs(lower, f, offsets, unit);
  pa_array *outputs = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  for (int k = 0; k < f->result_count; ++k)
    outputs[k] = row_of(lower, &f->results[k].output, offsets[f->input_count + k], f->sizes[last],
                        unit ? (MlirValue){NULL} : f->results[k].output.strides[last]);
  MlirValue index;
  pa_scope scope = pa_parallel_begin(lower, &index);
  lower_body(lower, f, rows, index);
  for (int k = 0; k < f->result_count; ++k) {
    MlirValue before = pa_load(lower, &outputs[k], &index);
    pa_store(lower, &outputs[k], &index, pa_fold_combine(lower, &f->results[k], before, yielded(lower, f, k)));
  }
  pa_parallel_end(lower, scope, zero(lower), f->sizes[last], unit ? NULL : "pyarray.strided");
}

void pa_update_row(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  lower_copies(lower, f, offsets, update_copy);
}
