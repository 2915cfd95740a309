// Of pyarray-fuse: a producer is computed in its consumers.
//
//   %t = pyarray.ufunc "(),()->()" ins(%a, %b) { ^bb0(%x, %y): %0 = mul %x, %y; yield %0 } -> ...
//   %u = pyarray.ufunc "(),()->()" ins(%t, %c) { ^bb0(%x, %y): %0 = add %x, %y; yield %0 } -> ...
// becomes
//   %n = pyarray.ufunc_shape "(),()->()" ins(%a, %b) {pyarray.name = "multiply"}      raises where %t stood
//   %s = pyarray.broadcast_to %a to (%n)                                              has the shape of %t
//   %u = pyarray.ufunc "(),(),(),()->()" ins(%s, %c, %a, %b) {
//   ^bb0(%w, %y, %p, %q): %0 = mul %p, %q; %1 = add %0, %y; yield %1
//   } -> ... {shapes = array<i64: 0, 1>}
//
// Views that stood between are taken of what the producer reads.
#include <string.h>

#include "fuse_internal.h"
#include "ir/whole_arrays.h"
#include "support/core_signature.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

static const char *signature_text(pa_arena *arena, int inputs, int outputs) {
  pa_string text = {0};
  for (int i = 0; i < inputs + outputs; ++i)
    pa_string_puts(&text, i == inputs ? (i ? "->()" : "->()") : i ? ",()" : "()");
  const char *copy = pa_arena_copy(arena, pa_string_text(&text), text.length);
  pa_string_free(&text);
  return copy;
}

//===-- Shapes ------------------------------------------------------------------------------------===//

typedef struct leaving { // what stays in the producer's place
  pa_fusing *f;
  pa_builder builder;
  const pa_producer *producer;
  int certain;        // an input with the result's shape, or -1
  MlirValue *extents; // null until they are asked for
  int rank;
} leaving;

static MlirValue *emit_shape(leaving *l, const int *inputs, int count, MlirAttribute name) {
  MlirValue operands[PA_MAX_OPERANDS];
  for (int i = 0; i < count; ++i) operands[i] = operand(l->producer->op, inputs[i]);
  return pa_leave_shape(l->f, &l->builder, operands, count, l->rank, name, pa_place_of(&l->f->memory, l->producer->op));
}

static int find_certain(leaving *l) {
  const pa_node *result = &l->producer->nodes[0];
  const pa_shape *shape = pa_shape_of(&l->f->shapes, result->value);
  for (int i = 0; i < l->producer->inputs; ++i) {
    MlirValue input = operand(l->producer->op, i);
    if (pa_is_array_with_axes(input) && pyarrayArrayTypeGetRank(mlirValueGetType(input)) == l->rank &&
        pa_shape_of(&l->f->shapes, input) == shape)
      return i;
  }
  return -1;
}

static leaving leave(pa_fusing *f, const pa_producer *producer) {
  leaving l = {.f = f,
               .builder = pa_builder_before(f, producer->op),
               .producer = producer,
               .rank = (int)pyarrayArrayTypeGetRank(producer->nodes[0].type)};
  int inputs[PA_MAX_OPERANDS], count;
  bool known;
  l.certain = find_certain(&l);
  pa_broadcast_shape(&f->shapes, producer->op, &known);
  if (known && l.certain >= 0) return l;
  pa_shape_inputs(producer->op, inputs, &count);
  l.extents = emit_shape(&l, inputs, count, pa_get_attr(producer->op, "pyarray.name"));
  return l;
}

