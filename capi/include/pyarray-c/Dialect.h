// The pyarray dialect and what it is lowered to, for C.
#ifndef PYARRAY_C_DIALECT_H
#define PYARRAY_C_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(PyArray, pyarray);

// Adds pyarray and every dialect that its lowering goes through, with the interfaces that conversion, inlining and
// translation to LLVM IR need.
MLIR_CAPI_EXPORTED void pyarrayRegisterDialects(MlirDialectRegistry registry);

// Adds what code generation for NVIDIA's GPUs needs besides: the nvvm dialect, and translation of gpu and nvvm.
MLIR_CAPI_EXPORTED void pyarrayRegisterGpuDialects(MlirDialectRegistry registry);

// Adds the upstream dialects that a user of pyarray-opt may mix with them (affine, tensor, vector, gpu, ...).
MLIR_CAPI_EXPORTED void pyarrayRegisterUpstreamDialects(MlirDialectRegistry registry);

// The handle of a dialect of capi/lib/dialects.def by its namespace; a null pointer inside for others.
MLIR_CAPI_EXPORTED MlirDialectHandle pyarrayDialectHandle(const char *name);

// Parses text or bytecode with |length| bytes, followed by a NUL; |name| is the file in its locations and diagnostics.
// A text of several operations is wrapped in a module. Null on failure, with diagnostics emitted. The caller owns it.
MLIR_CAPI_EXPORTED MlirModule pyarrayParseModule(MlirContext context, const char *text, size_t length, const char *name,
                                                 bool verify);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_DIALECT_H
