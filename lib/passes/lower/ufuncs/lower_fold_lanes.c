// Of pyarray-lower: what a thread of lower_fold_grid.c folds.
//
// Elements come in groups of as many as fill 16 bytes; a lane takes every so many groups as the team has lanes, and
// folds the elements of a group apart from each other, so that no addition waits for the one before:
//
//   for (g = lane; g < groups; g += lanes)
//     for (v = 0; v < 4; ++v) acc[v] = acc[v] + body(first + 4 g + v)
//   what is left of the last group, to acc[0]; acc[0] + acc[1] + ...
//
// Where the inputs lie without gaps and are aligned, a group is read by one access, and several are under way at once.
// The order of a sum is the same whether they are or not.
#include "lower_arrays.h"
#include "lower_fold_grid.h"
#include "lower_numbers.h"
#include "mlir-c/Dialect/LLVM.h"

enum {
  ACCESS_BYTES = 16,
  MOST_BYTES = 32, // of one input
  MOST_GROUP = 8,
  CHEAP = 4, // operations of a body that is copied for several groups
  FEW = 12,
};

// Loops over the groups of a lane. What is to be unrolled is: the driver's compiler would unroll the rest, and take
// five times as long.
typedef struct lane_loop {
  const pa_grid_fold *g;
  bool wide;         // groups are read by one access
  MlirValue first;   // element of the part
  MlirValue *starts; // of inputs, where they are wide: pointers to element |first|
  MlirValue *places;
  MlirType *types; // of what is carried
  int words;       // of one accumulator
} lane_loop;

static MlirValue constant(pa_lowering *lower, int64_t value) { return pa_int(lower, lower->index, value); }
static MlirValue op2(pa_lowering *lower, const char *name, MlirValue a, MlirValue b) {
  return pa_binary(lower, name, a, b);
}
static MlirValue add(pa_lowering *lower, MlirValue a, MlirValue b) { return op2(lower, "arith.addi", a, b); }
static MlirValue multiply(pa_lowering *lower, MlirValue a, MlirValue b) { return op2(lower, "arith.muli", a, b); }

//===-- Groups ------------------------------------------------------------------------------------===//

static bool is_array_input(const pa_fold_operand *input) { return !mlirValueIsNull(input->array.memref); }

int pa_choose_group(const pa_array *const *arrays, int count, bool *out_by_vectors) {
  int64_t least = ACCESS_BYTES, most = 1;
  bool real = true;
  for (int i = 0; i < count; ++i) {
    int64_t bytes = pa_scalar_bytes(arrays[i]->element);
    if (pa_is_complex(arrays[i]->element)) real = false;
    if (bytes < least) least = bytes;
    if (bytes > most) most = bytes;
  }
  int group = (int)(ACCESS_BYTES / least);
  while (group > MOST_GROUP || (group > 1 && group * most > MOST_BYTES)) group /= 2;
  *out_by_vectors = real && group > 1;
  return group;
}

static int unrolled_groups(const pa_grid_fold *g) {
  int count = 0;
  PA_FOR_EACH_OP(op, g->fold.body) count += mlirOperationGetNumRegions(op) ? FEW : 1;
  int groups = count <= CHEAP ? 4 : count <= FEW ? 2 : 1;
  return groups * g->group > 16 ? 16 / g->group : groups;
}

//===-- Elements ----------------------------------------------------------------------------------===//

// |before| with element |j|, whose inputs are the values of the body's arguments by now. Parts of what was folded
// before come with their positions.
static void fold_value(pa_lowering *lower, const pa_grid_fold *g, MlirValue j, const MlirValue *before,
                       MlirValue *out) {
  const pa_fold *f = &g->fold;
  pa_lower_block(lower, f->body);
  MlirOperation yield = mlirBlockGetTerminator(f->body);
  MlirValue place = pa_has_attr(f->op, "pyarray.places")
                        ? pa_get1(lower, mlirBlockGetArgument(f->body, f->input_count - 1))
                        : pa_to_i64(lower, j);
  for (int k = 0; k < f->result_count; ++k) {
    const pa_lane_result *c = &g->results[k];
    MlirValue value = pa_get1(lower, pa_operand(yield, k));
    MlirValue own[] = {pa_cast_scalar(lower, value, c->result->element, c->scalar), place};
    pa_lane_combine(lower, c, before, own, out);
    before += pa_lane_words(c);
    out += pa_lane_words(c);
  }
}

