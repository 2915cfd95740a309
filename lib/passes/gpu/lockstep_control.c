// Of pyarray-gpu-to-cpu: control flow around barriers. Where all threads of the block agree on it, it runs once for the
// block; else every thread has a mask in scratch memory, and it runs as long as one of them is active.
#include "ir/blocks.h"
#include "lockstep.h"

//===-- Code for the whole block ------------------------------------------------------------------===//

// Code that runs once moves into a region with these arguments; back again by leave(), which gives the region.
typedef struct nested {
  pa_builder outer;
  MlirRegion region;
  MlirBlock block;
} nested;

static nested enter(pa_lockstep *lock, const MlirType *types, intptr_t count) {
  nested n = {.outer = lock->once};
  pa_builder inside;
  n.region = pa_inner_region(&lock->once, types, count, &inside);
  n.block = inside.block;
  lock->once = inside;
  return n;
}

static MlirRegion leave(pa_lockstep *lock, nested *n, const char *terminator, const MlirValue *values, intptr_t count) {
  pa_op(&lock->once, terminator, PA_OPERAND_ARRAY(values, count));
  pa_take_failure(&n->outer, &lock->once);
  lock->once = n->outer;
  return n->region;
}

static void share_slot(pa_lockstep *lock, MlirValue value, pa_slot *slot) {
  pa_map_put(lock->arena, &lock->slots, value.ptr, slot);
}

// What flows along an edge of control: uniform and divergent values apart.
typedef struct pairs {
  MlirValue *uniform_from, *uniform_to; // |from|: operands; |to|: block arguments or results
  MlirType *uniform_types;
  MlirValue *from, *to; // divergent
  intptr_t uniform_count, count;
} pairs;

static pairs new_pairs(pa_lockstep *lock, intptr_t count) {
  return (pairs){.uniform_from = PA_NEW_ARRAY(lock->arena, MlirValue, count + 1),
                 .uniform_to = PA_NEW_ARRAY(lock->arena, MlirValue, count + 1),
                 .uniform_types = PA_NEW_ARRAY(lock->arena, MlirType, count + 1),
                 .from = PA_NEW_ARRAY(lock->arena, MlirValue, count + 1),
                 .to = PA_NEW_ARRAY(lock->arena, MlirValue, count + 1)};
}

// |to| decides: a value that only some paths make divergent is divergent after them.
static void add_pair(const pa_lockstep *lock, pairs *p, MlirValue from, MlirValue to) {
  if (pa_is_divergent(lock, to)) {
    p->from[p->count] = from;
    p->to[p->count++] = to;
  } else {
    p->uniform_from[p->uniform_count] = from;
    p->uniform_types[p->uniform_count] = mlirValueGetType(to);
    p->uniform_to[p->uniform_count++] = to;
  }
}

// Stores the divergent ones where |to| is kept. All are read before the first is written: a loop may exchange two.
static void pass_divergent(pa_lockstep *lock, const pairs *p) {
  if (p->count == 0) return;
  MlirValue *values = PA_NEW_ARRAY(lock->arena, MlirValue, p->count);
  for (intptr_t i = 0; i < p->count; ++i) values[i] = pa_segment_value(lock, p->from[i]);
  pa_segment *segment = pa_segment_open(lock);
  for (intptr_t i = 0; i < p->count; ++i)
    pa_slot_store(lock, &segment->body, pa_slot_of(lock, p->to[i]), segment->linear, values[i]);
}

static MlirValue *uniform_values(pa_lockstep *lock, const pairs *p) {
  MlirValue *values = PA_NEW_ARRAY(lock->arena, MlirValue, p->uniform_count + 1);
  for (intptr_t i = 0; i < p->uniform_count; ++i) values[i] = pa_uniform_value(lock, p->uniform_from[i]);
  return values;
}

//===-- Masks -------------------------------------------------------------------------------------===//

// 1 where |condition| holds (or does not, if |negate|) among the threads that are active now, 0 elsewhere.
static void store_mask(pa_lockstep *lock, const pa_slot *mask, MlirValue condition, bool negate) {
  pa_segment *segment = pa_segment_open(lock);
  MlirValue value = pa_segment_value(lock, condition), bit;
  if (lock->mask) {
    bit = pa_constant_int(&segment->before, lock->i1, 0);
    pa_slot_store(lock, &segment->before, mask, segment->linear, bit);
  }
  if (negate) {
    bit = pa_constant_int(&segment->body, lock->i1, 1);
    value = pa_value(&segment->body, "arith.xori", PA_OPERANDS(value, bit), PA_RESULTS(lock->i1));
  }
  pa_slot_store(lock, &segment->body, mask, segment->linear, value);
}

