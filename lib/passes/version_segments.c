// pyarray-version-segments: loops over the threads of a block without bounds checks, where they are seen to hold before the loop.
//
// Enters: the target level for the CPU in place of a GPU (pyarray-gpu-to-cpu, then canonicalize). Leaves: the same level.
//
//   scf.for %z ... { scf.for %y ... { scf.for %x = %c0 to %extent ... {
//     %i = arith.addi %base, %x
//     %out = arith.cmpi uge, %i, %size
//     scf.if %out { func.call @pyarray_rt_raise_values(...) }         // declared pyarray.noreturn
//     ...
//   } } } {pyarray.segment}
// becomes
//   %within = ... %base >= 0 and %base + %extent - 1 < %size ...
//   scf.if %within { the loops without checks } else { the loops as they were }
//
// An index is bounded by intervals: those of threads and of counted loops, narrowed by the conditions that it stands under, such as
// `if i < n`. Their ends are computed at run time, from values that all threads have alike. Where every such condition is seen to hold
// for every thread, there is a third version, without them. Loops with a check that cannot be bounded stay as they are: one
// check that is left would keep LLVM from vectorising them.
#include <string.h>

#include "ir/ir.h"
#include "pass.h"
#include "split_internal.h"
#include "support/map.h"

// ORDER PREDICATES: arith's.
enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };

typedef struct interval {
  MlirValue low, high; // i64, made ahead of the loops; both null where nothing is known
} interval;

// The counter of a loop over threads, and its values under the conditions that are being visited.
typedef struct thread_index {
  MlirValue counter;
  interval range;
} thread_index;

enum { DIMENSIONS = 3 };

typedef struct versioning {
  pa_arena *arena;
  MlirContext context;
  MlirOperation module, nest;
  MlirType i1, i64;
  pa_builder at;      // ahead of the loops
  pa_map copies;      // value of the loops that does not depend on them -> its copy ahead of them
  thread_index threads[DIMENSIONS];
  pa_map dropped;     // checks: operation -> itself
  pa_map conditions;  // other scf.ifs, whose condition is in |guards|
  MlirValue checks;   // i1: every check passes
  MlirValue guards;   // i1: every condition holds for every thread
  bool hopeless;      // a check cannot be bounded
  bool has_guards, open_guards; // conditions; one that cannot be bounded
} versioning;

static bool is_named(MlirOperation op, const char *name) {
  return !mlirOperationIsNull(op) && pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), name);
}

static int64_t predicate_of(MlirOperation compare) { return mlirIntegerAttrGetValueInt(pa_get_attr(compare, "predicate")); }

static MlirOperation definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

static bool is_within(const versioning *v, MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (mlirOperationEqual(op, v->nest)) return true;
  return false;
}

static bool is_outside(const versioning *v, MlirValue value) {
  MlirOperation op = definition(value);
  if (mlirOperationIsNull(op)) op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return !is_within(v, op);
}

//===-- Arithmetic ahead of the loops -------------------------------------------------------------===//

static MlirValue binary(versioning *v, const char *name, MlirValue a, MlirValue b) {
  return pa_value(&v->at, name, PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)));
}

static MlirValue number(versioning *v, int64_t value) { return pa_constant_int(&v->at, v->i64, value); }

static MlirValue compare(versioning *v, int predicate, MlirValue a, MlirValue b) {
  return pa_value(&v->at, "arith.cmpi", PA_OPERANDS(a, b), PA_RESULTS(v->i1), PA_ATTRS({"predicate", pa_i64_attr(v->context, predicate)}));
}

static void require(versioning *v, MlirValue condition) { v->checks = binary(v, "arith.andi", v->checks, condition); }

// |value| >= -2^bits and < 2^bits.
static void require_bits(versioning *v, MlirValue value, int bits) {
  MlirValue moved = binary(v, "arith.addi", value, number(v, INT64_C(1) << bits));
  require(v, compare(v, ULT, moved, number(v, INT64_C(2) << bits)));
}