static void fold_element(pa_lowering *lower, const lane_loop *l, MlirValue j, const MlirValue *before, MlirValue *out) {
  const pa_fold *f = &l->g->fold;
  pa_find_fold_places(lower, f, true, j, l->places);
  for (int i = 0; i < f->input_count; ++i) {
    const pa_fold_operand *input = &f->inputs[i];
    pa_set1(lower, mlirBlockGetArgument(f->body, i),
            is_array_input(input) ? pa_load(lower, &input->array, l->places) : input->number);
  }
  fold_value(lower, l->g, j, before, out);
}

//===-- Vectors -----------------------------------------------------------------------------------===//

MlirValue pa_pointer_at(pa_lowering *lower, const pa_array *array, MlirValue base, MlirValue distance) {
  int32_t dynamic = INT32_MIN;
  MlirType pointer = mlirLLVMPointerTypeGet(lower->context, 0);
  return pa_value(&lower->builder, "llvm.getelementptr", PA_OPERANDS(base, pa_to_i64(lower, distance)),
                  PA_RESULTS(pointer),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(lower->context, 1, &dynamic)},
                           {"elem_type", mlirTypeAttrGet(pa_element_memory(lower, array->element))}));
}

int64_t pa_group_alignment(int group, const pa_array *array) {
  int64_t bytes = group * pa_scalar_bytes(array->element);
  return bytes < ACCESS_BYTES ? bytes : ACCESS_BYTES;
}

MlirValue pa_is_aligned(pa_lowering *lower, MlirValue pointer, int64_t alignment) {
  MlirValue address = pa_convert(lower, "llvm.ptrtoint", pointer, lower->i64),
            odd = op2(lower, "arith.andi", address, pa_int(lower, lower->i64, alignment - 1));
  return pa_compare_int(lower, PA_EQ, odd, pa_int(lower, lower->i64, 0));
}

MlirValue pa_load_group(pa_lowering *lower, const pa_array *array, int group, MlirValue pointer) {
  int64_t length = group;
  MlirType vector = mlirVectorTypeGet(1, &length, pa_element_memory(lower, array->element));
  return pa_value(&lower->builder, "llvm.load", PA_OPERANDS(pointer), PA_RESULTS(vector),
                  PA_ATTRS({"alignment", pa_i64_attr(lower->context, pa_group_alignment(group, array))}));
}

MlirValue pa_group_element(pa_lowering *lower, const pa_array *array, MlirValue vector, int place) {
  MlirValue value =
      pa_value(&lower->builder, "llvm.extractelement", PA_OPERANDS(vector, pa_int(lower, lower->i32, place)),
               PA_RESULTS(pa_element_memory(lower, array->element)));
  if (array->element != PA_BOOL) return value;
  return pa_compare_int(lower, PA_NE, value, pa_int(lower, lower->i8, 0));
}

MlirValue pa_lies_in_order(pa_lowering *lower, const pa_array *array, const bool *folded, const MlirValue *sizes) {
  MlirValue all = pa_int(lower, lower->i1, 1), expected = constant(lower, 1);
  for (int d = array->rank - 1; d >= 0; --d) {
    if (!folded[d]) continue;
    all = pa_and(lower, all, pa_compare_int(lower, PA_EQ, pa_stride_of(lower, array, d), expected));
    expected = multiply(lower, expected, sizes[d]);
  }
  return all;
}

static MlirValue load_group(pa_lowering *lower, const lane_loop *l, int i, MlirValue distance) {
  const pa_array *array = &l->g->fold.inputs[i].array;
  return pa_load_group(lower, array, l->g->group, pa_pointer_at(lower, array, l->starts[i], distance));
}

// Groups at |distances| from the first element: all are read before any is folded.
static void fold_groups(pa_lowering *lower, const lane_loop *l, const MlirValue *distances, int count,
                        MlirValue *values) {
  const pa_grid_fold *g = l->g;
  const pa_fold *f = &g->fold;
  MlirValue *vectors = PA_NEW_ARRAY(lower->arena, MlirValue, count * f->input_count + 1);
  for (int u = 0; u < count && l->wide; ++u)
    for (int i = 0; i < f->input_count; ++i)
      if (is_array_input(&f->inputs[i])) vectors[u * f->input_count + i] = load_group(lower, l, i, distances[u]);
  for (int u = 0; u < count; ++u)
    for (int v = 0; v < g->group; ++v) {
      MlirValue *acc = values + v * l->words, place = add(lower, distances[u], constant(lower, v));
      MlirValue j = add(lower, l->first, place);
      if (!l->wide) {
        fold_element(lower, l, j, acc, acc);
        continue;
      }
      for (int i = 0; i < f->input_count; ++i)
        pa_set1(lower, mlirBlockGetArgument(f->body, i),
                is_array_input(&f->inputs[i])
                    ? pa_group_element(lower, &f->inputs[i].array, vectors[u * f->input_count + i], v)
                    : f->inputs[i].number);
      fold_value(lower, g, j, acc, acc);
    }
}