static void store_active(pa_lockstep *lock, const pa_slot *mask) {
  pa_segment *segment = pa_segment_open(lock);
  if (lock->mask)
    pa_slot_store(lock, &segment->before, mask, segment->linear, pa_constant_int(&segment->before, lock->i1, 0));
  pa_slot_store(lock, &segment->body, mask, segment->linear, pa_constant_int(&segment->body, lock->i1, 1));
}

// Whether any thread is active in |mask|.
static MlirValue any_active(pa_lockstep *lock, const pa_slot *mask) {
  pa_builder *at = &lock->once;
  MlirValue none = pa_constant_int(at, lock->i1, 0),
            threads = pa_value(at, "arith.index_cast", PA_OPERANDS(lock->threads), PA_RESULTS(lock->index));
  pa_builder inside;
  MlirRegion region = pa_inner_region(at, (MlirType[]){lock->index, lock->i1}, 2, &inside);
  MlirBlock body = inside.block;
  MlirValue thread =
      pa_value(&inside, "arith.index_cast", PA_OPERANDS(mlirBlockGetArgument(body, 0)), PA_RESULTS(lock->i64));
  MlirValue active = pa_slot_load(lock, &inside, mask, thread);
  MlirValue any =
      pa_value(&inside, "arith.ori", PA_OPERANDS(mlirBlockGetArgument(body, 1), active), PA_RESULTS(lock->i1));
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(any));
  pa_take_failure(at, &inside);
  return pa_value(at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(lock->zero, threads, lock->one, none), PA_RESULTS(lock->i1),
                  PA_REGIONS(region));
}

typedef struct saved_masks {
  const pa_slot *mask, *required;
} saved_masks;

static saved_masks narrow(pa_lockstep *lock, const pa_slot *mask, bool others_have_returned) {
  saved_masks saved = {lock->mask, lock->required};
  if (others_have_returned && lock->mask == lock->required) lock->required = mask;
  lock->mask = mask;
  return saved;
}

static void widen(pa_lockstep *lock, saved_masks saved) {
  lock->mask = saved.mask;
  lock->required = saved.required;
}

//===-- Branches ----------------------------------------------------------------------------------===//

// Passes what the branch gives to |results| and ends it.
static MlirRegion close_branch(pa_lockstep *lock, nested *n, MlirOperation op, MlirBlock block) {
  pairs p = new_pairs(lock, mlirOperationGetNumResults(op));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add_pair(lock, &p, mlirOperationGetOperand(mlirBlockGetTerminator(block), i), mlirOperationGetResult(op, i));
  pass_divergent(lock, &p);
  pa_segment_close(lock);
  return leave(lock, n, PA_OP_NAME(SCF_YIELD), uniform_values(lock, &p), p.uniform_count);
}

static void emit_uniform_if(pa_lockstep *lock, MlirOperation op) {
  pa_segment_close(lock);
  MlirValue condition = pa_uniform_value(lock, mlirOperationGetOperand(op, 0));
  MlirRegion regions[2];
  for (int r = 0; r < 2; ++r) {
    MlirBlock block = pa_body(op, r);
    regions[r] = mlirRegionCreate();
    if (mlirBlockIsNull(block)) continue;
    nested n = enter(lock, NULL, 0);
    pa_lockstep_emit_block(lock, block);
    regions[r] = close_branch(lock, &n, op, block);
  }
  pairs p = new_pairs(lock, mlirOperationGetNumResults(op));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add_pair(lock, &p, (MlirValue){NULL}, mlirOperationGetResult(op, i));
  MlirOperation made = pa_op(&lock->once, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition),
                             PA_RESULT_ARRAY(p.uniform_types, p.uniform_count), PA_REGIONS(regions[0], regions[1]));
  for (intptr_t i = 0; !mlirOperationIsNull(made) && i < p.uniform_count; ++i)
    pa_bind_uniform(lock, p.uniform_to[i], mlirOperationGetResult(made, i));
}

