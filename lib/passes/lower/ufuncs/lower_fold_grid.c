// Of pyarray-lower: pyarray.reduce of a kernel, whose threads fold together.
//
//   pyarray.reduce ["add"] axes [1] ins(%a : !pyarray.array<?x?xf64, C>) outs(%o : !pyarray.array<?x?xf64, A>) grid ...
//
// The first dimension of the outputs are parts of what is folded. An item is a part of a point of the result; a block
// of 256 threads has a tile of items, each of which has a team of lanes:
//
//   for (tile = block; tile * points < items; tile += blocks)
//     x = what the lane folds (lower_fold_lanes.c)
//     for (s = 1; s < lanes of a warp; s *= 2) x += shfl_xor(x, s)
//     if (lanes of other warps) { shared[thread] = x; barrier; x = shared[first] + shared[first + 32] + ...; barrier }
//     if (lane == 0) out[item] = x
//
// Neighbouring threads read neighbouring elements: lanes of a team where elements that are folded lie side by side,
// else teams (columns). The order of a sum depends on the extents alone, not on the device.
#include "lower_fold_grid.h"
#include "lower_arrays.h"
#include "lower_numbers.h"
#include "lower_whole_arrays.h"
#include "runtime/cuda/device_arrays.h"

enum {
  BLOCK = PA_FOLD_BLOCK,
  BLOCK_BITS = 8,
  COLUMN_BITS = 3,
  WARP_BITS = 5,
  FILLED_BITS = 18, // of threads that keep a device busy
  LEAST_GROUPS = 2, // of elements, that a lane folds
};

static MlirValue constant(pa_lowering *lower, int64_t value) { return pa_int(lower, lower->index, value); }
static MlirValue op2(pa_lowering *lower, const char *name, MlirValue a, MlirValue b) {
  return pa_binary(lower, name, a, b);
}

//===-- Reading -----------------------------------------------------------------------------------===//

static MlirValue gpu_id(pa_lowering *lower, const char *name) {
  return pa_value(&lower->builder, name, PA_RESULTS(lower->index),
                  PA_ATTRS({"dimension", mlirAttributeParseGet(lower->context, pa_ref("#gpu<dim x>"))}));
}

static bool read_inputs(pa_lowering *lower, pa_grid_fold *g, int starts) {
  pa_fold *f = &g->fold;
  for (int i = 0; i < f->input_count; ++i) {
    MlirValue value = pa_operand(f->op, i);
    if (!pyarrayTypeIsArray(mlirValueGetType(value))) {
      f->inputs[i].number = pa_get1(lower, value);
      continue;
    }
    f->inputs[i].array = pa_array_of(lower, value);
    if (f->rank && f->rank != f->inputs[i].array.rank) return false;
    f->rank = f->inputs[i].array.rank;
    for (int d = 0; d < f->rank; ++d) f->sizes[d] = pa_to_index(lower, pa_extent(lower, &f->inputs[i].array, d));
  }
  for (int k = 0; k < starts; ++k) g->starts[k] = pa_get1(lower, pa_operand(f->op, f->input_count + k));
  return f->rank > 0;
}

static pa_array shared_line(pa_lowering *lower, pa_scalar element) {
  int64_t size = lower->team ? PA_ROW_BLOCK : BLOCK;
  int32_t segments[] = {0, 0};
  MlirType memory = pa_element_memory(lower, element);
  MlirAttribute space = mlirAttributeParseGet(lower->context, pa_ref("#gpu.address_space<workgroup>"));
  MlirType own = mlirMemRefTypeContiguousGet(memory, 1, &size, space),
           plain = mlirMemRefTypeContiguousGet(memory, 1, &size, mlirAttributeGetNull());
  pa_builder builder = pa_entry_builder(lower);
  MlirOperation op = pa_op(&builder, "memref.alloca", PA_RESULTS(own),
                           PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)},
                                    {"pyarray.shared", pa_unit_attr(lower->context)}));
  if (!mlirOperationIsNull(op))
    op = pa_op(&builder, "memref.memory_space_cast", PA_OPERANDS(mlirOperationGetResult(op, 0)), PA_RESULTS(plain));
  pa_entry_built(lower, &builder, op);
  pa_array line = {.element = element, .rank = 1};
  if (!mlirOperationIsNull(op)) line.memref = mlirOperationGetResult(op, 0);
  return line;
}