//===-- Loops -------------------------------------------------------------------------------------===//

// for (c = low; c < high; c += count), over the numbers of the lane's groups; |values| are carried. Where it counts up
// groups and not up to where they end, softmax takes 7 % less, for no reason that its instructions show.
static void loop_groups(pa_lowering *lower, const lane_loop *l, MlirValue low, MlirValue high, int count,
                        MlirValue *values) {
  const pa_grid_fold *g = l->g;
  int carried = g->group * l->words;
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, carried + 3),
            *inner = PA_NEW_ARRAY(lower->arena, MlirValue, carried), distances[4];
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, carried + 1);
  types[0] = lower->index;
  for (int i = 0; i < carried; ++i) types[1 + i] = l->types[i % l->words];
  operands[0] = low;
  operands[1] = high;
  operands[2] = constant(lower, count);
  for (int i = 0; i < carried; ++i) operands[3 + i] = values[i];
  pa_scope scope = pa_open(lower, types, carried + 1);
  MlirValue c = mlirBlockGetArgument(scope.block, 0);
  for (int i = 0; i < carried; ++i) inner[i] = mlirBlockGetArgument(scope.block, 1 + i);
  for (int u = 0; u < count; ++u) {
    MlirValue number = op2(lower, "arith.shli", add(lower, c, constant(lower, u)), g->bits);
    distances[u] = multiply(lower, add(lower, number, g->lane), constant(lower, g->group));
  }
  fold_groups(lower, l, distances, count, inner);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), inner, carried);
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, 3 + carried),
                             PA_RESULT_ARRAY(types + 1, carried), PA_REGIONS(body),
                             PA_ATTRS({"loop_annotation", pa_scalar_annotation(lower)}));
  for (int i = 0; i < carried && !mlirOperationIsNull(loop); ++i) values[i] = mlirOperationGetResult(loop, i);
}

// Elements from number |low| to |high|, |step| apart, to the first accumulator.
static void loop_rest(pa_lowering *lower, const lane_loop *l, MlirValue low, MlirValue high, MlirValue step,
                      MlirValue *values) {
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, l->words + 3),
            *inner = PA_NEW_ARRAY(lower->arena, MlirValue, l->words);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, l->words + 1);
  types[0] = lower->index;
  for (int i = 0; i < l->words; ++i) types[1 + i] = l->types[i], operands[3 + i] = values[i];
  operands[0] = low;
  operands[1] = high;
  operands[2] = step;
  pa_scope scope = pa_open(lower, types, l->words + 1);
  for (int i = 0; i < l->words; ++i) inner[i] = mlirBlockGetArgument(scope.block, 1 + i);
  fold_element(lower, l, mlirBlockGetArgument(scope.block, 0), inner, inner);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), inner, l->words);
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, 3 + l->words),
                             PA_RESULT_ARRAY(types + 1, l->words), PA_REGIONS(body),
                             PA_ATTRS({"loop_annotation", pa_scalar_annotation(lower)}));
  for (int i = 0; i < l->words && !mlirOperationIsNull(loop); ++i) values[i] = mlirOperationGetResult(loop, i);
}

// The accumulators as one, two and two.
static void fold_accumulators(pa_lowering *lower, const lane_loop *l, MlirValue *values) {
  for (int half = l->g->group / 2; half; half /= 2)
    for (int v = 0; v < half; ++v) {
      MlirValue *a = values + v * l->words, *b = values + (v + half) * l->words;
      for (int k = 0; k < l->g->fold.result_count; ++k) {
        const pa_lane_result *c = &l->g->results[k];
        pa_lane_combine(lower, c, a, b, a);
        a += pa_lane_words(c);
        b += pa_lane_words(c);
      }
    }
}

