// pyarray-make-coroutines: functions with `pyarray.generator` become coroutines of LLVM.
//
// In:  level 4 in blocks, behind pyarray-lower-raises. The body gives what it yields to an address, and waits:
//
//   func.func @f$0(%n: i64) -> (i32, i64) attributes {pyarray.generator, pyarray.memory_site = 0 : i32} {
//     %at = call @pyarray_generator_item() : () -> i64
//     ...
//     %how = call @pyarray_suspend() : () -> i64
//
// Out: the call makes a frame and runs up to the first suspension, which lies before all that the user wrote. The
// promise is what the runtime knows of a generator (pa_generator, lib/runtime/base/objects.h): the address of the item,
// how to go on or how it was left.
//
//   func.func @f$0(%n: i64) -> (i32, i64) attributes {passthrough = ["presplitcoroutine"]} {
//     %promise = llvm.alloca %c1 x !llvm.array<10 x i64>
//     %id = llvm.intr.coro.id %c0, %promise, %null, %null
//     %memory = call @pyarray_rt_generator_new(%size)           // 0: MemoryError
//   ^begin:
//     %handle = llvm.intr.coro.begin %id, %memory
//     ...
//     %at = llvm.load %promise[0]
//     ...
//     llvm.store 1, %promise[1]
//     %waits = llvm.intr.coro.suspend %none, false
//     cf.cond_br %waits is not 0, ^leave(%zero), ^next           // 0: it is run on
//   ^next:
//     %how = llvm.load %promise[1]
//     ...
//     cf.br ^end(%status)                                        // where it returns
//   ^end(%s):
//     llvm.store %s is 0 ? 0 : -1, %promise[1]
//     llvm.intr.coro.suspend %none, true
//   ^leave(%status):
//     llvm.call_intrinsic "llvm.coro.end"(%handle, false, %none)
//     return %status, %handle
#include "ir/blocks.h"
#include "mlir-c/Dialect/LLVM.h"
#include "pass.h"

enum { ITEM, STATE, WORDS = 10 }; // of the promise
enum { YIELDED = 1, ENDED = 0, RAISED = -1 };

typedef struct coroutine {
  MlirContext context;
  MlirOperation module, function;
  MlirRegion region;
  MlirType i1, i8, i32, i64, ptr, token;
  MlirBlock end, leave; // they take the status of the body, of the call
  MlirValue promise, none, handle;
  pa_builder builder; // at the end of a block
} coroutine;

static MlirBlock new_block(coroutine *c) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(c->region, block);
  return block;
}

static MlirValue number(coroutine *c, MlirType type, int64_t value) {
  return pa_constant_int(&c->builder, type, value);
}

static MlirValue is(coroutine *c, int predicate, MlirValue a, MlirValue b) {
  return pa_value(&c->builder, "arith.cmpi", PA_OPERANDS(a, b), PA_RESULTS(c->i1),
                  PA_ATTRS({"predicate", pa_i64_attr(c->context, predicate)}));
}

//===-- Branches ----------------------------------------------------------------------------------===//

static void branch(coroutine *c, MlirBlock target, MlirValue argument) {
  pa_branch(&c->builder, target, &argument, !mlirValueIsNull(argument));
}

// |argument|, which may be null, goes to |then|.
static void branch_if(coroutine *c, MlirValue condition, MlirBlock then, MlirValue argument, MlirBlock otherwise) {
  pa_branch_if(&c->builder, condition, then, &argument, !mlirValueIsNull(argument), otherwise);
}

//===-- The promise -------------------------------------------------------------------------------===//

static MlirValue word(coroutine *c, int index) {
  int32_t byte = 8 * index;
  return pa_value(&c->builder, "llvm.getelementptr", PA_OPERANDS(c->promise), PA_RESULTS(c->ptr),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(c->context, 1, &byte)},
                           {"elem_type", mlirTypeAttrGet(c->i8)}));
}

static MlirValue load_word(coroutine *c, int index) {
  return pa_value(&c->builder, "llvm.load", PA_OPERANDS(word(c, index)), PA_RESULTS(c->i64));
}

