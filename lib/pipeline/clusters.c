// Which code for a GPU needs clusters of blocks.
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "ir/ir.h"

enum { CLUSTERS_FROM = 90 }; // compute capability 9.0

static MlirWalkResult find_cluster_call(MlirOperation op, void *place) {
  static const char *const starts[] = {"pyarray_dev_cluster_", "pyarray_dev_map_shared"};
  MlirAttribute callee = pa_get_attr(op, "callee");
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee)) return MlirWalkResultAdvance;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(callee);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
    size_t length = strlen(starts[i]);
    if (name.length < length || memcmp(name.data, starts[i], length)) continue;
    *(MlirLocation *)place = mlirOperationGetLocation(op);
    return MlirWalkResultInterrupt;
  }
  return MlirWalkResultAdvance;
}

pa_status pa_check_clusters(MlirOperation module, const char *cpu, bool wanted) {
  MlirLocation place = {NULL};
  if (!cpu) cpu = "sm_75";
  if (strncmp(cpu, "sm_", 3) || atoi(cpu + 3) >= CLUSTERS_FROM) return PA_OK;
  if (wanted)
    return pa_fail(PA_CODE_UNSUPPORTED, NULL,
                   "cluster_dims and the third of launch_bounds need a GPU of compute capability 9.0 or more; this is "
                   "compiled for %s",
                   cpu);
  mlirOperationWalk(module, find_cluster_call, &place, MlirWalkPreOrder);
  if (mlirLocationIsNull(place)) return PA_OK;
  return pa_fail_at(PA_CODE_UNSUPPORTED, place,
                    "clusters of blocks need a GPU of compute capability 9.0 or more; this is compiled for %s", cpu);
}
