// Of pyarray-fuse: operations over the same points that read the same arrays, as one operation with several results.
//
//   %l = reduce ["min"] axes [0] ins(%a)
//   %h = reduce ["max"] axes [0] ins(%a)
// becomes
//   %l, %h = reduce ["min", "max"] axes [0] ins(%a)
//
// The first one moves down to the second. Checks that it makes stay where it stood. Sums of floats and positions, which
// the runtime finds faster than a loop that makes other things, too, stay alone.
//
// Readers of a value become one before it is decided whether the value is computed in them: then it is computed once.
#include "fuse_internal.h"
#include "support/core_signature.h"

enum { PA_MOST_ELDERS = 8 }; // operations of a block that are tried

typedef struct sibling {
  MlirOperation op;
  int inputs, starts, results;
  int64_t place;
} sibling;

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static bool is_reduce(const pa_fusing *f, MlirOperation op) { return pa_kind(&f->names, op) == PA_OP_REDUCE; }

static bool has_same(MlirOperation a, MlirOperation b, const char *name) {
  return mlirAttributeEqual(pa_get_attr(a, name), pa_get_attr(b, name));
}

//===-- Which operations --------------------------------------------------------------------------===//

// Each word is carried in a register.
static bool is_carried(MlirOperation reduce) {
  MlirAttribute words = pa_get_attr(reduce, "words");
  MlirOperation yield = mlirBlockGetTerminator(pa_body(reduce, 0));
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(words); ++k) {
    MlirStringRef word = mlirStringAttrGetValue(mlirArrayAttrGetElement(words, k));
    pa_scalar scalar = pa_scalar_of(mlirValueGetType(operand(yield, k)));
    bool folds = pa_ref_equal(word, "add") || pa_ref_equal(word, "mul");
    if (!pa_ref_equal(word, "min") && !pa_ref_equal(word, "max") && !(folds && pa_is_integer(scalar))) return false;
    if (pa_is_complex(scalar)) return false;
  }
  return true;
}

static bool read_sibling(pa_fusing *f, MlirOperation op, sibling *out) {
  bool reduces = pa_is_open_reduce(&f->names, op);
  *out = (sibling){.op = op, .place = pa_place_of(&f->memory, op)};
  if ((!reduces && !pa_is_elementwise(&f->names, op)) || !out->place || !pa_has_no_effects(pa_body(op, 0)))
    return false;
  out->results = (int)mlirOperationGetNumResults(op);
  out->inputs = pa_input_count(op);
  out->starts = reduces ? mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 1) : 0;
  if (out->results == 0) return false;
  return reduces ? is_carried(op) : pa_is_array_with_axes(mlirOperationGetResult(op, 0));
}

//===-- Which of them are siblings ----------------------------------------------------------------===//

static bool is_read(MlirOperation op, int i) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(pa_body(op, 0), i)));
}

static bool read_same_array(const sibling *a, const sibling *b) {
  for (int i = 0; i < a->inputs; ++i)
    for (int k = 0; k < b->inputs; ++k)
      if (pa_is_array_with_axes(operand(a->op, i)) && mlirValueEqual(operand(a->op, i), operand(b->op, k)) &&
          is_read(a->op, i) && is_read(b->op, k))
        return true;
  return false;
}

// Of the same arrays, in the same order.
static bool check_same_shapes(MlirOperation a, MlirOperation b) {
  int left[PA_MAX_OPERANDS], right[PA_MAX_OPERANDS], lefts, rights;
  pa_shape_inputs(a, left, &lefts);
  pa_shape_inputs(b, right, &rights);
  if (lefts != rights) return false;
  for (int i = 0; i < lefts; ++i) {
    MlirValue x = operand(a, left[i]), y = operand(b, right[i]);
    if ((pa_is_array_with_axes(x) || pa_is_array_with_axes(y)) && !mlirValueEqual(x, y)) return false;
  }
  return true;
}

static bool have_one_shape(pa_fusing *f, MlirOperation a, MlirOperation b) {
  bool certain;
  return pa_broadcast_shape(&f->shapes, a, &certain) == pa_broadcast_shape(&f->shapes, b, &certain) ||
         check_same_shapes(a, b);
}

// Nobody reads what |a| makes until |b| is done, and what it reads is not written until then.
static bool may_wait(const pa_fusing *f, const sibling *a, const sibling *b) {
  for (int k = 0; k < a->results; ++k) {
    MlirValue result = mlirOperationGetResult(a->op, k);
    for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      if (pa_place_of(&f->memory, mlirOpOperandGetOwner(use)) <= b->place) return false;
  }
  for (int i = 0; i < a->inputs; ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(operand(a->op, i))) &&
        pa_may_be_written(&f->memory, operand(a->op, i), a->place, b->place))
      return false;
  return true;
}

