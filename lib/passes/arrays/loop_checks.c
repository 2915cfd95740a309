// What is asked of arrays before a loop is changed.
#include "loop_checks.h"
#include "expand.h"

MlirValue pa_si64(pa_builder *at, int64_t value) {
  MlirType type = mlirIntegerTypeSignedGet(at->context, 64);
  return pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

MlirValue pa_binary_of(pa_builder *at, pyarray_binary_kind kind, MlirValue a, MlirValue b) {
  if (pa_failed(at)) return a;
  return pa_value(at, PA_OP_NAME(BINARY), PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)),
                  PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(at->context, kind)}));
}

MlirValue pa_and_compare(pa_builder *at, MlirValue all, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  if (pa_failed(at)) return a;
  MlirValue holds = pa_value(at, PA_OP_NAME(COMPARE), PA_OPERANDS(a, b), PA_RESULTS(mlirIntegerTypeGet(at->context, 1)),
                             PA_ATTRS({"kind", pyarrayCompareKindAttrGet(at->context, kind)}));
  return mlirValueIsNull(all) ? holds : pa_binary_of(at, PYARRAY_BINARY_AND, all, holds);
}

MlirValue pa_extent_of(pa_builder *at, MlirValue array, intptr_t axis) {
  MlirType types[PA_MAX_VIEW_RANK], si64 = mlirIntegerTypeSignedGet(at->context, 64);
  intptr_t rank = pyarrayArrayTypeGetRank(mlirValueGetType(array));
  for (intptr_t i = 0; i < rank; ++i) types[i] = si64;
  MlirValue shape =
      pa_value(at, PA_OP_NAME(GETATTR), PA_OPERANDS(array), PA_RESULTS(mlirTupleTypeGet(at->context, rank, types)),
               PA_ATTRS({"name", pa_string_attr(at->context, "shape")}));
  if (pa_failed(at)) return array;
  return pa_value(at, PA_OP_NAME(GETITEM), PA_OPERANDS(shape, pa_si64(at, axis)), PA_RESULTS(si64));
}

MlirValue pa_and_in_bounds(pa_builder *at, MlirValue all, MlirValue index, MlirValue length) {
  MlirValue zero = pa_si64(at, 0);
  all = pa_and_compare(at, all, PYARRAY_COMPARE_LT, index, length);
  return pa_and_compare(at, all, PYARRAY_COMPARE_GE, index, pa_binary_of(at, PYARRAY_BINARY_SUB, zero, length));
}

MlirValue pa_and_apart(pa_builder *at, MlirValue all, MlirValue written, MlirValue other) {
  int32_t sizes[] = {1, 1};
  if (pa_failed(at)) return all;
  MlirValue apart =
      pa_value(at, PA_OP_NAME(INDEPENDENT), PA_OPERANDS(other, written), PA_RESULTS(mlirIntegerTypeGet(at->context, 1)),
               PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, 2, sizes)},
                        {"apart", pa_unit_attr(at->context)}));
  return pa_binary_of(at, PYARRAY_BINARY_AND, all, apart);
}

//===-- Loops -------------------------------------------------------------------------------------===//

static bool is_on_one_core(const pa_names *names, MlirOperation function) {
  return pa_kind(names, function) == PA_OP_FUNC && !mlirBlockIsNull(pa_body(function, 0)) &&
         !pa_is_device_function(function) && !pa_option_bool(function, "pyarray.options", "parallel", false) &&
         !pa_option_bool(function, "pyarray.options", "offload", false);
}

static MlirWalkResult note_loop(MlirOperation op, void *data) {
  if (pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), PA_OP_NAME(FOR))) pa_op_list_add(data, op);
  return MlirWalkResultAdvance;
}

pa_op_list pa_loops_on_one_core(pa_arena *arena, const pa_names *names, MlirOperation function) {
  pa_op_list loops = {.arena = arena};
  if (is_on_one_core(names, function)) mlirOperationWalk(function, note_loop, &loops, MlirWalkPreOrder);
  return loops;
}
