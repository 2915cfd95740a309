// What upstream's drivers are given: dialects and passes of pyarray, and those of MLIR that they are lowered to.
#ifndef PYARRAY_CAPI_DRIVERS_REGISTRY_H
#define PYARRAY_CAPI_DRIVERS_REGISTRY_H

#include "mlir/CAPI/Registration.h"
#include "mlir/IR/DialectRegistry.h"

#include "pyarray-c/Dialect.h"
#include "pyarray-c/Passes.h"

namespace pyarray {
inline void fillRegistry(mlir::DialectRegistry &registry) {
  pyarrayRegisterDialects(wrap(&registry));
  pyarrayRegisterUpstreamDialects(wrap(&registry));
}
} // namespace pyarray

#endif // PYARRAY_CAPI_DRIVERS_REGISTRY_H
