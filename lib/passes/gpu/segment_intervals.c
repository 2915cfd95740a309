// Of pyarray-version-segments: intervals, see segment_intervals.h.
#include "segment_intervals.h"

// ORDER PREDICATES: arith's.
enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };

static int64_t predicate_of(MlirOperation compare) {
  return mlirIntegerAttrGetValueInt(pa_get_attr(compare, "predicate"));
}

static MlirOperation definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

static bool is_within(const pa_bounding *v, MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (mlirOperationEqual(op, v->nest)) return true;
  return false;
}

static bool is_outside(const pa_bounding *v, MlirValue value) {
  MlirOperation op = definition(value);
  if (mlirOperationIsNull(op)) op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return !is_within(v, op);
}

//===-- Arithmetic ahead of the loops -------------------------------------------------------------===//

static MlirValue binary(pa_bounding *v, const char *name, MlirValue a, MlirValue b) {
  return pa_value(&v->at, name, PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)));
}

static MlirValue number(pa_bounding *v, int64_t value) { return pa_constant_int(&v->at, v->i64, value); }

static MlirValue compare(pa_bounding *v, int predicate, MlirValue a, MlirValue b) {
  return pa_value(&v->at, "arith.cmpi", PA_OPERANDS(a, b), PA_RESULTS(v->i1),
                  PA_ATTRS({"predicate", pa_i64_attr(v->context, predicate)}));
}

static void require(pa_bounding *v, MlirValue condition) { v->checks = binary(v, "arith.andi", v->checks, condition); }

// |value| >= -2^bits and < 2^bits.
static void require_bits(pa_bounding *v, MlirValue value, int bits) {
  MlirValue moved = binary(v, "arith.addi", value, number(v, INT64_C(1) << bits));
  require(v, compare(v, ULT, moved, number(v, INT64_C(2) << bits)));
}

static void require_interval(pa_bounding *v, pa_interval range, int bits) {
  require_bits(v, range.low, bits);
  if (!mlirValueEqual(range.low, range.high)) require_bits(v, range.high, bits);
}

static MlirValue as_i64(pa_bounding *v, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeEqual(type, v->i64)) return value;
  return pa_value(&v->at, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", PA_OPERANDS(value),
                  PA_RESULTS(v->i64));
}

