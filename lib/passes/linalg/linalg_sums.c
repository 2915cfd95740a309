// Of pyarray-lower-linalg: a sum of at most 128 floats as NumPy adds them up, eight sums side by side.
//
//   linalg.generic {iterator_types = ["reduction"], pyarray.order = "pairwise"} ins(%a, %b) outs(%s) {
//   ^bb0(%x: f64, %y: f64, %sum: f64): %p = mulf %x, %y; %q = addf %sum, %p; linalg.yield %q }
// becomes
//   %eight = scf.for %i = %c0 to %whole step %c8 iter_args(%sums = dense<-0.0>) {
//     %x = llvm.load ... : vector<8xf64>
//     %p = arith.mulf %x, %y : vector<8xf64>
//     scf.yield (arith.addf %sums, %p)
//   }
//   (the eight are added up in pairs)
//   scf.for %i = %whole to %n iter_args(%sum) { ... }          what is left, in order
//
// LLVM would choose another order. Operands with gaps are copied to buffers first, as those of other rows are.
#include <string.h>

#include "linalg_internal.h"
#include "support/map.h"

enum { SUMS = 8, BLOCK = 128, FIRST_SLOT = 1000 }; // slots of buffers, behind those of packed rows

typedef struct summing {
  pa_linalg *l;
  const pa_generic *g;
  MlirValue *sources;     // addresses (i64) of contiguous elements, or numbers
  MlirValue *memrefs;     // the same elements, for one at a time
  MlirValue count, whole; // of all elements; of those in groups of eight
} summing;

static bool is_text(MlirAttribute attribute, const char *text) {
  return !mlirAttributeIsNull(attribute) && pa_ref_equal(mlirStringAttrGetValue(attribute), text);
}

static bool is_scalar(MlirType type) { return mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type); }

static bool is_row(MlirType type) {
  return mlirTypeIsAMemRef(type) && mlirShapedTypeGetRank(type) == 1 && is_scalar(mlirShapedTypeGetElementType(type));
}

// Every operation makes one number, or one index.
static bool computes_numbers(MlirBlock body) {
  MlirOperation yield = mlirBlockGetTerminator(body);
  PA_FOR_EACH_OP(op, body) {
    if (mlirOperationEqual(op, yield)) continue;
    if (mlirOperationGetNumRegions(op) || mlirOperationGetNumResults(op) != 1) return false;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    if (!is_scalar(type) && !mlirTypeIsAIndex(type)) return false;
  }
  return true;
}

bool pa_is_sum(const pa_generic *g) {
  bool rows = false;
  if (!is_text(pa_get_attr(g->op, "pyarray.order"), "pairwise") || g->rank != 1 || g->count != g->inputs + 1)
    return false;
  for (int i = 0; i < g->count; ++i) {
    MlirType type = mlirValueGetType(g->operands[i]);
    if (g->numbers[i] ? !is_scalar(type) : !is_row(type)) return false;
    rows = rows || (!g->numbers[i] && i < g->inputs);
  }
  return rows && !g->numbers[g->inputs] && computes_numbers(g->body);
}

static int64_t bytes_of(MlirType type) {
  return (int64_t)(mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : mlirFloatTypeGetWidth(type)) / 8;
}

static MlirType eight_of(MlirType type) {
  int64_t lanes = SUMS;
  return mlirVectorTypeGet(1, &lanes, type);
}

static MlirValue i64_constant(pa_linalg *l, int64_t value) { return pa_constant_int(&l->at, l->i64, value); }

//===-- Operands ----------------------------------------------------------------------------------===//

static MlirValue pack(summing *s, const pa_row *row, MlirValue address, int slot) {
  pa_linalg *l = s->l;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(row->unit));
  int64_t bytes = bytes_of(element);
  MlirValue step = pa_loop_binary(l, "arith.muli", pa_loop_cast(l, row->stride, l->i64), i64_constant(l, bytes)),
            buffer = pa_loop_address(l, pa_loop_buffer(l, element, FIRST_SLOT + slot, BLOCK), bytes);
  MlirValue arguments[] = {
      pa_loop_cast(l, s->count, l->i64), i64_constant(l, bytes), buffer, address, step, i64_constant(l, 0)};
  return pa_loop_call(l, "pyarray_rt_pack", l->i64, arguments, 6);
}

