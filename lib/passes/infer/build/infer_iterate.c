// Second phase of pyarray-infer-types: iteration by position over enumerate, zip and reversed. Item number k is put
// together from items of what they hold:
//
//   for i, x in enumerate(a):      pyarray.for %k in range(iter_length %a): %x = pyarray.iter_item %a, %k; %t =
//   pyarray.tuple %k, %x
#include <string.h>

#include "infer_emit.h"

static MlirType part_kind(MlirType kind, intptr_t part) {
  return mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(kind), part);
}

static bool holds_list(MlirType kind) {
  if (pyarrayTypeIsList(kind) || pyarrayTypeIsBytearray(kind) || pa_is_iterator_tag(kind)) return true;
  if (!pa_is_iterable_tag(kind)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(kind)); ++i)
    if (holds_list(part_kind(kind, i))) return true;
  return false;
}

static MlirValue tagged_length(pa_instance_emitter *e, MlirValue iterable, MlirType kind, MlirValue position,
                               MlirValue asked);
static MlirValue tagged_item(pa_instance_emitter *e, MlirValue iterable, MlirType kind, MlirValue position,
                             MlirValue length);

static MlirType index_type(const pa_instance_emitter *e) { return pa_scalar_type(pa_emitter_context(e), PA_I64); }

static MlirValue binary(pa_instance_emitter *e, pyarray_binary_kind kind, MlirValue a, MlirValue b) {
  return pa_value(e->builder, PA_OP_NAME(BINARY), PA_OPERANDS(a, b), PA_RESULTS(index_type(e)),
                  PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(pa_emitter_context(e), kind)}));
}

// How many items there are, as far as the one at |position| asks for it; null: in all. |asked|: whether it is asked for
// at all; null: it is.
static MlirValue length_of(pa_instance_emitter *e, MlirValue iterable, MlirType kind, MlirValue position,
                           MlirValue asked) {
  if (pa_is_iterable_tag(kind)) return tagged_length(e, iterable, kind, position, asked);
  return pa_value(e->builder, PA_OP_NAME(ITER_LENGTH), PA_OPERANDS(iterable), PA_RESULTS(index_type(e)));
}

static MlirValue call(pa_instance_emitter *e, const char *name, MlirType result, MlirValue *operands, intptr_t count) {
  return pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, count), PA_RESULTS(result),
                  PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), name)}));
}

MlirValue pa_emit_iterator(pa_instance_emitter *e, MlirValue iterable, MlirType *kind) {
  MlirType type = pa_iterator_type(*kind);
  intptr_t count;
  if (mlirTypeEqual(type, *kind)) return iterable;
  MlirValue dict = pa_is_view_tag(*kind) ? pa_emit_elements(e, iterable, &count)[0] : iterable;
  *kind = type;
  return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERANDS(dict, call(e, "iterator.begin", index_type(e), &dict, 1)),
                  PA_RESULTS(pa_erased_type(type)));
}

// Item number |position| of an iterator of a dict, a set or a deque.
static MlirValue entry_part(pa_instance_emitter *e, MlirValue dict, MlirType kind, MlirValue position) {
  MlirType type = mlirValueGetType(dict), types[2] = {pyarrayTypeGetItem(type)};
  MlirValue operands[] = {dict, position}, parts[2];
  if (pyarrayTypeIsDeque(type))
    return pa_value(e->builder, PA_OP_NAME(ITER_ITEM), PA_OPERANDS(dict, position), PA_RESULTS(types[0]));
  if (pyarrayTypeIsDict(type)) types[1] = pyarrayDictTypeGetValue(type);
  if (!pa_is_tagged(kind, "values iterator")) parts[0] = call(e, "dict.key_at", types[0], operands, 2);
  if (pa_is_tagged(kind, "keys iterator")) return parts[0];
  parts[1] = call(e, "dict.value_at", types[1], operands, 2);
  if (pa_is_tagged(kind, "values iterator")) return parts[1];
  return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(parts, 2),
                  PA_RESULTS(mlirTupleTypeGet(pa_emitter_context(e), 2, types)));
}