static int operation_count(MlirBlock body) {
  int count = 0;
  PA_FOR_EACH_OP(op, body)++ count;
  return count;
}

// One operation has room for both, and for what their producer would add.
static bool have_room(const sibling *a, const sibling *b, const pa_producer *producer) {
  int operations = operation_count(pa_body(a->op, 0)) + operation_count(pa_body(b->op, 0)),
      inputs = a->inputs + b->inputs;
  if (producer) operations += operation_count(pa_body(producer->op, 0));
  if (producer) inputs += producer->inputs;
  return operations <= PA_MOST_FUSED_OPERATIONS && inputs <= PA_MOST_FUSED_INPUTS;
}

static bool are_siblings(pa_fusing *f, const sibling *a, const sibling *b, const pa_producer *producer) {
  bool reduces = is_reduce(f, b->op);
  if (reduces != is_reduce(f, a->op) || !has_same(a->op, b->op, "pyarray.options")) return false;
  if (reduces && (!has_same(a->op, b->op, "axes") || !has_same(a->op, b->op, "order") ||
                  !has_same(a->op, b->op, "buffered") || !a->starts != !b->starts))
    return false;
  return have_room(a, b, producer) && read_same_array(a, b) && have_one_shape(f, a->op, b->op) && may_wait(f, a, b);
}

//===-- One operation -----------------------------------------------------------------------------===//

typedef struct merging {
  pa_fusing *f;
  const sibling *a, *b;
  MlirRegion region;
  MlirBlock body; // that of |a|, then what |b| computes
  MlirValue operands[2 * PA_MAX_OPERANDS];
  int inputs, numbers[PA_MAX_OPERANDS]; // of them; where those of |b| are
} merging;

static MlirValue argument_for(merging *m, int i) {
  MlirValue input = operand(m->b->op, i);
  int at = 0;
  while (at < m->inputs && !mlirValueEqual(m->operands[at], input)) ++at;
  m->numbers[i] = at;
  if (at < m->inputs) return mlirBlockGetArgument(m->body, at);
  m->operands[m->inputs++] = input;
  MlirType type = mlirValueGetType(mlirBlockGetArgument(pa_body(m->b->op, 0), i));
  return mlirBlockAddArgument(m->body, type, mlirOperationGetLocation(m->b->op));
}

static void join_bodies(merging *m) {
  MlirBlock other = pa_body(m->b->op, 0);
  MlirOperation end = mlirBlockGetTerminator(m->body), last = mlirBlockGetTerminator(other);
  MlirValue *yielded = PA_NEW_ARRAY(m->f->arena, MlirValue, m->a->results + m->b->results);
  for (int i = 0; i < m->b->inputs; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(other, i), argument_for(m, i));
  for (int k = 0; k < m->a->results; ++k) yielded[k] = operand(end, k);
  for (int k = 0; k < m->b->results; ++k) yielded[m->a->results + k] = operand(last, k);
  for (MlirOperation op = mlirBlockGetFirstOperation(other), next; !mlirOperationEqual(op, last); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, end);
  }
  mlirOperationSetOperands(end, m->a->results + m->b->results, yielded);
}

static MlirAttribute signature(const merging *m) {
  int results = m->a->results + m->b->results;
  const char *text = "";
  for (int i = 0; i < m->inputs + results; ++i)
    text = pa_arena_format(m->f->arena, "%s%s()", text, i == m->inputs ? "->" : i ? "," : "");
  return pa_string_attr(m->f->names.context, text);
}

static MlirAttribute joined_words(const merging *m) {
  MlirAttribute first = pa_get_attr(m->a->op, "words"), second = pa_get_attr(m->b->op, "words");
  MlirAttribute *all = PA_NEW_ARRAY(m->f->arena, MlirAttribute, m->a->results + m->b->results);
  for (int k = 0; k < m->a->results; ++k) all[k] = mlirArrayAttrGetElement(first, k);
  for (int k = 0; k < m->b->results; ++k) all[m->a->results + k] = mlirArrayAttrGetElement(second, k);
  return mlirArrayAttrGet(m->f->names.context, m->a->results + m->b->results, all);
}