static bool read_results(pa_lowering *lower, pa_grid_fold *g, int first) {
  pa_fold *f = &g->fold;
  MlirOperation yield = mlirBlockGetTerminator(f->body);
  MlirAttribute words = pa_get_attr(f->op, "words");
  for (int k = 0; k < f->result_count; ++k) {
    pa_fold_result *result = &f->results[k];
    if (!pa_fold_read_word(mlirArrayAttrGetElement(words, k), result)) return false;
    result->element = pa_scalar_of_value(pa_operand(yield, k));
    if (!lower->team) {
      result->output.array = pa_array_of(lower, pa_operand(f->op, first + k));
      if (result->output.array.rank != f->kept + 1) return false;
    }
    pa_lane_result *c = &g->results[k];
    *c = (pa_lane_result){.result = result,
                          .scalar = pa_is_pairwise(result) ? pa_summed(result) : pa_carried_scalar(result)};
    c->shared = shared_line(lower, c->scalar);
    if (pa_is_position(result->word)) c->places = shared_line(lower, PA_I64);
  }
  return true;
}

static bool read_fold(pa_lowering *lower, MlirOperation op, pa_grid_fold *g) {
  MlirAttribute segments = pa_get_attr(op, "operandSegmentSizes"), axes = pa_get_attr(op, "axes");
  int inputs = mlirDenseI32ArrayGetElement(segments, 0), starts = mlirDenseI32ArrayGetElement(segments, 1),
      results = lower->team ? (int)mlirOperationGetNumResults(op) : mlirDenseI32ArrayGetElement(segments, 2);
  pa_fold *f = &g->fold;
  *f = (pa_fold){.op = op, .body = pa_body(op, 0), .input_count = inputs, .result_count = results};
  f->inputs = PA_NEW_ARRAY(lower->arena, pa_fold_operand, inputs + 1);
  f->results = PA_NEW_ARRAY(lower->arena, pa_fold_result, results + 1);
  g->results = PA_NEW_ARRAY(lower->arena, pa_lane_result, results + 1);
  g->starts = starts ? PA_NEW_ARRAY(lower->arena, MlirValue, starts) : NULL;
  if (!results || !read_inputs(lower, g, starts)) return false;
  f->kept = f->rank - (int)mlirDenseArrayGetNumElements(axes);
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(axes); ++k)
    f->folded[mlirDenseI64ArrayGetElement(axes, k)] = true;
  return read_results(lower, g, inputs + starts);
}

//===-- Teams -------------------------------------------------------------------------------------===//

MlirValue pa_fold_total(pa_lowering *lower, const pa_fold *f, bool folded) {
  MlirValue all = {NULL};
  for (int d = 0; d < f->rank; ++d)
    if (f->folded[d] == folded) all = mlirValueIsNull(all) ? f->sizes[d] : op2(lower, "arith.muli", all, f->sizes[d]);
  return mlirValueIsNull(all) ? constant(lower, 1) : all;
}

static int last_of(const pa_fold *f, bool folded) {
  for (int d = f->rank - 1; d >= 0; --d)
    if (f->folded[d] == folded) return d;
  return -1;
}

static int first_of(const pa_fold *f, bool folded) {
  for (int d = 0; d < f->rank; ++d)
    if (f->folded[d] == folded) return d;
  return -1;
}

// How far apart neighbours along |axis| lie, over all inputs.
static MlirValue reach(pa_lowering *lower, const pa_fold *f, int axis) {
  MlirValue sum = constant(lower, 0), zero = sum;
  for (int i = 0; i < f->input_count; ++i) {
    if (mlirValueIsNull(f->inputs[i].array.memref)) continue;
    MlirValue stride = pa_stride_of(lower, &f->inputs[i].array, axis);
    stride = op2(lower, "arith.maxsi", stride, op2(lower, "arith.subi", zero, stride));
    sum = op2(lower, "arith.addi", sum, stride);
  }
  return sum;
}

// C or F where inputs have that layout, and none the other; A where none has either. |*out_any|: some are of any
// strides, views and what is broadcast.
static pyarray_layout common_layout(const pa_fold *f, bool *out_any) {
  bool has[PYARRAY_LAYOUT_A + 1] = {false};
  for (int i = 0; i < f->input_count; ++i) {
    MlirType type = mlirValueGetType(pa_operand(f->op, i));
    if (pyarrayTypeIsArray(type)) has[pyarrayArrayTypeGetLayout(type)] = true;
  }
  *out_any = has[PYARRAY_LAYOUT_A];
  if (has[PYARRAY_LAYOUT_C] == has[PYARRAY_LAYOUT_F]) return PYARRAY_LAYOUT_A;
  return has[PYARRAY_LAYOUT_C] ? PYARRAY_LAYOUT_C : PYARRAY_LAYOUT_F;
}

