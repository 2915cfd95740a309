// Large blocks of memory. Private to lib/runtime.
#ifndef PYARRAY_LIB_RUNTIME_SPARE_BLOCKS_H
#define PYARRAY_LIB_RUNTIME_SPARE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define PA_KEEP_BLOCKS 0 // let the sanitizer see every free
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PA_KEEP_BLOCKS 0
#endif
#endif
#ifndef PA_KEEP_BLOCKS
#define PA_KEEP_BLOCKS 1
#endif

// Blocks of malloc's that the thread keeps, of 1 to 4 KiB, which malloc takes long for. |bytes|: what a block has room
// for. False: it is not one of them.
void *pa_small_block_take(size_t bytes);
bool pa_small_block_give(void *block, size_t bytes);

// malloc and free; large blocks that are given are kept for those that take.
void *pa_block_take(size_t bytes);
void pa_block_give(void *block);
// realloc, of which the first |used| bytes stay; NULL, and the block as it was, where memory is short.
void *pa_block_grow(void *block, size_t used, size_t bytes);

#endif // PYARRAY_LIB_RUNTIME_SPARE_BLOCKS_H
