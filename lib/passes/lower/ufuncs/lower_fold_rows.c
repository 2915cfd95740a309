// Of pyarray-lower: a row of pyarray.reduce, its innermost dimension.
//
// Folded: a sum of the elements as they lie in memory is one call, and so is the search for a position. Other sums of
// floats are in lower_fold_leaves.c. Everything else is carried in registers:
//
//   %q = scf.for %j = %c0 to %n iter_args(%p = %out[]) { ... scf.yield %r }
//
// where the rows have gaps, strip by strip. Rows that are not folded are in lower_fold_columns.c.
#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_numbers.h"
#include "lower_ufunc.h"

static MlirValue zero(pa_lowering *lower) { return pa_int(lower, lower->index, 0); }

MlirValue pa_memref_address(pa_lowering *lower, MlirValue memref) {
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", memref, lower->index));
}

//===-- Views -------------------------------------------------------------------------------------===//

// |operand| along the innermost dimension; a null stride is 1.
pa_array pa_row_of(pa_lowering *lower, const pa_fold_operand *operand, MlirValue offset, MlirValue count,
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
  return pa_row_of(lower, operand, offset, pa_int(lower, lower->index, 1), (MlirValue){NULL});
}

pa_array *pa_rows_of_inputs(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets, bool unit) {
  pa_array *rows = PA_NEW_ARRAY(lower->arena, pa_array, f->input_count + 1);
  for (int i = 0; i < f->input_count; ++i)
    if (!pa_is_number_operand(&f->inputs[i]))
      rows[i] = pa_row_of(lower, &f->inputs[i], offsets[i], f->sizes[f->rank - 1],
                          unit ? (MlirValue){NULL} : f->inputs[i].strides[f->rank - 1]);
  return rows;
}

// |depth|: of the reduction that uses it now; 0: none.
typedef struct pa_fold_buffer {
  pa_array array;
  int64_t count;
  int depth;
} pa_fold_buffer;

void pa_fold_begin(pa_lowering *lower) { ++lower->fold_depth; }

void pa_fold_end(pa_lowering *lower) {
  for (size_t i = 0; i < lower->fold_buffer_count; ++i)
    if (lower->fold_buffers[i].depth == lower->fold_depth) lower->fold_buffers[i].depth = 0;
  --lower->fold_depth;
}

