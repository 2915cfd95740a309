// Of pyarray-gpu-to-cpu: segments, the loops over the threads of a block between two synchronising operations, and the
// scratch memory of what lives from one to another.
#include <string.h>

#include "ir/blocks.h"
#include "lockstep.h"
#include "mlir-c/Dialect/LLVM.h"

enum { MAX_REMADE = 16 }; // operations that are repeated rather than their result kept in memory

void pa_lockstep_fail(pa_lockstep *lock, MlirOperation op, const char *text) {
  if (!pa_failed(&lock->once))
    lock->once.failure = pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(op), "%s", text);
}

//===-- Numbers of segments -----------------------------------------------------------------------===//

static void number_block(pa_lockstep *lock, MlirBlock block, intptr_t *current) {
  PA_FOR_EACH_OP(op, block) {
    pa_map_put(lock->arena, &lock->numbers, op.ptr, (void *)*current);
    if (!pa_is_synchronising(lock, op)) continue;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      ++*current;
      if (!mlirBlockIsNull(pa_body(op, r))) number_block(lock, pa_body(op, r), current);
    }
    ++*current;
  }
}

void pa_number_segments(pa_lockstep *lock) {
  intptr_t current = 1;
  number_block(lock, pa_body(lock->kernel, 0), &current);
}

// The segment that |op| is part of.
static intptr_t number_of(const pa_lockstep *lock, MlirOperation op) {
  intptr_t number = 0;
  for (; !mlirOperationIsNull(op) && !number; op = mlirOperationGetParentOperation(op))
    number = (intptr_t)pa_map_get(&lock->numbers, op.ptr);
  return number;
}

static bool is_used_elsewhere(const pa_lockstep *lock, MlirValue value, intptr_t number) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (number_of(lock, mlirOpOperandGetOwner(use)) != number) return true;
  return false;
}

//===-- Slots -------------------------------------------------------------------------------------===//

int64_t pa_align(int64_t bytes, int64_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

static MlirType array_of(pa_lockstep *lock, int64_t count) {
  return mlirTypeParseGet(lock->context,
                          pa_ref(pa_arena_format(lock->arena, "!llvm.array<%lld x i64>", (long long)count)));
}

// What upstream's conversion makes of a memref.
static MlirType descriptor_type(pa_lockstep *lock, MlirType memref) {
  int64_t rank = mlirShapedTypeGetRank(memref);
  MlirType fields[] = {lock->ptr, lock->ptr, lock->i64, array_of(lock, rank ? rank : 1),
                       array_of(lock, rank ? rank : 1)};
  return mlirLLVMStructTypeLiteralGet(lock->context, rank ? 5 : 3, fields, false);
}

static MlirType complex_type(pa_lockstep *lock, MlirType type) {
  MlirType part = mlirComplexTypeGetElementType(type);
  return mlirLLVMStructTypeLiteralGet(lock->context, 2, (MlirType[]){part, part}, false);
}

int64_t pa_element_bytes(const pa_lockstep *lock, MlirType type) {
  if (mlirTypeIsAInteger(type)) return (mlirIntegerTypeGetWidth(type) + 7) / 8;
  if (mlirTypeIsAIndex(type) || mlirTypeEqual(type, lock->ptr)) return 8;
  if (mlirTypeIsAFloat(type)) return mlirFloatTypeGetWidth(type) / 8;
  if (mlirTypeIsAVector(type))
    return mlirShapedTypeGetDimSize(type, 0) * pa_element_bytes(lock, mlirShapedTypeGetElementType(type));
  if (mlirTypeIsAComplex(type)) return 2 * pa_element_bytes(lock, mlirComplexTypeGetElementType(type));
  if (mlirTypeIsAVector(type))
    return mlirShapedTypeGetDimSize(type, 0) *
           pa_element_bytes(lock, mlirShapedTypeGetElementType(type)); // of ufuncs, of one dimension
  if (mlirTypeIsAMemRef(type)) return 24 + 16 * mlirShapedTypeGetRank(type);
  return 0;
}

static MlirType memory_type(pa_lockstep *lock, MlirType type) {
  if (mlirTypeEqual(type, lock->i1)) return lock->i8;
  if (mlirTypeIsAIndex(type)) return lock->i64;
  if (mlirTypeIsAComplex(type)) return complex_type(lock, type);
  return mlirTypeIsAMemRef(type) ? descriptor_type(lock, type) : type;
}

static MlirValue offset_pointer(pa_builder *at, MlirType ptr, MlirValue base, MlirValue bytes) {
  int32_t dynamic = INT32_MIN;
  return pa_value(at, "llvm.getelementptr", PA_OPERANDS(base, bytes), PA_RESULTS(ptr),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(at->context, 1, &dynamic)},
                           {"elem_type", mlirTypeAttrGet(mlirIntegerTypeGet(at->context, 8))}));
}

