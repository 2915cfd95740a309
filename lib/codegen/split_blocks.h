// Private to lib/codegen: long blocks in parts.
//
// Instruction selection simplifies the operations of a block together: what it changes of one, it asks all that use it
// about again. So 600 statements in a chain took four times as long as 300. Between blocks it passes values on, and
// nothing else.
#ifndef PYARRAY_LIB_CODEGEN_SPLIT_BLOCKS_H
#define PYARRAY_LIB_CODEGEN_SPLIT_BLOCKS_H

#include "llvm-c/Core.h"

// Splits blocks of more than PA_CODEGEN_LONG_BLOCK instructions in parts of PA_CODEGEN_BLOCK_PART each, or a few more.
// The last thing before emission. Functions that a debugger knows stay as they are: what says where their variables are
// would not move along.
void pa_split_blocks(LLVMModuleRef module);

#endif // PYARRAY_LIB_CODEGEN_SPLIT_BLOCKS_H