static void require_interval(versioning *v, interval range, int bits) {
  require_bits(v, range.low, bits);
  if (!mlirValueEqual(range.low, range.high)) require_bits(v, range.high, bits);
}

static MlirValue as_i64(versioning *v, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeEqual(type, v->i64)) return value;
  return pa_value(&v->at, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", PA_OPERANDS(value), PA_RESULTS(v->i64));
}

// Operations that cannot fail wherever they are put.
static bool is_movable(MlirOperation op) {
  static const char *const names[] = {"arith.constant", "arith.addi", "arith.subi", "arith.muli", "arith.index_cast", "arith.extsi", "arith.trunci",
                                      "arith.minsi", "arith.maxsi", "arith.select", "arith.cmpi", "arith.andi", "arith.shrsi", "memref.dim"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (is_named(op, names[i])) return true;
  return false;
}

// The value, or its copy, ahead of the loops; null where it depends on them.
static MlirValue outside(versioning *v, MlirValue value) {
  if (is_outside(v, value)) return value;
  MlirValue known = {pa_map_get(&v->copies, value.ptr)};
  MlirOperation op = definition(value);
  if (!mlirValueIsNull(known) || mlirOperationIsNull(op) || !is_movable(op)) return known;
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = PA_NEW_ARRAY(v->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    operands[i] = outside(v, mlirOperationGetOperand(op, i));
    if (mlirValueIsNull(operands[i])) return operands[i];
  }
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < count; ++i) mlirOperationSetOperand(copy, i, operands[i]);
  mlirBlockInsertOwnedOperationBefore(v->at.block, v->at.before, copy);
  known = mlirOperationGetResult(copy, 0);
  pa_map_put(v->arena, &v->copies, value.ptr, (void *)known.ptr);
  return known;
}

//===-- Intervals ---------------------------------------------------------------------------------===//

static const interval unknown = {{NULL}, {NULL}};

static bool is_known(interval range) { return !mlirValueIsNull(range.low); }

static bool is_number(const versioning *v, MlirType type) {
  return mlirTypeEqual(type, v->i64) || mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32);
}

static thread_index *find_thread(versioning *v, MlirValue counter) {
  for (int i = 0; i < DIMENSIONS; ++i)
    if (mlirValueEqual(v->threads[i].counter, counter)) return &v->threads[i];
  return NULL;
}

static interval interval_of(versioning *v, MlirValue value);

static interval operand_interval(versioning *v, MlirOperation op, int number) { return interval_of(v, mlirOperationGetOperand(op, number)); }

static interval either(versioning *v, interval a, interval b) {
  return (interval){binary(v, "arith.minsi", a.low, b.low), binary(v, "arith.maxsi", a.high, b.high)};
}

// Of a loop that counts within the loops over threads.
static interval counter_interval(versioning *v, MlirValue counter) {
  MlirBlock block = mlirBlockArgumentGetOwner(counter);
  MlirOperation loop = mlirBlockGetParentOperation(block);
  if (!is_named(loop, "scf.for") || mlirBlockArgumentGetArgNumber(counter) != 0) return unknown;
  if (!mlirAttributeIsNull(pa_get_attr(loop, "unsignedCmp"))) return unknown;
  interval first = operand_interval(v, loop, 0), end = operand_interval(v, loop, 1), step = operand_interval(v, loop, 2);
  if (!is_known(first) || !is_known(end) || !is_known(step)) return unknown;
  require(v, compare(v, SGT, step.low, number(v, 0)));
  require_bits(v, end.high, 61);
  return (interval){first.low, binary(v, "arith.subi", end.high, number(v, 1))};
}

static interval sum(versioning *v, interval a, interval b, bool minus) {
  require_interval(v, a, 61);
  require_interval(v, b, 61);
  if (minus) return (interval){binary(v, "arith.subi", a.low, b.high), binary(v, "arith.subi", a.high, b.low)};
  return (interval){binary(v, "arith.addi", a.low, b.low), binary(v, "arith.addi", a.high, b.high)};
}

