// Of pyarray-gpu-to-cpu: loops that the threads of a block share out, so that neighbours work on neighbouring elements.
//
//   scf.for %i = %first to %n step %stride { body }        // %first: of the thread's place; the others: alike for all
//   threads
// becomes, ahead of everything else,
//   scf.for %k = 0 to %trips step 1 {                      // {pyarray.lockstep}: runs once for the block, and is cut
//     %i = %first + %k * %stride
//     scf.if %i < %n (unsigned) { body }
//   }
//
// The loop over threads then is the inner one: it goes through memory in order, and LLVM vectorises it. Each thread on
// its own would touch a cache line for each element. `while i < n: ...; i += stride` is such a loop too. Loops within
// such a loop follow if nothing but arithmetic is between them.
//
// Everything is unsigned: %first is made of places and extents of the launch, or the loop was unsigned, so that no %i
// wraps.
#include <string.h>

#include "ir/blocks.h"
#include "lockstep.h"
#include "pyarray-c/Effects.h"

enum { LOWER, UPPER, STEP, BOUNDS };
enum { SHORT_STEP = 16 }; // a constant step below is no block's

static bool is_any(MlirOperation op, const char *const *names) {
  for (; *names; ++names)
    if (pa_op_is(op, *names)) return true;
  return false;
}

static MlirOperation definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

//===-- What is asked of the loops ----------------------------------------------------------------===//

static bool has_uniform_bounds(const pa_lockstep *lock, MlirOperation loop);

// Whether all threads have it alike: the rules of lockstep_uniform.c, for values within operations that are not cut
// yet.
static bool is_uniform(const pa_lockstep *lock, MlirValue value) {
  MlirOperation op = definition(value);
  if (mlirOperationIsNull(op)) {
    MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    bool counter = pa_op_is(parent, PA_OP_NAME(SCF_FOR)) && mlirBlockArgumentGetArgNumber(value) == 0;
    return mlirOperationEqual(parent, lock->kernel) || (counter && has_uniform_bounds(lock, parent));
  }
  if (!pa_is_pure(lock, op) || pa_op_is(op, "gpu.thread_id") || pa_op_is(op, "gpu.lane_id")) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_uniform(lock, mlirOperationGetOperand(op, i))) return false;
  return true;
}

static bool has_uniform_bounds(const pa_lockstep *lock, MlirOperation loop) {
  for (int i = 0; i < BOUNDS; ++i)
    if (!is_uniform(lock, mlirOperationGetOperand(loop, i))) return false;
  return true;
}

static bool synchronises(const pa_lockstep *lock, MlirOperation op) {
  if (pa_is_barrier(lock, op) || pa_sync_kind(lock, op)) return true;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    if (mlirBlockIsNull(pa_body(op, r))) continue;
    PA_FOR_EACH_OP(inner, pa_body(op, r))
    if (synchronises(lock, inner)) return true;
  }
  return false;
}

static const char *const casts[] = {"arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", NULL};

// At least 1, without wrapping.
static bool is_positive(MlirValue value) {
  static const char *const extents[] = {"gpu.block_dim", "gpu.grid_dim", NULL};
  MlirOperation op = definition(value);
  int64_t number;
  if (pa_is_constant_int(value, &number)) return number > 0;
  if (is_any(op, casts)) return is_positive(mlirOperationGetOperand(op, 0));
  if (pa_op_is(op, "arith.muli"))
    return is_positive(mlirOperationGetOperand(op, 0)) && is_positive(mlirOperationGetOperand(op, 1));
  return is_any(op, extents);
}

