// pyarray-check-optimized: fails where a module is not of level 3 (docs/internals.md): that of level 2, and
//
//   %0 = pyarray.iterator %d                error: 'pyarray.iterator' is gone at level 3
//   pyarray.ufunc ... outs(%o) {...}        error: 'pyarray.ufunc' is not expanded; at level 3 all its arrays have one
//   loop shape %1 = pyarray.constant #pyarray.ticks<>  error: 'pyarray.constant' has a value of type
//   '!pyarray.datetime<"D">'; at level 3 times are si64
//
// What a function owns it releases: an owned value that some path keeps is a leak.
#include <string.h>

#include "check_level.h"
#include "pass.h"
#include "pyarray-c/Effects.h"

static bool is_time(MlirType type) {
  return pa_is_time(type) || (pyarrayTypeIsArray(type) && pa_is_time(pyarrayArrayTypeGetElement(type)));
}

static bool is_on_device(const pa_level_check *check, MlirOperation op) {
  while (!mlirOperationIsNull(op) && pa_kind(&check->names, op) != PA_OP_FUNC) op = mlirOperationGetParentOperation(op);
  return mlirOperationIsNull(op) || pa_is_device_function(op);
}

// A new reference that nothing uses, not even a release. What is in stack memory is none.
static void check_references(pa_level_check *check, MlirOperation op) {
  if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.stack"))) return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    bool owned = pyarrayOperationGetEffectsOn(op, result).allocates & PYARRAY_RESOURCE_HEADERS;
    if (!owned || !mlirOpOperandIsNull(mlirValueGetFirstUse(result)) || is_on_device(check, op)) continue;
    pa_level_error(check, op, "gives a new reference, '%s', which nothing releases",
                   pa_type_spelled(check, mlirValueGetType(result)));
  }
}

static void check_op(pa_level_check *check, MlirOperation op, pa_op_kind kind) {
  pa_check_typed_op(check, op, kind);
  if (kind == PA_OP_ITERATOR) pa_level_error(check, op, "is gone at level 3");
  if (kind == PA_OP_UFUNC && mlirAttributeIsNull(pa_get_attr(op, "expanded")))
    pa_level_error(check, op, "is not expanded; at level 3 all its arrays have one loop shape, and outputs are given");
  if (kind == PA_OP_CONTRACT && mlirAttributeIsNull(pa_get_attr(op, "expanded")))
    pa_level_error(check, op,
                   "is not expanded; at level 3 it is a product of matrices or vectors, and its output is given");
  if (kind == PA_OP_REDUCE && mlirAttributeIsNull(pa_get_attr(op, "expanded")))
    pa_level_error(check, op, "is not expanded; at level 3 all its arrays have one loop shape");
  MlirType type = pa_find_type(op, is_time);
  if (!mlirTypeIsNull(type))
    pa_level_error(check, op, "has a value of type '%s'; at level 3 times are si64", pa_type_spelled(check, type));
  if (kind != PA_OP_OTHER && kind != PA_OP_FUNC && kind != PA_OP_MODULE && pa_ref_equal(pa_dialect_name(op), "pyarray"))
    check_references(check, op);
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  return pa_check_level(context->arena, module, check_op);
}

const pa_pass pa_pass_check_optimized = {
    .argument = "pyarray-check-optimized",
    .summary = "Fail where a module is not IR of level 3, with explicit ownership",
    .run = run,
};