// Of a value by one that all threads have alike.
static interval product(versioning *v, interval a, MlirValue factor) {
  require_interval(v, a, 30);
  require_bits(v, factor, 30);
  MlirValue one = binary(v, "arith.muli", a.low, factor), other = binary(v, "arith.muli", a.high, factor);
  return (interval){binary(v, "arith.minsi", one, other), binary(v, "arith.maxsi", one, other)};
}

static interval quotient(versioning *v, interval a, MlirValue divisor, bool remainder) {
  MlirValue zero = number(v, 0), one = number(v, 1);
  require(v, compare(v, SGT, divisor, zero));
  require(v, compare(v, SGE, a.low, zero));
  MlirValue safe = binary(v, "arith.maxsi", divisor, one);
  if (remainder) return (interval){zero, binary(v, "arith.subi", safe, one)};
  return (interval){binary(v, "arith.divsi", a.low, safe), binary(v, "arith.divsi", a.high, safe)};
}

// x in `x + size if x < 0 else x`; null for other selections.
static MlirValue unless_negative(MlirOperation select) {
  MlirOperation test = definition(mlirOperationGetOperand(select, 0));
  MlirValue otherwise = mlirOperationGetOperand(select, 2);
  if (!is_named(test, "arith.cmpi") || predicate_of(test) != SLT || !mlirValueEqual(mlirOperationGetOperand(test, 0), otherwise)) return (MlirValue){NULL};
  MlirOperation zero = definition(mlirOperationGetOperand(test, 1));
  bool is_zero = is_named(zero, "arith.constant") && mlirIntegerAttrGetValueInt(pa_get_attr(zero, "value")) == 0;
  return is_zero ? otherwise : (MlirValue){NULL};
}

static interval operation_interval(versioning *v, MlirOperation op) {
  static const char *const names[] = {"arith.index_cast", "arith.extsi", "arith.trunci", "arith.addi", "arith.subi", "arith.muli", "arith.shrsi",
                                      "arith.andi", "arith.minsi", "arith.maxsi", "arith.divsi", "arith.remsi", "arith.select"};
  enum { CAST, EXTEND, TRUNCATE, ADD, SUBTRACT, MULTIPLY, SHIFT, AND, LEAST, MOST, DIVIDE, REMAINDER, SELECT, COUNT };
  int kind = 0;
  while (kind < COUNT && !is_named(op, names[kind])) ++kind;
  if (kind == COUNT) return unknown;
  MlirValue counted = kind == SELECT ? unless_negative(op) : (MlirValue){NULL};
  if (!mlirValueIsNull(counted)) {
    interval range = interval_of(v, counted);
    if (is_known(range)) require(v, compare(v, SGE, range.low, number(v, 0)));
    return range;
  }
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  bool narrow = !mlirTypeEqual(type, v->i64) && !mlirTypeIsAIndex(type);
  interval a = operand_interval(v, op, kind == SELECT ? 1 : 0), b = unknown, result = a;
  if (kind > TRUNCATE) b = operand_interval(v, op, kind == SELECT ? 2 : 1);
  bool fixed = is_known(b) && mlirValueEqual(b.low, b.high);
  if (kind == AND && fixed) {
    require(v, compare(v, SGE, b.low, number(v, 0)));
    return (interval){number(v, 0), b.low};
  }
  if (!is_known(a) || (kind > TRUNCATE && !is_known(b))) return unknown;
  switch (kind) {
  case ADD:
  case SUBTRACT: result = sum(v, a, b, kind == SUBTRACT); break;
  case MULTIPLY:
    if (!fixed && !mlirValueEqual(a.low, a.high)) return unknown;
    result = fixed ? product(v, a, b.low) : product(v, b, a.low);
    break;
  case SHIFT:
    if (!fixed || mlirOperationIsNull(definition(b.low)) || !is_named(definition(b.low), "arith.constant")) return unknown;
    result = (interval){binary(v, "arith.shrsi", a.low, b.low), binary(v, "arith.shrsi", a.high, b.low)};
    break;
  case LEAST:
  case MOST: {
    const char *name = names[kind];
    result = (interval){binary(v, name, a.low, b.low), binary(v, name, a.high, b.high)};
    break;
  }
  case DIVIDE:
  case REMAINDER:
    if (!fixed) return unknown;
    result = quotient(v, a, b.low, kind == REMAINDER);
    break;
  case SELECT: result = either(v, a, b); break;
  case AND: return unknown;
  default: break;
  }
  if (narrow) require_interval(v, result, 31);
  return result;
}

