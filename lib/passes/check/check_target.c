// pyarray-check-target: fails where a module is not of level 5: what is to run at once is in functions of its own, or
// in loops.
//
//   scf.parallel (%i) = ...      error: 'scf.parallel' is left; pyarray-split-grid or pyarray-map-grid spreads its
//   iterations
//   linalg.generic ...           error: 'linalg.generic' is left; pyarray-lower-linalg makes loops of it
#include <string.h>

#include "check_level.h"
#include "pass.h"

static void check_op(pa_level_check *check, MlirOperation op, pa_op_kind kind) {
  if (pa_ref_equal(pa_dialect_name(op), "pyarray")) pa_level_error(check, op, "survived the lowering");
  if (pa_ref_equal(pa_dialect_name(op), "linalg"))
    pa_level_error(check, op, "is left; pyarray-lower-linalg makes loops of it");
  if (kind == PA_OP_SCF_PARALLEL)
    pa_level_error(check, op, "is left; pyarray-split-grid or pyarray-map-grid spreads its iterations");
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  return pa_check_level(context->arena, module, check_op);
}

const pa_pass pa_pass_check_target = {
    .argument = "pyarray-check-target",
    .summary = "Fail where a linalg operation or a parallel loop is left",
    .run = run,
};
