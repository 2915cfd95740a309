// pyarray-use-native-math: what a GPU computes with an instruction becomes an intrinsic of LLVM, before
// convert-gpu-to-nvvm makes the rest calls of NVIDIA's libdevice. Kernels that need nothing else compile without
// libdevice.
//
// In:  level 5, a gpu.module.
//
//   %0 = math.sqrt %x : f32
//
// Out:
//
//   %0 = llvm.call_intrinsic "llvm.sqrt"(%x) : (f32) -> f32
//
// (convert-gpu-to-nvvm refuses llvm.intr.sqrt and its like.) Flags of fastmath are set again when the module is LLVM
// IR.
#include "ir/ir.h"
#include "pass.h"

static const struct {
  const char *op, *intrinsic;
  bool any; // it has one more operand: whether one value, the least integer or 0, has no result
} rows[] = {
    {"math.absi", "llvm.abs", true},
    {"math.ctlz", "llvm.ctlz", true},
    {"math.cttz", "llvm.cttz", true},
    {"math.ctpop", "llvm.ctpop", false},
    {"math.absf", "llvm.fabs", false},
    {"math.ceil", "llvm.ceil", false},
    {"math.floor", "llvm.floor", false},
    {"math.trunc", "llvm.trunc", false},
    {"math.roundeven", "llvm.roundeven", false},
    {"math.sqrt", "llvm.sqrt", false},
    {"math.fma", "llvm.fma", false},
    {"math.copysign", "llvm.copysign", false},
};
enum { ROWS = sizeof rows / sizeof *rows };

typedef struct replacing {
  MlirContext context;
  MlirIdentifier names[ROWS];
} replacing;

static pa_status visit(void *data, MlirOperation op) {
  const replacing *r = data;
  for (int i = 0; i < ROWS; ++i) {
    if (!mlirIdentifierEqual(mlirOperationGetName(op), r->names[i])) continue;
    MlirValue operands[4], result = mlirOperationGetResult(op, 0);
    intptr_t count = mlirOperationGetNumOperands(op);
    for (intptr_t k = 0; k < count; ++k) operands[k] = mlirOperationGetOperand(op, k);
    pa_builder builder = {.context = r->context,
                          .block = mlirOperationGetBlock(op),
                          .before = op,
                          .location = mlirOperationGetLocation(op)};
    if (rows[i].any) operands[count++] = pa_constant_int(&builder, mlirIntegerTypeGet(r->context, 1), 0);
    int32_t segments[] = {(int32_t)count, 0};
    MlirValue made = pa_value(&builder, "llvm.call_intrinsic", PA_OPERAND_ARRAY(operands, count),
                              PA_RESULTS(mlirValueGetType(result)),
                              PA_ATTRS({"intrin", pa_string_attr(r->context, rows[i].intrinsic)},
                                       {"op_bundle_sizes", mlirDenseI32ArrayGet(r->context, 0, NULL)},
                                       {"operandSegmentSizes", mlirDenseI32ArrayGet(r->context, 2, segments)}));
    PA_TRY(builder.failure);
    mlirValueReplaceAllUsesOfWith(result, made);
    mlirOperationDestroy(op);
    return PA_OK;
  }
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  replacing r = {.context = context->context};
  for (int i = 0; i < ROWS; ++i) r.names[i] = mlirIdentifierGet(r.context, pa_ref(rows[i].op));
  PA_FOR_EACH_OP(op, pa_module_body(module))
  if (pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), "gpu.module"))
    PA_TRY(pa_walk(pa_body(op, 0), visit, &r));
  return PA_OK;
}

const pa_pass pa_pass_use_native_math = {
    .argument = "pyarray-use-native-math",
    .summary = "Use LLVM's intrinsics for functions that are instructions of a GPU",
    .dependent_dialects = (const char *const[]){"arith", "llvm", NULL},
    .run = run,
};
