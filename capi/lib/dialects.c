// The upstream dialects that pyarray is lowered to, by namespace.
#include <string.h>

#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Bufferization.h"
#include "mlir-c/Dialect/Complex.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/Index.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Tensor.h"
#include "mlir-c/Dialect/UB.h"
#include "mlir-c/Dialect/Vector.h"
#include "pyarray-c/Dialect.h"

typedef struct dialect_row {
  const char *name;
  MlirDialectHandle (*handle)(void);
} dialect_row;

static const dialect_row dialects[] = {
    {"pyarray", mlirGetDialectHandle__pyarray__},
#define PA_DIALECT(name) {#name, mlirGetDialectHandle__##name##__},
#include "dialects.def"
#undef PA_DIALECT
};

MlirDialectHandle pyarrayDialectHandle(const char *name) {
  for (size_t i = 0; i < sizeof(dialects) / sizeof(*dialects); i++)
    if (strcmp(dialects[i].name, name) == 0) return dialects[i].handle();
  return (MlirDialectHandle){NULL};
}