static intptr_t held_count(MlirType kind) {
  return pa_is_tagged(kind, "enumerate") || pa_is_tagged(kind, "reversed")
             ? 1
             : mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(kind));
}

static MlirValue int_literal(pa_instance_emitter *e, int64_t value) {
  return pa_emit_literal(e, mlirIntegerAttrGet(index_type(e), value));
}

static MlirValue is_less(pa_instance_emitter *e, MlirValue position, MlirValue length) {
  return pa_value(e->builder, PA_OP_NAME(COMPARE), PA_OPERANDS(position, length),
                  PA_RESULTS(mlirIntegerTypeGet(pa_emitter_context(e), 1)),
                  PA_ATTRS({"kind", pyarrayCompareKindAttrGet(pa_emitter_context(e), PYARRAY_COMPARE_LT)}));
}

// reversed() of a list: behind the list is the length that it had, from which items are counted down.
static bool counts_down(MlirType kind) {
  return pa_is_tagged(kind, "reversed") && mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(kind)) == 2;
}

static MlirValue index_from_end(pa_instance_emitter *e, MlirValue length, MlirValue position) {
  return binary(e, PYARRAY_BINARY_SUB, binary(e, PYARRAY_BINARY_SUB, length, int_literal(e, 1)), position);
}

// As Python's iterator, it ends where the list has become so short that the item is no more.
static MlirValue length_from_end(pa_instance_emitter *e, MlirValue list, MlirType kind, MlirValue length,
                                 MlirValue position) {
  if (mlirValueIsNull(position)) return length;
  MlirValue there =
      is_less(e, index_from_end(e, length, position), length_of(e, list, kind, (MlirValue){NULL}, (MlirValue){NULL}));
  return binary(e, PYARRAY_BINARY_MUL, length, pa_emit_cast(e, there, index_type(e)));
}

// A deque's is not asked whether the deque has changed where it is at its end.
static MlirValue deque_from_end(pa_instance_emitter *e, MlirValue iterator, MlirType kind, MlirValue length,
                                MlirValue position, MlirValue asked) {
  if (mlirValueIsNull(position)) return length_of(e, iterator, kind, position, asked);
  MlirValue more = is_less(e, position, length),
            both = mlirValueIsNull(asked)
                       ? more
                       : pa_value(
                             e->builder, "pyarray.binary", PA_OPERANDS(more, asked), PA_RESULTS(mlirValueGetType(more)),
                             PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(pa_emitter_context(e), PYARRAY_BINARY_AND)}));
  MlirValue lengths[] = {length, length_of(e, iterator, kind, position, both)};
  return call(e, "builtins.min", index_type(e), lengths, 2);
}

static MlirValue least_of(pa_instance_emitter *e, MlirValue *lengths, intptr_t count) {
  return count == 1 ? lengths[0] : call(e, "builtins.min", index_type(e), lengths, count);
}

// zip asks the next one where none before it has ended.
static MlirValue least_length(pa_instance_emitter *e, MlirValue *parts, MlirType kind, MlirValue position,
                              MlirValue asked) {
  intptr_t count = held_count(kind);
  MlirValue *lengths = pa_emitter_values(e, count);
  bool in_turn = pa_is_tagged(kind, "zip") && !mlirValueIsNull(position);
  for (intptr_t i = 0; i < count; ++i) {
    if (in_turn && i && pa_is_iterable_tag(part_kind(kind, i))) asked = is_less(e, position, least_of(e, lengths, i));
    lengths[i] = length_of(e, parts[i], part_kind(kind, i), position, asked);
  }
  return least_of(e, lengths, count);
}

static MlirValue tagged_length(pa_instance_emitter *e, MlirValue iterable, MlirType kind, MlirValue position,
                               MlirValue asked) {
  intptr_t all;
  MlirValue *parts = pa_emit_elements(e, iterable, &all);
  if (pa_is_iterator_tag(kind)) {
    MlirValue operands[] = {parts[0], parts[1], asked};
    return call(e, "iterator.remaining", index_type(e), operands, mlirValueIsNull(asked) ? 2 : 3);
  }
  if (counts_down(kind) && pa_is_iterator_tag(part_kind(kind, 0)))
    return deque_from_end(e, parts[0], part_kind(kind, 0), parts[1], position, asked);
  if (counts_down(kind)) return length_from_end(e, parts[0], part_kind(kind, 0), parts[1], position);
  return held_count(kind) ? least_length(e, parts, kind, position, asked) : int_literal(e, 0);
}

