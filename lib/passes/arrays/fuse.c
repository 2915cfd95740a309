// pyarray-fuse: values that are only read are computed where they are read.
//
// Enters and leaves: level 2.
//
//   %t = pyarray.ufunc ins(%a, %b) { multiply }          a * b + c
//   %u = pyarray.ufunc ins(%t, %c) { add }
// becomes
//   %n = pyarray.ufunc_shape ins(%a, %b)
//   %u = pyarray.ufunc ins(%s, %c, %a, %b) { multiply, add } {shapes = array<i64: 0, 1>}
//
// From the last operation of a block to the first: the result of an elementwise ufunc whose uses are all inputs of such
// ufuncs of the block, of reductions, stores of it, and views that are used so, is computed in them. Readers that can
// be one operation are, so that it is computed once. Shapes are compared where the statement stood.
// docs/internals-arrays.md has the rules.
#include <string.h>

#include "fuse_internal.h"
#include "ir/builtins.h"
#include "pass.h"
#include "pyarray-c/Effects.h"
#include "support/core_signature.h"
#include "ufunc_cost.h"

enum {
  PA_MOST_NODES = 64,         // of a value: views of it
  PA_MOST_REPEATED_COST = 8,  // of what is computed more than once
  PA_MOST_STRETCHED_COST = 4, // of what is computed for more points than it has
  PA_WRITTEN_READS = 2,       // what it costs to write a value down, in reads of it
};

//===-- Bodies ------------------------------------------------------------------------------------===//

bool pa_has_no_effects(MlirBlock body) {
  PA_FOR_EACH_OP(op, body) {
    pyarray_effects effects = pyarrayOperationGetEffects(op);
    if (effects.reads | effects.writes | effects.allocates | effects.frees) return false;
  }
  return true;
}

static int operation_count(MlirBlock body) {
  int count = 0;
  PA_FOR_EACH_OP(op, body) {
    ++count;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) count += operation_count(pa_body(op, r));
  }
  return count;
}

static bool is_producer(const pa_names *names, MlirOperation op) {
  return pa_is_elementwise(names, op) && mlirOperationGetNumResults(op) == 1 &&
         pa_is_array_with_axes(mlirOperationGetResult(op, 0));
}

//===-- Uses --------------------------------------------------------------------------------------===//

static pa_node *add_node(pa_fusing *f, pa_producer *p, MlirValue value, size_t source) {
  p->nodes = pa_arena_grow(f->arena, p->nodes, p->count, &p->capacity, sizeof *p->nodes);
  p->nodes[p->count] = (pa_node){.value = value, .type = mlirValueGetType(value), .source = source};
  return &p->nodes[p->count++];
}

static void add_consumer(pa_fusing *f, pa_producer *p, pa_node *node, MlirOperation op) {
  for (size_t i = 0; i < node->consumer_count; ++i)
    if (mlirOperationEqual(node->consumers[i].op, op)) return;
  node->consumers =
      pa_arena_grow(f->arena, node->consumers, node->consumer_count, &node->consumer_capacity, sizeof *node->consumers);
  node->consumers[node->consumer_count++].op = op;
  ++p->copies;
}

bool pa_is_question(const pa_names *names, MlirOperation op) {
  static const char *const attributes[] = {"shape", "ndim", "size"}, *const builtins[] = {
                                                                         "builtins.len",
                                                                         "pyarray.library._intrinsics.size_over"};
  switch (pa_kind(names, op)) {
  case PA_OP_UFUNC_SHAPE: return true;
  case PA_OP_GETATTR:
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i)
      if (pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), attributes[i])) return true;
    return false;
  case PA_OP_BUILTIN:
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; ++i)
      if (pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), builtins[i])) return true;
    return false;
  default: return false;
  }
}

static bool is_number(MlirType type) { return pa_scalar_of(type) != PA_NOT_SCALAR; }

