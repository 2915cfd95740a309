// pyarray-reduce: makes a module smaller for which a script says that it still fails.
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

#include "registry.h"

int main(int count, char **arguments) {
  mlir::DialectRegistry registry;
  pyarray::fillRegistry(registry);
  pyarrayRegisterPipelines();
  mlir::MLIRContext context(registry);
  return failed(mlir::mlirReduceMain(count, arguments, context));
}
