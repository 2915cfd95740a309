// Reads a module of the pyarray dialect and lowers nothing: the pass must object.
#include <stdio.h>
#include <string.h>

#include "mlir-c/Diagnostics.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Passes.h"
#include "pyarray-c/Types.h"

static const char text[] = "func.func private @f(!pyarray.array<?xf64, C>)";

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *errors) {
  (void)diagnostic;
  ++*(int *)errors;
  return mlirLogicalResultSuccess();
}

static void ignore(MlirStringRef part, void *data) {
  (void)part;
  (void)data;
}

int main(void) {
  int errors = 0;
  pyarrayRegisterPipelines();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextAttachDiagnosticHandler(context, count, &errors, NULL);
  MlirModule module = pyarrayParseModule(context, text, strlen(text), "package.mlir", true);
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                        mlirStringRefCreateFromCString("builtin.module(pyarray-check-lowered)"), ignore, NULL);
  MlirLogicalResult result = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  printf("%d errors\n", errors);
  return errors == 1 && mlirLogicalResultIsFailure(result) ? 0 : 1;
}