static void store_state(coroutine *c, MlirValue state) {
  pa_op(&c->builder, "llvm.store", PA_OPERANDS(state, word(c, STATE)));
}

static MlirValue suspend(coroutine *c, bool last) {
  return pa_value(&c->builder, "llvm.intr.coro.suspend", PA_OPERANDS(c->none, number(c, c->i1, last)),
                  PA_RESULTS(c->i8));
}

//===-- Where it begins ---------------------------------------------------------------------------===//

static void fail(coroutine *c, MlirBlock block) {
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(c->function, "function_type"));
  c->builder.block = block;
  MlirValue site = pa_value(&c->builder, "arith.constant", PA_RESULTS(c->i32),
                            PA_ATTRS({"value", pa_get_attr(c->function, "pyarray.memory_site")}));
  pa_op(&c->builder, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(site),
        PA_ATTRS({"callee", pa_symbol_attr(c->context, "pyarray_rt_raise")}));
  MlirValue results[] = {number(c, c->i32, 1),
                         pa_value(&c->builder, "ub.poison", PA_RESULTS(mlirFunctionTypeGetResult(type, 1)))};
  pa_op(&c->builder, PA_OP_NAME(RETURN), PA_OPERAND_ARRAY(results, 2));
}

static void declare(coroutine *c, const char *name, MlirType parameter, MlirType result) {
  if (!mlirOperationIsNull(pa_lookup(c->module, pa_ref(name)))) return;
  MlirType type = mlirFunctionTypeGet(c->context, 1, &parameter, !mlirTypeIsNull(result), &result);
  pa_builder at = {.context = c->context,
                   .block = pa_module_body(c->module),
                   .location = c->builder.location,
                   .failure = c->builder.failure};
  pa_op(&at, PA_OP_NAME(FUNC), PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(c->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"sym_visibility", pa_string_attr(c->context, "private")}));
  c->builder.failure = at.failure;
}

static void move_to_end(MlirOperation op, MlirBlock block) {
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(block, op);
}

// Stack memory of the function is made in its first block. How much llvm.alloca makes is a constant.
static void move_memory(MlirBlock from, MlirBlock to) {
  MlirOperation op = mlirBlockGetFirstOperation(from);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    if (pa_ref_equal(name, "llvm.alloca")) {
      MlirOperation count = mlirOpResultGetOwner(mlirOperationGetOperand(op, 0));
      if (mlirBlockEqual(mlirOperationGetBlock(count), from)) move_to_end(count, to);
    }
    if (pa_ref_equal(name, "llvm.alloca") || pa_ref_equal(name, "memref.alloca")) move_to_end(op, to);
    op = next;
  }
}

static void move_arguments(coroutine *c, MlirBlock from, MlirBlock to) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(from); ++i) {
    MlirValue old = mlirBlockGetArgument(from, i);
    mlirValueReplaceAllUsesOfWith(old, mlirBlockAddArgument(to, mlirValueGetType(old), c->builder.location));
  }
  for (intptr_t i = mlirBlockGetNumArguments(from); i-- > 0;) mlirBlockEraseArgument(from, (unsigned)i);
}

