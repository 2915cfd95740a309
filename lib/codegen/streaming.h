// Accesses marked !nontemporal, for a GPU.
#ifndef PYARRAY_LIB_CODEGEN_STREAMING_H
#define PYARRAY_LIB_CODEGEN_STREAMING_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// Makes loads and stores of 4, 8 or 16 bytes of global memory that are marked so PTX's ld.global.cs and st.global.cs, which the
// cache gives up first.
void pa_stream_accesses(LLVMModuleRef module);

#endif // PYARRAY_LIB_CODEGEN_STREAMING_H