// |bytes| for each thread, at |scratch| + offset * threads; both are multiples of |alignment|.
static pa_slot *allocate(pa_lockstep *lock, MlirType type, MlirType memory, int64_t bytes, int64_t alignment) {
  lock->scratch = pa_align(lock->scratch, alignment);
  pa_slot *slot = PA_NEW(lock->arena, pa_slot);
  *slot = (pa_slot){.type = type, .memory = memory, .bytes = bytes};
  MlirValue offset = pa_constant_int(&lock->entry, lock->i64, lock->scratch);
  MlirValue start = pa_value(&lock->entry, "arith.muli", PA_OPERANDS(offset, lock->threads), PA_RESULTS(lock->i64));
  slot->base = offset_pointer(&lock->entry, lock->ptr, lock->scratch_base, start);
  lock->scratch += pa_align(bytes, alignment);
  return slot;
}

pa_slot *pa_new_slot(pa_lockstep *lock, MlirType type) {
  return allocate(lock, type, memory_type(lock, type), pa_element_bytes(lock, type), 8);
}

pa_slot *pa_slot_of(pa_lockstep *lock, MlirValue value) {
  pa_slot *slot = pa_map_get(&lock->slots, value.ptr);
  if (slot) return slot;
  slot = pa_new_slot(lock, mlirValueGetType(value));
  if (!slot->bytes && !pa_failed(&lock->once))
    lock->once.failure = pa_fail(PA_CODE_UNSUPPORTED, NULL, "a value of type %s cannot live across a barrier",
                                 pa_type_text(lock->arena, mlirValueGetType(value)));
  pa_map_put(lock->arena, &lock->slots, value.ptr, slot);
  return slot;
}

MlirValue pa_slot_address(pa_builder *at, const pa_slot *slot, MlirValue thread) {
  MlirType i64 = mlirIntegerTypeGet(at->context, 64);
  MlirValue bytes = pa_constant_int(at, i64, slot->bytes);
  MlirValue offset = pa_value(at, "arith.muli", PA_OPERANDS(thread, bytes), PA_RESULTS(i64));
  return offset_pointer(at, mlirValueGetType(slot->base), slot->base, offset);
}

static MlirValue cast(pa_builder *at, const char *name, MlirValue value, MlirType type) {
  return pa_value(at, name, PA_OPERANDS(value), PA_RESULTS(type));
}

// Slots lie at multiples of 8 bytes, threads' values right behind each other.
static void set_alignment(const pa_slot *slot, MlirOperation access) {
  if (mlirTypeIsAVector(slot->type))
    mlirOperationSetInherentAttributeByName(access, pa_ref("alignment"),
                                            pa_i64_attr(mlirOperationGetContext(access), 1));
}

void pa_slot_store(pa_lockstep *lock, pa_builder *at, const pa_slot *slot, MlirValue thread, MlirValue value) {
  if (mlirTypeEqual(slot->type, lock->i1))
    value = cast(at, "arith.extui", value, lock->i8);
  else if (mlirTypeIsAIndex(slot->type))
    value = cast(at, "arith.index_cast", value, lock->i64);
  else if (!mlirTypeEqual(slot->type, slot->memory))
    value = cast(at, "builtin.unrealized_conversion_cast", value, slot->memory);
  MlirValue address = pa_slot_address(at, slot, thread);
  MlirOperation store = pa_op(at, "llvm.store", PA_OPERANDS(value, address));
  if (!pa_failed(at)) set_alignment(slot, store);
}