static interval interval_of(versioning *v, MlirValue value) {
  if (pa_failed(&v->at) || !is_number(v, mlirValueGetType(value))) return unknown;
  MlirValue fixed = outside(v, value);
  if (!mlirValueIsNull(fixed)) {
    fixed = as_i64(v, fixed);
    return (interval){fixed, fixed};
  }
  const thread_index *thread = find_thread(v, value);
  if (thread) return thread->range;
  return mlirValueIsAOpResult(value) ? operation_interval(v, definition(value)) : counter_interval(v, value);
}

//===-- Conditions --------------------------------------------------------------------------------===//

static bool is_constant_false(MlirValue value) {
  MlirOperation op = definition(value);
  if (!is_named(op, "arith.constant")) return false;
  MlirAttribute attr = pa_get_attr(op, "value");
  return mlirAttributeIsABool(attr) ? !mlirBoolAttrGetValue(attr) : mlirAttributeIsAInteger(attr) && mlirIntegerAttrGetValueInt(attr) == 0;
}

// The two conditions that |condition| is the `and` of.
static bool is_both(MlirValue condition, MlirValue out_parts[2]) {
  MlirOperation op = definition(condition);
  if (is_named(op, "arith.andi")) {
    for (int i = 0; i < 2; ++i) out_parts[i] = mlirOperationGetOperand(op, i);
    return true;
  }
  if (is_named(op, "arith.select") && is_constant_false(mlirOperationGetOperand(op, 2))) {
    for (int i = 0; i < 2; ++i) out_parts[i] = mlirOperationGetOperand(op, i);
    return true;
  }
  if (!is_named(op, "scf.if") || mlirOperationGetNumResults(op) != 1) return false;
  if (!is_constant_false(mlirOperationGetOperand(mlirBlockGetTerminator(pa_body(op, 1)), 0))) return false;
  out_parts[0] = mlirOperationGetOperand(op, 0);
  out_parts[1] = mlirOperationGetOperand(mlirBlockGetTerminator(pa_body(op, 0)), 0);
  return true;
}

// |value| as the counter of a loop over threads plus what all threads have alike; false for others.
static bool split_thread(versioning *v, MlirValue value, thread_index **out_thread, MlirValue *out_rest) {
  MlirOperation op = definition(value);
  if (mlirOperationIsNull(op)) {
    *out_thread = find_thread(v, value);
    *out_rest = number(v, 0);
    return *out_thread;
  }
  if (is_named(op, "arith.index_cast") || is_named(op, "arith.extsi")) return split_thread(v, mlirOperationGetOperand(op, 0), out_thread, out_rest);
  if (!is_named(op, "arith.addi")) return false;
  for (int side = 0; side < 2; ++side) {
    MlirValue fixed = outside(v, mlirOperationGetOperand(op, side));
    if (mlirValueIsNull(fixed)) continue;
    if (!split_thread(v, mlirOperationGetOperand(op, 1 - side), out_thread, out_rest)) return false;
    *out_rest = binary(v, "arith.addi", *out_rest, as_i64(v, fixed));
    return true;
  }
  return false;
}

