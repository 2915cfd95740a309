// Warnings: what compiles, but is likely not what was meant. They wait in an attribute of the module for whoever
// compiles it:
//
//   pyarray.warnings = [["overflow", "the value of ... is beyond int64 and wraps", "f.py", 3]]
//
// The kinds are "overflow", "unreachable", "performance" and "types"; python/pyarray/_report.py gives them classes.
#include <string.h>

#include "ir.h"

enum { MOST_WARNINGS = 100 };

void pa_warn(MlirOperation module, pa_location place, const char *kind, const char *text) {
  MlirContext context = mlirOperationGetContext(module);
  MlirAttribute known = pa_get_attr(module, "pyarray.warnings");
  intptr_t count = mlirAttributeIsNull(known) ? 0 : mlirArrayAttrGetNumElements(known);
  if (count == MOST_WARNINGS) return;
  MlirAttribute fields[] = {pa_string_attr(context, kind), pa_string_attr(context, text),
                            pa_string_attr(context, place.file ? place.file : ""),
                            mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), place.line)};
  MlirAttribute all[MOST_WARNINGS], warning = mlirArrayAttrGet(context, 4, fields);
  for (intptr_t i = 0; i < count; ++i) {
    all[i] = mlirArrayAttrGetElement(known, i);
    if (mlirAttributeEqual(all[i], warning)) return; // of another instance, or of a copy of a finally block
  }
  all[count] = warning;
  pa_set_attr(module, "pyarray.warnings", mlirArrayAttrGet(context, count + 1, all));
}