static pa_array new_buffer(pa_lowering *lower, pa_scalar element, int64_t count) {
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

// A function of many reductions takes no more stack than the one that takes most.
pa_array pa_stack_buffer(pa_lowering *lower, pa_scalar element, int64_t count) {
  for (size_t i = 0; i < lower->fold_buffer_count; ++i) {
    pa_fold_buffer *kept = &lower->fold_buffers[i];
    if (kept->depth || kept->count != count || kept->array.element != element) continue;
    kept->depth = lower->fold_depth;
    return kept->array;
  }
  lower->fold_buffers = pa_arena_grow(lower->arena, lower->fold_buffers, lower->fold_buffer_count,
                                      &lower->fold_buffer_capacity, sizeof *lower->fold_buffers);
  pa_array array = new_buffer(lower, element, count);
  lower->fold_buffers[lower->fold_buffer_count++] = (pa_fold_buffer){array, count, lower->fold_depth};
  return array;
}

//===-- Points ------------------------------------------------------------------------------------===//

// The body at |index| of the rows.
void pa_fold_body(pa_lowering *lower, const pa_fold *f, const pa_array *rows, MlirValue index) {
  for (int i = 0; i < f->input_count; ++i)
    pa_set1(lower, mlirBlockGetArgument(f->body, i),
            pa_is_number_operand(&f->inputs[i]) ? f->inputs[i].number : pa_load(lower, &rows[i], &index));
  pa_lower_block(lower, f->body);
}

MlirValue pa_fold_yielded(pa_lowering *lower, const pa_fold *f, int number) {
  return pa_get1(lower, pa_operand(mlirBlockGetTerminator(f->body), number));
}

// All inputs, and |outputs|, lie along the innermost dimension without gaps; null where that is known.
static MlirValue have_unit_strides(pa_lowering *lower, const pa_fold *f, bool outputs) {
  MlirValue all = {NULL}, one = pa_int(lower, lower->index, 1);
  if (f->contiguous) return all;
  for (int i = 0; i < f->input_count + (outputs ? f->result_count : 0); ++i) {
    const pa_fold_operand *operand = i < f->input_count ? &f->inputs[i] : &f->results[i - f->input_count].output;
    if (pa_is_number_operand(operand)) continue;
    MlirValue unit = pa_compare_int(lower, PA_EQ, operand->strides[f->rank - 1], one);
    all = mlirValueIsNull(all) ? unit : pa_and(lower, all, unit);
  }
  return all;
}

void pa_fold_copies(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool outputs,
                    void (*copy)(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit)) {
  MlirValue unit = have_unit_strides(lower, f, outputs);
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

MlirAttribute pa_strided_annotation(pa_lowering *lower, bool unit) {
  if (unit) return mlirAttributeGetNull();
  return mlirAttributeParseGet(
      lower->context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <count = 4 : i32>>"));
}

MlirAttribute pa_scalar_annotation(pa_lowering *lower) {
  return mlirAttributeParseGet(
      lower->context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"));
}

//===-- Whole rows in memory ----------------------------------------------------------------------===//

bool pa_folds_memory(const pa_fold *f) {
  MlirOperation yield = mlirBlockGetTerminator(f->body);
  return f->result_count == 1 && f->input_count == 1 && !pa_is_number_operand(&f->inputs[0]) &&
         mlirValueEqual(pa_operand(yield, 0), mlirBlockGetArgument(f->body, 0));
}

static MlirValue bytes_of(pa_lowering *lower, MlirValue elements, pa_scalar element) {
  return pa_binary(lower, "arith.muli", pa_to_i64(lower, elements),
                   pa_int(lower, lower->i64, pa_scalar_bytes(element)));
}

static MlirValue row_address(pa_lowering *lower, const pa_fold_operand *operand, MlirValue offset) {
  return pa_binary(lower, "arith.addi", pa_memref_address(lower, operand->array.memref),
                   bytes_of(lower, offset, operand->array.element));
}

const char *pa_sum_suffix(pa_scalar element) {
  return element == PA_F64 ? "f64" : element == PA_C64 ? "c64" : element == PA_C128 ? "c128" : "f32";
}

// Sums of halves are of float32.
pa_scalar pa_summed(const pa_fold_result *result) { return pa_is_half(result->element) ? PA_F32 : result->element; }

// NumPy multiplies a row of float16 in float32, and rounds what it stores.
pa_scalar pa_carried_scalar(const pa_fold_result *result) {
  return result->word == PA_FOLD_MUL && pa_is_half(result->element) ? PA_F32 : result->element;
}

static MlirValue combine_carried(pa_lowering *lower, const pa_fold_result *result, MlirValue before, MlirValue value) {
  value = pa_cast_scalar(lower, value, result->element, pa_carried_scalar(result));
  return pa_fold_combine(lower, result, before, value);
}

void pa_add_total(pa_lowering *lower, const pa_fold_result *result, const pa_array *point, MlirValue total) {
  MlirValue at = zero(lower), before = pa_load(lower, point, &at);
  before = pa_cast_scalar(lower, before, result->element, pa_summed(result));
  MlirValue sum = pa_binary(lower, pa_is_complex(result->element) ? "complex.add" : "arith.addf", before, total);
  pa_store(lower, point, &at, pa_cast_scalar(lower, sum, pa_summed(result), result->element));
}

bool pa_sums_memory(const pa_fold *f) {
  return pa_folds_memory(f) && pa_is_pairwise(&f->results[0]) && !pa_is_half(f->results[0].element);
}

void pa_sum_rows(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, MlirValue rows, MlirValue row_stride) {
  pa_scalar element = f->results[0].element;
  MlirValue stride = mlirValueIsNull(row_stride) ? zero(lower) : row_stride;
  const char *name = lower->parallel ? "pyarray_rt_add_rows_on_threads" : "pyarray_rt_add_rows";
  pa_runtime(lower, pa_arena_format(lower->arena, "%s_%s", name, pa_sum_suffix(element)), pa_to_i64(lower, rows),
             pa_to_i64(lower, f->sizes[f->rank - 1]), row_address(lower, &f->inputs[0], offsets[0]),
             bytes_of(lower, stride, element), bytes_of(lower, f->inputs[0].strides[f->rank - 1], element),
             row_address(lower, &f->results[0].output, offsets[1]));
}

void pa_add_matrix(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  pa_scalar element = f->results[0].element;
  const MlirValue *input = f->inputs[0].strides, *output = f->results[0].output.strides;
  int last = f->rank - 1;
  pa_runtime(lower, pa_arena_format(lower->arena, "pyarray_rt_add_matrix_%s", pa_sum_suffix(element)),
             pa_to_i64(lower, f->sizes[last - 1]), pa_to_i64(lower, f->sizes[last]),
             row_address(lower, &f->inputs[0], offsets[0]), bytes_of(lower, input[last - 1], element),
             bytes_of(lower, input[last], element), row_address(lower, &f->results[0].output, offsets[1]),
             bytes_of(lower, output[last - 1], element), bytes_of(lower, output[last], element));
}

void pa_sum_all(pa_lowering *lower, pa_fold *f, MlirValue numbers) {
  pa_runtime(lower, pa_arena_format(lower->arena, "pyarray_rt_add_all_%s", pa_sum_suffix(f->results[0].element)),
             pa_int(lower, lower->i64, f->rank), numbers, pa_memref_address(lower, f->inputs[0].array.memref),
             row_address(lower, &f->results[0].output, f->results[0].output.offset));
}

static bool is_greatest(const pa_fold_result *result) {
  return result->word == PA_FOLD_ARGMAX || result->word == PA_FOLD_MAX || result->word == PA_FOLD_OR;
}

static MlirValue type_code(pa_lowering *lower, const pa_fold_result *result) {
  return pa_int(lower, lower->i64, result->times ? 'M' : pa_scalar_code(result->element));
}

void pa_find_position(pa_lowering *lower, const pa_fold_result *result, MlirValue count, MlirValue data,
                      MlirValue stride, MlirValue begin) {
  pa_runtime(lower, "pyarray_rt_find_extreme", type_code(lower, result), pa_int(lower, lower->i64, is_greatest(result)),
             pa_to_i64(lower, count), data, stride, pa_to_i64(lower, begin), pa_memref_address(lower, result->found));
}

void pa_find_positions(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  const pa_fold_result *result = &f->results[0];
  pa_scalar element = result->element;
  int last = f->rank - 1;
  pa_runtime(lower, "pyarray_rt_find_extremes", type_code(lower, result),
             pa_int(lower, lower->i64, is_greatest(result)), pa_to_i64(lower, f->sizes[last - 1]),
             pa_to_i64(lower, f->sizes[last]), row_address(lower, &f->inputs[0], offsets[0]),
             bytes_of(lower, f->inputs[0].strides[last - 1], element),
             bytes_of(lower, f->inputs[0].strides[last], element), row_address(lower, &result->output, offsets[1]),
             bytes_of(lower, result->output.strides[last - 1], PA_I64));
}

//===-- Rows that are folded ----------------------------------------------------------------------===//

// What is carried in registers, in order of the results.
static int carried(const pa_fold *f, int *out_numbers) {
  int count = 0;
  for (int k = 0; k < f->result_count; ++k)
    if (!pa_is_pairwise(&f->results[k]) && !pa_is_position(f->results[k].word)) out_numbers[count++] = k;
  return count;
}

MlirAttribute pa_fold_thread_words(pa_lowering *lower, const pa_fold *f) {
  static const char *const words[PA_FOLD_COUNT] = {[PA_FOLD_ADD] = "add", [PA_FOLD_MUL] = "mul", [PA_FOLD_MIN] = "min",
                                                   [PA_FOLD_MAX] = "max", [PA_FOLD_AND] = "and", [PA_FOLD_OR] = "or",
                                                   [PA_FOLD_XOR] = "xor"};
  MlirAttribute *list = PA_NEW_ARRAY(lower->arena, MlirAttribute, f->result_count + 1);
  if (!lower->parallel || f->kept) return mlirAttributeGetNull();
  for (int k = 0; k < f->result_count; ++k) {
    const pa_fold_result *result = &f->results[k];
    bool extreme = result->word == PA_FOLD_MIN || result->word == PA_FOLD_MAX;
    bool real = extreme && pa_is_float(result->element),
         truth = result->element == PA_BOOL && (result->word == PA_FOLD_AND || result->word == PA_FOLD_OR);
    if (result->times || !words[result->word] || !(real || truth || pa_is_integer(result->element)))
      return mlirAttributeGetNull();
    const char *prefix = real ? "f" : extreme && pa_is_unsigned(result->element) ? "u" : "";
    list[k] = pa_string_attr(lower->context, pa_arena_format(lower->arena, "%s%s", prefix, words[result->word]));
  }
  return mlirArrayAttrGet(lower->context, f->result_count, list);
}

static MlirAttribute thread_words(pa_lowering *lower, const pa_fold *f, const pa_folded_row *r) {
  if (f->rank != 1 || r->count != f->result_count) return mlirAttributeGetNull();
  return pa_fold_thread_words(lower, f);
}

MlirValue *pa_offsets_from(pa_lowering *lower, const pa_fold *f, const pa_folded_row *r, MlirValue first) {
  MlirValue *offsets = PA_NEW_ARRAY(lower->arena, MlirValue, f->input_count + 1);
  for (int i = 0; i < f->input_count; ++i)
    if (!pa_is_number_operand(&f->inputs[i]))
      offsets[i] = pa_binary(lower, "arith.addi", r->starts[i],
                             pa_binary(lower, "arith.muli", first, f->inputs[i].strides[f->rank - 1]));
  return offsets;
}

static void lower_strip(pa_lowering *lower, const pa_fold *f, const pa_folded_row *r, MlirValue first,
                        MlirValue count) {
  pa_fold_strip(lower, f, pa_offsets_from(lower, f, r, first), count, r->place, r->buffers);
}

void pa_fold_elements(pa_lowering *lower, const pa_fold *f, const pa_folded_row *r, MlirValue first, MlirValue count,
                      const MlirValue *before, MlirValue *out_after) {
  if (r->strips) return lower_strip(lower, f, r, first, count);
  MlirAttribute threads = mlirValueIsNull(first) ? thread_words(lower, f, r) : mlirAttributeGetNull();
  bool spread = !mlirAttributeIsNull(threads);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, r->count + 1), counter = spread ? lower->i64 : lower->index;
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, r->count + 3);
  types[0] = counter;
  for (int c = 0; c < r->count; ++c)
    types[1 + c] = pa_lower_scalar_type(lower, pa_carried_scalar(&f->results[r->numbers[c]]));
  pa_scope scope = pa_open(lower, types, r->count + 1);
  pa_thread_scope thread;
  if (spread) pa_thread_begin(lower, &thread);
  MlirValue index = mlirBlockGetArgument(scope.block, 0);
  if (spread) index = pa_to_index(lower, index);
  pa_fold_body(lower, f, r->rows, mlirValueIsNull(first) ? index : pa_binary(lower, "arith.addi", first, index));
  MlirValue place = mlirValueIsNull(r->place) ? index : pa_binary(lower, "arith.addi", r->place, index);
  for (int k = 0; k < f->result_count; ++k)
    if (!mlirValueIsNull(r->buffers[k].memref))
      pa_store(lower, &r->buffers[k], &place,
               pa_cast_scalar(lower, pa_fold_yielded(lower, f, k), f->results[k].element, r->buffers[k].element));
  for (int c = 0; c < r->count; ++c)
    values[c] = combine_carried(lower, &f->results[r->numbers[c]], mlirBlockGetArgument(scope.block, 1 + c),
                                pa_fold_yielded(lower, f, r->numbers[c]));
  if (spread) pa_thread_end(lower, &thread);
  MlirRegion region = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, r->count);
  values[0] = pa_int(lower, counter, 0), values[1] = spread ? pa_to_i64(lower, count) : count;
  values[2] = pa_int(lower, counter, 1);
  for (int c = 0; c < r->count; ++c) values[3 + c] = before[c];
  pa_way_out way = spread ? pa_leave(lower) : (pa_way_out){{NULL}, {NULL}};
  MlirOperation loop = pa_op(
      &lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(values, r->count + 3),
      PA_RESULT_ARRAY(types + 1, r->count), PA_REGIONS(region),
      PA_ATTRS({"loop_annotation", pa_strided_annotation(lower, r->unit)}, {"pyarray.threads", threads},
               {"pyarray.try", way.try}, {"pyarray.handlers", way.handlers},
               {"pyarray.memory_site", spread ? pa_raise_site(lower, "MemoryError", "") : mlirAttributeGetNull()}));
  for (int c = 0; c < r->count && !mlirOperationIsNull(loop); ++c) out_after[c] = mlirOperationGetResult(loop, c);
}

// Of every result.
static bool has_buffers(const pa_fold *f) {
  for (int k = 0; k < f->result_count; ++k)
    if (!pa_is_pairwise(&f->results[k]) && !pa_is_position(f->results[k].word)) return false;
  return true;
}

// All results are carried; their elements are computed into buffers, so that no stride keeps them from being vectors.
static void fold_strips(pa_lowering *lower, const pa_fold *f, const pa_folded_row *r, MlirValue length,
                        MlirValue *values) {
  pa_array *buffers = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, f->result_count + 1);
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, f->result_count + 3), *inner = operands + 3;
  MlirValue step = pa_int(lower, lower->index, PA_STRIP), one = pa_int(lower, lower->index, 1), begin = zero(lower);
  types[0] = lower->index;
  for (int k = 0; k < f->result_count; ++k) {
    types[1 + k] = pa_lower_scalar_type(lower, pa_carried_scalar(&f->results[k]));
    buffers[k] = pa_stack_buffer(lower, f->results[k].element, PA_STRIP);
  }
  pa_scope strips = pa_open(lower, types, f->result_count + 1);
  MlirValue first = mlirBlockGetArgument(strips.block, 0);
  MlirValue count = pa_binary(lower, "arith.minsi", step, pa_binary(lower, "arith.subi", length, first));
  pa_folded_row strip = *r;
  strip.buffers = buffers;
  lower_strip(lower, f, &strip, first, count);
  pa_scope points = pa_open(lower, types, f->result_count + 1);
  MlirValue index = mlirBlockGetArgument(points.block, 0);
  for (int k = 0; k < f->result_count; ++k)
    inner[k] = combine_carried(lower, &f->results[k], mlirBlockGetArgument(points.block, 1 + k),
                               pa_load(lower, &buffers[k], &index));
  MlirRegion body = pa_close(lower, points, PA_OP_NAME(SCF_YIELD), inner, f->result_count);
  operands[0] = begin, operands[1] = count, operands[2] = one;
  for (int k = 0; k < f->result_count; ++k) inner[k] = mlirBlockGetArgument(strips.block, 1 + k);
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, f->result_count + 3),
                             PA_RESULT_ARRAY(types + 1, f->result_count), PA_REGIONS(body));
  for (int k = 0; k < f->result_count && !mlirOperationIsNull(loop); ++k) inner[k] = mlirOperationGetResult(loop, k);
  body = pa_close(lower, strips, PA_OP_NAME(SCF_YIELD), inner, f->result_count);
  operands[0] = begin, operands[1] = length, operands[2] = step;
  for (int k = 0; k < f->result_count; ++k) inner[k] = values[k];
  loop = pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, f->result_count + 3),
               PA_RESULT_ARRAY(types + 1, f->result_count), PA_REGIONS(body));
  for (int k = 0; k < f->result_count && !mlirOperationIsNull(loop); ++k) values[k] = mlirOperationGetResult(loop, k);
}