// Input |i| of the producer with all extents of its result.
static MlirValue spread(leaving *l, int i) {
  MlirValue input = operand(l->producer->op, i), operands[1 + PA_MAX_OPERANDS];
  if (!l->extents) l->extents = emit_shape(l, &l->certain, 1, mlirAttributeGetNull());
  MlirType from = mlirValueGetType(input),
           to = pa_array_type(l->builder.context, l->rank, pa_element_of(mlirValueGetType(input)), PYARRAY_LAYOUT_A,
                              pyarrayArrayTypeIsReadonly(from));
  operands[0] = input;
  memcpy(operands + 1, l->extents, (size_t)l->rank * sizeof *operands);
  MlirValue view =
      pa_value(&l->builder, PA_OP_NAME(BROADCAST_TO), PA_OPERAND_ARRAY(operands, l->rank + 1), PA_RESULTS(to));
  if (mlirValueIsNull(view)) return view;
  pa_set_place(&l->f->memory, mlirOpResultGetOwner(view), pa_place_of(&l->f->memory, l->producer->op));
  pa_memory_view(&l->f->memory, view, input);
  pa_set_shape(&l->f->shapes, view, pa_shape_of(&l->f->shapes, l->producer->nodes[0].value));
  return view;
}

static int first_array(const pa_producer *producer) {
  int i = 0;
  while (!pa_is_array_with_axes(operand(producer->op, i))) ++i;
  return i;
}

//===-- Leaves ------------------------------------------------------------------------------------===//

static bool is_used(const pa_producer *producer, int i) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(pa_body(producer->op, 0), i)));
}

// What |view| gives of |array| in place of an array of type |before|.
static MlirType view_type(pa_fusing *f, MlirValue array, MlirType before, MlirType view) {
  MlirType type = mlirValueGetType(array);
  bool alike = pyarrayArrayTypeGetLayout(type) == pyarrayArrayTypeGetLayout(before);
  intptr_t rank = pyarrayArrayTypeGetRank(view);
  pyarray_layout layout = alike || rank == 0 ? pyarrayArrayTypeGetLayout(view) : PYARRAY_LAYOUT_A;
  return pa_array_type(f->names.context, rank, pa_element_of(mlirValueGetType(array)), layout,
                       pyarrayArrayTypeIsReadonly(type));
}

static void view_of(pa_fusing *f, MlirOperation view, MlirValue array, MlirType before, MlirType type,
                    pa_shape *shape) {
  MlirValue result = mlirOperationGetResult(view, 0);
  mlirOperationSetOperand(view, 0, array);
  mlirValueSetType(result, view_type(f, array, before, type));
  pa_memory_view(&f->memory, result, array);
  pa_set_shape(&f->shapes, result, shape);
}

// The view that a node is, of each leaf of its source. Its own operation is now one of what has the source's shape.
static void view_leaves(pa_fusing *f, const pa_producer *producer, pa_node *node, const pa_node *source) {
  MlirOperation view = mlirOpResultGetOwner(node->value);
  pa_shape *shape = pa_shape_of(&f->shapes, node->value);
  for (int i = 0; i < producer->inputs && node->is_read; ++i) {
    MlirValue leaf = source->leaves[i];
    node->leaves[i] = leaf;
    if (mlirValueIsNull(leaf) || !is_array(leaf)) continue;
    node->leaves[i] = node->value;
    for (int k = 0; k < i; ++k)
      if (source->leaves[k].ptr == leaf.ptr) node->leaves[i] = node->leaves[k];
    if (mlirValueEqual(leaf, source->shaped) || !mlirValueEqual(node->leaves[i], node->value)) continue;
    MlirOperation copy = mlirOperationClone(view);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(view), view, copy);
    pa_set_place(&f->memory, copy, pa_place_of(&f->memory, view));
    view_of(f, copy, leaf, source->type, node->type, shape);
    node->leaves[i] = mlirOperationGetResult(copy, 0);
  }
  view_of(f, view, source->shaped, source->type, node->type, shape);
  node->shaped = node->value;
}