// The inputs of which the shape of |b| is checked, by their new numbers.
static MlirAttribute joined_shapes(const merging *m) {
  int inputs[PA_MAX_OPERANDS], count;
  int64_t numbers[PA_MAX_OPERANDS];
  pa_shape_inputs(m->b->op, inputs, &count);
  for (int i = 0; i < count; ++i) numbers[i] = m->numbers[inputs[i]];
  return mlirDenseI64ArrayGet(m->f->names.context, count, numbers);
}

static MlirOperation build(merging *m, pa_builder *at) {
  int results = m->a->results + m->b->results, count = m->inputs;
  bool reduces = is_reduce(m->f, m->b->op);
  MlirType *types = PA_NEW_ARRAY(m->f->arena, MlirType, results);
  for (int k = 0; k < results; ++k)
    types[k] = mlirValueGetType(k < m->a->results ? mlirOperationGetResult(m->a->op, k)
                                                  : mlirOperationGetResult(m->b->op, k - m->a->results));
  for (int i = 0; i < m->a->starts; ++i) m->operands[count++] = operand(m->a->op, m->a->inputs + i);
  for (int i = 0; i < m->b->starts; ++i) m->operands[count++] = operand(m->b->op, m->b->inputs + i);
  int32_t segments[] = {m->inputs, count - m->inputs, 0};
  MlirAttribute none = mlirAttributeGetNull();
  return pa_op(at, reduces ? PA_OP_NAME(REDUCE) : PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(m->operands, count),
               PA_RESULT_ARRAY(types, results), PA_REGIONS(m->region),
               PA_ATTRS({"signature", reduces ? none : signature(m)}, {"words", reduces ? joined_words(m) : none},
                        {"axes", pa_get_attr(m->b->op, "axes")}, {"order", pa_get_attr(m->b->op, "order")},
                        {"buffered", pa_get_attr(m->b->op, "buffered")}, {"shapes", joined_shapes(m)},
                        {"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, reduces ? 3 : 2, segments)},
                        {"pyarray.name", pa_get_attr(m->b->op, "pyarray.name")},
                        {"pyarray.options", pa_get_attr(m->b->op, "pyarray.options")},
                        {"pyarray.nonempty", pa_get_attr(m->a->op, "pyarray.nonempty")}));
}

static void replace(pa_fusing *f, const sibling *before, MlirOperation made, int first) {
  for (int k = 0; k < before->results; ++k) {
    MlirValue old = mlirOperationGetResult(before->op, k), new = mlirOperationGetResult(made, first + k);
    if (pyarrayTypeIsArray(mlirValueGetType(old))) {
      pa_memory_view(&f->memory, new, old);
      pa_set_shape(&f->shapes, new, pa_shape_of(&f->shapes, old));
    }
    mlirValueReplaceAllUsesOfWith(old, new);
  }
}

// The checks that |a| makes, where it stands.
static pa_status leave_checks(pa_fusing *f, const sibling *a) {
  bool certain, reduces = is_reduce(f, a->op);
  int inputs[PA_MAX_OPERANDS], count;
  MlirValue arrays[PA_MAX_OPERANDS];
  pa_builder at = pa_builder_before(f, a->op);
  pa_broadcast_shape(&f->shapes, a->op, &certain);
  bool empty = reduces && pa_empty_fold_text(f->arena, a->op);
  if (certain && !empty) return PA_OK;
  pa_shape_inputs(a->op, inputs, &count);
  for (int i = 0; i < count; ++i) arrays[i] = operand(a->op, inputs[i]);
  intptr_t rank =
      reduces ? pa_reduction_rank(a->op) : pyarrayArrayTypeGetRank(mlirValueGetType(mlirOperationGetResult(a->op, 0)));
  const MlirValue *extents =
      pa_leave_shape(f, &at, arrays, count, (int)rank, pa_get_attr(a->op, "pyarray.name"), a->place);
  if (empty) pa_leave_empty_check(f, &at, a->op, extents);
  if (empty) pa_set_attr(a->op, "pyarray.nonempty", pa_unit_attr(f->names.context));
  return at.failure;
}

static pa_status merge(pa_fusing *f, const sibling *a, const sibling *b, sibling *out) {
  merging m = {.f = f, .a = a, .b = b, .inputs = a->inputs};
  pa_builder at = pa_builder_before(f, b->op);
  PA_TRY(leave_checks(f, a));
  for (int i = 0; i < a->inputs; ++i) m.operands[i] = operand(a->op, i);
  m.body = pa_body(a->op, 0);
  join_bodies(&m);
  m.region = mlirRegionCreate();
  mlirRegionTakeBody(m.region, mlirOperationGetRegion(a->op, 0));
  MlirOperation made = build(&m, &at);
  if (mlirOperationIsNull(made)) return at.failure;
  pa_set_place(&f->memory, made, b->place);
  pa_note_siblings(f, a->op, b->op);
  replace(f, a, made, 0);
  replace(f, b, made, a->results);
  pa_remove(f, a->op);
  pa_remove(f, b->op);
  read_sibling(f, made, out);
  return PA_OK;
}

//===-- Blocks ------------------------------------------------------------------------------------===//

typedef struct elders {
  sibling items[PA_MOST_ELDERS];
  int count;
} elders;

// The elder with which |op| becomes one operation, or NULL.
static sibling *find_elder(pa_fusing *f, elders *all, const sibling *b, const pa_producer *producer) {
  for (int i = all->count; i-- > 0;)
    if (are_siblings(f, &all->items[i], b, producer)) return &all->items[i];
  return NULL;
}

static void add_elder(elders *all, sibling one) {
  if (all->count == PA_MOST_ELDERS) {
    for (int i = 1; i < PA_MOST_ELDERS; ++i) all->items[i - 1] = all->items[i];
    --all->count;
  }
  all->items[all->count++] = one;
}

// Makes |op| one operation with an elder, or an elder of those to come.
static pa_status add_operation(pa_fusing *f, elders *all, MlirOperation op, const pa_producer *producer,
                               bool *out_merged) {
  sibling one;
  if (!read_sibling(f, op, &one)) return PA_OK;
  sibling *elder = find_elder(f, all, &one, producer);
  if (!elder) return add_elder(all, one), PA_OK;
  *out_merged = true;
  return merge(f, elder, &one, elder);
}

static pa_status fuse_block(pa_fusing *f, MlirBlock block) {
  elders all = {.count = 0};
  bool merged;
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    PA_TRY(add_operation(f, &all, op, NULL, &merged));
  }
  return PA_OK;
}