static pa_fact item_fact(pa_instance_emitter *e, MlirType kind) {
  pa_typing typing = {.context = pa_emitter_context(e),
                      .arena = e->inference->arena,
                      .location = e->builder->location,
                      .sites = e->inference->sites};
  pa_fact item = {0};
  pa_status_free(pa_type_item(&typing, pa_fact_of(kind), &item));
  return item;
}

static MlirValue item_of(pa_instance_emitter *e, MlirValue iterable, MlirType kind, MlirValue position) {
  if (pa_is_iterable_tag(kind)) return tagged_item(e, iterable, kind, position, (MlirValue){NULL});
  if (pa_is_records(kind)) return e->inference->forward->emit_record_item(e, iterable, kind, position);
  if (pa_is_memoryview(kind)) return e->inference->forward->emit_memoryview_item(e, iterable, kind, position);
  return pa_value(e->builder, PA_OP_NAME(ITER_ITEM), PA_OPERANDS(iterable, position),
                  PA_RESULTS(pa_emitter_type(e, item_fact(e, kind))));
}

// |length|: what it was when the iteration began, for reversed; may be null.
static MlirValue tagged_item(pa_instance_emitter *e, MlirValue iterable, MlirType kind, MlirValue position,
                             MlirValue length) {
  intptr_t count;
  MlirValue *parts = pa_emit_elements(e, iterable, &count), *items = pa_emitter_values(e, count);
  if (pa_is_iterator_tag(kind)) return entry_part(e, parts[0], kind, position);
  if (pa_is_tagged(kind, "reversed")) {
    if (counts_down(kind)) length = parts[1];
    if (pyarrayTypeIsRange(part_kind(kind, 0)))
      length = call(e, "pyarray.library._intrinsics.range_length", index_type(e), parts, 1); // a loop's is cut off
    if (mlirValueIsNull(length))
      length = length_of(e, parts[0], part_kind(kind, 0), (MlirValue){NULL}, (MlirValue){NULL});
    return item_of(e, parts[0], part_kind(kind, 0), index_from_end(e, length, position));
  }
  bool counts = pa_is_tagged(kind, "enumerate");
  for (intptr_t i = 0; i < count; ++i)
    items[i] = counts && i == 0 ? binary(e, PYARRAY_BINARY_ADD, parts[1], position)
                                : item_of(e, parts[counts ? 0 : i], part_kind(kind, counts ? 0 : i), position);
  return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(items, count),
                  PA_RESULTS(pa_emitter_type(e, item_fact(e, kind))));
}

MlirValue pa_emit_mixed_item(pa_instance_emitter *e, MlirValue iterable, MlirType kind, intptr_t number) {
  intptr_t count;
  MlirValue *parts = pa_emit_elements(e, iterable, &count), *items = pa_emitter_values(e, count);
  if (!pa_is_iterable_tag(kind)) return parts[number];
  if (pa_is_tagged(kind, "reversed"))
    return pa_emit_mixed_item(e, parts[0], part_kind(kind, 0), pa_mixed_length(part_kind(kind, 0)) - 1 - number);
  bool counts = pa_is_tagged(kind, "enumerate");
  pa_typing typing = {.context = pa_emitter_context(e), .arena = e->inference->arena};
  for (intptr_t i = 0; i < count; ++i)
    items[i] = counts && i == 0 ? binary(e, PYARRAY_BINARY_ADD, parts[1],
                                         pa_emit_literal(e, mlirIntegerAttrGet(index_type(e), number)))
                                : pa_emit_mixed_item(e, parts[counts ? 0 : i], part_kind(kind, counts ? 0 : i), number);
  return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(items, count),
                  PA_RESULTS(pa_erased_type(pa_mixed_item(&typing, kind, number))));
}

//===-- Loops -------------------------------------------------------------------------------------===//

