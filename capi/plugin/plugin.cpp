// pyarray_mlir_plugin.so: the dialect and passes for a stock mlir-opt.
//   mlir-opt --load-dialect-plugin=pyarray_mlir_plugin.so --load-pass-plugin=pyarray_mlir_plugin.so ...
//   with --pass-pipeline='builtin.module(pyarray-infer-types)' f.mlir, or --pass-pipeline='builtin.module(pyarray-cpu)'
#include "mlir/CAPI/IR.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "pyarray-c/Dialect.h"
#include "pyarray-c/Passes.h"

extern "C" __attribute__((visibility("default"))) mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "pyarray", PYARRAY_VERSION, [](mlir::DialectRegistry *registry) {
            mlirDialectHandleInsertDialect(mlirGetDialectHandle__pyarray__(), wrap(registry));
          }};
}

extern "C" __attribute__((visibility("default"))) mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "pyarray", PYARRAY_VERSION, pyarrayRegisterPipelines};
}