// Operations that cannot fail wherever they are put.
static bool is_movable(MlirOperation op) {
  static const char *const names[] = {
      "arith.constant", "arith.addi",  "arith.subi",   "arith.muli", "arith.index_cast", "arith.extsi", "arith.trunci",
      "arith.minsi",    "arith.maxsi", "arith.select", "arith.cmpi", "arith.andi",       "arith.shrsi", "memref.dim"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (pa_op_is(op, names[i])) return true;
  return false;
}

// The value, or its copy, ahead of the loops; null where it depends on them.
static MlirValue outside(pa_bounding *v, MlirValue value) {
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

static const pa_interval unknown = {{NULL}, {NULL}};

static bool is_known(pa_interval range) { return !mlirValueIsNull(range.low); }

static bool is_number(const pa_bounding *v, MlirType type) {
  return mlirTypeEqual(type, v->i64) || mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32);
}

static pa_thread_index *find_thread(pa_bounding *v, MlirValue counter) {
  for (int i = 0; i < PA_THREAD_LOOPS; ++i)
    if (mlirValueEqual(v->threads[i].counter, counter)) return &v->threads[i];
  return NULL;
}

static pa_interval interval_of(pa_bounding *v, MlirValue value);

static pa_interval operand_interval(pa_bounding *v, MlirOperation op, int number) {
  return interval_of(v, mlirOperationGetOperand(op, number));
}

static pa_interval either(pa_bounding *v, pa_interval a, pa_interval b) {
  return (pa_interval){binary(v, "arith.minsi", a.low, b.low), binary(v, "arith.maxsi", a.high, b.high)};
}

// Of a loop that counts within the loops over threads.
static pa_interval counter_interval(pa_bounding *v, MlirValue counter) {
  MlirBlock block = mlirBlockArgumentGetOwner(counter);
  MlirOperation loop = mlirBlockGetParentOperation(block);
  if (!pa_op_is(loop, PA_OP_NAME(SCF_FOR)) || mlirBlockArgumentGetArgNumber(counter) != 0) return unknown;
  if (!mlirAttributeIsNull(pa_get_attr(loop, "unsignedCmp"))) return unknown;
  pa_interval first = operand_interval(v, loop, 0), end = operand_interval(v, loop, 1),
              step = operand_interval(v, loop, 2);
  if (!is_known(first) || !is_known(end) || !is_known(step)) return unknown;
  require(v, compare(v, SGT, step.low, number(v, 0)));
  require_bits(v, end.high, 61);
  return (pa_interval){first.low, binary(v, "arith.subi", end.high, number(v, 1))};
}

static pa_interval sum(pa_bounding *v, pa_interval a, pa_interval b, bool minus) {
  require_interval(v, a, 61);
  require_interval(v, b, 61);
  if (minus) return (pa_interval){binary(v, "arith.subi", a.low, b.high), binary(v, "arith.subi", a.high, b.low)};
  return (pa_interval){binary(v, "arith.addi", a.low, b.low), binary(v, "arith.addi", a.high, b.high)};
}

// Of a value by one that all threads have alike.
static pa_interval product(pa_bounding *v, pa_interval a, MlirValue factor) {
  require_interval(v, a, 30);
  require_bits(v, factor, 30);
  MlirValue one = binary(v, "arith.muli", a.low, factor), other = binary(v, "arith.muli", a.high, factor);
  return (pa_interval){binary(v, "arith.minsi", one, other), binary(v, "arith.maxsi", one, other)};
}

static pa_interval quotient(pa_bounding *v, pa_interval a, MlirValue divisor, bool remainder) {
  MlirValue zero = number(v, 0), one = number(v, 1);
  require(v, compare(v, SGT, divisor, zero));
  require(v, compare(v, SGE, a.low, zero));
  MlirValue safe = binary(v, "arith.maxsi", divisor, one);
  if (remainder) return (pa_interval){zero, binary(v, "arith.subi", safe, one)};
  return (pa_interval){binary(v, "arith.divsi", a.low, safe), binary(v, "arith.divsi", a.high, safe)};
}

// x in `x + size if x < 0 else x`; null for other selections.
static MlirValue unless_negative(MlirOperation select) {
  MlirOperation test = definition(mlirOperationGetOperand(select, 0));
  MlirValue otherwise = mlirOperationGetOperand(select, 2);
  if (!pa_op_is(test, "arith.cmpi") || predicate_of(test) != SLT ||
      !mlirValueEqual(mlirOperationGetOperand(test, 0), otherwise))
    return (MlirValue){NULL};
  MlirOperation zero = definition(mlirOperationGetOperand(test, 1));
  bool is_zero = pa_op_is(zero, "arith.constant") && mlirIntegerAttrGetValueInt(pa_get_attr(zero, "value")) == 0;
  return is_zero ? otherwise : (MlirValue){NULL};
}

static pa_interval operation_interval(pa_bounding *v, MlirOperation op) {
  static const char *const names[] = {"arith.index_cast", "arith.extsi", "arith.trunci", "arith.addi",  "arith.subi",
                                      "arith.muli",       "arith.shrsi", "arith.andi",   "arith.minsi", "arith.maxsi",
                                      "arith.divsi",      "arith.remsi", "arith.select"};
  enum { CAST, EXTEND, TRUNCATE, ADD, SUBTRACT, MULTIPLY, SHIFT, AND, LEAST, MOST, DIVIDE, REMAINDER, SELECT, COUNT };
  int kind = 0;
  while (kind < COUNT && !pa_op_is(op, names[kind])) ++kind;
  if (kind == COUNT) return unknown;
  MlirValue counted = kind == SELECT ? unless_negative(op) : (MlirValue){NULL};
  if (!mlirValueIsNull(counted)) {
    pa_interval range = interval_of(v, counted);
    if (is_known(range)) require(v, compare(v, SGE, range.low, number(v, 0)));
    return range;
  }
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  bool narrow = !mlirTypeEqual(type, v->i64) && !mlirTypeIsAIndex(type);
  pa_interval a = operand_interval(v, op, kind == SELECT ? 1 : 0), b = unknown, result = a;
  if (kind > TRUNCATE) b = operand_interval(v, op, kind == SELECT ? 2 : 1);
  bool fixed = is_known(b) && mlirValueEqual(b.low, b.high);
  if (kind == AND && fixed) {
    require(v, compare(v, SGE, b.low, number(v, 0)));
    return (pa_interval){number(v, 0), b.low};
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
    if (!fixed || mlirOperationIsNull(definition(b.low)) || !pa_op_is(definition(b.low), "arith.constant"))
      return unknown;
    result = (pa_interval){binary(v, "arith.shrsi", a.low, b.low), binary(v, "arith.shrsi", a.high, b.low)};
    break;
  case LEAST:
  case MOST: {
    const char *name = names[kind];
    result = (pa_interval){binary(v, name, a.low, b.low), binary(v, name, a.high, b.high)};
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

static pa_interval interval_of(pa_bounding *v, MlirValue value) {
  if (pa_failed(&v->at) || !is_number(v, mlirValueGetType(value))) return unknown;
  MlirValue fixed = outside(v, value);
  if (!mlirValueIsNull(fixed)) {
    fixed = as_i64(v, fixed);
    return (pa_interval){fixed, fixed};
  }
  const pa_thread_index *thread = find_thread(v, value);
  if (thread) return thread->range;
  return mlirValueIsAOpResult(value) ? operation_interval(v, definition(value)) : counter_interval(v, value);
}

//===-- Conditions --------------------------------------------------------------------------------===//

static bool is_constant_false(MlirValue value) {
  MlirOperation op = definition(value);
  if (!pa_op_is(op, "arith.constant")) return false;
  MlirAttribute attr = pa_get_attr(op, "value");
  return mlirAttributeIsABool(attr) ? !mlirBoolAttrGetValue(attr)
                                    : mlirAttributeIsAInteger(attr) && mlirIntegerAttrGetValueInt(attr) == 0;
}

// The two conditions that |condition| is the `and` of.
static bool is_both(MlirValue condition, MlirValue out_parts[2]) {
  MlirOperation op = definition(condition);
  if (pa_op_is(op, "arith.andi")) {
    for (int i = 0; i < 2; ++i) out_parts[i] = mlirOperationGetOperand(op, i);
    return true;
  }
  if (pa_op_is(op, "arith.select") && is_constant_false(mlirOperationGetOperand(op, 2))) {
    for (int i = 0; i < 2; ++i) out_parts[i] = mlirOperationGetOperand(op, i);
    return true;
  }
  if (!pa_op_is(op, PA_OP_NAME(SCF_IF)) || mlirOperationGetNumResults(op) != 1) return false;
  if (!is_constant_false(mlirOperationGetOperand(mlirBlockGetTerminator(pa_body(op, 1)), 0))) return false;
  out_parts[0] = mlirOperationGetOperand(op, 0);
  out_parts[1] = mlirOperationGetOperand(mlirBlockGetTerminator(pa_body(op, 0)), 0);
  return true;
}

// |value| as the counter of a loop over threads plus what all threads have alike; false for others.
static bool split_thread(pa_bounding *v, MlirValue value, pa_thread_index **out_thread, MlirValue *out_rest) {
  MlirOperation op = definition(value);
  if (mlirOperationIsNull(op)) {
    *out_thread = find_thread(v, value);
    *out_rest = number(v, 0);
    return *out_thread;
  }
  if (pa_op_is(op, "arith.index_cast") || pa_op_is(op, "arith.extsi"))
    return split_thread(v, mlirOperationGetOperand(op, 0), out_thread, out_rest);
  if (!pa_op_is(op, "arith.addi")) return false;
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
static void narrow(pa_bounding *v, int64_t predicate, MlirValue value, MlirValue bound) {
  pa_thread_index *thread;
  MlirValue rest;
  pa_interval limit = interval_of(v, bound);
  // The whole sum, too: that it does not wrap is among the checks.
  if (!is_known(limit) || !is_known(interval_of(v, value)) || !split_thread(v, value, &thread, &rest)) return;
  pa_interval range = thread->range;
  require_interval(v, limit, 61);
  if (predicate == ULT || predicate == ULE) { // of what is not negative
    require(v, compare(v, SGE, limit.low, number(v, 0)));
    range.low = binary(v, "arith.maxsi", range.low, binary(v, "arith.subi", number(v, 0), rest));
    predicate -= ULT - SLT;
  }
  bool below = predicate == SLT || predicate == SLE || predicate == EQ,
       above = predicate == SGT || predicate == SGE || predicate == EQ;
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
static MlirValue always(pa_bounding *v, int64_t predicate, pa_interval a, pa_interval b) {
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
static void assume(pa_bounding *v, MlirValue condition) {
  MlirValue parts[2];
  if (is_both(condition, parts)) {
    assume(v, parts[0]);
    assume(v, parts[1]);
    return;
  }
  MlirOperation op = definition(condition);
  if (!pa_op_is(op, "arith.cmpi") || !is_number(v, mlirValueGetType(mlirOperationGetOperand(op, 0)))) return;
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  narrow(v, predicate_of(op), a, b);
  narrow(v, mirrored(predicate_of(op)), b, a);
}

// Adds to |guards| that |condition| always holds, for intervals that no condition has narrowed.
static void guard(pa_bounding *v, MlirValue condition) {
  MlirValue parts[2];
  if (is_both(condition, parts)) {
    guard(v, parts[0]);
    guard(v, parts[1]);
    return;
  }
  MlirOperation op = definition(condition);
  MlirValue fixed = outside(v, condition), holds = fixed;
  if (mlirValueIsNull(fixed) && pa_op_is(op, "arith.cmpi")) {
    pa_interval a = operand_interval(v, op, 0), b = operand_interval(v, op, 1);
    if (is_known(a) && is_known(b)) holds = always(v, predicate_of(op), a, b);
  }
  if (mlirValueIsNull(holds))
    v->open_guards = true;
  else
    v->guards = binary(v, "arith.andi", v->guards, holds);
}

//===-- Checks ------------------------------------------------------------------------------------===//

bool pa_bound_check(pa_bounding *v, MlirOperation check) {
  MlirOperation condition = definition(mlirOperationGetOperand(check, 0));
  if (!pa_op_is(condition, "arith.cmpi") || predicate_of(condition) != UGE) return false;
  pa_interval index = operand_interval(v, condition, 0), size = operand_interval(v, condition, 1);
  if (!is_known(index) || !is_known(size)) return false;
  require(v, compare(v, SGE, index.low, number(v, 0)));
  require(v, compare(v, SLT, index.high, size.low));
  return true;
}

void pa_bound_condition(pa_bounding *v, MlirValue condition) {
  guard(v, condition);
  assume(v, condition);
}

static MlirOperation inner_loop(MlirOperation loop) {
  PA_FOR_EACH_OP(op, pa_body(loop, 0))
  if (pa_op_is(op, PA_OP_NAME(SCF_FOR))) return op;
  return (MlirOperation){NULL};
}

bool pa_bounding_begin(pa_bounding *v, pa_arena *arena, MlirOperation nest) {
  MlirContext context = mlirOperationGetContext(nest);
  *v = (pa_bounding){.arena = arena,
                     .context = context,
                     .nest = nest,
                     .i1 = mlirIntegerTypeGet(context, 1),
                     .i64 = mlirIntegerTypeGet(context, 64)};
  v->at = (pa_builder){.context = context,
                       .block = mlirOperationGetBlock(nest),
                       .before = nest,
                       .location = mlirOperationGetLocation(nest)};
  v->checks = v->guards = pa_constant_int(&v->at, v->i1, 1);
  MlirOperation loop = nest;
  for (int i = 0; i < PA_THREAD_LOOPS; ++i, loop = inner_loop(loop)) {
    if (mlirOperationIsNull(loop)) return false;
    MlirValue extent = outside(v, mlirOperationGetOperand(loop, 1));
    if (mlirValueIsNull(extent)) return false;
    MlirValue last = binary(v, "arith.subi", as_i64(v, extent), number(v, 1));
    v->threads[i] = (pa_thread_index){mlirBlockGetArgument(pa_body(loop, 0), 0), {number(v, 0), last}};
  }
  return true;
}