// The value in thread 0, which is the least one: sums and products of places and extents, which are not negative. Null
// for others. |any|: a term that all threads have alike may be anything else. |at| NULL: only says whether it is one.
static MlirValue least_value(const pa_lockstep *lock, pa_builder *at, MlirValue value, bool any, bool *depends) {
  static const char *const alike[] = {"gpu.block_id", "gpu.block_dim", "gpu.grid_dim", NULL};
  const MlirValue none = {NULL};
  MlirOperation op = definition(value);
  int64_t number;
  if (mlirOperationIsNull(op)) return any && is_uniform(lock, value) ? value : none;
  if (pa_op_is(op, "gpu.thread_id")) {
    *depends = true;
    return at ? pa_constant_int(at, lock->index, 0) : value;
  }
  if (is_any(op, alike) || (pa_is_constant_int(value, &number) && number >= 0)) return value;
  bool sum = pa_op_is(op, "arith.addi"), product = pa_op_is(op, "arith.muli"), cast = is_any(op, casts);
  if (!sum && !product && !cast) return any && is_uniform(lock, value) ? value : none;
  MlirValue parts[2] = {none, none};
  for (int i = 0; i < (cast ? 1 : 2); ++i) {
    parts[i] = least_value(lock, at, mlirOperationGetOperand(op, i), any && !product, depends);
    if (mlirValueIsNull(parts[i])) return any && is_uniform(lock, value) ? value : none;
  }
  if (!at) return value;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const char *text = pa_arena_copy(lock->arena, name.data, name.length);
  MlirType type = mlirValueGetType(value);
  return cast ? pa_value(at, text, PA_OPERANDS(parts[0]), PA_RESULTS(type))
              : pa_value(at, text, PA_OPERANDS(parts[0], parts[1]), PA_RESULTS(type));
}

static bool is_without_sign(MlirOperation loop) { return !mlirAttributeIsNull(pa_get_attr(loop, "unsignedCmp")); }

static bool is_shared_start(const pa_lockstep *lock, MlirValue first, bool any) {
  bool depends = false;
  return !mlirValueIsNull(least_value(lock, NULL, first, any, &depends)) && depends;
}

static bool is_shared_loop(const pa_lockstep *lock, MlirOperation loop) {
  if (!pa_op_is(loop, PA_OP_NAME(SCF_FOR)) || synchronises(lock, loop)) return false;
  MlirValue step = mlirOperationGetOperand(loop, STEP);
  MlirType type = mlirValueGetType(step);
  int64_t number;
  if (!mlirTypeEqual(type, lock->i64) && !mlirTypeIsAIndex(type)) return false;
  if (pa_is_constant_int(step, &number) && number < SHORT_STEP) return false;
  return is_uniform(lock, step) && is_uniform(lock, mlirOperationGetOperand(loop, UPPER)) &&
         is_shared_start(lock, mlirOperationGetOperand(loop, LOWER), is_without_sign(loop));
}

//===-- Loops on a condition ----------------------------------------------------------------------===//

// while i < n: ...; i += stride. Numbers of arguments of the first region; what is handed on is these arguments as they
// are.
typedef struct counted_while {
  intptr_t counter;
  MlirValue end, stride;
} counted_while;

static bool is_argument_of(MlirBlock block, MlirValue value, intptr_t *out_number) {
  if (!mlirValueIsABlockArgument(value) || !mlirBlockEqual(mlirBlockArgumentGetOwner(value), block)) return false;
  *out_number = mlirBlockArgumentGetArgNumber(value);
  return true;
}

static bool is_counted_while(const pa_lockstep *lock, MlirOperation op, counted_while *out) {
  enum { SIGNED_LESS = 2 };
  if (!pa_op_is(op, PA_OP_NAME(SCF_WHILE)) || synchronises(lock, op)) return false;
  MlirBlock before = pa_body(op, 0), after = pa_body(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), test = definition(mlirOperationGetOperand(condition, 0));
  if (!pa_op_is(test, "arith.cmpi") || mlirIntegerAttrGetValueInt(pa_get_attr(test, "predicate")) != SIGNED_LESS)
    return false;
  intptr_t handed, number;
  if (!is_argument_of(before, mlirOperationGetOperand(test, 0), &out->counter)) return false;
  out->end = mlirOperationGetOperand(test, 1);
  MlirValue first = mlirOperationGetOperand(op, out->counter);
  if (!is_uniform(lock, out->end) || !mlirTypeEqual(mlirValueGetType(first), lock->i64) ||
      !is_shared_start(lock, first, false))
    return false;
  PA_FOR_EACH_OP(inner, before)
  if (!mlirOperationEqual(inner, condition) && !pa_is_pure(lock, inner)) return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(condition); ++i) {
    if (!is_argument_of(before, mlirOperationGetOperand(condition, i), &number)) return false;
    if (number == out->counter && !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i - 1))))
      return false;
  }
  MlirOperation next = definition(mlirOperationGetOperand(mlirBlockGetTerminator(after), out->counter));
  if (!pa_op_is(next, "arith.addi")) return false;
  for (int side = 0; side < 2; ++side) {
    out->stride = mlirOperationGetOperand(next, 1 - side);
    if (!is_argument_of(after, mlirOperationGetOperand(next, side), &handed) || !is_uniform(lock, out->stride))
      continue;
    is_argument_of(before, mlirOperationGetOperand(condition, handed + 1), &number);
    if (number == out->counter && is_positive(out->stride)) return true;
  }
  return false;
}

