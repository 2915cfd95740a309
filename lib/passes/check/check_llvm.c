// pyarray-check-llvm: fails where a module is not of level 6: operations of the llvm and nvvm dialects, in modules.
//
//   %0 = arith.addf %a, %b       error: 'arith.addf' is left; at level 6 operations are of the llvm and nvvm dialects
#include <string.h>

#include "check_level.h"
#include "pass.h"

static void check_op(pa_level_check *check, MlirOperation op, pa_op_kind kind) {
  MlirStringRef dialect = pa_dialect_name(op), name = mlirIdentifierStr(mlirOperationGetName(op));
  bool fine = kind == PA_OP_MODULE || pa_ref_equal(dialect, "llvm") || pa_ref_equal(dialect, "nvvm") ||
              pa_ref_equal(name, "gpu.module");
  if (!fine) pa_level_error(check, op, "is left; at level 6 operations are of the llvm and nvvm dialects");
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  return pa_check_level(context->arena, module, check_op);
}

const pa_pass pa_pass_check_llvm = {
    .argument = "pyarray-check-llvm",
    .summary = "Fail where an operation of another dialect than llvm and nvvm is left",
    .run = run,
};