// o[i:j] = t as a ufunc with o[i:j] as its output.
static bool is_store_of(MlirOperation op, MlirValue value, intptr_t at) {
  intptr_t count = mlirOperationGetNumOperands(op), rank;
  MlirType object = mlirValueGetType(mlirOperationGetOperand(op, 0)), type = mlirValueGetType(value);
  if (at != count - 1 || !pyarrayTypeIsArray(object)) return false;
  rank = pyarrayArrayTypeGetRank(object);
  for (intptr_t i = 1; i < count - 1; ++i)
    rank -= !pyarrayTypeIsSlice(mlirValueGetType(mlirOperationGetOperand(op, i)));
  MlirType from = pyarrayArrayTypeGetElement(type), to = pyarrayArrayTypeGetElement(object);
  bool fits =
      is_number(from) && is_number(to) && !(pa_is_complex(pa_scalar_of(from)) && !pa_is_complex(pa_scalar_of(to)));
  return fits && rank > 0 && pyarrayArrayTypeGetRank(type) <= rank;
}

static bool is_input(const pa_fusing *f, MlirOperation op, intptr_t at) {
  return (pa_is_elementwise(&f->names, op) || pa_is_open_reduce(&f->names, op)) && at < pa_input_count(op);
}

// Only its shape counts.
static bool is_unread(MlirOperation consumer, intptr_t at) {
  return mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(pa_body(consumer, 0), at)));
}

// All uses of the value of node |number|; false where one of them needs memory.
static bool read_uses(pa_fusing *f, pa_producer *p, size_t number) {
  MlirBlock block = mlirOperationGetBlock(p->op);
  MlirValue value = p->nodes[number].value;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t at = mlirOpOperandGetOperandNumber(use);
    if (pa_is_question(&f->names, user)) continue;
    p->blocker = user;
    if (!mlirBlockEqual(mlirOperationGetBlock(user), block)) return false;
    pa_op_kind kind = pa_kind(&f->names, user);
    if (is_input(f, user, at) && is_unread(user, at)) continue;
    if (is_input(f, user, at) || (kind == PA_OP_SETITEM && is_store_of(user, value, at))) {
      add_consumer(f, p, &p->nodes[number], user);
    } else if (at == 0 && pa_is_view(&f->names, user)) {
      if (p->count == PA_MOST_NODES) return false;
      add_node(f, p, mlirOperationGetResult(user, 0), number);
    } else {
      return false;
    }
  }
  p->blocker = (MlirOperation){NULL};
  return true;
}

static bool read_producer(pa_fusing *f, pa_producer *p) {
  p->count = p->copies = 0;
  add_node(f, p, mlirOperationGetResult(p->op, 0), 0);
  for (size_t k = 0; k < p->count; ++k)
    if (!read_uses(f, p, k)) return false;
  return true;
}

//===-- Whether it pays ---------------------------------------------------------------------------===//

static int array_inputs(const pa_producer *p) {
  int count = 0;
  for (int i = 0; i < p->inputs; ++i) count += pa_is_array_with_axes(mlirOperationGetOperand(p->op, i));
  return count;
}

// What is computed again and read again costs less than memory to write it down and read it.
static bool is_worth_repeating(const pa_fusing *f, const pa_producer *p) {
  if (p->copies < 2) return true;
  if (p->gathers) return false; // each one takes a cache line
  int64_t copies = (int64_t)p->copies, cost = pa_ufunc_cost(&f->names, pa_body(p->op, 0)), inputs = array_inputs(p);
  return cost * (copies - 1) <= PA_MOST_REPEATED_COST && copies * inputs <= inputs + PA_WRITTEN_READS + copies;
}

static intptr_t points_rank(const pa_fusing *f, MlirOperation consumer) {
  if (pa_kind(&f->names, consumer) == PA_OP_REDUCE) return pa_reduction_rank(consumer);
  MlirValue shaped = mlirOperationGetNumResults(consumer) ? mlirOperationGetResult(consumer, 0)
                     : pa_kind(&f->names, consumer) == PA_OP_SETITEM
                         ? mlirOperationGetOperand(consumer, 0)
                         : mlirOperationGetOperand(consumer, pa_input_count(consumer));
  return pyarrayArrayTypeGetRank(mlirValueGetType(shaped));
}