MlirValue pa_slot_load(pa_lockstep *lock, pa_builder *at, const pa_slot *slot, MlirValue thread) {
  MlirValue address = pa_slot_address(at, slot, thread);
  if (mlirTypeIsNull(slot->memory)) return pa_memref_at(lock, at, address, slot->type, (MlirValue){NULL});
  MlirValue value = cast(at, "llvm.load", address, slot->memory);
  if (!pa_failed(at)) set_alignment(slot, mlirOpResultGetOwner(value));
  if (mlirTypeEqual(slot->type, lock->i1)) return cast(at, "arith.trunci", value, lock->i1);
  if (mlirTypeIsAIndex(slot->type)) return cast(at, "arith.index_cast", value, lock->index);
  return mlirTypeEqual(slot->type, slot->memory) ? value
                                                 : cast(at, "builtin.unrealized_conversion_cast", value, slot->type);
}

//===-- Memory ------------------------------------------------------------------------------------===//

static MlirValue insert(pa_lockstep *lock, pa_builder *at, MlirValue aggregate, MlirValue value,
                        const int64_t *position, intptr_t depth) {
  return pa_value(at, "llvm.insertvalue", PA_OPERANDS(aggregate, value), PA_RESULTS(mlirValueGetType(aggregate)),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(lock->context, depth, position)}));
}

MlirValue pa_memref_at(pa_lockstep *lock, pa_builder *at, MlirValue address, MlirType type, MlirValue size) {
  MlirValue descriptor = pa_value(at, "llvm.mlir.poison", PA_RESULTS(descriptor_type(lock, type)));
  for (int64_t i = 0; i < 2; ++i) descriptor = insert(lock, at, descriptor, address, &i, 1);
  MlirValue zero = pa_constant_int(at, lock->i64, 0);
  descriptor = insert(lock, at, descriptor, zero, (int64_t[]){2}, 1);
  int64_t rank = mlirShapedTypeGetRank(type), stride = 1;
  for (int64_t d = rank - 1; d >= 0; --d) {
    bool dynamic = mlirShapedTypeIsDynamicDim(type, d);
    MlirValue extent = dynamic ? size : pa_constant_int(at, lock->i64, mlirShapedTypeGetDimSize(type, d));
    descriptor = insert(lock, at, descriptor, extent, (int64_t[]){3, d}, 2);
    MlirValue step = pa_constant_int(at, lock->i64, stride);
    descriptor = insert(lock, at, descriptor, step, (int64_t[]){4, d}, 2);
    if (!dynamic) stride *= mlirShapedTypeGetDimSize(type, d);
  }
  return cast(at, "builtin.unrealized_conversion_cast", descriptor, type);
}

// A thread's own memory, which may live as long as the kernel.
static pa_slot *storage_of(pa_lockstep *lock, MlirOperation alloca) {
  MlirValue value = mlirOperationGetResult(alloca, 0);
  pa_slot *slot = pa_map_get(&lock->slots, value.ptr);
  if (slot) return slot;
  MlirType type = mlirValueGetType(value);
  int64_t bytes = pa_element_bytes(lock, mlirShapedTypeGetElementType(type));
  if (!mlirShapedTypeHasStaticShape(type))
    pa_lockstep_fail(lock, alloca, "local memory must have a size known at compile time");
  for (int64_t d = 0; d < mlirShapedTypeGetRank(type); ++d) bytes *= mlirShapedTypeGetDimSize(type, d);
  MlirAttribute given = pa_get_attr(alloca, "alignment");
  int64_t alignment = mlirAttributeIsNull(given) || mlirIntegerAttrGetValueInt(given) < PA_ROOM_ALIGNMENT
                          ? PA_ROOM_ALIGNMENT
                          : mlirIntegerAttrGetValueInt(given);
  slot = allocate(lock, type, (MlirType){NULL}, pa_align(bytes, alignment), alignment);
  pa_map_put(lock->arena, &lock->slots, value.ptr, slot);
  return slot;
}

//===-- Indices and shared memory -----------------------------------------------------------------===//

static const char *const dimension_names[PA_DIMENSIONS] = {"#gpu<dim x>", "#gpu<dim y>", "#gpu<dim z>"};

static int dimension_of(MlirOperation op) {
  MlirAttribute attr = pa_get_attr(op, "dimension");
  for (int d = 1; d < PA_DIMENSIONS; ++d)
    if (mlirAttributeEqual(attr, mlirAttributeParseGet(mlirOperationGetContext(op), pa_ref(dimension_names[d]))))
      return d;
  return 0;
}

