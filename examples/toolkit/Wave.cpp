// The dialect itself, which mlir-tblgen makes of Wave.td as C++. All else of this project is C.
#include "wave.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "WaveDialect.h.inc"
#define GET_OP_CLASSES
#include "Wave.h.inc"

#include "WaveDialect.cpp.inc"
#define GET_OP_CLASSES
#include "Wave.cpp.inc"

void wave::WaveDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Wave.cpp.inc"
      >();
}

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Wave, wave, wave::WaveDialect)