// Narrows the interval of the counter in |value| |predicate| |bound|.
static void narrow(versioning *v, int64_t predicate, MlirValue value, MlirValue bound) {
  thread_index *thread;
  MlirValue rest;
  interval limit = interval_of(v, bound);
  // The whole sum, too: that it does not wrap is among the checks.
  if (!is_known(limit) || !is_known(interval_of(v, value)) || !split_thread(v, value, &thread, &rest)) return;
  interval range = thread->range;
  require_interval(v, limit, 61);
  bool below = predicate == SLT || predicate == SLE || predicate == EQ, above = predicate == SGT || predicate == SGE || predicate == EQ;
  if (below) {
    MlirValue most = binary(v, "arith.subi", limit.high, rest);
    if (predicate == SLT) most = binary(v, "arith.subi", most, number(v, 1));
    range.high = binary(v, "arith.minsi", range.high, most);
  }
  if (above) {
    MlirValue least = binary(v, "arith.subi", limit.low, rest);
    if (predicate == SGT) least = binary(v, "arith.addi", least, number(v, 1));
    range.low = binary(v, "arith.maxsi", range.low, least);
  }
  thread->range = range;
}

// Of predicates whose sides are exchanged.
static int64_t mirrored(int64_t predicate) {
  static const int64_t table[] = {EQ, NE, SGT, SGE, SLT, SLE, UGT, UGE, ULT, ULE};
  return table[predicate];
}

// Whether it holds for every thread. Unsigned comparisons are of what is not negative, else they count as unknown.
static MlirValue always(versioning *v, int64_t predicate, interval a, interval b) {
  bool is_unsigned = predicate >= ULT;
  if (is_unsigned) predicate -= ULT - SLT;
  MlirValue holds = {NULL};
  if (predicate == SLT || predicate == SLE) holds = compare(v, (int)predicate, a.high, b.low);
  if (predicate == SGT || predicate == SGE) holds = compare(v, (int)predicate, a.low, b.high);
  if (mlirValueIsNull(holds) || !is_unsigned) return holds;
  MlirValue least = binary(v, "arith.minsi", a.low, b.low);
  return binary(v, "arith.andi", holds, compare(v, SGE, least, number(v, 0)));
}

// Narrows intervals by what holds where |condition| does.
static void assume(versioning *v, MlirValue condition) {
  MlirValue parts[2];
  if (is_both(condition, parts)) {
    assume(v, parts[0]);
    assume(v, parts[1]);
    return;
  }
  MlirOperation op = definition(condition);
  if (!is_named(op, "arith.cmpi") || !is_number(v, mlirValueGetType(mlirOperationGetOperand(op, 0)))) return;
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  narrow(v, predicate_of(op), a, b);
  narrow(v, mirrored(predicate_of(op)), b, a);
}

// Adds to |guards| that |condition| always holds, for intervals that no condition has narrowed.
static void guard(versioning *v, MlirValue condition) {
  MlirValue parts[2];
  if (is_both(condition, parts)) {
    guard(v, parts[0]);
    guard(v, parts[1]);
    return;
  }
  MlirOperation op = definition(condition);
  MlirValue fixed = outside(v, condition), holds = fixed;
  if (mlirValueIsNull(fixed) && is_named(op, "arith.cmpi")) {
    interval a = operand_interval(v, op, 0), b = operand_interval(v, op, 1);
    if (is_known(a) && is_known(b)) holds = always(v, predicate_of(op), a, b);
  }
  if (mlirValueIsNull(holds))
    v->open_guards = true;
  else
    v->guards = binary(v, "arith.andi", v->guards, holds);
}

//===-- The loops ---------------------------------------------------------------------------------===//

static bool raises(const versioning *v, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    if (!is_named(op, "func.call")) continue;
    MlirOperation callee = pa_lookup(v->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee")));
    if (!mlirOperationIsNull(callee) && !mlirAttributeIsNull(pa_get_attr(callee, "pyarray.noreturn"))) return true;
  }
  return false;
}

