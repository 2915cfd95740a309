// Private to lib/codegen: calls of libm that loops may make for several lanes at a time, or that are to be more exact.
#ifndef PYARRAY_LIB_CODEGEN_VECTOR_MATH_H
#define PYARRAY_LIB_CODEGEN_VECTOR_MATH_H

#include <stdbool.h>

#include "llvm-c/TargetMachine.h"

// Gives every call of a function of lib/runtime/vector/vector_math.def its vector variants for |machine|.
void pa_offer_vector_math(LLVMModuleRef module, LLVMTargetMachineRef machine);
// Calls functions with an error of at most 1 ULP where libm's are worse (accurate_math.c).
void pa_use_accurate_math(LLVMModuleRef module);
// Says that a declared function only computes its result.
void pa_mark_as_math(LLVMContextRef context, LLVMValueRef function);

#endif // PYARRAY_LIB_CODEGEN_VECTOR_MATH_H
