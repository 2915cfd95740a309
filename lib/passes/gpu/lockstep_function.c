// Of pyarray-gpu-to-cpu: what is around the code of the kernel: the launch's facts and parameters, exported sizes,
// other functions.
#include "ir/blocks.h"
#include "lockstep.h"
#include "mlir-c/Dialect/LLVM.h"

//===-- Small operations --------------------------------------------------------------------------===//

static MlirValue address(pa_lockstep *lock, pa_builder *at, MlirValue base, int64_t bytes) {
  int32_t index = (int32_t)bytes;
  return pa_value(at, "llvm.getelementptr", PA_OPERANDS(base), PA_RESULTS(lock->ptr),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(lock->context, 1, &index)},
                           {"elem_type", mlirTypeAttrGet(lock->i8)}));
}

static MlirValue load(pa_lockstep *lock, pa_builder *at, MlirValue base, int64_t bytes, MlirType type) {
  MlirValue from = address(lock, at, base, bytes);
  return pa_value(at, "llvm.load", PA_OPERANDS(from), PA_RESULTS(type),
                  PA_ATTRS({"invariant", pa_unit_attr(lock->context)}));
}

static MlirValue to_index(pa_lockstep *lock, pa_builder *at, MlirValue value) {
  return pa_value(at, "arith.index_cast", PA_OPERANDS(value), PA_RESULTS(lock->index));
}

//===-- The function ------------------------------------------------------------------------------===//

static MlirType without_space(MlirType type) {
  if (!mlirTypeIsAMemRef(type) || mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type))) return type;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t shape[64];
  for (intptr_t d = 0; d < rank && d < 64; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  return mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, shape, mlirMemRefTypeGetLayout(type),
                           mlirAttributeGetNull());
}

static MlirWalkResult drop_spaces(MlirOperation op, void *data) {
  (void)data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue value = mlirOperationGetResult(op, i);
    mlirValueSetType(value, without_space(mlirValueGetType(value)));
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = pa_body(op, r);
    for (intptr_t i = 0; !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); ++i) {
      MlirValue value = mlirBlockGetArgument(block, i);
      mlirValueSetType(value, without_space(mlirValueGetType(value)));
    }
  }
  return MlirWalkResultAdvance;
}

static int64_t memref_bytes(MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type);
  int64_t bytes = mlirTypeIsAComplex(element) ? 2 : 1;
  if (mlirTypeIsAComplex(element)) element = mlirComplexTypeGetElementType(element);
  bytes *= mlirTypeIsAInteger(element) ? (mlirIntegerTypeGetWidth(element) + 7) / 8
           : mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element) / 8
                                       : 8;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) bytes *= mlirShapedTypeGetDimSize(type, d);
  return bytes;
}

// The launch's facts, once at the top of the function. |parameters| and the block are its arguments.
static void emit_prologue(pa_lockstep *lock, MlirBlock body) {
  pa_builder *at = &lock->once;
  lock->block = mlirBlockGetArgument(body, 1);
  lock->zero = pa_constant_int(at, lock->index, 0);
  lock->one = pa_constant_int(at, lock->index, 1);
  lock->threads = pa_constant_int(at, lock->i64, 1);
  for (int d = 0; d < PA_DIMENSIONS; ++d) {
    MlirValue extent = load(lock, at, lock->block, PA_BLOCK_EXTENTS + 8 * d, lock->i64);
    lock->extents[d] = to_index(lock, at, extent);
    lock->indices[d] = to_index(lock, at, load(lock, at, lock->block, PA_BLOCK_INDEX + 8 * d, lock->i64));
    lock->grid[d] = to_index(lock, at, load(lock, at, lock->block, PA_BLOCK_GRID + 8 * d, lock->i64));
    lock->threads = pa_value(at, "arith.muli", PA_OPERANDS(lock->threads, extent), PA_RESULTS(lock->i64));
  }
  lock->scratch_base = load(lock, at, lock->block, PA_BLOCK_SCRATCH, lock->ptr);
}

// Of a workgroup attribution.
static int64_t alignment_of(pa_lockstep *lock, intptr_t attribution) {
  MlirAttribute attributes = pa_get_attr(lock->kernel, "workgroup_attrib_attrs"), alignment = {NULL};
  if (!mlirAttributeIsNull(attributes))
    alignment =
        mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(attributes, attribution), pa_ref("llvm.align"));
  return mlirAttributeIsNull(alignment) ? PA_ROOM_ALIGNMENT : mlirIntegerAttrGetValueInt(alignment);
}