// Whether neighbours that are kept lie closer than those that are folded. Known where the layouts say so, so that there
// is no code for the other case. Whole arrays decide where others are broadcast to them.
static void find_columns(pa_lowering *lower, pa_grid_fold *g) {
  const pa_fold *f = &g->fold;
  int kept = last_of(f, false), folded = last_of(f, true);
  bool any;
  pyarray_layout layout = common_layout(f, &any);
  bool both = kept >= 0 && folded >= 0;
  bool columns = both && (layout == PYARRAY_LAYOUT_F ? first_of(f, false) < first_of(f, true) : kept > folded);
  g->known = !both || layout != PYARRAY_LAYOUT_A;
  g->unrolls_narrow = any || !g->known || columns;
  g->by_vectors = g->by_vectors && (!g->known || !columns);
  g->columns = g->known ? pa_int(lower, lower->i1, columns)
                        : pa_compare_int(lower, PA_SLT, reach(lower, f, kept), reach(lower, f, folded));
}

MlirValue pa_round_up(pa_lowering *lower, MlirValue a, MlirValue b) {
  MlirValue more = op2(lower, "arith.subi", b, constant(lower, 1));
  return op2(lower, "arith.divui", op2(lower, "arith.addi", a, more), b);
}

// The least power of two that is |number| at least; |number| is positive.
MlirValue pa_bits_of(pa_lowering *lower, MlirValue number) {
  MlirValue less = pa_to_i64(lower, op2(lower, "arith.subi", number, constant(lower, 1)));
  MlirValue zeros = pa_value(&lower->builder, "llvm.intr.ctlz", PA_OPERANDS(less), PA_RESULTS(lower->i64),
                             PA_ATTRS({"is_zero_poison", mlirIntegerAttrGet(lower->i1, 0)}));
  return pa_to_index(lower, op2(lower, "arith.subi", pa_int(lower, lower->i64, 64), zeros));
}

// Where there are many items, each has a warp; where there are few, a block.
static MlirValue most_lanes(pa_lowering *lower, const pa_grid_fold *g) {
  MlirValue items = pa_bits_of(lower, op2(lower, "arith.muli", g->kept, g->parts));
  MlirValue bits = op2(lower, "arith.subi", constant(lower, FILLED_BITS), items);
  return op2(lower, "arith.minsi", op2(lower, "arith.maxsi", bits, constant(lower, WARP_BITS)),
             constant(lower, BLOCK_BITS));
}

static MlirValue small(pa_lowering *lower, MlirValue value) {
  return pa_convert(lower, "arith.index_cast", value, lower->i32);
}

static MlirValue wide(pa_lowering *lower, MlirValue value) {
  return pa_convert(lower, "arith.index_castui", value, lower->index);
}

static MlirValue small_constant(pa_lowering *lower, int64_t value) { return pa_int(lower, lower->i32, value); }

// The least power of two that is |number| at least, of 32 bits; |number| is positive.
static MlirValue small_bits_of(pa_lowering *lower, MlirValue number) {
  MlirValue less = op2(lower, "arith.subi", number, small_constant(lower, 1));
  MlirValue zeros = pa_value(&lower->builder, "llvm.intr.ctlz", PA_OPERANDS(less), PA_RESULTS(lower->i32),
                             PA_ATTRS({"is_zero_poison", mlirIntegerAttrGet(lower->i1, 0)}));
  return op2(lower, "arith.subi", small_constant(lower, 32), zeros);
}