static void fold_copy(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit) {
  int *numbers = PA_NEW_ARRAY(lower->arena, int, f->result_count + 1), count = carried(f, numbers);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, f->result_count + 1), at = zero(lower);
  pa_array *points = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1);
  for (int k = 0; k < f->result_count; ++k)
    if (!pa_is_position(f->results[k].word))
      points[k] = pa_fold_point(lower, &f->results[k].output, offsets[f->input_count + k]);
  for (int c = 0; c < count; ++c) {
    const pa_fold_result *result = &f->results[numbers[c]];
    values[c] =
        pa_cast_scalar(lower, pa_load(lower, &points[numbers[c]], &at), result->element, pa_carried_scalar(result));
  }
  pa_folded_row r = {.rows = pa_rows_of_inputs(lower, f, offsets, unit),
                     .buffers = PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1),
                     .numbers = numbers,
                     .count = count,
                     .unit = unit,
                     .strips = !count && pa_has_strips(lower, f),
                     .blocks = pa_adds_blocks(lower, f),
                     .starts = offsets};
  MlirValue length = f->sizes[f->rank - 1];
  if (count < f->result_count)
    pa_fold_leaves(lower, f, &r, length, points, values, values);
  else if (!unit && !pa_folds_memory(f) && pa_has_strips(lower, f))
    fold_strips(lower, f, &r, length, values);
  else
    pa_fold_elements(lower, f, &r, (MlirValue){NULL}, length, values, values);
  for (int c = 0; c < count; ++c) {
    const pa_fold_result *result = &f->results[numbers[c]];
    pa_store(lower, &points[numbers[c]], &at,
             pa_cast_scalar(lower, values[c], pa_carried_scalar(result), result->element));
  }
}

