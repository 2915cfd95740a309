// Accesses with cache operators, for a GPU.
#ifndef PYARRAY_LIB_CODEGEN_STREAMING_H
#define PYARRAY_LIB_CODEGEN_STREAMING_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// Makes loads and stores of global memory that are marked so PTX's ld.global.cs, st.global.cg and the like. Those
// marked with an alias scope that is called "pyarray.cache." and an operator, of 1 to 16 bytes, may be of memory that
// is not known to be global: ld.cg.
void pa_stream_accesses(LLVMModuleRef module);

#endif // PYARRAY_LIB_CODEGEN_STREAMING_H
