// pyarray-check-untyped: fails where a module is not of level 1 (docs/internals.md).
//
//   func.func @f(%x: f64)                       error: 'func.func' has a value of type 'f64'; at level 1 all are
//   '!pyarray.any', save conditions %0 = pyarray.builtin "math.sqrt"(%x)        error: 'pyarray.builtin' is an
//   operation of typed IR; at level 1 calls are pyarray.apply
#include <string.h>

#include "check_level.h"
#include "pass.h"

static bool is_typed(MlirType type) {
  bool condition = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  return !condition && !pyarrayTypeIsAny(type);
}

// Operations of which type inference makes others.
static bool is_untyped_op(pa_op_kind kind) {
  switch (kind) {
  case PA_OP_CONSTANT:
  case PA_OP_CALLABLE:
  case PA_OP_FROZEN_ARRAY:
  case PA_OP_FROZEN:
  case PA_OP_UNBOUND:
  case PA_OP_BINARY:
  case PA_OP_UNARY:
  case PA_OP_COMPARE:
  case PA_OP_TRUTH:
  case PA_OP_TUPLE:
  case PA_OP_LIST:
  case PA_OP_DICT:
  case PA_OP_SET:
  case PA_OP_UNPACK:
  case PA_OP_SLICE:
  case PA_OP_GETITEM:
  case PA_OP_SETITEM:
  case PA_OP_DELITEM:
  case PA_OP_GETATTR:
  case PA_OP_SETATTR:
  case PA_OP_NEW:
  case PA_OP_APPLY:
  case PA_OP_METHOD:
  case PA_OP_CLOSURE:
  case PA_OP_FOR:
  case PA_OP_YIELD:
  case PA_OP_ITERATOR:
  case PA_OP_ITER_LENGTH:
  case PA_OP_ITER_ITEM:
  case PA_OP_ITER_MORE:
  case PA_OP_SUSPEND:
  case PA_OP_TRY:
  case PA_OP_CAUGHT:
  case PA_OP_EXCEPTION:
  case PA_OP_RERAISE:
  case PA_OP_RAISE:
  case PA_OP_CAUSE:
  case PA_OP_VARIABLE:
  case PA_OP_LOAD:
  case PA_OP_STORE:
  case PA_OP_SCF_IF:
  case PA_OP_SCF_WHILE:
  case PA_OP_SCF_CONDITION:
  case PA_OP_SCF_YIELD:
  case PA_OP_FUNC:
  case PA_OP_RETURN:
  case PA_OP_MODULE: return true;
  default: return false;
  }
}

static void check_op(pa_level_check *check, MlirOperation op, pa_op_kind kind) {
  if (kind == PA_OP_CALL || kind == PA_OP_BUILTIN) {
    pa_level_error(check, op, "is an operation of typed IR; at level 1 calls are pyarray.apply and pyarray.method");
    return;
  }
  if (!is_untyped_op(kind)) {
    pa_level_error(check, op, "is no operation of level 1");
    return;
  }
  MlirType type = pa_find_type(op, is_typed);
  if (!mlirTypeIsNull(type))
    pa_level_error(check, op, "has a value of type '%s'; at level 1 all are '!pyarray.any', save conditions",
                   pa_type_spelled(check, type));
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  return pa_check_level(context->arena, module, check_op);
}

const pa_pass pa_pass_check_untyped = {
    .argument = "pyarray-check-untyped",
    .summary = "Fail where a module is not untyped IR",
    .run = run,
};
