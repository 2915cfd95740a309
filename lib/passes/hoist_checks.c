// pyarray-hoist-checks: moves the bounds checks of subscripts out of loops.
//
// Enters and leaves: typed functions (level 2). Within a loop, an index that is linear in variables of loops over ranges and in
// values from outside has a lowest and a highest value. If these are known to be in bounds, the access is marked in
// `pyarray.in_bounds`, one flag per index. If they can be compared before the loop, the loop is doubled: the first copy has
// unchecked accesses and runs when the comparison holds; the second keeps its checks, so that an IndexError is raised where and
// when Python would. Without `boundscheck`, only negative indices (which count from the end) are at stake.
//
//   pyarray.for (%i: si64) in range(0, %n, 1) { pyarray.getitem %a[%i] }
// becomes
//   %ok = %n - 1 < %a.shape[0]
//   scf.if %ok { pyarray.for ... { pyarray.getitem %a[%i] {pyarray.in_bounds = array<i1: true>} } }
//   else { pyarray.for ... { pyarray.getitem %a[%i] } }
#include <stdlib.h>
#include <string.h>

#include "integer_facts.h"
#include "ir/builtins.h"
#include "pass.h"
#include "typing.h"

enum {
  PA_MAX_TERMS = 8,
  PA_MAX_COEFFICIENT_BITS = 20,  // with leaves below 2^38 and eight terms, no sum leaves 64 bits
  PA_MAX_LEAF_BITS = 38,
  PA_MAX_DEPTH = 16,             // of an index expression
};

//===-- Linear expressions ------------------------------------------------------------------------===//

// A value that is not taken apart: an SSA value, or the extent of an array along an axis (axis >= 0).
typedef struct leaf {
  MlirValue value;
  intptr_t axis;
} leaf;

// constant + sum of coefficient * leaf. |failed|: not linear, or too large.
typedef struct linear {
  int64_t constant;
  int count;
  struct { leaf leaf; int64_t coefficient; } terms[PA_MAX_TERMS];
  bool failed;
} linear;

typedef struct hoisting {
  pa_pass_context *pass;
  pa_names names;
  bool boundscheck, kernel;
} hoisting;

static bool same_leaf(leaf a, leaf b) { return mlirValueEqual(a.value, b.value) && a.axis == b.axis; }
static linear linear_constant(int64_t value) { return (linear){.constant = value, .failed = llabs(value) >> PA_MAX_LEAF_BITS != 0}; }
static linear linear_leaf(MlirValue value, intptr_t axis) { return (linear){.count = 1, .terms = {{{value, axis}, 1}}}; }

static void add_term(linear *sum, leaf leaf, int64_t coefficient) {
  int i = 0;
  while (i < sum->count && !same_leaf(sum->terms[i].leaf, leaf)) ++i;
  if (i == PA_MAX_TERMS) {
    sum->failed = true;
    return;
  }
  if (i == sum->count) sum->terms[sum->count++].leaf = leaf, sum->terms[i].coefficient = 0;
  sum->terms[i].coefficient += coefficient;
  if (llabs(sum->terms[i].coefficient) >> PA_MAX_COEFFICIENT_BITS) sum->failed = true;
  if (sum->terms[i].coefficient == 0) sum->terms[i] = sum->terms[--sum->count];
}

// a + factor * b
static linear add_scaled(linear a, linear b, int64_t factor) {
  a.failed = a.failed || b.failed || llabs(factor) >> PA_MAX_COEFFICIENT_BITS || llabs(b.constant) >> PA_MAX_LEAF_BITS;
  if (a.failed) return a;
  a.constant += factor * b.constant;
  for (int i = 0; i < b.count && !a.failed; ++i) add_term(&a, b.terms[i].leaf, factor * b.terms[i].coefficient);
  return a;
}