// For consumers that read the result itself, leaves are what the producer reads: it broadcasts in the consumer as it
// did here. For views of the result they have its shape.
static void make_leaves(leaving *l, pa_producer *producer) {
  MlirValue *spreads = PA_NEW_ARRAY(l->f->arena, MlirValue, producer->inputs + 1);
  pa_node *result = &producer->nodes[0], whole = *result;
  bool views = false;
  for (size_t k = producer->count; k-- > 0;) {
    pa_node *node = &producer->nodes[k];
    node->is_read = node->is_read || node->consumer_count;
    views = views || (k && node->is_read);
    if (node->is_read) producer->nodes[node->source].is_read = true;
  }
  result->leaves = PA_NEW_ARRAY(l->f->arena, MlirValue, producer->inputs + 1);
  result->shaped = l->certain >= 0 ? operand(producer->op, l->certain) : spread(l, first_array(producer));
  for (int i = 0; i < producer->inputs; ++i) {
    MlirValue input = operand(producer->op, i);
    if (!is_used(producer, i)) continue;
    result->leaves[i] = spreads[i] = input;
    bool known = !is_array(input) || (l->certain >= 0 && mlirValueEqual(input, result->shaped)) ||
                 (pyarrayArrayTypeGetRank(mlirValueGetType(input)) == l->rank &&
                  pa_shape_of(&l->f->shapes, input) == pa_shape_of(&l->f->shapes, result->value));
    if (known || !views) continue;
    spreads[i] = l->certain < 0 && i == first_array(producer) ? result->shaped : spread(l, i);
  }
  whole.leaves = spreads;
  whole.shaped = result->shaped;
  for (size_t k = 1; k < producer->count && !pa_failed(&l->builder); ++k) {
    pa_node *node = &producer->nodes[k];
    node->leaves = PA_NEW_ARRAY(l->f->arena, MlirValue, producer->inputs + 1);
    view_leaves(l->f, producer, node, node->source ? &producer->nodes[node->source] : &whole);
  }
}

//===-- Bodies ------------------------------------------------------------------------------------===//

typedef struct merging {
  pa_fusing *f;
  MlirOperation consumer;
  MlirBlock body;
  int inputs;              // that the consumer has had
  MlirValue *added;        // further ones
  int added_count, hidden; // the body argument that stands before the one it replaces
} merging;

// The body argument that is an element of |leaf|.
static MlirValue argument_of(merging *m, MlirValue leaf) {
  for (int i = 0; i < m->inputs; ++i)
    if (mlirValueEqual(operand(m->consumer, i), leaf))
      return mlirBlockGetArgument(m->body, i + (m->hidden >= 0 && i > m->hidden));
  for (int i = 0; i < m->added_count; ++i)
    if (mlirValueEqual(m->added[i], leaf)) return mlirBlockGetArgument(m->body, m->inputs + (m->hidden >= 0) + i);
  m->added[m->added_count++] = leaf;
  return mlirBlockAddArgument(m->body, pa_element_of(mlirValueGetType(leaf)), mlirOperationGetLocation(m->consumer));
}

static MlirValue splice(merging *m, MlirOperation source, const MlirValue *leaves, int count) {
  MlirBlock body = pa_body(source, 0);
  for (int i = 0; i < count; ++i)
    if (!mlirValueIsNull(leaves[i]))
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i), argument_of(m, leaves[i]));
  MlirOperation end = mlirBlockGetTerminator(body), place = mlirBlockGetFirstOperation(m->body);
  MlirValue result = operand(end, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, place);
    if (pa_kind(&m->f->names, op) == PA_OP_GETITEM) // it is read here now
      pa_set_place(&m->f->memory, op, pa_place_of(&m->f->memory, m->consumer));
  }
  return result;
}

// Input |i| is read no more; it has the shape that the program's value has.
static void hide_argument(merging *m, int i, MlirValue result) {
  MlirValue old = mlirBlockGetArgument(m->body, i + 1);
  mlirValueReplaceAllUsesOfWith(old, result);
  mlirBlockEraseArgument(m->body, (unsigned)i + 1);
}

static void show_argument(merging *m, int i, MlirValue shaped) {
  mlirBlockInsertArgument(m->body, i, pa_element_of(mlirValueGetType(shaped)), mlirOperationGetLocation(m->consumer));
  mlirOperationSetOperand(m->consumer, i, shaped);
}

