// Of pyarray-lower: the scf.parallel that folds are made of, rows of points and parts for threads.
#include <string.h>

#include "lower_fold.h"

static MlirAttribute parallel_segments(pa_lowering *lower, int count) {
  int32_t segments[] = {count, count, count, 0};
  return mlirDenseI32ArrayGet(lower->context, 4, segments);
}

pa_scope pa_parallel_begin(pa_lowering *lower, MlirValue *out_index) {
  pa_scope scope = pa_open(lower, &lower->index, 1);
  *out_index = mlirBlockGetArgument(scope.block, 0);
  return scope;
}

void pa_parallel_end(pa_lowering *lower, pa_scope scope, MlirValue low, MlirValue high, const char *marker) {
  MlirRegion region = pa_close(lower, scope, "scf.reduce", NULL, 0);
  pa_op(
      &lower->builder, PA_OP_NAME(SCF_PARALLEL), PA_OPERANDS(low, high, pa_int(lower, lower->index, 1)),
      PA_REGIONS(region),
      PA_ATTRS({"operandSegmentSizes", parallel_segments(lower, 1)},
               {marker ? marker : "pyarray.strided", marker ? pa_unit_attr(lower->context) : mlirAttributeGetNull()}));
}

pa_scope pa_grid_begin(pa_lowering *lower, int count) {
  MlirType types[PA_MAX_RANK];
  for (int i = 0; i < count; ++i) types[i] = lower->index;
  return pa_open(lower, types, count);
}

void pa_grid_end(pa_lowering *lower, pa_scope scope, const MlirValue *extents, int count, const char *marker,
                 MlirAttribute grain) {
  MlirValue operands[3 * PA_MAX_RANK];
  for (int i = 0; i < count; ++i) {
    operands[i] = pa_int(lower, lower->index, 0);
    operands[count + i] = extents[i];
    operands[2 * count + i] = pa_int(lower, lower->index, 1);
  }
  MlirRegion region = pa_close(lower, scope, "scf.reduce", NULL, 0);
  pa_way_out way = marker && strcmp(marker, "pyarray.threads") == 0 ? pa_leave(lower) : (pa_way_out){{NULL}, {NULL}};
  pa_op(
      &lower->builder, PA_OP_NAME(SCF_PARALLEL), PA_OPERAND_ARRAY(operands, 3 * count), PA_REGIONS(region),
      PA_ATTRS({"pyarray.try", way.try}, {"pyarray.handlers", way.handlers}, {"pyarray.grain", grain},
               {"operandSegmentSizes", parallel_segments(lower, count)},
               {marker ? marker : "pyarray.threads", marker ? pa_unit_attr(lower->context) : mlirAttributeGetNull()}));
}
