// Of pyarray-outline-kernel: which kernels are launched cooperatively.
#include "cooperative.h"

// A barrier of the grid, or a function of others that has one (cuda.declare_device).
static MlirWalkResult find_grid_barrier(MlirOperation op, void *data) {
  MlirAttribute callee = pa_get_attr(op, "callee");
  bool calls = !mlirAttributeIsNull(callee) && mlirAttributeIsAFlatSymbolRef(callee) &&
               pa_ref_equal(mlirFlatSymbolRefAttrGetValue(callee), "pyarray_dev_grid_sync");
  if (!calls && mlirAttributeIsNull(pa_get_attr(op, "pyarray.cooperative"))) return MlirWalkResultAdvance;
  *(bool *)data = true;
  return MlirWalkResultInterrupt;
}

void pa_note_cooperative(MlirOperation module) {
  bool found = false;
  mlirOperationWalk(module, find_grid_barrier, &found, MlirWalkPreOrder);
  if (found) pa_set_attr(module, "pyarray.cooperative", pa_unit_attr(mlirOperationGetContext(module)));
}