static void begin(coroutine *c) {
  MlirBlock body = mlirRegionGetFirstBlock(c->region), first = mlirBlockCreate(0, NULL, NULL);
  mlirRegionInsertOwnedBlockBefore(c->region, body, first);
  MlirBlock failed = new_block(c), begins = new_block(c);
  c->end = mlirBlockCreate(1, &c->i32, &c->builder.location);
  c->leave = mlirBlockCreate(1, &c->i32, &c->builder.location);
  mlirRegionAppendOwnedBlock(c->region, c->end);
  mlirRegionAppendOwnedBlock(c->region, c->leave);
  move_arguments(c, body, first);
  move_memory(body, first);
  c->builder.block = first;
  MlirType promise = mlirLLVMArrayTypeGet(c->i64, WORDS);
  c->promise = pa_value(&c->builder, "llvm.alloca", PA_OPERANDS(number(c, c->i32, 1)), PA_RESULTS(c->ptr),
                        PA_ATTRS({"elem_type", mlirTypeAttrGet(promise)}, {"alignment", pa_i64_attr(c->context, 8)}));
  MlirValue null = pa_value(&c->builder, "llvm.mlir.zero", PA_RESULTS(c->ptr));
  c->none = pa_value(&c->builder, "llvm.mlir.none", PA_RESULTS(c->token));
  MlirValue id = pa_value(&c->builder, "llvm.intr.coro.id", PA_OPERANDS(number(c, c->i32, 0), c->promise, null, null),
                          PA_RESULTS(c->token));
  MlirValue size = pa_value(&c->builder, "llvm.intr.coro.size", PA_RESULTS(c->i64));
  declare(c, "pyarray_rt_generator_new", c->i64, c->i64);
  declare(c, "pyarray_rt_raise", c->i32, (MlirType){NULL});
  MlirValue memory = pa_value(&c->builder, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(size), PA_RESULTS(c->i64),
                              PA_ATTRS({"callee", pa_symbol_attr(c->context, "pyarray_rt_generator_new")}));
  branch_if(c, is(c, 0, memory, number(c, c->i64, 0)), failed, (MlirValue){NULL}, begins);
  fail(c, failed);
  c->builder.block = begins;
  MlirValue pointer = pa_value(&c->builder, "llvm.inttoptr", PA_OPERANDS(memory), PA_RESULTS(c->ptr));
  c->handle = pa_value(&c->builder, "llvm.intr.coro.begin", PA_OPERANDS(id, pointer), PA_RESULTS(c->ptr));
  branch(c, body, (MlirValue){NULL});
}

static void leave(coroutine *c) {
  int32_t segments[] = {3, 0};
  c->builder.block = c->leave;
  MlirValue no = number(c, c->i1, 0);
  pa_op(&c->builder, "llvm.call_intrinsic", PA_OPERANDS(c->handle, no, c->none),
        PA_ATTRS({"intrin", pa_string_attr(c->context, "llvm.coro.end")},
                 {"op_bundle_sizes", mlirDenseI32ArrayGet(c->context, 0, NULL)},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(c->context, 2, segments)}));
  MlirValue handle = pa_value(&c->builder, "llvm.ptrtoint", PA_OPERANDS(c->handle), PA_RESULTS(c->i64));
  pa_op(&c->builder, PA_OP_NAME(RETURN), PA_OPERANDS(mlirBlockGetArgument(c->leave, 0), handle));
}

//===-- Suspensions and ends ----------------------------------------------------------------------===//

static void make_suspension(coroutine *c, MlirOperation call) {
  MlirBlock rest = pa_split_after(call);
  c->builder.block = mlirOperationGetBlock(call);
  c->builder.location = mlirOperationGetLocation(call);
  store_state(c, number(c, c->i64, YIELDED));
  MlirValue waits = is(c, 1, suspend(c, false), number(c, c->i8, 0));
  branch_if(c, waits, c->leave, number(c, c->i32, 0), rest);
  c->builder.block = rest;
  c->builder.before = mlirBlockGetFirstOperation(rest);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, 0), load_word(c, STATE));
  c->builder.before = (MlirOperation){NULL};
  mlirOperationDestroy(call);
}

static void make_item(coroutine *c, MlirOperation call) {
  c->builder.block = mlirOperationGetBlock(call);
  c->builder.location = mlirOperationGetLocation(call);
  c->builder.before = call;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, 0), load_word(c, ITEM));
  c->builder.before = (MlirOperation){NULL};
  mlirOperationDestroy(call);
}

static void go_to_end(coroutine *c, MlirOperation end) {
  MlirValue status = mlirOperationGetOperand(end, 0);
  c->builder.block = mlirOperationGetBlock(end);
  c->builder.location = mlirOperationGetLocation(end);
  mlirOperationDestroy(end);
  branch(c, c->end, status);
}

