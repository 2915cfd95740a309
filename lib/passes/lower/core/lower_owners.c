// Of pyarray-lower: owners among values, and the slots on the stack that hold them until they are released.
#include <string.h>

#include "lower_internal.h"

// Appends the positions of owners among the flattened values of |type|; |*at| is the position of its first value.
static void owner_positions(pa_lowering *lower, MlirType type, int *at, int *positions, int *count) {
  if (pyarrayTypeIsArray(type)) {
    positions[(*count)++] = *at + 1;
    *at += 2;
  } else if (pa_is_handle(type)) {
    positions[(*count)++] = (*at)++;
  } else if (pyarrayTypeIsOptional(type)) {
    ++*at;
    owner_positions(lower, pyarrayTypeGetItem(type), at, positions, count);
  } else if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      owner_positions(lower, mlirTupleTypeGetType(type, i), at, positions, count);
  } else {
    *at += pa_flat_count(lower, type);
  }
}

// Where the owners lie among the values of |value|, in arena memory.
int *pa_owner_places(pa_lowering *lower, MlirType type, int *out_count) {
  int *places = PA_NEW_ARRAY(lower->arena, int, pa_flat_count(lower, type) + 1), at = 0;
  *out_count = 0;
  owner_positions(lower, type, &at, places, out_count);
  return places;
}

static int *find_owners(pa_lowering *lower, MlirValue value, int *out_count) {
  int *positions = PA_NEW_ARRAY(lower->arena, int, pa_get(lower, value).count + 1), at = 0;
  *out_count = 0;
  owner_positions(lower, mlirValueGetType(value), &at, positions, out_count);
  return positions;
}

static pa_values owners_of(pa_lowering *lower, MlirValue value) {
  pa_values all = pa_get(lower, value);
  int count, *positions = find_owners(lower, value, &count);
  MlirValue *owners = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  for (int i = 0; i < count; ++i) owners[i] = all.items[positions[i]];
  return (pa_values){owners, count};
}

MlirValue pa_stack_slot(pa_lowering *lower, MlirType type, bool is_owner) {
  MlirValue empty = is_owner ? pa_int(lower, lower->i64, 0) : (MlirValue){NULL};
  MlirType memory = mlirMemRefTypeContiguousGet(type, 0, NULL, mlirAttributeGetNull());
  int32_t segments[] = {0, 0};
  bool in_try = is_owner && lower->try && lower->try->number >= 0;
  pa_builder builder = pa_entry_builder(lower);
  MlirOperation slot = pa_op(
      &builder, "memref.alloca", PA_RESULTS(memory),
      PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)},
               {"pyarray.owner_slot", is_owner ? pa_unit_attr(lower->context) : mlirAttributeGetNull()},
               {"pyarray.try", in_try ? pa_i64_attr(lower->context, lower->try->number) : mlirAttributeGetNull()}));
  MlirOperation last = slot;
  if (is_owner && !mlirOperationIsNull(slot))
    last = pa_op(&builder, "memref.store", PA_OPERANDS(empty, mlirOperationGetResult(slot, 0)));
  pa_entry_built(lower, &builder, last);
  return mlirOperationIsNull(slot) ? (MlirValue){NULL} : mlirOperationGetResult(slot, 0);
}

// The slots of a value belong to the try in which it is acquired; an unrolled loop has one for each item.
typedef struct value_slots {
  pa_values values; // first: pa_map_get gives a pa_values
  int64_t try;
} value_slots;

static int64_t current_try(const pa_lowering *lower) { return lower->try ? lower->try->number : -2; }

static const pa_values *slots_of(pa_lowering *lower, MlirValue value, int count) {
  const value_slots *found = pa_map_get(&lower->slots, value.ptr);
  if (found && found->try == current_try(lower)) return &found->values;
  MlirValue *slots = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  for (int i = 0; i < count; ++i) slots[i] = pa_stack_slot(lower, lower->i64, true);
  value_slots *made = PA_NEW(lower->arena, value_slots);
  *made = (value_slots){{slots, count}, current_try(lower)};
  pa_map_put(lower->arena, &lower->slots, value.ptr, made);
  return &made->values;
}

void pa_acquire(pa_lowering *lower, MlirValue value) {
  if (lower->device || !pa_is_managed(mlirValueGetType(value))) return;
  pa_values owners = owners_of(lower, value);
  const pa_values *slots = slots_of(lower, value, owners.count);
  for (int i = 0; i < owners.count; ++i)
    pa_op(&lower->builder, "memref.store", PA_OPERANDS(owners.items[i], slots->items[i]));
}