// The lane's of the |whole| groups. Several are under way at once where they are read by one access each, or where
// those of neighbouring threads are (columns).
static void fold_whole(pa_lowering *lower, const lane_loop *l, MlirValue whole, MlirValue *values) {
  const pa_grid_fold *g = l->g;
  MlirValue zero = constant(lower, 0), one = constant(lower, 1);
  MlirValue left = op2(lower, "arith.maxsi", op2(lower, "arith.subi", whole, g->lane), zero);
  MlirValue own = op2(lower, "arith.shrui", add(lower, left, op2(lower, "arith.subi", g->lanes, one)), g->bits);
  int unrolled = l->wide || g->unrolls_narrow ? unrolled_groups(g) : 1;
  if (unrolled > 1) {
    MlirValue times = constant(lower, unrolled);
    MlirValue several = multiply(lower, op2(lower, "arith.divui", own, times), times);
    loop_groups(lower, l, zero, several, unrolled, values);
    zero = several;
  }
  loop_groups(lower, l, zero, own, 1, values);
}

// What is left of |count| elements, and all accumulators.
static void fold_rest(pa_lowering *lower, const lane_loop *l, MlirValue whole, MlirValue count, MlirValue *values) {
  const pa_grid_fold *g = l->g;
  MlirValue done = add(lower, multiply(lower, whole, constant(lower, g->group)), g->lane);
  if (g->group > 1) loop_rest(lower, l, add(lower, l->first, done), add(lower, l->first, count), g->lanes, values);
  fold_accumulators(lower, l, values);
}

//===-- Where accesses are wide -------------------------------------------------------------------===//

// Pointers to where the part begins in the inputs, and whether all are aligned and lie in order.
static MlirValue find_starts(pa_lowering *lower, lane_loop *l) {
  const pa_fold *f = &l->g->fold;
  MlirValue fits = pa_not(lower, l->g->columns), zero = pa_int(lower, lower->i64, 0), positions[PA_MAX_RANK];
  for (int d = 0; d < f->rank; ++d) positions[d] = f->folded[d] ? zero : pa_to_i64(lower, l->places[d]);
  for (int i = 0; i < f->input_count; ++i) {
    const pa_fold_operand *input = &f->inputs[i];
    if (!is_array_input(input)) continue;
    const pa_array *array = &input->array;
    fits = pa_and(lower, fits, pa_lies_in_order(lower, array, f->folded, f->sizes));
    l->starts[i] = pa_pointer_at(lower, array, pa_element_address(lower, array, positions), l->first);
    fits = pa_and(lower, fits, pa_is_aligned(lower, l->starts[i], pa_group_alignment(l->g->group, array)));
  }
  return fits;
}

// |values| by wide accesses where they fit, else element by element.
static void fold_either(pa_lowering *lower, lane_loop *l, MlirValue whole, MlirValue *values) {
  int carried = l->g->group * l->words;
  MlirValue fits = find_starts(lower, l), *own = PA_NEW_ARRAY(lower->arena, MlirValue, carried);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, carried);
  MlirRegion branches[2];
  for (int i = 0; i < carried; ++i) types[i] = l->types[i % l->words];
  for (int b = 0; b < 2; ++b) {
    for (int i = 0; i < carried; ++i) own[i] = values[i];
    pa_scope scope = pa_open(lower, NULL, 0);
    l->wide = !b;
    fold_whole(lower, l, whole, own);
    branches[b] = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), own, carried);
  }
  l->wide = false;
  MlirOperation op = pa_emit_if(lower, fits, branches[0], branches[1], types, carried);
  for (int i = 0; i < carried && !mlirOperationIsNull(op); ++i) values[i] = mlirOperationGetResult(op, i);
}

void pa_fold_lane(pa_lowering *lower, const pa_grid_fold *g, MlirValue part, MlirValue *places, MlirValue *out) {
  int words = pa_all_lane_words(g);
  lane_loop l = {.g = g, .places = places, .words = words};
  l.types = PA_NEW_ARRAY(lower->arena, MlirType, words);
  l.starts = PA_NEW_ARRAY(lower->arena, MlirValue, g->fold.input_count + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, words * g->group);
  l.first = multiply(lower, part, g->share);
  MlirValue end = op2(lower, "arith.minui", add(lower, l.first, g->share), pa_fold_total(lower, &g->fold, true));
  MlirValue count = op2(lower, "arith.maxsi", op2(lower, "arith.subi", end, l.first), constant(lower, 0));
  MlirValue whole = op2(lower, "arith.divui", count, constant(lower, g->group));
  pa_lane_starts(lower, g, values);
  for (int i = 0; i < words; ++i) l.types[i] = pa_type_or_none(lower, values[i]);
  for (int i = words; i < words * g->group; ++i) values[i] = values[i - words];
  if (g->by_vectors)
    fold_either(lower, &l, whole, values);
  else
    fold_whole(lower, &l, whole, values);
  fold_rest(lower, &l, whole, count, values);
  for (int i = 0; i < words; ++i) out[i] = values[i];
}