// A lane folds a few groups or more. Numbers of threads are computed with 32 bits: those of 64 take several
// instructions each, and with these the driver's compiler takes longer.
void pa_share_block(pa_lowering *lower, pa_grid_fold *g, MlirValue block_bits, MlirValue most_bits) {
  enum { MUCH = 1 << 24 }; // elements, of which a block has lanes enough
  MlirValue one = small_constant(lower, 1), two = small_constant(lower, 2);
  MlirValue share = small(lower, op2(lower, "arith.minui", g->share, constant(lower, MUCH)));
  MlirValue few = small_constant(lower, (int64_t)g->group * g->least), group = small_constant(lower, g->group);
  MlirValue thread = small(lower, gpu_id(lower, "gpu.thread_id"));
  g->block = gpu_id(lower, "gpu.block_id");
  g->blocks = gpu_id(lower, "gpu.grid_dim");
  MlirValue lanes = op2(lower, "arith.addi", share, op2(lower, "arith.subi", few, one));
  lanes = op2(lower, "arith.divui", lanes, few);
  // Two threads at least read what lies side by side.
  lanes = op2(lower, "arith.maxui", lanes, op2(lower, "arith.minui", op2(lower, "arith.divui", share, group), two));
  lanes = op2(lower, "arith.maxui", lanes, one);
  MlirValue bits = op2(lower, "arith.minui", small_bits_of(lower, lanes), small(lower, most_bits));
  MlirValue tile_bits = op2(lower, "arith.subi", small(lower, block_bits), bits);
  MlirValue tile = op2(lower, "arith.shli", one, tile_bits);
  lanes = op2(lower, "arith.shli", one, bits);
  MlirValue high = op2(lower, "arith.shrui", thread, pa_select(lower, g->columns, tile_bits, bits));
  MlirValue width = pa_select(lower, g->columns, tile, lanes);
  MlirValue low = op2(lower, "arith.andi", thread, op2(lower, "arith.subi", width, one));
  g->thread = wide(lower, thread);
  g->bits = wide(lower, bits);
  g->lanes = wide(lower, lanes);
  g->tile = wide(lower, tile);
  g->tile_bits = wide(lower, tile_bits);
  g->point = wide(lower, pa_select(lower, g->columns, low, high));
  g->lane = wide(lower, pa_select(lower, g->columns, high, low));
  g->block_bits = block_bits;
}

static void choose_group(pa_lowering *lower, pa_grid_fold *g) {
  const pa_fold *f = &g->fold;
  const pa_array **arrays = PA_NEW_ARRAY(lower->arena, const pa_array *, f->input_count + 1);
  int count = 0;
  for (int i = 0; i < f->input_count; ++i)
    if (!pa_is_number_operand(&f->inputs[i])) arrays[count++] = &f->inputs[i].array;
  g->group = pa_choose_group(arrays, count, &g->by_vectors);
}

// |a| / 2^|bits|, up.
static MlirValue shift_up(pa_lowering *lower, MlirValue a, MlirValue bits) {
  MlirValue one = constant(lower, 1), more = op2(lower, "arith.subi", op2(lower, "arith.shli", one, bits), one);
  return op2(lower, "arith.shrui", op2(lower, "arith.addi", a, more), bits);
}

// Of what is folded, as many parts as the greatest power of two among the numbers up to that of the parts: a division
// is a function of a hundred instructions. Parts that are left are empty.
static MlirValue share_of_part(pa_lowering *lower, const pa_grid_fold *g) {
  MlirValue zeros = pa_value(&lower->builder, "llvm.intr.ctlz", PA_OPERANDS(pa_to_i64(lower, g->parts)),
                             PA_RESULTS(lower->i64), PA_ATTRS({"is_zero_poison", mlirIntegerAttrGet(lower->i1, 1)}));
  MlirValue bits = op2(lower, "arith.subi", constant(lower, 63), pa_to_index(lower, zeros));
  MlirValue group = constant(lower, g->group), share = shift_up(lower, pa_fold_total(lower, &g->fold, true), bits);
  return op2(lower, "arith.muli", pa_round_up(lower, share, group), group); // parts begin as aligned as the array
}

// The lanes of columns are few, so that a warp reads neighbours.
static void make_teams(pa_lowering *lower, pa_grid_fold *g) {
  const pa_fold *f = &g->fold;
  g->kept = pa_fold_total(lower, f, false);
  g->parts = pa_to_index(lower, pa_extent(lower, &f->results[0].output.array, 0));
  choose_group(lower, g);
  g->share = share_of_part(lower, g);
  find_columns(lower, g);
  g->least = LEAST_GROUPS;
  pa_share_block(lower, g, constant(lower, BLOCK_BITS),
                 pa_select(lower, g->columns, constant(lower, COLUMN_BITS), most_lanes(lower, g)));
}

//===-- Values ------------------------------------------------------------------------------------===//

// Of positions the one that comes first, -1 being none; a NaN is before all.
static MlirValue beats(pa_lowering *lower, const pa_lane_result *c, MlirValue a, MlirValue b) {
  bool least = c->result->word == PA_FOLD_ARGMIN;
  if (!pa_is_float(c->scalar)) {
    bool sign = pa_is_signed(c->scalar);
    return pa_compare_int(lower, least ? (sign ? PA_SLT : PA_ULT) : (sign ? PA_SGT : PA_UGT), a, b);
  }
  MlirValue nan = pa_compare_real(lower, PA_UNO, a, a), other = pa_compare_real(lower, PA_UNO, b, b);
  MlirValue beyond = pa_compare_real(lower, least ? PA_OLT : PA_OGT, a, b);
  return pa_or(lower, beyond, pa_and(lower, nan, pa_not(lower, other)));
}