static void visit_check(versioning *v, MlirOperation check) {
  MlirOperation condition = definition(mlirOperationGetOperand(check, 0));
  interval index = unknown, size = unknown;
  if (is_named(condition, "arith.cmpi") && predicate_of(condition) == UGE) {
    index = operand_interval(v, condition, 0);
    size = operand_interval(v, condition, 1);
  }
  if (!is_known(index) || !is_known(size)) {
    v->hopeless = true;
    return;
  }
  require(v, compare(v, SGE, index.low, number(v, 0)));
  require(v, compare(v, SLT, index.high, size.low));
  pa_map_put(v->arena, &v->dropped, check.ptr, check.ptr);
}

static void visit_block(versioning *v, MlirBlock block);

static void visit_if(versioning *v, MlirOperation op) {
  MlirValue condition = mlirOperationGetOperand(op, 0);
  thread_index outer[DIMENSIONS];
  memcpy(outer, v->threads, sizeof outer);
  v->has_guards = true;
  pa_map_put(v->arena, &v->conditions, op.ptr, op.ptr);
  guard(v, condition);
  assume(v, condition);
  visit_block(v, pa_body(op, 0));
  memcpy(v->threads, outer, sizeof outer);
  if (!mlirBlockIsNull(pa_body(op, 1))) visit_block(v, pa_body(op, 1));
}

static void visit_block(versioning *v, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    if (v->hopeless || pa_failed(&v->at)) return;
    if (is_named(op, "scf.if") && raises(v, pa_body(op, 0)))
      visit_check(v, op);
    else if (is_named(op, "scf.if"))
      visit_if(v, op);
    else
      for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
        if (!mlirBlockIsNull(pa_body(op, r))) visit_block(v, pa_body(op, r));
  }
}

typedef struct operation_list {
  pa_arena *arena;
  MlirOperation *items;
  size_t count, capacity;
} operation_list;

static MlirWalkResult collect(MlirOperation op, void *data) {
  operation_list *list = data;
  list->items = pa_arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof op);
  list->items[list->count++] = op;
  return MlirWalkResultAdvance;
}

static operation_list operations_of(versioning *v, MlirOperation op) {
  operation_list list = {.arena = v->arena};
  mlirOperationWalk(op, collect, &list, MlirWalkPostOrder); // inner ones first: a check goes after what it holds
  return list;
}

// At |to|: the loops without checks, and without conditions if |unguarded|.
static void emit_version(versioning *v, pa_builder *to, bool unguarded) {
  MlirOperation copy = mlirOperationClone(v->nest);
  mlirBlockAppendOwnedOperation(to->block, copy);
  operation_list from = operations_of(v, v->nest), made = operations_of(v, copy);
  pa_builder here = *to;
  here.before = copy;
  MlirValue yes = unguarded ? pa_constant_int(&here, v->i1, 1) : (MlirValue){NULL};
  pa_take_failure(to, &here);
  for (size_t i = 0; i < from.count && !pa_failed(to); ++i) {
    if (pa_map_get(&v->dropped, from.items[i].ptr))
      mlirOperationDestroy(made.items[i]);
    else if (unguarded && pa_map_get(&v->conditions, from.items[i].ptr))
      mlirOperationSetOperand(made.items[i], 0, yes);
  }
}