// By what is seen of them, the consumers have more points than the producer.
static bool is_stretched(pa_fusing *f, const pa_producer *p, const pa_node *node) {
  for (size_t i = 0; i < node->consumer_count; ++i)
    if (points_rank(f, node->consumers[i].op) > pyarrayArrayTypeGetRank(node->type)) return true;
  pa_shape *shape = pa_shape_of(&f->shapes, node->value);
  bool thin = shape->kind == PA_SHAPE_KEPT || shape->kind == PA_SHAPE_INSERTED;
  for (size_t i = 0; thin && i < node->consumer_count; ++i) {
    bool certain, ufunc = pa_kind(&f->names, node->consumers[i].op) != PA_OP_SETITEM;
    if (!ufunc || pa_broadcast_shape(&f->shapes, node->consumers[i].op, &certain) != shape) return true;
  }
  for (; node->consumer_count && node != p->nodes; node = &p->nodes[node->source]) {
    pa_op_kind kind = pa_kind(&f->names, mlirOpResultGetOwner(node->value));
    if (kind == PA_OP_INSERT_AXES || kind == PA_OP_BROADCAST_TO) return true;
  }
  return false;
}

static bool is_worth_stretching(pa_fusing *f, pa_producer *p) {
  if (!p->gathers && pa_ufunc_cost(&f->names, pa_body(p->op, 0)) <= PA_MOST_STRETCHED_COST) return true;
  for (size_t k = 0; k < p->count; ++k)
    if (is_stretched(f, p, &p->nodes[k])) return p->blocker = p->nodes[k].consumers[0].op, false;
  return true;
}

//===-- Whether it may ----------------------------------------------------------------------------===//

static bool has_room(const pa_fusing *f, const pa_producer *p, MlirOperation consumer) {
  int operations = operation_count(pa_body(p->op, 0)), inputs = p->inputs + 1;
  if (pa_kind(&f->names, consumer) != PA_OP_SETITEM) {
    operations += operation_count(pa_body(consumer, 0));
    inputs += pa_input_count(consumer);
  }
  return operations <= PA_MOST_FUSED_OPERATIONS && inputs <= PA_MOST_FUSED_INPUTS;
}

static bool reads_the_same(const pa_fusing *f, const pa_producer *p, MlirOperation consumer) {
  int64_t from = pa_place_of(&f->memory, p->op), to = pa_place_of(&f->memory, consumer);
  for (int i = 0; i < p->inputs; ++i) {
    MlirValue input = mlirOperationGetOperand(p->op, i);
    if (pyarrayTypeIsArray(mlirValueGetType(input)) && pa_may_be_written(&f->memory, input, from, to)) return false;
  }
  return !p->gathers || pa_gathers_the_same(f, p, consumer);
}

static pa_decision may_merge_into(const pa_fusing *f, pa_producer *p, const pa_node *node, MlirOperation consumer) {
  p->blocker = consumer;
  if (!has_room(f, p, consumer)) return PA_IS_TOO_LONG;
  if (!reads_the_same(f, p, consumer)) return PA_IS_OVERWRITTEN;
  if (pa_is_open_reduce(&f->names, consumer) && !pa_may_reduce(f, p, node, consumer)) return PA_HAS_ORDER;
  p->blocker = (MlirOperation){NULL};
  return PA_IS_FUSED;
}

