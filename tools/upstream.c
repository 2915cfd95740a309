#include "mlir-c/Conversion.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Transforms.h"
#include "mlir/Dialect/Affine/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Arith/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Async/Passes.capi.h.inc"
#include "mlir/Dialect/Bufferization/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Func/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/GPU/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Linalg/Passes.capi.h.inc"
#include "mlir/Dialect/Math/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/MemRef/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/NVGPU/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/SCF/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Tensor/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Vector/Transforms/Passes.capi.h.inc"
#include "pipeline/pipelines.h"
#include "pyarray-c/Dialect.h"
#include "tool.h"

MlirContext tool_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  pyarrayRegisterUpstreamDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

void tool_register_passes(void) {
  pa_register_pipelines();
#define PA_UPSTREAM(name) mlirRegister##name();
#include "upstream_passes.def"
#undef PA_UPSTREAM
}
