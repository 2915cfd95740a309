// Private to lib/codegen: flags of the instructions that translation to LLVM IR leaves, for every target.
#ifndef PYARRAY_LIB_CODEGEN_FLAGS_H
#define PYARRAY_LIB_CODEGEN_FLAGS_H

#include "llvm-c/Core.h"

void pa_allow_negative_strides(LLVMValueRef function);
void pa_set_fast_math(LLVMValueRef function, LLVMFastMathFlags flags); // in addition to those that it has

#endif // PYARRAY_LIB_CODEGEN_FLAGS_H
