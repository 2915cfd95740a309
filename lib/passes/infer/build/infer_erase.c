// Last of pyarray-infer-types: what the emission of a block left without a use.
#include "infer_emit.h"
#include "pyarray-c/Effects.h"

// Removes what turned out not to be needed: constants of folded literals, callables, tuples that were taken apart.
// Loops stay, however little they do: they may have no end.
void pa_erase_unused(pa_inference *inference, MlirBlock block) {
  MlirOperation *ops = NULL;
  size_t count = 0, capacity = 0;
  PA_FOR_EACH_OP(op, block) {
    ops = pa_arena_grow(inference->arena, ops, count, &capacity, sizeof *ops);
    ops[count++] = op;
  }
  while (count-- > 0)
    if (!mlirOperationGetNumRegions(ops[count]) && pyarrayOperationIsDead(ops[count])) mlirOperationDestroy(ops[count]);
}