// What the result of |op| is where the kernel has become a function over a block; null for other operations.
static MlirValue known_result(pa_lockstep *lock, pa_builder *at, MlirOperation op) {
  if (pa_op_is(op, "gpu.thread_id")) return lock->segment.thread[dimension_of(op)];
  if (pa_op_is(op, "gpu.lane_id")) return lock->segment.lane;
  if (pa_op_is(op, "gpu.block_id")) return lock->indices[dimension_of(op)];
  if (pa_op_is(op, "gpu.block_dim")) return lock->extents[dimension_of(op)];
  if (pa_op_is(op, "gpu.grid_dim")) return lock->grid[dimension_of(op)];
  if (pa_op_is(op, "gpu.dynamic_shared_memory"))
    return pa_memref_at(lock, at, lock->dynamic_shared, mlirValueGetType(mlirOperationGetResult(op, 0)),
                        lock->dynamic_bytes);
  return pa_launch_value(lock, at, op);
}

//===-- Copies of operations ----------------------------------------------------------------------===//

static pa_op_list operations_of(pa_lockstep *lock, MlirOperation op) {
  return pa_ops_within(lock->arena, op, MlirWalkPreOrder);
}

static void replace(MlirOperation op, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
}

static bool is_noreturn(const pa_lockstep *lock, MlirOperation op) {
  if (pa_kind(&lock->names, op) != PA_OP_FUNC_CALL) return false;
  MlirOperation callee = pa_lookup(lock->kernels, mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee")));
  return !mlirOperationIsNull(callee) && !mlirAttributeIsNull(pa_get_attr(callee, "pyarray.noreturn"));
}

// Another frame of the error that the call before records; pyarray-lower-raises wants them side by side.
static bool is_frame(const pa_lockstep *lock, MlirOperation op) {
  MlirOperation before = {NULL};
  PA_FOR_EACH_OP(at, mlirOperationGetBlock(op)) {
    if (mlirOperationEqual(at, op)) break;
    before = at;
  }
  return !mlirOperationIsNull(before) && is_noreturn(lock, before);
}

// For errors: which thread is running.
static void note_thread(pa_lockstep *lock, pa_builder *at) {
  MlirValue place = offset_pointer(at, lock->ptr, lock->block, pa_constant_int(at, lock->i64, PA_BLOCK_THREAD));
  pa_op(at, "llvm.store", PA_OPERANDS(lock->segment.linear, place));
}

// An operation of a copy, which knows nothing of threads yet.
static void adapt(pa_lockstep *lock, MlirOperation op) {
  pa_builder here = lock->segment.body;
  here.block = mlirOperationGetBlock(op);
  here.before = op;
  here.location = mlirOperationGetLocation(op);
  MlirValue known = known_result(lock, &here, op);
  if (!mlirValueIsNull(known)) {
    replace(op, known);
  } else if (pa_op_is(op, "memref.memory_space_cast")) {
    replace(op, mlirOperationGetOperand(op, 0));
  } else if (pa_op_is(op, "memref.alloca")) {
    replace(op, pa_slot_load(lock, &here, storage_of(lock, op), lock->segment.linear));
  } else if (is_noreturn(lock, op)) {
    if (!is_frame(lock, op)) note_thread(lock, &here);
  } else if (pa_has_effect(lock, op) && lock->absent && !pa_map_get(&lock->checked, here.block.ptr)) {
    pa_map_put(lock->arena, &lock->checked, here.block.ptr, here.block.ptr);
    pa_check_present(lock, &here);
  }
  if (mlirValueIsNull(known)) pa_tell_access(lock, &here, op);
  pa_take_failure(&lock->once, &here);
}

// The value of the kernel that |op|, a copy within |copy|, refers to is replaced.
static void use_values_here(pa_lockstep *lock, MlirOperation original, MlirOperation copy) {
  pa_op_list from = operations_of(lock, original), to = operations_of(lock, copy);
  for (size_t i = 0; i < from.count; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(from.items[i]); ++k) {
      MlirValue outside = mlirOperationGetOperand(from.items[i], k);
      if (!mlirValueEqual(mlirOperationGetOperand(to.items[i], k), outside)) continue; // defined within
      MlirValue here = pa_segment_value(lock, outside);
      if (!mlirValueIsNull(here)) mlirOperationSetOperand(to.items[i], k, here);
    }
}

static void put_results(pa_lockstep *lock, pa_map *map, MlirOperation original, MlirOperation copy) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(original); ++i)
    pa_map_put(lock->arena, map, mlirOperationGetResult(original, i).ptr, (void *)mlirOperationGetResult(copy, i).ptr);
}