// The before region: position < length as it is now.
static void begin_while(pa_instance_emitter *e, pa_position_loop *loop, MlirValue iterable, MlirType kind) {
  MlirBlock before;
  loop->regions[0] = pa_region(loop->outer->location, loop->types, loop->count + 1, &before);
  loop->builder.block = before;
  MlirValue *forwarded = pa_emitter_values(e, loop->count + 2),
            now = length_of(e, iterable, kind, mlirBlockGetArgument(before, 0), (MlirValue){NULL});
  forwarded[0] = is_less(e, mlirBlockGetArgument(before, 0), now);
  for (intptr_t i = 0; i <= loop->count; ++i) forwarded[i + 1] = mlirBlockGetArgument(before, i);
  pa_op(e->builder, PA_OP_NAME(SCF_CONDITION), PA_OPERAND_ARRAY(forwarded, loop->count + 2));
}

void pa_begin_positions(pa_instance_emitter *e, MlirValue iterable, MlirType kind, const MlirValue *inits,
                        const MlirType *types, intptr_t count, pa_position_loop *out_loop) {
  pa_position_loop *loop = out_loop;
  *loop = (pa_position_loop){.types = pa_emitter_types(e, count + 1),
                             .inits = pa_emitter_values(e, count + 1),
                             .count = count,
                             .by_list = holds_list(kind),
                             .outer = e->builder};
  loop->types[0] = index_type(e);
  for (intptr_t i = 0; i < count; ++i) loop->types[i + 1] = types[i], loop->inits[i + 1] = inits[i];
  MlirValue zero = int_literal(e, 0), length = {NULL};
  if (!loop->by_list) length = length_of(e, iterable, kind, (MlirValue){NULL}, (MlirValue){NULL});
  MlirType range = pyarrayRangeTypeGet(pa_emitter_context(e));
  loop->inits[0] =
      loop->by_list
          ? zero
          : pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(zero, length, int_literal(e, 1)), PA_RESULTS(range),
                     PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "builtins.range")}));
  loop->builder = (pa_builder){.context = e->builder->context, .location = e->builder->location};
  e->builder = &loop->builder;
  if (loop->by_list) begin_while(e, loop, iterable, kind);
  loop->regions[loop->by_list] = pa_region(loop->outer->location, loop->types, count + 1, &loop->body);
  loop->builder.block = loop->body;
  MlirValue position = mlirBlockGetArgument(loop->body, 0);
  loop->item = pa_is_iterable_tag(kind) ? tagged_item(e, iterable, kind, position, length)
                                        : item_of(e, iterable, kind, position);
}

MlirOperation pa_end_positions(pa_instance_emitter *e, pa_position_loop *loop, const MlirValue *yielded,
                               pa_status *status) {
  MlirValue *values = pa_emitter_values(e, loop->count + 1);
  for (intptr_t i = 0; i < loop->count; ++i) values[i + 1] = yielded[i];
  if (!*status && loop->by_list)
    values[0] = binary(e, PYARRAY_BINARY_ADD, mlirBlockGetArgument(loop->body, 0), int_literal(e, 1));
  if (!*status)
    pa_op(&loop->builder, loop->by_list ? PA_OP_NAME(SCF_YIELD) : "pyarray.yield",
          PA_OPERAND_ARRAY(values + !loop->by_list, loop->count + loop->by_list));
  pa_builder *outer = e->builder = loop->outer;
  if (loop->builder.failure && !*status)
    *status = loop->builder.failure;
  else
    pa_status_free(loop->builder.failure);
  if (!*status) pa_erase_unused(e->inference, loop->body);
  return loop->by_list
             ? pa_op(outer, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(loop->inits, loop->count + 1),
                     PA_RESULT_ARRAY(loop->types, loop->count + 1), PA_REGIONS(loop->regions[0], loop->regions[1]))
             : pa_op(outer, PA_OP_NAME(FOR), PA_OPERAND_ARRAY(loop->inits, loop->count + 1),
                     PA_RESULT_ARRAY(loop->types + 1, loop->count), PA_REGIONS(loop->regions[0]));
}