// |values|: of each result its value, and behind it its position.
void pa_lane_combine(pa_lowering *lower, const pa_lane_result *c, const MlirValue *a, const MlirValue *b,
                     MlirValue *out) {
  if (!pa_is_position(c->result->word)) {
    out[0] = pa_is_pairwise(c->result) ? op2(lower, pa_is_complex(c->scalar) ? "complex.add" : "arith.addf", a[0], b[0])
                                       : pa_fold_combine(lower, c->result, a[0], b[0]);
    return;
  }
  MlirValue zero = pa_int(lower, lower->i64, 0);
  MlirValue better = beats(lower, c, b[0], a[0]), worse = beats(lower, c, a[0], b[0]);
  MlirValue earlier = pa_and(lower, pa_not(lower, worse), pa_compare_int(lower, PA_SLT, b[1], a[1]));
  MlirValue takes = pa_or(lower, pa_compare_int(lower, PA_SLT, a[1], zero), pa_or(lower, better, earlier));
  takes = pa_and(lower, takes, pa_compare_int(lower, PA_SGE, b[1], zero));
  out[0] = pa_select(lower, takes, b[0], a[0]);
  out[1] = pa_select(lower, takes, b[1], a[1]);
}

int pa_lane_words(const pa_lane_result *c) { return pa_is_position(c->result->word) ? 2 : 1; }

int pa_all_lane_words(const pa_grid_fold *g) {
  int count = 0;
  for (int k = 0; k < g->fold.result_count; ++k) count += pa_lane_words(&g->results[k]);
  return count;
}

void pa_lane_starts(pa_lowering *lower, const pa_grid_fold *g, MlirValue *out) {
  for (int k = 0; k < g->fold.result_count; out += pa_lane_words(&g->results[k++])) {
    const pa_lane_result *c = &g->results[k];
    pa_fold_result plain = *c->result;
    if (pa_is_position(plain.word)) plain.word = plain.word == PA_FOLD_ARGMIN ? PA_FOLD_MIN : PA_FOLD_MAX;
    out[0] = pa_is_pairwise(c->result)
                 ? pa_fold_nothing(lower, c->result)
                 : pa_cast_scalar(lower, pa_fold_start(lower, &plain), c->result->element, c->scalar);
    if (pa_lane_words(c) > 1) out[1] = pa_int(lower, lower->i64, -1);
  }
}

// The places, along the dimensions that are |folded| or not, of point |number| in C order.
void pa_find_fold_places(pa_lowering *lower, const pa_fold *f, bool folded, MlirValue number, MlirValue *out_places) {
  int first = -1;
  for (int d = f->rank - 1; d >= 0; --d)
    if (f->folded[d] == folded) first = d;
  for (int d = f->rank - 1; d >= 0; --d) {
    if (f->folded[d] != folded) continue;
    out_places[d] = number;
    if (d == first) continue;
    MlirValue rest = op2(lower, "arith.divui", number, f->sizes[d]);
    out_places[d] = op2(lower, "arith.subi", number, op2(lower, "arith.muli", rest, f->sizes[d]));
    number = rest;
  }
}

//===-- Results -----------------------------------------------------------------------------------===//

// What result |k| is, of what its team has come to.
static MlirValue result_of(pa_lowering *lower, const pa_grid_fold *g, int k, const MlirValue *team, pa_scalar element) {
  const pa_lane_result *c = &g->results[k];
  MlirValue values[2] = {team[0], pa_lane_words(c) > 1 ? team[1] : team[0]}, start[2];
  if (g->starts) {
    start[0] = pa_cast_scalar(lower, g->starts[k], c->result->element, c->scalar);
    pa_lane_combine(lower, c, start, values, values);
  }
  if (pa_lane_words(c) > 1) return values[1];
  MlirValue zero_sum = values[0];
  if (pa_is_pairwise(c->result) && !pa_is_complex(c->scalar)) // -0.0 of nothing is 0.0
    zero_sum = op2(lower, "arith.addf", values[0], pa_real(lower, pa_lower_scalar_type(lower, c->scalar), 0.0));
  return pa_cast_scalar(lower, zero_sum, c->scalar, element);
}