static void copy_operation(pa_lockstep *lock, pa_builder *at, pa_map *results, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  use_values_here(lock, op, copy);
  mlirBlockAppendOwnedOperation(at->block, copy);
  pa_op_list copies = operations_of(lock, copy);
  put_results(lock, results, op, copy);
  for (size_t i = 0; i < copies.count; ++i) adapt(lock, copies.items[i]);
}

//===-- Values ------------------------------------------------------------------------------------===//

static bool is_cheap(const pa_lockstep *lock, MlirOperation op) {
  static const char *const dear[] = {"math.",       "arith.div",           "arith.rem", "arith.ceil",
                                     "arith.floor", "llvm.call_intrinsic", "complex."};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof dear / sizeof *dear; ++i)
    if (name.length >= strlen(dear[i]) && memcmp(name.data, dear[i], strlen(dear[i])) == 0) return false;
  return pa_is_pure(lock, op) && pa_kind(&lock->names, op) != PA_OP_FUNC_CALL;
}

// How many operations make |value| again from what every segment has.
static int cost_of_remaking(const pa_lockstep *lock, MlirValue value) {
  if (!pa_is_divergent(lock, value)) return 0;
  if (!mlirValueIsAOpResult(value)) return MAX_REMADE + 1;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!is_cheap(lock, op)) return MAX_REMADE + 1;
  int cost = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && cost <= MAX_REMADE; ++i)
    cost += cost_of_remaking(lock, mlirOperationGetOperand(op, i));
  return cost;
}

MlirValue pa_uniform_value(pa_lockstep *lock, MlirValue value) {
  MlirValue found = {pa_map_get(&lock->uniform, value.ptr)};
  if (mlirValueIsNull(found) && !pa_failed(&lock->once))
    lock->once.failure = pa_fail(PA_CODE_INTERNAL, NULL, "pyarray-gpu-to-cpu lost a value that all threads have alike");
  return found;
}

MlirValue pa_segment_value(pa_lockstep *lock, MlirValue value) {
  if (!pa_is_divergent(lock, value)) return pa_uniform_value(lock, value);
  pa_segment *segment = pa_segment_open(lock);
  MlirValue found = {pa_map_get(&segment->values, value.ptr)};
  if (!mlirValueIsNull(found)) return found;
  const pa_slot *slot = pa_map_get(&lock->slots, value.ptr);
  if (slot) {
    found = pa_slot_load(lock, &segment->body, slot, segment->linear);
  } else if (cost_of_remaking(lock, value) <= MAX_REMADE) {
    pa_segment_add(lock, mlirOpResultGetOwner(value));
    return (MlirValue){pa_map_get(&segment->values, value.ptr)};
  } else if (!pa_failed(&lock->once)) {
    lock->once.failure = pa_fail(PA_CODE_INTERNAL, NULL, "pyarray-gpu-to-cpu lost a value between segments");
  }
  pa_map_put(lock->arena, &segment->values, value.ptr, (void *)found.ptr);
  return found;
}

static void keep_results(pa_lockstep *lock, MlirOperation op) {
  pa_segment *segment = &lock->segment;
  intptr_t number = (intptr_t)pa_map_get(&lock->numbers, op.ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue value = mlirOperationGetResult(op, i);
    if (!is_used_elsewhere(lock, value, number) || cost_of_remaking(lock, value) <= MAX_REMADE) continue;
    MlirValue here = {pa_map_get(&segment->values, value.ptr)};
    pa_slot_store(lock, &segment->body, pa_slot_of(lock, value), segment->linear, here);
  }
}

static void add_uniform(pa_lockstep *lock, MlirOperation op) {
  MlirValue known = known_result(lock, &lock->once, op);
  if (pa_op_is(op, "memref.memory_space_cast")) known = pa_uniform_value(lock, mlirOperationGetOperand(op, 0));
  if (mlirValueIsNull(known))
    copy_operation(lock, &lock->once, &lock->uniform, op);
  else
    pa_map_put(lock->arena, &lock->uniform, mlirOperationGetResult(op, 0).ptr, (void *)known.ptr);
}

