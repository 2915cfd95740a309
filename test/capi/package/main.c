#define _GNU_SOURCE
// A compiler of its own: two functions in one module, through all levels, to every kind of code, and run.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Emit.h"
#include "pyarray-c/Engine.h"
#include "pyarray-c/Ops.h"
#include "pyarray-c/Passes.h"
#include "pyarray-c/Runtime.h"
#include "pyarray-c/Types.h"
#include "pyarray-c/Version.h"

static const char text[] =
    "func.func @quotient(%a: si64, %b: si64) -> si64 attributes {pyarray.entry, pyarray.entry_name = \"quotient\"} {\n"
    "  %0 = pyarray.binary floordiv %a, %b : (si64, si64) -> si64\n"
    "  func.return %0 : si64\n"
    "}\n"
    "func.func @twice(%a: f64) -> f64 attributes {pyarray.entry, pyarray.entry_name = \"twice\"} {\n"
    "  %0 = pyarray.binary add %a, %a : (f64, f64) -> f64\n"
    "  func.return %0 : f64\n"
    "}\n";

static int failures;

static void check(int condition, const char *what) {
  if (!condition) printf("failed: %s\n", what), failures++;
}

typedef struct buffer {
  char data[1 << 20];
  size_t length;
} buffer;

static void append(MlirStringRef part, void *data) {
  buffer *to = data;
  if (to->length + part.length >= sizeof to->data) return;
  memcpy(to->data + to->length, part.data, part.length);
  to->length += part.length;
  to->data[to->length] = 0;
}

static buffer out, error;

static int emits(MlirOperation module, pyarray_emission what, const char *expected) {
  out.length = error.length = 0;
  MlirLogicalResult result = pyarrayEmit(module, what, NULL, append, &out, append, &error);
  if (mlirLogicalResultIsFailure(result)) printf("%s\n", error.data);
  return mlirLogicalResultIsSuccess(result) && memmem(out.data, out.length, expected, strlen(expected));
}

typedef int32_t (*entry)(const void *arguments, void *results);

static entry find(MlirExecutionEngine engine, const char *name) {
  void *address = mlirExecutionEngineLookup(engine, mlirStringRefCreateFromCString(name));
  entry found = NULL;
  memcpy(&found, &address, sizeof found);
  return found;
}

static void run(MlirModule module) {
  MlirExecutionEngine engine = mlirExecutionEngineCreate(module, 2, 0, NULL, false, false);
  check(!mlirExecutionEngineIsNull(engine), "engine");
  if (mlirExecutionEngineIsNull(engine)) return;
  pyarrayRegisterRuntimeSymbols(engine);
  entry quotient = find(engine, "quotient"), twice = find(engine, "twice");
  check(quotient && twice, "two exports");
  int64_t numbers[] = {7, 2}, whole = 0;
  double x = 1.5, y = 0;
  check(quotient(numbers, &whole) == 0 && whole == 3, "7 // 2");
  check(twice(&x, &y) == 0 && y == 3, "2 * 1.5");
  numbers[1] = 0;
  check(quotient(numbers, &whole) == 1, "7 // 0");
  mlirExecutionEngineDestroy(engine);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  MlirModule module = pyarrayParseModule(context, text, strlen(text), "package.mlir", true);
  MlirOperation op = mlirModuleGetOperation(module);
  check(PYARRAY_C_API_VERSION >= 1, "version");
  // Operations are made by constructors.
  MlirType real = mlirF64TypeGet(context);
  MlirOperation constant =
      pyarrayConstantCreate(mlirLocationUnknownGet(context), real, mlirFloatAttrDoubleGet(context, real, 1.5));
  check(mlirOperationVerify(constant), "constructor");
  mlirOperationDestroy(constant);
  // What fails is told as text, with the place.
  check(mlirLogicalResultIsFailure(pyarrayRunPipeline(op, "pyarray-check-lowered", append, &error)), "check-lowered");
  check(strstr(error.data, "package.mlir") && strstr(error.data, "pyarray.binary"), error.data);
  error.length = 0;
  check(mlirLogicalResultIsFailure(pyarrayRunPipeline(op, "no-such-pass", append, &error)), "no such pass");
  check(strstr(error.data, "no-such-pass") != NULL, error.data);
  error.length = 0;
  check(mlirLogicalResultIsFailure(pyarrayEmit(op, PYARRAY_EMIT_OBJECT, NULL, append, &out, append, &error)), "emit");
  error.length = 0;
  // With options of passes; then all stages, by name.
  check(mlirLogicalResultIsSuccess(pyarrayRunPipeline(op, "canonicalize{max-iterations=2}", append, &error)),
        error.data);
  check(mlirLogicalResultIsSuccess(pyarrayRunPipeline(op, "pyarray-cpu", append, &error)), error.data);
  check(emits(op, PYARRAY_EMIT_OBJECT, "ELF") && emits(op, PYARRAY_EMIT_ASSEMBLY, "quotient:"), "object, assembly");
  check(emits(op, PYARRAY_EMIT_LLVM_IR, "@twice(") && emits(op, PYARRAY_EMIT_OPTIMIZED_LLVM_IR, "fadd"), "LLVM IR");
  run(module);
  check(*pyarray_error_name() == 0, "no error was told");
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  printf("%d failures\n", failures);
  return failures != 0;
}