static MlirOperation defining_op(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

static bool int_constant(const hoisting *h, MlirValue value, int64_t *out) {
  MlirOperation op = defining_op(value);
  if (mlirOperationIsNull(op) || pa_kind(&h->names, op) != PA_OP_CONSTANT) return false;
  return pa_literal_int(pa_literal_fact(h->pass->context, pa_get_attr(op, "value")), out);
}

static bool is_shape(const hoisting *h, MlirValue value, MlirValue *out_array) {
  MlirOperation op = defining_op(value);
  if (mlirOperationIsNull(op) || pa_kind(&h->names, op) != PA_OP_GETATTR) return false;
  if (!pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "shape")) return false;
  return *out_array = mlirOperationGetOperand(op, 0), true;
}

static linear linear_of(const hoisting *h, MlirValue value, int depth);

static linear linear_binary(const hoisting *h, MlirOperation op, MlirValue value, int depth) {
  MlirValue lhs = mlirOperationGetOperand(op, 0), rhs = mlirOperationGetOperand(op, 1);
  int64_t factor;
  switch (pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
    case PYARRAY_BINARY_ADD: return add_scaled(linear_of(h, lhs, depth), linear_of(h, rhs, depth), 1);
    case PYARRAY_BINARY_SUB: return add_scaled(linear_of(h, lhs, depth), linear_of(h, rhs, depth), -1);
    case PYARRAY_BINARY_MUL:
      if (int_constant(h, rhs, &factor)) return add_scaled(linear_constant(0), linear_of(h, lhs, depth), factor);
      if (int_constant(h, lhs, &factor)) return add_scaled(linear_constant(0), linear_of(h, rhs, depth), factor);
      return linear_leaf(value, -1);
    default: return linear_leaf(value, -1);
  }
}

static linear linear_of(const hoisting *h, MlirValue value, int depth) {
  int64_t constant;
  MlirValue array;
  MlirOperation op = defining_op(value);
  if (mlirOperationIsNull(op) || depth > PA_MAX_DEPTH) return linear_leaf(value, -1);
  if (int_constant(h, value, &constant)) return linear_constant(constant);
  switch (pa_kind(&h->names, op)) {
    case PA_OP_BINARY:
      if (pa_scalar_of(mlirValueGetType(value)) == PA_I64) return linear_binary(h, op, value, depth + 1);
      break;
    case PA_OP_UNPACK:
      if (is_shape(h, mlirOperationGetOperand(op, 0), &array)) return linear_leaf(array, mlirOpResultGetResultNumber(value));
      break;
    case PA_OP_GETITEM:
      if (is_shape(h, mlirOperationGetOperand(op, 0), &array) && int_constant(h, mlirOperationGetOperand(op, 1), &constant))
        return linear_leaf(array, constant < 0 ? constant + pyarrayArrayTypeGetRank(mlirValueGetType(array)) : constant);
      break;
    case PA_OP_BUILTIN:
      array = mlirOperationGetNumOperands(op) ? mlirOperationGetOperand(op, 0) : value;
      if (pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "builtins.len") && pyarrayTypeIsArray(mlirValueGetType(array)))
        return linear_leaf(array, 0);
      break;
    default: break;
  }
  return linear_leaf(value, -1);
}

//===-- Loops -------------------------------------------------------------------------------------===//

static bool is_inside(MlirBlock block, MlirOperation loop) {
  while (!mlirBlockIsNull(block)) {
    MlirOperation parent = mlirBlockGetParentOperation(block);
    if (mlirOperationIsNull(parent)) return false;
    if (mlirOperationEqual(parent, loop)) return true;
    block = mlirOperationGetBlock(parent);
  }
  return false;
}

static bool is_invariant(MlirValue value, MlirOperation loop) {
  MlirBlock block = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value) : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return !is_inside(block, loop);
}

typedef struct bounds { linear lowest, highest; } bounds;

// Linear expressions that must not be negative for the first copy of a loop to run.
typedef struct conditions {
  linear *items;
  size_t count, capacity;
} conditions;