// None goes into what holds no None where it stands for the items of what has none.
static MlirValue as_part(pa_instance_emitter *e, MlirValue value, MlirType type) {
  bool nothing = pyarrayTypeIsNone(mlirValueGetType(value)) && !pyarrayTypeIsNone(type) && !pyarrayTypeIsOptional(type);
  return nothing ? pa_value(e->builder, PA_OP_NAME(UNBOUND), PA_RESULTS(type)) : pa_emit_cast(e, value, type);
}

static void put(pa_instance_emitter *e, MlirValue container, MlirValue item) {
  MlirType type = mlirValueGetType(container), none = pyarrayNoneTypeGet(pa_emitter_context(e));
  MlirValue operands[] = {container, item, {NULL}};
  intptr_t count = 1;
  bool dict = pyarrayTypeIsDict(type);
  if (dict && pyarrayTypeIsNone(mlirValueGetType(item)))
    return; // of a container that nothing is put into: there is never one
  if (dict) memcpy(operands + 1, pa_emit_elements(e, item, &count), 2 * sizeof *operands);
  operands[1] = as_part(e, operands[1], pyarrayTypeGetItem(type));
  if (dict) operands[2] = as_part(e, operands[2], pyarrayDictTypeGetValue(type));
  call(e, dict ? "dict.__setitem__" : pyarrayTypeIsSet(type) ? "set.add" : "list.append", none, operands, 1 + count);
}

// Into a dict goes what another one holds.
static MlirType items_of(MlirType dict) {
  return pyarrayTaggedTypeGet(pa_ref("items"), pa_unit_attr(mlirTypeGetContext(dict)),
                              mlirTupleTypeGet(mlirTypeGetContext(dict), 1, &dict));
}

static pa_status put_generator(pa_instance_emitter *e, MlirValue container, MlirValue generator) {
  MlirBlock body;
  MlirType item = pyarrayTypeGetItem(mlirValueGetType(generator));
  pa_builder *outer = e->builder, inner = {.context = outer->context, .location = outer->location};
  MlirRegion region = pa_region(outer->location, &item, 1, &body);
  inner.block = body;
  e->builder = &inner;
  put(e, container, mlirBlockGetArgument(body, 0));
  pa_op(&inner, PA_OP_NAME(YIELD), .operand_count = 0);
  e->builder = outer;
  pa_op(outer, PA_OP_NAME(FOR), PA_OPERANDS(generator), PA_REGIONS(region));
  return inner.failure;
}

// Numbers that lie in memory as they lie in the set.
static bool has_items_of(MlirType set, MlirType kind) {
  bool array = pyarrayTypeIsArray(kind) && pyarrayArrayTypeGetRank(kind) == 1;
  if (!pyarrayTypeIsSet(set) || !(array || pyarrayTypeIsList(kind))) return false;
  MlirType item = array ? pyarrayArrayTypeGetElement(kind) : pyarrayTypeGetItem(kind);
  return pa_scalar_of(item) != PA_NOT_SCALAR && mlirTypeEqual(item, pyarrayTypeGetItem(set));
}

pa_status pa_emit_put_all(pa_instance_emitter *e, MlirValue container, MlirValue iterable, MlirType kind) {
  pa_position_loop loop;
  pa_status status = PA_OK;
  intptr_t count;
  if (pa_is_tagged(kind, "namedtuple")) kind = pa_plain_type(kind);
  if (mlirTypeIsATuple(kind)) {
    MlirValue *elements = pa_emit_elements(e, iterable, &count);
    for (intptr_t i = 0; i < count; ++i) put(e, container, elements[i]);
    return PA_OK;
  }
  if (pyarrayTypeIsDict(kind) && pyarrayTypeIsDict(mlirValueGetType(container))) {
    kind = items_of(kind);
    iterable = pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERANDS(iterable), PA_RESULTS(pa_erased_type(kind)));
  }
  if (has_items_of(mlirValueGetType(container), kind)) {
    call(e, "set.update", pyarrayNoneTypeGet(pa_emitter_context(e)), (MlirValue[]){container, iterable}, 2);
    return PA_OK;
  }
  if (pyarrayTypeIsGenerator(kind)) return put_generator(e, container, iterable);
  iterable = pa_emit_iterator(e, iterable, &kind);
  pa_begin_positions(e, iterable, kind, NULL, NULL, 0, &loop);
  put(e, container, loop.item);
  pa_end_positions(e, &loop, NULL, &status);
  if (!status && pa_is_tagged(kind, "strict zip")) pa_emit_strict_end(e, iterable, kind);
  return status;
}

