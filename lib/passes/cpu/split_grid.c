// pyarray-split-grid: how the iterations of scf.parallel run on the CPU.
//
// Enters: level 4. Leaves: the same without scf.parallel. Most become nested scf.for; the innermost says that its
// iterations do not touch each other's memory, so that LLVM vectorises without comparing addresses:
//
//   scf.parallel (%i) = (%c0) to (%n) step (%c1) { ... scf.reduce }
// becomes
//   scf.for %i = %c0 to %n step %c1 { ... } {loop_annotation = #llvm.loop_annotation<parallelAccesses = ...>}
//
// One with the unit attribute pyarray.threads becomes a function over a part of its iterations, and a call that spreads
// the parts over threads. Where an iteration raises, the error is recorded already and the caller only leaves:
//
//   %status = func.call @f$0.launch0(%count, %grain, %captured...) : (i64, i64, ...) -> i32
//   scf.if %failed { func.call @pyarray_rt_leave() : () -> () }
//
//   func.func private @f$0.launch0(i64, i64, ...) -> i32 attributes {pyarray.launch = @f$0.chunk0}   //
//   pyarray-emit-launch func.func private @f$0.chunk0(%begin: i64, %end: i64, %part: i64, %captured...) -> i32 { ... }
//
// So does a counted scf.for with pyarray.threads = ["add", ...], the reductions that it carries (split_reduction.c).
// split_chunk.c has what both share.
#include "pass.h"
#include "split_internal.h"

//===-- Loops -------------------------------------------------------------------------------------===//

MlirAttribute pa_parallel_annotation(MlirContext context, MlirOperation parallel) {
  bool strided = !mlirAttributeIsNull(pa_get_attr(parallel, "pyarray.strided"));
  return mlirAttributeParseGet(context,
                               pa_ref(strided ? "#llvm.loop_annotation<vectorize = <disable = true>>"
                                              : "#llvm.loop_annotation<parallelAccesses = <id = distinct[0]<>>>"));
}

// The loop over dimension |dimension| and, in it, those after it; the body goes into the innermost.
static void emit_loops(pa_splitting *s, pa_builder *at, MlirOperation parallel, int dimension) {
  MlirBlock source = pa_body(parallel, 0);
  int count = (int)mlirBlockGetNumArguments(source);
  MlirType index = mlirIndexTypeGet(at->context);
  pa_builder inside;
  MlirRegion region = pa_inner_region(at, &index, 1, &inside);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(source, dimension), mlirBlockGetArgument(inside.block, 0));
  bool innermost = dimension == count - 1;
  if (innermost)
    pa_move_operations(source, inside.block);
  else
    emit_loops(s, &inside, parallel, dimension + 1);
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  pa_op(at, PA_OP_NAME(SCF_FOR), PA_REGIONS(region),
        PA_OPERANDS(mlirOperationGetOperand(parallel, dimension), mlirOperationGetOperand(parallel, count + dimension),
                    mlirOperationGetOperand(parallel, 2 * count + dimension)),
        PA_ATTRS(
            {"loop_annotation", innermost ? pa_parallel_annotation(at->context, parallel) : mlirAttributeGetNull()}));
}

//===-- The pass ----------------------------------------------------------------------------------===//

// From 0 by 1 in every dimension, as pyarray-lower makes them.
static bool is_normalized(MlirOperation parallel) {
  intptr_t dimensions = mlirBlockGetNumArguments(pa_body(parallel, 0));
  for (intptr_t d = 0; d < dimensions; ++d)
    for (int step = 0; step < 2; ++step) {
      MlirValue value = mlirOperationGetOperand(parallel, (step ? 2 * dimensions : 0) + d);
      if (!pa_defined_by(value, "arith.constant")) return false;
      if (mlirIntegerAttrGetValueInt(pa_get_attr(mlirOpResultGetOwner(value), "value")) != step) return false;
    }
  return true;
}

static bool wants_threads(MlirOperation parallel) {
  return !mlirAttributeIsNull(pa_get_attr(parallel, "pyarray.threads")) && is_normalized(parallel);
}

static pa_status split(pa_splitting *s, MlirOperation parallel) {
  MlirLocation location = mlirOperationGetLocation(parallel);
  if (mlirOperationGetNumResults(parallel))
    return pa_fail_at(PA_CODE_UNSUPPORTED, location, "a scf.parallel with reductions cannot be split");
  pa_builder builder = {
      .context = s->names.context, .location = location, .block = mlirOperationGetBlock(parallel), .before = parallel};
  if (wants_threads(parallel))
    pa_split_parallel(s, &builder, parallel);
  else
    emit_loops(s, &builder, parallel, 0);
  mlirOperationDestroy(parallel);
  return builder.failure;
}

static pa_status visit(void *data, MlirOperation op) {
  pa_splitting *s = data;
  pa_op_kind kind = pa_kind(&s->names, op);
  if (kind == PA_OP_SCF_PARALLEL) return split(s, op);
  bool threads = kind == PA_OP_SCF_FOR && !mlirAttributeIsNull(pa_get_attr(op, "pyarray.threads"));
  return threads ? pa_split_reduction(s, op) : PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_splitting s = {.arena = context->arena, .module = module};
  pa_names_init(&s.names, context->context);
  MlirOperation op = mlirBlockGetFirstOperation(pa_module_body(module));
  while (!mlirOperationIsNull(op)) { // chunks are put before the function they are part of
    s.function = op;
    s.chunks = 0;
    if (pa_kind(&s.names, op) == PA_OP_FUNC && !mlirBlockIsNull(pa_body(op, 0)))
      PA_TRY(pa_walk(pa_body(op, 0), visit, &s));
    op = mlirOperationGetNextInBlock(op);
  }
  return PA_OK;
}

const pa_pass pa_pass_split_grid = {
    .argument = "pyarray-split-grid",
    .summary = "Decide how the iterations of scf.parallel run on the CPU",
    .dependent_dialects = (const char *const[]){"scf", "func", "arith", "memref", "llvm", NULL},
    .run = run,
};
