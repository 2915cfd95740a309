// Private to lib/codegen: loops of long functions as functions of their own.
//
// Several of LLVM's passes look at a good part of the function for each of its loops: at memory back to the last write,
// at conditions that hold, at all blocks where one was added. So a function of 400 loops took 30 times as long as one
// of 100.
#ifndef PYARRAY_LIB_CODEGEN_OUTLINE_LOOPS_H
#define PYARRAY_LIB_CODEGEN_OUTLINE_LOOPS_H

#include "llvm_module.h"

// Whether a function has more blocks than PA_CODEGEN_LONG_FUNCTION.
bool pa_has_long_function(LLVMModuleRef module);

// Makes functions of the outermost loops of long functions, and of the next ones where such a loop is long itself. What
// a loop leaves behind goes through memory of its caller's.
pa_status pa_outline_loops(pa_llvm_module *llvm, LLVMTargetMachineRef machine);

#endif // PYARRAY_LIB_CODEGEN_OUTLINE_LOOPS_H