// A branch runs where any thread takes it.
static void emit_masked_if(pa_lockstep *lock, MlirOperation op) {
  pa_slot *masks[2];
  for (int r = 0; r < 2; ++r) {
    if (mlirBlockIsNull(pa_body(op, r))) continue;
    masks[r] = pa_new_slot(lock, lock->i1);
    store_mask(lock, masks[r], mlirOperationGetOperand(op, 0), r == 1);
  }
  pa_segment_close(lock);
  for (int r = 0; r < 2; ++r) {
    MlirBlock block = pa_body(op, r);
    if (mlirBlockIsNull(block)) continue;
    MlirValue any = any_active(lock, masks[r]);
    saved_masks saved = narrow(lock, masks[r], pa_others_return(lock, op, r));
    nested n = enter(lock, NULL, 0);
    pa_lockstep_emit_block(lock, block);
    MlirRegion region = close_branch(lock, &n, op, block);
    widen(lock, saved);
    pa_op(&lock->once, PA_OP_NAME(SCF_IF), PA_OPERANDS(any), PA_REGIONS(region, mlirRegionCreate()));
  }
}

static void emit_if(pa_lockstep *lock, MlirOperation op) {
  if (pa_is_divergent_branch(lock, op))
    emit_masked_if(lock, op);
  else
    emit_uniform_if(lock, op);
}

//===-- Counted loops -----------------------------------------------------------------------------===//

enum { LOWER, UPPER, STEP, BOUNDS };

static pairs initial_values(pa_lockstep *lock, MlirOperation op, intptr_t first, MlirBlock block,
                            intptr_t first_argument, intptr_t count) {
  pairs p = new_pairs(lock, count);
  for (intptr_t i = 0; i < count; ++i)
    add_pair(lock, &p, mlirOperationGetOperand(op, first + i), mlirBlockGetArgument(block, first_argument + i));
  return p;
}

static pairs next_values(pa_lockstep *lock, MlirBlock body, intptr_t first_operand, MlirBlock block,
                         intptr_t first_argument, intptr_t count) {
  pairs p = new_pairs(lock, count);
  for (intptr_t i = 0; i < count; ++i)
    add_pair(lock, &p, mlirOperationGetOperand(mlirBlockGetTerminator(body), first_operand + i),
             mlirBlockGetArgument(block, first_argument + i));
  return p;
}

// The divergent results of a loop are where its last iteration left the arguments.
static void keep_carried(pa_lockstep *lock, MlirOperation op, MlirBlock body) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (pa_is_divergent(lock, mlirOperationGetResult(op, i)))
      share_slot(lock, mlirOperationGetResult(op, i), pa_slot_of(lock, mlirBlockGetArgument(body, i + 1)));
}

static void emit_uniform_for(pa_lockstep *lock, MlirOperation op) {
  MlirBlock body = pa_body(op, 0);
  intptr_t carried = mlirOperationGetNumResults(op);
  pairs first = initial_values(lock, op, BOUNDS, body, 1, carried);
  pass_divergent(lock, &first);
  pa_segment_close(lock);
  MlirValue *operands = PA_NEW_ARRAY(lock->arena, MlirValue, BOUNDS + carried);
  for (int i = 0; i < BOUNDS; ++i) operands[i] = pa_uniform_value(lock, mlirOperationGetOperand(op, i));
  MlirValue *initial = uniform_values(lock, &first);
  for (intptr_t i = 0; i < first.uniform_count; ++i) operands[BOUNDS + i] = initial[i];
  MlirType *types = PA_NEW_ARRAY(lock->arena, MlirType, 1 + carried);
  types[0] = mlirValueGetType(mlirBlockGetArgument(body, 0));
  for (intptr_t i = 0; i < first.uniform_count; ++i) types[1 + i] = first.uniform_types[i];
  nested n = enter(lock, types, 1 + first.uniform_count);
  pa_bind_uniform(lock, mlirBlockGetArgument(body, 0), mlirBlockGetArgument(n.block, 0));
  for (intptr_t i = 0; i < first.uniform_count; ++i)
    pa_bind_uniform(lock, first.uniform_to[i], mlirBlockGetArgument(n.block, 1 + i));
  pa_lockstep_emit_block(lock, body);
  pairs next = next_values(lock, body, 0, body, 1, carried);
  pass_divergent(lock, &next);
  pa_segment_close(lock);
  MlirRegion region = leave(lock, &n, PA_OP_NAME(SCF_YIELD), uniform_values(lock, &next), next.uniform_count);
  MlirOperation made = pa_op(&lock->once, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, BOUNDS + first.uniform_count),
                             PA_RESULT_ARRAY(first.uniform_types, first.uniform_count), PA_REGIONS(region),
                             PA_ATTRS({"unsignedCmp", pa_get_attr(op, "unsignedCmp")},
                                      {"pyarray.lockstep", pa_get_attr(op, "pyarray.lockstep")}));
  intptr_t at = 0;
  for (intptr_t i = 0; !mlirOperationIsNull(made) && i < carried; ++i)
    if (!pa_is_divergent(lock, mlirOperationGetResult(op, i)))
      pa_bind_uniform(lock, mlirOperationGetResult(op, i), mlirOperationGetResult(made, at++));
  keep_carried(lock, op, body);
}

