// pyarray-emit-launch: calls that spread a loop over threads, by the runtime.
//
// In:  a module of the llvm dialect with declared functions that have attribute pyarray.launch (from
// pyarray-split-grid):
//
//   llvm.func @f$0.launch0(i64, i64, !llvm.ptr, ...) -> i32 attributes {pyarray.launch = @f$0.chunk0}
//
// Out: they store what they are given in a context, and a function of the runtime's type takes it out again:
//
//   llvm.func @f$0.launch0(%count: i64, %grain: i64, %0: !llvm.ptr, ...) -> i32 {
//     %context = llvm.alloca ... : !llvm.struct<(ptr, ...)>
//     ...
//     llvm.call @pyarray_rt_parallel_for(@f$0.chunk0.part, %context, %count, %grain)
//   llvm.func @f$0.chunk0.part(%context: !llvm.ptr, %begin: i64, %end: i64, %part: i64) -> i32 { ... llvm.call
//   @f$0.chunk0 ... }
#include "ir/ir.h"
#include "mlir-c/Dialect/LLVM.h"
#include "pass.h"

static const char runtime_name[] = "pyarray_rt_parallel_for";

enum { PA_LAUNCH_PARAMETERS = 2, PA_CHUNK_PARAMETERS = 3 }; // count, grain; begin, end, part

typedef struct launching {
  pa_arena *arena;
  MlirContext context;
  MlirOperation module;
  MlirType ptr, i32, i64;
  MlirType capture; // struct of what is captured
  int captured;
  const MlirType *types; // of the captured values
} launching;

static MlirValue field(const launching *l, pa_builder *at, MlirValue context, int number) {
  int32_t indices[] = {0, number};
  return pa_value(at, "llvm.getelementptr", PA_OPERANDS(context), PA_RESULTS(l->ptr),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(l->context, 2, indices)},
                           {"elem_type", mlirTypeAttrGet(l->capture)}));
}

static MlirValue call(const launching *l, pa_builder *at, MlirAttribute callee, const MlirValue *operands,
                      intptr_t count) {
  int32_t segments[] = {(int32_t)count, 0};
  return pa_value(at, "llvm.call", PA_OPERAND_ARRAY(operands, count), PA_RESULTS(l->i32),
                  PA_ATTRS({"callee", callee}, {"op_bundle_sizes", mlirDenseI32ArrayGet(l->context, 0, NULL)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(l->context, 2, segments)}));
}

static void emit_function(const launching *l, pa_builder *at, const char *name, const MlirType *types, intptr_t count,
                          MlirRegion body) {
  MlirType type = mlirLLVMFunctionTypeGet(l->i32, count, types, false);
  pa_op(at, "llvm.func", PA_REGIONS(body),
        PA_ATTRS({"sym_name", pa_string_attr(l->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"CConv", mlirAttributeParseGet(l->context, pa_ref("#llvm.cconv<ccc>"))},
                 {"linkage", mlirLLVMLinkageAttrGet(l->context, MlirLLVMLinkageExternal)}));
}

//===-- The two functions -------------------------------------------------------------------------===//

static void emit_part(const launching *l, pa_builder *at, const char *name, MlirAttribute chunk) {
  MlirType types[] = {l->ptr, l->i64, l->i64, l->i64};
  pa_builder inside = *at;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(at->location, types, 4, &inside.block);
  MlirValue *operands = PA_NEW_ARRAY(l->arena, MlirValue, PA_CHUNK_PARAMETERS + l->captured);
  for (int i = 0; i < PA_CHUNK_PARAMETERS; ++i) operands[i] = mlirBlockGetArgument(inside.block, i + 1);
  for (int i = 0; i < l->captured; ++i) {
    MlirValue address = field(l, &inside, mlirBlockGetArgument(inside.block, 0), i);
    operands[PA_CHUNK_PARAMETERS + i] = pa_value(&inside, "llvm.load", PA_OPERANDS(address), PA_RESULTS(l->types[i]));
  }
  MlirValue status = call(l, &inside, chunk, operands, PA_CHUNK_PARAMETERS + l->captured);
  pa_op(&inside, "llvm.return", PA_OPERANDS(status));
  if (inside.failure) at->failure = inside.failure;
  emit_function(l, at, name, types, 4, region);
}

static void declare_runtime(const launching *l, pa_builder *at) {
  if (!mlirOperationIsNull(pa_lookup(l->module, pa_ref(runtime_name)))) return;
  MlirType types[] = {l->i64, l->i64, l->i64, l->i64};
  emit_function(l, at, runtime_name, types, 4, mlirRegionCreate());
}

static void fill_launch(const launching *l, pa_builder *at, MlirOperation launch, const char *part,
                        const MlirType *types) {
  MlirLocation *locations = PA_NEW_ARRAY(l->arena, MlirLocation, PA_LAUNCH_PARAMETERS + l->captured);
  for (int i = 0; i < PA_LAUNCH_PARAMETERS + l->captured; ++i) locations[i] = at->location;
  pa_builder inside = *at;
  inside.before = (MlirOperation){NULL};
  inside.block = mlirBlockCreate(PA_LAUNCH_PARAMETERS + l->captured, types, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(launch, 0), inside.block);
  MlirValue one = pa_llvm_constant(&inside, l->i64, 1);
  MlirValue context =
      pa_value(&inside, "llvm.alloca", PA_OPERANDS(one), PA_RESULTS(l->ptr),
               PA_ATTRS({"elem_type", mlirTypeAttrGet(l->capture)}, {"alignment", pa_i64_attr(l->context, 16)}));
  for (int i = 0; i < l->captured; ++i) {
    MlirValue address = field(l, &inside, context, i);
    pa_op(&inside, "llvm.store", PA_OPERANDS(mlirBlockGetArgument(inside.block, PA_LAUNCH_PARAMETERS + i), address));
  }
  MlirValue function = pa_value(&inside, "llvm.mlir.addressof", PA_RESULTS(l->ptr),
                                PA_ATTRS({"global_name", pa_symbol_attr(l->context, part)}));
  MlirValue operands[] = {pa_value(&inside, "llvm.ptrtoint", PA_OPERANDS(function), PA_RESULTS(l->i64)),
                          pa_value(&inside, "llvm.ptrtoint", PA_OPERANDS(context), PA_RESULTS(l->i64)),
                          mlirBlockGetArgument(inside.block, 0), mlirBlockGetArgument(inside.block, 1)};
  MlirValue status = call(l, &inside, pa_symbol_attr(l->context, runtime_name), operands, 4);
  pa_op(&inside, "llvm.return", PA_OPERANDS(status));
  if (inside.failure) at->failure = inside.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static bool is_declaration(MlirOperation op) {
  return pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), "llvm.func") && mlirBlockIsNull(pa_body(op, 0));
}

