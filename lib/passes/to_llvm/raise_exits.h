// Of pyarray-lower-raises: the blocks of a function, its tries, and the ways out of its raises.
#ifndef PYARRAY_LIB_PASSES_RAISE_EXITS_H
#define PYARRAY_LIB_PASSES_RAISE_EXITS_H

#include "ir/ir.h"
#include "support/map.h"

typedef struct pa_raise_block {
  MlirBlock block;
  MlirOperation raise; // its first noreturn call, or null
  bool reachable;
  size_t entered;     // 1 + index of the try that it ends in; 0: none
  size_t *successors; // indices; where it raises, the handler alone, if there is one
  size_t successor_count;
  size_t exit; // where it raises: index of its exit
} pa_raise_block;

// A try, whose block ends in a branch to its handler or its body.
typedef struct pa_raise_try {
  int64_t number, parent; // -1: none
  size_t block;           // index
  MlirOperation call;
  MlirBlock handler, body;
} pa_raise_try;

// A block that releases one slot and goes on with another exit, so that raises share what they have in common. The
// first exit is the function's error block, the next ones are the handlers of the tries; they release nothing.
typedef struct pa_raise_exit {
  size_t slot, next; // indices; |next| is less than the exit's own
  size_t caught;     // 1 + index of the try whose handler it leads to; 0: out of the function
  MlirBlock block;
} pa_raise_exit;

typedef struct pa_raise_blocks {
  pa_raise_block *facts;
  size_t count, capacity;
  pa_raise_try *tries;
  size_t try_count, try_capacity;
  pa_map by_number;  // number of a try, and 1 -> 1 + its index
  pa_op_list owners; // slots of the entry block
  pa_raise_exit *exits;
  size_t exit_count, exit_capacity;
  size_t *slots; // hash table by block: 1 + index, 0 when empty; |mask| + 1 entries
  size_t mask;
} pa_raise_blocks;

// 1 + index of the try of that number; 0: none.
size_t pa_find_raise_try(const pa_raise_blocks *list, int64_t number);
// 1 + index of the try that catches |raise|; 0: none.
size_t pa_find_catching_try(const pa_raise_blocks *list, MlirOperation raise);

// Finds for each reachable block with a raise which slots may hold something there, and gives it the exit that releases
// those, the last one made first: generators of inner loops end before those of outer ones. A handler is reached with
// all slots of its try empty. |releases|: false where nothing is owned, as in kernels. The blocks of the exits are left
// null.
void pa_find_raise_exits(pa_arena *arena, pa_raise_blocks *list, bool releases);

#endif // PYARRAY_LIB_PASSES_RAISE_EXITS_H