static pa_decision may_merge(const pa_fusing *f, pa_producer *p) {
  for (size_t k = 0; k < p->count; ++k)
    for (size_t i = 0; i < p->nodes[k].consumer_count; ++i) {
      pa_decision decision = may_merge_into(f, p, &p->nodes[k], p->nodes[k].consumers[i].op);
      if (decision != PA_IS_FUSED) return decision;
    }
  return PA_IS_FUSED;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_decision decide(pa_fusing *f, pa_producer *p) {
  p->gathers = pa_only_gathers(f, pa_body(p->op, 0));
  if (!p->gathers && !pa_has_no_effects(pa_body(p->op, 0))) return PA_HAS_EFFECTS;
  if (p->gathers && !pa_has_given_indices(f, p)) return PA_HAS_COMPUTED_INDICES;
  if (!read_producer(f, p)) return PA_IS_MEMORY;
  pa_decision decision = may_merge(f, p);
  if (decision != PA_IS_FUSED) return decision;
  if (!is_worth_repeating(f, p)) return PA_IS_DEAR;
  return is_worth_stretching(f, p) ? PA_IS_FUSED : PA_IS_STRETCHED;
}

static pa_status fuse(pa_fusing *f, MlirOperation op) {
  if (!is_producer(&f->names, op)) return PA_OK;
  pa_producer p = {.op = op, .inputs = pa_input_count(op)};
  pa_decision decision = decide(f, &p);
  if (decision == PA_IS_DEAR || (decision == PA_IS_FUSED && p.copies > 1)) {
    bool united;
    PA_TRY(pa_unite_readers(f, &p, &united));
    if (united) decision = decide(f, &p);
  }
  // A kernel has no memory to write it down.
  if (f->memory.in_kernel && (decision == PA_IS_DEAR || decision == PA_IS_STRETCHED)) decision = PA_IS_FUSED;
  pa_note_decision(f, &p, decision);
  return decision == PA_IS_FUSED ? pa_merge(f, &p) : PA_OK;
}

// What makes new arrays, and is not within another.
static MlirWalkResult add_producer(MlirOperation op, void *data) {
  pa_op_list *list = data;
  if (mlirOperationGetNumResults(op) && pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), PA_OP_NAME(UFUNC)))
    pa_op_list_add(list, op);
  return MlirWalkResultAdvance;
}

// [0]: whether there are operations that write to arrays, [1]: ones whose results are values, or that fold.
static MlirWalkResult find_operations(MlirOperation op, void *data) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool *found = data, is_ufunc = pa_ref_equal(name, PA_OP_NAME(UFUNC));
  found[0] = found[0] || is_ufunc;
  found[1] = found[1] || (is_ufunc && mlirOperationGetNumResults(op)) || pa_ref_equal(name, PA_OP_NAME(REDUCE));
  return found[1] ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirWalkResult drop_checks(MlirOperation op, void *data) {
  pa_fusing *f = data;
  if (pa_is_elementwise(&f->names, op) || pa_is_open_reduce(&f->names, op)) pa_drop_certain_checks(&f->shapes, op);
  return MlirWalkResultAdvance;
}

static MlirWalkResult mark_independent(MlirOperation op, void *data) {
  pa_fusing *f = data;
  if (pa_kind(&f->names, op) == PA_OP_UFUNC) pa_mark_independent(f, op);
  return MlirWalkResultAdvance;
}

static MlirWalkResult add_value(MlirOperation op, void *data) {
  if (mlirOperationGetNumResults(op) && mlirOperationGetNumRegions(op) == 1) pa_op_list_add(data, op);
  return MlirWalkResultAdvance;
}

static void share_values(pa_fusing *f, MlirOperation function) {
  pa_op_list all = {.arena = f->arena};
  pa_map known = {0};
  mlirOperationWalk(function, add_value, &all, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i) pa_share(f, all.items[i], &known);
}

static MlirWalkResult note_reduction(MlirOperation op, void *data) {
  pa_fusing *f = data;
  if (pa_is_open_reduce(&f->names, op) && mlirOperationGetNumResults(op) &&
      pa_is_array_with_axes(mlirOperationGetResult(op, 0)))
    pa_note_new_array(f, op);
  return MlirWalkResultAdvance;
}

void pa_remove(pa_fusing *f, MlirOperation op) {
  mlirOperationRemoveFromParent(op);
  mlirOperationSetOperands(op, 0, NULL); // its operands are not read any more
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirRegion body = mlirRegionCreate();
    mlirRegionTakeBody(body, mlirOperationGetRegion(op, r));
    mlirRegionDestroy(body);
  }
  pa_op_list_add(&f->removed, op);
}

