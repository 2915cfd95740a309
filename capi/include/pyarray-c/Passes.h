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

// Calls |visit| for each symbol reference in the attributes of |op|, those within other attributes and types too, and
// in the types of its results and of the arguments of its blocks; not for operations within |op|.
MLIR_CAPI_EXPORTED void pyarrayForEachSymbol(MlirOperation op, void (*visit)(MlirStringRef name, void *data),
                                             void *data);

// Calls |note| after each pass that has succeeded, before what was added to |manager| earlier sees its result.
MLIR_CAPI_EXPORTED void pyarrayNotePasses(MlirPassManager manager,
                                          void (*note)(const char *pass, MlirOperation op, void *data), void *data);

// Prints all registered passes and pipelines, with their options, to standard output.
MLIR_CAPI_EXPORTED void pyarrayPrintRegisteredPasses(void);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_PASSES_H
