// MlirOptMain with pyarray's dialects, for those options of pyarray-opt that are mlir-opt's own.
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "pyarray-c/Drivers.h"
#include "registry.h"

int pyarrayOptMain(int count, char **arguments) {
  mlir::DialectRegistry registry;
  pyarray::fillRegistry(registry);
  registry.insert<mlir::transform::TransformDialect>();
  mlir::linalg::registerTransformDialectExtension(registry);
  mlir::scf::registerTransformDialectExtension(registry);
  mlir::transform::registerTransformPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(count, arguments, "pyarray-opt\n", registry));
}