// Ahead of |op|: what is pure and all threads have alike, with what it is made of.
static MlirValue move_ahead(pa_lockstep *lock, MlirValue value, MlirOperation op) {
  MlirOperation made = definition(value);
  for (MlirOperation at = made; !mlirOperationIsNull(at); at = mlirOperationGetParentOperation(at))
    if (mlirOperationEqual(at, op)) {
      MlirOperation copy = mlirOperationClone(made);
      for (intptr_t i = 0; i < mlirOperationGetNumOperands(made); ++i)
        mlirOperationSetOperand(copy, i, move_ahead(lock, mlirOperationGetOperand(made, i), op));
      mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, copy);
      return mlirOperationGetResult(copy, mlirOpResultGetResultNumber(value));
    }
  return value;
}

// The scf.for that it is.
static MlirOperation counted_for(pa_lockstep *lock, MlirOperation op, const counted_while *w) {
  MlirBlock before = pa_body(op, 0), after = pa_body(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
  intptr_t count = mlirBlockGetNumArguments(before), carried = 0;
  MlirValue *operands = PA_NEW_ARRAY(lock->arena, MlirValue, BOUNDS + count),
            *next = PA_NEW_ARRAY(lock->arena, MlirValue, count + 1);
  MlirType *types = PA_NEW_ARRAY(lock->arena, MlirType, 1 + count);
  intptr_t *place =
      PA_NEW_ARRAY(lock->arena, intptr_t, count + 1); // of an argument of |before| among those of the scf.for's body
  pa_builder at = {.context = lock->context,
                   .block = mlirOperationGetBlock(op),
                   .before = op,
                   .location = mlirOperationGetLocation(op)},
             inside;
  operands[LOWER] = mlirOperationGetOperand(op, w->counter);
  operands[UPPER] = move_ahead(lock, w->end, op);
  operands[STEP] = move_ahead(lock, w->stride, op);
  types[0] = mlirValueGetType(operands[LOWER]);
  for (intptr_t i = 0; i < count; ++i) {
    if (i == w->counter) continue;
    operands[BOUNDS + carried] = mlirOperationGetOperand(op, i);
    next[carried] = mlirOperationGetOperand(yield, i);
    types[++carried] = mlirValueGetType(mlirOperationGetOperand(op, i));
    place[i] = carried;
  }
  MlirRegion region = pa_inner_region(&at, types, 1 + carried, &inside);
  pa_move_operations(after, inside.block);
  MlirOperation made_yield = pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(next, carried));
  MlirOperation made = pa_op(&at, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, BOUNDS + carried),
                             PA_RESULT_ARRAY(types + 1, carried), PA_REGIONS(region));
  pa_take_failure(&lock->once, &inside);
  pa_take_failure(&lock->once, &at);
  if (mlirOperationIsNull(made) || mlirOperationIsNull(made_yield)) return (MlirOperation){NULL};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(after); ++i) {
    intptr_t number = 0;
    is_argument_of(before, mlirOperationGetOperand(condition, i + 1), &number);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(after, i), mlirBlockGetArgument(inside.block, place[number]));
    if (number != w->counter)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(made, place[number] - 1));
  }
  mlirOperationDestroy(op);
  return made;
}

//===-- The loop over the block -------------------------------------------------------------------===//