// The element that the runtime found, of complex numbers and bools.
static MlirValue found_element(pa_lowering *lower, const pa_fold_result *result) {
  MlirValue words[2], parts[2];
  MlirType part = result->element == PA_C64 ? pa_lower_scalar_type(lower, PA_F32) : lower->f64;
  for (int i = 0; i < 2; ++i)
    words[i] = pa_value(&lower->builder, "memref.load", PA_OPERANDS(result->found, pa_int(lower, lower->index, 1 + i)),
                        PA_RESULTS(lower->i64));
  if (result->element == PA_BOOL)
    return pa_compare_int(lower, PA_NE, pa_convert(lower, "arith.trunci", words[0], lower->i8),
                          pa_int(lower, lower->i8, 0));
  if (result->element == PA_C64) {
    words[1] = pa_binary(lower, "arith.shrui", words[0], pa_int(lower, lower->i64, 32));
    for (int i = 0; i < 2; ++i) words[i] = pa_convert(lower, "arith.trunci", words[i], lower->i32);
  }
  for (int i = 0; i < 2; ++i) parts[i] = pa_convert(lower, "arith.bitcast", words[i], part);
  return pa_complex(lower, parts[0], parts[1]);
}

// The extreme of a row in memory, which the runtime finds faster than a loop that has no vectors, or goes on when it is
// found.
static void search_row(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  const pa_fold_result *result = &f->results[0];
  MlirValue at = zero(lower), none = pa_int(lower, lower->i64, -1);
  pa_array point = pa_fold_point(lower, &result->output, offsets[f->input_count]);
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(none, result->found, at));
  pa_find_position(lower, result, f->sizes[f->rank - 1], row_address(lower, &f->inputs[0], offsets[0]),
                   bytes_of(lower, f->inputs[0].strides[f->rank - 1], f->inputs[0].array.element), at);
  MlirValue position = pa_value(&lower->builder, "memref.load", PA_OPERANDS(result->found, at), PA_RESULTS(lower->i64));
  pa_scope scope = pa_open(lower, NULL, 0);
  MlirValue before = pa_load(lower, &point, &at);
  pa_store(lower, &point, &at, pa_fold_combine(lower, result, before, found_element(lower, result)));
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  scope = pa_open(lower, NULL, 0);
  MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_emit_if(lower, pa_compare_int(lower, PA_NE, position, none), then, otherwise, NULL, 0);
}

void pa_fold_row(pa_lowering *lower, pa_fold *f, const MlirValue *offsets) {
  if (pa_sums_memory(f))
    pa_sum_rows(lower, f, offsets, pa_int(lower, lower->index, 1), (MlirValue){NULL});
  else if (pa_folds_memory(f) && pa_is_position(f->results[0].word))
    pa_find_position(lower, &f->results[0], f->sizes[f->rank - 1], row_address(lower, &f->inputs[0], offsets[0]),
                     bytes_of(lower, f->inputs[0].strides[f->rank - 1], f->inputs[0].array.element), f->position);
  else if (pa_folds_memory(f) && pa_is_searched(&f->results[0]))
    search_row(lower, f, offsets);
  else if (has_buffers(f) && pa_has_strips(lower, f))
    fold_copy(lower, f, offsets, f->contiguous);
  else
    pa_fold_copies(lower, f, offsets, false, fold_copy);
}
