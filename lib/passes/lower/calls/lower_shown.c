// Of pyarray-lower: variables of kernels for debuggers (pyarray.variables of the module).
//
//   %n = pyarray.builtin "pyarray.shown"("x", %x) : (!pyarray.str, f64) -> !pyarray.none
// becomes
//   %slot = llvm.alloca %c1 x f64 {pyarray.variable = "d:x"} : (i64) -> !llvm.ptr          in the entry block
//   llvm.store %x, %slot
//
// A variable has one slot of each type in each place that its function was inlined at. pyarray-debug-info says what the
// slots are.
#include "lower_arrays.h"
#include "lower_calls.h"
#include "lower_items.h"
#include "lower_numbers.h"
#include "mlir-c/Dialect/LLVM.h"

// Of the function that the operation is from: where it was inlined, or null.
static const void *caller_of(MlirLocation location) {
  return mlirLocationIsACallSite(location) ? mlirLocationCallSiteGetCaller(location).ptr : NULL;
}

static const char *callee_of(pa_lowering *lower, MlirLocation location) {
  MlirLocation callee = mlirLocationIsACallSite(location) ? mlirLocationCallSiteGetCallee(location)
                                                          : mlirLocationUnknownGet(lower->context);
  if (!mlirLocationIsAName(callee)) return "";
  MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(callee));
  return pa_arena_copy(lower->arena, name.data, name.length);
}

static MlirValue slot_of(pa_lowering *lower, const char *name, pa_scalar scalar) {
  MlirLocation location = lower->builder.location;
  const char *text = pa_arena_format(lower->arena, "%c:%s", pa_scalar_code(scalar), name);
  const char *key = pa_arena_format(lower->arena, "%s %p %s", text, caller_of(location), callee_of(lower, location));
  const void *known = pa_text(lower, key).ptr;
  MlirValue slot = {pa_map_get(&lower->shown, known)};
  if (!mlirValueIsNull(slot)) return slot;
  pa_builder builder = pa_entry_builder(lower);
  builder.location = location;
  MlirValue one = pa_constant_int(&builder, lower->i64, 1);
  MlirOperation op =
      pa_op(&builder, "llvm.alloca", PA_OPERANDS(one), PA_RESULTS(mlirLLVMPointerTypeGet(lower->context, 0)),
            PA_ATTRS({"elem_type", mlirTypeAttrGet(pa_element_memory(lower, scalar))},
                     {"alignment", pa_i64_attr(lower->context, pa_scalar_bytes(scalar))},
                     {"pyarray.variable", pa_text(lower, text)}));
  pa_entry_built(lower, &builder, op);
  if (mlirOperationIsNull(op)) return slot;
  slot = mlirOperationGetResult(op, 0);
  pa_map_put(lower->arena, &lower->shown, known, (void *)slot.ptr);
  return slot;
}

void pa_lower_shown(pa_lowering *lower, const pa_builtin_call *call) {
  MlirOperation name = call->count == 2 ? pa_definition(pa_operand(call->op, 0)) : (MlirOperation){NULL};
  MlirAttribute text = mlirOperationIsNull(name) ? mlirAttributeGetNull() : pa_get_attr(name, "value");
  pa_scalar scalar = call->count == 2 ? pa_scalar_of_value(pa_operand(call->op, 1)) : PA_NOT_SCALAR;
  if (scalar != PA_NOT_SCALAR && !mlirAttributeIsNull(text) && mlirAttributeIsAString(text)) {
    MlirValue slot = slot_of(lower, pa_attr_text(lower->arena, text), scalar);
    if (!mlirValueIsNull(slot))
      pa_store_number(lower, slot, scalar, pa_scalar_bytes(scalar), pa_argument(lower, call, 1));
  }
  pa_finish_none(lower, call);
}
