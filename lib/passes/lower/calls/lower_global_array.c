// Of pyarray-lower: device arrays that kernels know as globals, at the address that they had when they were compiled.
//
//   %a = pyarray.builtin "cuda._global_array"(%c140..., %c4) : (si64, si64) -> !pyarray.array<?xf64, C>
// becomes
//   %p = llvm.inttoptr %c140... : i64 to !llvm.ptr
// and a memref of so many elements there, in C order.
#include "lower_arrays.h"
#include "lower_calls.h"

void pa_lower_global_array(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = mlirValueGetType(pa_result(call->op)),
           pointer = mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  MlirValue extents[PA_MAX_RANK], start = pa_convert(lower, "llvm.inttoptr", pa_argument(lower, call, 0), pointer);
  for (int axis = 0; axis < (int)pyarrayArrayTypeGetRank(type); ++axis)
    extents[axis] = pa_argument(lower, call, axis + 1);
  pa_array array = pa_array_at(lower, type, start, extents, pa_int(lower, lower->i64, 0));
  pa_set(lower, pa_result(call->op), (MlirValue[]){array.memref, array.owner}, 2);
}