// Where the elements lie, or have been copied to. What is contiguous is not worth a call.
static MlirValue source_of(summing *s, int number) {
  pa_linalg *l = s->l;
  pa_row row = pa_generic_row(l, s->g, number);
  if (pa_failed(&l->at)) return (MlirValue){NULL};
  int64_t bytes = bytes_of(mlirShapedTypeGetElementType(mlirValueGetType(row.unit)));
  MlirValue address = pa_loop_address(l, row.unit, bytes);
  if (row.contiguous || pa_failed(&l->at)) return address;
  MlirValue unit = pa_loop_compare(l, PA_EQUAL, row.stride, pa_loop_int(l, 1));
  pa_inside inside = pa_inside_open(l, NULL, 0);
  MlirRegion then = pa_inside_close(l, inside, PA_OP_NAME(SCF_YIELD), &address, 1);
  inside = pa_inside_open(l, NULL, 0);
  MlirValue packed = pack(s, &row, address, number);
  MlirRegion otherwise = pa_inside_close(l, inside, PA_OP_NAME(SCF_YIELD), &packed, 1);
  return pa_value(&l->at, PA_OP_NAME(SCF_IF), PA_OPERANDS(unit), PA_RESULTS(l->i64), PA_REGIONS(then, otherwise));
}

static void open_operands(summing *s) {
  pa_linalg *l = s->l;
  const pa_generic *g = s->g;
  s->sources = PA_NEW_ARRAY(l->arena, MlirValue, g->inputs + 1);
  s->memrefs = PA_NEW_ARRAY(l->arena, MlirValue, g->inputs + 1);
  int array = 0;
  while (array < g->inputs - 1 && g->numbers[array]) ++array;
  s->count = pa_loop_extent(l, g->operands[array], 0);
  MlirValue lanes = pa_loop_int(l, SUMS);
  s->whole = pa_loop_binary(l, "arith.muli", pa_loop_binary(l, "arith.divui", s->count, lanes), lanes);
  for (int i = 0; i < g->inputs && !pa_failed(&l->at); ++i) {
    s->sources[i] = g->numbers[i] ? g->operands[i] : source_of(s, i);
    if (!g->numbers[i]) s->memrefs[i] = pa_loop_memref_at(l, s->sources[i], g->operands[i]);
  }
}

//===-- Eight at a time ---------------------------------------------------------------------------===//

// LLVM's vectors have no elements of type index.
static MlirValue as_number(pa_linalg *l, MlirValue value) {
  return mlirTypeIsAIndex(mlirValueGetType(value)) ? pa_loop_cast(l, value, l->i64) : value;
}

// |value| in each lane.
static MlirValue spread(pa_linalg *l, MlirValue value) {
  int32_t zeros[SUMS] = {0};
  if (pa_failed(&l->at)) return value;
  MlirType own = mlirValueGetType(value), type;
  value = as_number(l, value);
  type = eight_of(mlirValueGetType(value));
  MlirValue none = pa_value(&l->at, "llvm.mlir.poison", PA_RESULTS(type));
  MlirValue first =
      pa_value(&l->at, "llvm.insertelement", PA_OPERANDS(none, value, i64_constant(l, 0)), PA_RESULTS(type));
  MlirValue all = pa_value(&l->at, "llvm.shufflevector", PA_OPERANDS(first, first), PA_RESULTS(type),
                           PA_ATTRS({"mask", mlirDenseI32ArrayGet(l->at.context, SUMS, zeros)}));
  return mlirTypeIsAIndex(own) ? pa_loop_cast(l, all, eight_of(own)) : all;
}

static MlirValue lane(pa_linalg *l, MlirValue vector, int number) {
  if (pa_failed(&l->at)) return vector;
  MlirType own = mlirShapedTypeGetElementType(mlirValueGetType(vector));
  bool is_index = mlirTypeIsAIndex(own);
  if (is_index) vector = pa_loop_cast(l, vector, eight_of(l->i64));
  MlirValue one = pa_value(&l->at, "llvm.extractelement", PA_OPERANDS(vector, i64_constant(l, number)),
                           PA_RESULTS(is_index ? l->i64 : own));
  return is_index ? pa_loop_cast(l, one, own) : one;
}

