// Passes with options, and code of a module. Errors come as text, diagnostics included.
#ifndef PYARRAY_C_EMIT_H
#define PYARRAY_C_EMIT_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// Runs elements of a textual pipeline on the module, "pyarray-infer-types,cse" or "pyarray-lower-linalg{...}", or a
// pipeline of the compiler, "pyarray-cpu". What fails is written to |error|, which may be NULL.
MLIR_CAPI_EXPORTED MlirLogicalResult pyarrayRunPipeline(MlirOperation module, const char *passes,
                                                        MlirStringCallback error, void *error_data);

typedef enum pyarray_emission {
  PYARRAY_EMIT_OBJECT, // an x86-64 ELF relocatable object, position independent
  PYARRAY_EMIT_ASSEMBLY,
  PYARRAY_EMIT_LLVM_IR,           // as translated
  PYARRAY_EMIT_OPTIMIZED_LLVM_IR, // as it is compiled
  PYARRAY_EMIT_PTX,               // of the module's gpu.module
} pyarray_emission;

// Zeroed: for this machine, optimised.
typedef struct pyarray_emit_options {
  const char *cpu;       // as LLVM names it, or "sm_90"; NULL: this machine's, or sm_75
  const char *features;  // "+avx2,-fma"; NULL: this machine's, or none if |cpu| is given
  const char *opt_level; // "0" to "3"; NULL: the level whose code was measured best
  bool fastmath;
  bool accurate_math;    // functions of libm within 1 ULP, instead of 4
  bool verify;           // the LLVM IR
  const char *libdevice; // a place to look for libdevice.10.bc, or NULL
} pyarray_emit_options;

// Writes the code of a module that is in the llvm dialect (behind "pyarray-cpu" or "pyarray-cuda") to |out|, in parts.
// |options| may be NULL. What fails is written to |error|, which may be NULL.
MLIR_CAPI_EXPORTED MlirLogicalResult pyarrayEmit(MlirOperation module, pyarray_emission what,
                                                 const pyarray_emit_options *options, MlirStringCallback out,
                                                 void *out_data, MlirStringCallback error, void *error_data);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_EMIT_H
