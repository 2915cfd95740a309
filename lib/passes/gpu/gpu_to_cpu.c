// pyarray-gpu-to-cpu: a kernel becomes a function that runs one block of threads on the CPU.
//
// Enters: level 5, a gpu.module with one kernel (pyarray-outline-kernel). Leaves: the same level without gpu
// operations:
//
//   gpu.module @kernels { gpu.func @k(%x_data: !llvm.ptr, ...) kernel {
//     A
//     gpu.barrier
//     B
//     gpu.return } }
// becomes
//   func.func @pyarray_block(%parameters: !llvm.ptr, %block: !llvm.ptr) -> i32 attributes {pyarray.block} {
//     scf.for z { scf.for y { scf.for x { A } } }
//     scf.for z { scf.for y { scf.for x { B } } }
//     return %c0_i32
//   }
//
// docs/internals-cuda.md ("GPU on CPU") has the rules. Between two synchronising operations the threads run one after
// the other, in a loop that LLVM vectorises; what a thread computes before a barrier and uses behind it is kept in
// scratch memory. Control flow around barriers runs once for the block where all threads agree on it, else under masks.
#include "ir/blocks.h"
#include "lockstep.h"
#include "mlir-c/Dialect/LLVM.h"
#include "pass.h"

//===-- Blocks ------------------------------------------------------------------------------------===//

void pa_lockstep_emit_block(pa_lockstep *lock, MlirBlock block) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  PA_FOR_EACH_OP(op, block) {
    if (pa_failed(&lock->once) || mlirOperationEqual(op, terminator)) return;
    lock->once.location = mlirOperationGetLocation(op);
    if (pa_is_synchronising(lock, op))
      pa_emit_synchronising(lock, op);
    else
      pa_segment_add(lock, op);
  }
}

//===-- The function -----------------------------------------------------------------------------===//

static void emit_function(pa_lockstep *lock) {
  MlirLocation location = mlirOperationGetLocation(lock->kernel);
  MlirBlock body;
  MlirRegion region = pa_region(location, (MlirType[]){lock->ptr, lock->ptr}, 2, &body);
  lock->once = (pa_builder){.context = lock->context, .block = body, .location = location};
  int64_t shared = pa_bind_launch(lock, body);
  MlirOperation end =
      pa_op(&lock->once, "arith.constant", PA_RESULTS(lock->i32), PA_ATTRS({"value", pa_i32_attr(lock->context, 0)}));
  lock->entry = lock->once;
  lock->entry.before = end;
  pa_watch_barriers(lock);
  pa_lockstep_emit_block(lock, pa_body(lock->kernel, 0));
  pa_segment_close(lock);
  pa_take_failure(&lock->once, &lock->entry);
  if (!mlirOperationIsNull(end)) pa_op(&lock->once, PA_OP_NAME(RETURN), PA_OPERANDS(mlirOperationGetResult(end, 0)));
  pa_builder at = {.context = lock->context, .block = pa_module_body(lock->module), .location = location};
  MlirType type = mlirFunctionTypeGet(lock->context, 2, (MlirType[]){lock->ptr, lock->ptr}, 1, &lock->i32);
  pa_op(&at, PA_OP_NAME(FUNC), PA_REGIONS(region),
        PA_ATTRS({"sym_name", pa_string_attr(lock->context, "pyarray_block")}, {"function_type", mlirTypeAttrGet(type)},
                 {"pyarray.block", pa_unit_attr(lock->context)},
                 {"pyarray.qualname", pa_get_attr(lock->kernel, "pyarray.qualname")}));
  pa_take_failure(&lock->once, &at);
  pa_export_number(lock, "pyarray_block_scratch", lock->scratch);
  pa_export_number(lock, "pyarray_block_shared", shared);
  if (lock->waits) pa_export_number(lock, "pyarray_block_waits", lock->waits);
  if (lock->races) pa_export_number(lock, "pyarray_block_races", 1);
}

//===-- The pass ----------------------------------------------------------------------------------===//

static MlirOperation find_kernel(MlirOperation kernels) {
  PA_FOR_EACH_OP(op, pa_body(kernels, 0))
  if (pa_op_is(op, "gpu.func") && !mlirAttributeIsNull(pa_get_attr(op, "gpu.kernel"))) return op;
  return (MlirOperation){NULL};
}

static pa_status convert(pa_pass_context *context, MlirOperation module, MlirOperation kernels) {
  pa_lockstep lock = {.arena = context->arena, .context = context->context, .module = module, .kernels = kernels};
  pa_names_init(&lock.names, context->context);
  lock.kernel = find_kernel(kernels);
  if (mlirOperationIsNull(lock.kernel)) return PA_OK;
  lock.races = !mlirAttributeIsNull(pa_get_attr(module, "pyarray.races"));
  lock.i1 = mlirIntegerTypeGet(context->context, 1);
  lock.i8 = mlirIntegerTypeGet(context->context, 8);
  lock.i32 = mlirIntegerTypeGet(context->context, 32);
  lock.i64 = mlirIntegerTypeGet(context->context, 64);
  lock.index = mlirIndexTypeGet(context->context);
  lock.ptr = mlirLLVMPointerTypeGet(context->context, 0);
  pa_drop_spaces(lock.kernel);
  pa_interchange_loops(&lock);
  if (lock.once.failure) return lock.once.failure;
  pa_find_uniform(&lock);
  pa_number_segments(&lock);
  emit_function(&lock);
  if (lock.once.failure) return lock.once.failure;
  pa_move_to_module(&lock);
  mlirOperationDestroy(kernels);
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  MlirOperation op = mlirBlockGetFirstOperation(pa_module_body(module));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (pa_op_is(op, "gpu.module")) PA_TRY(convert(context, module, op));
    op = next;
  }
  return PA_OK;
}

const pa_pass pa_pass_gpu_to_cpu = {
    .argument = "pyarray-gpu-to-cpu",
    .summary = "Turn a kernel into a function over the threads of a block",
    .dependent_dialects = (const char *const[]){"scf", "func", "arith", "memref", "llvm", NULL},
    .run = run,
};
