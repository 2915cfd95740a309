// pyarray-check-typed: fails where a module is not of level 2 (docs/internals.md).
//
//   %1 = pyarray.apply %0(%x)        error: 'pyarray.apply' is an operation of level 1; type inference makes it a call
//   or a builtin func.func @f(%x: !pyarray.any)   error: 'func.func' has a value of type '!pyarray.any'; from level 2
//   on the type of every value is known
#include <string.h>

#include "check_level.h"
#include "pass.h"

static bool is_open(MlirType type) { return pyarrayTypeIsAny(type) || pyarrayTypeIsTagged(type); }

void pa_check_typed_op(pa_level_check *check, MlirOperation op, pa_op_kind kind) {
  switch (kind) {
  case PA_OP_APPLY:
  case PA_OP_METHOD:
    pa_level_error(check, op,
                   "is an operation of level 1; type inference makes it a pyarray.call or a pyarray.builtin");
    return;
  case PA_OP_CLOSURE:
    pa_level_error(check, op, "is an operation of level 1; type inference makes it the tuple of what it captures");
    return;
  case PA_OP_ITER_MORE:
    pa_level_error(check, op,
                   "is an operation of level 1; type inference makes it pyarray.iter_length or pyarray.iter_next");
    return;
  default: break;
  }
  MlirType type = pa_find_type(op, is_open);
  if (mlirTypeIsNull(type)) return;
  bool tagged = pyarrayTypeIsTagged(type);
  pa_level_error(check, op, "has a value of type '%s'; from level 2 on %s", pa_type_spelled(check, type),
                 tagged ? "values have the types that represent them" : "the type of every value is known");
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  return pa_check_level(context->arena, module, pa_check_typed_op);
}

const pa_pass pa_pass_check_typed = {
    .argument = "pyarray-check-typed",
    .summary = "Fail where a module is not typed IR",
    .run = run,
};
