// Registration of pyarray's passes in MLIR's global pass registry, for textual pipelines.
#ifndef PYARRAY_C_PASSES_H
#define PYARRAY_C_PASSES_H

#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

// Registers every pass of pyarray (lib/passes/passes.def). Repeating it does nothing.
MLIR_CAPI_EXPORTED void pyarrayRegisterPasses(void);

// The same, and the upstream passes and named pipelines (pyarray-cpu, pyarray-to-typed, ...) of the compiler.
MLIR_CAPI_EXPORTED void pyarrayRegisterPipelines(void);

// Registers |text|, elements of a textual pipeline on builtin.module, as a pipeline named |name|. All three
// must live as long as the process.
MLIR_CAPI_EXPORTED void pyarrayRegisterPipeline(const char *name, const char *summary, const char *text);

// Has |handler| called where MLIR or LLVM are out of memory; it must not return. Once in a process.
MLIR_CAPI_EXPORTED void pyarrayInstallMemoryHandler(void (*handler)(void));

// Prints all registered passes and pipelines, with their options, to standard output.
MLIR_CAPI_EXPORTED void pyarrayPrintRegisteredPasses(void);

#ifdef __cplusplus
}
#endif

#endif  // PYARRAY_C_PASSES_H