static void require(hoisting *h, conditions *c, const linear *e);

// The operands of the range that |iterable| is, or NULL.
static bool is_range(const hoisting *h, MlirValue iterable, MlirValue *out_parts) {
  MlirOperation range = defining_op(iterable);
  if (mlirOperationIsNull(range) || pa_kind(&h->names, range) != PA_OP_BUILTIN) return false;
  if (!pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(range, "name")), "builtins.range")) return false;
  for (int i = 0; i < 3; ++i) out_parts[i] = mlirOperationGetOperand(range, i);
  return true;
}

// The lowest and highest item of |iterable|, if it is a range. A step of unknown sign is taken to be positive, which |assumed|
// then says.
static bool range_bounds(hoisting *h, MlirValue iterable, bounds *out, conditions *assumed) {
  MlirValue parts[3];
  if (!is_range(h, iterable, parts)) return false;
  linear start = linear_of(h, parts[0], 0), stop = linear_of(h, parts[1], 0);
  int64_t step = 1;
  if (!int_constant(h, parts[2], &step) && !pa_integer_positive(&h->names, parts[2])) {
    linear positive = add_scaled(linear_of(h, parts[2], 0), linear_constant(1), -1);
    require(h, assumed, &positive);
  }
  if (step == 0) return false;
  if (step > 0) *out = (bounds){start, add_scaled(stop, linear_constant(1), -1)};
  else *out = (bounds){add_scaled(stop, linear_constant(1), 1), start};
  return true;
}

// The iterable of which |value| is an item: the variable of a loop, or a pyarray.iter_item; else a null value.
static MlirValue iterable_of_item(const hoisting *h, MlirValue value) {
  MlirOperation op = defining_op(value);
  if (!mlirOperationIsNull(op))
    return pa_kind(&h->names, op) == PA_OP_ITER_ITEM ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
  MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (mlirBlockArgumentGetArgNumber(value) != 0 || pa_kind(&h->names, parent) != PA_OP_FOR) return (MlirValue){NULL};
  return mlirOperationGetOperand(parent, 0);
}

// Replaces the variables of |outermost| and of loops inside it by their bounds: the lowest value of |e| (or the highest).
// Fails if something else that varies in the loop is left.
static linear extreme(hoisting *h, linear e, MlirOperation outermost, bool highest, conditions *assumed) {
  for (int round = 0; round < 4 * PA_MAX_TERMS && !e.failed; ++round) {
    int i = 0;
    while (i < e.count && is_invariant(e.terms[i].leaf.value, outermost)) ++i;
    if (i == e.count) return e;
    int64_t coefficient = e.terms[i].coefficient;
    MlirValue iterable = e.terms[i].leaf.axis < 0 ? iterable_of_item(h, e.terms[i].leaf.value) : (MlirValue){NULL};
    bounds limits;
    if (mlirValueIsNull(iterable) || !range_bounds(h, iterable, &limits, assumed)) break;
    add_term(&e, e.terms[i].leaf, -coefficient);
    e = add_scaled(e, highest == (coefficient > 0) ? limits.highest : limits.lowest, coefficient);
  }
  e.failed = true;
  return e;
}

//===-- Conditions --------------------------------------------------------------------------------===//

// Whether the two differ in their constant only.
static bool same_terms(const linear *a, const linear *b) {
  if (a->count != b->count) return false;
  for (int i = 0; i < a->count; ++i) {
    int k = 0;
    while (k < b->count && !same_leaf(a->terms[i].leaf, b->terms[k].leaf)) ++k;
    if (k == b->count || a->terms[i].coefficient != b->terms[k].coefficient) return false;
  }
  return true;
}