static void keep_shapes(merging *m) {
  int64_t numbers[PA_MAX_OPERANDS];
  for (int i = 0; i < m->inputs; ++i) numbers[i] = i;
  if (mlirAttributeIsNull(pa_get_attr(m->consumer, "shapes")))
    pa_set_attr(m->consumer, "shapes", mlirDenseI64ArrayGet(m->f->names.context, m->inputs, numbers));
}

// The first of the segments of its operands.
static void set_input_count(MlirOperation op, int count) {
  MlirAttribute before = pa_get_attr(op, "operandSegmentSizes");
  int32_t segments[] = {count, 0, 0};
  intptr_t kinds = mlirDenseArrayGetNumElements(before);
  for (intptr_t i = 1; i < kinds; ++i) segments[i] = mlirDenseI32ArrayGetElement(before, i);
  pa_set_attr(op, "operandSegmentSizes", mlirDenseI32ArrayGet(mlirOperationGetContext(op), kinds, segments));
}

static void set_inputs(merging *m) {
  MlirValue operands[2 * PA_MAX_OPERANDS];
  int count = 0, others = (int)mlirOperationGetNumOperands(m->consumer) - m->inputs,
      inputs = m->inputs + m->added_count, results = (int)mlirOperationGetNumOperands(mlirBlockGetTerminator(m->body));
  for (int i = 0; i < m->inputs; ++i) operands[count++] = operand(m->consumer, i);
  for (int i = 0; i < m->added_count; ++i) operands[count++] = m->added[i];
  for (int i = 0; i < others; ++i) operands[count++] = operand(m->consumer, m->inputs + i);
  mlirOperationSetOperands(m->consumer, count, operands);
  set_input_count(m->consumer, inputs);
  if (pa_kind(&m->f->names, m->consumer) == PA_OP_REDUCE) return;
  pa_set_attr(m->consumer, "signature",
              pa_string_attr(m->f->names.context, signature_text(m->f->arena, inputs, results)));
}

// |source| is the producer or a copy of it.
static void merge_into(pa_fusing *f, MlirOperation source, MlirOperation consumer, const pa_node *node, int count) {
  MlirValue added[PA_MAX_OPERANDS];
  merging m = {.f = f,
               .consumer = consumer,
               .body = pa_body(consumer, 0),
               .inputs = pa_input_count(consumer),
               .added = added,
               .hidden = -1};
  keep_shapes(&m);
  for (int i = 0; i < m.inputs && m.hidden < 0; ++i)
    if (mlirValueEqual(operand(consumer, i), node->value)) m.hidden = i;
  int first = m.hidden;
  show_argument(&m, first, node->shaped);
  MlirValue result = splice(&m, source, node->leaves, count);
  hide_argument(&m, first, result);
  m.hidden = -1;
  for (int i = first + 1; i < m.inputs; ++i) {
    if (!mlirValueEqual(operand(consumer, i), node->value)) continue;
    show_argument(&m, i, node->shaped);
    hide_argument(&m, i, result);
  }
  set_inputs(&m);
}

//===-- Stores ------------------------------------------------------------------------------------===//

static MlirType stored_view(pa_fusing *f, MlirOperation store, int indices) {
  MlirType type = mlirValueGetType(operand(store, 0));
  intptr_t own = pyarrayArrayTypeGetRank(type), rank = own;
  MlirType *of_axes = PA_NEW_ARRAY(f->arena, MlirType, own + 1);
  for (int i = 0; i < indices; ++i) {
    of_axes[i] = mlirValueGetType(operand(store, 1 + i));
    rank -= !pyarrayTypeIsSlice(of_axes[i]);
  }
  return pa_array_type(f->names.context, rank, pyarrayArrayTypeGetElement(type),
                       pa_view_layout(pyarrayArrayTypeGetLayout(type), of_axes, own), false);
}

