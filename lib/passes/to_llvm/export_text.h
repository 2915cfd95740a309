// Private to lib/passes/to_llvm: an export as it is written (wrap_export.c, export_c.c), as text of MLIR.
#ifndef PYARRAY_LIB_PASSES_TO_LLVM_EXPORT_TEXT_H
#define PYARRAY_LIB_PASSES_TO_LLVM_EXPORT_TEXT_H

#include "ir/ir.h"

typedef struct pa_export {
  pa_arena *arena;
  MlirContext context;
  MlirOperation module;
  const char *name, *code, *parameters, *signature;
  const char *importable; // a module's name, or NULL
  bool python;            // the form
  pa_string sites;
  pa_string text; // a module: what is added, with declarations of what it refers to
  pa_status failure;
} pa_export;

// An internal constant of bytes, behind which is a NUL.
void pa_export_global(pa_export *x, const char *symbol, const char *bytes, size_t size);
// The C function.
pa_status pa_export_c(pa_export *x);

#endif // PYARRAY_LIB_PASSES_TO_LLVM_EXPORT_TEXT_H
