#ifndef WAVE_H
#define WAVE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "WaveDialect.h.inc"
#define GET_OP_CLASSES
#include "Wave.h.inc"

namespace wave {
// --lower-wave: wave.sine becomes operations of the pyarray dialect.
void registerLowerWave();
} // namespace wave

#endif // WAVE_H