// The vector of these lanes.
static MlirValue join(pa_linalg *l, const MlirValue *lanes) {
  if (pa_failed(&l->at)) return lanes[0];
  MlirType own = mlirValueGetType(lanes[0]), type = eight_of(mlirTypeIsAIndex(own) ? l->i64 : own);
  MlirValue all = pa_value(&l->at, "llvm.mlir.poison", PA_RESULTS(type));
  for (int k = 0; k < SUMS && !pa_failed(&l->at); ++k)
    all = pa_value(&l->at, "llvm.insertelement", PA_OPERANDS(all, as_number(l, lanes[k]), i64_constant(l, k)),
                   PA_RESULTS(type));
  return mlirTypeIsAIndex(own) ? pa_loop_cast(l, all, eight_of(own)) : all;
}

static MlirValue load_eight(summing *s, int number, MlirValue index) {
  pa_linalg *l = s->l;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(s->g->operands[number])),
           pointer = mlirTypeParseGet(l->at.context, pa_ref("!llvm.ptr"));
  int64_t bytes = bytes_of(element);
  MlirValue offset = pa_loop_binary(l, "arith.muli", pa_loop_cast(l, index, l->i64), i64_constant(l, bytes)),
            address = pa_loop_binary(l, "arith.addi", s->sources[number], offset);
  return pa_value(&l->at, "llvm.load",
                  PA_OPERANDS(pa_value(&l->at, "llvm.inttoptr", PA_OPERANDS(address), PA_RESULTS(pointer))),
                  PA_RESULTS(eight_of(element)), PA_ATTRS({"alignment", pa_i64_attr(l->at.context, bytes)}));
}

// What the values of the body are.
typedef struct lanes {
  pa_linalg *l;
  pa_map vectors; // of those that differ from lane to lane
  pa_map same;    // of those that do not: they are computed once
  pa_map spreads; // vectors of the latter
} lanes;

static void put(lanes *v, pa_map *map, MlirValue value, MlirValue made) {
  pa_map_put(v->l->arena, map, value.ptr, (void *)(intptr_t)made.ptr);
}

static bool differs(const lanes *v, MlirValue value) { return pa_map_get(&v->vectors, value.ptr); }

// Of a value that does not differ; what is computed outside is itself.
static MlirValue same_of(const lanes *v, MlirValue value) {
  MlirValue made = {pa_map_get(&v->same, value.ptr)};
  return mlirValueIsNull(made) ? value : made;
}

static MlirValue vector_of(lanes *v, MlirValue value) {
  MlirValue known = {pa_map_get(differs(v, value) ? &v->vectors : &v->spreads, value.ptr)};
  if (mlirValueIsNull(known)) put(v, &v->spreads, value, known = spread(v->l, same_of(v, value)));
  return known;
}

static MlirOperation insert_copy(pa_linalg *l, MlirOperation op, const MlirValue *operands) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) mlirOperationSetOperand(copy, i, operands[i]);
  if (mlirOperationIsNull(l->at.before))
    mlirBlockAppendOwnedOperation(l->at.block, copy);
  else
    mlirBlockInsertOwnedOperationBefore(l->at.block, l->at.before, copy);
  return copy;
}

// Operations of arith and math take vectors as they take numbers.
static bool takes_vectors(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return (name.length > 6 && memcmp(name.data, "arith.", 6) == 0) ||
         (name.length > 5 && memcmp(name.data, "math.", 5) == 0);
}

static void compute(lanes *v, MlirOperation op) {
  pa_linalg *l = v->l;
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = PA_NEW_ARRAY(l->arena, MlirValue, count + 1), each[SUMS],
            result = mlirOperationGetResult(op, 0);
  bool varies = false;
  for (intptr_t i = 0; i < count; ++i) varies = varies || differs(v, mlirOperationGetOperand(op, i));
  bool whole = varies && takes_vectors(op);
  for (int k = 0; k < (varies && !whole ? SUMS : 1) && !pa_failed(&l->at); ++k) {
    for (intptr_t i = 0; i < count; ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      operands[i] = whole                 ? vector_of(v, operand)
                    : differs(v, operand) ? lane(l, vector_of(v, operand), k)
                                          : same_of(v, operand);
    }
    if (pa_failed(&l->at)) return;
    each[k] = mlirOperationGetResult(insert_copy(l, op, operands), 0);
  }
  if (whole) mlirValueSetType(each[0], eight_of(mlirValueGetType(result)));
  put(v, varies ? &v->vectors : &v->same, result, varies && !whole ? join(l, each) : each[0]);
}