static pa_status emit_launch(launching *l, MlirOperation launch, MlirAttribute chunk) {
  MlirLocation location = mlirOperationGetLocation(launch);
  if (!is_declaration(launch))
    return pa_fail_at(PA_CODE_INVALID, location, "pyarray.launch belongs to a declared function of the llvm dialect");
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(launch, "function_type"));
  int count = (int)mlirLLVMFunctionTypeGetNumInputs(type);
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(chunk);
  if (count < PA_LAUNCH_PARAMETERS || mlirOperationIsNull(pa_lookup(l->module, name)))
    return pa_fail_at(PA_CODE_INVALID, location, "pyarray.launch names no function of this module");
  MlirType *types = PA_NEW_ARRAY(l->arena, MlirType, count);
  for (int i = 0; i < count; ++i) types[i] = mlirLLVMFunctionTypeGetInput(type, i);
  l->captured = count - PA_LAUNCH_PARAMETERS;
  l->types = types + PA_LAUNCH_PARAMETERS;
  l->capture = mlirLLVMStructTypeLiteralGet(l->context, l->captured, l->types, false);
  const char *part = pa_arena_format(l->arena, "%.*s.part", (int)name.length, name.data);
  pa_builder builder = {
      .context = l->context, .location = location, .block = pa_module_body(l->module), .before = launch};
  declare_runtime(l, &builder);
  emit_part(l, &builder, part, chunk);
  fill_launch(l, &builder, launch, part, types);
  mlirOperationRemoveAttributeByName(launch, pa_ref("pyarray.launch"));
  mlirOperationRemoveAttributeByName(launch, pa_ref("sym_visibility"));
  return builder.failure;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  MlirContext ctx = context->context;
  launching l = {.arena = context->arena,
                 .context = ctx,
                 .module = module,
                 .ptr = mlirLLVMPointerTypeGet(ctx, 0),
                 .i32 = mlirIntegerTypeGet(ctx, 32),
                 .i64 = mlirIntegerTypeGet(ctx, 64)};
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    MlirAttribute chunk = pa_get_attr(op, "pyarray.launch");
    if (mlirAttributeIsNull(chunk)) continue;
    if (!mlirAttributeIsAFlatSymbolRef(chunk))
      return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op), "pyarray.launch is a symbol");
    PA_TRY(emit_launch(&l, op, chunk));
  }
  return PA_OK;
}

const pa_pass pa_pass_emit_launch = {
    .argument = "pyarray-emit-launch",
    .summary = "Make the calls that spread a loop over threads",
    .dependent_dialects = (const char *const[]){"llvm", NULL},
    .run = run,
};
