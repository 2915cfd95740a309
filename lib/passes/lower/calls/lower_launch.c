// Of pyarray-lower: pyarray.launch.
//
//   pyarray.launch @f$0.kernel3(%a, %s, %o) outputs 2 points 2 : ...
// becomes
//   func.call @f$0.kernel3(%a, %c0, %s, %o, %c0) {pyarray.points = 3 : i64, pyarray.outputs = 3 : i64}     memrefs with
//   the owner 0 raises what the device has failed with
// pyarray.points is the number of the memref whose points the grid is for, pyarray.outputs that of the first that is
// written; with pyarray.fold each takes a team of
// threads, and with pyarray.rows = 2 each place along its first two dimensions. pyarray-lower-launches makes a launch
// of the call. With pyarray.sized the first two operands are blocks and threads.
#include "lower_arrays.h"
#include "lower_calls.h"
#include "lower_containers.h"
#include "runtime/cuda/device_arrays.h"

void pa_lower_launch(pa_lowering *lower, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op), all = 0, points = 0, outputs = 0;
  int64_t place = mlirIntegerAttrGetValueInt(pa_get_attr(op, "points")),
          first = mlirIntegerAttrGetValueInt(pa_get_attr(op, "outputs"));
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, 2 * count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = pa_operand(op, i);
    if (i == place) points = all;
    if (i == first) outputs = all;
    bool array = pyarrayTypeIsArray(mlirValueGetType(value));
    operands[all++] = array ? pa_array_of(lower, value).memref : pa_get1(lower, value);
    if (array) operands[all++] = pa_int(lower, lower->i64, 0);
  }
  pa_module_word(lower, PA_KERNELS_SYMBOL);
  pa_op(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(operands, all), PA_RESULTS(lower->i32),
        PA_ATTRS({"callee", pa_get_attr(op, "kernel")}, {"pyarray.points", pa_i64_attr(lower->context, points)},
                 {"pyarray.outputs", pa_i64_attr(lower->context, outputs)}, {"pyarray.fold", pa_get_attr(op, "fold")},
                 {"pyarray.rows", pa_get_attr(op, "pyarray.rows")}, {"pyarray.sized", pa_get_attr(op, "sized")}));
  pa_raise_device_failure(lower);
}