//===-- Readers -----------------------------------------------------------------------------------===//

// The readers of |node| in order of the block.
static MlirOperation *sorted_readers(const pa_fusing *f, const pa_node *node) {
  MlirOperation *sorted = PA_NEW_ARRAY(f->arena, MlirOperation, node->consumer_count + 1);
  for (size_t i = 0; i < node->consumer_count; ++i) {
    int64_t place = pa_place_of(&f->memory, node->consumers[i].op);
    size_t at = i;
    for (; at > 0 && pa_place_of(&f->memory, sorted[at - 1]) > place; --at) sorted[at] = sorted[at - 1];
    sorted[at] = node->consumers[i].op;
  }
  return sorted;
}

pa_status pa_unite_readers(pa_fusing *f, const pa_producer *producer, bool *out_united) {
  const pa_node *result = &producer->nodes[0];
  elders all = {.count = 0};
  *out_united = false;
  if (result->consumer_count > PA_MOST_FUSED_INPUTS) return PA_OK;
  const MlirOperation *readers = sorted_readers(f, result);
  for (size_t i = 0; i < result->consumer_count; ++i) PA_TRY(add_operation(f, &all, readers[i], producer, out_united));
  return PA_OK;
}

//===-- The function ------------------------------------------------------------------------------===//

static MlirWalkResult add_block(MlirOperation op, void *data) {
  pa_op_list *firsts = data; // an operation of each block
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (!pa_ref_equal(name, PA_OP_NAME(REDUCE)) && !pa_ref_equal(name, PA_OP_NAME(UFUNC))) return MlirWalkResultAdvance;
  if (firsts->count == 0 ||
      !mlirBlockEqual(mlirOperationGetBlock(firsts->items[firsts->count - 1]), mlirOperationGetBlock(op)))
    pa_op_list_add(firsts, op);
  return MlirWalkResultSkip;
}

pa_status pa_fuse_siblings(pa_fusing *f, MlirOperation function) {
  pa_op_list firsts = {.arena = f->arena};
  mlirOperationWalk(function, add_block, &firsts, MlirWalkPreOrder);
  MlirBlock *blocks = PA_NEW_ARRAY(f->arena, MlirBlock, firsts.count + 1);
  for (size_t i = 0; i < firsts.count; ++i) blocks[i] = mlirOperationGetBlock(firsts.items[i]);
  for (size_t i = 0; i < firsts.count; ++i) PA_TRY(fuse_block(f, blocks[i]));
  return PA_OK;
}
