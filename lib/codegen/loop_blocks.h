// The blocks of a loop.
#ifndef PYARRAY_LIB_CODEGEN_LOOP_BLOCKS_H
#define PYARRAY_LIB_CODEGEN_LOOP_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

typedef struct pa_block_list {
  LLVMBasicBlockRef *items;
  size_t count, room;
} pa_block_list;

bool pa_contains_block(const pa_block_list *list, LLVMBasicBlockRef block);

// Makes of |list| the header and all blocks from which |latch| is reached without passing it. False where there is no
// room for them.
bool pa_collect_loop(pa_block_list *list, LLVMBasicBlockRef header, LLVMBasicBlockRef latch);

#endif // PYARRAY_LIB_CODEGEN_LOOP_BLOCKS_H
