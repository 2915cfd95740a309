// Branches of scf.if.
#include "expand.h"

pa_builder pa_open_branch(const pa_builder *at, MlirRegion *out_region) {
  pa_builder inside = *at;
  inside.before = (MlirOperation){NULL};
  *out_region = pa_region(at->location, NULL, 0, &inside.block);
  return inside;
}

void pa_close_branch(pa_builder *at, pa_builder *inside) {
  pa_op(inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  if (inside->failure) at->failure = inside->failure;
}