// How often the thread with the least start runs the body.
static MlirValue count_trips(pa_builder *at, MlirValue least, MlirValue end, MlirValue step) {
  enum { UNSIGNED_LESS = 6 };
  MlirType type = mlirValueGetType(end), i1 = mlirIntegerTypeGet(at->context, 1);
  MlirValue zero = pa_constant_int(at, type, 0), one = pa_constant_int(at, type, 1);
  MlirValue some = pa_value(at, "arith.cmpi", PA_OPERANDS(least, end), PA_RESULTS(i1),
                            PA_ATTRS({"predicate", pa_i64_attr(at->context, UNSIGNED_LESS)}));
  MlirValue distance = pa_value(at, "arith.subi", PA_OPERANDS(end, least), PA_RESULTS(type));
  MlirValue last = pa_value(at, "arith.subi", PA_OPERANDS(distance, one), PA_RESULTS(type));
  MlirValue safe = pa_value(at, "arith.maxui", PA_OPERANDS(step, one), PA_RESULTS(type));
  MlirValue steps = pa_value(at, "arith.divui", PA_OPERANDS(last, safe), PA_RESULTS(type));
  MlirValue trips = pa_value(at, "arith.addi", PA_OPERANDS(steps, one), PA_RESULTS(type));
  return pa_value(at, "arith.select", PA_OPERANDS(some, trips, zero), PA_RESULTS(type));
}

// The one loop of |body| that threads share out too, if what is in front of it can run in any thread and nothing is
// behind it.
static MlirOperation inner_loop(const pa_lockstep *lock, MlirOperation outer) {
  const MlirOperation none = {NULL};
  MlirBlock body = pa_body(outer, 0);
  if (mlirOperationGetNumResults(outer)) return none;
  PA_FOR_EACH_OP(op, body) {
    if (is_shared_loop(lock, op)) {
      bool last = mlirOperationEqual(mlirOperationGetNextInBlock(op), mlirBlockGetTerminator(body));
      return last && !mlirOperationGetNumResults(op) ? op : none;
    }
    if (!pa_is_pure(lock, op) || pa_kind(&lock->names, op) == PA_OP_FUNC_CALL || !pyarrayOperationIsSpeculatable(op))
      return none;
  }
  return none;
}

