// pyarray-prune-branches: takes the only branch that can be taken, before types are known.
//
// Enters and leaves: untyped functions. A condition is decided when it rests on literals and frozen globals; what rests
// on parameters is decided in each instance (infer-types), since the function may call itself with others. Code in a
// branch that is not taken need not have types.
//
//   %0 = pyarray.constant true -> !pyarray.any  // a global variable
//   %1 = pyarray.truth %0
//   %2 = scf.if %1 -> ... { A } else { B }      becomes A
#include "pass.h"
#include "typing.h"

typedef struct pruning {
  pa_pass_context *pass;
  pa_names names;
} pruning;

// The literal fact of a value, or bottom when it is not a literal.
static pa_fact literal_of(const pruning *p, MlirValue value, int depth) {
  const pa_fact unknown = {0};
  MlirContext context = p->pass->context;
  if (depth > 32 || mlirValueIsABlockArgument(value)) return unknown;
  MlirOperation op = mlirOpResultGetOwner(value);
  pa_op_kind kind = pa_kind(&p->names, op);
  if (kind == PA_OP_CONSTANT) return pa_literal_fact(context, pa_get_attr(op, "value"));
  if (kind != PA_OP_COMPARE && kind != PA_OP_UNARY && kind != PA_OP_TRUTH && kind != PA_OP_BINARY) return unknown;
  pa_fact operands[2];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    operands[i] = literal_of(p, mlirOperationGetOperand(op, i), depth + 1);
    if (pa_is_bottom(operands[i])) return unknown;
  }
  pa_typing typing = {.context = context, .arena = p->pass->arena, .location = mlirOperationGetLocation(op)};
  pa_operator typed = {{NULL}, {NULL}, {NULL}, {NULL}};
  pa_fact truth = unknown;
  pa_status status = PA_OK;
  MlirAttribute attr = pa_get_attr(op, "kind");
  if (kind == PA_OP_TRUTH)
    status = pa_type_truth(&typing, operands[0], &truth);
  else if (kind == PA_OP_UNARY)
    status = pa_type_unary(&typing, (pyarray_unary_kind)pyarrayUnaryKindAttrGetValue(attr), operands[0], &typed);
  else if (kind == PA_OP_BINARY)
    status = pa_type_binary(&typing, (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(attr), operands[0], operands[1],
                            &typed);
  else
    status = pa_type_compare(&typing, (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(attr), operands[0],
                             operands[1], &typed);
  if (status) return pa_status_free(status), unknown; // type inference will say what is wrong
  if (kind != PA_OP_TRUTH) truth = pa_fact_known(typed.result, typed.literal);
  return mlirAttributeIsNull(truth.literal) ? unknown : truth;
}

static void take_branch(MlirOperation op, bool taken) {
  MlirBlock block = pa_body(op, taken ? 0 : 1);
  if (!mlirBlockIsNull(block)) {
    MlirOperation end = mlirBlockGetTerminator(block), inner = mlirBlockGetFirstOperation(block);
    while (!mlirOperationEqual(inner, end)) {
      MlirOperation next = mlirOperationGetNextInBlock(inner);
      mlirOperationMoveBefore(inner, op);
      inner = next;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetOperand(end, i));
  }
  mlirOperationDestroy(op);
}

// The test of a comprehension: what it filters says what the items are, even if there are none.
static bool is_filter(MlirValue condition) {
  return mlirValueIsAOpResult(condition) &&
         !mlirAttributeIsNull(pa_get_attr(mlirOpResultGetOwner(condition), "pyarray.filter"));
}

static void prune_block(const pruning *p, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block), previous = {NULL};
  while (!mlirOperationIsNull(op)) {
    int64_t value;
    if (pa_kind(&p->names, op) == PA_OP_SCF_IF && !is_filter(mlirOperationGetOperand(op, 0)) &&
        pa_literal_int(literal_of(p, mlirOperationGetOperand(op, 0), 0), &value)) {
      take_branch(op, value != 0); // go on with the first operation that was moved out
      op = mlirOperationIsNull(previous) ? mlirBlockGetFirstOperation(block) : mlirOperationGetNextInBlock(previous);
      continue;
    }
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) prune_block(p, pa_body(op, r));
    previous = op;
    op = mlirOperationGetNextInBlock(op);
  }
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pruning p = {.pass = context};
  pa_names_init(&p.names, context->context);
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (pa_kind(&p.names, op) != PA_OP_FUNC || mlirBlockIsNull(pa_body(op, 0))) continue;
    prune_block(&p, pa_body(op, 0));
  }
  return PA_OK;
}

const pa_pass pa_pass_prune_branches = {
    .argument = "pyarray-prune-branches",
    .summary = "Take the only possible branch where a condition rests on literals",
    .run = run,
};