// A region with the versions in which checks are known to hold.
static MlirRegion checked_versions(versioning *v) {
  pa_builder inside, all, some;
  MlirRegion region = pa_inner_region(&v->at, NULL, 0, &inside);
  if (v->has_guards && !v->open_guards) {
    MlirRegion unguarded = pa_inner_region(&inside, NULL, 0, &all), guarded = pa_inner_region(&inside, NULL, 0, &some);
    emit_version(v, &all, true);
    emit_version(v, &some, false);
    pa_op(&all, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
    pa_op(&some, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
    pa_take_failure(&inside, &all);
    pa_take_failure(&inside, &some);
    pa_op(&inside, "scf.if", PA_OPERANDS(v->guards), PA_REGIONS(unguarded, guarded));
  } else {
    emit_version(v, &inside, false);
  }
  pa_op(&inside, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(&v->at, &inside);
  return region;
}

// Loops that are hardly ever run are not worth LLVM's time.
static void keep_small(versioning *v, MlirOperation nest) {
  MlirAttribute plain = mlirAttributeParseGet(
      v->context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"));
  operation_list all = operations_of(v, nest);
  for (size_t i = 0; i < all.count; ++i)
    if (is_named(all.items[i], "scf.for")) pa_set_attr(all.items[i], "loop_annotation", plain);
}

static MlirOperation inner_loop(MlirOperation loop) {
  PA_FOR_EACH_OP(op, pa_body(loop, 0))
    if (is_named(op, "scf.for")) return op;
  return (MlirOperation){NULL};
}

static pa_status version(pa_pass_context *context, MlirOperation module, MlirOperation nest) {
  versioning v = {.arena = context->arena,
                  .context = context->context,
                  .module = module,
                  .nest = nest,
                  .i1 = mlirIntegerTypeGet(context->context, 1),
                  .i64 = mlirIntegerTypeGet(context->context, 64)};
  v.at = (pa_builder){.context = context->context, .block = mlirOperationGetBlock(nest), .before = nest, .location = mlirOperationGetLocation(nest)};
  v.checks = v.guards = pa_constant_int(&v.at, v.i1, 1);
  MlirOperation loop = nest;
  for (int i = 0; i < DIMENSIONS; ++i, loop = inner_loop(loop)) {
    if (mlirOperationIsNull(loop)) return PA_OK;
    v.threads[i].counter = mlirBlockGetArgument(pa_body(loop, 0), 0);
    MlirValue extent = outside(&v, mlirOperationGetOperand(loop, 1));
    if (mlirValueIsNull(extent)) return PA_OK;
    MlirValue last = binary(&v, "arith.subi", as_i64(&v, extent), number(&v, 1));
    v.threads[i].range = (interval){number(&v, 0), last};
  }
  visit_block(&v, pa_body(nest, 0));
  if (v.hopeless || mlirOperationIsNull(v.nest) || v.at.failure) return v.at.failure;
  bool any = false;
  operation_list all = operations_of(&v, nest);
  for (size_t i = 0; i < all.count; ++i) any |= pa_map_get(&v.dropped, all.items[i].ptr) != NULL;
  if (!any) return PA_OK;
  pa_builder slow;
  MlirRegion fast = checked_versions(&v), slow_region = pa_inner_region(&v.at, NULL, 0, &slow);
  pa_op(&v.at, "scf.if", PA_OPERANDS(v.checks), PA_REGIONS(fast, slow_region));
  keep_small(&v, nest);
  mlirOperationRemoveFromParent(nest);
  mlirBlockAppendOwnedOperation(slow.block, nest);
  slow.before = (MlirOperation){NULL};
  pa_op(&slow, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(&v.at, &slow);
  return v.at.failure;
}

static MlirWalkResult find_nests(MlirOperation op, void *data) {
  if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.segment"))) collect(op, data);
  return MlirWalkResultAdvance;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  operation_list nests = {.arena = context->arena};
  mlirOperationWalk(module, find_nests, &nests, MlirWalkPreOrder);
  for (size_t i = 0; i < nests.count; ++i) {
    mlirOperationRemoveAttributeByName(nests.items[i], pa_ref("pyarray.segment"));
    PA_TRY(version(context, module, nests.items[i]));
  }
  return PA_OK;
}

const pa_pass pa_pass_version_segments = {
    .argument = "pyarray-version-segments",
    .summary = "Hoist bounds checks out of loops over the threads of a block",
    .dependent_dialects = (const char *const[]){"scf", "arith", NULL},
    .run = run,
};
