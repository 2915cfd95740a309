// Of pyarray-lower: sums of floats in NumPy's order, of elements that take as long to compute as to write down.
//
// The runtime says how long the next block of the pairwise sum is, one linalg.generic computes its elements and adds
// them up, the runtime adds the sums of blocks:
//
//   %n = call @pyarray_rt_sum_begin(%leaves, %count, %total)
//   scf.while (%at = %c0, %m = %n) { scf.condition(%m > 0) } do {
//     linalg.generic {iterator_types = ["reduction"], pyarray.order = "pairwise"} ins(%a[%at] for %m) outs(%sum) ...
//     %next = call @pyarray_rt_sum_block_f64(%leaves, %sum, %total)
//     scf.yield %at + %m, %next
//   }
// What is one block takes no call.
#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_numbers.h"

enum { PA_BLOCK = 128 };

typedef struct blocks {
  pa_fold *f;
  const pa_folded_row *r;
  pa_array sum;            // of a block
  MlirValue leaves, total; // addresses (i64)
  MlirValue begin, count;  // of all elements
  MlirValue single;        // whether they are one block (i1); null: the caller wants a sum in memory of its own
} blocks;

static MlirValue zero(pa_lowering *lower) { return pa_int(lower, lower->index, 0); }

// |then| of what is one block, else |otherwise|: how many elements are next (index type).
static MlirValue choose(pa_lowering *lower, blocks *b, MlirValue (*then)(pa_lowering *lower, blocks *b),
                        MlirValue (*otherwise)(pa_lowering *lower, blocks *b)) {
  if (mlirValueIsNull(b->single)) return otherwise(lower, b);
  pa_scope scope = pa_open(lower, NULL, 0);
  MlirValue next = then(lower, b);
  MlirRegion one = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), &next, 1);
  scope = pa_open(lower, NULL, 0);
  next = otherwise(lower, b);
  MlirRegion many = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), &next, 1);
  MlirOperation made = pa_emit_if(lower, b->single, one, many, &lower->index, 1);
  return mlirOperationIsNull(made) ? next : mlirOperationGetResult(made, 0);
}

static MlirValue all(pa_lowering *lower, blocks *b) {
  (void)lower;
  return b->count;
}

static MlirValue begin_many(pa_lowering *lower, blocks *b) {
  return pa_to_index(lower, pa_runtime(lower, "pyarray_rt_sum_begin", b->leaves, pa_to_i64(lower, b->count), b->total,
                                       pa_int(lower, lower->i64, pa_scalar_bytes(b->sum.element)),
                                       pa_int(lower, lower->i64, 1), pa_int(lower, lower->i64, PA_BLOCK)));
}

static MlirValue end_one(pa_lowering *lower, blocks *b) {
  MlirValue first = zero(lower);
  pa_store(lower, &b->f->results[0].total, &first, pa_load(lower, &b->sum, &first));
  return first;
}

static MlirValue end_block(pa_lowering *lower, blocks *b) {
  MlirValue first = zero(lower);
  const char *name = pa_arena_format(lower->arena, "pyarray_rt_sum_block_%s", pa_sum_suffix(b->sum.element));
  return pa_to_index(lower, pa_runtime(lower, name, b->leaves, pa_load(lower, &b->sum, &first), b->total));
}

static blocks open_blocks(pa_lowering *lower, pa_fold *f, const pa_folded_row *r, MlirValue begin, MlirValue end) {
  pa_fold_result *result = &f->results[0];
  blocks b = {.f = f, .r = r, .begin = begin, .count = pa_binary(lower, "arith.subi", end, begin), .total = r->total};
  MlirValue first = zero(lower);
  b.sum = pa_stack_buffer(lower, result->element, 1);
  b.leaves = pa_memref_address(lower, pa_stack_buffer(lower, PA_I64, PA_LEAVES).memref);
  if (!mlirValueIsNull(b.total)) return b;
  result->total = pa_stack_buffer(lower, result->element, 1);
  b.total = pa_memref_address(lower, result->total.memref);
  b.single = pa_compare_int(lower, PA_SLE, b.count, pa_int(lower, lower->index, PA_BLOCK));
  pa_store(lower, &result->total, &first, pa_fold_start(lower, result)); // there may be no element
  return b;
}

void pa_fold_blocks(pa_lowering *lower, pa_fold *f, const pa_folded_row *r, MlirValue begin, MlirValue end) {
  blocks b = open_blocks(lower, f, r, begin, end);
  MlirType types[] = {lower->index, lower->index}; // where the block begins; how many elements it has
  MlirValue starts[] = {begin, choose(lower, &b, all, begin_many)}, values[3], first = zero(lower);
  pa_scope scope = pa_open(lower, types, 2);
  values[0] = pa_compare_int(lower, PA_SGT, mlirBlockGetArgument(scope.block, 1), first);
  for (int i = 0; i < 2; ++i) values[1 + i] = mlirBlockGetArgument(scope.block, i);
  MlirRegion test = pa_close(lower, scope, PA_OP_NAME(SCF_CONDITION), values, 3);
  scope = pa_open(lower, types, 2);
  MlirValue at = mlirBlockGetArgument(scope.block, 0), count = mlirBlockGetArgument(scope.block, 1);
  pa_store(lower, &b.sum, &first, pa_fold_nothing(lower, &f->results[0]));
  pa_add_block(lower, f, pa_offsets_from(lower, f, r, at), count, &b.sum);
  values[0] = pa_binary(lower, "arith.addi", at, count);
  values[1] = choose(lower, &b, end_one, end_block);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, 2);
  pa_op(&lower->builder, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(starts, 2), PA_RESULT_ARRAY(types, 2),
        PA_REGIONS(test, body));
}
