// Private to lib/codegen: fused multiply-add for GPUs.
#ifndef PYARRAY_LIB_CODEGEN_CONTRACT_H
#define PYARRAY_LIB_CODEGEN_CONTRACT_H

#include "llvm-c/Core.h"

// Of |function|, as translated: before LLVM optimises it.
void pa_contract_products(LLVMModuleRef module, LLVMValueRef function);

#endif // PYARRAY_LIB_CODEGEN_CONTRACT_H