// Whether |e| >= 0 whatever its leaves are: extents are never negative.
static bool is_never_negative(const linear *e) {
  if (e->constant < 0) return false;
  for (int i = 0; i < e->count; ++i)
    if (e->terms[i].leaf.axis < 0 || e->terms[i].coefficient < 0) return false;
  return true;
}

static bool is_always_negative(const linear *e) { return e->count == 0 && e->constant < 0; }

static void require(hoisting *h, conditions *c, const linear *e) {
  if (is_never_negative(e)) return;
  for (size_t i = 0; i < c->count; ++i) {
    if (!same_terms(&c->items[i], e)) continue;
    if (e->constant < c->items[i].constant) c->items[i].constant = e->constant;  // the stricter of the two
    return;
  }
  c->items = pa_arena_grow(h->pass->arena, c->items, c->count, &c->capacity, sizeof *c->items);
  c->items[c->count++] = *e;
}

static MlirValue emit_int(pa_builder *b, int64_t value) {
  MlirType type = pa_scalar_type(b->context, PA_I64);
  return pa_value(b, "pyarray.constant", PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

static MlirValue emit_binary(pa_builder *b, pyarray_binary_kind kind, MlirValue lhs, MlirValue rhs) {
  return pa_value(b, "pyarray.binary", PA_OPERANDS(lhs, rhs), PA_RESULTS(mlirValueGetType(lhs)), PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(b->context, kind)}));
}

static MlirValue emit_compare(pa_builder *b, pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs) {
  return pa_value(b, "pyarray.compare", PA_OPERANDS(lhs, rhs), PA_RESULTS(mlirIntegerTypeGet(b->context, 1)), PA_ATTRS({"kind", pyarrayCompareKindAttrGet(b->context, kind)}));
}

static MlirValue emit_leaf(pa_builder *b, leaf leaf) {
  if (leaf.axis < 0) return leaf.value;
  intptr_t rank = pyarrayArrayTypeGetRank(mlirValueGetType(leaf.value));
  MlirType extents[64], extent = pa_scalar_type(b->context, PA_I64);
  for (intptr_t i = 0; i < rank && i < 64; ++i) extents[i] = extent;
  MlirValue shape = pa_value(b, "pyarray.getattr", PA_OPERANDS(leaf.value), PA_RESULTS(mlirTupleTypeGet(b->context, rank, extents)), PA_ATTRS({"name", pa_string_attr(b->context, "shape")}));
  MlirValue axis = emit_int(b, leaf.axis);
  return pa_value(b, "pyarray.getitem", PA_OPERANDS(shape, axis), PA_RESULTS(extent));
}

static MlirValue emit_and(pa_builder *b, MlirValue all, MlirValue one) {
  return mlirValueIsNull(all) ? one : emit_binary(b, PYARRAY_BINARY_AND, all, one);
}

// -2^38 < leaf < 2^38, so that no sum wraps. Extents are always below that limit, or memory would not hold them.
static MlirValue emit_small(pa_builder *b, leaf leaf, MlirValue all) {
  MlirValue value = emit_leaf(b, leaf);
  MlirValue limit = emit_int(b, (int64_t)1 << PA_MAX_LEAF_BITS), below = emit_int(b, -((int64_t)1 << PA_MAX_LEAF_BITS));
  all = emit_and(b, all, emit_compare(b, PYARRAY_COMPARE_LT, value, limit));
  return emit_and(b, all, emit_compare(b, PYARRAY_COMPARE_GT, value, below));
}

