// Reads a module of waves, lowers it by lower-wave and pyarray's pipeline, and runs its function "ring".
#include <stdio.h>
#include <string.h>

#include "pyarray-c/Dialect.h"
#include "pyarray-c/Emit.h"
#include "pyarray-c/Engine.h"
#include "wave.h"

typedef int32_t (*entry)(const void *arguments, void *results);

static void print(MlirStringRef part, void *file) { fwrite(part.data, 1, part.length, file); }

static size_t read_file(const char *name, char *text, size_t size) {
  FILE *file = fopen(name, "rb");
  size_t length = file ? fread(text, 1, size, file) : 0;
  if (file) fclose(file);
  return length;
}

static bool lower(MlirContext context, MlirOperation module) {
  MlirPassManager passes = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(passes, wave_create_lowering());
  MlirLogicalResult result = mlirPassManagerRunOnOp(passes, module);
  mlirPassManagerDestroy(passes);
  return mlirLogicalResultIsSuccess(result) &&
         mlirLogicalResultIsSuccess(pyarrayRunPipeline(module, "pyarray-cpu", print, stderr));
}

static bool run(MlirModule module) {
  MlirExecutionEngine engine = mlirExecutionEngineCreate(module, 2, 0, NULL, false, false);
  if (mlirExecutionEngineIsNull(engine)) return false;
  pyarrayRegisterRuntimeSymbols(engine);
  void *address = mlirExecutionEngineLookup(engine, mlirStringRefCreateFromCString("ring"));
  entry ring = NULL;
  memcpy(&ring, &address, sizeof ring);
  bool ok = ring != NULL;
  for (double time = 0, result; ok && time < 3; ++time) {
    ok = ring(&time, &result) == 0;
    if (ok) printf("ring(%.1f) = %f\n", time, result);
  }
  mlirExecutionEngineDestroy(engine);
  return ok;
}

int main(int count, char **arguments) {
  static char text[1 << 16];
  const char *name = count > 1 ? arguments[1] : "ring.mlir";
  size_t length = read_file(name, text, sizeof text - 1);
  if (!length) return fprintf(stderr, "cannot read %s\n", name), 1;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__wave__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  MlirModule module = pyarrayParseModule(context, text, length, name, true);
  bool ok = !mlirModuleIsNull(module) && lower(context, mlirModuleGetOperation(module)) && run(module);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ok ? 0 : 1;
}
