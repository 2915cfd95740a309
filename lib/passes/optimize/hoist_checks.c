// pyarray-hoist-checks: moves the bounds checks of subscripts out of loops.
//
// Enters and leaves: typed functions (level 2). Within a loop, an index that is linear in variables of loops over
// ranges and in values from outside has a lowest and a highest value. If these are known to be in bounds, the access is
// marked in `pyarray.in_bounds`, one flag per index. If they can be compared before the loop, the loop is doubled: the
// first copy has unchecked accesses and runs when the comparison holds; the second keeps its checks, so that an
// IndexError is raised where and when Python would. Without `boundscheck`, only negative indices (which count from the
// end) are at stake. A loop over operations on whole arrays is not doubled: beside them a comparison is nothing, and a
// copy takes as long to compile again.
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
#include "linear.h"
#include "pass.h"

typedef struct hoisting {
  pa_pass_context *pass;
  pa_names names;
  bool boundscheck, kernel;
  bool certain; // only what needs no condition is marked
} hoisting;

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
  MlirBlock block = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                                     : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return !is_inside(block, loop);
}

typedef struct bounds {
  pa_linear lowest, highest;
} bounds;

// Linear expressions that must not be negative for the first copy of a loop to run.
typedef struct conditions {
  pa_linear *items;
  size_t count, capacity;
} conditions;

static void require(hoisting *h, conditions *c, const pa_linear *e);

// The operands of the range that |iterable| is, or NULL.
static bool is_range(const hoisting *h, MlirValue iterable, MlirValue *out_parts) {
  MlirOperation range = pa_defining_op(iterable);
  if (mlirOperationIsNull(range) || pa_kind(&h->names, range) != PA_OP_BUILTIN) return false;
  if (!pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(range, "name")), "builtins.range")) return false;
  for (int i = 0; i < 3; ++i) out_parts[i] = mlirOperationGetOperand(range, i);
  return true;
}

// The lowest and highest item of |iterable|, if it is a range. A step of unknown sign is taken to be positive, which
// |assumed| then says.
static bool range_bounds(hoisting *h, MlirValue iterable, bounds *out, conditions *assumed) {
  MlirValue parts[3];
  if (!is_range(h, iterable, parts)) return false;
  pa_linear start = pa_linear_of(&h->names, parts[0], 0), stop = pa_linear_of(&h->names, parts[1], 0);
  int64_t step = 1;
  if (!pa_linear_known(&h->names, parts[2], &step) && !pa_integer_positive(&h->names, parts[2])) {
    pa_linear positive = pa_add_scaled(pa_linear_of(&h->names, parts[2], 0), pa_linear_constant(1), -1);
    require(h, assumed, &positive);
  }
  if (step == 0) return false;
  if (step > 0)
    *out = (bounds){start, pa_add_scaled(stop, pa_linear_constant(1), -1)};
  else
    *out = (bounds){pa_add_scaled(stop, pa_linear_constant(1), 1), start};
  return true;
}

// The iterable of which |value| is an item: the variable of a loop, or a pyarray.iter_item; else a null value.
static MlirValue iterable_of_item(const hoisting *h, MlirValue value) {
  MlirOperation op = pa_defining_op(value);
  if (!mlirOperationIsNull(op))
    return pa_kind(&h->names, op) == PA_OP_ITER_ITEM ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
  MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (mlirBlockArgumentGetArgNumber(value) != 0 || pa_kind(&h->names, parent) != PA_OP_FOR) return (MlirValue){NULL};
  return mlirOperationGetOperand(parent, 0);
}

