// Of pyarray-lower: a row of an elementwise ufunc whose points are cheap, for operands of any stride.
//
//   scf.for %j = %low to %high step %c1 iter_args(%p = %p0, %q = %q0) {
//     %x = memref.load %a[%p]
//     ...
//     memref.store %s, %o[%q]
//     scf.yield %p + %stride_a, %q + %stride_o
//   }
// Positions are carried along, for LLVM's strength reduction is not run; vector loads from strided memory would be
// slower.
#include "lower_ufunc.h"

typedef struct walk {
  pa_array row; // as if contiguous
  MlirValue stride;
  int position; // number among the carried values, or -1: a number
} walk;

static int open_walks(pa_lowering *lower, const pa_ufunc *u, walk *walks, int count, MlirValue low,
                      MlirValue *out_starts) {
  int carried = 0;
  for (int i = 0; i < count; ++i) {
    walks[i].position = -1;
    if (pa_is_number(&u->operands[i])) continue;
    walks[i].row = pa_ufunc_row(lower, u, &u->operands[i].array);
    walks[i].stride = pa_stride_of(lower, &walks[i].row, 0);
    walks[i].row.memref = pa_with_unit_stride(lower, &walks[i].row, 0);
    out_starts[carried] = pa_binary(lower, "arith.muli", low, walks[i].stride);
    walks[i].position = carried++;
  }
  return carried;
}

static void lower_point(pa_lowering *lower, const pa_ufunc *u, const walk *walks, const MlirValue *positions) {
  for (int i = 0; i < u->input_count; ++i) {
    bool number = walks[i].position < 0;
    pa_set1(lower, mlirBlockGetArgument(u->body, i),
            number ? u->operands[i].number : pa_load(lower, &walks[i].row, &positions[walks[i].position]));
  }
  pa_lower_block(lower, u->body);
  MlirOperation yield = mlirBlockGetTerminator(u->body);
  for (int i = 0; i < u->output_count; ++i) {
    const walk *output = &walks[u->input_count + i];
    pa_store(lower, &output->row, &positions[output->position], pa_get1(lower, pa_operand(yield, i)));
  }
}

void pa_lower_strided_row(pa_lowering *lower, pa_ufunc *u, MlirValue low, MlirValue high) {
  int count = u->input_count + u->output_count;
  walk *walks = PA_NEW_ARRAY(lower->arena, walk, count);
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, count + 3),
            *positions = PA_NEW_ARRAY(lower->arena, MlirValue, count);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, count + 1);
  int carried = open_walks(lower, u, walks, count, low, operands + 3);
  for (int i = 0; i <= carried; ++i) types[i] = lower->index;
  pa_scope scope = pa_open(lower, types, carried + 1);
  for (int i = 0; i < carried; ++i) positions[i] = mlirBlockGetArgument(scope.block, i + 1);
  lower_point(lower, u, walks, positions);
  for (int i = 0; i < count; ++i)
    if (walks[i].position >= 0)
      positions[walks[i].position] = pa_binary(lower, "arith.addi", positions[walks[i].position], walks[i].stride);
  MlirRegion region = pa_close(lower, scope, "scf.yield", positions, carried);
  operands[0] = low, operands[1] = high, operands[2] = pa_int(lower, lower->index, 1);
  MlirAttribute annotation = mlirAttributeParseGet(
      lower->context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <count = 4 : i32>>"));
  pa_op(&lower->builder, "scf.for", PA_OPERAND_ARRAY(operands, carried + 3), PA_RESULT_ARRAY(types, carried),
        PA_REGIONS(region), PA_ATTRS({"loop_annotation", annotation}));
}