// |guard|: of the loops around it, or null.
static void interchange(pa_lockstep *lock, MlirOperation loop, MlirValue guard) {
  enum { UNSIGNED_LESS = 6 };
  MlirBlock source = pa_body(loop, 0);
  intptr_t carried = mlirOperationGetNumResults(loop);
  MlirValue first = mlirOperationGetOperand(loop, LOWER), end = mlirOperationGetOperand(loop, UPPER),
            step = mlirOperationGetOperand(loop, STEP);
  MlirType type = mlirValueGetType(first);
  MlirOperation inner = inner_loop(lock, loop);
  pa_builder at = {.context = lock->context,
                   .block = mlirOperationGetBlock(loop),
                   .before = loop,
                   .location = mlirOperationGetLocation(loop)},
             body;
  MlirValue zero = pa_constant_int(&at, type, 0), one = pa_constant_int(&at, type, 1);
  bool depends, any = is_without_sign(loop);
  MlirValue least = least_value(lock, &at, first, any, &depends);
  if (!any) end = pa_value(&at, "arith.maxsi", PA_OPERANDS(end, zero), PA_RESULTS(type));
  MlirValue trips = count_trips(&at, least, end, step);
  MlirType *types = PA_NEW_ARRAY(lock->arena, MlirType, 1 + carried);
  MlirValue *operands = PA_NEW_ARRAY(lock->arena, MlirValue, BOUNDS + carried);
  types[0] = type;
  operands[LOWER] = zero, operands[UPPER] = trips, operands[STEP] = one;
  for (intptr_t i = 0; i < carried; ++i) {
    operands[BOUNDS + i] = mlirOperationGetOperand(loop, BOUNDS + i);
    types[1 + i] = mlirValueGetType(operands[BOUNDS + i]);
  }
  MlirRegion region = pa_inner_region(&at, types, 1 + carried, &body);
  MlirValue moved =
      pa_value(&body, "arith.muli", PA_OPERANDS(mlirBlockGetArgument(body.block, 0), step), PA_RESULTS(type));
  MlirValue index = pa_value(&body, "arith.addi", PA_OPERANDS(first, moved), PA_RESULTS(type));
  MlirValue within = pa_value(&body, "arith.cmpi", PA_OPERANDS(index, end), PA_RESULTS(lock->i1),
                              PA_ATTRS({"predicate", pa_i64_attr(lock->context, UNSIGNED_LESS)}));
  if (!mlirValueIsNull(guard)) within = pa_value(&body, "arith.andi", PA_OPERANDS(guard, within), PA_RESULTS(lock->i1));
  MlirValue *old = PA_NEW_ARRAY(lock->arena, MlirValue, carried + 1);
  for (intptr_t i = 0; i < carried; ++i) old[i] = mlirBlockGetArgument(body.block, 1 + i);
  MlirOperation chosen = {NULL};
  if (!mlirOperationIsNull(inner)) {
    pa_move_operations(source, body.block);
  } else {
    pa_builder yes, no;
    MlirRegion then = pa_inner_region(&body, NULL, 0, &yes), otherwise = mlirRegionCreate();
    pa_move_operations(source, yes.block);
    MlirOperation yield = mlirBlockGetTerminator(source);
    mlirOperationRemoveFromParent(yield);
    mlirBlockAppendOwnedOperation(yes.block, yield);
    if (carried) {
      mlirRegionDestroy(otherwise);
      otherwise = pa_inner_region(&body, NULL, 0, &no);
      pa_op(&no, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(old, carried));
      pa_take_failure(&body, &no);
    }
    chosen = pa_op(&body, PA_OP_NAME(SCF_IF), PA_OPERANDS(within), PA_RESULT_ARRAY(types + 1, carried),
                   PA_REGIONS(then, otherwise));
  }
  if (pa_failed(&body)) {
    pa_take_failure(&lock->once, &body);
    return;
  }
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(source, 0), index);
  for (intptr_t i = 0; i < carried; ++i) mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(source, 1 + i), old[i]);
  MlirValue *next = PA_NEW_ARRAY(lock->arena, MlirValue, carried + 1);
  for (intptr_t i = 0; i < carried; ++i) next[i] = mlirOperationGetResult(chosen, i);
  pa_op(&body, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(next, carried));
  MlirOperation made =
      pa_op(&at, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, BOUNDS + carried), PA_RESULT_ARRAY(types + 1, carried),
            PA_REGIONS(region),
            PA_ATTRS({"pyarray.lockstep", pa_unit_attr(lock->context)}, {"unsignedCmp", pa_unit_attr(lock->context)}));
  pa_take_failure(&lock->once, &body);
  pa_take_failure(&lock->once, &at);
  if (mlirOperationIsNull(made)) return;
  for (intptr_t i = 0; i < carried; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), mlirOperationGetResult(made, i));
  mlirOperationDestroy(loop);
  if (!mlirOperationIsNull(inner)) interchange(lock, inner, within);
}

//===-- The kernel --------------------------------------------------------------------------------===//

static void visit(pa_lockstep *lock, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && !pa_failed(&lock->once)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    counted_while counted;
    if (is_counted_while(lock, op, &counted)) op = counted_for(lock, op, &counted);
    if (mlirOperationIsNull(op)) return;
    bool uniform_if = pa_op_is(op, PA_OP_NAME(SCF_IF)) && is_uniform(lock, mlirOperationGetOperand(op, 0));
    bool uniform_for = pa_op_is(op, PA_OP_NAME(SCF_FOR)) && has_uniform_bounds(lock, op);
    if (is_shared_loop(lock, op))
      interchange(lock, op, (MlirValue){NULL});
    else if (uniform_if || uniform_for)
      for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
        if (!mlirBlockIsNull(pa_body(op, r))) visit(lock, pa_body(op, r));
    op = next;
  }
}

void pa_interchange_loops(pa_lockstep *lock) { visit(lock, pa_body(lock->kernel, 0)); }
