// pyarray-order-dimensions: ufuncs step through memory in the order in which it lies.
//
// Enters and leaves: level 3. An expanded ufunc with two or more loop dimensions gets views of its operands whose
// dimensions are merged and sorted by stride when it runs, unless their order is known to be right (inner_step.c):
//
//   pyarray.ufunc "()->()" ins(%a : ...) outs(%o : ...) expanded { ... }
// becomes
//   %0:2 = pyarray.order_dimensions %a, %o rank 2 : ...
//   pyarray.ufunc "()->()" ins(%0#0 : ...) outs(%0#1 : ...) expanded { ... }
#include "expand.h"
#include "ir/whole_arrays.h"
#include "pass.h"
#include "support/core_signature.h"

typedef struct ordering {
  pa_arena *arena;
  pa_names names;
} ordering;

static bool is_ordered(MlirValue operand) {
  return mlirValueIsAOpResult(operand) &&
         pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(mlirOpResultGetOwner(operand))),
                      "pyarray.order_dimensions");
}

static bool is_elementwise(const pa_core_signature *core) {
  for (int i = 0; i < core->input_count + core->output_count; ++i)
    if (core->operands[i].rank) return false;
  return true;
}

// Rows of all operands are known to be contiguous, or one element each, and they cannot be merged: the order is right
// as it stands.
static bool is_in_order(const pa_names *names, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op),
           inputs = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 0);
  bool apart = false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!pyarrayTypeIsArray(mlirValueGetType(operand))) continue;
    pa_step step = pa_inner_step(names, operand);
    if (step.kind == PA_STEP_UNKNOWN || (i >= inputs && step.kind != PA_STEP_ONE)) return false;
    apart = apart || step.is_part || step.kind == PA_STEP_NONE;
  }
  return apart;
}

// The loop's rank, or 0 where there is nothing to order.
static int loop_rank(const pa_names *names, MlirOperation op) {
  pa_core_signature core;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  if (pa_core_signature_parse(text.data, text.length, &core)) return 0;
  MlirValue output = mlirOperationGetOperand(op, core.input_count);
  int rank = (int)pyarrayArrayTypeGetRank(mlirValueGetType(output)) - core.operands[core.input_count].rank;
  return rank < 2 || is_ordered(output) || (is_elementwise(&core) && is_in_order(names, op)) ? 0 : rank;
}

static pa_status visit(void *data, MlirOperation op) {
  ordering *o = data;
  bool expanded = pa_kind(&o->names, op) == PA_OP_UFUNC && !mlirAttributeIsNull(pa_get_attr(op, "expanded")) &&
                  mlirAttributeIsNull(pa_get_attr(op, "grid")); // whoever launches it has ordered them
  int rank = expanded ? loop_rank(&o->names, op) : 0;
  return rank ? pa_order_operands(o->arena, op, rank) : PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  ordering o = {.arena = context->arena};
  pa_names_init(&o.names, context->context);
  PA_FOR_EACH_OP(op, pa_module_body(module))
  if (pa_kind(&o.names, op) == PA_OP_FUNC && !mlirBlockIsNull(pa_body(op, 0)) && !pa_is_device_function(op))
    PA_TRY(pa_walk(pa_body(op, 0), visit, &o));
  return PA_OK;
}

const pa_pass pa_pass_order_dimensions = {
    .argument = "pyarray-order-dimensions",
    .summary = "Merge the loop dimensions of ufuncs and sort them by stride",
    .dependent_dialects = (const char *const[]){"pyarray", NULL},
    .run = run,
};