static MlirValue emit_conditions(hoisting *h, pa_builder *b, const conditions *c) {
  MlirValue all = {NULL};
  leaf *checked = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < c->count; ++i) {
    const linear *e = &c->items[i];
    MlirValue sum = emit_int(b, e->constant);
    for (int t = 0; t < e->count; ++t) {
      size_t known = 0;
      while (known < count && !same_leaf(checked[known], e->terms[t].leaf)) ++known;
      if (known == count && e->terms[t].leaf.axis < 0) {
        checked = pa_arena_grow(h->pass->arena, checked, count, &capacity, sizeof *checked);
        checked[count++] = e->terms[t].leaf;
        all = emit_small(b, e->terms[t].leaf, all);
      }
      MlirValue term = emit_leaf(b, e->terms[t].leaf);
      if (e->terms[t].coefficient != 1) term = emit_binary(b, PYARRAY_BINARY_MUL, term, emit_int(b, e->terms[t].coefficient));
      sum = emit_binary(b, PYARRAY_BINARY_ADD, sum, term);
    }
    all = emit_and(b, all, emit_compare(b, PYARRAY_COMPARE_GE, sum, emit_int(b, 0)));
  }
  return all;
}

//===-- Accesses ----------------------------------------------------------------------------------===//

static bool is_marked(MlirOperation access, intptr_t index) {
  MlirAttribute flags = pa_get_attr(access, "pyarray.in_bounds");
  return !mlirAttributeIsNull(flags) && mlirDenseBoolArrayGetElement(flags, index);
}

static void mark(const hoisting *h, MlirOperation access, intptr_t index, intptr_t count) {
  int flags[64] = {0};
  for (intptr_t i = 0; i < count && i < 64; ++i) flags[i] = i == index || is_marked(access, i);
  pa_set_attr(access, "pyarray.in_bounds", mlirDenseBoolArrayGet(h->pass->context, count, flags));
}

static bool all_invariant(const conditions *c, MlirOperation loop) {
  for (size_t i = 0; i < c->count; ++i)
    for (int t = 0; t < c->items[i].count || c->items[i].failed; ++t)
      if (c->items[i].failed || !is_invariant(c->items[i].terms[t].leaf.value, loop)) return false;
  return true;
}

// Marks the indices of |access| that are in bounds under |c|, to which it adds.
static void hoist_access(hoisting *h, MlirOperation loop, MlirOperation access, conditions *c) {
  MlirValue array = mlirOperationGetOperand(access, 0);
  if (!pyarrayTypeIsArray(mlirValueGetType(array)) || !is_invariant(array, loop)) return;
  bool store = pa_kind(&h->names, access) == PA_OP_SETITEM, checked = pa_option_bool(access, "pyarray.options", "boundscheck", h->boundscheck);
  intptr_t count = mlirOperationGetNumOperands(access) - 1 - store;
  for (intptr_t i = 0; i < count && count <= 64; ++i) {
    MlirValue index = mlirOperationGetOperand(access, 1 + i);
    if (pa_scalar_of(mlirValueGetType(index)) != PA_I64 || is_marked(access, i)) continue;
    bool never_negative = pa_integer_not_negative(&h->names, index, true); // what is lowered by it needs no condition either
    if (never_negative && !checked) {
      mark(h, access, i, count);
      continue;
    }
    linear e = linear_of(h, index, 0);
    conditions assumed = {0};
    linear lowest = extreme(h, e, loop, false, &assumed), highest = extreme(h, e, loop, true, &assumed);
    linear room = add_scaled(add_scaled(linear_leaf(array, i), highest, -1), linear_constant(1), -1);  // extent - 1 - highest
    if (!never_negative && (lowest.failed || is_always_negative(&lowest))) continue;
    if (checked && (highest.failed || room.failed || is_always_negative(&room))) continue;
    if (!all_invariant(&assumed, loop)) continue;
    mark(h, access, i, count);
    for (size_t k = 0; k < assumed.count; ++k) require(h, c, &assumed.items[k]);
    if (!never_negative) require(h, c, &lowest);
    if (checked) require(h, c, &room);
  }
}

static void hoist_in_block(hoisting *h, MlirOperation loop, MlirBlock block, conditions *c) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&h->names, op);
    if (kind == PA_OP_GETITEM || kind == PA_OP_SETITEM) hoist_access(h, loop, op, c);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) hoist_in_block(h, loop, pa_body(op, r), c);
  }
}

