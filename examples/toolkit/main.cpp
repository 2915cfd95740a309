// Reads a module of waves, lowers it by lower-wave and pyarray's pipeline, and runs its function "ring".
#include <cstdio>
#include <cstring>
#include <string>

#include "Wave.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Emit.h"
#include "pyarray-c/Engine.h"
#include "llvm/Support/MemoryBuffer.h"

using entry = int32_t (*)(const void *arguments, void *results);

static void append(MlirStringRef part, void *text) { static_cast<std::string *>(text)->append(part.data, part.length); }

int main(int count, char **arguments) {
  auto file = llvm::MemoryBuffer::getFile(count > 1 ? arguments[1] : "ring.mlir");
  if (!file) return std::fprintf(stderr, "cannot read the file\n"), 1;
  mlir::DialectRegistry registry;
  pyarrayRegisterDialects(wrap(&registry));
  registry.insert<wave::WaveDialect>();
  wave::registerLowerWave();
  MlirContext context = mlirContextCreateWithRegistry(wrap(&registry), false);
  llvm::StringRef text = (*file)->getBuffer();
  MlirModule module = pyarrayParseModule(context, text.data(), text.size(), arguments[1], true);
  if (mlirModuleIsNull(module)) return 1;
  std::string error;
  if (mlirLogicalResultIsFailure(
          pyarrayRunPipeline(mlirModuleGetOperation(module), "lower-wave,pyarray-cpu", append, &error)))
    return std::fprintf(stderr, "%s\n", error.c_str()), 1;
  MlirExecutionEngine engine = mlirExecutionEngineCreate(module, 2, 0, nullptr, false, false);
  if (mlirExecutionEngineIsNull(engine)) return 1;
  pyarrayRegisterRuntimeSymbols(engine);
  auto ring = reinterpret_cast<entry>(mlirExecutionEngineLookup(engine, mlirStringRefCreateFromCString("ring")));
  for (double time = 0; ring && time < 3; time++) {
    double result;
    if (ring(&time, &result)) return 1;
    std::printf("ring(%.1f) = %f\n", time, result);
  }
  mlirExecutionEngineDestroy(engine);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ring ? 0 : 1;
}
