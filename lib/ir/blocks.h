// Blocks and regions: of functions whose blocks branch to each other, which is what is behind
// pyarray-lower-control-flow, and of structured operations.
#ifndef PYARRAY_LIB_IR_BLOCKS_H
#define PYARRAY_LIB_IR_BLOCKS_H

#include "ir.h"

// Terminators at the place of the builder.
void pa_branch(pa_builder *at, MlirBlock target, const MlirValue *arguments, intptr_t count);
// The arguments go to |then|.
void pa_branch_if(pa_builder *at, MlirValue condition, MlirBlock then, const MlirValue *arguments, intptr_t count,
                  MlirBlock otherwise);
// To blocks[i] where |number|, an i64, is 1 + i; else to |otherwise|. |arena| is scratch.
void pa_branch_on(pa_arena *arena, pa_builder *at, MlirValue number, const MlirBlock *blocks, intptr_t count,
                  MlirBlock otherwise);

// Moves what follows |op| to a new block, which comes right behind its block. The old one has no terminator then.
MlirBlock pa_split_after(MlirOperation op);

// Removes the blocks that no path from the first one reaches. |arena| is scratch.
void pa_remove_unreachable(pa_arena *arena, MlirRegion region);

// Makes the values of a function obey dominance again after its blocks were joined in new ways: where a path leads to
// the use of a value but not through its definition, the value goes through stack memory, which |entry| makes, in the
// first block. |arena| is scratch.
pa_status pa_demote_values(pa_arena *arena, MlirRegion region, pa_builder *entry);

// A region with one block; |*out_inside| builds there.
static inline MlirRegion pa_inner_region(const pa_builder *at, const MlirType *types, intptr_t count,
                                         pa_builder *out_inside) {
  *out_inside = *at;
  out_inside->before = (MlirOperation){NULL};
  return pa_region(at->location, types, count, &out_inside->block);
}

static inline void pa_take_failure(pa_builder *outer, const pa_builder *inside) {
  if (inside->failure) outer->failure = inside->failure;
}

// Whether an operation of that name gives it.
bool pa_defined_by(MlirValue value, const char *name);
// Moves the operations of |source| before its terminator to the end of |target|.
void pa_move_operations(MlirBlock source, MlirBlock target);

#endif // PYARRAY_LIB_IR_BLOCKS_H