static pa_status fuse_values(pa_fusing *f, MlirOperation function) {
  share_values(f, function);
  pa_op_list all = {.arena = f->arena}, left = all;
  mlirOperationWalk(function, add_producer, &all, MlirWalkPostOrder);
  pa_shapes_read(&f->shapes, function);
  for (size_t i = all.count; i-- > 0;) PA_TRY(fuse(f, all.items[i]));
  mlirOperationWalk(function, drop_checks, f, MlirWalkPreOrder);
  mlirOperationWalk(function, mark_independent, f, MlirWalkPreOrder); // before memory has two names
  PA_TRY(pa_fuse_siblings(f, function));
  if (!pa_is_device_function(function)) PA_TRY(pa_fuse_rows(f, function));
  if (f->notes->wanted) mlirOperationWalk(function, note_reduction, f, MlirWalkPreOrder);
  mlirOperationWalk(function, add_producer, &left, MlirWalkPreOrder);
  for (size_t i = 0; i < left.count; ++i) PA_TRY(pa_reuse(f, left.items[i]));
  return PA_OK;
}

static MlirWalkResult add_change(MlirOperation op, void *data) {
  bool is_ufunc = pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), PA_OP_NAME(UFUNC));
  if (is_ufunc && mlirOperationGetNumResults(op) == 0) pa_op_list_add(data, op);
  return MlirWalkResultAdvance;
}

static pa_status make_values(pa_fusing *f, MlirOperation function) {
  pa_op_list all = {.arena = f->arena};
  mlirOperationWalk(function, add_change, &all, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i) PA_TRY(pa_make_value(f, all.items[i]));
  return PA_OK;
}

static MlirWalkResult add_product(MlirOperation op, void *data) {
  if (pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), PA_OP_NAME(CONTRACT))) pa_op_list_add(data, op);
  return MlirWalkResultAdvance;
}

// A GPU has cuBLAS.
static pa_status sum_products(pa_fusing *f, MlirOperation function) {
  pa_op_list all = {.arena = f->arena};
  if (pa_is_device_function(function) || pa_option_bool(function, "pyarray.options", "offload", false)) return PA_OK;
  mlirOperationWalk(function, add_product, &all, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i) PA_TRY(pa_sum_products(f, all.items[i]));
  return PA_OK;
}

static pa_status fuse_function(pa_pass_context *context, MlirOperation function, pa_notes *notes) {
  pa_fusing f = {.arena = context->arena, .notes = notes, .removed = {.arena = context->arena}};
  pa_names_init(&f.names, context->context);
  bool found[] = {false, false};
  mlirOperationWalk(function, find_operations, found, MlirWalkPreOrder);
  if (!found[0] && !found[1]) return PA_OK;
  PA_TRY(pa_drop_carried(&f, function));
  if (found[1]) PA_TRY(make_values(&f, function));
  if (found[1]) PA_TRY(sum_products(&f, function));
  f.memory = (pa_memory){.in_kernel = pa_is_device_function(function), .arena = f.arena, .names = &f.names};
  f.shapes = (pa_shapes){.arena = f.arena, .names = &f.names};
  pa_memory_read(&f.memory, function);
  if (!found[1]) {
    mlirOperationWalk(function, mark_independent, &f, MlirWalkPreOrder);
    return PA_OK;
  }
  pa_status status = fuse_values(&f, function);
  for (size_t i = 0; i < f.removed.count; ++i) mlirOperationDestroy(f.removed.items[i]);
  return status;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_names names;
  pa_notes notes = {.wanted = !mlirAttributeIsNull(pa_get_attr(module, "pyarray.fusion"))};
  bool debug = !mlirAttributeIsNull(pa_get_attr(module, "pyarray.debug"));
  pa_names_init(&names, context->context);
  PA_FOR_EACH_OP(op, pa_module_body(module))
  if (pa_kind(&names, op) == PA_OP_FUNC && !mlirBlockIsNull(pa_body(op, 0)) && (!debug || pa_is_device_function(op)))
    PA_TRY(fuse_function(context, op, &notes));
  if (notes.wanted) pa_write_notes(context->arena, &notes, module);
  return PA_OK;
}

const pa_pass pa_pass_fuse = {
    .argument = "pyarray-fuse",
    .summary = "Compute values of whole arrays where they are read",
    .dependent_dialects = (const char *const[]){"pyarray", NULL},
    .run = run,
};
