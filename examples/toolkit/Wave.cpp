#include "Wave.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

#include "WaveDialect.cpp.inc"
#define GET_OP_CLASSES
#include "Wave.cpp.inc"

void wave::WaveDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Wave.cpp.inc"
      >();
}
