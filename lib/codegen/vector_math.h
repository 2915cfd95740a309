// Private to lib/codegen: calls of libm that loops may make for several lanes at a time.
#ifndef PYARRAY_LIB_CODEGEN_VECTOR_MATH_H
#define PYARRAY_LIB_CODEGEN_VECTOR_MATH_H

#include <stdbool.h>

#include "llvm-c/TargetMachine.h"

// Gives every call of a function of lib/runtime/vector_math.def its vector variants for |machine|.
void pa_offer_vector_math(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif // PYARRAY_LIB_CODEGEN_VECTOR_MATH_H
