// Products of a loop's counter with a stride become sums.
#ifndef PYARRAY_LIB_CODEGEN_STRENGTH_REDUCTION_H
#define PYARRAY_LIB_CODEGEN_STRENGTH_REDUCTION_H

#include <llvm-c/Core.h>

// After the passes: what vectorises loops wants to see the products.
void pa_reduce_strength(LLVMModuleRef module);

#endif // PYARRAY_LIB_CODEGEN_STRENGTH_REDUCTION_H