static MlirValue fold_eight(summing *s, MlirValue index, MlirValue sums) {
  lanes v = {.l = s->l};
  MlirBlock body = s->g->body;
  for (int i = 0; i < s->g->inputs && !pa_failed(&s->l->at); ++i) {
    MlirValue point = mlirBlockGetArgument(body, i);
    if (s->g->numbers[i])
      put(&v, &v.same, point, s->sources[i]);
    else
      put(&v, &v.vectors, point, load_eight(s, i, index));
  }
  put(&v, &v.vectors, mlirBlockGetArgument(body, s->g->inputs), sums);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, yield) && !pa_failed(&s->l->at);
       op = mlirOperationGetNextInBlock(op))
    compute(&v, op);
  return vector_of(&v, mlirOperationGetOperand(yield, 0));
}

//===-- Sums --------------------------------------------------------------------------------------===//

// -0.0, which changes nothing.
static MlirValue nothing(pa_linalg *l, MlirType element) {
  return pa_value(&l->at, "arith.constant", PA_RESULTS(element),
                  PA_ATTRS({"value", mlirFloatAttrDoubleGet(l->at.context, element, -0.0)}));
}

static MlirValue loop(summing *s, MlirValue low, MlirValue high, int step, MlirValue start,
                      MlirValue (*fold)(summing *s, MlirValue index, MlirValue before)) {
  pa_linalg *l = s->l;
  if (pa_failed(&l->at)) return start;
  MlirType types[] = {l->index, mlirValueGetType(start)};
  MlirValue by = pa_loop_int(l, step);
  pa_inside inside = pa_inside_open(l, types, 2);
  MlirValue after = fold(s, mlirBlockGetArgument(inside.block, 0), mlirBlockGetArgument(inside.block, 1));
  MlirRegion region = pa_inside_close(l, inside, PA_OP_NAME(SCF_YIELD), &after, 1);
  MlirAttribute annotation = mlirAttributeParseGet(
      l->at.context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"));
  return pa_value(&l->at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(low, high, by, start), PA_RESULTS(types[1]),
                  PA_REGIONS(region), PA_ATTRS({"loop_annotation", annotation}));
}

static MlirValue fold_one(summing *s, MlirValue index, MlirValue sum) {
  pa_linalg *l = s->l;
  const pa_generic *g = s->g;
  MlirValue *points = PA_NEW_ARRAY(l->arena, MlirValue, g->count), result = sum;
  for (int i = 0; i < g->inputs; ++i)
    points[i] = g->numbers[i] ? g->operands[i] : pa_loop_load(l, s->memrefs[i], &index, 1);
  if (pa_failed(&l->at)) return sum;
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(g->body, g->inputs), sum);
  pa_generic_point(l, g, points, &result);
  return result;
}

static MlirValue add_pairs(pa_linalg *l, MlirValue vector) {
  MlirValue sums[SUMS];
  for (int k = 0; k < SUMS; ++k) sums[k] = lane(l, vector, k);
  for (int count = SUMS / 2; count > 0; count /= 2)
    for (int k = 0; k < count; ++k) sums[k] = pa_loop_binary(l, "arith.addf", sums[2 * k], sums[2 * k + 1]);
  return sums[0];
}

void pa_lower_sum(pa_linalg *l, pa_generic *g) {
  summing s = {.l = l, .g = g};
  MlirValue zero = pa_loop_int(l, 0), output = g->operands[g->inputs];
  open_operands(&s);
  if (pa_failed(&l->at)) return;
  MlirValue start = spread(l, nothing(l, mlirShapedTypeGetElementType(mlirValueGetType(output))));
  MlirValue sum = add_pairs(l, loop(&s, zero, s.whole, SUMS, start, fold_eight));
  sum = loop(&s, s.whole, s.count, 1, sum, fold_one);
  sum = pa_loop_binary(l, "arith.addf", pa_loop_load(l, output, &zero, 1), sum);
  pa_loop_store(l, sum, output, &zero, 1);
}