// Replaces the variables of |outermost| and of loops inside it by their bounds: the lowest value of |e| (or the
// highest). Fails if something else that varies in the loop is left.
static pa_linear extreme(hoisting *h, pa_linear e, MlirOperation outermost, bool highest, conditions *assumed) {
  for (int round = 0; round < 4 * PA_MAX_TERMS && !e.failed; ++round) {
    int i = 0;
    while (i < e.count && is_invariant(e.terms[i].leaf.value, outermost)) ++i;
    if (i == e.count) return e;
    int64_t coefficient = e.terms[i].coefficient;
    MlirValue iterable = e.terms[i].leaf.axis < 0 ? iterable_of_item(h, e.terms[i].leaf.value) : (MlirValue){NULL};
    bounds limits;
    if (mlirValueIsNull(iterable) || !range_bounds(h, iterable, &limits, assumed)) break;
    pa_add_term(&e, e.terms[i].leaf, -coefficient);
    e = pa_add_scaled(e, highest == (coefficient > 0) ? limits.highest : limits.lowest, coefficient);
  }
  e.failed = true;
  return e;
}

//===-- Conditions --------------------------------------------------------------------------------===//

static void require(hoisting *h, conditions *c, const pa_linear *e) {
  if (pa_is_never_negative(e)) return;
  for (size_t i = 0; i < c->count; ++i) {
    if (!pa_same_terms(&c->items[i], e)) continue;
    if (e->constant < c->items[i].constant) c->items[i].constant = e->constant; // the stricter of the two
    return;
  }
  c->items = pa_arena_grow(h->pass->arena, c->items, c->count, &c->capacity, sizeof *c->items);
  c->items[c->count++] = *e;
}

static MlirValue emit_int(pa_builder *b, int64_t value) {
  MlirType type = pa_scalar_type(b->context, PA_I64);
  return pa_value(b, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

static MlirValue emit_binary(pa_builder *b, pyarray_binary_kind kind, MlirValue lhs, MlirValue rhs) {
  return pa_value(b, PA_OP_NAME(BINARY), PA_OPERANDS(lhs, rhs), PA_RESULTS(mlirValueGetType(lhs)),
                  PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(b->context, kind)}));
}

static MlirValue emit_compare(pa_builder *b, pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs) {
  return pa_value(b, PA_OP_NAME(COMPARE), PA_OPERANDS(lhs, rhs), PA_RESULTS(mlirIntegerTypeGet(b->context, 1)),
                  PA_ATTRS({"kind", pyarrayCompareKindAttrGet(b->context, kind)}));
}

static MlirValue emit_leaf(pa_builder *b, pa_leaf leaf) {
  if (leaf.axis < 0) return leaf.value;
  intptr_t rank = pyarrayArrayTypeGetRank(mlirValueGetType(leaf.value));
  MlirType extents[64], extent = pa_scalar_type(b->context, PA_I64);
  for (intptr_t i = 0; i < rank && i < 64; ++i) extents[i] = extent;
  MlirValue shape =
      pa_value(b, PA_OP_NAME(GETATTR), PA_OPERANDS(leaf.value), PA_RESULTS(mlirTupleTypeGet(b->context, rank, extents)),
               PA_ATTRS({"name", pa_string_attr(b->context, "shape")}));
  MlirValue axis = emit_int(b, leaf.axis);
  return pa_value(b, PA_OP_NAME(GETITEM), PA_OPERANDS(shape, axis), PA_RESULTS(extent));
}

static MlirValue emit_and(pa_builder *b, MlirValue all, MlirValue one) {
  return mlirValueIsNull(all) ? one : emit_binary(b, PYARRAY_BINARY_AND, all, one);
}

// -2^38 < leaf < 2^38, so that no sum wraps. Extents are always below that limit, or memory would not hold them.
static MlirValue emit_small(pa_builder *b, pa_leaf leaf, MlirValue all) {
  MlirValue value = emit_leaf(b, leaf);
  MlirValue limit = emit_int(b, (int64_t)1 << PA_MAX_LEAF_BITS), below = emit_int(b, -((int64_t)1 << PA_MAX_LEAF_BITS));
  all = emit_and(b, all, emit_compare(b, PYARRAY_COMPARE_LT, value, limit));
  return emit_and(b, all, emit_compare(b, PYARRAY_COMPARE_GT, value, below));
}

