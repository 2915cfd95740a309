#ifndef WAVE_H
#define WAVE_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Wave, wave);

// lower-wave: wave.sine becomes operations of the pyarray dialect.
MlirPass wave_create_lowering(void);

#ifdef __cplusplus
}
#endif

#endif // WAVE_H