//===-- Steps -------------------------------------------------------------------------------------===//

static bool has_marked_access(const hoisting *h, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.in_bounds"))) return true;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r)) && has_marked_access(h, pa_body(op, r))) return true;
  }
  return false;
}

static bool only_extents(const linear *e) {
  for (int i = 0; i < e->count; ++i)
    if (e->terms[i].leaf.axis < 0) return false;
  return true;
}

// A loop in steps other than 1 counts by them, without a trip count, if the step is positive and the sum of loop variable and
// step cannot wrap: then it is marked, under |c|. Not needed where both start and step are known not to be negative: such a loop counts
// without a sign. A kernel's loop is not doubled for this alone.
static void hoist_step(hoisting *h, MlirOperation loop, conditions *c) {
  MlirValue parts[3];
  int64_t step;
  if (pa_kind(&h->names, loop) != PA_OP_FOR || !is_range(h, mlirOperationGetOperand(loop, 0), parts)) return;
  bool known = int_constant(h, parts[2], &step);
  if (pa_integer_positive(&h->names, parts[2]) && pa_integer_not_negative(&h->names, parts[0], false)) return;
  if ((known && (step <= 1 || step >> PA_MAX_LEAF_BITS)) || !has_marked_access(h, pa_body(loop, 0))) return;
  linear start = linear_of(h, parts[0], 0), stop = linear_of(h, parts[1], 0), positive = linear_of(h, parts[2], 0);
  linear limit = linear_constant((int64_t)1 << (PA_MAX_LEAF_BITS - 1));
  linear low = add_scaled(limit, start, 1), high = add_scaled(limit, stop, -1);
  positive = add_scaled(positive, linear_constant(1), -1);
  if (low.failed || high.failed || positive.failed || (h->kernel && !c->count)) return;
  require(h, c, &positive);
  if (!only_extents(&start)) require(h, c, &low);
  if (!only_extents(&stop)) require(h, c, &high);
  pa_set_attr(loop, "pyarray.no_wrap", pa_unit_attr(h->pass->context));
}

//===-- Versioning --------------------------------------------------------------------------------===//

static void end_branch(MlirContext context, MlirBlock block, MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirValue *values = calloc((size_t)count + 1, sizeof *values);
  for (intptr_t i = 0; i < count; ++i) values[i] = mlirOperationGetResult(loop, i);
  pa_builder b = {.context = context, .block = block, .location = mlirOperationGetLocation(loop)};
  pa_op(&b, "scf.yield", PA_OPERAND_ARRAY(values, count));
  pa_status_free(b.failure);
  free(values);
}

// Puts |loop| into the first branch of an scf.if on |c| and |checked|, a copy made before it was marked, into the other.
static pa_status version(hoisting *h, MlirOperation loop, MlirOperation checked, const conditions *c) {
  pa_builder b = {.context = h->pass->context, .block = mlirOperationGetBlock(loop), .before = loop, .location = mlirOperationGetLocation(loop)};
  MlirValue condition = emit_conditions(h, &b, c);
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirType *types = PA_NEW_ARRAY(h->pass->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirValueGetType(mlirOperationGetResult(loop, i));
  MlirBlock fast, slow;
  MlirRegion regions[] = {pa_region(b.location, NULL, 0, &fast), pa_region(b.location, NULL, 0, &slow)};
  MlirOperation branch = pa_op(&b, "scf.if", PA_OPERANDS(condition), PA_RESULT_ARRAY(types, count), PA_REGIONS(regions[0], regions[1]),
                               PA_ATTRS({"pyarray.freeze", pa_unit_attr(b.context)}));
  if (b.failure) return b.failure;
  for (intptr_t i = 0; i < count; ++i) mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), mlirOperationGetResult(branch, i));
  mlirOperationRemoveFromParent(loop);
  mlirBlockAppendOwnedOperation(fast, loop);
  mlirBlockAppendOwnedOperation(slow, checked);
  end_branch(b.context, fast, loop);
  end_branch(b.context, slow, checked);
  return PA_OK;
}

