// Of pyarray-lower: shared memory of another block of the cluster.
//
//   %b = pyarray.builtin "cuda.cg._map_shared"(%a, %rank, %own, %ranks) : (!pyarray.array<?xf32, C>, ...)
// becomes
//   %there = call @pyarray_dev_map_shared(%address, %rank, %own, %stride) : (i64, i32, i32, i64) -> i64
// and the descriptor of %a with that address in place of its own.
#include "lower_arrays.h"
#include "lower_calls.h"
#include "lower_numbers.h"

static MlirValue insert(pa_lowering *lower, MlirValue descriptor, MlirValue value, int64_t position) {
  return pa_value(&lower->builder, "llvm.insertvalue", PA_OPERANDS(descriptor, value),
                  PA_RESULTS(pa_type_or_none(lower, descriptor)),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(lower->context, 1, &position)}));
}

// The array with the address that it has in the shared memory of block |rank| of the cluster.
void pa_lower_map_shared(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array = pa_array_of(lower, pa_operand(call->op, 0));
  MlirValue rank = pa_argument(lower, call, 1), own = pa_argument(lower, call, 2);
  if (lower->boundscheck) {
    MlirValue ranks = pa_argument(lower, call, 3), outside = pa_compare_int(lower, PA_UGE, rank, ranks);
    pa_raise_values_if(lower, outside, "IndexError", "rank {0} is not that of one of the {1} blocks of the cluster",
                       pa_cast_scalar(lower, rank, PA_I32, PA_I64), pa_cast_scalar(lower, ranks, PA_I32, PA_I64),
                       pa_int(lower, lower->i64, 0));
  }
  MlirValue stride = pa_call_runtime(lower, "pyarray_dev_cluster_shared_stride", NULL, 0);
  MlirType pointer = mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  MlirValue descriptor = pa_memref_descriptor(lower, &array),
            start = pa_memref_field(lower, descriptor, pointer, 1, -1);
  MlirValue operands[] = {pa_convert(lower, "llvm.ptrtoint", start, lower->i64), rank, own, stride};
  MlirValue there =
      pa_convert(lower, "llvm.inttoptr", pa_call_runtime(lower, "pyarray_dev_map_shared", operands, 4), pointer);
  descriptor = insert(lower, insert(lower, descriptor, there, 0), there, 1);
  MlirValue values[] = {
      pa_convert(lower, "builtin.unrealized_conversion_cast", descriptor, pa_type_or_none(lower, array.memref)),
      array.owner};
  pa_set(lower, pa_result(call->op), values, 2);
}
