// Of pyarray-lower-linalg: an elementwise operation over several dimensions, of which all that is compiled is a loop
// over contiguous points. The runtime goes over rows and blocks, and copies inputs that are stretched.
//
//   %first = call @pyarray_rt_open_blocks(%rank, %inputs, %count, %most, %buffer, %numbers)
//   scf.while (%points = %first) { %more = %points > 0    scf.condition(%more) %points } do {
//     %a = memref at %numbers[9]
//     scf.parallel (%i) = (%c0) to (%points) { ... %a[%i] ... }
//     %next = call @pyarray_rt_next_block(%numbers)
//     scf.yield %next
//   }
// A nest of loops over the dimensions would cost two milliseconds of compilation for each of them.
#include "linalg_internal.h"

enum { PA_HEADER = 9 }; // numbers of the runtime's own: lib/runtime/numbers/blocks.c

typedef struct blocks {
  pa_linalg *l;
  pa_generic *g;
  int arrays, inputs; // operands that are arrays; of these inputs
  int64_t points;     // of a block
  MlirValue numbers;
  int64_t at; // where the next one goes
} blocks;

bool pa_takes_blocks(const pa_linalg *l, const pa_generic *g) {
  bool direct = true;
  if (!g->unit_strides || g->rank < 2 || pa_is_device_function(l->function)) return false;
  for (int i = 0; i < g->inputs; ++i) {
    if (g->numbers[i]) continue;
    if (g->columns[i]) return false; // read once for each row
    direct = direct && pa_is_contiguous(mlirValueGetType(g->operands[i]));
  }
  for (int i = g->inputs; i < g->count; ++i) // else the dimensions have been ordered before
    if (!pa_is_contiguous(mlirValueGetType(g->operands[i]))) return false;
  return !direct;
}

//===-- What the runtime is told ------------------------------------------------------------------===//

static void put(blocks *b, MlirValue value) {
  MlirValue at = pa_loop_int(b->l, b->at++);
  pa_loop_store(b->l, value, b->numbers, &at, 1);
}

static int64_t item_bytes(const blocks *b, int operand) {
  return pa_bytes_of(mlirShapedTypeGetElementType(mlirValueGetType(b->g->operands[operand])));
}

// Stack memory is shared by operations that need as much.
static MlirValue stack(pa_linalg *l, MlirType element, int64_t count) {
  int64_t room = 16;
  while (room < count) room *= 2;
  return pa_loop_buffer(l, element, (int)-room, room); // other slots are not negative
}

static void put_arrays(blocks *b) {
  pa_linalg *l = b->l;
  const pa_generic *g = b->g;
  for (int i = 0; i < g->count; ++i)
    if (!g->numbers[i]) put(b, pa_constant_int(&l->at, l->i64, item_bytes(b, i)));
  for (int d = 0; d < g->rank; ++d) put(b, pa_loop_cast(l, g->extents[d], l->i64));
  for (int i = 0; i < g->count && !pa_failed(&l->at); ++i) {
    MlirValue strides[PA_MAX_LOOPS];
    if (g->numbers[i]) continue;
    put(b, pa_loop_address(l, g->operands[i], item_bytes(b, i)));
    pa_loop_strides(l, g->operands[i], strides);
    for (int d = 0; d < g->rank; ++d) put(b, pa_loop_cast(l, strides[d], l->i64));
  }
}

static MlirValue open(blocks *b) {
  pa_linalg *l = b->l;
  const pa_generic *g = b->g;
  int64_t bytes = 0;
  for (int i = 0; i < g->inputs; ++i)
    if (!g->numbers[i]) bytes += b->points * item_bytes(b, i);
  b->numbers = stack(l, l->i64, PA_HEADER + b->arrays * (4 + g->rank) + 2 * g->rank);
  b->at = PA_HEADER + 2 * b->arrays + g->rank;
  put_arrays(b);
  MlirValue arguments[] = {pa_constant_int(&l->at, l->i64, g->rank),
                           pa_constant_int(&l->at, l->i64, b->inputs),
                           pa_constant_int(&l->at, l->i64, b->arrays),
                           pa_constant_int(&l->at, l->i64, b->points),
                           pa_loop_address(l, stack(l, mlirIntegerTypeGet(l->at.context, 8), bytes), 1),
                           pa_loop_address(l, b->numbers, 8)};
  return pa_loop_call(l, "pyarray_rt_open_blocks", l->i64, arguments, 6);
}

//===-- A block -----------------------------------------------------------------------------------===//

static void lower_points(blocks *b, MlirValue count) {
  pa_linalg *l = b->l;
  pa_generic *g = b->g;
  MlirValue index, *points = PA_NEW_ARRAY(l->arena, MlirValue, g->count),
                   *sources = PA_NEW_ARRAY(l->arena, MlirValue, g->count);
  for (int i = 0, array = 0; i < g->count; ++i) {
    if (g->numbers[i]) continue;
    MlirValue at = pa_loop_int(l, PA_HEADER + array++);
    sources[i] = pa_loop_memref_at(l, pa_loop_load(l, b->numbers, &at, 1), g->operands[i]);
  }
  count = pa_loop_cast(l, count, l->index);
  pa_inside loop = pa_points_open(l, &index);
  for (int i = 0; i < g->inputs; ++i)
    points[i] = g->numbers[i] ? g->operands[i] : pa_loop_load(l, sources[i], &index, 1);
  pa_generic_point(l, g, points, points + g->inputs);
  for (int i = g->inputs; i < g->count; ++i) pa_loop_store(l, points[i], sources[i], &index, 1);
  pa_points_close(l, loop, pa_loop_int(l, 0), count, false);
}

void pa_lower_blocks(pa_linalg *l, pa_generic *g) {
  blocks b = {.l = l, .g = g};
  for (int i = 0; i < g->count; ++i) {
    b.arrays += !g->numbers[i];
    b.inputs += !g->numbers[i] && i < g->inputs;
  }
  b.points = pa_block_points(b.inputs);
  MlirValue first = open(&b);
  if (pa_failed(&l->at)) return;
  pa_inside test = pa_inside_open(l, &l->i64, 1);
  MlirValue points = mlirBlockGetArgument(test.block, 0),
            condition[] = {pa_loop_compare(l, PA_SIGNED_GREATER, points, pa_constant_int(&l->at, l->i64, 0)), points};
  MlirRegion before = pa_inside_close(l, test, PA_OP_NAME(SCF_CONDITION), condition, 2);
  pa_inside body = pa_inside_open(l, &l->i64, 1);
  lower_points(&b, mlirBlockGetArgument(body.block, 0));
  MlirValue numbers = pa_loop_address(l, b.numbers, 8),
            next = pa_loop_call(l, "pyarray_rt_next_block", l->i64, &numbers, 1);
  MlirRegion after = pa_inside_close(l, body, PA_OP_NAME(SCF_YIELD), &next, 1);
  pa_op(&l->at, PA_OP_NAME(SCF_WHILE), PA_OPERANDS(first), PA_RESULTS(l->i64), PA_REGIONS(before, after));
}