static pa_status visit_block(hoisting *h, MlirBlock block);

static pa_status visit_regions(hoisting *h, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(pa_body(op, r))) PA_TRY(visit_block(h, pa_body(op, r)));
  return PA_OK;
}

// Marks the loops of a second copy, which runs only to raise an IndexError: the code generator spends little on it.
static void mark_checked(hoisting *h, MlirOperation op) {
  pa_op_kind kind = pa_kind(&h->names, op);
  if (kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE) pa_set_attr(op, "pyarray.checked", pa_unit_attr(h->pass->context));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(pa_body(op, r)))
      PA_FOR_EACH_OP(inner, pa_body(op, r)) mark_checked(h, inner);
}

// A barrier or another operation of several threads of a GPU: all of them must come to the same one, while conditions of indices
// differ from thread to thread.
static bool holds_device_call(const hoisting *h, MlirOperation op) {
  if (pa_kind(&h->names, op) == PA_OP_BUILTIN) {
    const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
    static const char *const lowerings[] = {"BARRIER", "DEVICE_CALL", "MATCH_ALL"};
    for (size_t i = 0; row && i < sizeof lowerings / sizeof *lowerings; ++i)
      if (strcmp(row->lowering, lowerings[i]) == 0) return true;
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(pa_body(op, r)))
      PA_FOR_EACH_OP(inner, pa_body(op, r))
        if (holds_device_call(h, inner)) return true;
  return false;
}

// A kernel's loop that threads share out, by a step that is not constant: where the checks of one thread hold says nothing of the
// others. pyarray-version-segments compares bounds for a whole block.
static bool is_shared_out(const hoisting *h, MlirOperation loop) {
  MlirValue parts[3];
  int64_t step;
  if (!h->kernel || pa_kind(&h->names, loop) != PA_OP_FOR || !is_range(h, mlirOperationGetOperand(loop, 0), parts)) return false;
  return !int_constant(h, parts[2], &step);
}

static pa_status visit_loop(hoisting *h, MlirOperation loop) {
  if (!mlirAttributeIsNull(pa_get_attr(loop, "pyarray.checked"))) return PA_OK;  // a second copy
  if (holds_device_call(h, loop) || is_shared_out(h, loop)) return visit_regions(h, loop);
  conditions c = {0};
  MlirOperation checked = mlirOperationClone(loop);
  mark_checked(h, checked);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(loop); ++r) hoist_in_block(h, loop, pa_body(loop, r), &c);
  hoist_step(h, loop, &c);
  if (c.count) PA_TRY(version(h, loop, checked, &c));
  else mlirOperationDestroy(checked);
  return visit_regions(h, loop);
}

static pa_status visit_block(hoisting *h, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    pa_op_kind kind = pa_kind(&h->names, op);
    PA_TRY(kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE ? visit_loop(h, op) : visit_regions(h, op));
    op = next;
  }
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  hoisting h = {.pass = context};
  pa_names_init(&h.names, context->context);
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (pa_kind(&h.names, op) != PA_OP_FUNC || mlirBlockIsNull(pa_body(op, 0))) continue;
    h.boundscheck = pa_option_bool(op, "pyarray.options", "boundscheck", true);
    h.kernel = !mlirAttributeIsNull(pa_get_attr(op, "pyarray.kernel"));
    PA_TRY(visit_block(&h, pa_body(op, 0)));
  }
  return PA_OK;
}

const pa_pass pa_pass_hoist_checks = {
    .argument = "pyarray-hoist-checks",
    .summary = "Compare index ranges with extents before a loop instead of every index within it",
    .dependent_dialects = (const char *const[]){"pyarray", "scf", NULL},
    .run = run,
};