//===-- Ends and single items ---------------------------------------------------------------------===//

void pa_emit_strict_end(pa_instance_emitter *e, MlirValue iterable, MlirType kind) {
  intptr_t count;
  MlirValue *parts = pa_emit_elements(e, iterable, &count);
  for (intptr_t i = 0; i < count; ++i)
    parts[i] = length_of(e, parts[i], part_kind(kind, i), (MlirValue){NULL}, (MlirValue){NULL});
  if (count > 1)
    pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(parts, count),
             PA_RESULTS(pyarrayNoneTypeGet(pa_emitter_context(e))),
             PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "pyarray.zip_lengths")}));
}

static MlirOperation iter_next(pa_instance_emitter *e, MlirValue generator) {
  MlirType item = pyarrayTypeGetItem(mlirValueGetType(generator));
  return pa_op(e->builder, PA_OP_NAME(ITER_NEXT), PA_OPERANDS(generator),
               PA_RESULTS(mlirIntegerTypeGet(pa_emitter_context(e), 1), item));
}

pa_status pa_emit_iter_more(pa_instance_emitter *e, MlirOperation op) {
  MlirValue operand = mlirOperationGetOperand(op, 0),
            position = pa_emitter_use_as(e, mlirOperationGetOperand(op, 1), index_type(e)), more;
  MlirType kind = pa_emitter_fact(e, operand).type;
  MlirValue iterable = pa_emit_iterator(e, pa_emitter_use(e, operand), &kind);
  if (pyarrayTypeIsGenerator(kind)) {
    MlirOperation next = iter_next(e, iterable);
    more = mlirOperationIsNull(next) ? (MlirValue){NULL} : mlirOperationGetResult(next, 0);
  } else {
    more = is_less(e, position, length_of(e, iterable, kind, position, (MlirValue){NULL}));
  }
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), more), PA_OK;
}

// What pyarray.iter_next gave for the test of the loop that |op| is in: the iterable is of that loop alone.
static MlirValue item_of_test(pa_instance_emitter *e, MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetOperand(op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation test = mlirOpOperandGetOwner(use);
    if (pa_kind(&e->inference->names, test) != PA_OP_ITER_MORE) continue;
    MlirValue more = pa_value_entry_of(e->inference, e->instance, mlirOperationGetResult(test, 0))->typed;
    return mlirOperationGetResult(mlirOpResultGetOwner(more), 1);
  }
  return (MlirValue){NULL};
}

pa_status pa_emit_iter_item(pa_instance_emitter *e, MlirOperation op) {
  MlirValue operand = mlirOperationGetOperand(op, 0),
            position = pa_emitter_use_as(e, mlirOperationGetOperand(op, 1), index_type(e));
  MlirType kind = pa_emitter_fact(e, operand).type;
  if (pyarrayTypeIsGenerator(kind)) return pa_emitter_map(e, mlirOperationGetResult(op, 0), item_of_test(e, op)), PA_OK;
  MlirValue iterable = pa_emit_iterator(e, pa_emitter_use(e, operand), &kind);
  if (pa_is_iterable_tag(kind))
    return pa_emitter_map(e, mlirOperationGetResult(op, 0),
                          tagged_item(e, iterable, kind, position, (MlirValue){NULL})),
           PA_OK;
  if (pa_is_records(kind))
    return pa_emitter_map(e, mlirOperationGetResult(op, 0),
                          e->inference->forward->emit_record_item(e, iterable, kind, position)),
           PA_OK;
  if (pa_is_memoryview(kind))
    return pa_emitter_map(e, mlirOperationGetResult(op, 0),
                          e->inference->forward->emit_memoryview_item(e, iterable, kind, position)),
           PA_OK;
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0)));
  return pa_emitter_map(e, mlirOperationGetResult(op, 0),
                        pa_value(e->builder, PA_OP_NAME(ITER_ITEM), PA_OPERANDS(iterable, position), PA_RESULTS(type))),
         PA_OK;
}
