// Stores of floats at addresses that are not multiples of their size, for a GPU.
#ifndef PYARRAY_LIB_CODEGEN_UNALIGNED_STORES_H
#define PYARRAY_LIB_CODEGEN_UNALIGNED_STORES_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// Keeps what is stored so apart from the instruction that computed it.
void pa_guard_unaligned_stores(LLVMModuleRef module);

#endif // PYARRAY_LIB_CODEGEN_UNALIGNED_STORES_H
