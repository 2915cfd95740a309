#include "local_generator.h"

#include "mlir-c/Dialect/LLVM.h"
#include "support/map.h"

static bool is_zero(MlirValue value) {
  int64_t number;
  return pa_is_constant_int(value, &number) && number == 0;
}

// Pointers of the address space that stack memory is in.
static bool is_pointer_cast(MlirOperation op) {
  if (!pa_op_is(op, "llvm.inttoptr")) return false;
  return mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)),
                       mlirLLVMPointerTypeGet(mlirOperationGetContext(op), 0));
}

static bool is_call(MlirOperation op, const char *name, intptr_t operands, intptr_t results) {
  return pa_calls(op, name) && mlirOperationGetNumOperands(op) == operands && mlirOperationGetNumResults(op) == results;
}

static MlirOperation definition(MlirValue value, const char *name) {
  const MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value)) return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  return pa_op_is(op, name) ? op : none;
}

// The place for items is stack memory of the caller's that nothing else has the address of.
static bool find_space(pa_local_generator *m, MlirValue generator, MlirValue address) {
  MlirOperation cast = definition(address, "arith.index_cast");
  MlirOperation extract = mlirOperationIsNull(cast)
                              ? cast
                              : definition(mlirOperationGetOperand(cast, 0), "memref.extract_aligned_pointer_as_index");
  MlirOperation memory =
      mlirOperationIsNull(extract) ? extract : definition(mlirOperationGetOperand(extract, 0), "memref.alloca");
  if (mlirOperationIsNull(memory)) return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(memory, 0));
  if (mlirShapedTypeGetRank(type) != 1 || mlirShapedTypeIsDynamicDim(type, 0)) return false;
  PA_FOR_EACH_USE(use, mlirOperationGetResult(memory, 0))
  if (!mlirOperationEqual(mlirOpOperandGetOwner(use), extract)) return false;
  PA_FOR_EACH_USE(use, mlirOperationGetResult(extract, 0))
  if (!mlirOperationEqual(mlirOpOperandGetOwner(use), cast)) return false;
  PA_FOR_EACH_USE(use, address) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_pointer_cast(user))
      pa_op_list_add(&m->pointers, user);
    else if (!is_call(user, "pyarray_rt_generator_next", 2, 1) ||
             !mlirValueEqual(mlirOperationGetOperand(user, 0), generator))
      return false;
  }
  if (mlirShapedTypeGetDimSize(type, 0) > m->words) m->words = mlirShapedTypeGetDimSize(type, 0);
  return true;
}

// A slot that holds this generator or nothing, and is read to release it alone.
static bool find_releases(pa_local_generator *m, MlirValue generator, MlirValue slot) {
  if (mlirOperationIsNull(definition(slot, "memref.alloca"))) return false;
  PA_FOR_EACH_USE(use, slot) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (pa_op_is(user, "memref.store")) {
      MlirValue stored = mlirOperationGetOperand(user, 0);
      if (!mlirValueEqual(stored, generator) && !is_zero(stored)) return false;
      continue;
    }
    if (!pa_op_is(user, "memref.load")) return false;
    PA_FOR_EACH_USE(read, mlirOperationGetResult(user, 0)) {
      if (!is_call(mlirOpOperandGetOwner(read), "pyarray_rt_release", 1, 0)) return false;
      pa_op_list_add(&m->releases, mlirOpOperandGetOwner(read));
    }
  }
  return true;
}

bool pa_find_local_uses(pa_arena *arena, pa_local_generator *m) {
  m->nexts.arena = m->releases.arena = m->stores.arena = m->pointers.arena = arena;
  MlirValue generator = mlirOperationGetResult(m->call, 1);
  pa_map spaces = {0}, slots = {0};
  PA_FOR_EACH_USE(use, generator) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_call(user, "pyarray_rt_generator_next", 2, 1) && mlirOpOperandGetOperandNumber(use) == 0) {
      MlirValue address = mlirOperationGetOperand(user, 1);
      if (!pa_map_get(&spaces, address.ptr) && !find_space(m, generator, address)) return false;
      pa_map_put(arena, &spaces, address.ptr, user.ptr);
      pa_op_list_add(&m->nexts, user);
    } else if (pa_op_is(user, "memref.store") && mlirOpOperandGetOperandNumber(use) == 0) {
      MlirValue slot = mlirOperationGetOperand(user, 1);
      if (!pa_map_get(&slots, slot.ptr) && !find_releases(m, generator, slot)) return false;
      pa_map_put(arena, &slots, slot.ptr, user.ptr);
      pa_op_list_add(&m->stores, user);
    } else {
      return false;
    }
  }
  return true;
}

// Whether blocks of another function can have its operations: of what is stored through the address of an item only
// pointers are made, and stack memory is made where it begins. The status and the handle.
static bool gives_generator(MlirOperation function) {
  MlirContext context = mlirOperationGetContext(function);
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  return mlirFunctionTypeGetNumResults(type) == 2 &&
         mlirTypeEqual(mlirFunctionTypeGetResult(type, 0), mlirIntegerTypeGet(context, 32)) &&
         mlirTypeEqual(mlirFunctionTypeGetResult(type, 1), mlirIntegerTypeGet(context, 64));
}

bool pa_can_be_inlined(pa_local_generator *m, int most) {
  MlirBlock first = pa_body(m->callee, 0);
  m->operations = 0;
  if (!gives_generator(m->callee)) return false;
  for (MlirBlock block = first; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    PA_FOR_EACH_OP(op, block) {
      ++m->operations;
      bool memory = pa_op_is(op, "memref.alloca") || pa_op_is(op, "llvm.alloca");
      if (memory && !mlirBlockEqual(block, first)) return false;
      if (pa_calls(op, "pyarray_suspend") && !is_call(op, "pyarray_suspend", 0, 1)) return false;
      if (!pa_calls(op, "pyarray_generator_item")) continue;
      if (!is_call(op, "pyarray_generator_item", 0, 1)) return false;
      PA_FOR_EACH_USE(use, mlirOperationGetResult(op, 0)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (!is_pointer_cast(user) && !pa_op_is(user, "arith.cmpi")) return false;
      }
    }
  return m->operations <= most;
}