// Takes the references of |value| out of its slots and gives their owners; those of the value itself if it has no
// slots. The loads also tell upstream's canonicalization that a slot is more than dead stores.
static pa_values take_owners(pa_lowering *lower, MlirValue value) {
  const pa_values *slots = pa_map_get(&lower->slots, value.ptr);
  if (!slots) return owners_of(lower, value);
  MlirValue empty = pa_int(lower, lower->i64, 0);
  MlirValue *owners = PA_NEW_ARRAY(lower->arena, MlirValue, slots->count + 1);
  for (int i = 0; i < slots->count; ++i) {
    owners[i] = pa_value(&lower->builder, "memref.load", PA_OPERANDS(slots->items[i]), PA_RESULTS(lower->i64));
    pa_op(&lower->builder, "memref.store", PA_OPERANDS(empty, slots->items[i]));
  }
  return (pa_values){owners, slots->count};
}

pa_values pa_get_owned(pa_lowering *lower, MlirValue value) {
  pa_values all = pa_get(lower, value), owners = take_owners(lower, value);
  int count, *positions = find_owners(lower, value, &count);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, all.count + 1);
  memcpy(values, all.items, (size_t)all.count * sizeof *values);
  for (int i = 0; i < count; ++i) values[positions[i]] = owners.items[i];
  return (pa_values){values, all.count};
}

// Takes the references out of the slots and leaves them with the value, which the block's terminator hands on.
static void move_out(pa_lowering *lower, MlirValue value) {
  pa_values all = pa_get(lower, value), taken = pa_get_owned(lower, value);
  pa_moved_value *moved = PA_NEW(lower->arena, pa_moved_value);
  *moved = (pa_moved_value){lower->moved_values, value, all};
  lower->moved_values = moved;
  pa_set(lower, value, taken.items, taken.count);
}

void pa_retain_value(pa_lowering *lower, MlirValue value) {
  pa_values owners = owners_of(lower, value);
  for (int i = 0; i < owners.count; ++i) pa_runtime(lower, "pyarray_rt_retain", owners.items[i]);
}

void pa_release_value(pa_lowering *lower, MlirValue value) {
  pa_values owners = owners_of(lower, value);
  for (int i = 0; i < owners.count; ++i) pa_runtime(lower, "pyarray_rt_release", owners.items[i]);
}

void pa_drop_value(pa_lowering *lower, MlirValue value) {
  pa_values owners = take_owners(lower, value);
  for (int i = 0; i < owners.count; ++i) pa_runtime(lower, "pyarray_rt_release", owners.items[i]);
  pa_map_put(lower->arena, &lower->slots, value.ptr, NULL); // another value may have its address
}

// A retain and a release of the same value at the end of a block hand its reference on. The release, or null.
static MlirOperation find_move(const pa_lowering *lower, MlirOperation retain) {
  MlirOperation op = mlirOperationGetNextInBlock(retain);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    pa_op_kind kind = pa_kind(&lower->names, op);
    if (kind != PA_OP_RETAIN && kind != PA_OP_RELEASE) break;
    bool same = mlirValueEqual(pa_operand(op, 0), pa_operand(retain, 0));
    if (kind == PA_OP_RELEASE && same && !pa_map_get(&lower->moved, op.ptr)) return op;
  }
  return (MlirOperation){NULL};
}

void pa_lower_retain(pa_lowering *lower, MlirOperation op) {
  MlirValue value = pa_operand(op, 0);
  MlirOperation release = find_move(lower, op);
  if (!mlirOperationIsNull(release)) {
    pa_map_put(lower->arena, &lower->moved, release.ptr, (void *)release.ptr);
    move_out(lower, value);
    return;
  }
  pa_retain_value(lower, value);
}

bool pa_move_out_of_slot(pa_lowering *lower, MlirOperation op, MlirValue value, MlirValue *out_owner) {
  if (!pa_map_get(&lower->slots, value.ptr)) return false;
  for (op = mlirOperationGetNextInBlock(op); !mlirOperationIsNull(op) && pa_kind(&lower->names, op) == PA_OP_RELEASE;
       op = mlirOperationGetNextInBlock(op)) {
    if (!mlirValueEqual(pa_operand(op, 0), value) || pa_map_get(&lower->moved, op.ptr)) continue;
    pa_map_put(lower->arena, &lower->moved, op.ptr, (void *)op.ptr);
    return *out_owner = take_owners(lower, value).items[0], true;
  }
  return false;
}

void pa_lower_release(pa_lowering *lower, MlirOperation op) {
  MlirValue value = pa_operand(op, 0);
  if (pyarrayTypeIsVariable(mlirValueGetType(value))) {
    pa_release_variable(lower, value);
    return;
  }
  if (pa_map_get(&lower->moved, op.ptr)) {
    pa_map_put(lower->arena, &lower->moved, op.ptr, NULL); // the body of an unrolled loop comes here again
    return;
  }
  pa_values owners = take_owners(lower, value);
  for (int i = 0; i < owners.count; ++i) pa_runtime(lower, "pyarray_rt_release", owners.items[i]);
}