void pa_segment_add(pa_lockstep *lock, MlirOperation op) {
  if (pa_failed(&lock->once)) return;
  if (pa_is_uniform_op(lock, op)) {
    add_uniform(lock, op);
    return;
  }
  if (pa_op_is(op, "memref.alloca")) {
    storage_of(lock, op);
    return;
  }
  pa_segment *segment = pa_segment_open(lock);
  segment->body.location = mlirOperationGetLocation(op);
  MlirValue known = known_result(lock, &segment->body, op);
  if (pa_op_is(op, "memref.memory_space_cast")) known = pa_segment_value(lock, mlirOperationGetOperand(op, 0));
  if (mlirValueIsNull(known))
    copy_operation(lock, &segment->body, &segment->values, op);
  else
    pa_map_put(lock->arena, &segment->values, mlirOperationGetResult(op, 0).ptr, (void *)known.ptr);
  keep_results(lock, op);
  pa_take_failure(&lock->once, &segment->body);
  pa_take_failure(&lock->once, &lock->entry);
}

//===-- The loops ---------------------------------------------------------------------------------===//

// (z * extent_y + y) * extent_x, in the loop over y.
static MlirValue row_start(pa_lockstep *lock, pa_builder *at, const MlirValue *thread) {
  MlirValue row = pa_value(at, "arith.muli", PA_OPERANDS(thread[2], lock->extents[1]), PA_RESULTS(lock->index));
  row = pa_value(at, "arith.addi", PA_OPERANDS(row, thread[1]), PA_RESULTS(lock->index));
  return pa_value(at, "arith.muli", PA_OPERANDS(row, lock->extents[0]), PA_RESULTS(lock->index));
}

pa_segment *pa_segment_open(pa_lockstep *lock) {
  pa_segment *segment = &lock->segment;
  if (segment->open) return segment;
  *segment = (pa_segment){.open = true};
  pa_builder at = lock->once;
  MlirValue start = {NULL};
  for (int d = 0; d < PA_DIMENSIONS; ++d) {
    segment->regions[d] = pa_inner_region(&lock->once, &lock->index, 1, &at);
    segment->blocks[d] = at.block;
    segment->thread[PA_DIMENSIONS - 1 - d] = mlirBlockGetArgument(at.block, 0);
    if (d == 1) start = row_start(lock, &at, segment->thread);
  }
  MlirValue linear = pa_value(&at, "arith.addi", PA_OPERANDS(start, segment->thread[0]), PA_RESULTS(lock->index));
  segment->linear = pa_value(&at, "arith.index_cast", PA_OPERANDS(linear), PA_RESULTS(lock->i64));
  MlirValue warp_size = pa_constant_int(&at, lock->index, 32);
  segment->lane = pa_value(&at, "arith.remui", PA_OPERANDS(linear, warp_size), PA_RESULTS(lock->index));
  segment->before = segment->body = at;
  if (lock->mask) segment->masked = pa_inner_region(&at, NULL, 0, &segment->body);
  if (lock->races) note_thread(lock, &segment->body);
  return segment;
}

void pa_segment_close(pa_lockstep *lock) {
  pa_segment *segment = &lock->segment;
  if (!segment->open) return;
  segment->open = false;
  pa_builder at = segment->before;
  if (lock->mask) {
    MlirValue active = pa_slot_load(lock, &at, lock->mask, segment->linear);
    pa_op(&segment->body, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
    pa_take_failure(&at, &segment->body);
    pa_op(&at, PA_OP_NAME(SCF_IF), PA_OPERANDS(active), PA_REGIONS(segment->masked, mlirRegionCreate()));
  } else {
    at = segment->body;
  }
  MlirAttribute annotation =
      mlirAttributeParseGet(lock->context, pa_ref("#llvm.loop_annotation<parallelAccesses = <id = distinct[0]<>>>"));
  for (int d = PA_DIMENSIONS - 1; d >= 0; --d) {
    pa_op(&at, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
    pa_take_failure(&lock->once, &at);
    at = lock->once;
    if (d > 0) at.block = segment->blocks[d - 1];
    pa_op(&at, PA_OP_NAME(SCF_FOR), PA_REGIONS(segment->regions[d]),
          PA_OPERANDS(lock->zero, lock->extents[PA_DIMENSIONS - 1 - d], lock->one),
          PA_ATTRS({"loop_annotation", d == PA_DIMENSIONS - 1 ? annotation : mlirAttributeGetNull()},
                   {"pyarray.segment", d == 0 ? pa_unit_attr(lock->context) : mlirAttributeGetNull()}));
  }
  pa_take_failure(&lock->once, &at);
}