// o[i:j] = t becomes a ufunc that gives its input, with o[i:j] as output.
static MlirOperation ufunc_of_store(pa_fusing *f, pa_builder *builder, MlirOperation store) {
  int indices = (int)mlirOperationGetNumOperands(store) - 2;
  MlirValue object = operand(store, 0), value = operand(store, indices + 1), view = object,
            *operands = PA_NEW_ARRAY(f->arena, MlirValue, indices + 1);
  for (int i = 0; i <= indices; ++i) operands[i] = operand(store, i);
  if (indices) {
    view = pa_value(builder, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, indices + 1),
                    PA_RESULTS(stored_view(f, store, indices)),
                    PA_ATTRS({"pyarray.options", pa_get_attr(store, "pyarray.options")}));
    if (pa_failed(builder)) return (MlirOperation){NULL};
    pa_set_place(&f->memory, mlirOpResultGetOwner(view), pa_place_of(&f->memory, store));
    pa_memory_view(&f->memory, view, object);
    pa_set_shape(&f->shapes, view, NULL);
  }
  MlirType from = pa_element_of(mlirValueGetType(value)), to = pa_element_of(mlirValueGetType(object));
  int32_t segments[] = {1, 1};
  MlirOperation made =
      pa_op(builder, PA_OP_NAME(UFUNC), PA_OPERANDS(value, view), PA_REGIONS(pa_cast_body(builder, from, to)),
            PA_ATTRS({"signature", pa_string_attr(builder->context, "()->()")},
                     {"operandSegmentSizes", mlirDenseI32ArrayGet(builder->context, 2, segments)},
                     {"assigns", pa_unit_attr(builder->context)}));
  if (mlirOperationIsNull(made)) return made;
  pa_set_place(&f->memory, made, pa_place_of(&f->memory, store));
  pa_remove(f, store);
  return made;
}

//===-- All ---------------------------------------------------------------------------------------===//

static pa_status merge_consumer(pa_fusing *f, pa_producer *producer, const pa_node *node, MlirOperation consumer) {
  if (pa_kind(&f->names, consumer) == PA_OP_SETITEM) {
    pa_builder builder = pa_builder_before(f, consumer);
    consumer = ufunc_of_store(f, &builder, consumer);
    if (builder.failure) return builder.failure;
  }
  if (pa_kind(&f->names, consumer) == PA_OP_REDUCE) pa_set_order(consumer, node->type);
  MlirOperation source = --producer->copies ? mlirOperationClone(producer->op) : producer->op;
  merge_into(f, source, consumer, node, producer->inputs);
  if (producer->copies) mlirOperationDestroy(source);
  return PA_OK;
}

// Of ufuncs that ask only for the shape of |value|, whose elements have another type now.
static void set_argument_types(pa_fusing *f, MlirValue value, MlirType element) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (pa_kind(&f->names, user) == PA_OP_UFUNC || pa_kind(&f->names, user) == PA_OP_REDUCE)
      mlirValueSetType(mlirBlockGetArgument(pa_body(user, 0), mlirOpOperandGetOperandNumber(use)), element);
  }
}

pa_status pa_merge(pa_fusing *f, pa_producer *producer) {
  leaving l = leave(f, producer);
  if (producer->gathers) pa_leave_index_checks(f, &l.builder, producer);
  if (!pa_failed(&l.builder)) make_leaves(&l, producer);
  if (l.builder.failure) return l.builder.failure;
  for (size_t k = 0; k < producer->count; ++k)
    for (size_t i = 0; i < producer->nodes[k].consumer_count; ++i)
      PA_TRY(merge_consumer(f, producer, &producer->nodes[k], producer->nodes[k].consumers[i].op));
  for (size_t k = 0; k < producer->count; ++k)
    set_argument_types(f, producer->nodes[k].value, pa_element_of(mlirValueGetType(producer->nodes[k].shaped)));
  mlirValueReplaceAllUsesOfWith(producer->nodes[0].value, producer->nodes[0].shaped); // who asks for its shape
  pa_remove(f, producer->op);
  return PA_OK;
}
