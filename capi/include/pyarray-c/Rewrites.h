// Rewrites of MLIR's that its C API lacks.
#ifndef PYARRAY_C_REWRITES_H
#define PYARRAY_C_REWRITES_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the upstream pass expand-strided-metadata does to all within |op|, but for blocks that are alike or not reached:
// these it looks for in every region, which is half of its time. False where it came to no end.
MLIR_CAPI_EXPORTED bool pyarrayExpandStridedMetadata(MlirOperation op);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_REWRITES_H
