// Divisions of vectors that are shorter than a register.
#ifndef PYARRAY_LIB_CODEGEN_SHORT_DIVISIONS_H
#define PYARRAY_LIB_CODEGEN_SHORT_DIVISIONS_H

#include <llvm-c/Core.h>

// Makes each a division of numbers.
void pa_split_short_divisions(LLVMModuleRef module);

#endif // PYARRAY_LIB_CODEGEN_SHORT_DIVISIONS_H
