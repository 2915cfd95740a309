// The runtime for MLIR's ExecutionEngine. In a library of its own, PyArray::engine.
#ifndef PYARRAY_C_ENGINE_H
#define PYARRAY_C_ENGINE_H

#include "mlir-c/ExecutionEngine.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes all that compiled code calls known to |engine|: functions of the runtime and vector functions. Before anything
// of its module is looked up.
MLIR_CAPI_EXPORTED void pyarrayRegisterRuntimeSymbols(MlirExecutionEngine engine);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_ENGINE_H