static MlirValue emit_conditions(hoisting *h, pa_builder *b, const conditions *c) {
  MlirValue all = {NULL};
  pa_leaf *checked = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < c->count; ++i) {
    const pa_linear *e = &c->items[i];
    MlirValue sum = emit_int(b, e->constant);
    for (int t = 0; t < e->count; ++t) {
      size_t known = 0;
      while (known < count && !pa_same_leaf(checked[known], e->terms[t].leaf)) ++known;
      if (known == count && e->terms[t].leaf.axis < 0) {
        checked = pa_arena_grow(h->pass->arena, checked, count, &capacity, sizeof *checked);
        checked[count++] = e->terms[t].leaf;
        all = emit_small(b, e->terms[t].leaf, all);
      }
      MlirValue term = emit_leaf(b, e->terms[t].leaf);
      if (e->terms[t].coefficient != 1)
        term = emit_binary(b, PYARRAY_BINARY_MUL, term, emit_int(b, e->terms[t].coefficient));
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

// |index| before conversions to other integers, which change nothing of what lies between 0 and |*out_limit| (0: there
// are none); null where that is no int64.
static MlirValue before_casts(const hoisting *h, MlirValue index, int64_t *out_limit) {
  *out_limit = 0;
  for (MlirOperation op = pa_defining_op(index); !mlirOperationIsNull(op) && pa_kind(&h->names, op) == PA_OP_CAST;
       op = pa_defining_op(index)) {
    pa_scalar to = pa_scalar_of(mlirValueGetType(index));
    if (!pa_is_integer(to)) return (MlirValue){NULL};
    int bits = 8 * pa_scalar_bytes(to) - !pa_is_unsigned(to);
    int64_t limit = bits < PA_MAX_LEAF_BITS ? ((int64_t)1 << bits) - 1 : (int64_t)1 << PA_MAX_LEAF_BITS;
    if (*out_limit == 0 || limit < *out_limit) *out_limit = limit;
    index = mlirOperationGetOperand(op, 0);
  }
  return pa_scalar_of(mlirValueGetType(index)) == PA_I64 ? index : (MlirValue){NULL};
}

// Marks the indices of |access| that are in bounds under |c|, to which it adds.
static void hoist_access(hoisting *h, MlirOperation loop, MlirOperation access, conditions *c) {
  MlirValue array = mlirOperationGetOperand(access, 0);
  if (!pyarrayTypeIsArray(mlirValueGetType(array)) || !is_invariant(array, loop)) return;
  bool store = pa_kind(&h->names, access) == PA_OP_SETITEM,
       checked = pa_option_bool(access, "pyarray.options", "boundscheck", h->boundscheck);
  intptr_t count = mlirOperationGetNumOperands(access) - 1 - store;
  for (intptr_t i = 0; i < count && count <= 64; ++i) {
    int64_t limit;
    MlirValue index = before_casts(h, mlirOperationGetOperand(access, 1 + i), &limit);
    if (mlirValueIsNull(index) || is_marked(access, i) || (limit && !checked)) continue;
    bool never_negative =
        !limit && pa_integer_not_negative(&h->names, index, true); // what is lowered by it needs no condition either
    if (never_negative && !checked) {
      mark(h, access, i, count);
      continue;
    }
    pa_linear e = pa_linear_of(&h->names, index, 0);
    conditions assumed = {0};
    pa_linear lowest = extreme(h, e, loop, false, &assumed), highest = extreme(h, e, loop, true, &assumed);
    pa_linear room = pa_add_scaled(pa_add_scaled(pa_linear_leaf(array, i), highest, -1), pa_linear_constant(1),
                                   -1); // extent - 1 - highest
    pa_linear unchanged = limit ? pa_add_scaled(pa_linear_constant(limit), highest, -1) : pa_linear_constant(0);
    if (unchanged.failed || pa_is_always_negative(&unchanged)) continue;
    if (!never_negative && (lowest.failed || pa_is_always_negative(&lowest))) continue;
    if (checked && (highest.failed || room.failed || pa_is_always_negative(&room))) continue;
    if (!all_invariant(&assumed, loop)) continue;
    if (!never_negative) require(h, &assumed, &lowest);
    require(h, &assumed, &unchanged);
    if (checked) require(h, &assumed, &room);
    if (h->certain && assumed.count) continue;
    mark(h, access, i, count);
    for (size_t k = 0; k < assumed.count; ++k) require(h, c, &assumed.items[k]);
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

static bool only_extents(const pa_linear *e) {
  for (int i = 0; i < e->count; ++i)
    if (e->terms[i].leaf.axis < 0) return false;
  return true;
}

// A loop in steps other than 1 counts by them, without a trip count, if the step is positive and the sum of loop
// variable and step cannot wrap: then it is marked, under |c|. Not needed where both start and step are known not to be
// negative: such a loop counts without a sign. A kernel's loop is not doubled for this alone.
static void hoist_step(hoisting *h, MlirOperation loop, conditions *c) {
  MlirValue parts[3];
  int64_t step;
  if (pa_kind(&h->names, loop) != PA_OP_FOR || !is_range(h, mlirOperationGetOperand(loop, 0), parts)) return;
  bool known = pa_linear_known(&h->names, parts[2], &step);
  if (pa_integer_positive(&h->names, parts[2]) && pa_integer_not_negative(&h->names, parts[0], false)) return;
  if ((known && (step <= 1 || step >> PA_MAX_LEAF_BITS)) || !has_marked_access(h, pa_body(loop, 0))) return;
  pa_linear start = pa_linear_of(&h->names, parts[0], 0), stop = pa_linear_of(&h->names, parts[1], 0),
            positive = pa_linear_of(&h->names, parts[2], 0);
  pa_linear limit = pa_linear_constant((int64_t)1 << (PA_MAX_LEAF_BITS - 1));
  pa_linear low = pa_add_scaled(limit, start, 1), high = pa_add_scaled(limit, stop, -1);
  positive = pa_add_scaled(positive, pa_linear_constant(1), -1);
  if (low.failed || high.failed || positive.failed || (h->kernel && !c->count)) return;
  require(h, c, &positive);
  if (!only_extents(&start)) require(h, c, &low);
  if (!only_extents(&stop)) require(h, c, &high);
  pa_set_attr(loop, "pyarray.no_wrap", pa_unit_attr(h->pass->context));
}

//===-- Versioning --------------------------------------------------------------------------------===//

static void end_branch(MlirContext context, MlirBlock block, MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirValue *values = pa_allocate(((size_t)count + 1) * sizeof *values);
  for (intptr_t i = 0; i < count; ++i) values[i] = mlirOperationGetResult(loop, i);
  pa_builder b = {.context = context, .block = block, .location = mlirOperationGetLocation(loop)};
  pa_op(&b, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(values, count));
  pa_status_free(b.failure);
  free(values);
}

// Puts |loop| into the first branch of an scf.if on |c| and |checked|, a copy made before it was marked, into the
// other.
static pa_status version(hoisting *h, MlirOperation loop, MlirOperation checked, const conditions *c) {
  pa_builder b = {.context = h->pass->context,
                  .block = mlirOperationGetBlock(loop),
                  .before = loop,
                  .location = mlirOperationGetLocation(loop)};
  MlirValue condition = emit_conditions(h, &b, c);
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirType *types = PA_NEW_ARRAY(h->pass->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirValueGetType(mlirOperationGetResult(loop, i));
  MlirBlock fast, slow;
  MlirRegion regions[] = {pa_region(b.location, NULL, 0, &fast), pa_region(b.location, NULL, 0, &slow)};
  MlirOperation branch =
      pa_op(&b, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition), PA_RESULT_ARRAY(types, count),
            PA_REGIONS(regions[0], regions[1]), PA_ATTRS({"pyarray.freeze", pa_unit_attr(b.context)}));
  if (b.failure) return b.failure;
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), mlirOperationGetResult(branch, i));
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
    if (!mlirBlockIsNull(pa_body(op, r))) PA_FOR_EACH_OP(inner, pa_body(op, r)) mark_checked(h, inner);
}

// A barrier or another operation of several threads of a GPU: all of them must come to the same one, while conditions
// of indices differ from thread to thread.
static bool holds_device_call(const hoisting *h, MlirOperation op) {
  if (pa_kind(&h->names, op) == PA_OP_BUILTIN) {
    const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
    static const pa_builtin_lowering lowerings[] = {PA_LOWERING_BARRIER, PA_LOWERING_DEVICE_CALL,
                                                    PA_LOWERING_MATCH_ALL};
    for (size_t i = 0; row && i < sizeof lowerings / sizeof *lowerings; ++i)
      if (row->lowering == lowerings[i]) return true;
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(pa_body(op, r))) PA_FOR_EACH_OP(inner, pa_body(op, r))
  if (holds_device_call(h, inner)) return true;
  return false;
}

// A kernel's loop that threads share out, by a step that is not constant: where the checks of one thread hold says
// nothing of the others. pyarray-version-segments compares bounds for a whole block.
static bool is_shared_out(const hoisting *h, MlirOperation loop) {
  MlirValue parts[3];
  int64_t step;
  if (!h->kernel || pa_kind(&h->names, loop) != PA_OP_FOR || !is_range(h, mlirOperationGetOperand(loop, 0), parts))
    return false;
  return !pa_linear_known(&h->names, parts[2], &step);
}

//===-- Whole arrays ------------------------------------------------------------------------------===//

// Memory of constant extents, or a view of it: a few numbers, as a rule.
static bool is_small(const hoisting *h, MlirValue array) {
  static const pa_op_kind views[] = {PA_OP_BROADCAST_TO, PA_OP_INSERT_AXES, PA_OP_TRANSPOSE, PA_OP_GETITEM};
  for (size_t k = 0; k < PA_COUNT(views) && !mlirOperationIsNull(pa_defining_op(array));) {
    if (pa_kind(&h->names, pa_defining_op(array)) == views[k])
      array = mlirOperationGetOperand(pa_defining_op(array), 0), k = 0;
    else
      ++k;
  }
  MlirOperation made = pa_defining_op(array);
  if (mlirOperationIsNull(made) || pa_kind(&h->names, made) != PA_OP_BUILTIN) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(made); ++i) {
    int64_t size;
    MlirValue operand = mlirOperationGetOperand(made, i);
    if (pa_scalar_of(mlirValueGetType(operand)) == PA_I64 && !pa_integer_known(&h->names, operand, &size)) return false;
  }
  return true;
}

// An operation that goes over arrays of which none is known to be small.
static bool goes_over_arrays(const hoisting *h, MlirOperation op) {
  static const pa_op_kind kinds[] = {PA_OP_UFUNC, PA_OP_REDUCE, PA_OP_CONTRACT};
  bool over = false, arrays = false;
  for (size_t k = 0; k < PA_COUNT(kinds); ++k) over = over || pa_kind(&h->names, op) == kinds[k];
  for (intptr_t i = 0; over && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    if (!pyarrayTypeIsArray(type) || !pyarrayArrayTypeGetRank(type)) continue;
    if (is_small(h, operand)) return false;
    arrays = true;
  }
  return arrays;
}

static bool holds_array_loop(const hoisting *h, MlirOperation op) {
  if (goes_over_arrays(h, op)) return true;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(pa_body(op, r))) PA_FOR_EACH_OP(inner, pa_body(op, r))
  if (holds_array_loop(h, inner)) return true;
  return false;
}

static pa_status visit_loop(hoisting *h, MlirOperation loop) {
  if (!mlirAttributeIsNull(pa_get_attr(loop, "pyarray.checked"))) return PA_OK; // a second copy
  if (holds_device_call(h, loop) || is_shared_out(h, loop)) return visit_regions(h, loop);
  if (!h->kernel && holds_array_loop(h, loop)) {
    conditions none = {0};
    h->certain = true;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(loop); ++r) hoist_in_block(h, loop, pa_body(loop, r), &none);
    h->certain = false;
    return visit_regions(h, loop);
  }
  conditions c = {0};
  MlirOperation checked = mlirOperationClone(loop);
  mark_checked(h, checked);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(loop); ++r) hoist_in_block(h, loop, pa_body(loop, r), &c);
  hoist_step(h, loop, &c);
  if (c.count)
    PA_TRY(version(h, loop, checked, &c));
  else
    mlirOperationDestroy(checked);
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
