// pyarray-lsp-server: what editors ask of files of IR.
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

#include "registry.h"

int main(int count, char **arguments) {
  mlir::DialectRegistry registry;
  pyarray::fillRegistry(registry);
  return failed(mlir::MlirLspServerMain(count, arguments, registry));
}