// Gives the bytes of static shared memory: that of the workgroup attributions, and of arrays that became a part of the
// dynamic one.
static int64_t bind_parameters(pa_lockstep *lock, MlirBlock body) {
  pa_builder *at = &lock->once;
  MlirBlock source = pa_body(lock->kernel, 0);
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(lock->kernel, "function_type"));
  intptr_t parameters = mlirFunctionTypeGetNumInputs(type), count = mlirBlockGetNumArguments(source);
  MlirValue slots = mlirBlockGetArgument(body, 0), shared = load(lock, at, lock->block, PA_BLOCK_SHARED, lock->ptr);
  int64_t bytes = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirBlockGetArgument(source, i);
    if (i < parameters) {
      pa_bind_uniform(lock, value, load(lock, at, slots, 8 * i, mlirValueGetType(value)));
      continue;
    }
    bytes = pa_align(bytes, alignment_of(lock, i - parameters));
    pa_bind_uniform(
        lock, value,
        pa_memref_at(lock, at, address(lock, at, shared, bytes), mlirValueGetType(value), (MlirValue){NULL}));
    bytes += memref_bytes(mlirValueGetType(value));
  }
  MlirAttribute dynamic = pa_get_attr(lock->kernel, "pyarray.dynamic_alignment");
  bytes = pa_align(bytes, mlirAttributeIsNull(dynamic) ? PA_ROOM_ALIGNMENT : mlirIntegerAttrGetValueInt(dynamic));
  lock->dynamic_shared = address(lock, at, shared, bytes);
  MlirValue whole = load(lock, at, lock->block, PA_BLOCK_SHARED_BYTES, lock->i64);
  lock->dynamic_bytes =
      pa_value(at, "arith.subi", PA_OPERANDS(whole, pa_constant_int(at, lock->i64, bytes)), PA_RESULTS(lock->i64));
  MlirAttribute moved = pa_get_attr(lock->kernel, "pyarray.dynamic_shared");
  return bytes + (mlirAttributeIsNull(moved) ? 0 : mlirIntegerAttrGetValueInt(moved));
}

MlirValue pa_launch_value(pa_lockstep *lock, pa_builder *at, MlirOperation op) {
  static const struct {
    const char *function;
    int64_t field;
    bool is_i64;
  } fields[] = {{"pyarray_dev_cluster_dim_x", PA_BLOCK_CLUSTER, false},
                {"pyarray_dev_cluster_dim_y", PA_BLOCK_CLUSTER + 8, false},
                {"pyarray_dev_cluster_dim_z", PA_BLOCK_CLUSTER + 16, false},
                {"pyarray_dev_cluster_shared_stride", PA_BLOCK_SHARED_STRIDE, true}};
  MlirAttribute callee =
      pa_kind(&lock->names, op) == PA_OP_FUNC_CALL ? pa_get_attr(op, "callee") : (MlirAttribute){NULL};
  if (mlirAttributeIsNull(callee)) return (MlirValue){NULL};
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(callee);
  if (pa_ref_equal(name, "pyarray_dev_dynamic_shared_bytes")) return lock->dynamic_bytes;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    if (pa_ref_equal(name, fields[i].function))
      return load(lock, at, lock->block, fields[i].field, fields[i].is_i64 ? lock->i64 : lock->i32);
  return (MlirValue){NULL};
}

void pa_export_number(pa_lockstep *lock, const char *name, int64_t number) {
  pa_builder at = {.context = lock->context,
                   .block = pa_module_body(lock->module),
                   .location = mlirOperationGetLocation(lock->kernel)};
  pa_op(&at, "llvm.mlir.global", PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(lock->context, name)}, {"global_type", mlirTypeAttrGet(lock->i64)},
                 {"constant", pa_unit_attr(lock->context)}, {"value", pa_i64_attr(lock->context, number)},
                 {"linkage", mlirLLVMLinkageAttrGet(lock->context, MlirLLVMLinkageExternal)}));
  pa_take_failure(&lock->once, &at);
}

void pa_move_to_module(pa_lockstep *lock) {
  MlirBlock source = pa_body(lock->kernels, 0), target = pa_module_body(lock->module);
  MlirOperation op = mlirBlockGetFirstOperation(source);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool stays = mlirOperationEqual(op, lock->kernel) || mlirAttributeIsNull(pa_get_attr(op, "sym_name"));
    MlirOperation same = stays ? op : pa_lookup(lock->module, mlirStringAttrGetValue(pa_get_attr(op, "sym_name")));
    if (mlirOperationIsNull(same)) {
      mlirOperationRemoveFromParent(op);
      mlirBlockAppendOwnedOperation(target, op);
    }
    op = next;
  }
}

int64_t pa_bind_launch(pa_lockstep *lock, MlirBlock body) {
  emit_prologue(lock, body);
  return bind_parameters(lock, body);
}

void pa_drop_spaces(MlirOperation kernel) { mlirOperationWalk(kernel, drop_spaces, NULL, MlirWalkPreOrder); }
