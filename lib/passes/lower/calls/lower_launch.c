// Of pyarray-lower: pyarray.launch.
//
//   pyarray.launch @f$0.kernel3(%a, %s, %o) outputs 2 points 2 : ...
// becomes
//   %g = call @pyarray_rt_device_grid(%kernels, %c3, points of %o, 0)    threads of a block, then blocks: 32 bits each
//   gpu.launch_func @kernels::@f$0.kernel3 blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
//     args(%a : memref<?xf64, ...>, %s : f64, %o : memref<?xf64, ...>)
//   raises what the device has failed with
// |%kernels| is a word of the module, which holds the address of a table of kernels once it is loaded.
#include "lower_arrays.h"
#include "lower_calls.h"
#include "lower_containers.h"
#include "lower_items.h"
#include "runtime/cuda/device_arrays.h"

// The kernel's number ends its name.
static int64_t number_of(MlirStringRef name) {
  size_t start = name.length;
  while (start > 0 && name.data[start - 1] >= '0' && name.data[start - 1] <= '9') --start;
  int64_t number = 0;
  for (; start < name.length; ++start) number = 10 * number + (name.data[start] - '0');
  return number;
}

static MlirValue points_of(pa_lowering *lower, MlirOperation op) {
  int64_t place = mlirIntegerAttrGetValueInt(pa_get_attr(op, "points"));
  pa_array array = pa_array_of(lower, pa_operand(op, place));
  MlirValue points = pa_int(lower, lower->i64, 1);
  for (int axis = 0; axis < array.rank; ++axis)
    points = pa_binary(lower, "arith.muli", points, pa_extent(lower, &array, axis));
  return points;
}

// Without the owners of arrays, which stay the host's.
static int kernel_operands(pa_lowering *lower, MlirOperation op, MlirValue *out) {
  int count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = pa_operand(op, i);
    out[count++] = pyarrayTypeIsArray(mlirValueGetType(value)) ? pa_array_of(lower, value).memref
                                                               : pa_get1(lower, value);
  }
  return count;
}

void pa_lower_launch(pa_lowering *lower, MlirOperation op) {
  enum { SIZES = 6 };
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "kernel"));
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, SIZES + mlirOperationGetNumOperands(op));
  MlirValue table = pa_load_word(lower, pa_pointer_to(lower, pa_module_word(lower, PA_KERNELS_SYMBOL)), 0, lower->i64);
  bool fold = !mlirAttributeIsNull(pa_get_attr(op, "fold"));
  MlirValue grid = pa_runtime(lower, "pyarray_rt_device_grid", table, pa_int(lower, lower->i64, number_of(name)),
                              points_of(lower, op), pa_int(lower, lower->i32, fold));
  MlirValue one = pa_int(lower, lower->index, 1);
  for (int i = 0; i < SIZES; ++i) operands[i] = one;
  operands[0] = pa_to_index(lower, pa_binary(lower, "arith.andi", grid, pa_int(lower, lower->i64, UINT32_MAX)));
  operands[3] = pa_to_index(lower, pa_binary(lower, "arith.shrui", grid, pa_int(lower, lower->i64, 32)));
  int count = kernel_operands(lower, op, operands + SIZES);
  MlirAttribute own = mlirFlatSymbolRefAttrGet(lower->context, name);
  MlirAttribute kernel = mlirSymbolRefAttrGet(lower->context, pa_ref("kernels"), 1, &own);
  // Asynchronous dependencies; sizes of the grid, of a block, of a cluster; shared memory; operands; asynchronous object.
  int32_t segments[] = {0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, count, 0};
  pa_op(&lower->builder, PA_OP_NAME(GPU_LAUNCH), PA_OPERAND_ARRAY(operands, SIZES + count),
        PA_ATTRS({"kernel", kernel},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, PA_COUNT(segments), segments)}));
  pa_raise_device_failure(lower);
}