// A coroutine has one last suspension.
static void make_end(coroutine *c) {
  c->builder.block = c->end;
  MlirValue status = mlirBlockGetArgument(c->end, 0);
  MlirValue ended = is(c, 0, status, number(c, c->i32, 0));
  store_state(c, pa_value(&c->builder, "arith.select",
                          PA_OPERANDS(ended, number(c, c->i64, ENDED), number(c, c->i64, RAISED)), PA_RESULTS(c->i64)));
  suspend(c, true);
  branch(c, c->leave, status);
}

//===-- The pass ----------------------------------------------------------------------------------===//

static bool calls(MlirOperation op, const char *name) {
  if (!pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), PA_OP_NAME(FUNC_CALL))) return false;
  return pa_ref_equal(mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee")), name);
}

static pa_status make_coroutine(pa_pass_context *pass, coroutine *c) {
  pa_op_list suspensions = {.arena = pass->arena}, items = suspensions, ends = suspensions;
  for (MlirBlock block = mlirRegionGetFirstBlock(c->region); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    PA_FOR_EACH_OP(op, block) {
      if (calls(op, "pyarray_suspend")) pa_op_list_add(&suspensions, op);
      if (calls(op, "pyarray_generator_item")) pa_op_list_add(&items, op);
      if (pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), PA_OP_NAME(RETURN))) pa_op_list_add(&ends, op);
    }
  if (mlirAttributeIsNull(pa_get_attr(c->function, "pyarray.memory_site")))
    return pa_fail_at(PA_CODE_INVALID, c->builder.location,
                      "a generator has a pyarray.memory_site; run pyarray-lower first");
  begin(c);
  for (size_t i = 0; i < items.count; ++i) make_item(c, items.items[i]);
  for (size_t i = 0; i < suspensions.count; ++i) make_suspension(c, suspensions.items[i]);
  for (size_t i = 0; i < ends.count; ++i) go_to_end(c, ends.items[i]);
  make_end(c);
  leave(c);
  MlirAttribute mark = pa_string_attr(c->context, "presplitcoroutine");
  pa_set_attr(c->function, "passthrough", mlirArrayAttrGet(c->context, 1, &mark));
  mlirOperationRemoveAttributeByName(c->function, pa_ref("pyarray.memory_site"));
  return c->builder.failure;
}

static pa_status run(pa_pass_context *pass, MlirOperation module) {
  MlirContext context = pass->context;
  pa_op_list functions = {.arena = pass->arena};
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    bool function = pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), PA_OP_NAME(FUNC));
    bool done = !mlirAttributeIsNull(pa_get_attr(op, "passthrough"));
    if (function && !done && !mlirAttributeIsNull(pa_get_attr(op, "pyarray.generator")) &&
        !mlirBlockIsNull(pa_body(op, 0)))
      pa_op_list_add(&functions, op);
  }
  for (size_t i = 0; i < functions.count; ++i) {
    coroutine c = {.context = context,
                   .module = module,
                   .function = functions.items[i],
                   .region = mlirOperationGetRegion(functions.items[i], 0),
                   .i1 = mlirIntegerTypeGet(context, 1),
                   .i8 = mlirIntegerTypeGet(context, 8),
                   .i32 = mlirIntegerTypeGet(context, 32),
                   .i64 = mlirIntegerTypeGet(context, 64),
                   .ptr = mlirLLVMPointerTypeGet(context, 0),
                   .token = mlirTypeParseGet(context, pa_ref("!llvm.token")),
                   .builder = {.context = context, .location = mlirOperationGetLocation(functions.items[i])}};
    PA_TRY(make_coroutine(pass, &c));
  }
  return PA_OK;
}

const pa_pass pa_pass_make_coroutines = {
    .argument = "pyarray-make-coroutines",
    .summary = "Make coroutines of LLVM of generators",
    .dependent_dialects = (const char *const[]){"cf", "func", "arith", "ub", "llvm", NULL},
    .run = run,
};