static void store_results(pa_lowering *lower, const pa_grid_fold *g, MlirValue part, const MlirValue *places,
                          const MlirValue *values) {
  const pa_fold *f = &g->fold;
  MlirValue indices[PA_MAX_RANK + 1] = {part};
  for (int d = 0, own = 1; d < f->rank; ++d)
    if (!f->folded[d]) indices[own++] = places[d];
  for (int k = 0; k < f->result_count; values += pa_lane_words(&g->results[k++])) {
    const pa_array *output = &f->results[k].output.array;
    pa_store(lower, output, indices, result_of(lower, g, k, values, output->element));
  }
}

// Which part item |number| is of. Points of several parts are few, so that 32 bits do.
static MlirValue part_of(pa_lowering *lower, const pa_grid_fold *g, MlirValue number) {
  MlirValue one = constant(lower, 1), kept = op2(lower, "arith.maxui", small(lower, g->kept), small_constant(lower, 1));
  MlirValue part = wide(lower, op2(lower, "arith.divui", small(lower, number), kept));
  return pa_select(lower, pa_compare_int(lower, PA_EQ, g->parts, one), constant(lower, 0), part);
}

static void fold_tile(pa_lowering *lower, pa_grid_fold *g, MlirValue tile, MlirValue items) {
  MlirValue places[PA_MAX_RANK], one = constant(lower, 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, pa_all_lane_words(g));
  MlirValue item = op2(lower, "arith.addi", op2(lower, "arith.muli", tile, g->tile), g->point);
  MlirValue within = op2(lower, "arith.minui", item, op2(lower, "arith.subi", items, one));
  MlirValue part = within, number = constant(lower, 0);
  if (g->fold.kept) {
    part = part_of(lower, g, within);
    number = op2(lower, "arith.subi", within, op2(lower, "arith.muli", part, g->kept));
  }
  pa_find_fold_places(lower, &g->fold, false, number, places);
  pa_fold_lane(lower, g, part, places, values);
  pa_fold_team(lower, g, values);
  MlirValue first = pa_compare_int(lower, PA_EQ, g->lane, constant(lower, 0));
  first = pa_and(lower, first, pa_compare_int(lower, PA_ULT, item, items));
  pa_scope scope = pa_if_begin(lower);
  store_results(lower, g, part, places, values);
  pa_if_end(lower, scope, first);
}

void pa_lower_fold_grid(pa_lowering *lower, MlirOperation op) {
  pa_grid_fold *g = PA_NEW(lower->arena, pa_grid_fold);
  if (!lower->device || !read_fold(lower, op, g)) {
    pa_lower_fail(lower, "a pyarray.reduce with `grid` is a kernel's, and its outputs have a dimension of parts");
    return;
  }
  make_teams(lower, g);
  MlirValue items = op2(lower, "arith.muli", g->kept, g->parts), tiles = shift_up(lower, items, g->tile_bits);
  pa_scope scope = pa_open(lower, &lower->index, 1);
  fold_tile(lower, g, mlirBlockGetArgument(scope.block, 0), items);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERANDS(g->block, tiles, g->blocks), PA_REGIONS(body),
        PA_ATTRS({"loop_annotation", pa_scalar_annotation(lower)}));
}

//===-- Of a row ----------------------------------------------------------------------------------===//

// All threads of the block come here, with as many turns of loops: rows are as long as each other.
void pa_team_reduce(pa_lowering *lower, MlirOperation op) {
  pa_grid_fold *g = PA_NEW(lower->arena, pa_grid_fold);
  MlirValue places[PA_MAX_RANK], zero = constant(lower, 0);
  *g = lower->team->block;
  if (!read_fold(lower, op, g) || g->fold.kept) {
    pa_lower_fail(lower, "a pyarray.reduce of a row in a kernel folds all of it");
    return;
  }
  g->parts = constant(lower, 1);
  g->share = pa_fold_total(lower, &g->fold, true);
  choose_group(lower, g);
  g->known = true;
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, pa_all_lane_words(g));
  pa_fold_lane(lower, g, zero, places, values);
  pa_fold_row_of_team(lower, g, values);
  for (int k = 0; k < g->fold.result_count; values += pa_lane_words(&g->results[k++])) {
    MlirValue result = mlirOperationGetResult(op, k);
    pa_set1(lower, result, result_of(lower, g, k, values, pa_scalar_of_value(result)));
  }
}
