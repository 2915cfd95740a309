// Of pyarray-expand-broadcasting: loop shapes of which nothing has to be checked, and where operations stand.
#include "expand.h"

bool pa_is_in_kernel(const pa_names *names, MlirOperation op) {
  while (!mlirOperationIsNull(op) && pa_kind_or_other(names, op) != PA_OP_FUNC)
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op) && pa_is_device_function(op);
}

int pa_only_shape(MlirOperation op) {
  MlirAttribute shapes = pa_get_attr(op, "shapes");
  if (mlirAttributeIsNull(shapes) || mlirDenseArrayGetNumElements(shapes) != 1) return -1;
  return (int)mlirDenseI64ArrayGetElement(shapes, 0);
}

bool pa_given_extents(const pa_names *names, MlirValue array, int rank, MlirValue *out_extents) {
  if (!mlirValueIsAOpResult(array)) return false;
  MlirOperation view = mlirOpResultGetOwner(array);
  if (pa_kind(names, view) != PA_OP_BROADCAST_TO || mlirOperationGetNumOperands(view) != rank + 1) return false;
  for (int d = 0; d < rank; ++d) out_extents[d] = mlirOperationGetOperand(view, 1 + d);
  return true;
}