// Each thread counts for itself, as long as any has an iteration left.
static void emit_masked_for(pa_lockstep *lock, MlirOperation op) {
  MlirBlock body = pa_body(op, 0);
  MlirValue counter = mlirBlockGetArgument(body, 0);
  MlirType type = mlirValueGetType(counter);
  pairs first = initial_values(lock, op, BOUNDS, body, 1, mlirOperationGetNumResults(op));
  pass_divergent(lock, &first);
  pa_segment *segment = pa_segment_open(lock);
  pa_slot *slots[BOUNDS] = {pa_slot_of(lock, counter), pa_new_slot(lock, type), pa_new_slot(lock, type)};
  for (int i = 0; i < BOUNDS; ++i) {
    MlirValue bound = pa_segment_value(lock, mlirOperationGetOperand(op, i));
    pa_slot_store(lock, &segment->body, slots[i], segment->linear, bound);
  }
  pa_slot *mask = pa_new_slot(lock, lock->i1);
  store_active(lock, mask);
  pa_segment_close(lock);
  saved_masks saved = narrow(lock, mask, false);
  nested before = enter(lock, NULL, 0);
  segment = pa_segment_open(lock);
  MlirValue count = pa_slot_load(lock, &segment->body, slots[LOWER], segment->linear);
  MlirValue end = pa_slot_load(lock, &segment->body, slots[UPPER], segment->linear);
  enum { SIGNED_LESS = 2, UNSIGNED_LESS = 6 };
  bool is_unsigned = !mlirAttributeIsNull(pa_get_attr(op, "unsignedCmp"));
  MlirValue more =
      pa_value(&segment->body, "arith.cmpi", PA_OPERANDS(count, end), PA_RESULTS(lock->i1),
               PA_ATTRS({"predicate", pa_i64_attr(lock->context, is_unsigned ? UNSIGNED_LESS : SIGNED_LESS)}));
  pa_slot_store(lock, &segment->body, mask, segment->linear, more);
  pa_segment_close(lock);
  MlirValue any = any_active(lock, mask);
  MlirRegion test = leave(lock, &before, PA_OP_NAME(SCF_CONDITION), &any, 1);
  nested after = enter(lock, NULL, 0);
  pa_lockstep_emit_block(lock, body);
  pairs next = next_values(lock, body, 0, body, 1, mlirOperationGetNumResults(op));
  pass_divergent(lock, &next);
  segment = pa_segment_open(lock);
  count = pa_slot_load(lock, &segment->body, slots[LOWER], segment->linear);
  MlirValue step = pa_slot_load(lock, &segment->body, slots[STEP], segment->linear);
  MlirValue following = pa_value(&segment->body, "arith.addi", PA_OPERANDS(count, step), PA_RESULTS(type));
  pa_slot_store(lock, &segment->body, slots[LOWER], segment->linear, following);
  pa_segment_close(lock);
  MlirRegion iteration = leave(lock, &after, PA_OP_NAME(SCF_YIELD), NULL, 0);
  widen(lock, saved);
  pa_op(&lock->once, PA_OP_NAME(SCF_WHILE), PA_REGIONS(test, iteration));
  keep_carried(lock, op, body);
}

static void emit_for(pa_lockstep *lock, MlirOperation op) {
  if (pa_is_divergent_branch(lock, op))
    emit_masked_for(lock, op);
  else
    emit_uniform_for(lock, op);
}

//===-- Loops on a condition ----------------------------------------------------------------------===//

