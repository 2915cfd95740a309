// Private to lib/codegen.
#ifndef PYARRAY_LIB_CODEGEN_PARALLEL_LOOPS_H
#define PYARRAY_LIB_CODEGEN_PARALLEL_LOOPS_H

#include <stdbool.h>

#include "llvm-c/Types.h"

// Tells LLVM of the loads and stores in loops that pyarray-split-grid has marked as parallel.
void pa_mark_parallel_loops(LLVMContextRef context, LLVMValueRef function);

#endif // PYARRAY_LIB_CODEGEN_PARALLEL_LOOPS_H