// |mask|: NULL where all threads agree on the condition.
static void emit_while_with(pa_lockstep *lock, MlirOperation op, pa_slot *mask) {
  MlirBlock before = pa_body(op, 0), after = pa_body(op, 1);
  intptr_t carried = mlirBlockGetNumArguments(before), passed = mlirOperationGetNumResults(op);
  pairs first = initial_values(lock, op, 0, before, 0, carried);
  pass_divergent(lock, &first);
  if (mask) store_active(lock, mask);
  pa_segment_close(lock);
  MlirValue *initial = uniform_values(lock, &first);
  saved_masks saved = mask ? narrow(lock, mask, false) : (saved_masks){lock->mask, lock->required};

  nested test = enter(lock, first.uniform_types, first.uniform_count);
  for (intptr_t i = 0; i < first.uniform_count; ++i)
    pa_bind_uniform(lock, first.uniform_to[i], mlirBlockGetArgument(test.block, i));
  pa_lockstep_emit_block(lock, before);
  MlirValue condition = mlirOperationGetOperand(mlirBlockGetTerminator(before), 0);
  pairs through = next_values(lock, before, 1, after, 0, passed);
  for (intptr_t i = 0; i < passed; ++i)
    if (pa_is_divergent(lock, mlirOperationGetResult(op, i)))
      share_slot(lock, mlirOperationGetResult(op, i), pa_slot_of(lock, mlirBlockGetArgument(after, i)));
  pass_divergent(lock, &through);
  if (mask) {
    pa_segment *segment = pa_segment_open(lock);
    MlirValue stays = pa_segment_value(lock, condition);
    pa_slot_store(lock, &segment->body, mask, segment->linear, stays);
  }
  pa_segment_close(lock);
  MlirValue *operands = PA_NEW_ARRAY(lock->arena, MlirValue, 1 + passed);
  operands[0] = mask ? any_active(lock, mask) : pa_uniform_value(lock, condition);
  MlirValue *handed = uniform_values(lock, &through);
  for (intptr_t i = 0; i < through.uniform_count; ++i) operands[1 + i] = handed[i];
  MlirRegion before_region = leave(lock, &test, PA_OP_NAME(SCF_CONDITION), operands, 1 + through.uniform_count);

  nested iteration = enter(lock, through.uniform_types, through.uniform_count);
  for (intptr_t i = 0; i < through.uniform_count; ++i)
    pa_bind_uniform(lock, through.uniform_to[i], mlirBlockGetArgument(iteration.block, i));
  pa_lockstep_emit_block(lock, after);
  pairs next = next_values(lock, after, 0, before, 0, carried);
  pass_divergent(lock, &next);
  pa_segment_close(lock);
  MlirRegion after_region =
      leave(lock, &iteration, PA_OP_NAME(SCF_YIELD), uniform_values(lock, &next), next.uniform_count);

  widen(lock, saved);
  MlirOperation made =
      pa_op(&lock->once, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(initial, first.uniform_count),
            PA_RESULT_ARRAY(through.uniform_types, through.uniform_count), PA_REGIONS(before_region, after_region));
  intptr_t at = 0;
  for (intptr_t i = 0; !mlirOperationIsNull(made) && i < passed; ++i)
    if (!pa_is_divergent(lock, mlirOperationGetResult(op, i)))
      pa_bind_uniform(lock, mlirOperationGetResult(op, i), mlirOperationGetResult(made, at++));
}

static void emit_while(pa_lockstep *lock, MlirOperation op) {
  emit_while_with(lock, op, pa_is_divergent_branch(lock, op) ? pa_new_slot(lock, lock->i1) : NULL);
}

//===-- Operations --------------------------------------------------------------------------------===//

void pa_emit_synchronising(pa_lockstep *lock, MlirOperation op) {
  if (pa_is_barrier(lock, op))
    pa_emit_barrier(lock, op);
  else if (pa_sync_kind(lock, op))
    pa_emit_sync_call(lock, op);
  else if (pa_kind(&lock->names, op) == PA_OP_SCF_IF)
    emit_if(lock, op);
  else if (pa_kind(&lock->names, op) == PA_OP_SCF_FOR)
    emit_for(lock, op);
  else if (pa_kind(&lock->names, op) == PA_OP_SCF_WHILE)
    emit_while(lock, op);
  else
    pa_lockstep_fail(lock, op, "a barrier within this operation cannot run on the CPU");
}
